/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Options that belong to a side. Contract: per_side.h.
 */
#include "cli/per_side.h"

#include "base/text.h"
#include "cli/inputs.h"

/* Length of the label of LABEL=VALUE, 0 if there is none. */
static size_t label_len(const char *word)
{
	const char *equals = strchr(word, '=');

	return equals && !cli_path_exists(word) ? (size_t)(equals - word) : 0;
}

/* How many words before the i-th have no label. */
static uint32_t count_plain(const struct cli_words *words, uint32_t i)
{
	uint32_t n = 0;

	for (uint32_t k = 0; k < i; k++)
		n += !label_len(words->items[k]);
	return n;
}

int cli_word_side(const char *option, const struct cli_words *words, uint32_t i,
		  const char *const *labels, uint32_t n_sides, uint32_t *ret_side,
		  const char **ret_value, struct pd_error *err)
{
	const char *word = words->items[i];
	uint32_t n_plain = count_plain(words, words->n);
	size_t len = label_len(word);

	if (!len) {
		if (n_sides > 1 && n_plain != 1 && n_plain != n_sides)
			return pd_fail(err, PD_ERR_USAGE, "%s: expected one for all sides, one a "
				       "side, or LABEL=...", option);
		*ret_side = n_plain == 1 ? CLI_ALL_SIDES : n_sides == 1 ? 0
								      : count_plain(words, i);
		*ret_value = word;
		return PD_OK;
	}
	for (uint32_t s = 0; s < n_sides; s++)
		if (labels[s] && !strncmp(labels[s], word, len) && !labels[s][len]) {
			*ret_side = s;
			*ret_value = word + len + 1;
			return PD_OK;
		}
	return pd_fail(err, PD_ERR_USAGE, "%s: no side is called as in \"%s\"", option, word);
}

int cli_side_values(const char *option, const struct cli_words *words, const char *const *labels,
		    uint32_t n_sides, const char **ret_values, struct pd_error *err)
{
	const char *of_all = NULL;

	for (uint32_t s = 0; s < n_sides; s++)
		ret_values[s] = NULL;
	for (uint32_t i = 0; i < words->n; i++) {
		const char *value, **place;
		uint32_t side;
		int rc = cli_word_side(option, words, i, labels, n_sides, &side, &value, err);

		if (rc != PD_OK)
			return rc;
		place = side == CLI_ALL_SIDES ? &of_all : &ret_values[side];
		if (*place)
			return pd_fail(err, PD_ERR_USAGE, "%s: given twice for one side: %s, %s",
				       option, *place, value);
		*place = value;
	}
	for (uint32_t s = 0; s < n_sides; s++)
		if (!ret_values[s])
			ret_values[s] = of_all;
	return PD_OK;
}

bool cli_is_per_side(const struct cli_words *words)
{
	return words->n > 1 || (words->n == 1 && label_len(words->items[0]));
}
