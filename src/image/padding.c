/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Padding. Contract: padding.h. Holes are small and all over the file, so that it is
 * read through a window, not page by page of a mapping.
 */
#include "image/padding.h"

#include <stdlib.h>
#include <string.h>

#include "image/file.h"
#include "io/window.h"

/* What assemblers fill holes between functions with. */
enum filler {
	FILLER_UNKNOWN, /* only zeros are told from code */
	FILLER_X86,
	FILLER_ARM64,
};

enum { LONGEST_INSN = 15 }; /* of x86 */

struct pd_hole_reader {
	struct pd_window window; /* on the bytes that sections are in */
	enum filler filler;
};

static enum filler filler_of(const struct pd_image *image)
{
	if (!strcmp(image->machine, "AArch64"))
		return FILLER_ARM64;
	if (!strcmp(image->machine, "x86-64") || !strcmp(image->machine, "i386"))
		return FILLER_X86;
	return FILLER_UNKNOWN;
}

struct pd_hole_reader *pd_hole_reader_new(const struct pd_image *image)
{
	struct pd_hole_reader *r = calloc(1, sizeof(*r));

	if (!r)
		return NULL;
	r->filler = filler_of(image);
	if (image->file)
		pd_image_file_look(image->file, &r->window);
	return r;
}

void pd_hole_reader_free(struct pd_hole_reader *r)
{
	if (r)
		pd_window_done(&r->window);
	free(r);
}

/*
 * Length of an instruction that does nothing at p, as assemblers fill holes with;
 * 0 if it is something else.
 */
static size_t nop_len(enum filler filler, const uint8_t *p, size_t n)
{
	static const uint8_t arm64_nop[] = {0x1f, 0x20, 0x03, 0xd5};
	size_t n_prefixes = 0;

	if (filler == FILLER_ARM64)
		return n >= 4 && !memcmp(p, arm64_nop, 4) ? 4 : 0;
	if (filler != FILLER_X86)
		return 0;
	if (*p == 0xcc || *p == 0x90)
		return 1;
	while (n_prefixes < n && (p[n_prefixes] == 0x66 || p[n_prefixes] == 0x2e))
		n_prefixes++;
	if (n_prefixes + 1 <= n && n_prefixes && p[n_prefixes] == 0x90)
		return n_prefixes + 1;
	if (n_prefixes + 3 > n || p[n_prefixes] != 0x0f || p[n_prefixes + 1] != 0x1f)
		return 0;
	/* The operand: none, of 1 byte or of 4, with or without a scaled index. */
	switch (p[n_prefixes + 2]) {
	case 0x00:
		return n_prefixes + 3;
	case 0x40:
		return n_prefixes + 4;
	case 0x44:
		return n_prefixes + 5;
	case 0x80:
		return n_prefixes + 7;
	case 0x84:
		return n_prefixes + 8;
	default:
		return 0;
	}
}

/* What gas fills so many bytes of x86 code with, up to its longest instruction for that. */
enum { LONGEST_NOP = 11 };
static const uint8_t x86_nops[LONGEST_NOP + 1][LONGEST_NOP] = {
	[1] = {0x90},
	[2] = {0x66, 0x90},
	[3] = {0x0f, 0x1f, 0x00},
	[4] = {0x0f, 0x1f, 0x40, 0x00},
	[5] = {0x0f, 0x1f, 0x44, 0x00, 0x00},
	[6] = {0x66, 0x0f, 0x1f, 0x44, 0x00, 0x00},
	[7] = {0x0f, 0x1f, 0x80, 0x00, 0x00, 0x00, 0x00},
	[8] = {0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	[9] = {0x66, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	[10] = {0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
	[11] = {0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0x00, 0x00, 0x00, 0x00, 0x00},
};

/* Whether a hole is what gas makes of one of its size: nearly all of a kernel's code are. */
static bool is_nops_of_gas(enum filler filler, const uint8_t *p, size_t n)
{
	if (filler != FILLER_X86 || n > 2 * LONGEST_NOP)
		return false;
	if (n > LONGEST_NOP) {
		if (memcmp(p, x86_nops[LONGEST_NOP], LONGEST_NOP))
			return false;
		p += LONGEST_NOP;
		n -= LONGEST_NOP;
	}
	return !memcmp(p, x86_nops[n], n);
}

/* Whether eight bytes are the same filler. */
static bool is_filled(enum filler filler, const uint8_t *p)
{
	uint64_t x;

	memcpy(&x, p, sizeof(x));
	return x == 0 || (x == 0xccccccccccccccccu && filler == FILLER_X86);
}

/*
 * How many of n bytes are padding from their beginning on. Where more of it follows,
 * it may stop LONGEST_INSN before the end, within the reach of an instruction.
 */
static size_t padding_len(enum filler filler, const uint8_t *bytes, size_t n, bool has_more)
{
	size_t at = 0, len;

	if (!has_more && is_nops_of_gas(filler, bytes, n))
		return n;
	while (at < n && !(has_more && n - at < LONGEST_INSN)) {
		if (n - at >= 8 && is_filled(filler, bytes + at)) { /* as most of most holes is */
			at += 8;
			continue;
		}
		len = bytes[at] ? nop_len(filler, bytes + at, n - at) : 1;
		if (!len)
			break;
		at += len < n - at ? len : n - at;
	}
	return at;
}

/* The bytes from place on that are in view, at most n, and all of few. */
static struct pd_span look(struct pd_window *w, const char *place, size_t n)
{
	size_t few = n < LONGEST_INSN ? n : LONGEST_INSN, left;

	if (!w->bytes) /* made in memory */
		return (struct pd_span){place, n};
	if (!pd_window_shows(w, place) || (size_t)(w->to - place) < few)
		pd_window_move(w, place);
	left = (size_t)(w->to - place);
	return (struct pd_span){pd_window_at(w, place), n < left ? n : left};
}

bool pd_hole_is_padding(struct pd_hole_reader *r, const struct pd_section *s, uint64_t from,
			uint64_t to)
{
	while (s->bytes && from < to) {
		struct pd_span view = look(&r->window, (const char *)s->bytes + from, to - from);
		bool has_more = view.len < to - from;
		size_t n = padding_len(r->filler, (const uint8_t *)view.ptr, view.len, has_more);

		from += n;
		if (n < view.len && (!has_more || view.len - n >= LONGEST_INSN))
			return false;
		if (!view.len) /* the file has become shorter */
			return true;
	}
	return true;
}
