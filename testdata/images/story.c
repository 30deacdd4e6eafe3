/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small function in three callers, one of them with two instances, and one that
 * is inlined into an inlined one. With -fno-inline they have bodies of their own.
 */
int volatile sink;

static int clamp(int x, int low, int high)
{
	return x < low ? low : x > high ? high : x;
}

static int mean(int a, int b)
{
	sink += a;
	return clamp((a + b) / 2, -1000, 1000);
}

int story_first(int x)
{
	return clamp(x, 3, 90) * 7;
}

int story_second(int x, int y)
{
	sink = clamp(x, y, 100);
	return clamp(y, x, 200) + 1;
}

int story_third(int x, int y)
{
	return mean(x, y) - mean(y, x * 3);
}
