/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Images of sides. Contract: side_images.h. Images are read at once, since each is
 * hundreds of megabytes of a kernel with DWARF.
 */
#include "cli/side_images.h"

#include "base/pool.h"
#include "cli/per_side.h"

/* One image to be read. */
struct job {
	const char *path; /* NULL: none */
	struct pd_image_options options;
	struct pd_image *image;
	struct pd_diags diags;
	struct pd_error err;
	int rc;
};

static void read_one(void *context, uint32_t i)
{
	struct job *job = &((struct job *)context)[i];

	if (job->path)
		job->rc = pd_image_open(job->path, &job->options, &job->diags, &job->image,
					&job->err);
}

/* Which path is whose: [sides + 1] jobs, the last for all sides without one. */
static int list_jobs(struct cli_options *o, const char *const *labels, uint32_t n_sides,
		     const char *const *debug_dirs, enum pd_image_detail detail,
		     struct job *jobs, struct pd_error *err)
{
	uint32_t n_own = 0;

	for (uint32_t i = 0; i < o->images.n; i++) {
		const char *path;
		uint32_t side;
		int rc = cli_word_side("-k", &o->images, i, labels, n_sides, &side, &path, err);

		if (rc != PD_OK)
			return rc;
		side = side == CLI_ALL_SIDES ? n_sides : side;
		if (!jobs[side].path)
			jobs[side].path = path;
	}
	for (uint32_t s = 0; s <= n_sides; s++)
		n_own += jobs[s].path != NULL;
	/* What is inlined can differ between two images only. */
	if (n_own < 2 && detail == PD_IMAGE_INLINES)
		detail = PD_IMAGE_FILES;
	for (uint32_t s = 0; s <= n_sides; s++)
		jobs[s].options = (struct pd_image_options){
			.debug_dir = debug_dirs[s == n_sides ? 0 : s],
			.detail = o->has_no_dwarf ? PD_IMAGE_SYMBOLS : detail,
			.wants_debuginfod = o->wants_debuginfod,
			.wants_objects = true, /* what code refers to */
			.limits = &o->limits,
		};
	return PD_OK;
}

/* Why what is inlined cannot be compared at all; NULL if nobody asked, or it can. */
static const char *find_reason(const struct cli_side_images *images,
			       const struct cli_sides *sides, struct pd_arena *a)
{
	for (uint32_t s = 0; s < images->n; s++)
		if (!images->items[s])
			return pd_arena_printf(a, "there is no image of %s: what is inlined could "
					       "not be compared (-k).", sides->items[s].label);
	for (uint32_t s = 1; s < images->n; s++)
		if (images->items[s] != images->items[0])
			return NULL;
	return "one image serves all sides: what is inlined could not be compared (-k A -k B).";
}

/* Whether there is something to compare: code, or what DWARF tells of it. */
static bool has_code(const struct pd_image *image)
{
	for (uint32_t i = 0; i < image->n_sections && image->elf_machine; i++)
		if (image->sections[i].is_code && image->sections[i].bytes)
			return true;
	return image->has_inlines;
}

/* Pair the base's image with that of a next side. What cannot be is said. */
static int pair(struct cli_side_images *images, const struct cli_sides *sides, uint32_t next,
		struct pd_arena *a, struct pd_error *err)
{
	static const char *const no_module[] = {""};
	static const struct pd_size_options options = {.suffix = PD_SUFFIX_GROUP};
	struct pd_error why = {0};
	int rc;

	if (!images->items[0] || !images->items[next] || images->items[0] == images->items[next])
		return PD_OK;
	for (uint32_t k = 0; k < 2; k++) {
		uint32_t s = k ? next : 0;

		if (!has_code(images->items[s])) {
			images->why_no_pairs = pd_arena_printf(
				a, "%s has no code, only symbols: what is inlined could not be "
				"compared.", images->items[s]->path);
			return images->why_no_pairs ? PD_OK : pd_fail_nomem(err);
		}
		images->sides[next][k] = (struct pd_size_side){
			.label = sides->items[s].label,
			.path = images->items[s]->path,
			.images = &images->items[s],
			.modules = (const char **)(uintptr_t)no_module,
			.n_images = 1,
		};
	}
	rc = pd_sizes_compare(images->sides[next], &options, &images->pairs[next], &why);
	if (rc == PD_ERR_MISMATCH) {
		images->why_no_pairs = pd_arena_printf(a, "%s: what is inlined could not be "
						       "compared.", why.msg);
		return images->why_no_pairs ? PD_OK : pd_fail_nomem(err);
	}
	if (rc != PD_OK)
		*err = why;
	return rc;
}

static int pair_all(struct cli_side_images *images, const struct cli_sides *sides,
		    struct pd_arena *a, struct pd_error *err)
{
	int rc = PD_OK;

	images->why_no_pairs = find_reason(images, sides, a);
	for (uint32_t s = 1; s < images->n && rc == PD_OK; s++)
		rc = pair(images, sides, s, a, err);
	return rc;
}

int cli_side_images_open(struct cli_options *o, struct cli_inputs *in,
			 const struct cli_sides *sides, enum pd_image_detail detail,
			 struct cli_side_images *images, struct pd_error *err)
{
	const char *const *labels = cli_sides_labels(&o->arena, sides);
	size_t n = sides->n + (size_t)1;
	const char **debug_dirs = pd_arena_array(&o->arena, n, sizeof(*debug_dirs));
	struct job *jobs = pd_arena_array(&o->arena, n, sizeof(*jobs));
	int rc;

	images->n = sides->n;
	images->items = pd_arena_array(&o->arena, n, sizeof(struct pd_image *));
	images->owned = pd_arena_array(&o->arena, n, sizeof(struct pd_image *));
	images->sides = pd_arena_array(&o->arena, n, sizeof(*images->sides));
	images->pairs = pd_arena_array(&o->arena, n, sizeof(struct pd_sizes *));
	if (!labels || !debug_dirs || !jobs || !images->items || !images->owned ||
	    !images->sides || !images->pairs)
		return pd_fail_nomem(err);
	rc = cli_side_values("--debug-dir", &o->debug_dirs, labels, sides->n, debug_dirs, err);
	if (rc == PD_OK)
		rc = list_jobs(o, labels, sides->n, debug_dirs, detail, jobs, err);
	if (rc != PD_OK)
		return rc;
	pd_pool_run(sides->n + 1, read_one, jobs);
	for (uint32_t s = 0; s <= sides->n; s++) {
		pd_diags_move(&jobs[s].diags, in->diags);
		images->owned[s] = jobs[s].image;
		if (rc == PD_OK && jobs[s].rc != PD_OK) {
			rc = jobs[s].rc;
			*err = jobs[s].err;
		}
	}
	for (uint32_t s = 0; s < sides->n; s++)
		images->items[s] = images->owned[s] ? images->owned[s] : images->owned[sides->n];
	return rc == PD_OK && detail == PD_IMAGE_INLINES ? pair_all(images, sides, &o->arena, err)
							  : rc;
}

void cli_side_images_done(struct cli_side_images *images)
{
	for (uint32_t s = 0; images->pairs && s < images->n; s++)
		pd_sizes_free(images->pairs[s]);
	for (uint32_t s = 0; images->owned && s <= images->n; s++)
		pd_image_free(images->owned[s]);
	*images = (struct cli_side_images){0};
}
