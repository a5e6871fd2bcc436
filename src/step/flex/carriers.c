// SPDX-License-Identifier: MIT
#include "step/flex/carriers.h"

#include "base/fail.h"
#include "math/eigen3.h"
#include "model/force/acting.h"
#include "step/integrate/isolated_body.h"

// ---- what they are

static int attachments_of(const carom_model *model) {
    int count = 0;
    for (int f = 0; f < model->flexes.count; f++) count += model->flexes.items[f].attachment_count;
    return count;
}

// m (|r|^2 1 - r r^T)
static carom_mat3 point_inertia(double mass, carom_vec3 r) {
    double square = mass * crm_length_squared(r);
    return crm_mat3_sub(crm_mat3_diagonal(crm_vec3(square, square, square)), crm_outer(crm_scale(mass, r), r));
}

static void find_whole(const carom_model *model, const crm_carriers *carriers, crm_carrier *c) {
    const crm_body *body = &model->bodies.items[c->body];
    double mass = body->mass;
    carom_vec3 moment = crm_vec3_zero(), principal;
    carom_mat3 axes;
    for (int i = c->first; i < c->first + c->count; i++) {
        double own = model->bodies.items[carriers->node[i]->node].mass;
        mass += own;
        moment = crm_madd(moment, own, carriers->node[i]->at);
    }
    c->centre = crm_scale(1.0 / mass, moment);
    carom_mat3 inertia = crm_mat3_add(crm_mat3_diagonal(body->inertia), point_inertia(body->mass, c->centre));
    for (int i = c->first; i < c->first + c->count; i++) {
        double own = model->bodies.items[carriers->node[i]->node].mass;
        inertia = crm_mat3_add(inertia, point_inertia(own, crm_sub(carriers->node[i]->at, c->centre)));
    }
    crm_eigen3(inertia, &principal, &axes);
    c->frame = crm_quat_from_mat3(axes);
    c->whole = *body;
    c->whole.mass = mass;
    c->whole.inverse_mass = 1.0 / mass;
    c->whole.inertia = principal;
    c->whole.inverse_inertia = crm_vec3(1.0 / principal.x, 1.0 / principal.y, 1.0 / principal.z);
}

static void list_nodes(const carom_model *model, crm_carriers *carriers, crm_carrier *c, int *used) {
    c->first = *used;
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        for (int i = 0; i < flex->attachment_count; i++)
            if (flex->attachment[i].body == c->body) carriers->node[(*used)++] = &flex->attachment[i];
    }
    c->count = *used - c->first;
}

static void mark_carriers(const carom_model *model, bool *carries) {
    for (int f = 0; f < model->flexes.count; f++)
        for (int i = 0; i < model->flexes.items[f].attachment_count; i++)
            carries[model->flexes.items[f].attachment[i].body] = true;
}

carom_status crm_carriers_prepare(carom_state *state, crm_carriers *out, carom_error *error) {
    const carom_model *model = state->model;
    int nodes = attachments_of(model), used = 0;
    char name[CRM_BODY_TEXT];
    *out = (crm_carriers){0};
    if (nodes == 0) return CAROM_OK;
    bool *carries = CRM_ARENA_ZEROED(&state->arena, bool, model->bodies.count);
    out->item = CRM_ARENA_ZEROED(&state->arena, crm_carrier, nodes);
    out->node = CRM_ARENA_ZEROED(&state->arena, const crm_flex_attachment *, nodes);
    if (crm_arena_refused(&state->arena))
        return crm_fail_memory(error, "attachments", sizeof(crm_carrier) * (size_t)nodes);
    mark_carriers(model, carries);
    for (int b = 0; b < model->bodies.count; b++) {
        if (!carries[b]) continue;
        if ((model->bodies.items[b].acting & CRM_ACTS_JOINT) != 0u)
            return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                            "%s: it carries nodes of a flexible body, and a joint acts on it; leave one of them out",
                            crm_body_text(model, b, name));
        crm_carrier *c = &out->item[out->count++];
        c->body = b;
        list_nodes(model, out, c, &used);
        find_whole(model, out, c);
    }
    return CAROM_OK;
}

// ---- their motions

static carom_vec3 centre_of(const crm_carrier *c, const crm_motion *body) {
    return crm_add(body->x, crm_quat_rotate(body->q, c->centre));
}

// The whole, of the momenta that each has.
static crm_motion gather(const crm_carriers *carriers, const crm_carrier *c, const crm_motion *motions) {
    const crm_motion *body = &motions[c->body];
    crm_motion whole = {
        .x = centre_of(c, body), .q = crm_quat_normalised(crm_quat_mul(body->q, c->frame)), .p = body->p, .l = body->l};
    whole.l = crm_add(whole.l, crm_cross(crm_sub(body->x, whole.x), body->p));
    for (int i = c->first; i < c->first + c->count; i++) {
        const crm_motion *node = &motions[carriers->node[i]->node];
        whole.p = crm_add(whole.p, node->p);
        whole.l = crm_add(whole.l, crm_cross(crm_sub(node->x, whole.x), node->p));
    }
    return whole;
}

static void scatter(const carom_model *model, const crm_carriers *carriers, const crm_carrier *c,
                    const crm_motion *whole, crm_motion *motions) {
    const crm_body *body = &model->bodies.items[c->body];
    crm_motion *to = &motions[c->body];
    carom_vec3 velocity = crm_motion_velocity(&c->whole, whole), spin = crm_motion_spin(&c->whole, whole);
    to->q = crm_quat_normalised(crm_quat_mul(whole->q, crm_quat_conjugate(c->frame)));
    carom_vec3 arm = crm_negate(crm_quat_rotate(to->q, c->centre));
    to->x = crm_add(whole->x, arm);
    to->p = crm_scale(body->mass, crm_add(velocity, crm_cross(spin, arm)));
    to->l = crm_motion_angular_momentum(body, to->q, spin);
    for (int i = c->first; i < c->first + c->count; i++) {
        crm_motion *node = &motions[carriers->node[i]->node];
        carom_vec3 own = crm_add(arm, crm_quat_rotate(to->q, carriers->node[i]->at));
        node->x = crm_add(whole->x, own);
        node->p = crm_scale(model->bodies.items[carriers->node[i]->node].mass, crm_add(velocity, crm_cross(spin, own)));
    }
}

bool crm_carriers_move(carom_state *state, const crm_carriers *carriers, const crm_vec6 *before,
                       carom_step_report *report) {
    for (int k = 0; k < carriers->count; k++) {
        const crm_carrier *c = &carriers->item[k];
        crm_motion whole = gather(carriers, c, state->motions), next;
        crm_vec6 impulse = before[c->body];
        carom_vec3 arm = crm_sub(state->motions[c->body].x, whole.x);
        impulse.angular = crm_add(impulse.angular, crm_cross(arm, impulse.linear));
        for (int i = c->first; i < c->first + c->count; i++) {
            int node = carriers->node[i]->node;
            impulse.linear = crm_add(impulse.linear, before[node].linear);
            arm = crm_sub(state->motions[node].x, whole.x);
            impulse.angular = crm_add(impulse.angular, crm_cross(arm, before[node].linear));
        }
        crm_isolated_report made;
        if (!crm_isolated_step(&c->whole, &whole, impulse, crm_vec6_zero(), state->method.step,
                               state->method.iteration_limit, &next, &made)) {
            crm_step_impossible(state->model, c->body, report,
                                "and the nodes that it carries rotate too far in the step after t = %g s; make "
                                "method.step of %g s smaller",
                                carom_state_time(state), state->method.step);
            return false;
        }
        scatter(state->model, carriers, c, &next, state->next);
    }
    return true;
}

void crm_carriers_share(carom_state *state, const crm_carriers *carriers) {
    for (int k = 0; k < carriers->count; k++) {
        crm_motion whole = gather(carriers, &carriers->item[k], state->next);
        scatter(state->model, carriers, &carriers->item[k], &whole, state->next);
    }
}
