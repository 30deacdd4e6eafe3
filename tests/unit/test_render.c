/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Renderers: documents of this file's own, the bytes they become, and what
 * every output keeps whatever hostile names it is made of.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/writer.h"
#include "profdiff/render.h"

static void check(const struct pd_document *d, const char *name, uint32_t width, const char *want)
{
	char *have = ut_render(d, name, width), *again = ut_render(d, name, width);

	ut_assert_text(name, have, want);
	ut_assert_text("once more", again, have);
	free(have);
	free(again);
}

static void add_row(struct pd_document *d, struct pd_table *t, enum pd_row_kind kind, double base,
		    double next, const char *name)
{
	struct pd_table_row *row = pd_table_add_row(d, t, kind);

	assert_non_null(row);
	row->cells[0].number = base;
	row->cells[1].number = next;
	row->cells[2].number = next - base;
	row->cells[3].text = name;
}

/* The table of a comparison: base, next, delta, function. */
static struct pd_table *add_table(struct pd_document *d, const char *title)
{
	struct pd_table *t = pd_document_add_table(d, title);

	pd_table_add_column(d, t, "base", "mm3", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "next", "mm4", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "delta", "delta", PD_STYLE_DELTA, 0);
	pd_table_add_column(d, t, "function", "function", PD_STYLE_TEXT, 0);
	return t;
}

static void test_text_table(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_table *t;

	(void)state;
	pd_document_add_text(d, "A sentence.");
	pd_document_add_text(d, "Another one that is too long.");
	t = add_table(d, "Titled:");
	add_row(d, t, PD_ROW_NORMAL, 103744, 53727, "do_page_fault");
	add_row(d, t, PD_ROW_CHILD, 5, PD_UNKNOWN, "do_page_fault.cold");
	add_row(d, t, PD_ROW_BREAK, 0, 0, "");
	add_row(d, t, PD_ROW_NORMAL, 0, 1, "");
	add_row(d, t, PD_ROW_REST, 10, 12, "[unlisted]");
	add_row(d, t, PD_ROW_REST, 1, 1, "[unknown]");
	pd_document_add_text(d, "The end.");
	check(d, "text", 78,
	      "A sentence.\n"
	      "Another one that is too long.\n"
	      "\n"
	      "Titled:\n"
	      "   mm3    mm4   delta   function\n"
	      "103744  53727  -50017   do_page_fault\n"
	      "     5                    do_page_fault.cold\n"
	      "                        ...\n"
	      "     0      1      +1\n"
	      "\n"
	      "    10     12      +2   [unlisted]\n"
	      "     1      1       0   [unknown]\n"
	      "\n"
	      "The end.\n");
	check(d, "text", 24,
	      "A sentence.\n"
	      "Another one that is too\n"
	      "long.\n"
	      "\n"
	      "Titled:\n"
	      "   mm3   function\n"
	      "103744   do_page_fault\n"
	      "     5     do_page_fault.cold\n"
	      "         ...\n"
	      "     0\n"
	      "\n"
	      "    10   [unlisted]\n"
	      "     1   [unknown]\n"
	      "\n"
	      "  mm4   function\n"
	      "53727   do_page_fault\n"
	      "          do_page_fault.cold\n"
	      "        ...\n"
	      "    1\n"
	      "\n"
	      "   12   [unlisted]\n"
	      "    1   [unknown]\n"
	      "\n"
	      " delta   function\n"
	      "-50017   do_page_fault\n"
	      "           do_page_fault.cold\n"
	      "         ...\n"
	      "    +1\n"
	      "\n"
	      "    +2   [unlisted]\n"
	      "     0   [unknown]\n"
	      "\n"
	      "The end.\n");
	pd_document_free(d);
}

/* In a narrow document no row passes the width: gaps shrink, then names go on below. */
static void test_text_narrow(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_table *t = add_table(d, NULL);

	(void)state;
	add_row(d, t, PD_ROW_NORMAL, 103744, 53727, "do_page_fault");
	add_row(d, t, PD_ROW_NORMAL, 5, 6, "f was inlined into do_page_fault and 9 others");
	add_row(d, t, PD_ROW_CHILD, 1, 2, "a_name_of_25_columns_here");
	d->is_narrow = true;
	check(d, "text", 36,
	      "   mm3    mm4   delta  function\n"
	      "103744  53727  -50017  do_page_fault\n"
	      "     5      6      +1  f was inlined\n"
	      "                         into\n"
	      "                       do_page_fault\n"
	      "                         and 9\n"
	      "                         others\n"
	      "     1      2      +1\n"
	      "           a_name_of_25_columns_here\n");
	pd_document_free(d);
}

/* Text columns before the numbers are repeated in every part. */
static void test_text_lead(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_table *t = pd_document_add_table(d, NULL);
	struct pd_table_row *row;

	(void)state;
	pd_table_add_column(d, t, "what", "ticks", PD_STYLE_TEXT, 0);
	pd_table_add_column(d, t, "base", "2.5.70-mm3 (base)", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "next", "2.5.70-mm4", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "change", "", PD_STYLE_PERCENT, 1);
	row = pd_table_add_row(d, t, PD_ROW_NORMAL);
	row->cells[0].text = "total";
	row->cells[1].number = 521921;
	row->cells[2].number = 478507;
	row->cells[3].number = -8.318;
	check(d, "text", 42, "ticks  2.5.70-mm3 (base)  2.5.70-mm4\n"
			     "total             521921      478507\n"
			     "\n"
			     "ticks\n"
			     "total  -8.3%\n");
	check(d, "text", 43, "ticks  2.5.70-mm3 (base)  2.5.70-mm4\n"
			     "total             521921      478507  -8.3%\n");
	pd_document_free(d);
}

static void test_empty_documents(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);

	(void)state;
	check(d, "text", 78, "");
	check(d, "json", 78, "{}\n");
	check(d, "csv", 78, "");
	check(d, "markdown", 78, "");
	pd_document_add_text(d, "");
	(void)pd_document_add_table(d, NULL);
	(void)add_table(d, NULL);
	check(d, "text", 78, "\n\n\nmm3  mm4  delta   function\n");
	assert_null(pd_renderer_find("none"));
	assert_null(pd_renderer_find(""));
	pd_document_free(d);
}

static const char *const hostile[] = {
	"", " ", "a\tb", "a\nb", "\r", "\x1b[31mred", "# comment", "#", "> quote", ">", "From me",
	"From ", "From", "\xff\xfe", "\xc3", "\xe2\x80\xaeright", "\xe2\x80\xa8", "\x7f",
	"\xc2\x85",
	"\"quoted\" \\back/", "a|b`c``d", "`", "<b>&amp;</b>", "  lead", "trail  ", "a,b;c",
	"\xf0\x9f\x98\x80", "\xed\xa0\xbd\xed\xb8\x80", "\xe6\x97\xa5\xe6\x9c\xac", "%s%n", "\\x1b",
	"\xf4\x90\x80\x80", "\xef\xbb\xbf", "\xf3\xa0\x81\x81",
	"very_long_name_that_runs_over_the_end",
	"std::map<std::string, int>::operator[](std::string const&)",
};

enum { N_HOSTILE = sizeof(hostile) / sizeof(hostile[0]) };

/* A document where hostile texts stand at every place. */
static struct pd_document *new_hostile(struct ut_random *r)
{
#define ANY hostile[ut_random_below(r, N_HOSTILE)]
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_value *list;

	for (uint32_t i = 0; i < 3; i++) {
		uint32_t n_columns = 1 + ut_random_below(r, 6);
		struct pd_table *t;

		pd_document_add_text(d, pd_document_printf(d, "%s %s %s", ANY, ANY, ANY));
		pd_document_add_text(d, ANY);
		t = pd_document_add_table(d, ut_random_below(r, 2) ? ANY : NULL);
		t->is_for_programs = i == 2;
		for (uint32_t k = 0; k < n_columns; k++)
			pd_table_add_column(d, t, ANY, ANY,
					    (enum pd_style)ut_random_below(r, PD_STYLE_SPREAD + 1),
					    (int)ut_random_below(r, 3));
		for (uint32_t k = ut_random_below(r, 5); k > 0; k--) {
			struct pd_table_row *row =
				pd_table_add_row(d, t, (enum pd_row_kind)ut_random_below(r, 4));

			for (uint32_t m = 0; m < n_columns; m++) {
				if (ut_random_below(r, 2))
					row->cells[m].text = ANY;
				if (ut_random_below(r, 2))
					row->cells[m].number = ut_random_below(r, 2000) / 7.0 - 99;
			}
		}
	}
	list = pd_value_add_list(d, d->root, "list");
	for (uint32_t i = 0; i < 5; i++) {
		struct pd_value *o = ut_random_below(r, 2) ? pd_value_add_object(d, list, NULL)
							   : pd_value_add_list(d, list, NULL);

		pd_value_add_text(d, o, o->kind == PD_VALUE_OBJECT ? ANY : NULL, ANY);
		pd_value_add_number(d, o, o->kind == PD_VALUE_OBJECT ? "n" : NULL,
				    (double)ut_random_next(r) / 3);
		pd_value_add_null(d, o, o->kind == PD_VALUE_OBJECT ? "z" : NULL);
	}
	return d;
#undef ANY
}

/* No control but the newline, no bidirectional or invisible one: safe to paste. */
static void check_safe(const char *text, bool has_tabs)
{
	struct pd_span s = pd_span_of(text);
	size_t len;

	assert_true(!s.len || s.ptr[s.len - 1] == '\n');
	for (size_t i = 0; i < s.len; i += len) {
		uint32_t code = pd_utf8_decode(pd_span_sub(s, i, s.len), &len);

		if (code == PD_UTF8_BAD || (code != '\n' && !(has_tabs && code == '\t') &&
					    pd_utf8_is_unsafe(code)))
			fail_msg("U+%04x at byte %zu of\n%s", code, i, text);
	}
}

static void check_mail_form(const char *text)
{
	for (const char *line = text; *line;) {
		const char *end = strchr(line, '\n');

		assert_non_null(end);
		if (line[0] == '#' || line[0] == '>' || !strncmp(line, "From ", 5) ||
		    (end > line && (end[-1] == ' ' || end[-1] == '\t')))
			fail_msg("\"%.*s\" in\n%s", (int)(end - line), line, text);
		line = end + 1;
	}
}

/* The end of the JSON value at p (RFC 8259), or NULL if it is none. */
static const char *json_end(const char *p, int depth);

static const char *json_string_end(const char *p)
{
	if (*p++ != '"')
		return NULL;
	for (; *p != '"'; p++) {
		if ((unsigned char)*p < 0x20)
			return NULL;
		if (*p != '\\')
			continue;
		p++;
		if (*p == 'u') {
			if (strspn(p + 1, "0123456789abcdefABCDEF") < 4)
				return NULL;
			p += 4;
		} else if (!*p || !strchr("\"\\/bfnrt", *p)) {
			return NULL;
		}
	}
	return p + 1;
}

static const char *json_number_end(const char *p)
{
	p += *p == '-';
	if (!pd_is_digit(*p) || (*p == '0' && pd_is_digit(p[1])))
		return NULL;
	p += strspn(p, "0123456789");
	if (*p == '.') {
		if (!pd_is_digit(p[1]))
			return NULL;
		p += 1 + strspn(p + 1, "0123456789");
	}
	if (*p == 'e' || *p == 'E') {
		p++;
		p += *p == '+' || *p == '-';
		if (!pd_is_digit(*p))
			return NULL;
		p += strspn(p, "0123456789");
	}
	return p;
}

static const char *json_items_end(const char *p, char close, int depth)
{
	p += strspn(p, " \n");
	if (*p == close)
		return p + 1;
	for (;;) {
		if (close == '}') {
			p = json_string_end(p);
			if (!p || *p != ':')
				return NULL;
			p++;
			p += strspn(p, " \n");
		}
		p = json_end(p, depth);
		if (!p)
			return NULL;
		p += strspn(p, " \n");
		if (*p == close)
			return p + 1;
		if (*p++ != ',')
			return NULL;
		p += strspn(p, " \n");
	}
}

static const char *json_end(const char *p, int depth)
{
	if (!depth)
		return NULL;
	if (*p == '{' || *p == '[')
		return json_items_end(p + 1, *p == '{' ? '}' : ']', depth - 1);
	if (*p == '"')
		return json_string_end(p);
	for (size_t i = 0; i < 3; i++) {
		static const char *const words[] = {"null", "true", "false"};

		if (!strncmp(p, words[i], strlen(words[i])))
			return p + strlen(words[i]);
	}
	return json_number_end(p);
}

static bool is_json(const char *text)
{
	const char *end = json_end(text + strspn(text, " \n"), 100);

	return end && !end[strspn(end, " \n")];
}

/* The judge is judged too. */
static void test_json_judge(void **state)
{
	static const char *const good[] = {"{}", "[]", " [1, -0.5e+3, null]\n",
					   "{\"a\": [\"\\u00e9\"]}", "\"\\\"\"", "0"};
	static const char *const bad[] = {"", "{", "[1,]", "{\"a\"}", "{a: 1}", "01", "1.", ".5",
					  "-", "1e", "+1", "\"a\nb\"", "\"\\x\"", "\"\\u12\"",
					  "[1 2]", "nul", "[] []", "nan", "\"", "{\"a\": 1,}"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(is_json(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (is_json(bad[i]))
			fail_msg("%s", bad[i]);
}

static void test_hostile_documents(void **state)
{
	struct ut_random r = {0xbeef};

	(void)state;
	for (uint32_t round = 0; round < 400; round++) {
		struct pd_document *d = new_hostile(&r);

		for (size_t i = 0; pd_renderers[i]; i++) {
			const char *name = pd_renderers[i]->name;
			char *text = ut_render(d, name, 1 + ut_random_below(&r, 100));

			assert_ptr_equal(pd_renderer_find(name), pd_renderers[i]);
			assert_non_null(pd_renderers[i]->title);
			check_safe(text, !strcmp(name, "tsv"));
			if (!strcmp(name, "text"))
				check_mail_form(text);
			if (!strcmp(name, "json") && !is_json(text))
				fail_msg("no JSON:\n%s", text);
			free(text);
		}
		pd_document_free(d);
	}
}

static void test_json(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_value *list, *object;

	(void)state;
	pd_value_add_text(d, d->root, "kind", "x\"\\\n\t\x1b\x7f/\xc3\xa9");
	pd_value_add_text(d, d->root, "bad",
			  "a\xff" "b\xe2\x80\xae\xf3\xa0\x80\x81\xf0\x9f\x98\x80");
	pd_value_add_text(d, d->root, "none", NULL);
	pd_value_add_number(d, d->root, "third", 1.0 / 3);
	pd_value_add_number(d, d->root, "nan", PD_UNKNOWN);
	pd_value_add_number(d, d->root, "inf", -(double)INFINITY);
	pd_value_add_number(d, d->root, "minus 0", -0.0);
	list = pd_value_add_list(d, d->root, "flat");
	for (int i = 0; i < 3; i++)
		pd_value_add_number(d, list, NULL, i);
	(void)pd_value_add_list(d, d->root, "empty");
	list = pd_value_add_list(d, d->root, "rows");
	for (int i = 0; i < 2; i++) {
		object = pd_value_add_object(d, list, NULL);
		pd_value_add_number(d, object, "i", i);
		list = pd_value_add_list(d, object, "l");
		pd_value_add_null(d, list, NULL);
		list = object->parent;
	}
	check(d, "json", 78,
	      "{\n"
	      "  \"kind\": \"x\\\"\\\\\\u000a\\u0009\\u001b\\u007f/\xc3\xa9\",\n"
	      "  \"bad\": \"a\xef\xbf\xbd" "b\\u202e\\udb40\\udc01\xf0\x9f\x98\x80\",\n"
	      "  \"none\": null,\n"
	      "  \"third\": 0.3333333333333333,\n"
	      "  \"nan\": null,\n"
	      "  \"inf\": null,\n"
	      "  \"minus 0\": 0,\n"
	      "  \"flat\": [0, 1, 2],\n"
	      "  \"empty\": [],\n"
	      "  \"rows\": [\n"
	      "    {\"i\": 0, \"l\": [null]},\n"
	      "    {\"i\": 1, \"l\": [null]}\n"
	      "  ]\n"
	      "}\n");
	pd_document_free(d);
}

/* Tables for programs: nothing is rounded, every row is a line. */
static void test_delimited(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_table *t;

	(void)state;
	t = add_table(d, "for people");
	add_row(d, t, PD_ROW_NORMAL, 1, 2, "not seen");
	t = add_table(d, "title");
	t->is_for_programs = true;
	add_row(d, t, PD_ROW_NORMAL, 1.0 / 3, PD_UNKNOWN, "a,b \"c\"");
	add_row(d, t, PD_ROW_CHILD, 1e20, 0.1, "t\tn\nb\\");
	t->rows[1].cells[1].text = "new"; /* for people: the number is what counts */
	pd_document_add_text(d, "not seen");
	check(d, "csv", 78, "base,next,delta,function\n"
			    "0.3333333333333333,,,\"a,b \"\"c\"\"\"\n"
			    "1e+20,0.1,-1e+20,t\\x09n\\x0ab\\\n");
	check(d, "tsv", 78, "base\tnext\tdelta\tfunction\n"
			    "0.3333333333333333\t\t\ta,b \"c\"\n"
			    "1e+20\t0.1\t-1e+20\tt\\\\x09n\\\\x0ab\\\\\n");
	pd_document_free(d);
}

static void test_markdown(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_table *t;

	(void)state;
	pd_document_add_text(d, "A *sentence* <b>.");
	t = add_table(d, NULL);
	add_row(d, t, PD_ROW_NORMAL, 1, 3, "do_fork");
	add_row(d, t, PD_ROW_CHILD, 1, PD_UNKNOWN, "a|b`c");
	add_row(d, t, PD_ROW_BREAK, 1, 1, "");
	add_row(d, t, PD_ROW_REST, 2, 2, "`");
	check(d, "markdown", 10,
	      "A \\*sentence\\* \\<b\\>.\n"
	      "\n"
	      "| mm3 | mm4 | delta | function |\n"
	      "| ---: | ---: | ---: | --- |\n"
	      "| 1 | 3 | +2 | `do_fork` |\n"
	      "| 1 |  |  | &ensp; ``a\\|b`c`` |\n"
	      "|  |  |  | ... |\n"
	      "| 2 | 2 | 0 | `` ` `` |\n"
	      "\n");
	pd_document_free(d);
}

static void make_row(const void *source, uint64_t row, struct pd_cell *cells)
{
	const double *values = source;

	cells[0].number = values[row];
	if (row % 2)
		cells[1].text = "a,b";
}

static void make_item(struct pd_document *d, struct pd_value *list, const void *source, uint64_t i)
{
	const double *values = source;

	pd_value_add_number(d, pd_value_add_object(d, list, NULL), "x", values[i]);
}

/* Rows and objects that are made while they are written, behind those that are kept. */
static void test_made(void **state)
{
	static const double values[] = {1, 2.5};
	struct pd_document *d = pd_document_new(PD_PART_ALL);
	struct pd_table *t = pd_document_add_data(d);
	char *text;

	(void)state;
	pd_table_add_column(d, t, "n", "n", PD_STYLE_COUNT, 0);
	pd_table_set_divisor(t, 1000); /* is for people only */
	pd_table_add_column(d, t, "name", "name", PD_STYLE_TEXT, 0);
	pd_table_add_row(d, t, PD_ROW_NORMAL)->cells[0].number = 7000;
	t->source = values;
	t->make_row = make_row;
	t->n_made = 2;
	check(d, "csv", 0, "n,name\n7000,\n1,\n2.5,\"a,b\"\n");
	check(d, "tsv", 0, "n\tname\n7000\t\n1\t\n2.5\ta,b\n");
	pd_value_add_made_list(d, d->root, "made", 2, values, make_item);
	text = ut_render(d, "json", 0);
	assert_string_equal(text, "{\n  \"made\": [\n    {\"x\": 1},\n    {\"x\": 2.5}\n  ]\n}\n");
	free(text);
	pd_document_free(d);
}

/* A separator of the user's, that becomes a dot in names. */
static void test_separator(void **state)
{
	const struct pd_render_options options = {.separator = ';'};
	struct pd_document *d = pd_document_new(PD_PART_DATA);
	struct pd_table *t = pd_document_add_data(d);
	char text[64] = "";
	struct pd_writer w;
	int fd = memfd_create("separator", MFD_CLOEXEC);

	(void)state;
	pd_table_add_column(d, t, "n", "n", PD_STYLE_COUNT, 0);
	pd_table_add_column(d, t, "name", "name", PD_STYLE_TEXT, 0);
	pd_table_add_row(d, t, PD_ROW_NORMAL)->cells[1].text = "a;b,c\\d";
	pd_writer_init_fd(&w, fd);
	pd_renderer_find("csv")->render(d, &options, &w);
	assert_int_equal(pd_writer_close(&w, NULL), PD_OK);
	assert_true(pread(fd, text, sizeof(text) - 1, 0) > 0);
	assert_string_equal(text, "n;name\n;a.b,c\\d\n");
	(void)close(fd);
	pd_document_free(d);
}

/* People see numbers in another unit. */
static void test_divisor(void **state)
{
	struct pd_document *d = pd_document_new(PD_PART_BLOCKS);
	struct pd_table *t = pd_document_add_table(d, NULL);

	(void)state;
	pd_table_add_column(d, t, "n", "ms", PD_STYLE_DELTA, 1);
	pd_table_set_divisor(t, 1e6);
	pd_table_add_row(d, t, PD_ROW_NORMAL)->cells[0].number = 2.56e6;
	check(d, "text", 78, "  ms\n+2.6\n");
	pd_document_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_table),
		cmocka_unit_test(test_text_narrow),
		cmocka_unit_test(test_text_lead),
		cmocka_unit_test(test_empty_documents),
		cmocka_unit_test(test_json_judge),
		cmocka_unit_test(test_hostile_documents),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_delimited),
		cmocka_unit_test(test_markdown),
		cmocka_unit_test(test_made),
		cmocka_unit_test(test_separator),
		cmocka_unit_test(test_divisor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
