// SPDX-License-Identifier: MIT
// Flexible bodies on rigid ones by `lcp`: a sphere pressed into a block, and a bar thrown against a wall.
#include <math.h>

#include "carom/flex.h"
#include "math/vec3.h"
#include "verify/flex/verify_flex.h"

// In such a step, s, inertia counts for nothing; so many of them leave nothing of its rest.
static const double huge_step = 1e4;
enum { STATIC_STEPS = 5 };
// Steps of a bar are so much of what a wave takes through a cell.
static const double share_of_cell = 1.0 / 32.0;
enum { MOST_BAR_STEPS = 20000, STEPS_APART = 50 };
// Of the velocity that a bar leaves with: steps of implicit Euler cost it some.
static const double velocity_tolerance = 0.05;

typedef struct contact_case {
    crm_reference *reference;
    const crm_case *what;
    crm_verdict *verdict;
    double tolerance; // of the first quantity, for obstacles
    carom_mesh *mesh;
    carom_model *model;
    carom_state *state;
    int node_count;
} contact_case;

static void refuse(contact_case *c, const carom_error *error) {
    crm_reference_refuse(c->reference, error);
}

// The flexible body of `def`, whose mesh and material are the file's, and one that is fixed.
static bool make(contact_case *c, carom_flex_def *def, const carom_shape_def *shape, carom_vec3 position, double step,
                 double tolerance) {
    carom_model_def model = carom_model_def_default();
    carom_material_def smooth = carom_material_def_default();
    carom_body_def body = carom_body_def_default();
    carom_method_def method = carom_method_def_default();
    carom_error error;
    model.gravity = crm_vec3_zero();
    model.allocator = c->what->allocator;
    smooth.friction = 0.0;
    body.kind = CAROM_BODY_FIXED;
    body.position = position;
    method.method = CAROM_METHOD_LCP;
    method.step = step;
    method.lcp.tolerance = tolerance;
    def->mesh = c->mesh;
    if (carom_model_create(&model, &c->model, &error) != CAROM_OK ||
        carom_model_add_material(c->model, &smooth, &def->material, &error) != CAROM_OK ||
        carom_model_add_shape(c->model, "rigid", shape, &body.shape, &error) != CAROM_OK ||
        (body.material = def->material, carom_model_add_body(c->model, &body, NULL, &error)) != CAROM_OK ||
        carom_model_add_flex(c->model, def, NULL, &error) != CAROM_OK ||
        carom_model_freeze(c->model, &error) != CAROM_OK ||
        carom_state_create(c->model, &method, &c->state, &error) != CAROM_OK)
        refuse(c, &error);
    return c->reference->status == CAROM_OK;
}

static bool step(contact_case *c, carom_step_report *report) {
    carom_error error;
    if (carom_step(c->model, c->state, NULL, report, &error) != CAROM_OK) {
        refuse(c, &error);
        return false;
    }
    if (report->outcome == CAROM_STEP_GOOD || report->outcome == CAROM_STEP_MISSED) return true;
    crm_check_obstacle(c->verdict, c->tolerance, "steps", report->text);
    return false;
}

static void end(contact_case *c, crm_arena *arena) {
    carom_state_destroy(c->state);
    carom_model_destroy(c->model);
    carom_mesh_destroy(c->mesh);
    crm_arena_free(arena);
}

// ---- a sphere pressed into a block

static void compare_forces(contact_case *c, crm_arena *arena) {
    crm_reference *r = c->reference;
    int count, contacts;
    const int32_t *touching =
        crm_flex_read_nodes(r, c->what->expected, "expected", "touching", c->node_count, arena, &count);
    const double *wanted = crm_reference_numbers(r, c->what->expected, "expected", "node_forces", arena, &contacts);
    if (r->status == CAROM_OK && count != contacts)
        crm_reference_fail(r, "expected.node_forces has %d numbers, must have %d", contacts, count);
    double force = crm_reference_number(r, c->what->expected, "expected", "force");
    double tolerance = crm_flex_tolerance(r, c->what, "node_forces");
    double *got = CRM_ARENA_ZEROED(arena, double, c->node_count);
    if (got == NULL) crm_reference_refuse_memory(r, "forces of nodes", 0);
    if (r->status != CAROM_OK) return;
    const carom_contact_state *table = carom_state_contacts(c->state, &contacts);
    double sum = 0.0, largest = 0.0, worst = 0.0;
    for (int i = 0; i < contacts; i++) {
        int node;
        bool on_b = carom_model_body_flex(c->model, table[i].b, &node).index >= 0;
        if (!on_b) (void)carom_model_body_flex(c->model, table[i].a, &node);
        got[node] += table[i].normal_impulse / huge_step;
        sum += (on_b ? -1.0 : 1.0) * table[i].normal_impulse * table[i].normal.z / huge_step;
    }
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs(wanted[i]));
    for (int i = 0; i < count; i++) worst = fmax(worst, fabs(got[touching[i]] - wanted[i]));
    for (int i = 0; i < count; i++) got[touching[i]] = 0.0;
    for (int n = 0; n < c->node_count; n++) worst = fmax(worst, fabs(got[n]));
    crm_check_error(c->verdict, fabs(sum / force - 1.0), c->tolerance, "force");
    crm_check_error(c->verdict, worst / largest, tolerance, "node_forces");
}

void crm_verify_flex_hertz(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    contact_case c = {.reference = reference, .what = what, .verdict = verdict};
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    c.tolerance = crm_flex_tolerance(reference, what, "force");
    c.mesh = crm_flex_read_mesh(reference, what->input, what->allocator, &arena);
    if (reference->status == CAROM_OK) {
        carom_flex_def def = carom_flex_def_default();
        carom_shape_def sphere = carom_shape_def_default(CAROM_SHAPE_SPHERE);
        carom_step_report report = {.step = 0};
        c.node_count = carom_mesh_node_count(c.mesh);
        def.elastic = crm_flex_read_elastic(reference, what->input);
        def.fixed =
            crm_flex_read_nodes(reference, what->input, "input", "fixed", c.node_count, &arena, &def.fixed_count);
        sphere.sphere.radius = crm_reference_positive(reference, what->input, "input", "sphere_radius");
        carom_vec3 centre = crm_reference_vec3(reference, what->input, "input", "sphere_centre");
        bool good = reference->status == CAROM_OK && make(&c, &def, &sphere, centre, huge_step, 1e-11);
        while (good && report.step < STATIC_STEPS) good = step(&c, &report);
        if (good) compare_forces(&c, &arena);
    }
    end(&c, &arena);
}

// ---- a bar thrown against a wall

// The least extent of an element along the bar, m: that of a cell.
static double cell_of(const carom_mesh *mesh) {
    const carom_vec3 *nodes = carom_mesh_nodes(mesh);
    const int32_t *element = carom_mesh_elements(mesh);
    int corners = CAROM_ELEMENT_NODES(carom_mesh_order(mesh));
    double low = INFINITY, high = -INFINITY;
    for (int a = 0; a < corners; a++) {
        low = fmin(low, nodes[element[a]].x);
        high = fmax(high, nodes[element[a]].x);
    }
    return high - low;
}

typedef struct bounce {
    double contact_time, impulse, balance; // s, N s, worst balance of momenta
} bounce;

// Until it has been apart for a while.
static bool throw_bar(contact_case *c, double h, bounce *out) {
    carom_step_report report = {.step = 0};
    int apart = 0;
    *out = (bounce){0};
    while (report.step < MOST_BAR_STEPS && apart < STEPS_APART) {
        int contacts;
        double impulse = 0.0;
        if (!step(c, &report)) return false;
        const carom_contact_state *table = carom_state_contacts(c->state, &contacts);
        for (int i = 0; i < contacts; i++) impulse += table[i].normal_impulse;
        out->impulse += impulse;
        out->balance = fmax(out->balance, report.momentum_balance);
        if (impulse > 0.0) out->contact_time = h * (double)report.step;
        apart = impulse > 0.0 || out->contact_time == 0.0 ? 0 : apart + 1;
    }
    return true;
}

static void compare_bounce(contact_case *c, const bounce *got, double mass) {
    crm_reference *r = c->reference;
    const json_t *discrete = json_object_get(c->what->expected, "discrete");
    double time = crm_reference_number(r, c->what->expected, "expected", "contact_time");
    double velocity = crm_reference_number(r, discrete, "expected.discrete", "velocity_after");
    carom_vec3 before = crm_reference_vec3(r, c->what->input, "input", "velocity");
    if (r->status != CAROM_OK) return;
    double after = carom_state_momentum(c->state).linear.x / mass;
    crm_check_error(c->verdict, fabs(got->contact_time / time - 1.0), c->tolerance, "contact_time");
    crm_check_error(c->verdict, fabs(after / velocity - 1.0), velocity_tolerance, "velocity_after");
    crm_check_error(c->verdict, fabs(got->impulse / (mass * (after - before.x)) - 1.0), 1e-12, "impulse");
    crm_check_error(c->verdict, got->balance, 1e-12, "momentum balance");
}

void crm_verify_flex_bar(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    contact_case c = {.reference = reference, .what = what, .verdict = verdict};
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    c.tolerance = 1e-2 * crm_flex_tolerance(reference, what, "contact_time"); // per cent
    c.mesh = crm_flex_read_mesh(reference, what->input, what->allocator, &arena);
    if (reference->status == CAROM_OK) {
        carom_flex_def def = carom_flex_def_default();
        carom_shape_def wall = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
        c.node_count = carom_mesh_node_count(c.mesh);
        def.elastic = crm_flex_read_elastic(reference, what->input);
        def.velocity = crm_reference_vec3(reference, what->input, "input", "velocity");
        wall.half_space.normal = crm_reference_vec3(reference, what->input, "input", "wall_normal");
        wall.half_space.offset = crm_reference_number(reference, what->input, "input", "wall_offset");
        double speed = crm_reference_positive(reference, what->expected, "expected", "wave_speed");
        double *masses = CRM_ARENA_ZEROED(&arena, double, c.node_count), mass = 0.0;
        if (masses == NULL) crm_reference_refuse_memory(reference, "masses", 0);
        if (reference->status == CAROM_OK) carom_mesh_masses(c.mesh, def.elastic.density, masses);
        for (int n = 0; reference->status == CAROM_OK && n < c.node_count; n++) mass += masses[n];
        double h = share_of_cell * cell_of(c.mesh) / speed;
        bounce got;
        if (reference->status == CAROM_OK && make(&c, &def, &wall, crm_vec3_zero(), h, 1e-10) && throw_bar(&c, h, &got))
            compare_bounce(&c, &got, mass);
    }
    end(&c, &arena);
}
