/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folded reader: self and inclusive counts, recursion, two columns, what is
 * no stack.
 */
#include "support.h"

#include <stdio.h>

#define read_text(text) ut_read(text, "folded", NULL)

static const struct pd_weight *weight_of(const struct pd_profile *p, const char *name)
{
	static const struct pd_weight none = {PD_UNKNOWN, PD_UNKNOWN, PD_UNKNOWN,
						PD_UNKNOWN};

	for (uint32_t i = 0; i < p->n_funcs; i++)
		if (!strcmp(pd_strtab_get(&p->strings, p->funcs[i].name), name))
			return pd_profile_weight(p, i, 0);
	return &none;
}

#define assert_self(p, name, x) assert_true(weight_of(p, name)->self == (x))
#define assert_inclusive(p, name, x) assert_true(weight_of(p, name)->inclusive == (x))

static void test_stacks(void **state)
{
	struct ut_reading r = read_text("# austin: 3.3.0\n"
					"// a comment\n"
					"\n"
					"main;a 3\n"
					"main;a;b 4\r\n"
					"  main;b 5\n"
					"other 2.5");
	const struct pd_profile *p;

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 1);
	assert_int_equal(r.diags.n, 0);
	p = r.profiles.items[0];
	assert_string_equal(p->format, "folded");
	assert_null(p->section);
	assert_int_equal(p->n_events, 1);
	assert_string_equal(pd_strtab_get(&p->strings, p->events[0].name), "samples");
	assert_int_equal(p->events[0].unit, PD_UNIT_SAMPLES);
	assert_true(p->events[0].total == 14.5);
	assert_int_equal(p->n_funcs, 4);
	assert_self(p, "main", 0);
	assert_inclusive(p, "main", 12);
	assert_self(p, "a", 3);
	assert_inclusive(p, "a", 7);
	assert_self(p, "b", 9);
	assert_inclusive(p, "b", 9);
	assert_self(p, "other", 2.5);
	assert_inclusive(p, "other", 2.5);
	ut_reading_done(&r);
}

/* A function that is on a stack twice has its samples once. */
static void test_recursion(void **state)
{
	struct ut_reading r = read_text("f;g;f 1\nf;f;f;f 2\ng;f;g 4\nf 8\n");
	const struct pd_profile *p = r.profiles.items[0];

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_self(p, "f", 11);
	assert_inclusive(p, "f", 15);
	assert_self(p, "g", 4);
	assert_inclusive(p, "g", 5);
	ut_reading_done(&r);
}

/*
 * Lines that begin as the last one did, in all ways: more frames, fewer, the
 * same, names that are beginnings of names.
 */
static void test_common_beginnings(void **state)
{
	struct ut_reading r = read_text("a;b;c 1\n"
					"a;b;cc 2\n"
					"a;b 4\n"
					"a;bb 8\n"
					"a 16\n"
					"a 32\n"
					"aa;b 64\n"
					"aa;b;c 128\n");
	const struct pd_profile *p = r.profiles.items[0];

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_self(p, "a", 48);
	assert_inclusive(p, "a", 63);
	assert_self(p, "b", 68);
	assert_inclusive(p, "b", 199);
	assert_self(p, "c", 129);
	assert_self(p, "cc", 2);
	assert_self(p, "bb", 8);
	assert_self(p, "aa", 0);
	assert_inclusive(p, "aa", 192);
	assert_true(p->events[0].total == 255);
	ut_reading_done(&r);
}

/* Frames longer than the 64 bytes that are looked at together, and on their borders. */
static void test_long_frames(void **state)
{
	char text[2048], name[160];

	(void)state;
	for (int len = 1; len < 150; len++) {
		struct ut_reading r;

		memset(name, 'n', (size_t)len);
		name[len] = '\0';
		(void)snprintf(text, sizeof(text), "m;%s;x 1\nm;%s;y 2\n%s;z 4\n", name, name,
			       name);
		r = read_text(text);
		assert_int_equal(r.rc, PD_OK);
		assert_int_equal(r.profiles.items[0]->n_funcs, 5);
		assert_inclusive(r.profiles.items[0], name, 7);
		assert_self(r.profiles.items[0], "z", 4);
		ut_reading_done(&r);
	}
}

static void test_names(void **state)
{
	struct ut_reading r = read_text("a;core::array::<impl Default for [T; _]>::default 1\n"
					"a;worker 3 2\n"
					"a;\tb c\t 4\n");
	const struct pd_profile *p = r.profiles.items[0];

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_self(p, " _]>::default", 1);
	assert_self(p, "worker 3", 2);
	assert_self(p, "\tb c", 4);
	assert_int_equal(r.profiles.n, 1);
	ut_reading_done(&r);
}

/* What has no name is a leftover. */
static void test_unnamed(void **state)
{
	struct ut_reading r = read_text("a;[unknown] 1\n"
					"a;0x7fff12 2\n"
					"a;0xF1BDE348_[k] 4\n"
					"a; 8\n"
					"a;;b 16\n"
					"[unknown];0x12;c 32\n"
					"a;[dd] 64\n"
					"a;0xyz 128\n");
	const struct pd_profile *p = r.profiles.items[0];

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_self(p, "[unknown]", 15);
	assert_false(pd_is_known(weight_of(p, "[unknown]")->inclusive));
	assert_self(p, "b", 16);
	assert_self(p, "c", 32);
	assert_self(p, "[dd]", 64);
	assert_self(p, "0xyz", 128);
	assert_inclusive(p, "a", 223);
	assert_int_equal(p->n_funcs, 6);
	assert_int_equal(p->funcs[5].flags, PD_FUNC_LEFTOVER);
	assert_true(p->events[0].total == 255);
	ut_reading_done(&r);
}

static void test_differential(void **state)
{
	struct ut_reading r = read_text("a;b 1 2\n"
					"a;b;c 4 0\n"
					"a 8 16\n"
					"a;worker 3 32\n"
					"a;d 64\n");
	const struct pd_profile *p;

	(void)state;
	/* Three of four stacks with two counts are not enough. */
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 1);
	ut_reading_done(&r);
	r = read_text("a;b 1 2\na;b;c 4 0\na 8 16\na;worker 3 32\n");
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.n, 2);
	p = r.profiles.items[0];
	assert_string_equal(p->section, "base");
	assert_self(p, "b", 1);
	assert_inclusive(p, "b", 5);
	assert_self(p, "worker", 3);
	assert_true(p->events[0].total == 16);
	p = r.profiles.items[1];
	assert_string_equal(p->section, "next");
	assert_self(p, "b", 2);
	assert_inclusive(p, "b", 2);
	assert_self(p, "c", 0);
	assert_inclusive(p, "a", 50);
	assert_true(p->events[0].total == 50);
	ut_reading_done(&r);
}

static void test_bad_lines(void **state)
{
	struct ut_reading r = read_text("main;a 1\n"
					"invalid line\n"
					"main;b -2\n"
					"main;c 1e400\n"
					"main;d 9007199254740993\n"
					"7\n"
					"main;e 2\n");

	(void)state;
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.items[0]->n_funcs, 3);
	assert_int_equal(r.diags.n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(r.diags.items[i].severity, PD_WARNING);
		assert_int_equal(r.diags.items[i].line, i + 2);
	}
	assert_string_equal(r.diags.items[0].text, "expected a stack and a count, found "
						   "\"invalid line\"; line skipped");
	ut_reading_done(&r);
	r = read_text("main;a 9007199254740992\n");
	assert_self(r.profiles.items[0], "a", 9007199254740992.0);
	ut_reading_done(&r);
	r = read_text("main;a\nmain;b -1\n");
	assert_int_equal(r.rc, PD_ERR_EMPTY);
	ut_reading_done(&r);
}

static void test_deep_stacks(void **state)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct ut_reading r;

	(void)state;
	limits.n_frames = 3;
	r = ut_read("a;b;c 1\na;b;c;d 2\naaaaaaa 4\n", "folded", &limits);
	assert_int_equal(r.rc, PD_OK);
	assert_true(r.profiles.items[0]->events[0].total == 5);
	assert_int_equal(r.diags.n, 1);
	assert_int_equal(r.diags.items[0].line, 2);
	ut_reading_done(&r);
}

static void test_limits(void **state)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct ut_reading r;

	(void)state;
	limits.n_functions = 3;
	r = ut_read("a;b 1\na;c 2\nb;c 4\n", "folded", &limits);
	assert_int_equal(r.rc, PD_OK);
	assert_int_equal(r.profiles.items[0]->n_funcs, 3);
	ut_reading_done(&r);
	r = ut_read("a;b 1\na;c 2\na;d 4\n", "folded", &limits);
	assert_int_equal(r.rc, PD_ERR_LIMIT);
	assert_non_null(strstr(r.err.msg, "--max-functions"));
	ut_reading_done(&r);
}

/* Many names, and long ones, through all growth of the table; added up in another way, too. */
static void test_many_names(void **state)
{
	enum { N = 5000 };
	struct pd_buf text = {0};
	const struct pd_profile *p;
	struct ut_reading r;
	char name[64];

	(void)state;
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < N; i++)
			pd_buf_printf(&text, "root;%*d;f%d %d\n", 1 + i % 50, i, i * 7 % N, i);
	r = read_text(text.ptr);
	assert_int_equal(r.rc, PD_OK);
	p = r.profiles.items[0];
	assert_int_equal(p->n_funcs, 2 * N + 1);
	assert_inclusive(p, "root", (double)N * (N - 1));
	for (int i = 0; i < N; i += 37) {
		(void)snprintf(name, sizeof(name), "f%d", i * 7 % N);
		assert_self(p, name, 2.0 * i);
		(void)snprintf(name, sizeof(name), "%*d", 1 + i % 50, i);
		assert_inclusive(p, name, 2.0 * i);
	}
	ut_reading_done(&r);
	pd_buf_done(&text);
}

static void test_sniff(void **state)
{
	static const struct {
		const char *text;
		enum pd_sniff want;
	} cases[] = {
		{"main;a 3\n", PD_SNIFF_YES},
		{"main;a 3\nnot a stack line\nmain;b\n 7\nmain;b 4\n", PD_SNIFF_MAYBE},
		{"main 5\nread 6\n", PD_SNIFF_MAYBE},
		{"main 5 6\nread 6 7\n", PD_SNIFF_NO},
		{"main;a\nmain;b\n", PD_SNIFF_NO},
		{"for (i = 0; i < 3; i++) x = 3\n", PD_SNIFF_NO},
		{"a = 1; b = 2\n", PD_SNIFF_NO},
		{"I have 3 machines and 5\n", PD_SNIFF_NO},
		{"  1005 default_idle   15.7031\n", PD_SNIFF_NO},
		{"          mm4 mm3\nfoo  1   2\n", PD_SNIFF_NO},
		{"\n\n", PD_SNIFF_NO},
	};
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_input in = {.path = "in", .bytes = pd_span_of(cases[i].text),
				      .limits = &limits};

		assert_int_equal(pd_format_find("folded")->sniff(&in), cases[i].want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks),	     cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_common_beginnings), cmocka_unit_test(test_long_frames),
		cmocka_unit_test(test_names),	     cmocka_unit_test(test_unnamed),
		cmocka_unit_test(test_differential), cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_deep_stacks),  cmocka_unit_test(test_limits),
		cmocka_unit_test(test_many_names),   cmocka_unit_test(test_sniff),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
