/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels. Contract: labels.h.
 */
#include "cli/labels.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

/* The heading or kernel release that all runs of a side share, or NULL. */
static const char *shared_name(const struct cli_side *side, bool wants_section)
{
	const char *name = NULL;

	for (uint32_t i = 0; i < side->runs.n; i++) {
		const struct pd_profile *p = side->runs.items[i];
		const char *own = wants_section ? p->section : p->kernel;

		if (!own || (name && strcmp(name, own) != 0))
			return NULL;
		name = own;
	}
	return name;
}

/* A name of the runs that tells every side from the others. */
static bool are_told_apart(const struct cli_sides *s, bool wants_section)
{
	for (uint32_t i = 0; i < s->n; i++) {
		const char *name = shared_name(&s->items[i], wants_section);

		if (!name)
			return false;
		for (uint32_t k = 0; k < i; k++)
			if (!strcmp(name, shared_name(&s->items[k], wants_section)))
				return false;
	}
	return true;
}

struct pd_span cli_plain_name(struct pd_span s)
{
	static const char *const suffixes[] = {".gz", ".xz", ".zst"};

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
		if (pd_span_ends(s, suffixes[i]) && s.len > strlen(suffixes[i]))
			return pd_span_sub(s, 0, s.len - strlen(suffixes[i]));
	return s;
}

/* What the paths of a side's runs begin with; the path as given if it is one. */
static struct pd_span side_path(const struct cli_side *side)
{
	struct pd_span s = cli_plain_name(pd_span_of(side->path));

	if (side->runs.n < 2 || strcmp(side->path, side->runs.items[0]->path) != 0)
		return s;
	for (uint32_t i = 1; i < side->runs.n; i++) {
		const char *other = side->runs.items[i]->path;
		size_t n = 0;

		while (n < s.len && other[n] == s.ptr[n])
			n++;
		s.len = n;
	}
	while (s.len && strchr("-_.#", s.ptr[s.len - 1]))
		s.len--;
	return s.len && s.ptr[s.len - 1] != '/' ? s : pd_span_of(side->path);
}

/* How many bytes all paths begin with, or end with. */
static size_t count_shared(const struct pd_span *paths, uint32_t n, bool at_end)
{
	for (size_t k = 0;; k++)
		for (uint32_t i = 0; i < n; i++) {
			if (k >= paths[i].len)
				return k;
			if (paths[i].ptr[at_end ? paths[i].len - 1 - k : k] !=
			    paths[0].ptr[at_end ? paths[0].len - 1 - k : k])
				return k;
		}
}

/* Cut from every path what all of them begin and end with, at "/" and ".". */
static void cut_shared(struct pd_span *paths, uint32_t n)
{
	size_t head = count_shared(paths, n, false), tail;

	while (head && paths[0].ptr[head - 1] != '/')
		head--;
	for (uint32_t i = 0; i < n; i++) {
		paths[i] = pd_span_sub(paths[i], head, paths[i].len);
		while (paths[i].len > 1 && paths[i].ptr[paths[i].len - 1] == '/')
			paths[i].len--;
	}
	tail = count_shared(paths, n, true);
	while (tail && !strchr("./", paths[0].ptr[paths[0].len - tail]))
		tail--;
	for (uint32_t i = 0; i < n; i++)
		if (paths[i].len == tail)
			return; /* nothing would be left of this one */
	for (uint32_t i = 0; i < n; i++)
		paths[i].len -= tail;
}

/* Labels of sides that have none, from their paths. */
static int label_by_paths(struct cli_sides *s, struct pd_error *err)
{
	struct pd_span *paths = calloc(s->n, sizeof(*paths));

	if (!paths)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < s->n; i++)
		paths[i] = s->items[i].path ? side_path(&s->items[i]) : pd_span_of("");
	cut_shared(paths, s->n);
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->items[i].label)
			continue;
		s->items[i].label = strndup(paths[i].ptr, paths[i].len);
		if (!s->items[i].label) {
			free(paths);
			return pd_fail_nomem(err);
		}
	}
	free(paths);
	return PD_OK;
}

/* A second side of the same label gets a number. */
static int make_unique(struct cli_sides *s, struct pd_error *err)
{
	for (uint32_t i = 1; i < s->n; i++) {
		uint32_t n_equal = 1;
		char *label;

		for (uint32_t k = 0; k < i; k++)
			n_equal += !strcmp(s->items[k].label, s->items[i].label);
		if (n_equal == 1)
			continue;
		if (asprintf(&label, "%s (%u)", s->items[i].label, n_equal) < 0)
			return pd_fail_nomem(err);
		free(s->items[i].label);
		s->items[i].label = label;
		i--; /* the new one may be there too */
	}
	return PD_OK;
}

int cli_sides_label(struct cli_sides *s, struct pd_error *err)
{
	bool by_section = are_told_apart(s, true), by_kernel = are_told_apart(s, false);
	int rc;

	for (uint32_t i = 0; i < s->n && (by_section || by_kernel); i++) {
		if (s->items[i].label)
			continue;
		s->items[i].label = strdup(shared_name(&s->items[i], by_section));
		if (!s->items[i].label)
			return pd_fail_nomem(err);
	}
	rc = label_by_paths(s, err);
	return rc == PD_OK ? make_unique(s, err) : rc;
}
