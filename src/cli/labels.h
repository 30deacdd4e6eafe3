/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Labels of sides that the user did not name.
 */
#ifndef PD_CLI_LABELS_H
#define PD_CLI_LABELS_H

#include "cli/sides.h"

/*
 * Give every side a label that no other has: its heading or kernel release,
 * else its path less what all sides share. Errors: NOMEM.
 */
int cli_sides_label(struct cli_sides *s, struct pd_error *err) PD_MUST_USE;

/* A path without the suffix of a compressed file, which tells nothing of what is in it. */
struct pd_span cli_plain_name(struct pd_span s);

#endif
