/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf bench.
 *
 *	# Running 'sched/pipe' benchmark:
 *	# Executed 1000 pipe operations between two processes
 *
 *	     Total time: 0.284 [sec]
 *
 *	     284.774000 usecs/op
 *	           3511 ops/sec
 *
 *	# Running 'mem/memcpy' benchmark:
 *	# function 'default' (Default memcpy() provided by glibc)
 *	      24.827860 GB/sec
 *
 * The benchmark's name, that of a function, and the unit or the words before the
 * number are a metric's name. The same benchmark again is a repetition, but in a
 * mail, where text stands between, it is another run.
 */
#include "ingest/bench.h"

#include "base/num.h"
#include "ingest/prose.h"

static const struct pd_span none = {"", 0};

struct place {
	struct pd_span benchmark, function, title;
	uint32_t run;
	bool has_prose; /* since the last result */
	bool is_open;
};

/* A line without the bar that mails put before output. */
static struct pd_span plain(struct pd_span line)
{
	line = pd_span_trim(line);
	if (line.len && line.ptr[0] == '|')
		line = pd_span_trim(pd_span_sub(line, 1, line.len));
	return line;
}

/* "# Running 'sched/pipe' benchmark:", without quotes and colon in the beginning (2009). */
static bool parse_running(struct pd_span line, struct pd_span *ret_name)
{
	size_t i = 0;
	struct pd_span name;

	if (!pd_span_starts(line, "# Running "))
		return false;
	line = pd_span_sub(line, strlen("# Running "), line.len);
	name = bench_next_word(line, &i);
	if (!pd_span_starts(bench_next_word(line, &i), "benchmark"))
		return false;
	if (name.len > 2 && name.ptr[0] == '\'')
		name = pd_span_sub(name, 1, name.len - 1);
	*ret_name = name;
	return name.len > 0;
}

/* "3511 ops/sec", "Total time: 0.284 [sec]": a number with a unit, words before it or not. */
static bool parse_value(struct pd_span line, struct pd_span *ret_words, struct pd_quantity *ret_q)
{
	struct pd_span words = none, rest = line, unit;
	size_t colon = pd_span_find(line, ":"), len;
	struct pd_unit_word w;
	double x;

	if (colon != SIZE_MAX) {
		words = pd_span_trim(pd_span_sub(line, 0, colon));
		rest = pd_span_trim(pd_span_sub(line, colon + 1, line.len));
	}
	len = pd_quantity_scan(rest, &x);
	if (!len)
		return false;
	unit = pd_span_trim(pd_span_sub(rest, len, rest.len));
	if (unit.len > 2 && unit.ptr[0] == '[')
		unit = pd_span_sub(unit, 1, unit.len - 1);
	w = pd_unit_word(unit);
	if ((!w.is_known && (!words.len || unit.len)) || memchr(unit.ptr, ' ', unit.len))
		return false;
	if (pd_span_eq(words, "Time") && !unit.len)
		w = pd_unit_word(pd_span_of("s"));
	*ret_words = words.len ? words : unit;
	*ret_q = (struct pd_quantity){pd_unit_scale(&w, x), w.unit, w.better};
	return true;
}

static enum pd_sniff sniff(const struct bench_text *t)
{
	struct pd_span name, words;
	struct pd_quantity q;
	bool is_open = false;

	for (uint32_t k = 0; k < t->n; k++) {
		struct pd_span line = plain(t->lines[k]);

		if (parse_running(line, &name))
			is_open = true;
		else if (is_open && parse_value(line, &words, &q))
			return PD_SNIFF_YES;
	}
	return PD_SNIFF_NO;
}

static void begin(struct bench_reader *r, struct place *p, struct pd_span name)
{
	if (!p->is_open || p->has_prose) {
		p->run = pd_builder_run(r->b, p->title);
		p->title = none;
	}
	p->is_open = true;
	p->has_prose = false;
	p->benchmark = name;
	p->function = none;
}

static void add(struct bench_reader *r, const struct place *p, struct pd_span words,
		const struct pd_quantity *q)
{
	struct pd_buf name = {0};

	pd_buf_add(&name, p->benchmark.ptr, p->benchmark.len);
	if (p->function.len)
		pd_buf_printf(&name, " %.*s", PD_SPAN_ARG(p->function));
	pd_buf_printf(&name, " %.*s", PD_SPAN_ARG(words));
	bench_add(r, p->run, none, (struct pd_span){name.ptr, name.len}, q);
	r->failed |= name.failed;
	pd_buf_done(&name);
}

static void read(struct bench_reader *r)
{
	struct place p = {0};

	for (uint32_t k = 0; k < r->text.n && !r->failed; k++) {
		struct pd_span line = plain(r->text.lines[k]), name, words;
		struct pd_quantity q;

		if (parse_running(line, &name)) {
			begin(r, &p, name);
		} else if (p.is_open && pd_span_starts(line, "# function '")) {
			p.function = pd_span_sub(line, strlen("# function '"), line.len);
			p.function.len = pd_span_find(p.function, "'");
			if (p.function.len == SIZE_MAX)
				p.function = none;
		} else if (p.is_open && !p.has_prose && parse_value(line, &words, &q)) {
			add(r, &p, words, &q);
		} else if (line.len && line.ptr[0] != '#' && line.ptr[0] != '(') {
			struct pd_span title = pd_prose_heading(line);

			p.has_prose = true;
			if (pd_span_find(line, "perf bench") == SIZE_MAX)
				p.title = title.len ? title : none;
		}
	}
}

const struct bench_shape bench_shape_perf = {sniff, read};
