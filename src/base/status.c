// SPDX-License-Identifier: MIT
// Status sentences and the filling of errors.
#include "carom/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/fail.h"

const char *carom_status_text(carom_status status) {
    switch (status) {
#define STATUS_CASE(name, sentence) \
    case name:                      \
        return sentence;
        CAROM_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}

static void fill(carom_error *error, carom_status status, const char *format, va_list arguments) {
    if (error == NULL) return;
    error->status = status;
    vsnprintf(error->text, sizeof error->text, format, arguments);
}

carom_status crm_fail(carom_error *error, carom_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, format, arguments);
    va_end(arguments);
    return status;
}

carom_status crm_refuse(carom_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, CAROM_ERR_BAD_INPUT, format, arguments);
    va_end(arguments);
    return CAROM_ERR_BAD_INPUT;
}

carom_status crm_fail_memory(carom_error *error, const char *what, size_t bytes) {
    if (bytes == 0)
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "%s: no memory; free some or make the problem smaller", what);
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "%s: no memory for %zu bytes; free some or make the problem smaller",
                    what, bytes);
}

carom_status crm_file_status(int number) {
    return number == ENOMEM ? CAROM_ERR_NO_MEMORY : CAROM_ERR_FILE;
}

carom_status crm_fail_struct(carom_error *error, const char *type, uint32_t given, size_t wanted) {
    return crm_refuse(
        error,
        "this %s does not come from %s_default() of this library: its struct_size is %u, must be %zu; start "
        "from that function and change what you need",
        type, type, (unsigned)given, wanted);
}
