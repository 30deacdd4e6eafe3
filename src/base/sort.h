/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorting many things by a number each.
 */
#ifndef PD_BASE_SORT_H
#define PD_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A thing on its way to its place. */
struct pd_sort_item {
	uint64_t key;
	uint32_t index; /* of the thing, where it is */
};

/*
 * Sort items by key; equal ones keep their order. scratch has room for n, too.
 * O(n) for each byte or so in which keys differ.
 */
void pd_sort_items(struct pd_sort_item *items, struct pd_sort_item *scratch, size_t n);

#endif
