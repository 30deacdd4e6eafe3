/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histories of replicate runs: reading, finding the record of a row, writing.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/noise_history.h"

static void parse(const char *text, struct pd_noise_history *ret_h)
{
	struct pd_error err = {0};

	*ret_h = (struct pd_noise_history){0};
	if (pd_noise_history_parse(pd_span_of(text), "x.noise", ret_h, &err) != PD_OK)
		fail_msg("%s: %s", text, err.msg);
}

static void expect_entry(const struct pd_noise_history *h, uint32_t i, const char *names,
			 double d, double mean, double ss)
{
	const struct pd_noise_entry *e = &h->entries[i];
	char have[100];

	assert_true(i < h->n);
	(void)snprintf(have, sizeof(have), "%s|%s|%s", pd_strtab_get(&h->strings, e->symbol),
		       e->module.id ? pd_strtab_get(&h->strings, e->module) : "",
		       e->event.id ? pd_strtab_get(&h->strings, e->event) : "");
	ut_assert_text("entry", have, names);
	ut_assert_same(e->record.d, d);
	ut_assert_same(e->record.mean, mean);
	ut_assert_same(e->record.ss, ss);
}

static void test_parse(void **state)
{
	static const char *const texts[] = {
		"symbol\td\tmean\tSS\tmodule\tevent\nfoo\t3\t265.75\t4.5\tvmlinux\tticks\n",
		"event\tmodule\tSS\tmean\td\tsymbol\nticks\tvmlinux\t4.5\t265.75\t3\tfoo\n",
		"symbol\td\tmean\tSS\tmodule\tevent\n\n\nfoo\t3\t265.75\t4.5\tvmlinux\tticks",
	};
	struct pd_noise_history h;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		parse(texts[i], &h);
		assert_int_equal(h.n, 1);
		expect_entry(&h, 0, "foo|vmlinux|ticks", 3, 265.75, 4.5);
		pd_noise_history_done(&h);
	}
	parse("symbol\td\tmean\tSS\nfoo\t0\t0\t0\nbar\t1\t2\t3\n", &h);
	assert_int_equal(h.n, 2);
	expect_entry(&h, 0, "foo||", 0, 0, 0);
	expect_entry(&h, 1, "bar||", 1, 2, 3);
	pd_noise_history_done(&h);
	parse("symbol\td\tmean\tSS\tevent\nfoo\t1\t2\t3\tcycles\nbar\t1\t2\t3\n", &h);
	expect_entry(&h, 0, "foo||cycles", 1, 2, 3);
	expect_entry(&h, 1, "bar||", 1, 2, 3);
	pd_noise_history_done(&h);
	parse("symbol\td\tmean\tSS\n", &h);
	assert_int_equal(h.n, 0);
	pd_noise_history_done(&h);
}

#define HEADER "symbol\td\tmean\tSS\n"

static void test_bad_texts(void **state)
{
	static const struct {
		const char *text;
		uint32_t line;
	} bad[] = {
		{"", 1},
		{"foo\t1\t2\t3\n", 1},
		{"d\tmean\tSS\n1\t2\t3\n", 1},
		{"symbol\tmean\tSS\nfoo\t2\t3\n", 1},
		{"symbol\td\tSS\nfoo\t2\t3\n", 1},
		{"symbol\td\tmean\nfoo\t2\t3\n", 1},
		{"symbol d mean SS\n", 1},
		{HEADER "foo\t1\t2\n", 2},
		{HEADER "foo\n", 2},
		{HEADER "foo\tx\t2\t3\n", 2},
		{HEADER "foo\t1\t\t3\n", 2},
		{HEADER "foo\t1\t2\tnan\n", 2},
		{HEADER "foo\t-1\t2\t3\n", 2},
		{HEADER "foo\t1\t-2\t3\n", 2},
		{HEADER "foo\t1\t2\t-3\n", 2},
		{HEADER "foo\t1\t2\t3\n\nbar\t1\t2\t3x\nfoo\t1\t2\t3\n", 4},
		{HEADER "foo\t1\t2\t3\nbar 1 2 3", 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct pd_noise_history h = {.n = 77};
		struct pd_error err = {0};

		if (pd_noise_history_parse(pd_span_of(bad[i].text), "x.noise", &h, &err) !=
		    PD_ERR_FORMAT)
			fail_msg("taken: %s", bad[i].text);
		if (err.line != bad[i].line)
			fail_msg("line %u instead of %u: %s", (unsigned)err.line, bad[i].line,
				 bad[i].text);
		assert_string_equal(err.path, "x.noise");
		assert_int_equal(h.n, 77); /* untouched */
	}
}

static struct pd_comparison *compare(const char *base, const char *next)
{
	const char *const specs[] = {base, next, NULL};
	struct pd_comparison *c;
	struct ut_sides sides;

	ut_sides_init(&sides, specs);
	c = ut_compare(&sides, NULL);
	ut_sides_done(&sides);
	return c;
}

/* The mean of the record of EVENT's NAME@MODULE; 0 if there is none. */
static double find(const char *text, const struct pd_comparison *c, const char *event,
		   const char *name, const char *module)
{
	struct pd_noise_history h;

	parse(text, &h);
	for (uint32_t i = 0; i < c->n_rows; i++) {
		const struct pd_row *row = &c->rows[i];
		const char *own = row->module.id ? pd_strtab_get(&c->strings, row->module) : "";
		pd_str own_event = c->events[row->event].name;

		if (!strcmp(pd_strtab_get(&c->strings, row->name), name) && !strcmp(own, module) &&
		    !strcmp(pd_strtab_get(&c->strings, own_event), event)) {
			struct pd_noise_record r = pd_noise_history_find(&h, c, row);

			assert_int_equal(r.d > 0, r.mean > 0);
			pd_noise_history_done(&h);
			return r.mean;
		}
	}
	fail_msg("no row %s %s@%s", event, name, module);
	return 0;
}

#define FULL "symbol\td\tmean\tSS\tmodule\tevent\n"

static void test_find(void **state)
{
	static const char spec[] = "!cycles samples; foo@vmlinux 10; foo@ext4 20; bar 30";
	struct pd_comparison *c = compare(spec, spec);

	(void)state;
	/* neither module nor event: it goes for all */
	ut_assert_same(find(HEADER "foo\t1\t7\t0\n", c, "cycles", "foo", "ext4"), 7);
	ut_assert_same(find(HEADER "foo\t1\t7\t0\n", c, "cycles", "foo", "vmlinux"), 7);
	ut_assert_same(find(HEADER "foo\t1\t7\t0\n", c, "cycles", "bar", ""), 0);
	/* a symbol of two modules */
	ut_assert_same(find(FULL "foo\t1\t7\t0\tvmlinux\t\nfoo\t1\t8\t0\text4\t\n", c, "cycles",
			    "foo", "vmlinux"), 7);
	ut_assert_same(find(FULL "foo\t1\t7\t0\tvmlinux\t\nfoo\t1\t8\t0\text4\t\n", c, "cycles",
			    "foo", "ext4"), 8);
	ut_assert_same(find(FULL "foo\t1\t7\t0\txfs\t\n", c, "cycles", "foo", "ext4"), 0);
	/* a row without a module takes any */
	ut_assert_same(find(FULL "bar\t1\t9\t0\txfs\t\n", c, "cycles", "bar", ""), 9);
	/* with a single event its name does not matter */
	ut_assert_same(find(FULL "bar\t1\t9\t0\t\tticks\n", c, "cycles", "bar", ""), 9);
	pd_comparison_free(c);
}

static void test_find_event(void **state)
{
	static const char spec[] = "!cycles samples; foo 10; !faults events; foo 20";
	static const char both[] = FULL "foo\t1\t7\t0\t\tcycles\nfoo\t1\t8\t0\t\tfaults\n";
	struct pd_comparison *c = compare(spec, spec);

	(void)state;
	assert_int_equal(c->n_events, 2);
	ut_assert_same(find(both, c, "cycles", "foo", ""), 7);
	ut_assert_same(find(both, c, "faults", "foo", ""), 8);
	ut_assert_same(find(FULL "foo\t1\t7\t0\t\tcycles\n", c, "faults", "foo", ""), 0);
	ut_assert_same(find(FULL "foo\t1\t7\t0\t\t\n", c, "faults", "foo", ""), 7);
	pd_comparison_free(c);
}

static void test_write(void **state)
{
	/* a: mean 12, (10-12)^2/12 + ... = 8/12; b is the same in both runs; z has no ticks */
	static const char *const specs[] = {
		"!t ticks; a@m 10; b 5; z 0|!t ticks; a@m 14; b 5; z 0", NULL};
	struct pd_compare_options options = {0};
	struct pd_noise_history h;
	struct pd_error err = {0};
	struct pd_buf text = {0};
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	assert_int_equal(pd_noise_history_write(&sides.inputs[0], &options, NULL, &text, &err),
			 PD_OK);
	ut_sides_done(&sides);
	assert_memory_equal(text.ptr, FULL, strlen(FULL));
	assert_int_equal(pd_noise_history_parse((struct pd_span){text.ptr, text.len}, "x", &h,
						&err), PD_OK);
	assert_int_equal(h.n, 2);
	for (uint32_t i = 0; i < h.n; i++) {
		bool is_a = !strcmp(pd_strtab_get(&h.strings, h.entries[i].symbol), "a");

		expect_entry(&h, i, is_a ? "a|m|t" : "b||t", 1, is_a ? 12 : 5,
			     h.entries[i].record.ss);
		/* the bytes give back the very number: 4 + 4 ticks of variance over counting */
		assert_true(fabs(h.entries[i].record.ss - (is_a ? 8. / 12 : 0)) < 1e-12);
	}
	pd_noise_history_done(&h);
	pd_buf_done(&text);
}

static void test_write_one_run(void **state)
{
	static const char *const specs[] = {"a 10; b 5", NULL};
	const struct pd_compare_options options = {0};
	struct pd_error err = {0};
	struct pd_buf text = {0};
	struct ut_sides sides;

	(void)state;
	ut_sides_init(&sides, specs);
	assert_int_equal(pd_noise_history_write(&sides.inputs[0], &options, NULL, &text, &err),
			 PD_ERR_USAGE);
	assert_non_null(strstr(err.msg, "two runs"));
	assert_int_equal(text.len, 0);
	ut_sides_done(&sides);
	pd_buf_done(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),	   cmocka_unit_test(test_bad_texts),
		cmocka_unit_test(test_find),	   cmocka_unit_test(test_find_event),
		cmocka_unit_test(test_write),	   cmocka_unit_test(test_write_one_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
