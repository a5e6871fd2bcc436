// SPDX-License-Identifier: MIT
// Contacts of curved bodies that rotate far within a step (docs/math.md 6.2).
//
// Rows are linear: a contact is taken to be gap + h u_n apart at the end of the step. Convex bodies that only shift are
// never closer than that; bodies that rotate are. An ellipsoid that tips over on its flat side pushes out to where its
// end comes, and grains that are hit rotate by half a radian in a step. So where bodies rotate far, the gap is measured
// at the poses that the impulses lead to. Where it is an overlap that rows know nothing of, the contact gets the normal
// and the point of the middle of the step, and the next attempt is made with these: the gap changes by the integral of
// u_n over the step, which the middle gives to third order in the angle.
#include <math.h>

#include "math/quat.h"
#include "shape/shape.h"
#include "step/lcp/lcp.h"

// Rotations below this angle, rad, make no overlap that counts, of bodies that curve by radii of their size.
static const double far_angle = 0.15;
// Overlaps that count, of the size of the smaller body.
static const double least_share = 0.02;

// ---- who rotates far

// No less than h |w| at the end of the step, without attitudes.
static double angle_bound(const carom_state *state, const crm_lcp *lcp, int body) {
    double most = crm_max_component(state->model->bodies.items[body].inverse_inertia);
    return state->method.step *
           (crm_length(lcp->motion.free[body].angular) + most * crm_length(lcp->motion.change[body].angular));
}

static bool any_rotates_far(const carom_state *state, const crm_lcp *lcp) {
    for (int b = 0; b < state->model->bodies.count; b++)
        if (angle_bound(state, lcp, b) > far_angle) return true;
    return false;
}

// Of all bodies at the end of the step, into lcp->twist.
static void set_twists(const carom_state *state, crm_lcp *lcp) {
    const carom_model *model = state->model;
    for (int b = 0; b < model->bodies.count; b++)
        lcp->twist[b] = crm_vec6_add(lcp->motion.free[b], crm_velocity_of(model, state, b, lcp->motion.change[b]));
}

static bool rotates_far(const carom_state *state, const crm_lcp *lcp, int body) {
    return state->method.step * crm_length(lcp->twist[body].angular) > far_angle;
}

// ---- one pair

// By how much a body can get farther out along `out` than its point of contact does to first order: all of it stays
// within a ball about the centre of mass.
static double growth_of(const carom_state *state, const crm_lcp *lcp, int body, carom_vec3 point, carom_vec3 out) {
    const crm_body *of = &state->model->bodies.items[body];
    carom_vec3 spin = lcp->twist[body].angular, arm = crm_sub(point, state->motions[body].x);
    if (!(crm_length_squared(spin) > 0.0)) return 0.0;
    double radius = state->model->shapes.items[of->def.shape.index].shape->farthest + crm_length(of->centre);
    double reached = crm_dot(out, crm_madd(arm, state->method.step, crm_cross(spin, arm)));
    return fmax(radius - reached, 0.0);
}

static carom_view view_after(const carom_state *state, const crm_lcp *lcp, int body, double time) {
    crm_motion motion = state->motions[body];
    motion.x = crm_madd(motion.x, time, lcp->twist[body].linear);
    motion.q = crm_quat_short_step(motion.q, lcp->twist[body].angular, time);
    return crm_body_view(state->model, body, &motion);
}

// Poses that are not finite have none, which counts as touch.
static carom_gap_witness witness_after(const carom_state *state, const crm_lcp *lcp, const crm_contact_site *site,
                                       double time) {
    carom_view a = view_after(state, lcp, site->a, time), b = view_after(state, lcp, site->b, time);
    const carom_distance_options options = {.struct_size = sizeof options, .any_solution = true};
    carom_gap_witness witness;
    (void)carom_gap_find(&a, &b, &options, NULL, &witness, NULL);
    return witness;
}

// How fast a point between two bodies goes along with them; what cannot move has no arm that matters.
static carom_vec3 shift_of(const crm_lcp *lcp, const crm_contact_site *site) {
    carom_vec3 a = lcp->twist[site->a].linear, b = lcp->twist[site->b].linear;
    if (lcp->problem.slot_of[site->a] < 0) return b;
    return lcp->problem.slot_of[site->b] < 0 ? a : crm_scale(0.5, crm_add(a, b));
}

// Whether the bodies overlap at the end of the step, while the contact foretells that they do not.
static bool overlaps_unseen(const carom_state *state, const crm_lcp *lcp, const crm_contact_site *site) {
    carom_vec3 n = site->direction[0];
    double least = least_share * site->size, h = state->method.step;
    if (!rotates_far(state, lcp, site->a) && !rotates_far(state, lcp, site->b)) return false;
    double foretold = site->gap + h * crm_dot(n, crm_contact_velocity(site, state->motions, lcp->twist));
    double growth =
        growth_of(state, lcp, site->a, site->point, n) + growth_of(state, lcp, site->b, site->point, crm_negate(n));
    if (foretold - growth >= -least) return false;
    double gap = witness_after(state, lcp, site, h).gap;
    return gap < -least && foretold - gap > least;
}

// The mean with where the contact was midway by the attempt before: spins that overshoot do so once.
static crm_midway_contact contact_midway(const carom_state *state, const crm_lcp *lcp, const crm_contact_site *site) {
    double time = 0.5 * state->method.step;
    carom_gap_witness witness = witness_after(state, lcp, site, time);
    carom_vec3 middle = crm_scale(0.5, crm_add(witness.point_a, witness.point_b));
    carom_vec3 point = crm_madd(middle, -time, shift_of(lcp, site)), normal = witness.normal;
    if (site->midway) {
        point = crm_scale(0.5, crm_add(point, site->point));
        if (!(crm_normalise(crm_add(normal, site->direction[0]), &normal) > 0.0)) normal = witness.normal;
    }
    return (crm_midway_contact){site->a, site->b, point, normal};
}

// ---- all

static bool same_pair(const crm_contact_site *s, const crm_contact_site *t) {
    return s->a == t->a && s->b == t->b;
}

// Whether a site is of the nearest points of its bodies, and has no other beside it.
static bool is_only_one(const carom_state *state, const crm_contact_step *contacts, int c) {
    const crm_contact_site *site = &contacts->sites.items[c];
    if (state->contact_list.items[contacts->listed.items[c]].kind != CAROM_CONTACT_KIND_NEAREST) return false;
    return (c == 0 || !same_pair(site - 1, site)) && (c + 1 == contacts->sites.count || !same_pair(site, site + 1));
}

static bool is_compound(const carom_model *model, int body) {
    carom_model_shape shape = model->bodies.items[body].def.shape;
    return model->shapes.items[shape.index].shape->kind == CAROM_SHAPE_COMPOUND;
}

static bool add(crm_contact_step *contacts, crm_midway_contact contact) {
    return CRM_ARRAY_PUSH(&contacts->model->allocator, &contacts->midway, contact);
}

bool crm_lcp_look_midway(const carom_state *state, crm_lcp *lcp, bool *any) {
    crm_contact_step *contacts = &lcp->contacts;
    *any = false;
    if (!any_rotates_far(state, lcp)) return true;
    set_twists(state, lcp);
    contacts->midway.count = 0;
    for (int c = 0; c < contacts->sites.count; c++) {
        const crm_contact_site *site = &contacts->sites.items[c];
        if (!is_only_one(state, contacts, c) || is_compound(state->model, site->a) ||
            is_compound(state->model, site->b))
            continue;
        bool unseen = overlaps_unseen(state, lcp, site);
        *any |= unseen;
        if (unseen && !add(contacts, contact_midway(state, lcp, site))) return false;
        if (!unseen && site->midway &&
            !add(contacts, (crm_midway_contact){site->a, site->b, site->point, site->direction[0]}))
            return false;
    }
    return true;
}
