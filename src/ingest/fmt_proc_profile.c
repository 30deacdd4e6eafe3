/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * /proc/profile, the buffer of the kernel's own profiler (profile=2 or so on its
 * command line): words of 32 bits in the byte order of the machine.
 *
 *	00000000  04 00 00 00                the step, a power of two: bytes of code a counter
 *	00000004  00 00 00 00 0d 00 00 00    ticks at _stext + 0 * step, _stext + 1 * step, ...
 *	   ...
 *	00800000  2a 00 00 00                the last counter: ticks outside of the text
 *
 * kernel/profile.c of the kernel: profile_hits() counts, read_profile() is the file. Where
 * _stext is, and what stands behind it, only the kernel's own symbols tell, so what comes
 * out is a recording of addresses relative to it.
 */
#include <stdlib.h>

#include "base/text.h"
#include "ingest/ingest.h"
#include "ingest/perfdata/bytes.h"

enum {
	WORD = 4,
	MAX_STEP = 1 << 15,
	SNIFF_WORDS = 2, /* at least: the step and one counter */
};

enum { DSO_KERNEL, DSO_OUTSIDE, N_DSOS };

static bool is_step(uint32_t x)
{
	return x && x <= MAX_STEP && !(x & (x - 1));
}

/* The step, in which byte order there is one: never in both, as its other half is 0. */
static bool parse_step(struct pd_span bytes, uint32_t *ret_step, bool *ret_swapped)
{
	for (int i = 0; i < 2 && bytes.len >= WORD; i++) {
		*ret_step = pd_perf_u32(bytes.ptr, i);
		*ret_swapped = i;
		if (is_step(*ret_step))
			return true;
	}
	return false;
}

/*
 * There is nothing to know it by but what counters look like: most code never runs,
 * and counts are small, so that they are smaller in the right byte order.
 */
static enum pd_sniff sniff(const struct pd_input *head)
{
	size_t n = head->bytes.len / WORD, n_zeros = 0;
	double sum = 0, sum_swapped = 0;
	bool is_swapped;
	uint32_t step;

	if (n < SNIFF_WORDS || !parse_step(head->bytes, &step, &is_swapped))
		return PD_SNIFF_NO;
	for (size_t i = 1; i < n; i++) {
		uint32_t x = pd_perf_u32(head->bytes.ptr + i * WORD, is_swapped);

		n_zeros += !x;
		sum += x;
		sum_swapped += __builtin_bswap32(x);
	}
	return 4 * n_zeros >= n && sum <= sum_swapped ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
}

static struct pd_count count_of(uint32_t n)
{
	return (struct pd_count){.n_samples = n, .sum = n, .sum_sq = n};
}

/* The counters that are not 0, as sites. */
static void fill_sites(struct pd_recording *r, struct pd_span words, uint32_t step,
		       bool is_swapped)
{
	size_t n = words.len / WORD;

	for (size_t i = 0; i < n; i++) {
		uint32_t x = pd_perf_u32(words.ptr + i * WORD, is_swapped);

		if (!x)
			continue;
		r->counts[r->n_sites] = count_of(x);
		r->sites[r->n_sites++] = i + 1 < n ?
			(struct pd_site){DSO_KERNEL, (uint64_t)i * step} :
			(struct pd_site){DSO_OUTSIDE, 0};
	}
}

static bool fill_recording(struct pd_recording *r, struct pd_span words, uint32_t step,
			   bool is_swapped)
{
	size_t n = 0;
	pd_str kernel = pd_strtab_intern_str(&r->strings, "[kernel.kallsyms]");

	for (size_t i = 0; i + WORD <= words.len; i += WORD)
		n += pd_perf_u32(words.ptr + i, false) != 0;
	r->dsos = pd_arena_array(&r->arena, N_DSOS, sizeof(*r->dsos));
	r->sites = pd_arena_array(&r->arena, n, sizeof(*r->sites));
	r->counts = pd_arena_array(&r->arena, n, sizeof(*r->counts));
	r->filtered = pd_arena_array(&r->arena, 1, sizeof(*r->filtered));
	r->guests = pd_arena_array(&r->arena, 1, sizeof(*r->guests));
	if (!r->dsos || !r->sites || !r->counts || !r->filtered || !r->guests)
		return false;
	r->filtered[0] = r->guests[0] = (struct pd_count){0};
	r->dsos[DSO_KERNEL] = (struct pd_dso){
		.kind = PD_DSO_KERNEL,
		.path = kernel,
		.module = kernel,
		.reference = pd_strtab_intern_str(&r->strings, "_stext"),
		.is_relative = true,
		.n_bytes = words.len / WORD * (uint64_t)step,
	};
	r->dsos[DSO_OUTSIDE] = (struct pd_dso){.kind = PD_DSO_UNKNOWN};
	r->n_dsos = N_DSOS;
	fill_sites(r, words, step, is_swapped);
	return !r->strings.failed;
}

static void tell(struct pd_recording *r, struct pd_builder *b)
{
	uint32_t run = pd_builder_run(b, pd_span_of(""));
	uint32_t event = pd_builder_event(b, run, pd_span_of("ticks"), PD_UNIT_TICKS);
	struct pd_event *e = pd_builder_event_at(b, run, event);
	double total = 0;

	for (uint32_t i = 0; i < r->n_sites; i++)
		total += (double)r->counts[i].n_samples;
	if (e) {
		e->total = total;
		e->n_samples = total;
	}
	pd_builder_take_recording(b, run, r);
}

/* Ticks have neither a task nor a time. */
static bool wants_some(const struct pd_request *q)
{
	return q && (q->n_pids || q->n_tids || q->n_cpus || q->n_comms || q->from > 0 ||
		     q->to > 0);
}

static int read_proc_profile(const struct pd_input *in, struct pd_builder *b,
			     struct pd_error *err)
{
	struct pd_span words = pd_span_sub(in->bytes, WORD, in->bytes.len);
	struct pd_recording *r;
	bool is_swapped;
	uint32_t step;

	if (!parse_step(in->bytes, &step, &is_swapped))
		return pd_fail(err, PD_ERR_FORMAT, "expected the step of /proc/profile, a power of "
			       "two up to %d in its first 4 bytes, found none", MAX_STEP);
	if (wants_some(in->request))
		return pd_fail(err, PD_ERR_MISMATCH, "it holds no single samples: --comms, --pid, "
			       "--tid, --cpu and --time need a recording");
	if (words.len % WORD)
		pd_diags_add(in->diags, PD_WARNING, "cut", in->path, 0,
			     "the file ends within a counter; the last of its whole ones is taken "
			     "for that of ticks outside of the text");
	r = calloc(1, sizeof(*r));
	if (!r)
		return pd_fail_nomem(err);
	if (!fill_recording(r, words, step, is_swapped)) {
		pd_recording_free(r);
		return pd_fail_nomem(err);
	}
	if (!r->n_sites) {
		pd_recording_free(r);
		return pd_fail(err, PD_ERR_EMPTY, "expected ticks, found counters that are all 0");
	}
	tell(r, b);
	return PD_OK;
}

const struct pd_format pd_format_proc_profile = {
	.name = "proc-profile",
	.title = "/proc/profile: the kernel's buffer, with its symbols (-k)",
	.is_binary = true,
	.sniff = sniff,
	.read = read_proc_profile,
};
