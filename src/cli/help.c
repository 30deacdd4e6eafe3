/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts about the program itself, made from its tables.
 */
#include <string.h>

#include "cli/opts.h"
#include "config.h"
#include "io/writer.h"
#include "report/columns.h"

enum { HELP_COLUMN = 27 };

static void write_option(struct pd_writer *out, const struct cli_option *opt)
{
	struct pd_buf b = {0};

	if (opt->letter)
		pd_buf_printf(&b, "  -%c, --%s", opt->letter, opt->name);
	else
		pd_buf_printf(&b, "      --%s", opt->name);
	if (opt->arg)
		pd_buf_printf(&b, "=%s", opt->arg);
	pd_buf_add_fill(&b, ' ', b.len + 1 < HELP_COLUMN ? HELP_COLUMN - b.len : 1);
	pd_buf_printf(&b, "%s\n", opt->help);
	pd_writer_add(out, b.ptr, b.len);
	pd_buf_done(&b);
}

void cli_help(struct pd_writer *out, bool all)
{
	pd_writer_add_str(out,
		"usage: profdiff [OPTION...] SIDE SIDE...            compare profiles\n"
		"       profdiff [OPTION...] RUN... : RUN... [: ...] the same, runs listed\n"
		"       profdiff [OPTION...] FILE                    a file that holds all sides\n"
		"       profdiff --size A B                          function sizes of two images\n"
		"       profdiff --show PATH...                      files as understood\n"
		"SIDE is [LABEL=]PATH[,PATH...]; PATH is a file, a directory, - or FILE#NAME.\n");
	for (uint32_t i = 0; i < cli_n_options; i++) {
		const struct cli_option *opt = &cli_option_table[i];

		if (all && opt->heading) {
			pd_writer_add_str(out, "\n");
			pd_writer_add_str(out, opt->heading);
			pd_writer_add_str(out, "\n");
		}
		if (all || opt->is_common)
			write_option(out, opt);
	}
}

void cli_version(struct pd_writer *out)
{
	pd_writer_add_str(out, "profdiff " PD_VERSION "\n"
#ifdef PD_HAVE_ZSTD
			       "+zstd "
#else
			       "-zstd "
#endif
#ifdef PD_HAVE_LZMA
			       "+xz\n"
#else
			       "-xz\n"
#endif
	);
}

static void write_format(struct pd_writer *out, const char *name, const char *way,
			 const char *title)
{
	struct pd_buf b = {0};

	pd_buf_printf(&b, "%-14s%-8s%s\n", name, way, title);
	pd_writer_add(out, b.ptr, b.len);
	pd_buf_done(&b);
}

void cli_list_formats(struct pd_writer *out)
{
	for (size_t i = 0; pd_formats[i]; i++)
		write_format(out, pd_formats[i]->name, "input", pd_formats[i]->title);
	for (size_t i = 0; pd_renderers[i]; i++)
		write_format(out, pd_renderers[i]->name, "output", pd_renderers[i]->title);
}

void cli_list_columns(struct pd_writer *out)
{
	for (const struct pd_column_kind *kind = pd_column_kinds; kind->id; kind++)
		write_format(out, kind->id, kind->scope == PD_SCOPE_ROW ? "row" : "side",
			     kind->help);
}
