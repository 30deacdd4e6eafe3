/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorting by a number, beside the C library's sort.
 */
#include "support.h"

#include <stdlib.h>

#include "base/sort.h"

enum { MAX_ITEMS = 10000 };

/* By key, then by where they were: what a stable sort gives. */
static int compare(const void *a, const void *b)
{
	const struct pd_sort_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Keys below the limit, moved up by shift bits. */
static void check(size_t n, uint32_t limit, unsigned shift, uint64_t seed)
{
	static struct pd_sort_item items[MAX_ITEMS], scratch[MAX_ITEMS], expected[MAX_ITEMS];
	struct ut_random r = {seed};

	for (size_t i = 0; i < n; i++)
		items[i] = (struct pd_sort_item){
			(uint64_t)ut_random_below(&r, limit) << shift, (uint32_t)i};
	for (size_t i = 0; i < n; i++)
		expected[i] = items[i];
	qsort(expected, n, sizeof(*expected), compare);
	pd_sort_items(items, scratch, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(items[i].key, expected[i].key);
		assert_int_equal(items[i].index, expected[i].index);
	}
}

static void test_beside_qsort(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 63, 64, 65, 1000, 4095, 4096, MAX_ITEMS};
	static const unsigned shifts[] = {0, 5, 11, 32, 53};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
		for (size_t k = 0; k < sizeof(shifts) / sizeof(shifts[0]); k++) {
			check(sizes[i], 1, shifts[k], i + 1);    /* all equal */
			check(sizes[i], 7, shifts[k], i + 1);    /* many equal */
			check(sizes[i], 2047, shifts[k], i + 1); /* one digit, or two */
			check(sizes[i], UINT32_MAX, shifts[k] % 33, i + 1);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_beside_qsort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
