/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes of two builds: whose functions are the same, what grew and shrank, and
 * where each byte of each section went.
 *
 * The two sides are base (0) and next (1). A side is one image, or several of
 * which each is a module. Numbers of bytes are doubles, exact up to 2^53.
 */
#ifndef PD_ANALYSIS_SIZES_H
#define PD_ANALYSIS_SIZES_H

#include "base/num.h"
#include "base/text.h"
#include "profdiff/compare.h"
#include "profdiff/image.h"
#include "profdiff/profile.h"

enum pd_size_status {
	PD_SIZE_SAME,
	PD_SIZE_GROWN,
	PD_SIZE_SHRUNK,
	PD_SIZE_NEW,
	PD_SIZE_GONE,
	PD_SIZE_MOVED, /* to another section */
};

/* Whether the instructions of a row are the same, wherever they are. */
enum pd_size_code {
	PD_SIZE_CODE_UNKNOWN, /* nobody asked, or it is not in the file */
	PD_SIZE_CODE_SAME,
	PD_SIZE_CODE_CHANGED,
};

/* A piece of a family: its hot part, a cold one, a clone. */
struct pd_size_part {
	pd_str name, section; /* the next side's section, if it is there */
	pd_str demangled;     /* none if it is not mangled */
	double n_bytes[2];    /* unknown: not there */
	uint32_t symbols[2];  /* of the side's image, or PD_NO_INDEX */
};

/* A function with all its pieces, or an object; or, of --by, the sum of such. */
struct pd_size_row {
	pd_str name, demangled, file, module, section;
	pd_str declared_in; /* the file with its text, where DWARF tells it */
	bool is_object, is_sum;
	pd_str next_name; /* another one, under which the next side has the same code; or none */
	enum pd_size_code code;
	bool has_same_parts; /* pieces of the same names on both sides */
	enum pd_size_status status;
	double n_bytes[2]; /* unknown: not there */
	double told_delta; /* of a text that tells differences alone: both sizes are unknown */
	uint32_t images[2]; /* of the side that it is of, or PD_NO_INDEX */
	uint32_t first_part, n_parts; /* the hot one first */
	uint32_t first_alias, n_aliases; /* other names of the hot piece */
};

/* Where the bytes of a section went: the terms add up to the difference, exactly. */
struct pd_size_account {
	pd_str section, module;
	double n_bytes[2]; /* of the section; 0: not there */
	double grown, shrunk, added, gone; /* of functions; shrunk and gone are negative */
	double objects, padding, unnamed;  /* differences of the rest */
	double object_bytes[2], padding_bytes[2], unnamed_bytes[2];
	double marker_bytes[2]; /* in unnamed, too */
};

/* A function that was inlined somewhere, on a side at least. */
struct pd_inline_row {
	pd_str name, demangled, file;
	double n_instances[2], n_callers[2];
	double n_bytes[2];     /* of instances that are not within one of the same function */
	double body_bytes[2];  /* of its own body, or unknown: there is none */
	bool has_become_body;  /* out of line now, and not before */
	bool has_become_inline; /* no body any more */
	double callers_delta;  /* bytes that callers with other instances than before grew by */
	double net;            /* with the change of the body */
};

struct pd_size_totals {
	double file_bytes[2]; /* PD_UNKNOWN of a listing */
	double n_functions[2], function_bytes[2];
	double n_grown, grown, n_shrunk, shrunk, n_new, added, n_gone, gone; /* rows and bytes */
	double n_inlines[2], inline_bytes[2], outermost_bytes[2];
	double n_inlines_without_code[2];
};

struct pd_size_side {
	const char *label, *path;
	struct pd_image **images;
	const char **modules; /* [n_images] names; "" for the only one */
	uint32_t n_images;
};

enum pd_size_by {
	PD_SIZE_BY_FUNCTION,
	PD_SIZE_BY_FILE,
	PD_SIZE_BY_DIR,
	PD_SIZE_BY_SECTION,
	PD_SIZE_BY_MAINTAINER, /* of the source file */
};

struct pd_maintainers;

struct pd_size_options {
	enum pd_suffix_mode suffix;
	enum pd_size_by by;
	struct pd_maintainers *maintainers; /* of PD_SIZE_BY_MAINTAINER */
	const char *filter, *exclude; /* regular expressions on names, or NULL */
	bool wants_objects; /* rows for them, too; sections have them in any case */
	/* Functions that are the same on both sides are counted, but need no rows. */
	bool wants_only_changes;
	bool wants_code; /* whether the code of functions is the same */
	bool pairs_code; /* functions that are the same code under another name are one row */
};

/* What a text says of sizes, as readers of profiles have it. */
struct pd_size_text {
	/* The two runs of a table; or one of differences, and NULL. */
	const struct pd_profile *runs[2];
	bool is_of_objects;
};

struct pd_sizes {
	struct pd_arena arena;
	struct pd_strtab strings;
	const struct pd_size_side *sides; /* [2], borrowed */
	enum pd_size_by by;
	bool has_files, has_inlines, is_approximate;
	bool has_listing; /* an image is names and sizes alone: files tell no functions apart */
	bool pairs_code, has_code; /* as was asked for */
	bool is_text;     /* of a comparison that is told already: it lists changes alone */
	bool has_deltas_only; /* and tells no sizes */
	struct pd_size_row *rows; /* by name, file, module; perhaps of changes only */
	struct pd_size_part *parts;
	pd_str *aliases;
	struct pd_size_account *accounts; /* in the order of the base's sections */
	struct pd_inline_row *inlines;    /* of which something changed; most bytes first */
	struct pd_size_totals totals;
	uint32_t **rows_of[2]; /* [image of the side][symbol]: its row, or PD_NO_INDEX */
	pd_str **strings_of[2]; /* [image of the side][its string]: here */
	uint32_t n_rows, n_parts, n_aliases, n_accounts, n_inlines;
};

/*
 * Compare. sides must outlive the result. Errors: USAGE (a bad expression),
 * MISMATCH (images of different machines), LIMIT, NOMEM.
 */
int pd_sizes_compare(const struct pd_size_side sides[2], const struct pd_size_options *options,
		     struct pd_sizes **ret_sizes, struct pd_error *err) PD_MUST_USE;
/*
 * The comparison that n_texts tables of one text tell: no sections, no inlined
 * functions, and only what differs. Differences stand alone. sides have no images and
 * must outlive the result. Errors: USAGE (a bad expression, --by), LIMIT, NOMEM.
 */
int pd_sizes_of_text(const struct pd_size_side sides[2], const struct pd_size_text *texts,
		     uint32_t n_texts, const struct pd_size_options *options,
		     struct pd_sizes **ret_sizes, struct pd_error *err) PD_MUST_USE;
/* NULL allowed. */
void pd_sizes_free(struct pd_sizes *sizes);

/* The difference of a row: of a side where it is not, 0 bytes. */
static inline double pd_size_delta(const double n_bytes[2])
{
	return (n_bytes[1] > 0 ? n_bytes[1] : 0) - (n_bytes[0] > 0 ? n_bytes[0] : 0);
}

/* "same" or "changed"; NULL: not known. */
const char *pd_size_code_name(enum pd_size_code code);

/* The same of a row that may have no sizes. */
static inline double pd_size_row_delta(const struct pd_size_row *row)
{
	return pd_is_known(row->n_bytes[0]) || pd_is_known(row->n_bytes[1])
		       ? pd_size_delta(row->n_bytes)
		       : row->told_delta;
}

/* "grown", ...; "function", "object" or "sum". */
const char *pd_size_status_name(enum pd_size_status status);
const char *pd_size_kind_name(const struct pd_size_row *row);

/* No image has that function: USAGE, with the nearest name that there is. */
int pd_sizes_fail_function(const struct pd_sizes *sizes, const char *option, const char *function,
			   struct pd_error *err);

/* A string of an image of a side, in the strings of the comparison. */
pd_str pd_sizes_string(const struct pd_sizes *sizes, uint32_t side, uint32_t image, pd_str s);

/*
 * The parts of the work, in this order, for sizes.c. Errors: NOMEM.
 * Rows and their pieces, size_pairs.c: */
int pd_sizes_pair(struct pd_sizes *sizes, const struct pd_size_options *options,
		  struct pd_error *err) PD_MUST_USE;
/* Rows that are known under another name, aliases, states, order: size_rows.c. */
int pd_sizes_settle(struct pd_sizes *sizes, struct pd_error *err) PD_MUST_USE;
/* Sections, size_accounts.c. */
int pd_sizes_account(struct pd_sizes *sizes, struct pd_error *err) PD_MUST_USE;
/* Inlined functions, size_inlines.c. */
int pd_sizes_tell_inlines(struct pd_sizes *sizes, struct pd_error *err) PD_MUST_USE;
/* Rows of texts, and totals that these tell: size_text.c. */
int pd_sizes_take_text(struct pd_sizes *sizes, const struct pd_size_text *texts, uint32_t n_texts,
		       struct pd_error *err) PD_MUST_USE;
/* --by: rows become sums, size_sums.c. */
int pd_sizes_sum(struct pd_sizes *sizes, const struct pd_size_options *options,
		 struct pd_error *err) PD_MUST_USE;

#endif
