/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols that are listed as text. Contract: lookup.h.
 *
 *   ffffffff81000000 T _text                     /proc/kallsyms, and System.map
 *   ffffffffc0304000 t ext4_sync_fs	[ext4]     (a tab before the module)
 *
 *   7f32a0b43040 1c8 LazyCompile:~step app.js:12  perf-PID.map, "perf's JIT interface"
 *
 * Lists of the kernel are long, and read whenever a recording is: a line is walked
 * once, and nothing of it is copied.
 */
#include <stdlib.h>

#include "base/block.h"
#include "image/lookup.h"

enum { LINE_BYTES = 48 }; /* of kallsyms, about */

/* The value of a hex digit, or 16. */
static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

/* The hex number at *at_io, which becomes the place behind it; false: none, or above 64 bits. */
static bool read_hex(const char **at_io, const char *end, uint64_t *ret_x)
{
	const char *at = *at_io;
	uint64_t x = 0;
	unsigned digit;

	if (end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x')
		at += 2;
	for (; at < end && (digit = digit_of(*at)) < 16; at++) {
		if (x >> 60)
			return false;
		x = x << 4 | digit;
	}
	if (at == *at_io)
		return false;
	*at_io = at;
	*ret_x = x;
	return true;
}

/* The flags of a symbol of that type as nm has it; false: it is no symbol of code or data. */
static bool read_type(char type, uint16_t *ret_flags)
{
	char low = (char)(type | 0x20);

	*ret_flags = low == 't' || low == 'w' ? PD_LOOKUP_CODE : 0;
	if (type == 'W')
		*ret_flags |= PD_LOOKUP_WEAK;
	else if (type != low)
		*ret_flags |= PD_LOOKUP_GLOBAL;
	return low == 't' || low == 'w' || low == 'd' || low == 'b';
}

/* "name\t[module]", of which the name is kept. */
static uint16_t cut_module(struct pd_lookup *l, struct pd_span *name, struct pd_span *last,
			   uint16_t last_module)
{
	const char *tab = memchr(name->ptr, '\t', name->len);
	struct pd_span module;
	pd_str id;

	if (!tab)
		return 0;
	module = pd_span_sub(*name, (size_t)(tab - name->ptr) + 1, name->len);
	name->len = (size_t)(tab - name->ptr);
	if (module.len < 3 || module.ptr[0] != '[' || module.ptr[module.len - 1] != ']') {
		*last = pd_span_of("");
		return 0;
	}
	module = pd_span_sub(module, 1, module.len - 1);
	if (last->len == module.len && !memcmp(last->ptr, module.ptr, module.len))
		return last_module;
	id = pd_strtab_intern(&l->modules, module);
	l->failed |= l->modules.failed;
	*last = module;
	return id.id <= UINT16_MAX ? (uint16_t)id.id : 0;
}

/* Symbols of the kernel first, then those of each module, in their order. */
static int part_modules(struct pd_lookup *l, struct pd_error *err)
{
	uint32_t n_modules = l->modules.n + 1, sum = 0;
	uint32_t *next = calloc(n_modules, sizeof(*next));
	struct pd_lookup_symbol *parted;

	l->module_ends = next;
	if (!next)
		return pd_fail_nomem(err);
	if (!l->modules.n) {
		next[0] = l->n;
		return PD_OK;
	}
	parted = pd_block_new(l->n * sizeof(*parted));
	if (!parted)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < l->n; i++)
		next[l->symbols[i].module]++;
	for (uint32_t i = 0; i < n_modules; i++) {
		uint32_t n = next[i];

		next[i] = sum;
		sum += n;
	}
	/* Where each is filled from is where it ends, once it is. */
	for (uint32_t i = 0; i < l->n; i++)
		parted[next[l->symbols[i].module]++] = l->symbols[i];
	pd_lookup_take(l, parted, l->n);
	return PD_OK;
}

int pd_lookup_read_kallsyms(struct pd_lookup *l, struct pd_span text, struct pd_error *err)
{
	const char *at = text.ptr, *end = text.ptr + text.len, *next;
	struct pd_span last = {0};
	uint16_t module = 0;
	bool has_lines = false, has_addresses = false;
	int rc;

	l->budget = 16 * (uint64_t)text.len + (1 << 20);
	(void)pd_lookup_reserve(l, text.len / LINE_BYTES);
	for (; at < end && !l->failed; at = next) {
		struct pd_lookup_symbol s = {0};
		const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop;
		struct pd_span name;

		stop = newline ? newline : end;
		next = newline ? newline + 1 : end;
		if (!read_hex(&at, stop, &s.start) || stop - at < 4 || at[0] != ' ' || at[2] != ' ')
			continue;
		has_lines = true;
		has_addresses |= s.start != 0;
		name = (struct pd_span){at + 3, (size_t)(stop - at) - 3};
		if (!read_type(at[1], &s.flags) || *name.ptr == '$' || name.len >= PD_LOOKUP_NUL)
			continue;
		if (memchr(name.ptr, '\t', name.len))
			s.module = module = cut_module(l, &name, &last, module);
		s.end = s.start;
		s.name = name.ptr;
		s.n_name = (uint32_t)name.len;
		pd_lookup_add(l, &s);
	}
	if (!has_lines)
		return pd_fail(err, PD_ERR_FORMAT, "expected lines as \"ffffffff81000000 T "
			       "_text\", found none");
	if (!has_addresses)
		return pd_fail(err, PD_ERR_EMPTY, "expected addresses, found that all are 0: the "
			       "kernel hides them from users without privileges");
	rc = pd_lookup_settle(l, err);
	return rc == PD_OK ? part_modules(l, err) : rc;
}

int pd_lookup_read_jit(struct pd_lookup *l, struct pd_span text, struct pd_error *err)
{
	const char *at = text.ptr, *end = text.ptr + text.len, *next;

	l->budget = 16 * (uint64_t)text.len + (1 << 20);
	for (; at < end && !l->failed; at = next) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;
		struct pd_lookup_symbol s = {.flags = PD_LOOKUP_GLOBAL | PD_LOOKUP_CODE};
		uint64_t n_bytes;

		next = newline ? newline + 1 : end;
		if (!read_hex(&at, stop, &s.start) || at == stop || *at++ != ' ' ||
		    !read_hex(&at, stop, &n_bytes) || at == stop || *at++ != ' ' || at == stop ||
		    (size_t)(stop - at) >= PD_LOOKUP_NUL)
			continue;
		s.end = n_bytes > UINT64_MAX - s.start ? UINT64_MAX : s.start + n_bytes;
		s.name = at;
		s.n_name = (uint32_t)(stop - at);
		pd_lookup_add(l, &s);
	}
	return pd_lookup_sort(l, err);
}
