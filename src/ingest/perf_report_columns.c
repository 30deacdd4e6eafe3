/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The headers of perf's tables. Titles are two blanks apart, or one character
 * that -t chose; --hierarchy has some in one column:
 *
 *	# Overhead       Samples  Command  Shared Object      Symbol
 *	# Overhead,     Samples,Command       ,Shared Object          ,Symbol
 *	#       Overhead  Command / Shared Object / Symbol
 *	# Baseline  Delta Abs  Shared Object            Symbol
 */
#include "ingest/perf_report.h"

/* What begins another is behind it. */
static const struct {
	const char *text;
	enum pr_column column;
} titles[] = {
	{"Overhead", PR_SELF},
	{"Self", PR_SELF},
	{"Children", PR_CHILDREN},
	{"Latency", PR_PERCENT},
	{"sys", PR_PERCENT},
	{"usr", PR_PERCENT},
	{"guest sys", PR_PERCENT},
	{"guest usr", PR_PERCENT},
	{"Samples", PR_SAMPLES},
	{"Sample", PR_SAMPLES},
	{"Period", PR_PERIOD},
	{"Baseline", PR_BASELINE},
	{"Base period", PR_BASE_PERIOD},
	{"Delta Abs", PR_DELTA},
	{"Delta", PR_DELTA},
	{"Ratio", PR_RATIO},
	{"Weighted diff", PR_RATIO},
	{"Command", PR_COMMAND},
	{"Shared Object", PR_MODULE},
	{"Shared object", PR_MODULE},
	{"Source Shared Object", PR_MODULE},
	{"Symbol", PR_SYMBOL},
	{"Source Symbol", PR_SYMBOL},
	{"Target Symbol", PR_OTHER_SYMBOL},
	{"Data Symbol", PR_OTHER_SYMBOL},
	{"IPC", PR_TEXT},
};

bool pr_column_is_number(enum pr_column column)
{
	return column >= PR_PERCENT;
}

bool pr_column_is_percent(enum pr_column column)
{
	return column == PR_PERCENT || column == PR_SELF || column == PR_CHILDREN ||
	       column == PR_BASELINE || column == PR_DELTA;
}

/* The title that s begins with, and its length; 0 if it is not known. */
static size_t take_title(struct pd_span s, char separator, enum pr_column *ret_column)
{
	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		size_t len = strlen(titles[i].text);

		if (pd_span_starts(s, titles[i].text) &&
		    (s.len == len || pd_is_blank(s.ptr[len]) || s.ptr[len] == '/' ||
		     s.ptr[len] == separator)) {
			*ret_column = titles[i].column;
			return len;
		}
	}
	return 0;
}

/* Length of a title that is not known: up to two blanks, a tab, or a level's slash. */
static size_t other_title(struct pd_span s)
{
	size_t i = 0;

	while (i < s.len && s.ptr[i] != '\t' &&
	       !pd_span_starts(pd_span_sub(s, i, i + 2), "  ") &&
	       !pd_span_starts(pd_span_sub(s, i, i + 3), " / "))
		i++;
	return i;
}

static size_t skip_blanks(struct pd_span s, size_t i)
{
	while (i < s.len && pd_is_blank(s.ptr[i]))
		i++;
	return i;
}

static bool add_column(struct pr_header *h, enum pr_column column, const char *end,
		       const char *line)
{
	if (h->n_columns == PR_MAX_COLUMNS)
		return false;
	if (column == PR_SYMBOL && !h->has_symbol) {
		h->has_symbol = true;
		h->symbol = h->n_columns;
	} else if (column == PR_SYMBOL) {
		column = PR_OTHER_SYMBOL;
	}
	h->ends[h->n_columns] = (uint32_t)(end - line);
	h->columns[h->n_columns++] = column;
	return true;
}

/* The levels of a hierarchy, from the first of them on, at the end of the line. */
static bool parse_levels(struct pd_span s, const char *line, struct pr_header *h)
{
	size_t i = 0;

	while (i < s.len && h->n_levels < PR_MAX_LEVELS) {
		enum pr_column column = PR_TEXT;
		struct pd_span rest = pd_span_sub(s, i, s.len);
		size_t len = take_title(rest, 0, &column);

		i = skip_blanks(s, i + (len ? len : other_title(rest)));
		h->levels[h->n_levels++] = column;
		if (i == s.len)
			return add_column(h, PR_TEXT, s.ptr + s.len, line);
		if (s.ptr[i] != '/')
			return false;
		i = skip_blanks(s, i + 1);
	}
	return false;
}

static bool parse_titles(struct pd_span s, const char *line, struct pr_header *h)
{
	for (size_t i = 0; i < s.len;) {
		struct pd_span rest = pd_span_sub(s, i, s.len);
		enum pr_column column = PR_TEXT;
		size_t len = take_title(rest, 0, &column);

		if (!len && !i)
			return false;
		len = len ? len : other_title(rest);
		if (pd_span_starts(pd_span_sub(rest, len, len + 3), " / "))
			return parse_levels(rest, line, h);
		if (len < rest.len && rest.ptr[len] == '/') /* "Delta/1", of several files */
			len += other_title(pd_span_sub(rest, len, rest.len));
		if (!add_column(h, column, rest.ptr + len, line))
			return false;
		i = skip_blanks(s, i + len);
	}
	return true;
}

/* Titles with one separator between them. */
static bool parse_separated(struct pd_span s, const char *line, struct pr_header *h)
{
	enum pr_column column;
	size_t at = take_title(s, 0, &column);

	for (size_t i = 0; !at && i < s.len; i++) /* an unusual separator ends the title */
		if (!pd_is_alpha(s.ptr[i]) && s.ptr[i] != ' ')
			at = take_title(s, s.ptr[i], &column);
	if (!at)
		return false;
	while (at < s.len && s.ptr[at] == ' ')
		at++;
	if (at == s.len || pd_is_alpha(s.ptr[at]) || pd_is_digit(s.ptr[at]) ||
	    s.ptr[at] == '/' || s.ptr[at] == '(' || s.ptr[at] == '[')
		return false;
	h->separator = s.ptr[at];
	while (s.len) {
		const char *end = memchr(s.ptr, h->separator, s.len);
		size_t len = end ? (size_t)(end - s.ptr) : s.len;
		struct pd_span title = pd_span_trim(pd_span_sub(s, 0, len));

		column = PR_TEXT;
		if (take_title(title, 0, &column) != title.len)
			column = PR_TEXT;
		if (!add_column(h, column, title.ptr + title.len, line))
			return false;
		s = pd_span_sub(s, len + 1, s.len);
	}
	return true;
}

/* Whether the columns are a table's: a number, and what it is of. */
static bool is_table(const struct pr_header *h)
{
	bool has_number = false, has_name = false;

	for (uint32_t i = 0; i < h->n_columns; i++) {
		has_number = has_number || pr_column_is_number(h->columns[i]);
		has_name = has_name || (h->columns[i] >= PR_MODULE && h->columns[i] <= PR_SYMBOL);
	}
	return has_number && (has_name || h->n_levels);
}

bool pr_header_parse(struct pd_span line, struct pr_header *ret_header)
{
	struct pr_header h = {.n_columns = 0};
	struct pd_span s = pd_span_trim(line);

	if (s.len && s.ptr[0] == '#')
		s = pd_span_trim(pd_span_sub(s, 1, s.len));
	/* Most lines that come here are not even words. */
	if (s.len < 8 || !pd_is_alpha(s.ptr[0]))
		return false;
	if (!parse_separated(s, line.ptr, &h)) {
		memset(&h, 0, sizeof(h));
		if (!parse_titles(s, line.ptr, &h))
			return false;
	}
	if (!is_table(&h))
		return false;
	if (!h.has_symbol)
		h.symbol = h.n_columns;
	*ret_header = h;
	return true;
}

bool pr_header_is_diff(const struct pr_header *h)
{
	for (uint32_t i = 0; i < h->n_columns; i++)
		if (h->columns[i] >= PR_BASELINE)
			return true;
	return false;
}
