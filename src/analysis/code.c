/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code of many functions. Contract: code.h.
 */
#include "analysis/code.h"

#include "base/pool.h"
#include "image/insns.h"

enum { AT_ONCE = 512 }; /* symbols of one job: a reader for each costs something */

struct reading {
	const struct pd_image *image;
	const uint32_t *symbols;
	uint32_t n;
	struct pd_code_sum *code;
	struct pd_error *errors; /* [jobs] */
	int *codes;
};

static int read_some(struct reading *r, uint32_t from, uint32_t to, struct pd_error *err)
{
	struct pd_insn_reader *reader = NULL;
	int rc = pd_insn_reader_new(r->image, PD_ASM_ATT, &reader, err);

	for (uint32_t i = from; i < to && rc == PD_OK; i++) {
		struct pd_error own = {0};
		struct pd_insns insns = {0};

		rc = pd_insns_hash(reader, r->symbols[i], &insns, &own);
		r->code[i] = (struct pd_code_sum){insns.hash, insns.n};
		pd_insns_done(&insns);
		/* What is too large, or not there, is not the same as anything. */
		if (rc == PD_ERR_NOMEM)
			*err = own;
		else
			rc = PD_OK;
	}
	pd_insn_reader_free(reader);
	return rc;
}

static void run_job(void *context, uint32_t i)
{
	struct reading *r = context;
	uint32_t from = i * AT_ONCE, to = from + AT_ONCE < r->n ? from + AT_ONCE : r->n;

	r->codes[i] = read_some(r, from, to, &r->errors[i]);
}

int pd_code_sums(const struct pd_image *image, const uint32_t *symbols, uint32_t n,
		 struct pd_code_sum *ret_code, struct pd_error *err)
{
	uint32_t n_jobs = n / AT_ONCE + (n % AT_ONCE > 0);
	struct pd_arena scratch = {0};
	struct reading r = {
		.image = image,
		.symbols = symbols,
		.n = n,
		.code = ret_code,
		.errors = pd_arena_array(&scratch, n_jobs + (size_t)1, sizeof(*r.errors)),
		.codes = pd_arena_array(&scratch, n_jobs + (size_t)1, sizeof(*r.codes)),
	};
	int rc = r.errors && r.codes ? PD_OK : pd_fail_nomem(err);

	if (rc == PD_OK)
		pd_pool_run(n_jobs, run_job, &r);
	for (uint32_t i = 0; i < n_jobs && rc == PD_OK; i++)
		if (r.codes[i] != PD_OK) {
			rc = r.codes[i];
			*err = r.errors[i];
		}
	pd_arena_done(&scratch);
	return pd_wrap(err, rc, image->path);
}
