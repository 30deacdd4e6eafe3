/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The second reading: every sample is counted where it belongs. What a sample needs
 * of the machine is its version (order.h), its task and its mode; the address is
 * looked up once for all samples of a spot or a chain.
 */
#ifndef PD_INGEST_PERFDATA_COUNTER_H
#define PD_INGEST_PERFDATA_COUNTER_H

#include "ingest/ingest.h"
#include "ingest/perfdata/chains.h"
#include "ingest/perfdata/file.h"
#include "ingest/perfdata/spots.h"

/* The context of samples of a task, for those that come next. */
struct pd_perf_cached {
	uint64_t task; /* pid and tid as recorded */
	uint32_t version, kind; /* event and mode; 0: a free entry */
	uint32_t context;
};

enum { PD_PERF_N_CACHED = 1024 };


/* Free with pd_perf_counter_done(). */
struct pd_perf_counter {
	const struct pd_perf_events *events;
	const struct pd_perf_order *order;
	struct pd_perf_machine *machine;
	const struct pd_request *request; /* all zero: all samples */
	struct pd_perf_place place;
	struct pd_perf_contexts contexts;
	struct pd_perf_spots spots;
	struct pd_perf_chains chains;
	struct pd_perf_cached *cached;
	struct pd_perf_cached recent[8]; /* [mode] of the last sample */
	bool is_plain; /* samples have one layout, and nothing is asked of them but counts */
	struct pd_count *filtered, *guests; /* [event] */
	struct pd_map value_ids;            /* of ids */
	uint64_t *values;
	uint32_t n_values, cap_values;
	uint64_t last_id; /* of a sample, */
	uint32_t last_event; /* and whose it is */
	uint64_t from, to;   /* times that are wanted, in ns, included */
	bool has_filters;    /* that look at each sample */
	uint64_t n_unknown;  /* samples of ids that no event has */
	uint64_t n_short;    /* samples that lack fields */
	bool failed;         /* latched: out of memory */
};

/*
 * What is given must outlive it; all operations of order are applied to machine.
 * Errors: NOMEM; MISMATCH, where samples lack what the request asks for.
 */
int pd_perf_counter_init(struct pd_perf_counter *c, const struct pd_perf_events *events,
			 const struct pd_perf_order *order, struct pd_perf_machine *machine,
			 const struct pd_request *request, struct pd_error *err) PD_MUST_USE;
void pd_perf_counter_done(struct pd_perf_counter *c);
/* Count the samples of a stream. Errors: those of streams, NOMEM. */
int pd_perf_counter_run(struct pd_perf_counter *c, struct pd_perf_stream *s,
			struct pd_error *err) PD_MUST_USE;

#endif
