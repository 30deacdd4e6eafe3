/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bench reader: each shape, what it takes for a unit, a side, a repetition,
 * and what it must leave to others. Readings as ut_assert_metrics() has them.
 */
#include "support.h"

#include "ingest/ingest.h"
#include "ingest/quantity.h"

static const struct pd_limits limits = PD_LIMITS_DEFAULT;

static void assert_reads(const char *text, const char *want)
{
	ut_assert_metrics(text, NULL, "bench", want);
}

static void test_quantities(void **state)
{
	static const struct {
		const char *text;
		double value;
		const char *unit;
		enum pd_better better;
	} cases[] = {
		{"23475ns", 23475, "ns", PD_BETTER_LOWER},
		{"830.3 seconds", 830300000000, "ns", PD_BETTER_LOWER},
		{"1.5 usecs", 1500, "ns", PD_BETTER_LOWER},
		{"2 \xc2\xb5s", 2000, "ns", PD_BETTER_LOWER},
		{"3 min", 180e9, "ns", PD_BETTER_LOWER},
		{"9,709,248 bytes", 9709248, "bytes", PD_BETTER_LOWER},
		{"4 KiB", 4096, "bytes", PD_BETTER_LOWER},
		{"5 kbytes", 5120, "bytes", PD_BETTER_LOWER},
		{"2 MB/s", 2097152, "bytes/s", PD_BETTER_HIGHER},
		{"3511 ops/sec", 3511, "ops/s", PD_BETTER_HIGHER},
		{"248 B/op", 248, "bytes", PD_BETTER_LOWER},
		{"9 usecs/op", 9000, "ns", PD_BETTER_LOWER},
		{"99.5%", 99.5, "percent", PD_BETTER_UNKNOWN},
		{"-576 bytes", -576, "bytes", PD_BETTER_LOWER},
		{"+229", 229, "", PD_BETTER_UNKNOWN},
		{"7 widgets", 7, "widgets", PD_BETTER_UNKNOWN},
		{"1,254,992.5", 1254992.5, "", PD_BETTER_UNKNOWN},
	};
	static const char *const none[] = {"",    "ns",  "12x",   "12,34",
					   "1 2", "--3", "1.2.3", "5 a b"};
	struct pd_quantity q;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(pd_quantity_parse(pd_span_of(cases[i].text), &q));
		ut_assert_same(q.value, cases[i].value);
		assert_true(pd_span_eq(q.unit, cases[i].unit));
		assert_int_equal(q.better, cases[i].better);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		assert_false(pd_quantity_parse(pd_span_of(none[i]), &q));
}

static void test_columns_are_sides(void **state)
{
	(void)state;
	assert_reads("\t\t  inline           non-inline       diff\n"
		     "vmlinux size      9709248 bytes    9709824 bytes    -576 bytes\n"
		     "fork time         23475ns          24638ns          -4.7%\n"
		     "do_wp_page size   972              743              +229\n",
		     "inline: vmlinux size=9709248 bytes; fork time=23475 ns; "
		     "do_wp_page size=972\n"
		     "non-inline: vmlinux size=9709824 bytes; fork time=24638 ns; "
		     "do_wp_page size=743\n");
	/* The unit stands behind the last column, and is that of the row. */
	assert_reads("Unixbench-4.2.0        2.4.18rc2aa2  2.4.18-rc2\n"
		     "Execl Throughput              381.0       303.7 lps\n"
		     "Shell Scripts (16)             48.0        42.7 lpm\n",
		     "2.4.18rc2aa2: Execl Throughput=381 lps; Shell Scripts (16)=48 lpm\n"
		     "2.4.18-rc2: Execl Throughput=303.7 lps; Shell Scripts (16)=42.7 lpm\n");
	/* A spread belongs to the value before it, a missing cell is unknown. */
	assert_reads("        before          after\n"
		     "read    12.5 +- 0.3 us  11.9 +- 0.2 us\n"
		     "write   40.5 us +- 10%  -\n",
		     "before: read=12500 ns +-300; write=40500 ns +-4050\n"
		     "after: read=11900 ns +-200; write=? ns\n");
}

static void test_rows_are_sides(void **state)
{
	(void)state;
	assert_reads("              Avg of 3 runs\n"
		     "2.5.69-mm5    830.3 seconds\n"
		     "2.5.70        732.8\n",
		     "2.5.69-mm5: Avg of 3 runs=830300000000 ns n=3\n"
		     "2.5.70: Avg of 3 runs=732800000000 ns n=3\n");
	assert_reads("Kernbench: (make -j vmlinux)\n"
		     "                 Elapsed      System\n"
		     "   2.5.70-mm3      45.93      115.28\n"
		     "   2.5.70-mm4      45.64      114.54\n"
		     "\n"
		     "DISCLAIMER: the names are registered.\n"
		     "\n"
		     "SDET 1  (see disclaimer)\n"
		     "              Throughput    Std. Dev\n"
		     "   2.5.70-mm3     100.0%        3.7%\n"
		     "   2.5.70-mm4      88.5%       10.9%\n",
		     "2.5.70-mm3: [Kernbench: (make -j vmlinux)] Elapsed=45.93; "
		     "[Kernbench: (make -j vmlinux)] System=115.28; "
		     "[SDET 1  (see disclaimer)] Throughput=100 percent; "
		     "[SDET 1  (see disclaimer)] Std. Dev=3.7 percent\n"
		     "2.5.70-mm4: [Kernbench: (make -j vmlinux)] Elapsed=45.64; "
		     "[Kernbench: (make -j vmlinux)] System=114.54; "
		     "[SDET 1  (see disclaimer)] Throughput=88.5 percent; "
		     "[SDET 1  (see disclaimer)] Std. Dev=10.9 percent\n");
}

static void test_mmtests(void **state)
{
	(void)state;
	assert_reads("specjbb\n"
		     "                    5.9.0-rc4        5.9.0-rc4\n"
		     "                      vanilla            patch\n"
		     "Hmean  tput-1   46425.00 (   0.00%)  43394.00 *  -6.53%*\n"
		     "Hmean  tput-2   98416.00 (   0.00%)  96031.00 *  -2.42%*\n"
		     "\n"
		     "Duration User   1.61   1.52\n",
		     "vanilla: Hmean tput-1=46425; Hmean tput-2=98416; Duration User=1.61\n"
		     "patch: Hmean tput-1=43394; Hmean tput-2=96031; Duration User=1.52\n");
	/* A name may end in a number; a second table is told apart by its title. */
	assert_reads("pipes:\n"
		     "            Baseline          Patched\n"
		     "Amean   1   0.5  ( 0.00%)     0.25  ( 2.79%)\n"
		     "\n"
		     "sockets:\n"
		     "            Baseline          Patched\n"
		     "Amean   1   1.5  ( 0.00%)     1.25  ( 2.79%)\n",
		     "Baseline: [pipes] Amean 1=0.5; [sockets] Amean 1=1.5\n"
		     "Patched: [pipes] Amean 1=0.25; [sockets] Amean 1=1.25\n");
	assert_reads("Hmean  a   1.00 (   0.00%)  2.00 *  100.00%*  3.00 * 200.00%*\n"
		     "Hmean  b   1.00 (   0.00%)  2.00 *  100.00%*  3.00 * 200.00%*\n",
		     "column 1: Hmean a=1; Hmean b=1\n"
		     "column 2: Hmean a=2; Hmean b=2\n"
		     "column 3: Hmean a=3; Hmean b=3\n");
}

static void test_better(void **state)
{
	static const char text[] = "Some a  2.0 ( 0.00%)  3.0 ( 50.00%)\n"
				   "Some b  2.0 ( 0.00%)  3.0 ( -50.00%)\n"
				   "Some c  2.0 ( 0.00%)  2.0 ( 0.00%)\n";
	static const enum pd_better want[] = {PD_BETTER_HIGHER, PD_BETTER_LOWER,
					      PD_BETTER_UNKNOWN};
	struct pd_input in = {.path = "in", .bytes = pd_span_of(text), .limits = &limits};
	struct pd_profiles ps = {0};
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_ingest_bytes(&in, NULL, &ps, &err), PD_OK);
	assert_int_equal(ps.items[0]->n_metrics, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(ps.items[0]->metrics[i].better, want[i]);
	pd_profiles_done(&ps);
}

static void test_go(void **state)
{
	(void)state;
	assert_reads("goos: linux\npkg: a\n"
		     "BenchmarkX-8   100   123 ns/op   45.5 MB/s   16 B/op   2 allocs/op\n"
		     "BenchmarkX-8   100   124 ns/op\n"
		     "pkg: b\nBenchmarkX-8   100   246 ns/op\nPASS\n",
		     ": BenchmarkX-8=123,124 ns; BenchmarkX-8 MB/s=45500000 bytes/s; "
		     "BenchmarkX-8 B/op=16 bytes; BenchmarkX-8 allocs/op=2 allocs/op; "
		     "[b] BenchmarkX-8=246 ns\n");
}

static void test_tools(void **state)
{
	(void)state;
	assert_reads("# Running 'sched/pipe' benchmark:\n# Executed 10 operations\n\n"
		     "     Total time: 0.25 [sec]\n\n      26.5 usecs/op\n     38112 ops/sec\n"
		     "# Running 'mem/memcpy' benchmark:\n# function 'default' (of glibc)\n"
		     "      2.0 KB/sec\n",
		     ": sched/pipe Total time=250000000 ns; sched/pipe usecs/op=26500 ns; "
		     "sched/pipe ops/sec=38112 ops/s; mem/memcpy default KB/sec=2048 bytes/s\n");
	assert_reads("before:\n# Running 'a/b' benchmark:\n Total time: 0.5 [sec]\n"
		     "after:\n# Running 'a/b' benchmark:\n Total time: 0.25 [sec]\n",
		     "before: a/b Total time=500000000 ns\nafter: a/b Total time=250000000 ns\n");
	assert_reads("\tCommand being timed: \"make\"\n\tUser time (seconds): 0.5\n"
		     "\tPercent of CPU this job got: 9%\n"
		     "\tElapsed (wall clock) time (h:mm:ss or m:ss): 1:02:03.5\n"
		     "\tMaximum resident set size (kbytes): 2\n\tPage size (bytes): 4096\n"
		     "\tExit status: 0\n"
		     "\tCommand being timed: \"make\"\n\tUser time (seconds): 0.25\n",
		     ": User time=500000000,250000000 ns; Percent of CPU this job got=9 percent; "
		     "Elapsed (wall clock) time=3.7235e+12 ns; "
		     "Maximum resident set size=2048 bytes\n");
	assert_reads("\nreal\t1m2.500s\nuser\t0m0.250s\nsys\t0m0.000s\n",
		     ": real=62500000000 ns; user=250000000 ns; sys=0 ns\n");
	assert_reads("fork_time 23475 ns\nfork_time 23502 ns\n# a comment\nsize: 2 KB\nruns = 3\n",
		     ": fork_time=23475,23502 ns; size=2048 bytes; runs=3\n");
}

static void test_left_to_others(void **state)
{
	static const char *const texts[] = {
		"foo 12\nbar 13\n",
		"main;foo 12\n",
		"            2.5.70-mm4 2.5.70-mm3\n  do_page_fault   53727  103744\n"
		"  copy_mm         13690   14913\n",
		"  Function           Hit    Time            Avg\n"
		"  --------           ---    ----            ---\n"
		"  schedule           10     672147607 us    65295.08 us\n"
		"  do_idle            14     117893604 us    8420971 us\n",
		"   2256919 \xc2\xb1  5%    +114.2%    4833919 \xc2\xb1  2%  "
		"will-it-scale.16.threads\n",
		"There are 4 of them\nand 5.5 of those\n",
		"{\"results\": 3}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct pd_input in = {.path = "in", .bytes = pd_span_of(texts[i]),
				      .limits = &limits};

		if (pd_format_find("bench")->sniff(&in) != PD_SNIFF_NO)
			fail_msg("%s", texts[i]);
		ut_assert_metrics(texts[i], "bench", "bench", NULL);
	}
}

/* Results beside a profile leave the text to the reader of the profile. */
static void test_beside_profile(void **state)
{
	static const char results[] = "# Running 'sched/pipe' benchmark:\n"
				      "     Total time: 0.284 [sec]\n";
	struct pd_buf text = {0};
	struct pd_input in = {.path = "in", .bytes = pd_span_of(results), .limits = &limits};
	struct ut_reading r;

	(void)state;
	assert_int_equal(pd_format_find("bench")->sniff(&in), PD_SNIFF_YES);
	pd_buf_printf(&text, "A profile:\n\n    95.93%%  [kernel]  [k] osq_lock\n\n%s", results);
	in.bytes = pd_buf_span(&text);
	assert_int_equal(pd_format_find("bench")->sniff(&in), PD_SNIFF_MAYBE);
	r = ut_read(text.ptr, NULL, NULL);
	assert_int_equal(r.rc, PD_OK);
	assert_string_equal(r.profiles.items[0]->format, "perf-report");
	ut_reading_done(&r);
	pd_buf_done(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantities),
		cmocka_unit_test(test_columns_are_sides),
		cmocka_unit_test(test_rows_are_sides),
		cmocka_unit_test(test_mmtests),
		cmocka_unit_test(test_better),
		cmocka_unit_test(test_go),
		cmocka_unit_test(test_tools),
		cmocka_unit_test(test_left_to_others),
		cmocka_unit_test(test_beside_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
