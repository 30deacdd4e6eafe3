/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far reading is, on a terminal, where it takes longer than a second: bytes,
 * rate and remaining time on one line, which is erased at the end.
 */
#ifndef PD_CLI_PROGRESS_H
#define PD_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

#include "io/progress.h"

/* Zero-initialise. */
struct cli_progress {
	struct pd_progress counts; /* filled by who reads */
	_Atomic uint64_t n_listed; /* bytes of all files that will be read, as far as known */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t ended;
	bool is_running, is_ended;
};

/* Begin to watch; does nothing if standard error is no terminal. */
void cli_progress_start(struct cli_progress *p);
/* End, and leave nothing on the terminal; allowed where nothing was started. */
void cli_progress_stop(struct cli_progress *p);

#endif
