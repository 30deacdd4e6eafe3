/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons of samples that have weights (STATS 4.14), of inclusive costs, and
 * of chosen events, functions and modules.
 */
#include "support.h"

#include <stdio.h>

#include "analysis/events.h"

/*
 * Compare two sides of one run; what is counted is multiplied by cost a sample on
 * each side, and every sample of a row costs the same.
 */
static struct pd_comparison *compare(const char *base, const char *next, const double *costs,
				     const struct pd_compare_options *options)
{
	const char *const specs[] = {base, next, NULL};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct ut_sides sides;

	ut_sides_init(&sides, specs);
	for (uint32_t s = 0; s < 2; s++) {
		struct pd_profile *p = sides.runs[s][0];

		for (uint32_t i = 0; i < p->n_funcs * p->n_events && costs; i++) {
			struct pd_weight *w = &p->weights[i];

			w->n_samples = w->self;
			w->sum_sq = w->self * costs[s] * costs[s];
			w->self *= costs[s];
		}
		for (uint32_t e = 0; e < p->n_events && costs; e++)
			p->events[e].total *= costs[s];
	}
	if (pd_compare(sides.inputs, 2, options, NULL, &c, &err) != PD_OK)
		fail_msg("%s", err.msg);
	ut_sides_done(&sides);
	return c;
}

static const struct pd_row *row_of(const struct pd_comparison *c, const char *name)
{
	for (uint32_t i = 0; i < c->n_rows; i++)
		if (!strcmp(pd_strtab_get(&c->strings, c->rows[i].name), name))
			return &c->rows[i];
	return NULL;
}

/* 100 samples of 10 and 100 of 40: a tick is (100*100 + 100*1600) / (1000 + 4000) = 34. */
static void test_tick(void **state)
{
	const struct pd_compare_options options = {0};
	const double costs[2] = {10, 40};
	struct pd_comparison *c = compare("!clock ns; f 60; g 40", "!clock ns; f 30; g 70", costs,
					  &options);

	(void)state;
	assert_true(c->events[0].is_weighted);
	assert_true(c->events[0].is_counted);
	ut_assert_same(c->events[0].tick, 34);
	ut_assert_same(row_of(c, "f")->sides[0].value, 600);
	ut_assert_same(row_of(c, "f")->sides[1].value, 1200);
	pd_comparison_free(c);
}

/* With one fixed period it is as if samples had been counted. */
static void test_fixed_period(void **state)
{
	const char *base = "f 300; g 200; h 45", *next = "f 240; g 260; h 40";
	const struct pd_compare_options options = {0};
	const double costs[2] = {1000, 1000};
	struct pd_comparison *weighted = compare(base, next, costs, &options);
	struct pd_comparison *counted = compare(base, next, NULL, &options);
	static const char *const names[] = {"f", "g", "h"};

	(void)state;
	ut_assert_same(weighted->events[0].tick, 1000);
	ut_assert_same(counted->events[0].tick, 1);
	assert_false(counted->events[0].is_weighted);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct pd_change *w = &row_of(weighted, names[i])->changes[1];
		const struct pd_change *n = &row_of(counted, names[i])->changes[1];

		assert_int_equal(w->verdict, n->verdict);
		assert_true(fabs(w->z - n->z) < 1e-9);
		assert_true(fabs(w->sampling - 1000 * n->sampling) < 1e-6);
	}
	pd_comparison_free(weighted);
	pd_comparison_free(counted);
}

/* Inclusive costs of main and what it calls; the totals are those of the samples. */
static void test_inclusive(void **state)
{
	const struct pd_compare_options options = {.is_inclusive = true};
	const char *const specs[] = {"main 10; work 90; [unknown] 5", "main 10; work 50", NULL};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	/* Without inclusive costs there is nothing to compare. */
	assert_int_equal(pd_compare(sides.inputs, 2, &options, NULL, &c, &err), PD_ERR_MISMATCH);
	for (uint32_t s = 0; s < 2; s++) {
		struct pd_profile *p = sides.runs[s][0];

		for (uint32_t i = 0; i < p->n_funcs; i++)
			if (!(p->funcs[i].flags & PD_FUNC_LEFTOVER))
				p->weights[i].inclusive = i ? p->weights[i].self
							    : 10 + p->weights[1].self;
	}
	err = (struct pd_error){0};
	assert_int_equal(pd_compare(sides.inputs, 2, &options, NULL, &c, &err), PD_OK);
	ut_assert_same(row_of(c, "main")->sides[0].value, 100);
	ut_assert_same(row_of(c, "main")->sides[1].value, 60);
	ut_assert_same(row_of(c, "work")->changes[1].delta, -40);
	ut_assert_same(c->events[0].sides[0].value, 105);
	ut_assert_same(c->events[0].sides[1].value, 60);
	assert_int_equal(c->n_leftovers, 0);
	pd_comparison_free(c);
	ut_sides_done(&sides);
}

/* -S and -d: modules in any spelling; what is not chosen is a leftover. */
static void test_choice(void **state)
{
	static const char *const symbols[] = {"foo", "bar"}, *const modules[] = {"[ext4]"};
	const struct pd_compare_options options = {.symbols = symbols, .n_symbols = 2,
						   .modules = modules, .n_modules = 1};
	const char *spec = "foo@ext4 10; bar@vmlinux 20; baz@ext4 40";
	struct pd_comparison *c = compare(spec, spec, NULL, &options);

	(void)state;
	assert_int_equal(c->n_rows, 1);
	assert_non_null(row_of(c, "foo"));
	assert_int_equal(c->n_leftovers, 1);
	assert_string_equal(pd_strtab_get(&c->strings, c->leftovers[0].name), "[filtered]");
	ut_assert_same(c->leftovers[0].sides[0].value, 60);
	pd_comparison_free(c);
}

static void test_bare_names(void **state)
{
	static const char *const names[][2] = {
		{"cycles", "cycles"},
		{"cycles:ppp", "cycles"},
		{"kmem:kfree", "kmem:kfree"},
		{"cpu-clock/freq=499/", "cpu-clock"},
		{"cpu-clock/period=20,call-graph=fp/uH", "cpu-clock"},
		{"cpu/event=0x3c/", "cpu/event=0x3c/"},
		{"cpu/event=0x3c,freq=99/", "cpu/event=0x3c,freq=99/"},
		{"/freq=1/", "/freq=1/"},
		{"a/b", "a/b"},
		{"a/freq=1/z", "a/freq=1/z"},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct pd_span s = pd_event_bare_name(pd_span_of(names[i][0]));

		if (!pd_span_eq(s, names[i][1]))
			fail_msg("%s: %.*s", names[i][0], PD_SPAN_ARG(s));
	}
}

static void test_keep(void **state)
{
	static const char *const wanted[] = {"faults", "instr"}, *const none[] = {"branches"};
	struct pd_profile *p = ut_profile("p", "!cycles:P events; f 1; g 2; !instr:u events; f 10; "
					       "g 20; !faults events; f 100; g 200");
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_events_keep(p, none, 1, &err), PD_ERR_USAGE);
	assert_non_null(strstr(err.msg, "cycles:P, instr:u, faults"));
	assert_int_equal(p->n_events, 3);
	err = (struct pd_error){0};
	assert_int_equal(pd_events_keep(p, wanted, 2, &err), PD_OK);
	assert_int_equal(p->n_events, 2);
	assert_string_equal(pd_strtab_get(&p->strings, p->events[0].name), "instr:u");
	ut_assert_same(pd_profile_weight(p, 0, 0)->self, 10);
	ut_assert_same(pd_profile_weight(p, 0, 1)->self, 100);
	ut_assert_same(pd_profile_weight(p, 1, 0)->self, 20);
	ut_assert_same(pd_profile_weight(p, 1, 1)->self, 200);
	pd_profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tick),      cmocka_unit_test(test_fixed_period),
		cmocka_unit_test(test_inclusive), cmocka_unit_test(test_choice),
		cmocka_unit_test(test_bare_names), cmocka_unit_test(test_keep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
