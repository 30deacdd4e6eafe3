/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From rows to the weights of a profile. Contract: symbolize_state.h. Counts are summed
 * as whole numbers, so that rows and leftovers add up to the total exactly.
 *
 * Inclusive costs: a call tree is walked from callers to callees. A row that is on the
 * path already is not counted again below, so that recursion counts once.
 */
#include <stdlib.h>

#include "analysis/symbolize_state.h"

static void add_count(struct pd_count *to, const struct pd_count *from)
{
	to->n_samples += from->n_samples;
	to->sum += from->sum;
	to->sum_sq += from->sum_sq;
}

static void add_counts(struct pd_symbolizer *s, uint32_t row, const struct pd_count *from)
{
	const uint32_t n_events = s->profile->n_events;

	for (uint32_t e = 0; e < n_events; e++)
		add_count(&s->counts[(size_t)row * n_events + e], &from[e]);
}

/* A leftover of no module, with the counts of each event; where all are 0 there is none. */
static void add_leftover(struct pd_symbolizer *s, const char *name, const struct pd_count *counts)
{
	uint64_t n = 0;

	for (uint32_t e = 0; e < s->profile->n_events && counts; e++)
		n += counts[e].n_samples;
	if (n)
		add_counts(s, pd_symbolizer_row(s, pd_strtab_intern_str(&s->profile->strings, name),
						(pd_str){0}, PD_FUNC_LEFTOVER), counts);
}

static void sum_comms(struct pd_symbolizer *s)
{
	const struct pd_recording *r = s->recording;

	for (uint32_t i = 0; i < r->n_comms && s->failed == PD_OK; i++) {
		struct pd_span name = pd_strtab_span(&r->strings, r->comms[i]);

		add_counts(s, pd_symbolizer_row(s, pd_strtab_intern(&s->profile->strings, name),
						(pd_str){0}, 0),
			   &r->comm_counts[(size_t)i * s->profile->n_events]);
	}
}

/* ---- the call tree ---- */

struct tree {
	uint32_t *first, *next; /* [n_stacks] callees of a node, as a list */
	uint64_t *cost;         /* [node * n_events + event] of it and of all below */
	uint32_t *n_on_path;    /* [n_rows] how often a row is on the path to the node at hand */
};

static bool make_tree(struct pd_symbolizer *s, struct tree *t)
{
	const struct pd_recording *r = s->recording;
	const uint32_t n_events = s->profile->n_events;
	size_t n = r->n_stacks;

	t->first = malloc(n * sizeof(*t->first));
	t->next = malloc(n * sizeof(*t->next));
	t->cost = calloc(n * n_events, sizeof(*t->cost));
	t->n_on_path = calloc((size_t)s->n_rows + 1, sizeof(*t->n_on_path));
	s->inclusive = calloc((size_t)s->n_rows * n_events + 1, sizeof(*s->inclusive));
	if (!t->first || !t->next || !t->cost || !t->n_on_path || !s->inclusive)
		return false;
	s->n_inclusive = s->n_rows;
	memset(t->first, 0xff, n * sizeof(*t->first));
	/* Parents stand before their children: from the end on, sums below are complete. */
	for (size_t i = n; i-- > 0;) {
		uint32_t parent = r->stacks[i].parent;

		for (uint32_t e = 0; e < n_events; e++)
			t->cost[i * n_events + e] += r->stack_counts[i * n_events + e].sum;
		t->next[i] = PD_NO_STACK;
		if (parent == PD_NO_STACK)
			continue;
		t->next[i] = t->first[parent];
		t->first[parent] = (uint32_t)i;
		for (uint32_t e = 0; e < n_events; e++)
			t->cost[(size_t)parent * n_events + e] += t->cost[i * n_events + e];
	}
	return true;
}

static void enter_row(struct pd_symbolizer *s, struct tree *t, uint32_t row, uint32_t node)
{
	const uint32_t n_events = s->profile->n_events;

	if (t->n_on_path[row]++)
		return;
	for (uint32_t e = 0; e < n_events; e++)
		s->inclusive[(size_t)row * n_events + e] += t->cost[(size_t)node * n_events + e];
}

static uint32_t first_outer(const struct pd_symbolizer *s, uint32_t site)
{
	return s->outer_of ? s->outer_of[site] : PD_NO_ROW;
}

static void enter(struct pd_symbolizer *s, struct tree *t, uint32_t node)
{
	uint32_t site = s->recording->stacks[node].site;

	enter_row(s, t, s->row_of[site], node);
	for (uint32_t o = first_outer(s, site); o != PD_NO_ROW; o = s->outers[o].next)
		enter_row(s, t, s->outers[o].row, node);
}

static void leave(struct pd_symbolizer *s, struct tree *t, uint32_t node)
{
	uint32_t site = s->recording->stacks[node].site;

	t->n_on_path[s->row_of[site]]--;
	for (uint32_t o = first_outer(s, site); o != PD_NO_ROW; o = s->outers[o].next)
		t->n_on_path[s->outers[o].row]--;
}

/* All nodes below a root and itself, depth-first, without recursion. */
static void walk(struct pd_symbolizer *s, struct tree *t, uint32_t root)
{
	uint32_t node = root;

	for (;;) {
		enter(s, t, node);
		if (t->first[node] != PD_NO_STACK) {
			node = t->first[node];
			continue;
		}
		leave(s, t, node);
		while (node != root && t->next[node] == PD_NO_STACK) {
			node = s->recording->stacks[node].parent;
			leave(s, t, node);
		}
		if (node == root)
			return;
		node = t->next[node];
	}
}

static void sum_stacks(struct pd_symbolizer *s)
{
	const struct pd_recording *r = s->recording;
	struct tree t = {0};

	if (make_tree(s, &t)) {
		for (uint32_t i = 0; i < r->n_stacks; i++)
			if (r->stacks[i].parent == PD_NO_STACK)
				walk(s, &t, i);
	} else {
		s->failed = PD_ERR_NOMEM;
	}
	free(t.first);
	free(t.next);
	free(t.cost);
	free(t.n_on_path);
}

void pd_symbolize_sum(struct pd_symbolizer *s)
{
	const struct pd_recording *r = s->recording;

	if (s->failed != PD_OK)
		return;
	if (s->options->rows == PD_ROWS_COMM) {
		sum_comms(s);
	} else {
		for (uint32_t i = 0; i < r->n_sites; i++)
			add_counts(s, s->row_of[i], &r->counts[(size_t)i * s->profile->n_events]);
		if (r->n_stacks)
			sum_stacks(s);
	}
	add_leftover(s, "[guest]", r->guests);
	add_leftover(s, "[filtered]", r->filtered);
}

/* ---- the profile ---- */

static struct pd_weight weight_of(const struct pd_symbolizer *s, uint32_t row, uint32_t event)
{
	size_t at = (size_t)row * s->profile->n_events + event;
	const struct pd_count *c = &s->counts[at];
	struct pd_weight w = {PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN};

	/* Rows of guests and of what was left out come after the tree: they have no stacks. */
	if (row < s->n_inclusive && (s->inclusive[at] || c->n_samples))
		w.inclusive = (double)s->inclusive[at];
	if (c->n_samples || pd_is_known(w.inclusive)) {
		w.self = (double)c->sum;
		w.n_samples = (double)c->n_samples;
		w.sum_sq = c->sum_sq;
	}
	return w;
}

/* Whether some event has a cost of it. */
static bool is_listed(const struct pd_symbolizer *s, uint32_t row)
{
	for (uint32_t e = 0; e < s->profile->n_events; e++) {
		size_t at = (size_t)row * s->profile->n_events + e;

		if (s->counts[at].n_samples || (row < s->n_inclusive && s->inclusive[at]))
			return true;
	}
	return false;
}

/* Functions first, then leftovers: both in the order in which their sites stand. */
static int copy_rows(struct pd_symbolizer *s, struct pd_error *err)
{
	struct pd_profile *p = s->profile;
	struct pd_func *funcs = pd_arena_array(&p->arena, s->n_rows, sizeof(*funcs));
	struct pd_weight *weights = pd_arena_array(&p->arena, (size_t)s->n_rows * p->n_events,
						   sizeof(*weights));
	uint32_t n = 0;

	if (!funcs || !weights)
		return pd_fail_nomem(err);
	for (unsigned flags = 0; flags <= PD_FUNC_LEFTOVER; flags++)
		for (uint32_t i = 0; i < s->n_rows; i++) {
			if (s->rows[i].flags != flags || !is_listed(s, i))
				continue;
			for (uint32_t e = 0; e < p->n_events; e++)
				weights[(size_t)n * p->n_events + e] = weight_of(s, i, e);
			funcs[n++] = s->rows[i];
		}
	p->funcs = funcs;
	p->weights = weights;
	p->n_funcs = n;
	return PD_OK;
}

static int copy_comms(struct pd_symbolizer *s, struct pd_error *err)
{
	const struct pd_recording *r = s->recording;
	struct pd_profile *p = s->profile;
	struct pd_comm *comms = pd_arena_array(&p->arena, r->n_comms, sizeof(*comms));
	double *values = pd_arena_array(&p->arena, 2 * (size_t)r->n_comms * p->n_events,
					sizeof(*values));

	if (!comms || !values)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < r->n_comms; i++) {
		comms[i].name = pd_strtab_intern(&p->strings,
						 pd_strtab_span(&r->strings, r->comms[i]));
		comms[i].self = values + 2 * (size_t)i * p->n_events;
		comms[i].n_samples = comms[i].self + p->n_events;
		for (uint32_t e = 0; e < p->n_events; e++) {
			const struct pd_count *c = &r->comm_counts[(size_t)i * p->n_events + e];

			comms[i].self[e] = (double)c->sum;
			comms[i].n_samples[e] = (double)c->n_samples;
		}
	}
	p->comms = comms;
	p->n_comms = r->n_comms;
	return p->strings.failed ? pd_fail_nomem(err) : PD_OK;
}

/* A node for a row, below parent; returns its index. */
static uint32_t add_call(struct pd_symbolizer *s, uint32_t parent, uint32_t row)
{
	struct pd_profile *p = s->profile;

	p->calls[p->n_calls] = (struct pd_frame){
		.parent = parent, .name = s->rows[row].name, .module = s->rows[row].module};
	return p->n_calls++;
}

/* How many functions a site is in by inlining, beside its own. */
static uint32_t count_outers(const struct pd_symbolizer *s, uint32_t site)
{
	uint32_t n = 0;

	for (uint32_t o = first_outer(s, site); o != PD_NO_ROW; o = s->outers[o].next)
		n++;
	return n;
}

/* The nodes of a site below parent: functions that it was inlined into come first. */
static uint32_t add_site_calls(struct pd_symbolizer *s, uint32_t parent, uint32_t site)
{
	uint32_t n = count_outers(s, site);

	for (uint32_t depth = n; depth-- > 0;) {
		uint32_t o = first_outer(s, site);

		for (uint32_t i = 0; i < depth; i++)
			o = s->outers[o].next;
		parent = add_call(s, parent, s->outers[o].row);
	}
	return add_call(s, parent, s->row_of[site]);
}

/* The call tree by names. */
static int copy_calls(struct pd_symbolizer *s, struct pd_error *err)
{
	const struct pd_recording *r = s->recording;
	struct pd_profile *p = s->profile;
	uint32_t *node_of = malloc(((size_t)r->n_stacks + 1) * sizeof(*node_of));
	uint64_t n = 0;

	for (uint32_t i = 0; i < r->n_stacks; i++)
		n += 1 + count_outers(s, r->stacks[i].site);
	if (node_of && n < PD_NO_CALL)
		p->calls = pd_arena_array(&p->arena, n, sizeof(*p->calls));
	if (p->calls)
		p->call_selves = pd_arena_array(&p->arena, n * p->n_events, sizeof(double));
	if (!p->call_selves) {
		free(node_of);
		return pd_fail_nomem(err);
	}
	memset(p->call_selves, 0, n * p->n_events * sizeof(double));
	for (uint32_t i = 0; i < r->n_stacks; i++) {
		uint32_t parent = r->stacks[i].parent;

		node_of[i] = add_site_calls(s, parent == PD_NO_STACK ? PD_NO_CALL : node_of[parent],
					    r->stacks[i].site);
		for (uint32_t e = 0; e < p->n_events; e++)
			p->call_selves[(size_t)node_of[i] * p->n_events + e] =
				(double)r->stack_counts[(size_t)i * p->n_events + e].sum;
	}
	free(node_of);
	return PD_OK;
}

/* Every sample is in a row: the total is their sum, and nothing is missing. */
static void settle_totals(struct pd_profile *p)
{
	for (uint32_t e = 0; e < p->n_events; e++) {
		double total = 0;

		for (uint32_t i = 0; i < p->n_funcs; i++) {
			double self = pd_profile_weight(p, i, e)->self;

			total += pd_is_known(self) ? self : 0;
		}
		p->events[e].total = total;
		p->events[e].is_cut = false;
	}
}

int pd_symbolize_finish(struct pd_symbolizer *s, struct pd_error *err)
{
	int rc = copy_rows(s, err);

	if (rc == PD_OK)
		rc = copy_comms(s, err);
	if (rc == PD_OK && s->options->wants_calls && s->recording->n_stacks &&
	    s->options->rows != PD_ROWS_COMM)
		rc = copy_calls(s, err);
	if (rc == PD_OK)
		settle_totals(s->profile);
	return rc;
}
