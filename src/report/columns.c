/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns. Contract: columns.h.
 */
#include "report/columns.h"

#include "analysis/explain.h"
#include "base/num.h"
#include "base/text.h"

/* What people see where a cut list hides a number. */
static const char unknown_text[] = "?";

#define GETTER(name)                                                                          \
	static void name(struct pd_document *d, const struct pd_comparison *c,                \
			 const struct pd_row *row, uint32_t side, struct pd_cell *ret_cell)

/* Getters of a number that stands in the change of a side as it is. */
#define CHANGE_GETTER(field)                                                                  \
	GETTER(get_##field)                                                                   \
	{                                                                                     \
		(void)d;                                                                      \
		(void)c;                                                                      \
		ret_cell->number = row->changes[side].field;                                  \
	}

CHANGE_GETTER(ratio)
CHANGE_GETTER(delta_lo)
CHANGE_GETTER(delta_hi)
CHANGE_GETTER(ratio_lo)
CHANGE_GETTER(ratio_hi)
CHANGE_GETTER(z)
CHANGE_GETTER(p)
CHANGE_GETTER(q)
CHANGE_GETTER(sampling)

GETTER(get_value)
{
	(void)d;
	(void)c;
	ret_cell->number = row->sides[side].value;
	if (!pd_is_known(ret_cell->number))
		ret_cell->text = unknown_text;
}

GETTER(get_sd)
{
	(void)d;
	(void)c;
	ret_cell->number = row->sides[side].sd;
}

GETTER(get_share)
{
	(void)d;
	if (row->event < c->n_events) /* a benchmark has no event */
		ret_cell->number = 100 * row->sides[side].value /
				   c->events[row->event].sides[side].value;
}

GETTER(get_delta)
{
	(void)d;
	(void)c;
	ret_cell->number = row->changes[side].delta;
	if (!pd_is_known(ret_cell->number))
		ret_cell->text = unknown_text;
}

GETTER(get_change)
{
	double base = row->sides[0].value, next = row->sides[side].value;

	(void)d;
	(void)c;
	ret_cell->number = 100 * (row->changes[side].ratio - 1);
	if (!pd_is_known(base) || !pd_is_known(next))
		ret_cell->text = unknown_text;
	else if (base == 0)
		ret_cell->text = next == 0 ? "" : "new";
	else if (next == 0)
		ret_cell->text = "gone";
}

GETTER(get_bound)
{
	(void)d;
	(void)c;
	ret_cell->number = 100 * row->changes[side].bound;
}

GETTER(get_verdict)
{
	const char *word = pd_verdict_word(row->changes[side].verdict);

	(void)d;
	(void)c;
	ret_cell->text = word ? word : "";
}

/* "~ <= 13%": not flagged, and what the interval leaves open, rounded up. */
static const char *bound_text(struct pd_document *d, double bound)
{
	char buf[PD_NUM_LEN];
	double percent = 100 * bound;

	if (!isfinite(percent) || percent >= 1000)
		return "~";
	if (percent < 10)
		return pd_document_printf(d, "~ <= %s%%",
					  pd_num_fixed(ceil(10 * percent) / 10, 1, buf));
	return pd_document_printf(d, "~ <= %s%%", pd_num_fixed(ceil(percent), 0, buf));
}

GETTER(get_finding)
{
	const struct pd_change *change = &row->changes[side];
	const char *word = pd_verdict_word(change->verdict);

	(void)c;
	ret_cell->text = word ? word : "";
	if (change->verdict == PD_VERDICT_UNCLEAR)
		ret_cell->text = bound_text(d, change->bound);
}

GETTER(get_mark)
{
	(void)d;
	(void)c;
	ret_cell->text = row->changes[side].verdict == PD_VERDICT_STANDOUT ? "!" : "";
}

GETTER(get_bytes)
{
	(void)d;
	(void)c;
	if (row->n_bytes)
		ret_cell->number = row->n_bytes[side];
}

/* A function that one image lacks has 0 bytes there; one that both lack has none. */
GETTER(get_bytes_delta)
{
	(void)d;
	(void)c;
	if (row->n_bytes && (pd_is_known(row->n_bytes[0]) || pd_is_known(row->n_bytes[side])))
		ret_cell->number =
			(pd_is_known(row->n_bytes[side]) ? row->n_bytes[side] : 0) -
			(pd_is_known(row->n_bytes[0]) ? row->n_bytes[0] : 0);
}

GETTER(get_calls)
{
	(void)d;
	ret_cell->number = pd_row_calls(c, row, side);
}

GETTER(get_per_call)
{
	double calls = pd_row_calls(c, row, side);

	(void)d;
	if (calls > 0)
		ret_cell->number = row->sides[side].value / calls;
}

GETTER(get_by_calls)
{
	(void)d;
	ret_cell->number = pd_row_delta_by_calls(c, row, side);
}

GETTER(get_by_cost)
{
	(void)d;
	ret_cell->number = row->changes[side].delta - pd_row_delta_by_calls(c, row, side);
}

GETTER(get_paired)
{
	(void)d;
	(void)c;
	(void)side;
	ret_cell->text = row->is_listed ? pd_pairing_name(row->paired) : "";
}

GETTER(get_file)
{
	(void)side;
	ret_cell->text = pd_document_text(d, pd_strtab_get(&c->strings, row->file));
}

GETTER(get_module)
{
	(void)side;
	ret_cell->text = pd_document_text(d, pd_strtab_get(&c->strings, row->module));
}

GETTER(get_function)
{
	(void)side;
	ret_cell->text = pd_document_text(d, pd_strtab_get(&c->strings, row->name));
}

const struct pd_column_kind pd_column_kinds[] = {
	{"value", NULL, "cost on a side: the mean over its runs",
	 PD_SCOPE_SIDE, PD_STYLE_COUNT, PD_DECIMALS_OF_EVENT, PD_COLUMN_IN_TOTAL, get_value},
	{"sd", "+-sd", "sample (n - 1) deviation of the runs",
	 PD_SCOPE_SIDE, PD_STYLE_SPREAD, PD_DECIMALS_OF_EVENT, PD_COLUMN_IN_TOTAL, get_sd},
	{"share", "share", "cost in percent of the side's total",
	 PD_SCOPE_SIDE, PD_STYLE_SHARE, 2, PD_COLUMN_IN_TOTAL, get_share},
	{"delta", "delta", "next - base",
	 PD_SCOPE_NEXT, PD_STYLE_DELTA, PD_DECIMALS_OF_EVENT, PD_COLUMN_IN_TOTAL, get_delta},
	{"change", "change", "delta in percent of the base",
	 PD_SCOPE_NEXT, PD_STYLE_PERCENT, 1, PD_COLUMN_IN_TOTAL, get_change},
	{"sampling", "+-sampling", "one run a side: two errors of sampling alone",
	 PD_SCOPE_NEXT, PD_STYLE_SPREAD, PD_DECIMALS_OF_EVENT, 0, get_sampling},
	{"mark", "", "! where a row stands out from the others",
	 PD_SCOPE_NEXT, PD_STYLE_MARK, 0, PD_COLUMN_FOR_PEOPLE, get_mark},
	{"finding", "verdict", "the verdict; ~ with the bound that was shown",
	 PD_SCOPE_NEXT, PD_STYLE_TEXT, 0, PD_COLUMN_FOR_PEOPLE, get_finding},
	{"ratio", "ratio", "next / base",
	 PD_SCOPE_NEXT, PD_STYLE_COUNT, 3, PD_COLUMN_IN_TOTAL, get_ratio},
	{"delta-lo", "delta from", "interval of delta, lower end",
	 PD_SCOPE_NEXT, PD_STYLE_DELTA, PD_DECIMALS_OF_EVENT, 0, get_delta_lo},
	{"delta-hi", "to", "interval of delta, upper end",
	 PD_SCOPE_NEXT, PD_STYLE_DELTA, PD_DECIMALS_OF_EVENT, 0, get_delta_hi},
	{"ratio-lo", "ratio from", "interval of ratio, lower end",
	 PD_SCOPE_NEXT, PD_STYLE_COUNT, 3, PD_COLUMN_IN_TOTAL, get_ratio_lo},
	{"ratio-hi", "to", "interval of ratio, upper end",
	 PD_SCOPE_NEXT, PD_STYLE_COUNT, 3, PD_COLUMN_IN_TOTAL, get_ratio_hi},
	{"z", "z", "signed root of the deviance",
	 PD_SCOPE_NEXT, PD_STYLE_COUNT, 2, 0, get_z},
	{"p", "p", "probability of such a difference by chance",
	 PD_SCOPE_NEXT, PD_STYLE_COUNT, 5, PD_COLUMN_IN_TOTAL, get_p},
	{"q", "q", "false discovery rate at which the row is flagged",
	 PD_SCOPE_NEXT, PD_STYLE_COUNT, 5, 0, get_q},
	{"bound", "bound", "largest change that the interval leaves open",
	 PD_SCOPE_NEXT, PD_STYLE_SHARE, 1, 0, get_bound},
	{"verdict", "verdict", "the verdict's word",
	 PD_SCOPE_NEXT, PD_STYLE_TEXT, 0, 0, get_verdict},
	{"bytes", "bytes", "size in the side's image, with all pieces of the family",
	 PD_SCOPE_SIDE, PD_STYLE_COUNT, 0, 0, get_bytes},
	{"bytes-delta", "delta", "bytes on the next side - bytes on the base",
	 PD_SCOPE_NEXT, PD_STYLE_DELTA, 0, 0, get_bytes_delta},
	{"calls", "calls", "how often it was called on a side: the mean over its runs",
	 PD_SCOPE_SIDE, PD_STYLE_COUNT, 0, 0, get_calls},
	{"per-call", "a call", "cost of one call on a side",
	 PD_SCOPE_SIDE, PD_STYLE_COUNT, 1, 0, get_per_call},
	{"by-calls", "by calls", "the part of delta that more calls make, or fewer",
	 PD_SCOPE_NEXT, PD_STYLE_DELTA, PD_DECIMALS_OF_EVENT, 0, get_by_calls},
	{"by-cost", "by cost", "the part of delta that the cost of one call makes",
	 PD_SCOPE_NEXT, PD_STYLE_DELTA, PD_DECIMALS_OF_EVENT, 0, get_by_cost},
	{"paired", "paired", "how the function was found on both sides",
	 PD_SCOPE_ROW, PD_STYLE_TEXT, 0, 0, get_paired},
	{"file", "file", "source file, where the input tells it",
	 PD_SCOPE_ROW, PD_STYLE_TEXT, 0, 0, get_file},
	{"module", "module", "object that the function is in",
	 PD_SCOPE_ROW, PD_STYLE_TEXT, 0, 0, get_module},
	{"function", "function", "name of the function, family or group",
	 PD_SCOPE_ROW, PD_STYLE_TEXT, 0, 0, get_function},
	{0},
};

const struct pd_column_kind *pd_column_kind_find(struct pd_span id)
{
	for (const struct pd_column_kind *kind = pd_column_kinds; kind->id; kind++)
		if (pd_span_eq(id, kind->id))
			return kind;
	return NULL;
}
