/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks. The frames of the last stack are kept as a path from the root, and a
 * stack that begins as the last one did only replaces the rest of it, as sorted
 * stacks mostly do. What a frame costs with its callees is added up on the path
 * and becomes the function's when the frame leaves it:
 *
 *	dd > [unknown] > read                     14
 *	               > read > system_call > ... 11   two frames are not touched
 *	               > write ...                     here "read" leaves, with 25
 *
 * A stack has a dozen frames of a dozen bytes, and to look up their names is most
 * of the work. So names have a table of their own here, in which all that is
 * known of a name lies within 64 bytes, and the frames of a stack are looked up
 * together, so that the waits for memory overlap.
 */
#include "ingest/stacks.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/text.h"
#include "base/words.h"
#include "io/scan.h"

enum {
	AT_ONCE = 32, /* frames that are looked up together */
	HEAD_BYTES = PD_WORDS_BYTES, /* of a name, beside its numbers */
};

struct pd_stacks_name {
	double inclusive[PD_STACKS_COLUMNS]; /* of the frames that left the path */
	uint32_t n_on_path;                  /* frames of the path that have this name */
	uint32_t len;
	const char *bytes;     /* of a name that is longer than its head, else NULL */
	char head[HEAD_BYTES]; /* the first of them */
};
_Static_assert(sizeof(struct pd_stacks_name) <= 64, "more than a line of the cache");

struct pd_stacks_frame {
	size_t end; /* offset of the ';' behind it in the path */
	uint32_t name;
	bool is_outer; /* no frame above it has the same name */
	double sums[PD_STACKS_COLUMNS];
};

/* Free where name is 0. */
struct pd_stacks_slot {
	uint32_t hash, name;
};

void pd_stacks_init(struct pd_stacks *s, uint32_t n_columns, const struct pd_limits *limits)
{
	s->n_columns = n_columns;
	s->max_names = limits->n_functions;
}

void pd_stacks_done(struct pd_stacks *s)
{
	pd_buf_done(&s->path);
	pd_arena_done(&s->bytes);
	free(s->frames);
	free(s->names);
	free(s->selves);
	free(s->slots);
	*s = (struct pd_stacks){0};
}

/* Room for one more name, and for the one of frames without a name. */
static bool reserve_name(struct pd_stacks *s)
{
	uint32_t cap = s->cap_names ? 2 * s->cap_names : 64;
	double (*selves)[PD_STACKS_COLUMNS];
	struct pd_stacks_name *names;

	if (s->n_names < s->cap_names)
		return true;
	names = realloc(s->names, (size_t)cap * sizeof(*names));
	if (names)
		s->names = names;
	selves = realloc(s->selves, (size_t)cap * sizeof(*selves));
	if (selves)
		s->selves = selves;
	if (!names || !selves)
		return false;
	memset(s->selves + s->cap_names, 0, (size_t)(cap - s->cap_names) * sizeof(*selves));
	s->cap_names = cap;
	if (!s->n_names)
		s->names[s->n_names++] = (struct pd_stacks_name){0};
	return true;
}

static bool grow_slots(struct pd_stacks *s)
{
	uint32_t n_slots = s->n_slots ? 2 * s->n_slots : 128;
	struct pd_stacks_slot *slots = n_slots ? calloc(n_slots, sizeof(*slots)) : NULL;

	if (!slots)
		return false;
	for (uint32_t from = 0; from < s->n_slots; from++) {
		uint32_t i = s->slots[from].hash & (n_slots - 1);

		if (!s->slots[from].name)
			continue;
		while (slots[i].name)
			i = (i + 1) & (n_slots - 1);
		slots[i] = s->slots[from];
	}
	free(s->slots);
	s->slots = slots;
	s->n_slots = n_slots;
	return true;
}

static inline bool is_name(const struct pd_stacks_name *name, struct pd_span s)
{
	if (name->len != s.len)
		return false;
	if (pd_words_cover(s.len))
		return pd_words_equal(name->head, s.ptr, s.len);
	return !memcmp(name->bytes ? name->bytes : name->head, s.ptr, s.len);
}

static inline struct pd_stacks_slot *find_slot(const struct pd_stacks *s, struct pd_span name,
					       uint32_t hash)
{
	uint32_t mask = s->n_slots - 1;

	for (uint32_t i = hash & mask;; i = (i + 1) & mask) {
		struct pd_stacks_slot *slot = &s->slots[i];

		if (!slot->name || (slot->hash == hash && is_name(&s->names[slot->name], name)))
			return slot;
	}
}

/* The number of a name that is not there yet; 0 after a failure. */
static uint32_t add_name(struct pd_stacks *s, struct pd_span name, uint32_t hash)
{
	struct pd_stacks_name n = {.len = (uint32_t)name.len};

	if (s->n_names > s->max_names) {
		s->is_full = true;
		return 0;
	}
	if (name.len > HEAD_BYTES)
		n.bytes = pd_arena_strndup(&s->bytes, name.ptr, name.len);
	memcpy(n.head, name.ptr, name.len < HEAD_BYTES ? name.len : HEAD_BYTES);
	if ((name.len > HEAD_BYTES && !n.bytes) || name.len > UINT32_MAX || !reserve_name(s) ||
	    (4 * (uint64_t)s->n_names >= 3 * (uint64_t)s->n_slots && !grow_slots(s))) {
		s->failed = true;
		return 0;
	}
	*find_slot(s, name, hash) = (struct pd_stacks_slot){hash, s->n_names};
	s->names[s->n_names] = n;
	return s->n_names++;
}

/* What a profiler writes where it found no symbol, perhaps with FlameGraph's "_[k]" behind. */
bool pd_stacks_is_unnamed(struct pd_span name)
{
	uint64_t address;

	if (name.len && name.ptr[0] != '[' && name.ptr[0] != '0')
		return false;
	if (name.len > 4 && name.ptr[name.len - 1] == ']' && name.ptr[name.len - 3] == '[' &&
	    name.ptr[name.len - 4] == '_')
		name.len -= 4;
	return !name.len || pd_span_eq(name, "[unknown]") ||
		(pd_span_starts(name, "0x") && pd_num_parse_hex(name, &address));
}

/* The numbers of n names, 0 for those that are none. */
static void find_names(struct pd_stacks *s, const struct pd_span *names, size_t n,
		       uint32_t *ret_names)
{
	uint32_t hashes[AT_ONCE], mask = s->n_slots - 1;

	for (size_t i = 0; i < n; i++) {
		hashes[i] = (uint32_t)pd_hash_bytes(names[i].ptr, names[i].len);
		__builtin_prefetch(&s->slots[hashes[i] & mask]);
	}
	for (size_t i = 0; i < n; i++)
		__builtin_prefetch(&s->names[s->slots[hashes[i] & mask].name]);
	for (size_t i = 0; i < n; i++) {
		if (pd_stacks_is_unnamed(names[i])) {
			ret_names[i] = 0;
			continue;
		}
		ret_names[i] = find_slot(s, names[i], hashes[i])->name;
		if (!ret_names[i])
			ret_names[i] = add_name(s, names[i], hashes[i]);
	}
}

/* Room for that many more frames. */
static bool reserve_frames(struct pd_stacks *s, size_t n)
{
	uint32_t cap = s->n_frames + (uint32_t)n + s->cap_frames;
	struct pd_stacks_frame *p;

	if (s->n_frames + n <= s->cap_frames)
		return true;
	p = realloc(s->frames, (size_t)cap * sizeof(*p));
	if (!p)
		return false;
	s->frames = p;
	s->cap_frames = cap;
	return true;
}

/* Leave all frames but the first n. */
static void pop_frames(struct pd_stacks *s, uint32_t n)
{
	while (s->n_frames > n) {
		struct pd_stacks_frame *f = &s->frames[--s->n_frames];
		struct pd_stacks_name *name = &s->names[f->name];

		name->n_on_path--;
		for (uint32_t i = 0; i < s->n_columns; i++) {
			if (f->is_outer)
				name->inclusive[i] += f->sums[i];
			if (s->n_frames)
				f[-1].sums[i] += f->sums[i];
		}
	}
}

/*
 * The frames of the stack from that offset on, at most AT_ONCE. Frames are short,
 * so that a search for the end of each would mostly be calls and mispredictions.
 */
static size_t split_frames(struct pd_span stack, size_t from, struct pd_span *ret_names)
{
	size_t n = 0;

	for (size_t at = from; at < stack.len; at += PD_SCAN_BYTES) {
		char rest[PD_SCAN_BYTES];
		const char *p = stack.ptr + at;

		if (stack.len - at < PD_SCAN_BYTES) {
			memset(rest, 0, sizeof(rest));
			p = memcpy(rest, p, stack.len - at);
		}
		for (uint64_t mask = pd_scan_byte(p, ';'); mask; mask &= mask - 1) {
			size_t end = at + (size_t)__builtin_ctzll(mask);

			ret_names[n++] = (struct pd_span){stack.ptr + from, end - from};
			from = end + 1;
			if (n == AT_ONCE)
				return n;
		}
	}
	ret_names[n++] = (struct pd_span){stack.ptr + from, stack.len - from};
	return n;
}

/* Push the frames of the stack from that offset on. */
static void push_frames(struct pd_stacks *s, struct pd_span stack, size_t from)
{
	struct pd_span names[AT_ONCE];
	uint32_t ids[AT_ONCE];

	while (from <= stack.len) {
		size_t n = split_frames(stack, from, names);

		if (!reserve_frames(s, n)) {
			s->failed = true;
			return;
		}
		find_names(s, names, n, ids);
		for (size_t i = 0; i < n; i++) {
			struct pd_stacks_name *name = &s->names[ids[i]];

			from += names[i].len + 1;
			s->frames[s->n_frames++] = (struct pd_stacks_frame){
				.end = from - 1,
				.name = ids[i],
				.is_outer = !name->n_on_path++,
			};
		}
	}
}

/* How many bytes the two have in common at their beginnings. */
static size_t common_len(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	while (i + 8 <= n && pd_load64(a + i) == pd_load64(b + i))
		i += 8;
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* Make the path that of the stack. */
static void set_path(struct pd_stacks *s, struct pd_span stack)
{
	size_t n = s->path.len < stack.len ? s->path.len : stack.len;
	size_t same = common_len(s->path.ptr, stack.ptr, n), from;
	uint32_t n_same = s->n_frames;

	/* The ';' behind the stack is thought of, in the path it is there. */
	if (same == stack.len && same < s->path.len && s->path.ptr[same] == ';')
		same++;
	while (n_same && s->frames[n_same - 1].end >= same)
		n_same--;
	pop_frames(s, n_same);
	from = n_same ? s->frames[n_same - 1].end + 1 : 0;
	s->path.len = from;
	if (from > stack.len)
		return;
	pd_buf_add(&s->path, stack.ptr + from, stack.len - from);
	pd_buf_add_char(&s->path, ';');
	push_frames(s, stack, from);
}

void pd_stacks_add(struct pd_stacks *s, struct pd_span stack, const double *counts)
{
	struct pd_stacks_frame *leaf;

	if (!s->n_slots && (!reserve_name(s) || !grow_slots(s)))
		s->failed = true;
	if (s->failed || s->is_full)
		return;
	set_path(s, stack);
	if (s->path.failed)
		s->failed = true;
	if (!s->n_frames)
		return;
	leaf = &s->frames[s->n_frames - 1];
	s->has_unnamed = s->has_unnamed || !leaf->name;
	for (uint32_t i = 0; i < s->n_columns; i++) {
		leaf->sums[i] += counts[i];
		s->selves[leaf->name][i] += counts[i];
	}
}

void pd_stacks_tell(struct pd_stacks *s, struct pd_builder *b, const uint32_t *runs)
{
	const struct pd_span no_module = {"", 0};

	pop_frames(s, 0);
	for (uint32_t i = 0; i < s->n_names; i++) {
		const struct pd_stacks_name *n = &s->names[i];
		struct pd_span name = {n->bytes ? n->bytes : n->head, n->len};
		uint32_t func;

		if (!i && !s->has_unnamed)
			continue;
		func = i ? pd_builder_func(b, name, no_module) :
			pd_builder_leftover(b, "[unknown]", no_module);
		for (uint32_t c = 0; c < s->n_columns; c++) {
			pd_builder_add_self(b, runs[c], 0, func, s->selves[i][c]);
			if (i)
				pd_builder_add_inclusive(b, runs[c], 0, func, n->inclusive[c]);
		}
	}
}
