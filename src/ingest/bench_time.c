/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GNU time, and the word "time" of shells.
 *
 *		Command being timed: "make -j8"
 *		User time (seconds): 571.41
 *		Percent of CPU this job got: 99%
 *		Elapsed (wall clock) time (h:mm:ss or m:ss): 1:45.93
 *		Maximum resident set size (kbytes): 1760
 *
 *	real	1m45.930s
 *	user	9m31.410s
 *	sys	1m55.280s
 *
 * The unit stands in parentheses and is no part of the name. The same command
 * again is a repetition, another one is another run; a heading begins a run.
 */
#include "ingest/bench.h"

#include "base/num.h"
#include "ingest/prose.h"

static const struct pd_span none = {"", 0};

/* "1:02:03.5" and "2:03.5" in ns. */
static bool parse_clock(struct pd_span s, struct pd_quantity *ret_q)
{
	double seconds = 0, x;
	size_t n = 0;

	while (n++ < 3) {
		size_t colon = pd_span_find(s, ":");

		if (!pd_num_parse_count(pd_span_sub(s, 0, colon), &x))
			return false;
		seconds = 60 * seconds + x;
		if (colon == SIZE_MAX) {
			*ret_q = (struct pd_quantity){round(seconds * 1e9), pd_span_of("ns"),
						      PD_BETTER_LOWER};
			return n > 1;
		}
		s = pd_span_sub(s, colon + 1, s.len);
	}
	return false;
}

/* "1m45.930s" in ns. */
static bool parse_minutes(struct pd_span s, struct pd_quantity *ret_q)
{
	size_t m = pd_span_find(s, "m");
	double minutes, seconds;

	if (m == SIZE_MAX || !pd_span_ends(s, "s") ||
	    !pd_num_parse_count(pd_span_sub(s, 0, m), &minutes) ||
	    !pd_num_parse_count(pd_span_sub(s, m + 1, s.len - 1), &seconds))
		return false;
	*ret_q = (struct pd_quantity){round((60 * minutes + seconds) * 1e9), pd_span_of("ns"),
				      PD_BETTER_LOWER};
	return true;
}

/* A line of GNU time. */
static bool parse_gnu(struct pd_span line, struct pd_span *ret_name, struct pd_quantity *ret_q)
{
	static const char clock[] = "Elapsed (wall clock) time (h:mm:ss or m:ss): ";
	static const char *const names[] = {
		"User time", "System time", "Percent of CPU", "Average ", "Maximum resident",
		"Major (", "Minor (", "Voluntary context", "Involuntary context", "Swaps",
		"File system ", "Socket messages", "Signals delivered", "Page size", "Exit status",
	};
	struct pd_quantity q = {0};
	struct pd_unit_word w;
	size_t colon, open;
	bool is_known = false;

	line = pd_span_trim(line);
	if (pd_span_starts(line, clock)) {
		*ret_name = pd_span_of("Elapsed (wall clock) time");
		return parse_clock(pd_span_sub(line, strlen(clock), line.len), ret_q);
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		is_known |= pd_span_starts(line, names[i]);
	colon = pd_span_find(line, ": ");
	if (!is_known || colon == SIZE_MAX ||
	    !pd_quantity_parse(pd_span_sub(line, colon + 2, line.len), &q))
		return false;
	*ret_name = pd_span_sub(line, 0, colon);
	open = pd_span_find_last(*ret_name, '(');
	if (open != SIZE_MAX && pd_span_ends(*ret_name, ")")) {
		w = pd_unit_word(pd_span_sub(*ret_name, open + 1, ret_name->len - 1));
		if (w.is_known) {
			q = (struct pd_quantity){pd_unit_scale(&w, q.value), w.unit, w.better};
			*ret_name = pd_span_trim(pd_span_sub(*ret_name, 0, open));
		}
	}
	*ret_q = q;
	return true;
}

/* A line of a shell's time. */
static bool parse_shell(struct pd_span line, struct pd_span *ret_name, struct pd_quantity *ret_q)
{
	size_t i = 0;

	line = pd_span_trim(line);
	*ret_name = bench_next_word(line, &i);
	if (!pd_span_eq(*ret_name, "real") && !pd_span_eq(*ret_name, "user") &&
	    !pd_span_eq(*ret_name, "sys"))
		return false;
	return parse_minutes(pd_span_trim(pd_span_sub(line, i, line.len)), ret_q);
}

static enum pd_sniff sniff(const struct bench_text *t)
{
	struct pd_span name;
	struct pd_quantity q;
	size_t n_gnu = 0, n_shell = 0;

	for (uint32_t k = 0; k < t->n; k++) {
		n_gnu += parse_gnu(t->lines[k], &name, &q);
		n_shell += parse_shell(t->lines[k], &name, &q);
	}
	return n_gnu > 3 ? PD_SNIFF_YES : n_gnu || n_shell > 1 ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

/* What is printed, but no result. */
static bool is_setting(struct pd_span name)
{
	return pd_span_starts(name, "Page size") || pd_span_starts(name, "Exit status");
}

static bool is_same(struct pd_span a, struct pd_span b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

static void read(struct bench_reader *r)
{
	static const char timed[] = "Command being timed: ";
	struct pd_span command = none, title = none, name;
	uint32_t run = 0;
	bool is_open = false;

	for (uint32_t k = 0; k < r->text.n && !r->failed; k++) {
		struct pd_span line = pd_span_trim(r->text.lines[k]), heading;
		struct pd_quantity q;
		bool is_value = parse_gnu(line, &name, &q) || parse_shell(line, &name, &q);
		bool is_command = pd_span_starts(line, timed);

		if (is_command || (is_value && !is_open)) {
			struct pd_span next = is_command
				? pd_span_sub(line, strlen(timed) + 1, line.len - 1) : none;

			if (!is_open || (is_command && !is_same(next, command)) || title.len) {
				run = pd_builder_run(r->b, title);
				if (next.len)
					pd_builder_set_command(r->b, run, next);
			}
			command = next;
			title = none;
			is_open = true;
		}
		if (is_value && !is_setting(name))
			bench_add(r, run, none, name, &q);
		if (is_value || is_command || !line.len)
			continue;
		heading = pd_prose_heading(line);
		if (heading.len) {
			title = heading;
			is_open = false;
		}
	}
}

const struct bench_shape bench_shape_time = {sniff, read};
