/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Totals. A leftover may be negative where an input's rows exceed its printed
 * total, so that a total need not be positive.
 */
#include "stats/totals.h"

#include <math.h>
#include <stdlib.h>

#include "base/num.h"
#include "stats/scale.h"

static bool allocate(struct pd_arena *arena, const struct pd_counts *c, struct pd_total *t)
{
	size_t n_next = c->n_sides - 1;

	t->mean = pd_arena_array(arena, c->n_sides, sizeof(*t->mean));
	t->sd = pd_arena_array(arena, c->n_sides, sizeof(*t->sd));
	t->delta = pd_arena_array(arena, n_next, sizeof(*t->delta));
	t->ratio = pd_arena_array(arena, n_next, sizeof(*t->ratio));
	t->change = pd_arena_array(arena, n_next, sizeof(*t->change));
	return t->mean && t->sd && t->delta && t->ratio && t->change;
}

/* Mean and deviation of one side; x [n] gets its scaled runs, *ret_n how many. */
static void describe(const struct pd_counts *c, const double *ticks, const double *s,
		     uint32_t side, double *x, size_t *ret_n, struct pd_total *t)
{
	double sum_ticks = 0, sum_s = 0, sum = 0, sum_sq = 0;
	size_t n = 0;

	for (uint32_t r = 0; r < c->n_runs; r++) {
		if (c->side[r] != side)
			continue;
		sum_ticks += ticks[r];
		sum_s += s[r];
		x[n++] = ticks[r] / s[r];
	}
	for (size_t i = 0; i < n; i++)
		sum += x[i] - x[0];
	for (size_t i = 0; i < n; i++) {
		double d = x[i] - x[0] - sum / (double)n;

		sum_sq += d * d;
	}
	t->mean[side] = c->tick * sum_ticks / sum_s;
	t->sd[side] = n > 1 ? c->tick * sqrt(sum_sq / (double)(n - 1)) : PD_UNKNOWN;
	*ret_n = n;
}

/* Side next against the base, whose sample may be missing. */
static void compare(const struct pd_sample *base, const struct pd_sample *next, double alpha,
		    uint32_t i_next, struct pd_total *t)
{
	struct pd_welch *w = &t->change[i_next - 1];
	double b = t->mean[0], n = t->mean[i_next];

	*w = pd_welch_nothing();
	if (base && next)
		pd_welch_compare(base, next, alpha, w);
	t->delta[i_next - 1] = n - b;
	t->ratio[i_next - 1] = w->ratio;
	if (!pd_is_known(w->ratio) && b > 0 && n >= 0)
		t->ratio[i_next - 1] = n / b;
}

int pd_totals_compare(struct pd_arena *arena, const struct pd_counts *c, const double *s,
		      bool with_idle, double alpha, struct pd_total *ret_total,
		      struct pd_error *err)
{
	double *ticks = calloc(c->n_runs, sizeof(*ticks));
	double *x = calloc(c->n_runs, sizeof(*x));
	struct pd_sample base, next;
	bool has_base = false;
	struct pd_total t = {0};
	int rc = 0;

	if (!ticks || !x || !allocate(arena, c, &t)) {
		rc = pd_fail_nomem(err);
		goto out;
	}
	pd_scale_column_sums(c, with_idle, ticks);
	for (uint32_t i = 0; i < c->n_sides; i++) {
		bool has_next;
		size_t n;

		describe(c, ticks, s, i, x, &n, &t);
		if (i == 0) {
			has_base = pd_sample_of(x, n, &base);
			continue;
		}
		has_next = pd_sample_of(x, n, &next);
		compare(has_base ? &base : NULL, has_next ? &next : NULL, alpha, i, &t);
	}
	*ret_total = t;
out:
	free(ticks);
	free(x);
	return rc;
}
