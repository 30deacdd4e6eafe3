/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contexts. Contract: contexts.h.
 */
#include "ingest/perfdata/contexts.h"

#include <stdlib.h>

void pd_perf_contexts_done(struct pd_perf_contexts *c)
{
	free(c->items);
	pd_map_done(&c->spaces);
	pd_map_done(&c->kernels);
	pd_map_done(&c->views);
	pd_map_done(&c->kinds);
	pd_map_done(&c->all);
	*c = (struct pd_perf_contexts){0};
}

/* The number of a pair; there were *n before. */
static uint32_t pair(struct pd_perf_contexts *c, struct pd_map *map, uint32_t *n, uint32_t a,
		     uint32_t b)
{
	uint32_t i = pd_map_insert(map, pd_map_key(a, b), *n);

	if (i == PD_MAP_NONE) {
		c->failed = true;
		return 0;
	}
	*n += i == *n;
	return i;
}

uint32_t pd_perf_context_get(struct pd_perf_contexts *c, const struct pd_perf_context *x)
{
	uint32_t space = pair(c, &c->spaces, &c->n_spaces, x->view.space, x->view.n);
	uint32_t kernel = pair(c, &c->kernels, &c->n_kernels, x->view.n_kernel,
			       x->view.n_modules);
	uint32_t view = pair(c, &c->views, &c->n_views, space, kernel);
	uint32_t kind = pair(c, &c->kinds, &c->n_kinds, x->comm, x->event << 3 | x->mode);
	uint32_t n = c->n, i = pair(c, &c->all, &n, view, kind);

	if (c->failed || i < c->n)
		return i;
	if (c->n == c->cap) {
		uint32_t cap = c->cap ? 2 * c->cap : 64;
		struct pd_perf_context *items = realloc(c->items, cap * sizeof(*items));

		if (!items) {
			c->failed = true;
			return 0;
		}
		c->items = items;
		c->cap = cap;
	}
	c->items[c->n] = *x;
	return c->n++;
}
