/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf report and perf top as text, of all ages, with or without header lines:
 *
 *	# Samples: 8  of event 'cycles:u'
 *	# Event count (approx.): 1040396
 *	#
 *	# Overhead  Command  Shared Object     Symbol
 *	# ........  .......  ................  ......................
 *	#
 *	    68.36%  sleep    libc-2.29.so      [.] _dl_addr
 *	            |
 *	             --68.36%--_dl_addr
 *	    27.33%  sleep    ld-2.29.so        [.] dl_main
 *
 * A table is a run, and so are the tables of several events that nothing but
 * comments stands between. What is known only at a table's end is in
 * perf_report_table.c.
 */
#include "ingest/perf_report.h"

#include "ingest/prose.h"
#include "io/lines.h"

enum {
	GRAPH_INDENT = 8, /* columns; prose has less of them */
	TITLE_WORDS = 3,  /* of a heading that needs no table right below it */
	MAX_RUN_EVENTS = 64,
	MAX_EVENTS = 1024, /* of runs with several; the rest is a run each, which are limited */
};

/* A row of a hierarchy that others are below. */
struct level {
	uint32_t end; /* where its percentage ends */
	struct pd_buf text;
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *builder;
	struct pd_lines lines;
	struct pr_head head;
	struct pr_table table;
	struct pd_buf heading; /* of the next run */
	bool is_heading_kept;  /* whatever stands between */
	uint32_t run;
	bool is_run_open;         /* another event may follow */
	struct pd_buf run_events; /* their names, each with a NUL behind it */
	uint32_t n_run_events, n_events; /* of the run; of all runs */
	bool is_below_blank;      /* the line above is empty */
	struct level levels[PR_MAX_LEVELS];
	uint32_t n_levels;
};

static void end_table(struct reader *r)
{
	struct pr_table *t = &r->table;
	struct pd_buf name = {0};
	struct pd_event *event;
	bool is_other = false;

	if (t->is_open && t->n_rows) {
		for (uint32_t e = 0; e < t->n_events; e++) {
			pr_table_event_name(t, &r->head, e, &name);
			is_other = is_other || pr_names_have(&r->run_events, pd_buf_span(&name));
		}
		if (!r->is_run_open || is_other || !r->head.n_names ||
		    r->n_run_events + t->n_events > MAX_RUN_EVENTS || r->n_events > MAX_EVENTS) {
			r->run = pd_builder_run(r->builder, pd_buf_span(&r->heading));
			pr_head_tell(&r->head, r->builder, r->run);
			r->run_events.len = r->heading.len = 0;
			r->n_run_events = 0;
			r->is_heading_kept = false;
		}
		pr_table_tell(t, &r->head, r->builder, r->run);
		event = pd_builder_event_at(r->builder, r->run, 0);
		if (event && !r->run_events.len)
			event->n_lost = r->head.n_lost;
		for (uint32_t e = 0; e < t->n_events; e++) {
			pr_table_event_name(t, &r->head, e, &name);
			pr_names_add(&r->run_events, pd_buf_span(&name));
		}
		r->n_run_events += t->n_events;
		r->n_events += t->n_events;
		r->is_run_open = true;
		pr_head_clear_table(&r->head);
	}
	t->is_open = false;
	r->n_levels = 0;
	pd_buf_done(&name);
}

/* A place in a hierarchy: the levels above a row whose percentage ends there. */
static void climb(struct reader *r, uint32_t end)
{
	while (r->n_levels && r->levels[r->n_levels - 1].end >= end)
		r->n_levels--;
}

static struct pd_span module_of(const struct reader *r, const struct pr_row *row)
{
	const struct pr_header *h = &r->table.header;

	if (!r->table.has_header || !h->n_levels)
		return pr_row_module(r->table.has_header ? h : NULL, row);
	for (uint32_t i = 0; i < r->n_levels; i++)
		if (h->levels[i] == PR_MODULE)
			return pd_buf_span(&r->levels[i].text);
	return (struct pd_span){"", 0};
}

/* A row of a hierarchy that is no function's. */
static void enter_level(struct reader *r, const struct pr_row *row)
{
	const struct pr_cell *text = &row->cells[row->n_cells - 1];
	struct level *level;

	if (r->n_levels == PR_MAX_LEVELS || text->kind != PR_CELL_WORD)
		return;
	level = &r->levels[r->n_levels++];
	level->end = row->cells[0].end;
	level->text.len = 0;
	pd_buf_add(&level->text, text->text.ptr, text->text.len);
}

static void add_row(struct reader *r, const struct pr_row *row)
{
	const char *wrong;

	if (r->table.has_header && r->table.header.n_levels) {
		climb(r, row->cells[0].end);
		if (row->symbol >= row->n_cells) {
			enter_level(r, row);
			return;
		}
	}
	wrong = pr_table_add(&r->table, r->builder, row, module_of(r, row));
	if (wrong)
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected %s; line skipped", wrong);
}

/* Rows without a header: they need a percentage and a symbol. */
static bool is_bare_row(struct pd_span line, struct pr_row *ret_row)
{
	if (!pr_row_parse(NULL, line, ret_row) || ret_row->symbol >= ret_row->n_cells)
		return false;
	for (uint32_t i = 0; i < ret_row->symbol; i++)
		if (ret_row->cells[i].is_signed)
			return false; /* of perf diff */
	return pr_row_n_percents(ret_row) > 0;
}

static bool parse_row(const struct pr_table *t, struct pd_span line, struct pr_row *ret_row)
{
	if (t->is_open && t->has_header)
		return pr_row_parse(&t->header, line, ret_row);
	return is_bare_row(line, ret_row);
}

static bool is_row(struct pd_span line, const void *context)
{
	struct pr_row row;

	return parse_row(context, line, &row);
}

/* The beginning of a row: a percentage, and two blanks behind it. */
static bool may_be_broken_row(struct pd_span line)
{
	size_t percent = pd_span_find(line, "%  ");
	double x;

	line = pd_span_trim(line);
	return percent != SIZE_MAX && line.len && pd_is_digit(line.ptr[0]) &&
	       pd_num_scan(line, &x) > 0;
}

/* Lines of a graph: far to the right, a frame alone, or a branch. */
static bool is_graph(const struct reader *r, struct pd_span line)
{
	size_t indent = 0, i;

	while (indent < line.len && pd_is_blank(line.ptr[indent]))
		indent += line.ptr[indent] == '\t' ? 8 : 1;
	line = pd_span_trim(line);
	if (indent >= GRAPH_INDENT || pd_span_starts(line, "|") || pd_span_starts(line, "--") ||
	    pd_prose_is_ellipsis(line) || pd_prose_is_rule(line))
		return true;
	if (pd_prose_is_marked(line))
		return false;
	for (i = 0; i < line.len && !pd_is_blank(line.ptr[i]); i++)
		;
	return i == line.len || !r->is_below_blank;
}

/* "[root@host ~]# perf report", "$ perf report": often between heading and table. */
static bool is_prompt(struct pd_span line)
{
	line = pd_span_trim(line);
	return line.len && (line.ptr[0] == '[' || line.ptr[0] == '$' || line.ptr[0] == '#');
}

static void read_prose(struct reader *r, struct pd_span line)
{
	struct pd_span heading, words[TITLE_WORDS + 1];
	bool is_title; /* "Before:" */

	if (r->table.is_open && is_graph(r, line))
		return;
	/* Prose ends a table: rows that it cites below are no part of it. */
	end_table(r);
	r->is_run_open = false;
	if (is_prompt(line))
		return;
	heading = pd_prose_heading(line);
	is_title = r->is_below_blank && heading.len && pd_prose_is_marked(line) &&
		   pd_fields(heading, words, TITLE_WORDS + 1) <= TITLE_WORDS;
	if (r->is_heading_kept && !is_title)
		return;
	r->is_heading_kept = is_title;
	r->heading.len = 0;
	if (heading.len && pd_is_alpha(heading.ptr[0]) && !memchr(heading.ptr, '\t', heading.len))
		pd_buf_add(&r->heading, heading.ptr, heading.len);
}

static bool is_whole_header(struct pd_span line, const void *context)
{
	struct pr_header h;

	(void)context;
	return pr_header_parse(line, &h) && h.has_symbol;
}

/* A table's header; mailers break it before its last titles. */
static bool take_header(struct reader *r, struct pd_span line)
{
	struct pr_header h;

	if (!pr_header_parse(line, &h) || pr_header_is_diff(&h))
		return false;
	if (!h.has_symbol && !h.n_levels && !h.separator &&
	    pd_lines_unwrap(&r->lines, &line, is_whole_header, NULL))
		(void)pr_header_parse(line, &h);
	end_table(r);
	pr_table_open(&r->table, &h);
	return true;
}

static void read_other(struct reader *r, struct pd_span line)
{
	struct pr_row row;

	if (r->table.is_open && pr_head_begins(line))
		end_table(r);
	switch (pr_head_read(&r->head, line)) {
	case PR_HEAD_IGNORE:
		return;
	case PR_HEAD_REPORT:
		end_table(r);
		r->is_run_open = false;
		return;
	case PR_HEAD_EVENT:
		return;
	case PR_HEAD_NO:
		break;
	}
	if (take_header(r, line))
		return;
	if (may_be_broken_row(line) && pd_lines_unwrap(&r->lines, &line, is_row, &r->table) &&
	    parse_row(&r->table, line, &row)) {
		if (!r->table.is_open)
			pr_table_open(&r->table, NULL);
		add_row(r, &row);
	} else {
		read_prose(r, line);
	}
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct pr_row row;

	if (!line.len) {
		r->is_below_blank = true;
		return;
	}
	if (parse_row(&r->table, line, &row)) {
		/* Other columns are another table. */
		if (r->table.is_open && !r->table.has_header && r->table.n_rows &&
		    r->table.n_percents != pr_row_n_percents(&row)) {
			end_table(r);
			r->is_run_open = false;
		}
		if (!r->table.is_open)
			pr_table_open(&r->table, NULL);
		add_row(r, &row);
	} else {
		read_other(r, line);
	}
	r->is_below_blank = false;
}

static void reader_done(struct reader *r)
{
	for (uint32_t i = 0; i < PR_MAX_LEVELS; i++)
		pd_buf_done(&r->levels[i].text);
	pr_head_done(&r->head);
	pr_table_done(&r->table);
	pd_lines_done(&r->lines);
	pd_buf_done(&r->heading);
	pd_buf_done(&r->run_events);
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .builder = b, .is_below_blank = true};
	struct pd_span line;
	bool is_failed;

	pr_head_init(&r.head);
	pd_input_lines(in, &r.lines);
	while (!r.table.failed && !pd_builder_is_failed(b) && pd_lines_next(&r.lines, &line))
		read_line(&r, line);
	end_table(&r);
	is_failed = r.table.failed || r.lines.clean.failed || r.heading.failed ||
		    r.run_events.failed;
	reader_done(&r);
	return is_failed ? pd_fail_nomem(err) : PD_OK;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	bool is_report = false, is_diff = false;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (!is_diff && pd_lines_next(&lines, &line)) {
		struct pr_header h;
		struct pr_row row;

		if (!line.len)
			continue;
		if (pr_row_is_diff(line))
			is_diff = true;
		else if (pr_row_is_sure(line))
			is_report = is_report || is_bare_row(line, &row);
		else if (pr_header_parse(line, &h) && pr_header_is_diff(&h))
			is_diff = true;
		else
			is_report = is_report || pr_header_parse(line, &h);
	}
	pd_lines_done(&lines);
	return is_diff ? PD_SNIFF_NO : is_report ? PD_SNIFF_YES : PD_SNIFF_NO;
}

const struct pd_format pd_format_perf_report = {
	.name = "perf-report",
	.title = "perf report and perf top --stdio, simpleperf report",
	.sniff = sniff,
	.read = read,
};
