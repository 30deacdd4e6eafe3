/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls within calls: what each function costs itself.
 *
 *	foo() {            enter   a frame
 *	  bar();    2 us   leaf    self of bar, inside of foo
 *	}          10 us   exit    self of foo is 10 - 2
 *
 * Invariants: total_ns is the sum of the durations of calls that are in no
 * call of known duration; what functions have as self never exceeds it by more
 * than roundings. Where lines are missing, the time of a call that its calls
 * do not explain is nobody's: the builder makes "[unlisted]" of it.
 */
#include "ingest/ftrace_graph.h"

#include <stdlib.h>

/* The kernel traces 50 calls within each other, and follows no more than some hundreds. */
enum { MAX_DEPTH = 1024 };

void graph_calls_done(struct graph_calls *c)
{
	for (uint32_t i = 0; i < c->n_stacks; i++)
		free(c->stacks[i].frames);
	free(c->stacks);
	pd_strtab_done(&c->keys);
	c->stacks = NULL;
	c->n_stacks = 0;
	memset(&c->keys, 0, sizeof(c->keys));
}

uint32_t graph_calls_stack(struct graph_calls *c, struct pd_span key)
{
	uint32_t id = pd_strtab_intern(&c->keys, key).id;

	if (id >= c->n_stacks) {
		uint32_t n = 2 * id + 8;
		struct graph_stack *stacks = realloc(c->stacks, n * sizeof(*stacks));

		if (!stacks) {
			c->failed = true;
			return 0;
		}
		memset(stacks + c->n_stacks, 0, (n - c->n_stacks) * sizeof(*stacks));
		c->stacks = stacks;
		c->n_stacks = n;
	}
	return id;
}

static bool is_open(const struct graph_stack *s, uint32_t func)
{
	for (uint32_t i = s->n; i-- > 0;)
		if (s->frames[i].func == func)
			return true;
	return false;
}

/* A call of known duration is complete: it is inside of the one above, or nothing is. */
static void add_inside(struct graph_calls *c, struct graph_stack *s, double ns)
{
	if (s->n)
		s->frames[s->n - 1].inside_ns += ns;
	else
		c->total_ns += ns;
}

static void count_call(struct graph_calls *c, uint32_t func)
{
	pd_builder_add_calls(c->b, c->run, func, 1);
	c->n_calls++;
}

void graph_calls_enter(struct graph_calls *c, uint32_t stack, uint32_t func)
{
	struct graph_stack *s = &c->stacks[stack];

	count_call(c, func);
	if (s->n == MAX_DEPTH) {
		c->n_too_deep++;
		s->n_too_deep++;
		return;
	}
	if (s->n == s->cap) {
		uint32_t cap = s->cap ? 2 * s->cap : 16;
		struct graph_frame *frames = realloc(s->frames, cap * sizeof(*frames));

		if (!frames) {
			c->failed = true;
			return;
		}
		s->frames = frames;
		s->cap = cap;
	}
	s->frames[s->n] = (struct graph_frame){
		.func = func,
		.is_inner = is_open(s, func),
		.n_holes = c->n_holes + s->n_holes,
	};
	s->n++;
}

static void add_self(struct graph_calls *c, uint32_t func, double ns)
{
	pd_builder_add_self(c->b, c->run, c->event, func, ns);
	pd_builder_add_squares(c->b, c->run, c->event, func, ns * ns);
}

void graph_calls_leaf(struct graph_calls *c, uint32_t stack, uint32_t func,
		      const struct graph_line *line)
{
	struct graph_stack *s = &c->stacks[stack];

	count_call(c, func);
	if (!pd_is_known(line->ns)) {
		if (s->n)
			s->frames[s->n - 1].has_hole = true;
		return;
	}
	c->n_durations++;
	c->rounding_ns += line->quantum_ns;
	if (line->ns > 0 && !(line->ns >= c->shortest_ns))
		c->shortest_ns = line->ns;
	add_self(c, func, line->ns);
	if (!is_open(s, func))
		pd_builder_add_inclusive(c->b, c->run, c->event, func, line->ns);
	if (s->n)
		s->frames[s->n - 1].rounding_ns += line->quantum_ns;
	add_inside(c, s, line->ns);
}

/* A call of which nothing is known but what it called. */
static void drop_frame(struct graph_calls *c, struct graph_stack *s)
{
	double inside = s->frames[--s->n].inside_ns;

	add_inside(c, s, inside);
	if (s->n)
		s->frames[s->n - 1].has_hole = true;
}

/* The end of a call that began before the trace, or in lines that are missing. */
static void exit_unbegun(struct graph_calls *c, struct graph_stack *s, uint32_t func,
			 const struct graph_line *line)
{
	c->n_unbegun++;
	if (func == UINT32_MAX)
		return;
	count_call(c, func);
	if (!pd_is_known(line->ns))
		return;
	/* What it called before is not known; what it did, is in its duration. */
	c->n_durations++;
	pd_builder_add_inclusive(c->b, c->run, c->event, func, line->ns);
	if (s->n)
		s->frames[s->n - 1].has_hole = true;
}

static void exit_frame(struct graph_calls *c, struct graph_stack *s,
		       const struct graph_line *line)
{
	struct graph_frame f = s->frames[s->n - 1];
	double self = line->ns - f.inside_ns;

	if (!pd_is_known(line->ns)) {
		drop_frame(c, s);
		return;
	}
	s->n--;
	c->n_durations++;
	if (self < 0 && self >= -f.rounding_ns - line->quantum_ns) {
		c->rounding_ns -= self;
		self = 0;
	}
	if (!f.has_hole && f.n_holes == c->n_holes + s->n_holes && self >= 0)
		add_self(c, f.func, self);
	if (!f.is_inner)
		pd_builder_add_inclusive(c->b, c->run, c->event, f.func, line->ns);
	if (s->n)
		s->frames[s->n - 1].rounding_ns += line->quantum_ns;
	/* Calls inside that took longer than this one tell that lines are missing. */
	add_inside(c, s, fmax(line->ns, self < 0 ? f.inside_ns : 0));
}

void graph_calls_exit(struct graph_calls *c, uint32_t stack, uint32_t func,
		      const struct graph_line *line)
{
	struct graph_stack *s = &c->stacks[stack];

	if (s->n_too_deep) {
		s->n_too_deep--;
		return;
	}
	if (func != UINT32_MAX) {
		if (!is_open(s, func)) {
			exit_unbegun(c, s, func, line);
			return;
		}
		while (s->frames[s->n - 1].func != func) {
			c->n_unfinished++;
			drop_frame(c, s);
		}
	}
	if (s->n)
		exit_frame(c, s, line);
	else
		exit_unbegun(c, s, func, line);
}

void graph_calls_move(struct graph_calls *c, uint32_t from, uint32_t to)
{
	struct graph_stack s = c->stacks[to];

	if (s.n)
		return;
	c->stacks[to] = c->stacks[from];
	c->stacks[from] = s;
}

void graph_calls_finish(struct graph_calls *c)
{
	for (uint32_t i = 0; i < c->n_stacks; i++)
		while (c->stacks[i].n) {
			c->n_unfinished++;
			drop_frame(c, &c->stacks[i]);
		}
}
