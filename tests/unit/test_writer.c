/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer: a file is there whole, or as it was before.
 */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/writer.h"

/* A folder for each test, so that what is left behind is seen. */
static int set_up(void **state)
{
	(void)signal(SIGPIPE, SIG_IGN); /* as the program does */
	*state = ut_folder_new();
	return 0;
}

static int tear_down(void **state)
{
	ut_folder_free(*state);
	return 0;
}

static int n_entries(const char *folder)
{
	DIR *d = opendir(folder);
	int n = 0;

	assert_non_null(d);
	while (readdir(d))
		n++;
	(void)closedir(d);
	return n - 2; /* without "." and ".." */
}

static void assert_file(const char *path, const char *want)
{
	char *have = ut_read_file(path, NULL);

	assert_non_null(have);
	assert_string_equal(have, want);
	free(have);
}

static void open_writer(const char *path, struct pd_writer *w)
{
	struct pd_error err = {0};

	if (pd_writer_create(path, w, &err) != PD_OK)
		fail_msg("%s: %s", path, err.msg);
	assert_int_equal(err.code, PD_OK);
}

static void close_writer(struct pd_writer *w)
{
	struct pd_error err = {0};

	if (pd_writer_close(w, &err) != PD_OK)
		fail_msg("%s", err.msg);
	assert_int_equal(err.code, PD_OK);
	assert_null(w->path);
	assert_null(w->tmp_path);
	assert_null(w->buf.ptr);
}

static void test_new_file(void **state)
{
	const char *folder = *state, *path = ut_path(folder, "out");
	struct pd_writer w;
	struct stat st;
	mode_t mask = umask(027);

	open_writer(path, &w);
	pd_writer_add_str(&w, "one\n");
	pd_writer_add(&w, "two\n....", 4);
	assert_int_not_equal(access(path, F_OK), 0); /* not before it is whole */
	close_writer(&w);
	(void)umask(mask);
	assert_file(path, "one\ntwo\n");
	assert_int_equal(n_entries(folder), 1);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	/* An empty file is a file. */
	open_writer(path, &w);
	close_writer(&w);
	assert_file(path, "");
}

static void test_abort(void **state)
{
	const char *folder = *state, *path = ut_path(folder, "out");
	struct pd_writer w;

	open_writer(path, &w);
	for (int i = 0; i < 100000; i++) /* more than is kept back */
		pd_writer_add_str(&w, "some text\n");
	assert_int_equal(n_entries(folder), 1);
	pd_writer_abort(&w);
	assert_int_equal(n_entries(folder), 0);
	pd_writer_abort(&w);
	pd_writer_abort(NULL);
	w = (struct pd_writer){0};
	pd_writer_abort(&w);
	/* What was there before stays. */
	ut_write_file(path, "before", 6);
	open_writer(path, &w);
	pd_writer_add_str(&w, "after");
	pd_writer_abort(&w);
	assert_file(path, "before");
	assert_int_equal(n_entries(folder), 1);
}

static void test_replace(void **state)
{
	const char *folder = *state, *path = ut_path(folder, "out");
	struct pd_writer w;
	struct stat st;

	ut_write_file(path, "a longer text than the new one", 30);
	assert_int_equal(chmod(path, 0604), 0);
	open_writer(path, &w);
	pd_writer_add_str(&w, "new");
	assert_file(path, "a longer text than the new one");
	close_writer(&w);
	assert_file(path, "new");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0604);
	assert_int_equal(n_entries(folder), 1);
}

static void test_symlink(void **state)
{
	const char *folder = *state, *file = ut_path(folder, "file");
	const char *link = ut_path(folder, "link");
	struct pd_writer w;
	struct stat st;

	ut_write_file(file, "before", 6);
	assert_int_equal(symlink("file", link), 0);
	open_writer(link, &w);
	pd_writer_add_str(&w, "after");
	assert_file(file, "before");
	close_writer(&w);
	assert_file(file, "after");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(n_entries(folder), 2);
}

/* Names that another run left behind are not touched. */
static void test_temporary_names(void **state)
{
	const char *folder = *state, *path = ut_path(folder, "out"), *other;
	struct pd_writer first, second;

	open_writer(path, &first);
	open_writer(path, &second);
	assert_string_not_equal(first.tmp_path, second.tmp_path);
	pd_writer_add_str(&first, "first");
	pd_writer_add_str(&second, "second");
	other = ut_path(folder, "out.tmp");
	ut_write_file(other, "other", 5);
	close_writer(&second);
	assert_file(path, "second");
	close_writer(&first);
	assert_file(path, "first");
	assert_file(other, "other");
	assert_int_equal(n_entries(folder), 2);
}

static void assert_no_writer(const char *path, int sys_errno)
{
	struct pd_writer w = {.fd = 77};
	struct pd_error err = {0};

	assert_int_equal(pd_writer_create(path, &w, &err), PD_ERR_IO);
	assert_int_equal(w.fd, 77); /* untouched */
	assert_int_equal(err.code, PD_ERR_IO);
	assert_string_equal(err.path, path);
	assert_non_null(strstr(err.msg, "cannot create"));
	if (sys_errno)
		assert_int_equal(err.sys_errno, sys_errno);
	else
		assert_int_not_equal(err.sys_errno, 0);
}

static void test_places_that_cannot_be_written(void **state)
{
	const char *folder = *state;

	assert_no_writer(ut_path(folder, "none/out"), ENOENT);
	assert_no_writer(folder, EISDIR);
	assert_no_writer("/proc/profdiff-test", 0); /* not even root may */
	ut_write_file(ut_path(folder, "file"), "x", 1);
	assert_no_writer(ut_path(folder, "file/out"), ENOTDIR);
	if (geteuid() != 0) { /* root may write anywhere */
		assert_int_equal(chmod(folder, 0500), 0);
		assert_no_writer(ut_path(folder, "out"), EACCES);
		assert_int_equal(chmod(folder, 0700), 0);
	}
	assert_int_equal(n_entries(folder), 1);
}

/* The rename fails: nothing is left behind, and it is told. */
static void test_place_that_is_taken_meanwhile(void **state)
{
	const char *folder = *state, *path = ut_path(folder, "out");
	struct pd_error err = {0};
	struct pd_writer w;

	open_writer(path, &w);
	pd_writer_add_str(&w, "text");
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(pd_writer_close(&w, &err), PD_ERR_IO);
	assert_int_equal(err.sys_errno, EISDIR);
	assert_string_equal(err.path, path);
	assert_int_equal(n_entries(folder), 1);
	assert_int_equal(rmdir(path), 0);
}

static void test_full_device(void **state)
{
	struct pd_error err = {0};
	struct pd_writer w;
	int fd;

	(void)state;
	open_writer("/dev/full", &w);
	pd_writer_add_str(&w, "text");
	assert_int_equal(pd_writer_close(&w, &err), PD_ERR_IO);
	assert_int_equal(err.sys_errno, ENOSPC);
	assert_string_equal(err.path, "/dev/full");
	assert_string_equal(err.msg, "cannot write: No space left on device");
	/* Nothing written is nothing lost. */
	open_writer("/dev/full", &w);
	close_writer(&w);

	fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	err = (struct pd_error){0};
	pd_writer_init_fd(&w, fd);
	for (int i = 0; i < 100000; i++) /* it goes on after the first failure */
		pd_writer_add_str(&w, "text");
	assert_int_equal(w.sys_errno, ENOSPC);
	assert_int_equal(pd_writer_close(&w, &err), PD_ERR_IO);
	assert_string_equal(err.path, "standard output");
	assert_int_equal(fcntl(fd, F_GETFD) & ~FD_CLOEXEC, 0); /* not ours to close */
	assert_int_equal(close(fd), 0);
	/* A device that takes all. */
	open_writer("/dev/null", &w);
	pd_writer_add_str(&w, "text");
	close_writer(&w);
}

static void test_pipes(void **state)
{
	struct pd_writer w;
	char text[16] = "";
	int fds[2];

	(void)state;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	pd_writer_init_fd(&w, fds[1]);
	pd_writer_add_str(&w, "through\n");
	close_writer(&w);
	assert_int_equal(read(fds[0], text, sizeof(text)), 8);
	assert_string_equal(text, "through\n");
	/* The reader went away: `profdiff ... | head` is no error. */
	assert_int_equal(close(fds[0]), 0);
	pd_writer_init_fd(&w, fds[1]);
	for (int i = 0; i < 100000; i++)
		pd_writer_add_str(&w, "text");
	assert_int_equal(w.sys_errno, EPIPE);
	close_writer(&w);
	assert_int_equal(close(fds[1]), 0);
}

/* Any mixture of sizes around the step in which is written. */
static void test_sizes(void **state)
{
	static const size_t sizes[] = {0, 1, 65535, 65536, 65537, 1, 200000, 3, 65535, 1};
	const char *path = ut_path(*state, "out");
	struct pd_buf want = {0};
	struct pd_writer w;
	size_t len;
	char *have;

	open_writer(path, &w);
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t before = want.len;

		pd_buf_add_fill(&want, (char)('a' + i), sizes[i]);
		pd_writer_add(&w, want.ptr ? want.ptr + before : "", sizes[i]);
	}
	close_writer(&w);
	have = ut_read_file(path, &len);
	assert_int_equal(len, want.len);
	assert_memory_equal(have, want.ptr, len);
	free(have);
	pd_buf_done(&want);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_new_file),
		TEST(test_abort),
		TEST(test_replace),
		TEST(test_symlink),
		TEST(test_temporary_names),
		TEST(test_places_that_cannot_be_written),
		TEST(test_place_that_is_taken_meanwhile),
		TEST(test_full_device),
		TEST(test_pipes),
		TEST(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
