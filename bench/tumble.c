// SPDX-License-Identifier: MIT
// A free body that tumbles for 100 s, by carom's variational method beside four other engines. All run the same body
// at the same step and are measured by the same code; carom and the peers take turns. A peer that is more accurate at
// that step is met once more, with a step of carom's so small that carom is as accurate.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "step/certify/accounts.h"
#include "step/method.h"
#include "support/peer.h"
#include "support/report.h"
#include "support/timing.h"
#include "worlds/tumble.h"

enum { ROUNDS = 5, MOST_SUBSTEPS = 400, CERTIFICATES = 100000 };

// One step of a free body, certificate included, and the certificate alone, with its energy ledger and its rules, ns.
static const double most_nanoseconds = 600.0, most_certificate = 100.0;

static const struct contestant {
    const char *name, *program, *variant;
    int rounds; // fewer for the slow ones, whose figures are large against the noise
} peers[] = {
    {"ODE", "ode", "quick", ROUNDS},
    {"Bullet, double", "bullet", "default", ROUNDS},
    {"MuJoCo, Euler", "mujoco", "Euler", ROUNDS},
    {"MuJoCo, RK4", "mujoco", "RK4", 3},
    {"Simbody, semi-explicit", "simbody", "euler", 1},
    {"Simbody, RK-Merson", "simbody", "merson", 1},
};
enum { PEERS = sizeof peers / sizeof peers[0] };

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// ---- carom as a tumbler

static void step_carom(void *engine) {
    carom_state *state = engine;
    carom_step_report report;
    carom_error error;
    if (carom_step(carom_state_model(state), state, NULL, &report, &error) != CAROM_OK) stop(error.text);
    if (report.outcome != CAROM_STEP_GOOD) stop(report.text);
}

static void read_carom(void *engine, double attitude[4], double spin[3]) {
    carom_body_state body;
    if (carom_state_get_body(engine, (carom_body){0}, &body, NULL) != CAROM_OK) stop("the body is gone");
    attitude[0] = body.attitude.w, attitude[1] = body.attitude.x, attitude[2] = body.attitude.y;
    attitude[3] = body.attitude.z;
    spin[0] = body.spin.x, spin[1] = body.spin.y, spin[2] = body.spin.z;
}

static void swap_ends(carom_state *state) {
    crm_motion *motions = state->motions;
    state->motions = state->next;
    state->next = motions;
}

// Seconds that the last step's certificate takes: made again and again, as a clock about each would take longer.
static double time_certificate(carom_state *state) {
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    swap_ends(state);
    double start = crm_clock_thread_seconds();
    for (int i = 0; i < CERTIFICATES; i++) {
        crm_accounts_begin(state);
        crm_certify(carom_state_model(state), state, &crm_method_variational, &report);
    }
    double seconds = (crm_clock_thread_seconds() - start) / CERTIFICATES;
    swap_ends(state);
    if (report.outcome != CAROM_STEP_GOOD) stop(report.text);
    return seconds;
}

// `certificate` gets the seconds of one; may be NULL.
static bench_tumble run_carom(double step, double *certificate) {
    carom_error error;
    carom_model_def model_def = carom_model_def_default();
    model_def.gravity = (carom_vec3){0.0, 0.0, 0.0};
    carom_model *model;
    if (carom_model_create(&model_def, &model, &error) != CAROM_OK) stop(error.text);
    carom_body_def body = carom_body_def_default();
    body.inertia = (carom_mat3){{1.0, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 3.0}};
    body.spin = (carom_vec3){0.01, 5.0, 0.01};
    if (carom_model_add_body(model, &body, NULL, &error) != CAROM_OK) stop(error.text);
    if (carom_model_freeze(model, &error) != CAROM_OK) stop(error.text);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    method.step = step;
    carom_state *state;
    if (carom_state_create(model, &method, &state, &error) != CAROM_OK) stop(error.text);
    bench_tumbler tumbler = {state, step_carom, read_carom};
    bench_tumble result = bench_tumble_run(&tumbler, step);
    if (certificate != NULL) *certificate = time_certificate(state);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return result;
}

// ---- rounds and rows

typedef struct score {
    bench_tumble result;                         // of the last round; only the time differs between them
    double seconds[ROUNDS], certificate[ROUNDS]; // of a step; of its certificate alone, of carom
    bool present;
} score;

static void run_peer_round(const struct contestant *peer, int round, score *s) {
    const char *arguments[] = {peer->variant, NULL};
    char answer[BENCH_PEER_ANSWER];
    if (round >= peer->rounds || !s->present) return;
    s->present = bench_peer_run(peer->program, arguments, answer);
    if (!s->present) return;
    s->result = bench_tumble_read(answer);
    s->seconds[round] = s->result.seconds_per_step;
}

// carom's cost of 1 ms of motion with the largest step, a whole part of it, that is as accurate as the peer.
static void print_equal_error_row(bool json, const struct contestant *peer, score *other, double carom_error) {
    int substeps = (int)ceil(sqrt(carom_error / other->result.attitude_error)); // order 2
    bench_tumble result = run_carom(BENCH_TUMBLE_STEP / substeps, NULL);
    while (result.attitude_error > other->result.attitude_error && substeps < MOST_SUBSTEPS) {
        substeps += 1 + substeps / 10;
        result = run_carom(BENCH_TUMBLE_STEP / substeps, NULL);
    }
    char name[64];
    snprintf(name, sizeof name, "1 ms in %d steps, equal error", substeps);
    bench_row row = bench_row_of("tumble", name, "ns");
    row.carom = 1e9 * substeps * result.seconds_per_step;
    row.error = result.attitude_error;
    row.peer = peer->name;
    row.peer_value = 1e9 * bench_median(other->seconds, peer->rounds);
    row.peer_error = other->result.attitude_error;
    bench_print_row(json, &row);
}

static void print_details(const char *name, const bench_tumble *r) {
    printf("  %-24s %2d flips of %d, energy drift %.1e, |L| drift %.1e, L rotates by %.1e rad\n", name, r->flips,
           BENCH_TUMBLE_FLIPS, r->energy_drift, r->momentum_drift, r->momentum_angle);
}

static void print_certificate_row(bool json, score *carom) {
    bench_row row = bench_row_of("tumble", "its certificate alone", "ns");
    row.carom = 1e9 * bench_median(carom->certificate, ROUNDS);
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = most_certificate;
    bench_print_row(json, &row);
}

static void print_rows(bool json, score *carom, score *others) {
    bench_row row = bench_row_of("tumble", "100 s, step 1 ms", "ns");
    row.carom = 1e9 * bench_median(carom->seconds, ROUNDS);
    row.error = carom->result.attitude_error;
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = most_nanoseconds;
    bench_print_row(json, &row);
    print_certificate_row(json, carom);
    for (int p = 0; p < PEERS; p++) {
        if (!others[p].present) {
            fprintf(stderr, "carom: the peer %s is missing; 'make bench' installs and builds it\n", peers[p].name);
            continue;
        }
        row.target_kind = BENCH_NO_TARGET;
        row.target = NAN;
        row.peer = peers[p].name;
        row.peer_value = 1e9 * bench_median(others[p].seconds, peers[p].rounds);
        row.peer_error = others[p].result.attitude_error;
        bench_print_row(json, &row);
    }
    for (int p = 0; p < PEERS; p++)
        if (others[p].present && others[p].result.attitude_error < carom->result.attitude_error)
            print_equal_error_row(json, &peers[p], &others[p], carom->result.attitude_error);
    if (json) return;
    print_details("carom", &carom->result);
    for (int p = 0; p < PEERS; p++)
        if (others[p].present) print_details(peers[p].name, &others[p].result);
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_print_heading(json, "tumble: one step of a free body, processor time of one thread, errors as the largest "
                              "angle to the exact attitude, rad");
    score carom = {.present = true}, others[PEERS];
    for (int p = 0; p < PEERS; p++) others[p] = (score){.present = true};
    for (int round = 0; round < ROUNDS; round++) {
        carom.result = run_carom(BENCH_TUMBLE_STEP, &carom.certificate[round]);
        carom.seconds[round] = carom.result.seconds_per_step;
        for (int p = 0; p < PEERS; p++) run_peer_round(&peers[p], round, &others[p]);
    }
    print_rows(json, &carom, others);
    return 0;
}
