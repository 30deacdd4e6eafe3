// SPDX-License-Identifier: GPL-3.0-or-later
// Calls a library through the procedure linkage table, most of the time. It has no
// start files, so nothing but the table's own names covers the table.
void near_call(void);
void far_call(void);

__attribute__((noreturn)) void _start(void)
{
	for (int i = 0; i < 25000000; i++) {
		near_call();
		if (i % 4 == 0)
			far_call();
	}
	__asm__ volatile("syscall" : : "a"(231), "D"(0));
	__builtin_unreachable();
}
