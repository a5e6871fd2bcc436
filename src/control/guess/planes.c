// SPDX-License-Identifier: MIT
#include "control/guess/planes.h"

#include <math.h>

#include "base/fail.h"
#include "carom/distance.h"

// A plane by the hulls of both parts over its nodes.
typedef struct separation {
    double gap;        // between the hulls less radii and bulges, m
    carom_vec3 normal; // from a to b
    double offset;     // m
} separation;

typedef struct hulls {
    const crm_draft *draft;
    const crm_path *path;
    carom_vec3 *a, *b; // scratch: of the largest part at two nodes each
} hulls;

static int collect(const hulls *h, const crm_convex_part *part, const crm_plane_nodes *nodes, carom_vec3 *out) {
    int count = 0;
    for (int node = nodes->first; node < nodes->first + nodes->count; node++) {
        const crm_motion *m = crm_path_at(h->path, node, part->body);
        for (int i = 0; i < part->vertex_count; i++)
            out[count++] = crm_add(m->x, crm_quat_rotate(m->q, part->vertex[i]));
        if (h->draft->slot[part->body] < 0) break; // it stays
    }
    return count;
}

static double bulge_of(const hulls *h, const crm_convex_part *part, const crm_plane_nodes *nodes) {
    if (!nodes->bulges || part->arm == 0.0 || h->draft->slot[part->body] < 0) return 0.0;
    carom_quat from = crm_path_at(h->path, nodes->first, part->body)->q;
    return part->arm * crm_avoid_bulge(from, crm_path_at(h->path, nodes->first + 1, part->body)->q);
}

static double farthest(int count, const carom_vec3 *v, carom_vec3 n) {
    double most = -INFINITY;
    for (int i = 0; i < count; i++) most = fmax(most, crm_dot(n, v[i]));
    return most;
}

static carom_status separate(const hulls *h, const crm_avoiding_plane *plane, const crm_plane_nodes *nodes,
                             separation *out, carom_error *error) {
    const crm_avoided_pair *pair = &h->draft->avoided->pair[plane->pair];
    int count_b = collect(h, pair->b, nodes, h->b);
    double thick_b = pair->b->radius + bulge_of(h, pair->b, nodes);
    if (pair->a->half_space) {
        *out = (separation){.normal = pair->a->normal, .offset = pair->a->offset};
        out->gap = -farthest(count_b, h->b, crm_negate(out->normal)) - out->offset - thick_b;
        return CAROM_OK;
    }
    int count_a = collect(h, pair->a, nodes, h->a);
    double thick_a = pair->a->radius + bulge_of(h, pair->a, nodes);
    carom_view a = carom_view_of_vertices(count_a, h->a), b = carom_view_of_vertices(count_b, h->b);
    carom_gap_witness witness;
    carom_status status = carom_gap_find(&a, &b, NULL, NULL, &witness, error);
    if (status != CAROM_OK) return status;
    out->normal = witness.normal;
    double high_a = farthest(count_a, h->a, witness.normal),
           low_b = -farthest(count_b, h->b, crm_negate(witness.normal));
    out->offset = 0.5 * (high_a + thick_a + low_b - thick_b);
    out->gap = low_b - high_a - thick_a - thick_b;
    return CAROM_OK;
}

static carom_status make_hulls(const crm_draft *draft, const crm_path *path, crm_arena *arena, hulls *h,
                               carom_error *error) {
    int most = 0;
    for (int i = 0; i < draft->avoided->parts.count; i++)
        if (draft->avoided->parts.part[i].vertex_count > most) most = draft->avoided->parts.part[i].vertex_count;
    *h = (hulls){.draft = draft, .path = path};
    h->a = CRM_ARENA_ARRAY(arena, carom_vec3, 2 * most);
    h->b = CRM_ARENA_ARRAY(arena, carom_vec3, 2 * most);
    return crm_arena_refused(arena) ? crm_fail_memory(error, "the guess of a plan", sizeof *h->a * (size_t)most)
                                    : CAROM_OK;
}

carom_status crm_planes_want(crm_draft *draft, const crm_path *path, double beyond, crm_arena *arena, int *fresh,
                             carom_error *error) {
    crm_avoided *avoided = draft->avoided;
    crm_mark mark = crm_arena_mark(arena);
    hulls h;
    carom_status status = make_hulls(draft, path, arena, &h, error);
    *fresh = 0;
    for (int i = 0; i < avoided->places * avoided->pair_count && status == CAROM_OK; i++) {
        crm_avoiding_plane *plane = &avoided->plane[i];
        crm_plane_nodes nodes = crm_avoid_nodes(draft, plane);
        separation s;
        if (plane->wanted || nodes.count == 0) continue;
        status = separate(&h, plane, &nodes, &s, error);
        plane->wanted = status == CAROM_OK && s.gap < avoided->margin + beyond;
        *fresh += plane->wanted;
    }
    crm_arena_release(arena, mark);
    return status;
}

carom_status crm_planes_fill(const crm_draft *draft, const crm_path *path, double *z, crm_arena *arena,
                             carom_error *error) {
    const crm_avoided *avoided = draft->avoided;
    crm_mark mark = crm_arena_mark(arena);
    hulls h;
    carom_status status = make_hulls(draft, path, arena, &h, error);
    for (int i = 0; i < avoided->places * avoided->pair_count && status == CAROM_OK; i++) {
        const crm_avoiding_plane *plane = &avoided->plane[i];
        if (!plane->active || plane->unknown < 0) continue;
        crm_plane_nodes nodes = crm_avoid_nodes(draft, plane);
        separation s;
        status = separate(&h, plane, &nodes, &s, error);
        if (status != CAROM_OK) break;
        for (int k = 0; k < 3; k++) z[plane->unknown + k] = crm_component(s.normal, k);
        z[plane->unknown + 3] = s.offset / draft->units.length;
    }
    for (int k = 0; avoided->between_nodes && k < draft->intervals; k++) {
        for (int s = 0; s < draft->moving_count; s++) {
            int32_t q = avoided->bulge[k * draft->moving_count + s];
            int body = draft->body[s];
            if (q >= 0) z[q] = crm_avoid_bulge(crm_path_at(path, k, body)->q, crm_path_at(path, k + 1, body)->q);
        }
    }
    crm_arena_release(arena, mark);
    return status;
}

// ---- round each other

enum { ROUNDS = 12 };

static carom_view view_at(const crm_draft *draft, const crm_path *path, int node, int body) {
    carom_body_state s = crm_motion_to_body_state(crm_draft_body(draft, body), crm_path_at(path, node, body));
    const carom_shape *shape = carom_model_get_shape(draft->model, crm_draft_body(draft, body)->def.shape);
    return carom_view_of(shape, (carom_pose){s.position, crm_quat_normalised(s.attitude)});
}

typedef struct overlap {
    double depth; // m
    int node, a, b;
} overlap;

static carom_status deepest(const crm_draft *draft, const crm_path *path, overlap *out, carom_error *error) {
    const crm_avoided *avoided = draft->avoided;
    *out = (overlap){.depth = 0.0};
    for (int p = 0; p < avoided->pair_count; p++) {
        int a = avoided->pair[p].a->body, b = avoided->pair[p].b->body;
        if (p > 0 && avoided->pair[p - 1].a->body == a && avoided->pair[p - 1].b->body == b) continue; // other parts
        for (int node = 1; node + 1 < path->nodes; node++) {
            carom_view view_a = view_at(draft, path, node, a), view_b = view_at(draft, path, node, b);
            carom_gap_witness witness;
            carom_status status = carom_gap_find(&view_a, &view_b, NULL, NULL, &witness, error);
            if (status != CAROM_OK) return status;
            if (avoided->margin - witness.gap > out->depth) *out = (overlap){avoided->margin - witness.gap, node, a, b};
        }
    }
    return CAROM_OK;
}

static void push_away(const crm_draft *draft, crm_path *path, const overlap *o) {
    const crm_motion *a = crm_path_at(path, o->node, o->a), *b = crm_path_at(path, o->node, o->b);
    bool moves[2] = {draft->slot[o->a] >= 0, draft->slot[o->b] >= 0};
    carom_vec3 way = crm_sub(crm_path_at(path, path->nodes - 1, o->b)->x, crm_path_at(path, 0, o->b)->x);
    if (!moves[1]) way = crm_sub(crm_path_at(path, path->nodes - 1, o->a)->x, crm_path_at(path, 0, o->a)->x);
    carom_vec3 between = crm_sub(b->x, a->x), along, side;
    if (crm_normalise(way, &along) == 0.0) along = crm_vec3(1.0, 0.0, 0.0);
    between = crm_madd(between, -crm_dot(between, along), along);
    // Centres that pass through each other tell no side.
    if (crm_normalise(between, &side) < 1e-6 * draft->units.length) side = crm_any_normal(along);
    double share = moves[0] && moves[1] ? 0.5 : 1.0;
    for (int node = 1; node + 1 < path->nodes; node++) {
        double height = 1.2 * share * o->depth * sin(3.14159265358979323846 * node / (path->nodes - 1));
        if (moves[0]) crm_path_at(path, node, o->a)->x = crm_madd(crm_path_at(path, node, o->a)->x, -height, side);
        if (moves[1]) crm_path_at(path, node, o->b)->x = crm_madd(crm_path_at(path, node, o->b)->x, height, side);
    }
}

carom_status crm_planes_bulge_path(const crm_draft *draft, crm_path *path, carom_error *error) {
    for (int round = 0; round < ROUNDS; round++) {
        overlap o;
        carom_status status = deepest(draft, path, &o, error);
        if (status != CAROM_OK || o.depth <= 0.0) return status;
        push_away(draft, path, &o);
    }
    return CAROM_OK;
}
