/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order in which perf takes the records of a recording, which is not that of
 * the file: each processor wrote its own buffer.
 *
 * Records with a time are queued. A mark (FINISHED_ROUND) delivers, by time, those
 * not later than the latest one that was queued before the mark before; the end of
 * the file delivers the rest. Records without a time (or with 0 or -1) are taken as
 * they are read. So a record of round n, the one that ends with mark n, is delivered
 * by mark n or by the next one, and its place in the order is
 *
 *   stage      2n - 1: as it is read; 2n: by mark n; 2n + 2: by the next
 *   time       within a stage; 0 for those without one
 *   position   in the file, for equal times
 *
 * Only records that change what addresses mean are kept, as operations; a version
 * is the number of operations before a place in the order. The file is read once
 * for them and once for the samples, so that memory does not grow with these.
 */
#ifndef PD_INGEST_PERFDATA_ORDER_H
#define PD_INGEST_PERFDATA_ORDER_H

#include "ingest/perfdata/file.h"
#include "ingest/perfdata/stream.h"

struct pd_perf_op {
	uint64_t stage, time, position;
	size_t record; /* where it is in the bytes of all */
};

/* Zero-initialise; free with pd_perf_order_done(). */
struct pd_perf_order {
	struct pd_perf_op *ops; /* sorted by pd_perf_order_sort() */
	size_t n_ops, cap_ops;
	struct pd_buf records;
	uint64_t *limits; /* [round]: the latest time that its mark delivers */
	size_t n_rounds, cap_rounds;
	uint64_t latest;     /* queued so far */
	uint64_t first, last; /* times of samples; first > last: there is none */
	uint64_t n_samples;
	uint64_t n_lost_records, n_throttled;
	uint64_t n_lost_samples; /* that the kernel dropped, of all events */
	bool has_lost; /* LOST_SAMPLES records are there */
};

void pd_perf_order_done(struct pd_perf_order *o);
/*
 * Read a stream for its operations, and for what f lacks of the header. Errors:
 * those of streams, NOMEM, LIMIT.
 */
int pd_perf_order_scan(struct pd_perf_order *o, struct pd_perf_file *f, struct pd_perf_stream *s,
		       struct pd_error *err) PD_MUST_USE;
/* All streams are scanned. */
void pd_perf_order_sort(struct pd_perf_order *o);
/* The bytes of an operation's record. */
struct pd_span pd_perf_op_record(const struct pd_perf_order *o, const struct pd_perf_op *op,
				 bool is_swapped);

/* Places between two operations that follow each other. Zero-initialised: none. */
struct pd_perf_interval {
	uint64_t after, before; /* excluded: times, in stages without these positions */
	uint32_t version;
};

/* A walk over the samples of the streams, in the order in which they were scanned. */
struct pd_perf_place {
	const struct pd_perf_order *order;
	size_t round; /* counted from 0 */
	struct pd_perf_interval read, early, late; /* of the three stages of the round */
};

static inline bool pd_perf_is_queued(uint64_t time)
{
	return time + 1 > 1;
}

/* A mark was read. */
void pd_perf_place_mark(struct pd_perf_place *p);
uint32_t pd_perf_place_search(struct pd_perf_place *p, uint64_t time, uint64_t position);

/* The version at a sample of that time (0: none) and position. */
static inline uint32_t pd_perf_place_version(struct pd_perf_place *p, uint64_t time,
					     uint64_t position)
{
	const struct pd_perf_interval *i;
	uint64_t x = time;

	if (!pd_perf_is_queued(time)) {
		i = &p->read;
		x = position;
	} else {
		i = time <= p->order->limits[p->round] ? &p->early : &p->late;
	}
	if (x > i->after && x < i->before)
		return i->version;
	return pd_perf_place_search(p, time, position);
}

#endif
