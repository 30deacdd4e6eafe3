/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the parts of the reader of function_graph traces share:
 * ftrace_graph_line.c (one line), ftrace_graph_calls.c (calls within calls),
 * fmt_ftrace_graph.c (what all lines together are).
 */
#ifndef PD_INGEST_FTRACE_GRAPH_H
#define PD_INGEST_FTRACE_GRAPH_H

#include "base/map.h"
#include "base/num.h"
#include "base/strtab.h"
#include "base/text.h"
#include "model/builder.h"

enum graph_kind {
	GRAPH_OTHER,    /* no line of a trace */
	GRAPH_ENTRY,    /* "foo() {" */
	GRAPH_LEAF,     /* "foo();" */
	GRAPH_EXIT,     /* "}", perhaps with the function's name in a comment */
	GRAPH_NOTHING,  /* a comment, the mark of an interrupt */
	GRAPH_SWITCH,   /* "0)  init-1  =>  true-78" */
	GRAPH_LOST,     /* "CPU:0 [LOST 123 EVENTS]": what follows lacks its beginning */
};

#define GRAPH_NO_CPU UINT32_MAX

struct graph_line {
	enum graph_kind kind;
	bool is_sure;         /* no other text has such a line */
	uint32_t cpu;         /* or GRAPH_NO_CPU */
	struct pd_span task;  /* "init-1", empty if not told; of a switch, the next one */
	struct pd_span from;  /* of a switch */
	struct pd_span name, module; /* of the function; an exit may have none */
	double ns;            /* duration, or unknown */
	double quantum_ns;    /* what it was rounded to */
	double n_lost;        /* events, or unknown */
};

/* Always fills *ret_line. */
void graph_line_parse(struct pd_span line, struct graph_line *ret_line);

struct graph_frame {
	uint32_t func;
	double inside_ns; /* of calls that it made */
	double rounding_ns;
	uint64_t n_holes; /* of the stack, when it was entered */
	bool has_hole;    /* some of its calls may not be in the trace */
	bool is_inner;    /* the function is further out, too: its time is in that */
};

/* The calls that a task has not returned from. */
struct graph_stack {
	struct graph_frame *frames;
	uint32_t n, cap;
	uint32_t n_too_deep; /* calls that it has no frames for */
	uint64_t n_holes;    /* where lines of this task are missing */
};

/* Zero-initialise, then set b, run and event; free with graph_calls_done(). */
struct graph_calls {
	struct pd_builder *b;
	uint32_t run, event;
	struct pd_strtab keys; /* tasks and processors */
	struct graph_stack *stacks; /* by key */
	uint32_t n_stacks;
	double total_ns;     /* of calls that no other call of known duration has in it */
	double rounding_ns;
	double shortest_ns;  /* of the calls without calls in them, or unknown */
	double n_durations, n_calls;
	uint64_t n_holes;    /* where lines of any task are missing */
	uint32_t n_unfinished, n_unbegun, n_too_deep;
	bool failed; /* latched: out of memory */
};

void graph_calls_done(struct graph_calls *c);
/* The stack of a task; a key of 0 bytes is one as well. */
uint32_t graph_calls_stack(struct graph_calls *c, struct pd_span key);
void graph_calls_enter(struct graph_calls *c, uint32_t stack, uint32_t func);
void graph_calls_leaf(struct graph_calls *c, uint32_t stack, uint32_t func,
		      const struct graph_line *line);
/* func is the one that the line names, or UINT32_MAX. */
void graph_calls_exit(struct graph_calls *c, uint32_t stack, uint32_t func,
		      const struct graph_line *line);
/* The stack of one key was another's. */
void graph_calls_move(struct graph_calls *c, uint32_t from, uint32_t to);
/* The trace is over: what is still open has no known duration. */
void graph_calls_finish(struct graph_calls *c);

#endif
