/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pool: each job is done once.
 */
#include "support.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/pool.h"

enum { N = 1000 };

struct counts {
	_Atomic uint32_t done[N];
	_Atomic uint32_t n;
};

static void count(void *context, uint32_t i)
{
	struct counts *c = context;

	atomic_fetch_add(&c->done[i], 1);
	atomic_fetch_add(&c->n, 1);
}

static void test_all_once(void **state)
{
	static const uint32_t sizes[] = {0, 1, 2, 3, 64, N};

	(void)state;
	for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		struct counts *c = calloc(1, sizeof(*c));

		assert_non_null(c);
		pd_pool_run(sizes[k], count, c);
		assert_int_equal(c->n, sizes[k]);
		for (uint32_t i = 0; i < N; i++)
			assert_int_equal(c->done[i], i < sizes[k]);
		free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_once)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
