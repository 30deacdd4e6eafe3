/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns. Contract: columns.h.
 */
#include "report/columns.h"

#include "base/num.h"
#include "base/text.h"

/* What people see where a cut list hides a number. */
static const char unknown_text[] = "?";

static void get_value(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		      struct pd_cell *ret_cell)
{
	(void)c;
	ret_cell->number = row->sides[side].value;
	if (!pd_is_known(ret_cell->number))
		ret_cell->text = unknown_text;
}

static void get_sd(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		   struct pd_cell *ret_cell)
{
	(void)c;
	ret_cell->number = row->sides[side].sd;
}

static void get_delta(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		      struct pd_cell *ret_cell)
{
	(void)c;
	ret_cell->number = row->changes[side].delta;
	if (!pd_is_known(ret_cell->number))
		ret_cell->text = unknown_text;
}

static void get_change(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		       struct pd_cell *ret_cell)
{
	double base = row->sides[0].value, next = row->sides[side].value;

	(void)c;
	ret_cell->number = 100 * (row->changes[side].ratio - 1);
	if (!pd_is_known(base) || !pd_is_known(next))
		ret_cell->text = unknown_text;
	else if (base == 0)
		ret_cell->text = next == 0 ? "" : "new";
	else if (next == 0)
		ret_cell->text = "gone";
}

static void get_ratio(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		      struct pd_cell *ret_cell)
{
	(void)c;
	ret_cell->number = row->changes[side].ratio;
}

static void get_share(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		      struct pd_cell *ret_cell)
{
	ret_cell->number = 100 * row->sides[side].value / c->events[row->event].sides[side].value;
}

static void get_paired(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		       struct pd_cell *ret_cell)
{
	(void)c;
	(void)side;
	ret_cell->text = row->is_listed ? pd_pairing_name(row->paired) : "";
}

static void get_file(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		     struct pd_cell *ret_cell)
{
	(void)side;
	ret_cell->text = pd_strtab_get(&c->strings, row->file);
}

static void get_module(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
		       struct pd_cell *ret_cell)
{
	(void)side;
	ret_cell->text = pd_strtab_get(&c->strings, row->module);
}

static void get_function(const struct pd_comparison *c, const struct pd_row *row, uint32_t side,
			 struct pd_cell *ret_cell)
{
	(void)side;
	ret_cell->text = pd_strtab_get(&c->strings, row->name);
}

const struct pd_column_kind pd_column_kinds[] = {
	{"value", NULL, "cost on a side: the mean over its runs", PD_SCOPE_SIDE, PD_STYLE_COUNT,
	 PD_DECIMALS_OF_EVENT, get_value},
	{"sd", "+-sd", "sample (n - 1) deviation of the runs", PD_SCOPE_SIDE, PD_STYLE_SPREAD,
	 PD_DECIMALS_OF_EVENT, get_sd},
	{"share", "share", "cost in percent of the side's total", PD_SCOPE_SIDE, PD_STYLE_SHARE, 2,
	 get_share},
	{"delta", "delta", "next - base", PD_SCOPE_NEXT, PD_STYLE_DELTA, PD_DECIMALS_OF_EVENT,
	 get_delta},
	{"change", "change", "delta in percent of the base", PD_SCOPE_NEXT, PD_STYLE_PERCENT, 1,
	 get_change},
	{"ratio", "ratio", "next / base", PD_SCOPE_NEXT, PD_STYLE_COUNT, 3, get_ratio},
	{"paired", "paired", "how the function was found on both sides", PD_SCOPE_ROW,
	 PD_STYLE_TEXT, 0, get_paired},
	{"file", "file", "source file, where the input tells it", PD_SCOPE_ROW, PD_STYLE_TEXT, 0,
	 get_file},
	{"module", "module", "object that the function is in", PD_SCOPE_ROW, PD_STYLE_TEXT, 0,
	 get_module},
	{"function", "function", "name of the function, family or group", PD_SCOPE_ROW,
	 PD_STYLE_TEXT, 0, get_function},
	{0},
};

const struct pd_column_kind *pd_column_kind_find(struct pd_span id)
{
	for (const struct pd_column_kind *kind = pd_column_kinds; kind->id; kind++)
		if (pd_span_eq(id, kind->id))
			return kind;
	return NULL;
}
