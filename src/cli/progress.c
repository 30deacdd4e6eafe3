/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Progress. Contract: progress.h. A thread of its own draws, so that readers only
 * count.
 */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "io/writer.h"

enum {
	FIRST_MS = 1000, /* what is done by then needs no bar */
	STEP_MS = 200,
	BAR_WIDTH = 24,
};

static double now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void write_line(const char *text)
{
	struct pd_writer w;

	pd_writer_init_fd(&w, STDERR_FILENO);
	pd_writer_add_str(&w, text);
	if (pd_writer_close(&w, NULL) != PD_OK)
		pd_writer_abort(&w); /* a terminal that is gone shows no bar */
}

/* "reading [=====>     ]  45%  216 of 481 MB  310 MB/s  1 s left" */
static void draw(const struct cli_progress *p, double seconds)
{
	double n_begun = (double)atomic_load(&p->counts.n_bytes);
	double n_listed = (double)atomic_load(&p->n_listed);
	double n_bytes = n_begun > n_listed ? n_begun : n_listed;
	double n_done = (double)atomic_load(&p->counts.n_done);
	double ratio = n_bytes > 0 ? n_done / n_bytes : 0;
	char bar[BAR_WIDTH + 1], line[160];
	int n_full;

	if (n_bytes <= 0 || n_done <= 0)
		return;
	ratio = ratio > 1 ? 1 : ratio;
	n_full = (int)(ratio * BAR_WIDTH);
	for (int i = 0; i < BAR_WIDTH; i++)
		bar[i] = i < n_full ? '=' : i == n_full ? '>' : ' ';
	bar[BAR_WIDTH] = '\0';
	(void)snprintf(line, sizeof(line),
		       "\rreading [%s] %3.0f%%  %.0f of %.0f MB  %.0f MB/s  %.0f s left\x1b[K", bar,
		       100 * ratio, n_done / 1e6, n_bytes / 1e6, n_done / seconds / 1e6,
		       seconds * (1 - ratio) / ratio);
	write_line(line);
}

static void *watch(void *arg)
{
	struct cli_progress *p = arg;
	double start = now_s();
	bool is_drawn = false;
	struct timespec next;

	(void)clock_gettime(CLOCK_MONOTONIC, &next);
	next.tv_sec += FIRST_MS / 1000;
	(void)pthread_mutex_lock(&p->lock);
	while (!p->is_ended) {
		if (pthread_cond_timedwait(&p->ended, &p->lock, &next) == 0)
			continue;
		draw(p, now_s() - start);
		is_drawn = true;
		next.tv_nsec += STEP_MS * 1000000L;
		next.tv_sec += next.tv_nsec / 1000000000L;
		next.tv_nsec %= 1000000000L;
	}
	(void)pthread_mutex_unlock(&p->lock);
	if (is_drawn)
		write_line("\r\x1b[K");
	return NULL;
}

void cli_progress_start(struct cli_progress *p)
{
	pthread_condattr_t attr;

	if (!isatty(STDERR_FILENO) || pthread_mutex_init(&p->lock, NULL) != 0)
		return;
	/* Initialising these cannot fail on Linux, and a bar is not worth more code. */
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&p->ended, &attr);
	(void)pthread_condattr_destroy(&attr);
	p->is_running = pthread_create(&p->thread, NULL, watch, p) == 0;
}

void cli_progress_stop(struct cli_progress *p)
{
	if (!p->is_running)
		return;
	(void)pthread_mutex_lock(&p->lock);
	p->is_ended = true;
	(void)pthread_cond_signal(&p->ended);
	(void)pthread_mutex_unlock(&p->lock);
	(void)pthread_join(p->thread, NULL);
	(void)pthread_cond_destroy(&p->ended);
	(void)pthread_mutex_destroy(&p->lock);
	p->is_running = false;
}
