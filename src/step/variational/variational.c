// SPDX-License-Identifier: MIT
// The variational integrator in the null-space director form: the discrete Lagrangian has the potential at the midpoint
// of the configurations, the step solves p-_k = p+_k for the increments of every body. L is updated by the torques at
// the midpoint directors, so that without torque it is kept to the bit. Order 2, symplectic.
//
// Bodies that nothing but gravity and the input acts on move by themselves: gravity in closed form, rotation by the
// Moser-Veselov equation. The others are solved group by group, each as if it were alone: variational_group.h; so are
// flexible bodies: variational_flex.h.
#include "step/variational/variational.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/integrate/follower_impulse.h"
#include "step/integrate/isolated_body.h"
#include "step/variational/variational_flex.h"
#include "step/variational/variational_group.h"

static void refuse_rotation(const carom_model *model, const carom_state *state, int body, carom_step_report *report) {
    double rotation =
        state->method.step * crm_length(crm_motion_spin(&model->bodies.items[body], &state->motions[body]));
    crm_step_impossible(
        model, body, report,
        "rotates by %.3g rad in one step, and the equations have no solution for that; make method.step "
        "smaller than %.2g s",
        rotation, state->method.step * 0.5 / fmax(rotation, 0.5));
}

// What a chunk of bodies says of itself; zero bytes say nothing.
typedef struct alone_sums {
    int impossible; // 1 + the first body that has no step
    int iterations;
    double residual;
    int worst; // 1 + the first body that has it
} alone_sums;

_Static_assert(sizeof(alone_sums) <= CRM_BODY_SLOT, "the sums of a chunk must fit into a state's slot");

// Impulses at one end of the step, none without an explicit one.
static crm_vec6 explicit_impulse_of(const crm_vec6 *impulse, int body) {
    return impulse != NULL ? impulse[body] : crm_vec6_zero();
}

// A body that only gravity, the input and explicit impulses act on; false when it has no step.
static bool advance_alone(const carom_model *model, carom_state *state, const crm_explicit_impulse *explicit_impulse,
                          int b, alone_sums *sums) {
    const crm_body *body = &model->bodies.items[b];
    const crm_motion *m = &state->motions[b];
    double h = state->method.step;
    crm_vec6 gravity = crm_vec6_of(crm_scale(body->mass, model->gravity), crm_vec3_zero());
    crm_vec6 pushed = crm_vec6_scale(h, crm_wrench_projected(body->kind, crm_vec6_add(state->active[b], gravity)));
    if (explicit_impulse->alone) pushed = crm_vec6_zero();
    crm_vec6 before = crm_vec6_madd(explicit_impulse_of(explicit_impulse->before, b), 0.5, pushed);
    if (state->followers != NULL) before = crm_vec6_add(before, crm_follow_half(state->followers, body, b, m->q, h));
    crm_vec6 after = crm_vec6_madd(explicit_impulse_of(explicit_impulse->after, b), 0.5, pushed);
    crm_isolated_report report;
    state->impulse[b] = crm_vec6_add(before, after);
    if (!crm_isolated_step(body, m, before, after, h, state->method.iteration_limit, &state->next[b], &report))
        return false;
    if (report.iterations > sums->iterations) sums->iterations = report.iterations;
    if (sums->worst == 0 || report.residual > sums->residual) sums->residual = report.residual, sums->worst = b + 1;
    return true;
}

// A step of bodies that nothing couples.
typedef struct bodies_step {
    carom_state *state;
    const int *group; // -1: none; NULL: nobody has one
    const crm_explicit_impulse *explicit_impulse;
} bodies_step;

static void stay(carom_state *state, int b) {
    state->next[b] = state->motions[b];
    state->impulse[b] = state->active[b] = crm_vec6_zero();
}

static void advance_chunk(void *context, int begin, int end, int worker, void *slot) {
    (void)worker;
    const bodies_step *step = context;
    alone_sums *sums = slot;
    for (int b = begin; b < end; b++) {
        if (step->group != NULL && step->group[b] >= 0) continue;
        if (crm_state_stays(step->state, b)) {
            stay(step->state, b);
            continue;
        }
        if (!advance_alone(step->state->model, step->state, step->explicit_impulse, b, sums) && sums->impossible == 0)
            sums->impossible = b + 1;
        step->state->active[b] = crm_vec6_scale(step->state->method.step, step->state->active[b]);
        crm_follow_to_end(step->state, b);
    }
}

static void join_chunks(void *context, void *total, const void *slot) {
    (void)context;
    alone_sums *to = total;
    const alone_sums *from = slot;
    if (to->impossible == 0) to->impossible = from->impossible;
    if (from->iterations > to->iterations) to->iterations = from->iterations;
    if (to->worst == 0 || from->residual > to->residual) to->residual = from->residual, to->worst = from->worst;
}

void crm_variational_move_alone(const carom_model *model, carom_state *state, const int *group,
                                const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    bodies_step step = {state, group, explicit_impulse};
    crm_pool_reduction reduction = {sizeof(alone_sums), advance_chunk, join_chunks, &step};
    alone_sums sums = {0};
    if (model->bodies.count <= CRM_BODY_GRAIN) // one chunk: joining it would cost an isolated body more than it tells
        advance_chunk(&step, 0, model->bodies.count, 0, &sums);
    else
        crm_pool_reduce(state->pool, model->bodies.count, CRM_BODY_GRAIN, &reduction, state->slots, &sums);
    report->iterations = sums.iterations;
    report->residual = sums.residual;
    report->residual_body = (carom_body){sums.worst - 1};
    if (sums.impossible != 0) refuse_rotation(model, state, sums.impossible - 1, report);
}

// ---- groups

typedef struct core {
    crm_model_parts parts;
    crm_variational_group *group; // (parts.count)
    crm_variational_flex flexes;
    crm_follower *follower; // of the input (body_count)
} core;

// The worst of all has the word.
static void join_report(const carom_step_report *group, carom_step_report *report) {
    if (group->iterations > report->iterations) report->iterations = group->iterations;
    if (group->substeps > report->substeps) report->substeps = group->substeps;
    report->factorizations += group->factorizations;
    report->halvings += group->halvings;
    if (report->residual_body.index < 0 || group->residual > report->residual) {
        report->residual = group->residual;
        report->residual_body = group->residual_body;
    }
    if (group->outcome != CAROM_STEP_IMPOSSIBLE) return;
    report->outcome = group->outcome;
    report->body = group->body;
    memcpy(report->text, group->text, sizeof report->text);
}

void crm_variational_move(const carom_model *model, carom_state *state, void *core_data, const carom_input *input,
                          const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    core *c = core_data;
    crm_input_wrenches(model, input, state->active);
    state->followers = crm_input_followers(model, input, c->follower, state->active) ? c->follower : NULL;
    report->substeps = 1;
    const int *mover = model->flexes.count > 0 ? c->flexes.mover : c->parts.of_body;
    crm_variational_move_alone(model, state, mover, explicit_impulse, report);
    if (report->outcome != CAROM_STEP_IMPOSSIBLE && model->flexes.count > 0)
        crm_variational_flex_move(state, &c->flexes, join_report, report);
    for (int k = 0; k < c->parts.count && report->outcome != CAROM_STEP_IMPOSSIBLE; k++) {
        carom_step_report own = {.outcome = CAROM_STEP_GOOD, .substeps = 1, .residual_body = {-1}, .body = {-1}};
        if (crm_state_interrupted(state)) return;
        const crm_model_part *part = &c->parts.part[k];
        if (crm_state_stays(state, part->body[0])) {
            for (int b = 0; b < part->moving; b++) stay(state, part->body[b]);
            continue;
        }
        crm_variational_group_move(state, &c->group[k], input, explicit_impulse, &own);
        join_report(&own, report);
    }
}

carom_status crm_variational_prepare(carom_state *state, void **core_data, carom_error *error) {
    core *c = CRM_ARENA_ZEROED(&state->arena, core, 1);
    if (c == NULL) return crm_fail_memory(error, "variational", sizeof *c);
    *core_data = c;
    c->follower = CRM_ARENA_ZEROED(&state->arena, crm_follower, state->model->bodies.count);
    if (crm_arena_refused(&state->arena)) return crm_fail_memory(error, "variational", sizeof *c->follower);
    if (crm_model_has_unpaired_forces(state->model)) {
        state->told_work = CRM_ARENA_ZEROED(&state->arena, crm_told_work, state->model->bodies.count);
        if (state->told_work == NULL) return crm_fail_memory(error, "variational", sizeof *state->told_work);
    }
    carom_status status = crm_model_parts_create(state->model, NULL, &state->arena, &c->parts, error);
    if (status != CAROM_OK) return status;
    c->group = CRM_ARENA_ZEROED(&state->arena, crm_variational_group, c->parts.count);
    if (crm_arena_refused(&state->arena)) return crm_fail_memory(error, "variational", sizeof *c->group);
    for (int k = 0; k < c->parts.count && status == CAROM_OK; k++)
        status = crm_variational_group_create(state, &c->parts.part[k], &c->group[k], error);
    return status == CAROM_OK ? crm_variational_flex_prepare(state, c->parts.of_body, &c->flexes, error) : status;
}

crm_forced_body *crm_variational_forced_body(void *core_data, int body) {
    core *c = core_data;
    int part = c->parts.of_body[body];
    return part >= 0 && !c->group[part].coupled ? &c->group[part].forced : NULL;
}

void crm_variational_release(void *core_data) {
    core *c = core_data;
    if (c != NULL) crm_model_parts_release(&c->parts);
}

// ---- the method

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    static const crm_explicit_impulse none = {0};
    crm_variational_move(model, state, state->method_data, input, &none, report);
}

static carom_status prepare(carom_state *state, carom_error *error) {
    return crm_variational_prepare(state, &state->method_data, error);
}

static void release(carom_state *state) {
    crm_variational_release(state->method_data);
}

static void contract(const carom_method_def *def, carom_contract *contract) {
    if (def->variational.elastic == CAROM_FLEX_SCHEME_ENERGY_MOMENTUM) contract->elastic_balance = 1e-10;
}

const crm_method crm_method_variational = {.name = "variational",
                                           .settings = "variational",
                                           .features = CRM_UNPAIRED_FEATURES | CRM_FEATURE_JOINT |
                                                       CRM_FEATURE_JOINT_SPRING | CRM_FEATURE_JOINT_DAMPER |
                                                       CRM_FEATURE_MOTOR | CRM_FEATURE_SWITCH | CRM_FEATURE_FLEX,
                                           .discrete_energy = true,
                                           .balances_elastic = true,
                                           .contract = contract,
                                           .prepare = prepare,
                                           .release = release,
                                           .advance = advance};
