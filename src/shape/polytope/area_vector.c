// SPDX-License-Identifier: MIT
// Where a polygon looks. A triangle of width w and length L whose normal is computed plainly may tilt by eps L / w
// about its long side, and what lies far away on that side comes out above it. So the sum of cross products is taken as
// if in twice the precision: Ogita, Rump, Oishi, Accurate sum and dot product (2005), algorithm Dot2.
#include <math.h>

#include "math/vec3.h"
#include "shape/polytope/hull.h"

typedef struct long_sum {
    double value, rest;
} long_sum;

static void add(long_sum *sum, double term) {
    double before = sum->value, after = before + term, back = after - before;
    sum->rest += (before - (after - back)) + (term - back);
    sum->value = after;
}

static void add_product(long_sum *sum, double a, double b) {
    double product = a * b;
    add(sum, product);
    sum->rest += fma(a, b, -product);
}

// Twice the area: the sum of p x q over the edges from p to q.
carom_vec3 crm_area_vector(int count, const int *corners, const carom_vec3 *points) {
    long_sum x = {0.0, 0.0}, y = {0.0, 0.0}, z = {0.0, 0.0};
    for (int i = 0; i < count; i++) {
        carom_vec3 p = points[corners[i]], q = points[corners[i + 1 < count ? i + 1 : 0]];
        add_product(&x, p.y, q.z);
        add_product(&x, -p.z, q.y);
        add_product(&y, p.z, q.x);
        add_product(&y, -p.x, q.z);
        add_product(&z, p.x, q.y);
        add_product(&z, -p.y, q.x);
    }
    return crm_vec3(x.value + x.rest, y.value + y.rest, z.value + z.rest);
}
