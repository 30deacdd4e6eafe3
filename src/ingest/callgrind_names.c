/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of callgrind's files. A name that is used often is written once with a
 * number, and then only the number:
 *
 *	fn=(3204) 0x08048900
 *	cfn=(3214) __libc_csu_fini
 *	fn=(3214)
 *	fn=(12) (below main)
 *	fn=(below main)            no number: that is the name
 */
#include "base/num.h"
#include "ingest/callgrind.h"

/* Numbers above this are not believed: two bits tell the space. */
#define MAX_NUMBER (UINT64_MAX >> 2)

void cg_names_done(struct cg_names *names)
{
	pd_strtab_done(&names->strings);
	pd_map_done(&names->by_number);
}

/* Cuts "(12)" off the beginning of a name; false if there is none. */
static bool cut_number(struct pd_span *text, uint64_t *ret_number)
{
	uint64_t x = 0;
	size_t i = 1;

	if (!text->len || text->ptr[0] != '(')
		return false;
	for (; i < text->len && pd_is_digit(text->ptr[i]) && x <= MAX_NUMBER / 16; i++)
		x = 10 * x + (uint64_t)(text->ptr[i] - '0');
	if (i == 1 || i >= text->len || text->ptr[i] != ')')
		return false;
	*text = pd_span_sub(*text, i + 1, text->len);
	*ret_number = x;
	return true;
}

bool cg_names_resolve(struct cg_names *names, enum cg_space space, struct pd_span text,
		      pd_str *ret_name)
{
	uint64_t number;
	uint32_t id;
	pd_str name;

	text = pd_span_trim(text);
	if (!cut_number(&text, &number)) {
		*ret_name = pd_strtab_intern(&names->strings, text);
		return true;
	}
	number |= (uint64_t)space << 62;
	if (text.len) {
		name = pd_strtab_intern(&names->strings, pd_span_trim(text));
		id = pd_map_insert(&names->by_number, number, name.id);
		if (id == PD_MAP_NONE)
			names->failed = true;
		else if (id != name.id) /* files one behind the other number anew */
			pd_map_set(&names->by_number, number, name.id);
		*ret_name = name;
		return true;
	}
	id = pd_map_find(&names->by_number, number);
	if (id == PD_MAP_NONE)
		return false;
	ret_name->id = id;
	return true;
}

bool cg_is_unnamed(struct pd_span name)
{
	size_t level = pd_span_find_last(name, '\'');
	uint64_t address;

	if (!name.len)
		return true;
	if (name.ptr[0] != '?' && name.ptr[0] != '0')
		return false;
	if (level != SIZE_MAX) /* of recursion */
		name.len = level;
	return pd_span_eq(name, "???") ||
	       (pd_span_starts(name, "0x") && pd_num_parse_hex(name, &address));
}
