// SPDX-License-Identifier: MIT
// Manifolds that are reduced bear the moments of the whole face: what is a little inside of tipping stands still, what
// is a little beyond it tips, in every direction. Four corners of an octagon would make it rock. CAROM_PRINT=1 prints
// how far they creep.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

static const double g = 9.81, pi = 3.14159265358979323846, fine = 1e-6, step = 1.0 / 240.0;
static const double still = 1e-8;  // m in a second
static const double tipped = 0.05; // rad in a second

// Runs for a second; how far the centre and the corners have got, m, or NAN when it has tipped.
static double creep(carom_state *state, int body, double radius) {
    carom_body_state first = world_body(state, body);
    world_run(state, 240);
    carom_body_state last = world_body(state, body);
    carom_quat rotation = crm_quat_mul(last.attitude, crm_quat_conjugate(first.attitude));
    double angle = 2.0 * crm_length(crm_vec3(rotation.x, rotation.y, rotation.z));
    return angle > tipped ? NAN : crm_distance(last.position, first.position) + radius * angle;
}

static double check_stands(double crept) {
    CHECK(crept < still);
    return crept;
}

// ---- an octagonal prism on a slope

enum { sides = 8, directions = 24 };
static const double prism_radius = 0.1, prism_height = 0.4;

static carom_model_shape octagonal_prism(carom_model *model) {
    carom_vec3 corners[2 * sides];
    for (int i = 0; i < 2 * sides; i++) {
        double angle = 2.0 * pi * (i % sides + 0.5) / sides; // edges are normal to x and its likes
        corners[i] = crm_vec3(prism_radius * cos(angle), prism_radius * sin(angle),
                              i < sides ? -0.5 * prism_height : 0.5 * prism_height);
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = 2 * sides;
    def.polytope.vertices = corners;
    return touching_shape(model, &def);
}

// The slope at which the weight leaves the face downhill in this direction: half the height times its tangent is the
// way from the centre to the edge.
static double tipping_slope(double direction) {
    double sector = 2.0 * pi / sides, off = direction - sector * round(direction / sector);
    return prism_radius * cos(0.5 * sector) / (0.5 * prism_height * cos(off));
}

// Gravity is tilted instead of the plane.
static double prism_creep(double direction, double share) {
    double tilt = atan(share * tipping_slope(direction));
    carom_vec3 gravity = {g * sin(tilt) * cos(direction), g * sin(tilt) * sin(direction), -g * cos(tilt)};
    carom_model *model = world_model(gravity, 0.0);
    carom_material material = touching_material(model, 1.0, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    touching_add(model, octagonal_prism(model), material, 1.0, crm_vec3(0.0, 0.0, 0.5 * prism_height));
    carom_method_def method = touching_method(step, fine);
    carom_state *state = touching_state(model, &method);
    double crept = creep(state, 1, 0.5 * prism_height);
    world_destroy(state);
    return crept;
}

TEST(an_octagonal_prism_tips_at_its_slope_in_every_direction) {
    double worst = 0.0;
    for (int i = 0; i < directions; i++) {
        double direction = 2.0 * pi * i / directions;
        worst = fmax(worst, check_stands(prism_creep(direction, 0.98)));
        CHECK(isnan(prism_creep(direction, 1.02)));
    }
    if (getenv("CAROM_PRINT") != NULL) printf("octagonal prism: creeps by %.1e m at most\n", worst);
}

// ---- a cube on a cube

// The centre of the upper one is this share of the size inside of an edge of the lower one; the upper one is rotated
// about the vertical.
static double cube_creep(double inside, double degrees) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -g), 0.0);
    carom_material material = touching_material(model, 0.8, 0.0);
    carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
    touching_add(model, cube, material, 0.0, crm_vec3(0.0, 0.0, 0.5));
    carom_body_def def = touching_def(model, cube, material, 1.0, crm_vec3(0.5 - inside, 0.1, 1.5));
    def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), degrees * pi / 180.0);
    world_add(model, &def);
    carom_method_def method = touching_method(step, fine);
    carom_state *state = touching_state(model, &method);
    double crept = creep(state, 1, sqrt(0.75));
    world_destroy(state);
    return crept;
}

TEST(a_cube_tips_over_the_edge_of_another_however_it_is_rotated) {
    double worst = 0.0;
    for (int degrees = 0; degrees <= 90; degrees += 5) {
        worst = fmax(worst, check_stands(cube_creep(0.01, degrees)));
        CHECK(isnan(cube_creep(-0.01, degrees)));
    }
    if (getenv("CAROM_PRINT") != NULL) printf("cube on a cube: creeps by %.1e m at most\n", worst);
}

TEST_MAIN(CASE(an_octagonal_prism_tips_at_its_slope_in_every_direction),
          CASE(a_cube_tips_over_the_edge_of_another_however_it_is_rotated))
