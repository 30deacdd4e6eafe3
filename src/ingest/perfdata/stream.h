/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of one file in the order in which they stand there: those of
 * COMPRESSED records come in place of these, what stands behind AUXTRACE records
 * is left out. Bytes come in batches, so that whoever counts samples can do it in
 * a loop of its own.
 */
#ifndef PD_INGEST_PERFDATA_STREAM_H
#define PD_INGEST_PERFDATA_STREAM_H

#include "base/limits.h"
#include "ingest/perfdata/record.h"
#include "io/inflate.h"
#include "io/progress.h"

enum pd_perf_end {
	PD_PERF_END_WHOLE,   /* behind a whole record */
	PD_PERF_END_CUT,     /* within one */
	PD_PERF_END_CORRUPT, /* at one that cannot be */
};

/* Free with pd_perf_stream_done(). */
struct pd_perf_stream {
	const char *place; /* in the file: of the record to come */
	const char *file_end;
	bool is_swapped, is_pipe;
	struct pd_inflater *inflater;
	struct pd_span piece;    /* what is to be decompressed of a COMPRESSED record, */
	bool has_piece;          /* while there is one */
	struct pd_buf inflated;  /* a part of what it becomes, */
	size_t inflated_at;      /* and how far that is used */
	bool gave_inflated;      /* in the last batch */
	size_t n_inflated, max_inflated; /* bytes in all */
	uint64_t position; /* bytes of records so far: where a record stands among all */
	enum pd_perf_end end;
	struct pd_progress *progress; /* told of each second byte, since files are read twice */
	const char *told; /* up to there */
};

/*
 * records: borrowed. They are read twice, so that a mapping of them costs less than to
 * copy them: its pages are found once.
 */
void pd_perf_stream_init(struct pd_perf_stream *s, struct pd_span records,
			 const struct pd_limits *limits);
void pd_perf_stream_done(struct pd_perf_stream *s);
/*
 * The bytes to come: at least one whole record, maybe a part of one at the end.
 * False at the end of the file, see end. Valid until the next call. Errors: LIMIT,
 * FORMAT, UNSUPPORTED, NOMEM of decompression.
 */
int pd_perf_stream_next(struct pd_perf_stream *s, struct pd_span *ret_batch, bool *ret_has_any,
			struct pd_error *err) PD_MUST_USE;
/* So many bytes of the batch, whole records, are done. */
void pd_perf_stream_use(struct pd_perf_stream *s, size_t n_bytes);
/* Whether the stream itself looks after records of that type: a batch ends before one. */
static inline bool pd_perf_stream_wants(const struct pd_perf_stream *s, uint32_t type)
{
	return type == PD_PERF_COMPRESSED || type == PD_PERF_COMPRESSED2 ||
	       type == PD_PERF_AUXTRACE || (type == PD_PERF_HEADER_TRACING_DATA && s->is_pipe);
}

#endif
