/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inline groups. Contract: inline_groups.h. Functions of the images and rows of the
 * comparison meet by the base names of families: in the symbol table's spelling, the
 * demangled one, and those of aliases.
 */
#include "analysis/inline_groups.h"

#include <stdlib.h>

#include "analysis/image_sizes.h"
#include "analysis/inlining.h"
#include "analysis/names.h"
#include "analysis/rows.h"
#include "base/num.h"

enum {
	MAX_GROUPS = 1000, /* of those with the most ticks */
	MAX_VISITS = 20 * 1000 * 1000, /* of rows that may be members */
};

/* A callee with its pairs, before it is a group. */
struct candidate {
	size_t first, end; /* pairs */
	double cost;       /* of the callee, over all runs */
};

/* The base against one next side. */
struct join {
	struct pd_comparison *c;
	const struct pd_sizes *sizes;
	uint32_t side;
	struct pd_inlining inlining;
	struct pd_map by_name; /* family, of c->strings -> a row; the others by next */
	uint32_t *next;        /* [rows]: another row of that name, or PD_NO_ROW */
	uint32_t *seen;        /* [rows]: the last group that took it */
	uint32_t *members;     /* [rows]: room */
	uint32_t n_members, stamp, n_visits;
	pd_str modules[2];     /* that the images are of */
	struct pd_buf text;
	bool is_truncated;
};

/* Whether a row may be a member: no variant, which its family stands for, and no sum. */
static bool is_function(const struct pd_comparison *c, const struct pd_row *row)
{
	if (row->group != PD_NO_ROW)
		return c->rows[row->group].paired == PD_PAIRED_GROUP;
	return row->paired != PD_PAIRED_GROUP;
}

static bool index_rows(struct join *j)
{
	struct pd_comparison *c = j->c;
	size_t n = (size_t)c->n_rows + 1;

	j->next = calloc(n, sizeof(*j->next));
	j->seen = calloc(n, sizeof(*j->seen));
	j->members = calloc(n, sizeof(*j->members));
	if (!j->next || !j->seen || !j->members)
		return false;
	for (uint32_t i = c->n_rows; i-- > 0;) {
		struct pd_span name = pd_strtab_span(&c->strings, c->rows[i].name);
		pd_str family;
		uint32_t first;

		j->next[i] = PD_NO_ROW;
		if (!is_function(c, &c->rows[i]))
			continue;
		family = pd_strtab_intern(&c->strings, pd_name_family(name, &j->text));
		first = pd_map_insert(&j->by_name, family.id, i);
		if (first == PD_MAP_NONE)
			return false;
		if (first != i) {
			j->next[i] = first;
			pd_map_set(&j->by_name, family.id, i);
		}
	}
	return true;
}

static double cost_of(const struct pd_comparison *c, const struct pd_row *row)
{
	double sum = 0;

	for (uint32_t r = 0; r < c->n_runs; r++)
		sum += pd_is_known(row->runs[r]) ? row->runs[r] : 0;
	return sum;
}

/* The rows of an event (PD_NO_ROW: of any) called so join the members; their cost. */
static double take_name(struct join *j, struct pd_span name, uint32_t event)
{
	const struct pd_comparison *c = j->c;
	pd_str family = pd_strtab_find(&c->strings, pd_name_family(name, &j->text));
	uint32_t i = family.id ? pd_map_find(&j->by_name, family.id) : PD_MAP_NONE;
	double cost = 0;

	j->is_truncated |= ++j->n_visits > MAX_VISITS;
	for (; i != PD_MAP_NONE && i != PD_NO_ROW; i = j->next[i]) {
		const struct pd_row *row = &c->rows[i];

		j->is_truncated |= ++j->n_visits > MAX_VISITS;
		if (j->is_truncated)
			break;
		if (j->seen[i] == j->stamp || (event != PD_NO_ROW && row->event != event) ||
		    !(pd_module_serves(c, row, j->modules[0]) ||
		      pd_module_serves(c, row, j->modules[1])))
			continue;
		j->seen[i] = j->stamp;
		j->members[j->n_members++] = i;
		cost += cost_of(c, row);
	}
	return cost;
}

/* The rows that a function of the images has, by all its names. */
static double take_function(struct join *j, uint32_t size_row, uint32_t event)
{
	const struct pd_sizes *sizes = j->sizes;
	const struct pd_size_row *row = &sizes->rows[size_row];
	double cost = take_name(j, pd_strtab_span(&sizes->strings, row->name), event);

	if (row->demangled.id)
		cost += take_name(j, pd_strtab_span(&sizes->strings, row->demangled), event);
	for (uint32_t i = 0; i < row->n_aliases && !j->is_truncated; i++)
		cost += take_name(j, pd_strtab_span(&sizes->strings,
						    sizes->aliases[row->first_alias + i]), event);
	return cost;
}

static void begin_members(struct join *j)
{
	j->n_members = 0;
	j->stamp++;
}

/* Behind the last row of the name that this is the first of. */
static uint32_t end_of_name(const struct pd_sizes *sizes, uint32_t first)
{
	uint32_t i = first + 1;

	while (i < sizes->n_rows && sizes->rows[i].name.id == sizes->rows[first].name.id)
		i++;
	return i;
}

/* The rows of a callee: all functions of its name. */
static double take_callee(struct join *j, uint32_t first, uint32_t event)
{
	uint32_t end = end_of_name(j->sizes, first);
	double cost = 0;

	for (uint32_t i = first; i < end; i++)
		cost += take_function(j, i, event);
	return cost;
}

/* Which functions of the images have ticks. */
static int find_inlining(struct join *j, struct pd_error *err)
{
	const struct pd_sizes *sizes = j->sizes;
	bool *wanted = calloc((size_t)sizes->n_rows + 1, sizeof(*wanted));
	int rc = wanted ? PD_OK : pd_fail_nomem(err);

	for (uint32_t i = 0, end; i < sizes->n_rows && wanted; i = end) {
		bool is_wanted;

		begin_members(j);
		end = end_of_name(sizes, i);
		is_wanted = take_callee(j, i, PD_NO_ROW) > 0;
		for (uint32_t k = i; k < end; k++)
			wanted[k] = is_wanted;
	}
	if (rc == PD_OK)
		rc = pd_inlining_find(sizes, wanted, &j->inlining, err);
	free(wanted);
	return rc;
}

/* How far a row's mean moved, of raw runs; for the choice of a name only. */
static double raw_change(const struct join *j, const struct pd_row *row)
{
	const struct pd_side *sides[2] = {&j->c->sides[0], &j->c->sides[j->side]};
	double mean[2] = {0, 0};

	for (int k = 0; k < 2; k++)
		for (uint32_t i = 0; i < sides[k]->n_runs; i++) {
			double x = row->runs[sides[k]->first_run + i];

			mean[k] += pd_is_known(x) ? x / sides[k]->n_runs : 0;
		}
	return fabs(mean[1] - mean[0]);
}

/* " was inlined into f and 9 others": of the pairs [first, end) of one direction. */
static void add_words(struct join *j, size_t first, size_t end, uint32_t event,
		      bool is_inlined_on_next, struct pd_buf *words)
{
	static const char *const verbs[2][2] = {
		{" is no longer inlined into ", " was inlined into "},
		{" seems to be no longer inlined into ", " seems to be inlined into "},
	};
	const struct pd_strtab *strings = &j->sizes->strings;
	const struct pd_size_row *best = NULL;
	double largest = -1;
	uint32_t n = 0;

	for (size_t i = first; i < end; i++) {
		const struct pd_inlining_pair *pair = &j->inlining.pairs[i];
		double change = 0;

		if (pair->is_inlined_on_next != is_inlined_on_next)
			continue;
		n++;
		begin_members(j);
		(void)take_function(j, pair->caller, event);
		for (uint32_t k = 0; k < j->n_members; k++)
			change += raw_change(j, &j->c->rows[j->members[k]]);
		if (change > largest) {
			largest = change;
			best = &j->sizes->rows[pair->caller];
		}
	}
	if (!n)
		return;
	pd_buf_printf(words, "%s%s%s", words->len ? ", and" : "",
		      verbs[j->inlining.is_guess][is_inlined_on_next],
		      pd_strtab_get(strings, best->demangled.id ? best->demangled : best->name));
	if (n > 1)
		pd_buf_printf(words, " and %u other%s", n - 1, n == 2 ? "" : "s");
}

/* The sentence of a group; NULL if there is no memory. */
static const char *say(struct join *j, const struct candidate *from, uint32_t event)
{
	const struct pd_strtab *strings = &j->sizes->strings;
	const struct pd_size_row *callee =
		&j->sizes->rows[j->inlining.pairs[from->first].callee];
	struct pd_buf words = {0};
	const char *text;

	add_words(j, from->first, from->end, event, true, &words);
	add_words(j, from->first, from->end, event, false, &words);
	text = words.failed ? NULL : pd_arena_printf(
		&j->c->arena, "%s%s%s%s", j->c->n_sides > 2 ? j->c->sides[j->side].label : "",
		j->c->n_sides > 2 ? ": " : "",
		pd_strtab_get(strings, callee->demangled.id ? callee->demangled : callee->name),
		words.ptr ? words.ptr : "");
	pd_buf_done(&words);
	return text;
}

/*
 * What a member adds to a run. A cut list that lacks the callee says nothing of it,
 * but an image without a body of it does: no cost.
 */
static double cost_in(const struct join *j, const struct pd_row *row, uint32_t run,
		      const bool has_body[2], bool is_callee)
{
	const struct pd_side *next = &j->c->sides[j->side];
	bool is_base = run < j->c->sides[0].n_runs;
	bool is_next = run >= next->first_run && run < next->first_run + next->n_runs;

	if (!pd_is_known(row->runs[run]) && is_callee &&
	    ((is_base && !has_body[0]) || (is_next && !has_body[1])))
		return 0;
	return row->runs[run];
}

/* The group of the members, of which the first n_callee are the callee's. */
static int add_group(struct join *j, const struct candidate *from, uint32_t n_callee,
		     uint32_t event, struct pd_error *err)
{
	struct pd_comparison *c = j->c;
	const struct pd_row *callee = &c->rows[j->members[0]];
	struct pd_row *row = &c->beside[c->n_beside];
	uint32_t first = j->inlining.pairs[from->first].callee;
	bool has_body[2] = {false, false};

	for (uint32_t i = first, end = end_of_name(j->sizes, first); i < end; i++)
		for (int k = 0; k < 2; k++)
			has_body[k] |= pd_is_known(j->sizes->rows[i].n_bytes[k]);
	*row = (struct pd_row){
		.name = callee->name, .module = callee->module, .file = callee->file,
		.event = event, .paired = PD_PAIRED_INLINE, .group = PD_NO_ROW,
		.n_members = j->n_members,
		.members = pd_arena_array(&c->arena, j->n_members, sizeof(*row->members)),
		.runs = pd_arena_array(&c->arena, c->n_runs, sizeof(double)),
		.is_listed = pd_arena_array(&c->arena, c->n_sides, sizeof(bool)),
		.sides = pd_arena_array(&c->arena, c->n_sides, sizeof(*row->sides)),
		.changes = pd_changes_new(c, c->n_sides),
	};
	if (!row->members || !row->runs || !row->is_listed || !row->sides || !row->changes)
		return pd_fail_nomem(err);
	for (uint32_t k = 0; k < j->n_members; k++) {
		const struct pd_row *member = &c->rows[j->members[k]];

		row->members[k] = j->members[k];
		for (uint32_t r = 0; r < c->n_runs; r++)
			row->runs[r] += cost_in(j, member, r, has_body, k < n_callee);
		for (uint32_t s = 0; s < c->n_sides; s++)
			row->is_listed[s] |= member->is_listed[s];
	}
	/* The sentence takes the room of the members. */
	if (!pd_row_add_note(c, row, say(j, from, event)))
		return pd_fail_nomem(err);
	c->n_beside++;
	return PD_OK;
}

/* The group of a callee in one event, if it is one. */
static int make_group(struct join *j, const struct candidate *from, uint32_t event,
		      struct pd_error *err)
{
	const struct pd_inlining_pair *pairs = j->inlining.pairs;
	double cost, callers = 0;
	uint32_t n_callee;

	begin_members(j);
	cost = take_callee(j, pairs[from->first].callee, event);
	n_callee = j->n_members;
	for (size_t i = from->first; i < from->end && cost > 0; i++)
		callers += take_function(j, pairs[i].caller, event);
	if (!(cost > 0) || !(callers > 0) || j->is_truncated)
		return PD_OK;
	return add_group(j, from, n_callee, event, err);
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost > y->cost ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int make_groups(struct join *j, struct pd_error *err)
{
	const struct pd_inlining *inlining = &j->inlining;
	struct candidate *candidates = calloc(inlining->n_pairs + 1, sizeof(*candidates));
	uint32_t most = j->c->n_beside + MAX_GROUPS;
	size_t n = 0;
	int rc = candidates ? PD_OK : pd_fail_nomem(err);

	for (size_t i = 0, end; i < inlining->n_pairs && rc == PD_OK; i = end) {
		for (end = i; end < inlining->n_pairs &&
			      inlining->pairs[end].callee == inlining->pairs[i].callee;
		     end++)
			;
		begin_members(j);
		candidates[n++] = (struct candidate){
			i, end, take_callee(j, inlining->pairs[i].callee, PD_NO_ROW)};
	}
	if (n)
		qsort(candidates, n, sizeof(*candidates), compare_candidates);
	for (size_t i = 0; i < n && rc == PD_OK; i++)
		for (uint32_t e = 0; e < j->c->n_events && rc == PD_OK; e++) {
			if (j->c->n_beside == most)
				j->is_truncated = true;
			else
				rc = make_group(j, &candidates[i], e, err);
		}
	free(candidates);
	return rc;
}

static int note(struct pd_comparison *c, const char *text, struct pd_error *err)
{
	const char **notes = pd_arena_array(&c->arena, c->n_notes + 1, sizeof(*notes));

	if (!notes || !text)
		return pd_fail_nomem(err);
	if (c->n_notes)
		memcpy(notes, c->notes, c->n_notes * sizeof(*notes));
	notes[c->n_notes++] = text;
	c->notes = notes;
	return PD_OK;
}

static int join_side(struct pd_comparison *c, const struct pd_sizes *sizes, uint32_t side,
		     struct pd_error *err)
{
	struct join j = {.c = c, .sizes = sizes, .side = side};
	struct pd_error why = {0};
	int rc;

	for (int k = 0; k < 2; k++)
		j.modules[k] = pd_module_of_image(c, sizes->sides[k].images[0]);
	rc = index_rows(&j) ? find_inlining(&j, &why) : pd_fail_nomem(&why);
	if (rc == PD_ERR_UNSUPPORTED)
		rc = note(c, pd_arena_printf(&c->arena, "what is inlined could not be compared: "
					     "no DWARF, and %s", why.msg), err);
	else if (rc != PD_OK)
		*err = why;
	else
		rc = make_groups(&j, err);
	if (rc == PD_OK && j.inlining.is_guess && j.inlining.n_pairs && c->n_beside)
		rc = note(c, "no DWARF: what is inlined was guessed by calls that come and go.",
			  err);
	if (rc == PD_OK && (j.is_truncated || j.inlining.is_truncated))
		rc = note(c, "inlining differs in too much: not all groups were made.", err);
	pd_inlining_done(&j.inlining);
	pd_map_done(&j.by_name);
	pd_buf_done(&j.text);
	free(j.next);
	free(j.seen);
	free(j.members);
	return rc;
}

int pd_inline_groups_make(struct pd_comparison *c, const struct pd_compare_options *options,
			  struct pd_error *err)
{
	size_t n = (size_t)MAX_GROUPS * c->n_sides;
	int rc = PD_OK;

	if (options->no_inlining)
		rc = note(c, pd_arena_printf(&c->arena, "%s", options->no_inlining), err);
	/* Costs with all callees have those of the inlined ones in any case. */
	if (rc != PD_OK || !options->image_pairs || c->is_inclusive)
		return rc;
	c->beside = pd_arena_array(&c->arena, n, sizeof(*c->beside));
	if (!c->beside)
		return pd_fail_nomem(err);
	for (uint32_t s = 1; s < c->n_sides && rc == PD_OK; s++)
		if (options->image_pairs[s])
			rc = join_side(c, options->image_pairs[s], s, err);
	return rc;
}

void pd_inline_groups_renumber(struct pd_comparison *c, const uint32_t *new_of)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->n_beside; i++) {
		struct pd_row *row = &c->beside[i];
		bool is_whole = true;

		for (uint32_t k = 0; k < row->n_members; k++) {
			row->members[k] = new_of[row->members[k]];
			is_whole &= row->members[k] != PD_NO_ROW;
		}
		if (is_whole)
			c->beside[n++] = *row;
	}
	c->n_beside = n;
}

static int compare_groups(const void *a, const void *b, void *context)
{
	return pd_row_compare(context, a, b);
}

static int compare_members(const void *a, const void *b, void *context)
{
	const struct pd_comparison *c = context;

	return pd_row_compare(c, &c->rows[*(const uint32_t *)a], &c->rows[*(const uint32_t *)b]);
}

void pd_inline_groups_sort(struct pd_comparison *c)
{
	if (c->n_beside)
		qsort_r(c->beside, c->n_beside, sizeof(*c->beside), compare_groups, c);
	for (uint32_t i = 0; i < c->n_beside; i++)
		qsort_r(c->beside[i].members, c->beside[i].n_members,
			sizeof(*c->beside[i].members), compare_members, c);
}
