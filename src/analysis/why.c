/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function. Contract: why.h.
 */
#include "analysis/why.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"

static void add_one(double *n)
{
	*n = pd_is_known(*n) ? *n + 1 : 1;
}

/* An instruction of a side, in all classes that it is of. */
static void count_insn(struct pd_why *w, const struct pd_annotation *a,
		       const struct pd_annotated_part *part, const struct pd_annotated_line *line,
		       uint32_t side)
{
	const struct pd_insn_line *insn = &part->code[side].items[line->insns[side]];
	unsigned classes = pd_insn_classes(a->images[side]->elf_machine, insn);

	for (int k = -1; k < PD_N_CLASSES; k++) {
		struct pd_why_class *x = k < 0 ? &w->all : &w->classes[k];

		if (k >= 0 && !(classes >> k & 1))
			continue;
		add_one(&x->n[side]);
		x->n_removed += line->op == PD_LINE_REMOVED;
		x->n_added += line->op == PD_LINE_ADDED;
	}
}

static void count_insns(struct pd_why *w, const struct pd_annotation *a)
{
	for (int k = -1; k < PD_N_CLASSES; k++) {
		struct pd_why_class *x = k < 0 ? &w->all : &w->classes[k];

		for (uint32_t s = 0; s < 2; s++)
			x->n[s] = a && s < a->n_sides && a->images[s] ? 0 : PD_UNKNOWN;
	}
	for (uint32_t p = 0; a && p < a->n_parts; p++)
		for (uint32_t i = 0; i < a->parts[p].n_lines; i++)
			for (uint32_t s = 0; s < a->n_sides; s++)
				if (a->parts[p].lines[i].insns[s] != PD_NO_INDEX)
					count_insn(w, a, &a->parts[p], &a->parts[p].lines[i], s);
}

/* ---- what is inlined ---- */

static int compare_inlines(const void *a, const void *b)
{
	const struct pd_why_inline *x = a, *y = b;
	double dx = fabs(x->n_bytes[1] - x->n_bytes[0]), dy = fabs(y->n_bytes[1] - y->n_bytes[0]);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return x->name.id < y->name.id ? -1 : x->name.id > y->name.id;
}

/* The instances of one image whose host is a piece of the row. */
static bool add_inlines(struct pd_why *w, const struct pd_sizes *sizes, uint32_t row,
			uint32_t side, struct pd_map *ids)
{
	uint32_t no = sizes->rows[row].images[side];
	const struct pd_image *image;

	if (no == PD_NO_INDEX)
		return true;
	image = sizes->sides[side].images[no];
	for (uint32_t i = 0; i < image->n_inlines; i++) {
		const struct pd_inline *from = &image->inlines[i];
		pd_str name;
		uint32_t at;

		if (from->host == PD_NO_INDEX || sizes->rows_of[side][no][from->host] != row)
			continue;
		name = pd_sizes_string(sizes, side, no, from->name);
		at = pd_map_insert(ids, name.id, w->n_inlines);
		if (at == PD_MAP_NONE)
			return false;
		if (at == w->n_inlines) {
			w->inlines[at] = (struct pd_why_inline){.name = name};
			w->n_inlines++;
		}
		w->inlines[at].n_instances[side]++;
		if (!from->is_nested_in_itself)
			w->inlines[at].n_bytes[side] += from->n_bytes;
	}
	return true;
}

static bool find_inlines(struct pd_why *w, const struct pd_sizes *sizes, uint32_t row)
{
	struct pd_map ids = {0};
	size_t n_most = 0;
	bool ok = true;

	for (uint32_t s = 0; s < 2; s++)
		for (uint32_t i = 0; i < sizes->sides[s].n_images; i++)
			n_most += sizes->sides[s].images[i]->n_inlines;
	w->inlines = pd_arena_array(&w->arena, n_most + 1, sizeof(*w->inlines));
	if (!w->inlines)
		return false;
	for (uint32_t s = 0; s < 2 && ok; s++)
		ok = add_inlines(w, sizes, row, s, &ids);
	pd_map_done(&ids);
	qsort(w->inlines, w->n_inlines, sizeof(*w->inlines), compare_inlines);
	return ok;
}

/* ---- source lines ---- */

static double change_of(const struct pd_why_line *line)
{
	return fabs(line->costs[1][0] - line->costs[0][0]);
}

static int compare_lines(const void *a, const void *b)
{
	const struct pd_why_line *x = a, *y = b;
	double dx = change_of(x), dy = change_of(y);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	if (x->file.id != y->file.id)
		return x->file.id < y->file.id ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The line of a place, made if it is new; NULL: no memory. */
static struct pd_why_line *get_line(struct pd_why *w, const struct pd_code_place *place,
				    uint32_t n_events, struct pd_map *ids)
{
	uint32_t at = pd_map_insert(ids, pd_map_key(place->file.id, place->line), w->n_lines);
	struct pd_why_line *line;

	if (at == PD_MAP_NONE)
		return NULL;
	line = &w->lines[at];
	if (at < w->n_lines)
		return line;
	*line = (struct pd_why_line){.file = place->file, .line = place->line};
	for (uint32_t s = 0; s < 2; s++) {
		line->costs[s] = pd_arena_array(&w->arena, n_events, sizeof(double));
		if (!line->costs[s])
			return NULL;
		for (uint32_t e = 0; e < n_events; e++)
			line->costs[s][e] = 0;
	}
	w->n_lines++;
	return line;
}

static bool add_lines(struct pd_why *w, const struct pd_annotation *a,
		      const struct pd_annotated_part *part, uint32_t side, struct pd_map *ids)
{
	for (uint32_t i = 0; i < part->code[side].n; i++) {
		const struct pd_code_place *place = &part->places[side][i];
		struct pd_why_line *line;

		if (!place->line)
			continue;
		line = get_line(w, place, a->n_events, ids);
		if (!line)
			return false;
		for (uint32_t e = 0; e < a->n_events; e++)
			line->costs[side][e] += part->ticks[side][(size_t)i * a->n_events + e];
	}
	return true;
}

static bool find_lines(struct pd_why *w, const struct pd_annotation *a)
{
	struct pd_map ids = {0};
	size_t n_most = 0;
	bool ok = true;

	if (!a->n_events)
		return true;
	for (uint32_t p = 0; p < a->n_parts; p++)
		n_most += (size_t)a->parts[p].code[0].n + a->parts[p].code[1].n;
	w->lines = pd_arena_array(&w->arena, n_most + 1, sizeof(*w->lines));
	ok = w->lines;
	for (uint32_t p = 0; p < a->n_parts && ok; p++)
		for (uint32_t s = 0; s < a->n_sides && ok; s++)
			if (a->parts[p].places[s] && a->parts[p].ticks[s])
				ok = add_lines(w, a, &a->parts[p], s, &ids);
	pd_map_done(&ids);
	if (ok)
		qsort(w->lines, w->n_lines, sizeof(*w->lines), compare_lines);
	return ok;
}

int pd_why_make(const struct pd_sizes *sizes, uint32_t row, const struct pd_annotation *annotation,
		struct pd_why *ret_why, struct pd_error *err)
{
	struct pd_why w = {0};
	bool ok = true;

	count_insns(&w, annotation);
	if (sizes && row != PD_NO_INDEX)
		ok = find_inlines(&w, sizes, row);
	if (ok && annotation)
		ok = find_lines(&w, annotation);
	if (!ok) {
		pd_why_done(&w);
		return pd_fail_nomem(err);
	}
	*ret_why = w;
	return PD_OK;
}

void pd_why_done(struct pd_why *why)
{
	pd_arena_done(&why->arena);
	*why = (struct pd_why){0};
}
