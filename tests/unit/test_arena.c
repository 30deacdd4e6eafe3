/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arena: memory that is zeroed, aligned, apart from all other, and freed
 * at once (the sanitizer looks for what is left).
 */
#include "support.h"

#include <stdalign.h>
#include <stdlib.h>

#include "base/arena.h"

static void test_alloc(void **state)
{
	enum { N = 3000 };
	static unsigned char *blocks[N];
	static size_t sizes[N];
	struct pd_arena a = {0};
	struct ut_random r = {0x4242};
	size_t sum = 0;

	(void)state;
	for (size_t i = 0; i < N; i++) {
		/* Some are larger than a chunk, some empty. */
		sizes[i] = i % 100 == 99 ? ut_random_below(&r, 100000) : ut_random_below(&r, 60);
		blocks[i] = pd_arena_alloc(&a, sizes[i]);
		assert_non_null(blocks[i]);
		assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(blocks[i][k], 0);
		memset(blocks[i], (int)(i % 251 + 1), sizes[i]);
		sum += sizes[i];
		assert_true(a.n_bytes >= sum);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(blocks[i][k], i % 251 + 1);
	pd_arena_done(&a);
	assert_null(a.last);
	assert_int_equal(a.n_bytes, 0);
	/* It is ready for use again. */
	assert_non_null(pd_arena_alloc(&a, 1));
	pd_arena_done(&a);
	pd_arena_done(&a);
	pd_arena_done(NULL);
}

static void test_sizes_that_do_not_exist(void **state)
{
	struct pd_arena a;

	(void)state;
	pd_arena_init(&a);
	assert_null(pd_arena_alloc(&a, SIZE_MAX));
	assert_null(pd_arena_alloc(&a, SIZE_MAX / 2 + 1));
	assert_null(pd_arena_array(&a, SIZE_MAX / 2, 4));
	assert_null(pd_arena_array(&a, (size_t)1 << 33, (size_t)1 << 33));
	assert_null(pd_arena_strndup(&a, "", SIZE_MAX));
	assert_int_equal(a.n_bytes, 0);
	assert_non_null(pd_arena_array(&a, 0, 8));
	assert_non_null(pd_arena_array(&a, 8, 0));
	pd_arena_done(&a);
}

static void test_strings(void **state)
{
	struct pd_arena a = {0};
	const char *s;

	(void)state;
	assert_string_equal(pd_arena_strndup(&a, "abcdef", 3), "abc");
	assert_string_equal(pd_arena_strndup(&a, NULL, 0), "");
	s = pd_arena_strndup(&a, "a\0b", 3);
	assert_memory_equal(s, "a\0b", 4);
	assert_string_equal(pd_arena_printf(&a, "%s-%d", "x", 12), "x-12");
	assert_string_equal(pd_arena_printf(&a, "%s", ""), "");
	s = pd_arena_printf(&a, "%5000d", 7);
	assert_int_equal(strlen(s), 5000);
	assert_int_equal(s[4999], '7');
	pd_arena_done(&a);
}

/* Large ones come from elsewhere, and are zeroed and writable as well. */
static void test_large(void **state)
{
	static const size_t sizes[] = {(1 << 20) - 1, 1 << 20, (2 << 20) - 64, 2 << 20,
				       (5 << 20) + 1};
	struct pd_arena a = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned char *p = pd_arena_alloc(&a, sizes[i]);

		assert_non_null(p);
		for (size_t k = 0; k < sizes[i]; k++)
			assert_int_equal(p[k], 0);
		memset(p, 0xff, sizes[i]);
	}
	pd_arena_done(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alloc),
		cmocka_unit_test(test_sizes_that_do_not_exist),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
