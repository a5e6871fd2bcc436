// SPDX-License-Identifier: MIT
// Problems of W. Hock and K. Schittkowski, Test Examples for Nonlinear Programming Codes (1981), whose functions are
// polynomials of degree 4 at most, with their printed starts and optima; each by our own method and by Ipopt.
#include <math.h>
#include <stdio.h>

#include "control/solver/program_solver.h"
#include "support/control/polynomial.h"
#include "support/harness/check.h"

static const double none = INFINITY;

typedef struct problem {
    crm_program_builder builder;
    crm_arena arena;
    crm_program program;
    crm_program_point point;
    int unknowns;
    double start[10];
} problem;

static const crm_place whole = {CRM_PLACE_WHOLE, 0, 0};

static void unknown(problem *p, double start, double lower, double upper) {
    crm_program_add_unknown(&p->builder, lower, upper, whole);
    p->start[p->unknowns++] = start;
}

static void unknowns(problem *p, int count, double start, double lower, double upper) {
    for (int i = 0; i < count; i++) unknown(p, start, lower, upper);
}

static void minimise(problem *p, poly f) {
    poly_add_to(&p->builder, CRM_OBJECTIVE, &f);
}

static void positive(problem *p, poly c) {
    int32_t row = crm_program_add_row(&p->builder, 0.0, none, whole);
    poly_add_to(&p->builder, row, &c);
}

static void zero(problem *p, poly c) {
    int32_t row = crm_program_add_row(&p->builder, 0.0, 0.0, whole);
    poly_add_to(&p->builder, row, &c);
}

// ---- short forms

static poly x(int i) {
    return poly_x(i);
}

static poly sq(poly a) {
    return poly_square(a);
}

static poly plus(poly a, poly b) {
    return poly_plus(a, b);
}

static poly minus(poly a, poly b) {
    return poly_minus(a, b);
}

static poly mul(poly a, poly b) {
    return poly_times(a, b);
}

static poly num(double a) {
    return poly_number(a);
}

static poly scaled(double a, poly b) {
    return poly_scaled(a, b);
}

// (x_i - a)^2 weight
static poly off(double weight, int i, double a) {
    return scaled(weight, sq(minus(x(i), num(a))));
}

static poly cube(poly a) {
    return mul(a, sq(a));
}

static poly fourth(poly a) {
    return sq(sq(a));
}

// weight (x_b - x_a^2)^2 + (1 - x_a)^2
static poly rosenbrock(double weight, int a, int b) {
    return plus(scaled(weight, sq(minus(x(b), sq(x(a))))), sq(minus(num(1), x(a))));
}

// sum of weight[i] x_(i+1)^2
static poly squares(int count, const double *weight) {
    poly p = num(0);
    for (int i = 0; i < count; i++)
        if (weight[i] != 0.0) p = plus(p, scaled(weight[i], sq(x(i + 1))));
    return p;
}
#define SQUARES(...) squares((int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (const double[]){__VA_ARGS__})
#define LINEAR(constant, ...) POLY_LINEAR(constant, __VA_ARGS__)

// ---- the problems

static void hs1(problem *p) {
    unknown(p, -2, -none, none), unknown(p, 1, -1.5, none);
    minimise(p, rosenbrock(100, 1, 2));
}

static void hs3(problem *p) {
    unknown(p, 10, -none, none), unknown(p, 1, 0, none);
    minimise(p, plus(x(2), scaled(1e-5, sq(LINEAR(0, -1, 1)))));
}

static void hs4(problem *p) {
    unknown(p, 1.125, 1, none), unknown(p, 0.125, 0, none);
    minimise(p, plus(scaled(1.0 / 3.0, cube(LINEAR(1, 1))), x(2)));
}

static void hs6(problem *p) {
    unknown(p, -1.2, -none, none), unknown(p, 1, -none, none);
    minimise(p, sq(LINEAR(1, -1)));
    zero(p, scaled(10, minus(x(2), sq(x(1)))));
}

static void hs8(problem *p) {
    unknown(p, 2, -none, none), unknown(p, 1, -none, none);
    minimise(p, num(-1));
    zero(p, plus(SQUARES(1, 1), num(-25)));
    zero(p, minus(mul(x(1), x(2)), num(9)));
}

static void hs10(problem *p) {
    unknown(p, -10, -none, none), unknown(p, 10, -none, none);
    minimise(p, LINEAR(0, 1, -1));
    positive(p, plus(plus(SQUARES(-3, -1), scaled(2, mul(x(1), x(2)))), num(1)));
}

static void hs11(problem *p) {
    unknown(p, 4.9, -none, none), unknown(p, 0.1, -none, none);
    minimise(p, plus(plus(off(1, 1, 5), sq(x(2))), num(-25)));
    positive(p, minus(x(2), sq(x(1))));
}

static void hs12(problem *p) {
    unknowns(p, 2, 0, -none, none);
    minimise(p, plus(minus(SQUARES(0.5, 1), mul(x(1), x(2))), LINEAR(0, -7, -7)));
    positive(p, plus(num(25), SQUARES(-4, -1)));
}

static void hs13(problem *p) {
    unknowns(p, 2, -2, 0, none);
    minimise(p, plus(off(1, 1, 2), sq(x(2))));
    positive(p, minus(cube(LINEAR(1, -1)), x(2)));
}

static void hs14(problem *p) {
    unknowns(p, 2, 2, -none, none);
    minimise(p, plus(off(1, 1, 2), off(1, 2, 1)));
    positive(p, plus(SQUARES(-0.25, -1), num(1)));
    zero(p, LINEAR(1, 1, -2));
}

static void hs15(problem *p) {
    unknown(p, -2, -none, 0.5), unknown(p, 1, -none, none);
    minimise(p, rosenbrock(100, 1, 2));
    positive(p, minus(mul(x(1), x(2)), num(1)));
    positive(p, plus(x(1), sq(x(2))));
}

static void hs16(problem *p) {
    unknown(p, -2, -0.5, 0.5), unknown(p, 1, -none, 1);
    minimise(p, rosenbrock(100, 1, 2));
    positive(p, plus(x(1), sq(x(2))));
    positive(p, plus(sq(x(1)), x(2)));
}

static void hs17(problem *p) {
    unknown(p, -2, -0.5, 0.5), unknown(p, 1, -none, 1);
    minimise(p, rosenbrock(100, 1, 2));
    positive(p, minus(sq(x(2)), x(1)));
    positive(p, minus(sq(x(1)), x(2)));
}

static void hs18(problem *p) {
    unknown(p, 2, 2, 50), unknown(p, 2, 0, 50);
    minimise(p, SQUARES(0.01, 1));
    positive(p, minus(mul(x(1), x(2)), num(25)));
    positive(p, plus(SQUARES(1, 1), num(-25)));
}

static void hs19(problem *p) {
    unknown(p, 20.1, 13, 100), unknown(p, 5.84, 0, 100);
    minimise(p, plus(cube(LINEAR(-10, 1)), cube(LINEAR(-20, 0, 1))));
    positive(p, plus(plus(off(1, 1, 5), off(1, 2, 5)), num(-100)));
    positive(p, minus(num(82.81), plus(off(1, 2, 5), off(1, 1, 6))));
}

static void hs20(problem *p) {
    unknown(p, -2, -0.5, 0.5), unknown(p, 1, -none, none);
    minimise(p, rosenbrock(100, 1, 2));
    positive(p, plus(x(1), sq(x(2))));
    positive(p, plus(sq(x(1)), x(2)));
    positive(p, plus(SQUARES(1, 1), num(-1)));
}

static void hs21(problem *p) {
    unknown(p, -1, 2, 50), unknown(p, -1, -50, 50);
    minimise(p, plus(SQUARES(0.01, 1), num(-100)));
    positive(p, LINEAR(-10, 10, -1));
}

static void hs22(problem *p) {
    unknowns(p, 2, 2, -none, none);
    minimise(p, plus(off(1, 1, 2), off(1, 2, 1)));
    positive(p, LINEAR(2, -1, -1));
    positive(p, minus(x(2), sq(x(1))));
}

static void hs23(problem *p) {
    unknown(p, 3, -50, 50), unknown(p, 1, -50, 50);
    minimise(p, SQUARES(1, 1));
    positive(p, LINEAR(-1, 1, 1));
    positive(p, plus(SQUARES(1, 1), num(-1)));
    positive(p, plus(SQUARES(9, 1), num(-9)));
    positive(p, minus(sq(x(1)), x(2)));
    positive(p, minus(sq(x(2)), x(1)));
}

static void hs26(problem *p) {
    unknown(p, -2.6, -none, none), unknowns(p, 2, 2, -none, none);
    minimise(p, plus(sq(LINEAR(0, 1, -1)), fourth(LINEAR(0, 0, 1, -1))));
    zero(p, plus(plus(x(1), mul(sq(x(2)), x(1))), minus(fourth(x(3)), num(3))));
}

static void hs27(problem *p) {
    unknowns(p, 3, 2, -none, none);
    minimise(p, plus(off(0.01, 1, 1), sq(minus(x(2), sq(x(1))))));
    zero(p, plus(LINEAR(1, 1), sq(x(3))));
}

static void hs28(problem *p) {
    unknown(p, -4, -none, none), unknowns(p, 2, 1, -none, none);
    minimise(p, plus(sq(LINEAR(0, 1, 1)), sq(LINEAR(0, 0, 1, 1))));
    zero(p, LINEAR(-1, 1, 2, 3));
}

static void hs29(problem *p) {
    unknowns(p, 3, 1, -none, none);
    minimise(p, scaled(-1, mul(x(1), mul(x(2), x(3)))));
    positive(p, plus(num(48), SQUARES(-1, -2, -4)));
}

static void hs30(problem *p) {
    unknown(p, 1, 1, 10), unknowns(p, 2, 1, -10, 10);
    minimise(p, SQUARES(1, 1, 1));
    positive(p, plus(SQUARES(1, 1), num(-1)));
}

static void hs31(problem *p) {
    unknown(p, 1, -10, 10), unknown(p, 1, 1, 10), unknown(p, 1, -10, 1);
    minimise(p, SQUARES(9, 1, 9));
    positive(p, minus(mul(x(1), x(2)), num(1)));
}

static void hs32(problem *p) {
    unknown(p, 0.1, 0, none), unknown(p, 0.7, 0, none), unknown(p, 0.2, 0, none);
    minimise(p, plus(sq(LINEAR(0, 1, 3, 1)), scaled(4, sq(LINEAR(0, 1, -1)))));
    positive(p, minus(LINEAR(-3, 0, 6, 4), cube(x(1))));
    zero(p, LINEAR(1, -1, -1, -1));
}

static void hs35(problem *p) {
    unknowns(p, 3, 0.5, 0, none);
    minimise(p, plus(plus(LINEAR(9, -8, -6, -4), SQUARES(2, 2, 1)),
                     plus(scaled(2, mul(x(1), x(2))), scaled(2, mul(x(1), x(3))))));
    positive(p, LINEAR(3, -1, -1, -2));
}

static void hs36(problem *p) {
    unknown(p, 10, 0, 20), unknown(p, 10, 0, 11), unknown(p, 10, 0, 42);
    minimise(p, scaled(-1, mul(x(1), mul(x(2), x(3)))));
    positive(p, LINEAR(72, -1, -2, -2));
}

static void hs37(problem *p) {
    unknowns(p, 3, 10, 0, 42);
    minimise(p, scaled(-1, mul(x(1), mul(x(2), x(3)))));
    positive(p, LINEAR(72, -1, -2, -2));
    positive(p, LINEAR(0, 1, 2, 2));
}

static void hs38(problem *p) {
    unknown(p, -3, -10, 10), unknown(p, -1, -10, 10), unknown(p, -3, -10, 10), unknown(p, -1, -10, 10);
    poly valley = plus(rosenbrock(100, 1, 2), rosenbrock(90, 3, 4));
    poly mixed = scaled(19.8, mul(LINEAR(-1, 0, 1), LINEAR(-1, 0, 0, 0, 1)));
    minimise(p, plus(valley, plus(plus(off(10.1, 2, 1), off(10.1, 4, 1)), mixed)));
}

static void hs39(problem *p) {
    unknowns(p, 4, 2, -none, none);
    minimise(p, scaled(-1, x(1)));
    zero(p, minus(minus(x(2), cube(x(1))), sq(x(3))));
    zero(p, minus(minus(sq(x(1)), x(2)), sq(x(4))));
}

static void hs40(problem *p) {
    unknowns(p, 4, 0.8, -none, none);
    minimise(p, scaled(-1, mul(mul(x(1), x(2)), mul(x(3), x(4)))));
    zero(p, plus(plus(cube(x(1)), sq(x(2))), num(-1)));
    zero(p, minus(mul(sq(x(1)), x(4)), x(3)));
    zero(p, minus(sq(x(4)), x(2)));
}

static void hs41(problem *p) {
    unknowns(p, 3, 2, 0, 1), unknown(p, 2, 0, 2);
    minimise(p, minus(num(2), mul(x(1), mul(x(2), x(3)))));
    zero(p, LINEAR(0, 1, 2, 2, -1));
}

static void hs42(problem *p) {
    unknowns(p, 4, 1, -none, none);
    minimise(p, plus(plus(off(1, 1, 1), off(1, 2, 2)), plus(off(1, 3, 3), off(1, 4, 4))));
    zero(p, LINEAR(-2, 1));
    zero(p, plus(SQUARES(0, 0, 1, 1), num(-2)));
}

static void hs43(problem *p) {
    unknowns(p, 4, 0, -none, none);
    minimise(p, plus(SQUARES(1, 1, 2, 1), LINEAR(0, -5, -5, -21, 7)));
    positive(p, plus(SQUARES(-1, -1, -1, -1), LINEAR(8, -1, 1, -1, 1)));
    positive(p, plus(SQUARES(-1, -2, -1, -2), LINEAR(10, 1, 0, 0, 1)));
    positive(p, plus(SQUARES(-2, -1, -1), LINEAR(5, -2, 1, 0, 1)));
}

static void hs47(problem *p) {
    unknown(p, 2, -none, none), unknown(p, sqrt(2), -none, none), unknown(p, -1, -none, none);
    unknown(p, 2 - sqrt(2), -none, none), unknown(p, 0.5, -none, none);
    minimise(p, plus(plus(sq(LINEAR(0, 1, -1)), cube(LINEAR(0, 0, 1, -1))),
                     plus(fourth(minus(x(3), x(4))), fourth(minus(x(4), x(5))))));
    zero(p, plus(plus(x(1), sq(x(2))), plus(cube(x(3)), num(-3))));
    zero(p, plus(minus(x(2), sq(x(3))), LINEAR(-1, 0, 0, 0, 1)));
    zero(p, minus(mul(x(1), x(5)), num(1)));
}

static void hs48(problem *p) {
    unknown(p, 3, -none, none), unknown(p, 5, -none, none), unknown(p, -3, -none, none), unknown(p, 2, -none, none),
        unknown(p, -2, -none, none);
    minimise(p, plus(off(1, 1, 1), plus(sq(minus(x(2), x(3))), sq(minus(x(4), x(5))))));
    zero(p, LINEAR(-5, 1, 1, 1, 1, 1));
    zero(p, LINEAR(3, 0, 0, 1, -2, -2));
}

static void hs50(problem *p) {
    static const double start[5] = {35, -31, 11, 5, -5};
    for (int i = 0; i < 5; i++) unknown(p, start[i], -none, none);
    minimise(p, plus(plus(sq(minus(x(1), x(2))), sq(minus(x(2), x(3)))),
                     plus(fourth(minus(x(3), x(4))), sq(minus(x(4), x(5))))));
    zero(p, LINEAR(-6, 1, 2, 3));
    zero(p, LINEAR(-6, 0, 1, 2, 3));
    zero(p, LINEAR(-6, 0, 0, 1, 2, 3));
}

// Of 51 to 53.
static void linear_least_squares(problem *p, double first, double right) {
    minimise(p, plus(plus(sq(LINEAR(0, first, -1)), sq(LINEAR(-2, 0, 1, 1))), plus(off(1, 4, 1), off(1, 5, 1))));
    zero(p, LINEAR(right, 1, 3));
    zero(p, LINEAR(0, 0, 0, 1, 1, -2));
    zero(p, LINEAR(0, 0, 1, 0, 0, -1));
}

static void hs51(problem *p) {
    static const double start[5] = {2.5, 0.5, 2, -1, 0.5};
    for (int i = 0; i < 5; i++) unknown(p, start[i], -none, none);
    linear_least_squares(p, 1, -4);
}

static void hs52(problem *p) {
    unknowns(p, 5, 2, -none, none);
    linear_least_squares(p, 4, 0);
}

static void hs53(problem *p) {
    unknowns(p, 5, 2, -10, 10);
    linear_least_squares(p, 1, 0);
}

static void hs60(problem *p) {
    unknowns(p, 3, 2, -10, 10);
    minimise(p, plus(off(1, 1, 1), plus(sq(minus(x(1), x(2))), fourth(minus(x(2), x(3))))));
    zero(p, plus(plus(x(1), mul(x(1), sq(x(2)))), minus(fourth(x(3)), num(4 + 3 * sqrt(2)))));
}

static void hs61(problem *p) {
    unknowns(p, 3, 0, -none, none);
    minimise(p, plus(SQUARES(4, 2, 2), LINEAR(0, -33, 16, -24)));
    zero(p, plus(LINEAR(-7, 3), SQUARES(0, -2)));
    zero(p, plus(LINEAR(-11, 4), SQUARES(0, 0, -1)));
}

static void hs63(problem *p) {
    unknowns(p, 3, 2, 0, none);
    minimise(p, plus(num(1000), plus(SQUARES(-1, -2, -1), scaled(-1, mul(x(1), LINEAR(0, 0, 1, 1))))));
    zero(p, LINEAR(-56, 8, 14, 7));
    zero(p, plus(SQUARES(1, 1, 1), num(-25)));
}

static void hs65(problem *p) {
    unknown(p, -5, -4.5, 4.5), unknown(p, 5, -4.5, 4.5), unknown(p, 0, -5, 5);
    minimise(p, plus(plus(sq(LINEAR(0, 1, -1)), scaled(1.0 / 9.0, sq(LINEAR(-10, 1, 1)))), off(1, 3, 5)));
    positive(p, plus(num(48), SQUARES(-1, -1, -1)));
}

static void hs71(problem *p) {
    unknown(p, 1, 1, 5), unknown(p, 5, 1, 5), unknown(p, 5, 1, 5), unknown(p, 1, 1, 5);
    minimise(p, plus(mul(mul(x(1), x(4)), LINEAR(0, 1, 1, 1)), x(3)));
    positive(p, minus(mul(mul(x(1), x(2)), mul(x(3), x(4))), num(25)));
    zero(p, plus(SQUARES(1, 1, 1, 1), num(-40)));
}

static void hs76(problem *p) {
    unknowns(p, 4, 0.5, 0, none);
    minimise(p, plus(plus(SQUARES(1, 0.5, 1, 0.5), LINEAR(0, -1, -3, 1, -1)),
                     minus(mul(x(3), x(4)), mul(x(1), x(3)))));
    positive(p, LINEAR(5, -1, -2, -1, -1));
    positive(p, LINEAR(4, -3, -1, -2, 1));
    positive(p, LINEAR(-1.5, 0, 1, 4));
}

static void hs79(problem *p) {
    unknowns(p, 5, 2, -none, none);
    poly steep = plus(fourth(minus(x(3), x(4))), fourth(minus(x(4), x(5))));
    minimise(p, plus(plus(off(1, 1, 1), sq(minus(x(1), x(2)))), plus(sq(minus(x(2), x(3))), steep)));
    zero(p, plus(plus(x(1), sq(x(2))), minus(cube(x(3)), num(2 + 3 * sqrt(2)))));
    zero(p, plus(minus(x(2), sq(x(3))), LINEAR(2 - 2 * sqrt(2), 0, 0, 0, 1)));
    zero(p, minus(mul(x(1), x(5)), num(2)));
}

static void hs113(problem *p) {
    static const double start[10] = {2, 3, 5, 5, 1, 2, 7, 3, 6, 10};
    for (int i = 0; i < 10; i++) unknown(p, start[i], -none, none);
    poly near = plus(plus(off(1, 3, 10), off(4, 4, 5)), plus(off(1, 5, 3), off(2, 6, 1)));
    poly far = plus(plus(SQUARES(0, 0, 0, 0, 0, 0, 5), off(7, 8, 11)), plus(off(2, 9, 10), off(1, 10, 7)));
    minimise(p, plus(plus(plus(SQUARES(1, 1), mul(x(1), x(2))), LINEAR(45, -14, -16)), plus(near, far)));
    positive(p, LINEAR(105, -4, -5, 0, 0, 0, 0, 3, -9));
    positive(p, LINEAR(0, -10, 8, 0, 0, 0, 0, 17, -2));
    positive(p, LINEAR(12, 8, -2, 0, 0, 0, 0, 0, 0, -5, 2));
    positive(p, plus(plus(off(-3, 1, 2), off(-4, 2, 3)), plus(SQUARES(0, 0, -2), LINEAR(120, 0, 0, 0, 7))));
    positive(p, plus(plus(SQUARES(-5), off(-1, 3, 6)), LINEAR(40, 0, -8, 0, 2)));
    positive(p, plus(plus(off(-0.5, 1, 8), off(-2, 2, 4)), plus(SQUARES(0, 0, 0, 0, -3), LINEAR(30, 0, 0, 0, 0, 0, 1))));
    positive(p, plus(plus(SQUARES(-1), off(-2, 2, 2)), plus(scaled(2, mul(x(1), x(2))), LINEAR(0, 0, 0, 0, 0, -14, 6))));
    positive(p, plus(off(-12, 9, 8), LINEAR(0, 3, -6, 0, 0, 0, 0, 0, 0, 0, 7)));
}

typedef struct listed {
    const char *name;
    void (*pose)(problem *p);
    double optimum;
} listed;

static const listed problems[] = {
    {"1", hs1, 0},
    {"3", hs3, 0},
    {"4", hs4, 8.0 / 3.0},
    {"6", hs6, 0},
    {"8", hs8, -1},
    {"10", hs10, -1},
    {"11", hs11, -8.498464223},
    {"12", hs12, -30},
    {"14", hs14, 1.3934649806},
    {"15", hs15, 306.5},
    {"16", hs16, 0.25},
    {"17", hs17, 1},
    {"18", hs18, 5},
    {"19", hs19, -6961.8138755},
    {"20", hs20, 40.198729811},
    {"21", hs21, -99.96},
    {"22", hs22, 1},
    {"23", hs23, 2},
    {"26", hs26, 0},
    {"27", hs27, 0.04},
    {"28", hs28, 0},
    {"29", hs29, -22.627416998},
    {"30", hs30, 1},
    {"31", hs31, 6},
    {"32", hs32, 1},
    {"35", hs35, 1.0 / 9.0},
    {"36", hs36, -3300},
    {"37", hs37, -3456},
    {"38", hs38, 0},
    {"39", hs39, -1},
    {"40", hs40, -0.25},
    {"41", hs41, 52.0 / 27.0},
    {"42", hs42, 13.857864376},
    {"43", hs43, -44},
    {"47", hs47, 0},
    {"48", hs48, 0},
    {"50", hs50, 0},
    {"51", hs51, 0},
    {"52", hs52, 5.3266475645},
    {"53", hs53, 4.0930232558},
    {"60", hs60, 0.03256820025},
    {"61", hs61, -143.6461422},
    {"63", hs63, 961.71517213},
    {"65", hs65, 0.9535288567},
    {"71", hs71, 17.014017289},
    {"76", hs76, -4.6818181818},
    {"79", hs79, 0.0787768209},
    {"113", hs113, 24.306209068},
};

static crm_program_result solve(const listed *l, crm_program_solver *solver) {
    problem p = {.unknowns = 0};
    crm_program_begin(&p.builder, NULL);
    crm_arena_init(&p.arena, NULL);
    l->pose(&p);
    assert_int_equal(crm_program_finish(&p.builder, &p.arena, &p.program, NULL), CAROM_OK);
    assert_int_equal(crm_program_point_create(&p.program, &p.arena, &p.point, NULL), CAROM_OK);
    for (int i = 0; i < p.unknowns; i++) p.point.z[i] = p.start[i];
    crm_program_settings settings = {.tolerance = 1e-8, .iteration_limit = 500};
    crm_program_result result;
    assert_int_equal(solver(&p.program, &settings, NULL, NULL, &p.point, &result, &p.arena, NULL), CAROM_OK);
    crm_program_discard(&p.builder);
    crm_arena_free(&p.arena);
    return result;
}

TEST(printed_optima_are_found) {
    int iterations = 0, by_ipopt = 0;
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        crm_program_result own = solve(&problems[i], crm_solve_program_by_interior);
        crm_program_result other = solve(&problems[i], crm_solve_program_by_ipopt);
        iterations += own.iterations;
        by_ipopt += other.iterations;
        printf("%4s: outcome %d, %3d iterations, %3d factorizations, %.10g (%.1e %.1e %.1e); Ipopt %d, %d, %.10g\n",
               problems[i].name, own.outcome, own.iterations, own.factorizations, own.objective, own.violation,
               own.optimality, own.complementarity, other.outcome, other.iterations, other.objective);
        CHECK_INT(own.outcome, CRM_PROGRAM_SOLVED);
        if (!CHECK_NEAR(own.objective, problems[i].optimum, 1e-7 * fmax(1.0, fabs(problems[i].optimum))))
            print_message("of problem %s\n", problems[i].name);
    }
    printf("%d iterations, Ipopt %d\n", iterations, by_ipopt);
}

TEST_MAIN(CASE(printed_optima_are_found))
