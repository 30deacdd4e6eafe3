/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contexts: all that decides what an address of a sample is and whose it is, as one
 * number. Equal contexts are one, however many samples have them.
 */
#ifndef PD_INGEST_PERFDATA_CONTEXTS_H
#define PD_INGEST_PERFDATA_CONTEXTS_H

#include "ingest/perfdata/machine.h"

struct pd_perf_context {
	uint32_t event, comm;
	uint32_t mode; /* enum pd_perf_mode of the sample */
	struct pd_perf_view view;
};

/* Zero-initialise; free with pd_perf_contexts_done(). */
struct pd_perf_contexts {
	struct pd_perf_context *items;
	uint32_t n, cap;
	struct pd_map spaces, kernels, views, kinds, all; /* pairs of numbers to a number each */
	uint32_t n_spaces, n_kernels, n_views, n_kinds;
	bool failed; /* latched: out of memory */
};

void pd_perf_contexts_done(struct pd_perf_contexts *c);
/* The number of a context. */
uint32_t pd_perf_context_get(struct pd_perf_contexts *c, const struct pd_perf_context *x);

#endif
