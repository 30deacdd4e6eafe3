/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code of a function in two builds, side by side: which instructions are the same,
 * which were changed, removed and added; the source lines that they are of; and what
 * they cost, where profiles tell addresses. A function has parts (foo, foo.cold,
 * foo.isra.0), each of which is aligned alone. With one side, it is the code of that.
 */
#ifndef PD_ANALYSIS_ANNOTATE_H
#define PD_ANALYSIS_ANNOTATE_H

#include "analysis/sizes.h"
#include "image/dwarf_lines.h"
#include "image/insns.h"
#include "image/source_text.h"
#include "profdiff/profile.h"

enum pd_line_op {
	PD_LINE_SAME,
	PD_LINE_CHANGED, /* the same mnemonic, other operands */
	PD_LINE_REMOVED,
	PD_LINE_ADDED,
};

/* Instructions beside one another: indices in the part's code, or PD_NO_INDEX. */
struct pd_annotated_line {
	enum pd_line_op op;
	uint32_t insns[2];
};

struct pd_annotated_part {
	const char *names[2]; /* NULL: not there */
	uint32_t symbols[2];  /* of the image, or PD_NO_INDEX */
	struct pd_insns code[2];
	struct pd_code_place *places[2]; /* [code.n]; NULL: not known. Files are of strings */
	double *ticks[2];     /* [code.n * n_events + event], a mean over runs; NULL: not known */
	struct pd_annotated_line *lines;
	uint32_t n_lines;
	bool is_same_code; /* there on both sides, and the same wherever it is */
};

/* One event that instructions have ticks of. */
struct pd_annotated_event {
	const char *name;
	enum pd_unit unit;
	bool is_weighted; /* samples are of unequal cost, or not 1 each */
	double sample;    /* cost of a typical one; or unknown */
	double sums[2];   /* ticks of each side in the function */
};

struct pd_annotation {
	struct pd_arena arena;
	struct pd_strtab strings;
	const char *function;             /* borrowed */
	const struct pd_size_side *sides; /* [n_sides], borrowed */
	const struct pd_image *images[2]; /* that has the function; NULL: none of the side has */
	uint32_t n_sides;                 /* 1 or 2 */
	bool has_no_dwarf[2];             /* lines were wanted, and are not known */
	struct pd_source_texts texts[2];  /* of these lines */
	struct pd_annotated_part *parts;
	struct pd_annotated_event *events;
	uint32_t n_parts, n_events;
};

struct pd_annotate_options {
	const char *function; /* a name, "FILE:NAME", or the base name of a family */
	enum pd_asm_syntax syntax;
	bool wants_lines; /* of the source, by DWARF */
	const char *source_dirs[2]; /* where the sources of each side are, or NULL */
	const struct pd_limits *limits;
};

/*
 * Find, read and align. sides [n_sides] and the function's name must outlive the result.
 * Errors: USAGE (no such function, or several of that name; the message lists them),
 * UNSUPPORTED (a listing, or a machine that is not disassembled), EMPTY (no code in the
 * file), LIMIT, NOMEM.
 */
int pd_annotate(const struct pd_size_side *sides, uint32_t n_sides,
		const struct pd_annotate_options *options, struct pd_annotation **ret_annotation,
		struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_annotation_free(struct pd_annotation *a);

/*
 * What instructions of a side cost: the mean over its runs, whose recordings were
 * symbolized with their addresses kept. The first side that has any tells the events.
 * Runs without addresses count nothing. Errors: NOMEM.
 */
int pd_annotation_add_ticks(struct pd_annotation *a, uint32_t side,
			    struct pd_profile *const *runs, uint32_t n_runs,
			    struct pd_error *err) PD_MUST_USE;

/* Parts of the work: which symbols are the function's (annotate_find.c). */
int pd_annotate_find(struct pd_annotation *a, struct pd_error *err) PD_MUST_USE;
/* The lines of a part, from its code (annotate_lines.c). */
int pd_annotate_align(struct pd_annotation *a, struct pd_annotated_part *part,
		      struct pd_error *err) PD_MUST_USE;

#endif
