/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The comparison: options, the list of events, and the second pass, which is
 * all that depends on every row at once.
 */
#include "stats/stats.h"

#include <stdlib.h>

#include "base/num.h"
#include "stats/event.h"
#include "stats/fdr.h"
#include "stats/interval.h"

int pd_stats_new(const struct pd_stats_options *options, struct pd_stats **ret_stats,
		 struct pd_error *err)
{
	struct pd_stats *stats;

	if (!(options->alpha > 0 && options->alpha < 1))
		return pd_fail(err, PD_ERR_USAGE, "expected alpha between 0 and 1, found %g",
			       options->alpha);
	if (!(options->equiv_ratio > 0 && isfinite(options->equiv_ratio)))
		return pd_fail(err, PD_ERR_USAGE, "expected a margin above 0, found %g",
			       options->equiv_ratio);
	if ((unsigned)options->normalize >= PD_N_NORMALIZE)
		return pd_fail(err, PD_ERR_USAGE, "no such normalization");
	stats = calloc(1, sizeof(*stats));
	if (!stats)
		return pd_fail_nomem(err);
	pd_arena_init(&stats->arena);
	stats->options = *options;
	*ret_stats = stats;
	return 0;
}

void pd_stats_free(struct pd_stats *stats)
{
	if (!stats)
		return;
	pd_arena_done(&stats->arena);
	free(stats->events);
	free(stats);
}

int pd_stats_add(struct pd_stats *stats, const struct pd_stats_problem *problem,
		 struct pd_error *err)
{
	int rc;

	if (stats->n_events == stats->cap_events) {
		size_t cap = stats->cap_events ? 2 * stats->cap_events : 4;
		struct pd_stats_event *events = reallocarray(stats->events, cap, sizeof(*events));

		if (!events)
			return pd_fail_nomem(err);
		stats->events = events;
		stats->cap_events = cap;
	}
	rc = pd_stats_event_init(&stats->arena, &stats->options, problem,
			   &stats->events[stats->n_events], err);
	if (!rc)
		stats->n_events++;
	return rc;
}

/* Pairs of row and next side. */
static size_t n_changes(const struct pd_stats_event *e)
{
	return e->n_rows * (e->n_sides - 1);
}

/*
 * The p of the event's changes that are tested in a family, NaN for the others.
 * Returns how many those are.
 */
static size_t tested_p(const struct pd_stats_event *e, enum pd_stats_family family, double *ret_p)
{
	struct pd_stats_work *w = e->work;
	size_t n_next = e->n_sides - 1, n = 0;

	for (size_t g = 0; g < e->n_rows; g++) {
		enum pd_stats_family own;
		bool is_in = pd_stats_family_of(&w->counts, g, &own) && own == family;

		pd_counts_tally(&w->counts, g, w->s, w->side_s, w->tallies);
		for (size_t i = 0; i < n_next; i++) {
			double *p = &ret_p[g * n_next + i];
			struct pd_count_pair pair;

			*p = PD_UNKNOWN;
			if (!is_in || !pd_stats_pair(w, (uint32_t)i + 1, &pair) ||
			    pair.y_base + pair.y_next < PD_STATS_MIN_TICKS)
				continue;
			*p = e->changes[g * n_next + i].p;
			n++;
		}
	}
	return n;
}

/* q, M and R of one family; room holds a number for every change. */
static int control(struct pd_stats *stats, enum pd_stats_family family, double *room,
		   struct pd_error *err)
{
	size_t n = 0, at = 0;
	int rc;

	for (size_t k = 0; k < stats->n_events; k++) {
		struct pd_stats_event *e = &stats->events[k];
		size_t n_tested = tested_p(e, family, &room[n]);

		if (e->mode == PD_STATS_SINGLE) {
			stats->n_ranked[family] += n_tested;
			continue;
		}
		stats->n_tested[family] += n_tested;
		n += n_changes(e);
	}
	rc = pd_fdr_adjust(room, n, room, err);
	if (rc)
		return rc;
	stats->n_flagged[family] = pd_fdr_n_flagged(room, n, stats->options.alpha);
	for (size_t k = 0; k < stats->n_events; k++) {
		struct pd_stats_event *e = &stats->events[k];

		if (e->mode == PD_STATS_SINGLE)
			continue;
		for (size_t i = 0; i < n_changes(e); i++)
			if (pd_is_known(room[at + i]))
				e->changes[i].q = room[at + i];
		at += n_changes(e);
	}
	return 0;
}

/* Level, intervals and bound of a change with a p. */
static void set_intervals(const struct pd_stats_work *w, const struct pd_count_pair *pair,
			  const double *posterior, double step_sq, double level,
			  struct pd_stats_change *change)
{
	double mean = (pair->y_base + pair->y_next) / pair->n_runs;
	double v[PD_NOISE_N], zc, lo, hi;

	pd_noise_variance(mean, pd_noise_rounding(step_sq, mean), v);
	zc = pd_interval_critical(posterior, v, 1 - level);
	pd_interval_ratio(pair, zc, &change->ratio_lo, &change->ratio_hi);
	pd_interval_delta(pair, zc, &lo, &hi);
	change->delta_lo = w->counts.tick * lo;
	change->delta_hi = w->counts.tick * hi;
	change->level = level;
	change->bound_ratio = pd_verdict_bound(change->ratio_lo, change->ratio_hi);
}

/* Intervals and verdict of one change that has a p; the row's tallies have been made. */
static void judge(const struct pd_stats *stats, const struct pd_stats_event *e, size_t row,
		  uint32_t next, enum pd_stats_family family)
{
	const struct pd_stats_work *w = e->work;
	const struct pd_counts *c = &w->counts;
	struct pd_stats_change *change = &e->changes[row * (e->n_sides - 1) + next - 1];
	struct pd_evidence evidence = {
		.is_flagged = change->q <= stats->options.alpha,
		.has_one_run = c->n_side_runs[0] == 1 || c->n_side_runs[next] == 1,
		.is_better = change->z < 0,
		.equiv_ratio = stats->options.equiv_ratio,
	};
	struct pd_count_pair pair;
	double level;
	bool is_few;

	if (!pd_stats_pair(w, next, &pair))
		return;
	is_few = pair.y_base + pair.y_next < PD_STATS_MIN_TICKS;
	if (e->mode == PD_STATS_SINGLE) {
		change->verdict = is_few ? PD_VERDICT_FEW : pd_verdict_of_single(change->p);
		return;
	}
	level = pd_fdr_level(stats->options.alpha, evidence.is_flagged, stats->n_flagged[family],
			     stats->n_tested[family]);
	set_intervals(w, &pair, pd_stats_posterior(w, row, next),
		      pd_counts_pair_step_sq(c, 0, next), level, change);
	evidence.lo = change->ratio_lo;
	evidence.hi = change->ratio_hi;
	change->verdict = is_few ? PD_VERDICT_FEW : pd_verdict_of(&evidence);
}

static void judge_event(const struct pd_stats *stats, const struct pd_stats_event *e)
{
	const struct pd_stats_work *w = e->work;
	enum pd_stats_family family;

	for (size_t g = 0; g < e->n_rows; g++) {
		if (!pd_stats_family_of(&w->counts, g, &family))
			continue;
		pd_counts_tally(&w->counts, g, w->s, w->side_s, w->tallies);
		for (uint32_t i = 1; i < e->n_sides; i++)
			judge(stats, e, g, i, family);
	}
}

int pd_stats_finish(struct pd_stats *stats, struct pd_error *err)
{
	size_t n = 0;
	double *room;
	int rc = 0;

	for (size_t k = 0; k < stats->n_events; k++)
		n += n_changes(&stats->events[k]);
	room = calloc(n + 1, sizeof(*room));
	if (!room)
		return pd_fail_nomem(err);
	for (int family = 0; !rc && family < PD_STATS_N_FAMILIES; family++)
		rc = control(stats, (enum pd_stats_family)family, room, err);
	free(room);
	for (size_t k = 0; !rc && k < stats->n_events; k++)
		judge_event(stats, &stats->events[k]);
	return rc;
}

int pd_stats_compare(const struct pd_stats_problem *problems, size_t n_problems,
		     const struct pd_stats_options *options, struct pd_stats **ret_stats,
		     struct pd_error *err)
{
	struct pd_stats *stats = NULL;
	int rc = pd_stats_new(options, &stats, err);

	for (size_t k = 0; !rc && k < n_problems; k++)
		rc = pd_stats_add(stats, &problems[k], err);
	if (!rc)
		rc = pd_stats_finish(stats, err);
	if (rc)
		pd_stats_free(stats);
	else
		*ret_stats = stats;
	return rc;
}

/* Records of all rows; s [n_runs] and tally [1] are room. */
static void make_records(const struct pd_counts *c, double *s, struct pd_tally *tally,
			 struct pd_noise_record *ret_records)
{
	double side_s;

	pd_scale_exposure(c, PD_NORMALIZE_NONE, s);
	pd_counts_side_scale(c, s, &side_s);
	for (size_t g = 0; g < c->n_rows; g++) {
		pd_counts_tally(c, g, s, &side_s, tally);
		ret_records[g] = tally->record;
	}
}

int pd_stats_history(const struct pd_stats_problem *problem, struct pd_noise_record *ret_records,
		     struct pd_error *err)
{
	struct pd_arena arena = {0};
	struct pd_counts counts;
	struct pd_tally tally;
	double *s;
	int rc;

	if (problem->n_sides != 1 || problem->n_runs < 2)
		return pd_fail(err, PD_ERR_USAGE, "expected two runs or more of one side");
	rc = pd_counts_init(&arena, problem, &counts, err);
	if (!rc) {
		s = pd_arena_array(&arena, counts.n_runs, sizeof(*s));
		if (s)
			make_records(&counts, s, &tally, ret_records);
		else
			rc = pd_fail_nomem(err);
	}
	pd_arena_done(&arena);
	return rc;
}
