// SPDX-License-Identifier: MIT
// Short vectors for kernels whose text is compiled once per instruction set: the form that runs everywhere. The same
// names are defined by lanes_four.h for processors with 256-bit vectors and, but for those that look across lanes, by
// lanes_one.h for plain numbers; a source file includes one of them.
//
//   LANES, lanes                 numbers in a vector, and its type; + - * / and comparisons work lane by lane
//   load, store, fill, larger    a vector from and to memory, aligned; of one number; the larger of each pair
//   fill_largest                 a vector of the largest number of another one
//   choose(mask, a, b)           a where a comparison held, else b
//   equal_mask(a, b)             bit i is set where lane i is equal
//   root                         the square root of each
//   masks, mask_bits             type of a comparison, to which & and | apply; bit i is set where lane i held
#ifndef CRM_MATH_LANES
#define CRM_MATH_LANES

#include <math.h>
#include <stdint.h>

#define LANES 2
#define lanes two
#define masks two_masks

// Vectors of the compiler's own kind, two numbers wide: every 64-bit processor has them.
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));

static inline two load(const double *at) {
    return *(const two *)at;
}

static inline void store(double *at, two value) {
    *(two *)at = value;
}

static inline two fill(double value) {
    return (two){value, value};
}

static inline two choose(two_masks mask, two a, two b) {
    return (two)((mask & (two_masks)a) | (~mask & (two_masks)b));
}

static inline two larger(two a, two b) {
    return choose(a > b, a, b);
}

static inline two fill_largest(two a) {
    return larger(a, (two){a[1], a[0]});
}

static inline unsigned mask_bits(two_masks mask) {
    return (unsigned)(mask[0] & 1) | (unsigned)(mask[1] & 2);
}

static inline unsigned equal_mask(two a, two b) {
    return mask_bits(a == b);
}

static inline two root(two a) {
    return (two){sqrt(a[0]), sqrt(a[1])};
}

#endif
