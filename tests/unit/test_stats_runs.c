/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole runs: shift, bad runs, totals; all by way of pd_stats_compare().
 */
#include "base/num.h"
#include "stats/stats.h"
#include "support/check.h"
#include "support/random.h"

enum { N_ROWS = 200, MAX_RUNS = 12 };

/* Counts about a mean of 100 to 300 ticks with counting noise; run r is size[r] times as long. */
struct fixture {
	double y[N_ROWS * MAX_RUNS];
	double leftover[MAX_RUNS], exposure[MAX_RUNS];
	bool is_idle[N_ROWS];
	uint32_t side[MAX_RUNS];
	struct pd_stats_problem problem;
	struct pd_stats *stats;
	const struct pd_stats_event *event;
};

static void fill(struct fixture *f, uint32_t n_base, uint32_t n_next, const double *size)
{
	struct pd_random random = {9};
	uint32_t n = n_base + n_next;

	memset(f, 0, sizeof(*f));
	for (uint32_t r = 0; r < n; r++) {
		f->side[r] = r >= n_base;
		f->exposure[r] = 1;
		for (int g = 0; g < N_ROWS; g++) {
			double mean = (100 + g) * size[r];

			f->y[g * n + r] = round(mean + sqrt(mean) * pd_random_normal(&random));
		}
	}
	f->problem = (struct pd_stats_problem){.n_rows = N_ROWS, .n_runs = n, .n_sides = 2,
					       .y = f->y, .side = f->side,
					       .leftover = f->leftover, .exposure = f->exposure,
					       .is_idle = f->is_idle};
}

static void run(struct fixture *f)
{
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_error err = {0};

	pd_stats_free(f->stats);
	assert_int_equal(pd_stats_compare(&f->problem, 1, &options, &f->stats, &err), 0);
	f->event = &f->stats->events[0];
}

static struct fixture *new_fixture(void)
{
	return calloc(1, sizeof(struct fixture));
}

static void done(struct fixture *f)
{
	pd_stats_free(f->stats);
	free(f);
}

static void test_shift(void **state)
{
	static const double size[8] = {1, 1.02, .99, 1, 1.1, 1.11, 1.09, 1.1};
	struct fixture *f = new_fixture();
	const struct pd_shift *shift;

	(void)state;
	fill(f, 4, 4, size);
	run(f);
	shift = &f->event->shifts[0];
	assert_close(shift->ratio, 1.1 / 1.0025, .01);
	assert_true(shift->lo > 1.05 && shift->lo < shift->ratio);
	assert_true(shift->hi < 1.15 && shift->hi > shift->ratio);
	assert_true(shift->is_large);
	/* Known work explains it. */
	for (int r = 0; r < 8; r++)
		f->exposure[r] = r < 4 ? 1 : 1.1;
	run(f);
	shift = &f->event->shifts[0];
	assert_close(shift->ratio, 1, .01);
	assert_false(shift->is_large);
	done(f);
}

/* Two percent are beyond doubt here, and no reason to warn. */
static void test_small_shift(void **state)
{
	static const double size[8] = {1, 1, 1, 1, 1.02, 1.02, 1.02, 1.02};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 4, 4, size);
	for (int g = 0; g < N_ROWS; g++)
		for (int r = 0; r < 8; r++)
			f->y[g * 8 + r] = (1000 + g) * size[r];
	run(f);
	assert_close(f->event->shifts[0].ratio, 1.02, 1e-4);
	assert_true(f->event->shifts[0].lo > 1 && !f->event->shifts[0].is_large);
	done(f);
}

static void test_shift_of_one_run(void **state)
{
	static const double size[3] = {1, 1, 1.08}, large[3] = {1, 1, .88};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 2, 1, size);
	run(f);
	assert_close(f->event->shifts[0].ratio, 1.08, .02);
	assert_true(isnan(f->event->shifts[0].lo) && !f->event->shifts[0].is_large);
	pd_stats_free(f->stats);
	fill(f, 2, 1, large);
	run(f);
	assert_true(f->event->shifts[0].is_large);
	done(f);
}

static void test_shift_without_doubt(void **state)
{
	static const double size[4] = {1, 1, 1, 1};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 2, 2, size);
	for (int g = 0; g < N_ROWS; g++)
		for (int r = 0; r < 4; r++)
			f->y[g * 4 + r] = (100 + g) * (r < 2 ? 1 : 1.5);
	run(f);
	assert_close(f->event->shifts[0].ratio, 1.5, 1e-3);
	assert_true(f->event->shifts[0].lo == f->event->shifts[0].ratio);
	assert_true(f->event->shifts[0].is_large);
	/* Idle rows are no typical functions, and 29 rows are too few. */
	for (int g = 29; g < N_ROWS; g++)
		f->is_idle[g] = true;
	run(f);
	assert_int_equal(f->event->n_typical, 29);
	assert_true(isnan(f->event->shifts[0].ratio) && !f->event->shifts[0].is_large);
	done(f);
}

static void test_good_runs(void **state)
{
	static const double size[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 5, 5, size);
	run(f);
	for (int r = 0; r < 10; r++) {
		assert_false(f->event->runs[r].is_bad);
		assert_true(f->event->runs[r].score > .5 && f->event->runs[r].score < 2);
		assert_true(fabs(f->event->runs[r].deviation) < .05);
	}
	done(f);
}

static void test_long_run(void **state)
{
	static const double size[6] = {1, 1.3, 1, 1, 1, 1};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 3, 3, size);
	run(f);
	assert_true(f->event->runs[1].is_bad && f->event->runs[1].deviation > .2);
	for (int r = 0; r < 6; r++)
		assert_true(r == 1 || fabs(f->event->runs[r].deviation) < .2);
	done(f);
}

/* Run 2 does something else: every other row tripled, every other one a third. */
static void test_strange_run(void **state)
{
	static const double size[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 5, 5, size);
	for (int g = 0; g < N_ROWS; g++)
		f->y[g * 10 + 2] = round(f->y[g * 10 + 2] * (g % 2 ? 3 : 1. / 3));
	run(f);
	assert_true(f->event->runs[2].is_bad && f->event->runs[2].score > 3);
	for (int r = 0; r < 10; r++)
		assert_true(r == 2 || !f->event->runs[r].is_bad);
	done(f);
}

/* Counting noise alone. */
static const double *poisson(const void *arg, size_t row, uint32_t side)
{
	static const double pi[PD_NOISE_N] = {[4] = 1};

	(void)arg;
	(void)row;
	(void)side;
	return pi;
}

/* Three rows by hand; the one below 20 ticks has no say. */
static void test_score(void **state)
{
	static const uint32_t side[] = {0, 0, 0, 1};
	static const double rows[4][4] = {{90, 100, 110, 50}, {36, 25, 29, 9}, {100, 130, 70, 50},
					  {1, 40, 16, 50}};
	struct pd_stats_problem p = {.n_rows = 4, .n_runs = 4, .n_sides = 2, .y = &rows[0][0],
				     .side = side};
	static const double s[] = {1, 1, 1, 1}, side_s[] = {3, 1};
	struct pd_run_check checks[4];
	struct pd_arena arena = {0};
	struct pd_counts c;
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_counts_init(&arena, &p, &c, &err), 0);
	assert_int_equal(pd_runs_check(&c, s, side_s, NULL, poisson, NULL, checks, &err), 0);
	for (uint32_t r = 0; r < 4; r++) {
		/* Squared residuals over the mean: run 0 has 1, 1.2 and 0, and so on. */
		static const double middle[] = {1, 25. / 30, 1, NAN};

		if (c.run[r] < 3)
			assert_close(checks[r].score, middle[c.run[r]] / (1 - 1. / 3) / .4549,
				     1e-13);
		else
			assert_true(isnan(checks[r].score));
		assert_true(isnan(checks[r].deviation));
	}
	pd_arena_done(&arena);
}

static void test_two_runs_are_not_judged(void **state)
{
	static const double size[5] = {1, 2, 1, 1, 1};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 2, 3, size);
	run(f);
	for (int r = 0; r < 2; r++) {
		assert_false(f->event->runs[r].is_bad);
		assert_true(isnan(f->event->runs[r].score));
		assert_true(isnan(f->event->runs[r].deviation));
	}
	assert_true(f->event->runs[3].score > 0);
	done(f);
}

/* Rows and leftover add up to the total, with and without idle rows. */
static void test_totals(void **state)
{
	static const double size[4] = {1, 1.1, 1.2, 1.15};
	struct fixture *f = new_fixture();
	double sum[2] = {0}, busy[2] = {0};

	(void)state;
	fill(f, 2, 2, size);
	f->is_idle[5] = f->is_idle[150] = true;
	for (int r = 0; r < 4; r++)
		f->leftover[r] = 500 + 10 * r;
	f->leftover[3] = -20;
	run(f);
	for (int g = 0; g < N_ROWS; g++) {
		for (int i = 0; i < 2; i++) {
			sum[i] += f->event->sides[2 * g + i].mean;
			busy[i] += f->is_idle[g] ? 0 : f->event->sides[2 * g + i].mean;
		}
	}
	assert_close(f->event->total.mean[0], sum[0] + 505, 1e-12);
	assert_close(f->event->total.mean[1], sum[1] + 250, 1e-12);
	assert_close(f->event->busy.mean[1], busy[1] + 250, 1e-12);
	assert_close(f->event->total.delta[0], sum[1] + 250 - sum[0] - 505, 1e-10);
	assert_true(f->event->total.ratio[0] == f->event->total.change[0].ratio);
	assert_true(f->event->total.change[0].p > 0 && f->event->total.change[0].p < 1);
	assert_true(f->event->total.sd[0] > 0);
	done(f);
}

static void test_totals_of_one_run(void **state)
{
	static const double size[2] = {1, 1.1};
	struct fixture *f = new_fixture();

	(void)state;
	fill(f, 1, 1, size);
	run(f);
	assert_close(f->event->total.ratio[0],
		     f->event->total.mean[1] / f->event->total.mean[0], 1e-14);
	assert_true(isnan(f->event->total.change[0].p) && isnan(f->event->total.sd[0]));
	f->leftover[0] = -1e6; /* no total to compare with */
	run(f);
	assert_true(f->event->total.mean[0] < 0 && isnan(f->event->total.ratio[0]));
	assert_true(f->event->total.delta[0] > 0);
	done(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shift),     cmocka_unit_test(test_small_shift),
		cmocka_unit_test(test_shift_of_one_run), cmocka_unit_test(test_score),
		cmocka_unit_test(test_shift_without_doubt), cmocka_unit_test(test_good_runs),
		cmocka_unit_test(test_long_run),  cmocka_unit_test(test_strange_run),
		cmocka_unit_test(test_two_runs_are_not_judged), cmocka_unit_test(test_totals),
		cmocka_unit_test(test_totals_of_one_run),
	};

	return cmocka_run_group_tests_name("stats runs and totals", tests, NULL, NULL);
}
