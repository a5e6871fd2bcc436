// SPDX-License-Identifier: MIT
#include "control/guess/touches.h"

#include <math.h>

#include "base/fail.h"
#include "carom/distance.h"

static carom_view view_at(const crm_draft *draft, const crm_path *path, int node, int body) {
    carom_body_state s = crm_motion_to_body_state(crm_draft_body(draft, body), crm_path_at(path, node, body));
    const carom_shape *shape = carom_model_get_shape(draft->model, crm_draft_body(draft, body)->def.shape);
    return carom_view_of(shape, (carom_pose){s.position, crm_quat_normalised(s.attitude)});
}

// From part a to part b of a contact.
static carom_status gap_of(const crm_draft *draft, const crm_path *path, const crm_planned_contact *c,
                           carom_gap_witness *out, carom_error *error) {
    carom_view a = view_at(draft, path, c->node, c->a->body), b = view_at(draft, path, c->node, c->b->body);
    return carom_gap_find(&a, &b, NULL, NULL, out, error);
}

// ---- the path

static void move_around(const crm_draft *draft, crm_path *path, int from, int node, int to, int body, carom_vec3 by) {
    if (draft->slot[body] < 0) return;
    for (int k = from; k <= to; k++) {
        double share = k <= node ? (double)(k - from) / (node - from) : (double)(to - k) / (to - node);
        if (node == to) share = (double)(k - from) / (node - from);
        crm_path_at(path, k, body)->x = crm_madd(crm_path_at(path, k, body)->x, share, by);
    }
}

carom_status crm_touches_bend_path(const crm_draft *draft, crm_path *path, carom_error *error) {
    const crm_planned *planned = draft->planned;
    for (int i = 0; i < planned->count; i++) {
        const crm_planned_contact *c = &planned->contact[i];
        int from = 0, to = draft->intervals;
        for (int k = 0; k < planned->count; k++) {
            if (planned->contact[k].node < c->node && planned->contact[k].node > from) from = planned->contact[k].node;
            if (planned->contact[k].node > c->node && planned->contact[k].node < to) to = planned->contact[k].node;
        }
        carom_gap_witness witness;
        carom_status status = gap_of(draft, path, c, &witness, error);
        if (status != CAROM_OK) return status;
        bool both = draft->slot[c->a->body] >= 0 && draft->slot[c->b->body] >= 0;
        carom_vec3 by = crm_scale(both ? 0.5 * witness.gap : witness.gap, witness.normal);
        move_around(draft, path, from, c->node, to, c->a->body, by);
        move_around(draft, path, from, c->node, to, c->b->body, crm_negate(by));
    }
    return CAROM_OK;
}

void crm_touches_choose_corners(crm_draft *draft, const crm_path *path) {
    for (int i = 0; i < draft->planned->count; i++) {
        crm_planned_contact *c = &draft->planned->contact[i];
        double lowest = INFINITY;
        if (!c->sticky) continue;
        const crm_motion *m = crm_path_at(path, c->node, c->b->body);
        for (int v = 0; v < c->b->vertex_count; v++) {
            double height = crm_dot(c->a->normal, crm_add(m->x, crm_quat_rotate(m->q, c->b->vertex[v])));
            if (height < lowest) lowest = height, c->corner = v;
        }
    }
}

// ---- unknowns

static carom_vec3 three(const double *z, int32_t first) {
    return crm_vec3(z[first], z[first + 1], z[first + 2]);
}

static void put(double *z, int32_t first, carom_vec3 v) {
    z[first] = v.x, z[first + 1] = v.y, z[first + 2] = v.z;
}

static void fill_twists(const crm_draft *draft, const crm_path *path, int contact, double *z) {
    const crm_planned_contact *c = &draft->planned->contact[contact];
    for (int s = 0; s < draft->moving_count; s++) {
        int32_t twist = draft->planned->twist[contact * draft->moving_count + s];
        if (twist < 0) continue;
        const crm_body *b = crm_draft_body(draft, draft->body[s]);
        carom_quat q = crm_path_at(path, c->node, draft->body[s])->q;
        for (int after = 0; after < 2; after++) {
            int32_t p = draft->momentum[(c->node - 1 + after) * draft->moving_count + s];
            put(z, twist + 6 * after, crm_scale(draft->units.mass / b->mass, three(z, p)));
            if (!crm_has_directors(b)) continue;
            carom_vec3 l = crm_quat_rotate_inverse(q, crm_scale(draft->units.spin, three(z, p + 3)));
            carom_vec3 w = crm_quat_rotate(q, crm_vec3_mul(b->inverse_inertia, l));
            put(z, twist + 6 * after + 3, crm_scale(draft->units.time, w));
        }
    }
}

// What the momentum of a body changes by along the normal.
static double change_of(const crm_draft *draft, int node, int body, carom_vec3 along, const double *z) {
    if (draft->slot[body] < 0) return 0.0;
    int32_t before = draft->momentum[(node - 1) * draft->moving_count + draft->slot[body]];
    int32_t after = draft->momentum[node * draft->moving_count + draft->slot[body]];
    return crm_dot(along, crm_sub(three(z, after), three(z, before)));
}

static void share_out(double *z, int32_t first, int count, double total) {
    for (int i = 0; i < count && first >= 0; i++) z[first + i] = total / count;
}

static void fill_contact(const crm_draft *draft, const crm_planned_contact *c, const carom_gap_witness *witness,
                         double *z) {
    carom_vec3 middle = crm_scale(0.5, crm_add(witness->point_a, witness->point_b));
    double total = 1.0;
    if (!c->at_end) {
        total = fmax(change_of(draft, c->node, c->b->body, witness->normal, z),
                     -change_of(draft, c->node, c->a->body, witness->normal, z));
        total = fmax(total, 2.0 * c->least);
    }
    if (c->plane >= 0) put(z, c->plane, witness->normal);
    if (c->plane >= 0 && !c->single) z[c->plane + 3] = crm_dot(witness->normal, middle) / draft->units.length;
    share_out(z, c->push_a, c->a->vertex_count, total);
    share_out(z, c->push_b, c->b->vertex_count, total);
    if (c->hold >= 0) put(z, c->hold, crm_scale(total, witness->normal));
}

carom_status crm_touches_fill(const crm_draft *draft, const crm_path *path, double *z, carom_error *error) {
    for (int i = 0; i < draft->planned->count; i++) {
        const crm_planned_contact *c = &draft->planned->contact[i];
        carom_gap_witness witness;
        carom_status status = gap_of(draft, path, c, &witness, error);
        if (status != CAROM_OK) return status;
        fill_twists(draft, path, i, z);
        fill_contact(draft, c, &witness, z);
    }
    return CAROM_OK;
}
