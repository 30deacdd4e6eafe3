/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Welch's test, the rank test and tables of timings; the golden vector `times`.
 */
#include <stdio.h>

#include "base/num.h"
#include "stats/rank.h"
#include "stats/timings.h"
#include "support/check.h"
#include "support/random.h"
#include "support/tsv.h"

/* The three benchmarks of testdata/stats/golden/times.json: five runs a side. */
static const double times[3][10] = {
	{77.5, 77.8, 77.1, 77.9, NAN, 75.9, 76.4, 76.1, 76, NAN},
	{212, 205, 231, 219, 208, 214, 223, 209, 218, 211},
	{10.11, 10.08, 10.2, NAN, NAN, 10.31, 10.29, 10.26, 10.33, NAN},
};
static const uint32_t times_side[10] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};

static struct pd_timings_problem times_problem(void)
{
	return (struct pd_timings_problem){.n_rows = 3, .n_runs = 10, .n_sides = 2,
					   .x = &times[0][0], .side = times_side,
					   .alpha = .05, .equiv_ratio = .05};
}

static struct pd_timings compare(struct pd_arena *arena, const struct pd_timings_problem *p)
{
	struct pd_timings t;
	struct pd_error err = {0};

	assert_int_equal(pd_timings_compare(arena, p, &t, &err), 0);
	return t;
}

static double rank_p(const double *base, size_t n_base, const double *next, size_t n_next)
{
	struct pd_rank rank = {0};
	struct pd_error err = {0};
	double p;

	assert_int_equal(pd_rank_prepare(&rank, n_base, n_next, &err), 0);
	p = pd_rank_p(&rank, base, next);
	pd_rank_done(&rank);
	return p;
}

static void test_golden(void **state)
{
	static const char *const heads[] = {"n0", "n1", "ratio", "lo", "hi", "se", "t", "df", "p"};
	struct pd_timings_problem problem = times_problem();
	struct pd_arena arena = {0};
	struct pd_timings t = compare(&arena, &problem);
	char *path = pd_testdata_path("stats/golden/times.out.tsv");
	struct pd_tsv out;

	(void)state;
	assert_true(pd_tsv_read(path, &out));
	assert_int_equal(out.n_rows, 3);
	for (size_t i = 0; i < 3; i++) {
		const struct pd_welch *w = &t.rows[i].welch;
		double n[2] = {t.sides[2 * i].n, t.sides[2 * i + 1].n};
		double found[] = {n[0], n[1], w->ratio, w->lo, w->hi, w->se, w->t, w->df, w->p};

		for (size_t k = 0; k < sizeof(heads) / sizeof(heads[0]); k++)
			assert_close(found[k],
				     pd_tsv_number(&out, i, pd_tsv_column(&out, heads[k])), 1e-9);
		assert_close(rank_p(times[i], (size_t)n[0], times[i] + 5, (size_t)n[1]),
			     pd_tsv_number(&out, i, pd_tsv_column(&out, "p_mwu")), 1e-9);
	}
	assert_int_equal(t.n_means[0], 3);
	assert_close(t.means[0].ratio, 0.999286824116104, 1e-9);
	assert_close(t.means[0].lo, 0.979825468815952, 1e-9);
	assert_close(t.means[0].hi, 1.01913472208347, 1e-9);
	assert_close(t.means[0].se, 0.00823065743860339, 1e-9);
	assert_close(t.means[0].df, 6.65726482417547, 1e-9);
	assert_close(t.means[0].p, 0.933475308440324, 1e-9);
	pd_tsv_done(&out);
	free(path);
	pd_arena_done(&arena);
}

static void test_table(void **state)
{
	static const bool is_higher_better[3] = {false, false, true};
	struct pd_timings_problem problem = times_problem();
	struct pd_arena arena = {0};
	struct pd_timings t = compare(&arena, &problem);

	(void)state;
	assert_int_equal(t.n_tested, 3);
	assert_int_equal(t.n_flagged, 2);
	assert_close(t.rows[0].q, 3 * t.rows[0].welch.p, 1e-14);
	assert_close(t.rows[2].q, 1.5 * t.rows[2].welch.p, 1e-14);
	assert_int_equal(t.rows[0].verdict, PD_VERDICT_IMPROVED);
	assert_int_equal(t.rows[1].verdict, PD_VERDICT_UNCLEAR);
	assert_int_equal(t.rows[2].verdict, PD_VERDICT_REGRESSED);
	assert_close(t.rows[1].bound_ratio, 1.0613158976994197 - 1, 1e-9);
	assert_close(t.rows[0].delta, 76.1 - 77.575, 1e-9);
	assert_close(t.sides[0].sd,
		     sqrt((.075 * .075 + .225 * .225 + .475 * .475 + .325 * .325) / 3), 1e-12);
	/* Four runs a side are enough for the rank test, three are not. */
	assert_close(t.rows[0].p_rank, 2. / 70, 1e-14);
	assert_true(isnan(t.rows[2].p_rank));
	problem.is_higher_better = is_higher_better;
	t = compare(&arena, &problem);
	assert_int_equal(t.rows[0].verdict, PD_VERDICT_IMPROVED);
	assert_int_equal(t.rows[2].verdict, PD_VERDICT_IMPROVED);
	pd_arena_done(&arena);
}

static void test_order_is_free(void **state)
{
	struct pd_timings_problem problem = times_problem();
	struct pd_arena arena = {0};
	struct pd_timings t = compare(&arena, &problem), other;
	double x[3][10];
	uint32_t side[10];
	struct pd_random random = {4};

	(void)state;
	for (int i = 0; i < 20; i++) {
		size_t order[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

		pd_random_shuffle(&random, order, 10);
		for (int r = 0; r < 10; r++) {
			side[r] = times_side[order[r]];
			for (int row = 0; row < 3; row++)
				x[row][r] = times[row][order[r]];
		}
		problem.x = &x[0][0];
		problem.side = side;
		other = compare(&arena, &problem);
		for (int row = 0; row < 3; row++) {
			assert_true(t.rows[row].welch.p == other.rows[row].welch.p);
			assert_true(t.rows[row].welch.lo == other.rows[row].welch.lo);
			assert_true(t.rows[row].delta == other.rows[row].delta);
		}
	}
	pd_arena_done(&arena);
}

/* Rows that have no test, and why. */
static void test_no_test(void **state)
{
	enum { N_ROWS = 5 };
	static const double x[N_ROWS][4] = {
		{5, 5, 4, 4},     /* no variance */
		{5, NAN, 4, 4.5}, /* one run */
		{0, 5, 4, 4.5},   /* no logarithm */
		{NAN, NAN, 4, 5}, /* nothing to compare with */
		{5, 5, 4, 4.5},   /* variance on one side is enough */
	};
	static const uint32_t side[4] = {0, 0, 1, 1};
	struct pd_timings_problem problem = {.n_rows = N_ROWS, .n_runs = 4, .n_sides = 2,
					     .x = &x[0][0], .side = side, .alpha = .05,
					     .equiv_ratio = .05};
	struct pd_arena arena = {0};
	struct pd_timings t = compare(&arena, &problem);

	(void)state;
	for (int i = 0; i < 4; i++) {
		assert_true(isnan(t.rows[i].welch.p) && isnan(t.rows[i].q));
		assert_true(isnan(t.rows[i].bound_ratio));
		assert_int_equal(t.rows[i].verdict, PD_VERDICT_NONE);
	}
	assert_true(t.rows[0].welch.is_constant && t.rows[0].welch.se == 0);
	assert_close(t.rows[0].ratio, .8, 1e-15);
	assert_close(t.rows[1].ratio, sqrt(4 * 4.5) / 5, 1e-14);
	assert_true(isnan(t.sides[2].sd) && t.sides[2].n == 1);
	assert_close(t.rows[2].ratio, 4.25 / 2.5, 1e-15);
	assert_true(isnan(t.rows[2].welch.ratio));
	assert_true(isnan(t.rows[3].ratio) && isnan(t.rows[3].delta));
	assert_close(t.rows[4].welch.df, 1, 1e-12);
	assert_int_equal(t.n_tested, 1);
	/* Row 1 has a ratio without an error, so that the mean has none either. */
	assert_int_equal(t.n_means[0], 3);
	assert_true(t.means[0].ratio > 0 && isnan(t.means[0].p));
	pd_arena_done(&arena);
}

static void test_summaries(void **state)
{
	static const struct pd_timing_summary s[2][2] = {{{100, 3, 5}, {104, 2, 7}},
							 {{50, NAN, 4}, {49, 1, 4}}};
	struct pd_timings_problem problem = {.n_rows = 2, .n_sides = 2, .summaries = &s[0][0],
					     .alpha = .05, .equiv_ratio = .05};
	struct pd_arena arena = {0};
	struct pd_timings t = compare(&arena, &problem);
	double b = .03 * .03 / 5, n = 4. / (104 * 104) / 7;

	(void)state;
	assert_close(t.rows[0].welch.ratio, 1.04, 1e-14);
	assert_close(t.rows[0].welch.se, sqrt(b + n), 1e-14);
	assert_close(t.rows[0].welch.df, (b + n) * (b + n) / (b * b / 4 + n * n / 6), 1e-12);
	assert_close(t.rows[0].delta, 4, 1e-15);
	assert_true(t.sides[1].sd == 2 && isnan(t.rows[0].p_rank));
	/* A mean whose deviation is not told has no error. */
	assert_close(t.rows[1].ratio, .98, 1e-14);
	assert_true(isnan(t.rows[1].welch.p));
	pd_arena_done(&arena);
}

static void test_three_sides(void **state)
{
	static const double x[6] = {10, 11, 20, 22, 10, 11};
	static const uint32_t side[6] = {0, 0, 1, 1, 2, 2};
	struct pd_timings_problem problem = {.n_rows = 1, .n_runs = 6, .n_sides = 3, .x = x,
					     .side = side, .alpha = .05, .equiv_ratio = .05};
	struct pd_arena arena = {0};
	struct pd_timings t = compare(&arena, &problem);

	(void)state;
	assert_int_equal(t.n_tested, 2);
	assert_close(t.rows[0].ratio, 2, 1e-14);
	assert_true(t.rows[1].ratio == 1 && t.rows[1].welch.p == 1);
	assert_close(t.rows[0].q, 2 * t.rows[0].welch.p, 1e-14);
	assert_close(t.means[0].ratio, 2, 1e-14);
	problem.alpha = 1;
	assert_int_equal(pd_timings_compare(&arena, &problem, &t, &(struct pd_error){0}),
			 PD_ERR_USAGE);
	pd_arena_done(&arena);
}

/* Every arrangement of ranks, against the recurrence. */
static void test_rank_by_counting(void **state)
{
	(void)state;
	for (size_t n_base = 1; n_base <= 5; n_base++) {
		size_t n_next = 9 - n_base, n = n_base + n_next;
		double p_of[40] = {0}, n_all = 0;

		for (unsigned set = 0; set < 1u << n; set++) {
			size_t u = 0, n_in = 0;

			/* Ranks in the set are base's; u counts pairs with base above next. */
			for (size_t i = 0; i < n; i++)
				if (set >> i & 1) {
					n_in++;
					u += i + 1 - n_in;
				}
			if (n_in == n_base) {
				p_of[u]++;
				n_all++;
			}
		}
		for (size_t u = 0; u <= n_base * n_next; u++) {
			double base[5], next[9], tail = 0, upper = 0;

			/* Values with just that u: u of the pairs have base above next. */
			for (size_t j = 0; j < n_next; j++)
				next[j] = (double)j + .5;
			for (size_t i = 0; i < n_base; i++) {
				size_t left = u > i * n_next ? u - i * n_next : 0;

				base[i] = (double)(left < n_next ? left : n_next);
			}
			for (size_t v = 0; v <= n_base * n_next; v++) {
				tail += v <= u ? p_of[v] / n_all : 0;
				upper += v >= u ? p_of[v] / n_all : 0;
			}
			assert_close(rank_p(base, n_base, next, n_next),
				     fmin(1, 2 * fmin(tail, upper)), 1e-13);
		}
	}
}

static void test_rank_ties_and_limits(void **state)
{
	static const double x[4] = {1, 2, 3, 4}, same[4] = {2, 2, 2, 2};
	struct pd_rank rank = {0};
	struct pd_error err = {0};

	(void)state;
	assert_close(rank_p(x, 4, x, 4), 1, 1e-15);
	assert_close(rank_p(x, 4, same, 4), rank_p(same, 4, x, 4), 1e-15);
	assert_int_equal(pd_rank_prepare(&rank, 256, 256, &err), 0);
	assert_close(rank.below[0] * 1e100, 1e100 / 4.7255e152, 1e-3); /* C(512, 256) */
	assert_true(rank.below[256 * 128] > .5 && rank.below[256 * 128 - 1] < .5);
	assert_int_equal(pd_rank_prepare(&rank, 257, 256, &err), 0);
	assert_true(isnan(pd_rank_p(&rank, x, x)));
	pd_rank_done(&rank);
	pd_rank_done(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),      cmocka_unit_test(test_table),
		cmocka_unit_test(test_no_test),     cmocka_unit_test(test_order_is_free),
		cmocka_unit_test(test_summaries),   cmocka_unit_test(test_three_sides),
		cmocka_unit_test(test_rank_by_counting),
		cmocka_unit_test(test_rank_ties_and_limits),
	};

	return cmocka_run_group_tests_name("stats timings", tests, NULL, NULL);
}
