/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Interned strings: records in chunks of memory, and an open-addressed table of
 * them. Looking names up is what reading profiles spends its time on, mostly in
 * waiting for memory; so a look touches one slot and one record, both small.
 *
 * A record is known by where it is, in units of eight bytes. Chunk k is twice as
 * large as the one before it and holds the places from 512 << k on, so that the
 * highest bit of a place tells its chunk.
 *
 * Invariant: at most three of four slots are taken, so that a probe ends.
 */
#include "base/strtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/block.h"
#include "base/words.h"

struct pd_strtab_record {
	uint32_t id, len;
	char bytes[]; /* and a NUL */
};

/* Free where place is 0. The hash spares most looks at other records. */
struct pd_strtab_slot {
	uint32_t hash, place;
};

enum { UNIT = 8, FIRST_BIT = 9 };

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

	if (pd_words_cover(len)) {
		size_t last = len - 8, inner = pd_words_inner(last);

		return mix(pd_load64(p) ^ KEY_1, pd_load64(p + last) ^ h) ^
			mix(pd_load64(p + inner) ^ KEY_2, pd_load64(p + last - inner) ^ ~h);
	}
	if (len < 8)
		return mix(load_short(p, len) ^ KEY_1, h ^ KEY_2);
	for (; len > 16; p += 16, len -= 16)
		h = mix(pd_load64(p) ^ KEY_1, pd_load64(p + 8) ^ h);
	h = mix(pd_load64(p + len - 16) ^ KEY_1, pd_load64(p + len - 8) ^ h);
	return mix(h ^ KEY_2, KEY_1);
}

void pd_strtab_done(struct pd_strtab *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < PD_STRTAB_CHUNKS; i++)
		pd_block_free(t->chunks[i], (size_t)UNIT << (i + FIRST_BIT));
	free(t->places);
	pd_block_free(t->slots, t->n_slots * sizeof(*t->slots));
	*t = (struct pd_strtab){0};
}

static unsigned highest_bit(uint32_t x)
{
	return 31u - (unsigned)__builtin_clz(x);
}

static struct pd_strtab_record *record_at(const struct pd_strtab *t, uint32_t place)
{
	unsigned bit = highest_bit(place);
	char *chunk = t->chunks[bit - FIRST_BIT];

	return (struct pd_strtab_record *)(void *)(chunk + (size_t)(place - (1u << bit)) * UNIT);
}

/* A place for so many bytes; 0 if there is no memory. */
static uint32_t add_place(struct pd_strtab *t, size_t size)
{
	size_t n = (size + UNIT - 1) / UNIT;
	uint64_t place = t->next_place ? t->next_place : 1u << FIRST_BIT;

	while (place <= UINT32_MAX) {
		unsigned bit = highest_bit((uint32_t)place);
		char **chunk = &t->chunks[bit - FIRST_BIT];

		if (n <= (UINT64_C(2) << bit) - place) {
			if (!*chunk)
				*chunk = pd_block_new((size_t)UNIT << bit);
			if (!*chunk || place + n > UINT32_MAX)
				return 0;
			t->next_place = (uint32_t)(place + n);
			return (uint32_t)place;
		}
		place = UINT64_C(2) << bit;
	}
	return 0;
}

/* The slot that holds these bytes, or the free one where they belong. */
static inline struct pd_strtab_slot *find_slot(const struct pd_strtab *t, struct pd_span s,
					       uint32_t hash)
{
	uint32_t mask = t->n_slots - 1;

	for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
		struct pd_strtab_slot *slot = &t->slots[i];
		const struct pd_strtab_record *record;

		if (!slot->place)
			return slot;
		if (slot->hash != hash)
			continue;
		record = record_at(t, slot->place);
		if (record->len == s.len && pd_words_equal(record->bytes, s.ptr, s.len))
			return slot;
	}
}

static int resize(struct pd_strtab *t, uint32_t n_slots)
{
	struct pd_strtab_slot *slots;

	if (!n_slots)
		return PD_ERR_LIMIT;
	slots = pd_block_new(n_slots * sizeof(*slots));
	if (!slots)
		return PD_ERR_NOMEM;
	for (uint32_t from = 0; from < t->n_slots; from++) {
		uint32_t i = t->slots[from].hash & (n_slots - 1);

		if (!t->slots[from].place)
			continue;
		while (slots[i].place)
			i = (i + 1) & (n_slots - 1);
		slots[i] = t->slots[from];
	}
	pd_block_free(t->slots, t->n_slots * sizeof(*t->slots));
	t->slots = slots;
	t->n_slots = n_slots;
	return PD_OK;
}

static int reserve(struct pd_strtab *t)
{
	if (t->n == t->cap) {
		uint32_t cap = t->cap ? 2 * t->cap : 32;
		uint32_t *p = realloc(t->places, (size_t)cap * sizeof(*p));

		if (!p)
			return PD_ERR_NOMEM;
		t->places = p;
		t->cap = cap;
	}
	if (4 * (uint64_t)t->n >= 3 * (uint64_t)t->n_slots)
		return resize(t, t->n_slots ? 2 * t->n_slots : 64);
	return PD_OK;
}

void pd_strtab_reserve(struct pd_strtab *t, uint32_t n)
{
	uint32_t n_slots = 64;

	while (n_slots && 3 * (uint64_t)n_slots < 4 * (uint64_t)n)
		n_slots *= 2;
	if (n_slots > t->n_slots)
		(void)resize(t, n_slots); /* else it grows as it is filled */
}

pd_str pd_strtab_find(const struct pd_strtab *t, struct pd_span s)
{
	const struct pd_strtab_slot *slot;

	if (!s.len || !t->n_slots)
		return (pd_str){0};
	slot = find_slot(t, s, (uint32_t)pd_hash_bytes(s.ptr, s.len));
	return (pd_str){slot->place ? record_at(t, slot->place)->id : 0};
}

/* Give bytes that are not there yet an id. */
static pd_str add_string(struct pd_strtab *t, struct pd_span s, uint32_t hash)
{
	struct pd_strtab_record *record;
	uint32_t place = 0;

	if (s.len < UINT32_MAX && reserve(t) == PD_OK)
		place = add_place(t, sizeof(*record) + s.len + 1);
	if (!place) {
		t->failed = true;
		return (pd_str){0};
	}
	record = record_at(t, place);
	record->id = t->n + 1;
	record->len = (uint32_t)s.len;
	memcpy(record->bytes, s.ptr, s.len);
	record->bytes[s.len] = '\0';
	*find_slot(t, s, hash) = (struct pd_strtab_slot){hash, place};
	t->places[t->n++] = place;
	return (pd_str){t->n};
}

static inline pd_str intern_hashed(struct pd_strtab *t, struct pd_span s, uint32_t hash)
{
	uint32_t place = t->n_slots ? find_slot(t, s, hash)->place : 0;

	return place ? (pd_str){record_at(t, place)->id} : add_string(t, s, hash);
}

pd_str pd_strtab_intern(struct pd_strtab *t, struct pd_span s)
{
	return s.len ? intern_hashed(t, s, (uint32_t)pd_hash_bytes(s.ptr, s.len)) : (pd_str){0};
}

void pd_strtab_intern_all(struct pd_strtab *t, const struct pd_span *strings, size_t n,
			  pd_str *ret_ids)
{
	enum { STEP = 32 };
	uint32_t hashes[STEP];

	for (size_t from = 0; from < n; from += STEP) {
		size_t n_step = n - from < STEP ? n - from : STEP;
		const struct pd_span *s = strings + from;

		for (size_t i = 0; i < n_step; i++) {
			hashes[i] = (uint32_t)pd_hash_bytes(s[i].ptr, s[i].len);
			if (t->n_slots)
				__builtin_prefetch(&t->slots[hashes[i] & (t->n_slots - 1)]);
		}
		for (size_t i = 0; i < n_step && t->n_slots; i++) {
			uint32_t place = t->slots[hashes[i] & (t->n_slots - 1)].place;

			if (place)
				__builtin_prefetch(record_at(t, place));
		}
		for (size_t i = 0; i < n_step; i++)
			ret_ids[from + i] = s[i].len ? intern_hashed(t, s[i], hashes[i]) :
				(pd_str){0};
	}
}

bool pd_strtab_copy(struct pd_strtab *t, const struct pd_strtab *from)
{
	size_t slot_bytes = from->n_slots * sizeof(*from->slots);
	struct pd_strtab copy = *from;
	bool ok;

	if (!from->n)
		return true; /* both are empty */
	memset(copy.chunks, 0, sizeof(copy.chunks));
	copy.slots = pd_block_new(slot_bytes);
	copy.places = malloc((size_t)from->cap * sizeof(*copy.places));
	ok = copy.slots && copy.places;
	for (unsigned i = 0; i < PD_STRTAB_CHUNKS && ok; i++) {
		size_t n_bytes = (size_t)UNIT << (i + FIRST_BIT);

		if (!from->chunks[i])
			continue;
		copy.chunks[i] = pd_block_new(n_bytes);
		ok = copy.chunks[i];
		/* The last one is filled up to the next place. */
		if (ok && from->next_place >> (i + FIRST_BIT) == 1)
			n_bytes = (size_t)(from->next_place - (1u << (i + FIRST_BIT))) * UNIT;
		if (ok)
			memcpy(copy.chunks[i], from->chunks[i], n_bytes);
	}
	if (!ok) {
		pd_strtab_done(&copy);
		return false;
	}
	memcpy(copy.slots, from->slots, slot_bytes);
	memcpy(copy.places, from->places, (size_t)from->n * sizeof(*copy.places));
	*t = copy;
	return true;
}

pd_str pd_strtab_intern_str(struct pd_strtab *t, const char *s)
{
	return pd_strtab_intern(t, (struct pd_span){s, s ? strlen(s) : 0});
}

struct pd_span pd_strtab_span(const struct pd_strtab *t, pd_str s)
{
	const struct pd_strtab_record *record;

	if (!s.id || s.id > t->n)
		return (struct pd_span){"", 0};
	record = record_at(t, t->places[s.id - 1]);
	return (struct pd_span){record->bytes, record->len};
}

const char *pd_strtab_get(const struct pd_strtab *t, pd_str s)
{
	return pd_strtab_span(t, s).ptr;
}
