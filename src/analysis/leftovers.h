/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leftovers: what is in the totals and in no row. They are what makes rows and
 * totals add up.
 */
#ifndef PD_ANALYSIS_LEFTOVERS_H
#define PD_ANALYSIS_LEFTOVERS_H

#include "analysis/match.h"

/*
 * Fill c->leftovers from the leaves that are leftovers. What a row has in some
 * runs of a side that has no mean joins "[unlisted]" (STATS 4.0). Errors: NOMEM.
 */
int pd_leftovers_make(struct pd_comparison *c, const struct pd_leaves *leaves,
		      struct pd_error *err) PD_MUST_USE;
/*
 * Remove the rows that are filtered out, and their members; their cost becomes
 * the leftover "[filtered]", unless costs are inclusive. Errors: NOMEM.
 */
int pd_leftovers_take_rows(struct pd_comparison *c, struct pd_error *err) PD_MUST_USE;

#endif
