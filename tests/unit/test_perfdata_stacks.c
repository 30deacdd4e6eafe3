/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf.data: the call tree, and what comes compressed.
 */
#include "support_perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "config.h"
#ifdef PD_HAVE_ZSTD
#include <zstd.h>
#endif

#define MARK_KERNEL UINT64_C(-128)
#define MARK_USER UINT64_C(-512)
#define MARK_GUEST UINT64_C(-2048)

/* Nodes with samples or without, "module+address>module+address=samples", by node. */
static char *dump_stacks(struct ut_perf *p)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_request request = {.wants_stacks = true};
	struct pd_buf bytes = ut_perf_file(p), out = {0};
	struct pd_profiles profiles = {0};
	struct pd_error err = {0};
	struct pd_input in = {
		.path = "test", .bytes = pd_buf_span(&bytes), .limits = &limits,
		.request = &request,
	};
	const struct pd_recording *r;

	assert_int_equal(pd_ingest_bytes(&in, NULL, &profiles, &err), PD_OK);
	r = profiles.items[0]->recording;
	for (uint32_t i = 0; i < r->n_stacks; i++) {
		uint32_t path[100], n = 0;

		for (uint32_t k = i; k != PD_NO_STACK && n < 100; k = r->stacks[k].parent)
			path[n++] = r->stacks[k].site;
		assert_true(r->stacks[i].parent == PD_NO_STACK || r->stacks[i].parent < i);
		pd_buf_add_str(&out, i ? " " : "");
		while (n--)
			pd_buf_printf(&out, "%s+%" PRIx64 "%s",
				      pd_strtab_get(&r->strings,
						    r->dsos[r->sites[path[n]].dso].module),
				      r->sites[path[n]].address, n ? ">" : "=");
		pd_buf_printf(&out, "%" PRIu64, r->stack_counts[i].n_samples);
	}
	pd_buf_add_char(&out, '\0');
	pd_profiles_done(&profiles);
	pd_buf_done(&bytes);
	ut_perf_done(p);
	return out.ptr;
}

static void assert_stacks(struct ut_perf *p, const char *want)
{
	char *have = dump_stacks(p);

	assert_string_equal(have, want);
	free(have);
}

static struct ut_perf chained(bool is_swapped)
{
	struct ut_perf p = {
		.sample_type = UT_PLAIN | UT_CALLCHAIN, .time = 100, .events = {{.type = 1}},
		.n_events = 1, .is_swapped = is_swapped,
	};

	ut_perf_mmap(&p, UT_KERNEL, UINT32_MAX, 0xf000, 0x2000, 0xf000, "[kernel.kallsyms]_text");
	ut_perf_mmap(&p, UT_USER, 7, 0x1000, 0x1000, 0, "/bin/u");
	p.time++;
	return p;
}

#define ADD(p, mode, address, ...) do {                                               \
	const uint64_t frames_[] = {__VA_ARGS__};                                     \
	ut_perf_sample(p, mode, 7, 7, address, frames_, sizeof(frames_) / sizeof(*frames_)); \
} while (0)

/* Marks are no frames; they say where the next frames are. */
static void test_marks(void **state)
{
	(void)state;
	for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
		struct ut_perf p = chained(is_swapped);

		ADD(&p, UT_USER, 0x1010, MARK_USER, 0x1010, 0x1020);
		ADD(&p, UT_USER, 0x1010, MARK_USER, 0x1010, 0x1020);
		ADD(&p, UT_KERNEL, 0xf010, MARK_KERNEL, 0xf010, 0xf020, MARK_USER, 0x1020);
		ADD(&p, UT_USER, 0x1020, MARK_USER, 0x1020);
		assert_stacks(&p, "u+20=1 u+20>u+10=2 u+20>[kernel.kallsyms]+f020=0 "
			      "u+20>[kernel.kallsyms]+f020>[kernel.kallsyms]+f010=1");
	}
}

/* Recursion is a path of nodes, not one. */
static void test_recursion(void **state)
{
	struct ut_perf p = chained(false);

	(void)state;
	ADD(&p, UT_USER, 0x1010, MARK_USER, 0x1010, 0x1010, 0x1010);
	assert_stacks(&p, "u+10=0 u+10>u+10=0 u+10>u+10>u+10=1");
}

/*
 * A chain that begins elsewhere has the sample's own address on top; one that is
 * broken, or of a guest, is that address alone.
 */
static void test_odd_chains(void **state)
{
	struct ut_perf p = chained(false);

	(void)state;
	ADD(&p, UT_USER, 0x1011, MARK_USER, 0x1010);
	ADD(&p, UT_USER, 0x1011, MARK_USER, 0x1010, MARK_GUEST, 0x1020);
	ut_perf_sample(&p, UT_USER, 7, 7, 0x1030, NULL, 0);
	assert_stacks(&p, "u+10=0 u+10>u+11=1 u+11=1 u+30=1");
}

static void test_not_recorded(void **state)
{
	struct ut_perf p = {
		.sample_type = UT_PLAIN, .time = 100, .events = {{.type = 1}}, .n_events = 1,
	};

	(void)state;
	ut_perf_sample(&p, UT_USER, 7, 7, 0x1030, NULL, 0);
	assert_stacks(&p, "");
}

#ifdef PD_HAVE_ZSTD
/*
 * Records compressed as one stream, which is cut into records of at most n_piece
 * bytes: of either kind, with records that go on in the next piece.
 */
static void add_compressed(struct ut_perf *p, const struct ut_perf *plain, size_t n_piece,
			   bool is_second_kind)
{
	size_t cap = ZSTD_compressBound(plain->records.len);
	char *bytes = malloc(cap);
	size_t n = ZSTD_compress(bytes, cap, plain->records.ptr, plain->records.len, 1);

	assert_false(ZSTD_isError(n));
	for (size_t i = 0; i < n; i += n_piece) {
		size_t len = n - i < n_piece ? n - i : n_piece;
		size_t begin = ut_perf_begin(p, is_second_kind ? 83 : 81, 0);

		if (is_second_kind)
			ut_perf_u64(p, len);
		pd_buf_add(&p->records, bytes + i, len);
		if (is_second_kind)
			pd_buf_add_fill(&p->records, '\x55', (8 - len % 8) % 8);
		ut_perf_end(p, begin);
	}
	free(bytes);
}

static void test_compressed(void **state)
{
	static const size_t pieces[] = {7, 50, 60000};

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		struct ut_perf plain = {.sample_type = UT_PLAIN, .time = 200};
		struct ut_perf p = {
			.sample_type = UT_PLAIN, .time = 100, .events = {{.type = 1}},
			.n_events = 1,
		};

		ut_perf_mmap(&p, UT_USER, 7, 0x1000, 0x1000, 0, "/bin/u");
		for (int k = 0; k < 1000; k++)
			ut_perf_sample(&plain, UT_USER, 7, 7, 0x1000 + (k & 3), NULL, 0);
		add_compressed(&p, &plain, pieces[i / 2], i & 1);
		p.time = 5000;
		ut_perf_sample(&p, UT_USER, 7, 7, 0x1003, NULL, 0);
		ut_perf_assert(&p, NULL, "cpu-clock:HG 10010/1001: u+0=250 u+1=250 u+2=250 "
			       "u+3=251 | :7=1001");
		ut_perf_done(&plain);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marks),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_odd_chains),
		cmocka_unit_test(test_not_recorded),
#ifdef PD_HAVE_ZSTD
		cmocka_unit_test(test_compressed),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
