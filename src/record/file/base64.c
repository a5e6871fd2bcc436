// SPDX-License-Identifier: MIT
#include "record/file/base64.h"

#include <string.h>

static void put_three(FILE *to, const unsigned char three[3], int count) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned word = (unsigned)three[0] << 16 | (unsigned)three[1] << 8 | three[2];
    char text[4] = {digits[word >> 18], digits[word >> 12 & 63], digits[word >> 6 & 63], digits[word & 63]};
    for (int i = count + 1; i < 4; i++) text[i] = '=';
    fwrite(text, 1, 4, to);
}

void crm_base64_put(crm_base64 *b, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        b->left[b->left_count++] = bytes[i];
        if (b->left_count < 3) continue;
        put_three(b->to, b->left, 3);
        b->left_count = 0;
    }
}

void crm_base64_end(crm_base64 *b) {
    if (b->left_count == 0) return;
    memset(b->left + b->left_count, 0, sizeof b->left - (size_t)b->left_count);
    put_three(b->to, b->left, b->left_count);
    b->left_count = 0;
}
