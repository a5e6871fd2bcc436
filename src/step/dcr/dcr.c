// SPDX-License-Identifier: MIT
#include "step/dcr/dcr.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "step/variational/variational.h"

// ---- making and releasing

static bool take_memory(carom_state *state, crm_dcr *dcr) {
    int bodies = state->model->bodies.count;
    crm_arena *arena = &state->arena;
    crm_vec6 **vectors[] = {&dcr->twist, &dcr->momenta, &dcr->gained,   &dcr->arrived,
                            &dcr->jump,  &dcr->lift,    &dcr->external, &dcr->smooth};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    dcr->joint_impulse = CRM_ARENA_ZEROED(arena, crm_vec6, state->model->joints.count);
    dcr->reaction = CRM_ARENA_ZEROED(arena, crm_vec6, state->model->joints.count);
    dcr->coupled = CRM_ARENA_ZEROED(arena, double, bodies);
    dcr->made = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    dcr->flight = CRM_ARENA_ZEROED(arena, crm_dcr_flight, bodies);
    dcr->lifted = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    dcr->least_scale = CRM_ARENA_ZEROED(arena, double, bodies);
    dcr->mechanism_size = CRM_ARENA_ZEROED(arena, double, state->model->joints.count);
    dcr->tree = CRM_ARENA_ARRAY(arena, int, bodies);
    dcr->trees = CRM_ARENA_ZEROED(arena, crm_dcr_tree, bodies);
    dcr->cluster = CRM_ARENA_ARRAY(arena, int, bodies);
    dcr->slippery = CRM_ARENA_ZEROED(arena, bool, bodies);
    dcr->clusters = CRM_ARENA_ZEROED(arena, crm_dcr_cluster, bodies);
    state->impulse_size = CRM_ARENA_ZEROED(arena, crm_impulse_size, bodies);
    return crm_step_problem_create(state->model, arena, &dcr->problem);
}

static carom_status prepare(carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    crm_dcr *dcr = CRM_ARENA_ZEROED(&state->arena, crm_dcr, 1);
    if (dcr == NULL) return crm_fail_memory(error, "dcr", sizeof *dcr);
    state->method_data = dcr;
    dcr->model = model;
    dcr->state = state;
    if (!take_memory(state, dcr))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for dcr with %d bodies", model->bodies.count);
    crm_dcr_find_trees(model, dcr->trees, dcr->tree);
    carom_status status = crm_variational_prepare(state, &dcr->core, error);
    if (status == CAROM_OK && model->joints.count > 0)
        status = crm_null_space_create(model, &state->arena, &dcr->space, error);
    if (status == CAROM_OK) status = carom_solver_state_create(&model->allocator, &dcr->solver, error);
    carom_contact_options options = crm_contact_options(state);
    return status == CAROM_OK ? crm_contact_step_create(state, &options, true, &dcr->found, error) : status;
}

static void release(carom_state *state) {
    crm_dcr *dcr = state->method_data;
    const carom_allocator *allocator = &state->model->allocator;
    if (dcr == NULL) return;
    crm_variational_release(dcr->core);
    carom_solver_state_destroy(dcr->solver);
    CRM_ARRAY_FREE(allocator, &dcr->velocity);
    CRM_ARRAY_FREE(allocator, &dcr->verdict);
    CRM_ARRAY_FREE(allocator, &dcr->better);
    CRM_ARRAY_FREE(allocator, &dcr->left);
    CRM_ARRAY_FREE(allocator, &dcr->aside);
    CRM_ARRAY_FREE(allocator, &dcr->hits);
    CRM_ARRAY_FREE(allocator, &dcr->stop);
    CRM_ARRAY_FREE(allocator, &dcr->bounce);
    CRM_ARRAY_FREE(allocator, &dcr->friction);
    CRM_ARRAY_FREE(allocator, &dcr->total);
    crm_step_problem_release(&dcr->problem);
    crm_contact_step_release(&dcr->found);
}

// ---- the step

static double energy_of(const crm_dcr *dcr, const crm_motion *motions) {
    double sum = crm_dcr_potential(dcr, motions);
    for (int b = 0; b < dcr->model->bodies.count; b++)
        sum += crm_motion_kinetic_energy(&dcr->model->bodies.items[b], &motions[b]);
    return sum;
}

static void stop(crm_dcr *dcr, carom_step_report *report, const carom_error *error) {
    size_t reactions = (size_t)dcr->model->joints.count * sizeof *dcr->reaction;
    if (reactions > 0) memcpy(dcr->state->reaction, dcr->reaction, reactions);
    crm_contacts_failed("dcr", error, report);
}

bool crm_dcr_is_ball(const crm_dcr *dcr, int b) {
    const crm_body *body = &dcr->model->bodies.items[b];
    if (body->def.shape.index < 0 || crm_length_squared(body->centre) > 0.0) return false;
    return carom_shape_get_kind(carom_model_get_shape(dcr->model, body->def.shape)) == CAROM_SHAPE_SPHERE;
}

bool crm_dcr_keep_contact(crm_dcr *dcr, int c) {
    const crm_contact_site *site = &dcr->found.sites.items[c];
    const double *impulse = dcr->total.items + 3 * c;
    if (site->gap > CRM_DCR_TOUCH * site->size) return true;
    double u[3];
    crm_dcr_contact_velocity(dcr, site, dcr->twist, u);
    bool inside = hypot(impulse[1], impulse[2]) < (1.0 - 1e-9) * site->friction * impulse[0];
    return crm_contact_table_add(dcr->state, site, impulse, u,
                                 !(impulse[0] > 0.0) ? CAROM_CONTACT_STATUS_APART
                                 : inside            ? CAROM_CONTACT_STATUS_STICKS
                                                     : CAROM_CONTACT_STATUS_SLIDES);
}

static carom_status respond(crm_dcr *dcr, carom_step_report *report, carom_error *error) {
    if (!crm_dcr_lift(dcr)) return crm_refuse(error, "the masses of jointed bodies are singular");
    report->projection_energy = energy_of(dcr, dcr->state->next) - energy_of(dcr, dcr->made);
    report->projection_momentum = crm_dcr_projection_momentum(dcr);
    crm_dcr_add_projection_work(dcr);
    carom_status status = crm_dcr_impact(dcr, CRM_DCR_AT_END, report, error);
    if (status != CAROM_OK) return status;
    crm_dcr_balance(dcr);
    crm_dcr_twists(dcr, dcr->state->next, dcr->twist);
    crm_dcr_add_impact_work(dcr);
    for (int c = 0; c < dcr->found.found_count; c++)
        if (!crm_dcr_keep_contact(dcr, c))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the table of contacts");
    report->contacts = dcr->state->contact_table.count;
    return CAROM_OK;
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    static const crm_explicit_impulse none = {0};
    crm_dcr *dcr = state->method_data;
    carom_error error = {.text = ""};
    size_t bodies = (size_t)model->bodies.count, reactions = (size_t)model->joints.count * sizeof *dcr->reaction;
    if (reactions > 0) memcpy(dcr->reaction, state->reaction, reactions);
    state->contact_table.count = 0;
    dcr->found.found_count = 0;
    memset(dcr->jump, 0, bodies * sizeof *dcr->jump);
    memset(dcr->external, 0, bodies * sizeof *dcr->external);
    memset(state->impulse_size, 0, bodies * sizeof *state->impulse_size);
    crm_variational_move(model, state, dcr->core, input, &none, report);
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return;
    memcpy(dcr->made, state->next, bodies * sizeof *dcr->made);
    bool touched = false;
    dcr->work = dcr->work_allowed = 0.0;
    // A step that is refused must not leave its traces in the next one: nothing is remembered from step to step.
    carom_status status = crm_contact_step_forget(&dcr->found, &error);
    if (status == CAROM_OK && dcr->found.proxy_count > 0) status = crm_dcr_hit_touches(dcr, report, &error);
    if (status == CAROM_OK) status = crm_dcr_project(dcr, &touched, report, &error);
    if (status == CAROM_OK && touched) status = respond(dcr, report, &error);
    state->work = (carom_step_work){dcr->work, dcr->work_allowed};
    if (status != CAROM_OK) {
        stop(dcr, report, &error);
        return;
    }
    crm_overlaps overlaps = crm_overlaps_of(&dcr->found, dcr->found.found, dcr->found.found_count);
    crm_overlaps_report(&overlaps, report);
}

static void contract(const carom_method_def *def, carom_contract *contract) {
    contract->residual = fmax(contract->residual, fmin(def->dcr.tolerance, CRM_COARSEST_CONTACTS));
}

const crm_method crm_method_dcr = {.name = "dcr",
                                   .settings = "dcr",
                                   .contract = contract,
                                   .features = CRM_UNPAIRED_FEATURES | CRM_FEATURE_JOINT | CRM_FEATURE_JOINT_SPRING |
                                               CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR | CRM_FEATURE_CONTACT |
                                               CRM_FEATURE_MATERIAL | CRM_FEATURE_CONTAINER | CRM_FEATURE_SWITCH,
                                   .discrete_energy = true,
                                   .prepare = prepare,
                                   .release = release,
                                   .advance = advance};
