// SPDX-License-Identifier: MIT
/// @file
/// For tools: what programs that read, write or explain scenes need beyond carom.h, and a simulation does not.
#ifndef CAROM_TOOLS_H
#define CAROM_TOOLS_H

#include "carom/step.h"

CAROM_BEGIN_C

// ---- the table of settings

/// What the value of a setting is.
typedef enum carom_setting_type {
    CAROM_SETTING_NUMBER,
    CAROM_SETTING_WHOLE, ///< A whole number.
    CAROM_SETTING_EVEN,  ///< An even whole number.
    CAROM_SETTING_WORD,  ///< One of several words.
    CAROM_SETTING_TRUTH, ///< True or false.
} carom_setting_type;

/// One setting of a method: a member of carom_method_def and a key of a scene's "method". Values are handed on as
/// numbers: that of a word is its index, that of a truth 0 or 1.
typedef struct carom_setting {
    const char *group; ///< The object under "method" that it stands in, such as "lcp"; "" for "method" itself.
    const char *key;
    size_t offset; ///< Of its member in carom_method_def.
    carom_setting_type type;
    const char *unit; ///< "" for none.
    struct {
        double low, high;
        bool low_is_out, high_is_out; ///< The bound itself is not allowed.
    } range;
    double fallback; ///< The default. Infinite, where that is allowed, stands for a key that is left out.
    int word_count;
    const char *(*word)(int index);
    const char *text; ///< What it does: one sentence, names in backquotes.
} carom_setting;

enum { CAROM_SETTING_TEXT_SIZE = 512 };

/// All settings, those of "method" itself first, then one group after the other. NULL for an index that has none.
CAROM_API int carom_setting_count(void);
CAROM_API const carom_setting *carom_setting_at(int index);
/// The value in a definition; and putting one there, which must be allowed.
CAROM_API double carom_setting_get(const carom_setting *setting, const carom_method_def *def);
CAROM_API void carom_setting_set(const carom_setting *setting, double value, carom_method_def *def);
CAROM_API bool carom_setting_allows(const carom_setting *setting, double value);
/// What a value must be, as "a number from 0 to 1", "a whole number of at least 1", "true or false", "\"a\" or \"b\"".
CAROM_API void carom_setting_wanted(const carom_setting *setting, char out[CAROM_SETTING_TEXT_SIZE]);

CAROM_END_C

#endif
