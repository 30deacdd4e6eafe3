// SPDX-License-Identifier: GPL-3.0-or-later
// With twin.c: static functions of one name in two files.
void twin_main(void);

static volatile unsigned long sink;

__attribute__((noinline)) static void step(int n)
{
	while (n-- > 0)
		sink = sink * 5 + 1;
}

int main(void)
{
	for (int i = 0; i < 40; i++) {
		step(1500000);
		twin_main();
	}
	return 0;
}
