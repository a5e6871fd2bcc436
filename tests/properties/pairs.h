// SPDX-License-Identifier: MIT
// Random pairs of views for properties of distances: every kind of body, from far apart to deep in each other. Pair
// number i of a seed is the same on every machine, whatever was asked before it.
#ifndef TEST_PROPERTIES_PAIRS_H
#define TEST_PROPERTIES_PAIRS_H

#include "carom/distance.h"
#include "support/harness/sample.h"

// Making hulls takes longer than all queries about them: a batch of pairs shares a few bodies.
enum { PAIR_BATCH = 1000, PAIR_BODIES = 26, PAIR_POINTS = 48 };

typedef enum pair_body_kind {
    PAIR_SPHERE,
    PAIR_ELLIPSOID,
    PAIR_CAPSULE,
    PAIR_BOX,
    PAIR_HULL, // of points
    PAIR_HALF_SPACES,
    PAIR_TETRAHEDRON,
    PAIR_PYRAMID,
    PAIR_PRISM,
    PAIR_VERTICES, // without a shape; some are not extreme, some lie in a plane or on a line
    PAIR_COMPOUND,
    PAIR_PLANE,
    PAIR_CONTAINER,
    PAIR_KINDS
} pair_body_kind;

typedef struct pair_body {
    pair_body_kind kind;
    carom_shape *shape; // NULL: vertices
    int vertex_count;
    carom_vec3 vertex[PAIR_POINTS];
    double radius; // about the centre, m; of static geometry some length of theirs
} pair_body;

// Where the second body is put.
typedef enum pair_place {
    PAIR_FAR,        // up to 100 sizes
    PAIR_NEAR,       // apart or overlapping
    PAIR_TOUCHING,   // the ray's value is zero to rounding
    PAIR_SHALLOW,    // ... is up to a hundredth of the smaller body, down to 1e-12 of it, apart or overlapping
    PAIR_DEEP,       // centres nearer than the smaller body, down to 1e-8 of it
    PAIR_COINCIDENT, // centres
    PAIR_ALIGNED,    // right angles, and offsets of half sizes: ties
    PAIR_PLACES
} pair_place;

typedef struct distance_pair {
    uint64_t number;
    const pair_body *body[2];
    carom_view view[2];
    pair_place place;
    bool convex;   // both bounded and convex: the ray and the proofs apply
    bool sharp;    // ... and both polytopes: the references apply
    bool ordinary; // sizes within 1:10 and aspects within 1:10; otherwise to 1:1e6 and 1:1000, and 1e-6 to 1e6 m
    double sizes;  // bounding radii about the centres, m
} distance_pair;

typedef struct pair_batch {
    uint64_t seed, number;
    pair_body body[PAIR_BODIES];
} pair_batch;

// Ends the program with a sentence when a shape is refused.
void pair_batch_make(uint64_t seed, uint64_t number, pair_batch *out);
void pair_batch_free(pair_batch *batch);

// 0 <= index < PAIR_BATCH; its number is batch->number * PAIR_BATCH + index. Lives with the batch.
distance_pair pair_of(const pair_batch *batch, int index);

// A view's centre, world.
carom_vec3 pair_centre(const carom_view *view);
// Vertices of a sharp view, world; gives their number, which is at most `room`, 0 when there are more.
int pair_vertices(const carom_view *view, int room, carom_vec3 *out);

#endif
