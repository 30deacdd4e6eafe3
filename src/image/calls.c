/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call sites. Contract: calls.h.
 *
 * A section is cut into pieces, each of which belongs to one function or to none:
 *
 *   symbols        |---- outer ---------------|      |-- f --|
 *                          |- inner -|
 *   pieces     none| outer | inner   |  outer | none |   f   | none
 *
 * Each piece is decoded from its start, as what precedes it may be no code. Where
 * decoding is slow (x86), only pieces are decoded that have a candidate: bytes
 * that would be the right operand, or a relocation that names the function.
 */
#include "image/calls.h"

#include <stdlib.h>

#include "image/disasm.h"

/* Offsets [begin, end) in a section that belong to one symbol, or to none. */
struct piece {
	size_t begin, end;
	size_t limit; /* up to where its instructions may reach: the end of the symbol */
	uint32_t symbol;
};

/* A symbol that covers the place that has been reached. */
struct cover {
	uint32_t symbol;
	size_t end;
};

struct search {
	const struct pd_image *image;
	const struct pd_isa *isa;
	struct pd_disasm *disasm;
	struct pd_calls *calls;
	bool has_failed; /* no memory */

	/* What is searched for. */
	uint32_t symbol; /* or PD_NO_INDEX: */
	pd_str name;     /* an undefined one */
	uint64_t begin, size; /* of the symbol */
	uint64_t entries[2];  /* addresses that are entered by branches */
	uint32_t home;        /* its section, or PD_NO_INDEX */

	/* The section that is searched. */
	uint32_t section;
	struct pd_machine_code code;
	uint32_t first_reloc, end_reloc; /* its relocations */
	uint32_t next_reloc; /* candidates; see find_candidate() */
	size_t next_operand;
	struct piece *pieces;
	size_t n_pieces;
};

static bool covers_section(const struct search *s, const struct pd_symbol *symbol)
{
	return symbol->kind == PD_SYMBOL_FUNCTION && symbol->n_bytes &&
	       symbol->address >= s->code.address &&
	       symbol->address - s->code.address < s->code.n_bytes;
}

/* Cut [*pos, end) off, for the innermost of the symbols that cover it. */
static void cut(struct search *s, size_t *pos, size_t end, struct cover *covers, size_t *depth)
{
	while (*pos < end) {
		struct piece piece = {*pos, end, end, PD_NO_INDEX};

		while (*depth && covers[*depth - 1].end <= *pos)
			(*depth)--;
		if (*depth) {
			piece.symbol = covers[*depth - 1].symbol;
			piece.limit = covers[*depth - 1].end;
			piece.end = piece.limit < end ? piece.limit : end;
		}
		s->pieces[s->n_pieces++] = piece;
		*pos = piece.end;
	}
}

/*
 * The pieces of the section, from its symbols [first, end); none if no function is
 * in it. Each symbol begins one piece and ends at most one other: there are no more
 * than two for each, and the last.
 */
static bool make_pieces(struct search *s, uint32_t first, uint32_t end)
{
	size_t n = end - first, depth = 0, pos = 0;
	struct cover *covers;

	s->n_pieces = 0;
	s->pieces = malloc((2 * n + 1) * sizeof(*s->pieces));
	covers = malloc((n + 1) * sizeof(*covers));
	if (!s->pieces || !covers) {
		free(covers);
		return false;
	}
	for (uint32_t i = first; i < end; i++) {
		const struct pd_symbol *symbol = &s->image->symbols[i];
		size_t begin, left;

		if (!covers_section(s, symbol))
			continue;
		begin = (size_t)(symbol->address - s->code.address);
		left = s->code.n_bytes - begin;
		cut(s, &pos, begin, covers, &depth);
		covers[depth++] = (struct cover){
			i, begin + (symbol->n_bytes < left ? (size_t)symbol->n_bytes : left)};
	}
	if (depth)
		cut(s, &pos, s->code.n_bytes, covers, &depth);
	free(covers);
	return true;
}

/* The first relocation at or behind that place of the section. */
static uint32_t find_reloc(const struct search *s, uint64_t address)
{
	const struct pd_reloc *relocs = s->image->relocs;
	uint32_t low = s->first_reloc, high = s->end_reloc;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (relocs[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_wanted(const struct search *s, const struct pd_reloc *reloc)
{
	if (s->symbol != PD_NO_INDEX)
		return reloc->symbol == s->symbol;
	return reloc->symbol == PD_NO_INDEX && reloc->name.id == s->name.id;
}

/*
 * Where a branch goes. A relocation in it is decisive, also one that is not known
 * to go anywhere: the bits that it replaces mean nothing.
 */
static bool goes_there(const struct search *s, const struct pd_insn *insn)
{
	uint64_t address = s->code.address + insn->offset;
	uint32_t first = find_reloc(s, address - insn->n_before), i;

	for (i = first; i < s->end_reloc; i++) {
		if (s->image->relocs[i].address >= address + insn->n_bytes)
			break;
		if (is_wanted(s, &s->image->relocs[i]))
			return true;
	}
	if (i > first)
		return false;
	if (s->symbol == PD_NO_INDEX || (s->image->is_relocatable && s->section != s->home))
		return false;
	return insn->target == s->entries[0] || insn->target == s->entries[1];
}

static void add(struct search *s, const struct pd_call *call)
{
	struct pd_calls *calls = s->calls;

	if (calls->n == calls->cap) {
		size_t cap = calls->cap ? calls->cap * 2 : 64;
		struct pd_call *items = realloc(calls->items, cap * sizeof(*items));

		if (!items) {
			s->has_failed = true;
			return;
		}
		calls->items = items;
		calls->cap = cap;
	}
	calls->items[calls->n++] = *call;
}

static void check(struct search *s, const struct piece *piece, const struct pd_insn *insn)
{
	struct pd_call call = {
		.caller = piece->symbol,
		.section = s->section,
		.address = s->code.address + insn->offset,
		.kind = PD_CALL_CALL,
	};

	if (!insn->has_target || !goes_there(s, insn))
		return;
	if (insn->kind != PD_INSN_CALL) {
		call.kind = insn->kind == PD_INSN_JUMP ? PD_CALL_JUMP : PD_CALL_CONDITIONAL;
		if (s->section == s->home && call.address - s->begin < s->size)
			return; /* a loop */
	}
	add(s, &call);
}

/* The instruction at offset, cut by the end of the function that has it. */
static void decode(const struct search *s, const struct piece *piece, size_t offset,
		   struct pd_insn *ret_insn)
{
	struct pd_machine_code code = s->code;

	code.n_bytes = piece->limit;
	pd_disasm_at(s->disasm, &code, offset, ret_insn);
}

static void search_all(struct search *s)
{
	size_t unit = s->isa->unit;

	for (size_t i = 0, pos = 0; i < s->n_pieces; i++) {
		const struct piece *piece = &s->pieces[i];
		struct pd_insn insn;

		if (pos < piece->begin)
			pos = piece->begin;
		/* Sizes may be odd, places are not. */
		for (pos = (pos + unit - 1) / unit * unit; pos < piece->end; pos += insn.n_bytes) {
			decode(s, piece, pos, &insn);
			check(s, piece, &insn);
		}
	}
}

/*
 * The offset of a byte at or behind from that may be in a site; SIZE_MAX: none. What
 * was found of either sort is kept until from has passed it.
 */
static size_t find_candidate(struct search *s, size_t from)
{
	const struct pd_reloc *relocs = s->image->relocs;
	size_t found;

	if (s->symbol == PD_NO_INDEX || (s->image->is_relocatable && s->section != s->home))
		s->next_operand = SIZE_MAX;
	else if (!from || s->next_operand < from)
		s->next_operand = pd_branch_find_operand(&s->code, from, s->entries[0]);
	/* Of places, too, it is the byte before: another symbol may begin at the place. */
	while (s->next_reloc < s->end_reloc && (relocs[s->next_reloc].address <= from ||
						!is_wanted(s, &relocs[s->next_reloc])))
		s->next_reloc++;
	found = s->next_operand;
	if (s->next_reloc < s->end_reloc && relocs[s->next_reloc].address - 1 < found)
		found = (size_t)(relocs[s->next_reloc].address - 1);
	return found < s->code.n_bytes ? found : SIZE_MAX;
}

static void search_candidates(struct search *s)
{
	size_t pos = 0, i = 0, candidate;

	while ((candidate = find_candidate(s, pos)) != SIZE_MAX) {
		struct pd_insn insn = {0};

		while (i + 1 < s->n_pieces && s->pieces[i].end <= candidate)
			i++;
		if (pos < s->pieces[i].begin)
			pos = s->pieces[i].begin;
		while (pos <= candidate) {
			decode(s, &s->pieces[i], pos, &insn);
			pos += insn.n_bytes;
		}
		check(s, &s->pieces[i], &insn);
	}
}

/* The section, which has the symbols [first, end). */
static int search_section(struct search *s, uint32_t first, uint32_t end, struct pd_error *err)
{
	s->code = pd_machine_code_of(s->image, s->section);
	if (s->code.n_bytes) {
		if (!make_pieces(s, first, end))
			s->has_failed = true;
		else if (s->isa->read)
			search_all(s);
		else if (s->n_pieces)
			search_candidates(s);
	}
	free(s->pieces);
	s->pieces = NULL;
	return s->has_failed ? pd_fail_nomem(err) : PD_OK;
}

static int search_image(struct search *s, struct pd_error *err)
{
	const struct pd_image *image = s->image;
	uint32_t first = 0, reloc = 0;
	int rc = PD_OK;

	for (uint32_t i = 0; i < image->n_sections && rc == PD_OK; i++) {
		uint32_t end;

		while (first < image->n_symbols && image->symbols[first].section < i)
			first++;
		for (end = first; end < image->n_symbols && image->symbols[end].section == i;)
			end++;
		while (reloc < image->n_relocs && image->relocs[reloc].section < i)
			reloc++;
		s->section = i;
		s->first_reloc = s->next_reloc = reloc;
		while (reloc < image->n_relocs && image->relocs[reloc].section == i)
			reloc++;
		s->end_reloc = reloc;
		if (image->sections[i].is_code)
			rc = search_section(s, first, end, err);
		first = end;
	}
	return rc;
}

static int run(struct search *s, struct pd_calls *ret_calls, struct pd_error *err)
{
	struct pd_calls calls = {0};
	int rc = pd_disasm_open(s->image, &s->disasm, err);

	if (rc != PD_OK)
		return rc;
	s->isa = pd_isa_find(s->image->elf_machine);
	s->calls = &calls;
	if (s->symbol != PD_NO_INDEX) {
		const struct pd_symbol *symbol = &s->image->symbols[s->symbol];
		struct pd_machine_code code = pd_machine_code_of(s->image, symbol->section);

		s->home = symbol->section;
		s->begin = s->entries[0] = s->entries[1] = symbol->address;
		s->size = symbol->n_bytes;
		if (symbol->address >= code.address)
			s->entries[1] += pd_disasm_local_entry(
				s->disasm, &code, (size_t)(symbol->address - code.address));
	}
	rc = search_image(s, err);
	pd_disasm_close(s->disasm);
	if (rc != PD_OK) {
		pd_calls_done(&calls);
		return rc;
	}
	*ret_calls = calls;
	return PD_OK;
}

int pd_calls_find(const struct pd_image *image, uint32_t symbol, struct pd_calls *ret_calls,
		  struct pd_error *err)
{
	struct search s = {.image = image, .symbol = symbol, .home = PD_NO_INDEX};

	if (symbol >= image->n_symbols)
		return pd_fail(err, PD_ERR_INTERNAL, "symbol %u of %u", symbol, image->n_symbols);
	return run(&s, ret_calls, err);
}

int pd_calls_find_undefined(const struct pd_image *image, pd_str name, struct pd_calls *ret_calls,
			    struct pd_error *err)
{
	struct search s = {
		.image = image, .symbol = PD_NO_INDEX, .name = name, .home = PD_NO_INDEX};

	return run(&s, ret_calls, err);
}

void pd_calls_done(struct pd_calls *calls)
{
	free(calls->items);
	*calls = (struct pd_calls){0};
}
