/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What oprofile counted. Mailers break the line anywhere, even within the
 * number at its end:
 *
 *	Counted CLK events (clocks not
 *	halted) with a unit mask of 0x01 (mandatory) count 10
 *	0000
 */
#include "base/num.h"
#include "ingest/opreport.h"

enum { MAX_LINES = 6 }; /* of one "Counted" */

void op_reader_done(struct op_reader *r)
{
	for (uint32_t i = 0; i < OP_MAX_EVENTS; i++) {
		pd_buf_done(&r->events[i].name);
		pd_buf_done(&r->events[i].mask);
	}
	pd_buf_done(&r->heading);
	pd_lines_done(&r->lines);
}

void op_reader_set_heading(struct op_reader *r, struct pd_span heading)
{
	r->heading.len = 0;
	pd_buf_add(&r->heading, heading.ptr, heading.len);
}

/* Several events of one name are told apart by their masks. */
static bool is_repeated(const struct op_reader *r, uint32_t event)
{
	for (uint32_t i = 0; i < r->n_events; i++)
		if (i != event && r->events[i].name.len == r->events[event].name.len &&
		    !memcmp(r->events[i].name.ptr, r->events[event].name.ptr,
			    r->events[event].name.len))
			return true;
	return false;
}

/* Rounding of many rows stays far below this. */
#define WHOLE_LIST_PERCENT 99.9

void op_reader_end_run(struct op_reader *r)
{
	char percent[PD_NUM_LEN];

	for (uint32_t e = 0; e < r->n_run_events; e++) {
		if (r->percents[e] <= 0 || r->percents[e] >= WHOLE_LIST_PERCENT)
			continue;
		pd_builder_set_cut(r->builder, r->run, e);
		pd_diags_add(r->in->diags, PD_NOTE, "cut-list", r->in->path, r->lines.no,
			     "this list is cut: its rows are %s%% of the samples",
			     pd_num_fixed(r->percents[e], 1, percent));
	}
	r->n_run_events = 0;
}

void op_reader_begin_run(struct op_reader *r)
{
	struct pd_buf name = {0};

	op_reader_end_run(r);
	r->n_run_events = r->table.n_events;
	memset(r->percents, 0, sizeof(r->percents));

	r->run = pd_builder_run(r->builder, (struct pd_span){r->heading.ptr, r->heading.len});
	r->heading.len = 0;
	r->is_open = true;
	r->are_events_used = true;
	for (uint32_t i = 0; i < r->table.n_events; i++) {
		bool is_known = r->n_events == r->table.n_events;
		struct pd_event *event;
		uint32_t e;

		name.len = 0;
		if (is_known)
			pd_buf_add(&name, r->events[i].name.ptr, r->events[i].name.len);
		else
			pd_buf_add_str(&name, "samples");
		if (is_known && is_repeated(r, i))
			pd_buf_printf(&name, ":%s", r->events[i].mask.ptr);
		else if (!is_known && r->table.n_events > 1)
			pd_buf_printf(&name, " %u", i + 1);
		e = pd_builder_event(r->builder, r->run, (struct pd_span){name.ptr, name.len},
				     PD_UNIT_SAMPLES);
		event = pd_builder_event_at(r->builder, r->run, e);
		if (event && is_known)
			event->period = r->events[i].period;
	}
	pd_buf_done(&name);
}

static struct op_event *add_event(struct op_reader *r, struct pd_span name)
{
	struct op_event *e;

	if (r->are_events_used)
		r->n_events = 0;
	r->are_events_used = false;
	if (r->n_events == OP_MAX_EVENTS)
		return NULL;
	e = &r->events[r->n_events++];
	e->name.len = e->mask.len = 0;
	e->period = PD_UNKNOWN;
	pd_buf_add(&e->name, name.ptr, name.len);
	pd_buf_add_str(&e->mask, "0");
	return e;
}

static struct pd_span first_word(struct pd_span s)
{
	struct pd_span words[2];

	return pd_fields(s, words, 2) ? words[0] : pd_span_sub(s, 0, 0);
}

/* The text behind the last t in s, or empty. */
static struct pd_span behind(struct pd_span s, const char *t)
{
	struct pd_span rest = pd_span_sub(s, 0, 0);

	for (size_t at; (at = pd_span_find(s, t)) != SIZE_MAX;)
		rest = s = pd_span_sub(s, at + strlen(t), s.len);
	return rest;
}

/* Mask and period of a whole "Counted" text. */
static bool finish_event(struct op_event *e, struct pd_span text)
{
	struct pd_span count = behind(text, " count "), mask = behind(text, "unit mask of ");

	if (mask.len) {
		e->mask.len = 0;
		mask = first_word(mask);
		pd_buf_add(&e->mask, mask.ptr, mask.len);
	}
	if (!pd_num_parse(first_word(count), &e->period))
		e->period = PD_UNKNOWN;
	return count.len > 0;
}

static bool begins_other(struct pd_span line)
{
	return !line.len || pd_span_starts(line, "Counted ") || pd_span_starts(line, "CPU: ") ||
	       pd_span_find(line, "samples") != SIZE_MAX ||
	       pd_span_find(line, "|") != SIZE_MAX;
}

/* Lines below that belong to the same sentence: until its count, and digits that it lost. */
static void read_counted(struct op_reader *r, struct pd_span line)
{
	struct op_event *e = add_event(r, first_word(pd_span_sub(line, 8, line.len)));
	struct pd_buf text = {0};
	bool is_whole;

	if (!e)
		return;
	pd_buf_add(&text, line.ptr, line.len);
	is_whole = finish_event(e, (struct pd_span){text.ptr, text.len});
	for (int i = 0; i < MAX_LINES; i++) {
		const struct pd_lines before = r->lines;
		struct pd_span next;
		uint64_t digits;

		if (!pd_lines_next(&r->lines, &next))
			break;
		next = pd_span_trim(next);
		if (begins_other(next) || (is_whole && !pd_num_parse_u64(next, &digits))) {
			r->lines.next = before.next;
			r->lines.no = before.no;
			break;
		}
		if (!is_whole)
			pd_buf_add_char(&text, ' ');
		pd_buf_add(&text, next.ptr, next.len);
		is_whole = finish_event(e, (struct pd_span){text.ptr, text.len});
	}
	pd_buf_done(&text);
}

bool op_events_read(struct op_reader *r, struct pd_span line)
{
	line = pd_span_trim(line);
	if (pd_span_starts(line, "CPU: "))
		return true;
	if (pd_span_starts(line, "Profiling through timer interrupt")) {
		(void)add_event(r, pd_span_of("timer"));
		return true;
	}
	if (pd_span_starts(line, "Counted ") && pd_span_find(line, " events") != SIZE_MAX) {
		read_counted(r, line);
		return true;
	}
	return false;
}
