/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf.data: samples counted by address, in whatever slots of the table they end up.
 * The counts are known by construction.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ingest/perfdata/record.h"
#include "ingest/perfdata/spots.h"

enum { N_ADDRESSES = 3000, N_ROUNDS = 40 };

static uint64_t address_of(uint32_t i)
{
	return 0x400000 + 4 * (uint64_t)i;
}

/* Whether address i has a sample in a round: some are hot late, some early, some always. */
static bool is_hit(uint32_t i, uint32_t round)
{
	return (i + round) % (1 + i % 7) == 0 && (i % 2 ? round > i % 11 : round < 30);
}

static void test_collisions(void **state)
{
	static uint64_t want[N_ADDRESSES], got[N_ADDRESSES];
	struct pd_strtab strings = {0};
	struct pd_perf_machine machine;
	struct pd_perf_contexts contexts = {0};
	struct pd_perf_context context = {
		.mode = PD_PERF_MODE_USER, .view.space = PD_PERF_NO_SPACE,
	};
	struct pd_perf_spots spots;
	uint32_t id;

	(void)state;
	pd_perf_machine_init(&machine, &strings);
	assert_true(pd_perf_spots_init(&spots, &contexts, &machine));
	id = pd_perf_context_get(&contexts, &context);
	for (uint32_t round = 0; round < N_ROUNDS; round++)
		for (uint32_t i = 0; i < N_ADDRESSES; i++) {
			if (!is_hit(i, round))
				continue;
			pd_perf_spots_add(&spots, id, address_of(i), i + round);
			want[i] += i + round;
		}
	pd_perf_spots_finish(&spots);
	for (uint32_t e = 0; e < spots.entries.n; e++) {
		uint64_t i = (spots.entries.items[e].address - address_of(0)) / 4;

		assert_in_range(i, 0, N_ADDRESSES - 1);
		got[i] += spots.entries.items[e].count.sum;
	}
	assert_memory_equal(got, want, sizeof(want));
	pd_perf_spots_done(&spots);
	pd_perf_contexts_done(&contexts);
	pd_perf_machine_done(&machine);
	pd_strtab_done(&strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_collisions)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
