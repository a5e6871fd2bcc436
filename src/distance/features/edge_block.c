// SPDX-License-Identifier: MIT
#include "distance/features/edge_block.h"

int crm_edge_block_fill(const crm_feature_frame *frame, const crm_near_set *near, int from, crm_edge_block *block) {
    const crm_polytope *p = frame->owner;
    int count = 0, edge = crm_near_next(near, from);
    for (; edge < near->count && count < CRM_EDGE_BLOCK; edge = crm_near_next(near, edge + 1), count++) {
        const int *ends = p->edge[edge].vertices;
        carom_vec3 point = p->vertex[ends[0]], along = crm_sub(p->vertex[ends[1]], point);
        block->number[count] = edge;
        block->x[count] = point.x;
        block->y[count] = point.y;
        block->z[count] = point.z;
        block->u[count] = along.x;
        block->v[count] = along.y;
        block->w[count] = along.z;
        block->square[count] = crm_length_squared(along);
        block->beyond[count] = frame->limits.margin / sqrt(block->square[count]);
    }
    block->count = count;
    return edge;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

void crm_edge_block_measure(const crm_feature_frame *frame, const crm_guest_edge *guest, crm_edge_block *block) {
    const carom_vec3 p = guest->point, g = guest->along;
    const double least = frame->limits.square_sine * guest->square, beyond = guest->beyond;
    for (int i = 0; i < block->count; i++) {
        carom_vec3 o = crm_vec3(block->u[i], block->v[i], block->w[i]);
        carom_vec3 apart = crm_vec3(block->x[i] - p.x, block->y[i] - p.y, block->z[i] - p.z);
        carom_vec3 across = crm_cross(g, o);
        double square = crm_dot(across, across);
        // p + s g = owner + r o + gap n; s and r times the square
        double s = crm_dot(crm_cross(apart, o), across), r = crm_dot(crm_cross(apart, g), across);
        double half = 0.5 * square;
        double off_guest = fabs(s - half) - half - beyond * square;
        double off_owner = fabs(r - half) - half - block->beyond[i] * square;
        block->excess[i] = larger(least * block->square[i] - square, larger(off_guest, off_owner));
    }
}
