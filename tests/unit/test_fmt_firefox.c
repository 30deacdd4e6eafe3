/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of the Firefox Profiler: tables of threads and shared ones, weights,
 * rows that are not there, tables that many threads read.
 */
#include "support.h"

#include <stdlib.h>

#define META "{\"meta\": {\"preprocessedProfileVersion\": 57}, "
#define TABLES(prefixes, frames)                                                            \
	"\"stackTable\": {\"prefix\": [" prefixes "], \"frame\": [" frames "]},"             \
	" \"frameTable\": {\"func\": [0, 1, 2, 0]}, \"funcTable\": {\"name\": [0, 1, 2],"   \
	" \"resource\": [0, 1, -1]}, \"resourceTable\": {\"lib\": [0, -1], \"name\": [3, 3]}," \
	" \"stringArray\": [\"a\", \"b\", \"0x12\", \"lib\"]"
#define SHARED "\"shared\": {" TABLES("null, 0, 1, 1", "0, 1, 3, 2") "}"
#define SAMPLES(stacks, rest) "{\"samples\": {\"stack\": [" stacks "]" rest "}}"

/* A text is read with so many diagnostics as "EVENT=TOTAL; NAME@MODULE=SELF/INCLUSIVE,...". */
static void assert_read(const char *text, size_t n_diags, const char *want)
{
	struct ut_reading r = ut_read(text, NULL, NULL);
	const struct pd_profile *p;
	struct pd_buf have = {0};

	ut_assert_text(text, r.err.msg, "");
	p = r.profiles.items[0];
	assert_string_equal(p->format, "firefox");
	pd_buf_add_str(&have, p->holds_deltas ? "deltas;" : "");
	for (uint32_t e = 0; e < p->n_events; e++)
		pd_buf_printf(&have, "%s %s=%.10g;", pd_strtab_get(&p->strings, p->events[e].name),
			      pd_unit_name(p->events[e].unit), p->events[e].total);
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		pd_buf_printf(&have, " %s@%s=", pd_strtab_get(&p->strings, p->funcs[i].name),
			      pd_strtab_get(&p->strings, p->funcs[i].module));
		for (uint32_t e = 0; e < p->n_events; e++) {
			const struct pd_weight *w = pd_profile_weight(p, i, e);

			pd_buf_printf(&have, "%s%.10g/%.10g", e ? "," : "", w->self, w->inclusive);
		}
	}
	ut_assert_text(text, have.ptr, want);
	assert_int_equal(r.diags.n, n_diags);
	pd_buf_done(&have);
	ut_reading_done(&r);
}

static void test_tables(void **state)
{
	(void)state;
	/* The third stack is a recursion, the fourth has no name. */
	assert_read(META SHARED ", \"threads\": [" SAMPLES("0, 1, 2, 3, null, 2", "") "]}", 0,
		    "samples samples=5; a@lib=3/5 b@=1/4 [unknown]@=1/nan");
	assert_read(META "\"threads\": [" SAMPLES("0", "") ", " SAMPLES("1", "") "], " SHARED "}",
		    0,
		    "samples samples=2; a@lib=1/2 b@=1/1");
	/* A thread's own tables come first. */
	assert_read(META SHARED ", \"threads\": [" SAMPLES("1", "") ", {\"samples\": {\"stack\":"
		    " [0, 0]}, " TABLES("null", "1") "}, " SAMPLES("0", "") "]}", 0,
		    "samples samples=4; a@lib=1/2 b@=3/3");
}

static void test_weights(void **state)
{
	(void)state;
	assert_read(META SHARED ", \"threads\": ["
		    SAMPLES("0, 1", ", \"weight\": [3, 4], \"weightType\": \"bytes\"") ", "
		    SAMPLES("1", ", \"weight\": [1.5], \"weightType\": \"tracing-ms\"") "]}", 0,
		    "bytes bytes=7;time ns=1500000; a@lib=3/7,0/1500000 b@=4/4,1500000/1500000");
	assert_read(META SHARED ", \"threads\": [" SAMPLES("0, 1", ", \"weight\": [3, -4]") "]}", 0,
		    "deltas;samples samples=-1; a@lib=3/-1 b@=-4/-4");
}

static void test_broken(void **state)
{
	static const char text[] = META SHARED ", \"threads\": [" SAMPLES("0, 1", "") "]}";

	(void)state;
	/* Prefixes that make a circle, rows that are not there. */
	assert_read(META "\"shared\": {" TABLES("1, 0, null", "0, 1, 99") "}, \"threads\": ["
		    SAMPLES("0, 1, 2, 3, 0.5", "") ", 7]}", 3,
		    "samples samples=3; a@lib=1/2 b@=1/1 [unknown]@=1/nan");
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		char *cut = strndup(text, len);
		struct ut_reading r = ut_read(cut, "firefox", NULL);

		assert_true(r.rc == PD_ERR_TRUNCATED || (!len && r.rc == PD_ERR_EMPTY));
		ut_reading_done(&r);
		free(cut);
	}
}

/* Threads in turn with their own table and the shared ones, which are large. */
static void test_many_readings(void **state)
{
	struct pd_buf b = {0};
	struct ut_reading r;

	(void)state;
	pd_buf_add_str(&b, META "\"shared\": {\"stackTable\": {\"prefix\": [null");
	for (int i = 0; i < 20000; i++)
		pd_buf_add_str(&b, ",0");
	pd_buf_add_str(&b, "], \"frame\": [0");
	for (int i = 0; i < 20000; i++)
		pd_buf_add_str(&b, ",0");
	pd_buf_add_str(&b, "]}}, \"threads\": [5");
	for (int i = 0; i < 1000; i++)
		pd_buf_add_str(&b, "," SAMPLES("0", "") ", {\"samples\": {\"stack\": []},"
			       " \"stringArray\": []}");
	pd_buf_add_str(&b, "]}");
	r = ut_read(b.ptr, NULL, NULL);
	assert_int_equal(r.rc, PD_ERR_LIMIT);
	ut_reading_done(&r);
	pd_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables), cmocka_unit_test(test_weights),
		cmocka_unit_test(test_broken), cmocka_unit_test(test_many_readings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
