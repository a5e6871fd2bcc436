// SPDX-License-Identifier: MIT
// All that come near each other: surfaces among themselves, a surface and itself, surfaces and rigid bodies.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/flex/surface/surface_body.h"

// What points may move beyond what their velocities say, in edges and as a factor.
static const double room_share = 0.05, speed_slack = 1.5;

double crm_surface_margin(double speed, double step, double edge) {
    return fmin(speed_slack * speed * step + room_share * edge, CRM_SURFACE_FARTHEST * edge);
}

double crm_surface_friction(const carom_model *model, carom_material a, carom_material b) {
    double friction = 0.0, restitution;
    (void)carom_model_get_material_pair(model, a, b, &friction, &restitution, NULL);
    return friction;
}

bool crm_surface_add(crm_flex_surfaces *all, const crm_surface_contact *contact) {
    bool moves = false;
    for (int e = 0; e < CRM_SURFACE_ENDS; e++) moves |= crm_body_moves(all->model, contact->body[e]);
    return !moves || CRM_ARRAY_PUSH(&all->model->allocator, &all->found, *contact);
}

static bool meet(const crm_surface *p, const crm_surface *q) {
    const carom_flex_def *a = &p->flex->def, *b = &q->flex->def;
    return p == q ? a->self_contact : (a->groups & b->meets) != 0 && (b->groups & a->meets) != 0;
}

static bool find_pair(crm_flex_surfaces *all, crm_surface *p, crm_surface *q, const crm_motion *motions, double step) {
    if (!meet(p, q)) return true;
    double edge = fmax(p->edge, q->edge), margin = crm_surface_margin(p->speed + q->speed, step, edge);
    double skins = p->flex->def.skin + q->flex->def.skin;
    if (crm_surface_is_apart(q, p->low, p->high, margin + skins)) return true;
    // One grid of the farthest that anything is looked for, for all that come near.
    double most = CRM_SURFACE_FARTHEST * edge + skins;
    if (!crm_surface_grid(all, motions, most, p) || !crm_surface_grid(all, motions, most, q)) return false;
    all->pair++;
    all->stamped++;
    for (int i = 0; p == q && i < p->node_count; i++) all->place[p->nodes[i]] = i;
    return crm_surface_touch_nodes(all, p, q, motions, margin) &&
           (p == q || crm_surface_touch_nodes(all, q, p, motions, margin)) &&
           crm_surface_touch_edges(all, p, q, motions, margin);
}

static void renew_marks(crm_flex_surfaces *all) {
    size_t bytes = (size_t)all->model->bodies.count * sizeof(int);
    if (all->stamped <= CRM_SURFACE_MOST_MARKS && all->pair <= CRM_SURFACE_MOST_MARKS) return;
    memset(all->stamp, 0, bytes);
    memset(all->met, 0, bytes);
    all->stamped = all->pair = 0;
}

carom_status crm_flex_surfaces_find(crm_flex_surfaces *all, const crm_motion *motions, double step,
                                    carom_error *error) {
    all->found.count = 0;
    all->deepest = 0.0;
    crm_arena_reset(&all->arena);
    renew_marks(all);
    bool made = true;
    for (int f = 0; f < all->count; f++) crm_surface_place(all, motions, &all->surfaces[f]);
    for (int f = 0; made && f < all->count; f++) {
        for (int g = 0; made && g <= f; g++) made = find_pair(all, &all->surfaces[f], &all->surfaces[g], motions, step);
        if (made) made = crm_surface_touch_shapes(all, &all->surfaces[f], motions, step);
    }
    return made ? CAROM_OK : crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for contacts of flexible bodies");
}
