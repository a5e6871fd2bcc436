// SPDX-License-Identifier: MIT
// Runs cases once for each call that changes something on the disk: writing, syncing, making, naming and removing
// files, those of SQLite and of the C library too. Each call fails once because the disk is full, all fail from there
// on, it fails for another reason, files cannot be made on a disk that may only be read, or the process is killed just
// before it. A command that fails says so and leaves no file that is not whole; a recording can always be read and
// goes on to the bits of a run that met no fault.
//
//   walk_disk PROGRAM INPUTS [EVERY [FIRST [CASE]...]]
//
// The kernel asks this process about those calls (seccomp). Where it does not, the walk is left out: exit code 77.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/trial.h"

enum { MOST_SECONDS = 20, MOST_SHOWN = 12, SKIPPED = 77 };

static const trial_case cases[] = {
    {.name = "run",
     .words = {"run", "scene.json", "--no-report", "--checkpoint", "0", "-o", "made.carom"},
     .recording = "made.carom"},
    {.name = "run-report",
     .words = {"run", "scene.json", "-o", "made.carom"},
     .made = {"made.html"},
     .recording = "made.carom"},
    {.name = "run-force",
     .words = {"run", "scene.json", "--no-report", "--force", "-o", "made.carom"},
     .recording = "made.carom",
     .copied_from = "begun.carom"},
    {.name = "resume",
     .words = {"run", "scene.json", "--no-report", "--checkpoint", "0", "--resume", "-o", "made.carom"},
     .recording = "made.carom",
     .copied_from = "begun.carom"},
    {.name = "report", .words = {"report", "whole.carom", "-o", "made.html"}, .made = {"made.html"}},
    {.name = "export", .words = {"export", "whole.carom", "--csv", "-o", "made.csv"}, .made = {"made.csv"}},
    {.name = "export-vtk",
     .words = {"export", "soft.carom", "--vtk", "-o", "made.pvd"},
     .made = {"made/000000.vtu", "made/000001.vtu", "made.pvd"},
     .folder = "made"},
    {.name = "run-soft",
     .words = {"run", "soft.json", "--no-report", "--checkpoint", "0", "-o", "made.carom"},
     .recording = "made.carom"},
    {.name = "solve", .words = {"solve", "problem.json", "-o", "made.json"}, .made = {"made.json"}},
    {.name = "compare",
     .words = {"compare", "whole.carom", "begun.carom", "--report", "made.html", "-o", "made.txt"},
     .made = {"made.html", "made.txt"}},
    {.name = NULL},
};

// ---- faults

typedef enum fault_kind { FULL_ONCE, FULL, BROKEN_ONCE, READ_ONLY, KILLED, FAULT_KINDS } fault_kind;

static const char *const fault_names[] = {"a full disk once", "a full disk", "a failing disk once", "a read-only disk",
                                          "a kill"};

typedef struct fault {
    fault_kind kind;
    long at; // 0: none
} fault;

// What the fault makes of the n-th call: 0 to let it pass, or an errno.
static int fate_of(const fault *f, long n, int number) {
    bool makes = number == SYS_openat || number == SYS_open || number == SYS_mkdir || number == SYS_mkdirat,
         removes = number == SYS_unlink || number == SYS_unlinkat || number == SYS_rmdir;
    if (f->at == 0 || n < f->at || removes) return 0;
    switch (f->kind) {
    case FULL_ONCE:
        return n == f->at ? ENOSPC : 0;
    case FULL:
        return ENOSPC;
    case BROKEN_ONCE:
        return n == f->at ? EIO : 0;
    case READ_ONLY:
        return makes ? EROFS : 0;
    default:
        return 0;
    }
}

// ---- the kernel's questions

static const int watched[] = {SYS_pwrite64, SYS_ftruncate, SYS_fsync,   SYS_fdatasync, SYS_rename,
                              SYS_renameat, SYS_renameat2, SYS_link,    SYS_linkat,    SYS_unlink,
                              SYS_unlinkat, SYS_mkdir,     SYS_mkdirat, SYS_rmdir};
enum { WATCHED = sizeof watched / sizeof watched[0] };

// Asks about the watched calls, about writing to all but the standard streams, and about opening a file that is made.
static int install_filter(void) {
    struct sock_filter program[2 * WATCHED + 16];
    int used = 0;
#define LOAD(member) ((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member)))
#define SKIP_UNLESS(value, count) ((struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count)))
    const struct sock_filter ask = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
                             allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    program[used++] = LOAD(nr);
    for (int i = 0; i < WATCHED; i++) {
        program[used++] = SKIP_UNLESS((unsigned)watched[i], 1);
        program[used++] = ask;
    }
    program[used++] = SKIP_UNLESS(SYS_write, 4);
    program[used++] = LOAD(args[0]);
    program[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 0, 1);
    program[used++] = ask;
    program[used++] = allow;
    program[used++] = SKIP_UNLESS(SYS_openat, 3);
    program[used++] = LOAD(args[2]);
    program[used++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT, 0, 1);
    program[used++] = ask;
    program[used++] = allow;
    struct sock_fprog filter = {.len = (unsigned short)used, .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter);
}

// Hands the listener to the parent; -1 in its place says that there is none.
static void prepare(void *user) {
    int socket = *(int *)user, listener;
    setrlimit(RLIMIT_CPU, &(struct rlimit){MOST_SECONDS, MOST_SECONDS});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    listener = install_filter();
    char word = listener >= 0 ? 'y' : 'n';
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec data = {&word, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    if (listener >= 0) {
        message.msg_control = control.bytes;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        *header =
            (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(header), &listener, sizeof listener);
    }
    if (sendmsg(socket, &message, 0) != 1) _exit(126);
    close(socket);
    if (listener >= 0) close(listener);
}

static int receive_listener(int socket) {
    char word = 'n';
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec data = {&word, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    if (recvmsg(socket, &message, 0) != 1 || word != 'y' || CMSG_FIRSTHDR(&message) == NULL) return -1;
    int listener;
    memcpy(&listener, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof listener);
    return listener;
}

// Answers until the process has ended; returns how many calls there were.
static long answer(int listener, pid_t child, const fault *f) {
    long calls = 0;
    for (;;) {
        struct pollfd ready = {.fd = listener, .events = POLLIN};
        if (poll(&ready, 1, -1) < 0 || (ready.revents & POLLIN) == 0) return calls;
        struct seccomp_notif asked = {0};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) continue;
        calls++;
        if (f->kind == KILLED && calls == f->at) {
            kill(child, SIGKILL);
            return calls;
        }
        int error = fate_of(f, calls, asked.data.nr);
        struct seccomp_notif_resp told = {.id = asked.id, .error = -error};
        if (error == 0) told.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &told);
    }
}

// The number of calls; -1: the kernel does not ask.
static long run(const trial_place *place, const trial_case *about, const fault *f, trial_result *result) {
    int sockets[2], status;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return -1;
    trial_clean(about);
    pid_t child = trial_start(place, about, prepare, &sockets[1]);
    close(sockets[1]);
    int listener = receive_listener(sockets[0]);
    close(sockets[0]);
    long calls = listener >= 0 ? answer(listener, child, f) : -1;
    if (waitpid(child, &status, 0) != child) return -1;
    if (listener >= 0) close(listener);
    trial_collect(about, status, result);
    return calls;
}

// ---- what is right

static const char *check_result(const trial_place *place, const trial_case *about, const fault *f,
                                const trial_result *got, const trial_result *whole) {
    bool killed = f->kind == KILLED, failed = got->code != whole->code;
    if (got->code < 0 && !(killed && got->code == -SIGKILL)) return "it is killed by a signal";
    if (failed && !killed && got->code != 2 && got->code != 3) return "its exit code is neither 2 nor 3";
    if (failed && !killed && (got->error.bytes == NULL || got->error.size == 0)) return "it says nothing";
    const char *wrong = trial_leftovers(about, got, whole);
    // Nobody is left to remove what a killed process was writing.
    if (wrong != NULL && !(killed && strcmp(wrong, trial_left_temporary) == 0)) return wrong;
    for (int i = 0; i < MOST_FILES && !failed; i++)
        if (about->made[i] != NULL && got->made[i].bytes == NULL && about->recording == NULL)
            return "a file is missing, but the exit code is that of success";
    return got->recording.bytes != NULL ? trial_resume(place, about, whole) : NULL;
}

typedef struct tally {
    long calls, runs, failed, wrong;
} tally;

static bool walk(const trial_place *place, const trial_case *about, long every, long first, tally *t) {
    *t = (tally){0};
    trial_result whole;
    t->calls = run(place, about, &(fault){.at = 0}, &whole);
    bool good = t->calls > 0 && (whole.code == 0 || whole.code == 1) && trial_keep_hash(place, about);
    for (long n = first - 1; good && n < FAULT_KINDS * t->calls; n += every) {
        fault f = {.kind = (fault_kind)(n % FAULT_KINDS), .at = 1 + n / FAULT_KINDS};
        trial_result got;
        if (run(place, about, &f, &got) < 0) return false;
        const char *wrong = check_result(place, about, &f, &got, &whole);
        t->runs++;
        t->failed += got.code != whole.code;
        if (wrong != NULL && ++t->wrong <= MOST_SHOWN)
            printf("  %s, %s at call %ld of %ld: %s (exit %d: %.200s)\n", about->name, fault_names[f.kind], f.at,
                   t->calls, wrong, got.code, got.error.bytes != NULL ? got.error.bytes : "");
        trial_free(&got);
    }
    trial_clean(about);
    trial_free(&whole);
    return good;
}

// Whole recordings, and one whose run was killed in its middle.
static bool make_recordings(const trial_place *place) {
    static const trial_case begun = {
        .words = {"run", "scene.json", "--no-report", "--checkpoint", "0", "-o", "begun.carom"}};
    if (trial_command(place, (const char *[]){"run", "scene.json", "--no-report", "-o", "whole.carom", NULL}) < 0 ||
        trial_command(place, (const char *[]){"run", "soft.json", "--no-report", "-o", "soft.carom", NULL}) < 0)
        return false;
    trial_result result;
    long calls = run(place, &begun, &(fault){.at = 0}, &result);
    trial_free(&result);
    if (calls < 0) return false;
    unlink("begun.carom");
    run(place, &begun, &(fault){.kind = KILLED, .at = calls / 2}, &result);
    bool good = result.code == -SIGKILL;
    trial_free(&result);
    return good && trial_command(place, (const char *[]){"info", "begun.carom", NULL}) == 0;
}

int main(int argc, char **argv) {
    if (argc < 3) return fputs("usage: walk_disk PROGRAM INPUTS [EVERY [FIRST [CASE]...]]\n", stderr), 2;
    long every = argc > 3 ? atol(argv[3]) : 1, first = argc > 4 ? atol(argv[4]) : 1;
    trial_place place;
    if (every < 1 || first < 1 || !trial_begin(&place, argv[1], argv[2])) return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!make_recordings(&place)) {
        puts("the kernel does not let calls be watched here");
        trial_end(&place);
        return SKIPPED;
    }
    tally all = {0}, t;
    bool good = true;
    for (const trial_case *about = cases; about->name != NULL; about++) {
        bool asked = argc <= 5;
        for (int i = 5; i < argc; i++) asked |= strcmp(about->name, argv[i]) == 0;
        if (!asked) continue;
        if (!walk(&place, about, every, first, &t)) {
            printf("%s: does not run without faults\n", about->name);
            good = false;
        }
        printf("%-12s %4ld calls, %5ld runs: %5ld failed with a sentence or were killed, %ld wrong\n", about->name,
               t.calls, t.runs, t.failed, t.wrong);
        all.runs += t.runs, all.failed += t.failed, all.wrong += t.wrong;
    }
    printf("%ld runs with faults of the disk: %ld failed as they should, %ld wrong\n", all.runs, all.failed, all.wrong);
    trial_end(&place);
    return good && all.wrong == 0 && all.runs > 0 ? 0 : 1;
}
