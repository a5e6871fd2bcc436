// SPDX-License-Identifier: MIT
// Planned contacts, from their impulses and the shapes: every impulse acts where both bodies are (lambda g = 0), pushes
// and stays in the cone, and leaves the velocity that restitution asks for (lambda n.(v+ + e v-) = 0); all of them
// together are at least what was asked. The normal is that of the gap of the two shapes at the node.
//
// Where one body is fixed these hold impulse by impulse; where both move, for their sum: the velocity there is that of
// one point. And a corner that touches what is fixed leaves at least as restitution asks (n.(v+ + e v-) >= 0), whether
// it pushes or not: else a method that finds contacts itself would have it push.
#include <math.h>

#include "control/certificate/plan_facts.h"
#include "math/order.h"
#include "math/quat.h"

typedef struct touch {
    crm_plan_facts *facts;
    const carom_plan_contact *contact;
    int index;
    carom_view a, b;
    carom_vec3 normal;            // from a to b
    crm_vec6 before[2], after[2]; // twists of a and b
    double momentum;              // the plan's unit
    double pushed, cone, rebound; // sums: of normal impulses, beyond the cone, of lambda psi
} touch;

static carom_view view_of(const crm_plan_facts *f, int node, carom_body body) {
    const crm_motion *at = &f->at[crm_fact_at(f, node, body.index)];
    const crm_body *of = crm_fact_body(f, body.index);
    carom_quat attitude = crm_quat_normalised(crm_quat_mul(at->q, crm_quat_conjugate(of->frame)));
    carom_vec3 origin = crm_sub(at->x, crm_quat_rotate(attitude, of->centre));
    return carom_view_of(carom_model_get_shape(f->model, of->def.shape), (carom_pose){origin, attitude});
}

static bool begin(crm_plan_facts *f, int index, touch *t) {
    const carom_plan_contact *c = &f->def->contact[index];
    if (crm_fact_body(f, c->a.index)->def.shape.index < 0 || crm_fact_body(f, c->b.index)->def.shape.index < 0)
        return false;
    *t = (touch){.facts = f, .contact = c, .index = index};
    t->a = view_of(f, c->node, c->a);
    t->b = view_of(f, c->node, c->b);
    carom_gap_witness witness;
    if (carom_gap_find(&t->a, &t->b, NULL, NULL, &witness, NULL) != CAROM_OK) return false;
    t->normal = witness.normal;
    t->momentum = f->mass * f->length / f->time;
    const int body[2] = {c->a.index, c->b.index};
    for (int i = 0; i < 2; i++) {
        t->before[i] = crm_fact_twist(f, c->node, body[i], crm_fact_momenta_before(f, c->node, body[i]));
        t->after[i] = crm_fact_twist(f, c->node, body[i], crm_fact_momenta_after(f, c->node, body[i]));
    }
    crm_plan_violation v = {CRM_LAW_TOUCH, c->a, c->b, index, c->node, fmax(witness.gap, 0.0), 0.0};
    crm_violation_note(f, v, f->length);
    return true;
}

static double distance_to(const carom_view *view, carom_vec3 point) {
    carom_view at = carom_view_of_vertices(1, &point);
    carom_gap_witness witness;
    if (carom_gap_find(view, &at, NULL, NULL, &witness, NULL) != CAROM_OK) return INFINITY;
    return fabs(witness.gap);
}

static carom_vec3 velocity_at(const touch *t, int end, const crm_vec6 *twist, carom_vec3 point) {
    int body = end == 0 ? t->contact->a.index : t->contact->b.index;
    carom_vec3 centre = t->facts->motion->position[crm_fact_at(t->facts, t->contact->node, body)];
    return crm_add(twist[end].linear, crm_cross(twist[end].angular, crm_sub(point, centre)));
}

// How fast they part at a point.
static double parting(const touch *t, const crm_vec6 *twist, carom_vec3 point) {
    return crm_dot(t->normal, crm_sub(velocity_at(t, 1, twist, point), velocity_at(t, 0, twist, point)));
}

static void note_product(touch *t, double product, double unit) {
    carom_plan_certificate *certificate = &t->facts->out->certificate;
    double share = product / unit;
    if (isnan(share)) share = INFINITY;
    if (!(share > certificate->complementarity)) return;
    certificate->complementarity = share;
    t->facts->out->product_contact = t->index;
}

static void add_impulse(touch *t, const crm_plan_impulse *impulse) {
    const crm_plan_facts *f = t->facts;
    const carom_plan_contact *c = t->contact;
    bool same = impulse->a.index == c->a.index;
    carom_vec3 on_b = same ? crm_negate(impulse->impulse) : impulse->impulse;
    double normal = crm_dot(on_b, t->normal);
    double across = crm_length(crm_madd(on_b, -normal, t->normal));
    double away = crm_larger(distance_to(&t->a, impulse->point), distance_to(&t->b, impulse->point));
    note_product(t, crm_length(on_b) * away, t->momentum * f->length);
    t->pushed += normal;
    if (c->sticky) return;
    t->cone += fmax(0.0, across - c->friction * fmax(normal, 0.0)) + fmax(0.0, -normal);
    double psi = parting(t, t->after, impulse->point) + c->restitution * parting(t, t->before, impulse->point);
    bool both = crm_fact_moves(f, c->a.index) && crm_fact_moves(f, c->b.index);
    double speed = f->length / f->time;
    if (both) {
        t->rebound += normal * psi;
    } else {
        note_product(t, fabs(normal * psi), t->momentum * speed);
    }
}

// ---- corners that touch

// A corner that is as far as this share of the plan's length may come nearer as fast as by a length in the plan's time.
static const double touching_share = 1e-3;

static void check_corners(touch *t, const carom_view *of, const carom_view *fixed) {
    const crm_plan_facts *f = t->facts;
    const carom_vec3 *vertex = carom_shape_vertices(of->shape);
    for (int i = 0; i < carom_shape_vertex_count(of->shape); i++) {
        carom_vec3 point = crm_add(of->pose.position, crm_quat_rotate(of->pose.attitude, vertex[i]));
        double psi = parting(t, t->after, point) + t->contact->restitution * parting(t, t->before, point);
        double shortfall = -psi - distance_to(fixed, point) / (touching_share * f->time);
        if (shortfall > 0.0) note_product(t, t->pushed * shortfall, t->momentum * f->length / f->time);
    }
}

static void check_leaving(touch *t) {
    bool a = crm_fact_moves(t->facts, t->contact->a.index), b = crm_fact_moves(t->facts, t->contact->b.index);
    if (t->contact->sticky || t->contact->node == t->facts->intervals) return;
    if (a && !b) check_corners(t, &t->a, &t->b);
    if (b && !a) check_corners(t, &t->b, &t->a);
}

static void finish(touch *t) {
    crm_plan_facts *f = t->facts;
    check_leaving(t);
    crm_plan_findings *out = f->out;
    note_product(t, fabs(t->rebound), t->momentum * f->length / f->time);
    double cone = t->cone > 0.0 ? t->cone / fmax(t->pushed, t->momentum) : 0.0;
    if (cone > out->certificate.cone) {
        out->certificate.cone = cone;
        out->cone_contact = t->index;
    }
    const carom_plan_contact *c = t->contact;
    crm_plan_violation v = {CRM_LAW_TOUCH, c->a, c->b, t->index, c->node, fmax(c->least_impulse - t->pushed, 0.0), 0.0};
    if (!c->sticky) crm_violation_note(f, v, t->momentum);
}

void crm_check_touches(crm_plan_facts *f) {
    for (int c = 0; c < f->def->contact_count; c++) {
        touch t;
        if (!begin(f, c, &t)) continue;
        for (int i = 0; i < f->motion->impulse_count; i++) {
            const crm_plan_impulse *impulse = &f->motion->impulse[i];
            if (impulse->contact == c && impulse->joint < 0 && impulse->node == t.contact->node)
                add_impulse(&t, impulse);
        }
        finish(&t);
    }
}
