// SPDX-License-Identifier: MIT
// Spanning trees by breadth: from the ground first, then from planar bodies, free ones and mass points that the ground
// does not reach, the lowest index first. Of a body's joints those that block most come first, so that trees keep few
// coordinates.
#include "model/mechanism/joint_graph.h"

#include <math.h>

#include "base/fail.h"
#include "base/forest.h"
#include "model/body_groups.h"
#include "model/joint/joint.h"

// Share by which a motion subspace may leave a plane: the rounding of attitudes typed or computed.
static const double plane_tolerance = 1e-9;

enum { GROUND = -1 };

typedef struct search {
    const carom_model *model;
    crm_joint_graph *graph;
    crm_motion *motions; // at the initial poses (body_count)
    int *half_begin;     // joints of each body, those that block most first (body_count + 2): the ground is body_count
    int *half;
} search;

static carom_body_kind kind_of(const search *s, int body) {
    return body < 0 ? CAROM_BODY_FIXED : s->model->bodies.items[body].kind;
}

// The body, or the ground.
static int node_of(const search *s, int body) {
    return kind_of(s, body) == CAROM_BODY_FIXED ? GROUND : body;
}

static bool can_carry(const crm_joint *joint) {
    return joint->rows > 0 && joint->linear != &crm_joint_distance;
}

// The joints of every body, by counting.
static void list_joints(search *s) {
    int bodies = s->model->bodies.count;
    for (int pass = 0; pass < 2; pass++) {
        for (int rows = 6; rows > 0; rows--) {
            for (int j = 0; j < s->model->joints.count; j++) {
                const crm_joint *joint = &s->model->joints.items[j];
                if (joint->rows != rows || !can_carry(joint)) continue;
                const int ends[2] = {node_of(s, joint->a.body), node_of(s, joint->b.body)};
                for (int e = 0; e < 2; e++) {
                    int node = ends[e] == GROUND ? bodies : ends[e];
                    if (pass == 0)
                        s->half_begin[node + 1]++;
                    else
                        s->half[s->half_begin[node]++] = j;
                }
            }
        }
        if (pass == 0)
            for (int b = 0; b <= bodies; b++) s->half_begin[b + 1] += s->half_begin[b];
        else
            for (int b = bodies; b >= 0; b--) s->half_begin[b + 1] = s->half_begin[b];
    }
    s->half_begin[0] = 0;
}

// Whether the child stays in its plane while the parent does.
static bool keeps_plane(const search *s, const crm_joint *joint, bool reversed) {
    crm_joint_pose pose = crm_joint_evaluate(joint, s->motions);
    crm_vec6 column[6];
    crm_joint_motion(joint, &pose, reversed, column);
    for (int k = 0; k < joint->free; k++) {
        double in_plane = fabs(column[k].linear.x) + fabs(column[k].linear.y) + fabs(column[k].angular.z);
        double off = fabs(column[k].linear.z) + fabs(column[k].angular.x) + fabs(column[k].angular.y);
        if (off > plane_tolerance * in_plane) return false;
    }
    return true;
}

static bool may_carry(const search *s, int parent, int child, const crm_joint *joint, bool reversed) {
    switch (kind_of(s, child)) {
    case CAROM_BODY_FREE:
        return kind_of(s, parent) != CAROM_BODY_POINT;
    case CAROM_BODY_PLANAR:
        return (parent == GROUND || kind_of(s, parent) == CAROM_BODY_PLANAR) && keeps_plane(s, joint, reversed);
    default:
        return true;
    }
}

static void add_link(search *s, int body, int parent, int joint, bool reversed) {
    crm_joint_graph *graph = s->graph;
    int free = joint >= 0 ? s->model->joints.items[joint].free : kind_of(s, body) == CAROM_BODY_FREE ? 6 : 3;
    int depth = parent < 0 ? 0 : graph->link[parent].depth + 1;
    graph->link[graph->link_count] = (crm_tree_link){body, parent, joint, reversed, free, graph->free_count, depth};
    graph->link_of_body[body] = graph->link_count++;
    graph->free_count += free;
    if (depth > graph->longest) graph->longest = depth;
    if (joint >= 0) graph->in_tree[joint] = true;
}

// Hangs every body that a node carries and that has no link yet on it.
static void hang_children(search *s, int node, int link) {
    int list = node == GROUND ? s->model->bodies.count : node;
    for (int h = s->half_begin[list]; h < s->half_begin[list + 1]; h++) {
        int j = s->half[h];
        const crm_joint *joint = &s->model->joints.items[j];
        bool reversed = node_of(s, joint->b.body) == node;
        int child = reversed ? node_of(s, joint->a.body) : node_of(s, joint->b.body);
        if (child == GROUND || s->graph->link_of_body[child] >= 0) continue;
        if (may_carry(s, node, child, joint, reversed)) add_link(s, child, link, j, reversed);
    }
}

static void grow(search *s, int first_link) {
    for (int link = first_link; link < s->graph->link_count; link++) hang_children(s, s->graph->link[link].body, link);
}

static void grow_trees(search *s) {
    static const carom_body_kind root_kinds[] = {CAROM_BODY_PLANAR, CAROM_BODY_FREE, CAROM_BODY_POINT};
    hang_children(s, GROUND, -1);
    grow(s, 0);
    for (int k = 0; k < 3; k++) {
        for (int b = 0; b < s->model->bodies.count; b++) {
            if (kind_of(s, b) != root_kinds[k] || s->graph->link_of_body[b] >= 0) continue;
            add_link(s, b, -1, -1, false);
            grow(s, s->graph->link_count - 1);
        }
    }
}

static void list_closing(const carom_model *model, crm_joint_graph *graph) {
    for (int j = 0; j < model->joints.count; j++) {
        graph->first_row[j] = graph->row_count;
        graph->row_count += model->joints.items[j].rows;
        if (graph->in_tree[j] || model->joints.items[j].rows == 0) continue;
        graph->closing[graph->closing_count++] = j;
        graph->closing_rows += model->joints.items[j].rows;
    }
}

// Mechanisms are numbered by their first joints. The arrays are scratch (body_count).
static void list_mechanisms(const carom_model *model, crm_joint_graph *graph, int *forest, int *number) {
    int joints = model->joints.count;
    crm_body_groups_by_joints(model, forest);
    for (int b = 0; b < model->bodies.count; b++) number[b] = -1;
    for (int j = 0; j < joints; j++) {
        const int sides[2] = {model->joints.items[j].a.body, model->joints.items[j].b.body};
        int moves = -1;
        for (int s = 0; s < 2; s++)
            if (sides[s] >= 0 && model->bodies.items[sides[s]].kind != CAROM_BODY_FIXED) moves = sides[s];
        int *own = moves >= 0 ? &number[crm_forest_root(forest, moves)] : NULL;
        graph->mechanism[j] = own != NULL && *own >= 0 ? *own : graph->mechanism_count++;
        if (own != NULL) *own = graph->mechanism[j];
    }
    int *start = graph->mechanism_start;
    for (int k = 0; k <= graph->mechanism_count; k++) start[k] = 0;
    for (int j = 0; j < joints; j++) start[graph->mechanism[j] + 1]++;
    for (int k = 0; k < graph->mechanism_count; k++) start[k + 1] += start[k];
    for (int j = 0; j < joints; j++) graph->mechanism_joint[start[graph->mechanism[j]]++] = j;
    for (int k = graph->mechanism_count; k > 0; k--) start[k] = start[k - 1];
    start[0] = 0;
}

carom_status crm_joint_graph_create(carom_model *model, carom_error *error) {
    int bodies = model->bodies.count, joints = model->joints.count;
    crm_joint_graph graph = {0};
    crm_arena scratch;
    crm_arena_init(&graph.arena, &model->allocator);
    crm_arena_init(&scratch, &model->allocator);
    graph.link = CRM_ARENA_ARRAY(&graph.arena, crm_tree_link, bodies);
    graph.link_of_body = CRM_ARENA_ARRAY(&graph.arena, int, bodies);
    graph.first_row = CRM_ARENA_ARRAY(&graph.arena, int, joints);
    graph.in_tree = CRM_ARENA_ZEROED(&graph.arena, bool, joints);
    graph.closing = CRM_ARENA_ARRAY(&graph.arena, int, joints);
    graph.mechanism = CRM_ARENA_ARRAY(&graph.arena, int, joints);
    graph.mechanism_joint = CRM_ARENA_ARRAY(&graph.arena, int, joints);
    graph.mechanism_start = CRM_ARENA_ARRAY(&graph.arena, int, (ptrdiff_t)joints + 1);
    int *forest = CRM_ARENA_ARRAY(&scratch, int, bodies), *number = CRM_ARENA_ARRAY(&scratch, int, bodies);
    search s = {.model = model, .graph = &graph};
    s.motions = CRM_ARENA_ARRAY(&scratch, crm_motion, bodies);
    s.half_begin = CRM_ARENA_ZEROED(&scratch, int, (ptrdiff_t)bodies + 2);
    s.half = CRM_ARENA_ARRAY(&scratch, int, 2 * (ptrdiff_t)joints);
    bool room = !crm_arena_refused(&graph.arena) && !crm_arena_refused(&scratch);
    if (room) {
        for (int b = 0; b < bodies; b++) {
            graph.link_of_body[b] = -1;
            s.motions[b] = crm_motion_initial(&model->bodies.items[b]);
        }
        list_joints(&s);
        grow_trees(&s);
        list_closing(model, &graph);
        list_mechanisms(model, &graph, forest, number);
        model->graph = graph;
    } else {
        crm_arena_free(&graph.arena);
    }
    crm_arena_free(&scratch);
    return room ? CAROM_OK
                : crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the graph of %d bodies and %d joints", bodies,
                           joints);
}

void crm_joint_graph_free(crm_joint_graph *graph) {
    crm_arena_free(&graph->arena);
    *graph = (crm_joint_graph){0};
}

bool crm_joint_graph_of(const carom_model *model, const bool *bodies, crm_arena *arena, crm_joint_graph *out) {
    const crm_joint_graph *whole = &model->graph;
    *out = *whole;
    out->link_count = out->free_count = 0;
    out->link = CRM_ARENA_ARRAY(arena, crm_tree_link, whole->link_count);
    out->link_of_body = CRM_ARENA_ARRAY(arena, int, model->bodies.count);
    if (crm_arena_refused(arena)) return false;
    for (int b = 0; b < model->bodies.count; b++) out->link_of_body[b] = -1;
    for (int i = 0; i < whole->link_count; i++) {
        crm_tree_link link = whole->link[i];
        if (!bodies[link.body]) continue;
        if (link.parent >= 0) link.parent = out->link_of_body[whole->link[link.parent].body];
        link.first = out->free_count;
        out->free_count += link.free;
        out->link_of_body[link.body] = out->link_count;
        out->link[out->link_count++] = link;
    }
    return true;
}
