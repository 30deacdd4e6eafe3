/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions. Contract: conditions.h.
 */
#include "analysis/conditions.h"

#include <stdlib.h>

#include "base/num.h"

enum kind {
	COND_VERDICT, /* the verdict's word */
	COND_NEW,
	COND_GONE,
	COND_DELTA,
	COND_TOTAL,
	COND_BUSY,
	COND_Q,
	COND_P,
	COND_MIN,
};

struct condition {
	enum kind kind;
	enum pd_verdict verdict, or_verdict; /* of COND_VERDICT */
	bool is_above, is_percent;
	double x;
};

enum { MAX_CONDITIONS = 16 };

struct conditions {
	struct condition items[MAX_CONDITIONS];
	uint32_t n;
};

static const struct {
	const char *word;
	struct condition condition;
} words[] = {
	{"regressed", {COND_VERDICT, PD_VERDICT_REGRESSED, PD_VERDICT_REGRESSED, 0, 0, 0}},
	{"regressed?", {COND_VERDICT, PD_VERDICT_REGRESSED, PD_VERDICT_REGRESSED_MAYBE, 0, 0, 0}},
	{"improved", {COND_VERDICT, PD_VERDICT_IMPROVED, PD_VERDICT_IMPROVED, 0, 0, 0}},
	{"improved?", {COND_VERDICT, PD_VERDICT_IMPROVED, PD_VERDICT_IMPROVED_MAYBE, 0, 0, 0}},
	{"standout", {COND_VERDICT, PD_VERDICT_STANDOUT, PD_VERDICT_STANDOUT, 0, 0, 0}},
	{"new", {.kind = COND_NEW}},
	{"gone", {.kind = COND_GONE}},
	{"missing", {.kind = COND_GONE}},
};

static const struct {
	const char *name;
	enum kind kind;
	const char *operators;
} numbers[] = {
	{"ticks", COND_DELTA, "<>"}, {"total", COND_TOTAL, "<>"}, {"busy", COND_BUSY, "<>"},
	{"q", COND_Q, "<>"},	     {"p", COND_P, "<>"},	  {"min", COND_MIN, "="},
};

/* "ticks>+3%" and its like. */
static bool parse_number(struct pd_span s, struct condition *ret_condition)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		size_t len = strlen(numbers[i].name);
		struct pd_span value;
		bool is_difference = numbers[i].kind <= COND_BUSY;

		if (!pd_span_starts(s, numbers[i].name) || s.len <= len ||
		    !strchr(numbers[i].operators, s.ptr[len]))
			continue;
		value = pd_span_sub(s, len + 1, s.len);
		*ret_condition = (struct condition){
			.kind = numbers[i].kind,
			.is_above = s.ptr[len] == '>',
			.is_percent = is_difference && pd_span_ends(value, "%"),
		};
		value.len -= ret_condition->is_percent;
		return pd_num_parse(value, &ret_condition->x);
	}
	return false;
}

static bool parse_condition(struct pd_span s, struct condition *ret_condition)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (pd_span_eq(s, words[i].word)) {
			*ret_condition = words[i].condition;
			return true;
		}
	return parse_number(s, ret_condition);
}

/* False where a part of text is no condition; that part is in ret_bad. */
static bool parse(const char *text, struct conditions *ret_conditions, struct pd_span *ret_bad)
{
	struct pd_span rest = pd_span_of(text);

	ret_conditions->n = 0;
	for (;;) {
		size_t len = pd_span_find(rest, ",");

		*ret_bad = pd_span_sub(rest, 0, len);
		if (ret_conditions->n == MAX_CONDITIONS ||
		    !parse_condition(*ret_bad, &ret_conditions->items[ret_conditions->n++]))
			return false;
		if (len == SIZE_MAX)
			return true;
		rest = pd_span_sub(rest, len + 1, rest.len);
	}
}

int pd_conditions_check(const char *text, struct pd_error *err)
{
	struct conditions conditions;
	struct pd_span bad;

	if (parse(text, &conditions, &bad))
		return PD_OK;
	return pd_fail(err, PD_ERR_USAGE,
		       "--fail-on: expected regressed, improved, standout, new, gone, missing, "
		       "ticks>X, total>X, busy>X (X%% is percent), q<X, p<X or min=X, "
		       "found \"%.*s\"", PD_SPAN_ARG(bad));
}

static bool is_beyond(const struct condition *k, double x)
{
	return k->is_above ? x > k->x : x < k->x;
}

/* A difference, in the event's unit or in percent of the base. */
static bool is_difference(const struct condition *k, const struct pd_estimate *base, double delta)
{
	return is_beyond(k, k->is_percent ? 100 * delta / base->value : delta);
}

static bool holds_for_row(const struct condition *k, const struct pd_row *row, uint32_t side)
{
	const struct pd_change *change = &row->changes[side];
	double base = row->sides[0].value, next = row->sides[side].value;

	switch (k->kind) {
	case COND_VERDICT:
		return change->verdict == k->verdict || change->verdict == k->or_verdict;
	case COND_NEW:
		return base == 0 && next > 0;
	case COND_GONE:
		return base > 0 && next == 0;
	case COND_DELTA:
		return is_difference(k, &row->sides[0], change->delta);
	case COND_Q:
		return is_beyond(k, change->q);
	case COND_P:
		return is_beyond(k, change->p);
	case COND_MIN:
		return base >= k->x || next >= k->x;
	case COND_TOTAL:
	case COND_BUSY:
		break;
	}
	return false;
}

/* Conditions on totals only, or a mix that no row can fulfil but a total can. */
static bool holds_for_total(const struct conditions *k, const struct pd_compared_event *e,
			    uint32_t side)
{
	for (uint32_t i = 0; i < k->n; i++) {
		const struct condition *x = &k->items[i];
		bool busy = x->kind == COND_BUSY;

		if (x->kind != COND_TOTAL && !busy)
			return false;
		if (!is_difference(x, busy ? &e->busy_sides[0] : &e->sides[0],
				   (busy ? e->busy_changes : e->changes)[side].delta))
			return false;
	}
	return k->n > 0;
}

static void add_finding(struct pd_buf *out, const char *name, const char *label,
			const struct pd_estimate *sides, uint32_t side, const char *unit,
			const char *verdict)
{
	char base[PD_NUM_LEN], next[PD_NUM_LEN], percent[PD_NUM_LEN];
	double b = sides[0].value, n = sides[side].value;

	pd_buf_printf(out, "%s: %s -> %s %s", name, pd_num_fixed(b, b != trunc(b), base),
		      pd_num_fixed(n, n != trunc(n), next), unit);
	if (b != 0)
		pd_buf_printf(out, ", %s%s%%", n > b ? "+" : "",
			      pd_num_fixed(100 * (n / b - 1), 1, percent));
	pd_buf_printf(out, "%s%s (%s)\n", verdict ? ", " : "", verdict ? verdict : "", label);
}

uint32_t pd_conditions_find(const char *text, const struct pd_comparison *c,
			    struct pd_buf *findings)
{
	struct conditions k;
	struct pd_span bad;
	uint32_t n = 0;

	if (!parse(text, &k, &bad))
		return 0;
	for (uint32_t s = 1; s < c->n_sides; s++) {
		for (uint32_t e = 0; e < c->n_events; e++)
			if (holds_for_total(&k, &c->events[e], s)) {
				bool busy = k.items[0].kind == COND_BUSY;

				n++;
				add_finding(findings, busy ? "busy" : "total", c->sides[s].label,
					    busy ? c->events[e].busy_sides : c->events[e].sides, s,
					    pd_unit_name(c->events[e].unit), NULL);
			}
		for (uint32_t i = 0; i < c->n_rows; i++) {
			const struct pd_row *row = &c->rows[i];
			bool all = row->group == PD_NO_ROW;

			for (uint32_t j = 0; j < k.n && all; j++)
				all = holds_for_row(&k.items[j], row, s);
			if (!all)
				continue;
			n++;
			add_finding(findings, pd_strtab_get(&c->strings, row->name),
				    c->sides[s].label, row->sides, s,
				    pd_unit_name(c->events[row->event].unit),
				    pd_verdict_word(row->changes[s].verdict));
		}
	}
	return n;
}
