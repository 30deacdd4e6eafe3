/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Radix sort from the lowest digit up. Contract: sort.h.
 */
#include "base/sort.h"

#include <string.h>

enum { MAX_DIGIT_BITS = 11, FEW = 64, MANY = 4096 };

static void sort_few(struct pd_sort_item *items, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct pd_sort_item item = items[i];
		size_t k = i;

		for (; k && items[k - 1].key > item.key; k--)
			items[k] = items[k - 1];
		items[k] = item;
	}
}

/* From items into sorted by one digit. */
static void sort_digit(const struct pd_sort_item *items, struct pd_sort_item *sorted, size_t n,
		       unsigned shift, unsigned digit_bits)
{
	const uint64_t mask = (UINT64_C(1) << digit_bits) - 1;
	size_t places[1 << MAX_DIGIT_BITS], from = 0;

	memset(places, 0, (mask + 1) * sizeof(*places));
	for (size_t i = 0; i < n; i++)
		places[items[i].key >> shift & mask]++;
	for (size_t d = 0; d <= mask; d++) {
		size_t n_here = places[d];

		places[d] = from;
		from += n_here;
	}
	for (size_t i = 0; i < n; i++)
		sorted[places[items[i].key >> shift & mask]++] = items[i];
}

void pd_sort_items(struct pd_sort_item *items, struct pd_sort_item *scratch, size_t n)
{
	struct pd_sort_item *from = items, *to = scratch;
	unsigned digit_bits = n < MANY ? 8 : MAX_DIGIT_BITS;
	uint64_t differing = 0, mask = (UINT64_C(1) << digit_bits) - 1;

	if (n <= FEW) {
		sort_few(items, n);
		return;
	}
	for (size_t i = 1; i < n; i++)
		differing |= items[i].key ^ items[0].key;
	for (unsigned shift = 0; shift < 64; shift += digit_bits) {
		struct pd_sort_item *other = from;

		if (!(differing >> shift & mask))
			continue;
		sort_digit(from, to, n, shift, digit_bits);
		from = to;
		to = other;
	}
	if (from != items)
		memcpy(items, from, n * sizeof(*items));
}
