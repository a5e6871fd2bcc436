// SPDX-License-Identifier: MIT
// Adding a flexible body: its mesh and material are copied, its nodes become bodies.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "flex/mesh/mesh.h"
#include "math/quat.h"
#include "model/motion.h"
#include "shape/shape.h"

carom_flex_def carom_flex_def_default(void) {
    return (carom_flex_def){.struct_size = sizeof(carom_flex_def),
                            .elastic = carom_elastic_def_default(),
                            .attitude = {1.0, 0.0, 0.0, 0.0},
                            .stretch = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                            .pieces = CAROM_FLEX_PIECES_ELEMENTS,
                            .start = CAROM_FLEX_START_REST,
                            .material = {-1},
                            .groups = 1,
                            .meets = UINT32_MAX};
}

// A flexible body on its way into the model.
typedef struct adding {
    const carom_model *model;
    const char *text;           // what sentences call it
    crm_arena *arena, *scratch; // the model's, where all that stays is; what does not
    crm_flex flex;              // becomes the model's
    int *holder;                // of a node: NOBODY, the world, or a body (node_count)
    crm_body *nodes;            // (node_count)
    carom_error *error;
} adding;

enum { NOBODY = -2, WORLD = -1 };

// ---- our own copies

static const int32_t *copy_nodes(crm_arena *arena, const int32_t *nodes, int count) {
    int32_t *copy = CRM_ARENA_ARRAY(arena, int32_t, count);
    if (copy != NULL && count > 0) memcpy(copy, nodes, (size_t)count * sizeof *copy);
    return copy;
}

static carom_status copy_definition(adding *a, const carom_flex_def *given) {
    carom_flex_def *def = &a->flex.def;
    *def = *given;
    def->attitude = crm_quat_normalised(given->attitude);
    def->mesh = crm_mesh_copy(given->mesh, a->arena);
    def->fixed = copy_nodes(a->arena, given->fixed, given->fixed_count);
    carom_flex_attachment *attachments = CRM_ARENA_ZEROED(a->arena, carom_flex_attachment, given->attachment_count);
    for (int i = 0; attachments != NULL && i < given->attachment_count; i++) {
        attachments[i] = given->attachments[i];
        attachments[i].nodes = copy_nodes(a->arena, given->attachments[i].nodes, given->attachments[i].node_count);
    }
    def->attachments = attachments;
    a->flex.node_count = carom_mesh_node_count(given->mesh);
    a->flex.first_body = a->model->bodies.count;
    a->holder = CRM_ARENA_ARRAY(a->scratch, int, a->flex.node_count);
    a->nodes = CRM_ARENA_ZEROED(a->scratch, crm_body, a->flex.node_count);
    if (def->mesh == NULL || crm_arena_refused(a->arena) || crm_arena_refused(a->scratch))
        return crm_fail(a->error, CAROM_ERR_NO_MEMORY, "%s: no memory for %d nodes", a->text, a->flex.node_count);
    crm_elastic *elastic = crm_elastic_create(def->mesh, &def->elastic, a->arena);
    if (elastic == NULL) return crm_fail(a->error, CAROM_ERR_NO_MEMORY, "%s: no memory for its elements", a->text);
    a->flex.elastic = elastic;
    a->flex.graph = crm_elastic_graph(elastic);
    return CAROM_OK;
}

// ---- what holds nodes

static carom_status hold(adding *a, int node, int by) {
    char name[2][CRM_BODY_TEXT];
    int former = a->holder[node];
    if (former == NOBODY || former == by) {
        a->holder[node] = by;
        return CAROM_OK;
    }
    return crm_refuse(a->error, "%s: node %d is held by %s and by %s; leave one of them out", a->text, node,
                      crm_body_text(a->model, former, name[0]), crm_body_text(a->model, by, name[1]));
}

static carom_status find_holders(adding *a) {
    const carom_flex_def *def = &a->flex.def;
    carom_status status = CAROM_OK;
    for (int n = 0; n < a->flex.node_count; n++) a->holder[n] = NOBODY;
    for (int i = 0; status == CAROM_OK && i < def->fixed_count; i++) status = hold(a, def->fixed[i], WORLD);
    for (int i = 0; i < def->attachment_count; i++) {
        const carom_flex_attachment *one = &def->attachments[i];
        for (int k = 0; status == CAROM_OK && k < one->node_count; k++)
            status = hold(a, one->nodes[k], crm_body_moves(a->model, one->body.index) ? one->body.index : WORLD);
    }
    return status;
}

static carom_status list_attachments(adding *a) {
    crm_flex *flex = &a->flex;
    for (int n = 0; n < flex->node_count; n++) flex->attachment_count += a->holder[n] >= 0;
    crm_flex_attachment *list = CRM_ARENA_ZEROED(a->arena, crm_flex_attachment, flex->attachment_count);
    if (list == NULL) return crm_fail(a->error, CAROM_ERR_NO_MEMORY, "%s: no memory for attachments", a->text);
    flex->attachment = list;
    for (int n = 0; n < flex->node_count; n++) {
        if (a->holder[n] < 0) continue;
        crm_motion of_body = crm_motion_initial(&a->model->bodies.items[a->holder[n]]);
        carom_vec3 arm = crm_sub(a->nodes[n].def.position, of_body.x);
        *list++ = (crm_flex_attachment){flex->first_body + n, a->holder[n], crm_quat_rotate_inverse(of_body.q, arm)};
    }
    return CAROM_OK;
}

// ---- nodes

// Of what a body carries the velocity that it gives.
static carom_vec3 velocity_of(const adding *a, int node, carom_vec3 position, carom_vec3 arm) {
    if (a->holder[node] == WORLD) return crm_vec3_zero();
    if (a->holder[node] == NOBODY) return crm_add(a->flex.def.velocity, crm_cross(a->flex.def.spin, arm));
    const crm_body *body = &a->model->bodies.items[a->holder[node]];
    crm_motion motion = crm_motion_initial(body);
    carom_vec3 from_centre = crm_sub(position, motion.x);
    return crm_add(crm_motion_velocity(body, &motion), crm_cross(crm_motion_spin(body, &motion), from_centre));
}

// "cube/17" of node 17 of "cube", for tables of bodies; NULL for nodes of a body without a name. Nothing is found by
// it: names are found in the model's tables, and those of nodes are in none.
static carom_status name_node(adding *a, int node, const char **out) {
    const char *name = a->flex.def.name;
    *out = NULL;
    if (name == NULL) return CAROM_OK;
    size_t room = strlen(name) + sizeof "/2147483647";
    char *full = CRM_ARENA_ARRAY(a->arena, char, (ptrdiff_t)room);
    if (full == NULL) return crm_fail(a->error, CAROM_ERR_NO_MEMORY, "%s: no memory for names of nodes", a->text);
    snprintf(full, room, "%s/%d", name, node);
    *out = full;
    return CAROM_OK;
}

static carom_status make_nodes(adding *a, int index) {
    crm_flex *flex = &a->flex;
    const carom_flex_def *def = &flex->def;
    const carom_vec3 *rest = carom_mesh_nodes(def->mesh);
    const double *mass = crm_elastic_masses(flex->elastic);
    flex->first_moving = -1;
    for (int n = 0; n < flex->node_count; n++) {
        char text[CRM_BODY_TEXT + 32];
        snprintf(text, sizeof text, "%.100s: node %d", a->text, n);
        carom_vec3 arm = crm_quat_rotate(def->attitude, crm_mat3_apply(def->stretch, rest[n]));
        crm_body *body = &a->nodes[n];
        *body = (crm_body){.kind = a->holder[n] == WORLD ? CAROM_BODY_FIXED : CAROM_BODY_POINT,
                           .mass = mass[n],
                           .frame = crm_quat_identity(),
                           .flex = index,
                           .def = carom_body_def_default()};
        body->def.kind = body->kind;
        body->def.mass = mass[n];
        body->def.position = crm_add(def->position, arm);
        body->def.velocity = velocity_of(a, n, body->def.position, arm);
        body->def.material = def->material;
        body->def.groups = def->groups;
        body->def.meets = def->meets;
        if (!crm_vec3_finite(body->def.position) || !(mass[n] > 0.0) || !isfinite(mass[n]))
            return crm_refuse(a->error,
                              "%s would be at (%g, %g, %g) m with a mass of %g kg, which must be finite; "
                              "make position, stretch or density smaller",
                              text, body->def.position.x, body->def.position.y, body->def.position.z, mass[n]);
        if (body->kind == CAROM_BODY_POINT) {
            body->inverse_mass = 1.0 / mass[n];
            if (flex->first_moving < 0) flex->first_moving = flex->first_body + n;
        }
        carom_status status = name_node(a, n, &body->def.name);
        if (status != CAROM_OK) return status;
        status = crm_body_check_energy(text, body, body->def.velocity, crm_vec3_zero(), a->error);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// A node at the surface touches as a ball of the skin: without one, as a point, which no caller can ask for.
static carom_status make_balls(adding *a) {
    crm_flex *flex = &a->flex;
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = fmax(flex->def.skin, CAROM_SHAPE_LEAST_SIZE);
    carom_allocator memory = crm_arena_allocator(a->arena);
    carom_shape *ball = NULL;
    carom_status status = carom_shape_create(&def, &memory, &ball, a->error);
    if (status != CAROM_OK) return status;
    ball->radius = ball->bounding_radius = ball->in_radius = ball->farthest = flex->def.skin;
    flex->ball = ball;
    int triangles;
    const carom_mesh_triangle *surface = carom_mesh_surface(flex->def.mesh, &triangles);
    double size = carom_mesh_get_quality(flex->def.mesh).mean_edge;
    for (int t = 0; t < triangles; t++) {
        for (int k = 0; k < 3; k++) {
            a->nodes[surface[t].node[k]].ball = ball;
            a->nodes[surface[t].node[k]].size = size;
        }
    }
    return CAROM_OK;
}

// ---- all

static carom_status check_name(const carom_model *model, const char *name, int index, char text[CRM_BODY_TEXT],
                               carom_error *error) {
    carom_status status = crm_names_check(&model->flex_names, "flexible body", name, index, text, error);
    if (status == CAROM_OK && name != NULL && crm_names_find(&model->body_names, name) >= 0)
        status = crm_refuse(error, "%s: there is a body of that name already", text);
    return status;
}

static carom_status add(carom_model *model, adding *a, const carom_flex_def *def, int index) {
    carom_status status = copy_definition(a, def);
    if (status == CAROM_OK) status = find_holders(a);
    if (status == CAROM_OK) status = make_nodes(a, index);
    if (status == CAROM_OK) status = list_attachments(a);
    if (status == CAROM_OK) status = make_balls(a);
    if (status != CAROM_OK) return status;
    // Room first, so that nothing can fail once the name is in the table.
    int first = a->flex.first_body, count = a->flex.node_count;
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->bodies, (ptrdiff_t)first + count) ||
        !CRM_ARRAY_RESERVE(&model->allocator, &model->flexes, (ptrdiff_t)index + 1))
        return crm_fail(a->error, CAROM_ERR_NO_MEMORY, "%s: no memory for %d nodes", a->text, count);
    status = crm_names_add(&model->allocator, &model->flex_names, &a->flex.def.name, index, a->error);
    if (status != CAROM_OK) return status;
    for (int n = 0; n < count; n++) (void)CRM_ARRAY_PUSH(&model->allocator, &model->bodies, a->nodes[n]);
    (void)CRM_ARRAY_PUSH(&model->allocator, &model->flexes, a->flex);
    return CAROM_OK;
}

carom_status carom_model_add_flex(carom_model *model, const carom_flex_def *def, carom_flex *out, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = crm_model_check_open(model, error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_flex_def, error);
    if (status != CAROM_OK) return status;
    int index = model->flexes.count;
    char text[CRM_BODY_TEXT];
    status = check_name(model, def->name, index, text, error);
    if (status == CAROM_OK) status = crm_flex_check(model, text, def, error);
    if (status != CAROM_OK) return status;
    crm_mark before = crm_arena_mark(&model->flex_memory);
    crm_arena scratch;
    crm_arena_init(&scratch, &model->allocator);
    adding a = {.model = model, .text = text, .arena = &model->flex_memory, .scratch = &scratch, .error = error};
    status = add(model, &a, def, index);
    crm_arena_free(&scratch);
    if (status != CAROM_OK) {
        crm_arena_release(&model->flex_memory, before);
        model->flex_memory.refused = false; // the next one may fit
    } else if (out != NULL) {
        *out = (carom_flex){index};
    }
    return status;
}

// ---- what a model tells

static const crm_flex *find(const carom_model *model, carom_flex flex) {
    bool known = model != NULL && flex.index >= 0 && flex.index < model->flexes.count;
    return known ? &model->flexes.items[flex.index] : NULL;
}

carom_status crm_model_check_flex(const carom_model *model, carom_flex flex, const char *what, carom_error *error) {
    if (find(model, flex) != NULL) return CAROM_OK;
    return crm_refuse(error, "%s: there is no flexible body %d; the model has %d", what, flex.index,
                      model->flexes.count);
}

int carom_model_flex_count(const carom_model *model) {
    return model->flexes.count;
}

const char *carom_model_flex_name(const carom_model *model, carom_flex flex) {
    const crm_flex *known = find(model, flex);
    return known != NULL && known->def.name != NULL ? known->def.name : "";
}

bool carom_model_find_flex(const carom_model *model, const char *name, carom_flex *out) {
    int index = crm_names_find(&model->flex_names, name);
    if (index >= 0 && out != NULL) *out = (carom_flex){index};
    return index >= 0;
}

const carom_flex_def *carom_model_flex_def(const carom_model *model, carom_flex flex) {
    const crm_flex *known = find(model, flex);
    return known != NULL ? &known->def : NULL;
}

carom_body carom_model_flex_node(const carom_model *model, carom_flex flex, int node) {
    const crm_flex *known = find(model, flex);
    return (carom_body){known != NULL && node >= 0 && node < known->node_count ? known->first_body + node : -1};
}

carom_flex carom_model_body_flex(const carom_model *model, carom_body body, int *node) {
    bool known = body.index >= 0 && body.index < model->bodies.count;
    int flex = known ? model->bodies.items[body.index].flex : -1;
    if (flex >= 0 && node != NULL) *node = body.index - model->flexes.items[flex].first_body;
    return (carom_flex){flex};
}
