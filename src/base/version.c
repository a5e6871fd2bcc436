// SPDX-License-Identifier: MIT
// Version and build description.
#include "carom/version.h"

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *carom_version(void) {
    return VERSION_TEXT(CAROM_VERSION_MAJOR, CAROM_VERSION_MINOR, CAROM_VERSION_PATCH);
}

#ifdef __SANITIZE_ADDRESS__
#define SANITIZER_TEXT ", address and undefined-behaviour sanitizers"
#else
#define SANITIZER_TEXT ""
#endif

#ifdef CAROM_NATIVE
#define PROCESSOR_TEXT "this machine's processor only"
#else
#define PROCESSOR_TEXT "portable"
#endif

const char *carom_build_description(void) {
    return "C17, compiler " __VERSION__ ", " PROCESSOR_TEXT SANITIZER_TEXT;
}
