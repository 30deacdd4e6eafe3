# SPDX-License-Identifier: GPL-3.0-or-later
#
# Sites that compilers seldom write, for x86-64: conditional jumps out of a function,
# short ones, a site in no function, one in the midst of what is called, and bytes
# that only look like a call. MORE=1 adds one.
	.ifndef MORE
	.set MORE, 0
	.endif

	.text
	.globl victim
	.type victim, @function
victim:
	testl %edi, %edi
	je 1f
	decl %edi
	jne victim
	jmp victim
1:
	call victim
	ret
	.size victim, . - victim

	.type local_victim, @function
local_victim:
	ret
	.size local_victim, . - local_victim

	.globl short_jumps
	.type short_jumps, @function
short_jumps:
	jb local_victim
	call local_victim
	jmp local_victim
	.size short_jumps, . - short_jumps

	.globl far_jumps
	.type far_jumps, @function
far_jumps:
	testl %edi, %edi
	jne victim
	js victim
	.if MORE
	jo victim
	.endif
	call victim
	call *%rax
	jmp *%rax
	.size far_jumps, . - far_jumps

# The operand of this mov is the distance to victim behind the byte of a call.
	.globl pretence
	.type pretence, @function
pretence:
	movl $0xe8, %eax
	.byte 0xb8
2:
	.long victim - 2b - 4
	movabsq $0x00000000e8909090, %rcx
	jmp far_jumps
	.size pretence, . - pretence

# This belongs to no function.
	call victim
	jmp local_victim

	.section .text.unlikely, "ax", @progbits
	.type far_jumps.cold, @function
far_jumps.cold:
	jmp victim
	call local_victim
	.size far_jumps.cold, . - far_jumps.cold
	.section .note.GNU-stack, "", @progbits
