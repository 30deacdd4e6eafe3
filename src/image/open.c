/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Opening an image, whatever it is. Contract: profdiff/image.h.
 */
#include <stdlib.h>

#include "image/dwarf.h"
#include "image/elf.h"
#include "image/file.h"
#include "image/find.h"
#include "image/kernel.h"
#include "image/listing.h"
#include "profdiff/image.h"

void pd_image_free(struct pd_image *image)
{
	struct pd_image_file *file = image ? image->file : NULL;

	if (file) {
		pd_source_close(&file->source);
		pd_source_close(&file->debug);
		pd_buf_done(&file->unpacked);
		free(file);
	}
	if (image) {
		pd_strtab_done(&image->strings);
		pd_arena_done(&image->arena);
	}
	free(image);
}

/* Symbols of the file itself, of its debug file, or of the table that a kernel carries. */
static int read_symbols(struct pd_image_file *file, struct pd_span bytes, const char *debug_path,
			const struct pd_elf_parts *parts, const struct pd_image_options *options,
			struct pd_image *image, struct pd_error *err)
{
	struct pd_error own = {0};
	int rc;

	if (parts->has_symtab)
		return pd_elf_read_symbols(bytes, options, image, err);
	if (!debug_path) {
		rc = pd_kallsyms_read(bytes, options->limits, image, &own);
		if (rc == PD_ERR_EMPTY && !file->unpacked.len) /* it is no kernel at all */
			return pd_elf_read_symbols(bytes, options, image, err);
		if (rc != PD_OK && err)
			*err = own;
		return rc;
	}
	rc = pd_source_open(debug_path, options->limits, &file->debug, err);
	return rc == PD_OK ? pd_elf_read_symbols(file->debug.bytes, options, image, err)
			   : rc;
}

/* Sums of sizes are doubles: all that an image has must be exact in them. */
static int check_sizes(const struct pd_image *image, struct pd_error *err)
{
	const uint64_t most = UINT64_C(1) << 53;
	uint64_t left = most;

	for (uint32_t i = 0; i < image->n_sections; i++) {
		if (image->sections[i].n_bytes > left)
			return pd_fail(err, PD_ERR_FORMAT, "expected sections, found more than "
				       "2^53 bytes of them: it is broken");
		left -= image->sections[i].n_bytes;
	}
	left = most;
	for (uint32_t i = 0; i < image->n_symbols; i++) {
		if (image->symbols[i].n_bytes > left)
			return pd_fail(err, PD_ERR_FORMAT, "expected symbols, found more than "
				       "2^53 bytes of them: it is broken");
		left -= image->symbols[i].n_bytes;
	}
	return PD_OK;
}

/* Whether a debug file has the build-id of the image, as far as both have one. */
static bool is_same_build(const char *path, const struct pd_image *image,
			  const struct pd_image_options *options)
{
	struct pd_image other = {0};
	struct pd_source source = {0};
	struct pd_elf_parts parts;
	bool is_same = pd_source_open(path, options->limits, &source, NULL) == PD_OK &&
		       pd_elf_sniff(source.bytes) &&
		       pd_elf_read(source.bytes, &other, &parts, NULL) == PD_OK &&
		       (!image->build_id || !other.build_id ||
			!strcmp(image->build_id, other.build_id));

	pd_strtab_done(&other.strings);
	pd_arena_done(&other.arena);
	pd_source_close(&source);
	return is_same;
}

static void note_missing(const struct pd_image *image, const struct pd_elf_parts *parts,
			 struct pd_diags *diags)
{
	if (parts->has_zstd_dwarf && !image->has_files)
		pd_diags_add(diags, PD_WARNING, "zstd-dwarf", image->path, 0,
			     "its debug sections are compressed with zstd, which this libdw does "
			     "not read: no files, no inlines; objcopy --decompress-debug-sections "
			     "makes them readable");
	else if (image->n_missing_units)
		pd_diags_add(diags, PD_WARNING, "no-dwo", image->path, 0,
			     "%u units of split DWARF are not there (.dwo files): nothing is known "
			     "of what was inlined there", image->n_missing_units);
	else if (!image->has_files)
		pd_diags_add(diags, PD_NOTE, "no-dwarf", image->path, 0,
			     "no DWARF: no files, no inlines");
}

static int read_elf(struct pd_image_file *file, struct pd_span bytes,
		    const struct pd_image_options *options, struct pd_diags *diags,
		    struct pd_image *image, struct pd_error *err)
{
	const char *folder = options->debug_dir ? options->debug_dir : "/usr/lib/debug";
	struct pd_buf debug = {0};
	const char *debug_path = NULL;
	bool is_foreign = false;
	struct pd_elf_parts parts;
	int rc = pd_elf_read(bytes, image, &parts, err);

	if (rc != PD_OK)
		return rc;
	if ((!parts.has_symtab || !parts.has_dwarf) && !file->unpacked.len &&
	    pd_debug_file_find(image->path, image->build_id, parts.debuglink,
			       parts.debuglink_crc, folder, &debug, &is_foreign)) {
		debug_path = is_same_build(debug.ptr, image, options) ? debug.ptr : NULL;
		is_foreign = !debug_path;
	} else if (is_foreign) {
		debug.len = 0; /* the place that was looked at last */
		pd_buf_add_str(&debug, parts.debuglink);
	}
	if (is_foreign)
		pd_diags_add(diags, PD_WARNING, "foreign-debug", image->path, 0,
			     "its debug file %s is of another build; not used", debug.ptr);
	if (debug_path) {
		image->debug_path = pd_arena_strndup(&image->arena, debug_path,
						     strlen(debug_path));
		rc = image->debug_path ? PD_OK : pd_fail_nomem(err);
	}
	if (rc == PD_OK)
		rc = read_symbols(file, bytes, debug_path, &parts, options, image, err);
	if (rc == PD_OK && options->detail > PD_IMAGE_SYMBOLS) {
		if (parts.has_dwarf || debug_path || options->wants_debuginfod)
			rc = pd_dwarf_read(debug_path, options, image, err);
		if (rc == PD_OK)
			note_missing(image, &parts, diags);
	}
	pd_buf_done(&debug);
	return rc;
}

/* What a vmlinuz unpacks to: an ELF file, or an image that kallsyms alone tell of. */
static int read_kernel(struct pd_image_file *file, const struct pd_image_options *options,
		       struct pd_diags *diags, struct pd_image *image, struct pd_error *err)
{
	struct pd_span bytes = pd_buf_span(&file->unpacked);

	return pd_elf_sniff(bytes) ? read_elf(file, bytes, options, diags, image, err)
				   : pd_kallsyms_read(bytes, options->limits, image, err);
}

static int read_image(struct pd_image_file *file, const struct pd_image_options *options,
		      struct pd_diags *diags, struct pd_image *image, struct pd_error *err)
{
	struct pd_span bytes = file->source.bytes;
	int rc;

	image->file_bytes = bytes.len;
	if (!bytes.len)
		return pd_fail(err, PD_ERR_EMPTY, "expected an image, found an empty file");
	if (pd_elf_sniff(bytes))
		return read_elf(file, bytes, options, diags, image, err);
	if (pd_vmlinuz_sniff(bytes)) {
		rc = pd_vmlinuz_unpack(bytes, options->limits, &file->unpacked, err);
		if (rc == PD_OK)
			rc = read_kernel(file, options, diags, image, err);
		image->file_bytes = bytes.len;
		return rc;
	}
	image->file_bytes = 0;
	if (pd_listing_sniff(bytes))
		return pd_listing_read(bytes, options->limits, image, diags, err);
	return pd_fail(err, PD_ERR_UNRECOGNISED, "expected an ELF file, a vmlinuz or a listing of "
		       "symbols (System.map, kallsyms, nm), found something else");
}

int pd_image_open(const char *path, const struct pd_image_options *options,
		  struct pd_diags *diags, struct pd_image **ret_image, struct pd_error *err)
{
	struct pd_image *image = calloc(1, sizeof(*image));
	struct pd_image_file *file = calloc(1, sizeof(*file));
	int rc = PD_OK;

	if (image)
		image->file = file;
	else
		free(file);
	if (!image || !file)
		rc = pd_fail_nomem(err);
	if (rc == PD_OK) {
		image->machine = "";
		image->path = pd_arena_strndup(&image->arena, path, strlen(path));
		rc = image->path ? pd_source_open(path, options->limits, &file->source, err)
				 : pd_fail_nomem(err);
	}
	if (rc == PD_OK)
		rc = read_image(file, options, diags, image, err);
	if (rc == PD_OK && image->strings.failed)
		rc = pd_fail_nomem(err);
	if (rc == PD_OK)
		rc = check_sizes(image, err);
	if (image && file)
		rc = pd_source_check(&file->source, rc, err);
	if (rc != PD_OK) {
		pd_image_free(image);
		return pd_wrap(err, rc, path);
	}
	*ret_image = image;
	return PD_OK;
}
