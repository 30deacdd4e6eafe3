/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Explaining a change. Contract: explain.h. Rows are given to parts one kind after
 * the other; what is still nobody's in the end is the rest.
 */
#include "analysis/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"
#include "base/text.h"

enum { MAX_GROUPS = 5, MAX_FUNCTIONS = 10, MAX_FOLDERS = 8 };

/* A part of its own moved at least so much of what all rows moved. */
#define MIN_SHARE 0.01

struct work {
	const struct pd_comparison *c;
	struct pd_explanation *out;
	uint32_t event, side;
	double units[2]; /* with --per, what a run did of the metric: its mean */
	double least;    /* change of a part of its own */
	bool *is_taken;  /* [rows] */
	uint32_t *order; /* [rows] that are parts of the total, largest change first */
	uint32_t n_order;
};

const char *pd_cause_kind_name(enum pd_cause_kind kind)
{
	static const char *const names[] = {
		[PD_CAUSE_IDLE] = "idle",         [PD_CAUSE_INLINE] = "inline",
		[PD_CAUSE_FUNCTION] = "function", [PD_CAUSE_DIR] = "dir",
		[PD_CAUSE_MODULE] = "module",     [PD_CAUSE_LEFTOVER] = "leftover",
		[PD_CAUSE_REST] = "rest",
	};

	return names[kind];
}

double pd_row_delta_by_calls(const struct pd_comparison *c, const struct pd_row *row,
			     uint32_t side)
{
	double base = pd_row_calls(c, row, 0), next = pd_row_calls(c, row, side), each;

	if (base == 0 || next == 0)
		return row->changes[side].delta;
	each = (row->sides[0].value / base + row->sides[side].value / next) / 2;
	return (next - base) * each;
}

/*
 * A cost of a side, with --per as read; a side without a mean counts as nothing, as in
 * the totals.
 */
static double cost(const struct work *w, const struct pd_row *row, bool is_next)
{
	const struct pd_side *side = &w->c->sides[is_next ? w->side : 0];
	double x = row->sides[is_next ? w->side : 0].value;
	struct pd_sum sum = {0};

	if (!pd_is_known(x))
		return 0;
	if (!w->c->per)
		return x;
	for (uint32_t i = 0; i < side->n_runs; i++)
		pd_sum_add(&sum, row->runs[side->first_run + i]);
	return sum.high / side->n_runs;
}

static double change(const struct work *w, const struct pd_row *row)
{
	return cost(w, row, true) - cost(w, row, false);
}

static struct pd_cause *add_cause(struct work *w, enum pd_cause_kind kind, const char *name)
{
	struct pd_cause *cause = &w->out->causes[w->out->n_causes++];

	*cause = (struct pd_cause){.kind = kind, .name = name};
	return cause;
}

/* What of a row's change more calls made, or more units of the metric. */
static double by_calls(const struct work *w, const struct pd_row *row)
{
	double base = row->sides[0].value, next = row->sides[w->side].value;

	if (w->out->split == PD_SPLIT_CALLS)
		return pd_row_delta_by_calls(w->c, row, w->side);
	return (w->units[1] - w->units[0]) * (base + next) / 2;
}

static void add_row(struct work *w, const struct pd_row *row, struct pd_cause *cause)
{
	double split = w->out->split == PD_SPLIT_NONE ? PD_UNKNOWN : by_calls(w, row);
	double delta = change(w, row);

	cause->n_rows++;
	cause->base += cost(w, row, false);
	cause->next += cost(w, row, true);
	cause->delta += delta;
	if (pd_is_known(split)) {
		cause->by_calls += split;
		cause->by_cost += delta - split;
	} else {
		cause->unsplit += delta;
	}
}

static void take(struct work *w, uint32_t row, struct pd_cause *cause)
{
	w->is_taken[row] = true;
	add_row(w, &w->c->rows[row], cause);
}

static void take_idle(struct work *w)
{
	struct pd_cause *cause = NULL;

	for (uint32_t i = 0; i < w->n_order; i++) {
		if (!w->c->rows[w->order[i]].is_idle)
			continue;
		if (!cause)
			cause = add_cause(w, PD_CAUSE_IDLE, "idle");
		take(w, w->order[i], cause);
	}
}

/* Whether no member is in another part, or within a sum that the total has instead. */
static bool is_free(const struct work *w, const struct pd_row *group)
{
	for (uint32_t i = 0; i < group->n_members; i++)
		if (w->is_taken[group->members[i]] ||
		    w->c->rows[group->members[i]].group != PD_NO_ROW)
			return false;
	return true;
}

static double group_change(const struct work *w, const struct pd_row *group)
{
	double sum = 0;

	for (uint32_t i = 0; i < group->n_members; i++)
		sum += change(w, &w->c->rows[group->members[i]]);
	return sum;
}

/* Groups are in the order of their findings, which is that of importance. */
static void take_inline_groups(struct work *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->c->n_beside && n < MAX_GROUPS; i++) {
		const struct pd_row *group = &w->c->beside[i];
		struct pd_cause *cause;

		if (group->event != w->event || !is_free(w, group) ||
		    fabs(group_change(w, group)) < w->least)
			continue;
		n++;
		cause = add_cause(w, PD_CAUSE_INLINE, group->n_notes ? group->notes[0] : "");
		cause->row = group;
		for (uint32_t k = 0; k < group->n_members; k++)
			take(w, group->members[k], cause);
		/* Calls of an inlined function are not seen any more: that is no change. */
		cause->by_calls = cause->by_cost = 0;
		cause->unsplit = cause->delta;
	}
}

static void take_functions(struct work *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_order && n < MAX_FUNCTIONS; i++) {
		const struct pd_row *row = &w->c->rows[w->order[i]];
		struct pd_cause *cause;

		if (w->is_taken[w->order[i]])
			continue;
		if (fabs(change(w, row)) < w->least || change(w, row) == 0)
			break;
		cause = add_cause(w, PD_CAUSE_FUNCTION, pd_strtab_get(&w->c->strings, row->name));
		cause->row = row;
		take(w, w->order[i], cause);
		n++;
	}
}

/* A folder or module with what is left in it. */
struct place {
	pd_str key;
	bool is_dir;
	double delta;
	const char *name;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (fabs(x->delta) != fabs(y->delta))
		return fabs(x->delta) > fabs(y->delta) ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The folder of a row's source file, else its module; none where neither is told. */
static struct pd_span place_of(const struct work *w, const struct pd_row *row, bool *ret_is_dir)
{
	struct pd_span file = pd_strtab_span(&w->c->strings, row->file);
	size_t slash = file.len ? pd_span_find_last(file, '/') : SIZE_MAX;

	*ret_is_dir = file.len;
	if (!file.len)
		return pd_strtab_span(&w->c->strings, row->module);
	return slash == SIZE_MAX ? pd_span_of(".") : pd_span_sub(file, 0, slash);
}

/*
 * Places of the rows that are left; [rows] place of each row, or PD_MAP_NONE. None if
 * one place has them all: it is the rest by another name.
 */
static bool find_places(struct work *w, struct pd_strtab *names, struct place *places,
			uint32_t *n_places, uint32_t *place_of_row)
{
	struct pd_map map = {0};
	bool ok = true, has_others = false;

	for (uint32_t i = 0; i < w->n_order && ok; i++) {
		const struct pd_row *row = &w->c->rows[w->order[i]];
		bool is_dir;
		struct pd_span name = place_of(w, row, &is_dir);
		pd_str key;
		uint32_t at;

		place_of_row[w->order[i]] = PD_MAP_NONE;
		has_others |= !w->is_taken[w->order[i]] && !name.len;
		if (w->is_taken[w->order[i]] || !name.len)
			continue;
		key = pd_strtab_intern(names, name);
		at = pd_map_insert(&map, pd_map_key(key.id, is_dir), *n_places);
		ok = at != PD_MAP_NONE && !names->failed;
		if (!ok)
			break;
		if (at == *n_places)
			places[(*n_places)++] = (struct place){.key = key, .is_dir = is_dir};
		places[at].delta += change(w, row);
		place_of_row[w->order[i]] = at;
	}
	pd_map_done(&map);
	if (*n_places == 1 && !has_others)
		*n_places = 0;
	return ok;
}

/* Give the rows of the places that moved most to a part each. */
static bool take_chosen(struct work *w, const struct pd_strtab *names, struct place *places,
			uint32_t n_places, const uint32_t *place_of_row)
{
	struct place *sorted = calloc((size_t)n_places + 1, sizeof(*sorted));
	uint32_t *cause_of = calloc((size_t)n_places + 1, sizeof(*cause_of));
	uint32_t n = 0;
	bool ok = sorted && cause_of;

	for (uint32_t i = 0; i < n_places && ok; i++) {
		places[i].name = pd_arena_printf(&w->out->arena, "%s",
						 pd_strtab_get(names, places[i].key));
		ok = places[i].name;
		sorted[i] = places[i];
		sorted[i].key.id = i;
	}
	if (ok && n_places)
		qsort(sorted, n_places, sizeof(*sorted), compare_places);
	for (uint32_t i = 0; i < n_places && ok && n < MAX_FOLDERS; i++) {
		if (fabs(sorted[i].delta) < w->least || sorted[i].delta == 0)
			break;
		n++;
		(void)add_cause(w, sorted[i].is_dir ? PD_CAUSE_DIR : PD_CAUSE_MODULE,
				sorted[i].name);
		cause_of[sorted[i].key.id] = w->out->n_causes;
	}
	for (uint32_t i = 0; i < w->n_order && ok; i++) {
		uint32_t place = place_of_row[w->order[i]];

		if (n_places && place != PD_MAP_NONE && cause_of[place])
			take(w, w->order[i], &w->out->causes[cause_of[place] - 1]);
	}
	free(sorted);
	free(cause_of);
	return ok;
}

static bool take_places(struct work *w)
{
	struct place *places = calloc((size_t)w->n_order + 1, sizeof(*places));
	uint32_t *place_of_row = calloc((size_t)w->c->n_rows + 1, sizeof(*place_of_row));
	struct pd_strtab names = {0};
	uint32_t n_places = 0;
	bool ok = places && place_of_row &&
		  find_places(w, &names, places, &n_places, place_of_row) &&
		  take_chosen(w, &names, places, n_places, place_of_row);

	pd_strtab_done(&names);
	free(places);
	free(place_of_row);
	return ok;
}

/* Leftovers of one name are one part; they are neighbours. */
static void take_leftovers(struct work *w)
{
	const struct pd_comparison *c = w->c;
	struct pd_cause *cause = NULL;
	uint32_t last = 0;

	for (uint32_t i = 0; i < c->n_leftovers; i++) {
		const struct pd_leftover *l = &c->leftovers[i];
		struct pd_row as_row = {.runs = l->runs, .sides = l->sides, .changes = l->changes};

		if (l->event != w->event ||
		    (cost(w, &as_row, false) == 0 && cost(w, &as_row, true) == 0))
			continue;
		if (!cause || last != l->name.id)
			cause = add_cause(w, PD_CAUSE_LEFTOVER,
					  pd_strtab_get(&c->strings, l->name));
		last = l->name.id;
		add_row(w, &as_row, cause);
		cause->n_rows = 0;
	}
}

/* What is still nobody's; it takes what rounding of the sums left, too. */
static void take_rest(struct work *w)
{
	struct pd_cause sum = {0}, *rest = add_cause(w, PD_CAUSE_REST, "the rest");
	const struct pd_cause *total = &w->out->total;

	for (uint32_t i = 0; i + 1 < w->out->n_causes; i++) {
		sum.base += w->out->causes[i].base;
		sum.next += w->out->causes[i].next;
		sum.delta += w->out->causes[i].delta;
	}
	for (uint32_t i = 0; i < w->n_order; i++)
		if (!w->is_taken[w->order[i]])
			take(w, w->order[i], rest);
	rest->base = total->base - sum.base;
	rest->next = total->next - sum.next;
	rest->delta = total->delta - sum.delta;
	if (!rest->n_rows && fabs(rest->delta) <= 1e-9 * (fabs(total->base) + fabs(total->next)))
		w->out->n_causes--;
}

struct moved {
	uint32_t row;
	double change;
	const char *name, *module;
};

static int compare_moved(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;
	int d;

	if (x->change != y->change)
		return x->change > y->change ? -1 : 1;
	d = strcmp(x->name, y->name);
	return d ? d : strcmp(x->module, y->module);
}

/* The rows that the total is the sum of, those that moved most first. */
static bool order_rows(struct work *w)
{
	const struct pd_comparison *c = w->c;
	struct moved *moved = calloc((size_t)c->n_rows + 1, sizeof(*moved));
	struct pd_sum sum = {0};

	for (uint32_t i = 0; i < c->n_rows && moved; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->event != w->event || row->group != PD_NO_ROW)
			continue;
		moved[w->n_order++] = (struct moved){
			i, fabs(change(w, row)), pd_strtab_get(&c->strings, row->name),
			pd_strtab_get(&c->strings, row->module)};
		if (!row->is_idle)
			pd_sum_add(&sum, fabs(change(w, row)));
	}
	if (moved && w->n_order)
		qsort(moved, w->n_order, sizeof(*moved), compare_moved);
	for (uint32_t i = 0; i < w->n_order && moved; i++)
		w->order[i] = moved[i].row;
	w->least = MIN_SHARE * sum.high;
	free(moved);
	return moved;
}

/* What a run did of the metric that costs are per unit of; 1 without. */
static double units_of(const struct pd_comparison *c, uint32_t event, uint32_t side)
{
	const struct pd_side *s = &c->sides[side];
	struct pd_sum sum = {0};

	if (!c->per)
		return 1;
	for (uint32_t i = 0; i < s->n_runs; i++)
		pd_sum_add(&sum, c->events[event].scale[s->first_run + i]);
	return sum.high / s->n_runs;
}

static int explain(struct work *w, struct pd_error *err)
{
	const struct pd_comparison *c = w->c;
	size_t n_most = (size_t)c->n_leftovers + MAX_GROUPS + MAX_FUNCTIONS + MAX_FOLDERS + 2;
	struct pd_arena *a = &w->out->arena;
	const struct pd_compared_event *e = &c->events[w->event];
	struct pd_row total = {.runs = e->totals, .sides = e->sides, .changes = e->changes};

	w->out->split = c->per ? PD_SPLIT_PER : c->has_calls ? PD_SPLIT_CALLS : PD_SPLIT_NONE;
	w->out->causes = pd_arena_array(a, n_most, sizeof(*w->out->causes));
	w->is_taken = pd_arena_array(a, c->n_rows + (size_t)1, sizeof(bool));
	w->order = pd_arena_array(a, c->n_rows + (size_t)1, sizeof(*w->order));
	if (!w->out->causes || !w->is_taken || !w->order || !order_rows(w))
		return pd_fail_nomem(err);
	w->out->has_total = !c->is_inclusive;
	if (c->is_inclusive) {
		take_functions(w);
		return PD_OK;
	}
	w->out->total = (struct pd_cause){.name = "total"};
	w->out->total.base = cost(w, &total, false);
	w->out->total.next = cost(w, &total, true);
	w->out->total.delta = w->out->total.next - w->out->total.base;
	take_idle(w);
	take_inline_groups(w);
	take_functions(w);
	if (!take_places(w))
		return pd_fail_nomem(err);
	take_leftovers(w);
	take_rest(w);
	for (uint32_t i = 0; i < w->out->n_causes; i++) {
		w->out->total.by_calls += w->out->causes[i].by_calls;
		w->out->total.by_cost += w->out->causes[i].by_cost;
		w->out->total.unsplit += w->out->causes[i].unsplit;
	}
	return PD_OK;
}

int pd_explain(const struct pd_comparison *c, uint32_t event, uint32_t side,
	       struct pd_explanation *ret_explanation, struct pd_error *err)
{
	struct pd_explanation out = {0};
	struct work w = {.c = c, .out = &out, .event = event, .side = side};
	int rc;

	w.units[0] = units_of(c, event, 0);
	w.units[1] = units_of(c, event, side);
	rc = explain(&w, err);
	if (rc != PD_OK) {
		pd_explanation_done(&out);
		return rc;
	}
	*ret_explanation = out;
	return PD_OK;
}

void pd_explanation_done(struct pd_explanation *explanation)
{
	pd_arena_done(&explanation->arena);
	*explanation = (struct pd_explanation){0};
}
