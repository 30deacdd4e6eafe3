/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions on a comparison, for scripts: "regressed", "ticks>+3%,q<0.05",
 * "total>+1%". Conditions joined by commas must all hold for one row and side.
 */
#ifndef PD_ANALYSIS_CONDITIONS_H
#define PD_ANALYSIS_CONDITIONS_H

#include "base/text.h"
#include "profdiff/compare.h"

/*
 *	WORD       regressed improved regressed? improved? standout new gone missing
 *	ticks>X    difference above X; "<" below; "X%" is percent of the base
 *	total>X    the same for the total, busy>X without idle functions
 *	q<X p<X    as in the table
 *	min=X      cost of at least X on one side
 *
 * A word with "?" holds for the verdict with and without one.
 */

/* Check a text of conditions. Errors: USAGE. */
int pd_conditions_check(const char *text, struct pd_error *err) PD_MUST_USE;
/*
 * Append one line to findings for every row and side, or total, for which all
 * conditions hold. Returns how many. text has passed pd_conditions_check().
 */
uint32_t pd_conditions_find(const char *text, const struct pd_comparison *c,
			    struct pd_buf *findings);

#endif
