// SPDX-License-Identifier: MIT
// Reference collisions of two bodies at one point, under every law. Body 1 of the file is B and body 2 is A: its normal
// runs from body 2 to body 1, which receives +j. The file gives arms r, so that the point is taken as the origin.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/impact.h"
#include "math/mat3.h"
#include "verify/checker.h"

typedef struct collision {
    carom_impact_pair pair;
    double algebraic, ode; // tolerances
} collision;

static carom_impact_body read_body(crm_reference *r, const json_t *input, const char *key) {
    char where[32];
    snprintf(where, sizeof where, "input.%s", key);
    if (!crm_reference_has(input, key)) return (carom_impact_body){.fixed = true};
    const json_t *body = crm_reference_object(r, input, "input", key);
    return (carom_impact_body){
        .mass = crm_reference_positive(r, body, where, "m"),
        .inertia = crm_reference_mat3(r, body, where, "I"),
        .centre = crm_negate(crm_reference_vec3(r, body, where, "r")),
        .velocity = crm_reference_vec3(r, body, where, "v"),
        .spin = crm_reference_vec3(r, body, where, "w"),
    };
}

static collision read_collision(crm_reference *r, const crm_case *what) {
    const json_t *input = what->input;
    return (collision){
        .pair = {.a = read_body(r, input, "body2"),
                 .b = read_body(r, input, "body1"),
                 .normal = crm_reference_vec3(r, input, "input", "normal"),
                 .friction = crm_reference_number(r, input, "input", "mu"),
                 .restitution = crm_reference_number(r, input, "input", "e_n"),
                 .tangential = crm_reference_number(r, input, "input", "e_t")},
        .algebraic = crm_reference_positive(r, what->tolerance, "tolerance", "algebraic"),
        .ode = crm_reference_positive(r, what->tolerance, "tolerance", "ode"),
    };
}

// ---- comparing, relative to what is wanted where that is larger than 1

static void compare_number(crm_verdict *verdict, double tolerance, const char *law_key, const char *quantity,
                           double got, double wanted) {
    crm_check_error(verdict, fabs(got - wanted) / fmax(1.0, fabs(wanted)), tolerance, "%s %s", law_key, quantity);
}

static void compare_vec3(crm_verdict *verdict, double tolerance, const char *law_key, const char *quantity,
                         carom_vec3 got, carom_vec3 wanted) {
    double error = crm_max_component(crm_vec3_abs(crm_sub(got, wanted)));
    double scale = fmax(1.0, crm_max_component(crm_vec3_abs(wanted)));
    crm_check_error(verdict, crm_vec3_finite(got) ? error / scale : INFINITY, tolerance, "%s %s", law_key, quantity);
}

// The fields that every law has.
static void compare_outcome(crm_reference *r, crm_verdict *verdict, const json_t *expected, const char *law_key,
                            const collision *c, double tolerance, const carom_impact_pair_result *got) {
    const json_t *law = crm_reference_object(r, expected, "expected", law_key);
    compare_vec3(verdict, tolerance, law_key, "j", got->result.impulse, crm_reference_vec3(r, law, law_key, "j"));
    compare_vec3(verdict, tolerance, law_key, "u_after", got->result.velocity,
                 crm_reference_vec3(r, law, law_key, "u_after"));
    if (!c->pair.b.fixed) {
        compare_vec3(verdict, tolerance, law_key, "v1", got->velocity_b, crm_reference_vec3(r, law, law_key, "v1"));
        compare_vec3(verdict, tolerance, law_key, "w1", got->spin_b, crm_reference_vec3(r, law, law_key, "w1"));
    }
    if (!c->pair.a.fixed) {
        compare_vec3(verdict, tolerance, law_key, "v2", got->velocity_a, crm_reference_vec3(r, law, law_key, "v2"));
        compare_vec3(verdict, tolerance, law_key, "w2", got->spin_a, crm_reference_vec3(r, law, law_key, "w2"));
    }
    compare_number(verdict, tolerance, law_key, "energy_after", got->energy_after,
                   crm_reference_number(r, law, law_key, "energy_after"));
}

// The file begins restitution with a phase of its own: what follows "slide_off" as "slide" is the same slip.
static void compare_phases(crm_reference *r, crm_verdict *verdict, const json_t *law, const char *law_key,
                           const carom_impact_result *got) {
    const json_t *phases = crm_reference_array(r, law, law_key, "phases");
    int count = 0;
    bool same = true;
    const char *last = "";
    for (size_t i = 0; i < json_array_size(phases); i++) {
        const char *phase = json_string_value(json_array_get(phases, i));
        if (phase == NULL) {
            crm_reference_fail(r, "%s.phases[%zu] must be the name of a phase", law_key, i);
            return;
        }
        bool goes_on = strcmp(phase, last) == 0 || (strcmp(last, "slide_off") == 0 && strcmp(phase, "slide") == 0);
        if (goes_on) continue;
        last = phase;
        same = same && count < got->phase_count && strcmp(carom_impact_phase_name(got->phases[count]), phase) == 0;
        count++;
    }
    char quantity[64];
    snprintf(quantity, sizeof quantity, "%s phases", law_key);
    crm_check_flag(verdict, quantity, same && count == got->phase_count, true);
}

// The file's velocities have nine decimals, and its impact laws take slip that their rounding leaves for none: such an
// impact is followed without it; the impulse then acts on the bodies as they are.
static const double rounded_slip = 1e-8;

static void drop_rounded_slip(carom_impact *impact) {
    carom_vec3 slip = crm_madd(impact->velocity, -crm_dot(impact->normal, impact->velocity), impact->normal);
    if (crm_length(slip) < rounded_slip) impact->velocity = crm_sub(impact->velocity, slip);
}

static bool resolve(crm_verdict *verdict, const collision *c, carom_impact_law law, const char *law_key,
                    carom_impact_pair_result *out) {
    carom_error error;
    carom_impact impact;
    carom_impact_body a = c->pair.a, b = c->pair.b;
    carom_status status = carom_impact_of_pair(&c->pair, &impact, &error);
    carom_vec3 before = impact.velocity;
    if (status == CAROM_OK) {
        if (law != CAROM_IMPACT_LAW_ALGEBRAIC) drop_rounded_slip(&impact);
        status = carom_impact_resolve(&impact, law, &out->result, &error);
    }
    if (status != CAROM_OK) {
        crm_check_obstacle(verdict, c->algebraic, law_key, error.text);
        return false;
    }
    carom_vec3 impulse = out->result.impulse;
    out->result.velocity = crm_add(before, crm_mat3_apply(impact.matrix, impulse));
    out->energy_before = carom_impact_body_energy(&a) + carom_impact_body_energy(&b);
    carom_impact_apply(&a, c->pair.point, crm_negate(impulse));
    carom_impact_apply(&b, c->pair.point, impulse);
    out->velocity_a = a.velocity;
    out->spin_a = a.spin;
    out->velocity_b = b.velocity;
    out->spin_b = b.spin;
    out->energy_after = carom_impact_body_energy(&a) + carom_impact_body_energy(&b);
    return true;
}

// ---- what the file has of each case

static void verify_matrix(crm_reference *r, const json_t *expected, const collision *c, crm_verdict *verdict) {
    carom_impact impact;
    carom_error error;
    if (carom_impact_of_pair(&c->pair, &impact, &error) != CAROM_OK) {
        crm_check_obstacle(verdict, c->algebraic, "K", error.text);
        return;
    }
    carom_mat3 wanted = crm_reference_mat3(r, expected, "expected", "K");
    compare_vec3(verdict, c->algebraic, "K", "column x", impact.matrix.x, wanted.x);
    compare_vec3(verdict, c->algebraic, "K", "column y", impact.matrix.y, wanted.y);
    compare_vec3(verdict, c->algebraic, "K", "column z", impact.matrix.z, wanted.z);
    compare_vec3(verdict, c->algebraic, "before", "u", impact.velocity,
                 crm_reference_vec3(r, expected, "expected", "u_before"));
}

static void verify_frictionless(crm_reference *r, const json_t *expected, const collision *c, crm_verdict *verdict) {
    collision smooth = *c;
    smooth.pair.friction = 0.0;
    carom_impact_pair_result got;
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        if (resolve(verdict, &smooth, (carom_impact_law)law, "frictionless_newton", &got))
            compare_outcome(r, verdict, expected, "frictionless_newton", &smooth, c->algebraic, &got);
}

static void verify_algebraic(crm_reference *r, const json_t *expected, const collision *c, crm_verdict *verdict) {
    carom_impact_pair_result got;
    if (!resolve(verdict, c, CAROM_IMPACT_LAW_ALGEBRAIC, "algebraic", &got)) return;
    const json_t *law = crm_reference_object(r, expected, "expected", "algebraic");
    compare_number(verdict, c->algebraic, "before", "energy", got.energy_before,
                   crm_reference_number(r, expected, "expected", "energy_before"));
    compare_vec3(verdict, c->algebraic, "plastic", "sliding", got.result.plastic_sliding,
                 crm_reference_vec3(r, expected, "expected", "plastic_sliding"));
    compare_vec3(verdict, c->algebraic, "plastic", "sticking", got.result.plastic_sticking,
                 crm_reference_vec3(r, expected, "expected", "plastic_sticking"));
    compare_vec3(verdict, c->algebraic, "algebraic", "predicted", got.result.predicted,
                 crm_reference_vec3(r, law, "algebraic", "predicted"));
    compare_number(verdict, c->algebraic, "algebraic", "kappa", got.result.kappa,
                   crm_reference_number(r, law, "algebraic", "kappa"));
    // The prediction stands when kappa is that of it; on the boundary of the cone both are the same impulse.
    bool inside = got.result.kappa == 1.0 + c->pair.tangential;
    bool wanted = crm_reference_bool(r, law, "algebraic", "inside_cone");
    bool on_boundary = fabs(got.result.kappa - 1.0 - c->pair.tangential) <= c->algebraic;
    crm_check_flag(verdict, "algebraic inside_cone", inside == wanted || on_boundary, true);
    compare_outcome(r, verdict, expected, "algebraic", c, c->algebraic, &got);
}

static void verify_followed(crm_reference *r, const json_t *expected, const collision *c, carom_impact_law which,
                            crm_verdict *verdict) {
    const char *name = carom_impact_law_name(which);
    carom_impact_pair_result got;
    if (!resolve(verdict, c, which, name, &got)) return;
    const json_t *law = crm_reference_object(r, expected, "expected", name);
    const json_t *compression = crm_reference_object(r, expected, "expected", "compression");
    compare_outcome(r, verdict, expected, name, c, c->ode, &got);
    compare_number(verdict, c->ode, name, "normal_impulse", got.result.normal_impulse,
                   crm_reference_number(r, law, name, "normal_impulse"));
    compare_number(verdict, c->ode, name, "normal_work", got.result.normal_work,
                   crm_reference_number(r, law, name, "normal_work"));
    compare_phases(r, verdict, law, name, &got.result);
    compare_vec3(verdict, c->ode, "compression", "j", got.result.compression.impulse,
                 crm_reference_vec3(r, compression, "compression", "j"));
    compare_number(verdict, c->ode, "compression", "normal_impulse", got.result.compression.normal_impulse,
                   crm_reference_number(r, compression, "compression", "normal_impulse"));
    compare_number(verdict, c->ode, "compression", "work", got.result.compression.normal_work,
                   crm_reference_number(r, compression, "compression", "work"));
}

void crm_verify_impulse(crm_reference *r, const crm_case *what, crm_verdict *verdict) {
    collision c = read_collision(r, what);
    if (r->status != CAROM_OK) return;
    verify_matrix(r, what->expected, &c, verdict);
    verify_frictionless(r, what->expected, &c, verdict);
    verify_algebraic(r, what->expected, &c, verdict);
    verify_followed(r, what->expected, &c, CAROM_IMPACT_LAW_NEWTON, verdict);
    verify_followed(r, what->expected, &c, CAROM_IMPACT_LAW_POISSON, verdict);
    verify_followed(r, what->expected, &c, CAROM_IMPACT_LAW_STRONGE, verdict);
}
