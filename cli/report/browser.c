// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // nftw
#include "report/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/json.h"
#include "base/memory_file.h"
#include "base/progress.h"
#include "verb/verb.h"

// Seconds that one command may take: a large report, drawn by software on a slow machine.
static const double most_seconds = 120.0;

enum { PATH_SIZE = 4096, TO_BROWSER = 3, FROM_BROWSER = 4 }; // the descriptors are Chromium's choice

// ---- the program

static bool is_program(const char *path) {
    return strchr(path, '/') != NULL && access(path, X_OK) == 0;
}

static bool find_in_path(const char *name, char found[PATH_SIZE]) {
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        int size = snprintf(found, PATH_SIZE, "%.*s/%s", (int)length, path, name);
        if (size > 0 && size < PATH_SIZE && is_program(found)) return true;
        path += length + (path[length] == ':');
    }
    return false;
}

static bool find_browser(char found[PATH_SIZE]) {
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", NULL};
    const char *wanted = getenv(BROWSER_VARIABLE);
    if (wanted != NULL && *wanted != '\0') {
        snprintf(found, PATH_SIZE, "%s", wanted);
        if (is_program(found) || find_in_path(wanted, found)) return true;
        refuse("there is no program %s, which " BROWSER_VARIABLE " names; set it to a Chromium", wanted);
        return false;
    }
    for (int i = 0; names[i] != NULL; i++)
        if (find_in_path(names[i], found)) return true;
    refuse("pictures need Chromium, which is not in the PATH; install it, or name it in " BROWSER_VARIABLE);
    return false;
}

static void become_browser(const char *program, const char *profile, int commands, int answers) {
    char profile_option[320];
    snprintf(profile_option, sizeof profile_option, "--user-data-dir=%s", profile);
    // Chromium refuses to put root into its sandbox; the pages are our own.
    const char *sandbox = geteuid() == 0 ? "--no-sandbox" : "--disable-sync";
    const char *const arguments[] = {program,
                                     "--headless",
                                     "--remote-debugging-pipe",
                                     profile_option,
                                     sandbox,
                                     "--use-gl=angle",
                                     "--use-angle=swiftshader",
                                     "--enable-unsafe-swiftshader",
                                     "--disable-dev-shm-usage",
                                     "--disable-extensions",
                                     "--disable-background-networking",
                                     "--disable-component-update",
                                     "--no-first-run",
                                     "--hide-scrollbars",
                                     "--mute-audio",
                                     NULL};
    // Out of the way first: a pipe may have one of the two numbers itself.
    int high_commands = fcntl(commands, F_DUPFD, 10), high_answers = fcntl(answers, F_DUPFD, 10);
    int nowhere = open("/dev/null", O_RDWR);
    if (high_commands < 0 || high_answers < 0 || nowhere < 0) _exit(127);
    for (int i = 0; i <= 2; i++) dup2(nowhere, i);
    dup2(high_commands, TO_BROWSER);
    dup2(high_answers, FROM_BROWSER);
    for (int i = FROM_BROWSER + 1; i < 256; i++) close(i);
    setpgid(0, 0); // with its children it is ended as one group
    execv(program, (char *const *)arguments);
    _exit(127);
}

// ---- commands and answers

static int refuse_answer(const char *what) {
    refuse("the browser %s; is it a Chromium that works? " BROWSER_VARIABLE " can name another one", what);
    return EXIT_INTERNAL;
}

static bool send_all(const browser *b, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = write(b->to, bytes, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= (size_t)sent;
    }
    return true;
}

// Reads more into the buffer; false when there is nothing more to come in time.
static bool read_more(browser *b, double deadline) {
    if (b->capacity - b->kept < 65536) {
        size_t wanted = 2 * b->capacity + 131072;
        char *larger = realloc(b->buffer, wanted);
        if (larger == NULL) return false;
        b->buffer = larger;
        b->capacity = wanted;
    }
    struct pollfd waits = {.fd = b->from, .events = POLLIN};
    double left = deadline - clock_seconds();
    if (left <= 0.0 || poll(&waits, 1, (int)(1e3 * left) + 1) <= 0) return false;
    ssize_t got = read(b->from, b->buffer + b->kept, b->capacity - b->kept);
    if (got <= 0) return false;
    b->kept += (size_t)got;
    return true;
}

// Takes messages, each ending with a zero, until the answer to the last command; others tell of events.
static bool wait_for_answer(browser *b) {
    double deadline = clock_seconds() + most_seconds;
    char start[32];
    int start_length = snprintf(start, sizeof start, "{\"id\":%d,", b->last_id);
    for (size_t at = 0, looked = 0;;) {
        char *end = b->kept > looked ? memchr(b->buffer + looked, '\0', b->kept - looked) : NULL;
        if (end == NULL) {
            looked = b->kept;
            if (!read_more(b, deadline)) return false;
            continue;
        }
        size_t length = (size_t)(end - (b->buffer + at));
        if (strncmp(b->buffer + at, start, (size_t)start_length) == 0) {
            free(b->answer);
            b->answer = strdup(b->buffer + at);
            at += length + 1;
            memmove(b->buffer, b->buffer + at, b->kept - at);
            b->kept -= at;
            return b->answer != NULL;
        }
        at += length + 1;
        looked = at;
    }
}

typedef struct command {
    jsonl_writer json;
    memory_file file;
} command;

static bool begin_command(browser *b, command *c, const char *method) {
    if (!memory_file_open(&c->file)) return false;
    c->json = jsonl_begin(c->file.to);
    jsonl_int(&c->json, "id", ++b->last_id);
    jsonl_text(&c->json, "method", method);
    if (b->session[0] != '\0') jsonl_text(&c->json, "sessionId", b->session);
    jsonl_open(&c->json, "params");
    return true;
}

// The exit code; the answer is in b->answer.
static int end_command(browser *b, command *c) {
    jsonl_close(&c->json);
    jsonl_end(&c->json);
    char *text = memory_file_close(&c->file);
    if (text == NULL) return refuse_memory("the browser");
    // With the closing zero, which ends a message.
    bool good = send_all(b, text, c->file.size + 1) && wait_for_answer(b);
    free(text);
    return good ? EXIT_GOOD : refuse_answer("gives no answer");
}

// A copy of the text of the first member of that name, as it stands in JSON; NULL when there is none.
static char *member(const char *answer, const char *key) {
    char start[64];
    snprintf(start, sizeof start, "\"%s\":\"", key);
    const char *at = strstr(answer, start);
    if (at == NULL) return NULL;
    at += strlen(start);
    const char *end = at;
    while (*end != '\0' && *end != '"') end += *end == '\\' && end[1] != '\0' ? 2 : 1;
    return strndup(at, (size_t)(end - at));
}

// Of the escapes of JSON those that our own answers can have.
static void unescape(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0'; from++) {
        if (*from == '\\' && from[1] != '\0') {
            from++;
            *to++ = *from == 'n' ? '\n' : *from == 't' ? '\t' : *from;
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static int keep_member(browser *b, const char *key, char *to, size_t size) {
    char *value = member(b->answer, key);
    if (value == NULL) return refuse_answer("does not understand its commands");
    snprintf(to, size, "%s", value);
    free(value);
    return EXIT_GOOD;
}

// ---- the page

static int open_page(browser *b, int width, int height) {
    command c;
    char target[128];
    if (!begin_command(b, &c, "Target.createTarget")) return refuse_memory("the browser");
    jsonl_text(&c.json, "url", "about:blank");
    int code = end_command(b, &c);
    if (code == EXIT_GOOD) code = keep_member(b, "targetId", target, sizeof target);
    if (code != EXIT_GOOD) return code;
    if (!begin_command(b, &c, "Target.attachToTarget")) return refuse_memory("the browser");
    jsonl_text(&c.json, "targetId", target);
    jsonl_bool(&c.json, "flatten", true);
    code = end_command(b, &c);
    if (code == EXIT_GOOD) code = keep_member(b, "sessionId", b->session, sizeof b->session);
    if (code != EXIT_GOOD) return code;
    if (!begin_command(b, &c, "Emulation.setDeviceMetricsOverride")) return refuse_memory("the browser");
    jsonl_int(&c.json, "width", width);
    jsonl_int(&c.json, "height", height);
    jsonl_int(&c.json, "deviceScaleFactor", 1);
    jsonl_bool(&c.json, "mobile", false);
    return end_command(b, &c);
}

int browser_begin(browser *b, int width, int height) {
    *b = (browser){.to = -1, .from = -1};
    char program[PATH_SIZE];
    if (!find_browser(program)) return EXIT_BAD_INPUT;
    const char *folder = getenv("TMPDIR");
    snprintf(b->profile, sizeof b->profile, "%.200s/carom-browser-XXXXXX", folder != NULL ? folder : "/tmp");
    if (mkdtemp(b->profile) == NULL) {
        refuse("%s: no folder can be made there for the browser: %s", b->profile, strerror(errno));
        b->profile[0] = '\0';
        return EXIT_INTERNAL;
    }
    int commands[2], answers[2];
    if (pipe(commands) != 0) return refuse_answer("cannot be started");
    if (pipe(answers) != 0) {
        close(commands[0]);
        close(commands[1]);
        return refuse_answer("cannot be started");
    }
    fflush(NULL);
    b->process = fork();
    if (b->process == 0) become_browser(program, b->profile, commands[0], answers[1]);
    close(commands[0]);
    close(answers[1]);
    b->to = commands[1];
    b->from = answers[0];
    signal(SIGPIPE, SIG_IGN); // a browser that is gone is told by its answers
    if (b->process < 0) return refuse_answer("cannot be started");
    return open_page(b, width, height);
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *place) {
    (void)about, (void)kind, (void)place;
    return remove(path);
}

void browser_end(browser *b) {
    if (b->to >= 0) close(b->to); // which a browser takes as the end
    if (b->from >= 0) close(b->from);
    if (b->process > 0) {
        int status;
        double deadline = clock_seconds() + 2.0;
        pid_t gone;
        while ((gone = waitpid(b->process, &status, WNOHANG)) == 0 && clock_seconds() < deadline)
            nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        kill(-b->process, SIGKILL);
        if (gone == 0) waitpid(b->process, &status, 0);
    }
    if (b->profile[0] != '\0') nftw(b->profile, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    free(b->answer);
    free(b->buffer);
    *b = (browser){.to = -1, .from = -1};
}

int browser_evaluate(browser *b, const char *script, char **text) {
    command c;
    if (text != NULL) *text = NULL;
    if (!begin_command(b, &c, "Runtime.evaluate")) return refuse_memory("the browser");
    jsonl_text(&c.json, "expression", script);
    jsonl_bool(&c.json, "awaitPromise", true);
    jsonl_bool(&c.json, "returnByValue", true);
    int code = end_command(b, &c);
    if (code != EXIT_GOOD) return code;
    if (strstr(b->answer, "\"exceptionDetails\":") != NULL || strstr(b->answer, "\"error\":{") != NULL) {
        char *why = member(b->answer, "description");
        if (why == NULL) why = member(b->answer, "message");
        if (why != NULL) unescape(why);
        refuse("the page cannot be shown: %s", why != NULL ? why : "it does not say why");
        free(why);
        return EXIT_INTERNAL;
    }
    if (text == NULL) return EXIT_GOOD;
    *text = member(b->answer, "value");
    if (*text == NULL) return refuse_answer("gives no value");
    unescape(*text);
    return EXIT_GOOD;
}

// A file's address, with every byte that is not plain as %XX.
static void put_address(FILE *to, const char *path, const char *fragment) {
    fputs("file://", to);
    for (const unsigned char *c = (const unsigned char *)path; *c != '\0'; c++) {
        bool plain = *c < 128 && (strchr("/-_.~", *c) != NULL || (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                                  (*c >= 'A' && *c <= 'Z'));
        fprintf(to, plain ? "%c" : "%%%02X", *c);
    }
    fprintf(to, "#%s", fragment);
}

int browser_open(browser *b, const char *path, const char *fragment) {
    char *whole = realpath(path, NULL);
    if (whole == NULL) return refuse("%s: cannot be read: %s", path, strerror(errno));
    memory_file file;
    char *address = NULL;
    if (memory_file_open(&file)) {
        put_address(file.to, whole, fragment);
        address = memory_file_close(&file);
    }
    free(whole);
    if (address == NULL) return refuse_memory("the browser");
    command c;
    int code = EXIT_INTERNAL;
    if (begin_command(b, &c, "Page.navigate")) {
        jsonl_text(&c.json, "url", address);
        code = end_command(b, &c);
    }
    free(address);
    if (code != EXIT_GOOD) return code;
    // The script of the page may not have run yet.
    return browser_evaluate(b,
                            "new Promise((good, bad) => { const look = () => window.carom ? "
                            "window.carom.ready.then(() => good(1), bad) : setTimeout(look, 10); look(); })",
                            NULL);
}

// ---- pictures

static int digit_of(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

static void put_decoded(FILE *to, const char *base64) {
    unsigned word = 0;
    int bits = 0;
    for (int digit; (digit = digit_of(*base64)) >= 0; base64++) {
        word = (word << 6 | (unsigned)digit) & 0xffff;
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        fputc((int)(word >> bits & 0xff), to);
    }
}

int browser_capture(browser *b, FILE *to) {
    command c;
    if (!begin_command(b, &c, "Page.captureScreenshot")) return refuse_memory("the browser");
    jsonl_text(&c.json, "format", "png");
    int code = end_command(b, &c);
    if (code != EXIT_GOOD) return code;
    char *data = member(b->answer, "data");
    if (data == NULL) return refuse_answer("gives no picture");
    put_decoded(to, data);
    free(data);
    return EXIT_GOOD;
}
