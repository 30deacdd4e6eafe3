/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line of a function_graph trace, in the shapes that the kernel's options
 * (trace/options/funcgraph-*) and trace-cmd give it:
 *
 *	 0)   0.390 us    |    foo();                    the usual one
 *	 0) + 76.163 us   |  } / * foo * /               a mark for each order of ten
 *	  146.273529 |   0)  init-1  |  9.760 us  |  foo() {   time, task
 *	 bash-123  |  d..1 |   0.390 us    |  foo();     without a processor
 *	 0)   ==========> |                              an interrupt begins
 *	 init-1  [000]  1485.266118: funcgraph_entry:    0.179 us  |  foo();   trace-cmd
 *	 0)  init-1    =>   true-78                      another task runs now
 *
 * A duration is in the first field between bars that is one, or blank.
 */
#include "ingest/ftrace_graph.h"

#include "io/lines.h"

/* Offset of the first c in s, or SIZE_MAX. */
static inline size_t find_char(struct pd_span s, char c)
{
	const char *at = s.len ? memchr(s.ptr, c, s.len) : NULL;

	return at ? (size_t)(at - s.ptr) : SIZE_MAX;
}

static inline struct pd_span trim(struct pd_span s)
{
	while (s.len && pd_is_blank(s.ptr[s.len - 1]))
		s.len--;
	while (s.len && pd_is_blank(*s.ptr)) {
		s.ptr++;
		s.len--;
	}
	return s;
}

/* Letters, digits and what else compilers and linkers put into names. */
static inline bool is_name_char(char c)
{
	return pd_is_alpha(c) || pd_is_digit(c) || c == '_' || c == '.' || c == '$' || c == '@' ||
	       c == ':' || c == '+';
}

static bool is_mark(char c)
{
	return c == '+' || c == '!' || c == '#' || c == '*' || c == '@' || c == '$';
}

/* "==========>", "<==========": an interrupt begins, ends. */
static bool is_arrow(struct pd_span s)
{
	s = trim(s);
	return s.len > 3 && ((pd_span_starts(s, "==") && pd_span_ends(s, "=>")) ||
			     (pd_span_starts(s, "<=") && pd_span_ends(s, "==")));
}

/* "+ 76.163 us"; no duration where the field is blank or an arrow. */
static bool parse_duration(struct pd_span s, struct graph_line *line)
{
	size_t i, digits = 0;
	double us;

	s = trim(s);
	line->ns = PD_UNKNOWN;
	if (!s.len || is_arrow(s))
		return true;
	if (is_mark(s.ptr[0]))
		s = trim(pd_span_sub(s, 1, s.len));
	if (s.len < 4 || !pd_is_digit(s.ptr[0]) || !pd_span_ends(s, "us"))
		return false;
	s = trim(pd_span_sub(s, 0, s.len - 2));
	if (!pd_num_parse_count(s, &us))
		return false;
	for (i = 0; i < s.len && s.ptr[i] != '.'; i++)
		;
	if (i < s.len)
		digits = s.len - i - 1;
	line->ns = round(us * 1000);
	line->quantum_ns = digits == 0 ? 1000 : digits == 1 ? 100 : digits == 2 ? 10 : 1;
	return true;
}

/* "0)" before a field: its processor. */
static void take_cpu(struct pd_span *s, struct graph_line *line)
{
	uint32_t cpu = 0;
	size_t i = 0;

	*s = trim(*s);
	while (i < s->len && pd_is_digit(s->ptr[i]) && i < 6)
		cpu = 10 * cpu + (uint32_t)(s->ptr[i++] - '0');
	if (!i || i >= s->len || s->ptr[i] != ')')
		return;
	line->cpu = cpu;
	*s = trim(pd_span_sub(*s, i + 1, s->len));
}

/* "comm-123": a task. */
static bool is_task(struct pd_span s)
{
	size_t dash = pd_span_find_last(s, '-');

	if (dash == SIZE_MAX || !dash || dash + 1 >= s.len)
		return false;
	for (size_t i = dash + 1; i < s.len; i++)
		if (!pd_is_digit(s.ptr[i]))
			return false;
	return true;
}

static bool is_name(struct pd_span s)
{
	if (!s.len || !(pd_is_alpha(s.ptr[0]) || pd_is_digit(s.ptr[0]) || s.ptr[0] == '_' ||
			s.ptr[0] == '.' || s.ptr[0] == '$'))
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (!is_name_char(s.ptr[i]))
			return false;
	return true;
}

/* "foo", "foo [ext4]", "foo+0x10/0x80 [ext4]" */
static bool parse_name(struct pd_span s, struct graph_line *line)
{
	size_t at;

	s = trim(s);
	line->module = pd_span_of("");
	at = s.len && s.ptr[s.len - 1] == ']' ? find_char(s, '[') : SIZE_MAX;
	if (at != SIZE_MAX && at) {
		line->module = pd_span_sub(s, at + 1, s.len - 1);
		s = trim(pd_span_sub(s, 0, at));
	}
	line->name = s;
	return is_name(s);
}

/* "/ * foo * /" behind a "}". */
static void parse_comment(struct pd_span s, struct graph_line *line)
{
	struct graph_line named = *line;
	struct pd_span f[3];
	size_t end;

	s = trim(s);
	if (!pd_span_starts(s, "/*"))
		return;
	s = pd_span_sub(s, 2, s.len);
	end = pd_span_find(s, "*/");
	s = pd_span_sub(s, 0, end);
	/* Other things may stand there, too: "foo ret=0x0", "= 0x0", "(overrun)". */
	if (!pd_fields(s, f, 3) || (!pd_is_alpha(f[0].ptr[0]) && f[0].ptr[0] != '_') ||
	    pd_span_starts(f[0], "ret="))
		return;
	end = find_char(s, ']');
	s = end != SIZE_MAX ? pd_span_sub(s, 0, end + 1) : f[0];
	if (parse_name(s, &named)) {
		line->name = named.name;
		line->module = named.module;
	}
}

/* Behind the last bar: "foo() {", "foo(a=1); / * = 0 * /", "} / * foo * /". */
static bool parse_call(struct pd_span s, struct graph_line *line)
{
	size_t open, close;
	struct pd_span rest;

	s = trim(s);
	if (!s.len)
		return false;
	if (pd_span_starts(s, "/*")) {
		line->kind = GRAPH_NOTHING;
		return true;
	}
	if (s.ptr[0] == '}') {
		line->kind = GRAPH_EXIT;
		rest = trim(pd_span_sub(s, 1, s.len));
		parse_comment(rest, line);
		return !rest.len || pd_span_starts(rest, "/*");
	}
	open = find_char(s, '(');
	if (open == SIZE_MAX || !parse_name(pd_span_sub(s, 0, open), line))
		return false;
	rest = pd_span_sub(s, open, s.len);
	close = find_char(rest, '/') != SIZE_MAX ? pd_span_find(rest, "/*") : SIZE_MAX;
	rest = trim(pd_span_sub(rest, 0, close));
	if (pd_span_ends(rest, ";"))
		line->kind = GRAPH_LEAF;
	else if (pd_span_ends(rest, "{"))
		line->kind = GRAPH_ENTRY;
	else
		return false;
	return find_char(rest, ')') != SIZE_MAX;
}

/* "a.out-4877  [000] d..1  1485.266118: " before "funcgraph_entry:". */
static void parse_trace_cmd_head(struct pd_span s, struct graph_line *line)
{
	size_t open = pd_span_find(s, " ["), i;
	uint32_t cpu = 0;

	if (open == SIZE_MAX)
		return;
	line->task = trim(pd_span_sub(s, 0, open));
	for (i = open + 2; i < s.len && pd_is_digit(s.ptr[i]) && i < open + 8; i++)
		cpu = 10 * cpu + (uint32_t)(s.ptr[i] - '0');
	if (i > open + 2 && i < s.len && s.ptr[i] == ']')
		line->cpu = cpu;
}

/* "CPU:0 [LOST 123 EVENTS]", "CPU 1 is empty", "##### CPU 2 buffer started ####" */
static bool parse_lost(struct pd_span s, struct graph_line *line)
{
	size_t at = pd_span_find(s, "CPU"), i = at + 4;
	size_t lost = pd_span_find(s, "[LOST ");
	uint32_t cpu = 0;

	if (at == SIZE_MAX || at + 4 >= s.len || !pd_is_digit(s.ptr[i]) ||
	    (lost == SIZE_MAX && pd_span_find(s, "EVENTS DROPPED]") == SIZE_MAX &&
	     pd_span_find(s, "buffer started ##") == SIZE_MAX))
		return false;
	for (; i < s.len && pd_is_digit(s.ptr[i]) && i < at + 10; i++)
		cpu = 10 * cpu + (uint32_t)(s.ptr[i] - '0');
	line->cpu = cpu;
	line->kind = GRAPH_LOST;
	if (lost != SIZE_MAX && !pd_num_scan(pd_span_sub(s, lost + 6, s.len), &line->n_lost))
		line->n_lost = PD_UNKNOWN;
	return true;
}

/* "0)   init-1    =>  true-78" */
static bool parse_switch(struct pd_span s, struct graph_line *line)
{
	size_t at = pd_span_find(s, "=>");

	if (at == SIZE_MAX)
		return false;
	line->from = pd_span_sub(s, 0, at);
	take_cpu(&line->from, line);
	line->task = trim(pd_span_sub(s, at + 2, s.len));
	if (line->cpu == GRAPH_NO_CPU || !is_task(line->from) || !is_task(line->task))
		return false;
	line->kind = GRAPH_SWITCH;
	return true;
}

static bool parse_bars(struct pd_span rest, struct graph_line *line)
{
	const char *bar;

	while (rest.len && (bar = memchr(rest.ptr, '|', rest.len))) {
		struct pd_span field = {rest.ptr, (size_t)(bar - rest.ptr)};

		rest = pd_span_sub(rest, field.len + 1, rest.len);
		if (line->cpu == GRAPH_NO_CPU)
			take_cpu(&field, line);
		if (parse_duration(field, line)) {
			/* A processor may stand alone before a task. */
			if (is_arrow(field) && !trim(rest).len)
				line->kind = GRAPH_NOTHING;
			else if (!parse_call(rest, line))
				continue;
			line->is_sure |= line->kind != GRAPH_NOTHING &&
					 (line->cpu != GRAPH_NO_CPU || pd_is_known(line->ns));
			return true;
		}
		field = trim(field);
		if (is_task(field))
			line->task = field;
	}
	return false;
}

void graph_line_parse(struct pd_span s, struct graph_line *ret_line)
{
	static const struct pd_span none = {"", 0};
	struct graph_line line = {
		.cpu = GRAPH_NO_CPU, .task = none, .from = none, .name = none, .module = none,
		.ns = PD_UNKNOWN, .quantum_ns = 0, .n_lost = PD_UNKNOWN,
	};
	const char *bar = s.len ? memchr(s.ptr, '|', s.len) : NULL;
	struct pd_span rest = s;
	bool ok;

	if (!bar) {
		ok = s.len && (parse_lost(s, &line) || parse_switch(s, &line));
	} else {
		struct pd_span head = {s.ptr, (size_t)(bar - s.ptr)};
		size_t at = find_char(head, ':') != SIZE_MAX ? pd_span_find(head, "funcgraph_e")
							     : SIZE_MAX;

		if (at != SIZE_MAX) {
			size_t colon = pd_span_find(pd_span_sub(s, at, s.len), ":");

			parse_trace_cmd_head(pd_span_sub(s, 0, at), &line);
			rest = colon == SIZE_MAX ? none : pd_span_sub(s, at + colon + 1, s.len);
			line.is_sure = true;
		}
		ok = parse_bars(rest, &line);
	}
	if (!ok) {
		line.kind = GRAPH_OTHER;
		line.is_sure = false;
	}
	*ret_line = line;
}
