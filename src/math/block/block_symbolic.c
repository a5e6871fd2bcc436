// SPDX-License-Identifier: MIT
// From the elimination tree to panels, strips and updates. Row structure and counts by walking row subtrees
// (Davis: Direct Methods for Sparse Linear Systems, section 4.2), panels by relaxed supernodes (Ashcraft, Grimes 1989).
#include "math/block/block_symbolic.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "math/block/block_order.h"

// Panels are this many scalars wide at most, unless a single node is wider. Wide enough that a tile update is bound by
// arithmetic and not by loading its target; narrow enough that a strip of the panel (6 x 48 doubles, 2.3 kB) stays in
// the first-level cache while it is used.
static const int widest_panel = CRM_PANEL_NODES;

// Two supernodes are merged while the share of stored zeros in the result stays below these shares: a narrow panel
// costs more in overhead than in arithmetic. Chosen by measurement on pile graphs.
static const struct {
    int width;
    double zeros;
} relaxation[] = {{12, 0.3}, {24, 0.1}, {48, 0.05}, {INT_MAX, 0.02}};

static const int panel_alignment = CRM_ARENA_ALIGNMENT / (int)sizeof(double);

// A run of consecutive positions with a common set of rows below.
typedef struct supernode {
    int first, end;
    int width;     // scalars in its columns
    int below;     // scalars in its rows below the columns
    double zeros;  // stored zeros that the factor does not have
    int parent;    // supernode, or -1
    int row_begin; // into rows
    int row_count;
} supernode;

typedef struct analysis {
    const crm_block_graph *graph;
    crm_arena *arena, *scratch;
    crm_block_adjacency adjacency;
    crm_block_order order;
    int *size;  // by position
    int *start; // by position, scalar_count at the end
    int supernode_count;
    supernode *supernodes;
    int *supernode_of; // by position
    int *rows;         // positions, ascending in each supernode
    int panel_count;
    crm_panel *panels;
    int *panel_of; // by position
    int *strip_row;
    int *strip_offset;
    ptrdiff_t update_count, map_count;
} analysis;

static carom_status no_memory(const analysis *a, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "block analysis: no memory for %d nodes and %d edges",
                    a->graph->node_count, a->graph->edge_count);
}

static carom_status too_large(const analysis *a, carom_error *error) {
    return crm_fail(error, CAROM_ERR_TOO_LARGE,
                    "block analysis: the factor of this graph (%d nodes, %d edges) is too large to be numbered",
                    a->graph->node_count, a->graph->edge_count);
}

// Sizes and starts in elimination order.
static bool lay_out_scalars(analysis *a) {
    int nodes = a->graph->node_count;
    a->size = CRM_ARENA_ARRAY(a->arena, int, nodes);
    a->start = CRM_ARENA_ARRAY(a->arena, int, nodes + 1);
    if (a->size == NULL || a->start == NULL) return false;
    int scalars = 0;
    for (int k = 0; k < nodes; k++) {
        a->size[k] = a->graph->node_size[a->order.order[k]];
        a->start[k] = scalars;
        scalars += a->size[k];
    }
    a->start[nodes] = scalars;
    return true;
}

// Scalars below the diagonal block of every column of the factor: row i belongs to column j when j lies on the path in
// the elimination tree from a neighbour k < i up to i.
static void count_scalars_below(const analysis *a, int *mark, int *nodes_below, int *below) {
    int nodes = a->graph->node_count;
    for (int k = 0; k < nodes; k++) nodes_below[k] = below[k] = 0;
    for (int i = 0; i < nodes; i++) {
        mark[i] = i;
        int node = a->order.order[i];
        for (int n = a->adjacency.start[node]; n < a->adjacency.start[node + 1]; n++) {
            int neighbour = a->order.position[a->adjacency.neighbour[n]];
            for (int j = neighbour; j < i && mark[j] != i; j = a->order.parent[j]) {
                mark[j] = i;
                nodes_below[j]++;
                below[j] += a->size[i];
            }
        }
    }
}

static double stored_values(const supernode *s) {
    return 0.5 * s->width * (s->width + 1.0) + (double)s->width * s->below;
}

// Whether `child`, which stands right before `parent` and is its child, is worth merging into it; the result in
// *merged.
static bool merges(const supernode *child, const supernode *parent, supernode *merged) {
    *merged = *parent;
    merged->first = child->first;
    merged->width = child->width + parent->width;
    double stored = stored_values(merged);
    merged->zeros = child->zeros + parent->zeros + stored - stored_values(child) - stored_values(parent);
    int rule = 0;
    while (merged->width > relaxation[rule].width) rule++;
    return merged->zeros <= relaxation[rule].zeros * stored;
}

static bool find_supernodes(analysis *a) {
    int nodes = a->graph->node_count;
    const int *parent = a->order.parent;
    int *mark = CRM_ARENA_ARRAY(a->scratch, int, nodes);
    int *nodes_below = CRM_ARENA_ARRAY(a->scratch, int, nodes);
    int *below = CRM_ARENA_ARRAY(a->scratch, int, nodes);
    a->supernodes = CRM_ARENA_ARRAY(a->scratch, supernode, nodes);
    a->supernode_of = CRM_ARENA_ARRAY(a->scratch, int, nodes);
    if (mark == NULL || nodes_below == NULL || below == NULL || a->supernodes == NULL || a->supernode_of == NULL)
        return false;
    count_scalars_below(a, mark, nodes_below, below);

    // The list is a stack: a new supernode swallows those before it as long as they are its children and it pays.
    int count = 0;
    for (int first = 0, end; first < nodes; first = end) {
        supernode next = {.first = first, .width = a->size[first]};
        end = first + 1;
        while (end < nodes && parent[end - 1] == end && nodes_below[end] == nodes_below[end - 1] - 1)
            next.width += a->size[end++];
        next.end = end;
        next.below = below[end - 1];
        next.row_count = nodes_below[end - 1];
        supernode merged;
        while (count > 0 && parent[next.first - 1] == next.first && merges(&a->supernodes[count - 1], &next, &merged)) {
            next = merged;
            count--;
        }
        a->supernodes[count++] = next;
    }
    a->supernode_count = count;
    for (int s = 0; s < count; s++)
        for (int k = a->supernodes[s].first; k < a->supernodes[s].end; k++) a->supernode_of[k] = s;
    for (int s = 0; s < count; s++) {
        int above = parent[a->supernodes[s].end - 1];
        a->supernodes[s].parent = above < 0 ? -1 : a->supernode_of[above];
    }
    return true;
}

// Multiplications and additions of a Cholesky factorization, stored zeros included.
static double count_flops(const analysis *a) {
    double flops = 0.0;
    for (int s = 0; s < a->supernode_count; s++) {
        double width = a->supernodes[s].width, rows = width + a->supernodes[s].below;
        // Column j is scaled and changes everything right of and below itself: (rows - j)^2 flops. However the columns
        // are cut into panels, the sum is the same.
        flops += width * rows * rows - width * width * rows + width * width * width / 3.0;
    }
    return flops;
}

// Rows below each supernode, ascending because they are found row by row.
static carom_status list_rows(analysis *a, carom_error *error) {
    ptrdiff_t total = 0;
    for (int s = 0; s < a->supernode_count; s++) {
        a->supernodes[s].row_begin = (int)total;
        total += a->supernodes[s].row_count;
        if (total > INT_MAX) return too_large(a, error);
        a->supernodes[s].row_count = 0;
    }
    a->rows = CRM_ARENA_ARRAY(a->scratch, int, total);
    int *mark = CRM_ARENA_ARRAY(a->scratch, int, a->supernode_count);
    if (a->rows == NULL || mark == NULL) return no_memory(a, error);
    for (int s = 0; s < a->supernode_count; s++) mark[s] = -1;

    for (int i = 0; i < a->graph->node_count; i++) {
        mark[a->supernode_of[i]] = i;
        int node = a->order.order[i];
        for (int n = a->adjacency.start[node]; n < a->adjacency.start[node + 1]; n++) {
            int neighbour = a->order.position[a->adjacency.neighbour[n]];
            if (neighbour > i) continue;
            for (int s = a->supernode_of[neighbour]; mark[s] != i; s = a->supernodes[s].parent) {
                mark[s] = i;
                supernode *below = &a->supernodes[s];
                a->rows[below->row_begin + below->row_count++] = i;
            }
        }
    }
    return CAROM_OK;
}

// Where the panel that starts at position `first` of a supernode ends. What is left of the supernode is shared out
// evenly, by scalars, among as few panels as can hold it.
static int end_of_panel(const analysis *a, const supernode *s, int first) {
    ptrdiff_t left = a->start[s->end] - a->start[first];
    ptrdiff_t panels = (left - 1) / widest_panel + 1;
    int end = first + 1;
    for (int width = a->size[first]; end < s->end; width += a->size[end++]) {
        if (a->size[end] > widest_panel - width) break;
        // The next node stays out when at least half of it would stand over the share, left / panels.
        if ((2 * width + a->size[end]) * panels >= 2 * left) break;
    }
    return end;
}

// Cuts wide supernodes into panels of nearly equal width and gives every panel its strips.
static carom_status lay_out_panels(analysis *a, carom_error *error) {
    int nodes = a->graph->node_count;
    ptrdiff_t panel_total = 0, strip_total = 0;
    for (int s = 0; s < a->supernode_count; s++) {
        const supernode *super = &a->supernodes[s];
        for (int first = super->first; first < super->end; first = end_of_panel(a, super, first)) {
            panel_total++;
            strip_total += super->end - first + super->row_count;
        }
    }
    if (strip_total > INT_MAX) return too_large(a, error);
    a->panels = CRM_ARENA_ZEROED(a->arena, crm_panel, panel_total);
    a->strip_row = CRM_ARENA_ARRAY(a->arena, int, strip_total);
    a->strip_offset = CRM_ARENA_ARRAY(a->arena, int, strip_total);
    a->panel_of = CRM_ARENA_ARRAY(a->scratch, int, nodes);
    if (a->panels == NULL || a->strip_row == NULL || a->strip_offset == NULL || a->panel_of == NULL)
        return no_memory(a, error);

    int strip = 0;
    ptrdiff_t values = 0;
    for (int s = 0; s < a->supernode_count; s++) {
        const supernode *super = &a->supernodes[s];
        for (int first = super->first; first < super->end; first = a->panels[a->panel_count - 1].end) {
            crm_panel *panel = &a->panels[a->panel_count];
            panel->first = first;
            panel->end = end_of_panel(a, super, first);
            panel->width = a->start[panel->end] - a->start[panel->first];
            panel->strip_begin = strip;
            for (int k = panel->first; k < super->end; k++) a->strip_row[strip++] = k;
            for (int r = 0; r < super->row_count; r++) a->strip_row[strip++] = a->rows[super->row_begin + r];
            panel->strip_end = strip;

            ptrdiff_t offset = 0;
            for (int i = panel->strip_begin; i < strip; i++) {
                a->strip_offset[i] = (int)offset;
                offset += (ptrdiff_t)a->size[a->strip_row[i]] * panel->width;
                if (offset > INT_MAX) return too_large(a, error); // places inside a panel are numbered by int
            }
            panel->values = values;
            panel->value_count = offset;
            values += (offset + panel_alignment - 1) / panel_alignment * panel_alignment;
            for (int k = panel->first; k < panel->end; k++) a->panel_of[k] = a->panel_count;
            a->panel_count++;
        }
    }
    return CAROM_OK;
}

// Counts the pairs of a source panel and a later panel that has rows of it among its columns, and the rows they map.
static void count_updates(analysis *a) {
    for (int source = 0; source < a->panel_count; source++) {
        const crm_panel *panel = &a->panels[source];
        for (int i = panel->strip_begin + (panel->end - panel->first), end; i < panel->strip_end; i = end) {
            crm_panel *target = &a->panels[a->panel_of[a->strip_row[i]]];
            for (end = i + 1; end < panel->strip_end && a->strip_row[end] < target->end;) end++;
            target->update_end++;
            a->update_count++;
            a->map_count += panel->strip_end - i;
        }
    }
}

static carom_status list_updates(analysis *a, const carom_interrupt *interrupt, crm_block_symbolic *symbolic,
                                 carom_error *error) {
    count_updates(a);
    if (a->update_count > INT_MAX) return too_large(a, error);
    crm_panel_update *updates = CRM_ARENA_ARRAY(a->arena, crm_panel_update, a->update_count);
    int *row_offset = CRM_ARENA_ARRAY(a->arena, int, a->map_count);
    int *offset_of = CRM_ARENA_ARRAY(a->scratch, int, a->graph->node_count);
    if (updates == NULL || row_offset == NULL || offset_of == NULL) return no_memory(a, error);

    int begin = 0;
    for (int p = 0; p < a->panel_count; p++) {
        int count = a->panels[p].update_end;
        a->panels[p].update_begin = a->panels[p].update_end = begin;
        begin += count;
    }
    for (int source = 0; source < a->panel_count; source++) {
        const crm_panel *panel = &a->panels[source];
        if (crm_interrupted(interrupt)) return crm_fail_interrupted(error);
        for (int i = panel->strip_begin + (panel->end - panel->first), end; i < panel->strip_end; i = end) {
            crm_panel *target = &a->panels[a->panel_of[a->strip_row[i]]];
            for (end = i + 1; end < panel->strip_end && a->strip_row[end] < target->end;) end++;
            updates[target->update_end++] = (crm_panel_update){.source = source, .strip_begin = i, .strip_end = end};
        }
    }

    ptrdiff_t map = 0;
    for (int p = 0; p < a->panel_count; p++) {
        const crm_panel *target = &a->panels[p];
        if (crm_interrupted(interrupt)) return crm_fail_interrupted(error);
        for (int i = target->strip_begin; i < target->strip_end; i++) offset_of[a->strip_row[i]] = a->strip_offset[i];
        for (int u = target->update_begin; u < target->update_end; u++) {
            updates[u].map = map;
            int strip_end = a->panels[updates[u].source].strip_end;
            for (int i = updates[u].strip_begin; i < strip_end; i++) row_offset[map++] = offset_of[a->strip_row[i]];
        }
    }
    symbolic->update = updates;
    symbolic->row_offset = row_offset;
    return CAROM_OK;
}

// Sorts the edges by the panel of their earlier node and finds the tile of each.
static carom_status list_loads(analysis *a, crm_block_symbolic *symbolic, carom_error *error) {
    int edges = a->graph->edge_count, nodes = a->graph->node_count;
    crm_block_load *loads = CRM_ARENA_ARRAY(a->arena, crm_block_load, edges);
    int *offset_of = CRM_ARENA_ARRAY(a->scratch, int, nodes);
    if (loads == NULL || offset_of == NULL) return no_memory(a, error);

    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < edges; e++) {
            int row = a->order.position[a->graph->edge[e].row], column = a->order.position[a->graph->edge[e].column];
            crm_panel *panel = &a->panels[a->panel_of[row < column ? row : column]];
            if (pass == 1) loads[panel->load_end] = (crm_block_load){.edge = e, .row_is_late = row > column};
            panel->load_end++;
        }
        int begin = 0;
        for (int p = 0; p < a->panel_count && pass == 0; p++) {
            int count = a->panels[p].load_end;
            a->panels[p].load_begin = a->panels[p].load_end = begin;
            begin += count;
        }
    }

    for (int p = 0; p < a->panel_count; p++) {
        const crm_panel *panel = &a->panels[p];
        for (int i = panel->strip_begin; i < panel->strip_end; i++) offset_of[a->strip_row[i]] = a->strip_offset[i];
        for (int l = panel->load_begin; l < panel->load_end; l++) {
            crm_block_edge edge = a->graph->edge[loads[l].edge];
            int early = a->order.position[loads[l].row_is_late ? edge.column : edge.row];
            int late = a->order.position[loads[l].row_is_late ? edge.row : edge.column];
            loads[l].tile = offset_of[late] + (a->start[early] - a->start[panel->first]) * a->size[late];
        }
    }
    symbolic->load = loads;
    return CAROM_OK;
}

static carom_status finish(const analysis *a, crm_block_symbolic *symbolic, carom_error *error) {
    int nodes = a->graph->node_count;
    int *original = CRM_ARENA_ARRAY(a->arena, int, nodes);
    if (original == NULL) return no_memory(a, error);
    int scalar = 0;
    for (int node = 0; node < nodes; node++) {
        original[a->order.position[node]] = scalar;
        scalar += a->graph->node_size[node];
    }
    symbolic->node_count = nodes;
    symbolic->edge_count = a->graph->edge_count;
    symbolic->scalar_count = a->start[nodes];
    symbolic->common_size = nodes > 0 ? a->size[0] : 0;
    for (int k = 0; k < nodes; k++) {
        if (a->size[k] != symbolic->common_size) symbolic->common_size = 0;
        if (a->size[k] > symbolic->largest_size) symbolic->largest_size = a->size[k];
    }
    symbolic->order = a->order.order;
    symbolic->size = a->size;
    symbolic->start = a->start;
    symbolic->original = original;
    symbolic->panel_count = a->panel_count;
    symbolic->panel = a->panels;
    symbolic->strip_row = a->strip_row;
    symbolic->strip_offset = a->strip_offset;
    for (int p = 0; p < a->panel_count; p++) {
        const crm_panel *panel = &a->panels[p];
        ptrdiff_t end = panel->values + (panel->value_count + panel_alignment - 1) / panel_alignment * panel_alignment;
        if (end > symbolic->value_count) symbolic->value_count = end;
        if (panel->width > symbolic->widest_panel) symbolic->widest_panel = panel->width;
    }
    return CAROM_OK;
}

static carom_status analyse(const crm_block_graph *graph, const int *given_order, double most_flops,
                            carom_interrupt interrupt, crm_arena *arena, crm_arena *scratch,
                            crm_block_symbolic *symbolic, carom_error *error) {
    *symbolic = (crm_block_symbolic){0};
    carom_status status = crm_block_graph_check(graph, scratch, error);
    if (status != CAROM_OK) return status;

    analysis a = {.graph = graph, .arena = arena, .scratch = scratch};
    crm_mark kept = crm_arena_mark(arena), used = crm_arena_mark(scratch);
    status = crm_block_adjacency_create(graph, scratch, &a.adjacency, error);
    if (status == CAROM_OK)
        status = crm_block_order_create(graph, &a.adjacency, given_order, arena, scratch, &a.order, error);
    if (status == CAROM_OK && !(lay_out_scalars(&a) && find_supernodes(&a))) status = no_memory(&a, error);
    double flops = status == CAROM_OK ? count_flops(&a) : 0.0;
    bool whole = flops <= most_flops;
    if (status == CAROM_OK && crm_interrupted(&interrupt)) status = crm_fail_interrupted(error);
    if (status == CAROM_OK && whole) status = list_rows(&a, error);
    if (status == CAROM_OK && whole) status = lay_out_panels(&a, error);
    if (status == CAROM_OK && whole) status = list_updates(&a, &interrupt, symbolic, error);
    if (status == CAROM_OK && whole) status = list_loads(&a, symbolic, error);
    if (status == CAROM_OK && whole) status = finish(&a, symbolic, error);
    crm_arena_release(scratch, used);
    if (status != CAROM_OK || !whole) {
        crm_arena_release(arena, kept);
        *symbolic = (crm_block_symbolic){0};
    }
    symbolic->flop_count = flops;
    return status;
}

carom_status crm_block_analyse(const crm_block_graph *graph, const int *given_order, crm_arena *arena,
                               crm_arena *scratch, crm_block_symbolic *symbolic, carom_error *error) {
    return analyse(graph, given_order, INFINITY, (carom_interrupt){NULL, NULL}, arena, scratch, symbolic, error);
}

carom_status crm_block_analyse_until(const crm_block_graph *graph, carom_interrupt interrupt, crm_arena *arena,
                                     crm_arena *scratch, crm_block_symbolic *symbolic, carom_error *error) {
    return analyse(graph, NULL, INFINITY, interrupt, arena, scratch, symbolic, error);
}

carom_status crm_block_analyse_within(const crm_block_graph *graph, double most_flops, crm_arena *arena,
                                      crm_arena *scratch, crm_block_symbolic *symbolic, carom_error *error) {
    return analyse(graph, NULL, most_flops, (carom_interrupt){NULL, NULL}, arena, scratch, symbolic, error);
}
