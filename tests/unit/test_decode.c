/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quoted-printable texts, and what only looks like one; joining what mailers
 * broke. (UTF-16 and byte order marks are in test_lines.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "io/lines.h"

static void expect_text(const char *in, const char *want)
{
	struct pd_text t = {0};
	struct pd_error err = {0};

	assert_int_equal(pd_text_init(pd_span_of(in), &t, &err), PD_OK);
	assert_int_equal(t.bytes.len, strlen(want));
	assert_memory_equal(t.bytes.ptr, want, strlen(want));
	pd_text_done(&t);
}

static void test_quoted_printable(void **state)
{
	(void)state;
	expect_text("a=3Db\n", "a=b\n");
	expect_text("a long=\n line\n", "a long line\n");
	expect_text("a long=\r\n line\r\n", "a long line\r\n");
	expect_text("blank=20\n", "blank \n");
	expect_text("caf=C3=A9\n", "caf\xc3\xa9\n");
	expect_text("caf=E9 =\n=20\n", "caf\xe9  \n");
	expect_text("ends in a soft break=\n", "ends in a soft break");
}

static void test_no_quoted_printable(void **state)
{
	static const char *const plain[] = {
		"a=b\n",
		"a=3d\n",          /* the digits are upper case */
		"x=3D1 and y=z\n", /* one "=" that is none */
		"no sign at all\n",
		"count=1=",
		"Before=22675, After=22706\n", /* numbers, which no encoder had to write so */
		"from=2024, to=2091\n",
		"a=89, b=91 and c=10\n",
		("a line of more than the seventy-six characters that the form allows, "
		 "so that it is none=3D\n"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		expect_text(plain[i], plain[i]);
}

/* A row is "NUMBER NAME". */
static bool is_row(struct pd_span line, const void *context)
{
	struct pd_span f[3];

	(void)context;
	return pd_fields(line, f, 3) == 2 && pd_is_digit(f[0].ptr[0]) && !pd_is_digit(f[1].ptr[0]);
}

static void test_unwrap(void **state)
{
	static const struct {
		const char *text;
		const char *first; /* what the first line becomes */
		bool is_joined;
		const char *second; /* what comes then; NULL: the end */
	} cases[] = {
		{"12\nfoo\n13 bar\n", "12 foo", true, "13 bar"},
		{"12   \n   foo\n", "12 foo", true, NULL},
		{"12\n13 bar\n", "12", false, "13 bar"}, /* the second line is a row itself */
		{"12\nfoo bar\n", "12", false, "foo bar"},
		{"12\n\nfoo\n", "12", false, ""},
		{"12\n", "12", false, NULL},
	};
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_lines l;
		struct pd_span line;

		pd_lines_init(&l, pd_span_of(cases[i].text), &limits, "in", NULL);
		assert_true(pd_lines_next(&l, &line));
		assert_int_equal(pd_lines_unwrap(&l, &line, is_row, NULL), cases[i].is_joined);
		assert_true(pd_span_eq(line, cases[i].first));
		assert_int_equal(l.no, cases[i].is_joined ? 2 : 1);
		assert_int_equal(pd_lines_next(&l, &line), cases[i].second != NULL);
		if (cases[i].second)
			assert_true(pd_span_eq(line, cases[i].second));
		pd_lines_done(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quoted_printable),
		cmocka_unit_test(test_no_quoted_printable),
		cmocka_unit_test(test_unwrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
