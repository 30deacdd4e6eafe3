/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of names and ticks as people paste them into mails: a header with the
 * names of sides, or sections with a title and several runs a row.
 *
 *	                    2.5.70-mm4 2.5.70-mm3
 *	                 total  478507  521921
 *	         do_page_fault   53727  103744
 *
 *	Vanilla
 *	-------
 *	vm_enough_memory 786 778 780 735
 *	vm_acct_memory  870 952 884 898
 *	-----------------------------------
 *	tot of above    1656 1730 1664 1633
 *
 * Each column is a run. Names and numbers in mails are mostly something else, so
 * a table must have counts alone in its columns and symbols for names; one with
 * decimals, percents or units belongs to a benchmark. (With --format=table the
 * input is none of the formats that are sure, and decimals are read.)
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "base/num.h"
#include "ingest/finder.h"
#include "ingest/prose.h"
#include "ingest/batch.h"

enum {
	MIN_ROWS = 3,          /* of a table among other text */
	HEAD_BYTES = 64 << 10, /* what is looked at before reading */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b; /* NULL: just look */
	struct pd_lines lines;
	bool wants_bare; /* a table without header and title, too */
	struct pd_finder finder;
	struct pd_found_table open; /* the table that is read */
	bool is_open;
	bool is_interrupted; /* other lines stand between it and the line at hand */
	struct pd_line_above above;
	struct pd_buf title;     /* a ruled line that has another line below it */
	uint32_t skip_until;     /* lines up to this one begin no table */
	struct pd_batch batch;     /* of functions */
	struct pd_builder_cell *row; /* the cells of one */
	uint32_t n_tables[PD_N_EVIDENCES], n_columns, n_rows, n_bad, n_other; /* in all */
	bool failed; /* out of memory */
};

/* The totals of the open table are known now. */
static void close_table(struct reader *r)
{
	for (uint32_t i = 0; r->is_open && r->b && i < r->open.n_sides; i++) {
		const struct pd_found_side *s = &r->open.sides[i];

		if (pd_is_known(s->total))
			pd_builder_set_total(r->b, s->run, 0, s->total);
	}
	r->is_open = false;
}

/* "run1", "#2", "3": a header that numbers the runs of one side. */
static bool is_run_number(struct pd_span s)
{
	uint64_t no;

	if (s.len > 3 && pd_span_eq_nocase(pd_span_sub(s, 0, 3), "run"))
		s = pd_span_trim(pd_span_sub(s, 3, s.len));
	if (s.len > 1 && s.ptr[0] == '#')
		s = pd_span_sub(s, 1, s.len);
	return pd_num_parse_u64(s, &no) && no < 1000;
}

/* What a run of the new table is called. */
static struct pd_span section_of(const struct reader *r, enum pd_evidence evidence, uint32_t column)
{
	struct pd_span above = pd_buf_span(&r->above.text);
	struct pd_span title = pd_buf_span(&r->title), name;

	if (evidence == PD_EVIDENCE_BARE)
		return (struct pd_span){"", 0};
	if (evidence == PD_EVIDENCE_HEADER) {
		name = pd_cutter_name(&r->open.cutter, column);
		return title.len && is_run_number(name) ? title : name;
	}
	name = pd_prose_heading(above);
	return name.len ? name : pd_span_trim(above);
}

static void open_table(struct reader *r, enum pd_evidence evidence)
{
	struct pd_found_table old = r->open;

	close_table(r);
	r->open = r->finder.next;
	r->finder.next = old;
	r->n_tables[evidence]++;
	if (r->open.n_sides > r->n_columns)
		r->n_columns = r->open.n_sides;
	r->is_open = true;
	for (uint32_t i = 0; r->b && i < r->open.n_sides; i++) {
		struct pd_found_side *s = &r->open.sides[i];

		s->run = pd_builder_run(r->b, section_of(r, evidence, s->column));
		(void)pd_builder_event(r->b, s->run, pd_span_of("ticks"), PD_UNIT_TICKS);
	}
	r->title.len = r->above.text.len = 0;
	r->above.is_ruled = false;
}

enum name_kind {
	NAME_FUNCTION,
	NAME_TOTAL,   /* of the table, unless it is but a sum of the rows above */
	NAME_SUMMARY, /* of some rows */
};

/* Nearly all names are told from those below by their first three letters. */
static bool may_be_sum(struct pd_span name)
{
	char a = name.ptr[0] | 0x20, b, c;

	if ((a != 't' && a != 's' && a != 'g') || name.len < 3)
		return false;
	b = name.ptr[1] | 0x20;
	c = name.ptr[2] | 0x20;
	return (a == 't' && b == 'o' && c == 't') || (a == 'g' && b == 'r' && c == 'a') ||
		(a == 's' && b == 'u' && (c == 'm' || c == 'b'));
}

static enum name_kind kind_of_name(struct pd_span name)
{
	static const char *const totals[] = {
		"total", "totals", "sum", "grand total", "total ticks", "total samples", NULL,
	};
	static const char *const summaries[] = {
		"tot ", "tot. ", "total of ", "sum of ", "subtotal", "sub-total", "sub total", NULL,
	};

	if (!may_be_sum(name))
		return NAME_FUNCTION;
	name.len -= name.len > 1 && name.ptr[name.len - 1] == ':';
	for (size_t i = 0; totals[i]; i++)
		if (pd_span_eq_nocase(name, totals[i]))
			return NAME_TOTAL;
	if (pd_span_eq_nocase(name, "tot"))
		return NAME_SUMMARY;
	for (size_t i = 0; summaries[i]; i++)
		if (pd_span_eq_nocase(pd_span_sub(name, 0, strlen(summaries[i])), summaries[i]))
			return NAME_SUMMARY;
	return NAME_FUNCTION;
}

/* A total row: kept until it is clear whether rows follow of which it is not the total. */
static void read_total(struct reader *r)
{
	for (uint32_t i = 0; i < r->open.n_sides; i++) {
		struct pd_found_side *s = &r->open.sides[i];
		bool is_sum_above = s->sum > 0 && s->value == s->sum;

		if (!pd_is_known(s->value) || (is_sum_above && pd_is_known(s->total)))
			continue;
		s->total = s->value;
		s->is_sum_above = is_sum_above;
	}
}

/*
 * Whether the open table lists the function already, and with the same number:
 * then the row is but cited.
 */
static bool is_listed(struct reader *r, struct pd_span name)
{
	const struct pd_span no_module = {"", 0};
	const struct pd_found_side *s = &r->open.sides[0];

	pd_batch_flush(&r->batch);
	return pd_builder_self(r->b, s->run, 0, pd_builder_func(r->b, name, no_module)) == s->value;
}

/* False if it is a row of this table, cited below it. */
static bool read_function(struct reader *r, struct pd_span name)
{
	const struct pd_span no_module = {"", 0};
	uint32_t n = 0;

	r->n_rows++;
	if (!r->b)
		return true;
	if (r->is_interrupted && is_listed(r, name))
		return false;
	for (uint32_t i = 0; i < r->open.n_sides; i++) {
		struct pd_found_side *s = &r->open.sides[i];

		if (!pd_is_known(s->value))
			continue;
		if (s->is_sum_above) { /* it was the total of some rows only */
			s->is_sum_above = false;
			s->total = PD_UNKNOWN;
		}
		s->sum += s->value;
		r->row[n++] = (struct pd_builder_cell){s->run, 0, s->value};
	}
	pd_batch_add(&r->batch, name, no_module, r->row, n);
	return true;
}

static void complain(struct reader *r, struct pd_span line)
{
	r->n_bad++;
	pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
		     "expected a name and counts, found \"%.*s\"; line skipped", PD_SPAN_ARG(line));
}

/*
 * A line that fits no row of the open table, but is more than prose: a symbol
 * with other words in the columns, digits among them, or with too few numbers.
 */
static bool is_spoilt_row(const struct reader *r, size_t n_words)
{
	const struct pd_cutter *cut = &r->open.cutter;
	size_t name = cut->is_names_right ? n_words - 1 : 0, n_numbers = 0, n_digits = 0;

	if (n_words < 2 || !pd_prose_is_symbol(r->finder.words[name].text))
		return false;
	for (size_t i = 0; i < n_words; i++) {
		n_numbers += r->finder.words[i].kind != PD_WORD_TEXT;
		n_digits += pd_is_digit(r->finder.words[i].text.ptr[0]);
	}
	return n_numbers == n_words - 1 || (n_digits && n_words == cut->n_columns + 1u);
}

/* A row of the open table, or false. */
static bool read_row(struct reader *r, struct pd_span line)
{
	struct pd_span name;
	size_t n_words = pd_finder_split(&r->finder, line);
	enum name_kind kind;

	if (!r->is_open)
		return false;
	if (!pd_cutter_match(&r->open.cutter, r->finder.words, n_words, r->finder.cells, &name)) {
		if (r->is_interrupted || !is_spoilt_row(r, n_words))
			return false;
		complain(r, line);
		return true;
	}
	if (r->is_interrupted && !pd_prose_is_symbol(name))
		return false;
	if (pd_found_parse(&r->open, &r->finder) > PD_WORD_DECIMAL) {
		complain(r, line);
		return true;
	}
	kind = kind_of_name(name);
	if (kind == NAME_FUNCTION && !read_function(r, name))
		return true;
	if (kind == NAME_TOTAL)
		read_total(r);
	r->is_interrupted = false;
	return true;
}

/*
 * Whether the rows of a table that may begin are such of the open one, shown
 * again: the first of them, or all if that has no ticks to tell it by.
 */
static bool is_cited(struct reader *r)
{
	if (!r->is_open || !r->b)
		return false;
	for (uint32_t i = 0; i < r->finder.n_rows; i++) {
		size_t n = pd_finder_split(&r->finder, pd_finder_row(&r->finder, i));
		struct pd_span name;

		if (!pd_cutter_match(&r->open.cutter, r->finder.words, n, r->finder.cells, &name))
			return false;
		(void)pd_found_parse(&r->open, &r->finder);
		if (!is_listed(r, name))
			return false;
		if (r->open.sides[0].value > 0)
			return true;
	}
	return true;
}

/* Open a table if one begins with this line. */
static void try_table(struct reader *r, struct pd_span line)
{
	struct pd_finder *f = &r->finder;
	struct pd_span above = pd_buf_span(&r->above.text);
	enum pd_evidence e;

	if ((r->is_open && !r->is_interrupted) || r->lines.no <= r->skip_until ||
	    !pd_finder_is_row(f, line))
		return;
	e = pd_finder_look(f, &r->lines, line, &r->above);
	r->skip_until = r->lines.no + f->n_lines - 1;
	if (e == PD_EVIDENCE_NONE || (e == PD_EVIDENCE_BARE && !r->wants_bare))
		return;
	/* Below a table, a short line is prose more often than not. */
	if (r->is_open && e <= PD_EVIDENCE_TITLE &&
	    ((f->n_rows < 2 && !pd_prose_is_marked(above)) || is_cited(r)))
		return;
	open_table(r, e);
	r->is_interrupted = false;
}

static void read_prose(struct reader *r, struct pd_span line)
{
	struct pd_line_above *a = &r->above;

	if (a->is_ruled) {
		r->title.len = 0;
		pd_buf_add(&r->title, a->text.ptr, a->text.len);
	}
	a->text.len = 0;
	a->n_blank = 0;
	a->is_ruled = false;
	pd_buf_add(&a->text, line.ptr, line.len);
	r->is_interrupted = true;
	r->n_other++;
}

static void read_line(struct reader *r, struct pd_span line)
{
	if (r->is_open && !r->is_interrupted && read_row(r, line))
		return;
	if (!line.len) {
		r->above.n_blank++;
	} else if (pd_prose_is_rule(line)) {
		r->above.is_ruled = r->above.text.len && !r->above.n_blank;
	} else if (!pd_prose_is_ellipsis(line)) {
		try_table(r, line);
		if (!read_row(r, line))
			read_prose(r, line);
	}
}

static bool init(struct reader *r, const struct pd_input *in, struct pd_builder *b)
{
	*r = (struct reader){.in = in, .b = b, .wants_bare = true};
	pd_batch_init(&r->batch, b);
	r->failed = !pd_finder_init(&r->finder, in->limits) || !pd_found_init(&r->open, &r->finder);
	if (!r->failed)
		r->row = calloc(r->finder.max_words, sizeof(*r->row));
	r->failed = !r->row;
	return !r->failed;
}

static void read_lines(struct reader *r)
{
	struct pd_span line;

	pd_input_lines(r->in, &r->lines);
	while (!r->failed && !(r->b && pd_builder_is_failed(r->b)) &&
	       pd_lines_next(&r->lines, &line))
		read_line(r, line);
	close_table(r);
	if (r->b)
		pd_batch_flush(&r->batch);
	if (r->lines.clean.failed || r->above.text.failed || r->title.failed ||
	    r->finder.text.failed)
		r->failed = true;
	pd_lines_done(&r->lines);
}

static void done(struct reader *r)
{
	pd_finder_done(&r->finder);
	pd_found_done(&r->open);
	free(r->row);
	pd_buf_done(&r->above.text);
	pd_buf_done(&r->title);
}

static enum pd_sniff judge(const struct reader *r)
{
	uint32_t n_good = r->n_rows + r->n_bad;
	bool is_enough = r->n_rows >= MIN_ROWS || (r->n_rows && n_good >= r->n_other);
	uint32_t n_ruled = r->n_tables[PD_EVIDENCE_RULED];

	if (!is_enough)
		return PD_SNIFF_NO;
	if (r->n_tables[PD_EVIDENCE_HEADER] || (n_ruled && (r->n_columns > 1 || n_ruled > 1)))
		return PD_SNIFF_YES;
	if (n_good >= r->n_other && (r->n_columns > 1 || n_ruled))
		return PD_SNIFF_MAYBE;
	return PD_SNIFF_NO;
}

/* What the beginning of an input holds; whether it has a table that is more than bare rows. */
static enum pd_sniff look(const struct pd_input *head, bool *ret_titled)
{
	struct reader r;
	enum pd_sniff answer = PD_SNIFF_NO;

	*ret_titled = false;
	if (init(&r, head, NULL)) {
		read_lines(&r);
		answer = r.failed ? PD_SNIFF_NO : judge(&r);
		*ret_titled = r.n_tables[PD_EVIDENCE_HEADER] || r.n_tables[PD_EVIDENCE_RULED] ||
			r.n_tables[PD_EVIDENCE_TITLE];
	}
	done(&r);
	return answer;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	bool is_titled;

	return look(head, &is_titled);
}

static int read_table(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct pd_input head = *in;
	struct reader r;
	bool is_titled, failed;
	enum pd_sniff answer;

	head.diags = NULL;
	if (head.bytes.len > HEAD_BYTES)
		head.bytes.len = HEAD_BYTES;
	answer = look(&head, &is_titled);
	if (init(&r, in, b)) {
		r.finder.is_lenient = answer == PD_SNIFF_NO;
		r.wants_bare = !is_titled;
		read_lines(&r);
	}
	failed = r.failed;
	done(&r);
	return failed ? pd_fail_nomem(err) : PD_OK;
}

const struct pd_format pd_format_table = {
	.name = "table",
	.title = "tables of functions and ticks in mails: a column a run, or titled sections",
	.sniff = sniff,
	.read = read_table,
};
