/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the views, of which --report is made. They add blocks for people; where
 * values are added, they go into the document's root.
 */
#ifndef PD_REPORT_SECTIONS_H
#define PD_REPORT_SECTIONS_H

#include "report/report.h"

/* The tables of all events. Errors: USAGE (an unknown column), NOMEM. */
int pd_functions_add(struct pd_document *d, const struct pd_comparison *c,
		     const struct pd_view_options *options, struct pd_error *err) PD_MUST_USE;
/* The table for programs; columns as in the options. Errors: the same. */
int pd_functions_add_data(struct pd_document *d, const struct pd_comparison *c,
			  const char *columns, struct pd_error *err) PD_MUST_USE;

/* "add/remove: ...", as bloat-o-meter has it. */
void pd_sizes_add_headline(struct pd_document *d, const struct pd_sizes *sizes);
/* Options of two kernels that differ; nothing if one is NULL. */
void pd_sizes_add_config(struct pd_document *d, const char *base, const char *next);
/* Functions, or objects, that changed. Errors: USAGE (an unknown column to sort by), NOMEM. */
int pd_sizes_add_rows(struct pd_document *d, const struct pd_sizes *sizes, bool objects,
		      const struct pd_view_options *options, struct pd_error *err) PD_MUST_USE;
/* Sections, each with the terms that its difference is the sum of. */
void pd_sizes_add_accounts(struct pd_document *d, const struct pd_sizes *sizes);
/* Functions that are inlined elsewhere than before; nothing if DWARF does not tell. */
void pd_sizes_add_inlines(struct pd_document *d, const struct pd_sizes *sizes,
			  const struct pd_view_options *options);

/* Blocks, values and, if has_data, the table for programs of callers. Errors: NOMEM. */
int pd_callers_add(struct pd_document *d, const struct pd_callers *callers,
		   const struct pd_comparison *c, const struct pd_view_options *options,
		   bool has_data, struct pd_error *err) PD_MUST_USE;

/*
 * The set-up of the sides of a review: a line for each of what is its own, and one for
 * what is alike.
 */
void pd_setup_add(struct pd_document *d, const struct pd_review *review);

#endif
