/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules for names. Contract: rewrite.h.
 */
#include "analysis/rewrite.h"

#include <regex.h>
#include <stdlib.h>

enum { N_MATCHES = 10 };

struct pd_rewrite_rule {
	regex_t re;
	char *text; /* the replacement, as written */
	bool is_global;
};

/* The part of a rule up to the next delimiter; "\" keeps one within it. Behind it, or NULL. */
static const char *take_part(const char *s, char delimiter, struct pd_buf *out)
{
	for (; *s && *s != delimiter; s++) {
		if (s[0] == '\\' && s[1] == delimiter)
			s++;
		else if (s[0] == '\\' && s[1])
			pd_buf_add_char(out, *s++);
		pd_buf_add_char(out, *s);
	}
	return *s ? s + 1 : NULL;
}

static int fail_rule(const char *rule, const char *why, struct pd_error *err)
{
	return pd_fail(err, PD_ERR_USAGE, "--rewrite: expected s/REGEX/TEXT/ or s/REGEX/TEXT/g, "
		       "found \"%s\"%s%s", rule, *why ? ": " : "", why);
}

/* Whether all groups that a replacement names are in the expression. */
static bool has_groups(const regex_t *re, const char *text)
{
	for (; *text; text++)
		if (*text == '\\' && text[1] && pd_is_digit(*++text) &&
		    (size_t)(*text - '0') > re->re_nsub)
			return false;
	return true;
}

/* Split and compile; re and text are set on success only. */
static int parse_rule(const char *rule, struct pd_rewrite_rule *ret_rule, struct pd_error *err)
{
	struct pd_buf regex = {0}, text = {0};
	const char *rest = NULL;
	char why[128] = "";
	int rc = PD_OK;

	if (rule[0] == 's' && rule[1] && rule[1] != '\\' && !pd_is_alpha(rule[1]))
		rest = take_part(rule + 2, rule[1], &regex);
	if (rest)
		rest = take_part(rest, rule[1], &text);
	if (!pd_buf_reserve(&regex, 1) || !pd_buf_reserve(&text, 1))
		rc = pd_fail_nomem(err);
	else if (!rest || !regex.len || (*rest && strcmp(rest, "g") != 0))
		rc = fail_rule(rule, "", err);
	if (rc == PD_OK) {
		int failed = regcomp(&ret_rule->re, regex.ptr, REG_EXTENDED);

		if (failed) {
			(void)regerror(failed, &ret_rule->re, why, sizeof(why));
			rc = fail_rule(rule, why, err);
		}
	}
	if (rc == PD_OK && !has_groups(&ret_rule->re, text.ptr)) {
		rc = fail_rule(rule, "it refers to a group that is not there", err);
		regfree(&ret_rule->re);
	}
	if (rc == PD_OK) {
		ret_rule->text = text.ptr;
		ret_rule->is_global = *rest == 'g';
		text.ptr = NULL;
	}
	pd_buf_done(&regex);
	pd_buf_done(&text);
	return rc;
}

int pd_rewrite_add(struct pd_rewrite *r, const char *rule, struct pd_error *err)
{
	struct pd_rewrite_rule *rules = realloc(r->rules, (r->n + 1) * sizeof(*rules));
	int rc;

	if (!rules)
		return pd_fail_nomem(err);
	r->rules = rules;
	rc = parse_rule(rule, &rules[r->n], err);
	if (rc == PD_OK)
		r->n++;
	return rc;
}

void pd_rewrite_done(struct pd_rewrite *r)
{
	for (uint32_t i = 0; i < r->n; i++) {
		regfree(&r->rules[i].re);
		free(r->rules[i].text);
	}
	free(r->rules);
	pd_buf_done(&r->in);
	pd_buf_done(&r->out);
	*r = (struct pd_rewrite){0};
}

static void add_replacement(struct pd_buf *out, const char *text, const char *s,
			    const regmatch_t *m)
{
	for (; *text; text++) {
		int group = -1;

		if (*text == '&')
			group = 0;
		else if (*text == '\\' && pd_is_digit(text[1]))
			group = *++text - '0';
		else if (*text == '\\' && text[1])
			text++;
		if (group < 0)
			pd_buf_add_char(out, *text);
		else if (m[group].rm_so >= 0)
			pd_buf_add(out, s + m[group].rm_so,
				   (size_t)(m[group].rm_eo - m[group].rm_so));
	}
}

/* Apply a rule to r->in, into r->out; false if it does not match. */
static bool apply_rule(struct pd_rewrite *r, const struct pd_rewrite_rule *rule)
{
	const char *s = r->in.ptr;
	regmatch_t m[N_MATCHES];
	bool found = false, was_text = false; /* the last match was not empty */

	r->out.len = 0;
	while (!regexec(&rule->re, s, N_MATCHES, m, found ? REG_NOTBOL : 0)) {
		bool is_empty = m[0].rm_eo == m[0].rm_so, is_end;

		pd_buf_add(&r->out, s, (size_t)m[0].rm_so);
		/* As in sed, nothing right behind a match is no match of its own. */
		if (!is_empty || !was_text || m[0].rm_so > 0)
			add_replacement(&r->out, rule->text, s, m);
		found = true;
		was_text = !is_empty;
		is_end = !s[m[0].rm_eo];
		if (is_empty && !is_end)
			pd_buf_add_char(&r->out, s[m[0].rm_eo++]); /* an empty match moves on */
		s += m[0].rm_eo;
		if (!rule->is_global || is_end)
			break;
	}
	pd_buf_add_str(&r->out, s);
	return found;
}

struct pd_span pd_rewrite_apply(struct pd_rewrite *r, struct pd_span name)
{
	r->in.len = 0;
	pd_buf_add(&r->in, name.ptr, name.len);
	for (uint32_t i = 0; i < r->n && !r->in.failed && r->in.ptr; i++) {
		struct pd_buf done = r->in;

		if (!apply_rule(r, &r->rules[i]) || r->out.failed || !r->out.len)
			continue;
		r->in = r->out;
		r->out = done;
	}
	if (!r->in.len)
		return name;
	return (struct pd_span){r->in.ptr, r->in.len};
}
