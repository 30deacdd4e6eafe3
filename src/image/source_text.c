/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Source lines. Contract: source_text.h.
 */
#include "image/source_text.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "io/source.h"

enum { MAX_FILE = 16 << 20, MAX_ALL = 256 << 20, MAX_LINE = 200 };

struct pd_source_file {
	char *text;       /* NULL: it cannot be read */
	uint32_t *begins; /* [n_lines + 1] */
	uint32_t n_lines;
};

/* Whether a name stays below the folder that it is looked for in. */
static bool is_below(struct pd_span name)
{
	bool is_at_begin = true;

	if (!name.len || name.ptr[0] == '/')
		return false;
	for (size_t i = 0; i < name.len; i++) {
		if (is_at_begin && pd_span_starts(pd_span_sub(name, i, name.len), "..") &&
		    (i + 2 == name.len || name.ptr[i + 2] == '/'))
			return false;
		is_at_begin = name.ptr[i] == '/';
	}
	return true;
}

static bool find_lines(struct pd_source_file *f, size_t len)
{
	size_t n = 1;

	for (size_t i = 0; i < len; i++)
		n += f->text[i] == '\n';
	f->begins = malloc((n + 1) * sizeof(*f->begins));
	if (!f->begins)
		return false;
	f->begins[f->n_lines++] = 0;
	for (size_t i = 0; i < len; i++)
		if (f->text[i] == '\n')
			f->begins[f->n_lines++] = (uint32_t)i + 1;
	f->begins[f->n_lines] = (uint32_t)len + 1;
	return true;
}

/* A plain file, of a size that sources have. */
static bool read_file(struct pd_source_texts *t, const char *path, struct pd_source_file *f)
{
	struct pd_source source = {0};
	struct stat st;
	size_t len;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MAX_FILE ||
	    pd_source_open(path, t->limits, &source, NULL) != PD_OK)
		return false;
	len = source.bytes.len;
	if (len <= MAX_FILE && len <= MAX_ALL - t->n_bytes)
		f->text = malloc(len + 1);
	if (f->text && len)
		memcpy(f->text, source.bytes.ptr, len);
	if (f->text && !find_lines(f, len)) {
		free(f->text);
		f->text = NULL;
	}
	t->n_bytes += f->text ? len : 0;
	pd_source_close(&source);
	return f->text;
}

/* As it is called, or without the first folder: that of the sources themselves. */
static void open_file(struct pd_source_texts *t, struct pd_span name, struct pd_source_file *f)
{
	const char *slash = name.len ? memchr(name.ptr, '/', name.len) : NULL;
	struct pd_buf path = {0};

	if (!is_below(name))
		return;
	pd_buf_printf(&path, "%s/%s", t->folder, name.ptr);
	if (!path.failed && !read_file(t, path.ptr, f) && slash) {
		path.len = 0;
		pd_buf_printf(&path, "%s%s", t->folder, slash);
		if (!path.failed)
			(void)read_file(t, path.ptr, f);
	}
	pd_buf_done(&path);
}

/* The file, opened when it is asked for first; NULL if there is no memory. */
static struct pd_source_file *find_file(struct pd_source_texts *t, const struct pd_strtab *names,
					pd_str file)
{
	uint32_t i = pd_map_find(&t->ids, file.id);

	if (i != PD_MAP_NONE)
		return &t->files[i];
	if (t->n == t->cap) {
		uint32_t cap = t->cap ? 2 * t->cap : 16;
		struct pd_source_file *files = reallocarray(t->files, cap, sizeof(*files));

		if (!files)
			return NULL;
		t->files = files;
		t->cap = cap;
	}
	if (pd_map_insert(&t->ids, file.id, t->n) == PD_MAP_NONE)
		return NULL;
	t->files[t->n] = (struct pd_source_file){0};
	open_file(t, pd_strtab_span(names, file), &t->files[t->n]);
	return &t->files[t->n++];
}

struct pd_span pd_source_line(struct pd_source_texts *t, const struct pd_strtab *names,
			      pd_str file, uint32_t line)
{
	struct pd_source_file *f = t->folder && file.id ? find_file(t, names, file) : NULL;
	struct pd_span text = {"", 0};

	if (!f || !f->text || !line || line > f->n_lines)
		return text;
	text.ptr = f->text + f->begins[line - 1];
	text.len = f->begins[line] - f->begins[line - 1] - 1;
	if (text.len && text.ptr[text.len - 1] == '\r')
		text.len--;
	text = pd_span_trim(text);
	return pd_span_sub(text, 0, MAX_LINE);
}

void pd_source_texts_done(struct pd_source_texts *t)
{
	for (uint32_t i = 0; i < t->n; i++) {
		free(t->files[i].text);
		free(t->files[i].begins);
	}
	free(t->files);
	pd_map_done(&t->ids);
	*t = (struct pd_source_texts){0};
}
