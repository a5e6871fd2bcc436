// SPDX-License-Identifier: MIT
/// @file
/// The contact set: from a flat array of moving shapes to the complete, ordered list of contacts, step by step.
///
/// Every step the caller fills an array of *proxies* (a shape at a pose, how far it may get in the step) and updates
/// the set. It finds the pairs that can touch within the step, asks about their distance with what it remembers of the
/// last step, and lists their contacts. Knows no bodies and no forces: docs/contact.md.
///
/// **No miss.** A contact is listed for every pair whose gap is at most the sum of the two margins. No point of a proxy
/// moves farther than its margin, so that a pair without a contact cannot touch before the step ends.
///
/// The list depends on proxies, ids and the former list only; never on the order of the array, the number of threads or
/// the time that things took.
#ifndef CAROM_CONTACT_H
#define CAROM_CONTACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/limits.h"
#include "carom/time_of_impact.h"

/// A shape on its way through a step.
typedef struct carom_proxy {
    int32_t id; ///< Not negative, unique in the array. A pair is remembered by its ids; A is the one with the lower.
    carom_view view;     ///< Its vertices and shape must live until the next update.
    carom_motion motion; ///< That is expected over the step: what continuous collision follows.
    double margin;       ///< No point of it gets farther than this in the step, m, >= 0: carom_proxy_margin.
    bool fixed;          ///< Two fixed proxies have no contacts.
    uint32_t groups;     ///< Bits: what it is. Default 1.
    uint32_t meets; ///< Bits: what it can touch. Two meet when each is in a group that the other one meets. Default
                    ///< all.
    bool resting;   ///< Its contacts with others that rest are those of the last update, as they were then; a pair that
                    ///< had none has none. For what has hardly moved since, and was there. Default false.
} carom_proxy;

/// Which contacts a pair has.
typedef enum carom_contact_measure {
    /// Polytopes: their feature contacts, each with its own gap and normal, and the nearest points where there are
    /// none. Others:
    /// as many nearest points as a plane can support them in. The default.
    CAROM_MEASURE_FEATURES,
    CAROM_MEASURE_GAP, ///< Each pair of convex parts: the nearest points, or the shortest way out.
    /// Each pair of convex parts: the points and the plane gap of the centre ray (the ratio metric along its normal);
    /// of pairs that have no ray (containers) the nearest points.
    CAROM_MEASURE_RAY,
    CAROM_MEASURE_COUNT
} carom_contact_measure;

/// What touches what.
typedef enum carom_contact_kind {
    CAROM_CONTACT_KIND_NEAREST,    ///< Nearest points, or those of the centre ray.
    CAROM_CONTACT_KIND_CORNER_A,   ///< A corner of A on a facet of B.
    CAROM_CONTACT_KIND_CORNER_B,   ///< A corner of B on a facet of A.
    CAROM_CONTACT_KIND_EDGES,      ///< An edge of A on an edge of B.
    CAROM_CONTACT_KIND_CONTINUOUS, ///< Where the two meet on their way.
} carom_contact_kind;

/// One contact. Points, vectors: world frame, m.
typedef struct carom_contact {
    int32_t a, b;                ///< Places of the proxies in the array of the last update; A has the lower id.
    int32_t part_a, part_b;      ///< Of compounds; 0 otherwise.
    carom_contact_kind kind;     ///< With the parts and features: what makes it the same contact in the next step.
    int feature_a, feature_b;    ///< Of a feature contact: numbers of vertex, edge or facet. Of others: a small number
                                 ///< that tells several contacts of one pair apart, and 0.
    bool fresh;                  ///< It was not in the former list.
    double gap;                  ///< Along the normal: positive apart, negative overlapping, m.
    carom_vec3 normal;           ///< Unit, from A to B.
    carom_vec3 point_a, point_b; ///< Where the contact acts on each. point_b - point_a = gap * normal, but of one
                                 ///< found on the way only the component along the normal is the gap.
    carom_vec3 tangent; ///< Unit, normal to `normal`; with the second one, normal x tangent, the tangent basis.
                        ///< Rotates with A, and otherwise no more than the normal does.
    double impulse[3];  ///< On B, along normal, tangent and second tangent, N s: as stored after the former
                        ///< update, 0 for a fresh one.
} carom_contact;

/// False: the two have no contacts. `a` is the lower id. Must depend on its arguments only; called from any thread.
typedef bool carom_pair_filter(void *user, int32_t id_a, int32_t id_b);

typedef struct carom_contact_options {
    uint32_t struct_size;          ///< Set by carom_contact_options_default; leave it.
    carom_contact_measure measure; ///< Default CAROM_MEASURE_FEATURES.
    /// Also list contacts that others stand for. Default false: of all contacts of two proxies along about the same
    /// normal (2.5 degrees) only the corners of their outline over the contact plane stay, and what is nearer than the
    /// surface that these span: a row that is left out is a mean, with weights >= 0, of rows that are there, to 0.5 %
    /// of the outline's diameter, with no larger a gap, to 1e-4 of the smaller body's size.
    bool all_contacts;
    /// Find the contacts of fast pairs (sum of margins above half the smaller in-radius) by their time of impact along
    /// `motion`. Default false.
    bool continuous;
    double duration;           ///< Of the step, s: for how long `motion` holds. Of `continuous` only. Default 0.
    int threads;               ///< Default 1.
    carom_pair_filter *filter; ///< Default NULL: all pairs.
    void *filter_user;
    carom_limits limits;       ///< `pairs`, `contacts` and `seconds` of an update. Default carom_limits_none.
    carom_interrupt interrupt; ///< Ends an update with CAROM_ERR_INTERRUPTED; the set is then as before. Default {0}.
} carom_contact_options;

/// What an update did.
typedef struct carom_contact_report {
    int proxies, items; ///< Items are convex parts.
    int64_t pairs;      ///< Of items whose boxes meet within their margins.
    int64_t asked;      ///< Of these, asked about their distance.
    int64_t contacts;   ///< Listed.
    int64_t left_out;   ///< As others stand for them, or inside of a compound.
    int64_t undecided;  ///< Of `continuous`: pairs whose time of impact was not found; their contacts are those at the
                        ///< start.
    double broad_seconds, narrow_seconds; ///< Wall time: all that is not the same in every run.
    size_t bytes;                         ///< Of memory that the set holds.
} carom_contact_report;

typedef struct carom_contact_set carom_contact_set;

CAROM_BEGIN_C

/// An id of 0, groups 1, meets all, at rest without a margin; the view is to be filled in.
CAROM_API carom_proxy carom_proxy_default(void);
/// How far a point of this view can get in `duration` by this motion: |v| t, and the chord of the rotation at the
/// farthest point. INFINITY for an unbounded shape that rotates.
CAROM_API double carom_proxy_margin(const carom_view *view, const carom_motion *motion, double duration);
CAROM_API carom_contact_options carom_contact_options_default(void);
CAROM_API const char *carom_contact_kind_name(carom_contact_kind kind); ///< "?" for a number that is none.

CAROM_API carom_status carom_contact_set_create(const carom_contact_options *options, const carom_allocator *allocator,
                                                carom_contact_set **out, carom_error *error);
CAROM_API void carom_contact_set_destroy(carom_contact_set *set); ///< May be NULL.

/// Finds the contacts of these proxies. Pairs that no longer meet are forgotten. `report` may be NULL.
///
/// Fails with CAROM_ERR_BAD_INPUT and a sentence that names the proxy for a view, motion or margin that is not finite
/// or out of range, an id that is negative or not unique, or two unbounded shapes one of which is not fixed; with
/// CAROM_ERR_NO_MEMORY. The set is then as before. Allocates only to grow.
CAROM_API carom_status carom_contact_set_update(carom_contact_set *set, int count, const carom_proxy *proxies,
                                                carom_contact_report *report, carom_error *error);

/// The contacts of the last update, in the order of id of A, id of B, parts, kind, features. Valid until the next.
CAROM_API const carom_contact *carom_contact_set_list(const carom_contact_set *set, int *count);
/// The same contacts of one pair of ids in any order, by bisection; NULL and 0 when it has none.
CAROM_API const carom_contact *carom_contact_set_find(const carom_contact_set *set, int32_t id_a, int32_t id_b,
                                                      int *count);
/// Stores what the step found, three numbers a contact in the order of the list: it is the `impulse` of the same
/// contact after the next update. Does nothing where there is no list.
CAROM_API void carom_contact_set_store(carom_contact_set *set, const double *impulses);

/// Everything that influences later lists, as bytes: size, writing, and reading back to the same bits. A failed read
/// leaves the set as it was. The options must be the same. After a read the list is empty until the next update.
CAROM_API size_t carom_contact_set_size(const carom_contact_set *set);
CAROM_API void carom_contact_set_save(const carom_contact_set *set, void *bytes);
CAROM_API carom_status carom_contact_set_load(carom_contact_set *set, const void *bytes, size_t size,
                                              carom_error *error);
/// Makes `to` remember what `from` does; both have the same options.
CAROM_API carom_status carom_contact_set_copy(const carom_contact_set *from, carom_contact_set *to, carom_error *error);

CAROM_END_C

#endif
