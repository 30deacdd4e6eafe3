/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the costs of an event are written for people: counts as they are; periods of
 * samples, which are billions of nanoseconds or cycles, in a unit of a few digits.
 * Programs get the numbers themselves.
 */
#ifndef PD_REPORT_FIGURES_H
#define PD_REPORT_FIGURES_H

#include "profdiff/compare.h"
#include "profdiff/table.h"

struct pd_figures {
	double divisor;   /* costs are divided by it */
	int decimals;
	const char *unit; /* "ticks", "ms", "Mcycles" */
};

/* Of an event of a comparison; the unit is the document's. */
struct pd_figures pd_event_figures(struct pd_document *d, const struct pd_comparison *c,
				   uint32_t event);
/*
 * Of weighted samples: name without modifiers and unit of the event, the largest
 * total, and the cost of a typical sample, both in the event's unit.
 */
struct pd_figures pd_weighted_figures(struct pd_document *d, struct pd_span name,
				      enum pd_unit unit, double largest, double tick);
/* Costs of weighted samples below it are printed as 0; 0 for others. In the event's unit. */
double pd_event_tiny(struct pd_document *d, const struct pd_comparison *c, uint32_t event);
/* A cost with its sign, without the unit. */
const char *pd_figures_signed(struct pd_document *d, const struct pd_figures *f, double x);

#endif
