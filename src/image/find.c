/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Debug files. Contract: find.h. The places are those of gdb's manual, "Debugging
 * Information in Separate Files".
 */
#include "image/find.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/inflate.h"
#include "io/source.h"

/* A file that is there, and is not the image itself. */
static bool is_other_file(const struct pd_buf *candidate, const char *path)
{
	struct stat a, b;

	return !candidate->failed && stat(candidate->ptr, &a) == 0 && S_ISREG(a.st_mode) &&
	       (stat(path, &b) != 0 || a.st_dev != b.st_dev || a.st_ino != b.st_ino);
}

static bool has_crc(const char *path, uint32_t crc)
{
	const struct pd_limits limits = PD_LIMITS_DEFAULT;
	struct pd_source source = {0};
	bool has = pd_source_open(path, &limits, &source, NULL) == PD_OK &&
		   pd_crc32(source.bytes) == crc;

	pd_source_close(&source);
	return has;
}

static bool find_by_link(const char *path, const char *link, uint32_t crc, const char *folder,
			 struct pd_buf *ret_path, bool *ret_is_foreign)
{
	char *whole = realpath(path, NULL);
	bool found = false;

	if (whole && !strchr(link, '/')) {
		struct pd_span dir = pd_span_of(whole);
		const char *const formats[] = {"", "/.debug", NULL};

		dir.len = pd_span_find_last(dir, '/');
		for (int i = 0; !found && i < 3; i++) {
			ret_path->len = 0;
			pd_buf_printf(ret_path, "%s%.*s%s/%s", formats[i] ? "" : folder,
				      (int)dir.len, dir.ptr, formats[i] ? formats[i] : "", link);
			if (!is_other_file(ret_path, path))
				continue;
			found = has_crc(ret_path->ptr, crc);
			*ret_is_foreign |= !found;
		}
	}
	free(whole);
	return found;
}

bool pd_debug_file_find(const char *path, const char *build_id, const char *link,
			uint32_t link_crc, const char *folder, struct pd_buf *ret_path,
			bool *ret_is_foreign)
{
	*ret_is_foreign = false;
	if (build_id && strlen(build_id) > 2) {
		ret_path->len = 0;
		pd_buf_printf(ret_path, "%s/.build-id/%.2s/%s.debug", folder, build_id,
			      build_id + 2);
		if (is_other_file(ret_path, path))
			return true;
	}
	return link && find_by_link(path, link, link_crc, folder, ret_path, ret_is_foreign);
}
