/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must not matter: the order of runs, the order of the sides, and a
 * comparison of something with itself. On real profiles (testdata/stats).
 */
#include "base/num.h"
#include "stats/stats.h"
#include "support/check.h"
#include "support/random.h"
#include "support/same.h"
#include "support/tsv.h"

enum { N_RUNS = 8 };

/* The first eight runs of py.tsv; every tenth row is unlike, so that something is flagged. */
struct fixture {
	size_t n_rows;
	double *y;
	uint32_t side[N_RUNS];
	struct pd_stats_problem problem;
};

static struct fixture read_fixture(void)
{
	struct fixture f = {.side = {0, 0, 0, 0, 1, 1, 1, 1}};
	char *path = pd_testdata_path("stats/py.tsv");
	struct pd_tsv t;

	assert_true(pd_tsv_read(path, &t));
	free(path);
	f.n_rows = t.n_rows;
	f.y = calloc(t.n_rows * N_RUNS, sizeof(*f.y));
	for (size_t g = 0; g < t.n_rows; g++)
		for (size_t r = 0; r < N_RUNS; r++)
			f.y[g * N_RUNS + r] = pd_tsv_number(&t, g, r + 1) *
					      (g % 10 == 9 && r < 4 ? 3 : 1);
	pd_tsv_done(&t);
	return f;
}

static struct pd_stats *compare(const struct fixture *f, const double *y, const uint32_t *side,
				uint32_t n_runs, enum pd_normalize normalize)
{
	struct pd_stats_options options = PD_STATS_OPTIONS_DEFAULT;
	struct pd_stats_problem p = {.n_rows = f->n_rows, .n_runs = n_runs, .n_sides = 2, .y = y,
				     .side = side};
	struct pd_stats *stats;
	struct pd_error err = {0};

	options.normalize = normalize;
	assert_int_equal(pd_stats_compare(&p, 1, &options, &stats, &err), 0);
	return stats;
}

/* y with its runs in another order. */
static double *reorder(const struct fixture *f, const size_t order[N_RUNS])
{
	double *y = calloc(f->n_rows * N_RUNS, sizeof(*y));

	for (size_t g = 0; g < f->n_rows; g++)
		for (size_t r = 0; r < N_RUNS; r++)
			y[g * N_RUNS + r] = f->y[g * N_RUNS + order[r]];
	return y;
}

/* The same bits, whatever the order of runs; what belongs to a run follows it. */
static void test_permuted_runs(void **state)
{
	struct fixture f = read_fixture();
	struct pd_random random = {2};

	(void)state;
	for (int normalize = 0; normalize < PD_N_NORMALIZE; normalize++) {
		struct pd_stats *a = compare(&f, f.y, f.side, N_RUNS, (enum pd_normalize)normalize);

		for (int i = 0; i < 5; i++) {
			size_t order[N_RUNS] = {0, 1, 2, 3, 4, 5, 6, 7};
			uint32_t side[N_RUNS];
			struct pd_stats *b;
			double *y;

			pd_random_shuffle(&random, order, N_RUNS);
			y = reorder(&f, order);
			for (size_t r = 0; r < N_RUNS; r++)
				side[r] = f.side[order[r]];
			b = compare(&f, y, side, N_RUNS, (enum pd_normalize)normalize);
			for (size_t g = 0; g < f.n_rows; g++)
				assert_true(pd_same_change(&a->events[0].changes[g],
							   &b->events[0].changes[g]));
			assert_memory_equal(a->events[0].sides, b->events[0].sides,
					    2 * f.n_rows * sizeof(struct pd_stats_side));
			assert_true(a->events[0].total.change[0].p ==
				    b->events[0].total.change[0].p);
			assert_true(a->events[0].shifts[0].hi == b->events[0].shifts[0].hi);
			for (size_t r = 0; r < N_RUNS; r++) {
				assert_true(a->events[0].scale[order[r]] == b->events[0].scale[r]);
				assert_true(a->events[0].runs[order[r]].score ==
					    b->events[0].runs[r].score);
			}
			pd_stats_free(b);
			free(y);
		}
		pd_stats_free(a);
	}
	free(f.y);
}

static enum pd_verdict mirrored(enum pd_verdict v)
{
	if (v == PD_VERDICT_IMPROVED)
		return PD_VERDICT_REGRESSED;
	return v == PD_VERDICT_REGRESSED ? PD_VERDICT_IMPROVED : v;
}

static void check_mirrored(const struct pd_stats_change *a, const struct pd_stats_change *b)
{
	assert_true(a->z == -b->z && a->p == b->p && a->noise == b->noise);
	assert_true(a->q == b->q || (isnan(a->q) && isnan(b->q)));
	assert_true(a->delta == -b->delta && a->level == b->level);
	assert_true(a->delta_lo == -b->delta_hi && a->delta_hi == -b->delta_lo);
	assert_close(a->ratio, 1 / b->ratio, 1e-14);
	assert_close(a->ratio_lo, 1 / b->ratio_hi, 1e-9);
	assert_close(a->ratio_hi, 1 / b->ratio_lo, 1e-9);
	assert_close(a->bound_ratio, b->bound_ratio, 1e-9);
	assert_int_equal(a->verdict, mirrored(b->verdict));
}

static void test_swapped_sides(void **state)
{
	static const uint32_t swapped[N_RUNS] = {1, 1, 1, 1, 0, 0, 0, 0};
	struct fixture f = read_fixture();

	(void)state;
	for (int normalize = 0; normalize < PD_N_NORMALIZE; normalize++) {
		enum pd_normalize how = (enum pd_normalize)normalize;
		struct pd_stats *a = compare(&f, f.y, f.side, N_RUNS, how);
		struct pd_stats *b = compare(&f, f.y, swapped, N_RUNS, how);

		assert_true(a->n_flagged[PD_STATS_MAIN] > 5);
		assert_int_equal(a->n_flagged[PD_STATS_MAIN], b->n_flagged[PD_STATS_MAIN]);
		assert_memory_equal(a->events[0].scale, b->events[0].scale,
				    N_RUNS * sizeof(double));
		assert_memory_equal(a->events[0].weights, b->events[0].weights,
				    PD_NOISE_N * sizeof(double));
		for (size_t g = 0; g < f.n_rows; g++)
			check_mirrored(&a->events[0].changes[g], &b->events[0].changes[g]);
		assert_close(a->events[0].shifts[0].ratio, 1 / b->events[0].shifts[0].ratio, 1e-12);
		assert_true(a->events[0].total.delta[0] == -b->events[0].total.delta[0]);
		pd_stats_free(a);
		pd_stats_free(b);
	}
	free(f.y);
}

/* The same runs on both sides: no finding, whatever the number of runs. */
static void test_with_itself(void **state)
{
	struct fixture f = read_fixture();

	(void)state;
	for (uint32_t n = 1; n <= 4; n++) {
		double *y = calloc(f.n_rows * 2 * n, sizeof(*y));
		uint32_t side[N_RUNS];
		struct pd_stats *stats;

		for (uint32_t r = 0; r < 2 * n; r++) {
			side[r] = r >= n;
			for (size_t g = 0; g < f.n_rows; g++)
				y[g * 2 * n + r] = f.y[g * N_RUNS + r % n];
		}
		stats = compare(&f, y, side, 2 * n, PD_NORMALIZE_MEDIAN);
		assert_int_equal(stats->n_flagged[PD_STATS_MAIN], 0);
		for (size_t g = 0; g < f.n_rows; g++) {
			const struct pd_stats_change *c = &stats->events[0].changes[g];

			assert_true(c->delta == 0 && c->z == 0 && c->p == 1);
			assert_true(c->verdict == PD_VERDICT_FEW || c->verdict == PD_VERDICT_NONE ||
				    c->verdict == PD_VERDICT_SAME ||
				    c->verdict == PD_VERDICT_UNCLEAR);
		}
		assert_true(stats->events[0].shifts[0].ratio == 1);
		assert_false(stats->events[0].shifts[0].is_large);
		pd_stats_free(stats);
		free(y);
	}
	free(f.y);
}

/* What --save-noise keeps, against the golden history of the LKML vectors. */
static void test_history(void **state)
{
	static const double y[] = {1656, 1730, 1664, 1633, 0, 0, 0, 0, PD_UNKNOWN, 1, 2, 3};
	static const uint32_t side[] = {0, 0, 0, 0};
	struct pd_stats_problem p = {.n_rows = 3, .n_runs = 4, .n_sides = 1, .y = y, .side = side};
	struct pd_noise_record records[3];
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_stats_history(&p, records, &err), 0);
	assert_true(records[0].d == 3 && records[0].mean == 1670.75);
	assert_close(records[0].ss, 3.1116265150381563, 1e-13);
	assert_true(records[1].d == 0 && records[1].mean == 0 && records[2].d == 0);
	p.n_runs = 1;
	assert_int_equal(pd_stats_history(&p, records, &err), PD_ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_permuted_runs), cmocka_unit_test(test_swapped_sides),
		cmocka_unit_test(test_with_itself),   cmocka_unit_test(test_history),
	};

	return cmocka_run_group_tests_name("stats symmetry", tests, NULL, NULL);
}
