/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matching of events. Contract: events.h.
 */
#include "analysis/events.h"

#include "base/num.h"
#include "base/text.h"

#define NO_EVENT UINT32_MAX

/* Whether terms between slashes only say how an event is sampled: "freq=499,call-graph=fp". */
static bool are_sampling_terms(struct pd_span s)
{
	static const char *const terms[] = {"freq=", "period=", "call-graph=", "stack-size=",
					    "max-stack=", "time=", "inherit", "no-inherit",
					    "overwrite", "no-overwrite"};
	bool all = true;

	while (s.len && all) {
		size_t len = pd_span_find(s, ",");

		all = false;
		for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++)
			all |= pd_span_starts(s, terms[i]);
		s = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(s, len + 1, s.len);
	}
	return all;
}

/* Without how it is sampled: "cpu-clock/freq=499/u" -> "cpu-clock", but "cpu/event=0x3c/" stays. */
static struct pd_span cut_terms(struct pd_span s)
{
	size_t from = pd_span_find(s, "/"), to = pd_span_find_last(s, '/');

	if (from == SIZE_MAX || !from || to == from ||
	    !are_sampling_terms(pd_span_sub(s, from + 1, to)))
		return s;
	for (size_t i = to + 1; i < s.len; i++)
		if (!strchr("ukhIGHpPSDWe", s.ptr[i]))
			return s;
	return pd_span_sub(s, 0, from);
}

struct pd_span pd_event_bare_name(struct pd_span s)
{
	size_t colon;

	s = cut_terms(s);
	colon = pd_span_find_last(s, ':');
	if (colon == SIZE_MAX || colon + 1 == s.len)
		return s;
	for (size_t i = colon + 1; i < s.len; i++)
		if (!strchr("ukhIGHpPSDWe", s.ptr[i]))
			return s;
	return pd_span_sub(s, 0, colon);
}

static bool is_same(struct pd_span a, struct pd_span b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

/* The only event of that bare name: "cycles:u" beside "cycles:k" is not "cycles". */
static uint32_t find_bare(const struct pd_profile *p, struct pd_span bare)
{
	uint32_t found = NO_EVENT;

	for (uint32_t i = 0; i < p->n_events; i++) {
		struct pd_span own = pd_strtab_span(&p->strings, p->events[i].name);

		if (!is_same(pd_event_bare_name(own), bare))
			continue;
		if (found != NO_EVENT)
			return NO_EVENT;
		found = i;
	}
	return found;
}

static uint32_t find_event(const struct pd_profile *p, const struct pd_profile *base,
			   uint32_t event)
{
	struct pd_span want = pd_strtab_span(&base->strings, base->events[event].name);

	if (p->n_events == 1 && base->n_events == 1)
		return 0;
	for (uint32_t i = 0; i < p->n_events; i++)
		if (is_same(pd_strtab_span(&p->strings, p->events[i].name), want))
			return i;
	want = pd_event_bare_name(want);
	return find_bare(base, want) == event ? find_bare(p, want) : NO_EVENT;
}

/* The event's numbers in every run; false if a run lacks it. */
static bool match_event(const struct pd_matched *m, uint32_t event, uint32_t *ret_event_of)
{
	for (uint32_t r = 0; r < m->n_runs; r++) {
		ret_event_of[r] = find_event(m->runs[r], m->runs[0], event);
		if (ret_event_of[r] == NO_EVENT)
			return false;
	}
	return true;
}

static int check_units(const struct pd_matched *m, const uint32_t *event_of, struct pd_error *err)
{
	const struct pd_event *base = &m->runs[0]->events[event_of[0]];

	for (uint32_t r = 1; r < m->n_runs; r++) {
		const struct pd_event *e = &m->runs[r]->events[event_of[r]];

		if (!pd_unit_is_same(e->unit, base->unit))
			return pd_fail(err, PD_ERR_MISMATCH,
				       "%s counts %s and %s counts %s: they cannot be compared",
				       m->runs[0]->path, pd_unit_name(base->unit),
				       m->runs[r]->path, pd_unit_name(e->unit));
	}
	return PD_OK;
}

/* Events of any run that no row of the comparison will show. */
static void tell_left_out(const struct pd_matched *m, struct pd_diags *diags)
{
	for (uint32_t r = 0; r < m->n_runs; r++)
		for (uint32_t i = 0; i < m->runs[r]->n_events; i++) {
			bool is_used = false;

			for (uint32_t e = 0; e < m->n_events; e++)
				is_used |= m->event_of[e * m->n_runs + r] == i;
			if (!is_used)
				pd_diags_add(diags, PD_WARNING, "event", m->runs[r]->path, 0,
					     "event %s is not in every run; it is not compared",
					     pd_strtab_get(&m->runs[r]->strings,
							   m->runs[r]->events[i].name));
		}
}

/* Results of benchmarks alone are compared without any event. */
static bool has_only_metrics(const struct pd_matched *m)
{
	for (uint32_t r = 0; r < m->n_runs; r++)
		if (m->runs[r]->n_events || !m->runs[r]->n_metrics)
			return false;
	return true;
}

int pd_match_events(struct pd_comparison *c, struct pd_matched *m, struct pd_diags *diags,
		    struct pd_error *err)
{
	const struct pd_profile *base = m->runs[0];
	int rc = PD_OK;

	m->event_of = pd_arena_array(&c->arena, (size_t)base->n_events * m->n_runs,
				     sizeof(*m->event_of));
	c->events = pd_arena_array(&c->arena, base->n_events, sizeof(*c->events));
	if (!m->event_of || !c->events)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < base->n_events && rc == PD_OK; i++) {
		uint32_t *event_of = &m->event_of[(size_t)m->n_events * m->n_runs];
		struct pd_compared_event *e = &c->events[m->n_events];

		if (!match_event(m, i, event_of))
			continue;
		rc = check_units(m, event_of, err);
		e->name = pd_strtab_intern(&c->strings,
					   pd_strtab_span(&base->strings, base->events[i].name));
		e->unit = base->events[i].unit;
		m->n_events++;
	}
	c->n_events = m->n_events;
	if (rc == PD_OK && !m->n_events && !has_only_metrics(m))
		return pd_fail(err, PD_ERR_MISMATCH,
			       "no event is in every run: there is nothing to compare");
	if (rc == PD_OK)
		tell_left_out(m, diags);
	return rc;
}

static bool is_wanted(const struct pd_profile *p, uint32_t event, const char *const *names,
		      uint32_t n_names)
{
	struct pd_span own = pd_strtab_span(&p->strings, p->events[event].name);

	for (uint32_t i = 0; i < n_names; i++)
		if (pd_span_eq(own, names[i]) || pd_span_eq(pd_event_bare_name(own), names[i]))
			return true;
	return false;
}

/* Of every n items of an array of blocks keep those of kept [n_kept]; NULL allowed. */
static void keep_items(void *items, size_t n_blocks, uint32_t n, size_t size, const uint32_t *kept,
		       uint32_t n_kept)
{
	char *to = items;

	for (size_t b = 0; b < n_blocks && items; b++)
		for (uint32_t i = 0; i < n_kept; i++, to += size)
			memmove(to, (char *)items + (b * n + kept[i]) * size, size);
}

static void keep_in_recording(struct pd_recording *r, uint32_t n, const uint32_t *kept,
			      uint32_t n_kept)
{
	keep_items(r->counts, r->n_sites, n, sizeof(*r->counts), kept, n_kept);
	keep_items(r->stack_counts, r->n_stacks, n, sizeof(*r->stack_counts), kept, n_kept);
	keep_items(r->comm_counts, r->n_comms, n, sizeof(*r->comm_counts), kept, n_kept);
	keep_items(r->filtered, 1, n, sizeof(*r->filtered), kept, n_kept);
	keep_items(r->guests, 1, n, sizeof(*r->guests), kept, n_kept);
}

int pd_events_keep(struct pd_profile *p, const char *const *names, uint32_t n_names,
		   struct pd_error *err)
{
	uint32_t *kept = pd_arena_array(&p->arena, p->n_events, sizeof(*kept)), n = 0;
	struct pd_buf all = {0};

	if (!kept)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < p->n_events; i++) {
		pd_buf_printf(&all, "%s%s", i ? ", " : "",
			      pd_strtab_get(&p->strings, p->events[i].name));
		if (is_wanted(p, i, names, n_names))
			kept[n++] = i;
	}
	if (n) {
		keep_items(p->weights, p->n_funcs, p->n_events, sizeof(*p->weights), kept, n);
		keep_items(p->call_selves, p->n_calls, p->n_events, sizeof(double), kept, n);
		for (uint32_t i = 0; i < p->n_comms; i++) {
			keep_items(p->comms[i].self, 1, p->n_events, sizeof(double), kept, n);
			keep_items(p->comms[i].n_samples, 1, p->n_events, sizeof(double), kept, n);
		}
		if (p->recording)
			keep_in_recording(p->recording, p->n_events, kept, n);
		keep_items(p->events, 1, p->n_events, sizeof(*p->events), kept, n);
		p->n_events = n;
		pd_buf_done(&all);
		return PD_OK;
	}
	(void)pd_fail(err, PD_ERR_USAGE, "--event: it has no event of that name; it has: %s",
		      all.ptr ? all.ptr : "none");
	pd_buf_done(&all);
	return PD_ERR_USAGE;
}
