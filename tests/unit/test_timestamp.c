/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timestamps: date(1) gives the seconds.
 */
#include "support.h"

#include "ingest/timestamp.h"

static void test_good(void **state)
{
	/* date -u -d "2026-11-30 19:32:14" +%s */
	static const struct {
		const char *text;
		double seconds;
	} good[] = {
		{"Mon Nov 30 19:32:14 2026", 1796067134},
		{"Thu Jan  1 00:00:00 1970", 0},
		{"Thu Feb 29 23:59:60 2024", 1709251200},
		{"  Sat Jul  4 12:00:01 2009  ", 1246708801},
		{"Wed Dec 31 23:59:59 1969", -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		double s = 0.5;

		assert_true(pd_timestamp_parse(pd_span_of(good[i].text), &s));
		ut_assert_same(s, good[i].seconds);
	}
}

static void test_bad(void **state)
{
	static const char *const bad[] = {
		"", "Mon", "Mon Nov 30 19:32:14", "Mon Nov 30 19:32:14 2026 CET",
		"Mon Nob 30 19:32:14 2026", "Mon Nov 32 19:32:14 2026", "Mon Nov 30 24:32:14 2026",
		"Mon Nov 30 19:60:14 2026", "Mon Nov 30 19:32:61 2026", "Mon Nov 30 9:32:14 2026",
		"Mon Nov 30 19-32-14 2026", "Mon Nov 30 19:32:14 12026", "Mon Nov -3 19:32:14 2026",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		double s = 0.5;

		if (pd_timestamp_parse(pd_span_of(bad[i]), &s))
			fail_msg("\"%s\" was read", bad[i]);
		ut_assert_same(s, 0.5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
