/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors and diagnostics.
 */
#include "support.h"

#include <errno.h>
#include <stdio.h>

#include "profdiff/error.h"

static void test_first_error_wins(void **state)
{
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_fail(&err, PD_ERR_FORMAT, "expected %d, found \"%s\"", 1, "x"),
			 PD_ERR_FORMAT);
	assert_int_equal(pd_fail(&err, PD_ERR_LIMIT, "second"), PD_ERR_LIMIT);
	assert_int_equal(pd_fail_io(&err, ENOENT, "third"), PD_ERR_IO);
	assert_int_equal(pd_fail_nomem(&err), PD_ERR_NOMEM);
	assert_int_equal(err.code, PD_ERR_FORMAT);
	assert_int_equal(err.sys_errno, 0);
	assert_int_equal(err.line, 0);
	assert_string_equal(err.path, "");
	assert_string_equal(err.msg, "expected 1, found \"x\"");
	/* Without a place to tell, the code is all. */
	assert_int_equal(pd_fail(NULL, PD_ERR_USAGE, "%s", "x"), PD_ERR_USAGE);
	assert_int_equal(pd_fail_io(NULL, EIO, "x"), PD_ERR_IO);
	assert_int_equal(pd_fail_nomem(NULL), PD_ERR_NOMEM);
}

static void test_system_errors(void **state)
{
	struct pd_error err = {0};
	char longest[3000];

	(void)state;
	assert_int_equal(pd_fail_io(&err, ENOENT, "cannot open %s", "it"), PD_ERR_IO);
	assert_int_equal(err.code, PD_ERR_IO);
	assert_int_equal(err.sys_errno, ENOENT);
	assert_string_equal(err.msg, "cannot open it: No such file or directory");
	/* What is too long is cut. */
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	err = (struct pd_error){0};
	(void)pd_fail_io(&err, ENOENT, "%s", longest);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	err = (struct pd_error){0};
	(void)pd_fail(&err, PD_ERR_FORMAT, "%s", longest);
	assert_int_equal(strlen(err.msg), sizeof(err.msg) - 1);
	assert_int_equal(pd_wrap(&err, PD_ERR_FORMAT, longest), PD_ERR_FORMAT);
	assert_int_equal(strlen(err.path), sizeof(err.path) - 1);
}

static void test_wrap(void **state)
{
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_wrap(&err, PD_OK, "a.txt"), PD_OK);
	assert_string_equal(err.path, "");
	assert_int_equal(pd_wrap(NULL, PD_ERR_IO, "a.txt"), PD_ERR_IO);
	(void)pd_fail(&err, PD_ERR_EMPTY, "nothing");
	assert_int_equal(pd_wrap(&err, PD_ERR_EMPTY, NULL), PD_ERR_EMPTY);
	assert_string_equal(err.path, "");
	assert_int_equal(pd_wrap(&err, PD_ERR_EMPTY, "a.txt"), PD_ERR_EMPTY);
	assert_int_equal(pd_wrap(&err, PD_ERR_EMPTY, "b.txt"), PD_ERR_EMPTY);
	assert_string_equal(err.path, "a.txt");
	assert_string_equal(err.msg, "nothing");
}

static void test_diagnostics(void **state)
{
	struct pd_diags d;

	(void)state;
	pd_diags_init(&d);
	pd_diags_add(&d, PD_WARNING, "bad-line", "a.txt", 12, "expected %s", "x");
	pd_diags_add(&d, PD_NOTE, "other", NULL, 0, "note");
	assert_int_equal(d.n, 2);
	assert_int_equal(d.items[0].severity, PD_WARNING);
	assert_string_equal(d.items[0].kind, "bad-line");
	assert_string_equal(d.items[0].path, "a.txt");
	assert_int_equal(d.items[0].line, 12);
	assert_string_equal(d.items[0].text, "expected x");
	assert_int_equal(d.items[0].n_repeats, 0);
	assert_int_equal(d.items[1].severity, PD_NOTE);
	assert_string_equal(d.items[1].path, "");
	assert_string_equal(d.items[1].text, "note");
	pd_diags_add(NULL, PD_NOTE, "other", NULL, 0, "dropped");
	pd_diags_done(&d);
	assert_int_equal(d.n, 0);
	assert_null(d.items);
	pd_diags_done(&d);
	pd_diags_done(NULL);
}

/* Five of each kind and path are listed, the last of them counts the others. */
static void test_diagnostics_are_bounded(void **state)
{
	static const char *const kinds[] = {"k1", "k2"}, *const paths[] = {"a", "b", NULL};
	struct pd_diags d = {0};

	(void)state;
	for (uint32_t i = 0; i < 100; i++)
		for (size_t k = 0; k < 2; k++)
			for (size_t p = 0; p < 3; p++)
				if (k == 0 || i < 5) /* k2 is just full */
					pd_diags_add(&d, PD_WARNING, kinds[k], paths[p], i + 1,
						     "%u", i);
	assert_int_equal(d.n, (size_t)2 * 3 * PD_DIAGS_PER_KIND);
	for (size_t i = 0; i < d.n; i++) {
		char text[16];
		uint32_t round = (uint32_t)i / 6;
		bool is_first = !strcmp(d.items[i].kind, "k1");

		(void)snprintf(text, sizeof(text), "%u", round);
		assert_string_equal(d.items[i].text, text);
		assert_int_equal(d.items[i].line, round + 1);
		assert_int_equal(d.items[i].n_repeats,
				 is_first && round == PD_DIAGS_PER_KIND - 1 ? 95 : 0);
	}
	pd_diags_done(&d);
}

/* What is moved is bounded as if it had been added there. */
static void test_diagnostics_are_moved(void **state)
{
	struct pd_diags from = {0}, to = {0};

	(void)state;
	pd_diags_add(&to, PD_NOTE, "k", "p", 1, "first");
	for (uint32_t i = 0; i < 9; i++)
		pd_diags_add(&from, PD_WARNING, "k", "p", 2 + i, "more %u", i);
	pd_diags_add(&from, PD_WARNING, "k", "q", 1, "other path");
	pd_diags_move(&from, &to);
	assert_int_equal(from.n, 0);
	assert_int_equal(to.n, PD_DIAGS_PER_KIND + 1);
	assert_string_equal(to.items[0].text, "first");
	assert_string_equal(to.items[4].text, "more 3");
	/* 9 were there, 4 of them are listed. */
	assert_int_equal(to.items[4].n_repeats, 5);
	assert_string_equal(to.items[5].text, "other path");
	pd_diags_done(&to);
	pd_diags_done(&from);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_error_wins),
		cmocka_unit_test(test_system_errors),
		cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_diagnostics),
		cmocka_unit_test(test_diagnostics_are_bounded),
		cmocka_unit_test(test_diagnostics_are_moved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
