/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which rows of a comparison people see, and in which order.
 */
#ifndef PD_REPORT_ORDER_H
#define PD_REPORT_ORDER_H

#include "report/report.h"

/* One row to print; members of a group follow their group. */
struct pd_order_item {
	uint32_t row;
	bool is_hidden;
	bool is_after_break; /* rows between the last shown one and this were left out */
};

struct pd_order {
	struct pd_order_item *items; /* [n], of the document's arena */
	uint32_t n;
	uint32_t n_empty;  /* hidden: no cost on any side; members apart */
	uint32_t n_small;  /* hidden by min_ticks */
	uint32_t n_few;    /* hidden: so few samples that nothing can be said */
	uint32_t n_tiny;   /* hidden: they would be printed as 0, and have no verdict */
	uint32_t n_middle; /* hidden by n_top */
};

/* The rows of one event. Errors: USAGE (an unknown column to sort by), NOMEM. */
int pd_order_make(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		  const struct pd_view_options *options, struct pd_order *ret_order,
		  struct pd_error *err) PD_MUST_USE;

#endif
