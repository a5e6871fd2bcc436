// SPDX-License-Identifier: MIT
#include "scene/check/scene_limits.h"

#include <math.h>
#include <string.h>

#include "scene/read/fields.h"

// Bytes that a body, a joint, a force and a pair of charges have in models, states and methods, about.
static const double body_bytes = 4000, part_bytes = 1000, joint_bytes = 6000, force_bytes = 300, pair_bytes = 200;
// And in the resolved text, beside their names.
static const double body_text = 350, joint_text = 700, force_text = 250;
// Bytes for each number of a table or a grid, in the model and in the text.
static const double listed_bytes = 60, listed_text = 25;
// Bytes of an element, with its part of stiffness matrices; in the text of a mesh, of an element and of a node; and of
// the number of a node in a set.
static const double element_bytes = 1500, element_text = 25, corner_text = 65, index_text = 7;
// Matrices of the size of a mobility that a step has.
static const double mobility_copies = 10;
// s of a reference machine for each row of it, cubed: factors and products.
static const double mobility_cube = 1e-10;

typedef struct totals {
    double bodies, moving, parts, joints, forces, pairs; // numbers; parts of compounds
    double listed;                                       // numbers of tables and grids
    double elements;                                     // of flexible bodies
    double text;                                         // bytes
} totals;

static double length_of(const char *name) {
    return name != NULL ? (double)strlen(name) : 0.0;
}

static double listed_numbers(const crm_scene_force *force) {
    const carom_grid_def *grid = &force->def.grid;
    if (force->kind == CRM_SCENE_PAIR) return 2.0 * force->def.pair.count;
    if (force->kind != CRM_SCENE_FIELD) return 0.0;
    return (grid->torque != NULL  ? 6.0
            : grid->force != NULL ? 3.0
                                  : 1.0) *
           grid->count[0] * grid->count[1] * grid->count[2];
}

static void count_flexible(const crm_scene_data *data, totals *t) {
    for (int i = 0; i < data->flex_count; i++) {
        const crm_scene_flex *flex = &data->flex[i];
        if (!flex->good) continue;
        double count = flex->count, nodes = carom_mesh_node_count(flex->mesh.made),
               elements = carom_mesh_element_count(flex->mesh.made), listed = flex->def.fixed_count;
        for (int k = 0; k < flex->def.attachment_count; k++) listed += flex->attachment[k].node_count;
        t->bodies += count * nodes;
        t->moving += count * (nodes - flex->def.fixed_count);
        t->elements += count * elements * (flex->mesh.order == 2 ? 6.0 : 1.0);
        t->text += count * (body_text + length_of(flex->def.name) + index_text * listed);
        if (flex->mesh.kind != CRM_SCENE_MESH_BOX)
            t->text += count * (corner_text * nodes + element_text * elements * (flex->mesh.order == 2 ? 2.5 : 1.0));
    }
}

static totals count_all(const crm_scene_data *data) {
    totals t = {.text = 0.0};
    double charges = 0.0;
    count_flexible(data, &t);
    for (int i = 0; i < data->body_count; i++) {
        const crm_scene_body *body = &data->body[i];
        double count = body->good ? body->count : 0;
        t.bodies += count;
        if (body->good && body->shape >= 0 && data->shape[body->shape].def.kind == CAROM_SHAPE_COMPOUND)
            t.parts += count * data->shape[body->shape].def.compound.part_count;
        if (body->def.kind != CAROM_BODY_FIXED) t.moving += count;
        t.text += count * (body_text + length_of(body->def.name));
    }
    for (int i = 0; i < data->joint_count; i++) {
        double count = data->joint[i].good ? data->joint[i].count : 0;
        t.joints += count;
        t.text += count * (joint_text + length_of(data->joint[i].def.name));
    }
    for (int i = 0; i < data->force_count; i++) {
        const crm_scene_force *force = &data->force[i];
        double count = force->good ? force->count : 0;
        double nodes = force->good && force->kind == CRM_SCENE_LOAD ? force->a.nodes->count : 1.0;
        t.forces += count * nodes;
        t.text += count * (force_text + index_text * nodes);
        if (force->good) t.listed += count * listed_numbers(force);
        if (force->good && force->a.body >= 0) t.text += count * length_of(data->body[force->a.body].def.name);
        charges += count * (force->kind == CRM_SCENE_CHARGE ? 1 : force->kind == CRM_SCENE_MAGNET ? 2 : 0);
    }
    t.text += listed_text * t.listed;
    t.pairs = 0.5 * charges * (charges - 1.0);
    return t;
}

// A matrix that couples all bodies that move, or as many rows as there are.
static bool check_mobility(const crm_json_node *root, const crm_scene_data *data, const totals *t) {
    const carom_limits *limits = &root->context->limits;
    if (data->mobility.kind == CAROM_MOBILITY_NONE) return true;
    crm_json_node node = crm_scene_member(root, "mobility");
    double rows = 6.0 * t->moving;
    return crm_scene_within(&node, mobility_copies * rows * rows * sizeof(double), limits->memory, "memory",
                            "bytes for matrices that couple all bodies") &&
           crm_scene_within(&node, mobility_cube * rows * rows * rows, limits->seconds, "seconds",
                            "s of each step for matrices that couple all bodies");
}

bool crm_scene_check_limits(const crm_json_node *root, const crm_scene_data *data) {
    const carom_limits *limits = &root->context->limits;
    crm_json_node forces = crm_scene_member(root, "forces"), until = crm_scene_member(root, "until");
    totals t = count_all(data);
    double memory = body_bytes * t.bodies + part_bytes * t.parts + joint_bytes * t.joints + force_bytes * t.forces +
                    pair_bytes * t.pairs + listed_bytes * t.listed + element_bytes * t.elements + t.text;
    bool good = true;
    if (forces.value != NULL)
        good &= crm_scene_within(&forces, t.pairs, limits->pairs, "pairs", "pairs of charges (a magnet has two)");
    good &= crm_scene_within(root, memory, limits->memory, "memory", "bytes of memory");
    good &= crm_scene_within(root, t.text, limits->text, "text", "bytes of text with its repeats written out");
    if (data->method_good && data->method.step > 0.0)
        good &= crm_scene_within(until.value != NULL ? &until : root,
                                 carom_method_step_count(&data->method, data->until), limits->steps, "steps", "steps");
    return check_mobility(root, data, &t) && good;
}

bool crm_scene_spend(const crm_json_node *node, double seconds) {
    crm_scene_context *context = node->context;
    double before = context->seconds, most = context->limits.seconds;
    context->seconds += seconds;
    if (before > most) return false; // it has been said
    return crm_scene_within(node, context->seconds, most, "seconds", "s for its shapes up to here");
}
