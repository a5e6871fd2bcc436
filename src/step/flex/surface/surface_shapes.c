// SPDX-License-Identifier: MIT
// Rigid bodies with corners, boxes, polytopes and parts of compounds, against surfaces.
#include <math.h>

#include "carom/distance.h"
#include "model/proxies.h"
#include "step/flex/surface/surface_body.h"

// Of a part's size: how far outside of it is looked whether another one is there. Far above rounding.
static const double next_to = 1e-6;

static carom_vec3 place(const carom_pose *pose, carom_vec3 x) {
    return crm_add(pose->position, crm_quat_rotate(pose->attitude, x));
}

static carom_pose pose_of_part(const carom_pose *pose, const crm_part *part) {
    return (carom_pose){place(pose, part->pose.position), crm_quat_mul(pose->attitude, part->pose.attitude)};
}

// ---- what is over a part

bool crm_rigid_part_is_covered(const crm_rigid_part *part, carom_vec3 point, carom_vec3 outward) {
    if (part->compound == NULL) return false;
    carom_vec3 x = crm_madd(point, next_to * part->polytope->extent, outward);
    carom_view at = carom_view_of_vertices(1, &x);
    for (int i = 0; i < part->compound->part_count; i++) {
        const crm_part *other = &part->compound->part[i];
        carom_pose pose = pose_of_part(&part->compound_pose, other);
        carom_vec3 centre = place(&pose, other->shape->centre);
        carom_view view = carom_view_of(other->shape, pose);
        carom_gap_witness gap;
        if (i == part->part || crm_distance(centre, x) > other->shape->bounding_radius) continue;
        if (carom_gap_find(&view, &at, NULL, NULL, &gap, NULL) == CAROM_OK && gap.gap < 0.0) return true;
    }
    return false;
}

bool crm_rigid_part_is_under(const crm_rigid_part *part, carom_vec3 point, carom_vec3 at, carom_vec3 outward) {
    const crm_polytope *p = part->polytope;
    // Its foot in the plane through `at`, and a little below.
    double off = crm_dot(crm_sub(point, at), outward) + next_to * p->extent;
    carom_vec3 foot = crm_sub(crm_madd(point, -off, outward), part->pose.position);
    foot = crm_quat_rotate_inverse(part->pose.attitude, foot);
    for (int f = 0; f < p->facet_count; f++)
        if (crm_dot(p->normal[f], foot) > p->offset[f]) return false;
    return true;
}

// ---- parts

static bool touch_corners(crm_flex_surfaces *all, const crm_surface *s, const crm_rigid_part *part,
                          const crm_motion *motions, double margin) {
    const crm_polytope *p = part->polytope;
    carom_vec3 neighbours[CRM_SURFACE_NEIGHBOURS];
    crm_touching_point who = {.body = part->body, .neighbours = neighbours, .rigid = part};
    who.friction =
        crm_surface_friction(all->model, all->model->bodies.items[part->body].def.material, s->flex->def.material);
    for (int v = 0; v < p->vertex_count; v++) {
        who.point = place(&part->pose, p->vertex[v]);
        if (crm_surface_is_apart(s, who.point, who.point, margin + s->flex->def.skin)) continue;
        who.neighbour_count = 0;
        for (int k = p->neighbour_start[v]; k < p->neighbour_start[v + 1]; k++)
            if (who.neighbour_count < CRM_SURFACE_NEIGHBOURS)
                neighbours[who.neighbour_count++] = place(&part->pose, p->vertex[p->neighbour[k]]);
        if (!crm_surface_touch_point(all, s, motions, &who, margin)) return false;
    }
    return true;
}

static bool touch_part(crm_flex_surfaces *all, crm_surface *s, const crm_rigid_part *part, const crm_motion *motions,
                       double margin) {
    double far = part->polytope->farthest * sqrt(3.0); // of coordinates
    carom_vec3 room = crm_vec3(far, far, far), at = part->pose.position;
    if (part->polytope->vertex_count == 0 ||
        crm_surface_is_apart(s, crm_sub(at, room), crm_add(at, room), margin + s->flex->def.skin))
        return true;
    if (!crm_surface_grid(all, motions, CRM_SURFACE_FARTHEST * s->edge + s->flex->def.skin, s)) return false;
    all->stamped++;
    return touch_corners(all, s, part, motions, margin) && crm_surface_touch_rigid_edges(all, s, part, motions, margin);
}

static bool touch_body(crm_flex_surfaces *all, crm_surface *s, int body, const crm_motion *motions, double step) {
    const crm_body *of = &all->model->bodies.items[body];
    const carom_shape *shape = all->model->shapes.items[of->def.shape.index].shape;
    carom_body_state state = crm_motion_to_body_state(of, &motions[body]);
    carom_pose pose = {state.position, state.attitude};
    double fastest = crm_length(state.velocity) + shape->farthest * crm_length(state.spin);
    double margin = crm_surface_margin(s->speed + fastest, step, s->edge);
    crm_rigid_part part = {.body = body, .polytope = &shape->polytope, .pose = pose};
    if (shape->kind != CAROM_SHAPE_COMPOUND) return touch_part(all, s, &part, motions, margin);
    part.compound = shape;
    part.compound_pose = pose;
    for (int i = 0; i < shape->part_count; i++) {
        part.part = i;
        part.polytope = &shape->part[i].shape->polytope;
        part.pose = pose_of_part(&pose, &shape->part[i]);
        if (!touch_part(all, s, &part, motions, margin)) return false;
    }
    return true;
}

// ---- bodies

static bool carries(int body, const crm_flex *flex) {
    for (int i = 0; i < flex->attachment_count; i++)
        if (flex->attachment[i].body == body) return true;
    return false;
}

static bool meet(const carom_model *model, int body, const crm_flex *flex) {
    const crm_body *of = &model->bodies.items[body];
    return of->def.shape.index >= 0 && (of->def.groups & flex->def.meets) != 0 &&
           (flex->def.groups & of->def.meets) != 0 && !carries(body, flex) &&
           crm_model_pair_allowed(model, body < flex->first_body ? body : flex->first_body,
                                  body < flex->first_body ? flex->first_body : body);
}

bool crm_surface_touch_shapes(crm_flex_surfaces *all, crm_surface *s, const crm_motion *motions, double step) {
    for (int b = 0; b < all->model->bodies.count; b++)
        if (meet(all->model, b, s->flex) && !touch_body(all, s, b, motions, step)) return false;
    return true;
}
