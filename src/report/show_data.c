/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All that profiles say as one table for programs. A profile may have hundreds of
 * thousands of functions: rows are made while they are written.
 *
 *   row   function 0, event 0 | function 0, event 1 | ... | metric 0, repetition 0 | ...
 */
#include "base/num.h"
#include "report/show.h"

/* One profile's rows are [first, first of the next). */
struct part {
	const struct pd_profile *p;
	uint64_t first, n_costs;
	uint64_t *first_values; /* [n_metrics + 1] first repetition of each metric */
};

struct source {
	struct part *parts; /* [n + 1]; the last one is none's */
	uint32_t n;
};

enum column { PATH, SECTION, EVENT, UNIT, KIND, MODULE, FUNCTION, SELF, INCLUSIVE, SAMPLES };

static const struct part *find_part(const struct source *s, uint64_t row)
{
	uint32_t lo = 0, hi = s->n;

	while (hi - lo > 1) {
		uint32_t middle = lo + (hi - lo) / 2;

		if (s->parts[middle].first <= row)
			lo = middle;
		else
			hi = middle;
	}
	return &s->parts[lo];
}

static void fill_cost(const struct pd_profile *p, uint64_t row, struct pd_cell *cells)
{
	uint32_t func = (uint32_t)(row / p->n_events), event = (uint32_t)(row % p->n_events);
	const struct pd_weight *w = pd_profile_weight(p, func, event);
	const struct pd_func *f = &p->funcs[func];

	cells[EVENT].text = pd_strtab_get(&p->strings, p->events[event].name);
	cells[UNIT].text = pd_unit_name(p->events[event].unit);
	cells[KIND].text = f->flags & PD_FUNC_LEFTOVER ? "leftover" : "function";
	cells[MODULE].text = pd_strtab_get(&p->strings, f->module);
	cells[FUNCTION].text = pd_strtab_get(&p->strings, f->name);
	cells[SELF].number = w->self;
	cells[INCLUSIVE].number = w->inclusive;
	cells[SAMPLES].number = w->n_samples;
}

/* One repetition of a metric. */
static void fill_metric(const struct part *part, uint64_t value, struct pd_cell *cells)
{
	const struct pd_profile *p = part->p;
	const struct pd_metric *m;
	uint32_t i = 0;

	while (i + 1 < p->n_metrics && part->first_values[i + 1] <= value)
		i++;
	m = &p->metrics[i];
	cells[EVENT].text = pd_strtab_get(&p->strings, m->group);
	cells[UNIT].text = pd_strtab_get(&p->strings, m->unit);
	cells[KIND].text = "metric";
	cells[MODULE].text = "";
	cells[FUNCTION].text = pd_strtab_get(&p->strings, m->name);
	cells[SELF].number = m->values[value - part->first_values[i]];
}

static void make_row(const void *source, uint64_t row, struct pd_cell *cells)
{
	const struct part *part = find_part(source, row);

	row -= part->first;
	cells[PATH].text = part->p->path;
	cells[SECTION].text = part->p->section;
	if (row < part->n_costs)
		fill_cost(part->p, row, cells);
	else
		fill_metric(part, row - part->n_costs, cells);
}

static struct source *make_source(struct pd_document *d, struct pd_profile *const *profiles,
				  uint32_t n)
{
	struct source *s = pd_arena_alloc(&d->arena, sizeof(*s));
	uint64_t row = 0;

	if (!s)
		return NULL;
	s->n = n;
	s->parts = pd_arena_array(&d->arena, n + (size_t)1, sizeof(*s->parts));
	for (uint32_t i = 0; i < n && s->parts; i++) {
		const struct pd_profile *p = profiles[i];
		struct part *part = &s->parts[i];
		uint64_t value = 0;

		*part = (struct part){
			.p = p, .first = row, .n_costs = (uint64_t)p->n_funcs * p->n_events,
			.first_values = pd_arena_array(&d->arena, p->n_metrics + (size_t)1,
						       sizeof(*part->first_values)),
		};
		if (!part->first_values)
			return NULL;
		for (uint32_t m = 0; m < p->n_metrics; m++) {
			part->first_values[m] = value;
			value += p->metrics[m].n_values;
		}
		row += part->n_costs + value;
	}
	if (s->parts)
		s->parts[n].first = row;
	return s->parts ? s : NULL;
}

void pd_show_add_data(struct pd_document *d, struct pd_profile *const *profiles, uint32_t n)
{
	static const char *const names[] = {
		[PATH] = "path", [SECTION] = "section", [EVENT] = "event", [UNIT] = "unit",
		[KIND] = "kind", [MODULE] = "module", [FUNCTION] = "function", [SELF] = "self",
		[INCLUSIVE] = "inclusive", [SAMPLES] = "samples",
	};
	struct pd_table *t = pd_document_add_data(d);
	const struct source *source;

	if (!t)
		return; /* nobody wants it, or the failure is latched */
	for (int i = PATH; i <= SAMPLES; i++)
		pd_table_add_column(d, t, names[i], names[i],
				    i < SELF ? PD_STYLE_TEXT : PD_STYLE_COUNT, 0);
	source = make_source(d, profiles, n);
	if (!source) {
		d->failed = true;
		return;
	}
	t->source = source;
	t->make_row = make_row;
	t->n_made = source->parts[n].first;
}
