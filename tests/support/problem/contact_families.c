// SPDX-License-Identifier: MIT
#include "support/problem/contact_families.h"

#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "support/harness/sample.h"

const char *const family_names[FAMILY_COUNT] = {"stack", "wall", "grid", "pile"};

static const double gravity_step = 9.81 * 0.01; // m/s

// ---- a problem that grows

typedef struct builder {
    const family_def *def;
    sampler s;
    contact_stack out;
    carom_vec3 *centre; // of every box
    int most_groups, most_nodes;
} builder;

static void *grow(void *memory, size_t count, size_t size) {
    void *larger = realloc(memory, count * size);
    if (larger == NULL) abort();
    return larger;
}

static double between(builder *b, double low, double high) {
    return sample_between(&b->s, low, high);
}

// A box with its centre, its half extents along its own axes, which `attitude` takes to the world's, and its place
// between the lowest (0) and the highest one (1).
static int add_box(builder *b, carom_vec3 centre, carom_vec3 half, carom_quat attitude, double height) {
    const family_def *def = b->def;
    if (b->out.problem.node_count == b->most_nodes) {
        b->most_nodes = 2 * b->most_nodes + 64;
        b->out.nodes = grow(b->out.nodes, (size_t)b->most_nodes, sizeof *b->out.nodes);
        b->centre = grow(b->centre, (size_t)b->most_nodes, sizeof *b->centre);
    }
    int box = b->out.problem.node_count++;
    double share = def->heavy_on_top ? height : between(b, 0.0, 1.0), mass = pow(def->ratio, share - 0.5);
    double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    double own[3] = {mass * (y + z) / 3.0, mass * (z + x) / 3.0, mass * (x + y) / 3.0};
    double axes[3][3];
    for (int k = 0; k < 3; k++) {
        carom_vec3 axis = crm_quat_rotate(attitude, crm_vec3(k == 0, k == 1, k == 2));
        axes[k][0] = axis.x, axes[k][1] = axis.y, axes[k][2] = axis.z;
    }
    carom_problem_node *node = &b->out.nodes[box];
    *node = (carom_problem_node){.size = 6};
    for (int i = 0; i < 3; i++) {
        node->mass[i * 7] = mass;
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < 3; k++) sum += own[k] * axes[k][i] * axes[k][j];
            node->mass[(3 + i) * 6 + 3 + j] = node->mass[(3 + j) * 6 + 3 + i] = sum;
        }
    }
    for (int i = 0; i < 6; i++) node->free[i] = between(b, -def->push, def->push);
    node->free[0] += gravity_step * sin(def->tilt);
    node->free[2] -= gravity_step * cos(def->tilt);
    b->centre[box] = centre;
    return box;
}

// Rows of one contact on one box: velocity of its point along the three axes. `side` is +1 or -1.
static void add_entry(builder *b, int group, int box, carom_vec3 point, const carom_vec3 axes[3], double side) {
    carom_entry *entry = &b->out.entries[b->out.problem.entry_count++];
    *entry = (carom_entry){.group = group, .node = box};
    for (int i = 0; i < 3; i++) {
        carom_vec3 moment = crm_cross(crm_sub(point, b->centre[box]), axes[i]);
        double row[6] = {axes[i].x, axes[i].y, axes[i].z, moment.x, moment.y, moment.z};
        for (int j = 0; j < 6; j++) entry->rows[i * 6 + j] = side * row[j];
    }
}

// Two boxes touch in a point; `below` may be -1 for the ground. The first axis is the normal, towards `above`.
static void add_contact(builder *b, int below, int above, carom_vec3 point, const carom_vec3 axes[3]) {
    const family_def *def = b->def;
    if (b->out.problem.group_count == b->most_groups) {
        size_t most = (size_t)(b->most_groups = 2 * b->most_groups + 256);
        b->out.groups = grow(b->out.groups, most, sizeof *b->out.groups);
        b->out.entries = grow(b->out.entries, 2 * most, sizeof *b->out.entries);
    }
    double mu = def->friction;
    if (def->mixed) {
        mu *= between(b, 0.0, 1.0);
        if (between(b, 0.0, 1.0) < 0.05) mu = 0.0;
    }
    int group = b->out.problem.group_count++;
    b->out.groups[group] = (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = mu, .relaxed = def->relaxed};
    add_entry(b, group, above, point, axes, 1.0);
    if (below >= 0) add_entry(b, group, below, point, axes, -1.0);
}

// A level square of contacts around `centre`.
static void add_square(builder *b, int below, int above, carom_vec3 centre, double half) {
    static const carom_vec3 axes[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    int count = b->def->per_edge;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            double x = count > 1 ? 2.0 * i / (count - 1) - 1.0 : 0.0, y = count > 1 ? 2.0 * j / (count - 1) - 1.0 : 0.0;
            add_contact(b, below, above, crm_vec3(centre.x + half * x, centre.y + half * y, centre.z), axes);
        }
}

// ---- families

static int at_least_one(double count) {
    return count < 1.0 ? 1 : (int)(count + 0.5);
}

static void build_stack(builder *b) {
    const family_def *def = b->def;
    int columns = at_least_one(def->columns), face = def->per_edge * def->per_edge;
    for (int c = 0; c < columns; c++) {
        // Heights differ by a factor of three at most; the last column takes what is left.
        double rest = def->contacts - b->out.problem.group_count, mean = rest / face / (columns - c);
        int boxes = at_least_one(c + 1 < columns ? mean * between(b, 0.5, 1.5) : mean), below = -1;
        double x = 3.0 * c, y = 0.0, z = 0.0, width = 0.0;
        for (int k = 0; k < boxes; k++) {
            double half = between(b, 0.35, 0.6), tall = between(b, 0.2, 0.5);
            double edge = below < 0 ? half : fmin(half, width), top = boxes > 1 ? (double)k / (boxes - 1) : 0.5;
            x += below < 0 ? 0.0 : between(b, -0.1, 0.1), y += below < 0 ? 0.0 : between(b, -0.1, 0.1);
            z += tall;
            int box = add_box(b, crm_vec3(x, y, z), crm_vec3(half, half, tall), crm_quat_identity(), top);
            add_square(b, below, box, crm_vec3(x, y, z - tall), edge - 0.1);
            z += tall, width = half, below = box;
        }
    }
}

// Somewhere between two boxes, about half way; the normal leans from the line of the centres by up to `lean`.
static void add_touch(builder *b, int below, int above, carom_vec3 middle, carom_vec3 line, double lean) {
    carom_vec3 axes[3], any = sample_unit(&b->s);
    crm_normalise(crm_madd(line, between(b, 0.0, lean), any), &axes[0]);
    crm_tangents(axes[0], &axes[1], &axes[2]);
    int points = 1 + (int)crm_random_below(&b->s, 8);
    double patch = between(b, 0.05, 0.3);
    for (int i = 0; i < points; i++) {
        double x = between(b, -patch, patch), y = between(b, -patch, patch);
        carom_vec3 point = crm_add(middle, crm_add(crm_scale(x, axes[1]), crm_scale(y, axes[2])));
        add_contact(b, below, above, point, axes);
    }
}

static int pile_box(const int *box_at, int n, int x, int y, int z) {
    return x < 0 || y < 0 || x >= n || y >= n || z < 0 ? -1 : box_at[(z * n + y) * n + x];
}

// One heap: boxes near the points of a lattice, narrower towards the top, each touching most of its neighbours.
static void build_heap(builder *b, int contacts) {
    enum { TOUCHES = 11 }; // contacts a box, about
    int n = at_least_one(cbrt(contacts / (0.6 * TOUCHES))), tall = n + 1, before = b->out.problem.group_count;
    int *box_at = grow(NULL, (size_t)(n * n * tall), sizeof *box_at);
    for (int i = 0; i < n * n * tall; i++) box_at[i] = -1;
    for (int z = 0; z < tall; z++)
        for (int i = 0; i < n * n && b->out.problem.group_count - before < contacts; i++) {
            int x = i % n, y = i / n;
            double inset = 0.3 * z;
            if (x + 1 < inset || y + 1 < inset || x > n - inset || y > n - inset) continue;
            carom_vec3 at = {x + between(b, -0.2, 0.2), y + between(b, -0.2, 0.2), z + between(b, -0.2, 0.2)};
            carom_vec3 half = {between(b, 0.2, 0.6), between(b, 0.2, 0.6), between(b, 0.2, 0.6)};
            int box = add_box(b, at, half, sample_attitude(&b->s), tall > 1 ? (double)z / (tall - 1) : 0.5);
            box_at[(z * n + y) * n + x] = box;
            if (z == 0) add_touch(b, -1, box, crm_vec3(at.x, at.y, at.z - 0.5), crm_vec3(0, 0, 1), 0.0);
            const int near[5][3] = {{x - 1, y, z}, {x, y - 1, z}, {x, y, z - 1}, {x - 1, y, z - 1}, {x, y - 1, z - 1}};
            for (int k = 0; k < 5; k++) {
                int other = pile_box(box_at, n, near[k][0], near[k][1], near[k][2]);
                if (other < 0 || between(b, 0.0, 1.0) < (k < 3 ? 0.2 : 0.7)) continue;
                carom_vec3 line = crm_sub(at, b->centre[other]), direction;
                crm_normalise(line, &direction);
                add_touch(b, other, box, crm_madd(b->centre[other], 0.5, line), direction, 0.5);
            }
        }
    free(box_at);
}

static void build_pile(builder *b) {
    int heaps = at_least_one(b->def->columns);
    for (int k = 0; k < heaps; k++)
        build_heap(b, at_least_one((double)(b->def->contacts - b->out.problem.group_count) / (heaps - k)));
}

// ---- definitions

family_def family_sample(contact_family family, int contacts, double ratio, family_law law, unsigned seed) {
    sampler s = {.seed = seed, .stream = 1 + (unsigned)family};
    family_def def = {.family = family, .contacts = contacts, .ratio = ratio, .seed = seed};
    def.relaxed = law == FAMILY_RELAXED;
    def.per_edge = 2 + (int)crm_random_below(&s, 3);
    def.heavy_on_top = sample_between(&s, 0.0, 1.0) < 0.3;
    // Uniform friction at four typical values and any; mixed up to 2.
    double any = sample_between(&s, 0.0, 2.0);
    const double typical[] = {0.2, 0.5, 0.8, 1.2, any, any};
    def.friction = typical[crm_random_below(&s, 6)];
    def.mixed = sample_between(&s, 0.0, 1.0) < 0.5;
    if (law == FAMILY_FRICTIONLESS) def.friction = 0.0;
    double tilt = sample_between(&s, 0.0, 0.8), push = pow(10.0, sample_between(&s, -2.5, 0.0));
    if (sample_between(&s, 0.0, 1.0) < 0.8) def.tilt = tilt;
    if (def.tilt == 0.0 || sample_between(&s, 0.0, 1.0) < 0.6) def.push = push;
    // Islands of about 100 contacts, or few large ones.
    int most = at_least_one(contacts / 100.0);
    def.columns = sample_between(&s, 0.0, 1.0) < 0.5 ? 1 : 1 + (int)crm_random_below(&s, (uint64_t)most);
    if (family == FAMILY_STACK && def.columns < contacts / 300) def.columns = 1 + contacts / 300;
    return def;
}

// Walls and grids are stacks of unit boxes.
static contact_stack create_regular(const family_def *def) {
    int face = def->per_edge * def->per_edge;
    stack_def stack = {.per_edge = def->per_edge,
                       .ratio = def->ratio,
                       .heavy_on_top = def->heavy_on_top,
                       .friction = def->friction,
                       .mixed = def->mixed,
                       .relaxed = def->relaxed,
                       .tilt = def->tilt,
                       .push = def->push,
                       .seed = def->seed};
    if (def->family == FAMILY_WALL) {
        double boxes = def->contacts / (2.0 * face);
        int wide = at_least_one(sqrt(boxes));
        stack.staggered = true;
        stack.size[0] = wide, stack.size[1] = 1, stack.size[2] = at_least_one(boxes / wide + 0.5);
    } else {
        double boxes = def->contacts / (2.5 * face);
        int wide = at_least_one(cbrt(boxes));
        stack.sideways = true;
        stack.size[0] = stack.size[1] = wide, stack.size[2] = at_least_one(boxes / (wide * wide));
    }
    return stack_create(&stack);
}

contact_stack family_create(const family_def *def) {
    if (def->family == FAMILY_WALL || def->family == FAMILY_GRID) return create_regular(def);
    builder b = {.def = def, .s = {.seed = def->seed}};
    if (def->family == FAMILY_STACK)
        build_stack(&b);
    else
        build_pile(&b);
    free(b.centre);
    contact_stack *out = &b.out;
    out->rows = 3 * out->problem.group_count;
    out->offset = calloc((size_t)out->rows + 1, sizeof *out->offset);
    if (out->offset == NULL) abort();
    out->problem.form = CAROM_FORM_BODIES;
    out->problem.groups = out->groups;
    out->problem.offset = out->offset;
    out->problem.nodes = out->nodes;
    out->problem.entries = out->entries;
    return *out;
}
