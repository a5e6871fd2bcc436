// SPDX-License-Identifier: MIT
// What is left of the contacts of two faces: the corners of where they lie over each other, and with them every wrench
// that normal forces at all contacts can make.
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "reference/program/least_norm.h"
#include "support/geometry/contact_world.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

enum { MOST = 64 };

static const double degree = 3.14159265358979323846 / 180.0;

typedef struct contact_list {
    int count;
    carom_contact at[MOST];
} contact_list;

static void list_contacts(carom_view lower, carom_view upper, double margin, bool all, bool swapped,
                          contact_list *out) {
    carom_contact_options options = carom_contact_options_default();
    options.all_contacts = all;
    carom_contact_set *set = contact_set_of(&options);
    carom_proxy proxies[2] = {proxy_of(swapped ? 9 : 3, lower, 0.5 * margin),
                              proxy_of(swapped ? 3 : 9, upper, 0.5 * margin)};
    update_contacts(set, 2, proxies, NULL);
    const carom_contact *list = carom_contact_set_list(set, &out->count);
    CHECK(out->count <= MOST);
    if (out->count > 0) memcpy(out->at, list, (size_t)out->count * sizeof *list);
    carom_contact_set_destroy(set);
}

static carom_shape *prism_of(int corners, double radius, double height) {
    return named_polytope(CAROM_POLYTOPE_PRISM, corners, radius, height);
}

static carom_view turned_about_z(const carom_shape *shape, double angle, double x, double y, double z) {
    carom_view view = place(shape, x, y, z);
    view.pose.attitude = crm_quat_from_axis_angle((carom_vec3){0, 0, 1}, angle);
    return view;
}

// ---- corners

TEST(face_on_a_plane_keeps_its_corners) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape *floor = NULL;
    CHECK(carom_shape_create(&def, NULL, &floor, NULL) == CAROM_OK);
    for (int corners = 3; corners <= 12; corners++) {
        carom_shape *prism = prism_of(corners, 0.5, 0.6);
        for (int k = 0; k < 10; k++) {
            contact_list list;
            carom_view upper = turned_about_z(prism, 0.1 * k, 0.3, -0.2, 0.3 + 1e-7);
            list_contacts(place(floor, 0, 0, 0), upper, 1e-3, false, k % 2 == 1, &list);
            CHECK_INT(list.count, corners);
            carom_shape *slab = box_of(3.0, 3.0, 0.5);
            list_contacts(place(slab, 0, 0, -0.25), upper, 1e-3, false, k % 2 == 1, &list);
            CHECK_INT(list.count, corners);
            carom_shape_destroy(slab);
        }
        carom_shape_destroy(prism);
    }
    carom_shape_destroy(floor);
}

// The polygon where a unit square and one rotated by an angle lie over each other.
static int turned_square_overlap(double angle, double corner[][2]) {
    double c = cos(angle), s = sin(angle);
    int n = 4;
    const double square[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    memcpy(corner, square, sizeof square);
    for (int side = 0; side < 4; side++) { // clipped by x c + y s <= 0.5, and so on round
        double nx = side % 2 ? -s : c, ny = side % 2 ? c : s, cut[MOST][2];
        if (side > 1) nx = -nx, ny = -ny;
        int m = 0;
        for (int i = 0; i < n; i++) {
            const double *p = corner[i], *q = corner[(i + 1) % n];
            double of_p = nx * p[0] + ny * p[1] - 0.5, of_q = nx * q[0] + ny * q[1] - 0.5;
            if (of_p <= 0.0) memcpy(cut[m++], p, sizeof cut[0]);
            if ((of_p <= 0.0) == (of_q <= 0.0)) continue;
            double t = of_p / (of_p - of_q);
            cut[m][0] = p[0] + t * (q[0] - p[0]);
            cut[m++][1] = p[1] + t * (q[1] - p[1]);
        }
        n = m;
        memcpy(corner, cut, (size_t)n * sizeof cut[0]);
    }
    return n;
}

// How far the list extends along a direction in the plane.
static double list_support(const contact_list *list, double angle) {
    double most = -INFINITY;
    for (int i = 0; i < list->count; i++)
        most = fmax(most, cos(angle) * list->at[i].point_a.x + sin(angle) * list->at[i].point_a.y);
    return most;
}

TEST(turned_cubes_keep_the_outline_of_their_overlap) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    for (int degrees = 0; degrees <= 90; degrees++) {
        double angle = degrees * degree, corner[MOST][2];
        int corners = turned_square_overlap(angle, corner);
        contact_list list, all;
        list_contacts(place(cube, 0, 0, 0), turned_about_z(cube, angle, 0, 0, 1.0), 1e-6, false, false, &list);
        list_contacts(place(cube, 0, 0, 0), turned_about_z(cube, angle, 0, 0, 1.0), 1e-6, true, false, &all);
        CHECK(list.count >= 4 && list.count <= 8 && all.count >= list.count);
        if (degrees >= 5 && degrees <= 85) CHECK_INT(list.count, 8);
        for (int k = 0; k < 360; k++) { // the supports of both outlines agree within 0.5 % of the diameter
            double way = k * degree, most = -INFINITY;
            for (int i = 0; i < corners; i++) most = fmax(most, cos(way) * corner[i][0] + sin(way) * corner[i][1]);
            double kept = list_support(&list, way);
            if (!CHECK(kept <= most + 1e-5 && kept >= most - 0.005 * sqrt(2.0))) {
                print_error("%d degrees, towards %d degrees: %g of %g\n", degrees, k, kept, most);
                break;
            }
        }
    }
    carom_shape_destroy(cube);
}

TEST(all_contacts_are_kept_when_they_are_asked_for) {
    carom_shape *brick = box_of(0.2, 0.1, 0.06);
    contact_list list, all;
    carom_view below = place(brick, 0, 0, 0), above = turned_about_z(brick, 1e-4, 0.1, 0, 0.06);
    list_contacts(below, above, 1e-3, false, false, &list);
    list_contacts(below, above, 1e-3, true, false, &all);
    CHECK_INT(list.count, 4);
    CHECK(all.count > 4);
    for (int i = 0; i < list.count; i++) { // what stays is listed as it is
        int same = 0;
        for (int k = 0; k < all.count; k++)
            same += memcmp(&all.at[k].gap, &list.at[i].gap, sizeof list.at[i].gap) == 0 &&
                    memcmp(&all.at[k].point_a, &list.at[i].point_a, sizeof list.at[i].point_a) == 0;
        CHECK(same >= 1);
    }
    carom_shape_destroy(brick);
}

// ---- wrenches

// The wrench of a unit force along the normal, about the origin, moments in units of `size`.
static void wrench_of(const carom_contact *c, double size, wide *out) {
    carom_vec3 moment = crm_cross(c->point_a, c->normal);
    const double entry[6] = {c->normal.x, c->normal.y, c->normal.z, moment.x / size, moment.y / size, moment.z / size};
    for (int i = 0; i < 6; i++) out[i] = (wide)entry[i];
}

// The largest error, over random normal forces at all contacts, of the nearest wrench that those left can make.
static double worst_wrench(sampler *s, const contact_list *all, const contact_list *left, double size) {
    wide columns[6 * MOST], weight[MOST];
    for (int i = 0; i < left->count; i++) wrench_of(&left->at[i], size, columns + 6 * i);
    double worst = 0.0;
    for (int trial = 0; trial < 10; trial++) {
        wide wanted[6] = {0}, sum = 0, one[6];
        int only = (int)sample_between(s, 0.0, all->count);
        for (int i = 0; i < all->count; i++) {
            wide force = trial < 5 ? (i == only) : (wide)sample_between(s, 0.0, 1.0);
            wrench_of(&all->at[i], size, one);
            for (int k = 0; k < 6; k++) wanted[k] += force * one[k];
            sum += force;
        }
        CHECK(nonnegative_least_squares(6, left->count, columns, wanted, weight));
        wide square = 0;
        for (int k = 0; k < 6; k++) {
            wide off = -wanted[k];
            for (int i = 0; i < left->count; i++) off += weight[i] * columns[6 * i + k];
            square += off * off;
        }
        worst = fmax(worst, (double)(sqrtl(square) / sum));
    }
    return worst;
}

TEST(what_is_left_bears_every_wrench_of_all) {
    sampler s = {.seed = 1901};
    int fewer = 0;
    for (int trial = 0; trial < 300; trial++) {
        carom_shape *below = trial % 3 == 0 ? prism_of(3 + trial % 9, 0.6, 0.5) : box_of(1.2, 0.9, 0.5);
        // One draw a statement: compilers evaluate arguments in orders of their own.
        double width = trial % 2 ? 0.9 : sample_between(&s, 0.3, 1.0);
        double length = sample_between(&s, 0.05, 1.5);
        carom_shape *above = trial % 4 == 0 ? prism_of(3 + trial % 7, 0.4, 0.5) : box_of(length, width, 0.5);
        carom_quat tilt = crm_quat_from_axis_angle(sample_unit(&s), trial % 2 ? 1e-7 : 0.0);
        carom_view lower = place(below, 0, 0, -0.25);
        bool flush = trial % 5 > 1; // sides nearly along sides, as in a wall
        double y = flush ? sample_between(&s, -0.01, 0.01) : sample_between(&s, -0.5, 0.5);
        double x = sample_between(&s, -0.5, 0.5);
        double angle = flush ? sample_between(&s, 0.0, 0.02) : sample_between(&s, 0.0, 6.3);
        carom_view upper = turned_about_z(above, angle, x, y, 0.25 + 1e-6);
        upper.pose.attitude = crm_quat_mul(tilt, upper.pose.attitude);
        contact_list left, all;
        double margin = pow(10.0, sample_between(&s, -5.0, -1.3));
        list_contacts(lower, upper, margin, false, trial % 2 == 0, &left);
        list_contacts(lower, upper, margin, true, trial % 2 == 0, &all);
        if (all.count > 0 && CHECK(left.count > 0)) {
            double diameter = 0.0;
            for (int i = 0; i < all.count; i++)
                for (int k = 0; k < i; k++)
                    diameter = fmax(diameter, crm_distance(all.at[i].point_a, all.at[k].point_a));
            double worst = worst_wrench(&s, &all, &left, fmax(diameter, 1e-3));
            if (!CHECK(worst <= 0.005 + 1e-5)) print_error("trial %d: %g\n", trial, worst);
            fewer += left.count < all.count;
        }
        carom_shape_destroy(below);
        carom_shape_destroy(above);
    }
    CHECK(fewer > 50);
}

// ---- the order of ids

static bool has_point(const contact_list *list, const carom_contact *c) {
    for (int i = 0; i < list->count; i++)
        if (crm_distance(list->at[i].point_b, c->point_a) < 1e-9 && fabs(list->at[i].gap - c->gap) < 1e-9) return true;
    return false;
}

TEST(what_is_left_does_not_depend_on_which_is_first) {
    sampler s = {.seed = 1902};
    int reduced = 0;
    for (int trial = 0; trial < 400; trial++) {
        carom_shape *below = box_of(1.0, 1.0, 0.5);
        double width = sample_between(&s, 0.3, 1.0), length = sample_between(&s, 0.5, 1.5);
        carom_shape *above = trial % 4 == 0 ? prism_of(3 + trial % 7, 0.4, 0.5) : box_of(length, width, 0.5);
        carom_vec3 axis = sample_unit(&s);
        carom_quat tilt = crm_quat_from_axis_angle(axis, sample_between(&s, 0.0, trial % 2 ? 1e-3 : 0.03));
        carom_view lower = place(below, 0, 0, -0.25);
        double y = sample_between(&s, -0.4, 0.4), x = sample_between(&s, -0.4, 0.4);
        double angle = sample_between(&s, 0.0, 6.3);
        carom_view upper = turned_about_z(above, angle, x, y, 0.25);
        upper.pose.attitude = crm_quat_mul(tilt, upper.pose.attitude);
        contact_list one, other, all;
        list_contacts(lower, upper, 0.03, false, false, &one);
        list_contacts(lower, upper, 0.03, false, true, &other);
        list_contacts(lower, upper, 0.03, true, false, &all);
        reduced += one.count < all.count;
        CHECK_INT(one.count, other.count);
        for (int i = 0; i < one.count; i++)
            if (!CHECK(has_point(&other, &one.at[i]))) print_error("trial %d, contact %d\n", trial, i);
        carom_shape_destroy(below);
        carom_shape_destroy(above);
    }
    CHECK(reduced > 100);
}

TEST_MAIN(CASE(face_on_a_plane_keeps_its_corners), CASE(turned_cubes_keep_the_outline_of_their_overlap),
          CASE(all_contacts_are_kept_when_they_are_asked_for), CASE(what_is_left_bears_every_wrench_of_all),
          CASE(what_is_left_does_not_depend_on_which_is_first))
