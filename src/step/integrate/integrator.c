// SPDX-License-Identifier: MIT
#include "step/integrate/integrator.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/so3.h"
#include "math/so3_series.h"

// ---- tableaus

// Explicit; the last stage of a method with error estimate stands at the end of the substep, with b as its row of a.
typedef struct tableau {
    int stages; // that make the step
    double c[CRM_MOST_STAGES];
    double a[CRM_MOST_STAGES][CRM_MOST_STAGES];
    double b[CRM_MOST_STAGES];
    bool estimates;
    double e[CRM_MOST_STAGES]; // b less the weights of the embedded method, one stage more
} tableau;

static const tableau rk4 = {
    .stages = 4,
    .c = {0.0, 0.5, 0.5, 1.0},
    .a = {{0.0}, {0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}},
    .b = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0},
};

// Dormand and Prince 1980, order 5 with an embedded method of order 4.
static const tableau dp54 = {
    .stages = 6,
    .c = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0},
    .a = {{0.0},
          {1.0 / 5.0},
          {3.0 / 40.0, 9.0 / 40.0},
          {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
          {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
          {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0}},
    .b = {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0},
    .estimates = true,
    .e = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0},
};

// ---- states

carom_status crm_integrator_create(const crm_ivp *problem, const carom_method_def *def, crm_arena *arena,
                                   crm_integrator *integrator, carom_error *error) {
    ptrdiff_t size = crm_ivp_rate_size(problem);
    *integrator = (crm_integrator){.problem = problem, .def = def};
    for (int i = 0; i < CRM_MOST_STAGES; i++) integrator->stage[i] = CRM_ARENA_ZEROED(arena, double, size);
    integrator->end_rate = CRM_ARENA_ZEROED(arena, double, size);
    integrator->increment = CRM_ARENA_ZEROED(arena, double, size);
    integrator->trial = CRM_ARENA_ZEROED(arena, double, crm_ivp_state_size(problem));
    if (!crm_arena_refused(arena)) return CAROM_OK;
    return crm_fail_memory(error, "integrator", (size_t)size * (CRM_MOST_STAGES + 3) * sizeof(double));
}

bool crm_ivp_is_finite(const crm_ivp *problem, const double *state) {
    for (int i = 0; i < crm_ivp_state_size(problem); i++)
        if (!isfinite(state[i])) return false;
    return true;
}

static carom_vec3 get(const double *v) {
    return crm_vec3(v[0], v[1], v[2]);
}

static void put(double *v, carom_vec3 a) {
    v[0] = a.x, v[1] = a.y, v[2] = a.z;
}

// out = state + increment, rotations by exp of theirs from the left. `out` may be `state`.
static void add_increment(const crm_ivp *problem, const double *state, const double *increment, double *out) {
    for (int i = 0; i < problem->rotation_count; i++) {
        carom_quat q;
        memcpy(&q, state + 4 * (ptrdiff_t)i, sizeof q);
        q = crm_quat_normalised(crm_quat_mul(crm_so3_exp(get(increment + 3 * (ptrdiff_t)i)), q));
        memcpy(out + 4 * (ptrdiff_t)i, &q, sizeof q);
    }
    ptrdiff_t from = 4 * (ptrdiff_t)problem->rotation_count, step = 3 * (ptrdiff_t)problem->rotation_count;
    for (int i = 0; i < crm_ivp_number_count(problem); i++) out[from + i] = state[from + i] + increment[step + i];
}

// Spins at theta from the start of the substep become rates of theta.
static void pull_back(const crm_ivp *problem, const double *theta, double *rate) {
    for (int i = 0; i < 3 * problem->rotation_count; i += 3) {
        carom_vec3 a = get(theta + i), w = get(rate + i), aw = crm_cross(a, w);
        w = crm_madd(crm_madd(w, -0.5, aw), crm_cotc(crm_length(a)), crm_cross(a, aw));
        put(rate + i, w);
    }
}

// ---- one substep

static void combine(const crm_integrator *n, const double *weight, int count, double h) {
    int size = crm_ivp_rate_size(n->problem);
    for (int i = 0; i < size; i++) n->increment[i] = 0.0;
    for (int j = 0; j < count; j++) {
        if (weight[j] == 0.0) continue;
        double factor = h * weight[j];
        const double *k = n->stage[j];
        for (int i = 0; i < size; i++) n->increment[i] += factor * k[i];
    }
}

static crm_answer ask_rate(const crm_ivp *problem, double time, const double *state, double *rate) {
    if (crm_interrupted(&problem->interrupt)) return CRM_ANSWER_STOP;
    return problem->rate(problem->context, time, state, rate);
}

// n->trial = the state after h, n->increment the way to it, and n->end_rate the rate there when the tableau estimates.
static crm_answer runge_kutta(crm_integrator *n, const tableau *t, double time, double h, const double *state) {
    const crm_ivp *problem = n->problem;
    if (!n->first_known) {
        crm_answer answer = ask_rate(problem, time, state, n->stage[0]);
        if (answer != CRM_ANSWER_GOOD) return answer;
        n->first_known = true;
    }
    for (int i = 1; i < t->stages; i++) {
        combine(n, t->a[i], i, h);
        add_increment(problem, state, n->increment, n->trial);
        crm_answer answer = ask_rate(problem, time + t->c[i] * h, n->trial, n->stage[i]);
        if (answer != CRM_ANSWER_GOOD) return answer;
        pull_back(problem, n->increment, n->stage[i]);
    }
    combine(n, t->b, t->stages, h);
    add_increment(problem, state, n->increment, n->trial);
    if (!t->estimates) return CRM_ANSWER_GOOD;
    return ask_rate(problem, time + h, n->trial, n->end_rate);
}

// Semi-implicit: velocities first, then the positions with the new velocities.
static crm_answer symplectic_euler(crm_integrator *n, double time, double h, const double *state) {
    const crm_ivp *problem = n->problem;
    int size = crm_ivp_rate_size(problem), kinematic = 3 * problem->rotation_count + problem->position_count;
    crm_answer answer = ask_rate(problem, time, state, n->stage[0]);
    if (answer != CRM_ANSWER_GOOD) return answer;
    for (int i = 0; i < size; i++) n->increment[i] = i < kinematic ? 0.0 : h * n->stage[0][i];
    add_increment(problem, state, n->increment, n->trial);
    problem->drift(problem->context, n->trial, n->stage[0]);
    for (int i = 0; i < kinematic; i++) n->increment[i] = h * n->stage[0][i];
    add_increment(problem, state, n->increment, n->trial);
    return CRM_ANSWER_GOOD;
}

static double length_of(const double *v, int count) {
    double square = 0.0;
    for (int i = 0; i < count; i++) square += v[i] * v[i];
    return sqrt(square);
}

// The estimated error of the substep over what is tolerated: 1 is just good. A rotation has the size 1 rad.
static double error_of(crm_integrator *n, const tableau *t, double h, const double *state) {
    const crm_ivp *problem = n->problem;
    double relative = n->def->relative_tolerance, absolute = n->def->absolute_tolerance, worst = 0.0;
    double *last = n->stage[t->stages];
    if (problem->weigh != NULL) problem->weigh(problem->context);
    memcpy(last, n->end_rate, (size_t)crm_ivp_rate_size(problem) * sizeof *last);
    pull_back(problem, n->increment, last);
    combine(n, t->e, t->stages + 1, h);
    const double *e = n->increment, *before = state + 4 * (ptrdiff_t)problem->rotation_count;
    const double *after = n->trial + 4 * (ptrdiff_t)problem->rotation_count;
    for (int i = 0; i < problem->rotation_count + problem->error_block_count; i++) {
        bool rotation = i < problem->rotation_count;
        int count = rotation ? 3 : problem->error_block[i - problem->rotation_count].count;
        double scale = rotation ? 1.0 : problem->error_block[i - problem->rotation_count].scale;
        double least = rotation ? 1.0 : problem->error_block[i - problem->rotation_count].least;
        double size = rotation ? 1.0 : fmax(least, fmax(length_of(before, count), length_of(after, count)));
        double error = length_of(e, count) / (absolute * scale + relative * size);
        if (!(error <= worst)) worst = error; // so that no NaN is hidden
        if (isnan(worst)) return INFINITY;
        e += count;
        if (rotation) continue;
        before += count, after += count;
    }
    return worst;
}

static const tableau *tableau_of(carom_integrator kind) {
    return kind == CAROM_INTEGRATOR_DP54 ? &dp54 : &rk4;
}

static crm_answer attempt(crm_integrator *n, double time, double h, const double *state) {
    if (n->def->integrator == CAROM_INTEGRATOR_EULER) return symplectic_euler(n, time, h, state);
    return runge_kutta(n, tableau_of(n->def->integrator), time, h, state);
}

// ---- events

enum { MOST_CUTS = 200 };

// Between the start of the substep, before the event, and *h, after it, finds the first moment just after the event;
// n->trial is the state there. The substep is made anew for every guess, so that the moment is as good as the
// integrator. Regula falsi, halving whenever that does not shrink the bracket enough.
static crm_answer find_event(crm_integrator *n, double time, double *h, double margin, const double *state) {
    const crm_ivp *problem = n->problem;
    const double aim = -0.5; // the middle of what is good enough: -1 ... 0
    double early = 0.0, late = *h, f_early = problem->margin(problem->context, time, state) - aim;
    double f_late = margin - aim, smallest = 4.0 * 2.2e-16 * (fabs(time) + *h);
    bool halve = false;
    for (int cut = 0; cut < MOST_CUTS && f_late < -1.0 - aim && late - early > smallest; cut++) {
        double width = late - early;
        double middle = early + (halve || f_early <= 0.0 ? 0.5 : f_early / (f_early - f_late)) * width;
        crm_answer answer = attempt(n, time, middle, state);
        if (answer != CRM_ANSWER_GOOD) return answer;
        double f = problem->margin(problem->context, time + middle, n->trial) - aim;
        if (f < 0.0)
            late = middle, f_late = f;
        else
            early = middle, f_early = f;
        halve = late - early > 0.5 * width;
    }
    *h = late;
    return attempt(n, time, late, state);
}

// ---- a step

typedef struct journey {
    crm_integrator *integrator;
    double time, length, done; // s; of the whole step
    double next;               // size of the next substep
    double *state;
    crm_integration result;
} journey;

static bool is_adaptive(const crm_integrator *n) {
    return n->def->integrator == CAROM_INTEGRATOR_DP54;
}

// The next substep: no smaller rest than half of it is left over.
static double choose(const journey *j) {
    double left = j->length - j->done;
    if (!is_adaptive(j->integrator) || j->next >= left) return left;
    return j->next > 0.5 * left ? 0.5 * left : j->next;
}

static bool shrink(journey *j, double h, double error) {
    j->result.rejected++;
    j->next = h * (error > 0.0 && isfinite(error) ? fmax(0.2, 0.9 * pow(error, -0.2)) : 0.25);
    if (j->next > 16.0 * 2.2e-16 * (fabs(j->time) + j->length)) return true;
    j->result.end = CRM_INTEGRATION_TOO_SMALL;
    return false;
}

static void grow(journey *j, double h, double error) {
    double wanted = h * (error > 0.0 ? fmin(5.0, 0.9 * pow(error, -0.2)) : 5.0);
    // A substep that only filled the rest of the step says little.
    j->next = fmin(h < j->next ? fmax(j->next, wanted) : wanted, j->length);
}

static bool stopped(journey *j, crm_answer answer) {
    if (answer == CRM_ANSWER_GOOD) return false;
    j->result.end = CRM_INTEGRATION_STOPPED;
    return true;
}

// Takes over n->trial, h further. The rate at its end is known when nothing moves the state afterwards.
static bool arrive(journey *j, double h, bool event) {
    crm_integrator *n = j->integrator;
    const crm_ivp *problem = n->problem;
    j->done = h >= j->length - j->done ? j->length : j->done + h;
    j->result.substeps++;
    j->result.reached = j->time + j->done;
    memcpy(j->state, n->trial, (size_t)crm_ivp_state_size(problem) * sizeof *j->state);
    n->first_known = is_adaptive(n) && !event && problem->end_substep == NULL;
    if (n->first_known) {
        double *unused = n->stage[0];
        n->stage[0] = n->end_rate;
        n->end_rate = unused;
    }
    if (problem->end_substep != NULL && stopped(j, problem->end_substep(problem->context, j->result.reached, j->state)))
        return false;
    if (!event) return true;
    if (++j->result.events > (problem->event_limit > 0 ? problem->event_limit : CRM_MOST_EVENTS)) {
        j->result.end = CRM_INTEGRATION_MANY_EVENTS;
        return false;
    }
    return !stopped(j, problem->event(problem->context, j->result.reached, j->state));
}

// Tries one substep; false when the journey ends before its time.
static bool go_on(journey *j) {
    crm_integrator *n = j->integrator;
    const crm_ivp *problem = n->problem;
    double h = choose(j), now = j->time + j->done, error = 0.0;
    crm_answer answer = attempt(n, now, h, j->state);
    if (answer == CRM_ANSWER_SMALLER && is_adaptive(n)) return shrink(j, h, 0.0);
    if (stopped(j, answer)) return false;
    if (is_adaptive(n)) {
        error = error_of(n, &dp54, h, j->state);
        if (!(error <= 1.0)) return shrink(j, h, error);
        grow(j, h, error);
    }
    double margin = problem->margin != NULL ? problem->margin(problem->context, now + h, n->trial) : 0.0;
    bool event = margin < -1.0;
    if (event && stopped(j, find_event(n, now, &h, margin, j->state))) return false;
    return arrive(j, h, event);
}

bool crm_substep_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    double substep = *(const double *)item;
    return substep >= 0.0 && isfinite(substep);
}

crm_integration crm_integrate(crm_integrator *integrator, double time, double length, double *substep, double *state) {
    const crm_ivp *problem = integrator->problem;
    journey j = {.integrator = integrator,
                 .time = time,
                 .length = length,
                 .next = *substep > 0.0 ? fmin(*substep, length) : length,
                 .state = state,
                 .result = {.reached = time}};
    integrator->first_known = false;
    if (problem->event != NULL && stopped(&j, problem->event(problem->context, time, state))) return j.result;
    while (j.done < length) {
        if (j.result.substeps + j.result.rejected >= integrator->def->substep_limit) {
            j.result.end = CRM_INTEGRATION_SUBSTEPS;
            break;
        }
        if (!go_on(&j)) break;
    }
    if (!crm_interrupted(&problem->interrupt)) *substep = is_adaptive(integrator) ? j.next : 0.0;
    return j.result;
}

void crm_integration_report(const carom_method_def *def, const crm_integration *integration,
                            carom_step_report *report) {
    report->iterations = integration->substeps;
    if (integration->end == CRM_INTEGRATION_GOOD || integration->end == CRM_INTEGRATION_STOPPED) return;
    report->outcome = CAROM_STEP_IMPOSSIBLE;
    char *text = report->text;
    size_t size = sizeof report->text;
    if (integration->end == CRM_INTEGRATION_MANY_EVENTS)
        snprintf(text, size,
                 "a step of %g s met %d limits and motor changes up to t = %.9g s and did not end; make method.step "
                 "smaller or give the coordinates damping",
                 def->step, CRM_MOST_EVENTS, integration->reached);
    else if (integration->end == CRM_INTEGRATION_SUBSTEPS)
        snprintf(
            text, size,
            "a step of %g s needs more than %d substeps (it came to t = %.9g s): the motion is stiff or runs away; "
            "make method.step smaller, loosen method.relative_tolerance, or raise method.substep_limit",
            def->step, def->substep_limit, integration->reached);
    else
        snprintf(text, size,
                 "at t = %.9g s no substep is small enough for the tolerances %g and %g: the motion runs away or a "
                 "force jumps; loosen method.relative_tolerance and method.absolute_tolerance",
                 integration->reached, def->relative_tolerance, def->absolute_tolerance);
}
