/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Boot images of kernels, packed by the libraries' own packers.
 */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include <zlib.h>

#include "config.h"
#include "image/kernel.h"
#ifdef PD_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef PD_HAVE_ZSTD
#include <zstd.h>
#endif

static const struct pd_limits usual = PD_LIMITS_DEFAULT;

static void put(struct pd_buf *b, uint64_t x, unsigned n_bytes, bool is_big_endian)
{
	for (unsigned i = 0; i < n_bytes; i++)
		pd_buf_add_char(b, (char)(x >> 8 * (is_big_endian ? n_bytes - 1 - i : i)));
}

static void pad_to(struct pd_buf *b, size_t len)
{
	assert_true(b->len <= len);
	pd_buf_add_fill(b, '\0', len - b->len);
}

/* ---- packers ---- */

static void add_gzip(struct pd_buf *out, struct pd_span in)
{
	z_stream z = {0};
	Bytef bytes[4096];

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (Bytef *)(uintptr_t)in.ptr;
	z.avail_in = (uInt)in.len;
	z.next_out = bytes;
	z.avail_out = sizeof(bytes);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	pd_buf_add(out, (const char *)bytes, z.total_out);
	assert_int_equal(deflateEnd(&z), Z_OK);
}

#ifdef PD_HAVE_LZMA
static void add_lzma_stream(struct pd_buf *out, struct pd_span in, bool is_xz)
{
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_options_lzma options;
	uint8_t bytes[4096];

	assert_false(lzma_lzma_preset(&options, 1));
	assert_int_equal(is_xz ? lzma_easy_encoder(&z, 1, LZMA_CHECK_CRC32)
			       : lzma_alone_encoder(&z, &options), LZMA_OK);
	z.next_in = (const uint8_t *)in.ptr;
	z.avail_in = in.len;
	z.next_out = bytes;
	z.avail_out = sizeof(bytes);
	assert_int_equal(lzma_code(&z, LZMA_FINISH), LZMA_STREAM_END);
	pd_buf_add(out, (const char *)bytes, z.total_out);
	lzma_end(&z);
}

static void add_xz(struct pd_buf *out, struct pd_span in)
{
	add_lzma_stream(out, in, true);
}

static void add_lzma(struct pd_buf *out, struct pd_span in)
{
	add_lzma_stream(out, in, false);
}
#endif

#ifdef PD_HAVE_ZSTD
static void add_zstd(struct pd_buf *out, struct pd_span in)
{
	char bytes[4096];
	size_t len = ZSTD_compress(bytes, sizeof(bytes), in.ptr, in.len, 3);

	assert_false(ZSTD_isError(len));
	pd_buf_add(out, bytes, len);
}
#endif

/* Literals alone, in two blocks. */
static void add_lz4(struct pd_buf *out, struct pd_span in)
{
	pd_buf_add(out, "\x02\x21\x4c\x18", 4);
	for (int i = 0; i < 2; i++) {
		struct pd_span part = pd_span_sub(in, i ? 10 : 0, i ? in.len : 10);
		struct pd_buf block = {0};

		if (part.len < 15) {
			pd_buf_add_char(&block, (char)(part.len << 4));
		} else {
			pd_buf_add_char(&block, '\xf0');
			pd_buf_add_fill(&block, '\xff', (part.len - 15) / 255);
			pd_buf_add_char(&block, (char)((part.len - 15) % 255));
		}
		pd_buf_add(&block, part.ptr, part.len);
		put(out, block.len, 4, false);
		pd_buf_add(out, block.ptr, block.len);
		pd_buf_done(&block);
	}
}

static const struct packer {
	const char *name;
	void (*add)(struct pd_buf *out, struct pd_span in);
} packers[] = {
	{"gzip", add_gzip},
	{"lz4", add_lz4},
#ifdef PD_HAVE_LZMA
	{"xz", add_xz},
	{"lzma", add_lzma},
#endif
#ifdef PD_HAVE_ZSTD
	{"zstd", add_zstd},
#endif
};

enum { N_PACKERS = sizeof(packers) / sizeof(packers[0]) };

/* ---- boot images ---- */

/* A boot image of x86: setup_sects as given, the payload 100 bytes into the rest. */
static void make_bzimage(struct pd_buf *b, struct pd_span payload, uint8_t setup_sects,
			 uint16_t version)
{
	pad_to(b, 0x1f1);
	put(b, setup_sects, 1, false);
	pad_to(b, 0x1fe);
	put(b, 0xaa55, 2, false);
	pad_to(b, 0x202);
	pd_buf_add_str(b, "HdrS");
	put(b, version, 2, false);
	pad_to(b, 0x248);
	put(b, 100, 4, false);
	put(b, payload.len, 4, false);
	pad_to(b, (size_t)((setup_sects ? setup_sects : 4) + 1) * 512 + 100);
	pd_buf_add(b, payload.ptr, payload.len);
	pd_buf_add_str(b, "behind");
}

static void make_zboot(struct pd_buf *b, struct pd_span payload)
{
	pd_buf_add(b, "MZ\0\0zimg", 8);
	put(b, 80, 4, false);
	put(b, payload.len, 4, false);
	pad_to(b, 80);
	pd_buf_add(b, payload.ptr, payload.len);
	pd_buf_add_str(b, "behind");
}

/* Unpacks a copy that ends with its block; "" or the message of the error. */
static const char *unpack(struct pd_span in, const struct pd_limits *limits, int want_rc,
			  struct pd_buf *out)
{
	static struct pd_error err;
	char *exact = malloc(in.len + !in.len);

	assert_non_null(exact);
	memcpy(exact, in.ptr, in.len);
	err = (struct pd_error){0};
	assert_true(pd_vmlinuz_sniff((struct pd_span){exact, in.len}));
	assert_int_equal(pd_vmlinuz_unpack((struct pd_span){exact, in.len}, limits, out, &err),
			 want_rc);
	free(exact);
	return err.msg;
}

/* A kernel of 2007 bytes, packed; its size behind it looks like another one. */
static void make_payload(const struct packer *p, struct pd_buf *kernel, struct pd_buf *payload)
{
	char magic[4];

	pd_buf_add(kernel, "\x7f" "ELF\2\1\1", 7);
	for (int i = 0; i < 500; i++)
		put(kernel, (uint64_t)i * i, 4, false);
	p->add(payload, pd_buf_span(kernel));
	memcpy(magic, payload->ptr, sizeof(magic));
	pd_buf_add(payload, magic, sizeof(magic));
}

static void unpacks_what_is_packed(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_PACKERS; i++) {
		struct pd_buf kernel = {0}, payload = {0};

		make_payload(&packers[i], &kernel, &payload);
		for (int shape = 0; shape < 3; shape++) {
			struct pd_buf boot = {0}, out = {0};

			if (shape == 2)
				make_zboot(&boot, pd_buf_span(&payload));
			else
				make_bzimage(&boot, pd_buf_span(&payload), shape ? 27 : 0, 0x20f);
			ut_assert_text(packers[i].name,
				       unpack(pd_buf_span(&boot), &usual, PD_OK, &out), "");
			assert_int_equal(out.len, kernel.len);
			assert_memory_equal(out.ptr, kernel.ptr, kernel.len);
			pd_buf_done(&out);
			pd_buf_done(&boot);
		}
		pd_buf_done(&kernel);
		pd_buf_done(&payload);
	}
}

static void limits_and_cuts(void **state)
{
	struct pd_limits small = usual;

	(void)state;
	small.inflated_bytes = 2006;
	for (size_t i = 0; i < N_PACKERS; i++) {
		struct pd_buf kernel = {0}, payload = {0}, boot = {0}, out = {0};
		struct pd_span part;

		make_payload(&packers[i], &kernel, &payload);
		make_bzimage(&boot, pd_buf_span(&payload), 1, 0x208);
		unpack(pd_buf_span(&boot), &small, PD_ERR_LIMIT, &out);
		/* The file ends within the payload; or the payload does, by its own account. */
		part = pd_span_sub(pd_buf_span(&boot), 0, boot.len - 7);
		unpack(part, &usual, PD_ERR_TRUNCATED, &out);
		for (size_t len = 6; len < payload.len - 4; len += 5) {
			struct pd_buf cut = {0}, cut_out = {0};
			struct pd_error err = {0};
			int rc;

			make_bzimage(&cut, pd_span_sub(pd_buf_span(&payload), 0, len), 1, 0x208);
			rc = pd_vmlinuz_unpack(pd_buf_span(&cut), &usual, &cut_out, &err);
			/* lz4 says nothing of its end: what is cut between blocks is whole. */
			if (rc != PD_ERR_TRUNCATED &&
			    (packers[i].add != add_lz4 || cut_out.len >= kernel.len))
				fail_msg("%s cut at %zu: %d", packers[i].name, len, rc);
			pd_buf_done(&cut);
			pd_buf_done(&cut_out);
		}
		pd_buf_done(&out);
		pd_buf_done(&boot);
		pd_buf_done(&kernel);
		pd_buf_done(&payload);
	}
}

static void lz4_blocks(void **state)
{
	static const struct {
		const char *block;
		size_t len;
		const char *want; /* NULL: none */
	} cases[] = {
		{"\x50hello", 6, "hello"},
		/* "ab", 4 bytes from 2 before, "!" */
		{"\x20" "ab\x02\x00\x10!", 7, "ababab!"},
		/* 15 + 0 literals, and a copy of 15 + 1 + 4 bytes from 1 before. */
		{"\xff\x00" "abcdefghijklmno\x01\x00\x01\x10!", 22,
		 "abcdefghijklmnooooooooooooooooooooo!"},
		{"", 0, NULL},
		{"\x50hell", 5, NULL},              /* literals beyond the end */
		{"\x20" "ab\x03\x00\x10!", 7, NULL}, /* a copy from before the block */
		{"\x20" "ab\x00\x00\x10!", 7, NULL}, /* from itself */
		{"\x20" "ab\x02", 4, NULL},
		{"\x20" "ab\x02\x00", 5, NULL}, /* a copy at the end */
		{"\xf0", 1, NULL},
		{"\xf0\xff", 2, NULL},
		{"\xf0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 12, NULL}, /* 2565 literals */
		{"\x2f" "ab\x02\x00", 5, NULL},
		{"\x2f" "ab\x02\x00\xff\xff", 7, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pd_buf payload = {0}, boot = {0}, out = {0};

		pd_buf_add(&payload, "\x02\x21\x4c\x18", 4);
		put(&payload, cases[i].len, 4, false);
		pd_buf_add(&payload, cases[i].block, cases[i].len);
		put(&payload, 0, 4, false);
		make_bzimage(&boot, pd_buf_span(&payload), 1, 0x208);
		unpack(pd_buf_span(&boot), &usual, cases[i].want ? PD_OK : PD_ERR_FORMAT, &out);
		if (cases[i].want)
			ut_assert_text("lz4", out.ptr, cases[i].want);
		pd_buf_done(&payload);
		pd_buf_done(&boot);
		pd_buf_done(&out);
	}
}

/* A block may not unpack to more than 8 MiB, whatever the limit of the whole. */
static void lz4_bomb(void **state)
{
	struct pd_buf block = {0}, payload = {0}, boot = {0}, out = {0};

	(void)state;
	pd_buf_add_str(&block, "\x1f" "a\x01");
	pd_buf_add_char(&block, '\0');
	/* A copy that is 108 bytes short of that, and one of 219. */
	pd_buf_add_fill(&block, '\xff', (8 << 20) / 255);
	pd_buf_add(&block, "\0\x0f\x01\x00\xc8\x10!", 7);
	pd_buf_add(&payload, "\x02\x21\x4c\x18", 4);
	put(&payload, block.len, 4, false);
	pd_buf_add(&payload, block.ptr, block.len);
	put(&payload, 0, 4, false);
	make_bzimage(&boot, pd_buf_span(&payload), 1, 0x208);
	unpack(pd_buf_span(&boot), &usual, PD_ERR_FORMAT, &out);
	pd_buf_done(&block);
	pd_buf_done(&payload);
	pd_buf_done(&boot);
	pd_buf_done(&out);
}

static void refusals(void **state)
{
	static const struct {
		const char *payload, *want;
		uint16_t version;
		int code;
	} cases[] = {
		{"BZh91AY", "a kernel packed with bzip2, which profdiff does not unpack; give its "
		 "vmlinux or System.map", 0x20f, PD_ERR_UNSUPPORTED},
		{"\x89LZO\0", "a kernel packed with lzo, which profdiff does not unpack; give its "
		 "vmlinux or System.map", 0x20f, PD_ERR_UNSUPPORTED},
		{"\x04\x22\x4d\x18", "a kernel packed with lz4 with frames, which profdiff does "
		 "not unpack; give its vmlinux or System.map", 0x20f, PD_ERR_UNSUPPORTED},
		{"junk", "compressed with something unknown, which this build cannot read", 0x20f,
		 PD_ERR_UNSUPPORTED},
		{"junk", "a kernel with boot protocol 207, which does not tell where its image is; "
		 "give its vmlinux or System.map", 0x207, PD_ERR_UNSUPPORTED},
	};
	struct pd_buf boot = {0}, out = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_bzimage(&boot, pd_span_of(cases[i].payload), 1, cases[i].version);
		ut_assert_text("refused",
			       unpack(pd_buf_span(&boot), &usual, cases[i].code, &out),
			       cases[i].want);
		pd_buf_done(&boot);
	}
	/* A payload that lies about its place. */
	make_bzimage(&boot, pd_span_of("junk"), 1, 0x20f);
	memset(boot.ptr + 0x248, 0xff, 4);
	unpack(pd_buf_span(&boot), &usual, PD_ERR_TRUNCATED, &out);
	memset(boot.ptr + 0x248, 0, 4);
	memset(boot.ptr + 0x24c, 0xff, 4);
	ut_assert_text("a length", unpack(pd_buf_span(&boot), &usual, PD_ERR_TRUNCATED, &out),
		       "expected a packed kernel of 4294967295 bytes at 1024, found the end of the "
		       "file at 1134");
	pd_buf_done(&boot);
	pd_buf_done(&out);
}

static void sniffed_and_plain(void **state)
{
	struct pd_buf image = {0}, out = {0}, boot = {0};

	(void)state;
	make_bzimage(&boot, pd_span_of("x"), 1, 0x20f);
	assert_true(pd_vmlinuz_sniff(pd_buf_span(&boot)));
	assert_true(pd_vmlinuz_sniff((struct pd_span){boot.ptr, 0x250}));
	assert_false(pd_vmlinuz_sniff((struct pd_span){boot.ptr, 0x24f}));
	boot.ptr[0x1fe] = 0;
	assert_false(pd_vmlinuz_sniff(pd_buf_span(&boot)));
	assert_false(pd_vmlinuz_sniff((struct pd_span){NULL, 0}));
	assert_false(pd_vmlinuz_sniff(pd_span_of("MZ")));
	pad_to(&image, 0x38);
	pd_buf_add_str(&image, "ARM\x64");
	assert_false(pd_vmlinuz_sniff(pd_buf_span(&image)));
	pad_to(&image, 64);
	assert_true(pd_vmlinuz_sniff(pd_buf_span(&image)));
	unpack(pd_buf_span(&image), &usual, PD_OK, &out);
	assert_int_equal(out.len, 64);
	assert_memory_equal(out.ptr, image.ptr, 64);
	pd_buf_done(&image);
	pd_buf_done(&out);
	pd_buf_done(&boot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unpacks_what_is_packed),
		cmocka_unit_test(limits_and_cuts),
		cmocka_unit_test(lz4_blocks),
		cmocka_unit_test(lz4_bomb),
		cmocka_unit_test(refusals),
		cmocka_unit_test(sniffed_and_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
