/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of plain tables: columns by their header, titled sections, totals,
 * cited rows, and what is no table of ticks.
 */
#include "support.h"

#include <stdlib.h>

#define read_text(text) ut_read(text, "table", NULL)
#define check(text, want) ut_assert_ticks(text, "table", want)

static void test_header(void **state)
{
	(void)state;
	/* Names may run into a column, be aligned either way, or stand behind. */
	check("                    2.5.70-mm4 2.5.70-mm3\n"
	      "                 total  478507  521921\n"
	      "         do_page_fault   53727  103744\n"
	      "wake_up_forked_process     845     826\n",
	      "2.5.70-mm4:478507 do_page_fault=53727 wake_up_forked_process=845 "
	      "[unlisted]=423935 | "
	      "2.5.70-mm3:521921 do_page_fault=103744 wake_up_forked_process=826 "
	      "[unlisted]=417351");
	check("function        before patch   after patch\n"
	      "foo                      812           930\n"
	      "sys_read 64               41            40\n"
	      "bar                        3             4\n",
	      "before patch:? foo=812 sys_read 64=41 bar=3 | "
	      "after patch:? foo=930 sys_read 64=40 bar=4");
	check("    mm3    mm4  symbol name\n     12     13  foo\n      1      2  bar\n",
	      "mm3:? foo=12 bar=1 | mm4:? foo=13 bar=2");
	check("> > name\t6.1\t6.2\n> > foo\t12\t13\n> > long_name_here\t1\t2\n",
	      "6.1:? foo=12 long_name_here=1 | 6.2:? foo=13 long_name_here=2");
	/* A header that lost its blanks. */
	check("2.5.70-mm4 2.5.70-mm3\nfoo                  12   13\nbar   1   2\n",
	      "2.5.70-mm4:? foo=12 bar=1 | 2.5.70-mm3:? foo=13 bar=2");
	/* Equal headers are runs of one side; so are numbered runs of a title. */
	check("         a     a     b\nfoo     12    13    14\nbar      1     2     3\n",
	      "a:? foo=12 bar=1 | a:? foo=13 bar=2 | b:? foo=14 bar=3");
	check("Vanilla\n-------\n       run1  run2\nfoo      12    13\nbar       1     2\n",
	      "Vanilla:? foo=12 bar=1 | Vanilla:? foo=13 bar=2");
}

static void test_missing_and_derived(void **state)
{
	(void)state;
	check("function       2.6.1     2.6.2    delta      %\n"
	      "----------------------------------------------\n"
	      "foo              812       930     +118  +14.5\n"
	      "gone             410                -410  -100\n"
	      "came                       377     +377\n"
	      "dash               -         5       +5\n",
	      "2.6.1:? foo=812 gone=410 | 2.6.2:? foo=930 came=377 dash=5");
	check("name\tbase\tnext\tchange\nfoo\t1\t2\t100%\nbar\t\t4\nlast\t5\t\n",
	      "base:? foo=1 last=5 | next:? foo=2 bar=4");
}

static void test_sections(void **state)
{
	(void)state;
	check("Vanilla\n-------\n"
	      "foo 786 778\nbar\t870 952\n----------\ntot of above    1656 1730\n\n"
	      "baz \t5 6\nbaz 1 1\t\n\n"
	      "Inline\n------\n"
	      "foo 1539 1488\nbaz 1 2\n",
	      "Vanilla:? foo=786 bar=870 baz=6 | Vanilla:? foo=778 bar=952 baz=7 | "
	      "Inline:? foo=1539 baz=1 | Inline:? foo=1488 baz=2");
	check("With the patch:\n===============\nfoo 1 2 3\nbar 4 5 6\n\n"
	      "== without ==\n\nfoo 7 8 9\n",
	      "With the patch:? foo=1 bar=4 | With the patch:? foo=2 bar=5 | "
	      "With the patch:? foo=3 bar=6 | "
	      "without:? foo=7 | without:? foo=8 | without:? foo=9");
	check("mm3\n---\nfoo 12\nbar 1\n\nmm4\n---\nfoo 13\n", "mm3:? foo=12 bar=1 | mm4:? foo=13");
	/* Bare rows are the runs of one side. */
	check("foo 1 2 3\nbar 4 5 6\n", ":? foo=1 bar=4 | :? foo=2 bar=5 | :? foo=3 bar=6");
	check("1 2 foo\n4 5 bar\n", ":? foo=1 bar=4 | :? foo=2 bar=5");
}

static void test_totals(void **state)
{
	(void)state;
	check("       a     b\nfoo    1     2\nbar    3     4\ntotal  4     6\n",
	      "a:4 foo=1 bar=3 | b:6 foo=2 bar=4");
	check("       a     b\nfoo    1     2\nbar    3     4\nTotal: 9     9\n",
	      "a:9 foo=1 bar=3 [unlisted]=5 | b:9 foo=2 bar=4 [unlisted]=3");
	/* A sum of the rows above is no total if others follow. */
	check("       a     b\nfoo    1     2\nbar    3     4\nsum    4     6\nbaz    5     5\n",
	      "a:? foo=1 bar=3 baz=5 | b:? foo=2 bar=4 baz=5");
	check("       a     b\ntotal 20    30\nfoo    1     2\nbar    3     4\nsum    4     6\n",
	      "a:20 foo=1 bar=3 [unlisted]=16 | b:30 foo=2 bar=4 [unlisted]=24");
	check("       a     b\nfoo    1     2\nsubtotal 1   2\nbar    3     4\n",
	      "a:? foo=1 bar=3 | b:? foo=2 bar=4");
	check("       a     b\ntotal_mapping_size 1  2\nsummarize 3 4\nbar    3     4\n",
	      "a:? total_mapping_size=1 summarize=3 bar=3 | "
	      "b:? total_mapping_size=2 summarize=4 bar=4");
}

static void test_prose(void **state)
{
	(void)state;
	check("Hi, 12 numbers in 13 lines.\n\n"
	      "        mm3   mm4\nfoo      12    13\n...\nbar       1     2\n\n"
	      "The first one is worth a look:\n"
	      "foo      12    13\n"
	      "and took 12 13\n\n"
	      "On the big box:\n\n"
	      "        mm3   mm4\nfoo     120   130\nbar      10    20\n"
	      "-- \nPerson A\n\n"
	      "On Tue, Person B wrote:\n> blah 12 13\n",
	      "mm3:? foo=12 bar=1 | mm4:? foo=13 bar=2 | "
	      "mm3:? foo=120 bar=10 | mm4:? foo=130 bar=20");
	/* A line in between does not end a table. */
	check("        mm3   mm4\nfoo      12    13\noops, a line\nbar       1     2\n",
	      "mm3:? foo=12 bar=1 | mm4:? foo=13 bar=2");
}

static void test_bad_rows(void **state)
{
	struct ut_reading r = read_text("        mm3   mm4\n"
					"foo      12    13\n"
					"bar      -1     2\n"
					"baz       1    1e30\n"
					"qux      zz    14\n"
					"last      3     4\n");
	char *have = ut_dump_ticks(&r);

	(void)state;
	assert_string_equal(have, "mm3:? foo=12 last=3 | mm4:? foo=13 last=4");
	assert_int_equal(r.diags.n, 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(r.diags.items[i].line, i + 3);
	assert_string_equal(r.diags.items[0].text, "expected a name and counts, found "
						   "\"bar      -1     2\"; line skipped");
	free(have);
	ut_reading_done(&r);
	r = read_text("Vanilla\n-------\nfoo 1 2\nbar 3\nbaz 4 x5\nqux 6 7\n");
	have = ut_dump_ticks(&r);
	assert_string_equal(have, "Vanilla:? foo=1 qux=6 | Vanilla:? foo=2 qux=7");
	assert_int_equal(r.diags.n, 2);
	free(have);
	ut_reading_done(&r);
	r = read_text("        mm3   mm4\nfoo     -12   -13\n");
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
}

/* Forced, the reader takes decimals; in a text with a table of ticks it does not. */
static void test_decimals(void **state)
{
	(void)state;
	check("        mm3   mm4\nfoo    12.5  13.5\nbar     1.5   2.5\n",
	      "mm3:? foo=12.5 bar=1.5 | mm4:? foo=13.5 bar=2.5");
	check("        mm3   mm4\nelapsed 45.1  45.8\nsystem  97.8 109.6\nuser   568.4 568.0\n\n"
	      "        mm3   mm4\nfoo      12    13\nbar       1     2\nbaz       3     4\n",
	      "mm3:? foo=12 bar=1 baz=3 | mm4:? foo=13 bar=2 baz=4");
}

static void test_too_many_columns(void **state)
{
	struct pd_buf text = {0};
	struct ut_reading r;

	(void)state;
	for (int row = 0; row < 3; row++) {
		pd_buf_printf(&text, "f%d", row);
		for (int i = 0; i < 5000; i++)
			pd_buf_printf(&text, " %d", i);
		pd_buf_add_char(&text, '\n');
	}
	r = read_text(text.ptr);
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
	pd_buf_done(&text);
}

#define ROWS "foo      12    13\nbar       1     2\nbaz       3     4\n"

static void test_sniff(void **state)
{
	static const struct {
		const char *text;
		enum pd_sniff want;
	} cases[] = {
		{"        mm3   mm4\n" ROWS, PD_SNIFF_YES},
		{"        mm3   mm4\nfoo      12    13\n", PD_SNIFF_YES},
		{"a\nb\nc\nd\n\n        mm3   mm4\nfoo      12    13\n", PD_SNIFF_NO},
		{"Vanilla\n-------\n" ROWS, PD_SNIFF_YES},
		{"a:\nfoo 1 2\nbar 3 4\n\nb:\nfoo 1 2\nbar 3 5\n", PD_SNIFF_MAYBE},
		{ROWS, PD_SNIFF_MAYBE},
		{"foo 1\nbar 2\nbaz 3\n", PD_SNIFF_NO},
		{"        mm3   mm4\nelapsed 45.1  45.8\nsystem  97.8 109.6\n", PD_SNIFF_NO},
		{"        mm3   mm4\nfoo   12ns  13ns\nbar    1ns   2ns\n", PD_SNIFF_NO},
		{"        mm3   mm4\nfoo   12%   13%\nbar    1%    2%\n", PD_SNIFF_NO},
		{"function  old  new delta\nfoo        12   13    +1\nbar   1  2  +1\nbaz 1 2 +1\n",
		 PD_SNIFF_NO},
		{"Module                  Size  Used by\ne1000  59280   1\nipchains 50728  28\n"
		 "jbd  51808  7\n", PD_SNIFF_NO},
		{"           CPU0       CPU1\n  0:    123   456   IO-APIC-edge  timer\n"
		 "NMI:     12     13\n", PD_SNIFF_NO},
		{" r  b   swpd   free\n 1  0      0 123456\n 2  0      0 123400\n", PD_SNIFF_NO},
		{"samples  %        symbol name\n741  4.3771  foo\n682  4.0286  bar\n",
		 PD_SNIFF_NO},
		{"      4383     2.6% total\n      1600     6.8% page_remove_rmap\n", PD_SNIFF_NO},
		{"  1005 default_idle   15.7031\n    42 schedule   0.1094\n", PD_SNIFF_NO},
		{"  Function   Hit    Time        Avg\n  schedule   314    22290 us 709.15 us\n",
		 PD_SNIFF_NO},
		{"main;a 3\n", PD_SNIFF_NO},
		{"fn=(1) main\n16 400\n+2 50\n* 7\n", PD_SNIFF_NO},
	};
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_input in = {.path = "in", .bytes = pd_span_of(cases[i].text),
				      .limits = &limits};

		if (pd_format_find("table")->sniff(&in) != cases[i].want)
			fail_msg("wrong answer about\n%s", cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header),	 cmocka_unit_test(test_missing_and_derived),
		cmocka_unit_test(test_sections), cmocka_unit_test(test_totals),
		cmocka_unit_test(test_prose),	 cmocka_unit_test(test_bad_rows),
		cmocka_unit_test(test_decimals), cmocka_unit_test(test_too_many_columns),
		cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
