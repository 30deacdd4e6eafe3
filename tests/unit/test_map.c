/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hash map, beside an array that says what it must hold.
 */
#include "support.h"

#include <stdlib.h>

#include "base/map.h"

enum { N_KEYS = 4096 };

/* Keys that are close together, far apart, and the same in their low or high half. */
static uint64_t key_at(uint32_t i)
{
	switch (i % 4) {
	case 0:
		return i;
	case 1:
		return pd_map_key(i, 0);
	case 2:
		return pd_map_key(i, i) | UINT64_C(1) << 63;
	default:
		return UINT64_MAX - i;
	}
}

static void test_against_array(void **state)
{
	static uint32_t values[N_KEYS];
	struct ut_random r = {0x777};
	struct pd_map m = {0};
	uint32_t n = 0;

	(void)state;
	for (uint32_t i = 0; i < N_KEYS; i++)
		values[i] = PD_MAP_NONE;
	for (uint32_t step = 0; step < 20000; step++) {
		uint32_t i = ut_random_below(&r, N_KEYS), value = ut_random_below(&r, 1000);

		assert_int_equal(pd_map_find(&m, key_at(i)), values[i]);
		if (values[i] != PD_MAP_NONE && step % 3 == 0) {
			values[i] = value;
			pd_map_set(&m, key_at(i), value);
			continue;
		}
		if (values[i] == PD_MAP_NONE) {
			values[i] = value;
			n++;
		}
		assert_int_equal(pd_map_insert(&m, key_at(i), value), values[i]);
		assert_int_equal(m.n, n);
	}
	for (uint32_t i = 0; i < N_KEYS; i++)
		assert_int_equal(pd_map_find(&m, key_at(i)), values[i]);
	assert_int_equal(pd_map_find(&m, UINT64_C(1) << 62), PD_MAP_NONE);
	pd_map_done(&m);
	assert_int_equal(m.n, 0);
	assert_int_equal(pd_map_find(&m, key_at(0)), PD_MAP_NONE);
	pd_map_done(&m);
	pd_map_done(NULL);
}

static void test_extremes(void **state)
{
	struct pd_map m = {0};

	(void)state;
	assert_int_equal(pd_map_find(&m, 0), PD_MAP_NONE);
	assert_int_equal(pd_map_insert(&m, 0, 0), 0);
	assert_int_equal(pd_map_insert(&m, 0, 5), 0);
	assert_int_equal(pd_map_find(&m, 0), 0);
	assert_int_equal(pd_map_insert(&m, UINT64_MAX, PD_MAP_NONE - 1), PD_MAP_NONE - 1);
	assert_int_equal(pd_map_find(&m, UINT64_MAX), PD_MAP_NONE - 1);
	pd_map_set(&m, 0, 9);
	assert_int_equal(pd_map_find(&m, 0), 9);
	assert_int_equal(m.n, 2);
	assert_true(pd_map_key(1, 2) == (UINT64_C(1) << 32 | 2));
	assert_true(pd_map_key(UINT32_MAX, UINT32_MAX) == UINT64_MAX);
	pd_map_done(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_array),
		cmocka_unit_test(test_extremes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
