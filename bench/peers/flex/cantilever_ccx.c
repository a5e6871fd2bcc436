// SPDX-License-Identifier: MIT
// CalculiX on the cantilever: a file for it is written into FOLDER, `ccx` is run there on one thread, and what it
// printed is read back. Its *ELASTIC with NLGEOM is Saint-Venant's and Kirchhoff's material, its C3D10 has carom's ten
// nodes in the same order and four points. Processor time is that of `ccx` alone, with its reading and printing.
//
//   cantilever_ccx FOLDER [TOLERANCE]     displacements go to FOLDER/displacements, as doubles
//
// Without a tolerance of residual forces and corrections it takes its own.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "worlds/cantilever.h"

static void stop(const char *why) {
    fprintf(stderr, "cantilever_ccx: %s\n", why);
    exit(1);
}

static FILE *open_here(const char *name, const char *mode) {
    FILE *file = fopen(name, mode);
    if (file == NULL) stop("a file of the folder cannot be opened");
    return file;
}

// ---- there

static void write_mesh(FILE *file, const carom_mesh *mesh) {
    const carom_vec3 *node = carom_mesh_nodes(mesh);
    const int32_t *element = carom_mesh_elements(mesh);
    fputs("*NODE, NSET=ALL\n", file);
    for (int n = 0; n < carom_mesh_node_count(mesh); n++)
        fprintf(file, "%d,%.17g,%.17g,%.17g\n", n + 1, node[n].x, node[n].y, node[n].z);
    fputs("*ELEMENT, TYPE=C3D10, ELSET=BEAM\n", file);
    for (int e = 0; e < carom_mesh_element_count(mesh); e++) {
        fprintf(file, "%d", e + 1);
        for (int k = 0; k < CAROM_ELEMENT_NODES(2); k++) fprintf(file, ",%d", *element++ + 1);
        fputc('\n', file);
    }
}

static void write_problem(const bench_cantilever *c, const char *tolerance) {
    FILE *file = open_here("cantilever.inp", "w");
    bool *held = calloc((size_t)carom_mesh_node_count(c->mesh), sizeof *held);
    if (held == NULL) stop("no memory");
    write_mesh(file, c->mesh);
    fputs("*NSET, NSET=HELD\n", file);
    for (int k = 0; k < c->held_count; k++) {
        fprintf(file, "%d,\n", c->held[k] + 1);
        held[c->held[k]] = true;
    }
    fprintf(file, "*BOUNDARY\nHELD,1,3\n*MATERIAL,NAME=STVK\n*ELASTIC\n%.17g,%.17g\n", BENCH_CANTILEVER_YOUNG,
            BENCH_CANTILEVER_POISSON);
    fputs("*SOLID SECTION,ELSET=BEAM,MATERIAL=STVK\n*STEP,NLGEOM\n*STATIC\n1.,1.\n", file);
    if (tolerance != NULL) fprintf(file, "*CONTROLS,PARAMETERS=FIELD\n%s,%s\n", tolerance, tolerance);
    fputs("*CLOAD\n", file);
    for (int n = 0; n < carom_mesh_node_count(c->mesh); n++)
        if (!held[n]) fprintf(file, "%d,3,%.17g\n", n + 1, -BENCH_CANTILEVER_GRAVITY * c->masses[n]);
    fputs("*NODE PRINT,NSET=ALL\nU\n*END STEP\n", file);
    free(held);
    if (fclose(file) != 0) stop("the problem cannot be written");
}

// Processor time of it, s.
static double run(void) {
    struct rusage used;
    int status;
    pid_t child = fork();
    if (child == 0) {
        int log = open("cantilever.log", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        execlp("ccx", "ccx", "cantilever", (char *)NULL);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        stop("ccx cannot be run");
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
           1e-6 * ((double)used.ru_utime.tv_usec + (double)used.ru_stime.tv_usec);
}

// ---- and back

static void read_displacements(int nodes) {
    FILE *from = open_here("cantilever.dat", "r"), *to = open_here("displacements", "wb");
    char line[256];
    int next = 1, node;
    double u[3];
    while (fgets(line, sizeof line, from) != NULL) {
        if (sscanf(line, "%d %lf %lf %lf", &node, &u[0], &u[1], &u[2]) != 4) continue;
        if (node != next++ || fwrite(u, sizeof u, 1, to) != 1) stop("the displacements are not as they should be");
    }
    fclose(from);
    if (next != nodes + 1 || fclose(to) != 0) stop("displacements are missing");
}

// Iterations of Newton's method: lines of numbers in its table of convergence.
static int count_iterations(void) {
    FILE *file = open_here("cantilever.cvg", "r");
    char line[256];
    int count = 0, numbers[4];
    while (fgets(line, sizeof line, file) != NULL)
        count += sscanf(line, "%d %d %d %d", &numbers[0], &numbers[1], &numbers[2], &numbers[3]) == 4;
    fclose(file);
    return count;
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: cantilever_ccx FOLDER [TOLERANCE]\n");
        return 2;
    }
    if (chdir(argv[1]) != 0) stop("there is no such folder");
    bench_cantilever cantilever = bench_cantilever_make();
    write_problem(&cantilever, argc == 3 ? argv[2] : NULL);
    double seconds = run();
    read_displacements(carom_mesh_node_count(cantilever.mesh));
    printf("{\"seconds\":%.9g,\"iterations\":%d}\n", seconds, count_iterations());
    bench_cantilever_free(&cantilever);
    return 0;
}
