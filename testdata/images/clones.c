/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What gcc clones: scale() for a constant, area() without an aggregate, and guard()
 * in part. The options that turn this off leave them under their own names.
 */
int volatile room[16];

static __attribute__((noinline)) int scale(int x, int factor)
{
	for (int i = 0; i < x; i++)
		room[i & 15] += factor * x + i;
	return room[x & 15];
}

struct box {
	int width, height, depth, weight;
};

static __attribute__((noinline)) int area(const struct box *box, int unused)
{
	(void)unused;
	room[0] = box->width;
	room[1] = box->height;
	return box->width * box->height;
}

int guard(int n)
{
	if (n < 16)
		return n;
	for (int i = 0; i < n; i++) {
		room[i & 15] ^= i * n;
		room[(i + 3) & 15] += room[i & 15] % 7;
		room[(i + 5) & 15] += room[i & 15] % 11;
	}
	return room[3] * 17 + room[4] / 3;
}

int clones_first(int x)
{
	return scale(x, 12) + scale(x + 1, 12);
}

int clones_second(struct box *box)
{
	return area(box, room[2]) + area(box, 3) * 2;
}

int clones_third(int n)
{
	return guard(n) + 1;
}

int clones_fourth(int n)
{
	return guard(n + 1) * 2;
}
