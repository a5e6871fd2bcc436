// SPDX-License-Identifier: MIT
// Events of two boxes by their structure, against the list for polytopes and the centre ray, which know nothing of it.
#include <stdio.h>
#include <string.h>

#include "distance/box_events.h"
#include "math/quat.h"
#include "support/check.h"
#include "support/event_cases.h"
#include "support/polytopes.h"

// ---- pairs

enum { SITUATIONS = 12, BOXES = 48 };

typedef struct box_case {
    const carom_shape *shape_a, *shape_b;
    carom_view a, b;
    carom_event_options options;
} box_case;

static double sample_power(sampler *s, double low, double high) {
    return low * pow(high / low, sample_between(s, 0.0, 1.0));
}

// Cubes, blocks, plates.
static void make_boxes(sampler *s, carom_shape *boxes[BOXES]) {
    for (int i = 0; i < BOXES; i++)
        boxes[i] = i % 3 == 0 ? box_of(1.0, 1.0, 1.0)
                   : i % 8 == 1
                       ? box_of(sample_power(s, 1.0, 20.0), sample_power(s, 1.0, 20.0), 0.1)
                       : box_of(sample_between(s, 0.3, 1.0), sample_between(s, 0.3, 1.0), sample_between(s, 0.3, 1.0));
}

static void drop_boxes(carom_shape *boxes[BOXES]) {
    for (int i = 0; i < BOXES; i++) carom_shape_destroy(boxes[i]);
}

static carom_quat small_turn(sampler *s) {
    return crm_quat_from_axis_angle(sample_unit(s), sample_power(s, 1e-9, 0.1));
}

static carom_quat about_z(double angle) {
    return crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), angle);
}

static carom_quat quarter_turns(sampler *s) {
    carom_quat q = no_turn;
    const double quarter = 0.5 * 3.14159265358979323846;
    for (int i = 0; i < 3; i++) {
        carom_vec3 axis = {i == 0, i == 1, i == 2};
        q = crm_quat_mul(crm_quat_from_axis_angle(axis, quarter * crm_random_below(s, 4)), q);
    }
    return crm_quat_normalised(q);
}

static double half_height(const carom_shape *shape, carom_quat q) {
    carom_vec3 h = shape->half_axes, up = crm_vec3_abs(crm_quat_rotate_inverse(q, crm_vec3(0.0, 0.0, 1.0)));
    return crm_dot(h, up);
}

// B on top of A, beside its middle by up to `aside` of A's edges.
static void put_on_top(box_case *c, double aside_x, double aside_y, double gap) {
    carom_vec3 h = c->shape_a->half_axes;
    c->b.pose.position =
        crm_vec3(aside_x * h.x, aside_y * h.y, h.z + half_height(c->shape_b, c->b.pose.attitude) + gap);
}

static double sample_gap(sampler *s) {
    double sign = crm_random_below(s, 2) ? 1.0 : -1.0;
    return crm_random_below(s, 3) == 0 ? 0.0 : sign * sample_power(s, 1e-7, 3e-2);
}

static box_case sample_case(sampler *s, carom_shape *const boxes[BOXES], int situation) {
    static const double eighth = 0.25 * 3.14159265358979323846;
    box_case c = {.shape_a = boxes[crm_random_below(s, BOXES)], .shape_b = boxes[crm_random_below(s, BOXES)]};
    c.a = view_at(c.shape_a, 0.0, 0.0, 0.0, no_turn);
    c.b = view_at(c.shape_b, 0.0, 0.0, 0.0, no_turn);
    double x = sample_between(s, -1.2, 1.2), y = sample_between(s, -1.2, 1.2), gap = sample_gap(s);
    double even_x = 0.5 * (double)crm_random_below(s, 5) - 1.0, even_y = 0.5 * (double)crm_random_below(s, 5) - 1.0;
    carom_vec3 away = crm_scale(40.0, sample_unit(s));
    switch (situation) {
    case 0: // aligned
        put_on_top(&c, x, y, gap);
        break;
    case 1: // aligned, outlines that share lines and corners
        put_on_top(&c, even_x, even_y, gap);
        break;
    case 2: // the same, other facets on each other
        c.b.pose.attitude = quarter_turns(s);
        put_on_top(&c, even_x, even_y, gap);
        break;
    case 3: // face on face
        c.b.pose.attitude = about_z(sample_between(s, -3.0, 3.0));
        put_on_top(&c, x, y, gap);
        break;
    case 4: // nearly
        c.b.pose.attitude = crm_quat_mul(small_turn(s), about_z(sample_between(s, -3.0, 3.0)));
        put_on_top(&c, x, y, gap);
        break;
    case 5: // edges nearly parallel, on a face
        c.b.pose.attitude = crm_quat_mul(small_turn(s), quarter_turns(s));
        put_on_top(&c, even_x, even_y, gap);
        break;
    case 6: // edge on face
        c.b.pose.attitude = crm_quat_mul(about_z(sample_between(s, -3.0, 3.0)),
                                         crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), eighth));
        put_on_top(&c, x, y, gap);
        break;
    case 7: // crossed edges
        c.a.pose.attitude = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), eighth);
        c.b.pose.attitude = crm_quat_mul(about_z(sample_between(s, -3.0, 3.0)), c.a.pose.attitude);
        c.b.pose.position = crm_vec3(0.3 * x, 0.3 * y, 40.0);
        c.b = brought_to(&c.a, &c.b, gap);
        break;
    case 8: // edges nearly parallel, on each other
        c.a.pose.attitude = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), eighth);
        c.b.pose.attitude = crm_quat_mul(small_turn(s), c.a.pose.attitude);
        c.b.pose.position = crm_vec3(0.3 * x, 0.0, 40.0);
        c.b = brought_to(&c.a, &c.b, gap);
        break;
    case 9: // overlapping
        c.b.pose.attitude = sample_attitude(s);
        c.b.pose.position = sample_vec3(s, 0.5);
        break;
    case 10: // seen from another centre
        c.b.pose.attitude = crm_quat_mul(small_turn(s), about_z(sample_between(s, -3.0, 3.0)));
        put_on_top(&c, x, y, gap);
        c.a.has_centre = true;
        c.a.centre = crm_vec3_mul(crm_vec3(0.9 * sample_between(s, -1.0, 1.0), 0.9 * sample_between(s, -1.0, 1.0), 0.0),
                                  c.shape_a->half_axes);
        break;
    default:
        c.b.pose.attitude = sample_attitude(s);
        c.b.pose.position = away;
        c.b = brought_to(&c.a, &c.b, gap);
    }
    c.b.pose.attitude = crm_quat_normalised(c.b.pose.attitude);
    // Everything somewhere else, but for one in four, where aligned boxes are exactly so.
    if (crm_random_below(s, 4) != 0) {
        carom_quat turn = sample_attitude(s);
        carom_vec3 shift = sample_vec3(s, 2.0);
        c.a = moved_view(c.a, turn, shift);
        c.b = moved_view(c.b, turn, shift);
        c.a.pose.attitude = crm_quat_normalised(c.a.pose.attitude);
        c.b.pose.attitude = crm_quat_normalised(c.b.pose.attitude);
    }
    c.options = events_within(crm_random_below(s, 3) == 0 ? 0.0 : sample_power(s, 1e-4, 0.1),
                              crm_random_below(s, 3) == 0 ? 0.0 : sample_power(s, 1e-4, 0.3));
    if (crm_random_below(s, 16) == 0) c.options.reach = INFINITY;
    if (crm_random_below(s, 4) == 0) c.options.least_sine = sample_power(s, 1e-6, 0.5);
    return c;
}

// ---- the general list

static carom_ray_witness ray_of(const box_case *c) {
    carom_distance_options quick = carom_distance_options_default();
    quick.any_solution = true;
    carom_ray_witness ray;
    CHECK_INT(carom_find_ray(&c->a, &c->b, &quick, NULL, &ray, NULL), CAROM_OK);
    return ray;
}

static void list_generally(const box_case *c, const carom_ray_witness *ray, const carom_event_options *options,
                           found_events *found) {
    crm_side a, b;
    crm_side_of(&c->a, 0, CRM_FROM_VIEW, &a);
    crm_side_of(&c->b, 0, CRM_FROM_VIEW, &b);
    found->count = crm_list_events(&a, &b, ray, options, MOST_EVENTS, found->event);
}

static const carom_event *find_event(const found_events *found, const carom_event *wanted) {
    for (int i = 0; i < found->count; i++) {
        const carom_event *e = &found->event[i];
        if (e->kind == wanted->kind && e->feature_a == wanted->feature_a && e->feature_b == wanted->feature_b) return e;
    }
    return NULL;
}

// The general list with all limits moved by `by`, m: what is not in both a wider and a narrower list was within that of
// a limit. Without tolerances there is no narrower one than what rounding asks for: then it is the list itself.
static void list_moved(const box_case *c, const carom_ray_witness *ray, double by, found_events *found) {
    carom_event_options moved = c->options;
    moved.gap_tolerance = fmax(0.0, moved.gap_tolerance + by);
    moved.reach = fmax(0.0, moved.reach + by);
    moved.least_sine = fmin(1.0, moved.least_sine - by);
    list_generally(c, ray, &moved, found);
}

static double farther(carom_vec3 a, carom_vec3 b, double than) {
    return fmax(than, crm_distance(a, b));
}

static bool same_event(const carom_event *f, const carom_event *w, carom_vec3 middle, double size, double sine) {
    double off = fabs(f->gap - w->gap);
    off = farther(f->point_a, w->point_a, off);
    off = farther(f->point_b, w->point_b, off);
    off = farther(crm_scale(size, f->normal), crm_scale(size, w->normal), off);
    // Where edges are nearly parallel both lists lose the same digits, and more where they cross far away.
    double away = 1.0 + crm_distance(f->point_a, middle) / size;
    double loss = w->kind == CAROM_EVENT_EDGES ? 1e-15 / sine * away : 0.0;
    bool rho = fabs(f->rho - w->rho) <= 1e-10 * (fabs(w->rho) + 1.0) * (1.0 + loss * 1e12);
    return CHECK(off <= (1e-12 + loss) * size) && CHECK(rho);
}

typedef struct tally {
    int events, excused;
    double value_error; // of the ray, over the size and |alpha|
} tally;

static bool compare_case(const box_case *c, tally *sum) {
    static found_events found, wanted, wide, narrow;
    carom_ray_witness ray = ray_of(c);
    crm_box_plane plane;
    double size = c->shape_a->bounding_radius + c->shape_b->bounding_radius;
    if (!CHECK(crm_are_boxes(&c->a, &c->b))) return false;
    bool listed =
        crm_list_box_events(&c->a, &c->b, INFINITY, &c->options, MOST_EVENTS, found.event, &found.count, &plane);
    if (!CHECK(listed)) return false;
    list_generally(c, &ray, &c->options, &wanted);
    double value = plane.gap / crm_dot(plane.normal, ray.beta);
    sum->value_error = fmax(sum->value_error, fabs(value - ray.value) / (size * crm_length(ray.alpha)));
    bool same = true, moved = false;
    for (int pass = 0; pass < 2; pass++) {
        const found_events *these = pass == 0 ? &found : &wanted, *those = pass == 0 ? &wanted : &found;
        for (int i = 0; i < these->count; i++) {
            const carom_event *e = &these->event[i], *other = find_event(those, e);
            if (other != NULL) {
                same = same && (pass == 1 || same_event(e, other, c->a.pose.position, size, c->options.least_sine));
                sum->events++;
                continue;
            }
            if (!moved) {
                list_moved(c, &ray, 1e-11 * size, &wide);
                list_moved(c, &ray, -1e-11 * size, &narrow);
                moved = true;
            }
            sum->excused++;
            same = same && CHECK((find_event(&wide, e) != NULL) != (find_event(&narrow, e) != NULL));
        }
    }
    for (int i = 1; i < found.count; i++) {
        const carom_event *e = &found.event[i - 1], *f = &found.event[i];
        bool after = f->kind != e->kind             ? f->kind > e->kind
                     : f->feature_a != e->feature_a ? f->feature_a > e->feature_a
                                                    : f->feature_b > e->feature_b;
        same = same && CHECK(after);
    }
    return same;
}

static void compare_many(int pairs, uint64_t seed) {
    carom_shape *boxes[BOXES];
    sampler of_shapes = {.seed = seed};
    make_boxes(&of_shapes, boxes);
    for (int situation = 0; situation < SITUATIONS; situation++) {
        sampler s = {.seed = seed, .stream = 1 + (uint32_t)situation};
        tally sum = {0};
        bool same = true;
        for (int i = 0; same && i < pairs / SITUATIONS; i++) {
            box_case c = sample_case(&s, boxes, situation);
            same = compare_case(&c, &sum);
            if (!same) fprintf(stderr, "situation %d, pair %d\n", situation, i);
        }
        CHECK(sum.events > pairs / SITUATIONS);
        CHECK(sum.excused <= 2 + pairs / 10000);
        CHECK(sum.value_error <= 1e-14);
    }
    drop_boxes(boxes);
}

TEST(boxes_have_the_events_of_their_polytopes) {
    compare_many(6000, 91);
}

TEST(many_boxes_have_the_events_of_their_polytopes) {
    compare_many(120000, 92);
}

TEST_MAIN(CASE(boxes_have_the_events_of_their_polytopes), LONG_CASE(many_boxes_have_the_events_of_their_polytopes))
