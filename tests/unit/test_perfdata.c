/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The perf.data reader: files of every shape, events, tasks and mappings, filters.
 * Expected values are counted by hand.
 */
#include "support_perfdata.h"

#include <stdio.h>
#include <stdlib.h>

static struct ut_perf plain(void)
{
	return (struct ut_perf){
		.sample_type = UT_PLAIN, .time = 100,
		.events = {{.type = 1, .config = 0, .period = 5}}, .n_events = 1,
	};
}

/* A process 7 "work" with a file at 0x1000, and three samples in it. */
static void add_work(struct ut_perf *p)
{
	ut_perf_comm(p, 7, 7, "work");
	ut_perf_mmap(p, UT_USER, 7, 0x1000, 0x1000, 0x500, "/bin/work");
	ut_perf_sample(p, UT_USER, 7, 7, 0x1010, NULL, 0);
	ut_perf_sample(p, UT_USER, 7, 7, 0x1010, NULL, 0);
	ut_perf_sample(p, UT_USER, 7, 7, 0x1fff, NULL, 0);
}

#define WORK "cpu-clock:HG 30/3: work+510=2 work+14ff=1 | work=3"

static void test_sizes_and_orders(void **state)
{
	static const uint32_t sizes[] = {0, 64, 72, 96, 112, 136, 256};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
			struct ut_perf p = plain();

			p.attr_size = sizes[i];
			p.is_swapped = is_swapped;
			add_work(&p);
			ut_perf_assert(&p, NULL, WORK);
		}
}

static void test_pipe(void **state)
{
	(void)state;
	for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
		struct ut_perf p = plain();
		struct pd_buf bytes;
		char *have;

		p.is_swapped = is_swapped;
		p.attr_size = 128;
		add_work(&p);
		bytes = ut_perf_pipe(&p);
		have = ut_perf_dump(pd_buf_span(&bytes), NULL);
		assert_string_equal(have, WORK);
		free(have);
		pd_buf_done(&bytes);
		ut_perf_done(&p);
	}
}

/* Without PERIOD each sample counts the period that the event has. */
static void test_fixed_period(void **state)
{
	struct ut_perf p = plain();

	(void)state;
	p.sample_type = UT_IP | UT_TID | UT_TIME;
	add_work(&p);
	ut_perf_assert(&p, NULL, "cpu-clock:HG 15/3: work+510=2 work+14ff=1 | work=3");
}

/* Cut at every byte: whole records are read, and never one more. */
static void test_cut(void **state)
{
	struct ut_perf p = plain();
	struct pd_buf bytes;
	size_t sample = 8 + 8 * 4;

	(void)state;
	add_work(&p);
	bytes = ut_perf_file(&p);
	memset(bytes.ptr + 48, 0, 8); /* the size of the records, as a killed recorder leaves it */
	for (size_t cut = 1; cut <= 2 * sample; cut++) {
		char *have = ut_perf_dump((struct pd_span){bytes.ptr, bytes.len - cut}, NULL);
		size_t n_left = (3 * sample - cut) / sample;
		char want[100];

		(void)snprintf(want, sizeof(want), "cpu-clock:HG %zu0/%zu: work+510=%zu | "
			       "work=%zu%s !perf-unfinished", n_left, n_left, n_left, n_left,
			       cut % sample == 0 ? "" : " !perf-cut");
		assert_string_equal(have, want);
		free(have);
	}
	pd_buf_done(&bytes);
	ut_perf_done(&p);
}

/* A record of size 0 would never end; what is before it is read. */
static void test_corrupt(void **state)
{
	struct ut_perf p = plain();

	(void)state;
	add_work(&p);
	ut_perf_u64(&p, 9);
	ut_perf_sample(&p, UT_USER, 7, 7, 0x1010, NULL, 0);
	ut_perf_assert(&p, NULL, WORK " !perf-corrupt");
}

static void test_unknown_records(void **state)
{
	struct ut_perf p = plain();
	size_t begin;

	(void)state;
	begin = ut_perf_begin(&p, 40, 0);
	ut_perf_u64(&p, 1);
	ut_perf_end_side(&p, begin, 0, 0);
	begin = ut_perf_begin(&p, 120, 0);
	ut_perf_end(&p, begin);
	begin = ut_perf_begin(&p, 71, 0); /* AUXTRACE: 32 bytes behind it are not its own */
	ut_perf_u64(&p, 32);
	ut_perf_end(&p, begin);
	for (int i = 0; i < 4; i++)
		ut_perf_u64(&p, UINT64_MAX);
	add_work(&p);
	ut_perf_assert(&p, NULL, WORK);
}

static struct ut_perf two_events(uint64_t id_bit)
{
	return (struct ut_perf){
		.sample_type = UT_PLAIN | id_bit, .time = 100, .n_events = 2,
		.events = {{.type = 0, .config = 0, .id = 50}, {.type = 0, .config = 3, .id = 60}},
	};
}

static void test_ids(void **state)
{
	static const uint64_t bits[] = {UT_ID, UT_IDENTIFIER, UT_ID | UT_IDENTIFIER};

	(void)state;
	for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++) {
		struct ut_perf p = two_events(bits[i]);

		p.id = 60;
		add_work(&p);
		p.id = 50;
		ut_perf_sample(&p, UT_USER, 7, 7, 0x1020, NULL, 0);
		p.id = 0; /* the first event */
		ut_perf_sample(&p, UT_USER, 7, 7, 0x1020, NULL, 0);
		p.id = 61; /* of no event */
		ut_perf_sample(&p, UT_USER, 7, 7, 0x1030, NULL, 0);
		ut_perf_assert(&p, NULL, "cycles:HG 20/2: work+520=2 | work=2; "
			       "cache-misses:HG 30/3: work+510=2 work+14ff=1 | work=3 "
			       "!perf-unknown-id");
	}
}

/* An event without samples is not there. */
static void test_silent_event(void **state)
{
	struct ut_perf p = two_events(UT_ID);

	(void)state;
	p.id = 60;
	add_work(&p);
	ut_perf_assert(&p, NULL,
		       "cache-misses:HG 30/3: work+510=2 work+14ff=1 | work=3");
}

static void test_no_samples(void **state)
{
	struct ut_perf p = plain();

	(void)state;
	ut_perf_comm(&p, 7, 7, "work");
	ut_perf_assert(&p, NULL, "error -22");
}

/* A value of a group in a sample. */
static void add_value(struct ut_perf *p, uint64_t id, uint64_t value)
{
	ut_perf_u64(p, value);
	ut_perf_u64(p, id);
}

/* One record is a sample of each counter that went on, by what it went on. */
static void test_group(void **state)
{
	struct ut_perf p = two_events(UT_ID | UT_READ);
	static const uint64_t values[][2] = {{100, 7}, {150, 7}, {151, 10}};

	(void)state;
	p.events[0].read_format = p.events[1].read_format = 4 | 8;
	ut_perf_comm(&p, 7, 7, "work");
	for (size_t i = 0; i < 3; i++) {
		size_t begin = ut_perf_begin(&p, 9, UT_USER);

		ut_perf_u64(&p, 0x10 * i);
		ut_perf_u32(&p, 7);
		ut_perf_u32(&p, 7);
		ut_perf_u64(&p, p.time++);
		ut_perf_u64(&p, 50);
		ut_perf_u64(&p, 999); /* a period that does not count */
		ut_perf_u64(&p, 2);
		add_value(&p, 50, values[i][0]);
		add_value(&p, 60, values[i][1]);
		ut_perf_end(&p, begin);
	}
	ut_perf_assert(&p, NULL,
		       "cycles:HG 151/3: [unknown]+0=1 [unknown]+10=1 [unknown]+20=1 | work=3; "
		       "cache-misses:HG 10/2: [unknown]+0=1 [unknown]+20=1 | work=2");
}

static void test_names(void **state)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *want;
	} cases[] = {
		{0, 1, "instructions:HG"}, {1, 2, "page-faults:HG"}, {3, 0, "L1-dcache-loads:HG"},
		{3, 0x10102, "LLC-store-misses:HG"}, {4, 0x1c2, "raw 0x1c2:HG"},
		{9, 1, "unknown attr type: 9"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ut_perf p = plain();
		char want[200];

		p.events[0].type = cases[i].type;
		p.events[0].config = cases[i].config;
		add_work(&p);
		(void)snprintf(want, sizeof(want), "%s 30/3: work+510=2 work+14ff=1 | work=3",
			       cases[i].want);
		ut_perf_assert(&p, NULL, want);
	}
}

static void test_filters(void **state)
{
	static const int32_t seven[] = {7};
	static const uint32_t one[] = {1};
	static const char *const comms[] = {":8", "other"};
	const struct pd_request requests[] = {
		{.pids = seven, .n_pids = 1}, {.tids = seven, .n_tids = 1},
		{.cpus = one, .n_cpus = 1}, {.comms = comms, .n_comms = 2},
		{.from = 102e-9, .to = 103e-9}, {.from = 0.5, .to = 1, .is_time_ratio = true},
	};
	static const char *const wants[] = {
		"cpu-clock:HG 50/5: work+510=2 work+14ff=1 | work=3 ~2",
		"cpu-clock:HG 50/5: work+510=2 work+14ff=1 | work=3 ~2",
		"cpu-clock:HG 50/5: [unknown]+3000=1 | :8=1 ~4",
		"cpu-clock:HG 50/5: [unknown]+3000=2 | :8=2 ~3",
		"cpu-clock:HG 50/5: [unknown]+3000=1 work+14ff=1 | :8=1 work=1 ~3",
		"cpu-clock:HG 50/5: [unknown]+3000=2 work+14ff=1 | :8=2 work=1 ~2",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wants) / sizeof(*wants); i++) {
		struct ut_perf p = plain();

		p.sample_type |= UT_CPU;
		add_work(&p); /* times 100 to 102 */
		ut_perf_sample(&p, UT_USER, 8, 8, 0x3000, NULL, 0);
		p.cpu = 1;
		ut_perf_sample(&p, UT_USER, 8, 8, 0x3000, NULL, 0);
		ut_perf_assert(&p, &requests[i], wants[i]);
	}
}

static void test_filter_of_what_is_not_recorded(void **state)
{
	static const uint32_t one[] = {1};
	const struct pd_request cpu = {.cpus = one, .n_cpus = 1}, time = {.from = 1};
	struct ut_perf p = plain();

	(void)state;
	add_work(&p);
	ut_perf_assert(&p, &cpu, "error -34");
	p = plain();
	p.sample_type = UT_IP | UT_TID | UT_PERIOD;
	add_work(&p);
	ut_perf_assert(&p, &time, "error -34");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes_and_orders),
		cmocka_unit_test(test_pipe),
		cmocka_unit_test(test_fixed_period),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_corrupt),
		cmocka_unit_test(test_unknown_records),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_silent_event),
		cmocka_unit_test(test_no_samples),
		cmocka_unit_test(test_group),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_filter_of_what_is_not_recorded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
