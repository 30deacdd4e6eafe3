/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function in two builds, for --why: the work that its instructions do, what is
 * inlined into it, and the source lines whose cost changed. Of two images, and of the
 * annotation that holds their code against each other.
 */
#ifndef PD_ANALYSIS_WHY_H
#define PD_ANALYSIS_WHY_H

#include "analysis/annotate.h"
#include "image/insn_classes.h"

/* How many instructions are of a class, of all parts of the function. */
struct pd_why_class {
	double n[2]; /* a side; unknown: it has no code */
	double n_removed, n_added; /* by the alignment; a changed one is neither */
};

/* A function that is inlined into it, on a side at least. */
struct pd_why_inline {
	pd_str name; /* of the sizes' strings */
	double n_instances[2], n_bytes[2];
};

/* A line of the source. Costs are means over the runs, in the events' units. */
struct pd_why_line {
	pd_str file; /* of the annotation's strings */
	uint32_t line;
	double *costs[2]; /* [events] a side */
};

struct pd_why {
	struct pd_arena arena;
	struct pd_why_class classes[PD_N_CLASSES];
	struct pd_why_class all; /* instructions of any class, and of none */
	struct pd_why_inline *inlines; /* those whose bytes differ most first */
	struct pd_why_line *lines; /* by the size of the change of the first event */
	uint32_t n_inlines, n_lines;
};

/*
 * sizes: of the two images, or NULL; row: the function's in it, or PD_NO_INDEX;
 * annotation: of the same function, or NULL. All must outlive the result, which is freed
 * with pd_why_done(). Errors: NOMEM.
 */
int pd_why_make(const struct pd_sizes *sizes, uint32_t row, const struct pd_annotation *annotation,
		struct pd_why *ret_why, struct pd_error *err) PD_MUST_USE;
void pd_why_done(struct pd_why *why);

#endif
