/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cursor over JSON (RFC 8259). Contract: json.h.
 *
 * It is more lenient than the grammar where that does no harm: numbers may begin with
 * zeros and strings may hold tabs and broken UTF-8, as some profilers write them.
 */
#include "ingest/json.h"

#include "base/num.h"

static void fail(struct pd_json *j, const char *expected)
{
	if (!j->expected)
		j->expected = expected;
}

void pd_json_init(struct pd_json *j, struct pd_span text)
{
	*j = (struct pd_json){.begin = text.ptr, .at = text.ptr, .end = text.ptr + text.len};
}

void pd_json_done(struct pd_json *j)
{
	pd_buf_done(&j->text);
}

bool pd_json_is_failed(const struct pd_json *j)
{
	return j->expected || j->failed;
}

static bool is_space(char c)
{
	if ((unsigned char)c > ' ')
		return false;
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static void skip_space(struct pd_json *j)
{
	while (j->at < j->end && is_space(*j->at))
		j->at++;
}

/* The byte to come behind blanks, or NUL at the end and after a failure. */
static char look(struct pd_json *j)
{
	if (pd_json_is_failed(j))
		return '\0';
	skip_space(j);
	return j->at < j->end ? *j->at : '\0';
}

enum pd_json_kind pd_json_peek(struct pd_json *j)
{
	char c = look(j);

	if (c == '-' || pd_is_digit(c))
		return PD_JSON_NUMBER;
	if (c == '{' || c == '[' || c == '"')
		return (enum pd_json_kind)c;
	return c >= 'a' && c <= 'z' ? PD_JSON_WORD : PD_JSON_NONE;
}

/* ---- values ---- */

/* Behind the string that begins at `at`; false and a failure if it does not end. */
static bool skip_string(struct pd_json *j)
{
	const char *p = j->at + 1;

	for (;;) {
		while (p < j->end && *p != '"' && *p != '\\')
			p++;
		if (p < j->end && *p == '"')
			break;
		if (j->end - p < 2) {
			j->at = j->end;
			fail(j, "the end of a string");
			return false;
		}
		p += 2;
	}
	j->at = p + 1;
	return true;
}

/* Most files are numbers for the most part. */
static bool is_of_number(char c)
{
	static const bool is[256] = {
		['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true,
		['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true,
		['.'] = true, ['-'] = true, ['+'] = true, ['e'] = true, ['E'] = true,
	};

	return is[(unsigned char)c];
}

/* The bytes of the number or word to come. */
static struct pd_span take_scalar(struct pd_json *j)
{
	const char *from = j->at;

	if (pd_is_alpha(*from))
		while (j->at < j->end && pd_is_alpha(*j->at))
			j->at++;
	else
		while (j->at < j->end && is_of_number(*j->at))
			j->at++;
	return (struct pd_span){from, (size_t)(j->at - from)};
}

static bool skip_scalar(struct pd_json *j)
{
	struct pd_span s = take_scalar(j);

	if (s.len && (!pd_is_alpha(s.ptr[0]) || pd_span_eq(s, "true") || pd_span_eq(s, "false") ||
		      pd_span_eq(s, "null")))
		return true;
	j->at = s.ptr + (j->at == j->end ? s.len : 0);
	fail(j, "a value");
	return false;
}

static bool skip_key(struct pd_json *j)
{
	if (look(j) != '"') {
		fail(j, "a key");
		return false;
	}
	if (!skip_string(j))
		return false;
	if (look(j) != ':') {
		fail(j, "\":\"");
		return false;
	}
	j->at++;
	return true;
}

/* Lists and objects that are open: a bit each, set for objects. */
struct nest {
	uint64_t bits[PD_JSON_DEPTH / 64];
	uint32_t n;
};

static bool is_in_object(const struct nest *nest)
{
	return nest->bits[(nest->n - 1) / 64] >> (nest->n - 1) % 64 & 1;
}

static bool enter(struct pd_json *j, struct nest *nest)
{
	uint64_t bit = UINT64_C(1) << nest->n % 64;

	if (nest->n == PD_JSON_DEPTH) {
		fail(j, "fewer lists within lists");
		return false;
	}
	nest->bits[nest->n / 64] &= ~bit;
	if (*j->at == '{')
		nest->bits[nest->n / 64] |= bit;
	nest->n++;
	j->at++;
	return true;
}

/* Behind a value: leave what ends here, up to the next value. False if that were all. */
static bool skip_to_next(struct pd_json *j, struct nest *nest)
{
	while (nest->n) {
		bool is_object = is_in_object(nest);
		char c = look(j);

		if (c == ',') {
			j->at++;
			return !is_object || skip_key(j);
		}
		if (c != (is_object ? '}' : ']')) {
			fail(j, is_object ? "\",\" or \"}\"" : "\",\" or \"]\"");
			return false;
		}
		j->at++;
		nest->n--;
	}
	return false;
}

/* In a list, up to the last of digits with nothing but commas between them: they are long. */
static void skip_digits(struct pd_json *j)
{
	const char *p = j->at;

	for (;;) {
		while (p < j->end && pd_is_digit(*p))
			p++;
		if (j->end - p < 2 || *p != ',' || !pd_is_digit(p[1]))
			return;
		j->at = ++p;
	}
}

void pd_json_skip(struct pd_json *j)
{
	struct nest nest;
	char c;

	nest.n = 0;
	j->is_first = false;
	do {
		c = look(j);
		if (c == '{' || c == '[') {
			if (!enter(j, &nest))
				return;
			if (look(j) != (c == '{' ? '}' : ']')) {
				if (c == '{' && !skip_key(j))
					return;
				continue;
			}
			j->at++;
			nest.n--;
		} else if (c == '"') {
			if (!skip_string(j))
				return;
		} else {
			if (pd_is_digit(c) && nest.n && !is_in_object(&nest))
				skip_digits(j);
			if (!c || !skip_scalar(j)) {
				fail(j, "a value");
				return;
			}
		}
		if (!skip_to_next(j, &nest))
			return;
	} while (true);
}

static bool open_value(struct pd_json *j, char c)
{
	if (look(j) != c) {
		pd_json_skip(j);
		return false;
	}
	j->at++;
	j->is_first = true;
	return true;
}

/* Whether there is one more in what is open; else it is left. */
static bool next_in(struct pd_json *j, char close)
{
	bool is_first = j->is_first;
	char c = look(j);

	j->is_first = false;
	if (c == close) {
		j->at++;
		return false;
	}
	if (!is_first) {
		if (c != ',') {
			fail(j, close == '}' ? "\",\" or \"}\"" : "\",\" or \"]\"");
			return false;
		}
		j->at++;
		c = look(j);
	}
	if (!c)
		fail(j, "a value");
	return c != '\0';
}

bool pd_json_object(struct pd_json *j)
{
	return open_value(j, '{');
}

bool pd_json_array(struct pd_json *j)
{
	return open_value(j, '[');
}

bool pd_json_item(struct pd_json *j)
{
	return next_in(j, ']');
}

bool pd_json_key(struct pd_json *j, struct pd_span *ret_key)
{
	if (!next_in(j, '}'))
		return false;
	if (*j->at != '"') {
		fail(j, "a key");
		return false;
	}
	if (!pd_json_string(j, ret_key))
		return false;
	if (look(j) != ':') {
		fail(j, "\":\"");
		return false;
	}
	j->at++;
	return true;
}

bool pd_json_fields(struct pd_json *j, struct pd_json_field *fields, size_t n)
{
	struct pd_span key;

	for (size_t i = 0; i < n; i++)
		fields[i].at = NULL;
	if (!pd_json_object(j))
		return false;
	while (pd_json_key(j, &key)) {
		for (size_t i = 0; i < n; i++)
			if (!fields[i].at && pd_span_eq(key, fields[i].key))
				fields[i].at = j->at;
		pd_json_skip(j);
	}
	return true;
}

bool pd_json_go(struct pd_json *j, const char *at)
{
	if (!at || pd_json_is_failed(j))
		return false;
	j->at = at;
	j->is_first = false;
	return true;
}

size_t pd_json_count(struct pd_json *j)
{
	const char *at = j->at;
	size_t n = 0;

	if (pd_json_array(j))
		while (pd_json_item(j)) {
			pd_json_skip(j);
			n++;
		}
	return pd_json_go(j, at) ? n : 0;
}

/* ---- strings ---- */

/* The four digits behind "\u"; UINT32_MAX if they are none. */
static uint32_t hex4(const char *p, const char *end)
{
	uint64_t x;

	if (end - p < 4 || !pd_num_parse_hex((struct pd_span){p, 4}, &x) || p[1] == 'x')
		return UINT32_MAX;
	return (uint32_t)x;
}

/* The code point of an escape's digits at *p, which moves behind them. */
static uint32_t take_unicode(const char **p, const char *end)
{
	uint32_t code = hex4(*p, end), low;

	if (code == UINT32_MAX)
		return 0xfffd;
	*p += 4;
	if (code < 0xd800 || code > 0xdfff)
		return code;
	if (code > 0xdbff || end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u')
		return 0xfffd;
	low = hex4(*p + 2, end);
	if (low < 0xdc00 || low > 0xdfff)
		return 0xfffd;
	*p += 6;
	return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

static bool is_control(uint32_t code)
{
	return code < ' ' || code == 0x7f;
}

static uint32_t take_escape(const char **p, const char *end)
{
	char c = *(*p)++;

	if (c == 'u')
		return take_unicode(p, end);
	return c && strchr("bfnrt", c) ? ' ' : (unsigned char)c < 0x80 ? (unsigned char)c : 0xfffd;
}

/* [p, end), which has an escape or a byte that needs care, into j->text. */
static void decode(struct pd_json *j, const char *p, const char *end)
{
	uint32_t code;
	size_t len;

	j->text.len = 0;
	while (p < end) {
		if (*p == '\\' && end - p > 1) {
			p++;
			code = take_escape(&p, end);
		} else {
			code = pd_utf8_decode((struct pd_span){p, (size_t)(end - p)}, &len);
			if (code == PD_UTF8_BAD)
				code = (unsigned char)*p; /* as ISO-8859-1, like lines */
			p += len;
		}
		pd_buf_add_utf8(&j->text, is_control(code) ? ' ' : code);
	}
	j->failed |= j->text.failed;
}

/* ASCII, and no control. */
static bool is_plain(char c)
{
	return (unsigned char)c >= ' ' && (unsigned char)c < 0x7f;
}

bool pd_json_string(struct pd_json *j, struct pd_span *ret_string)
{
	const char *from, *p;

	if (look(j) != '"') {
		pd_json_skip(j);
		return false;
	}
	from = p = j->at + 1;
	j->is_first = false;
	while (p < j->end && *p != '"' && *p != '\\' && is_plain(*p))
		p++;
	if (p < j->end && *p == '"') {
		j->at = p + 1;
		*ret_string = (struct pd_span){from, (size_t)(p - from)};
		return true;
	}
	if (!skip_string(j))
		return false;
	decode(j, from, j->at - 1);
	*ret_string = pd_buf_span(&j->text);
	return !j->failed;
}

/* ---- numbers ---- */

bool pd_json_number(struct pd_json *j, double *ret_x)
{
	enum { SURE_DIGITS = 15 };
	const char *p, *from;
	uint64_t x = 0;

	if (pd_json_peek(j) != PD_JSON_NUMBER) {
		pd_json_skip(j);
		return false;
	}
	j->is_first = false;
	from = j->at;
	for (p = from; p < j->end && pd_is_digit(*p) && p - from < SURE_DIGITS; p++)
		x = 10 * x + (uint64_t)(*p - '0');
	if (p > from && (p == j->end || !is_of_number(*p))) {
		j->at = p;
		*ret_x = (double)x;
		return true;
	}
	return pd_num_parse(take_scalar(j), ret_x);
}

bool pd_json_index(struct pd_json *j, uint32_t n, uint32_t *ret_i)
{
	double x;

	if (!pd_json_number(j, &x) || !(x >= 0) || x >= n || x != (uint32_t)x)
		return false;
	*ret_i = (uint32_t)x;
	return true;
}

/* ---- failures ---- */

int pd_json_check(const struct pd_json *j, struct pd_error *err)
{
	struct pd_span found = {j->at, (size_t)(j->end - j->at)};
	uint32_t line = 1;

	if (j->failed)
		return pd_fail_nomem(err);
	if (!j->expected)
		return PD_OK;
	if (!found.len)
		return pd_fail(err, PD_ERR_TRUNCATED, "expected %s, found the end of the input: "
			       "the JSON is cut", j->expected);
	for (const char *p = j->begin; p < j->at; p++)
		line += *p == '\n';
	if (!is_plain(found.ptr[0]))
		pd_fail(err, PD_ERR_FORMAT, "expected %s at byte %zu of JSON, found byte 0x%02x",
			j->expected, (size_t)(j->at - j->begin) + 1,
			(unsigned)(unsigned char)found.ptr[0]);
	else
		pd_fail(err, PD_ERR_FORMAT, "expected %s at byte %zu of JSON, found \"%c\"",
			j->expected, (size_t)(j->at - j->begin) + 1, found.ptr[0]);
	if (err && !err->line)
		err->line = line;
	return PD_ERR_FORMAT;
}
