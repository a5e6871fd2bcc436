// SPDX-License-Identifier: MIT
// Runs a fuzzing entry over files, for compilers without a fuzzer of their own and to replay what one has found.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            fprintf(stderr, "%s cannot be opened\n", argv[i]);
            return 2;
        }
        fseek(file, 0, SEEK_END);
        long size = ftell(file);
        rewind(file);
        uint8_t *data = malloc((size_t)size + 1);
        size_t got = fread(data, 1, (size_t)size, file);
        fclose(file);
        LLVMFuzzerTestOneInput(data, got);
        free(data);
    }
    printf("%d inputs\n", argc - 1);
    return 0;
}
