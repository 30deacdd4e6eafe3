/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --size of one word: a text that has compared sizes already.
 */
#ifndef PD_CLI_SIZE_TEXT_H
#define PD_CLI_SIZE_TEXT_H

#include "cli/opts.h"
#include "profdiff/table.h"

/*
 * Make the document of what word names: FILE, or FILE#HEADING where the text has
 * tables under several. Errors: USAGE (no such text, which of them), those of
 * pd_ingest_file() and pd_sizes_of_text().
 */
int cli_size_text(const struct cli_options *o, const char *word, struct pd_diags *diags,
		  struct pd_document **ret_document, struct pd_error *err) PD_MUST_USE;

#endif
