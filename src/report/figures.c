/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures. Contract: figures.h.
 */
#include "report/figures.h"

#include "analysis/events.h"
#include "base/num.h"
#include "report/headline.h"

/* Larger totals, and larger times of one sample, are written in the next larger unit. */
#define MAX_TOTAL 1e6
#define MAX_TICK  100.0

struct pd_figures pd_weighted_figures(struct pd_document *d, struct pd_span name,
				      enum pd_unit unit, double largest, double tick)
{
	static const char *const times[] = {"ns", "us", "ms", "s"};
	static const char *const prefixes[] = {"", "K", "M", "G"};
	struct pd_figures f = {.divisor = 1};
	int k = 0;

	for (; k < 3 && (largest / f.divisor >= MAX_TOTAL ||
			 (unit == PD_UNIT_NS && tick / f.divisor >= MAX_TICK)); k++)
		f.divisor *= 1000;
	if (unit == PD_UNIT_NS)
		f.unit = times[k];
	else if (unit == PD_UNIT_EVENTS && pd_span_find(name, "/") == SIZE_MAX)
		f.unit = pd_document_printf(d, "%s%.*s", prefixes[k], PD_SPAN_ARG(name));
	else
		f.unit = pd_document_printf(d, "%s%s", prefixes[k], pd_unit_name(unit));
	/* Digits that are less than a sample are no news. */
	f.decimals = tick >= f.divisor ? 0 : tick >= f.divisor / 10 ? 1 : 2;
	return f;
}

/* Decimals that show the numbers of an event well: none where all are whole. */
static int count_decimals(const struct pd_comparison *c, uint32_t event)
{
	bool is_whole = true;
	double largest = 0;

	for (uint32_t i = 0; i < c->n_rows; i++)
		for (uint32_t s = 0; s < c->n_sides; s++) {
			double x = c->rows[i].sides[s].value;

			if (c->rows[i].event != event || !pd_is_known(x))
				continue;
			is_whole &= x == trunc(x);
			largest = fmax(largest, fabs(x));
		}
	if (is_whole)
		return 0;
	/* Four digits of the largest number, and at least one decimal. */
	return largest > 0 ? (int)fmin(fmax(3 - floor(log10(largest)), 1), 12) : 1;
}

struct pd_figures pd_event_figures(struct pd_document *d, const struct pd_comparison *c,
				   uint32_t event)
{
	const struct pd_compared_event *e = &c->events[event];
	struct pd_span name = pd_event_bare_name(pd_strtab_span(&c->strings, e->name));
	double largest = 0;

	if (!e->is_weighted)
		return (struct pd_figures){1, count_decimals(c, event), pd_unit_name(e->unit)};
	for (uint32_t s = 0; s < c->n_sides; s++)
		largest = fmax(largest, e->sides[s].value);
	return pd_weighted_figures(d, name, e->unit, largest, e->tick);
}

const char *pd_figures_signed(struct pd_document *d, const struct pd_figures *f, double x)
{
	return pd_signed_text(d, x / f->divisor, f->decimals);
}

double pd_event_tiny(struct pd_document *d, const struct pd_comparison *c, uint32_t event)
{
	struct pd_figures f = pd_event_figures(d, c, event);

	return c->events[event].is_weighted ? f.divisor * pow(10, -f.decimals) / 2 : 0;
}
