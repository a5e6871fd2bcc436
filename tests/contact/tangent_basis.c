// SPDX-License-Identifier: MIT
#include "contact/tangent_basis.h"

#include <math.h>

#include "math/quat.h"
#include "support/geometry/contact_world.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"

typedef struct pair {
    carom_proxy a, b;
    crm_arena scratch;
} pair;

static carom_shape *unit_ball;

static pair pair_at(carom_quat attitude_a) {
    if (unit_ball == NULL) unit_ball = sphere_of(1.0);
    pair p = {.a = proxy_of(0, place(unit_ball, 0, 0, 0), 0), .b = proxy_of(1, place(unit_ball, 0, 0, 2), 0)};
    p.a.view.pose.attitude = attitude_a;
    crm_arena_init(&p.scratch, NULL);
    return p;
}

static carom_contact contact_along(carom_vec3 normal) {
    return (carom_contact){.normal = normal, .point_a = normal, .point_b = normal};
}

// A former contact, and where the pair was.
typedef struct old_contact {
    carom_contact contact;
    carom_pose pose_a, pose_b;
} old_contact;

// The tangent of a contact with this normal, given the former one.
static carom_vec3 next_tangent(carom_vec3 normal, carom_quat attitude_a, const old_contact *old) {
    pair p = pair_at(attitude_a);
    carom_contact contact = contact_along(normal);
    crm_former former = {0};
    crm_place places[2] = {{.id = 0}, {.id = 1}};
    crm_pair_cache cache = {.places = {places, 2, 2}};
    if (old != NULL) {
        places[0].pose = old->pose_a;
        places[1].pose = old->pose_b;
        former = (crm_former){1, &old->contact, &cache, 0, 0, 1, 1};
    }
    CHECK(crm_take_over(1, &contact, &former, &p.a.view.pose, &p.b.view.pose, 1.0, &p.scratch));
    CHECK(contact.fresh == (old == NULL));
    crm_arena_free(&p.scratch);
    return contact.tangent;
}

static old_contact remembered(carom_vec3 normal, carom_vec3 tangent, carom_quat attitude_a) {
    pair p = pair_at(attitude_a);
    carom_contact contact = contact_along(normal);
    contact.tangent = tangent;
    crm_arena_free(&p.scratch);
    return (old_contact){contact, p.a.view.pose, p.b.view.pose};
}

TEST(tangents_are_unit_and_square) {
    sampler s = {.seed = 81};
    for (int i = 0; i < 2000; i++) {
        carom_vec3 n = sample_unit(&s), m = sample_unit(&s);
        carom_quat q = sample_attitude(&s), r = sample_attitude(&s);
        r.w *= 1.0 + 1e-9; // as much as an attitude may be off
        carom_vec3 t = next_tangent(n, q, NULL);
        old_contact old = remembered(n, t, q);
        carom_vec3 next = next_tangent(m, r, &old);
        CHECK_NEAR(crm_length(t), 1.0, 1e-15);
        CHECK_NEAR(crm_dot(t, n), 0.0, 1e-15);
        CHECK_NEAR(crm_length(next), 1.0, 1e-15);
        if (!CHECK_NEAR(crm_dot(next, m), 0.0, 1e-15)) break;
    }
    carom_shape_destroy(unit_ball);
    unit_ball = NULL;
}

TEST(tangents_rotate_with_the_pair) {
    sampler s = {.seed = 82};
    for (int i = 0; i < 500; i++) {
        carom_vec3 n = sample_unit(&s), m = crm_add(n, sample_vec3(&s, 0.2));
        carom_quat q = sample_attitude(&s), rotation = sample_attitude(&s), both = crm_quat_mul(rotation, q);
        (void)crm_normalise(m, &m);
        // Off the jump of the construction, on which rounding decides.
        if (fabs(crm_quat_rotate_inverse(q, n).z + 0.75) < 1e-6) continue;
        carom_vec3 t = next_tangent(n, q, NULL), u = next_tangent(crm_quat_rotate(rotation, n), both, NULL);
        CHECK(crm_distance(crm_quat_rotate(rotation, t), u) < 1e-13);
        old_contact old = remembered(n, t, q);
        CHECK(crm_distance(crm_quat_rotate(rotation, next_tangent(m, q, &old)),
                           next_tangent(crm_quat_rotate(rotation, m), both, &old)) < 1e-13);
    }
    carom_shape_destroy(unit_ball);
    unit_ball = NULL;
}

// A rotates and the normal wanders: the tangent must follow, in A's axes, by parallel transport. Around a circle of
// latitude that rotates it by the enclosed solid angle 2 pi (1 - cos theta) (Gauss-Bonnet), in the limit of small
// steps, and no step rotates it by more than A and the normal do.
TEST(tangents_move_no_more_than_they_must) {
    const double theta = 0.7, pi = 3.14159265358979323846;
    const int steps = 4000;
    carom_vec3 start = {0}, t = {0}, before = {0}, n = {0};
    carom_quat q = crm_quat_identity();
    old_contact old;
    for (int i = 0; i <= steps; i++) {
        double angle = 2.0 * pi * i / steps;
        carom_quat a = crm_quat_from_axis_angle(crm_vec3(0.36, 0.48, 0.8), 0.3 * sin(angle));
        carom_vec3 m = crm_quat_rotate(a, crm_vec3(sin(theta) * cos(angle), sin(theta) * sin(angle), cos(theta)));
        t = next_tangent(m, a, i == 0 ? NULL : &old);
        if (i == 0) start = t;
        double moved = crm_distance(m, n) + 2.0 * crm_length(crm_sub(crm_quat_vector(a), crm_quat_vector(q)));
        if (i > 0 && !CHECK(crm_distance(t, before) <= 2.0 * moved + 1e-12)) break;
        old = remembered(m, t, a);
        before = t, n = m, q = a;
    }
    double rotated = 2.0 * pi * (1.0 - cos(theta));
    CHECK_NEAR(crm_dot(t, start), cos(rotated), 1e-5);
    carom_shape_destroy(unit_ball);
    unit_ball = NULL;
}

// ---- which is which

static carom_contact old_at(carom_contact_kind kind, int feature, carom_vec3 at, double impulse) {
    return (carom_contact){.kind = kind,
                           .feature_a = feature,
                           .normal = {0, 0, 1},
                           .tangent = {1, 0, 0},
                           .point_a = at,
                           .point_b = at,
                           .impulse = {impulse, 0, 0}};
}

static carom_contact new_at(carom_contact_kind kind, int feature, carom_vec3 at) {
    return (carom_contact){.kind = kind, .feature_a = feature, .normal = {0, 0, 1}, .point_a = at, .point_b = at};
}

TEST(contacts_are_known_by_features_and_then_by_place) {
    pair p = pair_at(crm_quat_identity());
    const carom_contact old[] = {old_at(CAROM_CONTACT_KIND_CORNER_A, 1, crm_vec3(0, 0, 1), 1.0),
                                 old_at(CAROM_CONTACT_KIND_CORNER_A, 4, crm_vec3(0.5, 0, 1), 2.0),
                                 old_at(CAROM_CONTACT_KIND_CORNER_B, 2, crm_vec3(0, 0.5, 1), 3.0)};
    carom_contact contacts[] = {
        new_at(CAROM_CONTACT_KIND_CORNER_A, 1, crm_vec3(0.9, 0, 1)),  // the first one, wherever it is now
        new_at(CAROM_CONTACT_KIND_CORNER_A, 2, crm_vec3(0, 0, 1)),    // that one's place, but it is taken
        new_at(CAROM_CONTACT_KIND_EDGES, 0, crm_vec3(0.5, 1e-3, 1)),  // the second one under another name
        new_at(CAROM_CONTACT_KIND_EDGES, 1, crm_vec3(0.5, -1e-3, 1)), // as near, but later
        new_at(CAROM_CONTACT_KIND_EDGES, 2, crm_vec3(0.1, 0.5, 1)),   // too far from the third one
    };
    crm_place places[2] = {{.pose = p.a.view.pose, .id = 0}, {.pose = p.b.view.pose, .id = 1}};
    crm_pair_cache cache = {.places = {places, 2, 2}};
    crm_former former = {3, old, &cache, 0, 0, 1, 1};
    CHECK(crm_take_over(5, contacts, &former, &p.a.view.pose, &p.b.view.pose, 1.0, &p.scratch));
    const double wanted[] = {1.0, 0.0, 2.0, 0.0, 0.0};
    for (int i = 0; i < 5; i++) {
        CHECK_NEAR(contacts[i].impulse[0], wanted[i], 0.0);
        CHECK(contacts[i].fresh == (wanted[i] == 0.0));
    }
    crm_arena_free(&p.scratch);
    carom_shape_destroy(unit_ball);
    unit_ball = NULL;
}

// A box slides over an internal edge of its floor: its four corners change their parts one by one, and none is ever
// fresh.
TEST(impulses_survive_internal_edges) {
    const box_part tiles[] = {{{1, 1, 0.5}, {-0.5, 0, -0.25}}, {{1, 1, 0.5}, {0.5, 0, -0.25}}};
    carom_shape *floor = compound_of_boxes(2, tiles), *box = box_of(0.4, 0.3, 0.2);
    carom_contact_set *set = contact_set_of(NULL);
    for (int step = 0; step <= 100; step++) {
        carom_proxy proxies[] = {proxy_of(0, place(floor, 0, 0, 0), 0),
                                 proxy_of(1, place(box, -0.5 + 0.01 * step, 0.013, 0.1), 0.01)};
        proxies[0].fixed = true;
        update_contacts(set, 2, proxies, NULL);
        int count;
        const carom_contact *list = carom_contact_set_list(set, &count);
        CHECK_INT(count, 4);
        double impulses[12] = {0};
        for (int i = 0; i < count && i < 4; i++) {
            // Corners are told by where they are on the box; each has its own impulse.
            double own =
                (list[i].point_b.x > -0.5 + 0.01 * step ? 2.0 : 1.0) + (list[i].point_b.y > 0.013 ? 10.0 : 0.0);
            CHECK(list[i].fresh == (step == 0));
            if (step > 0) CHECK_NEAR(list[i].impulse[0], own, 0.0);
            impulses[3 * i] = own;
        }
        carom_contact_set_store(set, impulses);
    }
    carom_contact_set_destroy(set);
    carom_shape_destroy(floor);
    carom_shape_destroy(box);
}

TEST_MAIN(CASE(tangents_are_unit_and_square), CASE(tangents_rotate_with_the_pair),
          CASE(tangents_move_no_more_than_they_must), CASE(contacts_are_known_by_features_and_then_by_place),
          CASE(impulses_survive_internal_edges))
