/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Benchmark results. Contract: benchmarks.h.
 */
#include "report/benchmarks.h"

#include "base/num.h"
#include "base/text.h"
#include "report/headline.h"

/* How a number of some unit is written, so that it is easy to read. */
struct scale {
	double factor;
	const char *unit;
	int decimals;
};

static struct scale scale_of(const struct pd_comparison *c, const struct pd_metric_row *row)
{
	const char *unit = pd_strtab_get(&c->strings, row->unit);
	double x = 0;
	struct scale s = {1, unit, 0};
	bool is_whole = true;

	for (uint32_t i = 0; i < c->n_sides; i++) {
		double mean = row->sides[i].mean;

		is_whole &= !pd_is_known(mean) || mean == trunc(mean);
		if (x == 0 && pd_is_known(mean)) /* the base's, if that is something */
			x = fabs(mean);
	}
	if (!strcmp(unit, "ns") && x >= 1e3) {
		s = (struct scale){1e-3, "us", 0};
		if (x >= 1e6)
			s = (struct scale){1e-6, "ms", 0};
		if (x >= 1e9)
			s = (struct scale){1e-9, "s", 0};
		is_whole = false;
	}
	x *= s.factor;
	if (!is_whole)
		s.decimals = x >= 1000 ? 0 : x >= 100 ? 1 : x >= 10 ? 2 : 3;
	return s;
}

/* "23.475 us" */
static const char *value_text(struct pd_document *d, const struct scale *s, double x)
{
	char buf[PD_NUM_LEN];

	if (!pd_is_known(x))
		return "?";
	return pd_document_printf(d, "%s%s%s", pd_num_fixed(x * s->factor, s->decimals, buf),
				  *s->unit ? " " : "", s->unit);
}

static bool has_sd(const struct pd_comparison *c)
{
	for (uint32_t i = 0; i < c->n_metrics; i++)
		for (uint32_t s = 0; s < c->n_sides; s++)
			if (pd_is_known(c->metrics[i].sides[s].sd))
				return true;
	return false;
}

/* The verdict, the bound where there is one, or why there is none. */
static const char *verdict_text(struct pd_document *d, const struct pd_metric_change *change)
{
	const char *word = pd_verdict_word(change->verdict);
	char buf[PD_NUM_LEN];

	if (change->verdict == PD_VERDICT_UNCLEAR && isfinite(change->bound))
		return pd_document_printf(d, "~ <= %s%%",
					  pd_num_fixed(ceil(1000 * change->bound) / 10, 1, buf));
	return word ? word : "";
}

static bool has_verdict(const struct pd_comparison *c)
{
	for (uint32_t i = 0; i < c->n_metrics; i++)
		for (uint32_t s = 1; s < c->n_sides; s++)
			if (c->metrics[i].changes[s].verdict != PD_VERDICT_NONE)
				return true;
	return false;
}

static void fill_row(struct pd_document *d, const struct pd_comparison *c,
		     const struct pd_metric_row *row, bool with_sd, bool with_verdict,
		     struct pd_cell *cell)
{
	struct scale scale = scale_of(c, row);
	const char *group = pd_strtab_get(&c->strings, row->group);

	for (uint32_t s = 0; s < c->n_sides; s++) {
		const struct pd_metric_side *side = &row->sides[s];

		(cell++)->text = value_text(d, &scale, side->mean);
		if (with_sd)
			(cell++)->number = 100 * side->sd / side->mean;
		if (!s)
			continue;
		(cell++)->number = 100 * (row->changes[s].ratio - 1);
		if (with_verdict)
			(cell++)->text = verdict_text(d, &row->changes[s]);
	}
	cell->text = pd_document_printf(d, "%s%s%s", group, *group ? ": " : "",
					pd_strtab_get(&c->strings, row->name));
}

/* Whether any side has a number: counters that the machine lacks are no rows. */
static bool is_measured(const struct pd_comparison *c, const struct pd_metric_row *row)
{
	for (uint32_t s = 0; s < c->n_sides; s++)
		if (pd_is_known(row->sides[s].mean))
			return true;
	return false;
}

/* A mean of sizes and times says nothing. */
static bool has_one_unit(const struct pd_comparison *c)
{
	for (uint32_t i = 1; i < c->n_metrics; i++)
		if (c->metrics[i].unit.id != c->metrics[0].unit.id)
			return false;
	return true;
}

static void add_geomean(struct pd_document *d, const struct pd_comparison *c, uint32_t side)
{
	const struct pd_geomean *g = &c->geomeans[side];
	const char *text;

	if (g->n < 2 || !pd_is_known(g->ratio) || !has_one_unit(c))
		return;
	text = pd_document_printf(d, "%s: geometric mean of the %u benchmarks of both sides: %s%%",
				  c->sides[side].label, g->n,
				  pd_signed_text(d, 100 * (g->ratio - 1), 1));
	if (isfinite(g->ratio_lo) && isfinite(g->ratio_hi))
		text = pd_document_printf(d, "%s [%s%%,%s%%]", text,
					  pd_signed_text(d, 100 * (g->ratio_lo - 1), 1),
					  pd_signed_text(d, 100 * (g->ratio_hi - 1), 1));
	pd_document_add_text(d, pd_document_printf(d, "%s.", text));
}

void pd_benchmarks_add(struct pd_document *d, const struct pd_comparison *c, const char *title)
{
	bool with_sd = has_sd(c), with_verdict = has_verdict(c);
	struct pd_table *t;

	if (!c->n_metrics)
		return;
	t = pd_document_add_table(d, title);
	for (uint32_t s = 0; s < c->n_sides; s++) {
		const char *label = pd_document_text(d, c->sides[s].label);

		pd_table_add_column(d, t, label, label, PD_STYLE_COUNT, 0);
		pd_table_set_group(t, s + 1);
		if (with_sd)
			pd_table_add_column(d, t, "sd", "+-sd", PD_STYLE_SHARE, 1);
		pd_table_set_group(t, s + 1);
		if (!s)
			continue;
		pd_table_add_column(d, t, "change", "change", PD_STYLE_PERCENT, 1);
		pd_table_set_group(t, s + 1);
		if (with_verdict)
			pd_table_add_column(d, t, "verdict", "verdict", PD_STYLE_TEXT, 0);
	}
	pd_table_add_column(d, t, "benchmark", "benchmark", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < c->n_metrics; i++) {
		struct pd_table_row *row;

		if (!is_measured(c, &c->metrics[i]))
			continue;
		row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		if (row)
			fill_row(d, c, &c->metrics[i], with_sd, with_verdict, row->cells);
	}
	for (uint32_t s = 1; s < c->n_sides; s++)
		add_geomean(d, c, s);
}

/* A benchmark as if it were a function, for the columns that both have. */
static bool as_row(struct pd_document *d, const struct pd_comparison *c,
		   const struct pd_metric_row *from, struct pd_row *ret_row)
{
	struct pd_estimate *sides = pd_arena_array(&d->arena, c->n_sides, sizeof(*sides));
	struct pd_change *changes = pd_arena_array(&d->arena, c->n_sides, sizeof(*changes));

	if (!sides || !changes)
		return false;
	for (uint32_t s = 0; s < c->n_sides; s++) {
		const struct pd_metric_change *x = &from->changes[s];

		sides[s] = (struct pd_estimate){from->sides[s].mean, from->sides[s].sd};
		changes[s] = (struct pd_change){
			.delta = x->delta,
			.ratio = x->ratio,
			.delta_lo = PD_UNKNOWN,
			.delta_hi = PD_UNKNOWN,
			.ratio_lo = x->ratio_lo,
			.ratio_hi = x->ratio_hi,
			.level = PD_UNKNOWN,
			.z = PD_UNKNOWN,
			.p = x->p,
			.q = x->q,
			.bound = x->bound,
			.sampling = PD_UNKNOWN,
			.verdict = x->verdict,
		};
	}
	*ret_row = (struct pd_row){.name = from->name,
				   .module = from->group,
				   .event = PD_NO_ROW,
				   .sides = sides,
				   .changes = changes};
	return true;
}

void pd_benchmarks_add_data(struct pd_document *d, const struct pd_comparison *c,
			    const struct pd_slots *slots, struct pd_table *t)
{
	for (uint32_t i = 0; i < c->n_metrics; i++) {
		struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		struct pd_row pseudo;

		if (!row || !as_row(d, c, &c->metrics[i], &pseudo))
			return;
		row->cells[0].text =
			pd_document_text(d, pd_strtab_get(&c->strings, c->metrics[i].unit));
		row->cells[1].text = "metric";
		pd_slots_fill(d, c, slots, &pseudo, &row->cells[2]);
	}
}
