// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that gcc cuts in parts and clones: .cold, .constprop, .isra, .part.
#include <stdlib.h>

static volatile unsigned long sink;

__attribute__((cold, noinline)) static void rare(unsigned long x)
{
	for (int i = 0; i < 200; i++)
		sink += x ^ i;
}

struct pair {
	unsigned long a, b;
};

__attribute__((noinline)) static unsigned long sum(const struct pair *p, int n)
{
	unsigned long x = 0;

	while (n-- > 0)
		x = x * 3 + p->a;
	return x;
}

__attribute__((noinline)) static unsigned long scale(unsigned long x, int by, int n)
{
	while (n-- > 0)
		x = x * by + sink;
	return x;
}

__attribute__((noinline)) void walk(unsigned long x, int n)
{
	for (int i = 0; i < n; i++) {
		sink = x + i;
		if (__builtin_expect((i & 15) == 7, 0)) {
			rare(x);
			for (int k = 0; k < 40; k++)
				sink ^= k;
			rare(x + 1);
		}
	}
}

int main(void)
{
	struct pair p = {3, 4};

	for (int i = 0; i < 30; i++) {
		p.a = i;
		sink = sum(&p, 1000000);
		sink = scale(i, 13, 1000000);
		walk(i, 10000);
	}
	return 0;
}
