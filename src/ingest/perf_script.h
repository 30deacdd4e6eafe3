/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of perf script from the inside: fmt_perf_script.c walks the lines,
 * perf_script_lines.c tells what a line is, perf_script_sums.c adds samples up.
 */
#ifndef PD_INGEST_PERF_SCRIPT_H
#define PD_INGEST_PERF_SCRIPT_H

#include "base/map.h"
#include "base/num.h"
#include "base/strtab.h"
#include "base/text.h"
#include "ingest/ingest.h"

/* ---- lines ---- */

/* How surely a line begins a sample. */
enum pd_script_head_kind {
	PD_SCRIPT_NONE,
	PD_SCRIPT_LIKELY, /* it has no time, or no thread: it is one if frames follow */
	PD_SCRIPT_SURE,
};

/* The line that begins a sample: fields that were not printed are empty or not there. */
struct pd_script_head {
	struct pd_span comm, event;
	int64_t pid, tid, cpu; /* -1: not there */
	double time_s;         /* or unknown */
	double period;         /* or unknown */
	struct pd_span rest;   /* behind the event: arguments, or the only frame */
	bool is_record;        /* not a sample but another record: a mapping, a new thread */
};

/* A frame: an address and what is there. */
struct pd_script_frame {
	struct pd_span name, module; /* empty: not told */
};

enum pd_script_head_kind pd_script_parse_head(struct pd_span line, struct pd_script_head *ret_head);
/* A frame on a line of its own. */
bool pd_script_parse_frame(struct pd_span line, struct pd_script_frame *ret_frame);
/* Whether a frame on a line of its own is a sample alone, as where frames are all there is. */
bool pd_script_is_flat_frame(struct pd_span line);
/* Whether an event is called as perf calls them, and no one word: "cpu-clock", "cycles:u". */
bool pd_script_is_counter(struct pd_span event);
/* The frame behind the event of a sample without a chain of callers. */
bool pd_script_parse_only_frame(const struct pd_script_head *head,
				struct pd_script_frame *ret_frame);
/* "  dl-machine.h:500", "  ld-2.29.so[1000]": what -F srcline adds below a frame. */
bool pd_script_is_source_line(struct pd_span line);
/* Whether a name is none: "[unknown]", or nothing. */
bool pd_script_is_unnamed(struct pd_span name);

/* ---- sums ---- */

/* What a function costs in an event. */
struct pd_script_cell {
	double self, inclusive, self_sq;
	uint32_t n;          /* samples of its own */
	uint32_t last_stack; /* the stack, by its number, that had it last */
};

struct pd_script_event {
	pd_str name;
	bool has_periods; /* else each sample counts 1 */
	uint32_t in_run;
	struct pd_script_cell *cells; /* by function, up to n_cells */
	uint32_t n_cells;
	double n_samples;
	struct pd_script_cell filtered;
};

/* What a command costs in an event. */
struct pd_script_comm {
	pd_str name;
	uint32_t event;
	double self, n;
};

/* Zero-initialise; free with pd_script_sums_done(). */
struct pd_script_sums {
	struct pd_builder *builder;
	const struct pd_limits *limits;
	uint32_t run;
	bool wants_calls; /* the call tree, too */
	struct pd_strtab strings; /* of events and commands */
	struct pd_script_event *events;
	uint32_t n_events;
	struct pd_map comm_ids; /* (event, name) */
	struct pd_script_comm *comms;
	uint32_t n_comms, cap_comms;
	/* The sample at hand: functions from the leaf on, and those whose module comes later. */
	uint32_t *funcs;
	uint32_t n_funcs, cap_funcs;
	bool is_too_deep;
	bool has_modules;        /* a frame without a module has none */
	struct pd_buf waiting;   /* names, each with a newline behind it */
	uint32_t first_waiting;  /* index in funcs of the first of them */
	uint32_t n_stacks;
	enum pd_code failed; /* latched: PD_ERR_NOMEM, PD_ERR_LIMIT */
	const char *limit;   /* which one was passed */
};

void pd_script_sums_done(struct pd_script_sums *s);
/* Add a frame to the sample at hand, from the leaf on. */
void pd_script_add_frame(struct pd_script_sums *s, const struct pd_script_frame *frame);
/* The event of that name; UINT32_MAX after a failure. */
uint32_t pd_script_find_event(struct pd_script_sums *s, struct pd_span name, bool has_periods);
/* End the sample at hand, which costs so much; it has no frames then. */
void pd_script_add_sample(struct pd_script_sums *s, uint32_t event, struct pd_span comm,
			  double cost);
/* Forget the frames of the sample at hand. */
void pd_script_drop_sample(struct pd_script_sums *s);
/* End the sample at hand as one that was not asked for. */
void pd_script_filter_sample(struct pd_script_sums *s, uint32_t event, double cost);
/*
 * Whether a sample is wanted (q may be NULL: all are), by its head and between two times in
 * seconds. *missing is set to the field that this needs and the head lacks.
 */
bool pd_script_is_wanted(const struct pd_request *q, const struct pd_script_head *h,
			 double from_s, double to_s, const char **missing);
/* Tell the builder all of it. */
void pd_script_sums_tell(struct pd_script_sums *s);

#endif
