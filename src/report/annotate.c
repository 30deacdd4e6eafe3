/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of a function's code: what it is on both sides, and its instructions side by
 * side; of those that are the same, only those next to others unless all are wanted.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/annotate.h"
#include "analysis/events.h"
#include "base/num.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/report.h"
#include "report/schema.h"

enum {
	CONTEXT = 3, /* lines around those that differ */
	NEAR_HOT = 1, /* and around those that cost much */
	HOT = 20,    /* this part of what all of the function costs */
};

struct counts {
	uint32_t n[4]; /* by enum pd_line_op */
};

static const char *const op_names[] = {
	[PD_LINE_SAME] = "same", [PD_LINE_CHANGED] = "changed", [PD_LINE_REMOVED] = "removed",
	[PD_LINE_ADDED] = "added",
};

static struct counts count_lines(const struct pd_annotated_part *part)
{
	struct counts c = {0};

	for (uint32_t i = 0; i < part->n_lines; i++)
		c.n[part->lines[i].op]++;
	return c;
}

static uint64_t size_of(const struct pd_annotation *a, const struct pd_annotated_part *part,
			uint32_t side)
{
	return a->images[side]->symbols[part->symbols[side]].n_bytes;
}

static const struct pd_insn_line *insn_of(const struct pd_annotated_part *part,
					  const struct pd_annotated_line *line, uint32_t side)
{
	return line->insns[side] == PD_NO_INDEX ? NULL
						: &part->code[side].items[line->insns[side]];
}

/* What an instruction cost, or unknown. */
static double ticks_of(const struct pd_annotation *a, const struct pd_annotated_part *part,
		       const struct pd_annotated_line *line, uint32_t side, uint32_t event)
{
	if (line->insns[side] == PD_NO_INDEX || !part->ticks[side])
		return PD_UNKNOWN;
	return part->ticks[side][(size_t)line->insns[side] * a->n_events + event];
}

/* ---- sentences ---- */

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* "240 instructions (735 bytes)" */
static const char *code_text(struct pd_document *d, const struct pd_annotation *a,
			     const struct pd_annotated_part *part, uint32_t side)
{
	uint64_t n_bytes = size_of(a, part, side);

	return pd_document_printf(d, "%u instruction%s (%" PRIu64 " byte%s)", part->code[side].n,
				  plural(part->code[side].n), n_bytes, plural(n_bytes));
}

/* Both sides have it. */
static const char *both_text(struct pd_document *d, const struct pd_annotation *a,
			     const struct pd_annotated_part *part)
{
	struct counts c = count_lines(part);
	const char *name = part->names[0];

	if (strcmp(name, part->names[1]) != 0)
		name = pd_document_printf(d, "%s -> %s", name, part->names[1]);
	if (part->is_same_code)
		return pd_document_printf(d, "%s: same code on both sides, %s.", name,
					  code_text(d, a, part, 0));
	return pd_document_printf(d, "%s: %s in %s, %s in %s; %u changed, %u removed, %u added.",
				  name, code_text(d, a, part, 0), a->sides[0].label,
				  code_text(d, a, part, 1), a->sides[1].label,
				  c.n[PD_LINE_CHANGED], c.n[PD_LINE_REMOVED], c.n[PD_LINE_ADDED]);
}

static void add_headline(struct pd_document *d, const struct pd_annotation *a)
{
	bool has_no_dwarf = a->has_no_dwarf[0] && a->has_no_dwarf[1];

	for (uint32_t i = 0; i < a->n_parts; i++) {
		const struct pd_annotated_part *part = &a->parts[i];
		uint32_t side = !part->names[0];
		const char *text;

		if (part->names[0] && part->names[1])
			text = both_text(d, a, part);
		else if (a->n_sides > 1)
			text = pd_document_printf(d, "%s: %s, in %s only.", part->names[side],
						  code_text(d, a, part, side),
						  a->sides[side].label);
		else
			text = pd_document_printf(d, "%s: %s.", part->names[0],
						  code_text(d, a, part, 0));
		pd_document_add_text(d, text);
	}
	for (uint32_t s = 0; s < a->n_sides; s++)
		if (!a->images[s])
			pd_document_add_text(d, pd_document_printf(
				d, "%s has no function %s of its own: it was inlined, renamed or "
				"left out.", a->sides[s].label, a->function));
	if (a->n_sides < 2)
		pd_document_add_text(d, "note: one image is given, so there is nothing to hold it "
					"against.");
	for (uint32_t s = 0; s < a->n_sides && !has_no_dwarf; s++)
		if (a->has_no_dwarf[s])
			pd_document_add_text(d, pd_document_printf(
				d, "note: %s has no DWARF: its source lines are not known.",
				a->sides[s].label));
	if (has_no_dwarf)
		pd_document_add_text(d, "note: neither image has DWARF: source lines are not "
					"known.");
}

/* "samples a run (cycles): 120 in A, 98 in B." */
static void add_ticks_text(struct pd_document *d, const struct pd_annotation *a,
			   const struct pd_figures *f)
{
	const struct pd_annotated_event *e = &a->events[0];
	bool is_named_so = !strcmp(f->unit, e->name);
	const char *text = pd_document_printf(d, "%s a run%s%s%s:", f->unit,
					      is_named_so ? "" : " (", is_named_so ? "" : e->name,
					      is_named_so ? "" : ")");

	for (uint32_t s = 0; s < a->n_sides; s++) {
		bool is_known = a->n_parts && (a->parts[0].ticks[s] || e->sums[s] > 0);
		char buf[PD_NUM_LEN];

		text = pd_document_printf(d, "%s%s %s in %s", text, s ? "," : "",
					  is_known ? pd_num_fixed(e->sums[s] / f->divisor,
								  f->decimals, buf) : "?",
					  a->sides[s].label);
	}
	if (a->n_events > 1)
		text = pd_document_printf(d, "%s; programs get all %u events", text, a->n_events);
	pd_document_add_text(d, pd_document_printf(d, "%s.", text));
}

/* ---- the listing ---- */

static bool is_hot(const struct pd_annotation *a, const struct pd_annotated_part *part,
		   const struct pd_annotated_line *line)
{
	bool is = false;

	for (uint32_t s = 0; s < a->n_sides && a->n_events; s++)
		is |= ticks_of(a, part, line, s, 0) * HOT >= a->events[0].sums[s] &&
		      a->events[0].sums[s] > 0;
	return is;
}

/* Which lines are shown. */
static bool *choose_lines(struct pd_document *d, const struct pd_annotation *a,
			  const struct pd_annotated_part *part,
			  const struct pd_view_options *options)
{
	bool *shown = pd_arena_array(&d->arena, (size_t)part->n_lines + 1, sizeof(*shown));
	bool has_all = options->shows_all || a->n_sides < 2 ||
		       (part->is_same_code && a->n_events);

	if (!shown) {
		d->failed = true;
		return NULL;
	}
	for (uint32_t i = 0; i < part->n_lines; i++) {
		bool is_same = part->lines[i].op == PD_LINE_SAME;
		uint32_t n_near = is_same ? NEAR_HOT : CONTEXT;

		shown[i] |= has_all;
		if (has_all || (is_same && !is_hot(a, part, &part->lines[i])))
			continue;
		for (uint32_t k = i > n_near ? i - n_near : 0; k <= i + n_near &&
		     k < part->n_lines; k++)
			shown[k] = true;
	}
	return shown;
}

/* The side whose source line stands over a line. */
static uint32_t side_of_place(const struct pd_annotated_part *part,
			      const struct pd_annotated_line *line)
{
	return line->insns[1] != PD_NO_INDEX && part->places[1];
}

static const struct pd_code_place *place_of(const struct pd_annotated_part *part,
					    const struct pd_annotated_line *line)
{
	uint32_t side = side_of_place(part, line);
	const struct pd_code_place *p;

	if (line->insns[side] == PD_NO_INDEX || !part->places[side])
		return NULL;
	p = &part->places[side][line->insns[side]];
	return p->file.id && p->line ? p : NULL;
}

static bool is_same_place(const struct pd_code_place *a, const struct pd_code_place *b)
{
	return a && b && a->file.id == b->file.id && a->line == b->line;
}

static const char *source_text(struct pd_document *d, const struct pd_annotation *a,
			       const struct pd_code_place *p)
{
	return pd_document_printf(d, "%s:%u", pd_strtab_get(&a->strings, p->file), p->line);
}

/* With what stands there, if its file is at hand. */
static const char *heading_text(struct pd_document *d, struct pd_annotation *a,
				const struct pd_code_place *p, uint32_t side)
{
	const char *where = source_text(d, a, p);
	struct pd_span text = pd_source_line(&a->texts[side], &a->strings, p->file, p->line);

	return text.len ? pd_document_printf(d, "%s: %.*s", where, (int)text.len, text.ptr)
			: where;
}

static void fill_line(struct pd_document *d, const struct pd_annotation *a,
		      const struct pd_annotated_part *part, const struct pd_annotated_line *from,
		      struct pd_listing_line *line)
{
	for (uint32_t s = 0; s < a->n_sides; s++) {
		const struct pd_insn_line *insn = insn_of(part, from, s);
		struct pd_listing_cell *cell = &line->sides[s];

		if (!insn)
			continue;
		cell->text = pd_document_text(d, insn->text);
		cell->place = pd_document_printf(
			d, "%" PRIx64, insn->address -
			a->images[s]->symbols[part->symbols[s]].address);
		if (a->n_events)
			cell->number = ticks_of(a, part, from, s, 0);
	}
}

static void add_lines(struct pd_document *d, struct pd_annotation *a,
		      const struct pd_annotated_part *part, const bool *shown,
		      struct pd_listing *l)
{
	static const enum pd_listing_op ops[] = {
		[PD_LINE_SAME] = PD_LISTING_SAME, [PD_LINE_CHANGED] = PD_LISTING_CHANGED,
		[PD_LINE_REMOVED] = PD_LISTING_REMOVED, [PD_LINE_ADDED] = PD_LISTING_ADDED,
	};
	const struct pd_code_place *last = NULL;
	bool is_left_out = false;

	for (uint32_t i = 0; i < part->n_lines && l; i++) {
		const struct pd_annotated_line *from = &part->lines[i];
		const struct pd_code_place *place = place_of(part, from);
		struct pd_listing_line *line;

		is_left_out |= !shown[i];
		if (!shown[i])
			continue;
		if (is_left_out) {
			(void)pd_listing_add_line(d, l, PD_LISTING_BREAK);
			last = NULL;
		}
		is_left_out = false;
		if (place && !is_same_place(place, last)) {
			line = pd_listing_add_line(d, l, PD_LISTING_HEADING);
			if (line)
				line->heading = heading_text(d, a, place,
							     side_of_place(part, from));
			last = place;
		}
		line = pd_listing_add_line(d, l, ops[from->op]);
		if (line)
			fill_line(d, a, part, from, line);
	}
	if (is_left_out)
		(void)pd_listing_add_line(d, l, PD_LISTING_BREAK);
}

static const char *part_name(const struct pd_annotated_part *part)
{
	return part->names[part->names[0] ? 0 : 1];
}

static void add_listing(struct pd_document *d, struct pd_annotation *a,
			const struct pd_annotated_part *part, const struct pd_figures *f,
			const struct pd_view_options *options)
{
	bool *shown = choose_lines(d, a, part, options);
	struct pd_listing *l;
	bool has_any = false;

	for (uint32_t i = 0; shown && i < part->n_lines; i++)
		has_any |= shown[i];
	if (!has_any)
		return;
	l = pd_document_add_listing(d, a->n_parts > 1 ? pd_document_printf(
					    d, "%s:", part_name(part)) : NULL);
	if (!l)
		return;
	l->n_sides = a->n_sides;
	for (uint32_t s = 0; s < a->n_sides && a->n_sides > 1; s++)
		l->labels[s] = pd_document_text(d, a->sides[s].label);
	l->has_numbers = a->n_events > 0;
	l->number = (struct pd_column){
		.id = "ticks", .title = f->unit, .style = PD_STYLE_COUNT,
		.decimals = f->decimals, .divisor = f->divisor,
	};
	add_lines(d, a, part, shown, l);
}

/* Digits that show what means of several runs are. */
static struct pd_figures find_figures(struct pd_document *d, const struct pd_annotation *a)
{
	const struct pd_annotated_event *e = a->n_events ? &a->events[0] : NULL;
	bool is_whole = true;

	if (!e)
		return (struct pd_figures){1, 0, ""};
	if (e->is_weighted)
		return pd_weighted_figures(d, pd_event_bare_name(pd_span_of(e->name)), e->unit,
					   fmax(e->sums[0], e->sums[1]), e->sample);
	for (uint32_t i = 0; i < a->n_parts; i++)
		for (uint32_t s = 0; s < a->n_sides; s++)
			for (uint32_t k = 0; a->parts[i].ticks[s] && k < a->parts[i].code[s].n;
			     k++) {
				double x = a->parts[i].ticks[s][(size_t)k * a->n_events];

				is_whole &= x <= trunc(x);
			}
	return (struct pd_figures){1, is_whole ? 0 : 1, pd_unit_name(e->unit)};
}

/* ---- for programs ---- */

static void add_data(struct pd_document *d, const struct pd_annotation *a)
{
	struct pd_table *t = pd_document_add_data(d);
	static const char *const sides[] = {"base", "next"};

	if (!t)
		return;
	pd_table_add_column(d, t, "part", "part", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "op", "op", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "source", "source", PD_STYLE_TEXT, 0);
	for (uint32_t s = 0; s < a->n_sides; s++) {
		for (uint32_t e = 0; e < a->n_events; e++)
			pd_table_add_column(d, t, pd_document_printf(d, "%s-%s", sides[s],
								     a->events[e].name),
					    "ticks", PD_STYLE_COUNT, 0);
		pd_table_add_column(d, t, pd_document_printf(d, "%s-address", sides[s]),
				    "address", PD_STYLE_TEXT, 0);
		pd_table_add_column(d, t, pd_document_printf(d, "%s-text", sides[s]), "text",
				    PD_STYLE_TEXT, 0);
	}
	for (uint32_t i = 0; i < a->n_parts; i++)
		for (uint32_t k = 0; k < a->parts[i].n_lines; k++) {
			const struct pd_annotated_part *part = &a->parts[i];
			const struct pd_annotated_line *line = &part->lines[k];
			const struct pd_code_place *place = place_of(part, line);
			struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);
			struct pd_cell *cell = row ? row->cells : NULL;

			if (!cell)
				return;
			(cell++)->text = part_name(part);
			(cell++)->text = op_names[line->op];
			(cell++)->text = place ? source_text(d, a, place) : NULL;
			for (uint32_t s = 0; s < a->n_sides; s++) {
				const struct pd_insn_line *insn = insn_of(part, line, s);

				for (uint32_t e = 0; e < a->n_events; e++)
					(cell++)->number = ticks_of(a, part, line, s, e);
				(cell++)->text = insn ? pd_document_printf(d, "0x%" PRIx64,
									   insn->address) : NULL;
				(cell++)->text = insn ? pd_document_text(d, insn->text) : NULL;
			}
		}
}

static void add_side_value(struct pd_document *d, const struct pd_annotation *a,
			   const struct pd_annotated_part *part,
			   const struct pd_annotated_line *line, uint32_t side, struct pd_value *v)
{
	const char *key = side ? "next" : "base";
	const struct pd_insn_line *insn = insn_of(part, line, side);
	struct pd_value *value, *list;

	if (!insn) {
		pd_value_add_null(d, v, key);
		return;
	}
	value = pd_value_add_object(d, v, key);
	pd_value_add_text(d, value, "addr", pd_document_printf(d, "0x%" PRIx64, insn->address));
	pd_value_add_text(d, value, "text", insn->text);
	list = pd_value_add_list(d, value, "ticks");
	for (uint32_t e = 0; e < a->n_events; e++)
		pd_value_add_number(d, list, NULL, ticks_of(a, part, line, side, e));
}

static void add_line_values(struct pd_document *d, const struct pd_annotation *a, uint32_t part_no,
			    struct pd_value *list)
{
	const struct pd_annotated_part *part = &a->parts[part_no];
	const struct pd_code_place *last = NULL;

	for (uint32_t i = 0; i < part->n_lines; i++) {
		const struct pd_annotated_line *line = &part->lines[i];
		const struct pd_code_place *place = place_of(part, line);
		struct pd_value *v;

		if (place && !is_same_place(place, last)) {
			v = pd_value_add_object(d, list, NULL);
			pd_value_add_text(d, v, "op", "source");
			pd_value_add_number(d, v, "part", part_no);
			pd_value_add_null(d, v, "base");
			pd_value_add_null(d, v, "next");
			pd_value_add_text(d, v, "source", source_text(d, a, place));
			last = place;
		}
		v = pd_value_add_object(d, list, NULL);
		pd_value_add_text(d, v, "op", op_names[line->op]);
		pd_value_add_number(d, v, "part", part_no);
		add_side_value(d, a, part, line, 0, v);
		add_side_value(d, a, part, line, 1, v);
		pd_value_add_text(d, v, "source", place ? source_text(d, a, place) : NULL);
	}
}

/* Of each side the image and what the function is there; of parts, the same of each. */
static void add_images(struct pd_document *d, const struct pd_annotation *a)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "images"), *parts, *v;

	for (uint32_t s = 0; s < 2; s++) {
		if (s >= a->n_sides || !a->images[s]) {
			pd_value_add_null(d, list, NULL);
			continue;
		}
		v = pd_value_add_object(d, list, NULL);
		pd_value_add_text(d, v, "path", a->images[s]->path);
		for (uint32_t i = 0; i < a->n_parts; i++) {
			const struct pd_annotated_part *part = &a->parts[i];

			if (!part->names[s])
				continue;
			pd_value_add_text(d, v, "name", part->names[s]);
			pd_value_add_number(d, v, "size", (double)size_of(a, part, s));
			pd_value_add_number(d, v, "n_insns", part->code[s].n);
			break;
		}
	}
	parts = pd_value_add_list(d, d->root, "parts");
	for (uint32_t i = 0; i < a->n_parts; i++) {
		const struct pd_annotated_part *part = &a->parts[i];
		double n_bytes[2] = {PD_UNKNOWN, PD_UNKNOWN}, n_insns[2] = {PD_UNKNOWN, PD_UNKNOWN};

		v = pd_value_add_object(d, parts, NULL);
		list = pd_value_add_list(d, v, "names");
		for (uint32_t s = 0; s < 2; s++) {
			pd_value_add_text(d, list, NULL, part->names[s]);
			if (!part->names[s])
				continue;
			n_bytes[s] = (double)size_of(a, part, s);
			n_insns[s] = part->code[s].n;
		}
		pd_schema_add_pair(d, v, "size", n_bytes);
		pd_schema_add_pair(d, v, "n_insns", n_insns);
		pd_value_add_text(d, v, "code", !part->names[0] || !part->names[1] ? NULL
				  : part->is_same_code ? "same" : "changed");
	}
}

static void add_values(struct pd_document *d, const struct pd_annotation *a)
{
	struct pd_value *list;

	pd_value_add_text(d, d->root, "function", a->function);
	add_images(d, a);
	list = pd_value_add_list(d, d->root, "events");
	for (uint32_t e = 0; e < a->n_events; e++)
		pd_value_add_text(d, list, NULL, a->events[e].name);
	list = pd_value_add_list(d, d->root, "lines");
	for (uint32_t i = 0; i < a->n_parts; i++)
		add_line_values(d, a, i, list);
}

int pd_report_annotate(struct pd_annotation *a, const struct pd_view_options *options,
		       const struct pd_diags *diags, struct pd_document **ret_document,
		       struct pd_error *err)
{
	struct pd_document *d = pd_view_document(options);
	struct pd_figures f;

	if (!d)
		return pd_fail_nomem(err);
	f = find_figures(d, a);
	add_headline(d, a);
	if (a->n_events)
		add_ticks_text(d, a, &f);
	for (uint32_t i = 0; i < a->n_parts; i++)
		add_listing(d, a, &a->parts[i], &f, options);
	add_data(d, a);
	pd_schema_add_head(d, "annotate", diags);
	if (d->root)
		add_values(d, a);
	if (d->failed) {
		pd_document_free(d);
		return pd_fail_nomem(err);
	}
	*ret_document = d;
	return PD_OK;
}
