/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conditions: which texts are some, which rows and totals they find, and the
 * line that tells of each.
 */
#include "support.h"

#include <stdlib.h>

#include "analysis/conditions.h"

static void test_good_texts(void **state)
{
	static const char *const good[] = {
		"regressed", "regressed?", "improved", "improved?", "standout", "new", "gone",
		"missing", "ticks>3", "ticks<-3", "ticks>+3%", "ticks<-2.5%", "total>1",
		"total<-1%", "busy>1%", "busy<0", "q<0.05", "q>0.5", "p<1e-3", "p>0.1", "min=20",
		"ticks>+3%,q<0.05", "regressed,min=100,ticks>10",
		"new,new,new,new,new,new,new,new,new,new,new,new,new,new,new,new",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct pd_error err = {0};

		if (pd_conditions_check(good[i], &err) != PD_OK)
			fail_msg("%s: %s", good[i], err.msg);
	}
}

static void test_bad_texts(void **state)
{
	static const struct {
		const char *text, *found; /* the part that is complained of */
	} bad[] = {
		{"", "found \"\""},
		{"regress", "found \"regress\""},
		{"regressed??", "found \"regressed??\""},
		{"standout?", "found \"standout?\""},
		{"Regressed", "found \"Regressed\""},
		{"ticks", "found \"ticks\""},
		{"ticks>", "found \"ticks>\""},
		{"ticks>%", "found \"ticks>%\""},
		{"ticks>3%%", "found \"ticks>3%%\""},
		{"ticks>x", "found \"ticks>x\""},
		{"ticks>nan", "found \"ticks>nan\""},
		{"ticks=3", "found \"ticks=3\""},
		{"ticks>=3", "found \"ticks>=3\""},
		{"q<5%", "found \"q<5%\""},
		{"p=0.1", "found \"p=0.1\""},
		{"min>3", "found \"min>3\""},
		{"min=3%", "found \"min=3%\""},
		{",new", "found \"\""},
		{"new,,gone", "found \"\""},
		{"new,old", "found \"old\""},
		{"new,new,new,new,new,new,new,new,new,new,new,new,new,new,new,new,gone",
		 "found \"gone\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pd_error err = {0};

		if (pd_conditions_check(bad[i].text, &err) != PD_ERR_USAGE)
			fail_msg("%s is taken for a condition", bad[i].text);
		assert_int_equal(err.code, PD_ERR_USAGE);
		if (!strstr(err.msg, bad[i].found))
			fail_msg("%s: %s", bad[i].text, err.msg);
	}
}

static struct pd_row *row_of(struct pd_comparison *c, const char *name)
{
	for (uint32_t i = 0; i < c->n_rows; i++)
		if (!strcmp(pd_strtab_get(&c->strings, c->rows[i].name), name))
			return &c->rows[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void judge_row(struct pd_comparison *c, const char *name, uint32_t side,
		      enum pd_verdict verdict, double p, double q)
{
	struct pd_change *change = &row_of(c, name)->changes[side];

	change->verdict = verdict;
	change->p = p;
	change->q = q;
}

/*
 * Costs are 1000 -> 1056 (B) and 988 (C), busy 900 -> 916 and 888. The order of
 * rows is that of their largest difference: up 60, down 50, idle 40, fresh 20,
 * lost 14, some 2, so that findings of one side come in that order too.
 */
static struct pd_comparison *make_comparison(void)
{
	static const char *const specs[] = {
		"up 400; down 200; some 286; lost 14; default_idle 100",
		"up 460; down 150; some 286; fresh 20; default_idle 140",
		"up 400; down 200; some 288; default_idle 100", NULL,
	};
	struct pd_comparison *c;
	struct ut_sides sides;

	ut_sides_init(&sides, specs);
	c = ut_compare(&sides, NULL);
	ut_sides_done(&sides);
	for (uint32_t i = 0; i < c->n_rows; i++)
		for (uint32_t s = 1; s < c->n_sides; s++)
			judge_row(c, pd_strtab_get(&c->strings, c->rows[i].name), s,
				  PD_VERDICT_NONE, PD_UNKNOWN, PD_UNKNOWN);
	judge_row(c, "up", 1, PD_VERDICT_REGRESSED, 0.001, 0.01);
	judge_row(c, "down", 1, PD_VERDICT_IMPROVED, 0.002, 0.02);
	judge_row(c, "fresh", 1, PD_VERDICT_REGRESSED_MAYBE, 0.02, 0.04);
	judge_row(c, "lost", 1, PD_VERDICT_IMPROVED_MAYBE, 0.03, 0.05);
	judge_row(c, "default_idle", 1, PD_VERDICT_UNCLEAR, 0.2, 0.4);
	judge_row(c, "some", 2, PD_VERDICT_STANDOUT, 0.005, PD_UNKNOWN);
	return c;
}

#define UP     "up: 400 -> 460 samples, +15.0%, regressed (B)\n"
#define DOWN   "down: 200 -> 150 samples, -25.0%, improved (B)\n"
#define IDLE   "default_idle: 100 -> 140 samples, +40.0%, unclear (B)\n"
#define FRESH  "fresh: 0 -> 20 samples, regressed? (B)\n"
#define LOST   "lost: 14 -> 0 samples, -100.0%, improved? (B)\n"
#define LOST_C "lost: 14 -> 0 samples, -100.0% (C)\n"
#define SOME_C "some: 286 -> 288 samples, +0.7%, standout (C)\n"
#define TOTAL  "total: 1000 -> 1056 samples, +5.6% (B)\n"
#define TOTAL_C "total: 1000 -> 988 samples, -1.2% (C)\n"

static const struct {
	const char *text, *want;
} finds[] = {
	{"regressed", UP},
	{"regressed?", UP FRESH},
	{"improved", DOWN},
	{"improved?", DOWN LOST},
	{"standout", SOME_C},
	{"new", FRESH},
	{"gone", LOST LOST_C},
	{"missing", LOST LOST_C},
	{"ticks>20", UP IDLE},
	{"ticks>19", UP IDLE FRESH},
	{"ticks>1,ticks<3", SOME_C},
	{"ticks<-14", DOWN},
	{"ticks<-13", DOWN LOST LOST_C},
	{"ticks>15%", IDLE FRESH}, /* without a base any increase is above any percentage */
	{"ticks>14.9%", UP IDLE FRESH},
	{"ticks<-25%", LOST LOST_C},
	{"ticks<-24%", DOWN LOST LOST_C},
	{"q<0.02", UP},
	{"q<0.021", UP DOWN},
	{"q>0.04", IDLE LOST},
	{"p<0.006", UP DOWN SOME_C},
	{"p>0.03", IDLE},
	{"min=400,ticks>0", UP},
	{"min=461,ticks>0", ""},
	{"min=460,ticks>0", UP},
	{"min=140,ticks>0", UP IDLE SOME_C},
	{"min=20,new", FRESH},
	{"min=21,new", ""},
	{"regressed,ticks>+15%", ""},
	{"regressed,improved", ""},
	{"regressed?,q<0.05,min=30", UP},
	{"total>56", ""},
	{"total>55", TOTAL},
	{"total>5.5%", TOTAL},
	{"total<-1%", TOTAL_C},
	{"total<-11,total>-13", TOTAL_C},
	{"total>0,regressed", ""}, /* no row is a total */
	{"q<0.001", ""},
};

static void test_find(void **state)
{
	struct pd_comparison *c = make_comparison();

	(void)state;
	for (size_t i = 0; i < sizeof(finds) / sizeof(finds[0]); i++) {
		struct pd_buf found = {0};
		struct pd_error err = {0};
		uint32_t n_lines = 0, n;

		assert_int_equal(pd_conditions_check(finds[i].text, &err), PD_OK);
		n = pd_conditions_find(finds[i].text, c, &found);
		pd_buf_add_str(&found, "");
		ut_assert_text(finds[i].text, found.ptr ? found.ptr : "", finds[i].want);
		for (const char *s = finds[i].want; (s = strchr(s, '\n')); s++)
			n_lines++;
		assert_int_equal(n, n_lines);
		pd_buf_done(&found);
	}
	pd_comparison_free(c);
}

/* Busy moves +16 and -12 where the total moves +56 and -12. */
static void test_busy(void **state)
{
	static const struct {
		const char *text;
		uint32_t n;
	} cases[] = {
		{"busy>15", 1}, {"busy>16", 0}, {"busy>1.7%", 1}, {"busy>1.8%", 0},
		{"busy<-11", 1}, {"busy<-12", 0}, {"busy>15,total>55", 1}, {"busy>15,total>56", 0},
	};
	struct pd_comparison *c = make_comparison();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_buf found = {0};

		if (pd_conditions_find(cases[i].text, c, &found) != cases[i].n)
			fail_msg("%s: found %s", cases[i].text, found.ptr ? found.ptr : "nothing");
		pd_buf_done(&found);
	}
	pd_comparison_free(c);
}

/* Means with a fraction have one decimal; findings are appended to what is there. */
static void test_line(void **state)
{
	static const char *const specs[] = {
		"!t ticks; foo 10; bar@ext4 7|!t ticks; foo 11; bar@ext4 7",
		"!t ticks; foo 15; bar@ext4 7", NULL};
	struct pd_buf found = {0};
	struct pd_comparison *c;
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	c = ut_compare(&sides, NULL);
	ut_sides_done(&sides);
	judge_row(c, "foo", 1, PD_VERDICT_NONE, PD_UNKNOWN, PD_UNKNOWN);
	judge_row(c, "bar", 1, PD_VERDICT_FEW, PD_UNKNOWN, PD_UNKNOWN);
	pd_buf_add_str(&found, "before\n");
	assert_int_equal(pd_conditions_find("ticks>4", c, &found), 1);
	assert_int_equal(pd_conditions_find("ticks<1", c, &found), 1);
	ut_assert_text("lines", found.ptr,
		       "before\n"
		       "foo: 10.5 -> 15 ticks, +42.9% (B)\n"
		       "bar: 7 -> 7 ticks, 0.0%, few (B)\n");
	pd_buf_done(&found);
	pd_comparison_free(c);
}

/* A group is found, its members are not; what is filtered out and unknown is not. */
static void test_no_row(void **state)
{
	static const char *const specs[] = {"a 10; b 20; c 30", "a 20; b 30; c 70", NULL};
	static const char *const members[] = {"a", "b"};
	static const struct pd_group group = {"sum", members, 2};
	static const char *const cut[] = {"!x samples 100; a 60; b 40", "!x samples 100; b 50",
					  NULL};
	const struct pd_compare_options options = {
		.groups = &group, .n_groups = 1, .exclude = "^c$"};
	struct pd_buf found = {0};
	struct pd_comparison *c;
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	c = ut_compare(&sides, &options);
	ut_sides_done(&sides);
	assert_int_equal(pd_conditions_find("ticks>0", c, &found), 1);
	assert_memory_equal(found.ptr, "sum: 30 -> 50 samples, +66.7%", 29);
	pd_buf_done(&found);
	pd_comparison_free(c);

	ut_sides_init(&sides, cut);
	c = ut_compare(&sides, NULL);
	ut_sides_done(&sides);
	found = (struct pd_buf){0};
	assert_int_equal(pd_conditions_find("gone", c, &found), 0);
	assert_int_equal(pd_conditions_find("ticks<0", c, &found), 0);
	assert_int_equal(pd_conditions_find("ticks>0", c, &found), 1);
	pd_buf_done(&found);
	pd_comparison_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good_texts), cmocka_unit_test(test_bad_texts),
		cmocka_unit_test(test_find),	   cmocka_unit_test(test_busy),
		cmocka_unit_test(test_line),	   cmocka_unit_test(test_no_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
