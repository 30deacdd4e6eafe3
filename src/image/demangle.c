/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Demangling. Contract: demangle.h.
 *
 * Names come from files, and a hostile one of 200 bytes that refers back to its own
 * parts is some megabytes when demangled, one of 300 more than any memory. libiberty
 * limits how deep it recurses, not how much it writes. Its functions with a callback
 * write piecemeal, and are left by longjmp() when that is too much: they have all
 * they need on the stack.
 */
#include "image/demangle.h"

#include <setjmp.h>

#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif

enum { MAX_BYTES = 64 << 10 }; /* of a name, in either form */

struct sink {
	struct pd_buf *buf;
	bool is_rust, is_full;
	jmp_buf too_long;
};

static void write_part(const char *text, size_t len, void *data)
{
	struct sink *sink = data;

	if (!sink->is_full && sink->buf->len + len <= MAX_BYTES) {
		pd_buf_add(sink->buf, text, len);
		return;
	}
	/*
	 * Rust identifiers that are not ASCII are in allocated memory while they are
	 * written. Leave between names, at the next "::" or the like.
	 */
	sink->is_full = true;
	if (len <= 2 || !sink->is_rust)
		longjmp(sink->too_long, 1);
}

/* libiberty's result for a NUL-terminated name; true if that is whole, and in buf. */
static bool demangle(const char *mangled, int options, struct pd_buf *buf)
{
	struct sink sink = {.buf = buf, .is_rust = true};

	if (setjmp(sink.too_long))
		return false;
	/* Legacy names of Rust are names of C++, with a hash that only Rust drops. */
	if (rust_demangle_callback(mangled, options, write_part, &sink))
		return !sink.is_full;
	buf->len = 0;
	sink.is_rust = false;
	return cplus_demangle_v3_callback(mangled, options, write_part, &sink) && !sink.is_full;
}

/*
 * Where the suffixes begin: the first "." behind the last E. Legacy names of Rust
 * end with an E and have dots before it; others have none but those of suffixes.
 */
static size_t find_suffix(struct pd_span name)
{
	size_t from = pd_span_find_last(name, 'E');
	const char *dot;

	if (from == SIZE_MAX)
		from = 0;
	dot = memchr(name.ptr + from, '.', name.len - from);
	return dot ? (size_t)(dot - name.ptr) : name.len;
}

/* The first bytes of a mangled name in readable form, with that behind them; or name itself. */
static struct pd_span demangle_part(struct pd_span name, size_t len, int options,
				    struct pd_span behind, struct pd_buf *buf)
{
	struct pd_buf copy = {0};
	bool is_done;

	pd_buf_add(&copy, name.ptr, len);
	is_done = !copy.failed && demangle(copy.ptr, options, buf);
	pd_buf_done(&copy);
	if (is_done)
		pd_buf_add(buf, behind.ptr, behind.len);
	return is_done && !buf->failed && buf->len ? pd_buf_span(buf) : name;
}

/* Whether it may be a mangled one, and can be dealt with. */
static bool is_mangled(struct pd_span name)
{
	return (pd_span_starts(name, "_Z") || pd_span_starts(name, "_R")) &&
	       name.len <= MAX_BYTES && !memchr(name.ptr, '\0', name.len);
}

struct pd_span pd_demangle(struct pd_span name, struct pd_buf *buf)
{
	size_t suffix;

	buf->len = 0;
	buf->failed = false;
	if (!is_mangled(name))
		return name;
	suffix = find_suffix(name);
	return demangle_part(name, suffix, DMGL_PARAMS | DMGL_ANSI,
			     pd_span_sub(name, suffix, name.len), buf);
}

struct pd_span pd_demangle_brief(struct pd_span name, struct pd_buf *buf)
{
	buf->len = 0;
	buf->failed = false;
	if (!is_mangled(name))
		return name;
	return demangle_part(name, name.len, DMGL_NO_OPTS, pd_span_of(""), buf);
}
