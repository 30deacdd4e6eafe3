/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences above the tables of a comparison: what moved and how sure that
 * is, and what speaks against trusting it (STATS 4.9).
 */
#ifndef PD_REPORT_HEADLINE_H
#define PD_REPORT_HEADLINE_H

#include "profdiff/compare.h"
#include "profdiff/table.h"

/* One sentence a next side, over all events. */
void pd_headline_add(struct pd_document *d, const struct pd_comparison *c);
/* Warnings; nothing if all is well. */
void pd_headline_add_warnings(struct pd_document *d, const struct pd_comparison *c);
/* A number with its sign: "+12", "-5", "0"; lives as long as the document. */
const char *pd_signed_text(struct pd_document *d, double x, int decimals);

/* A warning where the runs of two sides were not made in turns. */
void pd_headline_warn_order(struct pd_document *d, const struct pd_comparison *c);

#endif
