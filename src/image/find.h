/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Separate debug files, where debuggers look for them.
 */
#ifndef PD_IMAGE_FIND_H
#define PD_IMAGE_FIND_H

#include <stdbool.h>

#include "base/text.h"

/*
 * The debug file of the image at path: by its build-id (hex, or NULL) under
 * folder/.build-id, else by its debug link (or NULL) beside it, in .debug there, and
 * under folder. One behind the link must have its CRC, so that it is of this build.
 * The path is in ret_path; false if there is none. ret_is_foreign: there is one behind
 * the link, but of another build.
 */
bool pd_debug_file_find(const char *path, const char *build_id, const char *link,
			uint32_t link_crc, const char *folder, struct pd_buf *ret_path,
			bool *ret_is_foreign);

#endif
