// SPDX-License-Identifier: GPL-3.0-or-later
// A library of load.c, built twice with other names and other sizes.
static volatile unsigned long sink;

__attribute__((noinline)) static void TURN(int n)
{
	while (n-- > 0)
		sink = sink * STEP + 1;
}

__attribute__((visibility("default"))) void run(int n)
{
	for (int i = 0; i < n / 4; i++)
		sink += sink / (i + 1);
	TURN(n);
}
