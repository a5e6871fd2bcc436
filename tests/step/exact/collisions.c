// SPDX-License-Identifier: MIT
// The collisions that exact and impulse by events tell: all of them, with the momenta that bodies gain and the energy
// that certificates tell; at the times of closed forms and of each other.
#include <math.h>
#include <stdlib.h>

#include "model/model_state.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/scene/scene_run.h"

enum { MOST = 512, MOST_BODIES = 16 };

typedef struct told {
    carom_collision list[MOST];
    int count;
    double jump, impact_energy, energy; // J
    int substeps, cuts;                 // over all steps: less one each; distinct times within steps
} told;

static double seconds(const carom_state *state) {
    return carom_state_time(state);
}

// Momenta change by the impulses of the step and the weight, and by nothing else.
static void check_momenta(const scene_run *r, const carom_vec3 *before, const carom_collision *c, int count) {
    double h = carom_state_method(r->state)->step;
    for (int b = 0; b < r->model->bodies.count; b++) {
        if (r->model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        double mass = r->model->bodies.items[b].mass;
        carom_vec3 given = crm_scale(mass * h, r->model->gravity);
        double size = 0.0;
        for (int i = 0; i < count; i++) {
            if (c[i].a.index == b) given = crm_sub(given, c[i].impulse);
            if (c[i].b.index == b) given = crm_add(given, c[i].impulse);
            size += crm_length(c[i].impulse);
        }
        carom_vec3 change = crm_sub(r->state->motions[b].p, before[b]);
        CHECK_NEAR(crm_distance(change, given), 0.0, 1e-14 * (size + crm_length(before[b]) + mass));
    }
}

static told run_and_tell(scene_run *r, int steps, bool momenta) {
    told t = {.count = 0};
    carom_vec3 before[MOST_BODIES];
    CHECK(r->model->bodies.count <= MOST_BODIES);
    for (int i = 0; i < steps; i++) {
        double start = seconds(r->state);
        for (int b = 0; b < r->model->bodies.count && b < MOST_BODIES; b++) before[b] = r->state->motions[b].p;
        carom_step_report report;
        carom_error error;
        if (!CHECK_INT(carom_step(r->model, r->state, NULL, &report, &error), CAROM_OK)) break;
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) break;
        int count;
        const carom_collision *c = carom_state_collisions(r->state, &count);
        if (momenta) check_momenta(r, before, c, count);
        double last = start;
        for (int k = 0; k < count && t.count < MOST; k++) {
            CHECK_INT(c[k].step, i + 1);
            CHECK(c[k].time >= last && c[k].time <= seconds(r->state) + 1e-12);
            t.cuts += c[k].time > last;
            last = c[k].time;
            t.jump += c[k].energy_jump;
            t.list[t.count++] = c[k];
        }
        t.substeps += report.substeps - 1;
        t.impact_energy += report.impact_energy;
        t.energy = report.energy.kinetic;
    }
    return t;
}

// The distinct times of a list: impacts of one time count once. How many there are.
static int times_of(const told *t, double *time) {
    int count = 0;
    for (int i = 0; i < t->count; i++)
        if (count == 0 || t->list[i].time > time[count - 1] + 1e-12) time[count++] = t->list[i].time;
    return count;
}

// Cubes of side l at 0.105 m/s, half a side from three that are l/100 apart.
TEST(the_cradle_collides_when_it_must) {
    const double side = 0.2 * sqrt(2.0), speed = 0.105;
    const double wanted[] = {0.5 * side / speed, 0.51 * side / speed, 0.52 * side / speed};
    static told t;
    static double exact[MOST], impulse[MOST];
    scene_run r = scene_run_begin("cradle-2", "exact", 0.005, NULL);
    t = run_and_tell(&r, 400, true);
    CHECK_INT(t.count, 6);
    CHECK_INT(times_of(&t, exact), 3);
    for (int i = 0; i < 3; i++) CHECK_NEAR(exact[i], wanted[i], 1e-12);
    CHECK_NEAR(t.jump, t.impact_energy, 1e-15);
    for (int i = 0; i < 6; i++) CHECK_NEAR(t.list[i].separation, -t.list[i].approach, 1e-14);
    scene_run_end(&r);
    r = scene_run_begin("cradle-2", "impulse", 0.005,
                        "method.impulse={\"law\": \"newton\", \"simultaneous\": \"together\"}");
    t = run_and_tell(&r, 400, false);
    CHECK_INT(times_of(&t, impulse), 3);
    for (int i = 0; i < 3; i++) CHECK_NEAR(impulse[i], exact[i], 1e-9);
    scene_run_end(&r);
}

static told polyhedra(const char *method, double step, const char *settings) {
    scene_run r = scene_run_begin("falling-polyhedra", method, step, settings);
    told t = run_and_tell(&r, (int)lround(0.39 / step), settings == NULL);
    scene_run_end(&r);
    return t;
}

// Until the first collision of a body its flight is exact in both methods; then attitudes are of order 2.
TEST(times_of_falling_polyhedra_are_those_of_impulse) {
    static told by[3], wanted;
    wanted = polyhedra("impulse", 0.0005, "method.relative_tolerance=1e-12");
    for (int k = 0; k < 3; k++) by[k] = polyhedra("exact", 0.0005 / (1 << k), NULL);
    CHECK_INT(wanted.count, 13);
    bool hit[MOST_BODIES] = {false};
    int later = 0;
    double order = 0.0;
    for (int i = 0; i < wanted.count; i++) {
        const carom_collision *c = &wanted.list[i];
        double off[3];
        for (int k = 0; k < 3; k++) {
            if (!CHECK_INT(by[k].count, wanted.count)) return;
            CHECK_INT(by[k].list[i].a.index, c->a.index);
            CHECK_INT(by[k].list[i].b.index, c->b.index);
            off[k] = fabs(by[k].list[i].time - c->time);
        }
        if (!hit[c->b.index]) {
            CHECK_NEAR(off[0], 0.0, 1e-9);
        } else {
            CHECK_NEAR(log2(off[0] / off[1]), 2.0, 0.2);
            CHECK_NEAR(log2(off[1] / off[2]), 2.0, 0.2);
            order += log2(off[1] / off[2]);
            later++;
        }
        hit[c->b.index] = true;
    }
    CHECK_NEAR(order / later, 2.0, 0.1);
}

TEST(every_collision_of_the_prisms_is_told) {
    static told t;
    scene_run r = scene_run_begin("hexagonal-prisms", "exact", 0.01, NULL);
    t = run_and_tell(&r, 100, false);
    CHECK(t.count > 40);
    CHECK_NEAR(t.jump, t.impact_energy, 1e-15 * t.energy);
    CHECK_INT(t.substeps, t.cuts); // they are one cluster
    for (int i = 0; i < t.count; i++) {
        const carom_collision *c = &t.list[i];
        CHECK(c->approach < 0.0 && c->a.index < c->b.index);
        CHECK_NEAR(c->separation, -c->approach, 1e-12 * fabs(c->approach) + 1e-15);
        CHECK_NEAR(crm_length(crm_cross(c->normal, c->impulse)), 0.0, 1e-15);
        CHECK(crm_dot(c->normal, c->impulse) > 0.0 && c->energy_before > 0.0);
    }
    scene_run_end(&r);
}

static told prisms(const char *method, double step, const char *settings) {
    scene_run r = scene_run_begin("hexagonal-prisms", method, step, settings);
    told t = run_and_tell(&r, (int)lround(0.19 / step), false);
    scene_run_end(&r);
    return t;
}

// Charges act before anything has touched: flights are of order 2, and nothing else is off. What two steps extrapolate
// to is the time of `impulse`; so is that of a small step, 2e-10 s off.
TEST(times_of_the_prisms_are_those_of_impulse_at_order_2) {
    enum { HALVINGS = 4, FIRST = 6 };
    static told by[HALVINGS], wanted, fine;
    wanted = prisms("impulse", 0.01, "method.relative_tolerance=1e-12");
    for (int k = 0; k < HALVINGS; k++) by[k] = prisms("exact", 0.005 / (1 << k), NULL);
    bool hit[MOST_BODIES] = {false};
    int first = 0;
    if (!CHECK(wanted.count >= FIRST)) return;
    for (int i = 0; i < FIRST; i++) {
        const carom_collision *c = &wanted.list[i];
        double off[HALVINGS];
        for (int k = 0; k < HALVINGS; k++) {
            if (!CHECK(by[k].count >= FIRST)) return;
            CHECK_INT(by[k].list[i].a.index, c->a.index);
            CHECK_INT(by[k].list[i].b.index, c->b.index);
            off[k] = by[k].list[i].time - c->time;
        }
        for (int k = 1; k < HALVINGS; k++) CHECK_NEAR(log2(fabs(off[k - 1] / off[k])), 2.0, 0.1);
        if (!hit[c->a.index] && !hit[c->b.index]) {
            CHECK_NEAR((4.0 * off[HALVINGS - 1] - off[HALVINGS - 2]) / 3.0, 0.0, 1e-9);
            first++;
        }
        hit[c->a.index] = hit[c->b.index] = true;
    }
    CHECK_INT(first, 3);
    fine = prisms("exact", 0.01 / 128.0, NULL);
    if (CHECK(fine.count > 0)) CHECK_NEAR(fine.list[0].time, wanted.list[0].time, 1e-9);
}

// Steps cut by jumps in E_d: the table tells what E_d has changed by, and the impulses that were found for it.
TEST(jumps_in_the_discrete_energy_are_told_as_such) {
    static told t;
    scene_run r = scene_run_begin("falling-polyhedra", "exact", 0.001, "method.exact.jump=discrete");
    t = run_and_tell(&r, 420, true);
    CHECK(t.count > 10);
    CHECK_NEAR(t.jump, t.impact_energy, 1e-13 * t.energy);
    double most = 0.0;
    for (int i = 0; i < t.count; i++) most = fmax(most, fabs(t.list[i].separation + t.list[i].approach));
    CHECK(most > 1e-6); // they are no jumps in the Hamiltonian
    scene_run_end(&r);
}

// A ball on its way between two walls, in steps of 1 s: its collisions of a step cut it.
TEST(substeps_are_the_pieces_between_collisions) {
    scene_run r = scene_run_begin("cradle-2", "exact", 0.05, NULL);
    for (int i = 0; i < 40; i++) {
        carom_step_report report;
        carom_step(r.model, r.state, NULL, &report, NULL);
        // 1.3469, 1.3738 s and 1.4007 s: steps 27 and 29; both ends of the row are clusters of their own at first.
        if (i == 26) CHECK(report.substeps >= 3);
        if (i == 28) CHECK(report.substeps >= 2);
        if (i < 26 || i > 28) CHECK_INT(report.substeps, 1);
    }
    scene_run_end(&r);
}

// A ball that a wall sends to another one, in one step: `impulse` moves it alone at first, and again with the other one
// that it has come near. What the first attempt has met is not told twice.
TEST(attempts_that_do_not_count_are_not_told) {
    static const carom_method methods[] = {CAROM_METHOD_EXACT, CAROM_METHOD_IMPULSE};
    for (int k = 0; k < 2; k++) {
        carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
        carom_material smooth = touching_material(model, 0.0, 1.0);
        carom_model_shape ball = touching_sphere(model, 0.1);
        touching_add(model, touching_box(model, 1.0, 1.0, 1.0), smooth, 0.0, (carom_vec3){-1.5, 0.0, 0.0});
        carom_body_def first = touching_def(model, ball, smooth, 2.0, (carom_vec3){-0.8, 0.0, 0.0});
        first.velocity.x = -9.0;
        world_add(model, &first);
        touching_add(model, ball, smooth, 2.0, (carom_vec3){1.6, 0.0, 0.0});
        carom_state *state = world_state(model, methods[k], 0.4);
        world_run(state, 1);
        int count;
        const carom_collision *c = carom_state_collisions(state, &count);
        if (CHECK_INT(count, 2)) {
            CHECK_NEAR(c[0].time, 0.1 / 9.0, 1e-9);
            CHECK_NEAR(c[1].time, (0.1 + 2.3) / 9.0, 1e-9);
            CHECK_INT(c[0].a.index + 10 * c[0].b.index, 10);
            CHECK_INT(c[1].a.index + 10 * c[1].b.index, 21);
            CHECK_NEAR(c[1].impulse.x, 18.0, 1e-8);
            CHECK_NEAR(c[1].energy_before, 81.0, 1e-7);
        }
        world_destroy(state);
    }
}

// ---- E_d

// Free fall: E_d of a step is the energy less m g^2 h^2/8, whatever the method.
TEST(the_discrete_energy_of_free_fall_is_known) {
    static const char *const methods[] = {"variational", "potential", "exact", "dcr"};
    for (int k = 0; k < 4; k++) {
        double h = 0.01, less = 0.0;
        scene_run r = scene_run_begin("falling-polyhedra", methods[k], h, NULL);
        for (int b = 0; b < r.model->bodies.count; b++) {
            const crm_body *body = &r.model->bodies.items[b];
            if (body->kind != CAROM_BODY_FIXED) less += body->mass * 9.81 * 9.81 * h * h / 8.0;
        }
        for (int i = 0; i < 20; i++) {
            carom_step_report report;
            carom_step(r.model, r.state, NULL, &report, NULL);
            double energy = report.energy.kinetic + report.energy.potential;
            CHECK_NEAR(report.discrete_energy, energy - less, 1e-12 * energy);
        }
        scene_run_end(&r);
    }
}

// Methods that have none tell none.
TEST(other_methods_have_no_discrete_energy) {
    scene_run r = scene_run_begin("falling-polyhedra", "lcp", 0.001, NULL);
    carom_step_report report;
    carom_step(r.model, r.state, NULL, &report, NULL);
    CHECK(report.discrete_energy == 0.0 && !carom_state_tells_collisions(r.state));
    scene_run_end(&r);
}

typedef struct swing {
    double discrete, hamiltonian; // largest change from the start, J
    double potential;             // largest, J
} swing;

static swing swing_of(const char *method, double step) {
    scene_run r = scene_run_begin("metronome", method, step, NULL);
    swing most = {0.0, 0.0, 0.0};
    for (int i = 0; i < (int)lround(0.4 / step); i++) {
        carom_step_report report;
        carom_step(r.model, r.state, NULL, &report, NULL);
        most.discrete = fmax(most.discrete, fabs(report.discrete_energy - r.energy));
        most.hamiltonian = fmax(most.hamiltonian, fabs(report.energy.kinetic + report.energy.potential - r.energy));
        most.potential = fmax(most.potential, report.energy.potential);
    }
    scene_run_end(&r);
    return most;
}

// The metronome with joint and collision: E_d leaves the energy farther than H_d does, both at order 2.
TEST(the_discrete_energy_swings_more_than_the_hamiltonian) {
    swing coarse = swing_of("exact", 0.01), fine = swing_of("exact", 0.005);
    CHECK(coarse.discrete > 5.0 * coarse.hamiltonian && fine.discrete > 5.0 * fine.hamiltonian);
    CHECK_NEAR(log2(coarse.discrete / fine.discrete), 2.0, 0.1);
    CHECK_NEAR(log2(coarse.hamiltonian / fine.hamiltonian), 2.0, 0.1);
}

// Where the contact is deepest all of the energy is in its potential, and E_d has that in the middle of the
// step.
TEST(the_discrete_energy_has_the_contact_potential) {
    swing most = swing_of("potential", 0.000625);
    CHECK(most.potential > 3.0);
    CHECK_NEAR(most.discrete, 0.0, 1e-3);
}

TEST_MAIN(CASE(the_cradle_collides_when_it_must), CASE(times_of_falling_polyhedra_are_those_of_impulse),
          CASE(every_collision_of_the_prisms_is_told), CASE(times_of_the_prisms_are_those_of_impulse_at_order_2),
          CASE(jumps_in_the_discrete_energy_are_told_as_such), CASE(substeps_are_the_pieces_between_collisions),
          CASE(attempts_that_do_not_count_are_not_told), CASE(the_discrete_energy_of_free_fall_is_known),
          CASE(other_methods_have_no_discrete_energy), CASE(the_discrete_energy_swings_more_than_the_hamiltonian),
          CASE(the_discrete_energy_has_the_contact_potential))
