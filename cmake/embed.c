// SPDX-License-Identifier: MIT
// Writes a text file as a C array that ends with a zero; without a file, an empty text.
//
//   embed NAME OUTPUT [FILE]
#include <stdio.h>

int main(int argc, char **argv) {
    if (argc != 3 && argc != 4) return fputs("usage: embed NAME OUTPUT [FILE]\n", stderr), 2;
    FILE *from = argc == 4 ? fopen(argv[3], "rb") : NULL, *to = fopen(argv[2], "wb");
    if (to == NULL) return perror(argv[2]), 2;
    if (argc == 4 && from == NULL) return perror(argv[3]), 2;
    fprintf(to, "#include \"%s.h\"\n\nconst char %s[] = {", argv[1], argv[1]);
    for (int c, column = 0; from != NULL && (c = fgetc(from)) != EOF; column = (column + 1) % 32)
        // As a char may have a sign, so has the number.
        fprintf(to, "%s%d,", column == 0 ? "\n" : "", c < 128 ? c : c - 256);
    fputs("\n0};\n", to);
    int failed = (from != NULL && (ferror(from) | fclose(from))) | ferror(to) | (fclose(to) != 0);
    return failed ? (perror(argv[2]), 2) : 0;
}
