/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder. Functions are numbered over all runs; each (run, event) has an
 * array of costs by that number, which grows only as far as it is used. What is
 * made of it is in finish.c.
 */
#include "model/builder.h"

#include <stdlib.h>

#include "model/builder_state.h"

/* A key of a leftover: module ids stay below this bit. */
#define LEFTOVER_BIT (UINT64_C(1) << 63)

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
		pd_builder_comms_done(&b->runs[r]);
		free(b->runs[r].calls);
		pd_builder_tree_free(b->runs[r].tree);
		pd_metrics_done(&b->runs[r].metrics);
		pd_recording_free(b->runs[r].recording);
	}
	free(b->runs);
	free(b->funcs);
	pd_map_done(&b->func_ids);
	free(b->named);
	pd_strtab_done(&b->strings);
	free(b);
}

void pd_builder_fail(struct pd_builder *b, enum pd_code code)
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
		pd_builder_fail(b, PD_ERR_LIMIT);
	if (b->n_runs == b->cap_runs) {
		uint32_t cap = b->cap_runs ? 2 * b->cap_runs : 8;
		struct builder_run *runs = realloc(b->runs, cap * sizeof(*runs));

		if (!runs) {
			pd_builder_fail(b, PD_ERR_NOMEM);
			return 0;
		}
		b->runs = runs;
		b->cap_runs = cap;
	}
	b->runs[b->n_runs] = (struct builder_run){
		.section = pd_strtab_intern(&b->strings, section),
		.started_s = PD_UNKNOWN,
		.duration_ns = PD_UNKNOWN,
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
		pd_builder_fail(b, PD_ERR_NOMEM);
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

void pd_builder_set_cpu(struct pd_builder *b, uint32_t run, struct pd_span cpu)
{
	if (run < b->n_runs)
		b->runs[run].cpu = pd_strtab_intern(&b->strings, cpu);
}

void pd_builder_set_command(struct pd_builder *b, uint32_t run, struct pd_span command)
{
	if (run < b->n_runs)
		b->runs[run].command = pd_strtab_intern(&b->strings, command);
}

void pd_builder_set_started(struct pd_builder *b, uint32_t run, double seconds)
{
	if (run < b->n_runs)
		b->runs[run].started_s = seconds;
}

void pd_builder_set_duration(struct pd_builder *b, uint32_t run, double ns)
{
	if (run < b->n_runs)
		b->runs[run].duration_ns = ns;
}

void pd_builder_set_lists_samples(struct pd_builder *b, uint32_t run)
{
	if (run < b->n_runs)
		b->runs[run].lists_samples = true;
}

void pd_builder_set_deltas(struct pd_builder *b, uint32_t run)
{
	if (run < b->n_runs)
		b->runs[run].holds_deltas = true;
}

void pd_builder_keep_empty(struct pd_builder *b, uint32_t run)
{
	if (run < b->n_runs)
		b->runs[run].is_kept_empty = true;
}

void pd_builder_take_recording(struct pd_builder *b, uint32_t run, struct pd_recording *r)
{
	if (run < b->n_runs && !b->runs[run].recording)
		b->runs[run].recording = r;
	else
		pd_recording_free(r);
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
		pd_builder_fail(b, PD_ERR_LIMIT);
		return 0;
	}
	if (b->n_funcs == b->cap_funcs) {
		uint32_t cap = b->cap_funcs ? 2 * b->cap_funcs : 64;
		struct pd_func *funcs = realloc(b->funcs, cap * sizeof(*funcs));

		if (!funcs) {
			pd_builder_fail(b, PD_ERR_NOMEM);
			return 0;
		}
		b->funcs = funcs;
		b->cap_funcs = cap;
	}
	if (pd_map_insert(&b->func_ids, key, b->n_funcs) == PD_MAP_NONE) {
		pd_builder_fail(b, PD_ERR_NOMEM);
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
 * Most names are of one module, and then the name alone finds the function. It
 * is only a shortcut: without memory for it, the map still knows.
 */
static void remember_named(struct pd_builder *b, pd_str name, pd_str module, uint32_t func)
{
	if (name.id >= b->n_named) {
		uint32_t n = 2 * name.id + 64;
		struct builder_named *named = realloc(b->named, (size_t)n * sizeof(*named));

		if (!named)
			return;
		memset(named + b->n_named, 0, (size_t)(n - b->n_named) * sizeof(*named));
		b->named = named;
		b->n_named = n;
	}
	b->named[name.id] = (struct builder_named){func + 1, module};
}

static uint32_t find_func(struct pd_builder *b, pd_str name, pd_str module)
{
	uint32_t func;

	if (name.id < b->n_named && b->named[name.id].func_no &&
	    b->named[name.id].module.id == module.id)
		return b->named[name.id].func_no - 1;
	func = add_func(b, name, module, 0);
	if (!pd_builder_is_failed(b))
		remember_named(b, name, module, func);
	return func;
}

/* The module's id; lists are long runs of few modules. */
static pd_str module_id(struct pd_builder *b, struct pd_span module)
{
	struct pd_span last = pd_strtab_span(&b->strings, b->last_module);

	if (last.len != module.len || memcmp(last.ptr, module.ptr, module.len) != 0)
		b->last_module = pd_strtab_intern(&b->strings, module);
	return b->last_module;
}

uint32_t pd_builder_func(struct pd_builder *b, struct pd_span name, struct pd_span module)
{
	pd_str name_id = pd_strtab_intern(&b->strings, name);

	return find_func(b, name_id, module_id(b, module));
}

void pd_builder_funcs(struct pd_builder *b, const struct pd_span *names,
		      const struct pd_span *modules, size_t n, uint32_t *ret_funcs)
{
	enum { STEP = 32 };
	pd_str ids[STEP];

	for (size_t from = 0; from < n; from += STEP) {
		size_t n_step = n - from < STEP ? n - from : STEP;

		pd_strtab_intern_all(&b->strings, names + from, n_step, ids);
		for (size_t i = 0; i < n_step; i++)
			ret_funcs[from + i] = find_func(b, ids[i], module_id(b, modules[from + i]));
	}
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
			pd_builder_fail(b, PD_ERR_NOMEM);
			return NULL;
		}
		for (uint32_t i = e->n_weights; i < n; i++)
			weights[i] = pd_unknown_weight;
		e->weights = weights;
		e->n_weights = n;
	}
	return &e->weights[func];
}

void pd_builder_expect_cells(const struct pd_builder *b, uint32_t func,
			     const struct pd_builder_cell *cells, size_t n)
{
	for (size_t i = 0; i < n && cells[i].run < b->n_runs; i++) {
		const struct builder_run *r = &b->runs[cells[i].run];
		const struct builder_event *e = r->events + cells[i].event;

		if (cells[i].event < r->n_events && func < e->n_weights)
			__builtin_prefetch(&e->weights[func], 1);
	}
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

void pd_builder_add_cells(struct pd_builder *b, uint32_t func, const struct pd_builder_cell *cells,
			  size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct builder_event *e = event_at(b, cells[i].run, cells[i].event);
		struct pd_weight *w = e && func < e->n_weights ? &e->weights[func] :
			weight_at(b, cells[i].run, cells[i].event, func);

		if (w)
			add(&w->self, cells[i].value);
	}
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

void pd_builder_add_squares(struct pd_builder *b, uint32_t run, uint32_t event, uint32_t func,
			    double sum_sq)
{
	struct pd_weight *w = weight_at(b, run, event, func);

	if (w)
		add(&w->sum_sq, sum_sq);
}

bool pd_builder_is_leftover(const struct pd_builder *b, uint32_t func)
{
	return func < b->n_funcs && b->funcs[func].flags & PD_FUNC_LEFTOVER;
}

void pd_builder_add_calls(struct pd_builder *b, uint32_t run, uint32_t func, double n)
{
	struct builder_run *r;

	if (run >= b->n_runs || func >= b->n_funcs)
		return;
	r = &b->runs[run];
	if (func >= r->n_calls) {
		double *calls = realloc(r->calls, (size_t)b->cap_funcs * sizeof(*calls));

		if (!calls) {
			pd_builder_fail(b, PD_ERR_NOMEM);
			return;
		}
		for (uint32_t i = r->n_calls; i < b->cap_funcs; i++)
			calls[i] = PD_UNKNOWN;
		r->calls = calls;
		r->n_calls = b->cap_funcs;
	}
	add(&r->calls[func], n);
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
		pd_builder_fail(b, PD_ERR_NOMEM);
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
		pd_builder_fail(b, PD_ERR_NOMEM);
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
