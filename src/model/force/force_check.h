// SPDX-License-Identifier: MIT
// What all forces refuse. `force` is the kind and `what` the member, with which sentences begin.
#ifndef CRM_MODEL_FORCE_CHECK_H
#define CRM_MODEL_FORCE_CHECK_H

#include "model/model.h"

carom_status crm_force_check_number(const char *force, const char *what, double value, carom_error *error);
carom_status crm_force_check_not_negative(const char *force, const char *what, double value, carom_error *error);
carom_status crm_force_check_positive(const char *force, const char *what, double value, carom_error *error);
carom_status crm_force_check_vector(const char *force, const char *what, carom_vec3 v, carom_error *error);

// A direction of any length but 0; *unit along it.
carom_status crm_force_check_direction(const char *force, const char *what, carom_vec3 v, carom_vec3 *unit,
                                       carom_error *error);

// A mass point has one place where forces can act; anywhere else their torque would be lost, and angular momentum with
// it.
carom_status crm_force_check_point(const carom_model *model, carom_body body, const char *force, const char *what,
                                   carom_vec3 v, carom_error *error);

// Open for additions, and the body is one of the model's.
carom_status crm_force_check_body(const carom_model *model, carom_body body, bool world_allowed, const char *force,
                                  carom_error *error);

carom_status crm_force_no_memory(const char *force, carom_error *error);

#endif
