/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels as they are booted: the image within a vmlinuz, and the symbols that
 * an image without a symbol table carries for its own messages (kallsyms).
 */
#ifndef PD_IMAGE_KERNEL_H
#define PD_IMAGE_KERNEL_H

#include "base/text.h"
#include "profdiff/image.h"

/*
 * Whether the bytes are a bzImage of x86 (also called vmlinuz), an EFI image that
 * unpacks itself (zboot), or an Image of arm64 or riscv.
 */
bool pd_vmlinuz_sniff(struct pd_span bytes);

/*
 * The kernel in such a file (gzip, xz, zstd, lzma or lz4; an Image as it is), appended
 * to ret_image: an ELF file for x86, else an Image, which is no ELF file and has
 * nothing but kallsyms to tell. Errors: UNSUPPORTED (another compression, which is
 * named; a boot protocol before 2.08), TRUNCATED, FORMAT, LIMIT, NOMEM.
 */
int pd_vmlinuz_unpack(struct pd_span bytes, const struct pd_limits *limits,
		      struct pd_buf *ret_image, struct pd_error *err) PD_MUST_USE;

/*
 * Read the kallsyms in the bytes of a kernel (ELF or Image) into image, as
 * pd_listing_read() does for /proc/kallsyms: sizes are distances, and is_approximate
 * is set. Read are the tables of Linux 4.6 and later with a relative base. Objects
 * are only among them where the kernel was built with KALLSYMS_ALL. Where an Image
 * is relocated as it boots, addresses begin at 0.
 *
 * Errors: EMPTY (no tables were found; it says what to give instead), LIMIT, NOMEM.
 */
int pd_kallsyms_read(struct pd_span kernel, const struct pd_limits *limits,
		     struct pd_image *image, struct pd_error *err) PD_MUST_USE;

#endif
