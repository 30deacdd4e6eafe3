/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The readprofile reader: rows in all forms, where a profile begins and ends,
 * what is cited, what is prose.
 */
#include "support.h"

#include <stdlib.h>

#define read_text(text) ut_read(text, "readprofile", NULL)
#define check(text, want) ut_assert_ticks(text, "readprofile", want)

#define A "  30 alpha   0.1000\n  20 beta   1.0000\n  10 gamma   12.0000\n"
#define B "  31 alpha   0.1000\n  21 beta   1.0000\n  11 gamma   12.0000\n"

static void test_total_anywhere(void **state)
{
	(void)state;
	check(A, ":? alpha=30 beta=20 gamma=10");
	check(A "  60 total  0.3\n", ":60 alpha=30 beta=20 gamma=10");
	check("  70 total  0.3\n" A, ":70 alpha=30 beta=20 gamma=10 [unlisted]=10");
	check(A "  100 total  0.3\n  5 delta 0.1\n  4 eps 0.1\n  3 zeta 0.1\n",
	      ":100 alpha=30 beta=20 gamma=10 delta=5 eps=4 zeta=3 [unlisted]=28");
	/* Equal names, as of static functions, are one row. */
	check("  3 f 0.1\n  2 f 0.1\n  1 g 0.1\n", ":? f=5 g=1");
}

static void test_forms(void **state)
{
	(void)state;
	/* Without the last column; glued; as -v prints it; ticks within functions (-s). */
	check("87elapse70 total  0.3\n 30 alpha\n 20 beta\n 10 .text.lock.fault\n",
	      ":70 alpha=30 beta=20 .text.lock.fault=10 [unlisted]=10");
	check("00000000c0100040 alpha      30   0.1\n"
	      "00000000c0100080 beta      20   0.1\n"
	      "     2 *unknown*\n"
	      "0000000000000000 total     50   0.1\n",
	      ":50 alpha=30 beta=20 [unknown]=2 [unlisted]=-2");
	check(" 30 alpha 0.1\n\tc0100040\t30\n  0 beta 0.0000\n 20 gamma 0.1\n 1 *unknown*\n",
	      ":? alpha=30 beta=0 gamma=20 [unknown]=1");
	/* Several calls' ticks of modules. */
	check(" 3 *unknown*\n 30 a 0.1\n 20 b 0.1\n 10 c 0.1\n 60 total 0.1\n",
	      ":60 a=30 b=20 c=10 [unknown]=3 [unlisted]=-3");
}

static void test_several_profiles(void **state)
{
	(void)state;
	check("standard:\n\n  62 total 0.1\n" A "...\n  1 delta 0.1\n\nandrea:\n  80 total 0.1\n" B,
	      "standard:62 alpha=30 beta=20 gamma=10 delta=1 [unlisted]=1 | "
	      "andrea:80 alpha=31 beta=21 gamma=11 [unlisted]=17");
	/* Concatenated: complete ones end at their total, cut ones where names come again. */
	check(A "60 total 0.1\n" B "63 total 0.1\n",
	      ":60 alpha=30 beta=20 gamma=10 | :63 alpha=31 beta=21 gamma=11");
	check("90 total 0.1\n" A "99 total 0.1\n" B,
	      ":90 alpha=30 beta=20 gamma=10 [unlisted]=30 | "
	      ":99 alpha=31 beta=21 gamma=11 [unlisted]=36");
	check(A "90 total 0.1\n" B "99 total 0.1\n",
	      ":90 alpha=30 beta=20 gamma=10 [unlisted]=30 | "
	      ":99 alpha=31 beta=21 gamma=11 [unlisted]=36");
	/* Without totals, names that come again or headings tell. */
	check(A "\nand now with the patch applied I get\n" B,
	      ":? alpha=30 beta=20 gamma=10 | :? alpha=31 beta=21 gamma=11");
	check("==> a.prof <==\n" A "\n==> b.prof <==\n 3 x 0.1\n 2 y 0.1\n 1 z 0.1\n",
	      "a.prof:? alpha=30 beta=20 gamma=10 | b.prof:? x=3 y=2 z=1");
	/* One list in several blocks. */
	check(A "\n 3 x 0.1\n 2 y 0.1\n", ":? alpha=30 beta=20 gamma=10 x=3 y=2");
	check("2.5.37-mm1\n----------\n" A, "2.5.37-mm1:? alpha=30 beta=20 gamma=10");
}

static void test_prose(void **state)
{
	(void)state;
	check("Hi,\nthis took 30 seconds on 2 machines.\n\n" A "60 total 0.1\n\n"
	      "We have a fix for this one:\n  20 beta   1.0000\nand for that:\n"
	      "  10 gamma   12.0000\n-- \nPerson A\n",
	      ":60 alpha=30 beta=20 gamma=10");
	/* Other tables. */
	check(A "60 total 0.1\n"
	      "% time     seconds  usecs/call     calls    errors syscall\n"
	      "------ ----------- ----------- --------- --------- ----------------\n"
	      " 95.66    2.141856         244      8767           ioctl\n"
	      "100.00    2.238976                 33079        11 total\n"
	      "e1000                  59280   1\n"
	      "      4383     2.6% total\n"
	      "00000000-0009c7ff : System RAM\n",
	      ":60 alpha=30 beta=20 gamma=10");
	/* A cited block of several rows, before and after. */
	check("  99 total 0.1\n" A "\nThese are the worst:\n" A "\nBye\n",
	      ":99 alpha=30 beta=20 gamma=10 [unlisted]=39");
	check("The worst is\n  30 alpha   0.1000\nof these:\n" A,
	      "of these:? alpha=30 beta=20 gamma=10");
	/* Nothing but rows in prose. */
	check("First\n  30 alpha  0.1\nthen\n  20 beta  0.1\n", ":? alpha=30 beta=20");
}

static void test_bad_rows(void **state)
{
	struct ut_reading r = read_text("  30 alpha   0.1000\n"
					"  -5 beta   0.1000\n"
					"  1e30 gamma   0.1000\n"
					"  9007199254740993 delta   0.1\n"
					"  1.5 eps   0.1\n"
					"  2 zeta   0.1\n");
	char *have = ut_dump_ticks(&r);

	(void)state;
	assert_string_equal(have, ":? alpha=30 zeta=2");
	assert_int_equal(r.diags.n, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(r.diags.items[i].line, i + 2);
	assert_string_equal(r.diags.items[0].text, "expected ticks and a name, found "
						   "\"  -5 beta   0.1000\"; line skipped");
	free(have);
	ut_reading_done(&r);
	r = read_text("  -5 beta   0.1000\n");
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
	r = read_text(A "59 total 0.1\n");
	assert_true(r.profiles.items[0]->events[0].total == 60);
	assert_int_equal(r.diags.n, 1);
	ut_reading_done(&r);
}

/* More rows than are held back at once. */
static void test_many_rows(void **state)
{
	struct pd_buf text = {0};
	struct ut_reading r;

	(void)state;
	for (int i = 0; i < 300; i++)
		pd_buf_printf(&text, "%6d f%d%s\n", i, i, i % 3 ? " 0.1" : "");
	pd_buf_printf(&text, "\n\n");
	for (int i = 300; i < 600; i++)
		pd_buf_printf(&text, "%6d f%d 0.1\n", i, i);
	r = read_text(text.ptr);
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 1);
	assert_int_equal(r.profiles.items[0]->n_funcs, 600);
	for (uint32_t i = 0; i < 600; i++)
		assert_true(pd_profile_weight(r.profiles.items[0], i, 0)->self == i);
	ut_reading_done(&r);
	pd_buf_done(&text);
}

static void test_sniff(void **state)
{
	static const struct {
		const char *text;
		enum pd_sniff want;
	} cases[] = {
		{"prose\nand prose\nand prose\nand prose\n" A, PD_SNIFF_YES},
		{" 5 foo 0.1\n", PD_SNIFF_YES},
		{" 5 foo 0.1\n -6 bar 0.2\n", PD_SNIFF_YES},
		{"256745 total   0.2584\n 82934 default_idle\n", PD_SNIFF_YES},
		{" 5 foo\n 6 bar\n", PD_SNIFF_MAYBE},
		{"prose\nand prose\nand prose\nand prose\n 5 foo\n 6 bar\n", PD_SNIFF_NO},
		{" -6 bar 0.2\n", PD_SNIFF_NO},
		{"I have 3 machines here\n", PD_SNIFF_NO},
		{"      4383     2.6% total\n      1600     6.8% page_remove_rmap\n", PD_SNIFF_NO},
		{"7347544  72.8296  cc1                      (no symbols)\n", PD_SNIFF_NO},
		{"main;a 3\n", PD_SNIFF_NO},
		{"       mm4 mm3\nfoo    1   2\n", PD_SNIFF_NO},
		{" 17755  pagefaults           #       0.014 M/sec\n", PD_SNIFF_NO},
		{"larsa     Linux 2.6.25-  897 0.23 0.52\n", PD_SNIFF_NO},
		{"24.38  15200.01   15200.01   100000      0.15       0.40  __sfvwrite_r\n",
		 PD_SNIFF_NO},
	};
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_input in = {.path = "in", .bytes = pd_span_of(cases[i].text),
				      .limits = &limits};

		if (pd_format_find("readprofile")->sniff(&in) != cases[i].want)
			fail_msg("wrong answer about\n%s", cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_total_anywhere),	 cmocka_unit_test(test_forms),
		cmocka_unit_test(test_several_profiles), cmocka_unit_test(test_prose),
		cmocka_unit_test(test_bad_rows),	 cmocka_unit_test(test_many_rows),
		cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
