// SPDX-License-Identifier: MIT
// What mutations put in: keys with values, and words, of the JSON files in the folders that FUZZ_FOLDERS names (a colon
// between them), and the keys and words of the schema of scenes.
#ifndef FUZZ_POOL_H
#define FUZZ_POOL_H

#include <jansson.h>

#include "base/random.h"

// Borrowed; NULL while there is none.
const char *pool_key(crm_random *random);
const char *pool_word(crm_random *random);

// A member of some object, of files that are there.
json_t *pool_member(crm_random *random, const char **key);

#endif
