// SPDX-License-Identifier: GPL-3.0-or-later
// Several names at one address, functions without a size, and a gap without a name.
#define LOOP(n) "mov $" #n ", %ecx\n1: imul %eax, %eax\ndec %ecx\njnz 1b\nret\n"

__asm__(".text\n"
	".globl name_global, _name_global, __longer_name\n.weak name_weak\n"
	".type name_global, @function\n.type _name_global, @function\n"
	".type __longer_name, @function\n.type name_weak, @function\n.type name_local, @function\n"
	"name_local: name_weak: _name_global: __longer_name: name_global:\n" LOOP(60000000)
	".size name_global, .-name_global\n.size _name_global, .-name_global\n"
	".size __longer_name, .-name_global\n.size name_weak, .-name_global\n"
	".size name_local, .-name_global\n"
	".globl short_global\n.type short_global, @function\n.type long_local, @function\n"
	"long_local: short_global:\nmov $60000000, %ecx\n"
	".size short_global, .-short_global\n"
	"2: imul %eax, %eax\ndec %ecx\njnz 2b\nret\n.size long_local, .-long_local\n"
	".type zero_sized, @function\nzero_sized:\n" LOOP(60000000)
	".type zero_first, @function\n.globl zero_second\n.type zero_second, @function\n"
	"zero_second: zero_first:\n" LOOP(60000000)
	".globl label_only\nlabel_only:\n" LOOP(60000000)
	".globl sized\n.type sized, @function\nsized: jmp .Lgap\n.size sized, .-sized\n"
	".balign 64\n.Lgap:\n" LOOP(60000000)
	".globl _start\n.type _start, @function\n_start:\n"
	"call name_local\ncall long_local\ncall zero_sized\ncall zero_first\ncall label_only\n"
	"call sized\nmov $231, %eax\nxor %edi, %edi\nsyscall\n.size _start, .-_start\n");
