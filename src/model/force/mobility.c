// SPDX-License-Identifier: MIT
#include "model/force/mobility.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/carlson.h"
#include "math/dense/dense_cholesky.h"
#include "model/flex/flex_forces.h"

static const double pi = 3.14159265358979323846;

carom_mobility_def carom_mobility_def_default(void) {
    return (carom_mobility_def){
        .struct_size = sizeof(carom_mobility_def), .kind = CAROM_MOBILITY_NONE, .viscosity = 1e-3};
}

carom_mobility_kind carom_model_mobility_kind(const carom_model *model) {
    return model->mobility.kind;
}

// ---- what is given

// Symmetric to rounding and positive definite: factored in a copy.
static carom_status check_matrix(const carom_model *model, int n, const double *matrix, carom_error *error) {
    double largest = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n * n; i++) {
        if (!isfinite(matrix[i])) return crm_refuse(error, "mobility: entry (%td, %td) is not finite", i / n, i % n);
        largest = fmax(largest, fabs(matrix[i]));
    }
    for (ptrdiff_t i = 0; i < n; i++) {
        for (ptrdiff_t j = 0; j < i; j++) {
            if (fabs(matrix[i * n + j] - matrix[j * n + i]) > 1e-9 * largest)
                return crm_refuse(error,
                                  "mobility: entries (%td, %td) and (%td, %td) are %g and %g; a mobility is symmetric",
                                  i, j, j, i, matrix[i * n + j], matrix[j * n + i]);
        }
    }
    size_t bytes = (size_t)n * (size_t)n * sizeof *matrix;
    double *copy = model->allocator.allocate(model->allocator.user, bytes);
    if (copy == NULL) return crm_fail_memory(error, "a mobility", bytes);
    memcpy(copy, matrix, bytes);
    crm_cholesky_report report = crm_cholesky_factor(n, copy, n);
    model->allocator.release(model->allocator.user, copy, bytes);
    if (report.rank < n || report.negative_pivots > 0)
        return crm_refuse(error,
                          "mobility: the matrix is not positive definite, so that some force would be moved against");
    return CAROM_OK;
}

carom_status carom_model_set_mobility(carom_model *model, const carom_mobility_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = crm_model_check_open(model, error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_mobility_def, error);
    if (status != CAROM_OK) return status;
    if ((int)def->kind < 0 || def->kind >= CAROM_MOBILITY_KIND_COUNT)
        return crm_refuse(error, "mobility: %d is no kind of mobility", (int)def->kind);
    if (def->kind == CAROM_MOBILITY_STOKES && (!(def->viscosity > 0.0) || !isfinite(def->viscosity)))
        return crm_refuse(error, "mobility: the viscosity is %g Pa s, must be positive and finite", def->viscosity);
    if (def->kind == CAROM_MOBILITY_FUNCTION && def->function == NULL)
        return crm_refuse(error, "mobility: the function is missing");
    int n = def->kind == CAROM_MOBILITY_MATRIX ? def->size : 0;
    if (n < 0 || n > 30000 || (n > 0 && def->matrix == NULL))
        return crm_refuse(error, "mobility: a matrix of size %d, must be there and at most 30000", n);
    if (n > 0) status = check_matrix(model, n, def->matrix, error);
    if (status != CAROM_OK) return status;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &model->mobility.matrix, (ptrdiff_t)n * n))
        return crm_fail_memory(error, "a mobility", (size_t)n * (size_t)n * sizeof(double));
    if (n > 0) memcpy(model->mobility.matrix.items, def->matrix, (size_t)n * (size_t)n * sizeof(double));
    model->mobility.kind = def->kind;
    model->mobility.viscosity = def->viscosity;
    model->mobility.size = n;
    model->mobility.function = def->function;
    model->mobility.user = def->user;
    return CAROM_OK;
}

static bool half_axes_of(const carom_model *model, int body, carom_vec3 *out) {
    const carom_shape *shape = carom_model_get_shape(model, model->bodies.items[body].def.shape);
    if (shape == NULL) return false;
    carom_shape_def def;
    carom_shape_get_def(shape, &def);
    if (def.kind == CAROM_SHAPE_SPHERE) *out = crm_vec3(def.sphere.radius, def.sphere.radius, def.sphere.radius);
    if (def.kind == CAROM_SHAPE_ELLIPSOID) *out = def.ellipsoid.half_axes;
    return def.kind == CAROM_SHAPE_SPHERE || def.kind == CAROM_SHAPE_ELLIPSOID;
}

carom_status crm_mobility_freeze(carom_model *model, carom_error *error) {
    crm_mobility *mobility = &model->mobility;
    if (mobility->kind == CAROM_MOBILITY_NONE) return CAROM_OK;
    int moving = 0;
    char text[CRM_BODY_TEXT];
    if (model->flexes.count > 0)
        return crm_refuse(
            error,
            "%s has inertia at its nodes, and a mobility is for bodies without: leave the flexible bodies "
            "or the mobility out",
            crm_flex_text(model, 0, text));
    for (int b = 0; b < model->bodies.count; b++) {
        carom_body_kind kind = model->bodies.items[b].kind;
        carom_vec3 half_axes;
        if (kind == CAROM_BODY_FIXED) continue;
        moving++;
        if (kind != CAROM_BODY_FREE)
            return crm_refuse(error, "%s is neither free nor fixed, as bodies with a mobility must be",
                              crm_body_text(model, b, text));
        if (mobility->kind == CAROM_MOBILITY_STOKES && !half_axes_of(model, b, &half_axes))
            return crm_refuse(error,
                              "%s has no drag in a viscous fluid: give it a sphere or an ellipsoid as shape, or give a "
                              "matrix as mobility",
                              crm_body_text(model, b, text));
    }
    if (mobility->kind == CAROM_MOBILITY_MATRIX && mobility->size != 6 * moving)
        return crm_refuse(error, "mobility: the matrix has %d rows, must have 6 for each of %d bodies", mobility->size,
                          moving);
    return CAROM_OK;
}

// ---- drag

void crm_stokes_resistance(carom_vec3 half_axes, double viscosity, carom_vec3 *along, carom_vec3 *about) {
    double x = half_axes.x * half_axes.x, y = half_axes.y * half_axes.y, z = half_axes.z * half_axes.z;
    double chi = 2.0 * crm_carlson_rf(x, y, z), unit = 16.0 * pi * viscosity;
    double ax = x * crm_carlson_rd(y, z, x) / 1.5, ay = y * crm_carlson_rd(z, x, y) / 1.5;
    double az = z * crm_carlson_rd(x, y, z) / 1.5; // alpha_i a_i^2
    *along = crm_vec3(unit / (chi + ax), unit / (chi + ay), unit / (chi + az));
    *about =
        crm_vec3(unit / 3.0 * (y + z) / (ay + az), unit / 3.0 * (z + x) / (az + ax), unit / 3.0 * (x + y) / (ax + ay));
}

crm_mat6 crm_mobility_resistance(const carom_model *model, int body, const crm_motion *motion) {
    const crm_body *of = &model->bodies.items[body];
    carom_vec3 half_axes, along, about;
    (void)half_axes_of(model, body, &half_axes); // freezing has looked
    crm_stokes_resistance(half_axes, model->mobility.viscosity, &along, &about);
    carom_body_state own = crm_motion_to_body_state(of, motion);
    carom_mat3 axes = crm_quat_to_mat3(own.attitude);
    carom_mat3 k = crm_congruence_diagonal(axes, along), q = crm_congruence_diagonal(axes, about);
    // From the shape's centre, at d from the centre of mass: its velocity is v + w x d.
    carom_mat3 d = crm_skew(crm_sub(own.position, motion->x)), kd = crm_mat3_mul(k, d);
    crm_mat6_blocks blocks = {.linear_linear = k,
                              .linear_angular = crm_mat3_scale(-1.0, kd),
                              .angular_linear = crm_mat3_mul(d, k),
                              .angular_angular = crm_mat3_sub(q, crm_mat3_mul(d, kd))};
    return crm_mat6_from_blocks(&blocks);
}

// ---- all bodies

static void apply_matrix(const crm_mobility *mobility, const double *force, double *velocity) {
    const double *row = mobility->matrix.items;
    for (int i = 0; i < mobility->size; i++, row += mobility->size) {
        double sum = 0.0;
        for (int j = 0; j < mobility->size; j++) sum += row[j] * force[j];
        velocity[i] = sum;
    }
}

static void apply_drag(const carom_model *model, const crm_motion *motions, const double *force, double *velocity) {
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        crm_mat6 resistance = crm_mobility_resistance(model, b, &motions[b]);
        memcpy(velocity, force, 6 * sizeof *velocity);
        (void)crm_cholesky_factor(6, resistance.e, 6); // of a body's drag: positive definite
        crm_cholesky_solve(6, resistance.e, 6, 1, velocity, 6);
        force += 6, velocity += 6;
    }
}

void crm_mobility_apply(const carom_model *model, const crm_motion *motions, carom_pose *poses, carom_vec3 *centres,
                        const double *force, double *velocity) {
    const crm_mobility *mobility = &model->mobility;
    if (mobility->kind == CAROM_MOBILITY_MATRIX) apply_matrix(mobility, force, velocity);
    if (mobility->kind == CAROM_MOBILITY_STOKES) apply_drag(model, motions, force, velocity);
    if (mobility->kind != CAROM_MOBILITY_FUNCTION) return;
    int count = 0;
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        carom_body_state own = crm_motion_to_body_state(&model->bodies.items[b], &motions[b]);
        poses[count] = (carom_pose){own.position, own.attitude};
        centres[count++] = motions[b].x;
    }
    mobility->function(mobility->user, count, poses, centres, force, velocity);
}
