// SPDX-License-Identifier: MIT
// A round on the smoothed laws: towers, walls and blocks of boxes, joints, limits and motors, degenerate ones;
// evaluated by the residual of solve.h, which shares nothing with it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/sample.h"
#include "support/problem/contact_stacks.h"
#include "support/problem/rigid_records.h"

static const double gravity_step = 0.0981; // of contact_stacks.h, m/s

typedef struct solved {
    double residual;
    int steps;
} solved;

static double residual_of(carom_solver_state *state, const rigid_island *island, double *impulse) {
    carom_residual_report report = {0};
    rigid_island_get(island, impulse);
    CHECK_INT(carom_residual_evaluate(state, island->problem, gravity_step, impulse, NULL, &report, NULL), CAROM_OK);
    return report.residual;
}

static void sweep(carom_solver_state *state, rigid_island *island, int sweeps, double *impulse) {
    carom_solve_options options = carom_solve_options_default();
    options.solver = CAROM_SOLVER_GAUSS_SEIDEL;
    options.iterations = sweeps;
    options.warm = true;
    options.tolerance = 1e-15;
    options.velocity_scale = gravity_step;
    rigid_island_get(island, impulse);
    CHECK_INT(carom_solve(state, island->problem, &options, impulse, NULL, NULL, NULL), CAROM_OK);
    rigid_island_set(island, impulse);
}

// 30 sweeps from nothing, one round, 10 sweeps.
static solved solve(const carom_problem *problem, double tolerance, int steps) {
    carom_solver_state *state;
    crm_rigid_newton *newton;
    rigid_island island;
    solved result = {.residual = INFINITY};
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    CHECK_INT(crm_rigid_newton_create(NULL, &newton, NULL), CAROM_OK);
    if (!CHECK(rigid_island_create(problem, &island))) return result;
    double *impulse = calloc((size_t)island.rows, sizeof *impulse);
    rigid_island_set(&island, impulse);
    sweep(state, &island, 30, impulse);
    double start = residual_of(state, &island, impulse), price;
    CHECK_INT(crm_rigid_newton_open(newton, &island.system, &island.members, INFINITY, &price, NULL), CAROM_OK);
    result.steps = crm_rigid_newton_smoothed_round(newton, start, tolerance, steps);
    CHECK(result.steps <= steps);
    result.residual = residual_of(state, &island, impulse);
    if (result.residual > tolerance) {
        sweep(state, &island, 10, impulse);
        result.residual = residual_of(state, &island, impulse);
    }
    free(impulse);
    rigid_island_destroy(&island);
    crm_rigid_newton_destroy(newton);
    carom_solver_state_destroy(state);
    return result;
}

// What stands: towers, mass ratios, walls with redundant contacts.
TEST(towers_and_walls_are_solved) {
    const stack_def defs[] = {
        {.size = {1, 1, 8}, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .push = 0.02, .seed = 1},
        {.size = {1, 1, 20}, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .push = 0.02, .seed = 2},
        {.size = {1, 1, 8}, .per_edge = 2, .ratio = 100.0, .heavy_on_top = true, .friction = 0.5, .seed = 3},
        {.size = {10, 1, 10}, .staggered = true, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .seed = 4},
        {.size = {10, 1, 10}, .staggered = true, .per_edge = 3, .ratio = 4.0, .friction = 0.5, .push = 0.05, .seed = 5},
        {.size = {3, 3, 3}, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .relaxed = true, .push = 0.2, .seed = 6},
    };
    for (size_t k = 0; k < sizeof defs / sizeof *defs; k++) {
        contact_stack stack = stack_create(&defs[k]);
        solved s = solve(&stack.problem, 1e-8, 40);
        CHECK(s.residual <= 1e-8);
        CHECK(s.steps <= 30);
        stack_destroy(&stack);
    }
}

// What slides: more often than not to 1e-6, always to 1e-3.
TEST(sliding_stacks_are_solved) {
    int met = 0, count = 0;
    for (unsigned seed = 0; seed < 12; seed++) {
        stack_def def = {.size = {2 + (int)seed % 3, 1 + (int)seed % 2, 3},
                         .per_edge = 2,
                         .ratio = 10.0,
                         .friction = 0.6,
                         .mixed = true,
                         .tilt = 0.2,
                         .push = 0.3,
                         .staggered = seed % 2 == 0,
                         .sideways = seed % 3 == 0,
                         .seed = seed};
        contact_stack stack = stack_create(&def);
        double residual = solve(&stack.problem, 1e-6, 40).residual;
        CHECK(residual <= 1e-3);
        met += residual <= 1e-6;
        count++;
        stack_destroy(&stack);
    }
    CHECK(met >= count - 2);
}

// Near the solution the order is above one: a few steps more take the residual from 1e-4 to rounding.
TEST(the_last_steps_are_fast) {
    stack_def def = {.size = {1, 1, 12}, .per_edge = 2, .ratio = 10.0, .friction = 0.5, .push = 0.02, .seed = 7};
    contact_stack stack = stack_create(&def);
    solved coarse = solve(&stack.problem, 1e-4, 40), fine = solve(&stack.problem, 1e-13, 40);
    CHECK(coarse.residual <= 1e-4);
    CHECK(fine.residual <= 1e-12);
    CHECK(fine.steps <= coarse.steps + 16); // the width falls by 1e9
    stack_destroy(&stack);
}

// A stack with more groups: joints of all sizes between random boxes, limits and motors.
typedef struct jointed {
    carom_problem problem;
    carom_row_group *groups;
    carom_entry *entries;
    double *offset;
} jointed;

static jointed add_joints(const contact_stack *stack, sampler *s, int joints) {
    const carom_problem *p = &stack->problem;
    size_t groups = (size_t)(p->group_count + joints), entries = (size_t)(p->entry_count + 2 * joints);
    jointed j = {.problem = *p,
                 .groups = calloc(groups, sizeof *j.groups),
                 .entries = calloc(entries, sizeof *j.entries),
                 .offset = calloc((size_t)(stack->rows + 6 * joints), sizeof *j.offset)};
    memcpy(j.groups, p->groups, sizeof *j.groups * (size_t)p->group_count);
    memcpy(j.entries, p->entries, sizeof *j.entries * (size_t)p->entry_count);
    memcpy(j.offset, p->offset, sizeof *j.offset * (size_t)stack->rows);
    int row = stack->rows;
    for (int k = 0; k < joints; k++) {
        static const carom_law laws[] = {CAROM_LAW_EQUALITY, CAROM_LAW_BOX, CAROM_LAW_EQUALITY};
        carom_row_group *group = &j.groups[j.problem.group_count];
        *group = (carom_row_group){.law = laws[k % 3]};
        group->rows = group->law == CAROM_LAW_EQUALITY ? 1 + k % 5 : 1;
        group->lower = -0.02, group->upper = 0.05;
        for (int side = 0; side < 2 - k % 2; side++) {
            carom_entry *entry = &j.entries[j.problem.entry_count++];
            *entry = (carom_entry){.group = j.problem.group_count, .node = (k + side) % p->node_count};
            for (int i = 0; i < 6 * group->rows; i++) entry->rows[i] = sample_between(s, -1.0, 1.0);
        }
        // What rests satisfies the joints; motors pull.
        for (int i = 0; i < group->rows; i++, row++)
            if (group->law == CAROM_LAW_BOX) j.offset[row] = sample_between(s, -0.05, 0.05);
        j.problem.group_count++;
    }
    j.problem.groups = j.groups, j.problem.entries = j.entries, j.problem.offset = j.offset;
    return j;
}

TEST(joints_and_motors_are_solved_with_contacts) {
    stack_def def = {.size = {3, 1, 4}, .per_edge = 2, .ratio = 3.0, .friction = 0.5, .staggered = true, .seed = 8};
    contact_stack stack = stack_create(&def);
    sampler s = {.seed = 9};
    jointed j = add_joints(&stack, &s, 9);
    solved result = solve(&j.problem, 1e-8, 40);
    CHECK(result.residual <= 1e-8);
    free(j.groups);
    free(j.entries);
    free(j.offset);
    stack_destroy(&stack);
}

// Contacts without friction are rows of their own; all contacts twice; bodies that move in a plane only.
static void check_degenerate(contact_stack *stack, const carom_problem *problem) {
    solved s = solve(problem, 1e-8, 40);
    CHECK(s.residual <= 1e-8);
    stack_destroy(stack);
}

TEST(contacts_without_friction_are_solved) {
    stack_def def = {.size = {4, 1, 4}, .per_edge = 2, .ratio = 10.0, .friction = 0.5, .staggered = true, .seed = 10};
    contact_stack stack = stack_create(&def);
    carom_problem p = stack.problem;
    double *offset = calloc((size_t)stack.rows, sizeof *offset);
    int row = 0;
    for (int g = 0; g < p.group_count; g++) {
        offset[row] = stack.offset[3 * g];
        bool bare = g % 3 == 0;
        if (bare) stack.groups[g] = (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1};
        row += stack.groups[g].rows;
    }
    p.offset = offset;
    check_degenerate(&stack, &p);
    free(offset);
}

TEST(bodies_in_a_plane_are_solved) {
    stack_def def = {.size = {1, 1, 6}, .per_edge = 2, .ratio = 10.0, .friction = 0.5, .push = 0.02, .seed = 11};
    contact_stack stack = stack_create(&def);
    for (int e = 0; e < stack.problem.entry_count; e++) // x, z and rotation about y
        for (int i = 0; i < 3; i++)
            for (int k = 1; k < 6; k++)
                if (k != 2 && k != 4) stack.entries[e].rows[6 * i + k] = 0.0;
    check_degenerate(&stack, &stack.problem);
}

TEST(contacts_that_stand_twice_are_solved) {
    stack_def def = {.size = {1, 1, 5}, .per_edge = 2, .ratio = 10.0, .friction = 0.5, .seed = 12};
    contact_stack stack = stack_create(&def);
    carom_problem p = stack.problem;
    size_t groups = (size_t)p.group_count, entries = (size_t)p.entry_count;
    carom_row_group *group = calloc(2 * groups, sizeof *group);
    carom_entry *entry = calloc(2 * entries, sizeof *entry);
    double *offset = calloc(2 * (size_t)stack.rows, sizeof *offset);
    for (size_t i = 0; i < 2 * groups; i++) group[i] = p.groups[i % groups];
    for (size_t i = 0; i < 2 * entries; i++) {
        entry[i] = p.entries[i % entries];
        if (i >= entries) entry[i].group += p.group_count;
    }
    for (int i = 0; i < 2 * stack.rows; i++) offset[i] = p.offset[i % stack.rows];
    p.group_count *= 2, p.entry_count *= 2;
    p.groups = group, p.entries = entry, p.offset = offset;
    check_degenerate(&stack, &p);
    free(group);
    free(entry);
    free(offset);
}

// A round that is not allowed a step, one on a solution, and records that are not finite do no harm.
TEST(nothing_to_do_changes_nothing) {
    stack_def def = {.size = {1, 1, 3}, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .seed = 13};
    contact_stack stack = stack_create(&def);
    rigid_island island;
    crm_rigid_newton *newton;
    double price;
    CHECK(rigid_island_create(&stack.problem, &island));
    CHECK_INT(crm_rigid_newton_create(NULL, &newton, NULL), CAROM_OK);
    double *impulse = calloc((size_t)island.rows, sizeof *impulse), *after = calloc((size_t)island.rows, sizeof *after);
    rigid_island_set(&island, impulse);
    CHECK_INT(crm_rigid_newton_open(newton, &island.system, &island.members, INFINITY, &price, NULL), CAROM_OK);
    CHECK_INT(crm_rigid_newton_smoothed_round(newton, 1.0, 1e-6, 0), 0);
    rigid_island_get(&island, after);
    CHECK(memcmp(impulse, after, sizeof *impulse * (size_t)island.rows) == 0);
    island.system.batch[0].offset[0] = NAN;
    CHECK_INT(crm_rigid_newton_smoothed_round(newton, 1.0, 1e-6, 10), 0);
    rigid_island_get(&island, after);
    CHECK(memcmp(impulse, after, sizeof *impulse * (size_t)island.rows) == 0);
    free(impulse);
    free(after);
    crm_rigid_newton_destroy(newton);
    rigid_island_destroy(&island);
    stack_destroy(&stack);
}

static void exchange_nodes(contact_stack *stack, int a, int b) {
    carom_problem_node kept = stack->nodes[a];
    stack->nodes[a] = stack->nodes[b], stack->nodes[b] = kept;
    for (int e = 0; e < stack->problem.entry_count; e++) {
        int *node = &stack->entries[e].node;
        *node = *node == a ? b : *node == b ? a : *node;
    }
}

// A pattern that comes again costs no analysis; what is kept changes neither price nor bits.
TEST(patterns_are_kept) {
    stack_def defs[] = {
        {.size = {1, 1, 6}, .per_edge = 2, .ratio = 1.0, .friction = 0.5, .push = 0.02, .seed = 14},
        {.size = {4, 1, 3}, .per_edge = 2, .staggered = true, .ratio = 1.0, .friction = 0.5, .seed = 15}};
    crm_rigid_newton *warm, *cold;
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    CHECK_INT(crm_rigid_newton_create(&hook, &warm, NULL), CAROM_OK);
    long long allocations = 0;
    for (int round = 0; round < 4; round++)
        for (int k = 0; k < 3; k++) {
            contact_stack stack = stack_create(&defs[k / 2]);
            if (k == 1) exchange_nodes(&stack, 1, 4); // as many bodies and pairs as the first, but others
            rigid_island first, second;
            CHECK(rigid_island_create(&stack.problem, &first) && rigid_island_create(&stack.problem, &second));
            double *impulse = calloc((size_t)first.rows, sizeof *impulse);
            double *other = calloc((size_t)first.rows, sizeof *other);
            rigid_island_set(&first, impulse);
            rigid_island_set(&second, impulse);
            if (round == 3 && k == 0) allocations = probe.calls;
            double price, same;
            CHECK_INT(crm_rigid_newton_open(warm, &first.system, &first.members, INFINITY, &price, NULL), CAROM_OK);
            crm_rigid_newton_smoothed_round(warm, 1.0, 1e-6, 20);
            CHECK_INT(crm_rigid_newton_create(NULL, &cold, NULL), CAROM_OK);
            CHECK_INT(crm_rigid_newton_open(cold, &second.system, &second.members, INFINITY, &same, NULL), CAROM_OK);
            CHECK(isfinite(price) && same == price);
            crm_rigid_newton_smoothed_round(cold, 1.0, 1e-6, 20);
            rigid_island_get(&first, impulse);
            rigid_island_get(&second, other);
            CHECK(memcmp(impulse, other, sizeof *impulse * (size_t)first.rows) == 0);
            crm_rigid_newton_destroy(cold);
            free(impulse);
            free(other);
            rigid_island_destroy(&first);
            rigid_island_destroy(&second);
            stack_destroy(&stack);
        }
    CHECK_INT(probe.calls, allocations);
    crm_rigid_newton_destroy(warm);
}

// An island where a step is too dear is not taken up, and takes next to no memory; whether its pattern is known makes
// no difference.
TEST(what_is_too_dear_takes_no_memory) {
    stack_def def = {.size = {8, 8, 8}, .per_edge = 2, .staggered = true, .ratio = 1.0, .friction = 0.5, .seed = 16};
    contact_stack stack = stack_create(&def);
    rigid_island island;
    crm_rigid_newton *newton;
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    CHECK(rigid_island_create(&stack.problem, &island));
    CHECK_INT(crm_rigid_newton_create(&hook, &newton, NULL), CAROM_OK);
    double price, dear;
    long long before = probe.live_bytes;
    CHECK_INT(crm_rigid_newton_open(newton, &island.system, &island.members, 1e3, &dear, NULL), CAROM_OK);
    long long too_dear = probe.live_bytes - before;
    CHECK_INT(crm_rigid_newton_open(newton, &island.system, &island.members, INFINITY, &price, NULL), CAROM_OK);
    long long whole = probe.live_bytes - before;
    CHECK(dear == INFINITY && isfinite(price));
    CHECK(too_dear < 200LL * island.members.contact_count && whole > 20 * too_dear);
    CHECK_INT(crm_rigid_newton_open(newton, &island.system, &island.members, 0.999 * price, &dear, NULL), CAROM_OK);
    CHECK(dear == INFINITY);
    CHECK_INT(crm_rigid_newton_open(newton, &island.system, &island.members, 1.001 * price, &dear, NULL), CAROM_OK);
    CHECK(dear == price);
    crm_rigid_newton_destroy(newton);
    rigid_island_destroy(&island);
    stack_destroy(&stack);
}

TEST_MAIN(CASE(what_is_too_dear_takes_no_memory), CASE(towers_and_walls_are_solved), CASE(sliding_stacks_are_solved),
          CASE(the_last_steps_are_fast), CASE(joints_and_motors_are_solved_with_contacts),
          CASE(contacts_without_friction_are_solved), CASE(bodies_in_a_plane_are_solved),
          CASE(contacts_that_stand_twice_are_solved), CASE(nothing_to_do_changes_nothing), CASE(patterns_are_kept))
