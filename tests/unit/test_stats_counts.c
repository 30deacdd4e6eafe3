/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts: what is refused, the canonical order, and row statistics by hand.
 */
#include "base/num.h"
#include "stats/counts.h"
#include "support/check.h"

enum { N_RUNS = 4 };

static const double good_y[2 * N_RUNS] = {10, 14, 30, 6, 5, 5, 5, 5};
static const uint32_t good_side[N_RUNS] = {0, 0, 1, 1};

static struct pd_stats_problem good_problem(void)
{
	return (struct pd_stats_problem){.n_rows = 2, .n_runs = N_RUNS, .n_sides = 2,
					 .y = good_y, .side = good_side};
}

/* Refused, with a message; the result is left alone. */
static void refuse(const struct pd_stats_problem *p)
{
	struct pd_arena arena = {0};
	struct pd_counts counts = {.n_rows = 77};
	struct pd_error err = {0};

	assert_int_equal(pd_counts_init(&arena, p, &counts, &err), PD_ERR_USAGE);
	assert_true(err.msg[0] != '\0' && counts.n_rows == 77);
	pd_arena_done(&arena);
}

static void test_bad_shapes(void **state)
{
	static const uint32_t no_base[N_RUNS] = {1, 1, 1, 1}, no_side[N_RUNS] = {0, 0, 1, 2};
	struct pd_stats_problem p = good_problem();

	(void)state;
	p.n_sides = 0;
	refuse(&p);
	p = good_problem();
	p.n_runs = 0;
	refuse(&p);
	p = good_problem();
	p.side = no_base;
	refuse(&p);
	p.side = no_side;
	refuse(&p);
	p = good_problem();
	p.tick = -1;
	refuse(&p);
	p.tick = PD_UNKNOWN;
	refuse(&p);
}

static void test_bad_numbers(void **state)
{
	static const double bad[] = {-1, INFINITY, -INFINITY, 2e60};
	struct pd_noise_record history[2] = {{0}};
	double y[2 * N_RUNS], runs[N_RUNS] = {1, 1, 1, 1};
	unsigned char role[2] = {0};
	struct pd_stats_problem p = good_problem();

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		p = good_problem();
		memcpy(y, good_y, sizeof(y));
		y[5] = bad[i];
		p.y = y;
		refuse(&p);
		p = good_problem();
		runs[2] = bad[i];
		p.exposure = runs;
		refuse(&p);
		p.exposure = NULL;
		p.quantum = runs;
		refuse(&p);
		p = good_problem();
		history[1] = (struct pd_noise_record){3, 10, bad[i]};
		p.history = history;
		refuse(&p);
	}
	p = good_problem();
	runs[2] = PD_UNKNOWN;
	p.leftover = runs;
	refuse(&p);
	p = good_problem();
	runs[2] = 0;
	p.exposure = runs;
	refuse(&p);
	p = good_problem();
	role[1] = PD_ROW_BESIDE + 1;
	p.role = role;
	refuse(&p);
}

static void test_canonical_order(void **state)
{
	struct pd_arena arena = {0};
	struct pd_stats_problem p = good_problem();
	struct pd_counts c;
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_counts_init(&arena, &p, &c, &err), 0);
	for (uint32_t r = 1; r < N_RUNS; r++)
		assert_true(c.y[r - 1] < c.y[r]);
	for (uint32_t r = 0; r < N_RUNS; r++) {
		assert_true(c.y[r] == good_y[c.run[r]]);
		assert_int_equal(c.side[r], good_side[c.run[r]]);
	}
	assert_true(c.n_side_runs[0] == 2 && c.n_side_runs[1] == 2 && c.exposure[3] == 1);
	assert_null(c.history);
	pd_arena_done(&arena);
}

/* Two runs with sizes 1 and 3 against two with 2 and 2. */
static void test_tally(void **state)
{
	struct pd_arena arena = {0};
	struct pd_stats_problem p = good_problem();
	static const double sizes[N_RUNS] = {1, 3, 2, 2}; /* of the caller's runs */
	double s[N_RUNS], side_s[2];
	struct pd_tally t[2];
	struct pd_counts c;
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_counts_init(&arena, &p, &c, &err), 0);
	for (uint32_t r = 0; r < N_RUNS; r++)
		s[r] = sizes[c.run[r]];
	pd_counts_side_scale(&c, s, side_s);
	assert_true(side_s[0] == 4 && side_s[1] == 4);
	pd_counts_tally(&c, 0, s, side_s, t);
	assert_true(t[0].is_known && t[0].y == 24 && t[0].rate == 6);
	assert_true(t[0].record.mean == 12 && t[0].record.d == 1);
	assert_close(t[0].record.ss, 16. / 6 + 16. / 18, 1e-14);
	assert_close(t[1].record.ss, 2 * 144. / 18, 1e-14);
	assert_close(pd_counts_mean(&c, t), 15, 1e-15);
	/* Scaled runs 10 and 14/3 against 15 and 3. */
	assert_close(pd_counts_sd(&c, 0, s, 0), (10 - 14. / 3) / sqrt(2), 1e-14);
	assert_close(pd_counts_sd(&c, 0, s, 1), 12 / sqrt(2), 1e-14);
	pd_arena_done(&arena);
}

static void test_unknown_and_zero(void **state)
{
	static const double y[3 * N_RUNS] = {1, PD_UNKNOWN, 7, 9, 0, 0, 0, 3, .1, .1, .1, .1};
	static const double s[N_RUNS] = {1, 1, 1, 1}, side_s[2] = {2, 2};
	struct pd_arena arena = {0};
	struct pd_stats_problem p = good_problem();
	struct pd_tally t[2];
	struct pd_counts c;
	struct pd_error err = {0};

	(void)state;
	p.n_rows = 3;
	p.y = y;
	assert_int_equal(pd_counts_init(&arena, &p, &c, &err), 0);
	pd_counts_tally(&c, 0, s, side_s, t);
	assert_false(t[0].is_known);
	assert_true(t[0].record.d == 0 && t[0].record.ss == 0 && t[0].y == 0);
	assert_true(t[1].is_known && t[1].y == 16);
	assert_close(pd_counts_mean(&c, t), 8, 1e-15);
	pd_counts_tally(&c, 1, s, side_s, t);
	assert_true(t[0].is_known && t[0].record.d == 0 && t[0].record.ss == 0);
	assert_true(t[1].record.d == 1 && t[1].record.ss == 3);
	assert_true(pd_counts_sd(&c, 2, s, 0) == 0);
	pd_arena_done(&arena);
}

static void test_tick_and_quantum(void **state)
{
	static const double quantum[N_RUNS] = {2, 2, 2, 4};
	struct pd_arena arena = {0};
	struct pd_stats_problem p = good_problem();
	struct pd_counts c;
	struct pd_error err = {0};

	(void)state;
	p.tick = 2;
	p.quantum = quantum;
	assert_int_equal(pd_counts_init(&arena, &p, &c, &err), 0);
	for (uint32_t r = 0; r < N_RUNS; r++)
		assert_true(c.y[r] == good_y[c.run[r]] / 2);
	assert_close(c.step_sq[0], 2, 1e-15);
	assert_close(c.step_sq[1], 5, 1e-15);
	assert_close(pd_counts_step_sq(&c), 7. / 4, 1e-15);
	assert_close(pd_counts_pair_step_sq(&c, 0, 1), 7. / 4, 1e-15);
	pd_arena_done(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bad_shapes),      cmocka_unit_test(test_bad_numbers),
		cmocka_unit_test(test_canonical_order), cmocka_unit_test(test_tally),
		cmocka_unit_test(test_unknown_and_zero), cmocka_unit_test(test_tick_and_quantum),
	};

	return cmocka_run_group_tests_name("stats counts", tests, NULL, NULL);
}
