// SPDX-License-Identifier: MIT
#include "step/flex/flex_passage.h"

#include <math.h>

#include "carom/distance.h"
#include "model/flex/flex.h"
#include "model/proxies.h"
#include "shape/shape.h"
#include "step/certify/accounts.h"
#include "step/contacts/contact_step.h"

// What touches is inside by rounding, or in a corner by little: of a mean edge.
static const double shallow = 0.1;
// Of two bodies that are inside each other so many nodes are enough to tell how far.
enum { MOST_NODES = 16, STEPS_BETWEEN = 64 };

typedef struct soft_body {
    const crm_flex *flex;
    const crm_motion *motion; // of its nodes (node_count)
    double edge;              // mean, m
    carom_vec3 low, high;     // box
} soft_body;

static soft_body soft_body_of(const carom_model *model, const crm_motion *motions, int flex) {
    const crm_flex *of = &model->flexes.items[flex];
    soft_body out = {.flex = of,
                     .motion = motions + of->first_body,
                     .edge = carom_mesh_get_quality(of->def.mesh).mean_edge,
                     .low = {INFINITY, INFINITY, INFINITY},
                     .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int n = 0; n < of->node_count; n++) {
        out.low = crm_vec3_min(out.low, out.motion[n].x);
        out.high = crm_vec3_max(out.high, out.motion[n].x);
    }
    return out;
}

static bool is_in_box(carom_vec3 x, carom_vec3 low, carom_vec3 high) {
    return x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z;
}

// Of the tetrahedron of an element's corners.
static bool is_in_element(const soft_body *of, int element, carom_vec3 x) {
    const carom_mesh *mesh = of->flex->def.mesh;
    const int32_t *node = carom_mesh_elements(mesh) + (ptrdiff_t)element * CAROM_ELEMENT_NODES(carom_mesh_order(mesh));
    carom_vec3 p[4], low = of->motion[node[0]].x, high = low;
    for (int k = 0; k < 4; k++) {
        p[k] = of->motion[node[k]].x;
        low = crm_vec3_min(low, p[k]);
        high = crm_vec3_max(high, p[k]);
    }
    if (!is_in_box(x, low, high)) return false;
    static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}; // counter-clockwise seen from outside
    for (int k = 0; k < 4; k++) {
        carom_vec3 a = p[face[k][0]];
        carom_vec3 outward = crm_cross(crm_sub(p[face[k][1]], a), crm_sub(p[face[k][2]], a));
        if (!(crm_dot(outward, crm_sub(x, a)) <= 0.0)) return false;
    }
    return true;
}

static double gap_of(const carom_view *view, carom_vec3 x) {
    carom_view point = carom_view_of_vertices(1, &x);
    carom_gap_witness gap;
    return carom_gap_find(view, &point, NULL, NULL, &gap, NULL) == CAROM_OK ? gap.gap : INFINITY;
}

// How far from the surface, or at most as far as is of interest.
static double depth_in(const soft_body *of, carom_vec3 x) {
    int count;
    const carom_mesh_triangle *triangle = carom_mesh_surface(of->flex->def.mesh, &count);
    double depth = INFINITY;
    for (int t = 0; t < count && depth > shallow * of->edge; t++) {
        carom_vec3 corner[3];
        for (int k = 0; k < 3; k++) corner[k] = of->motion[triangle[t].node[k]].x;
        carom_view view = carom_view_of_vertices(3, corner);
        depth = fmin(depth, gap_of(&view, x));
    }
    return depth;
}

typedef struct deepest_node {
    double share; // of a mean edge of the body that it is in
    int node;     // the body that it is
} deepest_node;

static deepest_node find_deepest(const soft_body *of, const soft_body *in) {
    deepest_node out = {0.0, -1};
    int elements = carom_mesh_element_count(in->flex->def.mesh), looked_at = 0;
    for (int n = 0; n < of->flex->node_count && looked_at < MOST_NODES; n++) {
        carom_vec3 x = of->motion[n].x;
        if (!is_in_box(x, in->low, in->high)) continue;
        int e = 0;
        while (e < elements && !is_in_element(in, e, x)) e++;
        double share = e < elements ? depth_in(in, x) / in->edge : 0.0;
        if (!(share > shallow)) continue;
        looked_at++;
        if (share > out.share) out = (deepest_node){share, of->flex->first_body + n};
    }
    return out;
}

static bool may_meet(const carom_model *model, int a, int b) {
    const carom_body_def *first = &model->bodies.items[a].def, *second = &model->bodies.items[b].def;
    if ((first->groups & second->meets) == 0 || (second->groups & first->meets) == 0) return false;
    return crm_model_pair_allowed(model, a < b ? a : b, a < b ? b : a);
}

static void tell(carom_state *state, bool has_contact, deepest_node found, int other) {
    if (found.node < 0) return;
    if (has_contact)
        crm_finding_raise(state, CAROM_RULE_OVERLAP, found.share, found.node, other);
    else
        crm_finding_count(state, CAROM_RULE_NO_CONTACT, found.node, other);
}

static void check_pair(const carom_model *model, carom_state *state, const soft_body *a, const soft_body *b,
                       bool has_contact) {
    bool apart = !(a->low.x < b->high.x && b->low.x < a->high.x && a->low.y < b->high.y && b->low.y < a->high.y &&
                   a->low.z < b->high.z && b->low.z < a->high.z);
    if (apart || !may_meet(model, a->flex->first_body, b->flex->first_body)) return;
    deepest_node of_a = find_deepest(a, b), of_b = find_deepest(b, a);
    bool first = of_a.share >= of_b.share;
    tell(state, has_contact, first ? of_a : of_b, first ? b->flex->first_body : a->flex->first_body);
}

// Methods with contact tell how deep nodes are in shapes.
static void check_shapes(const carom_model *model, carom_state *state, const soft_body *of) {
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].def.shape.index < 0 || !may_meet(model, b, of->flex->first_body)) continue;
        carom_view view = crm_body_view(model, b, &state->next[b]);
        for (int n = 0; n < of->flex->node_count; n++) {
            double depth = -gap_of(&view, of->motion[n].x);
            if (!(depth > shallow * of->edge)) continue;
            tell(state, false, (deepest_node){depth / of->edge, of->flex->first_body + n}, b);
            break;
        }
    }
}

void crm_flex_passage_check(const carom_model *model, carom_state *state, bool has_contact) {
    // Potentials between pieces tell all that overlaps.
    if ((has_contact && !state->nodes_touch) || state->step_count % STEPS_BETWEEN != 0) return;
    for (int f = 0; f < model->flexes.count; f++) {
        soft_body of = soft_body_of(model, state->next, f);
        for (int g = 0; g < f; g++) {
            soft_body other = soft_body_of(model, state->next, g);
            check_pair(model, state, &of, &other, has_contact);
        }
        if (!has_contact) check_shapes(model, state, &of);
    }
}
