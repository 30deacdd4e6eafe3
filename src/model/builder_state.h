/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder from the inside: shared by builder.c, which collects, and
 * finish.c, which makes profiles of it.
 */
#ifndef PD_MODEL_BUILDER_STATE_H
#define PD_MODEL_BUILDER_STATE_H

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "model/builder.h"
#include "model/metrics.h"

static const struct pd_weight pd_unknown_weight = {PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN,
						   PD_UNKNOWN};

struct builder_event {
	struct pd_event event; /* name: in the builder's strings */
	double slack;
	bool is_complete;
	struct pd_weight *weights; /* by function, up to n_weights */
	uint32_t n_weights;
};

/* The call tree of a run: calls.c. */
struct builder_tree {
	struct builder_node {
		uint32_t parent, func;
	} *nodes;
	struct builder_stack {
		uint32_t node, event;
		double self;
	} *stacks;
	uint32_t n_nodes, cap_nodes, n_stacks, cap_stacks;
	struct pd_map node_ids;  /* (1 + parent, function) */
	struct pd_map stack_ids; /* (node, event) */
};

/* A part of what a command costs. */
struct builder_comm {
	pd_str name; /* in the builder's strings */
	uint32_t event;
	double self, n_samples;
};

struct builder_run {
	pd_str section, kernel, cpu, command;
	double started_s, duration_ns;
	bool lists_samples;
	struct pd_recording *recording; /* or NULL */
	struct builder_event *events;
	struct builder_comm *comms;
	uint32_t n_events, n_comms, cap_comms;
	double *calls; /* by function, up to n_calls; or unknown */
	uint32_t n_calls;
	bool holds_deltas, is_kept_empty;
	struct builder_tree *tree; /* or NULL */
	struct pd_metrics metrics; /* names: in the builder's strings */
};

/* The function of a name that was asked for last. */
struct builder_named {
	uint32_t func_no; /* 1 + its id; 0: none */
	pd_str module;
};

struct pd_builder {
	const char *path, *format;
	const struct pd_limits *limits;
	struct pd_diags *diags;
	struct pd_strtab strings;
	struct pd_map func_ids;    /* (module, name) */
	struct builder_named *named; /* by name, up to n_named */
	uint32_t n_named;
	pd_str last_module;     /* of the function asked for last: mostly the next one's too */
	struct pd_func *funcs;  /* names: in the builder's strings */
	uint32_t n_funcs, cap_funcs;
	struct builder_run *runs;
	uint32_t n_runs, cap_runs;
	enum pd_code failed; /* the first failure */
};

/* Latch a failure. */
void pd_builder_fail(struct pd_builder *b, enum pd_code code);
/* calls.c: free the tree of a run, copy it into its profile; false if there is no memory. */
void pd_builder_tree_free(struct builder_tree *tree);
bool pd_builder_tree_copy(const struct pd_builder *b, const struct builder_run *r,
			  struct pd_profile *p);
/* comms.c: free those of a run; copy them into its profile, false if there is no memory. */
void pd_builder_comms_done(struct builder_run *r);
bool pd_builder_comms_copy(const struct builder_run *r, const struct pd_strtab *strings,
			   struct pd_profile *p);

#endif
