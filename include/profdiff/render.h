/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Renderers: a document becomes bytes. A pure function of document and
 * options.
 */
#ifndef PROFDIFF_RENDER_H
#define PROFDIFF_RENDER_H

#include "profdiff/error.h"
#include "profdiff/table.h"

struct pd_writer;

struct pd_render_options {
	uint32_t width;  /* columns that a line should not pass */
	bool has_color; /* terminal colours are welcome */
	bool has_utf8;  /* so are marks that are not ASCII */
	char separator; /* of csv and tsv, which also becomes "." in texts; 0: their own */
};

/* A renderer: one file render_<name>.c, and one line in src/render/meson.build. */
struct pd_renderer {
	const char *name;  /* for -o */
	const char *title; /* one line for --list-formats */
	unsigned parts;    /* enum pd_parts: what it reads */
	void (*render)(const struct pd_document *d, const struct pd_render_options *options,
		       struct pd_writer *out);
};

/* All renderers, in the order of src/render/meson.build, with a NULL behind the last. */
extern const struct pd_renderer *const pd_renderers[];
/* NULL if there is no such renderer. */
const struct pd_renderer *pd_renderer_find(const char *name);

#endif
