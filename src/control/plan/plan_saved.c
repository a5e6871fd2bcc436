// SPDX-License-Identifier: MIT
// What a plan goes on from: finished solves, and the points of those that later ones begin from or are held against.
// The program is laid out anew, and the point must fit it.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "control/plan/plan_solve.h"
#include "control/rows/touch/avoid.h"
#include "control/rows/touch/planned_contacts.h"

static const char mark[8] = "plan 1\n";

// Writes, or with `to` NULL counts.
typedef struct saving {
    unsigned char *to;
    size_t used;
} saving;

static void put(saving *s, const void *bytes, size_t size) {
    if (s->to != NULL && size > 0) memcpy(s->to + s->used, bytes, size);
    s->used += size;
}

static void put_int(saving *s, int64_t value) {
    put(s, &value, sizeof value);
}

static void put_real(saving *s, double value) {
    put(s, &value, sizeof value);
}

static void put_reals(saving *s, const double *values, int64_t count) {
    put(s, values, (size_t)count * sizeof *values);
}

static void put_solve(saving *s, const carom_plan_solve *solve) {
    put_int(s, solve->start);
    put_int(s, solve->level);
    put_int(s, solve->intervals);
    put_int(s, solve->outcome);
    put_int(s, solve->iterations);
    put_real(s, solve->effort);
    put_real(s, solve->violation);
    put_real(s, solve->optimality);
    put_real(s, solve->seconds);
}

static int plane_count(const crm_draft *draft) {
    return draft->avoided != NULL ? draft->avoided->places * draft->avoided->pair_count : 0;
}

// Which planes have rows, and which corners stick.
static void put_choices(saving *s, const crm_draft *draft) {
    for (int i = 0; draft->planned != NULL && i < draft->planned->count; i++)
        put_int(s, draft->planned->contact[i].corner);
    for (int i = 0; i < plane_count(draft); i++) {
        unsigned char active = draft->avoided->plane[i].active;
        put(s, &active, 1);
    }
}

static void put_trial(saving *s, const crm_plan_trial *t) {
    put_int(s, t->made);
    if (!t->made) return;
    put_int(s, t->start);
    put_int(s, t->level);
    put_choices(s, &t->draft);
    put_int(s, t->outcome);
    put_int(s, t->result.outcome);
    put_int(s, t->result.iterations);
    put_int(s, t->result.factorizations);
    put_int(s, t->result.inertia_right);
    const double numbers[] = {t->effort,           t->guess_effort,      t->recursion_effort,       t->result.objective,
                              t->result.violation, t->result.optimality, t->result.complementarity, t->result.seconds};
    put_reals(s, numbers, sizeof numbers / sizeof numbers[0]);
    put(s, t->reason, sizeof t->reason);
    int64_t unknowns = t->program.unknown_count, rows = t->program.row_count;
    put_int(s, unknowns);
    put_int(s, rows);
    put_reals(s, t->point.z, unknowns);
    put_reals(s, t->point.multiplier, rows);
    put_reals(s, t->point.bound_lower, unknowns);
    put_reals(s, t->point.bound_upper, unknowns);
    put_int(s, t->guess != NULL);
    if (t->guess != NULL) put_reals(s, t->guess, unknowns);
}

static void put_all(saving *s, const carom_plan *plan) {
    put(s, mark, sizeof mark);
    put_int(s, plan->next_start);
    put_int(s, plan->next_level);
    put_real(s, plan->coarse_effort);
    put_int(s, plan->solves.count);
    for (int i = 0; i < plan->solves.count; i++) put_solve(s, &plan->solves.items[i]);
    if (plan->next_level > 0)
        put_trial(s, &plan->last);
    else
        put_int(s, false); // the next start begins from its own guess
    put_trial(s, &plan->best);
}

size_t carom_plan_size(const carom_plan *plan) {
    saving s = {NULL, 0};
    put_all(&s, plan);
    return s.used;
}

void carom_plan_save(const carom_plan *plan, void *bytes) {
    saving s = {bytes, 0};
    put_all(&s, plan);
}

// ---- reading

typedef struct loading {
    const unsigned char *from;
    size_t left;
    bool bad; // sticky: there is less than there should be, or a number that cannot be
    carom_plan *plan;
    carom_error *error;
} loading;

static void take(loading *l, void *to, size_t size) {
    l->bad |= size > l->left;
    if (l->bad) {
        memset(to, 0, size);
        return;
    }
    memcpy(to, l->from, size);
    l->from += size;
    l->left -= size;
}

static int take_int(loading *l, int64_t low, int64_t high) {
    int64_t value;
    take(l, &value, sizeof value);
    l->bad |= value < low || value > high;
    return l->bad ? (int)low : (int)value;
}

static double take_real(loading *l) {
    double value;
    take(l, &value, sizeof value);
    return value;
}

static void take_reals(loading *l, double *to, int64_t count) {
    take(l, to, (size_t)count * sizeof *to);
    for (int64_t i = 0; i < count && !l->bad; i++) l->bad = !isfinite(to[i]);
}

static carom_status take_solve(loading *l) {
    const carom_plan_def *def = &l->plan->def;
    carom_plan_solve solve = {.start = take_int(l, 0, def->starts - 1),
                              .level = take_int(l, 0, def->levels - 1),
                              .intervals = take_int(l, 0, def->intervals),
                              .outcome = (carom_plan_outcome)take_int(l, 0, CAROM_PLAN_OUTCOME_COUNT - 1),
                              .iterations = take_int(l, 0, INT32_MAX)};
    solve.effort = take_real(l);
    solve.violation = take_real(l);
    solve.optimality = take_real(l);
    solve.seconds = take_real(l);
    if (l->bad || CRM_ARRAY_PUSH(&l->plan->arena.allocator, &l->plan->solves, solve)) return CAROM_OK;
    return crm_fail_memory(l->error, "the list of solutions of a plan", sizeof solve);
}

static void take_numbers(loading *l, crm_plan_trial *t) {
    t->outcome = (carom_plan_outcome)take_int(l, 0, CAROM_PLAN_OUTCOME_COUNT - 1);
    t->result.outcome = (crm_program_outcome)take_int(l, 0, CRM_PROGRAM_INTERRUPTED);
    t->result.iterations = take_int(l, 0, INT32_MAX);
    t->result.factorizations = take_int(l, 0, INT32_MAX);
    t->result.inertia_right = take_int(l, 0, 1) != 0;
    t->effort = take_real(l);
    t->guess_effort = take_real(l);
    t->recursion_effort = take_real(l);
    t->result.objective = take_real(l);
    t->result.violation = take_real(l);
    t->result.optimality = take_real(l);
    t->result.complementarity = take_real(l);
    t->result.seconds = take_real(l);
    take(l, t->reason, sizeof t->reason);
    t->reason[sizeof t->reason - 1] = '\0';
}

static carom_status take_point(loading *l, crm_plan_trial *t) {
    int unknowns = t->program.unknown_count, rows = t->program.row_count;
    (void)take_int(l, unknowns, unknowns);
    (void)take_int(l, rows, rows);
    if (l->bad) return CAROM_OK;
    carom_status status = crm_program_point_create(&t->program, &t->arena, &t->point, l->error);
    if (status != CAROM_OK) return status;
    take_reals(l, t->point.z, unknowns);
    take_reals(l, t->point.multiplier, rows);
    take_reals(l, t->point.bound_lower, unknowns);
    take_reals(l, t->point.bound_upper, unknowns);
    if (take_int(l, 0, 1) == 0) return CAROM_OK;
    t->guess = CRM_ARENA_ARRAY(&t->arena, double, unknowns);
    if (t->guess == NULL) return crm_fail_memory(l->error, "the guess of a plan", sizeof(double) * (size_t)unknowns);
    take_reals(l, t->guess, unknowns);
    return CAROM_OK;
}

static void take_choices(loading *l, crm_draft *draft) {
    for (int i = 0; draft->planned != NULL && i < draft->planned->count; i++) {
        crm_planned_contact *c = &draft->planned->contact[i];
        c->corner = take_int(l, 0, c->b->vertex_count - 1);
    }
    for (int i = 0; i < plane_count(draft); i++) {
        unsigned char active;
        take(l, &active, 1);
        l->bad |= active > 1;
        draft->avoided->plane[i].wanted = active == 1;
    }
}

static carom_status take_trial(loading *l, crm_plan_trial *t) {
    if (take_int(l, 0, 1) == 0) return CAROM_OK;
    int start = take_int(l, 0, l->plan->def.starts - 1), level = take_int(l, 0, l->plan->def.levels - 1);
    if (l->bad) return CAROM_OK;
    carom_status status = crm_plan_trial_begin(l->plan, level, t, l->error);
    t->start = start;
    if (status == CAROM_OK) take_choices(l, &t->draft);
    if (status == CAROM_OK) status = crm_plan_trial_write(t, l->error);
    if (status == CAROM_OK) take_numbers(l, t);
    if (status == CAROM_OK) status = take_point(l, t);
    return status == CAROM_OK && !l->bad ? crm_plan_trial_read(t, l->error) : status;
}

static carom_status take_all(loading *l) {
    carom_plan *plan = l->plan;
    char own[sizeof mark];
    take(l, own, sizeof own);
    l->bad |= memcmp(own, mark, sizeof mark) != 0;
    plan->next_start = take_int(l, 0, plan->def.starts);
    plan->next_level = take_int(l, 0, plan->def.levels - 1);
    plan->coarse_effort = take_real(l);
    int solves = take_int(l, 0, (int64_t)plan->def.starts * plan->def.levels);
    l->bad |= solves != plan->next_start * plan->def.levels + plan->next_level;
    carom_status status = CAROM_OK;
    for (int i = 0; i < solves && status == CAROM_OK && !l->bad; i++) status = take_solve(l);
    if (status == CAROM_OK && !l->bad) status = take_trial(l, &plan->last);
    if (status == CAROM_OK && !l->bad) status = take_trial(l, &plan->best);
    // What later solves begin from, and what is certified, must be there; the best has had its guess measured.
    l->bad |= l->left > 0 || (plan->next_level > 0) != plan->last.made || (plan->next_start > 0) != plan->best.made ||
              (plan->best.made && plan->best.guess == NULL);
    return status;
}

carom_status carom_plan_load(carom_plan *plan, const void *bytes, size_t size, bool *done, carom_error *error) {
    CRM_NEED(plan, error);
    CRM_NEED(bytes, error);
    CRM_NEED(done, error);
    *done = false;
    if (plan->solves.count > 0) return crm_refuse(error, "plan: it has been solved in part; load into a new one");
    loading l = {bytes, size, false, plan, error};
    carom_status status = take_all(&l);
    if (status == CAROM_OK && l.bad) status = crm_refuse(error, "plan: what was saved is of another plan, or damaged");
    if (status != CAROM_OK) {
        crm_plan_trial_free(&plan->last);
        crm_plan_trial_free(&plan->best);
        plan->solves.count = plan->next_start = plan->next_level = 0;
        return status;
    }
    *done = plan->next_start >= plan->def.starts;
    return *done ? crm_plan_certify(plan, error) : CAROM_OK;
}
