/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames of call chains: each address of each view is looked up once.
 */
#ifndef PD_INGEST_PERFDATA_FRAMES_H
#define PD_INGEST_PERFDATA_FRAMES_H

#include "ingest/perfdata/chains.h"
#include "ingest/perfdata/spots.h"

struct pd_perf_frame {
	uint64_t address; /* as recorded */
	uint32_t root;    /* what decides what is there */
	uint32_t site;    /* once sites have numbers */
	struct pd_perf_target target;
};

/* Zero-initialise but for what is borrowed; free with pd_perf_frames_done(). */
struct pd_perf_frames {
	struct pd_perf_contexts *contexts; /* borrowed */
	struct pd_perf_machine *machine;   /* borrowed */
	bool is_swapped;
	struct pd_perf_frame *items;
	uint32_t n, cap;
	uint32_t *slots; /* open addressing: index + 1, or 0 */
	uint32_t n_slots;
	uint32_t *path; /* of the last chain: frames from the leaf to the root */
	uint32_t n_path, cap_path;
	bool failed; /* latched: out of memory */
};

void pd_perf_frames_done(struct pd_perf_frames *f);
/*
 * Set path to the frames of a chain. Its first one is the sample's own address; a
 * chain that cannot be is this alone.
 */
void pd_perf_frames_walk(struct pd_perf_frames *f, const struct pd_perf_chain *chain,
			 struct pd_span frames);

#endif
