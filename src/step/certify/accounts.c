// SPDX-License-Identifier: MIT
#include "step/certify/accounts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/forest.h"
#include "math/order.h"
#include "model/force/acting.h"
#include "model/saved/saved_check.h"
#include "shape/shape.h"
#include "step/certify/contact_sums.h"

// The weight of an island over this share of its bodies' sizes belongs to its scale: what rests has no other.
static const double share_of_weight = 1e-3;

// Of a flexible body at rest: below it energies say nothing.
static const double small_strain = 1e-9;

// Steps of a fall after which its energy is a measure of what the method loses.
static const double falling_steps = 10.0;

// ---- islands

static double scale_of(const crm_island_account *i) {
    return i->kinetic_most + (i->potential_most - i->potential_least) + i->weight;
}

static crm_share share_of(double value, int64_t step, double scale, crm_share former) {
    double share = value > 0.0 ? value / scale : 0.0;
    if (isnan(share)) share = INFINITY;
    return share > former.value ? (crm_share){share, step} : former;
}

static crm_share larger_share(crm_share a, crm_share b) {
    return b.value > a.value ? b : a;
}

// Where the swing stands now counts of both; what either was at its worst has become a share.
static void add_swing(crm_swing *to, const crm_swing *from) {
    to->sum += from->sum;
    to->extreme += from->extreme;
    double now = fabs(to->sum - to->extreme);
    if (from->largest > to->largest) to->largest = from->largest, to->step = from->step;
    if (now > to->largest) to->largest = now;
}

// In a fall that has just begun the error of a step is much of the energy: what that loses says nothing yet.
static crm_share loss_share(const crm_island_account *i) {
    return share_of(i->unexplained.largest, i->unexplained.step, scale_of(i) + i->first_steps, i->former_loss);
}

static void unite(crm_island_account *to, const crm_island_account *from) {
    double scale = scale_of(to), other = scale_of(from);
    to->former_gain = larger_share(share_of(to->balance.largest, to->balance.step, scale, to->former_gain),
                                   share_of(from->balance.largest, from->balance.step, other, from->former_gain));
    to->former_step_gain =
        larger_share(share_of(to->step_gain.value, to->step_gain.step, scale, to->former_step_gain),
                     share_of(from->step_gain.value, from->step_gain.step, other, from->former_step_gain));
    to->former_passive = larger_share(share_of(to->passive.largest, to->passive.step, scale, to->former_passive),
                                      share_of(from->passive.largest, from->passive.step, other, from->former_passive));
    to->former_loss = larger_share(loss_share(to), loss_share(from));
    add_swing(&to->balance, &from->balance);
    add_swing(&to->passive, &from->passive);
    add_swing(&to->unexplained, &from->unexplained);
    to->step_gain = larger_share(to->step_gain, from->step_gain);
    to->kinetic_most += from->kinetic_most;
    to->potential_least += from->potential_least;
    to->potential_most += from->potential_most;
    to->weight += from->weight;
    to->first_steps += from->first_steps;
    to->begun |= from->begun;
    to->contacts.normal += from->contacts.normal;
    to->contacts.outside += from->contacts.outside;
    to->contacts.most_friction += from->contacts.most_friction;
    to->contacts.across += from->contacts.across;
    to->contacts.apart += from->contacts.apart;
}

static void join(crm_accounts *accounts, int a, int b) {
    int to = crm_forest_root(accounts->root, a), from = crm_forest_root(accounts->root, b);
    if (to == from) return;
    if (to > from) {
        int kept = to;
        to = from, from = kept;
    }
    accounts->root[from] = to;
    unite(&accounts->island[to], &accounts->island[from]);
    for (int k = 0; k < CRM_LINE_COUNT; k++) accounts->line[to][k] += accounts->line[from][k];
    accounts->reversed[to] += accounts->reversed[from];
}

void crm_accounts_join(carom_state *state, int a, int b) {
    if (crm_body_moves(state->model, a) && crm_body_moves(state->model, b)) join(&state->accounts, a, b);
}

// Those that act on each other without contact.
static void join_coupled(carom_state *state) {
    for (int b = 0; b < state->model->bodies.count; b++) crm_accounts_join(state, b, state->joined[b]);
}

static int join_next(carom_state *state, int last, int body) {
    if (!crm_body_moves(state->model, body)) return last;
    if (last >= 0) crm_accounts_join(state, last, body);
    return body;
}

void crm_accounts_join_driven(carom_state *state) {
    const carom_model *model = state->model;
    int last = -1;
    for (int b = 0; b < model->bodies.count; b++)
        if ((model->bodies.items[b].acting & CRM_ACTS_WITHOUT_POTENTIAL) != 0u) last = join_next(state, last, b);
    for (int b = 0; b < model->bodies.count && last < 0; b++) last = join_next(state, last, b);
    state->accounts.driven = last;
}

// ---- memory

static double thinnest_of(const carom_model *model) {
    double least = INFINITY;
    for (int b = 0; b < model->bodies.count; b++) {
        int shape = model->bodies.items[b].def.shape.index;
        if (shape >= 0) least = fmin(least, crm_shape_thinnest(model->shapes.items[shape].shape));
    }
    return least;
}

// ---- what a file may say: energies can be as large as they like, numbers of bodies and steps cannot

static bool is_step(int64_t step) {
    return step >= -1 && step <= CRM_MOST_STEPS;
}

static bool is_body(const carom_state *state, int64_t body) {
    return body >= -1 && body < state->model->bodies.count;
}

// The root of a set is its lowest number (base/forest.h).
static bool root_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept;
    int32_t root = *(const int32_t *)item;
    return root >= 0 && root <= index;
}

static bool account_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    const crm_island_account *a = item;
    return crm_is_truth(item, offsetof(crm_island_account, begun)) && is_step(a->balance.step) &&
           is_step(a->passive.step) && is_step(a->unexplained.step) && is_step(a->step_gain.step) &&
           is_step(a->former_gain.step) && is_step(a->former_step_gain.step) && is_step(a->former_passive.step);
}

static bool hit_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    const crm_hit *hit = item;
    return is_step(hit->step) && (hit->many == 0 || hit->many == 1);
}

static bool finding_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)kept, (void)index;
    const carom_finding *finding = item;
    return is_body(state, finding->body) && is_body(state, finding->other) && is_step(finding->step);
}

static bool any_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index, (void)item;
    return true;
}

static void keep(carom_state *state, const char *what, void *start, int count, size_t size, crm_kept_check *fits) {
    crm_state_keep(state, (crm_kept){what, start, count, size, fits, .of_certificates = true});
}

// That of its weight, by its size, and of a strain that is far beyond rounding.
static void weigh_flex(carom_state *state, const crm_flex *flex) {
    carom_mesh_quality quality = carom_mesh_get_quality(flex->def.mesh);
    const carom_elastic_def *elastic = &flex->def.elastic;
    if (flex->first_moving < 0) return;
    double weight = elastic->density * quality.volume * crm_length(state->model->gravity) * cbrt(quality.volume);
    state->accounts.island[flex->first_moving].weight +=
        share_of_weight * weight + small_strain * small_strain * elastic->mu * quality.volume;
}

bool crm_accounts_create(carom_state *state) {
    const carom_model *model = state->model;
    crm_accounts *accounts = &state->accounts;
    int bodies = model->bodies.count;
    accounts->root = CRM_ARENA_ZEROED(&state->arena, int32_t, bodies);
    accounts->island = CRM_ARENA_ZEROED(&state->arena, crm_island_account, bodies);
    accounts->finding = CRM_ARENA_ARRAY(&state->arena, carom_finding, CAROM_RULE_COUNT);
    accounts->unexplained = CRM_ARENA_ZEROED(&state->arena, carom_vec3, bodies);
    accounts->hit = CRM_ARENA_ZEROED(&state->arena, crm_hit, bodies);
    accounts->line = crm_arena_take_array(&state->arena, bodies, sizeof *accounts->line);
    accounts->reversed = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    accounts->energy = CRM_ARENA_ZEROED(&state->arena, crm_step_energy, bodies);
    accounts->twist = CRM_ARENA_ZEROED(&state->arena, crm_step_twist, bodies);
    accounts->spun = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    accounts->marked = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    if (crm_arena_refused(&state->arena)) return false;
    double gravity = crm_length(model->gravity);
    for (int b = 0; b < bodies; b++) {
        accounts->root[b] = b;
        accounts->spun[b] = model->bodies.items[b].acting != 0u;
        if (!crm_body_moves(model, b)) continue;
        double mass = model->bodies.items[b].mass, speed = falling_steps * gravity * state->plan.longest;
        accounts->island[b].weight = share_of_weight * mass * gravity * crm_body_extent(&model->bodies.items[b]);
        accounts->island[b].first_steps = 0.5 * mass * speed * speed;
    }
    for (int f = 0; f < model->flexes.count; f++) weigh_flex(state, &model->flexes.items[f]);
    for (int i = 0; i < CAROM_RULE_COUNT; i++) accounts->finding[i] = carom_finding_none();
    if (bodies > 0) memset(accounts->line, 0, (size_t)bodies * sizeof *accounts->line);
    accounts->thinnest = thinnest_of(model);
    join_coupled(state);
    keep(state, "islands of the run", accounts->root, bodies, sizeof *accounts->root, root_fits);
    keep(state, "accounts of islands", accounts->island, bodies, sizeof *accounts->island, account_fits);
    keep(state, "hits", accounts->hit, bodies, sizeof *accounts->hit, hit_fits);
    keep(state, "displacements", accounts->unexplained, bodies, sizeof *accounts->unexplained, any_fits);
    keep(state, "findings", accounts->finding, CAROM_RULE_COUNT, sizeof *accounts->finding, finding_fits);
    return true;
}

void crm_accounts_carry(carom_state *state, const crm_accounts *former) {
    crm_accounts *accounts = &state->accounts;
    size_t bodies = (size_t)state->model->bodies.count;
    int *joined = state->groups; // what this state has joined when it was made
    if (bodies > 0) {
        memcpy(joined, accounts->root, bodies * sizeof *joined);
        memcpy(accounts->root, former->root, bodies * sizeof *accounts->root);
        memcpy(accounts->island, former->island, bodies * sizeof *accounts->island);
        memcpy(accounts->hit, former->hit, bodies * sizeof *accounts->hit);
        memcpy(accounts->unexplained, former->unexplained, bodies * sizeof *accounts->unexplained);
    }
    memcpy(accounts->finding, former->finding, CAROM_RULE_COUNT * sizeof *accounts->finding);
    for (size_t b = 0; b < bodies; b++) crm_accounts_join(state, (int)b, joined[b]);
}

// ---- a step

void crm_accounts_begin(carom_state *state) {
    size_t bodies = (size_t)state->model->bodies.count;
    state->accounts.contacts_told = false;
    if (bodies == 0) return;
    memset(state->accounts.line, 0, bodies * sizeof *state->accounts.line);
    memset(state->accounts.reversed, 0, bodies * sizeof *state->accounts.reversed);
}

// -1: neither of them moves.
static int island_of(const carom_state *state, int a, int b) {
    int body = crm_body_moves(state->model, a) ? a : b;
    return crm_body_moves(state->model, body) ? crm_forest_root(state->accounts.root, body) : -1;
}

void crm_ledger_add(carom_state *state, int a, int b, crm_ledger_line line, double work) {
    if (work == 0.0) return; // as of most contacts along one direction or the other
    int island = island_of(state, a, b);
    if (island >= 0) state->accounts.line[island][line] += work;
}

void crm_ledger_note_reversed(carom_state *state, int a, int b, double work) {
    int island = island_of(state, a, b);
    if (island >= 0) state->accounts.reversed[island] += work;
}

void crm_ledger_add_contact(carom_state *state, int a, int b, double restitution, double normal, double friction) {
    double given = crm_larger(0.0, friction);
    crm_ledger_add(state, a, b, CRM_LINE_FRICTION, friction - given);
    crm_ledger_add(state, a, b, restitution < 1.0 ? CRM_LINE_IMPACTS : CRM_LINE_ELASTIC, normal + given);
}

static void rise(crm_swing *swing, double by, int64_t step) {
    swing->sum += by;
    if (swing->sum < swing->extreme) swing->extreme = swing->sum;
    if (!(swing->sum - swing->extreme <= swing->largest))
        swing->largest = swing->sum - swing->extreme, swing->step = step;
}

static void fall(crm_swing *swing, double by, int64_t step) {
    swing->sum += by;
    if (swing->sum > swing->extreme) swing->extreme = swing->sum;
    if (!(swing->extreme - swing->sum <= swing->largest))
        swing->largest = swing->extreme - swing->sum, swing->step = step;
}

static void note_energies(crm_island_account *island, const crm_step_energy *energy) {
    double kinetic = crm_larger(energy->kinetic[0], energy->kinetic[1]);
    double least = crm_smaller(energy->potential[0], energy->potential[1]);
    double most = crm_larger(energy->potential[0], energy->potential[1]);
    island->kinetic_most = crm_larger(island->kinetic_most, kinetic);
    island->potential_least = island->begun ? crm_smaller(island->potential_least, least) : least;
    island->potential_most = island->begun ? crm_larger(island->potential_most, most) : most;
    island->begun = true;
}

// Impacts of an island take energy. Where they seem to give some in sum, as of curved bodies that roll on to where they
// part by the rows of the next step, what they do while other forces reverse velocities is left to the remainder.
static void leave_reversed_out(crm_accounts *accounts, int root) {
    double *line = accounts->line[root], given = line[CRM_LINE_IMPACTS] + line[CRM_LINE_ELASTIC];
    if (!(given > 0.0)) return;
    double out = crm_smaller(given, accounts->reversed[root]);
    double of_elastic = crm_smaller(out, crm_larger(0.0, line[CRM_LINE_ELASTIC]));
    line[CRM_LINE_ELASTIC] -= of_elastic;
    line[CRM_LINE_IMPACTS] -= out - of_elastic;
}

static void close_island(carom_state *state, int body, int64_t step) {
    crm_island_account *island = &state->accounts.island[body];
    crm_step_energy *energy = &state->accounts.energy[body];
    const double *line = state->accounts.line[body];
    leave_reversed_out(&state->accounts, body);
    // What a fluid moves has no kinetic energy.
    if (state->model->mobility.kind != CAROM_MOBILITY_NONE) energy->kinetic[0] = energy->kinetic[1] = 0.0;
    note_energies(island, energy);
    double balance =
        energy->kinetic[1] - energy->kinetic[0] + energy->potential[1] - energy->potential[0] - line[CRM_LINE_ACTIVE];
    if (!isfinite(balance)) crm_finding_raise(state, CAROM_RULE_NOT_FINITE, 1.0, body, -1);
    rise(&island->balance, balance, step);
    double passive = line[CRM_LINE_PASSIVE] + line[CRM_LINE_VISCOSITY];
    rise(&island->passive, passive, step);
    double explained = passive + line[CRM_LINE_LIMITS] + line[CRM_LINE_FRICTION] + line[CRM_LINE_IMPACTS];
    fall(&island->unexplained, balance - (explained + line[CRM_LINE_INTEGRATOR]), step);
    if (!(balance <= island->step_gain.value)) island->step_gain = (crm_share){balance, step};
}

void crm_accounts_add_closing(carom_state *state, int a, int b, double impact, double projection) {
    int body = crm_body_moves(state->model, a) ? a : b;
    crm_island_account *island = &state->accounts.island[crm_forest_root(state->accounts.root, body)];
    int64_t step = state->step_count + 1;
    rise(&island->balance, impact + projection, step);
    fall(&island->unexplained, projection, step);
}

void crm_accounts_close(carom_state *state, double elastic, carom_step_report *report) {
    crm_accounts *accounts = &state->accounts;
    const carom_model *model = state->model;
    double sum[CRM_LINE_COUNT] = {0.0}, kinetic = 0.0, potential = 0.0;
    // Roots are the lowest of their island, so that theirs is the sum when they are reached from above.
    for (int b = model->bodies.count - 1; b >= 0; b--) {
        crm_step_energy *energy = &accounts->energy[b];
        int root = crm_body_moves(model, b) ? crm_forest_root(accounts->root, b) : b;
        if (root == b) {
            kinetic += energy->kinetic[1] - energy->kinetic[0];
            potential += energy->potential[1] - energy->potential[0];
            continue;
        }
        for (int k = 0; k < 2; k++) {
            accounts->energy[root].kinetic[k] += energy->kinetic[k];
            accounts->energy[root].potential[k] += energy->potential[k];
        }
    }
    for (int b = 0; b < model->bodies.count; b++) {
        if (!crm_body_moves(model, b) || accounts->root[b] != b) continue;
        close_island(state, b, state->step_count + 1);
        for (int k = 0; k < CRM_LINE_COUNT; k++) sum[k] += accounts->line[b][k];
    }
    if (model->mobility.kind != CAROM_MOBILITY_NONE) kinetic = 0.0; // as of every island
    carom_ledger ledger = {.conservative = -potential - elastic,
                           .elastic = elastic,
                           .viscosity = sum[CRM_LINE_VISCOSITY],
                           .attachments = sum[CRM_LINE_ATTACHMENTS],
                           .integrator = sum[CRM_LINE_INTEGRATOR],
                           .passive = sum[CRM_LINE_PASSIVE],
                           .active = sum[CRM_LINE_ACTIVE],
                           .limits = sum[CRM_LINE_LIMITS],
                           .friction = sum[CRM_LINE_FRICTION],
                           .impacts = sum[CRM_LINE_IMPACTS] + sum[CRM_LINE_ELASTIC],
                           .stabilisation = sum[CRM_LINE_STABILISATION],
                           .projection = sum[CRM_LINE_PROJECTION]};
    ledger.remainder = kinetic + potential;
    for (int k = 0; k < CRM_LINE_COUNT; k++) ledger.remainder -= sum[k];
    report->ledger = ledger;
}

// ---- findings

carom_finding carom_finding_none(void) {
    return (carom_finding){0.0, -1, -1, -1};
}

void crm_finding_raise(carom_state *state, carom_rule rule, double value, int body, int other) {
    carom_finding *finding = &state->accounts.finding[rule];
    if (isnan(value)) value = INFINITY;
    if (value > finding->value) *finding = (carom_finding){value, body, other, state->step_count + 1};
}

void crm_finding_count(carom_state *state, carom_rule rule, int body, int other) {
    carom_finding *finding = &state->accounts.finding[rule];
    if (finding->value == 0.0) *finding = (carom_finding){0.0, body, other, state->step_count + 1};
    finding->value += 1.0;
}

void crm_limited_impacts_add(crm_limited_impacts *limited, int a, int b) {
    if (limited->count++ == 0) limited->a = a, limited->b = b;
}

void crm_limited_impacts_tell(carom_state *state, const crm_limited_impacts *limited, carom_step_report *report) {
    char name[2][CRM_BODY_TEXT];
    for (int i = 0; i < limited->count; i++)
        crm_finding_count(state, CAROM_RULE_LIMITED_IMPACT, limited->a, limited->b);
    if (limited->count > 0 && report->text[0] == '\0')
        snprintf(report->text, sizeof report->text,
                 "the law of impact would have made energy between %s and %s: less restitution keeps it",
                 crm_body_text(state->model, limited->a, name[0]), crm_body_text(state->model, limited->b, name[1]));
}

static void find_energies(const crm_accounts *accounts, int body, carom_finding *out) {
    const crm_island_account *i = &accounts->island[body];
    double scale = scale_of(i);
    const struct {
        carom_rule rule;
        crm_share share;
    } found[] = {
        {CAROM_RULE_ENERGY_GAIN, share_of(i->balance.largest, i->balance.step, scale, i->former_gain)},
        {CAROM_RULE_STEP_ENERGY_GAIN, share_of(i->step_gain.value, i->step_gain.step, scale, i->former_step_gain)},
        {CAROM_RULE_PASSIVE_GAIN, share_of(i->passive.largest, i->passive.step, scale, i->former_passive)},
        {CAROM_RULE_ENERGY_LOSS, share_of(i->unexplained.largest, i->unexplained.step, scale, i->former_loss)},
    };
    for (size_t k = 0; k < sizeof found / sizeof found[0]; k++)
        if (found[k].share.value > out[found[k].rule].value)
            out[found[k].rule] = (carom_finding){found[k].share.value, body, -1, found[k].share.step};
}

void carom_state_findings(const carom_state *state, carom_finding out[CAROM_RULE_COUNT]) {
    const crm_accounts *accounts = &state->accounts;
    memcpy(out, accounts->finding, CAROM_RULE_COUNT * sizeof *out);
    for (int b = 0; b < state->model->bodies.count; b++)
        if (accounts->root[b] == b && accounts->island[b].begun) {
            find_energies(accounts, b, out);
            crm_contact_sums_find(state, b, out);
        }
    // In a fluid all that is not stored is lost, and rightly.
    if (state->model->mobility.kind != CAROM_MOBILITY_NONE) out[CAROM_RULE_ENERGY_LOSS] = carom_finding_none();
}

int carom_state_island(const carom_state *state, carom_body body) {
    if (state == NULL || body.index < 0 || body.index >= state->model->bodies.count) return -1;
    int32_t root = body.index;
    while (state->accounts.root[root] != root) root = state->accounts.root[root];
    return root;
}
