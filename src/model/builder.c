/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder. Functions are numbered over all runs; each (run, event) has an
 * array of costs by that number, which grows only as far as it is used.
 */
#include "model/builder.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"
#include "model/metrics.h"

/* A key of a leftover: module ids stay below this bit. */
#define LEFTOVER_BIT (UINT64_C(1) << 63)

static const struct pd_weight unknown_weight = {PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN};

struct builder_event {
	struct pd_event event; /* name: in the builder's strings */
	double slack;
	bool is_complete;
	struct pd_weight *weights; /* by function, up to n_weights */
	uint32_t n_weights;
};

struct builder_run {
	pd_str section, kernel, command;
	struct builder_event *events;
	uint32_t n_events;
	struct pd_metrics metrics; /* names: in the builder's strings */
};

struct pd_builder {
	const char *path, *format;
	const struct pd_limits *limits;
	struct pd_diags *diags;
	struct pd_strtab strings;
	struct pd_map func_ids;    /* (module, name) */
	uint32_t *plain_ids;       /* by name: 1 + the function without a module, or 0 */
	uint32_t n_plain_ids;
	struct pd_func *funcs;  /* names: in the builder's strings */
	uint32_t n_funcs, cap_funcs;
	struct builder_run *runs;
	uint32_t n_runs, cap_runs;
	enum pd_code failed; /* the first failure */
};

struct pd_builder *pd_builder_new(const char *path, const char *format,
				  const struct pd_limits *limits, struct pd_diags *diags)
{
	struct pd_builder *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	b->path = path;
	b->format = format;
	b->limits = limits;
	b->diags = diags;
	return b;
}

void pd_builder_free(struct pd_builder *b)
{
	if (!b)
		return;
	for (uint32_t r = 0; r < b->n_runs; r++) {
		for (uint32_t e = 0; e < b->runs[r].n_events; e++)
			free(b->runs[r].events[e].weights);
		free(b->runs[r].events);
		pd_metrics_done(&b->runs[r].metrics);
	}
	free(b->runs);
	free(b->funcs);
	pd_map_done(&b->func_ids);
	free(b->plain_ids);
	pd_strtab_done(&b->strings);
	free(b);
}

static void fail(struct pd_builder *b, enum pd_code code)
{
	if (b->failed == PD_OK)
		b->failed = code;
}

bool pd_builder_is_failed(const struct pd_builder *b)
{
	return b->failed != PD_OK || b->strings.failed;
}

uint32_t pd_builder_run(struct pd_builder *b, struct pd_span section)
{
	if (b->n_runs >= b->limits->n_profiles)
		fail(b, PD_ERR_LIMIT);
	if (b->n_runs == b->cap_runs) {
		uint32_t cap = b->cap_runs ? 2 * b->cap_runs : 8;
		struct builder_run *runs = realloc(b->runs, cap * sizeof(*runs));

		if (!runs) {
			fail(b, PD_ERR_NOMEM);
			return 0;
		}
		b->runs = runs;
		b->cap_runs = cap;
	}
	b->runs[b->n_runs] = (struct builder_run){
		.section = pd_strtab_intern(&b->strings, section),
	};
	return b->n_runs++;
}

uint32_t pd_builder_n_runs(const struct pd_builder *b)
{
	return b->n_runs;
}

uint32_t pd_builder_event(struct pd_builder *b, uint32_t run, struct pd_span name,
			  enum pd_unit unit)
{
	struct builder_event *events;
	struct builder_run *r;

	if (run >= b->n_runs)
		return 0;
	r = &b->runs[run];
	events = realloc(r->events, (r->n_events + 1) * sizeof(*events));
	if (!events) {
		fail(b, PD_ERR_NOMEM);
		return 0;
	}
	r->events = events;
	events[r->n_events] = (struct builder_event){
		.event = {
			.name = pd_strtab_intern(&b->strings, name),
			.unit = unit,
			.total = PD_UNKNOWN,
			.n_samples = PD_UNKNOWN,
			.n_lost = PD_UNKNOWN,
			.period = PD_UNKNOWN,
			.frequency_hz = PD_UNKNOWN,
		},
	};
	return r->n_events++;
}

/* NULL where a latched failure left no such event. */
static struct builder_event *event_at(struct pd_builder *b, uint32_t run, uint32_t event)
{
	if (run >= b->n_runs || event >= b->runs[run].n_events)
		return NULL;
	return &b->runs[run].events[event];
}

struct pd_event *pd_builder_event_at(struct pd_builder *b, uint32_t run, uint32_t event)
{
	struct builder_event *e = event_at(b, run, event);

	return e ? &e->event : NULL;
}

void pd_builder_set_kernel(struct pd_builder *b, uint32_t run, struct pd_span kernel)
{
	if (run < b->n_runs)
		b->runs[run].kernel = pd_strtab_intern(&b->strings, kernel);
}

void pd_builder_set_command(struct pd_builder *b, uint32_t run, struct pd_span command)
{
	if (run < b->n_runs)
		b->runs[run].command = pd_strtab_intern(&b->strings, command);
}

void pd_builder_set_total(struct pd_builder *b, uint32_t run, uint32_t event, double total)
{
	struct builder_event *e = event_at(b, run, event);

	if (e)
		e->event.total = total;
}

void pd_builder_set_cut(struct pd_builder *b, uint32_t run, uint32_t event)
{
	struct builder_event *e = event_at(b, run, event);

	if (e)
		e->event.is_cut = true;
}

void pd_builder_set_complete(struct pd_builder *b, uint32_t run, uint32_t event)
{
	struct builder_event *e = event_at(b, run, event);

	if (e)
		e->is_complete = true;
}

void pd_builder_add_slack(struct pd_builder *b, uint32_t run, uint32_t event, double slack)
{
	struct builder_event *e = event_at(b, run, event);

	if (e)
		e->slack += slack;
}

static uint32_t add_func(struct pd_builder *b, pd_str name, pd_str module, unsigned flags)
{
	uint64_t kind = flags & PD_FUNC_LEFTOVER ? LEFTOVER_BIT : 0;
	uint64_t key = pd_map_key(module.id, name.id) | kind;
	uint32_t id = pd_map_find(&b->func_ids, key);

	if (id != PD_MAP_NONE)
		return id;
	if (b->n_funcs >= b->limits->n_functions) {
		fail(b, PD_ERR_LIMIT);
		return 0;
	}
	if (b->n_funcs == b->cap_funcs) {
		uint32_t cap = b->cap_funcs ? 2 * b->cap_funcs : 64;
		struct pd_func *funcs = realloc(b->funcs, cap * sizeof(*funcs));

		if (!funcs) {
			fail(b, PD_ERR_NOMEM);
			return 0;
		}
		b->funcs = funcs;
		b->cap_funcs = cap;
	}
	if (pd_map_insert(&b->func_ids, key, b->n_funcs) == PD_MAP_NONE) {
		fail(b, PD_ERR_NOMEM);
		return 0;
	}
	b->funcs[b->n_funcs] = (struct pd_func){
		.name = name,
		.module = module,
		.n_calls = PD_UNKNOWN,
		.flags = flags,
	};
	return b->n_funcs++;
}

/*
 * Most formats name no modules, and then the name alone finds the function. It
 * is only a shortcut: without memory for it, the map still knows.
 */
static void remember_plain(struct pd_builder *b, pd_str name, uint32_t func)
{
	if (name.id >= b->n_plain_ids) {
		uint32_t n = 2 * name.id + 64;
		uint32_t *ids = realloc(b->plain_ids, (size_t)n * sizeof(*ids));

		if (!ids)
			return;
		memset(ids + b->n_plain_ids, 0, (size_t)(n - b->n_plain_ids) * sizeof(*ids));
		b->plain_ids = ids;
		b->n_plain_ids = n;
	}
	b->plain_ids[name.id] = func + 1;
}

uint32_t pd_builder_func(struct pd_builder *b, struct pd_span name, struct pd_span module)
{
	pd_str name_id = pd_strtab_intern(&b->strings, name);
	uint32_t func;

	if (module.len)
		return add_func(b, name_id, pd_strtab_intern(&b->strings, module), 0);
	if (name_id.id < b->n_plain_ids && b->plain_ids[name_id.id])
		return b->plain_ids[name_id.id] - 1;
	func = add_func(b, name_id, (pd_str){0}, 0);
	if (!pd_builder_is_failed(b))
		remember_plain(b, name_id, func);
	return func;
}

void pd_builder_expect(const struct pd_builder *b, const struct pd_span *names, size_t n)
{
	pd_strtab_expect(&b->strings, names, n);
}

uint32_t pd_builder_leftover(struct pd_builder *b, const char *name, struct pd_span module)
{
	return add_func(b, pd_strtab_intern_str(&b->strings, name),
			pd_strtab_intern(&b->strings, module), PD_FUNC_LEFTOVER);
}

void pd_builder_set_file(struct pd_builder *b, uint32_t func, struct pd_span file)
{
	if (func < b->n_funcs && !b->funcs[func].file.id)
		b->funcs[func].file = pd_strtab_intern(&b->strings, file);
}

/* The weight to add to, or NULL after a failure. */
static struct pd_weight *weight_at(struct pd_builder *b, uint32_t run, uint32_t event,
				   uint32_t func)
{
	struct builder_event *e = event_at(b, run, event);

	if (!e || func >= b->n_funcs)
		return NULL;
	if (func >= e->n_weights) {
		uint32_t n = b->cap_funcs;
		struct pd_weight *weights = realloc(e->weights, (size_t)n * sizeof(*weights));

		if (!weights) {
			fail(b, PD_ERR_NOMEM);
			return NULL;
		}
		for (uint32_t i = e->n_weights; i < n; i++)
			weights[i] = unknown_weight;
		e->weights = weights;
		e->n_weights = n;
	}
	return &e->weights[func];
}

void pd_builder_expect_cost(const struct pd_builder *b, uint32_t run, uint32_t event,
			    uint32_t func)
{
	const struct builder_event *e;

	if (run >= b->n_runs || event >= b->runs[run].n_events)
		return;
	e = &b->runs[run].events[event];
	if (func < e->n_weights)
		__builtin_prefetch(&e->weights[func], 1);
}

double pd_builder_self(const struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func)
{
	const struct builder_event *e;

	if (run >= b->n_runs || event >= b->runs[run].n_events)
		return PD_UNKNOWN;
	e = &b->runs[run].events[event];
	return func < e->n_weights ? e->weights[func].self : PD_UNKNOWN;
}

static void add(double *sum, double value)
{
	*sum = pd_is_known(*sum) ? *sum + value : value;
}

void pd_builder_add_self(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			 double value)
{
	struct pd_weight *w = weight_at(b, run, event, func);

	if (w)
		add(&w->self, value);
}

void pd_builder_add_inclusive(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			      double value)
{
	struct pd_weight *w = weight_at(b, run, event, func);

	if (w)
		add(&w->inclusive, value);
}

void pd_builder_add_samples(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			    double n)
{
	struct pd_weight *w = weight_at(b, run, event, func);

	if (w)
		add(&w->n_samples, n);
}

uint32_t pd_builder_metric(struct pd_builder *b, uint32_t run, struct pd_span group,
			   struct pd_span name, struct pd_span unit, enum pd_better better)
{
	struct pd_metric metric = {
		.group = pd_strtab_intern(&b->strings, group),
		.name = pd_strtab_intern(&b->strings, name),
		.unit = pd_strtab_intern(&b->strings, unit),
		.better = better,
		.sd = PD_UNKNOWN,
		.n_summarized = PD_UNKNOWN,
	};

	uint32_t id;

	if (run >= b->n_runs)
		return 0;
	id = pd_metrics_add(&b->runs[run].metrics, &metric);
	if (id == PD_MAP_NONE)
		fail(b, PD_ERR_NOMEM);
	return id;
}

bool pd_builder_has_metric(const struct pd_builder *b, uint32_t run, struct pd_span group,
			   struct pd_span name)
{
	return run < b->n_runs &&
	       pd_metrics_find(&b->runs[run].metrics, pd_strtab_find(&b->strings, group),
			       pd_strtab_find(&b->strings, name)) != PD_MAP_NONE;
}

void pd_builder_add_value(struct pd_builder *b, uint32_t run, uint32_t metric, double value)
{
	if (run < b->n_runs && !pd_metrics_add_value(&b->runs[run].metrics, metric, value))
		fail(b, PD_ERR_NOMEM);
}

/* NULL where a latched failure left no such metric. */
static struct pd_metric *metric_at(struct pd_builder *b, uint32_t run, uint32_t metric)
{
	return run < b->n_runs ? pd_metrics_at(&b->runs[run].metrics, metric) : NULL;
}

void pd_builder_add_part(struct pd_builder *b, uint32_t run, uint32_t metric, double value)
{
	struct pd_metric *m = metric_at(b, run, metric);

	if (m && m->n_values)
		m->values[m->n_values - 1] += value;
	else
		pd_builder_add_value(b, run, metric, value);
}

void pd_builder_set_summary(struct pd_builder *b, uint32_t run, uint32_t metric, double sd,
			    double n)
{
	struct pd_metric *m = metric_at(b, run, metric);

	if (m) {
		m->sd = sd;
		m->n_summarized = n;
	}
}

void pd_builder_add_metric(struct pd_builder *b, uint32_t run, struct pd_span name,
			   struct pd_span unit, enum pd_better better, double value)
{
	struct pd_span none = {"", 0};

	pd_builder_add_value(b, run, pd_builder_metric(b, run, none, name, unit, better), value);
}

static bool is_listed(const struct builder_event *e, uint32_t func)
{
	const struct pd_weight *w = func < e->n_weights ? &e->weights[func] : &unknown_weight;

	return pd_is_known(w->self) || pd_is_known(w->inclusive) || pd_is_known(w->n_samples);
}

static bool is_listed_in_run(const struct builder_run *r, uint32_t func)
{
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
	p->n_funcs++;
	for (uint32_t i = 0; i < r->n_events; i++)
		w[i] = func < r->events[i].n_weights ? r->events[i].weights[func] : unknown_weight;
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
	p->command = copy_text(p, b, r->command);
	p->duration_ns = PD_UNKNOWN;
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
	if (!pd_metrics_copy(&r->metrics, &b->strings, p) || p->strings.failed) {
		pd_profile_free(p);
		return NULL;
	}
	return p;
}

/* The profile of a run, NULL if it has no function and no metric. */
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
	if ((!n_real && !r->metrics.n) || pd_builder_is_failed(b))
		return PD_OK;
	*ret_profile = make_profile(b, r, n_listed);
	return *ret_profile ? PD_OK : PD_ERR_NOMEM;
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
