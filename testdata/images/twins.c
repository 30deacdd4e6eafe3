/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two functions of the same instructions, which linkers can fold.
 */
int volatile data[4];

int twin_one(int x)
{
	data[0] = x;
	data[1] = x * 77;
	return data[2] - x;
}

int twin_two(int x)
{
	data[0] = x;
	data[1] = x * 77;
	return data[2] - x;
}

int single(int x)
{
	return data[3] + x * 3;
}
