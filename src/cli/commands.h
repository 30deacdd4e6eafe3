/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program as a function of its words: what main() calls.
 */
#ifndef PD_CLI_COMMANDS_H
#define PD_CLI_COMMANDS_H

/*
 * Exit status: 0 done, 1 a finding of --fail-on, 2 usage, 3 an input could not
 * be read, 4 internal.
 */
int cli_run(int argc, char **argv);

#endif
