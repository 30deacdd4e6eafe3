/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines around tables. Contract: prose.h.
 */
#include "ingest/prose.h"

enum {
	MAX_HEADING = 60,      /* bytes; longer lines are sentences */
	MAX_PLAIN_WORDS = 3,   /* of a heading that nothing but its shortness tells */
	MAX_MARKED_WORDS = 10, /* of one that ends in a colon or is decorated */
};

static bool is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

/* Without bytes of a set at both ends. */
static struct pd_span strip(struct pd_span s, const char *set)
{
	while (s.len && is_one_of(s.ptr[0], set))
		s = pd_span_sub(s, 1, s.len);
	while (s.len && is_one_of(s.ptr[s.len - 1], set))
		s.len--;
	return s;
}

bool pd_prose_is_ellipsis(struct pd_span line)
{
	struct pd_span core = strip(line, " \t.[](){}<>-");

	if (!core.len)
		return pd_span_find(line, "..") != SIZE_MAX;
	return pd_span_eq_nocase(core, "snip") || pd_span_eq_nocase(core, "snipped") ||
		pd_span_eq_nocase(core, "cut");
}

bool pd_prose_is_rule(struct pd_span line)
{
	size_t n_marks = 0;

	for (size_t i = 0; i < line.len; i++) {
		if (pd_is_blank(line.ptr[i]) || line.ptr[i] == '|' || line.ptr[i] == '+')
			continue;
		if (!is_one_of(line.ptr[i], "-=_*~"))
			return false;
		n_marks++;
	}
	return n_marks > 1;
}

static size_t count_words(struct pd_span s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.len; i++)
		n += !pd_is_blank(s.ptr[i]) && (!i || pd_is_blank(s.ptr[i - 1]));
	return n;
}

static bool is_decorated(struct pd_span s)
{
	return s.len > 4 && is_one_of(s.ptr[0], "=-*#<") && is_one_of(s.ptr[1], "=-*#>");
}

bool pd_prose_is_marked(struct pd_span line)
{
	struct pd_span s = pd_span_trim(line);

	return (s.len && s.ptr[s.len - 1] == ':') || is_decorated(s);
}

struct pd_span pd_prose_heading(struct pd_span line)
{
	const struct pd_span none = {"", 0};
	struct pd_span s = pd_span_trim(line);
	size_t max_words = pd_prose_is_marked(s) ? MAX_MARKED_WORDS : MAX_PLAIN_WORDS;

	if ((s.len > 1 && is_one_of(s.ptr[0], "$#%") && pd_is_blank(s.ptr[1])) ||
	    pd_span_ends(s, " wrote:"))
		return none; /* a prompt with a command, or the first line of a quotation */
	if (s.len && s.ptr[s.len - 1] == ':')
		s = pd_span_trim(pd_span_sub(s, 0, s.len - 1));
	if (is_decorated(s))
		s = strip(s, "=-*#<> \t");
	if (!s.len || s.len > MAX_HEADING || is_one_of(s.ptr[s.len - 1], ".,;!?") ||
	    count_words(s) > max_words)
		return none;
	return s;
}

bool pd_prose_is_symbol(struct pd_span s)
{
	bool has_letter = false;

	if (!s.len || pd_is_digit(s.ptr[0]) || s.ptr[s.len - 1] == ':')
		return false;
	for (size_t i = 0; i < s.len; i++) {
		bool is_letter = pd_is_alpha(s.ptr[i]) || s.ptr[i] == '_';

		has_letter = has_letter || is_letter;
		if (!is_letter && !pd_is_digit(s.ptr[i]) && !is_one_of(s.ptr[i], ".$@*:"))
			return false;
	}
	return has_letter;
}
