/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bloat reader: both sides of a table, what ends it, differences of codiff.
 */
#include "support.h"

#include <stdlib.h>

#define HEAD "Function                 old     new   delta\n"
#define assert_sizes(text, want) ut_assert_ticks(text, "bloat", want)

static void test_two_sides(void **state)
{
	(void)state;
	assert_sizes(HEAD "a    8    6   -2\nb    -    4   +4\nc    1    -   -1\n"
		     "Total: Before=1,100, After=1101, chg +0.09%\n",
		     "old:1100 a=8 c=1 [unlisted]=1091 | new:1101 a=6 b=4 [unlisted]=1091");
	/* Without totals nothing is known of the rest. */
	assert_sizes("function    old    new    delta\na    8    6   -2\n----\n"
		     "(add/remove: 0/0 grow/shrink: 0/1 up/down: 0/-2)   Total: -2 bytes\n",
		     "old:? a=8 | new:? a=6");
	/* A total alone is an answer, too. */
	assert_sizes(HEAD "Total: Before=5, After=5, chg +0.00%\n",
		     "old:5 [unlisted]=5 | new:5 [unlisted]=5");
}

static void test_tables(void **state)
{
	(void)state;
	assert_sizes("GCC 12\n------\n" HEAD "a    8    6   -2\n\nLLVM 17\n-------\n" HEAD
		     "a    9    6   -3\n",
		     "GCC 12 old:? a=8 | GCC 12 new:? a=6 | LLVM 17 old:? a=9 | "
		     "LLVM 17 new:? a=6");
	assert_sizes(HEAD "a    8    6   -2\n" "RO Data   old  new  delta\nt    16    12   -4\n",
		     "old:? a=8 | new:? a=6 | RO Data old:? t=16 | RO Data new:? t=12");
	/* Rows end where text begins; numbers in it are no rows. */
	assert_sizes(HEAD "a    8    6   -2\nThis was with gcc.\nb    9    6   -3\n",
		     "old:? a=8 | new:? a=6");
}

static void test_differences(void **state)
{
	struct ut_reading r = ut_read("a.c:\n  f | +12\n  g | -4 # 20 -> 16\n"
				      " 2 functions changed, 12 bytes added, 4 bytes removed, "
				      "diff: +8\n", NULL, NULL);
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	p = r.profiles.items[0];
	assert_string_equal(p->format, "bloat");
	assert_true(p->holds_deltas);
	assert_int_equal(p->events[0].unit, PD_UNIT_BYTES);
	assert_string_equal(pd_strtab_get(&p->strings, p->funcs[0].file), "a.c");
	ut_reading_done(&r);
	/* The line for all files is no part of their sum, and structures are no functions. */
	assert_sizes("a.c:\n  struct s | +8\n 1 struct changed\n  f | +12\n"
		     " 1 function changed, 12 bytes added, diff: +12\nb.c:\n  g | -4\n"
		     " 2 functions changed, 9 bytes removed, diff: -9\nvmlinux:\n"
		     " 3 functions changed, 12 bytes added, 9 bytes removed, diff: +3\n",
		     ":3 f=12 g=-4 [unlisted]=-5");
}

static void assert_warning(const char *text, const char *kind, uint32_t line)
{
	struct ut_reading r = ut_read(text, "bloat", NULL);

	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.diags.n, 1);
	assert_string_equal(r.diags.items[0].kind, kind);
	assert_int_equal(r.diags.items[0].line, line);
	ut_reading_done(&r);
}

static void test_warnings(void **state)
{
	(void)state;
	assert_warning(HEAD "a    8    6   -2\nb    8    6   -3\n", "bad-line", 3);
	assert_warning(HEAD "a    8    6   -2\nb    -8    6   +14\n", "bad-line", 3);
	assert_warning("add/remove: 0/0 grow/shrink: 0/2 up/down: 0/-5 (-5)\n" HEAD
		       "a    8    6   -2\nTotal: Before=20, After=15, chg -25.00%\n",
		       "rows-missing", 4);
}

static void test_sniff(void **state)
{
	static const char *const others[] = {
		"add/remove: 0/0 grow/shrink: 0/2 up/down: 0/-5 (-5)\n",
		"a | +12\nb | -4\n",
		" 2 functions changed, 12 bytes added\n",
		"Function old new\na 1 2\n",
	};
	struct ut_reading r;

	(void)state;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		r = ut_read(others[i], NULL, NULL);
		if (r.rc == PD_OK)
			assert_string_not_equal(r.profiles.items[0]->format, "bloat");
		ut_reading_done(&r);
	}
	r = ut_read(HEAD, NULL, NULL);
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_sides),   cmocka_unit_test(test_tables),
		cmocka_unit_test(test_differences), cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
