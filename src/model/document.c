/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Documents and their value trees. Contract: include/profdiff/table.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "profdiff/table.h"

static void *take(struct pd_document *d, size_t size)
{
	void *p = pd_arena_alloc(&d->arena, size);

	if (!p)
		d->failed = true;
	return p;
}

struct pd_document *pd_document_new(unsigned parts)
{
	struct pd_document *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->parts = parts;
	if (!(parts & PD_PART_VALUES))
		return d;
	d->root = take(d, sizeof(*d->root));
	if (!d->root) {
		pd_document_free(d);
		return NULL;
	}
	d->root->kind = PD_VALUE_OBJECT;
	return d;
}

void pd_document_free(struct pd_document *d)
{
	if (!d)
		return;
	pd_arena_done(&d->arena);
	free(d);
}

const char *pd_document_text(struct pd_document *d, const char *s)
{
	const char *copy = s ? pd_arena_strndup(&d->arena, s, strlen(s)) : NULL;

	if (s && !copy) {
		d->failed = true;
		return "";
	}
	return copy;
}

const char *pd_document_printf(struct pd_document *d, const char *fmt, ...)
{
	char *text = NULL;
	const char *copy;
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (len < 0) {
		d->failed = true;
		return "";
	}
	copy = pd_document_text(d, text);
	free(text);
	return copy;
}

static struct pd_block *add_block(struct pd_document *d, enum pd_block_kind kind)
{
	struct pd_block *b = take(d, sizeof(*b));

	if (!b)
		return NULL;
	b->kind = kind;
	if (d->last)
		d->last->next = b;
	else
		d->first = b;
	d->last = b;
	return b;
}

void pd_document_add_text(struct pd_document *d, const char *text)
{
	struct pd_block *b = d->parts & PD_PART_BLOCKS ? add_block(d, PD_BLOCK_TEXT) : NULL;

	if (b)
		b->text = text;
}

void pd_document_add_heading(struct pd_document *d, const char *text)
{
	struct pd_block *b = d->parts & PD_PART_BLOCKS ? add_block(d, PD_BLOCK_HEADING) : NULL;

	if (b)
		b->text = text;
}

static struct pd_table *add_table(struct pd_document *d, const char *title, bool is_for_programs)
{
	struct pd_table *t = take(d, sizeof(*t));
	struct pd_block *b = t ? add_block(d, PD_BLOCK_TABLE) : NULL;

	if (!b)
		return NULL;
	t->title = title;
	t->is_for_programs = is_for_programs;
	b->table = t;
	return t;
}

struct pd_table *pd_document_add_table(struct pd_document *d, const char *title)
{
	return d->parts & PD_PART_BLOCKS ? add_table(d, title, false) : NULL;
}

struct pd_table *pd_document_add_data(struct pd_document *d)
{
	return d->parts & PD_PART_DATA ? add_table(d, NULL, true) : NULL;
}

/* Room for one more element; the old array stays behind in the arena. */
static void *grow(struct pd_document *d, void *items, uint32_t n, uint32_t *cap, size_t size)
{
	void *more;

	if (n < *cap)
		return items;
	more = pd_arena_array(&d->arena, *cap ? 2 * (size_t)*cap : 16, size);
	if (!more) {
		d->failed = true;
		return NULL;
	}
	if (n)
		memcpy(more, items, n * size);
	*cap = *cap ? 2 * *cap : 16;
	return more;
}

void pd_table_add_column(struct pd_document *d, struct pd_table *t, const char *id,
			 const char *title, enum pd_style style, int decimals)
{
	struct pd_column *columns;

	if (!t)
		return;
	columns = grow(d, t->columns, t->n_columns, &t->cap_columns, sizeof(*columns));
	if (!columns)
		return;
	t->columns = columns;
	t->columns[t->n_columns++] = (struct pd_column){
		.id = id, .title = title, .style = style, .decimals = decimals,
	};
}

void pd_table_set_divisor(struct pd_table *t, double divisor)
{
	if (t && t->n_columns)
		t->columns[t->n_columns - 1].divisor = divisor;
}

void pd_table_set_group(struct pd_table *t, uint32_t group)
{
	if (t && t->n_columns)
		t->columns[t->n_columns - 1].group = group;
}

struct pd_table_row *pd_table_add_row(struct pd_document *d, struct pd_table *t,
				      enum pd_row_kind kind)
{
	struct pd_table_row *rows, *row;

	if (!t)
		return NULL;
	rows = grow(d, t->rows, t->n_rows, &t->cap_rows, sizeof(*rows));
	if (!rows)
		return NULL;
	t->rows = rows;
	row = &t->rows[t->n_rows];
	*row = (struct pd_table_row){
		.kind = kind,
		.cells = take(d, t->n_columns * sizeof(*row->cells)),
	};
	if (!row->cells)
		return NULL;
	for (uint32_t i = 0; i < t->n_columns; i++)
		row->cells[i].number = PD_UNKNOWN;
	t->n_rows++;
	return row;
}

struct pd_listing *pd_document_add_listing(struct pd_document *d, const char *title)
{
	struct pd_listing *l = d->parts & PD_PART_BLOCKS ? take(d, sizeof(*l)) : NULL;
	struct pd_block *b = l ? add_block(d, PD_BLOCK_LISTING) : NULL;

	if (!b)
		return NULL;
	l->title = title;
	b->listing = l;
	return l;
}

struct pd_listing_line *pd_listing_add_line(struct pd_document *d, struct pd_listing *l,
					    enum pd_listing_op op)
{
	struct pd_listing_line *lines;

	if (!l)
		return NULL;
	lines = grow(d, l->lines, l->n_lines, &l->cap_lines, sizeof(*lines));
	if (!lines)
		return NULL;
	l->lines = lines;
	lines[l->n_lines] = (struct pd_listing_line){
		.op = op, .sides = {{.number = PD_UNKNOWN}, {.number = PD_UNKNOWN}},
	};
	return &lines[l->n_lines++];
}

static struct pd_value *add_value(struct pd_document *d, struct pd_value *parent, const char *key,
				  enum pd_value_kind kind)
{
	struct pd_value *v = parent ? take(d, sizeof(*v)) : NULL;

	if (!v)
		return NULL;
	v->kind = kind;
	v->key = key;
	v->parent = parent;
	if (parent->last)
		parent->last->next = v;
	else
		parent->first = v;
	parent->last = v;
	return v;
}

static void tell_of_objects(struct pd_value *parent)
{
	for (struct pd_value *p = parent; p && !p->has_objects; p = p->parent)
		p->has_objects = true;
}

struct pd_value *pd_value_add_object(struct pd_document *d, struct pd_value *parent,
				     const char *key)
{
	tell_of_objects(parent);
	return add_value(d, parent, key, PD_VALUE_OBJECT);
}

struct pd_value *pd_value_add_list(struct pd_document *d, struct pd_value *parent,
				   const char *key)
{
	return add_value(d, parent, key, PD_VALUE_LIST);
}

void pd_value_add_made_list(struct pd_document *d, struct pd_value *parent, const char *key,
			    uint64_t n, const void *source, pd_make_item_fn *make_item)
{
	struct pd_value *v = pd_value_add_list(d, parent, key);

	if (!v)
		return;
	v->n_made = n;
	v->source = source;
	v->make_item = make_item;
	if (n)
		tell_of_objects(v);
}

void pd_value_add_number(struct pd_document *d, struct pd_value *parent, const char *key,
			 double x)
{
	struct pd_value *v =
		add_value(d, parent, key, isfinite(x) ? PD_VALUE_NUMBER : PD_VALUE_NULL);

	if (v)
		v->number = x;
}

void pd_value_add_text(struct pd_document *d, struct pd_value *parent, const char *key,
		       const char *s)
{
	struct pd_value *v = add_value(d, parent, key, s ? PD_VALUE_TEXT : PD_VALUE_NULL);

	if (v && s)
		v->text = pd_document_text(d, s);
}

void pd_value_add_null(struct pd_document *d, struct pd_value *parent, const char *key)
{
	(void)add_value(d, parent, key, PD_VALUE_NULL);
}
