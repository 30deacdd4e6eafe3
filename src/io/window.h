/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window on a text that is walked from its beginning to its end. A text in
 * memory is all in view. The bytes of a mapped file are read into a buffer, part
 * by part: to touch each page of a mapping costs more than to copy it, on
 * virtual machines far more, and a file that others cut meanwhile does no harm.
 *
 * Places are pointers into the text, whether these bytes are in view or not.
 */
#ifndef PD_IO_WINDOW_H
#define PD_IO_WINDOW_H

#include <stdbool.h>

#include "base/text.h"
#include "io/source.h"

enum { PD_WINDOW_BYTES = 256 << 10 }; /* of a file in view: what a core keeps near */

struct pd_window {
	const char *from, *to; /* the part of the text in view, */
	const char *bytes;     /* and where it is */
	const char *end;       /* of the text */
	const struct pd_source *file; /* that maps the text, or NULL */
	char *buf;
};

/* file: the source of text, or NULL; must outlive the window. */
void pd_window_init(struct pd_window *w, struct pd_span text, const struct pd_source *file);
void pd_window_done(struct pd_window *w);
/*
 * Have the text from that place on in view. More than what is in view of it
 * already, or all of it; where the file has become shorter, the text ends.
 */
void pd_window_move(struct pd_window *w, const char *from);

/* Where the byte at that place, which is in view, is. */
static inline const char *pd_window_at(const struct pd_window *w, const char *place)
{
	return w->bytes + (place - w->from);
}

static inline bool pd_window_shows(const struct pd_window *w, const char *place)
{
	return place >= w->from && place <= w->to;
}

#endif
