/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A function's code in two builds: reading it. Contract: annotate.h.
 */
#include "analysis/annotate.h"

#include <stdlib.h>

#include "base/num.h"
#include "image/lookup.h"

/* Source lines of a part's instructions on a side; that there are none is no error. */
static int read_places(struct pd_annotation *a, struct pd_annotated_part *part, uint32_t side,
		       struct pd_error *err)
{
	const struct pd_image *image = a->images[side];
	const struct pd_insns *code = &part->code[side];
	const struct pd_section *section =
		&image->sections[image->symbols[part->symbols[side]].section];
	/* Of a relocatable file, DWARF is asked for offsets in the file. */
	struct pd_lookup_segment all = {0, 0, UINT64_MAX};
	struct pd_lookup lookup = {.segments = &all, .n_segments = 1};
	const struct pd_names names = {
		.lookup = &lookup,
		.role = image->is_relocatable ? PD_LOOKUP_MODULE : PD_LOOKUP_KERNEL,
		.dwarf_path = image->debug_path ? image->debug_path : image->path,
	};
	const struct pd_code_options options = {.wants_lines = true};
	struct pd_site *sites = calloc(code->n + (size_t)1, sizeof(*sites));
	struct pd_code_place *places = pd_arena_array(&a->arena, code->n, sizeof(*places));
	struct pd_code_frame *frames = NULL;
	struct pd_error own = {0};
	uint32_t n_frames;
	int rc = sites && places ? PD_OK : pd_fail_nomem(err);

	for (uint32_t i = 0; i < code->n && rc == PD_OK; i++)
		sites[i].address = code->items[i].address +
				   (image->is_relocatable ? section->offset : 0);
	if (rc == PD_OK) {
		rc = pd_code_places(&names, sites, code->n, &options, &a->strings, places, &frames,
				    &n_frames, &own);
		if (rc == PD_OK)
			part->places[side] = places;
		a->has_no_dwarf[side] |= rc != PD_OK;
		rc = rc == PD_ERR_NOMEM ? pd_fail_nomem(err) : PD_OK;
	}
	free(frames);
	free(sites);
	return rc;
}

static int read_side(struct pd_annotation *a, const struct pd_annotate_options *options,
		     uint32_t side, struct pd_error *err)
{
	struct pd_insn_reader *reader = NULL;
	int rc = PD_OK;

	if (!a->images[side])
		return PD_OK;
	rc = pd_insn_reader_new(a->images[side], options->syntax, &reader, err);
	for (uint32_t i = 0; i < a->n_parts && rc == PD_OK; i++) {
		struct pd_annotated_part *part = &a->parts[i];

		if (part->symbols[side] == PD_NO_INDEX)
			continue;
		rc = pd_insns_read(reader, part->symbols[side], &part->code[side], err);
		if (rc == PD_OK && options->wants_lines && !a->has_no_dwarf[side])
			rc = read_places(a, part, side, err);
	}
	pd_insn_reader_free(reader);
	return pd_wrap(err, rc, a->images[side]->path);
}

/* Instructions of two machines are not the same, whatever they are called. */
static int check_machines(const struct pd_annotation *a, struct pd_error *err)
{
	const struct pd_image *x = a->images[0], *y = a->images[1];

	if (!x || !y || x->elf_machine == y->elf_machine)
		return PD_OK;
	return pd_fail(err, PD_ERR_MISMATCH, "%s is for %s, but %s is for %s", x->path, x->machine,
		       y->path, y->machine);
}

int pd_annotate(const struct pd_size_side *sides, uint32_t n_sides,
		const struct pd_annotate_options *options, struct pd_annotation **ret_annotation,
		struct pd_error *err)
{
	struct pd_annotation *a = calloc(1, sizeof(*a));
	int rc = a ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK) {
		a->function = options->function;
		a->sides = sides;
		a->n_sides = n_sides;
		for (uint32_t s = 0; s < 2; s++)
			a->texts[s] = (struct pd_source_texts){
				.folder = options->source_dirs[s], .limits = options->limits,
			};
		rc = pd_annotate_find(a, err);
	}
	if (rc == PD_OK)
		rc = check_machines(a, err);
	for (uint32_t s = 0; s < n_sides && rc == PD_OK; s++)
		rc = read_side(a, options, s, err);
	for (uint32_t i = 0; rc == PD_OK && i < a->n_parts; i++)
		rc = pd_annotate_align(a, &a->parts[i], err);
	if (rc == PD_OK && a->strings.failed)
		rc = pd_fail_nomem(err);
	if (rc != PD_OK) {
		pd_annotation_free(a);
		return rc;
	}
	*ret_annotation = a;
	return PD_OK;
}

void pd_annotation_free(struct pd_annotation *a)
{
	if (!a)
		return;
	for (uint32_t i = 0; i < a->n_parts; i++)
		for (uint32_t s = 0; s < 2; s++)
			pd_insns_done(&a->parts[i].code[s]);
	pd_source_texts_done(&a->texts[0]);
	pd_source_texts_done(&a->texts[1]);
	pd_strtab_done(&a->strings);
	pd_arena_done(&a->arena);
	free(a);
}
