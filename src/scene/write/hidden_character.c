// SPDX-License-Identifier: MIT
#include <stddef.h>
#include <stdint.h>

#include "carom/tools.h"

// The first and the last of each range. Zero-width joiners (U+200C, U+200D) are left out: scripts are written with
// them.
static const uint32_t hidden[][2] = {
    {0x01, 0x1f},       {0x7f, 0x9f},     // control characters
    {0x61c, 0x61c},     {0x200e, 0x200f}, // marks of direction
    {0x200b, 0x200b},   {0x2060, 0x2064}, // without width
    {0x2028, 0x2029},                     // ends of lines and paragraphs
    {0x202a, 0x202e},   {0x2066, 0x206f}, // embedded, overridden and isolated directions
    {0xfeff, 0xfeff},   {0xfff9, 0xfffb}, // byte-order mark, annotations
    {0xe0000, 0xe007f},                   // tags
};

int carom_hidden_character(const char *text) {
    const unsigned char *at = (const unsigned char *)text;
    int size = at[0] < 0x80             ? 1
               : (at[0] & 0xe0) == 0xc0 ? 2
               : (at[0] & 0xf0) == 0xe0 ? 3
               : (at[0] & 0xf8) == 0xf0 ? 4
                                        : 0;
    if (size == 0) return 0;
    uint32_t code = size == 1 ? at[0] : at[0] & (0x7fu >> size);
    for (int i = 1; i < size; i++) {
        if ((at[i] & 0xc0) != 0x80) return 0; // cut off, or no UTF-8
        code = code << 6 | (at[i] & 0x3fu);
    }
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (code >= hidden[i][0] && code <= hidden[i][1]) return size;
    return 0;
}
