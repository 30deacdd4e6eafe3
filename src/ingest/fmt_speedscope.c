/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * speedscope's own format, which py-spy, rbspy, ruby and many converters write: frames
 * that are shared, and profiles of samples (the root first) or of events in time.
 *
 *	{"$schema": "https://www.speedscope.app/file-format-schema.json",
 *	 "shared": {"frames": [{"name": "main", "file": "a.py", "line": 1}, {"name": "f"}]},
 *	 "profiles": [
 *	  {"type": "sampled", "name": "thread 1", "unit": "microseconds",
 *	   "startValue": 0, "endValue": 30, "samples": [[0], [0, 1]], "weights": [10, 20]},
 *	  {"type": "evented", "name": "thread 2", "unit": "microseconds",
 *	   "startValue": 0, "endValue": 7,
 *	   "events": [{"type": "O", "frame": 0, "at": 2}, {"type": "C", "frame": 0, "at": 7}]}]}
 *
 * Profiles of one unit are threads of one run and are added up; what is counted in another
 * unit is another event of it. Time in which no function is on the stack costs nobody.
 */
#include <stdlib.h>

#include "base/num.h"
#include "ingest/ingest.h"
#include "ingest/json.h"
#include "ingest/stacks.h"

/* A function while stacks are read, by its id in the builder. */
struct func {
	uint64_t last;   /* the sample that had it last */
	double opened;   /* when it came onto the stack of events */
	uint32_t n_open; /* how often it is on it */
};

struct unit {
	const char *word, *event;
	enum pd_unit unit;
	double factor;
};

static const struct unit units[] = {
	{"none", "samples", PD_UNIT_SAMPLES, 1},  {"bytes", "bytes", PD_UNIT_BYTES, 1},
	{"nanoseconds", "time", PD_UNIT_NS, 1},   {"microseconds", "time", PD_UNIT_NS, 1e3},
	{"milliseconds", "time", PD_UNIT_NS, 1e6}, {"seconds", "time", PD_UNIT_NS, 1e9},
};

enum { N_UNITS = sizeof(units) / sizeof(units[0]), MAX_EVENTS = 3 };

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_json json;
	uint32_t *frames; /* functions, by number in the file; NULL: not read yet */
	uint32_t n_frames;
	struct func *funcs;
	uint32_t n_funcs;
	uint32_t *stack; /* functions, the root first */
	uint32_t n_stack, cap_stack;
	uint64_t sample;
	uint32_t run, n_profiles;
	uint32_t profile, entry; /* where reading is: their numbers from 1 */
	const struct unit *events[MAX_EVENTS]; /* of the run */
	uint32_t n_events;
	bool failed;
};

/* No time is further away, so that sums stay finite: 1e25 ns. */
static bool is_sane(double x)
{
	return fabs(x) <= 1e25;
}

static void complain(const struct reader *r, const char *kind, const char *what)
{
	pd_diags_add(r->in->diags, PD_WARNING, kind, r->in->path, 0, "profile %u, entry %u: %s",
		     r->profile, r->entry, what);
}

/* ---- frames ---- */

static uint32_t read_frame(struct reader *r)
{
	struct pd_json_field f[] = {{.key = "name"}, {.key = "file"}};
	bool is_object = pd_json_fields(&r->json, f, 2);
	const char *behind = r->json.at;
	const struct pd_span none = {"", 0};
	struct pd_span s = none;
	uint32_t func;

	if (!is_object || !pd_json_go(&r->json, f[0].at) || !pd_json_string(&r->json, &s))
		s = none;
	s = pd_span_trim(s);
	if (pd_stacks_is_unnamed(s)) {
		func = pd_builder_leftover(r->b, "[unknown]", none);
	} else {
		func = pd_builder_func(r->b, s, none);
		if (pd_json_go(&r->json, f[1].at) && pd_json_string(&r->json, &s) && s.len)
			pd_builder_set_file(r->b, func, s);
	}
	(void)pd_json_go(&r->json, behind);
	return func;
}

static void read_shared(struct reader *r)
{
	struct pd_json_field f = {.key = "frames"};
	bool is_object = pd_json_fields(&r->json, &f, 1);
	const char *behind = r->json.at;
	size_t n;

	if (!is_object || !pd_json_go(&r->json, f.at))
		return;
	n = pd_json_count(&r->json);
	/* The function without a name may be one more. */
	if (n < UINT32_MAX - 2) {
		r->frames = calloc(n + 1, sizeof(*r->frames));
		r->funcs = calloc(n + 2, sizeof(*r->funcs));
	}
	if (!r->frames || !r->funcs) {
		r->failed = true;
		return;
	}
	r->n_funcs = (uint32_t)n + 2;
	if (pd_json_array(&r->json))
		while (pd_json_item(&r->json) && r->n_frames < n)
			r->frames[r->n_frames++] = read_frame(r);
	(void)pd_json_go(&r->json, behind);
}

/* The function of the frame whose number is to come; false if there is none. */
static bool read_func(struct reader *r, uint32_t *ret_func)
{
	uint32_t frame;

	if (!pd_json_index(&r->json, r->n_frames, &frame))
		return false;
	*ret_func = r->frames[frame];
	return *ret_func < r->n_funcs;
}

static bool push(struct reader *r, uint32_t func)
{
	if (r->n_stack == r->in->limits->n_frames)
		return false;
	if (r->n_stack == r->cap_stack) {
		uint32_t cap = r->cap_stack ? 2 * r->cap_stack : 64;
		uint32_t *stack = realloc(r->stack, cap * sizeof(*stack));

		if (!stack) {
			r->failed = true;
			return false;
		}
		r->stack = stack;
		r->cap_stack = cap;
	}
	r->stack[r->n_stack++] = func;
	return true;
}

/* ---- samples ---- */

/* One stack into r->stack; false, with a warning, if it cannot be counted. */
static bool read_stack(struct reader *r)
{
	bool is_deep = false, is_bad = !pd_json_array(&r->json);
	uint32_t func;

	r->n_stack = 0;
	while (!is_bad && pd_json_item(&r->json)) {
		if (!read_func(r, &func)) {
			is_bad = true;
			while (pd_json_item(&r->json))
				pd_json_skip(&r->json);
		} else if (!push(r, func)) {
			is_deep = true;
		}
	}
	if (is_bad && !pd_json_is_failed(&r->json))
		complain(r, "bad-sample", "expected a list of frames' numbers, found something "
			 "else; sample skipped");
	if (is_deep && !r->failed)
		complain(r, "deep-stack", "expected fewer frames; sample skipped");
	return !is_bad && !is_deep && r->n_stack && !pd_json_is_failed(&r->json);
}

static void add_sample(struct reader *r, uint32_t event, double cost)
{
	uint32_t leaf = r->stack[r->n_stack - 1];
	struct pd_event *told = pd_builder_event_at(r->b, r->run, event);

	r->sample++;
	pd_builder_add_self(r->b, r->run, event, leaf, cost);
	if (r->events[event]->unit == PD_UNIT_NS) {
		pd_builder_add_samples(r->b, r->run, event, leaf, 1);
		pd_builder_add_squares(r->b, r->run, event, leaf, cost * cost);
		if (told)
			told->n_samples = pd_is_known(told->n_samples) ? told->n_samples + 1 : 1;
	}
	for (uint32_t i = 0; i < r->n_stack; i++) {
		struct func *f = &r->funcs[r->stack[i]];

		if (f->last == r->sample || pd_builder_is_leftover(r->b, r->stack[i]))
			continue;
		f->last = r->sample;
		pd_builder_add_inclusive(r->b, r->run, event, r->stack[i], cost);
	}
}

/* Two lists that belong together: stacks, and what each costs (or 1). */
static void read_samples(struct reader *r, uint32_t event, double factor, const char *samples,
			 const char *weights)
{
	struct pd_json other;
	bool has_weights;
	double cost = 1;

	pd_json_init(&other, (struct pd_span){r->json.begin,
					      (size_t)(r->json.end - r->json.begin)});
	has_weights = pd_json_go(&other, weights) && pd_json_array(&other);
	if (!pd_json_go(&r->json, samples) || !pd_json_array(&r->json))
		return;
	while (!r->failed && !pd_builder_is_failed(r->b) && pd_json_item(&r->json)) {
		bool has_cost = !has_weights;

		r->entry++;
		if (has_weights && pd_json_item(&other))
			has_cost = pd_json_number(&other, &cost) && cost >= 0 &&
				   is_sane(cost * factor);
		else if (has_weights)
			other.at = other.end;
		if (!read_stack(r))
			continue;
		if (has_cost)
			add_sample(r, event, cost * factor);
		else
			complain(r, "bad-weight", "expected a weight for each sample, found none "
				 "or less than 0; sample skipped");
	}
	r->n_stack = 0;
	pd_json_done(&other);
}

/* ---- events ---- */

static void close_top(struct reader *r, uint32_t event, double at)
{
	uint32_t func = r->stack[--r->n_stack];
	struct func *f = &r->funcs[func];

	if (!--f->n_open && !pd_builder_is_leftover(r->b, func))
		pd_builder_add_inclusive(r->b, r->run, event, func, at - f->opened);
}

/* What is on the stack when an event happens; the function that opens or closes. */
static void take_event(struct reader *r, uint32_t event, uint32_t func, bool is_open, double at)
{
	struct func *f = &r->funcs[func];

	if (is_open) {
		if (!push(r, func)) {
			complain(r, "deep-stack", "expected fewer functions within each other; "
				 "function skipped");
			return;
		}
		if (!f->n_open++)
			f->opened = at;
		return;
	}
	if (!f->n_open) {
		complain(r, "bad-event", "expected the end of a function that began, found another "
			 "one's; event skipped");
		return;
	}
	if (r->stack[r->n_stack - 1] != func)
		complain(r, "bad-order", "expected the end of the innermost function, found an "
			 "outer one's; those within end there");
	while (r->stack[r->n_stack - 1] != func)
		close_top(r, event, at);
	close_top(r, event, at);
}

static bool read_event(struct reader *r, double factor, uint32_t *ret_func, bool *ret_is_open,
		       double *ret_at)
{
	bool has_func = false, has_type = false, has_at = false;
	struct pd_span key, s;

	if (!pd_json_object(&r->json))
		return false;
	while (pd_json_key(&r->json, &key)) {
		if (pd_span_eq(key, "frame")) {
			has_func = read_func(r, ret_func);
		} else if (pd_span_eq(key, "at")) {
			has_at = pd_json_number(&r->json, ret_at);
		} else if (pd_span_eq(key, "type")) {
			has_type = pd_json_string(&r->json, &s) && s.len == 1 &&
				   (s.ptr[0] == 'O' || s.ptr[0] == 'C');
			*ret_is_open = has_type && s.ptr[0] == 'O';
		} else {
			pd_json_skip(&r->json);
		}
	}
	*ret_at *= factor;
	return has_func && has_type && has_at && is_sane(*ret_at);
}

static void read_events(struct reader *r, uint32_t event, double factor, const char *events,
			double end)
{
	double now = -HUGE_VAL, at = 0;
	uint32_t func = 0;
	bool is_open = false;

	if (!pd_json_go(&r->json, events) || !pd_json_array(&r->json))
		return;
	while (!r->failed && !pd_builder_is_failed(r->b) && pd_json_item(&r->json)) {
		r->entry++;
		if (!read_event(r, factor, &func, &is_open, &at)) {
			if (!pd_json_is_failed(&r->json))
				complain(r, "bad-event", "expected an event's type, frame and "
					 "time, found none; event skipped");
			continue;
		}
		if (at < now) {
			complain(r, "bad-time", "expected events in the order of time, found an "
				 "earlier one; taken for one at the time of the last");
			at = now;
		}
		if (r->n_stack)
			pd_builder_add_self(r->b, r->run, event, r->stack[r->n_stack - 1],
					    at - now);
		now = at;
		take_event(r, event, func, is_open, at);
	}
	end = end > now ? end : now;
	if (!is_sane(end))
		end = now;
	if (r->n_stack)
		pd_builder_add_self(r->b, r->run, event, r->stack[r->n_stack - 1], end - now);
	while (r->n_stack)
		close_top(r, event, end);
}

/* ---- profiles ---- */

/* The run's event that is counted in a unit. */
static uint32_t event_of(struct reader *r, const struct unit *unit)
{
	for (uint32_t i = 0; i < r->n_events; i++)
		if (r->events[i]->unit == unit->unit)
			return i;
	r->events[r->n_events++] = unit;
	(void)pd_builder_event(r->b, r->run, pd_span_of(unit->event), unit->unit);
	pd_builder_set_complete(r->b, r->run, r->n_events - 1);
	return r->n_events - 1;
}

static const struct unit *read_unit(struct reader *r, const char *at)
{
	struct pd_span s;

	if (!pd_json_go(&r->json, at) || !pd_json_string(&r->json, &s))
		return &units[0];
	for (size_t i = 0; i < N_UNITS; i++)
		if (pd_span_eq(s, units[i].word))
			return &units[i];
	complain(r, "bad-unit", "expected a unit of speedscope's, found none; profile skipped");
	return NULL;
}

static void read_profile(struct reader *r)
{
	enum { UNIT, SAMPLES, WEIGHTS, EVENTS, END, N };
	struct pd_json_field f[N] = {
		[UNIT] = {.key = "unit"},       [SAMPLES] = {.key = "samples"},
		[WEIGHTS] = {.key = "weights"}, [EVENTS] = {.key = "events"},
		[END] = {.key = "endValue"},
	};
	bool is_object = pd_json_fields(&r->json, f, N);
	const char *behind = r->json.at;
	const struct unit *unit;
	double end;

	r->profile++;
	r->entry = 0;
	if (pd_json_is_failed(&r->json))
		return;
	if (!is_object || (!f[SAMPLES].at && !f[EVENTS].at)) {
		complain(r, "bad-profile", "expected samples or events, found none; profile "
			 "skipped");
		return;
	}
	unit = read_unit(r, f[UNIT].at);
	if (unit && f[SAMPLES].at)
		read_samples(r, event_of(r, unit), unit->factor, f[SAMPLES].at, f[WEIGHTS].at);
	if (unit && f[EVENTS].at) {
		if (!pd_json_go(&r->json, f[END].at) || !pd_json_number(&r->json, &end))
			end = -HUGE_VAL;
		read_events(r, event_of(r, unit), unit->factor, f[EVENTS].at, end * unit->factor);
	}
	r->n_profiles++;
	(void)pd_json_go(&r->json, behind);
}

static void read_profiles(struct reader *r)
{
	if (pd_json_array(&r->json))
		while (!r->failed && !pd_builder_is_failed(r->b) && pd_json_item(&r->json))
			read_profile(r);
}

/* ---- the input ---- */

/* Profiles may stand before the frames they need: some writers sort their keys. */
static void read_root(struct reader *r)
{
	const char *waiting = NULL;
	struct pd_span key;

	if (!pd_json_object(&r->json))
		return;
	while (!r->failed && !pd_builder_is_failed(r->b) && pd_json_key(&r->json, &key)) {
		if (pd_span_eq(key, "shared") && !r->frames) {
			read_shared(r);
		} else if (pd_span_eq(key, "profiles") && r->frames && !r->n_profiles) {
			read_profiles(r);
		} else {
			if (pd_span_eq(key, "profiles") && !waiting)
				waiting = r->json.at;
			pd_json_skip(&r->json);
		}
	}
	if (waiting && !r->n_profiles && r->frames && pd_json_go(&r->json, waiting))
		read_profiles(r);
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct pd_json_field root[] = {{.key = "$schema"}, {.key = "profiles"}, {.key = "shared"}};
	struct pd_json_field frames = {.key = "frames"}, type = {.key = "type"};
	enum pd_sniff found = PD_SNIFF_NO;
	struct pd_span s;
	struct pd_json j;

	pd_json_init(&j, head->bytes);
	(void)pd_json_fields(&j, root, 3);
	j.expected = NULL; /* the head may be cut */
	if (pd_json_go(&j, root[0].at) && pd_json_string(&j, &s) &&
	    pd_span_find(s, "speedscope") != SIZE_MAX)
		found = PD_SNIFF_YES;
	j.expected = NULL;
	if (!found && pd_json_go(&j, root[1].at) && pd_json_array(&j) && pd_json_item(&j)) {
		(void)pd_json_fields(&j, &type, 1);
		j.expected = NULL;
		if (pd_json_go(&j, type.at) && pd_json_string(&j, &s) &&
		    (pd_span_eq(s, "sampled") || pd_span_eq(s, "evented")))
			found = PD_SNIFF_YES;
	}
	j.expected = NULL;
	if (!found && pd_json_go(&j, root[2].at)) {
		(void)pd_json_fields(&j, &frames, 1);
		found = frames.at ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
	}
	pd_json_done(&j);
	return found;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b};
	int rc;

	r.run = pd_builder_run(b, pd_span_of(""));
	pd_json_init(&r.json, in->bytes);
	read_root(&r);
	rc = r.failed ? pd_fail_nomem(err) : pd_json_check(&r.json, err);
	if (rc == PD_OK && !r.frames)
		rc = pd_fail(err, PD_ERR_FORMAT, "expected shared frames of speedscope, found "
			     "none");
	pd_json_done(&r.json);
	free(r.frames);
	free(r.funcs);
	free(r.stack);
	return rc;
}

const struct pd_format pd_format_speedscope = {
	.name = "speedscope",
	.title = "speedscope: samples, or events in time, of py-spy, rbspy and others",
	.sniff = sniff,
	.read = read,
};
