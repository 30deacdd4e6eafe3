/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The hash map: linear probing, at most half full, no deletion.
 */
#include "base/map.h"

#include <stdlib.h>

void pd_map_done(struct pd_map *m)
{
	if (!m)
		return;
	free(m->slots);
	*m = (struct pd_map){0};
}

static struct pd_map_slot *find_slot(struct pd_map_slot *slots, uint32_t n_slots, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15u;
	uint32_t i = (uint32_t)(h >> 32) & (n_slots - 1);

	while (slots[i].value != PD_MAP_NONE && slots[i].key != key)
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

static bool grow(struct pd_map *m)
{
	uint32_t n_slots = m->n_slots ? 2 * m->n_slots : 64;
	struct pd_map_slot *slots = n_slots ? malloc((size_t)n_slots * sizeof(*slots)) : NULL;

	if (!slots)
		return false;
	for (uint32_t i = 0; i < n_slots; i++)
		slots[i] = (struct pd_map_slot){0, PD_MAP_NONE};
	for (uint32_t i = 0; i < m->n_slots; i++)
		if (m->slots[i].value != PD_MAP_NONE)
			*find_slot(slots, n_slots, m->slots[i].key) = m->slots[i];
	free(m->slots);
	m->slots = slots;
	m->n_slots = n_slots;
	return true;
}

uint32_t pd_map_find(const struct pd_map *m, uint64_t key)
{
	if (!m->n_slots)
		return PD_MAP_NONE;
	return find_slot(m->slots, m->n_slots, key)->value;
}

uint32_t pd_map_insert(struct pd_map *m, uint64_t key, uint32_t value)
{
	struct pd_map_slot *s;

	if (m->n_slots) {
		s = find_slot(m->slots, m->n_slots, key);
		if (s->value != PD_MAP_NONE)
			return s->value;
	}
	if (2 * (uint64_t)m->n >= m->n_slots && !grow(m))
		return PD_MAP_NONE;
	s = find_slot(m->slots, m->n_slots, key);
	*s = (struct pd_map_slot){key, value};
	m->n++;
	return value;
}

void pd_map_set(struct pd_map *m, uint64_t key, uint32_t value)
{
	find_slot(m->slots, m->n_slots, key)->value = value;
}
