/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Metrics of a run. Contract: metrics.h.
 */
#include "model/metrics.h"

#include <stdlib.h>
#include <string.h>

void pd_metrics_done(struct pd_metrics *ms)
{
	for (uint32_t i = 0; i < ms->n; i++)
		free(ms->items[i].values);
	free(ms->items);
	pd_map_done(&ms->ids);
	*ms = (struct pd_metrics){0};
}

uint32_t pd_metrics_find(const struct pd_metrics *ms, pd_str group, pd_str name)
{
	return pd_map_find(&ms->ids, pd_map_key(group.id, name.id));
}

uint32_t pd_metrics_add(struct pd_metrics *ms, const struct pd_metric *metric)
{
	uint32_t id = pd_metrics_find(ms, metric->group, metric->name);

	if (id != PD_MAP_NONE)
		return id;
	if (ms->n == ms->cap) {
		uint32_t cap = ms->cap ? 2 * ms->cap : 16;
		struct pd_metric *items = realloc(ms->items, cap * sizeof(*items));

		if (!items)
			return PD_MAP_NONE;
		ms->items = items;
		ms->cap = cap;
	}
	if (pd_map_insert(&ms->ids, pd_map_key(metric->group.id, metric->name.id), ms->n) ==
	    PD_MAP_NONE)
		return PD_MAP_NONE;
	ms->items[ms->n] = *metric;
	return ms->n++;
}

struct pd_metric *pd_metrics_at(struct pd_metrics *ms, uint32_t metric)
{
	return metric < ms->n ? &ms->items[metric] : NULL;
}

bool pd_metrics_add_value(struct pd_metrics *ms, uint32_t metric, double value)
{
	struct pd_metric *m = pd_metrics_at(ms, metric);

	if (!m)
		return true;
	/* The room is always a power of two. */
	if (!(m->n_values & (m->n_values - 1))) {
		size_t cap = m->n_values ? 2 * (size_t)m->n_values : 1;
		double *values = realloc(m->values, cap * sizeof(*values));

		if (!values)
			return false;
		m->values = values;
	}
	m->values[m->n_values++] = value;
	return true;
}

bool pd_metrics_copy(const struct pd_metrics *ms, const struct pd_strtab *strings,
		     struct pd_profile *p)
{
	p->metrics = pd_arena_array(&p->arena, ms->n, sizeof(*p->metrics));
	if (!p->metrics)
		return false;
	for (uint32_t i = 0; i < ms->n; i++) {
		struct pd_metric *m = &p->metrics[i];

		*m = ms->items[i];
		m->group = pd_strtab_intern(&p->strings, pd_strtab_span(strings, m->group));
		m->name = pd_strtab_intern(&p->strings, pd_strtab_span(strings, m->name));
		m->unit = pd_strtab_intern(&p->strings, pd_strtab_span(strings, m->unit));
		m->values = pd_arena_array(&p->arena, m->n_values, sizeof(*m->values));
		if (!m->values)
			return false;
		if (m->n_values)
			memcpy(m->values, ms->items[i].values, m->n_values * sizeof(*m->values));
	}
	p->n_metrics = ms->n;
	return true;
}
