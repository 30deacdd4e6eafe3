/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The perf diff reader: two sides from baseline and delta, empty cells, periods,
 * several files, what is no row.
 */
#define FORMAT "perf-diff"
#include "perf_readings.h"

#define HEAD "# Event 'cycles:P'\n#\n# Baseline  Delta Abs  Shared Object  Symbol\n#\n"

static void test_sides(void **state)
{
	(void)state;
	assert_reads(HEAD
		     "                +4.34%  [kernel]       [k] new\n"
		     "    22.22%      -1.78%  cc1            [.] both\n"
		     "     2.00%              cc1            [.] gone\n"
		     "     3.00%      +1.00%  cc1            [.] 0x1234\n",
		     "base{cycles:P percent 100: cc1!both=22.22 cc1!gone=2 cc1![unknown]=3 "
			"[unlisted]=72.78} "
		     "next{cycles:P percent 100: [kernel]!new=4.34 cc1!both=20.44 "
			"cc1![unknown]=4 [unlisted]=71.22}");
	assert_reads("     2.83%    +29.67%  [kernel]  [k] a\n              +3.33%  [ext4]  [k] "
		"b\n",
		     "base{percent percent 100: [kernel]!a=2.83 [unlisted]=97.17} "
		     "next{percent percent 100: [kernel]!a=32.5 [ext4]!b=3.33 [unlisted]=64.17}");
}

static void test_periods(void **state)
{
	(void)state;
	assert_reads("# Event 'cycles'\n#\n"
		     "# Baseline     Base period           Ratio          Period  Shared Object  "
			"Symbol\n"
		     "#\n"
		     "    60.00%             600        1.500000             900  libc.so        "
			"[.] a\n"
		     "                         0             N/A             377  libc.so        "
			"[.] b\n"
		     "    40.00%             400                                  libc.so        "
			"[.] c\n",
		     "base{cycles events 1000: libc.so!a=600 libc.so!b=0 libc.so!c=400} "
		     "next{cycles events 1277: libc.so!a=900 libc.so!b=377}");
	/* A list that is cut has no total. */
	assert_reads("# Baseline     Base period           Ratio          Period  Symbol\n"
		     "    60.00%             600        1.500000             900  [.] a\n",
		     "base{periods events: a=600} next{periods events: a=900}");
}

static void test_several_files(void **state)
{
	(void)state;
	assert_reads("# Baseline/0  Delta/1  Delta/2  Symbol\n"
		     "      10.00%   +1.00%   -2.00%  [.] a\n"
		     "                        +2.00%  [.] b\n",
		     "base{percent percent 100: a=10 [unlisted]=90} "
		     "next 1{percent percent 100: a=11 [unlisted]=89} "
		     "next 2{percent percent 100: a=8 b=2 [unlisted]=90}");
}

static void test_events(void **state)
{
	(void)state;
	assert_reads("# Event 'cycles'\n# Baseline  Delta  Symbol\n  10.00%  +1.00%  [.] a\n\n"
		     "# Event 'faults'\n# Baseline  Delta  Symbol\n  20.00%  +1.00%  [.] a\n\n"
		     "# Event 'cycles'\n# Baseline  Delta  Symbol\n  30.00%  +1.00%  [.] a\n",
		     "base{cycles percent 100: a=10 [unlisted]=90}{faults percent 100: a=20 "
			"[unlisted]=80} "
		     "next{cycles percent 100: a=11 [unlisted]=89}{faults percent 100: a=21 "
			"[unlisted]=79} "
		     "base{cycles percent 100: a=30 [unlisted]=70} "
		     "next{cycles percent 100: a=31 [unlisted]=69}");
}

static void test_mails(void **state)
{
	(void)state;
	assert_reads("> " HEAD "> > x\n>      22.22%      -1.78%  cc1            [.] \n>  both\n"
		     ">\n> Prose ends the table.\n>    9.00%  cc1  cc1  [.] report\n",
		     "base{cycles:P percent 100: cc1!both=22.22 [unlisted]=77.78} "
		     "next{cycles:P percent 100: cc1!both=20.44 [unlisted]=79.56}");
	assert_reads("# Baseline,Delta,Shared Object,Symbol\n 10.00%,+1.00%,cc1,[.] "
		"a\n,+2.00%,cc1,[.] b\n",
		     "base{percent percent 100: cc1!a=10 [unlisted]=90} "
		     "next{percent percent 100: cc1!a=11 cc1!b=2 [unlisted]=87}");
}

static void test_bad_lines(void **state)
{
	(void)state;
	assert_reads(HEAD "   122.22%      -1.78%  cc1            [.] a\n"
		     "    10.00%   -1000.00%  cc1            [.] b\n"
		     "    10.00%      -1.00%  cc1            [.] c\n",
		     "base{cycles:P percent 100: cc1!c=10 [unlisted]=90} "
		     "next{cycles:P percent 100: cc1!c=9 [unlisted]=91}"
		     " 5:expected a baseline and a change, each at most 100%; line skipped"
		     " 6:expected a baseline and a change, each at most 100%; line skipped");
}

static void test_sniff(void **state)
{
	(void)state;
	assert_int_equal(sniff(FORMAT, HEAD), PD_SNIFF_YES);
	assert_int_equal(sniff(FORMAT, "  2.83%  +29.67%  [kernel]  [k] a\n"), PD_SNIFF_YES);
	assert_int_equal(sniff(FORMAT, "  2.83%  29.67%  [kernel]  [k] a\n"), PD_SNIFF_NO);
	assert_int_equal(sniff(FORMAT, "+   2.83%  [kernel]  [k] a\n"), PD_SNIFF_NO);
	assert_int_equal(sniff(FORMAT, "vmlinux  +2.83%  -1.00%\n"), PD_SNIFF_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sides),
		cmocka_unit_test(test_periods),
		cmocka_unit_test(test_several_files),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_mails),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
