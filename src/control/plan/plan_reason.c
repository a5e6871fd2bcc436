// SPDX-License-Identifier: MIT
// Why there is no plan. What is asked is loosened kind by kind, first limits, last the ends, until a motion keeps all
// the rest; what then is broken most, and by how much, is the reason. It may turn out that nothing has to be: then
// there is a motion after all, and the search goes on from it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "carom/distance.h"
#include "control/motion/control_wrench.h"
#include "control/plan/plan_solve.h"
#include "control/program/relax.h"
#include "control/rows/plan_pieces.h"

typedef enum loosened { LIMITS, JOINT_LIMITS, GAPS, CONTACTS, ENDS, NOTHING } loosened;

// Of the original objective, beside slacks in the plan's units: enough to choose among motions that break nothing.
static const double share_of_effort = 1e-6;
// Slacks below this are the solver's.
static const double broken = 1e-6;
enum { MOST_ITERATIONS = 500 };

// ---- what is soft

static bool is_soft_row(loosened what, int kind) {
    switch (what) {
    case JOINT_LIMITS:
        return kind == CRM_ROW_JOINT_LIMIT;
    case GAPS:
        return kind == CRM_ROW_GAP;
    case CONTACTS:
        return kind >= CRM_ROW_TOUCH && kind <= CRM_ROW_STICK;
    case ENDS:
        return kind >= CRM_ROW_POSITION && kind <= CRM_ROW_DIRECTION;
    default:
        return false;
    }
}

static int control_of(const crm_draft *draft, int32_t unknown, int *interval) {
    for (int k = 0; k < draft->intervals; k++) {
        int number = unknown - draft->control[k];
        if (number < 0 || number >= draft->control_numbers) continue;
        *interval = k;
        int c = 0;
        while (c + 1 < draft->def->control_count && draft->control_offset[c + 1] <= number) c++;
        return c;
    }
    return -1;
}

typedef struct asking {
    crm_plan_trial trial; // laid out for this question
    crm_relaxed relaxed;
    crm_program_point point;
    crm_program_result result;
} asking;

static bool choose_soft(const crm_plan_trial *t, loosened what, bool *row, bool *unknown) {
    const crm_program *p = &t->program;
    bool some = false;
    for (int r = 0; r < p->row_count; r++) some = (row[r] = is_soft_row(what, t->draft.row_name[r].kind)) || some;
    for (int i = 0; i < p->unknown_count; i++) {
        int interval;
        bool bounded = isfinite(p->lower[i]) || isfinite(p->upper[i]);
        unknown[i] = what == LIMITS && bounded && control_of(&t->draft, i, &interval) >= 0;
        some = some || (unknown[i] && p->lower[i] != p->upper[i]);
    }
    return some;
}

// ---- the question

// False: there is nothing of that kind.
static carom_status ask(const carom_plan *plan, const crm_plan_trial *failed, loosened what,
                        carom_plan_progress_function *progress, void *user, asking *a, bool *there,
                        carom_error *error) {
    crm_arena *arena = &a->trial.arena;
    a->trial = (crm_plan_trial){.start = failed->start, .level = failed->level, .soft = what == ENDS};
    carom_status status = crm_plan_trial_go_on(plan, failed, &a->trial, error);
    if (status != CAROM_OK) return status;
    const crm_program *p = &a->trial.program;
    bool *row = CRM_ARENA_ARRAY(arena, bool, p->row_count), *unknown = CRM_ARENA_ARRAY(arena, bool, p->unknown_count);
    if (row == NULL || unknown == NULL) return crm_fail_memory(error, "the reason of a plan", (size_t)p->row_count);
    *there = choose_soft(&a->trial, what, row, unknown);
    if (!*there) return CAROM_OK;
    status = crm_program_relax(p, row, unknown, share_of_effort, arena, &a->relaxed, error);
    if (status == CAROM_OK) status = crm_program_point_create(&a->relaxed.program, arena, &a->point, error);
    if (status != CAROM_OK) return status;
    const double *from = what == ENDS ? a->trial.point.z : failed->point.z; // the same unknowns, but with soft ends
    memcpy(a->point.z, from, sizeof *a->point.z * (size_t)p->unknown_count);
    return crm_plan_solve_elastic(plan, &a->relaxed.program, MOST_ITERATIONS, progress, user, &a->trial, &a->point,
                                  &a->result, error);
}

static bool keeps_the_rest(const asking *a) {
    return (a->result.outcome == CRM_PROGRAM_SOLVED || a->result.outcome == CRM_PROGRAM_FEASIBLE) &&
           a->result.violation <= broken;
}

// ---- the answer

typedef struct worst {
    double amount; // plan's units
    int32_t row, unknown;
} worst;

static worst find_worst(const asking *a) {
    worst w = {0.0, -1, -1};
    const double *z = a->point.z;
    for (int r = 0; r < a->trial.program.row_count; r++) {
        int32_t s = a->relaxed.row_slack[r];
        if (s >= 0 && fmax(z[s], z[s + 1]) > w.amount) w = (worst){fmax(z[s], z[s + 1]), r, -1};
    }
    for (int i = 0; i < a->trial.program.unknown_count; i++) {
        int32_t s = a->relaxed.unknown_slack[i];
        if (s >= 0 && fmax(z[s], z[s + 1]) > w.amount) w = (worst){fmax(z[s], z[s + 1]), -1, i};
    }
    return w;
}

static void say_limit(const asking *a, const worst *w, char *text, size_t size) {
    const crm_draft *draft = &a->trial.draft;
    int interval = 0, control = control_of(draft, w->unknown, &interval);
    const carom_control_def *c = &draft->def->control[control];
    int number = w->unknown - draft->control[interval] - draft->control_offset[control];
    bool force = number < crm_control_numbers_of(draft->model, c).forces;
    char name[CRM_BODY_TEXT];
    const char *whose = c->kind == CAROM_CONTROL_MOTOR ? crm_joint_text(draft->model, c->joint, name)
                                                       : crm_body_text(draft->model, c->body.index, name);
    double needed = a->point.z[w->unknown] * (force ? draft->units.force : draft->units.torque);
    if (c->kind == CAROM_CONTROL_THRUSTER && needed < 0.0) {
        snprintf(text, size, "control %d of %s would have to pull by %.4g N in interval %d, but thrusters push",
                 control, whose, -needed, interval);
        return;
    }
    snprintf(text, size,
             "control %d of %s would need %.4g %s in interval %d, and its %s is %.4g %s; allow more, or more time",
             control, whose, needed, force ? "N" : "N m", interval, force ? "force_limit" : "torque_limit",
             force ? c->force_limit : c->torque_limit, force ? "N" : "N m");
}

// All that is missed of the same thing: a vector, or the directors of an attitude.
static double together(const asking *a, const crm_row_name *name) {
    double sum = 0.0;
    for (int r = 0; r < a->trial.program.row_count; r++) {
        const crm_row_name *other = &a->trial.draft.row_name[r];
        int32_t s = a->relaxed.row_slack[r];
        if (s < 0 || other->kind != name->kind || other->a != name->a || other->node != name->node) continue;
        double amount = fmax(a->point.z[s], a->point.z[s + 1]);
        sum += amount * amount;
    }
    return sqrt(sum);
}

static bool is_driven(const crm_draft *draft, int body) {
    for (int i = 0; i < draft->def->control_count; i++) {
        const carom_control_def *c = &draft->def->control[i];
        if (c->kind != CAROM_CONTROL_MOTOR && c->body.index == body) return true;
    }
    for (int j = 0; j < draft->model->joints.count; j++)
        if (draft->model->joints.items[j].a.body == body || draft->model->joints.items[j].b.body == body) return true;
    return false;
}

static void say_end(const asking *a, const worst *w, char *text, size_t size) {
    const crm_draft *draft = &a->trial.draft;
    const crm_row_name *name = &draft->row_name[w->row];
    char row[CRM_ROW_TEXT];
    const char *unit;
    double amount = together(a, name) * crm_row_unit(draft, name, &unit);
    if (name->kind == CRM_ROW_ATTITUDE) {
        // |R - R'| = 2 sqrt 2 sin(angle/2)
        amount = 2.0 * asin(fmin(1.0, amount / sqrt(8.0)));
        unit = "rad";
    }
    snprintf(text, size, "%s is missed by %.4g %s at best%s", crm_row_text(draft, name, row), amount, unit,
             is_driven(draft, name->a) ? "" : "; no control acts on that body");
}

static carom_view view_of(const asking *a, const crm_plan_motion *m, int node, int body) {
    const crm_body *b = crm_draft_body(&a->trial.draft, body);
    ptrdiff_t at = (ptrdiff_t)node * m->body_count + body;
    carom_quat q = crm_quat_normalised(crm_quat_from_mat3(m->attitude[at]));
    carom_vec3 origin = crm_sub(m->position[at], crm_quat_rotate(q, b->centre));
    return carom_view_of(carom_model_get_shape(a->trial.draft.model, b->def.shape), (carom_pose){origin, q});
}

// Products of impulses and gaps say little: how far apart the bodies stay says all.
static carom_status say_contact(asking *a, const worst *w, char *text, size_t size, carom_error *error) {
    const crm_draft *draft = &a->trial.draft;
    const crm_row_name *name = &draft->row_name[w->row];
    crm_plan_motion motion;
    crm_node_momenta nodes;
    carom_status status = crm_plan_motion_read(draft, a->point.z, &a->trial.arena, &motion, &nodes, error);
    if (status != CAROM_OK) return status;
    char first[CRM_BODY_TEXT], second[CRM_BODY_TEXT];
    carom_gap_witness witness = {.gap = NAN};
    carom_view view_a = view_of(a, &motion, name->node, name->a), view_b = view_of(a, &motion, name->node, name->b);
    (void)carom_gap_find(&view_a, &view_b, NULL, NULL, &witness, NULL);
    snprintf(text, size, "the planned contact of %s and %s at node %d does not come about; they stay %.4g m apart",
             crm_body_text(draft->model, name->a, first), crm_body_text(draft->model, name->b, second), name->node,
             fmax(witness.gap, 0.0));
    return CAROM_OK;
}

static void say_row(const asking *a, const worst *w, loosened what, char *text, size_t size) {
    const crm_draft *draft = &a->trial.draft;
    const crm_row_name *name = &draft->row_name[w->row];
    char row[CRM_ROW_TEXT];
    const char *unit;
    double amount = w->amount * crm_row_unit(draft, name, &unit);
    char how[80];
    snprintf(how, sizeof how, what == GAPS ? "would be %.4g %s less than is asked" : "would be missed by %.4g %s",
             amount, unit);
    snprintf(text, size, "%s %s", crm_row_text(draft, name, row), how);
}

static carom_status say(asking *a, const worst *w, loosened what, crm_plan_trial *failed, carom_error *error) {
    char text[400];
    carom_status status = CAROM_OK;
    if (what == CONTACTS) {
        status = say_contact(a, w, text, sizeof text, error);
    } else if (what == LIMITS) {
        say_limit(a, w, text, sizeof text);
    } else if (what == ENDS) {
        say_end(a, w, text, sizeof text);
    } else {
        say_row(a, w, what, text, sizeof text);
    }
    if (status == CAROM_OK)
        snprintf(failed->reason, sizeof failed->reason, "no motion near by keeps all that is asked: %s", text);
    return status;
}

// Where nothing tells: what the solver left broken most.
static carom_status say_violation(crm_plan_trial *t, carom_error *error) {
    crm_mark mark = crm_arena_mark(&t->arena);
    crm_evaluator evaluator;
    double *row = CRM_ARENA_ARRAY(&t->arena, double, t->program.row_count);
    carom_status status = crm_evaluator_create(&t->program, &t->arena, &evaluator, error);
    if (row == NULL)
        status = crm_fail_memory(error, "the reason of a plan", sizeof *row * (size_t)t->program.row_count);
    int32_t at = -1;
    double amount = 0.0;
    if (status == CAROM_OK && crm_evaluate_rows(&evaluator, t->point.z, row))
        amount = crm_program_violation(&t->program, t->point.z, row, &at);
    if (status == CAROM_OK && amount > broken && at >= 0) {
        char text[CRM_ROW_TEXT];
        const char *unit;
        double size = crm_row_unit(&t->draft, &t->draft.row_name[at], &unit);
        snprintf(t->reason, sizeof t->reason, "the solver came to no plan: %s misses by %.3g %s",
                 crm_row_text(&t->draft, &t->draft.row_name[at], text), amount * size, unit);
    } else {
        snprintf(t->reason, sizeof t->reason, "the solver came to no plan in %d iterations", t->result.iterations);
    }
    crm_arena_release(&t->arena, mark);
    return status;
}

carom_status crm_plan_find_reason(const carom_plan *plan, carom_plan_progress_function *progress, void *user,
                                  crm_plan_trial *failed, bool *possible, carom_error *error) {
    *possible = false;
    for (loosened what = LIMITS; what < NOTHING; what++) {
        asking a = {.trial = {.made = false}};
        bool there = false;
        carom_status status = ask(plan, failed, what, progress, user, &a, &there, error);
        bool told = status == CAROM_OK && there && keeps_the_rest(&a);
        if (told) {
            worst w = find_worst(&a);
            if (w.amount > broken) {
                failed->outcome = CAROM_PLAN_IMPOSSIBLE;
                status = say(&a, &w, what, failed, error);
            } else if (what != ENDS) {
                memcpy(failed->point.z, a.point.z, sizeof *failed->point.z * (size_t)failed->program.unknown_count);
                *possible = true;
            } else {
                told = false;
            }
        }
        crm_plan_trial_free(&a.trial);
        if (status != CAROM_OK || told) return status;
    }
    return say_violation(failed, error);
}
