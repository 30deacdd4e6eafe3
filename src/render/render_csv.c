/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CSV: see delimited.h.
 */
#include "render/delimited.h"

static void render(const struct pd_document *d, const struct pd_render_options *options,
		   struct pd_writer *out)
{
	pd_delimited_write(d, ',', options, out);
}

const struct pd_renderer pd_renderer_csv = {
	.name = "csv",
	.title = "comma-separated values, for spreadsheets and programs",
	.parts = PD_PART_DATA,
	.render = render,
};
