/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Holes: bytes of sections that no symbol covers. Most are padding, what linkers and
 * assemblers put before a function that begins at a round address.
 */
#ifndef PD_IMAGE_PADDING_H
#define PD_IMAGE_PADDING_H

#include "profdiff/image.h"

/* Opaque: looks at the holes of one image, best in the order of its file. */
struct pd_hole_reader;

/* image must outlive it. NULL: no memory. */
struct pd_hole_reader *pd_hole_reader_new(const struct pd_image *image);
/* NULL allowed. */
void pd_hole_reader_free(struct pd_hole_reader *r);
/*
 * Whether the bytes [from, to), offsets within a section of the image, are nothing but
 * padding: zeros, and on x86 and AArch64 also instructions that do nothing. What has no
 * bytes in the file is padding.
 */
bool pd_hole_is_padding(struct pd_hole_reader *r, const struct pd_section *s, uint64_t from,
			uint64_t to);

#endif
