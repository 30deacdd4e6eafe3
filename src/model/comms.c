/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands cost, as a reader tells it: in parts, in any order. Contract:
 * builder.h; a profile has each command once, sorted by name.
 */
#include <stdlib.h>

#include "model/builder_state.h"

void pd_builder_comms_done(struct builder_run *r)
{
	free(r->comms);
	r->comms = NULL;
	r->n_comms = r->cap_comms = 0;
}

void pd_builder_add_comm(struct pd_builder *b, uint32_t run, uint32_t event, struct pd_span name,
			 double self, double n_samples)
{
	struct builder_run *r;

	if (run >= b->n_runs || event >= b->runs[run].n_events)
		return;
	r = &b->runs[run];
	if (r->n_comms == r->cap_comms) {
		uint32_t cap = r->cap_comms ? 2 * r->cap_comms : 16;
		struct builder_comm *comms = reallocarray(r->comms, cap, sizeof(*comms));

		if (!comms) {
			if (b->failed == PD_OK)
				b->failed = PD_ERR_NOMEM;
			return;
		}
		r->comms = comms;
		r->cap_comms = cap;
	}
	r->comms[r->n_comms++] = (struct builder_comm){
		.name = pd_strtab_intern(&b->strings, name),
		.event = event,
		.self = self,
		.n_samples = n_samples,
	};
}

/* What is sorted: the names of which strings. */
struct order {
	const struct pd_strtab *strings;
};

static int compare_comms(const void *a, const void *b, void *context)
{
	const struct builder_comm *x = a, *y = b;
	const struct order *o = context;

	if (x->name.id == y->name.id)
		return 0;
	return strcmp(pd_strtab_get(o->strings, x->name), pd_strtab_get(o->strings, y->name));
}

bool pd_builder_comms_copy(const struct builder_run *r, const struct pd_strtab *strings,
			   struct pd_profile *p)
{
	size_t n = r->n_comms, n_values;
	struct order order = {strings};
	struct builder_comm *sorted;
	double *values;

	if (!n)
		return true;
	sorted = malloc(n * sizeof(*sorted));
	if (!sorted)
		return false;
	memcpy(sorted, r->comms, n * sizeof(*sorted));
	qsort_r(sorted, n, sizeof(*sorted), compare_comms, &order);
	for (size_t i = 0; i < n; i++)
		p->n_comms += !i || sorted[i].name.id != sorted[i - 1].name.id;
	n_values = 2 * (size_t)p->n_comms * r->n_events;
	p->comms = pd_arena_array(&p->arena, p->n_comms, sizeof(*p->comms));
	values = pd_arena_array(&p->arena, n_values, sizeof(*values));
	if (!p->comms || !values) {
		free(sorted);
		return false;
	}
	memset(values, 0, n_values * sizeof(*values));
	p->n_comms = 0;
	for (size_t i = 0; i < n; i++) {
		struct pd_comm *c = p->comms + p->n_comms;

		if (!i || sorted[i].name.id != sorted[i - 1].name.id) {
			*c = (struct pd_comm){
				.name = pd_strtab_intern(&p->strings,
							 pd_strtab_span(strings, sorted[i].name)),
				.self = values + 2 * (size_t)p->n_comms * r->n_events,
			};
			c->n_samples = c->self + r->n_events;
			p->n_comms++;
		} else {
			c--;
		}
		c->self[sorted[i].event] += sorted[i].self;
		c->n_samples[sorted[i].event] += sorted[i].n_samples;
	}
	free(sorted);
	return true;
}
