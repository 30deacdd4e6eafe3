/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of one of perf's tables, until its end: only then is known what they
 * are. Two percentages without a header are Children and Self, where no row has
 * more of the second, else two events. Percentages become counts where the
 * total is known; Period and Samples columns are exact, and win.
 */
#include "ingest/perf_report.h"

#include <stdlib.h>

#define MAX_PERCENT 1000.0   /* a misread number is far beyond it */
#define WHOLE_LIST 99.5      /* percent: rounding of many rows stays below the rest */

void pr_table_done(struct pr_table *t)
{
	free(t->funcs);
	free(t->values);
}

void pr_table_open(struct pr_table *t, const struct pr_header *h)
{
	t->is_open = true;
	t->has_header = h != NULL;
	if (h)
		t->header = *h;
	t->n_events = t->n_percents = 0;
	t->n_decimals = UINT8_MAX;
	t->n_rows = 0;
}

/* Room for one more row. */
static bool grow(struct pr_table *t)
{
	size_t cap = t->cap ? 2 * t->cap : 64;
	uint32_t *funcs;
	struct pr_values *values;

	/* The number of events is that of this table: room for rows is counted anew. */
	if (t->n_rows * t->n_events + t->n_events <= t->cap && t->n_rows < t->cap)
		return true;
	while (cap < (t->n_rows + 1) * t->n_events)
		cap *= 2;
	funcs = realloc(t->funcs, cap * sizeof(*funcs));
	if (funcs)
		t->funcs = funcs;
	values = realloc(t->values, cap * sizeof(*values));
	if (values)
		t->values = values;
	t->failed = t->failed || !funcs || !values;
	if (!t->failed)
		t->cap = cap;
	return !t->failed;
}

/*
 * How many events a row has numbers of: a group's are side by side. Percentages
 * tell, as other numbers may be a CPU's. 0 if it makes no sense.
 */
static uint32_t count_events(const struct pr_table *t, const struct pr_row *row)
{
	uint32_t n_percents = 0, n_numbers = 0, n_percent_titles = 0, n_titles = 0, n;

	if (!t->has_header) {
		n = pr_row_n_percents(row);
		return n <= PR_MAX_EVENTS ? n : 0;
	}
	for (uint32_t i = 0; i < row->n_cells; i++)
		n_percents += row->cells[i].kind == PR_CELL_PERCENT;
	while (n_numbers < row->n_cells && row->cells[n_numbers].kind != PR_CELL_WORD)
		n_numbers++;
	for (uint32_t i = 0; i < t->header.n_columns; i++)
		n_percent_titles += pr_column_is_percent(t->header.columns[i]);
	while (n_titles < t->header.n_columns && pr_column_is_number(t->header.columns[n_titles]))
		n_titles++;
	if (n_percent_titles) {
		n_titles = n_percent_titles;
		n_numbers = n_percents;
	}
	if (!n_titles)
		return 1;
	n = n_numbers / n_titles;
	return n_numbers % n_titles || n > PR_MAX_EVENTS ? 0 : n;
}

static const char *take_number(struct pr_table *t, enum pr_column column,
			       const struct pr_cell *cell, struct pr_values *v)
{
	double x = cell->value;
	bool is_percent = cell->kind == PR_CELL_PERCENT;

	if (cell->kind == PR_CELL_WORD || is_percent != pr_column_is_percent(column))
		return cell->kind == PR_CELL_WORD && !is_percent ? NULL : "a percentage";
	if (!(x >= 0) || x > (is_percent ? MAX_PERCENT : PD_COUNT_MAX))
		return is_percent ? "a percentage" : "a count up to 2^53";
	if (is_percent && cell->n_decimals < t->n_decimals)
		t->n_decimals = cell->n_decimals;
	if (column == PR_SELF)
		v->self = x;
	else if (column == PR_CHILDREN)
		v->children = x;
	else if (column == PR_SAMPLES)
		v->samples = x;
	else if (column == PR_PERIOD)
		v->period = x;
	return NULL;
}

/*
 * The cells [cell, end) belong to the header's columns [from, to). Text cells may
 * be empty, and then are not there: behind them, numbers are only taken where
 * none is missing.
 */
static const char *take_columns(struct pr_table *t, const struct pr_row *row, uint32_t from,
				uint32_t to, uint32_t cell, uint32_t end,
				struct pr_values *values)
{
	const enum pr_column *columns = t->header.columns;
	const char *wrong = NULL;
	uint32_t n_wanted = 0;
	bool is_whole;

	for (uint32_t i = from; i < to; i++)
		n_wanted += pr_column_is_number(columns[i]) ? t->n_events : 1;
	is_whole = n_wanted == end - cell;
	for (uint32_t i = from; i < to && !wrong; i++) {
		if (!pr_column_is_number(columns[i])) {
			if (!is_whole)
				break;
			cell++;
			continue;
		}
		for (uint32_t e = 0; e < t->n_events && !wrong; e++, cell++) {
			if (cell >= end)
				return from ? NULL : "a number in each column";
			wrong = take_number(t, columns[i], &row->cells[cell], &values[e]);
		}
	}
	return wrong;
}

/* A row without a header: percentages, then samples, then periods. */
static const char *take_bare(struct pr_table *t, const struct pr_row *row,
			     struct pr_values *values)
{
	static const enum pr_column counts[] = {PR_SAMPLES, PR_PERIOD};
	const char *wrong = NULL;
	uint32_t cell = 0;

	for (; cell < t->n_events && !wrong; cell++)
		wrong = take_number(t, PR_SELF, &row->cells[cell], &values[cell]);
	for (size_t i = 0; i < 2 && !wrong; i++)
		for (uint32_t e = 0; e < t->n_events && !wrong && cell < row->symbol &&
				     row->cells[cell].kind == PR_CELL_COUNT; e++, cell++)
			wrong = take_number(t, counts[i], &row->cells[cell], &values[e]);
	return wrong;
}

static const char *take_values(struct pr_table *t, const struct pr_row *row,
			       struct pr_values *values)
{
	uint32_t symbol_end = row->symbol < row->n_cells ? row->symbol : row->n_cells;
	const char *wrong;

	for (uint32_t e = 0; e < t->n_events; e++)
		values[e] = (struct pr_values){PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN};
	if (!t->has_header)
		return take_bare(t, row, values);
	if (t->header.separator || !t->header.has_symbol)
		return take_columns(t, row, 0, t->header.n_columns - (t->header.n_levels > 0), 0,
				    t->header.separator ? row->n_cells : symbol_end, values);
	wrong = take_columns(t, row, 0, t->header.symbol, 0, symbol_end, values);
	if (wrong || row->symbol >= row->n_cells)
		return wrong;
	return take_columns(t, row, t->header.symbol + 1, t->header.n_columns, row->symbol + 1,
			    row->n_cells, values);
}

const char *pr_table_add(struct pr_table *t, struct pd_builder *b, const struct pr_row *row,
			 struct pd_span module)
{
	struct pd_span name = {"", 0};
	const char *wrong;

	if (!t->n_events) {
		t->n_events = count_events(t, row);
		if (!t->n_events)
			return "one percentage for each event";
		t->n_percents = pr_row_n_percents(row);
	} else if (pr_row_n_percents(row) != t->n_percents) {
		return "as many percentages as in the rows above";
	}
	if (!grow(t))
		return NULL;
	wrong = take_values(t, row, &t->values[t->n_rows * t->n_events]);
	if (wrong) {
		if (!t->n_rows)
			t->n_events = 0;
		return wrong;
	}
	if (row->symbol < row->n_cells)
		name = row->cells[row->symbol].text;
	t->funcs[t->n_rows++] = pr_name_is_unknown(name)
		? pd_builder_leftover(b, "[unknown]", module) : pd_builder_func(b, name, module);
	return NULL;
}

/* Two percentages without a header are Children and Self. */
static void settle_bare(struct pr_table *t, const struct pr_head *head)
{
	if (t->has_header || t->n_events != 2 || head->n_names == 2)
		return;
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->values[2 * i + 1].self > t->values[2 * i].self)
			return;
	t->n_events = 1;
	for (size_t i = 0; i < t->n_rows; i++) {
		struct pr_values v = t->values[2 * i];

		v.children = v.self;
		v.self = t->values[2 * i + 1].self;
		t->values[i] = v;
	}
}

void pr_table_event_name(const struct pr_table *t, const struct pr_head *head, uint32_t event,
			 struct pd_buf *out)
{
	struct pd_span name = pr_head_name(head, event);

	out->len = 0;
	if (name.len)
		pd_buf_add(out, name.ptr, name.len);
	else if (t->n_events > 1)
		pd_buf_printf(out, "event %u", event + 1);
	else
		pd_buf_add_str(out, "samples");
}

/* What all rows have for an event, and how that becomes costs. */
struct account {
	bool has_period, has_samples;
	double percents; /* of all rows */
	double total;    /* what percentages are of; unknown: another column has the costs */
	enum pd_unit unit;
};

/* Clocks count in ns. */
static enum pd_unit unit_of(struct pd_span name)
{
	bool is_clock = pd_span_starts(name, "cpu-clock") || pd_span_starts(name, "task-clock");

	return is_clock ? PD_UNIT_NS : PD_UNIT_EVENTS;
}

static struct account settle_account(const struct pr_table *t, const struct pr_head *head,
				     uint32_t event, struct pd_span name)
{
	struct account a = {.unit = unit_of(name), .total = PD_UNKNOWN};

	for (size_t i = 0; i < t->n_rows; i++) {
		const struct pr_values *v = &t->values[i * t->n_events + event];

		a.has_period = a.has_period || pd_is_known(v->period);
		a.has_samples = a.has_samples || pd_is_known(v->samples);
		a.percents += pd_is_known(v->self) ? v->self : 0;
	}
	if (a.has_period)
		return a;
	if (t->n_events == 1 && pd_is_known(head->total)) { /* a group's total is of all */
		a.total = head->total;
	} else if (a.has_samples) {
		a.unit = PD_UNIT_SAMPLES;
	} else if (t->n_events == 1 && pd_is_known(head->n_bare)) {
		a.total = head->n_bare;
	} else if (t->n_events == 1 && pd_is_known(head->n_samples)) {
		a.unit = PD_UNIT_SAMPLES;
		a.total = head->n_samples;
	} else {
		/* An event of a group may have had no samples at all. */
		a.unit = PD_UNIT_PERCENT;
		a.total = t->n_events > 1 && a.percents <= 0 ? 0 : 100;
	}
	return a;
}

/* What is known of an event as a whole. */
static void tell_event(const struct pr_table *t, const struct pr_head *head,
		       const struct account *a, struct pd_builder *b, uint32_t run, uint32_t e)
{
	struct pd_event *event = pd_builder_event_at(b, run, e);
	double quantum = a->total / 100;

	if (!event)
		return;
	if (t->n_events == 1)
		event->n_samples = pd_is_known(head->total) && pd_is_known(head->n_bare)
			? head->n_bare : head->n_samples;
	if (pd_is_known(a->total)) {
		for (uint8_t i = 0; i < t->n_decimals; i++)
			quantum /= 10;
		event->quantum = quantum;
		/* Rows of several commands are one function: each of them was rounded. */
		pd_builder_add_slack(b, run, e, (double)t->n_rows * quantum / 2);
		pd_builder_set_total(b, run, e, a->total);
	} else if (a->has_period && t->n_events == 1 && pd_is_known(head->total)) {
		pd_builder_set_total(b, run, e, head->total);
	} else if (a->percents >= WHOLE_LIST) {
		pd_builder_set_complete(b, run, e);
	} else {
		pd_builder_set_cut(b, run, e);
	}
}

static void tell_row(const struct pr_values *v, const struct account *a, struct pd_builder *b,
		     uint32_t run, uint32_t event, uint32_t func)
{
	bool is_scaled = pd_is_known(a->total);
	double self = is_scaled ? v->self * a->total / 100
		: a->has_period ? v->period : v->samples;

	if (pd_is_known(self))
		pd_builder_add_self(b, run, event, func, self);
	if (pd_is_known(v->children) && is_scaled)
		pd_builder_add_inclusive(b, run, event, func, v->children * a->total / 100);
	if (pd_is_known(v->samples))
		pd_builder_add_samples(b, run, event, func, v->samples);
}

void pr_table_tell(struct pr_table *t, const struct pr_head *head, struct pd_builder *b,
		   uint32_t run)
{
	struct pd_buf name = {0};

	settle_bare(t, head);
	for (uint32_t e = 0; e < t->n_events; e++) {
		struct account a;
		uint32_t event;

		pr_table_event_name(t, head, e, &name);
		a = settle_account(t, head, e, pd_buf_span(&name));
		event = pd_builder_event(b, run, t->n_events == 1 && !head->n_names &&
					 a.unit == PD_UNIT_PERCENT ? pd_span_of("percent")
								   : pd_buf_span(&name), a.unit);
		tell_event(t, head, &a, b, run, event);
		for (size_t i = 0; i < t->n_rows; i++)
			tell_row(&t->values[i * t->n_events + e], &a, b, run, event, t->funcs[i]);
	}
	t->failed = t->failed || name.failed;
	pd_buf_done(&name);
}
