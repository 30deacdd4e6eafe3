/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gprof reader: both sections, each alone and in any order, circles, names,
 * cycles instead of seconds, what is no row.
 */
#include "support.h"

#include <stdlib.h>

#define FLAT_HEAD "  %   cumulative   self              self     total\n" \
		  " time   seconds   seconds    calls  ms/call  ms/call  name\n"
#define GRAPH_HEAD "index % time    self  children    called     name\n"

/* All profiles: "TOTAL: NAME=SELF/INCLUSIVExCALLS ..." in seconds, with "|" between them. */
static char *dump(const struct ut_reading *r)
{
	struct pd_buf b = {0};

	for (uint32_t k = 0; k < r->profiles.n; k++) {
		const struct pd_profile *p = r->profiles.items[k];
		double unit = p->events[0].unit == PD_UNIT_NS ? 1e9 : 1;

		pd_buf_printf(&b, "%s%.10g:", k ? " | " : "", p->events[0].total / unit);
		for (uint32_t i = 0; i < p->n_funcs; i++) {
			const struct pd_func *f = &p->funcs[i];
			const struct pd_weight *w = pd_profile_weight(p, i, 0);

			pd_buf_printf(&b, " %s=%.10g", pd_strtab_get(&p->strings, f->name),
				      w->self / unit);
			if (pd_is_known(w->inclusive))
				pd_buf_printf(&b, "/%.10g", w->inclusive / unit);
			if (pd_is_known(f->n_calls))
				pd_buf_printf(&b, "x%.10g", f->n_calls);
		}
	}
	return b.ptr;
}

static void assert_read(const char *text, size_t n_diags, const char *want)
{
	struct ut_reading r = ut_read(text, NULL, NULL);
	char *have;

	assert_int_equal(r.rc, PD_OK);
	assert_string_equal(r.profiles.items[0]->format, "gprof");
	assert_int_equal(r.diags.n, n_diags);
	have = dump(&r);
	ut_assert_text(text, have, want);
	free(have);
	ut_reading_done(&r);
}

static void test_flat(void **state)
{
	(void)state;
	assert_read(FLAT_HEAD " 75.0 3.0 3.0 12 0.1 0.2 main\n 25.0 4.0 1.0   f(int, long)\n", 0,
		    "4: main=3x12 f(int, long)=1");
	/* A name that looks like an index is none; one that is goes, with its circle. */
	assert_read(FLAT_HEAD " 1.0 3.0 3.0 1 0.1 0.2 f(1) [12]\n 1.0 4.0 1.0 g (3)\n"
			      " 1.0 4.0 1.0 h <cycle 2> [4]\n 1.0 1.0 1.0 k[3]\n", 0,
		    "6: f(1)=3x1 g=1 h=1 k[3]=1");
	/* Text below ends the table, whatever it looks like. */
	assert_read(FLAT_HEAD "\n 50.0 3.0 3.0 a\n\n 50.0 3.0 3.0 b\n % the percentage\n", 0,
		    "3: a=3");
}

static void test_graph(void **state)
{
	(void)state;
	assert_read(GRAPH_HEAD "                             <spontaneous>\n"
			       "[1]  100.0 0.50 1.50             main [1]\n"
			       "           1.50 0.00  3/3          f [2]\n---------\n"
			       "[2]   75.0 1.50 0.00  3+7        f [2]\n"
			       "[3]   75.0 1.50 0.00  3+7        <cycle 1 as a whole> [3]\n"
			       "[4]    1.0 0.25 0.25  9          g <cycle 1> [4]\n"
			       "Index by function name\n[5] 1.0 1.0 1.0 k [5]\n", 0,
		    "2.25: main=0.5/2 f=1.5/1.5x3 g=0.25x9");
	/* The flat profile has the times, wherever it stands. */
	assert_read(FLAT_HEAD " 75.0 3.0 3.0 f\n\n" GRAPH_HEAD "[1] 100.0 3.01 1.0 f [1]\n"
			      "[2] 100.0 0.00 4.0 main [2]\n", 0, "3: f=3/4.01 main=0/4");
	assert_read(GRAPH_HEAD "[1] 100.0 3.01 1.0 f [1]\n\n" FLAT_HEAD
			       " 75.0 3.0 3.0 7 1 1 f\n", 0, "3: f=3/4.01x7");
}

static void test_runs(void **state)
{
	(void)state;
	assert_read(FLAT_HEAD " 75.0 3.0 3.0 f\n\n" GRAPH_HEAD "[1] 100.0 3.0 1.0 f [1]\n" FLAT_HEAD
			      " 75.0 4.0 4.0 f\n\n" GRAPH_HEAD "[1] 100.0 3.0 2.0 f [1]\n", 0,
		    "3: f=3/4 | 4: f=4/5");
	assert_read(" no time accumulated\n" FLAT_HEAD, 0, "0:");
}

static void test_units(void **state)
{
	struct ut_reading r = ut_read("Each sample counts as 0.001 seconds.\n" FLAT_HEAD
				      " 1.0 3.0 3.0 f\n", "gprof", NULL);
	const struct pd_event *event = &r.profiles.items[0]->events[0];

	(void)state;
	assert_int_equal(event->unit, PD_UNIT_NS);
	assert_true(event->period == 1e6);
	assert_true(event->quantum == 1e7);
	ut_reading_done(&r);
	assert_read("                           self   total\n"
		    "     cumulative    self  cycles  cycles\n"
		    "  %      cycles  cycles calls /call /call name\n"
		    "            (K)     (K)\n 24.38 15200.01 15200.01 100000 0.15 0.40 f\n", 0,
		    "15200010: f=15200010x100000");
	assert_read("index  %   self children called name\n         (M)  (M)\n"
		    "[1] 100.0 2.5 1.0 f [1]\n", 0, "2500000: f=2500000/3500000");
}

static void test_bad_lines(void **state)
{
	struct ut_reading r;

	(void)state;
	assert_read(FLAT_HEAD " 1.0 3.0 3.0 f\n 1.0 -3.0 3.0 f\n 1.0 3.0\n\n" GRAPH_HEAD
			      "[1] x\n[2] 1.0 2.0 3.0\n", 4, "3: f=3");
	r = ut_read(FLAT_HEAD, NULL, NULL);
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
	r = ut_read("index name self called\nthe name of the function\ntime self name calls\n",
		    NULL, NULL);
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
	r = ut_read("cumulative self seconds calls name\ntime is a name\n", NULL, NULL);
	assert_int_equal(r.rc, PD_ERR_UNRECOGNISED);
	ut_reading_done(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flat),  cmocka_unit_test(test_graph),
		cmocka_unit_test(test_runs),  cmocka_unit_test(test_units),
		cmocka_unit_test(test_bad_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
