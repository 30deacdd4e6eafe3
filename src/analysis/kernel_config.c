/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Configurations of kernels. Contract: kernel_config.h.
 */
#include "analysis/kernel_config.h"

#include <stdlib.h>

#include "base/strtab.h"

/* The options of both texts, by the id of their names. */
struct options {
	struct pd_strtab names;
	struct pd_span *values[2]; /* [cap] */
	uint32_t cap;
	bool failed; /* out of memory */
};

/* "CONFIG_A=y" or "# CONFIG_A is not set"; false if the line is neither. */
static bool parse_option(struct pd_span line, struct pd_span *ret_name, struct pd_span *ret_value)
{
	size_t end;

	if (pd_span_starts(line, "CONFIG_")) {
		end = pd_span_find(line, "=");
		*ret_name = pd_span_sub(line, 0, end);
		*ret_value = pd_span_sub(line, ret_name->len + 1, line.len);
		return end != SIZE_MAX;
	}
	end = pd_span_find(line, " is not set");
	if (!pd_span_starts(line, "# CONFIG_") || end == SIZE_MAX)
		return false;
	*ret_name = pd_span_sub(line, 2, end);
	*ret_value = pd_span_of("n");
	return true;
}

static bool reserve(struct options *o, uint32_t n)
{
	uint32_t cap = o->cap ? 2 * o->cap : 1024;

	if (n < o->cap)
		return true;
	for (int side = 0; side < 2; side++) {
		struct pd_span *p = reallocarray(o->values[side], cap, sizeof(*p));

		if (!p)
			return false;
		for (uint32_t i = o->cap; i < cap; i++)
			p[i] = pd_span_of("n");
		o->values[side] = p;
	}
	o->cap = cap;
	return true;
}

static void read_options(struct options *o, int side, struct pd_span text)
{
	while (text.len) {
		size_t len = pd_span_find(text, "\n");
		struct pd_span line = pd_span_sub(text, 0, len), name, value;
		pd_str id;

		text = len == SIZE_MAX ? pd_span_of("") : pd_span_sub(text, len + 1, text.len);
		if (!parse_option(line, &name, &value))
			continue;
		id = pd_strtab_intern(&o->names, name);
		if (o->names.failed || !reserve(o, id.id)) {
			o->failed = true;
			return;
		}
		o->values[side][id.id] = value;
	}
}

uint32_t pd_kernel_config_diff(struct pd_span base, struct pd_span next, uint32_t max,
			       struct pd_buf *out)
{
	struct options o = {0};
	uint32_t n = 0;

	read_options(&o, 0, base);
	if (!o.failed)
		read_options(&o, 1, next);
	out->failed |= o.failed;
	for (uint32_t id = 1; id <= o.names.n && !o.failed; id++) {
		struct pd_span a = o.values[0][id], b = o.values[1][id];

		if (a.len == b.len && !memcmp(a.ptr, b.ptr, a.len))
			continue;
		if (n++ < max)
			pd_buf_printf(out, "%s%s %.*s -> %.*s", n > 1 ? ", " : "",
				      pd_strtab_get(&o.names, (pd_str){id}), PD_SPAN_ARG(a),
				      PD_SPAN_ARG(b));
	}
	pd_strtab_done(&o.names);
	free(o.values[0]);
	free(o.values[1]);
	return n;
}
