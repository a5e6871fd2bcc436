// SPDX-License-Identifier: MIT
// Points, nodes of flexible bodies or corners of rigid ones, against triangles.
#include <math.h>

#include "step/flex/surface/surface_body.h"

// Nearer than this share of an edge a point has no direction of its own: the surface's normal is taken.
static const double nearest_share = 1e-4;

// ---- a point and a triangle

typedef struct nearest {
    double square; // of the distance, m^2
    int triangle;
    double weight[3];
} nearest;

// Barycentric coordinates of the nearest point, by the region that the point is in.
static void closest_on(carom_vec3 p, carom_vec3 a, carom_vec3 b, carom_vec3 c, double w[3]) {
    carom_vec3 ab = crm_sub(b, a), ac = crm_sub(c, a), ap = crm_sub(p, a), bp = crm_sub(p, b), cp = crm_sub(p, c);
    double d1 = crm_dot(ab, ap), d2 = crm_dot(ac, ap), d3 = crm_dot(ab, bp), d4 = crm_dot(ac, bp);
    double d5 = crm_dot(ab, cp), d6 = crm_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    w[0] = w[1] = w[2] = 0.0;
    if (d1 <= 0.0 && d2 <= 0.0) {
        w[0] = 1.0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        w[1] = 1.0;
    } else if (d6 >= 0.0 && d5 <= d6) {
        w[2] = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        w[1] = d1 / (d1 - d3), w[0] = 1.0 - w[1];
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        w[2] = d2 / (d2 - d6), w[0] = 1.0 - w[2];
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        w[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6)), w[1] = 1.0 - w[2];
    } else {
        double sum = va + vb + vc;
        w[1] = vb / sum, w[2] = vc / sum, w[0] = 1.0 - w[1] - w[2];
    }
}

// The surface's normal at the nearest point: of the face, both faces at an edge, all around a node.
static carom_vec3 normal_at(const crm_flex_surfaces *all, const crm_surface *s, const nearest *at) {
    const crm_surface_triangle *t = &s->triangles[at->triangle];
    int positive = 0, node = 0, zero = 0;
    for (int k = 0; k < 3; k++) {
        if (at->weight[k] > 0.0)
            positive++, node = k;
        else
            zero = k;
    }
    if (positive == 1) return all->normal[t->node[node]];
    if (positive == 2) return crm_add(t->normal, s->triangles[t->neighbour[(zero + 1) % 3]].normal);
    return t->normal;
}

static bool is_stamped(const crm_flex_surfaces *all, const crm_surface_triangle *t) {
    return all->stamp[t->node[0]] == all->stamped || all->stamp[t->node[1]] == all->stamped ||
           all->stamp[t->node[2]] == all->stamped;
}

static nearest find_nearest(const crm_flex_surfaces *all, const crm_surface *s, const crm_motion *motions, carom_vec3 p,
                            double margin) {
    nearest best = {.square = margin * margin, .triangle = -1};
    const int *list;
    if (crm_surface_is_apart(s, p, p, margin)) return best;
    int count = crm_surface_triangles_at(s, p, &list);
    for (int i = 0; i < count; i++) {
        const crm_surface_triangle *t = &s->triangles[list[i]];
        if (is_stamped(all, t)) continue;
        carom_vec3 a = motions[t->node[0]].x, b = motions[t->node[1]].x, c = motions[t->node[2]].x;
        nearest here = {.triangle = list[i]};
        closest_on(p, a, b, c, here.weight);
        carom_vec3 q = crm_madd(crm_madd(crm_scale(here.weight[0], a), here.weight[1], b), here.weight[2], c);
        here.square = crm_length_squared(crm_sub(p, q));
        if (here.square < best.square) best = here;
    }
    return best;
}

// The weights of the same point in another triangle. False: not all of its nodes are there.
static bool is_in(const crm_surface *s, const nearest *at, int triangle, double weight[3]) {
    int missing = 0;
    for (int k = 0; k < 3; k++) {
        weight[k] = 0.0;
        missing += at->weight[k] > 0.0;
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            if (s->triangles[triangle].node[k] != s->triangles[at->triangle].node[i]) continue;
            weight[k] = at->weight[i];
            missing -= at->weight[i] > 0.0;
        }
    return missing == 0;
}

// Of the triangles at an edge or a node that one which faces the normal most: it can be leant on.
static void face_normal(const crm_surface *s, carom_vec3 p, carom_vec3 n, nearest *at) {
    const int *list;
    nearest best = *at;
    double most = crm_dot(s->triangles[at->triangle].normal, n);
    if (at->weight[0] > 0.0 && at->weight[1] > 0.0 && at->weight[2] > 0.0) return;
    int count = crm_surface_triangles_at(s, p, &list);
    for (int i = 0; i < count; i++) {
        double weight[3], along = crm_dot(s->triangles[list[i]].normal, n);
        if (!(along > most) || !is_in(s, at, list[i], weight)) continue;
        most = along;
        best.triangle = list[i];
        for (int k = 0; k < 3; k++) best.weight[k] = weight[k];
    }
    *at = best;
}

// ---- contacts

// Of several points of a surface that are near a face the one that sticks out touches it, or a face would catch those
// behind it from the side.
static bool sticks_out(const crm_touching_point *who, carom_vec3 normal) {
    for (int i = 0; i < who->neighbour_count; i++) {
        carom_vec3 e = crm_sub(who->neighbours[i], who->point);
        if (-crm_dot(e, normal) > CRM_SURFACE_CONE * crm_length(e)) return false;
    }
    return true;
}

// Gradients of barycentric coordinates. False: the triangle is flat.
static bool find_gradients(const carom_vec3 x[3], carom_vec3 gradient[3], carom_vec3 *area) {
    *area = crm_cross(crm_sub(x[1], x[0]), crm_sub(x[2], x[0]));
    double square = crm_length_squared(*area);
    for (int k = 0; k < 3; k++)
        gradient[k] = crm_scale(1.0 / square, crm_cross(*area, crm_sub(x[(k + 2) % 3], x[(k + 1) % 3])));
    return square > 0.0;
}

// What friction has to lean by, the point being so far off the triangle along the normal. What cannot lean is smooth.
static void set_lean(crm_surface_contact *contact, const carom_vec3 x[3], double distance) {
    static const double steepest = 0.1; // the normal of an edge or a node may be far from the face's
    carom_vec3 gradient[3], area, n = contact->direction[0];
    double along = find_gradients(x, gradient, &area) ? crm_dot(n, area) : 0.0;
    if (!(fabs(along) > steepest * crm_length(area))) {
        contact->friction = 0.0;
        return;
    }
    for (int k = 0; k < 2; k++) {
        carom_vec3 t = contact->direction[1 + k];
        carom_vec3 shift = crm_scale(distance, crm_madd(t, -crm_dot(t, area) / along, n));
        for (int e = 0; e < 3; e++) contact->lean[1 + e][k] = crm_dot(gradient[e], shift);
    }
}

// Where the point is nearest, and along which normal.
typedef struct approach {
    nearest at;
    carom_vec3 normal, away; // unit; from the nearest point
    double distance;         // below 0: inside
} approach;

// False: there is no contact.
static bool find_approach(const crm_flex_surfaces *all, const crm_surface *s, const crm_motion *motions, carom_vec3 p,
                          double margin, approach *out) {
    carom_vec3 q = crm_vec3_zero(), surface, gradient[3], area;
    out->at = find_nearest(all, s, motions, p, margin);
    if (out->at.triangle < 0) return false;
    const int *node = s->triangles[out->at.triangle].node;
    for (int k = 0; k < 3; k++) q = crm_madd(q, out->at.weight[k], motions[node[k]].x);
    if (!(crm_normalise(normal_at(all, s, &out->at), &surface) > 0.0)) return false;
    out->away = crm_sub(p, q);
    double side = crm_dot(out->away, surface) < 0.0 ? -1.0 : 1.0;
    out->distance = side * crm_normalise(crm_scale(side, out->away), &out->normal);
    if (fabs(out->distance) >= nearest_share * s->edge) {
        face_normal(s, p, out->normal, &out->at);
        return true;
    }
    // From where the normal through the point meets the triangle's plane.
    out->normal = surface;
    face_normal(s, p, surface, &out->at);
    node = s->triangles[out->at.triangle].node;
    if (!find_gradients((carom_vec3[3]){motions[node[0]].x, motions[node[1]].x, motions[node[2]].x}, gradient, &area))
        return false;
    double off = crm_dot(out->away, area) / crm_dot(surface, area);
    carom_vec3 shift = crm_sub(out->away, crm_scale(off, surface));
    for (int k = 0; k < 3; k++) out->at.weight[k] += crm_dot(gradient[k], shift);
    out->away = crm_scale(off, surface);
    return true;
}

bool crm_surface_touch_point(crm_flex_surfaces *all, const crm_surface *s, const crm_motion *motions,
                             const crm_touching_point *who, double margin) {
    approach to;
    double skins = who->skin + s->flex->def.skin, farthest = fmax(margin, CRM_SURFACE_DEEPEST * s->edge) + skins;
    if (!find_approach(all, s, motions, who->point, farthest, &to)) return true;
    double gap = to.distance - skins;
    if (gap > margin || !sticks_out(who, to.normal)) return true;
    if (who->rigid != NULL && crm_rigid_part_is_covered(who->rigid, who->point, crm_negate(to.normal))) return true;
    if (gap < -CRM_SURFACE_DEEPEST * s->edge) {
        all->deepest = fmax(all->deepest, -gap / s->edge);
        return true;
    }
    const int *node = s->triangles[to.at.triangle].node;
    crm_surface_contact contact = {.body = {who->body, node[0], node[1], node[2]},
                                   .weight = {1.0, -to.at.weight[0], -to.at.weight[1], -to.at.weight[2]},
                                   .point = who->point,
                                   .direction = {to.normal},
                                   .gap = gap,
                                   .size = s->edge,
                                   .friction = who->friction};
    crm_tangents(to.normal, &contact.direction[1], &contact.direction[2]);
    set_lean(&contact, (carom_vec3[3]){motions[node[0]].x, motions[node[1]].x, motions[node[2]].x},
             crm_dot(to.away, to.normal));
    if (who->rigid == NULL) {
        all->met[who->body] = all->pair;
        all->contact_normal[who->body] = to.normal;
    }
    return crm_surface_add(all, &contact);
}

// Marks a node and two rings of neighbours around it, which it cannot touch.
static void stamp_rings(crm_flex_surfaces *all, const crm_surface *s, int node, int rings) {
    all->stamp[node] = all->stamped;
    int i = all->place[node];
    for (int k = s->first[i]; rings > 0 && k < s->first[i + 1]; k++) stamp_rings(all, s, s->neighbours[k], rings - 1);
}

void crm_surface_stamp(crm_flex_surfaces *all, const crm_surface *s, int count, const int *nodes) {
    enum { RINGS = 2 };
    all->stamped++;
    for (int i = 0; i < count; i++) stamp_rings(all, s, nodes[i], RINGS);
}

bool crm_surface_touch_nodes(crm_flex_surfaces *all, const crm_surface *p, const crm_surface *q,
                             const crm_motion *motions, double margin) {
    carom_vec3 neighbours[CRM_SURFACE_NEIGHBOURS];
    for (int i = 0; i < p->node_count; i++) {
        int count = p->first[i + 1] - p->first[i];
        crm_touching_point who = {.body = p->nodes[i],
                                  .point = motions[p->nodes[i]].x,
                                  .skin = p->flex->def.skin,
                                  .neighbour_count = count < CRM_SURFACE_NEIGHBOURS ? count : CRM_SURFACE_NEIGHBOURS,
                                  .neighbours = neighbours,
                                  .friction =
                                      crm_surface_friction(all->model, p->flex->def.material, q->flex->def.material)};
        for (int k = 0; k < who.neighbour_count; k++) neighbours[k] = motions[p->neighbours[p->first[i] + k]].x;
        if (p == q) crm_surface_stamp(all, p, 1, &p->nodes[i]);
        if (!crm_surface_touch_point(all, q, motions, &who, margin)) return false;
    }
    return true;
}
