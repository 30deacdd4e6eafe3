/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Features. Contract: file.h. Strings are {u32 len, len bytes}, padded with zeros
 * within len; numbers are in the byte order of the recorder.
 */
#include <stdlib.h>

#include "ingest/perfdata/bytes.h"
#include "ingest/perfdata/file.h"
#include "ingest/perfdata/record.h"

enum feature {
	FEATURE_BUILD_ID = 2,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_VERSION = 5,
	FEATURE_ARCH = 6,
	FEATURE_NRCPUS = 7,
	FEATURE_CPUDESC = 8,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_CLOCK_DATA = 29,
};

/* The number at the front of s, which is cut off; false if it is not there. */
static bool cut_u32(struct pd_span *s, bool is_swapped, uint32_t *ret_x)
{
	if (s->len < 4)
		return false;
	*ret_x = pd_perf_u32(s->ptr, is_swapped);
	*s = pd_span_sub(*s, 4, s->len);
	return true;
}

/* The same for a string, up to its NUL. */
static bool cut_string(struct pd_span *s, bool is_swapped, struct pd_span *ret_text)
{
	uint32_t len;

	if (!cut_u32(s, is_swapped, &len) || len > s->len)
		return false;
	*ret_text = pd_perf_text(pd_span_sub(*s, 0, len));
	*s = pd_span_sub(*s, len, s->len);
	return true;
}

static int take_string(struct pd_perf_file *f, struct pd_span body, const char **text,
		       struct pd_error *err)
{
	struct pd_span s;

	if (*text || !cut_string(&body, f->is_swapped, &s) || !s.len)
		return PD_OK;
	*text = pd_arena_strndup(&f->arena, s.ptr, s.len);
	return *text ? PD_OK : pd_fail_nomem(err);
}

/* {u32 n, n strings}: words joined by blanks. */
static int take_command(struct pd_perf_file *f, struct pd_span body, struct pd_error *err)
{
	struct pd_buf words = {0};
	struct pd_span word;
	uint32_t n;
	int rc = PD_OK;

	if (f->features.command || !cut_u32(&body, f->is_swapped, &n))
		return PD_OK;
	for (uint32_t i = 0; i < n && cut_string(&body, f->is_swapped, &word); i++) {
		if (i)
			pd_buf_add_char(&words, ' ');
		pd_buf_add(&words, word.ptr, word.len);
	}
	if (words.len)
		f->features.command = pd_arena_strndup(&f->arena, words.ptr, words.len);
	if (words.failed || (words.len && !f->features.command))
		rc = pd_fail_nomem(err);
	pd_buf_done(&words);
	return rc;
}

/* {u32 n, u32 size of attributes, n of {attributes, u32 n_ids, string name, u64 ids[]}} */
static int take_event_names(struct pd_perf_file *f, struct pd_span body, struct pd_error *err)
{
	uint32_t n, attr_size, n_ids;
	struct pd_span name;
	int rc = PD_OK;

	if (!cut_u32(&body, f->is_swapped, &n) || !cut_u32(&body, f->is_swapped, &attr_size))
		return PD_OK;
	for (uint32_t i = 0; i < n && i < f->events.n && rc == PD_OK; i++) {
		if (attr_size > body.len)
			break;
		body = pd_span_sub(body, attr_size, body.len);
		if (!cut_u32(&body, f->is_swapped, &n_ids) ||
		    !cut_string(&body, f->is_swapped, &name))
			break;
		rc = pd_perf_event_set_name(&f->events.items[i], name, err);
		if (n_ids > body.len / 8)
			break;
		body = pd_span_sub(body, (size_t)n_ids * 8, body.len);
	}
	return rc;
}

/* {u32 version, u32 clock, u64 wall clock, u64 clock}, both in ns at one time */
static void take_clock(struct pd_perf_file *f, struct pd_span body)
{
	if (body.len < 24)
		return;
	f->features.has_clock = true;
	f->features.wall_ns = pd_perf_u64(body.ptr + 8, f->is_swapped);
	f->features.clock_ns = pd_perf_u64(body.ptr + 16, f->is_swapped);
}

int pd_perf_feature_take(struct pd_perf_file *f, uint64_t feature, struct pd_span body,
			 struct pd_error *err)
{
	struct pd_perf_features *x = &f->features;

	switch (feature) {
	case FEATURE_BUILD_ID:
		return pd_perf_build_ids_take(f, body, err);
	case FEATURE_HOSTNAME:
		return take_string(f, body, &x->hostname, err);
	case FEATURE_OSRELEASE:
		return take_string(f, body, &x->release, err);
	case FEATURE_VERSION:
		return take_string(f, body, &x->version, err);
	case FEATURE_ARCH:
		return take_string(f, body, &x->arch, err);
	case FEATURE_CPUDESC:
		return take_string(f, body, &x->cpu, err);
	case FEATURE_CMDLINE:
		return take_command(f, body, err);
	case FEATURE_EVENT_DESC:
		return take_event_names(f, body, err);
	case FEATURE_NRCPUS:
		if (cut_u32(&body, f->is_swapped, &x->n_cpus))
			(void)cut_u32(&body, f->is_swapped, &x->n_cpus_online);
		return PD_OK;
	case FEATURE_CLOCK_DATA:
		take_clock(f, body);
		return PD_OK;
	default:
		return PD_OK;
	}
}

enum {
	BUILD_ID_AT = 12,   /* of an entry: behind header and pid */
	BUILD_ID_NAME = 36, /* behind the id and its padding */
	BUILD_ID_BYTES = 20,
};

/* Entries of the first layout had no pid: where names begin shows it. */
static size_t missing_bytes(struct pd_span body)
{
	static const char tail[] = "nel.kallsyms]"; /* of "[kernel.kallsyms]" */

	return pd_span_starts(pd_span_sub(body, BUILD_ID_NAME, body.len), tail) ? 4 : 0;
}

static int add_build_id(struct pd_perf_file *f, struct pd_span entry, size_t n_missing,
			struct pd_error *err)
{
	struct pd_perf_features *x = &f->features;
	const char *id = entry.ptr + BUILD_ID_AT - n_missing;
	unsigned misc = pd_perf_u16(entry.ptr + 4, f->is_swapped);
	unsigned mode = misc & PD_PERF_MODE_MASK;
	struct pd_span name = pd_perf_text(pd_span_sub(entry, BUILD_ID_NAME - n_missing,
						       entry.len));
	struct pd_perf_build_id b = {.n_bytes = BUILD_ID_BYTES};

	if ((mode != PD_PERF_MODE_KERNEL && mode != PD_PERF_MODE_USER) || !name.len)
		return PD_OK;
	b.is_kernel = mode == PD_PERF_MODE_KERNEL;
	if (misc & PD_PERF_MISC_ID_BYTES && (uint8_t)id[BUILD_ID_BYTES] <= BUILD_ID_BYTES)
		b.n_bytes = (uint8_t)id[BUILD_ID_BYTES];
	memcpy(b.bytes, id, BUILD_ID_BYTES);
	b.name = (struct pd_span){pd_arena_strndup(&f->arena, name.ptr, name.len), name.len};
	if (!b.name.ptr)
		return pd_fail_nomem(err);
	if (x->n_build_ids == x->cap_build_ids) {
		uint32_t cap = x->cap_build_ids ? 2 * x->cap_build_ids : 64;
		struct pd_perf_build_id *ids = realloc(x->build_ids, cap * sizeof(*ids));

		if (!ids)
			return pd_fail_nomem(err);
		x->build_ids = ids;
		x->cap_build_ids = cap;
	}
	x->build_ids[x->n_build_ids++] = b;
	return PD_OK;
}

int pd_perf_build_ids_take(struct pd_perf_file *f, struct pd_span body, struct pd_error *err)
{
	size_t n_missing = missing_bytes(body);
	int rc = PD_OK;

	while (rc == PD_OK && body.len >= BUILD_ID_NAME) {
		size_t size = pd_perf_u16(body.ptr + 6, f->is_swapped);

		if (size < BUILD_ID_NAME || size > body.len)
			break;
		rc = add_build_id(f, pd_span_sub(body, 0, size), n_missing, err);
		body = pd_span_sub(body, size, body.len);
	}
	return rc;
}
