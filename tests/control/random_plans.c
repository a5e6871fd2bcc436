// SPDX-License-Identifier: MIT
// Random plans of bodies that change places, watched by a reference that knows nothing of planes: no overlap where
// planes hold between nodes; where they hold at nodes alone, some.
//
// CAROM_SEEDS=100 build/tests/test_control_random_plans plans_keep_bodies_apart_between_nodes watches a hundred.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "control/plan/plan_solve.h"
#include "math/quat.h"
#include "reference/motion/motion_watch.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/model/world.h"

enum { MOST_BODIES = 4, MOMENTS = 200 };
static const double margin = 0.02;

// ---- scenes

static carom_shape_def random_shape(sampler *s, carom_shape_def part[2], carom_compound_part item[2]) {
    double x = sample_between(s, 0.3, 0.9), y = sample_between(s, 0.3, 0.9), z = sample_between(s, 0.3, 0.9);
    int kind = (int)sample_between(s, 0.0, 5.0);
    carom_shape_def def = carom_shape_def_default(kind == 1   ? CAROM_SHAPE_SPHERE
                                                  : kind == 2 ? CAROM_SHAPE_CAPSULE
                                                              : CAROM_SHAPE_BOX);
    if (kind == 1) {
        def.sphere.radius = 0.5 * x;
    } else if (kind == 2) {
        def.capsule.radius = 0.25 * x, def.capsule.length = y;
    } else {
        def.box.size = crm_vec3(x, y, z);
    }
    if (kind != 3) return def;
    for (int i = 0; i < 2; i++) { // a cross
        part[i] = carom_shape_def_default(CAROM_SHAPE_BOX);
        part[i].box.size = i == 0 ? crm_vec3(1.0, 0.2, 0.2) : crm_vec3(0.2, 0.8, 0.3);
        item[i] = (carom_compound_part){&part[i], {crm_vec3(0.1 * i, 0.0, 0.0), {1.0, 0.0, 0.0, 0.0}}, 1.0};
    }
    def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound.part_count = 2, def.compound.parts = item;
    return def;
}

typedef struct problem {
    carom_model *model;
    carom_plan_def def;
    carom_control_def control[MOST_BODIES];
    carom_plan_condition goal[MOST_BODIES];
} problem;

// On a circle, everybody on the way to the other side, with another attitude.
static void make_problem(problem *p, uint64_t seed) {
    sampler s = {.seed = seed};
    int bodies = 2 + (int)(seed % 3);
    p->model = world_model(crm_vec3_zero(), 0.0);
    p->def = carom_plan_def_default();
    p->def.intervals = 8, p->def.time = 2.0;
    p->def.avoid.on = true, p->def.avoid.margin = margin;
    p->def.control_count = p->def.condition_count = bodies;
    p->def.control = p->control, p->def.condition = p->goal;
    for (int b = 0; b < bodies; b++) {
        carom_shape_def part[2];
        carom_compound_part item[2];
        carom_shape_def shape = random_shape(&s, part, item);
        double angle = 2.0 * acos(-1.0) * b / bodies + sample_between(&s, -0.1, 0.1);
        carom_body_def def = world_body_def(1.0, crm_vec3(0.1, 0.12, 0.15));
        def.position = crm_vec3(1.6 * cos(angle), 1.6 * sin(angle), sample_between(&s, -0.1, 0.1));
        def.attitude = sample_attitude(&s);
        carom_error error = {.text = ""};
        if (carom_model_add_shape(p->model, NULL, &shape, &def.shape, &error) != CAROM_OK) fail_msg("%s", error.text);
        carom_body body = world_add(p->model, &def);
        p->control[b] = carom_control_def_default();
        p->control[b].body = body;
        p->goal[b] = carom_plan_condition_default();
        p->goal[b].body = body;
        p->goal[b].has_position = p->goal[b].has_attitude = p->goal[b].has_velocity = p->goal[b].has_spin = true;
        p->goal[b].position = crm_negate(def.position);
        carom_quat rotation = crm_quat_from_axis_angle(sample_unit(&s), sample_between(&s, 0.5, 2.5));
        p->goal[b].attitude = crm_quat_mul(rotation, def.attitude);
    }
    CHECK_INT(carom_model_freeze(p->model, NULL), CAROM_OK);
}

static carom_plan *solve(const problem *p) {
    carom_plan *plan = NULL;
    carom_error error = {.text = ""};
    if (carom_plan_create(p->model, &p->def, NULL, &plan, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (bool done = false; !done;)
        if (carom_plan_solve_next(plan, 1, NULL, NULL, &done, &error) != CAROM_OK) fail_msg("%s", error.text);
    return plan;
}

// ---- what is seen

typedef struct seen {
    int solved, kept, overlaps;
    double least; // gap that was watched
} seen;

static void watch(uint64_t seed, bool between_nodes, seen *sum) {
    problem p;
    make_problem(&p, seed);
    p.def.avoid.between_nodes = between_nodes;
    carom_plan *plan = solve(&p);
    carom_plan_certificate c = carom_plan_get_certificate(plan);
    if (crm_plan_keeps_rows(&plan->best)) {
        motion_watch w = watch_motion(p.model, &p.def, &plan->best.motion, MOMENTS, 0.5);
        sum->solved++;
        sum->kept += c.kept;
        sum->overlaps += w.gap < 0.0;
        sum->least = fmin(sum->least, w.gap);
        // What is proved is no more than what is seen, and less by how far bodies get between two looks at most.
        bool right = CHECK(fmin(c.gap_between, 0.5) <= w.gap + 1e-9);
        if (between_nodes) right = CHECK(c.gap_between >= margin - 1e-9 * c.length && w.gap > 0.0) && right;
        if (!right) printf("plan %d: proved %.9g, watched %.9g\n", (int)seed, c.gap_between, w.gap);
    }
    if (getenv("CAROM_SEEDS") != NULL)
        printf("plan %d, %d bodies: %s, kept %d, effort %.4g, gap at nodes %.3g, between %.6g: %s\n", (int)seed,
               p.def.condition_count, carom_plan_outcome_name(carom_plan_get_outcome(plan)), c.kept, c.effort,
               c.gap_at_nodes, c.gap_between, carom_plan_reason(plan));
    carom_plan_destroy(plan);
    carom_model_destroy(p.model);
}

static int plan_count(int usual) {
    const char *asked = getenv("CAROM_SEEDS");
    return asked != NULL ? atoi(asked) : usual;
}

TEST(plans_keep_bodies_apart_between_nodes) {
    seen sum = {.least = INFINITY};
    int plans = plan_count(6);
    for (int i = 0; i < plans; i++) watch((uint64_t)i, true, &sum);
    CHECK(sum.solved >= 0.8 * plans && sum.overlaps == 0);
    CHECK(sum.kept >= 0.9 * sum.solved);
    if (getenv("CAROM_SEEDS") != NULL)
        printf("of %d plans %d keep their rows, %d their contracts; least gap %.6g\n", plans, sum.solved, sum.kept,
               sum.least);
}

TEST(planes_at_nodes_alone_let_bodies_through) {
    seen sum = {.least = INFINITY};
    int plans = plan_count(6);
    for (int i = 0; i < plans; i++) watch((uint64_t)i, false, &sum);
    CHECK(sum.solved > 0 && sum.overlaps > 0 && sum.kept < sum.solved);
    if (getenv("CAROM_SEEDS") != NULL)
        printf("of %d plans %d keep their rows, %d overlap between nodes, by up to %.3g\n", plans, sum.solved,
               sum.overlaps, -sum.least);
}

TEST_MAIN(LONG_CASE(plans_keep_bodies_apart_between_nodes), LONG_CASE(planes_at_nodes_alone_let_bodies_through))
