/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line of perf script is. Contract: perf_script.h.
 *
 *	DOM Worker  2101/2102 [003] K  100.000001:   1000 cycles:u:  7f00 poll+0x1 (/lib/c.so)
 *	comm        pid  tid  cpu      time          period event    rest
 *
 * A thread may have any name, so that its end is found from what follows: the
 * first number of a process with all the rest behind it. -F leaves out fields.
 */
#include "ingest/perf_script.h"

#include "base/num.h"

enum { MAX_WORDS = 64 }; /* of a line until its event: names of threads have 15 bytes */

static bool is_hex_digit(char c)
{
	return pd_is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* How many hex digits s begins with. */
static size_t hex_len(struct pd_span s)
{
	size_t n = 0;

	while (n < s.len && is_hex_digit(s.ptr[n]))
		n++;
	return n;
}

static struct pd_span skip_blanks(struct pd_span s)
{
	size_t n = 0;

	while (n < s.len && pd_is_blank(s.ptr[n]))
		n++;
	return pd_span_sub(s, n, s.len);
}

/* The word that s begins with. */
static struct pd_span word_of(struct pd_span s)
{
	size_t n = 0;

	while (n < s.len && !pd_is_blank(s.ptr[n]))
		n++;
	return pd_span_sub(s, 0, n);
}

static struct pd_span behind(struct pd_span s, struct pd_span part)
{
	return pd_span_sub(s, (size_t)(part.ptr + part.len - s.ptr), s.len);
}

/* ---- frames ---- */

/*
 * Where the bracket opens that closes at the end of s, if a blank or nothing stands
 * before it; SIZE_MAX: there is none. Names of files may have brackets in them:
 * "(/data/app/My App-1/base.apk (deleted))".
 */
static size_t find_last_group(struct pd_span s)
{
	size_t depth = 0;

	if (!s.len || s.ptr[s.len - 1] != ')')
		return SIZE_MAX;
	for (size_t i = s.len; i-- > 0;) {
		depth += s.ptr[i] == ')';
		if (s.ptr[i] == '(' && --depth == 0)
			return !i || pd_is_blank(s.ptr[i - 1]) ? i : SIZE_MAX;
	}
	return SIZE_MAX;
}

/* Without the offset that perf adds to a name: "read+0x1f". */
static struct pd_span cut_offset(struct pd_span name)
{
	size_t n = name.len;

	while (n && is_hex_digit(name.ptr[n - 1]))
		n--;
	if (n < 3 || n == name.len || name.ptr[n - 1] != 'x' || name.ptr[n - 2] != '0' ||
	    name.ptr[n - 3] != '+')
		return name;
	return pd_span_sub(name, 0, n - 3);
}

/* "name+0x1f (module)", "name", "(module)", "name+0x1f (inlined)" */
static struct pd_script_frame frame_of(struct pd_span s)
{
	size_t at = find_last_group(s);
	struct pd_script_frame f = {.name = s, .module = {"", 0}};

	if (at != SIZE_MAX) {
		f.module = cut_offset(pd_span_sub(s, at + 1, s.len - 1));
		f.name = pd_span_trim(pd_span_sub(s, 0, at));
		/* Its module is that of the frame it was inlined into. */
		if (pd_span_eq(f.module, "inlined"))
			f.module.len = 0;
	}
	f.name = cut_offset(f.name);
	return f;
}

bool pd_script_parse_frame(struct pd_span line, struct pd_script_frame *ret_frame)
{
	enum { MIN_DIGITS = 5, INDENT = 4 }; /* at the left margin are words and numbers, too */
	struct pd_span s = skip_blanks(line);
	size_t n = hex_len(s), n_blanks = line.len - s.len;
	bool is_indented = n_blanks >= INDENT || (n_blanks && memchr(line.ptr, '\t', n_blanks));

	if (!n || n > 16 || (!is_indented && n < MIN_DIGITS) ||
	    (n < s.len && !pd_is_blank(s.ptr[n])))
		return false;
	s = skip_blanks(pd_span_sub(s, n, s.len));
	/* "insn: 48 89 e5" is below a branch. */
	if ((!s.len && !is_indented) || pd_span_starts(s, "insn:"))
		return false;
	*ret_frame = frame_of(s);
	/* '2855c05cf14a ("perf: add this")' is a commit. */
	return ret_frame->name.len || !ret_frame->module.len || ret_frame->module.ptr[0] != '"';
}

/* Whether an event is a tracepoint, whose arguments stand behind it. */
static bool is_tracepoint(struct pd_span event)
{
	size_t colon = pd_span_find(event, ":");

	if (colon == SIZE_MAX)
		return false;
	/* "cycles:uppp" is none. */
	for (size_t i = colon + 1; i < event.len; i++)
		if (!strchr("ukhHGDSIpPWeb:", event.ptr[i]))
			return true;
	return false;
}

/* Without what -F brstack, insn, uregs and addr add: "0x7f/0x80/P/-/-/0", " => 7f00 main". */
static struct pd_span cut_behind_frame(struct pd_span s)
{
	enum { MAX_TRIES = 8 }; /* brackets of a name, as each is looked back from */
	size_t arrow = pd_span_find(s, " => "), at;

	if (arrow != SIZE_MAX)
		s = pd_span_trim(pd_span_sub(s, 0, arrow));
	if (pd_span_starts(s, "[unknown] 0x"))
		return pd_span_sub(s, 0, strlen("[unknown]"));
	if (s.len && s.ptr[s.len - 1] == ')')
		return s;
	at = pd_span_find(s, ") ");
	for (int i = 0; at != SIZE_MAX; i++) {
		size_t next;

		if (find_last_group(pd_span_sub(s, 0, at + 1)) != SIZE_MAX)
			break;
		next = pd_span_find(pd_span_sub(s, at + 1, s.len), ") ");
		at = next == SIZE_MAX || i == MAX_TRIES ? SIZE_MAX : at + 1 + next;
	}
	return at == SIZE_MAX ? s : pd_span_sub(s, 0, at + 1);
}

bool pd_script_is_flat_frame(struct pd_span line)
{
	enum { END = 17 }; /* of the address; a tab or 8 blanks are before those of a chain */
	struct pd_span s = skip_blanks(line);

	return !memchr(line.ptr, '\t', line.len - s.len) && line.len - s.len + hex_len(s) <= END;
}

bool pd_script_parse_only_frame(const struct pd_script_head *head,
				struct pd_script_frame *ret_frame)
{
	enum {
		MIN_DIGITS = 8, /* of an address that stands where a tracepoint has arguments */
		WIDTH = 16,     /* of an address's column */
	};
	bool is_certain = head->tid >= 0 || pd_is_known(head->time_s);
	struct pd_span s = pd_span_trim(head->rest), word, next;
	size_t bar = pd_span_find_last(s, '|');

	/* -F data_src: "|OP LOAD|LVL L1 hit|SNP None|" stands before the address. */
	if (bar != SIZE_MAX && s.ptr[0] != '[')
		s = pd_span_trim(pd_span_sub(s, bar + 1, s.len));
	word = word_of(s);
	if (!word.len || hex_len(word) != word.len || word.len > 16 ||
	    (is_tracepoint(head->event) && word.len < MIN_DIGITS))
		return false;
	/* Numbers of -F addr and weight come first: the last one is the frame's. */
	for (;;) {
		s = skip_blanks(behind(s, word));
		next = word_of(s);
		if (!next.len || hex_len(next) != next.len)
			break;
		if (skip_blanks(behind(s, next)).len && skip_blanks(behind(s, next)).ptr[0] == '(')
			break;
		word = next;
	}
	/* "Fixes: 2855c05cf14a" is no event. */
	if (!is_certain && word.ptr + word.len - head->rest.ptr < WIDTH)
		return false;
	*ret_frame = frame_of(cut_behind_frame(s));
	return true;
}

bool pd_script_is_source_line(struct pd_span line)
{
	struct pd_span s = skip_blanks(line);
	size_t n;

	if (line.len - s.len != 2)
		return false;
	if (pd_span_ends(s, " (inlined)"))
		s.len -= strlen(" (inlined)");
	for (n = s.len; n && is_hex_digit(s.ptr[n - 1]); n--)
		;
	if (n && n < s.len && s.ptr[n - 1] == ':')
		return true;
	return s.len && s.ptr[s.len - 1] == ']' && pd_span_find_last(s, '[') != SIZE_MAX;
}

bool pd_script_is_unnamed(struct pd_span name)
{
	return !name.len || pd_span_eq(name, "[unknown]");
}

/* ---- heads ---- */

/* The words of a line, as far as they matter. */
struct words {
	struct pd_span items[MAX_WORDS];
	size_t n;
};

/* "9.000001:", seconds with their fraction. */
static bool parse_time(struct pd_span word, double *ret_s)
{
	size_t dot, n = 0;

	if (word.len < 4 || word.ptr[word.len - 1] != ':' || !pd_is_digit(word.ptr[0]))
		return false;
	word.len--;
	while (n < word.len && pd_is_digit(word.ptr[n]))
		n++;
	dot = n;
	if (n == word.len || word.ptr[n] != '.')
		return false;
	for (n++; n < word.len && pd_is_digit(word.ptr[n]); n++)
		;
	/* Microseconds or nanoseconds: what has fewer digits is another time. */
	return n == word.len && n - dot >= 7 && pd_num_parse(word, ret_s);
}

static bool parse_id(struct pd_span s, int64_t *ret_id)
{
	uint64_t x;

	if (pd_span_eq(s, "-1")) {
		*ret_id = -1;
		return true;
	}
	if (s.len > 10 || !pd_num_parse_u64(s, &x) || x > UINT32_MAX)
		return false;
	*ret_id = (int64_t)x;
	return true;
}

/* "1234" is a thread, "1234/1235" a process and a thread. */
static bool parse_task(struct pd_span word, struct pd_script_head *h)
{
	size_t slash = pd_span_find_last(word, '/');

	if (slash == SIZE_MAX)
		return parse_id(word, &h->tid);
	return parse_id(pd_span_sub(word, 0, slash), &h->pid) &&
	       parse_id(pd_span_sub(word, slash + 1, word.len), &h->tid);
}

/* "[003]" */
static bool parse_cpu(struct pd_span word, int64_t *ret_cpu)
{
	return word.len > 2 && word.ptr[0] == '[' && word.ptr[word.len - 1] == ']' &&
	       parse_id(pd_span_sub(word, 1, word.len - 1), ret_cpu);
}

/* What -F misc prints: "U", "K", "UE". */
static bool is_misc(struct pd_span word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!strchr("KUHGgMESD", word.ptr[i]))
			return false;
	return word.len && word.len <= 4;
}

/*
 * The thread before word i of a line, and what may stand between. False: there is
 * none. *ret_n: words that are the command's.
 */
static bool parse_thread(const struct words *w, size_t i, struct pd_script_head *h, size_t *ret_n)
{
	if (i && is_misc(w->items[i - 1]))
		i--;
	if (i && parse_cpu(w->items[i - 1], &h->cpu))
		i--;
	*ret_n = i;
	if (!i || !parse_task(w->items[i - 1], h)) {
		h->pid = h->tid = -1;
		return false;
	}
	*ret_n = i - 1;
	return true;
}

/* "cycles:u:", "sched:sched_switch:", "raw 0x1a8:": up to a colon with a blank behind it. */
static bool parse_event(struct pd_span s, struct pd_script_head *h)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.ptr[i] != ':' || (i + 1 < s.len && !pd_is_blank(s.ptr[i + 1])))
			continue;
		h->event = pd_span_trim(pd_span_sub(s, 0, i));
		h->rest = pd_span_sub(s, i + 1, s.len);
		return h->event.len > 0;
	}
	return false;
}

/* Whether an address and something more come next. */
static bool begins_frame(struct pd_span s)
{
	enum { MIN_DIGITS = 5 };
	struct pd_span word;

	s = skip_blanks(s);
	word = word_of(s);
	return word.len >= MIN_DIGITS && hex_len(word) == word.len && word.len < s.len;
}

/* A period and an event, both of which may be missing. */
static void parse_tail(struct pd_span s, struct pd_script_head *h)
{
	double period = PD_UNKNOWN;
	struct pd_span word;

	s = skip_blanks(s);
	h->is_record = pd_span_starts(s, "PERF_RECORD_");
	word = word_of(s);
	if (pd_num_parse_count(word, &period) &&
	    (parse_event(behind(s, word), h) || word.len == s.len)) {
		h->period = period;
	} else if (pd_is_known(period) && begins_frame(behind(s, word))) {
		h->period = period;
		h->rest = behind(s, word);
	} else if (!parse_event(s, h)) {
		h->rest = s;
	}
}

/* The name of a command: the first n words of a line with the blanks between them. */
static struct pd_span comm_of(const struct words *w, size_t n)
{
	const char *from = w->items[0].ptr;

	if (!n)
		return (struct pd_span){"", 0};
	return (struct pd_span){from, (size_t)(w->items[n - 1].ptr + w->items[n - 1].len - from)};
}

static const struct pd_script_head no_head = {
	.comm = {"", 0}, .event = {"", 0}, .pid = -1, .tid = -1, .cpu = -1,
	.time_s = PD_UNKNOWN, .period = PD_UNKNOWN, .rest = {"", 0},
};

/* Whether a word is the last of an event's name, as perf has them: no mail's "Subject:". */
static bool ends_event(struct pd_span word)
{
	if (word.len < 2 || word.ptr[word.len - 1] != ':')
		return false;
	for (size_t i = 0; i + 1 < word.len; i++)
		if (!pd_is_alpha(word.ptr[i]) && !pd_is_digit(word.ptr[i]) &&
		    !strchr("_-:./,=@?*+%{}", word.ptr[i]))
			return false;
	return true;
}

bool pd_script_is_counter(struct pd_span event)
{
	static const char *const plain[] = {"cycles", "instructions", "branches"};

	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (pd_span_eq(event, plain[i]))
			return true;
	return pd_span_find(event, ":") != SIZE_MAX || pd_span_find(event, "-") != SIZE_MAX;
}

/*
 * A line without a time: word i ends its event. A period is as wide as its column
 * (10), which tells it from the number of a thread.
 */
static enum pd_script_head_kind parse_untimed(struct pd_span line, const struct words *w,
					      size_t i, struct pd_script_head *h)
{
	enum { PERIOD_WIDTH = 10 };
	const struct pd_span *word = w->items;
	size_t first = i, n;

	*h = no_head;
	if (i && pd_span_eq(word[i - 1], "raw"))
		first = --i;
	h->event = (struct pd_span){word[first].ptr, 0};
	if (i) {
		const char *from = i > 1 ? word[i - 2].ptr + word[i - 2].len + 1 : line.ptr;

		if (word[i - 1].ptr + word[i - 1].len - from >= PERIOD_WIDTH &&
		    pd_num_parse_count(word[i - 1], &h->period))
			i--;
	}
	/* "foo bar:" is a heading, "foo cycles:u:" may be a sample. */
	if (!parse_thread(w, i, h, &n) && n &&
	    !pd_script_is_counter((struct pd_span){w->items[w->n - 1].ptr,
						   w->items[w->n - 1].len - 1}))
		return PD_SCRIPT_NONE;
	h->comm = comm_of(w, n);
	return PD_SCRIPT_LIKELY;
}

enum pd_script_head_kind pd_script_parse_head(struct pd_span line,
					      struct pd_script_head *ret_head)
{
	enum pd_script_head_kind kind = PD_SCRIPT_NONE;
	struct pd_script_head h = no_head, best = no_head;
	struct pd_span rest = line;
	struct words w = {.n = 0};

	while (w.n < MAX_WORDS && kind != PD_SCRIPT_SURE) {
		size_t i = w.n, n;

		rest = skip_blanks(rest);
		if (!rest.len)
			break;
		w.items[w.n++] = word_of(rest);
		rest = behind(rest, w.items[i]);
		if (w.items[i].ptr[w.items[i].len - 1] != ':')
			continue;
		h = no_head;
		if (parse_time(w.items[i], &h.time_s)) {
			bool has_thread = parse_thread(&w, i, &h, &n);

			h.comm = comm_of(&w, n);
			parse_tail(rest, &h);
			if (has_thread && (h.event.len || !h.rest.len || h.is_record))
				kind = PD_SCRIPT_SURE;
			else if (!kind)
				kind = PD_SCRIPT_LIKELY;
			else
				continue;
			best = h;
		} else if (!kind && ends_event(w.items[i]) && parse_untimed(line, &w, i, &h)) {
			kind = PD_SCRIPT_LIKELY;
			parse_event((struct pd_span){h.event.ptr,
						     (size_t)(line.ptr + line.len - h.event.ptr)},
				    &h);
			best = h;
		}
	}
	if (kind != PD_SCRIPT_NONE)
		*ret_head = best;
	return kind;
}
