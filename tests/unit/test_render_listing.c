/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Listings: side by side in lines of some width, and as a diff; and that nothing in
 * them gets out of its place.
 */
#include "support.h"

#include <stdlib.h>

#include "base/num.h"
#include "profdiff/render.h"

static void check(const struct pd_document *d, const char *name, uint32_t width, const char *want)
{
	char *have = ut_render(d, name, width);

	ut_assert_text(name, have, want);
	free(have);
}

static struct pd_listing_line *add(struct pd_document *d, struct pd_listing *l,
				   enum pd_listing_op op, const char *base, const char *next)
{
	struct pd_listing_line *line = pd_listing_add_line(d, l, op);

	assert_non_null(line);
	if (base)
		line->sides[0] = (struct pd_listing_cell){PD_UNKNOWN, "1a", base};
	if (next)
		line->sides[1] = (struct pd_listing_cell){PD_UNKNOWN, "2b0", next};
	return line;
}

/* A line of each kind, with ticks. */
static struct pd_document *make(void)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_listing *l = pd_document_add_listing(d, "foo:");
	struct pd_listing_line *line;

	assert_non_null(l);
	l->n_sides = 2;
	l->labels[0] = "A";
	l->labels[1] = "B";
	l->has_numbers = true;
	l->number = (struct pd_column){.title = "ticks", .style = PD_STYLE_COUNT, .decimals = 1};
	pd_listing_add_line(d, l, PD_LISTING_HEADING)->heading = "mm/memory.c:120";
	line = add(d, l, PD_LISTING_SAME, "mov %rax,%rbx", "mov %rcx,%rbx");
	line->sides[0].number = 12;
	line->sides[1].number = 0;
	add(d, l, PD_LISTING_CHANGED, "add $1,%rbx", "add $2,%rbx")->sides[1].number = 1.25;
	add(d, l, PD_LISTING_REMOVED, "call bar", NULL);
	add(d, l, PD_LISTING_ADDED, NULL, "call ` ```` baz");
	(void)pd_listing_add_line(d, l, PD_LISTING_BREAK);
	add(d, l, PD_LISTING_SAME, "ret", "ret");
	return d;
}

static void test_side_by_side(void **state)
{
	struct pd_document *d = make();

	(void)state;
	check(d, "text", 78,
	      "foo:\n"
	      "ticks     A               ticks      B\n"
	      "mm/memory.c:120\n"
	      " 12.0 1a: mov %rax,%rbx         2b0: mov %rcx,%rbx\n"
	      "      1a: add $1,%rbx   |   1.2 2b0: add $2,%rbx\n"
	      "      1a: call bar      <\n"
	      "                        >       2b0: call ` ```` baz\n"
	      "...\n"
	      "      1a: ret                   2b0: ret\n");
	pd_document_free(d);
}

/* What a line has no room for goes on in the next one. */
static void test_narrow(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_listing *l = pd_document_add_listing(d, NULL);

	(void)state;
	l->n_sides = 2;
	add(d, l, PD_LISTING_CHANGED, "movabs $0x12345678,%rax(%rbx,%rcx)", "ret");
	add(d, l, PD_LISTING_REMOVED, "callq  a_name_that_has_no_place_to_be_cut_at", NULL);
	check(d, "text", 40,
	      "1a: movabs $0x12345678,%rax(%rbx, | 2b0: ret\n"
	      "        %rcx)\n"
	      "1a: callq                         <\n"
	      "        a_name_that_has_no_place_\n"
	      "        to_be_cut_at\n");
	pd_document_free(d);
}

static void test_diff(void **state)
{
	struct pd_document *d = make();

	(void)state;
	check(d, "markdown", 78,
	      "foo:\n\n"
	      "`````diff\n"
	      "@@ mm/memory.c:120 @@\n"
	      "   12.0        1a: mov %rax,%rbx\n"
	      "-              1a: add $1,%rbx\n"
	      "-              1a: call bar\n"
	      "+         1.2 2b0: add $2,%rbx\n"
	      "+             2b0: call ` ```` baz\n"
	      "@@ ... @@\n"
	      "               1a: ret\n"
	      "`````\n\n");
	pd_document_free(d);
}

/* One side: no marks, and no head without anything in it. */
static void test_one_side(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_listing *l = pd_document_add_listing(d, NULL);

	(void)state;
	l->n_sides = 1;
	add(d, l, PD_LISTING_SAME, "ret", NULL);
	check(d, "text", 78, "1a: ret\n");
	check(d, "csv", 78, "");
	pd_document_free(d);
}

/* Names may be anything: no line is longer than it may be, and none is another's. */
static void test_hostile(void **state)
{
	static const char *const texts[] = {
		"", " ", ",", "\x1b[31mred", "a\nb\rc", "\xff\xfe", "\xe2\x80\xae", "# > From ",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,",
		"\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87\xe4\xb8\xad\xe6\x96\x87",
		"```", "From me",
	};
	enum { N = sizeof(texts) / sizeof(texts[0]) };
	struct ut_random r = {7};

	(void)state;
	for (uint32_t round = 0; round < 300; round++) {
		struct pd_document *d = pd_document_new(PD_PART_ALL);
		struct pd_listing *l = pd_document_add_listing(d, texts[ut_random_below(&r, N)]);
		uint32_t width = 44 + ut_random_below(&r, 60);
		char *text, *markdown;

		l->n_sides = 1 + round % 2;
		for (uint32_t i = 0; i < 6; i++) {
			struct pd_listing_line *line = add(d, l, PD_LISTING_CHANGED,
							   texts[ut_random_below(&r, N)],
							   texts[ut_random_below(&r, N)]);

			line->heading = texts[ut_random_below(&r, N)];
			if (i == 3)
				line->op = PD_LISTING_HEADING;
		}
		text = ut_render(d, "text", width);
		markdown = ut_render(d, "markdown", width);
		assert_null(strpbrk(text, "\x1b\r\t"));
		assert_null(strpbrk(markdown, "\x1b\r\t"));
		assert_true(pd_utf8_is_valid(pd_span_of(text)));
		for (const char *p = text; *p; p = strchr(p, '\n') + 1) {
			size_t len = strcspn(p, "\n");

			assert_true(*p != '>' && *p != '#' && strncmp(p, "From ", 5) != 0);
			if (*p == ' ' || !strncmp(p, "1a:", 3))
				assert_true(pd_utf8_width((struct pd_span){p, len}) <= width + 1);
		}
		free(text);
		free(markdown);
		pd_document_free(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_narrow),
		cmocka_unit_test(test_diff),
		cmocka_unit_test(test_one_side),
		cmocka_unit_test(test_hostile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
