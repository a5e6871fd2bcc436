// SPDX-License-Identifier: MIT
#include "reference/posed/posed_tie.h"

#include "math/quat.h"
#include "reference/posed/posed_body.h"

const char *const posed_tie_names[POSED_TIES] = {"corner on corner", "corner on edge", "edge along edge",
                                                 "edge in facet", "facet on facet"};
static const int dimensions[POSED_TIES][2] = {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}};

static carom_vec3 rounded(wide3 v) {
    return (carom_vec3){(double)v.x, (double)v.y, (double)v.z};
}

// A frame whose x axis is the normal n and whose y axis is along the edge, when there is one.
static carom_mat3 frame_at(sampler *s, const posed_body *body, posed_feature feature, wide3 n) {
    carom_vec3 any = sample_unit(s);
    wide3 along = feature.dimension == 1 ? posed_edge_direction(body, feature) : (wide3){any.x, any.y, any.z};
    wide3 z = wide3_unit(wide3_cross(n, along));
    return crm_mat3_columns(rounded(n), rounded(wide3_cross(z, n)), rounded(z));
}

// Corners of what is round are smooth: no tie.
static bool has_feature(const posed_body *body, int dimension) {
    return posed_is_sharp(body, 0) || (dimension == 1 && posed_most_dimension(body, 0) == 1);
}

bool posed_tie_draw(sampler *s, const carom_shape *first, const carom_shape *second, int tie, posed_tie *out) {
    posed_body a = posed_body_of(first, sample_attitude(s)), b = posed_body_of(second, crm_quat_identity());
    bool possible = has_feature(&a, dimensions[tie][0]) && has_feature(&b, dimensions[tie][1]);
    if (possible) {
        posed_feature at_a = posed_feature_draw(s, &a, 0, dimensions[tie][0]);
        posed_feature at_b = posed_feature_draw(s, &b, 0, dimensions[tie][1]);
        wide3 n = posed_cone_draw(s, &a, at_a), m = posed_cone_draw(s, &b, at_b);
        // Rotate B so that its normal meets A's and edges are parallel: frame of A = R frame of B, with -n for m.
        carom_mat3 to = frame_at(s, &a, at_a, wide3_scale(-1.0L, n)), from = frame_at(s, &b, at_b, m);
        carom_quat rotation = crm_quat_normalised(crm_quat_from_mat3(crm_mat3_mul_nt(to, from)));
        wide3 arm_a = posed_point_draw(s, &a, at_a, n);
        posed_body_free(&b);
        b = posed_body_of(second, rotation);
        wide3 arm_b = posed_point_draw(s, &b, at_b, wide3_scale(-1.0L, n));
        out->a = carom_view_of(first, (carom_pose){.attitude = a.attitude});
        out->b = carom_view_of(second, (carom_pose){rounded(wide3_sub(arm_a, arm_b)), rotation});
    }
    posed_body_free(&a);
    posed_body_free(&b);
    return possible;
}
