/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the statistics say of a comparison: the field data of STATS 5, the
 * modes, and which rows are tested.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

static struct pd_comparison *compare(const char *const *specs,
				     const struct pd_compare_options *options)
{
	const struct pd_compare_options none = {0};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct ut_sides sides;

	ut_sides_init(&sides, specs);
	if (pd_compare(sides.inputs, sides.n, options ? options : &none, NULL, &c, &err) != PD_OK)
		fail_msg("%s", err.msg);
	ut_sides_done(&sides);
	return c;
}

static const struct pd_row *row_of(const struct pd_comparison *c, const char *name)
{
	for (uint32_t i = 0; i < c->n_rows; i++)
		if (!strcmp(pd_strtab_get(&c->strings, c->rows[i].name), name))
			return &c->rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

static const struct pd_change *change_of(const struct pd_comparison *c, const char *name)
{
	return &row_of(c, name)->changes[1];
}

static void expect_untested(const struct pd_change *change)
{
	ut_assert_same(change->p, PD_UNKNOWN);
	ut_assert_same(change->q, PD_UNKNOWN);
	ut_assert_same(change->ratio_lo, PD_UNKNOWN);
	assert_int_equal(change->verdict, PD_VERDICT_NONE);
}

/* testdata/profiles/table/vanilla-inline.txt, run by run. */
#define VANILLA(enough, acct, mmap, stack, unmap, brk, exit, protect, mremap, idle)       \
	"!t ticks; vm_enough_memory " #enough "; vm_acct_memory " #acct                    \
	"; do_mmap_pgoff " #mmap "; expand_stack " #stack "; unmap_region " #unmap         \
	"; do_brk " #brk "; exit_mmap " #exit "; mprotect_fixup " #protect "; do_mremap "  \
	#mremap "; poll_idle " #idle
#define INLINE(enough, mmap, stack, unmap, brk, exit, protect, mremap, idle)              \
	"!t ticks; vm_enough_memory " #enough "; do_mmap_pgoff " #mmap "; expand_stack "   \
	#stack "; unmap_region " #unmap "; do_brk " #brk "; exit_mmap " #exit              \
	"; mprotect_fixup " #protect "; do_mremap " #mremap "; poll_idle " #idle

#define A1 VANILLA(786, 870, 3559, 27, 236, 594, 51, 47, 0, 101553)
#define A2 VANILLA(778, 952, 3673, 34, 267, 596, 52, 55, 2, 108687)
#define A3 VANILLA(780, 884, 3669, 33, 280, 615, 44, 55, 1, 89281)
#define A4 VANILLA(735, 898, 3807, 42, 280, 615, 52, 57, 1, 86251)
#define B1 INLINE(1539, 3510, 27, 295, 641, 33, 54, 2, 98733)
#define B2 INLINE(1488, 3523, 33, 340, 583, 52, 65, 0, 85659)
#define B3 INLINE(1488, 3436, 32, 311, 659, 44, 73, 0, 104994)
#define B4 INLINE(1472, 3475, 27, 349, 640, 42, 64, 0, 103096)

static const char *const lkml[] = {A1 "|" A2 "|" A3 "|" A4, B1 "|" B2 "|" B3 "|" B4, NULL};
static const char *const mirrored[] = {B1 "|" B2 "|" B3 "|" B4, A1 "|" A2 "|" A3 "|" A4, NULL};
static const char *const enough_members[] = {"vm_enough_memory", "vm_acct_memory"};
static const struct pd_group enough = {"enough", enough_members, 2};
static const struct pd_compare_options grouped = {.groups = &enough, .n_groups = 1};

/* The table of STATS 5, as it is printed there. */
static const struct {
	const char *name, *ratio, *lo, *hi, *p, *q;
	enum pd_verdict verdict;
} table[] = {
	{"enough", "0.896", "0.855", "0.939", "0.00015", "0.0012", PD_VERDICT_IMPROVED},
	{"do_mmap_pgoff", "0.948", "0.913", "0.984", "0.0036", "0.0095", PD_VERDICT_IMPROVED},
	{"unmap_region", "1.218", "1.066", "1.393", "0.003", "0.0095", PD_VERDICT_REGRESSED},
	{"do_brk", "1.043", "0.981", "1.108", "0.17", "0.23", PD_VERDICT_UNCLEAR},
	{"expand_stack", "0.875", "0.676", "1.131", "0.3", "0.35", PD_VERDICT_UNCLEAR},
	{"exit_mmap", "0.859", "0.692", "1.066", "0.16", "0.23", PD_VERDICT_UNCLEAR},
	{"mprotect_fixup", "1.196", "0.989", "1.449", "0.065", "0.13", PD_VERDICT_UNCLEAR},
	{"poll_idle", "1.017", "0.871", "1.189", "0.79", "0.79", PD_VERDICT_UNCLEAR},
};

static void expect_fixed(const char *name, int decimals, double have, const char *want)
{
	char text[40];

	(void)snprintf(text, sizeof(text), "%.*f", decimals, have);
	ut_assert_text(name, text, want);
}

static void expect_digits(const char *name, int digits, double have, const char *want)
{
	char text[40];

	(void)snprintf(text, sizeof(text), "%.*g", digits, have);
	ut_assert_text(name, text, want);
}

static void test_field_data(void **state)
{
	struct pd_comparison *c = compare(lkml, &grouped);

	(void)state;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct pd_change *change = change_of(c, table[i].name);

		expect_fixed(table[i].name, 3, change->ratio, table[i].ratio);
		expect_fixed(table[i].name, 3, change->ratio_lo, table[i].lo);
		expect_fixed(table[i].name, 3, change->ratio_hi, table[i].hi);
		expect_digits(table[i].name, 2, change->p, table[i].p);
		expect_digits(table[i].name, 2, change->q, table[i].q);
		assert_int_equal(change->verdict, table[i].verdict);
	}
	assert_int_equal(change_of(c, "do_mremap")->verdict, PD_VERDICT_FEW);
	ut_assert_same(change_of(c, "do_mremap")->q, PD_UNKNOWN);
	expect_fixed("enough", 0, change_of(c, "enough")->delta_lo, "-248");
	expect_fixed("enough", 0, change_of(c, "enough")->delta_hi, "-100");
	expect_untested(change_of(c, "vm_enough_memory")); /* members of the group */
	expect_untested(change_of(c, "vm_acct_memory"));
	assert_int_equal(c->mode, PD_STATS_REPLICATES);
	assert_int_equal(c->n_tested, 8);
	assert_int_equal(c->n_flagged, 3);
	pd_comparison_free(c);
	c = compare(lkml, NULL);
	assert_int_equal(change_of(c, "vm_enough_memory")->verdict, PD_VERDICT_REGRESSED);
	assert_int_equal(change_of(c, "vm_acct_memory")->verdict, PD_VERDICT_IMPROVED);
	assert_int_equal(c->n_tested, 9);
	pd_comparison_free(c);
}

static void test_mirror(void **state)
{
	struct pd_comparison *c = compare(lkml, &grouped), *back = compare(mirrored, &grouped);

	(void)state;
	assert_int_equal(back->n_flagged, 3);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct pd_change *to = change_of(c, table[i].name);
		const struct pd_change *from = change_of(back, table[i].name);
		enum pd_verdict want = to->verdict;

		if (want == PD_VERDICT_IMPROVED)
			want = PD_VERDICT_REGRESSED;
		else if (want == PD_VERDICT_REGRESSED)
			want = PD_VERDICT_IMPROVED;
		assert_int_equal(from->verdict, want);
		ut_assert_same(from->z, -to->z);
		ut_assert_same(from->p, to->p);
		ut_assert_same(from->q, to->q);
		ut_assert_same(from->delta, -to->delta);
		assert_true(fabs(from->ratio_lo * to->ratio_hi - 1) < 1e-9);
	}
	pd_comparison_free(c);
	pd_comparison_free(back);
}

/* STATS 5: with fewer runs, or of one build, nothing is flagged. */
static void test_nothing_to_see(void **state)
{
	static const char *const cases[][3] = {
		{A1 "|" A2 "|" A3 "|" A4, B1, NULL},
		{A1 "|" A2, B1 "|" B2, NULL},
		{A1 "|" A2 "|" A3 "|" A4, A1 "|" A2 "|" A3 "|" A4, NULL},
		{A1 "|" A4, A2 "|" A3, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_comparison *c = compare(cases[i], &grouped);

		if (c->n_flagged)
			fail_msg("case %zu: %u flagged", i, c->n_flagged);
		for (uint32_t k = 0; k < c->n_rows; k++)
			assert_false(pd_verdict_is_finding(c->rows[k].changes[1].verdict));
		assert_true(c->n_tested >= 8);
		if (!i)
			expect_fixed("4 v 1", 2, change_of(c, "enough")->q, "0.13");
		pd_comparison_free(c);
	}
}

enum { N_MANY = 120, MANY_LEN = 4000 };

/* 120 functions of 200 to 1390 ticks, and a little noise of each run; f7 is factor times that. */
static void make_run(char *text, int seed, double scale, double factor)
{
	struct ut_random random = {(uint64_t)(seed + 1) * 0x9e3779b97f4a7c15u};
	size_t len = (size_t)sprintf(text, "!t ticks");

	for (int i = 0; i < N_MANY; i++) {
		double mean = scale * (200 + 10 * i) * (i == 7 ? factor : 1);

		len += (size_t)snprintf(text + len, MANY_LEN - len, "; f%d %.0f", i,
					mean + ut_random_below(&random, 9) - 4.0);
	}
}

/* n runs, divided by "|". */
static char *make_side(int seed, int n, double scale, double factor)
{
	struct pd_buf side = {0};
	char run[MANY_LEN];

	for (int i = 0; i < n; i++) {
		make_run(run, seed + i, scale, factor);
		pd_buf_printf(&side, "%s%s", i ? "|" : "", run);
	}
	assert_false(side.failed);
	return side.ptr;
}

static struct pd_comparison *compare_many(int n_base, int n_next, double scale, double factor,
					  const struct pd_compare_options *options)
{
	char *base = make_side(1, n_base, 1, 1), *next = make_side(100, n_next, scale, factor);
	const char *const specs[] = {base, next, NULL};
	struct pd_comparison *c = compare(specs, options);

	free(base);
	free(next);
	return c;
}

static void test_one_run(void **state)
{
	struct pd_comparison *c = compare_many(1, 1, 1, 3, NULL);

	(void)state;
	assert_int_equal(c->mode, PD_STATS_SINGLE);
	assert_int_equal(c->n_flagged, 0);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_change *change = &c->rows[i].changes[1];
		bool is_f7 = !strcmp(pd_strtab_get(&c->strings, c->rows[i].name), "f7");

		assert_int_equal(change->verdict,
				 is_f7 ? PD_VERDICT_STANDOUT : PD_VERDICT_NONE);
		ut_assert_same(change->q, PD_UNKNOWN);
		ut_assert_same(change->ratio_lo, PD_UNKNOWN);
		/* two errors of counting alone */
		assert_true(fabs(change->sampling - 2 * sqrt(c->rows[i].runs[0] +
							     c->rows[i].runs[1])) < 1e-9);
	}
	pd_comparison_free(c);
}

static void test_question_mark(void **state)
{
	struct pd_comparison *c = compare_many(4, 1, 1, 3, NULL);

	(void)state;
	assert_int_equal(c->mode, PD_STATS_REPLICATES);
	assert_int_equal(change_of(c, "f7")->verdict, PD_VERDICT_REGRESSED_MAYBE);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		assert_int_not_equal(c->rows[i].changes[1].verdict, PD_VERDICT_REGRESSED);
		assert_int_not_equal(c->rows[i].changes[1].verdict, PD_VERDICT_IMPROVED);
	}
	pd_comparison_free(c);
	c = compare_many(1, 4, 1, 1. / 3, NULL);
	assert_int_equal(change_of(c, "f7")->verdict, PD_VERDICT_IMPROVED_MAYBE);
	pd_comparison_free(c);
}

static void test_alpha(void **state)
{
	struct pd_compare_options options = grouped;
	struct pd_comparison *c;

	(void)state;
	options.alpha = 0.005; /* between the q of .0012 and of .0095 */
	c = compare(lkml, &options);
	ut_assert_same(c->alpha, 0.005);
	assert_int_equal(c->n_flagged, 1);
	assert_int_equal(change_of(c, "enough")->verdict, PD_VERDICT_IMPROVED);
	assert_int_equal(change_of(c, "do_mmap_pgoff")->verdict, PD_VERDICT_UNCLEAR);
	ut_assert_same(change_of(c, "do_brk")->level, 0.995);
	expect_digits("q", 2, change_of(c, "do_mmap_pgoff")->q, "0.0095");
	pd_comparison_free(c);
	options.alpha = 0.001;
	c = compare(lkml, &options);
	assert_int_equal(c->n_flagged, 0);
	pd_comparison_free(c);
}

static void test_equiv(void **state)
{
	struct pd_compare_options options = grouped;
	struct pd_comparison *c;

	(void)state;
	options.equiv_ratio = 0.11; /* do_brk is within [.981, 1.108], poll_idle is not */
	c = compare(lkml, &options);
	ut_assert_same(c->equiv_ratio, 0.11);
	assert_int_equal(change_of(c, "do_brk")->verdict, PD_VERDICT_SAME);
	assert_int_equal(change_of(c, "poll_idle")->verdict, PD_VERDICT_UNCLEAR);
	assert_int_equal(change_of(c, "enough")->verdict, PD_VERDICT_IMPROVED);
	pd_comparison_free(c);
}

static void test_median(void **state)
{
	struct pd_compare_options options = {0};
	struct pd_comparison *c = compare_many(4, 4, 2, 1.5, &options);

	(void)state;
	assert_int_equal(c->n_flagged, N_MANY); /* everything is twice as much */
	pd_comparison_free(c);
	options.normalize = PD_NORMALIZE_MEDIAN;
	c = compare_many(4, 4, 2, 1.5, &options);
	assert_int_equal(c->n_flagged, 1);
	assert_int_equal(change_of(c, "f7")->verdict, PD_VERDICT_REGRESSED);
	assert_true(fabs(change_of(c, "f7")->ratio - 1.5) < 0.03);
	assert_true(fabs(change_of(c, "f8")->ratio - 1) < 0.03);
	for (int r = 0; r < 4; r++) {
		assert_true(fabs(c->events[0].scale[r] - sqrt(0.5)) < 0.01);
		assert_true(fabs(c->events[0].scale[4 + r] - sqrt(2)) < 0.02);
	}
	assert_false(c->events[0].has_fallen_back);
	pd_comparison_free(c);
	c = compare(lkml, &options); /* ten rows have no typical one */
	assert_true(c->events[0].has_fallen_back);
	ut_assert_same(c->events[0].scale[0], 1);
	pd_comparison_free(c);
}

static void test_per_and_work(void **state)
{
	static const double work[] = {10, 10, 10, 10, 20, 20, 20, 20};
	struct pd_compare_options options = {.work = work};
	struct pd_comparison *c = compare_many(4, 4, 2, 1.5, &options);

	(void)state;
	assert_int_equal(c->n_flagged, 1);
	assert_true(fabs(c->events[0].scale[0] - sqrt(0.5)) < 1e-12);
	assert_true(fabs(c->events[0].scale[7] - sqrt(2)) < 1e-12);
	pd_comparison_free(c);
	options.normalize = PD_NORMALIZE_PER;
	options.per = "request";
	c = compare_many(4, 4, 2, 1.5, &options);
	assert_string_equal(c->per, "request");
	assert_int_equal(c->n_flagged, 1);
	ut_assert_same(c->events[0].scale[0], 10);
	ut_assert_same(c->events[0].scale[7], 20);
	assert_true(fabs(row_of(c, "f0")->sides[0].value - 20) < 0.4);
	assert_true(fabs(row_of(c, "f0")->sides[1].value - 20) < 0.4);
	assert_true(fabs(row_of(c, "f7")->sides[1].value - 40.5) < 0.4);
	pd_comparison_free(c);
}

/* A filter leaves fewer tests, and changes no number but q. */
static void test_filter(void **state)
{
	struct pd_compare_options options = {.normalize = PD_NORMALIZE_MEDIAN};
	struct pd_comparison *all = compare_many(3, 3, 2, 1.5, &options), *some;

	(void)state;
	options.filter = "^f[0-9]$";
	some = compare_many(3, 3, 2, 1.5, &options);
	assert_int_equal(all->n_tested, N_MANY);
	assert_int_equal(some->n_tested, 10);
	for (uint32_t r = 0; r < 6; r++)
		ut_assert_same(some->events[0].scale[r], all->events[0].scale[r]);
	for (int i = 0; i < 10; i++) {
		char name[8];

		(void)snprintf(name, sizeof(name), "f%d", i);
		ut_assert_same(change_of(some, name)->z, change_of(all, name)->z);
		ut_assert_same(change_of(some, name)->p, change_of(all, name)->p);
	}
	assert_true(change_of(some, "f7")->q < change_of(all, "f7")->q);
	pd_comparison_free(all);
	pd_comparison_free(some);
}

static void test_cut_list(void **state)
{
	static const char *const specs[] = {
		"!t ticks 1000; a 400; b 300|!t ticks 1000; a 410; b 310",
		"!t ticks 1000; a 405|!t ticks 1000; a 395", NULL};
	struct pd_comparison *c = compare(specs, NULL);

	(void)state;
	assert_int_equal(c->n_tested, 1);
	assert_true(pd_is_known(change_of(c, "a")->q));
	expect_untested(change_of(c, "b"));
	ut_assert_same(change_of(c, "b")->delta, PD_UNKNOWN);
	pd_comparison_free(c);
}

/* Percents are no counts: Welch's test on logarithms. */
static void test_percent(void **state)
{
	static const char *const specs[] = {
		"!t percent; up 10; same 20|!t percent; up 10; same 22|"
		"!t percent; up 10.1; same 21",
		"!t percent; up 20; same 21|!t percent; up 20.2; same 20|"
		"!t percent; up 20; same 22",
		NULL};
	struct pd_comparison *c = compare(specs, NULL);
	/* the logarithms of both sides of up have the same deviation: df is 4 */
	double se = log(1.01) / sqrt(3) * sqrt(2. / 3), t = 2.7764451051977987;
	double shift = log(2);

	(void)state;
	assert_false(c->events[0].is_counted);
	assert_int_equal(c->n_tested, 2);
	assert_int_equal(c->n_flagged, 1);
	assert_int_equal(change_of(c, "up")->verdict, PD_VERDICT_REGRESSED);
	ut_assert_same(change_of(c, "up")->z, PD_UNKNOWN);
	assert_true(fabs(log(change_of(c, "up")->ratio_lo) - (shift - t * se)) < 1e-9);
	assert_true(fabs(log(change_of(c, "up")->ratio_hi) - (shift + t * se)) < 1e-9);
	assert_int_equal(change_of(c, "same")->verdict, PD_VERDICT_UNCLEAR);
	pd_comparison_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_field_data),   cmocka_unit_test(test_mirror),
		cmocka_unit_test(test_nothing_to_see), cmocka_unit_test(test_one_run),
		cmocka_unit_test(test_question_mark), cmocka_unit_test(test_alpha),
		cmocka_unit_test(test_equiv),	     cmocka_unit_test(test_median),
		cmocka_unit_test(test_per_and_work), cmocka_unit_test(test_filter),
		cmocka_unit_test(test_cut_list),     cmocka_unit_test(test_percent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
