/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences above the tables. Contract: headline.h.
 */
#include "report/headline.h"

#include "base/num.h"
#include "base/text.h"
#include "report/figures.h"

const char *pd_signed_text(struct pd_document *d, double x, int decimals)
{
	char buf[PD_NUM_LEN];

	pd_num_fixed(x, decimals, buf);
	return pd_document_printf(d, "%s%s", x > 0 && strpbrk(buf, "123456789") ? "+" : "", buf);
}

/* "+1395.0, +1.4% [-12.9%, +18.0%]"; the interval only where there is one. */
static const char *change_text(struct pd_document *d, const struct pd_estimate *base,
			       const struct pd_change *change, const struct pd_figures *f)
{
	const char *text = pd_figures_signed(d, f, change->delta);

	if (base->value != 0)
		text = pd_document_printf(d, "%s, %s%%", text,
					  pd_signed_text(d, 100 * change->delta / base->value, 1));
	if (isfinite(change->ratio_lo) && isfinite(change->ratio_hi))
		text = pd_document_printf(d, "%s [%s%%,%s%%]", text,
					  pd_signed_text(d, 100 * (change->ratio_lo - 1), 1),
					  pd_signed_text(d, 100 * (change->ratio_hi - 1), 1));
	return text;
}

/* How many rows got which verdict on a side. */
struct counts {
	uint32_t n_up, n_down, n_new, n_gone, n_standout, n_tested;
};

static struct counts count_verdicts(const struct pd_comparison *c, uint32_t side)
{
	struct counts n = {0};

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];
		const struct pd_change *change = &row->changes[side];

		if (change->verdict == PD_VERDICT_STANDOUT)
			n.n_standout++;
		if (pd_is_known(change->q))
			n.n_tested++;
		if (!pd_verdict_is_finding(change->verdict))
			continue;
		n.n_up += change->delta > 0;
		n.n_down += change->delta < 0;
		n.n_new += row->sides[0].value == 0;
		n.n_gone += row->sides[side].value == 0;
	}
	return n;
}

static const char *plural(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/* Total, and busy where that is another number, of every event. */
static const char *totals_text(struct pd_document *d, const struct pd_comparison *c, uint32_t side)
{
	const char *text = "";

	for (uint32_t e = 0; e < c->n_events; e++) {
		const struct pd_compared_event *event = &c->events[e];
		struct pd_figures f = pd_event_figures(d, c, e);
		const char *unit = f.unit;

		if (c->n_events > 1)
			unit = pd_strtab_get(&c->strings, event->name);
		/* Beside its name, the unit of a weighted event has to be told. */
		if (c->n_events > 1 && event->is_weighted)
			unit = pd_document_printf(d, "%s (%s)", unit, f.unit);

		/* Inclusive costs have a total only where the input prints one. */
		if (!pd_is_known(event->changes[side].delta)) {
			text = pd_document_printf(d, "%s%stotal %s not known", text, e ? "; " : "",
						  unit);
			continue;
		}
		text = pd_document_printf(
			d, "%s%stotal %s %s", text, e ? "; " : "", unit,
			change_text(d, &event->sides[0], &event->changes[side], &f));
		if (event->has_idle)
			text = pd_document_printf(d, "%s; busy %s", text,
						  change_text(d, &event->busy_sides[0],
							      &event->busy_changes[side], &f));
	}
	return text;
}

void pd_headline_add(struct pd_document *d, const struct pd_comparison *c)
{
	char percent[PD_NUM_LEN];

	for (uint32_t s = 1; s < c->n_sides; s++) {
		struct counts n = count_verdicts(c, s);
		const char *label =
			c->n_sides > 2 ? pd_document_printf(d, "%s: ", c->sides[s].label) : "";
		const char *found;

		if (c->mode == PD_STATS_SINGLE && c->events[0].is_counted)
			found = pd_document_printf(d,
						   "no verdict (one run a side), %u row%s stand%s "
						   "out",
						   n.n_standout, plural(n.n_standout),
						   n.n_standout == 1 ? "s" : "");
		else
			found = pd_document_printf(d,
						   "up %u, down %u (new %u, gone %u) of %u row%s "
						   "tested at a false discovery rate of %s%%",
						   n.n_up, n.n_down, n.n_new, n.n_gone, n.n_tested,
						   plural(n.n_tested),
						   pd_num_shortest(100 * c->alpha, percent));
		pd_document_add_text(
			d, pd_document_printf(d, "%s%s; %s.", label, found, totals_text(d, c, s)));
	}
}

static void add_warning(struct pd_document *d, const char *text)
{
	pd_document_add_text(d, pd_document_printf(d, "warning: %s.", text));
}

static void warn_shift(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
		       uint32_t side)
{
	const struct pd_shift *shift = &c->events[event].shifts[side];
	char percent[PD_NUM_LEN];

	if (!shift->is_large || c->normalize == PD_NORMALIZE_MEDIAN)
		return;
	pd_num_fixed(100 * fabs(shift->ratio - 1), 1, percent);
	add_warning(d, pd_document_printf(d,
					  "%s: the typical function is %s%% %s: frequency, load or "
					  "unequal work? see --normalize=median and --work",
					  c->sides[side].label, percent,
					  shift->ratio > 1 ? "slower" : "faster"));
}

/* The row that changes most in the direction of sign, of those that change less than before. */
static const struct pd_row *next_largest(const struct pd_comparison *c, uint32_t event,
					 uint32_t side, double sign, double before)
{
	const struct pd_row *largest = NULL;

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];
		double delta = sign * row->changes[side].delta;

		if (row->event == event && row->group == PD_NO_ROW && !row->is_idle && delta > 0 &&
		    delta < before && (!largest || delta > sign * largest->changes[side].delta))
			largest = row;
	}
	return largest;
}

enum { MAX_CARRIERS = 3 };

/* The functions that carry most of a large difference of totals. */
static void warn_totals(struct pd_document *d, const struct pd_comparison *c, uint32_t event,
			uint32_t side)
{
	const struct pd_compared_event *e = &c->events[event];
	double total = e->busy_changes[side].delta, sign = total < 0 ? -1 : 1;
	double sum = 0, before = HUGE_VAL;
	struct pd_figures f = pd_event_figures(d, c, event);
	const char *text = "";

	if (c->is_inclusive || !(fabs(total) > 0.1 * e->busy_sides[0].value))
		return;
	for (int n = 0; n < MAX_CARRIERS && sum < 0.8 * fabs(total); n++) {
		const struct pd_row *row = next_largest(c, event, side, sign, before);

		if (!row)
			break;
		before = sign * row->changes[side].delta;
		sum += before;
		text = pd_document_printf(d, "%s%s%s %s", text, n ? ", " : "",
					  pd_strtab_get(&c->strings, row->name),
					  pd_figures_signed(d, &f, row->changes[side].delta));
	}
	if (*text)
		add_warning(d, pd_document_printf(
				       d, "%s: %s differ by %s%%: %s of %s", c->sides[side].label,
				       e->has_idle ? "busy totals" : "totals",
				       pd_signed_text(d, 100 * total / e->busy_sides[0].value, 1),
				       text, pd_figures_signed(d, &f, total)));
}

/* "size 12%, ", or nothing where too few functions tell how large a run is. */
static const char *size_text(struct pd_document *d, double deviation)
{
	char buf[PD_NUM_LEN];

	if (!pd_is_known(deviation))
		return "";
	return pd_document_printf(d, "size %s%%, ",
				  pd_num_fixed(100 * (exp(deviation) - 1), 0, buf));
}

static void warn_runs(struct pd_document *d, const struct pd_comparison *c, uint32_t event)
{
	const struct pd_compared_event *e = &c->events[event];
	char score[PD_NUM_LEN];

	for (uint32_t s = 0; s < c->n_sides; s++)
		for (uint32_t i = 0; i < c->sides[s].n_runs; i++) {
			const struct pd_run_check *check = &e->checks[c->sides[s].first_run + i];

			if (!check->is_bad)
				continue;
			add_warning(d, pd_document_printf(
					       d,
					       "%s: unlike the other runs of its side (%sspread "
					       "%s times the usual); it is counted all the same",
					       c->sides[s].runs[i].path,
					       size_text(d, check->deviation),
					       pd_num_fixed(check->score, 1, score)));
		}
}

static void warn_few_runs(struct pd_document *d, const struct pd_comparison *c)
{
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t s = 0; s < c->n_sides; s++) {
		least = c->sides[s].n_runs < least ? c->sides[s].n_runs : least;
		most = c->sides[s].n_runs > most ? c->sides[s].n_runs : most;
	}
	if (least == 2)
		add_warning(d, "two runs per side can only confirm very large changes; 5 are "
			       "recommended");
	else if (least == 1 && (most > 1 || c->mode == PD_STATS_HISTORY))
		add_warning(d, "a side has one run: verdicts carry a question mark");
}

void pd_headline_add_warnings(struct pd_document *d, const struct pd_comparison *c)
{
	warn_few_runs(d, c);
	if (c->normalize == PD_NORMALIZE_TOTAL)
		add_warning(d,
			    "--normalize=total makes every change of one function a change of all "
			    "others");
	for (uint32_t e = 0; e < c->n_events; e++) {
		if (c->events[e].has_fallen_back)
			add_warning(d, "too few rows for that normalization: costs are compared as "
				       "they were counted");
		for (uint32_t s = 1; s < c->n_sides; s++) {
			warn_shift(d, c, e, s);
			warn_totals(d, c, e, s);
		}
		warn_runs(d, c, e);
	}
}

/* From when to when the runs of a side began; false where one tells no time. */
static bool find_times(const struct pd_side *side, double *ret_first, double *ret_last)
{
	*ret_first = HUGE_VAL;
	*ret_last = -HUGE_VAL;
	for (uint32_t i = 0; i < side->n_runs; i++) {
		double t = side->runs[i].started_s;

		if (!pd_is_known(t))
			return false;
		*ret_first = fmin(*ret_first, t);
		*ret_last = fmax(*ret_last, t);
	}
	return true;
}

void pd_headline_warn_order(struct pd_document *d, const struct pd_comparison *c)
{
	double first, last, base_first, base_last;

	if (c->sides[0].n_runs < 2 || !find_times(&c->sides[0], &base_first, &base_last))
		return;
	for (uint32_t s = 1; s < c->n_sides; s++) {
		const struct pd_side *side = &c->sides[s];

		if (side->n_runs < 2 || !find_times(side, &first, &last) ||
		    (base_last >= first && last >= base_first))
			continue;
		add_warning(d, pd_document_printf(
				       d, "runs not interleaved: all of %s were made %s those of "
				       "%s, so a drift of the machine looks like a change",
				       side->label, first > base_last ? "after" : "before",
				       c->sides[0].label));
	}
}
