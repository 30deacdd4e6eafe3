/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stubs through which a file calls functions of others. They have no symbols, but
 * the loader's relocations tell what each leads to:
 *
 *   .plt      a head, and a stub for each relocation of .rela.plt, in its order
 *   .plt.sec  where calls are to land on marks (IBT): stubs of the same functions
 *   .plt.got  stubs of functions whose address is taken as well, bound when loaded
 *
 * Those of the last two jump through a word of the GOT, which a relocation is about:
 * "f3 0f 1e fa" (endbr64), "f2" (bnd), "ff 25 <distance>" (jmp *word(%rip)).
 */
#include <elf.h>
#include <stdlib.h>

#include "base/sort.h"
#include "image/lookup_elf.h"

/* A relocation: a word that gets the address of a function. */
struct word {
	uint64_t address;
	const char *name;
};

struct plt {
	struct pd_lookup *l;
	const struct pd_lookup_elf *f;
	struct pd_lookup_table symbols; /* .dynsym */
	struct word *words; /* in the order of the file */
	uint32_t n_words, n_lazy; /* the first ones are of .rela.plt */
	struct pd_sort_item *by_address; /* [n_words] */
};

static void add_stub(struct plt *p, const char *name, uint64_t offset, uint64_t n_bytes)
{
	const struct pd_lookup_symbol s = {
		.start = offset,
		.end = n_bytes > UINT64_MAX - offset ? UINT64_MAX : offset + n_bytes,
		.name = name,
		.n_name = PD_LOOKUP_NUL,
		.flags = PD_LOOKUP_GLOBAL | PD_LOOKUP_CODE | PD_LOOKUP_PLT,
	};

	pd_lookup_add(p->l, &s);
}

/* The words of a table of relocations, which is about the dynamic symbols. */
static void read_words(struct plt *p, const char *rela, const char *rel)
{
	const struct pd_lookup_section *s = pd_lookup_elf_section(p->f, rela);
	Elf_Data *data;
	size_t n;

	if (!s)
		s = pd_lookup_elf_section(p->f, rel);
	if (!s || s->header.sh_link != p->symbols.no || !s->header.sh_entsize ||
	    (s->header.sh_type != SHT_RELA && s->header.sh_type != SHT_REL))
		return;
	data = elf_getdata(elf_getscn(p->f->elf, (size_t)(s - p->f->sections)), NULL);
	n = data ? data->d_size / s->header.sh_entsize : 0;
	if (n > INT32_MAX - p->n_words)
		return;
	if (n) {
		void *words = reallocarray(p->words, p->n_words + n, sizeof(*p->words));

		if (!words) {
			p->l->failed = true;
			return;
		}
		p->words = words;
	}
	for (size_t i = 0; i < n; i++) {
		struct word *w = &p->words[p->n_words];
		GElf_Rela a = {0};
		GElf_Rel b;
		GElf_Sym sym;

		if (s->header.sh_type == SHT_RELA) {
			if (!gelf_getrela(data, (int)i, &a))
				break;
		} else {
			if (!gelf_getrel(data, (int)i, &b))
				break;
			a.r_offset = b.r_offset;
			a.r_info = b.r_info;
		}
		*w = (struct word){a.r_offset, ""};
		p->n_words++;
		if (gelf_getsym(p->symbols.data, (int)GELF_R_SYM(a.r_info), &sym)) {
			const char *name = pd_lookup_elf_name(&p->symbols, sym.st_name);

			w->name = name ? name : "";
		}
	}
}

/* How long the head of .plt and its stubs are. */
static void find_shape(const struct pd_lookup_elf *f, uint64_t entry, uint64_t *ret_head,
		       uint64_t *ret_stub)
{
	static const struct {
		uint16_t machine;
		uint8_t head, stub;
	} shapes[] = {
		{EM_ARM, 20, 12}, {EM_AARCH64, 32, 16}, {EM_SPARC, 48, 12}, {EM_SPARCV9, 128, 32},
	};

	*ret_head = *ret_stub = entry;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		if (shapes[i].machine == f->header.e_machine) {
			*ret_head = shapes[i].head;
			*ret_stub = shapes[i].stub;
		}
}

static void add_lazy(struct plt *p)
{
	const struct pd_lookup_section *s = pd_lookup_elf_section(p->f, ".plt");
	uint64_t head, stub;

	if (!s)
		return;
	find_shape(p->f, s->header.sh_entsize, &head, &stub);
	/* Where a linker does not tell how long a stub is, none can be told from others. */
	for (uint64_t i = 0; stub && i < p->n_lazy; i++) {
		uint64_t at = head + i * stub;

		if (at >= s->header.sh_size)
			break;
		add_stub(p, p->words[i].name, s->header.sh_offset + at, stub);
	}
}

/* The name of the function whose address is in that word, or NULL. */
static const char *find_word(const struct plt *p, uint64_t address)
{
	uint32_t lo = 0, hi = p->n_words;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p->by_address[mid].key < address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == p->n_words || p->by_address[lo].key != address)
		return NULL;
	return p->words[p->by_address[lo].index].name;
}

/* The word that the stub in these bytes jumps through; false: it is no stub. */
static bool read_jump(struct pd_span stub, uint64_t address, uint64_t *ret_word)
{
	const unsigned char *b = (const unsigned char *)stub.ptr;
	size_t at = pd_span_starts(stub, "\xf3\x0f\x1e\xfa") ? 4 : 0;
	uint32_t distance;

	at += stub.len > at && b[at] == 0xf2;
	if (stub.len < at + 6 || b[at] != 0xff || b[at + 1] != 0x25)
		return false;
	distance = b[at + 2] | (uint32_t)b[at + 3] << 8 | (uint32_t)b[at + 4] << 16 |
		   (uint32_t)b[at + 5] << 24;
	*ret_word = address + at + 6 + (uint64_t)(int64_t)(int32_t)distance;
	return true;
}

static void add_bound(struct plt *p, const char *section)
{
	const struct pd_lookup_section *s = pd_lookup_elf_section(p->f, section);
	uint64_t stub = s ? s->header.sh_entsize : 0;
	struct pd_span bytes;

	if (!s || stub < 8 || stub > 64)
		return;
	bytes = pd_lookup_elf_bytes(p->f, s);
	for (uint64_t at = 0; at + stub <= bytes.len && !p->l->failed; at += stub) {
		const char *name;
		uint64_t word;

		if (!read_jump(pd_span_sub(bytes, at, at + stub), s->header.sh_addr + at, &word))
			continue;
		name = find_word(p, word);
		if (name && *name)
			add_stub(p, name, s->header.sh_offset + at, stub);
	}
}

static bool sort_words(struct plt *p)
{
	p->by_address = malloc((2 * (size_t)p->n_words + 1) * sizeof(*p->by_address));
	if (!p->by_address)
		return false;
	for (uint32_t i = 0; i < p->n_words; i++)
		p->by_address[i] = (struct pd_sort_item){p->words[i].address, i};
	pd_sort_items(p->by_address, p->by_address + p->n_words, p->n_words);
	return true;
}

void pd_lookup_add_plt(struct pd_lookup *l, const struct pd_lookup_elf *f)
{
	struct plt p = {.l = l, .f = f};

	if (!pd_lookup_elf_table(f, SHT_DYNSYM, &p.symbols))
		return;
	read_words(&p, ".rela.plt", ".rel.plt");
	p.n_lazy = p.n_words;
	add_lazy(&p);
	if (f->header.e_machine == EM_X86_64 && (pd_lookup_elf_section(f, ".plt.sec") ||
						 pd_lookup_elf_section(f, ".plt.got"))) {
		read_words(&p, ".rela.dyn", ".rel.dyn");
		if (sort_words(&p)) {
			add_bound(&p, ".plt.sec");
			add_bound(&p, ".plt.got");
		} else {
			l->failed = true;
		}
	}
	free(p.by_address);
	free(p.words);
}
