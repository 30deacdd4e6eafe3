/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows as sums: of a file, a folder, a section. Contract: sizes.h.
 */
#include <stdlib.h>

#include "analysis/rollup.h"
#include "analysis/sizes.h"
#include "base/map.h"
#include "base/num.h"
#include "base/text.h"

static pd_str key_of(struct pd_sizes *sizes, const struct pd_size_row *row,
		     const struct pd_size_part *part, const struct pd_size_options *options)
{
	const struct pd_rollup rollup = {
		.by = options->by == PD_SIZE_BY_FILE  ? PD_ROLLUP_FILE
		      : options->by == PD_SIZE_BY_DIR ? PD_ROLLUP_DIR
						      : PD_ROLLUP_MAINTAINER,
		.maintainers = options->maintainers,
	};
	struct pd_span file = pd_strtab_span(&sizes->strings, row->file);

	if (options->by == PD_SIZE_BY_SECTION)
		return part->section;
	if (!file.len)
		return pd_strtab_intern_str(&sizes->strings, "[no file]");
	return pd_strtab_intern(&sizes->strings, pd_rollup_of_file(&rollup, file));
}

static void add(double *sum, double x)
{
	if (pd_is_known(x))
		*sum = pd_is_known(*sum) ? *sum + x : x;
}

/* The sum that a piece belongs to; NULL if there is no memory. */
static struct pd_size_row *find_sum(struct pd_map *map, struct pd_size_row *sums, uint32_t *n,
				    pd_str key)
{
	uint32_t i = pd_map_find(map, key.id);

	if (i != PD_MAP_NONE)
		return &sums[i];
	if (pd_map_insert(map, key.id, *n) == PD_MAP_NONE)
		return NULL;
	sums[*n] = (struct pd_size_row){
		.name = key,
		.is_sum = true,
		.has_same_parts = true,
		.n_bytes = {PD_UNKNOWN, PD_UNKNOWN},
		.images = {PD_NO_INDEX, PD_NO_INDEX},
	};
	return &sums[(*n)++];
}

static int compare_sums(const void *a, const void *b, void *context)
{
	const struct pd_strtab *strings = context;
	const struct pd_size_row *x = a, *y = b;

	return strcmp(pd_strtab_get(strings, x->name), pd_strtab_get(strings, y->name));
}

int pd_sizes_sum(struct pd_sizes *sizes, const struct pd_size_options *options,
		 struct pd_error *err)
{
	struct pd_size_row *sums =
		pd_arena_array(&sizes->arena, (size_t)sizes->n_parts + 1, sizeof(*sums));
	struct pd_map map = {0};
	uint32_t n = 0;

	for (uint32_t i = 0; i < sizes->n_rows && sums; i++) {
		const struct pd_size_row *row = &sizes->rows[i];

		for (uint32_t k = 0; k < row->n_parts; k++) {
			const struct pd_size_part *part = &sizes->parts[row->first_part + k];
			struct pd_size_row *sum = find_sum(&map, sums, &n,
							   key_of(sizes, row, part, options));

			if (!sum) {
				pd_map_done(&map);
				return pd_fail_nomem(err);
			}
			for (int side = 0; side < 2; side++)
				add(&sum->n_bytes[side], part->n_bytes[side]);
		}
	}
	pd_map_done(&map);
	if (!sums || sizes->strings.failed)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < n; i++) {
		double delta = pd_size_delta(sums[i].n_bytes);

		sums[i].status = !pd_is_known(sums[i].n_bytes[0])   ? PD_SIZE_NEW
				 : !pd_is_known(sums[i].n_bytes[1]) ? PD_SIZE_GONE
				 : delta > 0			    ? PD_SIZE_GROWN
				 : delta < 0			    ? PD_SIZE_SHRUNK
								    : PD_SIZE_SAME;
	}
	qsort_r(sums, n, sizeof(*sums), compare_sums, &sizes->strings);
	sizes->rows = sums;
	sizes->n_rows = n;
	return PD_OK;
}
