/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output that is there whole or not at all: a file is written under a
 * temporary name beside its own and renamed when it is complete.
 */
#ifndef PD_IO_WRITER_H
#define PD_IO_WRITER_H

#include <stdbool.h>

#include "base/text.h"

/* Zero-initialise; errors are latched, and told once by pd_writer_close(). */
struct pd_writer {
	int fd;
	char *path;     /* NULL for a descriptor that is not ours */
	char *tmp_path; /* NULL where path is written directly (a device, a pipe) */
	struct pd_buf buf;
	int sys_errno; /* the first failure, 0 if none */
};

/* Write to a descriptor that stays open. */
void pd_writer_init_fd(struct pd_writer *w, int fd);
/* Create path (its folder must exist). Errors: IO, NOMEM, with the path. */
int pd_writer_create(const char *path, struct pd_writer *ret_writer,
		     struct pd_error *err) PD_MUST_USE;
void pd_writer_add(struct pd_writer *w, const char *s, size_t len);
void pd_writer_add_str(struct pd_writer *w, const char *s);
/* Latch a failure of who writes: nothing more is written. */
void pd_writer_fail(struct pd_writer *w, int sys_errno);
/*
 * Write the rest out, rename the file into place and free w. A reader that
 * went away (EPIPE) is no error. On IO failure nothing is left behind.
 */
int pd_writer_close(struct pd_writer *w, struct pd_error *err) PD_MUST_USE;
/* Give up: nothing is left behind. NULL and zero-initialised writers are allowed. */
void pd_writer_abort(struct pd_writer *w);

#endif
