// SPDX-License-Identifier: GPL-3.0-or-later
// Call chains: a fork of two paths to one leaf, and recursion.
#include <stdlib.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static volatile unsigned long sink;

KEPT unsigned long leaf(unsigned long x, int n)
{
	while (n-- > 0)
		x = x * 3 + (x >> 5);
	sink = x;
	return x;
}

KEPT unsigned long short_way(unsigned long x)
{
	return leaf(x, 20000) + 1;
}

KEPT unsigned long long_way(unsigned long x)
{
	unsigned long sum = 0;

	for (int i = 0; i < 3000; i++)
		sum += sink / (i + 1);
	return leaf(x, 60000) + short_way(sum);
}

KEPT unsigned long deeper(unsigned long x, int depth)
{
	if (depth == 0)
		return leaf(x, 5000);
	return deeper(x + 1, depth - 1) + leaf(x, 1000);
}

int main(int argc, char **argv)
{
	int n_rounds = argc > 1 ? atoi(argv[1]) : 100;

	for (int i = 0; i < n_rounds; i++) {
		sink = short_way(i) + long_way(i);
		sink = deeper(i, 12);
		for (int k = 0; k < 100; k++)
			sink = (unsigned long)getppid();
	}
	return 0;
}
