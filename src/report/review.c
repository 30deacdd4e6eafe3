/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of a review: sections, each made of parts of the other views.
 */
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "report/benchmarks.h"
#include "report/comparable.h"
#include "report/explain.h"
#include "report/figures.h"
#include "report/footer.h"
#include "report/headline.h"
#include "report/schema.h"
#include "report/sections.h"

const char *const pd_section_names[PD_N_SECTIONS] = {
	[PD_SECTION_SETUP] = "setup",       [PD_SECTION_VERDICT] = "verdict",
	[PD_SECTION_BENCHMARKS] = "benchmarks", [PD_SECTION_IMAGES] = "images",
	[PD_SECTION_SIZES] = "sizes",       [PD_SECTION_FUNCTIONS] = "functions",
	[PD_SECTION_INLINES] = "inlines",   [PD_SECTION_CALLERS] = "callers",
	[PD_SECTION_EXPLAIN] = "explain",   [PD_SECTION_CAVEATS] = "caveats",
	[PD_SECTION_COMMAND] = "command",
};

enum { MAX_FINDINGS = 8, RULED_OUT_OF = 10 };

/* ", -93.6% [-95.0%,-91.2%]" */
static const char *ratio_text(struct pd_document *d, double ratio, double lo, double hi)
{
	const char *text = "";

	if (isfinite(ratio))
		text = pd_document_printf(d, ", %s%%", pd_signed_text(d, 100 * (ratio - 1), 1));
	if (isfinite(lo) && isfinite(hi))
		text = pd_document_printf(d, "%s [%s%%,%s%%]", text,
					  pd_signed_text(d, 100 * (lo - 1), 1),
					  pd_signed_text(d, 100 * (hi - 1), 1));
	return text;
}

/* "; q<0.001", which no line break parts. */
static const char *q_text(struct pd_document *d, double q)
{
	char buf[PD_NUM_LEN];

	if (!pd_is_known(q))
		return "";
	return pd_document_printf(d, "; q%s%s", q < 0.001 ? "<" : "=",
				  pd_num_fixed(q < 0.001 ? 0.001 : q, 3, buf));
}

static const char *cost_text(struct pd_document *d, const struct pd_figures *f, double x)
{
	char buf[PD_NUM_LEN];

	return pd_document_printf(d, "%s", pd_is_known(x) ? pd_num_fixed(x / f->divisor,
									f->decimals, buf) : "?");
}

/* "vm_normal_page improved: 1457.5 -> 93.8 ticks, -93.6% [-95.0%,-91.2%]; q<0.001." */
static void add_finding(struct pd_document *d, const struct pd_comparison *c,
			const struct pd_row *row, const char *name, uint32_t side)
{
	const struct pd_change *x = &row->changes[side];
	struct pd_figures f = pd_event_figures(d, c, row->event);
	bool is_alone = x->verdict == PD_VERDICT_STANDOUT;
	const char *unit = f.unit;

	if (c->n_events > 1)
		unit = pd_strtab_get(&c->strings, c->events[row->event].name);
	pd_document_add_text(
		d, pd_document_printf(d, "%s %s%s%s: %s -> %s %s%s%s.",
				      name, is_alone ? "stands out" : pd_verdict_word(x->verdict),
				      c->n_sides > 2 ? " in " : "",
				      c->n_sides > 2 ? c->sides[side].label : "",
				      cost_text(d, &f, row->sides[0].value),
				      cost_text(d, &f, row->sides[side].value), unit,
				      ratio_text(d, x->ratio, x->ratio_lo, x->ratio_hi),
				      q_text(d, x->q)));
}

/*
 * Nothing was found: what was ruled out. Of the most expensive rows, the largest of the
 * changes that their intervals leave open.
 */
static void add_nothing(struct pd_document *d, const struct pd_comparison *c, uint32_t side)
{
	double limit = HUGE_VAL, largest = 0;
	uint32_t n = 0;
	char buf[PD_NUM_LEN];

	for (; n < RULED_OUT_OF; n++) {
		const struct pd_row *next = NULL;

		for (uint32_t i = 0; i < c->n_rows; i++) {
			const struct pd_row *row = &c->rows[i];
			double cost = row->sides[0].value;

			if (row->group == PD_NO_ROW && !row->is_idle && isfinite(cost) &&
			    cost < limit && isfinite(row->changes[side].bound) &&
			    (!next || cost > next->sides[0].value))
				next = row;
		}
		if (!next)
			break;
		limit = next->sides[0].value;
		largest = fmax(largest, next->changes[side].bound);
	}
	if (n)
		pd_document_add_text(
			d, pd_document_printf(d, "%s: no function changed by more than the runs "
					      "vary. For the %u most expensive ones, changes above "
					      "%s%% are ruled out.", c->sides[side].label, n,
					      pd_num_fixed(ceil(1000 * largest) / 10, 1, buf)));
}

static void add_findings(struct pd_document *d, const struct pd_comparison *c, uint32_t side)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];

		if (row->group == PD_NO_ROW && pd_verdict_is_news(row->changes[side].verdict) &&
		    n++ < MAX_FINDINGS)
			add_finding(d, c, row, pd_strtab_get(&c->strings, row->name), side);
	}
	/* They are sums of rows, and not counted among these. */
	for (uint32_t i = 0; i < c->n_beside && i < MAX_FINDINGS; i++) {
		const struct pd_row *group = &c->beside[i];

		if (!pd_verdict_is_news(group->changes[side].verdict) || !group->n_notes)
			continue;
		add_finding(d, c, group,
			    pd_document_printf(d, "%s; together they", group->notes[0]), side);
	}
	if (n > MAX_FINDINGS)
		pd_document_add_text(d, pd_document_printf(d, "%u more are in the table.",
							   n - MAX_FINDINGS));
	if (!n && c->n_events)
		add_nothing(d, c, side);
}

/* "B: of 8 benchmarks, 2 improved and 1 regressed."; false: none was tested. */
static bool count_benchmarks(struct pd_document *d, const struct pd_comparison *c, uint32_t side)
{
	uint32_t n_tested = 0, n_better = 0, n_worse = 0;

	for (uint32_t i = 0; i < c->n_metrics; i++) {
		enum pd_verdict v = c->metrics[i].changes[side].verdict;

		n_tested += v != PD_VERDICT_NONE && v != PD_VERDICT_FEW;
		n_better += v == PD_VERDICT_IMPROVED || v == PD_VERDICT_IMPROVED_MAYBE;
		n_worse += v == PD_VERDICT_REGRESSED || v == PD_VERDICT_REGRESSED_MAYBE;
	}
	if (n_tested)
		pd_document_add_text(d, pd_document_printf(
						d, "%s: of %u benchmark%s, %u improved and %u "
						"regressed.", c->sides[side].label, n_tested,
						n_tested == 1 ? "" : "s", n_better, n_worse));
	return n_tested;
}

static void add_verdict(struct pd_document *d, const struct pd_comparison *c)
{
	bool is_tested = false;

	if (c->n_events)
		pd_headline_add(d, c);
	for (uint32_t s = 1; s < c->n_sides; s++) {
		is_tested |= count_benchmarks(d, c, s);
		add_findings(d, c, s);
	}
	if (c->n_metrics && !is_tested)
		pd_document_add_text(d, "the benchmarks are numbers without repetitions: there is "
					"no verdict on them.");
}

/* Bytes of the sections of an image that are loaded, as size(1) of binutils sums them up. */
static void sum_sections(const struct pd_image *image, double *text, double *data, double *bss)
{
	for (uint32_t i = 0; i < image->n_sections; i++) {
		const struct pd_section *s = &image->sections[i];

		if (!s->is_loaded)
			continue;
		if (!s->is_writable)
			*text += (double)s->n_bytes;
		else if (s->bytes)
			*data += (double)s->n_bytes;
		else
			*bss += (double)s->n_bytes;
	}
}

static void add_images(struct pd_document *d, const struct pd_sizes *sizes)
{
	static const char *const names[] = {"text", "data", "bss", "file"};
	enum { TEXT, DATA, BSS, FILE_SIZE, N };
	double bytes[2][N] = {{0}};
	struct pd_table *t;

	for (int side = 0; side < 2; side++) {
		const struct pd_size_side *s = &sizes->sides[side];

		for (uint32_t i = 0; i < s->n_images; i++)
			sum_sections(s->images[i], &bytes[side][TEXT], &bytes[side][DATA],
				     &bytes[side][BSS]);
		bytes[side][FILE_SIZE] = sizes->totals.file_bytes[side];
	}
	t = pd_document_add_table(d, NULL);
	pd_table_add_column(d, t, "what", "bytes", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "base", pd_document_text(d, sizes->sides[0].label),
			    PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "next", pd_document_text(d, sizes->sides[1].label),
			    PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "change", "change", PD_STYLE_PERCENT, 2);
	for (int i = 0; i < N && t; i++) {
		double base = bytes[0][i], next = bytes[1][i];
		struct pd_table_row *row = NULL;

		if (!pd_is_known(base) && !pd_is_known(next))
			continue;
		row = pd_table_add_row(d, t, PD_ROW_NORMAL);
		if (!row)
			return;
		row->cells[0].text = names[i];
		row->cells[1].number = base;
		row->cells[2].number = next;
		row->cells[3].number = next - base;
		row->cells[4].number = base > 0 ? 100 * (next / base - 1) : PD_UNKNOWN;
	}
}

static void add_caveats(struct pd_document *d, const struct pd_comparison *c)
{
	if (c->n_events) {
		pd_comparable_add_course(d, c);
		pd_headline_add_warnings(d, c);
	}
	pd_headline_warn_order(d, c);
	if (c->n_events)
		pd_footer_add_receipt(d, c);
}

/* A review on its way into a document. */
struct making {
	struct pd_document *d;
	const struct pd_review *r;
	const struct pd_view_options *options;
	struct pd_value *root, *list; /* of the whole, and its "sections" */
};

/* The heading of a section; taken back by end_section() if nothing follows. */
static struct pd_block *begin_section(struct making *m, const char *title)
{
	struct pd_block *last = m->d->last;

	pd_document_add_heading(m->d, title);
	return last;
}

static void end_section(struct making *m, struct pd_block *before)
{
	if (!m->d->last || m->d->last->kind != PD_BLOCK_HEADING)
		return;
	m->d->last = before;
	if (before)
		before->next = NULL;
	else
		m->d->first = NULL;
}

/* The object of a section: what is added to the root goes there. */
static void begin_values(struct making *m, const char *kind)
{
	m->d->root = pd_value_add_object(m->d, m->list, NULL);
	pd_value_add_text(m->d, m->d->root, "kind", kind);
}

static void end_values(struct making *m)
{
	m->d->root = m->root;
}

static int add_explanation(struct making *m, struct pd_error *err)
{
	int rc = PD_OK;

	for (uint32_t e = 0; e < m->r->c->n_events && rc == PD_OK; e++)
		rc = pd_explain_add(m->d, m->r->c, e, err);
	return rc;
}

/* A section for people. */
static int add_section(struct making *m, enum pd_section_kind kind, struct pd_error *err)
{
	const struct pd_comparison *c = m->r->c;
	const struct pd_sizes *sizes = m->r->sizes;
	struct pd_document *d = m->d;

	switch (kind) {
	case PD_SECTION_SETUP:
		pd_setup_add(d, m->r);
		return PD_OK;
	case PD_SECTION_VERDICT:
		if (c)
			add_verdict(d, c);
		return PD_OK;
	case PD_SECTION_BENCHMARKS:
		if (c)
			pd_benchmarks_add(d, c, NULL);
		return PD_OK;
	case PD_SECTION_IMAGES:
		if (sizes)
			add_images(d, sizes);
		return PD_OK;
	case PD_SECTION_SIZES:
		if (!sizes)
			return PD_OK;
		pd_sizes_add_headline(d, sizes);
		return pd_sizes_add_rows(d, sizes, false, m->options, err);
	case PD_SECTION_FUNCTIONS:
		return c ? pd_functions_add(d, c, m->options, err) : PD_OK;
	case PD_SECTION_INLINES:
		if (sizes)
			pd_sizes_add_inlines(d, sizes, m->options);
		return PD_OK;
	case PD_SECTION_EXPLAIN:
		return c ? add_explanation(m, err) : PD_OK;
	case PD_SECTION_CAVEATS:
		if (c)
			add_caveats(d, c);
		return PD_OK;
	case PD_SECTION_COMMAND:
		pd_document_add_text(d, m->r->command);
		return PD_OK;
	default:
		return PD_OK;
	}
}

static int add_callers(struct making *m, struct pd_error *err)
{
	int rc = PD_OK;

	for (uint32_t i = 0; i < m->r->n_callers && rc == PD_OK; i++) {
		pd_document_add_heading(m->d, pd_document_printf(m->d, "Callers of %s",
								 m->r->callers[i]->function));
		begin_values(m, "callers");
		rc = pd_callers_add(m->d, m->r->callers[i], m->r->c, m->options, false, err);
		end_values(m);
	}
	return rc;
}

static int add_sections(struct making *m, struct pd_error *err)
{
	static const char *const titles[PD_N_SECTIONS] = {
		[PD_SECTION_SETUP] = "Set-up",
		[PD_SECTION_VERDICT] = "Verdict",
		[PD_SECTION_BENCHMARKS] = "Benchmarks",
		[PD_SECTION_IMAGES] = "Images",
		[PD_SECTION_SIZES] = "Sizes of functions",
		[PD_SECTION_FUNCTIONS] = "Costs of functions",
		[PD_SECTION_INLINES] = "Inlining",
		[PD_SECTION_EXPLAIN] = "Where the cost went",
		[PD_SECTION_CAVEATS] = "Caveats",
		[PD_SECTION_COMMAND] = "Made by",
	};
	int rc = PD_OK;

	for (int kind = 0; kind < PD_N_SECTIONS && rc == PD_OK; kind++) {
		struct pd_block *before;

		if (!m->r->has_sections[kind])
			continue;
		if (kind == PD_SECTION_CALLERS) {
			rc = add_callers(m, err);
			continue;
		}
		before = begin_section(m, titles[kind]);
		rc = add_section(m, (enum pd_section_kind)kind, err);
		end_section(m, before);
	}
	return rc;
}

/* The same numbers for programs: an object of each kind of answer. */
static int add_values(struct making *m, struct pd_error *err)
{
	const struct pd_comparison *c = m->r->c;
	int rc = PD_OK;

	if (c) {
		begin_values(m, "compare");
		pd_schema_add_comparison(m->d, c);
		if (m->r->has_sections[PD_SECTION_EXPLAIN])
			rc = pd_explain_add_values(m->d, c, err);
		end_values(m);
	}
	if (m->r->sizes && rc == PD_OK) {
		begin_values(m, "size");
		pd_schema_add_sizes(m->d, m->r->sizes);
		end_values(m);
	}
	return rc;
}

int pd_report_review(const struct pd_review *review, const struct pd_view_options *options,
		     const struct pd_diags *diags, struct pd_document **ret_document,
		     struct pd_error *err)
{
	struct making m = {.d = pd_view_document(options), .r = review, .options = options};
	int rc;

	if (!m.d)
		return pd_fail_nomem(err);
	m.d->is_narrow = true;
	m.root = m.d->root;
	pd_schema_add_head(m.d, "report", diags);
	m.list = pd_value_add_list(m.d, m.root, "sections");
	rc = add_values(&m, err);
	if (rc == PD_OK)
		rc = add_sections(&m, err);
	if (rc == PD_OK && review->c)
		rc = pd_functions_add_data(m.d, review->c, options->columns, err);
	pd_value_add_text(m.d, m.root, "command", review->command);
	if (rc == PD_OK)
		rc = m.d->failed ? pd_fail_nomem(err) : PD_OK;
	if (rc != PD_OK) {
		pd_document_free(m.d);
		return rc;
	}
	*ret_document = m.d;
	return PD_OK;
}
