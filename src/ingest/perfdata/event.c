/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events. Contract: event.h. The layout of samples and of the trailer of other
 * records is that of linux/perf_event.h; names are those of perf's evsel.
 */
#include "ingest/perfdata/event.h"

#include <inttypes.h>
#include <stdlib.h>

#include "ingest/perfdata/bytes.h"
#include "ingest/perfdata/record.h"

void pd_perf_events_done(struct pd_perf_events *e)
{
	for (uint32_t i = 0; i < e->n; i++)
		free(e->items[i].name);
	free(e->items);
	pd_map_done(&e->ids);
	*e = (struct pd_perf_events){0};
}

/* Bit fields of a machine of the other byte order: the bits of each byte turn round. */
static uint64_t read_flags(const char *p, bool is_swapped)
{
	uint64_t flags = 0;

	for (int i = 0; i < 64; i++) {
		int bit = is_swapped ? i / 8 * 8 + 7 - i % 8 : i;
		unsigned char byte = (unsigned char)p[bit / 8];

		flags |= (uint64_t)(byte >> bit % 8 & 1) << i;
	}
	return flags;
}

/* The flags as the bits of a little-endian number, in our order. */
static struct pd_perf_attr read_attr(const char *p, bool is_swapped)
{
	return (struct pd_perf_attr){
		.type = pd_perf_u32(p, is_swapped),
		.config = pd_perf_u64(p + 8, is_swapped),
		.period = pd_perf_u64(p + 16, is_swapped),
		.sample_type = pd_perf_u64(p + 24, is_swapped),
		.read_format = pd_perf_u64(p + 32, is_swapped),
		.flags = read_flags(p + 40, is_swapped),
		.breakpoint_type = pd_perf_u32(p + 52, is_swapped),
		.breakpoint = pd_perf_u64(p + 56, is_swapped),
	};
}

static struct pd_perf_layout layout_of(uint64_t sample_type)
{
	struct pd_perf_layout l = {0};
	struct {
		unsigned bit;
		uint16_t *at;
	} fields[] = {
		{PD_PERF_IDENTIFIER, &l.id}, {PD_PERF_IP, &l.ip}, {PD_PERF_TID, &l.tid},
		{PD_PERF_TIME, &l.time}, {PD_PERF_ADDR, NULL}, {PD_PERF_ID, &l.id},
		{PD_PERF_STREAM_ID, NULL}, {PD_PERF_CPU, &l.cpu}, {PD_PERF_PERIOD, &l.period},
	};
	uint16_t at = PD_PERF_HEADER_BYTES;

	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!(sample_type & fields[i].bit))
			continue;
		/* Where there are both, IDENTIFIER is the id. */
		if (fields[i].at && !*fields[i].at)
			*fields[i].at = at;
		at += 8;
	}
	l.n_fixed = at;
	return l;
}

/* Of the first event; all events of a file share it. */
static void find_trailer(struct pd_perf_events *e)
{
	const struct pd_perf_attr *a = &e->items[0].attr;
	static const unsigned fields[] = { /* from the end */
		PD_PERF_IDENTIFIER, PD_PERF_CPU, PD_PERF_STREAM_ID, PD_PERF_ID, PD_PERF_TIME,
		PD_PERF_TID,
	};
	uint16_t n = 0;

	e->id_at = e->items[0].layout.id;
	if (!pd_perf_has(a, PD_PERF_SAMPLE_ID_ALL))
		return;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		if (!(a->sample_type & fields[i]))
			continue;
		n += 8;
		if (fields[i] == PD_PERF_TIME)
			e->trailer_time = n;
	}
	e->n_trailer = n;
}

int pd_perf_events_add(struct pd_perf_events *e, struct pd_span attr, bool is_swapped,
		       struct pd_error *err)
{
	struct pd_perf_event *event;

	if (attr.len < PD_PERF_ATTR_MIN)
		return pd_fail(err, PD_ERR_FORMAT, "expected the attributes of an event, at least "
			       "%d bytes; found %zu", PD_PERF_ATTR_MIN, attr.len);
	if (e->n == e->cap) {
		uint32_t cap = e->cap ? 2 * e->cap : 4;
		struct pd_perf_event *items = realloc(e->items, cap * sizeof(*items));

		if (!items)
			return pd_fail_nomem(err);
		e->items = items;
		e->cap = cap;
	}
	event = &e->items[e->n++];
	*event = (struct pd_perf_event){.attr = read_attr(attr.ptr, is_swapped)};
	event->layout = layout_of(event->attr.sample_type);
	if (e->n == 1)
		find_trailer(e);
	return PD_OK;
}

int pd_perf_events_add_ids(struct pd_perf_events *e, struct pd_span ids, bool is_swapped,
			   struct pd_error *err)
{
	for (size_t i = 0; i + 8 <= ids.len && e->n; i += 8)
		if (pd_map_insert(&e->ids, pd_perf_u64(ids.ptr + i, is_swapped), e->n - 1) ==
		    PD_MAP_NONE)
			return pd_fail_nomem(err);
	return PD_OK;
}

uint32_t pd_perf_events_find(const struct pd_perf_events *e, uint64_t id)
{
	if (e->n == 1 || !id)
		return e->n ? 0 : PD_MAP_NONE;
	return pd_map_find(&e->ids, id);
}

int pd_perf_event_set_name(struct pd_perf_event *event, struct pd_span name, struct pd_error *err)
{
	name = pd_perf_text(name);
	if (event->name || !name.len)
		return PD_OK;
	event->name = strndup(name.ptr, name.len);
	return event->name ? PD_OK : pd_fail_nomem(err);
}

static const char *const hardware_names[] = {
	"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses",
	"bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
};
static const char *const software_names[] = {
	"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations",
	"minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy",
	"bpf-output", "cgroup-switches",
};
static const char *const cache_names[] = {
	"L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node",
};
static const char *const cache_operations[] = {"load", "store", "prefetch"};

#define N_OF(a) (sizeof(a) / sizeof(*(a)))

static void add_listed(struct pd_buf *out, const char *const *names, size_t n, uint64_t i,
		       const char *unknown)
{
	pd_buf_add_str(out, i < n ? names[i] : unknown);
}

/* config: cache, operation << 8, result << 16. */
static void add_cache_name(struct pd_buf *out, uint64_t config)
{
	uint64_t cache = config & 0xff, operation = config >> 8 & 0xff;
	uint64_t result = config >> 16 & 0xff;

	if (cache >= N_OF(cache_names) || operation >= N_OF(cache_operations) || result > 1) {
		pd_buf_add_str(out, "unknown-ext-hardware-cache");
		return;
	}
	pd_buf_printf(out, "%s-%s%s", cache_names[cache], cache_operations[operation],
		      result ? "-misses" : operation == 2 ? "es" : "s");
}

static void add_breakpoint_name(struct pd_buf *out, const struct pd_perf_attr *a)
{
	pd_buf_printf(out, "mem:0x%" PRIx64 ":", a->breakpoint);
	if (a->breakpoint_type & 1)
		pd_buf_add_char(out, 'r');
	if (a->breakpoint_type & 2)
		pd_buf_add_char(out, 'w');
	if (a->breakpoint_type & 4)
		pd_buf_add_char(out, 'x');
}

/* The letter of a mode that is not excluded, behind a colon. */
static void add_modifier(struct pd_buf *out, size_t start, const struct pd_perf_attr *a,
			 enum pd_perf_attr_flag excludes, char letter)
{
	if (pd_perf_has(a, excludes))
		return;
	if (out->len == start)
		pd_buf_add_char(out, ':');
	pd_buf_add_char(out, letter);
}

static void add_modifiers(struct pd_buf *out, const struct pd_perf_attr *a)
{
	unsigned precise = (unsigned)(a->flags >> PD_PERF_PRECISE & 3);
	size_t start = out->len;
	bool is_modified = false;

	if (pd_perf_has(a, PD_PERF_EXCLUDE_USER) || pd_perf_has(a, PD_PERF_EXCLUDE_KERNEL) ||
	    pd_perf_has(a, PD_PERF_EXCLUDE_HV)) {
		add_modifier(out, start, a, PD_PERF_EXCLUDE_KERNEL, 'k');
		add_modifier(out, start, a, PD_PERF_EXCLUDE_USER, 'u');
		add_modifier(out, start, a, PD_PERF_EXCLUDE_HV, 'h');
		is_modified = true;
	}
	if (precise) {
		if (out->len == start)
			pd_buf_add_char(out, ':');
		pd_buf_add_fill(out, 'p', precise);
		is_modified = true;
	}
	/* Without a modifier perf leaves guests out, with one it counts them. */
	if (pd_perf_has(a, PD_PERF_EXCLUDE_HOST) ||
	    pd_perf_has(a, PD_PERF_EXCLUDE_GUEST) == is_modified) {
		add_modifier(out, start, a, PD_PERF_EXCLUDE_HOST, 'H');
		add_modifier(out, start, a, PD_PERF_EXCLUDE_GUEST, 'G');
	}
}

void pd_perf_event_name(const struct pd_perf_event *event, struct pd_buf *out)
{
	const struct pd_perf_attr *a = &event->attr;

	if (event->name) {
		pd_buf_add_str(out, event->name);
		return;
	}
	switch (a->type) {
	case 0:
		add_listed(out, hardware_names, N_OF(hardware_names), a->config,
			   "unknown-hardware");
		break;
	case PD_PERF_TYPE_SOFTWARE:
		add_listed(out, software_names, N_OF(software_names), a->config,
			   "unknown-software");
		break;
	case 2:
		pd_buf_add_str(out, "unknown tracepoint");
		return;
	case 3:
		add_cache_name(out, a->config);
		break;
	case 4:
		pd_buf_printf(out, "raw 0x%" PRIx64, a->config);
		break;
	case 5:
		add_breakpoint_name(out, a);
		break;
	default:
		pd_buf_printf(out, "unknown attr type: %" PRIu32, a->type);
		return;
	}
	add_modifiers(out, a);
}

enum pd_unit pd_perf_event_unit(const struct pd_perf_event *event)
{
	bool is_clock = event->attr.type == PD_PERF_TYPE_SOFTWARE && event->attr.config <= 1;

	return is_clock ? PD_UNIT_NS : PD_UNIT_EVENTS;
}
