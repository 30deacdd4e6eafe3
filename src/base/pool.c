/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pool. Jobs are taken in order from a counter; a thread that finds none left ends.
 */
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

enum { MAX_THREADS = 64 };

struct pool {
	void (*job)(void *context, uint32_t i);
	void *context;
	uint32_t n;
	_Atomic uint32_t next;
};

/* How many processors this process may use; at least 1. */
static uint32_t count_cpus(void)
{
	cpu_set_t set;
	int n;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	n = CPU_COUNT(&set);
	return n < 1 ? 1 : (uint32_t)n;
}

static void *work(void *arg)
{
	struct pool *pool = arg;
	uint32_t i;

	/* Each thread passes n at most once, so that the counter cannot wrap. */
	while ((i = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed)) < pool->n)
		pool->job(pool->context, i);
	return NULL;
}

void pd_pool_run(uint32_t n, void (*job)(void *context, uint32_t i), void *context)
{
	struct pool pool = {.job = job, .context = context, .n = n};
	uint32_t n_threads = count_cpus(), n_started = 0;
	pthread_t threads[MAX_THREADS];

	if (n > UINT32_MAX - MAX_THREADS - 1)
		n_threads = 1; /* nobody has as many jobs; the counter must not wrap */
	if (n_threads > n)
		n_threads = n;
	while (n_started + 1 < n_threads && n_started < MAX_THREADS &&
	       pthread_create(&threads[n_started], NULL, work, &pool) == 0)
		n_started++;
	(void)work(&pool);
	while (n_started)
		(void)pthread_join(threads[--n_started], NULL);
}
