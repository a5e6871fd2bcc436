// SPDX-License-Identifier: MIT
/// @file
/// Checks carom against files of reference data: {"name", "tolerance", "cases": [{"id", "input", "expected"}]}.
#ifndef CAROM_VERIFY_H
#define CAROM_VERIFY_H

#include "carom/allocator.h"
#include "carom/api.h"
#include "carom/status.h"

typedef struct carom_verify_report {
    char name[64]; ///< Of the set.
    int cases, passed, failed, unsupported;
    char unsupported_kinds[256]; ///< Names of what is not supported yet, separated by commas.
    char not_compared[256];      ///< Expected fields that no check has read, separated by commas.
    // The case that came closest to its tolerance, or exceeded it most; an empty id when none was run:
    char worst_id[64];
    char worst_quantity[64];
    double worst_error; ///< Infinite when there was no result to compare.
    double worst_tolerance;
} carom_verify_report;

/// Called for every case that fails, with a sentence.
typedef void carom_verify_failure(void *user, const char *id, const char *text);

CAROM_BEGIN_C

/// Runs every case of the file that is supported; a set that is not known counts as unsupported. A failed case is in
/// the report, not in the status, and so is the name of every expected field that was not compared. CAROM_ERR_FILE,
/// with a sentence, when the file is missing, is not JSON or lacks a field. `allocator` (NULL: malloc and free) serves
/// the simulations; the file's text is parsed by malloc.
CAROM_API carom_status carom_verify_file(const char *path, const carom_allocator *allocator,
                                         carom_verify_failure *on_failure, void *user, carom_verify_report *out,
                                         carom_error *error);

CAROM_END_C

#endif
