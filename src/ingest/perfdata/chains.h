/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains: samples counted by (context, address, chain), each chain kept once
 * and as it was recorded.
 */
#ifndef PD_INGEST_PERFDATA_CHAINS_H
#define PD_INGEST_PERFDATA_CHAINS_H

#include <stdbool.h>

#include "base/text.h"
#include "profdiff/recording.h"

struct pd_perf_chain {
	uint64_t hash, address;
	size_t frames; /* where they are in the bytes of all */
	uint32_t context;
	uint32_t n_bytes;
	struct pd_count count;
};

/* Zero-initialise; free with pd_perf_chains_done(). */
struct pd_perf_chains {
	struct pd_perf_chain *items; /* in the order in which they came */
	uint32_t n, cap;
	uint32_t *slots; /* open addressing: index + 1, or 0 */
	uint32_t n_slots;
	struct pd_buf frames; /* u64 each, in the byte order of the recorder */
	bool failed;          /* latched: out of memory */
};

void pd_perf_chains_done(struct pd_perf_chains *c);
/* A sample; frames: as recorded, from the leaf to the root. */
void pd_perf_chains_add(struct pd_perf_chains *c, uint32_t context, uint64_t address,
			struct pd_span frames, uint64_t period);

#endif
