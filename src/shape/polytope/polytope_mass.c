// SPDX-License-Identifier: MIT
// Volume integrals of a polytope. By the divergence theorem they are sums over its facets: with an origin o, a triangle
// (a, b, c) of the surface and o span a signed tetrahedron, and with s = a + b + c, D = a.(b x c) from o
//   volume D/6,   integral of y: D s/24,   integral of y y^T: D (a a^T + b b^T + c c^T + s s^T)/120.
// A second pass takes the centre of mass as origin, so that the inertia is not the difference of large numbers.
#include "math/mat3.h"
#include "shape/solids.h"

typedef struct moments {
    double volume;
    carom_vec3 first;
    carom_mat3 second;
} moments;

static carom_mat3 add_square(carom_mat3 sum, double factor, carom_vec3 a) {
    return crm_mat3_add(sum, crm_outer(crm_scale(factor, a), a));
}

static void add_tetrahedron(moments *m, carom_vec3 a, carom_vec3 b, carom_vec3 c) {
    double d = crm_dot(a, crm_cross(b, c));
    carom_vec3 s = crm_add(crm_add(a, b), c);
    m->volume += d / 6.0;
    m->first = crm_madd(m->first, d / 24.0, s);
    m->second = add_square(m->second, d / 120.0, a);
    m->second = add_square(m->second, d / 120.0, b);
    m->second = add_square(m->second, d / 120.0, c);
    m->second = add_square(m->second, d / 120.0, s);
}

static moments integrate(const crm_polytope *p, carom_vec3 origin) {
    moments m = {.second = crm_mat3_zero()};
    for (int f = 0; f < p->facet_count; f++) {
        const int *corner = p->facet_vertex + p->facet_start[f];
        int count = p->facet_start[f + 1] - p->facet_start[f];
        carom_vec3 a = crm_sub(p->vertex[corner[0]], origin), b = crm_sub(p->vertex[corner[1]], origin);
        for (int i = 2; i < count; i++) {
            carom_vec3 c = crm_sub(p->vertex[corner[i]], origin);
            add_tetrahedron(&m, a, b, c);
            b = c;
        }
    }
    return m;
}

carom_mass crm_solid_polytope(const crm_polytope *p) {
    carom_vec3 mean = crm_vec3_zero();
    for (int i = 0; i < p->vertex_count; i++) mean = crm_madd(mean, 1.0 / p->vertex_count, p->vertex[i]);
    moments m = integrate(p, mean);
    carom_vec3 centre = crm_madd(mean, 1.0 / m.volume, m.first);
    m = integrate(p, centre);
    // What rounding of the first pass has left; its square is nothing.
    centre = crm_madd(centre, 1.0 / m.volume, m.first);
    // trace(S) 1 - S, exactly symmetric.
    double xx = m.second.x.x, yy = m.second.y.y, zz = m.second.z.z;
    double xy = -m.second.y.x, xz = -m.second.z.x, yz = -m.second.z.y;
    return (carom_mass){.volume = m.volume,
                        .mass = m.volume,
                        .centre = centre,
                        .inertia = {{yy + zz, xy, xz}, {xy, xx + zz, yz}, {xz, yz, xx + yy}}};
}
