/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Alignment, beside the plain way to find a longest common subsequence, and of
 * sequences that would take for ever if work were not bounded.
 */
#include "support.h"

#include <stdlib.h>
#include <time.h>

#include "base/align.h"

enum { MAX_LEN = 40, N_LONG = 100000 };

/* Length of a longest common subsequence, from the table of all prefixes. */
static uint32_t plain_length(const uint64_t *a, uint32_t n, const uint64_t *b, uint32_t m)
{
	static uint32_t best[MAX_LEN + 1][MAX_LEN + 1];

	for (uint32_t i = 0; i <= n; i++)
		for (uint32_t k = 0; k <= m; k++) {
			if (!i || !k)
				best[i][k] = 0;
			else if (a[i - 1] == b[k - 1])
				best[i][k] = best[i - 1][k - 1] + 1;
			else
				best[i][k] = best[i - 1][k] > best[i][k - 1] ? best[i - 1][k]
									     : best[i][k - 1];
		}
	return best[n][m];
}

static uint32_t count_key(const uint64_t *keys, uint32_t n, uint64_t key)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		count += keys[i] == key;
	return count;
}

static bool has_anchors(const uint64_t *a, uint32_t n, const uint64_t *b, uint32_t m)
{
	for (uint32_t i = 0; i < n; i++)
		if (count_key(a, n, a[i]) == 1 && count_key(b, m, a[i]) == 1)
			return true;
	return false;
}

/* Pairs are of equal elements, and ascend; how many they are. */
static uint32_t check_pairs(const uint64_t *a, uint32_t n, const uint64_t *b, uint32_t m,
			    const uint32_t *partners)
{
	uint32_t length = 0, last = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (partners[i] == PD_ALIGN_NONE)
			continue;
		assert_true(partners[i] < m);
		assert_true(!length || partners[i] > last);
		assert_true(a[i] == b[partners[i]]);
		last = partners[i];
		length++;
	}
	return length;
}

static void test_against_plain(void **state)
{
	struct ut_random r = {0x5eed};
	uint32_t n_exact = 0;

	(void)state;
	for (uint32_t round = 0; round < 60000; round++) {
		uint64_t a[MAX_LEN], b[MAX_LEN];
		uint32_t partners[MAX_LEN], n = ut_random_below(&r, MAX_LEN + 1);
		uint32_t m = ut_random_below(&r, MAX_LEN + 1), length, most;
		uint32_t n_keys = 1 + ut_random_below(&r, 12);

		for (uint32_t i = 0; i < n; i++)
			a[i] = ut_random_below(&r, n_keys);
		for (uint32_t i = 0; i < m; i++)
			b[i] = i < n && ut_random_below(&r, 3) ? a[i] : ut_random_below(&r, n_keys);
		assert_true(pd_align(a, n, b, m, partners));
		length = check_pairs(a, n, b, m, partners);
		most = plain_length(a, n, b, m);
		assert_true(length <= most);
		n_exact += length == most;
		if (has_anchors(a, n, b, m))
			assert_true(length > 0);
	}
	assert_true(n_exact > 30000);
}

/* Without keys that are there once, also after trimming, there is no better way. */
static void test_longest(void **state)
{
	struct ut_random r = {0xabc};

	(void)state;
	for (uint32_t round = 0; round < 60000; round++) {
		uint64_t a[MAX_LEN], b[MAX_LEN];
		uint32_t partners[MAX_LEN], n = 20 + ut_random_below(&r, MAX_LEN - 19);
		uint32_t m = 20 + ut_random_below(&r, MAX_LEN - 19);

		/* Ends that are no one else's keep trimming off, pairs in them anchors. */
		for (uint32_t i = 0; i < n; i++)
			a[i] = i == 0 || i + 1 == n ? 90 : ut_random_below(&r, 3);
		for (uint32_t i = 0; i < m; i++)
			b[i] = i == 0 || i + 1 == m ? 91 : ut_random_below(&r, 3);
		for (uint32_t k = 0; k < 3; k++)
			a[1 + 2 * k] = a[2 + 2 * k] = b[1 + 2 * k] = b[2 + 2 * k] = k;
		assert_true(pd_align(a, n, b, m, partners));
		assert_int_equal(check_pairs(a, n, b, m, partners), plain_length(a, n, b, m));
	}
}

/* An anchor holds although more pairs could be had without it. */
static void test_anchor(void **state)
{
	const uint64_t a[] = {1, 1, 1, 7}, b[] = {7, 1, 1, 1, 2};
	const uint64_t c[] = {5, 7, 8, 6}, d[] = {9, 7, 8, 9};
	uint32_t partners[4];

	(void)state;
	assert_true(pd_align(a, 4, b, 5, partners));
	assert_int_equal(partners[3], 0);
	assert_int_equal(partners[0], PD_ALIGN_NONE);
	assert_true(pd_align(c, 4, d, 4, partners));
	assert_int_equal(partners[0], PD_ALIGN_NONE);
	assert_int_equal(partners[1], 1);
	assert_int_equal(partners[2], 2);
	assert_int_equal(partners[3], PD_ALIGN_NONE);
}

static void test_empty(void **state)
{
	const uint64_t a[] = {1, 2};
	uint32_t partners[2] = {7, 7};

	(void)state;
	assert_true(pd_align(NULL, 0, a, 2, partners));
	assert_int_equal(partners[0], 7);
	assert_true(pd_align(a, 2, NULL, 0, partners));
	assert_int_equal(partners[0], PD_ALIGN_NONE);
	assert_int_equal(partners[1], PD_ALIGN_NONE);
}

/* Sequences of which each of those that mean ill has its way to be slow. */
static void fill_long(uint64_t *a, uint64_t *b, uint32_t kind, struct ut_random *r)
{
	for (uint32_t i = 0; i < N_LONG; i++) {
		switch (kind) {
		case 0: /* nothing in common */
			a[i] = i;
			b[i] = N_LONG + i;
			break;
		case 1: /* few keys, in no order */
			a[i] = ut_random_below(r, 4);
			b[i] = ut_random_below(r, 4);
			break;
		case 2: /* one the other's reverse: all of it anchors, that cross */
			a[i] = i;
			b[i] = N_LONG - i;
			break;
		case 3: /* of one key, with another one now and then */
			a[i] = i % 997 == 0;
			b[i] = 2 * (i % 991 == 0);
			break;
		case 4: /* many that are there twice, shuffled by blocks */
			a[i] = i / 2;
			b[i] = (i ^ 0x155) / 2;
			break;
		default: /* the same, with an edit here and there */
			a[i] = ut_random_below(r, 50);
			b[i] = ut_random_below(r, 20) ? a[i] : 60;
			break;
		}
	}
}

static void test_bounded(void **state)
{
	uint64_t *a = malloc(N_LONG * sizeof(*a)), *b = malloc(N_LONG * sizeof(*b));
	uint32_t *partners = malloc(N_LONG * sizeof(*partners));
	struct ut_random r = {1};

	(void)state;
	assert_true(a && b && partners);
	for (uint32_t kind = 0; kind < 6; kind++) {
		clock_t before = clock();
		uint32_t length;

		fill_long(a, b, kind, &r);
		assert_true(pd_align(a, N_LONG, b, N_LONG, partners));
		length = check_pairs(a, N_LONG, b, N_LONG, partners);
		if (kind == 5)
			assert_true(length > N_LONG / 10 * 9);
		/* Where each step is checked, too; without, it is a fraction of a second. */
		assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 20);
	}
	free(a);
	free(b);
	free(partners);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_plain),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_anchor),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
