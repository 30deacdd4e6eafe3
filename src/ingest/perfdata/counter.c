/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting. Contract: counter.h.
 */
#include "ingest/perfdata/counter.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "ingest/perfdata/bytes.h"
#include "ingest/perfdata/record.h"

enum context { /* in place of a context: no address is looked up */
	CONTEXT_GUEST = -1,
	CONTEXT_FILTERED = -2,
};

/* A sample, decoded. */
struct sample {
	uint64_t address, time, period, task;
	int32_t pid, tid;
	uint32_t event, mode, version;
	struct pd_span record; /* whole */
	size_t rest;           /* where what has no fixed place begins */
};

/* Nanoseconds of a time in seconds; what is beyond all times is the last one. */
static uint64_t ns_of(double seconds)
{
	double ns = seconds * 1e9;

	if (!(ns > 0))
		return 0;
	return ns < 18e18 ? (uint64_t)llround(ns < 9e18 ? ns : 9e18) : UINT64_MAX;
}

static void set_times(struct pd_perf_counter *c)
{
	const struct pd_request *r = c->request;
	const struct pd_perf_order *o = c->order;
	double span = o->first < o->last ? (double)(o->last - o->first) : 0;

	c->to = UINT64_MAX;
	if (!(r->from > 0) && !(r->to > 0))
		return;
	c->has_filters = true;
	if (r->is_time_ratio) {
		uint64_t from = ns_of(r->from * span / 1e9), to = ns_of(r->to * span / 1e9);

		c->from = o->first + from;
		if (r->to > 0 && to < UINT64_MAX - o->first)
			c->to = o->first + to;
	} else {
		c->from = ns_of(r->from);
		if (r->to > 0)
			c->to = ns_of(r->to);
	}
}

/* Whether the samples have what the request asks of them. */
static int check_request(const struct pd_perf_counter *c, struct pd_error *err)
{
	const struct pd_request *r = c->request;

	for (uint32_t i = 0; i < c->events->n; i++) {
		const struct pd_perf_layout *l = &c->events->items[i].layout;

		if (r->n_cpus && !l->cpu)
			return pd_fail(err, PD_ERR_MISMATCH, "its samples do not say on which CPU "
				       "they were taken; record with --sample-cpu or -a");
		if ((r->from > 0 || r->to > 0) && !l->time)
			return pd_fail(err, PD_ERR_MISMATCH, "its samples do not say when they "
				       "were taken; record with --timestamp");
		if ((r->n_pids || r->n_tids || r->n_comms) && !l->tid)
			return pd_fail(err, PD_ERR_MISMATCH, "its samples do not say of which task "
				       "they are");
	}
	return PD_OK;
}

int pd_perf_counter_init(struct pd_perf_counter *c, const struct pd_perf_events *events,
			 const struct pd_perf_order *order, struct pd_perf_machine *machine,
			 const struct pd_request *request, struct pd_error *err)
{
	size_t n = (size_t)events->n + 1;
	int rc;

	*c = (struct pd_perf_counter){
		.events = events, .order = order, .machine = machine, .request = request,
		.place = {.order = order},
	};
	set_times(c);
	c->has_filters |= request->n_cpus > 0;
	rc = check_request(c, err);
	if (rc != PD_OK)
		return rc;
	c->cached = calloc(PD_PERF_N_CACHED, sizeof(*c->cached));
	c->filtered = calloc(n, sizeof(*c->filtered));
	c->guests = calloc(n, sizeof(*c->guests));
	if (!c->cached || !c->filtered || !c->guests ||
	    !pd_perf_spots_init(&c->spots, &c->contexts, machine)) {
		pd_perf_counter_done(c);
		return pd_fail_nomem(err);
	}
	return PD_OK;
}

void pd_perf_counter_done(struct pd_perf_counter *c)
{
	free(c->cached);
	free(c->filtered);
	free(c->guests);
	free(c->values);
	pd_map_done(&c->value_ids);
	pd_perf_contexts_done(&c->contexts);
	pd_perf_spots_done(&c->spots);
	pd_perf_chains_done(&c->chains);
	*c = (struct pd_perf_counter){0};
}

static bool has_number(const int32_t *numbers, uint32_t n, int32_t x)
{
	for (uint32_t i = 0; i < n; i++)
		if (numbers[i] == x)
			return true;
	return !n;
}

static bool has_comm(const struct pd_perf_counter *c, uint32_t comm)
{
	const struct pd_request *r = c->request;
	const struct pd_perf_comm *x = &c->machine->tasks.comms[comm];
	char unnamed[16];
	const char *name = unnamed;

	if (!r->n_comms)
		return true;
	if (x->name.id)
		name = pd_strtab_get(c->machine->strings, x->name);
	else
		(void)snprintf(unnamed, sizeof(unnamed), ":%d", x->tid);
	for (uint32_t i = 0; i < r->n_comms; i++)
		if (!strcmp(r->comms[i], name))
			return true;
	return false;
}

static bool wants_chains(const struct pd_perf_counter *c, uint32_t event)
{
	return c->request->wants_stacks &&
	       c->events->items[event].attr.sample_type & PD_PERF_CALLCHAIN;
}

/* The context of a sample, by its task at its version. */
static uint32_t make_context(struct pd_perf_counter *c, const struct sample *s)
{
	const struct pd_request *r = c->request;
	struct pd_perf_machine *m = c->machine;
	struct pd_perf_context x = {.event = s->event, .mode = s->mode};
	struct pd_perf_state state;
	bool has_chains = wants_chains(c, s->event);

	if (s->mode == PD_PERF_MODE_GUEST_KERNEL || s->mode == PD_PERF_MODE_GUEST_USER)
		return (uint32_t)CONTEXT_GUEST;
	state = pd_perf_task_at(&m->tasks, s->pid, s->tid, s->version);
	if (!has_number(r->pids, r->n_pids, s->pid) || !has_number(r->tids, r->n_tids, s->tid) ||
	    !has_comm(c, state.comm))
		return (uint32_t)CONTEXT_FILTERED;
	x.comm = state.comm;
	x.view.space = PD_PERF_NO_SPACE;
	/* What does not decide over an address is left out: fewer contexts. */
	if (has_chains || s->mode == PD_PERF_MODE_USER) {
		x.view.space = state.space;
		x.view.n = pd_perf_space_count(&m->spaces, state.space, s->version);
	}
	if (has_chains || s->mode == PD_PERF_MODE_KERNEL) {
		x.view.n_kernel = pd_perf_space_count(&m->spaces, m->kernel, s->version);
		x.view.n_modules = pd_perf_space_count(&m->spaces, m->modules, s->version);
	}
	return pd_perf_context_get(&c->contexts, &x);
}

static inline uint32_t context_of(struct pd_perf_counter *c, const struct sample *s)
{
	uint32_t kind = s->event << 4 | 8 | s->mode;
	uint64_t hash = (s->task ^ (uint64_t)kind << 20 ^ (uint64_t)s->version << 40) *
			UINT64_C(0x9e3779b97f4a7c15);
	struct pd_perf_cached *x = &c->cached[hash >> 54];

	_Static_assert(PD_PERF_N_CACHED == 1 << 10, "a hash has 64 bits");
	if (x->task != s->task || x->version != s->version || x->kind != kind)
		*x = (struct pd_perf_cached){s->task, s->version, kind, make_context(c, s)};
	return x->context;
}

/* A sample that is of no address. */
static void count_aside(struct pd_perf_counter *c, uint32_t context, uint32_t event,
			uint64_t period)
{
	struct pd_count *all = context == (uint32_t)CONTEXT_GUEST ? c->guests : c->filtered;

	all[event].n_samples++;
	all[event].sum += period;
	all[event].sum_sq += (double)period * (double)period;
}

/* Whether a filter that looks at each sample leaves this one. */
static bool is_wanted(const struct pd_perf_counter *c, const struct sample *s, bool is_swapped)
{
	const struct pd_request *r = c->request;
	uint16_t cpu_at = c->events->items[s->event].layout.cpu;

	if (s->time < c->from || s->time > c->to)
		return false;
	if (!r->n_cpus)
		return true;
	for (uint32_t i = 0; i < r->n_cpus; i++)
		if (r->cpus[i] == pd_perf_u32(s->record.ptr + cpu_at, is_swapped))
			return true;
	return false;
}

/* 1 or 0 */
static size_t has_bit(uint64_t bits, uint64_t bit)
{
	return bits & bit ? 1 : 0;
}

/* How many bytes the READ field at a place takes; SIZE_MAX: more than there are. */
static size_t size_of_read(const struct pd_perf_counter *c, const struct sample *s, bool is_swapped)
{
	uint64_t format = c->events->items[s->event].attr.read_format;
	size_t left = s->record.len - s->rest;
	size_t n_times = has_bit(format, PD_PERF_READ_ENABLED) +
			 has_bit(format, PD_PERF_READ_RUNNING);
	size_t n_each = 1 + has_bit(format, PD_PERF_READ_ID) + has_bit(format, PD_PERF_READ_LOST);
	uint64_t n = 1;

	if (format & PD_PERF_READ_GROUP) {
		if (left < 8)
			return SIZE_MAX;
		n = pd_perf_u64(s->record.ptr + s->rest, is_swapped);
		n_times++;
	}
	if (n > left / 8 || 8 * (n_times + n * n_each) > left)
		return SIZE_MAX;
	return 8 * (n_times + (size_t)n * n_each);
}

/* The frames of a sample, or none. */
static struct pd_span frames_of(const struct pd_perf_counter *c, const struct sample *s,
				bool is_swapped)
{
	size_t at = s->rest, n_read = 0, left;
	uint64_t n;

	if (c->events->items[s->event].attr.sample_type & PD_PERF_READ)
		n_read = size_of_read(c, s, is_swapped);
	if (n_read > s->record.len - at || s->record.len - at - n_read < 8)
		return (struct pd_span){"", 0};
	at += n_read;
	n = pd_perf_u64(s->record.ptr + at, is_swapped);
	left = s->record.len - at - 8;
	if (n > left / 8)
		n = 0;
	return (struct pd_span){s->record.ptr + at + 8, (size_t)n * 8};
}

static void count_chain(struct pd_perf_counter *c, const struct sample *s, uint32_t context,
			bool is_swapped)
{
	pd_perf_chains_add(&c->chains, context, s->address, frames_of(c, s, is_swapped),
			   s->period);
}

static inline __attribute__((always_inline)) void
count_sample(struct pd_perf_counter *c, const struct sample *s, bool is_swapped)
{
	uint32_t context = context_of(c, s);

	if (c->has_filters && context < (uint32_t)CONTEXT_FILTERED && !is_wanted(c, s, is_swapped))
		context = (uint32_t)CONTEXT_FILTERED;
	if (context >= (uint32_t)CONTEXT_FILTERED) {
		count_aside(c, context, s->event, s->period);
		return;
	}
	if (c->request->wants_stacks && wants_chains(c, s->event))
		count_chain(c, s, context, is_swapped);
	else
		pd_perf_spots_add(&c->spots, context, s->address, s->period);
}

/* What a counter went on since its last sample. */
static uint64_t step_of(struct pd_perf_counter *c, uint64_t id, uint64_t value)
{
	uint32_t i = pd_map_insert(&c->value_ids, id, c->n_values);
	uint64_t step;

	if (i == PD_MAP_NONE) {
		c->failed = true;
		return 0;
	}
	if (i == c->cap_values) {
		uint32_t cap = i ? 2 * i : 64;
		uint64_t *values = realloc(c->values, cap * sizeof(*values));

		if (!values) {
			c->failed = true;
			return 0;
		}
		c->values = values;
		c->cap_values = cap;
	}
	if (i == c->n_values)
		c->values[c->n_values++] = 0;
	step = value - c->values[i];
	c->values[i] = value;
	return step;
}

/*
 * A sample that brings the values of all counters of a group, or of its own: each
 * that went on has a sample here, with what it went on by for a period.
 */
static void count_values(struct pd_perf_counter *c, struct sample *s, bool is_swapped)
{
	const struct pd_perf_attr *a = &c->events->items[s->event].attr;
	const uint64_t format = a->read_format;
	size_t size = size_of_read(c, s, is_swapped), at = s->rest;
	size_t n_each = 1 + has_bit(format, PD_PERF_READ_ID) + has_bit(format, PD_PERF_READ_LOST);
	size_t n_times = has_bit(format, PD_PERF_READ_ENABLED) +
			 has_bit(format, PD_PERF_READ_RUNNING);
	bool is_group = format & PD_PERF_READ_GROUP;
	uint64_t n = 1;

	if (size == SIZE_MAX) {
		c->n_short++;
		return;
	}
	if (is_group) {
		n = pd_perf_u64(s->record.ptr + at, is_swapped);
		at += 8 * (1 + n_times);
	}
	for (uint64_t i = 0; i < n; i++, at += 8 * n_each) {
		uint64_t value = pd_perf_u64(s->record.ptr + at, is_swapped), id = 0;
		uint32_t event;

		/* Alone, the times stand between value and id. */
		if (format & PD_PERF_READ_ID)
			id = pd_perf_u64(s->record.ptr + at + 8 * (1 + (is_group ? 0 : n_times)),
					 is_swapped);
		event = pd_perf_events_find(c->events, id);
		if (event == PD_MAP_NONE) {
			c->n_unknown++;
			continue;
		}
		s->period = step_of(c, id, value);
		if (!s->period)
			continue;
		s->event = event;
		count_sample(c, s, is_swapped);
	}
}

/* The event of a sample, or PD_MAP_NONE. */
static inline uint32_t event_of(struct pd_perf_counter *c, struct pd_span record, bool is_swapped)
{
	uint64_t id;

	if (c->events->n <= 1 || !c->events->id_at)
		return c->events->n ? 0 : PD_MAP_NONE;
	if (record.len < c->events->id_at + 8u)
		return PD_MAP_NONE;
	id = pd_perf_u64(record.ptr + c->events->id_at, is_swapped);
	if (id != c->last_id || !id) {
		c->last_event = pd_perf_events_find(c->events, id);
		c->last_id = id;
	}
	return c->last_event;
}

static inline __attribute__((always_inline)) void
take_sample(struct pd_perf_counter *c, struct pd_span record, uint64_t position, bool is_swapped)
{
	const char *p = record.ptr;
	struct sample s = {.record = record, .event = event_of(c, record, is_swapped), .task = -1};
	const struct pd_perf_event *event;
	const struct pd_perf_layout *l;

	if (s.event == PD_MAP_NONE) {
		c->n_unknown++;
		return;
	}
	event = &c->events->items[s.event];
	l = &event->layout;
	if (record.len < l->n_fixed) {
		c->n_short++;
		return;
	}
	s.rest = l->n_fixed;
	s.mode = pd_perf_u16(p + 4, is_swapped) & PD_PERF_MODE_MASK;
	s.address = l->ip ? pd_perf_u64(p + l->ip, is_swapped) : 0;
	s.time = l->time ? pd_perf_u64(p + l->time, is_swapped) : 0;
	s.period = l->period ? pd_perf_u64(p + l->period, is_swapped) : event->attr.period;
	s.pid = s.tid = -1;
	if (l->tid) {
		s.pid = (int32_t)pd_perf_u32(p + l->tid, is_swapped);
		s.tid = (int32_t)pd_perf_u32(p + l->tid + 4, is_swapped);
		s.task = pd_perf_u64(p + l->tid, false);
	}
	s.version = pd_perf_place_version(&c->place, s.time, position);
	if (event->attr.sample_type & PD_PERF_READ)
		count_values(c, &s, is_swapped);
	else
		count_sample(c, &s, is_swapped);
}

/* Samples that have what is counted at equal places, and no more of it. */
static bool are_plain(const struct pd_perf_counter *c)
{
	const struct pd_perf_event *first = c->events->items;

	for (uint32_t i = 0; i < c->events->n; i++) {
		const struct pd_perf_event *x = &c->events->items[i];

		if (x->attr.sample_type & PD_PERF_READ ||
		    memcmp(&x->layout, &first->layout, sizeof(x->layout)) != 0 ||
		    !x->layout.tid || !x->layout.ip || !x->layout.time || !x->layout.period)
			return false;
	}
	return c->events->n > 0 && !c->has_filters && !c->request->wants_stacks;
}

/* The context of a plain sample, where it is not that of the last one of the mode. */
static __attribute__((noinline)) uint32_t
renew_context(struct pd_perf_counter *c, const char *p, uint32_t event, uint32_t version,
	      bool is_swapped)
{
	const struct pd_perf_layout *l = &c->events->items[event].layout;
	struct sample s = {
		.event = event,
		.version = version,
		.mode = pd_perf_u16(p + 4, is_swapped) & PD_PERF_MODE_MASK,
		.pid = (int32_t)pd_perf_u32(p + l->tid, is_swapped),
		.tid = (int32_t)pd_perf_u32(p + l->tid + 4, is_swapped),
		.task = pd_perf_u64(p + l->tid, false),
	};
	uint32_t context = context_of(c, &s);

	c->recent[s.mode] = (struct pd_perf_cached){s.task, version, event, context};
	return context;
}

/* Samples, as many plain ones as follow each other: where the next other record is. */
static inline __attribute__((always_inline)) const char *
count_plain(struct pd_perf_counter *c, const char *p, const char *end, uint64_t position,
	    bool is_swapped)
{
	const struct pd_perf_layout l = c->events->items[0].layout;
	const bool is_one = c->events->n == 1;
	const char *start = p;
	size_t size, usual = 0;

	while (end - p >= PD_PERF_HEADER_BYTES) {
		const struct pd_perf_cached *recent;
		uint64_t task, period;
		uint32_t event = 0, version, context;

		size = pd_perf_u16(p + 6, is_swapped);
		if (pd_perf_u32(p, is_swapped) != PD_PERF_SAMPLE || size < l.n_fixed ||
		    size > (size_t)(end - p))
			break;
		if (!is_one)
			event = event_of(c, (struct pd_span){p, size}, is_swapped);
		if (event == PD_MAP_NONE)
			break;
		task = pd_perf_u64(p + l.tid, false);
		version = pd_perf_place_version(&c->place, pd_perf_u64(p + l.time, is_swapped),
						position + (size_t)(p - start));
		recent = &c->recent[pd_perf_u16(p + 4, is_swapped) & PD_PERF_MODE_MASK];
		context = recent->context;
		if (recent->task != task || recent->version != version || recent->kind != event)
			context = renew_context(c, p, event, version, is_swapped);
		period = pd_perf_u64(p + l.period, is_swapped);
		if (context >= (uint32_t)CONTEXT_FILTERED)
			count_aside(c, context, event, period);
		else
			pd_perf_spots_add(&c->spots, context, pd_perf_u64(p + l.ip, is_swapped),
					  period);
		/* As in order.c: the next record need not wait for this size. */
		if (size == usual) {
			p += usual;
		} else {
			usual = size;
			p += size;
		}
	}
	return p;
}

/* Counts a batch; how much of it was used. */
static inline __attribute__((always_inline)) size_t
count_batch(struct pd_perf_counter *c, const struct pd_perf_stream *s, struct pd_span batch,
	    bool is_swapped)
{
	const char *p = batch.ptr, *end = batch.ptr + batch.len;

	while (end - p >= PD_PERF_HEADER_BYTES) {
		uint64_t position = s->position + (size_t)(p - batch.ptr);
		uint32_t type;
		size_t size;

		if (c->is_plain)
			p = count_plain(c, p, end, position, is_swapped);
		if (end - p < PD_PERF_HEADER_BYTES)
			break;
		position = s->position + (size_t)(p - batch.ptr);
		type = pd_perf_u32(p, is_swapped);
		size = pd_perf_u16(p + 6, is_swapped);
		if (size < PD_PERF_HEADER_BYTES || size > (size_t)(end - p))
			break;
		if (type == PD_PERF_SAMPLE)
			take_sample(c, (struct pd_span){p, size}, position, is_swapped);
		else if (type == PD_PERF_FINISHED_ROUND)
			pd_perf_place_mark(&c->place);
		else if (pd_perf_stream_wants(s, type))
			break;
		p += size;
	}
	return (size_t)(p - batch.ptr);
}

int pd_perf_counter_run(struct pd_perf_counter *c, struct pd_perf_stream *s, struct pd_error *err)
{
	struct pd_span batch;
	bool has_any = true;
	int rc = PD_OK;

	c->is_plain = are_plain(c);
	for (unsigned i = 0; i < 8; i++)
		c->recent[i].kind = UINT32_MAX; /* of no event */
	while (rc == PD_OK) {
		rc = pd_perf_stream_next(s, &batch, &has_any, err);
		if (rc != PD_OK || !has_any)
			break;
		pd_perf_stream_use(s, s->is_swapped ? count_batch(c, s, batch, true)
						    : count_batch(c, s, batch, false));
		if (c->failed || c->contexts.failed || c->spots.failed || c->chains.failed ||
		    c->spots.entries.failed || pd_perf_machine_is_failed(c->machine))
			rc = pd_fail_nomem(err);
	}
	return rc;
}
