// SPDX-License-Identifier: MIT
// A plan in the resolved text: a line for each control, condition, contact and way point.
#include <math.h>

#include "scene/instance.h"
#include "scene/plan/scene_plan.h"
#include "scene/write/write_pieces.h"

static void item(crm_scene_text *text) {
    word(text, is_open(text) ? "\n      " : ",\n      ");
}

static void end_list(crm_scene_text *text, const char *bracket) {
    if (!is_open(text)) word(text, "\n    ");
    word(text, bracket);
}

// A member of the plan, on a line of its own.
static void top(crm_scene_text *text, const char *name) {
    word(text, is_open(text) ? "\n    \"" : ",\n    \"");
    word(text, name);
    word(text, "\": ");
}

static void top_number(crm_scene_text *text, const char *name, double x) {
    top(text, name);
    crm_scene_text_number(text, x);
}

// ---- bodies and joints

// Which of the scene's bodies has this number in the model, when that has been built.
static const crm_scene_body *body_at(const crm_scene_data *data, int number) {
    int low = 0, high = data->body_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (data->body[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return &data->body[low];
}

static void write_name(const crm_scene_data *data, carom_body body, crm_scene_text *text) {
    char name[CRM_SCENE_INSTANCE_NAME];
    if (body.index < 0) {
        word(text, "\"world\"");
        return;
    }
    const crm_scene_body *named = body_at(data, body.index);
    crm_scene_instance(named, body.index - named->first, name);
    crm_scene_text_quoted(text, name);
}

static void write_body(const crm_scene_data *data, const char *name, carom_body body, crm_scene_text *text) {
    key(text, name);
    write_name(data, body, text);
}

static carom_joint_kind write_joint(const crm_scene_data *data, int number, crm_scene_text *text) {
    int i = 0;
    for (; i + 1 < data->joint_count && number >= data->joint[i].count; i++) number -= data->joint[i].count;
    char name[CRM_SCENE_INSTANCE_NAME];
    crm_scene_joint_instance(data, &data->joint[i], number, name);
    string(text, "joint", name);
    return data->joint[i].def.kind;
}

static void write_pairs(const crm_scene_data *data, int count, const carom_plan_pair *pair, crm_scene_text *text) {
    if (count == 0) return;
    key(text, "pairs");
    for (int i = 0; i < count; i++) {
        word(text, i == 0 ? "[[" : ", [");
        write_name(data, pair[i].a, text);
        word(text, ", ");
        write_name(data, pair[i].b, text);
        word(text, "]");
    }
    word(text, "]");
}

// ---- time, controls

static void write_time(const carom_plan_def *def, crm_scene_text *text) {
    top(text, "time");
    if (!def->time_free) {
        crm_scene_text_number(text, def->time);
        return;
    }
    word(text, "{");
    number(text, "guess", def->time);
    number(text, "least", def->time_least);
    number(text, "most", def->time_most);
    number(text, "weight", def->time_weight);
    word(text, "}");
}

static void write_control(const crm_scene_data *data, const carom_control_def *control, crm_scene_text *text) {
    carom_joint_kind joint = CAROM_JOINT_HINGE;
    bool motor = control->kind == CAROM_CONTROL_MOTOR;
    word(text, "{");
    string(text, "kind", crm_scene_control_words[control->kind]);
    if (motor)
        joint = write_joint(data, control->joint, text);
    else
        write_body(data, "body", control->body, text);
    if (control->kind == CAROM_CONTROL_WRENCH || control->kind == CAROM_CONTROL_FORCE)
        string(text, "axes", control->in_body_axes ? "body" : "world");
    members(text, crm_scene_control_members(control->kind, joint), control);
    word(text, "}");
}

// ---- conditions

static void write_corner(const char *name, carom_vec3 corner, crm_scene_text *text) {
    const double x[3] = {corner.x, corner.y, corner.z};
    key(text, name);
    for (int i = 0; i < 3; i++) {
        word(text, i == 0 ? "[" : ", ");
        if (isfinite(x[i]))
            crm_scene_text_number(text, x[i]);
        else
            word(text, "null");
    }
    word(text, "]");
}

static void write_directions(const carom_plan_condition *c, crm_scene_text *text) {
    key(text, "directions");
    for (int i = 0; i < c->direction_count; i++) {
        word(text, i == 0 ? "[{" : ", {");
        vector(text, "axis", c->direction[i].axis);
        vector(text, "toward", c->direction[i].toward);
        number(text, "least", c->direction[i].least);
        word(text, "}");
    }
    word(text, "]");
}

static void write_condition(const crm_scene_data *data, const carom_plan_condition *c, crm_scene_text *text) {
    word(text, "{");
    write_body(data, "body", c->body, text);
    if (c->node > 0) number(text, "node", c->node);
    if (c->has_position) vector(text, "position", c->position);
    if (c->has_attitude) quaternion(text, "attitude", c->attitude);
    if (c->has_velocity) vector(text, "velocity", c->velocity);
    if (c->has_spin) vector(text, "spin", c->spin);
    write_body(data, "relative_to", c->relative_to, text);
    truth(text, "together", c->together);
    if (c->has_box) {
        key(text, "box");
        word(text, "{");
        write_corner("low", c->box_low, text);
        write_corner("high", c->box_high, text);
        word(text, "}");
    }
    if (c->direction_count > 0) write_directions(c, text);
    word(text, "}");
}

// Those at the start, at nodes between, or at the end, which stand in this order.
static void write_conditions(const crm_scene_data *data, const char *name, int low, int high, crm_scene_text *text) {
    const carom_plan_def *def = &data->plan->def;
    top(text, name);
    word(text, "[");
    for (int i = 0; i < def->condition_count; i++) {
        if (def->condition[i].node < low || def->condition[i].node > high) continue;
        item(text);
        write_condition(data, &def->condition[i], text);
    }
    end_list(text, "]");
}

// ---- what touches

static void write_contact(const crm_scene_data *data, const carom_plan_contact *contact, crm_scene_text *text) {
    word(text, "{");
    number(text, "node", contact->node);
    write_body(data, "a", contact->a, text);
    write_body(data, "b", contact->b, text);
    members(text, crm_scene_contact_members, contact);
    word(text, "}");
}

static void write_touching(const crm_scene_data *data, crm_scene_text *text) {
    const carom_plan_def *def = &data->plan->def;
    if (def->avoid.on) {
        top(text, "avoid");
        word(text, "{");
        number(text, "margin", def->avoid.margin);
        truth(text, "between_nodes", def->avoid.between_nodes);
        write_pairs(data, def->avoid.pair_count, def->avoid.pair, text);
        word(text, "}");
    }
    top(text, "contacts");
    word(text, "[");
    for (int i = 0; i < def->contact_count; i++) {
        item(text);
        write_contact(data, &def->contact[i], text);
    }
    end_list(text, "]");
    if (def->discover.on) {
        top(text, "discover");
        word(text, "{");
        write_pairs(data, def->discover.pair_count, def->discover.pair, text);
        members(text, crm_scene_discover_members, &def->discover);
        word(text, "}");
    }
    if (!def->penalty.on) return;
    top(text, "penalty");
    word(text, "{");
    number(text, "stiffness", def->penalty.stiffness);
    word(text, "}");
}

// ---- the guess

static void write_guess(const crm_scene_data *data, crm_scene_text *text) {
    const carom_plan_def *def = &data->plan->def;
    top(text, "guess");
    if (def->guess == CAROM_GUESS_STRAIGHT) {
        word(text, "\"straight\"");
        return;
    }
    word(text, "{");
    if (def->guess == CAROM_GUESS_MOTION) {
        string(text, "recording", data->plan->recording);
        word(text, "}");
        return;
    }
    key(text, "way_points");
    word(text, "[");
    for (int i = 0; i < def->way_point_count; i++) {
        const carom_way_point *way_point = &def->way_point[i];
        item(text);
        word(text, "{");
        write_body(data, "body", way_point->body, text);
        number(text, "share", way_point->share);
        vector(text, "position", way_point->pose.position);
        quaternion(text, "attitude", way_point->pose.attitude);
        word(text, "}");
    }
    end_list(text, "]}");
}

void crm_scene_write_plan(const crm_scene_data *data, crm_scene_text *text) {
    enum { END = -1, START = 0, LAST_NODE = 1 << 30 };
    if (data->plan == NULL) return;
    const carom_plan_def *def = &data->plan->def;
    word(text, ",\n  \"plan\": {");
    top_number(text, "intervals", def->intervals);
    write_time(def, text);
    top(text, "controls");
    word(text, "[");
    for (int i = 0; i < def->control_count; i++) {
        item(text);
        write_control(data, &def->control[i], text);
    }
    end_list(text, "]");
    write_conditions(data, "start", START, START, text);
    write_conditions(data, "through", START + 1, LAST_NODE, text);
    write_conditions(data, "end", END, END, text);
    write_touching(data, text);
    write_guess(data, text);
    top_number(text, "levels", def->levels);
    top_number(text, "starts", def->starts);
    top_number(text, "seed", (double)def->seed);
    top_number(text, "tolerance", def->tolerance);
    word(text, "\n  }");
}
