/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences of inlining. Contract: inlining.h. Both ways fill one list of events
 * (callee, caller, side), which is sorted and counted: instances with DWARF, call
 * sites without.
 */
#include "analysis/inlining.h"

#include <stdlib.h>

#include "analysis/names.h"
#include "base/num.h"
#include "image/callees.h"

/* Code that is decoded at most, both sides together: some ten kernels. */
#define MAX_CODE_BYTES (256.0 * 1024 * 1024)

struct event {
	uint32_t callee, caller, side;
};

struct search {
	const struct pd_sizes *sizes;
	const bool *wanted;
	uint32_t *first_of; /* [rows]: the first row of that name */
	bool *has_body[2];  /* [rows], of first ones: whether any of that name has one */
	struct event *events;
	size_t n, cap;
	bool has_failed; /* no memory */

	/* The function whose calls are looked at. */
	const uint32_t *rows_of;
	uint32_t caller, side;
};

static bool has_body(const struct pd_sizes *sizes, uint32_t row, int side)
{
	return pd_is_known(sizes->rows[row].n_bytes[side]);
}

static void add_event(struct search *s, uint32_t callee, uint32_t caller, uint32_t side)
{
	if (s->n == s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 256;
		struct event *events = reallocarray(s->events, cap, sizeof(*events));

		if (!events) {
			s->has_failed = true;
			return;
		}
		s->events = events;
		s->cap = cap;
	}
	s->events[s->n++] = (struct event){callee, caller, side};
}

/* Equal names have one row in most profiles: the first of them stands for all. */
static bool find_first(struct search *s)
{
	const struct pd_sizes *sizes = s->sizes;
	size_t n = (size_t)sizes->n_rows + 1;

	s->first_of = calloc(n, sizeof(*s->first_of));
	s->has_body[0] = calloc(n, sizeof(bool));
	s->has_body[1] = calloc(n, sizeof(bool));
	if (!s->first_of || !s->has_body[0] || !s->has_body[1])
		return false;
	for (uint32_t i = 0; i < sizes->n_rows; i++) {
		s->first_of[i] = i && sizes->rows[i].name.id == sizes->rows[i - 1].name.id
					 ? s->first_of[i - 1] : i;
		for (int side = 0; side < 2; side++)
			s->has_body[side][s->first_of[i]] |=
				!sizes->rows[i].is_object && has_body(sizes, i, side);
	}
	return true;
}

/* The first row of each name that is wanted. False if there is no memory. */
static bool map_callees(const struct search *s, struct pd_map *map)
{
	for (uint32_t i = 0; i < s->sizes->n_rows; i++)
		if (s->wanted[i] && s->first_of[i] == i &&
		    pd_map_insert(map, s->sizes->rows[i].name.id, i) == PD_MAP_NONE)
			return false;
	return true;
}

/*
 * The row of a callee by DWARF's name, which is that of the source: without the
 * suffixes of its body; PD_MAP_NONE if it is not wanted. known is [ids of the image's
 * names], what is returned and 2; 0: not looked for.
 */
static uint32_t find_callee(const struct search *s, const struct pd_image *image, pd_str name,
			    const struct pd_map *by_name, uint32_t *known, struct pd_buf *buf)
{
	struct pd_span family;

	if (known[name.id])
		return known[name.id] - 2;
	family = pd_name_family(pd_strtab_span(&image->strings, name), buf);
	known[name.id] =
		pd_map_find(by_name, pd_strtab_find(&s->sizes->strings, family).id) + 2;
	return known[name.id] - 2;
}

/* Instances in functions that both sides have. */
static bool collect_instances(struct search *s, const struct pd_map *by_name, uint32_t side)
{
	const struct pd_image *image = s->sizes->sides[side].images[0];
	const uint32_t *rows_of = s->sizes->rows_of[side][0];
	uint32_t *known = calloc((size_t)image->strings.n + 1, sizeof(*known));
	struct pd_buf buf = {0};

	for (uint32_t i = 0; i < image->n_inlines && known; i++) {
		const struct pd_inline *from = &image->inlines[i];
		uint32_t callee, caller;

		if (from->host == PD_NO_INDEX || rows_of[from->host] == PD_NO_INDEX)
			continue;
		callee = find_callee(s, image, from->name, by_name, known, &buf);
		caller = rows_of[from->host];
		if (callee == PD_MAP_NONE || s->first_of[caller] == callee)
			continue;
		if (has_body(s->sizes, caller, 0) && has_body(s->sizes, caller, 1))
			add_event(s, callee, caller, side);
	}
	pd_buf_done(&buf);
	s->has_failed |= !known;
	free(known);
	return !s->has_failed;
}

static void found_call(void *context, uint32_t symbol)
{
	struct search *s = context;
	uint32_t callee = s->rows_of[symbol];

	if (callee != PD_NO_INDEX && s->wanted[callee] &&
	    s->first_of[callee] != s->first_of[s->caller])
		add_event(s, s->first_of[callee], s->caller, s->side);
}

/* Calls of all pieces of the function, on both sides. */
static void collect_calls(struct search *s, struct pd_callees *const callees[2])
{
	const struct pd_size_row *row = &s->sizes->rows[s->caller];

	for (uint32_t side = 0; side < 2; side++) {
		s->side = side;
		s->rows_of = s->sizes->rows_of[side][0];
		for (uint32_t k = 0; k < row->n_parts; k++) {
			uint32_t symbol = s->sizes->parts[row->first_part + k].symbols[side];

			if (symbol != PD_NO_INDEX)
				pd_callees_of(callees[side], symbol, found_call, s);
		}
	}
}

/* Only functions that grew or shrank can have absorbed another, or given it back. */
static int collect_all_calls(struct search *s, bool *ret_is_truncated, struct pd_error *err)
{
	struct pd_callees *callees[2] = {NULL, NULL};
	double n_bytes = 0;
	int rc = PD_OK;

	for (int side = 0; side < 2 && rc == PD_OK; side++)
		rc = pd_callees_open(s->sizes->sides[side].images[0], &callees[side], err);
	for (uint32_t i = 0; i < s->sizes->n_rows && rc == PD_OK; i++) {
		const struct pd_size_row *row = &s->sizes->rows[i];

		if (row->is_object || !has_body(s->sizes, i, 0) || !has_body(s->sizes, i, 1) ||
		    pd_size_delta(row->n_bytes) == 0)
			continue;
		n_bytes += row->n_bytes[0] + row->n_bytes[1];
		if (n_bytes > MAX_CODE_BYTES) {
			*ret_is_truncated = true;
			break;
		}
		s->caller = i;
		collect_calls(s, callees);
		if (s->has_failed)
			rc = pd_fail_nomem(err);
	}
	pd_callees_close(callees[0]);
	pd_callees_close(callees[1]);
	return rc;
}

static int compare_events(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->callee != y->callee)
		return x->callee < y->callee ? -1 : 1;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->side < y->side ? -1 : x->side > y->side;
}

/* What n events a side are: whether they make a pair, and which. */
static bool judge_pair(const struct search *s, bool is_guess, const double n[2],
		       struct pd_inlining_pair *pair)
{
	double grown = pd_size_delta(s->sizes->rows[pair->caller].n_bytes);

	if (is_guess) {
		pair->is_inlined_on_next = n[1] < n[0];
		if (!(pair->is_inlined_on_next ? grown > 0 : n[1] > n[0] && grown < 0))
			return false;
	} else {
		pair->is_inlined_on_next = n[0] == 0;
		if (n[0] > 0 && n[1] > 0)
			return false;
	}
	return s->has_body[pair->is_inlined_on_next ? 0 : 1][pair->callee];
}

static bool make_pairs(struct search *s, struct pd_inlining *inlining)
{
	inlining->pairs = calloc(s->n + 1, sizeof(*inlining->pairs));
	if (!inlining->pairs)
		return false;
	if (s->n)
		qsort(s->events, s->n, sizeof(*s->events), compare_events);
	for (size_t i = 0, end; i < s->n; i = end) {
		const struct event *e = &s->events[i];
		struct pd_inlining_pair pair = {e->callee, e->caller, false};
		double n[2] = {0, 0};

		for (end = i; end < s->n && s->events[end].callee == e->callee &&
			      s->events[end].caller == e->caller;
		     end++)
			n[s->events[end].side]++;
		if (judge_pair(s, inlining->is_guess, n, &pair))
			inlining->pairs[inlining->n_pairs++] = pair;
	}
	return true;
}

int pd_inlining_find(const struct pd_sizes *sizes, const bool *wanted,
		     struct pd_inlining *ret_inlining, struct pd_error *err)
{
	struct search s = {.sizes = sizes, .wanted = wanted};
	struct pd_inlining inlining = {.is_guess = !sizes->has_inlines};
	struct pd_map by_name = {0};
	int rc = PD_OK;

	if (!find_first(&s))
		rc = pd_fail_nomem(err);
	else if (inlining.is_guess)
		rc = collect_all_calls(&s, &inlining.is_truncated, err);
	else if (!map_callees(&s, &by_name) || !collect_instances(&s, &by_name, 0) ||
		 !collect_instances(&s, &by_name, 1))
		rc = pd_fail_nomem(err);
	if (rc == PD_OK && !make_pairs(&s, &inlining))
		rc = pd_fail_nomem(err);
	pd_map_done(&by_name);
	free(s.events);
	free(s.first_of);
	free(s.has_body[0]);
	free(s.has_body[1]);
	if (rc == PD_OK)
		*ret_inlining = inlining;
	return rc;
}

void pd_inlining_done(struct pd_inlining *inlining)
{
	free(inlining->pairs);
	*inlining = (struct pd_inlining){0};
}
