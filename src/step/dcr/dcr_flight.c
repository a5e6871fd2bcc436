// SPDX-License-Identifier: MIT
// The way of a body through a step as if nothing touched, from its start or from where it was hit last: a
// variational step of any length, of a body that discrete forces act on with these, else with the mean force of the
// whole one (docs/math.md 10.7). And how two of them stand to each other on their ways.
#include <math.h>

#include "carom/distance.h"
#include "step/dcr/dcr.h"
#include "step/variational/variational.h"

// Places on the way of two bodies that are looked at for a touch; and gaps that are found between two of them. Parts of
// a flight: what was hit may spin faster than a step can follow.
enum { LOOKS = 8, MOST_GAPS = 60, MOST_PARTS = 1 << 12 };
// Relative to sizes: how well the touch is found. Relative to velocities: what is rounding.
static const double touch_accuracy = 1e-12, still_share = 1e-12;

void crm_dcr_take_off(crm_dcr *dcr) {
    double per_step = 1.0 / dcr->state->method.step;
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_motion *from = &dcr->state->motions[b], *to = &dcr->made[b];
        crm_vec6 gained = crm_vec6_of(crm_sub(to->p, from->p), crm_sub(to->l, from->l));
        const crm_body *body = &dcr->model->bodies.items[b];
        crm_vec6 weight = crm_vec6_of(crm_scale(body->mass, dcr->model->gravity), crm_vec3_zero());
        crm_vec6 steady = crm_vec6_madd(crm_wrench_projected(body->kind, weight), per_step, dcr->state->active[b]);
        dcr->flight[b] = (crm_dcr_flight){.start = *from, .force = crm_vec6_scale(per_step, gained), .steady = steady};
    }
}

// The part of a flight of that length that begins at `time`, s after the start of the step.
static bool fly_part(const crm_dcr *dcr, int b, double time, double length, crm_motion *to) {
    crm_isolated_report report;
    crm_forced_body *forced = crm_variational_forced_body(dcr->core, b);
    crm_vec6 force = forced != NULL ? dcr->flight[b].steady : dcr->flight[b].force;
    crm_vec6 half = crm_vec6_scale(0.5 * length, force);
    if (forced != NULL)
        return crm_forced_body_step(forced, to, half, half, carom_state_time(dcr->state) + time, length,
                                    &dcr->state->method, to, &report);
    return crm_isolated_step(&dcr->model->bodies.items[b], to, half, half, length, dcr->state->method.iteration_limit,
                             to, &report);
}

// In so many parts, of which none may rotate by 90 degrees.
static bool fly_in_parts(const crm_dcr *dcr, int b, double s, int parts, crm_motion *to) {
    double part = s / parts;
    bool made = true;
    *to = dcr->flight[b].start;
    for (int i = 0; i < parts && made; i++) made = fly_part(dcr, b, dcr->flight[b].from + i * part, part, to);
    return made;
}

void crm_dcr_fly(const crm_dcr *dcr, int b, double time, crm_motion *to) {
    double s = time - dcr->flight[b].from;
    *to = dcr->flight[b].start;
    if (!(s > 0.0)) return;
    for (int parts = 1; parts <= MOST_PARTS; parts *= 2)
        if (fly_in_parts(dcr, b, s, parts, to)) return;
}

// The same parts once more, with what they give.
static void tell_parts(crm_dcr *dcr, int b, double s, int parts) {
    crm_dcr_flight *flight = &dcr->flight[b];
    crm_forced_body *forced = crm_variational_forced_body(dcr->core, b);
    crm_vec6 half = crm_vec6_scale(0.5 * s / parts, flight->steady);
    crm_motion at = flight->start;
    for (int i = 0; i < parts; i++) {
        carom_vec3 from = at.x;
        (void)fly_part(dcr, b, flight->from + i * (s / parts), s / parts, &at); // it has been made before
        crm_dcr_push(dcr, b, from, crm_vec6_add(half, forced->before));
        crm_dcr_push(dcr, b, at.x, crm_vec6_add(half, forced->after));
        crm_discrete_forces_add_work(&forced->forces, 0);
    }
}

void crm_dcr_tell_flight(crm_dcr *dcr, int b, double until) {
    const crm_dcr_flight *flight = &dcr->flight[b];
    crm_forced_body *forced = crm_variational_forced_body(dcr->core, b);
    double s = until - flight->from;
    crm_motion to;
    crm_dcr_fly(dcr, b, until, &to);
    if (forced == NULL) {
        crm_vec6 half = crm_vec6_scale(0.5 * s, flight->force);
        crm_dcr_push(dcr, b, flight->start.x, half);
        crm_dcr_push(dcr, b, to.x, half);
        return;
    }
    int parts = 1;
    while (s > 0.0 && parts <= MOST_PARTS && !fly_in_parts(dcr, b, s, parts, &to)) parts *= 2;
    if (!(s > 0.0) || parts > MOST_PARTS) return;
    crm_discrete_forces_clear_work(&forced->forces);
    tell_parts(dcr, b, s, parts);
    crm_told_work *told = &dcr->state->told_work[b];
    told->passive += forced->forces.work[0].passive;
    told->active += forced->forces.work[0].active;
}

// ---- two bodies

// Where two are closest at a time.
static crm_contact_point closest(const crm_dcr *dcr, int a, int b, double time, crm_motion at[2]) {
    carom_gap_witness gap;
    crm_dcr_fly(dcr, a, time, &at[0]);
    crm_dcr_fly(dcr, b, time, &at[1]);
    carom_view view_a = crm_body_view(dcr->model, a, &at[0]), view_b = crm_body_view(dcr->model, b, &at[1]);
    if (carom_gap_find(&view_a, &view_b, NULL, NULL, &gap, NULL) != CAROM_OK) return (crm_contact_point){.gap = NAN};
    return (crm_contact_point){gap.gap, gap.normal, crm_scale(0.5, crm_add(gap.point_a, gap.point_b))};
}

static crm_vec6 twist_of(const crm_dcr *dcr, int b, const crm_motion *m) {
    const crm_body *body = &dcr->model->bodies.items[b];
    if (body->kind == CAROM_BODY_FIXED) return crm_vec6_zero();
    carom_vec3 spin = body->kind == CAROM_BODY_POINT ? crm_vec3_zero() : crm_motion_spin(body, m);
    return crm_vec6_of(crm_motion_velocity(body, m), spin);
}

// How fast their gap grows, in units of what is rounding.
static double parting(const crm_dcr *dcr, int a, int b, const crm_contact_point *point, const crm_motion at[2],
                      double size) {
    crm_vec6 of_a = twist_of(dcr, a, &at[0]), of_b = twist_of(dcr, b, &at[1]);
    double sum = crm_length(of_a.linear) + crm_length(of_b.linear);
    sum += size * (crm_length(of_a.angular) + crm_length(of_b.angular));
    double rate = crm_dot(point->normal, crm_point_velocity(point->point, &at[0], &at[1], of_a, of_b));
    return sum > 0.0 ? rate / (still_share * sum) : 0.0;
}

static double smaller_size(const crm_dcr *dcr, int a, int b) {
    return fmin(dcr->model->bodies.items[a].size, dcr->model->bodies.items[b].size);
}

static double later_start(const crm_dcr *dcr, int a, int b) {
    return fmax(dcr->flight[a].from, dcr->flight[b].from);
}

bool crm_dcr_lasts(const crm_dcr *dcr, int a, int b) {
    crm_motion at[2];
    return closest(dcr, a, b, later_start(dcr, a, b), at).gap <= CRM_DCR_TOUCH * smaller_size(dcr, a, b);
}

// The root between a time before the touch and one after it, at or after the touch: regula falsi that halves the value
// of an end that stays (Illinois).
static double touch_between(const crm_dcr *dcr, int a, int b, double low, double gap_low, double high,
                            double gap_high) {
    double accuracy = touch_accuracy * smaller_size(dcr, a, b);
    int side = 0;
    for (int i = 0; i < MOST_GAPS && gap_high < -accuracy; i++) {
        crm_motion at[2];
        double s = low + (high - low) * gap_low / (gap_low - gap_high);
        if (!(s > low && s < high)) s = 0.5 * (low + high);
        if (!(s > low && s < high)) break;
        // Aims at half of what is allowed after the touch.
        double gap = closest(dcr, a, b, s, at).gap;
        if (isnan(gap)) break;
        if (gap > 0.0) {
            low = s, gap_low = gap + 0.5 * accuracy;
            if (side > 0) gap_high *= 0.5;
            side = 1;
        } else {
            high = s, gap_high = gap;
            if (side < 0) gap_low *= 0.5;
            side = -1;
        }
    }
    return high;
}

double crm_dcr_touch_time(const crm_dcr *dcr, int a, int b) {
    double size = smaller_size(dcr, a, b), touch = CRM_DCR_TOUCH * size;
    double start = later_start(dcr, a, b), end = dcr->state->method.step, low = start;
    crm_motion at[2];
    crm_contact_point point = closest(dcr, a, b, start, at);
    double gap_low = point.gap;
    if (isnan(point.gap)) return INFINITY;
    if (point.gap <= touch) {
        double rate = parting(dcr, a, b, &point, at, size);
        if (rate < -1.0) return start;
        if (rate <= 1.0) return INFINITY; // it is pressed by the forces of this step, and lasts
    }
    for (int i = 1; i <= LOOKS; i++) {
        double s = start + (end - start) * i / LOOKS, gap = closest(dcr, a, b, s, at).gap;
        if (gap_low > touch && gap < 0.0) return touch_between(dcr, a, b, low, gap_low, s, gap);
        low = s, gap_low = gap;
    }
    return INFINITY;
}

// ---- slip

// Of the body's point at the contact since its flight began. On a ball the point moves and the arm stays: a rotation by
// the angle x moves it by sin x, as that is what the variational step takes for spin times step (docs/math.md 10.2).
static carom_vec3 way_of_point(const crm_dcr *dcr, int b, carom_vec3 point) {
    const crm_body *body = &dcr->model->bodies.items[b];
    const crm_motion *from = &dcr->flight[b].start, *to = &dcr->state->next[b];
    if (body->kind == CAROM_BODY_FIXED) return crm_vec3_zero();
    carom_vec3 way = crm_sub(to->x, from->x), arm = crm_sub(point, to->x);
    if (body->kind == CAROM_BODY_POINT) return way;
    carom_quat rotation = crm_quat_mul(to->q, crm_quat_conjugate(from->q));
    if (!crm_dcr_is_ball(dcr, b)) return crm_add(way, crm_sub(arm, crm_quat_rotate(crm_quat_conjugate(rotation), arm)));
    carom_vec3 axis = crm_vec3(rotation.x, rotation.y, rotation.z);
    return crm_add(way, crm_cross(crm_scale(2.0 * rotation.w, axis), arm));
}

void crm_dcr_slip(const crm_dcr *dcr, const crm_contact_site *site, double slip[2]) {
    carom_vec3 way = crm_sub(way_of_point(dcr, site->b, site->point), way_of_point(dcr, site->a, site->point));
    for (int k = 0; k < 2; k++) slip[k] = crm_dot(way, site->direction[1 + k]);
}
