/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schema 1, kind "compare". What is unknown or infinite is null. An inline group is a
 * row that is called as its function and "paired": "inline", with "members" (which know
 * no "group") and a sentence in "notes"; "notes" of the whole say what could not be
 * compared. "explain" is in explain.c.
 */
#include "report/schema.h"

#include <string.h>

#include "base/num.h"

/* Numbers of the runs of each side, as lists within a list. */
static void add_runs(struct pd_document *d, struct pd_value *v, const char *key,
		     const struct pd_comparison *c, const double *runs)
{
	struct pd_value *list = pd_value_add_list(d, v, key);

	for (uint32_t s = 0; s < c->n_sides; s++) {
		struct pd_value *side = pd_value_add_list(d, list, NULL);

		for (uint32_t i = 0; i < c->sides[s].n_runs; i++)
			pd_value_add_number(d, side, NULL, runs[c->sides[s].first_run + i]);
	}
}

static void add_means(struct pd_document *d, struct pd_value *v, const struct pd_comparison *c,
		      const struct pd_estimate *sides)
{
	struct pd_value *list = pd_value_add_list(d, v, "mean");

	for (uint32_t s = 0; s < c->n_sides; s++)
		pd_value_add_number(d, list, NULL, sides[s].value);
}

static void add_changes(struct pd_document *d, struct pd_value *v, const struct pd_comparison *c,
			const struct pd_estimate *sides, const struct pd_change *changes)
{
	struct pd_value *sd = pd_value_add_list(d, v, "sd");
	struct pd_value *delta = pd_value_add_list(d, v, "delta");
	struct pd_value *ratio = pd_value_add_list(d, v, "ratio");

	for (uint32_t s = 0; s < c->n_sides; s++) {
		pd_value_add_number(d, sd, NULL, sides[s].sd);
		if (!s)
			continue;
		pd_value_add_number(d, delta, NULL, changes[s].delta);
		pd_value_add_number(d, ratio, NULL, changes[s].ratio);
	}
}

/* [lo, hi], or null where there is none. */
static void add_interval(struct pd_document *d, struct pd_value *v, const char *key, double lo,
			 double hi)
{
	struct pd_value *list;

	if (!pd_is_known(lo) && !pd_is_known(hi)) {
		pd_value_add_null(d, v, key);
		return;
	}
	list = pd_value_add_list(d, v, key);
	pd_value_add_number(d, list, NULL, lo);
	pd_value_add_number(d, list, NULL, hi);
}

/* The number at an offset within a struct. */
static double field_at(const void *base, size_t at)
{
	double x;

	memcpy(&x, (const char *)base + at, sizeof(x));
	return x;
}

/* What the statistics tell of a row: lists of one item a next side. */
static void add_certainty(struct pd_document *d, struct pd_value *v, const struct pd_comparison *c,
			  const struct pd_change *changes)
{
	static const struct {
		const char *key;
		size_t at;
	} numbers[] = {
		{"level", offsetof(struct pd_change, level)},
		{"z", offsetof(struct pd_change, z)},
		{"p", offsetof(struct pd_change, p)},
		{"q", offsetof(struct pd_change, q)},
		{"bound", offsetof(struct pd_change, bound)},
		{"sampling", offsetof(struct pd_change, sampling)},
	};
	struct pd_value *list = pd_value_add_list(d, v, "delta_ci");

	for (uint32_t s = 1; s < c->n_sides; s++)
		add_interval(d, list, NULL, changes[s].delta_lo, changes[s].delta_hi);
	list = pd_value_add_list(d, v, "ratio_ci");
	for (uint32_t s = 1; s < c->n_sides; s++)
		add_interval(d, list, NULL, changes[s].ratio_lo, changes[s].ratio_hi);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		list = pd_value_add_list(d, v, numbers[i].key);
		for (uint32_t s = 1; s < c->n_sides; s++)
			pd_value_add_number(d, list, NULL, field_at(&changes[s], numbers[i].at));
	}
	list = pd_value_add_list(d, v, "verdict");
	for (uint32_t s = 1; s < c->n_sides; s++)
		pd_value_add_text(d, list, NULL, pd_verdict_word(changes[s].verdict));
}

/* The same for a total, which has less. */
static void add_total_certainty(struct pd_document *d, struct pd_value *v,
				const struct pd_comparison *c, const struct pd_change *changes)
{
	struct pd_value *list = pd_value_add_list(d, v, "ratio_ci");

	for (uint32_t s = 1; s < c->n_sides; s++)
		add_interval(d, list, NULL, changes[s].ratio_lo, changes[s].ratio_hi);
	list = pd_value_add_list(d, v, "p");
	for (uint32_t s = 1; s < c->n_sides; s++)
		pd_value_add_number(d, list, NULL, changes[s].p);
}

/* Text, or null for none. */
static void add_str(struct pd_document *d, struct pd_value *v, const char *key,
		    const struct pd_comparison *c, pd_str s)
{
	pd_value_add_text(d, v, key, s.id ? pd_strtab_get(&c->strings, s) : NULL);
}

static void add_sides(struct pd_document *d, const struct pd_comparison *c)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "sides");

	for (uint32_t s = 0; s < c->n_sides; s++) {
		const struct pd_side *side = &c->sides[s];
		struct pd_value *v = pd_value_add_object(d, list, NULL), *runs, *totals, *scale;

		pd_value_add_text(d, v, "label", side->label);
		runs = pd_value_add_list(d, v, "runs");
		for (uint32_t i = 0; i < side->n_runs; i++)
			pd_value_add_text(d, runs, NULL, side->runs[i].path);
		(void)pd_value_add_list(d, v, "images");
		totals = pd_value_add_list(d, v, "totals");
		scale = pd_value_add_list(d, v, "scale");
		for (uint32_t e = 0; e < c->n_events; e++) {
			struct pd_value *total = pd_value_add_list(d, totals, NULL);
			struct pd_value *factor = pd_value_add_list(d, scale, NULL);

			for (uint32_t i = 0; i < side->n_runs; i++) {
				pd_value_add_number(d, total, NULL,
						    c->events[e].totals[side->first_run + i]);
				pd_value_add_number(d, factor, NULL,
						    c->events[e].scale[side->first_run + i]);
			}
		}
	}
}

/* What costs are per unit of, with the units of every run. */
static void add_per(struct pd_document *d, const struct pd_comparison *c)
{
	struct pd_value *v;

	if (!c->per) {
		pd_value_add_null(d, d->root, "per");
		return;
	}
	v = pd_value_add_object(d, d->root, "per");
	pd_value_add_text(d, v, "metric", c->per);
	if (c->n_events)
		add_runs(d, v, "values", c, c->events[0].scale);
}

/* How the typical function moved, of the first event. */
static void add_shifts(struct pd_document *d, const struct pd_comparison *c)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "shift");

	for (uint32_t s = 1; s < c->n_sides; s++) {
		const struct pd_shift *shift = c->n_events ? &c->events[0].shifts[s] : NULL;
		struct pd_value *v;

		if (!shift || !pd_is_known(shift->ratio)) {
			pd_value_add_null(d, list, NULL);
			continue;
		}
		v = pd_value_add_object(d, list, NULL);
		pd_value_add_number(d, v, "ratio", shift->ratio);
		add_interval(d, v, "ci", shift->lo, shift->hi);
	}
}

static void add_settings(struct pd_document *d, const struct pd_comparison *c)
{
	static const char *const normalizations[] = {
		[PD_NORMALIZE_NONE] = "none",
		[PD_NORMALIZE_MEDIAN] = "median",
		[PD_NORMALIZE_TOTAL] = "total",
		[PD_NORMALIZE_PER] = "none",
	};
	static const char *const modes[] = {
		[PD_STATS_REPLICATES] = "replicates",
		[PD_STATS_HISTORY] = "history",
		[PD_STATS_SINGLE] = "single",
	};
	struct pd_value *events = pd_value_add_list(d, d->root, "events");
	struct pd_value *tick = pd_value_add_list(d, d->root, "tick");

	for (uint32_t e = 0; e < c->n_events; e++) {
		add_str(d, events, NULL, c, c->events[e].name);
		pd_value_add_number(d, tick, NULL, c->events[e].tick);
	}
	pd_value_add_text(
		d, d->root, "normalize",
		normalizations[c->n_events && c->events[0].has_fallen_back ? PD_NORMALIZE_NONE
									   : c->normalize]);
	add_per(d, c);
	pd_value_add_text(d, d->root, "mode", modes[c->mode]);
	pd_value_add_text(d, d->root, "method", "noise-mixture quasi-likelihood");
	pd_value_add_number(d, d->root, "alpha", c->alpha);
	pd_value_add_number(d, d->root, "equiv", c->equiv_ratio);
	pd_value_add_number(d, d->root, "tested", c->n_tested);
	pd_value_add_number(d, d->root, "flagged", c->n_flagged);
	add_shifts(d, c);
}

void pd_schema_add_row_numbers(struct pd_document *d, struct pd_value *v,
			       const struct pd_comparison *c, const struct pd_row *row)
{
	add_runs(d, v, "runs", c, row->runs);
	add_means(d, v, c, row->sides);
	add_changes(d, v, c, row->sides, row->changes);
	add_certainty(d, v, c, row->changes);
}

void pd_schema_add_row(struct pd_document *d, struct pd_value *parent, const char *key,
		       const struct pd_comparison *c, const struct pd_row *row)
{
	struct pd_value *v = pd_value_add_object(d, parent, key), *sub;

	add_str(d, v, "name", c, row->name);
	add_str(d, v, "module", c, row->module);
	add_str(d, v, "file", c, row->file);
	add_str(d, v, "event", c, c->events[row->event].name);
	pd_value_add_text(d, v, "paired", pd_pairing_name(row->paired));
	if (row->group == PD_NO_ROW)
		pd_value_add_null(d, v, "group");
	else
		add_str(d, v, "group", c, c->rows[row->group].name);
	if (row->n_members) {
		sub = pd_value_add_list(d, v, "members");
		for (uint32_t i = 0; i < row->n_members; i++)
			add_str(d, sub, NULL, c, c->rows[row->members[i]].name);
	}
	pd_schema_add_row_numbers(d, v, c, row);
	sub = pd_value_add_list(d, v, "size");
	for (uint32_t s = 0; s < c->n_sides; s++)
		pd_value_add_number(d, sub, NULL, row->n_bytes ? row->n_bytes[s] : PD_UNKNOWN);
	if (row->calls) {
		sub = pd_value_add_list(d, v, "calls");
		for (uint32_t s = 0; s < c->n_sides; s++)
			pd_value_add_number(d, sub, NULL, pd_row_calls(c, row, s));
	}
	sub = pd_value_add_list(d, v, "notes");
	for (uint32_t i = 0; i < row->n_notes; i++)
		pd_value_add_text(d, sub, NULL, row->notes[i]);
}

static void add_totals(struct pd_document *d, const struct pd_comparison *c)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "totals");

	for (uint32_t e = 0; e < c->n_events; e++) {
		const struct pd_compared_event *event = &c->events[e];
		struct pd_value *v = pd_value_add_object(d, list, NULL), *busy;

		add_str(d, v, "event", c, event->name);
		add_means(d, v, c, event->sides);
		add_changes(d, v, c, event->sides, event->changes);
		add_total_certainty(d, v, c, event->changes);
		busy = pd_value_add_object(d, v, "busy");
		add_means(d, busy, c, event->busy_sides);
		add_changes(d, busy, c, event->busy_sides, event->busy_changes);
		add_total_certainty(d, busy, c, event->busy_changes);
	}
	list = pd_value_add_list(d, d->root, "leftovers");
	for (uint32_t i = 0; i < c->n_leftovers; i++) {
		const struct pd_leftover *l = &c->leftovers[i];
		struct pd_value *v = pd_value_add_object(d, list, NULL);

		add_str(d, v, "name", c, l->name);
		add_str(d, v, "module", c, l->module);
		add_str(d, v, "event", c, c->events[l->event].name);
		add_means(d, v, c, l->sides);
	}
}

/* What the statistics tell of a benchmark: lists of one item a next side. */
static void add_metric_changes(struct pd_document *d, struct pd_value *v,
			       const struct pd_comparison *c,
			       const struct pd_metric_change *changes)
{
	static const struct {
		const char *key;
		size_t at;
	} numbers[] = {
		{"ratio", offsetof(struct pd_metric_change, ratio)},
		{"p", offsetof(struct pd_metric_change, p)},
		{"p_rank", offsetof(struct pd_metric_change, p_rank)},
		{"q", offsetof(struct pd_metric_change, q)},
	};
	struct pd_value *list = NULL;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		list = pd_value_add_list(d, v, numbers[i].key);
		for (uint32_t s = 1; s < c->n_sides; s++)
			pd_value_add_number(d, list, NULL, field_at(&changes[s], numbers[i].at));
		if (i)
			continue;
		list = pd_value_add_list(d, v, "ratio_ci");
		for (uint32_t s = 1; s < c->n_sides; s++)
			add_interval(d, list, NULL, changes[s].ratio_lo, changes[s].ratio_hi);
	}
	list = pd_value_add_list(d, v, "verdict");
	for (uint32_t s = 1; s < c->n_sides; s++)
		pd_value_add_text(d, list, NULL, pd_verdict_word(changes[s].verdict));
}

static void add_metric(struct pd_document *d, struct pd_value *list, const struct pd_comparison *c,
		       const struct pd_metric_row *row)
{
	struct pd_value *v = pd_value_add_object(d, list, NULL), *sub;

	add_str(d, v, "name", c, row->name);
	add_str(d, v, "group", c, row->group);
	add_str(d, v, "unit", c, row->unit);
	pd_value_add_text(d, v, "better", pd_better_name(row->better));
	sub = pd_value_add_list(d, v, "runs");
	for (uint32_t s = 0; s < c->n_sides; s++) {
		struct pd_value *side = pd_value_add_list(d, sub, NULL);

		for (uint32_t i = 0; i < row->sides[s].n_values; i++)
			pd_value_add_number(d, side, NULL, row->sides[s].values[i]);
	}
	sub = pd_value_add_list(d, v, "mean");
	for (uint32_t s = 0; s < c->n_sides; s++)
		pd_value_add_number(d, sub, NULL, row->sides[s].mean);
	sub = pd_value_add_list(d, v, "sd");
	for (uint32_t s = 0; s < c->n_sides; s++)
		pd_value_add_number(d, sub, NULL, row->sides[s].sd);
	add_metric_changes(d, v, c, row->changes);
}

static void add_metrics(struct pd_document *d, const struct pd_comparison *c)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "metrics");

	for (uint32_t i = 0; i < c->n_metrics; i++)
		add_metric(d, list, c, &c->metrics[i]);
}

/* Of the first next side, as the schema has it. */
static void add_geomean(struct pd_document *d, const struct pd_comparison *c)
{
	const struct pd_geomean *g = c->n_metrics ? &c->geomeans[1] : NULL;
	struct pd_value *v;

	if (!g || !g->n) {
		pd_value_add_null(d, d->root, "geomean");
		return;
	}
	v = pd_value_add_object(d, d->root, "geomean");
	pd_value_add_number(d, v, "n", g->n);
	pd_value_add_number(d, v, "ratio", g->ratio);
	add_interval(d, v, "ratio_ci", g->ratio_lo, g->ratio_hi);
	pd_value_add_number(d, v, "p", g->p);
}

void pd_schema_add_comparison(struct pd_document *d, const struct pd_comparison *c)
{
	struct pd_value *v;

	add_sides(d, c);
	add_settings(d, c);
	v = pd_value_add_list(d, d->root, "rows");
	for (uint32_t i = 0; i < c->n_rows; i++)
		pd_schema_add_row(d, v, NULL, c, &c->rows[i]);
	/* Called as the function is; members have no group, since they may be in several. */
	for (uint32_t i = 0; i < c->n_beside; i++)
		pd_schema_add_row(d, v, NULL, c, &c->beside[i]);
	add_totals(d, c);
	v = pd_value_add_object(d, d->root, "pairing");
	pd_value_add_number(d, v, "base_ticks_paired_ratio", c->receipt.base_paired_ratio);
	pd_value_add_number(d, v, "next_ticks_paired_ratio", c->receipt.next_paired_ratio);
	pd_value_add_number(d, v, "unpaired", c->receipt.n_unpaired);
	add_metrics(d, c);
	add_geomean(d, c);
	v = pd_value_add_list(d, d->root, "notes");
	for (uint32_t i = 0; i < c->n_notes; i++)
		pd_value_add_text(d, v, NULL, c->notes[i]);
}
