/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains. Contract: chains.h.
 */
#include "ingest/perfdata/chains.h"

#include <stdlib.h>

#include "base/words.h"

void pd_perf_chains_done(struct pd_perf_chains *c)
{
	free(c->items);
	free(c->slots);
	pd_buf_done(&c->frames);
	*c = (struct pd_perf_chains){0};
}

/* Two sums side by side: a multiplication waits for the one before. */
static uint64_t hash_of(uint32_t context, uint64_t address, struct pd_span frames)
{
	const uint64_t k = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t a = (address ^ context) * k, b = frames.len;
	size_t i = 0;

	for (; i + 16 <= frames.len; i += 16) {
		a = (a ^ pd_load64(frames.ptr + i)) * k;
		b = (b ^ pd_load64(frames.ptr + i + 8)) * k;
		a ^= a >> 29;
		b ^= b >> 31;
	}
	if (i < frames.len)
		b = (b ^ pd_load64(frames.ptr + i)) * k;
	a ^= b >> 32 ^ b << 7;
	a *= k;
	return a ^ a >> 32;
}

static uint32_t *find_slot(const struct pd_perf_chains *c, uint64_t hash, uint32_t context,
			   uint64_t address, struct pd_span frames)
{
	uint32_t i = (uint32_t)hash & (c->n_slots - 1);

	for (; c->slots[i]; i = (i + 1) & (c->n_slots - 1)) {
		const struct pd_perf_chain *x = &c->items[c->slots[i] - 1];

		if (x->hash == hash && x->context == context && x->address == address &&
		    x->n_bytes == frames.len &&
		    (!frames.len || !memcmp(c->frames.ptr + x->frames, frames.ptr, frames.len)))
			break;
	}
	return &c->slots[i];
}

/* Room for one more; slots are at most half full. */
static bool make_room(struct pd_perf_chains *c)
{
	uint32_t n_slots = c->n_slots ? 2 * c->n_slots : 1024, *slots;

	if (c->n == c->cap) {
		uint32_t cap = c->cap ? 2 * c->cap : 512;
		struct pd_perf_chain *items = realloc(c->items, cap * sizeof(*items));

		if (!items)
			return false;
		c->items = items;
		c->cap = cap;
	}
	if (c->n < c->n_slots / 2)
		return true;
	slots = n_slots ? calloc(n_slots, sizeof(*slots)) : NULL;
	if (!slots)
		return false;
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t k = (uint32_t)c->items[i].hash & (n_slots - 1);

		while (slots[k])
			k = (k + 1) & (n_slots - 1);
		slots[k] = i + 1;
	}
	free(c->slots);
	c->slots = slots;
	c->n_slots = n_slots;
	return true;
}

void pd_perf_chains_add(struct pd_perf_chains *c, uint32_t context, uint64_t address,
			struct pd_span frames, uint64_t period)
{
	uint64_t hash = hash_of(context, address, frames);
	struct pd_perf_chain *x;
	uint32_t *slot;

	if (!make_room(c)) {
		c->failed = true;
		return;
	}
	slot = find_slot(c, hash, context, address, frames);
	if (!*slot) {
		c->items[c->n] = (struct pd_perf_chain){
			.hash = hash, .address = address, .frames = c->frames.len,
			.context = context, .n_bytes = (uint32_t)frames.len,
		};
		pd_buf_add(&c->frames, frames.ptr, frames.len);
		c->failed |= c->frames.failed;
		*slot = ++c->n;
	}
	x = &c->items[*slot - 1];
	x->count.n_samples++;
	x->count.sum += period;
	x->count.sum_sq += (double)period * (double)period;
}
