/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One body under several names. GROWN makes it larger, RENAMED takes its first name
 * away.
 */
int volatile place[4];

#ifdef RENAMED
#define BODY copy_all_of_it
#else
#define BODY copy
#endif

int BODY(int x)
{
#ifdef GROWN
	place[2] = x / 3;
	place[3] = x % 7;
#endif
	place[0] = x;
	return place[1];
}

#define TEXT(x) #x
#define NAME(x) TEXT(x)
int copy_fast(int x) __attribute__((alias(NAME(BODY))));
int copy_weak(int x) __attribute__((weak, alias(NAME(BODY))));
static int copy_static(int x) __attribute__((alias(NAME(BODY)), used));

int user(int x)
{
	return copy_fast(x) + copy_weak(x) + copy_static(x);
}
