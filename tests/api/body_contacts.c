// SPDX-License-Identifier: MIT
// The contacts of one body and their resultant: what the table of contacts says, to the bit, seen from the body.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

enum { MOST = 200 };

// Four boxes, one of them sliding, in two stacks on a floor.
static carom_state *stacks(carom_method method, double step, double friction, double restitution) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material material = touching_material(model, friction, restitution);
    carom_model_shape box = touching_box(model, 1.0, 0.8, 0.6);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3(0.0, 0.0, 0.0));
    touching_add(model, box, material, 2.0, crm_vec3(0.0, 0.0, 0.3));
    touching_add(model, box, material, 3.0, crm_vec3(0.1, 0.05, 0.9));
    carom_body_def slider = touching_def(model, box, material, 1.0, crm_vec3(3.0, 0.0, 0.3));
    slider.velocity = crm_vec3(1.0, 0.3, 0.0);
    world_add(model, &slider);
    touching_add(model, box, material, 0.5, crm_vec3(0.0, 3.0, 0.3));
    carom_method_def def = carom_method_def_default();
    def.method = method;
    def.step = step;
    def.lcp.tolerance = 1e-6;
    def.lcp.budget = 20.0;
    return touching_state(model, &def);
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a == 0.0 && b == 0.0);
}

static bool same_vector(carom_vec3 a, carom_vec3 b) {
    return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

static carom_vec3 impulse_of(const carom_contact_state *c) {
    carom_vec3 second = crm_cross(c->normal, c->tangent);
    carom_vec3 along = crm_madd(crm_scale(c->normal_impulse, c->normal), c->tangent_impulse[0], c->tangent);
    return crm_madd(along, c->tangent_impulse[1], second);
}

// A contact as the table has it, and the same seen from one of its bodies.
static void check_contact(const carom_contact_state *table, const carom_contact_state *own, int body) {
    bool second = table->b.index == body;
    double sign = second ? 1.0 : -1.0;
    CHECK_INT(own->b.index, body);
    CHECK_INT(own->a.index, second ? table->a.index : table->b.index);
    CHECK(same_vector(own->point, table->point));
    CHECK(same_vector(own->normal, crm_scale(sign, table->normal)));
    CHECK(same(own->gap, table->gap) && same(own->friction, table->friction));
    CHECK(same(own->normal_impulse, table->normal_impulse) && same(own->normal_velocity, table->normal_velocity));
    CHECK_INT(own->status, table->status);
    CHECK(same_vector(impulse_of(own), crm_scale(sign, impulse_of(table))));
    carom_vec3 slip =
        crm_madd(crm_scale(table->slip[0], table->tangent), table->slip[1], crm_cross(table->normal, table->tangent));
    carom_vec3 own_slip =
        crm_madd(crm_scale(own->slip[0], own->tangent), own->slip[1], crm_cross(own->normal, own->tangent));
    CHECK(same_vector(own_slip, crm_scale(sign, slip)));
}

// One body against the table. `centre` is its centre of mass when the step began.
static carom_wrench check_body(const carom_state *state, int body, carom_vec3 centre) {
    static carom_contact_state own[MOST];
    int table_count = 0, count = -1, seen = 0;
    const carom_contact_state *table = carom_state_contacts(state, &table_count);
    CHECK_INT(carom_state_get_body_contacts(state, (carom_body){body}, MOST, own, &count, NULL), CAROM_OK);
    carom_vec3 impulse = {0}, moment = {0};
    for (int i = 0; i < table_count; i++) {
        if (table[i].a.index != body && table[i].b.index != body) continue;
        if (!CHECK(seen < count)) break;
        check_contact(&table[i], &own[seen], body);
        carom_vec3 one = impulse_of(&own[seen++]);
        impulse = crm_add(impulse, one);
        moment = crm_add(moment, crm_cross(crm_sub(table[i].point, centre), one));
    }
    CHECK_INT(count, seen);
    carom_wrench force;
    CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){body}, &force, NULL), CAROM_OK);
    double step = carom_state_method(state)->step;
    CHECK_INT(force.body.index, body);
    CHECK(same_vector(force.force, crm_scale(1.0 / step, impulse)));
    CHECK(same_vector(force.torque, crm_scale(1.0 / step, moment)));
    return force;
}

static void check_method(carom_method method, double step, double friction, double restitution, int steps) {
    carom_state *state = stacks(method, step, friction, restitution);
    int bodies = carom_model_body_count(carom_state_model(state)), most = 0;
    for (int k = 0; k < steps; k++) {
        carom_vec3 centre[8];
        for (int b = 0; b < bodies; b++) centre[b] = world_body(state, b).position;
        carom_step_report report = {0};
        carom_error error;
        if (!CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, &error), CAROM_OK)) break;
        for (int b = 0; b < bodies; b++) check_body(state, b, centre[b]);
        int count;
        carom_state_contacts(state, &count);
        most = count > most ? count : most;
    }
    CHECK(most > 0);
    world_destroy(state);
}

TEST(contacts_and_resultants_are_those_of_the_table_under_lcp) {
    check_method(CAROM_METHOD_LCP, 1.0 / 240, 0.5, 0.0, 40);
}

TEST(contacts_and_resultants_are_those_of_the_table_under_other_methods) {
    check_method(CAROM_METHOD_IMPULSE, 1.0 / 240, 0.5, 0.0, 10);
    check_method(CAROM_METHOD_PENALTY, 1e-4, 0.5, 0.0, 20);
    check_method(CAROM_METHOD_DCR, 1.0 / 240, 0.5, 0.0, 10);
}

// Newton's law for every body: the momentum grows by gravity and the contacts, the spin by their torque.
TEST(resultants_under_lcp_are_what_changes_the_momenta) {
    const double step = 1.0 / 240;
    carom_state *state = stacks(CAROM_METHOD_LCP, step, 0.5, 0.0);
    const carom_model *model = carom_state_model(state);
    world_run(state, 3);
    for (int b = 1; b <= 4; b++) {
        carom_body_def def;
        CHECK_INT(carom_model_get_body(model, (carom_body){b}, &def, NULL), CAROM_OK);
        carom_body_state before = world_body(state, b);
        world_run(state, 1);
        carom_body_state after = world_body(state, b);
        carom_wrench force;
        CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){b}, &force, NULL), CAROM_OK);
        carom_vec3 change = crm_scale(def.mass / step, crm_sub(after.velocity, before.velocity));
        change.z += 9.81 * def.mass;
        CHECK_NEAR(crm_distance(change, force.force), 0.0, 1e-9);
        CHECK_NEAR(crm_length(crm_scale(def.inertia.x.x / step, crm_sub(after.spin, before.spin))),
                   crm_length(force.torque), 1e-2 * fmax(1.0, crm_length(force.torque)));
    }
    world_destroy(state);
}

// The floor bears the weight of all: 6.5 kg.
TEST(the_floor_bears_the_weight) {
    carom_state *state = stacks(CAROM_METHOD_LCP, 1.0 / 240, 0.5, 0.0);
    world_run(state, 240);
    carom_wrench force;
    CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){0}, &force, NULL), CAROM_OK);
    CHECK_NEAR(force.force.z, -6.5 * 9.81, 1e-3);
    CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){2}, &force, NULL), CAROM_OK);
    CHECK_NEAR(force.force.z, 3.0 * 9.81, 1e-3);
    world_destroy(state);
}

TEST(a_copied_or_loaded_state_says_the_same) {
    carom_state *state = stacks(CAROM_METHOD_LCP, 1.0 / 240, 0.5, 0.0);
    carom_state *copy = NULL, *loaded = NULL;
    const carom_model *model = carom_state_model(state);
    CHECK_INT(carom_state_create(model, carom_state_method(state), &copy, NULL), CAROM_OK);
    CHECK_INT(carom_state_create(model, carom_state_method(state), &loaded, NULL), CAROM_OK);
    world_run(state, 10);
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(loaded, bytes, size, NULL), CAROM_OK);
    CHECK_INT(carom_state_copy(state, copy, NULL), CAROM_OK);
    for (int b = 0; b <= 4; b++) {
        carom_wrench wanted, got;
        CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){b}, &wanted, NULL), CAROM_OK);
        CHECK_INT(carom_state_get_body_contact_force(copy, (carom_body){b}, &got, NULL), CAROM_OK);
        CHECK(same_vector(wanted.force, got.force) && same_vector(wanted.torque, got.torque));
        CHECK_INT(carom_state_get_body_contact_force(loaded, (carom_body){b}, &got, NULL), CAROM_OK);
        CHECK(same_vector(wanted.force, got.force) && same_vector(wanted.torque, got.torque));
    }
    free(bytes);
    carom_state_destroy(copy);
    carom_state_destroy(loaded);
    world_destroy(state);
}

TEST(what_is_refused_and_what_is_empty) {
    carom_state *state = stacks(CAROM_METHOD_LCP, 1.0 / 240, 0.5, 0.0);
    carom_contact_state own[2];
    carom_wrench force;
    carom_error error;
    int count = -1;
    CHECK_INT(carom_state_get_body_contacts(state, (carom_body){1}, 2, own, &count, &error), CAROM_OK);
    CHECK_INT(count, 0); // no step was made
    CHECK_INT(carom_state_get_body_contact_force(state, (carom_body){1}, &force, &error), CAROM_OK);
    CHECK(same_vector(force.force, crm_vec3(0.0, 0.0, 0.0)) && same_vector(force.torque, crm_vec3(0.0, 0.0, 0.0)));
    world_run(state, 1);
    CHECK_INT(carom_state_get_body_contacts(state, (carom_body){1}, 0, NULL, &count, &error), CAROM_OK);
    CHECK(count > 2);
    CHECK_INT(carom_state_get_body_contacts(state, (carom_body){1}, 2, own, &count, &error), CAROM_OK);
    CHECK(count > 2);
    CHECK_INT(carom_state_get_body_contacts(state, (carom_body){1}, 2, NULL, &count, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "capacity");
    CHECK_INT(carom_state_get_body_contacts(state, (carom_body){9}, 2, own, &count, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "body 9");
    CHECK_INT(carom_state_get_body_contact_force(state, CAROM_WORLD, &force, &error), CAROM_ERR_BAD_INPUT);
    world_destroy(state);
}

TEST_MAIN(CASE(contacts_and_resultants_are_those_of_the_table_under_lcp),
          CASE(contacts_and_resultants_are_those_of_the_table_under_other_methods),
          CASE(resultants_under_lcp_are_what_changes_the_momenta), CASE(the_floor_bears_the_weight),
          CASE(a_copied_or_loaded_state_says_the_same), CASE(what_is_refused_and_what_is_empty))
