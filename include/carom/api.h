// SPDX-License-Identifier: MIT
/// @file
/// Marks what the library shows to its users. Every other symbol is hidden.
#ifndef CAROM_API_H
#define CAROM_API_H

#if defined(__GNUC__)
#define CAROM_API __attribute__((visibility("default")))
/// Lets the compiler check the arguments of a printf-like function.
#define CAROM_PRINTF_LIKE(format_at, first_at) __attribute__((format(printf, format_at, first_at)))
#else
#define CAROM_API
#define CAROM_PRINTF_LIKE(format_at, first_at)
#endif

#ifdef __cplusplus
#define CAROM_BEGIN_C extern "C" {
#define CAROM_END_C }
#else
#define CAROM_BEGIN_C
#define CAROM_END_C
#endif

#endif
