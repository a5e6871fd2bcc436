// SPDX-License-Identifier: MIT
// Bytes as base64 with padding, written as they come.
#ifndef CRM_RECORD_BASE64_H
#define CRM_RECORD_BASE64_H

#include <stddef.h>
#include <stdio.h>

typedef struct crm_base64 {
    FILE *to;
    unsigned char left[3]; // bytes that do not make three yet
    int left_count;
} crm_base64;

void crm_base64_put(crm_base64 *base64, const unsigned char *bytes, size_t count);
// What is left, with padding. Another stream may begin then.
void crm_base64_end(crm_base64 *base64);

#endif
