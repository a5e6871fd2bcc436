// SPDX-License-Identifier: MIT
// Symbolic factorization of a block graph: everything about a factorization that depends on the pattern alone. Made
// once per pattern, shared by Cholesky, LDL^T and LU, read-only afterwards.
//
// Nodes are renumbered by elimination position. Consecutive positions with (almost) the same rows below them form a
// panel. A panel stores one strip per node in its rows, its own nodes first: strip i is a dense column-major matrix of
// size(i) rows by the panel's width, all strips of a panel lie one behind the other. A 6 x 6 tile of a strip is thus 36
// doubles in a row, the kernels read and write it in place, and no index is looked up below the level of blocks.
#ifndef CRM_MATH_BLOCK_SYMBOLIC_H
#define CRM_MATH_BLOCK_SYMBOLIC_H

#include "base/arena.h"
#include "carom/limits.h"
#include "carom/status.h"
#include "math/block/block_matrix.h"

// Most nodes in a panel.
enum { CRM_PANEL_NODES = 48 };

typedef struct crm_panel {
    int first, end;               // own positions, at most CRM_PANEL_NODES
    int width;                    // own scalars
    int strip_begin, strip_end;   // into strip_row and strip_offset
    int update_begin, update_end; // into update
    int load_begin, load_end;     // into load
    ptrdiff_t values;             // offset of the first strip in the factor's values
    ptrdiff_t value_count;
} crm_panel;

// Panel `source` is finished and changes a later panel, its target: strips strip_begin .. strip_end - 1 of the source
// stand in the target's columns, all from strip_begin on in its rows.
typedef struct crm_panel_update {
    int source;
    int strip_begin, strip_end;
    ptrdiff_t map; // row_offset[map + i]: offset in the target panel of the row of strip strip_begin + i
} crm_panel_update;

// Where an edge's block goes: the tile of the edge's later node in the column of its earlier one.
typedef struct crm_block_load {
    int edge;
    int tile;         // offset in the panel
    bool row_is_late; // the edge's row node is eliminated after its column node
} crm_block_load;

typedef struct crm_block_symbolic {
    int node_count, edge_count;
    int scalar_count;
    int common_size;     // size of every node if all are equal, else 0
    int largest_size;    // of a node
    int widest_panel;    // scalars
    const int *order;    // order[position] = node (node_count)
    const int *size;     // by position (node_count)
    const int *start;    // first scalar by position (node_count + 1)
    const int *original; // first scalar of that node in the matrix's own numbering, by position (node_count)
    int panel_count;
    const crm_panel *panel;
    const int *strip_row;           // position
    const int *strip_offset;        // offset in the panel's values
    const crm_panel_update *update; // by target, sources in ascending order
    const int *row_offset;
    const crm_block_load *load;
    ptrdiff_t value_count; // doubles in the factor, each panel starting on a cache line
    double flop_count;     // of a Cholesky factorization, additions and multiplications
} crm_block_symbolic;

// `given_order` (node_count nodes) or NULL for approximate minimum degree. The result lives in `arena`, `scratch` is
// used and released; they must be different. Checks the graph first. The graph is not kept.
carom_status crm_block_analyse(const crm_block_graph *graph, const int *given_order, crm_arena *arena,
                               crm_arena *scratch, crm_block_symbolic *symbolic, carom_error *error);

// The same by an order of its own; CAROM_ERR_INTERRUPTED when it was.
carom_status crm_block_analyse_until(const crm_block_graph *graph, carom_interrupt interrupt, crm_arena *arena,
                                     crm_arena *scratch, crm_block_symbolic *symbolic, carom_error *error);

// The same, but of a factorization of more than `most_flops` only flop_count is found, with panel_count 0: what it
// would take is known before any memory that grows with the factor is.
carom_status crm_block_analyse_within(const crm_block_graph *graph, double most_flops, crm_arena *arena,
                                      crm_arena *scratch, crm_block_symbolic *symbolic, carom_error *error);

#endif
