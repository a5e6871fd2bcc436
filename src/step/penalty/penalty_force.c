// SPDX-License-Identifier: MIT
// The contacts of a step and their forces.
#include <math.h>

#include "model/force/evaluate.h"
#include "step/certify/accounts.h"
#include "step/penalty/penalty.h"

static crm_penalty_contact contact_of(const carom_model *model, const carom_state *state, const crm_contact_site *site,
                                      int index) {
    crm_penalty_contact c = {.index = index, .site = *site};
    carom_vec3 u = crm_contact_approach(model, site, state->motions);
    for (int i = 0; i < 3; i++) c.velocity[i] = crm_dot(site->direction[i], u);
    for (int i = 0; i < 2; i++) c.stretch[i] = state->contact_list.items[index].impulse[1 + i];
    return c;
}

// The contacts of one pair, which share its spring and damper equally: however many points a face is touched at, and
// even if one is listed twice, the pair is as stiff as it was.
static bool gather_pair(const carom_model *model, const carom_state *state, crm_penalty *penalty, int first, int end) {
    const crm_contact_site *sites = penalty->found.sites.items;
    int a = sites[first].a, b = sites[first].b, from = penalty->contacts.count;
    for (int i = first; i < end; i++) {
        if (!(sites[i].gap < 0.0)) continue;
        crm_penalty_contact contact = contact_of(model, state, &sites[i], i);
        if (!CRM_ARRAY_PUSH(&model->allocator, &penalty->contacts, contact)) return false;
    }
    int sharing = penalty->contacts.count - from;
    if (sharing == 0) return true;
    carom_penalty_pair pair = crm_penalty_pair_of(model, &state->method, penalty->weight, &penalty->memo, a, b);
    for (int i = from; i < penalty->contacts.count; i++) {
        penalty->contacts.items[i].k = pair.stiffness / sharing;
        penalty->contacts.items[i].d = pair.damping / sharing;
    }
    return true;
}

bool crm_penalty_gather(const carom_model *model, const carom_state *state, crm_penalty *penalty) {
    const crm_contact_list *list = &state->contact_list;
    if (!crm_contact_step_take_sites(&penalty->found, list->items, list->count)) return false;
    const crm_contact_site *sites = penalty->found.sites.items;
    penalty->contacts.count = 0;
    for (int first = 0, end; first < list->count; first = end) {
        for (end = first; end < list->count && sites[end].a == sites[first].a && sites[end].b == sites[first].b;) end++;
        if (!gather_pair(model, state, penalty, first, end)) return false;
    }
    return true;
}

double crm_penalty_tangent_stiffness(const carom_penalty_def *def, const crm_penalty_contact *c) {
    return c->site.friction > 0.0 && def->friction == CAROM_PENALTY_SPRING ? def->tangent_stiffness * c->k : 0.0;
}

double crm_penalty_energy(const carom_model *model, const carom_penalty_def *def, const crm_penalty *penalty,
                          double *of_body) {
    double sum = 0.0;
    for (int b = 0; b < model->bodies.count; b++) of_body[b] = 0.0;
    for (int i = 0; i < penalty->contacts.count; i++) {
        const crm_penalty_contact *c = &penalty->contacts.items[i];
        double stretch = c->stretch[0] * c->stretch[0] + c->stretch[1] * c->stretch[1];
        double energy = 0.5 * (c->k * c->site.gap * c->site.gap + crm_penalty_tangent_stiffness(def, c) * stretch);
        sum += energy;
        crm_energy_add_to_body(model, c->site.a, c->site.b, energy, of_body, sizeof *of_body);
    }
    return sum;
}

// The largest share eta in 0 to 1 of the vector `add` that keeps |from + eta add| <= radius; |from| is not above it.
static double share_inside(const double *from, const double *add, double radius) {
    double a = add[0] * add[0] + add[1] * add[1], b = from[0] * add[0] + from[1] * add[1];
    double c = from[0] * from[0] + from[1] * from[1] - radius * radius;
    if (a + 2.0 * b + c <= 0.0) return 1.0;
    if (!(c < 0.0)) return b < 0.0 ? fmin(1.0, -2.0 * b / a) : 0.0;
    double root = sqrt(fmax(0.0, b * b - a * c));
    return fmin(1.0, b > 0.0 ? -c / (b + root) : (root - b) / a);
}

// Friction: first the spring, cut to what the cone allows, then as much of the damper as the cone still has room for.
// The spring gives back no more than it was given, and the damper is against the slip: friction adds no energy.
// Returns the energy that the spring lost by giving way, not above 0.
static double rub(const carom_penalty_def *def, crm_penalty_contact *c) {
    double k = crm_penalty_tangent_stiffness(def, c), d = def->tangent_stiffness * c->d,
           most = c->site.friction * c->force[0];
    double pull = k * hypot(c->stretch[0], c->stretch[1]), lost = 0.0;
    if (pull > most) {
        double keep = most / pull;
        lost = -0.5 * pull * pull / k * (1.0 - keep * keep);
        for (int i = 0; i < 2; i++) c->stretch[i] *= keep;
        c->slides = true;
    }
    double spring[2] = {-k * c->stretch[0], -k * c->stretch[1]};
    double damper[2] = {-d * c->velocity[1], -d * c->velocity[2]};
    double share = share_inside(spring, damper, most);
    if (share < 1.0) c->slides = true;
    for (int i = 0; i < 2; i++) {
        c->damped[1 + i] = share * damper[i];
        c->force[1 + i] = spring[i] + c->damped[1 + i];
    }
    return lost;
}

void crm_penalty_press(carom_state *state, crm_penalty *penalty, carom_step_report *report) {
    const carom_penalty_def *def = &state->method.penalty;
    double h = state->method.step;
    for (int i = 0; i < penalty->contacts.count; i++) {
        crm_penalty_contact *c = &penalty->contacts.items[i];
        double spring = -c->k * c->site.gap;
        c->force[0] = fmax(0.0, spring - c->d * c->velocity[0]);
        c->damped[0] = c->force[0] - spring;
        double lost = rub(def, c);
        state->spent += lost;
        crm_ledger_add(state, c->site.a, c->site.b, CRM_LINE_FRICTION, lost);
        report->friction_work += lost + h * (c->damped[1] * c->velocity[1] + c->damped[2] * c->velocity[2]);
    }
}
