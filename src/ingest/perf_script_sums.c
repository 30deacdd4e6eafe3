/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of perf script, added up. Contract: perf_script.h.
 *
 * Most frames are of functions that were seen before: a frame is one look-up of its
 * name, and at the sample's end one addition. A function that is on a stack twice
 * has its cost once: each cell knows the last stack that had it.
 */
#include <stdlib.h>

#include "ingest/perf_script.h"

enum { MAX_CELLS = 16 << 20 }; /* functions of all events, where there are several */

/* A frame without a function: it has no name. */
#define UNNAMED UINT32_MAX

static void fail(struct pd_script_sums *s, enum pd_code code, const char *limit)
{
	if (s->failed != PD_OK)
		return;
	s->failed = code;
	s->limit = limit;
}

void pd_script_sums_done(struct pd_script_sums *s)
{
	for (uint32_t i = 0; i < s->n_events; i++)
		free(s->events[i].cells);
	free(s->events);
	free(s->comms);
	free(s->funcs);
	pd_map_done(&s->comm_ids);
	pd_strtab_done(&s->strings);
	pd_buf_done(&s->waiting);
	*s = (struct pd_script_sums){0};
}

/* ---- frames ---- */

static uint32_t func_of(struct pd_script_sums *s, struct pd_span name, struct pd_span module,
			bool is_leaf)
{
	if (!pd_script_is_unnamed(name))
		return pd_builder_func(s->builder, name, module);
	return is_leaf ? pd_builder_leftover(s->builder, "[unknown]", module) : UNNAMED;
}

/* Frames that were inlined are of the module of the frame around them. */
static void settle_waiting(struct pd_script_sums *s, struct pd_span module)
{
	struct pd_span names = pd_buf_span(&s->waiting);

	for (uint32_t i = s->first_waiting; names.len; i++) {
		size_t end = (size_t)((const char *)memchr(names.ptr, '\n', names.len) - names.ptr);

		s->funcs[i] = func_of(s, pd_span_sub(names, 0, end), module, !i);
		names = pd_span_sub(names, end + 1, names.len);
	}
	s->waiting.len = 0;
}

void pd_script_add_frame(struct pd_script_sums *s, const struct pd_script_frame *frame)
{
	if (s->n_funcs == s->cap_funcs) {
		uint32_t cap = s->cap_funcs ? 2 * s->cap_funcs : 64;
		uint32_t *funcs;

		s->is_too_deep |= s->n_funcs >= s->limits->n_frames;
		if (s->is_too_deep || s->failed != PD_OK)
			return;
		funcs = realloc(s->funcs, cap * sizeof(*funcs));
		if (!funcs) {
			fail(s, PD_ERR_NOMEM, NULL);
			return;
		}
		s->funcs = funcs;
		s->cap_funcs = cap;
	}
	if (s->n_funcs >= s->limits->n_frames) {
		s->is_too_deep = true;
		return;
	}
	if (!frame->module.len && !s->has_modules) {
		if (!s->waiting.len)
			s->first_waiting = s->n_funcs;
		pd_buf_add(&s->waiting, frame->name.ptr, frame->name.len);
		pd_buf_add_char(&s->waiting, '\n');
		if (s->waiting.failed)
			fail(s, PD_ERR_NOMEM, NULL);
		s->funcs[s->n_funcs++] = UNNAMED;
		return;
	}
	if (s->waiting.len && s->failed == PD_OK)
		settle_waiting(s, frame->module);
	s->funcs[s->n_funcs] = func_of(s, frame->name, frame->module, !s->n_funcs);
	s->n_funcs++;
}

/* ---- samples ---- */

void pd_script_drop_sample(struct pd_script_sums *s)
{
	s->n_funcs = 0;
	s->waiting.len = 0;
	s->is_too_deep = false;
}

uint32_t pd_script_find_event(struct pd_script_sums *s, struct pd_span name, bool has_periods)
{
	pd_str id = pd_strtab_intern(&s->strings, name);
	struct pd_script_event *events;

	for (uint32_t i = 0; i < s->n_events; i++)
		if (s->events[i].name.id == id.id && s->events[i].has_periods == has_periods)
			return i;
	if (s->n_events >= s->limits->n_columns) {
		fail(s, PD_ERR_LIMIT, "events");
		return UINT32_MAX;
	}
	events = realloc(s->events, (s->n_events + 1) * sizeof(*events));
	if (!events || s->strings.failed) {
		s->events = events ? events : s->events;
		fail(s, PD_ERR_NOMEM, NULL);
		return UINT32_MAX;
	}
	s->events = events;
	events[s->n_events] = (struct pd_script_event){.name = id, .has_periods = has_periods};
	return s->n_events++;
}

/* Room for the cells of all functions so far. */
static bool grow_cells(struct pd_script_sums *s, struct pd_script_event *e, uint32_t func)
{
	uint64_t n = e->n_cells ? 2 * (uint64_t)e->n_cells : 64, n_all = 0;
	struct pd_script_cell *cells;

	while (n <= func)
		n *= 2;
	for (uint32_t i = 0; i < s->n_events; i++)
		n_all += s->events[i].n_cells;
	if (s->n_events > 1 && n_all - e->n_cells + n > MAX_CELLS) {
		fail(s, PD_ERR_LIMIT, "functions of several events");
		return false;
	}
	cells = realloc(e->cells, n * sizeof(*cells));
	if (!cells) {
		fail(s, PD_ERR_NOMEM, NULL);
		return false;
	}
	memset(cells + e->n_cells, 0, (n - e->n_cells) * sizeof(*cells));
	e->cells = cells;
	e->n_cells = (uint32_t)n;
	return true;
}

static void add_self(struct pd_script_cell *c, double cost)
{
	c->self += cost;
	c->self_sq += cost * cost;
	c->n++;
}

static void add_comm(struct pd_script_sums *s, uint32_t event, struct pd_span comm, double cost)
{
	pd_str name = pd_strtab_intern(&s->strings, comm);
	uint64_t key = pd_map_key(event, name.id);
	uint32_t i = pd_map_find(&s->comm_ids, key);

	if (i == PD_MAP_NONE && s->n_comms == s->cap_comms) {
		uint32_t cap = s->cap_comms ? 2 * s->cap_comms : 16;
		struct pd_script_comm *comms = realloc(s->comms, cap * sizeof(*comms));

		if (!comms) {
			fail(s, PD_ERR_NOMEM, NULL);
			return;
		}
		s->comms = comms;
		s->cap_comms = cap;
	}
	if (i == PD_MAP_NONE) {
		i = pd_map_insert(&s->comm_ids, key, s->n_comms);
		if (i == PD_MAP_NONE || s->strings.failed) {
			fail(s, PD_ERR_NOMEM, NULL);
			return;
		}
		s->comms[s->n_comms++] = (struct pd_script_comm){.name = name, .event = event};
	}
	s->comms[i].self += cost;
	s->comms[i].n++;
}

/* The sample as a path of the call tree. Events of the run have the numbers they have here. */
static void add_calls(struct pd_script_sums *s, uint32_t event, double cost)
{
	const struct pd_span none = {"", 0};
	uint32_t node = PD_NO_CALL;

	for (uint32_t i = s->n_funcs; i-- > 0;) {
		uint32_t func = s->funcs[i] == UNNAMED
					? pd_builder_leftover(s->builder, "[unknown]", none)
					: s->funcs[i];

		node = pd_builder_call(s->builder, s->run, node, func);
	}
	pd_builder_add_stack(s->builder, s->run, event, node, cost);
}

void pd_script_add_sample(struct pd_script_sums *s, uint32_t event, struct pd_span comm,
			  double cost)
{
	const struct pd_span none = {"", 0};
	struct pd_script_event *e;

	if (s->waiting.len && s->failed == PD_OK)
		settle_waiting(s, none);
	/* A sample that nothing is known of is one all the same. */
	if (!s->n_funcs)
		pd_script_add_frame(s, &(struct pd_script_frame){none, none});
	if (s->waiting.len && s->failed == PD_OK)
		settle_waiting(s, none);
	if (++s->n_stacks == UINT32_MAX)
		fail(s, PD_ERR_LIMIT, "samples");
	if (pd_builder_is_failed(s->builder) || s->failed != PD_OK || event >= s->n_events)
		return;
	e = &s->events[event];
	for (uint32_t i = 0; i < s->n_funcs; i++) {
		uint32_t func = s->funcs[i];
		struct pd_script_cell *c;

		if (func == UNNAMED)
			continue;
		if (func >= e->n_cells && !grow_cells(s, e, func))
			return;
		c = &e->cells[func];
		if (!i)
			add_self(c, cost);
		if (c->last_stack != s->n_stacks) {
			c->last_stack = s->n_stacks;
			c->inclusive += cost;
		}
	}
	e->n_samples++;
	if (s->wants_calls)
		add_calls(s, event, cost);
	if (comm.len)
		add_comm(s, event, comm, cost);
	pd_script_drop_sample(s);
}

void pd_script_filter_sample(struct pd_script_sums *s, uint32_t event, double cost)
{
	if (event < s->n_events)
		add_self(&s->events[event].filtered, cost);
	pd_script_drop_sample(s);
}

/* ---- what is wanted ---- */

static bool has_id(const int32_t *ids, uint32_t n, int64_t id)
{
	for (uint32_t i = 0; i < n; i++)
		if (ids[i] == id)
			return true;
	return !n;
}

bool pd_script_is_wanted(const struct pd_request *q, const struct pd_script_head *h,
			 double from_s, double to_s, const char **missing)
{
	bool has_cpu, has_comm;

	if (!q)
		return true;
	if (q->n_pids && h->pid < 0)
		*missing = "pid";
	if (q->n_tids && h->tid < 0)
		*missing = "tid";
	if (q->n_cpus && h->cpu < 0)
		*missing = "cpu";
	if (q->n_comms && !h->comm.len)
		*missing = "comm";
	if ((q->from > 0 || q->to > 0) && !pd_is_known(h->time_s))
		*missing = "time";
	has_cpu = !q->n_cpus;
	for (uint32_t i = 0; i < q->n_cpus; i++)
		has_cpu |= (int64_t)q->cpus[i] == h->cpu;
	has_comm = !q->n_comms;
	for (uint32_t i = 0; i < q->n_comms; i++)
		has_comm |= pd_span_eq(h->comm, q->comms[i]);
	return has_cpu && has_comm && has_id(q->pids, q->n_pids, h->pid) &&
	       has_id(q->tids, q->n_tids, h->tid) && !(h->time_s < from_s) &&
	       !(h->time_s > to_s);
}

/* ---- the builder ---- */

/* The name of an event, without the colons behind it. */
static enum pd_unit unit_of(struct pd_span name, bool has_periods)
{
	size_t colon = pd_span_find(name, ":");

	if (!has_periods)
		return PD_UNIT_SAMPLES;
	name = pd_span_sub(name, 0, colon);
	return pd_span_eq(name, "cpu-clock") || pd_span_eq(name, "task-clock") ? PD_UNIT_NS
										: PD_UNIT_EVENTS;
}

static void tell_cell(struct pd_script_sums *s, uint32_t event, uint32_t func,
		      const struct pd_script_cell *c, bool is_leftover)
{
	pd_builder_add_self(s->builder, s->run, event, func, c->self);
	pd_builder_add_squares(s->builder, s->run, event, func, c->self_sq);
	pd_builder_add_samples(s->builder, s->run, event, func, c->n);
	if (!is_leftover)
		pd_builder_add_inclusive(s->builder, s->run, event, func, c->inclusive);
}

static void tell_event(struct pd_script_sums *s, struct pd_script_event *e)
{
	const struct pd_span none = {"", 0};
	struct pd_span name = pd_strtab_span(&s->strings, e->name);
	struct pd_event *told;

	e->in_run = pd_builder_event(s->builder, s->run, name.len ? name : pd_span_of("samples"),
				     unit_of(name, e->has_periods));
	pd_builder_set_complete(s->builder, s->run, e->in_run);
	told = pd_builder_event_at(s->builder, s->run, e->in_run);
	if (told)
		told->n_samples = e->n_samples + e->filtered.n;
	for (uint32_t i = 0; i < e->n_cells; i++) {
		const struct pd_script_cell *c = &e->cells[i];

		if (c->last_stack)
			tell_cell(s, e->in_run, i, c, pd_builder_is_leftover(s->builder, i));
	}
	if (e->filtered.n)
		tell_cell(s, e->in_run, pd_builder_leftover(s->builder, "[filtered]", none),
			  &e->filtered, true);
}

void pd_script_sums_tell(struct pd_script_sums *s)
{
	for (uint32_t i = 0; i < s->n_events; i++)
		tell_event(s, &s->events[i]);
	for (uint32_t i = 0; i < s->n_comms; i++) {
		const struct pd_script_comm *c = &s->comms[i];

		pd_builder_add_comm(s->builder, s->run, s->events[c->event].in_run,
				    pd_strtab_span(&s->strings, c->name), c->self, c->n);
	}
}
