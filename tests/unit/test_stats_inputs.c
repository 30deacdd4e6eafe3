/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inputs that are not plain complete counts: cut lists, periods, rounded
 * values, known work, and runs that cannot be normalized (STATS.md 4.0, 4.1,
 * 4.14).
 */
#include "support/stats_case.h"

/* A cut list: that side of the row has no mean and no test, the other sides have. */
static void test_cut_list(void **state)
{
	static const uint32_t side[] = {0, 0, 1, 1, 2, 2};
	static const double y[] = {50, 60, PD_UNKNOWN, 55, 70, 75, PD_UNKNOWN, 60, 50, 55, 70, 75};
	struct pd_stats_problem p = pd_problem_of(y, 2, side, 6);
	struct pd_stats *stats = pd_compare_now(&p, 1);
	const struct pd_stats_event *e = &stats->events[0];

	(void)state;
	assert_true(e->sides[0].mean == 55 && isnan(e->sides[1].mean) && isnan(e->sides[1].sd));
	pd_assert_no_test(&e->changes[0]);
	assert_true(isnan(e->changes[0].delta) && isnan(e->changes[0].ratio));
	assert_true(e->changes[1].q > 0 && e->changes[1].delta == 17.5);
	pd_assert_no_test(&e->changes[2]);
	pd_assert_no_test(&e->changes[3]);
	assert_int_equal(stats->n_tested[PD_STATS_MAIN], 1);
	assert_true(e->total.mean[2] == 145 && e->total.mean[1] == 52.5);
	pd_stats_free(stats);
}

/* Periods are counted in ticks of c: a scaled problem gives the same test. */
static void test_tick(void **state)
{
	double y[PD_N_BASIC * 4], periods[PD_N_BASIC * 4];
	struct pd_stats_problem p = pd_problem_of(y, PD_N_BASIC, pd_two_by_two, 4), scaled;
	struct pd_stats *plain, *other;

	(void)state;
	pd_fill_basic(y, 4);
	for (int i = 0; i < PD_N_BASIC * 4; i++)
		periods[i] = 4096 * y[i];
	scaled = p;
	scaled.y = periods;
	scaled.tick = 4096;
	plain = pd_compare_now(&p, 1);
	other = pd_compare_now(&scaled, 1);
	for (int g = 0; g < PD_N_BASIC; g++) {
		const struct pd_stats_change *a = &plain->events[0].changes[g];
		const struct pd_stats_change *b = &other->events[0].changes[g];

		assert_true(a->p == b->p && a->q == b->q && a->ratio_lo == b->ratio_lo);
		assert_true(b->delta == 4096 * a->delta && b->delta_hi == 4096 * a->delta_hi);
		assert_true(b->delta_lo == 4096 * a->delta_lo);
		assert_true(other->events[0].sides[g].mean ==
			    4096 * plain->events[0].sides[g].mean);
		assert_int_equal(a->verdict, b->verdict);
	}
	assert_true(other->events[0].total.mean[0] == 4096 * plain->events[0].total.mean[0]);
	pd_stats_free(plain);
	pd_stats_free(other);
}

/* Values rounded to 50 ticks vary by that much more, in the test as in the noise model. */
static void test_quantum(void **state)
{
	static const double quantum[] = {50, 50, 50, 50};
	double y[PD_N_BASIC * 4];
	struct pd_stats_problem p = pd_problem_of(y, PD_N_BASIC, pd_two_by_two, 4);
	struct pd_stats *fine, *coarse;

	(void)state;
	pd_fill_basic(y, 4);
	for (int i = 0; i < PD_N_BASIC * 4; i++)
		y[i] = 50 * round(y[i] / 50);
	fine = pd_compare_now(&p, 1);
	p.quantum = quantum;
	coarse = pd_compare_now(&p, 1);
	for (int g = 0; g < PD_N_BASIC; g++) {
		const struct pd_stats_change *c = &coarse->events[0].changes[g];
		double mean = (y[g * 4] + y[g * 4 + 1] + y[g * 4 + 2] + y[g * 4 + 3]) / 4;

		assert_true(c->noise > 2500 / (12 * mean));
		assert_true(c->z == fine->events[0].changes[g].z);
		/* The interval has the same noise as the test: a rounded tie stays open. */
		assert_true(c->delta_hi - c->delta > 1.9 * sqrt(2500 / 12. / 2 + 2500 / 12. / 2));
	}
	/* What the rounding explains is not taken for noise of the functions. */
	assert_true(coarse->events[0].weights[8] < fine->events[0].weights[8]);
	pd_stats_free(fine);
	pd_stats_free(coarse);
}

static void test_fall_back(void **state)
{
	double y[PD_N_BASIC * 4];
	struct pd_stats_problem p = pd_problem_of(y, 29, pd_two_by_two, 4);
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats *stats;
	struct pd_error err = {0};

	(void)state;
	pd_fill_basic(y, 4);
	options.normalize = PD_NORMALIZE_MEDIAN;
	assert_int_equal(pd_stats_compare(&p, 1, &options, &stats, &err), 0);
	assert_true(stats->events[0].has_fallen_back && stats->events[0].n_typical == 29);
	assert_true(stats->events[0].scale[3] == 1);
	pd_stats_free(stats);
	p.n_rows = 30;
	assert_int_equal(pd_stats_compare(&p, 1, &options, &stats, &err), 0);
	assert_false(stats->events[0].has_fallen_back);
	assert_true(stats->events[0].scale[3] != 1);
	pd_stats_free(stats);
	/* A run without ticks has no total to be scaled by. */
	for (int g = 0; g < 30; g++)
		y[g * 4 + 1] = 0;
	options.normalize = PD_NORMALIZE_TOTAL;
	assert_int_equal(pd_stats_compare(&p, 1, &options, &stats, &err), 0);
	assert_true(stats->events[0].has_fallen_back && stats->events[0].scale[1] == 1);
	pd_stats_free(stats);
}

/* Rates of --per are per unit of work. */
static void test_per(void **state)
{
	static const double work[] = {10, 10, 20, 20};
	static const double y[] = {100, 110, 400, 420};
	struct pd_stats_problem p = pd_problem_of(y, 1, pd_two_by_two, 4);
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats *stats;
	struct pd_error err = {0};

	(void)state;
	p.exposure = work;
	options.normalize = PD_NORMALIZE_PER;
	assert_int_equal(pd_stats_compare(&p, 1, &options, &stats, &err), 0);
	assert_close(stats->events[0].sides[0].mean, 10.5, 1e-14);
	assert_close(stats->events[0].sides[1].mean, 20.5, 1e-14);
	assert_close(stats->events[0].sides[0].sd, 1 / sqrt(2), 1e-12);
	assert_false(stats->events[0].has_fallen_back);
	pd_stats_free(stats);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut_list),  cmocka_unit_test(test_tick),
		cmocka_unit_test(test_quantum),   cmocka_unit_test(test_fall_back),
		cmocka_unit_test(test_per),
	};

	return cmocka_run_group_tests_name("stats inputs", tests, NULL, NULL);
}
