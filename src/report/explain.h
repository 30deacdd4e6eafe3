/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --explain: the change of a total as a sum of parts, for people and for programs.
 */
#ifndef PD_REPORT_EXPLAIN_H
#define PD_REPORT_EXPLAIN_H

#include "profdiff/compare.h"
#include "profdiff/table.h"

/* One table for each next side of an event. Errors: NOMEM. */
int pd_explain_add(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		   struct pd_error *err) PD_MUST_USE;
/* The list "explain" of the value tree, of all events. Errors: as above. */
int pd_explain_add_values(struct pd_document *d, const struct pd_comparison *c,
			  struct pd_error *err) PD_MUST_USE;

#endif
