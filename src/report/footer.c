/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sentences below the tables of a comparison. Contract: footer.h.
 */
#include "report/footer.h"

#include "base/num.h"
#include "base/text.h"
#include "report/figures.h"
#include "report/headline.h"

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/* What rows that are no members add to the change of a side. */
static double sum_of_rows(const struct pd_comparison *c, uint32_t event, uint32_t side)
{
	double sum = 0;

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->event != event || row->group != PD_NO_ROW)
			continue;
		/* A side without a mean stands in [unlisted]: here it counts as nothing. */
		if (pd_is_known(row->sides[side].value))
			sum += row->sides[side].value;
		if (pd_is_known(row->sides[0].value))
			sum -= row->sides[0].value;
	}
	return sum;
}

/* "rows -43757, [unlisted] +343; total -43414 ticks.": leftovers of one name are one term. */
static void add_conservation(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
			     uint32_t side)
{
	const struct pd_compared_event *e = &c->events[event];
	struct pd_figures f = pd_event_figures(d, c, event);
	double rows = sum_of_rows(c, event, side);
	const char *text = pd_document_printf(d, "rows %s", pd_figures_signed(d, &f, rows));

	for (uint32_t i = 0, end; i < c->n_leftovers; i = end) {
		const struct pd_leftover *l = &c->leftovers[i];
		double delta = 0;

		for (end = i; end < c->n_leftovers && c->leftovers[end].event == l->event &&
			      c->leftovers[end].name.id == l->name.id;
		     end++)
			delta += c->leftovers[end].changes[side].delta;
		if (l->event == event)
			text = pd_document_printf(d, "%s, %s %s", text,
						  pd_strtab_get(&c->strings, l->name),
						  pd_figures_signed(d, &f, delta));
	}
	pd_document_add_text(d,
			     pd_document_printf(d, "%s; total %s %s%s%s.", text,
						pd_figures_signed(d, &f, e->changes[side].delta),
						f.unit, c->n_sides > 2 ? ", " : "",
						c->n_sides > 2 ? c->sides[side].label : ""));
}

static void add_hidden(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		       const struct pd_order *o,
		       const struct pd_view_options *options)
{
	char buf[PD_NUM_LEN];

	if (o->n_middle)
		pd_document_add_text(d, pd_document_printf(d,
							   "%u row%s between not shown "
							   "(--top=%u).",
							   o->n_middle, plural(o->n_middle),
							   options->n_top));
	if (o->n_small)
		pd_document_add_text(d,
				     pd_document_printf(d,
							"%u row%s not shown: less than %s "
							"on every side (--min-ticks).",
							o->n_small, plural(o->n_small),
							pd_num_shortest(options->min_ticks, buf)));
	if (o->n_few)
		pd_document_add_text(d, pd_document_printf(d,
							   "%u row%s with too few samples not "
							   "shown (--min-ticks=0).",
							   o->n_few, plural(o->n_few)));
	if (o->n_tiny) {
		struct pd_figures f = pd_event_figures(d, c, event);

		pd_document_add_text(d, pd_document_printf(
					d, "%u row%s not shown: less than %s %s on every side.",
					o->n_tiny, plural(o->n_tiny),
					pd_num_shortest(pow(10, -f.decimals) / 2, buf), f.unit));
	}
	if (o->n_empty)
		pd_document_add_text(d, pd_document_printf(d,
							   "%u row%s without any cost not "
							   "shown.",
							   o->n_empty, plural(o->n_empty)));
}

static bool has_unknown(const struct pd_comparison *c)
{
	for (uint32_t i = 0; i < c->n_rows; i++)
		for (uint32_t s = 0; s < c->n_sides; s++)
			if (!pd_is_known(c->rows[i].sides[s].value))
				return true;
	return false;
}

enum { MAX_ONE_SIDED = 3 };

/* A sum of inlined functions says what became of the row. */
static bool is_explained(const struct pd_comparison *c, uint32_t row)
{
	for (uint32_t i = 0; i < c->n_beside; i++)
		for (uint32_t k = 0; k < c->beside[i].n_members; k++)
			if (c->beside[i].members[k] == row)
				return true;
	return false;
}

/* The row of the other side only that has the same name in another module; NULL: none. */
static const struct pd_row *find_moved(const struct pd_comparison *c, const struct pd_row *row)
{
	enum pd_pairing other = row->paired == PD_BASE_ONLY ? PD_NEXT_ONLY : PD_BASE_ONLY;

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *x = &c->rows[i];

		if (x->paired == other && x->name.id == row->name.id && x->event == row->event &&
		    x->module.id && row->module.id && x->module.id != row->module.id)
			return x;
	}
	return NULL;
}

/* A program that has another file name in each build looks all gone and all new. */
static void add_moved(struct pd_document *d, const struct pd_comparison *c,
		      const struct pd_row *row, const struct pd_row *other)
{
	bool is_gone = row->paired == PD_BASE_ONLY;

	pd_document_add_text(d, pd_document_printf(
		d, "warning: %s is of %s on the base and of %s on the next side: if these are one "
		"program, its rows are no changes; call the files of both builds alike, in "
		"folders of their own.", pd_strtab_get(&c->strings, row->name),
		pd_strtab_get(&c->strings, (is_gone ? row : other)->module),
		pd_strtab_get(&c->strings, (is_gone ? other : row)->module)));
}

/*
 * Functions of some weight that only one side has: most such are no change of
 * cost, but of inlining or of a name (STATS 4.0).
 */
static void add_one_sided(struct pd_document *d, const struct pd_comparison *c)
{
	const char *text = "";
	const struct pd_row *moved = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_rows && n < MAX_ONE_SIDED && !moved; i++) {
		const struct pd_row *row = &c->rows[i];
		bool is_gone = row->paired == PD_BASE_ONLY;
		double cost = 0;

		if (row->group != PD_NO_ROW || (!is_gone && row->paired != PD_NEXT_ONLY))
			continue;
		for (uint32_t s = 0; s < c->n_sides; s++)
			cost += row->sides[s].value * c->sides[s].n_runs;
		if (!(cost >= PD_STATS_MIN_TICKS * c->events[row->event].tick) ||
		    is_explained(c, i))
			continue;
		moved = find_moved(c, row);
		if (moved) {
			add_moved(d, c, row, moved);
			continue;
		}
		text = pd_document_printf(d, "%s%s%s (%s)", text, n++ ? ", " : "",
					  pd_strtab_get(&c->strings, row->name),
					  is_gone ? "gone" : "new");
	}
	if (n)
		pd_document_add_text(d, pd_document_printf(d,
							   "only on one side: %s: inlined or "
							   "renamed? see --group and --map.",
							   text));
}

enum { MAX_NAMED = 5 };

/* "foo, bar and 3 more": rows for which a test holds; NULL: none. */
static const char *list_rows(struct pd_document *d, const struct pd_comparison *c,
			     bool (*holds)(const struct pd_row *row))
{
	const char *text = NULL;
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const char *name = pd_strtab_get(&c->strings, c->rows[i].name);

		if (!holds(&c->rows[i]) || n++ >= MAX_NAMED)
			continue;
		text = pd_document_printf(d, "%s%s%s", text ? text : "", text ? ", " : "", name);
	}
	return n > MAX_NAMED ? pd_document_printf(d, "%s and %u more", text, n - MAX_NAMED) : text;
}

static bool has_same_code(const struct pd_row *row)
{
	return row->is_same_code;
}

static bool is_paired_by_code(const struct pd_row *row)
{
	return row->paired == PD_PAIRED_CODE;
}

/* What images tell of code: see analysis/code.h. */
static void add_code(struct pd_document *d, const struct pd_comparison *c)
{
	const char *same = list_rows(d, c, has_same_code);
	const char *renamed = list_rows(d, c, is_paired_by_code);

	if (same)
		pd_document_add_text(d, pd_document_printf(
			d, "same code on both sides: where it lies, what is in the caches, or how "
			"often it is called has changed, not the code itself, of %s.", same));
	if (renamed)
		pd_document_add_text(d, pd_document_printf(
			d, "the same code under another name before: %s.", renamed));
}

void pd_footer_add_receipt(struct pd_document *d, const struct pd_comparison *c)
{
	char base[PD_NUM_LEN], next[PD_NUM_LEN];

	if (!c->is_inclusive && pd_is_known(c->receipt.base_paired_ratio) &&
	    pd_is_known(c->receipt.next_paired_ratio)) {
		const char *text = pd_document_printf(
			d, "paired: %s%% of the base, %s%% of the next; %u row%s on one side only.",
			pd_num_fixed(100 * c->receipt.base_paired_ratio, 1, base),
			pd_num_fixed(100 * c->receipt.next_paired_ratio, 1, next),
			c->receipt.n_unpaired, plural(c->receipt.n_unpaired));

		pd_document_add_text(d, text);
	}
	add_one_sided(d, c);
	for (uint32_t i = 0; i < c->n_notes; i++)
		pd_document_add_text(d, pd_document_text(d, c->notes[i]));
	add_code(d, c);
	if (has_unknown(c))
		pd_document_add_text(d, "?: not in every list of that side, and the lists are cut: "
					"the cost is unknown, not 0.");
	if (c->mode == PD_STATS_SINGLE && c->events[0].is_counted)
		pd_document_add_text(d,
				     "one run a side: run-to-run noise is unknown, so there is "
				     "no verdict: tests of sampling noise alone flag something in "
				     "57-100% of comparisons of equal builds. ! marks rows that "
				     "stand out from the others; +- is the sampling error alone. "
				     "Repeat the runs (5 a side).");
	else if (!c->events[0].is_counted)
		pd_document_add_text(d,
				     "the inputs have no counts of samples: rows are compared by "
				     "Welch's test on their numbers.");
}

void pd_footer_add_event(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
			 const struct pd_order *order, const struct pd_view_options *options)
{
	add_hidden(d, c, event, order, options);
	if (c->has_calls)
		pd_document_add_text(d,
				     "delta = \"by calls\" (how much more often it was called, at "
				     "the mean cost of a call) + \"by cost\" (how much more one "
				     "call costs). Tracing adds a cost to each call.");
	if (c->is_inclusive)
		pd_document_add_text(d,
				     "costs are inclusive, with all callees: rows overlap and do "
				     "not add up to the total.");
	for (uint32_t s = 1; s < c->n_sides && !c->is_inclusive; s++)
		add_conservation(d, c, event, s);
}
