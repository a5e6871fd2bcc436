// SPDX-License-Identifier: MIT
// One-sided Jacobi (Hestenes): rotate pairs of columns of A, and of V with them, until A V has orthogonal columns.
#include "math/svd3.h"

#include <float.h>

// Cosine of the angle between two columns that counts as a right one: what the dot product of three terms resolves.
static const double orthogonal_cosine = 2.0 * DBL_EPSILON;

// Convergence is quadratic: 3 or 4 sweeps, 7 seen at most. The limit only keeps the loop bounded.
enum { SWEEP_LIMIT = 30 };

static void swap_keeping_orientation(carom_vec3 *a, carom_vec3 *b) {
    carom_vec3 t = *a;
    *a = *b;
    *b = crm_negate(t);
}

static void rotate_pair(carom_vec3 *p, carom_vec3 *q, double c, double s) {
    carom_vec3 old = *p;
    *p = crm_madd(crm_scale(c, old), -s, *q);
    *q = crm_madd(crm_scale(s, old), c, *q);
}

// Makes columns p and q of B = A V orthogonal, the longer one first (which speeds convergence up and sorts as it
// goes). True when there was something to do.
static bool orthogonalise_pair(carom_vec3 b[3], carom_vec3 v[3], int p, int q) {
    double p_length = crm_safe_length(b[p]), q_length = crm_safe_length(b[q]);
    bool swapped = p_length < q_length;
    if (swapped) {
        swap_keeping_orientation(&b[p], &b[q]);
        swap_keeping_orientation(&v[p], &v[q]);
        double t = p_length;
        p_length = q_length;
        q_length = t;
    }
    double product = crm_dot(b[p], b[q]);
    if (fabs(product) <= orthogonal_cosine * p_length * q_length) return swapped;
    // t = tan of the rotation, the smaller root of t^2 + 2 z t - 1 = 0 with z = (|q|^2 - |p|^2) / (2 p.q)
    double z = 0.5 * ((q_length - p_length) / product) * (q_length + p_length);
    double t = copysign(1.0, z) / (fabs(z) + sqrt(1.0 + z * z));
    double c = 1.0 / sqrt(1.0 + t * t);
    rotate_pair(&b[p], &b[q], c, t * c);
    rotate_pair(&v[p], &v[q], c, t * c);
    return true;
}

bool crm_svd3(carom_mat3 a, carom_mat3 *u, carom_vec3 *s, carom_mat3 *v) {
    *u = *v = crm_mat3_identity();
    *s = crm_vec3_zero();
    if (!crm_mat3_finite(a)) return false;
    carom_vec3 sizes = crm_vec3(crm_max_component(crm_vec3_abs(a.x)), crm_max_component(crm_vec3_abs(a.y)),
                                crm_max_component(crm_vec3_abs(a.z)));
    double size = crm_max_component(sizes);
    if (size == 0.0) return true;
    int exponent;
    (void)frexp(size, &exponent);

    carom_vec3 b[3] = {a.x, a.y, a.z}, w[3] = {v->x, v->y, v->z};
    for (int j = 0; j < 3; j++)
        b[j] = crm_vec3(ldexp(b[j].x, -exponent), ldexp(b[j].y, -exponent), ldexp(b[j].z, -exponent));
    bool busy = true;
    for (int sweep = 0; busy && sweep < SWEEP_LIMIT; sweep++) {
        busy = orthogonalise_pair(b, w, 0, 1);
        busy |= orthogonalise_pair(b, w, 0, 2);
        busy |= orthogonalise_pair(b, w, 1, 2);
    }

    // The first two columns give U's; its third follows, and so does the sign of the last singular value.
    s->x = crm_normalise(b[0], &u->x);
    s->y = crm_normalise(crm_madd(b[1], -crm_dot(u->x, b[1]), u->x), &u->y);
    if (s->y == 0.0) u->y = crm_any_normal(u->x);
    u->z = crm_cross(u->x, u->y);
    s->z = crm_dot(u->z, b[2]);
    *s = crm_vec3(ldexp(s->x, exponent), ldexp(s->y, exponent), ldexp(s->z, exponent));
    *v = crm_mat3_columns(w[0], w[1], w[2]);
    return true;
}
