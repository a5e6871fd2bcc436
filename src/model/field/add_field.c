// SPDX-License-Identifier: MIT
// Adding fields: defaults and what is refused.
#include <string.h>

#include "base/fail.h"
#include "model/field/frame.h"
#include "model/field/grid.h"
#include "model/field/pair_laws.h"
#include "model/force/force_check.h"

// Nodes of a grid: what memory for them is never refused.
enum { MOST_NODES = 100000000 };

carom_central_def carom_central_def_default(void) {
    return (carom_central_def){.struct_size = sizeof(carom_central_def), .body = {-1}, .axis = {0.0, 0.0, 1.0}};
}

carom_atmosphere_def carom_atmosphere_def_default(void) {
    return (carom_atmosphere_def){.struct_size = sizeof(carom_atmosphere_def), .body = {-1}, .scale_height = 1e4};
}

carom_sunlight_def carom_sunlight_def_default(void) {
    return (carom_sunlight_def){.struct_size = sizeof(carom_sunlight_def), .body = {-1}, .direction = {-1.0, 0.0, 0.0}};
}

carom_grid_def carom_grid_def_default(void) {
    return (carom_grid_def){
        .struct_size = sizeof(carom_grid_def), .body = {-1}, .spacing = {1.0, 1.0, 1.0}, .count = {1, 1, 1}};
}

// A field acts on a body that moves.
static carom_status check_body(const carom_model *model, carom_body body, const char *field, carom_error *error) {
    carom_status status = crm_force_check_body(model, body, false, field, error);
    if (status != CAROM_OK || crm_body_moves(model, body.index)) return status;
    char text[CRM_BODY_TEXT];
    return crm_refuse(error, "%s: %s is fixed, so that nothing moves it", field,
                      crm_body_text(model, body.index, text));
}

static carom_status push_field(carom_model *model, const crm_field *field, const char *what, carom_error *error) {
    return CRM_ARRAY_PUSH(&model->allocator, &model->fields, *field) ? CAROM_OK : crm_force_no_memory(what, error);
}

// ---- central gravity

static carom_status check_central(const carom_model *model, const carom_central_def *def, carom_vec3 *axis,
                                  carom_error *error) {
    carom_status status = check_body(model, def->body, "central", error);
    if (status == CAROM_OK) status = crm_force_check_vector("central", "centre", def->centre, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("central", "mu", def->mu, error);
    if (status == CAROM_OK) status = crm_force_check_number("central", "j2", def->j2, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("central", "radius", def->radius, error);
    if (status == CAROM_OK) status = crm_force_check_direction("central", "axis", def->axis, axis, error);
    if (status != CAROM_OK) return status;
    if (def->j2 != 0.0 && def->radius == 0.0)
        return crm_refuse(error, "central: j2 is %g without a radius that it refers to; give one", def->j2);
    if (!def->extended || model->bodies.items[def->body.index].kind == CAROM_BODY_FREE) return CAROM_OK;
    char text[CRM_BODY_TEXT];
    return crm_refuse(error, "central: %s is not free, and its moments of inertia are not known; leave out extended",
                      crm_body_text(model, def->body.index, text));
}

carom_status carom_model_add_central(carom_model *model, const carom_central_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_vec3 axis;
    carom_status status = CRM_CHECK_STRUCT(def, carom_central_def, error);
    if (status == CAROM_OK) status = check_central(model, def, &axis, error);
    if (status != CAROM_OK) return status;
    crm_point point[CRM_MASS_POINTS];
    int points = crm_body_mass_points(model, def->body.index, def->extended, point);
    crm_central_law *law = crm_model_own(model, sizeof *law);
    // All points or none.
    if (law == NULL || !CRM_ARRAY_RESERVE(&model->allocator, &model->laws, (ptrdiff_t)model->laws.count + points))
        return crm_force_no_memory("central", error);
    *law = (crm_central_law){0.5 * def->j2 * def->radius * def->radius, axis};
    crm_pair_potential pull = {.b = {-1, def->centre},
                               .kind = CRM_PAIR_POTENTIAL_CENTRAL,
                               .strength = def->mu * model->bodies.items[def->body.index].mass / points,
                               .law.central = law};
    for (int k = 0; k < points; k++) {
        pull.a = point[k];
        (void)CRM_ARRAY_PUSH(&model->allocator, &model->laws, pull);
    }
    return CAROM_OK;
}

// ---- atmosphere and light

carom_status carom_model_add_atmosphere(carom_model *model, const carom_atmosphere_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = CRM_CHECK_STRUCT(def, carom_atmosphere_def, error);
    if (status == CAROM_OK) status = check_body(model, def->body, "atmosphere", error);
    if (status == CAROM_OK) status = crm_force_check_vector("atmosphere", "centre", def->centre, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("atmosphere", "radius", def->radius, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("atmosphere", "density", def->density, error);
    if (status == CAROM_OK) status = crm_force_check_positive("atmosphere", "scale_height", def->scale_height, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("atmosphere", "drag_area", def->drag_area, error);
    if (status == CAROM_OK) status = crm_force_check_vector("atmosphere", "rotation", def->rotation, error);
    if (status != CAROM_OK) return status;
    crm_field field = {.kind = CRM_FIELD_ATMOSPHERE, .body = def->body.index, .of.atmosphere = *def};
    return push_field(model, &field, "atmosphere", error);
}

carom_status carom_model_add_sunlight(carom_model *model, const carom_sunlight_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_vec3 direction;
    carom_status status = CRM_CHECK_STRUCT(def, carom_sunlight_def, error);
    if (status == CAROM_OK) status = check_body(model, def->body, "sunlight", error);
    if (status == CAROM_OK)
        status = crm_force_check_direction("sunlight", "direction", def->direction, &direction, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("sunlight", "pressure", def->pressure, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("sunlight", "area", def->area, error);
    if (status == CAROM_OK && !(def->reflectivity >= 0.0 && def->reflectivity <= 1.0))
        status = crm_refuse(error, "sunlight: reflectivity is %g, must be from 0 to 1", def->reflectivity);
    if (status == CAROM_OK) status = crm_force_check_vector("sunlight", "centre", def->centre, error);
    if (status == CAROM_OK)
        status = crm_force_check_not_negative("sunlight", "shadow_radius", def->shadow_radius, error);
    if (status != CAROM_OK) return status;
    crm_field field = {.kind = CRM_FIELD_SUNLIGHT, .body = def->body.index, .of.sunlight = *def};
    field.of.sunlight.direction = direction;
    return push_field(model, &field, "sunlight", error);
}

// ---- grids

static carom_status check_grid(const carom_grid_def *def, carom_error *error) {
    carom_status status = crm_force_check_vector("grid", "origin", def->origin, error);
    for (int k = 0; k < 3 && status == CAROM_OK; k++)
        status = crm_force_check_positive("grid", "spacing", crm_component(def->spacing, k), error);
    if (status != CAROM_OK) return status;
    double nodes = (double)def->count[0] * def->count[1] * def->count[2];
    if (def->count[0] < 1 || def->count[1] < 1 || def->count[2] < 1 || nodes > MOST_NODES)
        return crm_refuse(error, "grid: %d x %d x %d nodes, must be at least 1 along each direction and at most %d",
                          def->count[0], def->count[1], def->count[2], MOST_NODES);
    if ((def->force == NULL) == (def->energy == NULL))
        return crm_refuse(error, "grid: needs either forces or energies of its nodes, %s",
                          def->force == NULL ? "and has none" : "not both");
    if (def->torque != NULL && def->force == NULL)
        return crm_refuse(error, "grid: has torques beside energies; they go with forces");
    for (int i = 0; i < (int)nodes; i++) {
        bool finite = def->force != NULL ? crm_vec3_finite(def->force[i]) : isfinite(def->energy[i]);
        finite &= def->torque == NULL || crm_vec3_finite(def->torque[i]);
        if (!finite) return crm_refuse(error, "grid: the value of node %d is not finite", i);
    }
    return CAROM_OK;
}

static bool is_the_same(const crm_grid *grid, const carom_grid_def *def, size_t bytes) {
    const void *given = def->force != NULL ? (const void *)def->force : (const void *)def->energy;
    const void *own = def->force != NULL ? (const void *)grid->force : (const void *)grid->energy;
    return own != NULL && memcmp(&grid->origin, &def->origin, sizeof def->origin) == 0 &&
           memcmp(&grid->spacing, &def->spacing, sizeof def->spacing) == 0 &&
           memcmp(grid->count, def->count, sizeof def->count) == 0 && memcmp(own, given, bytes) == 0 &&
           (grid->torque == NULL) == (def->torque == NULL) &&
           (grid->torque == NULL || memcmp(grid->torque, def->torque, bytes) == 0);
}

// A copy of it with its values, in memory of the model: that of the grid before, if that is the same one, so that many
// bodies share what they have in common.
static const crm_grid *make_grid(carom_model *model, const carom_grid_def *def) {
    size_t nodes = (size_t)def->count[0] * (size_t)def->count[1] * (size_t)def->count[2];
    size_t bytes = nodes * (def->force != NULL ? sizeof *def->force : sizeof *def->energy);
    if (model->last_grid != NULL && is_the_same(model->last_grid, def, bytes)) return model->last_grid;
    crm_grid *grid = crm_model_own(model, sizeof *grid);
    void *values = grid != NULL ? crm_model_own(model, bytes) : NULL;
    carom_vec3 *torque = values != NULL && def->torque != NULL ? crm_model_own(model, bytes) : NULL;
    if (values == NULL || (def->torque != NULL && torque == NULL)) return NULL;
    if (torque != NULL) memcpy(torque, def->torque, bytes);
    memcpy(values, def->force != NULL ? (const void *)def->force : (const void *)def->energy, bytes);
    *grid = (crm_grid){def->origin, def->spacing, {def->count[0], def->count[1], def->count[2]}, NULL, torque, NULL};
    if (def->force != NULL)
        grid->force = values;
    else
        grid->energy = values;
    model->last_grid = grid;
    return grid;
}

carom_status carom_model_add_grid(carom_model *model, const carom_grid_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = CRM_CHECK_STRUCT(def, carom_grid_def, error);
    if (status == CAROM_OK) status = check_body(model, def->body, "grid", error);
    if (status == CAROM_OK) status = check_grid(def, error);
    if (status != CAROM_OK) return status;
    const crm_grid *grid = make_grid(model, def);
    if (grid == NULL) return crm_force_no_memory("grid", error);
    if (def->force != NULL) {
        crm_field field = {.kind = CRM_FIELD_GRID, .body = def->body.index, .of.grid = grid};
        return push_field(model, &field, "grid", error);
    }
    crm_pair_potential pair = {.a = {def->body.index, crm_vec3_zero()},
                               .b = {.body = -1},
                               .kind = CRM_PAIR_POTENTIAL_GRID,
                               .strength = 1.0,
                               .law.grid = grid};
    return CRM_ARRAY_PUSH(&model->allocator, &model->laws, pair) ? CAROM_OK : crm_force_no_memory("grid", error);
}
