/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text without a locale: spans of bytes, a growing buffer, UTF-8.
 */
#ifndef PD_BASE_TEXT_H
#define PD_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "profdiff/error.h"

/* Blanks within a line: a line's text has no other white space. */
static inline bool pd_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool pd_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool pd_is_alpha(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline struct pd_span pd_span_of(const char *s)
{
	return (struct pd_span){s, strlen(s)};
}

/* The bytes [from, to) of s; both are capped by its length. */
static inline struct pd_span pd_span_sub(struct pd_span s, size_t from, size_t to)
{
	if (to > s.len)
		to = s.len;
	if (from > to)
		from = to;
	return (struct pd_span){from ? s.ptr + from : s.ptr, to - from};
}

static inline bool pd_span_eq(struct pd_span s, const char *t)
{
	return s.len == strlen(t) && (!s.len || !memcmp(s.ptr, t, s.len));
}

static inline bool pd_span_starts(struct pd_span s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.len >= n && (!n || !memcmp(s.ptr, prefix, n));
}

/* Without blanks at both ends. */
struct pd_span pd_span_trim(struct pd_span s);
/* Equal but for the case of ASCII letters. */
bool pd_span_eq_nocase(struct pd_span s, const char *t);
bool pd_span_ends(struct pd_span s, const char *suffix);
/* Offset of the first t in s, or SIZE_MAX. */
size_t pd_span_find(struct pd_span s, const char *t);
/* Offset of the last c in s, or SIZE_MAX. */
size_t pd_span_find_last(struct pd_span s, char c);
/* The part behind the last c; all of s if there is none. */
struct pd_span pd_span_behind_last(struct pd_span s, char c);
/* For printf's "%.*s". */
#define PD_SPAN_ARG(s) (int)((s).len > 200 ? 200 : (s).len), (s).ptr

/* A growing buffer of bytes, always NUL-terminated once written to. */
struct pd_buf {
	char *ptr;
	size_t len, cap; /* bytes, the NUL apart */
	bool failed;     /* latched: some bytes are missing for lack of memory */
};

void pd_buf_done(struct pd_buf *b);
/* What is in it; "" if that is nothing. */
static inline struct pd_span pd_buf_span(const struct pd_buf *b)
{
	return (struct pd_span){b->len ? b->ptr : "", b->len};
}

/* Room for n more bytes; false if there is no memory. */
bool pd_buf_reserve(struct pd_buf *b, size_t n);
void pd_buf_add(struct pd_buf *b, const char *s, size_t len);
void pd_buf_add_str(struct pd_buf *b, const char *s);
void pd_buf_add_char(struct pd_buf *b, char c);
void pd_buf_add_fill(struct pd_buf *b, char c, size_t n);
void pd_buf_printf(struct pd_buf *b, const char *fmt, ...) PD_PRINTF(2, 3);
/* One code point as UTF-8. */
void pd_buf_add_utf8(struct pd_buf *b, uint32_t code);

/*
 * The code point at s (len > 0) and its length in bytes. A byte that begins no
 * valid UTF-8 sequence gives PD_UTF8_BAD and length 1.
 */
#define PD_UTF8_BAD UINT32_MAX
uint32_t pd_utf8_decode(struct pd_span s, size_t *ret_len);
/* Whether all of s is valid UTF-8. */
bool pd_utf8_is_valid(struct pd_span s);
/* Columns that valid UTF-8 takes on a terminal. */
size_t pd_utf8_width(struct pd_span s);
/*
 * Whether a code point must not reach a terminal, a mail or a page as it is:
 * controls, line separators, and what reorders or hides text.
 */
bool pd_utf8_is_unsafe(uint32_t code);

#endif
