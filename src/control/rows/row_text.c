// SPDX-License-Identifier: MIT
// Rows in words.
#include <stdio.h>

#include "control/rows/draft.h"

static const char *const what[] = {
    [CRM_ROW_MOMENTUM] = "momentum",
    [CRM_ROW_SPIN] = "angular momentum",
    [CRM_ROW_BALANCE] = "the balance of momentum",
    [CRM_ROW_SPIN_BALANCE] = "the balance of angular momentum",
    [CRM_ROW_DIRECTORS] = "the attitude",
    [CRM_ROW_JOINT] = "the joint",
    [CRM_ROW_JOINT_RATE] = "the velocity of the joint",
    [CRM_ROW_JOINT_LIMIT] = "the limit",
    [CRM_ROW_POSITION] = "the position that is asked",
    [CRM_ROW_ATTITUDE] = "the attitude that is asked",
    [CRM_ROW_VELOCITY] = "the velocity that is asked",
    [CRM_ROW_ANGULAR_VELOCITY] = "the spin that is asked",
    [CRM_ROW_BOX] = "the box that is asked",
    [CRM_ROW_DIRECTION] = "the direction that is asked",
    [CRM_ROW_FIELD_PLACE] = "the place between bodies",
    [CRM_ROW_FIELD] = "the force between bodies",
    [CRM_ROW_TIME] = "the time",
    [CRM_ROW_PLANE] = "the plane beside",
    [CRM_ROW_GAP] = "the gap",
    [CRM_ROW_BULGE] = "the bulge",
    [CRM_ROW_ROTATION] = "the rotation",
    [CRM_ROW_TWIST] = "the velocity",
    [CRM_ROW_TOUCH] = "the planned touch",
    [CRM_ROW_PRODUCT] = "the choice of what touches",
    [CRM_ROW_REBOUND] = "the restitution",
    [CRM_ROW_CONE] = "the friction",
    [CRM_ROW_IMPULSE] = "the impulse",
    [CRM_ROW_STICK] = "the sticking contact",
};

static bool in_interval(int kind) {
    return kind == CRM_ROW_MOMENTUM || kind == CRM_ROW_SPIN || kind == CRM_ROW_FIELD || kind == CRM_ROW_FIELD_PLACE ||
           (kind >= CRM_ROW_PLANE && kind <= CRM_ROW_ROTATION) || kind == CRM_ROW_STICK;
}

const char *crm_row_text(const crm_draft *draft, const crm_row_name *n, char text[CRM_ROW_TEXT]) {
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT], at[40] = "";
    if (n->node >= 0) snprintf(at, sizeof at, " %s %d", in_interval(n->kind) ? "in interval" : "at node", n->node);
    if (n->kind >= CRM_ROW_JOINT && n->kind <= CRM_ROW_JOINT_LIMIT) {
        static const char *const of_joint[] = {"", "the velocity of ", "the limit of "};
        char joint[CRM_BODY_TEXT];
        snprintf(text, CRM_ROW_TEXT, "%s%s of %s and %s%s", of_joint[n->kind - CRM_ROW_JOINT],
                 crm_joint_text(draft->model, n->item, joint), crm_body_text(draft->model, n->a, a),
                 crm_body_text(draft->model, n->b, b), at);
    } else if (n->a < 0 && n->b < 0) {
        snprintf(text, CRM_ROW_TEXT, "%s%s", what[n->kind], at);
    } else if (n->b >= 0) {
        snprintf(text, CRM_ROW_TEXT, "%s of %s with %s%s", what[n->kind], crm_body_text(draft->model, n->a, a),
                 crm_body_text(draft->model, n->b, b), at);
    } else {
        snprintf(text, CRM_ROW_TEXT, "%s of %s%s", what[n->kind], crm_body_text(draft->model, n->a, a), at);
    }
    return text;
}

double crm_row_unit(const crm_draft *draft, const crm_row_name *name, const char **unit) {
    const crm_plan_units *u = &draft->units;
    switch (name->kind) {
    case CRM_ROW_MOMENTUM:
        return *unit = "kg m", u->momentum * u->time;
    case CRM_ROW_SPIN:
        return *unit = "kg m^2", u->spin * u->time;
    case CRM_ROW_BALANCE:
    case CRM_ROW_TWIST:
    case CRM_ROW_IMPULSE:
        return *unit = "N s", u->momentum;
    case CRM_ROW_VELOCITY:
        return *unit = "m/s", u->length / u->time;
    case CRM_ROW_ANGULAR_VELOCITY:
        return *unit = "rad/s", 1.0 / u->time;
    case CRM_ROW_SPIN_BALANCE:
        return *unit = "N m s", u->spin;
    case CRM_ROW_FIELD_PLACE:
    case CRM_ROW_POSITION:
    case CRM_ROW_BOX:
    case CRM_ROW_GAP:
    case CRM_ROW_TOUCH:
    case CRM_ROW_STICK:
        return *unit = "m", u->length;
    case CRM_ROW_FIELD:
        return *unit = "N", u->force;
    case CRM_ROW_TIME:
        return *unit = "s", u->time;
    default:
        return *unit = "of the plan's units", 1.0;
    }
}
