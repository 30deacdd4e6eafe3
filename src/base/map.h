/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A hash map from a 64-bit key to a 32-bit value, for keys made of ids.
 */
#ifndef PD_BASE_MAP_H
#define PD_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define PD_MAP_NONE UINT32_MAX /* no value: never stored */

struct pd_map_slot {
	uint64_t key;
	uint32_t value; /* PD_MAP_NONE in a free slot */
};

/* Zero-initialise; free with pd_map_done(). */
struct pd_map {
	struct pd_map_slot *slots;
	uint32_t n, n_slots;
};

void pd_map_done(struct pd_map *m);
/* The value, or PD_MAP_NONE. */
uint32_t pd_map_find(const struct pd_map *m, uint64_t key);
/*
 * The value of key, which is set to value if it has none yet. Returns
 * PD_MAP_NONE if there is no memory.
 */
uint32_t pd_map_insert(struct pd_map *m, uint64_t key, uint32_t value);
/* Change the value of a key that is there. */
void pd_map_set(struct pd_map *m, uint64_t key, uint32_t value);

/* A key of two ids. */
static inline uint64_t pd_map_key(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

#endif
