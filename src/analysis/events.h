/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matching of events: by name ("cycles" is "cycles:P"), and the only event of
 * one run with the only event of another.
 */
#ifndef PD_ANALYSIS_EVENTS_H
#define PD_ANALYSIS_EVENTS_H

#include "analysis/match.h"

/*
 * Fill m->event_of, m->n_events and the names and units of c->events; m->runs
 * is given. Errors: MISMATCH, NOMEM.
 */
int pd_match_events(struct pd_comparison *c, struct pd_matched *m, struct pd_diags *diags,
		    struct pd_error *err) PD_MUST_USE;

#endif
