// SPDX-License-Identifier: MIT
#include "step/flex/flex_balance.h"

#include <math.h>

#include "model/flex/flex_forces.h"

// Of potential energies, which are sums over nodes wherever these are.
static const double energy_rounding = 1e-15;
// Below this strain, and the speeds that belong to it, energies say nothing: a stiff body at rest is pushed by
// roundings.
static const double small_strain = 1e-7;
// Of a place, relative to its size.
static const double place_rounding = 1e-15;

static double elastic_energy(const crm_flex *flex, const crm_motion *motions) {
    return crm_elastic_evaluate(flex->elastic, crm_flex_positions(flex, motions), (crm_node_view){0}, (crm_node_sum){0},
                                (crm_node_sum){0})
        .energy;
}

// What roundings of places do to an elastic energy, J: they strain by `rounded` what is strained already.
static double elastic_blur(const crm_flex *flex, double energy, double farthest) {
    carom_mesh_quality quality = carom_mesh_get_quality(flex->def.mesh);
    double stiffness = flex->def.elastic.mu * quality.volume, rounded = place_rounding * farthest / quality.mean_edge;
    return rounded * (sqrt(2.0 * stiffness * energy) + stiffness * rounded);
}

static double balance_of(const carom_model *model, const carom_state *state, const crm_flex *flex) {
    double change = elastic_energy(flex, state->next), blur = 0.0, h = state->method.step;
    double scale = change, before = elastic_energy(flex, state->motions), most = fmax(change, before), farthest = 0.0;
    change -= before;
    scale +=
        before + small_strain * small_strain * flex->def.elastic.mu * carom_mesh_get_quality(flex->def.mesh).volume;
    for (int b = flex->first_body; b < flex->first_body + flex->node_count; b++) {
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *from = &state->motions[b], *to = &state->next[b];
        if (!crm_body_moves(model, b)) continue;
        farthest = fmax(farthest, crm_length(to->x));
        double first = crm_motion_kinetic_energy(body, from), last = crm_motion_kinetic_energy(body, to);
        carom_vec3 way = crm_sub(to->x, from->x),
                   push = crm_madd(state->active[b].linear, h * body->mass, model->gravity);
        double work = crm_dot(push, way) / h;
        scale += first + last;
        change += last - first - work;
        blur += energy_rounding * (first + last + crm_length(push) * crm_length(way) / h);
        if (state->told_work != NULL) change -= state->told_work[b].passive + state->told_work[b].active;
    }
    double off = fabs(change) - blur - elastic_blur(flex, most, farthest);
    return off > 0.0 ? off / scale : off == off ? 0.0 : INFINITY;
}

double crm_flex_balance(const carom_model *model, const carom_state *state, int *flex) {
    double worst = 0.0;
    *flex = -1;
    for (int f = 0; f < model->flexes.count; f++) {
        double own = balance_of(model, state, &model->flexes.items[f]);
        if (*flex >= 0 && own <= worst) continue;
        worst = own;
        *flex = f;
    }
    return worst;
}
