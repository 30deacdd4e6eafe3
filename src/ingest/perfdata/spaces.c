/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Address spaces. Contract: spaces.h.
 *
 * The last of n mappings that covers an address is looked for from the end. Few are
 * looked at one by one. Of many, blocks of 32, 64, 128, ... that begin at multiples
 * of their size are made into layers when they are first asked: lists of ranges that
 * do not overlap, made of the lists of their two halves, of which the later one lies
 * above the other. A prefix of n mappings is at most log2(n) of such blocks.
 */
#include "ingest/perfdata/spaces.h"

#include <stdlib.h>
#include <string.h>

enum {
	BLOCK_BITS = 5, /* of the smallest block */
	BLOCK = 1 << BLOCK_BITS,
	N_LEVELS = 32 - BLOCK_BITS,
	MAX_DEPTH = 48,        /* of forks, before what they see is copied */
	MAX_COPIED = 4 << 20,  /* mappings; more come only of files that want it so */
};

/* A range of addresses, and which mapping is there. */
struct range {
	uint64_t start, end;
	uint32_t mapping;
};

struct ranges {
	struct range *items; /* by address; NULL: not made yet */
	uint32_t n;
};

struct pd_perf_layers {
	struct ranges *levels[N_LEVELS]; /* [level][block]; a level is there once it is used */
	uint32_t n_blocks[N_LEVELS];
};

static void free_layers(struct pd_perf_layers *l)
{
	if (!l)
		return;
	for (int k = 0; k < N_LEVELS; k++) {
		for (uint32_t i = 0; i < l->n_blocks[k]; i++)
			free(l->levels[k][i].items);
		free(l->levels[k]);
	}
	free(l);
}

void pd_perf_spaces_done(struct pd_perf_spaces *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		free(s->items[i].items);
		free_layers(s->items[i].layers);
	}
	free(s->items);
	*s = (struct pd_perf_spaces){0};
}

uint32_t pd_perf_space_new(struct pd_perf_spaces *s)
{
	if (s->n == s->cap) {
		uint32_t cap = s->cap ? 2 * s->cap : 16;
		struct pd_perf_space *items = realloc(s->items, cap * sizeof(*items));

		if (!items) {
			s->failed = true;
			return PD_PERF_NO_SPACE;
		}
		s->items = items;
		s->cap = cap;
	}
	s->items[s->n] = (struct pd_perf_space){.parent = PD_PERF_NO_SPACE};
	return s->n++;
}

void pd_perf_space_map(struct pd_perf_spaces *s, uint32_t space, struct pd_perf_mapping m)
{
	struct pd_perf_space *x;

	if (space >= s->n || m.start >= m.end)
		return;
	x = &s->items[space];
	if (x->n == x->cap) {
		uint32_t cap = x->cap ? 2 * x->cap : 8;
		struct pd_perf_mapping *items = realloc(x->items, cap * sizeof(*items));

		if (!items) {
			s->failed = true;
			return;
		}
		x->items = items;
		x->cap = cap;
	}
	x->items[x->n++] = m;
}

uint32_t pd_perf_space_count(const struct pd_perf_spaces *s, uint32_t space, uint32_t version)
{
	const struct pd_perf_space *x;
	uint32_t low = 0, high;

	if (space >= s->n)
		return 0;
	x = &s->items[space];
	high = x->n;
	if (!high || x->items[high - 1].version <= version)
		return high;
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (x->items[mid].version <= version)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Appends a range, or makes the last one longer. */
static void add_range(struct ranges *r, uint64_t start, uint64_t end, uint32_t mapping)
{
	struct range *last = r->n ? &r->items[r->n - 1] : NULL;

	if (start >= end)
		return;
	if (last && last->mapping == mapping && last->end == start)
		last->end = end;
	else
		r->items[r->n++] = (struct range){start, end, mapping};
}

/* What is seen of below where above lies over it, and above. False if there is no memory. */
static bool lay_over(const struct ranges *below, const struct ranges *above, struct ranges *ret)
{
	/* Each range above cuts at most one below into two. */
	size_t cap = (size_t)below->n + 2 * (size_t)above->n;
	struct ranges r = {malloc((cap ? cap : 1) * sizeof(*r.items)), 0};
	uint32_t j = 0;

	if (!r.items)
		return false;
	for (uint32_t i = 0; i < below->n; i++) {
		uint64_t from = below->items[i].start, to = below->items[i].end;

		while (j < above->n && above->items[j].start < to) {
			const struct range *a = &above->items[j];

			add_range(&r, from, a->start, below->items[i].mapping);
			if (from < a->end)
				from = a->end;
			if (a->end > to)
				break; /* it reaches into the next one below */
			add_range(&r, a->start, a->end, a->mapping);
			j++;
		}
		add_range(&r, from, to, below->items[i].mapping);
	}
	for (; j < above->n; j++)
		add_range(&r, above->items[j].start, above->items[j].end, above->items[j].mapping);
	*ret = r;
	return true;
}

/* The ranges of mappings [from, from + BLOCK). */
static bool make_block(const struct pd_perf_space *x, uint32_t from, struct ranges *ret)
{
	struct ranges all = {NULL, 0};

	for (uint32_t i = from; i < from + BLOCK; i++) {
		struct range one = {x->items[i].start, x->items[i].end, i};
		struct ranges above = {&one, 1}, both;

		if (!lay_over(&all, &above, &both)) {
			free(all.items);
			return false;
		}
		free(all.items);
		all = both;
	}
	*ret = all;
	return true;
}

/* The ranges of a block of a level, made when they are first asked; NULL: no memory. */
static const struct ranges *get_block(struct pd_perf_space *x, int level, uint32_t i)
{
	struct pd_perf_layers *l = x->layers;
	const struct ranges *below, *above;

	if (!l->levels[level]) {
		uint32_t n = x->n >> (BLOCK_BITS + level);

		l->levels[level] = calloc(n, sizeof(struct ranges));
		if (!l->levels[level])
			return NULL;
		l->n_blocks[level] = n;
	}
	if (l->levels[level][i].items)
		return &l->levels[level][i];
	if (!level)
		return make_block(x, i << BLOCK_BITS, &l->levels[0][i]) ? &l->levels[0][i] : NULL;
	below = get_block(x, level - 1, 2 * i);
	above = get_block(x, level - 1, 2 * i + 1);
	if (!below || !above || !lay_over(below, above, &l->levels[level][i]))
		return NULL;
	return &l->levels[level][i];
}

/* Index of the mapping at an address, or UINT32_MAX. */
static uint32_t find_range(const struct ranges *r, uint64_t address)
{
	uint32_t low = 0, high = r->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (r->items[mid].end <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low < r->n && r->items[low].start <= address ? r->items[low].mapping : UINT32_MAX;
}

/* Looks at mappings [0, *n) one by one from the end, down to *n a multiple of BLOCK. */
static const struct pd_perf_mapping *find_near(const struct pd_perf_space *x, uint32_t *n,
					       uint64_t address)
{
	while (*n % BLOCK) {
		const struct pd_perf_mapping *m = &x->items[--*n];

		if (address >= m->start && address < m->end)
			return m;
	}
	return NULL;
}

static const struct pd_perf_mapping *find_own(struct pd_perf_spaces *s, struct pd_perf_space *x,
					      uint32_t n, uint64_t address)
{
	const struct pd_perf_mapping *m = find_near(x, &n, address);

	if (!m && n && !x->layers) {
		x->layers = calloc(1, sizeof(*x->layers));
		if (!x->layers) {
			s->failed = true;
			return NULL;
		}
	}
	while (!m && n) {
		int level = __builtin_ctz(n) - BLOCK_BITS;
		uint32_t size = 1u << (level + BLOCK_BITS), i;
		const struct ranges *r = get_block(x, level, n / size - 1);

		if (!r) {
			s->failed = true;
			return NULL;
		}
		i = find_range(r, address);
		if (i != UINT32_MAX)
			m = &x->items[i];
		n -= size;
	}
	return m;
}

const struct pd_perf_mapping *pd_perf_space_find(struct pd_perf_spaces *s, uint32_t space,
						 uint32_t n, uint64_t address)
{
	const struct pd_perf_mapping *m = NULL;

	while (space < s->n && !m) {
		struct pd_perf_space *x = &s->items[space];

		m = find_own(s, x, n < x->n ? n : x->n, address);
		n = x->n_of_parent;
		space = x->parent;
	}
	return m;
}

/* Copies what is mapped in a space and those it was forked from, oldest first. */
static void copy_all(struct pd_perf_spaces *s, uint32_t from, uint32_t n, uint32_t to,
		     uint32_t version)
{
	uint32_t chain[MAX_DEPTH + 2], counts[MAX_DEPTH + 2], depth = 0;

	for (; from != PD_PERF_NO_SPACE && depth < MAX_DEPTH + 2; depth++) {
		chain[depth] = from;
		counts[depth] = n;
		n = s->items[from].n_of_parent;
		from = s->items[from].parent;
	}
	while (depth--)
		for (uint32_t i = 0; i < counts[depth] && s->n_copied < MAX_COPIED; i++) {
			struct pd_perf_mapping m = s->items[chain[depth]].items[i];

			m.version = version;
			pd_perf_space_map(s, to, m);
			s->n_copied++;
		}
}

uint32_t pd_perf_space_fork(struct pd_perf_spaces *s, uint32_t parent, uint32_t version)
{
	uint32_t space = pd_perf_space_new(s), n;

	if (space == PD_PERF_NO_SPACE || parent >= s->n)
		return space;
	n = s->items[parent].n;
	if (s->items[parent].depth >= MAX_DEPTH) {
		copy_all(s, parent, n, space, version);
		return space;
	}
	/* Where the parent has nothing of its own, what it was forked from answers. */
	if (!n) {
		n = s->items[parent].n_of_parent;
		parent = s->items[parent].parent;
	}
	s->items[space].parent = parent;
	s->items[space].n_of_parent = n;
	s->items[space].depth = parent == PD_PERF_NO_SPACE ? 0 : s->items[parent].depth + 1;
	return space;
}
