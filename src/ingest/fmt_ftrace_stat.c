/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel's function profiler (CONFIG_FUNCTION_PROFILER): what
 * /sys/kernel/tracing/trace_stat/function* show, a table for each processor.
 *
 *	# cat trace_stat/function*
 *	  Function                               Hit    Time            Avg             s^2
 *	  --------                               ---    ----            ---             ---
 *	  vfs_write                              462    68476.43 us     148.217 us      25874.48 us
 *	  vfs_read                               641    9611.356 us     14.994 us       28868.07 us
 *
 * Without CONFIG_FUNCTION_GRAPH_TRACER there are hits only. Time is that of all
 * calls with what they called (unless options/graph-time is off, which no dump
 * tells), so it is the inclusive cost; no total can be made of it. s^2 is the
 * variance of single calls in us^2, whatever its unit says. See
 * kernel/trace/ftrace.c, function_stat_show().
 *
 * The tables of one dump are one run. A new run begins behind prose, and with a
 * table of a processor that the run has already.
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "base/num.h"
#include "ingest/prose.h"
#include "io/lines.h"

enum {
	MAX_FIELDS = 9,
	CUT_NAME = 30,     /* the kernel prints "%-30.30s" */
	MAX_CPUS = 4096,   /* whose tables are told apart by the names of their files */
	MAX_HEADING = 40,  /* bytes; longer ones are sentences */
	MAX_ESTIMATE_NS = 100000, /* a longer call tells nothing of what tracing costs */
	NS_PER_US = 1000,
};

static const double wrap = 18446744073709551616.0; /* 2^64: the kernel computes s^2 in 64 bits */

/* A row; what it does not tell is unknown. */
struct stat_row {
	struct pd_span name;
	double hits, time_ns, avg_ns, variance; /* ns, ns, ns^2 */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	uint32_t run, event;
	bool has_run, has_event, is_in_table;
	bool is_apart;       /* prose, or a command, stands behind the last table */
	bool is_new_dump;    /* a file of a processor that the run has stands there */
	bool has_time;       /* of the table's header, or first row */
	struct pd_buf heading; /* above the tables to come */
	unsigned char cpus[MAX_CPUS / 8]; /* bits: whose tables the run has */
	/* The last row, while its s^2 may still come in a line of its own. */
	struct stat_row row;
	uint32_t row_func;
	bool is_row_open;
	uint32_t n_cut_names;
	double shortest_ns;  /* of the averages */
	struct pd_buf shortest;
};

/* "12.5" and "us" at fields[i]. */
static bool take_us(const struct pd_span *fields, size_t n, size_t i, double *ret_us)
{
	return i + 1 < n && pd_num_parse_count(fields[i], ret_us) &&
	       pd_span_eq(fields[i + 1], "us");
}

static bool parse_row(struct pd_span line, struct stat_row *ret_row)
{
	struct pd_span f[MAX_FIELDS];
	size_t n = pd_fields(line, f, MAX_FIELDS);
	struct stat_row r = {.time_ns = PD_UNKNOWN, .avg_ns = PD_UNKNOWN, .variance = PD_UNKNOWN};
	uint64_t hits;

	if ((n != 2 && n != 6 && n != 8) || !pd_num_parse_u64(f[1], &hits))
		return false;
	r.name = f[0];
	r.hits = (double)hits;
	if (n > 2) {
		if (!take_us(f, n, 2, &r.time_ns) || !take_us(f, n, 4, &r.avg_ns))
			return false;
		r.time_ns = round(r.time_ns * NS_PER_US);
		r.avg_ns = round(r.avg_ns * NS_PER_US);
	}
	if (n == 8) {
		if (!take_us(f, n, 6, &r.variance))
			return false;
		r.variance *= (double)NS_PER_US * NS_PER_US;
	}
	*ret_row = r;
	return true;
}

/* Rows that no other table has: with times. */
static bool is_time_row(struct pd_span line, const void *context)
{
	struct stat_row row;

	(void)context;
	return parse_row(line, &row) && pd_is_known(row.time_ns);
}

/* "Function Hit [Time Avg [s^2]]" */
static bool is_header(struct pd_span line, bool *ret_has_time)
{
	static const char *const words[] = {"Function", "Hit", "Time", "Avg", "s^2"};
	struct pd_span f[MAX_FIELDS];
	size_t n;

	line = pd_span_trim(line);
	if (!pd_span_starts(line, words[0]))
		return false;
	n = pd_fields(line, f, MAX_FIELDS);
	if (n < 2 || n == 3 || n > sizeof(words) / sizeof(words[0]))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!pd_span_eq(f[i], words[i]))
			return false;
	*ret_has_time = n > 2;
	return true;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	enum pd_sniff answer = PD_SNIFF_NO;
	bool has_time, is_below = false;
	struct pd_lines lines;
	struct pd_span line;
	size_t n_rows = 0;

	pd_input_lines(head, &lines);
	while (answer != PD_SNIFF_YES && pd_lines_next(&lines, &line)) {
		/* A mailer may have put the last column on a line of its own. */
		if (is_below && pd_prose_is_rule(line))
			answer = PD_SNIFF_YES;
		else if (is_header(line, &has_time))
			is_below = true;
		else if (!pd_span_eq(pd_span_trim(line), "s^2"))
			is_below = false;
		n_rows += is_time_row(line, NULL);
		if (n_rows > 1)
			answer = PD_SNIFF_YES;
	}
	pd_lines_done(&lines);
	return answer == PD_SNIFF_NO && n_rows ? PD_SNIFF_MAYBE : answer;
}

/*
 * The sum of the squares of all calls' times, or unknown. The kernel's sum of
 * squares wraps at 2^64 ns^2; newer kernels multiply it by the hits first. Where
 * either must have happened, s^2 tells nothing.
 */
static double sum_of_squares(const struct stat_row *r)
{
	double square = r->time_ns * r->time_ns, n = r->hits;
	double sum = r->variance * (n - 1) + square / n;

	if (!(n > 0) || square / n >= wrap || sum >= wrap ||
	    (square >= wrap && r->variance * n * (n - 1) < wrap))
		return PD_UNKNOWN;
	return sum;
}

/* The last row is complete: nothing that follows belongs to it. */
static void close_row(struct reader *r)
{
	double sum;

	if (!r->is_row_open)
		return;
	r->is_row_open = false;
	sum = sum_of_squares(&r->row);
	pd_builder_add_squares(r->b, r->run, r->event, r->row_func, sum);
}

/* "trace_stat/function3": 3; UINT32_MAX if the line names no such file, or all of them. */
static uint32_t cpu_of(struct pd_span line)
{
	static const char stem[] = "function";
	struct pd_span rest = line;
	size_t at;

	while ((at = pd_span_find(rest, stem)) != SIZE_MAX) {
		uint32_t cpu = 0;
		size_t i;

		rest = pd_span_sub(rest, at + sizeof(stem) - 1, rest.len);
		for (i = 0; i < rest.len && pd_is_digit(rest.ptr[i]) && cpu < MAX_CPUS; i++)
			cpu = 10 * cpu + (uint32_t)(rest.ptr[i] - '0');
		if (i && cpu < MAX_CPUS)
			return cpu;
	}
	return UINT32_MAX;
}

/* A line that is of no table: is it between the tables of one dump, or does it end it? */
static void read_between(struct reader *r, struct pd_span line)
{
	struct pd_span heading = pd_prose_heading(line);
	uint32_t cpu = cpu_of(line);

	if (pd_prose_is_ellipsis(line)) {
		if (r->has_event)
			pd_builder_set_cut(r->b, r->run, r->event);
		return;
	}
	r->is_in_table = false;
	if (cpu != UINT32_MAX) {
		/* "==> trace_stat/function1 <==", "# cat trace_stat/function1" */
		if (r->cpus[cpu / 8] & 1 << cpu % 8 || r->is_new_dump) {
			memset(r->cpus, 0, sizeof(r->cpus));
			r->is_new_dump = true;
		}
		r->cpus[cpu / 8] |= (unsigned char)(1 << cpu % 8);
		return;
	}
	if (pd_span_starts(line, "```"))
		return;
	r->is_apart = true;
	if (heading.len && heading.len <= MAX_HEADING && pd_prose_is_marked(line)) {
		r->heading.len = 0;
		pd_buf_add(&r->heading, heading.ptr, heading.len);
	}
}

static void begin_table(struct reader *r, bool has_time)
{
	bool is_new = !r->has_run || r->is_apart || r->is_new_dump;

	close_row(r);
	r->is_in_table = true;
	r->has_time = has_time;
	if (is_new) {
		r->run = pd_builder_run(r->b, pd_buf_span(&r->heading));
		r->has_run = true;
		r->has_event = false;
		r->heading.len = 0;
	}
	r->is_apart = r->is_new_dump = false;
	if (!r->has_event)
		r->event = pd_builder_event(r->b, r->run, pd_span_of(has_time ? "time" : "calls"),
					    has_time ? PD_UNIT_NS : PD_UNIT_CALLS);
	r->has_event = true;
}

static void add_row(struct reader *r, const struct stat_row *row)
{
	struct pd_span none = {"", 0};
	uint32_t func;

	close_row(r);
	if (pd_span_starts(row->name, "0x"))
		func = pd_builder_leftover(r->b, "[unknown]", none);
	else
		func = pd_builder_func(r->b, row->name, none);
	r->n_cut_names += row->name.len == CUT_NAME;
	pd_builder_add_calls(r->b, r->run, func, row->hits);
	if (!r->has_time) {
		pd_builder_add_self(r->b, r->run, r->event, func, row->hits);
		return;
	}
	pd_builder_add_inclusive(r->b, r->run, r->event, func, row->time_ns);
	if (row->avg_ns > 0 && !(row->avg_ns >= r->shortest_ns)) {
		r->shortest_ns = row->avg_ns;
		r->shortest.len = 0;
		pd_buf_add(&r->shortest, row->name.ptr, row->name.len);
	}
	r->row = *row;
	r->row_func = func;
	r->is_row_open = true;
}

/* The s^2 of the last row, where a mailer has put it on a line of its own. */
static bool take_variance(struct reader *r, struct pd_span line)
{
	struct pd_span f[3];
	double x;

	if (!r->is_row_open || pd_is_known(r->row.variance) || pd_fields(line, f, 3) != 2 ||
	    !take_us(f, 2, 0, &x))
		return false;
	r->row.variance = x * NS_PER_US * NS_PER_US;
	return true;
}

/* A line that should have been a row: a name and a number. */
static bool is_like_row(struct pd_span line)
{
	struct pd_span f[3];
	double x;

	return pd_fields(line, f, 3) > 1 && pd_prose_is_symbol(f[0]) && pd_num_scan(f[1], &x);
}

/* Whether a row is one of the table at hand; rows with times need none. */
static bool is_wanted(const struct reader *r, const struct stat_row *row)
{
	bool has_time = pd_is_known(row->time_ns);

	return r->is_in_table ? has_time == r->has_time : has_time;
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct stat_row row;
	bool has_time, is_good;

	if (is_header(line, &has_time)) {
		begin_table(r, has_time);
		return;
	}
	if (r->is_in_table && (pd_prose_is_rule(line) || pd_span_eq(pd_span_trim(line), "s^2") ||
			       take_variance(r, line)))
		return;
	is_good = parse_row(line, &row);
	if (!(is_good && is_wanted(r, &row)) && is_like_row(line) &&
	    pd_lines_unwrap(&r->lines, &line, is_time_row, NULL))
		is_good = parse_row(line, &row);
	if (is_good && is_wanted(r, &row)) {
		if (!r->is_in_table)
			begin_table(r, true);
		add_row(r, &row);
		return;
	}
	if (r->is_in_table && is_like_row(line))
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected a function, %s, found \"%.*s\"; line skipped",
			     r->has_time ? "hits and times in us" : "and hits", PD_SPAN_ARG(line));
	else
		read_between(r, line);
}

/* What no number of the input tells: which doubt there is about all of them. */
static void tell_doubts(const struct reader *r)
{
	char buf[PD_NUM_LEN];

	if (r->shortest_ns <= MAX_ESTIMATE_NS)
		pd_diags_add(r->in->diags, PD_NOTE, "traced", r->in->path, 0,
			     "tracing adds time to each call, at most %s ns (%.*s)",
			     pd_num_shortest(r->shortest_ns, buf),
			     PD_SPAN_ARG(pd_buf_span(&r->shortest)));
	else if (r->has_run)
		pd_diags_add(r->in->diags, PD_NOTE, "traced", r->in->path, 0,
			     "tracing adds time to each call");
	if (r->n_cut_names)
		pd_diags_add(r->in->diags, PD_NOTE, "cut-names", r->in->path, 0,
			     "%u name%s %d characters long, where the kernel cuts names: functions "
			     "may have been taken for one",
			     r->n_cut_names, r->n_cut_names == 1 ? " is" : "s are", CUT_NAME);
}

static int read_stat(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct pd_span line;
	int rc = PD_OK;

	if (!r)
		return pd_fail_nomem(err);
	r->in = in;
	r->b = b;
	r->shortest_ns = PD_UNKNOWN;
	pd_input_lines(in, &r->lines);
	while (!pd_builder_is_failed(b) && pd_lines_next(&r->lines, &line))
		if (line.len)
			read_line(r, line);
	close_row(r);
	tell_doubts(r);
	if (r->lines.clean.failed || r->lines.joined.failed || r->heading.failed ||
	    r->shortest.failed)
		rc = pd_fail_nomem(err);
	pd_lines_done(&r->lines);
	pd_buf_done(&r->heading);
	pd_buf_done(&r->shortest);
	free(r);
	return rc;
}

const struct pd_format pd_format_ftrace_stat = {
	.name = "ftrace-stat",
	.title = "the kernel's function profiler: trace_stat/function*",
	.sniff = sniff,
	.read = read_stat,
};
