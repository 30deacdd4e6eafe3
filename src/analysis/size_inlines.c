/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inline story, told per callee: where it was inlined, whether it has a body
 * of its own, and what its callers grew by. Contract: sizes.h.
 */
#include <stdlib.h>

#include "analysis/names.h"
#include "analysis/sizes.h"
#include "base/map.h"
#include "base/num.h"
#include "base/text.h"

/* An instance, as the two sides share it. */
struct instance {
	pd_str name, file;
	uint32_t caller; /* row, or PD_NO_INDEX */
	uint32_t side, n_bytes;
	bool is_nested;
};

static int compare_instances(const void *a, const void *b)
{
	const struct instance *x = a, *y = b;

	if (x->name.id != y->name.id)
		return x->name.id < y->name.id ? -1 : 1;
	if (x->file.id != y->file.id)
		return x->file.id < y->file.id ? -1 : 1;
	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->side < y->side ? -1 : x->side > y->side;
}

static size_t count_instances(const struct pd_sizes *sizes)
{
	size_t n = 0;

	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images; i++)
			n += sizes->sides[side].images[i]->n_inlines;
	return n;
}

/* The family, since what is inlined has the name of the source, and its body a suffix. */
static pd_str family_of(struct pd_sizes *sizes, const struct pd_image *image, pd_str name,
			struct pd_buf *buf)
{
	return pd_strtab_intern(&sizes->strings,
				pd_name_family(pd_strtab_span(&image->strings, name), buf));
}

/* Instances of an image; total is of its side. */
static bool collect(struct pd_sizes *sizes, uint32_t side, uint32_t no, struct instance *instances,
		    size_t *n)
{
	const struct pd_image *image = sizes->sides[side].images[no];
	struct pd_size_totals *t = &sizes->totals;
	pd_str *names = calloc((size_t)image->strings.n + 1, sizeof(*names));
	pd_str *files = calloc((size_t)image->strings.n + 1, sizeof(*files));
	struct pd_buf buf = {0};
	bool ok = names && files;

	for (uint32_t i = 0; i < image->n_inlines && ok; i++) {
		const struct pd_inline *from = &image->inlines[i];

		if (!names[from->name.id].id)
			names[from->name.id] = family_of(sizes, image, from->name, &buf);
		if (!files[from->file.id].id)
			files[from->file.id] = pd_sizes_string(sizes, side, no, from->file);
		instances[(*n)++] = (struct instance){
			.name = names[from->name.id],
			.file = files[from->file.id],
			.caller = from->host == PD_NO_INDEX ? PD_NO_INDEX
							    : sizes->rows_of[side][no][from->host],
			.side = side,
			.n_bytes = from->n_bytes,
			.is_nested = from->is_nested_in_itself,
		};
		t->n_inlines[side]++;
		t->n_inlines_without_code[side] += !from->n_bytes;
		t->inline_bytes[side] += from->n_bytes;
		t->outermost_bytes[side] += from->is_outermost ? from->n_bytes : 0;
	}
	free(names);
	free(files);
	pd_buf_done(&buf);
	return ok;
}

/* The first of the rows of that name, which are neighbours; n_rows if there is none. */
static uint32_t find_rows(const struct pd_sizes *sizes, pd_str name)
{
	const char *text = pd_strtab_get(&sizes->strings, name);
	uint32_t lo = 0, hi = sizes->n_rows;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (strcmp(pd_strtab_get(&sizes->strings, sizes->rows[mid].name), text) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void add_body(const struct pd_size_row *body, struct pd_inline_row *row)
{
	pd_str file = body->declared_in.id ? body->declared_in : body->file;

	if (body->is_object || file.id != row->file.id)
		return;
	for (int side = 0; side < 2; side++)
		if (pd_is_known(body->n_bytes[side]))
			row->body_bytes[side] = body->n_bytes[side] +
						(pd_is_known(row->body_bytes[side])
							 ? row->body_bytes[side] : 0);
}

/* Rows by the further names of their functions. */
static bool map_aliases(const struct pd_sizes *sizes, struct pd_map *map)
{
	for (uint32_t i = 0; i < sizes->n_rows; i++)
		for (uint32_t k = 0; k < sizes->rows[i].n_aliases; k++)
			if (pd_map_insert(map, sizes->aliases[sizes->rows[i].first_alias + k].id,
					  i) == PD_MAP_NONE)
				return false;
	return true;
}

/* Bytes of the bodies of a callee: one, or copies in every file that includes its text. */
static void set_bodies(const struct pd_sizes *sizes, const struct pd_map *by_alias,
		       struct pd_inline_row *row)
{
	uint32_t alias = pd_map_find(by_alias, row->name.id), i = find_rows(sizes, row->name);

	row->body_bytes[0] = row->body_bytes[1] = PD_UNKNOWN;
	for (; i < sizes->n_rows && sizes->rows[i].name.id == row->name.id; i++)
		add_body(&sizes->rows[i], row);
	if (alias != PD_MAP_NONE && sizes->rows[alias].name.id != row->name.id)
		add_body(&sizes->rows[alias], row);
}

/* The instances [from, to) of one callee. */
static void fill_row(const struct pd_sizes *sizes, const struct pd_map *by_alias,
		     const struct instance *from, const struct instance *to,
		     struct pd_inline_row *row)
{
	*row = (struct pd_inline_row){.name = from->name, .file = from->file};
	for (const struct instance *i = from, *end; i < to; i = end) {
		double n[2] = {0, 0};

		for (end = i; end < to && end->caller == i->caller; end++) {
			n[end->side]++;
			if (!end->is_nested)
				row->n_bytes[end->side] += end->n_bytes;
		}
		for (int side = 0; side < 2; side++) {
			row->n_instances[side] += n[side];
			row->n_callers[side] += n[side] > 0 && i->caller != PD_NO_INDEX;
		}
		if (n[0] != n[1] && i->caller != PD_NO_INDEX)
			row->callers_delta += pd_size_delta(sizes->rows[i->caller].n_bytes);
	}
	set_bodies(sizes, by_alias, row);
	row->has_become_body = !pd_is_known(row->body_bytes[0]) && pd_is_known(row->body_bytes[1]);
	row->has_become_inline = pd_is_known(row->body_bytes[0]) &&
				 !pd_is_known(row->body_bytes[1]) && row->n_instances[1] > 0;
	row->net = row->callers_delta + pd_size_delta(row->body_bytes);
}

static bool has_changed(const struct pd_inline_row *row)
{
	return row->n_instances[0] != row->n_instances[1] || row->has_become_body ||
	       row->has_become_inline || row->n_bytes[0] != row->n_bytes[1] ||
	       pd_size_delta(row->body_bytes) != 0;
}

/*
 * How much of a story it is: the bytes that came and went with it. What its
 * callers grew by has other reasons, too, the more of them there are.
 */
static double weight(const struct pd_inline_row *row)
{
	return fabs(row->n_bytes[1] - row->n_bytes[0]) + fabs(pd_size_delta(row->body_bytes));
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct pd_strtab *strings = context;
	const struct pd_inline_row *x = a, *y = b;
	int d;

	if (weight(x) != weight(y))
		return weight(x) > weight(y) ? -1 : 1;
	d = strcmp(pd_strtab_get(strings, x->name), pd_strtab_get(strings, y->name));
	return d ? d : strcmp(pd_strtab_get(strings, x->file), pd_strtab_get(strings, y->file));
}

int pd_sizes_tell_inlines(struct pd_sizes *sizes, struct pd_error *err)
{
	size_t n = 0, n_all = count_instances(sizes);
	struct instance *instances = calloc(n_all + 1, sizeof(*instances));
	struct pd_inline_row *rows = NULL;
	struct pd_map by_alias = {0};
	uint32_t n_rows = 0;
	bool ok = instances && map_aliases(sizes, &by_alias);

	for (uint32_t side = 0; side < 2; side++)
		for (uint32_t i = 0; i < sizes->sides[side].n_images && ok; i++)
			ok = collect(sizes, side, i, instances, &n);
	if (ok) {
		qsort(instances, n, sizeof(*instances), compare_instances);
		for (size_t i = 0; i < n; i++)
			n_rows += !i || instances[i].name.id != instances[i - 1].name.id ||
				  instances[i].file.id != instances[i - 1].file.id;
		rows = pd_arena_array(&sizes->arena, (size_t)n_rows + 1, sizeof(*rows));
		ok = rows;
		n_rows = 0;
	}
	for (size_t i = 0, end; i < n && ok; i = end) {
		for (end = i; end < n && instances[end].name.id == instances[i].name.id &&
			      instances[end].file.id == instances[i].file.id;
		     end++)
			;
		fill_row(sizes, &by_alias, &instances[i], &instances[end], &rows[n_rows]);
		n_rows += has_changed(&rows[n_rows]);
	}
	free(instances);
	pd_map_done(&by_alias);
	if (!ok || sizes->strings.failed)
		return pd_fail_nomem(err);
	qsort_r(rows, n_rows, sizeof(*rows), compare_rows, &sizes->strings);
	sizes->inlines = rows;
	sizes->n_inlines = n_rows;
	return PD_OK;
}
