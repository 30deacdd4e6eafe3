/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions of a function. Contract: insns.h. Of each, operands are read as text, a
 * word, a number or a sign after the other, and written three times: as people see it,
 * as the hash has it, and as the key has it.
 */
#include "image/insns.h"

#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>

#include "image/disasm.h"
#include "image/operands.h"

enum { MAX_INSNS = 1000000 };

struct pd_insn_reader {
	const struct pd_image *image;
	struct pd_disasm *disasm, *intel; /* the latter is for people alone; or NULL */
	struct pd_refs refs;
	struct pd_operands operands;
	uint32_t *first_relocs; /* [n_sections + 1]; NULL: the image has none */
};

/* The function at hand. */
struct walk {
	struct pd_insn_reader *r;
	struct pd_machine_code code;
	uint64_t end; /* offset */
	uint32_t reloc, end_reloc; /* the next one, and behind the last one of the section */
	bool wants_items;
	struct pd_insns *insns;
	uint32_t cap;
	uint64_t hash; /* of all instructions up to here */
};

static int find_relocs(struct pd_insn_reader *r, struct pd_error *err)
{
	const struct pd_image *image = r->image;
	uint32_t section = 0;

	if (!image->n_relocs)
		return PD_OK;
	r->first_relocs = calloc(image->n_sections + (size_t)1, sizeof(*r->first_relocs));
	if (!r->first_relocs)
		return pd_fail_nomem(err);
	for (uint32_t i = 0; i < image->n_relocs; i++)
		while (section < image->n_sections && section < image->relocs[i].section)
			r->first_relocs[++section] = i;
	while (section < image->n_sections)
		r->first_relocs[++section] = image->n_relocs;
	return PD_OK;
}

int pd_insn_reader_new(const struct pd_image *image, enum pd_asm_syntax syntax,
		       struct pd_insn_reader **ret_reader, struct pd_error *err)
{
	struct pd_insn_reader *r = calloc(1, sizeof(*r));
	bool is_x86 = image->elf_machine == EM_X86_64 || image->elf_machine == EM_386;
	int rc = r ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK) {
		r->image = image;
		rc = pd_refs_open(image, &r->refs, err);
	}
	if (rc == PD_OK)
		rc = pd_disasm_open(image, &r->disasm, err);
	if (rc == PD_OK && is_x86 && syntax == PD_ASM_INTEL) {
		rc = pd_disasm_open(image, &r->intel, err);
		if (rc == PD_OK)
			pd_disasm_set_intel(r->intel);
	}
	if (rc == PD_OK)
		rc = find_relocs(r, err);
	if (rc != PD_OK) {
		pd_insn_reader_free(r);
		return rc;
	}
	r->operands.refs = &r->refs;
	*ret_reader = r;
	return PD_OK;
}

void pd_insn_reader_free(struct pd_insn_reader *r)
{
	if (!r)
		return;
	pd_disasm_close(r->disasm);
	pd_disasm_close(r->intel);
	pd_refs_done(&r->refs);
	pd_operands_done(&r->operands);
	free(r->first_relocs);
	free(r);
}

static uint64_t mix(uint64_t hash, struct pd_span s)
{
	return (hash ^ pd_hash_bytes(s.ptr, s.len)) * UINT64_C(0x9e3779b97f4a7c15) +
	       (hash >> 29);
}

/* What does nothing; and zeros, which PowerPC has behind functions. */
static bool is_padding(const struct pd_insn_text *text)
{
	return !strncmp(text->mnemonic, "nop", 3) || !strcmp(text->mnemonic, "int3") ||
	       (!strcmp(text->mnemonic, ".byte") && !strpbrk(text->operands, "123456789abcdef"));
}

/* The relocations within an instruction; instructions come in order. */
static void find_own_relocs(struct walk *w, uint32_t n_bytes, struct pd_operand_context *context)
{
	const struct pd_reloc *relocs = w->r->image->relocs;
	uint32_t first;

	while (w->reloc < w->end_reloc && relocs[w->reloc].address < context->address)
		w->reloc++;
	first = w->reloc;
	while (w->reloc < w->end_reloc && relocs[w->reloc].address - context->address < n_bytes)
		w->reloc++;
	context->n_relocs = w->reloc - first;
	context->reloc = context->n_relocs ? &relocs[first] : NULL;
}

static struct pd_insn_line *add_item(struct walk *w)
{
	struct pd_insns *insns = w->insns;

	if (insns->n == w->cap) {
		uint32_t cap = w->cap ? 2 * w->cap : 64;
		struct pd_insn_line *items = pd_arena_array(&insns->arena, cap, sizeof(*items));

		if (!items)
			return NULL;
		if (insns->n)
			memcpy(items, insns->items, insns->n * sizeof(*items));
		insns->items = items;
		w->cap = cap;
	}
	return &insns->items[insns->n];
}

/* As people see it, in their syntax. */
static const char *shown_text(struct walk *w, const struct pd_insn *insn,
			      const struct pd_operand_context *context, const char *mnemonic)
{
	struct pd_operands *o = &w->r->operands;
	struct pd_insn_text text = {mnemonic, NULL};

	if (w->r->intel) {
		struct pd_insn other;

		pd_disasm_at(w->r->intel, &w->code, insn->offset, &other);
		text = pd_disasm_text(w->r->intel, &w->code, insn);
		pd_operands_read(o, text.operands, context);
	}
	if (!o->shown.len)
		return pd_arena_strndup(&w->insns->arena, text.mnemonic, strlen(text.mnemonic));
	return pd_arena_printf(&w->insns->arena, "%-6s %s", text.mnemonic, o->shown.ptr);
}

static int keep_item(struct walk *w, const struct pd_insn *insn,
		     const struct pd_operand_context *context, const char *mnemonic,
		     struct pd_error *err)
{
	struct pd_insn_line *item = w->wants_items ? add_item(w) : NULL;
	struct pd_span key = pd_buf_span(&w->r->operands.key);

	if (!w->wants_items)
		return PD_OK;
	if (!item)
		return pd_fail_nomem(err);
	*item = (struct pd_insn_line){
		.address = context->address,
		.n_bytes = insn->n_bytes,
		.kind = insn->kind,
		.mnemonic = pd_hash_bytes(mnemonic, strlen(mnemonic)),
	};
	item->key = mix(item->mnemonic, key);
	item->text = shown_text(w, insn, context, mnemonic);
	return item->text ? PD_OK : pd_fail_nomem(err);
}

/* The instruction at an offset; its length, or 0 and err. */
static uint32_t take(struct walk *w, uint64_t offset, bool *ret_is_padding, struct pd_error *err)
{
	struct pd_insn_reader *r = w->r;
	struct pd_operand_context context = {.own = r->operands.own};
	struct pd_insn_text text;
	struct pd_insn insn;

	pd_disasm_at(r->disasm, &w->code, (size_t)offset, &insn);
	if (insn.n_bytes > w->end - offset)
		insn.n_bytes = (uint32_t)(w->end - offset);
	text = pd_disasm_text(r->disasm, &w->code, &insn);
	context.address = w->code.address + offset;
	context.insn = &insn;
	context.mnemonic = text.mnemonic;
	find_own_relocs(w, insn.n_bytes, &context);
	*ret_is_padding = is_padding(&text);
	pd_operands_read(&r->operands, text.operands, &context);
	w->hash = mix(mix(w->hash, pd_span_of(text.mnemonic)), pd_buf_span(&r->operands.exact));
	if (r->operands.exact.failed || r->operands.key.failed || r->operands.shown.failed) {
		(void)pd_fail_nomem(err);
		return 0;
	}
	return keep_item(w, &insn, &context, text.mnemonic, err) == PD_OK ? insn.n_bytes : 0;
}

static int walk(struct walk *w, uint64_t begin, struct pd_error *err)
{
	struct pd_insns *insns = w->insns;
	uint32_t n_real = 0;
	struct pd_span rest;

	for (uint64_t at = begin; at < w->end;) {
		bool is_padding;
		uint32_t n = take(w, at, &is_padding, err);

		if (!n)
			return PD_ERR_NOMEM;
		if (++insns->n > MAX_INSNS)
			return pd_fail(err, PD_ERR_LIMIT, "a function with more than %d "
				       "instructions", MAX_INSNS);
		if (!is_padding) {
			n_real = insns->n;
			insns->hash = w->hash;
		}
		at += n;
	}
	if (n_real)
		insns->n = n_real;
	else
		insns->hash = w->hash;
	rest = pd_operands_end(&w->r->operands);
	if (rest.len)
		insns->hash = mix(insns->hash, rest);
	return PD_OK;
}

static int read_insns(struct pd_insn_reader *r, uint32_t symbol, bool wants_items,
		      struct pd_insns *ret_insns, struct pd_error *err)
{
	const struct pd_symbol *s = &r->image->symbols[symbol];
	struct pd_insns insns = {0};
	struct walk w = {.r = r, .insns = &insns, .wants_items = wants_items};
	uint64_t begin;
	int rc;

	w.code = pd_machine_code_of(r->image, s->section);
	begin = s->address - w.code.address;
	if (s->address < w.code.address || begin >= w.code.n_bytes || !s->n_bytes)
		return pd_fail(err, PD_ERR_EMPTY, "the code of %s is not in the file",
			       pd_strtab_get(&r->image->strings, s->name));
	w.end = begin + (s->n_bytes < w.code.n_bytes - begin ? s->n_bytes
							     : w.code.n_bytes - begin);
	if (r->first_relocs) {
		w.reloc = r->first_relocs[s->section];
		w.end_reloc = r->first_relocs[s->section + 1];
		for (uint32_t high = w.end_reloc; w.reloc < high;) {
			uint32_t middle = w.reloc + (high - w.reloc) / 2;

			if (r->image->relocs[middle].address < s->address)
				w.reloc = middle + 1;
			else
				high = middle;
		}
	}
	pd_operands_begin(&r->operands, symbol);
	rc = walk(&w, begin, err);
	if (rc == PD_OK)
		*ret_insns = insns;
	else
		pd_insns_done(&insns);
	return rc;
}

int pd_insns_read(struct pd_insn_reader *r, uint32_t symbol, struct pd_insns *ret_insns,
		  struct pd_error *err)
{
	return read_insns(r, symbol, true, ret_insns, err);
}

int pd_insns_hash(struct pd_insn_reader *r, uint32_t symbol, struct pd_insns *ret_insns,
		  struct pd_error *err)
{
	return read_insns(r, symbol, false, ret_insns, err);
}

void pd_insns_done(struct pd_insns *insns)
{
	pd_arena_done(&insns->arena);
	*insns = (struct pd_insns){0};
}
