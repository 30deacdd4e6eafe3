/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons as text, and the invariants that each of them keeps. Contract:
 * support.h.
 */
#include "support.h"

#include <string.h>

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* An estimate and a change are what the runs make them. */
static void check_arithmetic(const struct pd_comparison *c, const double *runs,
			     const struct pd_estimate *sides, const struct pd_change *changes)
{
	for (uint32_t s = 0; s < c->n_sides; s++) {
		const double *own = runs + c->sides[s].first_run;
		double n = c->sides[s].n_runs, sum = 0, squares = 0;

		for (uint32_t i = 0; i < c->sides[s].n_runs; i++)
			sum += own[i];
		assert_int_equal(isnan(sum), isnan(sides[s].value));
		if (isnan(sum)) {
			assert_true(isnan(sides[s].sd));
		} else {
			assert_true(is_near(sides[s].value, sum / n));
			for (uint32_t i = 0; i < c->sides[s].n_runs; i++)
				squares += pow(own[i] - sum / n, 2);
			assert_int_equal(isnan(sides[s].sd), n < 2);
			if (n >= 2)
				assert_true(is_near(sides[s].sd, sqrt(squares / (n - 1))));
		}
		if (!s)
			continue;
		ut_assert_same(changes[s].delta, sides[s].value - sides[0].value);
		if (sides[0].value == 0)
			assert_true(isnan(changes[s].ratio));
		else
			ut_assert_same(changes[s].ratio, sides[s].value / sides[0].value);
	}
}

/* Rows on a side without a mean stand in [unlisted]: there they count as nothing. */
static void check_sums(const struct pd_comparison *c, uint32_t event, uint32_t side)
{
	const struct pd_compared_event *e = &c->events[event];
	double mean = 0;

	for (uint32_t k = 0; k <= c->sides[side].n_runs; k++) {
		uint32_t run = c->sides[side].first_run + k;
		bool is_mean = k == c->sides[side].n_runs;
		double sum = 0;

		for (uint32_t i = 0; i < c->n_rows; i++) {
			const struct pd_row *row = &c->rows[i];

			if (row->event == event && row->group == PD_NO_ROW &&
			    pd_is_known(row->sides[side].value))
				sum += is_mean ? row->sides[side].value : row->runs[run];
		}
		for (uint32_t i = 0; i < c->n_leftovers; i++) {
			const struct pd_leftover *l = &c->leftovers[i];

			if (l->event == event)
				sum += is_mean ? l->sides[side].value : l->runs[run];
		}
		mean = is_mean ? e->sides[side].value : e->totals[run];
		if (!is_near(sum, mean))
			fail_msg("rows + leftovers are %.17g, the total is %.17g", sum, mean);
	}
}

static void check_members(const struct pd_comparison *c, uint32_t at)
{
	const struct pd_row *row = &c->rows[at];

	if (row->group != PD_NO_ROW) {
		assert_int_equal(row->n_members, 0);
		assert_true(row->group < at);
		assert_true(at - row->group <= c->rows[row->group].n_members);
	}
	for (uint32_t k = 0; k < row->n_members; k++) {
		assert_int_equal(row->members[k], at + 1 + k);
		assert_int_equal(c->rows[at + 1 + k].group, at);
	}
	for (uint32_t r = 0; r < c->n_runs && row->n_members; r++) {
		double sum = 0;

		for (uint32_t k = 0; k < row->n_members; k++)
			sum += c->rows[row->members[k]].runs[r];
		assert_int_equal(isnan(row->runs[r]), isnan(sum));
		assert_true(isnan(sum) || is_near(row->runs[r], sum));
	}
}

static void check_listed(const struct pd_comparison *c, const struct pd_row *row)
{
	bool on_base = row->is_listed[0], on_next = false;

	for (uint32_t s = 1; s < c->n_sides; s++)
		on_next |= row->is_listed[s];
	assert_true(on_base || on_next);
	assert_int_equal(row->paired == PD_BASE_ONLY, !on_next);
	assert_int_equal(row->paired == PD_NEXT_ONLY, !on_base);
}

static double largest_delta(const struct pd_comparison *c, const struct pd_row *row)
{
	double largest = -1;

	for (uint32_t s = 1; s < c->n_sides; s++)
		if (pd_is_known(row->changes[s].delta))
			largest = fmax(largest, fabs(row->changes[s].delta));
	return largest;
}

/* Flagged rows, then the largest |delta| first, event by event, members apart. */
static void check_order(const struct pd_comparison *c)
{
	const struct pd_row *last = NULL;

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->group != PD_NO_ROW)
			continue;
		if (last)
			assert_true(last->event < row->event ||
				    (last->event == row->event &&
				     (pd_row_is_flagged(c, last) > pd_row_is_flagged(c, row) ||
				      (pd_row_is_flagged(c, last) == pd_row_is_flagged(c, row) &&
				       largest_delta(c, last) >= largest_delta(c, row)))));
		last = row;
	}
}

void ut_check(const struct pd_comparison *c)
{
	uint32_t n_runs = 0;

	for (uint32_t s = 0; s < c->n_sides; s++) {
		assert_int_equal(c->sides[s].first_run, n_runs);
		n_runs += c->sides[s].n_runs;
	}
	assert_int_equal(c->n_runs, n_runs);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		check_arithmetic(c, c->rows[i].runs, c->rows[i].sides, c->rows[i].changes);
		check_members(c, i);
		check_listed(c, &c->rows[i]);
	}
	for (uint32_t i = 0; i < c->n_leftovers; i++)
		check_arithmetic(c, c->leftovers[i].runs, c->leftovers[i].sides,
				 c->leftovers[i].changes);
	for (uint32_t e = 0; e < c->n_events; e++) {
		check_arithmetic(c, c->events[e].totals, c->events[e].sides,
				 c->events[e].changes);
		for (uint32_t s = 0; s < c->n_sides; s++)
			check_sums(c, e, s);
	}
	check_order(c);
}

static void dump_number(struct pd_buf *b, double x, int digits)
{
	if (pd_is_known(x))
		pd_buf_printf(b, "%.*g", digits, x);
	else
		pd_buf_add_char(b, '?');
}

static void dump_numbers(struct pd_buf *b, const struct pd_comparison *c, const double *runs,
			 const struct pd_estimate *sides, const struct pd_change *changes,
			 int digits)
{
	for (uint32_t s = 0; s < c->n_sides; s++)
		for (uint32_t r = 0; r < c->sides[s].n_runs; r++) {
			pd_buf_add_str(b, r ? " " : s ? "|" : " [");
			dump_number(b, runs[c->sides[s].first_run + r], digits);
		}
	pd_buf_add_char(b, ']');
	for (uint32_t s = 0; s < c->n_sides; s++) {
		pd_buf_add_char(b, ' ');
		dump_number(b, sides[s].value, digits);
		if (pd_is_known(sides[s].sd)) {
			pd_buf_add_char(b, '~');
			dump_number(b, sides[s].sd, digits);
		}
	}
	for (uint32_t s = 1; s < c->n_sides; s++) {
		pd_buf_add_str(b, changes[s].delta > 0 ? " +" : " ");
		dump_number(b, changes[s].delta, digits);
		pd_buf_add_str(b, " x");
		dump_number(b, changes[s].ratio, digits);
	}
	pd_buf_add_char(b, '\n');
}

static void dump_name(struct pd_buf *b, const struct pd_comparison *c, pd_str name, pd_str module)
{
	pd_buf_add_str(b, pd_strtab_get(&c->strings, name));
	if (module.id)
		pd_buf_printf(b, "@%s", pd_strtab_get(&c->strings, module));
}

static void dump_event(struct pd_buf *b, const struct pd_comparison *c, uint32_t event, int digits)
{
	const struct pd_compared_event *e = &c->events[event];

	pd_buf_printf(b, "= %s %s", pd_strtab_get(&c->strings, e->name), pd_unit_name(e->unit));
	dump_numbers(b, c, e->totals, e->sides, e->changes, digits);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->event != event)
			continue;
		if (row->group != PD_NO_ROW)
			pd_buf_add_str(b, "  ");
		dump_name(b, c, row->name, row->module);
		pd_buf_printf(b, " %s ", pd_pairing_name(row->paired));
		for (uint32_t s = 0; s < c->n_sides; s++)
			pd_buf_add_char(b, row->is_listed[s] ? '1' : '0');
		dump_numbers(b, c, row->runs, row->sides, row->changes, digits);
	}
	for (uint32_t i = 0; i < c->n_leftovers; i++) {
		const struct pd_leftover *l = &c->leftovers[i];

		if (l->event != event)
			continue;
		pd_buf_add_str(b, "- ");
		dump_name(b, c, l->name, l->module);
		dump_numbers(b, c, l->runs, l->sides, l->changes, digits);
	}
}

char *ut_dump(const struct pd_comparison *c, int digits)
{
	struct pd_buf b = {0};

	for (uint32_t e = 0; e < c->n_events; e++)
		dump_event(&b, c, e, digits);
	pd_buf_add_str(&b, "paired ");
	dump_number(&b, c->receipt.base_paired_ratio, digits);
	pd_buf_add_char(&b, ' ');
	dump_number(&b, c->receipt.next_paired_ratio, digits);
	pd_buf_printf(&b, " %u\n", c->receipt.n_unpaired);
	assert_false(b.failed);
	return b.ptr;
}
