/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether functions of two builds have the same code, wherever it is; and what follows
 * from it: a function whose code is the same has not become slower by itself, and one
 * that is gone is perhaps there under another name.
 */
#ifndef PD_ANALYSIS_CODE_H
#define PD_ANALYSIS_CODE_H

#include "analysis/sizes.h"
#include "profdiff/compare.h"
#include "profdiff/image.h"

/* The code of one symbol. */
struct pd_code_sum {
	uint64_t hash;    /* equal: the same instructions, which refer to the same */
	uint32_t n_insns; /* 0: there is none in the file */
};

/*
 * The code of n symbols of an image, in ret_code [n], by several threads. Errors:
 * UNSUPPORTED (a listing, or a machine that is not disassembled), NOMEM.
 */
int pd_code_sums(const struct pd_image *image, const uint32_t *symbols, uint32_t n,
		 struct pd_code_sum *ret_code, struct pd_error *err) PD_MUST_USE;

/*
 * Sizes, while rows are made: functions that are on one side only, and whose code is that
 * of one function alone that is on the other side only, become one row. Errors: as above.
 */
int pd_sizes_join_code(struct pd_sizes *sizes, struct pd_error *err) PD_MUST_USE;
/* Sizes: tell of each row whether its code is the same. Errors: as above. */
int pd_sizes_compare_code(struct pd_sizes *sizes, struct pd_error *err) PD_MUST_USE;

/*
 * A comparison: note what was flagged although its code is the same in the images of the
 * base and of its side: [sides], NULL where a side has none. Images without code, and
 * names that are there twice, tell nothing. Errors: NOMEM.
 */
int pd_comparison_note_code(struct pd_comparison *c, struct pd_image *const *images,
			    enum pd_suffix_mode suffix, struct pd_error *err) PD_MUST_USE;

/*
 * Of two sides: functions of one image only whose code is the same, for the options of
 * a comparison; from and to are of arena. c is one without them. Errors: UNSUPPORTED,
 * NOMEM.
 */
int pd_comparison_pair_code(const struct pd_comparison *c, struct pd_image *const images[2],
			    struct pd_arena *arena, struct pd_rename **ret_pairs,
			    uint32_t *ret_n_pairs, struct pd_error *err) PD_MUST_USE;

#endif
