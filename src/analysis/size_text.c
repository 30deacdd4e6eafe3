/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes that a text has compared already: its rows become those of a comparison.
 * Contract: sizes.h. Names of one table are unique, as readers sum equal ones.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/sizes.h"
#include "base/map.h"

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct pd_strtab *strings = context;
	const struct pd_size_row *x = a, *y = b;
	int d = strcmp(pd_strtab_get(strings, x->name), pd_strtab_get(strings, y->name));

	return d ? d : x->is_object - y->is_object;
}

static void set_status(struct pd_size_row *row, bool has_sizes)
{
	double delta = pd_size_row_delta(row);

	row->status = delta > 0 ? PD_SIZE_GROWN : delta < 0 ? PD_SIZE_SHRUNK : PD_SIZE_SAME;
	if (has_sizes && !pd_is_known(row->n_bytes[0]))
		row->status = PD_SIZE_NEW;
	else if (has_sizes && !pd_is_known(row->n_bytes[1]))
		row->status = PD_SIZE_GONE;
}

/* The row of that name, which is made if it is new; NULL if there is no memory. */
static struct pd_size_row *find_row(struct pd_sizes *sizes, struct pd_map *map, pd_str name,
				    bool is_object)
{
	uint64_t key = pd_map_key(name.id, is_object);
	uint32_t i = pd_map_insert(map, key, sizes->n_rows);

	if (i == PD_MAP_NONE)
		return NULL;
	if (i == sizes->n_rows)
		sizes->rows[sizes->n_rows++] = (struct pd_size_row){
			.name = name,
			.is_object = is_object,
			.has_same_parts = true,
			.n_bytes = {PD_UNKNOWN, PD_UNKNOWN},
			.told_delta = PD_UNKNOWN,
			.images = {PD_NO_INDEX, PD_NO_INDEX},
		};
	return &sizes->rows[i];
}

/* What a run says of each function, on a side; or as differences. */
static bool take_run(struct pd_sizes *sizes, struct pd_map *map, const struct pd_profile *run,
		     uint32_t side, const struct pd_size_text *text)
{
	for (uint32_t i = 0; i < run->n_funcs; i++) {
		const struct pd_func *func = &run->funcs[i];
		double x = pd_profile_weight(run, i, 0)->self;
		struct pd_size_row *row;
		pd_str name;

		if ((func->flags & PD_FUNC_LEFTOVER) || !pd_is_known(x))
			continue;
		name = pd_strtab_intern(&sizes->strings,
					pd_strtab_span(&run->strings, func->name));
		row = find_row(sizes, map, name, text->is_of_objects);
		if (!row)
			return false;
		row->file = pd_strtab_intern(&sizes->strings,
					     pd_strtab_span(&run->strings, func->file));
		if (run->holds_deltas)
			row->told_delta = x;
		else
			row->n_bytes[side] = x;
	}
	return true;
}

/* What no text tells. */
static void forget_totals(struct pd_size_totals *t, uint32_t side)
{
	t->function_bytes[side] = t->n_functions[side] = t->file_bytes[side] = PD_UNKNOWN;
	t->n_inlines[side] = t->inline_bytes[side] = t->outermost_bytes[side] = PD_UNKNOWN;
	t->n_inlines_without_code[side] = PD_UNKNOWN;
}

int pd_sizes_take_text(struct pd_sizes *sizes, const struct pd_size_text *texts, uint32_t n_texts,
		       struct pd_error *err)
{
	double *totals = sizes->totals.function_bytes;
	struct pd_map map = {0};
	size_t n_most = 1;
	bool ok = true;

	sizes->is_text = true;
	for (uint32_t i = 0; i < n_texts; i++)
		for (uint32_t side = 0; side < 2 && texts[i].runs[side]; side++)
			n_most += texts[i].runs[side]->n_funcs;
	sizes->rows = pd_arena_array(&sizes->arena, n_most, sizeof(*sizes->rows));
	for (uint32_t side = 0; side < 2; side++)
		forget_totals(&sizes->totals, side);
	for (uint32_t i = 0; i < n_texts && ok; i++)
		for (uint32_t side = 0; side < 2 && texts[i].runs[side] && ok; side++) {
			const struct pd_profile *run = texts[i].runs[side];

			ok = sizes->rows && take_run(sizes, &map, run, side, &texts[i]);
			sizes->has_deltas_only |= run->holds_deltas;
			if (!texts[i].is_of_objects && !run->holds_deltas)
				totals[side] = run->events[0].total;
		}
	pd_map_done(&map);
	if (!ok || sizes->strings.failed)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < sizes->n_rows; i++)
		set_status(&sizes->rows[i], !sizes->has_deltas_only);
	qsort_r(sizes->rows, sizes->n_rows, sizeof(*sizes->rows), compare_rows, &sizes->strings);
	return PD_OK;
}
