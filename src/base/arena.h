/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An arena: memory that lives and dies together. Every long-lived object owns
 * one; freeing the arena frees all that came from it, in any order of use.
 */
#ifndef PD_BASE_ARENA_H
#define PD_BASE_ARENA_H

#include <stddef.h>

#include "profdiff/error.h"

struct pd_arena_chunk;

/* Zero-initialise, or pd_arena_init(); free with pd_arena_done(). */
struct pd_arena {
	struct pd_arena_chunk *last; /* newest chunk, the one being filled */
	size_t n_bytes;              /* handed out, padding included */
};

void pd_arena_init(struct pd_arena *a);
/* Frees all memory of the arena (NULL allowed) and leaves it ready for use. */
void pd_arena_done(struct pd_arena *a);
/* Zeroed memory, aligned for any type; NULL if there is none. size 0 gives a valid pointer. */
void *pd_arena_alloc(struct pd_arena *a, size_t size);
/* n elements of size bytes each, zeroed; NULL too where n * size overflows. */
void *pd_arena_array(struct pd_arena *a, size_t n, size_t size);
/* A NUL-terminated copy of len bytes; NULL if there is no memory. */
char *pd_arena_strndup(struct pd_arena *a, const char *s, size_t len);
/* printf into the arena; NULL if there is no memory. */
char *pd_arena_printf(struct pd_arena *a, const char *fmt, ...) PD_PRINTF(2, 3);

#endif
