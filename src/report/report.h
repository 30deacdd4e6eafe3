/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Views: each makes a document of an answer, for people (blocks) and for
 * programs (the value tree of SCHEMA).
 */
#ifndef PD_REPORT_REPORT_H
#define PD_REPORT_REPORT_H

#include "analysis/annotate.h"
#include "analysis/callers.h"
#include "analysis/sizes.h"
#include "profdiff/compare.h"
#include "profdiff/table.h"

/* What people see of a view; programs see everything. */
struct pd_view_options {
	unsigned parts;      /* enum pd_parts that will be read; 0: all */
	uint32_t n_top;      /* rows in each direction, 0: all */
	bool has_top;        /* the user said so */
	double min_ticks;    /* rows that are below it on all sides are not shown */
	bool has_min_ticks;  /* else rows of recordings with too few samples are not, too */
	const char *sort;    /* columns, "delta-abs" if NULL */
	const char *columns; /* of the table of functions; the usual ones if NULL */
	bool shows_runs;     /* the numbers of every run */
	bool has_idle_rows;  /* idle functions stand among the others */
	bool has_data;       /* sizes of objects, too */
	bool explains;       /* where the cost went, instead of the table of functions */
	bool shows_all;      /* of code: instructions that are the same, too */
	bool keeps_mangling; /* names as in the symbol table */
};

/* An empty document of the parts that are wanted; NULL if there is no memory. */
static inline struct pd_document *pd_view_document(const struct pd_view_options *options)
{
	return pd_document_new(options->parts ? options->parts : PD_PART_ALL);
}

/* The functions of a comparison. Errors: USAGE (an unknown column), NOMEM. */
int pd_report_functions(const struct pd_comparison *c, const struct pd_view_options *options,
			const struct pd_diags *diags, struct pd_document **ret_document,
			struct pd_error *err) PD_MUST_USE;

/* What profiles say, one file after the other; they must outlive the document. Errors: NOMEM. */
int pd_report_show(struct pd_profile *const *profiles, uint32_t n,
		   const struct pd_view_options *options, const struct pd_diags *diags,
		   struct pd_document **ret_document, struct pd_error *err) PD_MUST_USE;

/*
 * Give a document the tree of the first event of the first run: one of the same name, else
 * the first, of all other runs; those of a side are summed. Errors: USAGE (no costs, or
 * differences), NOMEM.
 */
int pd_report_add_tree(struct pd_document *d, const struct pd_side_input *sides, uint32_t n_sides,
		       struct pd_error *err) PD_MUST_USE;

/*
 * Who calls a function; c, a comparison of profiles of the two builds, is NULL
 * where there are none. Errors: NOMEM.
 */
int pd_report_callers(const struct pd_callers *callers, const struct pd_comparison *c,
		      const struct pd_view_options *options, const struct pd_diags *diags,
		      struct pd_document **ret_document, struct pd_error *err) PD_MUST_USE;

/* The code of a function, whose source lines are read as they are shown. Errors: NOMEM. */
int pd_report_annotate(struct pd_annotation *a, const struct pd_view_options *options,
		       const struct pd_diags *diags, struct pd_document **ret_document,
		       struct pd_error *err) PD_MUST_USE;

struct pd_annotation;
struct pd_why;

/* What --why is of. All is borrowed; NULL where it is not known. */
struct pd_why_view {
	const char *function;
	const struct pd_comparison *c;
	const struct pd_sizes *sizes;
	uint32_t size_row; /* of sizes, or PD_NO_INDEX */
	const struct pd_callers *callers;
	const struct pd_annotation *annotation;
	const struct pd_why *why;
};

/* One function on one page. Errors: NOMEM. */
int pd_report_why(const struct pd_why_view *view, const struct pd_view_options *options,
		  const struct pd_diags *diags, struct pd_document **ret_document,
		  struct pd_error *err) PD_MUST_USE;

/* What a review says, in this order. */
enum pd_section_kind {
	PD_SECTION_SETUP,
	PD_SECTION_VERDICT,
	PD_SECTION_BENCHMARKS,
	PD_SECTION_IMAGES,
	PD_SECTION_SIZES,
	PD_SECTION_FUNCTIONS,
	PD_SECTION_INLINES,
	PD_SECTION_CALLERS,
	PD_SECTION_EXPLAIN,
	PD_SECTION_CAVEATS,
	PD_SECTION_COMMAND,
	PD_N_SECTIONS,
};

/* Their names, for --sections. */
extern const char *const pd_section_names[PD_N_SECTIONS];

/* What a review is of. All is borrowed. */
struct pd_review {
	const struct pd_comparison *c;       /* NULL: there are no profiles */
	const struct pd_sizes *sizes;        /* of the base and the next side, or NULL */
	struct pd_callers *const *callers;   /* [n_callers] of changed functions */
	uint32_t n_callers;
	bool has_sections[PD_N_SECTIONS];
	const char *command;                 /* that makes it once more */
};

/*
 * The report of a change, for a mail: all that is known of it, each thing once. A section
 * without anything to say is left out. Errors: USAGE (an unknown column), NOMEM.
 */
int pd_report_review(const struct pd_review *review, const struct pd_view_options *options,
		     const struct pd_diags *diags, struct pd_document **ret_document,
		     struct pd_error *err) PD_MUST_USE;

/* Sizes of two builds. Errors: USAGE (an unknown column to sort by), NOMEM. */
int pd_report_sizes(const struct pd_sizes *sizes, const struct pd_view_options *options,
		    const struct pd_diags *diags, struct pd_document **ret_document,
		    struct pd_error *err) PD_MUST_USE;

#endif
