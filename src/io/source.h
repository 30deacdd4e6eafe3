/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An input as one span of bytes, whether it is a file, a pipe, or compressed
 * (gzip, zstd, xz, told by their first bytes).
 */
#ifndef PD_IO_SOURCE_H
#define PD_IO_SOURCE_H

#include <stdbool.h>

#include "base/limits.h"
#include "base/text.h"

/* Zero-initialise; free with pd_source_close(). */
struct pd_source {
	struct pd_span bytes; /* decompressed; valid until the source is closed */
	void *map;            /* the mapped file, or NULL */
	size_t map_len;
	int fd;            /* of the mapped file */
	struct pd_buf buf; /* what was read or decompressed */
};

/*
 * Read path, or standard input if it is "-". Errors: IO (no such file, a
 * directory, ...), LIMIT, TRUNCATED or FORMAT (bad compressed data),
 * UNSUPPORTED (compressed in a way this build cannot read), NOMEM. They name
 * the path.
 */
int pd_source_open(const char *path, const struct pd_limits *limits, struct pd_source *ret_source,
		   struct pd_error *err) PD_MUST_USE;
/* NULL and zero-initialised sources are allowed. */
void pd_source_close(struct pd_source *s);

/*
 * Let the process live on when somebody else cuts a file that is mapped: what is gone
 * reads as zeros. For programs, once; it takes the signal SIGBUS.
 */
void pd_source_guard(void);
/* A part of a mapped file was not there any more. */
void pd_source_tell_cut(void);
/* Whether that was so of any file of this process. */
bool pd_source_was_cut(void);
/*
 * rc, what reading came to; but where the file has become shorter since it was opened,
 * TRUNCATED with both sizes, which explains whatever else went wrong.
 */
int pd_source_check(const struct pd_source *s, int rc, struct pd_error *err) PD_MUST_USE;

#endif
