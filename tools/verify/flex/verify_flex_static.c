// SPDX-License-Identifier: MIT
// Static solutions, as huge steps of `lcp` find them: displaced surfaces, and cantilevers under their weight.
#include <math.h>
#include <string.h>

#include "carom/flex.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "verify/flex/verify_flex.h"

// In such a step, s, inertia counts for nothing; so many of them leave nothing of its rest.
static const double huge_step = 1e5;
enum { STEPS = 4 };
static const double solved_to = 1e-13;

typedef struct static_case {
    crm_reference *reference;
    const crm_case *what;
    crm_verdict *verdict;
    double positions; // tolerance
    carom_mesh *mesh;
    carom_elastic_def elastic;
    carom_model *model;
    carom_state *state;
    int node_count, fixed_count;
    const int32_t *fixed;
    carom_vec3 *position, *force; // at the end; elastic forces there (node_count)
    carom_elastic_point *points;
    double energy; // J, elastic
} static_case;

// ---- building

static bool begin(static_case *c, crm_arena *arena) {
    crm_reference *r = c->reference;
    c->mesh = crm_flex_read_mesh(r, c->what->input, c->what->allocator, arena);
    if (r->status != CAROM_OK) return false;
    c->elastic = crm_flex_read_elastic(r, c->what->input);
    c->node_count = carom_mesh_node_count(c->mesh);
    c->fixed = crm_flex_read_nodes(r, c->what->input, "input", "fixed", c->node_count, arena, &c->fixed_count);
    c->position = CRM_ARENA_ZEROED(arena, carom_vec3, c->node_count);
    c->force = CRM_ARENA_ZEROED(arena, carom_vec3, c->node_count);
    int points = carom_mesh_element_count(c->mesh) * CAROM_ELEMENT_POINTS(carom_mesh_order(c->mesh));
    c->points = CRM_ARENA_ZEROED(arena, carom_elastic_point, points);
    if (crm_arena_refused(arena)) crm_reference_refuse_memory(r, "nodes", sizeof *c->position * (size_t)c->node_count);
    return r->status == CAROM_OK;
}

static bool make(static_case *c, carom_vec3 gravity, carom_flex_def *def) {
    carom_model_def model = carom_model_def_default();
    carom_method_def method = carom_method_def_default();
    carom_error error;
    model.gravity = gravity;
    model.allocator = c->what->allocator;
    def->mesh = c->mesh;
    def->elastic = c->elastic;
    def->fixed = c->fixed;
    def->fixed_count = c->fixed_count;
    method.method = CAROM_METHOD_LCP;
    method.step = huge_step;
    method.lcp.tolerance = solved_to;
    if (carom_model_create(&model, &c->model, &error) != CAROM_OK ||
        carom_model_add_flex(c->model, def, NULL, &error) != CAROM_OK ||
        carom_model_freeze(c->model, &error) != CAROM_OK ||
        carom_state_create(c->model, &method, &c->state, &error) != CAROM_OK)
        crm_reference_refuse(c->reference, &error);
    return c->reference->status == CAROM_OK;
}

// Positions and elastic forces of the static solution. False: there is none.
static bool settle(static_case *c) {
    carom_error error;
    carom_step_report report = {.step = 0};
    while (report.step < STEPS) {
        if (carom_step(c->model, c->state, NULL, &report, &error) != CAROM_OK) {
            crm_reference_refuse(c->reference, &error);
            return false;
        }
        if (report.outcome == CAROM_STEP_GOOD || report.outcome == CAROM_STEP_MISSED) continue;
        crm_check_obstacle(c->verdict, c->positions, "steps", report.text);
        return false;
    }
    (void)carom_state_get_nodes(c->state, (carom_flex){0}, c->position, NULL, NULL);
    if (carom_mesh_evaluate(c->mesh, &c->elastic, c->position, &c->energy, c->force, c->points, &error) == CAROM_OK)
        return true;
    if (error.status == CAROM_ERR_NO_MEMORY)
        crm_reference_refuse(c->reference, &error);
    else
        crm_check_obstacle(c->verdict, c->positions, "forces", error.text);
    return false;
}

static void end(static_case *c, crm_arena *arena) {
    carom_state_destroy(c->state);
    carom_model_destroy(c->model);
    carom_mesh_destroy(c->mesh);
    crm_arena_free(arena);
}

// ---- comparing

static void compare_positions(static_case *c, double size, crm_arena *arena) {
    const carom_vec3 *wanted =
        crm_flex_read_points(c->reference, c->what->expected, "expected", "positions", c->node_count, arena);
    if (wanted == NULL) return;
    double error = crm_flex_difference(c->node_count, c->position, wanted, size);
    crm_check_error(c->verdict, error, c->positions, "positions");
}

static void compare_energy(static_case *c) {
    double tolerance = crm_flex_tolerance(c->reference, c->what, "energy");
    double wanted = crm_reference_number(c->reference, c->what->expected, "expected", "energy");
    if (c->reference->status == CAROM_OK)
        crm_check_error(c->verdict, fabs(c->energy / wanted - 1.0), tolerance, "energy");
}

// What holds a fixed node, against its elastic force and weight.
static void compare_reactions(static_case *c, const double *mass, carom_vec3 gravity, double scale, crm_arena *arena) {
    double tolerance = crm_flex_tolerance(c->reference, c->what, "reactions");
    int count = c->fixed_count;
    const carom_vec3 *wanted =
        crm_flex_read_points(c->reference, c->what->expected, "expected", "reactions", count, arena);
    carom_vec3 *got = CRM_ARENA_ARRAY(arena, carom_vec3, count);
    if (got == NULL) crm_reference_refuse_memory(c->reference, "reactions", 0);
    if (c->reference->status != CAROM_OK) return;
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        int n = c->fixed[i];
        got[i] = crm_negate(crm_madd(c->force[n], mass[n], gravity));
        largest = fmax(largest, crm_length(wanted[i]));
    }
    crm_check_error(c->verdict, crm_flex_difference(count, got, wanted, scale > 0.0 ? scale : largest), tolerance,
                    "reactions");
}

static double diameter(const carom_vec3 *x, int count) {
    double largest = 0.0;
    for (int i = 1; i < count; i++) largest = fmax(largest, crm_length(crm_sub(x[i], x[0])));
    return largest;
}

// ---- the patch test

static void compare_stress(static_case *c) {
    double tolerance = crm_flex_tolerance(c->reference, c->what, "P"), worst = 0.0;
    carom_mat3 wanted = crm_reference_mat3(c->reference, c->what->expected, "expected", "P");
    if (c->reference->status != CAROM_OK) return;
    int points = carom_mesh_element_count(c->mesh) * CAROM_ELEMENT_POINTS(carom_mesh_order(c->mesh));
    double scale = crm_mat3_norm(wanted);
    for (int i = 0; i < points; i++)
        worst = fmax(worst, crm_mat3_norm(crm_mat3_sub(c->points[i].piola, wanted)) / scale);
    crm_check_error(c->verdict, worst, tolerance, "P");
}

// Fixed nodes stand where they are to be from the start, as F X + c; the others go to where they begin.
static bool place(static_case *c, const carom_vec3 *fixed_positions, crm_arena *arena) {
    int count = c->node_count;
    const carom_vec3 *start = crm_flex_read_points(c->reference, c->what->input, "input", "start", count, arena);
    carom_error error;
    if (start == NULL) return false;
    carom_vec3 *x = CRM_ARENA_ARRAY(arena, carom_vec3, count), *v = CRM_ARENA_ZEROED(arena, carom_vec3, count);
    if (x == NULL || v == NULL) {
        crm_reference_refuse_memory(c->reference, "nodes", sizeof *x * (size_t)count);
        return false;
    }
    memcpy(x, start, sizeof *x * (size_t)count);
    (void)carom_state_get_nodes(c->state, (carom_flex){0}, c->position, NULL, NULL);
    double size = diameter(c->position, count), error_of_fixed = 0.0;
    for (int i = 0; i < c->fixed_count; i++) {
        x[c->fixed[i]] = c->position[c->fixed[i]];
        error_of_fixed = fmax(error_of_fixed, crm_distance(x[c->fixed[i]], fixed_positions[i]) / size);
    }
    crm_check_error(c->verdict, error_of_fixed, c->positions, "fixed_positions");
    if (carom_state_set_nodes(c->state, (carom_flex){0}, x, v, &error) == CAROM_OK) return true;
    crm_check_obstacle(c->verdict, c->positions, "the start", error.text);
    return false;
}

void crm_verify_flex_patch(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    static_case c = {.reference = reference, .what = what, .verdict = verdict};
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    c.positions = crm_flex_tolerance(reference, what, "positions");
    if (begin(&c, &arena)) {
        carom_flex_def def = carom_flex_def_default();
        const carom_vec3 *at =
            crm_flex_read_points(reference, what->input, "input", "fixed_positions", c.fixed_count, &arena);
        def.stretch = crm_reference_mat3(reference, what->expected, "expected", "F");
        if (reference->status == CAROM_OK && c.fixed_count > 0)
            def.position = crm_sub(at[0], crm_mat3_apply(def.stretch, carom_mesh_nodes(c.mesh)[c.fixed[0]]));
        double *mass = CRM_ARENA_ZEROED(&arena, double, c.node_count);
        if (mass == NULL) crm_reference_refuse_memory(reference, "masses", 0);
        if (reference->status == CAROM_OK && make(&c, crm_vec3_zero(), &def) && place(&c, at, &arena) && settle(&c)) {
            compare_positions(&c, diameter(c.position, c.node_count), &arena);
            compare_stress(&c);
            compare_energy(&c);
            compare_reactions(&c, mass, crm_vec3_zero(), 0.0, &arena);
        }
    }
    end(&c, &arena);
}

// ---- cantilevers

static void compare_tip(static_case *c, double size, crm_arena *arena) {
    int count;
    const int32_t *tip =
        crm_flex_read_nodes(c->reference, c->what->expected, "expected", "tip_nodes", c->node_count, arena, &count);
    double wanted = crm_reference_number(c->reference, c->what->expected, "expected", "tip_deflection"), sum = 0.0;
    double least = crm_reference_number(c->reference, c->what->expected, "expected", "least_J"), found = INFINITY;
    if (c->reference->status != CAROM_OK) return;
    const carom_vec3 *rest = carom_mesh_nodes(c->mesh);
    for (int i = 0; i < count; i++) sum += (c->position[tip[i]].z - rest[tip[i]].z) / count;
    int points = carom_mesh_element_count(c->mesh) * CAROM_ELEMENT_POINTS(carom_mesh_order(c->mesh));
    for (int i = 0; i < points; i++) found = fmin(found, c->points[i].determinant);
    crm_check_error(c->verdict, fabs(sum - wanted) / size, c->positions, "tip_deflection");
    crm_check_error(c->verdict, fabs(found - least), c->positions, "least_J");
}

void crm_verify_flex_static(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    static_case c = {.reference = reference, .what = what, .verdict = verdict};
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    c.positions = crm_flex_tolerance(reference, what, "positions");
    if (begin(&c, &arena)) {
        carom_flex_def def = carom_flex_def_default();
        carom_vec3 gravity = crm_reference_vec3(reference, what->input, "input", "gravity");
        carom_vec3 size = crm_reference_vec3(reference, what->input, "input", "size");
        double *mass = CRM_ARENA_ZEROED(&arena, double, c.node_count), weight = 0.0;
        if (mass == NULL) crm_reference_refuse_memory(reference, "masses", 0);
        if (reference->status == CAROM_OK) {
            carom_mesh_masses(c.mesh, c.elastic.density, mass);
            for (int n = 0; n < c.node_count; n++) weight += mass[n] * crm_length(gravity);
        }
        if (reference->status == CAROM_OK && make(&c, gravity, &def) && settle(&c)) {
            compare_positions(&c, size.x, &arena);
            compare_energy(&c);
            compare_reactions(&c, mass, gravity, weight, &arena);
            compare_tip(&c, size.x, &arena);
        }
    }
    end(&c, &arena);
}
