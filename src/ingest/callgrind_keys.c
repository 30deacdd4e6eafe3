/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What lines of callgrind's files begin with: the most frequent ones first.
 */
#include "ingest/callgrind.h"

static const struct {
	const char *word; /* with what parts it from its value */
	enum cg_key key;
} keys[] = {
	{"cfn=", CG_KEY_CALLED_FUNCTION}, {"calls=", CG_KEY_CALLS}, {"fn=", CG_KEY_FUNCTION},
	{"cfi=", CG_KEY_OTHER_FILE}, {"cob=", CG_KEY_CALLED_OBJECT}, {"fi=", CG_KEY_OTHER_FILE},
	{"fe=", CG_KEY_OTHER_FILE}, {"fl=", CG_KEY_FILE}, {"cfl=", CG_KEY_OTHER_FILE},
	{"ob=", CG_KEY_OBJECT}, {"jump=", CG_KEY_JUMP}, {"jcnd=", CG_KEY_JUMP},
	{"jfi=", CG_KEY_OTHER_FILE}, {"jfn=", CG_KEY_JUMP_FUNCTION}, {"jobj=", CG_KEY_JUMP_OBJECT},
	{"job=", CG_KEY_JUMP_OBJECT},
	{"events:", CG_KEY_EVENTS}, {"positions:", CG_KEY_POSITIONS}, {"summary:", CG_KEY_SUMMARY},
	{"totals:", CG_KEY_TOTALS}, {"pid:", CG_KEY_PID}, {"cmd:", CG_KEY_COMMAND},
	{"version:", CG_KEY_IGNORED}, {"creator:", CG_KEY_IGNORED}, {"part:", CG_KEY_IGNORED},
	{"thread:", CG_KEY_IGNORED}, {"desc:", CG_KEY_IGNORED}, {"event:", CG_KEY_IGNORED},
	{"rcalls=", CG_KEY_JUMP}, /* calls within a circle, of old versions */
};

bool cg_find_key(struct pd_span line, enum cg_key *ret_key, struct pd_span *ret_value)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const char *word = keys[i].word;
		size_t len;

		if (word[0] != line.ptr[0] || !pd_span_starts(line, word))
			continue;
		len = strlen(word);
		*ret_key = keys[i].key;
		*ret_value = pd_span_sub(line, len, line.len);
		return true;
	}
	return false;
}
