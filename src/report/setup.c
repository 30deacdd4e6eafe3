/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The set-up of a review: what the sides are, by what tells them apart.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "report/sections.h"

/* The image of a side, if the review has it. */
static const struct pd_image *image_of(const struct pd_review *r, uint32_t side)
{
	if (!r->sizes || side > 1 || r->sizes->sides[side].n_images != 1)
		return NULL;
	return r->sizes->sides[side].images[0];
}

static const struct pd_run_info *run_of(const struct pd_review *r, uint32_t side)
{
	return r->c && r->c->sides[side].n_runs ? &r->c->sides[side].runs[0] : NULL;
}

/* All getters: a text, or NULL where it is not known. */
static const char *get_runs(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	uint32_t n = r->c ? r->c->sides[side].n_runs : 0;

	return n ? pd_document_printf(d, "%u run%s", n, n == 1 ? "" : "s") : NULL;
}

static const char *get_format(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	const struct pd_run_info *run = run_of(r, side);

	return run ? pd_document_printf(d, "read from %s", run->format) : NULL;
}

/* The first word of a release. */
static const char *get_kernel(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	const struct pd_run_info *run = run_of(r, side);
	const struct pd_image *image = image_of(r, side);
	const char *kernel = run && run->kernel ? run->kernel : image ? image->release : NULL;

	return kernel ? pd_document_printf(d, "kernel %.*s", (int)strcspn(kernel, " "), kernel)
		      : NULL;
}

static const char *get_image(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	return image_of(r, side) ? pd_document_printf(d, "image %s", image_of(r, side)->path)
				 : NULL;
}

static const char *get_build_id(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	const struct pd_image *image = image_of(r, side);

	return image && image->build_id ? pd_document_printf(d, "build-id %.12s", image->build_id)
					: NULL;
}

/* Without its options: these are a line of their own, if they are all that differs. */
static const char *get_compiler(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	const struct pd_image *image = image_of(r, side);
	struct pd_span s;

	if (!image || !image->producer)
		return NULL;
	s = pd_span_of(image->producer);
	s = pd_span_sub(s, 0, pd_span_find(s, " -"));
	return pd_document_printf(d, "%.*s", PD_SPAN_ARG(s));
}

static const char *get_cpus(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	const struct pd_run_info *run = run_of(r, side);

	return run && run->n_cpus ? pd_document_printf(d, "%u processors", run->n_cpus) : NULL;
}

static const char *get_rate(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	double hz = PD_UNKNOWN;
	char buf[PD_NUM_LEN];

	if (r->c && r->c->n_events)
		hz = r->c->events[0].frequency_hz[r->c->sides[side].first_run];
	return pd_is_known(hz) ? pd_document_printf(d, "%s samples a second",
						    pd_num_shortest(hz, buf)) : NULL;
}

static const char *get_event(struct pd_document *d, const struct pd_review *r, uint32_t side)
{
	const char *text = "";

	(void)side;
	if (!r->c || !r->c->n_events)
		return NULL;
	for (uint32_t e = 0; e < r->c->n_events; e++)
		text = pd_document_printf(d, "%s%s%s", text, e ? ", " : "event ",
					  pd_strtab_get(&r->c->strings, r->c->events[e].name));
	return text;
}

static const char *(*const getters[])(struct pd_document *d, const struct pd_review *r,
				      uint32_t side) = {
	get_runs, get_kernel, get_image, get_build_id, get_compiler, get_format, get_event,
	get_rate, get_cpus,
};

enum { N_GETTERS = sizeof(getters) / sizeof(getters[0]) };

static const char *label_of(const struct pd_review *r, uint32_t side)
{
	return r->c ? r->c->sides[side].label : r->sizes->sides[side].label;
}

static void add_options(struct pd_document *d, const struct pd_review *r)
{
	const struct pd_image *a = image_of(r, 0), *b = image_of(r, 1);
	const char *x = a ? get_compiler(d, r, 0) : NULL, *y = b ? get_compiler(d, r, 1) : NULL;

	if (x && y && !strcmp(x, y) && strcmp(a->producer, b->producer) != 0)
		pd_document_add_text(d, "the compiler's options differ.");
	if (a && b)
		pd_sizes_add_config(d, a->config, b->config);
}

void pd_setup_add(struct pd_document *d, const struct pd_review *r)
{
	uint32_t n_sides = r->c ? r->c->n_sides : 2;
	bool is_alike[N_GETTERS];
	const char *alike = "";

	for (size_t i = 0; i < N_GETTERS; i++) {
		const char *base = getters[i](d, r, 0);

		is_alike[i] = base != NULL;
		for (uint32_t s = 1; s < n_sides && is_alike[i]; s++) {
			const char *next = getters[i](d, r, s);

			is_alike[i] = next && !strcmp(base, next);
		}
		if (is_alike[i])
			alike = pd_document_printf(d, "%s%s%s", alike, *alike ? ", " : "", base);
	}
	for (uint32_t s = 0; s < n_sides; s++) {
		const char *text = "";

		for (size_t i = 0; i < N_GETTERS; i++) {
			const char *own = is_alike[i] ? NULL : getters[i](d, r, s);

			if (own)
				text = pd_document_printf(d, "%s%s%s", text, *text ? ", " : "",
							  own);
		}
		pd_document_add_text(d, pd_document_printf(d, "%s%s%s%s", label_of(r, s),
							   s ? "" : " (base)", *text ? ": " : "",
							   text));
	}
	if (*alike)
		pd_document_add_text(d, pd_document_printf(d, "alike: %s.", alike));
	add_options(d, r);
}
