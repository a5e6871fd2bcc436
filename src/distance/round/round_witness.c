// SPDX-License-Identifier: MIT
// What a climb starts from and what it leaves: pairs of vertices, points and their weights.
#include "distance/round/round_climb.h"

void crm_round_read_pairs(const crm_round_problem *p, int count, int pairs[][2], crm_round_summit *at) {
    at->count = 0;
    for (int i = 0; i < count && i < 3; i++) {
        crm_round_piece piece = {.a = pairs[i][0], .b = pairs[i][1]};
        bool exists = piece.a >= 0 && piece.a < p->a->vertex_count && piece.b >= 0 && piece.b < p->b->vertex_count;
        if (exists && !crm_round_knows(at, piece.a, piece.b)) at->piece[at->count++] = piece;
    }
}

int crm_round_write_pairs(const crm_round_summit *at, int pairs[3][2]) {
    int count = 0;
    for (int i = 0; i < at->count && count < 3; i++) {
        if (!(at->piece[i].weight > 0.0)) continue;
        pairs[count][0] = at->piece[i].a;
        pairs[count][1] = at->piece[i].b;
        count++;
    }
    return count;
}

// Adds the weight of a vertex to a touch, which stays in ascending order.
static void add_touch(carom_touch *touch, int vertex, double weight) {
    int place = touch->vertex_count;
    for (int i = 0; i < touch->vertex_count; i++) {
        if (touch->vertices[i] == vertex) {
            touch->weights[i] += weight;
            return;
        }
        if (touch->vertices[i] > vertex && i < place) place = i;
    }
    for (int i = touch->vertex_count++; i > place; i--) {
        touch->vertices[i] = touch->vertices[i - 1];
        touch->weights[i] = touch->weights[i - 1];
    }
    touch->vertices[place] = vertex;
    touch->weights[place] = weight;
}

void crm_round_points(const crm_round_problem *p, const crm_round_summit *at, carom_vec3 *point_a, carom_vec3 *point_b,
                      carom_touch *touch_a, carom_touch *touch_b) {
    carom_vec3 arm_a = at->round_a, arm_b = crm_negate(at->round_b);
    *touch_a = *touch_b = (carom_touch){.part = 0};
    for (int i = 0; i < at->count; i++) {
        const crm_round_piece *piece = &at->piece[i];
        if (!(piece->weight > 0.0)) continue;
        arm_a = crm_madd(arm_a, piece->weight, piece->arm_a);
        arm_b = crm_madd(arm_b, piece->weight, piece->arm_b);
        add_touch(touch_a, piece->a, piece->weight);
        add_touch(touch_b, piece->b, piece->weight);
    }
    *point_a = crm_add(p->a->centre, arm_a);
    *point_b = crm_add(p->b->centre, arm_b);
}
