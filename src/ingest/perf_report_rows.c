/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of perf's tables. Cells are two blanks apart, and what a symbol is
 * of stands before it: kernel, user, guest, hypervisor.
 *
 *	    30.40%        102932  iperf3   [kernel.kallsyms]  [k] arm_copy_from_user
 *	+   58.73%     0.01%  fio       [kernel.kallsyms]     [k] do_syscall_64
 *	    20.62%  rumtk  /usr/bin/rumtk  0x78cd0            B [.] core::slice::memchr
 *	     5.49%  uname  libc-2.30.so    [.] _dl_addr       [.] _dl_addr      -
 *	    83.54%    Thread-2  6885  6900  /data/base.odex   void MainActivity$1.run()
 *
 * The graph below a row has lines that look like none of these: no symbol is
 * marked in them.
 */
#include "ingest/perf_report.h"

static size_t skip_blanks(struct pd_span s, size_t i)
{
	while (i < s.len && pd_is_blank(s.ptr[i]))
		i++;
	return i;
}

/* "[k] " */
static bool is_marker(struct pd_span s, size_t i)
{
	return i + 3 <= s.len && s.ptr[i + 2] == ']' && strchr(".kguH?", s.ptr[i + 1]) &&
	       s.ptr[i + 1] && (i + 3 == s.len || pd_is_blank(s.ptr[i + 3]));
}

/* Where the n-th marker (from 0) stands; s.len if there are not so many. */
static size_t find_marker(struct pd_span s, uint32_t n)
{
	for (size_t i = 0; i < s.len; i++) {
		const char *p = memchr(s.ptr + i, '[', s.len - i);

		if (!p)
			break;
		i = (size_t)(p - s.ptr);
		if (is_marker(s, i) && (!i || pd_is_blank(s.ptr[i - 1])) && !n--)
			return i;
	}
	return s.len;
}

/* A number at i, with its sign and percent mark; 0 if there is none. */
static size_t take_number(struct pd_span line, size_t i, struct pr_cell *ret_cell)
{
	struct pd_span s = pd_span_sub(line, i, line.len);
	bool has_sign = s.len && (s.ptr[0] == '+' || s.ptr[0] == '-');
	size_t len = has_sign + pd_num_scan(pd_span_sub(s, has_sign, s.len), &ret_cell->value);
	size_t dot;

	if (len == has_sign || !pd_is_digit(s.ptr[len - 1]))
		return 0;
	ret_cell->is_signed = has_sign;
	if (has_sign && s.ptr[0] == '-')
		ret_cell->value = -ret_cell->value;
	ret_cell->text = pd_span_sub(s, 0, len);
	dot = pd_span_find(ret_cell->text, ".");
	ret_cell->n_decimals = dot == SIZE_MAX ? 0 : (uint8_t)((len - dot - 1) & 15);
	ret_cell->kind = PR_CELL_COUNT;
	if (len < s.len && s.ptr[len] == '%') {
		ret_cell->kind = PR_CELL_PERCENT;
		len++;
	}
	if (len < s.len && !pd_is_blank(s.ptr[len]))
		return 0;
	ret_cell->end = (uint32_t)(i + len);
	return len;
}

/* Length of the text cell at i: up to two blanks or a tab. */
static size_t text_len(struct pd_span line, size_t i)
{
	size_t from = i;

	for (; i < line.len && line.ptr[i] != '\t'; i++)
		if (line.ptr[i] == ' ' && (i + 1 == line.len || pd_is_blank(line.ptr[i + 1])))
			break;
	return i - from;
}

/* Cut s[from, to) into cells. */
static bool take_cells(struct pd_span line, size_t from, size_t to, struct pr_row *row)
{
	struct pd_span s = pd_span_sub(line, 0, to);
	bool are_numbers = true;

	for (size_t i = skip_blanks(s, from); i < to; i = skip_blanks(s, i)) {
		struct pr_cell *cell = &row->cells[row->n_cells];
		size_t len = 0;

		if (row->n_cells == PR_MAX_CELLS - 1)
			return false;
		if (are_numbers || pd_is_digit(s.ptr[i]))
			len = take_number(s, i, cell);
		/* Numbers stand before all text; later, one may begin a text. */
		if (!len || (!are_numbers && len != text_len(s, i))) {
			are_numbers = false;
			len = text_len(s, i);
			cell->kind = PR_CELL_WORD;
			cell->is_signed = false;
			cell->text = pd_span_sub(s, i, i + len);
			cell->end = (uint32_t)(i + len);
			cell->value = PD_UNKNOWN;
		}
		row->n_cells++;
		i += len;
	}
	return true;
}

/* perf report -v: "0x78cd0            B [.] name". */
static size_t cut_address(struct pd_span line, size_t to)
{
	size_t end = to, i;

	while (end && pd_is_blank(line.ptr[end - 1]))
		end--;
	if (end < 5 || !pd_is_blank(line.ptr[end - 2]))
		return to;
	for (i = end - 1; i && pd_is_blank(line.ptr[i - 1]); i--)
		;
	end = i;
	while (i && !pd_is_blank(line.ptr[i - 1]))
		i--;
	return pd_span_starts(pd_span_sub(line, i, end), "0x") ? i : to;
}

/* TeX's line ends, and what a terminal draws at the side. */
static struct pd_span strip_decoration(struct pd_span s)
{
	size_t end = s.len;

	while (end && (s.ptr[end - 1] == '\\' || (unsigned char)s.ptr[end - 1] >= 0x80))
		end--;
	if (end < s.len && end && pd_is_blank(s.ptr[end - 1]))
		s = pd_span_sub(s, 0, end);
	return pd_span_trim(s);
}

/* The symbol behind the marker at i becomes a cell; returns where it ends. */
static size_t take_symbol(struct pd_span line, size_t i, struct pr_row *row)
{
	struct pr_cell *cell = &row->cells[row->n_cells];
	size_t len;

	i = skip_blanks(line, i + 3);
	len = text_len(line, i);
	*cell = (struct pr_cell){
		.text = strip_decoration(pd_span_sub(line, i, i + len)),
		.value = PD_UNKNOWN,
	};
	row->symbol = row->n_cells++;
	return i + len;
}

static struct pd_span behind_marker(struct pd_span s)
{
	return is_marker(s, 0) ? pd_span_trim(pd_span_sub(s, 3, s.len)) : s;
}

/* A cell of perf's -t: a text, or a number for each event of a group. */
static bool take_separated(struct pd_span text, enum pr_column column, struct pr_row *row)
{
	size_t i = 0, len;

	if (!pr_column_is_number(column) || !text.len) {
		row->cells[row->n_cells++] = (struct pr_cell){.text = text, .value = PD_UNKNOWN};
		return true;
	}
	while (i < text.len && row->n_cells < PR_MAX_CELLS) {
		struct pr_cell *cell = &row->cells[row->n_cells++];

		*cell = (struct pr_cell){.text = text, .value = PD_UNKNOWN};
		len = take_number(text, i, cell);
		if (!len && column < PR_BASELINE)
			return false;
		/* Old perf leaves the percent mark out. */
		if (pr_column_is_percent(column) && cell->kind == PR_CELL_COUNT)
			cell->kind = PR_CELL_PERCENT;
		i = len ? skip_blanks(text, i + len) : text.len;
	}
	return i == text.len;
}

/* A row of perf's -t: as many cells as titles, and no cell has the separator in it. */
static bool parse_separated(const struct pr_header *h, struct pd_span line, struct pr_row *row)
{
	row->symbol = PR_MAX_CELLS;
	for (uint32_t column = 0; column < h->n_columns; column++) {
		const char *end = memchr(line.ptr, h->separator, line.len);
		bool is_last = column + 1 == h->n_columns;
		size_t len = end && !is_last ? (size_t)(end - line.ptr) : line.len;
		struct pd_span text = pd_span_trim(pd_span_sub(line, 0, len));

		if ((!end && !is_last) || row->n_cells == PR_MAX_CELLS)
			return false;
		if (column == h->symbol)
			row->symbol = row->n_cells;
		if (!take_separated(column == h->symbol ? behind_marker(text) : text,
				    h->columns[column], row))
			return false;
		line = pd_span_sub(line, len + 1, line.len);
	}
	return row->n_cells > 1;
}

/* The terminal's "+" and "-" before rows that can be folded. */
static size_t skip_fold_mark(struct pd_span line)
{
	size_t i = skip_blanks(line, 0);

	if (i + 1 < line.len && (line.ptr[i] == '+' || line.ptr[i] == '-') &&
	    pd_is_blank(line.ptr[i + 1]))
		return skip_blanks(line, i + 1);
	return i;
}

/* Whether a header's first column is a number or no header is known. */
static bool begins_with_number(const struct pr_header *h)
{
	return !h || pr_column_is_number(h->columns[0]);
}

bool pr_row_parse(const struct pr_header *h, struct pd_span line, struct pr_row *ret_row)
{
	size_t from = skip_fold_mark(line), marker, end;
	uint32_t n_before = 0;

	ret_row->n_cells = 0;
	if (from == line.len || line.ptr[from] == '|' || line.ptr[from] == '#')
		return false;
	if (h && h->separator)
		return parse_separated(h, line, ret_row);
	if (begins_with_number(h) && !pd_is_digit(line.ptr[from]) && line.ptr[from] != '+' &&
	    line.ptr[from] != '-')
		return false;
	if (h)
		for (uint32_t i = 0; i < h->symbol; i++)
			n_before += h->columns[i] == PR_OTHER_SYMBOL;
	marker = find_marker(line, n_before);
	end = cut_address(line, marker);
	if (!take_cells(line, from, end, ret_row))
		return false;
	ret_row->symbol = ret_row->n_cells;
	if (marker < line.len) {
		end = take_symbol(line, marker, ret_row);
		return ret_row->cells[ret_row->symbol].text.len &&
		       take_cells(line, end, line.len, ret_row) &&
		       (!begins_with_number(h) || ret_row->cells[0].kind != PR_CELL_WORD);
	}
	/* Other tools mark no symbol: the header tells which cell it is. */
	if (h && !h->n_levels && ret_row->n_cells == h->n_columns && h->has_symbol)
		ret_row->symbol = h->symbol;
	return ret_row->n_cells > 1 && ret_row->cells[0].kind == PR_CELL_PERCENT &&
	       h && (h->n_levels || ret_row->n_cells == h->n_columns);
}

bool pr_row_is_sure(struct pd_span line)
{
	size_t i = skip_fold_mark(line);
	struct pr_cell cell;

	return i < line.len && pd_is_digit(line.ptr[i]) && take_number(line, i, &cell) &&
	       cell.kind == PR_CELL_PERCENT && find_marker(line, 0) < line.len;
}

bool pr_row_is_diff(struct pd_span line)
{
	struct pr_row row;

	/* Most lines have none. */
	if (!memchr(line.ptr, '%', line.len) || find_marker(line, 0) == line.len ||
	    !pr_row_parse(NULL, line, &row))
		return false;
	for (uint32_t i = 0; i < row.symbol; i++)
		if (row.cells[i].is_signed && row.cells[i].kind == PR_CELL_PERCENT)
			return true;
	return false;
}

uint32_t pr_row_n_percents(const struct pr_row *row)
{
	uint32_t n = 0;

	while (n < row->n_cells && n != row->symbol && row->cells[n].kind == PR_CELL_PERCENT)
		n++;
	return n;
}

/* A wrapped line may have glued "[kernel.kallsyms]" to the command before it. */
static struct pd_span unglue(struct pd_span module)
{
	struct pd_span last = pd_span_behind_last(module, ' ');

	return last.len && (last.ptr[0] == '[' || last.ptr[0] == '/') ? last : module;
}

struct pd_span pr_row_module(const struct pr_header *h, const struct pr_row *row)
{
	const struct pd_span none = {"", 0};

	if (!h || h->n_levels) {
		if (h || !row->symbol || row->symbol >= row->n_cells ||
		    row->cells[row->symbol - 1].kind != PR_CELL_WORD)
			return none;
		return unglue(row->cells[row->symbol - 1].text);
	}
	for (uint32_t i = 0; i < h->n_columns; i++) {
		/* Counted from the symbol, as cells before it may be empty. */
		uint32_t at = i - h->symbol + row->symbol;

		if (h->columns[i] != PR_MODULE)
			continue;
		if (at < row->n_cells && at != row->symbol)
			return unglue(row->cells[at].text);
		if (!h->has_symbol && row->symbol >= row->n_cells && i < row->n_cells)
			return row->cells[i].text;
	}
	return none;
}

bool pr_name_is_unknown(struct pd_span name)
{
	uint64_t address;

	return !name.len || pd_span_eq(name, "[unknown]") ||
	       (pd_span_starts(name, "0x") && pd_num_parse_hex(name, &address));
}
