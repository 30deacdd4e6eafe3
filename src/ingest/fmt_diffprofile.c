/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * diffprofile, a script that compared two outputs of readprofile: the difference
 * in ticks, what that is of the first, and the function. Zero is not printed, and
 * small differences are left out.
 *
 *	      4383     2.6% total
 *	      1600     6.8% page_remove_rmap
 *	       373     0.0% pgd_ctor
 *	...
 *	       -57   -38.0% __generic_file_aio_read
 *	     -1005    -2.0% default_idle
 *	    -29467    -3.8% total
 *
 * The list is sorted: the total stands first where it is the largest, last where
 * it is the smallest. A table ends where prose follows, or where the order is broken
 * behind a total.
 */
#include "ingest/ingest.h"

#include "base/num.h"
#include "ingest/batch.h"
#include "ingest/prose.h"
#include "io/lines.h"

struct row {
	double ticks;
	double percent; /* whole ones, without the sign */
	struct pd_span name;
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *builder;
	struct pd_lines lines;
	struct pd_batch batch; /* of all tables */
	struct pd_buf heading; /* of the next table */
	uint32_t run;
	bool is_open, has_total;
	double last; /* of the open table's rows, the total too */
};

/* The digits at i; false if there are none. */
static bool take_digits(struct pd_span line, size_t *i, double *ret_x)
{
	size_t from = *i;
	double x = 0;

	for (; *i < line.len && pd_is_digit(line.ptr[*i]); (*i)++)
		x = x * 10 + (line.ptr[*i] - '0');
	*ret_x = x;
	return *i > from;
}

/* A whole number with its sign at i, and a blank behind it. */
static bool take_ticks(struct pd_span line, size_t *i, double *ret_x)
{
	bool is_negative = *i < line.len && line.ptr[*i] == '-';

	*i += is_negative;
	if (!take_digits(line, i, ret_x))
		return false;
	if (is_negative)
		*ret_x = -*ret_x;
	return *i < line.len && pd_is_blank(line.ptr[*i]);
}

static size_t skip_blanks(struct pd_span line, size_t i)
{
	while (i < line.len && pd_is_blank(line.ptr[i]))
		i++;
	return i;
}

/* "6.8%", with one decimal; its sign is that of the ticks. Returns what is before the point. */
static bool take_percent(struct pd_span line, size_t *i, bool is_negative, double *ret_x)
{
	if (is_negative && *i < line.len && line.ptr[*i] == '-')
		(*i)++;
	if (!take_digits(line, i, ret_x) || *i + 3 >= line.len || line.ptr[*i] != '.' ||
	    !pd_is_digit(line.ptr[*i + 1]) || line.ptr[*i + 2] != '%')
		return false;
	*i += 3;
	return pd_is_blank(line.ptr[*i]);
}

static bool parse_row(struct pd_span line, size_t from, struct row *ret_row)
{
	struct row row = {0};
	size_t i = skip_blanks(line, from);

	if (i == line.len || (line.ptr[i] != '-' && !pd_is_digit(line.ptr[i])) ||
	    !take_ticks(line, &i, &row.ticks))
		return false;
	i = skip_blanks(line, i);
	if (!take_percent(line, &i, row.ticks < 0, &row.percent))
		return false;
	row.name = pd_span_trim(pd_span_sub(line, i, line.len));
	if (!pd_prose_is_symbol(row.name) || fabs(row.ticks) > PD_COUNT_MAX)
		return false;
	*ret_row = row;
	return true;
}

/* A row, maybe behind a sentence that it was pasted into. */
static bool find_row(struct pd_span line, struct row *ret_row)
{
	size_t words = 0, i = line.len;

	if (parse_row(line, 0, ret_row))
		return true;
	while (i && words < 3) {
		while (i && pd_is_blank(line.ptr[i - 1]))
			i--;
		while (i && !pd_is_blank(line.ptr[i - 1]))
			i--;
		words++;
	}
	/* A list in prose has no such gap. */
	return words == 3 && i > 2 && pd_is_blank(line.ptr[i - 1]) &&
	       pd_is_blank(line.ptr[i - 2]) && parse_row(line, i, ret_row);
}

static void set_heading(struct reader *r, struct pd_span line)
{
	struct pd_span heading = pd_prose_heading(line);

	r->heading.len = 0;
	pd_buf_add(&r->heading, heading.ptr, heading.len);
}

static void open_table(struct reader *r)
{
	r->run = pd_builder_run(r->builder, pd_buf_span(&r->heading));
	(void)pd_builder_event(r->builder, r->run, pd_span_of("ticks"), PD_UNIT_TICKS);
	pd_builder_set_deltas(r->builder, r->run);
	/* Small differences are left out, of either sign. */
	pd_builder_add_slack(r->builder, r->run, 0, PD_COUNT_MAX);
	r->heading.len = 0;
	r->is_open = true;
	r->has_total = false;
}

static bool is_total(const struct row *row)
{
	return pd_span_eq(row->name, "total");
}

static void add_row(struct reader *r, const struct row *row)
{
	const struct pd_span none = {"", 0};
	struct pd_builder_cell cell;

	if (!r->is_open || (r->has_total && (is_total(row) || row->ticks > r->last)))
		open_table(r);
	r->last = row->ticks;
	if (is_total(row)) {
		r->has_total = true;
		pd_builder_set_total(r->builder, r->run, 0, row->ticks);
		return;
	}
	cell = (struct pd_builder_cell){r->run, 0, row->ticks};
	if (pd_span_eq(row->name, "*unknown*"))
		pd_builder_add_cells(r->builder, pd_builder_leftover(r->builder, "[unknown]", none),
				     &cell, 1);
	else
		pd_batch_add(&r->batch, row->name, none, &cell, 1);
}

/* Whether a line begins as a row does. */
static bool is_broken_row(struct pd_span line)
{
	size_t i = skip_blanks(line, 0);
	double ticks, percent;

	if (!take_ticks(line, &i, &ticks))
		return false;
	i = skip_blanks(line, i);
	return take_percent(line, &i, ticks < 0, &percent);
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct row row;

	if (!line.len)
		return;
	if (find_row(line, &row)) {
		add_row(r, &row);
	} else if (pd_prose_is_ellipsis(line) || pd_prose_is_rule(line)) {
		return;
	} else if (r->is_open && is_broken_row(line)) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected ticks (up to 2^53), a percentage and a name, "
			     "found \"%.*s\"; line skipped", PD_SPAN_ARG(line));
	} else {
		r->is_open = false;
		set_heading(r, line);
	}
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .builder = b};
	struct pd_span line;
	bool is_failed;

	pd_batch_init(&r.batch, b);
	pd_input_lines(in, &r.lines);
	while (!pd_builder_is_failed(b) && pd_lines_next(&r.lines, &line))
		read_line(&r, line);
	pd_batch_flush(&r.batch);
	is_failed = r.lines.clean.failed || r.heading.failed;
	pd_lines_done(&r.lines);
	pd_buf_done(&r.heading);
	return is_failed ? pd_fail_nomem(err) : PD_OK;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	bool has_difference = false;
	size_t n_rows = 0;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (pd_lines_next(&lines, &line)) {
		struct row row;

		if (!parse_row(line, 0, &row))
			continue;
		n_rows++;
		/* Shares are not negative, less than 100 %, and all of them are 100 %. */
		has_difference = has_difference || row.ticks < 0 ||
				 is_total(&row) == (row.percent < 100);
	}
	pd_lines_done(&lines);
	return n_rows > 1 && has_difference ? PD_SNIFF_YES : PD_SNIFF_NO;
}

const struct pd_format pd_format_diffprofile = {
	.name = "diffprofile",
	.title = "diffprofile: differences of two readprofile outputs",
	.sniff = sniff,
	.read = read,
};
