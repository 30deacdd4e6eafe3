/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts in canonical form. Once columns are in an order that their contents
 * give, plain loops over them are enough for results that are the same bits.
 */
#include "stats/counts.h"

#include <stdlib.h>

#include "base/num.h"

static int check_sizes(const struct pd_stats_problem *p, struct pd_error *err)
{
	if (!p->n_sides || !p->n_runs)
		return pd_fail(err, PD_ERR_USAGE, "expected sides with runs, found none");
	for (uint32_t i = 0; i < p->n_sides; i++) {
		uint32_t r = 0;

		while (r < p->n_runs && p->side[r] != i)
			r++;
		if (r == p->n_runs)
			return pd_fail(err, PD_ERR_USAGE, "side %u has no run", i + 1);
	}
	for (uint32_t r = 0; r < p->n_runs; r++)
		if (p->side[r] >= p->n_sides)
			return pd_fail(err, PD_ERR_USAGE, "run %u is of no side", r + 1);
	if (!(p->tick >= 0 && p->tick <= PD_STATS_Y_MAX))
		return pd_fail(err, PD_ERR_USAGE, "expected a positive tick, found %g", p->tick);
	return 0;
}

static bool is_amount(double x)
{
	return x >= 0 && x <= PD_STATS_Y_MAX;
}

static int check_runs(const struct pd_stats_problem *p, struct pd_error *err)
{
	for (uint32_t r = 0; r < p->n_runs; r++) {
		if (p->exposure && !(p->exposure[r] > 0 && is_amount(p->exposure[r])))
			return pd_fail(err, PD_ERR_USAGE,
				       "run %u: expected a positive amount of work, found %g",
				       r + 1, p->exposure[r]);
		if (p->quantum && !is_amount(p->quantum[r]))
			return pd_fail(err, PD_ERR_USAGE, "run %u: bad resolution %g", r + 1,
				       p->quantum[r]);
		if (p->leftover && !is_amount(fabs(p->leftover[r])))
			return pd_fail(err, PD_ERR_USAGE, "run %u: bad leftover %g", r + 1,
				       p->leftover[r]);
	}
	return 0;
}

static int check_rows(const struct pd_stats_problem *p, struct pd_error *err)
{
	for (size_t g = 0; g < p->n_rows; g++) {
		const double *y = &p->y[g * p->n_runs];

		for (uint32_t r = 0; r < p->n_runs; r++)
			if (pd_is_known(y[r]) && !is_amount(y[r]))
				return pd_fail(err, PD_ERR_USAGE,
					       "row %zu, run %u: expected a count, found %g",
					       g + 1, r + 1, y[r]);
		if (p->role && p->role[g] > PD_ROW_BESIDE)
			return pd_fail(err, PD_ERR_USAGE, "row %zu: bad role", g + 1);
		if (p->history && p->history[g].d > 0 &&
		    !(is_amount(p->history[g].d) && is_amount(p->history[g].mean) &&
		      is_amount(p->history[g].ss)))
			return pd_fail(err, PD_ERR_USAGE, "row %zu: bad noise history", g + 1);
	}
	return 0;
}

static int compare(double a, double b)
{
	if (!pd_is_known(a) || !pd_is_known(b))
		return !pd_is_known(a) - !pd_is_known(b);
	return (a > b) - (a < b);
}

/* Order of two runs by all that the statistics read of them, the side apart. */
static int by_contents(const void *a, const void *b, void *arg)
{
	const struct pd_stats_problem *p = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	int order = 0;

	if (p->exposure)
		order = compare(p->exposure[i], p->exposure[j]);
	if (!order && p->leftover)
		order = compare(p->leftover[i], p->leftover[j]);
	if (!order && p->quantum)
		order = compare(p->quantum[i], p->quantum[j]);
	for (size_t g = 0; !order && g < p->n_rows; g++)
		order = compare(p->y[g * p->n_runs + i], p->y[g * p->n_runs + j]);
	return order;
}

static bool allocate(struct pd_arena *arena, struct pd_counts *c, bool has_history)
{
	c->y = pd_arena_array(arena, c->n_rows * (size_t)c->n_runs, sizeof(*c->y));
	c->side = pd_arena_array(arena, c->n_runs, sizeof(*c->side));
	c->run = pd_arena_array(arena, c->n_runs, sizeof(*c->run));
	c->n_side_runs = pd_arena_array(arena, c->n_sides, sizeof(*c->n_side_runs));
	c->exposure = pd_arena_array(arena, c->n_runs, sizeof(*c->exposure));
	c->leftover = pd_arena_array(arena, c->n_runs, sizeof(*c->leftover));
	c->step_sq = pd_arena_array(arena, c->n_sides, sizeof(*c->step_sq));
	c->role = pd_arena_array(arena, c->n_rows, sizeof(*c->role));
	c->is_idle = pd_arena_array(arena, c->n_rows, sizeof(*c->is_idle));
	if (has_history)
		c->history = pd_arena_array(arena, c->n_rows, sizeof(*c->history));
	return c->y && c->side && c->run && c->n_side_runs && c->exposure && c->leftover &&
	       c->step_sq && c->role && c->is_idle && (c->history || !has_history);
}

static void fill_columns(struct pd_counts *c, struct pd_stats_problem *p)
{
	for (uint32_t r = 0; r < c->n_runs; r++)
		c->run[r] = r;
	qsort_r(c->run, c->n_runs, sizeof(*c->run), by_contents, p);
	for (uint32_t r = 0; r < c->n_runs; r++) {
		uint32_t run = c->run[r], side = p->side[run];
		double step = p->quantum ? p->quantum[run] / c->tick : 0;

		c->side[r] = side;
		c->exposure[r] = p->exposure ? p->exposure[run] : 1;
		c->leftover[r] = p->leftover ? p->leftover[run] / c->tick : 0;
		c->n_side_runs[side]++;
		c->step_sq[side] += step * step;
	}
}

static void fill_rows(struct pd_counts *c, const struct pd_stats_problem *p)
{
	for (size_t g = 0; g < c->n_rows; g++) {
		const double *from = &p->y[g * c->n_runs];
		double *to = &c->y[g * c->n_runs];

		for (uint32_t r = 0; r < c->n_runs; r++)
			to[r] = from[c->run[r]] / c->tick;
		c->role[g] = p->role ? p->role[g] : PD_ROW_PLAIN;
		c->is_idle[g] = p->is_idle && p->is_idle[g];
		if (c->history && p->history[g].d > 0)
			c->history[g] = p->history[g];
	}
}

int pd_counts_init(struct pd_arena *arena, const struct pd_stats_problem *problem,
		   struct pd_counts *ret_counts, struct pd_error *err)
{
	struct pd_stats_problem p = *problem;
	struct pd_counts c = {
		.n_rows = p.n_rows,
		.n_runs = p.n_runs,
		.n_sides = p.n_sides,
		.tick = p.tick > 0 ? p.tick : 1,
	};
	int rc = check_sizes(&p, err);

	if (!rc)
		rc = check_runs(&p, err);
	if (!rc)
		rc = check_rows(&p, err);
	if (rc)
		return rc;
	if (!allocate(arena, &c, p.history != NULL))
		return pd_fail_nomem(err);
	fill_columns(&c, &p);
	fill_rows(&c, &p);
	*ret_counts = c;
	return 0;
}

bool pd_counts_is_part(const struct pd_counts *c, size_t row)
{
	return c->role[row] == PD_ROW_PLAIN || c->role[row] == PD_ROW_FILTERED;
}

void pd_counts_side_scale(const struct pd_counts *c, const double *s, double *ret_side_s)
{
	for (uint32_t i = 0; i < c->n_sides; i++)
		ret_side_s[i] = 0;
	for (uint32_t r = 0; r < c->n_runs; r++)
		ret_side_s[c->side[r]] += s[r];
}

void pd_counts_tally(const struct pd_counts *c, size_t row, const double *s, const double *side_s,
		     struct pd_tally *ret_tallies)
{
	const double *y = &c->y[row * c->n_runs];

	for (uint32_t i = 0; i < c->n_sides; i++)
		ret_tallies[i] = (struct pd_tally){.is_known = true};
	for (uint32_t r = 0; r < c->n_runs; r++)
		ret_tallies[c->side[r]].y += y[r];
	for (uint32_t i = 0; i < c->n_sides; i++) {
		struct pd_tally *t = &ret_tallies[i];

		if (!pd_is_known(t->y)) {
			*t = (struct pd_tally){0};
			continue;
		}
		t->rate = t->y / side_s[i];
		t->record.mean = t->y / c->n_side_runs[i];
		t->record.d = t->y > 0 ? c->n_side_runs[i] - 1 : 0;
	}
	for (uint32_t r = 0; r < c->n_runs; r++) {
		struct pd_tally *t = &ret_tallies[c->side[r]];
		double expected = s[r] * t->rate;

		if (expected > 0)
			t->record.ss += (y[r] - expected) * (y[r] - expected) / expected;
	}
}

double pd_counts_sd(const struct pd_counts *c, size_t row, const double *s, uint32_t side)
{
	const double *y = &c->y[row * c->n_runs];
	double n = c->n_side_runs[side], first = PD_UNKNOWN, sum = 0, sum_sq = 0;

	if (n < 2)
		return PD_UNKNOWN;
	/* About the first value: equal runs have deviation 0, not a rounding error. */
	for (uint32_t r = 0; r < c->n_runs; r++) {
		double x = y[r] / s[r];

		if (c->side[r] != side)
			continue;
		if (!pd_is_known(first))
			first = x;
		sum += x - first;
	}
	for (uint32_t r = 0; r < c->n_runs; r++) {
		double x = y[r] / s[r] - first - sum / n;

		if (c->side[r] == side)
			sum_sq += x * x;
	}
	return sqrt(sum_sq / (n - 1));
}

double pd_counts_mean(const struct pd_counts *c, const struct pd_tally *tallies)
{
	double y = 0, n = 0;

	for (uint32_t i = 0; i < c->n_sides; i++) {
		if (!tallies[i].is_known)
			continue;
		y += tallies[i].y;
		n += c->n_side_runs[i];
	}
	return y / n;
}

double pd_counts_step_sq(const struct pd_counts *c)
{
	double sum = 0;

	for (uint32_t i = 0; i < c->n_sides; i++)
		sum += c->step_sq[i];
	return sum / c->n_runs;
}

double pd_counts_pair_step_sq(const struct pd_counts *c, uint32_t base, uint32_t next)
{
	return (c->step_sq[base] + c->step_sq[next]) /
	       (double)(c->n_side_runs[base] + c->n_side_runs[next]);
}
