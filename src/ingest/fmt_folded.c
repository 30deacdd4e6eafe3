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
 * Lines come sorted more often than not. So the frames of the last line are
 * kept as a path from the root, and a line that begins as the last one did only
 * replaces the rest of it. What a frame costs with its callees is added up on
 * the path and told to the builder when the frame leaves it:
 *
 *	dd > [unknown] > read                     14
 *	               > read > system_call > ... 11   two frames are not touched
 *	               > write ...                     here "read" leaves, with 25
 */
#include "ingest/ingest.h"

#include <stdlib.h>

#include "base/num.h"
#include "io/lines.h"
#include "io/scan.h"

enum {
	MAX_COLUMNS = 2,
	FRAMES_AT_ONCE = 32, /* are looked up together */
};

/* A line: a stack and its counts. */
struct stack_line {
	struct pd_span stack;
	double counts[MAX_COLUMNS];
};

/* A frame of the path. */
struct frame {
	size_t end;     /* offset of the ';' behind it in the text of the path */
	uint32_t func;
	bool is_outer;  /* has a name, and no frame above it is the same function */
	double sums[MAX_COLUMNS];
};

/* What is known of a function. */
struct tally {
	double inclusive[MAX_COLUMNS]; /* of the frames that left the path */
	uint32_t n_on_path;            /* frames of the path that are this function */
	bool is_function;              /* was on the path, and has a name */
};

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_lines lines;
	uint32_t runs[MAX_COLUMNS];
	uint32_t n_columns;
	struct pd_buf path; /* the stack of the last line, with a ';' behind it */
	struct frame *frames;
	uint32_t n_frames, cap_frames;
	struct tally *tallies; /* by function */
	uint32_t n_tallies;
	bool failed; /* out of memory */
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

	pd_lines_init(&lines, head->bytes, head->limits, head->path, NULL);
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

/* Names of runs where there are two: their sides, as everywhere in profdiff. */
static void add_runs(struct reader *r)
{
	static const char *const sides[MAX_COLUMNS] = {"base", "next"};

	for (uint32_t i = 0; i < r->n_columns; i++) {
		r->runs[i] = pd_builder_run(r->b, pd_span_of(r->n_columns > 1 ? sides[i] : ""));
		(void)pd_builder_event(r->b, r->runs[i], pd_span_of("samples"), PD_UNIT_SAMPLES);
		pd_builder_set_complete(r->b, r->runs[i], 0);
	}
}

/* What a profiler writes where it found no symbol, perhaps with FlameGraph's "_[k]" behind. */
static bool is_unnamed(struct pd_span name)
{
	uint64_t address;

	if (name.len && name.ptr[0] != '[' && name.ptr[0] != '0')
		return false;
	if (name.len > 4 && name.ptr[name.len - 1] == ']' && name.ptr[name.len - 3] == '[' &&
	    name.ptr[name.len - 4] == '_')
		name.len -= 4;
	return !name.len || pd_span_eq(name, "[unknown]") ||
		(pd_span_starts(name, "0x") && pd_num_parse_hex(name, &address));
}

/* What is kept of a function, or NULL where memory is out. */
static struct tally *tally_of(struct reader *r, uint32_t func)
{
	if (func >= r->n_tallies) {
		uint32_t n = 2 * func + 64;
		struct tally *p = realloc(r->tallies, (size_t)n * sizeof(*p));

		if (!p) {
			r->failed = true;
			return NULL;
		}
		memset(p + r->n_tallies, 0, (n - r->n_tallies) * sizeof(*p));
		r->tallies = p;
		r->n_tallies = n;
	}
	return &r->tallies[func];
}

static struct frame *new_frame(struct reader *r)
{
	if (r->n_frames == r->cap_frames) {
		uint32_t cap = r->cap_frames ? 2 * r->cap_frames : 64;
		struct frame *p = realloc(r->frames, cap * sizeof(*p));

		if (!p) {
			r->failed = true;
			return NULL;
		}
		r->frames = p;
		r->cap_frames = cap;
	}
	return &r->frames[r->n_frames++];
}

/* A frame that ends at that offset of the stack joins the path. */
static void push_frame(struct reader *r, struct pd_span name, size_t end)
{
	const struct pd_span no_module = {"", 0};
	bool is_named = !is_unnamed(name);
	uint32_t func = is_named ? pd_builder_func(r->b, name, no_module) :
		pd_builder_leftover(r->b, "[unknown]", no_module);
	struct tally *t = tally_of(r, func);
	struct frame *f = t ? new_frame(r) : NULL;

	if (!f)
		return;
	*f = (struct frame){.end = end, .func = func, .is_outer = is_named && !t->n_on_path};
	t->n_on_path++;
	t->is_function = is_named;
}

/* Leave all frames but the first n. */
static void pop_frames(struct reader *r, uint32_t n)
{
	while (r->n_frames > n) {
		struct frame *f = &r->frames[--r->n_frames];
		struct tally *t = &r->tallies[f->func];

		t->n_on_path--;
		for (uint32_t i = 0; i < r->n_columns; i++) {
			if (f->is_outer)
				t->inclusive[i] += f->sums[i];
			if (r->n_frames)
				f[-1].sums[i] += f->sums[i];
		}
	}
}

static void tell_inclusive(struct reader *r)
{
	pop_frames(r, 0);
	for (uint32_t func = 0; func < r->n_tallies; func++)
		for (uint32_t i = 0; i < r->n_columns && r->tallies[func].is_function; i++)
			pd_builder_add_inclusive(r->b, r->runs[i], 0, func,
						 r->tallies[func].inclusive[i]);
}

/* How many bytes the two have in common at their beginnings. */
static size_t common_len(const char *a, const char *b, size_t n)
{
	size_t i = 0;
	uint64_t x, y;

	for (; i + 8 <= n; i += 8) {
		memcpy(&x, a + i, 8);
		memcpy(&y, b + i, 8);
		if (x != y)
			break;
	}
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/*
 * The frames of the stack from that offset on, at most max. Frames are short, so
 * that a search for the end of each would mostly be calls and mispredictions.
 */
static size_t split_frames(struct pd_span stack, size_t from, struct pd_span *ret_names, size_t max)
{
	size_t n = 0;

	for (size_t at = from; at < stack.len; at += PD_SCAN_BYTES) {
		char rest[PD_SCAN_BYTES];
		const char *p = stack.ptr + at;

		if (stack.len - at < PD_SCAN_BYTES) {
			memset(rest, 0, sizeof(rest));
			p = memcpy(rest, p, stack.len - at);
		}
		for (uint64_t mask = pd_scan_byte(p, ';'); mask; mask &= mask - 1) {
			size_t end = at + (size_t)__builtin_ctzll(mask);

			ret_names[n++] = (struct pd_span){stack.ptr + from, end - from};
			from = end + 1;
			if (n == max)
				return n;
		}
	}
	ret_names[n++] = (struct pd_span){stack.ptr + from, stack.len - from};
	return n;
}

/* Push the frames of the stack from that offset on. */
static void push_frames(struct reader *r, struct pd_span stack, size_t from)
{
	struct pd_span names[FRAMES_AT_ONCE];

	while (from <= stack.len && !r->failed) {
		size_t n = split_frames(stack, from, names, FRAMES_AT_ONCE);

		pd_builder_expect(r->b, names, n);
		for (size_t i = 0; i < n && !r->failed; i++) {
			from += names[i].len + 1;
			push_frame(r, names[i], from - 1);
		}
	}
}

/* Make the path that of the stack. */
static void set_path(struct reader *r, struct pd_span stack)
{
	size_t n = r->path.len < stack.len ? r->path.len : stack.len;
	size_t same = common_len(r->path.ptr, stack.ptr, n), from;
	uint32_t n_same = r->n_frames;

	/* The ';' behind the stack is thought of, in the path it is there. */
	if (same == stack.len && same < r->path.len && r->path.ptr[same] == ';')
		same++;
	while (n_same && r->frames[n_same - 1].end >= same)
		n_same--;
	pop_frames(r, n_same);
	from = n_same ? r->frames[n_same - 1].end + 1 : 0;
	r->path.len = from;
	if (from > stack.len)
		return;
	pd_buf_add(&r->path, stack.ptr + from, stack.len - from);
	pd_buf_add_char(&r->path, ';');
	push_frames(r, stack, from);
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

static void read_line(struct reader *r, struct pd_span line)
{
	struct stack_line s;
	const struct frame *leaf;

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
	set_path(r, s.stack);
	if (r->failed || !r->n_frames)
		return;
	leaf = &r->frames[r->n_frames - 1];
	for (uint32_t i = 0; i < r->n_columns; i++) {
		r->frames[r->n_frames - 1].sums[i] += s.counts[i];
		pd_builder_add_self(r->b, r->runs[i], 0, leaf->func, s.counts[i]);
	}
}

static int read_folded(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {.in = in, .b = b, .n_columns = count_columns(in)};
	struct pd_span line;

	add_runs(&r);
	pd_lines_init(&r.lines, in->bytes, in->limits, in->path, in->diags);
	while (!r.failed && !pd_builder_is_failed(b) && next_line(&r.lines, &line))
		read_line(&r, line);
	tell_inclusive(&r);
	if (r.lines.clean.failed || r.path.failed)
		r.failed = true;
	pd_lines_done(&r.lines);
	pd_buf_done(&r.path);
	free(r.frames);
	free(r.tallies);
	return r.failed ? pd_fail_nomem(err) : PD_OK;
}

const struct pd_format pd_format_folded = {
	.name = "folded",
	.title = "folded stacks: stackcollapse scripts, inferno, async-profiler, austin",
	.sniff = sniff,
	.read = read_folded,
};
