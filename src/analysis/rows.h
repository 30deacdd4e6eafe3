/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows: leaves become rows, and rows that belong together get a row that is
 * their sum (the user's groups, then the families of DESIGN 8, pass 2).
 */
#ifndef PD_ANALYSIS_ROWS_H
#define PD_ANALYSIS_ROWS_H

#include "analysis/match.h"

/*
 * Fill c->rows from the leaves that are functions. Rows get their runs,
 * pairing, members and group; the caller does the arithmetic. Errors: USAGE (a
 * group of which no function is there), NOMEM.
 */
int pd_rows_make(struct pd_comparison *c, const struct pd_matched *m,
		 const struct pd_leaves *leaves, const struct pd_compare_options *options,
		 struct pd_diags *diags, struct pd_error *err) PD_MUST_USE;

/* Put the rows, and the sums beside them, in the order that compare.h promises. Errors: NOMEM. */
int pd_rows_sort(struct pd_comparison *c, struct pd_error *err) PD_MUST_USE;

/* Which of two rows comes first there: below 0, x does. */
int pd_row_compare(const struct pd_comparison *c, const struct pd_row *x, const struct pd_row *y);

/* n changes of which nothing is known yet, of the arena of c; NULL if there is no memory. */
struct pd_change *pd_changes_new(struct pd_comparison *c, uint32_t n);

/* Add a sentence to a row; false if there is no memory. */
bool pd_row_add_note(struct pd_comparison *c, struct pd_row *row, const char *note);

#endif
