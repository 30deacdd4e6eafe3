/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sites of all sorts: calls, tail calls, conditional ones, recursion, a loop that
 * is no call, calls of what another file defines, and of a local function in another
 * section. MORE adds some.
 */
extern int elsewhere(int x);
extern int elsewhere_too(int x);
int volatile state[8];

__attribute__((noinline)) int target(int x)
{
	for (int i = 0; i < x; i++)
		state[i & 7] += x;
	return state[0];
}

__attribute__((noinline)) static int hidden_first(int x)
{
	state[5] = x;
	return state[6];
}

__attribute__((noinline)) static int hidden(int x)
{
	state[1] = x;
	return state[2];
}

int direct(int x)
{
	return target(x) + target(x + 1) * hidden(x) + hidden_first(x);
}

int tail(int x)
{
	state[3] = x;
	return target(x);
}

int conditional(int x)
{
	if (x > 3)
		return target(x);
	return elsewhere(x);
}

__attribute__((noinline)) int depth(int n)
{
	if (n < 2)
		return state[4];
	return depth(n - 1) * depth(n - 2) + state[n & 7];
}

__attribute__((section(".text.other"))) int far_away(int x)
{
	int y = hidden(x) + target(x);

#ifdef MORE
	y += target(y) + hidden(y) + elsewhere(y);
#endif
	return y + elsewhere_too(x);
}

int outside(int x)
{
	return elsewhere(x) * elsewhere(x + 1) + depth(x);
}
