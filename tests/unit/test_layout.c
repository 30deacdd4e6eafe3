/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layout: cells as people see them, widths, paragraphs.
 */
#include "support.h"

#include <stdlib.h>

#include "render/layout.h"

static void test_cells(void **state)
{
	static const struct {
		struct pd_column column;
		struct pd_cell cell;
		const char *want;
	} cases[] = {
		{{.style = PD_STYLE_COUNT}, {1304, NULL}, "1304"},
		{{.style = PD_STYLE_COUNT}, {-5, NULL}, "-5"},
		{{.style = PD_STYLE_COUNT}, {0.4, NULL}, "0"},
		{{.style = PD_STYLE_COUNT}, {-0.4, NULL}, "0"},
		{{.style = PD_STYLE_COUNT}, {-0.0, NULL}, "0"},
		{{.style = PD_STYLE_COUNT}, {1.5, NULL}, "2"},
		{{.style = PD_STYLE_COUNT, .decimals = 2}, {1.005, NULL}, "1.00"},
		{{.style = PD_STYLE_COUNT, .decimals = 1}, {99.96, NULL}, "100.0"},
		{{.style = PD_STYLE_COUNT}, {PD_UNKNOWN, NULL}, ""},
		{{.style = PD_STYLE_COUNT}, {(double)INFINITY, NULL}, ""},
		{{.style = PD_STYLE_COUNT}, {7, "?"}, "?"},
		{{.style = PD_STYLE_COUNT}, {7, ""}, ""},
		{{.style = PD_STYLE_DELTA}, {12, NULL}, "+12"},
		{{.style = PD_STYLE_DELTA}, {-12, NULL}, "-12"},
		{{.style = PD_STYLE_DELTA}, {0, NULL}, "0"},
		{{.style = PD_STYLE_DELTA}, {0.4, NULL}, "0"},
		{{.style = PD_STYLE_DELTA}, {-0.4, NULL}, "0"},
		{{.style = PD_STYLE_DELTA, .decimals = 1}, {0.04, NULL}, "0.0"},
		{{.style = PD_STYLE_DELTA, .decimals = 1}, {-0.04, NULL}, "0.0"},
		{{.style = PD_STYLE_DELTA, .decimals = 1}, {0.06, NULL}, "+0.1"},
		{{.style = PD_STYLE_DELTA, .decimals = 1}, {-0.06, NULL}, "-0.1"},
		{{.style = PD_STYLE_DELTA}, {1e15, NULL}, "+1000000000000000"},
		{{.style = PD_STYLE_PERCENT, .decimals = 1}, {4.25, NULL}, "+4.2%"},
		{{.style = PD_STYLE_PERCENT, .decimals = 1}, {-100, NULL}, "-100.0%"},
		{{.style = PD_STYLE_PERCENT, .decimals = 1}, {-0.01, NULL}, "0.0%"},
		{{.style = PD_STYLE_PERCENT, .decimals = 1}, {PD_UNKNOWN, NULL}, ""},
		{{.style = PD_STYLE_PERCENT, .decimals = 1}, {PD_UNKNOWN, "new"}, "new"},
		{{.style = PD_STYLE_SHARE, .decimals = 2}, {4.2, NULL}, "4.20%"},
		{{.style = PD_STYLE_SPREAD, .decimals = 1}, {41.64, NULL}, "+-41.6"},
		{{.style = PD_STYLE_SPREAD}, {0, NULL}, "+-0"},
		{{.style = PD_STYLE_SPREAD}, {PD_UNKNOWN, NULL}, ""},
		{{.style = PD_STYLE_TEXT}, {PD_UNKNOWN, "do_fork"}, "do_fork"},
		{{.style = PD_STYLE_TEXT}, {PD_UNKNOWN, "a\tb"}, "a\\x09b"},
		{{.style = PD_STYLE_TEXT}, {PD_UNKNOWN, NULL}, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_buf b = {0};

		pd_buf_add_char(&b, '|');
		pd_layout_add_cell(&b, &cases[i].column, &cases[i].cell);
		ut_assert_text("cell", b.ptr + 1, cases[i].want);
		pd_buf_done(&b);
	}
}

static void test_safe_text(void **state)
{
	static const struct {
		const char *in, *want;
	} cases[] = {
		{"plain", "plain"},
		{"\xc2\xb5s \xe2\x82\xac", "\xc2\xb5s \xe2\x82\xac"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		{"\x1b[31m", "\\x1b[31m"},
		{"a\nb\rc\td", "a\\x0ab\\x0dc\\x09d"},
		{"\x7f\x01", "\\x7f\\x01"},
		{"\xc2\x85", "\\x85"},
		{"\xc2\xad", "\\xad"},
		{"\xe2\x80\xae", "\\u202e"},
		{"\xe2\x80\xa8\xef\xbb\xbf", "\\u2028\\ufeff"},
		{"\xf3\xa0\x80\x81", "\\U000e0001"},
		{"\xff\xc3", "\\xff\\xc3"},
		{"\xed\xa0\x80", "\\xed\\xa0\\x80"},
		{"\xc0\xaf", "\\xc0\\xaf"},
		{"a\\b", "a\\b"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_buf b = {0};

		pd_layout_add_safe(&b, pd_span_of(cases[i].in));
		ut_assert_text("safe", b.ptr, cases[i].want);
		/* What is safe stays as it is. */
		pd_buf_add_char(&b, '|');
		pd_layout_add_safe(&b, pd_span_of(cases[i].want));
		ut_assert_text("twice", strchr(b.ptr, '|') + 1, cases[i].want);
		pd_buf_done(&b);
	}
}

static void test_widths(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_table *t = pd_document_add_table(d, NULL);
	struct pd_table_row *row;
	uint32_t widths[4] = {77, 77, 77, 77};

	(void)state;
	pd_table_add_column(d, t, "a", "title", PD_STYLE_COUNT, 1);
	pd_table_add_column(d, t, "b", "b", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "c", "", PD_STYLE_TEXT, 0);
	pd_layout_widths(t, widths);
	assert_int_equal(widths[0], 5);
	assert_int_equal(widths[1], 1);
	assert_int_equal(widths[2], 0);
	assert_int_equal(widths[3], 77); /* beyond the columns */
	(void)pd_table_add_row(d, t, PD_ROW_BREAK);
	row = pd_table_add_row(d, t, PD_ROW_NORMAL);
	row->cells[0].number = 12345.67;                     /* 12345.7 */
	row->cells[1].number = 99;                           /* +99 */
	row->cells[2].text = "\xe6\x97\xa5\xe6\x9c\xac\x01"; /* two wide ones and \x01 */
	row = pd_table_add_row(d, t, PD_ROW_REST);
	row->cells[1].text = "?";
	pd_layout_widths(t, widths);
	assert_int_equal(widths[0], 7);
	assert_int_equal(widths[1], 3);
	assert_int_equal(widths[2], 8);
	assert_false(d->failed);
	pd_document_free(d);
}

static void test_paragraphs(void **state)
{
	static const struct {
		uint32_t width;
		const char *in, *want;
	} cases[] = {
		{20, "", "\n"},
		{20, "one", "one\n"},
		{20, "  one   two  ", "one two\n"},
		{7, "one two", "one two\n"},
		{6, "one two", "one\ntwo\n"},
		{7, "one two three", "one two\nthree\n"},
		{3, "one twothree f", "one\ntwothree\nf\n"},
		{1, "a b", "a\nb\n"},
		{0, "a b", "a\nb\n"},
		{3, "a b c d", "a b\nc d\n"},
		{5, "a\nb c", "a\\x0ab\nc\n"},
		{5, "\xe6\x97\xa5 \xe6\x9c\xac x", "\xe6\x97\xa5 \xe6\x9c\xac\nx\n"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_buf b = {0};

		pd_layout_add_paragraph(&b, cases[i].in, cases[i].width);
		ut_assert_text(cases[i].in, b.ptr, cases[i].want);
		pd_buf_done(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_safe_text),
		cmocka_unit_test(test_widths),
		cmocka_unit_test(test_paragraphs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
