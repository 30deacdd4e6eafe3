/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes of functions of two builds, as texts: the kernel's scripts/bloat-o-meter,
 * and codiff of pahole.
 *
 *	add/remove: 0/1 grow/shrink: 0/5 up/down: 0/-66 (-66)
 *	Function                                     old     new   delta
 *	efi_init                                    1048    1039      -9
 *	e843419@0b02_0000d7e7_408                      8       -      -8
 *	Total: Before=22,675,600, After=22,675,534, chg -0.00%
 *
 *	/home/user/linux/net/ipv4/tcp_bbr.c:
 *	  bbr_unregister                    |   -6
 *	 21 functions changed, 20 bytes added, 4599 bytes removed, diff: -4579
 *
 * A table of bloat-o-meter is two runs, old and new, of which only the functions
 * that differ are listed; "-c" makes one of functions, one of data, ... Other
 * projects' versions call it "function", and tell no totals. codiff tells
 * differences alone: a run, whose total is what its last lines say together.
 */
#include "ingest/ingest.h"

#include "base/num.h"
#include "ingest/prose.h"
#include "ingest/quantity.h"
#include "io/lines.h"

enum { OLD, NEW, N_SIDES };

enum kind {
	NOTHING,
	BLOAT,
	CODIFF,
};

/* Bytes by which functions grew, and shrank (negative). */
struct changes {
	double up, down;
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	enum kind kind; /* of the table at hand */
	uint32_t runs[N_SIDES];
	uint32_t codiff_run;
	bool has_codiff, has_many; /* has_many: several tables of bloat-o-meter */
	struct pd_buf heading;  /* above the table; or empty */
	struct pd_buf file;     /* codiff's, of the rows that follow */
	struct changes told, found; /* of the table at hand; told.up unknown: not told */
	double pending; /* codiff: what the rows since its last end line add up to */
	double total;   /* codiff: of what came before them */
	uint32_t n_pending;
};

/* "12", "-12", "+12", "22,675,600": all of s. */
static bool parse_bytes(struct pd_span s, double *ret_x)
{
	size_t len = pd_quantity_scan(s, ret_x);

	return len && len == s.len && fabs(*ret_x) <= PD_COUNT_MAX && trunc(*ret_x) == *ret_x;
}

/* The last word of *line, which loses it. */
static struct pd_span cut_word(struct pd_span *line)
{
	struct pd_span s = pd_span_trim(*line);
	size_t from = s.len;

	while (from && !pd_is_blank(s.ptr[from - 1]))
		from--;
	*line = pd_span_trim(pd_span_sub(s, 0, from));
	return pd_span_sub(s, from, s.len);
}

/* "Function   old   new   delta": what the table is of, or empty. */
static struct pd_span parse_head(struct pd_span line)
{
	static const char *const kinds[] = {"Function", "function", "Data", "RO Data", "RW Data",
					    "Symbol", "symbol"};
	static const char *const words[] = {"delta", "new", "old"};

	if (!pd_span_ends(line, "delta"))
		return pd_span_of("");
	for (size_t i = 0; i < 3; i++)
		if (!pd_span_eq(cut_word(&line), words[i]))
			return pd_span_of("");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (pd_span_eq(line, kinds[i]))
			return line;
	return pd_span_of("");
}

/* A row of bloat-o-meter. A size is unknown where the function is not there. */
struct row {
	struct pd_span name;
	double sizes[N_SIDES], delta;
};

static bool parse_size(struct pd_span word, double *ret_x)
{
	*ret_x = PD_UNKNOWN;
	return pd_span_eq(word, "-") || (parse_bytes(word, ret_x) && *ret_x >= 0);
}

static bool parse_row(struct pd_span line, struct row *ret_row)
{
	if (!parse_bytes(cut_word(&line), &ret_row->delta) ||
	    !parse_size(cut_word(&line), &ret_row->sizes[NEW]) ||
	    !parse_size(cut_word(&line), &ret_row->sizes[OLD]))
		return false;
	ret_row->name = line;
	return line.len && fmax(ret_row->sizes[NEW], 0) - fmax(ret_row->sizes[OLD], 0) ==
		ret_row->delta;
}

static bool is_row(struct pd_span line, const void *context)
{
	struct row row;

	(void)context;
	return parse_row(line, &row);
}

/* "Total: Before=22,675,600, After=22,675,534, chg -0.00%". */
static bool parse_total(struct pd_span line, double ret_totals[N_SIDES])
{
	static const char *const words[] = {"Before=", "After="};

	for (size_t i = 0; i < N_SIDES; i++) {
		size_t at = pd_span_find(line, words[i]), end;
		struct pd_span rest;

		if (at == SIZE_MAX)
			return false;
		rest = pd_span_sub(line, at + strlen(words[i]), line.len);
		end = pd_span_find(rest, ", ");
		rest = end == SIZE_MAX ? rest : pd_span_sub(rest, 0, end);
		if (!parse_bytes(rest, &ret_totals[i]) || ret_totals[i] < 0)
			return false;
	}
	return true;
}

/* "add/remove: 0/1 grow/shrink: 0/5 up/down: 0/-66 (-66)". */
static bool parse_changes(struct pd_span line, struct changes *ret_changes)
{
	size_t at = pd_span_find(line, "up/down: "), slash;
	struct pd_span rest;

	if (at == SIZE_MAX || pd_span_find(line, "add/remove: ") == SIZE_MAX)
		return false;
	rest = pd_span_sub(line, at + strlen("up/down: "), line.len);
	slash = pd_quantity_scan(rest, &ret_changes->up);
	return slash && slash < rest.len && rest.ptr[slash] == '/' &&
	       pd_quantity_scan(pd_span_sub(rest, slash + 1, rest.len), &ret_changes->down);
}

/* "bbr_main   | -2640", "bbr_main | -2640 # 4000 -> 1360"; structures are no functions. */
static bool parse_difference(struct pd_span line, struct row *ret_row)
{
	size_t bar = pd_span_find_last(line, '|'), end = 0;
	struct pd_span rest;

	if (bar == SIZE_MAX)
		return false;
	ret_row->name = pd_span_trim(pd_span_sub(line, 0, bar));
	rest = pd_span_trim(pd_span_sub(line, bar + 1, line.len));
	while (end < rest.len && !pd_is_blank(rest.ptr[end]))
		end++;
	return ret_row->name.len && rest.len && (rest.ptr[0] == '+' || rest.ptr[0] == '-') &&
	       parse_bytes(pd_span_sub(rest, 0, end), &ret_row->delta);
}

/*
 * "21 functions changed, 20 bytes added, 4599 bytes removed, diff: -4579": the
 * difference, 0 where none is told.
 */
static bool parse_codiff_end(struct pd_span line, double *ret_delta)
{
	size_t at = pd_span_find(line, "diff: ");

	if (!line.len || !pd_is_digit(line.ptr[0]) ||
	    (pd_span_find(line, " functions changed") == SIZE_MAX &&
	     pd_span_find(line, " function changed") == SIZE_MAX))
		return false;
	*ret_delta = 0;
	return at == SIZE_MAX ||
	       parse_bytes(pd_span_sub(line, at + strlen("diff: "), line.len), ret_delta);
}

/* "/home/user/linux/net/ipv4/tcp_bbr.c:" */
static bool is_codiff_file(struct pd_span line)
{
	return line.len > 3 && line.ptr[line.len - 1] == ':' && !memchr(line.ptr, ' ', line.len) &&
	       memchr(line.ptr, '.', line.len);
}

static void begin_table(struct reader *r, struct pd_span what)
{
	static const char *const names[] = {"old", "new"};
	bool is_plain = pd_span_eq_nocase(what, "function") || pd_span_eq_nocase(what, "symbol");

	for (uint32_t i = 0; i < N_SIDES; i++) {
		struct pd_buf section = {0};

		if (r->has_many && r->heading.len)
			pd_buf_printf(&section, "%.*s ", PD_SPAN_ARG(pd_buf_span(&r->heading)));
		if (r->has_many && !is_plain)
			pd_buf_printf(&section, "%.*s ", PD_SPAN_ARG(what));
		pd_buf_add_str(&section, names[i]);
		r->runs[i] = pd_builder_run(r->b, pd_buf_span(&section));
		(void)pd_builder_event(r->b, r->runs[i], pd_span_of("size"), PD_UNIT_BYTES);
		pd_builder_set_cut(r->b, r->runs[i], 0);
		pd_buf_done(&section);
	}
	r->kind = BLOAT;
	r->found = (struct changes){0};
}

/* A side of which no function changed is a side all the same. */
static void keep_sides(struct reader *r)
{
	for (uint32_t i = 0; i < N_SIDES; i++)
		pd_builder_keep_empty(r->b, r->runs[i]);
}

static void add_row(struct reader *r, const struct row *row)
{
	uint32_t func = pd_builder_func(r->b, row->name, pd_span_of(""));

	r->found.up += row->delta > 0 ? row->delta : 0;
	r->found.down += row->delta < 0 ? row->delta : 0;
	for (uint32_t i = 0; i < N_SIDES; i++)
		if (pd_is_known(row->sizes[i]))
			pd_builder_add_self(r->b, r->runs[i], 0, func, row->sizes[i]);
}

static void add_difference(struct reader *r, const struct row *row)
{
	uint32_t func;

	if (pd_span_starts(row->name, "struct "))
		return;
	if (!r->has_codiff) {
		r->codiff_run = pd_builder_run(r->b, pd_span_of(""));
		(void)pd_builder_event(r->b, r->codiff_run, pd_span_of("size"), PD_UNIT_BYTES);
		pd_builder_set_deltas(r->b, r->codiff_run);
		/* What was cut out of a mail may have either sign. */
		pd_builder_add_slack(r->b, r->codiff_run, 0, PD_COUNT_MAX);
	}
	r->has_codiff = true;
	r->pending += row->delta;
	r->n_pending++;
	func = pd_builder_func(r->b, row->name, pd_span_of(""));
	pd_builder_set_file(r->b, func, pd_buf_span(&r->file));
	pd_builder_add_self(r->b, r->codiff_run, 0, func, row->delta);
}

/* Rows, and the line below them; that of all files together has no rows of its own. */
static void end_differences(struct reader *r, double delta)
{
	if (r->n_pending)
		r->total += delta;
	r->pending = 0;
	r->n_pending = 0;
}

/* Rows that a mail left out are told by the summary above them alone. */
static void end_table(struct reader *r)
{
	if (r->kind == BLOAT && pd_is_known(r->told.up) &&
	    (r->told.up != r->found.up || r->told.down != r->found.down))
		pd_diags_add(r->in->diags, PD_WARNING, "rows-missing", r->in->path, r->lines.no,
			     "expected rows that grow by %.0f and shrink by %.0f bytes, as the "
			     "table's summary says, found %.0f and %.0f", r->told.up,
			     -r->told.down, r->found.up, -r->found.down);
	r->told = (struct changes){PD_UNKNOWN, PD_UNKNOWN};
	r->kind = NOTHING;
}

static void warn(const struct reader *r, const char *expected, struct pd_span line)
{
	pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
		     "expected %s, found \"%.*s\"; line skipped", expected, PD_SPAN_ARG(line));
}

/* Whether a line ends as a row does: in a difference with its sign, and another word. */
static bool is_broken_row(struct pd_span line)
{
	struct pd_span last = cut_word(&line);
	double x;

	return line.len && last.len && (last.ptr[0] == '+' || last.ptr[0] == '-') &&
	       parse_bytes(last, &x);
}

/* A line of a table of bloat-o-meter, or that ends one. */
static void read_bloat(struct reader *r, struct pd_span line)
{
	double totals[N_SIDES];
	struct row row;

	if (!line.len)
		return;
	if (parse_row(line, &row) || (pd_lines_unwrap(&r->lines, &line, is_row, NULL) &&
				      parse_row(line, &row))) {
		add_row(r, &row);
		return;
	}
	if (pd_span_starts(line, "Total") && parse_total(line, totals)) {
		keep_sides(r);
		for (uint32_t i = 0; i < N_SIDES; i++)
			pd_builder_set_total(r->b, r->runs[i], 0, totals[i]);
	} else if (pd_prose_is_ellipsis(line)) {
		return;
	} else if (is_broken_row(line)) {
		warn(r, "a name, two sizes and their difference", line);
		return;
	}
	end_table(r);
}

/* A line outside of tables: perhaps the heading of one. */
static void read_prose(struct reader *r, struct pd_span line)
{
	struct pd_span heading;

	if (!line.len || pd_prose_is_rule(line) || parse_changes(line, &r->told))
		return;
	heading = pd_prose_heading(line);
	r->heading.len = 0;
	pd_buf_add(&r->heading, heading.ptr, heading.len);
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct pd_span what;
	struct row row;
	double delta;

	line = pd_span_trim(line);
	what = parse_head(line);
	if (what.len) {
		if (r->kind == BLOAT)
			end_table(r);
		begin_table(r, what);
	} else if (r->kind == BLOAT) {
		read_bloat(r, line);
		if (r->kind == NOTHING && !pd_span_starts(line, "Total"))
			read_prose(r, line);
	} else if (parse_difference(line, &row)) {
		add_difference(r, &row);
	} else if (parse_codiff_end(line, &delta)) {
		end_differences(r, delta);
	} else if (is_codiff_file(line)) {
		r->file.len = 0;
		pd_buf_add(&r->file, line.ptr, line.len - 1);
	} else {
		read_prose(r, line);
	}
}

/* What the lines are: NOTHING if they are no sizes. */
static enum kind look(const struct pd_input *in, uint32_t *ret_n_tables)
{
	uint32_t n_tables = 0, n_differences = 0, n_ends = 0;
	struct pd_lines lines;
	struct pd_span line;
	struct row row;
	double delta;

	pd_input_lines(in, &lines);
	lines.diags = NULL; /* they are kept when the lines are read */
	while (pd_lines_next(&lines, &line)) {
		line = pd_span_trim(line);
		if (line.len < 3)
			continue;
		n_tables += parse_head(line).len > 0;
		n_differences += parse_difference(line, &row);
		n_ends += parse_codiff_end(line, &delta);
	}
	pd_lines_done(&lines);
	*ret_n_tables = n_tables;
	return n_tables ? BLOAT : n_differences && n_ends ? CODIFF : NOTHING;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b, .told = {PD_UNKNOWN, PD_UNKNOWN}};
	struct pd_span line;
	uint32_t n_tables;
	int rc = PD_OK;

	(void)look(in, &n_tables);
	r.has_many = n_tables > 1;
	pd_input_lines(in, &r.lines);
	while (pd_lines_next(&r.lines, &line) && !pd_builder_is_failed(b))
		read_line(&r, line);
	end_table(&r);
	end_differences(&r, r.pending);
	if (r.has_codiff)
		pd_builder_set_total(b, r.codiff_run, 0, r.total);
	if (r.lines.clean.failed || r.heading.failed || r.file.failed)
		rc = pd_fail_nomem(err);
	pd_lines_done(&r.lines);
	pd_buf_done(&r.heading);
	pd_buf_done(&r.file);
	return rc;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	uint32_t n_tables;

	return look(head, &n_tables) == NOTHING ? PD_SNIFF_NO : PD_SNIFF_YES;
}

const struct pd_format pd_format_bloat = {
	.name = "bloat",
	.title = "sizes of functions: bloat-o-meter, codiff",
	.sniff = sniff,
	.read = read,
};
