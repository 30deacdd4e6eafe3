/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees, for those who ask for them: equal stacks are one path from the root, and
 * nodes stand in the order in which stacks brought them. Contract: builder.h.
 */
#include <stdlib.h>

#include "model/builder_state.h"

void pd_builder_tree_free(struct builder_tree *tree)
{
	if (!tree)
		return;
	free(tree->nodes);
	free(tree->stacks);
	pd_map_done(&tree->node_ids);
	pd_map_done(&tree->stack_ids);
	free(tree);
}

/* Room for one more element; false if there is no memory, or there are too many. */
static bool grow(void **array, uint32_t n, uint32_t *cap, size_t size)
{
	uint32_t wanted = *cap ? 2 * *cap : 64;
	void *bigger;

	if (n < *cap)
		return true;
	bigger = wanted > *cap ? reallocarray(*array, wanted, size) : NULL;
	if (!bigger)
		return false;
	*array = bigger;
	*cap = wanted;
	return true;
}

static struct builder_tree *tree_of(struct pd_builder *b, uint32_t run)
{
	if (run >= b->n_runs)
		return NULL;
	if (!b->runs[run].tree)
		b->runs[run].tree = calloc(1, sizeof(struct builder_tree));
	if (!b->runs[run].tree)
		pd_builder_fail(b, PD_ERR_NOMEM);
	return b->runs[run].tree;
}

uint32_t pd_builder_call(struct pd_builder *b, uint32_t run, uint32_t parent, uint32_t func)
{
	struct builder_tree *t = tree_of(b, run);
	void *nodes = t ? t->nodes : NULL;
	uint32_t i;
	bool has_room;

	if (!t || func >= b->n_funcs || (parent != PD_NO_CALL && parent >= t->n_nodes))
		return PD_NO_CALL;
	has_room = grow(&nodes, t->n_nodes, &t->cap_nodes, sizeof(*t->nodes));
	t->nodes = nodes;
	i = has_room ? pd_map_insert(&t->node_ids, pd_map_key(parent + 1, func), t->n_nodes)
		     : PD_MAP_NONE;
	if (i == PD_MAP_NONE) {
		pd_builder_fail(b, PD_ERR_NOMEM);
		return PD_NO_CALL;
	}
	if (i == t->n_nodes)
		t->nodes[t->n_nodes++] = (struct builder_node){parent, func};
	return i;
}

void pd_builder_add_stack(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t node,
			  double self)
{
	struct builder_tree *t = tree_of(b, run);
	void *stacks = t ? t->stacks : NULL;
	uint32_t i;
	bool has_room;

	if (!t || node >= t->n_nodes)
		return;
	has_room = grow(&stacks, t->n_stacks, &t->cap_stacks, sizeof(*t->stacks));
	t->stacks = stacks;
	i = has_room ? pd_map_insert(&t->stack_ids, pd_map_key(node, event), t->n_stacks)
		     : PD_MAP_NONE;
	if (i == PD_MAP_NONE) {
		pd_builder_fail(b, PD_ERR_NOMEM);
		return;
	}
	if (i == t->n_stacks)
		t->stacks[t->n_stacks++] = (struct builder_stack){.node = node, .event = event};
	t->stacks[i].self += self;
}

bool pd_builder_tree_copy(const struct pd_builder *b, const struct builder_run *r,
			  struct pd_profile *p)
{
	const struct builder_tree *t = r->tree;
	size_t n_selves;

	if (!t || !t->n_nodes || !p->n_events)
		return true;
	n_selves = (size_t)t->n_nodes * p->n_events;
	p->calls = pd_arena_array(&p->arena, t->n_nodes, sizeof(*p->calls));
	p->call_selves = pd_arena_array(&p->arena, n_selves, sizeof(*p->call_selves));
	if (!p->calls || !p->call_selves)
		return false;
	memset(p->call_selves, 0, n_selves * sizeof(*p->call_selves));
	for (uint32_t i = 0; i < t->n_nodes; i++) {
		const struct pd_func *func = &b->funcs[t->nodes[i].func];

		p->calls[i] = (struct pd_frame){
			.parent = t->nodes[i].parent,
			.name = pd_strtab_intern(&p->strings,
						 pd_strtab_span(&b->strings, func->name)),
			.module = pd_strtab_intern(&p->strings,
						   pd_strtab_span(&b->strings, func->module)),
		};
	}
	for (uint32_t i = 0; i < t->n_stacks; i++)
		if (t->stacks[i].event < p->n_events)
			p->call_selves[(size_t)t->stacks[i].node * p->n_events +
				       t->stacks[i].event] += t->stacks[i].self;
	p->n_calls = t->n_nodes;
	return true;
}
