// SPDX-License-Identifier: MIT
// Rows of plans: their derivatives against differences, and runs of `variational` against the rows, which they must
// keep.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "carom/joint.h"
#include "control/rows/plan_pieces.h"
#include "support/control/derivatives.h"
#include "support/control/drafted.h"
#include "support/harness/check.h"
#include "support/model/world.h"

static void must(carom_status status, const carom_error *error) {
    if (!CHECK(status == CAROM_OK)) fprintf(stderr, "%s\n", error->text);
}

// ---- bodies

static carom_body_def lump(crm_random *random, double x) {
    carom_body_def def = carom_body_def_default();
    def.mass = crm_random_between(random, 0.5, 2.0);
    carom_mat3 r = crm_quat_to_mat3(crm_random_rotation(random));
    def.inertia = crm_congruence_diagonal(r, crm_vec3(0.3, 0.4, 0.5)); // axes that are not the body's
    def.centre = crm_scale(0.1, crm_random_direction(random));
    def.position = crm_vec3(x, crm_random_between(random, -0.2, 0.2), crm_random_between(random, -0.2, 0.2));
    def.attitude = crm_random_rotation(random);
    def.velocity = crm_scale(0.3, crm_random_direction(random));
    def.spin = crm_scale(0.5, crm_random_direction(random));
    return def;
}

static carom_body_def fixed(carom_vec3 position) {
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_FIXED;
    def.position = position;
    return def;
}

static carom_body_def planar(double x) {
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_PLANAR;
    def.position = crm_vec3(x, 0.3, 0.0);
    def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), 0.4);
    def.velocity = crm_vec3(0.1, 0.2, 0.0);
    def.spin = crm_vec3(0.0, 0.0, 0.3);
    return def;
}

static carom_body_def point(double x) {
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_POINT;
    def.mass = 0.7;
    def.position = crm_vec3(x, -0.4, 0.3);
    def.velocity = crm_vec3(0.0, 0.2, -0.1);
    return def;
}

static carom_joint join_with(carom_model *model, carom_joint_kind kind, carom_body a, carom_body b, carom_vec3 at,
                             carom_vec3 axis, int limits) {
    carom_joint_def def = carom_joint_def_default();
    carom_joint_placing placing = carom_joint_placing_default();
    carom_error error = {.text = ""};
    carom_joint out = {-1};
    def.kind = kind, def.a = a, def.b = b;
    placing.point = at, placing.axis = axis;
    if (kind == CAROM_JOINT_DISTANCE) {
        carom_body_def ends[2];
        must(carom_model_get_body(model, a, &ends[0], &error), &error);
        must(carom_model_get_body(model, b, &ends[1], &error), &error);
        def.length = crm_distance(ends[0].position, ends[1].position);
        must(carom_model_add_joint(model, &def, &out, &error), &error);
        return out;
    }
    for (int i = 0; i < limits; i++) def.coordinate[i].lower = -1.0, def.coordinate[i].upper = 1.2;
    must(carom_model_place_joint(model, &placing, &def, &error), &error);
    must(carom_model_add_joint(model, &def, &out, &error), &error);
    return out;
}

static carom_joint join(carom_model *model, carom_joint_kind kind, carom_body a, carom_body b, carom_vec3 at,
                        carom_vec3 axis) {
    return join_with(model, kind, a, b, at, axis, 0);
}

// ---- potentials

static void add_laws(carom_model *model, carom_body a, carom_body b) {
    static const double distance[4] = {0.1, 0.6, 1.2, 2.5}, force[4] = {3.0, 1.0, 0.5, 0.1};
    carom_error error = {.text = ""};
    carom_spring_def spring = carom_spring_def_default();
    spring.a = a, spring.b = b, spring.stiffness = 3.0, spring.rest_length = 0.4;
    spring.point_a = crm_vec3(0.1, 0.2, 0.0), spring.point_b = crm_vec3(0.0, -0.1, 0.2);
    must(carom_model_add_spring(model, &spring, &error), &error);
    spring.b = CAROM_WORLD, spring.rest_length = 0.0;
    must(carom_model_add_spring(model, &spring, &error), &error);
    carom_charge_def charge = carom_charge_def_default();
    charge.body = a, charge.charge = 0.8, charge.point = crm_vec3(0.1, 0.0, 0.0);
    must(carom_model_add_charge(model, &charge, &error), &error);
    charge.body = b, charge.charge = -0.6;
    must(carom_model_add_charge(model, &charge, &error), &error);
    carom_pair_def pair = carom_pair_def_default();
    pair.a = a, pair.b = b, pair.law = CAROM_PAIR_LAW_POWER;
    pair.repulsion = 0.2, pair.repulsion_exponent = 3.0, pair.attraction = 0.4, pair.attraction_exponent = 1.5;
    must(carom_model_add_pair(model, &pair, &error), &error);
    pair.law = CAROM_PAIR_LAW_TABLE, pair.count = 4, pair.distance = distance, pair.force = force, pair.smooth = true;
    must(carom_model_add_pair(model, &pair, &error), &error);
    carom_central_def central = carom_central_def_default();
    central.body = a, central.centre = crm_vec3(0.0, 4.0, 3.0), central.mu = 6.0, central.j2 = 0.1;
    central.radius = 1.0, central.axis = crm_vec3(0.3, 0.1, 1.0);
    must(carom_model_add_central(model, &central, &error), &error);
    carom_wrench_def wrench = carom_wrench_def_default();
    carom_body_def def;
    must(carom_model_get_body(model, b, &def, &error), &error);
    wrench.body = b, wrench.point = def.centre, wrench.force = crm_vec3(0.3, -0.2, 0.1);
    must(carom_model_add_wrench(model, &wrench, &error), &error);
}

// ---- derivatives

enum { CONTROLS = 9, CONDITIONS = 9 };

static int all_controls(const carom_body *body, const carom_joint *joint, carom_control_def *out) {
    for (int i = 0; i < CONTROLS; i++) {
        out[i] = carom_control_def_default();
        out[i].body = body[1];
        out[i].point = crm_vec3(0.1, -0.2, 0.3);
        out[i].force_limit = 4.0 + i;
        out[i].torque_weight = 2.0;
    }
    out[1].in_body_axes = true, out[1].body = body[2];
    out[2].kind = CAROM_CONTROL_FORCE;
    out[3].kind = CAROM_CONTROL_FORCE, out[3].in_body_axes = true;
    out[4].kind = CAROM_CONTROL_THRUSTER, out[4].direction = crm_vec3(1.0, 2.0, -1.0);
    for (int i = 5; i < 8; i++) out[i].kind = CAROM_CONTROL_MOTOR, out[i].joint = joint[i - 5].index;
    out[8].body = body[6]; // a point
    return CONTROLS;
}

static int all_conditions(const carom_body *body, carom_plan_condition *out) {
    for (int i = 0; i < CONDITIONS; i++) out[i] = carom_plan_condition_default();
    // The start of one body is free but for its velocity, beside its centre of mass.
    out[0].node = 0, out[0].body = body[2], out[0].has_velocity = true, out[0].velocity = crm_vec3(0.1, 0.0, 0.2);
    out[1].node = 1, out[1].body = body[1], out[1].has_position = true, out[1].position = crm_vec3(0.0, 0.2, 0.1);
    out[2].node = 2, out[2].body = body[6], out[2].has_velocity = true, out[2].velocity = crm_vec3(0.3, 0.0, 0.1);
    out[3].node = 1, out[3].body = body[2], out[3].has_box = true, out[3].box_low = crm_vec3(-1.0, -INFINITY, -0.5);
    out[3].box_high = crm_vec3(1.0, 2.0, 3.0);
    out[3].direction_count = 1;
    out[3].direction[0].axis = crm_vec3(1.0, 1.0, 0.0), out[3].direction[0].toward = crm_vec3(0.0, 0.0, 2.0);
    out[3].direction[0].least = 0.3;
    out[4].body = body[2], out[4].relative_to = body[1], out[4].has_position = out[4].has_attitude = true;
    out[4].position = crm_vec3(0.3, 0.4, 0.0), out[4].attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), 0.7);
    out[4].together = true;
    out[5].body = body[1], out[5].has_velocity = true, out[5].velocity = crm_vec3(0.0, 0.1, 0.0);
    out[6].node = 2, out[6].body = body[5], out[6].has_spin = true, out[6].spin = crm_vec3(0.0, 0.0, 0.4);
    out[7].body = body[6], out[7].relative_to = body[1], out[7].has_box = true,
    out[7].box_high = crm_vec3(1.0, 1.0, 1.0);
    // Of one body of a mechanism: velocities of the others are unknown, and the joints tie them to it.
    out[8].body = body[7], out[8].has_velocity = true, out[8].velocity = crm_vec3(0.1, 0.2, 0.3);
    return CONDITIONS;
}

// A fixed body, free ones with every kind of joint, a planar one and a point, all potentials.
static carom_model *crowd(carom_body *body, carom_joint *joint) {
    carom_model *model = world_model(crm_vec3(0.1, -0.3, -2.0), 1.5);
    crm_random random = {.seed = 5, .stream = 2};
    carom_body_def def = fixed(crm_vec3(-1.0, 0.0, 0.0));
    body[0] = world_add(model, &def);
    for (int i = 1; i <= 4; i++) {
        def = lump(&random, 0.7 * i);
        body[i] = world_add(model, &def);
    }
    def = planar(3.5);
    body[5] = world_add(model, &def);
    def = point(4.2);
    body[6] = world_add(model, &def);
    for (int i = 7; i < 11; i++) {
        def = lump(&random, 0.7 * i);
        body[i] = world_add(model, &def);
    }
    joint[0] =
        join_with(model, CAROM_JOINT_HINGE, body[3], body[4], crm_vec3(2.4, 0.1, 0.0), crm_vec3(0.2, 1.0, 0.3), 1);
    joint[1] =
        join_with(model, CAROM_JOINT_SLIDER, body[0], body[3], crm_vec3(0.0, 0.1, 0.0), crm_vec3(1.0, 0.2, 0.0), 1);
    joint[2] = join(model, CAROM_JOINT_BALL, body[4], body[7], crm_vec3(4.0, 0.1, 0.0), crm_vec3(1.0, 0.2, 0.0));
    join(model, CAROM_JOINT_UNIVERSAL, body[7], body[8], crm_vec3(5.0, 0.1, 0.0), crm_vec3(1.0, 0.2, 0.5));
    join(model, CAROM_JOINT_FIXED, body[8], body[9], crm_vec3(6.0, 0.1, 0.0), crm_vec3(1.0, 0.2, 0.0));
    join_with(model, CAROM_JOINT_PLANAR, CAROM_WORLD, body[9], crm_vec3(6.0, 0.1, 0.0), crm_vec3(0.1, 0.2, 1.0), 3);
    join(model, CAROM_JOINT_POINT_ON_LINE, body[8], body[10], crm_vec3(7.0, 0.1, 0.0), crm_vec3(0.1, 0.2, 1.0));
    join(model, CAROM_JOINT_DISTANCE, body[10], body[9], crm_vec3(0.0, 0.0, 0.0), crm_vec3(0.0, 0.0, 1.0));
    add_laws(model, body[1], body[2]);
    return model;
}

TEST(derivatives_of_all_rows_agree_with_differences) {
    carom_body body[11];
    carom_joint joint[3];
    carom_control_def control[CONTROLS];
    carom_plan_condition condition[CONDITIONS];
    static const int middle[1] = {2};
    carom_error error = {.text = ""};
    carom_model *model = crowd(body, joint);
    must(carom_model_freeze(model, &error), &error);
    carom_plan_def def = carom_plan_def_default();
    def.intervals = 3, def.time = 1.2, def.time_free = true, def.time_least = 0.5, def.time_most = 4.0;
    def.time_weight = 0.3;
    def.control_count = all_controls(body, joint, control), def.control = control;
    def.condition_count = all_conditions(body, condition), def.condition = condition;
    for (int soft = 0; soft < 2; soft++) {
        drafted d;
        drafted_make(&d, model, &def, (crm_arc_ends){1, middle}, soft == 1);
        if (CHECK(d.program.unknown_count > 500)) {
            crm_random random = {.seed = 9, .stream = 4};
            drafted_guess(&d);
            for (int i = 0; i < d.program.unknown_count; i++) d.z[i] += crm_random_between(&random, -0.1, 0.1);
            check_program_derivatives(&d.program, d.z, 1e-7);
            for (int kind = 0; kind <= CRM_ROW_TIME; kind++) {
                bool there = false, expected = soft == 1 || kind != CRM_ROW_ANGULAR_VELOCITY;
                for (int r = 0; r < d.program.row_count; r++) there = there || d.draft.names.items[r].kind == kind;
                if (!CHECK(there == expected)) fprintf(stderr, "rows of kind %d\n", kind);
            }
        }
        drafted_free(&d);
    }
    carom_model_destroy(model);
}

// ---- runs keep the rows

enum { STEPS = 6 };
static const double step = 0.05;

// Runs `variational` and holds its poses against the rows of a plan whose guess they are: every kind of row is kept,
// balances up to impulses of joints.
static void check_run(carom_model *model, double tolerance) {
    carom_state *state = world_state(model, CAROM_METHOD_VARIATIONAL, step);
    int bodies = carom_model_body_count(model);
    carom_pose *motion = calloc((size_t)(STEPS + 1) * (size_t)bodies, sizeof *motion);
    for (int k = 0; k <= STEPS && motion != NULL; k++) {
        for (int b = 0; b < bodies; b++) {
            carom_body_state s = world_body(state, b);
            motion[k * bodies + b] = (carom_pose){s.position, s.attitude};
        }
        if (k < STEPS) world_run(state, 1);
    }
    carom_plan_def def = carom_plan_def_default();
    def.intervals = STEPS, def.time = STEPS * step;
    def.guess = CAROM_GUESS_MOTION, def.motion_count = STEPS + 1, def.motion = motion;
    drafted d;
    drafted_make(&d, model, &def, (crm_arc_ends){0}, false);
    if (d.program.unknown_count > 0) {
        carom_error error = {.text = ""};
        drafted_guess(&d);
        must(crm_guess_least_norm(&d.draft, &d.evaluator, d.z, &d.arena, &error), &error);
        for (int kind = 0; kind <= CRM_ROW_TIME; kind++) {
            double broken = drafted_broken(&d, kind);
            if (!CHECK_NEAR(broken, 0.0, tolerance)) fprintf(stderr, "rows of kind %d\n", kind);
        }
    }
    drafted_free(&d);
    free(motion);
    world_destroy(state);
}

TEST(a_run_of_free_bodies_keeps_all_rows) {
    carom_model *model = world_model(crm_vec3(0.1, -0.3, -2.0), 1.5);
    crm_random random = {.seed = 6, .stream = 2};
    for (int i = 0; i < 2; i++) {
        carom_body_def def = lump(&random, 0.8 * i);
        world_add(model, &def);
    }
    carom_body_def flat = planar(2.0), mass = point(3.0);
    flat.attitude = crm_quat_mul(flat.attitude, crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), 0.6)); // tilted
    world_add(model, &flat);
    world_add(model, &mass);
    check_run(model, 1e-11);
}

TEST(a_run_with_potentials_keeps_all_rows) {
    carom_model *model = world_model(crm_vec3(0.1, -0.3, -2.0), 1.5);
    crm_random random = {.seed = 6, .stream = 3};
    carom_body body[2];
    for (int i = 0; i < 2; i++) {
        carom_body_def def = lump(&random, 1.1 * i);
        body[i] = world_add(model, &def);
    }
    add_laws(model, body[0], body[1]);
    check_run(model, 1e-10);
}

TEST(a_run_of_jointed_bodies_keeps_all_rows) {
    static const carom_joint_kind kinds[] = {CAROM_JOINT_FIXED,  CAROM_JOINT_HINGE,         CAROM_JOINT_UNIVERSAL,
                                             CAROM_JOINT_BALL,   CAROM_JOINT_SLIDER,        CAROM_JOINT_CYLINDRICAL,
                                             CAROM_JOINT_PLANAR, CAROM_JOINT_POINT_ON_LINE, CAROM_JOINT_POINT_ON_PLANE};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        carom_model *model = world_model(crm_vec3(0.1, -0.3, -2.0), 0.0);
        crm_random random = {.seed = 7, .stream = i};
        carom_body_def def = fixed(crm_vec3_zero());
        carom_body ground = world_add(model, &def), body[2];
        for (int k = 0; k < 2; k++) {
            def = lump(&random, 0.8 * k);
            def.velocity = def.spin = crm_vec3_zero();
            body[k] = world_add(model, &def);
        }
        join(model, kinds[i], i % 2 == 0 ? CAROM_WORLD : ground, body[0], crm_vec3(-0.4, 0.0, 0.1),
             crm_vec3(0.1, 1.0, 0.2));
        join(model, kinds[i], body[1], body[0], crm_vec3(0.4, 0.1, 0.0), crm_vec3(0.3, 0.2, 1.0));
        check_run(model, 1e-9);
    }
}

// Two planar bodies on hinges about the plane's normal: what hinges block a second time has no rows.
TEST(planar_joints_have_no_redundant_rows) {
    carom_model *model = world_model(crm_vec3(0.0, -9.81, 0.0), 0.0);
    carom_body_def def = planar(0.5);
    def.velocity = def.spin = crm_vec3_zero();
    carom_body a = world_add(model, &def);
    def.position.x = 1.5;
    carom_body b = world_add(model, &def);
    join(model, CAROM_JOINT_HINGE, CAROM_WORLD, a, crm_vec3_zero(), crm_vec3(0.0, 0.0, 1.0));
    join(model, CAROM_JOINT_HINGE, a, b, crm_vec3(1.0, 0.3, 0.0), crm_vec3(0.0, 0.0, 1.0));
    carom_plan_def plan = carom_plan_def_default();
    plan.intervals = 4, plan.time = 0.2;
    carom_error error = {.text = ""};
    must(carom_model_freeze(model, &error), &error);
    drafted d;
    drafted_make(&d, model, &plan, (crm_arc_ends){0}, false);
    int rows = 0;
    for (int r = 0; r < d.program.row_count; r++) rows += d.draft.names.items[r].kind == CRM_ROW_JOINT;
    CHECK_INT(rows, 4 * 2 * 2); // two a joint, at all nodes but the first, which is given
    drafted_free(&d);
    check_run(model, 1e-9);
}

TEST_MAIN(CASE(derivatives_of_all_rows_agree_with_differences), CASE(a_run_of_free_bodies_keeps_all_rows),
          CASE(a_run_with_potentials_keeps_all_rows), CASE(a_run_of_jointed_bodies_keeps_all_rows),
          CASE(planar_joints_have_no_redundant_rows))
