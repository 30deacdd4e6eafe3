/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who calls whom, and in circles: R. Tarjan, "Depth-first search and linear graph
 * algorithms", 1972, with a stack of its own instead of the processor's.
 *
 *	main > a > b > c      a, b and c are a circle: what a costs with all that
 *	         ^     |      it calls is in the calls of a and again in those of c
 *	         +-----+
 */
#include <stdlib.h>

#include "ingest/callgrind.h"

void cg_calls_done(struct cg_calls *calls)
{
	free(calls->items);
	pd_map_done(&calls->known);
}

bool cg_calls_add(struct cg_calls *calls, uint32_t caller, uint32_t callee)
{
	uint32_t n_before = calls->known.n;

	if (caller == callee)
		return true;
	if (pd_map_insert(&calls->known, pd_map_key(caller, callee), 0) == PD_MAP_NONE)
		return false;
	if (calls->known.n == n_before)
		return true;
	if (calls->n == calls->cap) {
		uint32_t cap = calls->cap ? 2 * calls->cap : 256;
		struct cg_call *items = realloc(calls->items, (size_t)cap * sizeof(*items));

		if (!items)
			return false;
		calls->items = items;
		calls->cap = cap;
	}
	calls->items[calls->n++] = (struct cg_call){caller, callee};
	return true;
}

enum { NOT_SEEN = 0 };

struct walk {
	uint32_t *first;   /* [n + 1] where the callees of a function begin */
	uint32_t *callees; /* [n_calls] */
	uint32_t *next;    /* [n] its callee to look at next */
	uint32_t *order;   /* [n] when it was seen, from 1; NOT_SEEN */
	uint32_t *low;     /* [n] the earliest one that it reaches */
	uint32_t *path;    /* [n] functions that are being looked at */
	uint32_t *open;    /* [n] seen ones whose circle is not known yet */
	bool *is_open;     /* [n] */
	uint32_t n_path, n_open, n_seen;
	bool *in_cycle;
};

static void enter(struct walk *w, uint32_t f)
{
	w->order[f] = w->low[f] = ++w->n_seen;
	w->next[f] = w->first[f];
	w->path[w->n_path++] = f;
	w->open[w->n_open++] = f;
	w->is_open[f] = true;
}

/* All callees of the last function of the path were looked at. */
static void leave(struct walk *w)
{
	uint32_t f = w->path[--w->n_path], g;
	bool is_alone = w->open[w->n_open - 1] == f;

	if (w->n_path && w->low[f] < w->low[w->path[w->n_path - 1]])
		w->low[w->path[w->n_path - 1]] = w->low[f];
	if (w->low[f] != w->order[f])
		return;
	do {
		g = w->open[--w->n_open];
		w->is_open[g] = false;
		w->in_cycle[g] = !is_alone;
	} while (g != f);
}

static void walk_from(struct walk *w, uint32_t root)
{
	if (w->order[root] != NOT_SEEN)
		return;
	enter(w, root);
	while (w->n_path) {
		uint32_t f = w->path[w->n_path - 1], g;

		if (w->next[f] == w->first[f + 1]) {
			leave(w);
			continue;
		}
		g = w->callees[w->next[f]++];
		if (w->order[g] == NOT_SEEN)
			enter(w, g);
		else if (w->is_open[g] && w->order[g] < w->low[f])
			w->low[f] = w->order[g];
	}
}

/* The callees of each function side by side. */
static void sort_callees(const struct cg_calls *calls, uint32_t n, struct walk *w)
{
	for (uint32_t i = 0; i < calls->n; i++)
		w->first[calls->items[i].caller + 1]++;
	for (uint32_t i = 0; i < n; i++) {
		w->first[i + 1] += w->first[i];
		w->next[i] = w->first[i];
	}
	for (uint32_t i = 0; i < calls->n; i++)
		w->callees[w->next[calls->items[i].caller]++] = calls->items[i].callee;
}

bool *cg_calls_find_cycles(const struct cg_calls *calls, uint32_t n)
{
	size_t n_words = 6 * (size_t)n + 1 + calls->n;
	uint32_t *words = calloc(n_words, sizeof(*words));
	struct walk w = {
		.is_open = calloc((size_t)n + 1, sizeof(bool)),
		.in_cycle = calloc((size_t)n + 1, sizeof(bool)),
	};

	if (words && w.is_open && w.in_cycle) {
		w.next = words;
		w.order = w.next + n;
		w.low = w.order + n;
		w.path = w.low + n;
		w.open = w.path + n;
		w.first = w.open + n;
		w.callees = w.first + n + 1;
		sort_callees(calls, n, &w);
		for (uint32_t i = 0; i < n; i++)
			walk_from(&w, i);
	} else {
		free(w.in_cycle);
		w.in_cycle = NULL;
	}
	free(words);
	free(w.is_open);
	return w.in_cycle;
}
