/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf script of all ages: a line that begins a sample, and its frames from the
 * leaf on, until a blank line.
 *
 *	# cmdline : /usr/bin/perf record -F 999 -g ./simple
 *	DOM Worker  2101 [003]   100.000001:       1000 cycles:
 *		ffffffff9810aeaa commit_creds+0x2a ([kernel.kallsyms])
 *		    560b65a8aa4d take+0x1cd (inlined)
 *		    560b65a8aa4d main+0x1cd (/usr/bin/browser)
 *
 *	uname 2864 168664.856384: 10000 cycles: ffffffff9810aeaa commit_creds+0x2a ([kernel])
 *	zonesvr 16273 [004] 42055630.368972: syscalls:sys_enter_brk: brk: 0x00000000
 *
 * A sample costs its period, or 1 where none is printed. A blank line right below
 * the line that begins a sample does not end it. What lines look like is in
 * perf_script_lines.c, the sums in perf_script_sums.c.
 */
#include <stdlib.h>

#include "ingest/perf_script.h"
#include "ingest/timestamp.h"

struct reader {
	const struct pd_input *in;
	const struct pd_request *request; /* or NULL: all samples */
	struct pd_lines lines;
	struct pd_script_sums sums;
	double from_s, to_s; /* times that are wanted */
	/* The sample at hand: */
	bool is_open;
	bool is_likely;      /* it is none without frames */
	bool has_only_frame; /* of the line that began it */
	bool is_unwanted;
	bool has_period;
	uint32_t line;
	double cost, time_s;
	struct pd_buf comm, event;
	/* All samples: */
	bool has_heads;         /* not only frames */
	double first_s, last_s; /* or unknown */
	bool is_unordered;      /* several recordings: no time from the first to the last */
	bool is_in_orphans;     /* frames of no sample were told */
	const char *missing;    /* field that the request needs and a sample lacks */
	const char *missing_here; /* the same of the sample at hand, which may be none */
};

/* ---- what is wanted ---- */

static void note_time(struct reader *r, double time_s)
{
	if (!pd_is_known(time_s))
		return;
	r->is_unordered |= time_s < r->last_s;
	/* Where nothing is known yet, the comparisons are false. */
	if (!(time_s >= r->first_s))
		r->first_s = time_s;
	if (!(time_s <= r->last_s))
		r->last_s = time_s;
}

/* Parts of the time of the whole input are known only when all of it was seen. */
static void set_times(struct reader *r)
{
	const struct pd_request *q = r->request;
	struct pd_script_head h;
	struct pd_span line;
	double span;

	r->from_s = -HUGE_VAL;
	r->to_s = HUGE_VAL;
	if (!q || !(q->from > 0 || q->to > 0))
		return;
	if (!q->is_time_ratio) {
		r->from_s = q->from;
		r->to_s = q->to > 0 ? q->to : HUGE_VAL;
		return;
	}
	pd_input_lines(r->in, &r->lines);
	r->lines.diags = NULL;
	while (pd_lines_next(&r->lines, &line))
		if (pd_script_parse_head(line, &h) == PD_SCRIPT_SURE && !h.is_record)
			note_time(r, h.time_s);
	pd_lines_done(&r->lines);
	r->is_unordered = false;
	span = r->last_s - r->first_s;
	r->from_s = r->first_s + q->from * span;
	r->to_s = q->to > 0 ? r->first_s + q->to * span : HUGE_VAL;
}

/* ---- samples ---- */

static void end_sample(struct reader *r)
{
	struct pd_script_sums *s = &r->sums;
	uint32_t event;

	if (!r->is_open)
		return;
	r->is_open = false;
	if (s->is_too_deep) {
		pd_diags_add(r->in->diags, PD_WARNING, "deep-stack", r->in->path, r->line,
			     "expected at most %u frames, found more; sample skipped",
			     r->in->limits->n_frames);
		pd_script_drop_sample(s);
		return;
	}
	if (!s->n_funcs && r->is_likely)
		return;
	note_time(r, r->time_s);
	if (r->missing_here)
		r->missing = r->missing_here;
	event = pd_script_find_event(s, pd_buf_span(&r->event), r->has_period);
	if (r->is_unwanted)
		pd_script_filter_sample(s, event, r->cost);
	else
		pd_script_add_sample(s, event, pd_buf_span(&r->comm), r->cost);
}

/* Whether a line without a time is a sample, though no frames follow. */
static bool is_complete(const struct pd_script_head *h)
{
	if (h->tid < 0 || !h->event.len)
		return false;
	return h->cpu >= 0 || pd_is_known(h->period) || pd_script_is_counter(h->event);
}

static void begin_sample(struct reader *r, const struct pd_script_head *h, bool is_sure)
{
	struct pd_script_frame frame;

	end_sample(r);
	r->is_in_orphans = false;
	if (h->is_record)
		return;
	r->is_open = true;
	r->is_likely = !is_sure && !is_complete(h);
	r->line = r->lines.no;
	r->time_s = h->time_s;
	r->has_period = pd_is_known(h->period);
	r->cost = r->has_period ? h->period : 1;
	r->missing_here = NULL;
	r->is_unwanted = !pd_script_is_wanted(r->request, h, r->from_s, r->to_s, &r->missing_here);
	r->comm.len = r->event.len = 0;
	pd_buf_add(&r->comm, h->comm.ptr, h->comm.len);
	pd_buf_add(&r->event, h->event.ptr, h->event.len);
	r->has_only_frame = pd_script_parse_only_frame(h, &frame);
	if (r->has_only_frame)
		pd_script_add_frame(&r->sums, &frame);
}

static void add_frame(struct reader *r, const struct pd_script_frame *frame, bool is_flat)
{
	static const struct pd_script_head no_head = {
		.pid = -1, .tid = -1, .cpu = -1, .time_s = PD_UNKNOWN, .period = PD_UNKNOWN,
		.comm = {"", 0}, .event = {"", 0}, .rest = {"", 0},
	};

	/* With -F ip,sym,dso there are only frames. */
	if (!r->has_heads && (!r->is_open || is_flat))
		begin_sample(r, &no_head, false);
	if (!r->is_open) {
		if (!r->is_in_orphans)
			pd_diags_add(r->in->diags, PD_WARNING, "no-sample", r->in->path,
				     r->lines.no, "expected the line that begins a sample above "
				     "this frame, found none; frames skipped");
		r->is_in_orphans = true;
		return;
	}
	/* What stood there was the address of the data, of -F addr. */
	if (r->has_only_frame)
		pd_script_drop_sample(&r->sums);
	r->has_only_frame = false;
	pd_script_add_frame(&r->sums, frame);
}

/* ---- lines ---- */

/* "# os release : 4.9.93": what perf script --header adds. */
static void read_comment(struct reader *r, struct pd_builder *b, struct pd_span line)
{
	size_t colon = pd_span_find(line, ":");
	struct pd_span key = pd_span_trim(pd_span_sub(line, 1, colon));
	struct pd_span value = colon == SIZE_MAX ? pd_span_sub(line, 0, 0) :
		pd_span_trim(pd_span_sub(line, colon + 1, line.len));
	uint32_t run = r->sums.run;
	double started_s;

	if (!value.len)
		return;
	if (pd_span_eq(key, "os release"))
		pd_builder_set_kernel(b, run, value);
	else if (pd_span_eq(key, "cpudesc"))
		pd_builder_set_cpu(b, run, value);
	else if (pd_span_eq(key, "cmdline"))
		pd_builder_set_command(b, run, value);
	else if (pd_span_eq(key, "captured on") && pd_timestamp_parse(value, &started_s))
		pd_builder_set_started(b, run, started_s);
}

static bool is_comment(struct pd_span line)
{
	return line.ptr[0] == '#' && (line.len == 1 || line.ptr[1] == ' ');
}

static void read_head(struct reader *r, const struct pd_script_head *head, bool is_sure)
{
	begin_sample(r, head, is_sure);
	r->has_heads = true;
}

/* A line of a sample that nothing is known of; text at the left is of other programs. */
static void read_odd(struct reader *r, struct pd_span line)
{
	bool is_indented = line.ptr[0] == '\t' || pd_span_starts(line, "        ");

	if (r->is_open && is_indented)
		pd_diags_add(r->in->diags, PD_WARNING, "bad-line", r->in->path, r->lines.no,
			     "expected a frame, found \"%.*s\"; line skipped",
			     PD_SPAN_ARG(pd_span_trim(line)));
	else if (r->is_open && r->is_likely && !r->sums.n_funcs)
		end_sample(r);
}

static void read_line(struct reader *r, struct pd_builder *b, struct pd_span line)
{
	enum pd_script_head_kind kind;
	struct pd_script_frame frame;
	struct pd_script_head head;
	bool is_frame;

	/* Frames begin with a tab, unless a mailer made blanks of it, and nothing else does. */
	if (line.ptr[0] == '\t' && pd_script_parse_frame(line, &frame)) {
		add_frame(r, &frame, false);
		return;
	}
	if (is_comment(line)) {
		read_comment(r, b, line);
		return;
	}
	kind = pd_script_parse_head(line, &head);
	is_frame = kind != PD_SCRIPT_SURE && pd_script_parse_frame(line, &frame);
	if (is_frame && (r->is_open || (line.ptr[0] == ' ' && frame.module.len)) &&
	    (kind == PD_SCRIPT_NONE || head.tid < 0 || head.rest.len))
		add_frame(r, &frame, pd_script_is_flat_frame(line));
	else if (kind != PD_SCRIPT_NONE)
		read_head(r, &head, kind == PD_SCRIPT_SURE);
	else if (!pd_script_is_source_line(line))
		read_odd(r, line);
}

static void read_blank(struct reader *r)
{
	r->is_in_orphans = false;
	if (r->sums.n_funcs)
		end_sample(r);
}

/* ---- the input ---- */

/* Whether it is perf report, which a mail may have beside the first lines of a script. */
static bool is_report(struct pd_span line)
{
	return line.ptr[0] == '#' && (pd_span_find(line, "Overhead") != SIZE_MAX ||
				      pd_span_find(line, "# Samples:") != SIZE_MAX);
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	uint32_t n_sure = 0, n_likely = 0, n_frames = 0, n_other = 0;
	bool is_after_head = false, has_report = false;
	struct pd_script_frame frame;
	struct pd_script_head h;
	struct pd_lines lines;
	struct pd_span line;

	pd_input_lines(head, &lines);
	while (pd_lines_next(&lines, &line)) {
		enum pd_script_head_kind kind;

		if (!line.len)
			continue;
		kind = line.ptr[0] == '\t' || is_comment(line) ? PD_SCRIPT_NONE :
			pd_script_parse_head(line, &h);
		has_report |= is_report(line);
		if (kind == PD_SCRIPT_SURE) {
			n_sure++;
		} else if (is_after_head && pd_script_parse_frame(line, &frame)) {
			n_likely += frame.name.len > 0;
		} else if ((line.ptr[0] == '\t' || line.ptr[0] == ' ') &&
			   pd_script_parse_frame(line, &frame) && frame.module.len) {
			n_frames++;
		} else if (kind == PD_SCRIPT_LIKELY && pd_script_parse_only_frame(&h, &frame)) {
			n_likely += frame.name.len && (frame.module.len || h.tid >= 0);
		} else if (kind == PD_SCRIPT_LIKELY && !h.rest.len && is_complete(&h)) {
			n_likely += pd_is_known(h.period) || h.cpu >= 0;
		} else if (!is_comment(line)) {
			n_other++;
		}
		is_after_head = kind == PD_SCRIPT_LIKELY && !h.rest.len && h.event.len;
	}
	pd_lines_done(&lines);
	if (!n_sure && !n_likely)
		return n_frames > n_other ? PD_SNIFF_MAYBE : PD_SNIFF_NO;
	return has_report || (!n_frames && n_sure + n_likely < n_other) ? PD_SNIFF_MAYBE
									 : PD_SNIFF_YES;
}

static int check(const struct reader *r, struct pd_error *err)
{
	const struct pd_script_sums *s = &r->sums;

	if (s->failed == PD_ERR_LIMIT)
		return pd_fail(err, PD_ERR_LIMIT, "more %s than one input can have", s->limit);
	if (s->failed != PD_OK || r->lines.clean.failed || r->comm.failed || r->event.failed)
		return pd_fail_nomem(err);
	if (r->missing)
		return pd_fail(err, PD_ERR_MISMATCH, "its samples do not say their %s; print it "
			       "with perf script -F +%s", r->missing, r->missing);
	return PD_OK;
}

static int read_perf_script(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {
		.in = in, .request = in->request, .first_s = PD_UNKNOWN, .last_s = PD_UNKNOWN,
		.sums = {.builder = b, .limits = in->limits,
			 .wants_calls = in->request && in->request->wants_calls},
	};
	struct pd_span line;
	int rc;

	set_times(&r);
	r.sums.run = pd_builder_run(b, pd_span_of(""));
	pd_builder_set_lists_samples(b, r.sums.run);
	pd_input_lines(in, &r.lines);
	while (r.sums.failed == PD_OK && !r.missing && !pd_builder_is_failed(b) &&
	       pd_lines_next(&r.lines, &line)) {
		if (line.len)
			read_line(&r, b, line);
		else
			read_blank(&r);
	}
	end_sample(&r);
	rc = check(&r, err);
	if (rc == PD_OK) {
		pd_script_sums_tell(&r.sums);
		if (r.last_s > r.first_s && !r.is_unordered)
			pd_builder_set_duration(b, r.sums.run, round((r.last_s - r.first_s) * 1e9));
	}
	pd_lines_done(&r.lines);
	pd_script_sums_done(&r.sums);
	pd_buf_done(&r.comm);
	pd_buf_done(&r.event);
	return rc;
}

const struct pd_format pd_format_perf_script = {
	.name = "perf-script",
	.title = "perf script: samples as text, with and without callers",
	.sniff = sniff,
	.read = read_perf_script,
};
