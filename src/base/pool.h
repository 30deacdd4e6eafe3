/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Several jobs at once, on as many threads as the machine has processors for us.
 */
#ifndef PD_BASE_POOL_H
#define PD_BASE_POOL_H

#include <stdint.h>

/*
 * Call job(context, i) once for each i below n, in no certain order, from several
 * threads, this one among them; returns when all are done. Where no thread can be
 * had, fewer do the work.
 */
void pd_pool_run(uint32_t n, void (*job)(void *context, uint32_t i), void *context);

#endif
