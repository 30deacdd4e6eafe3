/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols for addresses. Contract: lookup.h.
 *
 * perf keeps symbols in a red-black tree, so that what it finds where several cover
 * an address depends on the order in which they came. A sorted array gives the same
 * answers elsewhere, and one that can be explained there.
 */
#include "image/lookup.h"

#include <stdlib.h>

#include "base/block.h"
#include "base/sort.h"
#include "image/demangle.h"

enum { PAGE = 4096 };

void pd_lookup_done(struct pd_lookup *l)
{
	if (!l)
		return;
	pd_block_free(l->symbols, l->cap * sizeof(*l->symbols));
	pd_strtab_done(&l->modules);
	free(l->module_ends);
	free(l->segments);
	pd_buf_done(&l->name);
	pd_buf_done(&l->other);
	*l = (struct pd_lookup){0};
}

static bool has_name(const struct pd_lookup_symbol *s, const char *name)
{
	size_t len = strlen(name);

	if (s->n_name == PD_LOOKUP_NUL)
		return !strncmp(s->name, name, len + 1);
	return s->n_name == len && !memcmp(s->name, name, len);
}

void pd_lookup_take(struct pd_lookup *l, struct pd_lookup_symbol *symbols, uint32_t cap)
{
	pd_block_free(l->symbols, l->cap * sizeof(*l->symbols));
	l->symbols = symbols;
	l->cap = cap;
}

bool pd_lookup_reserve(struct pd_lookup *l, size_t n)
{
	struct pd_lookup_symbol *p;
	uint32_t cap;

	if (n <= l->cap - l->n)
		return true;
	cap = n < UINT32_MAX - l->n ? l->n + (uint32_t)n : 0;
	p = cap ? pd_block_new(cap * sizeof(*p)) : NULL;
	l->failed |= !p;
	if (!p)
		return false;
	if (l->n)
		memcpy(p, l->symbols, l->n * sizeof(*p));
	pd_lookup_take(l, p, cap);
	return true;
}

void pd_lookup_add(struct pd_lookup *l, const struct pd_lookup_symbol *s)
{
	if (l->n == l->cap && !pd_lookup_reserve(l, l->n < 1024 ? 1024 : l->n))
		return;
	l->symbols[l->n++] = *s;
	if (l->reference && !l->has_reference && !s->module && s->flags & PD_LOOKUP_CODE &&
	    has_name(s, l->reference)) {
		l->has_reference = true;
		l->reference_start = s->start;
	}
}

int pd_lookup_sort(struct pd_lookup *l, struct pd_error *err)
{
	struct pd_sort_item *items;
	struct pd_lookup_symbol *sorted;
	uint32_t n_ascending = 1;
	size_t n_bytes;

	if (l->failed)
		return pd_fail_nomem(err);
	while (n_ascending < l->n &&
	       l->symbols[n_ascending - 1].start <= l->symbols[n_ascending].start)
		n_ascending++;
	if (n_ascending >= l->n)
		return PD_OK;
	n_bytes = 2 * (size_t)l->n * sizeof(*items);
	items = pd_block_new(n_bytes);
	sorted = pd_block_new(l->n * sizeof(*sorted));
	if (!items || !sorted) {
		pd_block_free(items, n_bytes);
		pd_block_free(sorted, l->n * sizeof(*sorted));
		return pd_fail_nomem(err);
	}
	for (uint32_t i = 0; i < l->n; i++)
		items[i] = (struct pd_sort_item){l->symbols[i].start, i};
	pd_sort_items(items, items + l->n, l->n);
	for (uint32_t i = 0; i < l->n; i++)
		sorted[i] = l->symbols[items[i].index];
	pd_block_free(items, n_bytes);
	pd_lookup_take(l, sorted, l->n);
	return PD_OK;
}

/* ---- ends ---- */

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t page_end(uint64_t address)
{
	return add_capped(address, PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* Without a size a symbol reaches to the next one: see PERFDATA 6.3 and 8 for the exceptions. */
static void set_ends(struct pd_lookup *l)
{
	for (uint32_t i = 0; i < l->n; i++) {
		struct pd_lookup_symbol *s = &l->symbols[i];

		if (s->end != s->start)
			continue;
		if (i + 1 == l->n)
			s->end = add_capped(page_end(s->start), PAGE);
		else if (!s->module != !s[1].module)
			s->end = page_end(add_capped(s->start, PAGE));
		else
			s->end = s[1].start;
	}
}

/* ---- aliases ---- */

/* The name in the file, as far as the budget goes. */
static struct pd_span raw_name(struct pd_lookup *l, const struct pd_lookup_symbol *s)
{
	struct pd_span name = {s->name, s->n_name};

	if (s->n_name == PD_LOOKUP_NUL)
		name.len = strnlen(s->name, l->budget + 1);
	if (name.len > l->budget) {
		l->budget = 0;
		return pd_span_of("");
	}
	l->budget -= name.len;
	return name;
}

/* The name as it is shown, without what a stub has behind it; maybe in buf. */
static struct pd_span shown_name(struct pd_lookup *l, const struct pd_lookup_symbol *s,
				 struct pd_buf *buf)
{
	struct pd_span name = raw_name(l, s);

	if (!l->demangles || name.len < 2 || name.ptr[0] != '_')
		return name;
	name = pd_demangle_brief(name, buf);
	l->budget -= name.len < l->budget ? name.len : l->budget;
	return name;
}

static size_t count_underscores(struct pd_span name)
{
	size_t n = 0;

	while (n < name.len && name.ptr[n] == '_')
		n++;
	return n;
}

/* Whether both have the same name in the file; what is compared counts. */
static bool is_same_name(struct pd_lookup *l, const struct pd_lookup_symbol *a,
			 const struct pd_lookup_symbol *b)
{
	size_t n = 0;

	while (n < l->budget && a->name[n] == b->name[n] && a->name[n])
		n++;
	l->budget -= n;
	return l->budget && a->name[n] == b->name[n];
}

/* Of two symbols that begin at one place, in their order: whether the later one is shown. */
static bool is_later_shown(struct pd_lookup *l, const struct pd_lookup_symbol *a,
			   const struct pd_lookup_symbol *b)
{
	struct pd_span name_a, name_b;
	size_t n_a, n_b;

	if ((a->end != a->start) != (b->end != b->start))
		return b->end != b->start;
	if ((a->flags ^ b->flags) & PD_LOOKUP_WEAK)
		return a->flags & PD_LOOKUP_WEAK;
	if ((a->flags ^ b->flags) & PD_LOOKUP_GLOBAL)
		return b->flags & PD_LOOKUP_GLOBAL;
	/* Dynamic symbols are most often those of .symtab once more. */
	if (a->n_name == PD_LOOKUP_NUL && b->n_name == PD_LOOKUP_NUL && is_same_name(l, a, b))
		return false;
	name_a = shown_name(l, a, &l->name);
	name_b = shown_name(l, b, &l->other);
	n_a = count_underscores(name_a);
	n_b = count_underscores(name_b);
	if (n_a != n_b)
		return n_b < n_a;
	if (name_a.len != name_b.len)
		return name_b.len > name_a.len;
	return pd_span_starts(name_a, "SyS") || pd_span_starts(name_a, "compat_SyS");
}

static void drop_aliases(struct pd_lookup *l)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		const struct pd_lookup_symbol *s = &l->symbols[i];

		if (!n || l->symbols[n - 1].start != s->start)
			l->symbols[n++] = *s;
		else if (is_later_shown(l, &l->symbols[n - 1], s))
			l->symbols[n - 1] = *s;
	}
	l->n = n;
}

int pd_lookup_settle(struct pd_lookup *l, struct pd_error *err)
{
	int rc = pd_lookup_sort(l, err);

	if (rc != PD_OK)
		return rc;
	set_ends(l);
	drop_aliases(l);
	if (!l->budget)
		return pd_fail(err, PD_ERR_FORMAT, "expected names, found some that have many "
			       "times the bytes of the file: it is broken");
	return PD_OK;
}

/* ---- looking up ---- */

struct pd_lookup_range pd_lookup_range_of(const struct pd_lookup *l, struct pd_span module)
{
	uint32_t id = pd_strtab_find(&l->modules, module).id, first;

	if (!l->module_ends || (module.len && !id))
		return (struct pd_lookup_range){0, module.len ? 0 : l->n};
	first = id ? l->module_ends[id - 1] : 0;
	return (struct pd_lookup_range){first, l->module_ends[id] - first};
}

/*
 * A walk along the addresses. Those symbols that began and have not ended are a
 * stack, linked by outer; a symbol below the top that has ended is dropped when it
 * comes to the top, since nothing behind it is covered by it.
 */
struct walk {
	const struct pd_lookup_symbol *symbols;
	uint32_t *outer; /* [n] the one below in the stack */
	uint32_t n, next, top;
};

static bool has_ended(const struct pd_lookup_symbol *s, uint64_t address)
{
	return s->end <= address && s->start != address;
}

static void drop_ended(struct walk *w, uint64_t address)
{
	while (w->top != PD_LOOKUP_NONE && has_ended(&w->symbols[w->top], address))
		w->top = w->outer[w->top];
}

static uint32_t walk_to(struct walk *w, uint64_t address)
{
	while (w->next < w->n && w->symbols[w->next].start <= address) {
		drop_ended(w, w->symbols[w->next].start);
		w->outer[w->next] = w->top;
		w->top = w->next++;
	}
	drop_ended(w, address);
	return w->top;
}

bool pd_lookup_find(const struct pd_lookup *l, struct pd_lookup_range range,
		    const struct pd_site *sites, size_t n, uint64_t shift, uint32_t *ret_symbols)
{
	struct walk w = {.n = range.n, .top = PD_LOOKUP_NONE};

	for (size_t i = 0; i < n; i++)
		ret_symbols[i] = PD_LOOKUP_NONE;
	if (!range.n)
		return true;
	w.symbols = l->symbols + range.first;
	w.outer = malloc(range.n * sizeof(*w.outer));
	if (!w.outer)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t address = sites[i].address + shift;
		uint32_t found;

		if (address < shift && i && sites[i - 1].address + shift >= shift) {
			w.next = 0; /* beyond 64 bits they begin again at 0 */
			w.top = PD_LOOKUP_NONE;
		}
		found = walk_to(&w, address);
		if (found != PD_LOOKUP_NONE)
			ret_symbols[i] = range.first + found;
	}
	free(w.outer);
	return true;
}

struct pd_span pd_lookup_name(struct pd_lookup *l, uint32_t symbol)
{
	const struct pd_lookup_symbol *s = &l->symbols[symbol];
	struct pd_span name = shown_name(l, s, &l->name);

	if (!l->budget)
		return pd_span_of("");
	if (!(s->flags & PD_LOOKUP_PLT))
		return name;
	if (name.ptr != l->name.ptr) {
		l->name.len = 0;
		pd_buf_add(&l->name, name.ptr, name.len);
	}
	pd_buf_add_str(&l->name, "@plt");
	return l->name.failed ? pd_span_of("") : pd_buf_span(&l->name);
}

bool pd_lookup_address(const struct pd_lookup *l, uint64_t offset, uint64_t *ret_address)
{
	for (uint32_t i = 0; i < l->n_segments; i++) {
		const struct pd_lookup_segment *s = &l->segments[i];

		if (offset >= s->offset && offset - s->offset < s->n_bytes) {
			*ret_address = offset - s->offset + s->address;
			return true;
		}
	}
	return false;
}
