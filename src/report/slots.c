/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Choosing and filling columns. Contract: columns.h.
 */
#include "analysis/names.h"
#include "base/num.h"
#include "base/suggest.h"
#include "base/text.h"
#include "report/columns.h"
#include "report/figures.h"

/* A column for every side that it is there for. */
static int add_kind(struct pd_document *d, const struct pd_comparison *c,
		    const struct pd_column_kind *kind, struct pd_slots *slots, struct pd_error *err)
{
	uint32_t from = kind->scope == PD_SCOPE_NEXT;
	uint32_t to = kind->scope == PD_SCOPE_ROW ? 1 : c->n_sides;
	struct pd_slot *items = pd_arena_array(&d->arena, slots->n + to, sizeof(*items));

	if (!items)
		return pd_fail_nomem(err);
	if (slots->n)
		memcpy(items, slots->items, slots->n * sizeof(*items));
	slots->items = items;
	for (uint32_t s = from; s < to; s++)
		items[slots->n++] = (struct pd_slot){kind, s};
	return PD_OK;
}

static int fail_column(struct pd_span id, struct pd_error *err)
{
	struct pd_suggestion near = pd_suggest_for(id);
	struct pd_buf text = {0};
	int rc;

	for (const struct pd_column_kind *kind = pd_column_kinds; kind->id; kind++)
		pd_suggest_offer(&near, pd_span_of(kind->id));
	rc = pd_fail(err, PD_ERR_USAGE, "--columns: no column \"%.*s\"%s; --list-columns has them",
		     PD_SPAN_ARG(id), pd_suggest_text(&near, "", &text));
	pd_buf_done(&text);
	return rc;
}

int pd_slots_check(const char *ids, struct pd_error *err)
{
	struct pd_span rest = pd_span_of(ids);

	do {
		size_t len = pd_span_find(rest, ",");
		struct pd_span id = pd_span_sub(rest, 0, len);

		if (!pd_column_kind_find(id))
			return fail_column(id, err);
		rest = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(rest, len + 1, rest.len);
	} while (rest.len);
	return PD_OK;
}

static int choose_named(struct pd_document *d, const struct pd_comparison *c, const char *ids,
			struct pd_slots *slots, struct pd_error *err)
{
	struct pd_span rest = pd_span_of(ids);
	int rc = pd_slots_check(ids, err);

	while (rc == PD_OK && rest.len) {
		size_t len = pd_span_find(rest, ",");

		rc = add_kind(d, c, pd_column_kind_find(pd_span_sub(rest, 0, len)), slots, err);
		rest = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(rest, len + 1, rest.len);
	}
	return rc;
}

static bool has_several_runs(const struct pd_comparison *c)
{
	for (uint32_t s = 0; s < c->n_sides; s++)
		if (c->sides[s].n_runs > 1)
			return true;
	return false;
}

/* Rows of --by=module are called as their modules are. */
static bool are_rows_modules(const struct pd_comparison *c)
{
	for (uint32_t i = 0; i < c->n_rows; i++) {
		struct pd_span name = pd_strtab_span(&c->strings, c->rows[i].name);
		struct pd_span module = pd_module_base_name(
			pd_strtab_span(&c->strings, c->rows[i].module));

		if (name.len != module.len || memcmp(name.ptr, module.ptr, name.len) != 0)
			return false;
	}
	return true;
}

/* Modules are worth a column only where there are two of them, and they are told else. */
static bool has_several_modules(const struct pd_comparison *c)
{
	if (are_rows_modules(c))
		return false;
	for (uint32_t i = 1; i < c->n_rows; i++)
		if (c->rows[i].module.id != c->rows[0].module.id)
			return true;
	for (uint32_t i = 0; i < c->n_leftovers && c->n_rows && c->rows[0].module.id; i++)
		if (c->leftovers[i].module.id &&
		    c->leftovers[i].module.id != c->rows[0].module.id)
			return true;
	return false;
}

/* Whether a column of a side says something in this comparison. */
static bool is_usual(const struct pd_comparison *c, const char *id)
{
	bool is_single = c->mode == PD_STATS_SINGLE;

	if (!strcmp(id, "sd")) /* beside bytes, there is no room for it */
		return has_several_runs(c) && !c->has_sizes;
	if (!strcmp(id, "sampling") && c->n_sides > 2)
		return false; /* one wide column more for each side */
	if (!strcmp(id, "sampling") || !strcmp(id, "mark"))
		return is_single && !has_several_runs(c) && c->events[0].is_counted;
	if (!strncmp(id, "by-", strlen("by-")))
		return c->has_calls && c->n_sides == 2 && !c->has_sizes;
	if (!strncmp(id, "bytes", strlen("bytes")))
		return c->has_sizes;
	if (!strcmp(id, "finding"))
		return !is_single || has_several_runs(c);
	return true;
}

static int choose_usual(struct pd_document *d, const struct pd_comparison *c,
			struct pd_slots *slots, struct pd_error *err)
{
	static const char *const of_side[] = {"value", "sd", "delta", "change", "sampling", "mark",
					      "by-calls", "by-cost", "finding", "bytes",
					      "bytes-delta"};
	uint32_t n_most = c->n_sides * (sizeof(of_side) / sizeof(of_side[0]));
	int rc = PD_OK;

	slots->items = pd_arena_array(&d->arena, n_most, sizeof(*slots->items));
	if (!slots->items)
		return pd_fail_nomem(err);
	/* Two sides stand beside each other; of more, each has its change right behind it. */
	for (uint32_t s = 0; s < c->n_sides; s++)
		for (size_t i = 0; i < sizeof(of_side) / sizeof(of_side[0]); i++) {
			const struct pd_column_kind *kind =
				pd_column_kind_find(pd_span_of(of_side[i]));

			/* The base's bytes are the next side's less the difference. */
			if ((kind->scope == PD_SCOPE_NEXT && !s) || !is_usual(c, kind->id) ||
			    (!s && !strcmp(kind->id, "bytes")))
				continue;
			slots->items[slots->n++] = (struct pd_slot){kind, s};
		}
	if (has_several_modules(c))
		rc = add_kind(d, c, pd_column_kind_find(pd_span_of("module")), slots, err);
	if (rc == PD_OK)
		rc = add_kind(d, c, pd_column_kind_find(pd_span_of("function")), slots, err);
	return rc;
}

int pd_slots_choose(struct pd_document *d, const struct pd_comparison *c, const char *ids,
		    struct pd_slots *ret_slots, struct pd_error *err)
{
	struct pd_slots slots = {0};
	int rc = ids ? choose_named(d, c, ids, &slots, err) : choose_usual(d, c, &slots, err);

	if (rc == PD_OK)
		*ret_slots = slots;
	return rc;
}

int pd_slots_of_sides(struct pd_document *d, const struct pd_slots *slots,
		      struct pd_slots *ret_slots, struct pd_error *err)
{
	struct pd_slots sides = {
		.items = pd_arena_array(&d->arena, slots->n, sizeof(*sides.items)),
	};

	if (!sides.items)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < slots->n; i++)
		if (slots->items[i].kind->flags & PD_COLUMN_IN_TOTAL)
			sides.items[sides.n++] = slots->items[i];
	*ret_slots = sides;
	return PD_OK;
}

int pd_slots_all(struct pd_document *d, const struct pd_comparison *c, struct pd_slots *ret_slots,
		 struct pd_error *err)
{
	struct pd_slots slots = {0};
	int rc = PD_OK;

	for (const struct pd_column_kind *kind = pd_column_kinds; kind->id && rc == PD_OK; kind++)
		if (!(kind->flags & PD_COLUMN_FOR_PEOPLE))
			rc = add_kind(d, c, kind, &slots, err);
	if (rc == PD_OK)
		*ret_slots = slots;
	return rc;
}

/* Length of what all labels begin with, up to the last separator in it. */
static size_t shared_prefix(const struct pd_comparison *c)
{
	const char *first = c->sides[0].label;
	size_t n = strlen(first), cut = 0;

	for (uint32_t s = 1; s < c->n_sides; s++) {
		size_t i = 0;

		while (i < n && c->sides[s].label[i] == first[i])
			i++;
		n = i;
	}
	for (size_t i = 0; i < n; i++)
		if (strchr("-_/. ", first[i]))
			cut = i + 1;
	for (uint32_t s = 0; s < c->n_sides; s++)
		if (!c->sides[s].label[cut])
			return 0;
	return cut;
}

/* Whether a title does not tell the side: another column of it is not right before. */
static bool needs_label(const struct pd_comparison *c, const struct pd_slots *slots, uint32_t i)
{
	const struct pd_slot *slot = &slots->items[i], *before = i ? slot - 1 : NULL;

	if (!slot->kind->title || slot->kind->scope == PD_SCOPE_ROW ||
	    (slot->kind->scope == PD_SCOPE_NEXT && c->n_sides == 2))
		return false;
	return !before || before->side != slot->side || before->kind->scope == PD_SCOPE_ROW;
}

void pd_slots_add(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		  const struct pd_slots *slots, bool has_full_labels, struct pd_table *t)
{
	size_t cut = has_full_labels ? 0 : shared_prefix(c);
	struct pd_figures figures = pd_event_figures(d, c, event);

	for (uint32_t i = 0; i < slots->n; i++) {
		const struct pd_column_kind *kind = slots->items[i].kind;
		uint32_t side = slots->items[i].side;
		const char *label = c->sides[side].label, *id = kind->id, *title = kind->title;

		if (c->rows_are && !strcmp(id, "function"))
			title = c->rows_are;
		if (kind->scope != PD_SCOPE_ROW)
			id = pd_document_printf(d, "%s %s", label, kind->id);
		if (needs_label(c, slots, i))
			title = pd_document_printf(d, "%s %s", label + cut, title);
		if (!title)
			title = pd_document_printf(d, "%s%s", label + cut,
						   has_full_labels && !side ? " (base)" : "");
		if (kind->decimals == PD_DECIMALS_OF_EVENT) {
			pd_table_add_column(d, t, id, title, kind->style, figures.decimals);
			pd_table_set_divisor(t, figures.divisor);
		} else {
			pd_table_add_column(d, t, id, title, kind->style, kind->decimals);
		}
		if (kind->scope != PD_SCOPE_ROW)
			pd_table_set_group(t, side + 1);
	}
}

void pd_slots_fill(struct pd_document *d, const struct pd_comparison *c,
		   const struct pd_slots *slots, const struct pd_row *row, struct pd_cell *cells)
{
	for (uint32_t i = 0; i < slots->n; i++) {
		const struct pd_column_kind *kind = slots->items[i].kind;

		kind->get(d, c, row, slots->items[i].side, &cells[i]);
		if (slots->modules && !strcmp(kind->id, "module"))
			cells[i].text = pd_document_text(
				d, pd_short_module(slots->modules, &c->strings, row->module));
	}
}
