/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tasks. Contract: tasks.h.
 */
#include "ingest/perfdata/tasks.h"

#include <stdlib.h>

static uint32_t add_comm(struct pd_perf_tasks *t, pd_str name, int32_t tid)
{
	if (t->n_comms == t->cap_comms) {
		uint32_t cap = t->cap_comms ? 2 * t->cap_comms : 64;
		struct pd_perf_comm *comms = realloc(t->comms, cap * sizeof(*comms));

		if (!comms) {
			t->failed = true;
			return 0;
		}
		t->comms = comms;
		t->cap_comms = cap;
	}
	t->comms[t->n_comms] = (struct pd_perf_comm){name, tid};
	return t->n_comms++;
}

static uint32_t named_comm(struct pd_perf_tasks *t, pd_str name)
{
	uint32_t comm = pd_map_insert(&t->comm_of_name, name.id, t->n_comms);

	if (comm == PD_MAP_NONE)
		t->failed = true;
	else if (comm == t->n_comms)
		return add_comm(t, name, 0);
	return t->failed ? 0 : comm;
}

static const struct pd_perf_task *find(const struct pd_perf_tasks *t, int32_t tid)
{
	uint32_t i = pd_map_find(&t->by_tid, (uint32_t)tid);

	return i == PD_MAP_NONE ? NULL : &t->items[i];
}

/* The task of a thread id; NULL if there is no memory. Valid until the next one is made. */
static struct pd_perf_task *get(struct pd_perf_tasks *t, int32_t tid)
{
	uint32_t i = pd_map_insert(&t->by_tid, (uint32_t)tid, t->n);

	if (i == PD_MAP_NONE) {
		t->failed = true;
		return NULL;
	}
	if (i < t->n)
		return &t->items[i];
	if (t->n == t->cap) {
		uint32_t cap = t->cap ? 2 * t->cap : 64;
		struct pd_perf_task *items = realloc(t->items, cap * sizeof(*items));

		if (!items) {
			t->failed = true;
			return NULL;
		}
		t->items = items;
		t->cap = cap;
	}
	t->items[t->n] = (struct pd_perf_task){.tid = tid, .unnamed = PD_PERF_NO_COMM};
	return &t->items[t->n++];
}

/* Its last state; NULL if it has none. */
static struct pd_perf_state *last_state(const struct pd_perf_task *x)
{
	return x && x->n ? &x->states[x->n - 1] : NULL;
}

static struct pd_perf_state *add_state(struct pd_perf_tasks *t, int32_t tid,
				       struct pd_perf_state state)
{
	struct pd_perf_task *x = get(t, tid);

	if (!x)
		return NULL;
	/* One operation may say several things of a task. */
	if (x->n && x->states[x->n - 1].version == state.version)
		x->n--;
	if (x->n == x->cap) {
		uint32_t cap = x->cap ? 2 * x->cap : 2;
		struct pd_perf_state *states = realloc(x->states, cap * sizeof(*states));

		if (!states) {
			t->failed = true;
			return NULL;
		}
		x->states = states;
		x->cap = cap;
	}
	x->states[x->n] = state;
	return &x->states[x->n++];
}

static uint32_t unnamed_comm(struct pd_perf_tasks *t, int32_t tid)
{
	struct pd_perf_task *x = get(t, tid);

	if (x && x->unnamed == PD_PERF_NO_COMM)
		x->unnamed = add_comm(t, (pd_str){0}, tid);
	return x ? x->unnamed : 0;
}

/* A new task; comm may be PD_PERF_NO_COMM. */
static struct pd_perf_state *make(struct pd_perf_tasks *t, int32_t pid, int32_t tid, uint32_t comm,
				  uint32_t version)
{
	struct pd_perf_state state = {.version = version, .comm = comm, .pid = pid};

	if (pid == tid || pid == -1)
		state.space = pd_perf_space_new(t->spaces);
	else
		state.space = pd_perf_task_space(t, pid, pid, version);
	if (comm == PD_PERF_NO_COMM) {
		/* Samples before this are of the same task, unless that one ended. */
		const struct pd_perf_task *x = find(t, tid);

		state.comm = x && x->n ? add_comm(t, (pd_str){0}, tid) : unnamed_comm(t, tid);
	}
	return add_state(t, tid, state);
}

/* The state of a task that may be new; NULL if there is no memory. */
static struct pd_perf_state *find_or_make(struct pd_perf_tasks *t, int32_t pid, int32_t tid,
					  uint32_t version)
{
	struct pd_perf_state *s = last_state(find(t, tid));

	return s ? s : make(t, pid, tid, PD_PERF_NO_COMM, version);
}

void pd_perf_tasks_init(struct pd_perf_tasks *t, struct pd_perf_spaces *spaces,
			struct pd_strtab *strings)
{
	*t = (struct pd_perf_tasks){.spaces = spaces, .strings = strings};
	pd_perf_task_rename(t, 0, 0, pd_span_of("swapper"), 0);
}

void pd_perf_tasks_done(struct pd_perf_tasks *t)
{
	for (uint32_t i = 0; i < t->n; i++)
		free(t->items[i].states);
	free(t->items);
	free(t->comms);
	pd_map_done(&t->by_tid);
	pd_map_done(&t->comm_of_name);
	*t = (struct pd_perf_tasks){0};
}

uint32_t pd_perf_task_space(struct pd_perf_tasks *t, int32_t pid, int32_t tid, uint32_t version)
{
	const struct pd_perf_state *s = find_or_make(t, pid, tid, version);

	return s ? s->space : PD_PERF_NO_SPACE;
}

int32_t pd_perf_task_pid(const struct pd_perf_tasks *t, int32_t tid, int32_t otherwise)
{
	const struct pd_perf_state *s = last_state(find(t, tid));

	return s ? s->pid : otherwise;
}

/* The task gets a name, the first one also for the time before. */
static void set_name(struct pd_perf_tasks *t, int32_t tid, pd_str name, uint32_t version)
{
	struct pd_perf_state *s = last_state(find(t, tid)), renamed;

	if (!s || !t->n_comms)
		return;
	if (!t->comms[s->comm].name.id) {
		t->comms[s->comm].name = name;
		return;
	}
	renamed = *s;
	renamed.comm = named_comm(t, name);
	renamed.version = version;
	(void)add_state(t, tid, renamed);
}

void pd_perf_task_rename(struct pd_perf_tasks *t, int32_t pid, int32_t tid, struct pd_span name,
			 uint32_t version)
{
	pd_str text = pd_strtab_intern(t->strings, name);

	if (find_or_make(t, pid, tid, version) && text.id)
		set_name(t, tid, text, version);
}

void pd_perf_task_fork(struct pd_perf_tasks *t, const struct pd_perf_fork *fork, uint32_t version)
{
	struct pd_perf_state *s = find_or_make(t, fork->parent_pid, fork->parent_tid, version);
	struct pd_perf_state parent;
	pd_str name;

	/* A parent of another process is another task, whose end was lost. */
	if (s && s->pid != fork->parent_pid)
		s = make(t, fork->parent_pid, fork->parent_tid,
			 add_comm(t, (pd_str){0}, fork->parent_tid), version);
	if (!s || t->failed || fork->tid == fork->parent_tid)
		return;
	parent = *s;
	name = t->comms[parent.comm].name;
	/* A task of the child's id that is there already is another one. */
	s = make(t, fork->pid, fork->tid,
		 name.id ? named_comm(t, name) : add_comm(t, name, fork->tid), version);
	if (s && fork->pid == fork->tid && fork->pid != parent.pid && fork->copies_maps)
		s->space = pd_perf_space_fork(t->spaces, parent.space, version);
}

struct pd_perf_state pd_perf_task_at(struct pd_perf_tasks *t, int32_t pid, int32_t tid,
				     uint32_t version)
{
	const struct pd_perf_task *x = find(t, tid);
	struct pd_perf_state state = {.space = PD_PERF_NO_SPACE, .pid = pid};

	for (uint32_t low = 0, high = x ? x->n : 0; low < high;) {
		uint32_t mid = low + (high - low) / 2;

		if (x->states[mid].version <= version) {
			state = x->states[mid];
			low = mid + 1;
		} else {
			high = mid;
		}
	}
	if (x && x->n && x->states[0].version <= version)
		return state;
	if (pid != tid && pid != -1)
		state.space = pd_perf_task_at(t, pid, pid, version).space;
	state.comm = unnamed_comm(t, tid);
	return state;
}
