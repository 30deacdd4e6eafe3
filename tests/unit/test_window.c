/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Windows: a file read part by part has the lines that it has in memory.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/lines.h"
#include "support/random.h"

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

static char *write_file(struct pd_span text)
{
	char *path;
	FILE *f;

	assert_true(asprintf(&path, "%s/text", folder) > 0);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text.ptr, 1, text.len, f), text.len);
	assert_int_equal(fclose(f), 0);
	return path;
}

/* Lines of all lengths: mostly short, a few odd ones, of at most that many bytes. */
static struct pd_buf make_text(uint64_t seed, size_t n_bytes, size_t longest)
{
	static const char *const odd[] = {"caf\xc3\xa9", "\t", "> ", "\r", "\x1b[1m", "\xb1", ""};
	struct pd_random r = {seed};
	struct pd_buf text = {0};

	while (text.len < n_bytes) {
		size_t len = pd_random_below(&r, pd_random_below(&r, 500) ? 100 : longest);

		pd_buf_add_fill(&text, (char)('a' + pd_random_below(&r, 26)), len);
		pd_buf_add_str(&text, odd[pd_random_below(&r, sizeof(odd) / sizeof(odd[0]))]);
		pd_buf_add_char(&text, '\n');
	}
	text.len -= pd_random_below(&r, 2); /* with and without a newline at its end */
	return text;
}

/* Walk both at once; now and then a step back is taken, as readers do. */
static void assert_same_lines(struct pd_lines *have, struct pd_lines *want, uint64_t seed)
{
	struct pd_random r = {seed};
	struct pd_span a, b;
	const char *back = have->next;
	uint32_t back_no = 0;
	bool is_more = true;

	while (is_more) {
		is_more = pd_lines_next(want, &b);
		assert_int_equal(pd_lines_next(have, &a), is_more);
		assert_int_equal(have->no, want->no);
		if (!is_more)
			break;
		assert_int_equal(a.len, b.len);
		assert_memory_equal(a.ptr, b.ptr, a.len);
		if (!pd_random_below(&r, 50)) {
			have->next = back;
			want->next = back;
			have->no = want->no = back_no;
		}
		if (!pd_random_below(&r, 20)) {
			back = have->next;
			back_no = have->no;
		}
	}
}

static void check_file(uint64_t seed, size_t n_bytes, size_t longest)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_buf text = make_text(seed, n_bytes, longest);
	char *path = write_file(pd_buf_span(&text));
	struct pd_source s = {0};
	struct pd_error err = {0};
	struct pd_lines have, want;

	limits.line_bytes = 1 << 20;
	assert_int_equal(pd_source_open(path, &limits, &s, &err), PD_OK);
	pd_lines_init(&have, s.bytes, &limits, path, NULL);
	pd_lines_init(&want, s.bytes, &limits, path, NULL);
	pd_lines_use_file(&have, &s);
	assert_same_lines(&have, &want, seed);
	pd_lines_done(&have);
	pd_lines_done(&want);
	pd_source_close(&s);
	pd_buf_done(&text);
	free(path);
}

static void test_same_lines(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		check_file(seed, 1 + 37 * seed, 100);
		check_file(seed, 3 * PD_WINDOW_BYTES, PD_WINDOW_BYTES / 2);
	}
}

/* A line that no window holds is had from the mapping, and all that follows. */
static void test_long_lines(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 5; seed++)
		check_file(seed, 4 * PD_WINDOW_BYTES, 3 * PD_WINDOW_BYTES);
}

/* A part of a file, and a text that is no part of it. */
static void test_parts(void **state)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	char *path = write_file(pd_span_of("one\ntwo\nthree\n"));
	const struct pd_span other = pd_span_of("uno\n");
	struct pd_source s = {0};
	struct pd_error err = {0};
	struct pd_lines lines;
	struct pd_span line;

	(void)state;
	assert_int_equal(pd_source_open(path, &limits, &s, &err), PD_OK);
	pd_lines_init(&lines, pd_span_sub(s.bytes, 4, 11), &limits, path, NULL);
	pd_lines_use_file(&lines, &s);
	assert_true(pd_lines_next(&lines, &line) && pd_span_eq(line, "two"));
	assert_true(pd_lines_next(&lines, &line) && pd_span_eq(line, "thr"));
	assert_false(pd_lines_next(&lines, &line));
	pd_lines_done(&lines);

	pd_lines_init(&lines, other, &limits, path, NULL);
	pd_lines_use_file(&lines, &s);
	assert_true(pd_lines_next(&lines, &line) && pd_span_eq(line, "uno"));
	assert_ptr_equal(line.ptr, other.ptr);
	pd_lines_done(&lines);
	pd_source_close(&s);
	free(path);
}

/* Others may cut a file that is being read: the text ends there. */
static void test_shrinking_file(void **state)
{
	const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_buf text = make_text(1, 4 * PD_WINDOW_BYTES, 100);
	char *path = write_file(pd_buf_span(&text));
	struct pd_source s = {0};
	struct pd_error err = {0};
	struct pd_lines lines;
	struct pd_span line;
	size_t n_bytes = 0;

	(void)state;
	assert_int_equal(pd_source_open(path, &limits, &s, &err), PD_OK);
	pd_lines_init(&lines, s.bytes, &limits, path, NULL);
	pd_lines_use_file(&lines, &s);
	assert_true(pd_lines_next(&lines, &line));
	assert_int_equal(truncate(path, 2 * PD_WINDOW_BYTES + 5), 0);
	while (pd_lines_next(&lines, &line))
		n_bytes += line.len;
	assert_int_equal(lines.next - s.bytes.ptr, 2 * PD_WINDOW_BYTES + 5);
	assert_true(n_bytes > PD_WINDOW_BYTES);
	pd_lines_done(&lines);
	pd_source_close(&s);
	pd_buf_done(&text);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_lines),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_parts),
		cmocka_unit_test(test_shrinking_file),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
