/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texts of gperftools and of Go's runtime (?debug=1):
 *
 *	heap profile: 13: 1595680 [47130736: 2584596557304] @ heap/1048576
 *	1: 524288 [3: 1572864] @ 0x420cef 0x422151
 *	#	0x420cee	bytes.makeSlice+0x6d	/go/src/bytes/buffer.go:191
 *	#	0x422150	bytes.(*Buffer).grow+0x150	/go/src/bytes/buffer.go:144
 *
 *	goroutine profile: total 7
 *	2 @ 0x43a9e5 0x4349ca
 *
 * Objects and bytes in use, and in brackets all that were allocated. A heap is
 * sampled every so many bytes (behind the '/'; half of it for "heap"), and what
 * is printed is scaled up as pprof does: by 1 / (1 - exp(-size / rate)).
 * Frames have names in the lines below a stack, or none at all; then the leaf's
 * address is [unknown] of the module that MAPPED_LIBRARIES at the end name.
 */
#include "base/num.h"
#include "ingest/pprof.h"
#include "io/lines.h"

enum { IN_USE = 2, N_HEAP_EVENTS = 4 };

struct reading {
	const struct pd_input *in;
	struct pp_costs costs;
	struct pd_lines lines;
	struct pp_maps maps;
	struct pd_buf text; /* of the maps */
	bool is_open, is_heap, has_frames;
	bool is_pending; /* a stack's frames may follow */
	uint64_t leaf;
	bool has_leaf;
	double rate; /* bytes a sample; at most 1: all is there */
};

static const char heap_head[] = "heap profile: ";

/* "goroutine profile: total 7", "threadcreate profile: total 3": the length of the name, or 0. */
static size_t counted_len(struct pd_span line)
{
	size_t at = pd_span_find(line, " profile: total ");

	return at == SIZE_MAX || memchr(line.ptr, ' ', at) ? 0 : at;
}

bool pp_legacy_is_head(struct pd_span line)
{
	return (pd_span_starts(line, heap_head) && pd_span_find(line, "] @") != SIZE_MAX) ||
	       counted_len(line) > 0;
}

/* A stack ends: without names, all that is known is where its leaf lies. */
static void end_stack(struct reading *r)
{
	if (!r->is_pending)
		return;
	if (!r->costs.has_leaf && r->has_leaf)
		pp_costs_frame(&r->costs, pp_maps_leftover(&r->maps, r->costs.b, r->leaf), true);
	pp_costs_end(&r->costs);
	r->is_pending = false;
}

static double rate_of(struct pd_span kind)
{
	size_t slash = pd_span_find(kind, "/");
	double rate;

	if (slash == SIZE_MAX || !pd_num_parse_count(pd_span_sub(kind, slash + 1, kind.len), &rate))
		return 1;
	kind = pd_span_sub(kind, 0, slash);
	if (pd_span_eq(kind, "heap"))
		return rate / 2;
	return pd_span_starts(kind, "heap") && pd_span_ends(kind, "_v2") ? rate : 1;
}

static void add_event(struct reading *r, struct pd_span name, enum pd_unit unit)
{
	uint32_t e = pd_builder_event(r->costs.b, r->costs.run, name, unit);

	pd_builder_set_complete(r->costs.b, r->costs.run, e);
	r->costs.n_events = e + 1;
}

static void begin_run(struct reading *r, struct pd_span head)
{
	pp_costs_tell(&r->costs);
	r->is_heap = pd_span_starts(head, heap_head);
	r->costs.run = pd_builder_run(r->costs.b, pd_span_of(""));
	r->is_open = true;
	if (!r->is_heap) {
		add_event(r, pd_span_sub(head, 0, counted_len(head)), PD_UNIT_EVENTS);
		return;
	}
	add_event(r, pd_span_of("alloc_objects"), PD_UNIT_EVENTS);
	add_event(r, pd_span_of("alloc_space"), PD_UNIT_BYTES);
	add_event(r, pd_span_of("inuse_objects"), PD_UNIT_EVENTS);
	add_event(r, pd_span_of("inuse_space"), PD_UNIT_BYTES);
	r->rate = rate_of(pd_span_trim(pd_span_sub(head, pd_span_find_last(head, '@') + 1,
						   head.len)));
}

/* Takes a count and what is behind it, with blanks before each, off a line. */
static bool take_count(struct pd_span *rest, const char *behind, double *ret_x)
{
	struct pd_span s = pd_span_trim(*rest);
	size_t len = pd_num_scan(s, ret_x);

	if (!len || *ret_x < 0 || *ret_x > PD_COUNT_MAX)
		return false;
	s = pd_span_trim(pd_span_sub(s, len, s.len));
	if (!pd_span_starts(s, behind))
		return false;
	*rest = pd_span_sub(s, strlen(behind), s.len);
	return true;
}

/* Objects and bytes as they would be had all been sampled. */
static void scale(const struct reading *r, double *n, double *bytes)
{
	double factor;

	if (r->rate <= 1 || !(*n > 0) || !(*bytes > 0))
		return;
	factor = 1 / (1 - exp(-*bytes / *n / r->rate));
	*n = trunc(*n * factor);
	*bytes = trunc(*bytes * factor);
}

/* "1: 524288 [3: 1572864] @ 0x420cef", "2 @ 0x43a9e5"; false if the line is no stack. */
static bool read_stack(struct reading *r, struct pd_span line)
{
	double values[N_HEAP_EVENTS];
	struct pd_span word;
	bool ok;

	if (r->is_heap) {
		ok = take_count(&line, ":", &values[IN_USE]) &&
		     take_count(&line, "[", &values[IN_USE + 1]) &&
		     take_count(&line, ":", &values[0]) && take_count(&line, "]", &values[1]);
		line = pd_span_trim(line);
		ok = ok && pd_span_starts(line, "@");
		line = pd_span_sub(line, 1, line.len);
		if (ok) {
			scale(r, &values[0], &values[1]);
			scale(r, &values[IN_USE], &values[IN_USE + 1]);
		}
	} else {
		ok = take_count(&line, "@", &values[0]);
	}
	if (!ok)
		return false;
	end_stack(r);
	memcpy(r->costs.values, values, r->costs.n_events * sizeof(*values));
	pp_costs_begin(&r->costs);
	r->has_leaf = pd_fields(line, &word, 1) == 1;
	if (r->has_leaf) {
		size_t len = 0;

		while (len < word.len && !pd_is_blank(word.ptr[len]))
			len++;
		r->has_leaf = pd_num_parse_hex(pd_span_sub(word, 0, len), &r->leaf);
	}
	r->is_pending = true;
	return true;
}

/* "#	0x420cee	bytes.makeSlice+0x6d	/go/src/bytes/buffer.go:191". */
static void read_frame(struct reading *r, struct pd_span line)
{
	struct pd_span rest = pd_span_trim(pd_span_sub(line, 1, line.len)), address, name, file;
	size_t len = 0, tab, offset;
	uint64_t x;
	uint32_t func;

	while (len < rest.len && !pd_is_blank(rest.ptr[len]))
		len++;
	address = pd_span_sub(rest, 0, len);
	if (!r->is_pending || !pd_span_starts(address, "0x") || !pd_num_parse_hex(address, &x))
		return; /* "# labels: ...", "# runtime.MemStats" */
	name = pd_span_trim(pd_span_sub(rest, len, rest.len));
	tab = pd_span_find(name, "\t");
	file = tab == SIZE_MAX ? pd_span_of("")
			       : pd_span_trim(pd_span_sub(name, tab, name.len));
	name = pd_span_trim(pd_span_sub(name, 0, tab));
	offset = pd_span_find_last(name, '+');
	if (offset != SIZE_MAX && pd_span_starts(pd_span_sub(name, offset, name.len), "+0x"))
		name = pd_span_sub(name, 0, offset);
	if (!name.len)
		return;
	func = pd_builder_func(r->costs.b, name, pd_span_of(""));
	if (pd_span_find_last(file, ':') != SIZE_MAX)
		file = pd_span_sub(file, 0, pd_span_find_last(file, ':'));
	pd_builder_set_file(r->costs.b, func, file);
	pp_costs_frame(&r->costs, func, false);
}

/* Maps stand behind what lies there. */
static void read_maps(struct reading *r)
{
	struct pd_lines lines;
	struct pd_span line;
	bool is_there = false;

	pd_input_lines(r->in, &lines);
	lines.diags = NULL; /* they are kept when the lines are read */
	while (pd_lines_next(&lines, &line)) {
		is_there |= pd_span_starts(line, "MAPPED_LIBRARIES");
		if (is_there) {
			pd_buf_add(&r->text, line.ptr, line.len);
			pd_buf_add_char(&r->text, '\n');
		}
	}
	pd_lines_done(&lines);
	for (struct pd_span rest = pd_buf_span(&r->text); rest.len;) {
		const char *nl = memchr(rest.ptr, '\n', rest.len);

		(void)pp_maps_add(&r->maps, pd_span_sub(rest, 0, (size_t)(nl - rest.ptr)));
		rest = pd_span_sub(rest, (size_t)(nl - rest.ptr) + 1, rest.len);
	}
	pp_maps_sort(&r->maps);
}

int pp_legacy_read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reading r = {.in = in, .costs.b = b, .rate = 1};
	struct pd_span line;
	int rc = PD_OK;

	read_maps(&r);
	pd_input_lines(in, &r.lines);
	while (pd_lines_next(&r.lines, &line) && !pd_builder_is_failed(b)) {
		line = pd_span_trim(line);
		if (pp_legacy_is_head(line)) {
			end_stack(&r);
			begin_run(&r, line);
		} else if (!r.is_open || !line.len) {
			continue;
		} else if (line.ptr[0] == '#') {
			read_frame(&r, line);
		} else if (pd_span_starts(line, "MAPPED_LIBRARIES")) {
			end_stack(&r);
			r.is_open = false;
		} else if (!read_stack(&r, line)) {
			pd_diags_add(in->diags, PD_WARNING, "bad-line", in->path, r.lines.no,
				     "expected counts and a stack, found \"%.*s\"; line skipped",
				     PD_SPAN_ARG(line));
		}
	}
	end_stack(&r);
	pp_costs_tell(&r.costs);
	if (r.costs.failed || r.maps.failed || r.text.failed)
		rc = pd_fail_nomem(err);
	pd_lines_done(&r.lines);
	pp_costs_done(&r.costs);
	pp_maps_done(&r.maps);
	pd_buf_done(&r.text);
	return rc;
}
