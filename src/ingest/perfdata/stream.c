/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Streams. Contract: stream.h.
 *
 * All COMPRESSED records of a file are pieces of one zstd stream, and a record may
 * end in the next piece: what is left of a piece waits at the front of inflated.
 */
#include "ingest/perfdata/stream.h"

#include "ingest/perfdata/bytes.h"

enum { BATCH_BYTES = 1 << 20 }; /* more than any record; told as progress at once */

void pd_perf_stream_init(struct pd_perf_stream *s, struct pd_span records,
			 const struct pd_limits *limits)
{
	*s = (struct pd_perf_stream){.max_inflated = limits->inflated_bytes};
	if (!records.ptr)
		records.ptr = "";
	s->place = s->told = records.ptr;
	s->file_end = records.ptr + records.len;
}

void pd_perf_stream_done(struct pd_perf_stream *s)
{
	pd_inflater_free(s->inflater);
	pd_buf_done(&s->inflated);
}

static struct pd_span rest_of_inflated(const struct pd_perf_stream *s)
{
	return pd_span_sub(pd_buf_span(&s->inflated), s->inflated_at, s->inflated.len);
}

/* The next bytes of the file: all of the record at their front, if it is there. */
static struct pd_span look(struct pd_perf_stream *s)
{
	size_t left = (size_t)(s->file_end - s->place);

	if (s->place - s->told >= BATCH_BYTES || !left) {
		pd_progress_add(s->progress, (uint64_t)(s->place - s->told) / 2);
		s->told = s->place;
	}
	return (struct pd_span){s->place, left < BATCH_BYTES ? left : BATCH_BYTES};
}

/* The compressed bytes in a COMPRESSED record. */
static struct pd_span piece_of(const struct pd_perf_stream *s, struct pd_span record)
{
	size_t head = PD_PERF_HEADER_BYTES;

	if (pd_perf_u32(record.ptr, s->is_swapped) == PD_PERF_COMPRESSED2) {
		struct pd_span body = pd_span_sub(record, head, record.len);
		uint64_t n_bytes = body.len < 8 ? 0 : pd_perf_u64(body.ptr, s->is_swapped);

		head += 8;
		if (record.len > head && n_bytes < record.len - head)
			record.len = head + (size_t)n_bytes;
	}
	return pd_span_sub(record, head, record.len);
}

static int inflate_some(struct pd_perf_stream *s, struct pd_error *err)
{
	struct pd_span rest = rest_of_inflated(s);
	bool is_done = false;
	int rc;

	if (!s->inflater)
		s->inflater = pd_inflater_new();
	if (s->inflated_at && rest.len)
		memmove(s->inflated.ptr, rest.ptr, rest.len);
	s->inflated.len = rest.len;
	s->inflated_at = 0;
	rc = pd_inflater_feed(s->inflater, &s->piece, &s->inflated, &is_done, err);
	if (rc != PD_OK)
		return rc;
	s->has_piece = !is_done;
	s->n_inflated += s->inflated.len - rest.len;
	if (s->n_inflated > s->max_inflated)
		return pd_fail(err, PD_ERR_LIMIT, "records decompress to more than %zu bytes; "
			       "--max-inflated raises this limit", s->max_inflated);
	return PD_OK;
}

/* Go over so many bytes of the file, if they are there. */
static void skip(struct pd_perf_stream *s, uint64_t n_bytes)
{
	size_t left = (size_t)(s->file_end - s->place);

	if (n_bytes > left) {
		s->end = PD_PERF_END_CUT;
		n_bytes = left;
	}
	s->place += n_bytes;
}

/* A record that the stream looks after itself. */
static void take_own(struct pd_perf_stream *s, struct pd_span record)
{
	uint32_t type = pd_perf_u32(record.ptr, s->is_swapped);
	struct pd_span body = pd_span_sub(record, PD_PERF_HEADER_BYTES, record.len);
	uint64_t n_behind = 0;

	s->position += record.len;
	if (type == PD_PERF_AUXTRACE && body.len >= 8) {
		n_behind = pd_perf_u64(body.ptr, s->is_swapped);
	} else if (type == PD_PERF_HEADER_TRACING_DATA && body.len >= 4) {
		n_behind = ((uint64_t)pd_perf_u32(body.ptr, s->is_swapped) + 7) & ~UINT64_C(7);
	} else if (type == PD_PERF_COMPRESSED || type == PD_PERF_COMPRESSED2) {
		s->piece = piece_of(s, record);
		s->has_piece = true;
	}
	s->place += record.len;
	if (n_behind)
		skip(s, n_behind);
}

/* Whether there is a whole record at the front of what was decompressed. */
static bool has_inflated(struct pd_perf_stream *s)
{
	struct pd_span rest = rest_of_inflated(s);
	size_t size;

	if (rest.len < PD_PERF_HEADER_BYTES)
		return false;
	size = pd_perf_u16(rest.ptr + 6, s->is_swapped);
	if (size < PD_PERF_HEADER_BYTES ||
	    pd_perf_stream_wants(s, pd_perf_u32(rest.ptr, s->is_swapped)))
		s->end = PD_PERF_END_CORRUPT;
	return size <= rest.len;
}

int pd_perf_stream_next(struct pd_perf_stream *s, struct pd_span *ret_batch, bool *ret_has_any,
			struct pd_error *err)
{
	int rc = PD_OK;

	*ret_has_any = false;
	while (rc == PD_OK && s->end == PD_PERF_END_WHOLE) {
		struct pd_span view;
		size_t size;

		if (has_inflated(s)) {
			if (s->end != PD_PERF_END_WHOLE)
				break;
			*ret_batch = rest_of_inflated(s);
			*ret_has_any = s->gave_inflated = true;
			return PD_OK;
		}
		if (s->has_piece) {
			rc = inflate_some(s, err);
			continue;
		}
		if (s->end != PD_PERF_END_WHOLE)
			break;
		view = look(s);
		size = view.len < PD_PERF_HEADER_BYTES ? 0
						       : pd_perf_u16(view.ptr + 6, s->is_swapped);
		if (!view.len) {
			if (rest_of_inflated(s).len)
				s->end = PD_PERF_END_CUT;
			return PD_OK;
		}
		if (view.len < PD_PERF_HEADER_BYTES || size > view.len) {
			s->end = PD_PERF_END_CUT;
		} else if (size < PD_PERF_HEADER_BYTES) {
			s->end = PD_PERF_END_CORRUPT;
		} else if (pd_perf_stream_wants(s, pd_perf_u32(view.ptr, s->is_swapped))) {
			take_own(s, pd_span_sub(view, 0, size));
		} else {
			*ret_batch = view;
			*ret_has_any = true;
			s->gave_inflated = false;
			return PD_OK;
		}
	}
	return rc;
}

void pd_perf_stream_use(struct pd_perf_stream *s, size_t n_bytes)
{
	s->position += n_bytes;
	if (s->gave_inflated)
		s->inflated_at += n_bytes;
	else
		s->place += n_bytes;
}
