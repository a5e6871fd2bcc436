// SPDX-License-Identifier: MIT
// Motions of flexible bodies step by step: explicit ones by `newmark`, implicit ones by the method that has the scheme.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/flex.h"
#include "math/vec3.h"
#include "verify/flex/verify_flex.h"

// Of masses, which are sums of a few volumes.
static const double mass_tolerance = 1e-13;

typedef struct motion_case {
    crm_reference *reference;
    const crm_case *what;
    crm_verdict *verdict;
    double positions, velocities, energy, linear, angular; // tolerances
    carom_model *model;
    carom_state *state;
    int node_count;
    const double *mass;              // (node_count)
    carom_vec3 *position, *velocity; // (node_count)
} motion_case;

// ---- building

static bool add_body(motion_case *c, crm_arena *arena) {
    crm_reference *r = c->reference;
    carom_model_def model_def = carom_model_def_default();
    model_def.gravity = crm_vec3_zero();
    model_def.allocator = c->what->allocator;
    carom_flex_def def = carom_flex_def_default();
    def.elastic = crm_flex_read_elastic(r, c->what->input);
    carom_mesh *mesh = crm_flex_read_mesh(r, c->what->input, c->what->allocator, arena);
    carom_error error;
    if (r->status == CAROM_OK) {
        c->node_count = carom_mesh_node_count(mesh);
        double *mass = CRM_ARENA_ARRAY(arena, double, c->node_count);
        c->position = CRM_ARENA_ARRAY(arena, carom_vec3, c->node_count);
        c->velocity = CRM_ARENA_ARRAY(arena, carom_vec3, c->node_count);
        if (crm_arena_refused(arena))
            crm_reference_refuse_memory(r, "nodes", sizeof *c->position * (size_t)c->node_count);
        else
            carom_mesh_masses(mesh, def.elastic.density, mass);
        c->mass = mass;
        def.mesh = mesh;
        if (r->status == CAROM_OK && (carom_model_create(&model_def, &c->model, &error) != CAROM_OK ||
                                      carom_model_add_flex(c->model, &def, NULL, &error) != CAROM_OK ||
                                      carom_model_freeze(c->model, &error) != CAROM_OK))
            crm_reference_refuse(r, &error);
    }
    carom_mesh_destroy(mesh);
    return r->status == CAROM_OK;
}

static bool start(motion_case *c, const carom_method_def *method, crm_arena *arena) {
    crm_reference *r = c->reference;
    int positions, velocities;
    const carom_vec3 *x = crm_reference_points(r, c->what->input, "input", "positions", arena, &positions);
    const carom_vec3 *v = crm_reference_points(r, c->what->input, "input", "velocities", arena, &velocities);
    carom_error error;
    if (r->status == CAROM_OK && (positions != c->node_count || velocities != c->node_count))
        crm_reference_fail(r, "input has %d nodes, %d positions and %d velocities", c->node_count, positions,
                           velocities);
    if (r->status != CAROM_OK) return false;
    if (carom_state_create(c->model, method, &c->state, &error) == CAROM_OK &&
        carom_state_set_nodes(c->state, (carom_flex){0}, x, v, &error) == CAROM_OK)
        return true;
    if (error.status == CAROM_ERR_NO_MEMORY)
        crm_reference_refuse(r, &error);
    else
        crm_check_obstacle(c->verdict, c->positions, "the start", error.text);
    return false;
}

// ---- comparing

static double largest_length(const carom_vec3 *v, int count) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) largest = fmax(largest, crm_length(v[i]));
    return largest;
}

static double diameter(const carom_vec3 *x, int count) {
    carom_vec3 low = x[0], high = x[0];
    for (int i = 1; i < count; i++) {
        low = crm_vec3(fmin(low.x, x[i].x), fmin(low.y, x[i].y), fmin(low.z, x[i].z));
        high = crm_vec3(fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z));
    }
    return crm_length(crm_sub(high, low));
}

static void compare_momentum(motion_case *c, const json_t *sample, const char *where, const char *key, double tolerance,
                             carom_vec3 got, double scale) {
    if (!crm_reference_has(sample, key) || !(tolerance > 0.0)) return;
    carom_vec3 wanted = crm_reference_vec3(c->reference, sample, where, key);
    double error = crm_vec3_finite(got) ? crm_length(crm_sub(got, wanted)) / scale : INFINITY;
    if (c->reference->status == CAROM_OK) crm_check_error(c->verdict, error, tolerance, "%s of %s", key, where);
}

static void compare_energy(motion_case *c, const json_t *sample, const char *where, const char *key, double got,
                           double scale) {
    if (!crm_reference_has(sample, key)) return;
    double wanted = crm_reference_number(c->reference, sample, where, key);
    if (c->reference->status == CAROM_OK)
        crm_check_error(c->verdict, fabs(got - wanted) / scale, c->energy, "%s of %s", key, where);
}

// Every quadrature point is around some node.
static void compare_least(motion_case *c, const json_t *sample, const char *where, crm_arena *arena) {
    if (!crm_reference_has(sample, "least_J")) return;
    double wanted = crm_reference_number(c->reference, sample, where, "least_J"), least = INFINITY;
    double *field = CRM_ARENA_ARRAY(arena, double, c->node_count);
    if (field == NULL) {
        crm_reference_refuse_memory(c->reference, "nodes", sizeof *field * (size_t)c->node_count);
        return;
    }
    carom_error error;
    if (carom_flex_field(c->state, (carom_flex){0}, CAROM_FLEX_FIELD_DETERMINANT, field, &error) != CAROM_OK)
        crm_reference_refuse(c->reference, &error);
    for (int i = 0; i < c->node_count; i++) least = fmin(least, field[i]);
    crm_check_error(c->verdict, fabs(least - wanted), c->positions, "least_J of %s", where);
}

// Energies are relative to the whole one.
static void compare(motion_case *c, const json_t *sample, const char *where, crm_arena *arena) {
    crm_mark mark = crm_arena_mark(arena);
    int count = c->node_count;
    const carom_vec3 *x = crm_flex_read_points(c->reference, sample, where, "positions", count, arena);
    const carom_vec3 *v = crm_flex_read_points(c->reference, sample, where, "velocities", count, arena);
    if (c->reference->status != CAROM_OK) return;
    (void)carom_state_get_nodes(c->state, (carom_flex){0}, c->position, c->velocity, NULL);
    crm_check_error(c->verdict, crm_flex_difference(count, c->position, x, diameter(x, count)), c->positions,
                    "positions of %s", where);
    crm_check_error(c->verdict, crm_flex_difference(count, c->velocity, v, largest_length(v, count)), c->velocities,
                    "velocities of %s", where);
    carom_energy energy = carom_state_energy(c->state);
    double total = energy.kinetic + energy.potential, linear = 0.0, angular = 0.0;
    if (isinf(total)) crm_reference_refuse_memory(c->reference, "the energy of contacts", 0); // what it then is
    for (int i = 0; i < count; i++) {
        linear += c->mass[i] * crm_length(v[i]);
        angular += c->mass[i] * crm_length(v[i]) * crm_length(x[i]);
    }
    compare_energy(c, sample, where, "energy", total, total);
    compare_energy(c, sample, where, "elastic", energy.potential, total);
    carom_momentum momentum = carom_state_momentum(c->state);
    compare_momentum(c, sample, where, "momentum", c->linear, momentum.linear, linear);
    compare_momentum(c, sample, where, "angular_momentum", c->angular, momentum.angular, angular);
    compare_least(c, sample, where, arena);
    double time = crm_reference_number(c->reference, sample, where, "t");
    crm_check_error(c->verdict, fabs(carom_state_time(c->state) - time), c->positions, "t of %s", where);
    crm_arena_release(arena, mark);
}

static void compare_masses(motion_case *c, crm_arena *arena) {
    int count;
    if (!crm_reference_has(c->what->expected, "masses")) return;
    const double *wanted = crm_reference_numbers(c->reference, c->what->expected, "expected", "masses", arena, &count);
    double worst = 0.0;
    for (int i = 0; i < count && i < c->node_count; i++) worst = fmax(worst, fabs(c->mass[i] / wanted[i] - 1.0));
    if (c->reference->status == CAROM_OK) crm_check_error(c->verdict, worst, mass_tolerance, "masses");
}

// ---- the run

static void run(motion_case *c, crm_arena *arena) {
    const json_t *samples = crm_reference_array(c->reference, c->what->expected, "expected", "samples");
    carom_step_report report = {.step = 0};
    carom_error error;
    for (size_t i = 0; c->reference->status == CAROM_OK && i < json_array_size(samples); i++) {
        const json_t *sample = json_array_get(samples, i);
        char where[32];
        snprintf(where, sizeof where, "samples[%zu]", i);
        double step = crm_reference_number(c->reference, sample, where, "step");
        while (c->reference->status == CAROM_OK && (double)report.step < step) {
            if (carom_step(c->model, c->state, NULL, &report, &error) != CAROM_OK) {
                crm_reference_refuse(c->reference, &error);
            } else if (report.no_memory) {
                crm_reference_refuse_memory(c->reference, "a step", 0);
            } else if (report.outcome != CAROM_STEP_GOOD) {
                crm_check_obstacle(c->verdict, c->positions, "steps", report.text);
                return;
            }
        }
        compare(c, sample, where, arena);
    }
}

static void verify(motion_case *c, const carom_method_def *method) {
    crm_arena arena;
    carom_error error;
    crm_arena_init(&arena, c->what->allocator);
    if (add_body(c, &arena)) {
        if (carom_method_supports(c->model, method, &error) == CAROM_ERR_UNSUPPORTED) {
            snprintf(c->verdict->unsupported, sizeof c->verdict->unsupported, "flexible bodies by %s",
                     carom_method_name(method->method));
        } else if (start(c, method, &arena)) {
            compare_masses(c, &arena);
            run(c, &arena);
        }
    }
    carom_state_destroy(c->state);
    carom_model_destroy(c->model);
    crm_arena_free(&arena);
}

void crm_verify_flex_newmark(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    motion_case c = {.reference = reference, .what = what, .verdict = verdict};
    c.positions = crm_flex_tolerance(reference, what, "positions");
    c.velocities = crm_flex_tolerance(reference, what, "velocities");
    c.energy = crm_flex_tolerance(reference, what, "energy");
    c.linear = c.angular = crm_flex_tolerance(reference, what, "momentum, angular_momentum");
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_NEWMARK;
    method.step = crm_reference_positive(reference, what->input, "input", "step");
    (void)crm_reference_positive(reference, what->input, "input", "steps");
    if (reference->status == CAROM_OK) verify(&c, &method);
}

// Of `lcp` as exact as it gets.
static carom_method_def method_of(crm_reference *reference, const char *scheme) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    if (scheme != NULL && strcmp(scheme, "midpoint") == 0) {
        method.variational.elastic = CAROM_FLEX_SCHEME_MIDPOINT;
    } else if (scheme != NULL && strcmp(scheme, "implicit_euler") == 0) {
        method.method = CAROM_METHOD_LCP;
        method.lcp.tolerance = 1e-12;
    } else if (scheme != NULL && strcmp(scheme, "energy_momentum") != 0) {
        crm_reference_fail(reference, "input.scheme is '%.60s', must be energy_momentum, midpoint or implicit_euler",
                           scheme);
    }
    return method;
}

void crm_verify_flex_implicit(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    motion_case c = {.reference = reference, .what = what, .verdict = verdict};
    c.positions = crm_flex_tolerance(reference, what, "positions");
    c.velocities = crm_flex_tolerance(reference, what, "velocities");
    c.energy = crm_flex_tolerance(reference, what, "energy");
    c.linear = c.angular = crm_flex_tolerance(reference, what, "angular_momentum");
    carom_method_def method = method_of(reference, crm_reference_text(reference, what->input, "input", "scheme"));
    method.step = crm_reference_positive(reference, what->input, "input", "step");
    (void)crm_reference_positive(reference, what->input, "input", "steps");
    (void)crm_reference_positive(reference, what->input, "input", "explicit_limit");
    if (reference->status == CAROM_OK) verify(&c, &method);
}
