// SPDX-License-Identifier: MIT
// The scan of given features against references that find the features themselves, and against a linear program.
#include "reference/polytope/feature_scan.h"

#include <string.h>

#include "reference/motion/case_check.h"
#include "reference/polytope/hull.h"
#include "reference/polytope/polytope_cases.h"
#include "reference/polytope/separating_axes.h"
#include "reference/program/ssh_program.h"

enum { FACET_NUMBERS_MAX = 8 * HULL_VERTICES_MAX };

static const double still[4] = {1, 0, 0, 0}, origin[3] = {0, 0, 0};

// The corners of a facet in the order of their angle about its normal, after their number. Returns what follows.
static int *list_facet(const hull *h, const hull_facet *facet, int *out) {
    wide angle[HULL_VERTICES_MAX];
    wide3 u, v, middle = {0, 0, 0};
    int count = 0, *corner = out + 1;
    wide3_tangents(facet->normal, &u, &v);
    for (int i = 0; i < h->vertex_count; i++)
        if (facet->vertices >> i & 1) middle = wide3_add(middle, h->vertex[i]), count++;
    middle = wide3_scale(1.0L / count, middle);
    *out = count;
    count = 0;
    for (int i = 0; i < h->vertex_count; i++) {
        if (!(facet->vertices >> i & 1)) continue;
        wide3 arm = wide3_sub(h->vertex[i], middle);
        wide own = atan2l(wide3_dot(arm, v), wide3_dot(arm, u));
        int place = count++;
        for (; place > 0 && angle[place - 1] > own; place--)
            angle[place] = angle[place - 1], corner[place] = corner[place - 1];
        angle[place] = own, corner[place] = i;
    }
    return corner + count;
}

static int list_facets(const polytope *p, int facets[FACET_NUMBERS_MAX]) {
    hull h;
    CHECK(hull_build(p->count, p->vertices, 1e-9L, &h));
    int *next = facets;
    for (int f = 0; f < h.facet_count; f++) next = list_facet(&h, &h.facet[f], next);
    return h.facet_count;
}

static scan_result scan_of(const polytope *a, const polytope *b) {
    int facets_a[FACET_NUMBERS_MAX], facets_b[FACET_NUMBERS_MAX];
    scan_body body_a, body_b;
    CHECK(scan_body_make(a->count, a->vertices, list_facets(a, facets_a), facets_a, &body_a));
    CHECK(scan_body_make(b->count, b->vertices, list_facets(b, facets_b), facets_b, &body_b));
    scan_result result = scan_measure(&body_a, &body_b);
    scan_body_free(&body_a);
    scan_body_free(&body_b);
    return result;
}

static void check_pair(const polytope *a, const polytope *b, double *worst, int *apart) {
    scan_result r = scan_of(a, b);
    axes_result axes;
    CHECK(separating_axes_distance(a->count, a->vertices, b->count, b->vertices, &axes));
    note_error(worst, fabs(r.distance - axes.distance));
    if (fabs(r.distance) > 1e-3) note_error(worst, 1e-3 * gap3(r.normal, axes.normal));
    *apart += r.distance > 0.0;
    // The program looks from its second body to its first.
    double beta[3], distance;
    static ssh_result ssh;
    CHECK(ssh_mean_direction(b->count, b->vertices, a->count, a->vertices, beta, &distance));
    ssh_program_solve(b->count, b->vertices, a->count, a->vertices, beta, &ssh);
    CHECK_INT(ssh.status, SSH_OPTIMAL);
    note_error(worst, fabs(r.ray - ssh.value));
}

TEST(random_bodies_agree_with_enumeration_and_program) {
    sampler s = {.seed = 11};
    double worst = 0.0;
    int apart = 0;
    for (int i = 0; i < 120; i++) {
        polytope a = sample_polytope(&s, 4 + i % 9, 0.7), b = sample_polytope(&s, 4 + i % 13, 0.7);
        check_pair(&a, &b, &worst, &apart);
    }
    CHECK(apart > 20 && apart < 100);
    CHECK_NEAR(worst, 0.0, 1e-14);
    print_message("%d of 120 apart, worst %.2g\n", apart, worst);
}

TEST(rotated_boxes_agree_with_enumeration_and_program) {
    sampler s = {.seed = 12};
    double worst = 0.0;
    int apart = 0;
    for (int i = 0; i < 120; i++) {
        polytope box = make_box(0, 0, 0, 0.5, 0.3, 0.4), a = box, b = make_box(1.0, 0.1, 0.2, 0.4, 0.4, 0.4);
        carom_quat q = sample_attitude(&s);
        const double rotation[4] = {q.w, q.x, q.y, q.z};
        if (i > 0)
            a = move_polytope(&box, rotation, (wide3){0, 0, 0}, (wide3){0, 0, 0}); // and once with parallel faces
        check_pair(&a, &b, &worst, &apart);
    }
    CHECK(apart > 20 && apart < 100);
    CHECK_NEAR(worst, 0.0, 1e-14);
    print_message("%d of 120 apart, worst %.2g\n", apart, worst);
}

TEST(placing_is_moving) {
    sampler s = {.seed = 13};
    double worst = 0.0;
    for (int i = 0; i < 40; i++) {
        polytope a = sample_polytope(&s, 8, 0.3), b = sample_polytope(&s, 12, 0.3);
        carom_quat q = sample_attitude(&s);
        carom_vec3 p = sample_vec3(&s, 1.0);
        const double rotation[4] = {q.w, q.x, q.y, q.z}, shift[3] = {p.x, p.y, p.z};
        polytope moved = move_polytope(&b, rotation, (wide3){0, 0, 0}, (wide3){p.x, p.y, p.z});
        int facets_a[FACET_NUMBERS_MAX], facets_b[FACET_NUMBERS_MAX];
        scan_body body_a, body_b;
        CHECK(scan_body_make(a.count, a.vertices, list_facets(&a, facets_a), facets_a, &body_a));
        CHECK(scan_body_make(b.count, b.vertices, list_facets(&b, facets_b), facets_b, &body_b));
        scan_body still_a = scan_body_place(&body_a, still, origin),
                  placed_b = scan_body_place(&body_b, rotation, shift);
        scan_result placed = scan_measure(&still_a, &placed_b), direct = scan_of(&a, &moved);
        note_error(&worst, fabs(placed.distance - direct.distance));
        note_error(&worst, fabs(placed.ray - direct.ray));
        scan_body_free(&still_a);
        scan_body_free(&placed_b);
        scan_body_free(&body_a);
        scan_body_free(&body_b);
    }
    CHECK_NEAR(worst, 0.0, 1e-14);
}

TEST(surfaces_that_are_open_or_dented_are_refused) {
    polytope box = make_box(0, 0, 0, 1, 1, 1);
    int facets[FACET_NUMBERS_MAX];
    int count = list_facets(&box, facets);
    scan_body body;
    CHECK(scan_body_make(8, box.vertices, count, facets, &body));
    scan_body_free(&body);
    CHECK(!scan_body_make(8, box.vertices, count - 1, facets, &body));
    scan_body_free(&body);
    int rotated[FACET_NUMBERS_MAX];
    memcpy(rotated, facets, sizeof rotated);
    rotated[1] = facets[4], rotated[2] = facets[3], rotated[3] = facets[2], rotated[4] = facets[1];
    CHECK(!scan_body_make(8, box.vertices, count, rotated, &body));
    scan_body_free(&body);
    box.vertices[0] = 0.5; // a corner pushed inward
    box.vertices[1] = box.vertices[2] = 0.5;
    CHECK(!scan_body_make(8, box.vertices, count, facets, &body));
    scan_body_free(&body);
}

TEST_MAIN(CASE(random_bodies_agree_with_enumeration_and_program),
          CASE(rotated_boxes_agree_with_enumeration_and_program), CASE(placing_is_moving),
          CASE(surfaces_that_are_open_or_dented_are_refused))
