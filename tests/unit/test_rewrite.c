/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules for names: parsing, replacement, chains of rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/rewrite.h"

static void expect(const char *rule1, const char *rule2, const char *name, const char *want)
{
	struct pd_rewrite r = {0};
	struct pd_error err = {0};
	struct pd_span got;
	char text[64] = "";

	assert_int_equal(pd_rewrite_add(&r, rule1, &err), PD_OK);
	if (rule2)
		assert_int_equal(pd_rewrite_add(&r, rule2, &err), PD_OK);
	got = pd_rewrite_apply(&r, pd_span_of(name));
	assert_true(got.len < sizeof(text));
	memcpy(text, got.ptr, got.len);
	assert_string_equal(text, want);
	pd_rewrite_done(&r);
}

static void test_apply(void **state)
{
	(void)state;
	expect("s/foo/bar/", NULL, "foo_foo", "bar_foo");
	expect("s/foo/bar/g", NULL, "foo_foo", "bar_bar");
	expect("s/^foo/x/g", NULL, "foofoo", "xfoo");
	expect("s/([a-z]+)_([0-9]+)/\\2_\\1/", NULL, "cpu_12", "12_cpu");
	expect("s/[0-9]+/<&>/", NULL, "cpu12", "cpu<12>");
	expect("s/[0-9]/\\&/", NULL, "cpu1", "cpu&");
	expect("s|/|.|g", NULL, "a/b/c", "a.b.c");
	expect("s/\\//./", NULL, "a/b", "a.b");
	expect("s/x*/-/g", NULL, "abc", "-a-b-c-");
	expect("s/x*/-/g", NULL, "xbx", "-b-");
	expect("s/x*/-/g", NULL, "b", "-b-");
	expect("s/a/b/", "s/b/c/g", "ab", "cc");
	expect("s/nothing/b/", NULL, "ab", "ab");
	expect("s/.*//", NULL, "ab", "ab"); /* a name cannot vanish */
	expect("s/(a)|(b)/[\\2]/", NULL, "a", "[]");
}

static void test_bad_rules(void **state)
{
	static const char *const bad[] = {"", "s", "s/", "s/a", "s/a/b", "s//b/", "s/a/b/x",
					  "y/a/b/", "s/(/b/", "s/a/\\1/", "sxaxbx", "s\\a\\b\\"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pd_rewrite r = {0};
		struct pd_error err = {0};

		assert_int_equal(pd_rewrite_add(&r, bad[i], &err), PD_ERR_USAGE);
		assert_int_equal(err.code, PD_ERR_USAGE);
		pd_rewrite_done(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apply),
		cmocka_unit_test(test_bad_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
