/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The header of perf.data (tools/perf/Documentation/perf.data-file-format.txt of
 * Linux). Contract: file.h. A section that reaches beyond the end of the file is
 * what is there of it.
 *
 *   "PERFILE2", u64 size of this header
 *   u64 size of an entry of attrs
 *   {u64 offset, u64 size} of attrs, of the records, of event types (not used)
 *   u64 features[4]: a bit each
 *   ...
 *   records
 *   {u64 offset, u64 size} for each feature
 */
#include "ingest/perfdata/file.h"

#include <stdlib.h>

#include "ingest/perfdata/bytes.h"
#include "ingest/perfdata/record.h"

enum {
	MAGIC_BYTES = 8,
	PIPE_HEADER = 16,
	HEADER_NO_FEATURES = 72,
	HEADER_FULL = 104,
	SECTION_BYTES = 16,
	FEATURE_WORDS = 4,
	FEATURE_HOSTNAME = 3,
	FEATURE_BUILD_ID = 2,
};

bool pd_perf_is_file(struct pd_span head)
{
	return pd_span_starts(head, "PERFILE2") || pd_span_starts(head, "2ELIFREP") ||
	       pd_span_starts(head, "PERFFILE");
}

void pd_perf_file_done(struct pd_perf_file *f)
{
	pd_perf_events_done(&f->events);
	free(f->features.build_ids);
	pd_arena_done(&f->arena);
	*f = (struct pd_perf_file){0};
}

static uint64_t u64_at(const struct pd_perf_file *f, size_t at)
{
	return pd_perf_u64(f->bytes.ptr + at, f->is_swapped);
}

/* What is there of the bytes [offset, offset + size) of the file. */
static struct pd_span section(const struct pd_perf_file *f, uint64_t offset, uint64_t size)
{
	size_t from = offset < f->bytes.len ? (size_t)offset : f->bytes.len;
	size_t left = f->bytes.len - from;

	return pd_span_sub(f->bytes, from, from + (size < left ? (size_t)size : left));
}

/* The section whose offset and size stand at that place in s. */
static struct pd_span section_at(const struct pd_perf_file *f, struct pd_span s, size_t at)
{
	return section(f, pd_perf_u64(s.ptr + at, f->is_swapped),
		       pd_perf_u64(s.ptr + at + 8, f->is_swapped));
}

/* An entry of attrs: the attributes, and where the ids are. */
static int read_entry(struct pd_perf_file *f, struct pd_span entry, struct pd_error *err)
{
	size_t size = pd_perf_u32(entry.ptr + 4, f->is_swapped);
	int rc;

	if (!size)
		size = PD_PERF_ATTR_MIN;
	if (size > entry.len - SECTION_BYTES)
		size = entry.len - SECTION_BYTES;
	rc = pd_perf_events_add(&f->events, pd_span_sub(entry, 0, size), f->is_swapped, err);
	if (rc != PD_OK)
		return rc;
	return pd_perf_events_add_ids(&f->events, section_at(f, entry, size), f->is_swapped, err);
}

static int read_events(struct pd_perf_file *f, struct pd_error *err)
{
	uint64_t stride = u64_at(f, 16);
	struct pd_span attrs = section_at(f, f->bytes, 24);
	int rc = PD_OK;

	if (stride < PD_PERF_ATTR_MIN + SECTION_BYTES || stride > attrs.len)
		return pd_fail(err, PD_ERR_FORMAT, "expected the events of a recording, found "
			       "entries of %llu bytes in a section of %zu",
			       (unsigned long long)stride, attrs.len);
	for (size_t i = 0; rc == PD_OK && stride <= attrs.len - i; i += stride)
		rc = read_entry(f, pd_span_sub(attrs, i, i + stride), err);
	return rc;
}

/* The bitmap of features in native order. */
static void read_bitmap(const struct pd_perf_file *f, uint64_t words[FEATURE_WORDS])
{
	const size_t at = HEADER_NO_FEATURES;
	uint64_t any = 0;

	for (size_t i = 0; i < FEATURE_WORDS; i++) {
		words[i] = u64_at(f, at + 8 * i);
		any |= words[i];
	}
	if (!f->is_swapped || !any || words[0] >> FEATURE_HOSTNAME & 1)
		return;
	/* Written as halves by a 32-bit machine: the hostname tells, it is always there. */
	for (size_t i = 0; i < FEATURE_WORDS; i++)
		words[i] = words[i] >> 32 | words[i] << 32;
	if (words[0] >> FEATURE_HOSTNAME & 1)
		return;
	for (size_t i = 0; i < FEATURE_WORDS; i++)
		words[i] = i ? 0 : 1u << FEATURE_BUILD_ID;
}

static int read_features(struct pd_perf_file *f, uint64_t table_at, struct pd_error *err)
{
	uint64_t words[FEATURE_WORDS];
	struct pd_span table = section(f, table_at, UINT64_MAX), body;
	size_t at = 0;
	int rc = PD_OK;

	read_bitmap(f, words);
	for (size_t i = 0; i < FEATURE_WORDS * 64 && rc == PD_OK; i++) {
		if (!(words[i / 64] >> i % 64 & 1))
			continue;
		if (table.len - at < SECTION_BYTES) {
			f->is_truncated = true;
			break;
		}
		body = section_at(f, table, at);
		f->is_truncated |= body.len < pd_perf_u64(table.ptr + at + 8, f->is_swapped);
		rc = pd_perf_feature_take(f, i, body, err);
		at += SECTION_BYTES;
	}
	return rc;
}

/* The old magic tells no byte order; the size of an entry of attrs does. */
static bool is_old_swapped(struct pd_span bytes)
{
	for (unsigned size = PD_PERF_ATTR_MIN; size <= HEADER_FULL; size += 8)
		if (pd_perf_u64(bytes.ptr + 16, true) == size + SECTION_BYTES)
			return true;
	return false;
}

static int read_plain(struct pd_perf_file *f, uint64_t header_size, struct pd_error *err)
{
	uint64_t offset, size, left;
	int rc = read_events(f, err);

	if (rc != PD_OK)
		return rc;
	offset = u64_at(f, 40);
	size = u64_at(f, 48);
	left = offset < f->bytes.len ? f->bytes.len - offset : 0;
	/* The size is written when the recorder ends. */
	f->is_truncated = !size || size > left;
	f->records = section(f, offset, size ? size : UINT64_MAX);
	if (f->is_truncated || header_size < HEADER_FULL || f->bytes.len < HEADER_FULL)
		return PD_OK;
	return read_features(f, offset + size, err);
}

int pd_perf_file_open(struct pd_span bytes, struct pd_perf_file *ret_file, struct pd_error *err)
{
	struct pd_perf_file f = {.bytes = bytes};
	uint64_t header_size;
	int rc;

	if (!pd_perf_is_file(bytes) || bytes.len < PIPE_HEADER)
		return pd_fail(err, PD_ERR_FORMAT, "expected the header of a perf.data file, "
			       "found %zu bytes that are none", bytes.len);
	/* The number in memory tells whose order it is; the text of it, little endian. */
	f.is_swapped = (pd_span_starts(bytes, "2ELIFREP") ? 1 : 0) ^
		       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (pd_span_starts(bytes, "PERFFILE"))
		f.is_swapped = bytes.len >= HEADER_NO_FEATURES && is_old_swapped(bytes);
	header_size = u64_at(&f, MAGIC_BYTES);
	if (header_size == PIPE_HEADER) {
		f.is_pipe = true;
		f.records = section(&f, PIPE_HEADER, UINT64_MAX);
		*ret_file = f;
		return PD_OK;
	}
	if (header_size < HEADER_NO_FEATURES || bytes.len < HEADER_NO_FEATURES)
		return pd_fail(err, PD_ERR_FORMAT, "expected a header of %d bytes, found %zu bytes "
			       "with one that claims %llu", HEADER_FULL, bytes.len,
			       (unsigned long long)header_size);
	rc = read_plain(&f, header_size, err);
	if (rc != PD_OK) {
		pd_perf_file_done(&f);
		return rc;
	}
	*ret_file = f;
	return PD_OK;
}

/* {header, attributes, u64 ids[]} */
static int take_attr(struct pd_perf_file *f, struct pd_span body, struct pd_error *err)
{
	size_t size;
	int rc;

	if (body.len < PD_PERF_ATTR_MIN)
		return PD_OK;
	size = pd_perf_u32(body.ptr + 4, f->is_swapped);
	if (!size)
		size = PD_PERF_ATTR_MIN;
	if (size > body.len)
		size = body.len;
	rc = pd_perf_events_add(&f->events, pd_span_sub(body, 0, size), f->is_swapped, err);
	if (rc != PD_OK)
		return rc;
	return pd_perf_events_add_ids(&f->events, pd_span_sub(body, size, body.len),
				      f->is_swapped, err);
}

enum { UPDATE_NAME = 2 };

/* {header, u64 what, u64 id, data} */
static int take_update(struct pd_perf_file *f, struct pd_span body, struct pd_error *err)
{
	uint32_t event;

	if (body.len < 16 || pd_perf_u64(body.ptr, f->is_swapped) != UPDATE_NAME)
		return PD_OK;
	event = pd_perf_events_find(&f->events, pd_perf_u64(body.ptr + 8, f->is_swapped));
	if (event == PD_MAP_NONE)
		return PD_OK;
	return pd_perf_event_set_name(&f->events.items[event], pd_span_sub(body, 16, body.len),
				      err);
}

int pd_perf_file_take_record(struct pd_perf_file *f, struct pd_span record, struct pd_error *err)
{
	struct pd_span body = pd_span_sub(record, PD_PERF_HEADER_BYTES, record.len);

	switch (pd_perf_u32(record.ptr, f->is_swapped)) {
	case PD_PERF_HEADER_ATTR:
		return take_attr(f, body, err);
	case PD_PERF_HEADER_BUILD_ID:
		return pd_perf_build_ids_take(f, record, err);
	case PD_PERF_HEADER_FEATURE:
		if (body.len < 8)
			return PD_OK;
		return pd_perf_feature_take(f, pd_perf_u64(body.ptr, f->is_swapped),
					    pd_span_sub(body, 8, body.len), err);
	case PD_PERF_EVENT_UPDATE:
		return take_update(f, body, err);
	default:
		return PD_OK;
	}
}
