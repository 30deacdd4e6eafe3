/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources: regular files are mapped, so that memory does not grow with their
 * size; everything else is read to its end.
 */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/inflate.h"

enum { READ_STEP = 1 << 16 };

/* All that fd gives: pipes, and files of /proc, which have no size. */
static int read_all(int fd, size_t limit, struct pd_buf *buf, struct pd_error *err)
{
	for (;;) {
		ssize_t n;

		if (!pd_buf_reserve(buf, READ_STEP))
			return pd_fail_nomem(err);
		n = read(fd, buf->ptr + buf->len, READ_STEP);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return pd_fail_io(err, errno, "cannot read");
		if (!n)
			return PD_OK;
		buf->len += (size_t)n;
		if (buf->len > limit)
			return pd_fail(err, PD_ERR_LIMIT,
				       "more than %zu bytes come from a pipe; "
				       "--max-inflated raises this limit", limit);
	}
}

static int read_fd(int fd, const struct pd_limits *limits, struct pd_source *s,
		   struct pd_error *err)
{
	struct stat st;
	void *map;
	int rc;

	if (fstat(fd, &st) < 0)
		return pd_fail_io(err, errno, "cannot read");
	if (S_ISDIR(st.st_mode))
		return pd_fail_io(err, EISDIR, "cannot read");
	if (S_ISREG(st.st_mode) && st.st_size > 0) {
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (map != MAP_FAILED) {
			s->map = map;
			s->map_len = (size_t)st.st_size;
			s->fd = fd;
			s->bytes = (struct pd_span){map, s->map_len};
			return PD_OK;
		}
	}
	rc = read_all(fd, limits->inflated_bytes, &s->buf, err);
	s->bytes = (struct pd_span){s->buf.ptr, s->buf.len};
	return rc;
}

int pd_source_check(const struct pd_source *s, int rc, struct pd_error *err)
{
	struct stat st;

	if (!s->map || fstat(s->fd, &st) < 0 || (uint64_t)st.st_size >= s->map_len)
		return rc;
	if (err)
		*err = (struct pd_error){0};
	return pd_fail(err, PD_ERR_TRUNCATED, "expected %zu bytes, found %lld: the file became "
		       "shorter while it was read", s->map_len, (long long)st.st_size);
}

/* The bytes of s become what they decompress to. */
static int inflate_source(struct pd_source *s, const struct pd_limits *limits,
			  struct pd_error *err)
{
	struct pd_source plain = {0};
	int rc = pd_inflate(s->bytes, limits->inflated_bytes, &plain.buf, err);

	rc = pd_source_check(s, rc, err);
	plain.bytes = (struct pd_span){plain.buf.ptr, plain.buf.len};
	pd_source_close(s);
	*s = plain;
	return rc;
}

int pd_source_open(const char *path, const struct pd_limits *limits, struct pd_source *ret_source,
		   struct pd_error *err)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	struct pd_source s = {0};
	int rc;

	if (fd < 0)
		return pd_wrap(err, pd_fail_io(err, errno, "cannot open"), path);
	rc = read_fd(fd, limits, &s, err);
	if (!is_stdin && !s.map)
		(void)close(fd);
	if (rc == PD_OK && pd_inflate_wants(s.bytes))
		rc = inflate_source(&s, limits, err);
	if (rc != PD_OK) {
		pd_source_close(&s);
		return pd_wrap(err, rc, path);
	}
	*ret_source = s;
	return PD_OK;
}

void pd_source_close(struct pd_source *s)
{
	if (!s)
		return;
	if (s->map) {
		(void)munmap(s->map, s->map_len);
		if (s->fd != STDIN_FILENO)
			(void)close(s->fd);
	}
	pd_buf_done(&s->buf);
	*s = (struct pd_source){0};
}

static atomic_bool was_cut;

void pd_source_tell_cut(void)
{
	was_cut = true;
}

bool pd_source_was_cut(void)
{
	return was_cut;
}

/*
 * A page of a mapping behind the end of its file, which was cut: zeros in its place.
 * mmap() is not on POSIX's list of what handlers may call; on Linux it is a system call.
 */
static void replace_page(int signal_no, siginfo_t *info, void *context)
{
	uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t page = (uintptr_t)info->si_addr & ~(page_size - 1);

	(void)context;
	pd_source_tell_cut();
	if (info->si_code != BUS_ADRERR ||
	    mmap((void *)page, page_size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		(void)signal(signal_no, SIG_DFL); /* happens again, and ends the process */
}

void pd_source_guard(void)
{
	struct sigaction action = {.sa_sigaction = replace_page, .sa_flags = SA_SIGINFO};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGBUS, &action, NULL);
}
