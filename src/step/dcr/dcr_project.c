// SPDX-License-Identifier: MIT
// The closest configuration without overlap.
//
//   minimise 1/2 |q - q~|^2 in the metric of the masses, subject to gap_i(q) >= 0 and closed joints       ((3.82))
//
// by quadratic programs, each with gaps and joints linear about the last q: with D the displacement so far, the next
// one d minimises 1/2 |D + d|^2 with gap + J d >= 0, which is a contact problem with the free displacement -D. The
// gaps are those of all features of a pair, each with its own normal: bodies that overlap by an edge or a face come out
// of it straight. On request h^2 |V(q) - V(q~)| is added to what is minimised ((3.83)). Near ones that do not overlap
// yet are among them, so that none begins to.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "math/so3.h"
#include "model/force/evaluate.h"
#include "model/mechanism/joint_gaps.h"
#include "step/dcr/dcr.h"

// Programs before the configuration is taken as it is; after how many any one without overlap will do, and each looks
// for the closest to the last; and after how many rotations become smaller.
enum { MOST_PROGRAMS = 40, CLOSEST_PROGRAMS = 8, BOLD_PROGRAMS = 16 };
// Moves that matter no more, relative to sizes.
static const double move_tolerance = 1e-10;
// Gaps bend with rotations; a program knows only their slopes, which say little beyond rotations of some radians.
static const double largest_rotation = 1.0;
// Contacts farther apart than so many times the largest overlap do not matter to undoing it.
static const double near_overlaps = 100.0;

// Contacts are looked for as far as the bodies move in a step: the projection undoes less than that.
carom_status crm_dcr_detect(crm_dcr *dcr, carom_error *error) {
    carom_state *state = dcr->state;
    crm_contact_step_expect(&dcr->found, state->next, state->method.step, 1.0);
    carom_status status = crm_contact_step_find(&dcr->found, error);
    if (status != CAROM_OK) return status;
    if (!crm_contact_step_take_sites(&dcr->found, dcr->found.found, dcr->found.found_count))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d contacts", dcr->found.found_count);
    crm_dcr_allow_work(dcr);
    return CAROM_OK;
}

// Over the size of the smaller body; `*worst`, which may be NULL: the contact, or -1.
static double largest_overlap(const crm_dcr *dcr, int *worst) {
    double most = 0.0;
    if (worst != NULL) *worst = -1;
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        if (!(site->gap < 0.0)) continue;
        double share = -site->gap / site->size;
        if (!(share > most)) continue;
        most = share;
        if (worst != NULL) *worst = c;
    }
    return most;
}

// What still overlaps by more than touch does makes the step a broken one.
static void evaluate_overlap(const crm_dcr *dcr, carom_step_report *report) {
    int worst;
    if (largest_overlap(dcr, &worst) <= CRM_DCR_TOUCH) return;
    const crm_contact_site *site = &dcr->found.sites.items[worst];
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    report->outcome = CAROM_STEP_BROKEN;
    report->body.index = site->a;
    snprintf(report->text, sizeof report->text,
             "%s and %s still overlap by %.2g m after %d attempts to move all bodies apart; make method.step of %g s "
             "smaller",
             crm_body_text(dcr->model, site->a, a), crm_body_text(dcr->model, site->b, b), -site->gap, MOST_PROGRAMS,
             dcr->state->method.step);
}

static carom_status refuse_overlaps(const crm_dcr *dcr, carom_error *error) {
    int worst;
    if (largest_overlap(dcr, &worst) == 0.0)
        return crm_refuse(error, "contacts and joints contradict each other; make method.step smaller");
    const crm_contact_site *site = &dcr->found.sites.items[worst];
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    return crm_refuse(
        error,
        "%s and %s overlap by %.2g m such that undoing it makes another overlap; move bodies apart at the "
        "start, or make method.step smaller",
        crm_body_text(dcr->model, site->a, a), crm_body_text(dcr->model, site->b, b), -site->gap);
}

static double joint_error(const crm_dcr *dcr) {
    if (dcr->model->joints.count == 0) return 0.0;
    return crm_joints_worst(dcr->model, dcr->state->next).share;
}

// The share of -D, which leads back to where the step ended.
static void way_back(const crm_dcr *dcr, double share, crm_vec6 *back) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_motion *from = &dcr->made[b], *to = &dcr->state->next[b];
        carom_quat rotation = crm_quat_mul(from->q, crm_quat_conjugate(crm_quat_same_side(to->q, from->q)));
        back[b] = crm_vec6_scale(share, crm_vec6_of(crm_sub(from->x, to->x), crm_so3_log(rotation)));
    }
}

// Shortens a move whose rotations are too large.
static void limit_rotations(const crm_dcr *dcr, double largest, crm_vec6 *twist) {
    double most = 0.0;
    for (int b = 0; b < dcr->model->bodies.count; b++) most = fmax(most, crm_length(twist[b].angular));
    if (most <= largest) return;
    for (int b = 0; b < dcr->model->bodies.count; b++) twist[b] = crm_vec6_scale(largest / most, twist[b]);
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

// Programs close joints to first order and to a tolerance: children go where their joints' coordinates put them.
static void close_joints(crm_dcr *dcr) {
    const crm_joint_graph *graph = &dcr->model->graph;
    crm_motion *motions = dcr->state->next;
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        if (link->joint < 0) continue;
        const crm_joint *joint = &dcr->model->joints.items[link->joint];
        crm_joint_pose pose = crm_joint_evaluate(joint, motions);
        crm_joint_config config = crm_joint_config_of(joint, &pose, &dcr->state->configs[link->joint]);
        crm_joint_put_child(joint, &config, link->reversed, motions);
    }
}

double crm_dcr_potential(const crm_dcr *dcr, const crm_motion *motions) {
    const carom_model *model = dcr->model;
    const carom_state *state = dcr->state;
    double sum =
        crm_coupling_energy(model, carom_state_time(state) + state->method.step, motions, state->configs, NULL, 0);
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->kind != CAROM_BODY_FIXED) sum -= body->mass * crm_dot(model->gravity, motions[b].x);
    }
    return sum;
}

static carom_status no_projection(carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a projection");
}

// h^2 |V(q) - V(q~)| for the bodies with contacts ((3.83)); others have no reason to move.
static carom_status weigh_potential(crm_dcr *dcr, double share, carom_error *error) {
    carom_state *state = dcr->state;
    crm_vec6 *force = dcr->momenta, *active = dcr->gained, *passive = dcr->smooth;
    char name[CRM_BODY_TEXT];
    double h = state->method.step, change = crm_dcr_potential(dcr, state->next) - crm_dcr_potential(dcr, dcr->made);
    crm_callback_answer answer = crm_forces_evaluate(dcr->model, carom_state_time(state) + h, state->next,
                                                     state->configs, NULL, force, active, passive);
    if (answer.body >= 0)
        return crm_refuse(error,
                          "the force callback of %s gives no force where a projection leads; make method.step smaller",
                          crm_body_text(dcr->model, answer.body, name));
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        dcr->arrived[b] = crm_vec6_sub(active[b], force[b]);
        force[b] = crm_vec6_zero();
    }
    for (int c = 0; c < dcr->found.found_count; c++) {
        const int ends[] = {dcr->found.sites.items[c].a, dcr->found.sites.items[c].b};
        for (int e = 0; e < 2; e++) force[ends[e]] = dcr->arrived[ends[e]];
    }
    return crm_dcr_problem_add_potential(dcr, force, change, share * h * h) ? CAROM_OK : no_projection(error);
}

// How a program is restrained.
typedef struct restraint {
    double share; // s: it minimises s (1/2 |D + d|^2 + h^2 |V|) + (1 - s)/2 |d|^2, which are smaller moves, to the same
                  // end; with 0 to any end
    double rotation; // the largest, rad
    bool warm;       // the last one had the same contacts
    bool rough;      // with friction of contacts that last
} restraint;

// Contacts that can matter where only overlaps are undone. Others would only make the solver's scale larger, and small
// overlaps nothing on it.
static bool is_near(const crm_contact_site *site, double overlap) {
    return site->gap <= near_overlaps * overlap * site->size;
}

// Keeps the impulses of the last program for the next one: the displacement so far is made by them.
static bool store_impulses(crm_dcr *dcr) {
    if (!CRM_ARRAY_RESIZE(&dcr->model->allocator, &dcr->total, 3 * (ptrdiff_t)dcr->found.found_count)) return false;
    const double *from = dcr->problem.impulse.items + dcr->first_row;
    for (int c = 0; c < dcr->found.found_count; c++) {
        double *to = dcr->total.items + 3 * (ptrdiff_t)c;
        int rows = dcr->problem.groups.items[dcr->first_group + c].rows;
        for (int k = 0; k < 3; k++) to[k] = k < rows ? from[k] : 0.0;
        from += rows;
    }
    carom_contact_set_store(dcr->state->contact_set, dcr->total.items);
    return true;
}

// Adds contacts to a program; `rough`: those that last with friction, which holds where their points were when the
// flights began. False: no memory.
static bool add_contacts(crm_dcr *dcr, bool all, bool rough) {
    double overlap = largest_overlap(dcr, NULL);
    bool lasts = false;
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c], *last = c > 0 ? site - 1 : NULL;
        double offset[3] = {site->gap, 0.0, 0.0};
        if (!all && !is_near(site, overlap)) continue;
        if (last == NULL || last->a != site->a || last->b != site->b)
            lasts = rough && site->friction > 0.0 && crm_dcr_lasts(dcr, site->a, site->b);
        if (lasts) crm_dcr_slip(dcr, site, offset + 1);
        if (!crm_dcr_problem_add(dcr, site, lasts ? site->friction : 0.0, offset, dcr->found.found[c].impulse))
            return false;
    }
    return true;
}

static carom_status solve_program(crm_dcr *dcr, const restraint *r, bool rough, carom_solve_report *solved,
                                  carom_step_report *report, carom_error *error) {
    way_back(dcr, r->share, dcr->twist);
    bool built = crm_dcr_problem_begin(dcr, dcr->twist, true, r->warm) && add_contacts(dcr, r->share > 0.0, rough);
    if (!built) return no_projection(error);
    carom_status status = dcr->state->method.dcr.potential ? weigh_potential(dcr, r->share, error) : CAROM_OK;
    if (status != CAROM_OK) return status;
    return crm_dcr_problem_solve(dcr, solved, report, error);
}

// One program. `*moved`: by how much, relative.
static carom_status come_closer(crm_dcr *dcr, restraint *r, double *moved, carom_step_report *report,
                                carom_error *error) {
    carom_solve_report solved;
    double share = r->share;
    r->rough &= share > 0.0;
    carom_status status = solve_program(dcr, r, r->rough, &solved, report, error);
    // Bodies may be wedged such that friction lets them nowhere.
    bool found = status == CAROM_OK &&
                 (solved.outcome == CAROM_SOLVE_OUTCOME_MET || solved.outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR);
    if (status == CAROM_OK && r->rough && !found) {
        r->rough = false;
        status = solve_program(dcr, r, false, &solved, report, error);
    }
    if (status != CAROM_OK) return status;
    if (solved.outcome == CAROM_SOLVE_OUTCOME_INFEASIBLE) return refuse_overlaps(dcr, error);
    if (share > 0.0 && !store_impulses(dcr)) return no_projection(error);
    crm_dcr_problem_twists(dcr, dcr->twist);
    limit_rotations(dcr, r->rotation, dcr->twist);
    *moved = move(dcr, dcr->twist);
    close_joints(dcr);
    return CAROM_OK;
}

carom_status crm_dcr_project(crm_dcr *dcr, bool *touched, carom_step_report *report, carom_error *error) {
    *touched = false;
    if (dcr->found.proxy_count == 0) return CAROM_OK;
    carom_status status = CAROM_OK;
    if (largest_overlap(dcr, NULL) <= CRM_DCR_OVERLAP) return status;
    *touched = true;
    restraint r = {1.0, largest_rotation, .rough = true};
    double last = INFINITY;
    for (int i = 1; i <= MOST_PROGRAMS && status == CAROM_OK && !crm_dcr_is_spent(dcr); i++) {
        double moved = 0.0;
        carom_step_report scratch = *report;
        // Programs on the way need not be solved well; what they leave is in the next one.
        if (i > CLOSEST_PROGRAMS) r.share = 0.0;
        r.warm = r.share > 0.0 && i > 1;
        status = come_closer(dcr, &r, &moved, &scratch, error);
        report->iterations = scratch.iterations;
        if (status == CAROM_OK) status = crm_dcr_detect(dcr, error);
        if (status != CAROM_OK) return status;
        bool apart = largest_overlap(dcr, NULL) <= CRM_DCR_OVERLAP && joint_error(dcr) <= CRM_DCR_OVERLAP;
        if (apart && (moved <= move_tolerance || i >= CLOSEST_PROGRAMS)) return CAROM_OK;
        // What no contact keeps comes back by the share: moves that become smaller less than half as fast go to and
        // fro.
        bool slow = moved > (1.0 - 0.5 * r.share) * last;
        if (slow && r.share > 0.0) r.share *= 0.5;
        if (slow && i > BOLD_PROGRAMS) r.rotation *= 0.7;
        last = moved;
    }
    if (status == CAROM_OK) evaluate_overlap(dcr, report);
    return status;
}
