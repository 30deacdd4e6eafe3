/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events of a recording: perf_event_attr of any size, where the fields of its
 * samples are, and the name that perf gives it.
 */
#ifndef PD_INGEST_PERFDATA_EVENT_H
#define PD_INGEST_PERFDATA_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/text.h"
#include "model/unit.h"

enum {
	PD_PERF_ATTR_MIN = 64, /* bytes of the oldest perf_event_attr */
	PD_PERF_TYPE_SOFTWARE = 1,
};

/* Flags of perf_event_attr that matter here, by bit. */
enum pd_perf_attr_flag {
	PD_PERF_EXCLUDE_USER = 4,
	PD_PERF_EXCLUDE_KERNEL = 5,
	PD_PERF_EXCLUDE_HV = 6,
	PD_PERF_FREQ = 10,
	PD_PERF_PRECISE = 15, /* two bits */
	PD_PERF_SAMPLE_ID_ALL = 18,
	PD_PERF_EXCLUDE_HOST = 19,
	PD_PERF_EXCLUDE_GUEST = 20,
};

struct pd_perf_attr {
	uint32_t type;
	uint64_t config;
	uint64_t period; /* or frequency */
	uint64_t sample_type, read_format, flags;
	uint64_t breakpoint; /* its address; else config1 */
	uint32_t breakpoint_type;
};

/*
 * Where the fields of a sample are, in bytes from the beginning of the record; 0:
 * not there. All fields up to those of variable length, which begin at n_fixed.
 */
struct pd_perf_layout {
	uint16_t ip, tid, time, id, cpu, period;
	uint16_t n_fixed;
};

struct pd_perf_event {
	struct pd_perf_attr attr;
	struct pd_perf_layout layout;
	char *name; /* as recorded, or NULL */
};

/* Zero-initialise; free with pd_perf_events_done(). */
struct pd_perf_events {
	struct pd_perf_event *items;
	uint32_t n, cap;
	struct pd_map ids;    /* of samples: which event */
	uint16_t id_at;       /* of a sample, from its beginning; 0: there is none */
	uint16_t n_trailer;   /* bytes behind other records */
	uint16_t trailer_time; /* back from the end of the record; 0: not there */
};

static inline bool pd_perf_has(const struct pd_perf_attr *a, enum pd_perf_attr_flag flag)
{
	return a->flags >> flag & 1;
}

void pd_perf_events_done(struct pd_perf_events *e);
/*
 * Add the event of a perf_event_attr, all the bytes that are there of it, at least
 * PD_PERF_ATTR_MIN. Errors: FORMAT, NOMEM.
 */
int pd_perf_events_add(struct pd_perf_events *e, struct pd_span attr, bool is_swapped,
		       struct pd_error *err) PD_MUST_USE;
/* The ids of the event added last. Errors: NOMEM. */
int pd_perf_events_add_ids(struct pd_perf_events *e, struct pd_span ids, bool is_swapped,
			   struct pd_error *err) PD_MUST_USE;
/* Index of the event of an id, of the first one for 0; PD_MAP_NONE: no event has it. */
uint32_t pd_perf_events_find(const struct pd_perf_events *e, uint64_t id);
/* Give an event the name that was recorded; the first one stays. Errors: NOMEM. */
int pd_perf_event_set_name(struct pd_perf_event *event, struct pd_span name,
			   struct pd_error *err) PD_MUST_USE;
/* The name as perf report has it, appended. */
void pd_perf_event_name(const struct pd_perf_event *event, struct pd_buf *out);
enum pd_unit pd_perf_event_unit(const struct pd_perf_event *event);

#endif
