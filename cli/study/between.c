// SPDX-License-Identifier: MIT
#include "study/between.h"

#include <stdlib.h>

#include "verb/verb.h"

int begin_between(between *b, int body_count) {
    *b = (between){.body_count = body_count};
    size_t size = (size_t)body_count * sizeof *b->now;
    bool good = (b->now = malloc(size)) != NULL;
    for (int k = 0; k < MOST_NODES; k++) good &= (b->node[k] = malloc(size)) != NULL;
    return good ? EXIT_GOOD : refuse_memory("the comparison");
}

void end_between(between *b) {
    for (int k = 0; k < MOST_NODES; k++) free(b->node[k]);
    free(b->now);
    *b = (between){.now = NULL};
}

void keep_node(between *b, const carom_state *state, moment sums) {
    carom_body_state *oldest = b->node[0];
    for (int k = 0; k + 1 < MOST_NODES; k++) {
        b->node[k] = b->node[k + 1];
        b->node_moment[k] = b->node_moment[k + 1];
    }
    // Cannot fail: the bodies are those of the state's model.
    for (int i = 0; i < b->body_count; i++) (void)carom_state_get_body(state, (carom_body){i}, &oldest[i], NULL);
    b->node[MOST_NODES - 1] = oldest;
    b->node_moment[MOST_NODES - 1] = sums;
}

// The numbers of a moment in order.
enum { MOMENT_NUMBERS = 8 };
static void take_numbers(const moment *m, double to[MOMENT_NUMBERS]) {
    const carom_vec3 *p = &m->momentum.linear, *l = &m->momentum.angular;
    const double numbers[MOMENT_NUMBERS] = {m->energy.kinetic, m->energy.potential, p->x, p->y, p->z, l->x, l->y, l->z};
    for (int i = 0; i < MOMENT_NUMBERS; i++) to[i] = numbers[i];
}

static moment moment_between(int count, const moment *nodes, double share) {
    double numbers[MOST_NODES][MOMENT_NUMBERS], now[MOMENT_NUMBERS];
    for (int k = 0; k < count; k++) take_numbers(&nodes[k], numbers[k]);
    for (int i = 0; i < MOMENT_NUMBERS; i++) {
        double column[MOST_NODES];
        for (int k = 0; k < count; k++) column[k] = numbers[k][i];
        now[i] = number_between(count, column, share);
    }
    return (moment){{now[0], now[1]}, {{now[2], now[3], now[4]}, {now[5], now[6], now[7]}}};
}

void place_between(between *b, int count, double step, double share) {
    int first = MOST_NODES - count;
    for (int i = 0; i < b->body_count; i++) {
        const carom_body_state *nodes[MOST_NODES];
        for (int k = 0; k < count; k++) nodes[k] = &b->node[first + k][i];
        b->now[i] = body_between(count, nodes, step, share);
    }
    b->now_moment = moment_between(count, &b->node_moment[first], share);
}
