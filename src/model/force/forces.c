// SPDX-License-Identifier: MIT
// Adding forces to a model: defaults and what is refused.
#include <math.h>

#include "base/fail.h"
#include "math/quat.h"
#include "model/model.h"

carom_drag_def carom_drag_def_default(void) {
    return (carom_drag_def){.struct_size = sizeof(carom_drag_def), .body = {-1}};
}

carom_spring_def carom_spring_def_default(void) {
    return (carom_spring_def){.struct_size = sizeof(carom_spring_def), .a = {-1}, .b = {-1}};
}

carom_charge_def carom_charge_def_default(void) {
    return (carom_charge_def){.struct_size = sizeof(carom_charge_def), .body = {-1}};
}

carom_magnet_def carom_magnet_def_default(void) {
    return (carom_magnet_def){.struct_size = sizeof(carom_magnet_def), .body = {-1}, .axis = {0.0, 0.0, 1.0}};
}

carom_wrench_def carom_wrench_def_default(void) {
    return (carom_wrench_def){.struct_size = sizeof(carom_wrench_def), .body = {-1}};
}

carom_callback_def carom_callback_def_default(void) {
    return (carom_callback_def){.struct_size = sizeof(carom_callback_def), .body = {-1}};
}

static carom_status check_not_negative(const char *force, const char *what, double value, carom_error *error) {
    if (value >= 0.0 && isfinite(value)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is %g, must be finite and not negative", force, what, value);
}

static carom_status check_finite(const char *force, const char *what, carom_vec3 v, carom_error *error) {
    if (crm_vec3_finite(v)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is (%g, %g, %g), must be finite", force, what, v.x, v.y, v.z);
}

static carom_status no_memory(const char *force, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "%s: no memory for another one", force);
}

// A mass point has one place where forces can act; anywhere else their torque would be lost, and angular momentum with
// it.
static carom_status check_point(const carom_model *model, carom_body body, const char *force, const char *what,
                                carom_vec3 v, carom_error *error) {
    carom_status status = check_finite(force, what, v, error);
    if (status != CAROM_OK || body.index < 0 || model->bodies.items[body.index].kind != CAROM_BODY_POINT) return status;
    if (crm_length(v) == 0.0) return CAROM_OK;
    char text[CRM_BODY_TEXT];
    return crm_refuse(error, "%s: %s is (%g, %g, %g) m, but %s is a point: forces act at its origin", force, what, v.x,
                      v.y, v.z, crm_body_text(model, body.index, text));
}

// Open for additions, and the body is one of the model's.
static carom_status check_model(const carom_model *model, carom_body body, bool world_allowed, const char *force,
                                carom_error *error) {
    carom_status status = crm_model_check_open(model, error);
    return status == CAROM_OK ? crm_model_check_body(model, body, world_allowed, force, error) : status;
}

carom_status carom_model_add_drag(carom_model *model, const carom_drag_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = check_model(model, def->body, false, "drag", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_drag_def, error);
    if (status == CAROM_OK) status = check_not_negative("drag", "linear", def->linear, error);
    if (status == CAROM_OK) status = check_not_negative("drag", "quadratic", def->quadratic, error);
    if (status == CAROM_OK) status = check_not_negative("drag", "angular", def->angular, error);
    if (status != CAROM_OK) return status;
    return CRM_ARRAY_PUSH(&model->allocator, &model->drags, *def) ? CAROM_OK : no_memory("drag", error);
}

carom_status carom_model_add_spring(carom_model *model, const carom_spring_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = check_model(model, def->a, true, "spring", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_spring_def, error);
    if (status == CAROM_OK) status = crm_model_check_body(model, def->b, true, "spring", error);
    if (status == CAROM_OK && def->a.index == def->b.index)
        status = crm_refuse(error, "spring: both ends are on the same body; join two different ones");
    if (status == CAROM_OK) status = check_point(model, def->a, "spring", "point_a", def->point_a, error);
    if (status == CAROM_OK) status = check_point(model, def->b, "spring", "point_b", def->point_b, error);
    if (status == CAROM_OK) status = check_not_negative("spring", "stiffness", def->stiffness, error);
    if (status == CAROM_OK) status = check_not_negative("spring", "damping", def->damping, error);
    if (status == CAROM_OK) status = check_not_negative("spring", "rest_length", def->rest_length, error);
    if (status != CAROM_OK) return status;
    crm_spring spring = {crm_model_point(model, def->a, def->point_a), crm_model_point(model, def->b, def->point_b),
                         def->stiffness, def->damping, def->rest_length};
    return CRM_ARRAY_PUSH(&model->allocator, &model->springs, spring) ? CAROM_OK : no_memory("spring", error);
}

carom_status carom_model_add_charge(carom_model *model, const carom_charge_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = check_model(model, def->body, true, "charge", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_charge_def, error);
    if (status == CAROM_OK) status = check_point(model, def->body, "charge", "point", def->point, error);
    if (status == CAROM_OK && !isfinite(def->charge))
        status = crm_refuse(error, "charge: charge is %g C, must be finite", def->charge);
    if (status != CAROM_OK) return status;
    crm_charge charge = {crm_model_point(model, def->body, def->point), def->charge};
    return CRM_ARRAY_PUSH(&model->allocator, &model->charges, charge) ? CAROM_OK : no_memory("charge", error);
}

carom_status carom_model_add_magnet(carom_model *model, const carom_magnet_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = check_model(model, def->body, true, "magnet", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_magnet_def, error);
    if (status == CAROM_OK && def->body.index >= 0 && model->bodies.items[def->body.index].kind == CAROM_BODY_POINT)
        status = crm_refuse(error, "magnet: a point has no extension; give it a charge instead");
    if (status == CAROM_OK) status = check_finite("magnet", "centre", def->centre, error);
    carom_vec3 axis;
    if (status == CAROM_OK && crm_normalise(def->axis, &axis) == 0.0)
        status = crm_refuse(error, "magnet: axis is (%g, %g, %g), must be finite and not zero", def->axis.x,
                            def->axis.y, def->axis.z);
    if (status == CAROM_OK && !(def->length > 0.0 && isfinite(def->length)))
        status = crm_refuse(error, "magnet: length is %g m, must be positive and finite", def->length);
    if (status == CAROM_OK && !isfinite(def->strength))
        status = crm_refuse(error, "magnet: strength is %g C, must be finite", def->strength);
    if (status != CAROM_OK) return status;
    // Both poles or none.
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->charges, (ptrdiff_t)model->charges.count + 2))
        return no_memory("magnet", error);
    for (int sign = -1; sign <= 1; sign += 2) {
        carom_vec3 pole = crm_madd(def->centre, 0.5 * sign * def->length, axis);
        (void)CRM_ARRAY_PUSH(&model->allocator, &model->charges,
                             (crm_charge){crm_model_point(model, def->body, pole), sign * def->strength});
    }
    return CAROM_OK;
}

carom_status carom_model_add_wrench(carom_model *model, const carom_wrench_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = check_model(model, def->body, false, "wrench", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_wrench_def, error);
    if (status == CAROM_OK) status = check_point(model, def->body, "wrench", "point", def->point, error);
    if (status == CAROM_OK) status = check_finite("wrench", "force", def->force, error);
    if (status == CAROM_OK) status = check_finite("wrench", "torque", def->torque, error);
    if (status != CAROM_OK) return status;
    crm_wrench wrench = {crm_model_point(model, def->body, def->point), def->force, def->torque, def->in_body_axes};
    if (def->in_body_axes) {
        carom_quat frame = model->bodies.items[def->body.index].frame;
        wrench.force = crm_quat_rotate_inverse(frame, def->force);
        wrench.torque = crm_quat_rotate_inverse(frame, def->torque);
    }
    return CRM_ARRAY_PUSH(&model->allocator, &model->wrenches, wrench) ? CAROM_OK : no_memory("wrench", error);
}

carom_status carom_model_add_callback(carom_model *model, const carom_callback_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = check_model(model, def->body, false, "callback", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_callback_def, error);
    if (status == CAROM_OK && def->function == NULL) status = crm_refuse(error, "callback: the function is missing");
    if (status != CAROM_OK) return status;
    return CRM_ARRAY_PUSH(&model->allocator, &model->callbacks, *def) ? CAROM_OK : no_memory("callback", error);
}
