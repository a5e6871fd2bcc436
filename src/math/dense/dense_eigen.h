// SPDX-License-Identifier: MIT
// Eigenvalues and eigenvectors of a small symmetric matrix: Jacobi's cyclic method, which is slow but keeps the digits
// of small eigenvalues beside large ones better than any reduction does.
#ifndef CRM_MATH_DENSE_EIGEN_H
#define CRM_MATH_DENSE_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

// A = V diag(values) V^T: values ascending, the columns of V (n x n, leading dimension n) orthonormal. Reads both
// triangles of `a` and destroys them. False when A is not finite or has not become diagonal.
bool crm_symmetric_eigen(int n, double *a, ptrdiff_t lda, double *values, double *vectors);

#endif
