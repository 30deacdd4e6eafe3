/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources: whatever an input is, its bytes come out, and what is none says why.
 */
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <zlib.h>

#include "io/source.h"

static char *folder;

static int set_up(void **state)
{
	(void)state;
	folder = ut_folder_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ut_folder_free(folder);
	return 0;
}

static const struct pd_limits limits = PD_LIMITS_DEFAULT;

static void assert_source(const char *path, const void *want, size_t len)
{
	struct pd_source s = {0};
	struct pd_error err = {0};

	if (pd_source_open(path, &limits, &s, &err) != PD_OK)
		fail_msg("%s: %s", path, err.msg);
	assert_int_equal(err.code, PD_OK);
	assert_int_equal(s.bytes.len, len);
	if (len)
		assert_memory_equal(s.bytes.ptr, want, len);
	pd_source_close(&s);
	assert_null(s.map);
	assert_null(s.buf.ptr);
	pd_source_close(&s);
}

static void assert_fails(const char *path, const struct pd_limits *l, enum pd_code code,
			 int sys_errno)
{
	struct pd_source s = {.map_len = 77};
	struct pd_error err = {0};

	assert_int_equal(pd_source_open(path, l, &s, &err), code);
	assert_int_equal(s.map_len, 77); /* untouched */
	assert_int_equal(err.code, code);
	assert_int_equal(err.sys_errno, sys_errno);
	assert_string_equal(err.path, path);
	assert_true(err.msg[0] != '\0');
	assert_int_equal(pd_source_open(path, l, &s, NULL), code);
}

static void test_files(void **state)
{
	const char *path = ut_path(folder, "file");
	char page[8192];

	(void)state;
	ut_write_file(path, "main 1\n", 7);
	assert_source(path, "main 1\n", 7);
	ut_write_file(path, "", 0);
	assert_source(path, "", 0);
	ut_write_file(path, "\0\xff", 2);
	assert_source(path, "\0\xff", 2);
	/* Whole pages, behind which nothing is mapped. */
	memset(page, 'x', sizeof(page));
	ut_write_file(path, page, sizeof(page));
	assert_source(path, page, sizeof(page));
	pd_source_close(NULL);
}

/* Somebody else cuts a file that is mapped: zeros, and an error that says so. */
static void test_cut_file(void **state)
{
	const char *path = ut_path(folder, "file");
	struct pd_source s = {0};
	struct pd_error err = {0};
	char page[8192];

	(void)state;
	memset(page, 'x', sizeof(page));
	ut_write_file(path, page, sizeof(page));
	pd_source_guard();
	assert_int_equal(pd_source_open(path, &limits, &s, &err), PD_OK);
	assert_int_equal(pd_source_check(&s, PD_OK, &err), PD_OK);
	assert_int_equal(pd_source_check(&s, PD_ERR_FORMAT, &err), PD_ERR_FORMAT);
	assert_int_equal(truncate(path, 4096), 0);
	assert_false(pd_source_was_cut());
	assert_int_equal(s.bytes.ptr[4095], 'x');
	assert_int_equal(s.bytes.ptr[4096], '\0');
	assert_true(pd_source_was_cut());
	assert_int_equal(pd_source_check(&s, PD_ERR_FORMAT, &err), PD_ERR_TRUNCATED);
	assert_string_equal(err.msg, "expected 8192 bytes, found 4096: the file became shorter "
				     "while it was read");
	pd_source_close(&s);
}

/* A limit of what is read does not bound files: they take no memory. */
static void test_files_have_no_limit(void **state)
{
	struct pd_limits few = PD_LIMITS_DEFAULT;
	const char *path = ut_path(folder, "file");
	struct pd_source s = {0};
	struct pd_error err = {0};

	(void)state;
	few.inflated_bytes = 3;
	ut_write_file(path, "main 1\n", 7);
	assert_int_equal(pd_source_open(path, &few, &s, &err), PD_OK);
	assert_int_equal(s.bytes.len, 7);
	pd_source_close(&s);
}

static void test_what_is_no_file(void **state)
{
	const char *path = ut_path(folder, "file");
	char longest[5000];

	(void)state;
	assert_fails(ut_path(folder, "missing"), &limits, PD_ERR_IO, ENOENT);
	assert_fails("", &limits, PD_ERR_IO, ENOENT);
	assert_fails(folder, &limits, PD_ERR_IO, EISDIR);
	ut_write_file(path, "x", 1);
	assert_fails(ut_path(path, "below"), &limits, PD_ERR_IO, ENOTDIR);
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	{
		struct pd_source s = {0};
		struct pd_error err = {0};

		assert_int_equal(pd_source_open(longest, &limits, &s, &err), PD_ERR_IO);
		assert_int_equal(err.sys_errno, ENAMETOOLONG);
	}
}

/* Files of /proc say that they are empty, and are not. */
static void test_proc(void **state)
{
	struct pd_source s = {0};
	struct pd_error err = {0};

	(void)state;
	assert_int_equal(pd_source_open("/proc/self/status", &limits, &s, &err), PD_OK);
	assert_true(pd_span_starts(s.bytes, "Name:\ttest_source"));
	assert_null(s.map);
	pd_source_close(&s);
}

/* A child that writes to path, a FIFO, and goes away. */
static pid_t start_writer(const char *path, const void *bytes, size_t len)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (!pid) {
		FILE *f = fopen(path, "wb");

		/* In two parts, so that a read gives less than all. */
		if (f) {
			(void)fwrite(bytes, 1, len / 2, f);
			(void)fflush(f);
			(void)usleep(1000);
			(void)fwrite((const char *)bytes + len / 2, 1, len - len / 2, f);
			(void)fclose(f);
		}
		_exit(0);
	}
	return pid;
}

static void join(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status) || WIFSIGNALED(status));
}

static void test_fifo(void **state)
{
	enum { LEN = 300000 };
	const char *path = ut_path(folder, "fifo");
	struct pd_limits few = PD_LIMITS_DEFAULT;
	struct pd_source s = {0};
	struct pd_error err = {0};
	char *bytes = malloc(LEN);
	pid_t pid;

	(void)state;
	for (size_t i = 0; i < LEN; i++)
		bytes[i] = (char)(i * 7 % 251);
	assert_int_equal(mkfifo(path, 0600), 0);
	pid = start_writer(path, bytes, LEN);
	assert_source(path, bytes, LEN);
	join(pid);
	pid = start_writer(path, bytes, 0);
	assert_source(path, "", 0);
	join(pid);
	/* Beyond the limit, and just at it. */
	few.inflated_bytes = 99;
	pid = start_writer(path, bytes, 100);
	assert_int_equal(pd_source_open(path, &few, &s, &err), PD_ERR_LIMIT);
	assert_non_null(strstr(err.msg, "--max-inflated"));
	join(pid);
	few.inflated_bytes = 100;
	err = (struct pd_error){0};
	pid = start_writer(path, bytes, 100);
	assert_int_equal(pd_source_open(path, &few, &s, &err), PD_OK);
	assert_int_equal(s.bytes.len, 100);
	pd_source_close(&s);
	join(pid);
	free(bytes);
}

static void test_standard_input(void **state)
{
	const char *path = ut_path(folder, "file");
	int before = dup(STDIN_FILENO);

	(void)state;
	ut_write_file(path, "from a file\n", 12);
	assert_non_null(freopen(path, "rb", stdin));
	assert_source("-", "from a file\n", 12);
	/* It stays open for others. */
	assert_true(lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0);
	if (before >= 0) {
		assert_true(dup2(before, STDIN_FILENO) >= 0);
		(void)close(before);
	}
}

static void test_compressed(void **state)
{
	const char *path = ut_path(folder, "file.gz");
	struct pd_limits few = PD_LIMITS_DEFAULT;
	gzFile f = gzopen(path, "wb");
	size_t len;
	char *bytes;
	pid_t pid;

	(void)state;
	assert_non_null(f);
	assert_int_equal(gzwrite(f, "main;f 1\n", 9), 9);
	assert_int_equal(gzclose(f), Z_OK);
	assert_source(path, "main;f 1\n", 9);
	bytes = ut_read_file(path, &len);
	pid = start_writer(ut_path(folder, "fifo"), bytes, len);
	assert_source(ut_path(folder, "fifo"), "main;f 1\n", 9);
	join(pid);
	few.inflated_bytes = 8;
	assert_fails(path, &few, PD_ERR_LIMIT, 0);
	ut_write_file(path, bytes, len - 1);
	assert_fails(path, &limits, PD_ERR_TRUNCATED, 0);
	bytes[len - 6] ^= 1;
	ut_write_file(path, bytes, len);
	assert_fails(path, &limits, PD_ERR_FORMAT, 0);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_cut_file),
		cmocka_unit_test(test_files_have_no_limit),
		cmocka_unit_test(test_what_is_no_file),
		cmocka_unit_test(test_proc),
		cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_standard_input),
		cmocka_unit_test(test_compressed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
