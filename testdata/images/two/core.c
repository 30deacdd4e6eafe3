/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other core.c. SECOND_GROWN makes its step() larger.
 */
extern int volatile cores[8];

static __attribute__((noinline)) int step(int x)
{
#ifdef SECOND_GROWN
	cores[6] = x ^ 77;
	cores[7] = x * 9;
	cores[5] = x / 11;
#endif
	cores[1] = x * 100;
	cores[2] = x % 13;
	return cores[3] - x;
}

int second_core(int x)
{
	return step(x) ^ step(x * 2);
}
