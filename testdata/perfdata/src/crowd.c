// SPDX-License-Identifier: GPL-3.0-or-later
// Threads with names of their own, and the clock's code in the vdso.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

#define KEPT __attribute__((noinline, noclone))

KEPT void even_work(int n)
{
	volatile unsigned long x = 1;

	while (n-- > 0)
		x = x * 5 + 1;
}

KEPT void odd_work(int n)
{
	volatile unsigned long x = 1;

	while (n-- > 0)
		x = x * 7 + 1;
}

KEPT void read_clock(int n)
{
	struct timespec now;

	while (n-- > 0)
		clock_gettime(CLOCK_MONOTONIC, &now);
}

static void *thread_main(void *arg)
{
	long i = (long)arg;
	char name[16];

	snprintf(name, sizeof(name), "worker:%ld", i);
	even_work(2000000);
	prctl(PR_SET_NAME, name);
	if (i % 2)
		odd_work(8000000);
	else
		even_work(8000000);
	return NULL;
}

int main(void)
{
	pthread_t threads[6];

	for (long i = 0; i < 6; i++)
		if (pthread_create(&threads[i], NULL, thread_main, (void *)i) != 0)
			return 1;
	for (int i = 0; i < 6; i++)
		pthread_join(threads[i], NULL);
	read_clock(1500000);
	return 0;
}
