// SPDX-License-Identifier: MIT
// A body that meets nothing of the rest changes nothing of it: random scenes under every method, alone and beside
// bodies that are far away, fast, heavy, tiny, spinning, on a floor of their own or joined to each other, first or last
// in the list of bodies. Poses, velocities, contacts and joints of the scene's own bodies are compared bit by bit after
// every step, and residuals and what the rules of verdicts have found that are its own.
//
// `multiplier` and `reduced` with dp54 choose substeps for the whole system; they are held to their tolerance instead.
//
//     CAROM_SEEDS=n build/tests/test_step_apart    n seeds a method, and how many of them differ, by guest
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/scene/structure_scene.h"

// ---- methods

typedef struct subject {
    carom_method method;
    carom_impulse_variant variant;
    bool crowd;          // random_scene: heaps with joints and drives; else structure_scene
    bool joints, drives; // of structure_scene
    bool room, materials;
    bool proposed;        // stiffnesses of contacts are, not given
    double share;         // of a structure scene's own time that a step takes
    carom_lcp_def *tuned; // NULL: as by default
    double tolerance;     // > 0: of the whole system's substeps
    bool whole_balance;   // the balance of momenta is that of the whole
    unsigned without;     // bits: guests that this method does not keep apart to the bit (docs/architecture.md)
} subject;

// ---- guests

typedef enum guest_kind {
    GUEST_STILL,     // far away
    GUEST_FAST,      // farther, heavy, at a thousand times the scene's velocities
    GUEST_TINY,      // light, small and spinning
    GUEST_SHAPELESS, // without a shape
    GUEST_SLIDER,    // a ball that slides on a floor of its own, fast
    GUEST_JOINED,    // two, far from each other, with a joint
    GUEST_COUNT
} guest_kind;

static const char *const guest_names[GUEST_COUNT] = {"still", "fast", "tiny", "without shape", "slider", "joined"};

typedef struct guest {
    guest_kind kind;
    double length, time, step; // of the scene; m, s
    bool filtered;             // the scene is closed, or the guest wide: it would be in a wall, but for its groups
    int bodies;                // that were added
} guest;

static carom_body add_ball(carom_model *model, const guest *g, double mass, double radius, carom_vec3 place,
                           carom_vec3 velocity, carom_vec3 spin) {
    carom_model_shape shape = g->kind == GUEST_TINY ? touching_box(model, radius, 1.5 * radius, 2.0 * radius)
                                                    : touching_sphere(model, radius);
    carom_body_def def = touching_def(model, shape, (carom_material){0}, mass, place);
    if (g->kind == GUEST_SHAPELESS) def.shape = (carom_model_shape){-1};
    if (g->filtered) def.groups = def.meets = 2;
    def.velocity = velocity;
    def.spin = spin;
    return world_add(model, &def);
}

static void add_guest(carom_model *model, void *user) {
    guest *g = user;
    double l = g->length, speed = l / g->time;
    int before = carom_model_body_count(model);
    carom_vec3 none = crm_vec3_zero(), near = crm_vec3(0.0, 0.0, 1e2 * l), far = crm_vec3(0.0, 0.0, 1e4 * l);
    switch (g->kind) {
    case GUEST_STILL:
        add_ball(model, g, 1.0, 0.1 * l, near, none, none);
        break;
    case GUEST_FAST:
        add_ball(model, g, 1e6, l, far, crm_vec3(0.0, 0.0, 1e3 * speed), none);
        break;
    case GUEST_TINY:
        add_ball(model, g, 1e-6, 1e-3 * l, near, crm_vec3(0.1 * speed, 0.0, 0.0),
                 crm_scale(0.5 / g->step, crm_vec3(0.5, -0.3, 0.8)));
        break;
    case GUEST_SHAPELESS:
        add_ball(model, g, 30.0, 0.3 * l, far, crm_vec3(1e3 * speed, 0.0, 0.0), crm_vec3(0.0, 0.1 / g->step, 0.0));
        break;
    case GUEST_SLIDER: {
        carom_vec3 under = crm_sub(near, crm_vec3(0.0, 0.0, 0.6 * l));
        carom_model_shape plate = touching_box(model, 1e4 * l, l, l);
        carom_body_def def = touching_def(model, plate, (carom_material){0}, 0.0, under);
        if (g->filtered) def.groups = def.meets = 2;
        world_add(model, &def);
        add_ball(model, g, 2.0, 0.1 * l, near, crm_vec3(1e3 * speed, 0.0, 0.0), none);
        break;
    }
    default: {
        carom_vec3 apart = crm_vec3(1e2 * l, 0.0, 0.0), whirl = crm_vec3(0.0, 0.0, 1e-2 / g->time);
        carom_body a = add_ball(model, g, 2.0, 0.1 * l, near, none, whirl);
        carom_body b = add_ball(model, g, 1.0, 0.1 * l, crm_add(near, apart), crm_cross(whirl, apart), whirl);
        carom_joint_def def =
            joints_def(model, CAROM_JOINT_BALL, a, b, crm_madd(near, 0.5, apart), crm_vec3(0.0, 0.0, 1.0));
        joints_add(model, &def);
    }
    }
    g->bodies = carom_model_body_count(model) - before;
}

static bool has(const subject *who, guest_kind kind) {
    if ((who->without & 1u << kind) != 0) return false;
    if (kind == GUEST_SLIDER) return who->crowd || who->room;
    return kind != GUEST_JOINED || who->crowd || who->joints;
}

// ---- scenes

typedef struct scene {
    carom_state *state; // NULL: the method refuses it
    int first_body, first_joint;
    double length, time, step;
} scene;

static structure_scene_def structure_of(const subject *who, uint64_t seed) {
    structure_scene_def def = {.seed = seed};
    def.gravity = seed / 2 % 2 == 1;
    def.room = who->room && seed / 4 % 2 == 1;
    def.pairs = seed % 5 == 3;
    def.joints = who->joints && seed % 3 == 2;
    def.grounded = seed % 7 < 3;
    def.drives = who->drives;
    def.materials = who->materials && seed % 3 == 1;
    return def;
}

// `who` alone, or with a guest.
static scene make_scene(const subject *who, uint64_t seed, guest *with, bool first) {
    scene out = {.length = 1.0, .time = 1.0, .step = 0.005};
    carom_method_def method = carom_method_def_default();
    carom_model *model;
    scene_guests guests = {add_guest, with};
    if (!first) guests.add = NULL;
    method.method = who->method;
    method.impulse.variant = who->variant;
    method.potential.overlap = 0.5;
    if (who->tuned != NULL) method.lcp = *who->tuned;
    if (who->crowd) {
        model = random_scene_after(&guests, seed);
    } else {
        structure_scene_def def = structure_of(who, seed);
        def.first = guests;
        structure_scene made = structure_scene_make(&def);
        model = made.model;
        out.length = made.length;
        out.time = made.time;
        out.step = who->share * made.time;
        if (!who->proposed)
            method.potential.stiffness = method.penalty.stiffness = 0.02 * made.lightest / (out.step * out.step);
    }
    method.step = out.step;
    if (with != NULL && !first) add_guest(model, with);
    if (with != NULL && first) {
        out.first_body = with->bodies;
        out.first_joint = with->kind == GUEST_JOINED;
    }
    carom_error error = {0};
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    if (carom_state_create(model, &method, &out.state, &error) != CAROM_OK) {
        if (getenv("CAROM_SEEDS") != NULL && with != NULL)
            printf("  seed %d with %s: %s\n", (int)seed, guest_names[with->kind], error.text);
        carom_model_destroy(model);
    }
    return out;
}

static bool is_closed(const carom_model *model) {
    for (int i = 0; i < carom_model_shape_count(model); i++)
        if (carom_shape_get_kind(carom_model_get_shape(model, (carom_model_shape){i})) == CAROM_SHAPE_CONTAINER)
            return true;
    return false;
}

// ---- what is compared

// What differs first, or NULL. `alone` has `bodies` bodies.
static const char *compare_bodies(const scene *alone, const scene *beside, int bodies, double *distance) {
    const char *differs = NULL;
    *distance = 0.0;
    for (int b = 0; b < bodies; b++) {
        carom_body_state is = world_body(beside->state, beside->first_body + b), was = world_body(alone->state, b);
        if (memcmp(&is, &was, sizeof is) != 0) differs = "motion";
        *distance = fmax(*distance, crm_distance(is.position, was.position) / alone->length);
        *distance = fmax(*distance, crm_quat_angle(is.attitude, was.attitude));
        *distance = fmax(*distance, crm_distance(is.velocity, was.velocity) * alone->time / alone->length);
        *distance = fmax(*distance, crm_distance(is.spin, was.spin) * alone->time);
    }
    return differs;
}

static const char *compare_joints(const scene *alone, const scene *beside) {
    int joints = carom_model_joint_count(carom_state_model(alone->state));
    for (int j = 0; j < joints; j++) {
        carom_joint_state was = joints_get(alone->state, j), is = joints_get(beside->state, beside->first_joint + j);
        if (memcmp(&was, &is, sizeof is) != 0) return "joints";
    }
    return NULL;
}

static const char *compare_contacts(const scene *alone, const scene *beside, int bodies) {
    int count, others, own = 0;
    const carom_contact_state *was = carom_state_contacts(alone->state, &count);
    const carom_contact_state *is = carom_state_contacts(beside->state, &others);
    int first = beside->first_body;
    for (int i = 0; i < others; i++) {
        int a = is[i].a.index - first, b = is[i].b.index - first;
        if (a < 0 || b < 0 || a >= bodies || b >= bodies) continue;
        if (own >= count || was[own].a.index != a || was[own].b.index != b) return "contacts";
        if (memcmp(&was[own].point, &is[i].point, sizeof is[i] - offsetof(carom_contact_state, point)) != 0)
            return "impulses";
        own++;
    }
    return own == count ? NULL : "contacts";
}

// The worst island's residual is the scene's own unless it is the guest's; then it is no smaller.
static const char *compare_reports(const subject *who, const carom_step_report *was, const carom_step_report *is,
                                   bool own) {
    if (own ? is->residual != was->residual : !(is->residual >= was->residual)) return "residual";
    if (own && is->outcome != was->outcome) return "verdict";
    if (!who->whole_balance && !(is->momentum_balance >= was->momentum_balance)) return "momentum balance";
    if (!(is->joint_drift >= was->joint_drift)) return "joint drift";
    if (!(is->infeasibility >= was->infeasibility)) return "overlap";
    return NULL;
}

// What the rules of verdicts have found of the scene's own bodies is the same; what is the guest's, no smaller.
static const char *compare_findings(const scene *alone, const scene *beside, int bodies) {
    carom_finding was[CAROM_RULE_COUNT], is[CAROM_RULE_COUNT];
    carom_state_findings(alone->state, was);
    carom_state_findings(beside->state, is);
    for (int r = 0; r < CAROM_RULE_COUNT; r++) {
        int64_t body = is[r].body - beside->first_body, other = is[r].other - beside->first_body;
        bool own = body >= 0 && body < bodies && (is[r].other < 0 || (other >= 0 && other < bodies));
        if (own ? is[r].value != was[r].value || is[r].step != was[r].step : !(is[r].value >= was[r].value))
            return carom_rule_get((carom_rule)r)->name;
    }
    return NULL;
}

// Of structure scenes as many as bodies need to meet.
static int steps_of(const subject *who) {
    return who->crowd ? 40 : (int)(1.5 / who->share);
}

// What differs first in a run, or NULL. *runs: one more, unless the method refuses the scene.
static const char *run(const subject *who, uint64_t seed, guest_kind kind, bool first, int *runs) {
    scene alone = make_scene(who, seed, NULL, false);
    if (alone.state == NULL) return NULL;
    ++*runs;
    int bodies = carom_model_body_count(carom_state_model(alone.state));
    // A proposal must do for a guest that would fall onto the scene.
    bool wide = kind == GUEST_SLIDER || kind == GUEST_JOINED || who->proposed;
    guest with = {kind, alone.length, alone.time, alone.step, wide || is_closed(carom_state_model(alone.state)), 0};
    scene beside = make_scene(who, seed, &with, first);
    const char *differs = beside.state == NULL ? "is refused" : NULL;
    for (int i = 0; i < steps_of(who) && differs == NULL; i++) {
        carom_step_report was, is;
        double distance;
        CHECK_INT(carom_step(carom_state_model(alone.state), alone.state, NULL, &was, NULL), CAROM_OK);
        CHECK_INT(carom_step(carom_state_model(beside.state), beside.state, NULL, &is, NULL), CAROM_OK);
        if (was.outcome == CAROM_STEP_IMPOSSIBLE) {
            if (is.outcome != CAROM_STEP_IMPOSSIBLE) differs = "verdict";
            break;
        }
        int worst = is.residual_body.index - beside.first_body;
        differs = compare_bodies(&alone, &beside, bodies, &distance);
        if (who->tolerance > 0.0) {
            // Ten tolerances a step, which add up.
            differs = distance <= 10.0 * who->tolerance * (i + 1) ? NULL : "motion";
            if (differs != NULL && getenv("CAROM_SEEDS") != NULL)
                printf("  seed %d, %s: %.1e apart in step %d\n", (int)seed, guest_names[kind], distance, i + 1);
            continue;
        }
        if (differs == NULL) differs = compare_joints(&alone, &beside);
        if (differs == NULL) differs = compare_contacts(&alone, &beside, bodies);
        if (differs == NULL) differs = compare_reports(who, &was, &is, worst >= 0 && worst < bodies);
        if (differs == NULL) differs = compare_findings(&alone, &beside, bodies);
        if (differs != NULL && getenv("CAROM_SEEDS") != NULL)
            printf("  seed %d, %s %s: %s differ in step %d, by %.1e; residuals %.3e %.3e, body %d; %s\n", (int)seed,
                   guest_names[kind], first ? "first" : "last", differs, i + 1, distance, was.residual, is.residual,
                   is.residual_body.index, is.text);
    }
    world_destroy(alone.state);
    if (beside.state != NULL) world_destroy(beside.state);
    return differs;
}

enum { FEW_SEEDS = 6 };

static void check(const subject *who) {
    int seeds = getenv("CAROM_SEEDS") != NULL ? atoi(getenv("CAROM_SEEDS")) : FEW_SEEDS;
    for (int kind = 0; kind < GUEST_COUNT; kind++) {
        int different = 0, runs = 0;
        for (int seed = 0; seed < seeds && has(who, (guest_kind)kind); seed++)
            for (int first = 0; first < 2; first++)
                different += run(who, (uint64_t)seed, (guest_kind)kind, first == 1, &runs) != NULL;
        CHECK(runs > 0 || !has(who, (guest_kind)kind));
        if (!CHECK_INT(different, 0))
            fprintf(stderr, "%s beside %s: %d of %d runs differ\n", carom_method_name(who->method), guest_names[kind],
                    different, runs);
    }
}

static const unsigned touching = 1u << GUEST_SLIDER | 1u << GUEST_JOINED;

TEST(euler) {
    check(&(subject){CAROM_METHOD_EULER, .share = 0.02});
}

TEST(variational) {
    check(&(subject){CAROM_METHOD_VARIATIONAL, .joints = true, .share = 0.02});
}

TEST(multiplier) {
    double tolerance = carom_method_def_default().relative_tolerance;
    check(&(subject){CAROM_METHOD_MULTIPLIER, .joints = true, .share = 0.02, .tolerance = tolerance});
}

TEST(reduced) {
    double tolerance = carom_method_def_default().relative_tolerance;
    check(&(subject){CAROM_METHOD_REDUCED, .joints = true, .share = 0.02, .tolerance = tolerance});
}

TEST(lcp) {
    check(&(subject){CAROM_METHOD_LCP, .crowd = true, .without = touching});
}

TEST(lcp_with_a_general_solver) {
    carom_lcp_def lcp = carom_method_def_default().lcp;
    lcp.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    lcp.iterations = 20;
    check(&(subject){CAROM_METHOD_LCP, .crowd = true, .tuned = &lcp});
}

TEST(lcp_to_a_fine_tolerance) {
    carom_lcp_def lcp = carom_method_def_default().lcp;
    lcp.accuracy = CAROM_ACCURACY_PRECISE;
    check(&(subject){CAROM_METHOD_LCP, .crowd = true, .tuned = &lcp});
}

TEST(impulse_with_fixed_steps) {
    check(
        &(subject){CAROM_METHOD_IMPULSE, .variant = CAROM_IMPULSE_FIXED, .crowd = true, .without = 1u << GUEST_JOINED});
}

TEST(impulse_by_events) {
    check(&(subject){CAROM_METHOD_IMPULSE, .variant = CAROM_IMPULSE_EVENTS, .room = true, .materials = true,
                     .share = 0.02});
}

TEST(penalty) {
    check(&(subject){CAROM_METHOD_PENALTY, .room = true, .materials = true, .share = 0.002});
}

TEST(potential) {
    check(
        &(subject){CAROM_METHOD_POTENTIAL, .joints = true, .room = true, .share = 0.01, .without = 1u << GUEST_SLIDER});
}

TEST(newmark) {
    check(&(subject){CAROM_METHOD_NEWMARK, .room = true, .share = 0.01});
}

TEST(proposed_stiffnesses_of_penalty) {
    check(&(subject){CAROM_METHOD_PENALTY, .room = true, .materials = true, .proposed = true, .share = 0.002});
}

TEST(proposed_stiffnesses_of_contact_potentials) {
    check(&(subject){CAROM_METHOD_POTENTIAL, .proposed = true, .share = 0.005});
    check(&(subject){CAROM_METHOD_NEWMARK, .proposed = true, .share = 0.005});
}

TEST(exact) {
    check(&(subject){CAROM_METHOD_EXACT, .joints = true, .room = true, .share = 0.05, .without = 1u << GUEST_SLIDER});
}

TEST(dcr) {
    check(&(subject){CAROM_METHOD_DCR, .joints = true, .room = true, .materials = true, .share = 0.05,
                     .without = touching});
}

TEST_MAIN(CASE(euler), CASE(variational), CASE(multiplier), CASE(reduced), CASE(lcp), CASE(lcp_with_a_general_solver),
          CASE(lcp_to_a_fine_tolerance), CASE(impulse_with_fixed_steps), CASE(impulse_by_events), CASE(penalty),
          CASE(potential), CASE(newmark), CASE(proposed_stiffnesses_of_penalty),
          CASE(proposed_stiffnesses_of_contact_potentials), CASE(exact), CASE(dcr))
