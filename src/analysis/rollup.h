/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roll-ups: rows that are not functions, but what these are in: a source file, its
 * folder, a section of MAINTAINERS, a module. Ticks of a text, which has functions
 * only, are summed by the files that its image knows, and bytes of the image alike.
 */
#ifndef PD_ANALYSIS_ROLLUP_H
#define PD_ANALYSIS_ROLLUP_H

#include "analysis/image_files.h"
#include "analysis/maintainers.h"
#include "profdiff/compare.h"

enum pd_rollup_by {
	PD_ROLLUP_NONE,
	PD_ROLLUP_MODULE,
	PD_ROLLUP_FILE,
	PD_ROLLUP_DIR,
	PD_ROLLUP_MAINTAINER,
};

struct pd_rollup {
	enum pd_rollup_by by;
	struct pd_maintainers *maintainers; /* of PD_ROLLUP_MAINTAINER */
};

/* What such rows are, static: "folder", ...; as in struct pd_profile. */
const char *pd_rollup_rows(enum pd_rollup_by by);

/* What a file is in, borrowed or static; empty if file is. Of no section: "[no section]". */
struct pd_span pd_rollup_of_file(const struct pd_rollup *r, struct pd_span file);

/*
 * Sum the functions of a profile. A recording's are files already, if they are to be
 * sections; others that have rows are left alone. files is of the side's image, and
 * other of another side's, which is asked for what files does not know; each may be
 * NULL. What has no file becomes "[unknown]". What the image has without ticks is
 * listed, too, where the profile is complete. Errors: USAGE (nothing tells any file, or
 * costs are inclusive), NOMEM.
 */
int pd_rollup_profile(struct pd_profile *p, struct pd_image_files *files,
		      struct pd_image_files *other, const struct pd_rollup *r,
		      struct pd_error *err) PD_MUST_USE;

/*
 * Bytes of such rows, [sides] images or NULL; each address counts once. Errors: NOMEM.
 */
int pd_rollup_add_bytes(struct pd_comparison *c, struct pd_image *const *images,
			const struct pd_rollup *r, struct pd_error *err) PD_MUST_USE;

#endif
