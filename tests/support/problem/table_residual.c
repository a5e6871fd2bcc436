// SPDX-License-Identifier: MIT
#include "support/problem/table_residual.h"

#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "support/harness/check.h"

// ---- bodies

static carom_vec3 scaled_axis(const carom_body_state *at, carom_vec3 axis, double moment) {
    return crm_scale(1.0 / sqrt(moment), crm_quat_rotate(at->attitude, axis));
}

static carom_vec3 by_inverse_inertia(const crm_rigid_body *body, carom_vec3 torque) {
    carom_vec3 spin = crm_vec3_zero();
    for (int k = 0; k < 3; k++) spin = crm_madd(spin, crm_dot(body->angular[k], torque), body->angular[k]);
    return spin;
}

static crm_rigid_body body_of(const table_step *of, int index, const carom_body_def *def) {
    const carom_body_state *at = &of->before[index];
    double root = 1.0 / sqrt(def->mass);
    crm_rigid_body body = {.linear = {root, root, root}};
    body.angular[0] = scaled_axis(at, crm_vec3(1.0, 0.0, 0.0), def->inertia.x.x);
    body.angular[1] = scaled_axis(at, crm_vec3(0.0, 1.0, 0.0), def->inertia.y.y);
    body.angular[2] = scaled_axis(at, crm_vec3(0.0, 0.0, 1.0), def->inertia.z.z);
    body.free.linear = crm_madd(at->velocity, of->step, of->gravity);
    body.free.angular = at->spin;
    for (int i = 0; i < of->push_count; i++) {
        if (of->push[i].body.index != index) continue;
        body.free.linear = crm_madd(body.free.linear, of->step / def->mass, of->push[i].force);
        body.free.angular = crm_madd(body.free.angular, of->step, by_inverse_inertia(&body, of->push[i].torque));
    }
    return body;
}

// ---- contacts

static crm_rigid_contact contact_of(const table_step *of, const int *slot, const carom_contact_state *c) {
    crm_rigid_contact contact = {.a = slot[c->a.index], .b = slot[c->b.index], .friction = c->friction};
    contact.arm_a = crm_sub(c->point, of->before[c->a.index].position);
    contact.arm_b = crm_sub(c->point, of->before[c->b.index].position);
    contact.direction[0] = c->normal;
    contact.direction[1] = c->tangent;
    contact.direction[2] = crm_cross(c->normal, c->tangent);
    contact.offset = c->gap / of->step;
    return contact;
}

static carom_vec3 impulse_of(const carom_contact_state *c) {
    carom_vec3 along = crm_madd(crm_scale(c->normal_impulse, c->normal), c->tangent_impulse[0], c->tangent);
    return crm_madd(along, c->tangent_impulse[1], crm_cross(c->normal, c->tangent));
}

static int nearest(const table_step *of, const carom_contact_state *c) {
    int best = -1;
    double least = INFINITY;
    for (int i = 0; i < of->found_count; i++) {
        const carom_contact_state *other = &of->found[i];
        if (other->a.index != c->a.index || other->b.index != c->b.index) continue;
        double apart = crm_distance(other->point, c->point);
        if (apart < least) least = apart, best = i;
    }
    return best;
}

// Impulses along the directions of the contacts found; how many have none to go to.
static int hand_over(const table_step *of, const crm_rigid_contact *contacts, double *impulse) {
    int lost = 0;
    for (int i = 0; i < of->taken_count; i++) {
        carom_vec3 r = impulse_of(&of->taken[i]);
        if (crm_length(r) == 0.0) continue;
        int to = nearest(of, &of->taken[i]);
        for (int k = 0; k < 3 && to >= 0; k++) impulse[3 * to + k] += crm_dot(contacts[to].direction[k], r);
        lost += to < 0;
    }
    return lost;
}

table_verdict table_residual(crm_rigid_solver *solver, const table_step *of) {
    int bodies = carom_model_body_count(of->model), moving = 0, rows = 3 * of->found_count;
    int *slot = calloc((size_t)bodies, sizeof *slot);
    crm_rigid_body *body = calloc((size_t)bodies, sizeof *body);
    crm_vec6 *change = calloc((size_t)bodies, sizeof *change);
    crm_rigid_contact *contacts = calloc((size_t)of->found_count + 1, sizeof *contacts);
    double *impulse = calloc((size_t)rows + 1, sizeof *impulse), *velocity = calloc((size_t)rows + 1, sizeof *velocity);
    for (int b = 0; b < bodies; b++) {
        carom_body_def def;
        CHECK_INT(carom_model_get_body(of->model, (carom_body){b}, &def, NULL), CAROM_OK);
        slot[b] = def.kind == CAROM_BODY_FIXED ? -1 : moving;
        if (slot[b] >= 0) body[moving++] = body_of(of, b, &def);
    }
    for (int i = 0; i < of->found_count; i++) contacts[i] = contact_of(of, slot, &of->found[i]);
    table_verdict verdict = {.lost = hand_over(of, contacts, impulse)};
    crm_rigid_problem problem = {
        .body_count = moving, .bodies = body, .contact_count = of->found_count, .contacts = contacts};
    double scale = crm_length(of->gravity) * of->step;
    crm_rigid_options options = {.tolerance = 1e-3, .velocity_scale = scale, .work = INFINITY, .threads = 1};
    crm_rigid_report report = {0};
    CHECK_INT(crm_rigid_evaluate(solver, &problem, &options, impulse, velocity, change, &report, NULL), CAROM_OK);
    verdict.residual = report.residual;
    free(slot), free(body), free(change), free(contacts), free(impulse), free(velocity);
    return verdict;
}
