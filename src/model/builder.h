/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder: what a reader tells, in any order, becomes the profiles of one
 * input. Equal functions are summed, totals checked, leftovers made.
 *
 *   builder            one input
 *    +- run            one profile of it: a column, a section, a recording
 *    |   +- event      one thing counted there
 *    |   +- metric     one result of a benchmark there
 *    +- function       a (module, name), shared by all runs
 *
 * Calls do not fail: lack of memory and passed limits are latched, and
 * pd_builder_finish() tells them. Ids are small numbers, counted from 0.
 */
#ifndef PD_MODEL_BUILDER_H
#define PD_MODEL_BUILDER_H

#include "base/limits.h"
#include "profdiff/profile.h"

struct pd_builder;

/* NULL if there is no memory. path, format and diags (may be NULL) must outlive the builder. */
struct pd_builder *pd_builder_new(const char *path, const char *format,
				  const struct pd_limits *limits, struct pd_diags *diags);
/* NULL allowed. */
void pd_builder_free(struct pd_builder *b);

/* Whether something was latched, so that a reader may stop early. */
bool pd_builder_is_failed(const struct pd_builder *b);

/* A new run; section may be empty. Returns its id. */
uint32_t pd_builder_run(struct pd_builder *b, struct pd_span section);
/* How many runs there are. */
uint32_t pd_builder_n_runs(const struct pd_builder *b);
/* A new event of a run; returns its id within the run. */
uint32_t pd_builder_event(struct pd_builder *b, uint32_t run, struct pd_span name,
			  enum pd_unit unit);
/* For setting what the input says of a run or an event; valid until the next run or event. */
struct pd_event *pd_builder_event_at(struct pd_builder *b, uint32_t run, uint32_t event);
/* Kernel release, CPU, command of a run; spans are copied. */
void pd_builder_set_kernel(struct pd_builder *b, uint32_t run, struct pd_span kernel);
void pd_builder_set_command(struct pd_builder *b, uint32_t run, struct pd_span command);
void pd_builder_set_cpu(struct pd_builder *b, uint32_t run, struct pd_span cpu);
/* When a run began, in seconds since 1970, of any zone. */
void pd_builder_set_started(struct pd_builder *b, uint32_t run, double seconds);
/* How long a run took. */
void pd_builder_set_duration(struct pd_builder *b, uint32_t run, double ns);
/* Single samples of a run were read, and the request was heeded. */
void pd_builder_set_lists_samples(struct pd_builder *b, uint32_t run);
/* The numbers of a run are differences. */
void pd_builder_set_deltas(struct pd_builder *b, uint32_t run);
/* The input says that there was nothing to list: the run is no mistake, and stays. */
void pd_builder_keep_empty(struct pd_builder *b, uint32_t run);
/* The samples of a run, one for each of its events; the builder frees them, or its profile. */
void pd_builder_take_recording(struct pd_builder *b, uint32_t run, struct pd_recording *r);
/* The printed total of an event. What the rows miss becomes "[unlisted]". */
void pd_builder_set_total(struct pd_builder *b, uint32_t run, uint32_t event, double total);
/* The list is cut, though no total tells what it misses. */
void pd_builder_set_cut(struct pd_builder *b, uint32_t run, uint32_t event);
/* Every sample is listed: the total is the sum of what was added. */
void pd_builder_set_complete(struct pd_builder *b, uint32_t run, uint32_t event);
/*
 * Rows that a printed total leaves out, or that were rounded: where all rows
 * exceed the total by at most slack, the total stands, "[unlisted]" becomes
 * negative, and nobody is warned.
 */
void pd_builder_add_slack(struct pd_builder *b, uint32_t run, uint32_t event, double slack);

/* The function of that name and module (may be empty). */
uint32_t pd_builder_func(struct pd_builder *b, struct pd_span name, struct pd_span module);
/*
 * The functions of n names and modules at once: the waits for memory that
 * looking them up takes overlap.
 */
void pd_builder_funcs(struct pd_builder *b, const struct pd_span *names,
		      const struct pd_span *modules, size_t n, uint32_t *ret_funcs);
/* The leftover of that name ("[unknown]") and module. */
uint32_t pd_builder_leftover(struct pd_builder *b, const char *name, struct pd_span module);
/* The source file of a function, where none is known yet. */
void pd_builder_set_file(struct pd_builder *b, uint32_t func, struct pd_span file);
/* Add to a function's cost. Adding 0 makes it listed. */
void pd_builder_add_self(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			 double value);
/* What a row of a table adds to its function's own cost in an event of a run. */
struct pd_builder_cell {
	uint32_t run, event;
	double value;
};

void pd_builder_add_cells(struct pd_builder *b, uint32_t func, const struct pd_builder_cell *cells,
			  size_t n);
/* That will be called soon: fetch what it takes from memory, only to save time. */
void pd_builder_expect_cells(const struct pd_builder *b, uint32_t func,
			     const struct pd_builder_cell *cells, size_t n);
/* What was added to a function's own cost so far, or unknown. */
double pd_builder_self(const struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func);
void pd_builder_add_inclusive(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			      double value);
void pd_builder_add_samples(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			    double n);
/* The squares of the costs of single samples or calls: how far they scatter. */
void pd_builder_add_squares(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			    double sum_sq);
/* Whether a function is a leftover. */
bool pd_builder_is_leftover(const struct pd_builder *b, uint32_t func);
/* Add to what a command costs, over all its functions. */
void pd_builder_add_comm(struct pd_builder *b, uint32_t run, uint32_t event, struct pd_span name,
			 double self, double n_samples);
/* How often a function was called in a run. It is listed then, even without a cost. */
void pd_builder_add_calls(struct pd_builder *b, uint32_t run, uint32_t func, double n);

/*
 * The node of a function below parent (PD_NO_CALL: it is nobody's callee) in the call
 * tree of a run, for requests that want one; PD_NO_CALL after a failure. Leftovers may
 * be frames, too. Costs in the tree are no part of those of functions.
 */
uint32_t pd_builder_call(struct pd_builder *b, uint32_t run, uint32_t parent, uint32_t func);
/* Add what a stack that ends at a node costs. The event may be made later. */
void pd_builder_add_stack(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t node,
			  double self);

/*
 * The metric of that group (may be empty) and name of a run; made with that
 * unit (may be empty) if it is new. Returns its id within the run.
 */
uint32_t pd_builder_metric(struct pd_builder *b, uint32_t run, struct pd_span group,
			   struct pd_span name, struct pd_span unit, enum pd_better better);
/* Whether a run has a metric of that group and name. */
bool pd_builder_has_metric(const struct pd_builder *b, uint32_t run, struct pd_span group,
			   struct pd_span name);
/* One more repetition. */
void pd_builder_add_value(struct pd_builder *b, uint32_t run, uint32_t metric, double value);
/* Add to the last repetition: the value is a part of it. */
void pd_builder_add_part(struct pd_builder *b, uint32_t run, uint32_t metric, double value);
/* The value is the mean of n repetitions with that deviation; each may be unknown. */
void pd_builder_set_summary(struct pd_builder *b, uint32_t run, uint32_t metric, double sd,
			    double n);
/* The most frequent case of these: a repetition of a metric without a group. */
void pd_builder_add_metric(struct pd_builder *b, uint32_t run, struct pd_span name,
			   struct pd_span unit, enum pd_better better, double value);

/*
 * Make the profiles. Runs without any cost and any metric are dropped, unless they are to be
 * kept. Errors: NOMEM, LIMIT, EMPTY (no run is left).
 */
int pd_builder_finish(struct pd_builder *b, struct pd_profiles *ret_profiles,
		      struct pd_error *err) PD_MUST_USE;

#endif
