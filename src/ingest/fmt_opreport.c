/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * opreport of oprofile, all ages: symbol lists (-l) and image summaries.
 *
 *	CPU: P4 / Xeon, speed 2200.91 MHz (estimated)
 *	Counted CLK events (clocks) with a unit mask of 0x00 (No unit mask) count 100000
 *	samples  %        image name     app name      symbol name
 *	281538   15.2083  vmlinux        vmlinux       __copy_from_user_ll
 *	7714      0.5975  firefox-bin    firefox-bin   (no symbols)
 *
 * The header's words say which columns there are; one pair of samples and
 * percent an event. Rows begin where the header begins: what is indented more
 * are callers and callees (-c) or addresses (-d) of the row beside them, and is
 * in that row already. A header makes a run. No total is printed.
 *
 * A summary (opreport_tree.c) has "samples|      %|" over its columns.
 */
#include "ingest/opreport.h"

#include "base/num.h"
#include "ingest/prose.h"
#include "io/lines.h"

enum { MIN_ADDRESS = 8 }; /* digits of an address */

static const struct {
	const char *words;
	enum op_column column;
} header_words[] = {
	{"vma", OP_VMA},
	{"samples", OP_SAMPLES},
	{"%", OP_PERCENT},
	{"cum. samples", OP_SAMPLES},
	{"linenr info", OP_FILE},
	{"image name", OP_IMAGE},
	{"image", OP_IMAGE},
	{"app name", OP_APP},
	{"symbol name", OP_SYMBOL},
};

/* The column that begins a line, and its length; OP_NONE if there is none. */
static enum op_column take_header(struct pd_span rest, size_t *ret_len)
{
	for (size_t i = 0; i < sizeof(header_words) / sizeof(header_words[0]); i++) {
		size_t len = strlen(header_words[i].words);

		if (pd_span_starts(rest, header_words[i].words) &&
		    (rest.len == len || pd_is_blank(rest.ptr[len]))) {
			*ret_len = len;
			return header_words[i].column;
		}
	}
	return OP_NONE;
}

static size_t indent_of(struct pd_span line)
{
	size_t n = 0;

	while (n < line.len && pd_is_blank(line.ptr[n]))
		n++;
	return n;
}

/* Read a header; false if the line is none. */
static bool parse_header(struct pd_span line, struct op_table *ret_table)
{
	struct op_table t = {.indent = indent_of(line)};
	size_t i = t.indent, len = 0;

	while (i < line.len && t.n_columns < OP_MAX_COLUMNS) {
		enum op_column column = take_header(pd_span_sub(line, i, line.len), &len);

		if (column == OP_NONE)
			return false;
		t.at[t.n_columns] = i;
		t.columns[t.n_columns++] = column;
		t.n_events += column == OP_SAMPLES;
		t.n_texts += column >= OP_FILE;
		i += len;
		i += indent_of(pd_span_sub(line, i, line.len));
	}
	if (i < line.len || !t.n_events || !t.n_texts)
		return false;
	*ret_table = t;
	return true;
}

/* Length of a name that has blanks within: "(no symbols)", "anon (tgid:1 range:0x1-0x2)". */
static size_t special_len(struct pd_span rest)
{
	size_t close;

	if (!rest.len || (rest.ptr[0] != '(' && !pd_span_starts(rest, "anon (") &&
			  !pd_span_starts(rest, "[anon")))
		return 0;
	close = pd_span_find(rest, rest.ptr[0] == '[' ? "]" : ")");
	return close == SIZE_MAX ? 0 : close + 1;
}

/*
 * Length of the text column that begins at i, where another follows at next in
 * the header: one word, but up to the header's place where that is a gap.
 */
static size_t text_len(struct pd_span line, size_t i, size_t at, size_t next)
{
	size_t len = special_len(pd_span_sub(line, i, line.len)), to = next;

	if (len)
		return len;
	if (i == at && next < line.len && pd_is_blank(line.ptr[next - 1]) &&
	    !pd_is_blank(line.ptr[next]) && !memchr(line.ptr, '\t', next)) {
		while (to > i && pd_is_blank(line.ptr[to - 1]))
			to--;
		return to - i;
	}
	while (i + len < line.len && !pd_is_blank(line.ptr[i + len]))
		len++;
	return len;
}

/* The part of a symbol behind a wide gap: rows may have a column that the header lacks. */
static struct pd_span behind_gap(struct pd_span s)
{
	if (!s.len || (!memchr(s.ptr, ' ', s.len) && !memchr(s.ptr, '\t', s.len)))
		return s;
	for (size_t i = s.len; i-- > 2;)
		if (s.ptr[i - 1] == '\t' ||
		    (pd_is_blank(s.ptr[i - 1]) && pd_is_blank(s.ptr[i - 2])))
			return pd_span_sub(s, i, s.len);
	return s;
}

static bool take_number(struct pd_span line, size_t *i, double *ret_x)
{
	size_t len = pd_num_scan(pd_span_sub(line, *i, line.len), ret_x);

	if (!len || (*i + len < line.len && !pd_is_blank(line.ptr[*i + len])))
		return false;
	*i += len;
	return true;
}

static bool take_vma(struct pd_span line, size_t *i)
{
	uint64_t address;
	size_t len = 0;

	while (*i + len < line.len && !pd_is_blank(line.ptr[*i + len]))
		len++;
	if (!pd_num_parse_hex(pd_span_sub(line, *i, *i + len), &address))
		return false;
	*i += len;
	return true;
}

static bool take_text(const struct op_table *t, uint32_t column, struct pd_span line, size_t *i,
		      struct pd_span *ret_text)
{
	bool is_last = column + 1 == t->n_columns;
	size_t len = is_last ? line.len - *i
			     : text_len(line, *i, t->at[column], t->at[column + 1]);

	*ret_text = pd_span_sub(line, *i, *i + len);
	*i += len;
	return len > 0;
}

bool op_row_parse(const struct op_table *t, struct pd_span line, struct op_row *ret_row)
{
	size_t i = indent_of(line);
	uint32_t n_samples = 0, n_percents = 0;

	if (i != t->indent || i == line.len)
		return false;
	for (int c = OP_FILE; c <= OP_SYMBOL; c++)
		ret_row->texts[c] = pd_span_of("");
	for (uint32_t c = 0; c < t->n_columns; c++) {
		bool ok = false;

		switch (t->columns[c]) {
		case OP_VMA:
			ok = take_vma(line, &i);
			break;
		case OP_SAMPLES:
			ok = take_number(line, &i, &ret_row->samples[n_samples++]);
			break;
		case OP_PERCENT:
			ok = take_number(line, &i, &ret_row->percents[n_percents++]);
			break;
		case OP_FILE:
		case OP_IMAGE:
		case OP_APP:
		case OP_SYMBOL:
			ok = take_text(t, c, line, &i, &ret_row->texts[t->columns[c]]);
			break;
		case OP_NONE:
			break;
		}
		if (!ok)
			return false;
		while (i < line.len && pd_is_blank(line.ptr[i]))
			i++;
	}
	return i == line.len;
}

static bool is_row(struct pd_span line, const void *context)
{
	struct op_row row;

	return op_row_parse(context, line, &row);
}

/* What stands for a name: "(no symbols)", and the image's own name or path. */
static bool is_nameless(struct pd_span symbol, struct pd_span module)
{
	struct pd_span base;

	if (!symbol.len || pd_span_starts(symbol, "(no symbol"))
		return true;
	if (!memchr(symbol.ptr, '/', symbol.len) && !pd_span_starts(symbol, "anon ("))
		return false;
	base = pd_span_behind_last(symbol, '/');
	if (module.len >= base.len &&
	    (base.len < symbol.len || pd_span_starts(symbol, "anon (")))
		return !memcmp(module.ptr + module.len - base.len, base.ptr, base.len);
	return false;
}

/* "/src/m_matrix.c:1447" -> "/src/m_matrix.c"; "(no location information)" -> "". */
static struct pd_span file_of(struct pd_span info)
{
	if (pd_span_starts(info, "("))
		return pd_span_sub(info, 0, 0);
	return pd_span_sub(info, 0, pd_span_find_last(info, ':'));
}

static void add_row(struct op_reader *r, const struct op_row *row)
{
	struct pd_span symbol = behind_gap(row->texts[OP_SYMBOL]);
	struct pd_span module = row->texts[OP_IMAGE].len ? row->texts[OP_IMAGE]
							 : row->texts[OP_APP];
	struct pd_builder_cell cells[OP_MAX_COLUMNS];
	uint32_t func;

	for (uint32_t e = 0; e < r->table.n_events; e++) {
		if (!op_is_count(row->samples[e])) {
			pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path,
				     r->lines.no, "expected a sample count up to 2^53; "
				     "line skipped");
			return;
		}
		cells[e] = (struct pd_builder_cell){r->run, e, row->samples[e]};
	}
	for (uint32_t e = 0; e < r->table.n_events; e++)
		r->percents[e] += row->percents[e];
	if (is_nameless(symbol, module)) {
		func = pd_builder_leftover(r->builder, "[unknown]", module);
	} else if (row->texts[OP_FILE].len) {
		func = pd_builder_func(r->builder, symbol, module);
		pd_builder_set_file(r->builder, func, file_of(row->texts[OP_FILE]));
	} else {
		pd_batch_add(&r->batch, symbol, module, cells, r->table.n_events);
		return;
	}
	pd_builder_add_cells(r->builder, func, cells, r->table.n_events);
}

/* Rows without a header (-d in mails): an address, samples, percent, a symbol. */
static bool parse_bare_row(struct pd_span line, struct op_table *ret_table)
{
	static const struct op_table bare = {
		.columns = {OP_VMA, OP_SAMPLES, OP_PERCENT, OP_SYMBOL},
		.n_columns = 4,
		.n_events = 1,
		.n_texts = 1,
	};
	struct op_row row;
	size_t n = 0;

	while (n < line.len && !pd_is_blank(line.ptr[n]))
		n++;
	if (n < MIN_ADDRESS || !op_row_parse(&bare, line, &row) ||
	    !pd_prose_is_symbol(row.texts[OP_SYMBOL]))
		return false;
	*ret_table = bare;
	return true;
}

/*
 * A line of the open table that is no row, but a broken one or decoration; else
 * false. Looking at the line below may move line to another buffer.
 */
static bool read_oddity(struct op_reader *r, struct pd_span *line)
{
	struct op_row row;

	if (indent_of(*line) != r->table.indent)
		return true; /* a detail of the row beside it */
	if (!pd_lines_unwrap(&r->lines, line, is_row, &r->table) ||
	    !op_row_parse(&r->table, *line, &row))
		return !line->len || pd_prose_is_rule(*line) || pd_prose_is_ellipsis(*line) ||
		       pd_span_starts(*line, "warning:");
	add_row(r, &row);
	return true;
}

/* A line that is no header. */
static void read_line(struct op_reader *r, struct pd_span line)
{
	struct pd_span heading;
	struct op_row row;

	if (r->is_open && read_oddity(r, &line))
		return;
	/* Prose ends a table: rows that it cites below are no part of it. */
	r->is_open = false;
	if (parse_bare_row(line, &r->table)) {
		op_reader_begin_run(r);
		if (op_row_parse(&r->table, line, &row))
			add_row(r, &row);
		return;
	}
	heading = pd_prose_heading(line);
	if (heading.len && !pd_span_ends(heading, "|"))
		op_reader_set_heading(r, heading);
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct op_reader r = {.in = in, .builder = b};
	struct op_table table;
	struct pd_span line;

	(void)err;
	pd_batch_init(&r.batch, b);
	pd_input_lines(in, &r.lines);
	while (pd_lines_next(&r.lines, &line) && !pd_builder_is_failed(b)) {
		struct op_row row;

		/* Most lines are rows. */
		if (r.is_open && op_row_parse(&r.table, line, &row)) {
			add_row(&r, &row);
		} else if (op_tree_is_header(line)) {
			op_tree_read(&r, line);
		} else if (op_events_read(&r, line)) {
			r.is_open = false;
		} else if (pd_span_find(line, "samples") != SIZE_MAX &&
			   parse_header(line, &table)) {
			r.table = table;
			op_reader_begin_run(&r);
		} else {
			read_line(&r, line);
		}
	}
	pd_batch_flush(&r.batch);
	op_reader_end_run(&r);
	op_reader_done(&r);
	return PD_OK;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	enum pd_sniff found = PD_SNIFF_NO;
	struct op_table table;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (found == PD_SNIFF_NO && pd_lines_next(&lines, &line))
		if (op_tree_is_header(line) ||
		    (pd_span_find(line, "samples") != SIZE_MAX && parse_header(line, &table)))
			found = PD_SNIFF_YES;
	pd_lines_done(&lines);
	return found;
}

const struct pd_format pd_format_opreport = {
	.name = "opreport",
	.title = "oprofile's opreport, symbols or images",
	.sniff = sniff,
	.read = read,
};
