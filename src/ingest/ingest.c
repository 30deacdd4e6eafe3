/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Detect, read, check. Exactly one format that is sure of an input gets it;
 * failing that, the only one that thinks it possible.
 */
#include "ingest/ingest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ingest/perfdata/file.h"
#include "io/lines.h"
#include "io/source.h"

enum { HEAD_BYTES = 64 << 10 };

const struct pd_format *pd_format_find(const char *name)
{
	for (size_t i = 0; pd_formats[i]; i++)
		if (!strcmp(pd_formats[i]->name, name))
			return pd_formats[i];
	return NULL;
}

void pd_input_lines(const struct pd_input *in, struct pd_lines *ret_lines)
{
	pd_lines_init(ret_lines, in->bytes, in->limits, in->path, in->diags);
	pd_lines_use_file(ret_lines, in->source);
}

/* The beginning of an input, cut at a line's end where it has one. */
static struct pd_input head_of(const struct pd_input *in)
{
	struct pd_input head = *in;
	const char *nl;

	head.diags = NULL;
	if (in->bytes.len > HEAD_BYTES) {
		head.bytes.len = HEAD_BYTES;
		nl = memrchr(head.bytes.ptr, '\n', head.bytes.len);
		if (nl)
			head.bytes.len = (size_t)(nl + 1 - head.bytes.ptr);
	}
	return head;
}

/* Comma-separated names of the formats whose answer is at least want; "" if none. */
static void list_names(const enum pd_sniff *answers, enum pd_sniff want, struct pd_buf *out)
{
	for (size_t i = 0; pd_formats[i]; i++)
		if (!answers || answers[i] >= want)
			pd_buf_printf(out, "%s%s", out->len ? ", " : "", pd_formats[i]->name);
	if (!out->ptr)
		(void)pd_buf_reserve(out, 1);
}

static int fail_names(struct pd_error *err, enum pd_code code, const char *what,
		      const enum pd_sniff *answers, enum pd_sniff want)
{
	struct pd_buf names = {0};
	int rc;

	list_names(answers, want, &names);
	rc = pd_fail(err, code, "%s %s%s", what, names.ptr ? names.ptr : "",
		     answers ? "; choose one with --format" : "");
	pd_buf_done(&names);
	return rc;
}

enum { MAX_FORMATS = 64 };

static int detect(const struct pd_input *raw, const struct pd_input *text,
		  const struct pd_format **ret_format, struct pd_error *err)
{
	const struct pd_input raw_head = head_of(raw), text_head = head_of(text);
	enum pd_sniff answers[MAX_FORMATS] = {PD_SNIFF_NO};
	enum pd_sniff best = PD_SNIFF_NO;
	size_t n_best = 0;

	for (size_t i = 0; pd_formats[i] && i < MAX_FORMATS; i++) {
		const struct pd_format *f = pd_formats[i];

		answers[i] = f->sniff(f->is_binary ? &raw_head : &text_head);
		if (answers[i] > best) {
			best = answers[i];
			n_best = 0;
		}
		if (answers[i] == best) {
			*ret_format = f;
			n_best++;
		}
	}
	if (best == PD_SNIFF_NO)
		return fail_names(err, PD_ERR_UNRECOGNISED,
				  "no profile was recognised; known formats are", NULL, best);
	if (n_best > 1)
		return fail_names(err, PD_ERR_AMBIGUOUS, "this could be", answers, best);
	return PD_OK;
}

static int read_format(const struct pd_input *in, const struct pd_format *f,
		       struct pd_profiles *ret_profiles, struct pd_error *err)
{
	struct pd_builder *b = pd_builder_new(in->path, f->name, in->limits, in->diags);
	int rc;

	if (!b)
		return pd_fail_nomem(err);
	rc = f->read(in, b, err);
	if (rc == PD_OK)
		rc = pd_builder_finish(b, ret_profiles, err);
	pd_builder_free(b);
	return rc;
}

int pd_ingest_bytes(const struct pd_input *in, const struct pd_format *format,
		    struct pd_profiles *ret_profiles, struct pd_error *err)
{
	struct pd_input decoded = *in;
	struct pd_text text = {0};
	int rc;

	if (!in->bytes.len)
		return pd_wrap(err, pd_fail(err, PD_ERR_EMPTY, "expected a profile, found an empty "
					    "file"), in->path);
	rc = pd_text_init(in->bytes, &text, err);
	decoded.bytes = text.bytes;
	if (rc == PD_OK && !format)
		rc = detect(in, &decoded, &format, err);
	if (rc == PD_OK)
		rc = read_format(format->is_binary ? in : &decoded, format, ret_profiles, err);
	pd_text_done(&text);
	return pd_wrap(err, rc, in->path);
}

/* "DIR/data", where perf record writes the header of a recording that is a folder. */
static char *data_path(const char *path)
{
	char *data;

	return asprintf(&data, "%s/data", path) < 0 ? NULL : data;
}

bool pd_ingest_is_recording(const char *path)
{
	char magic[8] = {0}, *data;
	struct stat st;
	int fd;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return false;
	data = data_path(path);
	fd = data ? open(data, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
	free(data);
	if (fd < 0)
		return false;
	if (read(fd, magic, sizeof(magic)) < 0)
		magic[0] = '\0';
	(void)close(fd);
	return pd_perf_is_file((struct pd_span){magic, sizeof(magic)});
}

int pd_ingest_file(const char *path, const struct pd_format *format,
		   const struct pd_limits *limits, const struct pd_request *request,
		   struct pd_diags *diags, struct pd_profiles *ret_profiles, struct pd_error *err)
{
	struct pd_source source = {0};
	struct pd_input in = {
		.path = path, .limits = limits, .request = request, .diags = diags,
	};
	char *data = pd_ingest_is_recording(path) ? data_path(path) : NULL;
	int rc = pd_source_open(data ? data : path, limits, &source, err), was_read;

	free(data);
	if (rc != PD_OK)
		return rc;
	in.bytes = source.bytes;
	in.source = &source;
	was_read = pd_ingest_bytes(&in, format, ret_profiles, err);
	rc = pd_wrap(err, pd_source_check(&source, was_read, err), path);
	if (was_read == PD_OK && rc != PD_OK)
		pd_profiles_done(ret_profiles);
	pd_source_close(&source);
	return rc;
}
