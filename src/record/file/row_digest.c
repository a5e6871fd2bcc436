// SPDX-License-Identifier: MIT
#include "record/file/row_digest.h"

#include "record/file/format.h"

uint64_t crm_digest_bytes(uint64_t digest, const void *bytes, size_t size) {
    const unsigned char *from = (const unsigned char *)bytes;
    uint64_t lane[4] = {CRM_DIGEST_START, CRM_DIGEST_START, CRM_DIGEST_START, CRM_DIGEST_START};
    size_t whole = size / 8, word = 0;
    for (; word + 4 <= whole; word += 4, from += 32) {
        lane[0] = crm_digest_word(lane[0], crm_get_u64(from));
        lane[1] = crm_digest_word(lane[1], crm_get_u64(from + 8));
        lane[2] = crm_digest_word(lane[2], crm_get_u64(from + 16));
        lane[3] = crm_digest_word(lane[3], crm_get_u64(from + 24));
    }
    for (; word < whole; word++, from += 8) lane[word % 4] = crm_digest_word(lane[word % 4], crm_get_u64(from));
    if (size % 8 != 0) {
        unsigned char rest[8] = {0};
        memcpy(rest, from, size % 8);
        lane[word % 4] = crm_digest_word(lane[word % 4], crm_get_u64(rest));
    }
    digest = crm_digest_word(digest, size);
    for (int i = 0; i < 4; i++) digest = crm_digest_word(digest, lane[i]);
    return digest;
}
