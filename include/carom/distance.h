// SPDX-License-Identifier: MIT
/// @file
/// How two shapes stand to each other: how far apart, along which normal, at which points, and how that changes when
/// they move. docs/distance.md explains the measures.
///
/// Two *views* go in, a *witness* comes out. A is the first view and B the second; normals are unit vectors from A to
/// B; a positive gap means apart, a negative one overlapping. There are two measures:
///
///   ray   From A's centre look towards B's, along the unit vector `beta`. The *value* is how far B can be moved along
///         -beta until the two touch, negative when they overlap: the optimum of the supporting-hyperplane program,
///         and the centre distance times `rho` of the ratio metric. Cheap, unique, Lipschitz, zero exactly at touch.
///   gap   The Euclidean signed distance: the distance of the nearest points, or minus the length of the shortest
///         translation that separates. Both are metres; they agree in sign, and |gap| <= |value|.
///
/// A query allocates nothing, keeps no pointers and reads only its arguments, so that any threads may ask about the
/// same shapes. Accuracy and limits: docs/accuracy.md.
#ifndef CAROM_DISTANCE_H
#define CAROM_DISTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/api.h"
#include "carom/shape.h"
#include "carom/status.h"
#include "carom/types.h"

/// One body of a pair: a shape at a pose, or the hull of points.
typedef struct carom_view {
    const carom_shape *shape; ///< NULL: the hull of `vertices`.
    carom_pose pose;          ///< Of the shape's frame, or of that of `vertices`. The attitude has length 1 to 1e-9.
    bool has_centre;          ///< False: carom_shape_centre, or the mean of `vertices`.
    carom_vec3 centre;        ///< In the shape's frame, an interior point: where the centre ray looks from, m.
    int vertex_count;
    const carom_vec3 *vertices; ///< In place of a shape: at least one point; they need not all be extreme, m.
} carom_view;

typedef struct carom_distance_options {
    uint32_t struct_size; ///< Set by carom_distance_options_default; leave it.
    bool has_direction;   ///< False: the ray looks from centre to centre (along the normal of a half-space).
    carom_vec3 direction; ///< From A to B, any length but zero: the ray's `beta`, which then does not move.
    /// Take the first optimal answer that is found. Where several are equally good (faces on faces, parallel edges,
    /// corners on corners, a ball on a face) it depends on rounding; otherwise it is the same, and found faster.
    /// Default false: the normal and the weights of least norm, which are symmetric where the pair is. Vertices within
    /// 1e-9 of their body's size of a plane count as on it: values and gaps are those without that, and the points stay
    /// in the supporting planes, no farther than that from the weighted means of the vertices.
    bool any_solution;
} carom_distance_options;

/// What a query leaves for the next one about the same two shapes in nearly the same place. All zeros is empty. It
/// influences the time, and only in the last digits the answer.
typedef struct carom_distance_cache {
    int ray_count;         ///< Of `ray`: 0 to 3.
    int ray[3][2];         ///< Vertices of A and B whose differences span what the ray pierced.
    int gap_count;         ///< Of `gap`: 0 to 3.
    int gap[3][2];         ///< The same for the facet, edge or corner of the Euclidean search.
    int parts[2];          ///< Of compounds.
    carom_vec3 ray_normal; ///< Unit, the last of each. Zero: none.
    carom_vec3 gap_normal;
} carom_distance_cache;

/// Where the witness lies in a body: the vertices whose weighted mean it is. Of a sphere, a capsule and an ellipsoid
/// these are the vertices of what is left when their rounding is taken away: the centre, or the two ends of the
/// axis. carom_touch_feature names the feature.
enum { CAROM_TOUCH_VERTICES = 8 };
typedef struct carom_touch {
    int part;         ///< Of a compound; 0 otherwise.
    int vertex_count; ///< With a positive weight. The lists end at CAROM_TOUCH_VERTICES; see carom_touch_weights.
    int vertices[CAROM_TOUCH_VERTICES]; ///< Ascending.
    double weights[CAROM_TOUCH_VERTICES];
} carom_touch;

typedef enum carom_feature_kind {
    CAROM_FEATURE_KIND_SMOOTH, ///< Of a sphere or ellipsoid; a plane; the inside of a container.
    CAROM_FEATURE_KIND_VERTEX, ///< Of a capsule: the half ball at an end.
    CAROM_FEATURE_KIND_EDGE,   ///< Of a capsule: its side.
    CAROM_FEATURE_KIND_FACET,
} carom_feature_kind;

typedef enum carom_ray_outcome {
    CAROM_RAY_MEETS, ///< The usual case.
    /// Moved along the given direction, B never touches A: apart. Or, with a half-space, the direction does not lead
    /// from A to B across its plane, which tells nothing about their gap. Nothing but `normal` and `beta` is given: of
    /// bodies a normal of planes between them, along `beta`; of a half-space its own, from A to B.
    CAROM_RAY_MISSES,
    CAROM_RAY_NO_DIRECTION, ///< The centres coincide and no direction is given: `beta` is the last normal, or x.
} carom_ray_outcome;

/// What the centre ray finds. Points, vectors: world frame, m.
typedef struct carom_ray_witness {
    carom_ray_outcome outcome;
    double value;           ///< t: the largest of min <alpha, b> - max <alpha, a> with <alpha, beta> = 1, m.
    double plane_gap;       ///< value / |alpha|: between the supporting planes, m.
    double centre_distance; ///< m
    double ratio;      ///< Smallest growth about the centres at which they touch: < 1 overlapping. NAN: no centres.
    double rho;        ///< (ratio - 1) / ratio = value / centre_distance; -infinity for coincident centres.
    carom_vec3 beta;   ///< Unit, from A to B.
    carom_vec3 alpha;  ///< <alpha, beta> = 1, |alpha| >= 1.
    carom_vec3 normal; ///< alpha / |alpha|
    carom_vec3 point_a, point_b; ///< point_b - point_a = value * beta
    carom_touch a, b;
    bool beta_moves;     ///< With the centres: it was not given.
    bool alpha_unique;   ///< False: of several the one of least length. True with any_solution, unless noticed.
    bool weights_unique; ///< False: of several the ones of least norm. True with any_solution, unless noticed.
    double accuracy;     ///< The value is known to this, by weak duality, m.
    int supports;        ///< Support points of the pair that were asked for.
} carom_ray_witness;

/// Weights of vertices of both bodies that are optimal for a ray, and no mixture of others that are: those of one
/// vertex, or of an edge or triangle of vertices, of either body. Of both together there are four at most.
enum { CAROM_WEIGHTING_VERTICES = 3 };
typedef struct carom_weighting {
    int count_a, count_b;                                                            ///< Of a half-space 0.
    int vertices_a[CAROM_WEIGHTING_VERTICES], vertices_b[CAROM_WEIGHTING_VERTICES];  ///< Ascending.
    double weights_a[CAROM_WEIGHTING_VERTICES], weights_b[CAROM_WEIGHTING_VERTICES]; ///< Positive, sum 1.
} carom_weighting;

/// All optimal answers of a ray: those alphas that are mixtures of `alphas`, and those weights that are mixtures of
/// `weightings`, each with each. One and one where nothing is degenerate.
enum { CAROM_OPTIMA_ALPHAS = 64, CAROM_OPTIMA_WEIGHTINGS = 256, CAROM_OPTIMA_VERTICES = 32 };
typedef struct carom_ray_optima {
    int alpha_count;
    carom_vec3 alphas[CAROM_OPTIMA_ALPHAS]; ///< In the order in which they lie around beta.
    bool alphas_all; ///< False: there are more, or longer ones than 1e7 (along a given direction that only grazes).
    int weighting_count;
    carom_weighting weightings[CAROM_OPTIMA_WEIGHTINGS];
    /// False: there are more; or a face has more than CAROM_OPTIMA_VERTICES vertices, of which so many were looked at,
    /// taken evenly from all. What is listed is optimal in any case.
    bool weightings_all;
} carom_ray_optima;

/// What the Euclidean search finds. Points, vectors: world frame, m.
typedef struct carom_gap_witness {
    double gap;                  ///< m
    carom_vec3 normal;           ///< Unit, from A to B.
    carom_vec3 point_a, point_b; ///< On the surfaces: point_b - point_a = gap * normal.
    carom_touch a, b;
    bool normal_unique; ///< False: another direction serves as well (several least translations). See any_solution.
    bool points_unique; ///< With this normal. False: of several those of least norm of weights. See any_solution.
    bool global;        ///< True when apart. Overlapping: proved that no shorter translation separates.
    double accuracy;    ///< The gap is known to this, m.
    int supports;       ///< Support points of the pair that were asked for.
} carom_gap_witness;

/// How a number changes with both poses: per metre of translation, and per radian of a small rotation about the
/// position of the view's pose, world axes.
typedef struct carom_pose_gradient {
    carom_vec3 translation_a, rotation_a;
    carom_vec3 translation_b, rotation_b;
} carom_pose_gradient;

CAROM_BEGIN_C

/// The shape at this pose, seen from its own centre.
CAROM_API carom_view carom_view_of(const carom_shape *shape, carom_pose pose);
/// The hull of these points of the world, seen from their mean.
CAROM_API carom_view carom_view_of_vertices(int vertex_count, const carom_vec3 *vertices);
/// No direction, any_solution false.
CAROM_API carom_distance_options carom_distance_options_default(void);

/// Casts the centre ray. `options` and `cache` may be NULL.
///
/// Every pair of a bounded shape with a bounded shape or a half-space. Of a compound the part with the smallest value
/// counts, each part being seen from the compound's centre line. A centre that is chosen outside of its shape may make
/// the ray miss. Fails with CAROM_ERR_BAD_INPUT for a pose, direction, centre or vertex that is not finite or farther
/// than 1e9 m, or an attitude that has not length 1; with CAROM_ERR_UNSUPPORTED for a container or two views of fewer
/// than four vertices (use carom_gap_find), or two half-spaces.
CAROM_API carom_status carom_ray_find(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                                      carom_distance_cache *cache, carom_ray_witness *out, carom_error *error);

/// Finds the Euclidean signed distance. Every pair but those of two unbounded shapes; otherwise like carom_ray_find.
CAROM_API carom_status carom_gap_find(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                                      carom_distance_cache *cache, carom_gap_witness *out, carom_error *error);

/// carom_gap_find for many pairs. Ellipsoids and spheres are handled several at a time. `caches` has `count` entries or
/// is NULL. Stops at the first pair that fails, whose number the sentence names.
CAROM_API carom_status carom_gaps_find(int count, const carom_view *a, const carom_view *b,
                                       const carom_distance_options *options, carom_distance_cache *caches,
                                       carom_gap_witness *out, carom_error *error);

/// The gradient of the ray's value, and of rho (may be NULL), from a witness of the same views. A centre moves with its
/// pose. Where the normal or the weights are not unique it is one subgradient, that of the witness. Zero for a ray that
/// misses; for coincident centres that of a fixed beta.
CAROM_API void carom_ray_gradient(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                                  carom_pose_gradient *value, carom_pose_gradient *rho);
/// The gradient of the gap: the contact row of the witness.
CAROM_API void carom_gap_gradient(const carom_view *a, const carom_view *b, const carom_gap_witness *gap,
                                  carom_pose_gradient *out);
/// The gradient of the ray's value with respect to the vertices of views made of vertices (the frame of the world),
/// whose centre is their mean; into arrays of as many entries as there are vertices. Either may be NULL.
CAROM_API void carom_ray_vertex_gradient(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                                         carom_vec3 *gradient_a, carom_vec3 *gradient_b);

/// The weights of all vertices of both bodies, into arrays of as many entries as there are (either may be NULL), also
/// when there are more than a touch can list. From a witness of the same views.
CAROM_API void carom_ray_weights(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                                 double *weights_a, double *weights_b);

/// All optimal alphas and weights, from a witness of the same views: the vertices of the optimal faces of the ray's
/// linear program and of its dual. Two sharp bodies have many where faces, edges and corners meet; with something round
/// alpha is unique, and weights are those of the cores (see carom_touch). Of compounds those of the parts that the
/// witness names. Ties are told as carom_distance_options says. Nothing, and `_all` true, for a ray that misses.
CAROM_API void carom_ray_find_optima(const carom_view *a, const carom_view *b, const carom_ray_witness *ray,
                                     carom_ray_optima *out);

/// The vertex, edge or facet of the shape on which the witness lies, by its number; -1 where features have none.
CAROM_API carom_feature_kind carom_touch_feature(const carom_shape *shape, const carom_touch *touch, int *number);

CAROM_END_C

#endif
