/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows. Contract: window.h.
 */
#include "io/window.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void pd_window_init(struct pd_window *w, struct pd_span text, const struct pd_source *file)
{
	const char *map = file ? file->map : NULL;
	bool is_mapped = map && text.ptr >= map && text.ptr + text.len <= map + file->map_len;

	*w = (struct pd_window){
		.from = text.ptr,
		.to = is_mapped ? text.ptr : text.ptr + text.len,
		.bytes = text.ptr,
		.end = text.ptr + text.len,
		.file = is_mapped ? file : NULL,
	};
}

void pd_window_done(struct pd_window *w)
{
	free(w->buf);
	w->buf = NULL;
}

/* The text as it is mapped: slower, but always there. */
static void show_all(struct pd_window *w, const char *from)
{
	w->file = NULL;
	w->from = w->bytes = from;
	w->to = w->end;
}

void pd_window_move(struct pd_window *w, const char *from)
{
	size_t n_kept = pd_window_shows(w, from) ? (size_t)(w->to - from) : 0;
	size_t n_wanted = (size_t)(w->end - from);
	ssize_t n;

	if (!w->file || n_kept == n_wanted)
		return;
	if (!w->buf)
		w->buf = malloc(PD_WINDOW_BYTES);
	if (!w->buf || n_kept == PD_WINDOW_BYTES) {
		show_all(w, from);
		return;
	}
	memmove(w->buf, n_kept ? pd_window_at(w, from) : w->buf, n_kept);
	if (n_wanted > PD_WINDOW_BYTES)
		n_wanted = PD_WINDOW_BYTES;
	do
		n = pread(w->file->fd, w->buf + n_kept, n_wanted - n_kept,
			  from + n_kept - (const char *)w->file->map);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		show_all(w, from);
		return;
	}
	w->from = from;
	w->to = from + n_kept + n;
	w->bytes = w->buf;
	if (!n) {
		w->end = w->to;
		pd_source_tell_cut();
	}
}
