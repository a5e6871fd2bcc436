// SPDX-License-Identifier: MIT
// How far two motions of the same bodies are from each other, quantity by quantity.
#ifndef CLI_DIFFERENCE_H
#define CLI_DIFFERENCE_H

#include <stdbool.h>

#include "carom/record.h"

typedef enum quantity { POSITION, ATTITUDE, VELOCITY, SPIN, QUANTITY_COUNT } quantity;
extern const char *const quantity_names[QUANTITY_COUNT];
extern const char *const quantity_units[QUANTITY_COUNT];

double distance_between(carom_vec3 a, carom_vec3 b);

// |a - b|; of attitudes the angle of the rotation between them, rad. Infinite where there is no number.
double difference_of(quantity what, const carom_body_state *a, const carom_body_state *b);
// To the bit; a quantity that is no number equals itself.
bool same_bits(quantity what, const carom_body_state *a, const carom_body_state *b);

// The largest differences over bodies and times.
typedef struct spread {
    double largest[QUANTITY_COUNT];
    int body[QUANTITY_COUNT];    // where it was
    double time[QUANTITY_COUNT]; // and when, s
    double size[QUANTITY_COUNT]; // the largest magnitude of the quantity itself; 1 for attitudes
} spread;

void widen(spread *s, double time, int count, const carom_body_state *a, const carom_body_state *b);

// The motions of all bodies of a state.
void read_bodies(const carom_state *state, int count, carom_body_state *out);

#endif
