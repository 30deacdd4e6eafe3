/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Entry of the program.
 */
#include "cli/commands.h"

int main(int argc, char **argv)
{
	return cli_run(argc, argv);
}
