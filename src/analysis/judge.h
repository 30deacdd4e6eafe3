/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The statistics of a comparison: rows become problems of src/stats, and what
 * these tell is written beside the rows' numbers.
 */
#ifndef PD_ANALYSIS_JUDGE_H
#define PD_ANALYSIS_JUDGE_H

#include "analysis/match.h"

/*
 * Fill scale, shifts and checks of all events, and of rows and totals what is
 * about certainty; the caller does the arithmetic with the scale. Errors:
 * USAGE, NOMEM.
 */
int pd_judge(struct pd_comparison *c, const struct pd_matched *m,
	     const struct pd_compare_options *options, struct pd_error *err) PD_MUST_USE;

#endif
