/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf diff as text, of all ages, with or without header lines:
 *
 *	# Event 'cycles:P'
 *	#
 *	# Baseline  Delta Abs  Shared Object            Symbol
 *	# ........  .........  .......................  ..............
 *	#
 *	                +4.34%  [kernel.kallsyms]        [k] __lruvec_stat_mod_folio
 *	     22.22%     -1.78%  bw_mmap_rd               [.] bread
 *
 *	# Baseline     Base period           Ratio          Period  Shared Object   Symbol
 *	     0.52%         2276791        1.162086         2645828  libstdc++.so    [.] get
 *
 * Each table is two runs, and so are the tables of several events: the baseline,
 * and baseline + delta (or both periods). A cell that is empty is in no run. With
 * several files each has a delta of its own, "Delta/1", and is a run.
 */
#include "ingest/perf_report.h"

#include "ingest/batch.h"
#include "ingest/prose.h"
#include "io/lines.h"

enum {
	MAX_SIDES = 16,
	MAX_RUN_EVENTS = 64,
	MAX_EVENTS = 1024, /* of runs with several; the rest is a run each, which are limited */
	PLACE_SLACK = 3, /* columns between the ends of a number and its title */
};

#define WHOLE_LIST 99.5 /* percent: rounding of many rows stays below the rest */

struct reader {
	const struct pd_input *in;
	struct pd_builder *builder;
	struct pd_lines lines;
	struct pd_batch batch;
	struct pr_head head;
	struct pr_header header;
	bool has_header;
	bool is_open; /* rows belong to the table and its runs */
	uint32_t runs[MAX_SIDES], events[MAX_SIDES];
	uint32_t n_sides;
	bool are_runs_open;       /* another event may follow */
	uint32_t n_run_events, n_events; /* of the runs; of all */
	struct pd_buf run_events; /* their names, each with a NUL behind it */
	bool are_periods;
	double baseline; /* sum of its percentages */
	size_t n_rows;
	uint8_t n_decimals; /* of the coarsest percentage */
	bool is_below_blank;
};

/* The numbers of a row; each may be unknown. */
struct diff_row {
	double baseline, base_period;
	double deltas[MAX_SIDES], periods[MAX_SIDES]; /* of side 1 on */
	bool has_number;
};

static void end_table(struct reader *r)
{
	double quantum = 1;

	for (uint8_t i = 0; i < r->n_decimals && r->n_rows; i++)
		quantum /= 10;
	for (uint32_t s = 0; r->is_open && s < r->n_sides; s++) {
		struct pd_event *event = pd_builder_event_at(r->builder, r->runs[s], r->events[s]);
		/* Baseline and delta were rounded, each for itself. */
		double sum = s ? 2 * quantum : quantum;

		if (!r->are_periods && event) {
			event->quantum = sum;
			pd_builder_add_slack(r->builder, r->runs[s], r->events[s],
					     (double)r->n_rows * sum / 2);
		} else if (r->baseline >= WHOLE_LIST) {
			pd_builder_set_complete(r->builder, r->runs[s], r->events[s]);
		} else {
			pd_builder_set_cut(r->builder, r->runs[s], r->events[s]);
		}
	}
	r->is_open = false;
}

static void open_runs(struct reader *r, uint32_t n_sides)
{
	struct pd_buf name = {0};

	r->n_sides = n_sides;
	for (uint32_t s = 0; s < n_sides; s++) {
		name.len = 0;
		pd_buf_add_str(&name, s ? "next" : "base");
		if (n_sides > 2 && s)
			pd_buf_printf(&name, " %u", s);
		r->runs[s] = pd_builder_run(r->builder, pd_buf_span(&name));
		pr_head_tell(&r->head, r->builder, r->runs[s]);
	}
	r->are_runs_open = true;
	pd_buf_done(&name);
}

static void open_table(struct reader *r, const struct pr_header *h)
{
	struct pd_span event = pr_head_name(&r->head, 0);
	uint32_t n_deltas = 0, n_periods = 0, n_sides;

	end_table(r);
	r->has_header = h != NULL;
	if (h)
		r->header = *h;
	for (uint32_t i = 0; h && i < h->n_columns; i++) {
		n_deltas += h->columns[i] == PR_DELTA;
		n_periods += h->columns[i] == PR_PERIOD;
	}
	r->are_periods = n_periods > 0;
	if (!event.len)
		event = pd_span_of(r->are_periods ? "periods" : "percent");
	n_sides = 1 + (!h ? 1 : n_periods ? n_periods : n_deltas);
	if (n_sides > MAX_SIDES)
		n_sides = MAX_SIDES;
	if (!r->are_runs_open || n_sides != r->n_sides || r->n_run_events == MAX_RUN_EVENTS ||
	    r->n_events > MAX_EVENTS)
		r->run_events.len = 0;
	if (!r->run_events.len || pr_names_have(&r->run_events, event)) {
		r->run_events.len = 0;
		r->n_run_events = 0;
		open_runs(r, n_sides);
	}
	r->n_run_events++;
	r->n_events += n_sides;
	pr_names_add(&r->run_events, event);
	for (uint32_t s = 0; s < n_sides; s++) {
		r->events[s] = pd_builder_event(r->builder, r->runs[s], event,
						r->are_periods ? PD_UNIT_EVENTS : PD_UNIT_PERCENT);
		if (!r->are_periods)
			pd_builder_set_total(r->builder, r->runs[s], r->events[s], 100);
	}
	r->baseline = 0;
	r->n_rows = 0;
	r->n_decimals = UINT8_MAX;
	r->is_open = true;
}

/* Whether a cell can be of a column: by its looks, and by its place if that is known. */
static bool fits(const struct pr_header *h, uint32_t column, const struct pr_cell *cell)
{
	enum pr_column kind = h->columns[column];
	int64_t gap = (int64_t)h->ends[column] - cell->end;

	if (!pr_column_is_number(kind) ||
	    pr_column_is_percent(kind) != (cell->kind == PR_CELL_PERCENT) ||
	    (kind == PR_DELTA) != (cell->is_signed && cell->kind == PR_CELL_PERCENT))
		return false;
	return gap >= -PLACE_SLACK && gap <= PLACE_SLACK;
}

/* The column of a cell, none of those before first; n_columns if it has none. */
static uint32_t find_column(const struct pr_header *h, uint32_t first, const struct pr_cell *cell)
{
	uint32_t of_kind = h->n_columns, n_of_kind = 0;

	for (uint32_t i = first; i < h->n_columns; i++)
		if (fits(h, i, cell))
			return i;
	/* A wrapped header has moved them: the only one of its kind is it nevertheless. */
	for (uint32_t i = first; i < h->n_columns; i++)
		if (cell->kind == PR_CELL_PERCENT &&
		    h->columns[i] == (cell->is_signed ? PR_DELTA : PR_BASELINE)) {
			of_kind = i;
			n_of_kind++;
		}
	return n_of_kind == 1 ? of_kind : h->n_columns;
}

static void take_cell(struct reader *r, enum pr_column column, const struct pr_cell *cell,
		      uint32_t side, struct diff_row *row)
{
	if (cell->kind == PR_CELL_PERCENT && cell->n_decimals < r->n_decimals)
		r->n_decimals = cell->n_decimals;
	row->has_number = true;
	if (column == PR_BASELINE)
		row->baseline = cell->value;
	else if (column == PR_BASE_PERIOD)
		row->base_period = cell->value;
	else if (column == PR_DELTA && side < MAX_SIDES)
		row->deltas[side] = cell->value;
	else if (column == PR_PERIOD && side < MAX_SIDES)
		row->periods[side] = cell->value;
}

/* A row without a header: a baseline, a delta, or both. */
static void take_bare(struct reader *r, const struct pr_row *cells, struct diff_row *row)
{
	for (uint32_t i = 0; i < cells->n_cells && i < 2; i++)
		if (cells->cells[i].kind == PR_CELL_PERCENT)
			take_cell(r, cells->cells[i].is_signed ? PR_DELTA : PR_BASELINE,
				  &cells->cells[i], 1, row);
}

static void take_columns(struct reader *r, const struct pr_row *cells, struct diff_row *row)
{
	const struct pr_header *h = &r->header;
	uint32_t n_deltas = 0, n_periods = 0, done = 0, next = 0;

	for (uint32_t i = 0; i < cells->n_cells && next < h->n_columns; i++) {
		const struct pr_cell *cell = &cells->cells[i];
		uint32_t column = i;

		if (cell->kind == PR_CELL_WORD)
			continue;
		if (!h->separator)
			column = find_column(h, next, cell);
		if (column == h->n_columns || !pr_column_is_number(h->columns[column]))
			continue;
		for (; done <= column; done++) {
			n_deltas += h->columns[done] == PR_DELTA;
			n_periods += h->columns[done] == PR_PERIOD;
		}
		take_cell(r, h->columns[column], cell,
			  h->columns[column] == PR_DELTA ? n_deltas : n_periods, row);
		next = column + 1;
	}
}

static bool are_amounts(const struct diff_row *row, uint32_t n_sides)
{
	if (row->baseline < 0 || row->baseline > 100 || row->base_period < 0)
		return false;
	for (uint32_t s = 1; s < n_sides; s++)
		if (fabs(row->deltas[s]) > 100 || row->periods[s] < 0 ||
		    row->periods[s] > PD_COUNT_MAX)
			return false;
	return !(row->base_period > PD_COUNT_MAX);
}

static void add_row(struct reader *r, const struct pr_row *cells)
{
	struct diff_row row = {PD_UNKNOWN, PD_UNKNOWN, {0}, {0}, false};
	struct pd_builder_cell values[MAX_SIDES];
	struct pd_span name = {"", 0}, module;
	uint32_t n = 0;

	for (uint32_t s = 0; s < MAX_SIDES; s++)
		row.deltas[s] = row.periods[s] = PD_UNKNOWN;
	if (r->has_header)
		take_columns(r, cells, &row);
	else
		take_bare(r, cells, &row);
	if (!row.has_number || !are_amounts(&row, r->n_sides)) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected a baseline and a change, each at most 100%%; line skipped");
		return;
	}
	r->n_rows++;
	r->baseline += pd_is_known(row.baseline) ? row.baseline : 0;
	for (uint32_t s = 0; s < r->n_sides; s++) {
		double base = pd_is_known(row.baseline) ? row.baseline : 0;
		double value = r->are_periods ? s ? row.periods[s] : row.base_period
			: s ? base + row.deltas[s] : row.baseline;

		if (pd_is_known(value))
			values[n++] = (struct pd_builder_cell){r->runs[s], r->events[s], value};
	}
	if (cells->symbol < cells->n_cells)
		name = cells->cells[cells->symbol].text;
	module = pr_row_module(r->has_header ? &r->header : NULL, cells);
	if (pr_name_is_unknown(name))
		pd_builder_add_cells(r->builder,
				     pd_builder_leftover(r->builder, "[unknown]", module),
				     values, n);
	else
		pd_batch_add(&r->batch, name, module, values, n);
}

/* Whether the line is a row of the open table, or one that begins a table. */
static bool parse_row(const struct reader *r, struct pd_span line, struct pr_row *ret_row)
{
	bool has_header = r->is_open && r->has_header;

	if (!pr_row_parse(has_header ? &r->header : NULL, line, ret_row) ||
	    (ret_row->symbol >= ret_row->n_cells && !(has_header && r->header.separator)))
		return false;
	if (r->is_open)
		return true;
	for (uint32_t i = 0; i < ret_row->symbol; i++)
		if (ret_row->cells[i].is_signed && ret_row->cells[i].kind == PR_CELL_PERCENT)
			return true;
	return false;
}

static bool is_row(struct pd_span line, const void *context)
{
	struct pr_row row;

	return parse_row(context, line, &row);
}

static bool take_header(struct reader *r, struct pd_span line)
{
	struct pr_header h;

	if (!pr_header_parse(line, &h))
		return false;
	if (pr_header_is_diff(&h)) {
		open_table(r, &h);
	} else { /* a table of perf report beside it */
		end_table(r);
		r->are_runs_open = false;
	}
	return true;
}

/* Prose ends a table; a frame of a graph, or the rest of a broken line, does not. */
static void read_prose(struct reader *r, struct pd_span line)
{
	if (pd_prose_is_ellipsis(line) || pd_prose_is_rule(line) || !r->is_below_blank)
		return;
	end_table(r);
	r->are_runs_open = false;
}

static void read_other(struct reader *r, struct pd_span line)
{
	struct pr_row row;

	if (r->is_open && pr_head_begins(line))
		end_table(r);
	switch (pr_head_read(&r->head, line)) {
	case PR_HEAD_IGNORE:
	case PR_HEAD_EVENT:
		return;
	case PR_HEAD_REPORT:
		end_table(r);
		r->are_runs_open = false;
		return;
	case PR_HEAD_NO:
		break;
	}
	if (take_header(r, line))
		return;
	if (memchr(line.ptr, '%', line.len) &&
	    pd_lines_unwrap(&r->lines, &line, is_row, r) && parse_row(r, line, &row)) {
		if (!r->is_open)
			open_table(r, NULL);
		add_row(r, &row);
	} else {
		read_prose(r, line);
	}
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .builder = b, .is_below_blank = true};
	struct pd_span line;
	bool is_failed;

	pr_head_init(&r.head);
	pd_batch_init(&r.batch, b);
	pd_input_lines(in, &r.lines);
	while (!pd_builder_is_failed(b) && pd_lines_next(&r.lines, &line)) {
		struct pr_row row;

		if (!line.len) {
			r.is_below_blank = true;
			continue;
		}
		if (parse_row(&r, line, &row)) {
			if (!r.is_open)
				open_table(&r, NULL);
			add_row(&r, &row);
		} else {
			read_other(&r, line);
		}
		r.is_below_blank = false;
	}
	pd_batch_flush(&r.batch);
	end_table(&r);
	is_failed = r.lines.clean.failed || r.run_events.failed;
	pr_head_done(&r.head);
	pd_lines_done(&r.lines);
	pd_buf_done(&r.run_events);
	return is_failed ? pd_fail_nomem(err) : PD_OK;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	enum pd_sniff found = PD_SNIFF_NO;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (found == PD_SNIFF_NO && pd_lines_next(&lines, &line)) {
		struct pr_header h;

		if (line.len && (pr_row_is_diff(line) ||
				 (pr_header_parse(line, &h) && pr_header_is_diff(&h))))
			found = PD_SNIFF_YES;
	}
	pd_lines_done(&lines);
	return found;
}

const struct pd_format pd_format_perf_diff = {
	.name = "perf-diff",
	.title = "perf diff: both sides, from baseline and delta",
	.sniff = sniff,
	.read = read,
};
