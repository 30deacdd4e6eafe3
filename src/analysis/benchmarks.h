/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmark results: the metrics of all runs, joined by group and name and
 * compared as STATS 4.12.
 */
#ifndef PD_ANALYSIS_BENCHMARKS_H
#define PD_ANALYSIS_BENCHMARKS_H

#include "profdiff/compare.h"

/*
 * Fill c->metrics and c->geomeans from the runs and further results of the
 * sides; c->alpha and c->equiv_ratio are given. Errors: MISMATCH (one name,
 * two units), NOMEM.
 */
int pd_benchmarks_compare(struct pd_comparison *c, const struct pd_side_input *sides,
			  struct pd_error *err) PD_MUST_USE;

#endif
