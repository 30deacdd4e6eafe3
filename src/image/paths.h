/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source files as both builds call them, wherever each was made.
 */
#ifndef PD_IMAGE_PATHS_H
#define PD_IMAGE_PATHS_H

#include "base/text.h"

/*
 * path, of a unit compiled in folder (may be empty), as seen from the root of the
 * sources: without the folder that both share and without a build's own
 * ("/build/linux-sCF4bP/linux-6.1.187/"), "." and ".." resolved. In buf.
 */
struct pd_span pd_source_path(struct pd_span path, struct pd_span folder, struct pd_buf *buf);

#endif
