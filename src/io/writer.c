/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer. Invariant: after the first failure nothing more is written.
 */
#include "io/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLUSH_BYTES = 1 << 16, MAX_TRIES = 100 };

void pd_writer_init_fd(struct pd_writer *w, int fd)
{
	*w = (struct pd_writer){.fd = fd};
}

/* A new file beside path; like any file it gets the mode that umask leaves. */
static int open_tmp(struct pd_writer *w)
{
	for (unsigned i = 0; i < MAX_TRIES; i++) {
		free(w->tmp_path);
		if (asprintf(&w->tmp_path, "%s.tmp-%ld-%u", w->path, (long)getpid(), i) < 0) {
			w->tmp_path = NULL;
			errno = ENOMEM;
			return -1;
		}
		w->fd = open(w->tmp_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (w->fd >= 0 || errno != EEXIST)
			return w->fd;
	}
	return -1;
}

int pd_writer_create(const char *path, struct pd_writer *ret_writer, struct pd_error *err)
{
	struct pd_writer w = {.fd = -1};
	bool is_there;
	struct stat st;

	/* A link keeps pointing at its file: that is what is replaced. */
	w.path = realpath(path, NULL);
	is_there = w.path && stat(w.path, &st) == 0;
	if (!w.path)
		w.path = strdup(path);
	if (!w.path)
		return pd_fail_nomem(err);
	if (is_there && !S_ISREG(st.st_mode))
		w.fd = open(w.path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	else
		w.fd = open_tmp(&w);
	if (w.fd < 0) {
		int rc = pd_fail_io(err, errno, "cannot create");

		free(w.tmp_path);
		free(w.path);
		return pd_wrap(err, rc, path);
	}
	if (is_there && w.tmp_path)
		(void)fchmod(w.fd, st.st_mode & 07777);
	*ret_writer = w;
	return PD_OK;
}

static void flush(struct pd_writer *w)
{
	size_t done = 0;

	while (!w->sys_errno && done < w->buf.len) {
		ssize_t n = write(w->fd, w->buf.ptr + done, w->buf.len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			w->sys_errno = errno;
	}
	w->buf.len = 0;
}

void pd_writer_add(struct pd_writer *w, const char *s, size_t len)
{
	if (w->sys_errno)
		return;
	pd_buf_add(&w->buf, s, len);
	if (w->buf.failed)
		w->sys_errno = ENOMEM;
	if (w->buf.len >= FLUSH_BYTES)
		flush(w);
}

void pd_writer_add_str(struct pd_writer *w, const char *s)
{
	pd_writer_add(w, s, strlen(s));
}

void pd_writer_fail(struct pd_writer *w, int sys_errno)
{
	if (!w->sys_errno)
		w->sys_errno = sys_errno;
}

int pd_writer_close(struct pd_writer *w, struct pd_error *err)
{
	int rc = PD_OK;

	flush(w);
	if (w->path && w->fd >= 0) {
		if (close(w->fd) < 0 && !w->sys_errno)
			w->sys_errno = errno;
		w->fd = -1;
	}
	if (!w->sys_errno && w->tmp_path && rename(w->tmp_path, w->path) < 0)
		w->sys_errno = errno;
	if (w->sys_errno && (w->sys_errno != EPIPE || w->path)) {
		rc = pd_fail_io(err, w->sys_errno, "cannot write");
		rc = pd_wrap(err, rc, w->path ? w->path : "standard output");
	} else {
		free(w->tmp_path);
		w->tmp_path = NULL;
	}
	pd_writer_abort(w);
	return rc;
}

void pd_writer_abort(struct pd_writer *w)
{
	if (!w)
		return;
	if (w->path && w->fd >= 0)
		(void)close(w->fd);
	if (w->tmp_path)
		(void)unlink(w->tmp_path);
	free(w->tmp_path);
	free(w->path);
	pd_buf_done(&w->buf);
	*w = (struct pd_writer){.fd = -1};
}
