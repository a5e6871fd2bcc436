// SPDX-License-Identifier: MIT
// Singular values of a 3x3 matrix, with proper rotations on both sides.
#ifndef CRM_MATH_SVD3_H
#define CRM_MATH_SVD3_H

#include "math/mat3.h"

// A = U diag(s) V^T with U and V proper rotations and s.x >= s.y >= |s.z|; s.z carries the sign of det A, as two
// proper factors cannot. One-sided Jacobi: small singular values of a matrix with columns of unequal size come out
// with full relative accuracy, down to 1e-150 of the largest. False, with identities and zeros, when A is not finite.
bool crm_svd3(carom_mat3 a, carom_mat3 *u, carom_vec3 *s, carom_mat3 *v);

#endif
