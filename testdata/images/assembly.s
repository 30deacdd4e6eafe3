# SPDX-License-Identifier: GPL-3.0-or-later
#
# What compilers never write: functions without a type, or without a size, and one
# that moves from section to section (MOVED=1). Only data is in here, so that each
# machine takes it.
	.ifndef MOVED
	.set MOVED, 0
	.endif

	.text
	.globl typeless
typeless:
	.long 0x11111111, 0x22222222, 0x33333333
	.size typeless, 12

	.globl sizeless
	.type sizeless, %function
sizeless:
	.long 0x44444444

	.globl typed
	.type typed, %function
typed:
	.long 0x55555555, 0x66666666
	.size typed, 8

# A zero-size FUNC at the place of a sized one takes neither its name nor its size.
	.globl aa
	.type aa, %function
aa:
	.globl sized_alias
	.type sized_alias, %function
sized_alias:
	.long 0x12341234
	.size sized_alias, 4

# Bytes that no symbol names.
	.long 0x77777777, 0x01020304

	.if MOVED
	.section .init.text, "ax", %progbits
	.endif
	.globl setup
	.type setup, %function
setup:
	.long 0x08080808, 0x09090909, 0x0a0a0a0a, 0x0b0b0b0b
	.size setup, 16

	.data
	.globl table
	.type table, %object
table:
	.long 1, 2, 3, 4, 5
	.size table, 20
	.section .note.GNU-stack, "", %progbits
