/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names for the addresses of a recording: its sites become the functions of its
 * profile, each address looked up once. Which files may name a DSO, and which of
 * their symbols does, is what perf report does (perf's rules: PERFDATA.md 6 and 8,
 * in our words in man/profdiff-formats.5), with what src/README.md lists beside.
 */
#ifndef PD_ANALYSIS_SYMBOLIZE_H
#define PD_ANALYSIS_SYMBOLIZE_H

#include "base/limits.h"
#include "image/places.h"
#include "profdiff/profile.h"

/* What a row of the profile is. */
enum pd_site_rows {
	PD_ROWS_FUNCTION,
	PD_ROWS_MODULE,
	PD_ROWS_COMM,
	PD_ROWS_FILE, /* source file, by DWARF */
	PD_ROWS_LINE, /* source file and line */
	PD_ROWS_DIR,  /* folder of the source file */
};

struct pd_symbolize_options {
	enum pd_site_rows rows;
	bool shows_inlined;    /* cost in an inlined body is the inlined function's */
	bool has_no_demangle;
	bool keeps_addresses;  /* the recording gets its file_addresses */
	bool wants_calls;      /* the call tree, where stacks were recorded */
	const struct pd_limits *limits;
};

/*
 * Fill functions, weights, leftovers and comms of p from its recording; does
 * nothing if it has none. Functions are summed by (module, name); what has no name
 * is the leftover "[unknown]" of its module. Files that cannot be read or are of
 * another build are diagnostics. Errors: NOMEM, LIMIT; IO and FORMAT only of files
 * that places name themselves.
 */
int pd_symbolize(struct pd_profile *p, const struct pd_symbol_places *places,
		 const struct pd_symbolize_options *options, struct pd_diags *diags,
		 struct pd_error *err) PD_MUST_USE;

#endif
