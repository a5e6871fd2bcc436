// SPDX-License-Identifier: MIT
#include "control/rows/touch/convex_parts.h"

#include <math.h>

#include "base/fail.h"
#include "distance/side.h"

static carom_status refuse(const carom_model *model, int body, const char *what, carom_error *error) {
    char text[CRM_BODY_TEXT];
    return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                    "plans have no planes beside %s, such as %s has; give it a polytope, a sphere or a capsule", what,
                    crm_body_text(model, body, text));
}

static carom_status take_half_space(const carom_model *model, int body, const crm_motion *start,
                                    const carom_shape *shape, crm_convex_part *out) {
    const crm_body *b = &model->bodies.items[body];
    carom_body_state state = crm_motion_to_body_state(b, start);
    *out = (crm_convex_part){.body = body, .half_space = true};
    out->normal = crm_quat_rotate(state.attitude, shape->normal);
    out->offset = shape->offset + crm_dot(out->normal, state.position);
    return CAROM_OK;
}

static carom_status take_part(const carom_model *model, int body, const carom_view *view, int index, crm_arena *arena,
                              crm_convex_part *out, carom_error *error) {
    const crm_body *b = &model->bodies.items[body];
    crm_side side;
    crm_side_of(view, index, CRM_FROM_INSIDE, &side);
    if (side.roundness == CRM_ELLIPSOID) return refuse(model, body, "ellipsoids", error);
    carom_vec3 *vertex = CRM_ARENA_ARRAY(arena, carom_vec3, side.vertex_count);
    if (vertex == NULL) return crm_fail_memory(error, "shapes of a plan", sizeof *vertex * (size_t)side.vertex_count);
    *out = (crm_convex_part){.body = body, .vertex_count = side.vertex_count, .vertex = vertex};
    if (side.roundness == CRM_BALL) out->radius = side.radius;
    for (int i = 0; i < side.vertex_count; i++) {
        carom_vec3 at = crm_add(side.position, crm_mat3_apply(side.rotation, side.vertex[i]));
        vertex[i] = crm_quat_rotate_inverse(b->frame, crm_sub(at, b->centre));
        out->arm = fmax(out->arm, crm_length(vertex[i]));
    }
    return CAROM_OK;
}

static carom_status take_body(const carom_model *model, int body, const crm_motion *start, crm_arena *arena,
                              crm_convex_part *part, int *count, carom_error *error) {
    const carom_shape *shape = carom_model_get_shape(model, model->bodies.items[body].def.shape);
    carom_view view = carom_view_of(shape, (carom_pose){crm_vec3_zero(), crm_quat_identity()});
    if (shape->kind == CAROM_SHAPE_CONTAINER) return refuse(model, body, "containers", error);
    if (shape->kind == CAROM_SHAPE_HALF_SPACE) return take_half_space(model, body, start, shape, &part[(*count)++]);
    carom_status status = CAROM_OK;
    for (int i = 0; i < crm_part_count(&view) && status == CAROM_OK; i++)
        status = take_part(model, body, &view, i, arena, &part[(*count)++], error);
    return status;
}

carom_status crm_convex_parts_find(const carom_model *model, const crm_motion *start, const bool *needed,
                                   crm_arena *arena, crm_convex_parts *out, carom_error *error) {
    int bodies = model->bodies.count, most = 0, count = 0;
    for (int b = 0; b < bodies; b++) {
        const carom_shape *shape = carom_model_get_shape(model, model->bodies.items[b].def.shape);
        if (shape != NULL) most += shape->kind == CAROM_SHAPE_COMPOUND ? shape->part_count : 1;
    }
    crm_convex_part *part = CRM_ARENA_ARRAY(arena, crm_convex_part, most);
    int *first = CRM_ARENA_ARRAY(arena, int, bodies + 1);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "shapes of a plan", sizeof *part * (size_t)most);
    carom_status status = CAROM_OK;
    for (int b = 0; b < bodies && status == CAROM_OK; b++) {
        first[b] = count;
        bool shaped = carom_model_get_shape(model, model->bodies.items[b].def.shape) != NULL;
        if (shaped && (needed == NULL || needed[b]))
            status = take_body(model, b, &start[b], arena, part, &count, error);
    }
    first[bodies] = count;
    *out = (crm_convex_parts){count, part, first};
    return status;
}
