/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The perf report reader: columns by their titles, what makes counts, where a
 * table or a run ends, what is no row.
 */
#define FORMAT "perf-report"
#include "perf_readings.h"

#define COUNTED "# Samples: 8  of event 'cycles'\n# Event count (approx.): 1000\n#\n"
#define RULE "# ........  .......  .............  ......\n#\n"

static void test_counts(void **state)
{
	(void)state;
	assert_reads(COUNTED "# Overhead  Command  Shared Object  Symbol\n" RULE
		     "    60.00%  cc1      cc1            [.] a\n"
		     "    10.00%  as       cc1            [.] a\n"
		     "    20.00%  cc1      [kernel]       [k] b\n"
		     "     5.00%  cc1      [kernel]       [k] 0xffffffff81000000\n",
		     "{cycles events 1000: cc1!a=700 [kernel]!b=200 [kernel]![unknown]=50 "
			"[unlisted]=50}");
	/* An exact number of samples, or the sum of periods that old perf calls so. */
	assert_reads("# Samples: 200 of event 'cycles'\n  60.00%  cc1  cc1  [.] a\n",
		     "{cycles samples 200: cc1!a=120 [unlisted]=80}");
	assert_reads("# Samples: 2000000\n  60.00%  cc1  cc1  [.] a\n",
		     "{samples events 2e+06: cc1!a=1.2e+06 [unlisted]=8e+05}");
	assert_reads("# Samples: 39K of event 'cycles'\n  60.00%  cc1  cc1  [.] a\n",
		     "{cycles percent 100: cc1!a=60 [unlisted]=40}");
	assert_reads("# Events: 31K cycles\n  60.00%  cc1  cc1  [.] a\n",
		     "{cycles percent 100: cc1!a=60 [unlisted]=40}");
	/* Clocks count ns. */
	assert_reads("# Samples: 1K of event 'cpu-clock:u'\n# Event count (approx.): 500\n"
		     "  60.00%  cc1  cc1  [.] a\n",
		     "{cpu-clock:u ns 500: cc1!a=300 [unlisted]=200}");
}

static void test_rounding(void **state)
{
	struct ut_reading r = ut_read(COUNTED "  60.00%  cc1  cc1  [.] a\n", FORMAT, NULL);
	const struct pd_event *e = &r.profiles.items[0]->events[0];

	(void)state;
	assert_true(e->quantum == 0.1);
	assert_true(e->n_samples == 8);
	assert_true(e->is_cut);
	ut_reading_done(&r);
	r = ut_read("# Samples: 39K of event 'cycles'\n  60.0%  cc1  cc1  [.] a\n", FORMAT, NULL);
	e = &r.profiles.items[0]->events[0];
	assert_true(e->quantum == 0.1);
	assert_false(pd_is_known(e->n_samples));
	ut_reading_done(&r);
	r = ut_read("Samples: 8\nEvent count: 500\n60.0%  cc1  cc1  [.] a\n", FORMAT, NULL);
	assert_true(r.profiles.items[0]->events[0].n_samples == 8);
	ut_reading_done(&r);
}

static void test_exact_columns(void **state)
{
	(void)state;
	assert_reads(COUNTED "#  Period  Samples  Overhead  Symbol\n"
		     "       601        5    60.00%  [.] a\n"
		     "       399        3    40.00%  [.] b\n",
		     "{cycles events 1000: a=601//5 b=399//3}");
	/* Without a total, samples are the costs; the list is whole if its shares are. */
	assert_reads("# Overhead  Samples  Symbol\n    60.00%        5  [.] a\n    40.00%        "
		"3  [.] b\n",
		     "{samples samples 8: a=5//5 b=3//3}");
	assert_reads("# Overhead  Samples  Symbol\n    60.00%        5  [.] a\n",
		     "{samples samples: a=5//5}");
	assert_reads("    60.00%        5  cc1  cc1  [.] a\n", "{samples samples: cc1!a=5//5}");
	/* Behind the symbol. */
	assert_reads(COUNTED "# Overhead  Symbol    Period  IPC   [IPC Coverage]\n"
		     "    60.00%  [.] void f<a, b>(int) const     600  1.2   [ 50.0%]\n",
		     "{cycles events 1000: void f<a, b>(int) const=600 [unlisted]=400}");
}

static void test_columns(void **state)
{
	(void)state;
	/* The module by its title, wherever it is; no title, no module. */
	assert_reads("# Overhead  Symbol  Shared Object  Command\n  60.00%  [.] a   libc.so  cc1\n",
		     "{percent percent 100: libc.so!a=60 [unlisted]=40}");
	assert_reads("# Overhead  Command  Symbol\n  60.00%  cc1   [.] a\n",
		     "{percent percent 100: a=60 [unlisted]=40}");
	/* Empty cells before it, blanks in it, a CPU that looks like another number. */
	assert_reads("# Overhead  CPU  Source File  Shared Object  Symbol\n"
		     "    60.00%  003                libc.so (deleted)  [.] a\n",
		     "{percent percent 100: libc.so (deleted)!a=60 [unlisted]=40}");
	/* Source and target of a branch, whose data is where. */
	assert_reads("# Overhead  Source Shared Object  Source Symbol  Target Symbol\n"
		     "    60.00%  libc.so   [.] a   [.] b\n",
		     "{percent percent 100: libc.so!a=60 [unlisted]=40}");
	assert_reads("# Overhead  Data Symbol  Symbol  Shared Object\n"
		     "    60.00%  [.] data   [k] a   vmlinux\n",
		     "{percent percent 100: vmlinux!a=60 [unlisted]=40}");
	/* -v, a terminal's fold marks, what TeX needs. */
	assert_reads("+  60.00%  cc1  /usr/bin/cc1  0x78cd0            B [.] a\n"
		     "-   7.00%  cc1  /usr/bin/cc1  0xffff ! [k] b   \\\\\n",
		     "{percent percent 100: /usr/bin/cc1!a=60 /usr/bin/cc1!b=7 [unlisted]=33}");
	/* No marks at all. */
	assert_reads("Event: cpu-cycles (type 0, code 0)\nSamples: 8\nEvent count: 1000\n"
		     "Overhead  Command  Pid   Shared Object  Symbol\n"
		     "60.00%    Thread-2  6885  base.odex      void Main$1.run(int, int)\n",
		     "{cpu-cycles events 1000: base.odex!void Main$1.run(int, int)=600 "
			"[unlisted]=400}");
}

static void test_children(void **state)
{
	(void)state;
	assert_reads("# Children      Self  Command  Symbol\n"
		     "    70.00%     1.00%  cc1      [.] main\n    20.00%    30.00%  cc1      "
			"[.] a\n",
		     "{percent percent 100: main=1/70/ a=30/20/ [unlisted]=69}");
	/* Without titles: children, if they are never less. */
	assert_reads("  70.00%   1.00%  cc1  [.] main\n  30.00%  30.00%  cc1  [.] a\n",
		     "{percent percent 100: cc1!main=1/70/ cc1!a=30/30/ [unlisted]=69}");
	assert_reads("  70.00%   1.00%  cc1  [.] main\n  20.00%  30.00%  cc1  [.] a\n",
		     "{event 1 percent 100: cc1!main=70 cc1!a=20 [unlisted]=10}"
		     "{event 2 percent 100: cc1!main=1 cc1!a=30 [unlisted]=69}");
}

static void test_groups(void **state)
{
	(void)state;
	/* The total is of all of them; one of them may have had no sample. */
	assert_reads("# Samples: 8 of events 'cpu/config=1,umask=2/, instructions'\n"
		     "# Event count (approx.): 1000\n#         Overhead  Symbol\n"
		     "    60.00%   0.00%  [.] a\n",
		     "{cpu/config=1,umask=2/ percent 100: a=60 [unlisted]=40}{instructions "
			"percent 0: a=0}");
	assert_reads("# Samples: 8 of event 'anon group { cycles, instructions }'\n"
		     "#    Overhead   Samples  Symbol\n    60.00%  30.00%  6  3  [.] a\n",
		     "{cycles samples: a=6//6}{instructions samples: a=3//3}");
	assert_reads("# Samples: 8 of events 'cycles, instructions'\n"
		     "#    Overhead, Samples,Symbol\n 60.00% 30.00%,6 3,[.] a\n",
		     "{cycles samples: a=6//6}{instructions samples: a=3//3}");
}

static void test_separated(void **state)
{
	(void)state;
	assert_reads(COUNTED "# Overhead,     Samples,Command,Shared Object,Symbol\n"
		     " 60.00%  ,  5 ,GC, Thread,[.] a\n 5.00,1,,,[.] b\n",
		     "{cycles events 1000: Thread!a=600//5 b=50//1 [unlisted]=350}");
	assert_reads("# Overhead\tShared Object\tSymbol\n60.00%\t\t[.] f(int, int)\n",
		     "{percent percent 100: f(int, int)=60 [unlisted]=40}");
	assert_reads("# Period|Symbol\n60|[.] a\n40|[.] b\n",
		     "{samples events: a=60 b=40}");
}

static void test_hierarchy(void **state)
{
	(void)state;
	assert_reads("#   Overhead  Command / Shared Object / Symbol\n"
		     "    70.00%        perf\n"
		     "       60.00%        vmlinux\n"
		     "           50.00%        [k] a\n"
		     "           10.00%        [k] 0xffff\n"
		     "       10.00%        libc.so\n"
		     "           10.00%        [.] a\n"
		     "    30.00%        cc1\n"
		     "       30.00%        vmlinux\n"
		     "           30.00%        [k] a\n",
		     "{percent percent 100: vmlinux!a=80 libc.so!a=10 vmlinux![unknown]=10}");
}

static void test_graphs(void **state)
{
	(void)state;
	assert_reads(COUNTED "# Overhead  Command  Symbol\n#\n"
		     "    60.00%  cc1      [.] a\n"
		     "            |\n"
		     "            |--41.02%--b\n"
		     "            |          std::f(int, long)\n"
		     "             --1.00%-- [...]\n"
		     "\n"
		     "            3.28%\n"
		     "                c\n"
		     "3.28% d;e;f\n"
		     "--15.01%--wrapped_frame\n"
		     "wrapped_frame\n"
		     "\n"
		     "    20.00%  cc1      [.] b\n",
		     "{cycles events 1000: a=600 b=200 [unlisted]=200}");
}

static void test_mails(void **state)
{
	(void)state;
	/* A name on the next line, a title on the next line, quotes, no-break spaces. */
	assert_reads("> # Overhead  Command  Shared Object\n> Symbol\n"
		     "> \xc2\xa0 60.00%  cc1  libc.so  [.]\n> a_long_name\n"
		     ">   20.00%  cc1\n>  [kernel]  [k] b\n",
		     "{percent percent 100: libc.so!a_long_name=60 [kernel]!b=20 [unlisted]=20}");
	/* Prose ends a table. */
	assert_reads("Before:\n  60.00%  cc1  cc1  [.] a\n\nAfter:\n  50.00%  cc1  cc1  [.] a\n"
		     "\nAnd here is one more of them, for the whole system and all its users.\n"
		     "  40.00%  cc1  cc1  [.] a\n",
		     "Before{percent percent 100: cc1!a=60 [unlisted]=40} "
		     "After{percent percent 100: cc1!a=50 [unlisted]=50} "
		     "{percent percent 100: cc1!a=40 [unlisted]=60}");
	/* A title is kept, a sentence is none, and nor is what a shell says. */
	assert_reads("After the patch:\n\nWe see less of it, as we should.\n"
		     "[root@host ~]# perf report\n  60.00%  cc1  cc1  [.] a\n\n"
		     "Linux 6.1\n\nNow all is well again.\n  50.00%  cc1  cc1  [.] a\n",
		     "After the patch{percent percent 100: cc1!a=60 [unlisted]=40} "
		     "{percent percent 100: cc1!a=50 [unlisted]=50}");
	/* Other columns are another table. */
	assert_reads("  60.00%  cc1  cc1  [.] a\n  50.00%  10.00%  cc1  cc1  [.] a\n",
		     "{percent percent 100: cc1!a=60 [unlisted]=40} "
		     "{percent percent 100: cc1!a=10/50/ [unlisted]=90}");
}

#define EVENT(name) "# Samples: 8  of event '" name "'\n#\n# Overhead  Symbol\n#\n"

static void test_runs(void **state)
{
	(void)state;
	/* Several events of one recording, and the same event again. */
	assert_reads(EVENT("cycles") "  50.00%  [.] a\n\n" EVENT("faults") "  25.00%  [.] b\n"
		     "\n" EVENT("cycles") "  75.00%  [.] a\n",
		     "{cycles samples 8: a=4 [unlisted]=4}{faults samples 8: b=2 [unlisted]=6} "
		     "{cycles samples 8: a=6 [unlisted]=2}");
	assert_reads(EVENT("cycles") "  50.00%  [.] a\n"
		     "# To display the perf.data header info, please use --header options.\n"
		     EVENT("faults") "  25.00%  [.] b\n",
		     "{cycles samples 8: a=4 [unlisted]=4} {faults samples 8: b=2 [unlisted]=6}");
}

static void test_recording(void **state)
{
	struct ut_reading r = ut_read("# ========\n# captured on    : Mon Nov 30 19:32:14 2026\n"
				      "# hostname : host\n# os release : 6.1.0-53\n"
				      "# cpudesc : Some(R) CPU @ 3.10GHz\n"
				      "# cmdline : /usr/bin/perf record -a sleep 1 \n"
				      "# sample duration :   1003.221 ms\n"
				      "# Total Lost Samples: 3\n#\n"
				      COUNTED "# Overhead  Symbol\n  60.00%  [.] a\n", NULL, NULL);
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	p = r.profiles.items[0];
	assert_string_equal(p->format, "perf-report");
	assert_string_equal(p->kernel, "6.1.0-53");
	assert_string_equal(p->cpu, "Some(R) CPU @ 3.10GHz");
	assert_string_equal(p->command, "/usr/bin/perf record -a sleep 1");
	assert_true(p->started_s == 1796067134);
	assert_true(p->duration_ns == 1003221000);
	assert_true(p->events[0].n_lost == 3);
	ut_reading_done(&r);
}

static void test_bad_lines(void **state)
{
	(void)state;
	assert_reads("# Overhead  Samples  Symbol\n"
		     "    50.00%        5  [.] a\n"
		     "  5000.00%        5  [.] b\n"
		     "    50.00%  1e17  [.] b\n"
		     "    50.00%  [.] b\n"
		     "    50.00%  10.00%  5  [.] b\n"
		     "    50.00%        4  [.] c\n",
		     "{samples samples 9: a=5//5 c=4//4}"
		     " 3:expected a percentage; line skipped"
		     " 4:expected a count up to 2^53; line skipped"
		     " 5:expected a number in each column; line skipped"
		     " 6:expected as many percentages as in the rows above; line skipped");
	assert_reads("# Children      Self  Symbol\n  50.00%  40.00%  30.00%  [.] a\n"
		     "  50.00%  40.00%  [.] b\n",
		     "{percent percent 100: b=40/50/ [unlisted]=60}"
		     " 2:expected one percentage for each event; line skipped");
}

static void test_sniff(void **state)
{
	(void)state;
	assert_int_equal(sniff(FORMAT, "  60.00%  cc1  cc1  [.] a\n"), PD_SNIFF_YES);
	assert_int_equal(sniff(FORMAT, "# Overhead  Command  Symbol\n"), PD_SNIFF_YES);
	assert_int_equal(sniff(FORMAT, "60.00% of [k] b\n--5%--a\n 5 [.] b\n"), PD_SNIFF_YES);
	assert_int_equal(sniff(FORMAT, "  60.00  cc1  cc1  [.] a\n"), PD_SNIFF_NO);
	assert_int_equal(sniff(FORMAT, "  60.00% |      mov    %rbx,(%rsp)\n"), PD_SNIFF_NO);
	assert_int_equal(sniff(FORMAT, "# Baseline  Delta  Symbol\n  60.00%  cc1  [.] a\n"),
			 PD_SNIFF_NO);
	assert_int_equal(sniff(FORMAT, "  60.00%  +1.00%  cc1  [.] a\n"), PD_SNIFF_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_exact_columns),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_children),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_separated),
		cmocka_unit_test(test_hierarchy),
		cmocka_unit_test(test_graphs),
		cmocka_unit_test(test_mails),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_recording),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
