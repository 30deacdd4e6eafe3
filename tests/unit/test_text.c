/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spans, buffers, UTF-8.
 */
#include "support.h"

#include <stdlib.h>

#define SPAN(s) ((struct pd_span){s, sizeof(s) - 1})

static void test_spans(void **state)
{
	const struct pd_span s = SPAN("  a b\t"), null = {NULL, 0};

	(void)state;
	assert_true(pd_span_eq(pd_span_trim(s), "a b"));
	assert_true(pd_span_eq(pd_span_trim(SPAN(" \t ")), ""));
	assert_true(pd_span_eq(pd_span_trim(null), ""));
	assert_true(pd_span_eq(pd_span_sub(s, 2, 5), "a b"));
	assert_true(pd_span_eq(pd_span_sub(s, 4, 99), "b\t"));
	assert_true(pd_span_eq(pd_span_sub(s, 99, 2), ""));
	assert_true(pd_span_eq(pd_span_sub(s, 5, 2), ""));
	assert_true(pd_span_eq(null, ""));
	assert_false(pd_span_eq(null, "a"));
	assert_false(pd_span_eq(SPAN("a\0b"), "a"));
	assert_true(pd_span_eq_nocase(SPAN("AbZ@[`"), "aBz@[`"));
	assert_false(pd_span_eq_nocase(SPAN("@"), "`"));
	assert_false(pd_span_eq_nocase(SPAN("ab"), "abc"));
	assert_true(pd_span_starts(s, "  a"));
	assert_true(pd_span_starts(s, ""));
	assert_true(pd_span_starts(null, ""));
	assert_false(pd_span_starts(null, "a"));
	assert_false(pd_span_starts(SPAN("ab"), "abc"));
	assert_true(pd_span_ends(s, "b\t"));
	assert_true(pd_span_ends(null, ""));
	assert_false(pd_span_ends(SPAN("bc"), "abc"));
	assert_int_equal(pd_span_find(s, "a b"), 2);
	assert_int_equal(pd_span_find(SPAN("aab"), "ab"), 1);
	assert_true(pd_span_find(s, "x") == SIZE_MAX);
	assert_true(pd_span_find(null, "x") == SIZE_MAX);
	assert_true(pd_is_blank(' ') && pd_is_blank('\t') && !pd_is_blank('\n'));
	assert_true(pd_is_digit('0') && pd_is_digit('9') && !pd_is_digit('/') && !pd_is_digit(':'));
	assert_true(pd_is_alpha('a') && pd_is_alpha('Z') && !pd_is_alpha('@') && !pd_is_alpha('['));
}

static void test_buffers(void **state)
{
	struct pd_buf b = {0};

	(void)state;
	pd_buf_add(&b, "", 0);
	assert_null(b.ptr);
	pd_buf_add_str(&b, "abc");
	pd_buf_add_char(&b, '-');
	pd_buf_add_fill(&b, '=', 3);
	pd_buf_add_fill(&b, '!', 0);
	pd_buf_printf(&b, "%d%s", 12, "x");
	pd_buf_printf(&b, "%s", "");
	assert_string_equal(b.ptr, "abc-===12x");
	assert_int_equal(b.len, 10);
	assert_true(pd_buf_reserve(&b, 1 << 20));
	assert_true(b.cap >= b.len + (1 << 20));
	assert_string_equal(b.ptr, "abc-===12x");
	/* What cannot be had is latched, and what was there stays. */
	assert_false(pd_buf_reserve(&b, SIZE_MAX));
	assert_true(b.failed);
	assert_string_equal(b.ptr, "abc-===12x");
	pd_buf_done(&b);
	assert_null(b.ptr);
	assert_false(b.failed);
	pd_buf_done(NULL);

	for (int i = 0; i < 10000; i++) {
		pd_buf_add_char(&b, (char)('a' + i % 26));
		assert_int_equal(b.ptr[b.len], '\0');
	}
	assert_int_equal(b.len, 10000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(b.ptr[i], 'a' + i % 26);
	pd_buf_done(&b);
}

/* The first code point of bytes that stand in a block of just their size. */
static uint32_t decode(struct pd_span s, size_t *ret_len)
{
	char *exact = malloc(s.len);
	uint32_t code;

	memcpy(exact, s.ptr, s.len);
	code = pd_utf8_decode((struct pd_span){exact, s.len}, ret_len);
	free(exact);
	return code;
}

static void test_utf8_sequences(void **state)
{
	static const struct {
		struct pd_span in;
		uint32_t code;
		size_t len;
	} cases[] = {
		{{"a", 1}, 'a', 1}, {{"\0", 1}, 0, 1}, {{"\x7f", 1}, 0x7f, 1},
		{{"\xc2\x80", 2}, 0x80, 2}, {{"\xdf\xbf", 2}, 0x7ff, 2},
		{{"\xe0\xa0\x80", 3}, 0x800, 3}, {{"\xed\x9f\xbf", 3}, 0xd7ff, 3},
		{{"\xee\x80\x80", 3}, 0xe000, 3}, {{"\xef\xbf\xbf", 3}, 0xffff, 3},
		{{"\xf0\x90\x80\x80", 4}, 0x10000, 4}, {{"\xf4\x8f\xbf\xbf", 4}, 0x10ffff, 4},
		{{"\xc2\xb1xyz", 5}, 0xb1, 2},
		/* Bytes that begin nothing. */
		{{"\x80", 1}, PD_UTF8_BAD, 1}, {{"\xbf", 1}, PD_UTF8_BAD, 1},
		{{"\xfe", 1}, PD_UTF8_BAD, 1}, {{"\xff\xff\xff\xff", 4}, PD_UTF8_BAD, 1},
		{{"\xf8\x88\x80\x80\x80", 5}, PD_UTF8_BAD, 1},
		/* Longer than they need to be. */
		{{"\xc0\x80", 2}, PD_UTF8_BAD, 1}, {{"\xc1\xbf", 2}, PD_UTF8_BAD, 1},
		{{"\xe0\x9f\xbf", 3}, PD_UTF8_BAD, 1}, {{"\xf0\x8f\xbf\xbf", 4}, PD_UTF8_BAD, 1},
		/* Surrogates, and beyond the last code point. */
		{{"\xed\xa0\x80", 3}, PD_UTF8_BAD, 1}, {{"\xed\xbf\xbf", 3}, PD_UTF8_BAD, 1},
		{{"\xf4\x90\x80\x80", 4}, PD_UTF8_BAD, 1},
		{{"\xf5\x80\x80\x80", 4}, PD_UTF8_BAD, 1},
		/* Cut short, and broken off. */
		{{"\xc2", 1}, PD_UTF8_BAD, 1}, {{"\xe2\x82", 2}, PD_UTF8_BAD, 1},
		{{"\xf0\x9f\x98", 3}, PD_UTF8_BAD, 1}, {{"\xc2" "a", 2}, PD_UTF8_BAD, 1},
		{{"\xe2\x82" "a", 3}, PD_UTF8_BAD, 1}, {{"\xf0\x9f\x98" "a", 4}, PD_UTF8_BAD, 1},
		{{"\xe2" "a\x82", 3}, PD_UTF8_BAD, 1}, {{"\xc2\xc2", 2}, PD_UTF8_BAD, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t len = 77;
		uint32_t code = decode(cases[i].in, &len);

		if (code != cases[i].code || len != cases[i].len)
			fail_msg("case %zu: found U+%04x of %zu bytes", i, code, len);
		assert_int_equal(pd_utf8_is_valid(pd_span_sub(cases[i].in, 0, 4)),
				 code != PD_UTF8_BAD);
	}
	assert_true(pd_utf8_is_valid(pd_span_of("")));
	assert_true(pd_utf8_is_valid((struct pd_span){NULL, 0}));
	assert_false(pd_utf8_is_valid(pd_span_of("abc\xff")));
}

/* Every code point, out and in again. */
static void test_utf8_round_trip(void **state)
{
	struct pd_buf b = {0};

	(void)state;
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		size_t len, want = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
		bool is_surrogate = code >= 0xd800 && code < 0xe000;

		b.len = 0;
		pd_buf_add_utf8(&b, code);
		assert_int_equal(b.len, want);
		if (pd_utf8_decode((struct pd_span){b.ptr, b.len}, &len) !=
		    (is_surrogate ? PD_UTF8_BAD : code) || len != (is_surrogate ? 1 : want))
			fail_msg("U+%04x", code);
	}
	pd_buf_done(&b);
}

static void test_width(void **state)
{
	static const struct {
		const char *in;
		size_t want;
	} cases[] = {
		{"", 0}, {"abc", 3}, {"\xc2\xb1", 1}, {"\xe2\x82\xac", 1},
		{"\xe6\x97\xa5\xe6\x9c\xac", 4}, {"\xef\xbc\xa1", 2}, {"\xf0\x9f\x98\x80", 2},
		{"e\xcc\x81", 1}, {"\xed\x95\x9c", 2}, {"\xef\xb8\x8f", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(pd_utf8_width(pd_span_of(cases[i].in)), cases[i].want);
}

static void test_unsafe(void **state)
{
	static const uint32_t bad[] = {0, '\t', '\n', 0x1b, 0x1f, 0x7f, 0x80, 0x9f, 0xad, 0x61c,
				       0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e,
				       0x2060, 0x2066, 0x2069, 0xfeff, 0xe0001, 0xe0041};
	static const uint32_t good[] = {' ', '~', 0xa0, 0xac, 0xae, 0xe9, 0x2010, 0x20ac, 0x4e00,
					0xfffd, 0x1f600};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!pd_utf8_is_unsafe(bad[i]))
			fail_msg("U+%04x is unsafe", bad[i]);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (pd_utf8_is_unsafe(good[i]))
			fail_msg("U+%04x is safe", good[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spans),
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_utf8_sequences),
		cmocka_unit_test(test_utf8_round_trip),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_unsafe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
