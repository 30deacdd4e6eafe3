/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON, read in place: a cursor that asks for what it wants and passes the rest by.
 * Nothing is built of the input; a place in it can be noted and gone back to, so that
 * members can be read in another order than they stand in.
 *
 *	{"runs": [{"name": "a", "ms": 1.5}, {"name": "b"}], "version": 3}
 *
 *	struct pd_json_field root[] = {{.key = "version"}, {.key = "runs"}};
 *
 *	if (pd_json_fields(&j, root, 2) && pd_json_go(&j, root[1].at) && pd_json_array(&j))
 *		while (pd_json_item(&j))
 *			...
 *
 * Each call that takes a value takes exactly one, whatever it is: a value of another
 * kind than was asked for is passed by. What is no JSON latches a failure; from then
 * on there is nothing more to read, and pd_json_check() says why.
 */
#ifndef PD_INGEST_JSON_H
#define PD_INGEST_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* How many lists and objects may be within each other in what is passed by. */
enum { PD_JSON_DEPTH = 1024 };

/* Free with pd_json_done(). */
struct pd_json {
	const char *begin, *at, *end;
	bool is_first;        /* of the list or object that was entered last, nothing was read */
	const char *expected; /* what was to be at `at`; NULL: nothing failed */
	bool failed;          /* latched: out of memory */
	struct pd_buf text;   /* the string read last, where it is not as in the input */
};

/* The kind of the value to come, by its first byte; 0: there is none. */
enum pd_json_kind {
	PD_JSON_NONE,
	PD_JSON_OBJECT = '{',
	PD_JSON_ARRAY = '[',
	PD_JSON_STRING = '"',
	PD_JSON_NUMBER = '0',
	PD_JSON_WORD = 'a', /* true, false, null */
};

/* A member of an object, and where its value begins; NULL: it has no such member. */
struct pd_json_field {
	const char *key;
	const char *at;
};

/* text is borrowed until pd_json_done(). */
void pd_json_init(struct pd_json *j, struct pd_span text);
void pd_json_done(struct pd_json *j);
enum pd_json_kind pd_json_peek(struct pd_json *j);
/* Pass a value by. */
void pd_json_skip(struct pd_json *j);
/* Enter an object; false, and it is passed by, if the value is none. */
bool pd_json_object(struct pd_json *j);
/*
 * The key of the next member, whose value is to come; false at the object's end, which is
 * left then. The span is valid until the next call.
 */
bool pd_json_key(struct pd_json *j, struct pd_span *ret_key);
/* The same for lists. */
bool pd_json_array(struct pd_json *j);
bool pd_json_item(struct pd_json *j);
/*
 * Note where the values of n keys are, of several of one name the first, and pass the object
 * by. False if the value is none. Where the input ends within it, those before are noted.
 */
bool pd_json_fields(struct pd_json *j, struct pd_json_field *fields, size_t n);
/*
 * Go to a value that was noted, or back behind one; false if at is NULL. Once all of it is
 * read, the cursor is behind it, in what is around it.
 */
bool pd_json_go(struct pd_json *j, const char *at);
/*
 * A string as UTF-8; controls in it are blanks, so that it is one line. The span is valid
 * until the next call. False, and the value is passed by, if it is none.
 */
bool pd_json_string(struct pd_json *j, struct pd_span *ret_string);
/* A number that a double can hold. False, and the value is passed by, if it is none. */
bool pd_json_number(struct pd_json *j, double *ret_x);
/* A whole number from 0 to below n, as into a list of n. False as above. */
bool pd_json_index(struct pd_json *j, uint32_t n, uint32_t *ret_i);
/* How many items a list has; the cursor stays before it. 0 if the value is none. */
size_t pd_json_count(struct pd_json *j);
/* Whether nothing more can be read. */
bool pd_json_is_failed(const struct pd_json *j);
/* 0, or what failed: FORMAT, TRUNCATED (the input ends), NOMEM. */
int pd_json_check(const struct pd_json *j, struct pd_error *err);

#endif
