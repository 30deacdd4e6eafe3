/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was counted becomes the recording of a profile.
 */
#ifndef PD_INGEST_PERFDATA_ASSEMBLE_H
#define PD_INGEST_PERFDATA_ASSEMBLE_H

#include "base/limits.h"
#include "ingest/perfdata/counter.h"

/* Which events of the file had samples: those of the profile. */
struct pd_perf_kept {
	uint32_t *of_file; /* [event of the profile] */
	struct pd_count *totals; /* [event of the profile] of all samples */
	uint32_t n;
};

/*
 * Fill r, whose strings are those of the machine, from all samples of c, which are
 * used up. Free *ret_kept with pd_perf_kept_done(). Errors: NOMEM, LIMIT.
 */
int pd_perf_assemble(struct pd_recording *r, struct pd_perf_counter *c, bool is_swapped,
		     const struct pd_limits *limits, struct pd_perf_kept *ret_kept,
		     struct pd_error *err) PD_MUST_USE;
void pd_perf_kept_done(struct pd_perf_kept *k);

#endif
