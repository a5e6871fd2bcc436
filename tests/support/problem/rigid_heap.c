// SPDX-License-Identifier: MIT
#include "support/problem/rigid_heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"

static void *taken(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) abort();
    return memory;
}

rigid_heap *heap_create(int most) {
    rigid_heap *heap = taken(1, sizeof *heap);
    heap->capacity = most;
    heap->kind = taken((size_t)most, sizeof *heap->kind);
    heap->problem.bodies = heap->bodies = taken((size_t)most, sizeof *heap->bodies);
    heap->problem.contacts = heap->contacts = taken((size_t)most, sizeof *heap->contacts);
    heap->problem.blocks = heap->blocks = taken((size_t)most, sizeof *heap->blocks);
    return heap;
}

void heap_destroy(rigid_heap *heap) {
    free(heap->kind);
    free(heap->bodies);
    free(heap->contacts);
    free(heap->blocks);
    free(heap);
}

int heap_rows(const rigid_heap *heap) {
    return 3 * heap->problem.contact_count + heap->block_rows;
}

static int room(const rigid_heap *heap, int count) {
    if (count >= heap->capacity) abort();
    return count;
}

// ---- pieces

int heap_add_body(rigid_heap *heap, heap_kind kind, double mass, carom_vec3 moments, carom_quat attitude,
                  crm_vec6 free_velocity) {
    int k = room(heap, heap->problem.body_count++);
    double root = 1.0 / sqrt(mass);
    crm_rigid_body body = {.linear = {root, root, root}, .free = free_velocity};
    if (kind == HEAP_PLANAR) {
        body.linear.z = body.free.linear.z = body.free.angular.x = body.free.angular.y = 0.0;
        body.angular[2] = (carom_vec3){0.0, 0.0, 1.0 / sqrt(moments.z)};
    } else if (kind == HEAP_POINT) {
        body.free.angular = crm_vec3_zero();
    } else {
        carom_vec3 axis[3] = {crm_quat_rotate(attitude, (carom_vec3){1, 0, 0}),
                              crm_quat_rotate(attitude, (carom_vec3){0, 1, 0}),
                              crm_quat_rotate(attitude, (carom_vec3){0, 0, 1})};
        body.angular[0] = crm_scale(1.0 / sqrt(moments.x), axis[0]);
        body.angular[1] = crm_scale(1.0 / sqrt(moments.y), axis[1]);
        body.angular[2] = crm_scale(1.0 / sqrt(moments.z), axis[2]);
    }
    heap->bodies[k] = body;
    heap->kind[k] = kind;
    return k;
}

int heap_add_contact(rigid_heap *heap, int a, int b, carom_vec3 arm_a, carom_vec3 arm_b, carom_vec3 normal,
                     double friction) {
    int k = room(heap, heap->problem.contact_count++);
    carom_vec3 side = fabs(normal.x) < 0.6 ? (carom_vec3){1, 0, 0} : (carom_vec3){0, 1, 0};
    carom_vec3 t = crm_cross(normal, side);
    t = crm_scale(1.0 / crm_length(t), t);
    heap->contacts[k] = (crm_rigid_contact){.a = a,
                                            .b = b,
                                            .arm_a = arm_a,
                                            .arm_b = arm_b,
                                            .direction = {normal, t, crm_cross(normal, t)},
                                            .friction = friction};
    return k;
}

int heap_add_ball(rigid_heap *heap, int a, int b, carom_vec3 arm_a, carom_vec3 arm_b) {
    int k = room(heap, heap->problem.block_count++);
    crm_rigid_block *block = &heap->blocks[k];
    *block = (crm_rigid_block){.law = CAROM_LAW_EQUALITY, .rows = 3, .a = a, .b = b};
    const carom_vec3 axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++) {
        block->on_a[i] = crm_vec6_of(crm_negate(axis[i]), crm_cross(axis[i], arm_a));
        block->on_b[i] = crm_vec6_of(axis[i], crm_cross(arm_b, axis[i]));
    }
    heap->block_rows += 3;
    return k;
}

int heap_add_row(rigid_heap *heap, carom_law law, int a, int b, crm_vec6 on_a, crm_vec6 on_b, double lower,
                 double upper) {
    int k = room(heap, heap->problem.block_count++);
    heap->blocks[k] = (crm_rigid_block){
        .law = law, .rows = 1, .a = a, .b = b, .on_a = {on_a}, .on_b = {on_b}, .lower = lower, .upper = upper};
    heap->block_rows++;
    return k;
}

// ---- families

static crm_vec6 sample_motion(sampler *s, double size) {
    carom_vec3 v = sample_vec3(s, size);
    return crm_vec6_of(v, sample_vec3(s, size));
}

static int sample_index(sampler *s, int count) {
    int i = (int)sample_between(s, 0.0, count);
    return i < count ? i : count - 1;
}

static int neighbour(sampler *s, int a, int bodies) {
    int b = a + 1 + sample_index(s, 3);
    return b < bodies ? b : -1;
}

static void random_block(rigid_heap *heap, sampler *s, int a, int b) {
    double kind = sample_between(s, 0.0, 4.0);
    if (kind < 1.0) {
        carom_vec3 arm = sample_vec3(s, 1.0);
        heap_add_ball(heap, a, b, arm, sample_vec3(s, 1.0));
    } else {
        carom_law law = kind < 2.0 ? CAROM_LAW_EQUALITY : kind < 3.0 ? CAROM_LAW_UNILATERAL : CAROM_LAW_BOX;
        crm_vec6 on_a = sample_motion(s, 1.0), on_b = sample_motion(s, 1.0);
        heap_add_row(heap, law, a, b, on_a, on_b, -sample_between(s, 0.0, 0.5), sample_between(s, 0.0, 0.5));
    }
    crm_rigid_block *block = &heap->blocks[heap->problem.block_count - 1];
    for (int i = 0; i < block->rows; i++) block->offset[i] = sample_between(s, -0.1, 0.1);
    // Some give way, from hardly to a thousand times the inverse masses.
    bool gives_way = kind < 0.5 || (kind > 1.5 && kind < 2.0) || kind > 3.5;
    for (int i = 0; gives_way && i < block->rows; i++) block->compliance[i] = pow(10.0, sample_between(s, -3.0, 3.0));
}

rigid_heap *heap_random(sampler *s, int bodies, int contacts, int blocks) {
    rigid_heap *heap = heap_create(bodies + contacts + blocks + 1);
    for (int k = 0; k < bodies; k++) {
        double kind = sample_between(s, 0.0, 5.0), mass = pow(10.0, sample_between(s, -1.0, 1.0));
        carom_vec3 moments = crm_scale(mass, sample_vec3(s, 0.05));
        moments = crm_add(moments, (carom_vec3){0.1 * mass, 0.1 * mass, 0.1 * mass});
        carom_quat attitude = sample_attitude(s);
        heap_add_body(heap,
                      kind < 1.0   ? HEAP_PLANAR
                      : kind < 1.5 ? HEAP_POINT
                                   : HEAP_FREE,
                      mass, moments, attitude, sample_motion(s, 1.0));
    }
    for (int k = 0; k < contacts; k++) {
        int a = sample_index(s, bodies), b = neighbour(s, a, bodies);
        bool swap = sample_between(s, 0.0, 1.0) < 0.5;
        carom_vec3 arm_a = sample_vec3(s, 0.5), arm_b = sample_vec3(s, 0.5), normal = sample_unit(s);
        double friction = sample_between(s, -0.3, 1.2);
        if (friction < 0.0) friction = 0.0;
        int at = heap_add_contact(heap, swap ? b : a, swap ? a : b, arm_a, arm_b, normal, friction);
        heap->contacts[at].offset = sample_between(s, -0.1, 0.1);
    }
    for (int k = 0; k < blocks; k++) {
        int a = sample_index(s, bodies);
        random_block(heap, s, a, neighbour(s, a, bodies));
    }
    return heap;
}

static int add_box(rigid_heap *heap, sampler *s, carom_vec3 size, double push) {
    const double gravity = 0.0981;
    double mass = 1000.0 * size.x * size.y * size.z, twelfth = mass / 12.0;
    carom_vec3 moments = {twelfth * (size.y * size.y + size.z * size.z), twelfth * (size.x * size.x + size.z * size.z),
                          twelfth * (size.x * size.x + size.y * size.y)};
    crm_vec6 motion = sample_motion(s, push);
    motion.linear.z -= gravity;
    return heap_add_body(heap, HEAP_FREE, mass, moments, (carom_quat){1, 0, 0, 0}, motion);
}

// Four corners of the overlap from x0 to x1 (from the centre of b) of box b of `size` on box a.
static void add_face(rigid_heap *heap, int a, int b, carom_vec3 size, double x0, double x1, double shift,
                     double friction) {
    for (int k = 0; k < 4; k++) {
        double x = k & 1 ? x1 : x0, y = (k & 2 ? 0.5 : -0.5) * size.y;
        heap_add_contact(heap, a, b, (carom_vec3){x + shift, y, 0.5 * size.z}, (carom_vec3){x, y, -0.5 * size.z},
                         (carom_vec3){0, 0, 1}, friction);
    }
}

rigid_heap *heap_towers(sampler *s, int columns, int height, double friction, double push) {
    rigid_heap *heap = heap_create(4 * columns * height + 1);
    const carom_vec3 size = {0.1, 0.1, 0.1};
    for (int c = 0; c < columns; c++) {
        for (int i = 0, below = -1; i < height; i++) {
            int body = add_box(heap, s, size, push);
            add_face(heap, below, body, size, -0.05, 0.05, 0.0, friction);
            below = body;
        }
    }
    return heap;
}

rigid_heap *heap_wall(sampler *s, int wide, int high, double friction, double push) {
    rigid_heap *heap = heap_create(8 * wide * high + 1);
    const carom_vec3 size = {0.2, 0.1, 0.1};
    for (int row = 0; row < high; row++) {
        for (int i = 0; i < wide; i++) {
            int body = add_box(heap, s, size, push), left = body - wide - (row % 2 == 0), right = left + 1;
            if (row == 0) {
                add_face(heap, -1, body, size, -0.1, 0.1, 0.0, friction);
                continue;
            }
            if (row % 2 == 1 || i > 0) add_face(heap, left, body, size, -0.1, 0.0, 0.1, friction);
            if (row % 2 == 0 || i + 1 < wide) add_face(heap, right, body, size, 0.0, 0.1, -0.1, friction);
        }
    }
    return heap;
}

// ---- the general form

static const int planar_places[3] = {0, 1, 5};

static int node_size(heap_kind kind) {
    return kind == HEAP_FREE ? 6 : 3;
}

static void shorten(heap_kind kind, crm_vec6 x, double *out) {
    const double all[6] = {x.linear.x, x.linear.y, x.linear.z, x.angular.x, x.angular.y, x.angular.z};
    for (int i = 0; i < node_size(kind); i++) out[i] = all[kind == HEAP_PLANAR ? planar_places[i] : i];
}

static void fill_node(const crm_rigid_body *body, heap_kind kind, carom_problem_node *node) {
    int size = node->size = node_size(kind);
    double mass = 1.0 / (body->linear.x * body->linear.x);
    shorten(kind, body->free, node->free);
    for (int i = 0; i < 3; i++) node->mass[i * size + i] = mass;
    if (kind == HEAP_PLANAR) node->mass[8] = 1.0 / crm_length_squared(body->angular[2]);
    for (int k = 0; k < 3 && kind == HEAP_FREE; k++) {
        double square = crm_length_squared(body->angular[k]);
        const double f[3] = {body->angular[k].x, body->angular[k].y, body->angular[k].z};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) node->mass[(3 + i) * 6 + 3 + j] += f[i] * f[j] / (square * square);
    }
}

typedef struct general_arrays {
    heap_general out;
    carom_row_group *groups;
    double *offset, *compliance;
    carom_problem_node *nodes;
    carom_entry *entries;
} general_arrays;

static void add_entry(general_arrays *g, const rigid_heap *heap, int body, int rows, const crm_vec6 *on) {
    if (body < 0) return;
    carom_entry *entry = &g->entries[g->out.problem.entry_count++];
    entry->group = g->out.problem.group_count;
    entry->node = body;
    int size = node_size(heap->kind[body]);
    for (int i = 0; i < rows; i++) shorten(heap->kind[body], on[i], entry->rows + i * size);
}

static void add_group(general_arrays *g, const rigid_heap *heap, carom_row_group group, const double *offset, int a,
                      const crm_vec6 *on_a, int b, const crm_vec6 *on_b) {
    add_entry(g, heap, a, group.rows, on_a);
    add_entry(g, heap, b, group.rows, on_b);
    memcpy(g->offset + g->out.rows, offset, sizeof(double) * (size_t)group.rows);
    g->groups[g->out.problem.group_count++] = group;
    g->out.rows += group.rows;
}

heap_general *heap_as_general(const rigid_heap *heap) {
    const crm_rigid_problem *p = &heap->problem;
    size_t groups = (size_t)p->contact_count + (size_t)p->block_count;
    general_arrays *g = taken(1, sizeof *g);
    g->groups = taken(groups, sizeof *g->groups);
    g->offset = taken(6 * groups, sizeof *g->offset);
    g->compliance = taken(6 * groups, sizeof *g->compliance);
    g->nodes = taken((size_t)p->body_count, sizeof *g->nodes);
    g->entries = taken(2 * groups, sizeof *g->entries);
    g->out.problem = (carom_problem){.form = CAROM_FORM_BODIES,
                                     .groups = g->groups,
                                     .offset = g->offset,
                                     .compliance = g->compliance,
                                     .nodes = g->nodes,
                                     .node_count = p->body_count,
                                     .entries = g->entries};
    for (int k = 0; k < p->body_count; k++) fill_node(&p->bodies[k], heap->kind[k], &g->nodes[k]);
    for (int k = 0; k < p->contact_count; k++) {
        const crm_rigid_contact *contact = &p->contacts[k];
        crm_vec6 on_a[3], on_b[3];
        for (int i = 0; i < 3; i++) {
            carom_vec3 d = contact->direction[i];
            on_a[i] = crm_vec6_of(crm_negate(d), crm_cross(d, contact->arm_a));
            on_b[i] = crm_vec6_of(d, crm_cross(contact->arm_b, d));
        }
        carom_row_group cone = {.law = CAROM_LAW_CONE, .rows = 3, .friction = contact->friction, .relaxed = p->relaxed};
        if (contact->friction == 0.0) cone = (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1};
        add_group(g, heap, cone, (double[3]){contact->offset}, contact->a, on_a, contact->b, on_b);
    }
    for (int k = 0; k < p->block_count; k++) {
        const crm_rigid_block *block = &p->blocks[k];
        carom_row_group group = {.law = block->law, .rows = block->rows, .lower = block->lower, .upper = block->upper};
        memcpy(g->compliance + g->out.rows, block->compliance, sizeof(double) * (size_t)block->rows);
        add_group(g, heap, group, block->offset, block->a, block->on_a, block->b, block->on_b);
    }
    return &g->out;
}

void heap_general_destroy(heap_general *general) {
    general_arrays *g = (general_arrays *)general; // its first member
    free(g->groups);
    free(g->offset);
    free(g->compliance);
    free(g->nodes);
    free(g->entries);
    free(g);
}

static void carry(const rigid_heap *heap, double *impulse, double *general, bool there) {
    for (int k = 0; k < heap->problem.contact_count; k++, impulse += 3) {
        int rows = heap->contacts[k].friction == 0.0 ? 1 : 3;
        for (int i = 0; i < rows; i++, general++) {
            if (there)
                *general = impulse[i];
            else
                impulse[i] = *general;
        }
        for (int i = rows; i < 3 && !there; i++) impulse[i] = 0.0;
    }
    size_t bytes = sizeof(double) * (size_t)heap->block_rows;
    if (bytes > 0) memcpy(there ? general : impulse, there ? impulse : general, bytes);
}

void heap_to_general(const rigid_heap *heap, const double *impulse, double *general) {
    carry(heap, (double *)impulse, general, true);
}

void heap_from_general(const rigid_heap *heap, const double *general, double *impulse) {
    carry(heap, impulse, (double *)general, false);
}
