/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The diffprofile reader: signed ticks, where a table ends, what is no difference.
 */
#include "support.h"

#include <stdlib.h>

#define assert_ticks(text, want) ut_assert_ticks(text, "diffprofile", want)

static void test_total_above_and_below(void **state)
{
	(void)state;
	assert_ticks("  438     2.6% total\n  160     6.8% page_remove_rmap\n  -57   -38.0% "
		"sys_close\n",
		     ":438 page_remove_rmap=160 sys_close=-57 [unlisted]=335");
	assert_ticks("  160     6.8% page_remove_rmap\n -557   -38.0% sys_close\n -600  -1.0% "
		"total\n",
		     ":-600 page_remove_rmap=160 sys_close=-557 [unlisted]=-203");
	assert_ticks("  160     6.8% page_remove_rmap\n  -57   -38.0% sys_close\n",
		     ":? page_remove_rmap=160 sys_close=-57");
}

/* Rows that exceed the total are no oddity: differences left out have either sign. */
static void test_small_total(void **state)
{
	(void)state;
	assert_ticks("  900     6.8% a\n    5     0.1% total\n   -3   -38.0% b\n",
		     ":5 a=900 b=-3 [unlisted]=-892");
}

static void test_tables(void **state)
{
	(void)state;
	/* Prose parts them, an ellipsis or a blank line does not; the heading is the last line. */
	assert_ticks("kernbench:\n  9  1.0% total\n  8  6.8% a\n...\n\n -1  -1.0% b\n"
		     "Numbers are from a big machine, all of them.\nsdet:\n  7  1.0% a\n",
		     "kernbench:9 a=8 b=-1 [unlisted]=2 | sdet:? a=7");
	/* Behind a total, a broken order does, and another total. */
	assert_ticks("  8  6.8% a\n -9  -1.0% total\n  7  6.8% a\n -8  -1.0% total\n",
		     ":-9 a=8 [unlisted]=-17 | :-8 a=7 [unlisted]=-15");
	/* Without one, lists may have any order. */
	assert_ticks(" -8  -6.8% a\n  7  6.8% b\n -3  -1.0% c\n", ":? a=-8 b=7 c=-3");
}

static void test_pasted_row(void **state)
{
	(void)state;
	assert_ticks("at the high loads, it's still       -58   -33.5% clear_page_tables\n"
		     "   -61   -19.3% __d_lookup\n",
		     ":? clear_page_tables=-58 __d_lookup=-61");
	/* One blank is prose. */
	assert_ticks("we lost -58 -33.5% clear_page_tables\n   -61   -19.3% __d_lookup\n",
		     ":? __d_lookup=-61");
}

static void test_unknown(void **state)
{
	(void)state;
	assert_ticks("  8  6.8% a\n -9  -1.0% *unknown*\n", ":? a=8 [unknown]=-9");
}

static void test_holds_deltas(void **state)
{
	struct ut_reading r = ut_read("  8  6.8% a\n", "diffprofile", NULL);

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_true(r.profiles.items[0]->holds_deltas);
	assert_int_equal(r.profiles.items[0]->events[0].unit, PD_UNIT_TICKS);
	ut_reading_done(&r);
}

static void test_bad_lines(void **state)
{
	struct ut_reading r = ut_read("  8  6.8% a\n  7  6.8% no name\n"
				      "  99999999999999999999  1.0% b\n  6  6.8% c\n",
				      "diffprofile", NULL);
	char *have = ut_dump_ticks(&r);

	(void)state;
	assert_string_equal(have, ":? a=8 c=6");
	assert_int_equal(r.diags.n, 2);
	assert_int_equal(r.diags.items[0].line, 2);
	assert_int_equal(r.diags.items[1].line, 3);
	free(have);
	ut_reading_done(&r);
}

static void test_sniff(void **state)
{
	static const struct {
		const char *text;
		bool is_it;
	} cases[] = {
		{"  8  6.8% a\n -9  -1.0% b\n", true},
		{"  8  0.8% total\n 7  1.0% b\n", true},
		{"  8  116.8% a\n 7  1.0% b\n", true},
		{"  8  6.8% a\n 7  1.0% b\n", false},       /* shares */
		{"  8  100.0% total\n 7  1.0% b\n", false}, /* of all */
		{" -8  -6.8% a\n", false},                  /* one row */
		{" -8  -6.83% a\n -7  -6.83% b\n", false},
		{" -8  -6.8 a\n -7  -6.8 b\n", false},
		{" -8.5  -6.8% a\n -7.5  -6.8% b\n", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct pd_format *f = pd_format_find("diffprofile");
		struct pd_limits limits = PD_LIMITS_DEFAULT;
		struct pd_input in = {.path = "in", .bytes = pd_span_of(cases[i].text),
				      .limits = &limits};

		if ((f->sniff(&in) == PD_SNIFF_YES) != cases[i].is_it)
			fail_msg("%s", cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_total_above_and_below),
		cmocka_unit_test(test_small_total),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_pasted_row),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_holds_deltas),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
