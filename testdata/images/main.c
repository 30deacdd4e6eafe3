/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes programs of the other files; WITH_* says of which.
 */
#ifdef WITH_CORES
extern int first_core(int x);
extern int second_core(int x);
#endif
#ifdef WITH_STORY
extern int story_first(int x);
extern int story_second(int x, int y);
extern int story_third(int x, int y);
#endif
#ifdef WITH_COLD
extern int submit(int n);
extern int drain(int n);
#endif
#ifdef WITH_TWINS
extern int twin_one(int x);
extern int twin_two(int x);
extern int single(int x);
#endif

int main(int argc, char **argv)
{
	int sum = argc + (argv != 0);

#ifdef WITH_CORES
	sum += first_core(sum) + second_core(sum);
#endif
#ifdef WITH_STORY
	sum += story_first(sum) + story_second(sum, argc) + story_third(argc, sum);
#endif
#ifdef WITH_COLD
	sum += submit(sum) + drain(sum);
#endif
#ifdef WITH_TWINS
	sum += twin_one(sum) + twin_two(sum) + single(sum);
#endif
	return sum;
}
