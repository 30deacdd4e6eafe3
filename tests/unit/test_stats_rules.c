/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules of the comparison: modes, roles, families and edge cases
 * (STATS.md 4.6, 4.10, 4.11, 4.13).
 */
#include "support/same.h"
#include "support/stats_case.h"

static void test_options(void **state)
{
	static const double bad_alpha[] = {0, 1, -1, NAN}, bad_equiv[] = {0, -1, NAN, INFINITY};
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats *stats = NULL;

	(void)state;
	for (int i = 0; i < 4; i++) {
		struct pd_error err = {0};

		options.alpha = bad_alpha[i];
		assert_int_equal(pd_stats_new(&options, &stats, &err), PD_ERR_USAGE);
		options.alpha = .05;
		options.equiv_ratio = bad_equiv[i];
		assert_int_equal(pd_stats_new(&options, &stats, &err), PD_ERR_USAGE);
		options.equiv_ratio = .05;
	}
	options.normalize = PD_N_NORMALIZE;
	assert_int_equal(pd_stats_new(&options, &stats, NULL), PD_ERR_USAGE);
	assert_null(stats);
	pd_stats_free(NULL);
}

static void test_one_side_is_no_comparison(void **state)
{
	static const double y[] = {1, 2};
	static const uint32_t side[] = {0, 0};
	struct pd_stats_problem p = pd_problem_of(y, 1, side, 2);
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats *stats = NULL;
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_stats_compare(&p, 1, &options, &stats, &err), PD_ERR_USAGE);
	assert_null(stats);
}

static void test_no_rows(void **state)
{
	struct pd_stats_problem p = pd_problem_of(NULL, 0, pd_two_by_two, 4);
	struct pd_stats *stats = pd_compare_now(&p, 1);

	(void)state;
	assert_int_equal(stats->n_tested[PD_STATS_MAIN], 0);
	assert_true(stats->events[0].total.mean[0] == 0 && isnan(stats->events[0].total.ratio[0]));
	pd_stats_free(stats);
}

/* Zero rows, one-sided rows, and 20 ticks exactly. */
static void test_few(void **state)
{
	static const double y[] = {0, 0, 0, 0, 5, 5, 5, 4, 5, 5, 5, 5, 0, 0, 900, 900};
	struct pd_stats_problem p = pd_problem_of(y, 4, pd_two_by_two, 4);
	struct pd_stats *stats = pd_compare_now(&p, 1);
	const struct pd_stats_change *c = stats->events[0].changes;

	(void)state;
	assert_int_equal(c[0].verdict, PD_VERDICT_FEW);
	assert_true(isnan(c[0].ratio) && c[0].delta == 0 && c[0].p == 1 && isnan(c[0].q));
	assert_true(c[0].ratio_lo == 0 && isinf(c[0].ratio_hi) && isinf(c[0].bound_ratio));
	assert_int_equal(c[1].verdict, PD_VERDICT_FEW);
	assert_true(c[1].p < 1 && isnan(c[1].q) && c[1].ratio_lo > 0);
	assert_int_equal(c[2].verdict, PD_VERDICT_UNCLEAR);
	assert_true(c[2].q == 1);
	assert_int_equal(c[3].verdict, PD_VERDICT_REGRESSED);
	assert_true(isinf(c[3].ratio) && isinf(c[3].ratio_hi) && c[3].ratio_lo > 10);
	assert_int_equal(stats->n_tested[PD_STATS_MAIN], 2);
	pd_stats_free(stats);
}

/* Identical replicates: the timer-locked levels take over, and nothing breaks. */
static void test_no_variance(void **state)
{
	enum { N = 50 };
	double y[N * 4];
	struct pd_stats_problem p = pd_problem_of(y, N, pd_two_by_two, 4);
	struct pd_stats *stats;

	(void)state;
	for (int g = 0; g < N; g++)
		for (int r = 0; r < 4; r++)
			y[g * 4 + r] = 100 + g + (g == 7 && r > 1 ? 20 : 0);
	stats = pd_compare_now(&p, 1);
	for (int g = 0; g < N; g++) {
		const struct pd_stats_change *c = &stats->events[0].changes[g];

		assert_true(c->noise < .1 && c->noise > 0 && isfinite(c->ratio_hi));
		assert_int_equal(c->verdict, g == 7 ? PD_VERDICT_REGRESSED : PD_VERDICT_SAME);
	}
	assert_true(stats->events[0].weights[0] > .5);
	pd_stats_free(stats);
}

static void test_huge(void **state)
{
	static const double y[] = {9e15, 9e15, 1, 0, 1e60, 1e60, 1e60, 1e60, 1e-9, 0, 0, 1e15};
	struct pd_stats_problem p = pd_problem_of(y, 3, pd_two_by_two, 4);
	struct pd_stats *stats = pd_compare_now(&p, 1);

	(void)state;
	for (int g = 0; g < 3; g++) {
		const struct pd_stats_change *c = &stats->events[0].changes[g];

		assert_true(c->p >= 0 && c->p <= 1 && c->q >= c->p);
		assert_true(c->ratio_lo <= c->ratio && c->ratio <= c->ratio_hi);
		assert_true(c->delta_lo <= c->delta && c->delta <= c->delta_hi);
	}
	pd_stats_free(stats);
}

static void test_modes(void **state)
{
	static const double y[] = {1000, 1010, 1700, 90, 95, 20};
	static const uint32_t n_by_one[] = {0, 0, 1}, single[] = {0, 1};
	static const double y_single[] = {1000, 1700, 90, 20};
	struct pd_noise_record history[2] = {{9, 1000, 8}, {9, 90, 10}};
	struct pd_stats_problem p = pd_problem_of(y, 2, n_by_one, 3);
	struct pd_stats *stats = pd_compare_now(&p, 1);

	(void)state;
	assert_int_equal(stats->events[0].mode, PD_STATS_REPLICATES);
	assert_int_equal(stats->events[0].changes[0].verdict, PD_VERDICT_REGRESSED_MAYBE);
	assert_int_equal(stats->events[0].changes[1].verdict, PD_VERDICT_IMPROVED_MAYBE);
	assert_true(isnan(stats->events[0].sides[1].sd) && stats->events[0].sides[0].sd > 0);
	assert_true(isnan(stats->events[0].changes[0].sampling));
	pd_stats_free(stats);
	p = pd_problem_of(y_single, 2, single, 2);
	p.history = history;
	stats = pd_compare_now(&p, 1);
	assert_int_equal(stats->events[0].mode, PD_STATS_HISTORY);
	assert_int_equal(stats->events[0].changes[0].verdict, PD_VERDICT_REGRESSED_MAYBE);
	assert_int_equal(stats->events[0].n_learned[0], 2);
	assert_true(stats->events[0].changes[0].level > .95 - 1e-12);
	pd_stats_free(stats);
	/* A history of other functions is none. */
	history[0].d = history[1].d = 0;
	stats = pd_compare_now(&p, 1);
	assert_int_equal(stats->events[0].mode, PD_STATS_SINGLE);
	pd_stats_free(stats);
}

/* One run a side: a ranking and the sampling error; a mark for what stands out. */
static void test_single(void **state)
{
	enum { N = 100 };
	static const uint32_t side[] = {0, 1, 2};
	double y[N * 3];
	struct pd_stats_problem p = pd_problem_of(y, N, side, 3);
	const struct pd_stats_event *e;
	struct pd_stats *stats;

	(void)state;
	for (int g = 0; g < N; g++) {
		y[g * 3] = 400;
		y[g * 3 + 1] = 400 + (g % 41 - 20) * (g == 30 ? 0 : 1) + (g == 30 ? 400 : 0);
		y[g * 3 + 2] = 400 + 8 * (g % 41 - 20);
	}
	y[0] = y[1] = 9.5;
	stats = pd_compare_now(&p, 1);
	e = &stats->events[0];
	assert_int_equal(e->mode, PD_STATS_SINGLE);
	assert_int_equal(e->n_models, 2);
	assert_true(e->weights[PD_NOISE_N + 9] > e->weights[9]);
	assert_int_equal(e->n_learned[0], N - 1);
	assert_int_equal(e->n_learned[1], N);
	assert_int_equal(e->changes[0].verdict, PD_VERDICT_FEW);
	assert_int_equal(e->changes[30 * 2].verdict, PD_VERDICT_STANDOUT);
	assert_int_equal(e->changes[31 * 2].verdict, PD_VERDICT_NONE);
	assert_true(e->changes[62].p >= 0 && isnan(e->changes[62].q));
	assert_true(isnan(e->changes[62].ratio_lo) && isnan(e->changes[62].delta_hi));
	assert_true(isnan(e->changes[62].level) && isnan(e->changes[62].bound_ratio));
	assert_close(e->changes[62].sampling, 2 * sqrt(y[93] + y[94]), 1e-14);
	assert_int_equal(stats->n_tested[PD_STATS_MAIN], 0);
	assert_int_equal(stats->n_ranked[PD_STATS_MAIN], 2 * N - 1);
	pd_stats_free(stats);
}

/* What a role takes part in: the results of the other rows say it. */
static void test_roles(void **state)
{
	static const uint32_t side[] = {0, 0, 0, 1, 1, 1};
	double y[PD_N_BASIC * 6];
	unsigned char role[PD_N_BASIC] = {0};
	struct pd_stats_problem p = pd_problem_of(y, PD_N_BASIC, side, 6), shorter;
	struct pd_stats *all, *some;

	(void)state;
	pd_fill_basic(y, 6);
	p.role = role;
	role[PD_N_BASIC - 1] = PD_ROW_MEMBER;
	role[PD_N_BASIC - 2] = PD_ROW_BESIDE;
	all = pd_compare_now(&p, 1);
	shorter = p;
	shorter.n_rows = PD_N_BASIC - 2;
	some = pd_compare_now(&shorter, 1);
	/* Members and inline groups are in nothing that other rows see. */
	for (int g = 0; g < PD_N_BASIC - 2; g++)
		assert_true(pd_same_change(&all->events[0].changes[g],
					   &some->events[0].changes[g]));
	assert_true(all->events[0].total.mean[1] == some->events[0].total.mean[1]);
	pd_assert_no_test(&all->events[0].changes[PD_N_BASIC - 1]);
	assert_true(all->events[0].changes[PD_N_BASIC - 1].ratio > 1.4);
	assert_int_equal(all->n_tested[PD_STATS_BESIDE], 1);
	assert_int_equal(all->n_flagged[PD_STATS_BESIDE], 1);
	assert_int_equal(all->events[0].changes[PD_N_BASIC - 2].verdict, PD_VERDICT_REGRESSED);
	assert_true(all->events[0].changes[PD_N_BASIC - 2].q ==
		    all->events[0].changes[PD_N_BASIC - 2].p);
	assert_int_equal(all->n_tested[PD_STATS_MAIN], PD_N_BASIC - 2);
	pd_stats_free(all);
	/* A filtered row teaches and is in the totals, but is not tested. */
	role[PD_N_BASIC - 3] = PD_ROW_FILTERED;
	all = pd_compare_now(&shorter, 1);
	pd_assert_no_test(&all->events[0].changes[PD_N_BASIC - 3]);
	assert_memory_equal(all->events[0].weights, some->events[0].weights,
			    PD_NOISE_N * sizeof(double));
	assert_true(all->events[0].total.mean[0] == some->events[0].total.mean[0]);
	assert_int_equal(all->n_tested[PD_STATS_MAIN], PD_N_BASIC - 3);
	pd_stats_free(all);
	pd_stats_free(some);
}

/* Events have noise models of their own and one false discovery control. */
static void test_events(void **state)
{
	double y[PD_N_BASIC * 4], z[PD_N_BASIC * 4];
	struct pd_stats_problem p[2] = {pd_problem_of(y, PD_N_BASIC, pd_two_by_two, 4),
					pd_problem_of(z, PD_N_BASIC, pd_two_by_two, 4)};
	struct pd_stats *both, *one;

	(void)state;
	pd_fill_basic(y, 4);
	for (int i = 0; i < PD_N_BASIC * 4; i++)
		z[i] = 300 + i * 7 % 90;
	both = pd_compare_now(p, 2);
	one = pd_compare_now(p, 1);
	assert_int_equal(both->n_events, 2);
	assert_int_equal(both->n_tested[PD_STATS_MAIN], 2 * PD_N_BASIC);
	assert_memory_equal(both->events[0].weights, one->events[0].weights,
			    PD_NOISE_N * sizeof(double));
	for (int g = 0; g < PD_N_BASIC; g++) {
		assert_true(both->events[0].changes[g].p == one->events[0].changes[g].p);
		assert_true(both->events[0].changes[g].q >= one->events[0].changes[g].q);
	}
	assert_close(both->events[0].changes[PD_N_BASIC - 1].level,
		     1 - .05 * (double)both->n_flagged[PD_STATS_MAIN] / (2 * PD_N_BASIC), 1e-14);
	pd_stats_free(both);
	pd_stats_free(one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_options),
		cmocka_unit_test(test_one_side_is_no_comparison),
		cmocka_unit_test(test_no_rows),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_no_variance),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_modes),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_roles),
		cmocka_unit_test(test_events),
	};

	return cmocka_run_group_tests_name("stats rules", tests, NULL, NULL);
}
