/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations. Contract: explain.h. In the text the column of changes adds up to its
 * last line as it is printed: what rounding leaves is in the rest.
 *
 * Of the value tree, one object a next side:
 *
 *   {"event": "ticks", "side": "B", "split": null | "calls" | "METRIC",
 *    "parts": [{"kind": "idle" | "inline" | "function" | "dir" | "module" | "leftover" |
 *               "rest", "name": "mm", "rows": n, "base": x, "next": x, "delta": x,
 *               "share": delta / that of the total | null, "by_calls": x | null,
 *               "by_cost": x | null, "unsplit": x | null}],
 *    "total": {the same, without kind, name and rows} | null where costs are inclusive}
 *
 * Costs are means over the runs, as read (not per unit of --per). The deltas of parts
 * add up to the total's; by_calls + by_cost + unsplit = delta, null without a split.
 */
#include "report/explain.h"

#include "analysis/events.h"
#include "analysis/explain.h"
#include "base/num.h"
#include "report/columns.h"
#include "report/figures.h"

struct page {
	struct pd_document *d;
	const struct pd_comparison *c;
	const struct pd_explanation *x;
	uint32_t event, side;
	struct pd_figures figures;
	const struct pd_column_kind *verdict; /* or NULL: no column */
};

/* With --per costs are explained as read, which are larger than those per unit. */
static struct pd_figures figures_of(struct pd_document *d, const struct pd_comparison *c,
				    uint32_t event, const struct pd_cause *total)
{
	const struct pd_compared_event *e = &c->events[event];
	struct pd_span name = pd_event_bare_name(pd_strtab_span(&c->strings, e->name));
	double largest = fmax(fabs(total->base), fabs(total->next));

	if (!c->per)
		return pd_event_figures(d, c, event);
	if (e->is_weighted)
		return pd_weighted_figures(d, name, e->unit, largest, e->tick);
	return (struct pd_figures){1, largest >= 1000 ? 0 : 1, pd_unit_name(e->unit)};
}

/* A cost as it will be printed. */
static double rounded(const struct page *p, double x)
{
	char text[PD_NUM_LEN];
	double y = 0;

	pd_num_fixed(x / p->figures.divisor, p->figures.decimals, text);
	return pd_num_parse(pd_span_of(text), &y) ? y * p->figures.divisor : x;
}

/* What printed parts lack to the printed total. */
static double rounding_rest(const struct page *p)
{
	struct pd_sum sum = {0};

	for (uint32_t i = 0; i < p->x->n_causes; i++)
		pd_sum_add(&sum, rounded(p, p->x->causes[i].delta));
	return rounded(p, p->x->total.delta) - sum.high;
}

/* The part that takes it: the rest, or else the one that moved most. */
static uint32_t part_that_rounds(const struct pd_explanation *x)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < x->n_causes; i++)
		if (x->causes[i].kind == PD_CAUSE_REST ||
		    fabs(x->causes[i].delta) > fabs(x->causes[best].delta))
			best = i;
	return best;
}

static const char *name_of(const struct page *p, const struct pd_cause *cause)
{
	const char *what = p->c->rows_are ? "row" : "function", *s = cause->n_rows == 1 ? "" : "s";

	switch (cause->kind) {
	case PD_CAUSE_DIR:
	case PD_CAUSE_MODULE:
		return pd_document_printf(p->d, "%s: %u other %s%s", cause->name, cause->n_rows,
					  what, s);
	case PD_CAUSE_REST:
		return pd_document_printf(p->d, "the rest: %u %s%s", cause->n_rows, what, s);
	case PD_CAUSE_IDLE:
	case PD_CAUSE_INLINE:
	case PD_CAUSE_FUNCTION:
	case PD_CAUSE_LEFTOVER:
		break;
	}
	return pd_document_text(p->d, cause->name);
}

static bool is_split(const struct page *p)
{
	return p->x->split != PD_SPLIT_NONE;
}

static void add_columns(const struct page *p, struct pd_table *t)
{
	const struct pd_side *base = &p->c->sides[0], *next = &p->c->sides[p->side];
	struct {
		const char *id, *title;
		enum pd_style style;
		bool is_there;
	} columns[] = {
		{"base", pd_document_text(p->d, base->label), PD_STYLE_COUNT, true},
		{"next", pd_document_text(p->d, next->label), PD_STYLE_COUNT, true},
		{"delta", "delta", PD_STYLE_DELTA, true},
		{"share", "of change", PD_STYLE_SHARE, p->x->has_total},
		{"by-calls", p->x->split == PD_SPLIT_PER ? "by count" : "by calls",
		 PD_STYLE_DELTA, is_split(p)},
		{"by-cost", "by cost", PD_STYLE_DELTA, is_split(p)},
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		bool is_share = columns[i].style == PD_STYLE_SHARE;

		if (!columns[i].is_there)
			continue;
		pd_table_add_column(p->d, t, columns[i].id,
				    pd_document_text(p->d, columns[i].title), columns[i].style,
				    is_share ? 1 : p->figures.decimals);
		if (!is_share)
			pd_table_set_divisor(t, p->figures.divisor);
	}
	if (p->verdict)
		pd_table_add_column(p->d, t, "verdict", p->verdict->title, p->verdict->style, 0);
	pd_table_add_column(p->d, t, "part", "where", PD_STYLE_TEXT, 0);
}

static void add_line(const struct page *p, const struct pd_cause *cause, double delta,
		     const char *name, enum pd_row_kind kind, struct pd_table *t)
{
	struct pd_table_row *row = pd_table_add_row(p->d, t, kind);
	uint32_t n = 0;

	if (!row)
		return;
	row->cells[n++].number = cause->base;
	row->cells[n++].number = cause->next;
	row->cells[n++].number = delta;
	if (p->x->has_total && p->x->total.delta != 0)
		row->cells[n].number = 100 * cause->delta / p->x->total.delta;
	n += p->x->has_total;
	if (is_split(p)) {
		bool has_some = cause->by_calls != 0 || cause->by_cost != 0;

		row->cells[n++].number = has_some ? cause->by_calls : PD_UNKNOWN;
		row->cells[n++].number = has_some ? cause->by_cost : PD_UNKNOWN;
	}
	if (p->verdict) {
		if (cause->row)
			p->verdict->get(p->d, p->c, cause->row, p->side, &row->cells[n]);
		n++;
	}
	row->cells[n].text = name;
}

/* ": +5 by calls, -3 by cost, 0 not told, of +2 ticks": of the total, if there is one. */
static const char *total_text(const struct page *p, const char *by)
{
	const struct pd_cause *total = &p->x->total;
	const char *unsplit = "";

	if (!p->x->has_total)
		return "; the costs are inclusive, with all callees: they overlap and do not add "
		       "up.";
	if (rounded(p, total->unsplit) != 0)
		unsplit = pd_document_printf(p->d, ", %s not told",
					     pd_figures_signed(p->d, &p->figures, total->unsplit));
	return pd_document_printf(p->d, ": %s %s, %s by cost%s, of %s %s.",
				  pd_figures_signed(p->d, &p->figures, total->by_calls), by,
				  pd_figures_signed(p->d, &p->figures, total->by_cost), unsplit,
				  pd_figures_signed(p->d, &p->figures, total->delta),
				  p->figures.unit);
}

/* "More often, or dearer?": what the columns mean, or why there are none. */
static void add_words(const struct page *p)
{
	if (p->x->split == PD_SPLIT_NONE)
		pd_document_add_text(p->d, "more calls, or costlier ones? These inputs do not "
					   "tell: ftrace, gprof and callgrind count calls, and "
					   "--per=METRIC splits by a metric of each side.");
	else if (p->x->split == PD_SPLIT_PER)
		pd_document_add_text(p->d, pd_document_printf(
			p->d, "delta = \"by count\" (more or less of \"%s\" in a run, at the mean "
			"cost of one) + \"by cost\" (how much more one costs)%s", p->c->per,
			total_text(p, "by count")));
	else
		pd_document_add_text(p->d, pd_document_printf(
			p->d, "delta = \"by calls\" (how much more often it was called, at the "
			"mean cost of a call) + \"by cost\" (how much more one call costs)%s",
			total_text(p, "by calls")));
}

static void add_table(const struct page *p)
{
	double rest = p->x->has_total ? rounding_rest(p) : 0;
	uint32_t rounds = part_that_rounds(p->x);
	struct pd_table *t = pd_document_add_table(
		p->d, pd_document_printf(p->d, "where the %s went, %s - %s:", p->figures.unit,
					 p->c->sides[p->side].label, p->c->sides[0].label));

	if (!t)
		return;
	add_columns(p, t);
	for (uint32_t i = 0; i < p->x->n_causes; i++) {
		const struct pd_cause *cause = &p->x->causes[i];

		add_line(p, cause, rounded(p, cause->delta) + (i == rounds ? rest : 0),
			 name_of(p, cause), PD_ROW_NORMAL, t);
	}
	if (p->x->has_total)
		add_line(p, &p->x->total, p->x->total.delta, "total", PD_ROW_REST, t);
	add_words(p);
}

static void add_numbers(const struct page *p, struct pd_value *v, const struct pd_cause *cause)
{
	pd_value_add_number(p->d, v, "base", cause->base);
	pd_value_add_number(p->d, v, "next", cause->next);
	pd_value_add_number(p->d, v, "delta", cause->delta);
	pd_value_add_number(p->d, v, "share", cause->delta / p->x->total.delta);
	pd_value_add_number(p->d, v, "by_calls", is_split(p) ? cause->by_calls : PD_UNKNOWN);
	pd_value_add_number(p->d, v, "by_cost", is_split(p) ? cause->by_cost : PD_UNKNOWN);
	pd_value_add_number(p->d, v, "unsplit", is_split(p) ? cause->unsplit : PD_UNKNOWN);
}

static void add_values(const struct page *p, struct pd_value *list)
{
	struct pd_value *v = pd_value_add_object(p->d, list, NULL), *parts;

	pd_value_add_text(p->d, v, "event",
			  pd_strtab_get(&p->c->strings, p->c->events[p->event].name));
	pd_value_add_text(p->d, v, "side", p->c->sides[p->side].label);
	pd_value_add_text(p->d, v, "split", p->x->split == PD_SPLIT_PER     ? p->c->per
					    : p->x->split == PD_SPLIT_CALLS ? "calls"
									    : NULL);
	parts = pd_value_add_list(p->d, v, "parts");
	for (uint32_t i = 0; i < p->x->n_causes; i++) {
		const struct pd_cause *cause = &p->x->causes[i];
		struct pd_value *part = pd_value_add_object(p->d, parts, NULL);

		pd_value_add_text(p->d, part, "kind", pd_cause_kind_name(cause->kind));
		pd_value_add_text(p->d, part, "name", cause->name);
		pd_value_add_number(p->d, part, "rows", cause->n_rows);
		add_numbers(p, part, cause);
	}
	if (p->x->has_total)
		add_numbers(p, pd_value_add_object(p->d, v, "total"), &p->x->total);
	else
		pd_value_add_null(p->d, v, "total");
}

/* Verdicts with several runs a side, marks with one, as in the table of functions. */
static const struct pd_column_kind *verdict_column(const struct pd_comparison *c, uint32_t event)
{
	bool has_verdicts = c->mode != PD_STATS_SINGLE;

	if (!has_verdicts && !c->events[event].is_counted)
		return NULL;
	return pd_column_kind_find(pd_span_of(has_verdicts ? "finding" : "mark"));
}

/* Fill a page; its explanation is x. Errors as pd_explain(). */
static int make_page(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		     uint32_t side, struct pd_explanation *x, struct page *ret_page,
		     struct pd_error *err)
{
	int rc = pd_explain(c, event, side, x, err);

	if (rc != PD_OK)
		return rc;
	*ret_page = (struct page){
		.d = d, .c = c, .x = x, .event = event, .side = side,
		.figures = figures_of(d, c, event, &x->total),
		.verdict = verdict_column(c, event),
	};
	return PD_OK;
}

int pd_explain_add(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		   struct pd_error *err)
{
	for (uint32_t s = 1; s < c->n_sides; s++) {
		struct pd_explanation x = {0};
		struct page p;
		int rc = make_page(d, c, event, s, &x, &p, err);

		if (rc != PD_OK)
			return rc;
		add_table(&p);
		pd_explanation_done(&x);
	}
	return PD_OK;
}

int pd_explain_add_values(struct pd_document *d, const struct pd_comparison *c,
			  struct pd_error *err)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "explain");

	for (uint32_t e = 0; e < c->n_events; e++)
		for (uint32_t s = 1; s < c->n_sides; s++) {
			struct pd_explanation x = {0};
			struct page p;
			int rc = make_page(d, c, e, s, &x, &p, err);

			if (rc != PD_OK)
				return rc;
			add_values(&p, list);
			pd_explanation_done(&x);
		}
	return PD_OK;
}
