/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPU profiles of V8: whose time it is, the tree in its two forms, broken ones.
 */
#include "support.h"

#include <stdlib.h>

#define NODE(id, name, rest)                                                                \
	"{\"id\": " id ", \"callFrame\": {\"functionName\": \"" name "\", \"url\": \"s\"}" rest "}"
#define TREE                                                                                \
	"{\"nodes\": [" NODE("1", "a", ", \"children\": [5, 7]") ","                         \
	NODE("5", "b", ", \"children\": [6]") "," NODE("6", "a", ", \"hitCount\": 9") ","    \
	NODE("7", "", "") "]"

/* A text is read with so many diagnostics as "EVENT=TOTAL; NAME@MODULE=SELF/INCLUSIVE,...". */
static void assert_read(const char *text, size_t n_diags, const char *want)
{
	struct ut_reading r = ut_read(text, NULL, NULL);
	const struct pd_profile *p;
	struct pd_buf have = {0};

	ut_assert_text(text, r.err.msg, "");
	p = r.profiles.items[0];
	assert_string_equal(p->format, "cpuprofile");
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

static void test_times(void **state)
{
	(void)state;
	assert_read(TREE ", \"startTime\": 100, \"endTime\": 150, \"samples\": [5, 6, 7, 1],"
		    " \"timeDeltas\": [5, 10, 20, 3]}", 0,
		    "samples samples=4;time ns=45000; a=2/4,32000/45000"
		    " b=1/2,10000/30000 (anonymous)=1/1,3000/3000");
	/* Hits, where samples are not listed. */
	assert_read(TREE "}", 0, "samples samples=9; a=9/9 b=0/9");
	assert_read("{\"nodes\": [" NODE("3", "a", "") "," NODE("2", "b", ", \"parent\": 3,"
		    " \"hitCount\": 4") "]}", 0, "samples samples=4; a=0/4 b=4/4");
}

static void test_broken(void **state)
{
	static const char text[] = TREE ", \"samples\": [5]}";

	(void)state;
	/* Circles, ids that are there twice, samples of no node. */
	assert_read("{\"nodes\": [" NODE("1", "a", ", \"children\": [2]") ","
		    NODE("2", "b", ", \"children\": [1, 2]") "," NODE("2", "c", "") ", {}],"
		    " \"samples\": [1, 2, 3, -1, null]}", 2,
		    "samples samples=2; a=1/2 b=1/1");
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		char *cut = strndup(text, len);
		struct ut_reading r = ut_read(cut, "cpuprofile", NULL);

		assert_true(r.rc == PD_ERR_TRUNCATED || (!len && r.rc == PD_ERR_EMPTY));
		ut_reading_done(&r);
		free(cut);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times), cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
