/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * test_scan.c for the code that processors without SSE2 run.
 */
#undef __SSE2__
#include "test_scan.c"
