// SPDX-License-Identifier: MIT
// Optimal weights make the means of both bodies' vertices on the pierced face the same point of it, moved by t beta.
// The extreme ones have no mixture left: a vertex on a vertex, on an edge or in a triangle of vertices of the other
// body, or two edges that cross. (Columns of the program that are linearly independent; docs/math.md 3.6.) Each
// question is one about distances in the face, with the same tolerance, so that their answers do not contradict each
// other.
#include "distance/ties/optimal_weights.h"

typedef struct face_vertex {
    double x, y; // in the face, m
    int number;
} face_vertex;

typedef struct face_vertices {
    int count;
    face_vertex at[CAROM_OPTIMA_VERTICES];
} face_vertices;

typedef struct listing {
    face_vertices side[2];
    double tolerance; // m: nearer than this is on it
    bool full;        // there was one more than fit
    carom_ray_optima *out;
} listing;

static bool take_vertices(const crm_weighting *w, face_vertices *out) {
    int count = 0, seen = 0;
    double x, y;
    for (int v = 0; v < w->side->vertex_count; v++) count += crm_arm_in_face(w, v, &x, &y);
    bool all = count <= CAROM_OPTIMA_VERTICES;
    int64_t taken = all ? count : CAROM_OPTIMA_VERTICES; // 64 bits for the products below
    out->count = 0;
    for (int v = 0; v < w->side->vertex_count; v++) {
        if (!crm_arm_in_face(w, v, &x, &y)) continue;
        if (seen * taken >= (int64_t)out->count * count && out->count < taken)
            out->at[out->count++] = (face_vertex){x, y, v};
        seen++;
    }
    return all;
}

static double distance(face_vertex p, face_vertex q) {
    double x = q.x - p.x, y = q.y - p.y;
    return sqrt(x * x + y * y);
}

static bool coincide(const listing *l, face_vertex p, face_vertex q) {
    return distance(p, q) <= l->tolerance;
}

// Distance of `r` from the line from p to q, positive on its left; zero within the tolerance or where they coincide.
static double left_of(const listing *l, face_vertex p, face_vertex q, face_vertex r) {
    double length = distance(p, q);
    if (!(length > l->tolerance)) return 0.0;
    double off = ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x)) / length;
    return fabs(off) > l->tolerance ? off : 0.0;
}

// Adds the weights of vertices of one side, which has the weights `w`, and of the other. Those of each side ascend.
static void add(listing *l, int side, int count, const face_vertex *p, const double *w, int other_count,
                const face_vertex *q, const double *v) {
    carom_ray_optima *out = l->out;
    if (out->weighting_count == CAROM_OPTIMA_WEIGHTINGS) {
        l->full = true;
        return;
    }
    carom_weighting *to = &out->weightings[out->weighting_count++];
    *to = (carom_weighting){.count_a = side == 0 ? count : other_count, .count_b = side == 0 ? other_count : count};
    for (int k = 0; k < count; k++) {
        (side == 0 ? to->vertices_a : to->vertices_b)[k] = p[k].number;
        (side == 0 ? to->weights_a : to->weights_b)[k] = w[k];
    }
    for (int k = 0; k < other_count; k++) {
        (side == 0 ? to->vertices_b : to->vertices_a)[k] = q[k].number;
        (side == 0 ? to->weights_b : to->weights_a)[k] = v[k];
    }
}

static const double whole[1] = {1.0};

// A vertex `p` of a side strictly between two of the other.
static void try_edge(listing *l, int side, face_vertex p, const face_vertex q[2]) {
    double length = distance(q[0], q[1]);
    if (!(length > l->tolerance) || left_of(l, q[0], q[1], p) != 0.0) return;
    double along = ((q[1].x - q[0].x) * (p.x - q[0].x) + (q[1].y - q[0].y) * (p.y - q[0].y)) / length;
    if (!(along > l->tolerance) || !(along < length - l->tolerance)) return;
    const double v[2] = {1.0 - along / length, along / length};
    add(l, side, 1, &p, whole, 2, q, v);
}

// A vertex `p` of a side strictly inside a triangle of the other.
static void try_triangle(listing *l, int side, face_vertex p, const face_vertex q[3]) {
    double v[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        face_vertex from = q[(k + 1) % 3], to = q[(k + 2) % 3];
        v[k] = left_of(l, from, to, p) * distance(from, to);
        if (v[k] == 0.0 || v[k] * v[0] < 0.0) return;
        sum += v[k];
    }
    for (int k = 0; k < 3; k++) v[k] /= sum;
    add(l, side, 1, &p, whole, 3, q, v);
}

// Two edges that cross, neither of them at an end.
static void try_crossing(listing *l, const face_vertex p[2], const face_vertex q[2]) {
    double p0 = left_of(l, q[0], q[1], p[0]), p1 = left_of(l, q[0], q[1], p[1]);
    double q0 = left_of(l, p[0], p[1], q[0]), q1 = left_of(l, p[0], p[1], q[1]);
    if (!(p0 * p1 < 0.0) || !(q0 * q1 < 0.0)) return;
    const double w[2] = {p1 / (p1 - p0), p0 / (p0 - p1)}, v[2] = {q1 / (q1 - q0), q0 / (q0 - q1)};
    add(l, 0, 2, p, w, 2, q, v);
}

static void try_vertex(listing *l, int side, face_vertex p) {
    const face_vertices *other = &l->side[1 - side];
    for (int i = 0; i < other->count && !l->full; i++) {
        if (side == 0 && coincide(l, p, other->at[i])) add(l, side, 1, &p, whole, 1, &other->at[i], whole);
        for (int j = i + 1; j < other->count; j++) {
            face_vertex q[3] = {other->at[i], other->at[j]};
            try_edge(l, side, p, q);
            for (int k = j + 1; k < other->count; k++) {
                q[2] = other->at[k];
                try_triangle(l, side, p, q);
            }
        }
    }
}

static void try_crossings(listing *l) {
    const face_vertices *a = &l->side[0], *b = &l->side[1];
    for (int i = 0; i < a->count && !l->full; i++)
        for (int j = i + 1; j < a->count; j++)
            for (int m = 0; m < b->count; m++)
                for (int n = m + 1; n < b->count; n++)
                    try_crossing(l, (face_vertex[2]){a->at[i], a->at[j]}, (face_vertex[2]){b->at[m], b->at[n]});
}

void crm_list_weightings(const crm_side *a, const crm_side *b, const crm_pierced_face *face, carom_ray_optima *out) {
    const crm_side *side[2] = {a, b};
    listing l = {.tolerance = face->off_plane[0] + face->off_plane[1], .out = out};
    out->weighting_count = 0;
    out->weightings_all = true;
    for (int k = 0; k < 2; k++) {
        crm_weighting w;
        crm_weighting_begin(side[k], face, k, &w);
        out->weightings_all &= take_vertices(&w, &l.side[k]);
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < l.side[k].count; i++) try_vertex(&l, k, l.side[k].at[i]);
    try_crossings(&l);
    if (l.full) out->weightings_all = false;
}
