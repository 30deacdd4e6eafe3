/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the bytes of an image are in: pd_image's file.
 */
#ifndef PD_IMAGE_FILE_H
#define PD_IMAGE_FILE_H

#include "io/source.h"
#include "io/window.h"

struct pd_image_file {
	struct pd_source source;
	struct pd_source debug;  /* a separate debug file with the symbols */
	struct pd_buf unpacked;  /* the kernel within a vmlinuz, which then has the sections */
};

/* A window on the bytes that the sections of the image are in. */
static inline void pd_image_file_look(const struct pd_image_file *file,
				      struct pd_window *ret_window)
{
	if (file->unpacked.len)
		pd_window_init(ret_window, pd_buf_span(&file->unpacked), NULL);
	else
		pd_window_init(ret_window, file->source.bytes, &file->source);
}

#endif
