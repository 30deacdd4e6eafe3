/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks as a tree: a node is a function and who called it there. What each node
 * costs itself becomes what functions cost, themselves and with all that they call;
 * recursion counts once.
 */
#ifndef PD_INGEST_STACK_TREE_H
#define PD_INGEST_STACK_TREE_H

#include "model/builder.h"

#define PD_STACK_ROOT UINT32_MAX

/* Zero-initialise; the arrays are the caller's. Free with pd_stack_tree_done(). */
struct pd_stack_tree {
	const uint32_t *parents; /* a smaller number than the node's own, or PD_STACK_ROOT */
	const uint32_t *funcs;   /* of the builder */
	uint32_t n;
	uint32_t *n_above; /* by function: nodes on the way; 0 between calls */
	uint32_t n_funcs;  /* that it has room for */
};

void pd_stack_tree_done(struct pd_stack_tree *t);
/*
 * Tell the builder what nodes cost: selves[n], in an event of a run. Nodes that cost 0 and
 * call nothing that costs are not told. False if there is no memory.
 */
bool pd_stack_tree_tell(struct pd_stack_tree *t, const double *selves, struct pd_builder *b,
			uint32_t run, uint32_t event);

#endif
