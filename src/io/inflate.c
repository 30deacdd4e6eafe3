/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompression into one buffer: gzip (RFC 1952, several members), zstd (RFC
 * 8878, several frames) and xz (several streams). The output grows with what
 * really comes out, never with a size that the input claims.
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

static int inflate_gzip(struct pd_span in, size_t limit, struct pd_buf *out, struct pd_error *err)
{
	z_stream z = {0};
	size_t done = 0;
	int rc = PD_OK, zrc = Z_OK;

	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return pd_fail_nomem(err);
	/* Another member may follow the end of one. */
	while (rc == PD_OK && (zrc != Z_STREAM_END || is_gzip_next(in, done))) {
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
static int inflate_xz(struct pd_span in, size_t limit, struct pd_buf *out, struct pd_error *err)
{
	const uint64_t memory_bytes = 256u << 20;
	lzma_stream z = LZMA_STREAM_INIT;
	lzma_ret zrc = LZMA_OK;
	int rc = PD_OK;

	if (lzma_stream_decoder(&z, memory_bytes, LZMA_CONCATENATED) != LZMA_OK)
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
static int inflate_zstd(struct pd_span in, size_t limit, struct pd_buf *out, struct pd_error *err)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer from = {in.ptr, in.len, 0};
	size_t left = 1;
	int rc = PD_OK;

	if (!z)
		return pd_fail_nomem(err);
	while (rc == PD_OK && (from.pos < from.size || left)) {
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

int pd_inflate(struct pd_span in, size_t limit_bytes, struct pd_buf *out, struct pd_error *err)
{
	int rc = PD_ERR_UNSUPPORTED;

	if (pd_span_starts(in, magic_gzip))
		rc = inflate_gzip(in, limit_bytes, out, err);
#ifdef PD_HAVE_LZMA
	else if (pd_span_starts(in, magic_xz))
		rc = inflate_xz(in, limit_bytes, out, err);
#endif
#ifdef PD_HAVE_ZSTD
	else if (pd_span_starts(in, magic_zstd))
		rc = inflate_zstd(in, limit_bytes, out, err);
#endif
	if (rc == PD_ERR_UNSUPPORTED)
		return pd_fail(err, rc, "compressed with %s, which this build cannot read",
			       pd_span_starts(in, magic_xz) ? "xz" : "zstd");
	if (rc == PD_OK)
		rc = check_limit(out, limit_bytes, err); /* the last step may have passed it */
	if (rc == PD_OK && out->ptr)
		out->ptr[out->len] = '\0';
	return rc;
}
