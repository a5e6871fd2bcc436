// SPDX-License-Identifier: MIT
#include "study/path_curve.h"

#include <stdbool.h>
#include <stdlib.h>

#include "verb/verb.h"

static bool grow(double **array, int64_t capacity) {
    double *larger = realloc(*array, (size_t)capacity * sizeof **array);
    if (larger != NULL) *array = larger;
    return larger != NULL;
}

int add_to_path(path_curve *curve, double time, double energy, int body_count, const int *body,
                const carom_body_state *bodies) {
    if (curve->count == curve->capacity) {
        int64_t capacity = 2 * curve->capacity + 64;
        if (!grow(&curve->time, capacity) || !grow(&curve->energy, capacity) ||
            !grow(&curve->position, 3 * (int64_t)body_count * capacity + 1))
            return refuse_memory("the comparison");
        curve->capacity = capacity;
    }
    double *to = curve->position + 3 * (int64_t)body_count * curve->count;
    curve->time[curve->count] = time;
    curve->energy[curve->count] = energy;
    for (int i = 0; i < body_count; i++) {
        carom_vec3 x = bodies[body[i]].position;
        *to++ = x.x, *to++ = x.y, *to++ = x.z;
    }
    curve->count++;
    return EXIT_GOOD;
}

void free_path_curve(path_curve *curve) {
    free(curve->time);
    free(curve->energy);
    free(curve->position);
    *curve = (path_curve){0};
}
