/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tree of a document: the stacks of all runs of a side, summed by their names; of
 * an input without stacks, its functions below their modules. What is in no stack,
 * such as "[filtered]", stands at the top, so that the tree adds up to the total.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "report/report.h"

struct builder {
	struct pd_strtab strings;
	struct pd_map frame_ids; /* (name, module) */
	struct pd_map node_ids;  /* (1 + parent, frame) */
	struct node {
		uint32_t parent, frame;
		pd_str name, module;
	} *nodes;
	double *values; /* [node * n_sides + side] */
	uint32_t n_frames, n_nodes, cap_nodes, n_sides;
	bool failed;
};

static void builder_done(struct builder *b)
{
	pd_strtab_done(&b->strings);
	pd_map_done(&b->frame_ids);
	pd_map_done(&b->node_ids);
	free(b->nodes);
	free(b->values);
}

static bool grow(struct builder *b)
{
	uint32_t cap = b->cap_nodes ? 2 * b->cap_nodes : 256;
	struct node *nodes;
	double *values;

	if (b->n_nodes < b->cap_nodes)
		return true;
	nodes = cap > b->cap_nodes ? reallocarray(b->nodes, cap, sizeof(*nodes)) : NULL;
	b->nodes = nodes ? nodes : b->nodes;
	values = nodes ? reallocarray(b->values, cap, b->n_sides * sizeof(*values)) : NULL;
	b->values = values ? values : b->values;
	if (!values)
		return false;
	b->cap_nodes = cap;
	return true;
}

/* The node of that name below parent, made if it is new; PD_NO_NODE after a failure. */
static uint32_t find_node(struct builder *b, uint32_t parent, struct pd_span name,
			  struct pd_span module)
{
	struct node n = {.parent = parent,
			 .name = pd_strtab_intern(&b->strings, name),
			 .module = pd_strtab_intern(&b->strings, module)};
	uint32_t i = PD_MAP_NONE;

	n.frame = pd_map_insert(&b->frame_ids, pd_map_key(n.name.id, n.module.id), b->n_frames);
	b->n_frames += n.frame == b->n_frames;
	if (!b->failed && !b->strings.failed && n.frame != PD_MAP_NONE && grow(b))
		i = pd_map_insert(&b->node_ids, pd_map_key(parent + 1, n.frame), b->n_nodes);
	if (i == PD_MAP_NONE) {
		b->failed = true;
		return PD_NO_NODE;
	}
	if (i == b->n_nodes) {
		for (uint32_t side = 0; side < b->n_sides; side++)
			b->values[(size_t)i * b->n_sides + side] = 0;
		b->nodes[b->n_nodes++] = n;
	}
	return i;
}

static void add_value(struct builder *b, uint32_t node, uint32_t side, double x)
{
	if (node != PD_NO_NODE && pd_is_known(x))
		b->values[(size_t)node * b->n_sides + side] += x;
}

/* The event of that name, else the first. */
static uint32_t find_event(const struct pd_profile *p, struct pd_span name)
{
	for (uint32_t i = 0; i < p->n_events; i++) {
		struct pd_span own = pd_strtab_span(&p->strings, p->events[i].name);

		if (own.len == name.len && !memcmp(own.ptr, name.ptr, name.len))
			return i;
	}
	return 0;
}

static bool has_stacks(const struct pd_profile *p, uint32_t event)
{
	for (uint32_t i = 0; i < p->n_calls; i++)
		if (p->call_selves[(size_t)i * p->n_events + event] > 0)
			return true;
	return false;
}

static void add_stacks(struct builder *b, const struct pd_profile *p, uint32_t event,
		       uint32_t side)
{
	uint32_t *node_of = malloc((size_t)p->n_calls * sizeof(*node_of));

	if (!node_of) {
		b->failed = true;
		return;
	}
	for (uint32_t i = 0; i < p->n_calls; i++) {
		const struct pd_frame *call = &p->calls[i];

		node_of[i] = find_node(b,
				       call->parent == PD_NO_CALL ? PD_NO_NODE
								  : node_of[call->parent],
				       pd_strtab_span(&p->strings, call->name),
				       pd_strtab_span(&p->strings, call->module));
		add_value(b, node_of[i], side, p->call_selves[(size_t)i * p->n_events + event]);
	}
	free(node_of);
}

/* Whether a leftover is of no stack: "[filtered]", "[guest]", "[unlisted]". */
static bool is_apart(const struct pd_profile *p, const struct pd_func *func)
{
	return (func->flags & PD_FUNC_LEFTOVER) && !func->module.id &&
	       !pd_span_eq(pd_strtab_span(&p->strings, func->name), "[unknown]");
}

static void add_run(struct builder *b, const struct pd_profile *p, struct pd_span event_name,
		    uint32_t side)
{
	const struct pd_span none = {"", 0};
	uint32_t event = find_event(p, event_name);
	bool has_tree;

	if (!p->n_events)
		return;
	has_tree = has_stacks(p, event);
	if (has_tree)
		add_stacks(b, p, event, side);
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		const struct pd_func *func = &p->funcs[i];
		struct pd_span module = pd_strtab_span(&p->strings, func->module);
		uint32_t node = PD_NO_NODE;

		if (has_tree && !is_apart(p, func))
			continue;
		if (module.len)
			node = find_node(b, node, module, none);
		node = find_node(b, node, pd_strtab_span(&p->strings, func->name), none);
		add_value(b, node, side, pd_profile_weight(p, i, event)->self);
	}
}

/* ---- in order ---- */

static int compare_nodes(const void *a, const void *c, void *context)
{
	const struct builder *b = context;
	const struct node *x = &b->nodes[*(const uint32_t *)a];
	const struct node *y = &b->nodes[*(const uint32_t *)c];
	int d;

	if (x->parent != y->parent)
		return x->parent + 1 < y->parent + 1 ? -1 : 1;
	d = strcmp(pd_strtab_get(&b->strings, x->name), pd_strtab_get(&b->strings, y->name));
	return d ? d : strcmp(pd_strtab_get(&b->strings, x->module),
			      pd_strtab_get(&b->strings, y->module));
}

static void copy_node(struct pd_document *d, const struct builder *b, uint32_t from,
		      uint32_t parent, struct pd_tree *t)
{
	const struct node *n = &b->nodes[from];

	t->nodes[t->n_nodes] = (struct pd_tree_node){
		.parent = parent,
		.name = pd_document_text(d, pd_strtab_get(&b->strings, n->name)),
		.module = n->module.id
				  ? pd_document_text(d, pd_strtab_get(&b->strings, n->module))
				  : NULL,
	};
	memcpy(&t->values[(size_t)t->n_nodes * b->n_sides], &b->values[(size_t)from * b->n_sides],
	       b->n_sides * sizeof(*t->values));
	t->n_nodes++;
}

/*
 * Nodes by (parent, name): callees of one node are neighbours. Then depth first,
 * without recursion: a stack of places within such neighbours.
 */
static bool copy_tree(struct pd_document *d, struct builder *b, struct pd_tree *t)
{
	size_t n = b->n_nodes;
	uint32_t *sorted = malloc((n + 1) * sizeof(*sorted));
	uint32_t *first = calloc(n + 1, sizeof(*first)); /* [1 + node] place of its callees */
	struct place {
		uint32_t at, parent;
	} *stack = malloc((n + 1) * sizeof(*stack));
	size_t depth = 0;
	bool ok = sorted && first && stack;

	for (uint32_t i = 0; i < n && ok; i++)
		sorted[i] = i;
	if (ok)
		qsort_r(sorted, n, sizeof(*sorted), compare_nodes, b);
	for (size_t i = n; ok && i-- > 0;)
		first[b->nodes[sorted[i]].parent + 1] = (uint32_t)i + 1;
	if (ok && n)
		stack[depth++] = (struct place){0, PD_NO_NODE};
	while (depth) {
		struct place *p = &stack[depth - 1];
		uint32_t node = sorted[p->at], made = t->n_nodes;
		uint32_t callees = first[node + 1];

		copy_node(d, b, node, p->parent, t);
		if (p->at + (size_t)1 < n &&
		    b->nodes[sorted[p->at + 1]].parent == b->nodes[node].parent)
			p->at++;
		else
			depth--;
		if (callees)
			stack[depth++] = (struct place){callees - 1, made};
	}
	free(sorted);
	free(first);
	free(stack);
	return ok;
}

int pd_report_add_tree(struct pd_document *d, const struct pd_side_input *sides, uint32_t n_sides,
		       struct pd_error *err)
{
	const struct pd_profile *of = n_sides && sides[0].n_runs ? sides[0].runs[0] : NULL;
	struct builder b = {.n_sides = n_sides};
	struct pd_tree *t;
	bool ok;

	if (!of || !of->n_events)
		return pd_fail(err, PD_ERR_USAGE, "there are no costs of functions to write");
	for (uint32_t s = 0; s < n_sides; s++)
		for (uint32_t i = 0; i < sides[s].n_runs; i++) {
			if (sides[s].runs[i]->holds_deltas) {
				builder_done(&b);
				return pd_fail(err, PD_ERR_USAGE, "%s holds differences: there are "
					       "no costs to write", sides[s].runs[i]->path);
			}
			add_run(&b, sides[s].runs[i],
				pd_strtab_span(&of->strings, of->events[0].name), s);
		}
	t = pd_arena_alloc(&d->arena, sizeof(*t));
	if (t)
		*t = (struct pd_tree){
			.event = pd_document_text(d, pd_strtab_get(&of->strings,
								   of->events[0].name)),
			.unit = pd_unit_name(of->events[0].unit),
			.nodes = pd_arena_array(&d->arena, b.n_nodes, sizeof(*t->nodes)),
			.values = pd_arena_array(&d->arena, (size_t)b.n_nodes * n_sides,
						 sizeof(*t->values)),
			.n_sides = n_sides,
		};
	ok = t && t->nodes && t->values && !b.failed && copy_tree(d, &b, t) && !d->failed;
	builder_done(&b);
	if (!ok)
		return pd_fail_nomem(err);
	d->tree = t;
	return PD_OK;
}
