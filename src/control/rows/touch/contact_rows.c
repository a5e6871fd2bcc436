// SPDX-License-Identifier: MIT
// Rows of planned contacts (docs/math.md 16.9). Vertices P = x + R v of both parts, their velocities V = v + w x R v
// before and after, impulses lambda >= 0 along the normal n of b's side, gaps g >= 0, V+ . n + e V- . n = psi:
//   lambda g <= epsilon,   |lambda psi| <= epsilon,   sum lambda >= least
// Which vertices touch is found, not given. Of two parts that both have vertices the plane between them is unknown, and
// all impulses together act at one point.
#include <math.h>

#include "control/rows/plan_pieces.h"
#include "control/rows/touch/planned_contacts.h"
#include "model/force/evaluate.h"

typedef struct touching {
    crm_draft *draft;
    crm_planned_contact *c;
    crm_form3 alpha; // from a to b
    crm_form offset; // of the plane, of two parts with a choice
} touching;

// ---- twists of the bodies at the node, before and after

static int32_t twist_of(const crm_draft *draft, const crm_planned_contact *c, int body) {
    int at = (int)(c - draft->planned->contact);
    return draft->slot[body] < 0 ? -1 : draft->planned->twist[at * draft->moving_count + draft->slot[body]];
}

static void add_twist_rows(crm_draft *draft, int node, int slot, int32_t unknown, int32_t *balance) {
    int body = draft->body[slot];
    const crm_body *b = crm_draft_body(draft, body);
    bool rotates = crm_has_directors(b);
    for (int after = 0; after < 2; after++) {
        int interval = node - 1 + after;
        double sign = after ? -1.0 : 1.0;
        for (int i = 0; i < 6 * draft->moving_count; i++) balance[i] = CRM_NO_ROW;
        int32_t *row = balance + 6 * slot;
        for (int i = 0; i < 6; i++)
            if (draft->balance[6 * (node * draft->moving_count + slot) + i] != CRM_NO_ROW)
                row[i] = crm_draft_row(draft, 0.0, 0.0, crm_node_place(node),
                                       (crm_row_name){CRM_ROW_TWIST, body, -1, -1, node});
        crm_form3 p = crm_form3_unknown(draft, draft->momentum[interval * draft->moving_count + slot]);
        crm_form3 v = crm_form3_unknown(draft, unknown + 6 * after);
        crm_add_vector(draft, row, 1.0, NULL, &p);
        crm_add_vector(draft, row, -b->mass / draft->units.mass, NULL, &v);
        if (rotates) {
            crm_form3 l = crm_form3_unknown(draft, draft->momentum[interval * draft->moving_count + slot] + 3);
            crm_form3 w = crm_form3_unknown(draft, unknown + 6 * after + 3);
            crm_add_vector(draft, row + 3, 1.0, NULL, &l);
            crm_add_angular_momentum(draft, node, body, -1.0, &w, row + 3);
        }
        crm_add_interval_forces(draft, interval, after ? 0 : 1, sign, balance);
    }
}

// Contacts at one node share the twists of a body.
static void add_twists(crm_draft *draft, int contact, int32_t *balance) {
    crm_planned *planned = draft->planned;
    crm_planned_contact *c = &planned->contact[contact];
    int32_t *twist = planned->twist + (ptrdiff_t)contact * draft->moving_count;
    for (int s = 0; s < draft->moving_count; s++) twist[s] = -1;
    if (c->at_end || c->sticky) return;
    const int body[2] = {c->a->body, c->b->body};
    for (int i = 0; i < 2; i++) {
        int slot = draft->slot[body[i]];
        if (slot < 0) continue;
        for (int k = 0; k < contact && twist[slot] < 0; k++)
            if (planned->contact[k].node == c->node) twist[slot] = planned->twist[k * draft->moving_count + slot];
        if (twist[slot] >= 0) continue;
        twist[slot] = draft->builder.lower.count;
        for (int k = 0; k < 12; k++) {
            bool admits = crm_kind_admits(crm_draft_body(draft, body[i])->kind, k % 6);
            (void)crm_program_add_unknown(&draft->builder, admits ? -INFINITY : 0.0, admits ? INFINITY : 0.0,
                                          crm_node_place(c->node));
        }
        if (!draft->builder.refused) add_twist_rows(draft, c->node, slot, twist[slot], balance);
    }
}

// ---- pieces of rows

static int32_t begin_row(const touching *t, int kind, double lower, double upper) {
    return crm_draft_row(t->draft, lower, upper, crm_node_place(t->c->node),
                         (crm_row_name){kind, t->c->a->body, t->c->b->body, t->c->index, t->c->node});
}

static int32_t begin_product(const touching *t, bool both_sides) {
    crm_planned *planned = t->draft->planned;
    int32_t row = begin_row(t, CRM_ROW_PRODUCT, both_sides ? -1.0 : -INFINITY, 1.0);
    planned->product[planned->product_count++] = (crm_product_row){row, both_sides};
    return row;
}

static crm_form3 vertex_of(const touching *t, const crm_convex_part *part, int i) {
    return crm_form_point(t->draft, t->c->node, part->body, part->vertex[i]);
}

// scale factor . (V+ + e V-) of an arm R v from a body's centre of mass; bodies without a twist stand still.
static void add_velocity(const touching *t, int32_t row, double coefficient, const crm_form *scale,
                         const crm_form3 *along, const crm_convex_part *part, const crm_form3 *arm, bool before) {
    int32_t twist = twist_of(t->draft, t->c, part->body);
    bool rotates = twist >= 0 && crm_has_directors(crm_draft_body(t->draft, part->body));
    crm_form one = crm_form_number(1.0);
    for (int after = before ? 0 : 1; after < 2 && twist >= 0; after++) {
        double share = coefficient * (after ? 1.0 : t->c->restitution);
        crm_form3 v = crm_form3_unknown(t->draft, twist + 6 * after);
        crm_add_dot(t->draft, row, share, scale, along, &v);
        if (!rotates) continue;
        crm_form3 w = crm_form3_unknown(t->draft, twist + 6 * after + 3);
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            const crm_form *s = scale != NULL ? scale : &one;
            crm_add_product(t->draft, row, share, 4, (const crm_form *const[]){s, &along->c[i], &w.c[j], &arm->c[k]});
            crm_add_product(t->draft, row, -share, 4, (const crm_form *const[]){s, &along->c[i], &w.c[k], &arm->c[j]});
        }
    }
}

// An impulse of a size along a direction on a body at an arm from its centre of mass.
static void push(const touching *t, const crm_convex_part *part, double sign, const crm_form *size,
                 const crm_form3 *along, const crm_form3 *arm) {
    int slot = t->draft->slot[part->body];
    if (slot < 0) return;
    const int32_t *row = t->draft->balance + 6 * ((ptrdiff_t)t->c->node * t->draft->moving_count + slot);
    crm_add_vector(t->draft, row, sign, size, along);
    crm_add_cross(t->draft, row + 3, sign, size, arm, along);
}

static crm_form3 arm_of(const touching *t, const crm_convex_part *part, int i) {
    return crm_form_arm(t->draft, t->c->node, part->body, part->vertex[i]);
}

// The gap of a vertex of b over the plane, or of one of a below it: sign (alpha . P - offset) - radius.
static void add_gap(const touching *t, int32_t row, const crm_form *scale, const crm_convex_part *part, int i,
                    double sign) {
    crm_form one = crm_form_number(1.0), radius = crm_form_number(part->radius / t->draft->units.length);
    crm_form3 point = vertex_of(t, part, i);
    if (scale == NULL) scale = &one;
    crm_add_dot(t->draft, row, sign, scale, &t->alpha, &point);
    crm_add_pair(t->draft, row, -sign, scale, &t->offset);
    crm_add_pair(t->draft, row, -1.0, scale, &radius);
}

static int32_t add_pushes(const touching *t, int count, double least) {
    int32_t first = t->draft->builder.lower.count;
    for (int i = 0; i < count; i++)
        (void)crm_program_add_unknown(&t->draft->builder, least, INFINITY, crm_node_place(t->c->node));
    return first;
}

static void add_sum(const touching *t, int32_t row, double sign, int32_t first, int count) {
    for (int i = 0; i < count; i++) {
        crm_form push = crm_form_unknown(t->draft, first + i);
        crm_add_form(t->draft, row, sign, &push);
    }
}

// ---- on a half-space

// A corner that touches leaves at least as restitution asks, whether it pushes or not; one that is as far as this share
// of the plan's length may come nearer as fast as by a length in the plan's time.
static const double touching_share = 1e-3;

static void add_leaving(const touching *t, int i, const crm_form3 *arm) {
    int32_t row = begin_row(t, CRM_ROW_REBOUND, 0.0, INFINITY);
    crm_form slope = crm_form_number(1.0 / touching_share);
    add_velocity(t, row, 1.0, NULL, &t->alpha, t->c->b, arm, true);
    add_gap(t, row, &slope, t->c->b, i, 1.0);
}

static void add_friction(const touching *t, int i, const crm_form *push_size) {
    crm_draft *draft = t->draft;
    const crm_convex_part *b = t->c->b;
    carom_vec3 tangent[2], n = t->c->a->normal;
    crm_tangents(n, &tangent[0], &tangent[1]);
    int32_t first = t->c->slip + i * (CRM_PYRAMID + 1);
    crm_form speed = crm_form_unknown(draft, first + CRM_PYRAMID);
    crm_form3 arm = arm_of(t, b, i), down = crm_form3_vector(crm_scale(-b->radius / draft->units.length, n));
    crm_form3_add(&arm, 1.0, &down);
    int32_t cone = begin_row(t, CRM_ROW_CONE, 0.0, INFINITY), of_speed = begin_product(t, false);
    crm_add_form(draft, cone, t->c->friction, push_size);
    crm_add_pair(draft, of_speed, t->c->friction, &speed, push_size);
    for (int k = 0; k < CRM_PYRAMID; k++) {
        crm_form3 along = crm_form3_vector(crm_scale(k % 2 == 0 ? 1.0 : -1.0, tangent[k / 2]));
        crm_form size = crm_form_unknown(draft, first + k);
        push(t, b, 1.0, &size, &along, &arm);
        crm_add_form(draft, cone, -1.0, &size);
        crm_add_pair(draft, of_speed, -1.0, &speed, &size);
        int32_t slides = begin_row(t, CRM_ROW_CONE, 0.0, INFINITY), product = begin_product(t, false);
        crm_add_form(draft, slides, 1.0, &speed);
        add_velocity(t, slides, 1.0, NULL, &along, b, &arm, false);
        crm_add_pair(draft, product, 1.0, &size, &speed);
        add_velocity(t, product, 1.0, &size, &along, b, &arm, false);
    }
}

static void add_on_half_space(touching *t) {
    crm_draft *draft = t->draft;
    crm_planned_contact *c = t->c;
    const crm_convex_part *b = c->b;
    t->alpha = crm_form3_vector(c->a->normal);
    t->offset = crm_form_number(c->a->offset / draft->units.length);
    c->push_b = add_pushes(t, b->vertex_count, c->single && !c->at_end ? c->least : 0.0);
    if (c->friction > 0.0 && !c->at_end) c->slip = add_pushes(t, (CRM_PYRAMID + 1) * b->vertex_count, 0.0);
    if (draft->builder.refused) return;
    for (int i = 0; i < b->vertex_count; i++) {
        crm_form size = crm_form_unknown(draft, c->push_b + i);
        crm_form3 arm = arm_of(t, b, i);
        add_gap(t, begin_row(t, CRM_ROW_TOUCH, 0.0, c->single ? 0.0 : INFINITY), NULL, b, i, 1.0);
        if (!c->single) add_gap(t, begin_product(t, false), &size, b, i, 1.0);
        if (c->at_end) continue;
        push(t, b, 1.0, &size, &t->alpha, &arm);
        if (c->single) {
            add_velocity(t, begin_row(t, CRM_ROW_REBOUND, 0.0, 0.0), 1.0, NULL, &t->alpha, b, &arm, true);
        } else {
            add_velocity(t, begin_product(t, true), 1.0, &size, &t->alpha, b, &arm, true);
            add_leaving(t, i, &arm);
        }
        if (c->slip >= 0) add_friction(t, i, &size);
    }
    if (!c->single)
        add_sum(t, begin_row(t, CRM_ROW_IMPULSE, c->at_end ? 1.0 : c->least, c->at_end ? 1.0 : INFINITY), 1.0,
                c->push_b, b->vertex_count);
}

// ---- between two parts

static void add_side(const touching *t, const crm_convex_part *part, int32_t first, double sign, int32_t rebound,
                     const int32_t point_row[3]) {
    crm_draft *draft = t->draft;
    for (int i = 0; i < part->vertex_count; i++) {
        crm_form size = crm_form_unknown(draft, first + i);
        crm_form3 arm = arm_of(t, part, i), point = vertex_of(t, part, i);
        if (!t->c->single) {
            add_gap(t, begin_row(t, CRM_ROW_TOUCH, 0.0, INFINITY), NULL, part, i, sign);
            add_gap(t, begin_product(t, false), &size, part, i, sign);
        }
        // Where the impulses of this side act together: sum of size (P - sign radius alpha).
        crm_add_vector(draft, point_row, sign, t->c->single ? NULL : &size, &point);
        crm_add_vector(draft, point_row, -part->radius / draft->units.length, t->c->single ? NULL : &size, &t->alpha);
        if (t->c->at_end) continue;
        push(t, part, sign, &size, &t->alpha, &arm);
        add_velocity(t, rebound, sign, t->c->single ? NULL : &size, &t->alpha, part, &arm, true);
    }
}

static void add_between(touching *t) {
    crm_draft *draft = t->draft;
    crm_planned_contact *c = t->c;
    c->plane = draft->builder.lower.count;
    for (int i = 0; i < (c->single ? 3 : 4); i++)
        (void)crm_program_add_unknown(&draft->builder, -INFINITY, INFINITY, crm_node_place(c->node));
    // One vertex each: one impulse on both.
    c->push_a = add_pushes(t, c->a->vertex_count, c->single && !c->at_end ? c->least : 0.0);
    c->push_b = c->single ? c->push_a : add_pushes(t, c->b->vertex_count, 0.0);
    if (draft->builder.refused) return;
    t->alpha = crm_form3_unknown(draft, c->plane);
    t->offset = c->single ? crm_form_number(0.0) : crm_form_unknown(draft, c->plane + 3);
    crm_add_dot(draft, begin_row(t, CRM_ROW_PLANE, 1.0, 1.0), 1.0, NULL, &t->alpha, &t->alpha);
    int32_t rebound = c->at_end ? CRM_NO_ROW : begin_row(t, CRM_ROW_REBOUND, 0.0, 0.0), point_row[3];
    for (int i = 0; i < 3; i++) point_row[i] = begin_row(t, CRM_ROW_TOUCH, 0.0, 0.0);
    add_side(t, c->a, c->push_a, -1.0, rebound, point_row);
    add_side(t, c->b, c->push_b, 1.0, rebound, point_row);
    if (c->single) return;
    int32_t equal = begin_row(t, CRM_ROW_IMPULSE, 0.0, 0.0);
    add_sum(t, equal, 1.0, c->push_a, c->a->vertex_count);
    add_sum(t, equal, -1.0, c->push_b, c->b->vertex_count);
    add_sum(t, begin_row(t, CRM_ROW_IMPULSE, c->at_end ? 1.0 : c->least, c->at_end ? 1.0 : INFINITY), 1.0, c->push_a,
            c->a->vertex_count);
}

// ---- sticking: a corner stays where it has come down, held by impulses at all later nodes

static crm_form3 corner_at(const touching *t, int node) {
    return crm_form_point(t->draft, node, t->c->b->body, t->c->b->vertex[t->c->corner]);
}

static void add_sticking(touching *t) {
    crm_draft *draft = t->draft;
    crm_planned_contact *c = t->c;
    int slot = draft->slot[c->b->body];
    t->alpha = crm_form3_vector(c->a->normal);
    t->offset = crm_form_number(c->a->offset / draft->units.length);
    add_gap(t, begin_row(t, CRM_ROW_TOUCH, 0.0, 0.0), NULL, c->b, c->corner, 1.0);
    if (c->at_end) return;
    c->hold = draft->builder.lower.count;
    for (int node = c->node; node <= draft->intervals; node++)
        for (int i = 0; i < 3; i++)
            (void)crm_program_add_unknown(&draft->builder, -INFINITY, INFINITY, crm_node_place(node));
    if (draft->builder.refused) return;
    for (int node = c->node; node <= draft->intervals; node++) {
        crm_form3 hold = crm_form3_unknown(draft, c->hold + 3 * (node - c->node));
        crm_form3 arm = crm_form_arm(draft, node, c->b->body, c->b->vertex[c->corner]);
        const int32_t *row = draft->balance + 6 * ((ptrdiff_t)node * draft->moving_count + slot);
        crm_add_vector(draft, row, 1.0, NULL, &hold);
        crm_add_cross(draft, row + 3, 1.0, NULL, &arm, &hold);
        if (node == draft->intervals) break;
        crm_form3 here = corner_at(t, node), there = corner_at(t, node + 1), moved = crm_form3_difference(there, &here);
        for (int i = 0; i < 3; i++) {
            int terms = draft->builder.terms.count;
            int32_t stays = crm_draft_row(draft, 0.0, 0.0, crm_interval_place(node),
                                          (crm_row_name){CRM_ROW_STICK, c->a->body, c->b->body, c->index, node});
            crm_add_form(draft, stays, 1.0, &moved.c[i]);
            crm_draft_drop_constant_row(draft, terms);
        }
    }
    crm_form3 first = crm_form3_unknown(draft, c->hold);
    crm_add_dot(draft, begin_row(t, CRM_ROW_IMPULSE, c->least, INFINITY), 1.0, NULL, &t->alpha, &first);
}

void crm_planned_add(crm_draft *draft) {
    crm_planned *planned = draft->planned;
    if (planned == NULL) return;
    int32_t *balance = CRM_ARENA_ARRAY(draft->arena, int32_t, 6 * draft->moving_count);
    if (balance == NULL) draft->builder.refused = true;
    planned->product_count = 0;
    for (int i = 0; i < planned->count && !draft->builder.refused; i++) {
        touching t = {.draft = draft, .c = &planned->contact[i]};
        add_twists(draft, i, balance);
        if (draft->builder.refused) return;
        if (t.c->sticky) {
            add_sticking(&t);
        } else if (t.c->a->half_space) {
            add_on_half_space(&t);
        } else {
            add_between(&t);
        }
    }
}
