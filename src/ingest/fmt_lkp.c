/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons of the kernel test robot (lkp ncompare, lkp compare), of two or
 * more commits:
 *
 *	4aecca4c76 ("net_tstamp: add SCM_TS_OPT_ID")
 *
 *	34ea1df802f79d44 4aecca4c76808f3736056d18ff5
 *	---------------- ---------------------------
 *	       fail:runs  %reproduction    fail:runs
 *	           |             |             |
 *	           :6           33%           2:6     dmesg.WARNING
 *	         %stddev     %change         %stddev
 *	             \          |                \
 *	      8589 +- 97%    +255.7%      30553 +- 17%  proc-vmstat.pgmigrate_success
 *	     32.20            +0.8       33.01        perf-stat.i.cache-miss-rate%
 *	      6.66            +0.1        6.78        perf-profile.self.cycles-pp.dictFind
 *
 * Each commit of a table is a run, each row a metric of it: the mean of some
 * repetitions, with their deviation in percent where that is above 2 (the sign
 * before it is not ASCII, and mailers lose it). How many repetitions there are
 * only rows of failures tell. Differences without "%" are points of percent.
 * Rows of perf-profile.self are functions, too, and perf-profile.children give
 * their inclusive costs. See lib/compare.rb of lkp-tests.
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "base/num.h"
#include "ingest/prose.h"
#include "io/lines.h"

enum {
	MAX_SIDES = 16,
	MAX_EVENTS = 8,    /* of perf-profile, in one table */
	MAX_SECTION = 64,
	NAME_BYTES = 64,   /* of an event's name */
};

/* A value and how it scatters. */
struct lkp_cell {
	double value, sd_percent; /* or unknown */
	double n_failed, n_runs;  /* of a row of failures; else unknown */
};

struct lkp_row {
	struct lkp_cell cells[MAX_SIDES];
	uint32_t n;
	struct pd_span key;
	bool is_points; /* differences are points of percent */
};

struct table {
	uint32_t runs[MAX_SIDES], n;
	double n_runs[MAX_SIDES]; /* repetitions of a side, or unknown */
	char events[MAX_EVENTS][NAME_BYTES];
	uint32_t n_events;
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	struct table table;
	uint32_t n_tables;
	struct pd_buf above;    /* the line above: maybe the names of the sides */
	struct pd_buf subject;  /* the metric that the mail is about */
	double subject_sign;    /* +1: it improved, -1: it regressed; 0: not told */
	bool is_over_keys, is_over_values; /* lines of parameters come */
	struct pd_buf keys, test; /* names of parameters; which test the table is of */
};

static void skip_blanks(struct pd_span s, size_t *i)
{
	while (*i < s.len && pd_is_blank(s.ptr[*i]))
		(*i)++;
}

/* "1.039e+10", a word; a sign is asked for or forbidden. */
static bool take_number(struct pd_span s, size_t *i, bool is_signed, double *ret_x)
{
	size_t at = *i, len;

	skip_blanks(s, &at);
	if (at >= s.len || (s.ptr[at] == '+' || s.ptr[at] == '-') != is_signed)
		return false;
	if (s.ptr[at] == '+')
		at++;
	len = pd_num_scan(pd_span_sub(s, at, s.len), ret_x);
	if (!len)
		return false;
	*i = at + len;
	return true;
}

static bool is_at_word_end(struct pd_span s, size_t i)
{
	return i >= s.len || pd_is_blank(s.ptr[i]);
}

/* The sign before a deviation, or what mailers make of it: its length. */
static size_t scan_sign(struct pd_span s)
{
	static const char *const signs[] = {"\xc2\xb1", "\xef\xbf\xbd", "\xc3\x82\xc2\xb1",
					    "+/-", "+-", "?"};

	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (pd_span_starts(s, signs[i]))
			return strlen(signs[i]);
	return 0;
}

/* "+- 97%" or nothing. False if something else follows that is neither. */
static void take_deviation(struct pd_span s, size_t *i, double *ret_percent)
{
	size_t at = *i, len;

	*ret_percent = PD_UNKNOWN;
	skip_blanks(s, &at);
	len = scan_sign(pd_span_sub(s, at, s.len));
	if (!len)
		return;
	at += len;
	if (!take_number(s, &at, false, ret_percent) || at >= s.len || s.ptr[at] != '%' ||
	    !is_at_word_end(s, at + 1)) {
		*ret_percent = PD_UNKNOWN;
		return;
	}
	*i = at + 1;
}

/* "2:6", ":6" */
static bool take_failures(struct pd_span s, size_t *i, struct lkp_cell *ret_cell)
{
	size_t at = *i;

	skip_blanks(s, &at);
	*ret_cell = (struct lkp_cell){.sd_percent = PD_UNKNOWN};
	if (at < s.len && s.ptr[at] != ':' && !take_number(s, &at, false, &ret_cell->n_failed))
		return false;
	if (at >= s.len || s.ptr[at] != ':' || at + 1 >= s.len || !pd_is_digit(s.ptr[at + 1]))
		return false;
	at++;
	if (!take_number(s, &at, false, &ret_cell->n_runs) || !is_at_word_end(s, at) ||
	    !(ret_cell->n_runs > 0))
		return false;
	ret_cell->value = 100 * ret_cell->n_failed / ret_cell->n_runs;
	*i = at;
	return true;
}

static bool take_value(struct pd_span s, size_t *i, struct lkp_cell *ret_cell)
{
	size_t at = *i;
	bool is_negative;

	skip_blanks(s, &at);
	is_negative = at < s.len && s.ptr[at] == '-';
	*ret_cell = (struct lkp_cell){.n_failed = PD_UNKNOWN, .n_runs = PD_UNKNOWN};
	if (!take_number(s, &at, is_negative, &ret_cell->value) || !is_at_word_end(s, at))
		return false;
	take_deviation(s, &at, &ret_cell->sd_percent);
	*i = at;
	return true;
}

/* "+255.7%", "-0.8": a difference, or (is_failures) "33%". */
static bool take_change(struct pd_span s, size_t *i, bool is_failures, bool *ret_is_points)
{
	size_t at = *i;
	double x;

	skip_blanks(s, &at);
	if (!take_number(s, &at, !is_failures || (at < s.len && s.ptr[at] == '-'), &x))
		return false;
	*ret_is_points = at >= s.len || s.ptr[at] != '%';
	at += !*ret_is_points;
	if (!is_at_word_end(s, at) || (is_failures && *ret_is_points))
		return false;
	*i = at;
	return true;
}

/* Values with changes between them, and a key behind. */
static bool parse_row(struct pd_span line, struct lkp_row *ret_row)
{
	struct lkp_row *row = ret_row;
	size_t i = 0;
	bool is_failures;

	row->n = 0;
	row->is_points = false;
	is_failures = take_failures(line, &i, &row->cells[0]);
	if (!is_failures && !take_value(line, &i, &row->cells[0]))
		return false;
	for (row->n = 1; row->n < MAX_SIDES; row->n++) {
		size_t at = i;
		struct lkp_cell *cell = &row->cells[row->n];

		if (!take_change(line, &at, is_failures, &row->is_points))
			break;
		if (is_failures ? !take_failures(line, &at, cell) : !take_value(line, &at, cell))
			return false;
		i = at;
	}
	skip_blanks(line, &i);
	row->key = pd_span_sub(line, i, line.len);
	row->is_points |= is_failures;
	return row->n > 1 && row->key.len && (pd_is_alpha(row->key.ptr[0]) ||
					      row->key.ptr[0] == '_');
}

static bool is_row(struct pd_span line, const void *context)
{
	struct lkp_row row;

	(void)context;
	return parse_row(line, &row);
}

static bool is_columns(struct pd_span line)
{
	return pd_span_find(line, "%stddev") != SIZE_MAX &&
	       pd_span_find(line, "%change") != SIZE_MAX;
}

static bool is_failure_columns(struct pd_span line)
{
	return pd_span_find(line, "fail:runs") != SIZE_MAX &&
	       pd_span_find(line, "%reproduction") != SIZE_MAX;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	size_t n_columns = 0, n_rows = 0;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (pd_lines_next(&lines, &line)) {
		struct lkp_row row;

		n_columns += is_columns(line) || is_failure_columns(line);
		/* Keys are words with dots: no other table has such rows. */
		if (parse_row(line, &row))
			n_rows += !memchr(row.key.ptr, ' ', row.key.len) &&
				  memchr(row.key.ptr, '.', row.key.len);
	}
	pd_lines_done(&lines);
	if (n_columns || n_rows > 1)
		return PD_SNIFF_YES;
	return n_rows ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

/* "---------------- ---------------------------": so many commits, or 0. */
static uint32_t count_rules(struct pd_span line)
{
	struct pd_span f[MAX_SIDES + 1];
	size_t n = pd_fields(line, f, MAX_SIDES + 1);

	for (size_t i = 0; i < n; i++)
		if (f[i].len < 4 || !pd_prose_is_rule(f[i]) || f[i].ptr[0] != '-')
			return 0;
	return n > 1 && n <= MAX_SIDES ? (uint32_t)n : 0;
}

/* A table of n sides, called as the words of the line above it. */
static void begin_table(struct reader *r, uint32_t n)
{
	struct pd_span f[MAX_SIDES + 1], above = pd_buf_span(&r->above);
	size_t n_names = pd_fields(above, f, MAX_SIDES + 1);
	struct table *t = &r->table;

	t->n = n;
	t->n_events = 0;
	r->n_tables++;
	for (uint32_t s = 0; s < n; s++) {
		struct pd_buf section = {0};
		struct pd_span name = {"", 0};

		if (n_names == n)
			name = pd_span_sub(f[s], 0, MAX_SECTION);
		pd_buf_add(&section, name.ptr, name.len);
		/* Other tables of the mail are of other tests, which no one run has done. */
		if (r->n_tables > 1 && name.len && r->test.len)
			pd_buf_printf(&section, " %s", r->test.ptr);
		if (r->n_tables > 1 && name.len && !r->test.len)
			pd_buf_printf(&section, " (table %u)", r->n_tables);
		t->runs[s] = pd_builder_run(r->b, pd_buf_span(&section));
		t->n_runs[s] = PD_UNKNOWN;
		pd_buf_done(&section);
	}
}

/* The event of perf-profile rows, the same number in all runs of the table; or UINT32_MAX. */
static uint32_t event_of(struct reader *r, struct pd_span name)
{
	struct table *t = &r->table;
	uint32_t event = 0;

	for (uint32_t e = 0; e < t->n_events; e++)
		if (pd_span_eq(name, t->events[e]))
			return e;
	if (t->n_events == MAX_EVENTS || name.len >= NAME_BYTES)
		return UINT32_MAX;
	for (uint32_t s = 0; s < t->n; s++) {
		struct pd_event *e;

		event = pd_builder_event(r->b, t->runs[s], name, PD_UNIT_PERCENT);
		e = pd_builder_event_at(r->b, t->runs[s], event);
		pd_builder_set_total(r->b, t->runs[s], event, 100);
		if (e)
			e->quantum = 0.01;
	}
	memcpy(t->events[t->n_events], name.ptr, name.len);
	t->events[t->n_events++][name.len] = '\0';
	return event;
}

/* "perf-profile.self.cycles-pp.FUNC" and "perf-profile.children....". */
static void add_function(struct reader *r, const struct lkp_row *row)
{
	static const char *const heads[] = {"perf-profile.self.", "perf-profile.children."};
	struct pd_span none = {"", 0}, rest = none, name;
	bool is_self = pd_span_starts(row->key, heads[0]);
	uint32_t event, func;
	size_t dot;

	if (is_self || pd_span_starts(row->key, heads[1]))
		rest = pd_span_sub(row->key, strlen(heads[!is_self]), row->key.len);
	dot = pd_span_find(rest, ".");
	if (dot == SIZE_MAX || dot + 1 == rest.len)
		return;
	event = event_of(r, pd_span_sub(rest, 0, dot));
	if (event == UINT32_MAX)
		return;
	name = pd_span_sub(rest, dot + 1, rest.len);
	if (pd_span_eq(name, "[unknown]"))
		func = pd_builder_leftover(r->b, "[unknown]", none);
	else
		func = pd_builder_func(r->b, name, none);
	for (uint32_t s = 0; s < row->n; s++)
		if (is_self)
			pd_builder_add_self(r->b, r->table.runs[s], event, func,
					    row->cells[s].value);
		else
			pd_builder_add_inclusive(r->b, r->table.runs[s], event, func,
						 row->cells[s].value);
}

/* What the mail says of its subject: "a 22.9% regression of aim7.jobs-per-min". */
static enum pd_better better_of(const struct reader *r, const struct lkp_row *row)
{
	double delta = row->cells[row->n - 1].value - row->cells[0].value;

	if (r->subject_sign == 0 || !r->subject.len || !pd_span_eq(row->key, r->subject.ptr) ||
	    delta == 0)
		return PD_BETTER_UNKNOWN;
	return (delta > 0) == (r->subject_sign > 0) ? PD_BETTER_HIGHER : PD_BETTER_LOWER;
}

/*
 * The robot divides the squares by n, which makes the deviation of few
 * repetitions too small: undo that where n is known.
 */
static double sample_deviation(const struct lkp_cell *cell, double n)
{
	double sd = fabs(cell->value) * cell->sd_percent / 100;

	return n > 1 ? sd * sqrt(n / (n - 1)) : sd;
}

static void add_row(struct reader *r, const struct lkp_row *row)
{
	struct pd_span group = {"", 0};
	enum pd_better better = better_of(r, row);
	struct table *t = &r->table;

	for (uint32_t s = 0; s < row->n; s++) {
		const struct lkp_cell *cell = &row->cells[s];
		bool is_failure = pd_is_known(cell->n_runs);
		struct pd_span name = row->key, unit = pd_span_of(row->is_points ? "percent" : "");
		uint32_t metric;

		if (is_failure)
			t->n_runs[s] = cell->n_runs;
		if (pd_builder_has_metric(r->b, t->runs[s], group, name)) {
			if (!s)
				pd_diags_add(r->in->diags, PD_WARNING, "repeated", r->in->path,
					     r->lines.no, "expected one row of \"%.*s\", found "
					     "another; line skipped", PD_SPAN_ARG(name));
			return;
		}
		metric = pd_builder_metric(r->b, t->runs[s], group, name, unit,
					   is_failure ? PD_BETTER_LOWER : better);
		pd_builder_add_value(r->b, t->runs[s], metric, cell->value);
		if (!is_failure && (pd_is_known(cell->sd_percent) || pd_is_known(t->n_runs[s])))
			pd_builder_set_summary(r->b, t->runs[s], metric,
					       sample_deviation(cell, t->n_runs[s]),
					       t->n_runs[s]);
	}
	add_function(r, row);
}

/* "Person A noticed a 22.9% regression of aim7.jobs-per-min on:" */
static void read_subject(struct reader *r, struct pd_span line)
{
	static const char *const words[] = {"% regression of ", "% improvement of "};

	for (size_t i = 0; i < 2 && !r->subject.len; i++) {
		size_t at = pd_span_find(line, words[i]), to;

		if (at == SIZE_MAX)
			continue;
		at += strlen(words[i]);
		for (to = at; to < line.len && !pd_is_blank(line.ptr[to]); to++)
			;
		pd_buf_add(&r->subject, line.ptr + at, to - at);
		r->subject_sign = i ? 1 : -1;
	}
}

/* The value of the parameter "testcase": "a/testcase/b:" over "  1/aim7/2". */
static void read_parameters(struct reader *r, struct pd_span line)
{
	struct pd_span keys, values = pd_span_trim(line);

	if (r->is_over_keys) {
		r->keys.len = 0;
		pd_buf_add(&r->keys, line.ptr, line.len);
		r->is_over_values = pd_span_find(line, "testcase") != SIZE_MAX;
		r->is_over_keys = false;
		return;
	}
	if (!r->is_over_values)
		return;
	r->is_over_values = false;
	keys = pd_span_trim(pd_buf_span(&r->keys));
	r->test.len = 0;
	while (keys.len && values.len) {
		size_t k = pd_span_find(keys, "/"), v = pd_span_find(values, "/");
		struct pd_span key = pd_span_sub(keys, 0, k), value = pd_span_sub(values, 0, v);

		if (pd_span_eq(key, "testcase") || pd_span_eq(key, "testcase:"))
			pd_buf_add(&r->test, value.ptr, value.len < MAX_SECTION ? value.len
									       : MAX_SECTION);
		keys = k == SIZE_MAX ? pd_span_of("") : pd_span_sub(keys, k + 1, keys.len);
		values = v == SIZE_MAX ? pd_span_of("") : pd_span_sub(values, v + 1, values.len);
	}
}

/* Whether a line begins as a row does: with a number, and one with a sign behind it. */
static bool is_like_row(struct pd_span line)
{
	struct lkp_cell cell;
	bool is_points;
	size_t i = 0;

	if (take_failures(line, &i, &cell))
		return true;
	return take_value(line, &i, &cell) && take_change(line, &i, false, &is_points);
}

static void read_line(struct reader *r, struct pd_span line)
{
	uint32_t n_rules = count_rules(line);
	struct lkp_row row;

	if (n_rules) {
		begin_table(r, n_rules);
	} else if (is_like_row(line)) {
		if (!is_row(line, NULL))
			(void)pd_lines_unwrap(&r->lines, &line, is_row, NULL);
		if (!parse_row(line, &row)) {
			pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path,
				     r->lines.no, "expected values, changes and a name, found "
				     "\"%.*s\"; line skipped", PD_SPAN_ARG(line));
			return;
		}
		if (!r->table.n) {
			r->above.len = 0;
			begin_table(r, row.n);
		}
		if (row.n == r->table.n)
			add_row(r, &row);
		else
			pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path,
				     r->lines.no, "expected %u values, found %u in \"%.*s\"; "
				     "line skipped", r->table.n, row.n, PD_SPAN_ARG(line));
	} else {
		read_subject(r, line);
		read_parameters(r, line);
		r->is_over_keys = line.len > 20 && line.ptr[0] == '=' && pd_prose_is_rule(line);
		r->above.len = 0;
		pd_buf_add(&r->above, line.ptr, line.len);
	}
}

static int read_lkp(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct pd_span line;
	int rc = PD_OK;

	if (!r)
		return pd_fail_nomem(err);
	r->in = in;
	r->b = b;
	pd_input_lines(in, &r->lines);
	while (!pd_builder_is_failed(b) && pd_lines_next(&r->lines, &line))
		if (line.len)
			read_line(r, line);
	if (r->lines.clean.failed || r->lines.joined.failed || r->above.failed ||
	    r->subject.failed || r->keys.failed || r->test.failed)
		rc = pd_fail_nomem(err);
	pd_lines_done(&r->lines);
	pd_buf_done(&r->above);
	pd_buf_done(&r->subject);
	pd_buf_done(&r->keys);
	pd_buf_done(&r->test);
	free(r);
	return rc;
}

const struct pd_format pd_format_lkp = {
	.name = "lkp",
	.title = "comparisons of the kernel test robot: lkp ncompare",
	.sniff = sniff,
	.read = read_lkp,
};
