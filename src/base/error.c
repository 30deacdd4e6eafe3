/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Errors and diagnostics. Contract: include/profdiff/error.h.
 */
#include "profdiff/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pd_fail(struct pd_error *err, enum pd_code code, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->code != PD_OK)
		return code;
	err->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	return code;
}

int pd_fail_io(struct pd_error *err, int sys_errno, const char *fmt, ...)
{
	char text[128];
	va_list ap;
	size_t len;

	if (!err || err->code != PD_OK)
		return PD_ERR_IO;
	err->code = PD_ERR_IO;
	err->sys_errno = sys_errno;
	va_start(ap, fmt);
	(void)vsnprintf(err->msg, sizeof(err->msg), fmt, ap);
	va_end(ap);
	len = strlen(err->msg);
	/* GNU strerror_r returns the text, which need not be in the buffer. */
	(void)snprintf(err->msg + len, sizeof(err->msg) - len, ": %s",
		       strerror_r(sys_errno, text, sizeof(text)));
	return PD_ERR_IO;
}

int pd_fail_nomem(struct pd_error *err)
{
	return pd_fail(err, PD_ERR_NOMEM, "out of memory");
}

int pd_wrap(struct pd_error *err, int rc, const char *path)
{
	if (rc != PD_OK && err && !err->path[0] && path)
		(void)snprintf(err->path, sizeof(err->path), "%s", path);
	return rc;
}

void pd_diags_init(struct pd_diags *d)
{
	*d = (struct pd_diags){0};
}

void pd_diags_done(struct pd_diags *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n; i++) {
		free(d->items[i].path);
		free(d->items[i].text);
	}
	free(d->items);
	pd_diags_init(d);
}

/* Whether the kind is full for this path; the last one listed counts these n, too. */
static int kind_is_full(struct pd_diags *d, const char *kind, const char *path, uint32_t n_more)
{
	struct pd_diag *last = NULL;
	size_t n = 0;

	for (size_t i = d->n; i-- > 0;) {
		struct pd_diag *x = &d->items[i];

		if (strcmp(x->kind, kind) != 0 || strcmp(x->path, path) != 0)
			continue;
		if (!last)
			last = x;
		if (++n == PD_DIAGS_PER_KIND) {
			last->n_repeats += n_more;
			return 1;
		}
	}
	return 0;
}

/* Add x, whose texts are d's from now on, unless there is no memory. */
static void take(struct pd_diags *d, const struct pd_diag *x)
{
	struct pd_diag *items = d->items;

	if (x->text && x->path && d->n == d->cap) {
		size_t cap = d->cap ? 2 * d->cap : 16;

		items = realloc(d->items, cap * sizeof(*items));
		if (items) {
			d->items = items;
			d->cap = cap;
		}
	}
	if (x->text && x->path && items) {
		items[d->n++] = *x;
		return;
	}
	free(x->text);
	free(x->path);
}

void pd_diags_add(struct pd_diags *d, enum pd_severity severity, const char *kind,
		  const char *path, uint32_t line, const char *fmt, ...)
{
	struct pd_diag x = {.severity = severity, .kind = kind, .line = line};
	va_list ap;

	if (!path)
		path = "";
	if (!d || kind_is_full(d, kind, path, 1))
		return;
	va_start(ap, fmt);
	if (vasprintf(&x.text, fmt, ap) < 0)
		x.text = NULL;
	va_end(ap);
	x.path = strdup(path);
	take(d, &x);
}

void pd_diags_move(struct pd_diags *from, struct pd_diags *to)
{
	for (size_t i = 0; i < from->n; i++) {
		struct pd_diag *x = &from->items[i];

		if (kind_is_full(to, x->kind, x->path, 1 + x->n_repeats)) {
			free(x->path);
			free(x->text);
		} else {
			take(to, x);
		}
	}
	from->n = 0;
	pd_diags_done(from);
}
