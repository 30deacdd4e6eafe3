/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks of memory. Contract: block.h.
 */
#include "base/block.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif

enum {
	HUGE_PAGE = 2 << 20, /* of x86 and, most often, arm64; elsewhere only a round size */
#ifdef HAS_ADDRESS_SANITIZER
	FROM_KERNEL = 0, /* it guards what comes from the heap */
#else
	FROM_KERNEL = 1,
#endif
};

static bool is_large(size_t n_bytes)
{
	return FROM_KERNEL && n_bytes >= HUGE_PAGE / 2;
}

/* Mapped are whole huge pages. */
static size_t mapped_bytes(size_t n_bytes)
{
	return (n_bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* More than is needed is mapped, and what is before and behind the aligned part is given back. */
static void *map_aligned(size_t n_bytes)
{
	char *map = mmap(NULL, n_bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t n_before;

	if (map == MAP_FAILED)
		return NULL;
	n_before = (HUGE_PAGE - (uintptr_t)map % HUGE_PAGE) % HUGE_PAGE;
	if (n_before)
		(void)munmap(map, n_before);
	(void)munmap(map + n_before + n_bytes, HUGE_PAGE - n_before);
	(void)madvise(map + n_before, n_bytes, MADV_HUGEPAGE);
	return map + n_before;
}

void *pd_block_new(size_t n_bytes)
{
	if (n_bytes > SIZE_MAX / 2)
		return NULL;
	return is_large(n_bytes) ? map_aligned(mapped_bytes(n_bytes)) : calloc(1, n_bytes);
}

void pd_block_free(void *block, size_t n_bytes)
{
	if (!block)
		return;
	if (is_large(n_bytes))
		(void)munmap(block, mapped_bytes(n_bytes));
	else
		free(block);
}
