/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Alignment. Contract: align.h. Two known methods, one within the other:
 *
 * Anchors ("patience"): keys that occur once on each side are paired, the longest run of
 * them that ascends on both is kept, and what lies between two of them is a smaller
 * problem of the same kind.
 *
 * Edit paths (E. Myers, "An O(ND) difference algorithm and its variations", 1986, with
 * the refinement that needs linear space): where there are no anchors, paths from both
 * ends of the grid of all pairs grow by one edit a time until they meet:
 *
 *          next -->
 *   base  +-\-------+     diagonal: x - y, x in base, y in next
 *     |   |  \_     |     fore[d]: furthest x from the upper left corner
 *     v   |    o\   |     back[d]: furthest x from the lower right one
 *         +------\--+     o: where they meet; both sides of it are solved alone
 *
 * Where they have not met after MAX_EDITS, the path that came furthest is taken as it
 * is: that costs MAX_EDITS steps for each element that it has passed, and no more.
 */
#include "base/align.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

enum {
	MAX_EDITS = 512,   /* of each of the two paths */
	MAX_ANCHORINGS = 8, /* within one another */
	N_DIAGONALS = 2 * MAX_EDITS + 5,
};

/* A part of both sequences: [from, to) of each. */
struct grid {
	uint32_t x_from, x_to, y_from, y_to;
};

struct aligner {
	const uint64_t *base, *next;
	uint32_t *partners;
	int64_t fore[N_DIAGONALS], back[N_DIAGONALS];
	bool failed; /* no memory */
};

/* Pair equal elements at both ends; whether anything is left on both sides. */
static bool trim(struct aligner *a, struct grid *g)
{
	while (g->x_from < g->x_to && g->y_from < g->y_to &&
	       a->base[g->x_from] == a->next[g->y_from])
		a->partners[g->x_from++] = g->y_from++;
	while (g->x_from < g->x_to && g->y_from < g->y_to &&
	       a->base[g->x_to - 1] == a->next[g->y_to - 1])
		a->partners[--g->x_to] = --g->y_to;
	return g->x_from < g->x_to && g->y_from < g->y_to;
}

/* ---- edit paths ---- */

/* The paths of one direction: diagonals [low, high] of every second are reached. */
struct front {
	int64_t *reach; /* [N_DIAGONALS], around middle */
	int64_t middle, low, high;
};

static int64_t *reach_of(const struct front *f, int64_t diagonal)
{
	return &f->reach[diagonal - f->middle + MAX_EDITS + 2];
}

/*
 * One more edit: neighbours of the reached diagonals are reached, too, but for those
 * outside of the grid. nowhere is what no path reaches from.
 */
static void widen(struct front *f, int64_t lowest, int64_t highest, int64_t nowhere)
{
	if (f->low > lowest)
		*reach_of(f, --f->low - 1) = nowhere;
	else
		f->low++;
	if (f->high < highest)
		*reach_of(f, ++f->high + 1) = nowhere;
	else
		f->high--;
}

static bool has_met(const struct front *other, int64_t diagonal)
{
	return diagonal >= other->low && diagonal <= other->high;
}

/* Where two paths meet, or where the furthest one stopped. */
struct meeting {
	uint32_t x, y;
	bool is_cut;      /* they have not met: */
	bool is_from_end; /* it is the path from the end that stopped there */
};

static bool grow_fore(const struct aligner *a, const struct grid *g, struct front *fore,
		      const struct front *back, bool is_odd, struct meeting *ret_meeting)
{
	const int64_t n = g->x_to - g->x_from, m = g->y_to - g->y_from;

	for (int64_t d = fore->high; d >= fore->low; d -= 2) {
		int64_t below = *reach_of(fore, d - 1), above = *reach_of(fore, d + 1);
		int64_t x = below < above ? above : below + 1, y = x - d;

		while (x < n && y < m && a->base[g->x_from + x] == a->next[g->y_from + y]) {
			x++;
			y++;
		}
		*reach_of(fore, d) = x;
		if (is_odd && has_met(back, d) && *reach_of(back, d) <= x) {
			*ret_meeting = (struct meeting){.x = (uint32_t)x, .y = (uint32_t)y};
			return true;
		}
	}
	return false;
}

static bool grow_back(const struct aligner *a, const struct grid *g, struct front *back,
		      const struct front *fore, bool is_odd, struct meeting *ret_meeting)
{
	for (int64_t d = back->high; d >= back->low; d -= 2) {
		int64_t below = *reach_of(back, d - 1), above = *reach_of(back, d + 1);
		int64_t x = below < above ? below : above - 1, y = x - d;

		while (x > 0 && y > 0 &&
		       a->base[g->x_from + x - 1] == a->next[g->y_from + y - 1]) {
			x--;
			y--;
		}
		*reach_of(back, d) = x;
		if (!is_odd && has_met(fore, d) && x <= *reach_of(fore, d)) {
			*ret_meeting = (struct meeting){.x = (uint32_t)x, .y = (uint32_t)y};
			return true;
		}
	}
	return false;
}

/* The end of the path, of all of them, that has passed the most elements. */
static struct meeting furthest(const struct grid *g, const struct front *fore,
			       const struct front *back)
{
	const int64_t n = g->x_to - g->x_from, m = g->y_to - g->y_from;
	struct meeting best = {.is_cut = true};
	int64_t passed = -1;

	for (int64_t d = fore->low; d <= fore->high; d += 2) {
		int64_t x = *reach_of(fore, d), y;

		x = x < n ? x : n;
		y = x - d < m ? x - d : m;
		x = y + d;
		if (x >= 0 && y >= 0 && x + y > passed) {
			passed = x + y;
			best.x = (uint32_t)x;
			best.y = (uint32_t)y;
		}
	}
	for (int64_t d = back->low; d <= back->high; d += 2) {
		int64_t x = *reach_of(back, d), y;

		x = x > 0 ? x : 0;
		y = x - d > 0 ? x - d : 0;
		x = y + d;
		if (x <= n && y <= m && n + m - x - y > passed) {
			passed = n + m - x - y;
			best = (struct meeting){(uint32_t)x, (uint32_t)y, true, true};
		}
	}
	return best;
}

static struct meeting find_meeting(struct aligner *a, const struct grid *g)
{
	const int64_t n = g->x_to - g->x_from, m = g->y_to - g->y_from;
	const bool is_odd = (n - m) & 1;
	struct front fore = {a->fore, 0, 0, 0}, back = {a->back, n - m, n - m, n - m};
	struct meeting meeting;

	*reach_of(&fore, 0) = 0;
	*reach_of(&back, n - m) = n;
	for (int i = 0; i < MAX_EDITS; i++) {
		widen(&fore, -m, n, -1);
		if (grow_fore(a, g, &fore, &back, is_odd, &meeting))
			return meeting;
		widen(&back, -m, n, INT64_MAX);
		if (grow_back(a, g, &back, &fore, is_odd, &meeting))
			return meeting;
	}
	return furthest(g, &fore, &back);
}

/*
 * The part that a cut path has passed has no more than MAX_EDITS edits, and is halved by
 * each step further in; the other part is done in the loop, however many cuts it takes.
 */
static void align_by_edits(struct aligner *a, struct grid g)
{
	while (trim(a, &g)) {
		struct meeting at = find_meeting(a, &g);
		struct grid first = g, second = g;

		first.x_to = second.x_from = g.x_from + at.x;
		first.y_to = second.y_from = g.y_from + at.y;
		align_by_edits(a, at.is_cut && at.is_from_end ? second : first);
		g = at.is_cut && at.is_from_end ? first : second;
	}
}

/* ---- anchors ---- */

/* A key that is there once on both sides. */
struct anchor {
	uint32_t x, y;
	uint32_t before; /* the anchor before it in the best run that it ends */
};

/* Keys of [from, to), sorted; NULL if there is no memory. */
static struct pd_sort_item *sort_keys(const uint64_t *keys, uint32_t from, uint32_t to)
{
	uint32_t n = to - from;
	struct pd_sort_item *items = malloc((2 * (size_t)n + 1) * sizeof(*items));

	for (uint32_t i = 0; i < n && items; i++)
		items[i] = (struct pd_sort_item){keys[from + i], from + i};
	if (items)
		pd_sort_items(items, items + n, n);
	return items;
}

static bool is_single(const struct pd_sort_item *items, uint32_t i, uint32_t n)
{
	return (!i || items[i - 1].key != items[i].key) &&
	       (i + 1 == n || items[i + 1].key != items[i].key);
}

static int compare_anchors(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;

	return x->x < y->x ? -1 : x->x > y->x;
}

/* All anchors of a part, by their place in base; how many. */
static uint32_t find_anchors(struct aligner *a, const struct grid *g, struct anchor **ret_anchors)
{
	uint32_t n = g->x_to - g->x_from, m = g->y_to - g->y_from, n_anchors = 0, i = 0, k = 0;
	struct pd_sort_item *xs = sort_keys(a->base, g->x_from, g->x_to);
	struct pd_sort_item *ys = sort_keys(a->next, g->y_from, g->y_to);
	struct anchor *anchors = malloc(((size_t)(n < m ? n : m) + 1) * sizeof(*anchors));

	if (xs && ys && anchors) {
		while (i < n && k < m) {
			if (xs[i].key != ys[k].key) {
				if (xs[i].key < ys[k].key)
					i++;
				else
					k++;
				continue;
			}
			if (is_single(xs, i, n) && is_single(ys, k, m))
				anchors[n_anchors++] = (struct anchor){xs[i].index, ys[k].index, 0};
			i++;
			k++;
		}
		qsort(anchors, n_anchors, sizeof(*anchors), compare_anchors);
	} else {
		a->failed = true;
	}
	free(xs);
	free(ys);
	*ret_anchors = anchors;
	return n_anchors;
}

/*
 * The longest run of anchors that ascends on both sides, moved to the front; how many.
 * tops[k] is the end of that run of k + 1 anchors which leaves the most room behind.
 */
static uint32_t keep_longest_run(struct anchor *anchors, uint32_t n, uint32_t *tops)
{
	uint32_t n_tops = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t low = 0, high = n_tops;

		while (low < high) {
			uint32_t middle = low + (high - low) / 2;

			if (anchors[tops[middle]].y < anchors[i].y)
				low = middle + 1;
			else
				high = middle;
		}
		anchors[i].before = low ? tops[low - 1] : PD_ALIGN_NONE;
		tops[low] = i;
		n_tops += low == n_tops;
	}
	/* From its end, each is put where it belongs: not before where it stands. */
	for (uint32_t i = n_tops ? tops[n_tops - 1] : 0, k = n_tops; k > 0; k--) {
		uint32_t before = anchors[i].before;

		tops[k - 1] = i;
		i = before;
	}
	for (uint32_t k = 0; k < n_tops; k++)
		anchors[k] = anchors[tops[k]];
	return n_tops;
}

static void align_part(struct aligner *a, struct grid g, int depth)
{
	struct anchor *anchors = NULL;
	uint32_t n = 0, *tops;

	if (!trim(a, &g) || a->failed)
		return;
	if (depth < MAX_ANCHORINGS)
		n = find_anchors(a, &g, &anchors);
	if (n) {
		tops = malloc(n * sizeof(*tops));
		a->failed |= !tops;
		n = tops ? keep_longest_run(anchors, n, tops) : 0;
		free(tops);
	}
	for (uint32_t i = 0; i < n; i++) {
		struct grid gap = {g.x_from, anchors[i].x, g.y_from, anchors[i].y};

		a->partners[anchors[i].x] = anchors[i].y;
		align_part(a, gap, depth + 1);
		g.x_from = anchors[i].x + 1;
		g.y_from = anchors[i].y + 1;
	}
	free(anchors);
	if (n)
		align_part(a, g, depth + 1);
	else if (!a->failed)
		align_by_edits(a, g);
}

bool pd_align(const uint64_t *base, uint32_t n_base, const uint64_t *next, uint32_t n_next,
	      uint32_t *ret_partners)
{
	struct aligner *a = calloc(1, sizeof(*a));
	bool ok;

	if (!a)
		return false;
	a->base = base;
	a->next = next;
	a->partners = ret_partners;
	if (n_base)
		memset(ret_partners, 0xff, n_base * sizeof(*ret_partners));
	align_part(a, (struct grid){0, n_base, 0, n_next}, 0);
	ok = !a->failed;
	free(a);
	return ok;
}
