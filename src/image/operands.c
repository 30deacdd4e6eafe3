/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operands. Contract: operands.h. Texts are those of capstone:
 *
 *   x86, AT&T    -0x7d3f1280(,%rax,8), %r12     Intel   [rax*8 - 0x7d3f1280]
 *   AArch64      x0, [x1, #0x10]!               ARM     {r4, pc}
 *   PowerPC      r3, 0x10(r1)                   s390    %r1, 160(%r15)
 */
#include "image/operands.h"

#include <elf.h>
#include <inttypes.h>

#include "base/num.h"

/* The text on its way. */
struct scan {
	struct pd_operands *o;
	const struct pd_operand_context *c;
	const char *text, *p;
	bool is_reloc_told; /* the relocation has taken its place */
	bool wants_immediate; /* x86: the relocation is of an operand with "$" */
	int bracket; /* within how many "[" */
};

void pd_operands_done(struct pd_operands *o)
{
	pd_buf_done(&o->shown);
	pd_buf_done(&o->exact);
	pd_buf_done(&o->key);
}

void pd_operands_begin(struct pd_operands *o, uint32_t own)
{
	o->own = own;
	o->held = o->unused = 0;
}

static uint16_t machine_of(const struct scan *s)
{
	return s->o->refs->image->elf_machine;
}

static bool is_x86(const struct scan *s)
{
	return machine_of(s) == EM_X86_64 || machine_of(s) == EM_386;
}

static void add_all(struct scan *s, const char *text, size_t n)
{
	pd_buf_add(&s->o->shown, text, n);
	pd_buf_add(&s->o->exact, text, n);
	pd_buf_add(&s->o->key, text, n);
}

static void add_ref(struct scan *s, const struct pd_ref *ref)
{
	/* "bl #0x1000" becomes "bl foo". */
	if (s->o->shown.len && s->o->shown.ptr[s->o->shown.len - 1] == '#')
		s->o->shown.ptr[--s->o->shown.len] = '\0';
	pd_ref_add(s->o->refs, ref, s->o->own, PD_REF_SHOWN, &s->o->shown);
	pd_ref_add(s->o->refs, ref, s->o->own, PD_REF_EXACT, &s->o->exact);
	pd_ref_add(s->o->refs, ref, s->o->own, PD_REF_KEY, &s->o->key);
}

/* ---- words ---- */

static bool is_word(char c)
{
	return pd_is_alpha(c) || pd_is_digit(c) || c == '_' || c == '.';
}

static bool is_one_of(struct pd_span name, const char *const *names)
{
	for (; *names; names++)
		if (pd_span_eq(name, *names))
			return true;
	return false;
}

/* Registers of x86 that are not one as good as another. */
static bool is_special(struct pd_span name)
{
	static const char *const special[] = {
		"rsp", "esp", "sp", "rip", "eip", "cs", "ds", "es", "fs", "gs", "ss", NULL};

	return is_one_of(name, special);
}

/* "r12d" -> "r32", "xmm3" -> "xmm", "al" -> "r8". */
static void add_x86_register(struct pd_buf *key, struct pd_span name)
{
	char last = name.len ? name.ptr[name.len - 1] : ' ';
	size_t n = 0;

	if (is_special(name) || !name.len) {
		pd_buf_add(key, name.ptr, name.len);
		return;
	}
	if (name.len > 2 && name.ptr[1] == 'm' && name.ptr[2] == 'm') {
		pd_buf_add(key, name.ptr, 3);
	} else if (name.ptr[0] == 'r' && name.len > 1 && pd_is_digit(name.ptr[1])) {
		pd_buf_add_str(key, last == 'd' ? "r32" : last == 'w' ? "r16" :
			       last == 'b' ? "r8" : "r64");
	} else if (name.ptr[0] == 'r') {
		pd_buf_add_str(key, "r64");
	} else if (name.ptr[0] == 'e') {
		pd_buf_add_str(key, "r32");
	} else if (last == 'l' || last == 'h') {
		pd_buf_add_str(key, "r8");
	} else if (name.len == 2 && !pd_is_digit(last)) {
		pd_buf_add_str(key, "r16");
	} else {
		while (n < name.len && !pd_is_digit(name.ptr[n]))
			n++;
		pd_buf_add(key, name.ptr, n);
	}
}

/* "x12" -> "x": letters, and one or two digits. */
static void add_other_register(struct pd_buf *key, struct pd_span name)
{
	size_t n = 0, n_digits = 0;

	while (n < name.len && pd_is_alpha(name.ptr[n]))
		n++;
	while (n + n_digits < name.len && pd_is_digit(name.ptr[n + n_digits]))
		n_digits++;
	if (!n || !n_digits || n_digits > 2) {
		pd_buf_add(key, name.ptr, name.len);
		return;
	}
	pd_buf_add(key, name.ptr, n);
	name = pd_span_sub(name, n + n_digits, name.len);
	pd_buf_add(key, name.ptr, name.len);
}

static void take_word(struct scan *s)
{
	struct pd_span word = {s->p, 0};

	while (is_word(s->p[word.len]))
		word.len++;
	s->p += word.len;
	pd_buf_add(&s->o->shown, word.ptr, word.len);
	pd_buf_add(&s->o->exact, word.ptr, word.len);
	/* Of x86 in Intel's syntax no key is wanted. */
	if (is_x86(s))
		add_x86_register(&s->o->key, word);
	else
		add_other_register(&s->o->key, word);
}

/*
 * ---- addresses in two halves ----
 *
 *   AArch64     adrp x0, #0x412000        add x0, x0, #0x10     or [x0, #0x10]
 *   ARM         movw r0, #0x1234          movt r0, #0xc012      the lower half first
 *   PowerPC64   addis r9, r2, 2           addi r9, r9, 0x10     or 0x10(r9)
 */

enum { NO_REGISTER = PD_N_PAGE_REGISTERS, TOC_REGISTER = 2 };

static bool has_halves(const struct scan *s)
{
	return machine_of(s) == EM_AARCH64 || machine_of(s) == EM_PPC64 ||
	       machine_of(s) == EM_ARM;
}

/* "x12", of others "r12"; NO_REGISTER: something else. */
static uint32_t parse_register(const struct scan *s, const char *p)
{
	uint32_t no;

	if (machine_of(s) == EM_ARM && !strncmp(p, "ip", 2))
		return 12;
	if (machine_of(s) == EM_ARM && !strncmp(p, "lr", 2))
		return 14;
	if (*p != (machine_of(s) == EM_AARCH64 ? 'x' : 'r') || !pd_is_digit(p[1]))
		return NO_REGISTER;
	no = (uint32_t)(p[1] - '0');
	if (pd_is_digit(p[2]))
		no = no * 10 + (uint32_t)(p[2] - '0');
	return no < PD_N_PAGE_REGISTERS ? no : NO_REGISTER;
}

/* The register before the number at hand: "x1, #" or "r1, ". */
static uint32_t register_before(const struct scan *s)
{
	const char *p = s->p;

	if (p > s->text && p[-1] == '#')
		p--;
	if (p - s->text < 4 || p[-1] != ' ' || p[-2] != ',')
		return NO_REGISTER;
	for (p -= 2; p > s->text && is_word(p[-1]); p--)
		;
	return parse_register(s, p);
}

/* The register does not hold a page any more; one that was never used must not be forgotten. */
static void drop_page(struct pd_operands *o, uint32_t no)
{
	uint32_t bit = UINT32_C(1) << no;

	if (o->unused & bit)
		pd_buf_printf(&o->exact, " page %" PRIx64, o->pages[no]);
	o->held &= ~bit;
	o->unused &= ~bit;
}

/*
 * The address that the number at hand is the second half of, if the first one is known,
 * and the register that has that.
 */
static bool find_whole(const struct scan *s, uint64_t number, const char *after,
		       uint64_t *ret_address, uint32_t *ret_no)
{
	const struct pd_operands *o = s->o;
	bool is_ppc = machine_of(s) == EM_PPC64;
	uint32_t no = NO_REGISTER;

	if (machine_of(s) == EM_ARM)
		no = strcmp(s->c->mnemonic, "movt") != 0 ? NO_REGISTER
							 : parse_register(s, s->text);
	else if (is_ppc && *after == '(')
		no = parse_register(s, after + 1);
	else if (is_ppc ? !strcmp(s->c->mnemonic, "addi")
			: s->bracket == 1 || !strcmp(s->c->mnemonic, "add"))
		no = register_before(s);
	if (no == NO_REGISTER)
		return false;
	*ret_no = no;
	if (is_ppc)
		number = (uint64_t)(int64_t)(int16_t)number;
	if (is_ppc && no == TOC_REGISTER) {
		*ret_address = o->refs->toc + number;
		return o->refs->toc != 0;
	}
	if (!(o->held >> no & 1))
		return false;
	*ret_address = o->pages[no] + number;
	if (machine_of(s) == EM_ARM)
		*ret_address = (number << 16) + (o->pages[no] & UINT16_MAX);
	return true;
}

/* That ARM's registers hold, so that it is not 0. */
#define LOWER_HALF (UINT64_C(1) << 32)

/* Whether the number at hand is a first half: then what it says is left to its users. */
static bool find_upper(const struct scan *s, uint64_t number, uint64_t *ret_page)
{
	if (s->c->reloc || s->o->refs->image->is_relocatable)
		return false;
	*ret_page = machine_of(s) == EM_ARM ? number | LOWER_HALF : number;
	if (machine_of(s) == EM_ARM)
		return !strcmp(s->c->mnemonic, "movw");
	if (machine_of(s) == EM_AARCH64)
		return !strcmp(s->c->mnemonic, "adrp");
	if (machine_of(s) != EM_PPC64 || !s->o->refs->toc || strcmp(s->c->mnemonic, "addis") != 0)
		return false;
	*ret_page = s->o->refs->toc + ((uint64_t)(int64_t)(int16_t)number << 16);
	return register_before(s) == TOC_REGISTER;
}

/* PowerPC64: how far the table of contents is from a function is the linker's business. */
static bool is_toc_setup(const struct scan *s)
{
	return machine_of(s) == EM_PPC64 && parse_register(s, s->text) == TOC_REGISTER &&
	       ((!strcmp(s->c->mnemonic, "addis") && register_before(s) == 12) ||
		(!strcmp(s->c->mnemonic, "lis")) ||
		(!strcmp(s->c->mnemonic, "addi") && register_before(s) == TOC_REGISTER));
}

/* Once all operands are read: what the first one holds, if it is written to. 0: no page. */
static void settle_pages(struct scan *s, uint64_t page)
{
	struct pd_operands *o = s->o;
	uint32_t no, n_clobbered = machine_of(s) == EM_AARCH64 ? 19 : 13;
	bool is_read = !strncmp(s->c->mnemonic, "st", 2) || !strncmp(s->c->mnemonic, "cmp", 3);

	if (s->c->insn->kind == PD_INSN_CALL)
		for (no = 0; no < n_clobbered; no++)
			if (o->held >> no & 1)
				drop_page(o, no);
	no = parse_register(s, s->text);
	if (is_read || s->c->insn->kind != PD_INSN_OTHER || no == NO_REGISTER)
		return;
	if (o->held >> no & 1)
		drop_page(o, no);
	if (!page)
		return;
	o->pages[no] = page;
	o->held |= UINT32_C(1) << no;
	o->unused |= UINT32_C(1) << no;
}

/* ---- numbers ---- */

/* Digits, perhaps with 0x and a sign; how long they are. */
static size_t parse_number(const char *p, uint64_t *ret_number)
{
	bool is_negative = *p == '-';
	size_t n = is_negative;
	uint64_t x = 0;

	if (p[n] == '0' && p[n + 1] == 'x') {
		for (n += 2; ; n++) {
			char c = p[n];

			if (pd_is_digit(c))
				x = x << 4 | (uint64_t)(c - '0');
			else if (c >= 'a' && c <= 'f')
				x = x << 4 | (uint64_t)(c - 'a' + 10);
			else
				break;
		}
	} else {
		for (; pd_is_digit(p[n]); n++)
			x = x * 10 + (uint64_t)(p[n] - '0');
	}
	*ret_number = is_negative ? -x : x;
	return n;
}

static bool is_relative(const char *after)
{
	return !strncmp(after, "(%rip)", 6);
}

/* What a relocation refers to; x86 counts from the end of the instruction. */
static struct pd_ref reloc_ref(const struct scan *s, bool is_from_end)
{
	struct pd_ref ref = pd_ref_of_reloc(s->c->reloc);

	if (is_from_end)
		ref.address += s->c->address + s->c->insn->n_bytes - s->c->reloc->address - 4;
	return ref;
}

/* Instructions whose number is an address that was counted from their own. */
static bool is_address_by_mnemonic(const struct scan *s)
{
	struct pd_span name = pd_span_of(s->c->mnemonic);

	if (machine_of(s) == EM_AARCH64)
		return pd_span_eq(name, "adr") ||
		       (pd_span_starts(name, "ldr") && !s->bracket && s->p > s->text &&
			s->p[-1] == '#');
	if (machine_of(s) == EM_S390)
		return pd_span_eq(name, "larl") || pd_span_ends(name, "rl");
	return false;
}

/* Whether the relocation is of the number at hand. */
static bool takes_reloc(const struct scan *s, uint64_t number)
{
	bool is_immediate = s->p > s->text && s->p[-1] == '$';

	if (!s->c->reloc || s->is_reloc_told)
		return false;
	if (s->c->insn->has_target)
		return number == s->c->insn->target;
	return (is_x86(s) && is_immediate == s->wants_immediate) || is_address_by_mnemonic(s);
}

/* Intel's "[rip + 0x10]": whether the number is added to, or taken from, the address. */
static bool find_intel(const struct scan *s, uint64_t number, uint64_t end, struct pd_ref *ret_ref)
{
	static const char plus[] = "rip + ", minus[] = "rip - ";
	size_t n = sizeof(plus) - 1;

	if ((size_t)(s->p - s->text) < n)
		return false;
	if (!strncmp(s->p - n, plus, n))
		return pd_refs_find(s->o->refs, end + number, ret_ref);
	return !strncmp(s->p - n, minus, n) && pd_refs_find(s->o->refs, end - number, ret_ref);
}

/* The place that a number means, if it means one. */
static bool find_ref(const struct scan *s, uint64_t number, const char *after,
		     struct pd_ref *ret_ref)
{
	const struct pd_insn *insn = s->c->insn;
	const struct pd_refs *refs = s->o->refs;
	uint64_t end = s->c->address + insn->n_bytes, whole;
	uint32_t no;

	if (takes_reloc(s, number)) {
		*ret_ref = reloc_ref(s, is_x86(s) && is_relative(after));
		return true;
	}
	if (refs->image->is_relocatable) {
		/* Branches within a section need no relocations. */
		if (!insn->has_target || number != insn->target || s->c->reloc)
			return false;
		*ret_ref = (struct pd_ref){
			.section = refs->image->symbols[s->o->own].section, .address = number,
		};
		return true;
	}
	if (!refs->image->is_64bit)
		number &= UINT32_MAX;
	if (insn->has_target)
		return number == insn->target && pd_refs_find(refs, number, ret_ref);
	if (is_x86(s) && is_relative(after))
		return pd_refs_find(refs, end + number, ret_ref) ||
		       pd_refs_find_percpu(refs, end + number, ret_ref);
	if (is_x86(s) && s->p - s->text >= 4 && !strncmp(s->p - 4, "%gs:", 4))
		return pd_refs_find_percpu(refs, number, ret_ref);
	if (is_x86(s) && find_intel(s, number, end, ret_ref))
		return true;
	if (has_halves(s) && find_whole(s, number, after, &whole, &no)) {
		if (!pd_refs_find(refs, whole, ret_ref))
			return false;
		s->o->unused &= ~(UINT32_C(1) << no);
		return true;
	}
	if (is_address_by_mnemonic(s))
		return pd_refs_find(refs, number, ret_ref);
	return is_x86(s) && pd_refs_guess(refs, number, ret_ref);
}

/* Whether the number at hand is where something is on the stack. */
static bool is_on_stack(const struct scan *s, const char *after)
{
	static const char *const behind[] = {"(%rsp", "(%esp", "(%r15)", "(r1)", "(1)", "($sp)",
					     "(%r1)", NULL};

	for (const char *const *b = behind; *b; b++)
		if (!strncmp(after, *b, strlen(*b)))
			return (machine_of(s) == EM_S390) == !strcmp(*b, "(%r15)");
	/* Below a frame's pointer; above it is what others have there. */
	if (*s->p == '-' && (!strncmp(after, "(%rbp", 5) || !strncmp(after, "(%ebp", 5)))
		return true;
	return (s->p - s->text >= 6 && !strncmp(s->p - 6, "[sp, #", 6)) ||
	       (s->p - s->text >= 7 && !strncmp(s->p - 7, "[x29, #", 7));
}

static void take_number(struct scan *s, uint64_t *ret_page)
{
	struct pd_operands *o = s->o;
	struct pd_ref ref;
	uint64_t number, page;
	size_t n = parse_number(s->p, &number);
	const char *after = s->p + n;

	if (is_toc_setup(s) && !s->c->reloc) {
		pd_buf_add(&o->shown, s->p, n);
	} else if (find_ref(s, number, after, &ref)) {
		add_ref(s, &ref);
		s->is_reloc_told |= s->c->reloc != NULL;
	} else if (find_upper(s, number, &page)) {
		*ret_page = page;
		pd_buf_add(&o->shown, s->p, n);
	} else {
		pd_buf_add(&o->shown, s->p, n);
		pd_buf_add(&o->exact, s->p, n);
		if (is_on_stack(s, after))
			pd_buf_add_char(&o->key, 'S');
		else
			pd_buf_add(&o->key, s->p, n);
	}
	s->p = after;
}

static bool begins_number(const struct scan *s)
{
	char before = s->p > s->text ? s->p[-1] : ' ';

	return pd_is_digit(*s->p) ||
	       (*s->p == '-' && pd_is_digit(s->p[1]) && !is_word(before) && before != ')');
}

static void take_sign(struct scan *s)
{
	struct pd_ref ref;

	s->bracket += (*s->p == '[') - (*s->p == ']');
	/* "lea (%rip), %rax": a displacement of 0 is not written. */
	if (is_relative(s->p) && s->c->reloc && !s->is_reloc_told && !s->wants_immediate) {
		ref = reloc_ref(s, true);
		add_ref(s, &ref);
		s->is_reloc_told = true;
	}
	if (*s->p == ']' && s->p - s->text >= 4 && !strncmp(s->p - 4, "[rip", 4) && s->c->reloc &&
	    !s->is_reloc_told) {
		ref = reloc_ref(s, true);
		add_all(s, " + ", 3);
		add_ref(s, &ref);
		s->is_reloc_told = true;
	}
	if (*s->p == ' ' && s->p > s->text && s->p[-1] == ',')
		; /* "a, b" is "a,b", as objdump has it */
	else
		add_all(s, s->p, 1);
	s->p++;
}

/* x86: a relocation at the end of an instruction is of its immediate operand. */
static bool is_of_immediate(const struct pd_operand_context *c, const char *text)
{
	uint64_t end = c->address + c->insn->n_bytes;
	bool is_wide = !strncmp(c->mnemonic, "movabs", 6);

	return c->reloc && strchr(text, '$') && c->reloc->address + (is_wide ? 8 : 4) == end;
}

/* A relocation that no operand at hand shows. */
static void append_reloc(struct scan *s, const struct pd_reloc *reloc)
{
	struct pd_ref ref = pd_ref_of_reloc(reloc);

	add_all(s, " <", 2);
	add_ref(s, &ref);
	add_all(s, ">", 1);
}

void pd_operands_read(struct pd_operands *o, const char *text,
		      const struct pd_operand_context *context)
{
	struct scan s = {.o = o, .c = context, .text = text, .p = text};
	uint64_t page = 0;

	o->shown.len = o->exact.len = o->key.len = 0;
	s.wants_immediate = is_of_immediate(context, text);
	while (*s.p) {
		if (begins_number(&s))
			take_number(&s, &page);
		else if (pd_is_alpha(*s.p) || *s.p == '_')
			take_word(&s);
		else
			take_sign(&s);
	}
	for (uint32_t i = s.is_reloc_told; i < context->n_relocs; i++)
		append_reloc(&s, &context->reloc[i]);
	if (has_halves(&s))
		settle_pages(&s, page);
}

struct pd_span pd_operands_end(struct pd_operands *o)
{
	o->exact.len = 0;
	for (uint32_t no = 0; no < PD_N_PAGE_REGISTERS; no++)
		if (o->held >> no & 1)
			drop_page(o, no);
	return pd_buf_span(&o->exact);
}
