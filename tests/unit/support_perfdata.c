/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings for unit tests. Contract: support_perfdata.h.
 */
#include "support_perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

enum { HEADER = 104, ATTR_MIN = 64, SAMPLE_ID_ALL = 18 };

static void add_bytes(struct ut_perf *p, const void *x, size_t n)
{
	char bytes[8];

	for (size_t i = 0; i < n; i++)
		bytes[i] = ((const char *)x)[p->is_swapped ? n - 1 - i : i];
	pd_buf_add(&p->records, bytes, n);
}

void ut_perf_u16(struct ut_perf *p, uint16_t x)
{
	add_bytes(p, &x, sizeof(x));
}

void ut_perf_u32(struct ut_perf *p, uint32_t x)
{
	add_bytes(p, &x, sizeof(x));
}

void ut_perf_u64(struct ut_perf *p, uint64_t x)
{
	add_bytes(p, &x, sizeof(x));
}

size_t ut_perf_begin(struct ut_perf *p, uint32_t type, uint16_t misc)
{
	size_t begin = p->records.len;

	ut_perf_u32(p, type);
	ut_perf_u16(p, misc);
	ut_perf_u16(p, 0);
	return begin;
}

void ut_perf_end(struct ut_perf *p, size_t begin)
{
	uint16_t size = (uint16_t)(p->records.len - begin);

	ut_perf_u16(p, size);
	memcpy(p->records.ptr + begin + 6, p->records.ptr + p->records.len - 2, 2);
	p->records.len -= 2;
}

void ut_perf_end_side(struct ut_perf *p, size_t begin, uint32_t pid, uint32_t tid)
{
	if (p->sample_type & UT_TID) {
		ut_perf_u32(p, pid);
		ut_perf_u32(p, tid);
	}
	if (p->sample_type & UT_TIME)
		ut_perf_u64(p, p->time);
	if (p->sample_type & UT_ID)
		ut_perf_u64(p, p->id);
	if (p->sample_type & UT_CPU)
		ut_perf_u64(p, 0);
	if (p->sample_type & UT_IDENTIFIER)
		ut_perf_u64(p, p->id);
	ut_perf_end(p, begin);
}

static void add_name(struct ut_perf *p, const char *name)
{
	size_t len = strlen(name);

	pd_buf_add(&p->records, name, len);
	pd_buf_add_fill(&p->records, '\0', 8 - len % 8);
}

void ut_perf_mmap(struct ut_perf *p, uint16_t mode, uint32_t pid, uint64_t start, uint64_t len,
		  uint64_t offset, const char *name)
{
	size_t begin = ut_perf_begin(p, 1, mode);

	ut_perf_u32(p, pid);
	ut_perf_u32(p, pid);
	ut_perf_u64(p, start);
	ut_perf_u64(p, len);
	ut_perf_u64(p, offset);
	add_name(p, name);
	ut_perf_end_side(p, begin, pid, pid);
}

void ut_perf_comm(struct ut_perf *p, uint32_t pid, uint32_t tid, const char *name)
{
	size_t begin = ut_perf_begin(p, 3, 0);

	ut_perf_u32(p, pid);
	ut_perf_u32(p, tid);
	add_name(p, name);
	ut_perf_end_side(p, begin, pid, tid);
}

void ut_perf_fork(struct ut_perf *p, uint32_t pid, uint32_t tid, uint32_t parent_pid,
		  uint32_t parent_tid)
{
	size_t begin = ut_perf_begin(p, 7, 0);

	ut_perf_u32(p, pid);
	ut_perf_u32(p, parent_pid);
	ut_perf_u32(p, tid);
	ut_perf_u32(p, parent_tid);
	ut_perf_u64(p, p->time);
	ut_perf_end_side(p, begin, parent_pid, parent_tid);
}

void ut_perf_round(struct ut_perf *p)
{
	ut_perf_end(p, ut_perf_begin(p, 68, 0));
}

void ut_perf_sample(struct ut_perf *p, uint16_t mode, uint32_t pid, uint32_t tid, uint64_t address,
		    const uint64_t *frames, size_t n)
{
	size_t begin = ut_perf_begin(p, 9, mode);

	if (p->sample_type & UT_IDENTIFIER)
		ut_perf_u64(p, p->id);
	if (p->sample_type & UT_IP)
		ut_perf_u64(p, address);
	if (p->sample_type & UT_TID) {
		ut_perf_u32(p, pid);
		ut_perf_u32(p, tid);
	}
	if (p->sample_type & UT_TIME)
		ut_perf_u64(p, p->time);
	if (p->sample_type & UT_ID)
		ut_perf_u64(p, p->id);
	if (p->sample_type & UT_CPU) {
		ut_perf_u32(p, p->cpu);
		ut_perf_u32(p, 0);
	}
	if (p->sample_type & UT_PERIOD)
		ut_perf_u64(p, 10);
	if (p->sample_type & UT_CALLCHAIN) {
		ut_perf_u64(p, n);
		for (size_t i = 0; i < n; i++)
			ut_perf_u64(p, frames[i]);
	}
	ut_perf_end(p, begin);
	if (p->time)
		p->time++;
}

void ut_perf_done(struct ut_perf *p)
{
	pd_buf_done(&p->records);
}

/* The attributes of an event, into out. */
static void add_attr(const struct ut_perf *p, const struct ut_perf_event *e, struct ut_perf *out)
{
	size_t start = out->records.len, size = p->attr_size ? p->attr_size : ATTR_MIN;

	ut_perf_u32(out, e->type);
	ut_perf_u32(out, p->attr_size); /* 0 means the oldest */
	ut_perf_u64(out, e->config);
	ut_perf_u64(out, e->period);
	ut_perf_u64(out, e->sample_type ? e->sample_type : p->sample_type);
	ut_perf_u64(out, e->read_format);
	/* Bit fields begin at the other end of a byte where bytes are swapped. */
	for (int i = 0; i < 8; i++)
		pd_buf_add_char(&out->records, i != SAMPLE_ID_ALL / 8 ? 0 :
				out->is_swapped ? 0x80 >> SAMPLE_ID_ALL % 8
						: 1 << SAMPLE_ID_ALL % 8);
	pd_buf_add_fill(&out->records, '\0', start + size - out->records.len);
}

static void add_magic(struct ut_perf *out)
{
	pd_buf_add_str(&out->records, out->is_swapped ? "2ELIFREP" : "PERFILE2");
}

struct pd_buf ut_perf_file(const struct ut_perf *p)
{
	struct ut_perf out = {.is_swapped = p->is_swapped};
	size_t stride = (p->attr_size ? p->attr_size : ATTR_MIN) + 16;
	size_t ids_at = HEADER, attrs_at = ids_at + 8 * p->n_events;
	size_t data_at = attrs_at + stride * p->n_events;

	add_magic(&out);
	ut_perf_u64(&out, HEADER);
	ut_perf_u64(&out, stride);
	ut_perf_u64(&out, attrs_at);
	ut_perf_u64(&out, stride * p->n_events);
	ut_perf_u64(&out, data_at);
	ut_perf_u64(&out, p->records.len);
	pd_buf_add_fill(&out.records, '\0', HEADER - out.records.len);
	for (uint32_t i = 0; i < p->n_events; i++)
		ut_perf_u64(&out, p->events[i].id);
	for (uint32_t i = 0; i < p->n_events; i++) {
		add_attr(p, &p->events[i], &out);
		ut_perf_u64(&out, ids_at + 8 * i);
		ut_perf_u64(&out, p->events[i].id ? 8 : 0);
	}
	pd_buf_add(&out.records, p->records.ptr, p->records.len);
	return out.records;
}

struct pd_buf ut_perf_pipe(const struct ut_perf *p)
{
	struct ut_perf out = {.is_swapped = p->is_swapped};

	add_magic(&out);
	ut_perf_u64(&out, 16);
	for (uint32_t i = 0; i < p->n_events; i++) {
		size_t begin = ut_perf_begin(&out, 64, 0);

		add_attr(p, &p->events[i], &out);
		if (p->events[i].id)
			ut_perf_u64(&out, p->events[i].id);
		ut_perf_end(&out, begin);
	}
	pd_buf_add(&out.records, p->records.ptr, p->records.len);
	return out.records;
}

static void dump_event(const struct pd_profile *p, uint32_t e, struct pd_buf *out)
{
	const struct pd_recording *r = p->recording;

	pd_buf_printf(out, "%s%s %.0f/%.0f:", e ? "; " : "",
		      pd_strtab_get(&p->strings, p->events[e].name), p->events[e].total,
		      p->events[e].n_samples);
	for (uint32_t i = 0; i < r->n_sites; i++) {
		const struct pd_count *c = &r->counts[(size_t)i * p->n_events + e];

		if (c->n_samples)
			pd_buf_printf(out, " %s+%" PRIx64 "=%" PRIu64,
				      pd_strtab_get(&r->strings, r->dsos[r->sites[i].dso].module),
				      r->sites[i].address, c->n_samples);
	}
	pd_buf_add_str(out, " |");
	for (uint32_t i = 0; i < r->n_comms; i++)
		if (r->comm_counts[(size_t)i * p->n_events + e].n_samples)
			pd_buf_printf(out, " %s=%" PRIu64, pd_strtab_get(&r->strings, r->comms[i]),
				      r->comm_counts[(size_t)i * p->n_events + e].n_samples);
	if (r->filtered[e].n_samples)
		pd_buf_printf(out, " ~%" PRIu64, r->filtered[e].n_samples);
	if (r->guests[e].n_samples)
		pd_buf_printf(out, " guests=%" PRIu64, r->guests[e].n_samples);
}

char *ut_perf_dump(struct pd_span bytes, const struct pd_request *request)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_diags diags = {0};
	struct pd_profiles profiles = {0};
	struct pd_error err = {0};
	struct pd_buf out = {0};
	struct pd_input in = {
		.path = "test", .bytes = bytes, .limits = &limits, .request = request,
		.diags = &diags,
	};
	int rc = pd_ingest_bytes(&in, NULL, &profiles, &err);

	if (rc != PD_OK)
		pd_buf_printf(&out, "error %d", rc);
	for (uint32_t i = 0; i < profiles.n; i++)
		for (uint32_t e = 0; e < profiles.items[i]->n_events; e++)
			dump_event(profiles.items[i], e, &out);
	for (size_t i = 0; i < diags.n; i++)
		pd_buf_printf(&out, " !%s", diags.items[i].kind);
	pd_profiles_done(&profiles);
	pd_diags_done(&diags);
	return out.ptr;
}

void ut_perf_assert_at(struct ut_perf *p, const struct pd_request *request, const char *want,
		       const char *file, int line)
{
	struct pd_buf bytes = ut_perf_file(p);
	char *have = ut_perf_dump(pd_buf_span(&bytes), request);

	ut_assert_text_at("recording", have, want, file, line);
	free(have);
	pd_buf_done(&bytes);
	ut_perf_done(p);
}
