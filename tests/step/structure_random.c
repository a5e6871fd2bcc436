// SPDX-License-Identifier: MIT
// potential, newmark, exact and dcr on random scenes: whatever there is, every step is finite and keeps its contract or
// says why not, and what mechanics keeps stays. CAROM_SEEDS=n runs n seeds in place of the few of the suite and prints
// how their steps ended.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/mat3.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/scene/structure_scene.h"

// Of momenta and energies over a run, relative to the sizes of what they are sums of.
static const double kept = 1e-10;
// Of an overlap, as a share of the smaller body.
static const double largest_overlap = 1e-9;

// A method, and a member of Newmark's family.
typedef struct contender {
    carom_method method;
    double beta;
    bool implicit_contact;
} contender;

static const contender by_potential = {.method = CAROM_METHOD_POTENTIAL}, by_newmark = {.method = CAROM_METHOD_NEWMARK},
                       by_mean_acceleration = {.method = CAROM_METHOD_NEWMARK, .beta = 0.25},
                       by_fox_goodwin = {.method = CAROM_METHOD_NEWMARK, .beta = 1.0 / 12.0},
                       by_implicit_contact = {.method = CAROM_METHOD_NEWMARK, .implicit_contact = true},
                       by_exact = {.method = CAROM_METHOD_EXACT}, by_dcr = {.method = CAROM_METHOD_DCR};

typedef struct tally {
    int scenes, refused; // states that were not made
    int64_t good, broken, impossible;
    int64_t unsolved; // of the impossible ones: Newton's method found no solution, though bodies rotate by little
    int64_t contacts;
} tally;

// ---- what is kept, from poses and velocities alone

typedef struct sums {
    carom_vec3 linear, angular;
    double linear_size, angular_size;
    double energy, energy_size; // kinetic and of gravity
    double mass;
} sums;

static void add_body(const carom_model *model, const carom_state *state, double gravity, int b, sums *s) {
    carom_body_def def;
    carom_error error;
    CHECK_INT(carom_model_get_body(model, (carom_body){b}, &def, &error), CAROM_OK);
    if (def.kind == CAROM_BODY_FIXED) return;
    carom_body_state at = world_body(state, b);
    bool point = def.kind == CAROM_BODY_POINT;
    carom_vec3 arm = crm_quat_rotate(at.attitude, def.centre), place = crm_add(at.position, arm);
    carom_vec3 p = crm_scale(def.mass, crm_add(at.velocity, crm_cross(at.spin, arm))), l = crm_vec3_zero();
    if (!point) {
        carom_vec3 spin = crm_quat_rotate(crm_quat_conjugate(at.attitude), at.spin);
        l = crm_quat_rotate(at.attitude, crm_mat3_apply(def.inertia, spin));
    }
    double kinetic = 0.5 * (crm_length_squared(p) / def.mass + crm_dot(l, at.spin));
    double potential = def.mass * gravity * place.z;
    s->linear = crm_add(s->linear, p);
    s->angular = crm_add(s->angular, crm_add(l, crm_cross(place, p)));
    s->linear_size += crm_length(p);
    s->angular_size += crm_length(l) + crm_length(place) * crm_length(p);
    s->energy += kinetic + potential;
    s->energy_size += kinetic + fabs(potential);
    s->mass += def.mass;
}

static sums sum_bodies(const carom_state *state, double gravity) {
    const carom_model *model = carom_state_model(state);
    sums s = {0};
    for (int b = 0; b < carom_model_body_count(model); b++) add_body(model, state, gravity, b, &s);
    return s;
}

static bool is_finite_vec3(carom_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool bodies_are_finite(const carom_state *state) {
    for (int b = 0; b < carom_model_body_count(carom_state_model(state)); b++) {
        carom_body_state at = world_body(state, b);
        double rotation = at.attitude.w + at.attitude.x + at.attitude.y + at.attitude.z;
        if (!is_finite_vec3(at.position) || !is_finite_vec3(at.velocity) || !is_finite_vec3(at.spin) ||
            !isfinite(rotation))
            return false;
    }
    return true;
}

// The largest overlap of two bodies that meet, as a share of the smaller one.
static double deepest(const carom_state *state) {
    const carom_model *model = carom_state_model(state);
    int count = carom_model_body_count(model);
    double worst = 0.0;
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            if (!carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b})) continue;
            const int ends[] = {a, b};
            carom_view view[2];
            double size = INFINITY;
            for (int e = 0; e < 2; e++) {
                carom_body_def def;
                carom_error error;
                carom_body_state at = world_body(state, ends[e]);
                CHECK_INT(carom_model_get_body(model, (carom_body){ends[e]}, &def, &error), CAROM_OK);
                const carom_shape *shape = carom_model_get_shape(model, def.shape);
                view[e] = carom_view_of(shape, (carom_pose){at.position, at.attitude});
                size = fmin(size, 2.0 * carom_shape_bounding_radius(shape));
            }
            carom_gap_witness gap;
            carom_error error;
            if (!CHECK_INT(carom_gap_find(&view[0], &view[1], NULL, NULL, &gap, &error), CAROM_OK)) continue;
            worst = fmax(worst, -gap.gap / size);
        }
    return worst;
}

// ---- a run

typedef struct run {
    structure_scene_def def;
    structure_scene scene;
    carom_state *state; // NULL: it was refused
    double gravity;
    sums start;           // what is to be kept
    double start_time;    // s
    carom_vec3 projected; // of dcr: added to the angular momentum since then
    double largest[3];    // sizes of linear and angular momenta and of the energy so far
} run;

static bool prints(void) {
    return getenv("CAROM_SEEDS") != NULL;
}

static int seeds(int few) {
    return prints() ? atoi(getenv("CAROM_SEEDS")) : few;
}

// Every fourth scene with the rarer settings of its method.
static carom_method_def method_of(contender by, uint64_t seed, const structure_scene *scene) {
    carom_method_def def = carom_method_def_default();
    carom_method method = by.method;
    def.method = method;
    def.step = 0.05 * scene->time;
    def.potential.beta = by.beta;
    def.potential.implicit_contact = by.implicit_contact;
    if (method == CAROM_METHOD_POTENTIAL || method == CAROM_METHOD_NEWMARK) {
        def.step = 0.01 * scene->time;
        def.potential.overlap = 0.5;
    }
    if (seed % 4 == 1) {
        def.exact.jump = CAROM_JUMP_DISCRETE;
        def.dcr.potential = true;
        def.potential.damping = method == CAROM_METHOD_NEWMARK ? 0.1 * scene->lightest / def.step : 0.0;
    }
    return def;
}

// Bodies of masses too different for one stiffness are refused; then with one that the lightest ones can bear.
static bool is_refused_for_stiffness(const carom_error *error) {
    return strstr(error->text, "method.potential.stiffness") != NULL;
}

// What is kept is kept from here on: a broken step may have changed it.
static void start_anew(run *r) {
    r->start = sum_bodies(r->state, r->gravity);
    r->start_time = carom_state_time(r->state);
    r->projected = crm_vec3_zero();
}

static run begin(const structure_scene_def *def, contender by, int threads, tally *sum) {
    run r = {.def = *def, .scene = structure_scene_make(def)};
    carom_error error = {0};
    carom_method_def how = method_of(by, def->seed, &r.scene);
    how.threads = threads;
    r.gravity = def->gravity ? ldexp(9.81, def->length) : 0.0;
    if (!CHECK_INT(carom_model_freeze(r.scene.model, &error), CAROM_OK)) fprintf(stderr, "%s\n", error.text);
    carom_status status = carom_state_create(r.scene.model, &how, &r.state, &error);
    if (status != CAROM_OK && is_refused_for_stiffness(&error)) {
        how.potential.stiffness = 0.02 * r.scene.lightest / (how.step * how.step);
        status = carom_state_create(r.scene.model, &how, &r.state, &error);
    }
    sum->scenes++;
    if (status != CAROM_OK) {
        sum->refused++;
        r.state = NULL;
        CHECK(error.text[0] != '\0');
        if (prints()) fprintf(stderr, "seed %d refused: %s\n", (int)def->seed, error.text);
        return r;
    }
    start_anew(&r);
    return r;
}

static void end(run *r) {
    carom_state_destroy(r->state);
    carom_model_destroy(r->scene.model);
}

static bool near_zero(const run *r, const char *what, double off, double size) {
    if (fabs(off) <= kept * size) return true;
    fprintf(stderr, "seed %d, %s, step %lld: %s is off by %g of %g\n", (int)r->def.seed,
            carom_method_name(carom_state_method(r->state)->method), (long long)carom_state_step_count(r->state), what,
            off, size);
    return false;
}

// Momenta along what nothing outside changes: all of them without gravity and room, those along x and y and about z
// over a level floor and of planar bodies, which something keeps in their planes.
static bool momenta_are_kept(run *r, const sums *now) {
    bool walls = r->def.room && r->def.seed % 2 == 1, grounded = r->scene.outside && r->def.joints && r->def.grounded;
    if (walls || grounded || (r->def.room && r->def.materials)) return true;
    double fall = -now->mass * r->gravity * (carom_state_time(r->state) - r->start_time);
    carom_vec3 linear = crm_sub(now->linear, r->start.linear);
    carom_vec3 angular = crm_sub(crm_sub(now->angular, r->start.angular), r->projected);
    linear.z -= fall;
    double linear_size = r->largest[0] + fabs(fall);
    double angular_size = r->largest[1] + fabs(fall) * r->scene.length;
    bool fine = near_zero(r, "momentum along x", linear.x, linear_size) &&
                near_zero(r, "momentum along y", linear.y, linear_size);
    // Springs and charges take both ends' forces for both places, of order 2.
    if (carom_state_method(r->state)->potential.beta > 0.0 && (r->def.pairs || r->def.joints)) return fine;
    fine = fine && near_zero(r, "angular momentum about z", angular.z, angular_size);
    bool free = !r->def.room && !r->scene.planar;
    if (free) fine = fine && near_zero(r, "momentum along z", linear.z, linear_size);
    if (free && !r->def.gravity)
        fine = fine && near_zero(r, "angular momentum about x", angular.x, angular_size) &&
               near_zero(r, "angular momentum about y", angular.y, angular_size);
    return fine;
}

static bool report_is_honest(const carom_state *state, const carom_step_report *report) {
    const double numbers[] = {report->energy.kinetic, report->energy.potential,   report->momentum_balance,
                              report->energy_balance, report->joint_drift,        report->residual,
                              report->infeasibility,  report->mean_infeasibility, report->friction_work,
                              report->impact_energy,  report->projection_energy};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!isfinite(numbers[i])) return false;
    if (report->outcome != CAROM_STEP_GOOD) return report->text[0] != '\0';
    carom_contract contract = carom_method_contract(carom_state_method(state));
    return report->momentum_balance <= contract.momentum_balance && report->residual <= contract.residual &&
           report->joint_drift <= contract.joint_drift;
}

static bool step_is_sound(run *r, const sums *before, const carom_step_report *report) {
    const structure_scene_def *def = &r->def;
    carom_method method = carom_state_method(r->state)->method;
    if (!bodies_are_finite(r->state)) return false;
    sums now = sum_bodies(r->state, r->gravity);
    r->projected = crm_add(r->projected, report->projection_momentum);
    r->largest[0] = fmax(r->largest[0], now.linear_size + before->linear_size);
    r->largest[1] = fmax(r->largest[1], now.angular_size + before->angular_size);
    r->largest[2] = fmax(r->largest[2], now.energy_size + before->energy_size);
    bool broken = report->outcome == CAROM_STEP_BROKEN, simple = !def->pairs && !def->joints;
    if (broken) start_anew(r);
    bool fine = momenta_are_kept(r, &now);
    bool hamiltonian = carom_state_method(r->state)->exact.jump == CAROM_JUMP_HAMILTONIAN;
    if (method == CAROM_METHOD_EXACT && simple && hamiltonian)
        fine = fine && near_zero(r, "energy", now.energy - r->start.energy, r->largest[2]);
    if (method == CAROM_METHOD_DCR) {
        double known = report->projection_energy + report->impact_energy;
        if (simple) fine = fine && near_zero(r, "energy", now.energy - before->energy - known, r->largest[2]);
        // 1e-12 of the energies; of jointed bodies more digits are lost in the solution.
        double share = def->joints ? 1.0 : 1e-2;
        fine = fine && near_zero(r, "energy of impacts", fmax(0.0, report->impact_energy), share * r->largest[2]) &&
               near_zero(r, "work of friction", fmax(0.0, report->friction_work), share * r->largest[2]);
    }
    bool apart = method == CAROM_METHOD_EXACT || (method == CAROM_METHOD_DCR && !broken);
    if (apart) fine = fine && near_zero(r, "overlap", deepest(r->state), largest_overlap / kept);
    return fine;
}

// One step with all its checks; false: the run is over.
static bool step(run *r, tally *sum) {
    carom_step_report report;
    carom_error error = {0};
    uint64_t hash = carom_state_hash(r->state);
    sums before = sum_bodies(r->state, r->gravity);
    if (!CHECK_INT(carom_step(carom_state_model(r->state), r->state, NULL, &report, &error), CAROM_OK)) return false;
    bool honest = report_is_honest(r->state, &report);
    if (prints() && report.outcome != CAROM_STEP_GOOD)
        fprintf(stderr, "seed %d, %s, step %lld: %s\n", (int)r->def.seed,
                carom_method_name(carom_state_method(r->state)->method), (long long)carom_state_step_count(r->state),
                report.text);
    sum->contacts += report.contacts;
    if (report.outcome == CAROM_STEP_IMPOSSIBLE) {
        sum->impossible++;
        sum->unsolved += strstr(report.text, "Newton's method") != NULL;
        CHECK(carom_state_hash(r->state) == hash);
        CHECK(report.text[0] != '\0');
        return false;
    }
    sum->good += report.outcome == CAROM_STEP_GOOD;
    sum->broken += report.outcome == CAROM_STEP_BROKEN;
    if (CHECK(honest) && CHECK(step_is_sound(r, &before, &report))) return true;
    fprintf(stderr, "seed %d: %s\n", (int)r->def.seed, report.text);
    return false;
}

// ---- scenes

static const char *name_of(contender by) {
    return carom_method_name(by.method);
}

// Every combination of what a scene may have, by the bits of the seed.
static structure_scene_def scene_of(uint64_t seed, contender by) {
    structure_scene_def def = {.seed = seed};
    def.gravity = seed / 2 % 2 == 1;
    def.room = seed / 4 % 2 == 1;
    def.pairs = seed % 5 == 3;
    def.joints = seed % 3 == 2;
    def.grounded = seed % 7 < 3;
    def.materials = by.method == CAROM_METHOD_DCR && seed % 3 == 1;
    return def;
}

static void run_scene(contender by, uint64_t seed, int steps, tally *sum) {
    structure_scene_def def = scene_of(seed, by);
    run r = begin(&def, by, 1, sum);
    for (int i = 0; r.state != NULL && i < steps; i++)
        if (!step(&r, sum)) break;
    end(&r);
}

static tally run_scenes(contender by, int few, int steps) {
    tally sum = {0};
    for (int seed = 0; seed < seeds(few); seed++) run_scene(by, (uint64_t)seed, steps, &sum);
    if (prints())
        fprintf(stderr,
                "%s: %d scenes, %d refused; steps: %lld good, %lld broken, %lld impossible, %lld of them unsolved; "
                "%lld contacts\n",
                name_of(by), sum.scenes, sum.refused, (long long)sum.good, (long long)sum.broken,
                (long long)sum.impossible, (long long)sum.unsolved, (long long)sum.contacts);
    return sum;
}

TEST(potential_is_sound_on_random_scenes) {
    run_scenes(by_potential, 16, 200);
}

TEST(newmark_is_sound_on_random_scenes) {
    run_scenes(by_newmark, 16, 200);
}

// Steps that end where the deepest corner changes, or where damping begins, have a solution, too.
TEST(implicit_members_of_newmark_are_sound_on_random_scenes) {
    run_scenes(by_mean_acceleration, 16, 200);
    run_scenes(by_fox_goodwin, 8, 200);
    run_scenes(by_implicit_contact, 16, 200);
}

TEST(implicit_members_of_newmark_find_their_steps_at_kinks) {
    CHECK_INT(run_scenes(by_mean_acceleration, 145, 200).unsolved, 0);
    CHECK_INT(run_scenes(by_fox_goodwin, 145, 200).unsolved, 0);
}

TEST(exact_is_sound_on_random_scenes) {
    run_scenes(by_exact, 24, 60);
}

// A body that a collision has set spinning halves the rest of the step; another touch was expected after its end.
TEST(exact_expects_touches_beyond_a_substep_that_is_shortened) {
    tally sum = {0};
    run_scene(by_exact, 756, 60, &sum);
    CHECK_INT(sum.impossible, 0);
}

TEST(dcr_is_sound_on_random_scenes) {
    run_scenes(by_dcr, 24, 60);
}

// ---- the same bits

// Goes on for some steps, or to the first that is impossible.
static void go_on(run *r, int steps) {
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    carom_error error = {0};
    for (int i = 0; i < steps && report.outcome != CAROM_STEP_IMPOSSIBLE; i++)
        CHECK_INT(carom_step(carom_state_model(r->state), r->state, NULL, &report, &error), CAROM_OK);
}

static void check_same(const run *a, const run *b, const char *what) {
    if (!CHECK(carom_state_hash(a->state) == carom_state_hash(b->state)))
        fprintf(stderr, "seed %d, %s: other bits %s\n", (int)a->def.seed,
                carom_method_name(carom_state_method(a->state)->method), what);
}

static void same_bits(contender by, uint64_t seed, int steps) {
    tally sum = {0};
    carom_error error = {0};
    structure_scene_def def = scene_of(seed, by);
    run one = begin(&def, by, 1, &sum), two = begin(&def, by, 2, &sum), later = begin(&def, by, 1, &sum);
    if (one.state != NULL) {
        go_on(&one, steps / 2);
        size_t size = carom_state_size(one.state);
        void *bytes = test_malloc(size);
        carom_state_save(one.state, bytes);
        CHECK_INT(carom_state_load(later.state, bytes, size, &error), CAROM_OK);
        test_free(bytes);
        go_on(&one, steps - steps / 2);
        go_on(&later, steps - steps / 2);
        go_on(&two, steps);
        check_same(&one, &two, "with two threads");
        check_same(&one, &later, "after saving and loading");
    }
    end(&one);
    end(&two);
    end(&later);
}

static void same_bits_of_all(contender by, int few, int steps) {
    for (int seed = 0; seed < seeds(few); seed++) same_bits(by, (uint64_t)seed, steps);
}

TEST(bits_depend_on_nothing_but_the_state) {
    same_bits_of_all(by_potential, 8, 100);
    same_bits_of_all(by_newmark, 8, 100);
    same_bits_of_all(by_mean_acceleration, 8, 100);
    same_bits_of_all(by_implicit_contact, 8, 100);
    same_bits_of_all(by_exact, 8, 40);
    same_bits_of_all(by_dcr, 8, 40);
}

// ---- units

static double off_by(carom_vec3 v, carom_vec3 by, int exponent) {
    return crm_distance(crm_scale(ldexp(1.0, -exponent), v), by);
}

// Scale-free, of the same scene in other units.
static double difference(const run *one, const run *two) {
    double worst = 0.0, length = one->scene.length, time = one->scene.time;
    for (int b = 0; b < carom_model_body_count(one->scene.model); b++) {
        carom_body_state x = world_body(one->state, b), y = world_body(two->state, b);
        worst = fmax(worst, off_by(y.position, x.position, two->def.length) / length);
        worst = fmax(worst, off_by(y.velocity, x.velocity, two->def.length) * time / length);
        worst = fmax(worst, off_by(y.spin, x.spin, 0) * time);
    }
    return worst;
}

// Roundings grow by collisions, but none by more than a thousandfold in a step: what does is a decision by a number
// with a unit.
static void other_units(contender by, uint64_t seed, int steps, int length, int mass) {
    tally sum = {0};
    structure_scene_def def = scene_of(seed, by), other = def;
    other.length = length;
    other.mass = mass;
    run one = begin(&def, by, 1, &sum), two = begin(&other, by, 1, &sum);
    double last = 1e-12;
    bool both = CHECK((one.state == NULL) == (two.state == NULL)) && one.state != NULL;
    for (int i = 0; i < steps && both; i++) {
        go_on(&one, 1);
        go_on(&two, 1);
        double now = difference(&one, &two);
        if (!CHECK(now <= 1e3 * last)) {
            fprintf(stderr, "seed %d, %s: other motion in other units at step %d, by %g\n", (int)seed, name_of(by), i,
                    now);
            break;
        }
        last = fmax(now, last);
    }
    end(&one);
    end(&two);
}

static void other_units_of_all(contender by, int few, int steps) {
    for (int seed = 0; seed < seeds(few); seed++) {
        other_units(by, (uint64_t)seed, steps, 13, -20);
        other_units(by, (uint64_t)seed, steps, -10, 20);
    }
}

TEST(motions_are_the_same_in_other_units) {
    other_units_of_all(by_potential, 8, 100);
    other_units_of_all(by_newmark, 8, 100);
    other_units_of_all(by_mean_acceleration, 8, 100);
    other_units_of_all(by_implicit_contact, 8, 100);
    other_units_of_all(by_exact, 8, 40);
    other_units_of_all(by_dcr, 15, 20);
}

TEST_MAIN(CASE(potential_is_sound_on_random_scenes), CASE(newmark_is_sound_on_random_scenes),
          CASE(implicit_members_of_newmark_are_sound_on_random_scenes),
          LONG_CASE(implicit_members_of_newmark_find_their_steps_at_kinks), CASE(exact_is_sound_on_random_scenes),
          CASE(exact_expects_touches_beyond_a_substep_that_is_shortened), CASE(dcr_is_sound_on_random_scenes),
          CASE(bits_depend_on_nothing_but_the_state), CASE(motions_are_the_same_in_other_units))
