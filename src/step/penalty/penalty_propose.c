// SPDX-License-Identifier: MIT
// Stiffness and damping of a pair from masses, step, weight, allowed penetration and restitution.
//
// Stability. One contact of effective mass m under the semi-implicit Euler step, its damper with the velocity at the
// end, is x(n+1) - 2 x(n) + x(n-1) = -A x(n) - B (x(n+1) - x(n)) with A = h^2 k/m, B = h d/m: its roots have the
// product 1/(1 + B) and the sum (2 - A + B)/(1 + B), so that they lie in the unit circle when A < 4 + 2 B (Schur and
// Cohn). Without damping this is h < 2 sqrt(m/k).
//
// Stiffness. The step bears k_step = A m/h^2 with an A of `resolved`; the allowed penetration delta at rest asks for
// k_rest = weight/delta, with the weight of a pile of ten bodies like those of the pair: it asks for nothing that is
// elsewhere. The proposal is their geometric mean while k_rest <= k_step, and k_step beyond. It meets
// delta, and as h goes to 0 both the penetration and A, by which an impact is not plastic, vanish with it.
//
// Where steps vary h is the longest of them, here: a spring that got stiffer would make energy.
//
// Damping. An impact that ends when the force does has the restitution
//   e = exp(-2 z acos(z) / sqrt(1 - z^2)),   z = d / (2 sqrt(k m))   (acosh and z^2 - 1 beyond z = 1),
// (Schwager and Poeschel 2007). It never reaches 0. Without restitution d = m/h takes half of the approach in a step;
// what is left to the spring is the overlap of about one step, which it pushes out at k/d times that: a rebound of
// h k/d, which is to be small. More than both would only let springs settle more slowly, as they do in d/k.
#include <math.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "step/penalty/penalty.h"

// h^2 k/m that is proposed at most: an impact then lasts ten steps, and a dozen neighbours leave it stable.
static const double resolved = 0.1;
// d/(h k) without restitution, at least: steps that a spring takes to settle.
static const double settling_steps = 40.0;

// Bodies that the pair may have to bear, each as heavy as the pair.
static const double pile = 10.0;

static double restitution_of(double z) {
    if (z == 1.0) return exp(-2.0);
    double angle = z < 1.0 ? acos(z) / sqrt(1.0 - z * z) : acosh(z) / sqrt(z * z - 1.0);
    return exp(-2.0 * z * angle);
}

// Bisection: e falls with z, from 1 at 0, and stays below 1/z^2.
static double ratio_of(double restitution) {
    double low = 0.0, high = fmax(1.0, 1.0 / sqrt(restitution));
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (restitution_of(middle) > restitution)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

static double proposed_stiffness(double mass, double h, double weight, double penetration) {
    double step = resolved * mass / (h * h), rest = weight / penetration;
    return rest > 0.0 ? sqrt(step * fmin(step, rest)) : step;
}

double crm_penalty_damping(double mass, double h, double stiffness, double restitution, crm_damping_memo *memo) {
    double most = fmax(mass / h, settling_steps * h * stiffness);
    if (restitution <= 0.0) return most;
    if (restitution >= 1.0) return 0.0;
    if (memo->restitution != restitution) *memo = (crm_damping_memo){restitution, ratio_of(restitution)};
    return fmin(most, 2.0 * memo->ratio * sqrt(stiffness * mass));
}

double crm_penalty_largest_step(double stiffness, double damping) {
    // The positive root of stiffness h^2 - 2 damping h = 4.
    return stiffness > 0.0 ? (damping + sqrt(damping * damping + 4.0 * stiffness)) / stiffness : INFINITY;
}

static double weight_on(const carom_model *model, int a, int b) {
    double mass = 0.0;
    if (crm_body_moves(model, a)) mass += model->bodies.items[a].mass;
    if (crm_body_moves(model, b)) mass += model->bodies.items[b].mass;
    return pile * mass * crm_length(model->gravity);
}

double crm_penalty_restitution(const carom_model *model, int a, int b) {
    double friction = 0.0, restitution = 0.0;
    // Bodies of a frozen model have materials that are there: this cannot fail.
    (void)carom_model_get_material_pair(model, model->bodies.items[a].def.material, model->bodies.items[b].def.material,
                                        &friction, &restitution, NULL);
    return restitution;
}

carom_penalty_pair crm_penalty_pair_of(const carom_model *model, const carom_method_def *def, double longest,
                                       crm_damping_memo *memo, int a, int b) {
    const crm_body *body_a = &model->bodies.items[a], *body_b = &model->bodies.items[b];
    double mass = 1.0 / (body_a->inverse_mass + body_b->inverse_mass), h = def->step;
    double restitution = crm_penalty_restitution(model, a, b), weight = weight_on(model, a, b);
    carom_penalty_pair pair = {.stiffness = def->penalty.stiffness, .damping = def->penalty.damping};
    pair.penetration = def->penalty.penetration * crm_pair_size(model, a, b);
    if (pair.stiffness == 0.0) pair.stiffness = proposed_stiffness(mass, longest, weight, pair.penetration);
    if (pair.damping == 0.0) pair.damping = crm_penalty_damping(mass, h, pair.stiffness, restitution, memo);
    pair.rest_penetration = weight / pair.stiffness;
    pair.largest_step = crm_penalty_largest_step(pair.stiffness / mass, pair.damping / mass);
    return pair;
}

carom_status carom_penalty_propose(const carom_model *model, const carom_method_def *def, carom_body a, carom_body b,
                                   carom_penalty_pair *out, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    CRM_NEED(out, error);
    carom_status status = CRM_CHECK_STRUCT(def, carom_method_def, error);
    if (status != CAROM_OK) return status;
    carom_method_def asked = *def;
    asked.method = CAROM_METHOD_PENALTY;
    status = carom_method_supports(model, &asked, error);
    if (status == CAROM_OK) status = crm_model_check_body(model, a, false, "penalty", error);
    if (status == CAROM_OK) status = crm_model_check_body(model, b, false, "penalty", error);
    if (status != CAROM_OK) return status;
    const crm_body *body_a = &model->bodies.items[a.index], *body_b = &model->bodies.items[b.index];
    if (body_a->def.shape.index < 0 || body_b->def.shape.index < 0)
        return crm_refuse(error, "penalty: both bodies must have shapes to touch with");
    if (body_a->kind == CAROM_BODY_FIXED && body_b->kind == CAROM_BODY_FIXED)
        return crm_refuse(error, "penalty: both bodies are fixed, and fixed bodies do not touch");
    crm_damping_memo memo = {0};
    *out = crm_penalty_pair_of(model, def, carom_method_longest_step(def, INFINITY), &memo, a.index, b.index);
    return CAROM_OK;
}
