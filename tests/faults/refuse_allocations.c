// SPDX-License-Identifier: MIT
// Loaded before the C library (LD_PRELOAD), it refuses allocations of a whole program: those of SQLite, zlib, qhull,
// jansson, AMD and the C library, too.
//
//   REFUSE_AT=n      the n-th allocation fails
//   REFUSE_ALL=1     so do all that follow it
//   REFUSE_COUNT=f   the number of allocations is written to the file f at the end
//   INTERRUPT_AT=n   the n-th look at a clock finds SIGINT: a run that is interrupted, always at the same step
//
// What depends on the clock must not differ between two runs: every look at a clock sees it a millisecond later. What
// waits for disks need not.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// What the C library itself calls these.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_long asked, looks;
static long refuse_at, interrupt_at;
static int refuse_all;

// Before main, when the environment is there.
__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("REFUSE_AT"), *look = getenv("INTERRUPT_AT");
    refuse_all = getenv("REFUSE_ALL") != NULL;
    refuse_at = at != NULL ? atol(at) : 0;
    interrupt_at = look != NULL ? atol(look) : 0;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("REFUSE_COUNT");
    int to = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (to < 0) return;
    char digits[24];
    int length = 0;
    for (long rest = atomic_load(&asked); length == 0 || rest > 0; rest /= 10)
        digits[length++] = (char)('0' + rest % 10);
    while (length > 0)
        if (write(to, &digits[--length], 1) != 1) break;
    close(to);
}

static int is_refused(void) {
    long number = atomic_fetch_add(&asked, 1) + 1;
    if (refuse_at == 0 || number < refuse_at || (number > refuse_at && !refuse_all)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) {
    return is_refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return is_refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
    return is_refused() ? NULL : __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    return is_refused() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return is_refused() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (is_refused()) return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block != NULL ? 0 : ENOMEM;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    (void)clock;
    long look = atomic_fetch_add(&looks, 1) + 1;
    if (look == interrupt_at) raise(SIGINT);
    *now = (struct timespec){1000000000 + look / 1000, look % 1000 * 1000000};
    return 0;
}

time_t time(time_t *now) {
    if (now != NULL) *now = 1000000000;
    return 1000000000;
}

pid_t getpid(void) {
    return 1; // recordings keep who wrote them
}

int fsync(int file) {
    (void)file;
    return 0;
}

int fdatasync(int file) {
    (void)file;
    return 0;
}
