/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf script: what lines are, how samples are added up, what a request leaves out.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "ingest/perf_script.h"

/* "KIND comm|pid/tid|cpu|time|period|event|rest": what the first line of a sample says. */
static void assert_head(const char *line, const char *want)
{
	static const char *const kinds[] = {"none", "likely", "sure"};
	struct pd_script_head h;
	enum pd_script_head_kind kind = pd_script_parse_head(pd_span_of(line), &h);
	char have[512];

	if (kind == PD_SCRIPT_NONE)
		(void)snprintf(have, sizeof(have), "none");
	else
		(void)snprintf(have, sizeof(have), "%s %.*s|%d/%d|%d|%g|%g|%.*s|%.*s", kinds[kind],
			       PD_SPAN_ARG(h.comm), (int)h.pid, (int)h.tid, (int)h.cpu,
			       pd_is_known(h.time_s) ? h.time_s : -1,
			       pd_is_known(h.period) ? h.period : -1, PD_SPAN_ARG(h.event),
			       PD_SPAN_ARG(pd_span_trim(h.rest)));
	ut_assert_text(line, have, want);
}

static void test_heads(void **state)
{
	(void)state;
	assert_head("dd 29776 666.771979:   10101010 cpu-clock:",
		    "sure dd|-1/29776|-1|666.772|1.0101e+07|cpu-clock|");
	assert_head("iperf 27409/28744 [001] 441.133575: cpu-clock:",
		    "sure iperf|27409/28744|1|441.134|-1|cpu-clock|");
	assert_head("  top  4694/4694  [006]   367.297328:  instructions:k:  ffe4 [unknown] 0xf/0",
		    "sure top|4694/4694|6|367.297|-1|instructions:k|ffe4 [unknown] 0xf/0");
	assert_head("a b  7 8  9 [000]   100.000001:       500 cycles:",
		    "sure a b  7 8|-1/9|0|100|500|cycles|");
	assert_head("8 - x: 1.2 [9]  1234/5678 [001]   9.000001:      10000 cycles:",
		    "sure 8 - x: 1.2 [9]|1234/5678|1|9|10000|cycles|");
	assert_head("f  9566 [001] 184.191157: kmem:kfree: call_site=fff ptr=(nil)",
		    "sure f|-1/9566|1|184.191|-1|kmem:kfree|call_site=fff ptr=(nil)");
	assert_head("f 9 K 1.000000001: 7 raw 0x1a8: ff00 x (y)",
		    "sure f|-1/9|-1|1|7|raw 0x1a8|ff00 x (y)");
	/* Without a time, an event or a thread it is a sample if frames follow. */
	assert_head("java 19983 cycles:", "likely java|-1/19983|-1|-1|-1|cycles|");
	assert_head("java 19983    1000000 cycles:", "likely java|-1/19983|-1|-1|1e+06|cycles|");
	assert_head("worker 3  1234 cycles:", "likely worker 3|-1/1234|-1|-1|-1|cycles|");
	assert_head("dd 12 1.000001:", "sure dd|-1/12|-1|1|-1||");
	assert_head("dd 12 1.000001:    250000  55d7b1a4 beta (/tmp/mix)",
		    "likely dd|-1/12|-1|1|250000||55d7b1a4 beta (/tmp/mix)");
	assert_head("  8021.776117: cpu-clock:  55d7 main (/a)",
		    "likely |-1/-1|-1|8021.78|-1|cpu-clock|55d7 main (/a)");
	/* Not samples. */
	assert_head("Then, before this patch:", "none");
	assert_head(" instruction trace error type 1 time 4525.744123981 cpu 0 pid 21595 tid 21595 "
		    "ip 0 code 8: Lost trace data", "none");
	assert_head("  bash-1234  [000] d..1  12.34: sys_read <-x", "none");
	assert_head("", "none");
	assert_head(":", "none");
}

static void assert_frame(const char *line, const char *want)
{
	struct pd_script_frame f;
	char have[256] = "none";

	if (pd_script_parse_frame(pd_span_of(line), &f))
		(void)snprintf(have, sizeof(have), "%.*s|%.*s", PD_SPAN_ARG(f.name),
			       PD_SPAN_ARG(f.module));
	ut_assert_text(line, have, want);
}

static void test_frames(void **state)
{
	(void)state;
	assert_frame("\tffffffff9810aeaa commit_creds+0x2a ([kernel.kallsyms])",
		     "commit_creds|[kernel.kallsyms]");
	assert_frame("ffffffff8103d0ca native_write_msr_safe ([k])", "native_write_msr_safe|[k]");
	assert_frame("\t 9c51fd38 void a.b.c(int, S) (/data/My App-1/base.apk (deleted))",
		     "void a.b.c(int, S)|/data/My App-1/base.apk (deleted)");
	assert_frame("\t 1 RegExp:\\bFoo ?Bar(?:/[\\d.]+|[ \\w.]*) (/tmp/perf-3.map)",
		     "RegExp:\\bFoo ?Bar(?:/[\\d.]+|[ \\w.]*)|/tmp/perf-3.map");
	assert_frame("\t 7f00 (anonymous namespace)::f(int)+0x1 (/bin/x)",
		     "(anonymous namespace)::f(int)|/bin/x");
	assert_frame("\t 7f00 f(int) const", "f(int) const|");
	assert_frame("\t 7f00 f(int)", "f(int)|");
	assert_frame("\t 7f00 take+0x1cd (inlined)", "take|");
	assert_frame("\t 7f00 read+0x5 (/lib/libc.so.6+0x1234)", "read|/lib/libc.so.6");
	assert_frame("\t 7f00 (/lib/libc.so.6)", "|/lib/libc.so.6");
	assert_frame("\t 7f00", "|");
	assert_frame("\t 7f00 a+b+0x (/x)", "a+b+0x|/x");
	assert_frame("  \td70 _start (/x)", "_start|/x");
	assert_frame(" 1 file changed, 61 insertions(+)", "none");
	assert_frame("  2855c05cf14a (\"perf: add this\")", "none");
	assert_frame("\tTHIS_IS_A_WEIRD_LINE", "none");
	assert_frame("dead beef (x)", "none");
	assert_frame("\t00000000000000001 f (x)", "none");
	assert_frame("\t0000555555555150\tinsn: 55", "none");
}

static void assert_only_frame(const char *line, const char *want)
{
	struct pd_script_head h;
	struct pd_script_frame f;
	char have[256] = "none";

	assert_true(pd_script_parse_head(pd_span_of(line), &h) != PD_SCRIPT_NONE);
	if (pd_script_parse_only_frame(&h, &f))
		(void)snprintf(have, sizeof(have), "%.*s|%.*s", PD_SPAN_ARG(f.name),
			       PD_SPAN_ARG(f.module));
	ut_assert_text(line, have, want);
}

static void test_only_frames(void **state)
{
	(void)state;
	assert_only_frame("x 1 1.000001: cycles: ffff81 f+0x2 ([k])", "f|[k]");
	assert_only_frame("x 1 1.000001: cycles: ffff81 f+0x2 ([k]) 0x1/0x2/P/-/-/0", "f|[k]");
	assert_only_frame("x 1 1.000001: cycles: ffff81 [unknown] 0x1/0x2/P/-/-/0", "[unknown]|");
	assert_only_frame("x 1 1.000001: branches: ffff81 f+0x2 (/a) => 7f00 g+0x1 (/b)", "f|/a");
	assert_only_frame("x 1 1.000001: cycles: 7fff12 ffff81 f ([k])", "f|[k]");
	assert_only_frame("x 1 1.000001: cycles: 7fff12 fadd (/a)", "fadd|/a");
	assert_only_frame("x 1 1.000001: cpu/mem-loads/P: 7fff12 1668 |OP LOAD|LCK No| 12 ffff81 "
			  "f+0x1 (/a)", "f|/a");
	assert_only_frame("x 1 1.000001: cycles: ffff81", "|");
	assert_only_frame("x 1 1.000001: kmem:kfree: call_site=ff ptr=(nil)", "none");
	assert_only_frame("x 1 1.000001: a:add: 1234 12 (nil)", "none");
	assert_only_frame("Fixes: 2855c05cf14a (\"perf: x\")", "none");
	assert_only_frame("x 1 1.000001: cycles:", "none");
}

static const struct pd_weight *weight_of(const struct pd_profile *p, const char *name, uint32_t e)
{
	for (uint32_t i = 0; i < p->n_funcs; i++)
		if (!strcmp(pd_strtab_get(&p->strings, p->funcs[i].name), name) &&
		    pd_is_known(pd_profile_weight(p, i, e)->self))
			return pd_profile_weight(p, i, e);
	fail_msg("no function %s", name);
	return NULL;
}

static void assert_cost(const struct pd_profile *p, const char *name, uint32_t event, double self,
			double inclusive, double n)
{
	const struct pd_weight *w = weight_of(p, name, event);

	assert_true(w->self == self);
	ut_assert_same(w->inclusive, inclusive);
	assert_true(w->n_samples == n);
}

static void test_sums(void **state)
{
	struct ut_reading r = ut_read("a 1 1.000001: 100 cycles:\n"
				      "\t 10 f+0x1 (/a)\n\t 20 g (inlined)\n\t 20 h (/b)\n"
				      "\t 10 f+0x2 (/a)\n\nb 2 2.000001: 300 cycles:\n"
				      "\n\t 30 h+0x1 (/b)\n\n"
				      "a 1 2.500001: cycles:\n\t 10 f (/a)\n\n"
				      "a 1 3.000001: 7 cpu-clock:\n\t 40 [unknown] (/c)\n\n"
				      "a 1 4.000001: 200 cycles:\nb 2 5.000001: 1 cpu-clock:\n",
				      NULL, NULL);
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.diags.n, 0);
	p = r.profiles.items[0];
	assert_string_equal(p->format, "perf-script");
	assert_true(p->duration_ns == 4e9);
	/* Samples that have no period are not added to those that have one. */
	assert_int_equal(p->n_events, 3);
	assert_int_equal(p->events[0].unit, PD_UNIT_EVENTS);
	assert_int_equal(p->events[1].unit, PD_UNIT_SAMPLES);
	assert_int_equal(p->events[2].unit, PD_UNIT_NS);
	assert_true(p->events[0].total == 600 && p->events[0].n_samples == 3);
	assert_true(p->events[1].total == 1 && p->events[2].total == 8);
	/* Recursion counts once; what was inlined is of the module around it. */
	assert_cost(p, "f", 0, 100, 100, 1);
	assert_cost(p, "g", 0, 0, 100, 0);
	assert_cost(p, "h", 0, 300, 400, 1);
	assert_true(weight_of(p, "h", 0)->sum_sq == 90000);
	for (uint32_t i = 0; i < p->n_funcs; i++)
		if (!strcmp(pd_strtab_get(&p->strings, p->funcs[i].name), "g"))
			assert_string_equal(pd_strtab_get(&p->strings, p->funcs[i].module), "/b");
	/* A sample without frames is one. */
	assert_cost(p, "[unknown]", 0, 200, PD_UNKNOWN, 1);
	assert_int_equal(p->n_comms, 2);
	assert_string_equal(pd_strtab_get(&p->strings, p->comms[0].name), "a");
	assert_true(p->comms[0].self[0] == 300 && p->comms[0].n_samples[0] == 2);
	assert_true(p->comms[1].self[0] == 300 && p->comms[1].self[2] == 1);
	ut_reading_done(&r);
}

static void test_limits(void **state)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct ut_reading r;
	const char *text = "a 1 1.000001: 100 cycles:\n\t 10 f (/a)\n\t 20 g (/a)\n\t 30 h (/a)\n\n"
			   "a 1 2.000001: 1 x:\n\t 10 f (/a)\n";

	(void)state;
	limits.n_frames = 2;
	r = ut_read(text, NULL, &limits);
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.diags.n, 1);
	assert_string_equal(r.diags.items[0].kind, "deep-stack");
	assert_int_equal(r.diags.items[0].line, 1);
	ut_reading_done(&r);
	limits.n_frames = 3;
	limits.n_functions = 2;
	r = ut_read(text, NULL, &limits);
	assert_int_equal(r.rc, PD_ERR_LIMIT);
	ut_reading_done(&r);
	limits.n_functions = 3;
	limits.n_columns = 1;
	r = ut_read(text, NULL, &limits);
	assert_int_equal(r.rc, PD_ERR_LIMIT);
	ut_reading_done(&r);
}

/* What a request leaves of cycles, and what it does not. */
static void assert_request(const struct pd_request *request, const char *want)
{
	static const char text[] = "a 1/11 [000] 1.000001: 1 cycles:\n\t 10 f (/a)\n\n"
				   "b 2/22 [001] 2.000001: 10 cycles:\n\t 10 f (/a)\n\n"
				   "a 1/12 [002] 5.000001: 100 cycles:\n\t 10 f (/a)\n";
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_input in = {
		.path = "-", .bytes = {text, sizeof(text) - 1}, .limits = &limits,
		.request = request,
	};
	struct ut_reading r = {0};
	char *have;

	in.diags = &r.diags;
	r.rc = pd_ingest_bytes(&in, NULL, &r.profiles, &r.err);
	have = ut_dump_ticks(&r);
	ut_assert_text("request", have, want);
	free(have);
	ut_reading_done(&r);
}

static void test_requests(void **state)
{
	static const int32_t one = 1, thread = 22;
	static const uint32_t cpu = 2;
	static const char *const comm = "a";

	(void)state;
	assert_request(&(struct pd_request){.pids = &one, .n_pids = 1},
		       ":111 f=101 [filtered]=10");
	assert_request(&(struct pd_request){.tids = &thread, .n_tids = 1},
		       ":111 f=10 [filtered]=101");
	assert_request(&(struct pd_request){.cpus = &cpu, .n_cpus = 1},
		       ":111 f=100 [filtered]=11");
	assert_request(&(struct pd_request){.comms = &comm, .n_comms = 1},
		       ":111 f=101 [filtered]=10");
	assert_request(&(struct pd_request){.from = 2, .to = 3}, ":111 f=10 [filtered]=101");
	assert_request(&(struct pd_request){.from = 0.2, .to = 1, .is_time_ratio = true},
		       ":111 f=110 [filtered]=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads),
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_only_frames),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
