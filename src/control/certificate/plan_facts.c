// SPDX-License-Identifier: MIT
#include "control/certificate/plan_facts.h"

#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "control/motion/control_wrench.h"
#include "model/force/evaluate.h"
#include "model/force/pair_potential.h"
#include "model/model_state.h"

// ---- units

static void find_units(crm_plan_facts *f) {
    f->mass = INFINITY;
    for (int b = 0; b < f->bodies; b++) {
        if (!crm_fact_moves(f, b)) continue;
        f->length = fmax(f->length, crm_body_extent(crm_fact_body(f, b)));
        f->mass = fmin(f->mass, crm_fact_body(f, b)->mass);
    }
    for (int k = 0; k < f->intervals; k++) f->time += f->motion->length[k];
    if (!(f->length > 0.0) || !isfinite(f->length)) f->length = 1.0;
    if (!isfinite(f->mass)) f->mass = 1.0;
}

// ---- poses

// As a state begins, whose joints are closed; where `variational` has none of the model, as the bodies are given.
static carom_status find_start(crm_plan_facts *f, carom_error *error) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    carom_state *state = NULL;
    carom_error why;
    carom_status status = carom_state_create(f->model, &method, &state, &why);
    if (status == CAROM_ERR_NO_MEMORY) {
        if (error != NULL) *error = why;
        return status;
    }
    for (int b = 0; b < f->bodies; b++)
        f->start[b] = state != NULL ? state->motions[b] : crm_motion_initial(crm_fact_body(f, b));
    carom_state_destroy(state);
    return CAROM_OK;
}

static void find_poses(crm_plan_facts *f) {
    for (int i = 0; i < (f->intervals + 1) * f->bodies; i++) {
        const crm_body *body = crm_fact_body(f, i % f->bodies);
        f->axes[i] = crm_mat3_mul(f->motion->attitude[i], crm_quat_to_mat3(body->frame));
        f->at[i] = (crm_motion){.x = f->motion->position[i],
                                .q = crm_quat_mul(crm_quat_from_mat3(f->motion->attitude[i]), body->frame)};
    }
}

carom_vec3 crm_fact_origin(const crm_plan_facts *f, int node, int body) {
    int at = crm_fact_at(f, node, body);
    carom_vec3 arm = crm_mat3_apply(f->motion->attitude[at], crm_fact_body(f, body)->centre);
    return crm_sub(f->motion->position[at], arm);
}

// ---- forces

static carom_vec3 place_of(const crm_plan_facts *f, int node, crm_point point) {
    if (point.body < 0) return point.at;
    int at = crm_fact_at(f, node, point.body);
    return crm_add(f->motion->position[at], crm_mat3_apply(f->axes[at], point.at));
}

// Half an impulse at a point of a body, at one end of an interval.
static void push_at(crm_plan_facts *f, int interval, int end, crm_point point, carom_vec3 half) {
    if (point.body < 0) return;
    carom_vec3 arm = crm_mat3_apply(f->axes[crm_fact_at(f, interval + end, point.body)], point.at);
    crm_vec6 *sum = &f->push[2 * (interval * f->bodies + point.body) + end];
    *sum = crm_vec6_add(*sum, crm_vec6_of(half, crm_cross(arm, half)));
}

// Weight, constant forces of the model, potentials in the middle of the interval (docs/math.md 10.3), controls.
static void find_pushes(crm_plan_facts *f, int k) {
    const carom_model *model = f->model;
    double half = 0.5 * f->motion->length[k];
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        carom_vec3 a = crm_scale(0.5, crm_add(place_of(f, k, pair->a), place_of(f, k + 1, pair->a)));
        carom_vec3 b = crm_scale(0.5, crm_add(place_of(f, k, pair->b), place_of(f, k + 1, pair->b)));
        carom_vec3 gradient = crm_pair_potential_evaluate(pair, a, b).gradient;
        for (int end = 0; end < 2; end++) {
            push_at(f, k, end, pair->a, crm_scale(-half, gradient));
            push_at(f, k, end, pair->b, crm_scale(half, gradient));
        }
    }
    for (int w = 0; w < model->wrenches.count; w++)
        for (int end = 0; end < 2; end++)
            push_at(f, k, end, model->wrenches.items[w].point, crm_scale(half, model->wrenches.items[w].force));
    for (int b = 0; b < f->bodies; b++) {
        const crm_body *body = crm_fact_body(f, b);
        for (int end = 0; end < 2; end++) {
            int i = 2 * (k * f->bodies + b) + end;
            crm_vec6 own = crm_vec6_of(crm_madd(f->motion->force[i], body->mass, model->gravity), f->motion->torque[i]);
            f->push[i] = crm_wrench_projected(body->kind, crm_vec6_madd(f->push[i], half, own));
        }
    }
}

static void find_impulses(crm_plan_facts *f) {
    for (int i = 0; i < f->motion->impulse_count; i++) {
        const crm_plan_impulse *impulse = &f->motion->impulse[i];
        const int end[2] = {impulse->a.index, impulse->b.index};
        for (int e = 0; e < 2; e++) {
            if (!crm_fact_moves(f, end[e])) continue;
            int at = crm_fact_at(f, impulse->node, end[e]);
            carom_vec3 arm = crm_sub(impulse->point, f->motion->position[at]);
            crm_vec6 own = crm_vec6_of(impulse->impulse, crm_add(impulse->couple, crm_cross(arm, impulse->impulse)));
            own = crm_wrench_projected(crm_fact_body(f, end[e])->kind, own);
            f->impulse[at] = e == 0 ? crm_vec6_add(f->impulse[at], own) : crm_vec6_sub(f->impulse[at], own);
        }
    }
}

// ---- momenta

static crm_vec6 between(const crm_plan_facts *f, int interval, int body) {
    int at = interval * f->bodies + body;
    return crm_vec6_of(f->motion->momentum[at], f->motion->spin_momentum[at]);
}

crm_vec6 crm_fact_momenta_before(const crm_plan_facts *f, int node, int body) {
    if (node == 0) return crm_vec6_of(f->motion->momentum_start[body], f->motion->spin_momentum_start[body]);
    return crm_vec6_add(between(f, node - 1, body), crm_fact_push(f, node - 1, 1, body));
}

crm_vec6 crm_fact_momenta_after(const crm_plan_facts *f, int node, int body) {
    if (node == f->intervals) return crm_vec6_of(f->motion->momentum_end[body], f->motion->spin_momentum_end[body]);
    return crm_vec6_sub(between(f, node, body), crm_fact_push(f, node, 0, body));
}

crm_vec6 crm_fact_twist(const crm_plan_facts *f, int node, int body, crm_vec6 momenta) {
    crm_motion m = f->at[crm_fact_at(f, node, body)];
    m.p = momenta.linear;
    m.l = momenta.angular;
    if (!crm_fact_moves(f, body)) return crm_vec6_zero();
    bool rotates = crm_fact_body(f, body)->kind != CAROM_BODY_POINT;
    return crm_vec6_of(crm_motion_velocity(crm_fact_body(f, body), &m),
                       rotates ? crm_motion_spin(crm_fact_body(f, body), &m) : crm_vec3_zero());
}

// ---- violations

void crm_violation_note(crm_plan_facts *f, crm_plan_violation v, double unit) {
    v.share = v.value / unit;
    if (isnan(v.share)) v.share = v.value = INFINITY;
    crm_plan_findings *out = f->out;
    if (v.share > out->worst[v.law].share) out->worst[v.law] = v;
    if (v.share > out->worst_of_all.share) out->worst_of_all = v;
}

static const struct {
    const char *what, *unit;
    bool interval;
} law_texts[CRM_LAW_COUNT] = {
    [CRM_LAW_MOMENTUM] = {"the momentum between nodes", "kg m", true},
    [CRM_LAW_SPIN] = {"the angular momentum between nodes", "kg m^2", true},
    [CRM_LAW_BALANCE] = {"the balance of momentum", "N s", false},
    [CRM_LAW_SPIN_BALANCE] = {"the balance of angular momentum", "N m s", false},
    [CRM_LAW_DIRECTORS] = {"the attitude, which is no rotation,", "", false},
    [CRM_LAW_PLACE] = {"the place where the body must stay", "m or rad", false},
    [CRM_LAW_JOINT] = {"the joint, which is open,", "m or rad", false},
    [CRM_LAW_JOINT_LIMIT] = {"the limit of the joint", "m or rad", false},
    [CRM_LAW_JOINT_IMPULSE] = {"the impulse, which acts on a free motion,", "N s or N m s", false},
    [CRM_LAW_CONTROL] = {"the force of the controls", "N or N m", true},
    [CRM_LAW_POSITION] = {"the position that is asked", "m", false},
    [CRM_LAW_ATTITUDE] = {"the attitude that is asked", "rad", false},
    [CRM_LAW_VELOCITY] = {"the velocity that is asked", "m/s", false},
    [CRM_LAW_ANGULAR_VELOCITY] = {"the angular velocity that is asked", "rad/s", false},
    [CRM_LAW_BOX] = {"the box that the position must lie in", "m", false},
    [CRM_LAW_DIRECTION] = {"the direction that is asked", "", false},
    [CRM_LAW_TIME] = {"the time of the plan", "s", false},
    [CRM_LAW_TOUCH] = {"the contact that is asked", "m or N s", false},
};

void crm_violation_text(const carom_model *model, const crm_plan_violation *v, char *text, size_t size) {
    char names[2 * CRM_BODY_TEXT + 16] = "", name[CRM_BODY_TEXT];
    int used = 0;
    bool of_joint = v->law == CRM_LAW_JOINT || v->law == CRM_LAW_JOINT_LIMIT || v->law == CRM_LAW_JOINT_IMPULSE;
    if (of_joint)
        used = snprintf(names, sizeof names, " of %s", crm_joint_text(model, v->item, name));
    else if (v->a.index >= 0)
        used = snprintf(names, sizeof names, " of %s", crm_body_text(model, v->a.index, name));
    if (v->b.index >= 0 && !of_joint)
        snprintf(names + used, sizeof names - (size_t)used, " and %s", crm_body_text(model, v->b.index, name));
    snprintf(text, size, "%s%s at %s %d is off by %.2g %s", law_texts[v->law].what, names,
             law_texts[v->law].interval ? "interval" : "node", v->node, v->value, law_texts[v->law].unit);
}

// ---- all of it

static bool all_finite(const crm_plan_facts *f) {
    const crm_plan_motion *m = f->motion;
    double sum = 0.0; // times zero: NAN if anything is not finite
    for (int k = 0; k < f->intervals; k++) sum += 0.0 * m->length[k];
    for (int i = 0; i < (f->intervals + 1) * f->bodies; i++)
        sum += 0.0 * (crm_length_squared(m->position[i]) + crm_mat3_norm(m->attitude[i]));
    for (int i = 0; i < f->intervals * f->bodies; i++)
        sum += 0.0 * (crm_length(m->momentum[i]) + crm_length(m->spin_momentum[i]));
    for (int i = 0; i < 2 * f->intervals * f->bodies; i++)
        sum += 0.0 * (crm_length(m->force[i]) + crm_length(m->torque[i]));
    return sum == 0.0;
}

carom_status crm_plan_facts_of(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                               crm_arena *arena, crm_plan_findings *out, crm_plan_facts *f, carom_error *error) {
    *f = (crm_plan_facts){.model = model,
                          .def = def,
                          .motion = motion,
                          .bodies = motion->body_count,
                          .intervals = motion->interval_count,
                          .out = out};
    ptrdiff_t poses = (ptrdiff_t)(f->intervals + 1) * f->bodies;
    f->start = CRM_ARENA_ARRAY(arena, crm_motion, f->bodies);
    f->axes = CRM_ARENA_ARRAY(arena, carom_mat3, poses);
    f->at = CRM_ARENA_ARRAY(arena, crm_motion, poses);
    f->push = CRM_ARENA_ZEROED(arena, crm_vec6, 2 * poses);
    f->impulse = CRM_ARENA_ZEROED(arena, crm_vec6, poses);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "the certificate of a plan", sizeof *f->push);
    if (!all_finite(f)) return crm_refuse(error, "the plan has numbers that are not finite");
    find_units(f);
    find_poses(f);
    for (int k = 0; k < f->intervals; k++) find_pushes(f, k);
    find_impulses(f);
    return find_start(f, error);
}
