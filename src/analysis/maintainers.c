/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MAINTAINERS. Contract: maintainers.h. Patterns without wildcards, which most are,
 * are looked up by their text: every beginning of a path that can be one. The others
 * are tried one after the other.
 */
#include "analysis/maintainers.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/path_regex.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/strtab.h"

/* Longer patterns are no patterns; and of longer names, only the beginning is one. */
enum { MAX_PATTERN = 1000, MAX_NAME = 300 };

/* All patterns with wildcards, and all expressions: a kernel has a tenth of it. */
enum { MAX_WILD_BYTES = 1000 * 1000, MAX_REGEX_BYTES = 20 * 1000 };

struct pattern {
	struct pd_span text;
	struct pd_path_regex *regex; /* of N:, else NULL */
	uint32_t section;
	int depth;       /* how specific it is */
	uint32_t weight; /* signs of it that are no wildcards */
	uint32_t n_slashes;
	uint32_t next; /* of literal ones: another of that text, or PD_MAP_NONE */
	bool is_folder, is_deep; /* it ends in a slash; it has "**" */
};

struct section {
	pd_str title;
	uint32_t first_x, n_x; /* of patterns that exclude */
};

struct list {
	struct pattern *items;
	uint32_t n, cap;
};

struct pd_maintainers {
	struct pd_strtab strings;
	struct section *sections;
	uint32_t n_sections, cap_sections;
	struct list literal, wild, excluded;
	struct pd_map by_text; /* text -> the first literal pattern */
	size_t n_wild_bytes, n_regex_bytes;
	struct pd_map known;   /* file -> its section, or the number of sections for none */
};

/* Whether pattern matches the beginning of s: "*" and "?" match slashes, too. */
static bool glob_begins(struct pd_span s, struct pd_span pattern)
{
	size_t at = 0, p = 0, star = SIZE_MAX, resume = 0;

	while (p < pattern.len) {
		if (pattern.ptr[p] == '*') {
			star = p++;
			resume = at;
		} else if (at < s.len && (pattern.ptr[p] == '?' || pattern.ptr[p] == s.ptr[at])) {
			p++;
			at++;
		} else if (star != SIZE_MAX && resume < s.len) {
			p = star + 1;
			at = ++resume;
		} else {
			return false;
		}
	}
	return true;
}

static uint32_t count_slashes(struct pd_span s)
{
	uint32_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += s.ptr[i] == '/';
	return n;
}

static bool matches(const struct pattern *p, struct pd_span file, uint32_t n_slashes)
{
	if (p->regex)
		return pd_path_regex_matches(p->regex, file);
	/* A folder may be written without its slash. */
	if (!p->is_folder && !p->is_deep && n_slashes > p->n_slashes)
		return file.len > p->text.len && file.ptr[p->text.len] == '/' &&
		       !memcmp(file.ptr, p->text.ptr, p->text.len);
	if (!p->is_folder && !p->is_deep && n_slashes != p->n_slashes)
		return false;
	return glob_begins(file, p->text);
}

static struct pattern *add_pattern(struct list *list)
{
	if (list->n == list->cap) {
		uint32_t cap = list->cap ? 2 * list->cap : 64;
		struct pattern *items = reallocarray(list->items, cap, sizeof(*items));

		if (!items)
			return NULL;
		list->items = items;
		list->cap = cap;
	}
	list->items[list->n] = (struct pattern){.next = PD_MAP_NONE};
	return &list->items[list->n++];
}

static bool add_section(struct pd_maintainers *m, struct pd_span title)
{
	if (m->n_sections == m->cap_sections) {
		uint32_t cap = m->cap_sections ? 2 * m->cap_sections : 64;
		struct section *sections = reallocarray(m->sections, cap, sizeof(*sections));

		if (!sections)
			return false;
		m->sections = sections;
		m->cap_sections = cap;
	}
	m->sections[m->n_sections++] = (struct section){
		.title = pd_strtab_intern(&m->strings, title), .first_x = m->excluded.n};
	return !m->strings.failed;
}

/* How specific a pattern is: by its folders. One that begins with "*" is the least so. */
static int depth_of(struct pd_span text)
{
	if (text.ptr[0] == '*')
		return -1;
	return (int)count_slashes(text) + (text.ptr[text.len - 1] != '/');
}

static bool add_literal(struct pd_maintainers *m, uint32_t i, uint32_t text)
{
	uint32_t first = pd_map_insert(&m->by_text, text, i);

	if (first == PD_MAP_NONE)
		return false;
	if (first != i) {
		m->literal.items[i].next = m->literal.items[first].next;
		m->literal.items[first].next = i;
	}
	return true;
}

/* A line of F: or X:. False if there is no memory. */
static bool add_glob(struct pd_maintainers *m, char kind, struct pd_span value)
{
	pd_str text = pd_strtab_intern(&m->strings, value);
	bool is_wild = memchr(value.ptr, '*', value.len) || memchr(value.ptr, '?', value.len);
	struct list *list = kind == 'X' ? &m->excluded : is_wild ? &m->wild : &m->literal;
	struct pattern *p = add_pattern(list);

	if (!p || m->strings.failed)
		return false;
	p->text = pd_strtab_span(&m->strings, text);
	p->section = m->n_sections - 1;
	p->depth = depth_of(p->text);
	p->n_slashes = count_slashes(p->text);
	p->is_folder = p->text.ptr[p->text.len - 1] == '/';
	p->is_deep = strstr(p->text.ptr, "**") != NULL;
	for (size_t i = 0; i < p->text.len; i++)
		p->weight += p->text.ptr[i] != '*' && p->text.ptr[i] != '?';
	if (kind == 'X')
		m->sections[m->n_sections - 1].n_x++;
	return list != &m->literal || add_literal(m, list->n - 1, text.id);
}

/* A line of N:. */
static bool add_regex(struct pd_maintainers *m, struct pd_path_regex *regex)
{
	struct pattern *p = add_pattern(&m->wild);

	if (!p) {
		free(regex);
		return false;
	}
	p->regex = regex;
	p->section = m->n_sections - 1;
	return true;
}

/* "F:	text": the letter, or 0; an empty value is none. */
static char read_entry(struct pd_span line, struct pd_span *ret_value)
{
	size_t from = 2, to = line.len;

	if (line.len < 3 || line.ptr[0] < 'A' || line.ptr[0] > 'Z' || line.ptr[1] != ':')
		return 0;
	while (from < to && strchr(" \t", line.ptr[from]))
		from++;
	while (to > from && strchr(" \t\r", line.ptr[to - 1]))
		to--;
	*ret_value = pd_span_sub(line, from, to);
	return line.ptr[0];
}

/* A line that is not empty. False if there is no memory. */
static bool read_line(struct pd_maintainers *m, struct pd_span line, const char *path,
		      uint32_t line_no, bool *in_section, struct pd_diags *diags,
		      struct pd_span *title)
{
	struct pd_span value = {"", 0};
	char kind = read_entry(line, &value);
	struct pd_path_regex *regex = NULL;

	if (!kind) {
		*title = line;
		*in_section = false;
		return true;
	}
	if (!value.len || !strchr("FXN", kind))
		return true;
	if (!*in_section && !add_section(m, *title))
		return false;
	*in_section = true;
	m->n_regex_bytes += kind == 'N' ? value.len : 0;
	m->n_wild_bytes += kind != 'N' && pd_span_find(value, "*") != SIZE_MAX ? value.len : 0;
	if (kind == 'N' && m->n_regex_bytes <= MAX_REGEX_BYTES)
		regex = pd_path_regex_new(value);
	if (value.len > MAX_PATTERN || (kind == 'N' && !regex) ||
	    m->n_wild_bytes > MAX_WILD_BYTES) {
		pd_diags_add(diags, PD_WARNING, "maintainers", path, line_no,
			     "expected a pattern, found \"%.*s\"; left out",
			     (int)(value.len < 60 ? value.len : 60), value.ptr);
		return true;
	}
	return kind == 'N' ? add_regex(m, regex) : add_glob(m, kind, value);
}

int pd_maintainers_parse(struct pd_span text, const char *path, struct pd_diags *diags,
			 struct pd_maintainers **ret_maintainers, struct pd_error *err)
{
	struct pd_maintainers *m = calloc(1, sizeof(*m));
	struct pd_span title = {"", 0};
	bool in_section = false, ok = m != NULL;
	uint32_t line_no = 0;

	while (text.len && ok) {
		size_t len = pd_span_find(text, "\n");
		struct pd_span line = pd_span_sub(text, 0, len);

		line_no++;
		text = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(text, len + 1, text.len);
		while (line.len && strchr(" \t\r", line.ptr[line.len - 1]))
			line.len--;
		if (line.len && line.ptr[0] != '#' && !memchr(line.ptr, '\0', line.len))
			ok = read_line(m, line, path, line_no, &in_section, diags, &title);
	}
	if (ok && (m->literal.n || m->wild.n)) {
		*ret_maintainers = m;
		return PD_OK;
	}
	pd_maintainers_free(m);
	return ok ? pd_fail(err, PD_ERR_FORMAT, "%s: expected a MAINTAINERS file, found no section "
			    "with files (F:)", path)
		  : pd_fail_nomem(err);
}

void pd_maintainers_free(struct pd_maintainers *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->wild.n; i++)
		free(m->wild.items[i].regex);
	free(m->literal.items);
	free(m->wild.items);
	free(m->excluded.items);
	free(m->sections);
	pd_map_done(&m->by_text);
	pd_map_done(&m->known);
	pd_strtab_done(&m->strings);
	free(m);
}

/* The search for one file. */
struct search {
	const struct pd_maintainers *m;
	struct pd_span file;
	uint32_t n_slashes;
	const struct pattern *best;
	uint32_t last; /* section that was asked for being excluded, and 1 */
	bool is_last_excluded;
};

static bool is_better(const struct pattern *p, const struct pattern *best)
{
	if (!best || p->depth != best->depth)
		return !best || p->depth > best->depth;
	if (p->weight != best->weight)
		return p->weight > best->weight;
	return p->section < best->section;
}

static bool is_excluded(struct search *s, uint32_t section)
{
	const struct section *of = &s->m->sections[section];

	if (s->last == section + 1)
		return s->is_last_excluded;
	s->last = section + 1;
	s->is_last_excluded = false;
	for (uint32_t i = 0; i < of->n_x && !s->is_last_excluded; i++)
		s->is_last_excluded = matches(&s->m->excluded.items[of->first_x + i], s->file,
					      s->n_slashes);
	return s->is_last_excluded;
}

static void try_pattern(struct search *s, const struct pattern *p)
{
	if (is_better(p, s->best) && matches(p, s->file, s->n_slashes) &&
	    !is_excluded(s, p->section))
		s->best = p;
}

/* The literal patterns that are the first len bytes of the file. */
static void try_beginning(struct search *s, size_t len)
{
	pd_str text = pd_strtab_find(&s->m->strings, pd_span_sub(s->file, 0, len));
	uint32_t i = text.id ? pd_map_find(&s->m->by_text, text.id) : PD_MAP_NONE;

	for (; i != PD_MAP_NONE; i = s->m->literal.items[i].next)
		try_pattern(s, &s->m->literal.items[i]);
}

/* The section of a file; n_sections: of none. */
static uint32_t search(const struct pd_maintainers *m, struct pd_span file)
{
	struct search s = {.m = m, .file = file, .n_slashes = count_slashes(file)};
	size_t slash = pd_span_find_last(file, '/'), name = slash == SIZE_MAX ? 0 : slash + 1;

	/* Folders with and without their slash, then beginnings of the name. */
	for (size_t i = 0; i < name; i++)
		if (file.ptr[i] == '/') {
			try_beginning(&s, i);
			try_beginning(&s, i + 1);
		}
	for (size_t i = name + 1; i <= file.len && i <= name + MAX_NAME; i++)
		try_beginning(&s, i);
	for (uint32_t i = 0; i < m->wild.n; i++)
		try_pattern(&s, &m->wild.items[i]);
	return s.best ? s.best->section : m->n_sections;
}

struct pd_span pd_maintainers_find(struct pd_maintainers *m, struct pd_span file)
{
	uint32_t section;
	pd_str name;

	if (!file.len || file.len > MAX_PATTERN)
		return pd_span_of("");
	name = pd_strtab_intern(&m->strings, file);
	section = name.id ? pd_map_find(&m->known, name.id) : PD_MAP_NONE;
	if (section == PD_MAP_NONE) {
		section = search(m, file);
		/* What cannot be remembered for lack of memory is searched again. */
		if (name.id)
			(void)pd_map_insert(&m->known, name.id, section);
	}
	return section < m->n_sections ? pd_strtab_span(&m->strings, m->sections[section].title)
				       : pd_span_of("");
}
