/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of function_graph traces: own time, recursion, tasks, what is
 * missing, and hostile depth.
 */
#include "support.h"

#include <stdio.h>

static const struct pd_profile *profile;

static const struct pd_weight *weight_of(const char *name)
{
	for (uint32_t i = 0; i < profile->n_funcs; i++)
		if (!strcmp(pd_strtab_get(&profile->strings, profile->funcs[i].name), name))
			return pd_profile_weight(profile, i, 0);
	fail_msg("no function %s", name);
	return NULL;
}

static double calls_of(const char *name)
{
	for (uint32_t i = 0; i < profile->n_funcs; i++)
		if (!strcmp(pd_strtab_get(&profile->strings, profile->funcs[i].name), name))
			return profile->funcs[i].n_calls;
	return 0;
}

static struct ut_reading read_trace(const char *text)
{
	struct ut_reading r = ut_read(text, "ftrace-graph", NULL);

	assert_int_equal(r.rc, PD_OK);
	profile = r.profiles.items[0];
	return r;
}

static void test_nesting(void **state)
{
	struct ut_reading r = read_trace(" 0)               |  f() {\n"
					 " 1)   9.000 us    |  other();\n"
					 " 0)   1.000 us    |    g(); /* = 0x1 */\n"
					 " 0)               |    f(a=1) {\n"
					 " 0)   2.000 us    |      g [mod]();\n"
					 " 0)   5.000 us    |    }\n"
					 " 0) + 10.000 us   |  } /* f */\n");

	(void)state;
	assert_true(weight_of("f")->self == 7000);
	assert_true(weight_of("f")->inclusive == 10000); /* recursion counts once */
	assert_true(calls_of("f") == 2);
	assert_true(weight_of("g")->self == 1000); /* of two modules, the first */
	assert_true(profile->events[0].total == 19000);
	assert_int_equal(profile->events[0].unit, PD_UNIT_NS);
	ut_reading_done(&r);
}

static void test_tasks(void **state)
{
	struct ut_reading r = read_trace(" 0)               |  f() {\n"
					 " 0)   a-1    =>    b-2\n"
					 " 0)               |  g() {\n"
					 " 0)   3.000 us    |  }\n"
					 " 0)   b-2    =>    a-1\n"
					 " 0)   8.000 us    |  }\n");

	(void)state;
	assert_true(weight_of("f")->self == 8000);
	assert_true(weight_of("g")->self == 3000);
	ut_reading_done(&r);
}

/* A task that goes on elsewhere takes its calls along. */
static void test_migration(void **state)
{
	struct ut_reading r = read_trace(" a-1 [000] 1.0: funcgraph_entry:            |  f() {\n"
					 " a-1 [001] 1.1: funcgraph_entry:   1.5 us   |    g();\n"
					 " a-1 [001] 1.2: funcgraph_exit:  ! 120.0 us |  }\n");

	(void)state;
	assert_true(weight_of("f")->self == 118500);
	ut_reading_done(&r);
}

static void test_holes(void **state)
{
	struct ut_reading r = read_trace(" 0)               |  f() {\n"
					 " 0)   1.000 us    |    g();\n"
					 "CPU:0 [LOST 7 EVENTS]\n"
					 " 0)   9.000 us    |  }\n"
					 " 0)   4.000 us    |  } /* early */\n"
					 " 0)               |  late() {\n"
					 " 0)   2.000 us    |    g();\n");

	(void)state;
	assert_false(pd_is_known(weight_of("f")->self));
	assert_true(weight_of("f")->inclusive == 9000);
	assert_true(weight_of("early")->inclusive == 4000);
	assert_true(calls_of("late") == 1);
	assert_true(profile->events[0].n_lost == 7);
	assert_true(profile->events[0].total == 11000);
	assert_true(weight_of("[unlisted]")->self == 8000);
	ut_reading_done(&r);
}

/* Deeper than any kernel: counted, and the ends still match. */
static void test_depth(void **state)
{
	struct pd_buf b = {0};
	struct ut_reading r;

	(void)state;
	for (int i = 0; i < 3000; i++)
		pd_buf_add_str(&b, " 0)               |  f() {\n");
	for (int i = 0; i < 3000; i++)
		pd_buf_add_str(&b, " 0)   5.000 us    |  }\n");
	r = read_trace(b.ptr);
	assert_true(calls_of("f") == 3000);
	assert_true(weight_of("f")->inclusive == 5000);
	ut_reading_done(&r);
	pd_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nesting),   cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_migration), cmocka_unit_test(test_holes),
		cmocka_unit_test(test_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
