/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Spans, buffers, UTF-8 (RFC 3629: no surrogates, no overlong forms).
 */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct pd_span pd_span_trim(struct pd_span s)
{
	while (s.len && pd_is_blank(s.ptr[0])) {
		s.ptr++;
		s.len--;
	}
	while (s.len && pd_is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool pd_span_eq_nocase(struct pd_span s, const char *t)
{
	if (s.len != strlen(t))
		return false;
	for (size_t i = 0; i < s.len; i++)
		if (lower(s.ptr[i]) != lower(t[i]))
			return false;
	return true;
}

bool pd_span_ends(struct pd_span s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.len >= n && (!n || !memcmp(s.ptr + s.len - n, suffix, n));
}

size_t pd_span_find(struct pd_span s, const char *t)
{
	const char *p = s.len ? memmem(s.ptr, s.len, t, strlen(t)) : NULL;

	return p ? (size_t)(p - s.ptr) : SIZE_MAX;
}

size_t pd_span_find_last(struct pd_span s, char c)
{
	for (size_t i = s.len; i-- > 0;)
		if (s.ptr[i] == c)
			return i;
	return SIZE_MAX;
}

struct pd_span pd_span_behind_last(struct pd_span s, char c)
{
	size_t at = pd_span_find_last(s, c);

	return at == SIZE_MAX ? s : pd_span_sub(s, at + 1, s.len);
}

void pd_buf_done(struct pd_buf *b)
{
	if (!b)
		return;
	free(b->ptr);
	*b = (struct pd_buf){0};
}

bool pd_buf_reserve(struct pd_buf *b, size_t n)
{
	size_t cap;
	char *p;

	if (b->failed)
		return false; /* asking again and again for what is not there takes forever */
	if (b->cap - b->len >= n && b->ptr)
		return true;
	if (n > SIZE_MAX / 4 || b->len > SIZE_MAX / 4) {
		b->failed = true;
		return false;
	}
	cap = b->len + n < 2 * b->cap ? 2 * b->cap : b->len + n + 64;
	p = realloc(b->ptr, cap + 1);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->ptr = p;
	b->cap = cap;
	b->ptr[b->len] = '\0';
	return true;
}

void pd_buf_add(struct pd_buf *b, const char *s, size_t len)
{
	if (!len || !pd_buf_reserve(b, len))
		return;
	memcpy(b->ptr + b->len, s, len);
	b->len += len;
	b->ptr[b->len] = '\0';
}

void pd_buf_add_str(struct pd_buf *b, const char *s)
{
	pd_buf_add(b, s, strlen(s));
}

void pd_buf_add_char(struct pd_buf *b, char c)
{
	pd_buf_add(b, &c, 1);
}

void pd_buf_add_fill(struct pd_buf *b, char c, size_t n)
{
	if (!n || !pd_buf_reserve(b, n))
		return;
	memset(b->ptr + b->len, c, n);
	b->len += n;
	b->ptr[b->len] = '\0';
}

void pd_buf_printf(struct pd_buf *b, const char *fmt, ...)
{
	va_list ap;
	char *s;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (len < 0) {
		b->failed = true;
		return;
	}
	pd_buf_add(b, s, (size_t)len);
	free(s);
}

void pd_buf_add_utf8(struct pd_buf *b, uint32_t code)
{
	char s[4];

	if (code < 0x80) {
		s[0] = (char)code;
		pd_buf_add(b, s, 1);
	} else if (code < 0x800) {
		s[0] = (char)(0xc0 | code >> 6);
		s[1] = (char)(0x80 | (code & 0x3f));
		pd_buf_add(b, s, 2);
	} else if (code < 0x10000) {
		s[0] = (char)(0xe0 | code >> 12);
		s[1] = (char)(0x80 | (code >> 6 & 0x3f));
		s[2] = (char)(0x80 | (code & 0x3f));
		pd_buf_add(b, s, 3);
	} else {
		s[0] = (char)(0xf0 | (code >> 18 & 7));
		s[1] = (char)(0x80 | (code >> 12 & 0x3f));
		s[2] = (char)(0x80 | (code >> 6 & 0x3f));
		s[3] = (char)(0x80 | (code & 0x3f));
		pd_buf_add(b, s, 4);
	}
}

uint32_t pd_utf8_decode(struct pd_span s, size_t *ret_len)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char c = (unsigned char)s.ptr[0];
	size_t len = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	uint32_t code = c;

	*ret_len = 1;
	if (c < 0x80)
		return c;
	if (c < 0xc2 || c > 0xf4 || len > s.len)
		return PD_UTF8_BAD;
	code = c & (0xffu >> (len + 1));
	for (size_t i = 1; i < len; i++) {
		unsigned char d = (unsigned char)s.ptr[i];

		if ((d & 0xc0) != 0x80)
			return PD_UTF8_BAD;
		code = code << 6 | (d & 0x3f);
	}
	if (code < least[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return PD_UTF8_BAD;
	*ret_len = len;
	return code;
}

bool pd_utf8_is_valid(struct pd_span s)
{
	size_t len;

	for (size_t i = 0; i < s.len; i += len)
		if (pd_utf8_decode(pd_span_sub(s, i, s.len), &len) == PD_UTF8_BAD)
			return false;
	return true;
}

struct range {
	uint32_t from, to;
};

static bool in_ranges(const struct range *r, size_t n, uint32_t code)
{
	for (size_t i = 0; i < n; i++)
		if (code >= r[i].from && code <= r[i].to)
			return true;
	return false;
}

/* Blocks of Unicode 15 East Asian Width W and F, joined where they are close. */
static const struct range wide[] = {
	{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0xa4cf}, {0xa960, 0xa97f},
	{0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60},
	{0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

/* Combining marks of the common scripts. */
static const struct range narrow[] = {
	{0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x0610, 0x061a},
	{0x064b, 0x065f}, {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff}, {0x20d0, 0x20ff},
	{0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xe0100, 0xe01ef},
};

#define N_OF(a) (sizeof(a) / sizeof((a)[0]))

size_t pd_utf8_width(struct pd_span s)
{
	size_t width = 0, len;

	for (size_t i = 0; i < s.len; i += len) {
		uint32_t code = pd_utf8_decode(pd_span_sub(s, i, s.len), &len);

		if (code < 0x300)
			width++;
		else if (in_ranges(wide, N_OF(wide), code))
			width += 2;
		else if (!in_ranges(narrow, N_OF(narrow), code))
			width++;
	}
	return width;
}

/* Unicode 15, general categories Cc, Zl, Zp, and the bidi and invisible ones of Cf. */
static const struct range unsafe[] = {
	{0x00, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x061c, 0x061c}, {0x180e, 0x180e},
	{0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff},
	{0xfff9, 0xfffb}, {0xe0000, 0xe007f},
};

bool pd_utf8_is_unsafe(uint32_t code)
{
	return in_ranges(unsafe, N_OF(unsafe), code);
}
