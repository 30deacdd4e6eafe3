/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Summaries of opreport: samples of images, without functions.
 *
 *	CPU_CLK_UNHALT...|
 *	  samples|      %|
 *	------------------
 *	   409247 100.000 git                an application: what is indented below it
 *	        CPU_CLK_UNHALT...|           are its images, and add up to it
 *	          samples|      %|
 *	        ------------------
 *	           260476 63.6476 libz.so.1.2.3
 *
 * Each image is a leftover [unknown] of its own module.
 */
#include "base/num.h"
#include "ingest/opreport.h"
#include "ingest/prose.h"

/* How often "samples|" and "%|" alternate in a line; 0 if it has anything else. */
static uint32_t count_pairs(struct pd_span line)
{
	struct pd_span rest = pd_span_trim(line);
	uint32_t n = 0;

	while (rest.len) {
		if (!pd_span_starts(rest, "samples|"))
			return 0;
		rest = pd_span_trim(pd_span_sub(rest, strlen("samples|"), rest.len));
		if (!pd_span_starts(rest, "%|"))
			return 0;
		rest = pd_span_trim(pd_span_sub(rest, strlen("%|"), rest.len));
		n++;
	}
	return n;
}

bool op_tree_is_header(struct pd_span line)
{
	uint32_t n = pd_span_find(line, "samples|") == SIZE_MAX ? 0 : count_pairs(line);

	return n > 0 && n <= OP_MAX_EVENTS;
}

struct tree_row {
	double samples[OP_MAX_EVENTS];
	struct pd_span image;
};

/* Samples and percent of each event, then a name. */
static bool parse_row(struct pd_span line, uint32_t n_events, struct tree_row *ret_row)
{
	struct pd_span fields[2 * OP_MAX_EVENTS + 1];
	double percent;

	if (pd_fields(line, fields, 2 * n_events + 1) != 2 * n_events + 1)
		return false;
	for (uint32_t e = 0; e < n_events; e++)
		if (!pd_num_parse(fields[2 * e], &ret_row->samples[e]) ||
		    !op_is_count(ret_row->samples[e]) ||
		    !pd_num_parse(fields[2 * e + 1], &percent))
			return false;
	ret_row->image = fields[2 * n_events];
	return !pd_is_digit(ret_row->image.ptr[0]);
}

static bool is_row(struct pd_span line, const void *context)
{
	struct tree_row row;

	return parse_row(line, *(const uint32_t *)context, &row);
}

/* The row that was read last: if images of it follow, it is their sum. */
struct pending {
	bool is_set;
	uint32_t func;
	double samples[OP_MAX_EVENTS];
};

static void add_pending(struct op_reader *r, struct pending *p)
{
	for (uint32_t e = 0; e < r->table.n_events && p->is_set; e++)
		pd_builder_add_self(r->builder, r->run, e, p->func, p->samples[e]);
	p->is_set = false;
}

/* Whether a line belongs to a summary without being a row. */
static bool is_decoration(struct pd_span line)
{
	line = pd_span_trim(line);
	return pd_span_ends(line, "|") || pd_prose_is_rule(line) || pd_prose_is_ellipsis(line) ||
	       pd_span_starts(line, "warning:");
}

void op_tree_read(struct op_reader *r, struct pd_span header)
{
	struct pending last = {0};
	struct pd_span line;

	r->table = (struct op_table){.n_events = count_pairs(header)};
	op_reader_begin_run(r);
	r->n_run_events = 0; /* percentages of images are of their application */
	r->is_open = false;
	for (;;) {
		const struct pd_lines before = r->lines;
		struct tree_row row;

		if (!pd_lines_next(&r->lines, &line))
			break;
		if (op_tree_is_header(line)) {
			last.is_set = false;
		} else if (parse_row(line, r->table.n_events, &row) ||
			   (!is_decoration(line) &&
			    pd_lines_unwrap(&r->lines, &line, is_row, &r->table.n_events) &&
			    parse_row(line, r->table.n_events, &row))) {
			add_pending(r, &last);
			last.is_set = true;
			last.func = pd_builder_leftover(r->builder, "[unknown]", row.image);
			memcpy(last.samples, row.samples, sizeof(last.samples));
		} else if (!is_decoration(line)) {
			r->lines.next = before.next;
			r->lines.no = before.no;
			break;
		}
	}
	add_pending(r, &last);
}
