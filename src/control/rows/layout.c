// SPDX-License-Identifier: MIT
// Units and the numbering of unknowns: node by node and interval by interval, as they are coupled.
#include <math.h>

#include "base/fail.h"
#include "control/rows/plan_pieces.h"
#include "control/rows/touch/avoid.h"
#include "control/rows/touch/planned_contacts.h"
#include "model/force/evaluate.h"
#include "model/joint/joint_component.h"

// ---- units

// The longest way from a start to a given end, m.
static double longest_way(const carom_plan_def *def, const crm_motion *start) {
    double most = 0.0;
    for (int i = 0; i < def->condition_count; i++) {
        const carom_plan_condition *c = &def->condition[i];
        if (c->has_position && c->relative_to.index < 0)
            most = fmax(most, crm_distance(c->position, start[c->body.index].x));
    }
    return most;
}

// How far bodies get from each other or along their way, m: where no body has a size of its own.
static double extent_of_motion(const carom_model *model, const carom_plan_def *def, const crm_motion *start) {
    double most = longest_way(def, start);
    for (int a = 0; a < model->bodies.count; a++)
        for (int b = 0; b < a; b++) most = fmax(most, crm_distance(start[a].x, start[b].x));
    return most;
}

crm_plan_units crm_plan_units_of(const carom_model *model, const carom_plan_def *def, const crm_motion *start) {
    crm_plan_units u = {.time = def->time, .mass = INFINITY};
    for (int b = 0; b < model->bodies.count; b++) {
        if (!crm_body_moves(model, b)) continue;
        u.length = fmax(u.length, crm_body_extent(&model->bodies.items[b]));
        u.mass = fmin(u.mass, model->bodies.items[b].mass);
    }
    if (!(u.length > 0.0)) u.length = extent_of_motion(model, def, start);
    if (!(u.length > 0.0) || !isfinite(u.length)) u.length = 1.0;
    u.momentum = u.mass * u.length / u.time;
    u.spin = u.momentum * u.length;
    u.force = u.momentum / u.time;
    u.torque = u.force * u.length;
    // The effort of a way d from rest to rest is 12 d^2 units, that of hovering the square of the weight: with these as
    // its unit the objective is of order 1 as all else.
    double way = longest_way(def, start) / u.length, weight = crm_length(model->gravity) * u.time * u.time / u.length;
    u.effort = u.force * u.force * u.time * (1.0 + 12.0 * way * way + weight * weight);
    return u;
}

// ---- rows

// What rows may be off by where all that is in them was given, by people, in decimals.
static const double given_closed = 1e-7;

int32_t crm_draft_row(crm_draft *draft, double lower, double upper, crm_place place, crm_row_name name) {
    if (!CRM_ARRAY_PUSH(&draft->builder.allocator, &draft->names, name)) draft->builder.refused = true;
    return crm_program_add_row(&draft->builder, lower, upper, place);
}

void crm_draft_drop_constant_row(crm_draft *draft, int terms) {
    crm_program_builder *b = &draft->builder;
    for (int i = terms; i < b->terms.count; i++)
        if (b->terms.items[i].factor[0] >= 0) return;
    if (b->refused) return;
    int row = b->row_lower.count - 1;
    double value = 0.0;
    for (int i = terms; i < b->terms.count; i++) value += b->terms.items[i].coefficient;
    double broken = fmax(b->row_lower.items[row] - value, value - b->row_upper.items[row]);
    if (broken > given_closed && broken > draft->broken_by) {
        draft->broken_by = broken;
        draft->contradiction = draft->names.items[row];
    }
    b->terms.count = terms;
    b->row_lower.count--, b->row_upper.count--, b->row_place.count--, draft->names.count--;
}

// ---- unknowns

void crm_draft_fix(crm_draft *draft, int32_t unknown, double value) {
    draft->builder.lower.items[unknown] = draft->builder.upper.items[unknown] = value;
}

static int32_t add_free(crm_draft *draft, int count, crm_place place) {
    int32_t first = draft->builder.lower.count;
    for (int i = 0; i < count; i++) (void)crm_program_add_unknown(&draft->builder, -INFINITY, INFINITY, place);
    return first;
}

// Fixes what the kind of the body does not have: it moves in a plane, its directors' third one is the plane's normal.
static void fix_planar_pose(crm_draft *draft, int body, int32_t first) {
    crm_draft_fix(draft, first + 2, draft->start[body].x.z / draft->units.length);
    crm_draft_fix(draft, first + 5, 0.0);
    crm_draft_fix(draft, first + 8, 0.0);
    for (int i = 0; i < 3; i++) crm_draft_fix(draft, first + 9 + i, i == 2 ? 1.0 : 0.0);
}

static void add_node(crm_draft *draft, int node) {
    int joints = draft->model->joints.count;
    crm_place place = crm_node_place(node);
    for (int s = 0; s < draft->moving_count; s++) {
        const crm_body *body = crm_draft_body(draft, draft->body[s]);
        int32_t first = add_free(draft, crm_has_directors(body) ? 12 : 3, place);
        draft->pose[node * draft->moving_count + s] = first;
        if (body->kind == CAROM_BODY_PLANAR && !draft->builder.refused) fix_planar_pose(draft, draft->body[s], first);
    }
    for (int j = 0; j < joints; j++) draft->impulse[node * joints + j] = add_free(draft, draft->impulse_size[j], place);
}

static void add_interval(crm_draft *draft, int interval) {
    crm_place place = crm_interval_place(interval);
    for (int s = 0; s < draft->moving_count; s++) {
        const crm_body *body = crm_draft_body(draft, draft->body[s]);
        int size = crm_has_directors(body) ? 6 : 3;
        int32_t first = add_free(draft, size, place);
        draft->momentum[interval * draft->moving_count + s] = first;
        for (int i = 0; i < size && !draft->builder.refused; i++)
            if (!crm_kind_admits(body->kind, i)) crm_draft_fix(draft, first + i, 0.0);
    }
    draft->control[interval] = crm_controls_add_unknowns(draft, interval);
}

// Each arc has a length of its own unless there is one and the time is given.
static void add_arcs(crm_draft *draft, crm_arc_ends arcs) {
    const carom_plan_def *def = draft->def;
    for (int k = 0, a = 0; k < draft->intervals; k++) {
        if (a < arcs.count && arcs.node[a] == k) a++;
        draft->arc[k] = a;
    }
    draft->arc_count = arcs.count + 1;
    crm_place place = {CRM_PLACE_WHOLE, 0, 0};
    double least = 1.0, most = 1.0;
    if (draft->arc_count > 1) {
        least = 0.3, most = 3.0; // beyond, nodes of one arc are of another kind than those of its neighbour
    } else if (def->time_free) {
        least = def->time_least / def->time, most = def->time_most / def->time;
    }
    for (int a = 0; a < draft->arc_count; a++)
        draft->scale[a] = crm_program_add_unknown(&draft->builder, least, most, place);
}

static bool take(crm_draft *draft) {
    const carom_model *model = draft->model;
    crm_arena *arena = draft->arena;
    ptrdiff_t bodies = model->bodies.count, joints = model->joints.count, nodes = (ptrdiff_t)draft->intervals + 1;
    ptrdiff_t poses = nodes * draft->moving_count;
    draft->pose = CRM_ARENA_ARRAY(arena, int32_t, poses);
    draft->momentum = CRM_ARENA_ARRAY(arena, int32_t, poses);
    draft->balance = CRM_ARENA_ARRAY(arena, int32_t, 6 * poses);
    draft->asked = CRM_ARENA_ZEROED(arena, crm_asked *, poses);
    draft->control = CRM_ARENA_ARRAY(arena, int32_t, draft->intervals);
    draft->arc = CRM_ARENA_ARRAY(arena, int, draft->intervals);
    draft->scale = CRM_ARENA_ARRAY(arena, int32_t, draft->intervals);
    draft->impulse = CRM_ARENA_ARRAY(arena, int32_t, nodes * joints);
    draft->impulse_size = CRM_ARENA_ARRAY(arena, int, joints);
    draft->field = CRM_ARENA_ARRAY(arena, int32_t, (ptrdiff_t)draft->intervals * model->pair_potentials.count);
    draft->control_offset = CRM_ARENA_ARRAY(arena, int, draft->def->control_count);
    draft->control_size = CRM_ARENA_ARRAY(arena, int, draft->def->control_count);
    draft->axes = CRM_ARENA_ARRAY(arena, carom_quat, bodies);
    return !crm_arena_refused(arena);
}

static carom_status number_bodies(crm_draft *draft, carom_error *error) {
    int count = draft->model->bodies.count;
    draft->slot = CRM_ARENA_ARRAY(draft->arena, int, count);
    draft->body = CRM_ARENA_ARRAY(draft->arena, int, count);
    if (crm_arena_refused(draft->arena)) return crm_fail_memory(error, "bodies of a plan", sizeof(int) * (size_t)count);
    for (int b = 0; b < count; b++) {
        draft->slot[b] = crm_body_moves(draft->model, b) ? draft->moving_count : -1;
        if (draft->slot[b] >= 0) draft->body[draft->moving_count++] = b;
    }
    return CAROM_OK;
}

carom_status crm_draft_begin(const carom_model *model, const carom_plan_def *def, int intervals, crm_arc_ends arcs,
                             bool soft_ends, crm_motion *start, crm_arena *arena, crm_draft *draft,
                             carom_error *error) {
    *draft = (crm_draft){.model = model, .def = def, .intervals = intervals, .arena = arena, .start = start};
    draft->soft_ends = soft_ends;
    crm_program_begin(&draft->builder, &arena->allocator);
    draft->units = crm_plan_units_of(model, def, start);
    carom_status status = number_bodies(draft, error);
    if (status == CAROM_OK && !take(draft))
        status = crm_fail_memory(error, "a plan", sizeof(int32_t) * 6 * (size_t)draft->moving_count);
    if (status != CAROM_OK) return status;
    for (int b = 0; b < model->bodies.count; b++)
        draft->axes[b] =
            model->bodies.items[b].kind == CAROM_BODY_PLANAR ? crm_quat_conjugate(start[b].q) : crm_quat_identity();
    for (int j = 0; j < model->joints.count; j++) draft->impulse_size[j] = model->joints.items[j].rows;
    crm_controls_number(draft);
    add_arcs(draft, arcs);
    for (int k = 0; k <= intervals; k++) {
        add_node(draft, k);
        if (k < intervals) add_interval(draft, k);
    }
    if (draft->builder.refused) return crm_fail_memory(error, "a plan", 0);
    return crm_ends_prepare(draft, error); // fixes what is given: before any form is made
}

void crm_draft_end(crm_draft *draft) {
    crm_program_discard(&draft->builder);
    CRM_ARRAY_FREE(&draft->builder.allocator, &draft->names);
}

// What occurs in no row and not in the objective, such as impulses of a joint where the balances of its bodies are left
// out, is 0: else the Hessian is singular there.
static carom_status fix_unused(crm_draft *draft, carom_error *error) {
    crm_program_builder *b = &draft->builder;
    bool *used = CRM_ARENA_ZEROED(draft->arena, bool, b->lower.count);
    if (b->refused || used == NULL) return crm_fail_memory(error, "a plan", (size_t)b->lower.count);
    for (int t = 0; t < b->terms.count; t++)
        for (int i = 0; i < CRM_PROGRAM_FACTORS && b->terms.items[t].factor[i] >= 0; i++)
            used[b->terms.items[t].factor[i]] = true;
    for (int k = 0, first = 0; k < b->blocks.count; k++) {
        const crm_program_block *block = &b->blocks.items[k];
        for (int i = 0; i < block->unknown_count; i++) used[b->indices.items[first + i]] = true;
        first += block->unknown_count + block->row_count;
    }
    for (int i = 0; i < b->lower.count; i++)
        if (!used[i]) crm_draft_fix(draft, i, fmin(fmax(0.0, b->lower.items[i]), b->upper.items[i]));
    return CAROM_OK;
}

carom_status crm_draft_write(crm_draft *draft, crm_program *program, carom_error *error) {
    carom_status status = crm_fields_add_unknowns(draft, error);
    if (status != CAROM_OK) return status;
    crm_dynamics_add(draft);
    crm_ends_add(draft);
    crm_joints_add(draft);
    crm_planned_add(draft);
    crm_avoid_add(draft);
    crm_objective_add(draft);
    status = fix_unused(draft, error);
    if (status != CAROM_OK) return status;
    return crm_program_finish(&draft->builder, draft->arena, program, error);
}
