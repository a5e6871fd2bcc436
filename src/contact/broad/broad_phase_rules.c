// SPDX-License-Identifier: MIT
// Boxes are already grown by the margins of their items; what is left is that of the static geometry. With o the
// origin, a box goes down to the height  sum min(n_k (low_k - o_k), n_k (high_k - o_k))  over a plane, and to the
// distance |m|,  m_k = max(|low_k - o_k|, |high_k - o_k|),  from the centre of a container. Every operation is monotone
// in low and high, and rounding is monotone too: the larger box always has the lower height and the larger distance.
#include "contact/broad/broad_phase_rules.h"

#include <float.h>
#include <math.h>

#include "distance/static_geometry.h"
#include "math/quat.h"

crm_static_bound crm_static_bound_of(const carom_view *view, double margin) {
    crm_static_geometry s = crm_static_geometry_of(view->shape, &view->pose, true);
    carom_quat q = view->pose.attitude;
    // The normal is right to 16 roundings, and to how far the attitude is off from length 1 (item_box.c).
    double slack = 16.0 * DBL_EPSILON + 2.0 * fabs(crm_quat_dot(q, q) - 1.0);
    crm_static_bound out = {.container = view->shape->kind == CAROM_SHAPE_CONTAINER,
                            .normal = {s.normal.x, s.normal.y, s.normal.z},
                            .origin = {s.origin.x, s.origin.y, s.origin.z},
                            .radius = s.radius,
                            .margin = margin,
                            .slack = slack};
    // The plane's point is as far off as a box in its place would be.
    if (!out.container) out.margin += slack * (fabs(view->shape->offset) + crm_length(s.origin));
    return out;
}

bool crm_meets_static_geometry(const crm_static_bound *bound, const crm_box *box) {
    double height = 0.0, far = 0.0, square = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = box->low[k] - bound->origin[k], high = box->high[k] - bound->origin[k];
        double below = fabs(low), above = fabs(high), most = below > above ? below : above;
        height += bound->normal[k] * (bound->normal[k] > 0.0 ? low : high);
        far += most;
        square += most * most;
    }
    double within = bound->margin + bound->slack * far;
    if (bound->container) return sqrt(square) + within + bound->slack * bound->radius >= bound->radius;
    return height <= within;
}
