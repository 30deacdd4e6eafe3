/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assembling. Contract: assemble.h.
 */
#include "ingest/perfdata/assemble.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/block.h"
#include "ingest/perfdata/frames.h"

enum { AHEAD = 16 }; /* entries fetched from memory before they are needed */

/* What is needed on the way. */
struct assembly {
	struct pd_recording *r;
	struct pd_perf_counter *c;
	struct pd_perf_frames frames;
	struct pd_perf_kept kept;
	uint32_t *new_events; /* [event of the file]; UINT32_MAX: no sample */
	struct pd_sort_item *order; /* of the entries */
	uint32_t *new_dsos;   /* [DSO of the machine]; UINT32_MAX: not sampled */
	const struct pd_limits *limits;
};

void pd_perf_kept_done(struct pd_perf_kept *k)
{
	free(k->of_file);
	free(k->totals);
	*k = (struct pd_perf_kept){0};
}

static struct pd_span frames_of(const struct pd_perf_chains *c, const struct pd_perf_chain *x)
{
	return pd_span_sub(pd_buf_span(&c->frames), x->frames, x->frames + x->n_bytes);
}

/* The samples of chains, and all their frames, become entries. */
static void fold_chains(struct assembly *a)
{
	struct pd_perf_chains *chains = &a->c->chains;
	struct pd_perf_spots *spots = &a->c->spots;

	for (uint32_t i = 0; i < chains->n && !a->frames.failed; i++) {
		const struct pd_perf_chain *x = &chains->items[i];

		pd_perf_frames_walk(&a->frames, x, frames_of(chains, x));
		if (a->frames.n_path)
			pd_perf_spots_fold_one(spots, &a->c->contexts.items[x->context],
					       a->frames.items[a->frames.path[0]].target,
					       &x->count);
	}
	for (uint32_t i = 0; i < a->frames.n; i++) {
		struct pd_perf_entry entry = {
			.address = a->frames.items[i].target.address,
			.dso = a->frames.items[i].target.dso,
		};

		pd_perf_entries_add(&spots->entries, &entry);
	}
}

/* Events with samples, and their totals. */
static int keep_events(struct assembly *a, struct pd_error *err)
{
	const struct pd_perf_entries *e = &a->c->spots.entries;
	uint32_t n = a->c->events->n;
	struct pd_count *totals = calloc((size_t)n + 1, sizeof(*totals));

	a->new_events = calloc((size_t)n + 1, sizeof(*a->new_events));
	a->kept.of_file = calloc((size_t)n + 1, sizeof(*a->kept.of_file));
	a->kept.totals = totals;
	if (!totals || !a->new_events || !a->kept.of_file)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < n; i++) {
		pd_count_add(&totals[i], &a->c->filtered[i]);
		pd_count_add(&totals[i], &a->c->guests[i]);
	}
	for (uint32_t i = 0; i < e->n; i++)
		pd_count_add(&totals[e->items[i].event], &e->items[i].count);
	for (uint32_t i = 0; i < n; i++) {
		a->new_events[i] = UINT32_MAX;
		if (!totals[i].n_samples)
			continue;
		a->new_events[i] = a->kept.n;
		a->kept.of_file[a->kept.n] = i;
		totals[a->kept.n++] = totals[i];
	}
	return PD_OK;
}

/* Counts of n things, as many as limits allow. */
static int make_counts(struct assembly *a, size_t n, struct pd_count **ret_counts,
		       struct pd_error *err)
{
	size_t n_events = a->kept.n ? a->kept.n : 1;

	if (n > a->limits->inflated_bytes / sizeof(struct pd_count) / n_events)
		return pd_fail(err, PD_ERR_LIMIT, "%zu places times %zu events take more than %zu "
			       "bytes; --max-inflated raises this limit", n, n_events,
			       a->limits->inflated_bytes);
	*ret_counts = pd_arena_array(&a->r->arena, n * n_events, sizeof(struct pd_count));
	return *ret_counts ? PD_OK : pd_fail_nomem(err);
}

/* The DSOs that have entries, in the order of the machine. */
static int make_dsos(struct assembly *a, struct pd_error *err)
{
	const struct pd_perf_dsos *d = &a->c->machine->dsos;
	const struct pd_perf_entries *e = &a->c->spots.entries;

	a->new_dsos = malloc(((size_t)d->n + 1) * sizeof(*a->new_dsos));
	if (!a->new_dsos)
		return pd_fail_nomem(err);
	memset(a->new_dsos, 0xff, d->n * sizeof(*a->new_dsos));
	for (uint32_t i = 0; i < e->n; i++)
		a->new_dsos[e->items[i].dso] = 0;
	for (uint32_t i = 0; i < d->n; i++)
		if (!a->new_dsos[i])
			a->new_dsos[i] = a->r->n_dsos++;
	a->r->dsos = pd_arena_array(&a->r->arena, a->r->n_dsos, sizeof(*a->r->dsos));
	if (!a->r->dsos)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < d->n; i++)
		if (a->new_dsos[i] != UINT32_MAX)
			a->r->dsos[a->new_dsos[i]] = d->items[i];
	return PD_OK;
}

/* How many sites the entries make. */
static uint32_t count_sites(const struct assembly *a)
{
	const struct pd_perf_entries *e = &a->c->spots.entries;
	uint32_t n = e->n > 0;

	for (uint32_t i = 1; i < e->n; i++) {
		const struct pd_perf_entry *x = &e->items[a->order[i].index];
		const struct pd_perf_entry *y = &e->items[a->order[i - 1].index];

		if (i + AHEAD < e->n)
			__builtin_prefetch(&e->items[a->order[i + AHEAD].index]);
		n += x->dso != y->dso || x->address != y->address;
	}
	return n;
}

static int make_sites(struct assembly *a, struct pd_error *err)
{
	struct pd_recording *r = a->r;
	const struct pd_perf_entries *e = &a->c->spots.entries;
	uint32_t n = count_sites(a);
	int rc;

	r->sites = pd_arena_array(&r->arena, n, sizeof(*r->sites));
	if (!r->sites)
		return pd_fail_nomem(err);
	rc = make_counts(a, n, &r->counts, err);
	for (uint32_t i = 0; i < e->n && rc == PD_OK; i++) {
		const struct pd_perf_entry *x = &e->items[a->order[i].index];
		struct pd_site site = {a->new_dsos[x->dso], x->address};
		const struct pd_site *last = r->n_sites ? &r->sites[r->n_sites - 1] : NULL;
		uint32_t event = a->new_events[x->event];

		if (i + AHEAD < e->n)
			__builtin_prefetch(&e->items[a->order[i + AHEAD].index]);
		if (!last || last->dso != site.dso || last->address != site.address)
			r->sites[r->n_sites++] = site;
		if (event != UINT32_MAX)
			pd_count_add(&r->counts[(size_t)(r->n_sites - 1) * a->kept.n + event],
				     &x->count);
	}
	return rc;
}

static uint32_t find_site(const struct pd_recording *r, uint32_t dso, uint64_t address)
{
	uint32_t low = 0, high = r->n_sites;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct pd_site *x = &r->sites[mid];

		if (x->dso < dso || (x->dso == dso && x->address < address))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* The node of a site below another node; made if it is new. */
static uint32_t get_node(struct pd_recording *r, struct pd_map *nodes, uint32_t *cap,
			 struct pd_stack x)
{
	uint32_t i = pd_map_insert(nodes, pd_map_key(x.parent, x.site), r->n_stacks);

	if (i != r->n_stacks || i == PD_MAP_NONE)
		return i;
	if (i == *cap) {
		uint32_t n = i ? 2 * i : 1024;
		struct pd_stack *stacks = realloc(r->stacks, n * sizeof(*stacks));

		if (!stacks)
			return PD_MAP_NONE;
		r->stacks = stacks;
		*cap = n;
	}
	r->stacks[r->n_stacks++] = x;
	return i;
}

/* The node of each chain, and with that all nodes. r->stacks is of malloc(). */
static bool make_nodes(struct assembly *a, uint32_t *nodes_of_chains)
{
	struct pd_perf_chains *chains = &a->c->chains;
	struct pd_map nodes = {0};
	uint32_t cap = 0;
	bool ok = true;

	for (uint32_t i = 0; i < chains->n && ok; i++) {
		uint32_t node = PD_NO_STACK;

		pd_perf_frames_walk(&a->frames, &chains->items[i],
				    frames_of(chains, &chains->items[i]));
		for (uint32_t k = a->frames.n_path; k-- && ok;) {
			struct pd_stack x = {node, a->frames.items[a->frames.path[k]].site};

			node = get_node(a->r, &nodes, &cap, x);
			ok = node != PD_MAP_NONE;
		}
		nodes_of_chains[i] = node;
	}
	pd_map_done(&nodes);
	return ok && !a->frames.failed;
}

static int make_stacks(struct assembly *a, struct pd_error *err)
{
	struct pd_perf_chains *chains = &a->c->chains;
	struct pd_recording *r = a->r;
	uint32_t *nodes = malloc(((size_t)chains->n + 1) * sizeof(*nodes));
	struct pd_stack *made;
	int rc = PD_OK;
	bool ok;

	if (!nodes)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < a->frames.n; i++) {
		const struct pd_perf_target *t = &a->frames.items[i].target;

		a->frames.items[i].site = find_site(r, a->new_dsos[t->dso], t->address);
	}
	ok = make_nodes(a, nodes);
	made = r->stacks;
	r->stacks = ok ? pd_arena_array(&r->arena, r->n_stacks, sizeof(*made)) : NULL;
	if (!r->stacks)
		rc = pd_fail_nomem(err);
	else
		rc = make_counts(a, r->n_stacks, &r->stack_counts, err);
	if (rc == PD_OK) {
		memcpy(r->stacks, made, r->n_stacks * sizeof(*made));
		for (uint32_t i = 0; i < chains->n; i++) {
			uint32_t event = a->c->contexts.items[chains->items[i].context].event;
			size_t at = (size_t)nodes[i] * a->kept.n + a->new_events[event];

			pd_count_add(&r->stack_counts[at], &chains->items[i].count);
		}
	}
	free(made);
	free(nodes);
	return rc;
}

/* A comm under the name that it has in the end. */
struct named {
	const char *text;
	pd_str name;
	uint32_t comm, event, counts;
};

static int compare_named(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = strcmp(x->text, y->text);

	if (c)
		return c;
	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->comm < y->comm ? -1 : x->comm > y->comm;
}

static pd_str name_of(struct assembly *a, uint32_t comm)
{
	const struct pd_perf_comm *x = &a->c->machine->tasks.comms[comm];
	char unnamed[16];

	if (x->name.id)
		return x->name;
	(void)snprintf(unnamed, sizeof(unnamed), ":%d", x->tid);
	return pd_strtab_intern_str(&a->r->strings, unnamed);
}

/* Fills comms from the names, sorted. */
static int add_comms(struct assembly *a, const struct named *all, uint32_t n, struct pd_error *err)
{
	struct pd_recording *r = a->r;
	uint32_t n_names = 0;
	int rc;

	for (uint32_t i = 0; i < n; i++)
		n_names += !i || all[i].name.id != all[i - 1].name.id;
	r->comms = pd_arena_array(&r->arena, n_names, sizeof(*r->comms));
	if (!r->comms)
		return pd_fail_nomem(err);
	rc = make_counts(a, n_names, &r->comm_counts, err);
	for (uint32_t i = 0; i < n && rc == PD_OK; i++) {
		size_t at;

		if (!i || all[i].name.id != all[i - 1].name.id)
			r->comms[r->n_comms++] = all[i].name;
		at = (size_t)(r->n_comms - 1) * a->kept.n + a->new_events[all[i].event];
		pd_count_add(&r->comm_counts[at], &a->c->spots.comm_counts[all[i].counts]);
	}
	return rc;
}

static int make_comms(struct assembly *a, struct pd_error *err)
{
	const struct pd_map *ids = &a->c->spots.comm_ids;
	struct named *all = malloc(((size_t)ids->n + 1) * sizeof(*all));
	uint32_t n = 0;
	int rc;

	if (!all)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < ids->n_slots; i++) {
		const struct pd_map_slot *x = &ids->slots[i];

		if (x->value != PD_MAP_NONE)
			all[n++] = (struct named){
				.name = name_of(a, (uint32_t)(x->key >> 32)),
				.comm = (uint32_t)(x->key >> 32),
				.event = (uint32_t)x->key,
				.counts = x->value,
			};
	}
	for (uint32_t i = 0; i < n; i++)
		all[i].text = pd_strtab_get(&a->r->strings, all[i].name);
	if (n)
		qsort(all, n, sizeof(*all), compare_named);
	rc = add_comms(a, all, n, err);
	free(all);
	return rc;
}

static int make_rest(struct assembly *a, struct pd_error *err)
{
	int rc = make_counts(a, 1, &a->r->filtered, err);

	if (rc == PD_OK)
		rc = make_counts(a, 1, &a->r->guests, err);
	for (uint32_t i = 0; i < a->kept.n && rc == PD_OK; i++) {
		a->r->filtered[i] = a->c->filtered[a->kept.of_file[i]];
		a->r->guests[i] = a->c->guests[a->kept.of_file[i]];
	}
	return rc;
}

int pd_perf_assemble(struct pd_recording *r, struct pd_perf_counter *c, bool is_swapped,
		     const struct pd_limits *limits, struct pd_perf_kept *ret_kept,
		     struct pd_error *err)
{
	struct assembly a = {
		.r = r, .c = c, .limits = limits,
		.frames = {
			.contexts = &c->contexts, .machine = c->machine, .is_swapped = is_swapped,
		},
	};
	int rc = PD_OK;

	pd_perf_spots_finish(&c->spots);
	fold_chains(&a);
	a.order = pd_perf_entries_order(&c->spots.entries);
	if (!a.order || c->spots.failed || c->spots.entries.failed || c->contexts.failed ||
	    a.frames.failed || pd_perf_machine_is_failed(c->machine))
		rc = pd_fail_nomem(err);
	if (rc == PD_OK)
		rc = keep_events(&a, err);
	if (rc == PD_OK)
		rc = make_dsos(&a, err);
	if (rc == PD_OK)
		rc = make_sites(&a, err);
	if (rc == PD_OK && c->chains.n)
		rc = make_stacks(&a, err);
	if (rc == PD_OK)
		rc = make_comms(&a, err);
	if (rc == PD_OK)
		rc = make_rest(&a, err);
	if (rc == PD_OK && r->strings.failed)
		rc = pd_fail_nomem(err);
	pd_perf_frames_done(&a.frames);
	pd_block_free(a.order, pd_perf_order_bytes(&c->spots.entries));
	free(a.new_events);
	free(a.new_dsos);
	if (rc == PD_OK)
		*ret_kept = a.kept;
	else
		pd_perf_kept_done(&a.kept);
	return rc;
}
