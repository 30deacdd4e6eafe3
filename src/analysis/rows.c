/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making and ordering rows. Contract: rows.h.
 */
#include "analysis/rows.h"

#include <stdlib.h>

#include "analysis/inline_groups.h"
#include "analysis/names.h"
#include "base/num.h"

bool pd_row_add_note(struct pd_comparison *c, struct pd_row *row, const char *note)
{
	const char **notes = pd_arena_array(&c->arena, row->n_notes + 1, sizeof(*notes));

	if (!notes || !note)
		return false;
	if (row->n_notes)
		memcpy(notes, row->notes, row->n_notes * sizeof(*notes));
	notes[row->n_notes++] = note;
	row->notes = notes;
	return true;
}

struct pd_change *pd_changes_new(struct pd_comparison *c, uint32_t n)
{
	struct pd_change *changes = pd_arena_array(&c->arena, n, sizeof(*changes));

	for (uint32_t i = 0; i < n && changes; i++)
		changes[i] = (struct pd_change){
			.delta = PD_UNKNOWN, .ratio = PD_UNKNOWN,
			.delta_lo = PD_UNKNOWN, .delta_hi = PD_UNKNOWN,
			.ratio_lo = PD_UNKNOWN, .ratio_hi = PD_UNKNOWN,
			.level = PD_UNKNOWN, .z = PD_UNKNOWN, .p = PD_UNKNOWN, .q = PD_UNKNOWN,
			.bound = PD_UNKNOWN, .sampling = PD_UNKNOWN,
			.verdict = PD_VERDICT_NONE,
		};
	return changes;
}

/* A new row with its arrays; c->rows has room for all there can be. */
static struct pd_row *add_row(struct pd_comparison *c, uint32_t event, pd_str module, pd_str name)
{
	struct pd_row *row = &c->rows[c->n_rows];

	*row = (struct pd_row){
		.name = name,
		.module = module,
		.event = event,
		/* Inclusive costs of idle functions contain each other: there is no busy rest. */
		.is_idle = !c->is_inclusive && pd_name_is_idle(pd_strtab_span(&c->strings, name)),
		.group = PD_NO_ROW,
		.runs = pd_arena_array(&c->arena, c->n_runs, sizeof(double)),
		.is_listed = pd_arena_array(&c->arena, c->n_sides, sizeof(bool)),
		.sides = pd_arena_array(&c->arena, c->n_sides, sizeof(*row->sides)),
		.changes = pd_changes_new(c, c->n_sides),
	};
	if (!row->runs || !row->is_listed || !row->sides || !row->changes)
		return NULL;
	c->n_rows++;
	return row;
}

static bool is_on_next(const struct pd_comparison *c, const struct pd_row *row)
{
	for (uint32_t s = 1; s < c->n_sides; s++)
		if (row->is_listed[s])
			return true;
	return false;
}

static void set_pairing(const struct pd_comparison *c, struct pd_row *row, enum pd_pairing both)
{
	if (!row->is_listed[0])
		row->paired = PD_NEXT_ONLY;
	else
		row->paired = is_on_next(c, row) ? both : PD_BASE_ONLY;
}

static int add_leaf_row(struct pd_comparison *c, const struct pd_matched *m,
			const struct pd_leaf *leaf)
{
	struct pd_row *row = add_row(c, leaf->event, leaf->module, leaf->name);

	if (!row)
		return PD_ERR_NOMEM;
	row->file = leaf->file;
	row->calls = leaf->calls;
	for (uint32_t r = 0; r < m->n_runs; r++) {
		uint32_t own = m->event_of[leaf->event * m->n_runs + r];

		row->runs[r] = leaf->runs[r];
		if (pd_is_known(row->runs[r]))
			row->is_listed[m->side_of[r]] = true;
		else if (!m->runs[r]->events[own].is_cut)
			row->runs[r] = 0; /* a complete list: what it lacks had no cost */
	}
	set_pairing(c, row, leaf->is_by_code   ? PD_PAIRED_CODE
			    : leaf->is_renamed ? PD_PAIRED_MAP
					       : PD_PAIRED_EXACT);
	return PD_OK;
}

/* Whether all members of a family are on the base side and on a next side alike. */
static bool has_same_variants(const struct pd_comparison *c, const struct pd_row *sum)
{
	for (uint32_t i = 0; i < sum->n_members; i++) {
		const struct pd_row *member = &c->rows[sum->members[i]];

		if (!member->is_listed[0] || !is_on_next(c, member))
			return false;
	}
	return true;
}

/* Calls of a member are calls of the sum. False if there is no memory. */
static bool add_member_calls(struct pd_comparison *c, struct pd_row *row,
			     const struct pd_row *member)
{
	if (!member->calls)
		return true;
	if (!row->calls) {
		row->calls = pd_arena_array(&c->arena, c->n_runs, sizeof(*row->calls));
		if (!row->calls)
			return false;
		memcpy(row->calls, member->calls, c->n_runs * sizeof(*row->calls));
		return true;
	}
	for (uint32_t r = 0; r < c->n_runs; r++)
		if (pd_is_known(member->calls[r]))
			row->calls[r] = pd_is_known(row->calls[r])
						? row->calls[r] + member->calls[r]
						: member->calls[r];
	return true;
}

/* A row that is the sum of n rows of one event. */
static struct pd_row *add_sum_row(struct pd_comparison *c, pd_str name, const uint32_t *members,
				  uint32_t n)
{
	const struct pd_row *first = &c->rows[members[0]];
	struct pd_row *row = add_row(c, first->event, first->module, name);

	if (!row)
		return NULL;
	row->file = first->file;
	row->members = pd_arena_array(&c->arena, n, sizeof(*row->members));
	if (!row->members)
		return NULL;
	row->n_members = n;
	for (uint32_t i = 0; i < n; i++) {
		struct pd_row *member = &c->rows[members[i]];

		row->members[i] = members[i];
		member->group = (uint32_t)(row - c->rows);
		if (!add_member_calls(c, row, member))
			return NULL;
		for (uint32_t r = 0; r < c->n_runs; r++)
			row->runs[r] += member->runs[r];
		for (uint32_t s = 0; s < c->n_sides; s++)
			row->is_listed[s] |= member->is_listed[s];
		if (member->module.id != row->module.id)
			row->module = (pd_str){0};
		if (member->file.id != row->file.id)
			row->file = (pd_str){0};
	}
	return row;
}

static bool is_named(const struct pd_comparison *c, const struct pd_row *row, const char *name,
		     struct pd_buf *buf)
{
	struct pd_span s = pd_strtab_span(&c->strings, row->name);

	return pd_span_eq(s, name) || pd_span_eq(pd_name_family(s, buf), name);
}

/* The rows of an event that a group names; marks in found which names were of use. */
static uint32_t collect_group(const struct pd_comparison *c, const struct pd_group *g,
			      uint32_t event, uint32_t *ret_members, bool *found,
			      struct pd_buf *buf)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];
		bool is_member = false;

		if (row->event != event || row->group != PD_NO_ROW || row->n_members)
			continue;
		for (uint32_t k = 0; k < g->n_members; k++)
			if (is_named(c, row, g->members[k], buf))
				is_member = found[k] = true;
		if (is_member)
			ret_members[n++] = i;
	}
	return n;
}

static int make_group(struct pd_comparison *c, const struct pd_group *g, uint32_t *members,
		      struct pd_diags *diags, struct pd_error *err)
{
	bool *found = pd_arena_array(&c->arena, g->n_members, sizeof(*found));
	struct pd_buf buf = {0};
	uint32_t n_found = 0;

	if (!found)
		return pd_fail_nomem(err);
	for (uint32_t e = 0; e < c->n_events; e++) {
		uint32_t n = collect_group(c, g, e, members, found, &buf);
		struct pd_row *row;

		if (!n)
			continue;
		row = add_sum_row(c, pd_strtab_intern_str(&c->strings, g->name), members, n);
		if (!row) {
			pd_buf_done(&buf);
			return pd_fail_nomem(err);
		}
		set_pairing(c, row, PD_PAIRED_GROUP);
	}
	pd_buf_done(&buf);
	for (uint32_t k = 0; k < g->n_members; k++) {
		n_found += found[k];
		if (!found[k])
			pd_diags_add(diags, PD_WARNING, "group", NULL, 0,
				     "--group %s: there is no function %s, or another group has it",
				     g->name, g->members[k]);
	}
	if (!n_found)
		return pd_fail(err, PD_ERR_USAGE,
			       "--group %s: none of its functions is in the profiles", g->name);
	return PD_OK;
}

/* What makes rows one family, and the row. */
struct kin {
	uint32_t event;
	pd_str module, family;
	uint32_t row;
};

/* By what the inputs say, not by ids: those depend on the order of the inputs. */
static int compare_kin(const void *a, const void *b, void *context)
{
	const struct pd_strtab *t = context;
	const struct kin *x = a, *y = b;
	int d = 0;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->family.id != y->family.id)
		d = strcmp(pd_strtab_get(t, x->family), pd_strtab_get(t, y->family));
	if (!d && x->module.id != y->module.id)
		d = strcmp(pd_strtab_get(t, x->module), pd_strtab_get(t, y->module));
	return d ? d : x->row < y->row ? -1 : x->row > y->row;
}

static bool is_same_family(const struct kin *a, const struct kin *b)
{
	return a->event == b->event && a->module.id == b->module.id &&
	       a->family.id == b->family.id;
}

static int make_families(struct pd_comparison *c, uint32_t *members)
{
	struct kin *kin = calloc(c->n_rows ? c->n_rows : 1, sizeof(*kin));
	struct pd_buf buf = {0};
	uint32_t n = 0;
	int rc = kin ? PD_OK : PD_ERR_NOMEM;

	for (uint32_t i = 0; i < c->n_rows && rc == PD_OK; i++) {
		const struct pd_row *row = &c->rows[i];
		struct pd_span name = pd_strtab_span(&c->strings, row->name);

		if (row->group != PD_NO_ROW || row->n_members)
			continue;
		kin[n++] = (struct kin){
			.event = row->event,
			.module = row->module,
			.family = pd_strtab_intern(&c->strings, pd_name_family(name, &buf)),
			.row = i,
		};
	}
	if (n)
		qsort_r(kin, n, sizeof(*kin), compare_kin, &c->strings);
	for (uint32_t i = 0, end; i < n && rc == PD_OK; i = end) {
		struct pd_row *row;

		for (end = i + 1; end < n && is_same_family(&kin[i], &kin[end]); end++)
			;
		if (end - i == 1)
			continue;
		for (uint32_t k = i; k < end; k++)
			members[k - i] = kin[k].row;
		row = add_sum_row(c, kin[i].family, members, end - i);
		if (!row)
			rc = PD_ERR_NOMEM;
		else
			set_pairing(c, row, has_same_variants(c, row) ? PD_PAIRED_EXACT
								      : PD_PAIRED_SUFFIX);
	}
	pd_buf_done(&buf);
	free(kin);
	return rc;
}

int pd_rows_make(struct pd_comparison *c, const struct pd_matched *m,
		 const struct pd_leaves *leaves, const struct pd_compare_options *options,
		 struct pd_diags *diags, struct pd_error *err)
{
	/* Each leaf, a family for every two of them, and the groups. */
	size_t cap = (size_t)leaves->n * 2 + (size_t)options->n_groups * c->n_events;
	uint32_t *members = calloc(leaves->n + 1, sizeof(*members));
	int rc = PD_OK;

	c->rows = pd_arena_array(&c->arena, cap, sizeof(*c->rows));
	if (!c->rows || !members)
		rc = pd_fail_nomem(err);
	for (uint32_t i = 0; i < leaves->n && rc == PD_OK; i++)
		if (!leaves->items[i].is_leftover && add_leaf_row(c, m, &leaves->items[i]) != PD_OK)
			rc = pd_fail_nomem(err);
	for (uint32_t i = 0; i < options->n_groups && rc == PD_OK; i++)
		rc = make_group(c, &options->groups[i], members, diags, err);
	if (rc == PD_OK && options->suffix == PD_SUFFIX_GROUP && make_families(c, members) != PD_OK)
		rc = pd_fail_nomem(err);
	free(members);
	return rc;
}

/* The largest |delta| of a row; below all others where none is known. */
static double largest_delta(const struct pd_comparison *c, const struct pd_row *row)
{
	double largest = -1;

	for (uint32_t s = 1; s < c->n_sides; s++)
		if (pd_is_known(row->changes[s].delta))
			largest = fmax(largest, fabs(row->changes[s].delta));
	return largest;
}

static double largest_value(const struct pd_comparison *c, const struct pd_row *row)
{
	double largest = -1;

	for (uint32_t s = 0; s < c->n_sides; s++)
		if (pd_is_known(row->sides[s].value))
			largest = fmax(largest, row->sides[s].value);
	return largest;
}

double pd_row_calls(const struct pd_comparison *c, const struct pd_row *row, uint32_t side)
{
	const struct pd_side *s = &c->sides[side];
	double sum = 0;

	if (!row->calls)
		return PD_UNKNOWN;
	for (uint32_t i = 0; i < s->n_runs; i++) {
		double n = row->calls[s->first_run + i];

		/* A run that does not list it did not call it. */
		if (pd_is_known(n))
			sum += n;
		else if (row->runs[s->first_run + i] != 0)
			return PD_UNKNOWN;
	}
	return sum / s->n_runs;
}

bool pd_row_is_flagged(const struct pd_comparison *c, const struct pd_row *row)
{
	for (uint32_t s = 1; s < c->n_sides; s++)
		if (pd_verdict_is_finding(row->changes[s].verdict))
			return true;
	return false;
}

int pd_row_compare(const struct pd_comparison *c, const struct pd_row *x, const struct pd_row *y)
{
	double dx = largest_delta(c, x), dy = largest_delta(c, y);
	int d;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	d = pd_row_is_flagged(c, y) - pd_row_is_flagged(c, x);
	if (d)
		return d;
	if (dx != dy)
		return dx > dy ? -1 : 1;
	dx = largest_value(c, x);
	dy = largest_value(c, y);
	if (dx != dy)
		return dx > dy ? -1 : 1;
	d = strcmp(pd_strtab_get(&c->strings, x->name), pd_strtab_get(&c->strings, y->name));
	return d ? d : strcmp(pd_strtab_get(&c->strings, x->module),
			      pd_strtab_get(&c->strings, y->module));
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct pd_comparison *c = context;

	return pd_row_compare(c, &c->rows[*(const uint32_t *)a], &c->rows[*(const uint32_t *)b]);
}

/* Rows in their new order: sorted ones, members behind the row that is their sum. */
static uint32_t order_rows(struct pd_comparison *c, uint32_t *order)
{
	uint32_t n_top = 0, n = 0, *top = order + c->n_rows;

	for (uint32_t i = 0; i < c->n_rows; i++)
		if (c->rows[i].group == PD_NO_ROW)
			top[n_top++] = i;
	qsort_r(top, n_top, sizeof(*top), compare_rows, c);
	for (uint32_t i = 0; i < n_top; i++) {
		struct pd_row *row = &c->rows[top[i]];

		order[n++] = top[i];
		if (row->n_members)
			qsort_r(row->members, row->n_members, sizeof(*row->members), compare_rows,
				c);
		for (uint32_t k = 0; k < row->n_members; k++)
			order[n++] = row->members[k];
	}
	return n;
}

int pd_rows_sort(struct pd_comparison *c, struct pd_error *err)
{
	uint32_t *order = calloc(3 * (size_t)c->n_rows + 1, sizeof(*order));
	uint32_t *new_of = order ? order + 2 * (size_t)c->n_rows : NULL;
	struct pd_row *rows = pd_arena_array(&c->arena, c->n_rows, sizeof(*rows));
	uint32_t n;

	if (!order || !rows) {
		free(order);
		return pd_fail_nomem(err);
	}
	n = order_rows(c, order);
	for (uint32_t i = 0; i < n; i++) {
		rows[i] = c->rows[order[i]];
		new_of[order[i]] = i;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (rows[i].group != PD_NO_ROW)
			rows[i].group = new_of[rows[i].group];
		for (uint32_t k = 0; k < rows[i].n_members; k++)
			rows[i].members[k] = new_of[rows[i].members[k]];
	}
	c->rows = rows;
	pd_inline_groups_renumber(c, new_of);
	pd_inline_groups_sort(c);
	free(order);
	return PD_OK;
}
