/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding of whole texts. Contract: decode.h.
 */
#include "io/decode.h"

#include <stdint.h>

enum {
	QP_HEAD_BYTES = 64 << 10, /* what is looked at */
	QP_LINE_BYTES = 78,       /* 76 and the line's end */
};

/* One UTF-16 code unit of in. */
static uint32_t unit_at(struct pd_span in, size_t i, bool is_big)
{
	unsigned char a = (unsigned char)in.ptr[i], b = (unsigned char)in.ptr[i + 1];

	return is_big ? (uint32_t)a << 8 | b : (uint32_t)b << 8 | a;
}

static void decode_utf16(struct pd_span in, bool is_big, struct pd_buf *out)
{
	for (size_t i = 0; i + 1 < in.len; i += 2) {
		uint32_t c = unit_at(in, i, is_big), low;

		if (c >= 0xd800 && c < 0xdc00 && i + 3 < in.len) {
			low = unit_at(in, i + 2, is_big);
			if (low >= 0xdc00 && low < 0xe000) {
				c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
				i += 2;
			}
		}
		if (c >= 0xd800 && c < 0xe000)
			c = 0xfffd; /* half of a pair */
		pd_buf_add_utf8(out, c);
	}
}

enum utf16 { UTF16_NO, UTF16_LITTLE, UTF16_BIG };

/*
 * UTF-16 without a mark: text is mostly ASCII, so that nearly every second
 * byte of its beginning is NUL, and no other is.
 */
static enum utf16 guess_utf16(struct pd_span in)
{
	size_t n = in.len < 512 ? in.len / 2 : 256, even = 0, odd = 0;

	if (n < 4 || in.len % 2)
		return UTF16_NO;
	for (size_t i = 0; i < n; i++) {
		even += !in.ptr[2 * i];
		odd += !in.ptr[2 * i + 1];
	}
	if (!even && odd * 10 >= n * 9)
		return UTF16_LITTLE;
	if (!odd && even * 10 >= n * 9)
		return UTF16_BIG;
	return UTF16_NO;
}

/* The value of an upper-case hexadecimal digit, or -1. */
static int hex_digit(char c)
{
	if (pd_is_digit(c))
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Bytes of "=XX" (3) or of "=" at a line's end (2, 3 with CR) at i; 0 for any other "=". */
static size_t qp_len(struct pd_span s, size_t i)
{
	struct pd_span rest = pd_span_sub(s, i + 1, s.len);

	if (pd_span_starts(rest, "\n"))
		return 2;
	if (pd_span_starts(rest, "\r\n") ||
	    (rest.len >= 2 && hex_digit(rest.ptr[0]) >= 0 && hex_digit(rest.ptr[1]) >= 0))
		return 3;
	return 0;
}

/*
 * Whether the escape of that length at i is one that encoders write, and no number
 * behind a "=" ("Before=22675"): of a line's end, of "=" itself, of a blank at a
 * line's end, or of a byte beyond ASCII, which is no decimal number.
 */
static bool is_needed_escape(struct pd_span s, size_t i, size_t len)
{
	struct pd_span behind = pd_span_sub(s, i + len, s.len);
	char high = s.ptr[i + 1], low = s.ptr[i + 2 < s.len ? i + 2 : i + 1];

	if (len == 2 || high == '\r')
		return true;
	if ((high == '2' && low == '0') || (high == '0' && low == '9'))
		return !behind.len || pd_span_starts(behind, "\n") ||
		       pd_span_starts(behind, "\r\n") || pd_span_starts(behind, "=");
	return (high == '3' && low == 'D') || high >= 'A' || (high >= '8' && low >= 'A');
}

/*
 * Quoted-printable (RFC 2045, 6.7) without the mail's header: every "=" begins
 * an escape, at least half of them are needed, and no line is longer than the 76
 * that are allowed.
 */
static bool is_quoted_printable(struct pd_span in)
{
	struct pd_span head = pd_span_sub(in, 0, QP_HEAD_BYTES);
	size_t n_escapes = 0, n_needed = 0, line_from = 0;
	const char *equals = head.len ? memchr(head.ptr, '=', head.len) : NULL;

	if (!equals)
		return false;
	for (size_t i = 0; i < head.len; i++) {
		size_t len;

		if (head.ptr[i] == '\n')
			line_from = i + 1;
		else if (i - line_from > QP_LINE_BYTES)
			return false;
		if (head.ptr[i] != '=')
			continue;
		len = qp_len(in, i);
		if (!len)
			return false;
		n_escapes++;
		n_needed += is_needed_escape(in, i, len);
	}
	return n_needed && 2 * n_needed >= n_escapes;
}

static void decode_quoted_printable(struct pd_span in, struct pd_buf *out)
{
	for (size_t i = 0, len; i < in.len; i += len) {
		const char *equals = memchr(in.ptr + i, '=', in.len - i);
		size_t n = equals ? (size_t)(equals - in.ptr) - i : in.len - i;

		pd_buf_add(out, in.ptr + i, n);
		i += n;
		if (i == in.len)
			return;
		len = qp_len(in, i);
		if (len == 3 && in.ptr[i + 1] != '\r')
			pd_buf_add_char(out, (char)(hex_digit(in.ptr[i + 1]) << 4 |
						    hex_digit(in.ptr[i + 2])));
		else if (!len) {
			pd_buf_add_char(out, '=');
			len = 1;
		}
	}
}

int pd_text_init(struct pd_span in, struct pd_text *ret_text, struct pd_error *err)
{
	struct pd_text t = {.bytes = in};
	enum utf16 kind = UTF16_NO;

	if (pd_span_starts(in, "\xef\xbb\xbf"))
		t.bytes = pd_span_sub(in, 3, in.len);
	else if (pd_span_starts(in, "\xff\xfe"))
		kind = UTF16_LITTLE;
	else if (pd_span_starts(in, "\xfe\xff"))
		kind = UTF16_BIG;
	if (kind != UTF16_NO)
		in = pd_span_sub(in, 2, in.len);
	else
		kind = guess_utf16(in);
	if (kind != UTF16_NO)
		decode_utf16(in, kind == UTF16_BIG, &t.buf);
	else if (is_quoted_printable(t.bytes))
		decode_quoted_printable(t.bytes, &t.buf);
	if (t.buf.failed) {
		pd_buf_done(&t.buf);
		return pd_fail_nomem(err);
	}
	if (t.buf.ptr)
		t.bytes = (struct pd_span){t.buf.ptr, t.buf.len};
	else if (kind != UTF16_NO)
		t.bytes = pd_span_of(""); /* a mark, and nothing behind it */
	*ret_text = t;
	return PD_OK;
}

void pd_text_done(struct pd_text *t)
{
	if (!t)
		return;
	pd_buf_done(&t->buf);
	*t = (struct pd_text){0};
}
