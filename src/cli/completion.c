/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scripts that complete the command line in shells, made from the option table, the
 * formats and the columns.
 */
#include <string.h>

#include "cli/opts.h"
#include "io/writer.h"
#include "report/columns.h"

/* All that the argument of an option can be, between blanks; nothing if that is a file, ... */
static void add_values(struct pd_buf *b, const struct cli_option *opt)
{
	if (opt->values)
		pd_buf_add_str(b, opt->values);
	for (size_t i = 0; !strcmp(opt->name, "format") && pd_formats[i]; i++)
		pd_buf_printf(b, "%s%s", i ? " " : "", pd_formats[i]->name);
	for (size_t i = 0; !strcmp(opt->name, "output") && pd_renderers[i]; i++)
		pd_buf_printf(b, "%s%s", i ? " " : "", pd_renderers[i]->name);
	for (size_t i = 0; (!strcmp(opt->name, "columns") || !strcmp(opt->name, "sort")) &&
	     pd_column_kinds[i].id; i++)
		pd_buf_printf(b, "%s%s", i ? " " : "", pd_column_kinds[i].id);
}

/* Whether files are what can be completed for the argument. */
static bool is_file(const struct cli_option *opt)
{
	return opt->arg && (strstr(opt->arg, "FILE") || strstr(opt->arg, "FOLDER"));
}

static void write_bash(struct pd_buf *b)
{
	struct pd_buf files = {0};

	pd_buf_add_str(b, "# profdiff completion for bash\n"
			  "_profdiff()\n"
			  "{\n"
			  "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev= words=\n"
			  "\n"
			  "\t((COMP_CWORD)) && prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
			  "\tif [[ $cur == = ]]; then\n"
			  "\t\tcur=\n"
			  "\telif [[ $prev == = ]]; then\n"
			  "\t\tprev=${COMP_WORDS[COMP_CWORD - 2]}\n"
			  "\tfi\n"
			  "\tcase $prev in\n");
	for (uint32_t i = 0; i < cli_n_options; i++) {
		const struct cli_option *opt = &cli_option_table[i];
		struct pd_buf values = {0};

		add_values(&values, opt);
		if (is_file(opt) && !values.len)
			pd_buf_printf(&files, "%s--%s", files.len ? "|" : "", opt->name);
		if (is_file(opt) && !values.len && opt->letter)
			pd_buf_printf(&files, "|-%c", opt->letter);
		if (values.len && opt->letter)
			pd_buf_printf(b, "\t-%c|--%s) words='%s' ;;\n", opt->letter, opt->name,
				      values.ptr);
		else if (values.len)
			pd_buf_printf(b, "\t--%s) words='%s' ;;\n", opt->name, values.ptr);
		pd_buf_done(&values);
	}
	pd_buf_printf(b, "\t%s)\n\t\tcompopt -o default 2>/dev/null\n"
			 "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n\t\treturn ;;\n\tesac\n"
			 "\tif [[ -z $words && $cur == -* ]]; then\n\t\twords='", files.ptr);
	for (uint32_t i = 0; i < cli_n_options; i++)
		pd_buf_printf(b, "%s--%s%s", i ? " " : "", cli_option_table[i].name,
			      cli_option_table[i].arg ? "=" : "");
	pd_buf_add_str(b, "'\n\tfi\n"
			  "\tif [[ $words ]]; then\n"
			  "\t\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
			  "\t\t[[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null\n"
			  "\telse\n"
			  "\t\tcompopt -o default 2>/dev/null\n"
			  "\t\tCOMPREPLY=($(compgen -f -- \"$cur\"))\n"
			  "\tfi\n"
			  "}\n"
			  "complete -F _profdiff profdiff\n");
	pd_buf_done(&files);
}

/* A text within quotes of zsh, where what is in set needs a backslash as well. */
static void add_quoted(struct pd_buf *b, const char *text, const char *set)
{
	for (; *text; text++) {
		if (*text == '\'') {
			pd_buf_add_str(b, "'\\''");
			continue;
		}
		if (strchr(set, *text))
			pd_buf_add_char(b, '\\');
		pd_buf_add_char(b, *text);
	}
}

static void write_zsh(struct pd_buf *b)
{
	pd_buf_add_str(b, "#compdef profdiff\n# profdiff completion for zsh\n"
			  "_arguments -s -S \\\n");
	for (uint32_t i = 0; i < cli_n_options; i++) {
		const struct cli_option *opt = &cli_option_table[i];
		struct pd_buf values = {0};

		add_values(&values, opt);
		for (int is_long = opt->letter ? 0 : 1; is_long < 2; is_long++) {
			if (is_long)
				pd_buf_printf(b, "\t'*--%s%s[", opt->name, opt->arg ? "=" : "");
			else
				pd_buf_printf(b, "\t'*-%c%s[", opt->letter, opt->arg ? "+" : "");
			add_quoted(b, opt->help, "[]:\\");
			pd_buf_add_char(b, ']');
			if (opt->arg) {
				pd_buf_add_char(b, ':');
				add_quoted(b, opt->arg, "[]:\\");
				pd_buf_add_char(b, ':');
			}
			if (values.len)
				pd_buf_printf(b, "(%s)", values.ptr);
			else if (is_file(opt))
				pd_buf_add_str(b, "_files");
			pd_buf_add_str(b, "' \\\n");
		}
		pd_buf_done(&values);
	}
	pd_buf_add_str(b, "\t'*:file:_files'\n");
}

static void write_fish(struct pd_buf *b)
{
	pd_buf_add_str(b, "# profdiff completion for fish\n");
	for (uint32_t i = 0; i < cli_n_options; i++) {
		const struct cli_option *opt = &cli_option_table[i];
		struct pd_buf values = {0};

		add_values(&values, opt);
		pd_buf_printf(b, "complete -c profdiff -l %s", opt->name);
		if (opt->letter)
			pd_buf_printf(b, " -s %c", opt->letter);
		if (opt->arg)
			pd_buf_add_str(b, is_file(opt) ? " -r" : " -x");
		if (values.len)
			pd_buf_printf(b, " -a '%s'", values.ptr);
		pd_buf_add_str(b, " -d '");
		for (const char *c = opt->help; *c; c++)
			pd_buf_printf(b, *c == '\'' || *c == '\\' ? "\\%c" : "%c", *c);
		pd_buf_add_str(b, "'\n");
		pd_buf_done(&values);
	}
}

void cli_completion(struct pd_writer *out, const char *shell)
{
	struct pd_buf b = {0};

	if (!strcmp(shell, "bash"))
		write_bash(&b);
	else if (!strcmp(shell, "zsh"))
		write_zsh(&b);
	else
		write_fish(&b);
	pd_writer_add(out, b.ptr, b.len);
	pd_buf_done(&b);
}
