// SPDX-License-Identifier: MIT
// Edges against edges: where two cross, neither of which is in a flat face, or where a sharp one crosses a flat one and
// no point of either body holds the other. Their common normal has to be in the cones of normals of both.
#include <math.h>

#include "step/flex/surface/surface_body.h"

// Faces that meet at less than this angle, rad, are one: what is off by is a hundredth of an edge.
static const double sharp_angle = 0.35;
// How far, rad, a normal may be out of the cone of a sharp edge; and how far in it has to be for the edge to stick out
// from both of its faces, rather than to end one of them.
static const double cone_slack = 0.1;
// Edges at a smaller sine are parallel: their ends touch.
static const double least_sine = 0.1;
// A point holds the other body where it does so along the same normal, to this cosine.
static const double same_normal = 0.98;
// Edges that cross deeper than this share of their lengths do so far from where the bodies meet: near a corner, say.
// What comes on is found before it touches, and is never that deep.
static const double deepest_share = 0.1;
// Of an edge: ends of edges belong to both.
static const double end_slack = 1e-9;

// An edge as it lies: of a surface or of a rigid body.
typedef struct lying_edge {
    int body[2]; // its nodes; of a rigid body that, and -1
    carom_vec3 x[2];
    carom_vec3 normal[2]; // of the faces on its left and right, unit
    carom_vec3 inward[2]; // along these, away from the edge, unit
    double skin;
    bool sharp;
} lying_edge;

typedef struct crossing {
    double share[2];   // where, of either edge
    carom_vec3 normal; // from the second to the first, unit
    double gap;        // m, less skins
    carom_vec3 point[2];
} crossing;

bool crm_edge_is_sharp(carom_vec3 normal, carom_vec3 inward, carom_vec3 other) {
    return crm_dot(inward, other) < 0.0 && crm_dot(normal, other) < cos(sharp_angle);
}

static void set_faces(lying_edge *edge, carom_vec3 left, carom_vec3 right) {
    carom_vec3 along;
    (void)crm_normalise(crm_sub(edge->x[1], edge->x[0]), &along);
    edge->normal[0] = left, edge->normal[1] = right;
    edge->inward[0] = crm_cross(left, along), edge->inward[1] = crm_cross(along, right);
}

static lying_edge edge_of(const crm_surface *s, const crm_motion *motions, int e) {
    const crm_surface_edge *edge = &s->edges[e];
    lying_edge out = {.body = {edge->node[0], edge->node[1]},
                      .x = {motions[edge->node[0]].x, motions[edge->node[1]].x},
                      .skin = s->flex->def.skin,
                      .sharp = s->is_sharp[e]};
    set_faces(&out, s->triangles[edge->triangle[0]].normal, s->triangles[edge->triangle[1]].normal);
    return out;
}

// ---- do they cross?

// Of a normal that points out of the edge's body: the sine of how far it leans over either face, at most.
static double leaning(const lying_edge *edge, carom_vec3 outward) {
    return fmax(crm_dot(outward, edge->inward[0]), crm_dot(outward, edge->inward[1]));
}

static bool is_in_cone(const lying_edge *edge, carom_vec3 outward) {
    return crm_dot(outward, crm_add(edge->normal[0], edge->normal[1])) > 0.0 &&
           leaning(edge, outward) <= (edge->sharp ? cone_slack : CRM_SURFACE_CONE);
}

static bool boxes_are_apart(const lying_edge *a, const lying_edge *b, double margin) {
    carom_vec3 low_a = crm_lower_corner(a->x[0], a->x[1]), high_a = crm_upper_corner(a->x[0], a->x[1]);
    carom_vec3 low_b = crm_lower_corner(b->x[0], b->x[1]), high_b = crm_upper_corner(b->x[0], b->x[1]);
    return low_a.x > high_b.x + margin || low_b.x > high_a.x + margin || low_a.y > high_b.y + margin ||
           low_b.y > high_a.y + margin || low_a.z > high_b.z + margin || low_b.z > high_a.z + margin;
}

// Where the lines are nearest to each other.
static bool are_nearest_within(const lying_edge *a, const lying_edge *b, crossing *out) {
    carom_vec3 u = crm_sub(a->x[1], a->x[0]), v = crm_sub(b->x[1], b->x[0]), between = crm_sub(a->x[0], b->x[0]);
    double uu = crm_length_squared(u), vv = crm_length_squared(v), uv = crm_dot(u, v);
    double square = uu * vv - uv * uv, cu = crm_dot(u, between), cv = crm_dot(v, between);
    if (!(square > least_sine * least_sine * uu * vv)) return false;
    out->share[0] = (uv * cv - vv * cu) / square;
    out->share[1] = (uu * cv - uv * cu) / square;
    for (int k = 0; k < 2; k++) {
        if (!(out->share[k] >= -end_slack && out->share[k] <= 1.0 + end_slack)) return false;
        out->share[k] = fmin(fmax(out->share[k], 0.0), 1.0);
    }
    out->point[0] = crm_madd(a->x[0], out->share[0], u);
    out->point[1] = crm_madd(b->x[0], out->share[1], v);
    return crm_normalise(crm_cross(u, v), &out->normal) > 0.0;
}

// The sharp one of two edges, with the normal out of it, has nothing else of its body as near: it sticks out from both
// of its faces.
static bool sticks_out(const lying_edge *a, const lying_edge *b, carom_vec3 normal) {
    return (a->sharp && leaning(a, crm_negate(normal)) < -cone_slack) || (b->sharp && leaning(b, normal) < -cone_slack);
}

static bool do_cross(const lying_edge *a, const lying_edge *b, double margin, crossing *out) {
    double skins = a->skin + b->skin, deepest = deepest_share * crm_distance(b->x[0], b->x[1]);
    if (!(a->sharp || b->sharp) || boxes_are_apart(a, b, fmax(margin, deepest) + skins)) return false;
    if (!are_nearest_within(a, b, out)) return false;
    if (crm_dot(out->normal, crm_add(b->normal[0], b->normal[1])) < 0.0) out->normal = crm_negate(out->normal);
    if (!is_in_cone(b, out->normal) || !is_in_cone(a, crm_negate(out->normal))) return false;
    out->gap = crm_dot(crm_sub(out->point[0], out->point[1]), out->normal) - skins;
    return out->gap <= margin;
}

// ---- contacts

// Friction pushes both edges where they cross, a gap apart: forces along the normal on the ends of both take the couple
// off (docs/math.md 15.9).
static void set_lean(const lying_edge *a, const lying_edge *b, const crossing *at, crm_surface_contact *contact) {
    carom_vec3 u = crm_sub(a->x[1], a->x[0]), v = crm_sub(b->x[1], b->x[0]), n = at->normal;
    double area = crm_dot(crm_cross(u, v), n), apart = crm_dot(crm_sub(at->point[0], at->point[1]), n);
    for (int k = 0; k < 2; k++) {
        carom_vec3 t = contact->direction[1 + k];
        double of_a = apart * crm_dot(crm_cross(t, v), n) / area, of_b = apart * crm_dot(crm_cross(u, t), n) / area;
        contact->lean[0][k] = -of_a, contact->lean[1][k] = of_a;
        contact->lean[2][k] = -of_b, contact->lean[3][k] = of_b;
    }
}

static bool add(crm_flex_surfaces *all, const lying_edge *a, const lying_edge *b, const crossing *at, double size,
                double friction) {
    double length = fmin(crm_distance(a->x[0], a->x[1]), crm_distance(b->x[0], b->x[1]));
    if (at->gap < -deepest_share * fmin(size, length)) return true;
    bool rigid = b->body[1] < 0;
    crm_surface_contact contact = {
        .body = {a->body[0], a->body[1], b->body[0], b->body[1]},
        .weight = {1.0 - at->share[0], at->share[0], rigid ? -1.0 : at->share[1] - 1.0, rigid ? 0.0 : -at->share[1]},
        .point = at->point[0],
        .direction = {at->normal},
        .gap = at->gap,
        .size = size,
        .friction = friction,
        .of_edges = true};
    crm_tangents(at->normal, &contact.direction[1], &contact.direction[2]);
    if (!rigid) set_lean(a, b, at, &contact);
    return crm_surface_add(all, &contact);
}

// ---- of two surfaces

static bool holds(const crm_flex_surfaces *all, const lying_edge *edge, carom_vec3 outward) {
    for (int k = 0; k < 2; k++)
        if (all->met[edge->body[k]] == all->pair && -crm_dot(all->contact_normal[edge->body[k]], outward) > same_normal)
            return true;
    return false;
}

static bool is_marked(const crm_flex_surfaces *all, const crm_surface_edge *edge) {
    return all->stamp[edge->node[0]] == all->stamped || all->stamp[edge->node[1]] == all->stamped;
}

// An edge of p, and all of q near it; `flat`: but for sharp ones, which have seen this one already.
static bool touch_near(crm_flex_surfaces *all, const crm_surface *p, crm_surface *q, const crm_motion *motions, int e,
                       bool flat, double margin) {
    lying_edge own = edge_of(p, motions, e);
    double size = fmax(p->edge, q->edge);
    double friction = crm_surface_friction(all->model, p->flex->def.material, q->flex->def.material);
    int count = crm_surface_edges_near(q, own.x[0], own.x[1]);
    for (int i = 0; i < count; i++) {
        int f = q->near[i];
        crossing at;
        if ((flat && q->is_sharp[f]) || (p == q && q->is_sharp[f] && f <= e) || is_marked(all, &q->edges[f])) continue;
        lying_edge other = edge_of(q, motions, f);
        if (!do_cross(&own, &other, margin, &at)) continue;
        bool both = own.sharp && other.sharp;
        if (!both && !sticks_out(&own, &other, at.normal) &&
            (holds(all, &own, crm_negate(at.normal)) || holds(all, &other, at.normal)))
            continue;
        if (!add(all, &own, &other, &at, size, friction)) return false;
    }
    return true;
}

static bool touch_sharp(crm_flex_surfaces *all, const crm_surface *p, crm_surface *q, const crm_motion *motions,
                        bool flat, double margin) {
    double apart = margin + p->flex->def.skin + q->flex->def.skin;
    for (int i = 0; i < p->sharp_count; i++) {
        const int *node = p->edges[p->sharp[i]].node;
        carom_vec3 a = motions[node[0]].x, b = motions[node[1]].x;
        if (crm_surface_is_apart(q, crm_lower_corner(a, b), crm_upper_corner(a, b), apart)) continue;
        if (p == q) crm_surface_stamp(all, p, 2, node);
        if (!touch_near(all, p, q, motions, p->sharp[i], flat, margin)) return false;
    }
    return true;
}

bool crm_surface_touch_edges(crm_flex_surfaces *all, crm_surface *p, crm_surface *q, const crm_motion *motions,
                             double margin) {
    return touch_sharp(all, p, q, motions, false, margin) && (p == q || touch_sharp(all, q, p, motions, true, margin));
}

// ---- of a surface and a rigid body

static lying_edge rigid_edge(const crm_rigid_part *part, int e) {
    const carom_edge *edge = &part->polytope->edge[e];
    lying_edge out = {.body = {part->body, -1}};
    for (int k = 0; k < 2; k++)
        out.x[k] = crm_add(part->pose.position,
                           crm_quat_rotate(part->pose.attitude, part->polytope->vertex[edge->vertices[k]]));
    set_faces(&out, crm_quat_rotate(part->pose.attitude, part->polytope->normal[edge->facets[0]]),
              crm_quat_rotate(part->pose.attitude, part->polytope->normal[edge->facets[1]]));
    out.sharp = crm_edge_is_sharp(out.normal[0], out.inward[0], out.normal[1]);
    return out;
}

static bool touch_rigid(crm_flex_surfaces *all, crm_surface *s, const crm_rigid_part *part, const lying_edge *edge,
                        const crm_motion *motions, double margin) {
    double friction =
        crm_surface_friction(all->model, all->model->bodies.items[part->body].def.material, s->flex->def.material);
    int count = crm_surface_edges_near(s, edge->x[0], edge->x[1]);
    for (int i = 0; i < count; i++) {
        crossing at;
        lying_edge own = edge_of(s, motions, s->near[i]);
        if (!do_cross(&own, edge, margin, &at)) continue;
        bool held = crm_rigid_part_is_under(part, own.x[0], at.point[1], at.normal) ||
                    crm_rigid_part_is_under(part, own.x[1], at.point[1], at.normal);
        if (!(own.sharp && edge->sharp) && !sticks_out(&own, edge, at.normal) && held) continue;
        if (crm_rigid_part_is_covered(part, at.point[1], at.normal)) continue;
        if (!add(all, &own, edge, &at, s->edge, friction)) return false;
    }
    return true;
}

bool crm_surface_touch_rigid_edges(crm_flex_surfaces *all, crm_surface *s, const crm_rigid_part *part,
                                   const crm_motion *motions, double margin) {
    for (int e = 0; e < part->polytope->edge_count; e++) {
        lying_edge edge = rigid_edge(part, e);
        if (crm_surface_is_apart(s, crm_lower_corner(edge.x[0], edge.x[1]), crm_upper_corner(edge.x[0], edge.x[1]),
                                 margin + s->flex->def.skin))
            continue;
        if (!touch_rigid(all, s, part, &edge, motions, margin)) return false;
    }
    return true;
}
