/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers in a recording: unaligned, and in the byte order of the machine that
 * recorded. is_swapped: that order is not ours.
 */
#ifndef PD_INGEST_PERFDATA_BYTES_H
#define PD_INGEST_PERFDATA_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"

static inline uint16_t pd_perf_u16(const char *p, bool is_swapped)
{
	uint16_t x;

	memcpy(&x, p, sizeof(x));
	return is_swapped ? __builtin_bswap16(x) : x;
}

static inline uint32_t pd_perf_u32(const char *p, bool is_swapped)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return is_swapped ? __builtin_bswap32(x) : x;
}

static inline uint64_t pd_perf_u64(const char *p, bool is_swapped)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return is_swapped ? __builtin_bswap64(x) : x;
}

/* The text in s up to its NUL, or all of it where there is none. */
static inline struct pd_span pd_perf_text(struct pd_span s)
{
	if (s.len)
		s.len = strnlen(s.ptr, s.len);
	return s;
}

#endif
