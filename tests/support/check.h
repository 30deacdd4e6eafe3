/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every unit test of numbers begins with: cmocka and what it needs, and a
 * comparison of doubles that says both.
 */
#ifndef PD_TESTS_CHECK_H
#define PD_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Equal to a relative tolerance; NaN equals NaN, infinity itself. */
#define assert_close(found, expected, tolerance) \
	pd_check_close((found), (expected), (tolerance), #found, __FILE__, __LINE__)

static inline void pd_check_close(double found, double expected, double tolerance,
				  const char *what, const char *file, int line)
{
	if (isnan(expected) ? isnan(found) : found == expected)
		return;
	if (fabs(found - expected) <= tolerance * fabs(expected))
		return;
	print_error("%s: expected %.17g, found %.17g\n", what, expected, found);
	_fail(file, line);
}

#endif
