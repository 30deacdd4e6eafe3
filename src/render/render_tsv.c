/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * TSV: see delimited.h.
 */
#include "render/delimited.h"

static void render(const struct pd_document *d, const struct pd_render_options *options,
		   struct pd_writer *out)
{
	pd_delimited_write(d, '\t', options, out);
}

const struct pd_renderer pd_renderer_tsv = {
	.name = "tsv",
	.title = "tab-separated values, for awk and programs",
	.parts = PD_PART_DATA,
	.render = render,
};
