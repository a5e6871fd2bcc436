// SPDX-License-Identifier: MIT
// By duplication: every round brings the arguments four times nearer to each other, and a series does the rest. The
// terms that are left out are of the sixth order in their distance.
#include "math/carlson.h"

#include <math.h>

// (2e-16)^(1/6), a bit less: the neglected terms are then below rounding.
static const double near_enough = 1.5e-3;

static double spread(double mean, double x, double y, double z) {
    return fmax(fabs(mean - x), fmax(fabs(mean - y), fabs(mean - z))) / mean;
}

double crm_carlson_rf(double x, double y, double z) {
    double mean = (x + y + z) / 3.0;
    while (spread(mean, x, y, z) > near_enough) {
        double l = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        x = 0.25 * (x + l), y = 0.25 * (y + l), z = 0.25 * (z + l);
        mean = (x + y + z) / 3.0;
    }
    double a = 1.0 - x / mean, b = 1.0 - y / mean, c = -a - b;
    double e2 = a * b - c * c, e3 = a * b * c;
    return (1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0) / sqrt(mean);
}

double crm_carlson_rd(double x, double y, double z) {
    double mean = (x + y + 3.0 * z) / 5.0, sum = 0.0, power = 1.0;
    while (spread(mean, x, y, z) > near_enough) {
        double l = sqrt(x * y) + sqrt(y * z) + sqrt(z * x);
        sum += power / (sqrt(z) * (z + l));
        power *= 0.25;
        x = 0.25 * (x + l), y = 0.25 * (y + l), z = 0.25 * (z + l);
        mean = (x + y + 3.0 * z) / 5.0;
    }
    double a = 1.0 - x / mean, b = 1.0 - y / mean, c = -(a + b) / 3.0;
    double ab = a * b, cc = c * c;
    double e2 = ab - 6.0 * cc, e3 = (3.0 * ab - 8.0 * cc) * c, e4 = 3.0 * (ab - cc) * cc, e5 = ab * cc * c;
    double series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0 +
                    3.0 * e5 / 26.0;
    return 3.0 * sum + power * series / (mean * sqrt(mean));
}
