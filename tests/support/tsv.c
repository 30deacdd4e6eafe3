/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tab-separated tables, read whole.
 */
#include "support/tsv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *pd_testdata_path(const char *name)
{
	const char *folder = getenv("PD_TESTDATA");
	char *path;

	if (asprintf(&path, "%s/%s", folder ? folder : "testdata", name) < 0)
		return NULL;
	return path;
}

char *pd_file_text(const char *path)
{
	FILE *f = path ? fopen(path, "r") : NULL;
	char *text = NULL;
	size_t len = 0;

	if (!f)
		return NULL;
	if (getdelim(&text, &len, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	fclose(f);
	return text;
}

static size_t count(const char *s, char c)
{
	size_t n = 0;

	for (; *s; s++)
		n += *s == c;
	return n;
}

/* Cut the text into cells; false where a line has too few or too many. */
static bool cut(struct pd_tsv *t)
{
	char *rest = t->text;

	for (size_t i = 0; i < (t->n_rows + 1) * t->n_cols; i++) {
		bool is_last = i % t->n_cols == t->n_cols - 1;
		char *end = strpbrk(rest, "\t\n");

		if (!end || (*end == '\n') != is_last)
			return false;
		*end = '\0';
		t->cells[i] = rest;
		rest = end + 1;
	}
	return true;
}

bool pd_tsv_read(const char *path, struct pd_tsv *ret_table)
{
	struct pd_tsv t = {.text = pd_file_text(path)};
	size_t n_tabs = 0;

	if (!t.text)
		return false;
	for (const char *s = t.text; *s && *s != '\n'; s++)
		n_tabs += *s == '\t';
	t.n_cols = n_tabs + 1;
	t.n_rows = count(t.text, '\n') - 1;
	t.cells = calloc((t.n_rows + 1) * t.n_cols, sizeof(*t.cells));
	if (!t.cells || !cut(&t)) {
		pd_tsv_done(&t);
		return false;
	}
	*ret_table = t;
	return true;
}

void pd_tsv_done(struct pd_tsv *t)
{
	free(t->text);
	free(t->cells);
	*t = (struct pd_tsv){0};
}

size_t pd_tsv_column(const struct pd_tsv *t, const char *head)
{
	size_t col = 0;

	while (col < t->n_cols && strcmp(t->cells[col], head) != 0)
		col++;
	return col;
}

const char *pd_tsv_text(const struct pd_tsv *t, size_t row, size_t col)
{
	return t->cells[(row + 1) * t->n_cols + col];
}

double pd_tsv_number(const struct pd_tsv *t, size_t row, size_t col)
{
	const char *s = pd_tsv_text(t, row, col);
	char *end;
	double x = strtod(s, &end);

	return *end || end == s ? (double)NAN : x;
}
