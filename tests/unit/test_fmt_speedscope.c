/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * speedscope: what samples and events cost, units, orders, what is no profile.
 */
#include "support.h"

#include <stdlib.h>

#define FILE_OF(profiles)                                                                   \
	"{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\", \"shared\":"   \
	" {\"frames\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": \"a\"}, {}]},"       \
	" \"profiles\": [" profiles "]}"
#define SAMPLED(unit, samples, weights)                                                     \
	"{\"type\": \"sampled\", \"unit\": \"" unit "\", \"samples\": [" samples "],"        \
	" \"weights\": [" weights "]}"
#define EVENTED(end, events)                                                                \
	"{\"type\": \"evented\", \"unit\": \"nanoseconds\", \"endValue\": " end              \
	", \"events\": [" events "]}"
#define OPEN(frame, at) "{\"type\": \"O\", \"frame\": " frame ", \"at\": " at "}"
#define CLOSE(frame, at) "{\"type\": \"C\", \"frame\": " frame ", \"at\": " at "}"

/* A text is read with so many diagnostics as "EVENT UNIT; NAME=SELF/INCLUSIVE,... ...". */
static void assert_read(const char *text, size_t n_diags, const char *want)
{
	struct ut_reading r = ut_read(text, NULL, NULL);
	const struct pd_profile *p;
	struct pd_buf have = {0};

	ut_assert_text(text, r.err.msg, "");
	p = r.profiles.items[0];
	assert_string_equal(p->format, "speedscope");
	for (uint32_t e = 0; e < p->n_events; e++)
		pd_buf_printf(&have, "%s %s=%.10g;", pd_strtab_get(&p->strings, p->events[e].name),
			      pd_unit_name(p->events[e].unit), p->events[e].total);
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		pd_buf_printf(&have, " %s=", pd_strtab_get(&p->strings, p->funcs[i].name));
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

static void test_samples(void **state)
{
	(void)state;
	/* Recursion counts once, also of two frames of one function; a frame without a name. */
	assert_read(FILE_OF(SAMPLED("none", "[0,1,2],[0,1],[1,3],[]", "5,2,1,9")), 0,
		    "samples samples=8; a=5/7 b=2/8 [unknown]=1/nan");
	assert_read(FILE_OF("{\"type\": \"sampled\", \"samples\": [[0],[1],[0]]}"), 0,
		    "samples samples=3; a=2/2 b=1/1");
	/* Threads are added up, other units are other events. */
	assert_read(FILE_OF(SAMPLED("seconds", "[0]", "1.5") "," SAMPLED("bytes", "[0],[1]", "4,3")
			    "," SAMPLED("milliseconds", "[0,1]", "20")), 0,
		    "time ns=1520000000;bytes bytes=7; a=1500000000/1520000000,4/4"
		    " b=20000000/20000000,3/3");
}

static void test_events(void **state)
{
	(void)state;
	assert_read(FILE_OF(EVENTED("100", OPEN("0", "10") "," OPEN("1", "20") ","
				    OPEN("2", "25") "," CLOSE("2", "30") "," CLOSE("1", "40") ","
				    CLOSE("0", "50") "," OPEN("1", "90"))), 0,
		    "time ns=50; a=25/40 b=25/30");
	/* An end without a begin; ends in the wrong order; back in time. */
	assert_read(FILE_OF(EVENTED("0", CLOSE("1", "1") "," OPEN("0", "10") "," OPEN("1", "20") ","
				    CLOSE("0", "30") "," OPEN("1", "25") "," CLOSE("1", "32"))), 3,
		    "time ns=22; a=10/20 b=12/12");
}

static void test_broken(void **state)
{
	static const char text[] = FILE_OF(SAMPLED("none", "[0,1,2],[0,1]", "5,2"));
	struct ut_reading r;

	(void)state;
	assert_read(FILE_OF(SAMPLED("none", "[0],[9],[-1],[0.5],\"x\",[1]", "1,1,1,1,1,1")), 4,
		    "samples samples=2; a=1/1 b=1/1");
	assert_read(FILE_OF(SAMPLED("none", "[0],[1],[1],[1]", "3,-1,1e999")), 3,
		    "samples samples=3; a=3/3");
	/* Weights tell what samples cost, so that a cut file is worth nothing. */
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		char *cut = strndup(text, len);

		r = ut_read(cut, "speedscope", NULL);
		assert_true(r.rc == PD_ERR_TRUNCATED || (!len && r.rc == PD_ERR_EMPTY));
		ut_reading_done(&r);
		free(cut);
	}
}

static void test_limits(void **state)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct ut_reading r;
	char *have;

	(void)state;
	limits.n_frames = 2;
	r = ut_read(FILE_OF(SAMPLED("none", "[0],[0,1,0]", "3,1")), NULL, &limits);
	have = ut_dump_ticks(&r);
	ut_assert_text("deep", have, ":3 a=3");
	assert_int_equal(r.diags.n, 1);
	free(have);
	ut_reading_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples), cmocka_unit_test(test_events),
		cmocka_unit_test(test_broken),  cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
