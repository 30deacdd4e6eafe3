/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparability. Contract: comparable.h.
 */
#include "report/comparable.h"

#include <string.h>

#include "base/num.h"

/* One property of all runs: said where the sides differ in it. */
static void add_difference(struct pd_document *d, const struct pd_comparison *c, const char *what,
			   const char *(*get)(struct pd_document *d, const struct pd_comparison *c,
					      uint32_t side, uint32_t run))
{
	const char *text = pd_document_printf(d, "%s differs:", what);
	bool differs = false;

	for (uint32_t s = 0; s < c->n_sides; s++) {
		const char *value = get(d, c, s, 0), *base = get(d, c, 0, 0);

		if (!value || !base)
			return;
		differs |= strcmp(value, base) != 0;
		text = pd_document_printf(d, "%s%s %s %s", text, s ? "," : "", c->sides[s].label,
					  value);
	}
	if (differs)
		pd_document_add_text(d, pd_document_printf(d, "%s.", text));
}

static const char *get_event(struct pd_document *d, const struct pd_comparison *c, uint32_t side,
			     uint32_t run)
{
	(void)d;
	return c->events[0].own_names[c->sides[side].first_run + run];
}

static const char *get_format(struct pd_document *d, const struct pd_comparison *c, uint32_t side,
			      uint32_t run)
{
	(void)d;
	return c->sides[side].runs[run].format;
}

static const char *get_frequency(struct pd_document *d, const struct pd_comparison *c,
				 uint32_t side, uint32_t run)
{
	double hz = c->events[0].frequency_hz[c->sides[side].first_run + run];
	char buf[PD_NUM_LEN];

	return pd_is_known(hz) ? pd_document_printf(d, "%s Hz", pd_num_shortest(hz, buf)) : NULL;
}

static const char *get_duration(struct pd_document *d, const struct pd_comparison *c, uint32_t side,
				uint32_t run)
{
	double base_ns = c->sides[0].runs[0].duration_ns, ns = c->sides[side].runs[run].duration_ns;
	char buf[PD_NUM_LEN];

	if (!pd_is_known(ns) || !pd_is_known(base_ns))
		return NULL;
	if (fabs(ns - base_ns) <= 0.05 * base_ns)
		ns = base_ns; /* no difference worth a word */
	return pd_document_printf(d, "%s s", pd_num_fixed(ns / 1e9, 1, buf));
}

/* Samples that the runs of a side lost together, or unknown. */
static double count_lost(const struct pd_comparison *c, uint32_t side)
{
	double n = 0;

	for (uint32_t i = 0; i < c->sides[side].n_runs; i++)
		n += c->events[0].n_lost[c->sides[side].first_run + i];
	return n;
}

static const char *get_lost(struct pd_document *d, const struct pd_comparison *c, uint32_t side,
			    uint32_t run)
{
	double n = count_lost(c, side);
	char buf[PD_NUM_LEN];

	(void)run;
	return pd_is_known(n) ? pd_document_printf(d, "%s", pd_num_shortest(n, buf)) : NULL;
}

static const char *get_kernel(struct pd_document *d, const struct pd_comparison *c, uint32_t side,
			      uint32_t run)
{
	const char *kernel = c->sides[side].runs[run].kernel;

	(void)d;
	return kernel && strcmp(kernel, c->sides[side].label) != 0 ? kernel : NULL;
}

static const char *get_cpus(struct pd_document *d, const struct pd_comparison *c, uint32_t side,
			    uint32_t run)
{
	uint32_t n = c->sides[side].runs[run].n_cpus;

	return n ? pd_document_printf(d, "%u", n) : NULL;
}

/* How often sampling was slowed down in the runs of a side. */
static const char *get_throttled(struct pd_document *d, const struct pd_comparison *c,
				 uint32_t side, uint32_t run)
{
	char buf[PD_NUM_LEN];
	double n = 0;

	(void)run;
	for (uint32_t i = 0; i < c->sides[side].n_runs; i++)
		n += c->sides[side].runs[i].n_throttled;
	return pd_is_known(n) ? pd_document_printf(d, "%s times", pd_num_shortest(n, buf)) : NULL;
}

/* Idle time in percent of the total; differences below five points are the load's. */
static const char *get_idle(struct pd_document *d, const struct pd_comparison *c, uint32_t side,
			    uint32_t run)
{
	const struct pd_compared_event *e = &c->events[0];
	double base = 1 - e->busy_sides[0].value / e->sides[0].value;
	double share = 1 - e->busy_sides[side].value / e->sides[side].value;
	char buf[PD_NUM_LEN];

	(void)run;
	if (!e->has_idle || !isfinite(base) || !isfinite(share))
		return NULL;
	if (fabs(share - base) < 0.05)
		share = base;
	return pd_document_printf(d, "%s%%", pd_num_fixed(100 * share, 1, buf));
}

/* Recordings that were not finished: their last samples are missing. */
static void tell_truncated(struct pd_document *d, const struct pd_comparison *c)
{
	for (uint32_t s = 0; s < c->n_sides; s++)
		for (uint32_t i = 0; i < c->sides[s].n_runs; i++)
			if (c->sides[s].runs[i].is_truncated)
				pd_document_add_text(
					d, pd_document_printf(d, "warning: %s: the recorder did "
							      "not finish this file.",
							      c->sides[s].runs[i].path));
}

void pd_comparable_add(struct pd_document *d, const struct pd_comparison *c)
{
	add_difference(d, c, "event", get_event);
	add_difference(d, c, "format", get_format);
	add_difference(d, c, "kernel", get_kernel);
	add_difference(d, c, "number of processors", get_cpus);
	add_difference(d, c, "sampling rate", get_frequency);
	pd_comparable_add_course(d, c);
}

void pd_comparable_add_course(struct pd_document *d, const struct pd_comparison *c)
{
	add_difference(d, c, "duration", get_duration);
	add_difference(d, c, "lost samples", get_lost);
	add_difference(d, c, "throttling", get_throttled);
	add_difference(d, c, "idle share", get_idle);
	tell_truncated(d, c);
}
