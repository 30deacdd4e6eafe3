/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From pairs of symbols to finished rows: names, states, order. Contract: sizes.h.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/code.h"
#include "analysis/sizes.h"
#include "base/map.h"
#include "base/num.h"
#include "base/sort.h"

static const struct pd_symbol *symbol_of(const struct pd_sizes *sizes,
					 const struct pd_size_row *row,
					 const struct pd_size_part *part, uint32_t side,
					 const struct pd_image **ret_image)
{
	if (part->symbols[side] == PD_NO_INDEX)
		return NULL;
	*ret_image = sizes->sides[side].images[row->images[side]];
	return &(*ret_image)->symbols[part->symbols[side]];
}

/* A string of the image that a row has on a side. */
static pd_str string_of(const struct pd_sizes *sizes, const struct pd_size_row *row,
			uint32_t side, pd_str s)
{
	return pd_sizes_string(sizes, side, row->images[side], s);
}

static bool is_cold(const struct pd_sizes *sizes, pd_str name)
{
	return strstr(pd_strtab_get(&sizes->strings, name), ".cold");
}

/* How well a piece stands for its row: under its own name, then hot, then large. */
static double rank(const struct pd_sizes *sizes, const struct pd_size_row *row,
		   const struct pd_size_part *part)
{
	double size = fmax(pd_is_known(part->n_bytes[0]) ? part->n_bytes[0] : 0,
			   pd_is_known(part->n_bytes[1]) ? part->n_bytes[1] : 0);

	return part->name.id == row->name.id ? HUGE_VAL
	       : is_cold(sizes, part->name)  ? -1
					     : size;
}

static void put_hot_first(struct pd_sizes *sizes, struct pd_size_row *row)
{
	struct pd_size_part *parts = &sizes->parts[row->first_part], hot;
	uint32_t best = 0;

	for (uint32_t i = 1; i < row->n_parts; i++)
		if (rank(sizes, row, &parts[i]) > rank(sizes, row, &parts[best]))
			best = i;
	hot = parts[best];
	memmove(parts + 1, parts, best * sizeof(*parts));
	parts[0] = hot;
	row->section = hot.section;
}

static bool is_one_sided(const struct pd_size_row *row, uint32_t side)
{
	return row->n_parts && pd_is_known(row->n_bytes[side]) &&
	       !pd_is_known(row->n_bytes[!side]);
}

/* The one-sided rows of the next side by all their names. */
static bool map_names(struct pd_sizes *sizes, struct pd_map *map)
{
	for (uint32_t i = 0; i < sizes->n_rows; i++) {
		const struct pd_size_row *row = &sizes->rows[i];
		const struct pd_image *image;
		const struct pd_symbol *s;

		if (!is_one_sided(row, 1))
			continue;
		s = symbol_of(sizes, row, &sizes->parts[row->first_part], 1, &image);
		for (uint32_t k = 0; k <= s->n_aliases; k++) {
			pd_str name = k ? image->aliases[s->first_alias + k - 1] : s->name;

			if (pd_map_insert(map, pd_map_key(string_of(sizes, row, 1, name).id,
							  row->module.id), i) == PD_MAP_NONE)
				return false;
		}
	}
	return true;
}

/* Pieces of both, the first ones as one; what was in the next row is now in base. */
static void join(struct pd_sizes *sizes, struct pd_size_row *base, struct pd_size_row *next)
{
	const struct pd_size_part *from = &sizes->parts[next->first_part];
	uint32_t first = sizes->n_parts;

	memcpy(&sizes->parts[first], &sizes->parts[base->first_part],
	       base->n_parts * sizeof(*sizes->parts));
	sizes->parts[first].n_bytes[1] = from->n_bytes[1];
	sizes->parts[first].symbols[1] = from->symbols[1];
	sizes->parts[first].section = from->section;
	memcpy(&sizes->parts[first + base->n_parts], from + 1,
	       (next->n_parts - 1) * sizeof(*sizes->parts));
	base->first_part = first;
	base->n_parts += next->n_parts - 1;
	sizes->n_parts += base->n_parts;
	base->n_bytes[1] = next->n_bytes[1];
	base->images[1] = next->images[1];
	base->section = sizes->parts[first].section;
	if (!base->file.id)
		base->file = next->file;
	for (uint32_t i = 0; i < base->n_parts; i++) {
		const struct pd_size_part *part = &sizes->parts[first + i];

		if (part->symbols[1] != PD_NO_INDEX)
			sizes->rows_of[1][base->images[1]][part->symbols[1]] =
				(uint32_t)(base - sizes->rows);
	}
	next->n_parts = 0;
}

/*
 * An address of several names is one symbol, and which name it goes by can differ
 * between builds: a row that is on one side only is joined with one of the other
 * side that has a name in common.
 */
static bool join_aliases(struct pd_sizes *sizes)
{
	struct pd_map map = {0};
	bool ok = map_names(sizes, &map);

	for (uint32_t i = 0; i < sizes->n_rows && ok; i++) {
		struct pd_size_row *row = &sizes->rows[i];
		const struct pd_image *image;
		const struct pd_symbol *s;

		if (!is_one_sided(row, 0))
			continue;
		s = symbol_of(sizes, row, &sizes->parts[row->first_part], 0, &image);
		for (uint32_t k = 0; k <= s->n_aliases && is_one_sided(row, 0); k++) {
			pd_str name = k ? image->aliases[s->first_alias + k - 1] : s->name;
			uint32_t other = pd_map_find(
				&map, pd_map_key(string_of(sizes, row, 0, name).id,
						 row->module.id));
			struct pd_size_row *next =
				other == PD_MAP_NONE ? NULL : &sizes->rows[other];

			if (next && is_one_sided(next, 1) && next->is_object == row->is_object &&
			    (next->file.id == row->file.id || !next->file.id || !row->file.id))
				join(sizes, row, next);
		}
	}
	pd_map_done(&map);
	return ok;
}

static void set_status(struct pd_sizes *sizes, struct pd_size_row *row)
{
	const struct pd_size_part *hot = &sizes->parts[row->first_part];
	const struct pd_image *images[2];
	const struct pd_symbol *symbols[2];
	double delta = pd_size_delta(row->n_bytes);

	row->has_same_parts = true;
	for (uint32_t i = 0; i < row->n_parts; i++)
		row->has_same_parts &= pd_is_known(hot[i].n_bytes[0]) ==
				       pd_is_known(hot[i].n_bytes[1]);
	row->status = delta > 0 ? PD_SIZE_GROWN : delta < 0 ? PD_SIZE_SHRUNK : PD_SIZE_SAME;
	if (!pd_is_known(row->n_bytes[0]))
		row->status = PD_SIZE_NEW;
	else if (!pd_is_known(row->n_bytes[1]))
		row->status = PD_SIZE_GONE;
	for (uint32_t side = 0; side < 2; side++) {
		images[side] = NULL;
		symbols[side] = symbol_of(sizes, row, hot, side, &images[side]);
		if (symbols[side] && symbols[side]->declared_in.id)
			row->declared_in = string_of(sizes, row, side,
						     symbols[side]->declared_in);
	}
	if (symbols[0] && symbols[1] &&
	    string_of(sizes, row, 0, images[0]->sections[symbols[0]->section].name).id !=
		    string_of(sizes, row, 1, images[1]->sections[symbols[1]->section].name).id)
		row->status = PD_SIZE_MOVED;
}

static int compare_strings(const void *a, const void *b, void *context)
{
	const struct pd_strtab *strings = context;

	return strcmp(pd_strtab_get(strings, *(const pd_str *)a),
		      pd_strtab_get(strings, *(const pd_str *)b));
}

/* Further names of the hot piece, on either side, each once. */
static void set_aliases(struct pd_sizes *sizes, struct pd_size_row *row)
{
	const struct pd_size_part *hot = &sizes->parts[row->first_part];
	pd_str *names = &sizes->aliases[sizes->n_aliases];
	uint32_t n = 0, n_kept = 0;

	for (uint32_t side = 0; side < 2; side++) {
		const struct pd_image *image;
		const struct pd_symbol *s = symbol_of(sizes, row, hot, side, &image);

		for (uint32_t k = 0; s && k <= s->n_aliases; k++)
			names[n++] = string_of(sizes, row, side,
					       k ? image->aliases[s->first_alias + k - 1]
						 : s->name);
	}
	qsort_r(names, n, sizeof(*names), compare_strings, &sizes->strings);
	for (uint32_t i = 0; i < n; i++)
		if (names[i].id != hot->name.id && (!n_kept || names[n_kept - 1].id != names[i].id))
			names[n_kept++] = names[i];
	row->first_alias = sizes->n_aliases;
	row->n_aliases = n_kept;
	sizes->n_aliases += n_kept;
}

static bool has_aliases(struct pd_sizes *sizes, const struct pd_size_row *row)
{
	const struct pd_image *image;

	for (uint32_t side = 0; side < 2; side++) {
		const struct pd_symbol *s = symbol_of(sizes, row, &sizes->parts[row->first_part],
						      side, &image);

		if (s && (s->n_aliases || string_of(sizes, row, side, s->name).id !=
						  sizes->parts[row->first_part].name.id))
			return true;
	}
	return false;
}

/* Eight bytes from there on, as a big-endian number. */
static uint64_t letters_of(struct pd_span name, size_t from)
{
	uint64_t x = 0;

	for (size_t i = from; i < from + 8; i++)
		x = x << 8 | (i < name.len ? (unsigned char)name.ptr[i] : 0);
	return x;
}

static int compare_places(const void *a, const void *b, void *context)
{
	const struct pd_sizes *sizes = context;
	uint32_t p = ((const struct pd_sort_item *)a)->index;
	uint32_t q = ((const struct pd_sort_item *)b)->index;
	const struct pd_size_row *x = &sizes->rows[p], *y = &sizes->rows[q];
	int d;

	d = strcmp(pd_strtab_get(&sizes->strings, x->name),
		   pd_strtab_get(&sizes->strings, y->name));
	if (!d)
		d = strcmp(pd_strtab_get(&sizes->strings, x->file),
			   pd_strtab_get(&sizes->strings, y->file));
	if (!d)
		d = strcmp(pd_strtab_get(&sizes->strings, x->module),
			   pd_strtab_get(&sizes->strings, y->module));
	return d ? d : p < q ? -1 : 1;
}

/* Sort by name, eight letters at a time; scratch has room for n, too. */
static void sort_by_name(struct pd_sizes *sizes, struct pd_sort_item *items,
			 struct pd_sort_item *scratch, size_t n, size_t from)
{
	enum { FEW = 8, MAX_DEPTH = 64 };

	if (n <= FEW || from >= MAX_DEPTH) {
		qsort_r(items, n, sizeof(*items), compare_places, sizes);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		pd_str name = sizes->rows[items[i].index].name;

		items[i].key = letters_of(pd_strtab_span(&sizes->strings, name), from);
	}
	pd_sort_items(items, scratch, n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && items[end].key == items[i].key;)
			end++;
		if (end - i > 1)
			sort_by_name(sizes, items + i, scratch, end - i, from + 8);
	}
}

/* By name, without the rows that were joined with others. */
static bool sort_rows(struct pd_sizes *sizes)
{
	struct pd_arena scratch = {0};
	struct pd_sort_item *order = pd_arena_array(&scratch, sizes->n_rows, 2 * sizeof(*order));
	uint32_t n = 0, *new_of = pd_arena_array(&scratch, sizes->n_rows, sizeof(*new_of));
	struct pd_size_row *rows = pd_arena_array(&sizes->arena, sizes->n_rows + (size_t)1,
						  sizeof(*rows));
	bool ok = order && new_of && rows;

	for (uint32_t i = 0; i < sizes->n_rows && ok; i++)
		if (sizes->rows[i].n_parts)
			order[n++].index = i;
	if (ok)
		sort_by_name(sizes, order, order + sizes->n_rows, n, 0);
	for (uint32_t i = 0; i < n; i++) {
		rows[i] = sizes->rows[order[i].index];
		new_of[order[i].index] = i;
	}
	for (uint32_t side = 0; side < 2 && ok; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images; i++)
			for (uint32_t k = 0; k < sizes->sides[side].images[i]->n_symbols; k++) {
				uint32_t *row = &sizes->rows_of[side][i][k];

				*row = *row == PD_NO_INDEX ? *row : new_of[*row];
			}
	if (ok) {
		sizes->rows = rows;
		sizes->n_rows = n;
	}
	pd_arena_done(&scratch);
	return ok;
}

int pd_sizes_settle(struct pd_sizes *sizes, struct pd_error *err)
{
	size_t n_names = 2 * (size_t)sizes->n_rows + 1;

	for (uint32_t i = 0; i < sizes->n_rows; i++)
		put_hot_first(sizes, &sizes->rows[i]);
	if (!join_aliases(sizes))
		return pd_fail_nomem(err);
	if (sizes->pairs_code) {
		int rc = pd_sizes_join_code(sizes, err);

		if (rc != PD_OK)
			return rc;
	}
	if (!sort_rows(sizes))
		return pd_fail_nomem(err);
	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images; i++)
			n_names += sizes->sides[side].images[i]->n_aliases;
	sizes->aliases = pd_arena_array(&sizes->arena, n_names, sizeof(*sizes->aliases));
	if (!sizes->aliases)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < sizes->n_rows; i++) {
		set_status(sizes, &sizes->rows[i]);
		if (has_aliases(sizes, &sizes->rows[i]))
			set_aliases(sizes, &sizes->rows[i]);
	}
	return sizes->strings.failed ? pd_fail_nomem(err) : PD_OK;
}
