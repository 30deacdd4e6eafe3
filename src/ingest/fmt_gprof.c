/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gprof of the GNU binutils, of BSD and AIX, and of embedded toolchains that count
 * cycles: the flat profile (-p), the call graph (-q), or both, in any order.
 *
 *	Each sample counts as 0.01 seconds.
 *	  %   cumulative   self              self     total
 *	 time   seconds   seconds    calls  ms/call  ms/call  name
 *	 50.4       0.59     0.59     1024     0.58     0.70  fft [3]
 *	  0.9       1.17     0.01                             __mcount
 *
 *	index % time    self  children    called     name
 *	                                                 <spontaneous>
 *	[2]     99.1    0.00        1.16                 _start [2]
 *	                0.44        0.72       1/1           main [1]
 *	-----------------------------------------------
 *	[3]     80.0    0.00    0.12      15+45      <cycle 1 as a whole> [3]
 *
 * Of the call graph only lines that begin with an index are read: the others are
 * parts of them. A function's own time is that of the flat profile; the call
 * graph has it, too, and adds that of its callees.
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "base/num.h"
#include "io/lines.h"

enum section {
	NOWHERE,
	FLAT,
	GRAPH,
	N_SECTIONS,
};

/* A function in the call graph. */
struct graph_row {
	uint32_t func;
	double self, n_calls; /* n_calls: or unknown */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	enum section section;
	bool has_run, has[N_SECTIONS]; /* what the run has so far */
	bool has_rows;                 /* of the section at hand */
	bool is_idle;                  /* the run says that no time was spent */
	uint32_t run;
	double factor; /* from a printed number to the event's unit */
	double period; /* seconds a sample, or unknown */
	struct graph_row *graph;
	uint32_t n_graph, cap_graph;
	bool failed;
};

/* A row of either section. */
struct row {
	double self, children, n_calls; /* n_calls: or unknown */
	struct pd_span name;
};

static struct pd_span take_word(struct pd_span *rest)
{
	struct pd_span s = pd_span_trim(*rest);
	size_t n = 0;

	while (n < s.len && !pd_is_blank(s.ptr[n]))
		n++;
	*rest = pd_span_sub(s, n, s.len);
	return pd_span_sub(s, 0, n);
}

static bool take_number(struct pd_span *rest, double *ret_x)
{
	struct pd_span left = *rest;

	if (!pd_num_parse_count(take_word(&left), ret_x))
		return false;
	*rest = left;
	return true;
}

/* Cuts off the index ("[3]", or "(3)" where it is not printed) behind a name, and its circle. */
static struct pd_span plain_name(struct pd_span name)
{
	size_t from, cycle;

	name = pd_span_trim(name);
	from = pd_span_find_last(name, ' ');
	if (from != SIZE_MAX && name.len - from > 3 &&
	    (name.ptr[from + 1] == '[' || name.ptr[from + 1] == '(')) {
		size_t i = from + 2;

		while (i < name.len && pd_is_digit(name.ptr[i]))
			i++;
		if (i + 1 == name.len && i > from + 2 &&
		    name.ptr[i] == (name.ptr[from + 1] == '[' ? ']' : ')'))
			name = pd_span_trim(pd_span_sub(name, 0, from));
	}
	cycle = pd_span_find(name, " <cycle ");
	if (cycle != SIZE_MAX && name.ptr[name.len - 1] == '>')
		name = pd_span_trim(pd_span_sub(name, 0, cycle));
	return name;
}

/* "50.4 0.59 0.59 1024 0.58 0.70 fft [3]"; the three behind self may be missing. */
static bool parse_flat(struct pd_span line, struct row *ret_row)
{
	struct row r = {.n_calls = PD_UNKNOWN};
	double x, n_calls;

	if (!take_number(&line, &x) || !take_number(&line, &x) || !take_number(&line, &r.self))
		return false;
	if (take_number(&line, &n_calls)) {
		r.n_calls = n_calls;
		(void)(take_number(&line, &x) && take_number(&line, &x));
	}
	r.name = line;
	*ret_row = r;
	return pd_span_trim(line).len > 0;
}

/* "[3] 80.0 0.00 0.12 15+45 name [3]": calls of itself are behind the '+'. */
static bool parse_graph(struct pd_span line, struct row *ret_row)
{
	struct row r = {.n_calls = PD_UNKNOWN};
	struct pd_span rest = line, word;
	double x;
	size_t n;

	(void)take_word(&rest);
	if (!take_number(&rest, &x) || !take_number(&rest, &r.self) ||
	    !take_number(&rest, &r.children))
		return false;
	r.name = rest;
	word = take_word(&rest);
	n = pd_num_scan(word, &x);
	if (n && x >= 0 && (n == word.len || word.ptr[n] == '+')) {
		r.n_calls = x;
		r.name = rest;
	}
	*ret_row = r;
	return pd_span_trim(r.name).len > 0;
}

/*
 * The last line of a section's header: nothing but words of headers, the last
 * being "name", perhaps with another "index".
 */
static enum section header_of(struct pd_span line)
{
	static const char *const words[] = {
		"%", "time", "%time", "cumulative", "self", "total", "seconds", "cycles", "calls",
		"/call", "children", "descendents", "called", "called+self", "name", "index",
	};
	bool has_unit = false, has_name = false, has_self = false;
	struct pd_span first = {0}, word;
	size_t k, n = 0;

	for (word = take_word(&line); word.len; word = take_word(&line)) {
		for (k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			if (pd_span_eq(word, words[k]))
				break;
		if (k == sizeof(words) / sizeof(words[0]) && !pd_span_ends(word, "s/call"))
			return NOWHERE;
		if (!n++)
			first = word;
		has_unit |= pd_span_eq(word, "seconds") || pd_span_eq(word, "cycles");
		has_self |= pd_span_eq(word, "self");
		has_name |= pd_span_eq(word, "name");
	}
	if (!has_name || n < 4)
		return NOWHERE;
	if (pd_span_eq(first, "index"))
		return has_self ? GRAPH : NOWHERE;
	return has_unit && (pd_span_eq(first, "%") || pd_span_eq(first, "time")) ? FLAT : NOWHERE;
}

static struct pd_event *event_of(const struct reader *r)
{
	return pd_builder_event_at(r->b, r->run, 0);
}

static void begin_run(struct reader *r, bool is_time)
{
	struct pd_event *event;

	r->run = pd_builder_run(r->b, pd_span_of(""));
	(void)pd_builder_event(r->b, r->run, pd_span_of(is_time ? "time" : "cycles"),
			       is_time ? PD_UNIT_NS : PD_UNIT_EVENTS);
	pd_builder_set_complete(r->b, r->run, 0);
	event = event_of(r);
	r->has_run = true;
	r->factor = is_time ? 1e9 : 1;
	if (!event || !is_time)
		return;
	event->period = r->period * r->factor;
	event->quantum = 0.01 * r->factor; /* two decimals are printed */
}

/* The times of the call graph, where there is no flat profile. */
static void end_run(struct reader *r)
{
	for (uint32_t i = 0; i < r->n_graph && !r->has[FLAT]; i++) {
		const struct graph_row *row = &r->graph[i];

		pd_builder_add_self(r->b, r->run, 0, row->func, row->self);
		if (pd_is_known(row->n_calls))
			pd_builder_add_calls(r->b, r->run, row->func, row->n_calls);
	}
	if (r->has_run && r->is_idle)
		pd_builder_keep_empty(r->b, r->run);
	r->n_graph = 0;
	r->has_run = r->is_idle = r->has[FLAT] = r->has[GRAPH] = false;
	r->period = PD_UNKNOWN;
}

static void begin_section(struct reader *r, enum section section, struct pd_span header)
{
	bool is_time = section == FLAT ? pd_span_find(header, "cycles") == SIZE_MAX
				       : pd_span_find(header, "time") != SIZE_MAX;

	if (r->has[section]) {
		double period = r->period; /* stands above the header of the run that begins */

		end_run(r);
		r->period = period;
	}
	if (!r->has_run)
		begin_run(r, is_time);
	r->has[section] = true;
	r->has_rows = false;
	r->section = section;
}

static void add_flat(struct reader *r, const struct row *row)
{
	uint32_t func = pd_builder_func(r->b, plain_name(row->name), pd_span_of(""));

	pd_builder_add_self(r->b, r->run, 0, func, row->self * r->factor);
	if (pd_is_known(row->n_calls))
		pd_builder_add_calls(r->b, r->run, func, row->n_calls);
}

static void add_graph(struct reader *r, const struct row *row)
{
	struct pd_span name = plain_name(row->name);
	bool is_in_cycle = pd_span_find(row->name, " <cycle ") != SIZE_MAX;
	uint32_t func;

	if (pd_span_starts(name, "<cycle ")) /* "as a whole" */
		return;
	if (r->n_graph == r->cap_graph) {
		uint32_t cap = r->cap_graph ? 2 * r->cap_graph : 64;
		struct graph_row *graph = realloc(r->graph, (size_t)cap * sizeof(*graph));

		if (!graph) {
			r->failed = true;
			return;
		}
		r->graph = graph;
		r->cap_graph = cap;
	}
	func = pd_builder_func(r->b, name, pd_span_of(""));
	r->graph[r->n_graph++] =
		(struct graph_row){func, row->self * r->factor, row->n_calls};
	/* In a circle, what the callees cost leaves out those of the circle. */
	if (!is_in_cycle)
		pd_builder_add_inclusive(r->b, r->run, 0, func,
					 (row->self + row->children) * r->factor);
}

/* "(K) (K)" below a header: thousands of cycles. */
static bool read_scale(struct reader *r, struct pd_span line)
{
	struct pd_span word = take_word(&line);

	if (r->has_rows || word.len != 3 || word.ptr[0] != '(' || word.ptr[2] != ')')
		return false;
	r->factor = word.ptr[1] == 'K' ? 1e3 : word.ptr[1] == 'M' ? 1e6 : 1;
	return true;
}

static void warn(const struct reader *r, struct pd_span line)
{
	pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
		     "expected a percentage, %s and a name, found \"%.*s\"; line skipped",
		     r->section == FLAT ? "two times" : "times", PD_SPAN_ARG(line));
}

/* A line of the section at hand; false if the section is over. */
static bool read_row(struct reader *r, struct pd_span line)
{
	struct row row;

	if (r->section == FLAT) {
		if (parse_flat(line, &row))
			add_flat(r, &row);
		else if (!line.len || (!pd_is_digit(line.ptr[0]) && line.ptr[0] != '-'))
			return !r->has_rows && !line.len;
		else
			warn(r, line);
	} else {
		if (pd_span_starts(line, "Index by function"))
			return false;
		if (!line.len || line.ptr[0] != '[')
			return true;
		if (parse_graph(line, &row))
			add_graph(r, &row);
		else
			warn(r, line);
	}
	r->has_rows = true;
	return true;
}

static void read_prose(struct reader *r, struct pd_span line)
{
	static const char each[] = "Each sample counts as ";
	double seconds;

	if (pd_span_starts(line, each) &&
	    pd_num_scan(pd_span_sub(line, sizeof(each) - 1, line.len), &seconds) && seconds > 0)
		r->period = seconds;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b, .period = PD_UNKNOWN};
	struct pd_span line;

	pd_input_lines(in, &r.lines);
	while (pd_lines_next(&r.lines, &line) && !pd_builder_is_failed(b) && !r.failed) {
		enum section section;

		line = pd_span_trim(line);
		section = line.len && !pd_is_digit(line.ptr[0]) ? header_of(line) : NOWHERE;
		if (section != NOWHERE) {
			begin_section(&r, section, line);
			continue;
		}
		r.is_idle = r.is_idle || pd_span_find(line, "no time accumulated") != SIZE_MAX ||
			    pd_span_find(line, "no time propagated") != SIZE_MAX;
		if (r.section != NOWHERE && (read_scale(&r, line) || read_row(&r, line)))
			continue;
		r.section = NOWHERE;
		read_prose(&r, line);
	}
	end_run(&r);
	pd_lines_done(&r.lines);
	free(r.graph);
	return r.failed ? pd_fail_nomem(err) : PD_OK;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	enum pd_sniff found = PD_SNIFF_NO;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (found == PD_SNIFF_NO && pd_lines_next(&lines, &line))
		if (header_of(line) != NOWHERE)
			found = PD_SNIFF_YES;
	pd_lines_done(&lines);
	return found;
}

const struct pd_format pd_format_gprof = {
	.name = "gprof",
	.title = "gprof, flat profiles and call graphs",
	.sniff = sniff,
	.read = read,
};
