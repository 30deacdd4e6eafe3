/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first pass over one event:
 *
 *   counts -> size factors -> evidence of each row -> EM -> posteriors -> p
 *
 * Rows are walked in the caller's order, runs in canonical order.
 */
#include "stats/event.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "stats/interval.h"

static bool allocate(struct pd_arena *arena, struct pd_stats_event *e)
{
	struct pd_stats_work *w = e->work;
	size_t n_next = e->n_sides - 1;

	w->s = pd_arena_array(arena, e->n_runs, sizeof(*w->s));
	w->side_s = pd_arena_array(arena, e->n_sides, sizeof(*w->side_s));
	w->median_s = pd_arena_array(arena, e->n_runs, sizeof(*w->median_s));
	w->posterior = pd_arena_array(arena, e->n_rows * PD_NOISE_N, sizeof(*w->posterior));
	w->tallies = pd_arena_array(arena, e->n_sides, sizeof(*w->tallies));
	e->scale = pd_arena_array(arena, e->n_runs, sizeof(*e->scale));
	e->weights = pd_arena_array(arena, n_next * PD_NOISE_N, sizeof(*e->weights));
	e->n_learned = pd_arena_array(arena, n_next, sizeof(*e->n_learned));
	e->sides = pd_arena_array(arena, e->n_rows * e->n_sides, sizeof(*e->sides));
	e->changes = pd_arena_array(arena, e->n_rows * n_next, sizeof(*e->changes));
	e->shifts = pd_arena_array(arena, n_next, sizeof(*e->shifts));
	e->runs = pd_arena_array(arena, e->n_runs, sizeof(*e->runs));
	w->weights = e->weights;
	return w->s && w->side_s && w->median_s && w->posterior && w->tallies && e->scale &&
	       e->weights && e->n_learned && e->sides && e->changes && e->shifts && e->runs;
}

static enum pd_stats_mode mode_of(const struct pd_counts *c)
{
	for (uint32_t i = 0; i < c->n_sides; i++)
		if (c->n_side_runs[i] > 1)
			return PD_STATS_REPLICATES;
	for (size_t g = 0; c->history && g < c->n_rows; g++)
		if (c->history[g].d > 0)
			return PD_STATS_HISTORY;
	return PD_STATS_SINGLE;
}

static int find_scale(struct pd_stats_event *e, enum pd_normalize how, struct pd_error *err)
{
	struct pd_stats_work *w = e->work;
	const struct pd_counts *c = &w->counts;
	bool is_done = false;
	int rc = pd_scale_median(c, w->median_s, &e->n_typical, err);

	if (rc)
		return rc;
	if (e->n_typical < PD_SCALE_MIN_ROWS)
		w->median_s = NULL;
	if (how == PD_NORMALIZE_TOTAL)
		is_done = pd_scale_total(c, w->s);
	if (how == PD_NORMALIZE_MEDIAN && w->median_s) {
		memcpy(w->s, w->median_s, c->n_runs * sizeof(*w->s));
		is_done = true;
	}
	if (!is_done)
		pd_scale_exposure(c, how, w->s);
	e->has_fallen_back = !is_done && how != PD_NORMALIZE_NONE && how != PD_NORMALIZE_PER;
	pd_counts_side_scale(c, w->s, w->side_s);
	for (uint32_t r = 0; r < c->n_runs; r++)
		e->scale[c->run[r]] = w->s[r];
	return 0;
}

bool pd_stats_pair(const struct pd_stats_work *w, uint32_t next, struct pd_count_pair *ret_pair)
{
	const struct pd_tally *b = &w->tallies[0], *n = &w->tallies[next];

	if (!b->is_known || !n->is_known)
		return false;
	*ret_pair = (struct pd_count_pair){
		.y_base = b->y,
		.y_next = n->y,
		.s_base = w->side_s[0],
		.s_next = w->side_s[next],
		.n_runs = w->counts.n_side_runs[0] + w->counts.n_side_runs[next],
	};
	return true;
}

const double *pd_stats_posterior(const void *work, size_t row, uint32_t side)
{
	const struct pd_stats_work *w = work;

	if (w->mode == PD_STATS_SINGLE)
		return &w->weights[(side - 1) * (size_t)PD_NOISE_N];
	return &w->posterior[row * PD_NOISE_N];
}

bool pd_stats_family_of(const struct pd_counts *c, size_t row, enum pd_stats_family *ret_family)
{
	*ret_family = c->role[row] == PD_ROW_BESIDE ? PD_STATS_BESIDE : PD_STATS_MAIN;
	return c->role[row] == PD_ROW_PLAIN || c->role[row] == PD_ROW_BESIDE;
}

/* What a row's replicates and history say of its noise; returns their degrees of freedom. */
static double row_evidence(const struct pd_stats_work *w, size_t row, double ret_e[PD_NOISE_N])
{
	const struct pd_counts *c = &w->counts;
	double l[PD_NOISE_N] = {0}, d = 0, step_sq;

	for (uint32_t i = 0; i < c->n_sides; i++) {
		const struct pd_noise_record *r = &w->tallies[i].record;

		step_sq = c->step_sq[i] / c->n_side_runs[i];
		pd_noise_add_record(l, r, pd_noise_rounding(step_sq, r->mean));
		d += r->d;
	}
	if (c->history) {
		step_sq = pd_counts_step_sq(c);
		pd_noise_add_record(l, &c->history[row],
				    pd_noise_rounding(step_sq, c->history[row].mean));
		d += c->history[row].d;
	}
	pd_noise_evidence(l, ret_e);
	return d;
}

/* One noise model for all sides. evidence [n_rows][PD_NOISE_N] is room for the rows used. */
static void learn(struct pd_stats_event *e, double *evidence)
{
	struct pd_stats_work *w = e->work;
	const struct pd_counts *c = &w->counts;
	size_t n = 0;

	for (size_t g = 0; g < c->n_rows; g++) {
		double *own = &w->posterior[g * PD_NOISE_N];
		double d;

		pd_counts_tally(c, g, w->s, w->side_s, w->tallies);
		d = row_evidence(w, g, own);
		if (d > 0 && pd_counts_is_part(c, g) &&
		    pd_counts_mean(c, w->tallies) >= PD_NOISE_MIN_MEAN)
			memcpy(&evidence[n++ * PD_NOISE_N], own, sizeof(double[PD_NOISE_N]));
	}
	pd_noise_learn(evidence, n, e->weights);
	for (size_t g = 0; g < c->n_rows; g++) {
		double *own = &w->posterior[g * PD_NOISE_N];

		pd_noise_posterior(e->weights, own, own);
	}
	e->n_models = 1;
	e->n_learned[0] = n;
}

/* Mode SINGLE: from the spread of all rows, as if none but for noise had changed (4.10). */
static void learn_blind(struct pd_stats_event *e, uint32_t next, double *evidence)
{
	struct pd_stats_work *w = e->work;
	const struct pd_counts *c = &w->counts;
	double step_sq = pd_counts_pair_step_sq(c, 0, next);
	size_t n = 0;

	for (size_t g = 0; g < c->n_rows; g++) {
		struct pd_noise_record record = {.d = 1};
		struct pd_count_pair pair;
		double l[PD_NOISE_N] = {0}, z;

		if (!pd_counts_is_part(c, g))
			continue;
		pd_counts_tally(c, g, w->s, w->side_s, w->tallies);
		if (!pd_stats_pair(w, next, &pair))
			continue;
		record.mean = (pair.y_base + pair.y_next) / pair.n_runs;
		if (record.mean < PD_NOISE_MIN_MEAN)
			continue;
		z = pd_count_z(&pair);
		record.ss = z * z;
		pd_noise_add_record(l, &record, pd_noise_rounding(step_sq, record.mean));
		pd_noise_evidence(l, &evidence[n++ * PD_NOISE_N]);
	}
	pd_noise_learn(evidence, n, &e->weights[(next - 1) * (size_t)PD_NOISE_N]);
	e->n_models = e->n_sides - 1;
	e->n_learned[next - 1] = n;
}

static int find_noise(struct pd_stats_event *e, struct pd_error *err)
{
	double *evidence = calloc(e->n_rows + 1, sizeof(double[PD_NOISE_N]));

	if (!evidence)
		return pd_fail_nomem(err);
	if (e->mode == PD_STATS_SINGLE) {
		for (uint32_t i = 1; i < e->n_sides; i++)
			learn_blind(e, i, evidence);
	} else {
		learn(e, evidence);
	}
	free(evidence);
	return 0;
}

static struct pd_stats_change nothing(void)
{
	return (struct pd_stats_change){
		.delta = PD_UNKNOWN,
		.ratio = PD_UNKNOWN,
		.delta_lo = PD_UNKNOWN,
		.delta_hi = PD_UNKNOWN,
		.ratio_lo = PD_UNKNOWN,
		.ratio_hi = PD_UNKNOWN,
		.level = PD_UNKNOWN,
		.z = PD_UNKNOWN,
		.p = PD_UNKNOWN,
		.q = PD_UNKNOWN,
		.noise = PD_UNKNOWN,
		.bound_ratio = PD_UNKNOWN,
		.sampling = PD_UNKNOWN,
	};
}

/* Side next of a row against the base, apart from what needs the other rows. */
static struct pd_stats_change first_look(const struct pd_stats_work *w, size_t row, uint32_t next)
{
	const struct pd_counts *c = &w->counts;
	double rate_base = w->tallies[0].rate, rate_next = w->tallies[next].rate;
	struct pd_stats_change change = nothing();
	struct pd_count_pair pair;
	struct pd_count_test test;
	enum pd_stats_family family;

	if (!pd_stats_pair(w, next, &pair))
		return change;
	change.delta = c->tick * (rate_next - rate_base);
	if (rate_base > 0 || rate_next > 0)
		change.ratio = rate_base > 0 ? rate_next / rate_base : INFINITY;
	if (w->mode == PD_STATS_SINGLE)
		change.sampling = c->tick * pd_interval_sampling(&pair);
	if (!pd_stats_family_of(c, row, &family))
		return change;
	pd_count_test(&pair, pd_counts_pair_step_sq(c, 0, next),
		      pd_stats_posterior(w, row, next), &test);
	change.z = test.z;
	change.p = test.p;
	change.noise = test.noise;
	return change;
}

static void describe_rows(struct pd_stats_event *e)
{
	struct pd_stats_work *w = e->work;
	const struct pd_counts *c = &w->counts;

	for (size_t g = 0; g < c->n_rows; g++) {
		pd_counts_tally(c, g, w->s, w->side_s, w->tallies);
		for (uint32_t i = 0; i < c->n_sides; i++) {
			struct pd_stats_side *side = &e->sides[g * c->n_sides + i];

			*side = (struct pd_stats_side){PD_UNKNOWN, PD_UNKNOWN};
			if (!w->tallies[i].is_known)
				continue;
			side->mean = c->tick * w->tallies[i].rate;
			side->sd = c->tick * pd_counts_sd(c, g, w->s, i);
		}
		for (uint32_t i = 1; i < c->n_sides; i++)
			e->changes[g * (c->n_sides - 1) + i - 1] = first_look(w, g, i);
	}
}

static int describe_runs(struct pd_arena *arena, struct pd_stats_event *e, double alpha,
			 struct pd_error *err)
{
	struct pd_stats_work *w = e->work;
	const struct pd_counts *c = &w->counts;
	struct pd_run_check *checks = calloc(c->n_runs, sizeof(*checks));
	int rc = 0;

	if (!checks)
		return pd_fail_nomem(err);
	rc = pd_runs_check(c, w->s, w->side_s, w->median_s, pd_stats_posterior, w, checks, err);
	for (uint32_t r = 0; r < c->n_runs; r++)
		e->runs[c->run[r]] = checks[r];
	free(checks);
	for (uint32_t i = 1; !rc && i < c->n_sides; i++) {
		e->shifts[i - 1] = pd_runs_no_shift();
		if (w->median_s)
			pd_runs_shift(c, w->median_s, i, alpha, &e->shifts[i - 1]);
	}
	if (!rc)
		rc = pd_totals_compare(arena, c, w->s, true, alpha, &e->total, err);
	if (!rc)
		rc = pd_totals_compare(arena, c, w->s, false, alpha, &e->busy, err);
	return rc;
}

int pd_stats_event_init(struct pd_arena *arena, const struct pd_stats_options *options,
		  const struct pd_stats_problem *problem, struct pd_stats_event *ret_event,
		  struct pd_error *err)
{
	struct pd_stats_event e = {
		.n_rows = problem->n_rows,
		.n_runs = problem->n_runs,
		.n_sides = problem->n_sides,
	};
	int rc;

	if (e.n_sides < 2)
		return pd_fail(err, PD_ERR_USAGE, "expected two sides, found %u", e.n_sides);
	e.work = pd_arena_alloc(arena, sizeof(*e.work));
	if (!e.work)
		return pd_fail_nomem(err);
	rc = pd_counts_init(arena, problem, &e.work->counts, err);
	if (rc)
		return rc;
	if (!allocate(arena, &e))
		return pd_fail_nomem(err);
	e.mode = mode_of(&e.work->counts);
	e.work->mode = e.mode;
	rc = find_scale(&e, options->normalize, err);
	if (!rc)
		rc = find_noise(&e, err);
	if (rc)
		return rc;
	describe_rows(&e);
	rc = describe_runs(arena, &e, options->alpha, err);
	if (!rc)
		*ret_event = e;
	return rc;
}
