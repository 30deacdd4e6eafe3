/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes, given to the reader of images, with all that is asked of images. What
 * is made of them must keep the promises of sizes: an image has not changed against
 * itself, each byte of a section went somewhere, and each symbol is in one row.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/callers.h"
#include "base/num.h"

enum { N_CALLEES = 3 }; /* functions whose callers are asked for */

static void expect(bool is_kept)
{
	if (!is_kept)
		__builtin_trap();
}

static bool is_same(double x, double y)
{
	return !(x < y) && !(x > y);
}

/* All bytes of a section went somewhere; none did if nothing has changed. */
static void check_account(const struct pd_size_account *a, bool has_changed)
{
	const double terms[] = {a->grown, a->shrunk, a->added, a->gone,
				a->objects, a->padding, a->unnamed};
	double sum = 0;

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		expect(has_changed || is_same(terms[i], 0));
		sum += terms[i];
	}
	expect(is_same(sum, a->n_bytes[1] - a->n_bytes[0]));
}

/* A row is as large as its symbols are together, which know that they are in it. */
static void check_row(const struct pd_sizes *sizes, uint32_t no)
{
	const struct pd_size_row *row = &sizes->rows[no];

	expect(row->n_parts > 0 && row->status == PD_SIZE_SAME);
	expect(is_same(pd_size_delta(row->n_bytes), 0));
	for (uint32_t side = 0; side < 2; side++) {
		const struct pd_image *image = sizes->sides[side].images[0];
		double sum = 0;

		for (uint32_t i = 0; i < row->n_parts; i++) {
			const struct pd_size_part *part = &sizes->parts[row->first_part + i];
			uint32_t symbol = part->symbols[side];

			expect(symbol < image->n_symbols);
			expect(is_same(part->n_bytes[side],
				       (double)image->symbols[symbol].n_bytes));
			expect(sizes->rows_of[side][0][symbol] == no);
			sum += part->n_bytes[side];
		}
		expect(is_same(row->n_bytes[side], sum));
	}
}

static void check_sizes(const struct pd_sizes *sizes)
{
	const struct pd_image *image = sizes->sides[0].images[0];

	for (uint32_t i = 0; i < sizes->n_rows; i++)
		check_row(sizes, i);
	for (uint32_t i = 0; i < image->n_symbols; i++)
		expect((image->symbols[i].kind == PD_SYMBOL_FUNCTION ||
			image->symbols[i].kind == PD_SYMBOL_OBJECT) ==
		       (sizes->rows_of[0][0][i] != PD_NO_INDEX));
	for (uint32_t i = 0; i < sizes->n_accounts; i++)
		check_account(&sizes->accounts[i], false);
	expect(!sizes->n_inlines);
}

static void find_callers(const struct pd_sizes *sizes)
{
	for (uint32_t i = 0, n = 0; i < sizes->n_rows && n < N_CALLEES; i++) {
		struct pd_callers *callers = NULL;
		struct pd_error err = {0};

		if (sizes->rows[i].is_object)
			continue;
		n++;
		if (pd_callers_find(sizes, pd_strtab_get(&sizes->strings, sizes->rows[i].name),
				    &callers, &err) != PD_OK)
			continue;
		for (int k = 0; k < 2; k++)
			expect(callers->sides[k].has_body);
		expect(is_same(callers->sides[0].n_sites, callers->sides[1].n_sites));
		pd_callers_free(callers);
	}
}

/* With itself, and with no image at all, so that all of it is gone. */
static void compare(struct pd_image *image)
{
	const struct pd_size_options options = {.suffix = PD_SUFFIX_GROUP, .wants_objects = true};
	const char *module = "";
	const struct pd_size_side own = {
		.label = "fuzz", .path = "fuzz", .images = &image, .modules = &module,
		.n_images = 1};
	const struct pd_size_side none = {.label = "none", .path = "none"};
	const struct pd_size_side same[2] = {own, own}, gone[2] = {own, none};
	struct pd_sizes *sizes = NULL;
	struct pd_error err = {0};

	expect(pd_sizes_compare(same, &options, &sizes, &err) == PD_OK);
	check_sizes(sizes);
	find_callers(sizes);
	pd_sizes_free(sizes);
	expect(pd_sizes_compare(gone, &options, &sizes, &err) == PD_OK);
	for (uint32_t i = 0; i < sizes->n_accounts; i++)
		check_account(&sizes->accounts[i], true);
	pd_sizes_free(sizes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_image_options options = {
		.debug_dir = "/nonexistent", .detail = PD_IMAGE_INLINES, .wants_objects = true,
		.limits = &limits};
	struct pd_diags diags = {0};
	struct pd_error err = {0};
	struct pd_image *image;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[40];

	expect(fd >= 0 && (!size || write(fd, data, size) == (ssize_t)size));
	limits.n_functions = 1 << 16;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (pd_image_open(path, &options, &diags, &image, &err) == PD_OK) {
		compare(image);
		pd_image_free(image);
	}
	pd_diags_done(&diags);
	(void)close(fd);
	return 0;
}
