/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leftovers. Contract: leftovers.h.
 */
#include "analysis/leftovers.h"

#include "analysis/inline_groups.h"
#include "analysis/rows.h"
#include "base/num.h"

static struct pd_leftover *add_leftover(struct pd_comparison *c, uint32_t event, pd_str module,
					pd_str name)
{
	struct pd_leftover *l = &c->leftovers[c->n_leftovers];

	*l = (struct pd_leftover){
		.name = name,
		.module = module,
		.event = event,
		.runs = pd_arena_array(&c->arena, c->n_runs, sizeof(double)),
		.sides = pd_arena_array(&c->arena, c->n_sides, sizeof(*l->sides)),
		.changes = pd_changes_new(c, c->n_sides),
	};
	if (!l->runs || !l->sides || !l->changes)
		return NULL;
	c->n_leftovers++;
	return l;
}

/* The leftover of that name without a module, a new one if there is none. */
static struct pd_leftover *leftover_at(struct pd_comparison *c, uint32_t event, const char *name)
{
	pd_str id = pd_strtab_intern_str(&c->strings, name);

	for (uint32_t i = 0; i < c->n_leftovers; i++) {
		struct pd_leftover *l = &c->leftovers[i];

		if (l->event == event && l->name.id == id.id && !l->module.id)
			return l;
	}
	return add_leftover(c, event, (pd_str){0}, id);
}

/* Add what is known of a row's runs, of the members where it has some. */
static void add_row(const struct pd_comparison *c, const struct pd_row *row, uint32_t run,
		    double *sum)
{
	if (pd_is_known(row->runs[run])) {
		*sum += row->runs[run];
		return;
	}
	for (uint32_t i = 0; i < row->n_members; i++) {
		double x = c->rows[row->members[i]].runs[run];

		if (pd_is_known(x))
			*sum += x;
	}
}

/* Whether the costs of a side's runs are all known. */
static bool is_known_on(const struct pd_comparison *c, const struct pd_row *row, uint32_t side)
{
	const struct pd_side *s = &c->sides[side];

	for (uint32_t r = s->first_run; r < s->first_run + s->n_runs; r++)
		if (!pd_is_known(row->runs[r]))
			return false;
	return true;
}

/* Costs that are listed, on a side of which the row has no mean. */
static int take_hidden(struct pd_comparison *c, const struct pd_row *row, struct pd_error *err)
{
	for (uint32_t s = 0; s < c->n_sides; s++) {
		const struct pd_side *side = &c->sides[s];

		if (is_known_on(c, row, s))
			continue;
		for (uint32_t r = side->first_run; r < side->first_run + side->n_runs; r++) {
			struct pd_leftover *l;
			double listed = 0;

			add_row(c, row, r, &listed);
			if (listed == 0)
				continue;
			l = leftover_at(c, row->event, "[unlisted]");
			if (!l)
				return pd_fail_nomem(err);
			l->runs[r] += listed;
		}
	}
	return PD_OK;
}

int pd_leftovers_make(struct pd_comparison *c, const struct pd_leaves *leaves,
		      struct pd_error *err)
{
	/* Every leaf can be one; "[unlisted]" and "[filtered]" may come for each event. */
	size_t cap = (size_t)leaves->n + 2 * c->n_events;
	int rc = PD_OK;

	c->leftovers = pd_arena_array(&c->arena, cap, sizeof(*c->leftovers));
	if (!c->leftovers)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < leaves->n; i++) {
		const struct pd_leaf *leaf = &leaves->items[i];
		struct pd_leftover *l;

		if (!leaf->is_leftover)
			continue;
		l = add_leftover(c, leaf->event, leaf->module, leaf->name);
		if (!l)
			return pd_fail_nomem(err);
		for (uint32_t r = 0; r < c->n_runs; r++)
			if (pd_is_known(leaf->runs[r]))
				l->runs[r] = leaf->runs[r];
	}
	for (uint32_t i = 0; i < c->n_rows && rc == PD_OK; i++)
		if (c->rows[i].group == PD_NO_ROW)
			rc = take_hidden(c, &c->rows[i], err);
	return rc;
}

int pd_leftovers_take_rows(struct pd_comparison *c, struct pd_error *err)
{
	uint32_t n = 0, *new_of = pd_arena_array(&c->arena, c->n_rows, sizeof(*new_of));

	if (!new_of)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		struct pd_row *row = &c->rows[i];
		struct pd_leftover *l;

		new_of[i] = PD_NO_ROW;
		if (!(row->group == PD_NO_ROW ? row : &c->rows[row->group])->is_filtered) {
			new_of[i] = n++;
			continue;
		}
		if (row->group != PD_NO_ROW || c->is_inclusive)
			continue; /* inclusive costs are in the totals many times over */
		l = leftover_at(c, row->event, "[filtered]");
		if (!l)
			return pd_fail_nomem(err);
		for (uint32_t s = 0; s < c->n_sides; s++)
			for (uint32_t k = 0; k < c->sides[s].n_runs; k++)
				if (is_known_on(c, row, s)) {
					uint32_t r = c->sides[s].first_run + k;

					l->runs[r] += row->runs[r];
				}
	}
	for (uint32_t i = 0; i < c->n_rows; i++) {
		struct pd_row *row = &c->rows[i];

		if (new_of[i] == PD_NO_ROW)
			continue;
		if (row->group != PD_NO_ROW)
			row->group = new_of[row->group];
		for (uint32_t k = 0; k < row->n_members; k++)
			row->members[k] = new_of[row->members[k]];
		c->rows[new_of[i]] = *row;
	}
	c->n_rows = n;
	pd_inline_groups_renumber(c, new_of);
	return PD_OK;
}
