/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function. Contract: why.h.
 */
#include "cli/why.h"

#include <string.h>

#include "analysis/annotate.h"
#include "analysis/why.h"
#include "base/suggest.h"
#include "cli/compare.h"
#include "cli/images.h"
#include "cli/per_side.h"

/* What the page is made of. */
struct making {
	struct cli_images images;
	struct cli_sides sides;
	struct pd_comparison *c;
	struct pd_sizes *sizes;
	struct pd_callers *callers;
	struct pd_annotation *annotation;
	struct pd_why why;
	uint32_t size_row, n_images;
};

static int read_images(struct cli_options *o, struct cli_inputs *in, struct making *m,
		       struct pd_error *err)
{
	char *words[2] = {o->images.items[0], o->images.n > 1 ? o->images.items[1] : NULL};
	int rc;

	if (o->images.n > 2)
		return pd_fail(err, PD_ERR_USAGE, "--why: expected one image or two (-k A -k B)");
	m->n_images = o->images.n;
	rc = cli_images_read(o, words, o->has_no_dwarf ? PD_IMAGE_SYMBOLS : PD_IMAGE_INLINES,
			     in->diags, &m->images, err);
	if (rc != PD_OK || m->n_images < 2)
		return rc;
	o->size.suffix = o->compare.suffix;
	o->size.by = PD_SIZE_BY_FUNCTION;
	return pd_sizes_compare(m->images.sides, &o->size, &m->sizes, err);
}

/* The function's row: of several of that name, the largest. */
static uint32_t find_size_row(const struct pd_sizes *sizes, const char *function)
{
	uint32_t found = PD_NO_INDEX;
	pd_str name = pd_strtab_find(&sizes->strings, pd_span_of(function));

	for (uint32_t i = 0; i < sizes->n_rows && name.id; i++) {
		const struct pd_size_row *row = &sizes->rows[i];

		if (row->is_object || (row->name.id != name.id && row->demangled.id != name.id))
			continue;
		if (found == PD_NO_INDEX ||
		    row->n_bytes[0] + row->n_bytes[1] >
			    sizes->rows[found].n_bytes[0] + sizes->rows[found].n_bytes[1])
			found = i;
	}
	return found;
}

/* What cannot be had of the images is no reason to say nothing. */
static int tolerate(int rc, struct pd_error *own, struct pd_diags *diags, struct pd_error *err)
{
	if (rc == PD_OK || rc == PD_ERR_NOMEM) {
		if (rc != PD_OK)
			*err = *own;
		return rc;
	}
	pd_diags_add(diags, PD_NOTE, "why", own->path, 0, "%s", own->msg);
	return PD_OK;
}

static int look_into_images(struct cli_options *o, struct cli_inputs *in, struct making *m,
			    struct pd_error *err)
{
	struct pd_annotate_options options = {
		.function = o->why_of,
		.wants_lines = !o->has_no_dwarf,
		.limits = &o->limits,
	};
	const char *labels[2] = {m->images.sides[0].label, m->images.sides[1].label};
	struct pd_error own = {0};
	int rc = cli_side_values("--source-dir", &o->source_dirs, labels, m->n_images,
				 options.source_dirs, err);

	if (rc == PD_OK)
		rc = tolerate(pd_annotate(m->images.sides, m->n_images, &options, &m->annotation,
					  &own), &own, in->diags, err);
	for (uint32_t s = 0; s < m->n_images && s < m->sides.n && m->annotation && rc == PD_OK; s++)
		rc = pd_annotation_add_ticks(m->annotation, s, m->sides.items[s].runs.items,
					     m->sides.items[s].runs.n, err);
	if (rc != PD_OK || !m->sizes)
		return rc;
	m->size_row = find_size_row(m->sizes, o->why_of);
	own = (struct pd_error){0};
	return tolerate(pd_callers_find(m->sizes, o->why_of, &m->callers, &own), &own, in->diags,
			err);
}

static bool has_row(const struct pd_comparison *c, const char *function)
{
	pd_str name = pd_strtab_find(&c->strings, pd_span_of(function));

	for (uint32_t i = 0; i < c->n_rows && name.id; i++)
		if (c->rows[i].name.id == name.id && !c->rows[i].is_filtered)
			return true;
	return false;
}

/* Neither the profiles nor the images have it. */
static int check_function(const struct cli_options *o, const struct making *m,
			  struct pd_error *err)
{
	struct pd_suggestion near = pd_suggest_for(pd_span_of(o->why_of));
	struct pd_buf text = {0};
	int rc;

	if (m->annotation || m->callers || m->size_row != PD_NO_INDEX ||
	    (m->c && has_row(m->c, o->why_of)))
		return PD_OK;
	if (!m->c && m->sizes)
		return pd_sizes_fail_function(m->sizes, "why", o->why_of, err);
	for (uint32_t i = 0; m->c && i < m->c->n_rows; i++)
		pd_suggest_offer(&near, pd_strtab_span(&m->c->strings, m->c->rows[i].name));
	rc = pd_fail(err, PD_ERR_USAGE, "--why: there is no function \"%s\"%s", o->why_of,
		     pd_suggest_text(&near, "", &text));
	pd_buf_done(&text);
	return rc;
}

static int make_document(struct cli_options *o, struct cli_inputs *in, struct making *m,
			 struct pd_document **ret_document, struct pd_error *err)
{
	struct pd_why_view view = {
		.function = o->why_of,
		.c = m->c,
		.sizes = m->sizes,
		.size_row = m->size_row,
		.callers = m->callers,
		.annotation = m->annotation,
		.why = &m->why,
	};
	int rc = check_function(o, m, err);

	if (rc == PD_OK)
		rc = pd_why_make(m->sizes, m->size_row, m->annotation, &m->why, err);
	return rc == PD_OK ? pd_report_why(&view, &o->view, in->diags, ret_document, err) : rc;
}

int cli_why(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
	    struct pd_error *err)
{
	struct making m = {.size_row = PD_NO_INDEX};
	int rc = PD_OK;

	if (!o->images.n && !o->n_args)
		rc = pd_fail(err, PD_ERR_USAGE, "--why: expected sides to compare, images (-k A -k "
			     "B), or both; see --help");
	if (rc == PD_OK && o->images.n)
		rc = read_images(o, in, &m, err);
	if (rc == PD_OK && o->n_args)
		rc = cli_compare_sides(o, in, &m.sides, NULL, &m.c, err);
	if (rc == PD_OK && o->images.n)
		rc = look_into_images(o, in, &m, err);
	if (rc == PD_OK)
		rc = make_document(o, in, &m, ret_document, err);
	pd_why_done(&m.why);
	pd_annotation_free(m.annotation);
	pd_callers_free(m.callers);
	pd_comparison_free(m.c);
	pd_sizes_free(m.sizes);
	cli_sides_done(&m.sides);
	cli_images_done(&m.images);
	return rc;
}
