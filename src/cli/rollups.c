/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roll-ups. Contract: rollups.h.
 */
#include "cli/rollups.h"

#include <stdlib.h>

#include "io/source.h"

static int read_maintainers(const struct cli_options *o, struct pd_diags *diags,
			    struct pd_rollup *rollup, struct pd_error *err)
{
	struct pd_source source = {0};
	int rc;

	if (!o->maintainers_path)
		return pd_fail(err, PD_ERR_USAGE, "--by=maintainer: expected --maintainers=FILE");
	rc = pd_source_open(o->maintainers_path, &o->limits, &source, err);
	if (rc == PD_OK)
		rc = pd_maintainers_parse(source.bytes, o->maintainers_path, diags,
					  &rollup->maintainers, err);
	pd_source_close(&source);
	return rc;
}

int cli_rollup_read(const struct cli_options *o, struct pd_diags *diags,
		    struct pd_rollup *ret_rollup, struct pd_error *err)
{
	static const enum pd_rollup_by by[] = {
		[CLI_BY_FUNCTION] = PD_ROLLUP_NONE, [CLI_BY_MODULE] = PD_ROLLUP_MODULE,
		[CLI_BY_COMM] = PD_ROLLUP_NONE,     [CLI_BY_FILE] = PD_ROLLUP_FILE,
		[CLI_BY_LINE] = PD_ROLLUP_NONE,     [CLI_BY_DIR] = PD_ROLLUP_DIR,
		[CLI_BY_SECTION] = PD_ROLLUP_NONE,  [CLI_BY_MAINTAINER] = PD_ROLLUP_MAINTAINER,
	};
	struct pd_rollup rollup = {.by = by[o->by]};
	int rc = PD_OK;

	if (o->maintainers_path && o->by != CLI_BY_MAINTAINER)
		return pd_fail(err, PD_ERR_USAGE, "--maintainers: its sections are rows, "
			       "which goes with --by=maintainer only");
	if (rollup.by == PD_ROLLUP_MAINTAINER)
		rc = read_maintainers(o, diags, &rollup, err);
	if (rc == PD_OK)
		*ret_rollup = rollup;
	return rc;
}

/* The runs of a side; files [sides], empty where there is no image. */
static int apply(const struct pd_rollup *rollup, const struct cli_runs *runs,
		 struct pd_image_files *own, struct pd_image_files *other, struct pd_error *err)
{
	int rc = PD_OK;

	for (uint32_t i = 0; i < runs->n && rc == PD_OK; i++)
		rc = pd_rollup_profile(runs->items[i], own->image ? own : NULL,
				       other->image ? other : NULL, rollup, err);
	return rc;
}

int cli_rollup_apply(const struct pd_rollup *rollup, const struct cli_sides *sides,
		     const struct cli_side_images *images, struct pd_error *err)
{
	struct pd_image_files *files;
	int rc = PD_OK;

	if (rollup->by == PD_ROLLUP_NONE)
		return PD_OK;
	files = calloc(sides->n, sizeof(*files));
	if (!files)
		return pd_fail_nomem(err);
	for (uint32_t s = 0; s < images->n && rc == PD_OK; s++)
		if (images->items[s])
			rc = pd_image_files_read(images->items[s], &files[s], err);
	/* The base asks the first of the others, and they ask the base. */
	for (uint32_t s = 0; s < sides->n && rc == PD_OK; s++)
		rc = apply(rollup, &sides->items[s].runs, &files[s], &files[s ? 0 : 1], err);
	for (uint32_t s = 0; s < sides->n; s++)
		pd_image_files_done(&files[s]);
	free(files);
	return rc;
}
