/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What holds for every comparison, tried with random small profiles from fixed
 * seeds. ut_compare() checks in each that rows and leftovers add up to the
 * totals, for every event, run and side.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

enum { N_ROUNDS = 150, MAX_ITEMS = 24, ITEM_LEN = 64, N_NAMES = 6 };

/* One event of one run, before it is text. */
struct list {
	char items[MAX_ITEMS][ITEM_LEN];
	uint32_t n;
	double total; /* printed; 0: all is listed */
};

enum { N_EVENTS = 2 };

struct run {
	struct list events[N_EVENTS];
};

/* What a round is made of; a side has up to three runs. */
struct world {
	struct run runs[3][3];
	uint32_t n_runs[3], n_sides;
	bool has_fractions, has_modules;
	bool is_unique; /* no function stands twice in a list */
};

static const char *const event_names[N_EVENTS] = {"cycles samples", "faults events"};

static double random_cost(struct ut_random *r, bool has_fractions)
{
	double x = ut_random_below(r, 4) ? ut_random_below(r, 40) : ut_random_below(r, 1u << 20);

	/* A half is exact in binary, a tenth is not. */
	return has_fractions ? x / 10 : ut_random_below(r, 8) ? x : x + 0.5;
}

static bool has_item(const struct list *l, const char *name, const char *module)
{
	char start[ITEM_LEN];

	assert_true(snprintf(start, sizeof(start), "%s%s%s ", name, *module ? "@" : "",
			     module) < ITEM_LEN);
	for (uint32_t i = 0; i < l->n; i++)
		if (!strncmp(l->items[i], start, strlen(start)))
			return true;
	return false;
}

static void add_item(struct list *l, const char *name, const char *module, double cost)
{
	char number[PD_NUM_LEN];

	assert_true(l->n < MAX_ITEMS);
	assert_true(snprintf(l->items[l->n++], ITEM_LEN, "%s%s%s %s", name, *module ? "@" : "",
			     module, pd_num_shortest(cost, number)) < ITEM_LEN);
}

static void fill_list(struct list *l, struct ut_random *r, const struct world *w)
{
	static const char *const names[N_NAMES] = {"alpha", "beta", "gamma", "delta", "eps", "f"};
	static const char *const suffixes[] = {"", "", "", ".cold", ".isra.0", ".part.1.cold"};
	static const char *const modules[] = {"[kernel.kallsyms]", "/usr/lib/libx.so", "[ext4]",
					      ""};
	uint32_t n = 1 + ut_random_below(r, MAX_ITEMS - 4);
	double sum = 0;

	l->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		const char *module = w->has_modules ? modules[ut_random_below(r, 4)] : "";
		double cost = random_cost(r, w->has_fractions);
		char name[ITEM_LEN];

		(void)snprintf(name, sizeof(name), "%s%s", names[ut_random_below(r, N_NAMES)],
			       suffixes[ut_random_below(r, 6)]);
		if (w->is_unique && has_item(l, name, module))
			continue;
		add_item(l, name, module, cost);
		sum += cost;
	}
	if (!ut_random_below(r, 2)) {
		double cost = random_cost(r, w->has_fractions);

		add_item(l, "[unknown]", w->has_modules ? modules[ut_random_below(r, 3)] : "",
			 cost);
		sum += cost;
	}
	l->total = ut_random_below(r, 3) ? 0 : sum + 1 + ut_random_below(r, 100);
}

static void fill_world(struct world *w, struct ut_random *r)
{
	w->has_modules = ut_random_below(r, 2);
	for (uint32_t s = 0; s < w->n_sides; s++) {
		w->n_runs[s] = 1 + ut_random_below(r, 3);
		for (uint32_t i = 0; i < w->n_runs[s]; i++)
			for (uint32_t e = 0; e < N_EVENTS; e++)
				fill_list(&w->runs[s][i].events[e], r, w);
	}
}

static void shuffle_items(struct world *w, struct ut_random *r)
{
	for (uint32_t s = 0; s < w->n_sides; s++)
		for (uint32_t i = 0; i < w->n_runs[s]; i++)
			for (uint32_t e = 0; e < N_EVENTS; e++) {
				struct list *l = &w->runs[s][i].events[e];

				for (uint32_t k = l->n; k > 1; k--) {
					uint32_t other = ut_random_below(r, k);
					char item[ITEM_LEN];

					memcpy(item, l->items[k - 1], ITEM_LEN);
					memcpy(l->items[k - 1], l->items[other], ITEM_LEN);
					memcpy(l->items[other], item, ITEM_LEN);
				}
			}
}

/* Each side's runs, the last one first. */
static void turn_runs(struct world *w)
{
	for (uint32_t s = 0; s < w->n_sides; s++)
		for (uint32_t i = 0, k = w->n_runs[s] - 1; i < k; i++, k--) {
			struct run run = w->runs[s][i];

			w->runs[s][i] = w->runs[s][k];
			w->runs[s][k] = run;
		}
}

static void add_side(struct pd_buf *b, const struct world *w, uint32_t side)
{
	char number[PD_NUM_LEN];

	for (uint32_t i = 0; i < w->n_runs[side]; i++) {
		pd_buf_add_str(b, i ? "|" : "");
		for (uint32_t e = 0; e < N_EVENTS; e++) {
			const struct list *l = &w->runs[side][i].events[e];

			pd_buf_printf(b, "%s!%s %s", e ? ";" : "", event_names[e],
				      l->total != 0 ? pd_num_shortest(l->total, number) : "");
			for (uint32_t k = 0; k < l->n; k++)
				pd_buf_printf(b, ";%s", l->items[k]);
		}
	}
}

/* The comparison of the sides that order names. */
static struct pd_comparison *compare_world(const struct world *w, const uint32_t *order,
					   const struct pd_compare_options *options)
{
	const char *specs[UT_MAX_SIDES] = {NULL};
	struct pd_buf texts[UT_MAX_SIDES] = {0};
	struct pd_comparison *c;
	struct ut_sides sides;

	for (uint32_t s = 0; s < w->n_sides; s++) {
		add_side(&texts[s], w, order[s]);
		specs[s] = texts[s].ptr;
	}
	ut_sides_init(&sides, specs);
	c = ut_compare(&sides, options);
	ut_sides_done(&sides);
	for (uint32_t s = 0; s < w->n_sides; s++)
		pd_buf_done(&texts[s]);
	return c;
}

static const uint32_t in_order[] = {0, 1, 2};

/* Options that are another combination in each round. */
static void choose_options(struct pd_compare_options *o, uint32_t round)
{
	static const char *const members[] = {"alpha", "beta.cold", "none"};
	static const struct pd_group groups[] = {{"sum", members, 3}};
	static const struct pd_rename renames[] = {{"gamma", "delta"}, {"none", "f"}};

	*o = (struct pd_compare_options){
		.suffix = (enum pd_suffix_mode)(round % 3),
		.groups = groups,
		.renames = renames,
		.n_renames = round % 5 == 0 ? 2 : 0,
		.filter = round % 7 == 0 ? "a|e" : NULL,
		.exclude = round % 11 == 0 ? "cold|f" : NULL,
	};
}

static void test_same_against_same(void **state)
{
	static const uint32_t twice[] = {0, 0, 0};
	struct ut_random r = {0x1234567};
	static struct world w;

	(void)state;
	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		struct pd_compare_options options;
		struct pd_comparison *c;

		choose_options(&options, round);
		w = (struct world){.n_sides = 2 + round % 2, .has_fractions = round % 4 == 0};
		fill_world(&w, &r);
		c = compare_world(&w, twice, &options);
		for (uint32_t i = 0; i < c->n_rows; i++)
			for (uint32_t s = 1; s < c->n_sides; s++) {
				const struct pd_row *row = &c->rows[i];
				double base = row->sides[0].value;

				ut_assert_same(row->sides[s].value, base);
				ut_assert_same(row->sides[s].sd, row->sides[0].sd);
				ut_assert_same(row->changes[s].delta,
					       pd_is_known(base) ? 0 : PD_UNKNOWN);
				if (pd_is_known(base) && base != 0)
					ut_assert_same(row->changes[s].ratio, 1);
				assert_true(row->paired != PD_BASE_ONLY);
				assert_true(row->paired != PD_NEXT_ONLY);
			}
		for (uint32_t i = 0; i < c->n_leftovers; i++)
			ut_assert_same(c->leftovers[i].changes[1].delta, 0);
		for (uint32_t e = 0; e < c->n_events; e++)
			ut_assert_same(c->events[e].changes[1].delta, 0);
		assert_int_equal(c->receipt.n_unpaired, 0);
		pd_comparison_free(c);
	}
}

static enum pd_pairing turned(enum pd_pairing p)
{
	return p == PD_BASE_ONLY ? PD_NEXT_ONLY : p == PD_NEXT_ONLY ? PD_BASE_ONLY : p;
}

static void check_turned(const struct pd_estimate *a, const struct pd_estimate *b,
			 const struct pd_change *x, const struct pd_change *y)
{
	for (uint32_t s = 0; s < 2; s++) {
		ut_assert_same(a[s].value, b[1 - s].value);
		ut_assert_same(a[s].sd, b[1 - s].sd);
	}
	ut_assert_same(x[1].delta, -y[1].delta);
	if (pd_is_known(x[1].ratio) && pd_is_known(y[1].ratio))
		assert_true(fabs(x[1].ratio * y[1].ratio - 1) < 1e-12);
	else /* only a value of 0, or an unknown one, has no ratio on either side */
		assert_true(a[0].value == 0 || a[1].value == 0 || isnan(a[0].value) ||
			    isnan(a[1].value));
}

static void assert_same_name(const struct pd_comparison *a, pd_str x,
			     const struct pd_comparison *b, pd_str y)
{
	assert_string_equal(pd_strtab_get(&a->strings, x), pd_strtab_get(&b->strings, y));
}

static void test_swapped_sides(void **state)
{
	static const uint32_t swapped[] = {1, 0};
	struct ut_random r = {0x98765};
	static struct world w;

	(void)state;
	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		struct pd_compare_options options;
		struct pd_comparison *a, *b;

		choose_options(&options, round);
		w = (struct world){.n_sides = 2, .has_fractions = round % 4 == 0};
		fill_world(&w, &r);
		a = compare_world(&w, in_order, &options);
		b = compare_world(&w, swapped, &options);
		assert_int_equal(a->n_rows, b->n_rows);
		assert_int_equal(a->n_leftovers, b->n_leftovers);
		assert_int_equal(a->receipt.n_unpaired, b->receipt.n_unpaired);
		ut_assert_same(a->receipt.base_paired_ratio, b->receipt.next_paired_ratio);
		for (uint32_t i = 0; i < a->n_rows; i++) {
			const struct pd_row *x = &a->rows[i], *y = &b->rows[i];

			assert_same_name(a, x->name, b, y->name);
			assert_same_name(a, x->module, b, y->module);
			assert_int_equal(x->event, y->event);
			assert_int_equal(x->group, y->group);
			assert_int_equal(x->paired, turned(y->paired));
			check_turned(x->sides, y->sides, x->changes, y->changes);
		}
		for (uint32_t i = 0; i < a->n_leftovers; i++) {
			const struct pd_leftover *x = &a->leftovers[i], *y = &b->leftovers[i];

			assert_same_name(a, x->name, b, y->name);
			check_turned(x->sides, y->sides, x->changes, y->changes);
		}
		for (uint32_t e = 0; e < a->n_events; e++)
			check_turned(a->events[e].sides, b->events[e].sides, a->events[e].changes,
				     b->events[e].changes);
		pd_comparison_free(a);
		pd_comparison_free(b);
	}
}

/*
 * The order of functions within the inputs changes nothing, to the last bit. A
 * function's own cost that is added up from tenths is another matter: there
 * are no such functions among the fractions.
 */
static void check_permuted_functions(bool has_fractions, uint64_t seed)
{
	struct ut_random r = {seed};
	static struct world w;

	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		struct pd_compare_options options;
		struct pd_comparison *c;
		char *before, *after;

		choose_options(&options, round);
		if (has_fractions) {
			options.suffix = (enum pd_suffix_mode)(round % 2);
			options.n_renames = 0;
		}
		w = (struct world){
			.n_sides = 2 + round % 2,
			.has_fractions = has_fractions,
			.is_unique = has_fractions,
		};
		fill_world(&w, &r);
		c = compare_world(&w, in_order, &options);
		before = ut_dump(c, 17);
		pd_comparison_free(c);
		shuffle_items(&w, &r);
		c = compare_world(&w, in_order, &options);
		after = ut_dump(c, 17);
		pd_comparison_free(c);
		ut_assert_text("permuted functions", after, before);
		free(before);
		free(after);
	}
}

static void test_permuted_functions(void **state)
{
	(void)state;
	check_permuted_functions(false, 0x51515);
}

static void test_permuted_functions_with_fractions(void **state)
{
	(void)state;
	check_permuted_functions(true, 0x61616);
}

static void check_same_estimates(const struct pd_comparison *c, const struct pd_estimate *a,
				 const struct pd_estimate *b)
{
	for (uint32_t s = 0; s < c->n_sides; s++) {
		ut_assert_same(a[s].value, b[s].value);
		ut_assert_same(a[s].sd, b[s].sd);
	}
}

/* Nor does the order of a side's runs, but for the lists of runs. */
static void test_permuted_runs(void **state)
{
	struct ut_random r = {0x717171};
	static struct world w;

	(void)state;
	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		struct pd_compare_options options;
		struct pd_comparison *a, *b;

		choose_options(&options, round);
		w = (struct world){.n_sides = 2 + round % 2, .has_fractions = round % 4 == 0};
		fill_world(&w, &r);
		a = compare_world(&w, in_order, &options);
		turn_runs(&w);
		b = compare_world(&w, in_order, &options);
		assert_int_equal(a->n_rows, b->n_rows);
		assert_int_equal(a->n_leftovers, b->n_leftovers);
		for (uint32_t i = 0; i < a->n_rows; i++) {
			assert_same_name(a, a->rows[i].name, b, b->rows[i].name);
			assert_same_name(a, a->rows[i].module, b, b->rows[i].module);
			assert_int_equal(a->rows[i].paired, b->rows[i].paired);
			check_same_estimates(a, a->rows[i].sides, b->rows[i].sides);
		}
		for (uint32_t i = 0; i < a->n_leftovers; i++)
			check_same_estimates(a, a->leftovers[i].sides, b->leftovers[i].sides);
		for (uint32_t e = 0; e < a->n_events; e++)
			check_same_estimates(a, a->events[e].sides, b->events[e].sides);
		pd_comparison_free(a);
		pd_comparison_free(b);
	}
}

/* Groups move cost from rows into a sum, and lose none of it. */
static void test_groups(void **state)
{
	static const char *const members[] = {"alpha", "beta.cold", "gamma", "none"};
	static const struct pd_group groups[] = {{"sum", members, 4}};
	const struct pd_compare_options options = {.groups = groups, .n_groups = 1};
	struct ut_random r = {0x818181};
	static struct world w;
	uint32_t n_sums = 0;

	(void)state;
	for (uint32_t round = 0; round < N_ROUNDS; round++) {
		struct pd_comparison *c;

		w = (struct world){.n_sides = 2};
		fill_world(&w, &r);
		/* A group without a function would be an error. */
		add_item(&w.runs[0][0].events[0], "alpha", "", 3);
		c = compare_world(&w, in_order, &options);
		for (uint32_t i = 0; i < c->n_rows; i++)
			n_sums += c->rows[i].paired == PD_PAIRED_GROUP;
		pd_comparison_free(c);
	}
	assert_true(n_sums >= N_ROUNDS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_against_same),
		cmocka_unit_test(test_swapped_sides),
		cmocka_unit_test(test_permuted_functions),
		cmocka_unit_test(test_permuted_functions_with_fractions),
		cmocka_unit_test(test_permuted_runs),
		cmocka_unit_test(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
