/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names in words of eight bytes. Most names have 8 to 32 bytes: four words cover
 * these, however they overlap, and spare a loop, whose end a processor cannot
 * foresee. They begin at 0, at pd_words_inner() from there and from the last, and
 * at the last, which is the length less 8.
 */
#ifndef PD_BASE_WORDS_H
#define PD_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t pd_load64(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* The longest name that four words cover. */
enum { PD_WORDS_BYTES = 32 };

/* Whether they cover a name of so many bytes. */
static inline bool pd_words_cover(size_t len)
{
	return len - 8 <= PD_WORDS_BYTES - 8u;
}

static inline size_t pd_words_inner(size_t last)
{
	return (last + 2) / 3;
}

/* Whether the n bytes of a and b are equal. */
static inline bool pd_words_equal(const char *a, const char *b, size_t n)
{
	size_t last = n - 8, inner = pd_words_inner(last);

	if (!pd_words_cover(n))
		return !memcmp(a, b, n);
	return !((pd_load64(a) ^ pd_load64(b)) | (pd_load64(a + last) ^ pd_load64(b + last)) |
		 (pd_load64(a + inner) ^ pd_load64(b + inner)) |
		 (pd_load64(a + last - inner) ^ pd_load64(b + last - inner)));
}

#endif
