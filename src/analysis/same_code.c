/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A comparison and code: what was flagged although its code is the same, and functions
 * that are the same code under another name. Contract: code.h.
 */
#include <stdlib.h>

#include "analysis/code.h"
#include "analysis/image_sizes.h"
#include "analysis/names.h"
#include "analysis/rows.h"
#include "base/map.h"

/* A symbol of an image that a row's name is of. */
struct piece {
	uint32_t row;
	const char *name;
	uint32_t symbol;
	struct pd_code_sum code;
};

struct pieces {
	struct piece *items;
	uint32_t n, cap;
};

static bool add_piece(struct pieces *p, uint32_t row, const char *name, uint32_t symbol)
{
	if (p->n == p->cap) {
		uint32_t cap = p->cap ? 2 * p->cap : 64;
		struct piece *items = reallocarray(p->items, cap, sizeof(*items));

		if (!items)
			return false;
		p->items = items;
		p->cap = cap;
	}
	p->items[p->n++] = (struct piece){.row = row, .name = name, .symbol = symbol};
	return true;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	int d;

	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	d = strcmp(x->name, y->name);
	return d ? d : x->symbol < y->symbol ? -1 : x->symbol > y->symbol;
}

/*
 * The symbols of an image that rows of wanted (name -> row) are of, with their code, by
 * row and name. Where suffixes make families, all of the family's.
 */
static int find_pieces(const struct pd_comparison *c, const struct pd_image *image,
		       const struct pd_map *wanted, enum pd_suffix_mode suffix,
		       struct pieces *ret_pieces, struct pd_error *err)
{
	struct pd_buf text = {0};
	uint32_t *symbols = NULL;
	struct pd_code_sum *code = NULL;
	int rc = PD_OK;

	for (uint32_t i = 0; i < image->n_symbols && rc == PD_OK; i++) {
		const struct pd_symbol *s = &image->symbols[i];

		for (uint32_t k = 0; s->kind == PD_SYMBOL_FUNCTION && k <= s->n_aliases; k++) {
			pd_str id = k ? image->aliases[s->first_alias + k - 1] : s->name;
			struct pd_span name = pd_strtab_span(&image->strings, id);
			pd_str key = pd_strtab_find(&c->strings, suffix == PD_SUFFIX_EXACT ? name
						    : pd_name_family(name, &text));
			uint32_t row = key.id ? pd_map_find(wanted, key.id) : PD_MAP_NONE;

			if (row != PD_MAP_NONE && !add_piece(ret_pieces, row, name.ptr, i))
				rc = pd_fail_nomem(err);
		}
	}
	symbols = malloc((ret_pieces->n + (size_t)1) * sizeof(*symbols));
	code = calloc(ret_pieces->n + (size_t)1, sizeof(*code));
	if (rc == PD_OK && (!symbols || !code))
		rc = pd_fail_nomem(err);
	if (rc == PD_OK && ret_pieces->n)
		qsort(ret_pieces->items, ret_pieces->n, sizeof(*ret_pieces->items),
		      compare_pieces);
	for (uint32_t i = 0; i < ret_pieces->n && rc == PD_OK; i++)
		symbols[i] = ret_pieces->items[i].symbol;
	if (rc == PD_OK)
		rc = pd_code_sums(image, symbols, ret_pieces->n, code, err);
	for (uint32_t i = 0; i < ret_pieces->n && rc == PD_OK; i++)
		ret_pieces->items[i].code = code[i];
	free(symbols);
	free(code);
	pd_buf_done(&text);
	return rc;
}

/* Items [from, to) are of one row; whether each has a name of its own, and code. */
static bool is_clear(const struct piece *items, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i < to; i++)
		if (!items[i].code.n_insns ||
		    (i > from && !strcmp(items[i - 1].name, items[i].name)))
			return false;
	return true;
}

static uint32_t end_of_row(const struct pieces *p, uint32_t from)
{
	uint32_t to = from;

	while (to < p->n && p->items[to].row == p->items[from].row)
		to++;
	return to;
}

static bool is_same(const struct piece *a, const struct piece *b, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(a[i].name, b[i].name) != 0 || a[i].code.hash != b[i].code.hash ||
		    a[i].code.n_insns != b[i].code.n_insns)
			return false;
	return true;
}

/* Note the rows whose pieces are the same on both sides. */
static bool note_same(struct pd_comparison *c, const struct pieces *base,
		      const struct pieces *next)
{
	static const char note[] = "same code: layout, cache or workload, not the code itself";
	uint32_t i = 0, k = 0;

	while (i < base->n && k < next->n) {
		uint32_t row = base->items[i].row, end_i = end_of_row(base, i);
		uint32_t end_k = end_of_row(next, k);

		if (row != next->items[k].row) {
			if (row < next->items[k].row)
				i = end_i;
			else
				k = end_k;
			continue;
		}
		if (!c->rows[row].is_same_code && end_i - i == end_k - k &&
		    is_clear(base->items, i, end_i) && is_clear(next->items, k, end_k) &&
		    is_same(&base->items[i], &next->items[k], end_i - i)) {
			c->rows[row].is_same_code = true;
			if (!pd_row_add_note(c, &c->rows[row], note))
				return false;
		}
		i = end_i;
		k = end_k;
	}
	return true;
}

/* Whether other functions have a row's function inlined now, or not any more. */
static bool has_moved_inline(const struct pd_comparison *c, const struct pd_row *row)
{
	for (uint32_t i = 0; i < c->n_beside; i++)
		if (c->beside[i].name.id == row->name.id && c->beside[i].event == row->event)
			return true;
	return false;
}

/* Rows that are flagged on a side, by name: those that its image serves. */
static bool map_flagged(struct pd_comparison *c, uint32_t side, const struct pd_image *image,
			struct pd_map *ret_wanted)
{
	pd_str module = pd_module_of_image(c, image);

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->group == PD_NO_ROW && row->paired != PD_PAIRED_GROUP &&
		    pd_verdict_is_news(row->changes[side].verdict) &&
		    pd_module_serves(c, row, module) && !has_moved_inline(c, row) &&
		    pd_map_insert(ret_wanted, row->name.id, i) == PD_MAP_NONE)
			return false;
	}
	return true;
}

static int note_side(struct pd_comparison *c, struct pd_image *const *images, uint32_t side,
		     enum pd_suffix_mode suffix, struct pd_error *err)
{
	struct pieces base = {0}, next = {0};
	struct pd_map wanted = {0};
	struct pd_error own = {0};
	int rc = map_flagged(c, side, images[side], &wanted) ? PD_OK : pd_fail_nomem(&own);

	if (rc == PD_OK && wanted.n) {
		rc = find_pieces(c, images[0], &wanted, suffix, &base, &own);
		if (rc == PD_OK)
			rc = find_pieces(c, images[side], &wanted, suffix, &next, &own);
		if (rc == PD_OK && !note_same(c, &base, &next))
			rc = pd_fail_nomem(&own);
	}
	free(base.items);
	free(next.items);
	pd_map_done(&wanted);
	return rc == PD_ERR_NOMEM ? pd_fail_nomem(err) : PD_OK;
}

int pd_comparison_note_code(struct pd_comparison *c, struct pd_image *const *images,
			    enum pd_suffix_mode suffix, struct pd_error *err)
{
	int rc = PD_OK;

	/* One image for both sides is no proof of anything. */
	for (uint32_t s = 1; s < c->n_sides && rc == PD_OK; s++)
		if (images[0] && images[s] && images[s] != images[0])
			rc = note_side(c, images, s, suffix, err);
	return rc;
}

/* ---- the same code under another name ---- */

/* Names of the functions of an image. */
static bool intern_names(const struct pd_image *image, struct pd_strtab *names)
{
	for (uint32_t i = 0; i < image->n_symbols; i++) {
		const struct pd_symbol *s = &image->symbols[i];

		for (uint32_t k = 0; s->kind == PD_SYMBOL_FUNCTION && k <= s->n_aliases; k++) {
			pd_str name = k ? image->aliases[s->first_alias + k - 1] : s->name;

			(void)pd_strtab_intern(names, pd_strtab_span(&image->strings, name));
		}
	}
	return !names->failed;
}

/*
 * Rows of one side whose function the other image does not have. What has no cost on the
 * other side only is not gone.
 */
static bool map_gone(const struct pd_comparison *c, uint32_t side, const struct pd_image *other,
		     struct pd_map *ret_wanted)
{
	enum pd_pairing pairing = side ? PD_NEXT_ONLY : PD_BASE_ONLY;
	struct pd_strtab names = {0};
	bool ok = intern_names(other, &names);

	for (uint32_t i = 0; i < c->n_rows && ok; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->paired == pairing && !row->n_members &&
		    !pd_strtab_find(&names, pd_strtab_span(&c->strings, row->name)).id)
			ok = pd_map_insert(ret_wanted, row->name.id, i) != PD_MAP_NONE;
	}
	pd_strtab_done(&names);
	return ok;
}

static int compare_hashes(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	if (x->code.hash != y->code.hash)
		return x->code.hash < y->code.hash ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* Keep what is clear, by hash; equal hashes are neighbours. */
static void keep_clear(struct pieces *p)
{
	uint32_t n = 0;

	for (uint32_t i = 0, to; i < p->n; i = to) {
		to = end_of_row(p, i);
		if (to - i == 1 && is_clear(p->items, i, to))
			p->items[n++] = p->items[i];
	}
	p->n = n;
	if (n)
		qsort(p->items, n, sizeof(*p->items), compare_hashes);
}

static uint32_t end_of_hash(const struct pieces *p, uint32_t from)
{
	uint32_t to = from;

	while (to < p->n && p->items[to].code.hash == p->items[from].code.hash)
		to++;
	return to;
}

static uint32_t pair_pieces(const struct pieces *base, const struct pieces *next,
			    struct pd_arena *arena, struct pd_rename *pairs, bool *ret_failed)
{
	uint32_t i = 0, k = 0, n = 0;

	while (i < base->n && k < next->n) {
		const struct piece *a = &base->items[i], *b = &next->items[k];
		uint32_t end_i = end_of_hash(base, i), end_k = end_of_hash(next, k);

		if (a->code.hash == b->code.hash) {
			if (end_i - i == 1 && end_k - k == 1 &&
			    a->code.n_insns == b->code.n_insns) {
				pairs[n].from = pd_arena_strndup(arena, a->name, strlen(a->name));
				pairs[n].to = pd_arena_strndup(arena, b->name, strlen(b->name));
				*ret_failed |= !pairs[n].from || !pairs[n].to;
				n++;
			}
			i = end_i;
			k = end_k;
		} else if (a->code.hash < b->code.hash) {
			i = end_i;
		} else {
			k = end_k;
		}
	}
	return n;
}

int pd_comparison_pair_code(const struct pd_comparison *c, struct pd_image *const images[2],
			    struct pd_arena *arena, struct pd_rename **ret_pairs,
			    uint32_t *ret_n_pairs, struct pd_error *err)
{
	struct pieces pieces[2] = {{0}, {0}};
	struct pd_rename *pairs = NULL;
	bool failed = false;
	uint32_t n = 0;
	int rc = PD_OK;

	for (uint32_t s = 0; s < 2 && rc == PD_OK; s++) {
		struct pd_map wanted = {0};

		rc = map_gone(c, s, images[!s], &wanted) ? PD_OK : pd_fail_nomem(err);
		if (rc == PD_OK)
			rc = find_pieces(c, images[s], &wanted, PD_SUFFIX_EXACT, &pieces[s], err);
		if (rc == PD_OK)
			keep_clear(&pieces[s]);
		pd_map_done(&wanted);
	}
	if (rc == PD_OK) {
		pairs = pd_arena_array(arena, pieces[0].n + (size_t)1, sizeof(*pairs));
		failed = !pairs;
	}
	if (pairs)
		n = pair_pieces(&pieces[0], &pieces[1], arena, pairs, &failed);
	if (rc == PD_OK && failed)
		rc = pd_fail_nomem(err);
	if (rc == PD_OK) {
		*ret_pairs = pairs;
		*ret_n_pairs = n;
	}
	free(pieces[0].items);
	free(pieces[1].items);
	return rc;
}
