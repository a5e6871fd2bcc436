// SPDX-License-Identifier: MIT
// What contacts do to momenta: the split into normal, sliding and fixed parts (docs/math.md 7.4, 10.7). A contact that
// is hit alone has the impulse of the algebraic law (dcr_single.c); here, any number of them that are hit at
// once.
//
// The sum of the gaps' gradients with one multiplier is wrong: it pulls where contacts are hit unequally. Here every
// contact has its own:
//   P_I    0 <= J v_I  _|_  r_I >= 0        what is left is the closest velocity that leads nowhere into overlap
//   P_II   the same with Coulomb's law in the tangents: exact cones
//   j = e r_I + r_II
// With e = 1 and without friction this reverses p_norm, and keeps the energy exactly (Moreau); with one e for all it
// never adds energy: with |.| in the metric of the masses, dT <= -(|P_II| - e |P_I|)^2/2 - e (1 - e) |P_I|^2.
//
// Only contacts that approach each other are hit; those that this drives together are hit after them, so that an
// impact is handed through a row of bodies that touch. What approaches only by the forces of this step rests, and has
// no restitution; at last all that touch are stopped together where they still approach.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/contacts/problem_body.h"
#include "step/dcr/dcr.h"

// Impacts one after the other; and solutions of one, for the friction cones.
enum { MOST_IMPACTS = 60, MOST_CONES = 12 };
// Velocities below this share of those of the bodies are roundings. Cones are found to this share.
static const double still_share = 1e-12, cone_tolerance = 1e-9;
// By how much a friction cone may be wider than (1 + e) times the contact's own.
static const double widest = 2.0;
// The largest multiple of the velocity gained by forces in a step that counts as pressing; and that of elastic
// contacts.
static const double most_gains = 5.0, least_gains = 1.5;

// ---- who is hit

bool crm_dcr_approaches(const crm_dcr *dcr, int c) {
    const crm_contact_site *site = &dcr->found.sites.items[c];
    const int ends[] = {site->a, site->b};
    double u[3], sum = 0.0;
    for (int e = 0; e < 2; e++)
        sum += crm_length(dcr->twist[ends[e]].linear) + site->size * crm_length(dcr->twist[ends[e]].angular);
    crm_dcr_contact_velocity(dcr, &dcr->found.sites.items[c], dcr->twist, u);
    return u[0] < -still_share * sum;
}

static bool touches(const crm_contact_site *site) {
    return site->gap <= CRM_DCR_TOUCH * site->size;
}

// Whether two that approach each other rebound: not if forces press them together. At a touch, what comes back before a
// step is over does not. Where the step ends, a bounce with restitution e comes back with up to e times its speed and
// what forces add in a step: below that over 1 - e it never ends. What is elastic only has to be faster than what
// forces add, which is all that presses bodies that rest.
static bool rebounds(const crm_dcr *dcr, const crm_contact_site *site) {
    double e = site->restitution, now[3], gained[3];
    if (e == 0.0) return false;
    crm_dcr_contact_velocity(dcr, site, dcr->twist, now);
    crm_dcr_contact_velocity(dcr, site, dcr->gained, gained);
    if (dcr->moment == CRM_DCR_AT_TOUCH) return -e * now[0] > -0.5 * gained[0];
    return -now[0] > (e == 1.0 ? least_gains : fmin(1.0 / (1.0 - e), most_gains)) * -gained[0];
}

// Lists the contacts that are hit next: `elastic` those that approach and rebound, else all that touch. Velocities
// are in dcr->twist. False: no memory.
static bool find_hits(crm_dcr *dcr, bool elastic) {
    dcr->hits.count = 0;
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        if (!touches(site) || (dcr->aside.count > 0 && dcr->aside.items[c])) continue;
        if (elastic && !(crm_dcr_approaches(dcr, c) && rebounds(dcr, site))) continue;
        if (!CRM_ARRAY_PUSH(&dcr->model->allocator, &dcr->hits, c)) return false;
    }
    return true;
}

static bool any_approaches(const crm_dcr *dcr) {
    for (int i = 0; i < dcr->hits.count; i++)
        if (crm_dcr_approaches(dcr, dcr->hits.items[i])) return true;
    return false;
}

// ---- one impact

static carom_status solve(crm_dcr *dcr, carom_step_report *report, carom_error *error) {
    carom_solve_report solved;
    return crm_dcr_problem_solve(dcr, &solved, report, error);
}

// The problem without friction, or with it from the solution without.
static carom_status build(crm_dcr *dcr, bool rough, carom_error *error) {
    static const double no_offset[3] = {0.0, 0.0, 0.0};
    bool built = crm_dcr_problem_begin(dcr, dcr->twist, false, rough);
    for (int i = 0; i < dcr->hits.count && built; i++) {
        const double start[3] = {rough ? dcr->stop.items[i] : 0.0, 0.0, 0.0};
        built = crm_dcr_problem_add(dcr, &dcr->found.sites.items[dcr->hits.items[i]],
                                    rough ? dcr->friction.items[i] : 0.0, no_offset, start);
    }
    return built ? CAROM_OK : crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for an impact");
}

// The solution without friction: what stops, and restitution of every contact, e r_I, with no e above `most`.
static void set_bounce(crm_dcr *dcr, double most) {
    for (int i = 0; i < dcr->hits.count; i++) {
        const crm_contact_site *site = &dcr->found.sites.items[dcr->hits.items[i]];
        dcr->stop.items[i] = fmax(0.0, dcr->problem.impulse.items[dcr->first_row + i]);
        dcr->bounce.items[i] = fmin(site->restitution, most) * dcr->stop.items[i];
    }
    crm_dcr_problem_twists(dcr, dcr->smooth);
}

// The cone of r for which the whole impulse keeps Coulomb's law, j_t <= mu (r_n + bounce): wider than the contact's own
// by the bounce, but never by more than what problems can be solved with.
static double cone_of(const crm_contact_site *site, double normal, double bounce) {
    double most = widest * (1.0 + site->restitution);
    return site->friction * (normal > 0.0 ? fmin(1.0 + bounce / normal, most) : 1.0);
}

// Whether all impulses keep Coulomb's law with the cones that they were solved with; then these are set to what they
// ought to be. `least`: to what is right in any case.
static bool mend_cones(crm_dcr *dcr, bool least) {
    bool right = true;
    const double *r = dcr->problem.impulse.items + dcr->first_row;
    for (int i = 0; i < dcr->hits.count; r += dcr->problem.groups.items[dcr->first_group + i++].rows) {
        const crm_contact_site *site = &dcr->found.sites.items[dcr->hits.items[i]];
        double *cone = &dcr->friction.items[i];
        if (site->friction == 0.0) continue;
        double wanted = cone_of(site, r[0], dcr->bounce.items[i]), tangential = hypot(r[1], r[2]);
        bool slides = tangential > (1.0 - cone_tolerance) * *cone * r[0];
        bool outside = tangential > (1.0 + cone_tolerance) * wanted * r[0];
        right &= slides ? fabs(wanted - *cone) <= cone_tolerance * wanted : !outside;
        *cone = least ? site->friction : wanted;
        dcr->problem.groups.items[dcr->first_group + i].friction = *cone;
    }
    return right;
}

static bool any_friction(const crm_dcr *dcr) {
    for (int i = 0; i < dcr->hits.count; i++)
        if (dcr->found.sites.items[dcr->hits.items[i]].friction > 0.0) return true;
    return false;
}

static double twist_energy(const crm_dcr *dcr, int b, crm_vec6 twist) {
    const crm_body *body = &dcr->model->bodies.items[b];
    carom_vec3 l = crm_motion_angular_momentum(body, dcr->state->next[b].q, twist.angular);
    return 0.5 * (body->mass * crm_length_squared(twist.linear) + crm_dot(twist.angular, l));
}

// Work of friction: that of the impact less that of the same one without friction. With v_I and v_II after both
// problems, u at the contacts by v_II,
//   W = sum r_t.u_t - sum (1 - e) r_I u_n - 1/2 |v_II - v_I|^2,
// where no term is positive: friction opposes what slip is left, nothing approaches any more.
static double friction_work(crm_dcr *dcr) {
    double work = 0.0;
    const double *r = dcr->problem.impulse.items + dcr->first_row;
    crm_dcr_problem_twists(dcr, dcr->momenta);
    for (int i = 0; i < dcr->hits.count; r += dcr->problem.groups.items[dcr->first_group + i++].rows) {
        double u[3];
        bool cone = dcr->problem.groups.items[dcr->first_group + i].law == CAROM_LAW_CONE;
        crm_dcr_contact_velocity(dcr, &dcr->found.sites.items[dcr->hits.items[i]], dcr->momenta, u);
        if (cone && hypot(u[1], u[2]) > crm_dcr_noise(dcr, dcr->first_group + i)) work += r[1] * u[1] + r[2] * u[2];
        if (u[0] > crm_dcr_noise(dcr, dcr->first_group + i)) work -= (dcr->stop.items[i] - dcr->bounce.items[i]) * u[0];
    }
    for (int b = 0; b < dcr->model->bodies.count; b++)
        work -= twist_energy(dcr, b, crm_vec6_sub(dcr->momenta[b], dcr->smooth[b]));
    return work;
}

static carom_status solve_rough(crm_dcr *dcr, carom_step_report *report, carom_error *error) {
    bool bounces = false;
    for (int i = 0; i < dcr->hits.count; i++) {
        const crm_contact_site *site = &dcr->found.sites.items[dcr->hits.items[i]];
        dcr->friction.items[i] = cone_of(site, dcr->problem.impulse.items[dcr->first_row + i], dcr->bounce.items[i]);
        bounces |= dcr->bounce.items[i] > 0.0;
    }
    carom_status status = build(dcr, true, error);
    for (int i = 0; i <= MOST_CONES && status == CAROM_OK; i++) {
        status = solve(dcr, report, error);
        if (crm_dcr_is_spent(dcr) && i < MOST_CONES) i = MOST_CONES - 1; // one is left, with the least cones
        if (status == CAROM_OK && (!bounces || mend_cones(dcr, i + 1 >= MOST_CONES))) break;
    }
    if (status == CAROM_OK) report->friction_work += friction_work(dcr);
    return status;
}

void crm_dcr_give(crm_dcr *dcr, int c, const double impulse[3]) {
    const crm_contact_site *site = &dcr->found.sites.items[c];
    crm_vec6 on_a[3], on_b[3];
    crm_contact_rows(site, dcr->state->next, on_a, on_b);
    for (int k = 0; k < 3; k++) {
        dcr->total.items[3 * (ptrdiff_t)c + k] += impulse[k];
        dcr->jump[site->a] = crm_vec6_madd(dcr->jump[site->a], impulse[k], on_a[k]);
        dcr->jump[site->b] = crm_vec6_madd(dcr->jump[site->b], impulse[k], on_b[k]);
    }
}

// Gives the impulses of the contacts that are hit, r and the bounce; with a factor of -1 takes them away again.
static void give_all(crm_dcr *dcr, double factor) {
    const double *r = dcr->problem.impulse.items + dcr->first_row;
    for (int i = 0; i < dcr->hits.count; r += dcr->problem.groups.items[dcr->first_group + i++].rows) {
        double j[3] = {factor * (r[0] + dcr->bounce.items[i]), 0.0, 0.0};
        for (int k = 1; k < dcr->problem.groups.items[dcr->first_group + i].rows; k++) j[k] = factor * r[k];
        crm_dcr_give(dcr, dcr->hits.items[i], j);
    }
}

// Momenta in state->next are those before all impacts; joints take what they block.
static void take_momenta(crm_dcr *dcr) {
    const carom_model *model = dcr->model;
    const crm_motion *lifted = dcr->lifted;
    for (int b = 0; b < model->bodies.count; b++) {
        dcr->jump[b] = crm_wrench_projected(model->bodies.items[b].kind, dcr->jump[b]);
        dcr->momenta[b] = crm_vec6_add(crm_vec6_of(lifted[b].p, lifted[b].l), dcr->jump[b]);
    }
    if (model->joints.count > 0) crm_null_space_project(&dcr->space, dcr->state->next, dcr->momenta, dcr->momenta);
    for (int b = 0; b < model->bodies.count; b++) {
        crm_motion *m = &dcr->state->next[b];
        m->p = dcr->momenta[b].linear, m->l = dcr->momenta[b].angular;
    }
}

static double kinetic_energy(const crm_dcr *dcr) {
    double sum = 0.0;
    for (int b = 0; b < dcr->model->bodies.count; b++)
        sum += crm_motion_kinetic_energy(&dcr->model->bodies.items[b], &dcr->state->next[b]);
    return sum;
}

static carom_status resolve_once(crm_dcr *dcr, double most, carom_step_report *report, carom_error *error) {
    carom_status status = build(dcr, false, error);
    if (status == CAROM_OK) status = solve(dcr, report, error);
    if (status != CAROM_OK) return status;
    set_bounce(dcr, most);
    if (any_friction(dcr)) status = solve_rough(dcr, report, error);
    if (status != CAROM_OK) return status;
    give_all(dcr, 1.0);
    take_momenta(dcr);
    return CAROM_OK;
}

static double least_restitution(const crm_dcr *dcr) {
    double least = 1.0;
    for (int i = 0; i < dcr->hits.count; i++)
        least = fmin(least, dcr->found.sites.items[dcr->hits.items[i]].restitution);
    return least;
}

// Contacts of different restitution that are hit at once can add energy: then the least one is that of all.
static carom_status impact_group(crm_dcr *dcr, bool elastic, carom_step_report *report, carom_error *error) {
    const carom_allocator *allocator = &dcr->model->allocator;
    int count = dcr->hits.count;
    if (!CRM_ARRAY_RESIZE(allocator, &dcr->stop, count) || !CRM_ARRAY_RESIZE(allocator, &dcr->bounce, count) ||
        !CRM_ARRAY_RESIZE(allocator, &dcr->friction, count))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for an impact");
    double before = kinetic_energy(dcr), least = least_restitution(dcr), work = report->friction_work;
    carom_status status = resolve_once(dcr, elastic ? 1.0 : 0.0, report, error);
    if (status != CAROM_OK || !elastic || least == 1.0 || kinetic_energy(dcr) <= before) return status;
    give_all(dcr, -1.0);
    report->friction_work = work;
    return resolve_once(dcr, least, report, error);
}

static carom_status resolve_hits(crm_dcr *dcr, bool elastic, carom_step_report *report, carom_error *error) {
    int count = dcr->hits.count;
    crm_dcr_resolve_singles(dcr, elastic, report);
    // What is left may only touch: the problem of that would be one of roundings.
    bool group = any_approaches(dcr);
    if (dcr->hits.count < count) take_momenta(dcr);
    return group ? impact_group(dcr, elastic, report, error) : CAROM_OK;
}

// What the forces of a step add to velocities.
static void find_gains(crm_dcr *dcr) {
    crm_motion *gain = dcr->lifted; // which is filled after this
    double h = dcr->state->method.step;
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        crm_vec6 force = dcr->flight[b].force;
        gain[b] = (crm_motion){.p = crm_scale(h, force.linear), .l = crm_scale(h, force.angular)};
    }
    crm_dcr_twists(dcr, gain, dcr->gained);
}

carom_status crm_dcr_impact(crm_dcr *dcr, crm_dcr_moment moment, carom_step_report *report, carom_error *error) {
    dcr->moment = moment;
    int numbers = 3 * dcr->found.found_count;
    if (!CRM_ARRAY_RESIZE(&dcr->model->allocator, &dcr->total, numbers))
        return crm_fail_memory(error, "impulses", (size_t)numbers * sizeof(double));
    if (numbers > 0) memset(dcr->total.items, 0, (size_t)numbers * sizeof(double));
    find_gains(dcr);
    memcpy(dcr->lifted, dcr->state->next, (size_t)dcr->model->bodies.count * sizeof *dcr->lifted);
    crm_dcr_twists(dcr, dcr->state->next, dcr->arrived);
    double before = kinetic_energy(dcr);
    carom_status status = CAROM_OK;
    for (int i = 0; i <= MOST_IMPACTS && status == CAROM_OK; i++) {
        if (crm_dcr_is_spent(dcr)) i = MOST_IMPACTS;
        bool elastic = i < MOST_IMPACTS;
        crm_dcr_twists(dcr, dcr->state->next, dcr->twist);
        if (!find_hits(dcr, elastic)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for an impact");
        if (elastic && dcr->hits.count == 0) {
            i = MOST_IMPACTS - 1; // the last one is left
            continue;
        }
        if (dcr->hits.count > 0) status = resolve_hits(dcr, elastic, report, error);
    }
    report->impact_energy += kinetic_energy(dcr) - before;
    return status;
}
