// SPDX-License-Identifier: MIT
// Flexible bodies in the resolved text: sets of nodes as numbers, meshes of files as nodes and elements, so that the
// text needs no file and reads back to the same model.
#include "math/mat3.h"
#include "scene/flexible/flexible.h"
#include "scene/write/write_pieces.h"
#include "scene/write/write_scene.h"

static void write_whole(crm_scene_text *text, const int32_t *numbers, int count) {
    word(text, "[");
    for (int i = 0; i < count; i++) {
        if (i > 0) word(text, ", ");
        crm_scene_text_number(text, numbers[i]);
    }
    word(text, "]");
}

static void write_mesh(const crm_scene_mesh *mesh, crm_scene_text *text) {
    const carom_mesh *made = mesh->made;
    bool box = mesh->kind == CRM_SCENE_MESH_BOX;
    key(text, "mesh");
    word(text, "{");
    string(text, "kind", crm_scene_mesh_words[box ? CRM_SCENE_MESH_BOX : CRM_SCENE_MESH_GIVEN]);
    number(text, "order", mesh->order);
    if (box) {
        vector(text, "size", mesh->size);
        vector(text, "cells", crm_vec3(mesh->cells[0], mesh->cells[1], mesh->cells[2]));
        word(text, "}");
        return;
    }
    const int nodes = CAROM_ELEMENT_NODES(mesh->order);
    key(text, "nodes");
    for (int i = 0; i < carom_mesh_node_count(made); i++) {
        word(text, i == 0 ? "[" : ", ");
        triple(text, carom_mesh_nodes(made)[i]);
    }
    word(text, "]");
    key(text, "elements");
    for (int e = 0; e < carom_mesh_element_count(made); e++) {
        word(text, e == 0 ? "[" : ", ");
        write_whole(text, carom_mesh_elements(made) + (ptrdiff_t)nodes * e, nodes);
    }
    word(text, "]}");
}

static void write_stretch(carom_mat3 m, crm_scene_text *text) {
    key(text, "stretch");
    word(text, "[");
    triple(text, crm_vec3(m.x.x, m.y.x, m.z.x));
    word(text, ", ");
    triple(text, crm_vec3(m.x.y, m.y.y, m.z.y));
    word(text, ", ");
    triple(text, crm_vec3(m.x.z, m.y.z, m.z.z));
    word(text, "]");
}

static void write_attachments(const crm_scene_data *data, const crm_scene_flex *flex, int instance,
                              crm_scene_text *text) {
    key(text, "attach");
    word(text, "[");
    for (int i = 0; i < flex->def.attachment_count; i++) {
        word(text, i == 0 ? "{" : ", {");
        crm_scene_write_target(data, "body", flex->holder[i], instance, text);
        key(text, "nodes");
        write_whole(text, flex->attachment[i].nodes, flex->attachment[i].node_count);
        word(text, "}");
    }
    word(text, "]");
}

void crm_scene_write_flex(const crm_scene_data *data, const crm_scene_flex *flex, int instance, crm_scene_text *text) {
    char name[CRM_SCENE_INSTANCE_NAME];
    carom_flex_def def = crm_scene_flex_instance(flex, instance, name);
    word(text, "{");
    string(text, "name", name);
    write_mesh(&flex->mesh, text);
    string(text, "material", data->material[flex->material].def.name);
    vector(text, "position", def.position);
    quaternion(text, "attitude", def.attitude);
    vector(text, "velocity", def.velocity);
    vector(text, "spin", def.spin);
    write_stretch(def.stretch, text);
    if (def.fixed_count > 0) {
        key(text, "fixed");
        write_whole(text, def.fixed, def.fixed_count);
    }
    if (def.attachment_count > 0) write_attachments(data, flex, instance, text);
    string(text, "pieces", crm_scene_pieces_words[def.pieces]);
    string(text, "start", crm_scene_flex_start_words[def.start]);
    number(text, "skin", def.skin);
    truth(text, "self_contact", def.self_contact);
    if (def.groups != 1) crm_scene_write_groups(data, "groups", def.groups, text);
    if (def.meets != UINT32_MAX) crm_scene_write_groups(data, "meets", def.meets, text);
    word(text, "}");
}

void crm_scene_write_elastic(const carom_elastic_def *elastic, crm_scene_text *text) {
    key(text, "elastic");
    word(text, "{");
    string(text, "model", carom_elastic_model_name(elastic->model));
    number(text, "lambda", elastic->lambda);
    number(text, "mu", elastic->mu);
    number(text, "density", elastic->density);
    number(text, "viscosity", elastic->viscosity);
    word(text, "}");
}

static void write_set(const crm_scene_data *data, const crm_scene_nodes *nodes, int instance, const int32_t *node,
                      int count, crm_scene_text *text) {
    char name[CRM_SCENE_INSTANCE_NAME];
    crm_scene_flex_instance(&data->flex[nodes->flex], instance, name);
    word(text, "{");
    string(text, "flexible", name);
    key(text, "nodes");
    write_whole(text, node, count);
    word(text, "}");
}

void crm_scene_write_nodes(const crm_scene_data *data, crm_scene_target target, int n, crm_scene_text *text) {
    int32_t node = crm_scene_nodes_node(target, n);
    write_set(data, target.nodes, crm_scene_nodes_instance(target, n), &node, 1, text);
}

void crm_scene_write_loaded(const crm_scene_data *data, crm_scene_target target, int n, crm_scene_text *text) {
    key(text, "body");
    write_set(data, target.nodes, target.instance >= 0 ? target.instance : n, target.nodes->node, target.nodes->count,
              text);
}
