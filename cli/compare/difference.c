// SPDX-License-Identifier: MIT
#include "compare/difference.h"

#include <math.h>
#include <string.h>

const char *const quantity_names[QUANTITY_COUNT] = {"position", "attitude", "velocity", "spin"};
const char *const quantity_units[QUANTITY_COUNT] = {"m", "rad", "m/s", "rad/s"};

static double length(carom_vec3 v) {
    return hypot(hypot(v.x, v.y), v.z);
}

double distance_between(carom_vec3 a, carom_vec3 b) {
    return length((carom_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

// Of the rotation a^-1 b: its vector part is small when the angle is, so that small angles keep their digits. q and -q
// are one attitude.
static double angle_between(carom_quat a, carom_quat b) {
    carom_vec3 v = {a.w * b.x - b.w * a.x - (a.y * b.z - a.z * b.y), a.w * b.y - b.w * a.y - (a.z * b.x - a.x * b.z),
                    a.w * b.z - b.w * a.z - (a.x * b.y - a.y * b.x)};
    return 2.0 * atan2(length(v), fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z));
}

static carom_vec3 vector_of(quantity what, const carom_body_state *body) {
    return what == POSITION ? body->position : what == VELOCITY ? body->velocity : body->spin;
}

double difference_of(quantity what, const carom_body_state *a, const carom_body_state *b) {
    if (same_bits(what, a, b)) return 0.0;
    double difference = what == ATTITUDE ? angle_between(a->attitude, b->attitude)
                                         : distance_between(vector_of(what, a), vector_of(what, b));
    return isnan(difference) ? INFINITY : difference;
}

bool same_bits(quantity what, const carom_body_state *a, const carom_body_state *b) {
    if (what == ATTITUDE) return memcmp(&a->attitude, &b->attitude, sizeof a->attitude) == 0;
    carom_vec3 of_a = vector_of(what, a), of_b = vector_of(what, b);
    return memcmp(&of_a, &of_b, sizeof of_a) == 0;
}

void widen(spread *s, double time, int count, const carom_body_state *a, const carom_body_state *b) {
    for (int what = 0; what < QUANTITY_COUNT; what++) {
        for (int i = 0; i < count; i++) {
            double difference = difference_of((quantity)what, &a[i], &b[i]);
            double size = what == ATTITUDE ? 1.0 : length(vector_of((quantity)what, &a[i]));
            if (size > s->size[what]) s->size[what] = size;
            if (!(difference > s->largest[what])) continue;
            s->largest[what] = difference;
            s->body[what] = i;
            s->time[what] = time;
        }
    }
}

void read_bodies(const carom_state *state, int count, carom_body_state *out) {
    for (int i = 0; i < count; i++) {
        carom_body_state body;
        // Cannot fail: the bodies are those of the state's model.
        if (carom_state_get_body(state, (carom_body){i}, &body, NULL) != CAROM_OK) continue;
        out[i] = (carom_body_state){body.position, body.attitude, body.velocity, body.spin};
    }
}
