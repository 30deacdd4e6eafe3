/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who calls a function, and who has it inlined, in two builds.
 */
#ifndef PD_ANALYSIS_CALLERS_H
#define PD_ANALYSIS_CALLERS_H

#include "analysis/sizes.h"

/* A function with call sites or inline instances, on a side at least. */
struct pd_caller_row {
	uint32_t size_row; /* of the sizes */
	double n_sites[2], n_inlines[2];
};

/* The function on one side. */
struct pd_callee {
	bool has_body, is_inlined;
	double n_bytes; /* of its bodies; unknown: none */
	double n_sites; /* those in no function included */
	double n_outside; /* call sites in no function */
	double n_callers; /* functions with call sites, their cold parts included */
	double n_inlines;
};

struct pd_callers {
	const struct pd_sizes *sizes; /* borrowed */
	const char *function;         /* borrowed */
	struct pd_callee sides[2];
	struct pd_caller_row *rows; /* most call sites and instances first, then by name */
	uint32_t n_rows;
	struct pd_arena arena;
};

/*
 * The callers of the function of that name, an alias, a demangled name, or else the
 * base name of a family. sizes (not summed by --by) and function must outlive the
 * result. Errors: USAGE (no such function on either side), UNSUPPORTED (a machine that
 * is not disassembled), NOMEM.
 */
int pd_callers_find(const struct pd_sizes *sizes, const char *function,
		    struct pd_callers **ret_callers, struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_callers_free(struct pd_callers *callers);

#endif
