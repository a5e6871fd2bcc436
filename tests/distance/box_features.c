// SPDX-License-Identifier: MIT
// Feature contacts of two boxes by their structure, against the list for polytopes and the centre ray, which know
// nothing of it.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "distance/box/box_features.h"
#include "math/quat.h"
#include "support/geometry/feature_cases.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

// ---- pairs

enum { SITUATIONS = 13, BOXES = 48 };

typedef struct box_case {
    const carom_shape *shape_a, *shape_b;
    carom_view a, b;
    carom_feature_options options;
} box_case;

static double sample_power(sampler *s, double low, double high) {
    return low * pow(high / low, sample_between(s, 0.0, 1.0));
}

// Cubes, blocks, plates.
static void make_boxes(sampler *s, carom_shape *boxes[BOXES]) {
    for (int i = 0; i < BOXES; i++)
        boxes[i] = i % 3 == 0 ? box_of(1.0, 1.0, 1.0)
                   : i % 8 == 1
                       ? box_of(sample_power(s, 1.0, 20.0), sample_power(s, 1.0, 20.0), 0.1)
                       : box_of(sample_between(s, 0.3, 1.0), sample_between(s, 0.3, 1.0), sample_between(s, 0.3, 1.0));
}

static void drop_boxes(carom_shape *boxes[BOXES]) {
    for (int i = 0; i < BOXES; i++) carom_shape_destroy(boxes[i]);
}

static carom_quat small_rotation(sampler *s) {
    return crm_quat_from_axis_angle(sample_unit(s), sample_power(s, 1e-9, 0.1));
}

static carom_quat about_z(double angle) {
    return crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), angle);
}

static carom_quat quarter_rotations(sampler *s) {
    carom_quat q = no_rotation;
    const double quarter = 0.5 * 3.14159265358979323846;
    for (int i = 0; i < 3; i++) {
        carom_vec3 axis = {i == 0, i == 1, i == 2};
        q = crm_quat_mul(crm_quat_from_axis_angle(axis, quarter * crm_random_below(s, 4)), q);
    }
    return crm_quat_normalised(q);
}

static double half_height(const carom_shape *shape, carom_quat q) {
    carom_vec3 h = shape->half_axes, up = crm_vec3_abs(crm_quat_rotate_inverse(q, crm_vec3(0.0, 0.0, 1.0)));
    return crm_dot(h, up);
}

// B on top of A, beside its middle by up to `aside` of A's edges.
static void put_on_top(box_case *c, double aside_x, double aside_y, double gap) {
    carom_vec3 h = c->shape_a->half_axes;
    c->b.pose.position =
        crm_vec3(aside_x * h.x, aside_y * h.y, h.z + half_height(c->shape_b, c->b.pose.attitude) + gap);
}

static double sample_gap(sampler *s) {
    double sign = crm_random_below(s, 2) ? 1.0 : -1.0;
    return crm_random_below(s, 3) == 0 ? 0.0 : sign * sample_power(s, 1e-7, 3e-2);
}

static box_case sample_case(sampler *s, carom_shape *const boxes[BOXES], int situation) {
    static const double eighth = 0.25 * 3.14159265358979323846;
    box_case c = {.shape_a = boxes[crm_random_below(s, BOXES)], .shape_b = boxes[crm_random_below(s, BOXES)]};
    c.a = view_at(c.shape_a, 0.0, 0.0, 0.0, no_rotation);
    c.b = view_at(c.shape_b, 0.0, 0.0, 0.0, no_rotation);
    double x = sample_between(s, -1.2, 1.2), y = sample_between(s, -1.2, 1.2), gap = sample_gap(s);
    double even_x = 0.5 * (double)crm_random_below(s, 5) - 1.0, even_y = 0.5 * (double)crm_random_below(s, 5) - 1.0;
    carom_vec3 away = crm_scale(40.0, sample_unit(s));
    switch (situation) {
    case 0: // aligned
        put_on_top(&c, x, y, gap);
        break;
    case 1: // aligned, outlines that share lines and corners
        put_on_top(&c, even_x, even_y, gap);
        break;
    case 2: // the same, other facets on each other
        c.b.pose.attitude = quarter_rotations(s);
        put_on_top(&c, even_x, even_y, gap);
        break;
    case 3: // face on face
        c.b.pose.attitude = about_z(sample_between(s, -3.0, 3.0));
        put_on_top(&c, x, y, gap);
        break;
    case 4: // nearly
        c.b.pose.attitude = crm_quat_mul(small_rotation(s), about_z(sample_between(s, -3.0, 3.0)));
        put_on_top(&c, x, y, gap);
        break;
    case 5: // edges nearly parallel, on a face
        c.b.pose.attitude = crm_quat_mul(small_rotation(s), quarter_rotations(s));
        put_on_top(&c, even_x, even_y, gap);
        break;
    case 6: // edge on face
        c.b.pose.attitude = crm_quat_mul(about_z(sample_between(s, -3.0, 3.0)),
                                         crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), eighth));
        put_on_top(&c, x, y, gap);
        break;
    case 7: // crossed edges
        c.a.pose.attitude = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), eighth);
        c.b.pose.attitude = crm_quat_mul(about_z(sample_between(s, -3.0, 3.0)), c.a.pose.attitude);
        c.b.pose.position = crm_vec3(0.3 * x, 0.3 * y, 40.0);
        c.b = brought_to(&c.a, &c.b, gap);
        break;
    case 8: // edges nearly parallel, on each other
        c.a.pose.attitude = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), eighth);
        c.b.pose.attitude = crm_quat_mul(small_rotation(s), c.a.pose.attitude);
        c.b.pose.position = crm_vec3(0.3 * x, 0.0, 40.0);
        c.b = brought_to(&c.a, &c.b, gap);
        break;
    case 9: // overlapping
        c.b.pose.attitude = sample_attitude(s);
        c.b.pose.position = sample_vec3(s, 0.5);
        break;
    case 10: { // edge on face, through a corner of it
        double angle = sample_between(s, -3.0, 3.0), along = sample_between(s, -0.4, 0.4);
        carom_vec3 h = c.shape_b->half_axes, way = crm_vec3(cos(angle), sin(angle), 0.0);
        double beside = (h.z - h.y) * sqrt(0.5); // of the lowest edge from the middle
        c.b.pose.attitude = crm_quat_mul(about_z(angle), crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), eighth));
        put_on_top(&c, 1.0, 1.0, gap);
        c.b.pose.position = crm_madd(c.b.pose.position, along, way);
        c.b.pose.position = crm_madd(c.b.pose.position, -beside, crm_vec3(-way.y, way.x, 0.0));
        break;
    }
    case 11: // seen from another centre
        c.b.pose.attitude = crm_quat_mul(small_rotation(s), about_z(sample_between(s, -3.0, 3.0)));
        put_on_top(&c, x, y, gap);
        c.a.has_centre = true;
        c.a.centre = crm_vec3_mul(crm_vec3(0.9 * sample_between(s, -1.0, 1.0), 0.9 * sample_between(s, -1.0, 1.0), 0.0),
                                  c.shape_a->half_axes);
        break;
    default:
        c.b.pose.attitude = sample_attitude(s);
        c.b.pose.position = away;
        c.b = brought_to(&c.a, &c.b, gap);
    }
    c.b.pose.attitude = crm_quat_normalised(c.b.pose.attitude);
    // Everything somewhere else, but for one in four, where aligned boxes are exactly so.
    if (crm_random_below(s, 4) != 0) {
        carom_quat rotation = sample_attitude(s);
        carom_vec3 shift = sample_vec3(s, 2.0);
        c.a = moved_view(c.a, rotation, shift);
        c.b = moved_view(c.b, rotation, shift);
        c.a.pose.attitude = crm_quat_normalised(c.a.pose.attitude);
        c.b.pose.attitude = crm_quat_normalised(c.b.pose.attitude);
    }
    c.options = features_within(crm_random_below(s, 3) == 0 ? 0.0 : sample_power(s, 1e-4, 0.1),
                                crm_random_below(s, 3) == 0 ? 0.0 : sample_power(s, 1e-4, 0.3));
    if (crm_random_below(s, 16) == 0) c.options.margin = INFINITY;
    if (crm_random_below(s, 4) == 0) c.options.least_sine = sample_power(s, 1e-6, 0.5);
    return c;
}

// ---- the general list

static carom_ray_witness ray_of(const box_case *c) {
    carom_distance_options quick = carom_distance_options_default();
    quick.any_solution = true;
    carom_ray_witness ray;
    CHECK_INT(carom_ray_find(&c->a, &c->b, &quick, NULL, &ray, NULL), CAROM_OK);
    return ray;
}

static void list_generally(const box_case *c, const carom_ray_witness *ray, const carom_feature_options *options,
                           found_features *found) {
    crm_side a, b;
    crm_side_of(&c->a, 0, CRM_FROM_VIEW, &a);
    crm_side_of(&c->b, 0, CRM_FROM_VIEW, &b);
    found->count = crm_list_features(&a, &b, ray, options, MOST_FEATURES, found->feature);
}

static const carom_feature_contact *find_feature(const found_features *found, const carom_feature_contact *wanted) {
    for (int i = 0; i < found->count; i++) {
        const carom_feature_contact *e = &found->feature[i];
        if (e->kind == wanted->kind && e->feature_a == wanted->feature_a && e->feature_b == wanted->feature_b) return e;
    }
    return NULL;
}

// The general list with all limits moved by `by`, m: what is not in both a wider and a narrower list was within that of
// a limit. Without tolerances there is no narrower one than what rounding asks for: then it is the list itself.
static void list_moved(const box_case *c, const carom_ray_witness *ray, double by, found_features *found) {
    carom_feature_options moved = c->options;
    moved.gap_tolerance = fmax(0.0, moved.gap_tolerance + by);
    moved.margin = fmax(0.0, moved.margin + by);
    moved.least_sine = fmin(1.0, moved.least_sine - by);
    list_generally(c, ray, &moved, found);
}

static double farther(carom_vec3 a, carom_vec3 b, double than) {
    return fmax(than, crm_distance(a, b));
}

static bool same_feature(const carom_feature_contact *f, const carom_feature_contact *w, carom_vec3 middle, double size,
                         double sine) {
    double off = fabs(f->gap - w->gap);
    off = farther(f->point_a, w->point_a, off);
    off = farther(f->point_b, w->point_b, off);
    off = farther(crm_scale(size, f->normal), crm_scale(size, w->normal), off);
    // Where edges are nearly parallel both lists lose the same digits, and more where they cross far away.
    double away = 1.0 + crm_distance(f->point_a, middle) / size;
    double loss = w->kind == CAROM_FEATURE_CONTACT_EDGES ? 1e-15 / sine * away : 0.0;
    bool rho = fabs(f->rho - w->rho) <= 1e-10 * (fabs(w->rho) + 1.0) * (1.0 + loss * 1e12);
    return CHECK(off <= (1e-12 + loss) * size) && CHECK(rho);
}

typedef struct tally {
    int features, excused;
    double value_error; // of the ray, over the size and |alpha|
} tally;

static bool compare_case(const box_case *c, tally *sum) {
    static found_features found, wanted, wide, narrow;
    carom_ray_witness ray = ray_of(c);
    crm_box_plane plane;
    double size = c->shape_a->bounding_radius + c->shape_b->bounding_radius;
    if (!CHECK(crm_is_box(&c->a) && crm_is_box(&c->b))) return false;
    crm_posed_box a = crm_pose_box(&c->a), b = crm_pose_box(&c->b);
    bool listed =
        crm_list_box_features(&a, &b, INFINITY, &c->options, MOST_FEATURES, found.feature, &found.count, &plane);
    if (!CHECK(listed)) return false;
    list_generally(c, &ray, &c->options, &wanted);
    double value = plane.gap / crm_dot(plane.normal, ray.beta);
    double error = fmax(fabs(value - ray.value), fabs(plane.value - ray.value));
    sum->value_error = fmax(sum->value_error, error / (size * crm_length(ray.alpha)));
    bool same = true, moved = false;
    for (int pass = 0; pass < 2; pass++) {
        const found_features *these = pass == 0 ? &found : &wanted, *those = pass == 0 ? &wanted : &found;
        for (int i = 0; i < these->count; i++) {
            const carom_feature_contact *e = &these->feature[i], *other = find_feature(those, e);
            if (other != NULL) {
                same = same && (pass == 1 || same_feature(e, other, c->a.pose.position, size, c->options.least_sine));
                sum->features++;
                continue;
            }
            if (!moved) {
                list_moved(c, &ray, 1e-11 * size, &wide);
                list_moved(c, &ray, -1e-11 * size, &narrow);
                moved = true;
            }
            sum->excused++;
            same = same && CHECK((find_feature(&wide, e) != NULL) != (find_feature(&narrow, e) != NULL));
        }
    }
    for (int i = 1; i < found.count; i++) {
        const carom_feature_contact *e = &found.feature[i - 1], *f = &found.feature[i];
        bool after = f->kind != e->kind             ? f->kind > e->kind
                     : f->feature_a != e->feature_a ? f->feature_a > e->feature_a
                                                    : f->feature_b > e->feature_b;
        same = same && CHECK(after);
    }
    return same;
}

static void compare_many(int pairs, uint64_t seed) {
    carom_shape *boxes[BOXES];
    sampler of_shapes = {.seed = seed};
    make_boxes(&of_shapes, boxes);
    for (int situation = 0; situation < SITUATIONS; situation++) {
        sampler s = {.seed = seed, .stream = 1 + (uint32_t)situation};
        tally sum = {0};
        bool same = true;
        for (int i = 0; same && i < pairs / SITUATIONS; i++) {
            box_case c = sample_case(&s, boxes, situation);
            same = compare_case(&c, &sum);
            if (!same) fprintf(stderr, "situation %d, pair %d\n", situation, i);
        }
        CHECK(sum.features > pairs / SITUATIONS);
        CHECK(sum.excused <= 2 + pairs / 10000);
        CHECK(sum.value_error <= 1e-14);
    }
    drop_boxes(boxes);
}

TEST(boxes_have_the_features_of_their_polytopes) {
    compare_many(6000, 91);
}

TEST(many_boxes_have_the_features_of_their_polytopes) {
    compare_many(120000, 92);
}

// ---- apart

static bool same_bits(const carom_feature_contact *a, const carom_feature_contact *b) {
    return a->kind == b->kind && a->feature_a == b->feature_a && a->feature_b == b->feature_b &&
           memcmp(&a->gap, &b->gap, sizeof *a - offsetof(carom_feature_contact, gap)) == 0;
}

// Either a plane proves that the boxes are farther apart than asked for, or the feature contacts are those of the full
// list.
TEST(boxes_farther_apart_than_near_have_a_plane_between_them) {
    carom_shape *boxes[BOXES];
    sampler s = {.seed = 93};
    make_boxes(&s, boxes);
    int apart = 0, listed = 0;
    for (int i = 0; i < 6000; i++) {
        static found_features found, all;
        box_case c = sample_case(&s, boxes, i % SITUATIONS);
        carom_vec3 line;
        crm_normalise(crm_sub(c.b.pose.position, c.a.pose.position), &line);
        c.b.pose.position = crm_madd(c.b.pose.position, sample_between(&s, 0.0, 0.1), line);
        double near = i % 5 == 0 ? 0.0 : sample_power(&s, 1e-4, 0.1);
        double size = c.shape_a->bounding_radius + c.shape_b->bounding_radius;
        crm_box_plane plane, of_ray;
        crm_posed_box box_a = crm_pose_box(&c.a), box_b = crm_pose_box(&c.b);
        bool close =
            crm_list_box_features(&box_a, &box_b, near, &c.options, MOST_FEATURES, found.feature, &found.count, &plane);
        crm_list_box_features(&box_a, &box_b, INFINITY, &c.options, MOST_FEATURES, all.feature, &all.count, &of_ray);
        // The plane is what it says it is, by all corners.
        double highest = -INFINITY, lowest = INFINITY;
        for (int k = 0; k < 8; k++) {
            carom_vec3 a = crm_quat_rotate(c.a.pose.attitude, c.shape_a->polytope.vertex[k]),
                       b = crm_quat_rotate(c.b.pose.attitude, c.shape_b->polytope.vertex[k]);
            highest = fmax(highest, crm_dot(plane.normal, crm_add(c.a.pose.position, a)));
            lowest = fmin(lowest, crm_dot(plane.normal, crm_add(c.b.pose.position, b)));
        }
        CHECK_NEAR(crm_length(plane.normal), 1.0, 1e-14);
        CHECK_NEAR(plane.gap, lowest - highest, 1e-14 * size);
        carom_gap_witness gap;
        CHECK_INT(carom_gap_find(&c.a, &c.b, NULL, NULL, &gap, NULL), CAROM_OK);
        CHECK(plane.gap <= gap.gap + 1e-12 * size);
        apart += !close;
        listed += close;
        if (!close) {
            CHECK(plane.gap > near);
            CHECK_INT(found.count, 0);
            continue;
        }
        CHECK_INT(found.count, all.count);
        CHECK(memcmp(&plane, &of_ray, sizeof plane) == 0);
        for (int k = 0; k < found.count; k++) CHECK(same_bits(&found.feature[k], &all.feature[k]));
        // Boxes that overlap are kept apart by no plane, and boxes that do not by one of the fifteen.
        CHECK(fabs(gap.gap) < 1e-12 * size || (plane.gap > 0.0) == (gap.gap > 0.0));
    }
    CHECK(apart > 1000 && listed > 1000);
    drop_boxes(boxes);
}

// ---- one text, two instruction sets

TEST(all_instruction_sets_give_the_same_bits) {
    carom_shape *boxes[BOXES];
    sampler s = {.seed = 94};
    make_boxes(&s, boxes);
    for (int i = 0; i < 6000; i++) {
        static found_features first, other;
        box_case c = sample_case(&s, boxes, i % SITUATIONS);
        double near = i % 2 ? INFINITY : 1e-4;
        crm_box_plane plane, other_plane;
        crm_posed_box a = crm_pose_box(&c.a), b = crm_pose_box(&c.b);
        bool close = crm_box_kernels_variant(0)->list(&a, &b, near, &c.options, MOST_FEATURES, first.feature,
                                                      &first.count, &plane);
        for (int v = 1; crm_box_kernels_variant(v) != NULL; v++) {
            bool again = crm_box_kernels_variant(v)->list(&a, &b, near, &c.options, MOST_FEATURES, other.feature,
                                                          &other.count, &other_plane);
            CHECK(again == close && memcmp(&plane, &other_plane, sizeof plane) == 0);
            CHECK_INT(other.count, first.count);
            for (int k = 0; k < first.count; k++) CHECK(same_bits(&first.feature[k], &other.feature[k]));
        }
    }
    drop_boxes(boxes);
}

// ---- what the list stands on

// Numbers of features follow from the signs of coordinates, whatever the edges' lengths.
TEST(boxes_of_all_sizes_number_their_features_alike) {
    sampler s = {.seed = 95};
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    for (int i = 0; i < 300; i++) {
        double x = sample_power(&s, 0.01, 100.0), y = sample_power(&s, 0.01, 100.0), z = sample_power(&s, 0.01, 100.0);
        carom_shape *box = box_of(x, i % 3 ? y : x, z);
        const crm_polytope *p = &box->polytope, *c = &cube->polytope;
        CHECK(p->vertex_count == 8 && p->edge_count == 12 && p->facet_count == 6);
        for (int k = 0; k < 8; k++) {
            carom_vec3 h = box->half_axes;
            carom_vec3 v = crm_vec3(k & 1 ? h.x : -h.x, k & 2 ? h.y : -h.y, k & 4 ? h.z : -h.z);
            CHECK_NEAR(crm_distance(p->vertex[k], v), 0.0, 0.0);
        }
        for (int k = 0; k < 12; k++)
            CHECK(memcmp(p->edge[k].vertices, c->edge[k].vertices, sizeof p->edge[k].vertices) == 0);
        for (int k = 0; k < 6; k++) CHECK_NEAR(crm_distance(p->normal[k], c->normal[k]), 0.0, 1e-15);
        carom_shape_destroy(box);
    }
    carom_shape_destroy(cube);
}

// An attitude may be off from length 1 by 1e-9; the box is rotated by it and stays a box.
TEST(attitudes_are_taken_at_their_direction) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_quat q = rotation_about(1.0, 2.0, 3.0, 40.0);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, q), b = view_at(cube, 0.0, 0.0, 0.0, q);
    b.pose.position = crm_quat_rotate(q, crm_vec3(0.2, 0.3, 1.0));
    a.pose.attitude = (carom_quat){q.w * (1.0 + 8e-10), q.x * (1.0 + 8e-10), q.y * (1.0 + 8e-10), q.z * (1.0 + 8e-10)};
    found_features found;
    find_all_features(&a, &b, NULL, &found);
    CHECK_INT(found.count, 4);
    for (int i = 0; i < found.count; i++) CHECK_NEAR(found.feature[i].gap, 0.0, 1e-15);
    carom_shape_destroy(cube);
}

// Only a centre well inside of its box has a ray in closed form.
TEST(centres_near_the_surface_are_left_to_the_ray) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_view a = view_at(cube, 0.0, 0.0, 0.0, no_rotation), b = view_at(cube, 0.0, 0.0, 1.0, no_rotation), shown = a;
    carom_view bare = carom_view_of_vertices(8, carom_shape_vertices(cube));
    CHECK(crm_is_box(&a) && crm_is_box(&b) && !crm_is_box(&bare));
    shown.has_centre = true;
    shown.centre = crm_vec3(0.4, -0.4, 0.2);
    CHECK(crm_is_box(&shown));
    shown.centre.y = -0.4999;
    CHECK(!crm_is_box(&shown));
    shown.centre.y = (double)NAN;
    CHECK(!crm_is_box(&shown));
    carom_shape_destroy(cube);
}

TEST_MAIN(CASE(boxes_have_the_features_of_their_polytopes), LONG_CASE(many_boxes_have_the_features_of_their_polytopes),
          CASE(boxes_farther_apart_than_near_have_a_plane_between_them), CASE(all_instruction_sets_give_the_same_bits),
          CASE(boxes_of_all_sizes_number_their_features_alike), CASE(attitudes_are_taken_at_their_direction),
          CASE(centres_near_the_surface_are_left_to_the_ray))
