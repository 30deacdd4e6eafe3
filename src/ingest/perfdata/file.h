/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file around the records: its header, the events, and the features, which
 * say what was recorded, where and how. In pipes these come as records instead.
 */
#ifndef PD_INGEST_PERFDATA_FILE_H
#define PD_INGEST_PERFDATA_FILE_H

#include "base/arena.h"
#include "ingest/perfdata/event.h"

/* A build-id of the header. */
struct pd_perf_build_id {
	struct pd_span name; /* of the file */
	bool is_kernel;      /* the kernel or a module of it */
	uint8_t n_bytes;
	uint8_t bytes[20];
};

/* What the features tell. Strings are NULL where they do not. */
struct pd_perf_features {
	const char *hostname, *release, *version, *arch, *cpu, *command;
	uint32_t n_cpus, n_cpus_online;
	bool has_clock; /* the wall clock was wall_ns when the clock of samples was clock_ns */
	uint64_t wall_ns, clock_ns;
	struct pd_perf_build_id *build_ids;
	uint32_t n_build_ids, cap_build_ids;
};

/* Zero-initialise; free with pd_perf_file_done(). */
struct pd_perf_file {
	struct pd_span bytes; /* borrowed */
	struct pd_span records; /* where they are in bytes */
	bool is_swapped, is_pipe;
	bool is_truncated; /* the recorder did not finish it, or its end is missing */
	struct pd_perf_events events;
	struct pd_perf_features features;
	struct pd_arena arena; /* of features */
};

/* Whether bytes begin as a recording does. */
bool pd_perf_is_file(struct pd_span head);
/* Read header, events and features of bytes, which must outlive it. Errors: FORMAT, NOMEM. */
int pd_perf_file_open(struct pd_span bytes, struct pd_perf_file *ret_file,
		      struct pd_error *err) PD_MUST_USE;
void pd_perf_file_done(struct pd_perf_file *f);
/*
 * A record that stands for a part of the header: HEADER_ATTR, HEADER_BUILD_ID,
 * HEADER_FEATURE, EVENT_UPDATE; others are ignored. Errors: FORMAT, NOMEM.
 */
int pd_perf_file_take_record(struct pd_perf_file *f, struct pd_span record,
			     struct pd_error *err) PD_MUST_USE;
/* The body of a feature. What is malformed in it is left out. Errors: NOMEM. */
int pd_perf_feature_take(struct pd_perf_file *f, uint64_t feature, struct pd_span body,
			 struct pd_error *err) PD_MUST_USE;
/* Build-ids one after the other, as a feature or a record has them. Errors: NOMEM. */
int pd_perf_build_ids_take(struct pd_perf_file *f, struct pd_span body,
			   struct pd_error *err) PD_MUST_USE;

#endif
