// SPDX-License-Identifier: MIT
// Mass properties of shapes, against closed forms and against each other. The closed forms: solids.c.
#include "carom/mass.h"

#include <math.h>

#include "math/quat.h"
#include "math/spatial.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"
#include "support/harness/small_compare.h"

static carom_mass mass_of(const carom_shape *shape, double density) {
    carom_mass mass = {0};
    CHECK_INT(carom_shape_get_mass(shape, density, &mass, NULL), CAROM_OK);
    return mass;
}

static void check_same(const carom_mass *got, const carom_mass *wanted, double tolerance) {
    CHECK_NEAR(got->volume, wanted->volume, tolerance * wanted->volume);
    CHECK_NEAR(got->mass, wanted->mass, tolerance * wanted->mass);
    CHECK_NEAR(vec3_gap(got->centre, wanted->centre), 0.0, tolerance * (1.0 + crm_length(wanted->centre)));
    CHECK_NEAR(mat3_gap(got->inertia, wanted->inertia), 0.0, tolerance * crm_mat3_norm(wanted->inertia));
}

static carom_shape *make(const carom_shape_def *def) {
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

TEST(simple_kinds_have_their_closed_forms) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = 2.0;
    carom_shape *shape = make(&def);
    carom_mass got = mass_of(shape, 3.0), wanted;
    CHECK_NEAR(got.volume, 32.0 / 3.0 * 3.14159265358979323846, 1e-14);
    CHECK_NEAR(got.mass, 3.0 * got.volume, 1e-13);
    CHECK_NEAR(got.inertia.y.y, 0.4 * got.mass * 4.0, 1e-12);
    carom_shape_destroy(shape);

    def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    def.ellipsoid.half_axes = crm_vec3(1.0, 2.0, 3.0);
    shape = make(&def);
    got = mass_of(shape, 3.0);
    carom_mass_of_ellipsoid(def.ellipsoid.half_axes, 3.0, &wanted, NULL);
    check_same(&got, &wanted, 0.0);
    CHECK_NEAR(got.inertia.x.x, got.mass * (4.0 + 9.0) / 5.0, 1e-12);
    carom_shape_destroy(shape);

    def = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    shape = make(&def);
    got = mass_of(shape, 3.0);
    carom_mass_of_capsule(0.25, 0.5, 3.0, &wanted, NULL);
    check_same(&got, &wanted, 0.0);
    carom_shape_destroy(shape);
}

TEST(polytopes_have_their_closed_forms) {
    sampler s = {.seed = 70};
    for (int round = 0; round < 100; round++) {
        carom_vec3 edges = {sample_between(&s, 0.1, 3.0), sample_between(&s, 0.1, 3.0), sample_between(&s, 0.1, 3.0)};
        crm_transform place = {crm_quat_to_mat3(sample_attitude(&s)), sample_vec3(&s, 2.0)};
        carom_vec3 corner[8];
        for (int i = 0; i < 8; i++) {
            carom_vec3 arm = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
            corner[i] = crm_transform_point(&place, crm_vec3_mul(arm, edges));
        }
        carom_shape *shape = polytope_of_points(8, corner);
        carom_mass got = mass_of(shape, 2.0), wanted;
        carom_mass_of_box(edges, 2.0, &wanted, NULL);
        wanted.centre = place.offset;
        wanted.inertia = crm_congruence(place.rotation, wanted.inertia);
        check_same(&got, &wanted, 1e-13);
        carom_shape_destroy(shape);
    }
    carom_shape *shape = named_polytope(CAROM_POLYTOPE_TETRAHEDRON, 0, 1.0, 0.0);
    carom_mass got = mass_of(shape, 1.0);
    CHECK_NEAR(got.volume, sqrt(2.0) / 12.0, 1e-16);
    CHECK_NEAR(mat3_gap(got.inertia, crm_mat3_scale(got.mass / 20.0, crm_mat3_identity())), 0.0, 1e-16);
    carom_shape_destroy(shape);
    // A prism of many sides is a cylinder but for 1/n^2, and an exact one in the polygon's own area.
    int n = 2000;
    shape = named_polytope(CAROM_POLYTOPE_PRISM, n, 0.5, 2.0);
    got = mass_of(shape, 1.0);
    double angle = 2.0 * 3.14159265358979323846 / n, area = 0.5 * n * 0.25 * sin(angle);
    CHECK_NEAR(got.volume, 2.0 * area, 1e-13);
    CHECK_NEAR(got.inertia.z.z, got.mass * 0.25 / 6.0 * (2.0 + cos(angle)), 1e-13);
    carom_shape_destroy(shape);
    // A square pyramid: centre of mass at a quarter of the height, I_z = m a^2/10, I_x = m (a^2/20 + 3 h^2/80).
    shape = named_polytope(CAROM_POLYTOPE_PYRAMID, 4, sqrt(0.5), 1.5);
    got = mass_of(shape, 1.0);
    CHECK_NEAR(got.volume, 0.5, 1e-15);
    CHECK_NEAR(got.inertia.z.z, 0.5 / 10.0, 1e-15);
    CHECK_NEAR(got.inertia.x.x, 0.5 * (1.0 / 20.0 + 3.0 * 2.25 / 80.0), 1e-15);
    carom_shape_destroy(shape);
}

// A cube cut into two polytopes is the cube.
TEST(parts_of_a_compound_add_up) {
    carom_vec3 low[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    carom_vec3 high[6] = {{1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}, {1, 0, 1}, {0, 1, 1}};
    carom_shape_def def[2] = {carom_shape_def_default(CAROM_SHAPE_POLYTOPE),
                              carom_shape_def_default(CAROM_SHAPE_POLYTOPE)};
    def[0].polytope.vertex_count = def[1].polytope.vertex_count = 6;
    def[0].polytope.vertices = low;
    def[1].polytope.vertices = high;
    sampler s = {.seed = 80};
    for (int round = 0; round < 20; round++) {
        carom_compound_part part[2] = {carom_compound_part_default(), carom_compound_part_default()};
        carom_quat q = sample_attitude(&s);
        carom_vec3 x = sample_vec3(&s, 5.0);
        for (int i = 0; i < 2; i++) {
            part[i].shape = &def[i];
            part[i].pose = (carom_pose){x, q};
        }
        carom_shape_def compound = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
        compound.compound = (carom_compound_def){2, part};
        carom_shape *shape = make(&compound);
        carom_mass got = mass_of(shape, 4.0), wanted;
        carom_mass_of_box(crm_vec3(1.0, 1.0, 1.0), 4.0, &wanted, NULL);
        wanted.centre = crm_add(x, crm_quat_rotate(q, crm_vec3(0.5, 0.5, 0.5)));
        check_same(&got, &wanted, 1e-13);
        CHECK_NEAR(carom_shape_bounding_radius(shape), sqrt(0.75), 1e-14);
        CHECK_NEAR(vec3_gap(carom_shape_centre(shape), wanted.centre), 0.0, 1e-14);
        carom_shape_destroy(shape);
    }
    // Densities weigh: twice the density of one half moves the centre by a third of the way.
    carom_shape_def ball = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    carom_compound_part part[2] = {carom_compound_part_default(), carom_compound_part_default()};
    part[0].shape = part[1].shape = &ball;
    part[1].pose.position.x = 3.0;
    part[1].density = 2.0;
    carom_shape_def compound = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    compound.compound = (carom_compound_def){2, part};
    carom_shape *shape = make(&compound);
    carom_mass got = mass_of(shape, 1.0);
    CHECK_NEAR(got.centre.x, 2.0, 1e-15);
    CHECK_NEAR(carom_shape_bounding_radius(shape), 2.5, 1e-15);
    carom_shape_destroy(shape);
}

TEST(scales_from_micrometres_to_megametres) {
    carom_vec3 points[400], scaled[400];
    for (int kind = 0; kind < POINTS_TWINS; kind++) {
        sampler s = {.seed = 90 + (uint64_t)kind};
        int count = sample_points(kind, &s, true, points);
        carom_shape *unit = polytope_of_points(count, points);
        carom_mass one = mass_of(unit, 1.0);
        for (int power = -6; power <= 6; power += 3) {
            double scale = pow(10.0, power);
            for (int i = 0; i < count; i++) scaled[i] = crm_scale(scale, points[i]);
            carom_shape *shape = polytope_of_points(count, scaled);
            carom_mass got = mass_of(shape, 1.0);
            CHECK_NEAR(got.volume, one.volume * scale * scale * scale, 1e-12 * one.volume * scale * scale * scale);
            CHECK_NEAR(mat3_gap(crm_mat3_scale(pow(scale, -5.0), got.inertia), one.inertia), 0.0,
                       1e-12 * crm_mat3_norm(one.inertia));
            carom_shape_destroy(shape);
        }
        carom_shape_destroy(unit);
    }
}

TEST(principal_axes_diagonalise) {
    carom_vec3 points[400];
    sampler s = {.seed = 95};
    for (int round = 0; round < 100; round++) {
        int count = sample_points(POINTS_BALL, &s, true, points);
        carom_shape *shape = polytope_of_points(count, points);
        carom_mass mass = mass_of(shape, 2.0);
        carom_vec3 moments;
        carom_mat3 axes;
        CHECK_INT(carom_mass_get_principal(&mass, &moments, &axes, NULL), CAROM_OK);
        CHECK(moments.x <= moments.y && moments.y <= moments.z && moments.z <= moments.x + moments.y);
        CHECK(is_rotation(axes, 1e-14));
        CHECK_NEAR(mat3_gap(crm_congruence_diagonal(axes, moments), mass.inertia), 0.0, 1e-15 * 8.0 * moments.z);
        carom_shape_destroy(shape);
    }
    carom_mass broken = {.inertia = {{NAN, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    carom_vec3 moments;
    carom_mat3 axes;
    carom_error error;
    CHECK_INT(carom_mass_get_principal(&broken, &moments, &axes, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "not finite");
}

TEST(static_geometry_has_no_mass) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_error error;
    carom_mass mass;
    for (int i = 0; i < 2; i++) {
        if (i == 1) def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
        carom_shape *shape = make(&def);
        CHECK_INT(carom_shape_get_mass(shape, 1.0, &mass, &error), CAROM_ERR_UNSUPPORTED);
        CHECK_TEXT(error.text,
                   i == 0 ? "a half_space has no volume and no mass" : "a container has no volume and no mass");
        CHECK(isinf(carom_shape_bounding_radius(shape)));
        carom_shape_destroy(shape);
    }
    def = carom_shape_def_default(CAROM_SHAPE_BOX);
    carom_shape *box = make(&def);
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        CHECK_INT(carom_shape_get_mass(box, bad[i], &mass, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "density is ");
    }
    carom_shape_destroy(box);
}

TEST_MAIN(CASE(simple_kinds_have_their_closed_forms), CASE(polytopes_have_their_closed_forms),
          CASE(parts_of_a_compound_add_up), CASE(scales_from_micrometres_to_megametres),
          CASE(principal_axes_diagonalise), CASE(static_geometry_has_no_mass))
