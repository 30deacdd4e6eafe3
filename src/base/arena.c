/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arena: a list of chunks, filled from the front; a request that is larger
 * than a chunk gets one of its own. Invariant: used <= size in every chunk.
 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/block.h"

struct pd_arena_chunk {
	struct pd_arena_chunk *prev;
	size_t size, used; /* bytes of data */
	alignas(max_align_t) unsigned char data[];
};

enum { CHUNK_MIN = 4096, CHUNK_MAX = 1 << 20 };

void pd_arena_init(struct pd_arena *a)
{
	*a = (struct pd_arena){0};
}

void pd_arena_done(struct pd_arena *a)
{
	if (!a)
		return;
	for (struct pd_arena_chunk *c = a->last; c;) {
		struct pd_arena_chunk *prev = c->prev;

		pd_block_free(c, sizeof(*c) + c->size);
		c = prev;
	}
	pd_arena_init(a);
}

/* Chunks double in size, so that small objects stay small and large ones are few. */
static struct pd_arena_chunk *add_chunk(struct pd_arena *a, size_t size)
{
	size_t want = a->last ? 2 * a->last->size : CHUNK_MIN;
	struct pd_arena_chunk *c;

	if (want > CHUNK_MAX)
		want = CHUNK_MAX;
	if (want < size)
		want = size;
	/* What is never used of a large chunk is never touched. */
	c = pd_block_new(sizeof(*c) + want);
	if (!c)
		return NULL;
	c->prev = a->last;
	c->size = want;
	c->used = 0;
	a->last = c;
	return c;
}

void *pd_arena_alloc(struct pd_arena *a, size_t size)
{
	const size_t align = alignof(max_align_t);
	struct pd_arena_chunk *c = a->last;
	void *p;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = (size + align - 1) / align * align;
	if (!size)
		size = align;
	if (!c || c->size - c->used < size) {
		c = add_chunk(a, size);
		if (!c)
			return NULL;
	}
	p = c->data + c->used;
	c->used += size;
	a->n_bytes += size;
	return p;
}

void *pd_arena_array(struct pd_arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return NULL;
	return pd_arena_alloc(a, bytes);
}

char *pd_arena_strndup(struct pd_arena *a, const char *s, size_t len)
{
	char *p = len < SIZE_MAX ? pd_arena_alloc(a, len + 1) : NULL;

	if (p && len)
		memcpy(p, s, len);
	return p;
}

char *pd_arena_printf(struct pd_arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *p = NULL;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	if (len >= 0)
		p = pd_arena_alloc(a, (size_t)len + 1);
	if (p)
		(void)vsnprintf(p, (size_t)len + 1, fmt, again);
	va_end(again);
	va_end(ap);
	return p;
}
