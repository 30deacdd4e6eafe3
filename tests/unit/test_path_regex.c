/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regular expressions on paths: what they match, what is refused, and that no
 * expression is slow.
 */
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/path_regex.h"

static void check(const char *expression, const char *path, bool want)
{
	struct pd_path_regex *re = pd_path_regex_new(pd_span_of(expression));

	if (!re)
		fail_msg("%s is refused", expression);
	if (pd_path_regex_matches(re, pd_span_of(path)) != want)
		fail_msg("%s %s %s", expression, want ? "does not match" : "matches", path);
	free(re);
}

static void matches(void **state)
{
	(void)state;
	check("tegra", "drivers/tegra/a.c", true);
	check("tegra", "drivers/tegr", false);
	check("[^a-z]tegra", "drivers/tegra/a.c", true);
	check("[^a-z]tegra", "drivers/xtegra/a.c", false);
	check("^tegra", "drivers/tegra", false);
	check("^drivers", "drivers/tegra", true);
	check("\\.c$", "a/b.c", true);
	check("\\.c$", "a/b.cc", false);
	check("a.c", "a/c", true);
	check("sun[x4-6]i", "clk-sun5i.c", true);
	check("sun[x4-6]i", "clk-sun7i.c", false);
	check("[]x]y", "]y", true);
	check("[a-]y", "-y", true);
	check("[\\d_]k", "/9k", true);
	check("^(fs|mm)/", "mm/x.c", true);
	check("^(fs|mm)/", "kernel/mm/x.c", false);
	check("^(?:ab|a)b$", "ab", true);
	check("ab*c", "ac", true);
	check("ab+c", "ac", false);
	check("ab+c", "abbbc", true);
	check("ab?c", "abc", true);
	check("ab?c", "abbc", false);
	check("^(ab)*$", "ababab", true);
	check("^(ab)*$", "ababa", false);
	check("^(a*)*$", "aaaa", true); /* a loop that takes nothing */
	check("^(a|b|cd)+e", "abcdcdbe", true);
	check("axp\\d\\d", "axp20x", true);
	check("\\bsp\\b", "a/sp.c", true);
	check("\\bsp\\b", "a/spi.c", false);
	check("\\w\\s", "a b", true);
}

static void refuses(void **state)
{
	static const char *const bad[] = {
		"", "(", ")", "a)", "(a", "[a", "*a", "+", "?", "a*|*", "a{2}", "{", "(?=a)",
		"(?i)a", "\\1", "\\", "[[:alpha:]]", "[b-a]", "a|", "|a", "()", "[\\q]", "\\q",
		"(((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((a",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pd_path_regex *re = pd_path_regex_new(pd_span_of(bad[i]));

		if (re)
			fail_msg("%s is taken", bad[i]);
	}
}

/* Expressions that take others exponential time, on a path of their worst kind. */
static void is_never_slow(void **state)
{
	static const char *const hard[] = {"^(a+)+$", "^(a|a)*$", "^(a*)*b$", "(x+x+)+y"};
	char path[2001], nested[500];
	clock_t before = clock();

	(void)state;
	memset(path, 'a', sizeof(path) - 1);
	path[sizeof(path) - 2] = '!';
	path[sizeof(path) - 1] = '\0';
	for (size_t i = 0; i < sizeof(hard) / sizeof(hard[0]); i++)
		check(hard[i], path, false);
	memset(nested, '?', sizeof(nested));
	for (size_t i = 0; i < sizeof(nested); i += 2)
		nested[i] = 'b';
	nested[sizeof(nested) - 1] = '\0';
	nested[sizeof(nested) - 2] = 'c';
	check(nested, path, false);
	assert_true(clock() - before < 5 * CLOCKS_PER_SEC);
}

/* Whatever the bytes, it ends, within its memory. */
static void takes_anything(void **state)
{
	static const char alphabet[] = "ab/.*+?|()[]^$\\-dwsb{:";
	struct ut_random random = {7};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[40], path[20];
		size_t len = ut_random_below(&random, sizeof(text) - 1);
		struct pd_path_regex *re;

		for (size_t k = 0; k < len; k++)
			text[k] = alphabet[ut_random_below(&random, sizeof(alphabet) - 1)];
		for (size_t k = 0; k < sizeof(path); k++)
			path[k] = alphabet[ut_random_below(&random, 4)];
		re = pd_path_regex_new((struct pd_span){text, len});
		if (re)
			(void)pd_path_regex_matches(re, (struct pd_span){path, sizeof(path)});
		free(re);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches),
		cmocka_unit_test(refuses),
		cmocka_unit_test(is_never_slow),
		cmocka_unit_test(takes_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
