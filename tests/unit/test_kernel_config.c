/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences of kernel configurations.
 */
#include "support.h"

#include "analysis/kernel_config.h"

static void assert_diff(const char *base, const char *next, uint32_t max, uint32_t n,
			const char *want)
{
	struct pd_buf out = {0};

	assert_int_equal(pd_kernel_config_diff(pd_span_of(base), pd_span_of(next), max, &out), n);
	assert_false(out.failed);
	ut_assert_text(base, out.ptr ? out.ptr : "", want);
	pd_buf_done(&out);
}

static void test_diff(void **state)
{
	(void)state;
	assert_diff("", "", 5, 0, "");
	assert_diff("CONFIG_A=y\n", "CONFIG_A=y", 5, 0, "");
	assert_diff("#\n# Automatically\nCONFIG_A=y\n# CONFIG_B is not set\nCONFIG_N=64\n",
		    "CONFIG_A=m\nCONFIG_B=y\nCONFIG_N=128\n", 5, 3,
		    "CONFIG_A y -> m, CONFIG_B n -> y, CONFIG_N 64 -> 128");
	assert_diff("CONFIG_OLD=y\n# CONFIG_S is not set\n", "CONFIG_NEW=\"x y\"\n", 5, 2,
		    "CONFIG_OLD y -> n, CONFIG_NEW n -> \"x y\"");
	assert_diff("CONFIG_A=y\nCONFIG_B=y\nCONFIG_C=y\n", "", 2, 3,
		    "CONFIG_A y -> n, CONFIG_B y -> n");
	assert_diff("CONFIG_\nCONFIG_X\n# CONFIG_Y is set\n", "junk", 5, 0, "");
}

/* More options than are made room for at first. */
static void test_many(void **state)
{
	struct pd_buf base = {0}, next = {0}, out = {0};

	(void)state;
	for (int i = 0; i < 5000; i++) {
		pd_buf_printf(&base, "CONFIG_%d=y\n", i);
		pd_buf_printf(&next, "CONFIG_%d=%s\n", i, i == 4321 ? "m" : "y");
	}
	assert_int_equal(pd_kernel_config_diff(pd_buf_span(&base), pd_buf_span(&next), 9, &out), 1);
	ut_assert_text("many", out.ptr, "CONFIG_4321 y -> m");
	pd_buf_done(&base);
	pd_buf_done(&next);
	pd_buf_done(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
