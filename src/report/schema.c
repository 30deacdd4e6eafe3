/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schema 1: the head, and what profiles say.
 */
#include "report/schema.h"

#include "base/num.h"
#include "config.h"

void pd_schema_add_head(struct pd_document *d, const char *kind, const struct pd_diags *diags)
{
	struct pd_value *list;

	pd_value_add_number(d, d->root, "schema", 1);
	pd_value_add_text(d, d->root, "tool", "profdiff " PD_VERSION);
	pd_value_add_text(d, d->root, "kind", kind);
	list = pd_value_add_list(d, d->root, "diagnostics");
	for (size_t i = 0; i < diags->n; i++) {
		const struct pd_diag *x = &diags->items[i];
		struct pd_value *v = pd_value_add_object(d, list, NULL);
		const char *text = x->text;

		if (x->n_repeats)
			text = pd_document_printf(d, "%s (and %u more like this)", text,
						  x->n_repeats);
		pd_value_add_text(d, v, "severity",
				  x->severity == PD_WARNING ? "warning" : "note");
		pd_value_add_text(d, v, "path", x->path);
		pd_value_add_number(d, v, "line", x->line ? x->line : PD_UNKNOWN);
		pd_value_add_text(d, v, "text", text);
	}
}

/* Text, or null for none. */
static void add_str(struct pd_document *d, struct pd_value *v, const char *key,
		    const struct pd_profile *p, pd_str s)
{
	pd_value_add_text(d, v, key, s.id ? pd_strtab_get(&p->strings, s) : NULL);
}

static void add_events(struct pd_document *d, struct pd_value *v, const struct pd_profile *p)
{
	struct pd_value *list = pd_value_add_list(d, v, "events");

	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct pd_event *e = &p->events[i];
		struct pd_value *x = pd_value_add_object(d, list, NULL);

		pd_value_add_text(d, x, "name", pd_strtab_get(&p->strings, e->name));
		pd_value_add_text(d, x, "unit", pd_unit_name(e->unit));
		pd_value_add_number(d, x, "total", e->total);
		pd_value_add_number(d, x, "samples", e->n_samples);
		pd_value_add_number(d, x, "lost", e->n_lost);
		pd_value_add_number(d, x, "period", e->period);
		pd_value_add_number(d, x, "frequency_hz", e->frequency_hz);
	}
}

enum weight_field { SELF, INCLUSIVE, SAMPLES };

static void add_weights(struct pd_document *d, struct pd_value *v, const char *key,
			const struct pd_profile *p, uint32_t func, enum weight_field field)
{
	struct pd_value *list = pd_value_add_list(d, v, key);

	for (uint32_t e = 0; e < p->n_events; e++) {
		const struct pd_weight *w = pd_profile_weight(p, func, e);

		pd_value_add_number(d, list, NULL, field == SELF ? w->self
						   : field == INCLUSIVE ? w->inclusive
									: w->n_samples);
	}
}

static void make_function(struct pd_document *d, struct pd_value *list, const void *source,
			  uint64_t i)
{
	const struct pd_profile *p = source;
	const struct pd_func *f = &p->funcs[i];
	struct pd_value *x = pd_value_add_object(d, list, NULL);

	add_str(d, x, "name", p, f->name);
	add_str(d, x, "module", p, f->module);
	add_str(d, x, "file", p, f->file);
	pd_value_add_number(d, x, "calls", f->n_calls);
	add_weights(d, x, "self", p, (uint32_t)i, SELF);
	add_weights(d, x, "inclusive", p, (uint32_t)i, INCLUSIVE);
	add_weights(d, x, "samples", p, (uint32_t)i, SAMPLES);
}

/* Functions stand before leftovers in a profile, and there may be many of them. */
static void add_functions(struct pd_document *d, struct pd_value *v, const struct pd_profile *p)
{
	struct pd_value *leftovers;
	uint32_t n = 0;

	while (n < p->n_funcs && !(p->funcs[n].flags & PD_FUNC_LEFTOVER))
		n++;
	pd_value_add_made_list(d, v, "functions", n, p, make_function);
	leftovers = pd_value_add_list(d, v, "leftovers");
	for (uint32_t i = n; i < p->n_funcs; i++) {
		struct pd_value *x = pd_value_add_object(d, leftovers, NULL);

		add_str(d, x, "name", p, p->funcs[i].name);
		add_str(d, x, "module", p, p->funcs[i].module);
		add_weights(d, x, "self", p, i, SELF);
		add_weights(d, x, "samples", p, i, SAMPLES);
	}
}

static void add_comms(struct pd_document *d, struct pd_value *v, const struct pd_profile *p)
{
	struct pd_value *list = pd_value_add_list(d, v, "comms");

	for (uint32_t i = 0; i < p->n_comms; i++) {
		struct pd_value *x = pd_value_add_object(d, list, NULL), *numbers;

		add_str(d, x, "name", p, p->comms[i].name);
		numbers = pd_value_add_list(d, x, "self");
		for (uint32_t e = 0; e < p->n_events; e++)
			pd_value_add_number(d, numbers, NULL, p->comms[i].self[e]);
		numbers = pd_value_add_list(d, x, "samples");
		for (uint32_t e = 0; e < p->n_events; e++)
			pd_value_add_number(d, numbers, NULL, p->comms[i].n_samples[e]);
	}
}

static void add_metrics(struct pd_document *d, struct pd_value *v, const struct pd_profile *p)
{
	struct pd_value *list = pd_value_add_list(d, v, "metrics");

	for (uint32_t i = 0; i < p->n_metrics; i++) {
		const struct pd_metric *m = &p->metrics[i];
		struct pd_value *x = pd_value_add_object(d, list, NULL), *values;

		add_str(d, x, "group", p, m->group);
		add_str(d, x, "name", p, m->name);
		pd_value_add_text(d, x, "unit", pd_strtab_get(&p->strings, m->unit));
		pd_value_add_text(d, x, "better", pd_better_name(m->better));
		values = pd_value_add_list(d, x, "values");
		for (uint32_t k = 0; k < m->n_values; k++)
			pd_value_add_number(d, values, NULL, m->values[k]);
		pd_value_add_number(d, x, "sd", m->sd);
		pd_value_add_number(d, x, "summarized", m->n_summarized);
	}
}

void pd_schema_add_profiles(struct pd_document *d, struct pd_profile *const *profiles, uint32_t n)
{
	struct pd_value *list = pd_value_add_list(d, d->root, "profiles");

	for (uint32_t i = 0; i < n; i++) {
		const struct pd_profile *p = profiles[i];
		struct pd_value *v = pd_value_add_object(d, list, NULL);

		pd_value_add_text(d, v, "label",
				  p->section ? p->section : p->kernel ? p->kernel : p->path);
		pd_value_add_text(d, v, "path", p->path);
		pd_value_add_text(d, v, "format", p->format);
		pd_value_add_text(d, v, "holds", p->holds_deltas ? "deltas" : "counts");
		pd_value_add_text(d, v, "section", p->section);
		pd_value_add_text(d, v, "kernel", p->kernel);
		pd_value_add_text(d, v, "cpu", p->cpu);
		pd_value_add_text(d, v, "command", p->command);
		pd_value_add_number(d, v, "duration_ns", p->duration_ns);
		add_events(d, v, p);
		add_functions(d, v, p);
		add_comms(d, v, p);
		add_metrics(d, v, p);
	}
}
