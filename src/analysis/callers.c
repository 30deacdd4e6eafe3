/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Callers. Contract: callers.h.
 */
#include "analysis/callers.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/names.h"
#include "base/map.h"
#include "base/num.h"
#include "image/calls.h"
#include "image/demangle.h"

/* The work on one image. */
struct search {
	struct pd_callers *callers;
	const struct pd_image *image;
	const uint32_t *rows_of; /* [symbol] */
	uint32_t side;
	struct pd_map *row_ids; /* row of the sizes -> row of the callers */
	uint32_t cap_rows;
	uint64_t *caller_keys; /* of functions with sites; equal ones are one caller */
	size_t n_keys, cap_keys;
	struct pd_buf text;
};

static bool is_called(struct search *s, pd_str name, const char *function, bool wants_family)
{
	struct pd_span own = pd_strtab_span(&s->image->strings, name);

	if (wants_family)
		return pd_span_eq(pd_name_family(own, &s->text), function);
	return pd_span_eq(own, function) || pd_span_eq(pd_demangle(own, &s->text), function);
}

static bool is_target(struct search *s, const struct pd_symbol *symbol, const char *function,
		      bool wants_family)
{
	if (symbol->kind != PD_SYMBOL_FUNCTION)
		return false;
	if (is_called(s, symbol->name, function, wants_family))
		return true;
	for (uint32_t i = 0; i < symbol->n_aliases; i++)
		if (is_called(s, s->image->aliases[symbol->first_alias + i], function,
			      wants_family))
			return true;
	return false;
}

/* The row of a caller; NULL if there is no memory. */
static struct pd_caller_row *find_row(struct search *s, uint32_t size_row)
{
	struct pd_callers *c = s->callers;
	uint32_t i = pd_map_find(s->row_ids, size_row);

	if (i != PD_MAP_NONE)
		return &c->rows[i];
	if (c->n_rows == s->cap_rows ||
	    pd_map_insert(s->row_ids, size_row, c->n_rows) == PD_MAP_NONE)
		return NULL;
	c->rows[c->n_rows] = (struct pd_caller_row){.size_row = size_row};
	return &c->rows[c->n_rows++];
}

/* A function and its cold part are one caller: known by the name without ".cold". */
static bool add_caller(struct search *s, uint32_t symbol)
{
	struct pd_span name = pd_strtab_span(&s->image->strings, s->image->symbols[symbol].name);
	size_t cold = pd_span_find(name, ".cold");

	if (s->n_keys == s->cap_keys) {
		size_t cap = s->cap_keys ? 2 * s->cap_keys : 64;
		uint64_t *keys = reallocarray(s->caller_keys, cap, sizeof(*keys));

		if (!keys)
			return false;
		s->caller_keys = keys;
		s->cap_keys = cap;
	}
	name = pd_span_sub(name, 0, cold);
	s->caller_keys[s->n_keys++] = pd_map_key(s->rows_of[symbol],
						 (uint32_t)pd_hash_bytes(name.ptr, name.len));
	return true;
}

static bool add_calls(struct search *s, const struct pd_calls *calls)
{
	struct pd_callee *callee = &s->callers->sides[s->side];

	for (size_t i = 0; i < calls->n; i++) {
		uint32_t symbol = calls->items[i].caller;
		struct pd_caller_row *row;

		callee->n_sites++;
		if (symbol == PD_NO_INDEX || s->rows_of[symbol] == PD_NO_INDEX) {
			callee->n_outside++;
			continue;
		}
		row = find_row(s, s->rows_of[symbol]);
		if (!row || !add_caller(s, symbol))
			return false;
		row->n_sites[s->side]++;
	}
	return true;
}

/* Each is looked for in all code; no family of functions has as many pieces. */
enum { MAX_BODIES = 1000 };

static int search_calls(struct search *s, const char *function, bool wants_family,
			bool *ret_found, struct pd_error *err)
{
	struct pd_callee *callee = &s->callers->sides[s->side];
	uint32_t n_bodies = 0;
	int rc = PD_OK;

	for (uint32_t i = 0; i < s->image->n_symbols && rc == PD_OK; i++) {
		struct pd_calls calls = {0};

		if (!is_target(s, &s->image->symbols[i], function, wants_family))
			continue;
		if (++n_bodies > MAX_BODIES)
			return pd_fail(err, PD_ERR_LIMIT, "--callers: more than %d functions are "
				       "called \"%s\"", MAX_BODIES, function);
		*ret_found = callee->has_body = true;
		callee->n_bytes = (pd_is_known(callee->n_bytes) ? callee->n_bytes : 0) +
				  (double)s->image->symbols[i].n_bytes;
		rc = pd_calls_find(s->image, i, &calls, err);
		if (rc == PD_OK && !add_calls(s, &calls))
			rc = pd_fail_nomem(err);
		pd_calls_done(&calls);
	}
	return rc;
}

/* Calls of a function that another file defines. */
static int search_undefined(struct search *s, const char *function, bool *ret_found,
			    struct pd_error *err)
{
	pd_str name = pd_strtab_find(&s->image->strings, pd_span_of(function));
	struct pd_calls calls = {0};
	int rc;

	if (!s->image->is_relocatable || !name.id)
		return PD_OK;
	rc = pd_calls_find_undefined(s->image, name, &calls, err);
	if (rc == PD_OK && !add_calls(s, &calls))
		rc = pd_fail_nomem(err);
	*ret_found |= calls.n > 0;
	pd_calls_done(&calls);
	return rc;
}

static bool search_inlines(struct search *s, const char *function, bool *ret_found)
{
	struct pd_callee *callee = &s->callers->sides[s->side];
	pd_str last = {0};
	bool is_last = false;

	for (uint32_t i = 0; i < s->image->n_inlines; i++) {
		const struct pd_inline *from = &s->image->inlines[i];
		struct pd_caller_row *row;

		if (from->name.id != last.id) {
			last = from->name;
			is_last = is_called(s, last, function, false);
		}
		if (!is_last)
			continue;
		*ret_found = callee->is_inlined = true;
		callee->n_inlines++;
		if (from->host == PD_NO_INDEX || s->rows_of[from->host] == PD_NO_INDEX)
			continue;
		row = find_row(s, s->rows_of[from->host]);
		if (!row)
			return false;
		row->n_inlines[s->side]++;
	}
	return true;
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void count_callers(struct search *s)
{
	double n = 0;

	if (s->n_keys > 1)
		qsort(s->caller_keys, s->n_keys, sizeof(*s->caller_keys), compare_keys);
	for (size_t i = 0; i < s->n_keys; i++)
		n += !i || s->caller_keys[i] != s->caller_keys[i - 1];
	s->callers->sides[s->side].n_callers += n;
}

static int search_image(struct pd_callers *c, struct pd_map *row_ids, uint32_t cap_rows,
			uint32_t side, uint32_t no, bool *ret_found, struct pd_error *err)
{
	struct search s = {
		.callers = c,
		.image = c->sizes->sides[side].images[no],
		.rows_of = c->sizes->rows_of[side][no],
		.side = side,
		.row_ids = row_ids,
		.cap_rows = cap_rows,
	};
	bool found = false;
	int rc = search_calls(&s, c->function, false, &found, err);

	if (rc == PD_OK && !found)
		rc = search_calls(&s, c->function, true, &found, err);
	if (rc == PD_OK)
		rc = search_undefined(&s, c->function, &found, err);
	if (rc == PD_OK && !search_inlines(&s, c->function, &found))
		rc = pd_fail_nomem(err);
	if (rc == PD_OK)
		count_callers(&s);
	*ret_found |= found;
	free(s.caller_keys);
	pd_buf_done(&s.text);
	return pd_wrap(err, rc, s.image->path);
}

static int compare_rows(const void *a, const void *b)
{
	const struct pd_caller_row *x = a, *y = b;
	double nx = 0, ny = 0;

	for (int side = 0; side < 2; side++) {
		nx += x->n_sites[side] + x->n_inlines[side];
		ny += y->n_sites[side] + y->n_inlines[side];
	}
	if (nx != ny)
		return nx > ny ? -1 : 1;
	return x->size_row < y->size_row ? -1 : x->size_row > y->size_row; /* by name */
}

int pd_callers_find(const struct pd_sizes *sizes, const char *function,
		    struct pd_callers **ret_callers, struct pd_error *err)
{
	struct pd_callers *c = calloc(1, sizeof(*c));
	struct pd_map row_ids = {0};
	bool found = false;
	int rc = PD_OK;

	if (!c)
		return pd_fail_nomem(err);
	c->sizes = sizes;
	c->function = function;
	c->sides[0].n_bytes = c->sides[1].n_bytes = PD_UNKNOWN;
	c->rows = pd_arena_array(&c->arena, (size_t)sizes->n_rows + 1, sizeof(*c->rows));
	if (!c->rows)
		rc = pd_fail_nomem(err);
	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images && rc == PD_OK; i++)
			rc = search_image(c, &row_ids, sizes->n_rows, side, i, &found, err);
	pd_map_done(&row_ids);
	if (rc == PD_OK && !found)
		rc = pd_sizes_fail_function(sizes, "callers", function, err);
	if (rc != PD_OK) {
		pd_callers_free(c);
		return rc;
	}
	qsort(c->rows, c->n_rows, sizeof(*c->rows), compare_rows);
	*ret_callers = c;
	return PD_OK;
}

void pd_callers_free(struct pd_callers *callers)
{
	if (callers)
		pd_arena_done(&callers->arena);
	free(callers);
}
