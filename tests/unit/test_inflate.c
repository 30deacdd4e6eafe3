/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression, of what the libraries' own compressors make: whole, cut at
 * every byte, damaged, and beyond the limit.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include <zlib.h>

#include "config.h"
#include "io/inflate.h"
#ifdef PD_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef PD_HAVE_ZSTD
#include <zstd.h>
#endif

enum { NO_LIMIT = 1 << 30 };

static void add_gzip(struct pd_buf *out, struct pd_span in)
{
	z_stream z = {0};
	Bytef *bytes;
	uLong cap;

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	cap = deflateBound(&z, in.len) + 32;
	bytes = malloc(cap);
	z.next_in = (Bytef *)(uintptr_t)in.ptr;
	z.avail_in = (uInt)in.len;
	z.next_out = bytes;
	z.avail_out = (uInt)cap;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	pd_buf_add(out, (const char *)bytes, z.total_out);
	assert_int_equal(deflateEnd(&z), Z_OK);
	free(bytes);
}

#ifdef PD_HAVE_LZMA
static void add_xz(struct pd_buf *out, struct pd_span in)
{
	size_t cap = lzma_stream_buffer_bound(in.len), len = 0;
	uint8_t *bytes = malloc(cap);

	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL,
						 (const uint8_t *)in.ptr, in.len, bytes, &len,
						 cap), LZMA_OK);
	pd_buf_add(out, (const char *)bytes, len);
	free(bytes);
}
#endif

#ifdef PD_HAVE_ZSTD
static void add_zstd(struct pd_buf *out, struct pd_span in)
{
	ZSTD_CCtx *z = ZSTD_createCCtx();
	size_t cap = ZSTD_compressBound(in.len), len;
	char *bytes = malloc(cap);

	assert_false(ZSTD_isError(ZSTD_CCtx_setParameter(z, ZSTD_c_checksumFlag, 1)));
	len = ZSTD_compress2(z, bytes, cap, in.ptr, in.len);
	assert_false(ZSTD_isError(len));
	pd_buf_add(out, bytes, len);
	free(bytes);
	ZSTD_freeCCtx(z);
}
#endif

struct kind {
	const char *name;
	void (*add)(struct pd_buf *out, struct pd_span in);
	size_t magic_len;
};

static const struct kind kinds[] = {
	{"gzip", add_gzip, 2},
#ifdef PD_HAVE_LZMA
	{"xz", add_xz, 5},
#endif
#ifdef PD_HAVE_ZSTD
	{"zstd", add_zstd, 4},
#endif
};

enum { N_KINDS = sizeof(kinds) / sizeof(kinds[0]) };

/* Decompresses a copy in a block of just its size. */
static int inflate_copy(struct pd_span in, size_t limit, struct pd_buf *out, struct pd_error *err)
{
	char *exact = malloc(in.len);
	int rc;

	memcpy(exact, in.ptr, in.len);
	rc = pd_inflate((struct pd_span){exact, in.len}, limit, out, err);
	free(exact);
	assert_int_equal(rc, err->code);
	return rc;
}

/* Lines that compress, but not to nothing. */
static void add_payload(struct pd_buf *b, uint32_t n_lines)
{
	struct ut_random r = {0x60d + n_lines};

	for (uint32_t i = 0; i < n_lines; i++) {
		char line[64];
		int len = snprintf(line, sizeof(line), "main;do_%u;leaf_%u %u\n",
				   ut_random_below(&r, 100), ut_random_below(&r, 10000), i);

		pd_buf_add(b, line, (size_t)len);
	}
}

static struct pd_span span_of(const struct pd_buf *b)
{
	return (struct pd_span){b->ptr, b->len};
}

static void assert_inflates(const struct kind *k, struct pd_span in, size_t limit,
			    const struct pd_buf *want)
{
	struct pd_buf out = {0};
	struct pd_error err = {0};

	assert_true(pd_inflate_wants(in));
	pd_buf_add_str(&out, "kept;");
	if (inflate_copy(in, limit, &out, &err) != PD_OK)
		fail_msg("%s: %s", k->name, err.msg);
	assert_int_equal(out.len, want->len + 5);
	assert_memory_equal(out.ptr, "kept;", 5);
	if (want->len)
		assert_memory_equal(out.ptr + 5, want->ptr, want->len);
	assert_int_equal(out.ptr[out.len], '\0');
	pd_buf_done(&out);
}

static void test_wants(void **state)
{
	(void)state;
	assert_true(pd_inflate_wants(pd_span_of("\x1f\x8b")));
	assert_true(pd_inflate_wants(pd_span_of("\xfd" "7zXZ")));
	assert_true(pd_inflate_wants(pd_span_of("\x28\xb5\x2f\xfd")));
	assert_false(pd_inflate_wants(pd_span_of("\x1f")));
	assert_false(pd_inflate_wants(pd_span_of("\xfd" "7zX")));
	assert_false(pd_inflate_wants(pd_span_of("\x28\xb5\x2f")));
	assert_false(pd_inflate_wants(pd_span_of("main 1\n")));
	assert_false(pd_inflate_wants((struct pd_span){NULL, 0}));
}

static void test_members(void **state)
{
	static const uint32_t sizes[][3] = {{0}, {1}, {100}, {12000}, {3, 4}, {0, 5}, {5, 0},
					    {12000, 1, 1000}, {2, 2, 2}};

	(void)state;
	for (size_t k = 0; k < N_KINDS; k++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
			struct pd_buf in = {0}, want = {0};

			for (size_t m = 0; m < 3 && (sizes[i][m] || m < 2); m++) {
				size_t before = want.len;

				add_payload(&want, sizes[i][m]);
				kinds[k].add(&in, (struct pd_span){want.ptr + before,
								   want.len - before});
			}
			assert_inflates(&kinds[k], span_of(&in), NO_LIMIT, &want);
			pd_buf_done(&in);
			pd_buf_done(&want);
		}
}

/* A file that ends too early is told, wherever that is; but for between members. */
static void test_cut_at_every_byte(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_KINDS; k++) {
		struct pd_buf in = {0}, payload = {0};
		size_t first;

		add_payload(&payload, 2);
		kinds[k].add(&in, span_of(&payload));
		first = in.len;
		kinds[k].add(&in, span_of(&payload));
		assert_inflates(&kinds[k], pd_span_sub(span_of(&in), 0, first), NO_LIMIT, &payload);
		for (size_t len = kinds[k].magic_len; len < in.len; len++) {
			struct pd_buf out = {0};
			struct pd_error err = {0};
			int rc;

			if (len == first)
				continue;
			rc = inflate_copy(pd_span_sub(span_of(&in), 0, len), NO_LIMIT, &out, &err);
			if (rc != PD_ERR_TRUNCATED && rc != PD_ERR_FORMAT)
				fail_msg("%s cut at %zu of %zu bytes (one member has %zu): "
					 "code %d", kinds[k].name, len, in.len, first, rc);
			pd_buf_done(&out);
		}
		pd_buf_done(&in);
		pd_buf_done(&payload);
	}
}

/* A flipped bit never gives other bytes than those that went in. */
static void test_damage(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_KINDS; k++) {
		struct pd_buf in = {0}, payload = {0};

		add_payload(&payload, 2);
		kinds[k].add(&in, span_of(&payload));
		for (size_t at = kinds[k].magic_len; at < in.len; at++) {
			struct pd_buf out = {0};
			struct pd_error err = {0};
			int rc;

			in.ptr[at] ^= 0x10;
			rc = inflate_copy(span_of(&in), NO_LIMIT, &out, &err);
			in.ptr[at] ^= 0x10;
			if (rc == PD_OK && (out.len != payload.len ||
					    memcmp(out.ptr, payload.ptr, out.len) != 0))
				fail_msg("%s, byte %zu: damage is not noticed", kinds[k].name, at);
			pd_buf_done(&out);
		}
		pd_buf_done(&in);
		pd_buf_done(&payload);
	}
}

static void test_limit(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_KINDS; k++)
		for (uint32_t i = 0; i < 5; i++) {
			/* Up to the output's step of 256 KiB and beyond it. */
			static const size_t sizes[] = {1, 100, (1 << 18) - 1, 1 << 18, 1 << 20};
			struct pd_buf in = {0}, payload = {0}, out = {0};
			struct pd_error err = {0};

			pd_buf_add_fill(&payload, 'x', sizes[i]);
			kinds[k].add(&in, span_of(&payload));
			assert_inflates(&kinds[k], span_of(&in), sizes[i] + 5, &payload);
			if (inflate_copy(span_of(&in), sizes[i] - 1, &out, &err) != PD_ERR_LIMIT)
				fail_msg("%s: %zu bytes pass a limit of one less", kinds[k].name,
					 sizes[i]);
			assert_non_null(strstr(err.msg, "--max-inflated"));
			pd_buf_done(&out);
			pd_buf_done(&in);
			pd_buf_done(&payload);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_wants),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_cut_at_every_byte),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
