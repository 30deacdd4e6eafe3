/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of one function: its costs run by run, its size and parts, what is inlined
 * into it, its instructions, its source lines, and who calls it.
 */
#include <string.h>

#include "analysis/why.h"
#include "base/num.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/headline.h"
#include "report/schema.h"
#include "report/sections.h"

enum { TOP_INLINES = 15, TOP_LINES = 15 };

/* The rows of the function: one an event, as a rule. */
static const struct pd_row *next_row(const struct pd_why_view *v, uint32_t *at)
{
	for (; v->c && *at < v->c->n_rows; (*at)++) {
		const struct pd_row *row = &v->c->rows[*at];

		if (!row->is_filtered &&
		    !strcmp(pd_strtab_get(&v->c->strings, row->name), v->function)) {
			(*at)++;
			return row;
		}
	}
	return NULL;
}

static const char *percent(struct pd_document *d, double ratio)
{
	return pd_document_printf(d, "%s%%", pd_signed_text(d, 100 * (ratio - 1), 1));
}

/* "= 0.03": of a probability. */
static const char *small(struct pd_document *d, double x)
{
	char buf[PD_NUM_LEN];

	if (x < 0.0001)
		return "< 0.0001";
	return pd_document_printf(d, "= %s", pd_num_fixed(x, x < 0.01 ? 4 : 2, buf));
}

/* "-93.6% [-96.4%,-89.4%], improved; p = 0.0001, q = 0.0009, paired exact." */
static void add_test(struct pd_document *d, const struct pd_comparison *c,
		     const struct pd_row *row, uint32_t side)
{
	const struct pd_change *x = &row->changes[side];
	const char *word = pd_verdict_word(x->verdict), *text = "";

	if (c->n_sides > 2)
		text = pd_document_printf(d, "%s: ", c->sides[side].label);
	if (isfinite(x->ratio))
		text = pd_document_printf(d, "%s%s", text, percent(d, x->ratio));
	if (isfinite(x->ratio_lo) && isfinite(x->ratio_hi))
		text = pd_document_printf(d, "%s [%s,%s]", text, percent(d, x->ratio_lo),
					  percent(d, x->ratio_hi));
	text = pd_document_printf(d, "%s%s%s", text, *text ? ", " : "",
				  word ? word : "not tested");
	if (pd_is_known(x->p))
		text = pd_document_printf(d, "%s; p %s", text, small(d, x->p));
	if (pd_is_known(x->q))
		text = pd_document_printf(d, "%s, q %s", text, small(d, x->q));
	pd_document_add_text(d, pd_document_printf(d, "%s; paired: %s.", text,
						   pd_pairing_name(row->paired)));
}

/* The numbers of every run of a row, a line a side. */
static void add_runs(struct pd_document *d, const struct pd_comparison *c,
		     const struct pd_row *row)
{
	struct pd_figures f = pd_event_figures(d, c, row->event);
	const char *event = pd_document_text(
		d, pd_strtab_get(&c->strings, c->events[row->event].name));
	uint32_t n_most = 0;
	struct pd_table *t;

	for (uint32_t s = 0; s < c->n_sides; s++)
		n_most = c->sides[s].n_runs > n_most ? c->sides[s].n_runs : n_most;
	t = pd_document_add_table(d, pd_document_printf(d, "%s, run by run (%s):", event, f.unit));
	pd_table_add_column(d, t, "side", "", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < n_most; i++) {
		pd_table_add_column(d, t, pd_document_printf(d, "run %u", i + 1),
				    pd_document_printf(d, "%u", i + 1), PD_STYLE_COUNT,
				    c->events[row->event].is_weighted ? f.decimals : 0);
		pd_table_set_divisor(t, f.divisor);
	}
	pd_table_add_column(d, t, "mean", "mean", PD_STYLE_COUNT, f.decimals);
	pd_table_set_divisor(t, f.divisor);
	pd_table_add_column(d, t, "sd", "+-sd", PD_STYLE_SPREAD, f.decimals);
	pd_table_set_divisor(t, f.divisor);
	pd_table_add_column(d, t, "share", "share", PD_STYLE_SHARE, 2);
	for (uint32_t s = 0; s < c->n_sides && t; s++) {
		const struct pd_side *side = &c->sides[s];
		struct pd_table_row *cells = pd_table_add_row(d, t, PD_ROW_NORMAL);

		if (!cells)
			return;
		cells->cells[0].text = pd_document_text(d, side->label);
		for (uint32_t i = 0; i < side->n_runs; i++)
			cells->cells[1 + i].number = row->runs[side->first_run + i];
		cells->cells[1 + n_most].number = row->sides[s].value;
		cells->cells[2 + n_most].number = row->sides[s].sd;
		cells->cells[3 + n_most].number =
			100 * row->sides[s].value / c->events[row->event].sides[s].value;
	}
}

static void add_costs(struct pd_document *d, const struct pd_why_view *v)
{
	const struct pd_row *row;
	uint32_t at = 0, n = 0;

	while ((row = next_row(v, &at))) {
		add_runs(d, v->c, row);
		for (uint32_t s = 1; s < v->c->n_sides; s++)
			add_test(d, v->c, row, s);
		for (uint32_t i = 0; i < row->n_notes; i++)
			pd_document_add_text(d, pd_document_text(d, row->notes[i]));
		n++;
	}
	if (v->c && !n)
		pd_document_add_text(d, "the profiles do not have it.");
}

static const char *text_of(struct pd_document *d, const struct pd_sizes *sizes, pd_str s)
{
	return pd_document_text(d, pd_strtab_get(&sizes->strings, s));
}

/* Its pieces, and other names. */
static void add_size(struct pd_document *d, const struct pd_sizes *sizes,
		     const struct pd_size_row *row)
{
	struct pd_table *t = pd_document_add_table(d, NULL);
	const char *aliases = "";

	pd_table_add_column(d, t, "base", pd_document_text(d, sizes->sides[0].label),
			    PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "next", pd_document_text(d, sizes->sides[1].label),
			    PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "part", "bytes", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < row->n_parts && t; i++) {
		const struct pd_size_part *part = &sizes->parts[row->first_part + i];
		struct pd_table_row *cells = pd_table_add_row(d, t, PD_ROW_NORMAL);

		if (!cells)
			return;
		cells->cells[0].number = part->n_bytes[0];
		cells->cells[1].number = part->n_bytes[1];
		cells->cells[2].number = pd_size_delta(part->n_bytes);
		cells->cells[3].text = pd_document_printf(d, "%s (%s)",
							  text_of(d, sizes, part->name),
							  text_of(d, sizes, part->section));
	}
	for (uint32_t i = 0; i < row->n_aliases; i++)
		aliases = pd_document_printf(d, "%s%s%s", aliases, i ? ", " : "",
					     text_of(d, sizes,
						     sizes->aliases[row->first_alias + i]));
	if (row->file.id)
		pd_document_add_text(d, pd_document_printf(d, "it is of %s.",
							   text_of(d, sizes, row->file)));
	if (*aliases)
		pd_document_add_text(d, pd_document_printf(d, "also called: %s.", aliases));
}

static void add_inlines(struct pd_document *d, const struct pd_sizes *sizes,
			const struct pd_why *w, const struct pd_view_options *options)
{
	static const char *const ids[] = {"instances-base", "instances-next", "bytes-base",
					  "bytes-next"};
	static const char *const titles[] = {"instances", "next", "bytes", "next"};
	uint32_t n = options->has_top ? options->n_top : TOP_INLINES;
	struct pd_table *t;

	if (!sizes->has_inlines) {
		pd_document_add_text(d, "without DWARF on both sides, what is inlined into it is "
					"not known.");
		return;
	}
	if (!w->n_inlines) {
		pd_document_add_text(d, "nothing is inlined into it.");
		return;
	}
	t = pd_document_add_table(d, "inlined into it:");
	for (int i = 0; i < 4; i++)
		pd_table_add_column(d, t, ids[i], titles[i], PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "function", "function", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < w->n_inlines && t && (!n || i < n); i++) {
		const struct pd_why_inline *x = &w->inlines[i];
		struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);

		if (!row)
			return;
		row->cells[0].number = x->n_instances[0];
		row->cells[1].number = x->n_instances[1];
		row->cells[2].number = x->n_bytes[0];
		row->cells[3].number = x->n_bytes[1];
		row->cells[4].number = x->n_bytes[1] - x->n_bytes[0];
		row->cells[5].text = text_of(d, sizes, x->name);
	}
	if (n && w->n_inlines > n)
		pd_document_add_text(d, pd_document_printf(d, "%u more inlined functions not "
							   "shown; --top=N shows N.",
							   w->n_inlines - n));
}

static void add_class(struct pd_document *d, const struct pd_why_class *x, const char *name,
		      struct pd_table *t)
{
	struct pd_table_row *row = t ? pd_table_add_row(d, t, PD_ROW_NORMAL) : NULL;

	if (!row)
		return;
	row->cells[0].number = x->n[0];
	row->cells[1].number = x->n[1];
	row->cells[2].number = x->n[1] - x->n[0];
	row->cells[3].number = x->n_removed;
	row->cells[4].number = x->n_added;
	row->cells[5].text = name;
}

static void add_instructions(struct pd_document *d, const struct pd_annotation *a,
			     const struct pd_why *w)
{
	struct pd_table *t = pd_document_add_table(d, NULL);

	pd_table_add_column(d, t, "base", pd_document_text(d, a->sides[0].label), PD_STYLE_COUNT,
			    0);
	pd_table_add_column(d, t, "next", a->n_sides > 1 ? pd_document_text(d, a->sides[1].label)
							 : "", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "removed", "removed", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "added", "added", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "class", "instructions", PD_STYLE_TEXT, 0);
	for (int k = 0; k < PD_N_CLASSES; k++)
		if (w->classes[k].n[0] > 0 || w->classes[k].n[1] > 0)
			add_class(d, &w->classes[k], pd_insn_class_names[k], t);
	add_class(d, &w->all, "all", t);
	for (uint32_t p = 0; p < a->n_parts; p++)
		if (a->parts[p].is_same_code)
			pd_document_add_text(d, pd_document_printf(
							d, "%s has the same code on both sides, "
							"wherever it is.", a->parts[p].names[0]));
}

static void add_lines(struct pd_document *d, const struct pd_annotation *a,
		      const struct pd_why *w, const struct pd_view_options *options)
{
	uint32_t n = options->has_top ? options->n_top : TOP_LINES;
	struct pd_table *t;

	if (!w->n_lines)
		return;
	t = pd_document_add_table(d, pd_document_printf(d, "source lines whose %s changed most:",
							a->events[0].name));
	pd_table_add_column(d, t, "base", pd_document_text(d, a->sides[0].label), PD_STYLE_COUNT,
			    1);
	pd_table_add_column(d, t, "next", a->n_sides > 1 ? pd_document_text(d, a->sides[1].label)
							 : "", PD_STYLE_COUNT, 1);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 1);
	pd_table_add_column(d, t, "line", "line", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < w->n_lines && t && (!n || i < n); i++) {
		const struct pd_why_line *x = &w->lines[i];
		struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);

		if (!row)
			return;
		row->cells[0].number = x->costs[0][0];
		row->cells[1].number = x->costs[1][0];
		row->cells[2].number = x->costs[1][0] - x->costs[0][0];
		row->cells[3].text = pd_document_printf(d, "%s:%u",
							pd_strtab_get(&a->strings, x->file),
							x->line);
	}
}

/* ---- for programs ---- */

static void add_inline_values(struct pd_document *d, const struct pd_why_view *v)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "inline");

	for (uint32_t i = 0; i < v->why->n_inlines && v->sizes; i++) {
		const struct pd_why_inline *x = &v->why->inlines[i];
		struct pd_value *item = NULL;

		for (uint32_t k = 0; k < v->sizes->n_inlines && !item; k++)
			if (v->sizes->inlines[k].name.id == x->name.id)
				item = pd_schema_add_inline(d, list, v->sizes,
							    &v->sizes->inlines[k]);
		if (!item) {
			item = pd_value_add_object(d, list, NULL);
			pd_value_add_text(d, item, "name",
					  pd_strtab_get(&v->sizes->strings, x->name));
		}
		pd_schema_add_pair(d, item, "instances_here", x->n_instances);
		pd_schema_add_pair(d, item, "bytes_here", x->n_bytes);
	}
}

static void add_values(struct pd_document *d, const struct pd_why_view *v)
{
	const struct pd_annotation *a = v->annotation;
	const struct pd_row *row;
	struct pd_value *list;
	uint32_t at = 0;

	pd_value_add_text(d, d->root, "function", v->function);
	row = next_row(v, &at);
	if (row)
		pd_schema_add_row(d, d->root, "row", v->c, row);
	else
		pd_value_add_null(d, d->root, "row");
	if (v->size_row != PD_NO_INDEX)
		pd_schema_add_size_row(d, d->root, "size", v->sizes, &v->sizes->rows[v->size_row]);
	else
		pd_value_add_null(d, d->root, "size");
	add_inline_values(d, v);
	list = pd_value_add_object(d, d->root, "instructions");
	for (int k = 0; k < PD_N_CLASSES && a; k++)
		pd_schema_add_pair(d, list, pd_insn_class_names[k], v->why->classes[k].n);
	if (a)
		pd_schema_add_pair(d, list, "all", v->why->all.n);
	list = pd_value_add_list(d, d->root, "source_lines");
	for (uint32_t i = 0; i < v->why->n_lines; i++) {
		const struct pd_why_line *x = &v->why->lines[i];
		struct pd_value *item = pd_value_add_object(d, list, NULL), *delta;

		pd_value_add_text(d, item, "file", pd_strtab_get(&a->strings, x->file));
		pd_value_add_number(d, item, "line", x->line);
		delta = pd_value_add_list(d, item, "delta");
		for (uint32_t e = 0; e < a->n_events; e++)
			pd_value_add_number(d, delta, NULL, x->costs[1][e] - x->costs[0][e]);
	}
}

static int add_callers(struct pd_document *d, const struct pd_why_view *v,
		       const struct pd_view_options *options, struct pd_error *err)
{
	struct pd_value *root = d->root;
	int rc;

	if (!v->callers) {
		pd_value_add_null(d, d->root, "callers");
		return PD_OK;
	}
	pd_document_add_heading(d, "Callers");
	d->root = pd_value_add_object(d, root, "callers");
	rc = pd_callers_add(d, v->callers, v->c, options, false, err);
	d->root = root;
	return rc;
}

int pd_report_why(const struct pd_why_view *v, const struct pd_view_options *options,
		  const struct pd_diags *diags, struct pd_document **ret_document,
		  struct pd_error *err)
{
	struct pd_document *d = pd_view_document(options);
	int rc;

	if (!d)
		return pd_fail_nomem(err);
	pd_schema_add_head(d, "why", diags);
	add_values(d, v);
	pd_document_add_heading(d, pd_document_text(d, v->function));
	if (v->c)
		add_costs(d, v);
	if (v->size_row != PD_NO_INDEX) {
		pd_document_add_heading(d, "Size");
		add_size(d, v->sizes, &v->sizes->rows[v->size_row]);
		add_inlines(d, v->sizes, v->why, options);
	}
	if (v->annotation) {
		pd_document_add_heading(d, "Code");
		add_instructions(d, v->annotation, v->why);
		add_lines(d, v->annotation, v->why, options);
	}
	rc = add_callers(d, v, options, err);
	if (rc == PD_OK)
		rc = d->failed ? pd_fail_nomem(err) : PD_OK;
	if (rc != PD_OK) {
		pd_document_free(d);
		return rc;
	}
	*ret_document = d;
	return PD_OK;
}
