/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * readprofile of util-linux: timer ticks of the kernel's functions, mostly as
 * they come in mails: sorted any way, cut, several in one text, the last column
 * dropped, with prose and other tables around.
 *
 *	standard:
 *	 23991 total                                      0.0257
 *	  7679 default_idle                             147.6731
 *	  1160 do_anonymous_page                          3.4940
 *	     1 *unknown*
 *	00000000c0100080 schedule                            42   0.1094    (-v)
 *
 * The numbers are ticks, and ticks over the function's length in bytes. The
 * program prints "total" last, and leaves "*unknown*" (ticks of modules) out of
 * it; sorting moves it to anywhere.
 *
 * Where does a profile end? Rows that come after something else than a row are
 * held back until it is clear whether they are of the same profile, begin a new
 * one, or are but cited in the prose: see settle().
 */
#include "ingest/ingest.h"

#include "base/num.h"
#include "ingest/prose.h"
#include "ingest/batch.h"
#include "io/lines.h"

enum {
	MAX_HELD = 64, /* rows held back */
	MIN_ROWS = 3,  /* fewer rows without a total, beside a real profile, are cited ones */
	MIN_ADDRESS = 8, /* digits of an address */
};

enum row_kind {
	ROW_NONE,
	ROW_FUNCTION,
	ROW_UNKNOWN, /* "*unknown*" */
	ROW_TOTAL,
	ROW_BAD, /* a row but for its ticks */
};

struct row {
	enum row_kind kind;
	bool is_strong; /* has the last column, which no other format has there */
	double ticks;
	struct pd_span name;
};

/* What lies between two rows. */
enum gap {
	GAP_NONE,
	GAP_BLANK,
	GAP_PROSE,
};

/* The profile that is being read. */
struct profile {
	uint32_t no; /* from 1; 0: none is open */
	uint32_t run;
	uint32_t n_rows;
	double sum;         /* ticks of its functions */
	double total;       /* or unknown */
	bool is_total_last; /* rows came before the total */
};

/* Rows that wait for a decision. */
struct hold {
	bool is_on;
	enum gap gap; /* before the first of them */
	uint32_t funcs[MAX_HELD];
	double ticks[MAX_HELD];
	uint32_t n;
	double sum;
	double unknown; /* ticks of "*unknown*", or unknown */
	double total;   /* or unknown */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	struct profile profile;
	struct hold hold;
	struct hold strays;  /* rows in prose, before the first profile */
	enum gap gap;        /* since the last row */
	struct pd_buf heading; /* of the rows to come */
	uint32_t n_paragraph_lines;
	struct pd_batch batch; /* of the open profile */
};

/* Cuts the next field off the front; empty at the end. Padding is skipped in steps of eight. */
static struct pd_span next_field(struct pd_span *line)
{
	const char *p = line->ptr, *end = p + line->len, *from;

	while (end - p >= 8 && !memcmp(p, "        ", 8))
		p += 8;
	while (p < end && pd_is_blank(*p))
		p++;
	from = p;
	while (p < end && !pd_is_blank(*p))
		p++;
	*line = (struct pd_span){p, (size_t)(end - p)};
	return (struct pd_span){from, (size_t)(p - from)};
}

/* "0.0257": the last column. */
static bool is_load(struct pd_span s)
{
	bool has_point = false;

	for (size_t i = 0; i < s.len; i++) {
		if (pd_is_digit(s.ptr[i]))
			continue;
		if (s.ptr[i] != '.' || has_point)
			return false;
		has_point = true;
	}
	return has_point && s.len > 1;
}

static bool is_address(struct pd_span s)
{
	uint64_t address;

	return s.len >= MIN_ADDRESS && pd_num_parse_hex(s, &address);
}

static bool parse_ticks(struct pd_span s, double *ret_ticks)
{
	return s.len && pd_is_digit(s.ptr[s.len - 1]) && pd_num_parse_count(s, ret_ticks) &&
		*ret_ticks == trunc(*ret_ticks);
}

/* "87elapse133639 total": ticks that were glued to the output of another program. */
static struct pd_span unglue(struct pd_span s)
{
	size_t from = s.len;

	while (from && pd_is_digit(s.ptr[from - 1]))
		from--;
	return from && pd_is_alpha(s.ptr[from - 1]) ? pd_span_sub(s, from, s.len) : s;
}

static enum row_kind kind_of(struct pd_span name)
{
	if (name.ptr[0] == '*' && pd_span_eq(name, "*unknown*"))
		return ROW_UNKNOWN;
	return name.len == 5 && pd_span_eq(name, "total") ? ROW_TOTAL : ROW_FUNCTION;
}

/* Whether what should be ticks is some number or other: "-5", "1e30". */
static bool is_number(struct pd_span s)
{
	double x;

	return s.len && (pd_num_scan(s, &x) == s.len || pd_is_digit(s.ptr[0]));
}

static struct row parse_row(struct pd_span line)
{
	struct row row = {.kind = ROW_NONE};
	struct pd_span first = next_field(&line), third, fourth;

	row.name = next_field(&line);
	if (!row.name.len || (!pd_is_alpha(row.name.ptr[0]) && row.name.ptr[0] != '_' &&
			      !pd_prose_is_symbol(row.name)))
		return row;
	third = next_field(&line);
	fourth = line.len ? next_field(&line) : line;
	if (line.len && next_field(&line).len)
		return row;
	if (is_address(first) && third.len && !is_load(third)) { /* -v */
		first = third;
		third = fourth;
		fourth.len = 0;
	}
	if (fourth.len || (third.len && !is_load(third)))
		return row;
	row.is_strong = third.len != 0;
	row.kind = kind_of(row.name);
	if (row.kind == ROW_TOTAL)
		first = unglue(first);
	if (!parse_ticks(first, &row.ticks))
		row.kind = is_number(first) ? ROW_BAD : ROW_NONE;
	else if (!row.is_strong && !pd_prose_is_symbol(row.name))
		row.kind = ROW_NONE;
	return row;
}

/* What the lines of an input's beginning are. */
struct census {
	size_t n_strong, n_weak, n_bad, n_total, n_other;
	size_t n_weak_block; /* the most weak rows without another line between them */
};

static struct census take_census(const struct pd_input *head)
{
	struct census c = {0};
	struct pd_lines lines;
	struct pd_span line;
	size_t n_block = 0;

	pd_input_lines(head, &lines);
	while (pd_lines_next(&lines, &line)) {
		struct row row = parse_row(line);
		bool is_weak = row.kind > ROW_NONE && row.kind < ROW_BAD && !row.is_strong;

		c.n_total += row.kind == ROW_TOTAL;
		c.n_bad += row.kind == ROW_BAD;
		c.n_strong += row.kind != ROW_NONE && row.kind != ROW_BAD && row.is_strong;
		c.n_weak += is_weak;
		c.n_other += row.kind == ROW_NONE && line.len;
		n_block = is_weak ? n_block + 1 : 0;
		if (n_block > c.n_weak_block)
			c.n_weak_block = n_block;
	}
	pd_lines_done(&lines);
	return c;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct census c = take_census(head);
	size_t n_rows = c.n_strong + c.n_weak;
	bool is_all = n_rows && n_rows + c.n_bad >= c.n_other;

	if (c.n_strong >= MIN_ROWS || (c.n_strong && (n_rows > c.n_strong || is_all)))
		return PD_SNIFF_YES;
	/* Counts and words: many programs print such lists. */
	if (c.n_weak_block >= MIN_ROWS || (is_all && n_rows + c.n_bad > 1))
		return PD_SNIFF_MAYBE;
	return PD_SNIFF_NO;
}

static void open_profile(struct reader *r)
{
	struct pd_span heading = pd_buf_span(&r->heading);
	uint32_t no = r->profile.no + 1;

	r->profile = (struct profile){
		.no = no,
		.run = pd_builder_run(r->b, heading),
		.total = PD_UNKNOWN,
	};
	(void)pd_builder_event(r->b, r->profile.run, pd_span_of("ticks"), PD_UNIT_TICKS);
	r->heading.len = 0;
}

static void add_function(struct reader *r, uint32_t func, double ticks)
{
	r->profile.n_rows++;
	r->profile.sum += ticks;
	pd_builder_add_self(r->b, r->profile.run, 0, func, ticks);
}

static void add_unknown(struct reader *r, double ticks)
{
	const struct pd_span no_module = {"", 0};
	uint32_t func = pd_builder_leftover(r->b, "[unknown]", no_module);

	pd_builder_add_self(r->b, r->profile.run, 0, func, ticks);
	pd_builder_add_slack(r->b, r->profile.run, 0, ticks);
}

static void set_total(struct reader *r, double total)
{
	r->profile.total = total;
	r->profile.is_total_last = r->profile.n_rows;
	pd_builder_set_total(r->b, r->profile.run, 0, total);
}

static void begin_hold(struct hold *h, enum gap gap)
{
	h->is_on = true;
	h->gap = gap;
	h->n = 0;
	h->sum = 0;
	h->unknown = h->total = PD_UNKNOWN;
}

/* How many of the held rows name functions of the open profile, and with the same ticks. */
static uint32_t count_listed(struct reader *r, bool is_same_ticks)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->hold.n; i++) {
		double ticks = pd_builder_self(r->b, r->profile.run, 0, r->hold.funcs[i]);

		n += is_same_ticks ? ticks == r->hold.ticks[i] : pd_is_known(ticks);
	}
	return n;
}

/* Whether the held rows are of another profile than the open one. */
static bool is_new_profile(struct reader *r)
{
	const struct profile *p = &r->profile;
	const struct hold *h = &r->hold;

	if (!p->no || (h->gap == GAP_PROSE && (r->heading.len || !p->n_rows)))
		return true;
	if (pd_is_known(p->total) &&
	    (pd_is_known(h->total) || p->sum + h->sum > p->total ||
	     (p->is_total_last && (h->gap != GAP_NONE || p->sum == p->total))))
		return true;
	return 2 * count_listed(r, false) > h->n;
}

/* Whether the held rows are just those of the open profile, or some of them. */
static bool is_repeated(struct reader *r)
{
	return (r->hold.n < r->profile.n_rows || pd_is_known(r->profile.total)) &&
		count_listed(r, true) == r->hold.n;
}

/* Add what is held in h to the open profile. */
static void release(struct reader *r, struct hold *h)
{
	for (uint32_t i = 0; i < h->n; i++)
		add_function(r, h->funcs[i], h->ticks[i]);
	if (pd_is_known(h->unknown))
		add_unknown(r, h->unknown);
	if (pd_is_known(h->total))
		set_total(r, h->total);
	h->n = 0;
	h->is_on = false;
}

/* Keep a few rows in prose for the case that the text holds no others. */
static void keep_strays(struct reader *r)
{
	struct hold *s = &r->strays;

	if (!s->is_on)
		begin_hold(s, GAP_PROSE);
	for (uint32_t i = 0; i < r->hold.n && s->n < MAX_HELD; i++) {
		s->funcs[s->n] = r->hold.funcs[i];
		s->ticks[s->n++] = r->hold.ticks[i];
	}
	if (pd_is_known(r->hold.unknown))
		s->unknown = r->hold.unknown;
	if (s->n == MAX_HELD) { /* the whole text is like that */
		open_profile(r);
		release(r, s);
	}
}

/*
 * Decide about the held rows. They are of the open profile, unless it has its
 * total already and cannot have more, or names the same functions, or a heading
 * stands before them. A new profile needs a total or several rows that are not
 * just those of the open one again; all else is cited.
 */
static void settle(struct reader *r, bool is_end)
{
	struct hold *h = &r->hold;
	bool is_all_there_is = is_end && !r->profile.no && !r->strays.n;
	bool is_cited;

	if (!h->is_on)
		return;
	if (!is_new_profile(r)) {
		release(r, h);
		return;
	}
	is_cited = !pd_is_known(h->total) && !is_all_there_is &&
		(h->n < MIN_ROWS || is_repeated(r));
	if (!is_cited) {
		open_profile(r);
		release(r, h);
	} else if (!r->profile.no) {
		keep_strays(r);
	}
	r->heading.len = 0;
	h->is_on = false;
}

/* A row that is not the total arrives: is it to be held? */
static bool wants_hold(struct reader *r)
{
	bool is_after_total = pd_is_known(r->profile.total) && r->profile.is_total_last;

	if (r->hold.is_on && r->gap != GAP_NONE && r->hold.gap == GAP_NONE)
		settle(r, false); /* what followed a total at once ends here */
	if (!r->hold.is_on && (!r->profile.no || r->gap != GAP_NONE || is_after_total))
		begin_hold(&r->hold, r->profile.no ? r->gap : GAP_PROSE);
	return r->hold.is_on;
}

static void read_function(struct reader *r, const struct row *row)
{
	const struct pd_span no_module = {"", 0};
	struct hold *h = &r->hold;

	if (!wants_hold(r)) {
		const struct pd_builder_cell cell = {r->profile.run, 0, row->ticks};

		r->profile.n_rows++;
		r->profile.sum += row->ticks;
		pd_batch_add(&r->batch, row->name, no_module, &cell, 1);
		return;
	}
	pd_batch_flush(&r->batch);
	h->funcs[h->n] = pd_builder_func(r->b, row->name, no_module);
	h->ticks[h->n++] = row->ticks;
	h->sum += row->ticks;
	if (h->n == MAX_HELD)
		settle(r, false);
}

static void read_unknown(struct reader *r, double ticks)
{
	if (!wants_hold(r))
		add_unknown(r, ticks);
	else
		r->hold.unknown = ticks + (pd_is_known(r->hold.unknown) ? r->hold.unknown : 0);
}

static void read_total(struct reader *r, double total)
{
	const struct profile *p = &r->profile;
	bool is_first = !r->hold.is_on && (r->gap == GAP_PROSE || !p->no || pd_is_known(p->total) ||
					   p->sum > total);

	if (r->hold.is_on) {
		r->hold.total = total;
		settle(r, false);
		return;
	}
	if (is_first)
		open_profile(r);
	set_total(r, total);
}

static void read_prose(struct reader *r, struct pd_span line)
{
	struct pd_span heading = pd_prose_heading(line);

	settle(r, false);
	r->gap = GAP_PROSE;
	r->heading.len = 0;
	if (!r->n_paragraph_lines++)
		pd_buf_add(&r->heading, heading.ptr, heading.len);
}

/* A line that does not end a profile, and is no row. */
static bool is_between_rows(struct pd_span line)
{
	struct pd_span first, second;

	if (pd_prose_is_ellipsis(line) || pd_prose_is_rule(line))
		return true;
	first = next_field(&line);
	second = next_field(&line);
	if (!second.len)
		return is_load(first); /* a mailer may have wrapped it */
	return is_address(first) && pd_is_digit(second.ptr[0]) && !next_field(&line).len; /* -s */
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct row row = parse_row(line);

	if (row.kind == ROW_BAD && (row.is_strong || r->gap == GAP_NONE)) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected ticks and a name, found \"%.*s\"; line skipped",
			     PD_SPAN_ARG(line));
	} else if (row.kind == ROW_BAD || row.kind == ROW_NONE) {
		if (!line.len) {
			r->gap = r->gap == GAP_PROSE ? GAP_PROSE : GAP_BLANK;
			r->n_paragraph_lines = 0;
		} else if (!is_between_rows(line)) {
			read_prose(r, line);
		}
	} else {
		if (row.kind == ROW_FUNCTION)
			read_function(r, &row);
		else if (row.kind == ROW_UNKNOWN)
			read_unknown(r, row.ticks);
		else
			read_total(r, row.ticks);
		r->gap = GAP_NONE;
		r->n_paragraph_lines = 0;
	}
}

static int read_readprofile(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b, .profile.total = PD_UNKNOWN, .gap = GAP_PROSE};
	struct pd_span line;
	bool is_failed;

	pd_input_lines(in, &r.lines);
	pd_batch_init(&r.batch, b);
	while (!pd_builder_is_failed(b) && pd_lines_next(&r.lines, &line))
		read_line(&r, line);
	settle(&r, true);
	if (!r.profile.no && r.strays.n) {
		open_profile(&r);
		release(&r, &r.strays);
	}
	pd_batch_flush(&r.batch);
	is_failed = r.lines.clean.failed || r.heading.failed;
	pd_lines_done(&r.lines);
	pd_buf_done(&r.heading);
	return is_failed ? pd_fail_nomem(err) : PD_OK;
}

const struct pd_format pd_format_readprofile = {
	.name = "readprofile",
	.title = "readprofile of util-linux: timer ticks of the kernel's functions",
	.sniff = sniff,
	.read = read_readprofile,
};
