/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf data convert --to-json: frames, what a request leaves out, what is cut.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#define SAMPLES(...) "{\"linux-perf-json-version\": 1, \"samples\": [" __VA_ARGS__ "]}"

static const char text[] = SAMPLES(
	"{\"timestamp\": 1000000000, \"pid\": 1, \"tid\": 11, \"cpu\": 0, \"comm\": \"a\","
	" \"callchain\": [{\"symbol\": \"f\", \"dso\": \"x\"}, {\"symbol\": \"g\"},"
	" {\"symbol\": \"f\", \"dso\": \"x\"}], \"pid\": 2},"
	"{\"comm\": \"b\", \"tid\": 22, \"pid\": 2, \"cpu\": 1, \"timestamp\": 2000000000,"
	" \"callchain\": [{\"dso\": \"x\\u0020\", \"symbol\": \"\\u0066\"}]},"
	"{\"timestamp\": 5000000000, \"pid\": 1, \"tid\": 12, \"cpu\": 2, \"comm\": \"a\","
	" \"callchain\": [{\"ip\": \"0x1\"}, {\"symbol\": \"g\"}]}");

static struct ut_reading read_part(size_t len, const struct pd_request *request)
{
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_input in = {
		.path = "-", .bytes = {text, len}, .limits = &limits, .request = request,
	};
	struct ut_reading r = {0};

	in.diags = &r.diags;
	r.rc = pd_ingest_bytes(&in, NULL, &r.profiles, &r.err);
	return r;
}

static void assert_request(const struct pd_request *request, const char *want)
{
	struct ut_reading r = read_part(sizeof(text) - 1, request);
	char *have = ut_dump_ticks(&r);

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
	assert_request(NULL, ":3 f=1 g=0 f=1 [unknown]=1");
	assert_request(&(struct pd_request){.pids = &one, .n_pids = 1},
		       ":3 f=1 g=0 [unknown]=1 [filtered]=1");
	assert_request(&(struct pd_request){.tids = &thread, .n_tids = 1}, ":3 f=1 [filtered]=2");
	assert_request(&(struct pd_request){.cpus = &cpu, .n_cpus = 1},
		       ":3 g=0 [unknown]=1 [filtered]=2");
	assert_request(&(struct pd_request){.comms = &comm, .n_comms = 1},
		       ":3 f=1 g=0 [unknown]=1 [filtered]=1");
	assert_request(&(struct pd_request){.from = 2, .to = 3}, ":3 f=1 [filtered]=2");
	assert_request(&(struct pd_request){.from = 0.2, .to = 1, .is_time_ratio = true},
		       ":3 g=0 f=1 [unknown]=1 [filtered]=1");
}

static void test_missing(void **state)
{
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	static const char bare[] = SAMPLES("{\"comm\": \"a\", \"callchain\": []}");
	static const uint32_t cpu = 2;
	const struct pd_request request = {.cpus = &cpu, .n_cpus = 1};
	struct pd_input in = {
		.path = "-", .bytes = {bare, sizeof(bare) - 1}, .limits = &limits,
		.request = &request,
	};
	struct ut_reading r = {0};

	(void)state;
	r.rc = pd_ingest_bytes(&in, NULL, &r.profiles, &r.err);
	assert_int_equal(r.rc, PD_ERR_MISMATCH);
	ut_reading_done(&r);
}

static void test_inclusive(void **state)
{
	struct ut_reading r = read_part(sizeof(text) - 1, NULL);
	const struct pd_profile *p = r.profiles.items[0];

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_string_equal(p->format, "perf-json");
	ut_assert_same(p->duration_ns, 4e9);
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		const char *name = pd_strtab_get(&p->strings, p->funcs[i].name);

		ut_assert_same(pd_profile_weight(p, i, 0)->inclusive,
			       !strcmp(name, "g") ? 2 : !strcmp(name, "f") ? 1 : PD_UNKNOWN);
	}
	ut_reading_done(&r);
}

static void test_cut(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		struct ut_reading r = read_part(len, NULL);
		double n = r.rc == PD_OK ? r.profiles.items[0]->events[0].total : 0;

		assert_true(r.rc == PD_OK ? n >= 1 && (n == 3 || r.diags.n == 1) :
			    r.rc == PD_ERR_EMPTY || r.rc == PD_ERR_UNRECOGNISED ||
			    r.rc == PD_ERR_TRUNCATED);
		ut_reading_done(&r);
	}
}

static void test_deep(void **state)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct ut_reading r;
	char *have;

	(void)state;
	limits.n_frames = 2;
	r = ut_read(text, NULL, &limits);
	have = ut_dump_ticks(&r);
	assert_int_equal(r.diags.n, 1);
	ut_assert_text("deep", have, ":2 g=0 f=1 [unknown]=1");
	free(have);
	ut_reading_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests), cmocka_unit_test(test_missing),
		cmocka_unit_test(test_inclusive), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_deep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
