/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text as lines, cleaned of what terminals, mailers and editors do to it, so
 * that no reader has to know of it.
 *
 * Whole texts are decoded first (io/decode.h). Of each line go CRLF, blanks at
 * the end, "> " quotes to any depth, no-break and other odd blanks, terminal
 * escapes, bytes that are no UTF-8 (read as ISO-8859-1). Lines with a NUL and
 * lines beyond the limit are skipped, with a diagnostic.
 */
#ifndef PD_IO_LINES_H
#define PD_IO_LINES_H

#include <stdbool.h>

#include "base/limits.h"
#include "base/text.h"
#include "io/decode.h"
#include "io/window.h"

/* A walk over lines. Free with pd_lines_done(). */
struct pd_lines {
	const char *next; /* place in the text: the line to come */
	struct pd_window window;
	const char *scanned; /* the end of the 64 bytes that the bits below are about */
	uint64_t newlines, odd;
	uint32_t no; /* of the line last returned, counted from 1 */
	size_t max_bytes;
	const char *path;       /* for diagnostics */
	struct pd_diags *diags; /* NULL: none are kept */
	struct pd_buf clean;    /* the line last returned, where it had to be changed */
	struct pd_buf joined;   /* the same for pd_lines_unwrap() */
};

void pd_lines_init(struct pd_lines *l, struct pd_span text, const struct pd_limits *limits,
		   const char *path, struct pd_diags *diags);
/* The text is (a part of) that file, which must outlive l: read it from there. Before any line. */
void pd_lines_use_file(struct pd_lines *l, const struct pd_source *file);
void pd_lines_done(struct pd_lines *l);
/*
 * The next line, clean, without its end; false at the end of the text. The
 * span is valid until the next call.
 */
bool pd_lines_next(struct pd_lines *l, struct pd_span *ret_line);

/*
 * Undo what mailers do to long lines. line is what pd_lines_next() returned,
 * and no row of the format. If the line below it is no row either, but both
 * together are one, line becomes that and true is returned; else line keeps
 * its text, if at another place, and the walk its place. The span is valid until the next call.
 */
bool pd_lines_unwrap(struct pd_lines *l, struct pd_span *line,
		     bool (*is_row)(struct pd_span line, const void *context), const void *context);

/*
 * Split a line at blanks: at most max fields are stored, the last of them runs
 * to the end of the line if there are more. Returns how many were stored.
 */
size_t pd_fields(struct pd_span line, struct pd_span *ret_fields, size_t max);

#endif
