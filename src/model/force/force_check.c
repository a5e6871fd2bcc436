// SPDX-License-Identifier: MIT
#include "model/force/force_check.h"

#include "base/fail.h"
#include "math/vec3.h"

carom_status crm_force_check_number(const char *force, const char *what, double value, carom_error *error) {
    if (isfinite(value)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is %g, must be finite", force, what, value);
}

carom_status crm_force_check_not_negative(const char *force, const char *what, double value, carom_error *error) {
    if (value >= 0.0 && isfinite(value)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is %g, must be finite and not negative", force, what, value);
}

carom_status crm_force_check_positive(const char *force, const char *what, double value, carom_error *error) {
    if (value > 0.0 && isfinite(value)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is %g, must be finite and positive", force, what, value);
}

carom_status crm_force_check_vector(const char *force, const char *what, carom_vec3 v, carom_error *error) {
    if (crm_vec3_finite(v)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is (%g, %g, %g), must be finite", force, what, v.x, v.y, v.z);
}

carom_status crm_force_check_direction(const char *force, const char *what, carom_vec3 v, carom_vec3 *unit,
                                       carom_error *error) {
    if (crm_normalise(v, unit) > 0.0) return CAROM_OK;
    return crm_refuse(error, "%s: %s is (%g, %g, %g), must be finite and not zero", force, what, v.x, v.y, v.z);
}

carom_status crm_force_check_point(const carom_model *model, carom_body body, const char *force, const char *what,
                                   carom_vec3 v, carom_error *error) {
    carom_status status = crm_force_check_vector(force, what, v, error);
    if (status != CAROM_OK || body.index < 0 || model->bodies.items[body.index].kind != CAROM_BODY_POINT) return status;
    if (crm_length(v) == 0.0) return CAROM_OK;
    char text[CRM_BODY_TEXT];
    return crm_refuse(error, "%s: %s is (%g, %g, %g) m, but %s is a point: forces act at its origin", force, what, v.x,
                      v.y, v.z, crm_body_text(model, body.index, text));
}

carom_status crm_force_check_body(const carom_model *model, carom_body body, bool world_allowed, const char *force,
                                  carom_error *error) {
    carom_status status = crm_model_check_open(model, error);
    return status == CAROM_OK ? crm_model_check_body(model, body, world_allowed, force, error) : status;
}

carom_status crm_force_no_memory(const char *force, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "%s: no memory for another one", force);
}
