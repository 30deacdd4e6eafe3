/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages on standard error.
 */
#ifndef PD_CLI_TELL_H
#define PD_CLI_TELL_H

#include "profdiff/error.h"

/*
 * "profdiff: base.txt:1204: text", safe for a terminal. path may be NULL or
 * empty, line 0.
 */
void cli_tell(const char *path, uint32_t line, const char *text);
void cli_tell_diags(const struct pd_diags *diags);

#endif
