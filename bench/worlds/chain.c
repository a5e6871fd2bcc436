// SPDX-License-Identifier: MIT
#include "worlds/chain.h"

#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "math/quat.h"
#include "support/peer.h"

enum { STEPS_PER_SAMPLE = 8 };

// m/12 (width^2 + height^2), about the link's own axes.
const double bench_link_inertia[3] = {BENCH_LINK_MASS / 12.0 * 0.0008, BENCH_LINK_MASS / 12.0 * 0.0104,
                                      BENCH_LINK_MASS / 12.0 * 0.0104};

// What the chain loses from lying level to hanging still, J.
static double energy_scale(void) {
    double length = BENCH_CHAIN_LINKS * BENCH_LINK_LENGTH;
    return BENCH_CHAIN_LINKS * BENCH_LINK_MASS * BENCH_CHAIN_GRAVITY * 0.5 * length;
}

// An energy that is off by more than this many times the scale is no motion of a chain any more.
static const double lost = 10.0;

static carom_vec3 vector_of(const double v[3]) {
    return crm_vec3(v[0], v[1], v[2]);
}

typedef struct sample {
    double energy;
    double joint_drift;
} sample;

static sample take_sample(const bench_chain_engine *engine) {
    sample s = {0.0, 0.0};
    carom_vec3 end = crm_vec3_zero(); // of the link before
    for (int i = 0; i < BENCH_CHAIN_LINKS; i++) {
        bench_link link;
        engine->read(engine->engine, i, &link);
        const double *q = link.attitude;
        carom_quat attitude = crm_quat_normalised((carom_quat){q[0], q[1], q[2], q[3]});
        carom_vec3 position = vector_of(link.position), velocity = vector_of(link.velocity);
        carom_vec3 spin = crm_quat_rotate_inverse(attitude, vector_of(link.spin));
        carom_vec3 half = crm_quat_rotate(attitude, crm_vec3(0.5 * BENCH_LINK_LENGTH, 0.0, 0.0));
        s.energy += 0.5 * BENCH_LINK_MASS * crm_dot(velocity, velocity) +
                    0.5 * (bench_link_inertia[0] * spin.x * spin.x + bench_link_inertia[1] * spin.y * spin.y +
                           bench_link_inertia[2] * spin.z * spin.z) +
                    BENCH_LINK_MASS * BENCH_CHAIN_GRAVITY * position.z;
        s.joint_drift = fmax(s.joint_drift, crm_distance(crm_sub(position, half), end));
        end = crm_add(position, half);
    }
    return s;
}

bench_chain bench_chain_run(const bench_chain_engine *engine) {
    bench_chain result = {0};
    double first_energy = take_sample(engine).energy, seconds = 0.0;
    int steps = 0;
    bool alive = true;
    while (alive && steps < BENCH_CHAIN_STEPS) {
        double start = crm_clock_thread_seconds();
        for (int k = 0; k < STEPS_PER_SAMPLE && alive; k++, steps += alive) alive = engine->step(engine->engine);
        seconds += crm_clock_thread_seconds() - start;
        if (!alive) break; // what it shows now may be anything
        sample now = take_sample(engine);
        result.energy_drift = (now.energy - first_energy) / energy_scale();
        result.most_energy_drift = fmax(result.most_energy_drift, fabs(result.energy_drift));
        result.joint_drift = fmax(result.joint_drift, now.joint_drift);
        alive = fabs(result.energy_drift) < lost; // not so for NaN either
    }
    result.time = steps * BENCH_CHAIN_STEP;
    result.seconds_per_step = seconds / steps;
    return result;
}

void bench_chain_print(const bench_chain *result) {
    printf("{\"seconds_per_step\":%.9g,\"time\":%.9g,\"energy_drift\":%.9g,\"most_energy_drift\":%.9g,"
           "\"joint_drift\":%.9g}\n",
           result->seconds_per_step, result->time, result->energy_drift, result->most_energy_drift,
           result->joint_drift);
}

bench_chain bench_chain_read(const char *line) {
    return (bench_chain){.seconds_per_step = bench_peer_number(line, "seconds_per_step"),
                         .time = bench_peer_number(line, "time"),
                         .energy_drift = bench_peer_number(line, "energy_drift"),
                         .most_energy_drift = bench_peer_number(line, "most_energy_drift"),
                         .joint_drift = bench_peer_number(line, "joint_drift")};
}
