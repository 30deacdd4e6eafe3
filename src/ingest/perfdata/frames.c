/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames. Contract: frames.h. A chain is addresses and marks between them that say
 * where the next ones are (enum perf_callchain_context of linux/perf_event.h).
 */
#include "ingest/perfdata/frames.h"

#include <stdlib.h>

#include "ingest/perfdata/bytes.h"
#include "ingest/perfdata/record.h"

#define FIRST_MARK (UINT64_MAX - 4094)

enum mark {
	MARK_HYPERVISOR = -32,
	MARK_KERNEL = -128,
	MARK_USER = -512,
};

void pd_perf_frames_done(struct pd_perf_frames *f)
{
	free(f->items);
	free(f->slots);
	free(f->path);
	*f = (struct pd_perf_frames){0};
}

static uint64_t hash_of(uint32_t root, uint64_t address)
{
	uint64_t h = (address ^ (uint64_t)root << 40 ^ root) * UINT64_C(0x9e3779b97f4a7c15);

	return h ^ h >> 32;
}

static bool make_room(struct pd_perf_frames *f)
{
	uint32_t n_slots = f->n_slots ? 2 * f->n_slots : 1024, *slots;

	if (f->n == f->cap) {
		uint32_t cap = f->cap ? 2 * f->cap : 512;
		struct pd_perf_frame *items = realloc(f->items, cap * sizeof(*items));

		if (!items)
			return false;
		f->items = items;
		f->cap = cap;
	}
	if (f->n < f->n_slots / 2)
		return true;
	slots = n_slots ? calloc(n_slots, sizeof(*slots)) : NULL;
	if (!slots)
		return false;
	for (uint32_t i = 0; i < f->n; i++) {
		uint32_t k = (uint32_t)hash_of(f->items[i].root, f->items[i].address) &
			     (n_slots - 1);

		while (slots[k])
			k = (k + 1) & (n_slots - 1);
		slots[k] = i + 1;
	}
	free(f->slots);
	f->slots = slots;
	f->n_slots = n_slots;
	return true;
}

/* What decides what an address of a mode is. */
static uint32_t root_of(const struct pd_perf_frames *f, const struct pd_perf_view *view,
			unsigned mode)
{
	if (mode == PD_PERF_MODE_USER)
		return pd_map_find(&f->contexts->spaces, pd_map_key(view->space, view->n)) << 2;
	if (mode == PD_PERF_MODE_KERNEL)
		return pd_map_find(&f->contexts->kernels,
				   pd_map_key(view->n_kernel, view->n_modules)) << 2 | 1;
	return 2;
}

/* Append the frame of an address to the path. */
static void add(struct pd_perf_frames *f, const struct pd_perf_view *view, unsigned mode,
		uint32_t root, uint64_t address)
{
	uint32_t i;

	if (!make_room(f)) {
		f->failed = true;
		return;
	}
	i = (uint32_t)hash_of(root, address) & (f->n_slots - 1);
	for (; f->slots[i]; i = (i + 1) & (f->n_slots - 1)) {
		const struct pd_perf_frame *x = &f->items[f->slots[i] - 1];

		if (x->address == address && x->root == root)
			break;
	}
	if (!f->slots[i]) {
		f->items[f->n] = (struct pd_perf_frame){
			.address = address, .root = root,
			.target = pd_perf_machine_find(f->machine, view, mode, address),
		};
		f->slots[i] = ++f->n;
	}
	f->path[f->n_path++] = f->slots[i] - 1;
}

static bool reserve_path(struct pd_perf_frames *f, uint32_t n)
{
	uint32_t *path;

	if (n <= f->cap_path)
		return true;
	path = realloc(f->path, n * sizeof(*path));
	if (!path)
		return false;
	f->path = path;
	f->cap_path = n;
	return true;
}

void pd_perf_frames_walk(struct pd_perf_frames *f, const struct pd_perf_chain *chain,
			 struct pd_span frames)
{
	const struct pd_perf_context *context = &f->contexts->items[chain->context];
	const struct pd_perf_view *view = &context->view;
	uint32_t roots[PD_PERF_MODE_MASK + 1];
	unsigned mode = PD_PERF_MODE_USER;
	bool is_first = true;

	f->n_path = 0;
	if (!reserve_path(f, (uint32_t)(frames.len / 8) + 2)) {
		f->failed = true;
		return;
	}
	for (unsigned i = 0; i <= PD_PERF_MODE_MASK; i++)
		roots[i] = root_of(f, view, i);
	add(f, view, context->mode, roots[context->mode], chain->address);
	for (size_t i = 0; i + 8 <= frames.len; i += 8) {
		uint64_t x = pd_perf_u64(frames.ptr + i, f->is_swapped);

		if (x < FIRST_MARK) {
			/* Most chains begin with the address of the sample. */
			if (!is_first || x != chain->address)
				add(f, view, mode, roots[mode], x);
			is_first = false;
		} else if ((int64_t)x == MARK_KERNEL) {
			mode = PD_PERF_MODE_KERNEL;
		} else if ((int64_t)x == MARK_USER) {
			mode = PD_PERF_MODE_USER;
		} else if ((int64_t)x == MARK_HYPERVISOR) {
			mode = PD_PERF_MODE_HYPERVISOR;
		} else { /* of guests, or broken: perf drops such a chain, too */
			f->n_path = f->n_path ? 1 : 0;
			return;
		}
	}
}
