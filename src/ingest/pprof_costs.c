/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all kinds of pprof's profiles have in common. Contract: pprof.h.
 */
#include <stdlib.h>

#include "base/num.h"
#include "ingest/pprof.h"
#include "ingest/quantity.h"

struct pp_unit pp_unit_of(struct pd_span type, struct pd_span unit)
{
	static const struct {
		const char *word;
		struct pp_unit unit;
	} own[] = {
		{"hrs", {PD_UNIT_NS, 3600e9}},
		{"days", {PD_UNIT_NS, 86400e9}},
		{"kilobytes", {PD_UNIT_BYTES, 1024}},
		{"megabytes", {PD_UNIT_BYTES, 1048576}},
		{"gigabytes", {PD_UNIT_BYTES, 1073741824}},
	};
	struct pd_unit_word w = pd_unit_word(unit);

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (pd_span_eq(unit, own[i].word))
			return own[i].unit;
	if (w.is_known && pd_span_eq(w.unit, "ns"))
		return (struct pp_unit){PD_UNIT_NS, w.factor};
	if (w.is_known && pd_span_eq(w.unit, "bytes"))
		return (struct pp_unit){PD_UNIT_BYTES, w.factor};
	if (pd_span_eq(type, "samples") || pd_span_eq(type, "sample") ||
	    pd_span_eq(unit, "samples"))
		return (struct pp_unit){PD_UNIT_SAMPLES, 1};
	return (struct pp_unit){PD_UNIT_EVENTS, 1};
}

void pp_costs_done(struct pp_costs *c)
{
	free(c->sums);
}

void pp_costs_begin(struct pp_costs *c)
{
	c->sample++;
	c->has_leaf = false;
}

/* Room for the sums of a function; false if there is no memory. */
static bool grow(struct pp_costs *c, uint32_t func)
{
	uint32_t n = func < 64 ? 128 : 2 * func;
	size_t width = 1 + (size_t)c->n_events;
	union pp_sum *sums = realloc(c->sums, n * width * sizeof(*sums));

	if (!sums) {
		c->failed = true;
		return false;
	}
	memset(sums + c->n_funcs * width, 0, (n - c->n_funcs) * width * sizeof(*sums));
	c->sums = sums;
	c->n_funcs = n;
	return true;
}

/* Where a sample has a function twice, it costs the function as much as once. */
static void add_inclusive(struct pp_costs *c, uint32_t func)
{
	union pp_sum *sums;

	if (func >= c->n_funcs && !grow(c, func))
		return;
	sums = &c->sums[func * (1 + (size_t)c->n_events)];
	if (sums->sample == c->sample)
		return;
	sums->sample = c->sample;
	for (uint32_t e = 0; e < c->n_events; e++)
		sums[1 + e].cost += c->values[e];
}

void pp_costs_frame(struct pp_costs *c, uint32_t func, bool is_leftover)
{
	if (!c->has_leaf)
		for (uint32_t e = 0; e < c->n_events; e++)
			pd_builder_add_self(c->b, c->run, e, func, c->values[e]);
	c->has_leaf = true;
	if (!is_leftover)
		add_inclusive(c, func);
}

void pp_costs_tell(struct pp_costs *c)
{
	const union pp_sum *sums = c->sums;

	for (uint32_t func = 0; func < c->n_funcs; func++, sums += 1 + c->n_events)
		for (uint32_t e = 0; e < c->n_events && sums->sample; e++)
			pd_builder_add_inclusive(c->b, c->run, e, func, sums[1 + e].cost);
	c->n_funcs = 0;
}

void pp_costs_end(struct pp_costs *c)
{
	if (!c->has_leaf)
		pp_costs_frame(c, pd_builder_leftover(c->b, "[unknown]", pd_span_of("")), true);
}

void pp_maps_done(struct pp_maps *maps)
{
	free(maps->items);
}

bool pp_maps_add(struct pp_maps *maps, struct pd_span line)
{
	struct pd_span fields[6], range;
	size_t n = pd_fields(line, fields, 6), dash;
	struct pp_map map = {0};

	if (n < 5 || fields[1].len != 4)
		return false;
	range = fields[0];
	dash = pd_span_find_last(range, '-');
	if (dash == SIZE_MAX || !pd_num_parse_hex(pd_span_sub(range, 0, dash), &map.from) ||
	    !pd_num_parse_hex(pd_span_sub(range, dash + 1, range.len), &map.to))
		return false;
	if (fields[1].ptr[2] != 'x' || n < 6 || map.from >= map.to)
		return true;
	map.module = fields[5];
	if (pd_span_ends(map.module, " (deleted)"))
		map.module.len -= strlen(" (deleted)");
	if (maps->n == maps->cap) {
		uint32_t cap = maps->cap ? 2 * maps->cap : 64;
		struct pp_map *items = realloc(maps->items, (size_t)cap * sizeof(*items));

		if (!items) {
			maps->failed = true;
			return true;
		}
		maps->items = items;
		maps->cap = cap;
	}
	maps->items[maps->n++] = map;
	return true;
}

static int compare_maps(const void *a, const void *b)
{
	const struct pp_map *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

void pp_maps_sort(struct pp_maps *maps)
{
	if (maps->n)
		qsort(maps->items, maps->n, sizeof(*maps->items), compare_maps);
}

uint32_t pp_maps_leftover(struct pp_maps *maps, struct pd_builder *b, uint64_t address)
{
	uint32_t from = 0, to = maps->n;
	struct pp_map *map;

	while (from < to) {
		uint32_t mid = from + (to - from) / 2;

		if (maps->items[mid].from <= address)
			from = mid + 1;
		else
			to = mid;
	}
	if (!from || address >= maps->items[from - 1].to)
		return pd_builder_leftover(b, "[unknown]", pd_span_of(""));
	map = &maps->items[from - 1];
	if (!map->leftover)
		map->leftover = 1 + pd_builder_leftover(b, "[unknown]", map->module);
	return map->leftover - 1;
}
