/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces of the kernel's function_graph tracer: /sys/kernel/tracing/trace, and
 * what trace-cmd report prints of them.
 *
 *	# tracer: function_graph
 *	#
 *	# CPU  DURATION                  FUNCTION CALLS
 *	# |     |   |                     |   |   |   |
 *	 9)               |  get_nohz_timer_target() {
 *	 9)   0.390 us    |    housekeeping_get_mask.part.1();
 *	 9)   ==========> |
 *	 9) + 17.410 us   |    smp_apic_timer_interrupt();
 *	 9)   <========== |
 *	 9) + 76.163 us   |  }
 *
 *	 irq/68-dwc3-946 [000]  524.263743: funcgraph_entry:  ! 116.520 us |  gether_connect();
 *
 * What a call costs itself is its duration without that of the calls in it,
 * which interrupts are, too. Calls of a task are followed from processor to
 * processor; all processors are one run. A call of which the trace lacks the
 * beginning or the end counts, and has no time of its own. Each header begins a
 * new run.
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "ingest/ftrace_graph.h"
#include "ingest/prose.h"
#include "io/lines.h"

enum {
	MAX_CPUS = 4096,
	MAX_ESTIMATE_NS = 100000, /* a longer call tells nothing of what tracing costs */
};

/* What runs on a processor, where lines do not tell. */
struct cpu {
	uint32_t stack; /* 1 + that of its task; 0: not known */
	bool is_named;  /* a switch has told the task */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	struct graph_calls calls;
	struct pd_buf key;
	struct cpu cpus[MAX_CPUS];
	double n_lost;
	bool has_run, has_calls;
};

static bool is_tracer(struct pd_span line)
{
	return pd_span_starts(line, "# tracer:") &&
	       pd_span_find(line, "function_graph") != SIZE_MAX;
}

static bool is_trace_line(struct pd_span line, const void *context)
{
	struct graph_line x;

	(void)context;
	graph_line_parse(line, &x);
	return x.kind != GRAPH_OTHER;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct pd_lines lines;
	struct pd_span line;
	bool has_header = false;
	size_t n = 0;

	pd_input_lines(head, &lines);
	while (!has_header && n < 2 && pd_lines_next(&lines, &line)) {
		struct graph_line x;

		graph_line_parse(line, &x);
		n += x.is_sure;
		/* Wrapped lines of trace-cmd are none yet. */
		has_header = is_tracer(line) || pd_span_find(line, ": funcgraph_e") != SIZE_MAX;
	}
	pd_lines_done(&lines);
	return has_header || n > 1 ? PD_SNIFF_YES : n ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

/* The stack of a task; idle tasks of all processors have one name. */
static uint32_t stack_of_task(struct reader *r, struct pd_span task, uint32_t cpu)
{
	r->key.len = 0;
	pd_buf_add(&r->key, task.ptr, task.len);
	if (pd_span_ends(task, "-0") && cpu != GRAPH_NO_CPU)
		pd_buf_printf(&r->key, " %u", cpu);
	return graph_calls_stack(&r->calls, pd_buf_span(&r->key));
}

static struct cpu *cpu_at(struct reader *r, uint32_t cpu)
{
	struct cpu *c = &r->cpus[cpu == GRAPH_NO_CPU ? 0 : cpu % MAX_CPUS];

	if (!c->stack) {
		r->key.len = 0;
		pd_buf_printf(&r->key, "%u", cpu);
		c->stack = 1 + graph_calls_stack(&r->calls, pd_buf_span(&r->key));
	}
	return c;
}

static uint32_t stack_of(struct reader *r, const struct graph_line *line)
{
	if (line->task.len)
		return stack_of_task(r, line->task, line->cpu);
	return cpu_at(r, line->cpu)->stack - 1;
}

static void read_switch(struct reader *r, const struct graph_line *line)
{
	struct cpu *c = cpu_at(r, line->cpu);
	uint32_t from = stack_of_task(r, line->from, line->cpu);
	uint32_t to = stack_of_task(r, line->task, line->cpu);

	if (r->calls.failed)
		return;
	/* What ran until now was the task that is left. */
	if (!c->is_named)
		graph_calls_move(&r->calls, c->stack - 1, from);
	c->is_named = true;
	c->stack = 1 + to;
}

static void tell_shortest(struct reader *r)
{
	char buf[PD_NUM_LEN];

	if (r->calls.shortest_ns <= MAX_ESTIMATE_NS)
		pd_diags_add(r->in->diags, PD_NOTE, "traced", r->in->path, 0,
			     "tracing adds time to each call, at most %s ns (the shortest)",
			     pd_num_shortest(r->calls.shortest_ns, buf));
	else
		pd_diags_add(r->in->diags, PD_NOTE, "traced", r->in->path, 0,
			     "tracing adds time to each call");
}

static void finish_run(struct reader *r)
{
	struct graph_calls *c = &r->calls;
	struct pd_event *e;

	if (!r->has_run)
		return;
	r->has_run = false;
	graph_calls_finish(c);
	e = pd_builder_event_at(r->b, c->run, c->event);
	if (e && r->n_lost > 0)
		e->n_lost = r->n_lost;
	if (c->n_durations > 0) {
		pd_builder_set_total(r->b, c->run, c->event, c->total_ns);
		pd_builder_add_slack(r->b, c->run, c->event, c->rounding_ns);
		tell_shortest(r);
	} else if (r->has_calls) {
		pd_diags_add(r->in->diags, PD_WARNING, "no-durations", r->in->path, 0,
			     "expected durations, found none; calls are counted only");
	}
	if (c->n_unfinished || c->n_unbegun)
		pd_diags_add(r->in->diags, PD_NOTE, "open-calls", r->in->path, 0,
			     "calls without an end in this trace: %u, without a beginning: %u; "
			     "their own time is not known", c->n_unfinished, c->n_unbegun);
	if (c->n_too_deep)
		pd_diags_add(r->in->diags, PD_WARNING, "deep-calls", r->in->path, 0,
			     "calls deeper than any kernel's: %u; counted without time",
			     c->n_too_deep);
	graph_calls_done(c);
}

static void begin_run(struct reader *r)
{
	struct pd_span none = {"", 0};
	bool failed = r->calls.failed;

	memset(r->cpus, 0, sizeof(r->cpus));
	r->calls = (struct graph_calls){
		.b = r->b, .run = pd_builder_run(r->b, none), .shortest_ns = PD_UNKNOWN,
		.failed = failed,
	};
	r->calls.event = pd_builder_event(r->b, r->calls.run, pd_span_of("time"), PD_UNIT_NS);
	r->n_lost = 0;
	r->has_run = true;
	r->has_calls = false;
	/* Key 0 is for want of memory. */
	(void)graph_calls_stack(&r->calls, none);
}

static uint32_t func_of(struct reader *r, const struct graph_line *line)
{
	if (!line->name.len)
		return UINT32_MAX;
	if (pd_span_starts(line->name, "0x"))
		return pd_builder_leftover(r->b, "[unknown]", line->module);
	return pd_builder_func(r->b, line->name, line->module);
}

static void read_call(struct reader *r, const struct graph_line *line)
{
	uint32_t stack = stack_of(r, line), func = func_of(r, line);

	if (r->calls.failed || pd_builder_is_failed(r->b))
		return;
	r->has_calls = true;
	if (line->kind == GRAPH_ENTRY)
		graph_calls_enter(&r->calls, stack, func);
	else if (line->kind == GRAPH_LEAF)
		graph_calls_leaf(&r->calls, stack, func, line);
	else
		graph_calls_exit(&r->calls, stack, func, line);
}

/* "bash-12 [000] 12.3: sched_switch: ...": an event of another kind, among calls. */
static bool is_event(struct pd_span line)
{
	size_t at = pd_span_find(line, " [");

	return at != SIZE_MAX && at + 2 < line.len && pd_is_digit(line.ptr[at + 2]);
}

/* Whether a line begins as one of a trace: "0) ", "... funcgraph_entry:". */
static bool is_like_trace(struct pd_span line)
{
	size_t i = 0;

	line = pd_span_trim(line);
	while (i < line.len && pd_is_digit(line.ptr[i]))
		i++;
	return (i && i + 1 < line.len && line.ptr[i] == ')' && pd_is_blank(line.ptr[i + 1])) ||
	       pd_span_find(line, ": funcgraph_e") != SIZE_MAX;
}

/* What is no line of a trace: something may be missing there. */
static void read_other(struct reader *r, struct pd_span line)
{
	if (is_tracer(line)) {
		if (r->has_calls)
			finish_run(r);
		return;
	}
	if (line.ptr[0] == '#' || pd_prose_is_rule(line) || is_event(line))
		return;
	if (is_like_trace(line))
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected a duration and a call, found \"%.*s\"; line skipped",
			     PD_SPAN_ARG(line));
	r->calls.n_holes++;
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct graph_line x;

	graph_line_parse(line, &x);
	if (x.kind == GRAPH_OTHER && is_like_trace(line) &&
	    pd_lines_unwrap(&r->lines, &line, is_trace_line, NULL))
		graph_line_parse(line, &x);
	if (x.kind != GRAPH_OTHER && !r->has_run)
		begin_run(r);
	switch (x.kind) {
	case GRAPH_OTHER:
		read_other(r, line);
		break;
	case GRAPH_SWITCH:
		read_switch(r, &x);
		break;
	case GRAPH_LOST:
		r->calls.n_holes++;
		r->n_lost += pd_is_known(x.n_lost) ? x.n_lost : 0;
		break;
	case GRAPH_NOTHING:
		break;
	case GRAPH_ENTRY:
	case GRAPH_LEAF:
	case GRAPH_EXIT:
		read_call(r, &x);
		break;
	}
}

static int read_graph(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader *r = calloc(1, sizeof(*r));
	struct pd_span line;
	int rc = PD_OK;

	if (!r)
		return pd_fail_nomem(err);
	r->in = in;
	r->b = b;
	pd_input_lines(in, &r->lines);
	while (!pd_builder_is_failed(b) && !r->calls.failed && pd_lines_next(&r->lines, &line))
		if (line.len)
			read_line(r, line);
	finish_run(r);
	if (r->lines.clean.failed || r->lines.joined.failed || r->key.failed || r->calls.failed)
		rc = pd_fail_nomem(err);
	graph_calls_done(&r->calls);
	pd_lines_done(&r->lines);
	pd_buf_done(&r->key);
	free(r);
	return rc;
}

const struct pd_format pd_format_ftrace_graph = {
	.name = "ftrace-graph",
	.title = "traces of function_graph: the kernel's trace file, trace-cmd report",
	.sniff = sniff,
	.read = read_graph,
};
