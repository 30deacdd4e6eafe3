/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suggestions: what is near, and what is not. Distances are counted by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/suggest.h"

static const char *const words[] = {"columns", "color", "comms", "cpu", "callers", "top", NULL};

static void check(const char *word, const char *want)
{
	struct pd_suggestion s = pd_suggest_for(pd_span_of(word));
	struct pd_buf buf = {0};

	for (size_t i = 0; words[i]; i++)
		pd_suggest_offer(&s, pd_span_of(words[i]));
	assert_string_equal(pd_suggest_text(&s, "--", &buf), want);
	pd_buf_done(&buf);
}

static void test_near(void **state)
{
	(void)state;
	check("colums", "; did you mean --columns?");  /* one dropped */
	check("colour", "; did you mean --color?");    /* one inserted */
	check("clolor", "; did you mean --color?");    /* one inserted */
	check("cmoms", "; did you mean --comms?");     /* two exchanged */
	check("callres", "; did you mean --callers?"); /* two exchanged */
	check("tup", "; did you mean --top?");         /* one replaced */
	check("to", "; did you mean --top?");
}

static void test_far(void **state)
{
	char long_word[PD_SUGGEST_MAX + 2];

	(void)state;
	check("", "");
	check("x", "");
	check("vmlinux", "");
	check("clr", ""); /* two of three */
	memset(long_word, 'c', sizeof(long_word) - 1);
	long_word[sizeof(long_word) - 1] = '\0';
	check(long_word, "");
}

/* The nearest wins, the first of equally near ones stays. */
static void test_best(void **state)
{
	struct pd_suggestion s = pd_suggest_for(pd_span_of("abcdef"));

	(void)state;
	pd_suggest_offer(&s, pd_span_of("abcxyf"));
	assert_int_equal(s.distance, 2);
	pd_suggest_offer(&s, pd_span_of("abcdxx"));
	assert_memory_equal(s.best.ptr, "abcxyf", 6);
	pd_suggest_offer(&s, pd_span_of("bacdef"));
	assert_memory_equal(s.best.ptr, "bacdef", 6);
	assert_int_equal(s.distance, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_far),
		cmocka_unit_test(test_best),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
