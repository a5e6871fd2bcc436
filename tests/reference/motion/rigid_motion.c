// SPDX-License-Identifier: MIT
#include "reference/motion/rigid_motion.h"

#include <math.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/world.h"

typedef struct phase {
    carom_vec3 x[REFERENCE_BODIES];
    carom_quat q[REFERENCE_BODIES]; // not kept at unit length: its derivative is along the sphere
    carom_vec3 v[REFERENCE_BODIES];
    carom_vec3 l[REFERENCE_BODIES];
} phase;

enum { PHASE_NUMBERS = sizeof(phase) / sizeof(double) };

static carom_vec3 spin_of(const reference_body *body, carom_quat q, carom_vec3 l) {
    if (body->kind == CAROM_BODY_FIXED || body->kind == CAROM_BODY_POINT) return crm_vec3_zero();
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.0, 0.0, l.z / body->moments.z);
    carom_vec3 m = crm_quat_rotate_inverse(q, l);
    return crm_quat_rotate(q, crm_vec3(m.x / body->moments.x, m.y / body->moments.y, m.z / body->moments.z));
}

static void pair_forces(const reference_world *world, const phase *p, carom_vec3 *force, carom_vec3 *torque) {
    for (int i = 0; i < world->pair_count; i++) {
        const reference_pair *pair = &world->pair[i];
        carom_vec3 arm_a = pair->a < 0 ? pair->point_a : crm_quat_rotate(p->q[pair->a], pair->point_a);
        carom_vec3 arm_b = pair->b < 0 ? pair->point_b : crm_quat_rotate(p->q[pair->b], pair->point_b);
        carom_vec3 place_a = pair->a < 0 ? arm_a : crm_add(p->x[pair->a], arm_a);
        carom_vec3 place_b = pair->b < 0 ? arm_b : crm_add(p->x[pair->b], arm_b);
        carom_vec3 apart = crm_sub(place_a, place_b);
        double d = crm_length(apart);
        double push = pair->charge_a * pair->charge_b / (d * d) - pair->stiffness * (d - pair->rest_length);
        carom_vec3 on_a = crm_scale(push / d, apart);
        if (pair->a >= 0) {
            force[pair->a] = crm_add(force[pair->a], on_a);
            torque[pair->a] = crm_add(torque[pair->a], crm_cross(arm_a, on_a));
        }
        if (pair->b >= 0) {
            force[pair->b] = crm_sub(force[pair->b], on_a);
            torque[pair->b] = crm_sub(torque[pair->b], crm_cross(arm_b, on_a));
        }
    }
}

static phase rate(const reference_world *world, const phase *p) {
    carom_vec3 force[REFERENCE_BODIES] = {{0.0, 0.0, 0.0}}, torque[REFERENCE_BODIES] = {{0.0, 0.0, 0.0}};
    pair_forces(world, p, force, torque);
    phase d = {.x = {{0.0, 0.0, 0.0}}};
    for (int b = 0; b < world->body_count; b++) {
        const reference_body *body = &world->body[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        bool planar = body->kind == CAROM_BODY_PLANAR;
        carom_vec3 w = spin_of(body, p->q[b], p->l[b]);
        carom_quat dq = crm_quat_mul((carom_quat){0.0, w.x, w.y, w.z}, p->q[b]);
        d.x[b] = p->v[b];
        d.q[b] = (carom_quat){0.5 * dq.w, 0.5 * dq.x, 0.5 * dq.y, 0.5 * dq.z};
        d.v[b] = crm_madd(world->gravity, 1.0 / body->mass, force[b]);
        d.l[b] = torque[b];
        if (planar) d.v[b].z = d.l[b].x = d.l[b].y = 0.0;
        if (body->kind == CAROM_BODY_POINT) d.l[b] = crm_vec3_zero();
    }
    return d;
}

static phase moved(const phase *p, double h, const phase *d) {
    phase sum = *p;
    double *s = (double *)&sum;
    const double *r = (const double *)d;
    for (int i = 0; i < PHASE_NUMBERS; i++) s[i] += h * r[i];
    return sum;
}

void reference_move(const reference_world *world, double time, int steps, carom_body_state end[REFERENCE_BODIES]) {
    phase p = {.x = {{0.0, 0.0, 0.0}}};
    for (int b = 0; b < world->body_count; b++) {
        const reference_body *body = &world->body[b];
        p.x[b] = body->start.position;
        p.q[b] = crm_quat_normalised(body->start.attitude);
        p.v[b] = body->start.velocity;
        carom_vec3 w = crm_quat_rotate_inverse(p.q[b], body->start.spin);
        p.l[b] = body->kind == CAROM_BODY_PLANAR ? crm_scale(body->moments.z, body->start.spin)
                                                 : crm_quat_rotate(p.q[b], crm_vec3_mul(body->moments, w));
    }
    double h = time / steps;
    for (int i = 0; i < steps; i++) {
        phase k1 = rate(world, &p), at = moved(&p, 0.5 * h, &k1);
        phase k2 = rate(world, &at);
        at = moved(&p, 0.5 * h, &k2);
        phase k3 = rate(world, &at);
        at = moved(&p, h, &k3);
        phase k4 = rate(world, &at);
        p = moved(&p, h / 6.0, &k1);
        p = moved(&p, h / 3.0, &k2);
        p = moved(&p, h / 3.0, &k3);
        p = moved(&p, h / 6.0, &k4);
    }
    for (int b = 0; b < world->body_count; b++)
        end[b] = (carom_body_state){p.x[b], crm_quat_normalised(p.q[b]), p.v[b],
                                    spin_of(&world->body[b], crm_quat_normalised(p.q[b]), p.l[b])};
}

// Charges of carom act between every two bodies, so a world of pairs must list them all, with one charge per point.
static void add_charge(carom_model *model, int body, carom_vec3 point, double charge) {
    carom_charge_def def = {.struct_size = sizeof(carom_charge_def), .body = {body}, .point = point, .charge = charge};
    CHECK_INT(carom_model_add_charge(model, &def, NULL), CAROM_OK);
}

carom_model *reference_model(const reference_world *world) {
    carom_model *model = world_model(world->gravity, 1.0);
    bool charged[REFERENCE_BODIES + 1] = {false};
    for (int b = 0; b < world->body_count; b++) {
        carom_body_def def = world_body_def(world->body[b].mass, world->body[b].moments);
        def.kind = world->body[b].kind;
        def.position = world->body[b].start.position;
        def.attitude = world->body[b].start.attitude;
        def.velocity = world->body[b].start.velocity;
        def.spin = world->body[b].start.spin;
        world_add(model, &def);
    }
    for (int i = 0; i < world->pair_count; i++) {
        const reference_pair *pair = &world->pair[i];
        if (pair->stiffness > 0.0) {
            carom_spring_def spring = {.struct_size = sizeof(carom_spring_def),
                                       .a = {pair->a},
                                       .b = {pair->b},
                                       .point_a = pair->point_a,
                                       .point_b = pair->point_b,
                                       .stiffness = pair->stiffness,
                                       .rest_length = pair->rest_length};
            CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
            continue;
        }
        if (!charged[pair->a + 1]) add_charge(model, pair->a, pair->point_a, pair->charge_a);
        if (!charged[pair->b + 1]) add_charge(model, pair->b, pair->point_b, pair->charge_b);
        charged[pair->a + 1] = charged[pair->b + 1] = true;
    }
    return model;
}
