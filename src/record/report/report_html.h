// SPDX-License-Identifier: MIT
// The page of a report with its data put in: header, and the blobs deflated and in base64.
#ifndef CRM_RECORD_REPORT_HTML_H
#define CRM_RECORD_REPORT_HTML_H

#include "carom/report.h"
#include "record/report/report_blobs.h"

// Adds the places of the blobs to the header and writes the file, which appears whole or not at all: not when the
// header is incomplete.
carom_status crm_page_write(const carom_report_def *def, crm_tree *tree, const crm_blobs *blobs, int64_t *bytes,
                            carom_error *error);

#endif
