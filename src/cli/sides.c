/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sides. Contract: sides.h.
 *
 *   SIDE SIDE...          each word is a side: [LABEL=]PATH[,PATH...]
 *   RUN... : RUN...       each word is a run: [LABEL=]PATH
 *   FILE                  each section of the file is a side
 */
#include "cli/sides.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "cli/labels.h"
#include "cli/per_side.h"
#include "cli/wanted.h"

void cli_sides_done(struct cli_sides *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		free(s->items[i].label);
		free(s->items[i].path);
		for (uint32_t k = 0; k < s->items[i].n_paths; k++)
			free(s->items[i].paths[k]);
		free(s->items[i].paths);
		cli_runs_done(&s->items[i].runs);
		cli_runs_done(&s->items[i].bench);
	}
	free(s->items);
	*s = (struct cli_sides){0};
}

static struct cli_side *add_side(struct cli_sides *s)
{
	if (s->n == s->cap) {
		uint32_t cap = s->cap ? 2 * s->cap : 4;
		struct cli_side *items = realloc(s->items, cap * sizeof(*items));

		if (!items)
			return NULL;
		s->items = items;
		s->cap = cap;
	}
	s->items[s->n] = (struct cli_side){0};
	return &s->items[s->n++];
}

/* Whether text, up to its len, names something that is there, "#NAME" apart. */
static bool is_path(const char *text, size_t len)
{
	char *path = strndup(text, len), *hash;
	bool exists = path && cli_path_exists(path);

	hash = path ? strchr(path, '#') : NULL;
	for (; hash && !exists; hash = strchr(hash + 1, '#')) {
		*hash = '\0';
		exists = cli_path_exists(path);
		*hash = '#';
	}
	free(path);
	return exists;
}

/* Split "LABEL=REST": a path that exists literally is no label. */
static int take_label(struct cli_side *side, const char *word, const char **ret_rest,
		      struct pd_error *err)
{
	const char *equals = strchr(word, '=');

	*ret_rest = word;
	if (!equals || equals == word || is_path(word, strlen(word)) ||
	    is_path(word, strcspn(word, ",")))
		return PD_OK;
	*ret_rest = equals + 1;
	if (side->label)
		return PD_OK; /* that of the side's first run stays */
	side->label = strndup(word, (size_t)(equals - word));
	return side->label ? PD_OK : pd_fail_nomem(err);
}

/* Length of the first path of a comma list: the longest one that exists, or up to the comma. */
static size_t path_len(const char *list)
{
	for (size_t len = strlen(list); len > 0; len--)
		if ((!list[len] || list[len] == ',') && is_path(list, len))
			return len;
	return strcspn(list, ",");
}

/* Let a side have the path that text is, up to len. */
static int add_path(struct cli_side *side, const char *text, size_t len, struct pd_error *err)
{
	char **paths = reallocarray(side->paths, side->n_paths + (size_t)1, sizeof(*paths));

	if (!paths)
		return pd_fail_nomem(err);
	side->paths = paths;
	paths[side->n_paths] = strndup(text, len);
	if (paths[side->n_paths])
		side->n_paths++;
	if (!side->path)
		side->path = strndup(text, len);
	return side->path && side->n_paths ? PD_OK : pd_fail_nomem(err);
}

/* SIDE SIDE... */
static int parse_side_words(char *const *words, uint32_t n_words, struct cli_sides *s,
			    struct pd_error *err)
{
	int rc = PD_OK;

	for (uint32_t i = 0; i < n_words && rc == PD_OK; i++) {
		struct cli_side *side = add_side(s);
		const char *rest = "";

		rc = side ? take_label(side, words[i], &rest, err) : pd_fail_nomem(err);
		do {
			size_t len = path_len(rest);

			if (rc == PD_OK)
				rc = add_path(side, rest, len, err);
			rest += len + (rest[len] == ',');
		} while (rc == PD_OK && *rest);
	}
	return rc;
}

/* RUN... : RUN... */
static int parse_run_words(char *const *words, uint32_t n_words, struct cli_sides *s,
			   struct pd_error *err)
{
	struct cli_side *side = NULL;
	int rc = PD_OK;

	for (uint32_t i = 0; i < n_words && rc == PD_OK; i++) {
		const char *rest;

		if (!strcmp(words[i], ":")) {
			if (!side)
				return pd_fail(err, PD_ERR_USAGE, "expected a run before \":\"");
			side = NULL;
			continue;
		}
		if (!side)
			side = add_side(s);
		rc = side ? take_label(side, words[i], &rest, err) : pd_fail_nomem(err);
		if (rc == PD_OK)
			rc = add_path(side, rest, strlen(rest), err);
	}
	if (rc == PD_OK && !side)
		return pd_fail(err, PD_ERR_USAGE, "expected a run behind \":\"");
	return rc;
}

/* Whether a file may have to be read once for each side. */
static bool has_variants(const struct cli_options *o)
{
	return cli_is_per_side(&o->times) || cli_is_per_side(&o->images) ||
	       cli_is_per_side(&o->kallsyms) || cli_is_per_side(&o->modules) ||
	       cli_is_per_side(&o->symfs) || cli_is_per_side(&o->debug_dirs);
}

/*
 * The --time of each side, by its place. Only labels that the user gave are known
 * before anything is read.
 */
static int find_times(struct cli_inputs *in, const struct cli_sides *s, const char *base_label,
		      const char **times, struct pd_error *err)
{
	const char **labels = calloc(2 * (size_t)s->n + 1, sizeof(*labels));
	const char **shown = labels + s->n;
	bool is_base_known = !base_label;
	uint32_t base = 0;
	int rc;

	if (!labels)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < s->n && !is_base_known; i++)
		if (s->items[i].label && !strcmp(s->items[i].label, base_label)) {
			is_base_known = true;
			base = i;
		}
	if (!is_base_known && cli_is_per_side(&in->o->times)) {
		free(labels);
		return pd_fail(err, PD_ERR_USAGE, "--time once a side, with --base: expected sides "
			       "given as LABEL=PATH");
	}
	/* As shown: the base, then the others in their order. */
	for (uint32_t i = 0; i < s->n; i++)
		labels[i == base ? 0 : i + (i < base)] = s->items[i].label;
	rc = cli_side_values("--time", &in->o->times, labels, s->n, shown, err);
	for (uint32_t i = 0; i < s->n && rc == PD_OK; i++)
		times[i] = shown[i == base ? 0 : i + (i < base)];
	free(labels);
	return rc;
}

/* Read the paths of all sides, or only list them. */
static int read_paths(struct cli_inputs *in, struct cli_sides *s, const char *const *times,
		      bool may_hold_sides, struct pd_error *err)
{
	int rc = PD_OK;

	for (uint32_t i = 0; i < s->n && rc == PD_OK; i++) {
		struct cli_side *side = &s->items[i];

		in->variant = has_variants(in->o) ? i + 1 : 0;
		in->request = in->o->request;
		if (times[i])
			rc = cli_wanted_time(times[i], &in->request, err);
		for (uint32_t k = 0; k < side->n_paths && rc == PD_OK; k++)
			rc = cli_inputs_read(in, side->paths[k], may_hold_sides, &side->runs, err);
	}
	return rc;
}

/* List what all sides name, read it at once, then take it side by side. */
static int read_all(struct cli_inputs *in, struct cli_sides *s, const char *base_label,
		    bool may_hold_sides, struct pd_error *err)
{
	const char **times = calloc((size_t)s->n + 1, sizeof(*times));
	struct pd_error ignored = {0};
	int rc = times ? find_times(in, s, base_label, times, err) : pd_fail_nomem(err);

	if (rc == PD_OK) {
		in->is_listing = true;
		/* What goes wrong here goes wrong again below, in its place. */
		(void)!read_paths(in, s, times, may_hold_sides, &ignored);
		in->is_listing = false;
		cli_inputs_fetch(in);
		rc = read_paths(in, s, times, may_hold_sides, err);
	}
	in->variant = 0;
	in->request = (struct pd_request){0};
	free(times);
	return rc;
}

/* The side of a section's name, a new one if there is none. Runs without a name are sides each. */
static struct cli_side *side_of_section(struct cli_sides *s, const char *section)
{
	struct cli_side *side;

	for (uint32_t i = 0; i < s->n && section; i++)
		if (s->items[i].label && !strcmp(s->items[i].label, section))
			return &s->items[i];
	side = add_side(s);
	if (!side)
		return NULL;
	if (section)
		side->label = strdup(section);
	else if (asprintf(&side->label, "%u", s->n) < 0)
		side->label = NULL;
	return side->label ? side : NULL;
}

/* FILE */
static int read_sections(struct cli_inputs *in, char *const *words, struct cli_sides *s,
			 struct pd_error *err)
{
	struct cli_sides all = {0};
	struct cli_side *one = add_side(&all);
	int rc = one ? add_path(one, words[0], strlen(words[0]), err) : pd_fail_nomem(err);

	if (rc == PD_OK)
		rc = read_all(in, &all, NULL, true, err);
	for (uint32_t i = 0; rc == PD_OK && i < one->runs.n; i++) {
		struct pd_profile *p = one->runs.items[i];
		struct cli_side *side = side_of_section(s, p->section);

		rc = side ? cli_runs_add(&side->runs, p, err) : pd_fail_nomem(err);
	}
	if (rc == PD_OK && s->n < 2)
		rc = pd_wrap(err, pd_fail(err, PD_ERR_USAGE,
					  "it holds one side only; name a second one to compare "
					  "with, or --show it"), words[0]);
	cli_sides_done(&all);
	return rc;
}

static int move_base(struct cli_sides *s, const char *label, struct pd_error *err)
{
	struct pd_buf labels = {0};
	int rc;

	for (uint32_t i = 0; i < s->n; i++)
		if (!strcmp(s->items[i].label, label)) {
			struct cli_side base = s->items[i];

			memmove(&s->items[1], &s->items[0], i * sizeof(base));
			s->items[0] = base;
			return PD_OK;
		}
	for (uint32_t i = 0; i < s->n; i++)
		pd_buf_printf(&labels, "%s%s", i ? ", " : "", s->items[i].label);
	rc = pd_fail(err, PD_ERR_USAGE, "--base: no side \"%s\"; the sides are: %s", label,
		     labels.ptr ? labels.ptr : "");
	pd_buf_done(&labels);
	return rc;
}

static bool has_colon(char *const *words, uint32_t n_words)
{
	for (uint32_t i = 0; i < n_words; i++)
		if (!strcmp(words[i], ":"))
			return true;
	return false;
}

/* Remember the order of the command line. */
static void number_sides(struct cli_sides *s)
{
	uint32_t run = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		s->items[i].place = i;
		s->items[i].first_run = run;
		run += s->items[i].runs.n;
	}
}

static int give_sides(int rc, struct cli_sides *s, struct cli_sides *ret_sides)
{
	if (rc == PD_OK)
		*ret_sides = *s;
	else
		cli_sides_done(s);
	return rc;
}

int cli_sides_read(struct cli_inputs *in, char *const *words, uint32_t n_words,
		   const char *base_label, struct cli_sides *ret_sides, struct pd_error *err)
{
	struct cli_sides s = {0};
	int rc;

	if (!n_words)
		return pd_fail(err, PD_ERR_USAGE, "expected two sides to compare; see --help");
	if (n_words == 1 && strcmp(words[0], ":") != 0) {
		rc = read_sections(in, words, &s, err);
	} else {
		rc = has_colon(words, n_words) ? parse_run_words(words, n_words, &s, err)
					       : parse_side_words(words, n_words, &s, err);
		if (rc == PD_OK)
			rc = read_all(in, &s, base_label, false, err);
	}
	if (rc == PD_OK)
		rc = cli_sides_label(&s, err);
	number_sides(&s);
	if (rc == PD_OK && base_label)
		rc = move_base(&s, base_label, err);
	return give_sides(rc, &s, ret_sides);
}

const char *const *cli_sides_labels(struct pd_arena *a, const struct cli_sides *s)
{
	const char **labels = pd_arena_array(a, s->n, sizeof(*labels));

	for (uint32_t i = 0; i < s->n && labels; i++)
		labels[i] = s->items[i].label;
	return labels;
}

int cli_sides_read_one(struct cli_inputs *in, char *const *words, uint32_t n_words,
		       struct cli_sides *ret_sides, struct pd_error *err)
{
	struct cli_sides all = {0}, s = {0};
	struct cli_side *one = add_side(&all);
	int rc = one ? parse_side_words(words, n_words, &s, err) : pd_fail_nomem(err);

	if (rc == PD_OK)
		rc = read_all(in, &s, NULL, false, err);
	for (uint32_t k = 0; k < s.n && rc == PD_OK; k++)
		for (uint32_t r = 0; r < s.items[k].runs.n && rc == PD_OK; r++)
			rc = cli_runs_add(&one->runs, s.items[k].runs.items[r], err);
	cli_sides_done(&s);
	if (rc == PD_OK) {
		one->label = strdup("all");
		rc = one->label ? PD_OK : pd_fail_nomem(err);
	}
	return give_sides(rc, &all, ret_sides);
}
