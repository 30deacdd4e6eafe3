/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of callers: who calls a function and who has it inlined, what they
 * are large, and what they cost.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/report.h"
#include "report/schema.h"
#include "report/sections.h"

enum { DEFAULT_TOP = 30 };

/* The rows of the comparison that those of the callers are; NULL: none. */
struct joined {
	const struct pd_callers *callers;
	const struct pd_comparison *c;
	const struct pd_row **rows; /* [n_rows] */
};

static const char *name_of(const struct pd_callers *callers, const struct pd_caller_row *row)
{
	return pd_strtab_get(&callers->sizes->strings,
			     callers->sizes->rows[row->size_row].name);
}

static bool join(struct pd_document *d, struct joined *j)
{
	struct pd_map map = {0};
	bool ok = true;

	j->rows = pd_arena_array(&d->arena, (size_t)j->callers->n_rows + 1, sizeof(*j->rows));
	if (!j->rows)
		return false;
	for (uint32_t i = 0; j->c && i < j->c->n_rows && ok; i++)
		if (j->c->rows[i].event == 0)
			ok = pd_map_insert(&map, j->c->rows[i].name.id, i) != PD_MAP_NONE;
	for (uint32_t i = 0; j->c && i < j->callers->n_rows && ok; i++) {
		const char *text = name_of(j->callers, &j->callers->rows[i]);
		pd_str name = pd_strtab_find(&j->c->strings, pd_span_of(text));
		uint32_t at = name.id ? pd_map_find(&map, name.id) : PD_MAP_NONE;

		if (at != PD_MAP_NONE)
			j->rows[i] = &j->c->rows[at];
	}
	pd_map_done(&map);
	return ok;
}

static double largest_cost(const struct pd_row *row)
{
	double a = row ? row->sides[0].value : 0, b = row ? row->sides[1].value : 0;

	return fmax(pd_is_known(a) ? a : 0, pd_is_known(b) ? b : 0);
}

/* The most expensive first, where that is known; else as they are. */
static int compare_costs(const void *a, const void *b, void *context)
{
	const struct joined *j = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double cx = largest_cost(j->rows[x]), cy = largest_cost(j->rows[y]);

	if (cx != cy)
		return cx > cy ? -1 : 1;
	return x < y ? -1 : x > y;
}

static const char *definition_of(const struct pd_callee *callee)
{
	if (callee->has_body)
		return callee->is_inlined ? "both" : "out-of-line";
	return callee->is_inlined ? "inlined" : "absent";
}

static const char *whole(struct pd_document *d, double x)
{
	char buf[PD_NUM_LEN];

	return pd_document_printf(d, "%s", pd_num_fixed(x, 0, buf));
}

static void add_headline(struct pd_document *d, const struct pd_callers *callers)
{
	for (int side = 0; side < 2; side++) {
		const struct pd_callee *callee = &callers->sides[side];
		const char *text = pd_document_printf(
			d, "%s: %s is %s", callers->sizes->sides[side].label, callers->function,
			definition_of(callee));

		if (callee->has_body)
			text = pd_document_printf(d, "%s (%s bytes)", text,
						  whole(d, callee->n_bytes));
		text = pd_document_printf(d, "%s: %s call sites in %s callers", text,
					  whole(d, callee->n_sites), whole(d, callee->n_callers));
		if (callee->n_outside > 0)
			text = pd_document_printf(d, "%s and %s in no function", text,
						  whole(d, callee->n_outside));
		if (callers->sizes->has_inlines)
			text = pd_document_printf(d, "%s, %s inline instances", text,
						  whole(d, callee->n_inlines));
		pd_document_add_text(d, pd_document_printf(d, "%s.", text));
	}
	if (!callers->sizes->has_inlines)
		pd_document_add_text(d, "note: without DWARF on both sides, inline instances are "
					"not known.");
}

static bool has_any_inline(const struct pd_callers *callers)
{
	return callers->sides[0].n_inlines > 0 || callers->sides[1].n_inlines > 0;
}

static void add_columns(struct pd_document *d, const struct joined *j, struct pd_table *t)
{
	pd_table_add_column(d, t, "calls-base", "calls", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "calls-next", "next", PD_STYLE_COUNT, 0);
	if (has_any_inline(j->callers)) {
		pd_table_add_column(d, t, "inlines-base", "inlined", PD_STYLE_COUNT, 0);
		pd_table_add_column(d, t, "inlines-next", "next", PD_STYLE_COUNT, 0);
	}
	if (!j->c)
		pd_table_add_column(d, t, "bytes-base", "bytes", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "bytes-next", j->c ? "bytes" : "next", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "bytes-delta", "delta", PD_STYLE_DELTA, 0);
	if (j->c) {
		struct pd_figures f = pd_event_figures(d, j->c, 0);
		const char *event = pd_document_text(d, pd_strtab_get(&j->c->strings,
								      j->c->events[0].name));

		if (j->c->events[0].is_weighted)
			event = f.unit;
		pd_table_add_column(d, t, "cost-base", event, PD_STYLE_COUNT, f.decimals);
		pd_table_set_divisor(t, f.divisor);
		pd_table_add_column(d, t, "cost-next", "next", PD_STYLE_COUNT, f.decimals);
		pd_table_set_divisor(t, f.divisor);
		pd_table_add_column(d, t, "cost-delta", "delta", PD_STYLE_DELTA, f.decimals);
		pd_table_set_divisor(t, f.divisor);
		pd_table_add_column(d, t, "verdict", "verdict", PD_STYLE_TEXT, 0);
	}
	pd_table_add_column(d, t, "function", "function", PD_STYLE_TEXT, 0);
}

static void fill_row(struct pd_document *d, const struct joined *j, uint32_t i,
		     struct pd_cell *cells)
{
	const struct pd_caller_row *row = &j->callers->rows[i];
	const struct pd_size_row *size = &j->callers->sizes->rows[row->size_row];
	const struct pd_row *cost = j->rows[i];

	for (int side = 0; side < 2; side++)
		(cells++)->number = row->n_sites[side];
	for (int side = 0; side < 2 && has_any_inline(j->callers); side++)
		(cells++)->number = row->n_inlines[side];
	if (!j->c)
		(cells++)->number = size->n_bytes[0];
	(cells++)->number = size->n_bytes[1];
	(cells++)->number = pd_size_delta(size->n_bytes);
	if (j->c) {
		if (cost) {
			const char *verdict = pd_verdict_word(cost->changes[1].verdict);

			cells[0].number = cost->sides[0].value;
			cells[1].number = cost->sides[1].value;
			cells[2].number = cost->changes[1].delta;
			cells[3].text = verdict ? verdict : "";
		}
		cells += 4;
	}
	cells->text = pd_document_text(d, name_of(j->callers, row));
}

static int add_rows(struct pd_document *d, struct joined *j,
		    const struct pd_view_options *options, bool has_data, struct pd_error *err)
{
	uint32_t n = j->callers->n_rows, n_top = options->has_top ? options->n_top : DEFAULT_TOP;
	uint32_t *order = pd_arena_array(&d->arena, (size_t)n + 1, sizeof(*order));
	struct pd_table *t, *data;

	if (!order)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare_costs, j);
	t = n ? pd_document_add_table(d, NULL) : NULL;
	data = has_data ? pd_document_add_data(d) : NULL;
	if (t)
		add_columns(d, j, t);
	if (data)
		add_columns(d, j, data);
	for (uint32_t i = 0; i < n; i++) {
		struct pd_table_row *row;

		row = t && (!n_top || i < n_top) ? pd_table_add_row(d, t, PD_ROW_NORMAL) : NULL;
		if (row)
			fill_row(d, j, order[i], row->cells);
		row = data ? pd_table_add_row(d, data, PD_ROW_NORMAL) : NULL;
		if (row)
			fill_row(d, j, order[i], row->cells);
	}
	if (n_top && n > n_top)
		pd_document_add_text(d, pd_document_printf(d, "%u more callers not shown; --top=N "
							   "shows N.", n - n_top));
	return PD_OK;
}

static void add_values(struct pd_document *d, const struct joined *j)
{
	const struct pd_callers *callers = j->callers;
	struct pd_value *list, *v;

	pd_value_add_text(d, d->root, "function", callers->function);
	list = pd_value_add_list(d, d->root, "images");
	for (int side = 0; side < 2; side++) {
		const struct pd_callee *callee = &callers->sides[side];

		v = pd_value_add_object(d, list, NULL);
		pd_value_add_text(d, v, "path", callers->sizes->sides[side].path);
		pd_value_add_text(d, v, "definition", definition_of(callee));
		pd_value_add_number(d, v, "call_sites", callee->n_sites);
		pd_value_add_number(d, v, "callers", callee->n_callers);
		pd_value_add_number(d, v, "inline_instances", callee->n_inlines);
		pd_value_add_number(d, v, "outside", callee->n_outside);
		pd_value_add_number(d, v, "size", callee->n_bytes);
	}
	list = pd_value_add_list(d, d->root, "rows");
	for (uint32_t i = 0; i < callers->n_rows; i++) {
		const struct pd_caller_row *row = &callers->rows[i];

		v = pd_value_add_object(d, list, NULL);
		pd_value_add_text(d, v, "name", name_of(callers, row));
		pd_schema_add_pair(d, v, "call_sites", row->n_sites);
		pd_schema_add_pair(d, v, "inline_instances", row->n_inlines);
		pd_schema_add_pair(d, v, "size", callers->sizes->rows[row->size_row].n_bytes);
		if (j->rows[i])
			pd_schema_add_row_numbers(d, v, j->c, j->rows[i]);
	}
}

int pd_callers_add(struct pd_document *d, const struct pd_callers *callers,
		   const struct pd_comparison *c, const struct pd_view_options *options,
		   bool has_data, struct pd_error *err)
{
	struct joined j = {.callers = callers, .c = c && c->n_events ? c : NULL};
	int rc = join(d, &j) ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK) {
		add_headline(d, callers);
		rc = add_rows(d, &j, options, has_data, err);
	}
	if (rc == PD_OK)
		add_values(d, &j);
	return rc;
}

int pd_report_callers(const struct pd_callers *callers, const struct pd_comparison *c,
		      const struct pd_view_options *options, const struct pd_diags *diags,
		      struct pd_document **ret_document, struct pd_error *err)
{
	struct pd_document *d = pd_view_document(options);
	int rc = d ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK) {
		pd_schema_add_head(d, "callers", diags);
		rc = pd_callers_add(d, callers, c, options, true, err);
	}
	if (rc == PD_OK)
		rc = d->failed ? pd_fail_nomem(err) : PD_OK;
	if (rc != PD_OK) {
		pd_document_free(d);
		return rc;
	}
	*ret_document = d;
	return PD_OK;
}
