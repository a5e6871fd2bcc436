// SPDX-License-Identifier: MIT
// The laws of a collision side by side, for people.
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "pair/impact_report.h"

// Rounding must not look like information: what is below 1e-14 of `scale` is shown as zero.
static void print_number(double value, double scale) {
    printf(" %14.7g", fabs(value) <= 1e-14 * scale ? 0.0 : value);
}

static double size_of(carom_vec3 v) {
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

typedef carom_vec3 vector_of(const impact_report *report, int law);

static carom_vec3 impulse(const impact_report *report, int law) {
    return report->law[law].result.impulse;
}

static carom_vec3 velocity(const impact_report *report, int law) {
    return report->law[law].result.velocity;
}

static carom_vec3 velocity_a(const impact_report *report, int law) {
    return report->law[law].velocity_a;
}

static carom_vec3 spin_a(const impact_report *report, int law) {
    return report->law[law].spin_a;
}

static carom_vec3 velocity_b(const impact_report *report, int law) {
    return report->law[law].velocity_b;
}

static carom_vec3 spin_b(const impact_report *report, int law) {
    return report->law[law].spin_b;
}

// Three rows, one a component.
static void print_vectors(const impact_report *report, const char *name, const char *unit, vector_of *get) {
    double scale = 0.0;
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) scale = fmax(scale, size_of(get(report, law)));
    for (int axis = 0; axis < 3; axis++) {
        printf("%-14s %c %-6s", axis == 0 ? name : "", "xyz"[axis], axis == 0 ? unit : "");
        for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
            carom_vec3 v = get(report, law);
            print_number(axis == 0 ? v.x : axis == 1 ? v.y : v.z, scale);
        }
        printf("\n");
    }
}

static void print_before(const impact_report *report) {
    const carom_impact_pair *pair = &report->collision.pair;
    carom_vec3 u = report->impact.velocity;
    if (report->collision.name[0] != '\0') {
        print_clean(stdout, report->collision.name);
        printf("\n");
    }
    printf("friction %g, restitution %g, tangential %g\n", pair->friction, pair->restitution, pair->tangential);
    printf("before: u (%.7g, %.7g, %.7g) m/s, energy %.7g J\n\n", u.x, u.y, u.z, report->law[0].energy_before);
}

static void print_phases(const carom_impact_result *r) {
    char shown[64] = "-";
    int used = 0;
    for (int i = 0; i < r->phase_count; i++)
        used += snprintf(shown + used, sizeof shown - (size_t)used, "%s%s", i > 0 ? "," : "",
                         carom_impact_phase_name(r->phases[i]));
    printf(" %14s", shown);
}

void print_impacts(const impact_report *report) {
    const carom_impact_pair *pair = &report->collision.pair;
    print_before(report);
    printf("%-23s", "after");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        printf(" %14s", carom_impact_law_name((carom_impact_law)law));
    printf("\n");
    print_vectors(report, "impulse on b", "N s", impulse);
    print_vectors(report, "u", "m/s", velocity);
    if (!pair->a.fixed) {
        print_vectors(report, "velocity of a", "m/s", velocity_a);
        print_vectors(report, "spin of a", "rad/s", spin_a);
    }
    if (!pair->b.fixed) {
        print_vectors(report, "velocity of b", "m/s", velocity_b);
        print_vectors(report, "spin of b", "rad/s", spin_b);
    }
    printf("%-23s", "energy           J");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) printf(" %14.7g", report->law[law].energy_after);
    printf("\n%-23s", "change of it     J");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        print_number(report->law[law].result.work, report->law[law].energy_before);
    printf("\n%-23s", "|j_t|/(mu j_n)");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) printf(" %14.7g", report->law[law].result.cone_ratio);
    printf("\n%-23s", "place in the cone");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        printf(" %14s", carom_cone_place_name(report->law[law].result.place));
    printf("\n%-23s", "slip after");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        printf(" %14s", report->law[law].result.sticks ? "none" : "slides");
    printf("\n%-23s", "on the way");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) print_phases(&report->law[law].result);
    printf("\n");
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        if (report->law[law].result.gains_energy)
            printf("%s gains energy: no bodies do that\n", carom_impact_law_name((carom_impact_law)law));
}
