/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors and diagnostics: why a call failed, and what was odd but not fatal.
 *
 * A function that can fail returns 0 or a negative enum pd_code and takes a
 * struct pd_error last. On failure its result arguments are untouched; on
 * success the error is. The first error wins: callers add context with
 * pd_wrap() and hand it up, they never print it.
 */
#ifndef PROFDIFF_ERROR_H
#define PROFDIFF_ERROR_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define PD_MUST_USE __attribute__((warn_unused_result))
#define PD_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Borrowed bytes: not NUL-terminated, valid as long as their owner says. */
struct pd_span {
	const char *ptr; /* may be NULL where len is 0 */
	size_t len;      /* bytes */
};

/* Why a call failed. Groups have gaps, so that numbers never change. */
enum pd_code {
	PD_OK = 0,
	PD_ERR_USAGE = -1,         /* the caller asked for something impossible */
	PD_ERR_NOMEM = -10,        /* out of memory */
	PD_ERR_IO = -11,           /* the system refused; sys_errno says why */
	PD_ERR_UNRECOGNISED = -20, /* no known format */
	PD_ERR_AMBIGUOUS = -21,    /* several known formats */
	PD_ERR_EMPTY = -22,        /* the format is known, and there is nothing in it */
	PD_ERR_FORMAT = -30,       /* malformed */
	PD_ERR_TRUNCATED = -31,    /* ends too early */
	PD_ERR_UNSUPPORTED = -32,  /* well formed, and not handled in this build */
	PD_ERR_LIMIT = -33,        /* a limit was passed; msg names the option that raises it */
	PD_ERR_MISMATCH = -34,     /* inputs that cannot be compared */
	PD_ERR_INTERNAL = -40,     /* a broken promise of our own */
};

/* Why it failed, once. Zero-initialise it before use. */
struct pd_error {
	enum pd_code code;
	int sys_errno;   /* errno of PD_ERR_IO, else 0 */
	char path[1024]; /* the input, "" if none; cut if longer */
	uint32_t line;   /* counted from 1, 0 if none */
	char msg[1024];  /* lower case, no full stop: expected and found */
};

/*
 * Fill err (may be NULL) unless it holds an error already, and return code.
 * The message is printf's.
 */
int pd_fail(struct pd_error *err, enum pd_code code, const char *fmt, ...) PD_PRINTF(3, 4);
/* As pd_fail() with PD_ERR_IO; the text of sys_errno is appended to the message. */
int pd_fail_io(struct pd_error *err, int sys_errno, const char *fmt, ...) PD_PRINTF(3, 4);
/* pd_fail() with PD_ERR_NOMEM and the standard text. */
int pd_fail_nomem(struct pd_error *err);
/* Name the input that err (may be NULL) is about, unless one is named; returns rc. */
int pd_wrap(struct pd_error *err, int rc, const char *path);

enum pd_severity {
	PD_NOTE,    /* worth knowing */
	PD_WARNING, /* something of the input was not used, or is doubtful */
};

/* Something odd, and what was done about it. */
struct pd_diag {
	enum pd_severity severity;
	const char *kind; /* static text: diagnostics of one kind and input are bounded together */
	char *path;       /* the input, "" if none */
	uint32_t line;    /* counted from 1, 0 if none */
	char *text;
	uint32_t n_repeats; /* further ones of this kind and path that are not listed */
};

enum { PD_DIAGS_PER_KIND = 5 }; /* listed in full for each kind and path; the rest is counted */

/* A list of diagnostics. Zero-initialise or pd_diags_init(); free with pd_diags_done(). */
struct pd_diags {
	struct pd_diag *items;
	size_t n, cap;
};

void pd_diags_init(struct pd_diags *d);
void pd_diags_done(struct pd_diags *d);
/*
 * Add a diagnostic (d may be NULL: dropped). kind is static text, path may be
 * NULL. A list that cannot grow drops the diagnostic: it is no error.
 */
void pd_diags_add(struct pd_diags *d, enum pd_severity severity, const char *kind,
		  const char *path, uint32_t line, const char *fmt, ...) PD_PRINTF(6, 7);
/* Move all of one list to the end of another, which bounds them as if they were added there. */
void pd_diags_move(struct pd_diags *from, struct pd_diags *to);

#endif
