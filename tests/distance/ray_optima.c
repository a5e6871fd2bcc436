// SPDX-License-Identifier: MIT
// All optimal answers of a ray against an enumeration in rational arithmetic, and what there is where nothing is sharp.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "carom/distance.h"
#include "math/quat.h"
#include "reference/program/exact_optima.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

// Answers are those of numbers rounded to double; ties are told to 1e-9, and corners of polygons of alphas add the
// condition of two planes that meet.
static const double tolerance = 1e-9;

// ---- found against enumerated

static bool weights_agree(const carom_weighting *found, const exact_weights *wanted, int count_a, int count_b) {
    double gap = 0.0;
    int carried = 0;
    for (int side = 0; side < 2; side++) {
        int listed = side == 0 ? found->count_a : found->count_b;
        for (int v = 0; v < (side == 0 ? count_a : count_b); v++) {
            double value = fraction_value(side == 0 ? wanted->a[v] : wanted->b[v]);
            carried += value > 0.0;
            for (int k = 0; k < listed; k++)
                if ((side == 0 ? found->vertices_a : found->vertices_b)[k] == v)
                    value -= (side == 0 ? found->weights_a : found->weights_b)[k];
            gap = fmax(gap, fabs(value));
        }
    }
    return carried == found->count_a + found->count_b && gap <= tolerance;
}

// `length` of the direction: its alpha is that much longer for a unit vector.
static bool alphas_agree(carom_vec3 found, const exact_optima *o, int e, double length) {
    carom_vec3 wanted = {fraction_value(fraction_of(o->alpha[e].x, o->along[e])),
                         fraction_value(fraction_of(o->alpha[e].y, o->along[e])),
                         fraction_value(fraction_of(o->alpha[e].z, o->along[e]))};
    wanted = crm_scale(length, wanted);
    return crm_distance(found, wanted) <= tolerance * crm_length(wanted);
}

// The same sets: as many, and each of the enumerated ones is there.
static bool optima_agree(const carom_ray_optima *found, const exact_optima *o, int count_a, int count_b,
                         double length) {
    if (!CHECK(found->alphas_all && found->weightings_all)) return false;
    if (!CHECK_INT(found->alpha_count, o->alpha_count)) return false;
    if (!CHECK_INT(found->weighting_count, o->weights_count)) return false;
    for (int e = 0; e < o->alpha_count; e++) {
        bool there = false;
        for (int k = 0; k < found->alpha_count; k++) there |= alphas_agree(found->alphas[k], o, e, length);
        if (!CHECK(there)) return false;
    }
    for (int e = 0; e < o->weights_count; e++) {
        bool there = false;
        for (int k = 0; k < found->weighting_count; k++)
            there |= weights_agree(&found->weightings[k], &o->weights[e], count_a, count_b);
        if (!CHECK(there)) return false;
    }
    return true;
}

// ---- pairs with rational corners

// A body: whole corners in its own frame, where the origin is inside, and an attitude whose matrix is that of a
// quaternion of whole numbers.
typedef struct lattice_body {
    carom_shape *shape; // NULL: its points are the view
    int count;
    carom_vec3 vertex[EXACT_CORNERS_MAX];
    long quaternion[4], square;
} lattice_body;

// Coordinates are in units of one over this, which the squares of all quaternions divide, and means of up to four.
enum { UNIT = 3600 };

static exact_vector rotated(const lattice_body *body, carom_vec3 v) {
    const long *q = body->quaternion;
    long p[3] = {lround(v.x), lround(v.y), lround(v.z)}, w = q[0], x = q[1], y = q[2], z = q[3];
    long scale = UNIT / body->square;
    return (exact_vector){
        scale * ((w * w + x * x - y * y - z * z) * p[0] + 2 * (x * y - w * z) * p[1] + 2 * (x * z + w * y) * p[2]),
        scale * (2 * (x * y + w * z) * p[0] + (w * w - x * x + y * y - z * z) * p[1] + 2 * (y * z - w * x) * p[2]),
        scale * (2 * (x * z - w * y) * p[0] + 2 * (y * z + w * x) * p[1] + (w * w - x * x - y * y + z * z) * p[2])};
}

static int whole(sampler *s, int low, int high) {
    return low + (int)(sample_between(s, 0.0, 1.0) * (high - low + 1));
}

static void take_points(int count, const carom_vec3 *points, lattice_body *body) {
    body->shape = polytope_of_points(count, points);
    body->count = carom_shape_vertex_count(body->shape);
    memcpy(body->vertex, carom_shape_vertices(body->shape), (size_t)body->count * sizeof *points);
}

static void sample_box(sampler *s, lattice_body *body) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size = crm_vec3(2.0 * whole(s, 1, 3), 2.0 * whole(s, 1, 3), 2.0 * whole(s, 1, 3));
    CHECK_INT(carom_shape_create(&def, NULL, &body->shape, NULL), CAROM_OK);
    body->count = 8;
    memcpy(body->vertex, carom_shape_vertices(body->shape), 8 * sizeof *body->vertex);
}

// Corners of a grid about the four of a tetrahedron, so that the origin is inside.
static void sample_hull(sampler *s, lattice_body *body) {
    carom_vec3 points[10] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    int count = whole(s, 5, 10);
    for (int k = 4; k < count; k++) points[k] = crm_vec3(whole(s, -2, 2), whole(s, -2, 2), whole(s, -2, 2));
    take_points(count, points, body);
}

static void sample_solid(sampler *s, lattice_body *body) {
    static const carom_vec3 octahedron[] = {{2, 0, 0}, {-2, 0, 0}, {0, 2, 0}, {0, -2, 0}, {0, 0, 2}, {0, 0, -2}};
    static const carom_vec3 pyramid[] = {{1, 1, -1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, -1}, {0, 0, 2}};
    static const carom_vec3 wedge[] = {{2, -1, -1}, {-2, -1, -1}, {2, -1, 1}, {-2, -1, 1}, {2, 2, 0}, {-2, 2, 0}};
    static const carom_vec3 prism[] = {{2, 0, -1}, {1, 2, -1}, {-1, 2, -1}, {-2, 0, -1}, {-1, -2, -1}, {1, -2, -1},
                                       {2, 0, 1},  {1, 2, 1},  {-1, 2, 1},  {-2, 0, 1},  {-1, -2, 1},  {1, -2, 1}};
    switch (whole(s, 0, 3)) {
    case 0:
        take_points(6, octahedron, body);
        break;
    case 1:
        take_points(5, pyramid, body);
        break;
    case 2:
        take_points(6, wedge, body);
        break;
    default:
        take_points(12, prism, body);
    }
}

// Half of them stand as the grid does or have been rotated by quarters; the others are rotated by rational matrices.
static void sample_body(sampler *s, lattice_body *body) {
    static const long quaternions[][4] = {{1, 0, 0, 0}, {1, 1, 0, 0},  {1, 1, 1, 1}, {1, 0, 0, 1},
                                          {2, 1, 0, 0}, {2, 0, -1, 0}, {1, 1, 1, 0}, {3, 0, 0, 1}};
    double kind = sample_between(s, 0.0, 3.0);
    if (kind < 1.0)
        sample_box(s, body);
    else if (kind < 2.0)
        sample_hull(s, body);
    else
        sample_solid(s, body);
    const long *q = quaternions[whole(s, 0, 1) == 0 ? whole(s, 0, 3) : whole(s, 0, 7)];
    memcpy(body->quaternion, q, sizeof body->quaternion);
    body->square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

static carom_quat attitude_of(const lattice_body *body) {
    double length = sqrt((double)body->square);
    return (carom_quat){(double)body->quaternion[0] / length, (double)body->quaternion[1] / length,
                        (double)body->quaternion[2] / length, (double)body->quaternion[3] / length};
}

typedef struct lattice_pair {
    lattice_body body[2];
    exact_vector corner[2][EXACT_CORNERS_MAX]; // arms, then places of B's, in units
    exact_vector c;                            // from A to B, in units
    carom_view view[2];
} lattice_pair;

// The mean of a random choice of up to six of the corners that lie farthest along `n`, times 12.
static exact_vector sample_feature(sampler *s, const lattice_pair *p, int side, exact_vector n) {
    exact_int most = 0;
    exact_vector sum = {0, 0, 0};
    int farthest[EXACT_CORNERS_MAX], count = 0;
    static const int sizes[] = {1, 2, 3, 4, 4, 6, 6}; // that divide 12
    int wanted = sizes[whole(s, 0, 6)];
    for (int k = 0; k < p->body[side].count; k++) {
        exact_int along = exact_dot(n, p->corner[side][k]);
        if (k == 0 || along > most) count = 0;
        if (k == 0 || along >= most) {
            farthest[count++] = k;
            most = along;
        }
    }
    while (wanted > count) wanted--;
    if (wanted == 5) wanted = 4;
    for (int k = 0; k < wanted; k++) {
        int other = whole(s, k, count - 1), chosen = farthest[other];
        farthest[other] = farthest[k];
        sum = exact_minus(sum, exact_times(-12 / wanted, p->corner[side][chosen]));
    }
    return sum;
}

static carom_vec3 in_metres(exact_vector v) {
    return crm_vec3((double)v.x / UNIT, (double)v.y / UNIT, (double)v.z / UNIT);
}

// Two features with opposite normals on one line with both centres: touching, apart or overlapping. False where the
// centres would coincide.
static bool sample_pair(sampler *s, lattice_pair *p) {
    memset(p, 0, sizeof *p);
    for (int side = 0; side < 2; side++) sample_body(s, &p->body[side]);
    if (whole(s, 0, 1) == 0) { // as the other one stands
        memcpy(p->body[1].quaternion, p->body[0].quaternion, sizeof p->body[0].quaternion);
        p->body[1].square = p->body[0].square;
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < p->body[side].count; k++)
            p->corner[side][k] = rotated(&p->body[side], p->body[side].vertex[k]);
    }
    exact_vector n = {whole(s, -1, 1), whole(s, -1, 1), whole(s, -1, 1)};
    if (whole(s, 0, 2) == 0) n = (exact_vector){0, 0, 1};
    if (whole(s, 0, 5) == 0) n = (exact_vector){whole(s, -3, 3), whole(s, -3, 3), whole(s, -3, 3)};
    exact_vector apart = exact_minus(sample_feature(s, p, 0, n), sample_feature(s, p, 1, exact_times(-1, n)));
    static const long shares[] = {12, 12, 6, 24}; // of the distance at which they touch
    long share = shares[whole(s, 0, 3)];
    // 12 and `share` divide the units of what comes out, as all coordinates are multiples of 360.
    p->c = (exact_vector){apart.x * share / 144, apart.y * share / 144, apart.z * share / 144};
    if (p->c.x == 0 && p->c.y == 0 && p->c.z == 0) return false;
    carom_vec3 first = crm_vec3(whole(s, -5, 5), whole(s, -5, 5), whole(s, -5, 5));
    for (int side = 0; side < 2; side++) {
        const lattice_body *body = &p->body[side];
        carom_pose pose = {side == 0 ? first : crm_add(first, in_metres(p->c)), attitude_of(body)};
        p->view[side] = carom_view_of(body->shape, pose);
        p->view[side].has_centre = true; // the origin
    }
    for (int k = 0; k < p->body[1].count; k++) p->corner[1][k] = exact_minus(p->corner[1][k], exact_times(-1, p->c));
    return true;
}

// How pairs meet, by how many corners of either may have weight.
typedef struct census {
    int degenerate, faces, edges, corner_edge, corners, corner_face, most_alphas, most_weightings;
} census;

static void count_pair(const exact_optima *o, census *c) {
    int less = o->active_a < o->active_b ? o->active_a : o->active_b;
    int more = o->active_a < o->active_b ? o->active_b : o->active_a;
    c->degenerate += o->alpha_count > 1 || o->weights_count > 1;
    c->faces += less > 2;
    c->edges += less == 2 && more == 2 && o->weights_count > 1;
    c->corner_edge += less == 1 && more == 2;
    c->corners += less == 1 && more == 1;
    c->corner_face += less == 1 && more > 3;
    c->most_alphas = o->alpha_count > c->most_alphas ? o->alpha_count : c->most_alphas;
    c->most_weightings = o->weights_count > c->most_weightings ? o->weights_count : c->most_weightings;
}

// False when the optima were not those of the enumeration.
static bool check_pair(const lattice_pair *p, exact_optima *o, carom_ray_optima *found, census *c) {
    exact_optima_find(p->body[0].count, p->corner[0], p->body[1].count, p->corner[1], p->c, o);
    carom_ray_witness ray;
    bool good =
        CHECK(o->meets) && CHECK_INT(carom_ray_find(&p->view[0], &p->view[1], NULL, NULL, &ray, NULL), CAROM_OK);
    if (!good || !CHECK_INT(ray.outcome, CAROM_RAY_MEETS)) return false;
    double length = crm_length(in_metres(p->c)) * UNIT;
    CHECK_NEAR(ray.value, fraction_value(o->value) * length / UNIT, 1e-12);
    CHECK(ray.alpha_unique == (o->alpha_count == 1));
    CHECK(ray.weights_unique == (o->weights_count == 1));
    carom_ray_find_optima(&p->view[0], &p->view[1], &ray, found);
    count_pair(o, c);
    return optima_agree(found, o, p->body[0].count, p->body[1].count, length);
}

static void check_pairs(int wanted, unsigned seed) {
    exact_optima *o = calloc(1, sizeof *o);
    carom_ray_optima *found = calloc(1, sizeof *found);
    assert_non_null(o);
    assert_non_null(found);
    sampler s = {.seed = seed};
    census c = {0};
    int count = 0, wrong = 0;
    while (c.degenerate < wanted && count < 4 * wanted) {
        lattice_pair p;
        count++;
        if (sample_pair(&s, &p) && !check_pair(&p, o, found, &c)) {
            print_message("pair %d\n", count);
            wrong++;
        }
        for (int side = 0; side < 2; side++) carom_shape_destroy(p.body[side].shape);
    }
    CHECK_INT(wrong, 0);
    CHECK(c.degenerate >= wanted);
    int some = wanted / 20;
    CHECK(c.faces > some && c.edges > some && c.corner_edge > some && c.corners > some);
    print_message("%d pairs, %d degenerate: %d face on face, %d edge on parallel edge, %d corner on edge, %d corner on "
                  "corner, %d corner on a face of more than three; up to %d alphas and %d weightings\n",
                  count, c.degenerate, c.faces, c.edges, c.corner_edge, c.corners, c.corner_face, c.most_alphas,
                  c.most_weightings);
    free(found);
    free(o);
}

TEST(optima_are_those_of_rational_arithmetic) {
    check_pairs(100, 231);
}

TEST(many_optima_are_those_of_rational_arithmetic) {
    check_pairs(1000, 232);
}

// ---- the pairs of figure 2.12

// Corners with two decimals.
static int read_corners(const json_t *side, carom_vec3 *corner) {
    const json_t *list = json_object_get(json_object_get(side, "shape"), "vertices");
    int count = (int)json_array_size(list);
    for (int k = 0; k < count; k++) {
        const json_t *v = json_array_get(list, (size_t)k);
        corner[k] = crm_vec3(json_number_value(json_array_get(v, 0)), json_number_value(json_array_get(v, 1)),
                             json_number_value(json_array_get(v, 2)));
    }
    return count;
}

// In units of 1/400 m, in which means of four are whole, too.
static exact_vector in_units(carom_vec3 v) {
    return (exact_vector){4 * lround(100.0 * v.x), 4 * lround(100.0 * v.y), 4 * lround(100.0 * v.z)};
}

static void check_figure(const char *file) {
    json_t *pair = json_load_file(file, 0, NULL);
    assert_non_null(pair);
    exact_vector corner[2][4], c = {0, 0, 0};
    carom_shape *shape[2];
    for (int side = 0; side < 2; side++) {
        carom_vec3 points[4];
        CHECK_INT(read_corners(json_object_get(pair, side == 0 ? "a" : "b"), points), 4);
        shape[side] = polytope_of_points(4, points);
        for (int k = 0; k < 4; k++) {
            corner[side][k] = in_units(carom_shape_vertices(shape[side])[k]);
            c = exact_minus(c, exact_times(side == 0 ? 1 : -1, corner[side][k]));
        }
    }
    c = (exact_vector){c.x / 4, c.y / 4, c.z / 4};
    const carom_pose here = {{0, 0, 0}, {1, 0, 0, 0}};
    carom_view a = carom_view_of(shape[0], here), b = carom_view_of(shape[1], here);
    exact_optima *o = calloc(1, sizeof *o);
    carom_ray_optima *found = calloc(1, sizeof *found);
    carom_ray_witness ray;
    assert_non_null(o);
    assert_non_null(found);
    exact_optima_find(4, corner[0], 4, corner[1], c, o);
    CHECK(o->value.above == 0);
    CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray, NULL), CAROM_OK);
    carom_ray_find_optima(&a, &b, &ray, found);
    double length = crm_length(crm_vec3((double)c.x, (double)c.y, (double)c.z));
    if (!optima_agree(found, o, 4, 4, length)) print_message("%s\n", file);
    print_message("%s: %d alphas, %d weightings\n", file + strlen(CAROM_SOURCE_DIR), o->alpha_count, o->weights_count);
    free(found);
    free(o);
    for (int side = 0; side < 2; side++) carom_shape_destroy(shape[side]);
    json_decref(pair);
}

TEST(tetrahedra_of_the_figure_have_all_their_optima) {
    for (char letter = 'a'; letter <= 'h'; letter++) {
        char file[512];
        snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/distance-2-8/%c.json", letter);
        check_figure(file);
    }
}

// ---- other shapes, bounds

static carom_ray_optima *optima_of(const carom_view *a, const carom_view *b, carom_ray_witness *ray) {
    carom_ray_optima *out = calloc(1, sizeof *out);
    assert_non_null(out);
    CHECK_INT(carom_ray_find(a, b, NULL, NULL, ray, NULL), CAROM_OK);
    carom_ray_find_optima(a, b, ray, out);
    return out;
}

// Something round has one normal; a ball over the middle of a square has two diagonals to hang from.
TEST(round_shapes_have_one_alpha) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    carom_shape *ball = NULL, *box = box_of(1, 1, 1);
    CHECK_INT(carom_shape_create(&def, NULL, &ball, NULL), CAROM_OK);
    carom_view a = place(box, 0, 0, 0), b = place(ball, 0, 0, 2), c = place(ball, 2, 2, 2);
    carom_ray_witness ray;
    carom_ray_optima *o = optima_of(&a, &b, &ray);
    CHECK_INT(o->alpha_count, 1);
    CHECK(crm_distance(o->alphas[0], ray.alpha) == 0.0);
    CHECK_INT(o->weighting_count, 2);
    CHECK(o->alphas_all && o->weightings_all);
    for (int k = 0; k < o->weighting_count; k++) {
        CHECK_INT(o->weightings[k].count_a, 2);
        CHECK_NEAR(o->weightings[k].weights_a[0], 0.5, 1e-12);
        CHECK_INT(o->weightings[k].count_b, 1);
    }
    free(o);
    o = optima_of(&a, &c, &ray); // over a corner
    CHECK_INT(o->alpha_count, 1);
    CHECK_INT(o->weighting_count, 1);
    free(o);
    o = optima_of(&b, &c, &ray);
    CHECK_INT(o->alpha_count, 1);
    CHECK_INT(o->weighting_count, 1);
    free(o);
    carom_shape_destroy(ball);
    carom_shape_destroy(box);
}

// On a floor each of the lowest corners is an optimum by itself.
TEST(floor_has_the_lowest_corners) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape *floor = NULL, *box = box_of(1, 1, 1);
    CHECK_INT(carom_shape_create(&def, NULL, &floor, NULL), CAROM_OK);
    carom_view a = place(floor, 0, 0, 0), b = place(box, 0, 0, 1);
    for (int order = 0; order < 2; order++) {
        carom_ray_witness ray;
        carom_ray_optima *o = order == 0 ? optima_of(&a, &b, &ray) : optima_of(&b, &a, &ray);
        CHECK_INT(o->alpha_count, 1);
        CHECK_INT(o->weighting_count, 4);
        for (int k = 0; k < o->weighting_count; k++) {
            const carom_weighting *w = &o->weightings[k];
            CHECK_INT(order == 0 ? w->count_b : w->count_a, 1);
            CHECK_INT(order == 0 ? w->count_a : w->count_b, 0);
            CHECK(carom_shape_vertices(box)[(order == 0 ? w->vertices_b : w->vertices_a)[0]].z < 0.0);
        }
        free(o);
    }
    carom_shape_destroy(floor);
    carom_shape_destroy(box);
}

// Of a compound the part that is met; numbers of vertices are those of the part.
TEST(compounds_have_those_of_their_parts) {
    carom_shape *box = box_of(1, 1, 1), *pair = NULL;
    carom_shape_def unit = carom_shape_def_default(CAROM_SHAPE_BOX);
    unit.box.size = crm_vec3(1, 1, 1);
    carom_compound_part part[2];
    for (int k = 0; k < 2; k++) {
        part[k] = carom_compound_part_default();
        part[k].shape = &unit;
        part[k].pose.position.z = k == 0 ? -2.0 : 2.0;
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound.part_count = 2;
    def.compound.parts = part;
    CHECK_INT(carom_shape_create(&def, NULL, &pair, NULL), CAROM_OK);
    carom_view a = place(pair, 0, 0, 0), b = place(box, 0, 0, 5);
    carom_ray_witness ray;
    carom_ray_optima *o = optima_of(&a, &b, &ray);
    CHECK_INT(ray.a.part, 1);
    CHECK_INT(o->alpha_count, 1);
    CHECK_INT(o->weighting_count, 6);
    free(o);
    carom_shape_destroy(pair);
    carom_shape_destroy(box);
}

// What is listed of more than fit is optimal all the same: the means are the points of the ray, value * beta apart.
TEST(more_than_fit_is_told) {
    carom_shape *prism = named_polytope(CAROM_POLYTOPE_PRISM, 50, 1.0, 1.0);
    carom_shape *cone = named_polytope(CAROM_POLYTOPE_PYRAMID, 100, 1.0, 1.0);
    carom_view a = place(prism, 0, 0, 0), b = place(prism, 0.1, 0.2, 1.5), c = place(cone, 0, 0, 0);
    carom_ray_witness ray;
    carom_ray_optima *o = optima_of(&a, &b, &ray);
    CHECK(!o->weightings_all && o->alphas_all);
    CHECK_INT(o->weighting_count, CAROM_OPTIMA_WEIGHTINGS);
    for (int k = 0; k < o->weighting_count; k++) {
        const carom_weighting *w = &o->weightings[k];
        carom_vec3 mean = crm_sub(b.pose.position, a.pose.position);
        for (int i = 0; i < w->count_a; i++)
            mean = crm_madd(mean, -w->weights_a[i], carom_shape_vertices(prism)[w->vertices_a[i]]);
        for (int i = 0; i < w->count_b; i++)
            mean = crm_madd(mean, w->weights_b[i], carom_shape_vertices(prism)[w->vertices_b[i]]);
        CHECK_NEAR(crm_distance(mean, crm_scale(ray.value, ray.beta)), 0.0, 1e-12);
    }
    free(o);
    // The tip of a cone under a corner: as many alphas as facets meet there, all but those the corner takes away.
    carom_view tip = place(cone, 0, 0, -2.0), flat = place(cone, 0, 0, 0);
    tip.pose.attitude = (carom_quat){1, 0, 0, 0};
    flat.pose.attitude = (carom_quat){0, 1, 0, 0}; // upside down: tip on tip
    o = optima_of(&tip, &flat, &ray);
    CHECK(!o->alphas_all);
    CHECK_INT(o->alpha_count, CAROM_OPTIMA_ALPHAS);
    for (int k = 0; k < o->alpha_count; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int v = 0; v < carom_shape_vertex_count(cone); v++) {
            carom_vec3 local = carom_shape_vertices(cone)[v];
            carom_vec3 under = crm_add(tip.pose.position, local);
            carom_vec3 over = crm_add(flat.pose.position, crm_quat_rotate(flat.pose.attitude, local));
            high = fmax(high, crm_dot(o->alphas[k], under));
            low = fmin(low, crm_dot(o->alphas[k], over));
        }
        CHECK_NEAR(low - high, ray.value, 1e-12);
        CHECK_NEAR(crm_dot(o->alphas[k], ray.beta), 1.0, 1e-12);
    }
    free(o);
    o = optima_of(&c, &b, &ray);
    CHECK(o->alphas_all);
    free(o);
    carom_shape_destroy(cone);
    carom_shape_destroy(prism);
}

// From any optimal witness, not just the settled one.
TEST(any_witness_leads_to_all) {
    carom_shape *box = box_of(1, 1, 1);
    carom_distance_options options = carom_distance_options_default();
    options.any_solution = true;
    const carom_vec3 places[] = {{1.5, 0, 0}, {1.5, 1.5, 0}, {1.5, 1.5, 1.5}, {0.5, 0.25, 0.125}};
    const int alphas[] = {1, 2, 3, 1};
    for (int k = 0; k < 4; k++) {
        carom_view a = place(box, 0, 0, 0), b = place(box, places[k].x, places[k].y, places[k].z);
        carom_ray_witness ray;
        carom_ray_optima *o = optima_of(&a, &b, &ray), *any = calloc(1, sizeof *any);
        assert_non_null(any);
        CHECK_INT(carom_ray_find(&a, &b, &options, NULL, &ray, NULL), CAROM_OK);
        carom_ray_find_optima(&a, &b, &ray, any);
        CHECK_INT(o->alpha_count, alphas[k]);
        CHECK_INT(any->alpha_count, o->alpha_count);
        CHECK_INT(any->weighting_count, o->weighting_count);
        free(any);
        free(o);
    }
    carom_shape_destroy(box);
}

// Corners that lie in a plane to 1e-11 have one normal, not one for every three of them.
TEST(facets_askew_by_less_than_a_tie_have_one_alpha) {
    carom_shape *prism = named_polytope(CAROM_POLYTOPE_PRISM, 12, 1.0, 1.0);
    sampler s = {.seed = 233};
    carom_vec3 vertex[2][24];
    for (int k = 0; k < 24; k++) {
        vertex[0][k] = carom_shape_vertices(prism)[k];
        vertex[1][k] = crm_add(vertex[0][k], sample_vec3(&s, 1e-11));
    }
    int count[2];
    for (int askew = 0; askew < 2; askew++) {
        carom_view a = carom_view_of_vertices(24, vertex[askew]), b = a;
        b.pose.position = crm_scale(3.0, vertex[0][23]); // its opposite corner meets corner 23 of A
        carom_ray_witness ray;
        carom_ray_optima *o = optima_of(&a, &b, &ray);
        CHECK(o->alphas_all);
        count[askew] = o->alpha_count;
        free(o);
    }
    CHECK_INT(count[0], 3);
    CHECK_INT(count[1], count[0]);
    carom_shape_destroy(prism);
}

TEST(a_ray_that_misses_has_none) {
    carom_shape *box = box_of(1, 1, 1);
    carom_distance_options options = carom_distance_options_default();
    options.has_direction = true;
    options.direction = crm_vec3(1, 0, 0);
    carom_view a = place(box, 0, 0, 0), b = place(box, 0, 3, 0);
    carom_ray_witness ray;
    carom_ray_optima *o = calloc(1, sizeof *o);
    assert_non_null(o);
    CHECK_INT(carom_ray_find(&a, &b, &options, NULL, &ray, NULL), CAROM_OK);
    CHECK_INT(ray.outcome, CAROM_RAY_MISSES);
    carom_ray_find_optima(&a, &b, &ray, o);
    CHECK_INT(o->alpha_count + o->weighting_count, 0);
    CHECK(o->alphas_all && o->weightings_all);
    free(o);
    carom_shape_destroy(box);
}

TEST_MAIN(CASE(optima_are_those_of_rational_arithmetic), CASE(tetrahedra_of_the_figure_have_all_their_optima),
          CASE(round_shapes_have_one_alpha), CASE(floor_has_the_lowest_corners),
          CASE(compounds_have_those_of_their_parts), CASE(more_than_fit_is_told), CASE(any_witness_leads_to_all),
          CASE(facets_askew_by_less_than_a_tie_have_one_alpha), CASE(a_ray_that_misses_has_none),
          LONG_CASE(many_optima_are_those_of_rational_arithmetic))
