// SPDX-License-Identifier: MIT
// The balance of a node between two others: its residual at given poses and forces, its derivatives along variations of
// everything, and, of jointed bodies, its virtual work along motions that keep the joint closed, where impulses of the
// joint must have none. What momenta are is told by the rows of intervals alone.
#include <math.h>
#include <string.h>

#include "carom/joint.h"
#include "control/program/evaluator.h"
#include "control/rows/draft.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "verify/control/verify_control.h"

enum { NODES = 3, MOST_BODIES = 2, NUMBERS = 6 };

typedef struct node_case {
    crm_control_case c;
    int body_count;
    carom_body_def body[MOST_BODIES];
    carom_control_def control[2 * MOST_BODIES + 1];
    carom_plan_condition freed[MOST_BODIES];
    carom_plan_def def;
    carom_joint joint;
    crm_motion start[MOST_BODIES];
    crm_draft draft;
    crm_program program;
    crm_evaluator evaluator;
    double *z, *row, *jacobian, *along; // the last: a variation of z
} node_case;

static const json_t *body_input(node_case *n, int body) {
    const json_t *list = crm_reference_array(n->c.reference, n->c.what->input, "input", "bodies");
    return json_array_get(list, (size_t)body);
}

static carom_vec3 vector_of(node_case *n, const json_t *object, const char *key, int index) {
    const json_t *list = crm_reference_array(n->c.reference, object, "input.bodies[]", key);
    return n->c.reference->status == CAROM_OK ? crm_reference_vec3_at(n->c.reference, list, key, (size_t)index)
                                              : crm_vec3_zero();
}

static double number_of(node_case *n, const json_t *object, const char *key, int index) {
    const json_t *number = json_array_get(crm_reference_array(n->c.reference, object, "input", key), (size_t)index);
    if (!json_is_number(number)) crm_reference_fail(n->c.reference, "input: %s has no number %d", key, index);
    return json_number_value(number);
}

static double step_of(node_case *n, int interval) {
    double step = number_of(n, body_input(n, 0), "steps", interval);
    if (!(step > 0.0) && n->c.reference->status == CAROM_OK)
        crm_reference_fail(n->c.reference, "input: steps[%d] is %g, must be positive", interval, step);
    return step;
}

static carom_quat attitude_of(node_case *n, int body, int node) {
    const json_t *list = crm_reference_array(n->c.reference, body_input(n, body), "input.bodies[]", "q");
    const json_t *q = json_array_get(list, (size_t)node);
    if (json_array_size(q) != 4) crm_reference_fail(n->c.reference, "input: q[%d] must be 4 numbers", node);
    return crm_quat_normalised(
        (carom_quat){json_number_value(json_array_get(q, 0)), json_number_value(json_array_get(q, 1)),
                     json_number_value(json_array_get(q, 2)), json_number_value(json_array_get(q, 3))});
}

// ---- the model and the program

// A force at a point and a torque each; nothing is asked of any node.
static bool add_body(node_case *n, int b) {
    const json_t *input = body_input(n, b);
    crm_reference *r = n->c.reference;
    carom_body_def *def = &n->body[b];
    carom_body body = {b};
    *def = carom_body_def_default();
    def->mass = crm_reference_positive(r, input, "input.bodies[]", "mass");
    def->inertia = crm_reference_mat3(r, input, "input.bodies[]", "inertia_body");
    def->position = vector_of(n, input, "positions", 0);
    if (r->status != CAROM_OK) return false;
    def->attitude = attitude_of(n, b, 0);
    if (!crm_control_add_body(&n->c, def, &body)) return false;
    carom_control_def *force = &n->control[2 * b], *torque = force + 1;
    *force = *torque = carom_control_def_default();
    force->body = torque->body = body;
    force->kind = CAROM_CONTROL_FORCE;
    force->point = crm_reference_vec3(r, input, "input.bodies[]", "force_point");
    torque->force = false;
    const char *frame = crm_reference_text(r, input, "input.bodies[]", "torque_frame");
    torque->in_body_axes = frame != NULL && strcmp(frame, "body") == 0;
    n->freed[b] = carom_plan_condition_default();
    n->freed[b].body = body;
    n->freed[b].node = 0;
    return r->status == CAROM_OK;
}

// Frame A has its z along the axis; frame B stands in it at the middle node.
static bool add_joint(node_case *n, const json_t *input) {
    crm_reference *r = n->c.reference;
    carom_joint_def def = carom_joint_def_default();
    carom_error error;
    const char *kind = crm_reference_text(r, input, "input.joint", "kind");
    def.a = (carom_body){0}, def.b = (carom_body){1};
    def.point_a = crm_reference_vec3(r, input, "input.joint", "point_a");
    def.point_b = crm_reference_vec3(r, input, "input.joint", "point_b");
    if (r->status != CAROM_OK) return false;
    def.kind = strcmp(kind, "hinge") == 0 ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL;
    if (def.kind == CAROM_JOINT_HINGE) {
        carom_vec3 axis = crm_reference_vec3(r, input, "input.joint", "axis_a"), unit;
        (void)crm_normalise(axis, &unit);
        def.attitude_a = crm_quat_between(crm_vec3(0.0, 0.0, 1.0), unit);
        carom_quat seen = crm_quat_mul(crm_quat_conjugate(attitude_of(n, 1, 1)), attitude_of(n, 0, 1));
        def.attitude_b = crm_quat_mul(seen, def.attitude_a);
    }
    if (carom_model_add_joint(n->c.model, &def, &n->joint, &error) != CAROM_OK) crm_reference_refuse(r, &error);
    if (r->status != CAROM_OK || !crm_reference_has(input, "motor")) return r->status == CAROM_OK;
    carom_control_def *motor = &n->control[n->def.control_count++];
    *motor = carom_control_def_default();
    motor->kind = CAROM_CONTROL_MOTOR;
    motor->joint = n->joint.index;
    return true;
}

static bool build(node_case *n) {
    const json_t *input = n->c.what->input, *joint = json_object_get(input, "joint");
    crm_reference *r = n->c.reference;
    const json_t *bodies = crm_reference_array(r, input, "input", "bodies");
    n->body_count = (int)json_array_size(bodies);
    if (n->body_count > MOST_BODIES)
        crm_reference_fail(r, "input.bodies has %d bodies; 1 or 2 are checked", n->body_count);
    if (!crm_control_make_model(&n->c, crm_reference_vec3(r, input, "input", "gravity"))) return false;
    for (int b = 0; b < n->body_count; b++)
        if (!add_body(n, b)) return false;
    n->def = carom_plan_def_default();
    n->def.intervals = 2;
    n->def.control = n->control, n->def.control_count = 2 * n->body_count;
    n->def.condition = n->freed, n->def.condition_count = n->body_count;
    n->def.time = step_of(n, 0) + step_of(n, 1);
    if (r->status != CAROM_OK) return false;
    return !json_is_object(joint) || add_joint(n, joint);
}

static bool lay_out(node_case *n) {
    static const int middle[1] = {1};
    carom_error error;
    crm_arena *arena = &n->c.arena;
    for (int b = 0; b < n->body_count; b++) {
        carom_body_state state = {.position = n->body[b].position, .attitude = n->body[b].attitude};
        n->start[b] = crm_motion_from_body_state(&n->c.model->bodies.items[b], &state);
    }
    carom_status status = carom_model_freeze(n->c.model, &error);
    if (status == CAROM_OK)
        status = crm_draft_begin(n->c.model, &n->def, 2, (crm_arc_ends){1, middle}, false, n->start, arena, &n->draft,
                                 &error);
    if (status == CAROM_OK) status = crm_draft_write(&n->draft, &n->program, &error);
    if (status == CAROM_OK) status = crm_evaluator_create(&n->program, arena, &n->evaluator, &error);
    if (status != CAROM_OK) crm_reference_refuse(n->c.reference, &error);
    n->z = CRM_ARENA_ZEROED(arena, double, n->program.unknown_count);
    n->along = CRM_ARENA_ZEROED(arena, double, n->program.unknown_count);
    n->row = CRM_ARENA_ZEROED(arena, double, n->program.row_count);
    n->jacobian = CRM_ARENA_ZEROED(arena, double, n->evaluator.jacobian_count);
    if (crm_arena_refused(arena))
        crm_reference_refuse_memory(n->c.reference, "rows", sizeof(double) * (size_t)n->program.unknown_count);
    return n->c.reference->status == CAROM_OK;
}

// ---- the point

static void put(double *z, int32_t first, carom_vec3 v, double scale) {
    z[first] = scale * v.x, z[first + 1] = scale * v.y, z[first + 2] = scale * v.z;
}

static carom_mat3 directors(node_case *n, int body, int node) {
    return crm_quat_to_mat3(crm_quat_mul(attitude_of(n, body, node), n->c.model->bodies.items[body].frame));
}

static double *interval_length(const node_case *n, double *z, int interval) {
    return &z[n->draft.scale[n->draft.arc[interval]]];
}

// Row by row of an interval h p - ... = 0: what p is, or how it varies.
static void solve_momenta(const node_case *n, const double *value, double *z) {
    int32_t next[2][MOST_BODIES][2] = {{{0}}};
    for (int r = 0; r < n->draft.names.count; r++) {
        const crm_row_name *name = &n->draft.names.items[r];
        if (name->kind != CRM_ROW_MOMENTUM && name->kind != CRM_ROW_SPIN) continue;
        int spin = name->kind == CRM_ROW_SPIN;
        int32_t at =
            n->draft.momentum[name->node * n->body_count + name->a] + 3 * spin + next[name->node][name->a][spin]++;
        z[at] = -value[r] / (0.5 * *interval_length(n, n->z, name->node));
    }
}

static bool set_point(node_case *n) {
    const crm_plan_units *u = &n->draft.units;
    for (int k = 0; k < 2; k++) *interval_length(n, n->z, k) = 2.0 * step_of(n, k) / n->def.time;
    for (int b = 0; b < n->body_count; b++) {
        const json_t *input = body_input(n, b);
        for (int node = 0; node < NODES; node++) {
            int32_t first = n->draft.pose[node * n->body_count + b];
            carom_mat3 d = directors(n, b, node);
            put(n->z, first, vector_of(n, input, "positions", node), 1.0 / u->length);
            put(n->z, first + 3, d.x, 1.0), put(n->z, first + 6, d.y, 1.0), put(n->z, first + 9, d.z, 1.0);
        }
        for (int k = 0; k < 2; k++) {
            int32_t first = n->draft.control[k] + 6 * b;
            put(n->z, first, vector_of(n, input, "forces", k), 1.0 / u->force);
            put(n->z, first + 3, vector_of(n, input, "torques", k), 1.0 / u->torque);
        }
    }
    for (int k = 0; k < 2 && n->def.control_count > 2 * n->body_count; k++)
        n->z[n->draft.control[k] + 6 * n->body_count] =
            number_of(n, json_object_get(n->c.what->input, "joint"), "motor", k) / u->torque;
    bool good = n->c.reference->status == CAROM_OK && crm_evaluate_rows(&n->evaluator, n->z, n->row);
    if (!good) return false;
    solve_momenta(n, n->row, n->z);
    return crm_evaluate_rows(&n->evaluator, n->z, n->row) && crm_evaluate_jacobian(&n->evaluator, n->z, n->jacobian);
}

// Of the middle node, SI: from values of all rows.
static void balance_of(const node_case *n, const double *value, int body, double out[NUMBERS]) {
    const int32_t *row = n->draft.balance + 6 * (n->body_count + body);
    for (int i = 0; i < NUMBERS; i++) out[i] = value[row[i]] * (i < 3 ? n->draft.units.momentum : n->draft.units.spin);
}

// ---- comparing

static const double *six(node_case *n, const json_t *list, double *out) {
    for (int i = 0; i < NUMBERS; i++) out[i] = json_number_value(json_array_get(list, (size_t)i));
    if (json_array_size(list) != NUMBERS) crm_reference_fail(n->c.reference, "expected: a list of 6 numbers is none");
    return out;
}

// The variation of the rows along a variation of z whose momenta follow.
static void vary_rows(node_case *n, double *out) {
    for (int pass = 0; pass < 2; pass++) {
        for (int r = 0; r < n->program.row_count; r++) {
            out[r] = 0.0;
            for (int k = n->evaluator.jacobian_start[r]; k < n->evaluator.jacobian_start[r + 1]; k++)
                out[r] += n->jacobian[k] * n->along[n->evaluator.jacobian_column[k]];
        }
        if (pass == 0) solve_momenta(n, out, n->along);
    }
}

static void rotate_directors(node_case *n, int body, int node, carom_vec3 theta) {
    int32_t first = n->draft.pose[node * n->body_count + body];
    carom_mat3 d = directors(n, body, node);
    put(n->along, first + 3, crm_cross(theta, d.x), 1.0);
    put(n->along, first + 6, crm_cross(theta, d.y), 1.0);
    put(n->along, first + 9, crm_cross(theta, d.z), 1.0);
}

static void set_variation(node_case *n, const json_t *variation) {
    const crm_plan_units *u = &n->draft.units;
    memset(n->along, 0, sizeof *n->along * (size_t)n->program.unknown_count);
    for (int node = 0; node < NODES; node++) {
        put(n->along, n->draft.pose[node], vector_of(n, variation, "dx", node), 1.0 / u->length);
        rotate_directors(n, 0, node, vector_of(n, variation, "dtheta", node));
    }
    for (int k = 0; k < 2; k++) {
        put(n->along, n->draft.control[k], vector_of(n, variation, "dforces", k), 1.0 / u->force);
        put(n->along, n->draft.control[k] + 3, vector_of(n, variation, "dtorques", k), 1.0 / u->torque);
        *interval_length(n, n->along, k) = 2.0 * number_of(n, variation, "dsteps", k) / n->def.time;
    }
}

static void compare_free(node_case *n) {
    double got[NUMBERS], wanted[NUMBERS];
    const json_t *residual = crm_reference_array(n->c.reference, n->c.what->expected, "expected", "residual");
    const json_t *derivatives = crm_reference_array(n->c.reference, n->c.what->expected, "expected", "derivatives");
    const json_t *variations = crm_reference_array(n->c.reference, n->c.what->input, "input", "variations");
    double of_residual = crm_control_tolerance(&n->c, "residual"),
           of_derivatives = crm_control_tolerance(&n->c, "derivatives");
    double *varied = CRM_ARENA_ARRAY(&n->c.arena, double, n->program.row_count);
    if (n->c.reference->status != CAROM_OK || varied == NULL) return;
    balance_of(n, n->row, 0, got);
    crm_control_compare(&n->c, "residual", of_residual, NUMBERS, got, six(n, json_array_get(residual, 0), wanted));
    for (size_t i = 0; i < json_array_size(variations) && n->c.reference->status == CAROM_OK; i++) {
        set_variation(n, json_array_get(variations, i));
        vary_rows(n, varied);
        balance_of(n, varied, 0, got);
        six(n, json_array_get(json_array_get(derivatives, i), 0), wanted);
        crm_control_compare(&n->c, "derivatives", of_derivatives, NUMBERS, got, wanted);
    }
}

static double work_of(const node_case *n, const double *value, const json_t *variation) {
    double sum = 0.0, balance[NUMBERS];
    for (int b = 0; b < n->body_count; b++) {
        const json_t *of_body = json_array_get(variation, (size_t)b);
        balance_of(n, value, b, balance);
        for (int i = 0; i < NUMBERS; i++) sum += balance[i] * json_number_value(json_array_get(of_body, (size_t)i));
    }
    return sum;
}

// The rows of the joint may not change along a motion that keeps it closed, and its impulses may do no work.
static void compare_joint(node_case *n, const json_t *variation, double scale, double tolerance) {
    double *varied = CRM_ARENA_ARRAY(&n->c.arena, double, n->program.row_count), open = 0.0, work = 0.0;
    if (varied == NULL) return;
    memset(n->along, 0, sizeof *n->along * (size_t)n->program.unknown_count);
    for (int b = 0; b < n->body_count; b++) {
        const json_t *of_body = json_array_get(variation, (size_t)b);
        double v[NUMBERS];
        six(n, of_body, v);
        put(n->along, n->draft.pose[n->body_count + b], crm_vec3(v[0], v[1], v[2]), 1.0 / n->draft.units.length);
        rotate_directors(n, b, 1, crm_vec3(v[3], v[4], v[5]));
    }
    vary_rows(n, varied);
    for (int r = 0; r < n->draft.names.count; r++)
        if (n->draft.names.items[r].kind == CRM_ROW_JOINT && n->draft.names.items[r].node == 1)
            open = fmax(open, fabs(varied[r]));
    crm_check_error(n->c.verdict, open, tolerance, "rows of the joint");
    for (int i = 0; i < n->draft.impulse_size[0]; i++) {
        memset(n->along, 0, sizeof *n->along * (size_t)n->program.unknown_count);
        n->along[n->draft.impulse[1] + i] = 1.0;
        vary_rows(n, varied);
        work = fmax(work, fabs(work_of(n, varied, variation)));
    }
    crm_check_error(n->c.verdict, work / scale, tolerance, "work of impulses of the joint");
}

static void compare_jointed(node_case *n) {
    const json_t *admissible = crm_reference_array(n->c.reference, n->c.what->input, "input", "admissible");
    double tolerance = crm_control_tolerance(&n->c, "virtual_work");
    int count = (int)json_array_size(admissible);
    const double *wanted = crm_control_expected(&n->c, "virtual_work", count);
    double *got = CRM_ARENA_ARRAY(&n->c.arena, double, count);
    if (n->c.reference->status != CAROM_OK || got == NULL) return;
    for (int i = 0; i < count; i++) got[i] = work_of(n, n->row, json_array_get(admissible, (size_t)i));
    crm_control_compare(&n->c, "virtual_work", tolerance, count, got, wanted);
    double scale = n->draft.units.momentum * n->draft.units.length;
    for (int i = 0; i < count; i++) compare_joint(n, json_array_get(admissible, (size_t)i), scale, tolerance);
}

void crm_verify_control_del(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    node_case n = {.c = crm_control_begin(reference, what, verdict)};
    if (build(&n) && lay_out(&n) && set_point(&n)) {
        if (n.draft.model->joints.count > 0) {
            compare_jointed(&n);
        } else {
            compare_free(&n);
        }
    }
    if (n.draft.model != NULL) crm_draft_end(&n.draft);
    crm_control_end(&n.c);
}
