// SPDX-License-Identifier: MIT
// The components by their freedom, and the kinds by their names.
#include "model/joint/joint_component.h"

const crm_joint_component *const crm_joint_linear_components[4] = {&crm_joint_point, &crm_joint_line, &crm_joint_plane,
                                                                   &crm_joint_anywhere};
const crm_joint_component *const crm_joint_angular_components[4] = {&crm_joint_locked, &crm_joint_hinge,
                                                                    &crm_joint_universal, &crm_joint_any_rotation};

static const struct {
    const char *name;
    int linear_free, angular_free;
} kinds[CAROM_JOINT_KIND_COUNT] = {
    [CAROM_JOINT_MIX] = {"mix", 0, 0},
    [CAROM_JOINT_FIXED] = {"fixed", 0, 0},
    [CAROM_JOINT_HINGE] = {"hinge", 0, 1},
    [CAROM_JOINT_UNIVERSAL] = {"universal", 0, 2},
    [CAROM_JOINT_BALL] = {"ball", 0, 3},
    [CAROM_JOINT_SLIDER] = {"slider", 1, 0},
    [CAROM_JOINT_CYLINDRICAL] = {"cylindrical", 1, 1},
    [CAROM_JOINT_POINT_ON_LINE] = {"point_on_line", 1, 3},
    [CAROM_JOINT_PLANAR] = {"planar", 2, 1},
    [CAROM_JOINT_POINT_ON_PLANE] = {"point_on_plane", 2, 3},
    [CAROM_JOINT_DISTANCE] = {"distance", 3, 3},
};

static bool is_kind(carom_joint_kind kind) {
    return (int)kind >= 0 && kind < CAROM_JOINT_KIND_COUNT;
}

const char *carom_joint_kind_name(carom_joint_kind kind) {
    return is_kind(kind) ? kinds[kind].name : "?";
}

void carom_joint_kind_free(carom_joint_kind kind, int *linear_free, int *angular_free) {
    *linear_free = is_kind(kind) ? kinds[kind].linear_free : 0;
    *angular_free = is_kind(kind) ? kinds[kind].angular_free : 0;
}
