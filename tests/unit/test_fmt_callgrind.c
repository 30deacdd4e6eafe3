/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The callgrind reader: whose a cost is, names and numbers, relative numbers, parts and
 * processes, circles of calls, what is no line of it.
 */
#include "support.h"

#include <stdlib.h>

#define EVENTS "events: Ir\n"

/* Functions as "NAME@MODULE=SELF/INCLUSIVE xCALLS;" in the first event. */
static char *dump(const struct pd_profile *p)
{
	struct pd_buf b = {0};

	pd_buf_printf(&b, "%.10g:", p->events[0].total);
	for (uint32_t i = 0; i < p->n_funcs; i++) {
		const struct pd_func *f = &p->funcs[i];
		const struct pd_weight *w = pd_profile_weight(p, i, 0);

		pd_buf_printf(&b, " %s", pd_strtab_get(&p->strings, f->name));
		if (f->module.id)
			pd_buf_printf(&b, "@%s", pd_strtab_get(&p->strings, f->module));
		if (pd_is_known(w->self))
			pd_buf_printf(&b, "=%.10g", w->self);
		if (pd_is_known(w->inclusive))
			pd_buf_printf(&b, "/%.10g", w->inclusive);
		if (pd_is_known(f->n_calls))
			pd_buf_printf(&b, "x%.10g", f->n_calls);
	}
	return b.ptr;
}

/* The first profile, and how many diagnostics there are. */
static void assert_read(const char *text, size_t n_diags, const char *want)
{
	struct ut_reading r = ut_read(text, "callgrind", NULL);
	char *have;

	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.diags.n, n_diags);
	have = dump(r.profiles.items[0]);
	ut_assert_text(text, have, want);
	free(have);
	ut_reading_done(&r);
}

static void test_costs(void **state)
{
	(void)state;
	assert_read(EVENTS "fn=a\n1 2\n+1 3\n* 4\n-1 5\n0x10 6\n", 0, "20: a=20");
	/* A callee's cost is not the caller's own; nor is it the callee's: it has its own. */
	assert_read(EVENTS "fn=a\n1 2\ncfn=b\ncalls=3 9\n1 40\n2 5\nfn=b\n9 40\n", 0,
		    "47: a=7/47 b=40/40x3");
	/* A function may be there more than once, and without costs. */
	assert_read(EVENTS "fn=a\n1 2\nfn=b\nfn=a\n1 2\n", 0, "4: a=4 b=0");
	assert_read("positions: instr line\n" EVENTS "fn=a\n0x1 1 2\n+4 +0 3\n", 0, "5: a=5");
	/* Costs may be relative, and left out at the end. */
	assert_read(EVENTS "fn=a\n1 100\n2 -40\n3 *\n4 +1\n5\n", 0, "281: a=281");
	assert_read("events: A B\nfn=a\n1 7\n2 1 2\n", 0, "8: a=8");
}

static void test_calls(void **state)
{
	(void)state;
	/* A jump's line is no cost; a function's calls of itself are within its cost. */
	assert_read(EVENTS "fn=a\n1 2\njump=5 7\n+3\njcnd=1/2 9\n4 9\n"
			   "cfn=a\ncalls=2 1\n3 50\n", 0, "2: a=2/2x2");
	/* cob= is for one call. */
	assert_read(EVENTS "ob=x\nfn=a\n1 2\ncob=y\ncfn=b\ncalls=1 0\n1 3\ncfn=b\ncalls=1 0\n1 4\n",
		    0, "2: a@x=2/9 b@yx1 b@xx1");
	/* a calls b calls a: what they cost may be there twice, and is nothing above the sum. */
	assert_read(EVENTS "fn=a\n1 5\ncfn=b\ncalls=1 0\n1 4\nfn=b\n1 5\ncfn=a\ncalls=1 0\n1 6\n",
		    1, "10: a=5/9x1 b=5x1");
	/* Number of calls unknown: 0. */
	assert_read(EVENTS "fn=a\n1 5\ncfn=b\ncalls=0 0\n1 4\nfn=b\n1 4\n", 0, "9: a=5/9 b=4/4");
}

static void test_names(void **state)
{
	(void)state;
	assert_read(EVENTS "fn=(1) a\n1 2\nfn=(2) (below main)\n1 3\nfn=(1)\n1 4\n", 0,
		    "9: a=6 (below main)=3");
	/* A number means another name where it is given one; objects have their own numbers. */
	assert_read(EVENTS "ob=(1) x\nfn=(1) a\n1 2\nfn=(1) b\n1 3\nfn=(1)\n1 4\n", 0,
		    "9: a@x=2 b@x=7");
	assert_read(EVENTS "ob=(1) x\nfn=a\n1 2\ncfn=(9)\n", 1, "2: a@x=2");
	/* What has no name. */
	assert_read(EVENTS "ob=x\nfn=???\n1 2\nfn=0x00401000'2\n1 3\nfn=0xyz\n1 4\n", 0,
		    "9: 0xyz@x=4 [unknown]@x=5");
	assert_read(EVENTS "ob=???\nfn=a\n1 2\n", 0, "2: a=2");
}

static void test_files(void **state)
{
	struct ut_reading r = ut_read(EVENTS "fl=(1) a.c\nfn=a\n1 2\nfi=(2) b.h\n3 4\nfe=(1)\n5 6\n"
					     "fi=(2)\n7 8\nfn=b\n1 1\nfl=(2)\nfn=c\n1 1\n",
				      NULL, NULL);
	const struct pd_profile *p = r.profiles.items[0];
	static const char *const files[] = {"a.c", "a.c", "b.h"};

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_string_equal(p->format, "callgrind");
	assert_int_equal(p->n_funcs, 3);
	for (uint32_t i = 0; i < 3; i++)
		assert_string_equal(pd_strtab_get(&p->strings, p->funcs[i].file), files[i]);
	assert_true(pd_profile_weight(p, 0, 0)->self == 20);
	ut_reading_done(&r);
}

static void test_totals(void **state)
{
	(void)state;
	assert_read(EVENTS "summary: 10\nfn=a\n1 2\n", 0, "10: a=2 [unlisted]=8");
	/* The last word is that of totals; parts add up, if each of them has one. */
	assert_read(EVENTS "summary: 10\nfn=a\n1 2\ntotals: 2\n" EVENTS "fn=a\n1 3\ntotals: 4\n", 0,
		    "6: a=5 [unlisted]=1");
	assert_read(EVENTS "fn=a\n1 2\ntotals: 3\n" EVENTS "fn=a\n1 3\n", 0, "5: a=5");
	/* The number of a process is that of a run. */
	assert_read("pid: 1\n" EVENTS "fn=a\n1 2\npid: 1\n" EVENTS "fn=a\n1 3\npid: 2\n" EVENTS
		    "fn=a\n1 4\n", 0, "5: a=5");
	/* Nothing ran, and it says so. */
	assert_read(EVENTS "summary: 0\n", 0, "0:");
}

static void test_bad_lines(void **state)
{
	struct ut_reading r;

	(void)state;
	assert_read(EVENTS "1 2\nfn=a\n1 3\n1 -4\n1 2 3\nhello\n1 9007199254740993\n1 1x\n", 5,
		    "3: a=3");
	assert_read("Hi,\n1 2\nfn=b\n" EVENTS "fn=a\n1 3\ncalls=2 1\n1 4\ncfn=b\ncalls=x\n1 5\n", 2,
		    "3: a=3");
	r = ut_read("positions: line\n" EVENTS "summary: 1\n", NULL, NULL);
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
	r = ut_read("events: a b c\n" "1 2 3\n", NULL, NULL);
	assert_int_equal(r.rc, PD_ERR_UNRECOGNISED);
	ut_reading_done(&r);
}

/* A chain of calls that is as long as the input allows needs no deep stack. */
static void test_long_chain(void **state)
{
	enum { N = 200000 };
	struct pd_buf b = {0};
	struct ut_reading r;

	(void)state;
	pd_buf_add_str(&b, EVENTS);
	for (int i = 0; i < N; i++)
		pd_buf_printf(&b, "fn=f%d\n1 1\ncfn=f%d\ncalls=1 1\n1 0\n", i, (i + 1) % N);
	r = ut_read(b.ptr, "callgrind", NULL);
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.diags.n, 1);
	assert_non_null(strstr(r.diags.items[0].text, "200000 functions"));
	ut_reading_done(&r);
	pd_buf_done(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_long_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
