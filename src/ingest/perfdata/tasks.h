/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tasks of a recording, by thread id: what each was called and which address space
 * it had, at any version (see order.h).
 *
 * A task is found by its thread id alone, as in perf. Its process matters when it
 * is made: the first thread of a process has a space of its own, others share that
 * of the first one. A task without a name is ":TID"; the first name that it gets
 * replaces that for the time before, too, so names of tasks are entries of a table,
 * and equal names one entry.
 */
#ifndef PD_INGEST_PERFDATA_TASKS_H
#define PD_INGEST_PERFDATA_TASKS_H

#include "base/map.h"
#include "base/strtab.h"
#include "base/text.h"
#include "ingest/perfdata/spaces.h"

/* A name of tasks. */
struct pd_perf_comm {
	pd_str name; /* none: of the task tid, which has none (yet) */
	int32_t tid;
};

/* A task from a version on. */
struct pd_perf_state {
	uint32_t version;
	uint32_t comm, space;
	int32_t pid;
};

struct pd_perf_task {
	int32_t tid;
	uint32_t unnamed; /* its comm before it has a state; PD_PERF_NO_COMM: not used */
	uint32_t n, cap;
	struct pd_perf_state *states;
};

#define PD_PERF_NO_COMM UINT32_MAX

/* Zero-initialise; free with pd_perf_tasks_done(). */
struct pd_perf_tasks {
	struct pd_perf_task *items;
	uint32_t n, cap;
	struct pd_map by_tid;
	struct pd_perf_comm *comms;
	uint32_t n_comms, cap_comms;
	struct pd_map comm_of_name;
	struct pd_perf_spaces *spaces; /* borrowed */
	struct pd_strtab *strings;     /* borrowed */
	bool failed;                   /* latched: out of memory */
};

/* With the idle task 0, "swapper". */
void pd_perf_tasks_init(struct pd_perf_tasks *t, struct pd_perf_spaces *spaces,
			struct pd_strtab *strings);
void pd_perf_tasks_done(struct pd_perf_tasks *t);
/* The space of a task, which is made if it is new. */
uint32_t pd_perf_task_space(struct pd_perf_tasks *t, int32_t pid, int32_t tid, uint32_t version);
/* The process of a task that is there. */
int32_t pd_perf_task_pid(const struct pd_perf_tasks *t, int32_t tid, int32_t otherwise);
/* COMM */
void pd_perf_task_rename(struct pd_perf_tasks *t, int32_t pid, int32_t tid, struct pd_span name,
			 uint32_t version);
/* FORK; with the maps of the parent, if it is another process */
struct pd_perf_fork {
	int32_t pid, parent_pid, tid, parent_tid;
	bool copies_maps;
};

void pd_perf_task_fork(struct pd_perf_tasks *t, const struct pd_perf_fork *fork, uint32_t version);
/* What a task was at a version; a task that nothing was told of has a state, too. */
struct pd_perf_state pd_perf_task_at(struct pd_perf_tasks *t, int32_t pid, int32_t tid,
				     uint32_t version);

#endif
