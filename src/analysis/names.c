/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names. Suffixes: gcc's clones and partitions, clang's .llvm. and
 * -funique-internal-linkage-names, the kernel's CFI jump tables; DESIGN 8 has
 * the list.
 */
#include "analysis/names.h"

#include <stdint.h>

struct pd_span pd_module_base_name(struct pd_span s)
{
	return pd_span_behind_last(s, '/');
}

static struct pd_span cut_end(struct pd_span s, const char *suffix)
{
	return pd_span_ends(s, suffix) ? pd_span_sub(s, 0, s.len - strlen(suffix)) : s;
}

/* "[kernel.kallsyms]", "[kernel.kallsyms]_text", "[kernel]", a path of a vmlinux, ... */
static bool is_kernel(struct pd_span s, struct pd_span base)
{
	return pd_span_starts(s, "[kernel.kallsyms]") || pd_span_starts(s, "[kernel.vmlinux]") ||
	       pd_span_eq(s, "[kernel]") || pd_span_eq(s, "kallsyms") ||
	       pd_span_eq(base, "vmlinux") || pd_span_starts(base, "vmlinux-") ||
	       pd_span_starts(base, "vmlinux.") || pd_span_starts(base, "vmlinuz-") ||
	       pd_span_eq(base, "vmlinuz") || pd_span_eq(base, "[kernel.kallsyms]");
}

/* Bracketed names that are no kernel modules. */
static bool is_special(struct pd_span s)
{
	static const char *const names[] = {"[vdso]", "[vsyscall]", "[unknown]", "[heap]",
					    "[stack]", "[anon]", "[hypervisor]"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (pd_span_eq(s, names[i]))
			return true;
	return false;
}

/* "ext4.ko.xz" -> "ext4": where a name is no module's, all of it. */
static struct pd_span cut_ko(struct pd_span base)
{
	struct pd_span s = cut_end(cut_end(cut_end(cut_end(base, ".gz"), ".xz"), ".zst"), ".debug");

	return pd_span_ends(s, ".ko") ? cut_end(s, ".ko") : base;
}

struct pd_span pd_module_normal(struct pd_span s)
{
	struct pd_span base, module;

	s = cut_end(s, " (deleted)");
	base = pd_module_base_name(s);
	if (is_kernel(s, base))
		return pd_span_of("vmlinux");
	module = cut_ko(base);
	if (module.len < base.len)
		return module;
	if (s.len > 2 && s.ptr[0] == '[' && s.ptr[s.len - 1] == ']' && !is_special(s) &&
	    !memchr(s.ptr, ' ', s.len))
		return pd_span_sub(s, 1, s.len - 1);
	return s;
}

/* Length without a run of digits at the end. */
static size_t cut_digits(struct pd_span s)
{
	size_t n = s.len;

	while (n && pd_is_digit(s.ptr[n - 1]))
		n--;
	return n;
}

/* Length of s without its last suffix; s.len if it has none, or nothing else. */
static size_t cut_suffix(struct pd_span s)
{
	static const char *const bare[] = {".cfi", ".cold"};
	static const char *const numbered[] = {".llvm", ".__uniq", ".cold", ".part", ".constprop",
					       ".isra", ".lto_priv"};
	size_t n = cut_digits(s);

	for (size_t i = 0; i < sizeof(bare) / sizeof(bare[0]); i++)
		if (pd_span_ends(s, bare[i]) && s.len > strlen(bare[i]))
			return s.len - strlen(bare[i]);
	/* Now the form ".word.N", or ".N" alone; "memcpy@GLIBC_2.14" has a version. */
	if (n == s.len || n < 2 || s.ptr[n - 1] != '.' || memchr(s.ptr, '@', s.len))
		return s.len;
	s.len = n - 1;
	for (size_t i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++)
		if (pd_span_ends(s, numbered[i]) && s.len > strlen(numbered[i]))
			return s.len - strlen(numbered[i]);
	return s.len;
}

/* "::h0123456789abcdef", Rust's legacy hash. */
static size_t cut_rust_hash(struct pd_span s)
{
	const size_t n = 3 + 16;

	if (s.len <= n || memcmp(s.ptr + s.len - n, "::h", 3) != 0)
		return s.len;
	for (size_t i = s.len - 16; i < s.len; i++)
		if (!pd_is_digit(s.ptr[i]) && (s.ptr[i] < 'a' || s.ptr[i] > 'f'))
			return s.len;
	return s.len - n;
}

/* " [clone .cold]", as demanglers write a suffix. */
static size_t cut_clone(struct pd_span s)
{
	size_t from = pd_span_find_last(s, '[');

	if (!pd_span_ends(s, "]") || from == SIZE_MAX || from < 2 || s.ptr[from - 1] != ' ' ||
	    !pd_span_starts(pd_span_sub(s, from, s.len), "[clone ."))
		return s.len;
	return from - 1;
}

static struct pd_span cut_all(struct pd_span s)
{
	for (;;) {
		size_t n = cut_suffix(s);

		if (n == s.len)
			n = cut_clone(s);
		if (n == s.len)
			n = cut_rust_hash(s);
		if (n == s.len)
			return s;
		s.len = n;
	}
}

/*
 * Drop the digits between marker and end, from the word within on:
 * "{lambda(int)#2}" -> "{lambda(int)#}".
 */
static bool drop_numbers(struct pd_span s, const char *within, char marker, char end,
			 struct pd_buf *out)
{
	size_t at = pd_span_find(s, within);

	if (at == SIZE_MAX)
		return false;
	out->len = 0;
	pd_buf_add(out, s.ptr, at);
	for (size_t i = at; i < s.len; i++) {
		size_t j = i + 1;

		pd_buf_add_char(out, s.ptr[i]);
		if (s.ptr[i] != marker)
			continue;
		while (j < s.len && pd_is_digit(s.ptr[j]))
			j++;
		if (j < s.len && s.ptr[j] == end)
			i = j - 1;
	}
	return !out->failed;
}

/*
 * Whether a name may be a variant's at all: each form of suffix, hash and number
 * has one of these. Most names have none.
 */
static bool may_be_variant(struct pd_span s)
{
	static const bool is_telling[256] = {['.'] = true, [']'] = true, ['{'] = true,
					     [':'] = true, ['G'] = true};

	for (size_t i = 0; i < s.len; i++)
		if (is_telling[(unsigned char)s.ptr[i]])
			return true;
	return false;
}

struct pd_span pd_name_family(struct pd_span s, struct pd_buf *buf)
{
	/* Folded stacks mark kernel, jitted and inlined frames behind the name. */
	bool is_marked = s.len > 4 && s.ptr[s.len - 1] == ']' && s.ptr[s.len - 3] == '[' &&
			 s.ptr[s.len - 4] == '_';
	struct pd_span mark = is_marked ? pd_span_sub(s, s.len - 4, s.len) : pd_span_of("");
	struct pd_span cut;

	if (!may_be_variant(s))
		return s;
	cut = cut_all(pd_span_sub(s, 0, s.len - mark.len));
	if (drop_numbers(cut, "{lambda", '#', '}', buf) ||
	    drop_numbers(cut, "_GLOBAL__N_", '_', '_', buf))
		pd_buf_add(buf, mark.ptr, mark.len);
	else if (!is_marked || cut.len + mark.len == s.len)
		return is_marked ? s : cut;
	else {
		buf->len = 0;
		pd_buf_add(buf, cut.ptr, cut.len);
		pd_buf_add(buf, mark.ptr, mark.len);
	}
	return buf->failed ? s : (struct pd_span){buf->ptr, buf->len};
}

bool pd_name_is_idle(struct pd_span s)
{
	/* Names, and with a "*" what names begin with. */
	static const char *const idle[] = {
		"acpi_idle*",	    "acpi_processor_idle",  "acpi_safe_halt",	"amd_e400_idle",
		"apm_cpu_idle",	    "arch_cpu_idle*",	    "c1e_idle",		"cpu_do_idle",
		"cpu_idle",	    "cpu_idle_loop",	    "cpu_idle_poll",	"cpuidle_*",
		"default_idle*",    "do_idle",		    "intel_idle*",	"mwait_idle*",
		"native_halt",	    "native_safe_halt",	    "poll_idle",	"pv_native_halt",
		"pv_native_safe_halt", "snooze_loop",	    "tdx_safe_halt",	"xen_safe_halt",
	};
	struct pd_buf buf = {0};
	bool found = false;

	s = pd_name_family(s, &buf);
	if (pd_span_ends(s, "_[k]"))
		s.len -= strlen("_[k]");
	for (size_t i = 0; i < sizeof(idle) / sizeof(idle[0]) && !found; i++) {
		size_t n = strlen(idle[i]) - 1;

		if (idle[i][n] == '*')
			found = s.len >= n && !memcmp(s.ptr, idle[i], n);
		else
			found = pd_span_eq(s, idle[i]);
	}
	pd_buf_done(&buf);
	return found;
}
