/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the readers of perf's tables share. FORMAT is the format's name.
 */
#ifndef PD_UNIT_PERF_READINGS_H
#define PD_UNIT_PERF_READINGS_H

#include "support.h"

/*
 * All that a text says: "SECTION{EVENT UNIT TOTAL:module!name=self/inclusive/samples ...}",
 * numbers rounded to 4 digits; what is unknown is left out.
 */
static void dump_number(struct pd_buf *b, char mark, double x)
{
	if (pd_is_known(x))
		pd_buf_printf(b, "%c%.4g", mark, x);
	else if (mark == '/')
		pd_buf_add_char(b, '/');
}

static void dump_event(struct pd_buf *b, const struct pd_profile *p, uint32_t e)
{
	const struct pd_event *event = &p->events[e];

	pd_buf_printf(b, "{%s %s", pd_strtab_get(&p->strings, event->name),
		      pd_unit_name(event->unit));
	dump_number(b, ' ', event->total);
	pd_buf_add_char(b, ':');
	for (uint32_t f = 0; f < p->n_funcs; f++) {
		const struct pd_weight *w = pd_profile_weight(p, f, e);

		if (!pd_is_known(w->self) && !pd_is_known(w->inclusive))
			continue;
		pd_buf_printf(b, " %s%s%s", pd_strtab_get(&p->strings, p->funcs[f].module),
			      p->funcs[f].module.id ? "!" : "",
			      pd_strtab_get(&p->strings, p->funcs[f].name));
		dump_number(b, '=', w->self);
		if (pd_is_known(w->inclusive) || pd_is_known(w->n_samples)) {
			dump_number(b, '/', w->inclusive);
			dump_number(b, '/', w->n_samples);
		}
	}
	pd_buf_add_char(b, '}');
}

static void assert_reads(const char *text, const char *want)
{
	struct ut_reading r = ut_read(text, FORMAT, NULL);
	struct pd_buf have = {0};

	if (r.rc != PD_OK)
		pd_buf_printf(&have, "error %d", r.rc);
	for (uint32_t i = 0; i < r.profiles.n; i++) {
		const struct pd_profile *p = r.profiles.items[i];

		pd_buf_printf(&have, "%s%s", i ? " " : "", p->section ? p->section : "");
		for (uint32_t e = 0; e < p->n_events; e++)
			dump_event(&have, p, e);
	}
	for (uint32_t i = 0; i < r.diags.n; i++)
		pd_buf_printf(&have, " %u:%s", r.diags.items[i].line, r.diags.items[i].text);
	ut_assert_text(text, have.ptr, want);
	pd_buf_done(&have);
	ut_reading_done(&r);
}

static enum pd_sniff sniff(const char *format, const char *text)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_input in = {.path = "in", .bytes = pd_span_of(text), .limits = &limits};

	return pd_format_find(format)->sniff(&in);
}

#endif
