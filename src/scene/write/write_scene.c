// SPDX-License-Identifier: MIT
// One line per material, shape, body and force, so that two resolved scenes can be compared line by line.
#include "scene/write/write_scene.h"

#include <math.h>
#include <string.h>

#include "carom/tools.h"
#include "scene/flexible/flexible.h"
#include "scene/plan/scene_plan.h"
#include "scene/source/scene_file.h"
#include "scene/write/write_pieces.h"

// Lists of the scene have a line for each item: `item` before each of them, `end_list` behind the last.
static void item(crm_scene_text *text) {
    word(text, is_open(text) ? "\n    " : ",\n    ");
}

static void end_list(crm_scene_text *text, const char *bracket) {
    if (!is_open(text)) word(text, "\n  ");
    word(text, bracket);
}

static bool fits(const crm_scene_text *text) {
    return !text->failed && text->bytes.count <= CRM_SCENE_MOST_BYTES;
}

// ---- the top

static void write_value(const carom_setting *setting, double value, crm_scene_text *text) {
    if (setting->type == CAROM_SETTING_WORD)
        crm_scene_text_quoted(text, setting->word((int)value));
    else if (setting->type == CAROM_SETTING_TRUTH)
        word(text, value != 0.0 ? "true" : "false");
    else
        crm_scene_text_number(text, value);
}

static void write_steps(const carom_method_def *method, crm_scene_text *text) {
    key(text, "steps");
    word(text, "[");
    for (int i = 0; i < method->piece_count; i++) {
        word(text, i > 0 ? ", {\"until\": " : "{\"until\": ");
        crm_scene_text_number(text, method->piece[i].until);
        word(text, ", \"step\": ");
        crm_scene_text_number(text, method->piece[i].step);
        word(text, "}");
    }
    word(text, "]");
}

// All settings by their table, group after group. What has no limit is left out.
static void write_method(const carom_method_def *method, crm_scene_text *text) {
    const char *group = "";
    word(text, ",\n  \"method\": {");
    for (int i = 0; i < carom_setting_count(); i++) {
        const carom_setting *setting = carom_setting_at(i);
        double value = carom_setting_get(setting, method);
        if (strcmp(setting->group, group) != 0) {
            if (group[0] != '\0') word(text, "}");
            group = setting->group;
            key(text, group);
            word(text, "{");
        }
        if (!isfinite(value)) continue;
        key(text, setting->key);
        write_value(setting, value, text);
    }
    word(text, group[0] != '\0' ? "}" : "");
    if (method->piece_count > 0) write_steps(method, text);
    word(text, "}");
}

static void write_top(const crm_scene_data *data, crm_scene_text *text) {
    word(text, "{\n  \"carom\": 1,\n  \"name\": ");
    crm_scene_text_quoted(text, data->name);
    word(text, ",\n  \"description\": ");
    crm_scene_text_quoted(text, data->description);
    write_method(&data->method, text);
    word(text, ",\n  \"until\": ");
    crm_scene_text_number(text, data->until);
    word(text, ",\n  \"frame_rate\": ");
    crm_scene_text_number(text, data->frame_rate);
    word(text, ",\n  \"record_contacts\": ");
    word(text, data->record_contacts ? "true" : "false");
    word(text, ",\n  \"gravity\": ");
    triple(text, data->model.gravity);
    word(text, ",\n  \"coulomb_constant\": ");
    crm_scene_text_number(text, data->model.coulomb_constant);
    word(text, ",\n  \"friction_rule\": ");
    crm_scene_text_quoted(text, crm_scene_rule_words[data->model.friction_rule]);
    word(text, ",\n  \"restitution_rule\": ");
    crm_scene_text_quoted(text, crm_scene_rule_words[data->model.restitution_rule]);
    word(text, ",\n  \"start_overlaps\": ");
    crm_scene_text_quoted(text, crm_scene_start_words[data->model.start_overlaps]);
    if (data->model.reference_frame == CAROM_FRAME_INERTIAL) return;
    word(text, ",\n  \"reference_frame\": {");
    string(text, "kind", crm_scene_frame_words[data->model.reference_frame]);
    number(text, "mean_motion", data->model.mean_motion);
    word(text, "}");
}

static void write_mobility(const carom_mobility_def *mobility, crm_scene_text *text) {
    if (mobility->kind == CAROM_MOBILITY_NONE) return;
    word(text, ",\n  \"mobility\": {");
    string(text, "kind", crm_scene_mobility_words[mobility->kind]);
    if (mobility->kind == CAROM_MOBILITY_STOKES) number(text, "viscosity", mobility->viscosity);
    if (mobility->kind == CAROM_MOBILITY_MATRIX) {
        key(text, "matrix");
        word(text, "[");
        for (int i = 0; i < mobility->size && fits(text); i++) {
            item(text);
            numbers(text, mobility->matrix + (ptrdiff_t)i * mobility->size, mobility->size);
        }
        end_list(text, "]");
    }
    word(text, "}");
}

static void write_materials(const crm_scene_data *data, crm_scene_text *text) {
    word(text, ",\n  \"materials\": {");
    for (int i = 0; i < data->material_count; i++) {
        const carom_material_def *def = &data->material[i].def;
        item(text);
        crm_scene_text_quoted(text, def->name);
        word(text, ": {");
        number(text, "friction", def->friction);
        number(text, "restitution", def->restitution);
        if (data->material[i].is_elastic) crm_scene_write_elastic(&data->material[i].elastic, text);
        word(text, "}");
    }
    end_list(text, "},\n  \"material_pairs\": [");
    for (int i = 0; i < data->pair_count; i++) {
        const crm_scene_material_pair *pair = &data->pair[i];
        item(text);
        word(text, "{\"pair\": [");
        crm_scene_text_quoted(text, data->material[pair->a].def.name);
        word(text, ", ");
        crm_scene_text_quoted(text, data->material[pair->b].def.name);
        word(text, "]");
        number(text, "friction", pair->friction);
        number(text, "restitution", pair->restitution);
        word(text, "}");
    }
    end_list(text, "]");
}

static void write_shapes(const crm_scene_data *data, crm_scene_text *text) {
    word(text, ",\n  \"shapes\": {");
    for (int i = 0; i < data->shape_count; i++) {
        const crm_scene_shape *shape = &data->shape[i];
        item(text);
        crm_scene_text_quoted(text, shape->name);
        word(text, ": ");
        crm_scene_write_shape(&shape->def, text);
    }
    end_list(text, "}");
}

// ---- bodies

static bool is_plus_zero(double x) {
    return x == 0.0 && !signbit(x);
}

static void write_inertia(carom_mat3 m, crm_scene_text *text) {
    key(text, "inertia");
    if (is_plus_zero(m.x.y) && is_plus_zero(m.x.z) && is_plus_zero(m.y.x) && is_plus_zero(m.y.z) &&
        is_plus_zero(m.z.x) && is_plus_zero(m.z.y)) {
        triple(text, (carom_vec3){m.x.x, m.y.y, m.z.z});
        return;
    }
    word(text, "[");
    triple(text, (carom_vec3){m.x.x, m.y.x, m.z.x});
    word(text, ", ");
    triple(text, (carom_vec3){m.x.y, m.y.y, m.z.y});
    word(text, ", ");
    triple(text, (carom_vec3){m.x.z, m.y.z, m.z.z});
    word(text, "]");
}

void crm_scene_write_groups(const crm_scene_data *data, const char *name, uint32_t bits, crm_scene_text *text) {
    key(text, name);
    word(text, "[");
    for (int i = 0; i < data->groups.count; i++) {
        if ((bits >> i & 1) == 0) continue;
        if (!is_open(text)) word(text, ", ");
        crm_scene_text_quoted(text, data->groups.name[i]);
    }
    word(text, "]");
}

static void write_body(const crm_scene_data *data, const crm_scene_body *body, int instance, crm_scene_text *text) {
    char name[CRM_SCENE_INSTANCE_NAME];
    carom_body_def def = crm_scene_instance(body, instance, name);
    word(text, "{");
    string(text, "name", name);
    string(text, "kind", carom_body_kind_name(def.kind));
    number(text, "mass", def.mass);
    if (def.kind != CAROM_BODY_POINT) {
        vector(text, "centre", def.centre);
        write_inertia(def.inertia, text);
    }
    vector(text, "position", def.position);
    quaternion(text, "attitude", def.attitude);
    vector(text, "velocity", def.velocity);
    vector(text, "spin", def.spin);
    if (body->shape >= 0) string(text, "shape", data->shape[body->shape].name);
    if (body->material >= 0) string(text, "material", data->material[body->material].def.name);
    if (def.groups != 1) crm_scene_write_groups(data, "groups", def.groups, text);
    if (def.meets != UINT32_MAX) crm_scene_write_groups(data, "meets", def.meets, text);
    word(text, "}");
}

// ---- forces

void crm_scene_write_target(const crm_scene_data *data, const char *name, crm_scene_target target, int n,
                            crm_scene_text *text) {
    key(text, name);
    if (target.nodes != NULL) {
        crm_scene_write_nodes(data, target, n, text);
        return;
    }
    if (target.body < 0) {
        word(text, "\"world\"");
        return;
    }
    char full[CRM_SCENE_INSTANCE_NAME];
    crm_scene_instance(&data->body[target.body], crm_scene_target_instance(target, n), full);
    crm_scene_text_quoted(text, full);
}

static void write_table(const carom_pair_def *pair, crm_scene_text *text) {
    key(text, "distance");
    numbers(text, pair->distance, pair->count);
    key(text, "force");
    numbers(text, pair->force, pair->count);
}

static void write_nodes(const char *name, const carom_vec3 *of_node, int nodes, crm_scene_text *text) {
    key(text, name);
    for (int i = 0; i < nodes && fits(text); i++) {
        word(text, i == 0 ? "[" : ", ");
        triple(text, of_node[i]);
    }
    word(text, "]");
}

// With its numbers, wherever they came from.
static void write_grid(const carom_grid_def *grid, crm_scene_text *text) {
    int nodes = grid->count[0] * grid->count[1] * grid->count[2];
    key(text, "count");
    numbers(text, (double[]){grid->count[0], grid->count[1], grid->count[2]}, 3);
    if (grid->force != NULL) write_nodes("force", grid->force, nodes, text);
    if (grid->torque != NULL) write_nodes("torque", grid->torque, nodes, text);
    if (grid->energy == NULL) return;
    key(text, "energy");
    numbers(text, grid->energy, nodes);
}

static void write_force(const crm_scene_data *data, const crm_scene_force *force, int n, crm_scene_text *text) {
    bool ends = crm_scene_force_has_ends(force->kind);
    word(text, "{");
    string(text, "kind", crm_scene_force_words[force->kind]);
    if (force->kind == CRM_SCENE_LOAD)
        crm_scene_write_loaded(data, force->a, n, text);
    else
        crm_scene_write_target(data, ends ? "a" : "body", force->a, n, text);
    if (ends) crm_scene_write_target(data, "b", force->b, n, text);
    if (force->kind == CRM_SCENE_PAIR) string(text, "law", crm_scene_law_words[force->def.pair.law]);
    members(text, crm_scene_force_members(force), &force->def);
    if (force->kind == CRM_SCENE_PAIR && force->def.pair.law == CAROM_PAIR_LAW_TABLE)
        write_table(&force->def.pair, text);
    if (force->kind == CRM_SCENE_FIELD) write_grid(&force->def.grid, text);
    word(text, "}");
}

// ---- joints

static void write_coordinate(const carom_coordinate_def *c, crm_scene_text *text) {
    word(text, "{");
    members(text, crm_scene_coordinate_members, c);
    key(text, "motor");
    word(text, "{");
    string(text, "kind", crm_scene_motor_words[c->motor.kind]);
    members(text, crm_scene_motor_members, &c->motor);
    word(text, "}}");
}

static void write_switch(const carom_joint_def *def, crm_scene_text *text) {
    if (def->latch.sticky) truth(text, "sticky", true);
    if (def->latch.on) {
        key(text, "latch");
        word(text, "{");
        members(text, crm_scene_latch_members, &def->latch);
        word(text, "}");
    }
    if (def->break_force < INFINITY) number(text, "break_force", def->break_force);
    if (def->break_moment < INFINITY) number(text, "break_moment", def->break_moment);
    if (def->by_command) truth(text, "by_command", true);
}

static void write_joint(const crm_scene_data *data, const crm_scene_joint *joint, int n, crm_scene_text *text) {
    char name[CRM_SCENE_INSTANCE_NAME];
    carom_joint_def def = crm_scene_joint_instance(data, joint, n, name);
    word(text, "{");
    string(text, "name", def.name);
    string(text, "kind", carom_joint_kind_name(def.kind));
    crm_scene_write_target(data, "a", joint->a, n, text);
    crm_scene_write_target(data, "b", joint->b, joint->chain ? n + 1 : n, text);
    vector(text, "point_a", def.point_a);
    vector(text, "point_b", def.point_b);
    quaternion(text, "attitude_a", def.attitude_a);
    quaternion(text, "attitude_b", def.attitude_b);
    if (def.kind == CAROM_JOINT_DISTANCE) number(text, "length", def.length);
    if (def.kind == CAROM_JOINT_MIX) {
        number(text, "linear_free", def.linear_free);
        number(text, "angular_free", def.angular_free);
    }
    truth(text, "bodies_touch", def.bodies_touch);
    write_switch(&def, text);
    int coordinates = def.kind == CAROM_JOINT_DISTANCE ? 0 : def.linear_free + def.angular_free;
    key(text, "coordinates");
    for (int k = 0; k < coordinates; k++) {
        word(text, k == 0 ? "[" : ", ");
        write_coordinate(&def.coordinate[k], text);
    }
    word(text, coordinates > 0 ? "]}" : "[]}");
}

bool crm_scene_write(const crm_scene_data *data, crm_scene_text *text, bool *too_large) {
    write_top(data, text);
    write_mobility(&data->mobility, text);
    write_materials(data, text);
    write_shapes(data, text);
    word(text, ",\n  \"bodies\": [");
    for (int i = 0; i < data->body_count; i++) {
        for (int instance = 0; instance < data->body[i].count && fits(text); instance++) {
            item(text);
            write_body(data, &data->body[i], instance, text);
        }
    }
    if (data->flex_count > 0) end_list(text, "],\n  \"flexible\": [");
    for (int i = 0; i < data->flex_count; i++) {
        for (int instance = 0; instance < data->flex[i].count && fits(text); instance++) {
            item(text);
            crm_scene_write_flex(data, &data->flex[i], instance, text);
        }
    }
    end_list(text, "],\n  \"forces\": [");
    for (int i = 0; i < data->force_count; i++) {
        for (int n = 0; n < data->force[i].count && fits(text); n++) {
            item(text);
            write_force(data, &data->force[i], n, text);
        }
    }
    end_list(text, "],\n  \"joints\": [");
    for (int i = 0; i < data->joint_count; i++) {
        for (int n = 0; n < data->joint[i].count && fits(text); n++) {
            item(text);
            write_joint(data, &data->joint[i], n, text);
        }
    }
    end_list(text, "]");
    crm_scene_write_plan(data, text);
    word(text, "\n}\n");
    *too_large = !text->failed && !fits(text);
    return !*too_large && crm_scene_text_end(text);
}
