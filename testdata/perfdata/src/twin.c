// SPDX-License-Identifier: GPL-3.0-or-later
// The other static function of twins.c.
static volatile unsigned long sink;

__attribute__((noinline)) static void step(int n)
{
	for (int i = 0; i < n; i++)
		sink += sink / (i + 1);
}

void twin_main(void)
{
	step(500000);
}
