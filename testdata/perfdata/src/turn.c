// SPDX-License-Identifier: GPL-3.0-or-later
// Works for a while as a file that another has taken the place of.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long sink;

#ifdef LATER
KEPT void put_in_front(void)
{
	sink = 0;
}

KEPT void later_turn(int n)
#else
KEPT void first_turn(int n)
#endif
{
	while (n-- > 0)
		sink = sink * 5 + 1;
}

int main(int argc, char **argv)
{
#ifdef LATER
	put_in_front();
	later_turn(1000);
	return argc < 0;
#else
	first_turn(60000000);
	if (argc > 2 && rename(argv[2], argv[1]) != 0)
		return 1;
	first_turn(60000000);
	return 0;
#endif
}
