// SPDX-License-Identifier: MIT
#include "base/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

void watch_for_interrupts(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old, watch = {.sa_handler = note_interrupt};
        watch.sa_flags = (int)SA_RESETHAND | SA_RESTART;
        sigemptyset(&watch.sa_mask);
        // Who started the program with a signal ignored (nohup, a shell's background) wants it ignored.
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) sigaction(numbers[i], &watch, NULL);
    }
}

bool was_interrupted(void) {
    return interrupted != 0;
}

static bool ask(void *user) {
    (void)user;
    return was_interrupted();
}

carom_interrupt interrupts(void) {
    return (carom_interrupt){ask, NULL};
}
