// SPDX-License-Identifier: MIT
// Contact between two pieces of meshes: the value of the hyperplane program with beta from the means of the nodes, and
// its gradient by every node. The file's K2 is our A and its K1 our B (docs/math.md 3.1).
#include <math.h>

#include "carom/distance.h"
#include "verify/flex/verify_flex.h"

enum { MOST_NODES = 64 };

typedef struct piece {
    int count;
    const carom_vec3 *nodes;
    carom_vec3 gradient[MOST_NODES];
    double weights[MOST_NODES];
} piece;

typedef struct piece_case {
    crm_reference *reference;
    crm_arena *arena;
    crm_verdict *verdict;
    const crm_case *what;
    const json_t *expected;
    piece k1, k2;
    carom_ray_witness ray;
} piece_case;

static void read_piece(piece_case *c, const json_t *input, const char *key, piece *out) {
    out->nodes = crm_reference_points(c->reference, input, "input", key, c->arena, &out->count);
    if (out->count > MOST_NODES)
        crm_reference_fail(c->reference, "input.%s has %d nodes, at most %d can be checked", key, out->count,
                           MOST_NODES);
}

static void check_weights(piece_case *c, const char *key, const piece *of, double tolerance) {
    int count;
    const double *wanted = crm_reference_numbers(c->reference, c->expected, "expected", key, c->arena, &count);
    double error = count == of->count ? 0.0 : INFINITY;
    for (int i = 0; i < count && count == of->count; i++) error = fmax(error, fabs(of->weights[i] - wanted[i]));
    crm_check_error(c->verdict, error, tolerance, "%s", key);
}

static void check_gradient(piece_case *c, const char *key, const piece *of, double tolerance) {
    int count;
    const carom_vec3 *wanted = crm_reference_points(c->reference, c->expected, "expected", key, c->arena, &count);
    if (count != of->count)
        crm_check_obstacle(c->verdict, tolerance, key, "the number of entries is not that of nodes");
    for (int i = 0; i < count && count == of->count; i++)
        crm_check_vec3(c->verdict, tolerance, key, of->gradient[i], wanted[i]);
}

// Whatever the subgradient: forces along it change neither momentum.
static void check_balance(piece_case *c) {
    static const double most_left = 1e-12;
    carom_vec3 sum = crm_vec3_zero(), torque = crm_vec3_zero();
    const piece *both[2] = {&c->k1, &c->k2};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < both[k]->count; i++) {
            sum = crm_add(sum, both[k]->gradient[i]);
            torque = crm_add(torque, crm_cross(both[k]->nodes[i], both[k]->gradient[i]));
        }
    crm_check_vec3(c->verdict, most_left, "sum of gradients", sum, crm_vec3_zero());
    crm_check_vec3(c->verdict, most_left, "torque of gradients", torque, crm_vec3_zero());
}

static void check_answer(piece_case *c) {
    crm_reference *r = c->reference;
    const json_t *e = c->expected;
    double distance = crm_reference_number(r, e, "expected", "centre_distance");
    double of_value = crm_flex_tolerance(r, c->what, "t") * distance;
    double of_gradient = crm_flex_tolerance(r, c->what, "gradient1, gradient2");
    double of_weights = crm_flex_tolerance(r, c->what, "weights");
    if (r->status != CAROM_OK) return;
    crm_check_error(c->verdict, fabs(c->ray.value - crm_reference_number(r, e, "expected", "t")), of_value, "t");
    crm_check_error(c->verdict, fabs(c->ray.centre_distance - distance), of_value, "centre_distance");
    check_balance(c);
    if (!crm_reference_bool(r, e, "expected", "unique")) return;
    crm_check_vec3(c->verdict, of_weights, "alpha", c->ray.alpha, crm_reference_vec3(r, e, "expected", "alpha"));
    crm_check_vec3(c->verdict, of_weights, "beta", c->ray.beta, crm_reference_vec3(r, e, "expected", "beta"));
    check_weights(c, "weights1", &c->k1, of_weights);
    check_weights(c, "weights2", &c->k2, of_weights);
    check_gradient(c, "gradient1", &c->k1, of_gradient);
    check_gradient(c, "gradient2", &c->k2, of_gradient);
}

void crm_verify_flex_ssh(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    piece_case c = {
        .reference = reference, .arena = &arena, .verdict = verdict, .what = what, .expected = what->expected};
    read_piece(&c, what->input, "K1", &c.k1);
    read_piece(&c, what->input, "K2", &c.k2);
    carom_error error;
    if (reference->status == CAROM_OK) {
        carom_view a = carom_view_of_vertices(c.k2.count, c.k2.nodes),
                   b = carom_view_of_vertices(c.k1.count, c.k1.nodes);
        if (carom_ray_find(&a, &b, NULL, NULL, &c.ray, &error) == CAROM_OK) {
            carom_ray_weights(&a, &b, &c.ray, c.k2.weights, c.k1.weights);
            carom_ray_vertex_gradient(&a, &b, &c.ray, c.k2.gradient, c.k1.gradient);
            check_answer(&c);
        } else {
            crm_check_obstacle(verdict, 1.0, "t", error.text);
        }
    }
    crm_arena_free(&arena);
}
