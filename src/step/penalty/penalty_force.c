// SPDX-License-Identifier: MIT
// The contacts of a step and their forces.
#include <math.h>

#include "model/force/evaluate.h"
#include "step/certify/accounts.h"
#include "step/penalty/penalty.h"

// Sweeps over the contacts of a step; and changes of velocities that end them, relative to the fastest contact.
enum { MOST_SWEEPS = 50 };
static const double settled = 1e-8;

static crm_penalty_contact contact_of(const carom_model *model, const carom_state *state, const crm_motion *motions,
                                      const crm_contact_site *site, int index) {
    crm_penalty_contact c = {.index = index, .site = *site};
    carom_vec3 u = crm_contact_approach(model, site, motions);
    for (int i = 0; i < 3; i++) c.velocity[i] = crm_dot(site->direction[i], u);
    for (int i = 0; i < 2; i++) c.stretch[i] = state->contact_list.items[index].impulse[1 + i];
    return c;
}

// The mass that a pair's contacts see when they are pressed together: 1/(n.K n) at the mean of their points, with the
// mean of their normals (docs/math.md 7.1). Of a box that lands flat it is that of the bodies, of a rod on its tip
// less.
static double mass_at(const carom_model *model, const carom_state *state, const crm_penalty_contact *c, int count) {
    crm_contact_site mean = c->site;
    carom_vec3 normal = crm_vec3_zero();
    mean.point = crm_vec3_zero();
    for (int i = 0; i < count; i++) {
        mean.point = crm_madd(mean.point, 1.0 / count, c[i].site.point);
        normal = crm_add(normal, c[i].site.direction[0]);
    }
    if (!(crm_normalise(normal, &mean.direction[0]) > 0.0)) mean.direction[0] = c->site.direction[0];
    crm_vec6 on_a[3], on_b[3];
    crm_contact_rows(&mean, state->motions, on_a, on_b);
    const int ends[] = {mean.a, mean.b};
    double inverse = 0.0;
    for (int e = 0; e < 2; e++) {
        crm_vec6 row = crm_wrench_projected(model->bodies.items[ends[e]].kind, e == 0 ? on_a[0] : on_b[0]);
        inverse += crm_vec6_dot(row, crm_velocity_of(model, state, ends[e], row));
    }
    return 1.0 / inverse;
}

// The contacts of one pair, which share its spring and damper equally: however many points a face is touched at, and
// even if one is listed twice, the pair is as stiff as it was.
static bool gather_pair(const carom_model *model, const carom_state *state, const crm_motion *motions,
                        crm_penalty *penalty, int first, int end) {
    const crm_contact_site *sites = penalty->found.sites.items;
    int a = sites[first].a, b = sites[first].b, from = penalty->contacts.count;
    for (int i = first; i < end; i++) {
        if (!(sites[i].gap < 0.0)) continue;
        crm_penalty_contact contact = contact_of(model, state, motions, &sites[i], i);
        if (!CRM_ARRAY_PUSH(&model->allocator, &penalty->contacts, contact)) return false;
    }
    int sharing = penalty->contacts.count - from;
    if (sharing == 0) return true;
    carom_penalty_pair pair = crm_penalty_pair_of(model, &state->method, state->plan.longest, &penalty->memo, a, b);
    if (state->method.penalty.damping == 0.0) {
        double mass = mass_at(model, state, &penalty->contacts.items[from], sharing);
        pair.damping = crm_penalty_damping(mass, state->method.step, pair.stiffness,
                                           crm_penalty_restitution(model, a, b), &penalty->memo);
    }
    for (int i = from; i < penalty->contacts.count; i++) {
        penalty->contacts.items[i].k = pair.stiffness / sharing;
        penalty->contacts.items[i].d = pair.damping / sharing;
    }
    return true;
}

bool crm_penalty_gather(const carom_model *model, const carom_state *state, const crm_motion *motions,
                        crm_penalty *penalty) {
    const crm_contact_list *list = &state->contact_list;
    if (!crm_contact_step_take_sites(&penalty->found, list->items, list->count)) return false;
    const crm_contact_site *sites = penalty->found.sites.items;
    penalty->contacts.count = 0;
    for (int first = 0, end; first < list->count; first = end) {
        for (end = first; end < list->count && sites[end].a == sites[first].a && sites[end].b == sites[first].b;) end++;
        if (!gather_pair(model, state, motions, penalty, first, end)) return false;
    }
    return true;
}

double crm_penalty_tangent_stiffness(const carom_penalty_def *def, const crm_penalty_contact *c) {
    return c->site.friction > 0.0 && def->friction == CAROM_PENALTY_SPRING ? def->tangent_stiffness * c->k : 0.0;
}

// k x (x - h x')/2 of a spring that is stretched by x: with the kinetic energy this is what the step keeps of one that
// is not damped, to the last digit. k x^2/2 beside velocities at the same time is off by a share of the order of h, and
// would be gained from nowhere where bodies begin to overlap.
double crm_penalty_energy(const carom_model *model, const carom_method_def *def, const crm_penalty *penalty,
                          double *of_body) {
    double sum = 0.0, h = def->step;
    for (int b = 0; b < model->bodies.count; b++) of_body[b] = 0.0;
    for (int i = 0; i < penalty->contacts.count; i++) {
        const crm_penalty_contact *c = &penalty->contacts.items[i];
        double energy = 0.5 * c->k * c->site.gap * (c->site.gap - h * c->velocity[0]);
        for (int i = 0; i < 2; i++)
            energy += 0.5 * crm_penalty_tangent_stiffness(&def->penalty, c) * c->stretch[i] *
                      (c->stretch[i] - h * c->velocity[1 + i]);
        sum += energy;
        crm_energy_add_to_body(model, c->site.a, c->site.b, energy, of_body, sizeof *of_body);
    }
    return sum;
}

// The largest share eta in 0 to 1 of the vector `add` that keeps |from + eta add| <= radius; |from| is not above it.
static double share_inside(const double *from, const double *add, double radius) {
    double a = add[0] * add[0] + add[1] * add[1], b = from[0] * add[0] + from[1] * add[1];
    double c = from[0] * from[0] + from[1] * from[1] - radius * radius;
    if (a + 2.0 * b + c <= 0.0) return 1.0;
    if (!(c < 0.0)) return b < 0.0 ? fmin(1.0, -2.0 * b / a) : 0.0;
    double root = sqrt(fmax(0.0, b * b - a * c));
    return fmin(1.0, b > 0.0 ? -c / (b + root) : (root - b) / a);
}

// ---- forces
//
// Dampers act on the velocities at the end of the step, which forces of other contacts change too: forces are found by
// sweeps over all contacts, each time with what the others have come to. A damper of any strength takes energy then,
// after however many sweeps: what they minimise, 1/2 r.W r + r.u + sum of r^2/(2 h d) of the dampers' impulses r, is 0
// without dampers and only falls.

static void find_rows(const carom_model *model, const carom_state *state, const crm_penalty_contact *c,
                      crm_penalty_rows *rows) {
    const int ends[] = {c->site.a, c->site.b};
    rows->count = c->site.friction > 0.0 ? 3 : 1;
    crm_contact_rows(&c->site, state->motions, rows->on[0], rows->on[1]);
    for (int k = 0; k < rows->count; k++) {
        rows->own[k] = 0.0;
        for (int e = 0; e < 2; e++) {
            crm_vec6 *on = &rows->on[e][k];
            *on = crm_wrench_projected(model->bodies.items[ends[e]].kind, *on);
            rows->answer[e][k] = crm_velocity_of(model, state, ends[e], *on);
            rows->own[k] += crm_vec6_dot(*on, rows->answer[e][k]);
        }
    }
}

// One contact in a sweep.
typedef struct visit {
    crm_penalty_contact *contact;
    const crm_penalty_rows *rows;
    crm_vec6 *a, *b; // twists of its bodies
    double h;
} visit;

static double rate(const visit *v, int k) {
    return crm_vec6_dot(v->rows->on[0][k], *v->a) + crm_vec6_dot(v->rows->on[1][k], *v->b);
}

// The rate along a row without the contact's own force along it.
static double rate_without(const visit *v, int k) {
    return rate(v, k) - v->h * v->rows->own[k] * v->contact->force[k];
}

static double set_force(visit *v, int k, double force) {
    crm_penalty_contact *c = v->contact;
    double change = v->h * (force - c->force[k]);
    c->force[k] = force;
    *v->a = crm_vec6_madd(*v->a, change, v->rows->answer[0][k]);
    *v->b = crm_vec6_madd(*v->b, change, v->rows->answer[1][k]);
    return fabs(change) * v->rows->own[k];
}

// The spring, with what a damper adds that acts on the velocity that comes of both.
static double push(visit *v) {
    crm_penalty_contact *c = v->contact;
    double spring = -c->k * c->site.gap, free = rate_without(v, 0);
    return set_force(v, 0, fmax(0.0, (spring - c->d * free) / (1.0 + v->h * c->d * v->rows->own[0])));
}

// Friction: first the spring, cut to what the cone allows, then as much of the damper as the cone still has room for.
// The spring gives back no more than it was given, and the damper is against the slip: friction adds no energy.
static double rub(const carom_penalty_def *def, visit *v) {
    crm_penalty_contact *c = v->contact;
    double k = crm_penalty_tangent_stiffness(def, c), d = def->tangent_stiffness * c->d,
           most = c->site.friction * c->force[0], pull = k * hypot(c->stretch[0], c->stretch[1]);
    double spring[2], damper[2], changed = 0.0;
    c->kept = pull > most ? most / pull : 1.0;
    for (int i = 0; i < 2; i++) {
        double own = v->h * v->rows->own[1 + i];
        spring[i] = -c->kept * k * c->stretch[i];
        damper[i] = -d * (rate_without(v, 1 + i) + own * spring[i]) / (1.0 + d * own);
    }
    double share = share_inside(spring, damper, most);
    c->slides = pull > most || share < 1.0;
    c->rubbed = 0.0;
    for (int i = 0; i < 2; i++) {
        c->damped[1 + i] = share * damper[i];
        changed = fmax(changed, set_force(v, 1 + i, spring[i] + c->damped[1 + i]));
    }
    for (int i = 0; i < 2; i++) c->rubbed += v->h * c->damped[1 + i] * rate(v, 1 + i);
    return changed;
}

static double visit_contact(const carom_state *state, crm_penalty *penalty, int i) {
    crm_penalty_contact *c = &penalty->contacts.items[i];
    visit v = {c, &penalty->rows.items[i], &penalty->twist[c->site.a], &penalty->twist[c->site.b], state->method.step};
    double changed = push(&v);
    return v.rows->count > 1 ? fmax(changed, rub(&state->method.penalty, &v)) : changed;
}

// What springs along the surface lose by giving way, of the energy that crm_penalty_energy tells of them, and what
// dampers take.
static void settle(carom_state *state, crm_penalty_contact *c, carom_step_report *report) {
    double k = crm_penalty_tangent_stiffness(&state->method.penalty, c), h = state->method.step, lost = 0.0;
    for (int i = 0; i < 2; i++) {
        double was = c->stretch[i], way = h * c->velocity[1 + i];
        c->stretch[i] *= c->kept;
        lost += 0.5 * k * (c->stretch[i] * (c->stretch[i] - way) - was * (was - way));
    }
    c->damped[0] = c->force[0] + c->k * c->site.gap;
    state->spent += lost;
    crm_ledger_add(state, c->site.a, c->site.b, CRM_LINE_FRICTION, lost);
    report->friction_work += fmin(0.0, lost) + fmin(0.0, c->rubbed);
}

bool crm_penalty_press(const carom_model *model, carom_state *state, crm_penalty *penalty, carom_step_report *report) {
    // What gravity adds in a step counts as a velocity: of what rests there is no other.
    double fastest = state->method.step * crm_length(model->gravity);
    if (!CRM_ARRAY_RESIZE(&model->allocator, &penalty->rows, penalty->contacts.count)) return false;
    for (int b = 0; b < model->bodies.count; b++) penalty->twist[b] = penalty->motion.free[b];
    for (int i = 0; i < penalty->contacts.count; i++) {
        const crm_penalty_contact *c = &penalty->contacts.items[i];
        find_rows(model, state, c, &penalty->rows.items[i]);
        for (int k = 0; k < 3; k++) fastest = fmax(fastest, fabs(c->velocity[k]));
    }
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double changed = 0.0;
        for (int i = 0; i < penalty->contacts.count; i++) changed = fmax(changed, visit_contact(state, penalty, i));
        if (changed <= settled * fastest) break;
    }
    for (int i = 0; i < penalty->contacts.count; i++) settle(state, &penalty->contacts.items[i], report);
    return true;
}
