/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking for bytes, 64 at a time: what reading text spends its time on. Bit i
 * of an answer is about byte i. All 64 bytes must be there.
 */
#ifndef PD_IO_SCAN_H
#define PD_IO_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PD_SCAN_BYTES = 64 };

#ifdef __SSE2__
#include <emmintrin.h>

static inline __m128i pd_scan_load(const char *p)
{
	__m128i x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* The bytes that are c. */
static inline uint64_t pd_scan_byte(const char *p, char c)
{
	const __m128i want = _mm_set1_epi8(c);
	uint64_t mask = 0;

	for (int i = 0; i < 4; i++) {
		__m128i is_c = _mm_cmpeq_epi8(pd_scan_load(p + 16 * i), want);

		mask |= (uint64_t)(unsigned)_mm_movemask_epi8(is_c) << 16 * i;
	}
	return mask;
}

/* The bytes that are neither ASCII from ' ' on nor a tab. */
static inline uint64_t pd_scan_odd(const char *p)
{
	const __m128i blank = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t');
	uint64_t mask = 0;

	for (int i = 0; i < 4; i++) {
		__m128i x = pd_scan_load(p + 16 * i);
		/* As signed numbers, bytes from 0x80 on are below a blank too. */
		__m128i is_odd = _mm_andnot_si128(_mm_cmpeq_epi8(x, tab),
						  _mm_cmplt_epi8(x, blank));

		mask |= (uint64_t)(unsigned)_mm_movemask_epi8(is_odd) << 16 * i;
	}
	return mask;
}

/*
 * The blanks, where all bytes are ASCII from ' ' on; else (tabs are odd, too)
 * false.
 */
static inline bool pd_scan_words(const char *p, uint64_t *ret_blanks)
{
	const __m128i blank = _mm_set1_epi8(' ');
	__m128i any_odd = _mm_setzero_si128();
	uint64_t mask = 0;

	for (int i = 0; i < 4; i++) {
		__m128i x = pd_scan_load(p + 16 * i);
		__m128i is_blank = _mm_cmpeq_epi8(x, blank);

		any_odd = _mm_or_si128(any_odd, _mm_cmplt_epi8(x, blank));
		mask |= (uint64_t)(unsigned)_mm_movemask_epi8(is_blank) << 16 * i;
	}
	*ret_blanks = mask;
	return !_mm_movemask_epi8(any_odd);
}

#else
#include <endian.h>

#define PD_SCAN_ONES (~(uint64_t)0 / 255)

/* Eight bytes, the first of them lowest. */
static inline uint64_t pd_scan_load(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return le64toh(x);
}

/* The high bits of the bytes that are 0; exact for each of them, without borrows. */
static inline uint64_t pd_scan_zeros(uint64_t x)
{
	const uint64_t low = PD_SCAN_ONES * 0x7f;

	return ~(((x & low) + low) | x | low);
}

/* The eight high bits side by side. */
static inline uint64_t pd_scan_join(uint64_t high_bits)
{
	return (high_bits >> 7) * 0x0102040810204080u >> 56;
}

static inline uint64_t pd_scan_byte(const char *p, char c)
{
	uint64_t mask = 0;

	for (int i = 0; i < 8; i++) {
		uint64_t x = pd_scan_load(p + 8 * i) ^ PD_SCAN_ONES * (unsigned char)c;

		mask |= pd_scan_join(pd_scan_zeros(x)) << 8 * i;
	}
	return mask;
}

static inline uint64_t pd_scan_odd(const char *p)
{
	const uint64_t high = PD_SCAN_ONES * 0x80;
	uint64_t mask = 0;

	for (int i = 0; i < 8; i++) {
		uint64_t x = pd_scan_load(p + 8 * i);
		uint64_t is_control = pd_scan_zeros(x & PD_SCAN_ONES * 0xe0);
		uint64_t is_tab = pd_scan_zeros(x ^ PD_SCAN_ONES * '\t');

		mask |= pd_scan_join((is_control & ~is_tab) | (x & high)) << 8 * i;
	}
	return mask;
}

static inline bool pd_scan_words(const char *p, uint64_t *ret_blanks)
{
	*ret_blanks = pd_scan_byte(p, ' ');
	return !(pd_scan_odd(p) | pd_scan_byte(p, '\t'));
}
#endif

#endif
