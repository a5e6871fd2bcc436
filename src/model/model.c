// SPDX-License-Identifier: MIT
// Making a model, freezing it, and what it tells.
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/quat.h"
#include "model/field/frame.h"
#include "model/force/acting.h"
#include "model/force/mobility.h"
#include "model/force/system_callback.h"

carom_model_def carom_model_def_default(void) {
    return (carom_model_def){.struct_size = sizeof(carom_model_def),
                             .gravity = {0.0, 0.0, -9.81},
                             .coulomb_constant = 8.9875517923e9,
                             .friction_rule = CAROM_COMBINE_GEOMETRIC,
                             .restitution_rule = CAROM_COMBINE_LARGEST,
                             .start_overlaps = CAROM_START_PROJECT,
                             .reference_frame = CAROM_FRAME_INERTIAL,
                             .limits = carom_limits_none()};
}

static carom_status check_rule(const char *field, carom_combination rule, carom_error *error) {
    if ((int)rule >= 0 && rule < CAROM_COMBINE_COUNT) return CAROM_OK;
    return crm_refuse(error, "%s is %d, must be one of carom_combination", field, (int)rule);
}

static carom_status check_frame(const carom_model_def *def, carom_error *error) {
    bool hill = def->reference_frame == CAROM_FRAME_HILL;
    if (!hill && def->reference_frame != CAROM_FRAME_INERTIAL)
        return crm_refuse(error, "reference_frame is %d, must be one of carom_reference_frame",
                          (int)def->reference_frame);
    if (!hill && def->mean_motion != 0.0)
        return crm_refuse(error, "mean_motion is %g rad/s, but the frame is inertial; choose Hill's or leave it out",
                          def->mean_motion);
    if (hill && !(def->mean_motion > 0.0 && isfinite(def->mean_motion)))
        return crm_refuse(error, "mean_motion is %g rad/s, must be positive and finite in Hill's frame",
                          def->mean_motion);
    return CAROM_OK;
}

carom_status carom_model_create(const carom_model_def *def, carom_model **out, carom_error *error) {
    CRM_NEED(out, error);
    *out = NULL;
    carom_status status = CRM_CHECK_STRUCT(def, carom_model_def, error);
    if (status != CAROM_OK) return status;
    if (!crm_vec3_finite(def->gravity))
        return crm_refuse(error, "gravity is (%g, %g, %g) m/s^2, must be finite", def->gravity.x, def->gravity.y,
                          def->gravity.z);
    if (!isfinite(def->coulomb_constant))
        return crm_refuse(error, "coulomb_constant is %g, must be finite", def->coulomb_constant);
    carom_limits limits;
    status = crm_limits_take(&def->limits, carom_limits_none(), &limits, error);
    if (status != CAROM_OK) return status;
    status = check_rule("friction_rule", def->friction_rule, error);
    if (status == CAROM_OK) status = check_rule("restitution_rule", def->restitution_rule, error);
    if (status == CAROM_OK && ((int)def->start_overlaps < 0 || def->start_overlaps >= CAROM_START_COUNT))
        status =
            crm_refuse(error, "start_overlaps is %d, must be one of carom_start_overlaps", (int)def->start_overlaps);
    if (status == CAROM_OK) status = check_frame(def, error);
    if (status != CAROM_OK) return status;
    carom_allocator allocator = def->allocator != NULL ? *def->allocator : carom_allocator_default();
    carom_model *model = allocator.allocate(allocator.user, sizeof *model);
    if (model == NULL) return crm_fail_memory(error, "model", sizeof *model);
    *model = (carom_model){.allocator = allocator,
                           .gravity = def->gravity,
                           .coulomb_constant = def->coulomb_constant,
                           .friction_rule = def->friction_rule,
                           .restitution_rule = def->restitution_rule,
                           .start_overlaps = def->start_overlaps,
                           .mean_motion = def->mean_motion,
                           .limits = limits,
                           .interrupt = def->interrupt};
    crm_arena_init(&model->flex_memory, &model->allocator);
    model->flex_memory.frugal = true; // what stays
    *out = model;
    return CAROM_OK;
}

void carom_model_destroy(carom_model *model) {
    if (model == NULL) return;
    carom_allocator allocator = model->allocator;
    crm_names_free(&allocator, &model->body_names);
    crm_names_free(&allocator, &model->material_names);
    crm_names_free(&allocator, &model->joint_names);
    crm_names_free(&allocator, &model->shape_names);
    crm_names_free(&allocator, &model->flex_names);
    for (int i = 0; i < model->shapes.count; i++) carom_shape_destroy(model->shapes.items[i].shape);
    CRM_ARRAY_FREE(&allocator, &model->shapes);
    CRM_ARRAY_FREE(&allocator, &model->excluded);
    CRM_ARRAY_FREE(&allocator, &model->mobility.matrix);
    CRM_ARRAY_FREE(&allocator, &model->bodies);
    CRM_ARRAY_FREE(&allocator, &model->materials);
    CRM_ARRAY_FREE(&allocator, &model->material_pairs);
    CRM_ARRAY_FREE(&allocator, &model->drags);
    CRM_ARRAY_FREE(&allocator, &model->springs);
    CRM_ARRAY_FREE(&allocator, &model->charges);
    CRM_ARRAY_FREE(&allocator, &model->wrenches);
    CRM_ARRAY_FREE(&allocator, &model->callbacks);
    CRM_ARRAY_FREE(&allocator, &model->system_callbacks);
    CRM_ARRAY_FREE(&allocator, &model->laws);
    CRM_ARRAY_FREE(&allocator, &model->fields);
    for (int i = 0; i < model->owned.count; i++)
        allocator.release(allocator.user, model->owned.items[i].memory, model->owned.items[i].bytes);
    CRM_ARRAY_FREE(&allocator, &model->owned);
    CRM_ARRAY_FREE(&allocator, &model->joints);
    CRM_ARRAY_FREE(&allocator, &model->flexes);
    crm_arena_free(&model->flex_memory);
    CRM_ARRAY_FREE(&allocator, &model->pair_potentials);
    crm_joint_graph_free(&model->graph);
    allocator.release(allocator.user, model, sizeof *model);
}

static const char *node_text(const carom_model *model, int body, char text[CRM_BODY_TEXT]) {
    int index = model->bodies.items[body].flex;
    const crm_flex *flex = &model->flexes.items[index];
    int node = body - flex->first_body;
    if (flex->def.name != NULL)
        snprintf(text, CRM_BODY_TEXT, "node %d of '%.90s'", node, flex->def.name);
    else
        snprintf(text, CRM_BODY_TEXT, "node %d of flexible body %d", node, index);
    return text;
}

const char *crm_body_text(const carom_model *model, int body, char text[CRM_BODY_TEXT]) {
    if (body >= 0 && body < model->bodies.count && model->bodies.items[body].flex >= 0)
        return node_text(model, body, text);
    const char *name = carom_model_body_name(model, (carom_body){body});
    int number = body >= 0 && model->body_numbers != NULL ? model->body_numbers[body] : body;
    if (body >= 0) return crm_item_text("body", name, number, text);
    snprintf(text, CRM_BODY_TEXT, "the world");
    return text;
}

carom_status crm_model_check_open(const carom_model *model, carom_error *error) {
    if (!model->frozen) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_FROZEN,
                    "the model is frozen: add shapes, bodies, materials, forces and joints before freezing it");
}

carom_status crm_model_check_body(const carom_model *model, carom_body body, bool world_allowed, const char *what,
                                  carom_error *error) {
    if (body.index == -1 && world_allowed) return CAROM_OK;
    if (body.index >= 0 && body.index < model->bodies.count) return CAROM_OK;
    return crm_refuse(error, "%s: there is no body %d; the model has %d bodies", what, body.index, model->bodies.count);
}

crm_point crm_model_point(const carom_model *model, carom_body body, carom_vec3 in_body_frame) {
    if (body.index < 0) return (crm_point){-1, in_body_frame};
    const crm_body *b = &model->bodies.items[body.index];
    return (crm_point){body.index, crm_quat_rotate_inverse(b->frame, crm_sub(in_body_frame, b->centre))};
}

void *crm_model_own(carom_model *model, size_t bytes) {
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->owned, (ptrdiff_t)model->owned.count + 1)) return NULL;
    void *memory = model->allocator.allocate(model->allocator.user, bytes);
    if (memory == NULL) return NULL;
    memset(memory, 0, bytes);
    (void)CRM_ARRAY_PUSH(&model->allocator, &model->owned, (crm_owned){memory, bytes}); // there is room
    return memory;
}

static carom_status collect_pairs(carom_model *model, carom_error *error) {
    for (int s = 0; s < model->springs.count; s++) {
        const crm_spring *spring = &model->springs.items[s];
        if (!CRM_ARRAY_PUSH(&model->allocator, &model->pair_potentials,
                            (crm_pair_potential){.a = spring->a,
                                                 .b = spring->b,
                                                 .kind = CRM_PAIR_POTENTIAL_SPRING,
                                                 .strength = spring->stiffness,
                                                 .rest_length = spring->rest_length}))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d springs", model->springs.count);
    }
    for (int i = 1; i < model->charges.count; i++) {
        for (int j = 0; j < i; j++) {
            const crm_charge *a = &model->charges.items[i], *b = &model->charges.items[j];
            if (a->point.body == b->point.body) continue;
            double strength = model->coulomb_constant * a->charge * b->charge;
            if (!CRM_ARRAY_PUSH(
                    &model->allocator, &model->pair_potentials,
                    (crm_pair_potential){
                        .a = a->point, .b = b->point, .kind = CRM_PAIR_POTENTIAL_CHARGES, .strength = strength}))
                return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the pairs of %d charges",
                                model->charges.count);
        }
    }
    for (int i = 0; i < model->laws.count; i++)
        if (!CRM_ARRAY_PUSH(&model->allocator, &model->pair_potentials, model->laws.items[i]))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d laws of pairs", model->laws.count);
    return CAROM_OK;
}

carom_status carom_model_freeze(carom_model *model, carom_error *error) {
    CRM_NEED(model, error);
    if (model->frozen) return CAROM_OK;
    int given = model->fields.count;
    carom_status status = collect_pairs(model, error);
    if (status == CAROM_OK) status = crm_frame_freeze(model, error);
    if (status == CAROM_OK) status = crm_system_callbacks_freeze(model, error);
    if (status == CAROM_OK) status = crm_model_exclude_jointed(model, false, error);
    if (status == CAROM_OK) status = crm_mobility_freeze(model, error);
    if (status == CAROM_OK) status = crm_joint_graph_create(model, error);
    if (status != CAROM_OK) {
        model->pair_potentials.count = 0;
        model->fields.count = given;
        model->excluded.count = 0;
        return status;
    }
    for (int s = 0; s < model->springs.count; s++) model->damper_count += model->springs.items[s].damping > 0.0;
    crm_acting_find(model);
    model->frozen = true;
    return CAROM_OK;
}

carom_vec3 carom_model_gravity(const carom_model *model) {
    return model->gravity;
}

int carom_model_body_count(const carom_model *model) {
    return model->bodies.count;
}

int carom_model_material_count(const carom_model *model) {
    return model->materials.count;
}

const char *carom_model_body_name(const carom_model *model, carom_body body) {
    return body.index >= 0 && body.index < model->bodies.count ? model->bodies.items[body.index].def.name : NULL;
}

carom_body carom_model_find_body(const carom_model *model, const char *name) {
    return (carom_body){crm_names_find(&model->body_names, name)};
}

carom_status carom_model_get_body(const carom_model *model, carom_body body, carom_body_def *out, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(out, error);
    carom_status status = crm_model_check_body(model, body, false, "get body", error);
    if (status == CAROM_OK) *out = model->bodies.items[body.index].def;
    return status;
}

void *carom_model_body_user(const carom_model *model, carom_body body) {
    bool known = body.index >= 0 && body.index < model->bodies.count;
    return known ? model->bodies.items[body.index].def.user : NULL;
}

carom_status carom_model_set_body_user(carom_model *model, carom_body body, void *user, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_model_check_body(model, body, false, "set the user's pointer", error);
    if (status == CAROM_OK) model->bodies.items[body.index].def.user = user;
    return status;
}
