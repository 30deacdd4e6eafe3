/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interned strings: equal bytes get the same id, so that names compare as
 * numbers. Id 0 is "none" and reads as "".
 */
#ifndef PD_BASE_STRTAB_H
#define PD_BASE_STRTAB_H

#include <stdbool.h>

#include "profdiff/error.h"

typedef struct {
	uint32_t id; /* 0 is none */
} pd_str;

struct pd_strtab_slot;

enum { PD_STRTAB_CHUNKS = 23 };

/* Zero-initialise; free with pd_strtab_done(). Pointers it returns live until then. */
struct pd_strtab {
	char *chunks[PD_STRTAB_CHUNKS]; /* records, see strtab.c */
	uint32_t *places;               /* of records, by id - 1 */
	struct pd_strtab_slot *slots;   /* open addressing */
	uint32_t n, cap, n_slots, next_place;
	bool failed; /* latched: an intern ran out of memory and returned none */
};

void pd_strtab_done(struct pd_strtab *t);
/* There will be n strings or so: only to save time. */
void pd_strtab_reserve(struct pd_strtab *t, uint32_t n);
/* The id of these bytes; none for the empty string, and on lack of memory (see failed). */
pd_str pd_strtab_intern(struct pd_strtab *t, struct pd_span s);
/* The same for a NUL-terminated string; NULL is none. */
pd_str pd_strtab_intern_str(struct pd_strtab *t, const char *s);
/* The id if the bytes are there already, else none. */
pd_str pd_strtab_find(const struct pd_strtab *t, struct pd_span s);
/* The same for n strings at once: the waits for memory that this takes overlap. */
void pd_strtab_intern_all(struct pd_strtab *t, const struct pd_span *strings, size_t n,
			  pd_str *ret_ids);
/*
 * The strings of another table under the same ids, into an empty one. Whether there
 * was memory for it; else t is still empty.
 */
bool pd_strtab_copy(struct pd_strtab *t, const struct pd_strtab *from);
/* NUL-terminated, "" for none; borrowed. */
const char *pd_strtab_get(const struct pd_strtab *t, pd_str s);
/* The same with its length. */
struct pd_span pd_strtab_span(const struct pd_strtab *t, pd_str s);

/* A 64-bit hash of bytes, the same in every run; order of results must not depend on it. */
uint64_t pd_hash_bytes(const char *p, size_t len);

#endif
