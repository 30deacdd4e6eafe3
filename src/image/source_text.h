/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of source files below a folder, by the names that DWARF has for them. No name
 * leads out of the folder, and each file is read once.
 */
#ifndef PD_IMAGE_SOURCE_TEXT_H
#define PD_IMAGE_SOURCE_TEXT_H

#include "base/limits.h"
#include "base/map.h"
#include "base/strtab.h"
#include "base/text.h"

struct pd_source_file;

/* Set the first two fields, else zero; free with pd_source_texts_done(). */
struct pd_source_texts {
	const char *folder; /* NULL: there are no texts */
	const struct pd_limits *limits;
	struct pd_source_file *files; /* [n] */
	uint32_t n, cap;
	struct pd_map ids;   /* of files */
	size_t n_bytes;      /* of all */
};

/*
 * A line of a file (an id of names), from 1, without blanks at its ends; empty if it is
 * not there, or cannot be read. Borrowed. Files of more than 16 MB are not read, nor any
 * more once all together have 256 MB.
 */
struct pd_span pd_source_line(struct pd_source_texts *t, const struct pd_strtab *names,
			      pd_str file, uint32_t line);
/* A zero-initialised one is allowed. */
void pd_source_texts_done(struct pd_source_texts *t);

#endif
