/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matching of events: by name ("cycles" is "cycles:P"), and the only event of
 * one run with the only event of another.
 */
#ifndef PD_ANALYSIS_EVENTS_H
#define PD_ANALYSIS_EVENTS_H

#include "analysis/match.h"
#include "base/text.h"

/*
 * The name of an event without perf's modifiers: "cycles:P" -> "cycles", "cpu-clock/freq=99/" ->
 * "cpu-clock", but "kmem:kfree" stays.
 */
struct pd_span pd_event_bare_name(struct pd_span s);

/*
 * Fill m->event_of, m->n_events and the names and units of c->events; m->runs
 * is given. Errors: MISMATCH, NOMEM.
 */
int pd_match_events(struct pd_comparison *c, struct pd_matched *m, struct pd_diags *diags,
		    struct pd_error *err) PD_MUST_USE;

/*
 * Drop all events of a profile but those of these names, with perf's modifiers or
 * without. Errors: USAGE (it has none of them).
 */
int pd_events_keep(struct pd_profile *p, const char *const *names, uint32_t n_names,
		   struct pd_error *err) PD_MUST_USE;

#endif
