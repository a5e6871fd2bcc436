// SPDX-License-Identifier: MIT
#include "model/model_part.h"

#include "base/fail.h"
#include "base/forest.h"
#include "model/body_groups.h"
#include "model/force/evaluate.h"

// The part of what acts on these two, by the one of them that moves; -1: none does.
static int part_of(const carom_model *model, const int *of_body, int a, int b) {
    return crm_body_moves(model, a) ? of_body[a] : crm_body_moves(model, b) ? of_body[b] : -1;
}

// That of a function of several bodies, which are one group.
static int part_of_system(const carom_model *model, const int *of_body, const crm_system_callback *callback) {
    for (int i = 0; i < callback->count; i++)
        if (crm_body_moves(model, callback->body[i])) return of_body[callback->body[i]];
    return -1;
}

// ---- which there are

// Marks the group of what something acts on; `of_body` is the forest yet.
static void mark(const carom_model *model, int *forest, bool *coupled, int a, int b) {
    if (crm_body_moves(model, a)) coupled[crm_forest_root(forest, a)] = true;
    if (crm_body_moves(model, b)) coupled[crm_forest_root(forest, b)] = true;
}

static void number_parts(const carom_model *model, const bool *left_out, int *forest, bool *coupled, int *number,
                         crm_model_parts *out) {
    crm_body_groups(model, forest);
    crm_bodies_with_unpaired_forces(model, coupled);
    for (int b = 0; b < model->bodies.count; b++)
        if (coupled[b]) mark(model, forest, coupled, b, -1);
    for (int j = 0; j < model->joints.count; j++)
        mark(model, forest, coupled, model->joints.items[j].a.body, model->joints.items[j].b.body);
    for (int p = 0; p < model->pair_potentials.count; p++)
        mark(model, forest, coupled, model->pair_potentials.items[p].a.body, model->pair_potentials.items[p].b.body);
    for (int f = 0; f < model->flexes.count; f++) // their elements are in no part
        if (model->flexes.items[f].first_moving >= 0)
            coupled[crm_forest_root(forest, model->flexes.items[f].first_moving)] = false;
    for (int b = 0; b < model->bodies.count; b++) {
        int root = crm_forest_root(forest, b);
        bool here = coupled[root] && crm_body_moves(model, b) && !(left_out != NULL && left_out[root]);
        if (root == b) number[b] = here ? out->count++ : -1;
        out->of_body[b] = crm_body_moves(model, b) ? number[root] : -1;
    }
}

// ---- what is in them

// Makes room for as many items as each part has, and leaves the parts empty.
static bool take_items(const carom_model *whole, crm_arena *arena, crm_model_parts *parts) {
    for (int b = 0; b < whole->bodies.count; b++)
        if (parts->of_body[b] >= 0) parts->part[parts->of_body[b]].model.bodies.capacity++;
    for (int j = 0; j < whole->joints.count; j++) {
        const crm_joint *joint = &whole->joints.items[j];
        int part = part_of(whole, parts->of_body, joint->a.body, joint->b.body);
        if (part < 0) continue;
        parts->part[part].model.joints.capacity++;
        // One of the two may be fixed, and then has a copy.
        parts->part[part].model.bodies.capacity +=
            !(crm_body_moves(whole, joint->a.body) && crm_body_moves(whole, joint->b.body));
    }
    for (int p = 0; p < whole->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &whole->pair_potentials.items[p];
        int part = part_of(whole, parts->of_body, pair->a.body, pair->b.body);
        if (part < 0) continue;
        parts->part[part].model.pair_potentials.capacity++;
        parts->part[part].model.springs.capacity += p < whole->springs.count;
        parts->part[part].model.bodies.capacity +=
            !(crm_body_moves(whole, pair->a.body) && crm_body_moves(whole, pair->b.body));
    }
    for (int c = 0; c < whole->system_callbacks.count; c++) {
        const crm_system_callback *callback = &whole->system_callbacks.items[c];
        int part = part_of_system(whole, parts->of_body, callback);
        if (part < 0) continue;
        for (int i = 0; i < callback->count; i++) // what cannot move has copies
            parts->part[part].model.bodies.capacity += !crm_body_moves(whole, callback->body[i]);
    }
    for (int k = 0; k < parts->count; k++) {
        carom_model *model = &parts->part[k].model;
        model->bodies.items = CRM_ARENA_ZEROED(arena, crm_body, model->bodies.capacity);
        model->joints.items = CRM_ARENA_ZEROED(arena, crm_joint, model->joints.capacity);
        model->pair_potentials.items = CRM_ARENA_ZEROED(arena, crm_pair_potential, model->pair_potentials.capacity);
        model->springs.items = CRM_ARENA_ZEROED(arena, crm_spring, model->springs.capacity);
        parts->part[k].body = CRM_ARENA_ARRAY(arena, int, model->bodies.capacity);
        parts->part[k].joint = CRM_ARENA_ARRAY(arena, int, model->joints.capacity);
        parts->part[k].joint_number = CRM_ARENA_ARRAY(arena, int, model->joints.capacity);
    }
    return !crm_arena_refused(arena);
}

static int add_body(const carom_model *whole, crm_model_part *part, int body) {
    int number = part->model.bodies.count++;
    part->model.bodies.items[number] = whole->bodies.items[body];
    part->model.bodies.items[number].flex = -1; // of a fixed node, which is nobody's there
    part->body[number] = body;
    return number;
}

// The number of a body in the part; what cannot move is copied when it is asked for. `local` is the number of those
// that move (body_count).
static int local_of(const carom_model *whole, crm_model_part *part, const int *local, int body) {
    if (body < 0) return -1;
    if (crm_body_moves(whole, body)) return local[body];
    for (int n = part->moving; n < part->model.bodies.count; n++)
        if (part->body[n] == body) return n;
    return add_body(whole, part, body);
}

static void add_bodies(const carom_model *whole, int *local, crm_model_parts *parts) {
    for (int b = 0; b < whole->bodies.count; b++) {
        if (parts->of_body[b] < 0) continue;
        crm_model_part *part = &parts->part[parts->of_body[b]];
        local[b] = add_body(whole, part, b);
        part->moving = part->model.bodies.count;
    }
}

static void add_joints(const carom_model *whole, const int *local, crm_model_parts *parts) {
    for (int j = 0; j < whole->joints.count; j++) {
        crm_joint joint = whole->joints.items[j];
        int number = part_of(whole, parts->of_body, joint.a.body, joint.b.body);
        if (number < 0) continue;
        crm_model_part *part = &parts->part[number];
        joint.a.body = joint.def.a.index = local_of(whole, part, local, joint.a.body);
        joint.b.body = joint.def.b.index = local_of(whole, part, local, joint.b.body);
        part->joint[part->model.joints.count] = j;
        part->joint_number[part->model.joints.count] = whole->joint_numbers != NULL ? whole->joint_numbers[j] : j;
        part->model.joints.items[part->model.joints.count++] = joint;
    }
}

static void add_pairs(const carom_model *whole, const int *local, crm_model_parts *parts) {
    for (int p = 0; p < whole->pair_potentials.count; p++) {
        crm_pair_potential pair = whole->pair_potentials.items[p];
        int number = part_of(whole, parts->of_body, pair.a.body, pair.b.body);
        if (number < 0) continue;
        crm_model_part *part = &parts->part[number];
        pair.a.body = local_of(whole, part, local, pair.a.body);
        pair.b.body = local_of(whole, part, local, pair.b.body);
        part->model.pair_potentials.items[part->model.pair_potentials.count++] = pair;
        if (p >= whole->springs.count) continue; // springs are the first pair potentials, in their order
        crm_spring spring = whole->springs.items[p];
        spring.a = pair.a, spring.b = pair.b;
        part->model.springs.items[part->model.springs.count++] = spring;
        part->model.damper_count += spring.damping > 0.0;
    }
}

// ---- forces of single bodies

static carom_model *model_of(const carom_model *whole, const int *of_body, crm_model_part *part, int body) {
    return crm_body_moves(whole, body) && of_body[body] >= 0 ? &part[of_body[body]].model : NULL;
}

static void count_forces(const carom_model *whole, const int *of_body, crm_model_part *part) {
    carom_model *to;
    for (int i = 0; i < whole->drags.count; i++)
        if ((to = model_of(whole, of_body, part, whole->drags.items[i].body.index)) != NULL) to->drags.capacity++;
    for (int i = 0; i < whole->wrenches.count; i++)
        if ((to = model_of(whole, of_body, part, whole->wrenches.items[i].point.body)) != NULL) to->wrenches.capacity++;
    for (int i = 0; i < whole->callbacks.count; i++)
        if ((to = model_of(whole, of_body, part, whole->callbacks.items[i].body.index)) != NULL)
            to->callbacks.capacity++;
    for (int i = 0; i < whole->fields.count; i++)
        if ((to = model_of(whole, of_body, part, whole->fields.items[i].body)) != NULL) to->fields.capacity++;
}

bool crm_model_parts_add_forces(const carom_model *whole, const int *of_body, const int *number, crm_arena *arena,
                                crm_model_part *part, int count) {
    carom_model *to;
    count_forces(whole, of_body, part);
    for (int k = 0; k < count; k++) {
        carom_model *model = &part[k].model;
        model->drags.items = CRM_ARENA_ZEROED(arena, carom_drag_def, model->drags.capacity);
        model->wrenches.items = CRM_ARENA_ZEROED(arena, crm_wrench, model->wrenches.capacity);
        model->callbacks.items = CRM_ARENA_ZEROED(arena, carom_callback_def, model->callbacks.capacity);
        model->fields.items = CRM_ARENA_ZEROED(arena, crm_field, model->fields.capacity);
    }
    if (crm_arena_refused(arena)) return false;
    for (int i = 0; i < whole->drags.count; i++) {
        carom_drag_def drag = whole->drags.items[i];
        if ((to = model_of(whole, of_body, part, drag.body.index)) == NULL) continue;
        drag.body.index = number[drag.body.index];
        to->drags.items[to->drags.count++] = drag;
    }
    for (int i = 0; i < whole->wrenches.count; i++) {
        crm_wrench wrench = whole->wrenches.items[i];
        if ((to = model_of(whole, of_body, part, wrench.point.body)) == NULL) continue;
        wrench.point.body = number[wrench.point.body];
        to->wrenches.items[to->wrenches.count++] = wrench;
    }
    for (int i = 0; i < whole->callbacks.count; i++) {
        carom_callback_def callback = whole->callbacks.items[i];
        if ((to = model_of(whole, of_body, part, callback.body.index)) == NULL) continue;
        callback.body.index = number[callback.body.index];
        to->callbacks.items[to->callbacks.count++] = callback;
    }
    for (int i = 0; i < whole->fields.count; i++) {
        crm_field field = whole->fields.items[i];
        if ((to = model_of(whole, of_body, part, field.body)) == NULL) continue;
        field.body = number[field.body];
        to->fields.items[to->fields.count++] = field;
    }
    return true;
}

// ---- functions of several bodies

static bool add_system_callbacks(const carom_model *whole, const int *local, crm_arena *arena, crm_model_parts *parts) {
    for (int c = 0; c < whole->system_callbacks.count; c++) {
        int number = part_of_system(whole, parts->of_body, &whole->system_callbacks.items[c]);
        if (number >= 0) parts->part[number].model.system_callbacks.capacity++;
    }
    for (int k = 0; k < parts->count; k++) {
        carom_model *model = &parts->part[k].model;
        model->system_callbacks.items = CRM_ARENA_ZEROED(arena, crm_system_callback, model->system_callbacks.capacity);
    }
    if (crm_arena_refused(arena)) return false;
    for (int c = 0; c < whole->system_callbacks.count; c++) {
        crm_system_callback callback = whole->system_callbacks.items[c];
        int number = part_of_system(whole, parts->of_body, &callback);
        if (number < 0) continue;
        crm_model_part *part = &parts->part[number];
        int *body = CRM_ARENA_ARRAY(arena, int, callback.count);
        if (body == NULL) return false;
        for (int i = 0; i < callback.count; i++) body[i] = local_of(whole, part, local, callback.body[i]);
        callback.body = body;
        part->model.system_callbacks.items[part->model.system_callbacks.count++] = callback;
    }
    return true;
}

// ---- all

carom_status crm_model_parts_create(const carom_model *whole, const bool *left_out, crm_arena *arena,
                                    crm_model_parts *out, carom_error *error) {
    int bodies = whole->bodies.count;
    *out = (crm_model_parts){.of_body = CRM_ARENA_ARRAY(arena, int, bodies)};
    int *forest = CRM_ARENA_ARRAY(arena, int, bodies), *local = CRM_ARENA_ARRAY(arena, int, bodies);
    bool *coupled = CRM_ARENA_ZEROED(arena, bool, bodies);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "groups of bodies", sizeof(int) * (size_t)bodies);
    number_parts(whole, left_out, forest, coupled, local, out);
    out->part = CRM_ARENA_ZEROED(arena, crm_model_part, out->count);
    for (int k = 0; out->part != NULL && k < out->count; k++)
        out->part[k].model = (carom_model){.allocator = whole->allocator, .gravity = whole->gravity, .frozen = true};
    if (crm_arena_refused(arena) || !take_items(whole, arena, out)) {
        out->count = 0;
        return crm_fail_memory(error, "groups of bodies", sizeof(crm_body) * (size_t)bodies);
    }
    add_bodies(whole, local, out);
    add_joints(whole, local, out);
    add_pairs(whole, local, out);
    if (!crm_model_parts_add_forces(whole, out->of_body, local, arena, out->part, out->count) ||
        !add_system_callbacks(whole, local, arena, out)) {
        out->count = 0;
        return crm_fail_memory(error, "groups of bodies", sizeof(crm_body) * (size_t)bodies);
    }
    for (int k = 0; k < out->count; k++) {
        crm_model_part *part = &out->part[k];
        part->model.body_numbers = part->body;
        part->model.joint_numbers = part->joint_number;
        carom_status status = crm_joint_graph_create(&part->model, error);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

void crm_model_parts_release(crm_model_parts *parts) {
    for (int k = 0; k < parts->count; k++) crm_joint_graph_free(&parts->part[k].model.graph);
    parts->count = 0;
}
