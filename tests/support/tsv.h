/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tab-separated tables with a header line, for tests and benches: the golden
 * vectors and matrices of testdata/stats. "NA" is NaN, "Inf" infinite.
 */
#ifndef PD_TESTS_TSV_H
#define PD_TESTS_TSV_H

#include <stdbool.h>
#include <stddef.h>

struct pd_tsv {
	size_t n_rows, n_cols; /* the header apart */
	char *text;            /* the file, cut into cells */
	char **cells;          /* [n_rows + 1][n_cols], the header first */
};

/* PD_TESTDATA (default "testdata"), a slash and the name; the caller frees it. */
char *pd_testdata_path(const char *name);
/* The whole file, NUL-terminated, or NULL; the caller frees it. */
char *pd_file_text(const char *path);
/* False where the file cannot be read or has uneven lines. Free with pd_tsv_done(). */
bool pd_tsv_read(const char *path, struct pd_tsv *ret_table);
void pd_tsv_done(struct pd_tsv *t);
/* Number of a column by its head, or n_cols. */
size_t pd_tsv_column(const struct pd_tsv *t, const char *head);
const char *pd_tsv_text(const struct pd_tsv *t, size_t row, size_t col);
double pd_tsv_number(const struct pd_tsv *t, size_t row, size_t col);

#endif
