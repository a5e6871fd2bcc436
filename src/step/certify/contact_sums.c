// SPDX-License-Identifier: MIT
#include "step/certify/contact_sums.h"

#include <math.h>
#include <string.h>

#include "base/forest.h"
#include "model/proxies.h"
#include "shape/shape.h"
#include "step/certify/accounts.h"
#include "step/certify/contact_work.h"

// Slip that has a direction: above this share of what gravity adds in a step, and of the fastest of both bodies.
static const double slip_of_gravity = 0.1, slip_of_speed = 1e-3;
// Bodies that end farther apart than this share of the smaller one's size do not touch.
static const double apart = 0.02;

static double speed_of(const carom_model *model, const carom_state *state, int body) {
    const crm_vec6 *twist = &state->accounts.twist[body].at[1];
    return crm_length(twist->linear) + 0.5 * model->bodies.items[body].size * crm_length(twist->angular);
}

// The part of friction that is not against the slip.
static double across_slip(const carom_contact_state *c, double slip) {
    double along = -(c->tangent_impulse[0] * c->slip[0] + c->tangent_impulse[1] * c->slip[1]) / slip;
    double across = (c->tangent_impulse[0] * c->slip[1] - c->tangent_impulse[1] * c->slip[0]) / slip;
    return along >= 0.0 ? fabs(across) : hypot(across, along);
}

typedef struct contact_look {
    const carom_model *model;
    const carom_state *state;
    bool touching;     // impulses act where bodies are at the start of the step
    double least_slip; // that has a direction, by gravity, m/s
    crm_last_restitution last;
} contact_look;

// Whether the length of v surely is below the bound, so that no root is needed: by more than roundings of its square.
static bool surely_below(const double v[2], double bound) {
    return v[0] * v[0] + v[1] * v[1] < 0.99 * bound * bound;
}

// In an impact the slip changes its direction, and friction follows it.
static void add_slip(const contact_look *look, const carom_contact_state *c, double most, crm_contact_sums *sums) {
    if (!(most > 0.0) || surely_below(c->slip, look->least_slip)) return;
    double slip = hypot(c->slip[0], c->slip[1]), fastest = fmax(speed_of(look->model, look->state, c->a.index),
                                                                speed_of(look->model, look->state, c->b.index));
    if (!(slip > look->least_slip) || !(slip > slip_of_speed * fastest)) return;
    sums->most_friction += most;
    sums->across += across_slip(c, slip);
}

static void add_contact(contact_look *look, const carom_contact_state *c, crm_contact_sums *sums) {
    double normal = c->normal_impulse, most = c->friction * normal;
    sums->normal += normal;
    if (!surely_below(c->tangent_impulse, most))
        sums->outside += fmax(0.0, hypot(c->tangent_impulse[0], c->tangent_impulse[1]) - most);
    if (!look->touching) return;
    add_slip(look, c, most, sums);
    double end = c->gap + look->state->method.step * c->normal_velocity;
    if (end > apart * crm_pair_size(look->model, c->a.index, c->b.index) &&
        crm_contact_restitution(look->model, c, &look->last) == 0.0)
        sums->apart += normal;
}

// ---- smooth contacts

static bool is_ball(const carom_model *model, int body) {
    const crm_body *of = &model->bodies.items[body];
    if (!crm_body_moves(model, body) || of->def.shape.index < 0) return false;
    const carom_shape *shape = model->shapes.items[of->def.shape.index].shape;
    return shape->kind == CAROM_SHAPE_SPHERE && crm_length(crm_sub(shape->centre, of->centre)) <= 1e-9 * of->size;
}

// A ball whose contacts are all smooth keeps its spin.
static void check_spin(const carom_model *model, carom_state *state, int body) {
    const crm_vec6 *before = &state->accounts.twist[body].at[0], *after = &state->accounts.twist[body].at[1];
    double change = 0.5 * model->bodies.items[body].size * crm_length(crm_sub(after->angular, before->angular));
    double speed = fmax(speed_of(model, state, body), crm_length(before->linear));
    if (speed > 0.0) crm_finding_raise(state, CAROM_RULE_SMOOTH_SPIN, change / speed, body, -1);
}

// Marks bodies that some contact is rough on.
static void mark_rough(const carom_model *model, const carom_state *state) {
    bool *rough = state->accounts.marked;
    memset(rough, 0, (size_t)model->bodies.count * sizeof *rough);
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &state->contact_table.items[i];
        if (c->friction > 0.0) rough[c->a.index] = rough[c->b.index] = true;
    }
}

void crm_contact_sums_add(const carom_model *model, carom_state *state, bool touching) {
    contact_look look = {
        model, state, touching, slip_of_gravity * (crm_length(model->gravity) * state->method.step), {0}};
    bool marked = false; // as a rule there is friction
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &state->contact_table.items[i];
        if (!(c->normal_impulse > 0.0)) continue;
        int body = crm_body_moves(model, c->a.index) ? c->a.index : c->b.index;
        crm_island_account *island = &state->accounts.island[crm_forest_root(state->accounts.root, body)];
        add_contact(&look, c, &island->contacts);
        const int ends[2] = {c->a.index, c->b.index};
        if (c->friction != 0.0) continue;
        if (!marked) mark_rough(model, state), marked = true;
        for (int e = 0; e < 2; e++)
            if (!state->accounts.spun[ends[e]] && !state->accounts.marked[ends[e]] && is_ball(model, ends[e]))
                check_spin(model, state, ends[e]);
    }
}

// ---- findings

static void find(carom_finding *finding, double part, double whole, int body) {
    double share = part > 0.0 ? part / whole : 0.0;
    if (share > finding->value) *finding = (carom_finding){share, body, -1, -1};
}

void crm_contact_sums_find(const carom_state *state, int island, carom_finding *out) {
    const crm_contact_sums *sums = &state->accounts.island[island].contacts;
    find(&out[CAROM_RULE_CONE], sums->outside, sums->normal, island);
    find(&out[CAROM_RULE_FRICTION_DIRECTION], sums->across, sums->most_friction, island);
    find(&out[CAROM_RULE_IMPULSE_APART], sums->apart, sums->normal, island);
}
