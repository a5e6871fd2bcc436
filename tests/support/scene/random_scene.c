// SPDX-License-Identifier: MIT
#include "support/scene/random_scene.h"

#include <math.h>

#include "math/quat.h"
#include "support/harness/check.h"

enum { scene_shapes = 6, scene_materials = 3, most_bodies = 30, polytope_points = 14 };

// Bodies stand on a lattice of this spacing, m: twice the radius that any of them has, and some.
static const double spacing = 0.5, largest_radius = 0.22;

static int pick(sampler *s, int count) {
    int chosen = (int)sample_between(s, 0.0, count);
    return chosen < count ? chosen : count - 1;
}

// ---- shapes

static carom_shape_def convex_def(sampler *s, carom_shape_kind kind, double radius, carom_vec3 *points) {
    carom_shape_def def = carom_shape_def_default(kind);
    double half = radius / sqrt(3.0);
    switch (kind) {
    case CAROM_SHAPE_SPHERE:
        def.sphere.radius = radius;
        break;
    case CAROM_SHAPE_ELLIPSOID:
        def.ellipsoid.half_axes = crm_vec3(radius, sample_between(s, 0.4, 1.0) * radius, 0.6 * radius);
        break;
    case CAROM_SHAPE_CAPSULE:
        def.capsule.radius = 0.4 * radius;
        def.capsule.length = 1.2 * radius;
        break;
    case CAROM_SHAPE_POLYTOPE:
        for (int i = 0; i < polytope_points; i++) points[i] = crm_scale(radius, sample_unit(s));
        def.polytope.vertex_count = polytope_points;
        def.polytope.vertices = points;
        break;
    default:
        def.box.size = crm_vec3(2.0 * half, sample_between(s, 0.6, 2.0) * half, 1.5 * half);
        break;
    }
    return def;
}

carom_model_shape random_shape(carom_model *model, sampler *s, carom_shape_kind kind, double radius) {
    carom_vec3 points[2][polytope_points];
    if (kind != CAROM_SHAPE_COMPOUND) {
        carom_shape_def def = convex_def(s, kind, radius, points[0]);
        return touching_shape(model, &def);
    }
    static const carom_shape_kind kinds[2] = {CAROM_SHAPE_BOX, CAROM_SHAPE_POLYTOPE};
    carom_shape_def part_def[2];
    carom_compound_part parts[2];
    for (int i = 0; i < 2; i++) {
        part_def[i] = convex_def(s, kinds[i], 0.6 * radius, points[i]);
        parts[i] = carom_compound_part_default();
        parts[i].shape = &part_def[i];
        parts[i].pose.position = crm_vec3(i == 0 ? -0.4 * radius : 0.4 * radius, 0.0, 0.0);
        parts[i].pose.attitude = sample_attitude(s);
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound.part_count = 2;
    def.compound.parts = parts;
    return touching_shape(model, &def);
}

// ---- static geometry

static void add_wall(carom_model *model, carom_material material, carom_vec3 normal, double offset) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space.normal = normal;
    def.half_space.offset = offset;
    touching_add(model, touching_shape(model, &def), material, 0.0, crm_vec3_zero());
}

// A floor, a pit with sloping walls, or the inside of a ball.
static void add_static_geometry(carom_model *model, carom_material material, int kind) {
    if (kind == 2) {
        carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
        def.container.radius = 2.0;
        touching_add(model, touching_shape(model, &def), material, 0.0, crm_vec3(0.0, 0.0, 1.5));
        return;
    }
    add_wall(model, material, crm_vec3(0.0, 0.0, 1.0), 0.0);
    for (int k = 0; k < 4 && kind == 1; k++) {
        double x = k < 2 ? 1.0 - 2.0 * k : 0.0, y = k < 2 ? 0.0 : 5.0 - 2.0 * k;
        add_wall(model, material, crm_vec3(x, y, 0.5), -1.0);
    }
}

// ---- joints

static carom_motor_def random_motor(sampler *s, double mass) {
    carom_motor_def motor = carom_coordinate_def_default().motor;
    motor.kind = (carom_motor_kind)(1 + pick(s, 3));
    motor.target = sample_between(s, -0.2, 0.2);
    motor.target_rate = motor.kind == CAROM_MOTOR_VELOCITY ? sample_between(s, -2.0, 2.0) : 0.0;
    motor.force = sample_between(s, -1.0, 1.0) * mass;
    motor.stiffness = 20.0 * mass;
    motor.damping = 1.0 * mass;
    motor.max_force = sample_between(s, 1.0, 20.0) * mass;
    return motor;
}

// Drives by the lighter of the two bodies: what is stiff for it is soft for the other. Of rotation vectors all
// components are limited or none: beyond an angle of pi they jump, so that a limit on some is no continuous condition.
static void add_drives(sampler *s, double mass, int linear, int angular, carom_coordinate_def *coordinates) {
    double inertia = mass * largest_radius * largest_radius;
    bool vector_limited = pick(s, 3) == 0;
    for (int k = 0; k < linear + angular; k++) {
        carom_coordinate_def *c = &coordinates[k];
        bool vector = k >= linear && angular == 3;
        bool both = vector && vector_limited;
        if (both || (!vector && pick(s, 3) == 0)) c->lower = -sample_between(s, 0.05, 0.5);
        if (both || (!vector && pick(s, 3) == 0)) c->upper = sample_between(s, 0.05, 0.5);
        if (pick(s, 4) == 0) c->stiffness = 20.0 * inertia;
        if (pick(s, 4) == 0) c->damping = 0.5 * inertia;
        if (pick(s, 4) == 0) c->motor = random_motor(s, inertia);
    }
}

// What a joint connects, and where.
typedef struct joint_site {
    carom_body a, b;
    double mass;                 // of the lighter one
    carom_vec3 place_a, place_b; // of their origins; of the world nothing
    carom_vec3 point;            // where the joint is, in the world
} joint_site;

// A joint that blocks no more than `rows` motions; gives how many it blocks.
static int add_joint(carom_model *model, sampler *s, const joint_site *site, int rows) {
    carom_error error = {0};
    carom_joint_def def = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    placing.point = site->point;
    placing.axis = sample_unit(s);
    placing.x = sample_unit(s);
    def.kind = (carom_joint_kind)pick(s, CAROM_JOINT_KIND_COUNT);
    def.a = site->a;
    def.b = site->b;
    def.bodies_touch = pick(s, 2) == 0;
    int linear = pick(s, 4), angular = pick(s, 4);
    if (def.kind != CAROM_JOINT_MIX) carom_joint_kind_free(def.kind, &linear, &angular);
    int blocked = def.kind == CAROM_JOINT_DISTANCE ? 1 : 6 - linear - angular;
    if (blocked > rows) return 0;
    def.linear_free = linear;
    def.angular_free = angular;
    if (def.kind == CAROM_JOINT_DISTANCE) {
        bool world = site->a.index < 0;
        def.point_a = world ? site->point : crm_vec3_zero();
        def.length = crm_distance(site->place_b, world ? site->point : site->place_a);
    } else {
        add_drives(s, site->mass, linear, angular, def.coordinate);
        if (carom_model_place_joint(model, &placing, &def, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    }
    if (carom_model_add_joint(model, &def, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    return blocked;
}

// One joint, or now and then a second one of the same two bodies. Together they leave a motion free: what is held
// altogether by several joints is a frame, whose joints cannot all be closed once they have drifted.
static void add_joints(carom_model *model, sampler *s, const joint_site *site) {
    int blocked = add_joint(model, s, site, 6);
    if (pick(s, 4) != 0) return;
    joint_site second = *site;
    second.point = crm_madd(site->point, 0.1, sample_unit(s));
    add_joint(model, s, &second, 5 - blocked);
}

// ---- the whole

carom_model *random_scene_after(const scene_guests *first, uint64_t seed) {
    sampler s = {.seed = seed};
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material materials[scene_materials];
    for (int i = 0; i < scene_materials; i++)
        materials[i] = touching_material(model, i == 0 ? 0.0 : sample_between(&s, 0.0, 2.0), seed % 7 == 6 ? 0.3 : 0.0);
    if (first->add != NULL) first->add(model, first->user);
    int geometry = pick(&s, 3);
    add_static_geometry(model, materials[pick(&s, scene_materials)], geometry);
    static const carom_shape_kind kinds[scene_shapes] = {CAROM_SHAPE_SPHERE,   CAROM_SHAPE_ELLIPSOID,
                                                         CAROM_SHAPE_BOX,      CAROM_SHAPE_CAPSULE,
                                                         CAROM_SHAPE_POLYTOPE, CAROM_SHAPE_COMPOUND};
    carom_model_shape shapes[scene_shapes];
    for (int i = 0; i < scene_shapes; i++) {
        double radius = sample_between(&s, 0.5, 1.0) * largest_radius;
        shapes[i] = random_shape(model, &s, kinds[i], radius);
    }
    int count = 10 + pick(&s, most_bodies - 9);
    carom_body bodies[most_bodies];
    carom_vec3 places[most_bodies];
    double masses[most_bodies];
    for (int i = 0; i < count; i++) {
        masses[i] = pow(10.0, sample_between(&s, 0.0, 3.0));
        places[i] = crm_scale(spacing, crm_vec3(i % 3 - 1, i / 3 % 3 - 1, 1 + i / 9));
        carom_material material = materials[pick(&s, scene_materials)];
        carom_body_def def = touching_def(model, shapes[pick(&s, scene_shapes)], material, masses[i], places[i]);
        def.attitude = sample_attitude(&s);
        def.velocity = sample_vec3(&s, 1.0);
        def.spin = sample_vec3(&s, 3.0);
        bodies[i] = world_add(model, &def);
    }
    // Chains of neighbours, some of them held by the world too, which closes loops.
    for (int b = 0; b < count; b++) {
        int chosen = pick(&s, 5);
        if (chosen > 1) continue;
        int a = b - 1;
        bool world = a < 0 || chosen == 0;
        carom_vec3 point = crm_madd(places[b], 0.3, sample_unit(&s));
        if (!world) point = crm_scale(0.5, crm_add(places[a], places[b]));
        joint_site site = {.a = world ? CAROM_WORLD : bodies[a],
                           .b = bodies[b],
                           .mass = world ? masses[b] : fmin(masses[a], masses[b]),
                           .place_a = world ? crm_vec3_zero() : places[a],
                           .place_b = places[b],
                           .point = point};
        add_joints(model, &s, &site);
    }
    return model;
}

carom_model *random_scene(uint64_t seed) {
    return random_scene_after(&(scene_guests){0}, seed);
}
