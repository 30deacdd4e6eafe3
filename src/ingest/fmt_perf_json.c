/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf data convert --to-json: every sample with its frames, the leaf first.
 *
 *	{"linux-perf-json-version": 1,
 *	 "headers": {"os-release": "6.1.0", "cpu-desc": "...", "cmdline": ["perf", ...], ...},
 *	 "samples": [
 *	  {"timestamp": 45367541205840, "pid": 5415, "tid": 5415, "comm": "prog",
 *	   "callchain": [
 *	    {"ip": "0x556018841154", "symbol": "leaf", "dso": "prog"},
 *	    {"ip": "0x7f4fe21d524a"}]}]}
 *
 * perf writes neither event nor period, so that each sample is 1, and samples of several
 * events cannot be told apart. Times are in ns. Of tracepoints, their fields follow behind
 * the members that are read here, so that the first member of a name is perf's.
 */
#include <inttypes.h>

#include "ingest/json.h"
#include "ingest/perf_script.h"

struct reader {
	const struct pd_input *in;
	struct pd_builder *b;
	struct pd_json json;
	struct pd_script_sums sums;
	struct pd_buf comm, name; /* of the sample and frame at hand */
	uint32_t event;
	uint64_t n_read, n_samples; /* those that were there, and could be read */
	double from_s, to_s;    /* times that are wanted */
	double first_s, last_s; /* of all samples, or unknown */
	const char *missing;    /* field that the request needs and a sample lacks */
};

enum { TIME, PID, TID, CPU, COMM, CHAIN, N_SAMPLE };

static void get_text(struct reader *r, const char *at, struct pd_buf *out)
{
	struct pd_span s;

	out->len = 0;
	if (pd_json_go(&r->json, at) && pd_json_string(&r->json, &s))
		pd_buf_add(out, s.ptr, s.len);
}

static double get_number(struct reader *r, const char *at)
{
	double x;

	return pd_json_go(&r->json, at) && pd_json_number(&r->json, &x) ? x : PD_UNKNOWN;
}

static int64_t get_id(struct reader *r, const char *at)
{
	double x = get_number(r, at);

	return x >= 0 && x <= INT32_MAX ? (int64_t)x : -1;
}

/* ---- samples ---- */

static void read_frame(struct reader *r)
{
	struct pd_span key, s, none = {"", 0};
	struct pd_script_frame frame = {none, none};
	bool has_name = false;

	/* The name is kept, as the module may need the place of the string read last. */
	r->name.len = 0;
	if (pd_json_object(&r->json)) {
		while (pd_json_key(&r->json, &key)) {
			bool is_name = !has_name && pd_span_eq(key, "symbol");

			if (!is_name && !pd_span_eq(key, "dso")) {
				pd_json_skip(&r->json);
			} else if (!pd_json_string(&r->json, &s)) {
				continue;
			} else if (is_name) {
				pd_buf_add(&r->name, s.ptr, s.len);
				has_name = true;
			} else {
				frame.module = s;
			}
		}
	}
	frame.name = pd_span_trim(pd_buf_span(&r->name));
	if (pd_span_eq(frame.module, "[unknown]"))
		frame.module = none;
	if (!pd_json_is_failed(&r->json))
		pd_script_add_frame(&r->sums, &frame);
}

static void end_sample(struct reader *r, const struct pd_script_head *h)
{
	struct pd_script_sums *s = &r->sums;

	if (s->is_too_deep) {
		pd_diags_add(r->in->diags, PD_WARNING, "deep-stack", r->in->path, 0,
			     "sample %" PRIu64 ": expected at most %u frames, found more; "
			     "sample skipped", r->n_read, r->in->limits->n_frames);
		pd_script_drop_sample(s);
		return;
	}
	/* Where nothing is known yet, the comparisons are false. */
	if (pd_is_known(h->time_s) && !(h->time_s >= r->first_s))
		r->first_s = h->time_s;
	if (pd_is_known(h->time_s) && !(h->time_s <= r->last_s))
		r->last_s = h->time_s;
	r->n_samples++;
	if (pd_script_is_wanted(r->in->request, h, r->from_s, r->to_s, &r->missing))
		pd_script_add_sample(s, r->event, h->comm, 1);
	else
		pd_script_filter_sample(s, r->event, 1);
}

static void read_sample(struct reader *r)
{
	struct pd_json_field f[N_SAMPLE] = {
		[TIME] = {.key = "timestamp"}, [PID] = {.key = "pid"},   [TID] = {.key = "tid"},
		[CPU] = {.key = "cpu"},        [COMM] = {.key = "comm"},
		[CHAIN] = {.key = "callchain"},
	};
	struct pd_script_head h = {.period = PD_UNKNOWN};
	bool is_object = pd_json_fields(&r->json, f, N_SAMPLE);
	const char *behind = r->json.at;

	r->n_read++;
	if (pd_json_is_failed(&r->json))
		return;
	if (!is_object) {
		pd_diags_add(r->in->diags, PD_WARNING, "bad-sample", r->in->path, 0,
			     "sample %" PRIu64 ": expected an object, found something else; "
			     "sample skipped", r->n_read);
		return;
	}
	h.time_s = get_number(r, f[TIME].at) * 1e-9;
	h.pid = get_id(r, f[PID].at);
	h.tid = get_id(r, f[TID].at);
	h.cpu = get_id(r, f[CPU].at);
	get_text(r, f[COMM].at, &r->comm);
	h.comm = pd_buf_span(&r->comm);
	if (pd_json_go(&r->json, f[CHAIN].at) && pd_json_array(&r->json))
		while (pd_json_item(&r->json))
			read_frame(r);
	if (!pd_json_is_failed(&r->json))
		end_sample(r, &h);
	(void)pd_json_go(&r->json, behind);
}

/* Parts of the time of the whole input are known only when all of it was seen. */
static void set_times(struct reader *r, const char *samples)
{
	const struct pd_request *q = r->in->request;
	struct pd_json_field time = {.key = "timestamp"};
	double first = PD_UNKNOWN, last = PD_UNKNOWN;
	const char *behind;

	r->from_s = -HUGE_VAL;
	r->to_s = HUGE_VAL;
	if (!q || !(q->from > 0 || q->to > 0))
		return;
	if (!q->is_time_ratio) {
		r->from_s = q->from;
		r->to_s = q->to > 0 ? q->to : HUGE_VAL;
		return;
	}
	if (!pd_json_go(&r->json, samples) || !pd_json_array(&r->json))
		return;
	while (pd_json_item(&r->json)) {
		(void)pd_json_fields(&r->json, &time, 1);
		behind = r->json.at;
		first = fmin(first, get_number(r, time.at) * 1e-9);
		last = fmax(last, get_number(r, time.at) * 1e-9);
		(void)pd_json_go(&r->json, behind);
	}
	r->from_s = first + q->from * (last - first);
	if (q->to > 0)
		r->to_s = first + q->to * (last - first);
}

/* ---- headers ---- */

/* How many events perf record was told to count, as far as its options show. */
static uint32_t count_events(struct reader *r, const char *at)
{
	bool is_event = false, is_in_terms = false;
	struct pd_span s;
	uint32_t n = 0;

	if (!pd_json_go(&r->json, at) || !pd_json_array(&r->json))
		return 0;
	while (pd_json_item(&r->json)) {
		if (!pd_json_string(&r->json, &s))
			continue;
		if (!is_event && (pd_span_eq(s, "-e") || pd_span_eq(s, "--event"))) {
			is_event = true;
			continue;
		}
		if (!is_event && !pd_span_starts(s, "--event="))
			continue;
		is_event = false;
		n++;
		for (size_t i = 0; i < s.len; i++) {
			is_in_terms ^= s.ptr[i] == '/';
			n += s.ptr[i] == ',' && !is_in_terms;
		}
	}
	return n;
}

static void read_command(struct reader *r, const char *at)
{
	struct pd_span s;

	r->name.len = 0;
	if (!pd_json_go(&r->json, at) || !pd_json_array(&r->json))
		return;
	while (pd_json_item(&r->json)) {
		if (!pd_json_string(&r->json, &s))
			continue;
		if (r->name.len)
			pd_buf_add_char(&r->name, ' ');
		pd_buf_add(&r->name, s.ptr, s.len);
	}
	pd_builder_set_command(r->b, r->sums.run, pd_buf_span(&r->name));
	if (count_events(r, at) > 1)
		pd_diags_add(r->in->diags, PD_WARNING, "several-events", r->in->path, 0,
			     "several events were counted, and perf does not say which of them "
			     "a sample is of; all are added up");
}

static void read_headers(struct reader *r, const char *at)
{
	enum { KERNEL, CPU_NAME, COMMAND, N };
	struct pd_json_field f[N] = {
		[KERNEL] = {.key = "os-release"}, [CPU_NAME] = {.key = "cpu-desc"},
		[COMMAND] = {.key = "cmdline"},
	};

	if (!pd_json_go(&r->json, at) || !pd_json_fields(&r->json, f, N))
		return;
	get_text(r, f[KERNEL].at, &r->name);
	pd_builder_set_kernel(r->b, r->sums.run, pd_buf_span(&r->name));
	get_text(r, f[CPU_NAME].at, &r->name);
	pd_builder_set_cpu(r->b, r->sums.run, pd_buf_span(&r->name));
	read_command(r, f[COMMAND].at);
}

/* ---- the input ---- */

static enum pd_sniff sniff(const struct pd_input *head)
{
	struct pd_json_field f = {.key = "linux-perf-json-version"};
	struct pd_json j;

	pd_json_init(&j, head->bytes);
	(void)pd_json_fields(&j, &f, 1);
	pd_json_done(&j);
	return f.at ? PD_SNIFF_YES : PD_SNIFF_NO;
}

static int check(const struct reader *r, struct pd_error *err)
{
	const struct pd_script_sums *s = &r->sums;
	struct pd_error cut = {0};
	int rc = pd_json_check(&r->json, &cut);

	if (s->failed == PD_ERR_LIMIT)
		return pd_fail(err, PD_ERR_LIMIT, "more %s than one input can have", s->limit);
	if (s->failed != PD_OK || r->comm.failed || r->name.failed || rc == PD_ERR_NOMEM)
		return pd_fail_nomem(err);
	if (r->missing)
		return pd_fail(err, PD_ERR_MISMATCH, "its samples do not say their %s, which perf "
			       "data convert writes only where it was recorded", r->missing);
	if (rc != PD_OK && !r->n_samples)
		return pd_json_check(&r->json, err);
	if (rc != PD_OK)
		pd_diags_add(r->in->diags, PD_WARNING, "cut", r->in->path, cut.line,
			     "%s; read up to there", cut.msg);
	return PD_OK;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reader r = {
		.in = in, .b = b, .first_s = PD_UNKNOWN, .last_s = PD_UNKNOWN,
		.sums = {.builder = b, .limits = in->limits, .has_modules = true},
	};
	struct pd_json_field root[] = {{.key = "headers"}, {.key = "samples"}};
	int rc;

	r.sums.run = pd_builder_run(b, pd_span_of(""));
	pd_builder_set_lists_samples(b, r.sums.run);
	r.event = pd_script_find_event(&r.sums, pd_span_of(""), false);
	pd_json_init(&r.json, in->bytes);
	(void)pd_json_fields(&r.json, root, 2);
	/* The samples may be cut: begin again at what there is. */
	if (root[1].at)
		r.json.expected = NULL;
	read_headers(&r, root[0].at);
	set_times(&r, root[1].at);
	if (root[1].at)
		r.json.expected = NULL;
	if (pd_json_go(&r.json, root[1].at) && pd_json_array(&r.json))
		while (r.sums.failed == PD_OK && !r.missing && !pd_builder_is_failed(b) &&
		       pd_json_item(&r.json))
			read_sample(&r);
	rc = check(&r, err);
	if (rc == PD_OK) {
		pd_script_sums_tell(&r.sums);
		if (r.last_s > r.first_s)
			pd_builder_set_duration(b, r.sums.run, round((r.last_s - r.first_s) * 1e9));
	}
	pd_json_done(&r.json);
	pd_script_sums_done(&r.sums);
	pd_buf_done(&r.comm);
	pd_buf_done(&r.name);
	return rc;
}

const struct pd_format pd_format_perf_json = {
	.name = "perf-json",
	.title = "perf data convert --to-json: samples with their callers",
	.sniff = sniff,
	.read = read,
};
