// SPDX-License-Identifier: MIT
// Coulomb's law from the table of contacts: the cone, the direction, and contacts that act across a gap. Sums weighted
// by impulses, as single contacts of heaps say nothing.
#include <math.h>

#include "math/vec3.h"
#include "verdict/independent/independent.h"

static const double most_outside = 1e-3; // of the normal impulses
static const double most_across = 0.2;   // of mu times those of contacts that slip
static const double most_apart = 0.05;   // of the normal impulses
static const double far_apart = 0.02;    // of the smaller body's size

typedef struct friction_sums {
    double normal, outside, apart;
    double slipping, across,
        missing; // mu r_n of what slips; r_t across the slip; what mu r_n exceeds r_t against it by
} friction_sums;

static double smaller_size(const physics *p, const carom_contact_state *c) {
    double size = INFINITY;
    if (can_move(p, c->a.index)) size = p->size[c->a.index];
    if (can_move(p, c->b.index)) size = fmin(size, p->size[c->b.index]);
    return size;
}

static void add(const followed_run *run, const physics *p, const carom_contact_state *c, double fastest,
                friction_sums *s) {
    double h = run->method->step, r = hypot(c->tangent_impulse[0], c->tangent_impulse[1]);
    s->normal += c->normal_impulse;
    s->outside += fmax(0.0, r - c->friction * c->normal_impulse);
    if (material_of(run, p, c).restitution > 0.0) return; // in an impact slip may go to and fro
    double gap = c->gap + h * c->normal_velocity - run->method->lcp.barrier;
    if (gap > far_apart * smaller_size(p, c)) s->apart += c->normal_impulse;
    double slip = hypot(c->slip[0], c->slip[1]);
    if (!(slip > 0.1 * crm_length(p->gravity) * h && slip > 1e-3 * fastest)) return;
    double along = (c->tangent_impulse[0] * c->slip[0] + c->tangent_impulse[1] * c->slip[1]) / slip;
    double across = (c->tangent_impulse[0] * c->slip[1] - c->tangent_impulse[1] * c->slip[0]) / slip;
    s->slipping += c->friction * c->normal_impulse;
    s->across += fabs(across);
    s->missing += fmax(0.0, c->friction * c->normal_impulse + along);
}

// Of the bodies that the island has.
static double fastest_of(const followed_run *run, const physics *p, int island) {
    double fastest = 0.0;
    for (int64_t i = 0; i < run->frames; i++)
        for (int k = 0; k < run->bodies; k++)
            if (p->island[k] == island) fastest = fmax(fastest, crm_length(frame_of(run, i)[k].velocity));
    return fastest;
}

void find_friction(const followed_run *run, const physics *p, finding *f) {
    // Of one moment are gap, slip and impulse in `lcp` only; `impulse` adds up those of several impacts of a step.
    bool solved = run->method->method == CAROM_METHOD_LCP;
    if (run->method->method == CAROM_METHOD_IMPULSE) return;
    for (int island = 0; island < p->island_count; island++) {
        double fastest = fastest_of(run, p, island);
        friction_sums s = {0};
        for (int64_t i = 0; i < run->contact_end[run->frames - 1]; i++) {
            const carom_contact_state *c = &run->contact[i];
            int body = can_move(p, c->a.index) ? c->a.index : c->b.index;
            if (c->normal_impulse > 0.0 && p->island[body] == island) add(run, p, c, fastest, &s);
        }
        if (s.normal == 0.0) continue;
        find(f, "impulses outside the cone, of the normal ones", s.outside / s.normal, most_outside);
        if (!solved) continue;
        find(f, "impulses across a gap, of all", s.apart / s.normal, most_apart);
        if (s.slipping < 0.01 * s.normal) continue;
        find(f, "friction across the slip, of all", s.across / s.slipping, most_across);
        find(f, "slip inside the cone, of all", s.missing / s.slipping, most_across);
    }
}
