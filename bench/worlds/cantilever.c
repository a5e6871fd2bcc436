// SPDX-License-Identifier: MIT
#include "worlds/cantilever.h"

#include <stdio.h>
#include <stdlib.h>

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

bench_cantilever bench_cantilever_make(void) {
    const int cells[3] = {40, 4, 4};
    const double half = 0.5;
    carom_error error;
    bench_cantilever c = {.elastic = carom_elastic_def_default()};
    c.elastic.model = CAROM_ELASTIC_STVK;
    carom_elastic_from_young(BENCH_CANTILEVER_YOUNG, BENCH_CANTILEVER_POISSON, &c.elastic.lambda, &c.elastic.mu);
    if (carom_mesh_create_box((carom_vec3){1.0, 0.1, 0.1}, cells, 2, NULL, &c.mesh, &error) != CAROM_OK)
        stop(error.text);
    size_t nodes = (size_t)carom_mesh_node_count(c.mesh);
    c.masses = malloc(sizeof *c.masses * nodes);
    c.held = malloc(sizeof *c.held * nodes);
    if (c.masses == NULL || c.held == NULL) stop("no memory");
    carom_mesh_masses(c.mesh, c.elastic.density, c.masses);
    c.held_count = carom_mesh_nodes_beyond(c.mesh, (carom_vec3){-1.0, 0.0, 0.0}, half * (1.0 - 1e-9), c.held);
    return c;
}

void bench_cantilever_free(bench_cantilever *c) {
    free(c->masses);
    free(c->held);
    carom_mesh_destroy(c->mesh);
}
