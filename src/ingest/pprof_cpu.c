/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CPU profiles of gperftools, which old Go and Java runtimes write, too: words of 4
 * or 8 bytes of either byte order, then text.
 *
 *	0 3 VERSION PERIOD 0     PERIOD: us between samples
 *	COUNT N PC*N             a stack, the leaf first; how often it was seen
 *	...
 *	0 1 0                    the end
 *	00400000-00fcb000 r-xp 00000000 00:00 1234 /usr/bin/prog
 *	 0x0000006 com.example.f (source.java:06)            Java: names of the PCs
 *
 * Only Java's profiles have names; the rest is [unknown] of the module.
 */
#include <endian.h>

#include "base/map.h"
#include "base/num.h"
#include "ingest/pprof.h"

enum { N_HEAD = 5, MAX_HEAD_WORDS = 16 };

struct words {
	struct pd_span bytes;
	size_t size; /* of a word: 4 or 8 bytes */
	bool is_big_endian;
};

static size_t n_words(const struct words *w)
{
	return w->bytes.len / w->size;
}

static uint64_t word_at(const struct words *w, size_t i)
{
	const char *p = w->bytes.ptr + i * w->size;
	uint64_t x8;
	uint32_t x4;

	if (w->size == 4) {
		memcpy(&x4, p, sizeof(x4));
		return w->is_big_endian ? be32toh(x4) : le32toh(x4);
	}
	memcpy(&x8, p, sizeof(x8));
	return w->is_big_endian ? be64toh(x8) : le64toh(x8);
}

static bool find_words(struct pd_span bytes, struct words *ret_words)
{
	static const struct {
		size_t size;
		bool is_big_endian;
	} kinds[] = {{8, false}, {4, false}, {8, true}, {4, true}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct words w = {bytes, kinds[i].size, kinds[i].is_big_endian};

		if (n_words(&w) < N_HEAD + 3)
			continue;
		if (word_at(&w, 0) == 0 && word_at(&w, 1) >= 3 &&
		    word_at(&w, 1) <= MAX_HEAD_WORDS && word_at(&w, 2) <= 1 &&
		    word_at(&w, 3) >= 1 && word_at(&w, 3) <= 100000000 && word_at(&w, 4) == 0) {
			*ret_words = w;
			return true;
		}
	}
	return false;
}

bool pp_cpu_sniff(struct pd_span bytes)
{
	struct words w;

	return find_words(bytes, &w);
}

/* A name of a PC. */
struct symbol {
	struct pd_span name, file;
};

struct reading {
	const struct pd_input *in;
	struct words words;
	struct pp_costs costs;
	struct pp_maps maps;
	struct pd_map symbol_of; /* by PC: 1 + function of the builder */
	double period_ns;
};

/* "f (source.java:06)" -> "f" and "source.java". */
static struct symbol parse_symbol(struct pd_span text)
{
	size_t from = pd_span_find_last(text, '('), colon;
	struct symbol s = {.name = text, .file = pd_span_of("")};

	if (!from || from == SIZE_MAX || text.ptr[text.len - 1] != ')' ||
	    !pd_is_blank(text.ptr[from - 1]))
		return s;
	s.name = pd_span_trim(pd_span_sub(text, 0, from));
	s.file = pd_span_sub(text, from + 1, text.len - 1);
	colon = pd_span_find_last(s.file, ':');
	if (colon != SIZE_MAX)
		s.file = pd_span_sub(s.file, 0, colon);
	return s;
}

/* The text behind the samples. */
static void read_text(struct reading *r, struct pd_span text)
{
	while (text.len) {
		const char *nl = memchr(text.ptr, '\n', text.len);
		size_t len = nl ? (size_t)(nl - text.ptr) : text.len;
		struct pd_span line = pd_span_trim(pd_span_sub(text, 0, len)), fields[2];
		struct symbol symbol;
		uint64_t pc;
		uint32_t func;

		text = pd_span_sub(text, len + 1, text.len);
		if (pp_maps_add(&r->maps, line) || pd_fields(line, fields, 2) < 2 ||
		    !pd_span_starts(fields[0], "0x") || !pd_num_parse_hex(fields[0], &pc))
			continue;
		symbol = parse_symbol(fields[1]);
		func = pd_builder_func(r->costs.b, symbol.name, pd_span_of(""));
		pd_builder_set_file(r->costs.b, func, symbol.file);
		if (pd_map_insert(&r->symbol_of, pc, func) == PD_MAP_NONE)
			r->costs.failed = true;
	}
	pp_maps_sort(&r->maps);
}

static void add_sample(struct reading *r, size_t at, size_t n_pcs)
{
	double n = (double)word_at(&r->words, at);

	r->costs.values[0] = n;
	r->costs.values[1] = n * r->period_ns;
	pp_costs_begin(&r->costs);
	for (size_t i = 0; i < n_pcs; i++) {
		uint64_t pc = word_at(&r->words, at + 2 + i);
		uint32_t func = pd_map_find(&r->symbol_of, pc);

		if (func != PD_MAP_NONE)
			pp_costs_frame(&r->costs, func, false);
		else if (!i)
			pp_costs_frame(&r->costs, pp_maps_leftover(&r->maps, r->costs.b, pc), true);
	}
	pp_costs_end(&r->costs);
}

/* The end of the stack at a word, or 0 where the samples end. */
static size_t end_of(const struct words *w, size_t at)
{
	uint64_t n_pcs;

	if (n_words(w) - at < 3)
		return 0;
	n_pcs = word_at(w, at + 1);
	if (n_pcs > n_words(w) - at - 2 ||
	    (!word_at(w, at) && n_pcs == 1 && !word_at(w, at + 2)))
		return 0;
	return at + 2 + (size_t)n_pcs;
}

static void describe(struct reading *r)
{
	struct pd_builder *b = r->costs.b;
	struct pd_event *event;

	r->costs.run = pd_builder_run(b, pd_span_of(""));
	(void)pd_builder_event(b, r->costs.run, pd_span_of("samples"), PD_UNIT_SAMPLES);
	(void)pd_builder_event(b, r->costs.run, pd_span_of("cpu"), PD_UNIT_NS);
	r->costs.n_events = 2;
	for (uint32_t e = 0; e < 2; e++)
		pd_builder_set_complete(b, r->costs.run, e);
	event = pd_builder_event_at(b, r->costs.run, 1);
	if (event)
		event->period = event->quantum = r->period_ns;
}

int pp_cpu_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reading r = {.in = in, .costs.b = b};
	size_t first, at, end;
	int rc = PD_OK;

	if (!find_words(in->bytes, &r.words))
		return pd_fail(err, PD_ERR_FORMAT, "expected a CPU profile, found something else");
	r.period_ns = (double)word_at(&r.words, 3) * 1e3;
	first = 2 + (size_t)word_at(&r.words, 1);
	for (at = first; at < n_words(&r.words) && (end = end_of(&r.words, at)); at = end)
		;
	/* Names stand behind what they name. */
	if (at + 3 <= n_words(&r.words) && !word_at(&r.words, at) && word_at(&r.words, at + 1) == 1)
		read_text(&r, pd_span_sub(in->bytes, (at + 3) * r.words.size, in->bytes.len));
	else
		pd_diags_add(in->diags, PD_WARNING, "truncated", in->path, 0,
			     "expected the end of the samples, found the end of the file; what "
			     "there is was read");
	describe(&r);
	for (at = first; at < n_words(&r.words) && (end = end_of(&r.words, at)) &&
	     !pd_builder_is_failed(b); at = end) {
		if (word_at(&r.words, at) > (uint64_t)PD_COUNT_MAX)
			pd_diags_add(in->diags, PD_WARNING, "bad-sample", in->path, 0,
				     "expected a count up to 2^53, found more; sample skipped");
		else
			add_sample(&r, at, end - at - 2);
	}
	pp_costs_tell(&r.costs);
	if (r.costs.failed || r.maps.failed)
		rc = pd_fail_nomem(err);
	pp_costs_done(&r.costs);
	pp_maps_done(&r.maps);
	pd_map_done(&r.symbol_of);
	return rc;
}
