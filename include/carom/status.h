// SPDX-License-Identifier: MIT
/// @file
/// How a call says that it failed: a status to branch on and a sentence for a person.
///
/// A numerical outcome (not converged, rank-deficient) is not a failure: it is in the report of the call.
#ifndef CAROM_STATUS_H
#define CAROM_STATUS_H

#include "carom/api.h"

/// Every status with its sentence, in one place.
#define CAROM_STATUS_LIST(X)                                                                                 \
    X(CAROM_OK, "all is well")                                                                               \
    X(CAROM_ERR_BAD_INPUT, "an argument is missing, out of range or not finite")                             \
    X(CAROM_ERR_NO_MEMORY, "the allocator has no more memory to give")                                       \
    X(CAROM_ERR_TOO_LARGE, "the problem is too large for the index type or the address space")               \
    X(CAROM_ERR_FROZEN, "the model is frozen and cannot be changed, or is not frozen yet and cannot be run") \
    X(CAROM_ERR_UNSUPPORTED, "this method or format has no support for what was asked")                      \
    X(CAROM_ERR_FILE, "a file cannot be read or written, or is not what it should be")                       \
    X(CAROM_ERR_SYSTEM, "the operating system refused a service")                                            \
    X(CAROM_ERR_INTERRUPTED, "somebody asked for an end before the call was done")

typedef enum carom_status {
#define CAROM_STATUS_ENUMERATOR(name, sentence) name,
    CAROM_STATUS_LIST(CAROM_STATUS_ENUMERATOR)
#undef CAROM_STATUS_ENUMERATOR
} carom_status;

enum { CAROM_ERROR_TEXT_SIZE = 512 };

/// Where a failing call leaves its sentence. Every `carom_error *` argument may be NULL.
///
/// Untouched when the call succeeds.
typedef struct carom_error {
    carom_status status;
    char text[CAROM_ERROR_TEXT_SIZE]; ///< One sentence: where, what, how to mend it. Always terminated.
} carom_error;

CAROM_BEGIN_C

/// The general sentence of a status; "unknown status" for a number that is none. The text is static.
CAROM_API const char *carom_status_text(carom_status status);

CAROM_END_C

#endif
