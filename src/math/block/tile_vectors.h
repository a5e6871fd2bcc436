// SPDX-License-Identifier: MIT
// Vectors of the compiler's own kind; where a register is narrower the compiler uses two. A column of six is a four and
// a two, or three twos, and starts on any multiple of 8 bytes.
#ifndef CRM_MATH_TILE_VECTORS_H
#define CRM_MATH_TILE_VECTORS_H

typedef double four __attribute__((vector_size(32)));
typedef double two __attribute__((vector_size(16)));
typedef four four_anywhere __attribute__((aligned(8), may_alias));
typedef two two_anywhere __attribute__((aligned(8), may_alias));

#endif
