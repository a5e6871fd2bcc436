// SPDX-License-Identifier: MIT
#include "base/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

// Seconds: how often the clock is read, the bar drawn again, a line printed at most and at least.
static const double read_interval = 0.05, bar_interval = 0.2, shortest_silence = 1.0, longest_silence = 10.0;

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, bool shown, int64_t first, int64_t total, const carom_method_def *method,
                    int64_t divisor) {
    double now = clock_seconds();
    *p = (progress){.shown = shown,
                    .terminal = isatty(STDERR_FILENO) == 1,
                    .first = first,
                    .total = total,
                    .next = shown ? first + 1 : INT64_MAX,
                    .method = method,
                    .divisor = divisor,
                    .started = now,
                    .said = now,
                    .said_at = first};
}

static double time_at(const progress *p, int64_t step) {
    double whole = carom_method_step_time(p->method, step / p->divisor);
    double next = carom_method_step_time(p->method, step / p->divisor + 1);
    return whole + (next - whole) * (double)(step % p->divisor) / (double)p->divisor;
}

static void say(const progress *p, int64_t now, double elapsed) {
    double made = (double)(now - p->first), rate = elapsed > 0.0 ? made / elapsed : 0.0;
    double share = p->total > 0 ? (double)now / (double)p->total : 1.0;
    double time = time_at(p, now), speed = elapsed > 0.0 ? (time - time_at(p, p->first)) / elapsed : 0.0;
    char left[SHOWN_TIME] = "?";
    if (rate > 0.0) show_time((double)(p->total - now) / rate, left);
    if (p->terminal) {
        enum { WIDTH = 30 };
        char bar[WIDTH + 1];
        int full = (int)(share * WIDTH);
        memset(bar, '#', (size_t)full);
        memset(bar + full, '.', (size_t)(WIDTH - full));
        bar[WIDTH] = '\0';
        // Back to the start of the line; what stood further right is cleared.
        fprintf(stderr, "\r[%s] %3.0f %%  t = %.4g s  %.3g steps/s  %.3g s/s  %s left\033[K", bar, 100.0 * share, time,
                rate, speed, left);
    } else {
        fprintf(stderr, "%3.0f %%  step %" PRId64 "  t = %.6g s  %.3g steps/s  %.3g simulated s per s  %s left\n",
                100.0 * share, now, time, rate, speed, left);
    }
    fflush(stderr);
}

void progress_show(progress *p, int64_t now) {
    double clock = clock_seconds(), elapsed = clock - p->started;
    // The clock is read again after about read_interval, by the rate so far, and after at most twice as many steps as
    // were made, so that a quick start does not hide a slow rest.
    double made = (double)(now - p->first), ahead = elapsed > 0.0 ? made * read_interval / elapsed : 1.0;
    if (ahead > made) ahead = made;
    p->next = now + (ahead > 1.0 ? (int64_t)ahead : 1);
    double silence = clock - p->said;
    bool tenth = (now - p->said_at) * 10 >= p->total - p->first;
    bool due =
        p->terminal ? silence >= bar_interval : silence >= longest_silence || (tenth && silence >= shortest_silence);
    if (!due || now >= p->total) return;
    say(p, now, elapsed);
    p->said = clock;
    p->said_at = now;
}

void progress_end(progress *p) {
    if (p->shown && p->terminal && p->said > p->started) fputs("\r\033[K", stderr);
}
