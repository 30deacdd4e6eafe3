/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document: what a view says, before it has a form. It holds blocks (text
 * and typed tables) for people and, of the same numbers, a value tree for
 * programs. Views fill it; renderers turn it into bytes and know nothing of
 * where it came from.
 *
 * Filling does not fail call by call: lack of memory is latched in failed, and
 * functions that get NULL because of it do nothing.
 */
#ifndef PROFDIFF_TABLE_H
#define PROFDIFF_TABLE_H

#include "base/arena.h"
#include "model/unit.h"

/* How the numbers of a column are written. */
enum pd_style {
	PD_STYLE_TEXT,    /* left-aligned */
	PD_STYLE_MARK,    /* a text of one letter, right behind a number */
	PD_STYLE_COUNT,   /* 1304 */
	PD_STYLE_DELTA,   /* +12, -5, 0 */
	PD_STYLE_PERCENT, /* +4.2%: the number is the percentage */
	PD_STYLE_SHARE,   /* 4.2%: no sign */
	PD_STYLE_SPREAD,  /* +-41.6 */
};

struct pd_column {
	const char *id;    /* for --columns and machine formats: lower case, no blanks */
	const char *title; /* over the column */
	enum pd_style style;
	int decimals; /* of the text form; machine formats do not round */
	double divisor; /* the text form is of the number divided by it; 0: 1 */
	uint32_t group; /* neighbours of one group stay together in a table that is cut; 0: none */
};

/* A number, a text, or both: then the text is for people, the number for programs. */
struct pd_cell {
	double number;    /* unknown: none */
	const char *text; /* NULL: none */
};

enum pd_row_kind {
	PD_ROW_NORMAL,
	PD_ROW_CHILD,  /* part of the row above, indented */
	PD_ROW_BREAK,  /* rows were left out here; no cells */
	PD_ROW_REST,   /* below the rows: leftovers and sums */
};

struct pd_table_row {
	enum pd_row_kind kind;
	struct pd_cell *cells; /* [n_columns] */
};

struct pd_table {
	const char *title;   /* NULL: none */
	bool is_for_programs; /* all rows and columns, for formats that programs read */
	struct pd_column *columns;
	struct pd_table_row *rows;
	uint32_t n_columns, cap_columns, n_rows, cap_rows;
	/*
	 * For programs, where there are too many rows to keep them all: n_made more,
	 * which are made while they are written. Cells are empty before.
	 */
	uint64_t n_made;
	const void *source;
	void (*make_row)(const void *source, uint64_t row, struct pd_cell *cells);
};

/* What a line of a listing says of its two sides. */
enum pd_listing_op {
	PD_LISTING_SAME,
	PD_LISTING_CHANGED,
	PD_LISTING_REMOVED, /* on the first side alone */
	PD_LISTING_ADDED,   /* on the second */
	PD_LISTING_HEADING, /* of the lines below: a text alone */
	PD_LISTING_BREAK,   /* lines were left out here */
};

/* One side of a line. */
struct pd_listing_cell {
	double number;     /* what it cost; unknown or 0: nothing is shown */
	const char *place; /* where it is */
	const char *text;  /* NULL: this side has nothing here */
};

struct pd_listing_line {
	enum pd_listing_op op;
	const char *heading;
	struct pd_listing_cell sides[2];
};

/* Two texts side by side, or one, line by line. */
struct pd_listing {
	const char *title;     /* NULL: none */
	const char *labels[2]; /* over the texts; NULL: none */
	uint32_t n_sides;      /* 1 or 2 */
	bool has_numbers;
	struct pd_column number; /* how they are written; its title stands over them */
	struct pd_listing_line *lines;
	uint32_t n_lines, cap_lines;
};

/* A node of a tree: a name under others. */
struct pd_tree_node {
	uint32_t parent;  /* index, before its own; PD_NO_NODE: it is at the top */
	const char *name; /* of a function; or, where there are no stacks, of a module */
	const char *module; /* NULL: none is known */
};

#define PD_NO_NODE UINT32_MAX

/*
 * What each path of names costs by itself, for flame graphs: a value a side. Nodes stand
 * in order of depth first, those of one parent by name.
 */
struct pd_tree {
	const char *event, *unit;
	struct pd_tree_node *nodes;
	double *values; /* [node * n_sides + side]; 0: nothing ends there */
	uint32_t n_nodes, n_sides;
};

enum pd_block_kind {
	PD_BLOCK_TEXT,
	PD_BLOCK_HEADING,
	PD_BLOCK_TABLE,
	PD_BLOCK_LISTING,
};

struct pd_block {
	enum pd_block_kind kind;
	const char *text; /* a paragraph, whose sentences may be wrapped anywhere; or a heading */
	struct pd_table *table;
	struct pd_listing *listing;
	struct pd_block *next;
};

enum pd_value_kind {
	PD_VALUE_NULL,
	PD_VALUE_NUMBER,
	PD_VALUE_TEXT,
	PD_VALUE_LIST,
	PD_VALUE_OBJECT,
};

struct pd_document;
struct pd_value;

/* Add the i-th object of a source to a list. */
typedef void pd_make_item_fn(struct pd_document *d, struct pd_value *list, const void *source,
			     uint64_t i);

struct pd_value {
	enum pd_value_kind kind;
	bool has_objects; /* somewhere below */
	const char *key;  /* within an object, else NULL */
	double number;
	const char *text;
	struct pd_value *parent, *first, *last, *next; /* items in order */
	/* A list of too many objects to keep them all: made while they are written. */
	uint64_t n_made;
	const void *source;
	pd_make_item_fn *make_item;
};

/* What of a document a renderer reads; what nobody reads need not be made. */
enum pd_parts {
	PD_PART_BLOCKS = 1, /* text and tables for people */
	PD_PART_DATA = 2,   /* the table for programs */
	PD_PART_VALUES = 4, /* the value tree */
	PD_PART_TREE = 8,   /* the tree of stacks */
	PD_PART_ALL = PD_PART_BLOCKS | PD_PART_DATA | PD_PART_VALUES,
};

struct pd_document {
	struct pd_arena arena;
	unsigned parts; /* enum pd_parts: the others stay empty, and adding to them does nothing */
	bool failed; /* latched: something is missing for lack of memory */
	bool is_narrow; /* in text, no row passes the width: what is too long goes on below */
	struct pd_block *first, *last;
	struct pd_tree *tree; /* NULL: the view has none, or none is wanted */
	struct pd_value *root; /* an object; NULL if no values are wanted */
};

/* parts: enum pd_parts. NULL if there is no memory. */
struct pd_document *pd_document_new(unsigned parts);
/* NULL allowed. */
void pd_document_free(struct pd_document *d);

/* A copy that lives as long as the document; "" on failure. NULL stays NULL. */
const char *pd_document_text(struct pd_document *d, const char *s);
const char *pd_document_printf(struct pd_document *d, const char *fmt, ...) PD_PRINTF(2, 3);

/* Add a paragraph; text must live as long as the document. */
void pd_document_add_text(struct pd_document *d, const char *text);
/* The same of what is below it, up to the next one: a few words. */
void pd_document_add_heading(struct pd_document *d, const char *text);
/* Add an empty table for people; title as above, or NULL. NULL if none is wanted. */
struct pd_table *pd_document_add_table(struct pd_document *d, const char *title);
/* Add an empty table for programs: a document has at most one. NULL if none is wanted. */
struct pd_table *pd_document_add_data(struct pd_document *d);
/* All columns come before the first row. Texts must live as long as the document. */
void pd_table_add_column(struct pd_document *d, struct pd_table *t, const char *id,
			 const char *title, enum pd_style style, int decimals);
/* Let the column that was added last be written in another unit. */
void pd_table_set_divisor(struct pd_table *t, double divisor);
/* Let the column that was added last be of a group. */
void pd_table_set_group(struct pd_table *t, uint32_t group);
/* A row of empty cells, to be filled by the caller; NULL on failure. */
struct pd_table_row *pd_table_add_row(struct pd_document *d, struct pd_table *t,
				      enum pd_row_kind kind);

/* Add an empty listing for people: fill its head. NULL if none is wanted. */
struct pd_listing *pd_document_add_listing(struct pd_document *d, const char *title);
/* A line of it without anything, to be filled; NULL on failure. */
struct pd_listing_line *pd_listing_add_line(struct pd_document *d, struct pd_listing *l,
					    enum pd_listing_op op);

/* Values: parent NULL does nothing and gives NULL; key is NULL in lists, static in objects. */
struct pd_value *pd_value_add_object(struct pd_document *d, struct pd_value *parent,
				     const char *key);
struct pd_value *pd_value_add_list(struct pd_document *d, struct pd_value *parent,
				   const char *key);
/* A list of n objects, made as they are written; the source must outlive the document. */
void pd_value_add_made_list(struct pd_document *d, struct pd_value *parent, const char *key,
			    uint64_t n, const void *source, pd_make_item_fn *make_item);
/* A number that is not finite becomes null. */
void pd_value_add_number(struct pd_document *d, struct pd_value *parent, const char *key,
			 double x);
/* The text is copied; NULL becomes null. */
void pd_value_add_text(struct pd_document *d, struct pd_value *parent, const char *key,
		       const char *s);
void pd_value_add_null(struct pd_document *d, struct pd_value *parent, const char *key);

#endif
