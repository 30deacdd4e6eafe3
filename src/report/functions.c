/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of a comparison: totals, the table of functions, the idle ones
 * apart, what is in no row, and the sentences of footer.h.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "report/beside.h"
#include "report/benchmarks.h"
#include "report/columns.h"
#include "report/comparable.h"
#include "report/explain.h"
#include "report/figures.h"
#include "report/footer.h"
#include "report/headline.h"
#include "report/order.h"
#include "report/report.h"
#include "report/schema.h"
#include "report/sections.h"

/* "4 runs a side, raw ticks:" */
static const char *runs_text(struct pd_document *d, const struct pd_comparison *c, uint32_t event)
{
	static const char *const how[] = {
		[PD_NORMALIZE_NONE] = "raw",
		[PD_NORMALIZE_MEDIAN] = "median-normalized",
		[PD_NORMALIZE_TOTAL] = "total-normalized",
		[PD_NORMALIZE_PER] = "",
	};
	enum pd_normalize normalize =
		c->events[event].has_fallen_back ? PD_NORMALIZE_NONE : c->normalize;
	struct pd_figures f = pd_event_figures(d, c, event);
	const char *inclusive = c->is_inclusive ? "inclusive " : "";
	const char *unit = c->per ? pd_document_printf(d, "%s%s per %s", inclusive, f.unit, c->per)
				  : pd_document_printf(d, "%s %s%s", how[normalize], inclusive,
						       f.unit);
	uint32_t n = c->sides[0].n_runs;

	for (uint32_t s = 0; s < c->n_sides; s++)
		if (c->sides[s].n_runs != n)
			return pd_document_printf(d, "unequal numbers of runs, %s:", unit);
	return pd_document_printf(d, "%u run%s a side, %s:", n, n == 1 ? "" : "s", unit);
}

/* What the first column of a table of totals is called. */
static const char *event_text(struct pd_document *d, const struct pd_comparison *c, uint32_t event)
{
	const struct pd_compared_event *e = &c->events[event];

	if (c->n_events > 1)
		return pd_document_text(d, pd_strtab_get(&c->strings, e->name));
	return pd_event_figures(d, c, event).unit;
}

/* A row of sums, as if it were a function. */
static void add_total(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		      const struct pd_slots *slots, bool is_busy, struct pd_table *t)
{
	const struct pd_compared_event *e = &c->events[event];
	struct pd_row as_row = {
		.event = event,
		.sides = is_busy ? e->busy_sides : e->sides,
		.changes = is_busy ? e->busy_changes : e->changes,
	};
	struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);

	if (!row)
		return;
	row->cells[0].text = is_busy ? "busy" : "total";
	pd_slots_fill(d, c, slots, &as_row, &row->cells[1]);
}

static int add_totals(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		      const struct pd_slots *slots, const struct pd_view_options *options,
		      struct pd_error *err)
{
	struct pd_table *t = pd_document_add_table(d, runs_text(d, c, event));
	struct pd_slots sides = {0};
	int rc = pd_slots_of_sides(d, slots, &sides, err);

	if (rc != PD_OK)
		return rc;
	pd_table_add_column(d, t, "what", event_text(d, c, event), PD_STYLE_TEXT, 0);
	pd_slots_add(d, c, event, &sides, true, t);
	add_total(d, c, event, &sides, false, t);
	if (c->events[event].has_idle && !options->has_idle_rows)
		add_total(d, c, event, &sides, true, t);
	return PD_OK;
}

static void add_leftovers(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
			  const struct pd_slots *slots, struct pd_table *t)
{
	for (uint32_t i = 0; i < c->n_leftovers; i++) {
		const struct pd_leftover *l = &c->leftovers[i];
		struct pd_row as_row = {.name = l->name,
					.module = l->module,
					.event = event,
					.sides = l->sides,
					.changes = l->changes};
		struct pd_table_row *row;

		if (l->event != event)
			continue;
		row = pd_table_add_row(d, t, PD_ROW_REST);
		if (row)
			pd_slots_fill(d, c, slots, &as_row, row->cells);
	}
}

/* The rows of an order, idle ones or the others. */
static void add_rows(struct pd_document *d, const struct pd_comparison *c,
		     const struct pd_order *order, const struct pd_slots *slots,
		     const struct pd_view_options *options, bool wants_idle, struct pd_table *t)
{
	bool is_after_break = false;

	for (uint32_t i = 0; i < order->n; i++) {
		const struct pd_order_item *item = &order->items[i];
		const struct pd_row *from = &c->rows[item->row];
		const struct pd_row *top = from->group == PD_NO_ROW ? from : &c->rows[from->group];
		bool is_apart = top->is_idle && !options->has_idle_rows;
		struct pd_table_row *row;

		is_after_break |= item->is_after_break;
		if (item->is_hidden || is_apart != wants_idle)
			continue;
		if (is_after_break && t->n_rows)
			(void)pd_table_add_row(d, t, PD_ROW_BREAK);
		is_after_break = false;
		row = pd_table_add_row(d, t, from == top ? PD_ROW_NORMAL : PD_ROW_CHILD);
		if (row)
			pd_slots_fill(d, c, slots, from, row->cells);
	}
}

/* Whether there is an idle function to show apart from the others. */
static bool has_idle_rows(const struct pd_comparison *c, const struct pd_order *order,
			  const struct pd_view_options *options)
{
	for (uint32_t i = 0; i < order->n && !options->has_idle_rows; i++)
		if (!order->items[i].is_hidden && c->rows[order->items[i].row].is_idle &&
		    c->rows[order->items[i].row].group == PD_NO_ROW)
			return true;
	return false;
}

static void add_functions(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
			  const struct pd_order *order, const struct pd_slots *slots,
			  const struct pd_view_options *options)
{
	struct pd_table *t = pd_document_add_table(d, NULL);

	pd_slots_add(d, c, event, slots, false, t);
	if (t)
		add_rows(d, c, order, slots, options, false, t);
	add_leftovers(d, c, event, slots, t);
	if (!has_idle_rows(c, order, options))
		return;
	t = pd_document_add_table(d, "idle:");
	pd_slots_add(d, c, event, slots, false, t);
	if (t)
		add_rows(d, c, order, slots, options, true, t);
}

/* --runs: for each side, every run's number, as people paste them. */
static void add_runs(struct pd_document *d, const struct pd_comparison *c,
		     uint32_t event, const struct pd_order *order, uint32_t s)
{
	const struct pd_side *side = &c->sides[s];
	struct pd_table *t =
		pd_document_add_table(d, pd_document_printf(d, "%s, run by run:", side->label));
	struct pd_figures f = pd_event_figures(d, c, event);
	bool is_whole = true;

	for (uint32_t i = 0; i < c->n_rows; i++)
		for (uint32_t k = 0; k < side->n_runs; k++) {
			double x = c->rows[i].runs[side->first_run + k];

			is_whole &= !pd_is_known(x) || x == trunc(x);
		}
	for (uint32_t i = 0; i < side->n_runs; i++) {
		pd_table_add_column(d, t, pd_document_printf(d, "run %u", i + 1),
				    pd_document_printf(d, "%u", i + 1), PD_STYLE_COUNT,
				    c->events[event].is_weighted ? f.decimals : is_whole ? 0 : 2);
		pd_table_set_divisor(t, f.divisor);
	}
	pd_table_add_column(d, t, "function", c->rows_are ? c->rows_are : "function",
			    PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < order->n; i++) {
		const struct pd_row *from = &c->rows[order->items[i].row];
		struct pd_table_row *row;

		if (order->items[i].is_hidden || !from->is_listed[s])
			continue;
		row = pd_table_add_row(d, t,
				       from->group == PD_NO_ROW ? PD_ROW_NORMAL : PD_ROW_CHILD);
		if (!row)
			return;
		for (uint32_t k = 0; k < side->n_runs; k++) {
			row->cells[k].number = from->runs[side->first_run + k];
			if (!pd_is_known(row->cells[k].number))
				row->cells[k].text = "?";
		}
		row->cells[side->n_runs].text =
			pd_document_text(d, pd_strtab_get(&c->strings, from->name));
	}
}

/* One row of the table for programs. */
static void add_data_row(struct pd_document *d, const struct pd_comparison *c,
			 const struct pd_slots *slots, const char *kind, const struct pd_row *from,
			 const char *name, struct pd_table *t)
{
	struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);

	if (!row)
		return;
	row->cells[0].text =
		pd_document_text(d, pd_strtab_get(&c->strings, c->events[from->event].name));
	row->cells[1].text = kind;
	pd_slots_fill(d, c, slots, from, &row->cells[2]);
	if (name)
		row->cells[1 + slots->n].text = name;
}

/* All rows of all events, with every column that there is. */
int pd_functions_add_data(struct pd_document *d, const struct pd_comparison *c,
			  const char *columns, struct pd_error *err)
{
	struct pd_table *t = pd_document_add_data(d);
	struct pd_slots slots = {0};
	int rc;

	if (!t)
		return PD_OK; /* nobody wants it, or the failure is latched */
	rc = columns ? pd_slots_choose(d, c, columns, &slots, err)
		     : pd_slots_all(d, c, &slots, err);

	if (rc != PD_OK)
		return rc;
	pd_table_add_column(d, t, "event", "event", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "kind", "kind", PD_STYLE_TEXT, 0);
	pd_slots_add(d, c, 0, &slots, true, t);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];

		add_data_row(d, c, &slots,
			     row->n_members	       ? "group"
			     : row->group != PD_NO_ROW ? "member"
						       : "function",
			     row, NULL, t);
	}
	for (uint32_t i = 0; i < c->n_beside; i++)
		add_data_row(d, c, &slots, "inline", &c->beside[i], NULL, t);
	for (uint32_t i = 0; i < c->n_leftovers; i++) {
		const struct pd_leftover *l = &c->leftovers[i];
		struct pd_row as_row = {.name = l->name,
					.module = l->module,
					.event = l->event,
					.sides = l->sides,
					.changes = l->changes};

		add_data_row(d, c, &slots, "leftover", &as_row, NULL, t);
	}
	for (uint32_t e = 0; e < c->n_events; e++) {
		struct pd_row as_row = {
			.event = e, .sides = c->events[e].sides, .changes = c->events[e].changes};

		add_data_row(d, c, &slots, "total", &as_row, columns ? NULL : "total", t);
		as_row.sides = c->events[e].busy_sides;
		as_row.changes = c->events[e].busy_changes;
		add_data_row(d, c, &slots, "busy", &as_row, columns ? NULL : "busy", t);
	}
	pd_benchmarks_add_data(d, c, &slots, t);
	return PD_OK;
}

/* The short names of all modules of a comparison. */
static struct pd_short_modules short_modules(struct pd_document *d, const struct pd_comparison *c)
{
	size_t n_most = (size_t)c->n_rows + c->n_leftovers, n = 0;
	pd_str *modules = pd_arena_array(&d->arena, n_most, sizeof(*modules));

	if (!modules) {
		d->failed = true;
		return (struct pd_short_modules){0};
	}
	for (uint32_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].module.id)
			modules[n++] = c->rows[i].module;
	for (uint32_t i = 0; i < c->n_leftovers; i++)
		if (c->leftovers[i].module.id)
			modules[n++] = c->leftovers[i].module;
	return pd_short_modules_make(d, &c->strings, modules, n);
}

/* A table without a row: why that is, where nothing below it says so. */
static void tell_empty(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		       const struct pd_order *order)
{
	if (order->n)
		return;
	for (uint32_t i = 0; i < c->n_leftovers; i++)
		if (c->leftovers[i].event == event &&
		    !strcmp(pd_strtab_get(&c->strings, c->leftovers[i].name), "[filtered]")) {
			pd_document_add_text(d, "no row is left: options like --filter, --exclude, "
						"--symbols and --dsos take out all of them.");
			return;
		}
	pd_document_add_text(d, "no row: the inputs list no function.");
}

static int add_event(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		     const struct pd_view_options *options, struct pd_error *err)
{
	struct pd_order order = {0};
	struct pd_short_modules modules = short_modules(d, c);
	struct pd_slots slots = {0};
	int rc = pd_order_make(d, c, event, options, &order, err);

	if (rc == PD_OK)
		rc = pd_slots_choose(d, c, options->columns, &slots, err);
	slots.modules = &modules;
	if (rc == PD_OK)
		rc = add_totals(d, c, event, &slots, options, err);
	if (rc != PD_OK)
		return rc;
	if (options->explains)
		return pd_explain_add(d, c, event, err);
	add_functions(d, c, event, &order, &slots, options);
	tell_empty(d, c, event, &order);
	pd_beside_add(d, c, event, &slots, options);
	for (uint32_t s = 0; s < c->n_sides && options->shows_runs; s++)
		add_runs(d, c, event, &order, s);
	pd_footer_add_event(d, c, event, &order, options);
	return PD_OK;
}

int pd_functions_add(struct pd_document *d, const struct pd_comparison *c,
		     const struct pd_view_options *options, struct pd_error *err)
{
	int rc = PD_OK;

	for (uint32_t e = 0; e < c->n_events && rc == PD_OK; e++)
		rc = add_event(d, c, e, options, err);
	return rc;
}

int pd_report_functions(const struct pd_comparison *c, const struct pd_view_options *options,
			const struct pd_diags *diags, struct pd_document **ret_document,
			struct pd_error *err)
{
	struct pd_document *d = pd_view_document(options);
	int rc = d ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK && c->n_events) {
		pd_headline_add(d, c);
		pd_comparable_add(d, c);
		pd_headline_add_warnings(d, c);
	}
	if (rc == PD_OK)
		pd_headline_warn_order(d, c);
	if (rc == PD_OK)
		rc = pd_functions_add(d, c, options, err);
	if (rc == PD_OK)
		rc = pd_functions_add_data(d, c, options->columns, err);
	if (rc == PD_OK) {
		pd_benchmarks_add(d, c, "benchmarks:");
		if (c->n_events)
			pd_footer_add_receipt(d, c);
		pd_schema_add_head(d, "compare", diags);
		pd_schema_add_comparison(d, c);
	}
	if (rc == PD_OK && options->explains)
		rc = pd_explain_add_values(d, c, err);
	if (rc == PD_OK) {
		rc = d->failed ? pd_fail_nomem(err) : PD_OK;
	}
	if (rc != PD_OK) {
		pd_document_free(d);
		return rc;
	}
	*ret_document = d;
	return PD_OK;
}
