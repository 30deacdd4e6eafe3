/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparing. Contract: compare.h.
 */
#include "cli/compare.h"

#include "analysis/code.h"
#include "analysis/conditions.h"
#include "analysis/image_sizes.h"
#include "analysis/noise_history.h"
#include "cli/bench.h"
#include "cli/exposure.h"
#include "cli/images.h"
#include "cli/rollups.h"
#include "cli/symbols.h"
#include "cli/tell.h"
#include "io/source.h"
#include "io/writer.h"

static struct pd_side_input *side_inputs(struct cli_options *o, const struct cli_sides *sides)
{
	struct pd_side_input *inputs = pd_arena_array(&o->arena, sides->n, sizeof(*inputs));

	for (uint32_t i = 0; i < sides->n && inputs; i++)
		inputs[i] = (struct pd_side_input){
			.label = sides->items[i].label,
			.runs = sides->items[i].runs.items,
			.n_runs = sides->items[i].runs.n,
			.bench = sides->items[i].bench.items,
			.n_bench = sides->items[i].bench.n,
		};
	return inputs;
}

/* The history that --noise names, if any. */
static int read_noise(const struct cli_options *o, struct pd_noise_history *ret_history,
		      struct pd_error *err)
{
	struct pd_source source = {0};
	int rc;

	if (!o->noise_path)
		return PD_OK;
	rc = pd_source_open(o->noise_path, &o->limits, &source, err);
	if (rc == PD_OK)
		rc = pd_noise_history_parse(source.bytes, o->noise_path, ret_history, err);
	pd_source_close(&source);
	return rc;
}

uint32_t cli_tell_findings(const struct cli_options *o, const struct pd_comparison *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->n_fail_on; i++) {
		struct pd_buf findings = {0};
		char *rest, *line;

		n += pd_conditions_find(o->fail_on[i], c, &findings);
		rest = findings.ptr;
		while ((line = strsep(&rest, "\n")) && *line)
			cli_tell("--fail-on", 0, line);
		pd_buf_done(&findings);
	}
	return n;
}

/* --pair-code: compare once more, with the names that code has on both sides. */
static int pair_code(struct cli_options *o, const struct pd_side_input *inputs,
		     const struct cli_side_images *images, struct pd_comparison **comparison_io,
		     struct pd_error *err)
{
	struct pd_rename *pairs = NULL;
	struct pd_comparison *c = NULL;
	struct pd_diags told = {0}; /* what is compared twice is told once */
	uint32_t n = 0;
	int rc;

	if (!images || images->n != 2 || !images->items[0] || !images->items[1] ||
	    images->items[0] == images->items[1])
		return pd_fail(err, PD_ERR_USAGE, "--pair-code: expected two sides and an image of "
			       "each (-k A -k B)");
	rc = pd_comparison_pair_code(*comparison_io, images->items, &o->arena, &pairs, &n, err);
	if (rc != PD_OK || !n)
		return rc;
	o->compare.code_pairs = pairs;
	o->compare.n_code_pairs = n;
	rc = pd_compare(inputs, images->n, &o->compare, &told, &c, err);
	pd_diags_done(&told);
	if (rc != PD_OK)
		return rc;
	pd_comparison_free(*comparison_io);
	*comparison_io = c;
	return PD_OK;
}

/* Open the images of -k, if there are, and sum functions where rows are no functions. */
static int use_images(struct cli_options *o, struct cli_inputs *in, const struct cli_sides *sides,
		      struct cli_side_images *images, struct pd_rollup *rollup,
		      struct pd_error *err)
{
	int rc = cli_rollup_read(o, in->diags, rollup, err);

	if (rc == PD_OK && o->images.n)
		rc = cli_side_images_open(o, in, sides, o->by == CLI_BY_FUNCTION
							? PD_IMAGE_INLINES : PD_IMAGE_FILES,
					  images, err);
	return rc == PD_OK ? cli_rollup_apply(rollup, sides, images, err) : rc;
}

/* Bytes beside ticks; lines and commands have none. */
static int add_bytes(const struct cli_options *o, struct pd_comparison *c,
		     const struct cli_side_images *images, const struct pd_rollup *rollup,
		     struct pd_error *err)
{
	if (rollup->by != PD_ROLLUP_NONE)
		return pd_rollup_add_bytes(c, images->items, rollup, err);
	if (o->by != CLI_BY_FUNCTION)
		return PD_OK;
	return pd_comparison_add_sizes(c, images->items, o->compare.suffix, err);
}

int cli_compare_sides(struct cli_options *o, struct cli_inputs *in, struct cli_sides *sides,
		      struct cli_side_images *images, struct pd_comparison **ret_comparison,
		      struct pd_error *err)
{
	/* Without profiles, one file of results holds the sides itself. */
	bool is_bench_alone = !o->n_args && o->bench.n == 1;
	struct pd_noise_history noise = {0};
	struct pd_side_input *inputs = NULL;
	struct pd_rollup rollup = {0};
	struct pd_comparison *c = NULL;
	int rc = is_bench_alone ? cli_sides_read(in, o->bench.items, 1, o->base_label, sides, err)
				: cli_sides_read(in, o->args, o->n_args, o->base_label, sides, err);

	if (rc == PD_OK && !is_bench_alone)
		rc = cli_bench_read(o, in, sides, err);
	if (rc == PD_OK)
		rc = cli_symbolize(o, in, sides, err);
	if (rc == PD_OK && images)
		rc = use_images(o, in, sides, images, &rollup, err);
	if (rc == PD_OK)
		rc = cli_exposure_make(o, sides, err);
	if (rc == PD_OK)
		rc = read_noise(o, &noise, err);
	if (rc == PD_OK) {
		o->compare.noise = o->noise_path ? &noise : NULL;
		inputs = side_inputs(o, sides);
		rc = inputs ? PD_OK : pd_fail_nomem(err);
	}
	if (images) {
		o->compare.image_pairs = (const struct pd_sizes *const *)images->pairs;
		o->compare.no_inlining = images->why_no_pairs;
	}
	if (rc == PD_OK)
		rc = pd_compare(inputs, sides->n, &o->compare, in->diags, &c, err);
	if (rc == PD_OK && o->pairs_code)
		rc = pair_code(o, inputs, images, &c, err);
	if (rc == PD_OK && images && images->n)
		rc = add_bytes(o, c, images, &rollup, err);
	if (rc == PD_OK && images && images->n && rollup.by == PD_ROLLUP_NONE &&
	    o->by == CLI_BY_FUNCTION)
		rc = pd_comparison_note_code(c, images->items, o->compare.suffix, err);
	if (rc == PD_OK)
		*ret_comparison = c;
	else
		pd_comparison_free(c);
	pd_maintainers_free(rollup.maintainers);
	o->compare.noise = NULL;
	o->compare.image_pairs = NULL;
	pd_noise_history_done(&noise);
	return rc;
}

/* Stacks as the inputs have them. */
static int add_tree(struct cli_options *o, const struct cli_sides *sides, struct pd_document *d,
		    struct pd_error *err)
{
	struct pd_side_input *inputs = side_inputs(o, sides);

	if (!inputs)
		return pd_fail_nomem(err);
	if (sides->n > 2)
		return pd_fail(err, PD_ERR_USAGE, "-o: stacks are written of two sides at most");
	return pd_report_add_tree(d, inputs, sides->n, err);
}

int cli_compare(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
		uint32_t *ret_n_findings, struct pd_error *err)
{
	struct pd_comparison *c = NULL;
	struct cli_side_images images = {0};
	struct cli_sides sides = {0};
	int rc = cli_compare_sides(o, in, &sides, &images, &c, err);

	if (rc == PD_OK)
		rc = pd_report_functions(c, &o->view, in->diags, ret_document, err);
	if (rc == PD_OK && (o->view.parts & PD_PART_TREE))
		rc = add_tree(o, &sides, *ret_document, err);
	if (rc == PD_OK)
		*ret_n_findings = cli_tell_findings(o, c);
	pd_comparison_free(c);
	cli_side_images_done(&images);
	cli_sides_done(&sides);
	return rc;
}

int cli_callers(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
		struct pd_error *err)
{
	struct cli_images images = {0};
	struct pd_callers *callers = NULL;
	struct pd_comparison *c = NULL;
	struct pd_sizes *sizes = NULL;
	struct cli_sides sides = {0};
	bool has_profiles = o->images.n && o->n_args;
	int rc = PD_OK;

	if ((o->images.n ? o->images.n : o->n_args) != 2)
		rc = pd_fail(err, PD_ERR_USAGE, "--callers: expected two images (-k A -k B); "
			     "see --help");
	if (rc == PD_OK)
		rc = cli_images_read(o, o->images.n ? o->images.items : o->args,
				     o->has_no_dwarf ? PD_IMAGE_SYMBOLS : PD_IMAGE_INLINES,
				     in->diags, &images, err);
	o->size.suffix = o->compare.suffix;
	o->size.by = PD_SIZE_BY_FUNCTION; /* callers are functions */
	if (rc == PD_OK)
		rc = pd_sizes_compare(images.sides, &o->size, &sizes, err);
	if (rc == PD_OK)
		rc = pd_callers_find(sizes, o->callers_of, &callers, err);
	if (rc == PD_OK && has_profiles)
		rc = cli_compare_sides(o, in, &sides, NULL, &c, err);
	if (rc == PD_OK && has_profiles && sides.n != 2)
		rc = pd_fail(err, PD_ERR_USAGE, "--callers: expected profiles of two sides");
	if (rc == PD_OK)
		rc = pd_report_callers(callers, c, &o->view, in->diags, ret_document, err);
	pd_callers_free(callers);
	pd_comparison_free(c);
	pd_sizes_free(sizes);
	cli_sides_done(&sides);
	cli_images_done(&images);
	return rc;
}

int cli_save_noise(struct cli_options *o, struct cli_inputs *in, struct pd_error *err)
{
	struct pd_writer writer = {.fd = -1};
	struct cli_sides sides = {0};
	struct pd_side_input *inputs;
	struct pd_buf text = {0};
	int rc;

	if (!o->n_args)
		return pd_fail(err, PD_ERR_USAGE, "--save-noise: expected the runs of one side");
	rc = pd_writer_create(o->save_noise_path, &writer, err);
	if (rc == PD_OK)
		rc = cli_sides_read_one(in, o->args, o->n_args, &sides, err);
	if (rc == PD_OK)
		rc = cli_symbolize(o, in, &sides, err);
	if (rc == PD_OK) {
		inputs = side_inputs(o, &sides);
		rc = inputs ? pd_noise_history_write(inputs, &o->compare, in->diags, &text, err)
			    : pd_fail_nomem(err);
	}
	if (rc == PD_OK) {
		pd_writer_add(&writer, text.ptr, text.len);
		rc = pd_writer_close(&writer, err);
	} else {
		pd_writer_abort(&writer);
	}
	pd_buf_done(&text);
	cli_sides_done(&sides);
	return rc;
}
