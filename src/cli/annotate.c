/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Annotating. Contract: annotate.h.
 */
#include "cli/annotate.h"

#include "analysis/annotate.h"
#include "cli/images.h"
#include "cli/per_side.h"
#include "cli/sides.h"
#include "cli/symbols.h"

/* The images' words: one, or two. */
static int find_words(const struct cli_options *o, char *words[2], struct pd_error *err)
{
	uint32_t n = o->images.n ? o->images.n : o->n_args;
	char *const *from = o->images.n ? o->images.items : o->args;

	if (n < 1 || n > 2)
		return pd_fail(err, PD_ERR_USAGE, "--annotate: expected one image or two (-k A -k "
			       "B); see --help");
	words[0] = from[0];
	words[1] = n > 1 ? from[1] : NULL;
	return PD_OK;
}

/* Profiles of as many sides as there are images; of one image, of one side or two. */
static int read_profiles(struct cli_options *o, struct cli_inputs *in, bool is_one_image,
			 struct cli_sides *sides, struct pd_error *err)
{
	int rc = is_one_image && o->n_args == 1
			 ? cli_sides_read_one(in, o->args, 1, sides, err)
			 : cli_sides_read(in, o->args, o->n_args, o->base_label, sides, err);

	if (rc == PD_OK && (sides->n > 2 || (sides->n < 2 && !is_one_image)))
		rc = pd_fail(err, PD_ERR_USAGE, "--annotate: expected profiles of two sides");
	return rc == PD_OK ? cli_symbolize(o, in, sides, err) : rc;
}

/* What the command works on. */
struct annotating {
	struct cli_images images;
	struct cli_sides profiles;
	struct pd_size_side sides[2]; /* [n_sides] as they are shown */
	uint32_t n_sides;
};

/* One image may be of two sides: one build that was measured twice. */
static void choose_sides(struct annotating *an)
{
	const struct pd_size_side *from = an->images.sides;
	bool is_one_image = !from[1].path;

	an->n_sides = is_one_image && an->profiles.n < 2 ? 1 : 2;
	an->sides[0] = from[0];
	an->sides[1] = from[!is_one_image];
	for (uint32_t s = 0; s < an->n_sides && is_one_image && an->n_sides > 1; s++)
		an->sides[s].label = an->profiles.items[s].label;
}

static int make_annotation(struct cli_options *o, struct cli_inputs *in, struct annotating *an,
			   struct pd_annotation **ret_annotation, struct pd_error *err)
{
	struct pd_annotate_options options = {
		.function = o->annotated,
		.syntax = o->syntax,
		.wants_lines = !o->has_no_dwarf,
		.limits = &o->limits,
	};
	const char *labels[2];
	int rc = PD_OK;

	if (o->images.n && o->n_args)
		rc = read_profiles(o, in, !an->images.sides[1].path, &an->profiles, err);
	choose_sides(an);
	for (uint32_t s = 0; s < an->n_sides; s++)
		labels[s] = an->sides[s].label;
	if (rc == PD_OK)
		rc = cli_side_values("--source-dir", &o->source_dirs, labels, an->n_sides,
				     options.source_dirs, err);
	if (rc == PD_OK)
		rc = pd_annotate(an->sides, an->n_sides, &options, ret_annotation, err);
	for (uint32_t s = 0; s < an->profiles.n && rc == PD_OK; s++)
		rc = pd_annotation_add_ticks(*ret_annotation, s, an->profiles.items[s].runs.items,
					     an->profiles.items[s].runs.n, err);
	return rc;
}

int cli_annotate(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
		 struct pd_error *err)
{
	struct annotating an = {0};
	struct pd_annotation *annotation = NULL;
	char *words[2];
	int rc = find_words(o, words, err);

	if (rc == PD_OK)
		rc = cli_images_read(o, words, PD_IMAGE_SYMBOLS, in->diags, &an.images, err);
	if (rc == PD_OK)
		rc = make_annotation(o, in, &an, &annotation, err);
	if (rc == PD_OK)
		rc = pd_report_annotate(annotation, &o->view, in->diags, ret_document, err);
	pd_annotation_free(annotation);
	cli_sides_done(&an.profiles);
	cli_images_done(&an.images);
	return rc;
}
