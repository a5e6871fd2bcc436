// SPDX-License-Identifier: MIT
// An ellipsoid above a plane against stored cases.
#include "reference/ellipsoid/ellipsoid_cases.h"

TEST(stored_cases_agree) {
    json_t *file = oracle_open("ellipsoid_plane.json");
    int count = oracle_count(file);
    double worst_distance = 0.0, worst_point = 0.0;
    for (int i = 0; i < count; i++) {
        oracle_case c = oracle_at(file, i);
        ellipsoid e = read_ellipsoid(c.input, "c", "a", "q");
        double normal[3], point[3], foot[3], offset = oracle_number(c.input, "plane_offset");
        CHECK_INT(oracle_numbers(c.input, "plane_normal", normal, 3), 3);
        double size = fmax(1.0, fmax(ellipsoid_size(&e), fabs(offset)));
        double gap = ellipsoid_plane_gap(&e, normal, offset, point, foot);
        case_error(c.id, "distance", fabs(gap - oracle_number(c.expected, "distance")),
                   size * oracle_tolerance(file, "distance"), &worst_distance);
        case_error(c.id, "point", oracle_gap(c.expected, "point", point, 3), size * oracle_tolerance(file, "points"),
                   &worst_point);
        case_error(c.id, "foot", oracle_gap(c.expected, "plane_point", foot, 3),
                   size * oracle_tolerance(file, "points"), &worst_point);
    }
    CHECK(count > 0);
    print_message("%d cases, worst: distance %.2g, points %.2g\n", count, worst_distance, worst_point);
    json_decref(file);
}

// No point of the surface is lower than the one found, and it is on the surface.
TEST(no_surface_point_is_lower) {
    sampler s = {.seed = 11};
    for (int i = 0; i < 300; i++) {
        ellipsoid e = sample_ellipsoid(&s, 50.0, 3.0);
        wide_ellipsoid w = ellipsoid_read(&e);
        carom_vec3 n = sample_unit(&s);
        double normal[3] = {n.x, n.y, n.z}, point[3], foot[3], gap = ellipsoid_plane_gap(&e, normal, 0.5, point, foot);
        wide3 arm = wide3_sub(wide3_read(point), w.centre), gradient = ellipsoid_gradient(&w, wide3_read(point));
        CHECK_NEAR((double)wide3_dot(arm, gradient), 1.0, 1e-12);
        for (int k = 0; k < 200; k++) {
            carom_vec3 u = sample_unit(&s);
            wide3 on = wide_rotate(w.rotation, (wide3){w.a[0] * u.x, w.a[1] * u.y, w.a[2] * u.z});
            wide height = wide3_dot(wide3_read(normal), wide3_add(w.centre, on)) - 0.5L;
            CHECK(height >= gap - 1e-14);
        }
    }
}

TEST_MAIN(CASE(stored_cases_agree), CASE(no_surface_point_is_lower))
