// SPDX-License-Identifier: MIT
// Adding forces to a model: defaults and what is refused.
#include "base/fail.h"
#include "math/quat.h"
#include "model/force/force_check.h"

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

carom_status carom_model_add_drag(carom_model *model, const carom_drag_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_force_check_body(model, def->body, false, "drag", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_drag_def, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("drag", "linear", def->linear, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("drag", "quadratic", def->quadratic, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("drag", "angular", def->angular, error);
    if (status != CAROM_OK) return status;
    return CRM_ARRAY_PUSH(&model->allocator, &model->drags, *def) ? CAROM_OK : crm_force_no_memory("drag", error);
}

carom_status carom_model_add_spring(carom_model *model, const carom_spring_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_force_check_body(model, def->a, true, "spring", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_spring_def, error);
    if (status == CAROM_OK) status = crm_model_check_body(model, def->b, true, "spring", error);
    if (status == CAROM_OK && def->a.index == def->b.index)
        status = crm_refuse(error, "spring: both ends are on the same body; join two different ones");
    if (status == CAROM_OK) status = crm_force_check_point(model, def->a, "spring", "point_a", def->point_a, error);
    if (status == CAROM_OK) status = crm_force_check_point(model, def->b, "spring", "point_b", def->point_b, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("spring", "stiffness", def->stiffness, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("spring", "damping", def->damping, error);
    if (status == CAROM_OK) status = crm_force_check_not_negative("spring", "rest_length", def->rest_length, error);
    if (status != CAROM_OK) return status;
    crm_spring spring = {crm_model_point(model, def->a, def->point_a), crm_model_point(model, def->b, def->point_b),
                         def->stiffness, def->damping, def->rest_length};
    return CRM_ARRAY_PUSH(&model->allocator, &model->springs, spring) ? CAROM_OK : crm_force_no_memory("spring", error);
}

carom_status carom_model_add_charge(carom_model *model, const carom_charge_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_force_check_body(model, def->body, true, "charge", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_charge_def, error);
    if (status == CAROM_OK) status = crm_force_check_point(model, def->body, "charge", "point", def->point, error);
    if (status == CAROM_OK && !isfinite(def->charge))
        status = crm_refuse(error, "charge: charge is %g C, must be finite", def->charge);
    if (status != CAROM_OK) return status;
    crm_charge charge = {crm_model_point(model, def->body, def->point), def->charge};
    return CRM_ARRAY_PUSH(&model->allocator, &model->charges, charge) ? CAROM_OK : crm_force_no_memory("charge", error);
}

carom_status carom_model_add_magnet(carom_model *model, const carom_magnet_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_force_check_body(model, def->body, true, "magnet", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_magnet_def, error);
    if (status == CAROM_OK && def->body.index >= 0 && model->bodies.items[def->body.index].kind == CAROM_BODY_POINT)
        status = crm_refuse(error, "magnet: a point has no extension; give it a charge instead");
    if (status == CAROM_OK) status = crm_force_check_vector("magnet", "centre", def->centre, error);
    carom_vec3 axis;
    if (status == CAROM_OK) status = crm_force_check_direction("magnet", "axis", def->axis, &axis, error);
    if (status == CAROM_OK && !(def->length > 0.0 && isfinite(def->length)))
        status = crm_refuse(error, "magnet: length is %g m, must be positive and finite", def->length);
    if (status == CAROM_OK && !isfinite(def->strength))
        status = crm_refuse(error, "magnet: strength is %g C, must be finite", def->strength);
    if (status != CAROM_OK) return status;
    // Both poles or none.
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->charges, (ptrdiff_t)model->charges.count + 2))
        return crm_force_no_memory("magnet", error);
    for (int sign = -1; sign <= 1; sign += 2) {
        carom_vec3 pole = crm_madd(def->centre, 0.5 * sign * def->length, axis);
        (void)CRM_ARRAY_PUSH(&model->allocator, &model->charges,
                             (crm_charge){crm_model_point(model, def->body, pole), sign * def->strength});
    }
    return CAROM_OK;
}

carom_status carom_model_add_wrench(carom_model *model, const carom_wrench_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_force_check_body(model, def->body, false, "wrench", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_wrench_def, error);
    if (status == CAROM_OK) status = crm_force_check_point(model, def->body, "wrench", "point", def->point, error);
    if (status == CAROM_OK) status = crm_force_check_vector("wrench", "force", def->force, error);
    if (status == CAROM_OK) status = crm_force_check_vector("wrench", "torque", def->torque, error);
    if (status != CAROM_OK) return status;
    crm_wrench wrench = {crm_model_point(model, def->body, def->point), def->force, def->torque, def->in_body_axes};
    if (def->in_body_axes) {
        carom_quat frame = model->bodies.items[def->body.index].frame;
        wrench.force = crm_quat_rotate_inverse(frame, def->force);
        wrench.torque = crm_quat_rotate_inverse(frame, def->torque);
    }
    return CRM_ARRAY_PUSH(&model->allocator, &model->wrenches, wrench) ? CAROM_OK
                                                                       : crm_force_no_memory("wrench", error);
}

carom_status carom_model_add_callback(carom_model *model, const carom_callback_def *def, carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_force_check_body(model, def->body, false, "callback", error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_callback_def, error);
    if (status == CAROM_OK && def->function == NULL) status = crm_refuse(error, "callback: the function is missing");
    if (status != CAROM_OK) return status;
    return CRM_ARRAY_PUSH(&model->allocator, &model->callbacks, *def) ? CAROM_OK
                                                                      : crm_force_no_memory("callback", error);
}
