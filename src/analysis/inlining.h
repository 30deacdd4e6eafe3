/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inlining that differs between two builds: which function is inlined where on one
 * side and has a body that is called there on the other.
 *
 *   base:  f() { g(); }   g() { ... }       next:  f() { [g] }
 *
 * Where both sides have DWARF, its instances tell it. Else calls do: f calls g less
 * often than before and has grown, which is a guess. A function that is inlined
 * into f on both sides is no difference, and neither is one without a body on the
 * side that does not inline it: no cost can have moved.
 */
#ifndef PD_ANALYSIS_INLINING_H
#define PD_ANALYSIS_INLINING_H

#include "analysis/sizes.h"
#include "base/map.h"

/* A pair of functions. Indices are of rows of the sizes. */
struct pd_inlining_pair {
	uint32_t callee, caller;
	bool is_inlined_on_next; /* and not on the base; else the other way round */
};

struct pd_inlining {
	struct pd_inlining_pair *pairs; /* sorted by (callee, caller) */
	size_t n_pairs;
	bool is_guess;     /* there is no DWARF: by calls */
	bool is_truncated; /* there was too much code to look at all of it */
};

/*
 * Differences of callees that wanted has: [rows of the sizes], the same of all rows of
 * one name; of these the first is the callee. sizes has one image a side, families as
 * rows, all rows, and is not summed. Free the result with pd_inlining_done(). Errors:
 * UNSUPPORTED (no DWARF, and calls cannot be read), NOMEM.
 */
int pd_inlining_find(const struct pd_sizes *sizes, const bool *wanted,
		     struct pd_inlining *ret_inlining, struct pd_error *err) PD_MUST_USE;
void pd_inlining_done(struct pd_inlining *inlining);

#endif
