/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two sequences side by side: which element of one is which element of the other.
 * Elements are keys, equal or not; of neither sequence is the order changed.
 */
#ifndef PD_BASE_ALIGN_H
#define PD_BASE_ALIGN_H

#include <stdbool.h>
#include <stdint.h>

#define PD_ALIGN_NONE UINT32_MAX

/*
 * ret_partners [n_base] gets for each element of base the index of the equal one of
 * next that it stands beside, or PD_ALIGN_NONE; indices ascend. Keys that are there
 * once in both are paired first, as far as their order is the same; between them as
 * many pairs are found as there can be, unless sequences of thousands have next to
 * nothing in common. O((n_base + n_next) log n) for sequences that are alike, and never
 * more than a constant (some thousand steps) for each element. n_base and n_next are
 * below 2^31. False if there is no memory.
 */
bool pd_align(const uint64_t *base, uint32_t n_base, const uint64_t *next, uint32_t n_next,
	      uint32_t *ret_partners);

#endif
