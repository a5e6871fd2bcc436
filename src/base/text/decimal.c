// SPDX-License-Identifier: MIT
#include "base/text/decimal.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

// strtod wants the decimal point of the locale, and a zero at the end.
double crm_decimal_value(const char *text, size_t size, char *room) {
    const char *point = localeconv()->decimal_point;
    size_t point_size = strlen(point), before = 0;
    if (point_size >= CRM_DECIMAL_MORE) point = ".", point_size = 1;
    while (before < size && text[before] != '.') before++;
    memcpy(room, text, before);
    char *to = room + before;
    if (before < size) {
        memcpy(to, point, point_size);
        to += point_size;
        memcpy(to, text + before + 1, size - before - 1);
        to += size - before - 1;
    }
    *to = '\0';
    return strtod(room, NULL);
}
