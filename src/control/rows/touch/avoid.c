// SPDX-License-Identifier: MIT
// Rows of planes. A plane of an interval has every vertex of both parts on its sides at both nodes, by half the margin,
// the radius, and the bulge |v| q of a rotating vertex over its chord:
//   alpha . (x + R v) - o >= margin/2 + radius + |v| q     of b,     o - alpha . (x + R v) >= ...     of a
//   |alpha|^2 = 1,   q >= 1.1/16 (6 - 2 tr R_k^T R_k+1)
// So it separates both parts all the way from node to node.
#include "control/rows/touch/avoid.h"

#include <math.h>

#include "carom/distance.h"
#include "control/rows/plan_pieces.h"
#include "control/rows/touch/planned_contacts.h"

// |R(t) v - chord(t)| <= |v| (1 - cos(theta/2)), and 6 - 2 tr = 4 (1 - cos theta): the factor is enough up to the
// angle.
static const double bulge_factor = 1.1 / 16.0;

// ---- given poses that touch

static carom_view view_at(const crm_draft *draft, int body, const crm_motion *pose) {
    carom_body_state state = crm_motion_to_body_state(crm_draft_body(draft, body), pose);
    const carom_shape *shape = carom_model_get_shape(draft->model, crm_draft_body(draft, body)->def.shape);
    return carom_view_of(shape, (carom_pose){state.position, crm_quat_normalised(state.attitude)});
}

// The pose that is given, or with which the other body is seen from the one at `seen_from`.
static bool given_pose(const crm_draft *draft, int node, int body, crm_motion *pose) {
    *pose = draft->start[body];
    if (draft->slot[body] < 0) return true;
    const crm_asked *asked = crm_asked_at(draft, node, draft->slot[body]);
    const crm_body *b = crm_draft_body(draft, body);
    bool rotates = crm_has_directors(b);
    if (asked == NULL || !asked->fixed_position || (rotates && !asked->fixed_attitude)) return false;
    if (rotates) pose->q = asked->q;
    carom_vec3 arm = crm_quat_rotate(crm_quat_mul(pose->q, crm_quat_conjugate(b->frame)), b->centre);
    pose->x = crm_add(asked->x, arm);
    return true;
}

static bool seen_pose(const crm_draft *draft, int node, int body, int other, crm_motion *pose, crm_motion *other_pose) {
    if (!crm_seen_pose_is_given(draft, node, body, other) || draft->slot[body] < 0) return false;
    const crm_asked *asked = crm_asked_at(draft, node, draft->slot[body]);
    if (asked == NULL || asked->relative_to != other || !asked->relative_position) return false;
    // The other body's frame stands at the origin.
    const crm_body *b = crm_draft_body(draft, body), *o = crm_draft_body(draft, other);
    *other_pose = (crm_motion){.q = o->frame, .x = o->centre};
    pose->q = crm_has_directors(b) ? crm_quat_mul(o->frame, asked->q) : crm_quat_identity();
    carom_vec3 arm = crm_quat_rotate(crm_quat_mul(pose->q, crm_quat_conjugate(b->frame)), b->centre);
    pose->x = crm_add(asked->seen, arm);
    return true;
}

// Where the poses of both bodies are given: the gap between them, m.
static bool given_gap(const crm_draft *draft, int node, int a, int b, double *gap) {
    crm_motion pose_a, pose_b;
    bool given = given_pose(draft, node, a, &pose_a) && given_pose(draft, node, b, &pose_b);
    given = given || seen_pose(draft, node, a, b, &pose_a, &pose_b) || seen_pose(draft, node, b, a, &pose_b, &pose_a);
    if (!given) return false;
    carom_view view_a = view_at(draft, a, &pose_a), view_b = view_at(draft, b, &pose_b);
    carom_gap_witness witness;
    if (carom_gap_find(&view_a, &view_b, NULL, NULL, &witness, NULL) != CAROM_OK) return false;
    *gap = witness.gap;
    return true;
}

// Because it is planned, or because the poses are given so.
static bool touches(const crm_draft *draft, int node, int a, int b) {
    double gap;
    if (crm_planned_touches(draft->def, draft->intervals, node, a, b)) return true;
    return given_gap(draft, node, a, b, &gap) && gap < draft->def->avoid.margin;
}

crm_given_overlap crm_avoid_given_overlap(const crm_draft *draft) {
    crm_given_overlap worst = {.depth = 0.0};
    const crm_avoided *avoided = draft->avoided;
    for (int p = 0; avoided != NULL && p < avoided->pair_count; p++) {
        int a = avoided->pair[p].a->body, b = avoided->pair[p].b->body;
        if (p > 0 && avoided->pair[p - 1].a->body == a && avoided->pair[p - 1].b->body == b) continue; // other parts
        for (int node = 0; node <= draft->intervals; node++) {
            double gap;
            if (given_gap(draft, node, a, b, &gap) && -gap > worst.depth) worst = (crm_given_overlap){-gap, node, a, b};
        }
    }
    return worst;
}

// ---- rows

typedef struct side_rows {
    crm_draft *draft;
    const crm_convex_part *part;
    int32_t bulge;   // unknown, or -1
    crm_form3 alpha; // normal towards this part's own side
    crm_form offset; // of the plane along it
    double distance; // that the part keeps from the plane, plan's units
    crm_place place;
    crm_row_name name;
} side_rows;

// alpha . (x + R v) - offset - |v| q >= distance
static void add_vertex(const side_rows *s, int node, carom_vec3 v) {
    crm_draft *draft = s->draft;
    int terms = draft->builder.terms.count;
    int32_t row = crm_draft_row(draft, s->distance, INFINITY, s->place, s->name);
    crm_form3 point = crm_form_point(draft, node, s->part->body, v);
    crm_add_dot(draft, row, 1.0, NULL, &s->alpha, &point);
    crm_add_form(draft, row, -1.0, &s->offset);
    if (s->bulge >= 0) {
        crm_form q = crm_form_unknown(draft, s->bulge);
        crm_add_form(draft, row, -crm_length(v) / draft->units.length, &q);
    }
    crm_draft_drop_constant_row(draft, terms);
}

static void add_part(const side_rows *s, int node) {
    for (int i = 0; i < s->part->vertex_count; i++) add_vertex(s, node, s->part->vertex[i]);
}

static int32_t bulge_of(const crm_draft *draft, int interval, const crm_convex_part *part) {
    int slot = draft->slot[part->body];
    if (slot < 0 || !draft->avoided->between_nodes || part->arm == 0.0) return -1;
    return draft->avoided->bulge[interval * draft->moving_count + slot];
}

static crm_form3 negated(const crm_form3 *v) {
    crm_form3 out = crm_form3_vector(crm_vec3_zero());
    crm_form3_add(&out, -1.0, v);
    return out;
}

static void add_plane_unknowns(crm_draft *draft, crm_avoiding_plane *plane, const crm_row_name *name, crm_place place) {
    plane->unknown = draft->builder.lower.count;
    for (int i = 0; i < 4; i++) (void)crm_program_add_unknown(&draft->builder, -INFINITY, INFINITY, place);
    if (draft->builder.refused) return;
    crm_form3 alpha = crm_form3_unknown(draft, plane->unknown);
    crm_row_name unit = *name;
    unit.kind = CRM_ROW_PLANE;
    crm_add_dot(draft, crm_draft_row(draft, 1.0, 1.0, place, unit), 1.0, NULL, &alpha, &alpha);
}

crm_plane_nodes crm_avoid_nodes(const crm_draft *draft, const crm_avoiding_plane *plane) {
    const crm_avoided_pair *pair = &draft->avoided->pair[plane->pair];
    crm_plane_nodes nodes = {.first = plane->at, .bulges = draft->avoided->between_nodes};
    for (int i = 0; i <= (draft->avoided->between_nodes ? 1 : 0); i++) {
        if (touches(draft, plane->at + i, pair->a->body, pair->b->body)) {
            nodes.bulges = false;
        } else if (nodes.count++ == 0) {
            nodes.first = plane->at + i;
        }
    }
    return nodes;
}

// Of one plane: rows of both parts at the nodes that it stands for.
static void add_plane(crm_draft *draft, crm_avoiding_plane *plane, int number) {
    const crm_avoided *avoided = draft->avoided;
    const crm_avoided_pair *pair = &avoided->pair[plane->pair];
    crm_plane_nodes nodes = crm_avoid_nodes(draft, plane);
    int interval = plane->at < draft->intervals ? plane->at : draft->intervals - 1;
    plane->unknown = -1;
    if (nodes.count == 0) return;
    crm_place place = {CRM_PLACE_PLANE, interval, number};
    crm_row_name name = {CRM_ROW_GAP, pair->a->body, pair->b->body, plane->pair, plane->at};
    double length = draft->units.length, half = 0.5 * avoided->margin / length;
    side_rows a = {.draft = draft, .part = pair->a, .place = place, .name = name, .bulge = -1}, b = a;
    b.part = pair->b;
    if (pair->a->half_space) {
        b.alpha = crm_form3_vector(pair->a->normal);
        b.offset = crm_form_number(pair->a->offset / length);
        b.distance = 2.0 * half + pair->b->radius / length;
    } else {
        add_plane_unknowns(draft, plane, &name, place);
        if (draft->builder.refused) return;
        b.alpha = crm_form3_unknown(draft, plane->unknown);
        b.offset = crm_form_unknown(draft, plane->unknown + 3);
        b.distance = half + pair->b->radius / length;
        a.alpha = negated(&b.alpha);
        a.offset = crm_form_number(0.0);
        crm_form_add(&a.offset, -1.0, &b.offset);
        a.distance = half + pair->a->radius / length;
    }
    if (nodes.bulges) {
        a.bulge = bulge_of(draft, interval, pair->a);
        b.bulge = bulge_of(draft, interval, pair->b);
    }
    for (int node = nodes.first; node < nodes.first + nodes.count; node++) {
        if (!pair->a->half_space) add_part(&a, node);
        add_part(&b, node);
    }
}

// ---- bulges

double crm_avoid_bulge(carom_quat from, carom_quat to) {
    double c = crm_quat_dot(from, to); // tr = 4 c^2 - 1
    return bulge_factor * 8.0 * fmax(0.0, 1.0 - c * c);
}

static bool needs_bulge(const crm_draft *draft, int interval, int body) {
    const crm_avoided *avoided = draft->avoided;
    for (int p = 0; p < avoided->pair_count; p++) {
        const crm_avoided_pair *pair = &avoided->pair[p];
        if (!avoided->plane[interval * avoided->pair_count + p].active) continue;
        if ((pair->a->body == body && pair->a->arm > 0.0) || (pair->b->body == body && pair->b->arm > 0.0)) return true;
    }
    return false;
}

static int32_t add_bulge(crm_draft *draft, int interval, int body) {
    crm_place place = crm_interval_place(interval);
    int32_t q = crm_program_add_unknown(&draft->builder, 0.0, INFINITY, place);
    if (draft->builder.refused) return -1;
    crm_form bulge = crm_form_unknown(draft, q);
    int32_t row = crm_draft_row(draft, 6.0 * bulge_factor, INFINITY, place,
                                (crm_row_name){CRM_ROW_BULGE, body, -1, -1, interval});
    crm_add_form(draft, row, 1.0, &bulge);
    crm_add_trace(draft, row, 2.0 * bulge_factor, interval, body);
    return q;
}

void crm_avoid_add(crm_draft *draft) {
    crm_avoided *avoided = draft->avoided;
    if (avoided == NULL) return;
    for (int i = 0; i < avoided->places * avoided->pair_count; i++) avoided->plane[i].active = avoided->plane[i].wanted;
    for (int k = 0; avoided->between_nodes && k < draft->intervals; k++) {
        for (int s = 0; s < draft->moving_count; s++) {
            bool rotates = crm_has_directors(crm_draft_body(draft, draft->body[s]));
            int32_t *bulge = &avoided->bulge[k * draft->moving_count + s];
            *bulge = rotates && needs_bulge(draft, k, draft->body[s]) ? add_bulge(draft, k, draft->body[s]) : -1;
        }
    }
    for (int place = 0; place < avoided->places; place++) {
        for (int p = 0, number = 0; p < avoided->pair_count && !draft->builder.refused; p++) {
            crm_avoiding_plane *plane = &avoided->plane[place * avoided->pair_count + p];
            if (plane->active) add_plane(draft, plane, number++);
        }
    }
}
