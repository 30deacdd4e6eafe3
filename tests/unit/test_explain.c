/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explanations: which rows are which part, and that parts add up.
 */
#include "support.h"

#include "analysis/explain.h"

/* Sides of specs as in support.h, compared and explained. */
struct explained {
	struct ut_sides sides;
	struct pd_comparison *c;
	struct pd_explanation x;
};

static void explain(struct explained *e, const char *base, const char *next,
		    const struct pd_compare_options *options)
{
	const char *const specs[] = {base, next, NULL};
	struct pd_error err = {0};

	ut_sides_init(&e->sides, specs);
	e->c = ut_compare(&e->sides, options);
	if (pd_explain(e->c, 0, 1, &e->x, &err) != PD_OK)
		fail_msg("%s", err.msg);
}

static void done(struct explained *e)
{
	pd_explanation_done(&e->x);
	pd_comparison_free(e->c);
	ut_sides_done(&e->sides);
}

/* All parts as "kind name rows base next delta; ". */
static void check(const char *base, const char *next, const char *want)
{
	struct explained e = {0};
	struct pd_buf text = {0};
	double sum = 0;

	explain(&e, base, next, NULL);
	for (uint32_t i = 0; i < e.x.n_causes; i++) {
		const struct pd_cause *cause = &e.x.causes[i];

		pd_buf_printf(&text, "%s %s %u %g %g %g; ", pd_cause_kind_name(cause->kind),
			      cause->name, cause->n_rows, cause->base, cause->next, cause->delta);
		sum += cause->delta;
	}
	pd_buf_printf(&text, "%g", e.x.total.delta);
	ut_assert_text(base, text.ptr, want);
	assert_true(sum == e.x.total.delta);
	pd_buf_done(&text);
	done(&e);
}

static void parts(void **state)
{
	(void)state;
	check("f 10; g 20", "f 15; g 20", "function f 1 10 15 5; rest the rest 1 20 20 0; 5");
	/* Idle ones apart, and in no part of the others. */
	check("f 10; default_idle 100; poll_idle 7", "f 15; default_idle 50; poll_idle 8",
	      "idle idle 2 107 58 -49; function f 1 10 15 5; -44");
	/* Leftovers by name, those without cost not at all. */
	check("f 10; [unknown] 5; [unknown]@m 2", "f 10; [unknown] 9; [unknown]@m 1",
	      "leftover [unknown] 0 7 10 3; rest the rest 1 10 10 0; 3");
	/* What is below one in a hundred is no part of its own. */
	check("f 1000; g 10; h 5", "f 2000; g 15; h 5",
	      "function f 1 1000 2000 1000; rest the rest 2 15 20 5; 1005");
	/* Families count once. */
	check("f 10; f.cold 5", "f 12; f.cold 9", "function f 1 15 21 6; 6");
	check("f 5", "f 5", "rest the rest 1 5 5 0; 0");
}

/* Ten functions are named; modules have the others. */
static void modules(void **state)
{
	struct pd_buf base = {0}, next = {0};
	struct explained e = {0};
	const struct pd_cause *m, *n;

	(void)state;
	for (int i = 0; i < 10; i++) {
		pd_buf_printf(&base, "big%d@k 0;", i);
		pd_buf_printf(&next, "big%d@k %d;", i, 100 + i);
	}
	pd_buf_printf(&base, "a@m 0; b@m 0; c@n 9; d@k 1");
	pd_buf_printf(&next, "a@m 30; b@m 40; c@n 90; d@k 1");
	explain(&e, base.ptr, next.ptr, NULL);
	assert_int_equal(e.x.n_causes, 13);
	n = &e.x.causes[10];
	m = &e.x.causes[11];
	assert_int_equal(n->kind, PD_CAUSE_MODULE);
	ut_assert_text("module", n->name, "n");
	assert_true(n->delta == 81);
	ut_assert_text("module", m->name, "m");
	assert_true(m->n_rows == 2 && m->delta == 70);
	assert_int_equal(e.x.causes[12].kind, PD_CAUSE_REST);
	assert_int_equal(e.x.causes[12].n_rows, 1);
	done(&e);
	pd_buf_done(&base);
	pd_buf_done(&next);
}

/*
 * 100 faults at 10 each, then 50 at 12: by count -50 * 11, by cost +75 * 2; of runs
 * with other numbers the means.
 */
static void per_metric(void **state)
{
	static const double faults[] = {100, 50};
	struct pd_compare_options options = {
		.normalize = PD_NORMALIZE_PER, .per = "faults", .work = faults};
	const char *const specs[] = {"fault 1000; f 200", "fault 600; f 100", NULL};
	struct explained e = {0};
	struct pd_error err = {0};
	struct pd_diags diags;

	(void)state;
	pd_diags_init(&diags);
	ut_sides_init(&e.sides, specs);
	assert_int_equal(pd_compare(e.sides.inputs, 2, &options, &diags, &e.c, &err), PD_OK);
	assert_int_equal(pd_explain(e.c, 0, 1, &e.x, &err), PD_OK);
	assert_int_equal(e.x.split, PD_SPLIT_PER);
	assert_true(e.x.total.base == 1200 && e.x.total.next == 700 && e.x.total.delta == -500);
	ut_assert_text("name", e.x.causes[0].name, "fault");
	assert_true(e.x.causes[0].delta == -400);
	assert_true(e.x.causes[0].by_calls == -550 && e.x.causes[0].by_cost == 150);
	assert_true(e.x.causes[1].by_calls == -100 && e.x.causes[1].by_cost == 0);
	assert_true(e.x.total.by_calls == -650 && e.x.total.by_cost == 150);
	assert_true(e.x.total.unsplit == 0);
	done(&e);
	pd_diags_done(&diags);
}

/* Costs with all callees are no parts of a sum. */
static void inclusive(void **state)
{
	struct pd_compare_options options = {.is_inclusive = true};
	const char *const specs[] = {"f 10", "f 20", NULL};
	struct pd_error err = {0};
	struct pd_diags diags;
	struct explained e = {0};

	(void)state;
	pd_diags_init(&diags);
	ut_sides_init(&e.sides, specs);
	e.sides.runs[0][0]->weights[0].inclusive = 50;
	e.sides.runs[1][0]->weights[0].inclusive = 70;
	assert_int_equal(pd_compare(e.sides.inputs, 2, &options, &diags, &e.c, &err), PD_OK);
	assert_int_equal(pd_explain(e.c, 0, 1, &e.x, &err), PD_OK);
	assert_false(e.x.has_total);
	assert_int_equal(e.x.n_causes, 1);
	assert_true(e.x.causes[0].delta == 20);
	done(&e);
	pd_diags_done(&diags);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parts),
		cmocka_unit_test(modules),
		cmocka_unit_test(per_metric),
		cmocka_unit_test(inclusive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
