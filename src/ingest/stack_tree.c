/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs of a tree of stacks. Contract: stack_tree.h.
 *
 * What a node costs with all below it counts for its function where no node above it is
 * of that function. A walk through the tree knows that: how often each function is on
 * the way from the root. It goes down and up by links, so that depth costs nothing.
 */
#include "ingest/stack_tree.h"

#include <stdlib.h>
#include <string.h>

struct links {
	uint32_t first_child, next; /* or PD_STACK_ROOT */
};

struct walk {
	const struct pd_stack_tree *t;
	struct links *links; /* by node */
	double *totals;      /* by node: with all below */
	uint32_t first_root;
};

/* Children in order, and totals: parents come before their children. */
static void link_nodes(struct walk *w)
{
	const struct pd_stack_tree *t = w->t;

	w->first_root = PD_STACK_ROOT;
	for (uint32_t i = 0; i < t->n; i++)
		w->links[i].first_child = PD_STACK_ROOT;
	for (uint32_t i = t->n; i-- > 0;) {
		uint32_t parent = t->parents[i];
		uint32_t *head = parent < i ? &w->links[parent].first_child : &w->first_root;

		w->links[i].next = *head;
		*head = i;
		if (parent < i)
			w->totals[parent] += w->totals[i];
	}
}

static void tell(struct walk *w, struct pd_builder *b, uint32_t run, uint32_t event)
{
	const struct pd_stack_tree *t = w->t;
	uint32_t i = w->first_root;

	while (i != PD_STACK_ROOT) {
		uint32_t func = t->funcs[i];

		if (!t->n_above[func]++ && w->totals[i] != 0 && !pd_builder_is_leftover(b, func))
			pd_builder_add_inclusive(b, run, event, func, w->totals[i]);
		if (w->links[i].first_child != PD_STACK_ROOT) {
			i = w->links[i].first_child;
			continue;
		}
		for (;;) {
			t->n_above[t->funcs[i]]--;
			if (w->links[i].next != PD_STACK_ROOT) {
				i = w->links[i].next;
				break;
			}
			if (t->parents[i] >= i)
				return; /* the last root */
			i = t->parents[i];
		}
	}
}

void pd_stack_tree_done(struct pd_stack_tree *t)
{
	free(t->n_above);
}

/* Room for all functions, by more than there are, as trees may be many. */
static bool grow(struct pd_stack_tree *t)
{
	uint32_t n = t->n_funcs, *n_above;

	for (uint32_t i = 0; i < t->n; i++)
		n = t->funcs[i] >= n ? t->funcs[i] + 1 : n;
	if (n == t->n_funcs)
		return true;
	n += n / 2;
	n_above = realloc(t->n_above, n * sizeof(*n_above));
	if (!n_above)
		return false;
	memset(n_above + t->n_funcs, 0, (n - t->n_funcs) * sizeof(*n_above));
	t->n_above = n_above;
	t->n_funcs = n;
	return true;
}

bool pd_stack_tree_tell(struct pd_stack_tree *t, const double *selves, struct pd_builder *b,
			uint32_t run, uint32_t event)
{
	struct walk w = {.t = t};
	bool ok;

	w.links = malloc((t->n + (size_t)1) * sizeof(*w.links));
	w.totals = malloc((t->n + (size_t)1) * sizeof(*w.totals));
	ok = w.links && w.totals && grow(t);
	if (ok) {
		for (uint32_t i = 0; i < t->n; i++) {
			w.totals[i] = selves[i];
			if (selves[i] != 0)
				pd_builder_add_self(b, run, event, t->funcs[i], selves[i]);
		}
		link_nodes(&w);
		tell(&w, b, run, event);
	}
	free(w.links);
	free(w.totals);
	return ok;
}
