/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Size factors and medians.
 */
#include "base/num.h"
#include "stats/median.h"
#include "stats/scale.h"
#include "support/check.h"
#include "support/random.h"

enum { N_ROWS = 60, N_RUNS = 4 };

/* Rows of these runs are exactly 1 : 1.1 : .8 : 1 but for what a test changes. */
struct fixture {
	struct pd_arena arena;
	struct pd_stats_problem problem;
	double y[N_ROWS * N_RUNS];
	uint32_t side[N_RUNS];
	unsigned char role[N_ROWS];
	bool is_idle[N_ROWS];
	double exposure[N_RUNS], leftover[N_RUNS];
	struct pd_counts counts;
	double s[N_RUNS]; /* in the order of counts */
};

static int setup(void **state)
{
	static const double true_s[N_RUNS] = {1, 1.1, .8, 1};
	struct fixture *f = calloc(1, sizeof(*f));

	for (int g = 0; g < N_ROWS; g++)
		for (int r = 0; r < N_RUNS; r++)
			f->y[g * N_RUNS + r] = (1000 + 10 * g) * true_s[r];
	f->side[2] = f->side[3] = 1;
	for (int r = 0; r < N_RUNS; r++)
		f->exposure[r] = 1;
	f->problem = (struct pd_stats_problem){.n_rows = N_ROWS, .n_runs = N_RUNS, .n_sides = 2,
					       .y = f->y, .side = f->side, .role = f->role,
					       .is_idle = f->is_idle, .exposure = f->exposure,
					       .leftover = f->leftover};
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	pd_arena_done(&f->arena);
	free(f);
	return 0;
}

static void make(struct fixture *f)
{
	struct pd_error err = {0};

	assert_int_equal(pd_counts_init(&f->arena, &f->problem, &f->counts, &err), 0);
}

/* The factor of the caller's run r. */
static double factor(const struct fixture *f, uint32_t run)
{
	for (uint32_t r = 0; r < N_RUNS; r++)
		if (f->counts.run[r] == run)
			return f->s[r];
	return PD_UNKNOWN;
}

static size_t median_factors(struct fixture *f)
{
	struct pd_error err = {0};
	size_t n_rows = 0;

	make(f);
	assert_int_equal(pd_scale_median(&f->counts, f->s, &n_rows, &err), 0);
	return n_rows;
}

static void test_none(void **state)
{
	struct fixture *f = *state;

	make(f);
	pd_scale_exposure(&f->counts, PD_NORMALIZE_NONE, f->s);
	for (uint32_t r = 0; r < N_RUNS; r++)
		assert_true(f->s[r] == 1);
	for (uint32_t r = 0; r < N_RUNS; r++)
		f->exposure[r] = 4000;
	make(f);
	pd_scale_exposure(&f->counts, PD_NORMALIZE_NONE, f->s);
	for (uint32_t r = 0; r < N_RUNS; r++)
		assert_true(f->s[r] == 1);
}

static void test_exposure(void **state)
{
	struct fixture *f = *state;

	f->exposure[0] = f->exposure[1] = 1000;
	f->exposure[2] = f->exposure[3] = 4000;
	make(f);
	pd_scale_exposure(&f->counts, PD_NORMALIZE_NONE, f->s);
	assert_close(factor(f, 0), .5, 1e-14);
	assert_close(factor(f, 3), 2, 1e-14);
	pd_scale_exposure(&f->counts, PD_NORMALIZE_PER, f->s);
	assert_true(factor(f, 0) == 1000 && factor(f, 3) == 4000);
}

static void test_median(void **state)
{
	struct fixture *f = *state;
	double geomean = pow(1.1 * .8, .25);

	/* A fifth of the rows tripled in one run does not move a median. */
	for (int g = 0; g < N_ROWS / 5; g++)
		f->y[g * 5 * N_RUNS + 1] *= 3;
	assert_int_equal(median_factors(f), N_ROWS);
	assert_close(factor(f, 0), 1 / geomean, 1e-4);
	assert_close(factor(f, 1), 1.1 / geomean, 1e-4);
	assert_close(factor(f, 2), .8 / geomean, 1e-4);
	assert_close(f->s[0] * f->s[1] * f->s[2] * f->s[3], 1, 1e-14);
}

static void test_median_rows(void **state)
{
	struct fixture *f = *state;

	f->is_idle[0] = true;
	f->role[1] = PD_ROW_FILTERED; /* counts */
	f->role[2] = PD_ROW_MEMBER;
	f->role[3] = PD_ROW_BESIDE;
	f->y[4 * N_RUNS + 2] = PD_UNKNOWN;
	for (int r = 0; r < N_RUNS; r++) {
		f->y[5 * N_RUNS + r] = 4.9;
		f->y[6 * N_RUNS + r] = 5;
	}
	assert_int_equal(median_factors(f), N_ROWS - 5);
}

static void test_median_needs_rows(void **state)
{
	struct fixture *f = *state;

	f->problem.n_rows = PD_SCALE_MIN_ROWS - 1;
	f->s[0] = -7;
	assert_int_equal(median_factors(f), PD_SCALE_MIN_ROWS - 1);
	assert_true(f->s[0] == -7);
	f->problem.n_rows = PD_SCALE_MIN_ROWS;
	median_factors(f);
	assert_true(f->s[0] > 0);
}

static void test_total(void **state)
{
	struct fixture *f = *state;
	double sum = 0;

	for (int g = 0; g < N_ROWS; g++)
		sum += 1000 + 10 * g;
	f->leftover[1] = -.1 * sum; /* makes run 1 as large as run 0 */
	make(f);
	assert_true(pd_scale_total(&f->counts, f->s));
	assert_close(factor(f, 1) / factor(f, 0), 1, 1e-14);
	assert_close(factor(f, 2) / factor(f, 0), .8, 1e-14);
	f->leftover[1] = -2 * sum;
	make(f);
	assert_false(pd_scale_total(&f->counts, f->s));
}

static void test_column_sums(void **state)
{
	struct fixture *f = *state;
	double sums[N_RUNS];

	f->problem.n_rows = 4;
	f->is_idle[0] = true;
	f->role[1] = PD_ROW_MEMBER;
	f->y[2 * N_RUNS + 3] = PD_UNKNOWN; /* with run 2 of that side, which is in the leftover */
	f->leftover[2] = 7;
	make(f);
	pd_scale_column_sums(&f->counts, true, sums);
	for (uint32_t r = 0; r < N_RUNS; r++) {
		static const double expected[N_RUNS] = {1000 + 1020 + 1030, 1100 + 1122 + 1133,
							800 + 824 + 7, 1000 + 1030};

		assert_close(sums[r], expected[f->counts.run[r]], 1e-14);
	}
	pd_scale_column_sums(&f->counts, false, sums);
	for (uint32_t r = 0; r < N_RUNS; r++)
		if (f->counts.run[r] == 3)
			assert_close(sums[r], 1030, 1e-14);
}

static int by_x(const void *a, const void *b)
{
	double x = ((const struct pd_weighted *)a)->x, y = ((const struct pd_weighted *)b)->x;

	return (x > y) - (x < y);
}

/* Against sorting, with many ties. */
static void test_medians(void **state)
{
	struct pd_random random = {5};

	(void)state;
	for (int i = 0; i < 2000; i++) {
		size_t n = 1 + pd_random_below(&random, 40);
		struct pd_weighted a[40], sorted[40];
		double x[40];
		uint64_t total = 0, sum = 0;
		size_t k = 0;

		for (size_t j = 0; j < n; j++) {
			a[j].x = x[j] = (double)pd_random_below(&random, 1 + n / 2);
			a[j].weight = 1 + pd_random_below(&random, i % 3 ? 5 : 1);
			total += a[j].weight;
		}
		memcpy(sorted, a, sizeof(a));
		qsort(sorted, n, sizeof(*sorted), by_x);
		while (2 * (sum + sorted[k].weight) < total)
			sum += sorted[k++].weight;
		assert_true(pd_median_weighted(a, n) == sorted[k].x);
		assert_true(pd_median(x, n) ==
			    0.5 * (sorted[n / 2].x + sorted[(n - 1) / 2].x));
	}
	assert_true(isnan(pd_median(NULL, 0)));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_none),        TEST(test_exposure),
		TEST(test_median),      TEST(test_median_rows),
		TEST(test_total),       TEST(test_median_needs_rows),
		TEST(test_column_sums), cmocka_unit_test(test_medians),
	};

	return cmocka_run_group_tests_name("stats size factors", tests, NULL, NULL);
}
