/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What DWARF adds to symbols: source files, the compiler, instances of inlined
 * functions. The only user of libdw and libdwfl.
 */
#ifndef PD_IMAGE_DWARF_H
#define PD_IMAGE_DWARF_H

#include "profdiff/image.h"

/*
 * Read the DWARF of the image's file, which holds it itself or has a debug file
 * beside it (debug_path, or NULL), into an image whose symbols are settled; has_files
 * tells whether there was any. Errors: NOMEM, LIMIT.
 */
int pd_dwarf_read(const char *debug_path, const struct pd_image_options *options,
		  struct pd_image *image, struct pd_error *err) PD_MUST_USE;

#endif
