/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regular expressions on paths. Contract: path_regex.h. An expression becomes steps of
 * a machine; a set of steps is what may come next, and each byte of the path makes the
 * next set of it. An expression of n bytes has at most 2 n + 2 steps.
 */
#include "analysis/path_regex.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LEN = 500, MAX_DEPTH = 50 };

enum step_kind {
	STEP_SET,   /* a byte of the set, then next */
	STEP_SPLIT, /* next or other */
	STEP_BEGIN,
	STEP_END,
	STEP_EDGE, /* of a word */
	STEP_DONE,
};

struct step {
	enum step_kind kind;
	uint32_t next, other;
	uint64_t set[4];
};

struct pd_path_regex {
	uint32_t start, n;
	struct step steps[];
};

/* A part of the expression on its way: where it begins, and steps that need a next. */
struct part {
	uint32_t start;
	uint32_t open; /* list of ends, by their own next or other; see patch() */
};

struct parser {
	struct pd_path_regex *re;
	struct pd_span text;
	size_t at;
	int depth;
	bool is_bad;
};

#define NO_STEP UINT32_MAX

/* An end is 2 * step, and 1 more for the other way. */
static uint32_t *end_at(const struct parser *p, uint32_t end)
{
	struct step *step = &p->re->steps[end / 2];

	return end % 2 ? &step->other : &step->next;
}

static void patch(const struct parser *p, uint32_t end, uint32_t to)
{
	while (end != NO_STEP) {
		uint32_t next = *end_at(p, end);

		*end_at(p, end) = to;
		end = next;
	}
}

static uint32_t join(const struct parser *p, uint32_t a, uint32_t b)
{
	uint32_t last = a;

	if (a == NO_STEP)
		return b;
	while (*end_at(p, last) != NO_STEP)
		last = *end_at(p, last);
	*end_at(p, last) = b;
	return a;
}

static uint32_t add_step(struct parser *p, enum step_kind kind)
{
	p->re->steps[p->re->n] = (struct step){.kind = kind, .next = NO_STEP, .other = NO_STEP};
	return p->re->n++;
}

static void add_byte(uint64_t set[4], unsigned char c)
{
	set[c / 64] |= (uint64_t)1 << c % 64;
}

static bool has_byte(const uint64_t set[4], unsigned char c)
{
	return set[c / 64] >> c % 64 & 1;
}

static bool is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

/* What "\d", "\w" and "\s" are; false for what is no class. */
static bool add_class(uint64_t set[4], char name)
{
	if (name != 'd' && name != 'w' && name != 's')
		return false;
	for (unsigned c = 0; c < 256; c++)
		if (name == 'd' ? c >= '0' && c <= '9'
		    : name == 'w' ? is_word((unsigned char)c)
				  : c == ' ' || (c >= '\t' && c <= '\r'))
			add_byte(set, (unsigned char)c);
	return true;
}

static int peek(const struct parser *p)
{
	return p->at < p->text.len ? (unsigned char)p->text.ptr[p->at] : -1;
}

/* Whether a letter or digit behind a backslash is itself: none is. */
static bool is_plain_escape(int c)
{
	return c >= 0 && !is_word((unsigned char)c);
}

/* One byte of a set, or a class, which adds itself; -1 for that. */
static int read_set_byte(struct parser *p, uint64_t set[4])
{
	int c = peek(p);

	p->at++;
	if (c != '\\')
		return c;
	c = peek(p);
	p->at++;
	if (c >= 0 && add_class(set, (char)c))
		return -1;
	p->is_bad |= !is_plain_escape(c);
	return c;
}

/* Behind "[". */
static void read_set(struct parser *p, uint64_t set[4])
{
	bool is_not = peek(p) == '^';
	size_t first;

	p->at += is_not;
	first = p->at;
	while (!p->is_bad && (peek(p) != ']' || p->at == first)) {
		int from, to;

		if (peek(p) < 0 || (peek(p) == '[' && p->at + 1 < p->text.len &&
				    strchr(":.=", p->text.ptr[p->at + 1]))) {
			p->is_bad = true;
			return;
		}
		from = to = read_set_byte(p, set);
		if (from >= 0 && peek(p) == '-' && p->at + 1 < p->text.len &&
		    p->text.ptr[p->at + 1] != ']') {
			p->at++;
			to = read_set_byte(p, set);
			p->is_bad |= to < from;
		}
		for (int c = from; c >= 0 && c <= to; c++)
			add_byte(set, (unsigned char)c);
	}
	p->at++;
	for (int i = 0; i < 4 && is_not; i++)
		set[i] = ~set[i];
}

static struct part read_choice(struct parser *p);

static struct part read_group(struct parser *p)
{
	struct part part;

	if (peek(p) == '?') {
		p->is_bad |= p->at + 1 >= p->text.len || p->text.ptr[p->at + 1] != ':';
		p->at += 2;
	}
	part = read_choice(p);
	p->is_bad |= peek(p) != ')';
	p->at++;
	return part;
}

/* A sign, a set, a group. */
static struct part read_atom(struct parser *p)
{
	int c = peek(p);
	uint32_t step;

	p->at++;
	if (c == '(')
		return read_group(p);
	step = add_step(p, c == '^' ? STEP_BEGIN : c == '$' ? STEP_END : STEP_SET);
	if (c == '[') {
		read_set(p, p->re->steps[step].set);
	} else if (c == '.') {
		memset(p->re->steps[step].set, 0xff, sizeof(p->re->steps[step].set));
	} else if (c == '\\') {
		c = peek(p);
		p->at++;
		if (c == 'b')
			p->re->steps[step].kind = STEP_EDGE;
		else if (is_plain_escape(c))
			add_byte(p->re->steps[step].set, (unsigned char)c);
		else
			p->is_bad |= c < 0 || !add_class(p->re->steps[step].set, (char)c);
	} else if (c != '^' && c != '$') {
		p->is_bad |= strchr("*+?{", c) != NULL;
		add_byte(p->re->steps[step].set, (unsigned char)c);
	}
	return (struct part){step, 2 * step};
}

/* An atom with what may be behind it. */
static struct part read_repeated(struct parser *p)
{
	struct part part = read_atom(p);
	int c = peek(p);
	uint32_t split;

	if (p->is_bad || (c != '*' && c != '+' && c != '?'))
		return part;
	p->at++;
	split = add_step(p, STEP_SPLIT);
	p->re->steps[split].next = part.start;
	if (c == '?')
		return (struct part){split, join(p, part.open, 2 * split + 1)};
	patch(p, part.open, split);
	return (struct part){c == '*' ? split : part.start, 2 * split + 1};
}

static struct part read_sequence(struct parser *p)
{
	struct part all = {NO_STEP, NO_STEP};

	while (!p->is_bad && peek(p) >= 0 && peek(p) != '|' && peek(p) != ')') {
		struct part part = read_repeated(p);

		if (p->is_bad)
			break;
		if (all.start == NO_STEP)
			all.start = part.start;
		else
			patch(p, all.open, part.start);
		all.open = part.open;
	}
	p->is_bad |= all.start == NO_STEP; /* an empty one matches everything: surely a slip */
	return all;
}

static struct part read_choice(struct parser *p)
{
	struct part all = {NO_STEP, NO_STEP};

	p->is_bad |= ++p->depth > MAX_DEPTH;
	if (!p->is_bad)
		all = read_sequence(p);
	while (!p->is_bad && peek(p) == '|') {
		struct part part;
		uint32_t split = add_step(p, STEP_SPLIT);

		p->at++;
		part = read_sequence(p);
		if (p->is_bad)
			break;
		p->re->steps[split].next = all.start;
		p->re->steps[split].other = part.start;
		all = (struct part){split, join(p, all.open, part.open)};
	}
	p->depth--;
	return all;
}

struct pd_path_regex *pd_path_regex_new(struct pd_span expression)
{
	struct parser p = {.text = expression};
	struct part all;

	if (!expression.len || expression.len > MAX_LEN)
		return NULL;
	p.re = calloc(1, sizeof(*p.re) + (2 * expression.len + 2) * sizeof(p.re->steps[0]));
	if (!p.re)
		return NULL;
	all = read_choice(&p);
	if (p.is_bad || p.at != expression.len) {
		free(p.re);
		return NULL;
	}
	p.re->start = all.start;
	patch(&p, all.open, add_step(&p, STEP_DONE));
	return p.re;
}

/* Steps that may come next, without the ones that take no byte. */
struct states {
	uint32_t items[2 * MAX_LEN + 2], n;
	uint32_t seen[2 * MAX_LEN + 2]; /* step: the round that it was met in */
};

static bool holds(enum step_kind kind, struct pd_span path, size_t at)
{
	bool is_before = at > 0 && is_word((unsigned char)path.ptr[at - 1]);
	bool is_behind = at < path.len && is_word((unsigned char)path.ptr[at]);

	if (kind == STEP_BEGIN)
		return at == 0;
	return kind == STEP_END ? at == path.len : is_before != is_behind;
}

/* Follow a step up to those that take a byte; whether the end was met. */
static bool follow(const struct pd_path_regex *re, struct states *s, uint32_t first,
		   uint32_t round, struct pd_span path, size_t at)
{
	uint32_t stack[2 * MAX_LEN + 2], n = 0;

	for (uint32_t step = first;;) {
		const struct step *now = &re->steps[step];
		bool was_seen = s->seen[step] == round;

		s->seen[step] = round;
		if (!was_seen && now->kind == STEP_DONE)
			return true;
		if (!was_seen && now->kind == STEP_SET)
			s->items[s->n++] = step;
		if (!was_seen && now->kind == STEP_SPLIT) {
			/* Each step is seen once, and leaves one more here at most. */
			stack[n++] = now->other;
			step = now->next;
			continue;
		}
		if (!was_seen && now->kind != STEP_SET && holds(now->kind, path, at)) {
			step = now->next;
			continue;
		}
		if (!n)
			return false;
		step = stack[--n];
	}
}

bool pd_path_regex_matches(const struct pd_path_regex *re, struct pd_span path)
{
	struct states sets[2];

	sets[0].n = sets[1].n = 0;
	memset(sets[0].seen, 0, sizeof(sets[0].seen));
	memset(sets[1].seen, 0, sizeof(sets[1].seen));
	for (size_t at = 0; at <= path.len && at < UINT32_MAX - 1; at++) {
		struct states *now = &sets[at % 2], *next = &sets[(at + 1) % 2];

		/* A match may begin at every byte. */
		if (follow(re, now, re->start, (uint32_t)at + 1, path, at))
			return true;
		next->n = 0;
		for (uint32_t i = 0; i < now->n && at < path.len; i++) {
			const struct step *step = &re->steps[now->items[i]];

			if (has_byte(step->set, (unsigned char)path.ptr[at]) &&
			    follow(re, next, step->next, (uint32_t)at + 2, path, at + 1))
				return true;
		}
	}
	return false;
}
