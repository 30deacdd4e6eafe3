/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of sums that stand beside the rows of a comparison: functions with the
 * callers that they are inlined into on one side only.
 */
#ifndef PD_REPORT_BESIDE_H
#define PD_REPORT_BESIDE_H

#include "report/columns.h"
#include "report/report.h"

/* Those of an event; nothing if there are none. */
void pd_beside_add(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		   const struct pd_slots *slots, const struct pd_view_options *options);

#endif
