// SPDX-License-Identifier: MIT
#include "compare/difference_curve.h"

#include <math.h>
#include <stdlib.h>

#include "verb/verb.h"

static bool grow(double **array, int64_t capacity) {
    double *larger = realloc(*array, (size_t)capacity * sizeof **array);
    if (larger != NULL) *array = larger;
    return larger != NULL;
}

int add_difference(difference_curve *curve, double time, int body_count, const carom_body_state *a,
                   const carom_body_state *b) {
    if (curve->count == curve->capacity) {
        int64_t capacity = 2 * curve->capacity + 64;
        bool good = grow(&curve->time, capacity);
        for (int q = 0; q < QUANTITY_COUNT && good; q++) good = grow(&curve->largest[q], capacity);
        if (!good) return refuse_memory("the comparison");
        curve->capacity = capacity;
    }
    curve->time[curve->count] = time;
    for (int q = 0; q < QUANTITY_COUNT; q++) {
        double largest = 0.0;
        for (int i = 0; i < body_count; i++) largest = fmax(largest, difference_of((quantity)q, &a[i], &b[i]));
        curve->largest[q][curve->count] = largest;
    }
    curve->count++;
    return EXIT_GOOD;
}

void free_difference_curve(difference_curve *curve) {
    free(curve->time);
    for (int q = 0; q < QUANTITY_COUNT; q++) free(curve->largest[q]);
    *curve = (difference_curve){0};
}
