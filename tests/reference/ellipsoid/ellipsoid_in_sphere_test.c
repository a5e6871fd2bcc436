// SPDX-License-Identifier: MIT
// Stationary points of an ellipsoid in a sphere against stored cases, and against a walk over the surface.
#include "reference/ellipsoid/ellipsoid_in_sphere.h"

#include <string.h>

#include "reference/ellipsoid/ellipsoid_cases.h"

typedef struct worst_errors {
    double distance, points, multiplier;
    int family[4], second_maximum;
} worst_errors;

static const char *const family_names[] = {"unique", "two_points", "circle", "sphere"};

// (x - c) A (x - c) - 1
static double off_surface(const ellipsoid *e, const double *x) {
    wide_ellipsoid w = ellipsoid_read(e);
    wide3 p = wide3_read(x);
    return (double)(wide3_dot(wide3_sub(p, w.centre), ellipsoid_gradient(&w, p)) - 1.0L);
}

static void check_points(const json_t *file, const oracle_case *c, const ellipsoid *e, const double *centre,
                         double radius, const stationary_point *s, double size, worst_errors *worst) {
    double tolerance = size * oracle_tolerance(file, "points"), normal[3], on_sphere[3];
    if (s->family != STATIONARY_POINT) {
        // Any of the family is right, but on the surface and as far.
        check_error(c->id, "surface", fabs(off_surface(e, s->point)), 1e-12 * size);
        check_error(c->id, "mirror", fabs(distance_between(s->mirror, centre) - s->distance), 1e-12 * size);
        double stored[3];
        CHECK_INT(oracle_numbers(c->expected, "one_point", stored, 3), 3);
        check_error(c->id, "stored point", fabs(distance_between(stored, centre) - s->distance), 1e-12 * size);
        return;
    }
    for (int i = 0; i < 3; i++) {
        normal[i] = (s->point[i] - centre[i]) / s->distance;
        on_sphere[i] = centre[i] + radius * normal[i];
    }
    case_error(c->id, "point", oracle_gap(c->expected, "point", s->point, 3), tolerance, &worst->points);
    case_error(c->id, "normal", oracle_gap(c->expected, "outward_normal", normal, 3), tolerance, &worst->points);
    case_error(c->id, "on the sphere", oracle_gap(c->expected, "sphere_point", on_sphere, 3), tolerance,
               &worst->points);
    case_error(c->id, "multiplier", fabs(s->multiplier - oracle_number(c->expected, "multiplier")), tolerance * size,
               &worst->multiplier);
}

TEST(stored_cases_agree) {
    json_t *file = oracle_open("ellipsoid_in_sphere.json");
    worst_errors worst = {0};
    int count = oracle_count(file);
    for (int i = 0; i < count; i++) {
        oracle_case c = oracle_at(file, i);
        ellipsoid e = read_ellipsoid(c.input, "c", "a", "q");
        stationary_point s[STATIONARY_MAX];
        double centre[3], radius = oracle_number(c.input, "sphere_radius");
        CHECK_INT(oracle_numbers(c.input, "sphere_centre", centre, 3), 3);
        double size = fmax(1.0, fmax(ellipsoid_size(&e), distance_between(centre, e.centre)));
        int found = ellipsoid_stationary_points(&e, centre, s);
        if (!CHECK(found > 0)) continue;
        CHECK_INT(s[0].kind, STATIONARY_MAXIMUM);
        worst.family[s[0].family]++;
        for (int k = 1; k < found; k++) worst.second_maximum += s[k].kind == STATIONARY_MAXIMUM;
        if (!CHECK_TEXT(family_names[s[0].family], oracle_text(c.expected, "family"))) fprintf(stderr, "%s\n", c.id);
        case_error(c.id, "farthest", fabs(s[0].distance - oracle_number(c.expected, "farthest")),
                   size * oracle_tolerance(file, "distance"), &worst.distance);
        case_error(c.id, "distance", fabs(radius - s[0].distance - oracle_number(c.expected, "distance")),
                   size * oracle_tolerance(file, "distance"), &worst.distance);
        check_points(file, &c, &e, centre, radius, &s[0], size, &worst);
    }
    CHECK(count > 0);
    print_message("%d cases: %d unique, %d pairs, %d rings, %d spheres; %d with a second maximum\n", count,
                  worst.family[0], worst.family[1], worst.family[2], worst.family[3], worst.second_maximum);
    print_message("worst: distance %.2g, points %.2g, multiplier %.2g\n", worst.distance, worst.points,
                  worst.multiplier);
    json_decref(file);
}

// On a sphere, maxima - saddles + minima = 2: a stationary point that was overlooked, or a wrong kind, breaks it.
TEST(kinds_count_to_two_and_nothing_is_farther) {
    sampler s = {.seed = 1};
    int two_maxima = 0;
    for (int i = 0; i < 2000; i++) {
        ellipsoid e = sample_ellipsoid(&s, i % 2 == 0 ? 3.0 : 30.0, i % 3 == 0 ? 0.05 : 1.0);
        wide_ellipsoid w = ellipsoid_read(&e);
        const double centre[3] = {0, 0, 0};
        stationary_point list[STATIONARY_MAX];
        int count = ellipsoid_stationary_points(&e, centre, list), of_kind[3] = {0};
        for (int k = 0; k < count; k++) {
            of_kind[list[k].kind]++;
            CHECK_INT(list[k].family, STATIONARY_POINT);
            CHECK_NEAR(off_surface(&e, list[k].point), 0.0, 1e-12);
            // x - d + lambda x/a^2 = 0, in world axes
            wide3 x = wide3_read(list[k].point);
            wide3 rest = wide3_along(x, list[k].multiplier, ellipsoid_gradient(&w, x));
            CHECK_NEAR((double)wide3_norm(rest), 0.0, 1e-11);
        }
        CHECK_INT(of_kind[0] - of_kind[1] + of_kind[2], 2);
        CHECK_INT(list[0].kind, STATIONARY_MAXIMUM);
        CHECK_INT(list[count - 1].kind, STATIONARY_MINIMUM);
        two_maxima += of_kind[0] == 2;
        CHECK(of_kind[0] <= 2);
        for (int k = 0; k < 50; k++) {
            carom_vec3 u = sample_unit(&s);
            wide3 on = wide_rotate(w.rotation, (wide3){w.a[0] * u.x, w.a[1] * u.y, w.a[2] * u.z});
            double distance = (double)wide3_norm(wide3_add(on, w.centre));
            CHECK(distance <= list[0].distance + 1e-15 && distance >= list[count - 1].distance - 1e-15);
        }
    }
    CHECK(two_maxima > 100);
    print_message("%d of 2000 with two maxima\n", two_maxima);
}

// The second maximum has its multiplier between the squares of the two longest axes.
TEST(second_maximum_lies_between_the_longest_axes) {
    sampler s = {.seed = 2};
    int found = 0;
    for (int i = 0; i < 400; i++) {
        ellipsoid e = sample_ellipsoid(&s, 5.0, 0.1);
        const double centre[3] = {0, 0, 0};
        stationary_point list[STATIONARY_MAX];
        int count = ellipsoid_stationary_points(&e, centre, list);
        double a = ellipsoid_size(&e), b = 0.0;
        for (int k = 0; k < 3; k++)
            if (e.axes[k] < a) b = fmax(b, e.axes[k]);
        for (int k = 1; k < count; k++) {
            if (list[k].kind != STATIONARY_MAXIMUM) continue;
            found++;
            CHECK(list[k].multiplier > -a * a && list[k].multiplier < -b * b);
        }
    }
    CHECK(found > 200);
    print_message("a second maximum in %d of 400\n", found);
}

// Turned symmetric cases are symmetric to rounding only: both points of a pair are then maxima of nearly equal
// distance.
TEST(rotated_pair_gives_two_maxima) {
    sampler s = {.seed = 3};
    for (int i = 0; i < 100; i++) {
        ellipsoid e = sample_ellipsoid(&s, 1.0, 1.0);
        e.axes[0] = 1.0, e.axes[1] = 0.6, e.axes[2] = 0.3;
        wide_ellipsoid w = ellipsoid_read(&e);
        double centre[3];
        wide3_write(wide3_add(w.centre, wide_rotate(w.rotation, (wide3){0, 0.02L, -0.1L})), centre);
        stationary_point list[STATIONARY_MAX];
        int count = ellipsoid_stationary_points(&e, centre, list);
        if (list[0].family == STATIONARY_PAIR) continue;
        CHECK(count > 1 && list[1].kind == STATIONARY_MAXIMUM);
        CHECK_NEAR(list[0].distance, list[1].distance, 1e-15);
    }
}

TEST_MAIN(CASE(stored_cases_agree), CASE(kinds_count_to_two_and_nothing_is_farther),
          CASE(second_maximum_lies_between_the_longest_axes), CASE(rotated_pair_gives_two_maxima))
