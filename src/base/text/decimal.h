// SPDX-License-Identifier: MIT
// Decimal numbers in texts, whatever the locale.
#ifndef CRM_BASE_DECIMAL_H
#define CRM_BASE_DECIMAL_H

#include <stddef.h>

// More than a number with the locale's decimal point and a zero behind it needs over one with a point.
enum { CRM_DECIMAL_MORE = 16 };

// The value of digits with a sign, a point and an exponent, all checked before; infinite where it is too large. `room`
// has size + CRM_DECIMAL_MORE bytes.
double crm_decimal_value(const char *text, size_t size, char *room);

#endif
