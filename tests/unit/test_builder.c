/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The builder: what is told to it in any order becomes profiles whose numbers
 * add up. Profiles are compared whole, as text:
 *
 *   = EVENT UNIT TOTAL [cut]
 *   NAME[@MODULE] SELF[/INCLUSIVE][#SAMPLES] for every event; leftovers behind "- "
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "model/builder.h"

static const struct pd_limits limits = PD_LIMITS_DEFAULT;
static const struct pd_span none = {"", 0};

static void dump_number(struct pd_buf *b, const char *mark, double x)
{
	if (pd_is_known(x))
		pd_buf_printf(b, "%s%.10g", mark, x);
	else if (!*mark)
		pd_buf_add_char(b, '?');
}

static char *dump(const struct pd_profile *p)
{
	struct pd_buf b = {0};

	for (uint32_t e = 0; e < p->n_events; e++) {
		pd_buf_printf(&b, "= %s %s ", pd_strtab_get(&p->strings, p->events[e].name),
			      pd_unit_name(p->events[e].unit));
		dump_number(&b, "", p->events[e].total);
		pd_buf_add_str(&b, p->events[e].is_cut ? " cut\n" : "\n");
	}
	for (uint32_t f = 0; f < p->n_funcs; f++) {
		const struct pd_func *func = &p->funcs[f];

		pd_buf_printf(&b, "%s%s%s%s", func->flags & PD_FUNC_LEFTOVER ? "- " : "",
			      pd_strtab_get(&p->strings, func->name), func->module.id ? "@" : "",
			      pd_strtab_get(&p->strings, func->module));
		for (uint32_t e = 0; e < p->n_events; e++) {
			const struct pd_weight *w = pd_profile_weight(p, f, e);

			pd_buf_add_char(&b, ' ');
			dump_number(&b, "", w->self);
			dump_number(&b, "/", w->inclusive);
			dump_number(&b, "#", w->n_samples);
		}
		pd_buf_add_char(&b, '\n');
	}
	return b.ptr;
}

static void assert_profile(const struct pd_profile *p, const char *want)
{
	char *have = dump(p);

	ut_assert_text(p->path, have, want);
	free(have);
}

/* A builder with a run that has an event. */
static struct pd_builder *new_builder(struct pd_diags *diags)
{
	struct pd_builder *b = pd_builder_new("in.txt", "test", &limits, diags);

	assert_non_null(b);
	assert_int_equal(pd_builder_run(b, none), 0);
	assert_int_equal(pd_builder_event(b, 0, pd_span_of("cycles"), PD_UNIT_SAMPLES), 0);
	return b;
}

static struct pd_profiles finish(struct pd_builder *b)
{
	struct pd_profiles ps = {0};
	struct pd_error err = {0};

	if (pd_builder_finish(b, &ps, &err) != PD_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(err.code, PD_OK);
	pd_builder_free(b);
	return ps;
}

static uint32_t func(struct pd_builder *b, const char *name, const char *module)
{
	return pd_builder_func(b, pd_span_of(name), pd_span_of(module));
}

static void test_sums(void **state)
{
	struct pd_builder *b = new_builder(NULL);
	uint32_t event = pd_builder_event(b, 0, pd_span_of("faults"), PD_UNIT_EVENTS);
	uint32_t run = pd_builder_run(b, pd_span_of("two")), foo, bar, foo_m, left;
	struct pd_profiles ps;

	(void)state;
	assert_int_equal(event, 1);
	assert_int_equal(run, 1);
	assert_int_equal(pd_builder_n_runs(b), 2);
	assert_int_equal(pd_builder_event(b, 1, pd_span_of("cycles"), PD_UNIT_TICKS), 0);
	left = pd_builder_leftover(b, "bar", none);
	foo = func(b, "foo", "");
	bar = func(b, "bar", "");
	foo_m = func(b, "foo", "m");
	assert_int_equal(func(b, "foo", ""), foo);
	assert_int_equal(func(b, "foo", "m"), foo_m);
	assert_int_equal(func(b, "bar", ""), bar);
	assert_int_equal(pd_builder_leftover(b, "bar", none), left);
	assert_true(foo != bar && foo != foo_m && bar != left && foo_m != left);
	pd_builder_add_self(b, 0, 0, foo, 3);
	pd_builder_add_self(b, 0, 0, foo, 4.5);
	pd_builder_add_self(b, 0, 1, bar, 2);
	pd_builder_add_inclusive(b, 0, 0, bar, 6);
	pd_builder_add_inclusive(b, 0, 0, bar, 1);
	pd_builder_add_samples(b, 0, 1, foo, 2);
	pd_builder_add_samples(b, 0, 1, foo, 3);
	pd_builder_add_self(b, 0, 0, left, 5);
	pd_builder_add_self(b, 1, 0, foo_m, 0); /* 0 makes it listed */
	pd_builder_add_self(b, 1, 0, foo, -1);
	ps = finish(b);
	assert_int_equal(ps.n, 2);
	assert_profile(ps.items[0], "= cycles samples ?\n= faults events ?\n"
				    "foo 7.5 ?#5\nbar ?/7 2\n- bar 5 ?\n");
	assert_profile(ps.items[1], "= cycles ticks ?\nfoo -1\nfoo@m 0\n");
	pd_profiles_done(&ps);
	assert_int_equal(ps.n, 0);
}

static void test_totals(void **state)
{
	static const struct {
		double costs[3], total, slack, quantum; /* total 0: complete; NaN: none */
		const char *want;
		int n_diags;
	} cases[] = {
		{{10, 20}, PD_UNKNOWN, 0, 0, "= cycles samples ?\na 10\nb 20\n", 0},
		{{10, 20}, 0, 0, 0, "= cycles samples 30\na 10\nb 20\n", 0},
		{{10, 20}, 100, 0, 0, "= cycles samples 100 cut\na 10\nb 20\n- [unlisted] 70\n", 0},
		{{10, 20}, 30, 0, 0, "= cycles samples 30\na 10\nb 20\n", 0},
		{{10, 20}, 30 + 1e-8, 0, 0, "= cycles samples 30.00000001\na 10\nb 20\n", 0},
		{{10, 20}, 31, 0, 0, "= cycles samples 31 cut\na 10\nb 20\n- [unlisted] 1\n", 0},
		{{10, 20}, 25, 0, 0, "= cycles samples 30\na 10\nb 20\n", 1},
		{{10, 20}, 25, 5, 0, "= cycles samples 25\na 10\nb 20\n- [unlisted] -5\n", 0},
		{{10, 20}, 25, 4.9, 0, "= cycles samples 30\na 10\nb 20\n", 1},
		{{10, 20}, 29.5, 0, 1,
		 "= cycles samples 29.5\na 10\nb 20\n- [unlisted] -0.5\n", 0},
		{{10, 20}, 24, 5, 1, "= cycles samples 24\na 10\nb 20\n- [unlisted] -6\n", 0},
		{{10, 20}, 31, 0, 1, "= cycles samples 31\na 10\nb 20\n- [unlisted] 1\n", 0},
		{{10, 20}, 32, 0, 1, "= cycles samples 32 cut\na 10\nb 20\n- [unlisted] 2\n", 0},
		{{33.33, 33.33, 33.33}, 100, 0, 0.01, "= cycles samples 100\na 33.33\nb 33.33\n"
		 "c 33.33\n- [unlisted] 0.01\n", 0},
		{{33.34, 33.34, 33.33}, 100, 0, 0.01, "= cycles samples 100\na 33.34\nb 33.34\n"
		 "c 33.33\n- [unlisted] -0.01\n", 0},
		{{33.34, 33.34, 33.34}, 100, 0, 0.01, "= cycles samples 100.02\na 33.34\n"
		 "b 33.34\nc 33.34\n", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		static const char *const names[] = {"a", "b", "c"};
		struct pd_diags diags = {0};
		struct pd_builder *b = new_builder(&diags);
		struct pd_profiles ps;

		if (cases[i].total == 0)
			pd_builder_set_complete(b, 0, 0);
		else
			pd_builder_set_total(b, 0, 0, cases[i].total);
		pd_builder_add_slack(b, 0, 0, cases[i].slack / 2);
		pd_builder_add_slack(b, 0, 0, cases[i].slack / 2);
		pd_builder_event_at(b, 0, 0)->quantum = cases[i].quantum;
		for (int k = 0; k < 3; k++)
			if (cases[i].costs[k] != 0)
				pd_builder_add_self(b, 0, 0, func(b, names[k], ""),
						    cases[i].costs[k]);
		ps = finish(b);
		assert_profile(ps.items[0], cases[i].want);
		assert_int_equal(diags.n, cases[i].n_diags);
		if (diags.n)
			assert_string_equal(diags.items[0].kind, "excess");
		pd_diags_done(&diags);
		pd_profiles_done(&ps);
	}
}

static void test_excess_is_told(void **state)
{
	struct pd_diags diags = {0};
	struct pd_builder *b = pd_builder_new("in.txt", "test", &limits, &diags);
	struct pd_profiles ps;

	(void)state;
	for (uint32_t r = 0; r < 2; r++) {
		(void)pd_builder_run(b, pd_span_of(r ? "2.6.1" : ""));
		(void)pd_builder_event(b, r, pd_span_of("ticks"), PD_UNIT_TICKS);
		pd_builder_set_total(b, r, 0, 10);
		pd_builder_add_self(b, r, 0, func(b, "f", ""), 10.5 + r);
	}
	ps = finish(b);
	assert_int_equal(diags.n, 2);
	assert_int_equal(diags.items[0].severity, PD_WARNING);
	assert_string_equal(diags.items[0].path, "in.txt");
	assert_string_equal(diags.items[0].text, "rows add up to 10.5, more than the printed total "
						 "10; total is their sum");
	assert_string_equal(diags.items[1].text, "2.6.1: rows add up to 11.5, more than the "
						 "printed total 10; total is their sum");
	pd_diags_done(&diags);
	pd_profiles_done(&ps);
}

/* Leftovers count as rows do; each event has its own rest. */
static void test_totals_of_events(void **state)
{
	struct pd_builder *b = new_builder(NULL);
	struct pd_profiles ps;
	uint32_t unknown, f;

	(void)state;
	(void)pd_builder_event(b, 0, pd_span_of("faults"), PD_UNIT_EVENTS);
	(void)pd_builder_event(b, 0, pd_span_of("misses"), PD_UNIT_EVENTS);
	unknown = pd_builder_leftover(b, "[unknown]", pd_span_of("m"));
	f = func(b, "f", "m");
	pd_builder_set_total(b, 0, 0, 20);
	pd_builder_set_complete(b, 0, 1);
	pd_builder_set_total(b, 0, 2, 8);
	pd_builder_add_self(b, 0, 0, f, 7);
	pd_builder_add_self(b, 0, 0, unknown, 3);
	pd_builder_add_self(b, 0, 1, unknown, 4);
	pd_builder_add_inclusive(b, 0, 1, f, 4); /* complete: it has no cost of its own */
	pd_builder_add_inclusive(b, 0, 2, f, 4); /* not complete: that is unknown */
	ps = finish(b);
	assert_profile(ps.items[0], "= cycles samples 20 cut\n= faults events 4\n"
				    "= misses events 8 cut\n"
				    "f@m 7 0/4 ?/4\n"
				    "- [unknown]@m 3 4 ?\n"
				    "- [unlisted] 10 ? 8\n");
	pd_profiles_done(&ps);
}

static void test_what_a_run_says(void **state)
{
	struct pd_builder *b = pd_builder_new("in.txt", "test", &limits, NULL);
	struct pd_profiles ps;
	char kernel[] = "6.1.0";

	(void)state;
	(void)pd_builder_run(b, pd_span_of("left"));
	(void)pd_builder_run(b, none);
	for (uint32_t r = 0; r < 2; r++) {
		(void)pd_builder_event(b, r, pd_span_of("cycles"), PD_UNIT_SAMPLES);
		pd_builder_add_self(b, r, 0, func(b, "f", ""), 1);
	}
	pd_builder_event_at(b, 0, 0)->n_lost = 3;
	pd_builder_event_at(b, 0, 0)->period = 1000;
	pd_builder_set_kernel(b, 0, pd_span_of(kernel));
	pd_builder_set_command(b, 0, pd_span_of("make -j"));
	kernel[0] = 'x'; /* the span was copied */
	assert_null(pd_builder_event_at(b, 0, 1));
	assert_null(pd_builder_event_at(b, 2, 0));
	ps = finish(b);
	assert_int_equal(ps.n, 2);
	assert_string_equal(ps.items[0]->path, "in.txt");
	assert_string_equal(ps.items[0]->format, "test");
	assert_string_equal(ps.items[0]->section, "left");
	assert_string_equal(ps.items[0]->kernel, "6.1.0");
	assert_string_equal(ps.items[0]->command, "make -j");
	assert_null(ps.items[0]->cpu);
	ut_assert_same(ps.items[0]->duration_ns, PD_UNKNOWN);
	ut_assert_same(ps.items[0]->events[0].n_lost, 3);
	ut_assert_same(ps.items[0]->events[0].period, 1000);
	ut_assert_same(ps.items[0]->events[0].n_samples, PD_UNKNOWN);
	ut_assert_same(ps.items[0]->events[0].frequency_hz, PD_UNKNOWN);
	assert_false(ps.items[0]->holds_deltas);
	assert_null(ps.items[1]->section);
	assert_null(ps.items[1]->kernel);
	assert_null(ps.items[1]->command);
	ut_assert_same(ps.items[1]->events[0].n_lost, PD_UNKNOWN);
	pd_profiles_done(&ps);
}

static void test_empty(void **state)
{
	struct pd_profiles ps = {0};
	struct pd_error err = {0};
	struct pd_builder *b = pd_builder_new("in.txt", "test", &limits, NULL);

	(void)state;
	assert_int_equal(pd_builder_finish(b, &ps, &err), PD_ERR_EMPTY);
	assert_int_equal(err.code, PD_ERR_EMPTY);
	pd_builder_free(b);

	/* A function that no run lists, and a total alone, are no profile. */
	b = new_builder(NULL);
	(void)func(b, "f", "");
	pd_builder_set_total(b, 0, 0, 100);
	assert_int_equal(pd_builder_finish(b, &ps, NULL), PD_ERR_EMPTY);
	pd_builder_free(b);
	assert_null(ps.items);
	pd_builder_free(NULL);

	/* Runs without cost are dropped, the others stay. */
	b = new_builder(NULL);
	(void)pd_builder_run(b, pd_span_of("full"));
	(void)pd_builder_event(b, 1, pd_span_of("cycles"), PD_UNIT_SAMPLES);
	(void)pd_builder_run(b, pd_span_of("no event"));
	pd_builder_add_self(b, 1, 0, func(b, "f", ""), 1);
	ps = finish(b);
	assert_int_equal(ps.n, 1);
	assert_string_equal(ps.items[0]->section, "full");
	pd_profiles_done(&ps);
}

/* Ids that do not exist are what is left after a failure: they do nothing. */
static void test_ids_that_do_not_exist(void **state)
{
	struct pd_builder *b = new_builder(NULL);
	struct pd_profiles ps;
	uint32_t f = func(b, "f", "");

	(void)state;
	pd_builder_add_self(b, 0, 0, f, 1);
	pd_builder_add_self(b, 1, 0, f, 1);
	pd_builder_add_self(b, 0, 1, f, 1);
	pd_builder_add_self(b, 0, 0, f + 1, 1);
	pd_builder_add_inclusive(b, 7, 0, f, 1);
	pd_builder_add_samples(b, 0, 7, f, 1);
	pd_builder_set_total(b, 0, 1, 5);
	pd_builder_set_complete(b, 1, 0);
	pd_builder_add_slack(b, 1, 0, 5);
	pd_builder_set_kernel(b, 1, pd_span_of("k"));
	pd_builder_set_command(b, 1, pd_span_of("k"));
	(void)pd_builder_event(b, 1, pd_span_of("e"), PD_UNIT_NS);
	ps = finish(b);
	assert_int_equal(ps.n, 1);
	assert_profile(ps.items[0], "= cycles samples ?\nf 1\n");
	pd_profiles_done(&ps);
}

static void test_limits(void **state)
{
	struct pd_limits few = PD_LIMITS_DEFAULT;
	struct pd_profiles ps = {0};
	struct pd_error err = {0};
	struct pd_builder *b;

	(void)state;
	few.n_functions = 2;
	few.n_profiles = 1;
	b = pd_builder_new("in.txt", "test", &few, NULL);
	(void)pd_builder_run(b, none);
	(void)pd_builder_event(b, 0, pd_span_of("e"), PD_UNIT_SAMPLES);
	pd_builder_add_self(b, 0, 0, func(b, "a", ""), 1);
	pd_builder_add_self(b, 0, 0, func(b, "b", ""), 1);
	pd_builder_add_self(b, 0, 0, func(b, "a", ""), 1);
	assert_false(pd_builder_is_failed(b));
	pd_builder_add_self(b, 0, 0, func(b, "c", ""), 1);
	assert_true(pd_builder_is_failed(b));
	assert_int_equal(pd_builder_finish(b, &ps, &err), PD_ERR_LIMIT);
	assert_string_equal(err.msg, "more than 2 functions; --max-functions raises this limit");
	assert_null(ps.items);
	pd_builder_free(b);

	err = (struct pd_error){0};
	b = pd_builder_new("in.txt", "test", &few, NULL);
	(void)pd_builder_run(b, none);
	(void)pd_builder_event(b, 0, pd_span_of("e"), PD_UNIT_SAMPLES);
	pd_builder_add_self(b, 0, 0, func(b, "a", ""), 1);
	assert_false(pd_builder_is_failed(b));
	(void)pd_builder_run(b, none);
	assert_true(pd_builder_is_failed(b));
	assert_int_equal(pd_builder_finish(b, &ps, &err), PD_ERR_LIMIT);
	assert_string_equal(err.msg, "more than 1 profiles in one input");
	pd_builder_free(b);
}

/* Enough functions that every array and table grows, some with modules. */
static void test_growth(void **state)
{
	enum { N = 5000 };
	struct pd_builder *b = new_builder(NULL);
	struct pd_profiles ps;

	(void)state;
	for (uint32_t round = 0; round < 2; round++)
		for (uint32_t i = 0; i < N; i++) {
			char name[32];
			uint32_t id;

			(void)snprintf(name, sizeof(name), "f%u", i / 2);
			id = func(b, name, i % 2 ? "module" : "");
			assert_int_equal(id, i);
			pd_builder_add_self(b, 0, 0, id, i);
		}
	pd_builder_set_complete(b, 0, 0);
	ps = finish(b);
	assert_int_equal(ps.items[0]->n_funcs, N);
	ut_assert_same(ps.items[0]->events[0].total, (double)N * (N - 1));
	for (uint32_t i = 0; i < N; i++) {
		char name[32];

		(void)snprintf(name, sizeof(name), "f%u", i / 2);
		assert_string_equal(pd_strtab_get(&ps.items[0]->strings,
						  ps.items[0]->funcs[i].name), name);
		ut_assert_same(pd_profile_weight(ps.items[0], i, 0)->self, 2.0 * i);
	}
	pd_profiles_done(&ps);
}

static void test_metrics(void **state)
{
	struct pd_builder *b = pd_builder_new("in.txt", "test", &limits, NULL);
	struct pd_span time = pd_span_of("time"), ns = pd_span_of("ns"), big = pd_span_of("big");
	const struct pd_metric *m;
	struct pd_profiles ps;
	uint32_t metric;

	(void)state;
	(void)pd_builder_run(b, none);
	(void)pd_builder_run(b, pd_span_of("nothing"));
	for (int i = 0; i < 9; i++)
		pd_builder_add_metric(b, 0, time, ns, PD_BETTER_LOWER, i);
	metric = pd_builder_metric(b, 0, big, time, none, PD_BETTER_HIGHER);
	assert_int_equal(metric, 1);
	pd_builder_add_part(b, 0, metric, 2);
	pd_builder_add_part(b, 0, metric, 3);
	pd_builder_set_summary(b, 0, metric, 0.5, 4);
	assert_int_equal(pd_builder_metric(b, 0, none, big, none, PD_BETTER_UNKNOWN), 2);
	assert_true(pd_builder_has_metric(b, 0, big, time));
	assert_false(pd_builder_has_metric(b, 0, big, big));
	assert_false(pd_builder_has_metric(b, 1, big, time));
	assert_false(pd_builder_has_metric(b, 7, big, time));
	/* There is no such run or metric: nothing happens. */
	pd_builder_add_metric(b, 7, time, ns, PD_BETTER_LOWER, 1);
	pd_builder_add_value(b, 0, 7, 1);
	pd_builder_add_part(b, 0, 7, 1);
	pd_builder_set_summary(b, 1, 0, 1, 1);
	ps = finish(b);
	/* A run of metrics alone stays, one of nothing goes. */
	assert_int_equal(ps.n, 1);
	assert_int_equal(ps.items[0]->n_metrics, 3);
	m = ps.items[0]->metrics;
	assert_int_equal(m[0].n_values, 9);
	for (uint32_t i = 0; i < 9; i++)
		ut_assert_same(m[0].values[i], i);
	assert_string_equal(pd_strtab_get(&ps.items[0]->strings, m[0].unit), "ns");
	assert_string_equal(pd_better_name(m[0].better), "lower");
	ut_assert_same(m[0].sd, PD_UNKNOWN);
	ut_assert_same(m[0].n_summarized, PD_UNKNOWN);
	assert_int_equal(m[1].n_values, 1);
	ut_assert_same(m[1].values[0], 5);
	ut_assert_same(m[1].sd, 0.5);
	ut_assert_same(m[1].n_summarized, 4);
	assert_string_equal(pd_strtab_get(&ps.items[0]->strings, m[1].group), "big");
	assert_string_equal(pd_better_name(m[1].better), "higher");
	assert_int_equal(m[2].n_values, 0);
	assert_null(pd_better_name(m[2].better));
	pd_profiles_done(&ps);
}

/* "Nothing ran" is a result, "nothing was found" is not. */
static void test_kept_empty(void **state)
{
	struct pd_builder *b = pd_builder_new("in", "test", &limits, NULL);
	uint32_t empty = pd_builder_run(b, none), dropped = pd_builder_run(b, none);
	struct pd_profiles ps = {0};

	(void)state;
	(void)pd_builder_event(b, dropped, pd_span_of("e"), PD_UNIT_NS);
	pd_builder_set_total(b, empty, pd_builder_event(b, empty, pd_span_of("f"), PD_UNIT_NS), 0);
	pd_builder_keep_empty(b, empty);
	pd_builder_keep_empty(b, 99);
	assert_int_equal(pd_builder_finish(b, &ps, NULL), PD_OK);
	assert_int_equal(ps.n, 1);
	assert_int_equal(ps.items[0]->n_funcs, 0);
	assert_int_equal(ps.items[0]->n_events, 1);
	assert_true(ps.items[0]->events[0].total == 0);
	pd_profiles_done(&ps);
	pd_builder_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_excess_is_told),
		cmocka_unit_test(test_totals_of_events),
		cmocka_unit_test(test_what_a_run_says),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_ids_that_do_not_exist),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_metrics),
		cmocka_unit_test(test_kept_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
