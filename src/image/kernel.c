/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels as they are booted. Contract: kernel.h.
 *
 * The header of a bzImage is described in Documentation/arch/x86/boot.rst, the one
 * of zboot in drivers/firmware/efi/libstub/zboot-header.S, the tables of kallsyms
 * in scripts/kallsyms.c and kernel/kallsyms.c of Linux.
 */
#include "image/kernel.h"

#include "image/listing.h"
#include "io/inflate.h"

/* Bytes of a file, read as its machine would. */
struct bytes {
	struct pd_span in;
	bool is_big_endian;
};

/* An unsigned number of that many bytes (at most 8); 0 where the file has ended. */
static uint64_t get(const struct bytes *b, size_t at, unsigned n_bytes)
{
	uint64_t x = 0;

	if (at > b->in.len || b->in.len - at < n_bytes)
		return 0;
	for (unsigned i = 0; i < n_bytes; i++) {
		uint64_t byte = (unsigned char)b->in.ptr[at + i];

		x |= byte << 8 * (b->is_big_endian ? n_bytes - 1 - i : i);
	}
	return x;
}

static bool has_at(struct pd_span s, size_t at, const char *text)
{
	return pd_span_starts(pd_span_sub(s, at, s.len), text);
}

/* ---- vmlinuz ---- */

enum {
	X86_SETUP_SECTS = 0x1f1,
	X86_BOOT_FLAG = 0x1fe,
	X86_HEADER = 0x202, /* "HdrS" */
	X86_VERSION = 0x206,
	X86_PAYLOAD_OFFSET = 0x248,
	X86_PAYLOAD_LENGTH = 0x24c,
	X86_HEADER_END = 0x250,
	ZBOOT_PAYLOAD_OFFSET = 8,
	ZBOOT_PAYLOAD_SIZE = 12,
	ZBOOT_HEADER_END = 64,
	IMAGE_MAGIC = 0x38,
	IMAGE_HEADER_END = 64,
};

static bool is_bzimage(struct pd_span s)
{
	return s.len >= X86_HEADER_END && has_at(s, X86_BOOT_FLAG, "\x55\xaa") &&
	       has_at(s, X86_HEADER, "HdrS");
}

static bool is_zboot(struct pd_span s)
{
	return s.len >= ZBOOT_HEADER_END && has_at(s, 0, "MZ") && has_at(s, 4, "zimg");
}

static bool is_plain_image(struct pd_span s)
{
	return s.len >= IMAGE_HEADER_END &&
	       (has_at(s, IMAGE_MAGIC, "ARM\x64") || has_at(s, IMAGE_MAGIC, "RSC\x05"));
}

bool pd_vmlinuz_sniff(struct pd_span bytes)
{
	return is_bzimage(bytes) || is_zboot(bytes) || is_plain_image(bytes);
}

/* The packed kernel; PD_ERR_TRUNCATED if it is not all there. */
static int find_payload(struct pd_span in, struct pd_span *ret_payload, struct pd_error *err)
{
	const struct bytes b = {.in = in};
	uint64_t from, len;

	if (is_zboot(in)) {
		from = get(&b, ZBOOT_PAYLOAD_OFFSET, 4);
		len = get(&b, ZBOOT_PAYLOAD_SIZE, 4);
	} else {
		uint64_t n_sectors = get(&b, X86_SETUP_SECTS, 1);

		if (get(&b, X86_VERSION, 2) < 0x208)
			return pd_fail(err, PD_ERR_UNSUPPORTED,
				       "a kernel with boot protocol %x, which does not tell where "
				       "its image is; give its vmlinux or System.map",
				       (unsigned)get(&b, X86_VERSION, 2));
		/* Offsets are from behind the boot sector and the setup code; 0 means 4. */
		from = ((n_sectors ? n_sectors : 4) + 1) * 512 + get(&b, X86_PAYLOAD_OFFSET, 4);
		len = get(&b, X86_PAYLOAD_LENGTH, 4);
	}
	if (from > in.len || in.len - from < len)
		return pd_fail(err, PD_ERR_TRUNCATED,
			       "expected a packed kernel of %llu bytes at %llu, found the end of "
			       "the file at %zu", (unsigned long long)len,
			       (unsigned long long)from, in.len);
	*ret_payload = pd_span_sub(in, from, from + len);
	return PD_OK;
}

/* What the kernel's build can pack with and profdiff does not unpack, or NULL. */
static const char *find_odd_packer(struct pd_span payload)
{
	static const struct {
		const char *magic, *name;
	} packers[] = {
		{"BZh", "bzip2"},
		{"\x89LZO", "lzo"},
		{"\x04\x22\x4d\x18", "lz4 with frames"},
	};

	for (size_t i = 0; i < sizeof(packers) / sizeof(packers[0]); i++)
		if (pd_span_starts(payload, packers[i].magic))
			return packers[i].name;
	return NULL;
}

int pd_vmlinuz_unpack(struct pd_span bytes, const struct pd_limits *limits,
		      struct pd_buf *ret_image, struct pd_error *err)
{
	struct pd_span payload = bytes;
	const char *packer;
	int rc;

	if (!is_bzimage(bytes) && !is_zboot(bytes)) {
		pd_buf_add(ret_image, bytes.ptr, bytes.len);
		return ret_image->failed ? pd_fail_nomem(err) : PD_OK;
	}
	rc = find_payload(bytes, &payload, err);
	if (rc != PD_OK)
		return rc;
	packer = find_odd_packer(payload);
	if (packer)
		return pd_fail(err, PD_ERR_UNSUPPORTED,
			       "a kernel packed with %s, which profdiff does not unpack; give its "
			       "vmlinux or System.map", packer);
	/* Behind the packed kernel stands its unpacked size. */
	return pd_inflate_first(payload, limits->inflated_bytes, ret_image, err);
}

/* ---- kallsyms: where the tables are ---- */

/*
 * Names are sequences of bytes, each of which stands for a token, as "_lock" or "a":
 *
 *	token_table   256 texts with a NUL behind each, token by token
 *	token_index   where each of them begins in the table: 256 numbers of 2 bytes
 *	names         for each symbol the number of its bytes, and these bytes; the
 *	              first character of the text is the type, as nm has it
 *	markers       where every 256th name begins, 4 bytes each (8 before Linux 4.20)
 *	offsets       of the addresses from relative_base, 4 bytes each
 *
 * All begin at multiples of the pointer's size, and stand in the order
 *
 *	offsets relative_base num_syms names markers [...] token_table token_index
 *	                                                        (Linux 4.6 to 6.3)
 *	num_syms names markers token_table token_index offsets relative_base  (6.4)
 *
 * Characters of names are tokens of their own. That of "0" to "9" are so rare a
 * text that it leads to the table, and token_index tells whether it is it; from
 * there on, each table is found by what another one says of it.
 */
enum {
	N_TOKENS = 256,
	NAMES_PER_MARKER = 256,
	MIN_MARKERS = 3,       /* fewer are not told from other numbers */
	MAX_NAME = 1024,       /* bytes; Linux has 512 */
	MAX_PLACES = 64,       /* where markers or names could be, and that are tried */
	INDEX_BYTES = 2 * N_TOKENS,
};

struct kallsyms {
	struct bytes b;
	unsigned word; /* bytes of a pointer: 4 or 8 */
	size_t table, index, markers, names, offsets, base; /* places in the file */
	unsigned marker_bytes;
	uint32_t n_markers, n;
	uint32_t n_tries; /* of MAX_PLACES */
	uint16_t tokens[N_TOKENS]; /* token_index */
};

/* A size, or a place that is as far from the table, rounded up to whole words. */
static size_t round_up(const struct kallsyms *k, size_t n)
{
	return (n + k->word - 1) / k->word * k->word;
}

static size_t align_up(const struct kallsyms *k, size_t place)
{
	size_t phase = k->table % k->word;

	return round_up(k, place + k->word - phase) + phase - k->word;
}

/* The byte behind the NUL that ends the token at that place, or SIZE_MAX. */
static size_t behind_token(struct pd_span in, size_t at)
{
	struct pd_span token = pd_span_sub(in, at, at + MAX_NAME);
	const char *end = token.len ? memchr(token.ptr, '\0', token.len) : NULL;

	return end ? (size_t)(end - in.ptr) + 1 : SIZE_MAX;
}

/* Whether token_index is at that place, for a table whose token "0" is at zero. */
static bool read_index(struct kallsyms *k, size_t index, size_t zero)
{
	size_t offset = get(&k->b, index + 2 * '0', 2), at = zero - offset;

	/* Behind the end of the file there are but zeros, and tokens are none. */
	if (offset > zero)
		return false;
	k->table = at;
	k->index = index;
	for (size_t i = 0; i < N_TOKENS; i++) {
		if (at == SIZE_MAX || get(&k->b, index + 2 * i, 2) != at - k->table)
			return false;
		k->tokens[i] = (uint16_t)(at - k->table);
		at = behind_token(k->b.in, at);
	}
	return at <= index;
}

/* token_table and token_index. Each byte is looked at a fixed number of times. */
static bool find_tokens(struct kallsyms *k)
{
	static const char digits[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
	struct pd_span in = k->b.in;
	size_t from = 0;

	for (;;) {
		const char *found = memmem(in.ptr + from, in.len - from, digits, sizeof(digits));
		size_t zero, end;

		if (!found)
			return false;
		zero = (size_t)(found - in.ptr);
		end = zero;
		for (size_t i = '0'; i < N_TOKENS && end != SIZE_MAX; i++)
			end = behind_token(in, end);
		for (size_t index = end; end != SIZE_MAX && index < end + k->word; index++)
			if (read_index(k, index, zero))
				return true;
		from = zero + 1;
	}
}

/*
 * How many markers begin at that place: 0, and then each further on than the one
 * before, by 256 names of at least a length and a type.
 */
static uint32_t count_markers(const struct kallsyms *k, size_t at, unsigned marker_bytes)
{
	const uint64_t least = NAMES_PER_MARKER * 2, most = NAMES_PER_MARKER * (MAX_NAME + 2);
	uint64_t last = 0;
	uint32_t n = 1;

	if (get(&k->b, at, marker_bytes))
		return 0;
	for (at += marker_bytes; at < k->table; at += marker_bytes) {
		uint64_t next = get(&k->b, at, marker_bytes);

		if (next < last + least || next > last + most)
			break;
		last = next;
		n++;
	}
	return n;
}

/* Whether n names begin at that place, as the markers have it, and end before them. */
static bool walk_names(const struct kallsyms *k, size_t names, uint32_t n)
{
	size_t at = names;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t marker = get(&k->b, k->markers + (size_t)(i / NAMES_PER_MARKER) *
					     k->marker_bytes, k->marker_bytes);
		uint64_t len = get(&k->b, at, 1);

		if (i % NAMES_PER_MARKER == 0 && at - names != marker)
			return false;
		at++;
		if (len & 0x80) /* a long one, in two bytes */
			len = (len & 0x7f) | get(&k->b, at++, 1) << 7;
		if (!len || at > k->markers || k->markers - at < len)
			return false;
		at += len;
	}
	return align_up(k, at) == k->markers;
}

/* num_syms and names, before the markers. The last marker is the start of at most 256 names. */
static bool find_names(struct kallsyms *k)
{
	uint64_t last = get(&k->b, k->markers + (size_t)(k->n_markers - 1) * k->marker_bytes,
			    k->marker_bytes);
	uint64_t behind = last, slack = NAMES_PER_MARKER * (MAX_NAME + 2);

	for (; behind < last + slack && behind + k->word <= k->markers; behind += k->word) {
		size_t names = k->markers - round_up(k, behind);
		uint64_t n;

		if (names < k->word)
			break;
		n = get(&k->b, names - k->word, 4);
		if ((n + NAMES_PER_MARKER - 1) / NAMES_PER_MARKER != k->n_markers)
			continue;
		if (walk_names(k, names, (uint32_t)n)) {
			k->names = names;
			k->n = (uint32_t)n;
			return true;
		}
		if (++k->n_tries >= MAX_PLACES)
			break;
	}
	return false;
}

/* The markers that are nearest before the table, and the names before them. */
static bool find_markers(struct kallsyms *k, unsigned marker_bytes)
{
	k->marker_bytes = marker_bytes;
	k->n_tries = 0;
	for (size_t at = k->table; at >= k->word && k->n_tries < MAX_PLACES;) {
		at -= k->word;
		k->n_markers = count_markers(k, at, marker_bytes);
		if (k->n_markers < MIN_MARKERS)
			continue;
		k->markers = at;
		if (find_names(k))
			return true;
		k->n_tries++;
	}
	return false;
}

/* ---- kallsyms: what they say ---- */

/*
 * The address of a symbol. Kernels whose per-CPU variables begin at 0 have these
 * as they are, and the others as negative numbers, from -1 on for the base itself.
 */
static uint64_t address_of(const struct kallsyms *k, uint32_t i, bool has_negative)
{
	uint64_t base = get(&k->b, k->base, k->word);
	uint64_t offset = get(&k->b, k->offsets + (size_t)i * 4, 4);

	if (!has_negative)
		return base + offset;
	return offset >> 31 ? base + (UINT32_MAX - offset) : offset;
}

static bool has_negative_offsets(const struct kallsyms *k)
{
	for (uint32_t i = 0; i < k->n; i++)
		if (get(&k->b, k->offsets + (size_t)i * 4, 4) >> 31)
			return true;
	return false;
}

/* Whether offsets are there: addresses of symbols ascend. */
static bool has_offsets(struct kallsyms *k, size_t offsets)
{
	size_t bytes = round_up(k, (size_t)k->n * 4);
	bool has_negative;

	if (offsets > k->b.in.len || k->b.in.len - offsets < bytes + k->word)
		return false;
	k->offsets = offsets;
	k->base = offsets + bytes;
	has_negative = has_negative_offsets(k);
	for (uint32_t i = 1; i < k->n; i++)
		if (address_of(k, i, has_negative) < address_of(k, i - 1, has_negative))
			return false;
	return address_of(k, 0, has_negative) != address_of(k, k->n - 1, has_negative);
}

static bool find_offsets(struct kallsyms *k)
{
	size_t before = round_up(k, (size_t)k->n * 4) + 2 * k->word; /* and base, num_syms */

	return has_offsets(k, align_up(k, k->index + INDEX_BYTES)) ||
	       (k->names >= before && has_offsets(k, k->names - before));
}

/* The text of the name at that place, of which *at becomes the end; false: it is too long. */
static bool expand_name(const struct kallsyms *k, size_t *at, char name[MAX_NAME], size_t *ret_len)
{
	size_t len = get(&k->b, (*at)++, 1), n = 0;

	if (len & 0x80)
		len = (len & 0x7f) | get(&k->b, (*at)++, 1) << 7;
	for (size_t i = 0; i < len; i++) {
		size_t token = get(&k->b, (*at)++, 1);
		const char *text = k->b.in.ptr + k->table + k->tokens[token];
		size_t text_len = strnlen(text, MAX_NAME);

		if (text_len >= MAX_NAME - n)
			return false;
		memcpy(name + n, text, text_len);
		n += text_len;
	}
	*ret_len = n;
	return true;
}

static int add_symbols(const struct kallsyms *k, struct pd_listing *l, struct pd_error *err)
{
	bool has_negative = has_negative_offsets(k);
	size_t at = k->names;
	int rc = PD_OK;

	for (uint32_t i = 0; i < k->n && rc == PD_OK; i++) {
		struct pd_listed_symbol s = {.address = address_of(k, i, has_negative)};
		char name[MAX_NAME];
		size_t len;

		if (!expand_name(k, &at, name, &len))
			return pd_fail(err, PD_ERR_FORMAT,
				       "expected a name in the kernel's kallsyms, found more than "
				       "%d bytes", MAX_NAME);
		if (len < 2)
			continue;
		s.type = name[0];
		s.name = (struct pd_span){name + 1, len - 1};
		rc = pd_listing_add(l, &s, err);
	}
	return rc;
}

/* Word size and byte order, of Images those of their machines. */
static void read_shape(struct kallsyms *k)
{
	bool is_elf = pd_span_starts(k->b.in, "\x7f" "ELF") && k->b.in.len > 5;

	k->word = is_elf && k->b.in.ptr[4] == 1 ? 4 : 8;
	k->b.is_big_endian = is_elf && k->b.in.ptr[5] == 2;
}

int pd_kallsyms_read(struct pd_span kernel, const struct pd_limits *limits,
		     struct pd_image *image, struct pd_error *err)
{
	struct pd_listing l = {.image = image, .limits = limits};
	struct kallsyms k = {.b.in = kernel};
	int rc;

	read_shape(&k);
	if (!kernel.len || !find_tokens(&k) ||
	    (!find_markers(&k, 4) && (k.word == 4 || !find_markers(&k, 8))) || !find_offsets(&k))
		return pd_fail(err, PD_ERR_EMPTY,
			       "a kernel without a symbol table, and no kallsyms in it that can be "
			       "read; give its vmlinux with symbols, its System.map, or the "
			       "/proc/kallsyms of a machine that runs it");
	rc = add_symbols(&k, &l, err);
	if (rc == PD_OK)
		rc = pd_listing_finish(&l, err);
	pd_listing_done(&l);
	return rc;
}
