/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Instructions beside one another. Contract: annotate.h.
 *
 * Those with equal keys are aligned first. In what is left between two of them, those
 * with the same mnemonic are one that was changed:
 *
 *   mov  %rax,%rbx        mov  %rcx,%rbx       same
 *   add  $0x10,%rbx       add  $0x18,%rbx      changed
 *   call foo                                   removed
 *                         call bar             added
 */
#include <stdlib.h>

#include "analysis/annotate.h"
#include "base/align.h"

static void add_line(struct pd_annotated_part *part, enum pd_line_op op, uint32_t base,
		     uint32_t next)
{
	part->lines[part->n_lines++] = (struct pd_annotated_line){op, {base, next}};
}

static uint64_t *keys_of(const struct pd_insns *code, bool wants_mnemonics)
{
	uint64_t *keys = malloc((code->n + (size_t)1) * sizeof(*keys));

	for (uint32_t i = 0; i < code->n && keys; i++)
		keys[i] = wants_mnemonics ? code->items[i].mnemonic : code->items[i].key;
	return keys;
}

/* The instructions [from, to) of each side have none that is the same. */
static bool add_gap(struct pd_annotated_part *part, const uint64_t *const mnemonics[2],
		    const uint32_t from[2], const uint32_t to[2], uint32_t *partners)
{
	uint32_t n = to[0] - from[0], k = from[1];

	if (!pd_align(mnemonics[0] + from[0], n, mnemonics[1] + from[1], to[1] - from[1],
		      partners))
		return false;
	for (uint32_t i = 0; i < n; i++) {
		if (partners[i] == PD_ALIGN_NONE) {
			add_line(part, PD_LINE_REMOVED, from[0] + i, PD_NO_INDEX);
			continue;
		}
		while (k < from[1] + partners[i])
			add_line(part, PD_LINE_ADDED, PD_NO_INDEX, k++);
		add_line(part, PD_LINE_CHANGED, from[0] + i, k++);
	}
	while (k < to[1])
		add_line(part, PD_LINE_ADDED, PD_NO_INDEX, k++);
	return true;
}

static bool add_lines(struct pd_annotated_part *part, const uint32_t *partners,
		      const uint64_t *const mnemonics[2], uint32_t *scratch)
{
	uint32_t from[2] = {0, 0}, to[2];

	for (uint32_t i = 0; i < part->code[0].n; i++) {
		if (partners[i] == PD_ALIGN_NONE)
			continue;
		to[0] = i;
		to[1] = partners[i];
		if (!add_gap(part, mnemonics, from, to, scratch))
			return false;
		add_line(part, PD_LINE_SAME, i, partners[i]);
		from[0] = i + 1;
		from[1] = partners[i] + 1;
	}
	to[0] = part->code[0].n;
	to[1] = part->code[1].n;
	return add_gap(part, mnemonics, from, to, scratch);
}

/* There on both sides. */
static bool align(struct pd_annotated_part *part)
{
	const struct pd_insns *base = &part->code[0], *next = &part->code[1];
	uint64_t *keys[2] = {keys_of(base, false), keys_of(next, false)};
	uint64_t *mnemonics[2] = {keys_of(base, true), keys_of(next, true)};
	uint32_t *partners = calloc(2 * (size_t)base->n + 1, sizeof(*partners));
	bool ok = keys[0] && keys[1] && mnemonics[0] && mnemonics[1] && partners &&
		  pd_align(keys[0], base->n, keys[1], next->n, partners) &&
		  add_lines(part, partners, (const uint64_t *const *)mnemonics,
			    partners + base->n);

	for (int s = 0; s < 2; s++) {
		free(keys[s]);
		free(mnemonics[s]);
	}
	free(partners);
	return ok;
}

int pd_annotate_align(struct pd_annotation *a, struct pd_annotated_part *part,
		      struct pd_error *err)
{
	const struct pd_insns *code = part->code;

	part->lines = pd_arena_array(&a->arena, (size_t)code[0].n + code[1].n + 1,
				     sizeof(*part->lines));
	if (!part->lines)
		return pd_fail_nomem(err);
	part->is_same_code = part->names[0] && part->names[1] && code[0].n == code[1].n &&
			     code[0].hash == code[1].hash;
	if (part->names[0] && part->names[1])
		return align(part) ? PD_OK : pd_fail_nomem(err);
	for (uint32_t i = 0; i < code[0].n; i++)
		add_line(part, a->n_sides > 1 ? PD_LINE_REMOVED : PD_LINE_SAME, i, PD_NO_INDEX);
	for (uint32_t i = 0; i < code[1].n; i++)
		add_line(part, PD_LINE_ADDED, PD_NO_INDEX, i);
	return PD_OK;
}
