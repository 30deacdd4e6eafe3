/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MAINTAINERS: which section a file is of.
 */
#include "support.h"

#include <stdio.h>
#include <string.h>

#include "analysis/maintainers.h"

static struct pd_maintainers *parse(const char *text, struct pd_diags *diags)
{
	struct pd_maintainers *m = NULL;
	struct pd_error err = {0};

	if (pd_maintainers_parse(pd_span_of(text), "M", diags, &m, &err) != PD_OK)
		fail_msg("%s", err.msg);
	return m;
}

static void check(struct pd_maintainers *m, const char *file, const char *want)
{
	struct pd_span title = pd_maintainers_find(m, pd_span_of(file));

	if (!pd_span_eq(title, want))
		fail_msg("%s: expected \"%s\", found \"%.*s\"", file, want, PD_SPAN_ARG(title));
}

static void matches_patterns(void **state)
{
	static const struct {
		const char *line, *yes, *no; /* files, divided by blanks */
	} cases[] = {
		{"F:\tmm/", "mm/a.c mm/x/b.c", "mm.c kmm/a.c a/mm/a.c"},
		{"F:\tmm", "mm/a.c mm/x/b.c", "kmm/a.c"}, /* a folder without its slash */
		{"F:\tmm/*", "mm/a.c", "mm/x/b.c"},
		{"F:\t*/net/*", "drivers/net/a.c", "drivers/net/x/a.c net/a.c"},
		{"F:\tmm/mem*.c", "mm/memory.c mm/mem.c", "mm/x/mem.c mm/slab.c mm/mem.h"},
		{"F:\tmm/?.c", "mm/a.c", "mm/ab.c"},
		{"F:\tarch/*/boot/", "arch/x86/boot/a.c arch/x86/x/boot/a.c", "arch/x86/a.c"},
		{"F:\tfs/**/foo*.c", "fs/a/foo.c fs/a/b/food.c", "fs/a/bar.c"},
		{"F:\tkernel/fork", "kernel/fork.c kernel/forks.h", "kernel/x/fork.c kernel/for.c"},
		{"F:\ta.c", "a.c a.cc", "axc b/a.c"},
		{"F:\t*", "a.c Kconfig", "b/a.c"},
		{"F:\t*/", "b/a.c b/c/d.c", "a.c"},
		{"N:\t[^a-z]tegra", "drivers/tegra.c x/tegra/y.c", "xtegra.c a/xtegra.c"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[100], files[200], *rest, *file;
		struct pd_maintainers *m;

		(void)snprintf(text, sizeof(text), "ONE\n%s\n", cases[i].line);
		m = parse(text, NULL);
		for (int k = 0; k < 2; k++) {
			(void)snprintf(files, sizeof(files), "%s",
				       k ? cases[i].no : cases[i].yes);
			rest = files;
			while ((file = strsep(&rest, " ")))
				check(m, file, k ? "" : "ONE");
		}
		pd_maintainers_free(m);
	}
}

static void most_specific_wins(void **state)
{
	struct pd_maintainers *m = parse("Text before\n"
					 "\tF: no entry\n"
					 "\n"
					 "NET\r\nM:\tx\nF:\tdrivers/net/\n"
					 "X:\tdrivers/net/wireless/\nX:\tdrivers/net/x*.c\n\n"
					 "CARD\nF:\tdrivers/net/card/\nF:\tinclude/card*.h\n\n"
					 "NET AGAIN\nF:\tdrivers/net/\n\n"
					 "ONE FILE\nF:\tdrivers/net/card/one.c\n\n"
					 "WORD\nN:\tcard\n\n"
					 "DRIVERS\nF:\tdrivers/\n\n"
					 "THE REST\nF:\t*\nF:\t*/\n", NULL);

	(void)state;
	check(m, "drivers/net/a.c", "NET"); /* the first of equal ones */
	check(m, "drivers/net/wireless/a.c", "NET AGAIN");
	check(m, "drivers/net/x1.c", "NET AGAIN");
	check(m, "drivers/net/card/a.c", "CARD");
	check(m, "drivers/net/card/one.c", "ONE FILE");
	check(m, "include/cards.h", "CARD");
	check(m, "drivers/a.c", "DRIVERS");
	check(m, "sound/card.c", "WORD");
	check(m, "drivers/card.c", "DRIVERS");
	check(m, "sound/a.c", "THE REST");
	check(m, "Makefile", "THE REST");
	check(m, "drivers/net/a.c", "NET"); /* remembered */
	check(m, "", "");
	pd_maintainers_free(m);
}

static void refuses(void **state)
{
	static const char *const bad[] = {"", "\n\n", "no list\n", "TITLE\nM:\tme\n", "T\nF:\n",
					  "T\nX:\ta/\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pd_maintainers *m = NULL;
		struct pd_error err = {0};

		assert_int_equal(pd_maintainers_parse(pd_span_of(bad[i]), "M", NULL, &m, &err),
				 PD_ERR_FORMAT);
		assert_null(m);
	}
}

static void leaves_bad_patterns_out(void **state)
{
	char text[3000];
	struct pd_diags diags;
	struct pd_maintainers *m;

	(void)state;
	pd_diags_init(&diags);
	(void)snprintf(text, sizeof(text), "A\nF:\ta/\nN:\tx{3}\nN:\t(\nF:\t%02000d\n", 0);
	m = parse(text, &diags);
	check(m, "a/b.c", "A");
	check(m, "xxx", "");
	assert_int_equal(diags.n, 3);
	pd_maintainers_free(m);
	pd_diags_done(&diags);
}

/* Lines of all sorts: no crash, and no answer that is no title. */
static void takes_anything(void **state)
{
	static const char *const words[] = {"F:\t", "X:\t", "N:\t", "a", "/", "*", "?", "**", "\n",
					    "TITLE\n", "[", ".", "\r", "b.c", "\t", "(", "|"};
	struct ut_random random = {11};

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct pd_buf text = {0};
		struct pd_maintainers *m = NULL;
		struct pd_error err = {0};

		for (uint32_t k = ut_random_below(&random, 60); k > 0; k--)
			pd_buf_add_str(&text, words[ut_random_below(&random, 17)]);
		if (text.len && pd_maintainers_parse(pd_buf_span(&text), "M", NULL, &m, &err) ==
					PD_OK) {
			(void)pd_maintainers_find(m, pd_span_of("a/b.c"));
			(void)pd_maintainers_find(m, pd_span_of("/"));
			(void)pd_maintainers_find(m, pd_span_of("a/a/a"));
		}
		pd_maintainers_free(m);
		pd_buf_done(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matches_patterns),
		cmocka_unit_test(most_specific_wins),
		cmocka_unit_test(refuses),
		cmocka_unit_test(leaves_bad_patterns_out),
		cmocka_unit_test(takes_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
