// SPDX-License-Identifier: MIT
// Broken invariants of our own. Input from outside is never checked this way: it gets a status and a sentence.
//
// The checks exist in builds with CAROM_CHECKED (the sanitizer build of `make test`), where they trap; a release
// build contains none, so that the library never aborts.
#ifndef CRM_BASE_ASSERT_H
#define CRM_BASE_ASSERT_H

#ifdef CAROM_CHECKED
#include <stdio.h>
#define CRM_ASSERT(condition)                                                                 \
    do {                                                                                      \
        if (!(condition)) {                                                                   \
            fprintf(stderr, "%s:%d: broken invariant: %s\n", __FILE__, __LINE__, #condition); \
            __builtin_trap();                                                                 \
        }                                                                                     \
    } while (0)
#else
#define CRM_ASSERT(condition) ((void)0)
#endif

#endif
