/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmark results: how metrics are joined, and what is said of them.
 */
#include "support.h"

#include <stdlib.h>

#include "model/builder.h"

/* A metric as it goes in; sd and n of a summary, n = 0: repetitions. */
struct metric {
	const char *group, *name, *unit;
	enum pd_better better;
	double values[5];
	uint32_t n_values;
	double sd, n;
};

enum { MAX_METRICS = 4, MAX_INPUTS = 3 };

/* The sides: a profile of a function with a cost each, and further results. */
struct bench {
	struct pd_side_input sides[2];
	struct pd_profile *runs[2][1];
	struct pd_profile *results[2][MAX_INPUTS];
};

static struct pd_profile *make_results(const struct metric *metrics)
{
	const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_builder *b = pd_builder_new("bench", "test", &limits, NULL);
	struct pd_profiles ps = {0};
	struct pd_error err = {0};
	struct pd_profile *p;

	assert_non_null(b);
	(void)pd_builder_run(b, pd_span_of(""));
	for (uint32_t i = 0; i < MAX_METRICS && metrics[i].name; i++) {
		const struct metric *m = &metrics[i];
		uint32_t id = pd_builder_metric(b, 0, pd_span_of(m->group), pd_span_of(m->name),
						pd_span_of(m->unit), m->better);

		for (uint32_t k = 0; k < m->n_values; k++)
			pd_builder_add_value(b, 0, id, m->values[k]);
		if (m->n > 0)
			pd_builder_set_summary(b, 0, id, m->sd, m->n);
	}
	if (pd_builder_finish(b, &ps, &err) != PD_OK)
		fail_msg("%s", err.msg);
	pd_builder_free(b);
	assert_int_equal(ps.n, 1);
	p = ps.items[0];
	free(ps.items);
	return p;
}

static void add_results(struct bench *b, int side, const struct metric *metrics)
{
	struct pd_side_input *in = &b->sides[side];

	if (!in->runs) {
		b->runs[side][0] = ut_profile(side ? "B" : "A", "foo 10");
		in->label = side ? "B" : "A";
		in->runs = b->runs[side];
		in->n_runs = 1;
		in->bench = b->results[side];
	}
	assert_true(in->n_bench < MAX_INPUTS);
	b->results[side][in->n_bench++] = make_results(metrics);
}

static int compare(struct bench *b, struct pd_comparison **ret_c, struct pd_error *err)
{
	const struct pd_compare_options options = {0};
	int rc = pd_compare(b->sides, 2, &options, NULL, ret_c, err);

	for (int s = 0; s < 2; s++) {
		pd_profile_free(b->runs[s][0]);
		for (uint32_t i = 0; i < b->sides[s].n_bench; i++)
			pd_profile_free(b->results[s][i]);
	}
	return rc;
}

static struct pd_comparison *compare_both(const struct metric *base, const struct metric *next)
{
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct bench b = {0};

	add_results(&b, 0, base);
	add_results(&b, 1, next);
	if (compare(&b, &c, &err) != PD_OK)
		fail_msg("%s", err.msg);
	return c;
}

static void expect_near(double have, double want)
{
	if (!(fabs(have - want) <= 1e-9 * fabs(want)))
		fail_msg("found %.17g, expected %.17g", have, want);
}

static void expect_name(const struct pd_comparison *c, uint32_t i, const char *group,
			const char *name)
{
	const struct pd_metric_row *row = &c->metrics[i];

	assert_true(i < c->n_metrics);
	assert_string_equal(row->group.id ? pd_strtab_get(&c->strings, row->group) : "", group);
	assert_string_equal(pd_strtab_get(&c->strings, row->name), name);
}

static void test_join(void **state)
{
	static const struct metric base[MAX_METRICS] = {
		{"g", "x", "ns", 0, {10, 12}, 2, 0, 0},
		{"h", "x", "ns", 0, {100}, 1, 0, 0},
		{"", "only", "ns", 0, {1}, 1, 0, 0},
	};
	static const struct metric next[MAX_METRICS] = {
		{"h", "x", "ns", 0, {50}, 1, 0, 0},
		{"", "late", "ns", 0, {2}, 1, 0, 0},
		{"g", "x", "ns", 0, {22, 20}, 2, 0, 0},
	};
	struct pd_comparison *c = compare_both(base, next);

	(void)state;
	assert_int_equal(c->n_metrics, 4);
	expect_name(c, 0, "g", "x");
	expect_name(c, 1, "h", "x");
	expect_name(c, 2, "", "only");
	expect_name(c, 3, "", "late");
	ut_assert_same(c->metrics[0].sides[0].mean, 11);
	ut_assert_same(c->metrics[0].sides[1].mean, 21);
	ut_assert_same(c->metrics[0].changes[1].delta, 10);
	expect_near(c->metrics[0].changes[1].ratio, sqrt(22. * 20 / (10. * 12)));
	ut_assert_same(c->metrics[1].changes[1].delta, -50);
	expect_near(c->metrics[1].changes[1].ratio, 0.5);
	ut_assert_same(c->metrics[1].changes[1].p, PD_UNKNOWN); /* one run a side: ratio only */
	ut_assert_same(c->metrics[1].changes[1].q, PD_UNKNOWN);
	assert_int_equal(c->metrics[1].changes[1].verdict, PD_VERDICT_NONE);
	ut_assert_same(c->metrics[1].sides[0].sd, PD_UNKNOWN);
	ut_assert_same(c->metrics[2].sides[1].mean, PD_UNKNOWN);
	ut_assert_same(c->metrics[2].changes[1].ratio, PD_UNKNOWN);
	ut_assert_same(c->metrics[3].sides[0].mean, PD_UNKNOWN);
	/* the mean of those that both sides have, of which there are two */
	assert_int_equal(c->geomeans[1].n, 2);
	expect_near(c->geomeans[1].ratio, sqrt(0.5 * sqrt(22. * 20 / (10. * 12))));
	pd_comparison_free(c);
}

static void test_pooled(void **state)
{
	static const struct metric one[MAX_METRICS] = {{"", "x", "ns", 0, {10, 12}, 2, 0, 0}};
	static const struct metric two[MAX_METRICS] = {{"", "x", "ns", 0, {14}, 1, 0, 0}};
	static const struct metric three[MAX_METRICS] = {{"", "x", "ns", 0, {16, 18}, 2, 0, 0}};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct bench b = {0};

	(void)state;
	add_results(&b, 0, one);
	add_results(&b, 0, two);
	add_results(&b, 0, three);
	add_results(&b, 1, two);
	assert_int_equal(compare(&b, &c, &err), PD_OK);
	assert_int_equal(c->n_metrics, 1);
	assert_int_equal(c->metrics[0].sides[0].n_values, 5);
	for (uint32_t i = 0; i < 5; i++)
		ut_assert_same(c->metrics[0].sides[0].values[i], 10 + 2 * i);
	ut_assert_same(c->metrics[0].sides[0].n, 5);
	ut_assert_same(c->metrics[0].sides[0].mean, 14);
	expect_near(c->metrics[0].sides[0].sd, sqrt(10));
	ut_assert_same(c->metrics[0].sides[1].n, 1);
	pd_comparison_free(c);
}

static void test_units_differ(void **state)
{
	static const struct metric base[MAX_METRICS] = {{"", "x", "ns", 0, {10}, 1, 0, 0}};
	static const struct metric next[MAX_METRICS] = {{"", "x", "bytes", 0, {10}, 1, 0, 0}};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct bench b = {0};

	(void)state;
	add_results(&b, 0, base);
	add_results(&b, 1, next);
	assert_int_equal(compare(&b, &c, &err), PD_ERR_MISMATCH);
	assert_null(c);
	assert_non_null(strstr(err.msg, "x is in \"ns\""));
	assert_non_null(strstr(err.msg, "\"bytes\""));
}

static void test_better(void **state)
{
	static const struct {
		enum pd_better better;
		enum pd_verdict up, down;
	} cases[] = {
		{PD_BETTER_UNKNOWN, PD_VERDICT_REGRESSED, PD_VERDICT_IMPROVED},
		{PD_BETTER_LOWER, PD_VERDICT_REGRESSED, PD_VERDICT_IMPROVED},
		{PD_BETTER_HIGHER, PD_VERDICT_IMPROVED, PD_VERDICT_REGRESSED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct metric low[MAX_METRICS] = {
			{"", "x", "", cases[i].better, {100, 101, 102, 103, 104}, 5, 0, 0}};
		struct metric high[MAX_METRICS] = {
			{"", "x", "", cases[i].better, {201, 200, 204, 202, 203}, 5, 0, 0}};
		struct pd_comparison *c = compare_both(low, high);

		assert_int_equal(c->metrics[0].changes[1].verdict, cases[i].up);
		assert_true(c->metrics[0].changes[1].ratio_lo > 1.9);
		assert_true(c->metrics[0].changes[1].ratio_hi < 2.05);
		/* the exact rank test of 5 against 5 apart: 2 of 252 orders */
		expect_near(c->metrics[0].changes[1].p_rank, 2. / 252);
		pd_comparison_free(c);
		c = compare_both(high, low);
		assert_int_equal(c->metrics[0].changes[1].verdict, cases[i].down);
		pd_comparison_free(c);
	}
}

static void test_same_and_identical(void **state)
{
	static const struct metric base[MAX_METRICS] = {
		{"", "same", "s", 0, {100, 101, 102, 103}, 4, 0, 0},
		{"", "fixed", "s", 0, {5, 5, 5}, 3, 0, 0},
		{"", "loose", "s", 0, {50, 100, 150}, 3, 0, 0},
	};
	struct pd_comparison *c = compare_both(base, base);

	(void)state;
	assert_int_equal(c->metrics[0].changes[1].verdict, PD_VERDICT_SAME);
	ut_assert_same(c->metrics[0].changes[1].delta, 0);
	ut_assert_same(c->metrics[0].changes[1].p, 1);
	/* no variance: no p, and so no verdict */
	ut_assert_same(c->metrics[1].changes[1].p, PD_UNKNOWN);
	ut_assert_same(c->metrics[1].changes[1].ratio, 1);
	assert_int_equal(c->metrics[1].changes[1].verdict, PD_VERDICT_NONE);
	assert_int_equal(c->metrics[2].changes[1].verdict, PD_VERDICT_UNCLEAR);
	pd_comparison_free(c);
}

static void test_summaries(void **state)
{
	static const struct metric base[MAX_METRICS] = {{"", "x", "s", 0, {100}, 1, 2, 10}};
	static const struct metric next[MAX_METRICS] = {{"", "x", "s", 0, {120}, 1, 3, 8}};
	struct pd_comparison *c = compare_both(base, next);
	const struct pd_metric_row *row = &c->metrics[0];

	(void)state;
	ut_assert_same(row->sides[0].mean, 100);
	ut_assert_same(row->sides[0].sd, 2);
	ut_assert_same(row->sides[0].n, 10);
	ut_assert_same(row->sides[1].mean, 120);
	ut_assert_same(row->sides[1].sd, 3);
	ut_assert_same(row->sides[1].n, 8);
	ut_assert_same(row->changes[1].delta, 20);
	assert_true(fabs(row->changes[1].ratio - 1.2) < 0.001);
	assert_true(row->changes[1].p < 1e-6);
	assert_int_equal(row->changes[1].verdict, PD_VERDICT_REGRESSED);
	ut_assert_same(row->changes[1].p_rank, PD_UNKNOWN);
	pd_comparison_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_join),   cmocka_unit_test(test_pooled),
		cmocka_unit_test(test_units_differ), cmocka_unit_test(test_better),
		cmocka_unit_test(test_same_and_identical), cmocka_unit_test(test_summaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
