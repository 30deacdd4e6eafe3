/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of profiles as they were understood, one after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/events.h"
#include "base/num.h"
#include "report/figures.h"
#include "report/modules.h"
#include "report/report.h"
#include "report/schema.h"
#include "report/show.h"

static bool is_shown(const struct pd_profile *p, uint32_t func, double min_ticks)
{
	if (p->funcs[func].flags & PD_FUNC_LEFTOVER)
		return true;
	for (uint32_t e = 0; e < p->n_events; e++)
		if ((p->recording ? pd_profile_weight(p, func, e)->n_samples
				  : pd_profile_weight(p, func, e)->self) >= min_ticks)
			return true;
	return min_ticks <= 0;
}

/* Largest self cost of the first event first; ties by name. */
static int compare_funcs(const void *a, const void *b, void *context)
{
	const struct pd_profile *p = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	double wx = pd_profile_weight(p, x, 0)->self, wy = pd_profile_weight(p, y, 0)->self;
	int d;

	if (pd_is_known(wx) != pd_is_known(wy))
		return pd_is_known(wx) ? -1 : 1;
	if (!pd_is_known(wx)) {
		wx = pd_profile_weight(p, x, 0)->inclusive;
		wy = pd_profile_weight(p, y, 0)->inclusive;
	}
	if (wx > wy || wx < wy)
		return wx > wy ? -1 : 1;
	d = strcmp(pd_strtab_get(&p->strings, p->funcs[x].name),
		   pd_strtab_get(&p->strings, p->funcs[y].name));
	return d ? d : strcmp(pd_strtab_get(&p->strings, p->funcs[x].module),
			      pd_strtab_get(&p->strings, p->funcs[y].module));
}

static bool has_inclusive(const struct pd_profile *p)
{
	for (size_t i = 0; i < (size_t)p->n_funcs * p->n_events; i++)
		if (pd_is_known(p->weights[i].inclusive))
			return true;
	return false;
}

static bool has_modules(const struct pd_profile *p)
{
	for (uint32_t i = 0; i < p->n_funcs; i++)
		if (p->funcs[i].module.id)
			return true;
	return false;
}

/* How the numbers of an event are written. */
static struct pd_figures figures_of(struct pd_document *d, const struct pd_profile *p,
				    uint32_t event)
{
	const struct pd_event *e = &p->events[event];
	struct pd_figures f = {.divisor = 1, .unit = pd_strtab_get(&p->strings, e->name)};
	struct pd_span name = pd_event_bare_name(pd_span_of(f.unit));

	/* Periods of samples are large numbers of which few digits say something. */
	if (p->recording && e->total > e->n_samples)
		return pd_weighted_figures(d, name, e->unit, e->total, e->total / e->n_samples);
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		double x = pd_profile_weight(p, i, event)->self;

		if (pd_is_known(x) && x != trunc(x)) {
			f.decimals = 2;
			break;
		}
	}
	return f;
}

static void add_columns(struct pd_document *d, struct pd_table *t, const struct pd_profile *p,
			bool inclusive, bool modules)
{
	for (uint32_t e = 0; e < p->n_events; e++) {
		const char *name = pd_document_text(d, pd_strtab_get(&p->strings,
								     p->events[e].name));
		struct pd_figures f = figures_of(d, p, e);

		/* One unit for several events would not tell them apart. */
		pd_table_add_column(d, t, name,
				    p->n_events > 1 && f.divisor != 1 && p->events[e].unit ==
				    PD_UNIT_NS ? pd_document_printf(d, "%s %s", name, f.unit)
					       : f.unit,
				    PD_STYLE_COUNT, f.decimals);
		pd_table_set_divisor(t, f.divisor);
		if (p->recording)
			pd_table_add_column(d, t, pd_document_printf(d, "%s samples", name),
					    "samples", PD_STYLE_COUNT, 0);
		if (pd_is_known(p->events[e].total))
			pd_table_add_column(d, t, pd_document_printf(d, "%s share", name), "share",
					    PD_STYLE_SHARE, 2);
		if (!inclusive)
			continue;
		pd_table_add_column(d, t, pd_document_printf(d, "%s inclusive", name), "inclusive",
				    PD_STYLE_COUNT, f.decimals);
		pd_table_set_divisor(t, f.divisor);
	}
	if (modules)
		pd_table_add_column(d, t, "module", "module", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "function", p->rows ? p->rows : "function", PD_STYLE_TEXT, 0);
}

/* What of a profile a table of its functions shows. */
struct shown {
	bool inclusive, modules;
	struct pd_short_modules names;
};

static void fill_row(struct pd_document *d, const struct pd_profile *p, uint32_t func,
		     const struct shown *shown, struct pd_cell *cells)
{
	const struct pd_func *f = &p->funcs[func];

	for (uint32_t e = 0; e < p->n_events; e++) {
		const struct pd_weight *w = pd_profile_weight(p, func, e);

		(cells++)->number = w->self;
		if (p->recording)
			(cells++)->number = w->n_samples;
		if (pd_is_known(p->events[e].total))
			(cells++)->number = 100 * w->self / p->events[e].total;
		if (shown->inclusive)
			(cells++)->number = w->inclusive;
	}
	if (shown->modules)
		(cells++)->text = pd_document_text(d, pd_short_module(&shown->names, &p->strings,
								      f->module));
	cells->text = pd_document_text(d, pd_strtab_get(&p->strings, f->name));
}

static void add_heading(struct pd_document *d, const struct pd_profile *p)
{
	const char *text = pd_document_printf(d, "%s%s%s: %s", p->path, p->section ? "#" : "",
					      p->section ? p->section : "", p->format);
	char buf[PD_NUM_LEN];

	for (uint32_t e = 0; e < p->n_events; e++) {
		const struct pd_event *event = &p->events[e];

		if (pd_is_known(event->total))
			text = pd_document_printf(d, "%s, %s %s", text,
						  pd_num_shortest(event->total, buf),
						  pd_strtab_get(&p->strings, event->name));
		else
			text = pd_document_printf(d, "%s, %s (no total)", text,
						  pd_strtab_get(&p->strings, event->name));
		if (event->is_cut)
			text = pd_document_printf(d, "%s (the list is cut)", text);
	}
	if (p->n_metrics)
		text = pd_document_printf(d, "%s, %u metric%s", text, p->n_metrics,
					  p->n_metrics > 1 ? "s" : "");
	pd_document_add_text(d, text);
}

/* The short names of a profile's modules. */
static struct pd_short_modules short_modules(struct pd_document *d, const struct pd_profile *p)
{
	pd_str *modules = pd_arena_array(&d->arena, p->n_funcs, sizeof(*modules));
	uint32_t n = 0;

	if (!modules) {
		d->failed = true;
		return (struct pd_short_modules){0};
	}
	for (uint32_t i = 0; i < p->n_funcs; i++)
		if (p->funcs[i].module.id && (!n || modules[n - 1].id != p->funcs[i].module.id))
			modules[n++] = p->funcs[i].module;
	return pd_short_modules_make(d, &p->strings, modules, n);
}

/* What a metric's repetitions are together. */
struct summary {
	double mean, sd, n;
};

static struct summary summarize(const struct pd_metric *m)
{
	struct summary s = {PD_UNKNOWN, m->sd, m->n_values};
	double sum = 0, squares = 0;

	if (pd_is_known(m->n_summarized) || pd_is_known(m->sd))
		s.n = m->n_summarized;
	for (uint32_t i = 0; i < m->n_values; i++)
		sum += m->values[i];
	if (m->n_values)
		s.mean = sum / m->n_values;
	for (uint32_t i = 0; i < m->n_values; i++)
		squares += (m->values[i] - s.mean) * (m->values[i] - s.mean);
	if (m->n_values > 1)
		s.sd = sqrt(squares / (m->n_values - 1));
	return s;
}

/* What the metrics of a profile need to be shown. */
struct metric_columns {
	bool groups, repetitions;
	int decimals;
};

static struct metric_columns find_metric_columns(const struct pd_profile *p)
{
	struct metric_columns c = {0};

	for (uint32_t i = 0; i < p->n_metrics; i++) {
		const struct pd_metric *m = &p->metrics[i];

		c.groups |= m->group.id != 0;
		c.repetitions |= m->n_values > 1 || pd_is_known(m->n_summarized) ||
				 pd_is_known(m->sd);
		for (uint32_t k = 0; k < m->n_values; k++)
			if (m->values[k] != trunc(m->values[k]))
				c.decimals = c.decimals == 4 || fabs(m->values[k]) < 10 ? 4 : 2;
	}
	return c;
}

static void add_metrics(struct pd_document *d, const struct pd_profile *p)
{
	struct metric_columns c = find_metric_columns(p);
	struct pd_table *t = pd_document_add_table(d, NULL);

	pd_table_add_column(d, t, "mean", c.repetitions ? "mean" : "value", PD_STYLE_COUNT,
			    c.decimals);
	if (c.repetitions) {
		pd_table_add_column(d, t, "sd", "+-sd", PD_STYLE_SPREAD, c.decimals);
		pd_table_add_column(d, t, "n", "n", PD_STYLE_COUNT, 0);
	}
	pd_table_add_column(d, t, "unit", "unit", PD_STYLE_TEXT, 0);
	if (c.groups)
		pd_table_add_column(d, t, "table", "table", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "metric", "metric", PD_STYLE_TEXT, 0);
	for (uint32_t i = 0; i < p->n_metrics; i++) {
		const struct pd_metric *m = &p->metrics[i];
		struct pd_table_row *row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		struct pd_cell *cell = row ? row->cells : NULL;
		struct summary s = summarize(m);

		if (!row)
			return;
		(cell++)->number = s.mean;
		if (c.repetitions) {
			(cell++)->number = s.sd;
			(cell++)->number = s.n;
		}
		(cell++)->text = pd_document_text(d, pd_strtab_get(&p->strings, m->unit));
		if (c.groups)
			(cell++)->text = pd_document_text(d, pd_strtab_get(&p->strings, m->group));
		cell->text = pd_document_text(d, pd_strtab_get(&p->strings, m->name));
	}
}

static void add_functions(struct pd_document *d, const struct pd_profile *p,
			  const struct pd_view_options *options)
{
	struct shown shown = {has_inclusive(p), has_modules(p), short_modules(d, p)};
	uint32_t *order = pd_arena_array(&d->arena, p->n_funcs, sizeof(*order));
	struct pd_table *t = pd_document_add_table(d, NULL);
	uint32_t n_functions = 0;

	if (!order || !t) {
		d->failed |= !order;
		return;
	}
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		order[i] = i;
		n_functions += !(p->funcs[i].flags & PD_FUNC_LEFTOVER);
	}
	/* Leftovers stay behind. */
	qsort_r(order, n_functions, sizeof(*order), compare_funcs, (void *)(uintptr_t)p);
	add_columns(d, t, p, shown.inclusive, shown.modules);
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		struct pd_table_row *row;

		if ((i < n_functions && options->n_top && i >= options->n_top) ||
		    !is_shown(p, order[i], options->min_ticks))
			continue;
		row = pd_table_add_row(d, t, i < n_functions ? PD_ROW_NORMAL : PD_ROW_REST);
		if (!row)
			return;
		fill_row(d, p, order[i], &shown, row->cells);
	}
}

static void add_profile(struct pd_document *d, const struct pd_profile *p,
			const struct pd_view_options *options)
{
	if (!p->recording) {
		add_heading(d, p);
	} else {
		pd_document_add_text(d, pd_document_printf(d, "%s: %s", p->path, p->format));
		pd_show_add_recording(d, p);
	}
	if (p->n_events)
		add_functions(d, p, options);
	if (p->n_metrics)
		add_metrics(d, p);
}

int pd_report_show(struct pd_profile *const *profiles, uint32_t n,
		   const struct pd_view_options *options, const struct pd_diags *diags,
		   struct pd_document **ret_document, struct pd_error *err)
{
	struct pd_document *d = pd_view_document(options);

	if (!d)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < n && d->parts & PD_PART_BLOCKS; i++)
		add_profile(d, profiles[i], options);
	pd_show_add_data(d, profiles, n);
	pd_schema_add_head(d, "show", diags);
	pd_schema_add_profiles(d, profiles, n);
	if (d->failed) {
		pd_document_free(d);
		return pd_fail_nomem(err);
	}
	*ret_document = d;
	return PD_OK;
}
