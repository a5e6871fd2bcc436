// SPDX-License-Identifier: MIT
// Fast pairs: where they meet on their way. The contact has the points of both bodies that meet, where they are at the
// start of the step, and the normal of the impact: to first order it lets them go just so far.
#include <math.h>

#include "contact/narrow/manifold.h"
#include "distance/side.h"
#include "distance/toi/toi_of_parts.h"
#include "math/quat.h"
#include "math/so3.h"

// Of the smaller in-radius.
static const double fast_share = 0.5;

// Points without a shape may be flat, and static geometry has no other side.
static double in_radius_of(const carom_view *view) {
    carom_shape_kind kind = crm_view_kind(view);
    if (kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_CONTAINER) return INFINITY;
    return view->shape != NULL ? view->shape->in_radius : 0.0;
}

bool crm_moves_fast(const crm_manifold *m) {
    return m->margin > fast_share * fmin(in_radius_of(&m->a->view), in_radius_of(&m->b->view));
}

// Where a point of the body that is at `point` after a time is at the start.
static carom_vec3 carried_back(const carom_proxy *proxy, double time, carom_vec3 point) {
    carom_vec3 pivot = proxy->view.pose.position;
    carom_vec3 arm = crm_sub(point, crm_madd(pivot, time, proxy->motion.velocity));
    return crm_add(pivot, crm_quat_rotate(crm_so3_exp(crm_scale(-time, proxy->motion.spin)), arm));
}

crm_continuous_outcome crm_continuous_pair(const crm_manifold *m, double duration, crm_continuous_contact *out) {
    const carom_proxy *a = m->a->proxy, *b = m->b->proxy;
    carom_toi_options options = carom_toi_options_default();
    options.duration = duration;
    carom_toi_result impact;
    carom_status status =
        crm_toi_of_parts(&a->view, &a->motion, m->a->part, &b->view, &b->motion, m->b->part, &options, &impact, NULL);
    if (status != CAROM_OK || impact.outcome == CAROM_TOI_UNDECIDED) return CRM_CONTINUOUS_UNDECIDED;
    if (impact.outcome != CAROM_TOI_FOUND) return CRM_CONTINUOUS_PASSES;
    out->normal = impact.at.normal;
    out->point_a = carried_back(a, impact.time, impact.at.point_a);
    out->point_b = carried_back(b, impact.time, impact.at.point_b);
    out->gap = crm_dot(out->normal, crm_sub(out->point_b, out->point_a));
    return CRM_CONTINUOUS_MEETS;
}
