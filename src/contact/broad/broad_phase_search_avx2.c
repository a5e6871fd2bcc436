// SPDX-License-Identifier: MIT
// The search for processors with 256-bit vectors.
#if defined(__AVX2__)
#include "contact/broad/broad_phase_search_body.h"

crm_block_search crm_search_blocks_avx2;

bool crm_search_blocks_avx2(const crm_box_tree *from, int begin, int end, const crm_box_tree *to,
                            const crm_pair_rules *rules, crm_pair_writer *out) {
    return search_blocks(from, begin, end, to, rules, out);
}
#else
typedef int no_search_for_this_processor;
#endif
