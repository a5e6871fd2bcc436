// SPDX-License-Identifier: MIT
// Problems of steps, written to files: reading and solving them gives what the step did.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

static const double step = 0.01, tolerance = 1e-8;

// Cubes that have just fallen on each other askew.
static carom_state *pile(carom_method method) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material material = touching_material(model, 0.5, 0.0);
    carom_model_shape cube = touching_box(model, 1.0, 1.0, 1.0);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    for (int i = 0; i < 4; i++)
        touching_add(model, cube, material, 1.0 + i, crm_vec3(0.1 * i, 0.05 * i * i, 0.5 + 1.02 * i));
    carom_method_def def = touching_method(step, tolerance);
    def.method = method;
    def.lcp.rest = false; // what rests is in no problem
    return touching_state(model, &def);
}

TEST(a_written_problem_has_the_solution_of_its_step) {
    carom_error error = {0};
    char path[] = "/tmp/carom_step_XXXXXX";
    int file = mkstemp(path);
    if (!CHECK(file >= 0)) return;
    close(file);
    carom_state *state = pile(CAROM_METHOD_LCP);
    for (int k = 0; k < 10; k++) {
        world_run(state, 3);
        if (!CHECK_INT(carom_state_write_problem(state, path, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
        carom_stored_problem *stored = NULL;
        if (!CHECK_INT(carom_problem_read(path, NULL, &stored, &error), CAROM_OK)) break;
        int count;
        const carom_contact_state *contacts = carom_state_contacts(state, &count);
        CHECK_INT(stored->problem.group_count, count);
        CHECK_INT(stored->problem.node_count, 4);
        char name[32];
        snprintf(name, sizeof name, "step %d", 3 * (k + 1));
        CHECK_TEXT(stored->name, name);
        // The step's impulses keep the laws of the problem to its tolerance, and a general solver keeps them from the
        // impulses that came with it.
        double *impulse = malloc((size_t)(3 * count) * sizeof *impulse);
        for (int c = 0; c < count; c++) {
            impulse[3 * c] = contacts[c].normal_impulse;
            impulse[3 * c + 1] = contacts[c].tangent_impulse[0];
            impulse[3 * c + 2] = contacts[c].tangent_impulse[1];
        }
        carom_solver_state *solver = NULL;
        carom_residual_report residual;
        CHECK_INT(carom_solver_state_create(NULL, &solver, &error), CAROM_OK);
        CHECK_INT(carom_residual_evaluate(solver, &stored->problem, 9.81 * step, impulse, NULL, &residual, &error),
                  CAROM_OK);
        CHECK(residual.residual <= tolerance);
        memcpy(impulse, stored->impulse, (size_t)(3 * count) * sizeof *impulse);
        carom_solve_options options = carom_solve_options_default();
        options.tolerance = tolerance;
        options.velocity_scale = 9.81 * step;
        options.warm = true;
        carom_solve_report report;
        CHECK_INT(carom_solve(solver, &stored->problem, &options, impulse, NULL, &report, &error), CAROM_OK);
        CHECK(report.residual.residual <= tolerance);
        carom_solver_state_destroy(solver);
        carom_stored_problem_destroy(stored);
        free(impulse);
    }
    unlink(path);
    world_destroy(state);
}

TEST(what_has_no_problem_is_refused) {
    carom_error error = {0};
    carom_state *state = pile(CAROM_METHOD_LCP);
    CHECK_INT(carom_state_write_problem(state, "/nowhere/problem.json", &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "no step yet");
    world_run(state, 1);
    CHECK_INT(carom_state_write_problem(state, "/nowhere/problem.json", &error), CAROM_ERR_FILE);
    CHECK_CONTAINS(error.text, "/nowhere/problem.json");
    world_destroy(state);
    state = pile(CAROM_METHOD_EULER);
    CHECK_INT(carom_state_write_problem(state, "/nowhere/problem.json", &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "euler");
    world_destroy(state);
}

TEST_MAIN(CASE(a_written_problem_has_the_solution_of_its_step), CASE(what_has_no_problem_is_refused))
