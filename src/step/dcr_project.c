// SPDX-License-Identifier: MIT
// The closest configuration without overlap.
//
//   minimise 1/2 |q - q~|^2 in the metric of the masses, subject to gap_i(q) >= 0 and closed joints       ((3.82))
//
// by quadratic programs, each with gaps and joints linear about the last q: with D the displacement so far, the next
// one d minimises 1/2 |D + d|^2 with gap + J d >= 0, which is a contact problem with the free displacement -D. The
// gaps are those of all events of a pair, each with its own normal: bodies that overlap by an edge or a face come out
// of it straight. On request h^2 |V(q) - V(q~)| is added to what is minimised ((3.83)). Near events that do not overlap
// yet are among them, so that none begins to.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/so3.h"
#include "model/evaluate.h"
#include "model/joint_gaps.h"
#include "model/proxies.h"
#include "step/dcr.h"

// Programs before the configuration is taken as it is; and after how many any one without overlap will do, which is
// looked for by the least moves from then on: the way to the closest one may go to and fro between features.
enum { MOST_PROGRAMS = 20, CLOSEST_PROGRAMS = 8 };
// Relative to sizes: overlaps that are none, and moves that matter no more.
static const double overlap_tolerance = 1e-12, move_tolerance = 1e-10;

// Events are looked for as far as the bodies move in a step: the projection undoes less than that.
static carom_status detect(crm_dcr *dcr, carom_error *error) {
    carom_state *state = dcr->state;
    crm_fill_proxies(dcr->model, state->next, state->method.step, 1.0, dcr->proxies);
    carom_status status = carom_contact_set_update(state->contact_set, dcr->proxy_count, dcr->proxies, NULL, error);
    if (status == CAROM_OK) dcr->contacts = carom_contact_set_list(state->contact_set, &dcr->contact_count);
    return status;
}

// Over the size of the smaller body.
static double largest_overlap(const crm_dcr *dcr) {
    double most = 0.0;
    for (int c = 0; c < dcr->contact_count; c++) {
        if (!(dcr->contacts[c].gap < 0.0)) continue;
        most = fmax(most, -dcr->contacts[c].gap / crm_dcr_pair_of(dcr, &dcr->contacts[c]).size);
    }
    return most;
}

static double joint_error(const crm_dcr *dcr) {
    if (dcr->model->joints.count == 0) return 0.0;
    return crm_joints_worst(dcr->model, dcr->state->next, crm_joints_size(dcr->model, dcr->state->next)).share;
}

// -D: back to where the step ended.
static void way_back(const crm_dcr *dcr, crm_vec6 *back) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_motion *from = &dcr->made[b], *to = &dcr->state->next[b];
        back[b].linear = crm_sub(from->x, to->x);
        back[b].angular = crm_so3_log(crm_quat_mul(from->q, crm_quat_conjugate(crm_quat_same_side(to->q, from->q))));
    }
}

// Moves all bodies by `twist`; the largest move of a shape relative to its size.
static double move(crm_dcr *dcr, const crm_vec6 *twist) {
    double most = 0.0;
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_body *body = &dcr->model->bodies.items[b];
        crm_motion *m = &dcr->state->next[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        m->x = crm_add(m->x, twist[b].linear);
        if (body->kind != CAROM_BODY_POINT) m->q = crm_quat_step(m->q, twist[b].angular, 1.0);
        if (body->def.shape.index < 0) continue;
        double size = carom_shape_bounding_radius(carom_model_get_shape(dcr->model, body->def.shape));
        most = fmax(most, crm_length(twist[b].linear) / size + crm_length(twist[b].angular));
    }
    return most;
}

double crm_dcr_potential(const crm_dcr *dcr, const crm_motion *motions) {
    const carom_model *model = dcr->model;
    const carom_state *state = dcr->state;
    double sum = crm_coupling_energy(model, carom_state_time(state) + state->method.step, motions, state->configs);
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->kind != CAROM_BODY_FIXED) sum -= body->mass * crm_dot(model->gravity, motions[b].x);
    }
    return sum;
}

// h^2 |V(q) - V(q~)| for the bodies with contacts ((3.83)); others have no reason to move.
static bool weigh_potential(crm_dcr *dcr) {
    carom_state *state = dcr->state;
    crm_vec6 *force = dcr->momenta, *active = dcr->before;
    double h = state->method.step, change = crm_dcr_potential(dcr, state->next) - crm_dcr_potential(dcr, dcr->made);
    // Models with callbacks are refused: this cannot fail.
    (void)crm_forces_evaluate(dcr->model, carom_state_time(state) + h, state->next, state->configs, NULL, force,
                              active);
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        dcr->arrived[b] = crm_vec6_sub(active[b], force[b]);
        force[b] = crm_vec6_zero();
    }
    for (int c = 0; c < dcr->contact_count; c++) {
        const int ends[] = {(int)dcr->proxies[dcr->contacts[c].a].id, (int)dcr->proxies[dcr->contacts[c].b].id};
        for (int e = 0; e < 2; e++) force[ends[e]] = dcr->arrived[ends[e]];
    }
    return crm_dcr_problem_add_potential(dcr, force, change, h * h);
}

// Keeps the impulses of the last program for the next one: the displacement so far is made by them.
static bool store_impulses(crm_dcr *dcr) {
    if (!CRM_ARRAY_RESIZE(&dcr->model->allocator, &dcr->total, 3 * (ptrdiff_t)dcr->contact_count)) return false;
    for (int c = 0; c < dcr->contact_count; c++) {
        double *to = dcr->total.items + 3 * (ptrdiff_t)c;
        to[0] = dcr->impulse.items[dcr->first_row + c];
        to[1] = to[2] = 0.0;
    }
    carom_contact_set_store(dcr->state->contact_set, dcr->total.items);
    return true;
}

// The program of this number. `*moved`: by how much, relative.
static carom_status come_closer(crm_dcr *dcr, int number, double *moved, carom_step_report *report,
                                carom_error *error) {
    carom_solve_report solved;
    bool closest = number <= CLOSEST_PROGRAMS;
    memset(dcr->twist, 0, (size_t)dcr->model->bodies.count * sizeof *dcr->twist);
    if (closest) way_back(dcr, dcr->twist);
    bool built = crm_dcr_problem_begin(dcr, dcr->twist, true, closest && number > 1);
    for (int c = 0; c < dcr->contact_count && built; c++)
        built = crm_dcr_problem_add(dcr, &dcr->contacts[c], 0.0, dcr->contacts[c].gap, dcr->contacts[c].impulse[0]);
    if (built && dcr->state->method.dcr.potential) built = weigh_potential(dcr);
    if (!built) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a projection");
    carom_status status = crm_dcr_problem_solve(dcr, &solved, report, error);
    if (status != CAROM_OK) return status;
    if (solved.outcome == CAROM_SOLVE_INFEASIBLE)
        return crm_fail(error, CAROM_ERR_BAD_INPUT,
                        "bodies overlap such that undoing one overlap makes another; make method.step smaller");
    if (!store_impulses(dcr)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a projection");
    crm_dcr_problem_twists(dcr, dcr->twist);
    *moved = move(dcr, dcr->twist);
    return CAROM_OK;
}

carom_status crm_dcr_project(crm_dcr *dcr, bool *touched, carom_step_report *report, carom_error *error) {
    *touched = false;
    if (dcr->proxy_count == 0) return CAROM_OK;
    // A step that is refused must not leave its traces in the next one: nothing is remembered from step to step.
    carom_status status = carom_contact_set_update(dcr->state->contact_set, 0, dcr->proxies, NULL, error);
    if (status == CAROM_OK) status = detect(dcr, error);
    if (status != CAROM_OK || largest_overlap(dcr) <= overlap_tolerance) return status;
    *touched = true;
    for (int i = 1; i <= MOST_PROGRAMS && status == CAROM_OK; i++) {
        double moved = 0.0;
        carom_step_report scratch = *report;
        // Programs on the way need not be solved well; what they leave is in the next one.
        status = come_closer(dcr, i, &moved, &scratch, error);
        report->iterations = scratch.iterations;
        if (status == CAROM_OK) status = detect(dcr, error);
        if (status != CAROM_OK) return status;
        bool apart = largest_overlap(dcr) <= overlap_tolerance && joint_error(dcr) <= overlap_tolerance;
        if (apart && (moved <= move_tolerance || i >= CLOSEST_PROGRAMS)) break;
    }
    return status;
}
