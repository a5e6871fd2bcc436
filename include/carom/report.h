// SPDX-License-Identifier: MIT
/// @file
/// Reports: one HTML file that shows a run in a browser, from disk. The format is in docs/report.md.
///
/// The page that reads it is given by the caller, as the library does not know it: the program has it built in.
#ifndef CAROM_REPORT_H
#define CAROM_REPORT_H

#include "carom/record.h"

typedef struct carom_report_def {
    uint32_t struct_size; ///< Set by carom_report_def_default; leave it.
    const char *path;
    bool overwrite;   ///< Replace an existing report; other files are always refused. Default false.
    const char *page; ///< The page with its marks, as docs/report.md tells; ends with a zero.
} carom_report_def;

/// What was written.
typedef struct carom_report_size {
    int64_t bytes;        ///< Of the file.
    int64_t frames;       ///< That are in it.
    int64_t frame_stride; ///< Every how many of the recorded frames these are.
    int64_t rows;         ///< Of certificates.
} carom_report_size;

CAROM_BEGIN_C

CAROM_API carom_report_def carom_report_def_default(void);

/// Writes the report of a run, also of an unfinished one. Fails with CAROM_ERR_FILE and a sentence when the file exists
/// (unless `overwrite`) or cannot be written; it appears whole or not at all. `size` may be NULL.
CAROM_API carom_status carom_report_write(const carom_recording *recording, const carom_report_def *def,
                                          carom_report_size *size, carom_error *error);

CAROM_END_C

#endif
