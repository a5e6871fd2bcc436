// SPDX-License-Identifier: MIT
// Adding forces of two points: what is refused, and the numbers that laws are evaluated by.
#include "base/fail.h"
#include "model/field/pair_laws.h"
#include "model/force/force_check.h"

// Powers beyond this are walls, and their numbers overflow on either side of one distance.
static const double largest_exponent = 100.0;
// Points of a table: what memory for them is never refused.
enum { MOST_POINTS = 10000000 };

carom_pair_def carom_pair_def_default(void) {
    return (carom_pair_def){.struct_size = sizeof(carom_pair_def), .a = {-1}, .b = {-1}};
}

static carom_status check_exponent(const char *what, double value, carom_error *error) {
    if (value >= 0.0 && value <= largest_exponent) return CAROM_OK;
    return crm_refuse(error, "pair: %s is %g, must be from 0 to %g", what, value, largest_exponent);
}

static carom_status check_ends(const carom_model *model, const carom_pair_def *def, carom_error *error) {
    carom_status status = crm_force_check_body(model, def->a, true, "pair", error);
    if (status == CAROM_OK) status = crm_model_check_body(model, def->b, true, "pair", error);
    if (status == CAROM_OK && def->a.index == def->b.index)
        status = crm_refuse(error, "pair: both points are on the same body; take two different ones");
    if (status == CAROM_OK) status = crm_force_check_point(model, def->a, "pair", "point_a", def->point_a, error);
    if (status == CAROM_OK) status = crm_force_check_point(model, def->b, "pair", "point_b", def->point_b, error);
    return status;
}

// ---- laws

static carom_status add_spring(carom_model *model, const carom_pair_def *def, carom_error *error) {
    carom_spring_def spring = carom_spring_def_default();
    spring.a = def->a, spring.b = def->b;
    spring.point_a = def->point_a, spring.point_b = def->point_b;
    spring.stiffness = def->stiffness;
    spring.rest_length = def->rest_length;
    return carom_model_add_spring(model, &spring, error);
}

static carom_status make_charge(const carom_model *model, const carom_pair_def *def, crm_pair_potential *pair,
                                carom_error *error) {
    carom_status status = crm_force_check_number("pair", "charge_a", def->charge_a, error);
    if (status == CAROM_OK) status = crm_force_check_number("pair", "charge_b", def->charge_b, error);
    pair->kind = CRM_PAIR_POTENTIAL_CHARGES;
    pair->strength = model->coulomb_constant * def->charge_a * def->charge_b;
    return status;
}

static carom_status make_power(carom_model *model, const carom_pair_def *def, crm_pair_potential *pair,
                               carom_error *error) {
    carom_status status = crm_force_check_number("pair", "repulsion", def->repulsion, error);
    if (status == CAROM_OK) status = crm_force_check_number("pair", "attraction", def->attraction, error);
    if (status == CAROM_OK) status = check_exponent("repulsion_exponent", def->repulsion_exponent, error);
    if (status == CAROM_OK) status = check_exponent("attraction_exponent", def->attraction_exponent, error);
    if (status != CAROM_OK) return status;
    crm_power_law *law = crm_model_own(model, sizeof *law);
    if (law == NULL) return crm_force_no_memory("pair", error);
    *law = (crm_power_law){def->repulsion, def->repulsion_exponent, def->attraction, def->attraction_exponent};
    pair->kind = CRM_PAIR_POTENTIAL_POWER;
    pair->law.power = law;
    return CAROM_OK;
}

static carom_status check_table(const carom_pair_def *def, carom_error *error) {
    if (def->count < 2 || def->count > MOST_POINTS || def->distance == NULL || def->force == NULL)
        return crm_refuse(error, "pair: a table of %d points, must have 2 to %d, each a distance and a force",
                          def->count, MOST_POINTS);
    for (int i = 0; i < def->count; i++) {
        if (!isfinite(def->distance[i]) || !isfinite(def->force[i]))
            return crm_refuse(error, "pair: point %d of the table is (%g m, %g N), must be finite", i, def->distance[i],
                              def->force[i]);
        if (def->distance[i] < 0.0)
            return crm_refuse(error, "pair: point %d of the table is at distance %g m, which is below 0", i,
                              def->distance[i]);
        if (i > 0 && !(def->distance[i] > def->distance[i - 1]))
            return crm_refuse(
                error,
                "pair: point %d of the table is at %g m, not farther than the one before it, at %g m; sort "
                "the points by their distances, each once",
                i, def->distance[i], def->distance[i - 1]);
    }
    return CAROM_OK;
}

static carom_status make_table(carom_model *model, const carom_pair_def *def, crm_pair_potential *pair,
                               carom_error *error) {
    carom_status status = check_table(def, error);
    if (status != CAROM_OK) return status;
    size_t bytes = sizeof(crm_table_law) + (size_t)def->count * sizeof(crm_table_cell);
    crm_table_law *law = crm_model_own(model, bytes);
    if (law == NULL) return crm_fail_memory(error, "a table of a pair", bytes);
    law->count = def->count;
    for (int i = 0; i < def->count; i++)
        law->cell[i] = (crm_table_cell){.at = def->distance[i], .force = {def->force[i]}};
    crm_table_law_finish(law, def->smooth);
    pair->kind = CRM_PAIR_POTENTIAL_TABLE;
    pair->law.table = law;
    for (int i = 0; i < law->count; i++) {
        const crm_table_cell *k = &law->cell[i];
        if (!isfinite(k->energy) || !isfinite(k->force[1]) || !isfinite(k->force[2]) || !isfinite(k->force[3]))
            return crm_refuse(error, "pair: the table is too steep at %g m for numbers to hold its slope or its energy",
                              k->at);
    }
    return CAROM_OK;
}

carom_status carom_model_add_pair(carom_model *model, const carom_pair_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = CRM_CHECK_STRUCT(def, carom_pair_def, error);
    if (status == CAROM_OK) status = check_ends(model, def, error);
    if (status != CAROM_OK) return status;
    crm_pair_potential pair = {.a = crm_model_point(model, def->a, def->point_a),
                               .b = crm_model_point(model, def->b, def->point_b)};
    switch (def->law) {
    case CAROM_PAIR_LAW_SPRING:
        return add_spring(model, def, error);
    case CAROM_PAIR_LAW_CHARGE:
        status = make_charge(model, def, &pair, error);
        break;
    case CAROM_PAIR_LAW_POWER:
        status = make_power(model, def, &pair, error);
        break;
    case CAROM_PAIR_LAW_TABLE:
        status = make_table(model, def, &pair, error);
        break;
    default:
        status = crm_refuse(error, "pair: %d is no law; take one of carom_pair_law", (int)def->law);
    }
    if (status != CAROM_OK) return status;
    return CRM_ARRAY_PUSH(&model->allocator, &model->laws, pair) ? CAROM_OK : crm_force_no_memory("pair", error);
}
