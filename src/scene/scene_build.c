// SPDX-License-Identifier: MIT
#include "scene/scene_build.h"

#include <string.h>

#include "math/vec3.h"
#include "scene/flexible/flexible.h"

// A refusal of the model becomes a message; true when there was none.
static bool accepted(const crm_json_node *node, carom_status status, const carom_error *error) {
    if (status == CAROM_OK) return true;
    if (status != CAROM_ERR_NO_MEMORY) return crm_scene_error(node, "%s", error->text);
    node->context->no_memory = true;
    return false;
}

static void add_materials(const crm_json_node *root, crm_scene_data *data, carom_model *model) {
    carom_error error;
    crm_json_node materials = crm_scene_member(root, "materials"), pairs = crm_scene_member(root, "material_pairs");
    for (int i = 0; i < data->material_count && !root->context->no_memory; i++) {
        crm_scene_material *material = &data->material[i];
        if (!material->good) continue;
        crm_json_node node = crm_scene_member(&materials, material->def.name);
        carom_status status = carom_model_add_material(model, &material->def, &material->id, &error);
        material->good = accepted(&node, status, &error);
    }
    for (int i = 0; i < data->pair_count && !root->context->no_memory; i++) {
        crm_scene_material_pair *pair = &data->pair[i];
        if (!pair->good || !data->material[pair->a].good || !data->material[pair->b].good) continue;
        crm_json_node node = crm_scene_item(&pairs, i);
        carom_status status = carom_model_set_material_pair(
            model, data->material[pair->a].id, data->material[pair->b].id, pair->friction, pair->restitution, &error);
        pair->good = accepted(&node, status, &error);
    }
}

static void add_shapes(const crm_json_node *root, crm_scene_data *data, carom_model *model) {
    crm_json_node shapes = crm_scene_member(root, "shapes");
    for (int i = 0; i < data->shape_count && !root->context->no_memory; i++) {
        crm_scene_shape *shape = &data->shape[i];
        if (!shape->good) continue;
        carom_error error;
        carom_status status = carom_model_add_shape(model, shape->name, &shape->def, &shape->id, &error);
        crm_json_node node = crm_scene_member(&shapes, shape->name);
        shape->good = accepted(&node, status, &error);
    }
}

static void add_bodies(const crm_json_node *root, crm_scene_data *data, carom_model *model) {
    crm_json_node bodies = crm_scene_member(root, "bodies");
    for (int i = 0; i < data->body_count && !root->context->no_memory; i++) {
        crm_scene_body *body = &data->body[i];
        if (body->material >= 0) body->def.material = data->material[body->material].id;
        if (body->shape >= 0) body->def.shape = data->shape[body->shape].id;
        crm_json_node node = crm_scene_item(&bodies, i);
        for (int instance = 0; instance < body->count && body->good; instance++) {
            char name[CRM_SCENE_INSTANCE_NAME];
            carom_body_def def = crm_scene_instance(body, instance, name);
            carom_body id = {-1};
            carom_error error;
            carom_status status = carom_model_add_body(model, &def, &id, &error);
            body->good = accepted(&node, status, &error);
            if (instance == 0) body->first = id.index;
        }
    }
}

// Whether a target is in the model, and which body the n-th force acts on.
static bool is_there(const crm_scene_data *data, crm_scene_target target) {
    if (target.nodes != NULL) return data->flex[target.nodes->flex].good && data->flex[target.nodes->flex].first >= 0;
    return target.body < 0 || data->body[target.body].good;
}

static carom_body body_of(const carom_model *model, const crm_scene_data *data, crm_scene_target target, int n) {
    if (target.nodes != NULL) {
        int flex = data->flex[target.nodes->flex].first + crm_scene_nodes_instance(target, n);
        return carom_model_flex_node(model, (carom_flex){flex}, crm_scene_nodes_node(target, n));
    }
    if (target.body < 0) return CAROM_WORLD;
    return (carom_body){data->body[target.body].first + crm_scene_target_instance(target, n)};
}

// Ids of one repeat of a flexible body: those of what it is attached to.
static void find_holders(const carom_model *model, const crm_scene_data *data, const crm_scene_flex *flex,
                         int instance) {
    for (int i = 0; i < flex->def.attachment_count; i++)
        flex->attachment[i].body = body_of(model, data, flex->holder[i], instance);
}

static bool holders_are_there(const crm_scene_data *data, const crm_scene_flex *flex) {
    bool there = true;
    for (int i = 0; i < flex->def.attachment_count; i++) there &= is_there(data, flex->holder[i]);
    return there;
}

static void add_flexible(const crm_json_node *root, crm_scene_data *data, carom_model *model) {
    crm_json_node list = crm_scene_member(root, "flexible");
    for (int i = 0; i < data->flex_count && !root->context->no_memory; i++) {
        crm_scene_flex *flex = &data->flex[i];
        if (!flex->good || !holders_are_there(data, flex)) continue;
        flex->def.material = data->material[flex->material].id;
        crm_json_node node = crm_scene_item(&list, i);
        for (int instance = 0; instance < flex->count && flex->good; instance++) {
            char name[CRM_SCENE_INSTANCE_NAME];
            find_holders(model, data, flex, instance);
            carom_flex_def def = crm_scene_flex_instance(flex, instance, name);
            carom_flex id = {-1};
            carom_error error;
            carom_status status = carom_model_add_flex(model, &def, &id, &error);
            flex->good = accepted(&node, status, &error);
            if (instance == 0) flex->first = id.index;
        }
    }
}

static void set_mobility(const crm_json_node *root, const crm_scene_data *data, carom_model *model) {
    static const char subject[] = "mobility: "; // which the path says already
    crm_json_node node = crm_scene_member(root, "mobility");
    if (node.value == NULL || !data->mobility_good) return;
    carom_error error;
    carom_status status = carom_model_set_mobility(model, &data->mobility, &error);
    if (status == CAROM_ERR_BAD_INPUT && strncmp(error.text, subject, strlen(subject)) == 0)
        crm_scene_error(&node, "%s", error.text + strlen(subject));
    else
        accepted(&node, status, &error);
}

// A force on each of the nodes that have a share of it.
static carom_status add_load(const crm_scene_data *data, const crm_scene_force *force, int n, carom_model *model,
                             carom_error *error) {
    carom_status status = CAROM_OK;
    int count = force->a.nodes->count;
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        carom_wrench_def def = carom_wrench_def_default();
        if (force->def.load.share[i] == 0.0) continue;
        def.body = body_of(model, data, force->a, n * count + i);
        def.force = crm_scale(force->def.load.share[i], force->def.load.force);
        status = carom_model_add_wrench(model, &def, error);
    }
    return status;
}

static carom_status add_force(const crm_scene_data *data, crm_scene_force *force, int n, carom_model *model,
                              carom_error *error) {
    carom_body a = body_of(model, data, force->a, n);
    switch (force->kind) {
    case CRM_SCENE_DRAG:
        force->def.drag.body = a;
        return carom_model_add_drag(model, &force->def.drag, error);
    case CRM_SCENE_SPRING:
        force->def.spring.a = a;
        force->def.spring.b = body_of(model, data, force->b, n);
        return carom_model_add_spring(model, &force->def.spring, error);
    case CRM_SCENE_CHARGE:
        force->def.charge.body = a;
        return carom_model_add_charge(model, &force->def.charge, error);
    case CRM_SCENE_MAGNET:
        force->def.magnet.body = a;
        return carom_model_add_magnet(model, &force->def.magnet, error);
    case CRM_SCENE_PAIR:
        force->def.pair.a = a;
        force->def.pair.b = body_of(model, data, force->b, n);
        return carom_model_add_pair(model, &force->def.pair, error);
    case CRM_SCENE_CENTRAL:
        force->def.central.body = a;
        return carom_model_add_central(model, &force->def.central, error);
    case CRM_SCENE_ATMOSPHERE:
        force->def.atmosphere.body = a;
        return carom_model_add_atmosphere(model, &force->def.atmosphere, error);
    case CRM_SCENE_SUNLIGHT:
        force->def.sunlight.body = a;
        return carom_model_add_sunlight(model, &force->def.sunlight, error);
    case CRM_SCENE_LOAD:
        return add_load(data, force, n, model, error);
    case CRM_SCENE_FIELD:
        force->def.grid.body = a;
        return carom_model_add_grid(model, &force->def.grid, error);
    default:
        force->def.wrench.body = a;
        return carom_model_add_wrench(model, &force->def.wrench, error);
    }
}

static void add_forces(const crm_json_node *root, crm_scene_data *data, carom_model *model) {
    crm_json_node forces = crm_scene_member(root, "forces");
    for (int i = 0; i < data->force_count && !root->context->no_memory; i++) {
        crm_scene_force *force = &data->force[i];
        crm_json_node node = crm_scene_item(&forces, i);
        if (!is_there(data, force->a) || !is_there(data, force->b)) continue;
        for (int n = 0; n < force->count && force->good; n++) {
            carom_error error;
            carom_status status = add_force(data, force, n, model, &error);
            force->good = accepted(&node, status, &error);
        }
    }
}

static void add_joints(const crm_json_node *root, crm_scene_data *data, carom_model *model) {
    crm_json_node joints = crm_scene_member(root, "joints");
    for (int i = 0; i < data->joint_count && !root->context->no_memory; i++) {
        crm_scene_joint *joint = &data->joint[i];
        crm_json_node node = crm_scene_item(&joints, i);
        if (!is_there(data, joint->a) || !is_there(data, joint->b)) continue;
        for (int n = 0; n < joint->count && joint->good; n++) {
            char name[CRM_SCENE_INSTANCE_NAME];
            carom_joint_def def = crm_scene_joint_instance(data, joint, n, name);
            def.a = body_of(model, data, joint->a, n);
            def.b = body_of(model, data, joint->b, joint->chain ? n + 1 : n);
            carom_error error;
            carom_status status = carom_model_add_joint(model, &def, NULL, &error);
            joint->good = accepted(&node, status, &error);
        }
    }
}

static void freeze(const crm_json_node *root, const crm_scene_data *data, carom_model *model) {
    carom_error error;
    carom_status status = carom_model_freeze(model, &error);
    crm_json_node mobility = crm_scene_member(root, "mobility"); // what else bodies must have is asked for by it alone
    if (!accepted(mobility.value != NULL ? &mobility : root, status, &error) || !data->method_good) return;
    crm_json_node method = crm_scene_member(root, "method");
    status = carom_method_supports(model, &data->method, &error);
    accepted(&method, status, &error);
}

carom_model *crm_scene_build(const crm_json_node *root, crm_scene_data *data) {
    data->model.allocator = &root->context->allocator;
    carom_model *model = NULL;
    carom_error error;
    carom_status status = carom_model_create(&data->model, &model, &error);
    if (!accepted(root, status, &error)) return NULL;
    add_materials(root, data, model);
    if (!root->context->no_memory) add_shapes(root, data, model);
    if (!root->context->no_memory) add_bodies(root, data, model);
    if (!root->context->no_memory) add_flexible(root, data, model);
    if (!root->context->no_memory) set_mobility(root, data, model);
    if (!root->context->no_memory) add_forces(root, data, model);
    if (!root->context->no_memory) add_joints(root, data, model);
    if (!root->context->no_memory) freeze(root, data, model);
    if (!root->context->no_memory) return model;
    carom_model_destroy(model);
    return NULL;
}
