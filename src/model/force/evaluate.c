// SPDX-License-Identifier: MIT
#include "model/force/evaluate.h"
#include "model/force/acting.h"
#include "model/force/follower.h"

#include "model/field/field.h"
#include "model/force/pair_potential.h"
#include "model/force/system_callback.h"

static bool has(const crm_body_scope *scope, int body) {
    return scope == NULL || (body >= 0 && scope->group[body] == scope->of);
}

// The k-th body.
static int body_at(const crm_body_scope *scope, int k) {
    return scope == NULL ? k : scope->body[k];
}

// What is fixed is in no scope, and nothing moves it.
static void add_at_point(const carom_model *model, const crm_motion *motions, crm_point point, carom_vec3 force,
                         crm_vec6 *wrench) {
    if (!crm_body_moves(model, point.body)) return;
    carom_vec3 arm = crm_quat_rotate(motions[point.body].q, point.at);
    crm_vec6 *w = &wrench[point.body];
    w->linear = crm_add(w->linear, force);
    w->angular = crm_add(w->angular, crm_cross(arm, force));
}

static carom_vec3 point_velocity(const carom_model *model, const crm_motion *motions, crm_point point) {
    if (point.body < 0) return crm_vec3_zero();
    const crm_body *body = &model->bodies.items[point.body];
    const crm_motion *m = &motions[point.body];
    return crm_add(crm_motion_velocity(body, m), crm_cross(crm_motion_spin(body, m), crm_quat_rotate(m->q, point.at)));
}

static void add_drags(const carom_model *model, const crm_body_scope *scope, const crm_motion *motions,
                      crm_vec6 *wrench) {
    for (int i = 0; i < model->drags.count; i++) {
        const carom_drag_def *drag = &model->drags.items[i];
        int b = drag->body.index;
        if (!has(scope, b)) continue;
        carom_vec3 v = crm_motion_velocity(&model->bodies.items[b], &motions[b]);
        carom_vec3 w = crm_motion_spin(&model->bodies.items[b], &motions[b]);
        wrench[b].linear = crm_madd(wrench[b].linear, -(drag->linear + drag->quadratic * crm_length(v)), v);
        wrench[b].angular = crm_madd(wrench[b].angular, -drag->angular, w);
    }
}

static void add_dampers(const carom_model *model, const crm_body_scope *scope, const crm_motion *motions,
                        crm_vec6 *wrench) {
    for (int i = 0; i < model->springs.count && model->damper_count > 0; i++) {
        const crm_spring *spring = &model->springs.items[i];
        carom_vec3 n;
        if (!has(scope, spring->a.body) && !has(scope, spring->b.body)) continue;
        if (spring->damping == 0.0 ||
            crm_normalise(crm_sub(crm_point_position(spring->a, motions), crm_point_position(spring->b, motions)),
                          &n) == 0.0)
            continue;
        double rate =
            crm_dot(n, crm_sub(point_velocity(model, motions, spring->a), point_velocity(model, motions, spring->b)));
        add_at_point(model, motions, spring->a, crm_scale(-spring->damping * rate, n), wrench);
        add_at_point(model, motions, spring->b, crm_scale(spring->damping * rate, n), wrench);
    }
}

static void add_wrenches(const carom_model *model, const crm_body_scope *scope, const crm_motion *motions,
                         crm_vec6 *wrench) {
    for (int i = 0; i < model->wrenches.count; i++) {
        const crm_wrench *w = &model->wrenches.items[i];
        if (!has(scope, w->point.body)) continue;
        carom_quat q = w->in_body_axes ? motions[w->point.body].q : crm_quat_identity();
        add_at_point(model, motions, w->point, crm_quat_rotate(q, w->force), wrench);
        crm_vec6 *sum = &wrench[w->point.body];
        sum->angular = crm_add(sum->angular, crm_quat_rotate(q, w->torque));
    }
}

static int ask_callback(const carom_model *model, const carom_callback_def *callback, double time,
                        const crm_motion *motion, carom_force_value *value) {
    carom_body_state state = crm_motion_to_body_state(&model->bodies.items[callback->body.index], motion);
    carom_force_sample sample = {time, state.position, state.attitude, state.velocity, state.spin};
    *value = (carom_force_value){0};
    return callback->function(callback->user, &sample, value);
}

// The force acts at the body frame's origin, which stands -R c from the centre of mass.
crm_vec6 crm_force_value_about_centre(const crm_body *body, const crm_motion *m, const carom_force_value *value) {
    carom_quat attitude = crm_quat_mul(m->q, crm_quat_conjugate(body->frame));
    carom_vec3 arm = crm_negate(crm_quat_rotate(attitude, body->centre));
    return crm_vec6_of(value->force, crm_add(value->torque, crm_cross(arm, value->force)));
}

int crm_callback_wrench(const carom_model *model, const carom_callback_def *callback, double time,
                        const crm_motion *motion, crm_vec6 *wrench) {
    carom_force_value value;
    int answer = ask_callback(model, callback, time, motion, &value);
    *wrench = crm_force_value_about_centre(&model->bodies.items[callback->body.index], motion, &value);
    return answer;
}

static crm_callback_answer add_callbacks(const carom_model *model, const crm_body_scope *scope, double time,
                                         const crm_motion *motions, crm_vec6 *wrench, crm_vec6 *active) {
    for (int i = 0; i < model->callbacks.count; i++) {
        const carom_callback_def *callback = &model->callbacks.items[i];
        int b = callback->body.index;
        if (!has(scope, b)) continue;
        carom_force_value value;
        int answer = ask_callback(model, callback, time, &motions[b], &value);
        bool finite = crm_vec3_finite(value.force) && crm_vec3_finite(value.torque);
        if (answer != 0 || !finite)
            return (crm_callback_answer){.answer = answer, .body = b, .not_finite = answer == 0};
        crm_vec6 *sum = value.conservative ? &wrench[b] : &active[b];
        *sum = crm_vec6_add(*sum, crm_force_value_about_centre(&model->bodies.items[b], &motions[b], &value));
    }
    return (crm_callback_answer){.body = -1};
}

static bool has_any(const crm_body_scope *scope, const crm_system_callback *callback) {
    for (int i = 0; i < callback->count; i++)
        if (has(scope, callback->body[i])) return true;
    return false;
}

static crm_callback_answer add_system_callbacks(const carom_model *model, const crm_body_scope *scope, double time,
                                                const crm_motion *motions, crm_vec6 *wrench, crm_vec6 *active) {
    for (int i = 0; i < model->system_callbacks.count; i++) {
        const crm_system_callback *callback = &model->system_callbacks.items[i];
        if (!has_any(scope, callback)) continue;
        carom_system system = crm_system_of(model, callback, time, motions);
        system.conservative = wrench;
        system.active = active;
        int answer = crm_system_ask(&system);
        if (answer != 0) return (crm_callback_answer){.answer = answer, .body = callback->body[0]};
        if (system.not_finite >= 0) return (crm_callback_answer){.body = system.not_finite, .not_finite = true};
    }
    return (crm_callback_answer){.body = -1};
}

static void add_fields(const carom_model *model, const crm_body_scope *scope, const crm_motion *motions,
                       crm_vec6 *active, crm_vec6 *passive) {
    for (int i = 0; i < model->fields.count; i++) {
        const crm_field *field = &model->fields.items[i];
        int b = field->body;
        if (!has(scope, b)) continue;
        crm_vec6 wrench = crm_field_wrench(model, field, &motions[b]);
        active[b] = crm_vec6_add(active[b], wrench);
        if (crm_field_is_passive(field)) passive[b] = crm_vec6_add(passive[b], wrench);
    }
}

bool crm_kind_admits(carom_body_kind kind, int component) {
    switch (kind) {
    case CAROM_BODY_FREE:
        return true;
    case CAROM_BODY_PLANAR:
        return component == 0 || component == 1 || component == 5;
    case CAROM_BODY_POINT:
        return component < 3;
    case CAROM_BODY_FIXED:
        break;
    }
    return false;
}

crm_vec6 crm_wrench_projected(carom_body_kind kind, crm_vec6 w) {
    if (kind == CAROM_BODY_FREE) return w;
    const double v[6] = {w.linear.x, w.linear.y, w.linear.z, w.angular.x, w.angular.y, w.angular.z};
    double projected[6];
    for (int k = 0; k < 6; k++) projected[k] = crm_kind_admits(kind, k) ? v[k] : 0.0;
    return crm_vec6_of(crm_vec3(projected[0], projected[1], projected[2]),
                       crm_vec3(projected[3], projected[4], projected[5]));
}

static void set_weights(const carom_model *model, const crm_body_scope *scope, crm_vec6 *wrench) {
    int bodies = scope == NULL ? model->bodies.count : scope->count;
    for (int k = 0; k < bodies; k++) {
        int b = body_at(scope, k);
        wrench[b] = crm_vec6_of(crm_scale(model->bodies.items[b].mass, model->gravity), crm_vec3_zero());
    }
}

static void add_potentials(const carom_model *model, const crm_body_scope *scope, const crm_motion *motions,
                           bool springs, crm_vec6 *wrench) {
    for (int i = 0; i < model->pair_potentials.count; i++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[i];
        if (!has(scope, pair->a.body) && !has(scope, pair->b.body)) continue;
        if (!springs && pair->kind == CRM_PAIR_POTENTIAL_SPRING) continue;
        crm_pair_potential_value value = crm_pair_potential_evaluate(pair, crm_point_position(pair->a, motions),
                                                                     crm_point_position(pair->b, motions));
        add_at_point(model, motions, pair->a, crm_negate(value.gradient), wrench);
        add_at_point(model, motions, pair->b, value.gradient, wrench);
    }
}

// What comes from outside, and the sums of all that is there.
static crm_callback_answer add_outside(const carom_model *model, const crm_body_scope *scope, double time,
                                       const crm_motion *motions, const carom_input *input, crm_vec6 *wrench,
                                       crm_vec6 *active, crm_vec6 *passive) {
    for (int i = 0; input != NULL && i < input->wrench_count; i++) {
        const carom_wrench *w = &input->wrench[i];
        if (!has(scope, w->body.index)) continue;
        active[w->body.index] = crm_vec6_add(active[w->body.index], crm_vec6_of(w->force, w->torque));
    }
    for (int i = 0; input != NULL && i < input->body_wrench_count; i++) {
        int b = input->body_wrench[i].body.index;
        if (has(scope, b))
            active[b] = crm_vec6_add(active[b], crm_body_wrench_at(model, &input->body_wrench[i], &motions[b]));
    }
    add_fields(model, scope, motions, active, passive);
    crm_callback_answer answer = add_callbacks(model, scope, time, motions, wrench, active);
    if (answer.body < 0) answer = add_system_callbacks(model, scope, time, motions, wrench, active);
    int bodies = scope == NULL ? model->bodies.count : scope->count;
    for (int k = 0; k < bodies; k++) {
        int b = body_at(scope, k);
        carom_body_kind kind = model->bodies.items[b].kind;
        active[b] = crm_wrench_projected(kind, active[b]);
        passive[b] = crm_wrench_projected(kind, passive[b]);
        wrench[b] = crm_vec6_add(crm_wrench_projected(kind, wrench[b]), active[b]);
    }
    return answer;
}

static crm_callback_answer add_elements(const carom_model *model, const crm_body_scope *scope,
                                        const crm_motion *motions, crm_vec6 *wrench, crm_vec6 *passive) {
    crm_flex_sum sum = crm_flex_forces_add(model, motions, scope == NULL ? NULL : scope->group,
                                           scope == NULL ? 0 : scope->of, wrench, passive);
    if (!sum.inverted) return (crm_callback_answer){.body = -1};
    int body = crm_flex_element_body(&model->flexes.items[sum.flex], sum.element);
    return (crm_callback_answer){.body = body, .inverted = true, .element = sum.element};
}

static crm_callback_answer evaluate(const carom_model *model, const crm_body_scope *scope, double time,
                                    const crm_motion *motions, const crm_joint_config *configs,
                                    const carom_input *input, crm_vec6 *wrench, crm_vec6 *active, crm_vec6 *passive) {
    int bodies = scope == NULL ? model->bodies.count : scope->count;
    for (int k = 0; k < bodies; k++) passive[body_at(scope, k)] = crm_vec6_zero();
    set_weights(model, scope, wrench);
    add_potentials(model, scope, motions, true, wrench);
    crm_callback_answer inverted = add_elements(model, scope, motions, wrench, passive);
    add_drags(model, scope, motions, passive);
    add_dampers(model, scope, motions, passive);
    for (int k = 0; k < bodies; k++) active[body_at(scope, k)] = passive[body_at(scope, k)];
    add_wrenches(model, scope, motions, active);
    if (scope == NULL) crm_joints_add_forces(model, motions, configs, input, wrench, active, passive);
    crm_callback_answer answer = add_outside(model, scope, time, motions, input, wrench, active, passive);
    return inverted.inverted ? inverted : answer;
}

crm_callback_answer crm_forces_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                        const crm_joint_config *configs, const carom_input *input, crm_vec6 *wrench,
                                        crm_vec6 *active, crm_vec6 *passive) {
    return evaluate(model, NULL, time, motions, configs, input, wrench, active, passive);
}

crm_callback_answer crm_forces_evaluate_scope(const carom_model *model, const crm_body_scope *scope, double time,
                                              const crm_motion *motions, const carom_input *input, crm_vec6 *wrench,
                                              crm_vec6 *active, crm_vec6 *passive) {
    return evaluate(model, scope, time, motions, NULL, input, wrench, active, passive);
}

crm_callback_answer crm_given_forces_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                              const carom_input *input, crm_vec6 *wrench, crm_vec6 *active,
                                              crm_vec6 *passive) {
    for (int b = 0; b < model->bodies.count; b++) active[b] = passive[b] = crm_vec6_zero();
    set_weights(model, NULL, wrench);
    add_potentials(model, NULL, motions, false, wrench);
    add_wrenches(model, NULL, motions, active);
    crm_joints_add_given_forces(model, motions, input, active);
    return add_outside(model, NULL, time, motions, input, wrench, active, passive);
}

crm_callback_answer crm_unpaired_forces_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                                 crm_vec6 *wrench, crm_vec6 *active, crm_vec6 *passive) {
    for (int b = 0; b < model->bodies.count; b++) wrench[b] = passive[b] = crm_vec6_zero();
    add_drags(model, NULL, motions, passive);
    add_dampers(model, NULL, motions, passive);
    for (int b = 0; b < model->bodies.count; b++) active[b] = passive[b];
    add_wrenches(model, NULL, motions, active);
    return add_outside(model, NULL, time, motions, NULL, wrench, active, passive);
}

void crm_bodies_with_unpaired_forces(const carom_model *model, bool *unpaired) {
    const unsigned kinds = CRM_ACTS_DRAG | CRM_ACTS_DAMPER | CRM_ACTS_WRENCH | CRM_ACTS_CALLBACK | CRM_ACTS_FIELD;
    for (int b = 0; b < model->bodies.count; b++)
        unpaired[b] = crm_body_moves(model, b) && (model->bodies.items[b].acting & kinds) != 0u;
}

void crm_input_wrenches(const carom_model *model, const carom_input *input, crm_vec6 *wrench) {
    for (int b = 0; b < model->bodies.count; b++) wrench[b] = crm_vec6_zero();
    for (int i = 0; input != NULL && i < input->wrench_count; i++) {
        const carom_wrench *w = &input->wrench[i];
        int b = w->body.index;
        crm_vec6 projected = crm_wrench_projected(model->bodies.items[b].kind, crm_vec6_of(w->force, w->torque));
        wrench[b] = crm_vec6_add(wrench[b], projected);
    }
}

void crm_energy_add_to_body(const carom_model *model, int a, int b, double energy, double *of_body, size_t stride) {
    if (of_body == NULL) return;
    int body = a >= 0 && model->bodies.items[a].kind != CAROM_BODY_FIXED ? a : b >= 0 ? b : a;
    if (body >= 0) *(double *)(void *)((char *)of_body + (size_t)body * stride) += energy;
}

// Added up one by one to what there is.
static double add_callback_energies(const carom_model *model, double time, const crm_motion *motions, double energy,
                                    double *of_body, size_t stride) {
    for (int i = 0; i < model->callbacks.count; i++) {
        carom_force_value value;
        const carom_callback_def *callback = &model->callbacks.items[i];
        int answer = ask_callback(model, callback, time, &motions[callback->body.index], &value);
        if (answer != 0 || !value.conservative) continue;
        energy += value.energy;
        crm_energy_add_to_body(model, callback->body.index, -1, value.energy, of_body, stride);
    }
    for (int i = 0; i < model->system_callbacks.count; i++) {
        carom_system system = crm_system_of(model, &model->system_callbacks.items[i], time, motions);
        system.energy_of_body = of_body;
        system.stride = stride;
        (void)crm_system_ask(&system); // what it refuses the forces have refused
        energy += system.energy;
    }
    return energy;
}

double crm_unpaired_energy(const carom_model *model, double time, const crm_motion *motions) {
    return add_callback_energies(model, time, motions, 0.0, NULL, 0);
}

double crm_coupling_energy(const carom_model *model, double time, const crm_motion *motions,
                           const crm_joint_config *configs, double *of_body, size_t stride) {
    double energy = crm_joints_energy(model, motions, configs, of_body, stride);
    carom_vec3 a = crm_vec3_zero(); // of a charge with all others, which stand one after the other, asked for once
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        if (p == 0 || !crm_same_point(&pair->a, &pair[-1].a)) a = crm_point_position(pair->a, motions);
        double one = crm_pair_potential_evaluate(pair, a, crm_point_position(pair->b, motions)).energy;
        energy += one;
        crm_energy_add_to_body(model, pair->a.body, pair->b.body, one, of_body, stride);
    }
    return add_callback_energies(model, time, motions, energy, of_body, stride);
}

carom_energy crm_energy(const carom_model *model, double time, const crm_motion *motions,
                        const crm_joint_config *configs) {
    carom_energy energy = {.potential = crm_coupling_energy(model, time, motions, configs, NULL, 0)};
    energy.potential += crm_flex_energy(model, motions, NULL, 0).energy;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        energy.kinetic += crm_motion_kinetic_energy(body, &motions[b]);
        if (body->kind != CAROM_BODY_FIXED) energy.potential -= body->mass * crm_dot(model->gravity, motions[b].x);
    }
    return energy;
}

carom_momentum crm_momentum(const carom_model *model, const crm_motion *motions) {
    carom_momentum sum = {crm_vec3_zero(), crm_vec3_zero()};
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_motion *m = &motions[b];
        sum.linear = crm_add(sum.linear, m->p);
        sum.angular = crm_add(sum.angular, crm_add(m->l, crm_cross(m->x, m->p)));
    }
    return sum;
}
