// SPDX-License-Identifier: MIT
// Feature contacts against the enumeration of all pairs of features, and the laws that they obey.
#include <stdio.h>
#include <string.h>

#include "math/quat.h"
#include "reference/polytope/feature_enumeration.h"
#include "support/geometry/feature_cases.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"
#include "support/harness/small_compare.h"

// ---- against the enumeration

static void read_solid(const carom_view *view, solid *out) {
    const carom_shape *shape = view->shape;
    const carom_quat q = view->pose.attitude;
    wide_rotation rotation = wide_rotation_of((double[]){q.w, q.x, q.y, q.z});
    wide3 x = {view->pose.position.x, view->pose.position.y, view->pose.position.z};
    carom_vec3 c = carom_shape_centre(shape);
    out->centre = wide3_add(x, wide_rotate(rotation, (wide3){c.x, c.y, c.z}));
    out->vertex_count = carom_shape_vertex_count(shape);
    out->facet_count = carom_shape_facet_count(shape);
    out->edge_count = carom_shape_edge_count(shape);
    CHECK(out->vertex_count <= SOLID_VERTICES_MAX && out->facet_count <= SOLID_FACETS_MAX &&
          out->edge_count <= SOLID_EDGES_MAX);
    for (int i = 0; i < out->vertex_count; i++) {
        carom_vec3 v = carom_shape_vertices(shape)[i];
        out->vertex[i] = wide3_add(x, wide_rotate(rotation, (wide3){v.x, v.y, v.z}));
    }
    out->ring_start[0] = 0;
    for (int i = 0; i < out->facet_count; i++) {
        carom_facet facet;
        carom_shape_get_facet(shape, i, &facet, NULL);
        memcpy(out->ring + out->ring_start[i], facet.vertices, (size_t)facet.vertex_count * sizeof(int));
        out->ring_start[i + 1] = out->ring_start[i] + facet.vertex_count;
    }
    for (int i = 0; i < out->edge_count; i++) {
        carom_edge edge;
        carom_shape_get_edge(shape, i, &edge, NULL);
        memcpy(out->edge[i], edge.vertices, sizeof edge.vertices);
    }
}

static double wide_gap(carom_vec3 a, wide3 b) {
    return (double)wide3_norm(wide3_sub((wide3){a.x, a.y, a.z}, b));
}

static bool same_as_enumerated(const carom_view *a, const carom_view *b, const carom_feature_options *options,
                               int *kinds) {
    static solid solid_a, solid_b;
    static solid_feature wanted[SOLID_FEATURES_MAX];
    static found_features found;
    read_solid(a, &solid_a);
    read_solid(b, &solid_b);
    solid_rules rules = {options->gap_tolerance, options->margin, options->least_sine};
    int count = enumerate_features(&solid_a, &solid_b, &rules, wanted, NULL);
    find_all_features(a, b, options, &found);
    bool same = CHECK_INT(found.count, count);
    for (int i = 0; same && i < count; i++) {
        const carom_feature_contact *f = &found.feature[i];
        const solid_feature *w = &wanted[i];
        kinds[f->kind]++;
        same = CHECK_INT(f->kind, w->kind) && CHECK_INT(f->feature_a, w->a) && CHECK_INT(f->feature_b, w->b);
        // Edges cross at no less than the least sine.
        double loss = f->kind == CAROM_FEATURE_CONTACT_EDGES ? 1.0 / options->least_sine : 1.0;
        same = same && CHECK_NEAR(f->gap, (double)w->gap, 1e-14 * loss) &&
               CHECK_NEAR(wide_gap(f->normal, w->normal), 0.0, 1e-14 * loss) &&
               CHECK_NEAR(wide_gap(f->point_a, w->point_a), 0.0, 1e-14 * loss) &&
               CHECK_NEAR(wide_gap(f->point_b, w->point_b), 0.0, 1e-14 * loss) &&
               CHECK_NEAR(f->rho * crm_distance(a->pose.position, b->pose.position),
                          (double)w->rho * crm_distance(a->pose.position, b->pose.position), 1e-10);
    }
    return same;
}

static void check_against_enumeration(int pairs, int most, uint64_t seed) {
    sampler s = {.seed = seed};
    int kinds[3] = {0, 0, 0};
    for (int i = 0; i < pairs; i++) {
        carom_shape *shape_a = random_solid(&s, most), *shape_b = random_solid(&s, most);
        carom_view a = carom_view_of(shape_a, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_view b = carom_view_of(shape_b, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        static const double values[] = {0.0, 1e-9, -1e-9, 1e-4, -1e-4, 0.02, -0.02, 0.3, -0.2};
        static const double tolerances[] = {0.0, 1e-6, 1e-3, 0.03, 0.3}, margins[] = {0.0, 1e-3, 0.05};
        for (int j = 0; j < 4; j++) {
            carom_view near = brought_to(&a, &b, values[crm_random_below(&s, 9)]);
            carom_feature_options options =
                features_within(tolerances[crm_random_below(&s, 5)], margins[crm_random_below(&s, 3)]);
            if (!same_as_enumerated(&a, &near, &options, kinds)) fprintf(stderr, "pair %d, try %d\n", i, j);
        }
        carom_shape_destroy(shape_a);
        carom_shape_destroy(shape_b);
    }
    CHECK(kinds[0] > pairs / 2 && kinds[1] > pairs / 2 && kinds[2] > pairs / 2);
}

TEST(random_poses_agree_with_the_enumeration) {
    check_against_enumeration(150, 12, 74);
}

TEST(many_random_poses_agree_with_the_enumeration) {
    check_against_enumeration(2500, 20, 75);
}

// Solids on a grid, rotated by multiples of 15 degrees about the vertical: faces on faces, outlines that share lines
// and corners, edges through corners, some slightly tilted.
static void check_degenerate_against_enumeration(int pairs, uint64_t seed) {
    sampler s = {.seed = seed};
    int kinds[3] = {0, 0, 0};
    for (int i = 0; i < pairs; i++) {
        carom_shape *shapes[2];
        for (int j = 0; j < 2; j++) {
            int sides = 3 + (int)crm_random_below(&s, 4);
            double width = 0.5 + 0.25 * (double)crm_random_below(&s, 4);
            shapes[j] = crm_random_below(&s, 3) == 0   ? named_polytope(CAROM_POLYTOPE_PRISM, sides, width, 1.0)
                        : crm_random_below(&s, 2) == 0 ? named_polytope(CAROM_POLYTOPE_TETRAHEDRON, 0, width, 0.0)
                                                       : box_of(width, 0.5, 1.0);
        }
        carom_quat rotations[2];
        for (int j = 0; j < 2; j++) {
            carom_quat about_x = rotation_about(1.0, 0.0, 0.0, 45.0 * (double)crm_random_below(&s, 3));
            rotations[j] =
                crm_quat_mul(rotation_about(0.0, 0.0, 1.0, 15.0 * (double)crm_random_below(&s, 12)), about_x);
        }
        if (i % 5 == 0) rotations[1] = crm_quat_mul(rotation_about(1.0, 0.0, 0.0, 1e-4), rotations[1]);
        double x = 0.25 * (double)crm_random_below(&s, 5) - 0.5, y = 0.25 * (double)crm_random_below(&s, 5) - 0.5;
        carom_view a = view_at(shapes[0], 0.0, 0.0, 0.0, rotations[0]), b = view_at(shapes[1], x, y, 2.0, rotations[1]);
        // Lowered, so that the outlines stay where they were put.
        b = lowered_onto(&a, &b);
        carom_quat rotation = i % 2 ? sample_attitude(&s) : no_rotation;
        carom_view moved_a = moved_view(a, rotation, crm_vec3_zero()),
                   moved_b = moved_view(b, rotation, crm_vec3_zero());
        carom_feature_options options = features_within(i % 3 == 0 ? 0.01 : 0.0, 0.0);
        if (!same_as_enumerated(&moved_a, &moved_b, &options, kinds)) fprintf(stderr, "stack %d\n", i);
        carom_shape_destroy(shapes[0]);
        carom_shape_destroy(shapes[1]);
    }
    CHECK(kinds[0] > pairs / 4 && kinds[1] > pairs / 4 && kinds[2] > pairs / 4);
}

TEST(degenerate_stacks_agree_with_the_enumeration) {
    check_degenerate_against_enumeration(400, 76);
}

TEST(many_degenerate_stacks_agree_with_the_enumeration) {
    check_degenerate_against_enumeration(8000, 77);
}

// ---- laws

static void check_theorem(const carom_view *a, const carom_view *b, const carom_feature_options *options) {
    carom_ray_witness ray;
    carom_ray_find(a, b, NULL, NULL, &ray, NULL);
    found_features found;
    find_all_features(a, b, options, &found);
    double largest = -INFINITY;
    for (int i = 0; i < found.count; i++) largest = fmax(largest, found.feature[i].rho);
    CHECK_NEAR(largest, ray.rho, 1e-12);
}

// docs/math.md 5.1: rho is the largest component function of all feature contacts. Those found without a tolerance have
// it, and there is always one: where bodies touch, in the outlines themselves; anywhere else, when outlines do not
// matter.
TEST(rho_is_the_largest_of_the_active_features) {
    sampler s = {.seed = 78};
    for (int i = 0; i < 3000; i++) {
        carom_shape *shape_a = random_solid(&s, 20), *shape_b = random_solid(&s, 20);
        carom_view a = carom_view_of(shape_a, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_view b = carom_view_of(shape_b, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_feature_options exact = features_within(0.0, 0.0), anywhere = features_within(0.0, INFINITY);
        check_theorem(&a, &b, &anywhere);
        carom_view touching = brought_to(&a, &b, 0.0);
        check_theorem(&a, &touching, &exact);
        carom_shape_destroy(shape_a);
        carom_shape_destroy(shape_b);
    }
}

static const carom_feature_contact *find_like(const found_features *found, carom_feature_contact_kind kind,
                                              int feature_a, int feature_b) {
    for (int i = 0; i < found->count; i++)
        if (found->feature[i].kind == kind && found->feature[i].feature_a == feature_a &&
            found->feature[i].feature_b == feature_b)
            return &found->feature[i];
    return NULL;
}

TEST(swap_and_motion_change_nothing) {
    sampler s = {.seed = 79};
    static const carom_feature_contact_kind exchanged[] = {CAROM_FEATURE_CONTACT_CORNER_B,
                                                           CAROM_FEATURE_CONTACT_CORNER_A, CAROM_FEATURE_CONTACT_EDGES};
    int features = 0;
    for (int i = 0; i < 2000; i++) {
        carom_shape *shape_a = random_solid(&s, 20), *shape_b = random_solid(&s, 20);
        carom_view a = carom_view_of(shape_a, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_view b = carom_view_of(shape_b, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        b = brought_to(&a, &b, i % 2 ? 0.0 : -0.01);
        carom_feature_options options = features_within(0.03, i % 3 ? 0.0 : 0.02);
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 1.0);
        carom_view moved_a = moved_view(a, rotation, shift), moved_b = moved_view(b, rotation, shift);
        found_features found, swapped, elsewhere;
        find_all_features(&a, &b, &options, &found);
        find_all_features(&b, &a, &options, &swapped);
        find_all_features(&moved_a, &moved_b, &options, &elsewhere);
        CHECK_INT(swapped.count, found.count);
        CHECK_INT(elsewhere.count, found.count);
        features += found.count;
        for (int j = 0; j < found.count; j++) {
            const carom_feature_contact *e = &found.feature[j];
            // Edges cross at more than 1e-2 in nearly all pairs, and lose no more than that.
            double allowed = e->kind == CAROM_FEATURE_CONTACT_EDGES ? 1e-11 : 1e-13;
            const carom_feature_contact *t = find_like(&swapped, exchanged[e->kind], e->feature_b, e->feature_a);
            const carom_feature_contact *m = find_like(&elsewhere, e->kind, e->feature_a, e->feature_b);
            if (!CHECK(t != NULL) || !CHECK(m != NULL)) continue;
            CHECK_NEAR(t->gap, e->gap, allowed);
            CHECK_NEAR(vec3_gap(t->normal, crm_negate(e->normal)), 0.0, allowed);
            CHECK_NEAR(vec3_gap(t->point_a, e->point_b), 0.0, allowed);
            CHECK_NEAR(vec3_gap(t->point_b, e->point_a), 0.0, allowed);
            CHECK_NEAR(m->gap, e->gap, allowed);
            CHECK_NEAR(vec3_gap(m->normal, crm_quat_rotate(rotation, e->normal)), 0.0, allowed);
            CHECK_NEAR(vec3_gap(m->point_a, crm_add(shift, crm_quat_rotate(rotation, e->point_a))), 0.0, allowed);
        }
        carom_shape_destroy(shape_a);
        carom_shape_destroy(shape_b);
    }
    CHECK(features > 2000);
}

// More features than the sets of near ones hold: nothing is missed.
TEST(polytopes_of_thousands_of_facets_are_searched_completely) {
    sampler s = {.seed = 80};
    static carom_vec3 points[3000];
    for (int i = 0; i < 3000; i++) points[i] = sample_unit(&s);
    carom_shape *large = polytope_of_points(3000, points), *cube = box_of(0.1, 0.1, 0.1);
    CHECK(carom_shape_edge_count(large) > 8000);
    for (int i = 0; i < 30; i++) {
        carom_view a = carom_view_of(large, (carom_pose){{0.0, 0.0, 0.0}, sample_attitude(&s)});
        carom_view b = carom_view_of(cube, (carom_pose){sample_unit(&s), sample_attitude(&s)});
        b = brought_to(&a, &b, 0.0);
        carom_feature_options exact = features_within(0.0, 0.0), deep = features_within(0.01, 0.0);
        check_theorem(&a, &b, &exact);
        found_features found, swapped;
        find_all_features(&a, &b, &deep, &found);
        find_all_features(&b, &a, &deep, &swapped);
        CHECK(found.count > 0);
        CHECK_INT(swapped.count, found.count);
    }
    carom_shape_destroy(large);
    carom_shape_destroy(cube);
}

TEST_MAIN(CASE(random_poses_agree_with_the_enumeration), LONG_CASE(many_random_poses_agree_with_the_enumeration),
          CASE(degenerate_stacks_agree_with_the_enumeration),
          LONG_CASE(many_degenerate_stacks_agree_with_the_enumeration), CASE(rho_is_the_largest_of_the_active_features),
          CASE(swap_and_motion_change_nothing), CASE(polytopes_of_thousands_of_facets_are_searched_completely))
