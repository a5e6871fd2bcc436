// SPDX-License-Identifier: MIT
// A chain of 100 links that falls for 10 s, by carom's methods beside four other engines, all measured by the same
// code; and what a link costs in chains of 100 to 10,000 links that swing a little.
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "carom/step.h"
#include "support/peer.h"
#include "support/report.h"
#include "support/timing.h"
#include "worlds/chain.h"
#include "worlds/chain_carom.h"

// ---- targets

// `variational`: ms for 1/240 s, and its largest change of energy.
static const double variational_milliseconds = 1.0, variational_drift = 0.05;
// `reduced`: how much cheaper than Simbody with error control, with this change of energy.
static const double reduced_ratio = 3.0, reduced_drift = 1e-5;
// Growth of the cost of a link from 100 to 10,000 links.
static const double growth = 1.5;

// ---- the contestants

enum { ROUNDS = 3 };

static const struct own {
    const char *name;
    carom_method method;
    double tolerance; // of dp54: keeps the energy well within reduced_drift
    int rounds;       // fewer for the slow ones, whose figures are large against the noise
} own[] = {
    {"variational", CAROM_METHOD_VARIATIONAL, 0.0, ROUNDS},
    {"reduced, dp54", CAROM_METHOD_REDUCED, 3e-7, 1},
    {"multiplier, dp54", CAROM_METHOD_MULTIPLIER, 1e-5, 1},
};
enum { OWN = sizeof own / sizeof own[0], VARIATIONAL = 0, REDUCED = 1 };

static const struct peer {
    const char *name, *program, *variant;
    int rounds;
} peers[] = {
    {"Simbody, error control", "chain_simbody", NULL, 1},
    {"MuJoCo, RK4", "chain_mujoco", "RK4", 1},
    {"MuJoCo, Euler", "chain_mujoco", "Euler", 1},
    {"ODE, quick step", "chain_ode", "quick", ROUNDS},
    {"ODE, step", "chain_ode", "step", 1},
    {"Bullet, 10 iterations", "chain_bullet", "10", ROUNDS},
    {"Bullet, 50 iterations", "chain_bullet", "50", ROUNDS},
};
enum { PEERS = sizeof peers / sizeof peers[0], SIMBODY = 0 };

typedef struct score {
    bench_chain result; // of the last round; only the time differs between them
    double seconds[ROUNDS];
    int64_t broken_steps;
    bool present;
    carom_error why; // it is not
} score;

static double milliseconds(score *s, int rounds) {
    return 1e3 * bench_median(s->seconds, rounds);
}

static carom_method_def method_of(const struct own *contestant) {
    carom_method_def method = carom_method_def_default();
    method.method = contestant->method;
    if (contestant->tolerance > 0.0) method.relative_tolerance = method.absolute_tolerance = contestant->tolerance;
    return method;
}

static void run_own_round(const struct own *contestant, int round, score *s) {
    if (round >= contestant->rounds || !s->present) return;
    carom_method_def method = method_of(contestant);
    bench_chain_carom chain;
    s->present = bench_chain_carom_make(BENCH_CHAIN_LINKS, 0.5 * acos(-1.0), &method, &chain, &s->why);
    if (!s->present) return;
    bench_chain_engine engine = {&chain, bench_chain_carom_step, bench_chain_carom_read};
    s->result = bench_chain_run(&engine);
    s->seconds[round] = s->result.seconds_per_step;
    s->broken_steps = chain.broken_steps;
    if (s->result.time < BENCH_CHAIN_STEPS * BENCH_CHAIN_STEP)
        fprintf(stderr, "carom: %s stopped at t = %g s: %s\n", contestant->name, s->result.time, chain.report.text);
    bench_chain_carom_free(&chain);
}

static void run_peer_round(const struct peer *peer, int round, score *s) {
    const char *arguments[] = {peer->variant, NULL};
    char answer[BENCH_PEER_ANSWER];
    if (round >= peer->rounds || !s->present) return;
    s->present = bench_peer_run(peer->program, arguments, answer);
    if (!s->present) return;
    s->result = bench_chain_read(answer);
    s->seconds[round] = s->result.seconds_per_step;
}

// ---- rows of the fall

static bool arrived(const score *s) {
    return s->present && s->result.time > (BENCH_CHAIN_STEPS - 0.5) * BENCH_CHAIN_STEP;
}

// A run that did not reach the end has no figure.
static bench_row row_of(const struct own *contestant, const char *what, const char *unit, score *s) {
    static char name[96];
    snprintf(name, sizeof name, "%s, %s", contestant->name, what);
    bench_row row = bench_row_of("chain", name, unit);
    if (!arrived(s)) return row;
    row.carom = milliseconds(s, contestant->rounds);
    row.error = s->result.most_energy_drift;
    return row;
}

static void add_peer(bench_row *row, const struct peer *peer, score *s) {
    row->peer = peer->name;
    if (!arrived(s)) return;
    row->peer_value = milliseconds(s, peer->rounds);
    row->peer_error = s->result.most_energy_drift;
}

static void print_drift_row(bool json, const struct own *contestant, score *s, double target) {
    bench_row row = row_of(contestant, "largest energy drift", "", s);
    row.carom = row.error;
    row.error = NAN;
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = target;
    bench_print_row(json, &row);
}

static void print_fall(bool json, score *ours, score *others) {
    bench_row row = row_of(&own[VARIATIONAL], "1/240 s", "ms", &ours[VARIATIONAL]);
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = variational_milliseconds;
    bench_print_row(json, &row);
    print_drift_row(json, &own[VARIATIONAL], &ours[VARIATIONAL], variational_drift);
    row = row_of(&own[REDUCED], "1/240 s", "ms", &ours[REDUCED]);
    add_peer(&row, &peers[SIMBODY], &others[SIMBODY]);
    row.target_kind = BENCH_RATIO_AT_LEAST;
    row.target = reduced_ratio;
    bench_print_row(json, &row);
    print_drift_row(json, &own[REDUCED], &ours[REDUCED], reduced_drift);
    for (int i = REDUCED + 1; i < OWN; i++) {
        row = row_of(&own[i], "1/240 s", "ms", &ours[i]);
        add_peer(&row, &peers[SIMBODY], &others[SIMBODY]);
        bench_print_row(json, &row);
    }
    for (int p = SIMBODY + 1; p < PEERS; p++) {
        row = row_of(&own[VARIATIONAL], "1/240 s", "ms", &ours[VARIATIONAL]);
        add_peer(&row, &peers[p], &others[p]);
        bench_print_row(json, &row);
    }
}

static void print_details(const char *name, int rounds, score *s) {
    const bench_chain *r = &s->result;
    if (!s->present) return;
    printf("  %-24s %8.3f ms, energy drift %8.1e at the end, %.1e at most, joints open by %.1e m", name,
           milliseconds(s, rounds), r->energy_drift, r->most_energy_drift, r->joint_drift);
    if (!arrived(s)) printf(", ended at %.3g s", r->time);
    if (s->broken_steps > 0) printf(", contract broken in %lld steps", (long long)s->broken_steps);
    putchar('\n');
}

static void say_missing(const score *ours, const score *others) {
    for (int i = 0; i < OWN; i++)
        if (!ours[i].present) fprintf(stderr, "carom: %s is missing: %s\n", own[i].name, ours[i].why.text);
    for (int p = 0; p < PEERS; p++)
        if (!others[p].present)
            fprintf(stderr, "carom: the peer %s is missing; 'make bench' installs and builds it\n", peers[p].name);
}

static void run_fall(bool json) {
    score ours[OWN], others[PEERS];
    for (int i = 0; i < OWN; i++) ours[i] = (score){.present = true};
    for (int p = 0; p < PEERS; p++) others[p] = (score){.present = true};
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < OWN; i++) run_own_round(&own[i], round, &ours[i]);
        for (int p = 0; p < PEERS; p++) run_peer_round(&peers[p], round, &others[p]);
    }
    print_fall(json, ours, others);
    say_missing(ours, others);
    if (json) return;
    for (int i = 0; i < OWN; i++) print_details(own[i].name, own[i].rounds, &ours[i]);
    for (int p = 0; p < PEERS; p++) print_details(peers[p].name, peers[p].rounds, &others[p]);
}

// ---- the cost of a link

static const int lengths[] = {100, 1000, 10000};
enum { LENGTHS = sizeof lengths / sizeof lengths[0], COST_ROUNDS = 5, LINK_STEPS = 20000 };
// The longest chain's fastest wave needs steps below 1 ms; the angle is small enough for a few iterations.
static const double swing_step = 1e-4, swing_angle = 0.01;

// Seconds a link, step and iteration.
static double cost_of_link(bench_chain_carom *chain, int links) {
    int steps = LINK_STEPS / links, iterations = 0;
    double start = crm_clock_thread_seconds();
    for (int i = 0; i < steps; i++) {
        if (!bench_chain_carom_step(chain)) return NAN;
        iterations += chain->report.iterations > 1 ? chain->report.iterations : 1;
    }
    return (crm_clock_thread_seconds() - start) / ((double)links * iterations);
}

// rk4 does the same in every step; what dp54 does depends on the motion.
static void print_cost(bool json, const struct own *contestant) {
    carom_method_def method = method_of(contestant);
    method.integrator = CAROM_INTEGRATOR_RK4;
    method.step = swing_step;
    carom_error error;
    bench_chain_carom chain[LENGTHS];
    int made = 0;
    while (made < LENGTHS && bench_chain_carom_make(lengths[made], swing_angle, &method, &chain[made], &error)) made++;
    double cost[LENGTHS][COST_ROUNDS];
    for (int round = 0; round < COST_ROUNDS; round++)
        for (int i = 0; i < made; i++) cost[i][round] = 1e9 * cost_of_link(&chain[i], lengths[i]);
    double median[LENGTHS] = {NAN, NAN, NAN};
    for (int i = 0; i < made; i++) median[i] = bench_median(cost[i], COST_ROUNDS);
    const char *word = carom_method_name(contestant->method);
    char name[96];
    for (int i = 0; i < LENGTHS; i++) {
        snprintf(name, sizeof name, "%s, iteration and link of %d", word, lengths[i]);
        bench_row row = bench_row_of("chain", name, "ns");
        row.carom = median[i];
        bench_print_row(json, &row);
    }
    snprintf(name, sizeof name, "%s, cost of a link, %d to %d", word, lengths[0], lengths[LENGTHS - 1]);
    bench_row row = bench_row_of("chain", name, "x");
    row.carom = median[LENGTHS - 1] / median[0];
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = growth;
    bench_print_row(json, &row);
    for (int i = 0; i < made; i++) bench_chain_carom_free(&chain[i]);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_print_heading(json, "chain: 100 links fall for 10 s, processor time of one thread for 1/240 s, errors as the "
                              "largest change of energy over the most that the fall frees");
    run_fall(json);
    for (int i = 0; i < OWN; i++) print_cost(json, &own[i]);
    return 0;
}
