// SPDX-License-Identifier: MIT
#include "step/integrate/isolated_body.h"

#include "step/integrate/moser_veselov.h"

carom_quat crm_isolated_rotated(carom_quat q, double s, carom_vec3 a) {
    carom_quat r = crm_quat_mul((carom_quat){s, a.x, a.y, a.z}, q);
    double scale = 1.5 - 0.5 * crm_quat_dot(r, r);
    return (carom_quat){scale * r.w, scale * r.x, scale * r.y, scale * r.z};
}

// The rotation by the angular momentum between the ends; false when there is none of less than 90 degrees.
static bool rotation(const crm_body *body, carom_quat from, carom_vec3 l, double h, int limit, carom_quat *q,
                     crm_isolated_report *report) {
    carom_vec3 hl = crm_scale(h, l), a;
    double s;
    if (body->kind == CAROM_BODY_PLANAR) {
        carom_vec3 moments = crm_vec3(body->inertia.z, body->inertia.z, body->inertia.z); // rotates about z only
        if (!crm_moser_veselov(moments, hl, limit, &a, &s, &report->iterations, &report->residual)) return false;
    } else {
        carom_vec3 in_body = crm_quat_rotate_inverse(from, hl);
        if (!crm_moser_veselov(body->inertia, in_body, limit, &a, &s, &report->iterations, &report->residual))
            return false;
        a = crm_quat_rotate(from, a);
    }
    *q = crm_isolated_rotated(from, s, a);
    return true;
}

bool crm_isolated_step(const crm_body *body, const crm_motion *from, crm_vec6 before, crm_vec6 after, double h,
                       int iteration_limit, crm_motion *to, crm_isolated_report *report) {
    *report = (crm_isolated_report){0};
    crm_vec6 impulse = crm_vec6_add(before, after);
    crm_motion m = *from;
    if (body->kind != CAROM_BODY_FIXED) {
        m.x = crm_madd(from->x, h * body->inverse_mass, crm_add(from->p, before.linear));
        m.p = crm_add(from->p, impulse.linear);
    }
    if (body->kind != CAROM_BODY_FIXED && body->kind != CAROM_BODY_POINT) {
        m.l = crm_add(from->l, impulse.angular);
        carom_vec3 between = crm_add(from->l, before.angular);
        if (!rotation(body, from->q, between, h, iteration_limit, &m.q, report)) return false;
    }
    *to = m;
    return true;
}
