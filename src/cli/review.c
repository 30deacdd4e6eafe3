/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report. Contract: review.h.
 */
#include "cli/review.h"

#include <string.h>

#include "base/suggest.h"
#include "cli/compare.h"
#include "cli/images.h"
#include "cli/side_images.h"
#include "cli/sides.h"

enum { MAX_CALLERS = 2, DEFAULT_TOP = 20 };

/* What a report is made of, and what has to be freed. */
struct making {
	struct cli_sides sides;
	struct cli_side_images side_images;
	struct cli_images images; /* where there are no profiles */
	struct pd_size_side listed[2]; /* images that are only lists of symbols */
	struct pd_comparison *c;
	struct pd_sizes *own_sizes; /* of these images */
	struct pd_callers *callers[MAX_CALLERS];
	struct pd_review review;
};

static int fail_section(struct pd_span name, struct pd_error *err)
{
	struct pd_suggestion near = pd_suggest_for(name);
	struct pd_buf text = {0};
	struct pd_buf all = {0};
	int rc;

	for (int i = 0; i < PD_N_SECTIONS; i++) {
		pd_suggest_offer(&near, pd_span_of(pd_section_names[i]));
		pd_buf_printf(&all, "%s%s", i ? ", " : "", pd_section_names[i]);
	}
	rc = pd_fail(err, PD_ERR_USAGE, "--sections: no section \"%.*s\"%s; there are: %s",
		     PD_SPAN_ARG(name), pd_suggest_text(&near, "", &text), all.ptr ? all.ptr : "");
	pd_buf_done(&text);
	pd_buf_done(&all);
	return rc;
}

static bool find_section(struct pd_span name, int *ret_section)
{
	for (int i = 0; i < PD_N_SECTIONS; i++)
		if (pd_span_eq(name, pd_section_names[i])) {
			*ret_section = i;
			return true;
		}
	return false;
}

int cli_set_sections(struct cli_options *o, const char *value, struct pd_error *err)
{
	struct pd_span rest = pd_span_of(value);
	bool drops = pd_span_starts(rest, "-");

	for (int i = 0; i < PD_N_SECTIONS; i++)
		o->lacks_section[i] = !drops;
	do {
		size_t len = pd_span_find(rest, ",");
		struct pd_span name = pd_span_sub(rest, 0, len);
		bool is_dropped = pd_span_starts(name, "-");
		int section = 0;

		if (is_dropped)
			name = pd_span_sub(name, 1, name.len);
		if (!find_section(name, &section))
			return fail_section(name, err);
		o->lacks_section[section] = is_dropped;
		rest = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(rest, len + 1, rest.len);
	} while (rest.len);
	return PD_OK;
}

static bool has_function(const struct pd_sizes *sizes, const char *name)
{
	pd_str s = pd_strtab_find(&sizes->strings, pd_span_of(name));

	for (uint32_t i = 0; i < sizes->n_rows && s.id; i++)
		if (sizes->rows[i].name.id == s.id && !sizes->rows[i].is_object)
			return true;
	return false;
}

/*
 * Whose callers are worth a table: functions that are inlined on one side only, then
 * those that changed most.
 */
static int find_callers(struct making *m, struct pd_error *err)
{
	const struct pd_comparison *c = m->c;
	const struct pd_sizes *sizes = m->review.sizes;
	int rc = PD_OK;

	for (uint32_t i = 0; i < c->n_beside + c->n_rows && rc == PD_OK; i++) {
		const struct pd_row *row = i < c->n_beside ? &c->beside[i]
							   : &c->rows[i - c->n_beside];
		const char *name = pd_strtab_get(&c->strings, row->name);
		bool is_known = !has_function(sizes, name);

		if (m->review.n_callers == MAX_CALLERS)
			break;
		if (row->event || row->is_filtered ||
		    (i >= c->n_beside && !pd_row_is_flagged(c, row)))
			continue;
		for (uint32_t k = 0; k < m->review.n_callers; k++)
			is_known |= !strcmp(m->callers[k]->function, name);
		if (!is_known)
			rc = pd_callers_find(sizes, name, &m->callers[m->review.n_callers++], err);
	}
	if (rc != PD_OK)
		m->review.n_callers--; /* the one that was not made */
	return rc;
}

/* Sizes of two images that have no code. */
static int compare_listed(struct cli_options *o, struct making *m, struct pd_error *err)
{
	static const char *no_module[] = {""};
	struct pd_image **items = m->side_images.items;
	int rc;

	if (!items[0] || !items[1] || items[0] == items[1])
		return PD_OK;
	for (int s = 0; s < 2; s++)
		m->listed[s] = (struct pd_size_side){
			.label = m->sides.items[s].label,
			.path = items[s]->path,
			.images = &items[s],
			.modules = no_module,
			.n_images = 1,
		};
	o->size.suffix = o->compare.suffix;
	rc = pd_sizes_compare(m->listed, &o->size, &m->own_sizes, err);
	m->review.sizes = m->own_sizes;
	return rc;
}

static int read_profiles(struct cli_options *o, struct cli_inputs *in, struct making *m,
			 struct pd_error *err)
{
	int rc = cli_compare_sides(o, in, &m->sides, &m->side_images, &m->c, err);

	if (rc != PD_OK)
		return rc;
	m->review.c = m->c;
	if (m->sides.n != 2 || !m->side_images.pairs)
		return PD_OK;
	m->review.sizes = m->side_images.pairs[1];
	if (!m->review.sizes)
		rc = compare_listed(o, m, err);
	if (rc == PD_OK && m->side_images.pairs[1] && m->review.has_sections[PD_SECTION_CALLERS])
		rc = find_callers(m, err);
	m->review.callers = m->callers;
	return rc;
}

static int read_images(struct cli_options *o, struct cli_inputs *in, struct making *m,
		       struct pd_error *err)
{
	int rc = cli_images_read(o, o->images.items,
				 o->has_no_dwarf ? PD_IMAGE_SYMBOLS : PD_IMAGE_INLINES, in->diags,
				 &m->images, err);

	o->size.suffix = o->compare.suffix;
	if (rc == PD_OK)
		rc = pd_sizes_compare(m->images.sides, &o->size, &m->own_sizes, err);
	m->review.sizes = m->own_sizes;
	return rc;
}

static void done(struct making *m)
{
	for (uint32_t i = 0; i < m->review.n_callers; i++)
		pd_callers_free(m->callers[i]);
	pd_comparison_free(m->c);
	pd_sizes_free(m->own_sizes);
	cli_side_images_done(&m->side_images);
	cli_images_done(&m->images);
	cli_sides_done(&m->sides);
}

int cli_review(struct cli_options *o, struct cli_inputs *in, struct pd_document **ret_document,
	       uint32_t *ret_n_findings, struct pd_error *err)
{
	struct making m = {.review.command = o->command_line};
	int rc;

	for (int i = 0; i < PD_N_SECTIONS; i++)
		m.review.has_sections[i] = !o->lacks_section[i];
	if (!o->view.has_top)
		o->view.n_top = DEFAULT_TOP;
	o->view.has_top = true;
	if (!o->n_args && !o->bench.n && o->images.n == 2)
		rc = read_images(o, in, &m, err);
	else
		rc = read_profiles(o, in, &m, err);
	if (rc == PD_OK)
		rc = pd_report_review(&m.review, &o->view, in->diags, ret_document, err);
	if (rc == PD_OK && m.c)
		*ret_n_findings = cli_tell_findings(o, m.c);
	done(&m);
	return rc;
}
