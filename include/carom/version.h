// SPDX-License-Identifier: MIT
/// @file
/// The version of carom. The build reads it from this file; it is written nowhere else.
#ifndef CAROM_VERSION_H
#define CAROM_VERSION_H

#include "carom/api.h"

#define CAROM_VERSION_MAJOR 0
#define CAROM_VERSION_MINOR 1
#define CAROM_VERSION_PATCH 0

CAROM_BEGIN_C

/// "major.minor.patch" of the library that is linked, which may differ from the header that was compiled.
CAROM_API const char *carom_version(void);

/// How the library was built, in a few words: compiler, portable or for one processor only, sanitizers.
///
/// Belongs to the promise "same binary, same processor type, same input: same bits". The text is static.
CAROM_API const char *carom_build_description(void);

CAROM_END_C

#endif
