// SPDX-License-Identifier: MIT
// Fields of comma-separated values (RFC 4180); all but the first have their comma before them.
#ifndef CRM_RECORD_CSV_TEXT_H
#define CRM_RECORD_CSV_TEXT_H

#include <stdio.h>

#include "carom/types.h"

void crm_csv_first_number(FILE *to, double value);
void crm_csv_number(FILE *to, double value);
void crm_csv_vec3(FILE *to, carom_vec3 v);
void crm_csv_text(FILE *to, const char *text);

#endif
