/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbolizing from the inside: what symbolize.c (sites to rows), symbolize_lines.c
 * (DWARF) and symbolize_sums.c (rows to weights) share.
 *
 *   site --(dso, address)--> row, and the rows around it where it was inlined
 *   row  = (module, name), a function or a leftover, with its costs
 */
#ifndef PD_ANALYSIS_SYMBOLIZE_STATE_H
#define PD_ANALYSIS_SYMBOLIZE_STATE_H

#include "analysis/symbolize.h"
#include "base/map.h"
#include "base/num.h"
#include "image/lookup_find.h"

#define PD_NO_ROW UINT32_MAX

/* A function that a site is in by inlining: the one around it. */
struct pd_outer {
	uint32_t row;
	uint32_t next; /* further outwards, or PD_NO_ROW */
};

struct pd_symbolizer {
	struct pd_profile *profile;
	const struct pd_recording *recording;
	const struct pd_symbolize_options *options;
	struct pd_diags *diags;
	struct pd_finder *finder;
	struct pd_func *rows;
	struct pd_count *counts;   /* [row * n_events + event] */
	uint64_t *inclusive;       /* [row * n_events + event] of the first n_inclusive rows */
	uint32_t n_rows, cap_rows, n_inclusive;
	struct pd_map row_ids;     /* by (module, name); leftovers by LEFTOVER_BIT */
	uint32_t *row_of;          /* [n_sites] */
	uint32_t *outer_of;        /* [n_sites] index of outers, or PD_NO_ROW; NULL: none */
	struct pd_outer *outers;
	uint32_t n_outers, cap_outers;
	enum pd_code failed;       /* latched: PD_ERR_NOMEM, PD_ERR_LIMIT */
};

/* The row of that name and module (of the profile's strings); 0 after a failure. */
uint32_t pd_symbolizer_row(struct pd_symbolizer *s, pd_str name, pd_str module, unsigned flags);
/* The module of a DSO as rows have it, in the profile's strings. */
pd_str pd_symbolizer_module(struct pd_symbolizer *s, const struct pd_dso *dso);

/*
 * Rows of the sites [first, first + n) of a DSO by DWARF, which may be missing. Where
 * rows are functions, those of the symbols must be there already.
 */
void pd_symbolize_lines(struct pd_symbolizer *s, const struct pd_names *names, uint32_t first,
			uint32_t n, pd_str module);

/* Sum the sites into rows, and the call tree. */
void pd_symbolize_sum(struct pd_symbolizer *s);
/* Fill functions, weights, leftovers and comms of the profile. */
int pd_symbolize_finish(struct pd_symbolizer *s, struct pd_error *err) PD_MUST_USE;

#endif
