/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf.data: which mapping, task and name a sample has, by the order in which perf
 * takes records. Expected values are derived by hand from that order.
 */
#include "support_perfdata.h"

#include <stdio.h>

static struct ut_perf timed(void)
{
	return (struct ut_perf){
		.sample_type = UT_PLAIN, .time = 100, .events = {{.type = 1}}, .n_events = 1,
	};
}

static void map(struct ut_perf *p, uint32_t pid, uint64_t start, uint64_t len, const char *name)
{
	ut_perf_mmap(p, UT_USER, pid, start, len, 0, name);
}

static void sample(struct ut_perf *p, uint32_t pid, uint64_t address)
{
	ut_perf_sample(p, UT_USER, pid, pid, address, NULL, 0);
}

/* Without marks all is sorted by time, wherever it stands. */
static void test_time(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	p.time = 110;
	sample(&p, 7, 0x1010);
	p.time = 120;
	sample(&p, 7, 0x1020);
	p.time = 115;
	map(&p, 7, 0x1000, 0x1000, "/bin/late");
	p.time = 100;
	map(&p, 7, 0x1000, 0x1000, "/bin/early");
	ut_perf_assert(&p, NULL, "cpu-clock:HG 20/2: early+10=1 late+20=1 | :7=2");
}

/* Of equal times the one that was read first comes first. */
static void test_equal_times(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	sample(&p, 7, 0x1010);
	p.time = 100;
	map(&p, 7, 0x1000, 0x1000, "/bin/a");
	sample(&p, 7, 0x1010);
	ut_perf_assert(&p, NULL, "cpu-clock:HG 20/2: [unknown]+1010=1 a+10=1 | :7=2");
}

/*
 * A mapping that comes behind one mark after its samples is in time, since a mark
 * delivers what was there before the mark before; behind two it is late.
 */
static void test_marks(void **state)
{
	(void)state;
	for (int n_marks = 0; n_marks < 4; n_marks++) {
		struct ut_perf p = timed();

		p.time = 110;
		sample(&p, 7, 0x1010);
		for (int i = 0; i < n_marks; i++)
			ut_perf_round(&p);
		p.time = 105;
		map(&p, 7, 0x1000, 0x1000, "/bin/a");
		p.time = 130;
		sample(&p, 7, 0x1020);
		ut_perf_assert(&p, NULL, n_marks < 2 ?
			       "cpu-clock:HG 20/2: a+10=1 a+20=1 | :7=2" :
			       "cpu-clock:HG 20/2: [unknown]+1010=1 a+20=1 | :7=2");
	}
}

/*
 * The second mark delivers what is not later than what was read before the first
 * one, of its own round, too: the sample of time 105 goes before the mapping.
 */
static void test_early_in_round(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	p.time = 110;
	sample(&p, 7, 0x1010);
	ut_perf_round(&p);
	p.time = 105;
	sample(&p, 7, 0x1020);
	p.time = 111;
	sample(&p, 7, 0x1030);
	ut_perf_round(&p);
	p.time = 104;
	map(&p, 7, 0x1000, 0x1000, "/bin/a");
	ut_perf_assert(&p, NULL, "cpu-clock:HG 30/3: [unknown]+1010=1 [unknown]+1020=1 a+30=1 "
		       "| :7=3");
}

/* Records of time 0 are taken as they are read: before all that is queued. */
static void test_no_time(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	p.time = 100;
	sample(&p, 7, 0x1010);
	p.time = 0;
	map(&p, 7, 0x1000, 0x1000, "/bin/a");
	map(&p, 7, 0x1000, 0x1000, "/bin/b");
	ut_perf_assert(&p, NULL, "cpu-clock:HG 10/1: b+10=1 | :7=1");
	p = timed();
	p.sample_type = UT_IP | UT_TID | UT_PERIOD;
	p.time = 0;
	sample(&p, 7, 0x1010);
	map(&p, 7, 0x1000, 0x1000, "/bin/a");
	sample(&p, 7, 0x1010);
	ut_perf_assert(&p, NULL, "cpu-clock:HG 20/2: [unknown]+1010=1 a+10=1 | :7=2");
}

/* A mapping cuts what it overlaps; what is left on both sides keeps its offsets. */
static void test_cutting(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	map(&p, 7, 0x1000, 0x3000, "/bin/a");
	map(&p, 7, 0x2000, 0x1000, "/bin/b");
	map(&p, 7, 0x3800, 0x1000, "//anon");
	map(&p, 7, 0x9000, 0, "/bin/nothing");
	p.time = 110;
	sample(&p, 7, 0x1fff);
	sample(&p, 7, 0x2000);
	sample(&p, 7, 0x3000);
	sample(&p, 7, 0x3800);
	sample(&p, 7, 0x9000);
	ut_perf_assert(&p, NULL, "cpu-clock:HG 50/5: [unknown]+9000=1 a+fff=1 a+2000=1 b+0=1 "
		       "[JIT] tid 7+3800=1 | :7=5");
}

/* Of hundreds of mappings each is found, at each version. */
static void test_many(void **state)
{
	enum { N = 300 };
	struct ut_perf p = timed();
	char want[80];

	(void)state;
	for (uint64_t i = 0; i < N; i++) {
		/* All end at the same place: each is seen from its start to the next one's. */
		map(&p, 7, 0x10000 + 0x100 * i, 0x100 * (N - i), "/bin/below");
		map(&p, 7, 0x10000 + 0x100 * i, 0x80, "/bin/above");
		p.time++;
		sample(&p, 7, 0x10000 + 0x100 * i + 0x7f);
		sample(&p, 7, 0x10000 + 0x100 * i + 0x80);
		sample(&p, 7, 0x10000);
		p.time++;
	}
	(void)snprintf(want, sizeof(want), "cpu-clock:HG %d/%d: below+80=%d above+0=%d "
		       "above+7f=%d | :7=%d", 30 * N, 3 * N, N, N, N, 3 * N);
	ut_perf_assert(&p, NULL, want);
}

/* A child has its parent's maps as they are then, and its name. */
static void test_fork(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	ut_perf_comm(&p, 7, 7, "sh");
	map(&p, 7, 0x1000, 0x1000, "/bin/sh");
	ut_perf_fork(&p, 8, 8, 7, 7);
	map(&p, 7, 0x2000, 0x1000, "/lib/parent");
	map(&p, 8, 0x3000, 0x1000, "/lib/child");
	ut_perf_fork(&p, 9, 9, 8, 8);
	ut_perf_fork(&p, 8, 88, 8, 8); /* a thread: it shares them */
	ut_perf_comm(&p, 8, 8, "ls");
	map(&p, 8, 0x1000, 0x100, "/bin/ls");
	p.time = 110;
	sample(&p, 7, 0x1000);
	sample(&p, 7, 0x2000);
	sample(&p, 7, 0x3000);
	sample(&p, 8, 0x1000);
	sample(&p, 8, 0x1100);
	sample(&p, 8, 0x2000);
	sample(&p, 8, 0x3000);
	sample(&p, 9, 0x1000);
	sample(&p, 9, 0x3000);
	ut_perf_sample(&p, UT_USER, 8, 88, 0x1000, NULL, 0);
	ut_perf_assert(&p, NULL, "cpu-clock:HG 100/10: [unknown]+2000=1 [unknown]+3000=1 "
		       "sh+0=2 sh+100=1 parent+0=1 child+0=2 ls+0=2 | ls=4 sh=6");
}

/* More forks in a row than spaces look back. */
static void test_fork_chain(void **state)
{
	struct ut_perf p = timed();
	enum { N = 120 };

	(void)state;
	ut_perf_comm(&p, 1, 1, "d");
	map(&p, 1, 0x1000, 0x1000, "/bin/d");
	for (uint32_t i = 1; i < N; i++) {
		ut_perf_fork(&p, i + 1, i + 1, i, i);
		map(&p, i + 1, 0x100000 + 0x1000 * i, 0x1000, "/lib/own");
	}
	p.time = 110;
	sample(&p, N, 0x1234);
	sample(&p, N, 0x101000);
	sample(&p, N, 0x100000 + 0x1000 * (N - 1));
	sample(&p, N - 1, 0x100000 + 0x1000 * (N - 1));
	ut_perf_assert(&p, NULL, "cpu-clock:HG 40/4: [unknown]+177000=1 d+234=1 own+0=2 | d=4");
}

/* The first name of a task counts for the time before, later ones do not. */
static void test_comms(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	sample(&p, 7, 0);
	sample(&p, 8, 0);
	ut_perf_comm(&p, 7, 7, "one");
	p.time++;
	sample(&p, 7, 0);
	ut_perf_comm(&p, 7, 7, "two");
	p.time++;
	sample(&p, 7, 0);
	sample(&p, 0, 0);
	ut_perf_assert(&p, NULL, "cpu-clock:HG 50/5: [unknown]+0=5 | :8=1 one=2 swapper=1 two=1");
}

/* A fork begins another task of that id: its name is not that of the one before. */
static void test_reused_id(void **state)
{
	struct ut_perf p = timed();

	(void)state;
	ut_perf_comm(&p, 1, 1, "init");
	sample(&p, 7, 0);
	ut_perf_fork(&p, 7, 7, 1, 1);
	p.time++;
	sample(&p, 7, 0);
	ut_perf_comm(&p, 7, 7, "new");
	p.time++;
	sample(&p, 7, 0);
	ut_perf_assert(&p, NULL, "cpu-clock:HG 30/3: [unknown]+0=3 | :7=1 init=1 new=1");
}

/* The kernel, its modules, code that comes and goes; user maps are no kernel maps. */
static void test_kernel(void **state)
{
	struct ut_perf p = timed();
	size_t begin;

	(void)state;
	ut_perf_mmap(&p, UT_KERNEL, UINT32_MAX, 0xf000, 0x2000, 0xf000, "[kernel.kallsyms]_text");
	ut_perf_mmap(&p, UT_KERNEL, UINT32_MAX, 0x20000, 0x1000, 0, "/lib/modules/6.1/a-b.ko.xz");
	for (uint16_t is_gone = 0; is_gone < 2; is_gone++) {
		begin = ut_perf_begin(&p, 17, 0);
		ut_perf_u64(&p, 0x30000);
		ut_perf_u32(&p, 0x40);
		ut_perf_u16(&p, 1);
		ut_perf_u16(&p, is_gone);
		ut_perf_u64(&p, 0x00676f7270667062); /* "bpfprog", either way round */
		ut_perf_end_side(&p, begin, 0, 0);
		p.time++;
		ut_perf_sample(&p, UT_KERNEL, 7, 7, 0x30004, NULL, 0);
	}
	map(&p, 7, 0xf000, 0x100, "/bin/user");
	ut_perf_sample(&p, UT_KERNEL, 7, 7, 0xf010, NULL, 0);
	sample(&p, 7, 0xf010);
	ut_perf_sample(&p, UT_KERNEL, 7, 7, 0x20010, NULL, 0);
	ut_perf_sample(&p, UT_KERNEL, 7, 7, 0x50000, NULL, 0);
	ut_perf_sample(&p, 4, 7, 7, 0xf010, NULL, 0); /* of a guest */
	ut_perf_sample(&p, 3, 7, 7, 0xf010, NULL, 0); /* of the hypervisor */
	ut_perf_assert(&p, NULL, "cpu-clock:HG 80/8: [unknown]+f010=1 [unknown]+30004=1 "
		       "[unknown]+50000=1 [kernel.kallsyms]+f010=1 [a_b]+10=1 bpfprog+4=1 "
		       "user+10=1 | :7=7 guests=1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time),
		cmocka_unit_test(test_equal_times),
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_early_in_round),
		cmocka_unit_test(test_no_time),
		cmocka_unit_test(test_cutting),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_fork),
		cmocka_unit_test(test_fork_chain),
		cmocka_unit_test(test_comms),
		cmocka_unit_test(test_reused_id),
		cmocka_unit_test(test_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
