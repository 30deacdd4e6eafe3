/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of records. Contract: order.h.
 */
#include "ingest/perfdata/order.h"

#include <stdlib.h>

#include "ingest/perfdata/bytes.h"
#include "ingest/perfdata/record.h"

void pd_perf_order_done(struct pd_perf_order *o)
{
	free(o->ops);
	free(o->limits);
	pd_buf_done(&o->records);
	*o = (struct pd_perf_order){0};
}

/* A round begins: its mark will deliver what was queued before the mark before it. */
static int add_round(struct pd_perf_order *o, uint64_t limit, struct pd_error *err)
{
	if (o->n_rounds == o->cap_rounds) {
		size_t cap = o->cap_rounds ? 2 * o->cap_rounds : 64;
		uint64_t *limits = realloc(o->limits, cap * sizeof(*limits));

		if (!limits)
			return pd_fail_nomem(err);
		o->limits = limits;
		o->cap_rounds = cap;
	}
	o->limits[o->n_rounds++] = limit;
	return PD_OK;
}

static uint64_t stage_of(const struct pd_perf_order *o, size_t round, uint64_t time)
{
	if (!pd_perf_is_queued(time))
		return 2 * round + 1;
	/* The end of the file delivers all of the last round. */
	if (time <= o->limits[round] || round + 1 == o->n_rounds)
		return 2 * round + 2;
	return 2 * round + 4;
}

static int add_op(struct pd_perf_order *o, struct pd_span record, uint64_t time, uint64_t position,
		  struct pd_error *err)
{
	if (o->n_ops == o->cap_ops) {
		size_t cap = o->cap_ops ? 2 * o->cap_ops : 256;
		struct pd_perf_op *ops = realloc(o->ops, cap * sizeof(*ops));

		if (!ops)
			return pd_fail_nomem(err);
		o->ops = ops;
		o->cap_ops = cap;
	}
	if (o->n_ops >= UINT32_MAX - 1)
		return pd_fail(err, PD_ERR_LIMIT, "more than %u mappings and tasks",
			       UINT32_MAX - 1);
	o->ops[o->n_ops++] = (struct pd_perf_op){
		.stage = o->n_rounds - 1, /* the round, until it is known which is the last */
		.time = pd_perf_is_queued(time) ? time : 0,
		.position = position,
		.record = o->records.len,
	};
	pd_buf_add(&o->records, record.ptr, record.len);
	return o->records.failed ? pd_fail_nomem(err) : PD_OK;
}

/* A number of the trailer that stands so many bytes before the end; 0: it is not there. */
static uint64_t trailer_u64(const struct pd_perf_file *f, struct pd_span record, size_t back)
{
	if (!back || record.len < PD_PERF_HEADER_BYTES + (size_t)f->events.n_trailer)
		return 0;
	return pd_perf_u64(record.ptr + record.len - back, f->is_swapped);
}

/* A record of the kernel that is no sample. */
static int take_side(struct pd_perf_order *o, struct pd_perf_file *f, struct pd_span record,
		     uint64_t position, struct pd_error *err)
{
	uint64_t time = trailer_u64(f, record, f->events.trailer_time);
	struct pd_span body = pd_span_sub(record, PD_PERF_HEADER_BYTES, record.len);

	if (pd_perf_is_queued(time) && time > o->latest)
		o->latest = time;
	switch (pd_perf_u32(record.ptr, f->is_swapped)) {
	case PD_PERF_MMAP:
	case PD_PERF_MMAP2:
	case PD_PERF_COMM:
	case PD_PERF_FORK:
	case PD_PERF_KSYMBOL:
		return add_op(o, record, time, position, err);
	case PD_PERF_THROTTLE:
		o->n_throttled++;
		return PD_OK;
	case PD_PERF_LOST:
		if (body.len >= 16)
			o->n_lost_records += pd_perf_u64(body.ptr + 8, f->is_swapped);
		return PD_OK;
	case PD_PERF_LOST_SAMPLES:
		if (body.len >= 8)
			o->n_lost_samples += pd_perf_u64(body.ptr, f->is_swapped);
		o->has_lost = true;
		return PD_OK;
	default:
		return PD_OK;
	}
}

/* Where the time of samples is, of all events; UINT16_MAX: each in its place. */
static uint16_t time_of_all(const struct pd_perf_events *e)
{
	uint16_t at = e->n ? e->items[0].layout.time : 0;

	for (uint32_t i = 1; i < e->n; i++)
		if (e->items[i].layout.time != at)
			return UINT16_MAX;
	return at;
}

/* The same for one sample. */
static uint16_t time_of_one(const struct pd_perf_file *f, struct pd_span sample)
{
	uint32_t event = 0;

	if (f->events.id_at && sample.len >= f->events.id_at + 8u)
		event = pd_perf_events_find(&f->events,
					    pd_perf_u64(sample.ptr + f->events.id_at,
							f->is_swapped));
	return event == PD_MAP_NONE ? 0 : f->events.items[event].layout.time;
}

/*
 * Samples, as many as follow each other: where the next other record is. Most of
 * the time of a scan is spent here.
 */
static inline __attribute__((always_inline)) const char *
scan_samples(struct pd_perf_order *o, const struct pd_perf_file *f, const char *p,
	     const char *end, uint16_t time_at, bool is_swapped)
{
	uint64_t first = o->first, last = o->last, n = 0;
	size_t size, usual = 0;

	while (end - p >= PD_PERF_HEADER_BYTES) {
		uint64_t time = 0;
		uint16_t at = time_at;

		if (pd_perf_u32(p, is_swapped) != PD_PERF_SAMPLE)
			break;
		size = pd_perf_u16(p + 6, is_swapped);
		if (size < PD_PERF_HEADER_BYTES || size > (size_t)(end - p))
			break;
		if (at == UINT16_MAX)
			at = time_of_one(f, (struct pd_span){p, size});
		if (at && size >= at + 8u)
			time = pd_perf_u64(p + at, is_swapped);
		if (pd_perf_is_queued(time)) {
			first = time < first ? time : first;
			last = time > last ? time : last;
		}
		n++;
		/* Guessing the size spares the wait for it: the next one begins at once. */
		if (size == usual) {
			p += usual;
		} else {
			usual = size;
			p += size;
		}
	}
	o->first = first;
	o->last = last;
	o->n_samples += n;
	if (last > o->latest)
		o->latest = last;
	return p;
}

/* Scans a batch; *ret_n is how much of it was used. */
static int scan_batch(struct pd_perf_order *o, struct pd_perf_file *f, struct pd_perf_stream *s,
		      struct pd_span batch, size_t *ret_n, struct pd_error *err)
{
	const char *p = batch.ptr, *end = batch.ptr + batch.len;
	uint16_t time_at = time_of_all(&f->events);
	int rc = PD_OK;

	while (rc == PD_OK && end - p >= PD_PERF_HEADER_BYTES) {
		uint32_t type = pd_perf_u32(p, f->is_swapped);
		size_t size = pd_perf_u16(p + 6, f->is_swapped);
		struct pd_span record = {p, size};

		if (size < PD_PERF_HEADER_BYTES || size > (size_t)(end - p) ||
		    pd_perf_stream_wants(s, type))
			break;
		if (type == PD_PERF_SAMPLE) {
			p = f->is_swapped ? scan_samples(o, f, p, end, time_at, true)
					  : scan_samples(o, f, p, end, time_at, false);
			continue;
		}
		if (type == PD_PERF_FINISHED_ROUND) {
			rc = add_round(o, o->latest, err);
		} else if (type < PD_PERF_USER_TYPES) {
			rc = take_side(o, f, record, s->position + (size_t)(p - batch.ptr), err);
		} else {
			rc = pd_perf_file_take_record(f, record, err);
			time_at = time_of_all(&f->events);
		}
		p += size;
	}
	*ret_n = (size_t)(p - batch.ptr);
	return rc;
}

int pd_perf_order_scan(struct pd_perf_order *o, struct pd_perf_file *f, struct pd_perf_stream *s,
		       struct pd_error *err)
{
	struct pd_span batch;
	bool has_any = true;
	int rc = PD_OK;

	if (!o->n_rounds) {
		o->first = UINT64_MAX;
		rc = add_round(o, 0, err);
	}
	while (rc == PD_OK) {
		size_t n = 0;

		rc = pd_perf_stream_next(s, &batch, &has_any, err);
		if (rc != PD_OK || !has_any)
			break;
		rc = scan_batch(o, f, s, batch, &n, err);
		pd_perf_stream_use(s, n);
	}
	return rc;
}

static int compare_ops(const void *a, const void *b)
{
	const struct pd_perf_op *x = a, *y = b;

	if (x->stage != y->stage)
		return x->stage < y->stage ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->position < y->position ? -1 : x->position > y->position;
}

void pd_perf_order_sort(struct pd_perf_order *o)
{
	for (size_t i = 0; i < o->n_ops; i++)
		o->ops[i].stage = stage_of(o, (size_t)o->ops[i].stage, o->ops[i].time);
	if (o->n_ops)
		qsort(o->ops, o->n_ops, sizeof(*o->ops), compare_ops);
}

struct pd_span pd_perf_op_record(const struct pd_perf_order *o, const struct pd_perf_op *op,
				 bool is_swapped)
{
	const char *p = o->records.ptr + op->record;

	return (struct pd_span){p, pd_perf_u16(p + 6, is_swapped)};
}

void pd_perf_place_mark(struct pd_perf_place *p)
{
	if (p->round + 1 < p->order->n_rounds)
		p->round++;
	p->read = p->early = p->late = (struct pd_perf_interval){0};
}

uint32_t pd_perf_place_search(struct pd_perf_place *p, uint64_t time, uint64_t position)
{
	const struct pd_perf_order *o = p->order;
	bool is_queued = pd_perf_is_queued(time);
	struct pd_perf_op key = {
		.stage = stage_of(o, p->round, time),
		.time = is_queued ? time : 0,
		.position = position,
	};
	struct pd_perf_interval *i = time <= o->limits[p->round] ? &p->early : &p->late;
	size_t low = 0, high = o->n_ops;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_ops(&o->ops[mid], &key) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (!is_queued)
		i = &p->read;
	*i = (struct pd_perf_interval){.after = 0, .before = UINT64_MAX, .version = (uint32_t)low};
	if (low && o->ops[low - 1].stage == key.stage)
		i->after = is_queued ? o->ops[low - 1].time : o->ops[low - 1].position;
	if (low < o->n_ops && o->ops[low].stage == key.stage)
		i->before = is_queued ? o->ops[low].time : o->ops[low].position;
	return (uint32_t)low;
}
