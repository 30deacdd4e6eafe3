/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Standard output, where it is a terminal: its width, and the pager of the user.
 */
#ifndef PD_CLI_TERMINAL_H
#define PD_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Columns of the terminal that standard output is; 0: it is none, or does not tell. */
uint32_t cli_terminal_width(void);

/* Zero-initialise; a pager that was not started needs no stop. */
struct cli_pager {
	pid_t pid; /* 0: none runs */
	int terminal; /* what standard output was */
};

/*
 * If standard output is a terminal, send what is written to it from now on through the
 * pager of the environment, as git does: PROFDIFF_PAGER, PAGER, less. None if that is
 * "cat", empty, or not there.
 */
void cli_pager_start(struct cli_pager *p);
/* All is written: wait until the user has seen it. */
void cli_pager_stop(struct cli_pager *p);

#endif
