// SPDX-License-Identifier: MIT
// Reference trajectories: of each system, how its model is built and which numbers of its samples are compared.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "verify/sets/verify_dynamics.h"

// The methods that run a system, and the powers of their steps: see trajectory.c. Each is checked.
enum { MOST_RUNS = 3 };

typedef struct dynamics_runs {
    int count;
    struct {
        carom_method method;
        int power;
        const char *title; // where there are several
    } run[MOST_RUNS];
} dynamics_runs;

typedef struct dynamics_system {
    const char *name;
    const dynamics_runs *runs;
    void (*build)(crm_dynamics_case *c);
    void (*compare)(crm_dynamics_case *c, const json_t *sample, const char *where, int index);
} dynamics_system;

// ---- building

bool crm_dynamics_create_model(crm_dynamics_case *c, carom_vec3 gravity, double coulomb_constant) {
    if (c->reference->status != CAROM_OK) return false;
    carom_model_def def = carom_model_def_default();
    def.gravity = gravity;
    def.coulomb_constant = coulomb_constant;
    def.allocator = c->what->allocator;
    carom_error error;
    if (carom_model_create(&def, &c->model, &error) != CAROM_OK) crm_reference_refuse(c->reference, &error);
    return c->model != NULL;
}

carom_body crm_dynamics_add_body(crm_dynamics_case *c, const carom_body_def *def) {
    carom_body body = {-1};
    carom_error error;
    if (c->reference->status == CAROM_OK && carom_model_add_body(c->model, def, &body, &error) != CAROM_OK)
        crm_reference_refuse(c->reference, &error);
    return body;
}

static carom_body add_point(crm_dynamics_case *c, double mass, carom_vec3 position, carom_vec3 velocity) {
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_POINT;
    def.mass = mass;
    def.position = position;
    def.velocity = velocity;
    return crm_dynamics_add_body(c, &def);
}

static void build_projectile(crm_dynamics_case *c) {
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    double mass = crm_reference_number(r, input, "input", "mass");
    carom_drag_def drag = carom_drag_def_default();
    drag.linear = crm_reference_number(r, input, "input", "drag");
    carom_vec3 x = crm_reference_vec3(r, input, "input", "x"), v = crm_reference_vec3(r, input, "input", "v");
    if (!crm_dynamics_create_model(c, crm_reference_vec3(r, input, "input", "gravity"), 0.0)) return;
    drag.body = add_point(c, mass, x, v);
    carom_error error;
    if (r->status == CAROM_OK && carom_model_add_drag(c->model, &drag, &error) != CAROM_OK)
        crm_reference_refuse(r, &error);
}

static void build_two_charges(crm_dynamics_case *c) {
    static const char *const keys[2][4] = {{"m1", "x1", "v1", "charge1"}, {"m2", "x2", "v2", "charge2"}};
    crm_reference *r = c->reference;
    const json_t *input = c->what->input;
    if (!crm_dynamics_create_model(c, crm_vec3_zero(), crm_reference_number(r, input, "input", "coulomb_constant")))
        return;
    for (int i = 0; i < 2; i++) {
        double mass = crm_reference_number(r, input, "input", keys[i][0]);
        carom_vec3 x = crm_reference_vec3(r, input, "input", keys[i][1]);
        carom_vec3 v = crm_reference_vec3(r, input, "input", keys[i][2]);
        carom_charge_def charge = carom_charge_def_default();
        charge.charge = crm_reference_number(r, input, "input", keys[i][3]);
        charge.body = add_point(c, mass, x, v);
        carom_error error;
        if (r->status == CAROM_OK && carom_model_add_charge(c->model, &charge, &error) != CAROM_OK)
            crm_reference_refuse(r, &error);
    }
}

// ---- comparing

void crm_dynamics_check_vec3(crm_dynamics_case *c, const char *key, double time, carom_vec3 got, carom_vec3 wanted) {
    double error = crm_max_component(crm_vec3_abs(crm_sub(got, wanted)));
    // A comparison of NaN could hide it behind a component that is fine.
    if (!crm_vec3_finite(got)) error = INFINITY;
    crm_check_error(c->verdict, error, c->tolerance, "%s at t = %g s", key, time);
}

void crm_dynamics_compare_vec3(crm_dynamics_case *c, const json_t *sample, const char *where, const char *key,
                               double time, carom_vec3 got) {
    carom_vec3 wanted = crm_reference_vec3(c->reference, sample, where, key);
    if (c->reference->status == CAROM_OK) crm_dynamics_check_vec3(c, key, time, got, wanted);
}

// The file's angular momentum is about the centre of mass.
static void compare_free_top(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    crm_dynamics_compare_bodies(c, sample, where, index);
    carom_body_state got = crm_trajectory_body(&c->trajectory, index, 0);
    if (!crm_reference_has(c->what->expected, "angular_momentum")) return;
    carom_vec3 wanted = crm_reference_vec3(c->reference, c->what->expected, "expected", "angular_momentum");
    carom_momentum momentum = crm_trajectory_momentum(&c->trajectory, index);
    carom_vec3 own = crm_sub(momentum.angular, crm_cross(got.position, momentum.linear));
    crm_dynamics_check_vec3(c, "angular_momentum", c->trajectory.time[index], own, wanted);
}

static void compare_projectile(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    carom_body_state got = crm_trajectory_body(&c->trajectory, index, 0);
    crm_dynamics_compare_vec3(c, sample, where, "x", c->trajectory.time[index], got.position);
    crm_dynamics_compare_vec3(c, sample, where, "v", c->trajectory.time[index], got.velocity);
}

static void compare_two_charges(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    static const char *const keys[2][2] = {{"x1", "v1"}, {"x2", "v2"}};
    for (int i = 0; i < 2; i++) {
        carom_body_state got = crm_trajectory_body(&c->trajectory, index, i);
        crm_dynamics_compare_vec3(c, sample, where, keys[i][0], c->trajectory.time[index], got.position);
        crm_dynamics_compare_vec3(c, sample, where, keys[i][1], c->trajectory.time[index], got.velocity);
    }
}

static void compare_energy(crm_dynamics_case *c, const json_t *sample, const char *where, int index) {
    if (!crm_reference_has(sample, "energy")) return;
    double wanted = crm_reference_number(c->reference, sample, where, "energy");
    if (c->reference->status != CAROM_OK) return;
    double error = fabs(crm_trajectory_energy(&c->trajectory, index) - wanted);
    crm_check_error(c->verdict, error, c->tolerance, "energy at t = %g s", c->trajectory.time[index]);
}

// ---- the systems

static const dynamics_runs by_variational = {1, {{CAROM_METHOD_VARIATIONAL, 2, NULL}}};
static const dynamics_runs by_euler = {1, {{CAROM_METHOD_EULER, 1, NULL}}};
static const dynamics_runs of_joints = {3,
                                        {{CAROM_METHOD_MULTIPLIER, 0, "multiplier"},
                                         {CAROM_METHOD_REDUCED, 0, "reduced"},
                                         {CAROM_METHOD_VARIATIONAL, 2, "variational, extrapolated"}}};

static const dynamics_runs by_impulse = {1, {{CAROM_METHOD_IMPULSE, 0, NULL}}};

static const dynamics_system systems[] = {
    {"free_top", &by_variational, crm_dynamics_build_bodies, compare_free_top},
    {"heavy_symmetric_top", &of_joints, crm_dynamics_build_bodies, crm_dynamics_compare_jointed},
    {"chain_5_ball", &of_joints, crm_dynamics_build_bodies, crm_dynamics_compare_jointed},
    {"double_pendulum_revolute", &of_joints, crm_dynamics_build_plane_chain, crm_dynamics_compare_jointed},
    {"chain_4_spherical_revolute", &of_joints, crm_dynamics_build_bodies, crm_dynamics_compare_jointed},
    {"projectile_linear_drag", &by_euler, build_projectile, compare_projectile},
    {"two_charges", &by_variational, build_two_charges, compare_two_charges},
    {"bouncing_ball", &by_impulse, crm_dynamics_build_bouncing_ball, crm_dynamics_compare_bouncing_ball},
    {"sphere_sliding_rolling", &by_impulse, crm_dynamics_build_sliding_sphere, crm_dynamics_compare_sliding_sphere},
    {"block_on_incline", &by_impulse, crm_dynamics_build_block_on_incline, crm_dynamics_compare_block},
    {"rolling_without_slip", &by_impulse, crm_dynamics_build_rolling, crm_dynamics_compare_rolling},
};

static const dynamics_system *find_system(const char *name) {
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++)
        if (strcmp(systems[i].name, name) == 0) return &systems[i];
    return NULL;
}

static const double *read_times(crm_dynamics_case *c, crm_arena *arena) {
    size_t count = (size_t)c->sample_count;
    double *times = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)count);
    if (times == NULL) {
        carom_error error;
        crm_fail_memory(&error, "sample times", count * sizeof *times);
        crm_reference_refuse(c->reference, &error);
    }
    for (size_t i = 0; i < count && c->reference->status == CAROM_OK; i++) {
        char where[CRM_WHERE_SIZE];
        snprintf(where, sizeof where, "expected.samples[%zu]", i);
        times[i] = crm_reference_number(c->reference, json_array_get(c->samples, i), where, "t");
        if (times[i] < 0.0 || (i > 0 && times[i] <= times[i - 1]))
            crm_reference_fail(c->reference, "%s.t is %g; times must ascend from 0", where, times[i]);
    }
    return times;
}

static void run_method(crm_dynamics_case *c, const dynamics_system *system, int index, const double *times,
                       crm_arena *arena) {
    crm_reference *r = c->reference;
    carom_error error;
    c->verdict->by = system->runs->run[index].title;
    c->trajectory = (crm_trajectory){.model = c->model,
                                     .method = system->runs->run[index].method,
                                     .power = system->runs->run[index].power,
                                     .sample_count = c->sample_count,
                                     .time = times,
                                     .tolerance = c->tolerance};
    if (crm_trajectory_find(&c->trajectory, arena, &error) != CAROM_OK) {
        crm_reference_refuse(r, &error);
        return;
    }
    if (c->trajectory.obstacle[0] != '\0') {
        crm_check_obstacle(c->verdict, c->tolerance, "motion", c->trajectory.obstacle);
        return;
    }
    for (int i = 0; i < c->trajectory.sample_count && r->status == CAROM_OK; i++) {
        char where[CRM_WHERE_SIZE];
        snprintf(where, sizeof where, "expected.samples[%d]", i);
        const json_t *sample = json_array_get(c->samples, (size_t)i);
        system->compare(c, sample, where, i);
        compare_energy(c, sample, where, i);
    }
}

static void run_system(crm_dynamics_case *c, const dynamics_system *system, crm_arena *arena) {
    crm_reference *r = c->reference;
    system->build(c);
    if (r->status != CAROM_OK || c->verdict->unsupported[0] != '\0') return;
    const double *times = read_times(c, arena);
    if (r->status != CAROM_OK) return;
    carom_error error;
    if (carom_model_freeze(c->model, &error) != CAROM_OK) crm_reference_refuse(r, &error);
    for (int i = 0; i < system->runs->count && r->status == CAROM_OK; i++) run_method(c, system, i, times, arena);
}

void crm_verify_dynamics(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    const char *name = crm_reference_text(reference, what->input, "input", "system");
    const dynamics_system *system = find_system(name);
    if (system == NULL) {
        snprintf(verdict->unsupported, sizeof verdict->unsupported, "%s", name);
        return;
    }
    crm_dynamics_case c = {.reference = reference, .what = what, .verdict = verdict};
    c.tolerance = crm_reference_positive(reference, what->tolerance, "tolerance", "samples");
    c.samples = crm_reference_array(reference, what->expected, "expected", "samples");
    c.sample_count = (int)json_array_size(c.samples);
    if (reference->status != CAROM_OK) return;
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    run_system(&c, system, &arena);
    carom_model_destroy(c.model);
    crm_arena_free(&arena);
}
