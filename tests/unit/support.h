/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What unit tests share: profiles and comparisons from short texts, and the
 * whole of a comparison as a text that can be compared.
 *
 * A profile is a list of items, divided by ";":
 *
 *   !cycles samples 100; foo 12; bar@ext4 3; [unknown] 2; !instr events; foo 7
 *
 * "!NAME UNIT [TOTAL]" begins an event (without a total all is listed), the
 * others are functions and leftovers. Without "!" it is "!cycles samples".
 */
#ifndef PD_UNIT_SUPPORT_H
#define PD_UNIT_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/num.h"
#include "base/text.h"
#include "ingest/ingest.h"
#include "profdiff/compare.h"

enum { UT_MAX_SIDES = 4, UT_MAX_RUNS = 8 };

/* Numbers that are equal, or both unknown. */
#define ut_assert_same(a, b) ut_assert_same_at((a), (b), __FILE__, __LINE__)
void ut_assert_same_at(double a, double b, const char *file, int line);

/* Texts that are equal; what names the case. */
#define ut_assert_text(what, have, want) ut_assert_text_at(what, have, want, __FILE__, __LINE__)
void ut_assert_text_at(const char *what, const char *have, const char *want, const char *file,
		       int line);

/* What a text was read as. */
struct ut_reading {
	struct pd_profiles profiles;
	struct pd_diags diags;
	struct pd_error err;
	int rc;
};
/* format NULL: it is found; limits NULL: the usual ones. */
struct ut_reading ut_read(const char *text, const char *format, const struct pd_limits *limits);
void ut_reading_done(struct ut_reading *r);

/*
 * All profiles of a reading as one text: "SECTION:TOTAL name=ticks ... | ...", with
 * leftovers in their brackets, or "error N". The caller frees it.
 */
char *ut_dump_ticks(const struct ut_reading *r);
/* A text that is read so, without a diagnostic. */
#define ut_assert_ticks(text, format, want)                                                 \
	ut_assert_ticks_at(text, format, want, __FILE__, __LINE__)
void ut_assert_ticks_at(const char *text, const char *format, const char *want,
			const char *file, int line);

/*
 * What a text is read as: a line a profile, "SECTION: METRIC; METRIC", where a
 * metric is "[GROUP] NAME=VALUE,VALUE UNIT +-SD n=SUMMARIZED" and what is not
 * there is left out. want NULL: nothing can be read. format NULL: it is found.
 */
#define ut_assert_metrics(text, format, want_format, want)                                  \
	ut_assert_metrics_at(text, format, want_format, want, __FILE__, __LINE__)
void ut_assert_metrics_at(const char *text, const char *format, const char *want_format,
			  const char *want, const char *file, int line);

/* The profile that spec describes. */
struct pd_profile *ut_profile(const char *path, const char *spec);

/* Sides, ready to be compared. */
struct ut_sides {
	struct pd_side_input inputs[UT_MAX_SIDES];
	struct pd_profile *runs[UT_MAX_SIDES][UT_MAX_RUNS];
	uint32_t n;
};
/* Each spec is a side labelled A, B, ...: its runs, divided by "|". NULL ends the sides. */
void ut_sides_init(struct ut_sides *s, const char *const *specs);
void ut_sides_done(struct ut_sides *s);

/* Compare and check with ut_check(); options may be NULL. */
struct pd_comparison *ut_compare(const struct ut_sides *s,
				 const struct pd_compare_options *options);
/* The invariants of compare.h: order, groups, arithmetic, rows + leftovers = totals. */
void ut_check(const struct pd_comparison *c);

/*
 * All of a comparison, in so many significant digits. A line each:
 *
 *   = EVENT UNIT NUMBERS
 *   NAME[@MODULE] PAIRING LISTED NUMBERS    members are indented
 *   - LEFTOVER[@MODULE] NUMBERS
 *   paired BASE NEXT UNPAIRED
 *
 * where NUMBERS is [RUNS|RUNS] MEAN[~SD] MEAN[~SD] DELTA xRATIO, and LISTED a
 * 1 or 0 for each side.
 */
char *ut_dump(const struct pd_comparison *c, int digits);

struct pd_document;
/* What a renderer, by name, makes of a document; freed by the caller. */
char *ut_render(const struct pd_document *d, const char *name, uint32_t width);

/* A generator of numbers that are the same everywhere (xorshift64*). */
struct ut_random {
	uint64_t state; /* not 0 */
};
uint64_t ut_random_next(struct ut_random *r);
/* From 0 to n - 1. */
uint32_t ut_random_below(struct ut_random *r, uint32_t n);

/* A folder of the test's own, below TMPDIR; freed by the second, with what is in it. */
char *ut_folder_new(void);
void ut_folder_free(char *folder);
/* FOLDER/NAME in a static buffer; four of them are valid at a time. */
const char *ut_path(const char *folder, const char *name);
/* A file's bytes, NUL-terminated; NULL if it is not there. */
char *ut_read_file(const char *path, size_t *ret_len);
void ut_write_file(const char *path, const void *bytes, size_t len);

#endif
