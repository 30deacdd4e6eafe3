/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was collected becomes profiles: totals are settled, leftovers made, and
 * each run gets copies of the functions that it lists. Contract: builder.h.
 */
#include <stdlib.h>

#include "model/builder_state.h"

static bool is_listed(const struct builder_event *e, uint32_t func)
{
	const struct pd_weight *w = func < e->n_weights ? &e->weights[func] : &pd_unknown_weight;

	return pd_is_known(w->self) || pd_is_known(w->inclusive) || pd_is_known(w->n_samples);
}

static double calls_of(const struct builder_run *r, uint32_t func)
{
	return func < r->n_calls ? r->calls[func] : PD_UNKNOWN;
}

static bool is_listed_in_run(const struct builder_run *r, uint32_t func)
{
	if (pd_is_known(calls_of(r, func)))
		return true;
	for (uint32_t i = 0; i < r->n_events; i++)
		if (is_listed(&r->events[i], func))
			return true;
	return false;
}

/*
 * Settle the total of an event: known rows, printed total and leftovers must
 * add up. Returns what becomes "[unlisted]".
 */
static double settle_total(struct pd_builder *b, const struct builder_run *r,
			   struct builder_event *e)
{
	double sum, n_listed = 0, rest, rounding;
	struct pd_sum all = {0};

	for (uint32_t i = 0; i < e->n_weights; i++) {
		struct pd_weight *w = &e->weights[i];

		/* Where every sample is listed, what only calls others has none itself. */
		if (e->is_complete && pd_is_known(w->inclusive) && !pd_is_known(w->self))
			w->self = 0;
		if (pd_is_known(w->self)) {
			pd_sum_add(&all, w->self);
			n_listed++;
		}
	}
	sum = all.high;
	if (!pd_is_known(e->event.total)) {
		if (e->is_complete)
			e->event.total = sum;
		return 0;
	}
	rest = e->event.total - sum;
	if (fabs(rest) <= 1e-9 * fmax(fabs(e->event.total), fabs(sum)))
		return 0;
	rounding = n_listed * e->event.quantum / 2;
	if (rest < -e->slack - rounding) {
		char printed[PD_NUM_LEN], real[PD_NUM_LEN];

		pd_diags_add(b->diags, PD_WARNING, "excess", b->path, 0,
			     "%s%srows add up to %s, more than the printed total %s; "
			     "total is their sum",
			     pd_strtab_get(&b->strings, r->section), r->section.id ? ": " : "",
			     pd_num_shortest(sum, real), pd_num_shortest(e->event.total, printed));
		e->event.total = sum;
		return 0;
	}
	e->event.is_cut = rest > rounding;
	return rest;
}

/* Copies a string of the builder into the profile. */
static pd_str copy_str(struct pd_profile *p, const struct pd_builder *b, pd_str s)
{
	return pd_strtab_intern(&p->strings, pd_strtab_span(&b->strings, s));
}

static const char *copy_text(struct pd_profile *p, const struct pd_builder *b, pd_str s)
{
	struct pd_span t = pd_strtab_span(&b->strings, s);

	return s.id ? pd_arena_strndup(&p->arena, t.ptr, t.len) : NULL;
}

static void copy_func(struct pd_profile *p, const struct pd_builder *b,
		      const struct builder_run *r, uint32_t func)
{
	const struct pd_func *from = &b->funcs[func];
	struct pd_weight *w = &p->weights[(size_t)p->n_funcs * p->n_events];

	p->funcs[p->n_funcs] = *from;
	p->funcs[p->n_funcs].name = copy_str(p, b, from->name);
	p->funcs[p->n_funcs].module = copy_str(p, b, from->module);
	p->funcs[p->n_funcs].file = copy_str(p, b, from->file);
	p->funcs[p->n_funcs].n_calls = calls_of(r, func);
	p->n_funcs++;
	for (uint32_t i = 0; i < r->n_events; i++)
		w[i] = func < r->events[i].n_weights ? r->events[i].weights[func]
						     : pd_unknown_weight;
}

/* Functions first, then leftovers, each in the order of the input. */
static void copy_funcs(struct pd_profile *p, const struct pd_builder *b,
		       const struct builder_run *r)
{
	for (unsigned flags = 0; flags <= PD_FUNC_LEFTOVER; flags++)
		for (uint32_t i = 0; i < b->n_funcs; i++)
			if (b->funcs[i].flags == flags && is_listed_in_run(r, i))
				copy_func(p, b, r, i);
}

static struct pd_profile *make_profile(struct pd_builder *b, const struct builder_run *r,
				       uint32_t n_listed)
{
	struct pd_profile *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->path = pd_arena_strndup(&p->arena, b->path, strlen(b->path));
	p->format = b->format;
	p->section = copy_text(p, b, r->section);
	p->kernel = copy_text(p, b, r->kernel);
	p->cpu = copy_text(p, b, r->cpu);
	p->command = copy_text(p, b, r->command);
	p->started_s = r->started_s;
	p->duration_ns = r->duration_ns;
	p->lists_samples = r->lists_samples;
	p->holds_deltas = r->holds_deltas;
	p->n_events = r->n_events;
	p->events = pd_arena_array(&p->arena, r->n_events, sizeof(*p->events));
	p->funcs = pd_arena_array(&p->arena, n_listed, sizeof(*p->funcs));
	p->weights = pd_arena_array(&p->arena, (size_t)n_listed * r->n_events, sizeof(*p->weights));
	if (!p->path || !p->events || !p->funcs || !p->weights) {
		pd_profile_free(p);
		return NULL;
	}
	for (uint32_t i = 0; i < r->n_events; i++) {
		p->events[i] = r->events[i].event;
		p->events[i].name = copy_str(p, b, p->events[i].name);
	}
	copy_funcs(p, b, r);
	if (!pd_metrics_copy(&r->metrics, &b->strings, p) ||
	    !pd_builder_comms_copy(r, &b->strings, p) || !pd_builder_tree_copy(b, r, p) ||
	    p->strings.failed) {
		pd_profile_free(p);
		return NULL;
	}
	return p;
}

/* The profile of a run, NULL if it has no function, no metric and no recording. */
static int finish_run(struct pd_builder *b, struct builder_run *r, struct pd_profile **ret_profile)
{
	uint32_t run = (uint32_t)(r - b->runs), n_listed = 0, n_real = 0;
	struct pd_span none = {"", 0};

	for (uint32_t i = 0; i < r->n_events; i++) {
		double rest = settle_total(b, r, &r->events[i]);

		if (rest != 0)
			pd_builder_add_self(b, run, i, pd_builder_leftover(b, "[unlisted]", none),
					    rest);
	}
	for (uint32_t i = 0; i < b->n_funcs; i++)
		if (is_listed_in_run(r, i)) {
			n_listed++;
			n_real += !pd_span_eq(pd_strtab_span(&b->strings, b->funcs[i].name),
					      "[unlisted]");
		}
	*ret_profile = NULL;
	if ((!n_real && !r->metrics.n && !r->recording && !r->is_kept_empty) ||
	    pd_builder_is_failed(b))
		return PD_OK;
	*ret_profile = make_profile(b, r, n_listed);
	if (!*ret_profile)
		return PD_ERR_NOMEM;
	(*ret_profile)->recording = r->recording;
	r->recording = NULL;
	return PD_OK;
}

static int fail_latched(const struct pd_builder *b, struct pd_error *err)
{
	if (b->failed != PD_ERR_LIMIT)
		return pd_fail_nomem(err);
	if (b->n_funcs >= b->limits->n_functions)
		return pd_fail(err, PD_ERR_LIMIT,
			       "more than %u functions; --max-functions raises this limit",
			       b->limits->n_functions);
	return pd_fail(err, PD_ERR_LIMIT, "more than %u profiles in one input",
		       b->limits->n_profiles);
}

int pd_builder_finish(struct pd_builder *b, struct pd_profiles *ret_profiles,
		      struct pd_error *err)
{
	struct pd_profiles ps = {0};
	int rc = PD_OK;

	if (b->n_runs && !pd_builder_is_failed(b)) {
		ps.items = calloc(b->n_runs, sizeof(struct pd_profile *));
		if (!ps.items)
			return pd_fail_nomem(err);
	}
	for (uint32_t i = 0; i < b->n_runs && rc == PD_OK && !pd_builder_is_failed(b); i++) {
		struct pd_profile *p;

		rc = finish_run(b, &b->runs[i], &p);
		if (rc != PD_OK)
			(void)pd_fail_nomem(err);
		else if (p)
			ps.items[ps.n++] = p;
	}
	if (rc == PD_OK && pd_builder_is_failed(b))
		rc = fail_latched(b, err);
	else if (rc == PD_OK && !ps.n)
		rc = pd_fail(err, PD_ERR_EMPTY, "expected functions with counts, found none");
	if (rc != PD_OK) {
		pd_profiles_done(&ps);
		return rc;
	}
	*ret_profiles = ps;
	return PD_OK;
}
