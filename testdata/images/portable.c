/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For every machine: an inlined function, a static one, calls of them and of what
 * another file defines, in two sections. MORE adds a site each and grows direct();
 * WHOLE makes a program of it, which never runs.
 */
extern int elsewhere(int x);
int volatile words[8];

#ifdef WHOLE
__attribute__((noinline)) int elsewhere(int x)
{
	words[3] = x;
	return words[2];
}
#endif

static inline __attribute__((always_inline)) int fold(int x)
{
	words[7] = x;
	return words[6] ^ x;
}

__attribute__((noinline)) static int hidden_first(int x)
{
	words[5] = x;
	return words[4];
}

__attribute__((noinline)) static int hidden(int x)
{
	words[1] = x;
	return words[2];
}

__attribute__((noinline)) int target(int x)
{
	for (int i = 0; i < x; i++)
		words[i & 7] += x;
	return fold(words[0]);
}

int direct(int x)
{
	int y = target(x) + target(x + 1) * hidden(x) + hidden_first(x);

#ifdef MORE
	y += target(y) * hidden(y) + fold(y) + elsewhere(y);
#endif
	return fold(y);
}

__attribute__((section(".text.other"))) int far_away(int x)
{
	return hidden(x) + target(x) * elsewhere(x) + fold(x);
}
