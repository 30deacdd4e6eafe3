/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The user's habits: options of presentation that hold unless the command line says
 * something else. Two files, the later one wins:
 *
 *   $XDG_CONFIG_HOME/profdiff, else ~/.config/profdiff
 *   .profdiff of the working tree: in this folder or the nearest one above, up to the
 *   one that has .git; without such a one, in this folder only
 *
 * Lines are those of git-config(1), without sections: "# comment", "name = value", and
 * "name" alone for an option without an argument ("name = false" takes it back). A tree
 * may be of a stranger: no option that names a program or a file, or that changes a
 * number, can be set here.
 */
#ifndef PD_CLI_HABITS_H
#define PD_CLI_HABITS_H

#include "cli/opts.h"

/*
 * Read both files into o, which has the defaults. What is wrong with a line is told in
 * diags, and the line is left out. Errors: NOMEM.
 */
int cli_habits_read(struct cli_options *o, struct pd_diags *diags,
		    struct pd_error *err) PD_MUST_USE;

#endif
