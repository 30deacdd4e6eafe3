/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spots: samples counted by (context, address), which takes no look at any mapping.
 * They become entries at the end, or when there are too many: memory does not grow
 * with the samples, nor with how often mappings changed.
 */
#ifndef PD_INGEST_PERFDATA_SPOTS_H
#define PD_INGEST_PERFDATA_SPOTS_H

#include "ingest/perfdata/contexts.h"
#include "ingest/perfdata/entries.h"

struct pd_perf_spot {
	uint64_t address;
	uint64_t sum;
	double sum_sq;
	uint32_t context;
	uint32_t n; /* 0: a free slot */
};

/* A sample on its way to its spot, so that what it takes from memory can come. */
struct pd_perf_coming {
	uint64_t address, hash, period;
	uint32_t context;
};

enum { PD_PERF_N_COMING = 32 };

#define PD_PERF_SPOT_MAX UINT32_MAX /* samples of a spot: it becomes an entry */

/* Free with pd_perf_spots_done(). */
struct pd_perf_spots {
	struct pd_perf_spot *slots; /* open addressing */
	uint32_t n, n_slots, shift; /* slots: by the upper 64 - shift bits of a hash */
	bool is_far; /* the slots are more than what a core keeps near */
	uint64_t n_coming; /* samples so far: the last ones are in coming */
	struct pd_perf_coming coming[PD_PERF_N_COMING];
	struct pd_perf_contexts *contexts; /* borrowed */
	struct pd_perf_machine *machine;   /* borrowed */
	struct pd_perf_entries entries;
	struct pd_map comm_ids;       /* (comm, event) to the index of its counts */
	struct pd_count *comm_counts;
	uint32_t n_comm_counts, cap_comm_counts;
	bool failed; /* latched: out of memory */
};

/* false: no memory. What is given must outlive it. */
bool pd_perf_spots_init(struct pd_perf_spots *s, struct pd_perf_contexts *contexts,
			struct pd_perf_machine *machine);
void pd_perf_spots_done(struct pd_perf_spots *s);
void pd_perf_spots_count(struct pd_perf_spots *s, const struct pd_perf_coming *x);
/* Count what was counted of a context at an address. */
void pd_perf_spots_fold_one(struct pd_perf_spots *s, const struct pd_perf_context *context,
			    struct pd_perf_target target, const struct pd_count *count);
/* All samples are counted: all spots become entries. */
void pd_perf_spots_finish(struct pd_perf_spots *s);

static inline uint64_t pd_perf_spot_hash(uint64_t address, uint32_t context)
{
	return (address ^ (uint64_t)context << 40 ^ context) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Count a sample in its spot. */
static inline void pd_perf_spot_count(struct pd_perf_spots *s, const struct pd_perf_coming *x)
{
	struct pd_perf_spot *spot = &s->slots[x->hash >> s->shift];
	double period = (double)x->period;

	/* A free one, and one that will be full, is not for here. */
	if (spot->address != x->address || spot->context != x->context ||
	    spot->n - 1 >= PD_PERF_SPOT_MAX - 2) {
		pd_perf_spots_count(s, x);
		return;
	}
	spot->n++;
	spot->sum += x->period;
	spot->sum_sq += period * period;
}

/* A sample of a context at an address. */
static inline void pd_perf_spots_add(struct pd_perf_spots *s, uint32_t context, uint64_t address,
				     uint64_t period)
{
	struct pd_perf_coming x = {
		address, pd_perf_spot_hash(address, context), period, context,
	};
	struct pd_perf_coming *next;

	/* A small table is near anyway. */
	if (!s->is_far) {
		pd_perf_spot_count(s, &x);
		return;
	}
	next = &s->coming[s->n_coming % PD_PERF_N_COMING];
	__builtin_prefetch(&s->slots[x.hash >> s->shift], 1);
	if (s->n_coming++ >= PD_PERF_N_COMING)
		pd_perf_spot_count(s, next);
	*next = x;
}

#endif
