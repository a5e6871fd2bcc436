// SPDX-License-Identifier: MIT
#include "model/force/system_callback.h"

#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"

// ---- what the function sees

double carom_system_time(const carom_system *system) {
    return system->time;
}

int carom_system_body_count(const carom_system *system) {
    return system->callback->count;
}

// The number of the i-th body in the model that is evaluated; -1 for an i that is none.
static int body_of(const carom_system *system, int i) {
    return i >= 0 && i < system->callback->count ? system->callback->body[i] : -1;
}

carom_body carom_system_body(const carom_system *system, int i) {
    int b = body_of(system, i);
    return (carom_body){b >= 0 && system->model->body_numbers != NULL ? system->model->body_numbers[b] : b};
}

static const crm_motion *motion_of(const carom_system *system, int b) {
    return b == system->varied ? &system->instead : &system->motions[b];
}

carom_force_sample carom_system_sample(const carom_system *system, int i) {
    int b = body_of(system, i);
    if (b < 0) return (carom_force_sample){.time = system->time};
    carom_body_state s = crm_motion_to_body_state(&system->model->bodies.items[b], motion_of(system, b));
    return (carom_force_sample){system->time, s.position, s.attitude, s.velocity, s.spin};
}

// ---- what it does

void carom_system_apply(carom_system *system, int i, const carom_force_value *value) {
    int b = body_of(system, i);
    if (b < 0 || value == NULL) return;
    if (value->conservative) {
        system->energy += value->energy;
        crm_energy_add_to_body(system->model, b, -1, value->energy, system->energy_of_body, system->stride);
    }
    crm_vec6 *sum = value->conservative ? system->conservative : system->active;
    if (sum == NULL || !crm_body_moves(system->model, b)) return;
    if (!crm_vec3_finite(value->force) || !crm_vec3_finite(value->torque)) {
        if (system->not_finite < 0) system->not_finite = b;
        return;
    }
    crm_vec6 wrench = crm_force_value_about_centre(&system->model->bodies.items[b], motion_of(system, b), value);
    sum[b] = crm_vec6_add(sum[b], wrench);
}

carom_system crm_system_of(const carom_model *model, const crm_system_callback *callback, double time,
                           const crm_motion *motions) {
    return (carom_system){
        .model = model, .callback = callback, .time = time, .motions = motions, .varied = -1, .not_finite = -1};
}

int crm_system_ask(carom_system *system) {
    return system->callback->def.function(system->callback->def.user, system);
}

// ---- adding one

carom_system_callback_def carom_system_callback_def_default(void) {
    return (carom_system_callback_def){.struct_size = sizeof(carom_system_callback_def)};
}

// Each once, of the model. `seen` is scratch, all false (body_count).
static carom_status check_list(const carom_model *model, const carom_system_callback_def *def, bool *seen, int *list,
                               carom_error *error) {
    carom_status status = CAROM_OK;
    for (int i = 0; i < def->count && status == CAROM_OK; i++) {
        status = crm_model_check_body(model, def->body[i], false, "system callback", error);
        if (status != CAROM_OK) return status;
        list[i] = def->body[i].index;
        if (seen[list[i]])
            status = crm_refuse(error, "system callback: body %d is twice in the list; name each once", list[i]);
        seen[list[i]] = true;
    }
    return status;
}

static carom_status take_list(carom_model *model, const carom_system_callback_def *def, const int **out,
                              carom_error *error) {
    size_t bytes = (size_t)def->count * sizeof(int), all = (size_t)model->bodies.count * sizeof(bool);
    int *list = crm_model_own(model, bytes);
    bool *seen = list != NULL ? model->allocator.allocate(model->allocator.user, all) : NULL;
    if (seen == NULL) return crm_fail_memory(error, "a system callback", bytes);
    memset(seen, 0, all);
    carom_status status = check_list(model, def, seen, list, error);
    model->allocator.release(model->allocator.user, seen, all);
    *out = list;
    return status;
}

carom_status carom_model_add_system_callback(carom_model *model, const carom_system_callback_def *def,
                                             carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = crm_model_check_open(model, error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_system_callback_def, error);
    if (status == CAROM_OK && def->function == NULL)
        status = crm_refuse(error, "system callback: the function is missing");
    if (status == CAROM_OK && def->body != NULL && (def->count < 1 || def->count > model->bodies.count))
        status = crm_refuse(error,
                            "system callback: the list has %d bodies, must have at least 1 and at most the %d of "
                            "the model; all of them without a list",
                            def->count, model->bodies.count);
    if (status == CAROM_OK && def->body == NULL && def->count != 0)
        status = crm_refuse(error, "system callback: count is %d without a list; leave it out, or give the list",
                            def->count);
    if (status != CAROM_OK) return status;
    crm_system_callback callback = {.def = *def, .count = def->count};
    callback.def.body = NULL;
    if (def->body != NULL) status = take_list(model, def, &callback.body, error);
    if (status != CAROM_OK) return status;
    return CRM_ARRAY_PUSH(&model->allocator, &model->system_callbacks, callback)
               ? CAROM_OK
               : crm_fail(error, CAROM_ERR_NO_MEMORY, "system callback: no memory for another one");
}

carom_status crm_system_callbacks_freeze(carom_model *model, carom_error *error) {
    for (int c = 0; c < model->system_callbacks.count; c++) {
        crm_system_callback *callback = &model->system_callbacks.items[c];
        if (callback->def.count > 0 || model->bodies.count == 0) continue;
        size_t bytes = (size_t)model->bodies.count * sizeof(int);
        int *list = crm_model_own(model, bytes);
        if (list == NULL) return crm_fail_memory(error, "a system callback", bytes);
        for (int b = 0; b < model->bodies.count; b++) list[b] = b;
        callback->body = list;
        callback->count = model->bodies.count;
    }
    return CAROM_OK;
}

int64_t crm_system_pair_count(const carom_model *model) {
    int64_t pairs = 0;
    for (int c = 0; c < model->system_callbacks.count; c++) {
        int64_t count = model->system_callbacks.items[c].count;
        pairs += count * (count - 1) / 2;
    }
    return pairs;
}
