/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configuration. Contract: habits.h.
 */
#include "cli/habits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suggest.h"
#include "base/text.h"
#include "io/source.h"

enum { MAX_BYTES = 1 << 16, MAX_ABOVE = 64 };

static const struct cli_option *find_option(struct pd_span name)
{
	for (uint32_t i = 0; i < cli_n_options; i++)
		if (pd_span_eq(name, cli_option_table[i].name))
			return &cli_option_table[i];
	return NULL;
}

/* Why a name sets nothing. */
static void tell_name(struct pd_diags *diags, const char *path, uint32_t line, struct pd_span name,
		      const struct cli_option *opt)
{
	struct pd_suggestion near = pd_suggest_for(name);
	struct pd_buf text = {0};

	for (uint32_t i = 0; i < cli_n_options; i++)
		if (cli_option_table[i].is_habit)
			pd_suggest_offer(&near, pd_span_of(cli_option_table[i].name));
	if (opt)
		pd_diags_add(diags, PD_WARNING, "config", path, line, "expected an option of "
			     "presentation, found --%s, which only the command line can have",
			     opt->name);
	else
		pd_diags_add(diags, PD_WARNING, "config", path, line, "expected an option of "
			     "presentation, found \"%.*s\"%s", PD_SPAN_ARG(name),
			     pd_suggest_text(&near, "", &text));
	pd_buf_done(&text);
}

/* true, yes, on, 1 and nothing; false, no, off and 0. */
static bool parse_bool(struct pd_span value, bool *ret_is_true)
{
	static const char *const words[] = {"true", "yes", "on", "1", "",
					    "false", "no", "off", "0"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (pd_span_eq(value, words[i])) {
			*ret_is_true = i < 5;
			return true;
		}
	return false;
}

static int set(struct cli_options *o, const struct cli_option *opt, struct pd_span value,
	       const char *path, uint32_t line, struct pd_diags *diags, struct pd_error *err)
{
	struct pd_error own = {0};
	bool is_true = true;
	char *text = NULL;
	int rc = PD_OK;

	if (opt->arg ? !value.len : !parse_bool(value, &is_true)) {
		pd_diags_add(diags, PD_WARNING, "config", path, line, "%s: expected %s, found "
			     "\"%.*s\"", opt->name, opt->arg ? opt->arg : "true or false",
			     PD_SPAN_ARG(value));
		return PD_OK;
	}
	if (opt->arg) {
		text = pd_arena_strndup(&o->arena, value.ptr, value.len);
		if (!text)
			return pd_fail_nomem(err);
	}
	if (!is_true)
		cli_option_take_back(opt, o);
	else
		rc = cli_option_apply(opt, o, text, &own);
	if (rc == PD_ERR_NOMEM)
		return pd_fail_nomem(err);
	if (rc != PD_OK)
		pd_diags_add(diags, PD_WARNING, "config", path, line, "%s; left out", own.msg);
	return PD_OK;
}

/* What is between blanks, and between quotes then. */
static struct pd_span unquote(struct pd_span s)
{
	s = pd_span_trim(s);
	if (s.len >= 2 && *s.ptr == '"' && s.ptr[s.len - 1] == '"')
		s = pd_span_sub(s, 1, s.len - 1);
	return s;
}

static int read_line(struct cli_options *o, struct pd_span text, const char *path, uint32_t line,
		     struct pd_diags *diags, struct pd_error *err)
{
	struct pd_span name, value = {"", 0};
	const struct cli_option *opt;
	size_t equals;

	text = pd_span_trim(text);
	if (!text.len || *text.ptr == '#' || *text.ptr == ';')
		return PD_OK;
	equals = pd_span_find(text, "=");
	name = pd_span_trim(pd_span_sub(text, 0, equals));
	if (equals != SIZE_MAX)
		value = unquote(pd_span_sub(text, equals + 1, text.len));
	opt = find_option(name);
	if (opt && opt->is_habit)
		return set(o, opt, value, path, line, diags, err);
	tell_name(diags, path, line, name, opt);
	return PD_OK;
}

/* A file that is not there sets nothing. */
static int read_file(struct cli_options *o, const char *path, struct pd_diags *diags,
		     struct pd_error *err)
{
	struct pd_source source = {0};
	struct pd_error own = {0};
	struct pd_span rest;
	struct stat st;
	uint32_t line = 0;
	int rc;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return PD_OK;
	rc = pd_source_open(path, &o->limits, &source, &own);
	if (rc != PD_OK || source.bytes.len > MAX_BYTES) {
		pd_diags_add(diags, PD_WARNING, "config", path, 0, "%s; it sets nothing",
			     rc != PD_OK ? own.msg : "more than 64 kB of configuration");
		pd_source_close(&source);
		return PD_OK;
	}
	rest = source.bytes;
	while (rc == PD_OK && rest.len) {
		size_t len = pd_span_find(rest, "\n");

		rc = read_line(o, pd_span_sub(rest, 0, len), path, ++line, diags, err);
		rest = pd_span_sub(rest, len < rest.len ? len + 1 : rest.len, rest.len);
	}
	pd_source_close(&source);
	return rc;
}

static int read_own(struct cli_options *o, struct pd_diags *diags, struct pd_error *err)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *path;

	if (config && *config == '/')
		path = pd_arena_printf(&o->arena, "%s/profdiff", config);
	else if (home && *home == '/')
		path = pd_arena_printf(&o->arena, "%s/.config/profdiff", home);
	else
		return PD_OK;
	return path ? read_file(o, path, diags, err) : pd_fail_nomem(err);
}

/* The folder of the tree's file: so many times "../". */
static int read_tree(struct cli_options *o, struct pd_diags *diags, struct pd_error *err)
{
	struct pd_buf up = {0};
	const char *found = NULL;
	bool is_top = false;

	for (unsigned i = 0; i < MAX_ABOVE && !is_top; i++) {
		size_t len = up.len;

		pd_buf_printf(&up, ".git");
		is_top = !up.failed && access(up.ptr, F_OK) == 0;
		up.len = len;
		pd_buf_printf(&up, ".profdiff");
		if (!found && !up.failed && access(up.ptr, F_OK) == 0)
			found = pd_arena_strndup(&o->arena, up.ptr, up.len);
		up.len = len;
		pd_buf_add_str(&up, "../");
	}
	if (!is_top)
		found = access(".profdiff", F_OK) == 0 ? ".profdiff" : NULL;
	pd_buf_done(&up);
	return found ? read_file(o, found, diags, err) : PD_OK;
}

int cli_habits_read(struct cli_options *o, struct pd_diags *diags, struct pd_error *err)
{
	int rc = read_own(o, diags, err);

	return rc == PD_OK ? read_tree(o, diags, err) : rc;
}
