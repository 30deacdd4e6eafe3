/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons: every case is the sides, the options and the whole result, which
 * was worked out by hand. support.h has the form of both; ut_compare() checks
 * in each case that rows and leftovers add up to the totals.
 */
#include "support.h"

#include <stdlib.h>

struct test_case {
	const char *name;
	const char *sides[UT_MAX_SIDES];
	const char *want;
	struct pd_compare_options options;
};

static void check_cases(const struct test_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct test_case *t = &cases[i];
		struct pd_comparison *c;
		struct ut_sides sides;
		char *have;

		ut_sides_init(&sides, t->sides);
		c = ut_compare(&sides, &t->options);
		ut_sides_done(&sides); /* the result must not need them */
		have = ut_dump(c, 5);
		pd_comparison_free(c);
		ut_assert_text(t->name, have, t->want);
		free(have);
	}
}

#define CHECK_CASES(cases) check_cases(cases, sizeof(cases) / sizeof((cases)[0]))

static void test_names_pair(void **state)
{
	static const struct test_case cases[] = {
		{"exact", {"foo 10; bar 5", "foo 12; bar 5"},
		 "= cycles samples [15|17] 15 17 +2 x1.1333\n"
		 "foo exact 11 [10|12] 10 12 +2 x1.2\n"
		 "bar exact 11 [5|5] 5 5 0 x1\n"
		 "paired 1 1 0\n", {0}},
		{"one side only", {"a 4; b 6", "b 8; c 1"},
		 "= cycles samples [10|9] 10 9 -1 x0.9\n"
		 "a base-only 10 [4|0] 4 0 -4 x0\n"
		 "b exact 11 [6|8] 6 8 +2 x1.3333\n"
		 "c next-only 01 [0|1] 0 1 +1 x?\n"
		 "paired 0.6 0.88889 2\n", {0}},
		{"listed without cost", {"a 4; b 0", "a 4; b 0; c 0"},
		 "= cycles samples [4|4] 4 4 0 x1\n"
		 "a exact 11 [4|4] 4 4 0 x1\n"
		 "b exact 11 [0|0] 0 0 0 x?\n"
		 "c next-only 01 [0|0] 0 0 0 x?\n"
		 "paired 1 1 1\n", {0}},
		{"ties by value, then name", {"d 9; c 1; b 1; a 5", "d 8; c 2; b 2; a 6"},
		 "= cycles samples [16|18] 16 18 +2 x1.125\n"
		 "d exact 11 [9|8] 9 8 -1 x0.88889\n"
		 "a exact 11 [5|6] 5 6 +1 x1.2\n"
		 "b exact 11 [1|2] 1 2 +1 x2\n"
		 "c exact 11 [1|2] 1 2 +1 x2\n"
		 "paired 1 1 0\n", {0}},
		{"leftovers are no functions", {"f 5; [x] 1; [unknown] 2", "f 5; [unknown] 4"},
		 "= cycles samples [8|9] 8 9 +1 x1.125\n"
		 "f exact 11 [5|5] 5 5 0 x1\n"
		 "- [unknown] [2|4] 2 4 +2 x2\n"
		 "- [x] [1|0] 1 0 -1 x0\n"
		 "paired 0.625 0.55556 0\n", {0}},
		{"three sides", {"f 10; g 1", "f 20", "g 5; h 2"},
		 "= cycles samples [11|20|7] 11 20 7 +9 x1.8182 -4 x0.63636\n"
		 "f exact 110 [10|20|0] 10 20 0 +10 x2 -10 x0\n"
		 "g exact 101 [1|0|5] 1 0 5 -1 x0 +4 x5\n"
		 "h next-only 001 [0|0|2] 0 0 2 0 x? +2 x?\n"
		 "paired 1 0.92593 1\n", {0}},
		{"means and deviations", {"f 10|f 12; g 3|f 17", "f 20|f 24"},
		 "= cycles samples [10 15 17|20 24] 14~3.6056 22~2.8284 +8 x1.5714\n"
		 "f exact 11 [10 12 17|20 24] 13~3.6056 22~2.8284 +9 x1.6923\n"
		 "g base-only 10 [0 3 0|0 0] 1~1.7321 0~0 -1 x0\n"
		 "paired 0.92857 1 1\n", {0}},
	};

	(void)state;
	CHECK_CASES(cases);
}

static void test_modules(void **state)
{
	static const struct test_case cases[] = {
		{"kernel spellings", {"f@[kernel.kallsyms] 3; g@[ext4] 1",
				      "f@/boot/vmlinux-6.1 5; g@/lib/modules/6/fs/ext4.ko.xz 1"},
		 "= cycles samples [4|6] 4 6 +2 x1.5\n"
		 "f@vmlinux exact 11 [3|5] 3 5 +2 x1.6667\n"
		 "g@ext4 exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 1 0\n", {0}},
		{"base name", {"f@/usr/bin/x 3; g@x2 1", "f@x 5; g@/opt/x2 1"},
		 "= cycles samples [4|6] 4 6 +2 x1.5\n"
		 "f@/usr/bin/x exact 11 [3|5] 3 5 +2 x1.6667\n"
		 "g@x2 exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 1 0\n", {0}},
		{"base name that is not unique", {"f@/a/x 3; g@/b/x 1", "f@/c/x 5"},
		 "= cycles samples [4|5] 4 5 +1 x1.25\n"
		 "f@/c/x next-only 01 [0|5] 0 5 +5 x?\n"
		 "f@/a/x base-only 10 [3|0] 3 0 -3 x0\n"
		 "g@/b/x base-only 10 [1|0] 1 0 -1 x0\n"
		 "paired 0 0 3\n", {0}},
		{"path before base name", {"f@/a/x 3", "f@/a/x 4; f@/b/x 2"},
		 "= cycles samples [3|6] 3 6 +3 x2\n"
		 "f@/b/x next-only 01 [0|2] 0 2 +2 x?\n"
		 "f@/a/x exact 11 [3|4] 3 4 +1 x1.3333\n"
		 "paired 1 0.66667 1\n", {0}},
		{"a side without modules", {"f@a 3; f@b 4; [unknown]@a 1", "f 5; [unknown] 2"},
		 "= cycles samples [8|7] 8 7 -1 x0.875\n"
		 "f exact 11 [7|5] 7 5 -2 x0.71429\n"
		 "- [unknown] [1|2] 1 2 +1 x2\n"
		 "paired 0.875 0.71429 0\n", {0}},
		{"no modules on one of three sides", {"f@a 3", "f@b 5", "f 7"},
		 "= cycles samples [3|5|7] 3 5 7 +2 x1.6667 +4 x2.3333\n"
		 "f exact 111 [3|5|7] 3 5 7 +2 x1.6667 +4 x2.3333\n"
		 "paired 1 1 0\n", {0}},
		{"functions without a module", {"f@m 1; g 2", "f@m 1; g 3; f 1"},
		 "= cycles samples [3|5] 3 5 +2 x1.6667\n"
		 "g exact 11 [2|3] 2 3 +1 x1.5\n"
		 "f next-only 01 [0|1] 0 1 +1 x?\n"
		 "f@m exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 0.8 1\n", {0}},
		{"leftovers of a module", {"f@m 1; [unknown]@m 2; [unknown]@n 3",
					   "f@m 1; [unknown]@m 4"},
		 "= cycles samples [6|5] 6 5 -1 x0.83333\n"
		 "f@m exact 11 [1|1] 1 1 0 x1\n"
		 "- [unknown]@m [2|4] 2 4 +2 x2\n"
		 "- [unknown]@n [3|0] 3 0 -3 x0\n"
		 "paired 0.16667 0.2 0\n", {0}},
	};

	(void)state;
	CHECK_CASES(cases);
}

static void test_families(void **state)
{
	static const struct test_case cases[] = {
		{"variants differ", {"foo 10; foo.cold 2", "foo.isra.0 7"},
		 "= cycles samples [12|7] 12 7 -5 x0.58333\n"
		 "foo suffix 11 [12|7] 12 7 -5 x0.58333\n"
		 "  foo base-only 10 [10|0] 10 0 -10 x0\n"
		 "  foo.isra.0 next-only 01 [0|7] 0 7 +7 x?\n"
		 "  foo.cold base-only 10 [2|0] 2 0 -2 x0\n"
		 "paired 1 1 0\n", {0}},
		{"same variants", {"foo 10; foo.cold 2", "foo 9; foo.cold 4"},
		 "= cycles samples [12|13] 12 13 +1 x1.0833\n"
		 "foo exact 11 [12|13] 12 13 +1 x1.0833\n"
		 "  foo.cold exact 11 [2|4] 2 4 +2 x2\n"
		 "  foo exact 11 [10|9] 10 9 -1 x0.9\n"
		 "paired 1 1 0\n", {0}},
		{"on one side", {"x 1", "x 1; foo 3; foo.cold 4"},
		 "= cycles samples [1|8] 1 8 +7 x8\n"
		 "foo next-only 01 [0|7] 0 7 +7 x?\n"
		 "  foo.cold next-only 01 [0|4] 0 4 +4 x?\n"
		 "  foo next-only 01 [0|3] 0 3 +3 x?\n"
		 "x exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 0.125 1\n", {0}},
		{"a lone variant keeps its name", {"foo.cold 3", "foo.cold 4"},
		 "= cycles samples [3|4] 3 4 +1 x1.3333\n"
		 "foo.cold exact 11 [3|4] 3 4 +1 x1.3333\n"
		 "paired 1 1 0\n", {0}},
		{"within a module", {"foo@a 1; foo.cold@b 2", "foo@a 2; foo.cold@b 4"},
		 "= cycles samples [3|6] 3 6 +3 x2\n"
		 "foo.cold@b exact 11 [2|4] 2 4 +2 x2\n"
		 "foo@a exact 11 [1|2] 1 2 +1 x2\n"
		 "paired 1 1 0\n", {0}},
		{"exact", {"foo 10; foo.cold 2", "foo.isra.0 7; foo.cold 1"},
		 "= cycles samples [12|8] 12 8 -4 x0.66667\n"
		 "foo base-only 10 [10|0] 10 0 -10 x0\n"
		 "foo.isra.0 next-only 01 [0|7] 0 7 +7 x?\n"
		 "foo.cold exact 11 [2|1] 2 1 -1 x0.5\n"
		 "paired 0.16667 0.125 2\n", {.suffix = PD_SUFFIX_EXACT}},
		{"strip", {"foo 10; foo.cold 2", "foo.isra.0 7"},
		 "= cycles samples [12|7] 12 7 -5 x0.58333\n"
		 "foo exact 11 [12|7] 12 7 -5 x0.58333\n"
		 "paired 1 1 0\n", {.suffix = PD_SUFFIX_STRIP}},
	};

	(void)state;
	CHECK_CASES(cases);
}

static void test_groups_and_renames(void **state)
{
	static const char *const members[] = {"copy_mm", "copy_process"};
	static const struct pd_group groups[] = {{"copies", members, 2}};
	static const struct pd_rename renames[] = {{"old", "fresh"}};
	static const char *const rewrites[] = {"s/^fre(s)h$/newe\\1t/"};
	static const struct test_case cases[] = {
		{"group", {"copy_mm 10; copy_mm.cold 1; copy_process 5; x 1",
			   "copy_process 9; x 1"},
		 "= cycles samples [17|10] 17 10 -7 x0.58824\n"
		 "copies group 11 [16|9] 16 9 -7 x0.5625\n"
		 "  copy_mm base-only 10 [10|0] 10 0 -10 x0\n"
		 "  copy_process exact 11 [5|9] 5 9 +4 x1.8\n"
		 "  copy_mm.cold base-only 10 [1|0] 1 0 -1 x0\n"
		 "x exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 1 0\n", {.groups = groups, .n_groups = 1}},
		{"group over modules", {"copy_mm@a 1; copy_process@b 2; x@a 1",
					"copy_mm@a 1; copy_process@b 4; x@a 1"},
		 "= cycles samples [4|6] 4 6 +2 x1.5\n"
		 "copies group 11 [3|5] 3 5 +2 x1.6667\n"
		 "  copy_process@b exact 11 [2|4] 2 4 +2 x2\n"
		 "  copy_mm@a exact 11 [1|1] 1 1 0 x1\n"
		 "x@a exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 1 0\n", {.groups = groups, .n_groups = 1}},
		{"group on one side", {"x 1", "x 1; copy_mm 2"},
		 "= cycles samples [1|3] 1 3 +2 x3\n"
		 "copies next-only 01 [0|2] 0 2 +2 x?\n"
		 "  copy_mm next-only 01 [0|2] 0 2 +2 x?\n"
		 "x exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 0.33333 1\n", {.groups = groups, .n_groups = 1}},
		{"rename", {"old 4; x 1", "fresh 6; x 1"},
		 "= cycles samples [5|7] 5 7 +2 x1.4\n"
		 "fresh map 11 [4|6] 4 6 +2 x1.5\n"
		 "x exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 1 0\n", {.renames = renames, .n_renames = 1}},
		{"rewrite, behind the renames", {"old 4; x 1", "newest 6; x 1"},
		 "= cycles samples [5|7] 5 7 +2 x1.4\n"
		 "newest map 11 [4|6] 4 6 +2 x1.5\n"
		 "x exact 11 [1|1] 1 1 0 x1\n"
		 "paired 1 1 0\n", {.renames = renames, .n_renames = 1, .rewrites = rewrites,
				    .n_rewrites = 1}},
		{"rename to nothing", {"old 4; x 1", "x 1"},
		 "= cycles samples [5|1] 5 1 -4 x0.2\n"
		 "fresh base-only 10 [4|0] 4 0 -4 x0\n"
		 "x exact 11 [1|1] 1 1 0 x1\n"
		 "paired 0.2 1 1\n", {.renames = renames, .n_renames = 1}},
		{"rename onto a function that is there", {"old 4; fresh 1", "fresh 6"},
		 "= cycles samples [5|6] 5 6 +1 x1.2\n"
		 "fresh map 11 [5|6] 5 6 +1 x1.2\n"
		 "paired 1 1 0\n", {.renames = renames, .n_renames = 1}},
	};

	(void)state;
	CHECK_CASES(cases);
}

static void test_filters(void **state)
{
	static const struct test_case cases[] = {
		{"filter", {"foo 3; bar 2", "foo 4; baz 5"},
		 "= cycles samples [5|9] 5 9 +4 x1.8\n"
		 "foo exact 11 [3|4] 3 4 +1 x1.3333\n"
		 "- [filtered] [2|5] 2 5 +3 x2.5\n"
		 "paired 0.6 0.44444 0\n", {.filter = "^f"}},
		{"exclude", {"foo 3; bar 2; [x] 1", "foo 4; baz 5; [x] 2"},
		 "= cycles samples [6|11] 6 11 +5 x1.8333\n"
		 "baz next-only 01 [0|5] 0 5 +5 x?\n"
		 "bar base-only 10 [2|0] 2 0 -2 x0\n"
		 "- [x] [1|2] 1 2 +1 x2\n"
		 "- [filtered] [3|4] 3 4 +1 x1.3333\n"
		 "paired 0 0 2\n", {.exclude = "foo|none"}},
		{"both", {"ab 1; ac 2; b 4", "ab 1; ac 3; b 4"},
		 "= cycles samples [7|8] 7 8 +1 x1.1429\n"
		 "ac exact 11 [2|3] 2 3 +1 x1.5\n"
		 "- [filtered] [5|5] 5 5 0 x1\n"
		 "paired 0.28571 0.375 0\n", {.filter = "a", .exclude = "b"}},
		{"a member takes its family along", {"foo 3; foo.cold 1; b 1",
						     "foo 3; foo.cold 2; b 1"},
		 "= cycles samples [5|6] 5 6 +1 x1.2\n"
		 "b exact 11 [1|1] 1 1 0 x1\n"
		 "- [filtered] [4|5] 4 5 +1 x1.25\n"
		 "paired 0.2 0.16667 0\n", {.exclude = "cold"}},
		{"families that stay", {"a 9; foo 3; foo.cold 1; z 1", "a 9; foo 3; foo.cold 3"},
		 "= cycles samples [14|15] 14 15 +1 x1.0714\n"
		 "foo exact 11 [4|6] 4 6 +2 x1.5\n"
		 "  foo.cold exact 11 [1|3] 1 3 +2 x3\n"
		 "  foo exact 11 [3|3] 3 3 0 x1\n"
		 "- [filtered] [10|9] 10 9 -1 x0.9\n"
		 "paired 0.28571 0.4 0\n", {.filter = "o$"}},
		{"nothing stays", {"a 1", "a 2"},
		 "= cycles samples [1|2] 1 2 +1 x2\n"
		 "- [filtered] [1|2] 1 2 +1 x2\n"
		 "paired 0 0 0\n", {.filter = "q"}},
		{"nothing goes", {"a 1", "a 2"},
		 "= cycles samples [1|2] 1 2 +1 x2\n"
		 "a exact 11 [1|2] 1 2 +1 x2\n"
		 "paired 1 1 0\n", {.exclude = "q"}},
	};

	(void)state;
	CHECK_CASES(cases);
}

static void test_cut_lists(void **state)
{
	static const struct test_case cases[] = {
		{"unknown is not 0", {"!cycles samples 100; a 60; b 30", "a 50; c 20"},
		 "= cycles samples [100|70] 100 70 -30 x0.7\n"
		 "b base-only 10 [30|0] 30 0 -30 x0\n"
		 "a exact 11 [60|50] 60 50 -10 x0.83333\n"
		 "c next-only 01 [?|20] ? 20 ? x?\n"
		 "- [unlisted] [10|0] 10 0 -10 x0\n"
		 "paired 0.6 0.71429 2\n", {0}},
		{"what one run lists and another hides", {
			"!cycles samples 100; a 60; b 30|!cycles samples 100; a 70", "a 50; b 9"},
		 "= cycles samples [100 100|59] 100~0 59 -41 x0.59\n"
		 "a exact 11 [60 70|50] 65~7.0711 50 -15 x0.76923\n"
		 "b exact 11 [30 ?|9] ? 9 ? x?\n"
		 "- [unlisted] [40 30|0] 35~7.0711 0 -35 x0\n"
		 "paired 0.65 1 0\n", {0}},
		{"a complete run among cut ones", {"a 60; b 30|!cycles samples 99; a 70",
						   "a 50; c 9"},
		 "= cycles samples [90 99|59] 94.5~6.364 59 -35.5 x0.62434\n"
		 "a exact 11 [60 70|50] 65~7.0711 50 -15 x0.76923\n"
		 "c next-only 01 [0 ?|9] ? 9 ? x?\n"
		 "b base-only 10 [30 ?|0] ? 0 ? x?\n"
		 "- [unlisted] [30 29|0] 29.5~0.70711 0 -29.5 x0\n"
		 "paired 0.68783 0.84746 2\n", {0}},
		{"a family with a hidden member", {"!cycles samples 100; foo 60",
						   "foo 50; foo.cold 5"},
		 "= cycles samples [100|55] 100 55 -45 x0.55\n"
		 "foo suffix 11 [?|55] ? 55 ? x?\n"
		 "  foo exact 11 [60|50] 60 50 -10 x0.83333\n"
		 "  foo.cold next-only 01 [?|5] ? 5 ? x?\n"
		 "- [unlisted] [100|0] 100 0 -100 x0\n"
		 "paired 0 1 0\n", {0}},
		{"hidden and filtered", {
			"!cycles samples 100; a 60; b 30|!cycles samples 100; a 70", "a 50; b 9"},
		 "= cycles samples [100 100|59] 100~0 59 -41 x0.59\n"
		 "a exact 11 [60 70|50] 65~7.0711 50 -15 x0.76923\n"
		 "- [unlisted] [40 30|0] 35~7.0711 0 -35 x0\n"
		 "- [filtered] [0 0|9] 0~0 9 +9 x?\n"
		 "paired 0.65 0.84746 0\n", {.exclude = "b"}},
		{"both sides cut", {"!cycles samples 10; a 6", "!cycles samples 10; b 5"},
		 "= cycles samples [10|10] 10 10 0 x1\n"
		 "a base-only 10 [6|?] 6 ? ? x?\n"
		 "b next-only 01 [?|5] ? 5 ? x?\n"
		 "- [unlisted] [4|5] 4 5 +1 x1.25\n"
		 "paired 0 0 2\n", {0}},
	};

	(void)state;
	CHECK_CASES(cases);
}

static void test_events(void **state)
{
	static const struct test_case cases[] = {
		{"modifiers", {"!cycles samples; f 1; !instructions events; f 10",
			       "!instructions:u events; f 20; !cycles:P samples; f 2"},
		 "= cycles samples [1|2] 1 2 +1 x2\n"
		 "f exact 11 [1|2] 1 2 +1 x2\n"
		 "= instructions events [10|20] 10 20 +10 x2\n"
		 "f exact 11 [10|20] 10 20 +10 x2\n"
		 "paired 1 1 0\n", {0}},
		{"one event that differs only in its modifiers from another",
		 {"!cycles:u samples; f 1; !cycles:k samples; f 10",
		  "!cycles:u samples; f 2; !cycles:k samples; f 20"},
		 "= cycles:u samples [1|2] 1 2 +1 x2\n"
		 "f exact 11 [1|2] 1 2 +1 x2\n"
		 "= cycles:k samples [10|20] 10 20 +10 x2\n"
		 "f exact 11 [10|20] 10 20 +10 x2\n"
		 "paired 1 1 0\n", {0}},
		{"modifiers that leave no choice are no name",
		 {"!cycles:u samples; f 1; !cycles:k samples; f 10; !faults events; f 3",
		  "!cycles:u samples; f 2; !faults events; f 4"},
		 "= cycles:u samples [1|2] 1 2 +1 x2\n"
		 "f exact 11 [1|2] 1 2 +1 x2\n"
		 "= faults events [3|4] 3 4 +1 x1.3333\n"
		 "f exact 11 [3|4] 3 4 +1 x1.3333\n"
		 "paired 1 1 0\n", {0}},
		{"tracepoints have no modifiers",
		 {"!kmem:kfree events; f 1; !kmem:kmalloc events; f 2",
		  "!kmem:kmalloc events; f 20; !kmem:kfree events; f 10"},
		 "= kmem:kfree events [1|10] 1 10 +9 x10\n"
		 "f exact 11 [1|10] 1 10 +9 x10\n"
		 "= kmem:kmalloc events [2|20] 2 20 +18 x10\n"
		 "f exact 11 [2|20] 2 20 +18 x10\n"
		 "paired 1 1 0\n", {0}},
		{"the only events", {"!cycles samples; f 1", "!cpu-clock ticks; f 3"},
		 "= cycles samples [1|3] 1 3 +2 x3\n"
		 "f exact 11 [1|3] 1 3 +2 x3\n"
		 "paired 1 1 0\n", {0}},
		{"families of two events",
		 {"!cycles samples; f 1; f.cold 1; !faults events; f 2",
		  "!cycles samples; f 2; f.cold 1; !faults events; f 1"},
		 "= cycles samples [2|3] 2 3 +1 x1.5\n"
		 "f exact 11 [2|3] 2 3 +1 x1.5\n"
		 "  f exact 11 [1|2] 1 2 +1 x2\n"
		 "  f.cold exact 11 [1|1] 1 1 0 x1\n"
		 "= faults events [2|1] 2 1 -1 x0.5\n"
		 "f exact 11 [2|1] 2 1 -1 x0.5\n"
		 "paired 1 1 0\n", {0}},
	};

	(void)state;
	CHECK_CASES(cases);
}

static void test_events_left_out(void **state)
{
	const char *const specs[] = {"!cycles samples; f 1; !faults events; f 2",
				     "!cycles samples; f 1; !misses events; f 3", NULL};
	const struct pd_compare_options options = {0};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct pd_diags diags = {0};
	struct ut_sides sides;
	char *have;

	(void)state;
	ut_sides_init(&sides, specs);
	assert_int_equal(pd_compare(sides.inputs, 2, &options, &diags, &c, &err), PD_OK);
	ut_check(c);
	have = ut_dump(c, 5);
	ut_assert_text("left out", have,
		       "= cycles samples [1|1] 1 1 0 x1\n"
		       "f exact 11 [1|1] 1 1 0 x1\n"
		       "paired 1 1 0\n");
	assert_int_equal(diags.n, 2);
	assert_string_equal(diags.items[0].path, "A0");
	assert_string_equal(diags.items[0].text,
			    "event faults is not in every run; it is not compared");
	assert_string_equal(diags.items[1].path, "B0");
	assert_string_equal(diags.items[1].text,
			    "event misses is not in every run; it is not compared");
	assert_int_equal(err.code, PD_OK);
	free(have);
	pd_diags_done(&diags);
	pd_comparison_free(c);
	ut_sides_done(&sides);
}

/* What is beside the numbers: sides, paths, lost samples, notes. */
static void test_sides_and_notes(void **state)
{
	const char *const specs[] = {"!cycles samples 9; f 1; h 3|!cycles samples 9; f 2; h 3",
				     "f 3; g 1", NULL};
	struct pd_comparison *c;
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	sides.runs[0][1]->section = "second";
	sides.runs[1][0]->events[0].n_lost = 7;
	c = ut_compare(&sides, NULL);
	ut_sides_done(&sides);
	assert_string_equal(c->sides[0].label, "A");
	assert_string_equal(c->sides[0].runs[0].path, "A0");
	assert_string_equal(c->sides[0].runs[1].path, "A1#second");
	assert_string_equal(c->sides[1].label, "B");
	assert_string_equal(c->sides[1].runs[0].path, "B0");
	assert_int_equal(c->sides[1].first_run, 2);
	ut_assert_same(c->events[0].n_lost[0], PD_UNKNOWN);
	ut_assert_same(c->events[0].n_lost[2], 7);
	assert_int_equal(c->n_rows, 3);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];
		bool is_hidden = !strcmp(pd_strtab_get(&c->strings, row->name), "g");

		assert_int_equal(row->n_notes, is_hidden);
		if (is_hidden)
			assert_string_equal(row->notes[0],
					    "not in every list of A, which are cut: its cost "
					    "there is unknown");
	}
	pd_comparison_free(c);
}

static void test_errors(void **state)
{
	static const char *const nothing[] = {"qqq"};
	static const struct pd_group groups[] = {{"g", nothing, 1}};
	static const struct {
		const char *sides[3];
		struct pd_compare_options options;
		enum pd_code code;
		const char *message; /* a part of it */
	} cases[] = {
		{{"!cycles samples; f 1", "!cycles events; f 2"}, {0}, PD_ERR_MISMATCH,
		 "A0 counts samples and B0 counts events"},
		{{"f 1|!cycles ns; f 1", "f 2"}, {0}, PD_ERR_MISMATCH, "A1 counts ns"},
		{{"!a samples; f 1; !b samples; f 1", "!c samples; f 1; !d samples; f 1"}, {0},
		 PD_ERR_MISMATCH, "no event is in every run"},
		{{"f 1", "f 2"}, {.filter = "("}, PD_ERR_USAGE, "--filter: bad expression \"(\""},
		{{"f 1", "f 2"}, {.filter = "f", .exclude = "["}, PD_ERR_USAGE,
		 "--exclude: bad expression \"[\""},
		{{"f 1", "f 2"}, {.groups = groups, .n_groups = 1}, PD_ERR_USAGE, "--group g"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_comparison *c = NULL;
		struct pd_error err = {0};
		struct ut_sides sides;

		ut_sides_init(&sides, cases[i].sides);
		assert_int_equal(pd_compare(sides.inputs, sides.n, &cases[i].options, NULL, &c,
					    &err), cases[i].code);
		assert_null(c);
		assert_int_equal(err.code, cases[i].code);
		if (!strstr(err.msg, cases[i].message))
			fail_msg("found \"%s\", expected \"%s\"", err.msg, cases[i].message);
		ut_sides_done(&sides);
	}
}

static void test_differences_are_refused(void **state)
{
	const char *const specs[] = {"f 1", "f 2|f 3", NULL};
	const struct pd_compare_options options = {0};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	sides.runs[1][1]->holds_deltas = true;
	assert_int_equal(pd_compare(sides.inputs, 2, &options, NULL, &c, &err), PD_ERR_MISMATCH);
	assert_null(c);
	assert_non_null(strstr(err.msg, "B1 holds differences"));
	ut_sides_done(&sides);
}

static void test_group_members_that_are_missing(void **state)
{
	static const char *const members[] = {"f", "none", "g"};
	static const struct pd_group groups[] = {{"one", members, 3}, {"two", members + 2, 1}};
	const char *const specs[] = {"f 1; g 2", "f 2; g 3", NULL};
	const struct pd_compare_options options = {.groups = groups, .n_groups = 1};
	const struct pd_compare_options twice = {.groups = groups, .n_groups = 2};
	struct pd_comparison *c = NULL;
	struct pd_error err = {0};
	struct pd_diags diags = {0};
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	assert_int_equal(pd_compare(sides.inputs, 2, &options, &diags, &c, &err), PD_OK);
	ut_check(c);
	assert_int_equal(diags.n, 1);
	assert_string_equal(diags.items[0].kind, "group");
	assert_non_null(strstr(diags.items[0].text, "--group one: there is no function none"));
	pd_comparison_free(c);
	c = NULL;
	/* A function is in the first group that names it; then the second has none. */
	assert_int_equal(pd_compare(sides.inputs, 2, &twice, NULL, &c, &err), PD_ERR_USAGE);
	assert_null(c);
	pd_diags_done(&diags);
	ut_sides_done(&sides);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_pair),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_families),
		cmocka_unit_test(test_groups_and_renames),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_cut_lists),
		cmocka_unit_test(test_events),
		cmocka_unit_test(test_events_left_out),
		cmocka_unit_test(test_sides_and_notes),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_differences_are_refused),
		cmocka_unit_test(test_group_members_that_are_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
