// SPDX-License-Identifier: MIT
// Planar impacts, where the path of friction is two straight lines (Routh; Wang and Mason, "Two-Dimensional Rigid-Body
// Collisions With Friction", 1992), and catalogued cases of Newton's law that gain energy.
#include "math/mat3.h"
#include "support/harness/check.h"
#include "support/problem/collision.h"

// K = [a b; b c] of tangent and normal; slip x, approach v < 0.
typedef struct planar {
    double a, b, c, x, v, mu, e;
} planar;

static carom_impact impact_of(const planar *p) {
    return (carom_impact){.matrix = {{p->a, 0.0, p->b}, {0.0, 1.0, 0.0}, {p->b, 0.0, p->c}},
                          .normal = {0.0, 0.0, 1.0},
                          .velocity = {p->x, 0.0, p->v},
                          .friction = p->mu,
                          .restitution = p->e};
}

typedef enum contact_mode { SLIDING, C_STICKING, R_STICKING, C_REVERSED, R_REVERSED, MODE_COUNT } contact_mode;

// The table of Wang and Mason, for both Poisson's and Stronge's law: the first line has slopes k1 and tangential rate
// -mu s until the slip stops at p_s, the second k2 and rate r2.
static carom_vec3 table_impulse(const planar *p, bool stronge, contact_mode *mode) {
    double s = p->x > 0.0 ? 1.0 : -1.0, slow = p->mu * p->a - p->b * s;
    double stop = slow > 0.0 ? fabs(p->x) / slow : INFINITY;
    bool sticks = fabs(p->b) <= p->mu * p->a;
    double r2 = sticks ? -p->b / p->a : -p->mu * (p->b > 0.0 ? 1.0 : -1.0);
    double k1 = p->c - p->mu * p->b * s, k2 = p->c + p->b * r2, v_stop = p->v + k1 * stop;
    bool in_compression = !(k1 > 0.0) || v_stop < 0.0;
    double end;
    if (in_compression) {
        double first = -0.5 * (p->v + v_stop) * stop, more = -v_stop / k2, work = first + 0.5 * v_stop * v_stop / k2;
        end = stop + more + (stronge ? p->e * sqrt(2.0 * work / k2) : p->e * (stop + more));
        *mode = sticks ? C_STICKING : C_REVERSED;
    } else {
        double compression = -p->v / k1, work = 0.5 * p->v * p->v / k1;
        end = (1.0 + p->e) * compression; // the same for both: one slope
        *mode = SLIDING;
        if (end > stop) {
            *mode = sticks ? R_STICKING : R_REVERSED;
            double left = p->e * p->e * work - 0.5 * v_stop * v_stop / k1;
            if (stronge) end = stop + 2.0 * left / (v_stop + sqrt(v_stop * v_stop + 2.0 * k2 * left));
        }
    }
    double first = fmin(end, stop);
    return crm_vec3(-p->mu * s * first + r2 * (end - first), 0.0, end);
}

TEST(the_table_of_wang_and_mason_is_met) {
    sampler s = {.seed = 21};
    int seen[MODE_COUNT] = {0};
    for (int i = 0; i < 20000; i++) {
        planar p = {.a = exp(sample_between(&s, -1.0, 1.0)),
                    .c = exp(sample_between(&s, -1.0, 1.0)),
                    .x = sample_between(&s, -1.0, 1.0),
                    .v = -sample_between(&s, 0.01, 1.0),
                    .mu = sample_between(&s, 0.01, 2.0),
                    .e = sample_between(&s, 0.0, 1.0)};
        p.b = sample_between(&s, -0.98, 0.98) * sqrt(p.a * p.c);
        carom_impact impact = impact_of(&p);
        for (int stronge = 0; stronge < 2; stronge++) {
            contact_mode mode;
            carom_vec3 wanted = table_impulse(&p, stronge == 1, &mode);
            carom_impact_result r =
                resolved(&impact, stronge == 1 ? CAROM_IMPACT_LAW_STRONGE : CAROM_IMPACT_LAW_POISSON);
            seen[mode]++;
            if (!CHECK(crm_distance(r.impulse, wanted) <= 1e-11 * crm_length(wanted))) return;
        }
    }
    for (int i = 0; i < MODE_COUNT; i++) CHECK(seen[i] > 100);
}

// A rod at angle q to the floor, hit at its end; slip with its lean stops early, and what follows has the smaller
// slope of sticking. Newton's law then asks for more normal work than compression took.
static planar leaning_rod(double angle, double slip, double mu, double e) {
    double rx = -0.5 * cos(angle), rz = -0.5 * sin(angle), inertia = 1.0 / 12.0;
    return (planar){.a = 1.0 + rz * rz / inertia,
                    .b = -rx * rz / inertia,
                    .c = 1.0 + rx * rx / inertia,
                    .x = slip,
                    .v = -1.0,
                    .mu = mu,
                    .e = e};
}

TEST(newtons_law_gains_energy_from_a_leaning_rod) {
    planar p = leaning_rod(acos(-1.0) / 3.0, 0.7, 0.6, 1.0);
    carom_impact impact = impact_of(&p);
    carom_impact_result newton = resolved(&impact, CAROM_IMPACT_LAW_NEWTON);
    // In closed form: slip ends at zero and n.u at 1, so that the energy is that of K^-1 (0, 2 - ...): u.K^-1 u/2.
    double determinant = p.a * p.c - p.b * p.b;
    double before = 0.5 * (p.c * p.x * p.x - 2.0 * p.b * p.x * p.v + p.a * p.v * p.v) / determinant;
    double after = 0.5 * p.a / determinant;
    CHECK(newton.gains_energy && newton.sticks);
    CHECK_NEAR(newton.work, after - before, 1e-14);
    CHECK(after > 1.05 * before);
    for (int law = CAROM_IMPACT_LAW_POISSON; law < CAROM_IMPACT_LAW_COUNT; law++)
        CHECK(!resolved(&impact, (carom_impact_law)law).gains_energy);
}

// A double pendulum, after Kane and Levinson ("Dynamics: Theory and Applications", 1985), hits the floor with its
// end: two rods of 1 kg and 1 m at 20 and 30 degrees, rotating at -0.1 and -0.2 rad/s. K is that of the mechanism, of
// rank 2.
static carom_impact double_pendulum(double mu, double e) {
    double degree = acos(-1.0) / 180.0, q1 = 20.0 * degree, q2 = 30.0 * degree;
    double m11 = 4.0 / 3.0, m12 = 0.5 * cos(q1 - q2), m22 = 1.0 / 3.0, d = m11 * m22 - m12 * m12;
    double i11 = m22 / d, i12 = -m12 / d, i22 = m11 / d;
    double x1 = cos(q1), x2 = cos(q2), z1 = sin(q1), z2 = sin(q2);
    double xx = x1 * (i11 * x1 + i12 * x2) + x2 * (i12 * x1 + i22 * x2);
    double xz = x1 * (i11 * z1 + i12 * z2) + x2 * (i12 * z1 + i22 * z2);
    double zz = z1 * (i11 * z1 + i12 * z2) + z2 * (i12 * z1 + i22 * z2);
    return (carom_impact){.matrix = {{xx, 0.0, xz}, {0.0, 0.0, 0.0}, {xz, 0.0, zz}},
                          .normal = {0.0, 0.0, 1.0},
                          .velocity = {-0.1 * x1 - 0.2 * x2, 0.0, -0.1 * z1 - 0.2 * z2},
                          .friction = mu,
                          .restitution = e};
}

TEST(newtons_law_gains_energy_from_kanes_pendulum) {
    carom_impact impact = double_pendulum(0.7, 0.5);
    carom_impact_result newton = resolved(&impact, CAROM_IMPACT_LAW_NEWTON);
    CHECK(newton.gains_energy);
    CHECK_NEAR(normal_velocity(&impact, newton.velocity), -0.5 * impact.velocity.z, 1e-15);
    for (int law = CAROM_IMPACT_LAW_POISSON; law < CAROM_IMPACT_LAW_COUNT; law++) {
        carom_impact_result r = resolved(&impact, (carom_impact_law)law);
        CHECK(!r.gains_energy && r.work < 0.0 && r.cone_ratio <= 1.0 + 1e-12);
    }
}

// One degree of freedom: u is always along k, K = k k^T. With friction above k_n/k_t sticking locks it.
TEST(a_mechanism_of_one_freedom_may_wedge) {
    carom_vec3 k = {0.8, 0.0, 0.6};
    carom_impact impact = {.matrix = crm_outer(k, k), .normal = {0.0, 0.0, 1.0}, .restitution = 0.5};
    impact.velocity = crm_scale(-2.0, k);
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
        impact.friction = 0.9;
        carom_impact_result r = resolved(&impact, (carom_impact_law)law);
        CHECK(crm_vec3_finite(r.impulse) && r.cone_ratio <= 1.0 + 1e-12 && !r.gains_energy);
        if (law < CAROM_IMPACT_LAW_ALGEBRAIC) {
            CHECK(crm_length(r.velocity) <= 1e-14);
            CHECK_INT(r.wedged, law != CAROM_IMPACT_LAW_POISSON);
        }
        impact.friction = 0.3; // it reverses: u+ is along k again
        r = resolved(&impact, (carom_impact_law)law);
        CHECK(!r.wedged && r.velocity.z > 0.1);
        CHECK_NEAR(r.velocity.x * 0.6, r.velocity.z * 0.8, 1e-14);
    }
}

TEST_MAIN(CASE(the_table_of_wang_and_mason_is_met), CASE(newtons_law_gains_energy_from_a_leaning_rod),
          CASE(newtons_law_gains_energy_from_kanes_pendulum), CASE(a_mechanism_of_one_freedom_may_wedge))
