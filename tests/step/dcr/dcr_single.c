// SPDX-License-Identifier: MIT
// Contacts that are hit alone under dcr have the impulse of the algebraic law of carom/impact.h: corners of tumbling
// boxes, free and in chains, that slide and stick.
#include <math.h>

#include "carom/impact.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/joints.h"

static const carom_vec3 origin = {0.0, 0.0, 0.0}, edges = {0.4, 0.3, 0.2};
static const double step = 1e-3;

// About the centre of mass, world axes.
static carom_mat3 box_inertia(const carom_body_state *body, double mass) {
    carom_vec3 own = crm_vec3(mass / 12.0 * (edges.y * edges.y + edges.z * edges.z),
                              mass / 12.0 * (edges.x * edges.x + edges.z * edges.z),
                              mass / 12.0 * (edges.x * edges.x + edges.y * edges.y));
    return crm_congruence_diagonal(crm_quat_to_mat3(body->attitude), own);
}

// A box that tumbles towards a floor, or through it where there is none.
static carom_state *tumbling_box(const carom_body_def *box, double friction, double restitution, bool floor,
                                 double length) {
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, friction, restitution);
    if (floor) touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def def =
        touching_def(model, touching_box(model, edges.x, edges.y, edges.z), material, box->mass, box->position);
    def.attitude = box->attitude;
    def.velocity = box->velocity;
    def.spin = box->spin;
    world_add(model, &def);
    return world_state(model, CAROM_METHOD_DCR, length);
}

// Where the box touches the floor, in the step from `before` to `after`: the two straight ways of its centre meet
// there.
static carom_body_state box_at_touch(const carom_body_state *before, const carom_body_state *after,
                                     const carom_body_def *box) {
    carom_vec3 bend = crm_sub(before->velocity, after->velocity);
    carom_vec3 way = crm_madd(crm_sub(after->position, before->position), -step, after->velocity);
    carom_body_def def = *box;
    def.position = before->position;
    def.attitude = before->attitude;
    def.velocity = before->velocity;
    def.spin = before->spin;
    carom_state *twin = tumbling_box(&def, 0.0, 0.0, false, crm_dot(way, bend) / crm_dot(bend, bend));
    world_run(twin, 1);
    carom_body_state touch = world_body(twin, 0);
    world_destroy(twin);
    return touch;
}

static carom_impact_pair impact_at(const carom_body_state *touch, const carom_contact_state *contact, double mass,
                                   double restitution) {
    return (carom_impact_pair){.a = {.fixed = true},
                               .b = {.mass = mass,
                                     .inertia = box_inertia(touch, mass),
                                     .centre = touch->position,
                                     .velocity = touch->velocity,
                                     .spin = touch->spin},
                               .point = contact->point,
                               .normal = contact->normal,
                               .friction = contact->friction,
                               .restitution = restitution};
}

// What was seen of many impacts.
typedef struct seen {
    int slid, stuck;
    int driving; // the mean of the slip before and after has the direction of the friction
} seen;

static void check_box(sampler *s, double friction, double restitution, seen *sums) {
    carom_body_def box = {.struct_size = sizeof(carom_body_def),
                          .mass = 3.0,
                          .position = {0.0, 0.0, 0.6},
                          .attitude = sample_attitude(s)};
    box.velocity = crm_add(crm_vec3(0.0, 0.0, -2.0), sample_vec3(s, 1.0));
    box.spin = sample_vec3(s, 3.0);
    carom_state *state = tumbling_box(&box, friction, restitution, true, step);
    carom_step_report report = {0};
    carom_body_state before = world_body(state, 1);
    int count = 0;
    for (int i = 0; i < 1000 && report.contacts == 0; i++) {
        before = world_body(state, 1);
        report = world_run(state, 1);
    }
    const carom_contact_state *contact = carom_state_contacts(state, &count);
    carom_body_state after = world_body(state, 1);
    if (CHECK_INT(count, 1)) {
        carom_body_state touch = box_at_touch(&before, &after, &box);
        carom_impact_pair pair = impact_at(&touch, contact, box.mass, restitution);
        carom_impact_pair_result r;
        CHECK_INT(carom_impact_resolve_pair(&pair, CAROM_IMPACT_LAW_ALGEBRAIC, &r, NULL), CAROM_OK);
        carom_vec3 moment = crm_mat3_apply(box_inertia(&after, box.mass), after.spin);
        carom_vec3 second = crm_cross(contact->normal, contact->tangent), j = r.result.impulse;
        CHECK_NEAR(crm_distance(after.velocity, r.velocity_b), 0.0, 1e-12);
        CHECK_NEAR(crm_distance(moment, crm_mat3_apply(box_inertia(&touch, box.mass), r.spin_b)), 0.0, 1e-11);
        CHECK_NEAR(contact->normal_impulse, crm_dot(contact->normal, j), 1e-12);
        CHECK_NEAR(contact->tangent_impulse[0], crm_dot(contact->tangent, j), 1e-12);
        CHECK_NEAR(contact->tangent_impulse[1], crm_dot(second, j), 1e-12);
        CHECK_NEAR(report.friction_work, r.result.friction_work, 1e-11);
        CHECK_NEAR(report.impact_energy, r.result.work, 1e-11);
        CHECK(report.impact_energy <= 0.0 && report.friction_work <= 0.0);
        double across = hypot(contact->tangent_impulse[0], contact->tangent_impulse[1]);
        CHECK(across <= friction * contact->normal_impulse * (1.0 + 1e-12));
        sums->slid += contact->status == CAROM_CONTACT_STATUS_SLIDES;
        sums->stuck += contact->status == CAROM_CONTACT_STATUS_STICKS;
        carom_impact impact;
        CHECK_INT(carom_impact_of_pair(&pair, &impact, NULL), CAROM_OK);
        carom_vec3 slips = crm_add(impact.velocity, r.result.velocity);
        carom_vec3 rubs = crm_madd(j, -crm_dot(j, contact->normal), contact->normal);
        sums->driving += crm_dot(rubs, slips) > 0.0;
    }
    world_destroy(state);
}

TEST(a_corner_of_a_tumbling_box_has_the_algebraic_law) {
    static const double friction[] = {0.05, 0.4, 20.0}, restitution[] = {0.0, 0.5, 1.0};
    sampler s = {.seed = 3};
    seen sums = {0};
    for (int i = 0; i < 54; i++) check_box(&s, friction[i % 3], restitution[i / 3 % 3], &sums);
    CHECK(sums.slid >= 10 && sums.stuck >= 10);
    // By the mean of the slip, friction would have done work.
    CHECK(sums.driving > 0);
}

// The velocity at one point of a body by an impulse at another: 1/m - [r]x I^-1 [s]x.
static carom_mat3 mobility(const carom_body_state *body, double mass, carom_vec3 at, carom_vec3 by) {
    carom_mat3 inverse;
    CHECK(crm_mat3_inverse(box_inertia(body, mass), &inverse));
    carom_mat3 r = crm_skew(crm_sub(at, body->position)), s = crm_skew(crm_sub(by, body->position));
    carom_mat3 rotated = crm_mat3_mul(r, crm_mat3_mul(inverse, s));
    return crm_mat3_sub(crm_mat3_diagonal(crm_vec3(1.0 / mass, 1.0 / mass, 1.0 / mass)), rotated);
}

// K of a point c of the first of two bodies that share the point p: C_1(c,c) - C_1(c,p) (C_1(p,p) + C_2(p,p))^-1
// C_1(p,c).
static carom_mat3 chain_matrix(const carom_body_state body[2], const double mass[2], carom_vec3 c, carom_vec3 p) {
    carom_mat3 both = crm_mat3_add(mobility(&body[0], mass[0], p, p), mobility(&body[1], mass[1], p, p)), inverse;
    CHECK(crm_mat3_inverse(both, &inverse));
    carom_mat3 there = mobility(&body[0], mass[0], c, p), back = mobility(&body[0], mass[0], p, c);
    return crm_mat3_sub(mobility(&body[0], mass[0], c, c), crm_mat3_mul(there, crm_mat3_mul(inverse, back)));
}

// From the velocity after the impact and the impulse in the table the velocity before it, u- = u+ - K j: the law must
// lead from there to the same impulse.
static void check_chain(sampler *s, double friction, double restitution, seen *sums) {
    static const double mass[2] = {3.0, 2.0};
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, friction, restitution);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_model_shape shape = touching_box(model, edges.x, edges.y, edges.z);
    carom_body body[2];
    for (int i = 0; i < 2; i++) {
        carom_body_def def = touching_def(model, shape, material, mass[i], crm_vec3(0.0, 0.0, 0.7 + 0.65 * i));
        def.attitude = sample_attitude(s);
        def.velocity = crm_add(crm_vec3(0.0, 0.0, -2.0), sample_vec3(s, 0.5));
        def.spin = sample_vec3(s, 2.0);
        body[i] = world_add(model, &def);
    }
    carom_joint_def ball =
        joints_def(model, CAROM_JOINT_BALL, body[0], body[1], crm_vec3(0.0, 0.0, 1.0), crm_vec3(0.0, 0.0, 1.0));
    joints_add(model, &ball);
    carom_state *state = world_state(model, CAROM_METHOD_DCR, step);
    carom_step_report report = {0};
    for (int i = 0; i < 1000 && report.contacts == 0; i++) report = world_run(state, 1);
    int count;
    const carom_contact_state *contact = carom_state_contacts(state, &count);
    carom_body_state after[2] = {world_body(state, 1), world_body(state, 2)};
    if (CHECK_INT(count, 1) && CHECK(contact->b.index == 1)) {
        carom_mat3 k = chain_matrix(after, mass, contact->point, joints_get(state, 0).point);
        carom_vec3 second = crm_cross(contact->normal, contact->tangent), j;
        j = crm_madd(crm_scale(contact->normal_impulse, contact->normal), contact->tangent_impulse[0],
                     contact->tangent);
        j = crm_madd(j, contact->tangent_impulse[1], second);
        carom_vec3 arm = crm_sub(contact->point, after[0].position);
        carom_vec3 u = crm_add(after[0].velocity, crm_cross(after[0].spin, arm));
        carom_impact impact = {.matrix = k,
                               .normal = contact->normal,
                               .velocity = crm_sub(u, crm_mat3_apply(k, j)),
                               .friction = friction,
                               .restitution = restitution};
        carom_impact_result r;
        CHECK_INT(carom_impact_resolve(&impact, CAROM_IMPACT_LAW_ALGEBRAIC, &r, NULL), CAROM_OK);
        CHECK_NEAR(crm_distance(r.impulse, j), 0.0, 1e-12 * crm_length(j));
        CHECK_NEAR(crm_distance(r.velocity, u), 0.0, 1e-12 * crm_length(impact.velocity));
        CHECK_NEAR(report.impact_energy, r.work, 1e-11);
        CHECK(report.impact_energy <= 0.0 && report.friction_work <= 0.0);
        sums->slid += contact->status == CAROM_CONTACT_STATUS_SLIDES;
        sums->stuck += contact->status == CAROM_CONTACT_STATUS_STICKS;
    }
    world_destroy(state);
}

TEST(a_corner_of_a_chain_has_the_algebraic_law) {
    static const double friction[] = {0.05, 0.4, 20.0}, restitution[] = {0.0, 0.5, 1.0};
    sampler s = {.seed = 5};
    seen sums = {0};
    for (int i = 0; i < 36; i++) check_chain(&s, friction[i % 3], restitution[i / 3 % 3], &sums);
    CHECK(sums.slid >= 8 && sums.stuck >= 8);
}

// A contact that is hit at the same time as others, but with none of their bodies, has its own impulse.
TEST(impacts_far_away_make_no_difference) {
    carom_body_state alone = {0};
    for (int others = 0; others < 2; others++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.3, 0.5);
        touching_add(model, touching_floor(model), material, 0.0, origin);
        carom_model_shape shape = touching_box(model, edges.x, edges.y, edges.z);
        for (int i = 0; i < 1 + 4 * others; i++) {
            carom_body_def def = touching_def(model, shape, material, 3.0, crm_vec3(5.0 * i, 0.0, 0.6));
            def.attitude = i == 0 ? (carom_quat){0.8, 0.3, 0.4, 0.33166247903554} : (carom_quat){1.0, 0.0, 0.0, 0.0};
            def.velocity = crm_vec3(0.5, 0.0, i == 0 ? -2.0 : -2.8); // flat ones land a little later
            def.spin = crm_vec3(0.0, 0.0, i == 0 ? 1.0 : 0.0);
            world_add(model, &def);
        }
        carom_state *state = world_state(model, CAROM_METHOD_DCR, step);
        world_run(state, 200);
        carom_body_state box = world_body(state, 1);
        if (others == 0) alone = box;
        CHECK(box.velocity.z > 0.0);
        CHECK_NEAR(crm_distance(box.velocity, alone.velocity), 0.0, 1e-12);
        CHECK_NEAR(crm_distance(box.spin, alone.spin), 0.0, 1e-12);
        world_destroy(state);
    }
}

// Bricks that fly on together touch and no more, while balls hit posts far away: they have no part in those impacts,
// whose problem would be one of roundings.
TEST(what_only_touches_is_no_problem_when_others_collide) {
    carom_model *model = world_model(origin, 0.0);
    carom_material clay = touching_material(model, 0.4, 0.0);
    carom_model_shape brick = touching_box(model, edges.x, edges.y, edges.z), ball = touching_sphere(model, 0.1);
    carom_quat tilt = crm_quat_normalised((carom_quat){0.8, 0.3, 0.4, 0.3});
    for (int i = 0; i < 2; i++) {
        carom_body_def def =
            touching_def(model, brick, clay, 1.0 + i, crm_quat_rotate(tilt, crm_vec3(0.43 * i, 0.0, 0.0)));
        def.attitude = tilt;
        def.velocity = crm_add(crm_vec3(0.1, 0.3, 0.2), crm_quat_rotate(tilt, crm_vec3(0.9 - 0.7 * i, 0.0, 0.0)));
        world_add(model, &def);
    }
    for (int i = 0; i < 20; i++) {
        carom_body_def def = touching_def(model, ball, clay, 1.0, crm_vec3(2.0 * i, 5.0, 0.0));
        def.velocity = crm_vec3(1.0, 0.01 * i, 0.0);
        world_add(model, &def);
        touching_add(model, ball, clay, 0.0, crm_vec3(2.0 * i + 0.25 + 0.004 * i, 5.0, 0.0));
    }
    carom_state *state = world_state(model, CAROM_METHOD_DCR, 2.0 * step);
    int others = 0;
    carom_body_state met[2] = {{.position = origin}};
    for (int i = 0; i < 100; i++) {
        carom_step_report report = world_run(state, 1);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) break;
        if (report.contacts >= 4)
            for (int b = 0; b < 2; b++) met[b] = world_body(state, b);
        else
            others += report.contacts > 0;
    }
    CHECK(others >= 5 && crm_length(met[0].velocity) > 0.0);
    for (int b = 0; b < 2; b++) {
        CHECK_NEAR(crm_distance(world_body(state, b).velocity, met[b].velocity), 0.0, 1e-14);
        CHECK_NEAR(crm_distance(met[b].velocity, met[0].velocity), 0.0, 1e-12);
    }
    world_destroy(state);
}

TEST_MAIN(CASE(a_corner_of_a_tumbling_box_has_the_algebraic_law), CASE(a_corner_of_a_chain_has_the_algebraic_law),
          CASE(impacts_far_away_make_no_difference), CASE(what_only_touches_is_no_problem_when_others_collide))
