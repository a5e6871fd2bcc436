// SPDX-License-Identifier: MIT
// What a saved state must fit, as one number.
#include "base/hash.h"
#include "model/field/grid.h"
#include "model/field/pair_laws.h"
#include "model/joint/joint_switch.h"
#include "model/model_state.h"

// The hash of a value, and of numbers of any kind as doubles.
#define HASH(hash, value) crm_hash(hash, &(value), sizeof(value))
#define HASH_NUMBERS(hash, ...) crm_hash(hash, (double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}))

static uint64_t hash_point(uint64_t hash, const crm_point *point) {
    hash = HASH(hash, point->body);
    return HASH(hash, point->at);
}

static uint64_t hash_side(uint64_t hash, const crm_joint_side *side) {
    hash = HASH(hash, side->body);
    hash = HASH(hash, side->at);
    return HASH(hash, side->rotation);
}

static uint64_t hash_joint(uint64_t hash, const crm_joint *joint) {
    hash = HASH_NUMBERS(hash, (double)joint->def.kind, (double)joint->def.linear_free, (double)joint->def.angular_free,
                        joint->def.length);
    hash = hash_side(hash_side(hash, &joint->a), &joint->b);
    for (int k = 0; k < joint->free; k++) {
        const carom_coordinate_def *c = &joint->def.coordinate[k];
        hash = HASH_NUMBERS(hash, c->lower, c->upper, c->stiffness, c->rest, c->damping, c->motor.target,
                            c->motor.target_rate, c->motor.force, c->motor.stiffness, c->motor.damping,
                            (double)c->motor.kind, c->motor.max_force);
    }
    if (!crm_joint_switches(joint)) return hash;
    const carom_latch_def *latch = &joint->def.latch;
    return HASH_NUMBERS(hash, latch->on, latch->sticky, latch->distance, latch->angle, latch->speed,
                        joint->def.break_force, joint->def.break_moment, joint->def.by_command);
}

static uint64_t hash_shape(uint64_t hash, const carom_shape_def *def) {
    hash = HASH(hash, def->kind);
    switch (def->kind) {
    case CAROM_SHAPE_SPHERE:
        return HASH(hash, def->sphere.radius);
    case CAROM_SHAPE_ELLIPSOID:
        return HASH(hash, def->ellipsoid.half_axes);
    case CAROM_SHAPE_BOX:
        return HASH(hash, def->box.size);
    case CAROM_SHAPE_CAPSULE:
        return HASH(hash, def->capsule);
    case CAROM_SHAPE_POLYTOPE:
        hash = HASH(hash, def->polytope.centre);
        return crm_hash(hash, def->polytope.vertices,
                        (size_t)def->polytope.vertex_count * sizeof *def->polytope.vertices);
    case CAROM_SHAPE_HALF_SPACE:
        return HASH(hash, def->half_space);
    case CAROM_SHAPE_CONTAINER:
        return HASH(hash, def->container.radius);
    default:
        for (int i = 0; i < def->compound.part_count; i++) {
            const carom_compound_part *part = &def->compound.parts[i];
            hash = crm_hash(hash_shape(hash, part->shape), &part->pose, sizeof part->pose);
            hash = HASH(hash, part->density);
        }
        return hash;
    }
}

// What only contacts depend on. The filter is the caller's, as callbacks are: that there is one is all one can tell.
static uint64_t hash_contact(uint64_t hash, const carom_model *model) {
    for (int i = 0; i < model->shapes.count; i++) {
        carom_shape_def def;
        carom_shape_get_def(model->shapes.items[i].shape, &def);
        hash = hash_shape(hash, &def);
    }
    for (int i = 0; i < model->bodies.count; i++) {
        const carom_body_def *def = &model->bodies.items[i].def;
        const int64_t numbers[] = {def->shape.index, def->material.index, def->groups, def->meets};
        hash = crm_hash(hash, numbers, sizeof numbers);
    }
    for (int i = 0; i < model->materials.count; i++) {
        const carom_material_def *def = &model->materials.items[i].def;
        hash = HASH_NUMBERS(hash, def->friction, def->restitution);
    }
    for (int i = 0; i < model->material_pairs.count; i++) {
        const crm_material_pair *pair = &model->material_pairs.items[i];
        hash = HASH_NUMBERS(hash, (double)pair->a, (double)pair->b, pair->friction, pair->restitution);
    }
    for (int i = 0; i < model->joints.count; i++) {
        int touch = model->joints.items[i].def.bodies_touch;
        hash = HASH(hash, touch);
    }
    const int rules[] = {(int)model->friction_rule, (int)model->restitution_rule, model->filter != NULL};
    return crm_hash(hash, rules, sizeof rules);
}

static uint64_t hash_grid(uint64_t hash, const crm_grid *grid) {
    size_t nodes = (size_t)grid->count[0] * (size_t)grid->count[1] * (size_t)grid->count[2];
    hash = HASH(hash, grid->origin);
    hash = HASH(hash, grid->spacing);
    hash = HASH(hash, grid->count);
    if (grid->torque != NULL) hash = crm_hash(hash, grid->torque, nodes * sizeof *grid->torque);
    if (grid->force != NULL) return crm_hash(hash, grid->force, nodes * sizeof *grid->force);
    return crm_hash(hash, grid->energy, nodes * sizeof *grid->energy);
}

// Of springs and charges nothing: their numbers are the pair's own.
static uint64_t hash_law(uint64_t hash, const crm_pair_potential *pair) {
    switch (pair->kind) {
    case CRM_PAIR_POTENTIAL_POWER:
        return crm_hash(hash, pair->law.power, sizeof *pair->law.power);
    case CRM_PAIR_POTENTIAL_TABLE:
        return crm_hash(hash, pair->law.table->cell, (size_t)pair->law.table->count * sizeof(crm_table_cell));
    case CRM_PAIR_POTENTIAL_CENTRAL:
        return crm_hash(hash, pair->law.central, sizeof *pair->law.central);
    case CRM_PAIR_POTENTIAL_GRID:
        return hash_grid(hash, pair->law.grid);
    default:
        return hash;
    }
}

static uint64_t hash_field(uint64_t hash, const crm_field *field) {
    const carom_atmosphere_def *a = &field->of.atmosphere;
    const carom_sunlight_def *s = &field->of.sunlight;
    hash = HASH_NUMBERS(hash, (double)field->kind, (double)field->body);
    switch (field->kind) {
    case CRM_FIELD_ATMOSPHERE:
        return HASH_NUMBERS(hash, a->centre.x, a->centre.y, a->centre.z, a->radius, a->density, a->scale_height,
                            a->drag_area, a->rotation.x, a->rotation.y, a->rotation.z);
    case CRM_FIELD_SUNLIGHT:
        return HASH_NUMBERS(hash, s->direction.x, s->direction.y, s->direction.z, s->pressure, s->area, s->reflectivity,
                            s->centre.x, s->centre.y, s->centre.z, s->shadow_radius);
    case CRM_FIELD_GRID:
        return hash_grid(hash, field->of.grid);
    case CRM_FIELD_CORIOLIS:
        break;
    }
    return HASH(hash, field->of.mean_motion);
}

// A function is the caller's: that there is one, and whom it acts on, is all one can tell.
static uint64_t hash_system_callback(uint64_t hash, const crm_system_callback *callback) {
    return crm_hash(HASH(hash, callback->count), callback->body, (size_t)callback->count * sizeof *callback->body);
}

static uint64_t hash_flex(uint64_t hash, const crm_flex *flex) {
    const carom_flex_def *def = &flex->def;
    const carom_elastic_def *elastic = &def->elastic;
    const int64_t numbers[] = {flex->first_body, flex->node_count,  elastic->model,      carom_mesh_order(def->mesh),
                               def->pieces,      def->self_contact, def->material.index, def->groups,
                               def->meets};
    hash = crm_hash(hash, numbers, sizeof numbers);
    hash = HASH_NUMBERS(hash, elastic->lambda, elastic->mu, elastic->density, elastic->viscosity, def->skin);
    size_t order = (size_t)CAROM_ELEMENT_NODES(carom_mesh_order(def->mesh));
    hash = crm_hash(hash, carom_mesh_nodes(def->mesh), (size_t)flex->node_count * sizeof(carom_vec3));
    hash = crm_hash(hash, carom_mesh_elements(def->mesh),
                    (size_t)carom_mesh_element_count(def->mesh) * order * sizeof(int32_t));
    for (int i = 0; i < flex->attachment_count; i++) {
        const crm_flex_attachment *a = &flex->attachment[i];
        hash = HASH_NUMBERS(hash, (double)a->node, (double)a->body, a->at.x, a->at.y, a->at.z);
    }
    return hash;
}

uint64_t crm_model_fingerprint(const carom_model *model) {
    uint64_t hash = crm_hash(1, &model->gravity, sizeof model->gravity);
    for (int i = 0; i < model->bodies.count; i++) {
        const crm_body *body = &model->bodies.items[i];
        hash = HASH_NUMBERS(hash, (double)body->kind, body->mass, body->inertia.x, body->inertia.y, body->inertia.z,
                            body->centre.x, body->centre.y, body->centre.z, body->frame.w, body->frame.x, body->frame.y,
                            body->frame.z);
    }
    for (int i = 0; i < model->pair_potentials.count; i++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[i];
        hash = HASH_NUMBERS(hash, (double)pair->kind, pair->strength, pair->rest_length);
        hash = hash_point(hash_point(hash, &pair->a), &pair->b);
        hash = hash_law(hash, pair);
    }
    for (int i = 0; i < model->drags.count; i++) {
        const carom_drag_def *drag = &model->drags.items[i];
        hash = HASH_NUMBERS(hash, (double)drag->body.index, drag->linear, drag->quadratic, drag->angular);
    }
    for (int i = 0; i < model->springs.count; i++)
        hash = crm_hash(hash, &model->springs.items[i].damping, sizeof(double));
    for (int i = 0; i < model->wrenches.count; i++) {
        const crm_wrench *wrench = &model->wrenches.items[i];
        const carom_vec3 vectors[] = {wrench->force, wrench->torque, {wrench->in_body_axes, 0.0, 0.0}};
        hash = hash_point(crm_hash(hash, vectors, sizeof vectors), &wrench->point);
    }
    for (int i = 0; i < model->joints.count; i++) hash = hash_joint(hash, &model->joints.items[i]);
    if (model->mobility.kind != CAROM_MOBILITY_NONE) {
        hash = HASH_NUMBERS(hash, (double)model->mobility.kind, model->mobility.viscosity);
        hash = crm_hash(hash, model->mobility.matrix.items, (size_t)model->mobility.matrix.count * sizeof(double));
    }
    hash = HASH(hash, model->callbacks.count);
    for (int i = 0; i < model->system_callbacks.count; i++)
        hash = hash_system_callback(hash, &model->system_callbacks.items[i]);
    for (int i = 0; i < model->fields.count; i++) hash = hash_field(hash, &model->fields.items[i]);
    for (int i = 0; i < model->flexes.count; i++) hash = hash_flex(hash, &model->flexes.items[i]);
    return model->shapes.count == 0 ? hash : hash_contact(hash, model);
}
