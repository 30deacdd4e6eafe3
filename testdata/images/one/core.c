/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One of two files called core.c, both with a static function step(); and helper()
 * is only here. GROWN makes this step() larger.
 */
extern int volatile cores[8];
int volatile cores[8];

static __attribute__((noinline)) int helper(int x)
{
	return cores[x & 7] * 3;
}

static __attribute__((noinline)) int step(int x)
{
#ifdef GROWN
	cores[3] = x;
	cores[4] = x * 5;
#endif
	cores[0] = x;
	return cores[1] + x;
}

int first_core(int x)
{
	return step(x) + step(x + 1) * helper(x);
}
