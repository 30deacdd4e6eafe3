/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of perf stat, from its beginnings to now.
 *
 *	    Performance counter stats for '/home/user/hackbench':      2008
 *	       1255.538611  task clock ticks     #      10.143 CPU utilization factor
 *	        3808323185  CPU cycles           #    3033.219 M/sec
 *	    Wall-clock time elapsed:   123.786620 msecs
 *
 *	S0        2            425.33 msec cpu-clock                 --per-socket
 *	     0.050283132         3.49 msec task-clock                -I 50
 *	         3,411,122      cycles:u                  (83.30%)   scaled
 *
 * and a table that people make of two of them:
 *
 *	 Performance counter stats for 'system wide' (5 runs):
 *	 event                              v5.4                v5.4 + patch(v3)
 *	 sched:sched_wakeup          441,533  ( +-  0.17% )   914,630  ( +-  0.18% )
 */
#include "ingest/perf_stat.h"

#include "base/num.h"
#include "ingest/bench.h"
#include "ingest/prose.h"
#include "ingest/quantity.h"

enum {
	MAX_NAME_WORDS = 3, /* "task clock ticks" */
	MAX_COLUMNS = 8,
};

static const char header[] = "Performance counter stats for";

/* The next word of s from *i on; empty at its end. */
static struct pd_span next_word(struct pd_span s, size_t *i)
{
	size_t from;

	while (*i < s.len && pd_is_blank(s.ptr[*i]))
		(*i)++;
	from = *i;
	while (*i < s.len && !pd_is_blank(s.ptr[*i]))
		(*i)++;
	return pd_span_sub(s, from, *i);
}

/* A value that ends at a blank; *i moves behind it. */
static bool take_value(struct pd_span s, size_t *i, double *ret_x)
{
	size_t at = *i, len;

	while (at < s.len && pd_is_blank(s.ptr[at]))
		at++;
	len = ps_scan_value(pd_span_sub(s, at, s.len), ret_x);
	if (!len || (at + len < s.len && !pd_is_blank(s.ptr[at + len])))
		return false;
	*i = at + len;
	return true;
}

/* The number behind "+-", if a '%' follows; or unknown. */
static double error_of(struct pd_span s)
{
	size_t at = pd_span_find(s, "+-"), percent;
	struct pd_span text;
	double x;

	if (at == SIZE_MAX)
		return PD_UNKNOWN;
	text = pd_span_trim(pd_span_sub(s, at + 2, s.len));
	percent = pd_num_scan(text, &x);
	return percent && pd_span_starts(pd_span_trim(pd_span_sub(text, percent, text.len)), "%")
		       ? x : PD_UNKNOWN;
}

/* The part before what is derived ("#"), the error and the share of the time "(83.3%)". */
static struct pd_span plain_part(struct pd_span s)
{
	static const char *const marks[] = {" # ", "( +-", "(+-", "(scaled", " [", "+-"};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		s = pd_span_sub(s, 0, pd_span_find(s, marks[i]));
	s = pd_span_trim(s);
	if (pd_span_ends(s, "#"))
		s.len--;
	if (pd_span_ends(s, "%)")) {
		size_t open = pd_span_find_last(s, '(');

		s = pd_span_sub(s, 0, open);
	}
	return pd_span_trim(s);
}

/* "[UNIT] EVENT"; the names of 2008 have blanks. */
static bool parse_name(struct pd_span s, struct ps_counter *c)
{
	size_t i = 0, n_words = 0;
	struct pd_span word = next_word(s, &i), rest = pd_span_trim(pd_span_sub(s, i, s.len));

	if (ps_is_unit(word) && rest.len) {
		c->unit = word;
		s = rest;
	}
	for (i = 0; (word = next_word(s, &i)).len; n_words++)
		if (!ps_is_event(word) && !pd_span_eq(word, "(msec)"))
			return false;
	c->name = s;
	return n_words && n_words <= MAX_NAME_WORDS;
}

static bool parse_row(struct pd_span line, struct ps_counter *ret_counter)
{
	struct ps_counter c = {.value = PD_UNKNOWN, .time_s = PD_UNKNOWN};
	size_t i = 0, behind;
	double x;

	/* Each of them may stand before the value: a time, a prefix, a number of CPUs. */
	if (!take_value(line, &i, &c.value)) {
		c.prefix = next_word(line, &i);
		if (!ps_is_prefix(c.prefix) || !take_value(line, &i, &c.value))
			return false;
	}
	behind = i;
	if (!c.prefix.len) {
		struct pd_span word = next_word(line, &behind);

		if (ps_is_prefix(word)) {
			c.prefix = word;
			c.time_s = c.value;
			i = behind;
			if (!take_value(line, &i, &c.value))
				return false;
		}
	}
	if (take_value(line, &i, &x)) {
		if (!c.prefix.len)
			c.time_s = c.value;
		c.value = x;
		if (pd_is_known(c.time_s) && c.prefix.len && take_value(line, &i, &x))
			c.value = x;
	}
	line = pd_span_sub(line, i, line.len);
	c.error_percent = error_of(line);
	if (!parse_name(plain_part(line), &c))
		return false;
	*ret_counter = c;
	return true;
}

/* "12.615 +- 0.977 seconds time elapsed  ( +-  7.75% )", "0.001 seconds user". */
static bool parse_time(struct pd_span line, struct ps_counter *ret_counter)
{
	struct ps_counter c = {.unit = pd_span_of("s"), .time_s = PD_UNKNOWN};
	size_t i = 0, elapsed = pd_span_find(line, "time elapsed:");
	struct pd_quantity q;
	double error;

	c.error_percent = error_of(pd_span_sub(line, pd_span_find(line, "("), line.len));
	if (elapsed != SIZE_MAX) {
		if (!pd_quantity_parse(pd_span_trim(pd_span_sub(line, elapsed + 13, line.len)),
				       &q) || !pd_span_eq(q.unit, "ns"))
			return false;
		c.value = q.value;
		c.unit = q.unit;
		c.name = pd_span_of("time elapsed");
		*ret_counter = c;
		return true;
	}
	if (!take_value(line, &i, &c.value))
		return false;
	line = pd_span_trim(pd_span_sub(line, i, line.len));
	if (pd_span_starts(line, "+-")) {
		i = 2;
		if (!take_value(line, &i, &error))
			return false;
		if (!pd_is_known(c.error_percent))
			c.error_percent = 100 * error / c.value;
		line = pd_span_trim(pd_span_sub(line, i, line.len));
	}
	line = pd_span_trim(pd_span_sub(line, 0, pd_span_find(line, "(")));
	if (pd_span_eq(line, "seconds time elapsed"))
		c.name = pd_span_of("time elapsed");
	else if (pd_span_eq(line, "seconds user") || pd_span_eq(line, "seconds sys"))
		c.name = pd_span_sub(line, strlen("seconds "), line.len);
	else
		return false;
	*ret_counter = c;
	return true;
}

/* A row that is perf's without any header: "1,228  page-faults  #  0.024 K/sec". */
static bool is_certain(struct pd_span line, const struct ps_counter *c)
{
	size_t mark = pd_span_find(line, " # ");
	double x;

	if (mark == SIZE_MAX || !ps_is_known_event(c->name))
		return false;
	return pd_quantity_scan(pd_span_trim(pd_span_sub(line, mark + 3, line.len)), &x) > 0;
}

/* Where intervals are printed, the heads of their columns are all there is. */
static bool is_header(struct pd_span line)
{
	return pd_span_find(line, header) != SIZE_MAX ||
	       (pd_span_find(line, "# ") == 0 && pd_span_find(line, " time ") != SIZE_MAX &&
		pd_span_find(line, " counts unit events") != SIZE_MAX);
}

/* What stands in a block and is no row: continued derivations, the heads of intervals. */
static bool is_filler(struct pd_span line)
{
	size_t indent = 0;

	while (indent < line.len && pd_is_blank(line.ptr[indent]))
		indent++;
	return indent == line.len || indent > 24 || line.ptr[indent] == '#' ||
	       pd_prose_is_rule(line) || pd_prose_is_ellipsis(line);
}

/* "# no polling in idle (with haltpoll):", which is no command. */
static struct pd_span comment_heading(struct pd_span line)
{
	if (line.len < 3 || line.ptr[0] != '#' || pd_span_find(line, "perf ") != SIZE_MAX ||
	    pd_span_find(line, " -") != SIZE_MAX || pd_span_find(line, "/") != SIZE_MAX)
		return (struct pd_span){"", 0};
	line = pd_span_trim(pd_span_sub(line, 1, line.len));
	if (pd_span_ends(line, ":"))
		line.len--;
	return line.len < 60 ? line : (struct pd_span){"", 0};
}

static void read_prose(struct ps_reader *r, struct pd_span line)
{
	struct pd_span s = pd_span_trim(line), heading = comment_heading(s);

	if (!s.len || pd_span_find(s, "perf stat") != SIZE_MAX || pd_prose_is_rule(s))
		return;
	if (!heading.len)
		heading = pd_prose_heading(s);
	if (pd_span_find(heading, ": ") != SIZE_MAX)
		heading.len = 0; /* "Time: 0.104": output of the command */
	if (s.len > 2 && s.ptr[0] == '(' && s.ptr[s.len - 1] == ')')
		heading = pd_span_sub(s, 1, s.len - 1);
	r->heading.len = 0;
	pd_buf_add(&r->heading, heading.ptr, heading.len);
}

static struct pd_span take_heading(struct ps_reader *r)
{
	struct pd_span heading = {r->heading.len ? r->heading.ptr : "", r->heading.len};

	r->heading.len = 0;
	return heading;
}

static void read_header(struct ps_reader *r, struct pd_span line)
{
	size_t from = pd_span_find(line, "'"), to = pd_span_find_last(line, '\''), runs;
	double n;

	ps_end(r);
	ps_begin(r, take_heading(r));
	if (from != SIZE_MAX && to > from + 1 &&
	    pd_span_find(line, "stats for '") == from - strlen("stats for ") &&
	    pd_span_find(line, "'system wide'") != from && pd_span_find(line, "'CPU(s)") != from)
		pd_builder_set_command(r->b, r->run, pd_span_sub(line, from + 1, to));
	runs = pd_span_find(line, " runs)");
	if (runs == SIZE_MAX)
		return;
	from = pd_span_find_last(pd_span_sub(line, 0, runs), '(');
	if (from != SIZE_MAX && pd_num_parse(pd_span_sub(line, from + 1, runs), &n) && n > 1)
		r->n_runs = n;
}

/* "event   v5.4   v5.4 + patch(v3)" below a header: a column a side. */
static bool read_columns(struct ps_reader *r, struct pd_span line)
{
	struct pd_span s = pd_span_trim(line);
	size_t i = 0;
	uint32_t n = 0;

	if (!pd_span_eq_nocase(next_word(s, &i), "event"))
		return false;
	r->columns.len = 0;
	while (i < s.len) {
		size_t from = i, to;

		while (from < s.len && pd_is_blank(s.ptr[from]))
			from++;
		to = from;
		while (to < s.len && s.ptr[to] != '\t' &&
		       (!pd_is_blank(s.ptr[to]) || (to + 1 < s.len && !pd_is_blank(s.ptr[to + 1]))))
			to++;
		pd_buf_add(&r->columns, s.ptr + from, to - from);
		pd_buf_add_char(&r->columns, '\0');
		n++;
		i = to;
	}
	if (n < 2 || n > MAX_COLUMNS)
		return false;
	/* The run of the header stays empty, and goes. */
	for (uint32_t k = 0; k < n; k++) {
		const char *name = r->columns.ptr;

		for (uint32_t skip = 0; skip < k; skip++)
			name += strlen(name) + 1;
		r->run = pd_builder_run(r->b, pd_span_of(name));
	}
	r->n_columns = n;
	return true;
}

/* "sched:sched_switch  797,007  ( +-  0.26% )  1,490,261  ( +-  0.10% )" */
static bool read_columns_row(struct ps_reader *r, struct pd_span line)
{
	struct ps_counter c[MAX_COLUMNS];
	struct pd_span name;
	uint32_t last = r->run;
	size_t i = 0, from;
	double x;

	while (i < line.len && !(pd_is_blank(line.ptr[i]) && take_value(line, &i, &x)))
		i++;
	from = i;
	while (from && !pd_is_blank(line.ptr[from - 1]))
		from--;
	name = pd_span_trim(pd_span_sub(line, 0, from));
	i = from;
	for (uint32_t k = 0; k < r->n_columns; k++) {
		struct pd_span rest;
		size_t to;

		c[k] = (struct ps_counter){.name = name, .time_s = PD_UNKNOWN};
		if (!take_value(line, &i, &c[k].value))
			return false;
		rest = pd_span_sub(line, i, line.len);
		to = pd_span_find(rest, ")");
		c[k].error_percent = PD_UNKNOWN;
		if (pd_span_starts(pd_span_trim(rest), "(") ||
		    pd_span_starts(pd_span_trim(rest), "+-")) {
			c[k].error_percent =
				error_of(pd_span_sub(rest, pd_span_find(rest, "("), to));
			i += to == SIZE_MAX ? rest.len : to + 1;
		}
		if (pd_span_find(name, "seconds") != SIZE_MAX)
			c[k].unit = pd_span_of("s");
	}
	if (!name.len || pd_span_trim(pd_span_sub(line, i, line.len)).len)
		return false;
	for (uint32_t k = 0; k < r->n_columns; k++) {
		r->run = last + 1 - r->n_columns + k;
		ps_add(r, &c[k]);
	}
	r->run = last;
	return true;
}

void ps_text_read(struct ps_reader *r, struct pd_span line)
{
	struct ps_counter c;

	if (is_header(line)) {
		read_header(r, line);
		return;
	}
	if (r->is_open) {
		if (is_filler(line) || read_columns(r, line) ||
		    (r->n_columns && read_columns_row(r, line)))
			return;
		if (parse_time(line, &c) || parse_row(line, &c)) {
			ps_add(r, &c);
			return;
		}
		ps_end(r);
	} else if (parse_row(line, &c) && is_certain(line, &c)) {
		ps_begin(r, take_heading(r));
		ps_add(r, &c);
		return;
	}
	read_prose(r, line);
}

void ps_text_census(struct pd_span line, bool *is_open, size_t *n_rows, size_t *n_other)
{
	struct ps_counter c;
	size_t i = 0;
	double x;

	if (is_header(line)) {
		*is_open = true;
		return;
	}
	if (*is_open && (is_filler(line) || pd_span_find(line, "+-") != SIZE_MAX ||
			 pd_span_starts(pd_span_trim(line), "event"))) {
		*n_rows += pd_span_find(line, "+-") != SIZE_MAX;
		return;
	}
	if ((*is_open && parse_time(line, &c)) ||
	    (parse_row(line, &c) && (*is_open || is_certain(line, &c)))) {
		*is_open = true;
		(*n_rows)++;
		return;
	}
	*is_open = false;
	i = 0;
	*n_other += bench_is_mmtests_row(line) || pd_quantity_scan(next_word(line, &i), &x) > 0;
}
