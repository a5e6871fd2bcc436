// SPDX-License-Identifier: MIT
// Poses of all bodies at all nodes: through what is known of them at nodes and way points, with constant twists in
// between, or at rest there (straight), or as they are given.
#include <math.h>

#include "base/fail.h"
#include "control/guess/guess.h"
#include "control/rows/plan_pieces.h"
#include "math/so3.h"
#include "model/mechanism/assemble.h"

typedef struct point {
    double share; // of the time
    carom_vec3 x; // of the body's origin
    carom_quat q; // principal axes to world
} point;

// Of one body, positions and attitudes for themselves, ascending.
typedef struct known {
    int count;
    point *at;
} known;

typedef struct making {
    const crm_draft *draft;
    crm_path *path;
    known positions, attitudes; // scratch
    bool *made;                 // (body_count)
} making;

static void insert(known *list, point p) {
    int i = list->count;
    while (i > 0 && list->at[i - 1].share > p.share) {
        list->at[i] = list->at[i - 1];
        i--;
    }
    // What is asked of a node counts more than a way point there, and comes first.
    if (i > 0 && list->at[i - 1].share == p.share) {
        for (; i < list->count; i++) list->at[i] = list->at[i + 1];
        return;
    }
    list->at[i] = p;
    list->count++;
}

// From one known point to the next; a straight way begins and ends at rest.
static double eased(const crm_draft *draft, double t) {
    return draft->def->guess == CAROM_GUESS_STRAIGHT ? t * t * (3.0 - 2.0 * t) : t;
}

static int piece_of(const known *list, double share) {
    int i = 0;
    while (i + 2 < list->count && list->at[i + 1].share <= share) i++;
    return i;
}

static double place_in(const crm_draft *draft, const known *list, int piece, double share) {
    double from = list->at[piece].share, to = list->at[piece + 1].share;
    return eased(draft, fmin(1.0, fmax(0.0, (share - from) / (to - from))));
}

static carom_quat attitude_at(const crm_draft *draft, const known *list, double share) {
    if (list->count == 1) return list->at[0].q;
    int i = piece_of(list, share);
    carom_quat from = list->at[i].q, to = list->at[i + 1].q;
    carom_vec3 way = crm_so3_log(crm_quat_mul(crm_quat_conjugate(from), to));
    return crm_quat_normalised(crm_quat_mul(from, crm_so3_exp(crm_scale(place_in(draft, list, i, share), way))));
}

static carom_vec3 position_at(const crm_draft *draft, const known *list, double share) {
    if (list->count == 1) return list->at[0].x;
    int i = piece_of(list, share);
    carom_vec3 from = list->at[i].x, way = crm_sub(list->at[i + 1].x, from);
    return crm_madd(from, place_in(draft, list, i, share), way);
}

// The origin of a body whose path is made, at a node.
static carom_vec3 origin_at(const making *m, int node, int body) {
    return crm_motion_to_body_state(crm_draft_body(m->draft, body), crm_path_at(m->path, node, body)).position;
}

static void gather_asked(making *m, int body, int node) {
    const crm_asked *asked = crm_asked_at(m->draft, node, m->draft->slot[body]);
    if (asked == NULL) return;
    point p = {(double)node / m->draft->intervals, asked->x, asked->q};
    if (asked->relative_position || asked->relative_attitude) {
        int other = asked->relative_to;
        carom_quat q = crm_path_at(m->path, node, other)->q;
        carom_quat frame = crm_draft_body(m->draft, other)->frame;
        if (asked->relative_attitude) p.q = crm_quat_mul(q, asked->q);
        if (asked->relative_position)
            p.x = crm_add(origin_at(m, node, other),
                          crm_quat_rotate(crm_quat_mul(q, crm_quat_conjugate(frame)), asked->seen));
    }
    if (asked->position || asked->relative_position) insert(&m->positions, p);
    if (asked->attitude || asked->relative_attitude) insert(&m->attitudes, p);
}

// A body whose place is asked to be in a box goes to the nearest point of it.
static void gather_box(making *m, int body, int node) {
    const crm_asked *asked = crm_asked_at(m->draft, node, m->draft->slot[body]);
    if (asked == NULL || !asked->box || asked->position || asked->relative_position) return;
    double share = (double)node / m->draft->intervals;
    carom_vec3 x = position_at(m->draft, &m->positions, share);
    carom_vec3 from = crm_vec3_zero();
    carom_quat axes = crm_quat_identity();
    if (asked->relative_to >= 0) {
        from = origin_at(m, node, asked->relative_to);
        axes = crm_quat_mul(crm_path_at(m->path, node, asked->relative_to)->q,
                            crm_quat_conjugate(crm_draft_body(m->draft, asked->relative_to)->frame));
    }
    carom_vec3 seen = crm_quat_rotate_inverse(axes, crm_sub(x, from));
    seen = crm_vec3_max(asked->low, crm_vec3_min(asked->high, seen));
    insert(&m->positions, (point){share, crm_add(from, crm_quat_rotate(axes, seen)), crm_quat_identity()});
}

static void gather(making *m, int body) {
    const crm_draft *draft = m->draft;
    const crm_body *b = crm_draft_body(draft, body);
    m->positions.count = m->attitudes.count = 0;
    for (int node = 0; node <= draft->intervals; node++) gather_asked(m, body, node);
    for (int i = 0; draft->def->guess == CAROM_GUESS_WAY_POINTS && i < draft->def->way_point_count; i++) {
        const carom_way_point *w = &draft->def->way_point[i];
        if (w->body.index != body) continue;
        carom_quat q = crm_quat_mul(crm_quat_normalised(w->pose.attitude), b->frame);
        insert(&m->positions, (point){w->share, w->pose.position, q});
        insert(&m->attitudes, (point){w->share, w->pose.position, q});
    }
    const crm_motion *start = &draft->start[body];
    point first = {0.0, crm_motion_to_body_state(b, start).position, start->q};
    if (m->positions.count == 0) insert(&m->positions, first);
    if (m->attitudes.count == 0) insert(&m->attitudes, first);
    for (int node = 0; node <= draft->intervals; node++) gather_box(m, body, node);
}

static void make_body(making *m, int body) {
    const crm_draft *draft = m->draft;
    const crm_body *b = crm_draft_body(draft, body);
    gather(m, body);
    for (int node = 0; node <= draft->intervals; node++) {
        double share = (double)node / draft->intervals;
        crm_motion *pose = crm_path_at(m->path, node, body);
        pose->q = attitude_at(draft, &m->attitudes, share);
        carom_quat axes = crm_quat_mul(pose->q, crm_quat_conjugate(b->frame));
        pose->x = crm_add(position_at(draft, &m->positions, share), crm_quat_rotate(axes, b->centre));
    }
    m->made[body] = true;
}

// Whether all bodies from which this one is seen have their paths.
static bool can_make(const making *m, int body) {
    for (int node = 0; node <= m->draft->intervals; node++) {
        const crm_asked *asked = crm_asked_at(m->draft, node, m->draft->slot[body]);
        if (asked == NULL || asked->relative_to < 0) continue;
        if ((asked->relative_position || asked->relative_attitude || asked->box) && !m->made[asked->relative_to])
            return false;
    }
    return true;
}

static void make_all(making *m) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = 0; b < m->path->bodies; b++) {
            if (m->made[b] || !can_make(m, b)) continue;
            make_body(m, b);
            changed = true;
        }
    }
}

// Poses that joints allow, next to those of the path, wherever that can be had.
static carom_status close_joints(const crm_draft *draft, const crm_path *path, crm_arena *arena, carom_error *error) {
    if (draft->model->joints.count == 0) return CAROM_OK;
    crm_joint_projection *projection = CRM_ARENA_ZEROED(arena, crm_joint_projection, 1);
    crm_motion *moved = CRM_ARENA_ARRAY(arena, crm_motion, path->bodies);
    if (projection == NULL || moved == NULL) return crm_fail_memory(error, "the guess of a plan", sizeof *projection);
    carom_status status = crm_joint_projection_create(draft->model, arena, projection, error);
    for (int node = 0; node < path->nodes && status == CAROM_OK; node++) {
        int iterations;
        for (int b = 0; b < path->bodies; b++) moved[b] = *crm_path_at(path, node, b);
        if (crm_assemble_poses(projection, moved, &iterations, NULL) != CAROM_OK) continue;
        for (int b = 0; b < path->bodies; b++) *crm_path_at(path, node, b) = moved[b];
    }
    return status;
}

void crm_path_resample(const crm_draft *draft, int frame_count, const carom_pose *frame, crm_path *path) {
    for (int node = 0; node < path->nodes; node++) {
        double at = (double)node / (path->nodes - 1) * (frame_count - 1);
        int first = (int)fmin(floor(at), fmax(0.0, frame_count - 2.0));
        double share = at - first;
        for (int b = 0; b < path->bodies; b++) {
            const crm_body *body = crm_draft_body(draft, b);
            const carom_pose *from = &frame[first * path->bodies + b];
            const carom_pose *to = share > 0.0 ? from + path->bodies : from;
            carom_quat axes = crm_quat_normalised(from->attitude);
            carom_vec3 way = crm_so3_log(crm_quat_mul(crm_quat_conjugate(axes), to->attitude));
            if (share > 0.0) axes = crm_quat_normalised(crm_quat_mul(axes, crm_so3_exp(crm_scale(share, way))));
            carom_vec3 x = crm_madd(from->position, share, crm_sub(to->position, from->position));
            crm_motion *pose = crm_path_at(path, node, b);
            pose->x = crm_add(x, crm_quat_rotate(axes, body->centre));
            pose->q = crm_quat_mul(axes, body->frame);
        }
    }
}

carom_status crm_path_create(const crm_draft *draft, crm_arena *arena, crm_path *path, carom_error *error) {
    int nodes = draft->intervals + 1, bodies = draft->model->bodies.count;
    ptrdiff_t most = (ptrdiff_t)nodes + draft->def->way_point_count + 2;
    *path = (crm_path){nodes, bodies, CRM_ARENA_ZEROED(arena, crm_motion, (ptrdiff_t)nodes * bodies)};
    making m = {.draft = draft, .path = path, .made = CRM_ARENA_ZEROED(arena, bool, bodies)};
    m.positions.at = CRM_ARENA_ARRAY(arena, point, most);
    m.attitudes.at = CRM_ARENA_ARRAY(arena, point, most);
    if (crm_arena_refused(arena))
        return crm_fail_memory(error, "the guess of a plan", sizeof(crm_motion) * (size_t)nodes * (size_t)bodies);
    for (int b = 0; b < bodies; b++) {
        m.made[b] = draft->slot[b] < 0;
        for (int node = 0; node < nodes; node++) *crm_path_at(path, node, b) = draft->start[b];
    }
    if (draft->def->guess == CAROM_GUESS_MOTION) {
        crm_path_resample(draft, draft->def->motion_count, draft->def->motion, path);
        return CAROM_OK;
    }
    make_all(&m);
    return close_joints(draft, path, arena, error);
}
