/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings for unit tests, written record by record in either byte order, and
 * what the reader makes of them as a text.
 */
#ifndef PD_UNIT_SUPPORT_PERFDATA_H
#define PD_UNIT_SUPPORT_PERFDATA_H

#include "support.h"

/* Of sample_type. */
enum {
	UT_IP = 1, UT_TID = 2, UT_TIME = 4, UT_READ = 16, UT_CALLCHAIN = 32, UT_ID = 64,
	UT_CPU = 128, UT_PERIOD = 256, UT_IDENTIFIER = 1 << 16,
	UT_PLAIN = UT_IP | UT_TID | UT_TIME | UT_PERIOD,
};

enum { UT_KERNEL = 1, UT_USER = 2 }; /* of misc */

/* An event; one id, 0: none. */
struct ut_perf_event {
	uint32_t type;
	uint64_t config, period, sample_type, read_format, id;
};

/* A recording that is being written. */
struct ut_perf {
	struct pd_buf records;
	bool is_swapped;
	uint64_t sample_type; /* of samples and trailers */
	uint32_t attr_size;   /* 0: 64 */
	struct ut_perf_event events[4];
	uint32_t n_events;
	uint64_t id;   /* of the samples to come */
	uint32_t cpu;  /* the same */
	uint64_t time; /* of the records to come; samples count it up by one */
};

void ut_perf_u16(struct ut_perf *p, uint16_t x);
void ut_perf_u32(struct ut_perf *p, uint32_t x);
void ut_perf_u64(struct ut_perf *p, uint64_t x);
/* A record of any type: between begin and end its body is written. */
size_t ut_perf_begin(struct ut_perf *p, uint32_t type, uint16_t misc);
void ut_perf_end(struct ut_perf *p, size_t begin);
/* The same with the trailer of a kernel's record. */
void ut_perf_end_side(struct ut_perf *p, size_t begin, uint32_t pid, uint32_t tid);
void ut_perf_mmap(struct ut_perf *p, uint16_t mode, uint32_t pid, uint64_t start, uint64_t len,
		  uint64_t offset, const char *name);
void ut_perf_comm(struct ut_perf *p, uint32_t pid, uint32_t tid, const char *name);
void ut_perf_fork(struct ut_perf *p, uint32_t pid, uint32_t tid, uint32_t parent_pid,
		  uint32_t parent_tid);
/* FINISHED_ROUND */
void ut_perf_round(struct ut_perf *p);
/* A sample with a period of 10; frames: n of a call chain, if that is recorded. */
void ut_perf_sample(struct ut_perf *p, uint16_t mode, uint32_t pid, uint32_t tid, uint64_t address,
		    const uint64_t *frames, size_t n);
void ut_perf_done(struct ut_perf *p);

/* The file: PERFILE2 with header, ids, events and records. The caller frees it. */
struct pd_buf ut_perf_file(const struct ut_perf *p);
/* The same as a pipe. */
struct pd_buf ut_perf_pipe(const struct ut_perf *p);
/*
 * What the reader says of bytes: for each event "NAME TOTAL/SAMPLES:", then for each
 * site "MODULE+ADDRESS=SAMPLES", then "|" and comms "NAME=SAMPLES", then "~N" of the
 * filtered. Or "error N". The caller frees it.
 */
char *ut_perf_dump(struct pd_span bytes, const struct pd_request *request);
/* That it says that; p is written as a file, and done with. */
#define ut_perf_assert(p, request, want) ut_perf_assert_at(p, request, want, __FILE__, __LINE__)
void ut_perf_assert_at(struct ut_perf *p, const struct pd_request *request, const char *want,
		       const char *file, int line);

#endif
