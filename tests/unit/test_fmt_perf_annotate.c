/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf annotate: what a function costs in each of its forms, labels, what is refused.
 */
#include "support.h"

#include <stdlib.h>

#define HEAD(kind, rest) " " kind " |\tSource code & Disassembly of " rest "\n----\n"
#define LABEL "         : 5    0000000000001147 <leaf>:\n"

/* A text is read with so many diagnostics as "TOTAL: NAME@MODULE=EVENT,EVENT ...". */
static void assert_read(const char *text, size_t n_diags, const char *want)
{
	struct ut_reading r = ut_read(text, NULL, NULL);
	const struct pd_profile *p;
	struct pd_buf have = {0};

	ut_assert_text(text, r.err.msg, "");
	p = r.profiles.items[0];
	assert_string_equal(p->format, "perf-annotate");
	for (uint32_t e = 0; e < p->n_events; e++)
		pd_buf_printf(&have, "%s %s;", pd_strtab_get(&p->strings, p->events[e].name),
			      pd_unit_name(p->events[e].unit));
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		pd_buf_printf(&have, " %s@%s=", pd_strtab_get(&p->strings, p->funcs[i].name),
			      pd_strtab_get(&p->strings, p->funcs[i].module));
		for (uint32_t e = 0; e < p->n_events; e++)
			pd_buf_printf(&have, "%s%.10g", e ? "," : "",
				      pd_profile_weight(p, i, e)->self);
	}
	ut_assert_text(text, have.ptr, want);
	assert_int_equal(r.diags.n, n_diags);
	pd_buf_done(&have);
	ut_reading_done(&r);
}

static void assert_refused(const char *text, int rc)
{
	struct ut_reading r = ut_read(text, "perf-annotate", NULL);

	assert_int_equal(r.rc, rc);
	ut_reading_done(&r);
}

static void test_kinds(void **state)
{
	(void)state;
	assert_read(HEAD("Percent", "a for cycles:u (7 samples, percent: local period)") LABEL
		    " 99.00 : 1: nop\n  1.00 : 2: ret\n", 0, "cycles:u samples; leaf@a=7");
	assert_read(HEAD("Samples", "a for cycles (7 samples)") LABEL
		    " 5 : 1: nop\n 0 : 2: ret\n 1 : 3: nop\n", 0, "cycles samples; leaf@a=6");
	assert_read(HEAD("Period ", "a for cpu-clock:u (7 samples)") LABEL
		    " 5000 : 1: nop\n 77 : 2: ret\n", 0, "cpu-clock:u ns; leaf@a=5077");
	/* Without an event; a function that is there twice. */
	assert_read(HEAD("Samples", "a") LABEL " 5 : 1: nop\n"
		    HEAD("Samples", "a") LABEL " 6 : 1: nop\n", 0, "samples samples; leaf@a=11");
}

static void test_groups(void **state)
{
	(void)state;
	assert_read(HEAD("Samples         ", "a for anon group { x, y:u, z } (7 samples)") LABEL
		    "  5   1  0 : 1: nop\n  2  0  4 : 2: ret\n", 0,
		    "x samples;y:u samples;z samples; leaf@a=7,1,4");
	assert_read(HEAD("Percent         ", "a for grp { x, y } (7 samples)") LABEL
		    "  50  100 : 1: nop\n  50  0 : 2: ret\n", 1,
		    "x samples;y samples; leaf@a=7,nan");
}

static void test_labels(void **state)
{
	(void)state;
	assert_read(HEAD("Samples", "a for c (1 samples)")
		    " : 00001147 <f<int>(g::h<2>)>:\n 1 : 1: nop\n : 00001149 <inner>:\n", 0,
		    "c samples; f<int>(g::h<2>)@a=1");
	/* The label of a part of memory, and of a section; a symbol that looks like one. */
	assert_read(HEAD("Samples", "kcore for c (1 samples)") " : Disassembly of section load3:\n"
		    " : 3 ffffffff81000000 <load3>:\n 1 : 1: nop\n", 1,
		    "c samples; [unknown]@kcore=1");
	assert_read(HEAD("Samples", "a for c (1 samples)") " : Disassembly of section .text:\n"
		    " : 3 ffffffff81000000 <load3>:\n 1 : 1: nop\n", 0, "c samples; load3@a=1");
	assert_read(HEAD("Samples", "a for c (1 samples)") " : 00001147 <.text+0x7>:\n 1 : 1: n\n",
		    1, "c samples; [unknown]@a=1");
	/* Lines of source are no labels. */
	assert_read(HEAD("Samples", "a for c (1 samples)") " : 5 if (a <b>:\n" LABEL " 1 : 1: n\n",
		    0, "c samples; leaf@a=1");
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused(HEAD("Percent", "vmlinux") LABEL " 100.00 : 1: nop\n", PD_ERR_FORMAT);
	assert_refused(HEAD("Percent", "vmlinux for c") LABEL " 100.00 : 1: nop\n", PD_ERR_FORMAT);
	assert_refused(HEAD("Samples", "vmlinux for c (1 samples)") LABEL, PD_ERR_FORMAT);
	assert_refused("no heading\n", PD_ERR_EMPTY);
	/* One that can be read is enough, and columns must be those of events. */
	assert_read(HEAD("Percent", "a for c") LABEL " 100.00 : 1: nop\n"
		    HEAD("Samples", "a for c (4 samples)") LABEL " 3 1 : 1: n\n 3 : 1: n\n", 2,
		    "c samples; leaf@a=3");
}

static void test_left_to_others(void **state)
{
	struct ut_reading r = ut_read("# Overhead  Command  Symbol\n# ........\n"
				      "  99.00%  prog  [.] leaf\n\n"
				      HEAD("Samples", "a for c (1 samples)") LABEL " 1 : 1: n\n",
				      NULL, NULL);

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_string_equal(r.profiles.items[0]->format, "perf-report");
	ut_reading_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),   cmocka_unit_test(test_groups),
		cmocka_unit_test(test_labels),  cmocka_unit_test(test_refused),
		cmocka_unit_test(test_left_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
