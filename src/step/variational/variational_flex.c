// SPDX-License-Identifier: MIT
#include "step/variational/variational_flex.h"

#include "base/fail.h"
#include "model/force/acting.h"

static carom_status refuse_coupled(const carom_model *model, int body, carom_error *error) {
    static const struct {
        unsigned kinds;
        const char *text;
    } kinds[] = {{CRM_ACTS_DRAG, "drag"},       {CRM_ACTS_SPRING, "a spring"},
                 {CRM_ACTS_CHARGE, "a charge"}, {CRM_ACTS_CALLBACK, "a callback"},
                 {CRM_ACTS_JOINT, "a joint"},   {CRM_ACTS_LAW | CRM_ACTS_FIELD, "a law or a field of force"}};
    char name[CRM_BODY_TEXT];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if ((model->bodies.items[body].acting & kinds[i].kinds) != 0u)
            return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                            "variational moves flexible bodies by themselves, and %s acts on %s; leave it out, or take "
                            "newmark",
                            kinds[i].text, crm_body_text(model, body, name));
    return CAROM_OK;
}

carom_status crm_variational_flex_prepare(carom_state *state, const int *group, crm_variational_flex *out,
                                          carom_error *error) {
    const carom_model *model = state->model;
    carom_status status = CAROM_OK;
    if (model->flexes.count == 0) return CAROM_OK;
    out->step = CRM_ARENA_ZEROED(&state->arena, crm_energy_momentum, model->flexes.count);
    out->mover = CRM_ARENA_ARRAY(&state->arena, int, model->bodies.count);
    if (state->told_work == NULL)
        state->told_work = CRM_ARENA_ZEROED(&state->arena, crm_told_work, model->bodies.count);
    if (crm_arena_refused(&state->arena)) return crm_fail_memory(error, "flexible bodies", sizeof *out->step);
    for (int b = 0; b < model->bodies.count && status == CAROM_OK; b++) {
        bool node = model->bodies.items[b].flex >= 0;
        out->mover[b] = node ? model->bodies.count : group[b];
        if (node && crm_body_moves(model, b)) status = refuse_coupled(model, b, error);
    }
    for (int f = 0; f < model->flexes.count && status == CAROM_OK; f++)
        status = crm_energy_momentum_create(state, f, &state->arena, &out->step[f], error);
    return status;
}

// Inputs and constant wrenches on nodes, as impulses.
static void find_active(carom_state *state) {
    const carom_model *model = state->model;
    for (int i = 0; i < model->wrenches.count; i++) {
        const crm_wrench *w = &model->wrenches.items[i];
        if (model->bodies.items[w->point.body].flex < 0) continue;
        carom_vec3 *to = &state->active[w->point.body].linear;
        *to = crm_add(*to, w->in_body_axes ? crm_quat_rotate(state->motions[w->point.body].q, w->force) : w->force);
    }
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        for (int b = flex->first_body; b < flex->first_body + flex->node_count; b++) {
            carom_body_kind kind = model->bodies.items[b].kind;
            crm_vec6 wrench = crm_wrench_projected(kind, state->active[b]);
            if (state->followers != NULL) // of what has no attitude: as constant as the others
                wrench = crm_vec6_add(wrench, crm_follower_at(&state->followers[b], kind, state->motions[b].q));
            state->active[b] = crm_vec6_scale(state->method.step, wrench);
        }
    }
}

static void stay(carom_state *state, const crm_flex *flex) {
    for (int b = flex->first_body; b < flex->first_body + flex->node_count; b++) {
        state->next[b] = state->motions[b];
        state->impulse[b] = state->active[b] = crm_vec6_zero();
    }
}

void crm_variational_flex_move(carom_state *state, crm_variational_flex *flexes,
                               void (*join)(const carom_step_report *own, carom_step_report *report),
                               carom_step_report *report) {
    const carom_model *model = state->model;
    find_active(state);
    for (int f = 0; f < model->flexes.count && report->outcome != CAROM_STEP_IMPOSSIBLE; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        carom_step_report own = {.outcome = CAROM_STEP_GOOD, .substeps = 1, .residual_body = {-1}, .body = {-1}};
        if (crm_state_interrupted(state)) return;
        if (flex->first_moving < 0) {
            stay(state, flex);
            continue;
        }
        crm_energy_momentum_move(state, &flexes->step[f], &own);
        state->told_work[flex->first_moving].passive = flexes->step[f].dissipated;
        join(&own, report);
    }
}
