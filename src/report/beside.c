/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inline groups for people. Contract: beside.h. The column of names has a sentence
 * that says what happened; the members that moved most follow.
 */
#include "report/beside.h"

#include "base/num.h"

enum { MAX_GROUPS = 10, MAX_MEMBERS = 6 };

static void add_row(struct pd_document *d, const struct pd_comparison *c,
		    const struct pd_slots *slots, const struct pd_row *from,
		    enum pd_row_kind kind, const char *name, struct pd_table *t)
{
	struct pd_table_row *row = pd_table_add_row(d, t, kind);

	if (!row)
		return;
	pd_slots_fill(d, c, slots, from, row->cells);
	for (uint32_t i = 0; i < slots->n && name; i++)
		if (!strcmp(slots->items[i].kind->id, "function"))
			row->cells[i].text = pd_document_text(d, name);
}

/* A group and its members; of many, those with the largest differences. */
static void add_group(struct pd_document *d, const struct pd_comparison *c,
		      const struct pd_slots *slots, const struct pd_row *group,
		      struct pd_table *t)
{
	uint32_t n = group->n_members <= MAX_MEMBERS ? group->n_members : MAX_MEMBERS - 1;

	add_row(d, c, slots, group, PD_ROW_NORMAL, group->n_notes ? group->notes[0] : NULL, t);
	for (uint32_t i = 0; i < n; i++)
		add_row(d, c, slots, &c->rows[group->members[i]], PD_ROW_CHILD, NULL, t);
	if (n < group->n_members)
		(void)pd_table_add_row(d, t, PD_ROW_BREAK);
}

/* So few samples that nothing can be said: there are many of these. */
static bool has_few(const struct pd_comparison *c, const struct pd_row *group)
{
	for (uint32_t s = 1; s < c->n_sides; s++)
		if (group->changes[s].verdict != PD_VERDICT_FEW)
			return false;
	return true;
}

/* "3 more sums ... not shown". */
static void tell_hidden(struct pd_document *d, uint32_t n, const char *why)
{
	if (n)
		pd_document_add_text(d, pd_document_printf(d, "%u sum%s of inlined functions not "
							   "shown%s.", n, n == 1 ? "" : "s", why));
}

void pd_beside_add(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		   const struct pd_slots *slots, const struct pd_view_options *options)
{
	uint32_t n_most = options->has_top ? options->n_top : MAX_GROUPS, n = 0, n_few = 0;
	struct pd_table *t = NULL;

	for (uint32_t i = 0; i < c->n_beside; i++) {
		const struct pd_row *group = &c->beside[i];

		if (group->event != event)
			continue;
		if (has_few(c, group)) {
			n_few++;
			continue;
		}
		if (n++ >= n_most && n_most)
			continue;
		if (!t) {
			t = pd_document_add_table(d, "inlined on one side only (sums beside the "
						  "rows, in no total):");
			pd_slots_add(d, c, event, slots, false, t);
		}
		if (t)
			add_group(d, c, slots, group, t);
	}
	tell_hidden(d, n_most && n > n_most ? n - n_most : 0, " (--top)");
	tell_hidden(d, n_few, ": too few samples");
}
