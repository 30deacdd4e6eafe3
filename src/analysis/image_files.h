/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which source file a function of an image is in, by name.
 */
#ifndef PD_ANALYSIS_IMAGE_FILES_H
#define PD_ANALYSIS_IMAGE_FILES_H

#include "base/text.h"
#include "profdiff/image.h"

/* Zero-initialise; free with pd_image_files_done(). */
struct pd_image_files {
	const struct pd_image *image; /* borrowed */
	struct pd_strtab names;       /* of functions: as in the image, demangled, of families */
	pd_str *files;                /* [ids of names], of the image's strings */
	struct pd_arena arena;
	struct pd_buf text;
};

/* Errors: NOMEM. */
int pd_image_files_read(const struct pd_image *image, struct pd_image_files *ret_files,
			struct pd_error *err) PD_MUST_USE;
void pd_image_files_done(struct pd_image_files *files);

/*
 * The file of a function, or of its family; empty where it is not known, or functions
 * of that name are in several. Borrowed from the image.
 */
struct pd_span pd_image_files_find(struct pd_image_files *files, struct pd_span name);

#endif
