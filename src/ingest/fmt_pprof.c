/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles of pprof, which have had several shapes: messages of profile.proto
 * (pprof_proto.c), words of gperftools (pprof_cpu.c), texts of old runtimes
 * (pprof_legacy.c), and what pprof itself prints (pprof_text.c).
 */
#include "ingest/pprof.h"
#include "io/decode.h"
#include "io/lines.h"

/* Some kinds are no text, so that the bytes come as they are: make text of them. */
static int begin_text(const struct pd_input *in, struct pd_text *text, struct pd_input *ret_in,
		      struct pd_error *err)
{
	int rc = pd_text_init(in->bytes, text, err);

	*ret_in = *in;
	ret_in->bytes = text->bytes;
	return rc;
}

static bool is_legacy(const struct pd_input *in)
{
	struct pd_lines lines;
	struct pd_span line;
	bool is = false;

	pd_input_lines(in, &lines);
	lines.diags = NULL;
	while (!is && pd_lines_next(&lines, &line))
		is = pp_legacy_is_head(pd_span_trim(line));
	pd_lines_done(&lines);
	return is;
}

static enum pd_sniff sniff(const struct pd_input *head)
{
	enum pd_sniff found = pp_proto_sniff(head->bytes);
	struct pd_text text = {0};
	struct pd_input in;

	if (found == PD_SNIFF_NO && pp_cpu_sniff(head->bytes))
		found = PD_SNIFF_YES;
	if (found == PD_SNIFF_NO && begin_text(head, &text, &in, NULL) == PD_OK)
		found = is_legacy(&in) ? PD_SNIFF_YES : pp_text_sniff(&in);
	pd_text_done(&text);
	return found;
}

static int read(const struct pd_input *in, struct pd_builder *b, struct pd_error *err)
{
	struct pd_text text = {0};
	struct pd_input text_in;
	int rc;

	if (pp_proto_sniff(in->bytes) != PD_SNIFF_NO)
		return pp_proto_read(in, b, err);
	if (pp_cpu_sniff(in->bytes))
		return pp_cpu_read(in, b, err);
	rc = begin_text(in, &text, &text_in, err);
	if (rc == PD_OK)
		rc = is_legacy(&text_in) ? pp_legacy_read(&text_in, b, err)
					 : pp_text_read(&text_in, b, err);
	pd_text_done(&text);
	return rc;
}

const struct pd_format pd_format_pprof = {
	.name = "pprof",
	.title = "pprof: profile.proto, gperftools, old runtimes; pprof -top, -traces",
	.is_binary = true,
	.sniff = sniff,
	.read = read,
};
