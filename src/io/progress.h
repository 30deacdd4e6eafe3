/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far reading is: counted here by any number of threads, drawn by whoever
 * has a terminal.
 */
#ifndef PD_IO_PROGRESS_H
#define PD_IO_PROGRESS_H

#include <stdatomic.h>
#include <stdint.h>

/* Zero-initialise. */
struct pd_progress {
	_Atomic uint64_t n_bytes, n_done; /* to read, and read so far */
};

/* There are n more bytes to read; NULL allowed. */
static inline void pd_progress_expect(struct pd_progress *p, uint64_t n)
{
	if (p)
		atomic_fetch_add_explicit(&p->n_bytes, n, memory_order_relaxed);
}

/* n more bytes are read; NULL allowed. */
static inline void pd_progress_add(struct pd_progress *p, uint64_t n)
{
	if (p)
		atomic_fetch_add_explicit(&p->n_done, n, memory_order_relaxed);
}

#endif
