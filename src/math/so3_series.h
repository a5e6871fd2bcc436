// SPDX-License-Identifier: MIT
// The coefficient functions of the rotation group: even functions of an angle x (rad) that are 0/0 at x = 0.
//
//   crm_sinc(x)          sin x / x                                1      at 0
//   crm_sinc_slope(x)    sinc'/x   = (x cos x - sin x) / x^3     -1/3
//   crm_sinc_bend(x)     slope'/x  = ((3 - x^2) sin x - 3 x cos x) / x^5    1/15
//   crm_cosc(x)          (1 - cos x) / x^2                        1/2
//   crm_cosc_slope(x)    cosc'/x                                 -1/12
//   crm_sin3(x)          (x - sin x) / x^3                        1/6
//   crm_sin3_slope(x)    sin3'/x   = (3 sin x - x cos x - 2 x) / x^5       -1/60
//   crm_cotc(x)          (1 - (x/2) cot(x/2)) / x^2               1/12   pole at 2 pi
//   crm_cotc_slope(x)    cotc'/x                                  1/360  double pole at 2 pi
//
// Derivatives are divided by x, so that the gradient with respect to a rotation vector a is slope(|a|) a and stays
// smooth at zero. Only sinc_slope, sinc_bend, sin3 and sin3_slope cancel; each uses its Taylor series up to a switch
// angle and the closed form beyond. The others are products and quotients of these at x or x/2: sines halved as
// cosc = sinc(x/2)^2 / 2 keep the zeros and poles at 2 pi right to rounding as well.
//
// Switch angles. At 2 the closed forms of the first three no longer cancel (their terms have one sign, or differ by a
// factor 2.5) and the alternating series do not yet: 12 terms reach 2e-19. sin3_slope still loses a factor 9 at 2
// and 2 at 3, so that its switch is 3 and its series has 14 terms (8e-21). Relative error measured against long double
// on 0..2 pi: 5e-16 or less, but 1e-15 for sinc_bend (right after its switch) and 2e-15 for cotc_slope (a difference
// in the ratio 5 to 3). sinc_slope and sinc_bend have zeros at 4.49 and 5.76, where that is relative to a tenth of
// their value at 0.
#ifndef CRM_MATH_SO3_SERIES_H
#define CRM_MATH_SO3_SERIES_H

#include <math.h>

static inline double crm_horner(const double *coefficient, int count, double x) {
    double sum = coefficient[count - 1];
    for (int k = count - 2; k >= 0; k--) sum = sum * x + coefficient[k];
    return sum;
}

static inline double crm_sinc(double x) {
    return x == 0.0 ? 1.0 : sin(x) / x;
}

// sinc and cosc by the squared angle, without a root or a sine up to half a radian: eight terms of each series reach
// 1e-17 there, five of them up to a tenth. For rotations of one step.
static inline void crm_sinc_cosc_squared(double square, double *sinc, double *cosc) {
    static const double sinc_series[] = {1.0,
                                         -1.0 / 6.0,
                                         1.0 / 120.0,
                                         -1.0 / 5040.0,
                                         1.0 / 362880.0,
                                         -1.0 / 39916800.0,
                                         1.0 / 6227020800.0,
                                         -1.0 / 1307674368000.0};
    static const double cosc_series[] = {
        1.0 / 2.0,       -1.0 / 24.0,        1.0 / 720.0,         -1.0 / 40320.0,
        1.0 / 3628800.0, -1.0 / 479001600.0, 1.0 / 87178291200.0, -1.0 / 20922789888000.0};
    const double few_terms_up_to = 0.01, series_up_to = 0.25;
    if (square <= few_terms_up_to) {
        *sinc = crm_horner(sinc_series, 5, square);
        *cosc = crm_horner(cosc_series, 5, square);
    } else if (square <= series_up_to) {
        *sinc = crm_horner(sinc_series, 8, square);
        *cosc = crm_horner(cosc_series, 8, square);
    } else {
        double angle = sqrt(square), half = sin(0.5 * angle) / angle;
        *sinc = sin(angle) / angle;
        *cosc = 2.0 * half * half;
    }
}

static inline double crm_sinc_slope(double x) {
    static const double series[] = {
        -1.0 / 3.0,
        1.0 / 30.0,
        -1.0 / 840.0,
        1.0 / 45360.0,
        -1.0 / 3991680.0,
        1.0 / 518918400.0,
        -1.0 / 93405312000.0,
        1.0 / 22230464256000.0,
        -1.0 / 6758061133824000.0,
        1.0 / 2554547108585472000.0,
        -1.0 / 1175091669949317120000.0,
        1.0 / 646300418472124416000000.0,
    };
    const double series_up_to = 2.0;
    if (fabs(x) <= series_up_to) return crm_horner(series, 12, x * x);
    return (cos(x) - sin(x) / x) / (x * x);
}

static inline double crm_sinc_bend(double x) {
    static const double series[] = {
        1.0 / 15.0,
        -1.0 / 210.0,
        1.0 / 7560.0,
        -1.0 / 498960.0,
        1.0 / 51891840.0,
        -1.0 / 7783776000.0,
        1.0 / 1587890304000.0,
        -1.0 / 422378820864000.0,
        1.0 / 141919283810304000.0,
        -1.0 / 58754583497465856000.0,
        1.0 / 29377291748732928000000.0,
        -1.0 / 17450111298747359232000000.0,
    };
    const double series_up_to = 2.0;
    double square = x * x;
    if (fabs(x) <= series_up_to) return crm_horner(series, 12, square);
    return ((3.0 / square - 1.0) * (sin(x) / x) - 3.0 * cos(x) / square) / square;
}

static inline double crm_cosc(double x) {
    double half = crm_sinc(0.5 * x);
    return 0.5 * half * half;
}

static inline double crm_cosc_slope(double x) {
    return 0.25 * crm_sinc(0.5 * x) * crm_sinc_slope(0.5 * x);
}

static inline double crm_sin3(double x) {
    static const double series[] = {
        1.0 / 6.0,
        -1.0 / 120.0,
        1.0 / 5040.0,
        -1.0 / 362880.0,
        1.0 / 39916800.0,
        -1.0 / 6227020800.0,
        1.0 / 1307674368000.0,
        -1.0 / 355687428096000.0,
        1.0 / 121645100408832000.0,
        -1.0 / 51090942171709440000.0,
        1.0 / 25852016738884976640000.0,
        -1.0 / 15511210043330985984000000.0,
    };
    const double series_up_to = 2.0;
    if (fabs(x) <= series_up_to) return crm_horner(series, 12, x * x);
    return (1.0 - sin(x) / x) / (x * x);
}

static inline double crm_sin3_slope(double x) {
    static const double series[] = {
        -1.0 / 60.0,
        1.0 / 1260.0,
        -1.0 / 60480.0,
        1.0 / 4989600.0,
        -1.0 / 622702080.0,
        1.0 / 108972864000.0,
        -1.0 / 25406244864000.0,
        1.0 / 7602818775552000.0,
        -1.0 / 2838385676206080000.0,
        1.0 / 1292600836944248832000.0,
        -1.0 / 705055001969590272000000.0,
        1.0 / 453702893767431340032000000.0,
        -1.0 / 340067768989988536713216000000.0,
        1.0 / 293672809077782957775912960000000.0,
    };
    const double series_up_to = 3.0;
    double square = x * x;
    if (fabs(x) <= series_up_to) return crm_horner(series, 14, square);
    return (3.0 * sin(x) / x - cos(x) - 2.0) / square / square;
}

// With h = x/2: 1 - h cot h = (sin h - h cos h) / sin h = -h^2 sinc_slope(h) / sinc(h).
static inline double crm_cotc(double x) {
    return -0.25 * crm_sinc_slope(0.5 * x) / crm_sinc(0.5 * x);
}

// The quotient rule on the above, with sinc'(h) = h slope(h) and slope'(h) = h bend(h).
static inline double crm_cotc_slope(double x) {
    double h = 0.5 * x;
    double sinc = crm_sinc(h), slope = crm_sinc_slope(h) / sinc;
    return (slope * slope - crm_sinc_bend(h) / sinc) / 16.0;
}

#endif
