/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether runs can be compared at all: what differs between the sides but for their
 * costs, and what was lost while they were recorded.
 */
#ifndef PD_REPORT_COMPARABLE_H
#define PD_REPORT_COMPARABLE_H

#include "profdiff/compare.h"
#include "profdiff/table.h"

/* A sentence for each such thing; nothing if all is alike. There is an event. */
void pd_comparable_add(struct pd_document *d, const struct pd_comparison *c);
/* Of these, what is of the course of the runs, not of how they were set up. */
void pd_comparable_add_course(struct pd_document *d, const struct pd_comparison *c);

#endif
