/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What instructions cost, from the sites of recordings. Contract: annotate.h. A site
 * within an instruction, where buffers count steps of bytes, is of that instruction.
 */
#include <stdlib.h>

#include "analysis/annotate.h"
#include "analysis/events.h"
#include "analysis/names.h"
#include "base/num.h"

/* The sums of one side. */
struct ticking {
	struct pd_annotation *a;
	uint32_t side;
	double share; /* of one run */
	const struct pd_profile *profile;
	uint32_t *event_of; /* [a->n_events] of the profile, or PD_NO_INDEX */
};

static bool is_same_name(struct pd_span a, struct pd_span b)
{
	return a.len == b.len && (!a.len || !memcmp(a.ptr, b.ptr, a.len));
}

/* Whether it looks like a kernel: what it says, or sections that nothing else has. */
static bool is_kernel(const struct pd_image *image)
{
	bool has_table = false, has_init = false;

	for (uint32_t i = 1; i < image->n_sections && !image->is_relocatable; i++) {
		const char *name = pd_strtab_get(&image->strings, image->sections[i].name);

		has_table |= !strcmp(name, "__ksymtab") || !strcmp(name, "__ex_table");
		has_init |= !strcmp(name, ".init.text");
	}
	return image->release || (has_table && has_init);
}

/* Whether an image is of the file that a recording calls so. */
static bool is_of_dso(const struct pd_image *image, const struct pd_recording *r,
		      const struct pd_dso *dso)
{
	const char *build_id = pd_strtab_get(&r->strings, dso->build_id);
	struct pd_span path = pd_strtab_span(&r->strings, dso->path);

	if (*build_id && image->build_id)
		return !strcmp(build_id, image->build_id);
	if (dso->kind == PD_DSO_KERNEL)
		return is_kernel(image);
	return is_same_name(pd_module_base_name(pd_module_normal(path)),
			    pd_module_base_name(pd_module_normal(pd_span_of(image->path))));
}

/* ---- events ---- */

static double sample_cost(const struct pd_event *e)
{
	return e->n_samples > 0 && pd_is_known(e->total) ? e->total / e->n_samples : PD_UNKNOWN;
}

static int take_events(struct pd_annotation *a, const struct pd_profile *p, struct pd_error *err)
{
	a->events = pd_arena_array(&a->arena, (size_t)p->n_events + 1, sizeof(*a->events));
	if (!a->events)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < p->n_events; i++) {
		const struct pd_event *from = &p->events[i];
		struct pd_span name = pd_strtab_span(&p->strings, from->name);
		double sample = sample_cost(from);

		a->events[i] = (struct pd_annotated_event){
			.name = pd_arena_strndup(&a->arena, name.ptr, name.len),
			.unit = from->unit,
			.is_weighted = pd_is_known(sample) && (sample < 1 || sample > 1),
			.sample = sample,
		};
		if (!a->events[i].name)
			return pd_fail_nomem(err);
	}
	a->n_events = p->n_events;
	return PD_OK;
}

/* The profile's event of each of ours: by name, without modifiers, or the only one. */
static void match_events(struct ticking *t)
{
	const struct pd_profile *p = t->profile;

	for (uint32_t i = 0; i < t->a->n_events; i++) {
		struct pd_span name = pd_event_bare_name(pd_span_of(t->a->events[i].name));

		t->event_of[i] = p->n_events == 1 && t->a->n_events == 1 ? 0 : PD_NO_INDEX;
		for (uint32_t k = 0; k < p->n_events && t->event_of[i] == PD_NO_INDEX; k++)
			if (is_same_name(name, pd_event_bare_name(pd_strtab_span(
						       &p->strings, p->events[k].name))))
				t->event_of[i] = k;
	}
}

/* ---- sites ---- */

/* The address of a site as symbols of the image have it; false: in another section. */
static bool find_address(const struct pd_image *image, uint32_t symbol,
			 const struct pd_file_address *from, uint64_t *ret_address)
{
	const struct pd_section *s = &image->sections[image->symbols[symbol].section];

	*ret_address = from->address;
	if (from->kind == PD_ADDRESS_LINKED)
		return !image->is_relocatable;
	if (from->kind != PD_ADDRESS_OFFSET || from->address < s->offset)
		return false;
	*ret_address = from->address - s->offset + (image->is_relocatable ? 0 : s->address);
	return *ret_address - (image->is_relocatable ? 0 : s->address) < s->n_bytes;
}

/* The instruction at an address, or PD_NO_INDEX. */
static uint32_t find_insn(const struct pd_insns *code, uint64_t address)
{
	uint32_t low = 0, high = code->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (code->items[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - code->items[low - 1].address >= code->items[low - 1].n_bytes)
		return PD_NO_INDEX;
	return low - 1;
}

static void add_site(struct ticking *t, struct pd_annotated_part *part, uint32_t site)
{
	const struct pd_recording *r = t->profile->recording;
	const struct pd_image *image = t->a->images[t->side];
	uint32_t symbol = part->symbols[t->side], insn;
	double *ticks = part->ticks[t->side];
	uint64_t address;

	if (!find_address(image, symbol, &r->file_addresses[site], &address))
		return;
	insn = find_insn(&part->code[t->side], address);
	for (uint32_t e = 0; e < t->a->n_events && insn != PD_NO_INDEX; e++)
		if (t->event_of[e] != PD_NO_INDEX)
			ticks[(size_t)insn * t->a->n_events + e] += t->share *
				(double)r->counts[(size_t)site * t->profile->n_events +
						  t->event_of[e]].sum;
}

static void add_run(struct ticking *t)
{
	const struct pd_recording *r = t->profile->recording;
	uint32_t last = PD_NO_INDEX;
	bool is_ours = false;

	for (uint32_t i = 0; i < r->n_sites; i++) {
		if (r->sites[i].dso != last) {
			last = r->sites[i].dso;
			is_ours = is_of_dso(t->a->images[t->side], r, &r->dsos[last]);
		}
		for (uint32_t k = 0; k < t->a->n_parts && is_ours; k++)
			if (t->a->parts[k].symbols[t->side] != PD_NO_INDEX)
				add_site(t, &t->a->parts[k], i);
	}
}

static int make_ticks(struct pd_annotation *a, uint32_t side, struct pd_error *err)
{
	for (uint32_t i = 0; i < a->n_parts; i++) {
		struct pd_annotated_part *part = &a->parts[i];

		if (part->symbols[side] == PD_NO_INDEX)
			continue;
		part->ticks[side] = pd_arena_array(&a->arena,
						   (size_t)part->code[side].n * a->n_events + 1,
						   sizeof(double));
		if (!part->ticks[side])
			return pd_fail_nomem(err);
	}
	return PD_OK;
}

/* What all instructions of a side cost. */
static void find_sums(struct pd_annotation *a, uint32_t side)
{
	for (uint32_t e = 0; e < a->n_events; e++) {
		double sum = 0;

		for (uint32_t i = 0; i < a->n_parts; i++)
			for (uint32_t k = 0; k < a->parts[i].code[side].n; k++)
				sum += a->parts[i].ticks[side][(size_t)k * a->n_events + e];
		a->events[e].sums[side] = sum;
	}
}

static bool has_addresses(const struct pd_profile *p)
{
	return p->recording && p->recording->file_addresses;
}

int pd_annotation_add_ticks(struct pd_annotation *a, uint32_t side,
			    struct pd_profile *const *runs, uint32_t n_runs,
			    struct pd_error *err)
{
	struct ticking t = {.a = a, .side = side};
	uint32_t n = 0, first = 0;
	int rc = PD_OK;

	for (uint32_t i = n_runs; i-- > 0;)
		if (has_addresses(runs[i])) {
			n++;
			first = i;
		}
	if (!n || !a->images[side])
		return PD_OK;
	if (!a->events)
		rc = take_events(a, runs[first], err);
	if (rc == PD_OK)
		rc = make_ticks(a, side, err);
	t.share = 1.0 / n;
	t.event_of = pd_arena_array(&a->arena, (size_t)a->n_events + 1, sizeof(*t.event_of));
	if (rc == PD_OK && !t.event_of)
		rc = pd_fail_nomem(err);
	for (uint32_t i = 0; i < n_runs && rc == PD_OK; i++) {
		t.profile = runs[i];
		if (!has_addresses(runs[i]))
			continue;
		match_events(&t);
		add_run(&t);
	}
	if (rc == PD_OK)
		find_sums(a, side);
	return rc;
}
