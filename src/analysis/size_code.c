/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes and code: rows that are the same code under two names, and rows whose code has
 * not changed. Contract: code.h.
 */
#include <stdlib.h>

#include "analysis/code.h"
#include "base/num.h"
#include "base/sort.h"

/* The code of pieces of rows, all of one image read at once. */
struct pieces {
	struct pd_sizes *sizes;
	struct pd_arena arena;
	struct pd_code_sum *code[2]; /* [n_parts of the sizes] of each side */
};

static bool is_wanted(const struct pd_size_row *row, bool wants_one_sided)
{
	bool is_one_sided = !pd_is_known(row->n_bytes[0]) || !pd_is_known(row->n_bytes[1]);

	return row->n_parts && !row->is_object && is_one_sided == wants_one_sided;
}

/* Read the code of the rows' pieces in one image of a side. */
static int read_image(struct pieces *p, uint32_t side, uint32_t image, bool wants_one_sided,
		      struct pd_error *err)
{
	const struct pd_sizes *sizes = p->sizes;
	uint32_t *symbols = malloc((sizes->n_parts + (size_t)1) * sizeof(*symbols)), n = 0;
	uint32_t *parts = malloc((sizes->n_parts + (size_t)1) * sizeof(*parts));
	struct pd_code_sum *code = calloc(sizes->n_parts + (size_t)1, sizeof(*code));
	int rc = symbols && parts && code ? PD_OK : pd_fail_nomem(err);

	for (uint32_t i = 0; i < sizes->n_rows && rc == PD_OK; i++) {
		const struct pd_size_row *row = &sizes->rows[i];

		if (row->images[side] != image || !is_wanted(row, wants_one_sided))
			continue;
		for (uint32_t k = row->first_part; k < row->first_part + row->n_parts; k++)
			if (sizes->parts[k].symbols[side] != PD_NO_INDEX) {
				symbols[n] = sizes->parts[k].symbols[side];
				parts[n++] = k;
			}
	}
	if (rc == PD_OK && n)
		rc = pd_code_sums(sizes->sides[side].images[image], symbols, n, code, err);
	for (uint32_t i = 0; i < n && rc == PD_OK; i++)
		p->code[side][parts[i]] = code[i];
	free(symbols);
	free(parts);
	free(code);
	return rc;
}

static int read_pieces(struct pieces *p, bool wants_one_sided, struct pd_error *err)
{
	int rc = PD_OK;

	for (uint32_t side = 0; side < 2; side++) {
		p->code[side] = pd_arena_array(&p->arena, p->sizes->n_parts + (size_t)1,
					       sizeof(*p->code[side]));
		if (!p->code[side])
			return pd_fail_nomem(err);
	}
	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < p->sizes->sides[side].n_images && rc == PD_OK; i++)
			rc = read_image(p, side, i, wants_one_sided, err);
	return rc;
}

/* ---- the same code under another name ---- */

/* A row on one side only. */
struct lone {
	uint64_t hash; /* of all its pieces, and its module */
	uint32_t row, side;
};

static int compare_lone(const void *a, const void *b)
{
	const struct lone *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* False if a piece has no code that could be read. */
static bool hash_row(const struct pieces *p, const struct pd_size_row *row, uint32_t side,
		     uint64_t *ret_hash)
{
	uint64_t hash = row->module.id;

	for (uint32_t i = row->first_part; i < row->first_part + row->n_parts; i++) {
		const struct pd_code_sum *code = &p->code[side][i];

		if (!code->n_insns)
			return false;
		hash = (hash ^ code->hash) * UINT64_C(0x9e3779b97f4a7c15) + code->n_insns;
	}
	*ret_hash = hash;
	return true;
}

/* The next side's row becomes that of the base. */
static void join(struct pd_sizes *sizes, struct pd_size_row *base, struct pd_size_row *next)
{
	for (uint32_t i = 0; i < base->n_parts; i++) {
		struct pd_size_part *part = &sizes->parts[base->first_part + i];
		const struct pd_size_part *from = &sizes->parts[next->first_part + i];

		part->symbols[1] = from->symbols[1];
		part->n_bytes[1] = from->n_bytes[1];
		part->section = from->section;
		sizes->rows_of[1][next->images[1]][from->symbols[1]] =
			(uint32_t)(base - sizes->rows);
	}
	base->n_bytes[1] = next->n_bytes[1];
	base->images[1] = next->images[1];
	base->section = next->section;
	base->next_name = next->name;
	next->n_parts = 0;
}

int pd_sizes_join_code(struct pd_sizes *sizes, struct pd_error *err)
{
	struct pieces p = {.sizes = sizes};
	struct lone *lone;
	size_t n = 0;
	int rc = read_pieces(&p, true, err);

	lone = pd_arena_array(&p.arena, sizes->n_rows + (size_t)1, sizeof(*lone));
	if (rc == PD_OK && !lone)
		rc = pd_fail_nomem(err);
	for (uint32_t i = 0; i < sizes->n_rows && rc == PD_OK; i++) {
		const struct pd_size_row *row = &sizes->rows[i];
		uint32_t side = !pd_is_known(row->n_bytes[0]);

		if (is_wanted(row, true) && hash_row(&p, row, side, &lone[n].hash)) {
			lone[n].row = i;
			lone[n++].side = side;
		}
	}
	if (n)
		qsort(lone, n, sizeof(*lone), compare_lone);
	for (size_t i = 0, end; i < n; i = end) {
		struct pd_size_row *base = &sizes->rows[lone[i].row], *next;

		for (end = i + 1; end < n && lone[end].hash == lone[i].hash;)
			end++;
		if (end - i != 2 || lone[i].side || !lone[i + 1].side)
			continue;
		next = &sizes->rows[lone[i + 1].row];
		if (base->n_parts == next->n_parts)
			join(sizes, base, next);
	}
	pd_arena_done(&p.arena);
	return rc;
}

/* ---- whether it has changed ---- */

const char *pd_size_code_name(enum pd_size_code code)
{
	return code == PD_SIZE_CODE_SAME ? "same" : code == PD_SIZE_CODE_CHANGED ? "changed" : NULL;
}

static enum pd_size_code compare_row(const struct pieces *p, const struct pd_size_row *row)
{
	for (uint32_t i = row->first_part; i < row->first_part + row->n_parts; i++) {
		const struct pd_code_sum *a = &p->code[0][i], *b = &p->code[1][i];
		const struct pd_size_part *part = &p->sizes->parts[i];

		if (!pd_is_known(part->n_bytes[0]) || !pd_is_known(part->n_bytes[1]))
			return PD_SIZE_CODE_CHANGED;
		if (!a->n_insns || !b->n_insns)
			return PD_SIZE_CODE_UNKNOWN;
		if (a->hash != b->hash || a->n_insns != b->n_insns)
			return PD_SIZE_CODE_CHANGED;
	}
	return PD_SIZE_CODE_SAME;
}

int pd_sizes_compare_code(struct pd_sizes *sizes, struct pd_error *err)
{
	struct pieces p = {.sizes = sizes};
	int rc = read_pieces(&p, false, err);

	for (uint32_t i = 0; i < sizes->n_rows && rc == PD_OK; i++)
		if (is_wanted(&sizes->rows[i], false))
			sizes->rows[i].code = compare_row(&p, &sizes->rows[i]);
	sizes->has_code = rc == PD_OK;
	pd_arena_done(&p.arena);
	return rc;
}
