// SPDX-License-Identifier: MIT
#include "reference/posed/posed_pair.h"

#include <math.h>
#include <stddef.h>

#include "reference/polytope/separating_axes.h"
#include "reference/posed/posed_body.h"

// Of depths found by enumeration from rounded vertices, m.
static const double same_depth = 1e-15;
// Sine of the angle between crossing edges below which they count as parallel.
static const wide parallel = 1e-3L;

typedef struct contact {
    int part_a, part_b;
    wide3 normal;
    wide3 arm_a, arm_b; // from the positions of the poses
} contact;

static wide3 negative(wide3 v) {
    return wide3_scale(-1.0L, v);
}

// ---- where they touch

static bool draw_normal(sampler *s, const posed_body *a, posed_feature at_a, const posed_body *b, posed_feature at_b,
                        wide3 *n) {
    if (at_a.dimension == 1 && at_b.dimension == 1) {
        wide3 u = posed_edge_direction(a, at_a), v = posed_edge_direction(b, at_b), across = wide3_cross(u, v);
        if (crm_random_below(s, 2) == 0) across = negative(across);
        *n = wide3_unit(across);
        return wide3_norm(across) > parallel * wide3_norm(u) * wide3_norm(v);
    }
    *n = at_b.dimension > 0 ? negative(posed_cone_draw(s, b, at_b)) : posed_cone_draw(s, a, at_a);
    return true;
}

static bool draw_contact(sampler *s, const posed_body *a, const posed_body *b, bool facet_only, contact *out) {
    out->part_a = (int)crm_random_below(s, (uint64_t)a->part_count);
    out->part_b = (int)crm_random_below(s, (uint64_t)b->part_count);
    facet_only &= posed_is_sharp(a, out->part_a) && posed_is_sharp(b, out->part_b);
    int most_a = posed_most_dimension(a, out->part_a), most_b = posed_most_dimension(b, out->part_b);
    int d_a, d_b;
    do {
        d_a = (int)crm_random_below(s, (uint64_t)most_a + 1);
        d_b = (int)crm_random_below(s, (uint64_t)most_b + 1);
    } while (d_a + d_b > 2 || (facet_only && d_a + d_b < 2));
    posed_feature at_a = posed_feature_draw(s, a, out->part_a, d_a), at_b = posed_feature_draw(s, b, out->part_b, d_b);
    if (!draw_normal(s, a, at_a, b, at_b, &out->normal)) return false;
    out->arm_a = posed_point_draw(s, a, at_a, out->normal);
    out->arm_b = posed_point_draw(s, b, at_b, negative(out->normal));
    return posed_is_farthest(a, out->part_a, out->arm_a, out->normal) &&
           posed_is_farthest(b, out->part_b, out->arm_b, negative(out->normal));
}

// A half-space: its normal is n, any point of its plane serves. A container: the wall beyond the body's point.
static bool draw_contact_with_static_geometry(sampler *s, const posed_body *around, const posed_body *b, double gap,
                                              contact *out) {
    carom_shape_def def;
    carom_shape_get_def(around->shape, &def);
    bool plane = def.kind == CAROM_SHAPE_HALF_SPACE;
    out->part_a = 0;
    out->part_b = (int)crm_random_below(s, (uint64_t)b->part_count);
    posed_feature corner = posed_feature_draw(s, b, out->part_b, 0);
    out->normal = posed_cone_draw(s, b, corner);
    if (plane) {
        carom_vec3 n = def.half_space.normal;
        out->normal = wide3_unit(wide_rotate(around->rotation, (wide3){n.x, n.y, n.z}));
        wide3 u, v;
        wide3_tangents(out->normal, &u, &v);
        out->arm_a = wide3_along(wide3_scale(def.half_space.offset, out->normal), sample_between(s, -0.1, 0.1), u);
        out->arm_a = wide3_along(out->arm_a, sample_between(s, -0.1, 0.1), v);
    } else {
        out->arm_a = wide3_scale(-def.container.radius, out->normal);
    }
    out->arm_b = posed_point_draw(s, b, corner, negative(out->normal));
    if (plane) return posed_is_farthest(b, out->part_b, out->arm_b, negative(out->normal));
    wide radius = (wide)def.container.radius - gap;
    return posed_is_within(b, out->part_b, wide3_along(out->arm_b, radius, out->normal), radius);
}

// ---- proofs of depth

static void write_vertices(const convex_body *part, wide3 shift, double *to) {
    for (int i = 0; i < part->count; i++) wide3_write(wide3_add(part->vertex[i], shift), to + 3 * i);
}

// Whether no translation shorter than `depth` separates the parts, B standing at `shift` from A. Of other parts none
// is as deep along the normal.
static bool is_shortest(const posed_body *a, const posed_body *b, const contact *c, wide3 shift, double depth) {
    if (a->part_count == 0) return true; // static geometry: closed forms
    if (posed_rolling_radius(a, c->part_a) >= depth || posed_rolling_radius(b, c->part_b) >= depth) return true;
    const convex_body *part_a = &a->part[c->part_a], *part_b = &b->part[c->part_b];
    double k1[3 * 64], k2[3 * 64];
    axes_result axes;
    write_vertices(part_a, (wide3){0, 0, 0}, k1);
    write_vertices(part_b, shift, k2);
    return separating_axes_distance(part_a->count, k1, part_b->count, k2, &axes) &&
           fabs(axes.distance + depth) <= same_depth && axes.equal_normals == 1;
}

// ---- where they stand

// The parts of a number that a double has no room for become A's.
static void split(wide shift, double *of_a, double *of_b) {
    *of_b = (double)shift;
    *of_a = (double)((wide)*of_b - shift);
}

static void place(const posed_body *a, const posed_body *b, wide3 shift, posed_pair *out) {
    carom_pose pose_a = {.attitude = a->attitude}, pose_b = {.attitude = b->attitude};
    split(shift.x, &pose_a.position.x, &pose_b.position.x);
    split(shift.y, &pose_a.position.y, &pose_b.position.y);
    split(shift.z, &pose_a.position.z, &pose_b.position.z);
    out->a = carom_view_of(a->shape, pose_a);
    out->b = carom_view_of(b->shape, pose_b);
}

static wide3 position_of(const carom_view *view) {
    return (wide3){view->pose.position.x, view->pose.position.y, view->pose.position.z};
}

// The change of force.(p_b - p_a), the points standing at these arms of their bodies.
static void add_row(wide3 force, wide3 arm_a, wide3 arm_b, posed_gradient *g) {
    g->translation_a = wide3_sub(g->translation_a, force);
    g->rotation_a = wide3_sub(g->rotation_a, wide3_cross(arm_a, force));
    g->translation_b = wide3_add(g->translation_b, force);
    g->rotation_b = wide3_add(g->rotation_b, wide3_cross(arm_b, force));
}

static wide3 shift_for_gap(const contact *c, double gap, posed_pair *out) {
    out->slope = c->normal;
    return wide3_sub(wide3_along(c->arm_a, gap, c->normal), c->arm_b);
}

// With u the points about the centres, p_b - p_a = D beta + u_b - u_a, which is value beta when beta is along u_a - u_b
// and D = |u_a - u_b| + value. The gradient keeps <alpha, beta> = 1 (docs/math.md 3.5): with rho = value / D the force
// alpha acts at the points, and -rho (alpha - beta) at the centres.
static wide3 shift_for_ray(const posed_body *a, const posed_body *b, const contact *c, double value, posed_pair *out) {
    wide3 inner = wide3_sub(wide3_sub(c->arm_a, a->centre), wide3_sub(c->arm_b, b->centre));
    wide3 beta = wide3_unit(inner);
    wide distance = wide3_norm(inner) + value;
    out->slope = wide3_scale(1.0L / wide3_dot(c->normal, beta), c->normal);
    add_row(wide3_scale(-value / distance, wide3_sub(out->slope, beta)), a->centre, b->centre, &out->gradient);
    return wide3_sub(wide3_along(a->centre, distance, beta), b->centre);
}

static void exchange(posed_pair *p) {
    carom_view view = p->a;
    wide3 point = p->point_a;
    posed_gradient g = p->gradient;
    p->a = p->b;
    p->b = view;
    p->point_a = p->point_b;
    p->point_b = point;
    p->normal = negative(p->normal);
    p->slope = negative(p->slope);
    p->gradient = (posed_gradient){g.translation_b, g.rotation_b, g.translation_a, g.rotation_a};
}

typedef enum trial { NO_CONTACT, SHORTER_WAY_OUT, PROVED } trial;

static trial try_pair(sampler *s, const posed_body *a, const posed_body *b, posed_measure measure, double value,
                      posed_pair *out) {
    enum { TRIES = 100 }; // most pairs of edges cannot touch
    contact c;
    bool ray = measure == POSED_RAY, surrounded = a->part_count == 0, found = false;
    for (int i = 0; i < TRIES && !found; i++)
        found = surrounded ? draw_contact_with_static_geometry(s, a, b, value, &c)
                           : draw_contact(s, a, b, ray || value <= 0.0, &c);
    if (!found) return NO_CONTACT;
    *out = (posed_pair){.value = value, .normal = c.normal};
    // Along the normal of a half-space the ray is the gap.
    wide3 shift = ray && !surrounded ? shift_for_ray(a, b, &c, value, out) : shift_for_gap(&c, value, out);
    if (!ray && value < 0.0 && !is_shortest(a, b, &c, shift, -value)) return SHORTER_WAY_OUT;
    place(a, b, shift, out);
    out->point_a = wide3_add(position_of(&out->a), c.arm_a);
    out->point_b = wide3_add(position_of(&out->b), c.arm_b);
    add_row(out->slope, c.arm_a, c.arm_b, &out->gradient);
    return PROVED;
}

int posed_pair_draw(sampler *s, const carom_shape *first, const carom_shape *second, posed_measure measure,
                    double value, posed_pair *out) {
    int passed_over = 0;
    for (trial t = NO_CONTACT; t != PROVED;) {
        posed_body a = posed_body_of(first, sample_attitude(s)), b = posed_body_of(second, sample_attitude(s));
        t = b.part_count == 0 ? try_pair(s, &b, &a, measure, value, out) : try_pair(s, &a, &b, measure, value, out);
        if (t == SHORTER_WAY_OUT) passed_over++;
        posed_body_free(&a);
        posed_body_free(&b);
    }
    if (crm_random_below(s, 2) == 0) exchange(out);
    return passed_over;
}
