// SPDX-License-Identifier: MIT
// The text of contact_sweep.h, compiled for one instruction set after the other.
#include <math.h>
#include <stdbool.h>

#include "math/simd/quad.h"
#include "solve/sweeps/contact_sweep.h"

// A slide is good enough for this visit when |r_t| is so near to mu r_n before it is put on the cone.
static const double slide_tolerance = 1e-4;
enum { MOST_NEWTON = 60 };

// Rows of six are read as four and, with the next row's first two, four more: those meet zeros in the velocities.
QUAD_INLINE quad row_product(const double *row, quad low, quad high) {
    return quad_load_any(row) * low + quad_load_any(row + 4) * high;
}

typedef struct sweep_slide {
    double y0, y1, size, pressure, inverse;
} sweep_slide;

QUAD_INLINE sweep_slide slide_with(const crm_sweep_contact *k, double normal, double c0, double c1, double lambda) {
    sweep_slide p;
    double a = k->s00 + lambda, d = k->s11 + lambda;
    p.inverse = 1.0 / (a * d - k->s01 * k->s10);
    p.y0 = p.inverse * (k->s01 * c1 - d * c0);
    p.y1 = p.inverse * (k->s10 * c0 - a * c1);
    p.size = sqrt(p.y0 * p.y0 + p.y1 * p.y1);
    p.pressure = normal - (k->coupling[0] * p.y0 + k->coupling[1] * p.y1);
    return p;
}

// As slide_root of group_solve.c, but stops early and leaves the better multiplier for the next visit.
QUAD_INLINE void slide(crm_sweep_contact *k, double normal, double c0, double c1, double fresh[3]) {
    double low = 0.0, high = INFINITY, lambda = k->multiplier;
    sweep_slide p;
    for (int step = 0;; step++) {
        p = slide_with(k, normal, c0, c1, lambda);
        double psi = k->friction * p.pressure / p.size - 1.0;
        if (psi < 0.0)
            low = lambda;
        else
            high = lambda;
        double a = k->s00 + lambda, d = k->s11 + lambda;
        double dy0 = -p.inverse * (d * p.y0 - k->s01 * p.y1), dy1 = -p.inverse * (a * p.y1 - k->s10 * p.y0);
        double pressure_slope = -(k->coupling[0] * dy0 + k->coupling[1] * dy1);
        double size_slope = (p.y0 * dy0 + p.y1 * dy1) / p.size;
        double slope = k->friction * (pressure_slope - p.pressure * size_slope / p.size) / p.size;
        double next = lambda - psi / slope;
        if (fabs(psi) <= slide_tolerance || step == MOST_NEWTON) {
            k->multiplier = next > 0.0 ? next : 0.0;
            break;
        }
        if (!(next > low && next < high)) next = high < INFINITY ? 0.5 * (low + high) : 2.0 * low + (k->s00 + k->s11);
        lambda = next;
    }
    double factor = k->friction * p.pressure / p.size;
    fresh[0] = p.pressure;
    fresh[1] = factor * p.y0;
    fresh[2] = factor * p.y1;
}

static double sweep_contacts(crm_sweep_contact *contacts, int count, double *z, double *r) {
    double largest = 0.0;
    for (int i = 0; i < count; i++, r += 3) {
        crm_sweep_contact *k = &contacts[i];
        double *za = z + k->a, *zb = z + k->b;
        quad a0 = quad_load(za), a1 = quad_load(za + 4), b0 = quad_load(zb), b1 = quad_load(zb + 4);
        quad n = row_product(k->rows_a, a0, a1) + row_product(k->rows_b, b0, b1);
        quad t = row_product(k->rows_a + 6, a0, a1) + row_product(k->rows_b + 6, b0, b1);
        quad o = row_product(k->rows_a + 12, a0, a1) + row_product(k->rows_b + 12, b0, b1);
        double u0 = (n[0] + n[1]) + (n[2] + n[3]), u1 = (t[0] + t[1]) + (t[2] + t[3]);
        double u2 = (o[0] + o[1]) + (o[2] + o[3]);
        // What the velocity would be without this contact.
        double f0 = k->offset[0] - (k->own[0] * r[0] + k->own[1] * r[1] + k->own[2] * r[2]) + u0;
        double f1 = k->offset[1] - (k->own[3] * r[0] + k->own[4] * r[1] + k->own[5] * r[2]) + u1;
        double f2 = k->offset[2] - (k->own[6] * r[0] + k->own[7] * r[1] + k->own[8] * r[2]) + u2;

        double fresh[3] = {0.0, 0.0, 0.0};
        if (f0 < 0.0) {
            double normal = -f0 * k->normal_inverse;
            double c0 = f1 + k->lean[0] * normal, c1 = f2 + k->lean[1] * normal;
            double y0 = -(k->stick[0] * c0 + k->stick[1] * c1), y1 = -(k->stick[2] * c0 + k->stick[3] * c1);
            double pressure = normal - (k->coupling[0] * y0 + k->coupling[1] * y1), most = k->friction * pressure;
            if (pressure >= 0.0 && y0 * y0 + y1 * y1 <= most * most) {
                fresh[0] = pressure, fresh[1] = y0, fresh[2] = y1;
                k->multiplier = 0.0;
            } else {
                slide(k, normal, c0, c1, fresh);
            }
        } else {
            k->multiplier = 0.0;
        }
        double d0 = fresh[0] - r[0], d1 = fresh[1] - r[1], d2 = fresh[2] - r[2];
        double change = (d0 * d0 + d1 * d1 + d2 * d2) * k->scale_squared;
        if (!(change <= largest)) largest = change;
        r[0] = fresh[0], r[1] = fresh[1], r[2] = fresh[2];

        quad q0 = quad_fill(d0), q1 = quad_fill(d1), q2 = quad_fill(d2);
        const double *ja = k->rows_a, *jb = k->rows_b;
        quad_store(za, a0 + (quad_load_any(ja) * q0 + quad_load_any(ja + 6) * q1 + quad_load_any(ja + 12) * q2));
        quad_store_low(za + 4,
                       a1 + (quad_load_any(ja + 4) * q0 + quad_load_any(ja + 10) * q1 + quad_load_any(ja + 16) * q2));
        quad_store(zb, b0 + (quad_load_any(jb) * q0 + quad_load_any(jb + 6) * q1 + quad_load_any(jb + 12) * q2));
        quad_store_low(zb + 4,
                       b1 + (quad_load_any(jb + 4) * q0 + quad_load_any(jb + 10) * q1 + quad_load_any(jb + 16) * q2));
    }
    return largest;
}
