// SPDX-License-Identifier: MIT
// Carlson's symmetric elliptic integrals.
#ifndef CRM_MATH_CARLSON_H
#define CRM_MATH_CARLSON_H

// R_F(x, y, z) = 1/2 int_0^inf ds / sqrt((s+x)(s+y)(s+z)); x, y, z >= 0, at most one of them 0.
double crm_carlson_rf(double x, double y, double z);

// R_D(x, y, z) = 3/2 int_0^inf ds / (sqrt((s+x)(s+y)(s+z)) (s+z)); x, y >= 0, not both 0; z > 0.
double crm_carlson_rd(double x, double y, double z);

#endif
