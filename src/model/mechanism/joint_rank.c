// SPDX-License-Identifier: MIT
// The rows of closing joints in the coordinates of the trees: what a tree coordinate does to a loop is the transported
// column of its motion subspace, on the way from either end of the closing joint up to where the ways meet. Loops that
// share a link make a cluster; its rows are a dense matrix, whose rank a pivoted QR factorization finds.
#include "model/mechanism/joint_rank.h"

#include <math.h>

#include "base/fail.h"
#include "math/dense/dense_qr.h"
#include "model/force/evaluate.h"

// Rows, made free of units, that depend on the others to this share are redundant: far above rounding, far below what a
// mechanism near a dead point has.
static const double rank_tolerance = 1e-9;

// Below this share of the largest, what is left of a row that still counts is that of a mechanism at a dead point.
static const double dead_share = 1e-2;

// Work of the largest factorization that is made, rows^2 times columns.
static const double most_work = 1e9;

typedef struct counting {
    const carom_model *model;
    const crm_motion *motions;
    const crm_joint_graph *graph;
    double size;
    crm_arena *arena;
    int *leader;    // cluster of a link, by union and find (link_count)
    int *column_of; // of a link's first coordinate in its cluster's matrix (link_count)
    int *columns;   // of a cluster, by its leader (link_count)
    int *rows;
    int *first_loop; // of a cluster: index into the closing joints, -1 for none (link_count)
    int *next_loop;  // of the same cluster (closing_count)
    double weakest;  // what is left of the weakest row that counts, over the strongest of its cluster
    int weakest_joint;
} counting;

static int leader_of(int *leader, int link) {
    while (leader[link] != link) {
        leader[link] = leader[leader[link]];
        link = leader[link];
    }
    return link;
}

static int link_of(const counting *c, int body) {
    return body < 0 ? -1 : c->graph->link_of_body[body];
}

// The ways from both ends of a closing joint towards the ground.
typedef struct loop_ways {
    int at[2]; // where each stands: a link, or -1 for the ground
    int link;  // the link passed last
    int side;  // on the way of a (0) or of b (1)
} loop_ways;

static loop_ways start_ways(const counting *c, const crm_joint *joint) {
    return (loop_ways){.at = {link_of(c, joint->a.body), link_of(c, joint->b.body)}};
}

// Passes the link that is farther from the ground; false where both ways have met.
static bool pass_link(const counting *c, loop_ways *ways) {
    const crm_tree_link *links = c->graph->link;
    int a = ways->at[0], b = ways->at[1];
    if (a == b) return false;
    ways->side = a < 0 || (b >= 0 && links[b].depth > links[a].depth);
    ways->link = ways->at[ways->side];
    ways->at[ways->side] = links[ways->link].parent;
    return true;
}

// Makes the links of a loop one cluster and returns one of them.
static int join_loop(counting *c, const crm_joint *joint) {
    int first = -1;
    for (loop_ways ways = start_ways(c, joint); pass_link(c, &ways);) {
        if (first < 0)
            first = ways.link;
        else
            c->leader[leader_of(c->leader, ways.link)] = leader_of(c->leader, first);
    }
    return first;
}

// The motion of a link's body per coordinate.
static void columns_of(const counting *c, int index, crm_vec6 column[6]) {
    const crm_tree_link *link = &c->graph->link[index];
    if (link->joint >= 0) {
        const crm_joint *joint = &c->model->joints.items[link->joint];
        crm_joint_pose pose = crm_joint_evaluate(joint, c->motions);
        crm_joint_motion(joint, &pose, link->reversed, column);
        return;
    }
    carom_body_kind kind = c->model->bodies.items[link->body].kind;
    int k = 0;
    for (int component = 0; component < 6; component++) {
        if (!crm_kind_admits(kind, component)) continue;
        carom_vec3 unit = crm_with_component(crm_vec3_zero(), component % 3, 1.0);
        column[k++] = component < 3 ? crm_vec6_of(unit, crm_vec3_zero()) : crm_vec6_of(crm_vec3_zero(), unit);
    }
}

// A motion without units: lengths are counted in `size`.
static double entry(const counting *c, bool linear_row, bool linear_column, double value) {
    return value * (linear_row ? 1.0 / c->size : 1.0) * (linear_column ? c->size : 1.0);
}

// The rows of a joint into the cluster's matrix, which is transposed: a column of `matrix` per row.
static void fill_rows(const counting *c, const crm_joint *joint, int row_begin, int height, double *matrix) {
    crm_joint_pose pose = crm_joint_evaluate(joint, c->motions);
    double residual[6];
    crm_joint_row row[6];
    crm_joint_rows(joint, &pose, residual, row);
    for (loop_ways ways = start_ways(c, joint); pass_link(c, &ways);) {
        int end = ways.side == 0 ? joint->a.body : joint->b.body;
        crm_vec6 column[6];
        columns_of(c, ways.link, column);
        carom_vec3 arm = crm_sub(c->motions[end].x, c->motions[c->graph->link[ways.link].body].x);
        for (int k = 0; k < c->graph->link[ways.link].free; k++) {
            bool linear_column = crm_length(column[k].angular) == 0.0;
            crm_vec6 motion = crm_motion_shift(column[k], arm);
            double *out = matrix + (ptrdiff_t)row_begin * height + c->column_of[ways.link] + k;
            for (int r = 0; r < joint->rows; r++)
                out[(ptrdiff_t)r * height] = entry(c, r < joint->linear->blocked, linear_column,
                                                   crm_vec6_dot(ways.side == 0 ? row[r].a : row[r].b, motion));
        }
    }
}

static carom_status no_memory(const counting *c, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the rank of %d closing joints", c->graph->closing_count);
}

// The closing joint that a row of a cluster belongs to.
static int joint_of_row(const counting *c, int cluster, int row) {
    int loop = c->first_loop[cluster];
    while (row >= c->model->joints.items[c->graph->closing[loop]].rows) {
        row -= c->model->joints.items[c->graph->closing[loop]].rows;
        loop = c->next_loop[loop];
    }
    return c->graph->closing[loop];
}

static void note_weakest(counting *c, int cluster, const crm_qr *qr, int rank) {
    if (rank < 2) return;
    double share = fabs(qr->a[(ptrdiff_t)(rank - 1) * qr->lda + rank - 1]) / fabs(qr->a[0]);
    if (share >= c->weakest) return;
    c->weakest = share;
    c->weakest_joint = joint_of_row(c, cluster, qr->pivots[rank - 1]);
}

// Rank of one cluster.
static carom_status count_cluster(counting *c, int cluster, int *rank, carom_error *error) {
    int rows = c->rows[cluster], height = c->columns[cluster], begin = 0, least = rows < height ? rows : height;
    crm_mark mark = crm_arena_mark(c->arena);
    crm_qr qr = {.rows = height, .cols = rows, .lda = height};
    qr.a = CRM_ARENA_ZEROED(c->arena, double, (ptrdiff_t)rows *height);
    qr.tau = CRM_ARENA_ARRAY(c->arena, double, least);
    qr.row_tau = CRM_ARENA_ARRAY(c->arena, double, least);
    qr.pivots = CRM_ARENA_ARRAY(c->arena, int, rows);
    double *work = CRM_ARENA_ARRAY(c->arena, double, 2 * (ptrdiff_t)rows);
    if (crm_arena_refused(c->arena)) return no_memory(c, error);
    for (int i = c->first_loop[cluster]; i >= 0; i = c->next_loop[i]) {
        const crm_joint *joint = &c->model->joints.items[c->graph->closing[i]];
        fill_rows(c, joint, begin, height, qr.a);
        begin += joint->rows;
    }
    *rank = crm_qr_factor(&qr, rank_tolerance, work).rank;
    note_weakest(c, cluster, &qr, *rank);
    crm_arena_release(c->arena, mark);
    return CAROM_OK;
}

static carom_status count_all(counting *c, int *redundant, carom_error *error) {
    const crm_joint_graph *graph = c->graph;
    int links = graph->link_count;
    int *some_link = CRM_ARENA_ARRAY(c->arena, int, graph->closing_count);
    c->next_loop = CRM_ARENA_ARRAY(c->arena, int, graph->closing_count);
    c->first_loop = CRM_ARENA_ARRAY(c->arena, int, links);
    c->leader = CRM_ARENA_ARRAY(c->arena, int, links);
    c->column_of = CRM_ARENA_ARRAY(c->arena, int, links);
    c->columns = CRM_ARENA_ZEROED(c->arena, int, links);
    c->rows = CRM_ARENA_ZEROED(c->arena, int, links);
    if (crm_arena_refused(c->arena)) return no_memory(c, error);
    for (int l = 0; l < links; l++) c->leader[l] = l;
    for (int i = 0; i < graph->closing_count; i++)
        some_link[i] = join_loop(c, &c->model->joints.items[graph->closing[i]]);
    for (int l = 0; l < links; l++) {
        c->first_loop[l] = -1;
        int cluster = leader_of(c->leader, l);
        c->column_of[l] = c->columns[cluster];
        c->columns[cluster] += graph->link[l].free;
    }
    *redundant = 0;
    for (int i = 0; i < graph->closing_count; i++) {
        int rows = c->model->joints.items[graph->closing[i]].rows;
        int cluster = leader_of(c->leader, some_link[i]);
        *redundant += rows;
        c->rows[cluster] += rows;
        c->next_loop[i] = c->first_loop[cluster];
        c->first_loop[cluster] = i;
    }
    for (int l = 0; l < links; l++) {
        if (c->rows[l] == 0 || c->columns[l] == 0) continue; // bodies without freedom leave rank 0
        if ((double)c->rows[l] * c->rows[l] * c->columns[l] > most_work) {
            *redundant = -1;
            return CAROM_OK;
        }
        int rank = 0;
        carom_status status = count_cluster(c, l, &rank, error);
        if (status != CAROM_OK) return status;
        *redundant -= rank;
    }
    return CAROM_OK;
}

carom_status crm_joint_redundant_rows(const carom_model *model, const crm_motion *motions, double size, int *redundant,
                                      carom_error *error) {
    *redundant = 0;
    if (model->graph.closing_count == 0) return CAROM_OK;
    crm_arena arena;
    crm_arena_init(&arena, &model->allocator);
    counting c = {.model = model, .motions = motions, .graph = &model->graph, .size = size, .arena = &arena};
    carom_status status = count_all(&c, redundant, error);
    crm_arena_free(&arena);
    return status;
}

int crm_joint_at_dead_point(const carom_model *model, const crm_motion *motions, double size) {
    if (model->graph.closing_count == 0) return -1;
    crm_arena arena;
    crm_arena_init(&arena, &model->allocator);
    counting c = {.model = model,
                  .motions = motions,
                  .graph = &model->graph,
                  .size = size,
                  .arena = &arena,
                  .weakest = dead_share,
                  .weakest_joint = -1};
    int redundant;
    (void)count_all(&c, &redundant, NULL);
    crm_arena_free(&arena);
    return c.weakest_joint;
}
