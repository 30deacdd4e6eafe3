/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines: whole texts go in, all lines come out, joined as "NUMBER:LINE|...".
 * Inputs stand in blocks of just their size, so that reading beyond them is
 * found.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/lines.h"

static const struct pd_limits limits = PD_LIMITS_DEFAULT;

/* Bytes with their length: they may hold NULs. */
#define BYTES(s) {s, sizeof(s) - 1}

/* All lines, read as an input is. */
static char *read_lines(struct pd_span in, const struct pd_limits *l, struct pd_diags *diags)
{
	char *exact = malloc(in.len ? in.len : 1);
	struct pd_error err = {0};
	struct pd_buf out = {0};
	struct pd_lines lines;
	struct pd_text text;
	struct pd_span line;

	assert_non_null(exact);
	if (in.len)
		memcpy(exact, in.ptr, in.len);
	assert_int_equal(pd_text_init((struct pd_span){exact, in.len}, &text, &err), PD_OK);
	pd_lines_init(&lines, text.bytes, l, "in.txt", diags);
	while (pd_lines_next(&lines, &line)) {
		pd_buf_printf(&out, "%u:", lines.no);
		pd_buf_add(&out, line.ptr, line.len);
		pd_buf_add_char(&out, '|');
	}
	assert_false(pd_lines_next(&lines, &line));
	pd_lines_done(&lines);
	pd_text_done(&text);
	free(exact);
	pd_buf_add_char(&out, '\0');
	return out.ptr;
}

static void check(struct pd_span in, const char *want)
{
	struct pd_diags diags = {0};
	char *have = read_lines(in, &limits, &diags);

	ut_assert_text(in.len < 40 ? in.ptr : "text", have, want);
	assert_int_equal(diags.n, 0);
	free(have);
	pd_diags_done(&diags);
}

struct text_case {
	struct pd_span in;
	const char *want;
};

#define CHECK_ALL(cases)                                                     \
	do {                                                                 \
		for (size_t i = 0; i < sizeof(cases) / sizeof((cases)[0]); i++) \
			check((cases)[i].in, (cases)[i].want);               \
	} while (0)

static void test_ends(void **state)
{
	static const struct text_case cases[] = {
		{BYTES(""), ""},
		{BYTES("\n"), "1:|"},
		{BYTES("\n\n"), "1:|2:|"},
		{BYTES("a"), "1:a|"},
		{BYTES("a\n"), "1:a|"},
		{BYTES("a\nb"), "1:a|2:b|"},
		{BYTES("a\r\nb\r\n"), "1:a|2:b|"},
		{BYTES("a\r\r\n\r\nb"), "1:a|2:|3:b|"},
		{BYTES("a \t\r \n"), "1:a|"},
		{BYTES(" \t\n"), "1:|"},
		{BYTES("\ta b\tc"), "1:\ta b\tc|"},
		{BYTES("a\rb\n"), "1:a b|"},
		{BYTES("a\vb\fc"), "1:a b c|"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_blanks_and_bytes(void **state)
{
	static const struct text_case cases[] = {
		/* No-break space, in UTF-8 and in ISO-8859-1. */
		{BYTES("a\xc2\xa0" "b"), "1:a b|"},
		{BYTES("a\xa0" "b\xa0\n"), "1:a b|"},
		{BYTES("\xe2\x80\x87" "7\xe2\x80\xaf" "8\xe3\x80\x80"), "1: 7 8|"},
		/* No width at all. */
		{BYTES("a\xe2\x80\x8b" "b\xe2\x81\xa0" "c\xef\xbb\xbf" "d"), "1:abcd|"},
		{BYTES("x\n\xef\xbb\xbf\ny"), "1:x|2:|3:y|"},
		/* What is no UTF-8 is ISO-8859-1. */
		{BYTES("0.5 \xb1 1"), "1:0.5 \xc2\xb1 1|"},
		{BYTES("\xe4\xb8\n\xff"), "1:\xc3\xa4\xc2\xb8|2:\xc3\xbf|"},
		{BYTES("\xc2\xb1 \xe2\x82\xac \xf0\x9f\x98\x80"),
		 "1:\xc2\xb1 \xe2\x82\xac \xf0\x9f\x98\x80|"},
		{BYTES("\xed\xa0\x80"), "1:\xc3\xad \xc2\x80|"},
		/* Other controls are no concern of this layer. */
		{BYTES("a\x01" "b\x7f"), "1:a\x01" "b\x7f|"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_escapes(void **state)
{
	static const struct text_case cases[] = {
		{BYTES("\x1b[1;31mred\x1b[0m text"), "1:red text|"},
		{BYTES("\x1b[0m"), "1:|"},
		{BYTES("\x1b[?25lx\x1b[K"), "1:x|"},
		{BYTES("a\x1b]0;title\abc"), "1:abc|"},
		{BYTES("a\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\b"), "1:alinkb|"},
		{BYTES("a\x1b]unended\nb"), "1:a|2:b|"},
		{BYTES("a\x1b]unended\x1b\nb"), "1:a|2:b|"},
		{BYTES("a\x1b[12\nb"), "1:a|2:b|"},
		{BYTES("a\x1b\nb"), "1:a|2:b|"},
		{BYTES("a\x1b" "cb"), "1:ab|"},
		{BYTES("a \x1b[0m\n"), "1:a|"},
		{BYTES("\x1b[2m> \x1b[0mq"), "1:q|"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_quotes(void **state)
{
	static const struct text_case cases[] = {
		{BYTES("> a"), "1:a|"},
		{BYTES(">a"), "1:a|"},
		{BYTES(">  a"), "1: a|"},
		{BYTES("> > a"), "1:a|"},
		{BYTES(">> a"), "1:a|"},
		{BYTES("> >a"), "1:a|"},
		{BYTES(" > a"), "1:a|"},
		{BYTES("  >>> >a > b"), "1:a > b|"},
		{BYTES(">\n> \n>>"), "1:|2:|3:|"},
		{BYTES("a > b"), "1:a > b|"},
		{BYTES("  a"), "1:  a|"},
		{BYTES(">\t1"), "1:\t1|"},
		{BYTES("\t> a"), "1:\t> a|"},
		{BYTES(">\xc2\xa0" "a"), "1:a|"},
	};

	(void)state;
	CHECK_ALL(cases);
}

static void test_marks_and_utf16(void **state)
{
	static const struct text_case cases[] = {
		{BYTES("\xef\xbb\xbf" "a\nb"), "1:a|2:b|"},
		{BYTES("\xef\xbb\xbf"), ""},
		{BYTES("\xff\xfe"), ""},
		{BYTES("\xfe\xff"), ""},
		{BYTES("\xff\xfe" "a\0\n\0b\0"), "1:a|2:b|"},
		{BYTES("\xfe\xff" "\0a\0\n\0b"), "1:a|2:b|"},
		{BYTES("\xff\xfe" "a\0\r\0\n\0\xb1\0"), "1:a|2:\xc2\xb1|"},
		{BYTES("\xff\xfe\xac\x20"), "1:\xe2\x82\xac|"},
		{BYTES("\xfe\xff\x20\xac"), "1:\xe2\x82\xac|"},
		/* A pair, half of one at the end, the halves the wrong way round. */
		{BYTES("\xff\xfe\x3d\xd8\x00\xde"), "1:\xf0\x9f\x98\x80|"},
		{BYTES("\xfe\xff\xd8\x3d\xde\x00"), "1:\xf0\x9f\x98\x80|"},
		{BYTES("\xff\xfe\x3d\xd8"), "1:\xef\xbf\xbd|"},
		{BYTES("\xff\xfe\x3d\xd8" "a\0"), "1:\xef\xbf\xbd" "a|"},
		{BYTES("\xff\xfe\x00\xde\x3d\xd8"), "1:\xef\xbf\xbd\xef\xbf\xbd|"},
		/* Half of a unit at the end. */
		{BYTES("\xff\xfe" "a\0b"), "1:a|"},
		/* Without a mark. */
		{BYTES("f\0o\0o\0 \0" "1\0\n\0"), "1:foo 1|"},
		{BYTES("\0f\0o\0o\0 \0" "1\0\n"), "1:foo 1|"},
		{BYTES("f\0o\0o\0 \0" "1\0 \0" "2\0 \0" "3\0 \0\xb1\0\x14\x20"),
		 "1:foo 1 2 3 \xc2\xb1\xe2\x80\x94|"},
	};

	(void)state;
	CHECK_ALL(cases);
}

/* Lines that are skipped are counted and told. */
static void test_lines_that_are_skipped(void **state)
{
	static const char in[] = "one\nt\0o\n12345678901\n1234567890\n\0\nsix\n12345678901 ";
	struct pd_limits few = PD_LIMITS_DEFAULT;
	struct pd_diags diags = {0};
	char *have;

	(void)state;
	few.line_bytes = 10;
	have = read_lines((struct pd_span)BYTES(in), &few, &diags);
	ut_assert_text("skipped", have, "1:one|4:1234567890|6:six|");
	assert_int_equal(diags.n, 4);
	for (size_t i = 0; i < diags.n; i++) {
		static const uint32_t places[] = {2, 3, 5, 7};
		bool is_long = places[i] == 3 || places[i] == 7;

		assert_string_equal(diags.items[i].path, "in.txt");
		assert_int_equal(diags.items[i].line, places[i]);
		assert_int_equal(diags.items[i].severity, PD_WARNING);
		assert_string_equal(diags.items[i].kind, is_long ? "long-line" : "nul");
		assert_string_equal(diags.items[i].text,
				    is_long ? "a line of 11 bytes, expected at most 10; skipped"
					    : "expected text, found a NUL byte; line skipped");
	}
	free(have);
	pd_diags_done(&diags);
	have = read_lines((struct pd_span)BYTES(in), &few, NULL);
	ut_assert_text("without diagnostics", have, "1:one|4:1234567890|6:six|");
	free(have);
}

/* A text without a change is handed out as it stands. */
static void test_clean_text_is_borrowed(void **state)
{
	static const char in[] = "plain text\n";
	struct pd_error err = {0};
	struct pd_lines lines;
	struct pd_text text;
	struct pd_span line;

	(void)state;
	assert_int_equal(pd_text_init(pd_span_of(in), &text, &err), PD_OK);
	assert_ptr_equal(text.bytes.ptr, in);
	pd_lines_init(&lines, text.bytes, &limits, "in.txt", NULL);
	assert_true(pd_lines_next(&lines, &line));
	assert_ptr_equal(line.ptr, in);
	assert_int_equal(line.len, 10);
	pd_lines_done(&lines);
	pd_text_done(&text);
	pd_text_done(NULL);
}

/* What becomes of a line, byte by byte: the model of the tests below. */
static void model(struct pd_buf *out, struct pd_span line)
{
	struct pd_buf clean = {0};

	if (line.len && memchr(line.ptr, '\0', line.len))
		return;
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];

		if (c == 0x1b) /* ESC takes the byte behind it along */
			i++;
		else if (c == '\v' || c == '\f' || c == '\r' || c == 0xa0)
			pd_buf_add_char(&clean, ' ');
		else
			pd_buf_add_utf8(&clean, c);
	}
	while (clean.len && pd_is_blank(clean.ptr[clean.len - 1]))
		clean.len--;
	/* There is at most one '>' in the line, and it matters at its beginning. */
	line = (struct pd_span){clean.ptr, clean.len};
	while (line.len && (line.ptr[0] == '>' || (line.ptr[0] == ' ' && line.len > 1 &&
						   line.ptr[1] == '>')))
		line = pd_span_sub(line, 1, line.len);
	pd_buf_add_str(out, "1:");
	pd_buf_add(out, line.ptr, line.len);
	pd_buf_add_char(out, '|');
	pd_buf_done(&clean);
}

/* A line of len bytes, alone and within a text, against the model. */
static void check_model(struct pd_span line)
{
	struct pd_buf want = {0}, in = {0};
	char *have;

	model(&want, line);
	pd_buf_add_char(&want, '\0');
	have = read_lines(line, &limits, NULL);
	ut_assert_text("alone", have, want.ptr);
	free(have);
	/* With so much behind it that it is scanned 64 bytes at a time. */
	pd_buf_add(&in, line.ptr, line.len);
	pd_buf_add_str(&in, "\n");
	pd_buf_add_fill(&in, '.', 130);
	want.len = strlen(want.ptr);
	pd_buf_add_str(&want, "2:");
	pd_buf_add_fill(&want, '.', 130);
	pd_buf_add_str(&want, "|");
	have = read_lines((struct pd_span){in.ptr, in.len}, &limits, NULL);
	ut_assert_text("within", have, want.ptr);
	free(have);
	pd_buf_done(&want);
	pd_buf_done(&in);
}

/*
 * Every byte at every place of a line, so that each lane of the paths that take
 * many bytes at once meets it, among letters, tabs (whose borrow must not
 * spill into the next lane), and both.
 */
static void test_every_byte_at_every_place(void **state)
{
	static const char *const backgrounds[] = {"x", "\t", "\tx"};
	enum { LEN = 83 };

	(void)state;
	for (size_t k = 0; k < 3; k++)
		for (size_t at = 0; at < LEN; at++)
			for (unsigned c = 0; c < 256; c++) {
				char line[LEN];

				/* A '>' behind blanks: test_quotes. */
				if (c == '\n' || (k && c == '>'))
					continue;
				for (size_t i = 0; i < LEN; i++)
					line[i] = backgrounds[k][i % strlen(backgrounds[k])];
				line[LEN - 1] = 'x';
				line[at] = (char)c;
				if (at > 16 && at < LEN - 20 && c % 16 && c != 0x1b)
					continue; /* the middle is more of the same */
				check_model((struct pd_span){line, LEN});
			}
}

/* Pairs of bytes too: a borrow from one lane reaches the next. */
static void test_every_pair_of_bytes(void **state)
{
	(void)state;
	for (unsigned pair = 0; pair < 0x4000; pair++) {
		char a = (char)(pair & 0x7f), b = (char)(pair >> 7);
		char line[] = "xxxxxxxxxxxxxxxxx";

		if (a == '\n' || b == '\n' || a == '>' || b == '>' || a == 0x1b || b == 0x1b)
			continue;
		line[3] = a;
		line[4] = b;
		check_model((struct pd_span){line, 17});
	}
}

/* Lines of every length up to some blocks, so that a newline is at every place. */
static void test_every_length(void **state)
{
	(void)state;
	for (size_t len = 1; len < 200; len++) {
		struct pd_buf line = {0};

		pd_buf_add_fill(&line, 'x', len);
		check_model((struct pd_span){line.ptr, line.len});
		pd_buf_done(&line);
	}
}

static bool is_pair(struct pd_span line, const void *context)
{
	struct pd_span fields[3];

	return pd_fields(line, fields, 3) == 2 && pd_span_starts(line, context);
}

/* Lines that a mailer broke, put together where both halves make a row. */
static void test_unwrap(void **state)
{
	static const struct {
		const char *in, *want; /* a "+" marks a line that was put together */
	} cases[] = {
		{"k 1\nk 2", "1:k 1|2:k 2|"},
		{"k\n1\nk 2\n", "2:+k 1|3:k 2|"},
		{"k\n   1\n", "2:+k 1|"},
		{"> k\xa0\n> 1\n", "2:+k 1|"},
		{"k\nk 1", "1:k|2:k 1|"},
		{"k\n\n1", "1:k|2:|3:1|"},
		{"k", "1:k|"},
		{"x\n1\nk 3", "1:x|2:1|3:k 3|"},
		{"x\xa0y z\nk\n3", "1:x y z|3:+k 3|"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_span line, in = pd_span_of(cases[i].in);
		struct pd_buf have = {0};
		struct pd_lines lines;

		pd_lines_init(&lines, in, &limits, "in.txt", NULL);
		while (pd_lines_next(&lines, &line)) {
			bool is_joined = !is_pair(line, "k") &&
					 pd_lines_unwrap(&lines, &line, is_pair, "k");

			pd_buf_printf(&have, "%u:%s%.*s|", lines.no, is_joined ? "+" : "",
				      PD_SPAN_ARG(line));
		}
		ut_assert_text(cases[i].in, have.ptr, cases[i].want);
		pd_lines_done(&lines);
		pd_buf_done(&have);
	}
}

static void test_quoted_printable(void **state)
{
	static const struct text_case cases[] = {
		{BYTES("a=3Db 5\n"), "1:a=b 5|"},
		{BYTES("abc=\ndef 1\nx 2\n"), "1:abcdef 1|2:x 2|"},
		{BYTES("abc=\r\ndef 1\r\n"), "1:abcdef 1|"},
		{BYTES("=C2=B1 5"), "1:\xc2\xb1 5|"},
		{BYTES("\xef\xbb\xbf" "a=3D"), "1:a=|"},
		/* These are not. */
		{BYTES("a=b 5\nc=3D"), "1:a=b 5|2:c=3D|"},
		{BYTES("a=3d 5"), "1:a=3d 5|"},
		{BYTES("x = 3"), "1:x = 3|"},
		{BYTES("a=3D 5="), "1:a=3D 5=|"},
		{BYTES("operator==(a) 1"), "1:operator==(a) 1|"},
	};

	(void)state;
	CHECK_ALL(cases);
	/* A line that no mailer would leave so long. */
	for (size_t len = 70; len < 90; len++) {
		struct pd_buf in = {0}, want = {0};

		pd_buf_add_str(&in, "=3D");
		pd_buf_add_fill(&in, 'x', len - 3);
		pd_buf_add_str(&want, len <= 79 ? "1:=" : "1:=3D");
		pd_buf_add_fill(&want, 'x', len - 3);
		pd_buf_add_str(&want, "|");
		check((struct pd_span){in.ptr, in.len}, want.ptr);
		pd_buf_done(&in);
		pd_buf_done(&want);
	}
}

static void test_fields(void **state)
{
	static const struct {
		const char *line;
		size_t max;
		const char *want; /* joined by "|" */
	} cases[] = {
		{"", 3, ""},
		{" \t ", 3, ""},
		{"a", 3, "a|"},
		{" a\tb  c ", 3, "a|b|c|"},
		{" a b  c d ", 3, "a|b|c d|"},
		{"a b", 1, "a b|"},
		{"a b", 0, ""},
		{"a b\t \t", 2, "a|b|"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_span fields[4];
		size_t n = pd_fields(pd_span_of(cases[i].line), fields, cases[i].max);
		struct pd_buf have = {0};

		for (size_t k = 0; k < n; k++) {
			pd_buf_add(&have, fields[k].ptr, fields[k].len);
			pd_buf_add_char(&have, '|');
		}
		ut_assert_text(cases[i].line, have.ptr ? have.ptr : "", cases[i].want);
		pd_buf_done(&have);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_blanks_and_bytes),
		cmocka_unit_test(test_escapes),
		cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_marks_and_utf16),
		cmocka_unit_test(test_lines_that_are_skipped),
		cmocka_unit_test(test_clean_text_is_borrowed),
		cmocka_unit_test(test_every_byte_at_every_place),
		cmocka_unit_test(test_every_pair_of_bytes),
		cmocka_unit_test(test_every_length),
		cmocka_unit_test(test_unwrap),
		cmocka_unit_test(test_quoted_printable),
		cmocka_unit_test(test_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
