/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Order and choice of rows. An order is compared whole, as text: names in
 * order, hidden ones in parentheses, "..." where rows were left out, members
 * behind a "+"; then the numbers of rows that are empty, small, and between.
 */
#include "support.h"

#include <stdlib.h>

#include "report/order.h"

static char *dump(const struct pd_comparison *c, const struct pd_order *o)
{
	struct pd_buf b = {0};

	for (uint32_t i = 0; i < o->n; i++) {
		const struct pd_order_item *item = &o->items[i];
		const struct pd_row *row = &c->rows[item->row];
		const char *name = pd_strtab_get(&c->strings, row->name);

		pd_buf_printf(&b, "%s%s", item->is_after_break ? "... " : "",
			      row->group == PD_NO_ROW ? "" : "+");
		pd_buf_printf(&b, item->is_hidden ? "(%s) " : "%s ", name);
	}
	pd_buf_printf(&b, "| %u %u %u", o->n_empty, o->n_small, o->n_middle);
	return b.ptr;
}

static void check(const char *const *specs, uint32_t event, struct pd_view_options options,
		  const char *want)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_error err = {0};
	struct pd_order order = {0};
	struct pd_comparison *c;
	struct ut_sides sides;
	char *have;

	ut_sides_init(&sides, specs);
	c = ut_compare(&sides, NULL);
	ut_sides_done(&sides);
	assert_int_equal(pd_order_make(d, c, event, &options, &order, &err), PD_OK);
	have = dump(c, &order);
	ut_assert_text(options.sort ? options.sort : "no sort", have, want);
	free(have);
	pd_comparison_free(c);
	pd_document_free(d);
}

/* Deltas +50 a, -40 b, +10 c, -1 d, 0 e, and f without cost. */
static const char *const two[] = {"a 10; b 45; c 100; d 2; e 7; f 0",
				  "a 60; b 5; c 110; d 1; e 7; f 0", NULL};

static void test_sort_keys(void **state)
{
	static const struct {
		const char *sort, *want;
	} cases[] = {
		{NULL, "a b c d e (f) | 1 0 0"},
		{"delta-abs", "a b c d e (f) | 1 0 0"},
		{"-delta-abs", "e (f) d c b a | 1 0 0"},
		{"delta", "a c e (f) d b | 1 0 0"},
		{"-delta", "b d e (f) c a | 1 0 0"},
		{"base", "c b a e d (f) | 1 0 0"},
		{"-base", "(f) d e a b c | 1 0 0"},
		{"next", "c a e b d (f) | 1 0 0"},
		{"change", "a c e d b (f) | 1 0 0"},
		{"function", "a b c d e (f) | 1 0 0"},
		{"-function", "(f) e d c b a | 1 0 0"},
		{"module,function", "a b c d e (f) | 1 0 0"},
		{"module,-function", "(f) e d c b a | 1 0 0"},
		{"sd,base", "c b a e d (f) | 1 0 0"},
		{"delta,", "a c e (f) d b | 1 0 0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(two, 0, (struct pd_view_options){.sort = cases[i].sort}, cases[i].want);
}

static void test_unknown_numbers_come_last(void **state)
{
	static const char *const cut[] = {"!cycles samples 100; a 60; b 30", "a 50; c 90; b 31",
					  NULL};

	(void)state;
	check(cut, 0, (struct pd_view_options){0}, "a b c | 0 0 0");
	check(cut, 0, (struct pd_view_options){.sort = "delta"}, "b a c | 0 0 0");
	check(cut, 0, (struct pd_view_options){.sort = "base"}, "a b c | 0 0 0");
	check(cut, 0, (struct pd_view_options){.sort = "next"}, "c a b | 0 0 0");
	check(cut, 0, (struct pd_view_options){.n_top = 5}, "b a (c) | 0 0 1");
}

static void test_top(void **state)
{
	(void)state;
	check(two, 0, (struct pd_view_options){.n_top = 1}, "a (c) (e) (f) (d) ... b | 1 0 3");
	check(two, 0, (struct pd_view_options){.n_top = 2}, "a c (e) (f) ... d b | 1 0 1");
	check(two, 0, (struct pd_view_options){.n_top = 9}, "a c (e) (f) ... d b | 1 0 1");
	check(two, 0, (struct pd_view_options){.n_top = 2, .min_ticks = 10},
	      "a c (e) (f) (d) b | 1 2 0");
}

/* Whatever the order, the rows are the n largest rises and the n largest drops. */
static void test_top_in_another_order(void **state)
{
	(void)state;
	check(two, 0, (struct pd_view_options){.n_top = 1, .sort = "delta-abs"},
	      "a b (c) (d) (e) (f) | 1 0 3");
	check(two, 0, (struct pd_view_options){.n_top = 1, .sort = "function"},
	      "a b (c) (d) (e) (f) | 1 0 3");
	check(two, 0, (struct pd_view_options){.n_top = 1, .sort = "-function"},
	      "(f) (e) (d) (c) ... b a | 1 0 3");
	check(two, 0, (struct pd_view_options){.n_top = 1, .sort = "base"},
	      "(c) ... b a (e) (d) (f) | 1 0 3");
}

static void test_small(void **state)
{
	(void)state;
	check(two, 0, (struct pd_view_options){.min_ticks = 2}, "a b c d e (f) | 1 0 0");
	check(two, 0, (struct pd_view_options){.min_ticks = 2.5}, "a b c (d) e (f) | 1 1 0");
	check(two, 0, (struct pd_view_options){.min_ticks = 46}, "a (b) c (d) (e) (f) | 1 3 0");
	check(two, 0, (struct pd_view_options){.min_ticks = 1e9},
	      "(a) (b) (c) (d) (e) (f) | 1 5 0");
}

static void test_members(void **state)
{
	static const char *const families[] = {"a 9; foo 10; foo.cold 2; bar 0; bar.cold 0",
					       "a 1; foo 3; foo.cold 4; bar 0; bar.cold 0", NULL};

	(void)state;
	check(families, 0, (struct pd_view_options){0},
	      "a foo +foo +foo.cold (bar) +(bar) +(bar.cold) | 1 0 0");
	check(families, 0, (struct pd_view_options){.sort = "base"},
	      "foo +foo +foo.cold a (bar) +(bar) +(bar.cold) | 1 0 0");
	/* A member is as visible as its family, however small it is. */
	check(families, 0, (struct pd_view_options){.min_ticks = 10},
	      "(a) foo +foo +foo.cold (bar) +(bar) +(bar.cold) | 1 1 0");
	check(families, 0, (struct pd_view_options){.n_top = 1},
	      "(bar) +(bar) +(bar.cold) (foo) +(foo) +(foo.cold) ... a | 1 0 1");
}

static void test_events_and_sides(void **state)
{
	static const char *const events[] = {"!cycles samples; a 1; b 2; !faults events; a 5; c 1",
					     "!cycles samples; a 2; b 5; !faults events; a 5; c 3",
					     NULL};
	static const char *const three[] = {"a 10; b 10; c 10", "a 11; b 10; c 13",
					    "a 10; b 15; c 7", NULL};

	(void)state;
	check(events, 0, (struct pd_view_options){0}, "b a | 0 0 0");
	check(events, 1, (struct pd_view_options){0}, "c a | 0 0 0");
	check(three, 0, (struct pd_view_options){0}, "b c a | 0 0 0");
	check(three, 0, (struct pd_view_options){.sort = "delta"}, "c a b | 0 0 0");
	check(three, 0, (struct pd_view_options){.min_ticks = 14}, "b (c) (a) | 0 2 0");
}

static void test_errors(void **state)
{
	static const char *const bad[] = {"", "none", "delta,none", ",delta", "-", "delta,,base",
					  "Delta", "a,a,a,a,a,a,a,a,a",
					  "base,base,base,base,base,base,base,base,base"};
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_comparison *c;
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, two);
	c = ut_compare(&sides, NULL);
	ut_sides_done(&sides);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pd_view_options options = {.sort = bad[i]};
		struct pd_order order = {.n = 77};
		struct pd_error err = {0};

		if (pd_order_make(d, c, 0, &options, &order, &err) != PD_ERR_USAGE)
			fail_msg("\"%s\" is accepted", bad[i]);
		assert_int_equal(err.code, PD_ERR_USAGE);
		assert_non_null(strstr(err.msg, "--sort: "));
		assert_int_equal(order.n, 77);
	}
	pd_comparison_free(c);
	pd_document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sort_keys),
		cmocka_unit_test(test_unknown_numbers_come_last),
		cmocka_unit_test(test_top),
		cmocka_unit_test(test_top_in_another_order),
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_events_and_sides),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
