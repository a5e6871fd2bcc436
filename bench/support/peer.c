// SPDX-License-Identifier: MIT
#include "support/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_ARGUMENTS = 16, PATH_SIZE = 4096 };

static void become_peer(const char *path, const char *const *arguments, int output) {
    char *child_arguments[MOST_ARGUMENTS + 2] = {(char *)path};
    for (int i = 0; arguments[i] != NULL && i < MOST_ARGUMENTS; i++) child_arguments[i + 1] = (char *)arguments[i];
    // One thread for everybody; a BLAS or OpenMP of its own would take the other cores.
    setenv("OMP_NUM_THREADS", "1", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    dup2(output, STDOUT_FILENO);
    execv(path, child_arguments);
    _exit(127);
}

// The program's path; false when it is not there.
static bool find_peer(const char *name, char path[PATH_SIZE + 64]) {
    ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    sprintf(strrchr(path, '/'), "/peers/%.40s", name);
    return access(path, X_OK) == 0;
}

bool bench_peer_built(const char *name) {
    char path[PATH_SIZE + 64];
    return find_peer(name, path);
}

// At most to the end of a line, or, without one, of the input.
static size_t read_answer(int from, bool line, char answer[BENCH_PEER_ANSWER]) {
    size_t used = 0;
    while (used < BENCH_PEER_ANSWER - 1) {
        ssize_t got = read(from, answer + used, line ? 1 : BENCH_PEER_ANSWER - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || (line && answer[used] == '\n')) break;
        used += (size_t)got;
    }
    answer[used] = '\0';
    return used;
}

static bool ended_well(int process) {
    int status = 1;
    return waitpid(process, &status, 0) == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool bench_peer_run(const char *name, const char *const *arguments, char answer[BENCH_PEER_ANSWER]) {
    char path[PATH_SIZE + 64];
    int ends[2];
    if (!find_peer(name, path) || pipe(ends) != 0) return false;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) become_peer(path, arguments, ends[1]);
    close(ends[1]);
    read_answer(ends[0], false, answer);
    close(ends[0]);
    return child > 0 && ended_well(child);
}

bool bench_peer_start(const char *name, const char *const *arguments, bench_peer *out) {
    char path[PATH_SIZE + 64];
    int to[2], from[2];
    if (!find_peer(name, path) || pipe(to) != 0 || pipe(from) != 0) return false;
    signal(SIGPIPE, SIG_IGN); // a peer that has ended is told by its answers
    fflush(stdout);
    *out = (bench_peer){fork(), to[1], from[0]};
    if (out->process == 0) {
        close(to[1]), close(from[0]);
        dup2(to[0], STDIN_FILENO);
        become_peer(path, arguments, from[1]);
    }
    close(to[0]), close(from[1]);
    // Peers that are started later must not hold this one's ends open.
    fcntl(out->to, F_SETFD, FD_CLOEXEC);
    fcntl(out->from, F_SETFD, FD_CLOEXEC);
    return out->process > 0;
}

bool bench_peer_ask(bench_peer *peer, const char *line, char answer[BENCH_PEER_ANSWER]) {
    char sent[64];
    int length = snprintf(sent, sizeof sent, "%.60s\n", line);
    return write(peer->to, sent, (size_t)length) == length && read_answer(peer->from, true, answer) > 0;
}

bool bench_peer_end(bench_peer *peer, char answer[BENCH_PEER_ANSWER]) {
    close(peer->to);
    read_answer(peer->from, false, answer);
    close(peer->from);
    return ended_well(peer->process);
}

double bench_peer_number(const char *answer, const char *key) {
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(answer, quoted);
    double value;
    return found != NULL && sscanf(found + strlen(quoted), "%lf", &value) == 1 ? value : NAN;
}
