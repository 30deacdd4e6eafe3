/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The least that comparing sizes can take: a walk over the symbol tables of some
 * ELF files, adding up the sizes of their functions.
 *
 *   symbol_walk FILE...
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <unistd.h>

static void walk(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *scn = NULL;
	GElf_Shdr header;
	size_t n = 0, n_bytes = 0;

	while (elf && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_SYMTAB)
			continue;
		data = elf_getdata(scn, NULL);
		for (size_t i = 0; data && i < data->d_size / header.sh_entsize; i++) {
			GElf_Sym sym;

			if (!gelf_getsym(data, (int)i, &sym) ||
			    GELF_ST_TYPE(sym.st_info) != STT_FUNC)
				continue;
			n++;
			n_bytes += sym.st_size;
		}
	}
	printf("%s: %zu functions, %zu bytes\n", path, n, n_bytes);
	(void)elf_end(elf);
	if (fd >= 0)
		(void)close(fd);
}

int main(int argc, char **argv)
{
	if (elf_version(EV_CURRENT) == EV_NONE)
		return 1;
	for (int i = 1; i < argc; i++)
		walk(argv[i]);
	return 0;
}
