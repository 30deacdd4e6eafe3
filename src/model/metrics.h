/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The metrics of one run while the builder collects them.
 */
#ifndef PD_MODEL_METRICS_H
#define PD_MODEL_METRICS_H

#include "base/map.h"
#include "profdiff/profile.h"

/* Zero-initialise; free with pd_metrics_done(). */
struct pd_metrics {
	struct pd_map ids; /* by (group, name) */
	struct pd_metric *items;
	uint32_t n, cap;
};

void pd_metrics_done(struct pd_metrics *ms);
/* PD_MAP_NONE if there is no such metric. */
uint32_t pd_metrics_find(const struct pd_metrics *ms, pd_str group, pd_str name);
/* The metric of that group and name, made like this if new; PD_MAP_NONE without memory. */
uint32_t pd_metrics_add(struct pd_metrics *ms, const struct pd_metric *metric);
/* NULL if there is no such metric. */
struct pd_metric *pd_metrics_at(struct pd_metrics *ms, uint32_t metric);
/* One more repetition. False if there is no memory. */
bool pd_metrics_add_value(struct pd_metrics *ms, uint32_t metric, double value);
/* Give p copies of all; strings are those of the metrics. False if there is no memory. */
bool pd_metrics_copy(const struct pd_metrics *ms, const struct pd_strtab *strings,
		     struct pd_profile *p);

#endif
