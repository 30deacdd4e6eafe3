/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of listings of symbols. Contracts: listing.h, listing_rows.h. A row is one of
 *
 *	ffffffff81000000 T _stext                          (System.map, nm)
 *	ffffffffc0300010 t ext4_find_entry	[ext4]     (/proc/kallsyms)
 *	ffffffff81000040 0000000000000123 T startup_64     (nm -S)
 *	main T b 1b                                        (nm -P, with sizes or not)
 *	main  |0000000000001139|  T  | FUNC|000000000000001b|  |.text  (nm -f sysv)
 *	                 U printf                          (nm: not defined here)
 *
 * and "inode.o:" or "lib.a[inode.o]:" stands before the rows of a file where nm
 * lists several. Rows may stand within a mail. nm --size-sort prints no addresses but
 * sizes in their place, in ascending order.
 */
#include "image/listing_rows.h"

#include "base/num.h"
#include "image/listing.h"
#include "io/lines.h"

enum {
	MIN_ADDRESS = 8,   /* digits of an address that is the first word of a row */
	SNIFFED_ROWS = 32, /* a listing begins with as many rows, or has fewer */
};

static bool is_type(struct pd_span s)
{
	return s.len == 1 && (pd_is_alpha(s.ptr[0]) || s.ptr[0] == '?' || s.ptr[0] == '-');
}

/* "name	[module]": a demangled name may have blanks, but no such word at its end. */
static void cut_module(struct pd_listed_row *row)
{
	size_t blank = pd_span_find_last(row->name, '\t');
	struct pd_span last;

	if (blank == SIZE_MAX)
		blank = pd_span_find_last(row->name, ' ');
	if (blank == SIZE_MAX)
		return;
	last = pd_span_sub(row->name, blank + 1, row->name.len);
	if (last.len < 3 || last.ptr[0] != '[' || last.ptr[last.len - 1] != ']')
		return;
	row->module = last;
	row->name = pd_span_trim(pd_span_sub(row->name, 0, blank));
}

/* "ADDRESS [SIZE] TYPE NAME": the name is the rest of the line. */
static bool parse_bsd(struct pd_span line, struct pd_listed_row *row)
{
	struct pd_span words[4];
	size_t n = pd_fields(line, words, 4), i = 1;

	if (n < 3 || words[0].len < MIN_ADDRESS || !pd_num_parse_hex(words[0], &row->address))
		return false;
	if (n == 4 && words[1].len >= MIN_ADDRESS && pd_num_parse_hex(words[1], &row->n_bytes))
		i = 2;
	if (!is_type(words[i]) || i + 1 >= n)
		return false;
	row->type = words[i].ptr[0];
	row->name = pd_span_sub(line, (size_t)(words[i + 1].ptr - line.ptr), line.len);
	cut_module(row);
	return row->name.len > 0;
}

/* The last word of *s, which loses it. */
static struct pd_span cut_last_word(struct pd_span *s)
{
	struct pd_span all = pd_span_trim(*s);
	size_t from = all.len;

	while (from > 0 && !pd_is_blank(all.ptr[from - 1]))
		from--;
	*s = pd_span_sub(all, 0, from);
	return pd_span_sub(all, from, all.len);
}

/* "NAME TYPE ADDRESS [SIZE]": the name is what is left of the line. */
static bool parse_posix(struct pd_span line, struct pd_listed_row *row)
{
	struct pd_span last = cut_last_word(&line);
	struct pd_span second = cut_last_word(&line), with_third = line;
	struct pd_span third = cut_last_word(&line), type;

	if (is_type(third) && line.len && pd_num_parse_hex(second, &row->address) &&
	    pd_num_parse_hex(last, &row->n_bytes)) {
		type = third;
		row->name = pd_span_trim(line);
	} else if (is_type(second) && third.len && pd_num_parse_hex(last, &row->address)) {
		type = second;
		row->n_bytes = 0;
		row->name = pd_span_trim(with_third);
	} else {
		return false;
	}
	row->type = type.ptr[0];
	return true;
}

/* "NAME|VALUE|CLASS|TYPE|SIZE|LINE|SECTION", with blanks around; SIZE may be missing. */
static bool parse_sysv(struct pd_span line, struct pd_listed_row *row)
{
	enum { NAME, VALUE, CLASS, TYPE, SIZE, N_FIELDS };
	struct pd_span fields[N_FIELDS];

	for (size_t i = 0; i < N_FIELDS; i++) {
		size_t bar = pd_span_find(line, "|");

		if (bar == SIZE_MAX)
			return false;
		fields[i] = pd_span_trim(pd_span_sub(line, 0, bar));
		line = pd_span_sub(line, bar + 1, line.len);
	}
	if (!fields[NAME].len || !is_type(fields[CLASS]) ||
	    !pd_num_parse_hex(fields[VALUE], &row->address) ||
	    (fields[SIZE].len && !pd_num_parse_hex(fields[SIZE], &row->n_bytes)))
		return false;
	row->type = fields[CLASS].ptr[0];
	row->name = fields[NAME];
	return true;
}

/* "U printf", or "printf U" in the format posix; a line of sysv without a value, its head. */
static bool is_undefined(struct pd_span line)
{
	struct pd_span rest = line, last = cut_last_word(&rest);
	struct pd_span words[2];

	if (pd_span_ends(line, "|*UND*") || (pd_span_starts(line, "Name ") &&
					      pd_span_ends(line, " Section")))
		return true;
	if (pd_fields(line, words, 2) < 2)
		return false;
	return (words[0].len == 1 && strchr("Uwv", words[0].ptr[0])) ||
	       (last.len == 1 && strchr("Uwv", last.ptr[0]));
}

enum pd_listed_line pd_listing_parse_line(struct pd_span line, struct pd_listed_row *ret_row)
{
	*ret_row = (struct pd_listed_row){0};
	if (parse_bsd(line, ret_row) || parse_sysv(line, ret_row) || parse_posix(line, ret_row))
		return PD_LISTED_ROW;
	if (line.len > 1 && line.ptr[line.len - 1] == ':')
		return PD_LISTED_HEADING;
	return is_undefined(line) ? PD_LISTED_UNDEFINED : PD_LISTED_ODD;
}

bool pd_listing_parse_in_mail(struct pd_span line, struct pd_listed_row *ret_row)
{
	*ret_row = (struct pd_listed_row){0};
	return parse_bsd(line, ret_row) || parse_sysv(line, ret_row);
}

/* Whether some rows stand together within other text. */
bool pd_listing_is_in_mail(struct pd_span head)
{
	enum { ENOUGH = 3, MOST_BYTES = 64 << 10 };
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_lines lines;
	struct pd_span line;
	uint32_t n = 0;

	head = pd_span_sub(head, 0, MOST_BYTES);
	if (!head.len || memchr(head.ptr, '\0', head.len))
		return false;
	pd_lines_init(&lines, head, &limits, NULL, NULL);
	while (n < ENOUGH && pd_lines_next(&lines, &line)) {
		struct pd_listed_row row;

		n = pd_listing_parse_in_mail(line, &row) ? n + 1 : 0;
	}
	pd_lines_done(&lines);
	return n == ENOUGH;
}

/* Whether the bytes begin with rows, or what stands above them. */
bool pd_listing_begins_with_rows(struct pd_span head)
{
	static const struct pd_limits limits = PD_LIMITS_DEFAULT;
	const size_t most_bytes = 16u << 10;
	struct pd_lines lines;
	struct pd_span line;
	uint32_t n_lines = 0, n_rows = 0;
	size_t end;

	/* The last line may be cut, unless it is the only one. */
	head = pd_span_sub(head, 0, most_bytes);
	end = pd_span_find_last(head, '\n');
	if (end != SIZE_MAX)
		head = pd_span_sub(head, 0, end);
	if (!head.len || memchr(head.ptr, '\0', head.len))
		return false;
	pd_lines_init(&lines, head, &limits, NULL, NULL);
	while (n_lines < SNIFFED_ROWS && pd_lines_next(&lines, &line)) {
		struct pd_listed_row row;
		enum pd_listed_line kind;

		if (!line.len)
			continue;
		kind = pd_listing_parse_line(line, &row);
		n_rows += kind == PD_LISTED_ROW;
		n_lines++;
		if (kind == PD_LISTED_ODD) {
			n_rows = 0;
			break;
		}
	}
	pd_lines_done(&lines);
	return n_rows > 0;
}

bool pd_listing_sniff(struct pd_span head)
{
	return pd_listing_begins_with_rows(head) || pd_listing_is_in_mail(head);
}
