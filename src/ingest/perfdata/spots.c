/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spots. Contract: spots.h.
 */
#include "ingest/perfdata/spots.h"

#include <stdlib.h>

#include "base/block.h"

enum { FIRST_BITS = 12, FAR_BITS = 15, MAX_BITS = 21 };

static bool make_slots(struct pd_perf_spots *s, uint32_t bits)
{
	s->slots = pd_block_new(sizeof(*s->slots) << bits);
	if (!s->slots) {
		s->failed = true;
		return false;
	}
	s->n_slots = 1u << bits;
	s->shift = 64 - bits;
	s->is_far = bits >= FAR_BITS;
	return true;
}

bool pd_perf_spots_init(struct pd_perf_spots *s, struct pd_perf_contexts *contexts,
			struct pd_perf_machine *machine)
{
	*s = (struct pd_perf_spots){.contexts = contexts, .machine = machine};
	return make_slots(s, FIRST_BITS);
}

void pd_perf_spots_done(struct pd_perf_spots *s)
{
	pd_block_free(s->slots, s->n_slots * sizeof(*s->slots));
	pd_perf_entries_done(&s->entries);
	pd_map_done(&s->comm_ids);
	free(s->comm_counts);
	*s = (struct pd_perf_spots){0};
}

/* The slot of a spot, or the free one where it would be. */
static inline struct pd_perf_spot *find_slot(const struct pd_perf_spots *s, uint64_t hash,
					     uint64_t address, uint32_t context)
{
	uint32_t i = (uint32_t)(hash >> s->shift);
	struct pd_perf_spot *x = &s->slots[i];

	while (x->n && (x->address != address || x->context != context)) {
		i = (i + 1) & (s->n_slots - 1);
		x = &s->slots[i];
	}
	return x;
}

static void count_comm(struct pd_perf_spots *s, const struct pd_perf_context *context,
		       const struct pd_count *count)
{
	uint32_t i = pd_map_insert(&s->comm_ids, pd_map_key(context->comm, context->event),
				   s->n_comm_counts);

	if (i == PD_MAP_NONE) {
		s->failed = true;
		return;
	}
	if (i == s->cap_comm_counts) {
		uint32_t cap = i ? 2 * i : 64;
		struct pd_count *counts = realloc(s->comm_counts, cap * sizeof(*counts));

		if (!counts) {
			s->failed = true;
			return;
		}
		s->comm_counts = counts;
		s->cap_comm_counts = cap;
	}
	if (i == s->n_comm_counts)
		s->comm_counts[s->n_comm_counts++] = (struct pd_count){0};
	pd_count_add(&s->comm_counts[i], count);
}

void pd_perf_spots_fold_one(struct pd_perf_spots *s, const struct pd_perf_context *context,
			    struct pd_perf_target target, const struct pd_count *count)
{
	struct pd_perf_entry entry = {
		.address = target.address, .dso = target.dso, .event = context->event,
		.count = *count,
	};

	pd_perf_entries_add(&s->entries, &entry);
	if (count->n_samples)
		count_comm(s, context, count);
}

/* All spots become entries. */
static void fold(struct pd_perf_spots *s)
{
	pd_perf_entries_reserve(&s->entries, s->n);
	for (uint32_t i = 0; i < s->n_slots; i++) {
		const struct pd_perf_spot *x = &s->slots[i];
		const struct pd_perf_context *context;
		struct pd_count count = {x->n, x->sum, x->sum_sq};

		if (!x->n)
			continue;
		context = &s->contexts->items[x->context];
		pd_perf_spots_fold_one(s, context,
				       pd_perf_machine_find(s->machine, &context->view,
							    context->mode, x->address), &count);
	}
	memset(s->slots, 0, s->n_slots * sizeof(*s->slots));
	s->n = 0;
	pd_perf_entries_settle(&s->entries);
}

/* Twice the slots; more than MAX_BITS of them are rather made entries. */
static void make_room(struct pd_perf_spots *s)
{
	struct pd_perf_spot *old = s->slots;
	uint32_t n_old = s->n_slots, bits = 64 - s->shift;

	if (bits == MAX_BITS) {
		fold(s);
		return;
	}
	if (!make_slots(s, bits + 1)) {
		s->slots = old;
		fold(s);
		return;
	}
	for (uint32_t i = 0; i < n_old; i++) {
		uint64_t hash = pd_perf_spot_hash(old[i].address, old[i].context);

		if (old[i].n)
			*find_slot(s, hash, old[i].address, old[i].context) = old[i];
	}
	pd_block_free(old, n_old * sizeof(*old));
}

/*
 * A spot that has more samples than the one where it should be takes its place: the
 * run of slots that both are in stays whole.
 */
static void bring_home(struct pd_perf_spots *s, struct pd_perf_spot *spot, uint64_t hash)
{
	struct pd_perf_spot *home = &s->slots[hash >> s->shift], other = *home;

	if (other.n < spot->n) {
		*home = *spot;
		*spot = other;
	}
}

void pd_perf_spots_count(struct pd_perf_spots *s, const struct pd_perf_coming *x)
{
	struct pd_perf_spot *spot = find_slot(s, x->hash, x->address, x->context);
	double period = (double)x->period;

	if (!spot->n) {
		if (s->n >= s->n_slots / 2) {
			make_room(s);
			spot = find_slot(s, x->hash, x->address, x->context);
		}
		s->n++;
		spot->address = x->address;
		spot->context = x->context;
	}
	spot->n++;
	spot->sum += x->period;
	spot->sum_sq += period * period;
	if (spot->n == PD_PERF_SPOT_MAX)
		fold(s);
	else
		bring_home(s, spot, x->hash);
}

void pd_perf_spots_finish(struct pd_perf_spots *s)
{
	uint64_t n = s->n_coming < PD_PERF_N_COMING ? s->n_coming : PD_PERF_N_COMING;

	for (uint64_t i = s->n_coming - n; i != s->n_coming; i++)
		pd_perf_spots_count(s, &s->coming[i % PD_PERF_N_COMING]);
	fold(s);
	pd_block_free(s->slots, s->n_slots * sizeof(*s->slots));
	s->slots = NULL;
	s->n_slots = 0;
	s->n_coming = 0;
}
