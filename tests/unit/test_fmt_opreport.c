/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The opreport reader: columns by their header, events, runs, what is no row.
 */
#include "support.h"

static struct ut_reading read_text(const char *text)
{
	struct ut_reading r = ut_read(text, NULL, NULL);

	if (r.rc == PD_OK)
		assert_string_equal(r.profiles.items[0]->format, "opreport");
	return r;
}

/* The self cost of a function or leftover; unknown if it is not there. */
static double self_of(const struct pd_profile *p, uint32_t event, const char *name,
		      const char *module)
{
	for (uint32_t i = 0; i < p->n_funcs; i++)
		if (!strcmp(pd_strtab_get(&p->strings, p->funcs[i].name), name) &&
		    !strcmp(pd_strtab_get(&p->strings, p->funcs[i].module), module))
			return pd_profile_weight(p, i, event)->self;
	return PD_UNKNOWN;
}

#define HEAD                                                                                  \
	"CPU: P4 / Xeon, speed 2200.91 MHz (estimated)\n"                                     \
	"Counted CLK events (clocks) with a unit mask of 0x00 (No unit mask) count 100000\n"

static void test_modules(void **state)
{
	struct ut_reading r = read_text(HEAD
		"samples  %        image name     app name       symbol name\n"
		"281      15.2083  vmlinux        vmlinux        do_page_fault\n"
		"81        4.3792  libc-2.5.so    bash           memcpy\n"
		"19        4.3792  libc-2.5.so    ls             memcpy\n"
		"7         0.5975  firefox-bin    firefox-bin    (no symbols)\n"
		"5         0.2    anon (tgid:12 range:0x1-0x2) java  anon (tgid:12 range:0x1-0x2)\n"
		"3         0.1    libz.so.1       git            /lib/libz.so.1\n");
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 1);
	p = r.profiles.items[0];
	assert_int_equal(p->n_events, 1);
	assert_string_equal(pd_strtab_get(&p->strings, p->events[0].name), "CLK");
	assert_true(p->events[0].period == 100000);
	assert_false(pd_is_known(p->events[0].total));
	assert_true(self_of(p, 0, "do_page_fault", "vmlinux") == 281);
	assert_true(self_of(p, 0, "memcpy", "libc-2.5.so") == 100);
	assert_true(self_of(p, 0, "[unknown]", "firefox-bin") == 7);
	assert_true(self_of(p, 0, "[unknown]", "anon (tgid:12 range:0x1-0x2)") == 5);
	assert_true(self_of(p, 0, "[unknown]", "libz.so.1") == 3);
	assert_int_equal(p->n_funcs, 5);
	/* The rows are 20.7 % of the samples. */
	assert_true(p->events[0].is_cut);
	assert_int_equal(r.diags.n, 1);
	assert_int_equal(r.diags.items[0].severity, PD_NOTE);
	ut_reading_done(&r);
}

static void test_whole_list(void **state)
{
	struct ut_reading r = read_text(HEAD
		"samples  %        symbol name\n"
		"2         66.6667  alpha\n"
		"1         33.3333  beta\n");

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_false(r.profiles.items[0]->events[0].is_cut);
	assert_int_equal(r.diags.n, 0);
	ut_reading_done(&r);
}

/* Lines that had to be cleaned share a buffer: looking ahead must not spoil one. */
static void test_cleaned_prose(void **state)
{
	struct ut_reading r = read_text(HEAD
		"samples  %        symbol name\n"
		"10       50.0000  foo\n"
		"\033[1mSome prose that is dirty!!\n"
		"\033[1mc0101000 3 1.0000 func\n");

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 2);
	assert_true(self_of(r.profiles.items[0], 0, "foo", "") == 10);
	assert_true(self_of(r.profiles.items[1], 0, "func", "") == 3);
	ut_reading_done(&r);
}

/* Only rows at the header's own column count: callers and addresses are in them already. */
static void test_indented_rows(void **state)
{
	struct ut_reading r = read_text(HEAD
		"samples  %        symbol name\n"
		"-------------------------------------------------------------\n"
		"  6         0.1268  caller\n"
		"10        7.8778  callee\n"
		"  10       100.000  callee [self]\n"
		"-------------------------------------------------------------\n"
		"4         3.0000  other\n"
		"  c022f530 2        1.6e-04\n");
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	p = r.profiles.items[0];
	assert_int_equal(p->n_funcs, 2);
	assert_true(self_of(p, 0, "callee", "") == 10);
	assert_true(self_of(p, 0, "other", "") == 4);
	ut_reading_done(&r);
}

static void test_events(void **state)
{
	struct ut_reading r = read_text(
		"> Counted REF events (cache references seen by the bus\n"
		"> unit) with a unit mask of 0x3f (multiple flags) count 30\n"
		"> 00\n"
		"> Counted REF events (x) with a unit mask of 0x200 (miss) count 500\n"
		"> samples  %        samples  %        app name                 symbol name\n"
		"> 120801    7.4379  37017    63.4603  vmlinux           __copy_from_user_ll\n"
		"> 66027     4.0654  656       1.1246  vmlinux\n"
		"> journal_add_journal_head\n"
		"\n"
		"versus\n"
		"\n"
		"> samples  %        symbol name\n"
		"> 5    50.0  after\n");
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 2);
	p = r.profiles.items[0];
	assert_int_equal(p->n_events, 2);
	assert_string_equal(pd_strtab_get(&p->strings, p->events[0].name), "REF:0x3f");
	assert_string_equal(pd_strtab_get(&p->strings, p->events[1].name), "REF:0x200");
	assert_true(p->events[0].period == 3000);
	assert_true(p->events[1].period == 500);
	assert_true(self_of(p, 1, "__copy_from_user_ll", "vmlinux") == 37017);
	assert_true(self_of(p, 0, "journal_add_journal_head", "vmlinux") == 66027);
	p = r.profiles.items[1];
	assert_string_equal(p->section, "versus");
	assert_string_equal(pd_strtab_get(&p->strings, p->events[0].name), "samples");
	assert_true(self_of(p, 0, "after", "") == 5);
	ut_reading_done(&r);
}

static void test_tree(void **state)
{
	struct ut_reading r = read_text(HEAD
		"CLK:100000|\n"
		"  samples|      %|\n"
		"------------------\n"
		"       30 75.0000 git\n"
		"        CLK:100000|\n"
		"          samples|      %|\n"
		"        ------------------\n"
		"               20 66.6667 libz.so.1\n"
		"               10\n"
		"33.3333 git\n"
		"       10 25.0000 bash\n"
		"That is all 10 25 of it.\n");
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	p = r.profiles.items[0];
	assert_int_equal(p->n_funcs, 3);
	assert_true(self_of(p, 0, "[unknown]", "libz.so.1") == 20);
	assert_true(self_of(p, 0, "[unknown]", "git") == 10);
	assert_true(self_of(p, 0, "[unknown]", "bash") == 10);
	ut_reading_done(&r);
}

/* Rows that prose below a table cites are not added again. */
static void test_cited_rows(void **state)
{
	struct ut_reading r = read_text(HEAD
		"samples  %        symbol name\n"
		"10        7.8778  alpha\n"
		"warning: /bnx2 could not be found.\n"
		"...\n"
		"4         3.0000  beta\n"
		"We can mend this one:\n"
		"10        7.8778  alpha\n");

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_true(self_of(r.profiles.items[0], 0, "alpha", "") == 10);
	assert_true(self_of(r.profiles.items[0], 0, "beta", "") == 4);
	ut_reading_done(&r);
}

static void test_bad_count(void **state)
{
	struct ut_reading r = read_text(HEAD
		"samples  %        symbol name\n"
		"1e30      7.8778  alpha\n"
		"-3        7.8778  gamma\n"
		"4         3.0000  beta\n");

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.items[0]->n_funcs, 1);
	assert_int_equal(r.diags.n, 3); /* and the note that the list is cut */
	assert_int_equal(r.diags.items[0].line, 4);
	assert_int_equal(r.diags.items[1].line, 5);
	ut_reading_done(&r);
	r = read_text(HEAD "samples  %        symbol name\n1e30 7.8 alpha\n");
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
}

static void test_sniff(void **state)
{
	static const struct {
		const char *text;
		enum pd_sniff want;
	} cases[] = {
		{"samples  %        symbol name\n", PD_SNIFF_YES},
		{"vma      samples  %           symbol name             image\n", PD_SNIFF_YES},
		{"  samples|      %|  samples|      %|\n", PD_SNIFF_YES},
		{"3 samples of 4 were taken\n", PD_SNIFF_NO},
		{"samples  %\n", PD_SNIFF_NO},
		{"  1005 default_idle   15.7031\n", PD_SNIFF_NO},
		{"main;read 5\n", PD_SNIFF_NO},
	};
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_input in = {.path = "in", .bytes = pd_span_of(cases[i].text),
				      .limits = &limits};

		assert_int_equal(pd_format_find("opreport")->sniff(&in), cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_modules),	    cmocka_unit_test(test_indented_rows),
		cmocka_unit_test(test_events),	    cmocka_unit_test(test_tree),
		cmocka_unit_test(test_cited_rows),  cmocka_unit_test(test_bad_count),
		cmocka_unit_test(test_sniff),	    cmocka_unit_test(test_whole_list),
		cmocka_unit_test(test_cleaned_prose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
