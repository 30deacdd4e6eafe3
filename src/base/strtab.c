/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interned strings: an open-addressed table of ids over an array of entries.
 * Invariant: at most half of the slots are taken, so that a probe ends.
 */
#include "base/strtab.h"

#include <stdlib.h>
#include <string.h>

struct pd_strtab_entry {
	const char *ptr;
	uint32_t len;
};

/* A slot of the table: free where the id is 0. The hash spares most looks at other entries. */
struct pd_strtab_slot {
	uint32_t hash, id;
};

static uint64_t load64(const char *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static uint32_t load32(const char *p)
{
	uint32_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* Multiply and fold (the wyhash family's mixing step). */
static uint64_t mix(uint64_t a, uint64_t b)
{
	__uint128_t m = (__uint128_t)a * b;

	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

#define KEY_1 0xa0761d6478bd642fu
#define KEY_2 0xe7037ed1a0b428dbu

/*
 * Most names have 8 to 24 bytes. Three words of eight cover these, however they
 * overlap, and spare the loop, whose end a processor cannot foresee.
 */
static bool is_usual_len(size_t len)
{
	return len - 8 <= 16;
}

/* Up to 7 bytes as a number; their length is hashed apart. */
static uint64_t load_short(const char *p, size_t len)
{
	if (len >= 4)
		return (uint64_t)load32(p) << 32 | load32(p + len - 4);
	if (!len)
		return 0;
	return (uint64_t)(unsigned char)p[0] << 16 | (uint64_t)(unsigned char)p[len / 2] << 8 |
		(unsigned char)p[len - 1];
}

uint64_t pd_hash_bytes(const char *p, size_t len)
{
	uint64_t h = len * 0x9e3779b97f4a7c15u;

	if (is_usual_len(len))
		return mix(load64(p) ^ KEY_1, load64(p + len - 8) ^ h) ^
			mix(load64(p + (len - 8) / 2) ^ KEY_2, h ^ KEY_1);
	if (len < 8)
		return mix(load_short(p, len) ^ KEY_1, h ^ KEY_2);
	for (; len > 16; p += 16, len -= 16)
		h = mix(load64(p) ^ KEY_1, load64(p + 8) ^ h);
	h = mix(load64(p + len - 16) ^ KEY_1, load64(p + len - 8) ^ h);
	return mix(h ^ KEY_2, KEY_1);
}

static bool is_equal(const char *a, const char *b, size_t n)
{
	if (is_usual_len(n)) {
		size_t last = n - 8, middle = last / 2;

		return !((load64(a) ^ load64(b)) | (load64(a + last) ^ load64(b + last)) |
			 (load64(a + middle) ^ load64(b + middle)));
	}
	return !memcmp(a, b, n);
}

void pd_strtab_done(struct pd_strtab *t)
{
	if (!t)
		return;
	pd_arena_done(&t->arena);
	free(t->entries);
	free(t->slots);
	*t = (struct pd_strtab){0};
}

/* The slot that holds these bytes, or the free one where they belong. */
static inline struct pd_strtab_slot *find_slot(const struct pd_strtab *t, struct pd_span s,
					       uint32_t hash)
{
	uint32_t mask = t->n_slots - 1;

	for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
		struct pd_strtab_slot *slot = &t->slots[i];
		const struct pd_strtab_entry *e;

		if (!slot->id)
			return slot;
		e = &t->entries[slot->id - 1];
		if (slot->hash == hash && e->len == s.len && is_equal(e->ptr, s.ptr, s.len))
			return slot;
	}
}

static int grow(struct pd_strtab *t)
{
	uint32_t n_slots = t->n_slots ? 2 * t->n_slots : 64;
	struct pd_strtab_slot *slots;

	if (!n_slots)
		return PD_ERR_LIMIT;
	slots = calloc(n_slots, sizeof(*slots));
	if (!slots)
		return PD_ERR_NOMEM;
	for (uint32_t from = 0; from < t->n_slots; from++) {
		uint32_t i = t->slots[from].hash & (n_slots - 1);

		if (!t->slots[from].id)
			continue;
		while (slots[i].id)
			i = (i + 1) & (n_slots - 1);
		slots[i] = t->slots[from];
	}
	free(t->slots);
	t->slots = slots;
	t->n_slots = n_slots;
	return PD_OK;
}

static int reserve(struct pd_strtab *t)
{
	if (t->n == t->cap) {
		uint32_t cap = t->cap ? 2 * t->cap : 32;
		struct pd_strtab_entry *e = realloc(t->entries, (size_t)cap * sizeof(*e));

		if (!e)
			return PD_ERR_NOMEM;
		t->entries = e;
		t->cap = cap;
	}
	if (2 * (uint64_t)t->n >= t->n_slots)
		return grow(t);
	return PD_OK;
}

pd_str pd_strtab_find(const struct pd_strtab *t, struct pd_span s)
{
	if (!s.len || !t->n_slots)
		return (pd_str){0};
	return (pd_str){find_slot(t, s, (uint32_t)pd_hash_bytes(s.ptr, s.len))->id};
}

/* Give bytes that are not there yet an id. */
static pd_str add_string(struct pd_strtab *t, struct pd_span s, uint32_t hash)
{
	char *copy = s.len < UINT32_MAX && reserve(t) == PD_OK ?
		pd_arena_strndup(&t->arena, s.ptr, s.len) : NULL;

	if (!copy) {
		t->failed = true;
		return (pd_str){0};
	}
	t->entries[t->n] = (struct pd_strtab_entry){copy, (uint32_t)s.len};
	*find_slot(t, s, hash) = (struct pd_strtab_slot){hash, t->n + 1};
	return (pd_str){++t->n};
}

pd_str pd_strtab_intern(struct pd_strtab *t, struct pd_span s)
{
	uint32_t hash, id = 0;

	if (!s.len)
		return (pd_str){0};
	hash = (uint32_t)pd_hash_bytes(s.ptr, s.len);
	if (t->n_slots)
		id = find_slot(t, s, hash)->id;
	return id ? (pd_str){id} : add_string(t, s, hash);
}

pd_str pd_strtab_intern_str(struct pd_strtab *t, const char *s)
{
	return pd_strtab_intern(t, (struct pd_span){s, s ? strlen(s) : 0});
}

struct pd_span pd_strtab_span(const struct pd_strtab *t, pd_str s)
{
	if (!s.id || s.id > t->n)
		return (struct pd_span){"", 0};
	return (struct pd_span){t->entries[s.id - 1].ptr, t->entries[s.id - 1].len};
}

const char *pd_strtab_get(const struct pd_strtab *t, pd_str s)
{
	return pd_strtab_span(t, s).ptr;
}
