/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression into one buffer: gzip (RFC 1952, several members), zstd (RFC
 * 8878, several frames) and xz (several streams); in kernels also the lzma that
 * came before xz, and the lz4 that came before its frames. The output grows with
 * what really comes out, never with a size that the input claims.
 */
#include "io/inflate.h"

#include <zlib.h>

#include "config.h"
#ifdef PD_HAVE_LZMA
#include <lzma.h>
#endif
#ifdef PD_HAVE_ZSTD
#include <zstd.h>
#endif

enum { OUT_STEP = 1 << 18 };

static const char magic_gzip[] = "\x1f\x8b";
static const char magic_xz[] = "\xfd" "7zXZ";
static const char magic_zstd[] = "\x28\xb5\x2f\xfd";
/* The usual properties, and too little to know a file by. */
static const char magic_lzma[] = "\x5d";
/* Of the format that lz4 calls legacy: blocks of at most 8 MiB, each behind its size. */
static const char magic_lz4[] = "\x02\x21\x4c\x18";

enum { LZ4_BLOCK = 8 << 20, LZ4_MIN_MATCH = 4 };

/* How much of the input is decompressed: all members, or one. */
enum extent { EXTENT_ALL, EXTENT_FIRST };

bool pd_inflate_wants(struct pd_span in)
{
	return pd_span_starts(in, magic_gzip) || pd_span_starts(in, magic_xz) ||
	       pd_span_starts(in, magic_zstd);
}

static int check_limit(const struct pd_buf *out, size_t limit_bytes, struct pd_error *err)
{
	if (out->len <= limit_bytes)
		return PD_OK;
	return pd_fail(err, PD_ERR_LIMIT,
		       "decompresses to more than %zu bytes; --max-inflated raises this limit",
		       limit_bytes);
}

/* Room for a step of output; fails where the limit was passed. */
static int reserve_step(struct pd_buf *out, size_t limit_bytes, struct pd_error *err)
{
	int rc = check_limit(out, limit_bytes, err);

	if (rc == PD_OK && !pd_buf_reserve(out, OUT_STEP))
		rc = pd_fail_nomem(err);
	return rc;
}

static int fail_cut(struct pd_error *err, const char *what, size_t n_bytes)
{
	return pd_fail(err, PD_ERR_TRUNCATED,
		       "expected the end of the %s data, found the end of the file after %zu bytes",
		       what, n_bytes);
}

static int fail_bad(struct pd_error *err, const char *what)
{
	return pd_fail(err, PD_ERR_FORMAT, "expected %s data, found bytes that are none", what);
}

/* Whether a member begins at i, or its first byte alone where the file is cut. */
static bool is_gzip_next(struct pd_span in, size_t i)
{
	struct pd_span rest = pd_span_sub(in, i, in.len);

	return pd_span_starts(rest, magic_gzip) || (rest.len == 1 && rest.ptr[0] == magic_gzip[0]);
}

static int inflate_gzip(struct pd_span in, enum extent extent, size_t limit, struct pd_buf *out,
			 struct pd_error *err)
{
	z_stream z = {0};
	size_t done = 0;
	int rc = PD_OK, zrc = Z_OK;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return pd_fail_nomem(err);
	/* Another member may follow the end of one. */
	while (rc == PD_OK &&
	       (zrc != Z_STREAM_END || (extent == EXTENT_ALL && is_gzip_next(in, done)))) {
		size_t left = in.len - done, step = left > (1u << 30) ? 1u << 30 : left;

		rc = reserve_step(out, limit, err);
		if (rc != PD_OK)
			break;
		if (zrc == Z_STREAM_END)
			(void)inflateReset(&z);
		/* zlib's field lacks a const that zlib itself honours. */
		z.next_in = (Bytef *)(uintptr_t)(in.ptr + done);
		z.avail_in = (uInt)step;
		z.next_out = (Bytef *)out->ptr + out->len;
		z.avail_out = OUT_STEP;
		zrc = inflate(&z, Z_NO_FLUSH);
		done += step - z.avail_in;
		out->len += OUT_STEP - z.avail_out;
		if (zrc == Z_BUF_ERROR || (zrc == Z_OK && done == in.len && z.avail_out))
			rc = fail_cut(err, "gzip", in.len);
		else if (zrc == Z_MEM_ERROR)
			rc = pd_fail_nomem(err);
		else if (zrc != Z_OK && zrc != Z_STREAM_END)
			rc = fail_bad(err, "gzip");
	}
	(void)inflateEnd(&z);
	return rc;
}

#ifdef PD_HAVE_LZMA
/* xz, and lzma of which there is but one stream. */
static int inflate_xz(struct pd_span in, enum extent extent, size_t limit, struct pd_buf *out,
		       struct pd_error *err)
{
	const uint64_t memory_bytes = 256u << 20;
	const uint32_t flags = extent == EXTENT_ALL ? LZMA_CONCATENATED : 0;
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret zrc = LZMA_OK;
	int rc = PD_OK;

	if (pd_span_starts(in, magic_xz))
		zrc = lzma_stream_decoder(&z, memory_bytes, flags);
	else
		zrc = lzma_alone_decoder(&z, memory_bytes);
	if (zrc != LZMA_OK)
		return pd_fail_nomem(err);
	z.next_in = (const uint8_t *)in.ptr;
	z.avail_in = in.len;
	while (rc == PD_OK && zrc != LZMA_STREAM_END) {
		rc = reserve_step(out, limit, err);
		if (rc != PD_OK)
			break;
		z.next_out = (uint8_t *)out->ptr + out->len;
		z.avail_out = OUT_STEP;
		zrc = lzma_code(&z, LZMA_FINISH);
		out->len += OUT_STEP - z.avail_out;
		if (zrc == LZMA_BUF_ERROR)
			rc = fail_cut(err, "xz", in.len);
		else if (zrc == LZMA_MEM_ERROR || zrc == LZMA_MEMLIMIT_ERROR)
			rc = pd_fail_nomem(err);
		else if (zrc != LZMA_OK && zrc != LZMA_STREAM_END)
			rc = fail_bad(err, "xz");
	}
	lzma_end(&z);
	return rc;
}
#endif

#ifdef PD_HAVE_ZSTD
static int inflate_zstd(struct pd_span in, enum extent extent, size_t limit, struct pd_buf *out,
			 struct pd_error *err)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer from = {in.ptr, in.len, 0};
	size_t left = 1;
	int rc = PD_OK;

	if (!z)
		return pd_fail_nomem(err);
	while (rc == PD_OK && (left || (extent == EXTENT_ALL && from.pos < from.size))) {
		ZSTD_outBuffer to = {0};

		rc = reserve_step(out, limit, err);
		if (rc != PD_OK)
			break;
		to.dst = out->ptr + out->len;
		to.size = OUT_STEP;
		left = ZSTD_decompressStream(z, &to, &from);
		out->len += to.pos;
		if (ZSTD_isError(left))
			rc = fail_bad(err, "zstd");
		else if (left && from.pos == from.size && to.pos < to.size)
			rc = fail_cut(err, "zstd", in.len);
	}
	ZSTD_freeDStream(z);
	return rc;
}
#endif

struct pd_inflater *pd_inflater_new(void)
{
#ifdef PD_HAVE_ZSTD
	return (struct pd_inflater *)ZSTD_createDStream();
#else
	return NULL;
#endif
}

void pd_inflater_free(struct pd_inflater *z)
{
#ifdef PD_HAVE_ZSTD
	ZSTD_freeDStream((ZSTD_DStream *)z);
#else
	(void)z;
#endif
}

int pd_inflater_feed(struct pd_inflater *z, struct pd_span *piece, struct pd_buf *out,
		     bool *ret_is_done, struct pd_error *err)
{
#ifdef PD_HAVE_ZSTD
	ZSTD_inBuffer from = {piece->ptr, piece->len, 0};
	ZSTD_outBuffer to;
	size_t left;

	if (z) {
		if (!pd_buf_reserve(out, OUT_STEP))
			return pd_fail_nomem(err);
		to = (ZSTD_outBuffer){out->ptr + out->len, OUT_STEP, 0};
		left = ZSTD_decompressStream((ZSTD_DStream *)z, &to, &from);
		if (ZSTD_isError(left))
			return fail_bad(err, "zstd");
		out->len += to.pos;
		*piece = pd_span_sub(*piece, from.pos, from.size);
		/* Where the output is full, there may be more of it. */
		*ret_is_done = !piece->len && to.pos < to.size;
		return PD_OK;
	}
#else
	(void)piece;
	(void)out;
	(void)ret_is_done;
	(void)z;
#endif
	return pd_fail(err, PD_ERR_UNSUPPORTED,
		       "compressed with zstd, which this build cannot read");
}

/* A length of 15 goes on in the bytes behind it, up to one that is not 255. */
static bool read_lz4_length(const uint8_t **p, const uint8_t *end, size_t *n)
{
	uint8_t byte = 255;

	while (byte == 255) {
		if (*p == end || *n > LZ4_BLOCK)
			return false;
		byte = *(*p)++;
		*n += byte;
	}
	return true;
}

/*
 * One block of lz4 (doc/lz4_Block_format.md of lz4): literals and copies of what
 * came before them in the block, into out that has room for LZ4_BLOCK bytes.
 * Returns how many they are, or SIZE_MAX.
 */
static size_t inflate_lz4_block(const uint8_t *p, const uint8_t *end, char *out)
{
	size_t n = 0;

	while (p < end) {
		uint8_t token = *p++;
		size_t n_literals = token >> 4, n_copied = token & 15, distance;

		if (n_literals == 15 && !read_lz4_length(&p, end, &n_literals))
			return SIZE_MAX;
		if (n_literals > (size_t)(end - p) || n_literals > LZ4_BLOCK - n)
			return SIZE_MAX;
		memcpy(out + n, p, n_literals);
		n += n_literals;
		p += n_literals;
		if (p == end) /* only literals are at the end */
			return n;
		if (end - p < 2)
			return SIZE_MAX;
		distance = (size_t)p[0] | (size_t)p[1] << 8;
		p += 2;
		if (n_copied == 15 && !read_lz4_length(&p, end, &n_copied))
			return SIZE_MAX;
		n_copied += LZ4_MIN_MATCH;
		if (!distance || distance > n || n_copied > LZ4_BLOCK - n)
			return SIZE_MAX;
		/* The copy may begin within what it makes: byte by byte. */
		for (size_t i = 0; i < n_copied; i++, n++)
			out[n] = out[n - distance];
	}
	return SIZE_MAX;
}

/* The four bytes behind the last block, a size in kernels, are left out. */
static int inflate_lz4(struct pd_span in, size_t limit, struct pd_buf *out, struct pd_error *err)
{
	const uint8_t *p = (const uint8_t *)in.ptr + sizeof(magic_lz4) - 1;
	const uint8_t *end = (const uint8_t *)in.ptr + in.len;

	while (end - p > 4) {
		size_t n, size = (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 |
				 (size_t)p[3] << 24;
		int rc = check_limit(out, limit, err);

		if (rc != PD_OK)
			return rc;
		p += 4;
		if (size > (size_t)(end - p))
			return fail_cut(err, "lz4", in.len);
		if (!pd_buf_reserve(out, LZ4_BLOCK))
			return pd_fail_nomem(err);
		n = inflate_lz4_block(p, p + size, out->ptr + out->len);
		if (n == SIZE_MAX)
			return fail_bad(err, "lz4");
		out->len += n;
		p += size;
	}
	return PD_OK;
}

static int inflate_any(struct pd_span in, enum extent extent, size_t limit, struct pd_buf *out,
		       struct pd_error *err)
{
	int rc = PD_ERR_UNSUPPORTED;

	if (pd_span_starts(in, magic_gzip))
		rc = inflate_gzip(in, extent, limit, out, err);
	else if (extent == EXTENT_FIRST && pd_span_starts(in, magic_lz4))
		rc = inflate_lz4(in, limit, out, err);
#ifdef PD_HAVE_LZMA
	else if (pd_span_starts(in, magic_xz) ||
		 (extent == EXTENT_FIRST && pd_span_starts(in, magic_lzma)))
		rc = inflate_xz(in, extent, limit, out, err);
#endif
#ifdef PD_HAVE_ZSTD
	else if (pd_span_starts(in, magic_zstd))
		rc = inflate_zstd(in, extent, limit, out, err);
#endif
	if (rc == PD_ERR_UNSUPPORTED)
		return pd_fail(err, rc, "compressed with %s, which this build cannot read",
			       pd_span_starts(in, magic_xz) ? "xz" :
			       pd_span_starts(in, magic_zstd) ? "zstd" :
			       pd_span_starts(in, magic_lzma) ? "lzma" : "something unknown");
	if (rc == PD_OK)
		rc = check_limit(out, limit, err); /* the last step may have passed it */
	if (rc == PD_OK && out->ptr)
		out->ptr[out->len] = '\0';
	return rc;
}

int pd_inflate(struct pd_span in, size_t limit_bytes, struct pd_buf *out, struct pd_error *err)
{
	return inflate_any(in, EXTENT_ALL, limit_bytes, out, err);
}

int pd_inflate_first(struct pd_span in, size_t limit_bytes, struct pd_buf *out,
		     struct pd_error *err)
{
	return inflate_any(in, EXTENT_FIRST, limit_bytes, out, err);
}

uint32_t pd_crc32(struct pd_span bytes)
{
	return (uint32_t)crc32_z(0, (const unsigned char *)bytes.ptr, bytes.len);
}
