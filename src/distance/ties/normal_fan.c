// SPDX-License-Identifier: MIT
#include "distance/ties/normal_fan.h"

#include "distance/ties/pierced_face.h"

crm_fan crm_fan_make(const crm_side *a, const crm_side *b, carom_vec3 beta, const carom_vec3 anchor[2]) {
    crm_fan f = {.side = {a, b}, .anchor = {anchor[0], anchor[1]}};
    carom_vec3 t1, t2;
    crm_tangents(beta, &t1, &t2);
    for (int k = 0; k < 2; k++) {
        const crm_side *side = f.side[k];
        double tolerance = crm_active_distance(side, anchor[k]);
        double unit = side->size > 0.0 ? 1.0 / side->size : 0.0, scale = k == 0 ? -unit : unit;
        f.tolerance[k] = tolerance * unit;
        f.axes[k][0] = crm_scale(scale, crm_mat3_apply_t(side->rotation, beta));
        f.axes[k][1] = crm_scale(scale, crm_mat3_apply_t(side->rotation, t1));
        f.axes[k][2] = crm_scale(scale, crm_mat3_apply_t(side->rotation, t2));
    }
    return f;
}

// The cut is chosen with a small allowance, which prefers long arms among those of one facet (Harris 1973).
void crm_fan_span(const crm_fan *f, crm_fan_point p, crm_fan_point d, double *low, double *high) {
    double allowance = CRM_SLACK_TOLERANCE * (1.0 + fabs(p.u) + fabs(p.v)), least[2] = {INFINITY, INFINITY};
    double end[2] = {INFINITY, INFINITY};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < f->side[side]->vertex_count; i++) {
            crm_cut c = crm_cut_of(f, side, i);
            double rate = c.x * d.u + c.y * d.v, room = crm_cut_slack(c, p);
            if (fabs(rate) <= f->tolerance[side]) continue;
            room = room > 0.0 ? room : 0.0;
            int way = rate > 0.0 ? 0 : 1;
            double length = fabs(rate);
            if ((room + allowance) / length >= least[way]) continue;
            least[way] = (room + allowance) / length;
            end[way] = room / length;
        }
    *low = -end[0];
    *high = end[1];
}
