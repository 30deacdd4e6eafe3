/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of timings. The values of each side are sorted before anything is
 * added up, so that results do not depend on the order of runs.
 */
#include "stats/timings.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "stats/fdr.h"
#include "stats/rank.h"

enum { MIN_RUNS_RANK = 4 }; /* a side; below, the rank test cannot say anything */

/* One side of the row at hand. */
struct values {
	double *x; /* [n_runs], of which n are measured, ascending */
	size_t n;
	struct pd_sample sample;
	bool has_sample; /* else there are no logarithms */
};

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static struct pd_timing_side describe(const double *x, size_t n)
{
	struct pd_timing_side s = {(double)n, PD_UNKNOWN, PD_UNKNOWN};
	double sum = 0, sum_sq = 0;

	if (!n)
		return s;
	for (size_t i = 0; i < n; i++)
		sum += x[i] - x[0];
	s.mean = x[0] + sum / s.n;
	for (size_t i = 0; i < n; i++)
		sum_sq += (x[i] - x[0] - sum / s.n) * (x[i] - x[0] - sum / s.n);
	if (n > 1)
		s.sd = sqrt(sum_sq / (s.n - 1));
	return s;
}

/* The values of one side, or its summary. */
static struct pd_timing_side read_side(const struct pd_timings_problem *p, size_t row,
				       uint32_t side, struct values *v)
{
	const struct pd_timing_summary *given =
		p->summaries ? &p->summaries[row * p->n_sides + side] : NULL;

	v->n = 0;
	if (given && given->n > 0) {
		v->has_sample = pd_sample_of_summary(given->mean, given->sd, given->n, &v->sample);
		return (struct pd_timing_side){given->n, given->mean,
					       given->n > 1 ? given->sd : PD_UNKNOWN};
	}
	for (uint32_t r = 0; r < p->n_runs; r++)
		if (p->side[r] == side && isfinite(p->x[row * p->n_runs + r]))
			v->x[v->n++] = p->x[row * p->n_runs + r];
	qsort(v->x, v->n, sizeof(*v->x), ascending);
	v->has_sample = pd_sample_of(v->x, v->n, &v->sample);
	return describe(v->x, v->n);
}

/* All of a comparison that needs no other row. */
static int compare_sides(const struct values v[2], const struct pd_timing_side *base,
			 const struct pd_timing_side *next, double alpha, struct pd_rank *rank,
			 struct pd_timing *ret, struct pd_error *err)
{
	struct pd_timing t = {
		.delta = next->mean - base->mean,
		.welch = pd_welch_nothing(),
		.p_rank = PD_UNKNOWN,
		.q = PD_UNKNOWN,
		.bound_ratio = PD_UNKNOWN,
	};
	int rc = 0;

	if (v[0].has_sample && v[1].has_sample)
		pd_welch_compare(&v[0].sample, &v[1].sample, alpha, &t.welch);
	t.ratio = t.welch.ratio;
	if (!pd_is_known(t.ratio) && base->mean > 0 && next->mean >= 0)
		t.ratio = next->mean / base->mean;
	t.bound_ratio = pd_verdict_bound(t.welch.lo, t.welch.hi);
	if (v[0].n >= MIN_RUNS_RANK && v[1].n >= MIN_RUNS_RANK) {
		rc = pd_rank_prepare(rank, v[0].n, v[1].n, err);
		if (rc)
			return rc;
		t.p_rank = pd_rank_p(rank, v[0].x, v[1].x);
	}
	*ret = t;
	return 0;
}

static int compare_row(const struct pd_timings_problem *p, size_t row, struct values v[2],
		       struct pd_rank *rank, struct pd_timings *t, struct pd_error *err)
{
	struct pd_timing_side *sides = &t->sides[row * p->n_sides];
	int rc = 0;

	sides[0] = read_side(p, row, 0, &v[0]);
	for (uint32_t i = 1; !rc && i < p->n_sides; i++) {
		sides[i] = read_side(p, row, i, &v[1]);
		rc = compare_sides(v, &sides[0], &sides[i], p->alpha, rank,
				   &t->rows[row * (p->n_sides - 1) + i - 1], err);
	}
	return rc;
}

static int compare_rows(const struct pd_timings_problem *p, struct pd_timings *t,
			struct pd_error *err)
{
	struct values v[2] = {{0}};
	struct pd_rank rank = {0};
	int rc = 0;

	v[0].x = calloc(p->n_runs + 1u, sizeof(*v[0].x));
	v[1].x = calloc(p->n_runs + 1u, sizeof(*v[1].x));
	if (!v[0].x || !v[1].x)
		rc = pd_fail_nomem(err);
	for (size_t row = 0; !rc && row < p->n_rows; row++)
		rc = compare_row(p, row, v, &rank, t, err);
	free(v[0].x);
	free(v[1].x);
	pd_rank_done(&rank);
	return rc;
}

static void judge(const struct pd_timings_problem *p, struct pd_timings *t)
{
	size_t n_next = p->n_sides - 1;

	for (size_t i = 0; i < p->n_rows * n_next; i++) {
		struct pd_timing *row = &t->rows[i];
		bool is_higher = p->is_higher_better && p->is_higher_better[i / n_next];
		struct pd_evidence e = {
			.is_flagged = row->q <= p->alpha,
			.is_better = is_higher ? row->welch.ratio > 1 : row->welch.ratio < 1,
			.lo = row->welch.lo,
			.hi = row->welch.hi,
			.equiv_ratio = p->equiv_ratio,
		};

		if (pd_is_known(row->q))
			row->verdict = pd_verdict_of(&e);
	}
}

/* q, counts and verdicts over the table, geometric means. */
static int conclude(struct pd_arena *arena, const struct pd_timings_problem *p,
		    struct pd_timings *t, struct pd_error *err)
{
	size_t n_next = p->n_sides - 1, n = p->n_rows * n_next;
	double *q = pd_arena_array(arena, n, sizeof(*q));
	struct pd_welch *column = pd_arena_array(arena, p->n_rows, sizeof(*column));
	int rc;

	if (!q || !column)
		return pd_fail_nomem(err);
	for (size_t i = 0; i < n; i++)
		q[i] = t->rows[i].welch.p;
	rc = pd_fdr_adjust(q, n, q, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < n; i++)
		t->rows[i].q = q[i];
	t->n_tested = pd_fdr_n_tested(q, n);
	t->n_flagged = pd_fdr_n_flagged(q, n, p->alpha);
	judge(p, t);
	for (size_t i = 0; i < n_next; i++) {
		for (size_t row = 0; row < p->n_rows; row++)
			column[row] = t->rows[row * n_next + i].welch;
		pd_welch_geomean(column, p->n_rows, p->alpha, &t->means[i], &t->n_means[i]);
	}
	return 0;
}

static int check(const struct pd_timings_problem *p, struct pd_error *err)
{
	if (!p->n_sides)
		return pd_fail(err, PD_ERR_USAGE, "expected sides, found none");
	for (uint32_t r = 0; r < p->n_runs; r++)
		if (p->side[r] >= p->n_sides)
			return pd_fail(err, PD_ERR_USAGE, "run %u is of no side", r + 1);
	if (!(p->alpha > 0 && p->alpha < 1))
		return pd_fail(err, PD_ERR_USAGE, "expected alpha between 0 and 1, found %g",
			       p->alpha);
	return 0;
}

int pd_timings_compare(struct pd_arena *arena, const struct pd_timings_problem *p,
		       struct pd_timings *ret_timings, struct pd_error *err)
{
	struct pd_timings t = {0};
	int rc = check(p, err);

	if (rc)
		return rc;
	t.sides = pd_arena_array(arena, p->n_rows * p->n_sides, sizeof(*t.sides));
	t.rows = pd_arena_array(arena, p->n_rows * (p->n_sides - 1), sizeof(*t.rows));
	t.means = pd_arena_array(arena, p->n_sides - 1, sizeof(*t.means));
	t.n_means = pd_arena_array(arena, p->n_sides - 1, sizeof(*t.n_means));
	if (!t.sides || !t.rows || !t.means || !t.n_means)
		return pd_fail_nomem(err);
	rc = compare_rows(p, &t, err);
	if (!rc)
		rc = conclude(arena, p, &t, err);
	if (!rc)
		*ret_timings = t;
	return rc;
}
