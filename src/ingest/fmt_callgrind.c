/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call graphs of valgrind --tool=callgrind, and what xdebug, pprof -callgrind and
 * others write in its format; flat files of --tool=cachegrind are the same
 * without calls. Described in valgrind's manual, "Callgrind Format Specification".
 *
 *	positions: line
 *	events: Ir Dr
 *	summary: 590
 *
 *	ob=(1) /usr/bin/prog         module
 *	fl=(1) prog.c
 *	fn=(1) main                  (1) is main from here on
 *	10 100 3                     line 10: a cost an event
 *	+2 50                        line 12; zeros at the end are left out
 *	cob=(2) /usr/lib/libc.so.6
 *	cfn=(2) memcpy
 *	calls=2 100
 *	* 400                        what these two calls cost with all they called,
 *	                             which is not main's own
 *
 * Parts of one process, by its pid, are one run; another process is another run.
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "base/num.h"
#include "ingest/callgrind.h"
#include "io/lines.h"

enum { MAX_EVENTS = 128 };

/* A function: a name in a module. */
struct node {
	uint32_t func; /* of the builder */
	bool is_leftover;
	bool has_file;
	uint32_t last_callee; /* node + 1; 0: none */
	double n_calls;       /* of it */
	double inclusive;     /* in the first event */
};

/* What the next line of costs is about. */
enum costs_of {
	COSTS_OF_FUNCTION,
	COSTS_OF_CALL,
	COSTS_OF_JUMP, /* there are none */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	struct cg_names names;
	struct cg_calls calls; /* between nodes */
	struct node *nodes;    /* of the run */
	uint32_t n_nodes, cap_nodes;
	struct pd_map node_of; /* of (module, name) */
	uint32_t run;
	bool is_open;         /* there is a run */
	bool is_next_process; /* the next part is another run */
	bool failed, is_full;
	pd_str pid, command;
	uint32_t n_positions; /* numbers before the costs */
	uint32_t n_columns, n_events;
	uint32_t event_of[MAX_EVENTS]; /* of a column */
	pd_str events[MAX_EVENTS];
	double costs[MAX_EVENTS], last[MAX_EVENTS]; /* of a column, in this line and before */
	uint32_t function;                          /* node, or NO_NODE */
	double self[MAX_EVENTS], inclusive[MAX_EVENTS]; /* of it, not told yet */
	pd_str object, file;
	enum costs_of costs_of;
	pd_str called_name, called_object;
	bool has_called_name, has_called_object;
	double n_calls;
	double summary[MAX_EVENTS], totals[MAX_EVENTS], run_totals[MAX_EVENTS];
	double sum; /* of the costs of all functions, in the first event */
	bool has_summary, has_totals, lacks_totals, has_calls;
};

#define NO_NODE UINT32_MAX

static void warn(const struct reader *r, const char *expected, struct pd_span found)
{
	pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
		     "expected %s, found \"%.*s\"; line skipped", expected, PD_SPAN_ARG(found));
}

static struct pd_span text_of(const struct reader *r, pd_str s)
{
	return pd_strtab_span(&r->names.strings, s);
}

/* The node of a name in a module. */
static uint32_t find_node(struct reader *r, pd_str object, pd_str name)
{
	uint64_t key = pd_map_key(object.id, name.id);
	uint32_t node = pd_map_find(&r->node_of, key);
	struct pd_span module, text;
	bool is_leftover;

	if (node != PD_MAP_NONE)
		return node;
	module = text_of(r, object);
	text = text_of(r, name);
	is_leftover = cg_is_unnamed(text);
	if (r->n_nodes == r->cap_nodes) {
		uint32_t cap = r->cap_nodes ? 2 * r->cap_nodes : 64;
		struct node *nodes = realloc(r->nodes, (size_t)cap * sizeof(*nodes));

		if (!nodes) {
			r->failed = true;
			return NO_NODE;
		}
		r->nodes = nodes;
		r->cap_nodes = cap;
	}
	if (pd_map_insert(&r->node_of, key, r->n_nodes) == PD_MAP_NONE) {
		r->failed = true;
		return NO_NODE;
	}
	if (pd_span_eq(module, "???"))
		module = pd_span_of("");
	r->nodes[r->n_nodes] = (struct node){
		.func = is_leftover ? pd_builder_leftover(r->b, "[unknown]", module)
				    : pd_builder_func(r->b, text, module),
		.is_leftover = is_leftover,
	};
	return r->n_nodes++;
}

/* Tell what was added up for the function. */
static void flush_function(struct reader *r)
{
	struct node *node;

	if (r->function == NO_NODE)
		return;
	node = &r->nodes[r->function];
	for (uint32_t i = 0; i < r->n_columns; i++)
		if (r->event_of[i] == 0) {
			node->inclusive += r->inclusive[i];
			r->sum += r->self[i];
		}
	for (uint32_t i = 0; i < r->n_columns; i++) {
		pd_builder_add_self(r->b, r->run, r->event_of[i], node->func, r->self[i]);
		if (!node->is_leftover)
			pd_builder_add_inclusive(r->b, r->run, r->event_of[i], node->func,
						 r->inclusive[i]);
		r->self[i] = r->inclusive[i] = 0;
	}
}

static void begin_function(struct reader *r, pd_str name)
{
	struct pd_span file;
	struct node *node;

	flush_function(r);
	r->function = find_node(r, r->object, name);
	node = r->function == NO_NODE ? NULL : &r->nodes[r->function];
	if (!node || node->has_file || !r->file.id)
		return;
	node->has_file = true;
	file = text_of(r, r->file);
	if (!node->is_leftover && !pd_span_eq(file, "???"))
		pd_builder_set_file(r->b, node->func, file);
}

/*
 * What functions in a circle of calls cost with all that they call is an upper
 * bound: such a call may be within another one of the same function. Where it is
 * more than all there is, it is nothing.
 */
static void judge_cycles(struct reader *r)
{
	bool *in_cycle = cg_calls_find_cycles(&r->calls, r->n_nodes);
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->n_nodes && in_cycle; i++) {
		if (!in_cycle[i] || r->nodes[i].is_leftover)
			continue;
		n++;
		for (uint32_t e = 0; e < r->n_events && r->nodes[i].inclusive > r->sum; e++)
			pd_builder_add_inclusive(r->b, r->run, e, r->nodes[i].func, PD_UNKNOWN);
	}
	if (n)
		pd_diags_add(r->in->diags, PD_NOTE, "cycles", r->in->path, 0,
			     "%u functions call each other in circles; their inclusive costs may "
			     "hold calls twice", n);
	r->failed = r->failed || !in_cycle;
	free(in_cycle);
}

/* Nothing calls anything: cachegrind does not look at calls. */
static void forget_inclusive(struct reader *r)
{
	for (uint32_t i = 0; i < r->n_nodes; i++)
		for (uint32_t e = 0; e < r->n_events && !r->nodes[i].is_leftover; e++)
			pd_builder_add_inclusive(r->b, r->run, e, r->nodes[i].func, PD_UNKNOWN);
}

/* A part ends: its printed totals are those of the run, as far as they go. */
static void end_part(struct reader *r)
{
	const double *totals = r->has_totals ? r->totals : r->summary;

	flush_function(r);
	r->function = NO_NODE;
	r->costs_of = COSTS_OF_FUNCTION;
	r->lacks_totals = r->lacks_totals || !(r->has_totals || r->has_summary);
	for (uint32_t i = 0; i < r->n_columns; i++)
		r->run_totals[r->event_of[i]] += totals[i];
	r->has_totals = r->has_summary = false;
}

static void end_run(struct reader *r)
{
	double sum = 0;

	if (!r->is_open)
		return;
	end_part(r);
	for (uint32_t i = 0; i < r->n_nodes; i++)
		if (!r->nodes[i].is_leftover && r->nodes[i].n_calls > 0)
			pd_builder_add_calls(r->b, r->run, r->nodes[i].func, r->nodes[i].n_calls);
	if (r->has_calls)
		judge_cycles(r);
	else
		forget_inclusive(r);
	for (uint32_t e = 0; e < r->n_events; e++) {
		if (r->lacks_totals)
			pd_builder_set_complete(r->b, r->run, e);
		else
			pd_builder_set_total(r->b, r->run, e, r->run_totals[e]);
		sum += r->run_totals[e];
		r->run_totals[e] = 0;
	}
	if (!r->lacks_totals && sum == 0)
		pd_builder_keep_empty(r->b, r->run);
	cg_calls_done(&r->calls);
	r->calls = (struct cg_calls){0};
	pd_map_done(&r->node_of);
	r->node_of = (struct pd_map){0};
	r->n_nodes = r->n_events = r->n_columns = 0;
	r->object = r->file = (pd_str){0};
	r->sum = 0;
	r->lacks_totals = r->has_calls = r->is_open = false;
}

/* "events: Ir Dr": a part begins. */
static void begin_part(struct reader *r, struct pd_span value)
{
	uint32_t n_known;
	struct pd_span rest = pd_span_trim(value);

	if (r->is_open && r->is_next_process)
		end_run(r);
	else if (r->is_open)
		end_part(r);
	if (!r->is_open) {
		r->run = pd_builder_run(r->b, pd_span_of(""));
		pd_builder_set_command(r->b, r->run, text_of(r, r->command));
	}
	r->is_open = true;
	r->is_next_process = false;
	n_known = r->n_events;
	for (r->n_columns = 0; rest.len; rest = pd_span_trim(rest)) {
		size_t len = 0;
		uint32_t e = 0;
		pd_str name;

		while (len < rest.len && !pd_is_blank(rest.ptr[len]))
			len++;
		name = pd_strtab_intern(&r->names.strings, pd_span_sub(rest, 0, len));
		while (e < n_known && r->events[e].id != name.id)
			e++;
		if (e == n_known) {
			e = r->n_events;
			if (r->n_columns == MAX_EVENTS || e == MAX_EVENTS) {
				r->is_full = true;
				return;
			}
			(void)pd_builder_event(r->b, r->run, pd_span_sub(rest, 0, len),
					       PD_UNIT_EVENTS);
			r->events[r->n_events++] = name;
		}
		r->event_of[r->n_columns] = e;
		r->last[r->n_columns++] = 0;
		rest = pd_span_sub(rest, len, rest.len);
	}
}

/* The length of the number at the beginning of s, which may be relative to the last one; or 0. */
static inline size_t take_number(struct pd_span s, double last, double *ret_x)
{
	char sign = s.len ? s.ptr[0] : '\0';
	size_t from = sign == '+' || sign == '-', i = from;
	uint64_t n = 0;
	double x;

	if (sign == '*') {
		*ret_x = last;
		return s.len == 1 || pd_is_blank(s.ptr[1]) ? 1 : 0;
	}
	for (; i < s.len && i < 15 && pd_is_digit(s.ptr[i]); i++)
		n = 10 * n + (uint64_t)(s.ptr[i] - '0');
	x = (double)n;
	if (i == from || (i < s.len && !pd_is_blank(s.ptr[i]))) {
		while (i < s.len && !pd_is_blank(s.ptr[i]))
			i++;
		s = pd_span_sub(s, from, i);
		if (pd_span_starts(s, "0x") && pd_num_parse_hex(s, &n))
			x = (double)n;
		else if (!pd_num_parse_count(s, &x))
			return 0;
	}
	x = sign == '+' ? last + x : sign == '-' ? last - x : x;
	if (x < 0 || x > PD_COUNT_MAX)
		return 0;
	*ret_x = x;
	return i;
}

/* Numbers of the columns up to the end of the line; those left out are 0. */
static bool parse_columns(const struct reader *r, struct pd_span s, const double *last, double *ret)
{
	uint32_t n = 0;

	for (size_t i = 0;;) {
		size_t len;

		while (i < s.len && pd_is_blank(s.ptr[i]))
			i++;
		if (i == s.len)
			break;
		if (n == r->n_columns)
			return false;
		len = take_number(pd_span_sub(s, i, s.len), last ? last[n] : 0, &ret[n]);
		if (!len)
			return false;
		n++;
		i += len;
	}
	while (n < r->n_columns)
		ret[n++] = 0;
	return true;
}

/* Whether c begins a number: a line of costs begins with one. */
static bool is_number_start(char c)
{
	return pd_is_digit(c) || c == '+' || c == '-' || c == '*';
}

static bool parse_costs(struct reader *r, struct pd_span line)
{
	size_t i = 0;

	for (uint32_t p = 0; p < r->n_positions; p++) {
		if (i == line.len || !is_number_start(line.ptr[i]))
			return false;
		while (i < line.len && !pd_is_blank(line.ptr[i]))
			i++;
		while (i < line.len && pd_is_blank(line.ptr[i]))
			i++;
	}
	return parse_columns(r, pd_span_sub(line, i, line.len), r->last, r->costs);
}

static void add_call(struct reader *r)
{
	uint32_t callee = find_node(r, r->has_called_object ? r->called_object : r->object,
				    r->called_name);

	r->has_called_name = r->has_called_object = false;
	r->has_calls = true;
	if (callee == NO_NODE)
		return;
	r->nodes[callee].n_calls += r->n_calls;
	if (callee == r->function)
		return;
	if (r->nodes[r->function].last_callee != callee + 1 &&
	    !cg_calls_add(&r->calls, r->function, callee))
		r->failed = true;
	r->nodes[r->function].last_callee = callee + 1;
	for (uint32_t i = 0; i < r->n_columns; i++)
		r->inclusive[i] += r->costs[i];
}

static void read_costs(struct reader *r, struct pd_span line)
{
	enum costs_of costs_of = r->costs_of;

	if (!r->is_open)
		return; /* prose */
	r->costs_of = COSTS_OF_FUNCTION;
	if (costs_of == COSTS_OF_JUMP)
		return;
	if (r->function == NO_NODE || !parse_costs(r, line)) {
		warn(r, r->function == NO_NODE ? "a function before its costs"
					       : "positions and costs up to 2^53", line);
		return;
	}
	memcpy(r->last, r->costs, r->n_columns * sizeof(*r->last));
	if (costs_of == COSTS_OF_CALL) {
		add_call(r);
		return;
	}
	for (uint32_t i = 0; i < r->n_columns; i++) {
		r->self[i] += r->costs[i];
		r->inclusive[i] += r->costs[i];
	}
}

/* "calls=2 100": the next line says what they cost. */
static void read_calls(struct reader *r, struct pd_span value)
{
	size_t len = take_number(value, 0, &r->n_calls);

	if (!len || !r->has_called_name || r->function == NO_NODE) {
		warn(r, "a number of calls, between functions", value);
		r->costs_of = COSTS_OF_JUMP;
		return;
	}
	r->costs_of = COSTS_OF_CALL;
}

static pd_str resolve(struct reader *r, enum cg_space space, struct pd_span value)
{
	pd_str name = {0};

	if (!cg_names_resolve(&r->names, space, value, &name))
		pd_diags_add(r->in->diags, PD_WARNING, "bad-name", r->in->path, r->lines.no,
			     "expected the number of a name, found \"%.*s\"; taken for no name",
			     PD_SPAN_ARG(value));
	return name;
}

static void read_pid(struct reader *r, struct pd_span value)
{
	pd_str pid = pd_strtab_intern(&r->names.strings, pd_span_trim(value));

	if (r->pid.id && r->pid.id != pid.id)
		r->is_next_process = true;
	r->pid = pid;
}

static void count_positions(struct reader *r, struct pd_span value)
{
	struct pd_span words[4];

	r->n_positions = (uint32_t)pd_fields(value, words, 4);
}

static void read_key(struct reader *r, enum cg_key key, struct pd_span value)
{
	switch (key) {
	case CG_KEY_FUNCTION:
		if (r->is_open)
			begin_function(r, resolve(r, CG_FUNCTION, value));
		break;
	case CG_KEY_CALLED_FUNCTION:
		r->called_name = resolve(r, CG_FUNCTION, value);
		r->has_called_name = true;
		break;
	case CG_KEY_CALLS:
		read_calls(r, value);
		break;
	case CG_KEY_FILE:
		r->file = resolve(r, CG_FILE, value);
		break;
	case CG_KEY_OBJECT:
		r->object = resolve(r, CG_OBJECT, value);
		break;
	case CG_KEY_CALLED_OBJECT:
		r->called_object = resolve(r, CG_OBJECT, value);
		r->has_called_object = true;
		break;
	case CG_KEY_OTHER_FILE: /* these may give numbers their names */
		(void)resolve(r, CG_FILE, value);
		break;
	case CG_KEY_JUMP_FUNCTION:
		(void)resolve(r, CG_FUNCTION, value);
		break;
	case CG_KEY_JUMP_OBJECT:
		(void)resolve(r, CG_OBJECT, value);
		break;
	case CG_KEY_JUMP:
		r->costs_of = COSTS_OF_JUMP;
		break;
	case CG_KEY_EVENTS:
		begin_part(r, value);
		break;
	case CG_KEY_POSITIONS:
		count_positions(r, value);
		break;
	case CG_KEY_SUMMARY:
		r->has_summary = r->is_open && parse_columns(r, value, NULL, r->summary);
		break;
	case CG_KEY_TOTALS:
		r->has_totals = r->is_open && parse_columns(r, value, NULL, r->totals);
		break;
	case CG_KEY_PID:
		read_pid(r, value);
		break;
	case CG_KEY_COMMAND:
		r->command = pd_strtab_intern(&r->names.strings, pd_span_trim(value));
		break;
	case CG_KEY_IGNORED:
		break;
	}
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct pd_span value;
	enum cg_key key;

	if (line.len && pd_is_blank(line.ptr[0]))
		line = pd_span_trim(line);
	if (!line.len || line.ptr[0] == '#')
		return;
	if (is_number_start(line.ptr[0]))
		read_costs(r, line);
	else if (cg_find_key(line, &key, &value))
		read_key(r, key, value);
	else if (r->is_open)
		warn(r, "costs, or what they are of", line);
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct pd_span line;
	int rc = PD_OK;

	if (!r)
		return pd_fail_nomem(err);
	r->in = in;
	r->b = b;
	r->n_positions = 1;
	r->function = NO_NODE;
	pd_input_lines(in, &r->lines);
	while (!r->failed && !r->is_full && pd_lines_next(&r->lines, &line) &&
	       !pd_builder_is_failed(b))
		read_line(r, line);
	end_run(r);
	if (r->is_full)
		rc = pd_fail(err, PD_ERR_LIMIT, "expected at most %d events, found more",
			     MAX_EVENTS);
	else if (r->failed || r->names.failed || r->names.strings.failed)
		rc = pd_fail_nomem(err);
	pd_lines_done(&r->lines);
	cg_names_done(&r->names);
	pd_map_done(&r->node_of);
	free(r->nodes);
	free(r);
	return rc;
}

/* A line of events, and something else that only this format has. */
static enum pd_sniff sniff(const struct pd_input *head)
{
	bool has_events = false, has_other = false;
	struct pd_lines lines;
	struct pd_span line, value;
	enum cg_key key;

	pd_input_lines(head, &lines);
	while (!(has_events && has_other) && pd_lines_next(&lines, &line)) {
		if (pd_span_starts(line, "# callgrind format"))
			has_other = true;
		if (!line.len || !cg_find_key(line, &key, &value))
			continue;
		has_events |= key == CG_KEY_EVENTS;
		has_other |= key == CG_KEY_POSITIONS || key == CG_KEY_FUNCTION ||
			     key == CG_KEY_FILE || pd_span_starts(line, "creator: ");
	}
	pd_lines_done(&lines);
	return has_events && has_other ? PD_SNIFF_YES : PD_SNIFF_NO;
}

const struct pd_format pd_format_callgrind = {
	.name = "callgrind",
	.title = "valgrind's callgrind and cachegrind; xdebug, pprof -callgrind",
	.sniff = sniff,
	.read = read,
};
