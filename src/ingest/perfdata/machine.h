/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The machine that was recorded, at any version: its tasks, what is mapped in each
 * of them and in the kernel. Operations (order.h) are applied one after the other.
 */
#ifndef PD_INGEST_PERFDATA_MACHINE_H
#define PD_INGEST_PERFDATA_MACHINE_H

#include "ingest/perfdata/dsos.h"
#include "ingest/perfdata/order.h"
#include "ingest/perfdata/tasks.h"

/* Free with pd_perf_machine_done(). */
struct pd_perf_machine {
	struct pd_perf_dsos dsos;
	struct pd_perf_spaces spaces;
	struct pd_perf_tasks tasks;
	uint32_t kernel, modules; /* spaces; what modules have lies over the kernel */
	struct pd_strtab *strings;
};

/* What is mapped at a place of the order: own mappings of each space. */
struct pd_perf_view {
	uint32_t space, n;           /* of the task; PD_PERF_NO_SPACE: nothing is mapped */
	uint32_t n_kernel, n_modules;
};

struct pd_perf_target {
	uint32_t dso;
	uint64_t address;
};

/* strings, for the names of all, must outlive it. */
void pd_perf_machine_init(struct pd_perf_machine *m, struct pd_strtab *strings);
void pd_perf_machine_done(struct pd_perf_machine *m);
/* Apply all operations. Errors: NOMEM. */
int pd_perf_machine_run(struct pd_perf_machine *m, const struct pd_perf_order *order,
			bool is_swapped, struct pd_error *err) PD_MUST_USE;
/* Where an address is; mode: enum pd_perf_mode. */
struct pd_perf_target pd_perf_machine_find(struct pd_perf_machine *m,
					   const struct pd_perf_view *view, unsigned mode,
					   uint64_t address);
bool pd_perf_machine_is_failed(const struct pd_perf_machine *m);

#endif
