// SPDX-License-Identifier: MIT
#include "reference/polytope/convex_body.h"

#include <stdlib.h>

static wide3 wide_of(carom_vec3 v) {
    return (wide3){v.x, v.y, v.z};
}

static void take_vertices(convex_body *body, int count, const carom_vec3 *points, wide3 position) {
    body->count = count;
    body->vertex = malloc((size_t)count * sizeof *body->vertex);
    if (body->vertex == NULL) abort();
    for (int i = 0; i < count; i++)
        body->vertex[i] = wide3_add(position, wide_rotate(body->rotation, wide_of(points[i])));
}

static void take_shape(convex_body *body, const carom_shape *shape, wide3 position) {
    carom_vec3 ends[2] = {{0, 0, 0}, {0, 0, 0}};
    carom_shape_def def;
    carom_shape_get_def(shape, &def);
    switch (def.kind) {
    case CAROM_SHAPE_SPHERE:
        body->radius = def.sphere.radius;
        take_vertices(body, 1, ends, position);
        break;
    case CAROM_SHAPE_CAPSULE:
        body->radius = def.capsule.radius;
        ends[0].z = -0.5 * def.capsule.length;
        ends[1].z = 0.5 * def.capsule.length;
        take_vertices(body, 2, ends, position);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        body->axes[0] = def.ellipsoid.half_axes.x;
        body->axes[1] = def.ellipsoid.half_axes.y;
        body->axes[2] = def.ellipsoid.half_axes.z;
        take_vertices(body, 1, ends, position);
        break;
    default:
        take_vertices(body, carom_shape_vertex_count(shape), carom_shape_vertices(shape), position);
    }
}

static void look_from(convex_body *body, wide3 centre) {
    body->centre = centre;
    for (int i = 0; i < body->count; i++)
        body->size = fmaxl(body->size, wide3_norm(wide3_sub(body->vertex[i], centre)));
    body->size += body->radius + fmaxl(body->axes[0], fmaxl(body->axes[1], body->axes[2]));
}

convex_body convex_body_at(const carom_shape *shape, wide_rotation rotation, wide3 position) {
    convex_body body = {.rotation = rotation};
    take_shape(&body, shape, position);
    look_from(&body, wide3_add(position, wide_rotate(rotation, wide_of(carom_shape_centre(shape)))));
    return body;
}

convex_body convex_body_of(const carom_view *view) {
    carom_quat q = view->pose.attitude;
    convex_body body = {.rotation = wide_rotation_of((double[]){q.w, q.x, q.y, q.z})};
    wide3 position = wide_of(view->pose.position), local = {0, 0, 0};
    if (view->shape != NULL) {
        take_shape(&body, view->shape, position);
        local = wide_of(carom_shape_centre(view->shape));
    } else {
        take_vertices(&body, view->vertex_count, view->vertices, position);
        for (int i = 0; i < view->vertex_count; i++)
            local = wide3_along(local, 1.0L / view->vertex_count, wide_of(view->vertices[i]));
    }
    if (view->has_centre) local = wide_of(view->centre);
    look_from(&body, wide3_add(position, wide_rotate(body.rotation, local)));
    return body;
}

void convex_body_free(convex_body *body) {
    free(body->vertex);
}

static wide3 stretched(const convex_body *body, wide3 n) {
    wide3 local = wide_rotate_back(body->rotation, n);
    return (wide3){body->axes[0] * local.x, body->axes[1] * local.y, body->axes[2] * local.z};
}

wide convex_body_support(const convex_body *body, wide3 n) {
    wide best = -INFINITY;
    for (int i = 0; i < body->count; i++) best = fmaxl(best, wide3_dot(n, body->vertex[i]));
    return best + body->radius * wide3_norm(n) + wide3_norm(stretched(body, n));
}

wide3 convex_body_round(const convex_body *body, wide3 n) {
    wide3 s = stretched(body, n);
    wide level = wide3_norm(s);
    wide3 round = wide3_scale(body->radius / wide3_norm(n), n);
    if (!(level > 0.0L)) return round;
    wide3 local = {body->axes[0] * s.x / level, body->axes[1] * s.y / level, body->axes[2] * s.z / level};
    return wide3_add(round, wide_rotate(body->rotation, local));
}

wide convex_body_excess(const convex_body *body, const carom_touch *touch, carom_vec3 point) {
    wide3 core = {0, 0, 0};
    wide sum = 0.0L;
    for (int i = 0; i < touch->vertex_count; i++) {
        if (i >= CAROM_TOUCH_VERTICES || touch->vertices[i] < 0 || touch->vertices[i] >= body->count) return INFINITY;
        if (!(touch->weights[i] > 0.0)) return INFINITY;
        if (i > 0 && touch->vertices[i] <= touch->vertices[i - 1]) return INFINITY;
        sum += touch->weights[i];
        core = wide3_along(core, touch->weights[i], body->vertex[touch->vertices[i]]);
    }
    if (fabsl(sum - 1.0L) > 1e-12L) return INFINITY;
    wide3 arm = wide3_sub(wide_of(point), core);
    wide length = wide3_norm(arm);
    if (!(body->axes[0] > 0.0L)) return length - body->radius;
    wide3 local = wide_rotate_back(body->rotation, arm);
    wide level = wide3_norm((wide3){local.x / body->axes[0], local.y / body->axes[1], local.z / body->axes[2]});
    return level > 0.0L ? length * (1.0L - 1.0L / level) : -INFINITY;
}

wide convex_separation(const convex_body *a, const convex_body *b, carom_vec3 n) {
    wide3 d = wide_of(n);
    return -convex_body_support(b, wide3_scale(-1.0L, d)) - convex_body_support(a, d);
}

typedef struct trial {
    wide3 n;
    wide value;
} trial;

static trial trial_at(const convex_body *a, const convex_body *b, wide3 n) {
    n = wide3_unit(n);
    return (trial){n, -convex_body_support(b, wide3_scale(-1.0L, n)) - convex_body_support(a, n)};
}

// Tries around the best in a circle; wider after a success, narrower after a whole circle of failures. The circle
// rotates, because on a ridge few directions lead up.
static trial creep_up(const convex_body *a, const convex_body *b, trial best, wide step) {
    enum { DIRECTIONS = 12, LIMIT = 6000 };
    int failures = 0;
    for (int i = 0; i < LIMIT && step > 1e-12L; i++) {
        wide3 u, v;
        wide3_tangents(best.n, &u, &v);
        wide angle = 2.39996322972865332223L * i;
        trial next = trial_at(a, b, wide3_along(wide3_along(best.n, step * cosl(angle), u), step * sinl(angle), v));
        if (next.value > best.value) {
            best = next;
            step *= 1.3L;
            failures = 0;
        } else if (++failures == DIRECTIONS) {
            step *= 0.5L;
            failures = 0;
        }
    }
    return best;
}

double convex_gap_search(const carom_view *a, const carom_view *b, int samples) {
    enum { KEPT = 12 };
    convex_body body_a = convex_body_of(a), body_b = convex_body_of(b);
    trial kept[KEPT];
    int count = 0;
    for (int i = 0; i < samples; i++) {
        // Spread evenly: the golden angle round the axis, heights in equal steps.
        wide z = 1.0L - (2.0L * i + 1.0L) / samples, angle = 2.39996322972865332223L * i, r = sqrtl(1.0L - z * z);
        trial t = trial_at(&body_a, &body_b, (wide3){r * cosl(angle), r * sinl(angle), z});
        int place = count;
        while (place > 0 && kept[place - 1].value < t.value) place--;
        if (place == KEPT) continue;
        if (count < KEPT) count++;
        for (int k = count - 1; k > place; k--) kept[k] = kept[k - 1];
        kept[place] = t;
    }
    wide best = -INFINITY;
    for (int i = 0; i < count; i++)
        best = fmaxl(best, creep_up(&body_a, &body_b, kept[i], 2.0L / sqrtl(samples)).value);
    convex_body_free(&body_a);
    convex_body_free(&body_b);
    return (double)best;
}

static proof prove(const carom_view *a, const carom_view *b, carom_vec3 n, wide length, double value, carom_vec3 along,
                   carom_vec3 point_a, carom_vec3 point_b, const carom_touch *touch_a, const carom_touch *touch_b) {
    convex_body body_a = convex_body_of(a), body_b = convex_body_of(b);
    wide3 chord = wide3_sub(wide3_sub(wide_of(point_b), wide_of(point_a)), wide3_scale(value, wide_of(along)));
    proof p = {.value = (double)fabsl(value - convex_separation(&body_a, &body_b, n) / length),
               .chord = (double)wide3_norm(chord),
               .a = (double)convex_body_excess(&body_a, touch_a, point_a),
               .b = (double)convex_body_excess(&body_b, touch_b, point_b)};
    convex_body_free(&body_a);
    convex_body_free(&body_b);
    return p;
}

proof prove_ray(const carom_view *a, const carom_view *b, const carom_ray_witness *ray) {
    return prove(a, b, ray->alpha, wide3_dot(wide_of(ray->alpha), wide_of(ray->beta)), ray->value, ray->beta,
                 ray->point_a, ray->point_b, &ray->a, &ray->b);
}

proof prove_gap(const carom_view *a, const carom_view *b, const carom_gap_witness *gap) {
    return prove(a, b, gap->normal, wide3_norm(wide_of(gap->normal)), gap->gap, gap->normal, gap->point_a, gap->point_b,
                 &gap->a, &gap->b);
}

double proof_defect(proof p) {
    double body = p.a > p.b ? p.a : p.b, pair = p.value > p.chord ? p.value : p.chord;
    return pair > body ? pair : body;
}
