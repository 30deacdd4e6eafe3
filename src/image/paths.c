/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source paths. Contract: paths.h.
 */
#include "image/paths.h"

/* Without "." and "..", those at the beginning included: the root is not known. */
static void resolve(struct pd_span path, struct pd_buf *out)
{
	size_t from = 0;

	out->len = 0;
	if (path.len && path.ptr[0] == '/')
		pd_buf_add_char(out, '/');
	while (from < path.len) {
		struct pd_span rest = pd_span_sub(path, from, path.len);
		const char *slash = memchr(rest.ptr, '/', rest.len);
		size_t len = slash ? (size_t)(slash - rest.ptr) : rest.len;
		struct pd_span part = pd_span_sub(rest, 0, len);

		from += len + 1;
		if (!part.len || pd_span_eq(part, "."))
			continue;
		if (pd_span_eq(part, "..")) {
			size_t at = out->len;

			while (at && out->ptr[at - 1] != '/')
				at--;
			out->len = at > 1 ? at - 1 : at;
			continue;
		}
		if (out->len && out->ptr[out->len - 1] != '/')
			pd_buf_add_char(out, '/');
		pd_buf_add(out, part.ptr, part.len);
	}
}

/* Bytes of the folders, with a slash behind each, that path and folder begin with. */
static size_t shared_len(struct pd_span path, struct pd_span folder, size_t *ret_n)
{
	size_t i = 0, len = 0;

	*ret_n = 0;
	for (; i < path.len && i <= folder.len; i++) {
		char c = i < folder.len ? folder.ptr[i] : '/';

		if (path.ptr[i] != c)
			break;
		if (c == '/') {
			len = i + 1;
			*ret_n += i > 0;
		}
	}
	return len;
}

/* "/build/NAME/linux-6.1/": where distributions build. */
static size_t build_len(struct pd_span path)
{
	size_t n_slashes = 0;

	if (!pd_span_starts(path, "/build/"))
		return 0;
	for (size_t i = strlen("/build/"); i < path.len; i++)
		if (path.ptr[i] == '/' && ++n_slashes == 2)
			return i + 1;
	return 0;
}

struct pd_span pd_source_path(struct pd_span path, struct pd_span folder, struct pd_buf *buf)
{
	size_t len, n;
	struct pd_span s;

	resolve(path, buf);
	s = pd_buf_span(buf);
	if (!s.len || s.ptr[0] != '/')
		return s;
	len = shared_len(s, folder, &n);
	/* "/usr" alone is shared by chance. */
	if (n < 2 && (!folder.len || len <= folder.len))
		len = 0;
	if (!len)
		len = build_len(s);
	return pd_span_sub(s, len, s.len);
}
