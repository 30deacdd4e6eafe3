/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression: the only user of zlib, libzstd and liblzma.
 */
#ifndef PD_IO_INFLATE_H
#define PD_IO_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Whether the bytes begin as a gzip, zstd or xz file does. */
bool pd_inflate_wants(struct pd_span in);
/*
 * Decompress all members or frames of in and append them to out, at most
 * limit_bytes. Errors: LIMIT, TRUNCATED, FORMAT, UNSUPPORTED, NOMEM.
 */
int pd_inflate(struct pd_span in, size_t limit_bytes, struct pd_buf *out,
	       struct pd_error *err) PD_MUST_USE;
/*
 * Decompress the first member or frame of in and leave out what is behind it, as
 * behind the kernel in its boot image; appended to out, at most limit_bytes. Also
 * the lzma that came before xz, and the lz4 of kernels (lz4 -l). Errors: as above;
 * UNSUPPORTED too where the bytes begin as none of these.
 */
int pd_inflate_first(struct pd_span in, size_t limit_bytes, struct pd_buf *out,
		     struct pd_error *err) PD_MUST_USE;

/*
 * A zstd stream that comes in pieces. NULL if there is no memory, or this build
 * has no zstd; free with pd_inflater_free(), NULL allowed.
 */
struct pd_inflater *pd_inflater_new(void);
void pd_inflater_free(struct pd_inflater *z);
/*
 * Append what piece decompresses to, some 256 KiB at a time; what was used of piece
 * is cut off it, and *ret_is_done says that nothing more comes of it. Errors:
 * FORMAT, NOMEM, UNSUPPORTED (z is NULL).
 */
int pd_inflater_feed(struct pd_inflater *z, struct pd_span *piece, struct pd_buf *out,
		     bool *ret_is_done, struct pd_error *err) PD_MUST_USE;

/* CRC-32 as gzip and debug links have it. */
uint32_t pd_crc32(struct pd_span bytes);

#endif
