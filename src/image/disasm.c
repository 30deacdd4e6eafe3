/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions by capstone: all of x86, and the text of the others, whose branches
 * are branch.c's. Contract: disasm.h.
 *
 * Capstone 4 and 5 differ in groups, which are not used here, and in the machines
 * they know: cs_open() tells.
 */
#include "image/disasm.h"

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Capstone is loaded by the first who needs it: most of it are tables of pointers,
 * and relocating them is two thirds of the time that a command takes to begin.
 */
static struct {
	bool is_loaded;
	char problem[200]; /* why it is not */
	__typeof__(&cs_open) open;
	__typeof__(&cs_option) option;
	__typeof__(&cs_malloc) malloc;
	__typeof__(&cs_free) free;
	__typeof__(&cs_close) close;
	__typeof__(&cs_disasm_iter) disasm_iter;
} capstone;

static void load_capstone(void)
{
	void *lib = dlopen(PD_CAPSTONE_SONAME, RTLD_NOW | RTLD_LOCAL);

	if (lib) {
		*(void **)&capstone.open = dlsym(lib, "cs_open");
		*(void **)&capstone.option = dlsym(lib, "cs_option");
		*(void **)&capstone.malloc = dlsym(lib, "cs_malloc");
		*(void **)&capstone.free = dlsym(lib, "cs_free");
		*(void **)&capstone.close = dlsym(lib, "cs_close");
		*(void **)&capstone.disasm_iter = dlsym(lib, "cs_disasm_iter");
	}
	capstone.is_loaded = capstone.open && capstone.option && capstone.malloc &&
			     capstone.free && capstone.close && capstone.disasm_iter;
	if (!capstone.is_loaded) {
		const char *why = dlerror();

		(void)snprintf(capstone.problem, sizeof(capstone.problem), "%s",
			       why ? why : "it is of another version");
	}
}

struct pd_disasm {
	const struct pd_isa *isa;
	csh handle;    /* 0: capstone does not know the machine */
	cs_insn *insn; /* NULL if there is no handle; it is of: */
	const uint8_t *decoded;
	uint64_t decoded_address;
	char bytes[sizeof("0x00, ") * 16]; /* as text */
};

/* What capstone calls a machine; false if it has no word for it. */
static bool find_mode(const struct pd_image *image, cs_arch *ret_arch, int *ret_mode)
{
	int endian = image->is_big_endian ? (int)CS_MODE_BIG_ENDIAN : CS_MODE_LITTLE_ENDIAN;

	switch (image->elf_machine) {
	case EM_X86_64: /* also where addresses have 32 bits (x32) */
		*ret_arch = CS_ARCH_X86;
		*ret_mode = CS_MODE_64;
		return true;
	case EM_386:
		*ret_arch = CS_ARCH_X86;
		*ret_mode = CS_MODE_32;
		return true;
	case EM_AARCH64: /* instructions are little-endian, whatever data is */
		*ret_arch = CS_ARCH_ARM64;
		*ret_mode = CS_MODE_LITTLE_ENDIAN;
		return true;
	case EM_ARM:
		*ret_arch = CS_ARCH_ARM;
		*ret_mode = CS_MODE_ARM | endian;
		return true;
	case EM_PPC:
	case EM_PPC64:
		*ret_arch = CS_ARCH_PPC;
		*ret_mode = (image->is_64bit ? CS_MODE_64 : CS_MODE_32) | endian;
		return true;
	case EM_S390:
		*ret_arch = CS_ARCH_SYSZ;
		*ret_mode = CS_MODE_BIG_ENDIAN;
		return true;
	case EM_MIPS:
		*ret_arch = CS_ARCH_MIPS;
		*ret_mode = (image->is_64bit ? CS_MODE_MIPS64 : CS_MODE_MIPS32) | endian;
		return true;
#if CS_API_MAJOR >= 5
	case EM_RISCV:
		*ret_arch = CS_ARCH_RISCV;
		*ret_mode = (image->is_64bit ? CS_MODE_RISCV64 : CS_MODE_RISCV32) | CS_MODE_RISCVC;
		return true;
#endif
	default:
		return false;
	}
}

static int fail_unsupported(const struct pd_image *image, struct pd_error *err)
{
	if (!image->elf_machine)
		return pd_fail(err, PD_ERR_UNSUPPORTED,
			       "expected an ELF file, found a listing of symbols: it has no "
			       "instructions");
	return pd_fail(err, PD_ERR_UNSUPPORTED,
		       "instructions of %s (ELF machine %d) cannot be read in this build",
		       image->machine && *image->machine ? image->machine : "this machine",
		       image->elf_machine);
}

static int open_capstone(const struct pd_image *image, struct pd_disasm *d, struct pd_error *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	cs_arch arch;
	int mode;
	cs_err crc = CS_ERR_ARCH;

	(void)pthread_once(&once, load_capstone);
	if (!capstone.is_loaded)
		return pd_fail(err, PD_ERR_UNSUPPORTED, "instructions cannot be read: %s",
			       capstone.problem);
	if (find_mode(image, &arch, &mode))
		crc = capstone.open(arch, (cs_mode)mode, &d->handle);
	if (crc == CS_ERR_MEM)
		return pd_fail_nomem(err);
	if (crc != CS_ERR_OK) {
		d->handle = 0;
		return d->isa->read ? PD_OK : fail_unsupported(image, err);
	}
	if (arch == CS_ARCH_X86)
		(void)capstone.option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	if (!d->isa->read)
		(void)capstone.option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	d->insn = capstone.malloc(d->handle);
	return d->insn ? PD_OK : pd_fail_nomem(err);
}

int pd_disasm_open(const struct pd_image *image, struct pd_disasm **ret_disasm,
		   struct pd_error *err)
{
	const struct pd_isa *isa = pd_isa_find(image->elf_machine);
	struct pd_disasm *d;
	int rc;

	if (!isa)
		return fail_unsupported(image, err);
	d = calloc(1, sizeof(*d));
	if (!d)
		return pd_fail_nomem(err);
	d->isa = isa;
	rc = open_capstone(image, d, err);
	if (rc != PD_OK) {
		pd_disasm_close(d);
		return rc;
	}
	*ret_disasm = d;
	return PD_OK;
}

void pd_disasm_set_intel(struct pd_disasm *d)
{
	if (d->handle && !d->isa->read)
		(void)capstone.option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_INTEL);
}

void pd_disasm_close(struct pd_disasm *d)
{
	if (!d)
		return;
	if (d->insn)
		capstone.free(d->insn, 1);
	if (d->handle)
		(void)capstone.close(&d->handle);
	free(d);
}

struct pd_machine_code pd_machine_code_of(const struct pd_image *image, uint32_t section)
{
	struct pd_machine_code code = {
		.is_64bit = image->is_64bit,
		.is_big_endian = image->is_big_endian,
	};

	if (section >= image->n_sections || !image->sections[section].bytes)
		return code;
	code.bytes = image->sections[section].bytes;
	code.n_bytes = image->sections[section].n_bytes;
	code.address = image->is_relocatable ? 0 : image->sections[section].address;
	/* ARM that is linked for version 6 and later (BE8) swaps data only. */
	if (image->elf_machine == EM_ARM && !image->is_relocatable)
		code.is_big_endian = false;
	return code;
}

/* One instruction by capstone; false if it knows none there. */
static bool decode(struct pd_disasm *d, const struct pd_machine_code *code, size_t offset)
{
	const uint8_t *bytes = code->bytes + offset;
	size_t left = code->n_bytes - offset;
	uint64_t address = code->address + offset;

	/* The text of what was just looked at is already there. */
	if (d->decoded == bytes && d->decoded_address == address)
		return true;
	d->decoded = NULL;
	if (!d->insn || !capstone.disasm_iter(d->handle, &bytes, &left, &address, d->insn))
		return false;
	d->decoded = code->bytes + offset;
	d->decoded_address = code->address + offset;
	return true;
}

/* x86: the kind is told by the opcode, which capstone gives without its prefixes. */
static void read_x86(const cs_x86 *x86, struct pd_insn *insn)
{
	const uint8_t *opcode = x86->opcode;
	bool is_direct = x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM;
	unsigned extension = x86->modrm >> 3 & 7;

	if (is_direct && opcode[0] == 0xe8)
		insn->kind = PD_INSN_CALL;
	else if (is_direct && (opcode[0] == 0xe9 || opcode[0] == 0xeb))
		insn->kind = PD_INSN_JUMP;
	else if (is_direct && (opcode[0] >> 4 == 0x7 || (opcode[0] & 0xfc) == 0xe0 ||
			       (opcode[0] == 0x0f && opcode[1] >> 4 == 0x8)))
		insn->kind = PD_INSN_CONDITIONAL;
	else if (opcode[0] == 0xff && (extension == 2 || extension == 3))
		insn->kind = PD_INSN_CALL;
	else if (opcode[0] == 0xff && (extension == 4 || extension == 5))
		insn->kind = PD_INSN_JUMP;
	insn->has_target = insn->kind != PD_INSN_OTHER && is_direct;
	if (insn->has_target)
		insn->target = (uint64_t)x86->operands[0].imm;
}

void pd_disasm_at(struct pd_disasm *d, const struct pd_machine_code *code, size_t offset,
		  struct pd_insn *ret_insn)
{
	size_t left = code->n_bytes - offset, unit = d->isa->unit;

	*ret_insn = (struct pd_insn){.offset = offset};
	if (left < unit) {
		ret_insn->n_bytes = (uint32_t)left;
		return;
	}
	ret_insn->n_bytes = (uint32_t)unit;
	if (d->isa->read) {
		d->isa->read(code, ret_insn);
	} else if (decode(d, code, offset)) {
		ret_insn->n_bytes = d->insn->size;
		read_x86(&d->insn->detail->x86, ret_insn);
	}
	if (!code->is_64bit)
		ret_insn->target &= UINT32_MAX;
	if (ret_insn->n_bytes > left) /* cut: no instruction */
		*ret_insn = (struct pd_insn){.offset = offset, .n_bytes = (uint32_t)unit};
}

struct pd_insn_text pd_disasm_text(struct pd_disasm *d, const struct pd_machine_code *code,
				   const struct pd_insn *insn)
{
	size_t n = 0;

	if (decode(d, code, insn->offset) && d->insn->size == insn->n_bytes)
		return (struct pd_insn_text){d->insn->mnemonic, d->insn->op_str};
	d->bytes[0] = '\0';
	for (size_t i = 0; i < insn->n_bytes && n + sizeof("0x00, ") <= sizeof(d->bytes); i++)
		n += (size_t)snprintf(d->bytes + n, sizeof(d->bytes) - n, "%s0x%02x",
				      i ? ", " : "", code->bytes[insn->offset + i]);
	return (struct pd_insn_text){".byte", d->bytes};
}

uint32_t pd_disasm_local_entry(const struct pd_disasm *d, const struct pd_machine_code *code,
			       size_t offset)
{
	const uint8_t *p = code->bytes;
	unsigned high, low; /* upper halves: opcode and registers */

	if (d->isa->elf_machine != EM_PPC64 || offset > code->n_bytes ||
	    code->n_bytes - offset < 8)
		return 0;
	p += offset;
	if (code->is_big_endian) {
		high = (unsigned)(p[0] << 8 | p[1]);
		low = (unsigned)(p[4] << 8 | p[5]);
	} else {
		high = (unsigned)(p[3] << 8 | p[2]);
		low = (unsigned)(p[7] << 8 | p[6]);
	}
	/* addis r2,r12,... (or lis r2,... where it is fixed), addi r2,r2,... */
	return (high == 0x3c4c || high == 0x3c40) && low == 0x3842 ? 8 : 0;
}
