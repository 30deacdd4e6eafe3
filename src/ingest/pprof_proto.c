/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of pprof's profile.proto (google/pprof, proto/profile.proto), as Go,
 * perf_to_profile, async-profiler and many others write them, mostly in gzip:
 *
 *	1 sample_type { 1 type, 2 unit }          numbers of strings
 *	2 sample { 1 location ids, 2 values }     the leaf first
 *	3 mapping { 1 id, 5 filename }
 *	4 location { 1 id, 2 mapping id, 4 line { 1 function id } ... }
 *	5 function { 1 id, 2 name, 3 system name, 4 filename }
 *	6 string                                  number 0 is ""
 *	9 time (ns)   10 duration (ns)   11 period_type   12 period
 *
 * Fields come in any order. A location has several lines where code was inlined:
 * the innermost function first, which has the cost. Negative values are those of
 * pprof -diff_base: the profile holds differences then.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/num.h"
#include "ingest/pprof.h"

enum { MAX_LINES = 256 }; /* of a location */

/* A field of a message. */
struct field {
	uint32_t no;
	bool is_bytes; /* else a number */
	uint64_t number;
	struct pd_span bytes;
};

/* What is left of a message; NULL in ptr: it was broken. */
static bool take_varint(struct pd_span *rest, uint64_t *ret_x)
{
	uint64_t x = 0;

	for (unsigned i = 0; i < rest->len && i < 10; i++) {
		unsigned char c = (unsigned char)rest->ptr[i];

		x |= (uint64_t)(c & 0x7f) << 7 * i;
		if (c < 0x80) {
			*rest = pd_span_sub(*rest, i + 1, rest->len);
			*ret_x = x;
			return true;
		}
	}
	return false;
}

/* The next field; false at the end, and where bytes are none (then some are left). */
static bool take_field(struct pd_span *rest, struct field *ret_field)
{
	enum { VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5 };
	struct field f = {0};
	struct pd_span left = *rest;
	uint64_t key, len;

	if (!take_varint(&left, &key) || key >> 3 == 0 || key >> 3 > UINT32_MAX)
		return false;
	f.no = (uint32_t)(key >> 3);
	switch (key & 7) {
	case VARINT:
		if (!take_varint(&left, &f.number))
			return false;
		break;
	case BYTES:
		if (!take_varint(&left, &len) || len > left.len)
			return false;
		f.is_bytes = true;
		f.bytes = pd_span_sub(left, 0, (size_t)len);
		left = pd_span_sub(left, (size_t)len, left.len);
		break;
	case FIXED64:
	case FIXED32:
		len = (key & 7) == FIXED64 ? 8 : 4;
		if (len > left.len)
			return false;
		left = pd_span_sub(left, (size_t)len, left.len);
		break;
	default:
		return false;
	}
	*rest = left;
	*ret_field = f;
	return true;
}

/* The number of a field of a message, 0 if there is none. */
static uint64_t number_in(struct pd_span message, uint32_t no)
{
	uint64_t x = 0;
	struct field f;

	while (take_field(&message, &f))
		if (f.no == no && !f.is_bytes)
			x = f.number;
	return x;
}

enum pd_sniff pp_proto_sniff(struct pd_span bytes)
{
	struct pd_span rest = bytes, type;
	struct field f;

	/* Writers begin with the types of samples. */
	if (!take_field(&rest, &f) || f.no != 1 || !f.is_bytes || !f.bytes.len || f.bytes.len > 20)
		return PD_SNIFF_NO;
	type = f.bytes;
	while (take_field(&type, &f))
		if (f.is_bytes || f.no > 2)
			return PD_SNIFF_NO;
	if (type.len || !take_field(&rest, &f))
		return PD_SNIFF_NO;
	return f.is_bytes && f.no <= 6 ? PD_SNIFF_YES : PD_SNIFF_NO;
}

/* A frame of a location. */
struct frame {
	uint32_t func; /* of the builder */
	bool is_leftover;
};

/* Numbers of strings. */
struct function {
	uint64_t name, file;
};

/* Where the frames of a location are; made when a sample has it. */
struct location {
	struct pd_span message;
	uint32_t first, n; /* frames */
	bool is_made;
};

/* A growing list of one kind. */
#define LIST(type)            \
	struct {              \
		type *items;  \
		uint32_t n, cap; \
	}

struct reading {
	const struct pd_input *in;
	struct pp_costs costs;
	LIST(struct pd_span) strings;
	LIST(uint64_t) mappings; /* numbers of their files' names */
	LIST(struct function) functions;
	LIST(struct location) locations;
	LIST(struct frame) frames;
	struct pd_map mapping_of, function_of, location_of; /* by id: indexes */
	uint32_t *locations_by_id; /* 1 + index; NULL: ids are too far apart */
	uint64_t n_by_id;
	struct pd_map frame_of; /* by mapping and function: the builder's */
	struct pd_span types[PP_MAX_EVENTS];
	double factors[PP_MAX_EVENTS];
	uint32_t n_types;
	bool failed, is_full, has_negative;
};

/* Room for one more in a list. */
static bool grow(struct reading *r, void *items_of_list, uint32_t n, uint32_t *cap, size_t size)
{
	void **items = items_of_list, *more;
	uint32_t n_more = *cap ? 2 * *cap : 64;

	if (n < *cap)
		return true;
	more = *cap < UINT32_MAX / 2 ? realloc(*items, n_more * size) : NULL;
	if (!more) {
		r->failed = true;
		return false;
	}
	*items = more;
	*cap = n_more;
	return true;
}

#define ADD(r, list, ...)                                                                        \
	do {                                                                                     \
		if (grow(r, &(list).items, (list).n, &(list).cap, sizeof(*(list).items)))        \
			(list).items[(list).n++] = __VA_ARGS__;                                  \
	} while (0)

static struct pd_span string_at(const struct reading *r, uint64_t no)
{
	return no < r->strings.n ? r->strings.items[no] : pd_span_of("");
}

static void map_id(struct reading *r, struct pd_map *map, struct pd_span message, uint32_t index)
{
	if (pd_map_insert(map, number_in(message, 1), index) == PD_MAP_NONE)
		r->failed = true;
}

static struct function parse_function(struct pd_span message)
{
	uint64_t name = number_in(message, 2);

	return (struct function){name ? name : number_in(message, 3), number_in(message, 4)};
}

/* Collect what samples refer to; false where the message is broken. */
static bool collect(struct reading *r)
{
	struct pd_span rest = r->in->bytes;
	struct field f;

	while (!r->failed && take_field(&rest, &f)) {
		if (!f.is_bytes)
			continue;
		switch (f.no) {
		case 1:
			if (r->n_types < PP_MAX_EVENTS)
				r->types[r->n_types++] = f.bytes;
			else
				r->is_full = true;
			break;
		case 3:
			map_id(r, &r->mapping_of, f.bytes, r->mappings.n);
			ADD(r, r->mappings, number_in(f.bytes, 5));
			break;
		case 4:
			map_id(r, &r->location_of, f.bytes, r->locations.n);
			ADD(r, r->locations, (struct location){.message = f.bytes});
			break;
		case 5:
			map_id(r, &r->function_of, f.bytes, r->functions.n);
			ADD(r, r->functions, parse_function(f.bytes));
			break;
		case 6:
			ADD(r, r->strings, f.bytes);
			break;
		}
	}
	return !rest.len;
}

/* The frame of a function in a mapping; each an index, or PD_MAP_NONE. */
static struct frame make_frame(struct reading *r, uint32_t function, uint32_t mapping)
{
	struct pd_span module = pd_span_of(""), name = pd_span_of("");
	const struct function *f = function == PD_MAP_NONE ? NULL : &r->functions.items[function];
	struct frame frame = {.is_leftover = true};

	if (mapping != PD_MAP_NONE)
		module = string_at(r, r->mappings.items[mapping]);
	if (f)
		name = string_at(r, f->name);
	if (!name.len) {
		frame.func = pd_builder_leftover(r->costs.b, "[unknown]", module);
		return frame;
	}
	frame.is_leftover = false;
	frame.func = pd_builder_func(r->costs.b, name, module);
	pd_builder_set_file(r->costs.b, frame.func, string_at(r, f->file));
	return frame;
}

/* The same, each pair made once. */
static struct frame find_frame(struct reading *r, uint32_t function, uint32_t mapping)
{
	uint64_t key = pd_map_key(mapping, function);
	uint32_t known = pd_map_find(&r->frame_of, key);
	struct frame frame;

	if (known != PD_MAP_NONE)
		return (struct frame){known >> 1, known & 1};
	frame = make_frame(r, function, mapping);
	if (pd_map_insert(&r->frame_of, key, frame.func << 1 | frame.is_leftover) == PD_MAP_NONE)
		r->failed = true;
	return frame;
}

static void make_location(struct reading *r, struct location *location)
{
	uint32_t mapping = pd_map_find(&r->mapping_of, number_in(location->message, 2));
	struct pd_span rest = location->message;
	struct field f;

	location->is_made = true;
	location->first = r->frames.n;
	while (take_field(&rest, &f) && r->frames.n - location->first < MAX_LINES)
		if (f.no == 4 && f.is_bytes)
			ADD(r, r->frames, find_frame(r, pd_map_find(&r->function_of,
								    number_in(f.bytes, 1)),
						     mapping));
	if (r->frames.n == location->first)
		ADD(r, r->frames, find_frame(r, PD_MAP_NONE, mapping));
	location->n = r->frames.n - location->first;
	if (location->n == MAX_LINES)
		pd_diags_add(r->in->diags, PD_WARNING, "deep-inline", r->in->path, 0,
			     "expected at most %d functions inlined into each other, found more; "
			     "the others left out", MAX_LINES - 1);
}

/* Ids are mostly counted: then a table finds locations, faster than the map. */
static void make_location_table(struct reading *r)
{
	uint64_t max = 0;

	for (uint32_t i = 0; i < r->locations.n; i++) {
		uint64_t id = number_in(r->locations.items[i].message, 1);

		max = id > max ? id : max;
	}
	if (max / 4 > r->locations.n)
		return;
	r->locations_by_id = calloc(max + 1, sizeof(*r->locations_by_id));
	if (!r->locations_by_id)
		return;
	r->n_by_id = max + 1;
	for (uint32_t i = r->locations.n; i-- > 0;) /* the first of an id stays */
		r->locations_by_id[number_in(r->locations.items[i].message, 1)] = i + 1;
}

static uint32_t find_location(const struct reading *r, uint64_t id)
{
	if (!r->locations_by_id)
		return pd_map_find(&r->location_of, id);
	return id < r->n_by_id && r->locations_by_id[id] ? r->locations_by_id[id] - 1
							 : PD_MAP_NONE;
}

static void add_location(struct reading *r, uint64_t id)
{
	uint32_t i = find_location(r, id);
	struct location *location;

	if (i == PD_MAP_NONE)
		return;
	location = &r->locations.items[i];
	if (!location->is_made)
		make_location(r, location);
	for (uint32_t k = 0; k < location->n && !r->failed; k++)
		pp_costs_frame(&r->costs, r->frames.items[location->first + k].func,
			       r->frames.items[location->first + k].is_leftover);
}

/* Values of a sample: packed, or one after the other. False if one is too large. */
static bool read_values(struct reading *r, struct pd_span sample)
{
	uint32_t n = 0;
	struct field f;
	uint64_t x;

	while (take_field(&sample, &f)) {
		struct pd_span packed = f.bytes;

		if (f.no != 2)
			continue;
		do {
			double value;

			x = f.number;
			if (f.is_bytes && !take_varint(&packed, &x))
				break;
			value = (double)(int64_t)x;
			if (fabs(value) > PD_COUNT_MAX)
				return false;
			r->has_negative |= value < 0;
			if (n < r->n_types)
				r->costs.values[n] = value * r->factors[n];
			n++;
		} while (packed.len);
	}
	while (n < r->n_types)
		r->costs.values[n++] = 0;
	return true;
}

static void read_sample(struct reading *r, struct pd_span sample)
{
	struct pd_span rest = sample;
	struct field f;
	uint64_t id;

	if (!read_values(r, sample)) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-sample", r->in->path, 0,
			     "expected values up to 2^53, found more; sample skipped");
		return;
	}
	pp_costs_begin(&r->costs);
	while (take_field(&rest, &f)) {
		struct pd_span packed = f.bytes;

		if (f.no != 1)
			continue;
		if (!f.is_bytes)
			add_location(r, f.number);
		while (packed.len && take_varint(&packed, &id))
			add_location(r, id);
	}
	pp_costs_end(&r->costs);
}

/* Events, and what the profile says of the run. */
static void describe(struct reading *r)
{
	struct pd_builder *b = r->costs.b;
	struct pd_span rest = r->in->bytes, period_type = {0};
	double period = PD_UNKNOWN;
	struct field f;

	r->costs.run = pd_builder_run(b, pd_span_of(""));
	r->costs.n_events = r->n_types;
	while (take_field(&rest, &f)) {
		if (f.no == 9 && f.number)
			pd_builder_set_started(b, r->costs.run, (double)f.number / 1e9);
		else if (f.no == 10 && f.number)
			pd_builder_set_duration(b, r->costs.run, (double)f.number);
		else if (f.no == 11)
			period_type = f.bytes;
		else if (f.no == 12 && f.number)
			period = (double)f.number;
	}
	for (uint32_t i = 0; i < r->n_types; i++) {
		uint64_t type_no = number_in(r->types[i], 1), unit_no = number_in(r->types[i], 2);
		struct pd_span type = string_at(r, type_no);
		struct pp_unit unit = pp_unit_of(type, string_at(r, unit_no));
		uint32_t e = pd_builder_event(b, r->costs.run, type, unit.unit);
		struct pd_event *event = pd_builder_event_at(b, r->costs.run, e);

		r->factors[i] = unit.factor;
		pd_builder_set_complete(b, r->costs.run, e);
		if (event && period_type.len && number_in(period_type, 1) == type_no &&
		    number_in(period_type, 2) == unit_no)
			event->period = period * unit.factor;
	}
}

static void done(struct reading *r)
{
	free(r->strings.items);
	free(r->mappings.items);
	free(r->functions.items);
	free(r->locations.items);
	free(r->frames.items);
	free(r->locations_by_id);
	pd_map_done(&r->mapping_of);
	pd_map_done(&r->function_of);
	pd_map_done(&r->location_of);
	pd_map_done(&r->frame_of);
	pp_costs_done(&r->costs);
}

int pp_proto_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reading r = {.in = in, .costs.b = b};
	struct pd_span rest = in->bytes;
	struct field f;
	int rc = PD_OK;

	if (!collect(&r))
		pd_diags_add(in->diags, PD_WARNING, "truncated", in->path, 0,
			     "expected another field, found none; the profile is cut or broken, "
			     "what there is was read");
	if (!r.n_types)
		rc = pd_fail(err, PD_ERR_FORMAT, "expected types of samples, found none");
	else if (r.is_full)
		rc = pd_fail(err, PD_ERR_LIMIT, "expected at most %d types of samples, found more",
			     PP_MAX_EVENTS);
	else
		describe(&r);
	make_location_table(&r);
	while (rc == PD_OK && !r.failed && !r.costs.failed && !pd_builder_is_failed(b) &&
	       take_field(&rest, &f))
		if (f.no == 2 && f.is_bytes)
			read_sample(&r, f.bytes);
	if (r.has_negative)
		pd_builder_set_deltas(b, r.costs.run);
	pp_costs_tell(&r.costs);
	if (r.failed || r.costs.failed)
		rc = pd_fail_nomem(err);
	done(&r);
	return rc;
}
