// SPDX-License-Identifier: MIT
#include "report/picture.h"

#include <stdlib.h>

#include "base/output.h"
#include "verb/verb.h"

int open_for_pictures(browser *b, const picture_def *def, const char *page) {
    char fragment[512];
    int size = snprintf(fragment, sizeof fragment, "render&theme=%s%s%s%s%s", def->theme, def->view ? "&view=" : "",
                        def->view ? def->view : "", def->layers ? "&layers=" : "", def->layers ? def->layers : "");
    if (size >= (int)sizeof fragment) return refuse("--view and --layers are too long for an address");
    return browser_open(b, page, fragment);
}

int take_picture(browser *b, double time, const char *to, bool force) {
    char script[96];
    snprintf(script, sizeof script, "carom.seek(%.17g)", time);
    int code = browser_evaluate(b, script, NULL);
    if (code != EXIT_GOOD) return code;
    output out;
    code = open_output(&out, to, force);
    if (code == EXIT_GOOD) code = browser_capture(b, out.to);
    return close_output(&out, code);
}
