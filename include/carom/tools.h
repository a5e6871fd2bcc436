// SPDX-License-Identifier: MIT
/// @file
/// For tools: what programs that read, write or explain scenes and runs need beyond carom.h, and a simulation does not.
/// The program `carom` is one.
#ifndef CAROM_TOOLS_H
#define CAROM_TOOLS_H

#include "carom/distance.h"
#include "carom/impact.h"
#include "carom/report.h"
#include "carom/scene.h"
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
/// The group of settings that the method looks at beside those of "method" itself; NULL when it has none, or for a
/// number that is no method.
CAROM_API const char *carom_method_settings(carom_method method);
/// The key of a scene's "method" that chooses among the forms of this method, such as "form" of `euler`; NULL when it
/// has one form only, or for a number that is no method.
CAROM_API const char *carom_method_variant_key(carom_method method);
/// Whether it goes through steps by substeps that it chooses by their errors: accuracy does not depend on the step, and
/// velocities at the ends of a step say little of what lies between.
CAROM_API bool carom_method_is_adaptive(const carom_method_def *def);

// ---- text of strangers

/// How many bytes the UTF-8 character at `text` has, if it is one that is not shown as it stands: control characters,
/// ends of lines, marks that reverse or hide what follows. 0 for any other, for no UTF-8 and for the end of the text.
CAROM_API int carom_hidden_character(const char *text);

// ---- where the time of steps goes

/// Processor time of the calling thread in the steps of a state since it was asked for, s. What is none of these phases
/// moves bodies and writes the table of contacts.
typedef struct carom_step_phases {
    int64_t steps;
    double total;       ///< Of carom_step.
    double detection;   ///< Of it: contacts looked for, of all methods with contact.
    double solution;    ///< Of it: the contact problem built and solved, its impulses stored. Of `lcp`, `impulse` with
                        ///< fixed steps.
    double certificate; ///< Of it: the step checked, with its energy ledger and the rules of verdicts.
} carom_step_phases;

/// Begins or ends the timing of phases; all sums are 0 then. No result depends on it. Off at first: then it costs
/// nothing.
CAROM_API void carom_state_time_phases(carom_state *state, bool on);
CAROM_API carom_step_phases carom_state_phases(const carom_state *state);

/// What the last step of `lcp` or `dcr` took for its impulses, in work units: what takes a nanosecond of the machine on
/// which prices were measured. Counted, not timed. 0 for other methods.
typedef struct carom_step_work {
    double taken, allowed;
} carom_step_work;

CAROM_API carom_step_work carom_state_work(const carom_state *state);

// ---- pairs

/// Two shapes at their poses, as `carom distance` reads them; docs/distance.md has the format.
typedef struct carom_scene_pair {
    const char *name;               ///< "" when it has none.
    carom_view a, b;                ///< Their shapes and vertices live with the pair.
    carom_distance_options options; ///< The default ones, with the direction when there is one.
} carom_scene_pair;

/// Reads a pair, in the same way as carom_scene_read reads a scene; there are no warnings.
CAROM_API carom_status carom_scene_read_pair(const carom_scene_source *source, const carom_allocator *allocator,
                                             carom_scene_pair **out, carom_scene_messages **messages,
                                             carom_error *error);
CAROM_API void carom_scene_pair_destroy(carom_scene_pair *pair); ///< May be NULL.

// ---- impacts

/// Two bodies that touch at a point, as `carom impact` reads them; docs/methods-classic.md has the format.
typedef struct carom_scene_impact {
    char name[128]; ///< Cut to this size; "" when it has none.
    carom_impact_pair pair;
} carom_scene_impact;

/// Reads an impact, in the same way as carom_scene_read reads a scene; there are no warnings.
CAROM_API carom_status carom_scene_read_impact(const carom_scene_source *source, const carom_allocator *allocator,
                                               carom_scene_impact *out, carom_scene_messages **messages,
                                               carom_error *error);

// ---- pages

/// Numbers that go with the header of a page: `count` doubles.
typedef struct carom_report_blob {
    const char *name; ///< At most 31 bytes.
    int64_t count;
    const double *values;
} carom_report_blob;

/// Writes a page of another kind (a study, a gallery) in the same way: `header` is its JSON object, to which the places
/// of the blobs are added.
CAROM_API carom_status carom_report_write_page(const char *header, int blob_count, const carom_report_blob *blobs,
                                               const carom_report_def *def, carom_report_size *size,
                                               carom_error *error);

CAROM_END_C

#endif
