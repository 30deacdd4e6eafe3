/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages. Contract: tell.h.
 */
#include "cli/tell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/writer.h"
#include "render/layout.h"

void cli_tell(const char *path, uint32_t line, const char *text)
{
	struct pd_writer w;
	struct pd_buf b = {0};

	pd_buf_add_str(&b, "profdiff: ");
	if (path && *path) {
		pd_layout_add_safe(&b, pd_span_of(path));
		if (line)
			pd_buf_printf(&b, ":%u", line);
		pd_buf_add_str(&b, ": ");
	}
	pd_layout_add_safe(&b, pd_span_of(text));
	pd_buf_add_char(&b, '\n');
	pd_writer_init_fd(&w, STDERR_FILENO);
	pd_writer_add(&w, b.ptr, b.len);
	/* Nowhere is left to complain of a failure to complain. */
	if (pd_writer_close(&w, NULL) != PD_OK)
		pd_writer_abort(&w);
	pd_buf_done(&b);
}

static bool is_same(const struct pd_diag *a, const struct pd_diag *b)
{
	return !a->line && !b->line && *a->path && *b->path && !a->n_repeats && !b->n_repeats &&
	       !strcmp(a->kind, b->kind) && !strcmp(a->text, b->text);
}

void cli_tell_diags(const struct pd_diags *diags)
{
	for (size_t i = 0; i < diags->n; i++) {
		const struct pd_diag *x = &diags->items[i];
		uint32_t n_before = 0, n_files = 1;
		char more[64] = "";
		char *text;

		/* What is wrong with many files in the same way is said once. */
		for (size_t k = 0; k < diags->n; k++)
			if (k != i && is_same(x, &diags->items[k])) {
				n_before += k < i;
				n_files++;
			}
		if (n_before)
			continue;
		if (n_files > 1)
			(void)snprintf(more, sizeof(more), " (so in %u files)", n_files);
		else if (x->n_repeats)
			(void)snprintf(more, sizeof(more), " (and %u more like this)",
				       x->n_repeats);
		if (asprintf(&text, "%s%s", x->text, more) < 0)
			continue;
		cli_tell(x->path, x->line, text);
		free(text);
	}
}
