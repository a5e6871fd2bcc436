// SPDX-License-Identifier: MIT
/// @file
/// How much a scene may ask for. Scenes come from strangers, and some hundred bytes can ask for gigabytes or hours:
/// what is beyond a limit is refused beforehand, with its number. Limits are the program's; no scene can raise them,
/// and none changes a bit of a run that is within it.
#ifndef CAROM_LIMITS_H
#define CAROM_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/api.h"
#include "carom/status.h"

/// The most of each; INFINITY: any number. All zeros stand for the default of what they are a member of.
typedef struct carom_limits {
    uint32_t struct_size; ///< Set by carom_limits_default and carom_limits_none; leave it.
    double memory;        ///< Bytes that model and state need at least, by their counts. Default 2^31.
    double bodies;        ///< Repeats counted. Default 100,000.
    double joints;        ///< Default 100,000.
    double forces;        ///< Of the model: one that acts on all of a repeated body counts for each. Default 200,000.
    double vertices;      ///< Of one polytope, points or half-spaces as they are given. Default 5,000.
    double parts;         ///< Of one compound. Default 5,000.
    double pairs;         ///< Of charges and poles, and of convex parts that can touch in a step. Default 1,000,000.
    double contacts;      ///< In a step. Default 200,000.
    double steps;         ///< To the end of a run. Default 1e9.
    double seconds;       ///< That a step needs for finding contacts, and the start for moving bodies apart: counted by
                          ///< shapes and pairs for a reference machine, not timed. Default 2.
    double text;          ///< Bytes of the scene with its repeats written out. Default 2^26.
} carom_limits;

/// Asks whether somebody wants the work to end, such as a person at the keyboard. Called often, from any thread of the
/// call that it was given to; must be quick and depend on nothing of carom's. {0}: nobody asks.
typedef struct carom_interrupt {
    bool (*asked)(void *user);
    void *user;
} carom_interrupt;

CAROM_BEGIN_C

CAROM_API carom_limits carom_limits_default(void); ///< What carom_scene_read holds scenes against.
CAROM_API carom_limits carom_limits_none(void);    ///< What models have that are made by calls.
/// Changes some of them by a text such as "memory=8G,contacts=1e6,steps=none": names of the members, numbers with k, M,
/// G or T (powers of 1000, of memory and text of 1024), or none. Fails with CAROM_ERR_BAD_INPUT, and changes nothing
/// then.
CAROM_API carom_status carom_limits_set(carom_limits *limits, const char *text, carom_error *error);

CAROM_END_C

#endif
