/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines. Most lines are clean, and are handed out as they stand in the input;
 * one pass over their bytes, eight at a time, finds the others.
 */
#include "io/lines.h"

#include <stdint.h>

#include "io/scan.h"

void pd_lines_init(struct pd_lines *l, struct pd_span text, const struct pd_limits *limits,
		   const char *path, struct pd_diags *diags)
{
	*l = (struct pd_lines){
		.next = text.ptr,
		.scanned = text.ptr,
		.max_bytes = limits->line_bytes,
		.path = path,
		.diags = diags,
	};
	pd_window_init(&l->window, text, NULL);
}

void pd_lines_use_file(struct pd_lines *l, const struct pd_source *file)
{
	struct pd_window *w = &l->window;

	pd_window_init(w, (struct pd_span){l->next, (size_t)(w->end - l->next)}, file);
}

void pd_lines_done(struct pd_lines *l)
{
	pd_window_done(&l->window);
	pd_buf_done(&l->clean);
	pd_buf_done(&l->joined);
}

#define ONES (~(uint64_t)0 / 255)

/* The high bit of each of eight bytes that is neither printable ASCII nor a tab. */
static uint64_t odd_bytes(const char *p)
{
	uint64_t x, no_tab;

	memcpy(&x, p, 8);
	no_tab = x ^ ONES * '\t';
	/* A tab becomes 0 in no_tab, whose high bit (y - 1) & ~y then sets. */
	return (((x - ONES * 0x20) & ~x & ~((no_tab - ONES) & ~no_tab)) | x) & ONES * 0x80;
}

/* Whether all bytes are printable ASCII or tabs. */
static bool is_plain(struct pd_span s)
{
	uint64_t odd = 0;

	if (s.len < 8) {
		for (size_t i = 0; i < s.len; i++)
			if ((s.ptr[i] < 0x20 && s.ptr[i] != '\t') || (unsigned char)s.ptr[i] > 0x7f)
				return false;
		return true;
	}
	for (size_t i = 0; i + 8 <= s.len; i += 8)
		odd |= odd_bytes(s.ptr + i);
	return !(odd | odd_bytes(s.ptr + s.len - 8));
}

/* Length of the terminal escape at i (ECMA-48: CSI, OSC, two bytes). */
static size_t escape_len(struct pd_span s, size_t i)
{
	size_t j = i + 1;

	if (j >= s.len)
		return 1;
	if (s.ptr[j] == '[') {
		for (j++; j < s.len && (unsigned char)s.ptr[j] >= 0x20 &&
			  (unsigned char)s.ptr[j] < 0x40; j++)
			;
		return j < s.len ? j + 1 - i : j - i;
	}
	if (s.ptr[j] == ']') {
		for (j++; j < s.len && s.ptr[j] != '\a' && s.ptr[j] != '\x1b'; j++)
			;
		if (j + 1 < s.len && s.ptr[j] == '\x1b')
			j++;
		return j < s.len ? j + 1 - i : j - i;
	}
	return 2;
}

/* What a code point of a line becomes: itself, a blank, or nothing (0). */
static uint32_t clean_code(uint32_t code)
{
	switch (code) {
	case 0x0b: case 0x0c: case '\r': /* vertical moves within a line */
	case 0xa0: case 0x1680: case 0x202f: case 0x205f: case 0x3000:
		return ' ';
	case 0x200b: case 0x2060: case 0xfeff: /* no width */
		return 0;
	default:
		return code >= 0x2000 && code <= 0x200a ? ' ' : code;
	}
}

static struct pd_span clean_line(struct pd_lines *l, struct pd_span s)
{
	size_t len;

	l->clean.len = 0;
	for (size_t i = 0; i < s.len; i += len) {
		uint32_t code = pd_utf8_decode(pd_span_sub(s, i, s.len), &len);

		if (code == 0x1b) {
			len = escape_len(s, i);
			continue;
		}
		if (code == PD_UTF8_BAD)
			code = (unsigned char)s.ptr[i];
		code = clean_code(code);
		if (code)
			pd_buf_add_utf8(&l->clean, code);
	}
	s = (struct pd_span){l->clean.ptr ? l->clean.ptr : "", l->clean.len};
	while (s.len && pd_is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}

/* Without the quote marks of mails at its beginning, and one blank behind each. */
static struct pd_span unquote(struct pd_span s)
{
	for (;;) {
		size_t i = 0;

		while (i + 8 <= s.len && !memcmp(s.ptr + i, "        ", 8))
			i += 8;
		while (i < s.len && s.ptr[i] == ' ')
			i++;
		if (i >= s.len || s.ptr[i] != '>')
			return s;
		i++;
		if (i < s.len && s.ptr[i] == ' ')
			i++;
		s = pd_span_sub(s, i, s.len);
	}
}

/* A line that no reader gets to see, or false. */
static bool is_unreadable(struct pd_lines *l, struct pd_span s, bool is_known_plain)
{
	if (s.len > l->max_bytes)
		pd_diags_add(l->diags, PD_WARNING, "long-line", l->path, l->no,
			     "a line of %zu bytes, expected at most %zu; skipped", s.len,
			     l->max_bytes);
	else if (!is_known_plain && s.len && memchr(s.ptr, '\0', s.len))
		pd_diags_add(l->diags, PD_WARNING, "nul", l->path, l->no,
			     "expected text, found a NUL byte; line skipped");
	else
		return false;
	return true;
}

/*
 * The end of the line at next: its newline, or the end of the text. Tells too
 * whether all bytes up to there are printable ASCII or tabs.
 */
static const char *find_end(struct pd_lines *l, bool *ret_plain)
{
	struct pd_window *w = &l->window;
	const char *p = l->next, *byte;
	uint64_t odd = 0;

	if (!pd_window_shows(w, p))
		pd_window_move(w, p);
	for (;;) {
		unsigned n_seen;
		uint64_t newlines;

		if (p >= l->scanned || l->scanned - p > PD_SCAN_BYTES) { /* or gone back */
			while (w->to - p < PD_SCAN_BYTES && w->to != w->end)
				pd_window_move(w, l->next);
			if (w->to - p < PD_SCAN_BYTES)
				break;
			byte = pd_window_at(w, p);
			l->newlines = pd_scan_byte(byte, '\n');
			l->odd = pd_scan_odd(byte);
			l->scanned = p + PD_SCAN_BYTES;
		}
		/* Short lines share these 64 bytes: begin behind the last one. */
		n_seen = (unsigned)(PD_SCAN_BYTES - (l->scanned - p));
		newlines = l->newlines >> n_seen;
		if (newlines) {
			odd |= l->odd >> n_seen & ((newlines & -newlines) - 1);
			*ret_plain = !odd;
			return p + __builtin_ctzll(newlines);
		}
		odd |= l->odd >> n_seen;
		p = l->scanned;
	}
	for (byte = pd_window_at(w, p); p < w->end && *byte != '\n'; p++, byte++)
		odd |= ((unsigned char)*byte < ' ' && *byte != '\t') || (unsigned char)*byte > '~';
	*ret_plain = !odd;
	return p;
}

/* Without blanks and carriage returns at its end. */
static struct pd_span trim_end(struct pd_span s)
{
	while (s.len && (pd_is_blank(s.ptr[s.len - 1]) || s.ptr[s.len - 1] == '\r'))
		s.len--;
	return s;
}

bool pd_lines_next(struct pd_lines *l, struct pd_span *ret_line)
{
	struct pd_window *w = &l->window;

	while (l->next < w->end) {
		bool plain;
		const char *end = find_end(l, &plain);
		struct pd_span s = {pd_window_at(w, l->next), (size_t)(end - l->next)};

		s = trim_end(s);
		l->next = end < w->end ? end + 1 : end;
		l->no++;
		if (is_unreadable(l, s, plain))
			continue;
		if (!plain && !is_plain(s))
			s = clean_line(l, s);
		*ret_line = unquote(s);
		return true;
	}
	return false;
}

size_t pd_fields(struct pd_span line, struct pd_span *ret_fields, size_t max)
{
	const char *p = line.ptr, *end = line.len ? line.ptr + line.len : line.ptr;
	size_t n = 0;

	while (n < max) {
		const char *from;

		while (p < end && pd_is_blank(*p))
			p++;
		if (p == end)
			break;
		from = p;
		while (p < end && !pd_is_blank(*p))
			p++;
		if (n + 1 == max)
			p = end;
		ret_fields[n++] = pd_span_trim((struct pd_span){from, (size_t)(p - from)});
	}
	return n;
}

bool pd_lines_unwrap(struct pd_lines *l, struct pd_span *line,
		     bool (*is_row)(struct pd_span line, const void *context), const void *context)
{
	const struct pd_lines before = *l;
	struct pd_span second, first = *line;

	/* The line at hand stays what it is, as it may be all there is. */
	l->joined.len = 0;
	pd_buf_add(&l->joined, first.ptr, first.len);
	first = *line = pd_buf_span(&l->joined);
	if (pd_lines_next(l, &second)) {
		second = pd_span_trim(second);
		pd_buf_add_char(&l->joined, ' ');
		pd_buf_add(&l->joined, second.ptr, second.len);
		*line = pd_buf_span(&l->joined);
		if (!l->joined.failed && second.len && !is_row(second, context) &&
		    is_row(*line, context))
			return true;
		*line = pd_span_sub(*line, 0, first.len);
	}
	l->next = before.next;
	l->no = before.no;
	return false;
}
