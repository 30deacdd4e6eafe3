/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Branches that gcc puts into cold parts. COLD is what they call.
 */
__attribute__((cold, noinline)) void complain(int code)
{
	static int volatile last;

	last = code;
}

int volatile queue[64];

__attribute__((noinline)) int submit(int n)
{
	if (n < 0) {
		complain(1);
		complain(n);
		return -1;
	}
	if (n > 64) {
		complain(2);
		return -2;
	}
	for (int i = 0; i < n; i++)
		queue[i] += n;
	return queue[0];
}

__attribute__((noinline)) int drain(int n)
{
	int sum = 0;

	if (n < 0)
		complain(3);
	for (int i = 0; i < n; i++)
		sum += queue[i];
	return sum;
}
