// SPDX-License-Identifier: MIT
#include "base/text/utf8.h"

int crm_utf8_size(const char *bytes, size_t size) {
    const unsigned char *b = (const unsigned char *)bytes;
    if (size == 0) return 0;
    if (b[0] < 0x80) return 1;
    int length = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
    if (b[0] < 0xc2 || b[0] > 0xf4 || size < (size_t)length) return 0;
    for (int i = 1; i < length; i++)
        if ((b[i] & 0xc0) != 0x80) return 0;
    // Too long a form of a small character, a half of a surrogate pair, or beyond the last character.
    if (b[0] == 0xe0 && b[1] < 0xa0) return 0;
    if (b[0] == 0xed && b[1] >= 0xa0) return 0;
    if (b[0] == 0xf0 && b[1] < 0x90) return 0;
    if (b[0] == 0xf4 && b[1] >= 0x90) return 0;
    return length;
}

bool crm_utf8_is_valid(const char *bytes, size_t size) {
    for (size_t at = 0; at < size;) {
        int length = crm_utf8_size(bytes + at, size - at);
        if (length == 0) return false;
        at += (size_t)length;
    }
    return true;
}

int crm_utf8_encode(unsigned code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned first[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (int i = size - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(first[size] | code);
    return size;
}
