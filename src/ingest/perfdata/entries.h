/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was counted, by (DSO, address, event): a list that grows at its end, in
 * which equal ones are summed up now and then.
 */
#ifndef PD_INGEST_PERFDATA_ENTRIES_H
#define PD_INGEST_PERFDATA_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/sort.h"
#include "profdiff/recording.h"

struct pd_perf_entry {
	uint64_t address;
	uint32_t dso, event;
	struct pd_count count;
};

/* Zero-initialise; free with pd_perf_entries_done(). */
struct pd_perf_entries {
	struct pd_perf_entry *items;
	uint32_t n, cap;
	uint32_t n_settled; /* when equal ones were summed up last */
	bool failed;       /* latched: out of memory, or too many */
};

void pd_perf_entries_done(struct pd_perf_entries *e);
void pd_perf_entries_add(struct pd_perf_entries *e, const struct pd_perf_entry *x);
/* n more will be added soon. */
void pd_perf_entries_reserve(struct pd_perf_entries *e, uint32_t n);
/*
 * The order by (dso, address, event): indices of items, as a block (base/block.h) of
 * pd_perf_order_bytes(). NULL if there is no memory.
 */
struct pd_sort_item *pd_perf_entries_order(const struct pd_perf_entries *e);
static inline size_t pd_perf_order_bytes(const struct pd_perf_entries *e)
{
	return ((size_t)e->n + 1) * sizeof(struct pd_sort_item);
}

/* Sum up equal ones, if that is worth while. */
void pd_perf_entries_settle(struct pd_perf_entries *e);

static inline void pd_count_add(struct pd_count *c, const struct pd_count *x)
{
	c->n_samples += x->n_samples;
	c->sum += x->sum;
	c->sum_sq += x->sum_sq;
}

#endif
