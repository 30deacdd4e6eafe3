/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences below the tables of a comparison: what was not shown, that the
 * numbers add up, what was paired, and what cannot be known.
 */
#ifndef PD_REPORT_FOOTER_H
#define PD_REPORT_FOOTER_H

#include "report/order.h"

/* Of one event: rows that are not shown, and the conservation of its total. */
void pd_footer_add_event(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
			 const struct pd_order *order, const struct pd_view_options *options);
/* Of the whole comparison. */
void pd_footer_add_receipt(struct pd_document *d, const struct pd_comparison *c);

#endif
