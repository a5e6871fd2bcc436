// SPDX-License-Identifier: MIT
#include "analytic/experiment.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

carom_body_state analytic_body(const analytic_run *run, int body) {
    carom_body_state state = {0};
    (void)carom_state_get_body(run->state, (carom_body){body}, &state, NULL);
    return state;
}

double analytic_energy(const analytic_run *run) {
    carom_energy energy = carom_state_energy(run->state);
    return energy.kinetic + energy.potential;
}

void analytic_write(char *text, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, ANALYTIC_SCENE_SIZE - used, format, arguments);
    va_end(arguments);
}

void analytic_begin(char *text, const char *name, double until, carom_vec3 gravity, double friction,
                    double restitution) {
    text[0] = '\0';
    analytic_write(text,
                   "{\"carom\": 1, \"name\": \"%s\", \"method\": {\"name\": \"lcp\"}, \"until\": %.17g, "
                   "\"gravity\": [%.17g, %.17g, %.17g], "
                   "\"materials\": {\"m\": {\"friction\": %.17g, \"restitution\": %.17g}}, ",
                   name, until, gravity.x, gravity.y, gravity.z, friction, restitution);
}

const char analytic_floor[] = "{\"name\": \"floor\", \"kind\": \"fixed\", \"shape\": \"floor\", \"material\": \"m\"}";
