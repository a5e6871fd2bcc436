// SPDX-License-Identifier: MIT
// Reads lines and fails at the first that is not a JSON object: a strict reader for what the program prints by --json.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    int number = 0, code = EXIT_SUCCESS;
    for (ssize_t length; code == EXIT_SUCCESS && (length = getline(&line, &capacity, stdin)) >= 0;) {
        json_error_t error;
        json_t *value = json_loadb(line, (size_t)length, JSON_REJECT_DUPLICATES, &error);
        number++;
        if (!json_is_object(value)) {
            printf("line %d is no JSON object (%s): %s\n", number, value == NULL ? error.text : "another kind", line);
            code = EXIT_FAILURE;
        }
        json_decref(value);
    }
    free(line);
    if (number == 0) puts("there are no lines");
    return number > 0 ? code : EXIT_FAILURE;
}
