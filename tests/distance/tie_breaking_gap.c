// SPDX-License-Identifier: MIT
// Ties of gaps: of nearest points that are not unique, those in the middle, against closed forms.
#include "distance/measure.h"
#include "math/quat.h"
#include "reference/motion/case_check.h"
#include "support/geometry/polytopes.h"

// A stands upright at the origin.
typedef struct gap_case {
    const char *name;
    const carom_shape *a, *b;
    carom_pose pose_b;
    carom_vec3 normal;
    carom_touch start_a, start_b; // some nearest points
    carom_vec3 point_a, point_b;  // wanted
    int count_a, count_b;         // vertices with weight
    bool points_unique;
} gap_case;

static carom_shape *box_of(double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size = crm_vec3(x, y, z);
    carom_shape *shape = NULL;
    CHECK_INT(carom_shape_create(&def, NULL, &shape, NULL), CAROM_OK);
    return shape;
}

static carom_shape *capsule_of(double radius, double length) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    def.capsule = (carom_capsule_def){radius, length};
    carom_shape *shape = NULL;
    CHECK_INT(carom_shape_create(&def, NULL, &shape, NULL), CAROM_OK);
    return shape;
}

// The whole is rotated and shifted at random.
static void check_gap(const gap_case *c, sampler *s) {
    carom_quat rotation = sample_attitude(s);
    carom_vec3 place = sample_vec3(s, 2.0);
    carom_view a = carom_view_of(c->a, (carom_pose){place, rotation});
    carom_pose pose_b = {crm_add(place, crm_quat_rotate(rotation, c->pose_b.position)),
                         crm_quat_mul(rotation, c->pose_b.attitude)};
    carom_view b = carom_view_of(c->b, pose_b);
    crm_side side_a, side_b;
    crm_side_of(&a, 0, CRM_FROM_INSIDE, &side_a);
    crm_side_of(&b, 0, CRM_FROM_INSIDE, &side_b);
    carom_gap_witness gap = {.normal = crm_quat_rotate(rotation, c->normal), .a = c->start_a, .b = c->start_b};
    crm_break_gap_ties(&side_a, &side_b, &gap);
    if (!c->points_unique || gap.a.vertex_count != c->start_a.vertex_count) {
        carom_vec3 wanted_a = crm_add(place, crm_quat_rotate(rotation, c->point_a));
        carom_vec3 wanted_b = crm_add(place, crm_quat_rotate(rotation, c->point_b));
        check_error(c->name, "point A", crm_distance(gap.point_a, wanted_a), 1e-13);
        check_error(c->name, "point B", crm_distance(gap.point_b, wanted_b), 1e-13);
    }
    if (gap.points_unique != c->points_unique) check_error(c->name, "points_unique", 1.0, 0.0);
    CHECK_INT(gap.a.vertex_count, c->count_a);
    CHECK_INT(gap.b.vertex_count, c->count_b);
}

static carom_touch one_vertex(int vertex) {
    return (carom_touch){.vertex_count = 1, .vertices = {vertex}, .weights = {1.0}};
}

static carom_touch two_vertices(int first, int second) {
    return (carom_touch){.vertex_count = 2, .vertices = {first, second}, .weights = {0.5, 0.5}};
}

// Corners of a box are numbered by bits: x, y, z.
TEST(tied_gaps_lie_in_the_middle) {
    sampler s = {.seed = 90};
    const double h = sqrt(0.5);
    const carom_quat still = {1, 0, 0, 0}, lying = {h, 0, h, 0};
    const carom_vec3 up = {0, 0, 1}, aside = {1, 0, 0};
    carom_shape *box = box_of(2, 2, 2), *plank = box_of(4, 2, 2), *capsule = capsule_of(0.5, 2.0);
    // A box on its lowest corner, which stands over the middle of the other one.
    const carom_quat tip = crm_quat_mul((carom_quat){cos(0.3), 0, sin(0.3), 0}, (carom_quat){cos(0.2), sin(0.2), 0, 0});
    int lowest = 0;
    for (int v = 1; v < 8; v++)
        if (crm_quat_rotate(tip, carom_shape_vertices(box)[v]).z <
            crm_quat_rotate(tip, carom_shape_vertices(box)[lowest]).z)
            lowest = v;
    carom_vec3 over = crm_sub(crm_vec3(0, 0, 1.5), crm_quat_rotate(tip, carom_shape_vertices(box)[lowest]));
    const gap_case cases[] = {
        {"face on face",
         box,
         box,
         {{0, 0, 2.5}, still},
         up,
         one_vertex(7),
         one_vertex(3),
         {0, 0, 1},
         {0, 0, 1.5},
         4,
         4,
         false},
        // By the symmetry of the whole, the middle of what the planks share.
        {"shifted planks",
         plank,
         plank,
         {{2, 0, 2.5}, still},
         up,
         two_vertices(5, 7),
         two_vertices(0, 3),
         {1, 0, 1},
         {1, 0, 1.5},
         4,
         4,
         false},
        {"capsule on face",
         box,
         capsule,
         {{0, 0, 2}, lying},
         up,
         two_vertices(5, 7),
         one_vertex(1),
         {0, 0, 1},
         {0, 0, 1.5},
         4,
         2,
         false},
        {"capsules side by side",
         capsule,
         capsule,
         {{2, 0, 1}, still},
         aside,
         one_vertex(1),
         two_vertices(0, 1),
         {0.5, 0, 0.5},
         {1.5, 0, 0.5},
         2,
         2,
         false},
        {"capsules end to end",
         capsule,
         capsule,
         {{0, 0, 4}, still},
         up,
         one_vertex(1),
         one_vertex(0),
         {0, 0, 1.5},
         {0, 0, 2.5},
         1,
         1,
         true},
        // The weights on the face are many, the points are not.
        {"corner on face",
         box,
         box,
         {over, tip},
         up,
         two_vertices(4, 7),
         one_vertex(lowest),
         {0, 0, 1},
         {0, 0, 1.5},
         4,
         1,
         true},
        // Corner above corner, faces level: no other corner can help.
        {"corner on corner",
         box,
         box,
         {{2, 2, 2.5}, still},
         up,
         one_vertex(7),
         one_vertex(0),
         {1, 1, 1},
         {1, 1, 1.5},
         1,
         1,
         true},
        {"edge on edge",
         box,
         box,
         {{2, 0, 2.5}, still},
         up,
         one_vertex(7),
         one_vertex(2),
         {1, 0, 1},
         {1, 0, 1.5},
         2,
         2,
         false},
    };
    for (int i = 0; i < 20; i++)
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) check_gap(&cases[k], &s);
    carom_shape_destroy(box);
    carom_shape_destroy(plank);
    carom_shape_destroy(capsule);
}

TEST_MAIN(CASE(tied_gaps_lie_in_the_middle))
