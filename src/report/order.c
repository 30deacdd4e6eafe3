/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Order and choice of rows. Contract: order.h.
 */
#include "report/order.h"

#include <stdlib.h>

#include "base/num.h"
#include "base/suggest.h"
#include "base/text.h"
#include "report/columns.h"
#include "report/figures.h"

enum { MAX_KEYS = 8 };

enum sort_by {
	SORT_DELTA_ABS, /* the largest of all sides */
	SORT_FUNCTION,
	SORT_MODULE,
	SORT_COLUMN, /* the numbers of a column */
};

struct sort_key {
	enum sort_by by;
	const struct pd_column_kind *kind; /* of SORT_COLUMN */
	uint32_t side;
	bool is_reversed;
};

struct sort {
	struct pd_document *d;
	const struct pd_comparison *c;
	struct sort_key keys[MAX_KEYS];
	uint32_t n_keys;
};

static double largest_delta(const struct pd_comparison *c, const struct pd_row *row)
{
	double largest = PD_UNKNOWN;

	for (uint32_t s = 1; s < c->n_sides; s++)
		largest = fmax(largest, fabs(row->changes[s].delta));
	return largest;
}

/* Large numbers first, unknown ones last. */
static int compare_numbers(double x, double y)
{
	if (!pd_is_known(x) || !pd_is_known(y))
		return pd_is_known(y) - pd_is_known(x);
	return x > y ? -1 : x < y;
}

static int compare_by_key(const struct sort *s, const struct sort_key *key, const struct pd_row *x,
			  const struct pd_row *y)
{
	struct pd_cell a = {PD_UNKNOWN, NULL}, b = {PD_UNKNOWN, NULL};
	const struct pd_strtab *t = &s->c->strings;

	if (key->by == SORT_FUNCTION)
		return strcmp(pd_strtab_get(t, x->name), pd_strtab_get(t, y->name));
	if (key->by == SORT_MODULE)
		return strcmp(pd_strtab_get(t, x->module), pd_strtab_get(t, y->module));
	if (key->by == SORT_DELTA_ABS)
		return compare_numbers(largest_delta(s->c, x), largest_delta(s->c, y));
	key->kind->get(s->d, s->c, x, key->side, &a);
	key->kind->get(s->d, s->c, y, key->side, &b);
	return compare_numbers(a.number, b.number);
}

/* Equal rows keep the order of the comparison, which never depends on the inputs' order. */
static int compare_items(const void *a, const void *b, void *context)
{
	const struct sort *s = context;
	uint32_t x = ((const struct pd_order_item *)a)->row;
	uint32_t y = ((const struct pd_order_item *)b)->row;

	for (uint32_t i = 0; i < s->n_keys; i++) {
		int d = compare_by_key(s, &s->keys[i], &s->c->rows[x], &s->c->rows[y]);

		if (d)
			return s->keys[i].is_reversed ? -d : d;
	}
	return x < y ? -1 : x > y;
}

static bool is_sortable(const struct pd_column_kind *kind)
{
	return kind->style != PD_STYLE_TEXT && !(kind->flags & PD_COLUMN_FOR_PEOPLE);
}

static int fail_key(struct pd_span word, struct pd_error *err)
{
	static const char *const others[] = {"delta-abs", "base", "next", "function", "module"};
	struct pd_suggestion near = pd_suggest_for(word);
	struct pd_buf text = {0};
	int rc;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		pd_suggest_offer(&near, pd_span_of(others[i]));
	for (const struct pd_column_kind *kind = pd_column_kinds; kind->id; kind++)
		if (is_sortable(kind))
			pd_suggest_offer(&near, pd_span_of(kind->id));
	rc = pd_fail(err, PD_ERR_USAGE, "--sort: expected delta-abs, base, next, function, module "
		     "or a column of numbers, found \"%.*s\"%s", PD_SPAN_ARG(word),
		     pd_suggest_text(&near, "", &text));
	pd_buf_done(&text);
	return rc;
}

/* "delta", "-change", "base", "next", "function", ... */
static int parse_key(struct pd_span s, struct sort *sort, struct pd_error *err)
{
	struct sort_key *key = &sort->keys[sort->n_keys];

	*key = (struct sort_key){0};
	if (pd_span_starts(s, "-")) {
		key->is_reversed = true;
		s = pd_span_sub(s, 1, s.len);
	}
	if (pd_span_eq(s, "function")) {
		key->by = SORT_FUNCTION;
	} else if (pd_span_eq(s, "module")) {
		key->by = SORT_MODULE;
	} else if (!pd_span_eq(s, "delta-abs")) {
		bool is_next = pd_span_eq(s, "next"), is_base = pd_span_eq(s, "base");

		key->by = SORT_COLUMN;
		key->kind = pd_column_kind_find(is_base || is_next ? pd_span_of("value") : s);
		if (!key->kind || !is_sortable(key->kind))
			return fail_key(s, err);
		key->side = is_next || key->kind->scope == PD_SCOPE_NEXT;
	}
	sort->n_keys++;
	return PD_OK;
}

static int parse_keys(const char *text, struct sort *sort, struct pd_error *err)
{
	struct pd_span rest = pd_span_of(text);
	int rc = PD_OK;

	do {
		size_t len = pd_span_find(rest, ",");

		if (sort->n_keys == MAX_KEYS)
			return pd_fail(err, PD_ERR_USAGE, "--sort: more than %d columns", MAX_KEYS);
		rc = parse_key(pd_span_sub(rest, 0, len), sort, err);
		rest = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(rest, len + 1, rest.len);
	} while (rc == PD_OK && rest.len);
	return rc;
}

static double largest_value(const struct pd_comparison *c, const struct pd_row *row)
{
	double largest = 0;

	for (uint32_t s = 0; s < c->n_sides; s++)
		largest = fmax(largest, row->sides[s].value);
	return largest;
}

/*
 * Whether a row of a recording has so few samples that nothing can be said of it: there
 * are many of these, one for each function that was met by chance.
 */
static bool has_few(const struct pd_comparison *c, const struct pd_row *row, double n_ticks)
{
	enum { FEW = 5 }; /* of one run a side, as below it nothing stands out */
	bool has = true;

	for (uint32_t s = 1; s < c->n_sides; s++)
		has &= row->changes[s].verdict == PD_VERDICT_FEW ||
		       (row->changes[s].verdict == PD_VERDICT_NONE && n_ticks < FEW);
	return c->events[row->event].is_weighted && has;
}

/* Whether the bytes of a row differ between the sides. */
static bool has_other_bytes(const struct pd_comparison *c, const struct pd_row *row)
{
	bool has = false;

	for (uint32_t s = 1; s < c->n_sides && row->n_bytes; s++)
		has |= (pd_is_known(row->n_bytes[s]) ? row->n_bytes[s] : 0) !=
		       (pd_is_known(row->n_bytes[0]) ? row->n_bytes[0] : 0);
	return has;
}

/* Rows of which there is nothing to see, or too little. */
static void hide_small(const struct pd_comparison *c, const struct pd_view_options *options,
		       double min_value, struct pd_order *o)
{
	for (uint32_t i = 0; i < o->n; i++) {
		const struct pd_row *row = &c->rows[o->items[i].row];
		double largest = largest_value(c, row);
		double n_ticks = largest / c->events[row->event].tick;
		bool is_enough = n_ticks >= options->min_ticks;
		bool is_few = !options->has_min_ticks && has_few(c, row, n_ticks);
		bool is_said = row->changes[1].verdict == PD_VERDICT_STANDOUT ||
			       pd_row_is_flagged(c, row);

		/* A folder without ticks may still have grown. */
		if (!(largest > 0) && c->rows_are && has_other_bytes(c, row))
			continue;
		if (largest > 0 && is_enough && !is_few && (largest >= min_value || is_said))
			continue;
		o->items[i].is_hidden = true;
		if (!(largest > 0))
			o->n_empty++;
		else if (!is_enough)
			o->n_small++;
		else if (is_few)
			o->n_few++;
		else
			o->n_tiny++;
	}
}

/* What rows are chosen by, whatever the order that they are shown in. */
struct by_delta {
	const struct pd_comparison *c;
	const struct pd_order_item *items;
};

static double delta_of(const struct by_delta *by, uint32_t item)
{
	return by->c->rows[by->items[item].row].changes[1].delta;
}

static int compare_deltas(const void *a, const void *b, void *context)
{
	const struct by_delta *by = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int d = compare_numbers(delta_of(by, x), delta_of(by, y));

	return d ? d : x < y ? -1 : x > y;
}

/*
 * Only the n rows that went up most stay, and the n that went down most. Idle
 * rows that stand apart are in no competition.
 */
static int hide_middle(struct pd_document *d, const struct pd_comparison *c,
		       const struct pd_view_options *options, struct pd_order *o)
{
	uint32_t n_top = options->n_top;
	struct by_delta by = {c, o->items};
	uint32_t *order = pd_arena_array(&d->arena, o->n, sizeof(*order));
	bool *is_chosen = pd_arena_array(&d->arena, o->n, sizeof(*is_chosen));
	uint32_t n = 0, n_up = 0, n_down = 0;
	bool was_hidden = false;

	if (!order || !is_chosen)
		return PD_ERR_NOMEM;
	for (uint32_t i = 0; i < o->n; i++)
		if (c->rows[o->items[i].row].is_idle && !options->has_idle_rows)
			is_chosen[i] = true;
		else if (!o->items[i].is_hidden && pd_is_known(delta_of(&by, i)))
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), compare_deltas, &by);
	for (; n_up < n && n_up < n_top && delta_of(&by, order[n_up]) > 0; n_up++)
		is_chosen[order[n_up]] = true;
	for (; n_down < n && n_down < n_top && delta_of(&by, order[n - 1 - n_down]) < 0; n_down++)
		is_chosen[order[n - 1 - n_down]] = true;
	for (uint32_t i = 0; i < o->n; i++) {
		struct pd_order_item *item = &o->items[i];

		if (item->is_hidden)
			continue;
		item->is_hidden = !is_chosen[i];
		item->is_after_break = was_hidden && is_chosen[i];
		o->n_middle += item->is_hidden;
		was_hidden = item->is_hidden;
	}
	return PD_OK;
}

/* Members go behind their group, as visible as it is. */
static int add_members(struct pd_document *d, const struct pd_comparison *c, struct pd_order *o)
{
	struct pd_order_item *items;
	uint32_t n = o->n;

	for (uint32_t i = 0; i < o->n; i++)
		n += c->rows[o->items[i].row].n_members;
	items = pd_arena_array(&d->arena, n, sizeof(*items));
	if (!items)
		return PD_ERR_NOMEM;
	n = 0;
	for (uint32_t i = 0; i < o->n; i++) {
		const struct pd_row *row = &c->rows[o->items[i].row];

		items[n++] = o->items[i];
		for (uint32_t k = 0; k < row->n_members; k++)
			items[n++] = (struct pd_order_item){
				.row = row->members[k],
				.is_hidden = o->items[i].is_hidden,
			};
	}
	o->items = items;
	o->n = n;
	return PD_OK;
}

int pd_order_make(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		  const struct pd_view_options *options, struct pd_order *ret_order,
		  struct pd_error *err)
{
	struct pd_order o = {.items = pd_arena_array(&d->arena, c->n_rows, sizeof(*o.items))};
	struct sort sort = {.d = d, .c = c};
	/* The comparison's own order is what was flagged, then the largest differences. */
	const char *keys = options->sort ? options->sort : options->n_top ? "delta" : NULL;
	int rc = keys ? parse_keys(keys, &sort, err) : PD_OK;

	if (rc != PD_OK)
		return rc;
	if (!o.items)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].event == event && c->rows[i].group == PD_NO_ROW)
			o.items[o.n++].row = i;
	qsort_r(o.items, o.n, sizeof(*o.items), compare_items, &sort);
	hide_small(c, options, pd_event_tiny(d, c, event), &o);
	if (options->n_top && hide_middle(d, c, options, &o) != PD_OK)
		return pd_fail_nomem(err);
	if (add_members(d, c, &o) != PD_OK)
		return pd_fail_nomem(err);
	*ret_order = o;
	return PD_OK;
}
