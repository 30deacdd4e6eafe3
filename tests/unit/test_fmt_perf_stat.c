/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The perf stat reader: its three forms, what is a block, what is no counter.
 * A reading is compared as text: "SECTION: NAME=VALUE UNIT [+-SD n=N]; ...".
 */
#include "support.h"

#include "ingest/ingest.h"

static const struct pd_limits limits = PD_LIMITS_DEFAULT;

#define BLOCK "\n Performance counter stats for 'true':\n\n"

static void assert_reads(const char *text, const char *want)
{
	ut_assert_metrics(text, NULL, "perf-stat", want);
}

static void test_text(void **state)
{
	(void)state;
	assert_reads(BLOCK
		     "    3.85 msec task-clock      #    0.497 CPUs utilized\n"
		     "  1,234,567      cycles:u     #    1.2 GHz     (83.30%)\n"
		     "   <not supported>      instructions\n"
		     "          7      msr/irperf/\n"
		     "   3.25 Joules power/energy-pkg/\n\n"
		     "  0.25 seconds time elapsed\n\n"
		     "  0.125 seconds user\n"
		     "  0.5 seconds sys\n",
		     ": task-clock=3850000 ns; cycles:u=1234567; instructions=?; msr/irperf/=7; "
		     "power/energy-pkg/=3.25 Joules; time elapsed=250000000 ns; "
		     "user=125000000 ns; sys=500000000 ns\n");
}

static void test_old_text(void **state)
{
	(void)state;
	assert_reads(" Performance counter stats for 'ls':\n\n"
		     "    1255.5  task clock ticks     #      10.143 CPU utilization factor\n"
		     "    2.5  task-clock-msecs   #  0.9 CPUs\n"
		     "    0.5  cpu-clock (msec)\n"
		     "    54011  context switches     #       0.043 M/sec\n"
		     " Wall-clock time elapsed:   123.75 msecs\n",
		     ": task clock ticks=1255500000 ns; task-clock=2500000 ns; "
		     "cpu-clock=500000 ns; context switches=54011; "
		     "time elapsed=123750000 ns\n");
}

static void test_repeated(void **state)
{
	(void)state;
	/* Standard errors of 4 runs: half of a standard deviation. */
	assert_reads(" Performance counter stats for 'system wide' (4 runs):\n\n"
		     "   200      page-faults   #   10 K/sec    ( +-  2.50% )\n"
		     "     0      cpu-migrations\n"
		     "   4.0 +- 0.1 seconds time elapsed  ( +-  2.50% )\n",
		     ": page-faults=200 +-10 n=4; cpu-migrations=0 n=4; "
		     "time elapsed=4000000000 ns +-200000000 n=4\n");
}

static void test_blocks(void **state)
{
	(void)state;
	assert_reads("Some prose with 4 numbers.\n\nBEFORE:\n" BLOCK
		     "  624,833      instructions\n\n"
		     "It is 2 slow, as one sees.\n\n"
		     "# with the patch:\n\n"
		     "   621,690      instructions   #   0.5 insn per cycle\n"
		     "   12      cycles\n",
		     "BEFORE: instructions=624833\n"
		     "with the patch: instructions=621690; cycles=12\n");
	/* A wrapped derivation ends no block. */
	assert_reads(BLOCK
		     "   10      inst_retired.any          # 1254992790.0\n"
		     "                                                    Instructions\n"
		     "   11      cycles\n",
		     ": inst_retired.any=10; cycles=11\n");
}

static void test_places_and_intervals(void **state)
{
	(void)state;
	assert_reads(BLOCK "CPU0      34      context-switches   #  310.821 /sec\n"
		     "S0-D0-C1   2    2.5 msec cpu-clock\n"
		     "vim-123    8      page-faults\n",
		     ": CPU0 context-switches=34; S0-D0-C1 cpu-clock=2500000 ns; "
		     "vim-123 page-faults=8\n");
	assert_reads("#           time             counts unit events\n"
		     "     0.5       3.5 msec task-clock     #    0.070 CPUs utilized\n"
		     "     0.5        63      page-faults\n"
		     "     1.0       1.5 msec task-clock\n"
		     "     1.0    <not counted>      page-faults\n",
		     ": task-clock=5000000 ns; page-faults=63; time elapsed=1000000000 ns\n");
	assert_reads("#           time socket cpus             counts unit events\n"
		     "     0.5 S0        2        10      page-faults\n"
		     "     1.5 S0        2        11      page-faults\n",
		     ": S0 page-faults=21; time elapsed=1500000000 ns\n");
}

static void test_columns(void **state)
{
	(void)state;
	assert_reads(" Performance counter stats for 'system wide' (4 runs):\n"
		     "event                 v5.4          v5.4 + patch\n"
		     "sched:sched_switch      200  ( +- 1.00% )     100  ( +- 2.00% )\n"
		     "Elapsed time in seconds   2.5 +- 0.1 ( +- 4.00% )   "
		     "1.5 +- 0.1 ( +- 6.00% )\n",
		     "v5.4: sched:sched_switch=200 +-4 n=4; "
		     "Elapsed time in seconds=2500000000 ns +-200000000 n=4\n"
		     "v5.4 + patch: sched:sched_switch=100 +-4 n=4; "
		     "Elapsed time in seconds=1500000000 ns +-180000000 n=4\n");
}

static void test_values(void **state)
{
	(void)state;
	assert_reads("3.5,msec,task-clock,3467166,100.00,0.039,CPUs utilized\n"
		     "<not supported>,,cycles,0,100.00,,\n"
		     ",,,,,1.3,CoreIPC\n"
		     "5,,cpu/event=0x3c,umask=0x0/,1,100.00,,\n",
		     ": task-clock=3500000 ns; cycles=?; cpu/event=0x3c,umask=0x0/=5\n");
	assert_reads("S0;2;4.5;msec;cpu-clock;1;100.00;;\nS1;2;5;;page-faults;1;100.00;;\n",
		     ": S0 cpu-clock=4500000 ns; S1 page-faults=5\n");
	assert_reads("480,task-clock\n49,page-faults\n",
		     ": task-clock=480000000 ns; page-faults=49\n");
	assert_reads("0.5,3,,page-faults,1,100.00,,\n1.5,4,,page-faults,1,100.00,,\n",
		     ": page-faults=7; time elapsed=1500000000 ns\n");
	/* Without a mark between them, outputs are repetitions of one run. */
	assert_reads("3,,page-faults,1,100.00,,\n4,,page-faults,1,100.00,,\n",
		     ": page-faults=3,4\n");
	assert_reads("# started on Mon\n\n3,,page-faults,1,100.00,,\n"
		     "# started on Tue\n\n4,,page-faults,1,100.00,,\n",
		     ": page-faults=3\n: page-faults=4\n");
}

static void test_json(void **state)
{
	(void)state;
	assert_reads("{\"counter-value\" : \"0.480427\", \"unit\" : \"msec\", "
		     "\"event\" : \"task-clock\", \"metric-value\" : nan}\n"
		     "{\"counter-value\" : \"<not counted>\", \"unit\" : \"\", "
		     "\"event\" : \"cycles\"}\n"
		     "{\"metric-value\" : 1.5, \"metric-unit\" : \"of all branches\"}\n"
		     "{\"cpu\" : \"3\", \"counter-value\" : \"7.000000\", "
		     "\"event\" : \"faults\"}\n",
		     ": task-clock=480427 ns; cycles=?; CPU3 faults=7\n");
}

static void test_refused(void **state)
{
	struct pd_input in = {.path = "in", .limits = &limits};
	static const char *const texts[] = {
		"2,5,foo\n3,6,bar\n",
		"{\"event\" : \"cycles\"}\n",
		"There are 4 cycles\nand 5 faults\n",
		BLOCK "  S0        8                  2.6\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		in.bytes = pd_span_of(texts[i]);
		assert_int_equal(pd_format_find("perf-stat")->sniff(&in), PD_SNIFF_NO);
	}
	ut_assert_metrics(texts[3], "perf-stat", "perf-stat", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_old_text),
		cmocka_unit_test(test_repeated),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_places_and_intervals),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
