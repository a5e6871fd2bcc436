// SPDX-License-Identifier: MIT
// Elements of flexible bodies: energy and forces, and stiffness, an element of a box of some thousand, bent and
// stretched. The error is the net force over the largest one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "flex/elastic.h"
#include "flex/flex_tables.h"
#include "support/report.h"
#include "support/timing.h"

enum { ROUNDS = 9 };

// What an explicit step may take for an element of 4 nodes, ns.
static const double forces_target = 120.0;

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

typedef struct body {
    carom_mesh *mesh;
    crm_arena arena;
    crm_elastic *elastic;
    carom_vec3 *position, *force;
    crm_block_matrix stiffness;
} body;

static body make_body(carom_elastic_model model, int order) {
    const int cells[3] = {order == 1 ? 8 : 5, order == 1 ? 8 : 5, order == 1 ? 8 : 5};
    body b = {0};
    carom_error error;
    carom_elastic_def def = carom_elastic_def_default();
    def.model = model;
    crm_arena_init(&b.arena, NULL);
    if (carom_mesh_create_box((carom_vec3){1.0, 1.0, 1.0}, cells, order, NULL, &b.mesh, &error) != CAROM_OK)
        stop(error.text);
    int count = carom_mesh_node_count(b.mesh);
    b.elastic = crm_elastic_create(b.mesh, &def, &b.arena);
    b.position = CRM_ARENA_ARRAY(&b.arena, carom_vec3, count);
    b.force = CRM_ARENA_ARRAY(&b.arena, carom_vec3, count);
    if (b.elastic == NULL || b.position == NULL || b.force == NULL) stop("no memory");
    crm_block_graph graph = crm_elastic_graph(b.elastic);
    if (crm_block_matrix_create(&graph, true, &b.arena, &b.stiffness, &error) != CAROM_OK) stop(error.text);
    for (int n = 0; n < count; n++) {
        carom_vec3 x = carom_mesh_nodes(b.mesh)[n];
        b.position[n] = crm_vec3(1.1 * x.x + 0.1 * x.y * x.z, x.y + 0.05 * x.x, 0.9 * x.z);
    }
    return b;
}

static void free_body(body *b) {
    crm_arena_free(&b->arena);
    carom_mesh_destroy(b->mesh);
}

typedef void task(body *b);

static void find_forces(body *b) {
    crm_node_view position = {b->position, sizeof *b->position}, none = {0};
    crm_node_sum force = {b->force, sizeof *b->force}, nobody = {0};
    for (int n = 0; n < carom_mesh_node_count(b->mesh); n++) b->force[n] = crm_vec3_zero();
    (void)crm_elastic_evaluate(b->elastic, position, none, force, nobody);
}

static void find_stiffness(body *b) {
    crm_node_view position = {b->position, sizeof *b->position};
    crm_elastic_add_stiffness(b->elastic, position, 1.0, 0.0, false, (crm_elastic_place){&b->stiffness, 0, 0});
}

static void find_definite(body *b) {
    crm_node_view position = {b->position, sizeof *b->position};
    crm_elastic_add_stiffness(b->elastic, position, 1.0, 0.0, true, (crm_elastic_place){&b->stiffness, 0, 0});
}

// Nanoseconds of an element.
static double measure(body *b, task *run) {
    enum { REPEATS = 10 };
    double seconds[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        double start = crm_clock_thread_seconds();
        for (int i = 0; i < REPEATS; i++) run(b);
        seconds[round] = (crm_clock_thread_seconds() - start) / REPEATS;
    }
    return bench_median(seconds, ROUNDS) / carom_mesh_element_count(b->mesh) * 1e9;
}

static double net_force(const body *b) {
    carom_vec3 sum = crm_vec3_zero();
    double largest = 0.0;
    for (int n = 0; n < carom_mesh_node_count(b->mesh); n++) {
        sum = crm_add(sum, b->force[n]);
        largest = fmax(largest, crm_length(b->force[n]));
    }
    return crm_length(sum) / largest;
}

static void print_body(bool json, carom_elastic_model model, int order) {
    static const struct {
        const char *name;
        task *run;
    } tasks[] = {{"forces", find_forces}, {"stiffness", find_stiffness}, {"definite stiffness", find_definite}};
    body b = make_body(model, order);
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s, %d nodes, %s", carom_elastic_model_name(model), CAROM_ELEMENT_NODES(order),
                 tasks[i].name);
        bench_row row = bench_row_of("flex", name, "ns an element");
        row.carom = measure(&b, tasks[i].run);
        if (tasks[i].run == find_forces) row.error = net_force(&b);
        if (tasks[i].run == find_forces && order == 1) {
            row.target_kind = BENCH_VALUE_AT_MOST;
            row.target = forces_target;
        }
        bench_print_row(json, &row);
    }
    free_body(&b);
}

void bench_flex_elements(bool json) {
    bench_print_heading(json, "Elements of flexible bodies, errors as the net force over the largest one");
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++)
            print_body(json, (carom_elastic_model)model, order);
}
