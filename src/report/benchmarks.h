/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmark results in the view of a comparison.
 */
#ifndef PD_REPORT_BENCHMARKS_H
#define PD_REPORT_BENCHMARKS_H

#include "profdiff/compare.h"
#include "report/columns.h"

/*
 * The table of results, below title or NULL, and their geometric mean, for people;
 * nothing if there are none.
 */
void pd_benchmarks_add(struct pd_document *d, const struct pd_comparison *c, const char *title);
/* The same as rows of the table for programs, of which slots are the columns from the third on. */
void pd_benchmarks_add_data(struct pd_document *d, const struct pd_comparison *c,
			    const struct pd_slots *slots, struct pd_table *t);

#endif
