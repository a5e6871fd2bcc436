// SPDX-License-Identifier: MIT
// Mass properties against sums over thin slices, which know nothing of the closed forms.
#include "carom/mass.h"

#include <math.h>

#include "support/harness/check.h"

static const double pi = 3.14159265358979323846;

typedef struct solid {
    double volume, xx, yy, zz; // second moments of the volume
} solid;

// Half-axes of the elliptic slice at height z, or, for a box, half-edges.
typedef void slice_function(double z, const double *size, double *a, double *b);

static void ellipsoid_slice(double z, const double *size, double *a, double *b) {
    double r = sqrt(fmax(0.0, 1.0 - z * z / (size[2] * size[2])));
    *a = size[0] * r;
    *b = size[1] * r;
}

static void capsule_slice(double z, const double *size, double *a, double *b) {
    double beyond = fmax(0.0, fabs(z) - 0.5 * size[1]);
    *a = *b = sqrt(fmax(0.0, size[0] * size[0] - beyond * beyond));
}

// Midpoint rule over elliptic slices: area pi a b, second moments pi a^3 b / 4.
static solid sum_slices(slice_function *slice, const double *size, double half_height) {
    enum { SLICES = 400000 };
    solid sum = {0.0, 0.0, 0.0, 0.0};
    double thickness = 2.0 * half_height / SLICES;
    for (int i = 0; i < SLICES; i++) {
        double z = -half_height + (i + 0.5) * thickness, a, b;
        slice(z, size, &a, &b);
        double volume = pi * a * b * thickness;
        sum.volume += volume;
        sum.xx += volume * a * a / 4.0;
        sum.yy += volume * b * b / 4.0;
        sum.zz += volume * z * z;
    }
    return sum;
}

static void check_solid(const carom_mass *got, double density, solid wanted) {
    CHECK_NEAR(got->volume, wanted.volume, 1e-8 * wanted.volume);
    CHECK_NEAR(got->mass, density * wanted.volume, 1e-8 * density * wanted.volume);
    double scale = density * (wanted.xx + wanted.yy + wanted.zz);
    CHECK_NEAR(got->inertia.x.x, density * (wanted.yy + wanted.zz), 1e-8 * scale);
    CHECK_NEAR(got->inertia.y.y, density * (wanted.xx + wanted.zz), 1e-8 * scale);
    CHECK_NEAR(got->inertia.z.z, density * (wanted.xx + wanted.yy), 1e-8 * scale);
    CHECK_NEAR(fabs(got->inertia.x.y) + fabs(got->inertia.y.z) + fabs(got->inertia.z.x), 0.0, 0.0);
}

TEST(ellipsoids_and_capsules_agree_with_slices) {
    const double axes[3] = {0.3, 1.1, 0.7};
    carom_mass got;
    CHECK_INT(carom_mass_of_ellipsoid((carom_vec3){axes[0], axes[1], axes[2]}, 2.5, &got, NULL), CAROM_OK);
    check_solid(&got, 2.5, sum_slices(ellipsoid_slice, axes, axes[2]));
    const double capsule[2] = {0.4, 1.7};
    CHECK_INT(carom_mass_of_capsule(capsule[0], capsule[1], 0.8, &got, NULL), CAROM_OK);
    check_solid(&got, 0.8, sum_slices(capsule_slice, capsule, 0.5 * capsule[1] + capsule[0]));
}

TEST(a_box_is_the_textbooks) {
    carom_mass got;
    CHECK_INT(carom_mass_of_box((carom_vec3){1.0, 2.0, 3.0}, 2.0, &got, NULL), CAROM_OK);
    CHECK_NEAR(got.volume, 6.0, 0.0);
    CHECK_NEAR(got.mass, 12.0, 0.0);
    CHECK_NEAR(got.inertia.x.x, 13.0, 1e-14);
    CHECK_NEAR(got.inertia.y.y, 10.0, 1e-14);
    CHECK_NEAR(got.inertia.z.z, 5.0, 1e-14);
}

TEST(impossible_sizes_are_refused_with_a_sentence) {
    static const double bad[] = {0.0, -1.0, NAN, INFINITY};
    carom_mass mass;
    carom_error error;
    for (int i = 0; i < 4; i++) {
        CHECK_INT(carom_mass_of_ellipsoid((carom_vec3){1.0, bad[i], 1.0}, 1.0, &mass, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "half-axis is ");
        CHECK_INT(carom_mass_of_box((carom_vec3){1.0, 1.0, bad[i]}, 1.0, &mass, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "size is ");
        CHECK_INT(carom_mass_of_capsule(bad[i], 1.0, 1.0, &mass, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "radius or length is ");
        CHECK_INT(carom_mass_of_capsule(1.0, bad[i], 1.0, &mass, &error), CAROM_ERR_BAD_INPUT);
        CHECK_INT(carom_mass_of_box((carom_vec3){1.0, 1.0, 1.0}, bad[i], &mass, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "density is ");
        CHECK_CONTAINS(error.text, "must be positive and finite");
    }
}

TEST_MAIN(CASE(ellipsoids_and_capsules_agree_with_slices), CASE(a_box_is_the_textbooks),
          CASE(impossible_sizes_are_refused_with_a_sentence))
