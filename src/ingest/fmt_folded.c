/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folded stacks, as the stackcollapse scripts of FlameGraph, inferno,
 * async-profiler and austin write them: frames from the root to the leaf, and
 * how often this stack was seen. difffolded.pl writes two counts, which are two
 * columns here.
 *
 *	# comment
 *	dd;[unknown];read 14
 *	dd;[unknown];read;system_call_[k];__fdget_pos_[k] 11
 *	cksum;main;core::array::<impl Default for [T; _]>::default 19.5
 *	noploop;main 274 415
 *
 * Adding them up is the work of ingest/stacks.h.
 */
#include "ingest/ingest.h"

#include "base/num.h"
#include "ingest/stacks.h"
#include "io/lines.h"

/* A line: a stack and its counts. */
struct stack_line {
	struct pd_span stack;
	double counts[PD_STACKS_COLUMNS];
};

struct reader {
	const struct pd_input *in;
	struct pd_lines lines;
	struct pd_builder *builder;
	uint32_t n_columns;
	uint32_t runs[PD_STACKS_COLUMNS];
	struct pd_stacks stacks;
};

/* Takes the last field off a line; false if it has no other. */
static bool cut_field(struct pd_span *line, struct pd_span *ret_field)
{
	size_t from = line->len, end;

	while (from && !pd_is_blank(line->ptr[from - 1]))
		from--;
	for (end = from; end && pd_is_blank(line->ptr[end - 1]); end--)
		;
	if (!end)
		return false;
	*ret_field = pd_span_sub(*line, from, line->len);
	line->len = end;
	return true;
}

static bool parse_line(struct pd_span line, uint32_t n_columns, struct stack_line *ret_line)
{
	struct stack_line r;
	struct pd_span field;

	for (uint32_t i = n_columns; i-- > 0;)
		if (!cut_field(&line, &field) || !pd_num_parse_count(field, &r.counts[i]))
			return false;
	r.stack = line;
	*ret_line = r;
	return true;
}

static bool is_comment(struct pd_span line)
{
	return line.ptr[0] == '#' || pd_span_starts(line, "//");
}

/* Blank lines and comments hold nothing; blanks before a stack are of the mail around it. */
static bool next_line(struct pd_lines *lines, struct pd_span *ret_line)
{
	while (pd_lines_next(lines, ret_line)) {
		while (ret_line->len && pd_is_blank(ret_line->ptr[0]))
			*ret_line = pd_span_sub(*ret_line, 1, ret_line->len);
		if (ret_line->len && !is_comment(*ret_line))
			return true;
	}
	return false;
}

/* Whether the frames are separated as no prose or source is: nothing blank behind a ';'. */
static bool has_frames(struct pd_span stack)
{
	size_t i = pd_span_find(stack, ";");

	return i != SIZE_MAX && i + 1 < stack.len && !pd_is_blank(stack.ptr[i + 1]);
}

static bool is_word(struct pd_span s)
{
	for (size_t i = 0; i < s.len; i++)
		if (pd_is_blank(s.ptr[i]))
			return false;
	return s.len && (pd_is_alpha(s.ptr[0]) || s.ptr[0] == '_' || s.ptr[0] == '[');
}

/* What the lines of an input's beginning are. */
struct census {
	size_t n_stacks;     /* several frames and a count */
	size_t n_pairs;      /* of them: two counts */
	size_t n_words;      /* one word and a count */
	size_t n_word_pairs; /* one word and two counts */
	size_t n_other;
};

static struct census take_census(const struct pd_input *head)
{
	struct census c = {0};
	struct stack_line s;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (next_line(&lines, &line)) {
		if (!parse_line(line, 1, &s)) {
			c.n_other++;
		} else if (has_frames(s.stack)) {
			c.n_stacks++;
			c.n_pairs += parse_line(line, 2, &s);
		} else if (is_word(s.stack)) {
			c.n_words++;
		} else if (parse_line(line, 2, &s) && is_word(s.stack)) {
			c.n_word_pairs++;
		} else {
			c.n_other++;
		}
	}
	pd_lines_done(&lines);
	return c;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct census c = take_census(head);
	size_t n_good = c.n_stacks + c.n_words + c.n_word_pairs;

	if (c.n_stacks)
		return n_good >= c.n_other ? PD_SNIFF_YES :
			2 * n_good >= c.n_other ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
	/* Stacks of one frame look like any list of words and numbers. */
	return c.n_words && !c.n_other && !c.n_word_pairs ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

/*
 * One count a line, or two. A frame may end in a number ("worker 3"), so that
 * two are believed only where (nearly) all stacks have them.
 */
static uint32_t count_columns(const struct pd_input *in)
{
	enum { HEAD_BYTES = 64 << 10 };
	struct pd_input head = *in;
	struct census c;

	if (head.bytes.len > HEAD_BYTES) {
		const char *nl = memrchr(head.bytes.ptr, '\n', HEAD_BYTES);

		head.bytes.len = nl ? (size_t)(nl - head.bytes.ptr) : HEAD_BYTES;
	}
	c = take_census(&head);
	return c.n_pairs && 10 * c.n_pairs >= 9 * c.n_stacks ? 2 : 1;
}

/* Whether the stack has more frames than allowed; they need as many bytes at least. */
static bool is_too_deep(const struct reader *r, struct pd_span stack)
{
	size_t n = 1;

	if (stack.len < r->in->limits->n_frames)
		return false;
	for (size_t i = 0; i < stack.len; i++)
		n += stack.ptr[i] == ';';
	return n > r->in->limits->n_frames;
}

/* The stack as a path of the call trees. */
static void add_calls(struct reader *r, const struct stack_line *s)
{
	uint32_t nodes[PD_STACKS_COLUMNS] = {PD_NO_CALL, PD_NO_CALL};
	struct pd_span none = {"", 0};

	for (size_t from = 0; from <= s->stack.len;) {
		struct pd_span name = pd_span_sub(s->stack, from, s->stack.len);
		uint32_t func;

		name = pd_span_sub(name, 0, pd_span_find(name, ";"));
		func = pd_stacks_is_unnamed(name)
			       ? pd_builder_leftover(r->builder, "[unknown]", none)
			       : pd_builder_func(r->builder, name, none);
		for (uint32_t i = 0; i < r->n_columns; i++)
			nodes[i] = pd_builder_call(r->builder, r->runs[i], nodes[i], func);
		from += name.len + 1;
	}
	for (uint32_t i = 0; i < r->n_columns; i++)
		pd_builder_add_stack(r->builder, r->runs[i], 0, nodes[i], s->counts[i]);
}

static void read_line(struct reader *r, struct pd_span line)
{
	struct stack_line s;

	if (!parse_line(line, r->n_columns, &s)) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected a stack and %s, found \"%.*s\"; line skipped",
			     r->n_columns > 1 ? "two counts" : "a count", PD_SPAN_ARG(line));
		return;
	}
	if (is_too_deep(r, s.stack)) {
		pd_diags_add(r->in->diags, PD_WARNING, "deep-stack", r->in->path, r->lines.no,
			     "expected at most %u frames, found more; line skipped",
			     r->in->limits->n_frames);
		return;
	}
	pd_stacks_add(&r->stacks, s.stack, s.counts);
	if (r->in->request && r->in->request->wants_calls)
		add_calls(r, &s);
}

/* Where there are two runs, they are sides, as everywhere in profdiff. */
static void begin_runs(struct reader *r)
{
	static const char *const sides[PD_STACKS_COLUMNS] = {"base", "next"};

	for (uint32_t i = 0; i < r->n_columns; i++) {
		r->runs[i] = pd_builder_run(r->builder,
					    pd_span_of(r->n_columns > 1 ? sides[i] : ""));
		(void)pd_builder_event(r->builder, r->runs[i], pd_span_of("samples"),
				       PD_UNIT_SAMPLES);
		pd_builder_set_complete(r->builder, r->runs[i], 0);
	}
}

static int read_folded(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .builder = b, .n_columns = count_columns(in)};
	struct pd_span line;
	int rc = PD_OK;

	begin_runs(&r);
	pd_stacks_init(&r.stacks, r.n_columns, in->limits);
	pd_input_lines(in, &r.lines);
	while (!r.stacks.failed && !r.stacks.is_full && next_line(&r.lines, &line))
		read_line(&r, line);
	pd_stacks_tell(&r.stacks, b, r.runs);
	if (r.stacks.is_full)
		rc = pd_fail(err, PD_ERR_LIMIT,
			     "more than %u functions; --max-functions raises this limit",
			     in->limits->n_functions);
	else if (r.stacks.failed || r.lines.clean.failed)
		rc = pd_fail_nomem(err);
	pd_lines_done(&r.lines);
	pd_stacks_done(&r.stacks);
	return rc;
}

const struct pd_format pd_format_folded = {
	.name = "folded",
	.title = "folded stacks: stackcollapse scripts, inferno, async-profiler, austin",
	.sniff = sniff,
	.read = read_folded,
};
