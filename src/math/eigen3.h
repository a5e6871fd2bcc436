// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of a symmetric 3x3 matrix.
#ifndef CRM_MATH_EIGEN3_H
#define CRM_MATH_EIGEN3_H

#include "math/mat3.h"

// A = V diag(values) V^T: values ascending, V a proper rotation (its columns are the eigenvectors). Only the entries
// on and below the diagonal are read. A diagonal matrix gives its own entries and a signed permutation, sorted ones
// the identity. Values are right to a few roundings of the largest; those of a positive definite matrix D B D, D
// diagonal, even to a few roundings times cond(B) of themselves, however graded D is. Any size of A.
// False, with zeros and the identity, when A is not finite.
bool crm_eigen3(carom_mat3 a, carom_vec3 *values, carom_mat3 *vectors);

#endif
