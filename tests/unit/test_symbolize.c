/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recordings made by hand, and what their profiles must be: sums by function, what has
 * no name, inclusive costs under recursion, where the kernel stood.
 */
#include "analysis/symbolize.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support.h"

enum { N_EVENTS = 2, MAX = 16 };

/* A recording of a kernel, a jitting process and what has no map. */
struct fixture {
	struct pd_profile *profile;
	struct pd_recording *r;
	struct pd_diags diags;
	char dir[32], list[64], map[64];
};

static void *room(struct pd_recording *r, size_t size)
{
	return pd_arena_array(&r->arena, MAX * N_EVENTS, size);
}

static pd_str text(struct pd_recording *r, const char *s)
{
	return pd_strtab_intern_str(&r->strings, s);
}

static void write_file(const char *path, const char *bytes)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(bytes, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void setup(struct fixture *f, uint64_t slide)
{
	struct pd_profile *p = calloc(1, sizeof(*p));
	struct pd_recording *r = calloc(1, sizeof(*r));

	*f = (struct fixture){.profile = p, .r = r};
	strcpy(f->dir, "/tmp/pd-symbolize-XXXXXX");
	assert_non_null(mkdtemp(f->dir));
	(void)snprintf(f->list, sizeof(f->list), "%s/kallsyms", f->dir);
	(void)snprintf(f->map, sizeof(f->map), "%s/perf-42.map", f->dir);
	write_file(f->list, "ffffffff81000000 T _text\nffffffff81000100 T one\n"
			    "ffffffff81000200 T two\nffffffff81000300 T end\n");
	write_file(f->map, "1000 100 jitted\n");
	p->path = "made.data";
	p->recording = r;
	p->n_events = N_EVENTS;
	p->events = pd_arena_array(&p->arena, N_EVENTS, sizeof(*p->events));
	p->events[0].is_cut = true; /* as for a reader that listed no function */
	r->dsos = room(r, sizeof(*r->dsos));
	r->sites = room(r, sizeof(*r->sites));
	r->counts = room(r, sizeof(*r->counts));
	r->stacks = room(r, sizeof(*r->stacks));
	r->stack_counts = room(r, sizeof(*r->stack_counts));
	r->comms = room(r, sizeof(*r->comms));
	r->comm_counts = room(r, sizeof(*r->comm_counts));
	r->guests = room(r, sizeof(*r->guests));
	r->filtered = room(r, sizeof(*r->filtered));
	r->dsos[0] = (struct pd_dso){
		.kind = PD_DSO_KERNEL, .path = text(r, "[kernel.kallsyms]"),
		.module = text(r, "[kernel.kallsyms]"), .reference = text(r, "_text"),
		.reference_address = 0xffffffff81000000 + slide,
	};
	r->dsos[1] = (struct pd_dso){
		.kind = PD_DSO_JIT, .path = text(r, "/tmp/perf-42.map"),
		.module = text(r, "[JIT] tid 42"), .pid = 42,
	};
	r->dsos[2] = (struct pd_dso){.kind = PD_DSO_UNKNOWN, .module = text(r, "[unknown]")};
	r->dsos[3] = (struct pd_dso){
		.kind = PD_DSO_NAMED, .path = text(r, "bpf_prog_1"),
		.module = text(r, "bpf_prog_1"),
	};
	r->n_dsos = 4;
}

static void teardown(struct fixture *f)
{
	pd_profile_free(f->profile);
	pd_diags_done(&f->diags);
	(void)unlink(f->list);
	(void)unlink(f->map);
	(void)rmdir(f->dir);
}

static uint32_t add_site(struct fixture *f, uint32_t dso, uint64_t address, uint64_t n,
			 uint64_t sum)
{
	struct pd_recording *r = f->r;

	r->sites[r->n_sites] = (struct pd_site){dso, address};
	r->counts[(size_t)r->n_sites * N_EVENTS] = (struct pd_count){n, sum, (double)(sum * sum)};
	return r->n_sites++;
}

static uint32_t add_stack(struct fixture *f, uint32_t parent, uint32_t site, uint64_t sum)
{
	struct pd_recording *r = f->r;

	r->stacks[r->n_stacks] = (struct pd_stack){parent, site};
	r->stack_counts[(size_t)r->n_stacks * N_EVENTS].sum = sum;
	return r->n_stacks++;
}

static void symbolize(struct fixture *f, enum pd_site_rows rows)
{
	const struct pd_limits limits = PD_LIMITS_DEFAULT;
	const struct pd_symbol_places places = {.kallsyms = f->list, .jit_dir = f->dir};
	const struct pd_symbolize_options options = {.rows = rows, .limits = &limits};

	assert_int_equal(pd_symbolize(f->profile, &places, &options, &f->diags, NULL), PD_OK);
}

/* "name@module=self/inclusive ..." of the first event, in the order of the profile. */
static void assert_rows(const struct fixture *f, const char *want)
{
	const struct pd_profile *p = f->profile;
	struct pd_buf out = {0};
	char number[PD_NUM_LEN];

	for (uint32_t i = 0; i < p->n_funcs; i++) {
		const struct pd_weight *w = pd_profile_weight(p, i, 0);

		pd_buf_printf(&out, "%s%s@%s=%s", i ? " " : "",
			      pd_strtab_get(&p->strings, p->funcs[i].name),
			      pd_strtab_get(&p->strings, p->funcs[i].module),
			      pd_is_known(w->self) ? pd_num_shortest(w->self, number) : "?");
		if (pd_is_known(w->inclusive))
			pd_buf_printf(&out, "/%s", pd_num_shortest(w->inclusive, number));
		if (p->funcs[i].flags & PD_FUNC_LEFTOVER)
			pd_buf_add_char(&out, '!');
	}
	assert_string_equal(out.ptr, want);
	pd_buf_done(&out);
}

static void fill_all_kinds(struct fixture *f)
{
	add_site(f, 0, 0xffffffff81000100, 1, 10);
	add_site(f, 0, 0xffffffff810001ff, 2, 20);
	add_site(f, 0, 0xffffffff81000200, 1, 5);
	add_site(f, 0, 0xffffffff8fffffff, 1, 1);
	add_site(f, 1, 0x10ff, 3, 300);
	add_site(f, 1, 0x1100, 1, 7);
	add_site(f, 2, 0x99, 1, 2);
	add_site(f, 3, 0x20, 1, 4);
	f->r->guests[0] = (struct pd_count){1, 1000, 0};
	f->r->filtered[0] = (struct pd_count){2, 2000, 0};
	f->r->comms[0] = text(f->r, "node");
	f->r->comm_counts[0] = (struct pd_count){11, 349, 0};
	f->r->n_comms = 1;
}

static void test_functions(void **state)
{
	struct fixture f;
	const struct pd_profile *p;

	(void)state;
	setup(&f, 0);
	fill_all_kinds(&f);
	symbolize(&f, PD_ROWS_FUNCTION);
	p = f.profile;
	assert_rows(&f, "one@[kernel.kallsyms]=30 two@[kernel.kallsyms]=5 jitted@[JIT] tid 42=300 "
		    "bpf_prog_1@bpf_prog_1=4 [unknown]@[kernel.kallsyms]=1! "
		    "[unknown]@[JIT] tid 42=7! [unknown]@[unknown]=2! [guest]@=1000! "
		    "[filtered]@=2000!");
	ut_assert_same(pd_profile_weight(p, 0, 0)->n_samples, 3);
	ut_assert_same(pd_profile_weight(p, 0, 0)->sum_sq, 500);
	ut_assert_same(pd_profile_weight(p, 0, 1)->self, PD_UNKNOWN);
	ut_assert_same(p->events[0].total, 3349);
	ut_assert_same(p->events[1].total, 0);
	assert_false(p->events[0].is_cut);
	assert_int_equal(p->n_comms, 1);
	ut_assert_same(p->comms[0].n_samples[0], 11);
	ut_assert_same(p->comms[0].self[0], 349);
	assert_int_equal(f.diags.n, 0);
	teardown(&f);
}

static void test_other_rows(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, 0);
	fill_all_kinds(&f);
	symbolize(&f, PD_ROWS_MODULE);
	assert_rows(&f, "vmlinux@[kernel.kallsyms]=36 [JIT] tid 42@[JIT] tid 42=307 "
		    "bpf_prog_1@bpf_prog_1=4 [unknown]@[unknown]=2! [guest]@=1000! "
		    "[filtered]@=2000!");
	symbolize(&f, PD_ROWS_COMM);
	assert_rows(&f, "node@=349 [guest]@=1000! [filtered]@=2000!");
	/* None of these has lines: all is unknown, and said to be. */
	symbolize(&f, PD_ROWS_LINE);
	assert_rows(&f, "[unknown]@[kernel.kallsyms]=36! [unknown]@[JIT] tid 42=307! "
		    "[unknown]@[unknown]=2! [unknown]@bpf_prog_1=4! [guest]@=1000! "
		    "[filtered]@=2000!");
	assert_true(f.diags.n > 0);
	teardown(&f);
}

/* The kernel stood elsewhere when it was recorded. */
static void test_slide(void **state)
{
	struct fixture f;

	(void)state;
	setup(&f, 0x1e000000);
	add_site(&f, 0, 0xffffffff9f000100, 1, 1);
	add_site(&f, 0, 0xffffffff9f000210, 1, 2);
	symbolize(&f, PD_ROWS_FUNCTION);
	assert_rows(&f, "one@[kernel.kallsyms]=1 two@[kernel.kallsyms]=2");
	assert_int_equal(f.diags.n, 0);
	teardown(&f);

	/* The reference is wrong: addresses fit as they are, and that is told. */
	setup(&f, 0x1e000000);
	add_site(&f, 0, 0xffffffff81000100, 1, 1);
	symbolize(&f, PD_ROWS_FUNCTION);
	assert_rows(&f, "one@[kernel.kallsyms]=1");
	assert_string_equal(f.diags.items[0].kind, "bad-reference");
	teardown(&f);

	/* There is none in the list. */
	setup(&f, 0);
	f.r->dsos[0].reference = text(f.r, "_stext");
	add_site(&f, 0, 0xffffffff81000100, 1, 1);
	symbolize(&f, PD_ROWS_FUNCTION);
	assert_rows(&f, "one@[kernel.kallsyms]=1");
	assert_string_equal(f.diags.items[0].kind, "no-reference");
	teardown(&f);
}

static void test_inclusive(void **state)
{
	struct fixture f;
	uint32_t one, two, jitted, root, node;

	(void)state;
	setup(&f, 0);
	one = add_site(&f, 0, 0xffffffff81000100, 1, 100);
	two = add_site(&f, 0, 0xffffffff81000200, 1, 10);
	jitted = add_site(&f, 1, 0x1000, 1, 1);
	/* jitted (1) > one > two (10) > one (60): recursion;  jitted > two > one (40) */
	root = add_stack(&f, PD_NO_STACK, jitted, 1);
	node = add_stack(&f, root, one, 0);
	node = add_stack(&f, node, two, 10);
	add_stack(&f, node, one, 60);
	node = add_stack(&f, root, two, 0);
	add_stack(&f, node, one, 40);
	symbolize(&f, PD_ROWS_FUNCTION);
	/* one: below its first instance 70, and 40. two: 70 and 40. */
	assert_rows(&f, "one@[kernel.kallsyms]=100/110 two@[kernel.kallsyms]=10/110 "
		    "jitted@[JIT] tid 42=1/111");
	teardown(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_other_rows),
		cmocka_unit_test(test_slide),
		cmocka_unit_test(test_inclusive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
