/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON (RFC 8259): the document's value tree, printed. An object that holds no
 * other object stands on one line, so that a diff of two outputs shows rows.
 */
#include <errno.h>

#include "base/num.h"
#include "base/text.h"
#include "io/writer.h"
#include "profdiff/render.h"

enum { MADE_AT_ONCE = 256 };

static void write_escape(struct pd_writer *out, uint32_t code)
{
	static const char hex[] = "0123456789abcdef";
	char s[] = "\\u0000";

	for (int i = 0; i < 4; i++)
		s[5 - i] = hex[code >> (4 * i) & 15];
	pd_writer_add(out, s, 6);
}

/* Length of the bytes at the beginning of s that stand as they are. */
static size_t count_plain(struct pd_span s)
{
	size_t n = 0;

	while (n < s.len && s.ptr[n] >= ' ' && s.ptr[n] <= '~' && s.ptr[n] != '"' &&
	       s.ptr[n] != '\\')
		n++;
	return n;
}

/* Escapes what JSON must, and what would be unsafe on a terminal; bad UTF-8 becomes U+FFFD. */
static void write_string(struct pd_writer *out, const char *text)
{
	struct pd_span s = pd_span_of(text);
	size_t len;

	pd_writer_add(out, "\"", 1);
	for (size_t i = 0; i < s.len; i += len) {
		uint32_t code;

		len = count_plain(pd_span_sub(s, i, s.len));
		if (len) {
			pd_writer_add(out, s.ptr + i, len);
			continue;
		}
		code = pd_utf8_decode(pd_span_sub(s, i, s.len), &len);
		if (code == PD_UTF8_BAD) {
			pd_writer_add_str(out, "\xef\xbf\xbd");
		} else if (code == '"' || code == '\\') {
			pd_writer_add(out, "\\", 1);
			pd_writer_add(out, s.ptr + i, 1);
		} else if (pd_utf8_is_unsafe(code)) {
			if (code >= 0x10000) {
				write_escape(out, 0xd800 + ((code - 0x10000) >> 10));
				code = 0xdc00 + ((code - 0x10000) & 0x3ff);
			}
			write_escape(out, code);
		} else {
			pd_writer_add(out, s.ptr + i, len);
		}
	}
	pd_writer_add(out, "\"", 1);
}

static void write_indent(struct pd_writer *out, unsigned depth)
{
	pd_writer_add(out, "\n", 1);
	for (unsigned i = 0; i < depth; i++)
		pd_writer_add(out, "  ", 2);
}

static void write_value(struct pd_writer *out, const struct pd_value *v, unsigned depth);

/* Objects of a list that are made as they are written, some at a time. */
static void write_made_items(struct pd_writer *out, const struct pd_value *list, unsigned depth)
{
	struct pd_document *d = NULL;

	for (uint64_t i = 0; i < list->n_made; i++) {
		if (i % MADE_AT_ONCE == 0) {
			pd_document_free(d);
			d = pd_document_new(PD_PART_VALUES);
		}
		if (d)
			list->make_item(d, d->root, list->source, i);
		if (!d || d->failed) {
			pd_writer_fail(out, ENOMEM);
			break;
		}
		write_indent(out, depth + 1);
		write_value(out, d->root->last, depth + 1);
		if (i + 1 < list->n_made)
			pd_writer_add(out, ",", 1);
	}
	pd_document_free(d);
}

static void write_value(struct pd_writer *out, const struct pd_value *v, unsigned depth)
{
	bool is_object = v->kind == PD_VALUE_OBJECT;
	char buf[PD_NUM_LEN];

	switch (v->kind) {
	case PD_VALUE_NULL:
		pd_writer_add(out, "null", 4);
		return;
	case PD_VALUE_NUMBER:
		pd_writer_add_str(out, pd_num_shortest(v->number, buf));
		return;
	case PD_VALUE_TEXT:
		write_string(out, v->text);
		return;
	case PD_VALUE_LIST:
	case PD_VALUE_OBJECT:
		break;
	}
	pd_writer_add(out, is_object ? "{" : "[", 1);
	for (const struct pd_value *item = v->first; item; item = item->next) {
		if (v->has_objects)
			write_indent(out, depth + 1);
		if (item->key) {
			write_string(out, item->key);
			pd_writer_add(out, ": ", 2);
		}
		write_value(out, item, depth + 1);
		if (item->next)
			pd_writer_add(out, ", ", v->has_objects ? 1 : 2);
	}
	if (v->n_made)
		write_made_items(out, v, depth);
	if (v->has_objects)
		write_indent(out, depth);
	pd_writer_add(out, is_object ? "}" : "]", 1);
}

static void render(const struct pd_document *d, const struct pd_render_options *options,
		   struct pd_writer *out)
{
	(void)options;
	write_value(out, d->root, 0);
	pd_writer_add(out, "\n", 1);
}

const struct pd_renderer pd_renderer_json = {
	.name = "json",
	.title = "one JSON object, for programs",
	.parts = PD_PART_VALUES,
	.render = render,
};
