/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * perf.data, as perf record writes it: a header, records of samples and of what was
 * mapped where, and features (perfdata/file.h). "perf record -o DIR --threads" or
 * "--kcore" make a folder: DIR/data is such a file, DIR/data.0, DIR/data.1, ... are
 * records alone, and belong to it.
 *
 * The records are read twice: for all that decides what an address is (order.h,
 * machine.h), then for the samples (counter.h). What comes out has no names of
 * functions yet: analysis/symbolize.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/num.h"
#include "ingest/ingest.h"
#include "ingest/perfdata/assemble.h"
#include "io/source.h"

/* The file, and those beside it in a folder. */
struct reading {
	const struct pd_input *in;
	struct pd_perf_file file;
	struct pd_perf_order order;
	struct pd_perf_machine machine;
	struct pd_perf_counter counter;
	struct pd_perf_kept kept;
	struct pd_recording *recording;
	struct pd_source *others; /* records alone */
	uint32_t n_others;
	uint64_t position; /* records of earlier files in this pass, in bytes */
	bool is_folder;
};

enum pass { PASS_SCAN, PASS_COUNT };

static enum pd_sniff sniff(const struct pd_input *head)
{
	return pd_perf_is_file(head->bytes) ? PD_SNIFF_YES : PD_SNIFF_NO;
}

static void done(struct reading *r)
{
	pd_perf_file_done(&r->file);
	pd_perf_order_done(&r->order);
	pd_perf_machine_done(&r->machine);
	pd_perf_counter_done(&r->counter);
	pd_perf_kept_done(&r->kept);
	pd_recording_free(r->recording);
	for (uint32_t i = 0; i < r->n_others; i++)
		pd_source_close(&r->others[i]);
	free(r->others);
}

/* Open data.0, data.1, ... of a folder. */
static int open_others(struct reading *r, struct pd_error *err)
{
	struct stat st;
	int rc = PD_OK;

	r->is_folder = stat(r->in->path, &st) == 0 && S_ISDIR(st.st_mode);
	while (r->is_folder && rc == PD_OK) {
		struct pd_source *others;
		char *path;

		if (asprintf(&path, "%s/data.%u", r->in->path, r->n_others) < 0)
			return pd_fail_nomem(err);
		if (access(path, F_OK) != 0) {
			free(path);
			break;
		}
		others = realloc(r->others, ((size_t)r->n_others + 1) * sizeof(*others));
		if (!others) {
			rc = pd_fail_nomem(err);
		} else {
			r->others = others;
			others[r->n_others] = (struct pd_source){0};
			rc = pd_source_open(path, r->in->limits, &others[r->n_others], err);
			r->n_others += rc == PD_OK;
		}
		free(path);
	}
	return rc;
}

static void tell_end(struct reading *r, const struct pd_perf_stream *s)
{
	if (s->end == PD_PERF_END_WHOLE)
		return;
	r->recording->is_truncated = true;
	if (s->end == PD_PERF_END_CUT)
		pd_diags_add(r->in->diags, PD_WARNING, "perf-cut", r->in->path, 0,
			     "the recording ends within a record; that one is left out");
	else
		pd_diags_add(r->in->diags, PD_WARNING, "perf-corrupt", r->in->path, 0,
			     "a record cannot be read, at byte %zu of the records; the rest is "
			     "left out", (size_t)s->position);
}

static int read_records(struct reading *r, enum pass pass, struct pd_span records,
			struct pd_error *err)
{
	const struct pd_request *request = r->in->request;
	struct pd_perf_stream s;
	int rc;

	pd_perf_stream_init(&s, records, r->in->limits);
	s.is_swapped = r->file.is_swapped;
	s.is_pipe = r->file.is_pipe;
	s.position = r->position;
	s.progress = request ? request->progress : NULL;
	if (pass == PASS_SCAN) {
		pd_progress_expect(s.progress, records.len);
		rc = pd_perf_order_scan(&r->order, &r->file, &s, err);
	} else {
		rc = pd_perf_counter_run(&r->counter, &s, err);
	}
	if (rc == PD_OK && pass == PASS_SCAN)
		tell_end(r, &s);
	r->position = s.position;
	pd_perf_stream_done(&s);
	return rc;
}

static int read_all(struct reading *r, enum pass pass, struct pd_error *err)
{
	int rc;

	r->position = 0;
	rc = read_records(r, pass, r->file.records, err);
	for (uint32_t i = 0; i < r->n_others && rc == PD_OK; i++)
		rc = read_records(r, pass, r->others[i].bytes, err);
	return rc;
}

/* What was odd about the samples. */
static void tell_odd(const struct reading *r)
{
	const struct pd_perf_counter *c = &r->counter;
	struct pd_diags *diags = r->in->diags;
	const char *path = r->in->path;

	if (r->file.is_truncated && !r->file.is_pipe)
		pd_diags_add(diags, PD_WARNING, "perf-unfinished", path, 0,
			     "the recorder did not finish this file, or its end is missing; "
			     "all whole records are read");
	if (c->n_unknown)
		pd_diags_add(diags, PD_WARNING, "perf-unknown-id", path, 0,
			     "%llu samples have an id that is of no event; they are left out",
			     (unsigned long long)c->n_unknown);
	if (c->n_short)
		pd_diags_add(diags, PD_WARNING, "perf-short", path, 0,
			     "%llu samples are shorter than their fields; they are left out",
			     (unsigned long long)c->n_short);
	if (r->recording->n_lost_records)
		pd_diags_add(diags, PD_WARNING, "perf-lost", path, 0,
			     "the kernel lost %llu records: the recorder was too slow",
			     (unsigned long long)r->recording->n_lost_records);
	if (r->recording->n_throttled)
		pd_diags_add(diags, PD_NOTE, "perf-throttled", path, 0,
			     "the kernel throttled sampling %llu times",
			     (unsigned long long)r->recording->n_throttled);
}

static int copy_text(struct pd_recording *r, const char *text, const char **ret_text,
		     struct pd_error *err)
{
	if (!text)
		return PD_OK;
	*ret_text = pd_arena_strndup(&r->arena, text, strlen(text));
	return *ret_text ? PD_OK : pd_fail_nomem(err);
}

/* What the features say, and where a folder has the kernel's symbols. */
static int describe(struct reading *r, struct pd_error *err)
{
	const struct pd_perf_features *x = &r->file.features;
	struct pd_recording *to = r->recording;
	int rc = copy_text(to, x->arch, &to->arch, err);

	if (rc == PD_OK)
		rc = copy_text(to, x->version, &to->perf_version, err);
	if (rc == PD_OK)
		rc = copy_text(to, x->hostname, &to->hostname, err);
	to->n_cpus = x->n_cpus;
	to->n_cpus_online = x->n_cpus_online;
	to->n_lost_records = r->order.n_lost_records;
	to->n_throttled = r->order.n_throttled;
	to->is_truncated |= r->file.is_truncated;
	if (rc == PD_OK && r->is_folder) {
		char *path = pd_arena_printf(&to->arena, "%s/kcore_dir", r->in->path);

		if (!path)
			rc = pd_fail_nomem(err);
		else if (access(path, F_OK) == 0)
			to->kcore_dir = path;
	}
	return rc;
}

static void tell_event(struct reading *r, struct pd_builder *b, uint32_t run, uint32_t i)
{
	uint32_t in_file = r->kept.of_file[i];
	const struct pd_perf_event *event = &r->file.events.items[in_file];
	struct pd_buf name = {0};
	struct pd_event *e;
	uint32_t id;

	pd_perf_event_name(event, &name);
	id = pd_builder_event(b, run, pd_buf_span(&name), pd_perf_event_unit(event));
	pd_buf_done(&name);
	e = pd_builder_event_at(b, run, id);
	if (!e)
		return;
	e->total = (double)r->kept.totals[i].sum;
	e->n_samples = (double)r->kept.totals[i].n_samples;
	if (pd_perf_has(&event->attr, PD_PERF_FREQ))
		e->frequency_hz = (double)event->attr.period;
	else
		e->period = (double)event->attr.period;
	if (r->order.has_lost)
		e->n_lost = (double)r->order.n_lost_samples;
}

static void tell(struct reading *r, struct pd_builder *b)
{
	const struct pd_perf_features *x = &r->file.features;
	const struct pd_perf_order *o = &r->order;
	uint32_t run = pd_builder_run(b, (struct pd_span){"", 0});

	for (uint32_t i = 0; i < r->kept.n; i++)
		tell_event(r, b, run, i);
	if (x->release)
		pd_builder_set_kernel(b, run, pd_span_of(x->release));
	if (x->cpu)
		pd_builder_set_cpu(b, run, pd_span_of(x->cpu));
	if (x->command)
		pd_builder_set_command(b, run, pd_span_of(x->command));
	if (o->first <= o->last) {
		pd_builder_set_duration(b, run, (double)(o->last - o->first));
		if (x->has_clock)
			pd_builder_set_started(b, run, ((double)x->wall_ns - (double)x->clock_ns +
							(double)o->first) / 1e9);
	}
	pd_builder_take_recording(b, run, r->recording);
	r->recording = NULL;
}

static int read_samples(struct reading *r, struct pd_error *err)
{
	static const struct pd_request all = {0};
	const struct pd_request *request = r->in->request ? r->in->request : &all;
	int rc = read_all(r, PASS_SCAN, err);

	if (rc != PD_OK)
		return rc;
	pd_perf_order_sort(&r->order);
	rc = pd_perf_machine_run(&r->machine, &r->order, r->file.is_swapped, err);
	if (rc == PD_OK)
		rc = pd_perf_counter_init(&r->counter, &r->file.events, &r->order, &r->machine,
					  request, err);
	if (rc == PD_OK)
		rc = read_all(r, PASS_COUNT, err);
	if (rc != PD_OK)
		return rc;
	pd_perf_dsos_use_build_ids(&r->machine.dsos, &r->file.features);
	return pd_perf_assemble(r->recording, &r->counter, r->file.is_swapped, r->in->limits,
				&r->kept, err);
}

static int read_perf_data(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct reading r = {.in = in, .recording = calloc(1, sizeof(*r.recording))};
	int rc;

	if (!r.recording)
		return pd_fail_nomem(err);
	pd_perf_machine_init(&r.machine, &r.recording->strings);
	rc = pd_perf_file_open(in->bytes, &r.file, err);
	if (rc == PD_OK)
		rc = open_others(&r, err);
	if (rc == PD_OK)
		rc = read_samples(&r, err);
	if (rc == PD_OK)
		rc = describe(&r, err);
	if (rc == PD_OK)
		tell_odd(&r);
	if (rc == PD_OK && !r.kept.n)
		rc = pd_fail(err, PD_ERR_EMPTY, "expected samples, found a recording without any");
	if (rc == PD_OK)
		tell(&r, b);
	done(&r);
	return rc;
}

const struct pd_format pd_format_perf_data = {
	.name = "perf-data",
	.title = "perf record",
	.is_binary = true,
	.sniff = sniff,
	.read = read_perf_data,
};
