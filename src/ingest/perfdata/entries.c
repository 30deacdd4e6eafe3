/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entries. Contract: entries.h.
 */
#include "ingest/perfdata/entries.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"

enum { SETTLE_MIN = 1 << 20 };

void pd_perf_entries_done(struct pd_perf_entries *e)
{
	pd_block_free(e->items, e->cap * sizeof(*e->items));
	*e = (struct pd_perf_entries){0};
}

static bool grow(struct pd_perf_entries *e, uint64_t cap)
{
	struct pd_perf_entry *items = NULL;

	if (cap < UINT32_MAX)
		items = pd_block_new((size_t)cap * sizeof(*items));
	if (!items) {
		e->failed = true;
		return false;
	}
	if (e->n)
		memcpy(items, e->items, e->n * sizeof(*items));
	pd_block_free(e->items, e->cap * sizeof(*items));
	e->items = items;
	e->cap = (uint32_t)cap;
	return true;
}

void pd_perf_entries_add(struct pd_perf_entries *e, const struct pd_perf_entry *x)
{
	if (e->n == e->cap && !grow(e, e->cap ? (uint64_t)e->cap + e->cap / 2 : 1024))
		return;
	e->items[e->n++] = *x;
}

void pd_perf_entries_reserve(struct pd_perf_entries *e, uint32_t n)
{
	if (n > e->cap - e->n)
		(void)grow(e, (uint64_t)e->n + n);
}

enum key { KEY_EVENT, KEY_ADDRESS, KEY_DSO };

/* Sorts items, which are in an order already, by a key of their entries. */
static void sort_by(const struct pd_perf_entries *e, struct pd_sort_item *items,
		    struct pd_sort_item *scratch, enum key key)
{
	for (uint32_t i = 0; i < e->n; i++) {
		const struct pd_perf_entry *x = &e->items[items[i].index];

		items[i].key = key == KEY_EVENT ? x->event : key == KEY_DSO ? x->dso : x->address;
	}
	pd_sort_items(items, scratch, e->n);
}

/* Addresses that were seen in a DSO. */
struct extent {
	uint64_t min, max;
	uint64_t base; /* of its keys: those of all DSOs lie one behind the other */
};

/* n extents in the order of the DSOs; false where their keys would be too large. */
static bool find_extents(const struct pd_perf_entries *e, struct extent *extents, uint32_t n,
			 uint64_t n_events)
{
	uint64_t base = 0;

	for (uint32_t i = 0; i < n; i++)
		extents[i].min = UINT64_MAX;
	for (uint32_t i = 0; i < e->n; i++) {
		struct extent *x = &extents[e->items[i].dso];

		if (e->items[i].address < x->min)
			x->min = e->items[i].address;
		if (e->items[i].address > x->max)
			x->max = e->items[i].address;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint64_t size;

		if (extents[i].min > extents[i].max)
			continue;
		size = extents[i].max - extents[i].min;
		if (size > UINT64_MAX / 4 / n_events - base)
			return false;
		extents[i].base = base;
		base += size + 1;
	}
	return true;
}

/* Keys that are in the order of (dso, address, event); false where there are none. */
static bool make_keys(const struct pd_perf_entries *e, struct pd_sort_item *items)
{
	uint32_t n_dsos = 0, n_events = 0;
	struct extent *extents;
	bool ok;

	for (uint32_t i = 0; i < e->n; i++) {
		n_dsos = e->items[i].dso >= n_dsos ? e->items[i].dso + 1 : n_dsos;
		n_events = e->items[i].event >= n_events ? e->items[i].event + 1 : n_events;
	}
	extents = calloc((size_t)n_dsos + 1, sizeof(*extents));
	ok = extents && n_events && find_extents(e, extents, n_dsos, n_events);
	for (uint32_t i = 0; i < e->n && ok; i++) {
		const struct pd_perf_entry *x = &e->items[i];
		const struct extent *y = &extents[x->dso];

		items[i].key = (y->base + (x->address - y->min)) * n_events + x->event;
	}
	free(extents);
	return ok;
}

struct pd_sort_item *pd_perf_entries_order(const struct pd_perf_entries *e)
{
	size_t n_bytes = pd_perf_order_bytes(e);
	struct pd_sort_item *items = pd_block_new(n_bytes), *scratch = pd_block_new(n_bytes);

	if (items && scratch) {
		for (uint32_t i = 0; i < e->n; i++)
			items[i].index = i;
		if (make_keys(e, items))
			pd_sort_items(items, scratch, e->n);
		else
			for (enum key key = KEY_EVENT; key <= KEY_DSO; key++)
				sort_by(e, items, scratch, key);
	} else {
		pd_block_free(items, n_bytes);
		items = NULL;
	}
	pd_block_free(scratch, n_bytes);
	return items;
}

static bool is_same(const struct pd_perf_entry *a, const struct pd_perf_entry *b)
{
	return a->dso == b->dso && a->address == b->address && a->event == b->event;
}

void pd_perf_entries_settle(struct pd_perf_entries *e)
{
	struct pd_sort_item *order;
	struct pd_perf_entry *sums;
	uint32_t n = 0;

	if (e->n < SETTLE_MIN || e->n / 2 < e->n_settled)
		return;
	order = pd_perf_entries_order(e);
	sums = pd_block_new((size_t)e->n * sizeof(*sums));
	e->failed |= !order || !sums;
	for (uint32_t i = 0; i < e->n && !e->failed; i++) {
		const struct pd_perf_entry *x = &e->items[order[i].index];

		if (n && is_same(&sums[n - 1], x))
			pd_count_add(&sums[n - 1].count, &x->count);
		else
			sums[n++] = *x;
	}
	pd_block_free(order, pd_perf_order_bytes(e));
	if (e->failed) {
		pd_block_free(sums, (size_t)e->n * sizeof(*sums));
		return;
	}
	pd_block_free(e->items, e->cap * sizeof(*e->items));
	e->items = sums;
	e->cap = e->n;
	e->n = e->n_settled = n;
}
