// SPDX-License-Identifier: MIT
#include "support/scene/structure_scene.h"

#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/scene/random_scene.h"

enum { MOST_BODIES = 8, PRISM_SIDES = 6, SHAPES = 7 };

// A scene on its way. Lengths of the scene are multiples of `unit`, masses of `heft`.
typedef struct builder {
    const structure_scene_def *def;
    structure_scene *out;
    sampler s;
    double unit, heft; // powers of two
    int count;
    carom_body body[MOST_BODIES];
    carom_vec3 place[MOST_BODIES];
    double mass[MOST_BODIES], radius[MOST_BODIES];
    carom_body_kind kind[MOST_BODIES];
} builder;

static int pick(builder *b, int count) {
    int chosen = (int)sample_between(&b->s, 0.0, count);
    return chosen < count ? chosen : count - 1;
}

static double decades(builder *b, double low, double high) {
    return pow(10.0, sample_between(&b->s, low, high));
}

// ---- bodies

static carom_model_shape prism(builder *b, double radius) {
    carom_vec3 points[2 * PRISM_SIDES];
    for (int i = 0; i < PRISM_SIDES; i++) {
        double angle = 2.0 * 3.14159265358979323846 * i / PRISM_SIDES, r = 0.8 * radius;
        points[i] = crm_vec3(r * cos(angle), r * sin(angle), -0.5 * radius);
        points[PRISM_SIDES + i] = crm_vec3(points[i].x, points[i].y, 0.5 * radius);
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = 2 * PRISM_SIDES;
    def.polytope.vertices = points;
    return touching_shape(b->out->model, &def);
}

static carom_model_shape shape_of(builder *b, double radius, bool planar) {
    static const carom_shape_kind kinds[SHAPES - 1] = {CAROM_SHAPE_BOX,     CAROM_SHAPE_SPHERE,   CAROM_SHAPE_ELLIPSOID,
                                                       CAROM_SHAPE_CAPSULE, CAROM_SHAPE_POLYTOPE, CAROM_SHAPE_COMPOUND};
    // Planar ones need the axis normal to their plane among their principal ones.
    int chosen = pick(b, planar ? 4 : SHAPES);
    return chosen < SHAPES - 1 ? random_shape(b->out->model, &b->s, kinds[chosen], radius) : prism(b, radius);
}

static void name_body(carom_body_def *def, char *text, int i) {
    snprintf(text, 16, "body-%d", i);
    def->name = text;
}

static void add_body(builder *b, carom_body_kind kind, carom_vec3 place, double ratio) {
    carom_model *model = b->out->model;
    int i = b->count++;
    double speed = b->out->length / b->out->time, mass = b->heft * decades(b, -3.0, 3.0);
    double radius = b->out->length * pow(10.0, -ratio * sample_between(&b->s, 0.0, 1.0));
    carom_vec3 velocity = crm_madd(sample_vec3(&b->s, 0.3 * speed), -0.5 / b->out->time, place);
    carom_vec3 spin = sample_vec3(&b->s, 0.7 / b->out->time);
    bool planar = kind == CAROM_BODY_PLANAR;
    carom_model_shape shape = shape_of(b, radius, planar);
    carom_body_def def = carom_body_def_default();
    if (kind != CAROM_BODY_POINT) def = touching_def(model, shape, (carom_material){pick(b, 3)}, mass, place);
    def.kind = kind;
    def.mass = mass;
    def.position = place;
    def.velocity = velocity;
    if (kind == CAROM_BODY_FREE) {
        def.attitude = sample_attitude(&b->s);
        def.spin = spin;
    } else if (planar) {
        def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), sample_between(&b->s, -3.0, 3.0));
        def.velocity.z = 0.0;
        def.spin.z = spin.z;
    }
    char name[16];
    name_body(&def, name, i);
    b->body[i] = world_add(model, &def);
    b->place[i] = place;
    b->mass[i] = mass;
    b->radius[i] = radius;
    b->kind[i] = kind;
    b->out->lightest = fmin(b->out->lightest, mass);
}

// On the corners of a cube, wide enough for the largest; what is planar stays in one plane.
static void add_bodies(builder *b, double ratio) {
    int count = 2 + pick(b, MOST_BODIES - 1);
    double spacing = 1.3 * b->out->length, lift = b->def->room ? 1.3 : 0.0;
    bool planar = !b->def->joints && !b->def->gravity && pick(b, 4) == 0;
    b->out->planar = planar;
    for (int i = 0; i < count; i++) {
        carom_vec3 corner = crm_vec3(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
        corner.z += lift;
        bool point = b->def->pairs && !b->def->joints && i > 1 && pick(b, 5) == 0;
        carom_body_kind kind = point ? CAROM_BODY_POINT : planar ? CAROM_BODY_PLANAR : CAROM_BODY_FREE;
        add_body(b, kind, crm_scale(spacing, corner), ratio);
    }
}

// ---- static geometry

static void add_wall(builder *b, carom_vec3 normal, double offset) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space.normal = normal;
    def.half_space.offset = offset;
    touching_add(b->out->model, touching_shape(b->out->model, &def), (carom_material){0}, 0.0, crm_vec3_zero());
}

static void add_room(builder *b) {
    add_wall(b, crm_vec3(0.0, 0.0, 1.0), -b->out->length);
    b->out->outside = true;
    for (int k = 0; k < 4 && b->def->seed % 2 == 1; k++) {
        double x = k < 2 ? 1.0 - 2.0 * k : 0.0, y = k < 2 ? 0.0 : 5.0 - 2.0 * k;
        add_wall(b, crm_vec3(x, y, 0.0), -3.0 * b->out->length);
    }
}

// ---- forces between bodies

// A spring of two bodies, whose period is a few times that in which they move, and charges that deflect slow bodies.
static void add_pairs(builder *b) {
    carom_error error = {0};
    double rate = 1.0 / b->out->time;
    for (int i = 1; i < b->count; i++) {
        double mass = fmin(b->mass[i], b->mass[i - 1]);
        if (pick(b, 2) == 0) {
            carom_spring_def spring = carom_spring_def_default();
            spring.a = b->body[i - 1];
            spring.b = b->body[i];
            if (b->kind[i] == CAROM_BODY_FREE) spring.point_b = sample_vec3(&b->s, 0.3 * b->radius[i]);
            spring.stiffness = mass * rate * rate;
            spring.rest_length = pick(b, 2) == 0 ? 0.0 : b->out->length;
            CHECK_INT(carom_model_add_spring(b->out->model, &spring, &error), CAROM_OK);
        } else {
            carom_charge_def charge = carom_charge_def_default();
            charge.body = b->body[i];
            if (b->kind[i] == CAROM_BODY_FREE) charge.point = sample_vec3(&b->s, 0.3 * b->radius[i]);
            charge.charge = sample_between(&b->s, -0.3, 0.3);
            CHECK_INT(carom_model_add_charge(b->out->model, &charge, &error), CAROM_OK);
        }
    }
}

// ---- joints

// Limits and velocity motors that bodies of this mass and radius feel. Of rotation vectors all components are limited
// or none, as a limit on some is no continuous condition beyond an angle of pi.
static void add_drives(builder *b, double mass, double radius, int linear, int angular, carom_coordinate_def *c) {
    bool vector_limited = pick(b, 3) == 0;
    for (int k = 0; k < linear + angular; k++) {
        bool angular_one = k >= linear, vector = angular_one && angular == 3;
        double unit = angular_one ? 1.0 : radius, rate = unit / b->out->time;
        double force = mass * radius * radius / (unit * b->out->time * b->out->time);
        bool limited = vector ? vector_limited : pick(b, 3) == 0;
        if (limited) c[k].lower = -unit * sample_between(&b->s, 0.01, 0.3);
        if (limited) c[k].upper = unit * sample_between(&b->s, 0.01, 0.3);
        if (pick(b, 3) > 0) continue;
        c[k].motor.kind = CAROM_MOTOR_VELOCITY;
        c[k].motor.target_rate = rate * sample_between(&b->s, -2.0, 2.0);
        c[k].motor.max_force = force * sample_between(&b->s, 0.1, 10.0);
    }
}

static void add_joint(builder *b, int i, bool grounded) {
    static const carom_joint_kind kinds[5] = {CAROM_JOINT_BALL, CAROM_JOINT_HINGE, CAROM_JOINT_SLIDER,
                                              CAROM_JOINT_UNIVERSAL, CAROM_JOINT_FIXED};
    int parent = grounded ? -1 : pick(b, i);
    carom_joint_placing placing = {
        .struct_size = sizeof(carom_joint_placing), .axis = sample_unit(&b->s), .x = sample_unit(&b->s)};
    placing.point = crm_madd(b->place[i], b->radius[i], sample_unit(&b->s));
    carom_joint_def def = carom_joint_def_default();
    def.kind = kinds[pick(b, b->def->drives ? 5 : 4)];
    def.a = parent < 0 ? CAROM_WORLD : b->body[parent];
    def.b = b->body[i];
    carom_error error = {0};
    if (carom_model_place_joint(b->out->model, &placing, &def, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    int linear, angular;
    carom_joint_kind_free(def.kind, &linear, &angular);
    double mass = parent < 0 ? b->mass[i] : fmin(b->mass[i], b->mass[parent]);
    double stiffness = mass / (b->out->time * b->out->time), arm = b->radius[i] * b->radius[i];
    for (int k = 0; k < linear + angular; k++)
        if (pick(b, 4) == 0) def.coordinate[k].stiffness = k < linear ? stiffness : arm * stiffness;
    if (b->def->drives) add_drives(b, mass, b->radius[i], linear, angular, def.coordinate);
    joints_add(b->out->model, &def);
    if (parent < 0) b->out->outside = true;
}

static void add_trees(builder *b) {
    for (int i = 0; i < b->count; i++) {
        bool grounded = b->def->grounded && (i == 0 || pick(b, 4) == 0);
        if (grounded || (i > 0 && pick(b, 3) > 0)) add_joint(b, i, grounded);
    }
}

// ---- the whole

structure_scene structure_scene_make(const structure_scene_def *def) {
    structure_scene out = {.lightest = INFINITY, .outside = def->gravity};
    builder b = {.def = def, .out = &out, .s = {.seed = def->seed}};
    b.unit = ldexp(1.0, def->length);
    b.heft = ldexp(1.0, def->mass);
    double size = decades(&b, -3.0, 3.0), time = def->gravity ? sqrt(size / 9.81) : decades(&b, -2.0, 1.0);
    out.length = b.unit * size;
    out.time = time;
    // Charges of 1 C at a distance of the scene's length push a body of 1 kg through it in its time.
    double coulomb = b.heft * out.length * out.length * out.length / (time * time);
    out.model = world_model(crm_vec3(0.0, 0.0, def->gravity ? -9.81 * b.unit : 0.0), coulomb);
    for (int i = 0; i < 3; i++)
        touching_material(out.model, def->materials ? 0.4 * i : 0.0, def->materials ? 0.4 * i : 1.0);
    if (def->first.add != NULL) def->first.add(out.model, def->first.user);
    add_bodies(&b, pick(&b, 3));
    if (def->room) add_room(&b);
    if (def->joints) add_trees(&b);
    if (def->pairs) add_pairs(&b);
    return out;
}
