// SPDX-License-Identifier: GPL-3.0-or-later
// Forks children that work, and children that become another program first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long sink;

KEPT void work_of_parent(int n)
{
	while (n-- > 0)
		sink = sink * 5 + 1;
}

KEPT void work_of_child(int n)
{
	while (n-- > 0)
		sink = sink * 7 + 3;
}

KEPT void work_of_named(int n)
{
	while (n-- > 0)
		sink = sink * 9 + 5;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 20;

	for (int i = 0; i < n; i++) {
		pid_t child = fork();

		if (child == 0) {
			if (i % 3 == 0)
				execl("mix", "mix", "2", (char *)NULL);
			if (i % 3 == 1) {
				prctl(PR_SET_NAME, "two words");
				work_of_named(2000000);
			}
			work_of_child(1000000);
			_exit(0);
		}
		work_of_parent(500000);
		if (i % 4 == 3)
			while (wait(NULL) > 0)
				;
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
