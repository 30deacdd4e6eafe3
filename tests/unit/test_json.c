/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cursor over JSON: values, places, and what is no JSON.
 */
#include "support.h"

#include <stdlib.h>

#include "ingest/json.h"

/* All of a value as text: "{a:[1,2.5],b:\"x\",}". */
static void dump(struct pd_json *j, struct pd_buf *out, int depth)
{
	char number[PD_NUM_LEN];
	struct pd_span s;
	double x;

	switch (depth < 20 ? pd_json_peek(j) : PD_JSON_NONE) {
	case PD_JSON_OBJECT:
		pd_buf_add_char(out, '{');
		for (bool is = pd_json_object(j); is && pd_json_key(j, &s);) {
			pd_buf_add(out, s.ptr, s.len);
			pd_buf_add_char(out, ':');
			dump(j, out, depth + 1);
			pd_buf_add_char(out, ',');
		}
		pd_buf_add_char(out, '}');
		break;
	case PD_JSON_ARRAY:
		pd_buf_add_char(out, '[');
		for (bool is = pd_json_array(j); is && pd_json_item(j);) {
			dump(j, out, depth + 1);
			pd_buf_add_char(out, ',');
		}
		pd_buf_add_char(out, ']');
		break;
	case PD_JSON_STRING:
		if (pd_json_string(j, &s))
			pd_buf_add(out, s.ptr, s.len);
		break;
	case PD_JSON_NUMBER:
		pd_buf_add_str(out, pd_json_number(j, &x) ? pd_num_shortest(x, number) : "?");
		break;
	default:
		pd_json_skip(j);
		pd_buf_add_char(out, '-');
		break;
	}
}

/* The same text, read and passed by; a failure's code is behind it. */
static void assert_json(const char *text, const char *want)
{
	/* So that the sanitizer sees a byte too far. */
	struct pd_span in = {malloc(strlen(text) + !*text), strlen(text)};
	struct pd_buf have = {0};
	struct pd_json j;
	int rc;

	in.ptr = memcpy((char *)(uintptr_t)in.ptr, text, in.len);
	pd_json_init(&j, in);
	dump(&j, &have, 0);
	rc = pd_json_check(&j, NULL);
	pd_json_done(&j);
	if (rc != PD_OK)
		pd_buf_printf(&have, " %d", rc);
	ut_assert_text(text, have.ptr, want);
	pd_json_init(&j, in);
	pd_json_skip(&j);
	assert_int_equal(pd_json_check(&j, NULL), rc);
	pd_json_done(&j);
	pd_buf_done(&have);
	free((char *)(uintptr_t)in.ptr);
}

static void test_values(void **state)
{
	(void)state;
	assert_json(" {\"a\" : [1, -2.5e1,12345678901234567890, 007] ,\"b\":{}, \"c\":[[],{}]}\n",
		    "{a:[1,-25,1.2345678901234567e+19,7,],b:{},c:[[],{},],}");
	assert_json("[true, false, null, \"\", 1e999]", "[-,-,-,,?,]");
	assert_json("7", "7");
	assert_json("123456789012345678", "1.2345678901234568e+17");
}

static void test_strings(void **state)
{
	(void)state;
	assert_json("[\"a\\\"b\\\\c\\/\", \"\\u00e4\\ud83d\\ude00\", \"a\\n\\u0000\\u001bb\"]",
		    "[a\"b\\c/,\303\244\360\237\230\200,a   b,]");
	/* Halves of a pair, digits that are none, bytes that are no UTF-8. */
	assert_json("[\"\\ud83dx\", \"\\ude00\", \"\\ud83d\\u0041\", \"\\u12x4\", \"\\u0x12\"]",
		    "[\357\277\275x,\357\277\275,\357\277\275A,"
		    "\357\277\27512x4,\357\277\2750x12,]");
	assert_json("\"\344\tb\"", "\303\244 b");
	assert_json("{\"a\\tb\": 1}", "{a b:1,}");
}

static void test_failures(void **state)
{
	static const char whole[] = "{\"a\": [1, {\"b\": \"c\\u0041\"}], \"d\": true}";
	struct pd_buf deep = {0};
	struct pd_json j;

	(void)state;
	assert_json("[1 2]", "[1,] -30");
	assert_json("[1,]", "[1,-,] -30");
	assert_json("{\"a\" 1}", "{} -30");
	assert_json("{a: 1}", "{} -30");
	assert_json("{\"a\": }", "{a:-,} -30");
	assert_json("{\"a\": 1]", "{a:1,} -30");
	assert_json("[1}", "[1,] -30");
	assert_json("[nul]", "[-,] -30");
	assert_json("", "- -31");
	assert_json("[\"a", "[,] -31");
	assert_json("[\"a\\", "[,] -31");
	for (size_t len = 0; len < strlen(whole); len++) {
		pd_json_init(&j, (struct pd_span){whole, len});
		pd_json_skip(&j);
		assert_int_equal(pd_json_check(&j, NULL), PD_ERR_TRUNCATED);
		pd_json_done(&j);
	}
	pd_buf_add_fill(&deep, '[', 1 << 20);
	pd_json_init(&j, pd_buf_span(&deep));
	pd_json_skip(&j);
	assert_int_equal(pd_json_check(&j, NULL), PD_ERR_FORMAT);
	pd_buf_done(&deep);
}

static void test_places(void **state)
{
	struct pd_json_field f[] = {{.key = "z"}, {.key = "a"}, {.key = "no"}};
	struct pd_error err = {0};
	struct pd_json j;
	const char *behind;
	struct pd_span s;
	uint32_t i;
	double x;

	(void)state;
	pd_json_init(&j, pd_span_of("[{\"a\": [1, 2, [3]], \"z\": \"s\", \"a\": 5},"
				    " 4, 2, -1, 1.5]"));
	assert_int_equal(pd_json_count(&j), 5);
	assert_true(pd_json_array(&j) && pd_json_item(&j));
	assert_true(pd_json_fields(&j, f, 3));
	behind = j.at;
	assert_true(pd_json_go(&j, f[0].at) && pd_json_string(&j, &s) && pd_span_eq(s, "s"));
	assert_true(pd_json_go(&j, f[1].at) && pd_json_count(&j) == 3);
	assert_false(pd_json_string(&j, &s)); /* the list, which is passed by */
	assert_false(pd_json_go(&j, f[2].at));
	assert_true(pd_json_go(&j, behind) && pd_json_item(&j));
	assert_false(pd_json_index(&j, 4, &i));
	assert_true(pd_json_item(&j) && pd_json_index(&j, 4, &i) && i == 2);
	assert_true(pd_json_item(&j) && !pd_json_index(&j, 4, &i));
	assert_true(pd_json_item(&j) && !pd_json_index(&j, 4, &i) && !pd_json_item(&j));
	assert_false(pd_json_is_failed(&j));
	assert_false(pd_json_number(&j, &x));
	assert_int_equal(pd_json_check(&j, &err), PD_ERR_TRUNCATED);
	pd_json_done(&j);
	err = (struct pd_error){0};
	pd_json_init(&j, pd_span_of("[1,\n 2 x]"));
	pd_json_skip(&j);
	assert_int_equal(pd_json_check(&j, &err), PD_ERR_FORMAT);
	assert_int_equal(err.line, 2);
	assert_string_equal(err.msg, "expected \",\" or \"]\" at byte 8 of JSON, found \"x\"");
	pd_json_done(&j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
