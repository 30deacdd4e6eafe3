/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sites by caller. Contract: callees.h. In a relocatable image the relocation
 * within a branch tells where it goes; elsewhere the address does.
 */
#include "image/callees.h"

#include <stdlib.h>

#include "image/disasm.h"

struct pd_callees {
	const struct pd_image *image;
	const struct pd_isa *isa;
	struct pd_disasm *disasm;
	uint32_t *sections; /* [n_sections] loaded code, by address; linked images only */
	uint32_t n_sections;
};

static int compare_sections(const void *a, const void *b, void *context)
{
	const struct pd_section *sections = context;
	const struct pd_section *x = &sections[*(const uint32_t *)a];
	const struct pd_section *y = &sections[*(const uint32_t *)b];

	return x->address < y->address ? -1 : x->address > y->address;
}

int pd_callees_open(const struct pd_image *image, struct pd_callees **ret_callees,
		    struct pd_error *err)
{
	struct pd_callees *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return pd_fail_nomem(err);
	c->image = image;
	c->isa = pd_isa_find(image->elf_machine);
	c->sections = calloc((size_t)image->n_sections + 1, sizeof(*c->sections));
	rc = c->sections ? pd_disasm_open(image, &c->disasm, err) : pd_fail_nomem(err);
	if (rc != PD_OK) {
		pd_callees_close(c);
		return rc;
	}
	for (uint32_t i = 0; i < image->n_sections && !image->is_relocatable; i++)
		if (image->sections[i].is_loaded && image->sections[i].is_code)
			c->sections[c->n_sections++] = i;
	qsort_r(c->sections, c->n_sections, sizeof(*c->sections), compare_sections,
		image->sections);
	*ret_callees = c;
	return PD_OK;
}

void pd_callees_close(struct pd_callees *callees)
{
	if (!callees)
		return;
	pd_disasm_close(callees->disasm);
	free(callees->sections);
	free(callees);
}

/* The section that has an address, of a linked image; PD_NO_INDEX if none has. */
static uint32_t section_at(const struct pd_callees *c, uint64_t address)
{
	uint32_t lo = 0, hi = c->n_sections;
	const struct pd_section *s;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (c->image->sections[c->sections[mid]].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return PD_NO_INDEX;
	s = &c->image->sections[c->sections[lo - 1]];
	return address - s->address < s->n_bytes ? c->sections[lo - 1] : PD_NO_INDEX;
}

/* The symbol that begins there, or is entered there by callers of its module. */
static uint32_t symbol_at(const struct pd_callees *c, uint32_t section, uint64_t address)
{
	uint32_t i = pd_image_find(c->image, section, address);
	struct pd_machine_code code;
	const struct pd_symbol *s;

	if (i == PD_NO_INDEX)
		return i;
	s = &c->image->symbols[i];
	if (s->address == address)
		return i;
	code = pd_machine_code_of(c->image, section);
	if (s->address < code.address || s->address - code.address >= code.n_bytes)
		return PD_NO_INDEX;
	return s->address + pd_disasm_local_entry(c->disasm, &code,
						  (size_t)(s->address - code.address)) == address
		       ? i
		       : PD_NO_INDEX;
}

/* The first relocation at or behind a place. */
static uint32_t find_reloc(const struct pd_image *image, uint32_t section, uint64_t address)
{
	uint32_t lo = 0, hi = image->n_relocs;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		const struct pd_reloc *r = &image->relocs[mid];

		if (r->section < section || (r->section == section && r->address < address))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Where a branch goes: a symbol, or PD_NO_INDEX. */
static uint32_t target_of(const struct pd_callees *c, uint32_t section, uint64_t address,
			  const struct pd_insn *insn)
{
	const struct pd_image *image = c->image;
	uint32_t i = find_reloc(image, section, address - insn->n_before);
	bool has_reloc = false;

	for (; i < image->n_relocs && image->relocs[i].section == section &&
	       image->relocs[i].address < address + insn->n_bytes;
	     i++) {
		if (image->relocs[i].symbol != PD_NO_INDEX)
			return image->relocs[i].symbol;
		has_reloc = true;
	}
	if (has_reloc)
		return PD_NO_INDEX;
	if (!image->is_relocatable)
		section = section_at(c, insn->target);
	return section == PD_NO_INDEX ? section : symbol_at(c, section, insn->target);
}

void pd_callees_of(struct pd_callees *callees, uint32_t symbol,
		   void (*found)(void *context, uint32_t callee), void *context)
{
	const struct pd_symbol *s = &callees->image->symbols[symbol];
	struct pd_machine_code code = pd_machine_code_of(callees->image, s->section);
	size_t unit = callees->isa->unit, pos, left;
	struct pd_insn insn;

	if (s->address < code.address || s->address - code.address >= code.n_bytes)
		return;
	pos = (size_t)(s->address - code.address);
	left = code.n_bytes - pos;
	code.n_bytes = pos + (s->n_bytes < left ? (size_t)s->n_bytes : left);
	for (pos = (pos + unit - 1) / unit * unit; pos < code.n_bytes; pos += insn.n_bytes) {
		uint32_t callee;

		pd_disasm_at(callees->disasm, &code, pos, &insn);
		if (!insn.has_target)
			continue;
		callee = target_of(callees, s->section, code.address + pos, &insn);
		if (callee != PD_NO_INDEX && callee != symbol &&
		    callees->image->symbols[callee].kind == PD_SYMBOL_FUNCTION)
			found(context, callee);
	}
}
