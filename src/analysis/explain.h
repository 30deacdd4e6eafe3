/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where did the cost go? The change of a total as a sum of parts, each row and each
 * leftover in exactly one of them:
 *
 *   idle functions | inline groups that share no row | the rows that moved most |
 *   of the other rows, the directories (or modules) that moved most |
 *   leftovers by name | the rest
 *
 * Parts add up to the total, on both sides, in their order, to the last bit but of
 * the summing. Inclusive costs are in each other: of these there are only the rows
 * that moved most, and no total.
 */
#ifndef PD_ANALYSIS_EXPLAIN_H
#define PD_ANALYSIS_EXPLAIN_H

#include "profdiff/compare.h"

enum pd_cause_kind {
	PD_CAUSE_IDLE,
	PD_CAUSE_INLINE,   /* row is one of those beside the rows */
	PD_CAUSE_FUNCTION, /* row is the row */
	PD_CAUSE_DIR,
	PD_CAUSE_MODULE,
	PD_CAUSE_LEFTOVER,
	PD_CAUSE_REST,
};

/* Costs are means over the runs, in the event's unit; with --per not per unit of it. */
struct pd_cause {
	enum pd_cause_kind kind;
	const char *name;         /* borrowed from the comparison, or static */
	const struct pd_row *row; /* borrowed, or NULL */
	uint32_t n_rows;          /* how many rows it is the sum of */
	double base, next, delta;
	double by_calls, by_cost; /* of delta, as far as it could be split; or unknown */
	double unsplit;           /* of delta: by calls and by cost are the others */
};

/* What a change is split by. */
enum pd_split {
	PD_SPLIT_NONE,
	PD_SPLIT_CALLS, /* of each function, as the inputs tell them */
	PD_SPLIT_PER,   /* units of the metric that costs are per unit of */
};

struct pd_explanation {
	struct pd_cause *causes; /* in the order above, each kind by the size of the change */
	uint32_t n_causes;
	bool has_total; /* of which these are the parts */
	struct pd_cause total;
	enum pd_split split;
	struct pd_arena arena;
};

/*
 * Explain the change of an event from the base to a side (1 and up). c must outlive the
 * result, which is freed with pd_explanation_done(). Errors: NOMEM.
 */
int pd_explain(const struct pd_comparison *c, uint32_t event, uint32_t side,
	       struct pd_explanation *ret_explanation, struct pd_error *err) PD_MUST_USE;
void pd_explanation_done(struct pd_explanation *explanation);

/* "idle", "inline", "function", ... */
const char *pd_cause_kind_name(enum pd_cause_kind kind);

/*
 * The part of a row's change that more calls make, at the mean cost of a call; the rest
 * is of the cost of one call, at the mean number of calls. A side without calls tells no
 * cost of one: all is of calls. Unknown where calls are.
 */
double pd_row_delta_by_calls(const struct pd_comparison *c, const struct pd_row *row,
			     uint32_t side);

#endif
