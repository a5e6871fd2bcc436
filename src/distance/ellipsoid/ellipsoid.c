// SPDX-License-Identifier: MIT
#include "distance/ellipsoid/ellipsoid.h"

#include <stddef.h>

#include "distance/ellipsoid/ellipsoid_one.h"

crm_ellipsoid_witness crm_ellipsoid_pair(const crm_ellipsoid *a, const crm_ellipsoid *b, const carom_vec3 *start) {
    chase way;
    set_couple_of(a, b, &way.c);
    begin(start != NULL ? vec_of(*start) : first_guess(&way.c), &way);
    follow_newton(1, &way);
    found f = found_at(&way.c, way.n);
    crm_ellipsoid_witness w =
        proved(&f, way.converged) ? witness_of(a, b, &f) : crm_ellipsoid_search(a, b, vec3_of(f.n));
    w.supports += (int)way.supports + 1;
    return w;
}
